/* SPDX-License-Identifier: MIT */
/*
 * hazard/eval.h - judging positions: static evaluators in centipawns and the one interface through
 * which everything that judges a position is called, a batch at a time.
 *
 * The functions are safe in any thread. An evaluator is used by one thread at a time unless its
 * maker says otherwise; the built-in static ones have no state and are safe in any thread.
 */
#ifndef HAZARD_EVAL_H
#define HAZARD_EVAL_H

#include <hazard/package.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Centipawns by type: P 100, N 300, B 300, R 500, Q 900, K 10000. The king has a price because it
 * can be taken; it exceeds a whole army. */
extern const int32_t hz_centipawns[HZ_PIECE_TYPES];

/* The score of a turn that takes the king. */
#define HZ_SCORE_WIN INT32_MAX

/* Own minus enemy material, kings included. */
int32_t hz_evaluate_material(const hz_position *position, hz_color color);
/* -2000 if a king of the side is attacked, else 0. */
int32_t hz_evaluate_king_safety(const hz_position *position, hz_color color);
/* Material plus the own king's safety. */
int32_t hz_evaluate_standard(const hz_position *position, hz_color color);
/* Standard plus pawn storm, proximity to the enemy king and pressure on the squares around it; just
 * standard when the enemy has no king. */
int32_t hz_evaluate_aggressive(const hz_position *position, hz_color color);
/* Centipawns of the pieces of hz_hanging_pieces. */
int32_t hz_hanging_centipawns(const hz_position *position, hz_color color);
/* Win estimate 1 / (1 + exp(-standard / 400)). */
double hz_win_estimate(const hz_position *position, hz_color color);
/* Neither side can ever take the other's king by force of material: no pawn, knight, rook or queen,
 * at most one bishop a side, kings apart, each bishop on the other square colour than the enemy
 * king. False when a king is missing. */
bool hz_dead_draw(const hz_position *position);

/*
 * The handcrafted chess evaluation, own minus enemy in centipawns: material and squares, pawn
 * structure, mobility, open files, bishop pair, the king's shelter and attackers, mixed between
 * middlegame and endgame by the material left, truncated toward zero. Its weights stand in
 * src/eval/handcrafted.h. Reads placement only; a missing king has no terms.
 */
int32_t hz_evaluate_handcrafted(const hz_position *position, hz_color color);

/*
 * Scores `n` positions from `color`'s view into scores[0..n-1]. An evaluator is a function of
 * placement, side, rights and targets: it reads neither dice nor clocks, and a row's score does not
 * depend on the other rows. On failure nothing in `scores` may be used.
 */
typedef struct hz_evaluator {
    const char *name; /* lives as long as the evaluator */
    void *state;
    hz_status (*score_batch)(void *state, const hz_position *positions, size_t n, hz_color color,
                             int32_t *scores);
    void (*close)(void *state); /* may be NULL */
} hz_evaluator;

/* The built-in evaluators: "material", "standard" (also "safety"), "aggressive", "handcrafted". Names
 * are case-insensitive. HZ_UNKNOWN_EVALUATOR lists them. */
hz_status hz_evaluator_static(const char *name, hz_evaluator *evaluator, hz_error *err);
/* Name of the built-in evaluator number `index`, NULL past the end. */
const char *hz_evaluator_static_name(size_t index);
/*
 * A model as an evaluator, named "model": scores 0..10000. `owns`: closing the evaluator closes the
 * scorer, and what its executor says about that is dropped; otherwise the scorer must outlive the
 * evaluator. After a failure (HZ_INVALID_ARGUMENT) the scorer stays the caller's. Like its scorer
 * it is used by one thread at a time.
 */
hz_status hz_evaluator_scorer(hz_scorer *scorer, bool owns, hz_evaluator *evaluator, hz_error *err);
/* Calls score_batch. */
hz_status hz_evaluator_score(const hz_evaluator *evaluator, const hz_position *positions, size_t n,
                             hz_color color, int32_t *scores);
/* Calls close and zeroes the structure. Accepts NULL and a zeroed structure. */
void hz_evaluator_close(hz_evaluator *evaluator);

/*
 * A graph as an evaluator of chess positions. Its inputs tell the encoder: one input [batch,1540]
 * takes the dual view and gives a score for the side to move, larger is better, one unit counted as
 * a pawn or as the file's metadata "unit" says ("pawn", "centipawn"); [batch,7,8,8] and [batch,13]
 * take planes and flags and give White's chance to win. The batch may be fixed at 1. Used by one
 * thread at a time. A value that is not finite fails the batch with HZ_MODEL_RUN. Without an
 * executor in the options a graph of the architecture "xattn8-4-v1" is computed by a routine of its
 * own, which agrees to 1e-5.
 *
 * HZ_GRAPH_CONTRACT when no encoder fits, or when the file names another encoder or label
 * ("white_win" with planes) or an unknown unit, or calls itself xattn8-4-v1 without having its 3969
 * numbers; else as hz_model_open_file.
 */
hz_status hz_evaluator_chess_model(const char *path, const hz_model_options *options,
                                   hz_evaluator *evaluator, hz_error *err);
/* How many centipawns one unit of such a graph's score is worth, whatever its file says: more than
 * 0, at most 100000. A chance has no unit and stays as it is. HZ_INVALID_ARGUMENT. */
hz_status hz_evaluator_chess_unit(hz_evaluator *evaluator, double centipawns, hz_error *err);

#ifdef __cplusplus
}
#endif
#endif
