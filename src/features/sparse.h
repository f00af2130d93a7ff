/* SPDX-License-Identifier: MIT */
/*
 * The wide 0/1 schemas as lists of the columns that are 1. The dense rows are written from these
 * lists, so both forms have one definition; a network whose first layer is kept as sums of columns
 * reads the lists directly.
 */
#ifndef HAZARD_FEATURES_SPARSE_H
#define HAZARD_FEATURES_SPARSE_H

#include <hazard/board.h>

enum {
    HZI_RAW_BOARD_WIDTH = 12 * 64,
    HZI_RAW_BOARD_ONES = 64, /* one per piece */

    HZI_DUAL_VIEW_HALF = 12 * 64 + 2,
    HZI_DUAL_VIEW_WIDTH = 2 * HZI_DUAL_VIEW_HALF,
    HZI_DUAL_VIEW_ONES = 2 * (64 + 2) /* each piece twice, four rights */
};

/* Columns of the piece planes that are 1 in the view of `color`, in ascending order: 64 * plane +
 * square, planes P N B R Q K of `color`, then of the other side, squares seen from `color`'s own
 * back rank (Black's ranks mirrored, files never). `ones` has room for 64. Returns how many. */
size_t hzi_raw_board_ones(const hz_position *position, hz_color color, uint16_t *ones);

/* Name of such a column, "own_p_0" to "opp_k_63", behind `prefix`. snprintf rules. */
size_t hzi_raw_board_name(const char *prefix, size_t column, char *buffer, size_t capacity);

/* Columns of the dual view that are 1, in ascending order. `ones` has room for HZI_DUAL_VIEW_ONES.
 * Returns how many. */
size_t hzi_dual_view_ones(const hz_position *position, uint16_t *ones);

/* Writes a row of `width` cells: 1 in the columns listed, +0 elsewhere. */
void hzi_row_from_ones(const uint16_t *ones, size_t count, float *row, size_t width);

#endif
