/* SPDX-License-Identifier: MIT */
/*
 * Blocks: the pieces schemas are made of. A block is a run of columns that belong together: their
 * names and the routine that writes their values stand in one place, next to the concept they
 * measure. A schema is a list of blocks (schema.c), so schemas that share columns share the code
 * and the bits.
 */
#ifndef HAZARD_FEATURES_BLOCKS_H
#define HAZARD_FEATURES_BLOCKS_H

#include <hazard/features.h>

/* Room for any column name, NUL included. */
enum { HZI_COLUMN_CAPACITY = 32 };

/* One row being written. "own" is the colour asked about, "enemy" the other one. */
typedef struct hzi_row {
    const hz_position *position;
    hz_color own;
    hz_color enemy;
    /* Micro-moves by type, own and enemy: counted by hzi_block_mobility_diff and used again by
     * hzi_block_moves, which stands behind it wherever it occurs. */
    int moves[2][HZ_PIECE_TYPES];
} hzi_row;

typedef struct hzi_block {
    size_t width;
    const char *const *names; /* one per column; NULL: name() makes them */
    size_t (*name)(size_t column, char *buffer, size_t capacity); /* snprintf rules */
    void (*write)(hzi_row *row, float *out);
} hzi_block;

#define HZI_BLOCK(name_table, writer)                                                              \
    { .width = sizeof(name_table) / sizeof *(name_table), .names = (name_table), .write = (writer) }

extern const hzi_block hzi_block_material;         /* material.c */
extern const hzi_block hzi_block_mobility_diff;    /* mobility.c */
extern const hzi_block hzi_block_moves;            /* mobility.c */
extern const hzi_block hzi_block_king_safety_diff; /* attackers.c */
extern const hzi_block hzi_block_pdi_rich;         /* diversity.c, spelt opponent_pdi */
extern const hzi_block hzi_block_pdi;              /* diversity.c, spelt opp_pdi */
extern const hzi_block hzi_block_capture;          /* kcp.c */
extern const hzi_block hzi_block_passed;           /* pawns.c */
extern const hzi_block hzi_block_raw_board;        /* raw_board.c */
extern const hzi_block hzi_block_dual_view;        /* dual_view.c */
extern const hzi_block hzi_block_planes;           /* planes.c */

#endif
