/* SPDX-License-Identifier: MIT */
/*
 * Passed pawns. Seen from the enemy: every square behind one of its pawns on the same or a
 * neighbour file is held by that pawn; own pawns on the other squares are passed. Own pawns and
 * pieces never matter, so both of doubled pawns can be passed.
 */
#include "features/blocks.h"

#include "board/bits.h"

/* White's passed pawns on a board given by both pawn sets. */
static uint64_t passed_upwards(uint64_t own, uint64_t enemy) {
    uint64_t held = enemy >> 8;
    held |= held >> 8;
    held |= held >> 16;
    held |= held >> 32;
    held |= (held & ~HZI_FILE_A) >> 1 | (held & ~HZI_FILE_H) << 1;
    return own & ~held;
}

uint64_t hz_passed_pawns(const hz_position *position, hz_color color) {
    uint64_t own = position->pieces[HZ_PAWN] & position->colors[color];
    uint64_t enemy = position->pieces[HZ_PAWN] & position->colors[color ^ 1];
    if (color == HZ_WHITE) {
        return passed_upwards(own, enemy);
    }
    return hzi_flip_ranks(passed_upwards(hzi_flip_ranks(own), hzi_flip_ranks(enemy)));
}

/* Ranks from the side's back rank to its most advanced pawn of the set, 0 for none. */
static int advance(uint64_t pawns, hz_color color) {
    if (!pawns) {
        return 0;
    }
    return color == HZ_WHITE ? (63 - __builtin_clzll(pawns)) >> 3 : 7 - (hzi_lsb(pawns) >> 3);
}

int hz_passed_advance(const hz_position *position, hz_color color) {
    return advance(hz_passed_pawns(position, color), color);
}

/* ---- columns --------------------------------------------------------------------------------- */

static const char *const names[] = {
    "own_passed_pawns", "opp_passed_pawns",       /* how many */
    "own_passed_max_rank", "opp_passed_max_rank", /* advance of the foremost, from its own side */
};

static void write_columns(hzi_row *row, float *out) {
    uint64_t own = hz_passed_pawns(row->position, row->own);
    uint64_t enemy = hz_passed_pawns(row->position, row->enemy);
    out[0] = (float)hzi_popcount(own);
    out[1] = (float)hzi_popcount(enemy);
    out[2] = (float)advance(own, row->own);
    out[3] = (float)advance(enemy, row->enemy);
}

const hzi_block hzi_block_passed = HZI_BLOCK(names, write_columns);
