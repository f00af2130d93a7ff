/* SPDX-License-Identifier: MIT */
/*
 * Pseudo-legal micro-moves, made in the order of their texts: source squares and
 * destinations are walked file by file (the bits of a transposed bitboard), so that no list is ever
 * sorted. Types are a bit set, bit t for hz_piece_type t.
 */
#ifndef HAZARD_DICE_GENERATE_H
#define HAZARD_DICE_GENERATE_H

#include <hazard/dice.h>

#include "board/attacks.h"
#include "board/make.h"

enum { HZI_ALL_TYPES = 63 };

/* Set of types with at least one die. */
static inline unsigned hzi_pool_types(hz_pool pool) {
    unsigned pairs = (pool | pool >> 1) & 0x555u; /* bit 2t: a die of type t */
    pairs = (pairs | pairs >> 1) & 0x333u;
    pairs = (pairs | pairs >> 2) & 0x30Fu;
    return (pairs | pairs >> 4) & HZI_ALL_TYPES;
}

enum { HZI_CASTLING_POOL = 1 << (2 * HZ_ROOK) | 1 << (2 * HZ_KING) };

static inline bool hzi_pool_pays_castling(hz_pool pool) {
    return hz_pool_count(pool, HZ_ROOK) && hz_pool_count(pool, HZ_KING);
}

/* Squares the king of `us` on its home square may castle to; rights, placement and empty squares
 * decide, attacks do not matter. */
static inline uint64_t hzi_castling_destinations(const hz_position *p, unsigned us) {
    unsigned rights = us ? p->rights >> 2 : p->rights & 3u;
    if (!rights) {
        return 0;
    }
    int home = us ? 56 : 0;
    uint64_t own = p->colors[us], occupied = hzi_occupied(p) >> home;
    uint64_t kings = (p->pieces[HZ_KING] & own) >> home, rooks = (p->pieces[HZ_ROOK] & own) >> home;
    uint64_t destinations = 0;
    if (!(kings & 0x10)) {
        return 0;
    }
    if ((rights & 1) && (rooks & 0x80) && !(occupied & 0x60)) {
        destinations |= 0x40;
    }
    if ((rights & 2) && (rooks & 0x01) && !(occupied & 0x0E)) {
        destinations |= 0x04;
    }
    return destinations << home;
}

static inline hz_move *hzi_emit_pawn(hz_move *out, int from, int to, unsigned flags, bool last_rank,
                                     bool takes_king) {
    if (!last_rank || takes_king) {
        *out++ = hz_move_make(from, to, flags);
        return out;
    }
    /* Text order of the letters: b, n, q, r. */
    *out++ = hz_move_make(from, to, flags | HZ_MOVE_PROMOTION | (HZ_BISHOP - 1));
    *out++ = hz_move_make(from, to, flags | HZ_MOVE_PROMOTION | (HZ_KNIGHT - 1));
    *out++ = hz_move_make(from, to, flags | HZ_MOVE_PROMOTION | (HZ_QUEEN - 1));
    *out++ = hz_move_make(from, to, flags | HZ_MOVE_PROMOTION | (HZ_ROOK - 1));
    return out;
}

/* One pawn: captures towards the a-file, pushes, captures towards the h-file. */
static inline hz_move *hzi_generate_pawn(const hz_position *p, unsigned us, int from,
                                         uint64_t live_targets, hz_move *out) {
    int rank = from >> 3, file = from & 7;
    if (rank == (us ? 0 : 7)) {
        return out; /* a misplaced pawn has nowhere to go */
    }
    int forward = us ? -8 : 8;
    uint64_t occupied = hzi_occupied(p), enemy = p->colors[us ^ 1];
    uint64_t enemy_kings = enemy & p->pieces[HZ_KING];
    bool last_rank = rank + (us ? -1 : 1) == (us ? 0 : 7);
    for (int side = -1; side <= 1; side++) {
        int to = from + forward + side;
        if (side == 0) {
            if (occupied & hzi_bit(to)) {
                continue;
            }
            int far = to + forward;
            bool may_double = rank == (us ? 6 : 1) && !(occupied & hzi_bit(far));
            if (may_double && us) {
                *out++ = hz_move_make(from, far, HZ_MOVE_DOUBLE_STEP);
            }
            out = hzi_emit_pawn(out, from, to, HZ_MOVE_QUIET, last_rank, false);
            if (may_double && !us) {
                *out++ = hz_move_make(from, far, HZ_MOVE_DOUBLE_STEP);
            }
        } else if (file + side >= 0 && file + side < 8) {
            uint64_t bit = hzi_bit(to);
            if (enemy & bit) {
                out = hzi_emit_pawn(out, from, to, HZ_MOVE_CAPTURE, last_rank, enemy_kings & bit);
            } else if (live_targets & bit) {
                *out++ = hz_move_make(from, to, HZ_MOVE_EN_PASSANT);
            }
        }
    }
    return out;
}

/* Destinations of a piece that is no pawn, castling excluded. */
static inline uint64_t hzi_destinations(const hz_position *p, unsigned us, hz_piece_type type,
                                        int from) {
    uint64_t occupied = hzi_occupied(p), reach = 0;
    switch (type) {
    case HZ_KNIGHT:
        reach = hzi_knight_attacks(from);
        break;
    case HZ_BISHOP:
        reach = hzi_bishop_attacks(from, occupied);
        break;
    case HZ_ROOK:
        reach = hzi_rook_attacks(from, occupied);
        break;
    case HZ_QUEEN:
        reach = hzi_queen_attacks(from, occupied);
        break;
    case HZ_KING:
        reach = hzi_king_attacks(from);
        break;
    default:
        break;
    }
    return reach & ~p->colors[us];
}

/* All micro-moves of the types given, in text order; castling (listed under the king) when asked.
 * `out` has room for HZ_MOVES_CAPACITY. Returns how many. */
static inline int hzi_generate(const hz_position *p, unsigned us, unsigned types, bool castling,
                               hz_move *out) {
    hz_move *const first = out;
    uint64_t enemy = p->colors[us ^ 1], movers = 0;
    for (unsigned t = 0; t < HZ_PIECE_TYPES; t++) {
        movers |= types & (1u << t) ? p->pieces[t] : 0;
    }
    movers = hzi_transpose(movers & p->colors[us]);
    uint64_t live_targets = types & 1u && p->targets ? hzi_live_targets(p, us) : 0;
    while (movers) {
        int from = hzi_transpose_square(hzi_pop(&movers));
        hz_piece_type type = hzi_type_on(p, from);
        if (type == HZ_PAWN) {
            out = hzi_generate_pawn(p, us, from, live_targets, out);
            continue;
        }
        uint64_t to_set = hzi_destinations(p, us, type, from), castle_set = 0;
        if (type == HZ_KING && castling && from == (us ? 60 : 4)) {
            castle_set = hzi_castling_destinations(p, us);
            to_set |= castle_set;
        }
        uint64_t walk = hzi_transpose(to_set);
        while (walk) {
            int to = hzi_transpose_square(hzi_pop(&walk));
            unsigned flags = (enemy >> to) & 1 ? HZ_MOVE_CAPTURE : HZ_MOVE_QUIET;
            if (castle_set & hzi_bit(to)) {
                flags = to > from ? HZ_MOVE_CASTLE_KING : HZ_MOVE_CASTLE_QUEEN;
            }
            *out++ = hz_move_make(from, to, flags);
        }
    }
    return (int)(out - first);
}

/* Dice a generated move of a piece of `type` costs. */
static inline hz_pool hzi_cost(hz_move move, hz_piece_type type) {
    return hz_move_is_castling(move) ? (hz_pool)HZI_CASTLING_POOL : hz_pool_of(type);
}

/* Takes one die of a type, which is there, from the pool. */
static inline void hzi_spend(hz_position *p, hz_piece_type type) {
    unsigned count = hz_pool_count(p->pool, type);
    p->key ^= hzi_zobrist.dice[type][count] ^ hzi_zobrist.dice[type][count - 1];
    p->pool = (hz_pool)(p->pool - hz_pool_of(type));
}

/* Plays a generated, payable move on a copy: board, key and pool. True when it takes a king. */
static inline bool hzi_play_paid(hz_position *p, hz_move move, hz_piece_type type, unsigned us) {
    hz_piece_type captured = hzi_make(p, move, type, us);
    hzi_spend(p, type);
    if (hz_move_is_castling(move)) {
        hzi_spend(p, HZ_ROOK);
    }
    return captured == HZ_KING;
}

/* Whether a piece of one of the types takes an enemy king with one micro-move. */
static inline bool hzi_takes_king(const hz_position *p, unsigned us, unsigned types) {
    uint64_t kings = p->pieces[HZ_KING] & p->colors[us ^ 1], own = p->colors[us];
    uint64_t occupied = hzi_occupied(p);
    while (kings) {
        int square = hzi_pop(&kings);
        uint64_t hit = 0;
        if (types & 1u << HZ_PAWN) {
            hit |= hzi_pawn_table[us ^ 1][square] & p->pieces[HZ_PAWN];
        }
        if (types & 1u << HZ_KNIGHT) {
            hit |= hzi_knight_attacks(square) & p->pieces[HZ_KNIGHT];
        }
        if (types & 1u << HZ_KING) {
            hit |= hzi_king_attacks(square) & p->pieces[HZ_KING];
        }
        uint64_t diagonal = (types & 1u << HZ_BISHOP ? p->pieces[HZ_BISHOP] : 0) |
                            (types & 1u << HZ_QUEEN ? p->pieces[HZ_QUEEN] : 0);
        if (diagonal & own) {
            hit |= hzi_bishop_attacks(square, occupied) & diagonal;
        }
        uint64_t straight = (types & 1u << HZ_ROOK ? p->pieces[HZ_ROOK] : 0) |
                            (types & 1u << HZ_QUEEN ? p->pieces[HZ_QUEEN] : 0);
        if (straight & own) {
            hit |= hzi_rook_attacks(square, occupied) & straight;
        }
        if (hit & own) {
            return true;
        }
    }
    return false;
}

/* The squares next to the pieces of the types, pawns apart, in the directions they go: such a piece
 * has a micro-move exactly when one of its squares holds no own piece. */
static inline uint64_t hzi_first_steps(const hz_position *p, unsigned us, unsigned types) {
    uint64_t own = p->colors[us], steps = 0;
    if (types & 1u << HZ_KNIGHT) {
        steps |= hzi_knights_attack(own & p->pieces[HZ_KNIGHT]);
    }
    if (types & 1u << HZ_KING) {
        steps |= hzi_kings_attack(own & p->pieces[HZ_KING]);
    }
    if (types & (1u << HZ_QUEEN | 1u << HZ_ROOK | 1u << HZ_BISHOP)) {
        uint64_t straight = (types & 1u << HZ_ROOK ? p->pieces[HZ_ROOK] : 0) |
                            (types & 1u << HZ_QUEEN ? p->pieces[HZ_QUEEN] : 0);
        uint64_t diagonal = (types & 1u << HZ_BISHOP ? p->pieces[HZ_BISHOP] : 0) |
                            (types & 1u << HZ_QUEEN ? p->pieces[HZ_QUEEN] : 0);
        straight &= own;
        diagonal &= own;
        steps |= (straight << 8) | (straight >> 8) | ((straight & ~HZI_FILE_H) << 1) |
                 ((straight & ~HZI_FILE_A) >> 1);
        steps |= hzi_pawns_attack(diagonal, 0) | hzi_pawns_attack(diagonal, 1);
    }
    return steps;
}

/* Whether any piece of the types has a micro-move. Castling adds nothing: the rook then has one. */
static inline bool hzi_has_move(const hz_position *p, unsigned us, unsigned types) {
    uint64_t own = p->colors[us];
    if (types & 1u << HZ_PAWN) {
        uint64_t pawns = own & p->pieces[HZ_PAWN] & ~(us ? HZI_RANK(1) : HZI_RANK(8));
        uint64_t pushes = (us ? pawns >> 8 : pawns << 8) & ~hzi_occupied(p);
        uint64_t takes = p->colors[us ^ 1] | (p->targets ? hzi_live_targets(p, us) : 0);
        if (pushes | (hzi_pawns_attack(pawns, (int)us) & takes)) {
            return true;
        }
    }
    return (hzi_first_steps(p, us, types) & ~own) != 0;
}

/* Whether a move, of any value, is one of the pseudo-legal ones of `us`. */
static inline bool hzi_is_pseudo_legal(const hz_position *p, unsigned us, hz_move move) {
    int from = hz_move_from(move), to = hz_move_to(move);
    uint64_t destination = hzi_bit(to);
    if (!(p->colors[us] & hzi_bit(from))) {
        return false;
    }
    hz_piece_type type = hzi_type_on(p, from);
    if (type == HZ_PAWN) {
        hz_move moves[12];
        uint64_t live_targets = p->targets ? hzi_live_targets(p, us) : 0;
        hz_move *end = hzi_generate_pawn(p, us, from, live_targets, moves), *at = moves;
        while (at < end && *at != move) {
            at++;
        }
        return at < end;
    }
    unsigned flags = p->colors[us ^ 1] & destination ? HZ_MOVE_CAPTURE : HZ_MOVE_QUIET;
    if (type == HZ_KING && from == (us ? 60 : 4) &&
        hzi_castling_destinations(p, us) & destination) {
        flags = to > from ? HZ_MOVE_CASTLE_KING : HZ_MOVE_CASTLE_QUEEN;
    } else if (!(hzi_destinations(p, us, type, from) & destination)) {
        return false;
    }
    return move == hz_move_make(from, to, flags);
}

#endif
