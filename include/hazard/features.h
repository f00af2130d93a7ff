/* SPDX-License-Identifier: MIT */
/*
 * hazard/features.h - positions as rows of numbers: the seven versioned Dice Chess schemas and the
 * two chess encoders, found by id; and the primitives they are made of.
 *
 * A schema is a contract: id, width, column names, order and meaning never change under an id.
 * Rows are IEEE-754 binary32, row-major, a zero is +0. "own" is the colour asked about. The Dice
 * Chess schemas read the board as it stands: not the side to move, the pool or the clocks.
 * Columns are defined next to the code that writes them, src/features, one file per concept.
 *
 * All functions are safe in any thread; nothing is allocated.
 */
#ifndef HAZARD_FEATURES_H
#define HAZARD_FEATURES_H

#include <hazard/chess.h>
#include <hazard/odds.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A schema is always one that hz_schema_at or hz_schema_find handed out, never a copy of it. */
typedef struct hz_schema {
    const char *id;    /* exact, case-sensitive */
    const char *game;  /* "dicechess" or "chess" */
    const char *about; /* one line for lists */
    size_t width;      /* columns of a row */
    bool by_color; /* whether the row depends on the colour asked about; false: the view is fixed
                      by the position itself and the colour is ignored */
} hz_schema;

/* The schemas in documentation order; NULL when index is past the end. Static. */
const hz_schema *hz_schema_at(size_t index);
/* The schema with this exact id, or NULL. */
const hz_schema *hz_schema_find(const char *id);
/* Name of a column (0..width-1), snprintf rules; an empty name past the end. */
size_t hz_schema_column_name(const hz_schema *schema, size_t column, char *buffer, size_t capacity);
/* Index of the column with this name, or SIZE_MAX. */
size_t hz_schema_column_find(const hz_schema *schema, const char *name);

/* One row of schema->width floats. */
void hz_features_row(const hz_schema *schema, const hz_position *position, hz_color color,
                     float *row);
/* n rows, row i equal to the single row of position i, bit for bit. */
void hz_features_batch(const hz_schema *schema, const hz_position *positions, size_t n,
                       hz_color color, float *rows);

/* ---- primitives ------------------------------------------------------------------------------ */

/* Pseudo-legal micro-moves of a side by type, castling under the king, every die available. */
void hz_mobility(const hz_position *position, hz_color color, int counts[HZ_PIECE_TYPES]);
/* Number of piece types P N B R Q of which the side has at least one, 0..5. */
int hz_diversity(const hz_position *position, hz_color color);
/* Squares of passed pawns: no enemy pawn ahead on the same or a neighbour file. */
uint64_t hz_passed_pawns(const hz_position *position, hz_color color);
/* Advancement of the most advanced passed pawn, 1..6 in legal play, 0 without one. */
int hz_passed_advance(const hz_position *position, hz_color color);
/* Whether some king of the side stands on an attacked square. */
bool hz_king_attacked(const hz_position *position, hz_color color);
/* Non-king pieces that are attacked and not defended. */
uint64_t hz_hanging_pieces(const hz_position *position, hz_color color);
/* The early-exit group of attackers: pawns, else knights, else diagonal sliders, else straight
 * ones, else kings. Its emptiness is what counts; its size is no attacker count. */
uint64_t hz_attackers_first(const hz_position *position, int square, hz_color color);

#ifdef __cplusplus
}
#endif
#endif
