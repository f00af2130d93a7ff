/* SPDX-License-Identifier: MIT */
/*
 * What a capturing side can do, whatever the target is: computed once per position, used for each
 * target (odds/target.h). All sets are seen with the attacker walking up the board.
 */
#ifndef HAZARD_ODDS_ATTACKER_H
#define HAZARD_ODDS_ATTACKER_H

#include "odds/attack_board.h"

/* A bishop, rook or queen: what it attacks (own pieces included), and the free squares it would
 * reach if one own piece on its lines were gone. */
typedef struct hzi_attack_slider {
    uint64_t attacks;
    uint64_t beyond;
    uint8_t square, type;
} hzi_attack_slider;

/* A castling played: the board after it and what its rook and king attack from there. */
typedef struct hzi_attack_castling {
    hzi_attack_board after;
    uint64_t rook_attacks, king_attacks;
} hzi_attack_castling;

typedef struct hzi_attacker {
    hzi_attack_board board;
    uint64_t occupied;
    /* [type][n]: squares a piece of the type attacks after n micro-moves of its own; [.][0]
     * includes own pieces. Promotion is left out. */
    uint64_t reach[HZ_PIECE_TYPES][3];
    uint64_t before_promotion;   /* own pieces in front of a pawn that would promote */
    uint64_t promoting;          /* pawns one step from the last rank */
    uint64_t open_targets;       /* en-passant targets some pawn can capture onto now */
    uint64_t on_target;          /* own pieces on a target that a pawn attacks */
    uint64_t behind_own;         /* squares a slider attacks on or behind own pieces */
    uint8_t type_on[HZ_SQUARES]; /* of own pieces; other squares are not set */
    int sliders;
    int castlings;
    hzi_attack_slider slider[HZ_SQUARES];
    hzi_attack_castling castling[2];
} hzi_attacker;

void hzi_attacker_init(hzi_attacker *attacker, const hz_position *position, hz_color color);

#endif
