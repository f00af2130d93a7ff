/* SPDX-License-Identifier: MIT */
/*
 * How soon `hazard uci` answers `stop`: this very program is started once as a child, thinks without
 * end, and is stopped as soon as its first line of thoughts has come. The figure is the whole round,
 * from `go infinite` to `bestmove`, so the answer to `stop` alone takes less.
 */
#include "bench/items.h"

#include "arena/child.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t PATIENCE_NS = 10000000000;

typedef struct dialogue {
    const char *setup;
    hzi_child child;
} dialogue;

static bool say(dialogue *d, const char *text) {
    const hzi_patience patience = {hz_clock_now_ns() + PATIENCE_NS, NULL};
    return hzi_child_send(&d->child, text, strlen(text), &patience) == HZI_CHILD_OK;
}

static bool hear(dialogue *d, const char *beginning) {
    const hzi_patience patience = {hz_clock_now_ns() + PATIENCE_NS, NULL};
    char *line;
    size_t length;
    while (hzi_child_line(&d->child, &line, &length, &patience) == HZI_CHILD_OK) {
        if (strncmp(line, beginning, strlen(beginning)) == 0) {
            return true;
        }
    }
    return false;
}

static bool begin(dialogue *d) {
    char program[] = "/proc/self/exe", verb[] = "uci";
    char *const argv[] = {program, verb, NULL};
    return hzi_child_runs(&d->child) ||
           (hzi_child_start(&d->child, argv, NULL) == HZ_OK && say(d, d->setup) &&
            say(d, "isready\n") && hear(d, "readyok"));
}

/* 1 when every round was answered. */
static uint64_t rounds(void *state, uint64_t n) {
    dialogue *d = state;
    bool good = begin(d);
    for (uint64_t i = 0; i < n && good; i++) {
        good = say(d, "go infinite\n") && hear(d, "info depth ") && say(d, "stop\n") &&
               hear(d, "bestmove ");
    }
    return good;
}

static hzb_item item(const char *name, const char *setup) {
    dialogue *d = calloc(1, sizeof *d);
    if (d) {
        d->setup = setup;
    }
    return (hzb_item){.group = "uci",
                      .name = name,
                      .unit = "ms",
                      .unit_ns = 1e6,
                      .work = 1,
                      .first = 10,
                      .aim = 1,
                      .run = rounds,
                      .state = d};
}

size_t hzb_uci_items(hzb_item *items) {
    size_t n = 0;
    items[n++] =
        item("go infinite, a line, stop, bestmove; kiwipete", "position fen " HZB_KIWIPETE "\n");
    items[n++] = item("go infinite, a line, stop, bestmove; two threads",
                      "setoption name Threads value 2\nposition fen " HZB_KIWIPETE "\n");
    return n;
}
