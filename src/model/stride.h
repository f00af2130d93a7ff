/* SPDX-License-Identifier: MIT */
/*
 * Walks over arrays that lie in memory in different ways: broadcast, permuted, cut, repeated.
 *
 * A walk visits the elements of one shape in row-major order and knows for each of up to four
 * operands how far apart neighbours lie. Dimensions of size one are dropped and neighbours merged,
 * so that what is left is most often one or two loops: an inner run of `length` elements with a
 * fixed step per operand, and a cursor over the runs. Also here: what operators that move or look
 * at numbers share when they prepare (axes, inputs that must be there, steps that only copy).
 */
#ifndef HAZARD_MODEL_STRIDE_H
#define HAZARD_MODEL_STRIDE_H

#include "model/operator.h"

enum {
    HZI_WALK_RANK = 2 * HZ_RANK_MAX, /* Tile sees every dimension twice */
    HZI_WALK_OPERANDS = 4
};

typedef struct hzi_walk {
    int rank; /* at least 1 once closed */
    int operands;
    int64_t dim[HZI_WALK_RANK];
    int64_t stride[HZI_WALK_OPERANDS][HZI_WALK_RANK]; /* in elements; 0 = the same one again */
    int64_t base[HZI_WALK_OPERANDS];                  /* of the first element */
    /* Set by hzi_walk_close: */
    bool empty;
    int64_t length;                  /* elements of an inner run */
    int64_t step[HZI_WALK_OPERANDS]; /* stride within a run */
} hzi_walk;

/* Where a walk is: the offset of the current run, in elements, per operand. */
typedef struct hzi_cursor {
    int64_t at[HZI_WALK_RANK];
    int64_t offset[HZI_WALK_OPERANDS];
} hzi_cursor;

/* A walk over a shape; then operands are added, at most HZI_WALK_OPERANDS; then it is closed. */
void hzi_walk_begin(hzi_walk *walk, const hzi_shape *shape);
/* An operand that broadcasts to the walk's shape, row-major. */
void hzi_walk_operand(hzi_walk *walk, const hzi_shape *operand);
/* An operand with strides of its own (walk->rank of them). Nothing may overflow: a stride is only
 * multiplied with indexes of its dimension. */
void hzi_walk_strides(hzi_walk *walk, const int64_t *strides, int64_t base);
void hzi_walk_close(hzi_walk *walk);
/* Row-major strides of a shape, 0 for dimensions of size one. */
void hzi_strides(const hzi_shape *shape, int64_t strides[HZ_RANK_MAX]);

/* The first run; false when the shape is empty. Then the next one; false at the end. */
bool hzi_cursor_first(const hzi_walk *walk, hzi_cursor *cursor);
bool hzi_cursor_next(const hzi_walk *walk, hzi_cursor *cursor);

/* Copies elements of `size` bytes (1, 2, 4 or 8) along a walk: operand 0 is `to`, 1 is `from`. */
void hzi_walk_copy(const hzi_walk *walk, size_t size, void *to, const void *from);

/* ---- for prepare ----------------------------------------------------------------------------- */

/* Sets how the step runs; a step whose output 0 is not wanted runs as nothing. */
void hzi_step_runs(hzi_step *step, void (*run)(const hzi_step *step));
/* The step copies input 0 to output 0 along a walk (operand 0 the output, 1 the input). Chooses
 * hzi_run_copy when that is all. */
hz_status hzi_step_moves(hzi_step *step, const hzi_walk *walk);
/* Copies the bytes of input 0 to output 0, which is as large. Fusion removes such steps. */
void hzi_run_copy(const hzi_step *step);
void hzi_run_nothing(const hzi_step *step);

/* Refuses when input `index` is left out. */
hz_status hzi_step_there(hzi_step *step, uint32_t index, const hzi_tensor **input);
/* Likewise, and when its elements are not plain numbers or truth values of 1 to 8 bytes. */
hz_status hzi_step_movable(hzi_step *step, uint32_t index, const hzi_tensor **input);
/* Tells whether an optional input is there. */
bool hzi_step_has(const hzi_step *step, uint32_t index);
/* Input `index` as a list of INT64 (rank 1) known now. `what` as in hzi_step_known_ints. */
hz_status hzi_step_known_list(hzi_step *step, uint32_t index, const char *what,
                              const int64_t **values, size_t *count);

/* Marks the listed axes; refuses one outside -rank..rank-1 or listed twice. Counting from the end
 * is taken at every opset: early ones do not speak of it, and it can mean nothing else. */
hz_status hzi_step_mark_axes(hzi_step *step, const int64_t *axes, size_t count, int rank,
                             bool marked[HZ_RANK_MAX]);
/* The int attribute `axis` as 0..rank-1. */
hz_status hzi_step_axis(hzi_step *step, int64_t fallback, int rank, int *axis);
/* Both factors at least 0; false when the product does not fit. Sums likewise. */
bool hzi_multiply(int64_t a, int64_t b, int64_t *product);
bool hzi_add(int64_t a, int64_t b, int64_t *sum);

#endif
