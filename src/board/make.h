/* SPDX-License-Identifier: MIT */
/*
 * Playing a micro-move on a position in place. The caller copies first when it wants to come back
 * (copy-make: a position is 96 bytes, less than what an undo record and its branches would cost).
 *
 * A position keeps no mailbox: the type on a square is needed only for captures, where six bit
 * tests cost less than keeping 32 more bytes true in every copy.
 */
#ifndef HAZARD_BOARD_MAKE_H
#define HAZARD_BOARD_MAKE_H

#include "board/bits.h"
#include "board/zobrist.h"

/* Type on an occupied square, found without branches. */
static inline hz_piece_type hzi_type_on(const hz_position *p, int square) {
    unsigned type = 0;
    for (unsigned t = 1; t < HZ_PIECE_TYPES; t++) {
        type |= (unsigned)((p->pieces[t] >> square) & 1) * t;
    }
    return (hz_piece_type)type;
}

static inline uint64_t hzi_occupied(const hz_position *p) {
    return p->colors[0] | p->colors[1];
}

static inline void hzi_set_rights(hz_position *p, unsigned rights) {
    p->key ^= hzi_zobrist.rights[p->rights] ^ hzi_zobrist.rights[rights];
    p->rights = (uint8_t)rights;
}

/* Targets stay a set: adding a present one or dropping an absent one changes nothing. */
static inline void hzi_drop_targets(hz_position *p, uint64_t targets) {
    targets &= p->targets;
    p->targets ^= targets;
    p->key ^= hzi_targets_key(targets);
}

static inline void hzi_add_target(hz_position *p, int square) {
    uint64_t bit = hzi_bit(square) & ~p->targets;
    p->targets |= bit;
    p->key ^= hzi_targets_key(bit);
}

/* The right that belongs to a corner, 0 elsewhere. */
static inline unsigned hzi_corner_right(int square) {
    switch (square) {
    case 0:
        return HZ_RIGHT_WHITE_QUEEN;
    case 7:
        return HZ_RIGHT_WHITE_KING;
    case 56:
        return HZ_RIGHT_BLACK_QUEEN;
    case 63:
        return HZ_RIGHT_BLACK_KING;
    default:
        return 0;
    }
}

#define HZI_CORNERS ((uint64_t)0x8100000000000081)

static inline unsigned hzi_rights_of(unsigned color) {
    return color ? (unsigned)(HZ_RIGHT_BLACK_KING | HZ_RIGHT_BLACK_QUEEN)
                 : (unsigned)(HZ_RIGHT_WHITE_KING | HZ_RIGHT_WHITE_QUEEN);
}

static inline void hzi_toggle(hz_position *p, unsigned color, unsigned type, int square) {
    p->pieces[type] ^= hzi_bit(square);
    p->colors[color] ^= hzi_bit(square);
    p->key ^= hzi_zobrist.piece[color][type][square];
}

/* Takes an enemy piece off `square` and applies what its loss means for rights and targets. */
static inline hz_piece_type hzi_capture(hz_position *p, unsigned them, int square) {
    hz_piece_type type = hzi_type_on(p, square);
    hzi_toggle(p, them, type, square);
    if (type == HZ_PAWN) {
        /* The owner of a target is gone: rank 4 for White, rank 5 for Black. */
        if (square >> 3 == (them ? 4 : 3)) {
            hzi_drop_targets(p, hzi_bit(them ? square + 8 : square - 8));
        }
    } else if (type == HZ_KING) {
        hzi_set_rights(p, p->rights & ~hzi_rights_of(them));
    } else if (type == HZ_ROOK && (hzi_bit(square) & HZI_CORNERS)) {
        hzi_set_rights(p, p->rights & ~hzi_corner_right(square));
    }
    return type;
}

/* Plays a generated micro-move of a piece of `type` for color `us`. See hz_position_play. */
static inline hz_piece_type hzi_make(hz_position *p, hz_move move, hz_piece_type type,
                                     unsigned us) {
    int from = hz_move_from(move), to = hz_move_to(move);
    unsigned flags = hz_move_flags(move);
    hz_piece_type captured = HZ_NO_PIECE;
    unsigned clock = p->halfmove + (p->halfmove < 127 ? 1u : 0u);
    if (flags & HZ_MOVE_CAPTURE) {
        if (flags == HZ_MOVE_EN_PASSANT) {
            hzi_toggle(p, us ^ 1, HZ_PAWN, us ? to + 8 : to - 8);
            hzi_drop_targets(p, hzi_bit(to));
            captured = HZ_PAWN;
        } else {
            captured = hzi_capture(p, us ^ 1, to);
        }
        clock = 0;
    }
    uint64_t both = hzi_bit(from) | hzi_bit(to);
    p->colors[us] ^= both;
    p->pieces[type] ^= both;
    p->key ^= hzi_zobrist.piece[us][type][from] ^ hzi_zobrist.piece[us][type][to];
    switch (type) {
    case HZ_PAWN:
        clock = 0;
        /* A pawn that leaves its double-step square takes its target with it. */
        if (from >> 3 == (us ? 4 : 3)) {
            hzi_drop_targets(p, hzi_bit(us ? from + 8 : from - 8));
        }
        if (flags == HZ_MOVE_DOUBLE_STEP) {
            hzi_add_target(p, us ? to + 8 : to - 8);
        } else if (flags & HZ_MOVE_PROMOTION) {
            unsigned promoted = 1u + (flags & 3u);
            p->pieces[HZ_PAWN] ^= hzi_bit(to);
            p->pieces[promoted] ^= hzi_bit(to);
            p->key ^= hzi_zobrist.piece[us][HZ_PAWN][to] ^ hzi_zobrist.piece[us][promoted][to];
        }
        break;
    case HZ_ROOK:
        /* Only the side's own corners: a White rook leaving a8 touches no Black right. */
        if (hzi_bit(from) & HZI_CORNERS) {
            hzi_set_rights(p, p->rights & ~(hzi_corner_right(from) & hzi_rights_of(us)));
        }
        break;
    case HZ_KING:
        if ((flags & 14u) == 2u) {
            bool king_side = flags == HZ_MOVE_CASTLE_KING;
            hzi_toggle(p, us, HZ_ROOK, king_side ? from + 3 : from - 4);
            hzi_toggle(p, us, HZ_ROOK, king_side ? from + 1 : from - 1);
        }
        hzi_set_rights(p, p->rights & ~hzi_rights_of(us));
        break;
    default:
        break;
    }
    p->halfmove = (uint8_t)clock;
    return captured;
}

/* Ends the turn; see hz_hand_over. */
static inline void hzi_hand_over(hz_position *p) {
    unsigned next = p->side ^ 1u;
    p->key ^= hzi_pool_key(p->pool) ^ hzi_zobrist.side;
    p->pool = 0;
    hzi_drop_targets(p, next ? HZI_RANK(6) : HZI_RANK(3));
    if (!next && p->fullmove < INT32_MAX) {
        p->fullmove++;
    }
    p->side = (uint8_t)next;
}

#endif
