/* SPDX-License-Identifier: MIT */
/*
 * What a capturing side can do, whatever the target is: computed once per position, used for each
 * target (odds/target.h). All sets are seen with the attacker walking up the board.
 */
#ifndef HAZARD_ODDS_ATTACKER_H
#define HAZARD_ODDS_ATTACKER_H

#include "odds/attack_board.h"

/* A bishop, rook or queen and what it attacks, own pieces included. */
typedef struct hzi_attack_slider {
    uint64_t attacks;
    uint8_t square, type;
} hzi_attack_slider;

/* An own piece that a slider attacks, and the squares the slider could enter if it were gone: its
 * own square and the free ones behind it. */
typedef struct hzi_attack_block {
    uint64_t entered;
    uint8_t slider, blocker; /* squares */
} hzi_attack_block;

/* What the rook and the king attack after a castling that is possible. */
typedef struct hzi_attack_castling {
    uint64_t rook_attacks, king_attacks;
} hzi_attack_castling;

typedef struct hzi_attacker {
    hzi_attack_board board;
    uint64_t occupied;
    /* [type][n]: squares a piece of the type attacks after n micro-moves of its own; [.][0]
     * includes own pieces. Promotion and en passant are left out. */
    uint64_t reach[HZ_PIECE_TYPES][3];
    uint64_t reach_any[3];       /* unions over the types */
    uint64_t before_promotion;   /* own pieces in front of a pawn that would promote */
    uint64_t promoting;          /* pawns one step from the last rank */
    uint64_t open_targets;       /* en-passant targets some pawn can capture onto now */
    uint64_t on_target;          /* own pieces on a target that a pawn attacks */
    uint8_t type_on[HZ_SQUARES]; /* of own pieces; other squares are not set */
    int sliders, castlings;
    int blocks_end[3];      /* blocks of bishops, rooks, queens stand one after the other */
    uint64_t blocks_any[3]; /* unions of their `entered` */
    hzi_attack_slider slider[HZ_SQUARES];
    hzi_attack_castling castling[2];
    /* Two squares that see each other along a line, in both orders: less than 64 * 8. */
    hzi_attack_block block[HZ_SQUARES * 8];
} hzi_attacker;

void hzi_attacker_init(hzi_attacker *attacker, const hz_position *position, hz_color color);

#endif
