/* SPDX-License-Identifier: MIT */
/*
 * Material in centipawns and what follows from it: the cautious "standard" score, the price of
 * hanging pieces, the win estimate. Only the own king's exposure counts in the standard score; an
 * attacked enemy king earns nothing there.
 */
#include <hazard/eval.h>

#include "board/bits.h"

#include <math.h>

const int32_t hz_centipawns[HZ_PIECE_TYPES] = {100, 300, 300, 500, 900, 10000};

int32_t hz_evaluate_material(const hz_position *position, hz_color color) {
    uint64_t own = position->colors[color], enemy = position->colors[color ^ 1];
    int32_t sum = 0;
    for (int type = 0; type < HZ_PIECE_TYPES; type++) {
        uint64_t pieces = position->pieces[type];
        sum += hz_centipawns[type] * (hzi_popcount(pieces & own) - hzi_popcount(pieces & enemy));
    }
    return sum;
}

int32_t hz_evaluate_king_safety(const hz_position *position, hz_color color) {
    return hz_king_attacked(position, color) ? -2000 : 0;
}

int32_t hz_evaluate_standard(const hz_position *position, hz_color color) {
    return hz_evaluate_material(position, color) + hz_evaluate_king_safety(position, color);
}

int32_t hz_hanging_centipawns(const hz_position *position, hz_color color) {
    uint64_t hanging = hz_hanging_pieces(position, color);
    int32_t sum = 0;
    for (int type = HZ_PAWN; type < HZ_KING; type++) {
        sum += hz_centipawns[type] * hzi_popcount(position->pieces[type] & hanging);
    }
    return sum;
}

double hz_win_estimate(const hz_position *position, hz_color color) {
    return 1.0 / (1.0 + exp(-(double)hz_evaluate_standard(position, color) / 400.0));
}
