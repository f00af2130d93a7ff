/* SPDX-License-Identifier: MIT */
/*
 * Check and what depends on it. Dice Chess asks the same question about its kings (a king that
 * stands on an attacked square), so this is the one place that answers it for both games.
 */
#include <hazard/chess.h>

#include "board/attacks.h"

bool hz_chess_in_check(const hz_position *position, hz_color color) {
    hz_color enemy = (hz_color)(color ^ 1);
    uint64_t kings = position->pieces[HZ_KING] & position->colors[color];
    while (kings) {
        if (hz_position_attackers(position, hzi_pop(&kings), enemy)) {
            return true;
        }
    }
    return false;
}

/* Own pawns that stand beside the double-stepped pawn of `target`: the squares from which an own
 * pawn attacks the target are those an enemy pawn on the target would attack. */
static uint64_t en_passant_captors(const hz_position *position, int target, hz_color us) {
    return hzi_pawn_table[us ^ 1][target] & position->pieces[HZ_PAWN] & position->colors[us];
}

uint64_t hz_chess_legal_en_passant(const hz_position *position) {
    hz_color us = (hz_color)position->side;
    uint64_t legal = 0, targets = hz_position_capturable_targets(position);
    while (targets) {
        int target = hzi_pop(&targets);
        uint64_t captors = en_passant_captors(position, target, us);
        while (captors) {
            /* Two pawns leave one rank at once, so no pin test is enough: play it and look. */
            hz_position after = *position;
            hz_position_play(&after, hz_move_make(hzi_pop(&captors), target, HZ_MOVE_EN_PASSANT));
            if (!hz_chess_in_check(&after, us)) {
                legal |= hzi_bit(target);
                break;
            }
        }
    }
    return legal;
}
