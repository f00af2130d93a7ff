/* SPDX-License-Identifier: MIT */
/* Capture odds: king, queens, both, and the danger map of a side. */
#include "bench/items.h"

#include <hazard/odds.h>

#include "ref/ref_odds.h"

/* Sums over both colours, so that one figure covers White and Black: work = 2. */
static uint64_t king(void *state, uint64_t n) {
    const hzb_case *c = state;
    uint64_t rolls = 0;
    for (uint64_t i = 0; i < n; i++) {
        rolls = hz_odds_king(&c->position, HZ_WHITE);
        rolls += hz_odds_king(&c->position, HZ_BLACK);
    }
    return rolls;
}

static uint64_t king_slowly(void *state, uint64_t n) {
    const hzb_case *c = state;
    uint64_t rolls = 0;
    for (uint64_t i = 0; i < n; i++) {
        rolls = ref_odds_king(&c->position, HZ_WHITE);
        rolls += ref_odds_king(&c->position, HZ_BLACK);
    }
    return rolls;
}

static uint64_t queen(void *state, uint64_t n) {
    const hzb_case *c = state;
    uint64_t rolls = 0;
    for (uint64_t i = 0; i < n; i++) {
        rolls = hz_odds_queen(&c->position, HZ_WHITE);
        rolls += hz_odds_queen(&c->position, HZ_BLACK);
    }
    return rolls;
}

static uint64_t queen_slowly(void *state, uint64_t n) {
    const hzb_case *c = state;
    uint64_t rolls = 0;
    for (uint64_t i = 0; i < n; i++) {
        rolls = ref_odds_queen(&c->position, HZ_WHITE);
        rolls += ref_odds_queen(&c->position, HZ_BLACK);
    }
    return rolls;
}

static uint64_t both(void *state, uint64_t n) {
    const hzb_case *c = state;
    uint64_t sum = 0;
    for (uint64_t i = 0; i < n; i++) {
        sum = 0;
        for (int color = 0; color < 2; color++) {
            hz_roll_set kings, queens;
            hz_odds_king_queen(&c->position, (hz_color)color, &kings, &queens);
            sum += kings + queens;
        }
    }
    return sum;
}

static uint64_t danger(void *state, uint64_t n) {
    const hzb_case *c = state;
    uint64_t sum = 0;
    for (uint64_t i = 0; i < n; i++) {
        sum = 0;
        for (int color = 0; color < 2; color++) {
            hz_danger_map map;
            hz_odds_danger(&c->position, (hz_color)color, &map);
            for (int square = 0; square < HZ_SQUARES; square++) {
                sum += map.rolls[square];
            }
        }
    }
    return sum;
}

/* The map by one call per piece: what the single pass saves. Equal without en passant. */
static uint64_t danger_by_piece(void *state, uint64_t n) {
    const hzb_case *c = state;
    uint64_t sum = 0;
    for (uint64_t i = 0; i < n; i++) {
        sum = 0;
        for (int square = 0; square < HZ_SQUARES; square++) {
            uint64_t bit = (uint64_t)1 << square;
            for (int color = 0; color < 2; color++) {
                if (c->position.colors[color] & bit) {
                    sum += hz_odds_squares(&c->position, (hz_color)(color ^ 1), bit);
                }
            }
        }
    }
    return sum;
}

static hzb_item item(const char *name, const char *dfen, uint64_t (*run)(void *, uint64_t),
                     uint64_t (*twin)(void *, uint64_t), double first, double aim) {
    return (hzb_item){.group = "odds",
                      .name = name,
                      .unit = "us",
                      .unit_ns = 1000,
                      .work = 2,
                      .first = first,
                      .aim = aim,
                      .run = run,
                      .twin = twin,
                      .same_number = true,
                      .state = hzb_case_new(dfen, "")};
}

size_t hzb_odds_items(hzb_item *items) {
    size_t n = 0;
    items[n++] = item("king capture, start", HZB_START, king, king_slowly, 1.0, 0.4);
    items[n++] = item("king capture, kiwipete", HZB_KIWIPETE, king, king_slowly, 1.6, 0.7);
    items[n++] = item("king capture, endgame", HZB_ENDGAME, king, king_slowly, 0.5, 0.2);
    items[n++] = item("queen capture, start", HZB_START, queen, queen_slowly, 0, 0);
    items[n++] = item("queen capture, kiwipete", HZB_KIWIPETE, queen, queen_slowly, 0, 0);
    items[n++] = item("king and queen in one pass, kiwipete", HZB_KIWIPETE, both, NULL, 0, 0);
    items[n++] = item("danger map (twin: one call a piece), start", HZB_START, danger,
                      danger_by_piece, 0, 0);
    items[n++] = item("danger map (twin: one call a piece), kiwipete", HZB_KIWIPETE, danger,
                      danger_by_piece, 0, 0);
    items[n++] = item("danger map (twin: one call a piece), endgame", HZB_ENDGAME, danger,
                      danger_by_piece, 0, 0);
    return n;
}
