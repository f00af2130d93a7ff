/* SPDX-License-Identifier: MIT */
/*
 * Zobrist numbers: a position's key is the XOR of one number per fact (piece on square, target,
 * rights, dice of a type, Black to move). An empty pool and empty rights contribute nothing.
 */
#ifndef HAZARD_BOARD_ZOBRIST_H
#define HAZARD_BOARD_ZOBRIST_H

#include <hazard/board.h>

typedef struct hzi_zobrist_numbers {
    uint64_t piece[2][HZ_PIECE_TYPES][HZ_SQUARES];
    uint64_t target[HZ_SQUARES];
    uint64_t rights[16];
    uint64_t dice[HZ_PIECE_TYPES][4]; /* by type and count */
    uint64_t side;                    /* Black to move */
} hzi_zobrist_numbers;

extern const hzi_zobrist_numbers hzi_zobrist;

static inline uint64_t hzi_pool_key(hz_pool pool) {
    uint64_t key = 0;
    for (unsigned type = 0; pool; type++, pool = (hz_pool)(pool >> 2)) {
        key ^= hzi_zobrist.dice[type][pool & 3u];
    }
    return key;
}

static inline uint64_t hzi_targets_key(uint64_t targets) {
    uint64_t key = 0;
    for (; targets; targets &= targets - 1) {
        key ^= hzi_zobrist.target[__builtin_ctzll(targets)];
    }
    return key;
}

#endif
