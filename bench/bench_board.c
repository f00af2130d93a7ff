/* SPDX-License-Identifier: MIT */
/* DFEN in and out, attack sets. */
#include "bench/items.h"

#include "board/attacks.h"
#include "ref/ref_dice.h"

#include <string.h>

static uint64_t parse(void *state, uint64_t n) {
    const hzb_case *c = state;
    size_t length = strlen(c->dfen);
    hz_position position = hz_position_empty();
    for (uint64_t i = 0; i < n; i++) {
        hz_position_from_dfen(&position, c->dfen, length, NULL);
    }
    return position.colors[HZ_WHITE];
}

static uint64_t parse_slowly(void *state, uint64_t n) {
    const hzb_case *c = state;
    ref_position position;
    uint64_t white = 0;
    for (uint64_t i = 0; i < n; i++) {
        ref_from_dfen(&position, c->dfen);
        white = 0;
        for (int square = 0; square < 64; square++) {
            white |= position.board[square] >= 'A' && position.board[square] <= 'Z'
                         ? (uint64_t)1 << square
                         : 0;
        }
    }
    return white;
}

static uint64_t write(void *state, uint64_t n) {
    const hzb_case *c = state;
    char text[HZ_DFEN_CAPACITY];
    size_t length = 0;
    for (uint64_t i = 0; i < n; i++) {
        length = hz_position_to_dfen(&c->position, text, sizeof text);
    }
    return length;
}

/* Both variants of the sliders over all squares with the occupancy of the position. */
static uint64_t sliders(void *state, uint64_t n) {
    const hzb_case *c = state;
    uint64_t occupied = c->position.colors[0] | c->position.colors[1], all = 0;
    for (uint64_t i = 0; i < n; i++) {
        all = 0;
        for (int square = 0; square < 64; square++) {
            all += hzi_queen_attacks(square, occupied);
        }
    }
    return all;
}

static uint64_t sliders_portable(void *state, uint64_t n) {
    const hzb_case *c = state;
    uint64_t occupied = c->position.colors[0] | c->position.colors[1], all = 0;
    for (uint64_t i = 0; i < n; i++) {
        all = 0;
        for (int square = 0; square < 64; square++) {
            all += hzi_bishop_attacks_portable(square, occupied) |
                   hzi_rook_attacks_portable(square, occupied);
        }
    }
    return all;
}

size_t hzb_board_items(hzb_item *items) {
    size_t n = 0;
    items[n++] = (hzb_item){.group = "board",
                            .name = "DFEN parse, start",
                            .unit = "us",
                            .unit_ns = 1000,
                            .work = 1,
                            .first = 0.3,
                            .aim = 0.1,
                            .run = parse,
                            .twin = parse_slowly,
                            .same_number = true,
                            .state = hzb_case_new(HZB_START, "")};
    items[n++] = (hzb_item){.group = "board",
                            .name = "DFEN write, kiwipete",
                            .unit = "us",
                            .unit_ns = 1000,
                            .work = 1,
                            .run = write,
                            .state = hzb_case_new(HZB_KIWIPETE, "")};
    items[n++] = (hzb_item){.group = "board",
                            .name = "queen attacks, kiwipete (twin: portable)",
                            .unit = "ns",
                            .unit_ns = 1,
                            .work = 64,
                            .run = sliders,
                            .twin = sliders_portable,
                            .same_number = true,
                            .state = hzb_case_new(HZB_KIWIPETE, "")};
    return n;
}
