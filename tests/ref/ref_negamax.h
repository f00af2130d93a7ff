/* SPDX-License-Identifier: MIT */
/*
 * ref/ref_negamax.h - chess search as it stands in a textbook: every move of every node to a fixed
 * depth, then captures until the position is quiet. No table, no order, no tricks. Leans on the
 * rules of the library, which have twins of their own.
 */
#ifndef HAZARD_REF_NEGAMAX_H
#define HAZARD_REF_NEGAMAX_H

#include <hazard/search.h>

typedef struct ref_root_move {
    hz_move move;
    int32_t value; /* for the side to move */
} ref_root_move;

typedef struct ref_negamax_answer {
    int count;                               /* legal moves */
    ref_root_move moves[HZ_CHESS_MOVES_MAX]; /* by value, equal ones by text */
    uint64_t nodes;
} ref_negamax_answer;

/*
 * Values of all root moves at a depth of 1 or more. Draws: the fifty-move rule (checkmate goes
 * first), dead material, the third occurrence, the second one of a position that arose in the
 * search. prune: with the plainest alpha-beta, which changes nothing but the nodes.
 */
void ref_negamax(const hz_chess_game *game, int depth, const hz_evaluator *evaluator, bool prune,
                 ref_negamax_answer *answer);

/* Gain of a capture on its target square by looking at every way to go on, see hz_chess_exchange. */
int ref_exchange(const hz_position *position, hz_move move);

#endif
