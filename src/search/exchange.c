/* SPDX-License-Identifier: MIT */
/*
 * Static exchange evaluation: what a move gains when both sides go on taking on its target square,
 * each time with the least valuable piece, and stop when it does not pay. Sliders behind a piece
 * that took join in.
 */
#include <hazard/search.h>

#include "board/attacks.h"
#include "board/make.h"

static const int32_t worth[HZ_PIECE_TYPES + 1] = {100, 300, 300, 500, 900, 10000, 0};

static uint64_t attackers(const hz_position *p, int square, uint64_t occupied) {
    uint64_t queens = p->pieces[HZ_QUEEN];
    return ((hzi_pawn_table[HZ_BLACK][square] & p->pieces[HZ_PAWN] & p->colors[HZ_WHITE]) |
            (hzi_pawn_table[HZ_WHITE][square] & p->pieces[HZ_PAWN] & p->colors[HZ_BLACK]) |
            (hzi_knight_attacks(square) & p->pieces[HZ_KNIGHT]) |
            (hzi_king_attacks(square) & p->pieces[HZ_KING]) |
            (hzi_bishop_attacks(square, occupied) & (p->pieces[HZ_BISHOP] | queens)) |
            (hzi_rook_attacks(square, occupied) & (p->pieces[HZ_ROOK] | queens))) &
           occupied;
}

int32_t hz_chess_exchange(const hz_position *position, hz_move move) {
    const hz_position *p = position;
    int from = hz_move_from(move), to = hz_move_to(move);
    unsigned flags = hz_move_flags(move);
    if (hz_move_is_castling(move)) {
        return 0;
    }
    uint64_t occupied = (hzi_occupied(p) | hzi_bit(to)) & ~hzi_bit(from);
    hz_piece_type victim = HZ_NO_PIECE, standing = hzi_type_on(p, from);
    if (flags == HZ_MOVE_EN_PASSANT) {
        victim = HZ_PAWN;
        occupied &= ~hzi_bit(p->side ? to + 8 : to - 8);
    } else if (flags & HZ_MOVE_CAPTURE) {
        victim = hzi_type_on(p, to);
    }
    int32_t gain[40];
    int depth = 0;
    gain[0] = worth[victim];
    if (flags & HZ_MOVE_PROMOTION) {
        standing = hz_move_promotion(move);
        gain[0] += worth[standing] - worth[HZ_PAWN];
    }
    unsigned side = p->side ^ 1u;
    uint64_t all = attackers(p, to, occupied);
    while (depth < 38) {
        uint64_t own = all & p->colors[side] & occupied;
        if (!own) {
            break;
        }
        unsigned type = 0;
        while (!(own & p->pieces[type])) {
            type++;
        }
        if (type == HZ_KING && (all & p->colors[side ^ 1u] & occupied)) {
            break; /* the king may not take what is defended */
        }
        depth++;
        gain[depth] = worth[standing] - gain[depth - 1];
        standing = (hz_piece_type)type;
        uint64_t used = own & p->pieces[type];
        occupied ^= used & (~used + 1);
        all = attackers(p, to, occupied);
        side ^= 1u;
    }
    while (depth > 0) {
        gain[depth - 1] = -(-gain[depth - 1] > gain[depth] ? -gain[depth - 1] : gain[depth]);
        depth--;
    }
    return gain[0];
}
