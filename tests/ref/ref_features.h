/* SPDX-License-Identifier: MIT */
/*
 * ref/ref_features.h - features and static scores as the rules state them, square by square on a
 * board of letters. Slow on purpose and sharing nothing with the library. Colours are 'w' and 'b'.
 * Nothing here reads the side to move or the dice, except the two chess encoders, which are about
 * the side to move.
 */
#ifndef HAZARD_REF_FEATURES_H
#define HAZARD_REF_FEATURES_H

#include "ref/ref_dice.h"

/* ---- primitives ---- */

/* Pseudo-legal micro-moves of a side, all dice available, by face of the moving piece. */
void ref_mobility(const ref_position *position, char color, int counts[6]);
/* Marks the squares of all pieces of `color` that attack `square`. Returns how many. */
int ref_attackers(const ref_position *position, int square, char color, bool attackers[64]);
/* The early-exit group. Returns its size. */
int ref_attackers_first(const ref_position *position, int square, char color, bool attackers[64]);
bool ref_king_attacked(const ref_position *position, char color);
int ref_diversity(const ref_position *position, char color);
/* Marks the passed pawns; *advance = that of the foremost, 0 without one. Returns how many. */
int ref_passed_pawns(const ref_position *position, char color, bool passed[64], int *advance);
int ref_hanging_pieces(const ref_position *position, char color, bool hanging[64]);
/* Marks targets on which the side to move has a legal en-passant capture in the sense of chess. */
int ref_legal_en_passant(const ref_position *position, bool targets[64]);

/* ---- rows ---- */

enum { REF_ROW_CAPACITY = 1540 };

/* The row of the schema with this id; its width, 0 when the id is unknown. `rolls` are the counts
 * behind king attack, king danger, queen attack, queen danger (used where a schema has them). */
size_t ref_features_row(const char *schema, const ref_position *position, char color,
                        const int rolls[4], float row[REF_ROW_CAPACITY]);

/* ---- static scores, centipawns ---- */

int ref_score_material(const ref_position *position, char color);
int ref_score_king_safety(const ref_position *position, char color);
int ref_score_standard(const ref_position *position, char color);
int ref_score_aggressive(const ref_position *position, char color);
int ref_score_hanging(const ref_position *position, char color);
bool ref_dead_draw(const ref_position *position);

#endif
