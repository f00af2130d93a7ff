/* SPDX-License-Identifier: MIT */
/*
 * The dead draw: material with which neither side can be helped to a king capture as the kings
 * stand. It is advice for draw offers, never a rule of the game.
 */
#include <hazard/eval.h>

#include "board/attacks.h"

static const uint64_t light_squares = 0x55AA55AA55AA55AA;

/* Whether a bishop of the set runs on the square colour of a king of the set. */
static bool share_color(uint64_t bishops, uint64_t kings) {
    return ((bishops & light_squares) && (kings & light_squares)) ||
           ((bishops & ~light_squares) && (kings & ~light_squares));
}

bool hz_dead_draw(const hz_position *position) {
    const uint64_t *pieces = position->pieces, *colors = position->colors;
    uint64_t white_kings = pieces[HZ_KING] & colors[HZ_WHITE];
    uint64_t black_kings = pieces[HZ_KING] & colors[HZ_BLACK];
    uint64_t white_bishops = pieces[HZ_BISHOP] & colors[HZ_WHITE];
    uint64_t black_bishops = pieces[HZ_BISHOP] & colors[HZ_BLACK];
    if (pieces[HZ_PAWN] | pieces[HZ_KNIGHT] | pieces[HZ_ROOK] | pieces[HZ_QUEEN]) {
        return false;
    }
    if (!white_kings || !black_kings || hzi_several(white_bishops) || hzi_several(black_bishops)) {
        return false;
    }
    return !(hzi_kings_attack(white_kings) & black_kings) &&
           !share_color(white_bishops, black_kings) && !share_color(black_bishops, white_kings);
}
