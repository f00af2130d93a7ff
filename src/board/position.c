/* SPDX-License-Identifier: MIT */
/* The position as a value: setting its parts, its key from nothing, attackers, playing a move. */
#include <hazard/board.h>

#include "board/attacks.h"
#include "board/make.h"

#include <string.h>

hz_position hz_position_empty(void) {
    return (hz_position){.fullmove = 1};
}

hz_piece_type hz_position_type_at(const hz_position *position, int square) {
    if (!(hzi_occupied(position) & hzi_bit(square))) {
        return HZ_NO_PIECE;
    }
    return hzi_type_on(position, square);
}

char hz_position_letter_at(const hz_position *position, int square) {
    hz_piece_type type = hz_position_type_at(position, square);
    if (type == HZ_NO_PIECE) {
        return '.';
    }
    return (position->colors[HZ_WHITE] & hzi_bit(square) ? "PNBRQK" : "pnbrqk")[type];
}

void hz_position_put(hz_position *position, int square, hz_color color, hz_piece_type type) {
    hz_piece_type old = hz_position_type_at(position, square);
    if (old != HZ_NO_PIECE) {
        unsigned old_color = position->colors[HZ_BLACK] & hzi_bit(square) ? 1 : 0;
        hzi_toggle(position, old_color, old, square);
    }
    if (type != HZ_NO_PIECE) {
        hzi_toggle(position, color, type, square);
    }
}

void hz_position_set_side(hz_position *position, hz_color side) {
    if (position->side != (uint8_t)side) {
        position->side = (uint8_t)side;
        position->key ^= hzi_zobrist.side;
    }
}

void hz_position_set_pool(hz_position *position, hz_pool pool) {
    position->key ^= hzi_pool_key(position->pool) ^ hzi_pool_key(pool);
    position->pool = pool;
}

void hz_position_set_rights(hz_position *position, unsigned rights) {
    hzi_set_rights(position, rights & HZ_RIGHTS_ALL);
}

void hz_position_set_targets(hz_position *position, uint64_t targets) {
    position->key ^= hzi_targets_key(position->targets) ^ hzi_targets_key(targets);
    position->targets = targets;
}

uint64_t hz_position_fresh_key(const hz_position *position) {
    uint64_t key = position->side == HZ_BLACK ? hzi_zobrist.side : 0;
    for (unsigned color = 0; color < 2; color++) {
        for (unsigned type = 0; type < HZ_PIECE_TYPES; type++) {
            uint64_t b = position->pieces[type] & position->colors[color];
            while (b) {
                key ^= hzi_zobrist.piece[color][type][hzi_pop(&b)];
            }
        }
    }
    return key ^ hzi_zobrist.rights[position->rights] ^ hzi_targets_key(position->targets) ^
           hzi_pool_key(position->pool);
}

bool hz_position_same_board(const hz_position *a, const hz_position *b) {
    return memcmp(a->pieces, b->pieces, sizeof a->pieces) == 0 &&
           memcmp(a->colors, b->colors, sizeof a->colors) == 0 && a->targets == b->targets &&
           a->side == b->side && a->rights == b->rights;
}

uint64_t hz_position_attackers(const hz_position *position, int square, hz_color color) {
    uint64_t occupied = hzi_occupied(position);
    uint64_t queens = position->pieces[HZ_QUEEN];
    return (/* a pawn attacks the square when an enemy pawn on the square would attack it */
            (hzi_pawn_table[color ^ 1][square] & position->pieces[HZ_PAWN]) |
            (hzi_knight_attacks(square) & position->pieces[HZ_KNIGHT]) |
            (hzi_king_attacks(square) & position->pieces[HZ_KING]) |
            (hzi_bishop_attacks(square, occupied) & (position->pieces[HZ_BISHOP] | queens)) |
            (hzi_rook_attacks(square, occupied) & (position->pieces[HZ_ROOK] | queens))) &
           position->colors[color];
}

uint64_t hz_position_attacked(const hz_position *position, hz_color color) {
    uint64_t own = position->colors[color], occupied = hzi_occupied(position);
    uint64_t attacked = hzi_pawns_attack(own & position->pieces[HZ_PAWN], (int)color) |
                        hzi_knights_attack(own & position->pieces[HZ_KNIGHT]) |
                        hzi_kings_attack(own & position->pieces[HZ_KING]);
    uint64_t diagonal = own & (position->pieces[HZ_BISHOP] | position->pieces[HZ_QUEEN]);
    while (diagonal) {
        attacked |= hzi_bishop_attacks(hzi_pop(&diagonal), occupied);
    }
    uint64_t straight = own & (position->pieces[HZ_ROOK] | position->pieces[HZ_QUEEN]);
    while (straight) {
        attacked |= hzi_rook_attacks(hzi_pop(&straight), occupied);
    }
    return attacked;
}

uint64_t hz_position_capturable_targets(const hz_position *position) {
    return hzi_live_targets(position, position->side) &
           hzi_pawns_attack(position->pieces[HZ_PAWN] & position->colors[position->side],
                            position->side);
}

hz_piece_type hz_position_play(hz_position *position, hz_move move) {
    int from = hz_move_from(move);
    unsigned us = position->colors[HZ_BLACK] & hzi_bit(from) ? 1 : 0;
    return hzi_make(position, move, hzi_type_on(position, from), us);
}
