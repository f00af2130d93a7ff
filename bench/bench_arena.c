/* SPDX-License-Identifier: MIT */
/*
 * Refereed games: how many a second, what the referee costs beside its players (the twin is the
 * bare loop of asking and playing), what a second worker brings (the twin has one).
 */
#include "bench/items.h"

#include <hazard/arena.h>

#include <stdlib.h>
#include <string.h>

enum { PAIRS = 200, SHARED_PAIRS = 400, LONGEST = 1000 };

static const char *const players[] = {"aggressive", "greedy"};

typedef struct bench {
    hz_match_config config;
    unsigned threads;
    hz_registry *registry;
    hz_bot bots[2];
    hz_position start;
    hz_arena arena;
} bench;

static bench *bench_new(unsigned threads, uint64_t pairs) {
    bench *b = calloc(1, sizeof *b);
    if (!b) {
        return NULL;
    }
    b->config = hz_match_config_default();
    b->config.players = players;
    b->config.pairs = pairs;
    b->threads = threads;
    b->registry = b->config.registry = hz_registry_new();
    if (b->registry && hz_registry_open(b->registry, players[0], &b->bots[0], NULL) == HZ_OK &&
        hz_registry_open(b->registry, players[1], &b->bots[1], NULL) == HZ_OK &&
        hz_position_from_dfen(&b->start, HZB_START, strlen(HZB_START), NULL) == HZ_OK) {
        return b;
    }
    free(b);
    return NULL;
}

/* Plies and points of A, which must not depend on how the games were played. */
static uint64_t number(uint64_t plies, uint64_t wins) {
    return plies * 100000 + wins;
}

static uint64_t play(const bench *b, unsigned threads, uint64_t n) {
    uint64_t result = 0;
    for (uint64_t i = 0; i < n; i++) {
        hz_match_config config = b->config;
        hz_match_run *run = NULL;
        config.threads = threads;
        if (hz_match_run_new(&config, &run, NULL) != HZ_OK ||
            hz_match_run_play(run, NULL) != HZ_OK) {
            hz_match_run_free(run);
            return 0;
        }
        const hz_match_tally *t = &hz_match_run_view(run)->pairings[0].tally;
        result = number(t->plies, t->counts.games[2]);
        hz_match_run_free(run);
    }
    return result;
}

static uint64_t refereed(void *state, uint64_t n) {
    const bench *b = state;
    return play(b, b->threads, n);
}

static uint64_t by_one(void *state, uint64_t n) {
    return play(state, 1, n);
}

/* One game without a referee; whether A won. */
static bool bare_game(bench *b, uint64_t seed, int a_color, uint64_t *plies) {
    hz_position position = b->start;
    hz_random streams[2] = {hz_random_from_seed(hz_random_mix(seed ^ 0xA5A5A5A5A5A5A5A5)),
                            hz_random_from_seed(hz_random_mix(seed ^ 0x5A5A5A5A5A5A5A5A))};
    for (uint64_t ply = 0; ply < LONGEST && position.halfmove < 100; ply++, (*plies)++) {
        int side = position.side;
        hz_bot_answer answer;
        hz_position_set_pool(&position, hz_roll_at(seed, ply));
        hz_arena_reset(&b->arena);
        hz_bot_request request = {
            .position = &position, .random = &streams[side], .arena = &b->arena};
        if (hz_bot_choose(&b->bots[side != a_color], &request, &answer, NULL) != HZ_OK) {
            return false;
        }
        if (answer.pass) {
            hz_hand_over(&position);
        } else if (answer.turn.took_king) {
            ++*plies;
            return side == a_color;
        } else {
            position = answer.after;
        }
    }
    return false;
}

static uint64_t bare(void *state, uint64_t n) {
    bench *b = state;
    uint64_t result = 0;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t plies = 0, wins = 0;
        hz_arena_fini(&b->arena); /* the players' lists begin with new memory, as in a run */
        for (uint64_t game = 0; game < 2 * b->config.pairs; game++) {
            wins += bare_game(b, b->config.seed + game / 2, (int)(game & 1), &plies);
        }
        result = number(plies, wins);
    }
    return result;
}

size_t hzb_arena_items(hzb_item *items) {
    size_t n = 0;
    items[n++] = (hzb_item){.group = "arena",
                            .name = "refereed games, aggressive against greedy (twin: no referee)",
                            .unit = "games/s",
                            .unit_ns = 1e9,
                            .work = 2 * PAIRS,
                            .rate = true,
                            .first = 1500,
                            .aim = 5000,
                            .run = refereed,
                            .twin = bare,
                            .same_number = true,
                            .state = bench_new(1, PAIRS)};
    items[n++] = (hzb_item){.group = "arena",
                            .name = "the same by two workers (twin: by one)",
                            .unit = "games/s",
                            .unit_ns = 1e9,
                            .work = 2 * SHARED_PAIRS,
                            .rate = true,
                            .run = refereed,
                            .twin = by_one,
                            .same_number = true,
                            .state = bench_new(2, SHARED_PAIRS)};
    return n;
}
