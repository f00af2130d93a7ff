/* SPDX-License-Identifier: MIT */
/*
 * The board as a capturing side sees it: its own pieces by type, and of the enemy only what decides
 * how its pieces may move. It is turned so that the attacker's pawns always walk up the board,
 * which leaves one code path for both colours. A micro-move is played by copying it and changing a
 * few bitboards; nobody else moves, so castling rights, clocks and keys have no place here.
 */
#ifndef HAZARD_ODDS_ATTACK_BOARD_H
#define HAZARD_ODDS_ATTACK_BOARD_H

#include <hazard/odds.h>

#include "board/attacks.h"

typedef struct hzi_attack_board {
    uint64_t type[HZ_PIECE_TYPES]; /* the attacker's pieces */
    uint64_t own, enemy;           /* occupied squares */
    uint64_t enemy_pawns;          /* owners of en-passant targets */
    uint64_t enemy_kings;          /* a pawn that takes one does not promote */
    uint64_t targets;              /* en-passant targets on rank 6, as given */
} hzi_attack_board;

/* Squares and sets seen from the attacker's side; its own inverse. */
static inline int hzi_turn_square(int square, hz_color attacker) {
    return attacker == HZ_WHITE ? square : square ^ 56;
}

static inline uint64_t hzi_turn_set(uint64_t set, hz_color attacker) {
    return attacker == HZ_WHITE ? set : hzi_flip_ranks(set);
}

static inline void hzi_attack_board_init(hzi_attack_board *b, const hz_position *position,
                                         hz_color attacker) {
    uint64_t own = position->colors[attacker], enemy = position->colors[attacker ^ 1];
    for (unsigned t = 0; t < HZ_PIECE_TYPES; t++) {
        b->type[t] = hzi_turn_set(position->pieces[t] & own, attacker);
    }
    b->own = hzi_turn_set(own, attacker);
    b->enemy = hzi_turn_set(enemy, attacker);
    b->enemy_pawns = hzi_turn_set(position->pieces[HZ_PAWN] & enemy, attacker);
    b->enemy_kings = hzi_turn_set(position->pieces[HZ_KING] & enemy, attacker);
    b->targets = hzi_turn_set(position->targets, attacker) & HZI_RANK(6);
}

static inline uint64_t hzi_attack_board_occupied(const hzi_attack_board *b) {
    return b->own | b->enemy;
}

/* Type of the own piece on an occupied square. */
static inline unsigned hzi_own_type_on(const hzi_attack_board *b, int square) {
    unsigned type = 0;
    for (unsigned t = 1; t < HZ_PIECE_TYPES; t++) {
        type |= (unsigned)((b->type[t] >> square) & 1) * t;
    }
    return type;
}

/* Targets whose pawn stands behind them. A target never has to be deleted: when its pawn is gone it
 * has no owner, and no enemy pawn moves there. */
static inline uint64_t hzi_owned_targets(const hzi_attack_board *b) {
    return b->targets & (b->enemy_pawns & HZI_RANK(5)) << 8;
}

/* Targets a pawn could capture onto: owned and empty. */
static inline uint64_t hzi_open_targets(const hzi_attack_board *b) {
    return hzi_owned_targets(b) & ~hzi_attack_board_occupied(b);
}

/* Takes an own piece off the board. */
static inline void hzi_lift(hzi_attack_board *b, unsigned type, int square) {
    uint64_t bit = hzi_bit(square);
    b->type[type] ^= bit;
    b->own ^= bit;
}

/* Plays a move or ordinary capture; `becomes` differs from `type` for promotions. */
static inline void hzi_step(hzi_attack_board *b, unsigned type, int from, int to,
                            unsigned becomes) {
    uint64_t bit = hzi_bit(to);
    hzi_lift(b, type, from);
    b->type[becomes] |= bit;
    b->own |= bit;
    b->enemy &= ~bit;
    b->enemy_pawns &= ~bit;
    b->enemy_kings &= ~bit;
}

/* Plays an en-passant capture onto an open target. */
static inline void hzi_step_en_passant(hzi_attack_board *b, int from, int to) {
    uint64_t victim = hzi_bit(to - 8);
    hzi_step(b, HZ_PAWN, from, to, HZ_PAWN);
    b->enemy ^= victim;
    b->enemy_pawns ^= victim;
}

/* Squares one of the pawns can enter by a push, a double step or an ordinary capture. */
static inline uint64_t hzi_pawn_steps(const hzi_attack_board *b, uint64_t pawns) {
    uint64_t empty = ~hzi_attack_board_occupied(b);
    uint64_t push = (pawns << 8) & empty;
    uint64_t far = (((pawns & HZI_RANK(2)) << 8 & empty) << 8) & empty;
    return push | far | (hzi_pawns_attack(pawns, HZ_WHITE) & b->enemy);
}

/* Squares from which a pawn attacks `square`. */
static inline uint64_t hzi_pawn_sources(int square) {
    return hzi_pawn_table[HZ_BLACK][square];
}

/* Squares a piece attacks, own ones included. */
static inline uint64_t hzi_piece_attacks(unsigned type, int square, uint64_t occupied) {
    switch (type) {
    case HZ_PAWN:
        return hzi_pawn_table[HZ_WHITE][square];
    case HZ_KNIGHT:
        return hzi_knight_attacks(square);
    case HZ_BISHOP:
        return hzi_bishop_attacks(square, occupied);
    case HZ_ROOK:
        return hzi_rook_attacks(square, occupied);
    case HZ_QUEEN:
        return hzi_queen_attacks(square, occupied);
    default:
        return hzi_king_attacks(square);
    }
}

/* Squares one own piece can enter, castling and en passant apart. */
static inline uint64_t hzi_piece_steps(const hzi_attack_board *b, unsigned type, int square) {
    if (type == HZ_PAWN) {
        return hzi_pawn_steps(b, hzi_bit(square));
    }
    return hzi_piece_attacks(type, square, hzi_attack_board_occupied(b)) & ~b->own;
}

/* Mask of the types that can capture on `square` with one micro-move. diagonal and straight are the
 * squares seen from it along its lines. */
static inline unsigned hzi_hits(const hzi_attack_board *b, int square, uint64_t diagonal,
                                uint64_t straight) {
    unsigned mask = 0;
    mask |= b->type[HZ_PAWN] & hzi_pawn_sources(square) ? 1u << HZ_PAWN : 0;
    mask |= b->type[HZ_KNIGHT] & hzi_knight_attacks(square) ? 1u << HZ_KNIGHT : 0;
    mask |= b->type[HZ_BISHOP] & diagonal ? 1u << HZ_BISHOP : 0;
    mask |= b->type[HZ_ROOK] & straight ? 1u << HZ_ROOK : 0;
    mask |= b->type[HZ_QUEEN] & (diagonal | straight) ? 1u << HZ_QUEEN : 0;
    mask |= b->type[HZ_KING] & hzi_king_attacks(square) ? 1u << HZ_KING : 0;
    return mask;
}

#endif
