/* SPDX-License-Identifier: MIT */
/*
 * Slice: every axis from a start to an end by a step, which may be negative. Starts and ends are
 * clamped to the axis, so any int64 is a valid one; only a step of 0 is not.
 */
#include "model/movement.h"

#include "model/stride.h"

/* One axis: how many elements, the first one and the distance to the next. */
typedef struct cut {
    int64_t count, first, step;
} cut;

static int64_t clamp(int64_t at, int64_t low, int64_t high) {
    return at < low ? low : at > high ? high : at;
}

static cut cut_axis(int64_t dim, int64_t start, int64_t end, int64_t step) {
    start += start < 0 ? dim : 0;
    end += end < 0 ? dim : 0;
    uint64_t size = step < 0 ? 0 - (uint64_t)step : (uint64_t)step;
    int64_t span;
    if (step > 0) {
        start = clamp(start, 0, dim);
        span = clamp(end, 0, dim) - start;
    } else {
        start = clamp(start, -1, dim - 1);
        span = start - clamp(end, -1, dim - 1);
    }
    int64_t count = span > 0 ? (int64_t)(((uint64_t)span - 1) / size) + 1 : 0;
    return (cut){count, start, step};
}

/* The four lists of a slice; axes and steps may be left out. */
typedef struct lists {
    const int64_t *starts, *ends, *axes, *steps;
    size_t count;
} lists;

static hz_status lists_from_attributes(hzi_step *step, lists *l) {
    size_t ends, axes;
    hz_status status = hzi_step_ints(step, "starts", &l->starts, &l->count);
    status = status == HZ_OK ? hzi_step_ints(step, "ends", &l->ends, &ends) : status;
    status = status == HZ_OK ? hzi_step_ints(step, "axes", &l->axes, &axes) : status;
    if (status != HZ_OK) {
        return status;
    }
    if (!l->starts || !l->ends || ends != l->count || (l->axes && axes != l->count)) {
        return hzi_step_refuse(step, "the starts, ends and axes must be lists of one length");
    }
    return HZ_OK;
}

static hz_status lists_from_inputs(hzi_step *step, lists *l) {
    size_t ends, axes = 0, steps = 0;
    hz_status status = hzi_step_known_ints(step, 1, "the starts", &l->starts, &l->count);
    status = status == HZ_OK ? hzi_step_known_ints(step, 2, "the ends", &l->ends, &ends) : status;
    if (status == HZ_OK && hzi_step_has(step, 3)) {
        status = hzi_step_known_ints(step, 3, "the axes", &l->axes, &axes);
    }
    if (status == HZ_OK && hzi_step_has(step, 4)) {
        status = hzi_step_known_ints(step, 4, "the steps", &l->steps, &steps);
    }
    if (status != HZ_OK) {
        return status;
    }
    if (ends != l->count || (hzi_step_has(step, 3) && axes != l->count) ||
        (hzi_step_has(step, 4) && steps != l->count)) {
        return hzi_step_refuse(step,
                               "the starts, ends, axes and steps must be lists of one length");
    }
    return HZ_OK;
}

hz_status hzi_prepare_slice(hzi_step *step) {
    const hzi_tensor *input;
    lists l = {0};
    hz_status status = hzi_step_movable(step, 0, &input);
    if (status == HZ_OK) {
        status =
            step->node->opset < 10 ? lists_from_attributes(step, &l) : lists_from_inputs(step, &l);
    }
    if (status != HZ_OK) {
        return status;
    }
    int rank = input->shape.rank;
    if (!l.axes && l.count > (size_t)rank) {
        return hzi_step_refuse(step, "%zu starts for rank %d", l.count, rank);
    }
    bool marked[HZ_RANK_MAX];
    status = hzi_step_mark_axes(step, l.axes, l.axes ? l.count : 0, rank, marked);
    if (status != HZ_OK) {
        return status;
    }
    cut cuts[HZ_RANK_MAX];
    hzi_shape shape = input->shape;
    for (int i = 0; i < rank; i++) {
        cuts[i] = (cut){shape.dim[i], 0, 1};
    }
    for (size_t i = 0; i < l.count; i++) {
        int axis = l.axes ? hzi_axis(l.axes[i], rank) : (int)i;
        int64_t by = l.steps ? l.steps[i] : 1;
        if (by == 0) {
            return hzi_step_refuse(step, "the step of axis %d is 0", axis);
        }
        cuts[axis] = cut_axis(shape.dim[axis], l.starts[i], l.ends[i], by);
    }
    for (int i = 0; i < rank; i++) {
        shape.dim[i] = cuts[i].count;
    }
    status = hzi_step_output(step, 0, input->element, &shape);
    if (status != HZ_OK) {
        return status;
    }
    int64_t strides[HZ_RANK_MAX] = {0}, base = 0;
    if (hzi_shape_count(&shape) > 0) {
        hzi_strides(&input->shape, strides);
        for (int i = 0; i < rank; i++) {
            base += strides[i] * cuts[i].first;
            strides[i] *= shape.dim[i] > 1 ? cuts[i].step : 0;
        }
    }
    hzi_walk walk;
    hzi_walk_begin(&walk, &shape);
    hzi_walk_operand(&walk, &shape);
    hzi_walk_strides(&walk, strides, base);
    hzi_walk_close(&walk);
    return hzi_step_moves(step, &walk);
}
