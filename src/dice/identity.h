/* SPDX-License-Identifier: MIT */
/*
 * What makes two turns lead to the same result: placement, side, rights and targets
 * after hand-over. Asked for a board before hand-over, so that duplicates cost no copy.
 */
#ifndef HAZARD_DICE_IDENTITY_H
#define HAZARD_DICE_IDENTITY_H

#include "board/make.h"

/* Targets that lapse when `side` hands over. */
static inline uint64_t hzi_lapsing_targets(unsigned side) {
    return side ? HZI_RANK(3) : HZI_RANK(6);
}

/* Key the board will have after hand-over. */
static inline uint64_t hzi_result_key(const hz_position *board) {
    uint64_t lapsed = board->targets & hzi_lapsing_targets(board->side);
    return board->key ^ hzi_pool_key(board->pool) ^ hzi_zobrist.side ^ hzi_targets_key(lapsed);
}

/* Whether handing `board` over gives the board of `after`. Differences are gathered without
 * branches: the answer is nearly always yes. */
static inline bool hzi_result_is(const hz_position *board, const hz_position *after) {
    uint64_t difference = (board->targets & ~hzi_lapsing_targets(board->side)) ^ after->targets;
    for (unsigned t = 0; t < HZ_PIECE_TYPES; t++) {
        difference |= board->pieces[t] ^ after->pieces[t];
    }
    difference |= board->colors[0] ^ after->colors[0];
    difference |= board->colors[1] ^ after->colors[1];
    return (difference | (uint64_t)(board->rights ^ after->rights)) == 0;
}

#endif
