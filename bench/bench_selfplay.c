/* SPDX-License-Identifier: MIT */
/* Self-play into memory: games of a one-turn bot, drawn by temperature, as records and as rows. */
#include "bench/items.h"

#include "arena/selfplay.h"

#include <stdlib.h>

enum { GAMES = 64 };

typedef struct playing {
    hz_registry *registry;
    hzi_selfplay_config config;
    uint64_t bytes;
} playing;

static const char *const players[] = {"aggressive"};

static bool count_bytes(void *context, const char *text, size_t length) {
    playing *p = context;
    (void)text;
    p->bytes += length;
    return true;
}

static playing *playing_new(hzi_selfplay_format format) {
    playing *p = calloc(1, sizeof *p);
    if (!p) {
        return NULL;
    }
    p->registry = hz_registry_new();
    p->config = (hzi_selfplay_config){
        .player_count = 1,
        .players = players,
        .registry = p->registry,
        .how = {.random_plies = 4, .temperature = 50.0, .temperature_plies = UINT64_MAX},
        .seed = 42,
        .games = GAMES,
        .max_plies = 1000,
        .threads = 1,
        .format = format,
        .sink = count_bytes,
        .sink_context = p};
    if (!p->registry) {
        free(p);
        return NULL;
    }
    return p;
}

/* The bytes of a run, and how many turns were played. */
static uint64_t play(void *state, uint64_t n) {
    playing *p = state;
    hzi_selfplay_counts counts = {0};
    for (uint64_t i = 0; i < n; i++) {
        p->bytes = 0;
        if (hzi_selfplay_run(&p->config, &counts, NULL) != HZ_OK) {
            return 0;
        }
    }
    return counts.plies << 32 | p->bytes;
}

size_t hzb_selfplay_items(hzb_item *items) {
    size_t n = 0;
    const hzb_item games = {.group = "arena",
                            .unit = "games/s",
                            .unit_ns = 1e9,
                            .work = GAMES,
                            .rate = true,
                            .first = 1000,
                            .aim = 2500,
                            .run = play};
    items[n] = games;
    items[n].name = "self-play, aggressive drawn by temperature, records";
    items[n++].state = playing_new(HZI_SELFPLAY_RECORD);
    items[n] = games;
    items[n].name = "self-play, aggressive drawn by temperature, rows";
    items[n++].state = playing_new(HZI_SELFPLAY_ROWS);
    return n;
}
