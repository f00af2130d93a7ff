/* SPDX-License-Identifier: MIT */
/*
 * support/judges.h - judges by name, for tests of the search: the same function of a position in
 * the shape the library asks and in the shape the slow oracle asks. They keep no state that a call
 * changes, so any number of threads may ask one.
 *
 *   material        centipawns with kings
 *   aggressive      hz_evaluate_aggressive
 *   10x-material    ten times material
 *   zero            0
 *   const:N         N
 *   prefers:SQ      1 when a king stands on the square, else 0
 *   kingmap:d1=7,e2=3   the number of the first listed square with a king on it, else 0
 *   castled-g1      9000 when a white king stands on g1, else 0
 *   hash:N:M        a number from -N to N, times M, that follows from board, side, rights and
 *                   targets alone; small N make ties
 */
#ifndef HAZARD_TEST_JUDGES_H
#define HAZARD_TEST_JUDGES_H

#include <hazard/search.h>

#include "ref/ref_expectimax.h"

enum { TEST_JUDGE_SQUARES = 8 };

typedef struct test_judge {
    char kind[16];
    int32_t number[2];
    int count;
    int square[TEST_JUDGE_SQUARES];
    int32_t value[TEST_JUDGE_SQUARES];
} test_judge;

/* Fails the test when there is no such judge. */
test_judge test_judge_of(const char *text);
int32_t test_judge_score(const test_judge *judge, const hz_position *position, hz_color color);
/* The judge in the library's shape; points to *judge. */
hz_judge test_judge_seam(test_judge *judge);
/* The judge in the oracle's shape; points to *judge. */
ref_judge test_judge_slow(const test_judge *judge);

#endif
