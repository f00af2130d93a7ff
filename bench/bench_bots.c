/* SPDX-License-Identifier: MIT */
/* Whole games of one-turn bots, and Monte-Carlo rollouts. */
#include "bench/items.h"

#include <hazard/bots.h>

#include <stdlib.h>
#include <string.h>

enum { GAMES = 16, LONGEST = 1000 };

typedef struct match {
    hz_registry *registry;
    hz_bot bots[2];
    hz_position start;
    hz_arena arena;
    hz_position equity_position;
} match;

static match *match_new(void) {
    match *m = calloc(1, sizeof *m);
    if (!m) {
        return NULL;
    }
    m->registry = hz_registry_new();
    if (m->registry && hz_registry_open(m->registry, "aggressive", &m->bots[0], NULL) == HZ_OK &&
        hz_registry_open(m->registry, "greedy", &m->bots[1], NULL) == HZ_OK &&
        hz_position_from_dfen(&m->start, HZB_START, strlen(HZB_START), NULL) == HZ_OK &&
        hz_position_from_dfen(&m->equity_position, HZB_KIWIPETE, strlen(HZB_KIWIPETE), NULL) ==
            HZ_OK) {
        return m;
    }
    free(m);
    return NULL;
}

/* One game with the dice of a seed. Returns its plies, signed by the winner's number. */
static uint64_t play(match *m, uint64_t seed, int white) {
    hz_position position = m->start;
    hz_random streams[2] = {hz_random_from_seed(hz_random_mix(seed ^ 0xA5A5A5A5A5A5A5A5)),
                            hz_random_from_seed(hz_random_mix(seed ^ 0x5A5A5A5A5A5A5A5A))};
    for (uint64_t ply = 0; ply < LONGEST && position.halfmove < 100; ply++) {
        int side = position.side;
        hz_bot_answer answer;
        hz_position_set_pool(&position, hz_roll_at(seed, ply));
        hz_arena_reset(&m->arena);
        hz_bot_request request = {
            .position = &position, .random = &streams[side], .arena = &m->arena};
        if (hz_bot_choose(&m->bots[side ^ white], &request, &answer, NULL) != HZ_OK) {
            return 0;
        }
        if (answer.pass) {
            hz_hand_over(&position);
        } else {
            position = answer.after;
            if (answer.turn.took_king) {
                return 4 * ply + (uint64_t)(side ^ white) + 1;
            }
        }
    }
    return (uint64_t)4 * LONGEST;
}

static uint64_t games(void *state, uint64_t n) {
    uint64_t sum = 0;
    for (uint64_t i = 0; i < n; i++) {
        sum = 0;
        for (uint64_t game = 0; game < GAMES; game++) {
            sum = sum * 31 + play(state, 42 + game / 2, (int)(game & 1));
        }
    }
    return sum;
}

static uint64_t equity(void *state, uint64_t n) {
    match *m = state;
    hz_equity_config config = hz_equity_config_default();
    config.rollouts = 16;
    config.max_plies = 40;
    hz_equity estimate = {0};
    for (uint64_t i = 0; i < n; i++) {
        hz_random random = hz_random_from_seed(1);
        if (hz_equity_estimate(&m->equity_position, &config, &random, NULL, &m->arena, &estimate,
                               NULL) != HZ_OK) {
            return 0;
        }
    }
    return (uint64_t)(estimate.white_win * 1e9);
}

size_t hzb_bots_items(hzb_item *items) {
    size_t n = 0;
    items[n++] = (hzb_item){.group = "bots",
                            .name = "one-turn games, aggressive against greedy",
                            .unit = "games/s",
                            .unit_ns = 1e9,
                            .work = GAMES,
                            .rate = true,
                            .first = 1500,
                            .aim = 5000,
                            .run = games,
                            .state = match_new()};
    items[n++] = (hzb_item){.group = "search",
                            .name = "equity rollouts of 40 plies, kiwipete",
                            .unit = "rollouts/s",
                            .unit_ns = 1e9,
                            .work = 16,
                            .rate = true,
                            .run = equity,
                            .state = match_new()};
    return n;
}
