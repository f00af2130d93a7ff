/* SPDX-License-Identifier: MIT */
/*
 * Playing a chess move fast: the board after it, with side, clocks and key. Differs from a
 * micro-move of Dice Chess (board/make.h) in what the key needs: a target is kept only when a pawn
 * stands ready to take, so that equal positions are equal.
 */
#ifndef HAZARD_CHESS_MOVES_H
#define HAZARD_CHESS_MOVES_H

#include <hazard/chess.h>

#include "board/attacks.h"
#include "board/make.h"

/* a1 and every second square from there. */
#define HZI_DARK_SQUARES ((uint64_t)0xAA55AA55AA55AA55)

/* Rights that survive when something leaves or reaches a square. */
static inline unsigned hzi_rights_kept(int square) {
    switch (square) {
    case 0:
        return HZ_RIGHTS_ALL ^ HZ_RIGHT_WHITE_QUEEN;
    case 4:
        return HZ_RIGHTS_ALL ^ HZ_RIGHT_WHITE_QUEEN ^ HZ_RIGHT_WHITE_KING;
    case 7:
        return HZ_RIGHTS_ALL ^ HZ_RIGHT_WHITE_KING;
    case 56:
        return HZ_RIGHTS_ALL ^ HZ_RIGHT_BLACK_QUEEN;
    case 60:
        return HZ_RIGHTS_ALL ^ HZ_RIGHT_BLACK_QUEEN ^ HZ_RIGHT_BLACK_KING;
    case 63:
        return HZ_RIGHTS_ALL ^ HZ_RIGHT_BLACK_KING;
    default:
        return HZ_RIGHTS_ALL;
    }
}

/* Plays a legal move of a piece of `type` in place. */
static inline void hzi_chess_make(hz_position *p, hz_move move, unsigned type) {
    unsigned us = p->side, them = us ^ 1u, flags = hz_move_flags(move);
    int from = hz_move_from(move), to = hz_move_to(move);
    unsigned clock = p->halfmove + (p->halfmove < UINT8_MAX ? 1u : 0u);
    uint64_t key = p->key ^ hzi_zobrist.side;
    if (p->targets) {
        key ^= hzi_targets_key(p->targets);
        p->targets = 0;
    }
    if (flags & HZ_MOVE_CAPTURE) {
        int square = flags == HZ_MOVE_EN_PASSANT ? (us ? to + 8 : to - 8) : to;
        unsigned taken = (unsigned)hzi_type_on(p, square);
        p->pieces[taken] ^= hzi_bit(square);
        p->colors[them] ^= hzi_bit(square);
        key ^= hzi_zobrist.piece[them][taken][square];
        clock = 0;
    }
    uint64_t both = hzi_bit(from) | hzi_bit(to);
    p->colors[us] ^= both;
    p->pieces[type] ^= both;
    key ^= hzi_zobrist.piece[us][type][from] ^ hzi_zobrist.piece[us][type][to];
    if (type == HZ_PAWN) {
        clock = 0;
        if (flags & HZ_MOVE_PROMOTION) {
            unsigned promoted = 1u + (flags & 3u);
            p->pieces[HZ_PAWN] ^= hzi_bit(to);
            p->pieces[promoted] ^= hzi_bit(to);
            key ^= hzi_zobrist.piece[us][HZ_PAWN][to] ^ hzi_zobrist.piece[us][promoted][to];
        } else if (flags == HZ_MOVE_DOUBLE_STEP) {
            int target = us ? to + 8 : to - 8;
            if (hzi_pawn_table[us][target] & p->pieces[HZ_PAWN] & p->colors[them]) {
                p->targets = hzi_bit(target);
                key ^= hzi_zobrist.target[target];
            }
        }
    } else if ((flags & 14u) == 2u) {
        bool king_side = flags == HZ_MOVE_CASTLE_KING;
        int rook = king_side ? from + 3 : from - 4, post = king_side ? from + 1 : from - 1;
        p->pieces[HZ_ROOK] ^= hzi_bit(rook) | hzi_bit(post);
        p->colors[us] ^= hzi_bit(rook) | hzi_bit(post);
        key ^= hzi_zobrist.piece[us][HZ_ROOK][rook] ^ hzi_zobrist.piece[us][HZ_ROOK][post];
    }
    if (p->rights) {
        unsigned rights = p->rights & hzi_rights_kept(from) & hzi_rights_kept(to);
        key ^= hzi_zobrist.rights[p->rights] ^ hzi_zobrist.rights[rights];
        p->rights = (uint8_t)rights;
    }
    if (us && p->fullmove < INT32_MAX) {
        p->fullmove++;
    }
    p->halfmove = (uint8_t)clock;
    p->side = (uint8_t)them;
    p->key = key;
}

/*
 * The legal move from one square to another with this promotion (HZ_NO_PIECE = none), 0 when there
 * is none. Castling is the king's two-square step. Looks at this one move only, which costs a
 * fraction of a list.
 */
hz_move hzi_chess_find(const hz_position *position, int from, int to, hz_piece_type promotion);

#endif
