/* SPDX-License-Identifier: MIT */
/*
 * ref/ref_expectimax.h - expectimax as its definition reads: every candidate, every roll, every
 * complete line, to the end. No pruning, no table, no batches, no lists shared with the library;
 * values are exact integer sums. Depth 3 is for positions with a handful of pieces only.
 */
#ifndef HAZARD_REF_EXPECTIMAX_H
#define HAZARD_REF_EXPECTIMAX_H

#include "ref/ref_dice.h"

/* Scores a position (no dice) from the view of 'w' or 'b'. */
typedef struct ref_judge {
    int32_t (*score)(const void *context, const ref_position *position, char color);
    const void *context;
} ref_judge;

/* Own minus enemy with P 100, N 300, B 300, R 500, Q 900, K 10000. */
extern const ref_judge ref_material;

typedef struct ref_expectimax_question {
    const char *dfen; /* with dice */
    size_t limit;     /* candidates kept */
    int depth;        /* 2 or 3 */
    ref_judge leaf;
    ref_judge pre_rank; /* score NULL = material */
    ref_judge rescore;  /* used when weight > 0 */
    double weight;
    ref_judge collapse; /* score NULL = none */
    bool loss_guard;
} ref_expectimax_question;

/* A candidate with its whole value. */
typedef struct ref_candidate {
    char turn[REF_TURN_CAPACITY];
    size_t index; /* in the list of results */
    int32_t pre_rank, rescore;
    int64_t sum; /* in 1 / denominator */
    double value;
    bool tainted;
} ref_candidate;

typedef struct ref_expectimax_answer {
    bool pass;
    size_t results;
    size_t sequences;
    size_t selected;
    ref_candidate *candidates; /* in pre-rank order */
    int64_t denominator;
    size_t ties;
    char (*tie)[REF_TURN_CAPACITY]; /* in list order; of a win its canonical turn alone */
    int32_t score;
    double value; /* of the ties */
    int64_t sum;  /* of the first tie */
} ref_expectimax_answer;

/* False, and nothing to free, when some roll has more than about `most_lines` complete lines. */
bool ref_expectimax(const ref_expectimax_question *question, size_t most_lines,
                    ref_expectimax_answer *answer);
void ref_expectimax_free(ref_expectimax_answer *answer);

#endif
