/* SPDX-License-Identifier: MIT */
/*
 * Who attacks what: the early-exit attacker group, kings under attack and their column, hanging
 * pieces. Attack is pure geometry on the present occupancy; pins, dice and en passant play no part.
 */
#include "features/blocks.h"

#include "board/attacks.h"
#include "board/make.h"

uint64_t hz_attackers_first(const hz_position *position, int square, hz_color color) {
    const uint64_t *pieces = position->pieces;
    uint64_t own = position->colors[color], occupied = hzi_occupied(position);
    uint64_t group = hzi_pawn_table[color ^ 1][square] & pieces[HZ_PAWN] & own;
    if (group) {
        return group;
    }
    group = hzi_knight_attacks(square) & pieces[HZ_KNIGHT] & own;
    if (group) {
        return group;
    }
    group = hzi_bishop_attacks(square, occupied) & (pieces[HZ_BISHOP] | pieces[HZ_QUEEN]) & own;
    if (group) {
        return group;
    }
    group = hzi_rook_attacks(square, occupied) & (pieces[HZ_ROOK] | pieces[HZ_QUEEN]) & own;
    if (group) {
        return group;
    }
    return hzi_king_attacks(square) & pieces[HZ_KING] & own;
}

bool hz_king_attacked(const hz_position *position, hz_color color) {
    return hz_chess_in_check(position, color);
}

uint64_t hz_hanging_pieces(const hz_position *position, hz_color color) {
    uint64_t pieces = position->colors[color] & ~position->pieces[HZ_KING];
    /* A slider's attack set ends on the first piece it meets, so an attacked set covers own pieces
     * as well: that is what "defended" means. No piece attacks its own square. */
    return pieces & hz_position_attacked(position, (hz_color)(color ^ 1)) &
           ~hz_position_attacked(position, color);
}

/* ---- column ---------------------------------------------------------------------------------- */

static const char *const names[] = {
    "king_safety_diff", /* own minus enemy: -2000, 0 or 2000, in centipawns on purpose */
};

static void write_columns(hzi_row *row, float *out) {
    int own = hz_king_attacked(row->position, row->own) ? -2000 : 0;
    int enemy = hz_king_attacked(row->position, row->enemy) ? -2000 : 0;
    out[0] = (float)(own - enemy);
}

const hzi_block hzi_block_king_safety_diff = HZI_BLOCK(names, write_columns);
