/* SPDX-License-Identifier: MIT */
/*
 * A small toolkit for evaluators written as graphs: values are numbers (hzi_term), each call adds a
 * node. It keeps to operator versions (opset 9) whose axes, sizes and pads are attributes, which the
 * league does not count as parameters; and it makes whole numbers from nothing, so that a constant
 * table costs none either. Errors stick and are told at the end.
 *
 *     hzi_build b;
 *     hzi_build_begin(&b, "material");
 *     hzi_term pawns = hzi_sum(&b, hzi_slice(&b, HZI_BOARD, 1, 0, 64), 1, 1);
 *     ...
 *     status = hzi_build_end(&b, score, arena, &bytes, &length, err);
 *
 * Rows are [batch, ...]; boards are [batch, channels, 8, 8], ranks before files.
 */
#ifndef HAZARD_LEAGUE_BUILD_H
#define HAZARD_LEAGUE_BUILD_H

#include <hazard/league.h>

typedef int hzi_term;
enum { HZI_BOARD = 0, HZI_INTEGERS = 1024 };

typedef struct hzi_build {
    hz_builder *out;
    int next;
    hzi_term one;
    hzi_term integers[2 * HZI_INTEGERS]; /* n at n + HZI_INTEGERS, those made so far; 0 = not yet */
} hzi_build;

/* An evaluator "board" [batch,1540] -> "score" [batch,1]. */
void hzi_build_begin(hzi_build *b, const char *name);
/* The graph whose score is this term; releases everything. */
hz_status hzi_build_end(hzi_build *b, hzi_term score, hz_arena *arena, const void **bytes,
                        size_t *length, hz_error *err);

/* A node with one output. Attributes may be added to it until the next call. */
hzi_term hzi_op1(hzi_build *b, const char *operation, hzi_term x);
hzi_term hzi_op2(hzi_build *b, const char *operation, hzi_term x, hzi_term y);
hzi_term hzi_op(hzi_build *b, const char *operation, const hzi_term *terms, size_t count);

/* ---- forms ----------------------------------------------------------------------------------------- */

/* Elements from..to-1 of an axis. */
hzi_term hzi_slice(hzi_build *b, hzi_term x, int axis, int from, int to);
hzi_term hzi_concat(hzi_build *b, int axis, const hzi_term *terms, size_t count);
/* Sums over the axes first..last; they stay with size 1. */
hzi_term hzi_sum(hzi_build *b, hzi_term x, int first, int last);
/* The same for the largest of them. */
hzi_term hzi_largest(hzi_build *b, hzi_term x, int first, int last);
hzi_term hzi_transpose_board(hzi_build *b, hzi_term x);
/* On boards: what stands `ranks` up and `files` to the right (below 0: down, to the left), zero beyond
 * the edge. */
hzi_term hzi_look(hzi_build *b, hzi_term x, int ranks, int files);
/*
 * All 24 piece planes as one board [batch,24,8,8]. Channels 2 t and 2 t + 1 are the own pieces of
 * type t as the side to move and as the other side sees them, 12 + 2 t and 13 + 2 t the enemy's. So
 * a pair of channels is a pair of sides, and each term is written once for both.
 */
hzi_term hzi_planes(hzi_build *b);

/* ---- numbers --------------------------------------------------------------------------------------- */

/* A whole number as [1], |n| < HZI_INTEGERS^2; made of ones, and they of an empty exponent. */
hzi_term hzi_integer(hzi_build *b, int n);
/* A table of whole numbers; rank 1 to 4. */
hzi_term hzi_table(hzi_build *b, const int *dims, int rank, const int *values);
/* Numbers that count as parameters. */
hzi_term hzi_weights(hzi_build *b, const int64_t *dims, int rank, const float *values);
/* 1 - x, x times n, at most n. */
hzi_term hzi_not(hzi_build *b, hzi_term x);
hzi_term hzi_times(hzi_build *b, hzi_term x, int n);
hzi_term hzi_at_most(hzi_build *b, hzi_term x, int n);

#endif
