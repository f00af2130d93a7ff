/* SPDX-License-Identifier: MIT */
/* How far long work has come; see progress.h. */
#include "cli/progress.h"

#include <hazard/base.h>

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

static const uint64_t SECOND_NS = 1000000000;
static const uint64_t FIRST_NS = 1000000000, TERMINAL_NS = 200000000;

hzc_progress hzc_progress_begin(const char *command, const char *what, uint64_t total) {
    uint64_t now = hz_clock_now_ns();
    return (hzc_progress){.command = command,
                          .what = what,
                          .total = total,
                          .begun_ns = now,
                          .said_ns = now,
                          .terminal = isatty(STDERR_FILENO) == 1};
}

void hzc_progress_step(hzc_progress *progress, uint64_t done) {
    uint64_t now = hz_clock_now_ns();
    uint64_t pause = !progress->terminal ? 10 * SECOND_NS : progress->said ? TERMINAL_NS : FIRST_NS;
    if (now - progress->said_ns < pause) {
        return;
    }
    progress->said_ns = now;
    progress->said = true;
    double seconds = (double)(now - progress->begun_ns) / 1e9;
    double rate = (double)done / seconds;
    char left[48] = "", of[32] = "";
    if (progress->total > 0) {
        (void)snprintf(of, sizeof of, " of %" PRIu64, progress->total);
        if (done > 0 && done <= progress->total) {
            (void)snprintf(left, sizeof left, ", %.0f s left",
                           (double)(progress->total - done) / rate);
        }
    }
    (void)fprintf(stderr, "%shazard %s: %" PRIu64 "%s %s, %.1f/s%s%s",
                  progress->terminal ? "\r" : "", progress->command, done, of, progress->what, rate,
                  left, progress->terminal ? "\x1b[K" : "\n");
}

void hzc_progress_end(hzc_progress *progress) {
    if (progress->terminal && progress->said) {
        (void)fputs("\r\x1b[K", stderr);
    }
    progress->said = false;
}
