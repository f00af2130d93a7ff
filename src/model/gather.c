/* SPDX-License-Identifier: MIT */
/*
 * Gather and GatherElements: numbers picked by index along an axis; a negative index counts from
 * the end. Indexes that are known before the graph runs are checked then. An index computed while
 * it runs that is outside the axis picks NaN, or 0 where the type has no NaN: nothing is read, and
 * nothing that could pass for a good result comes out of a float graph.
 */
#include "model/movement.h"

#include "model/stride.h"

#include <string.h>

typedef struct gathering {
    size_t size;      /* of an element */
    uint64_t missing; /* an element's bits: what an index outside gives */
    int64_t dim;      /* of the axis */
    bool wide;        /* indexes are INT64, else INT32 */
    /* Gather */
    int64_t outer, block; /* how often all indexes are picked; elements per pick */
    /* GatherElements */
    int64_t axis_stride;
    hzi_walk walk; /* operand 0: indexes and output; 1: data at index 0 */
} gathering;

static uint64_t missing_bits(hz_element element) {
    switch (element) {
    case HZ_ELEMENT_FLOAT:
        return UINT64_C(0x7FC00000);
    case HZ_ELEMENT_DOUBLE:
        return UINT64_C(0x7FF8000000000000);
    case HZ_ELEMENT_FLOAT16:
        return 0x7E00;
    case HZ_ELEMENT_BFLOAT16:
        return 0x7FC0;
    default:
        return 0;
    }
}

/* Index `at` of a tensor of indexes, from 0 on; -1 when it is outside the axis. */
static int64_t index_at(const gathering *g, const void *indexes, int64_t at) {
    int64_t index = g->wide ? ((const int64_t *)indexes)[at] : ((const int32_t *)indexes)[at];
    index += index < 0 ? g->dim : 0;
    return index >= 0 && index < g->dim ? index : -1;
}

/* Checks what both have in common. */
static hz_status begin(hzi_step *step, gathering **gathered, int *axis) {
    static const hz_element INDEXES[] = {HZ_ELEMENT_INT32, HZ_ELEMENT_INT64, HZ_ELEMENT_UNDEFINED};
    const hzi_tensor *data;
    hz_status status = hzi_step_movable(step, 0, &data);
    status = status == HZ_OK ? hzi_step_element_in(step, 1, INDEXES) : status;
    status = status == HZ_OK ? hzi_step_axis(step, 0, data->shape.rank, axis) : status;
    if (status != HZ_OK) {
        return status;
    }
    gathering *g = hzi_step_alloc(step, sizeof *g);
    if (!g) {
        return hzi_step_no_memory(step);
    }
    const hzi_tensor *indexes = step->inputs[1];
    g->size = hz_element_size(data->element);
    g->missing = missing_bits(data->element);
    g->dim = data->shape.dim[*axis];
    g->wide = indexes->element == HZ_ELEMENT_INT64;
    for (int64_t i = 0; indexes->known && i < indexes->count; i++) {
        if (index_at(g, indexes->data, i) < 0) {
            int64_t index =
                g->wide ? ((const int64_t *)indexes->data)[i] : ((const int32_t *)indexes->data)[i];
            return hzi_step_refuse(step, "index %lld is outside axis %d of size %lld",
                                   (long long)index, *axis, (long long)g->dim);
        }
    }
    step->param = g;
    *gathered = g;
    return HZ_OK;
}

/* ---- Gather ------------------------------------------------------------------------------------ */

static void run_gather(const hzi_step *step) {
    const gathering *g = step->param;
    const hzi_tensor *indexes = step->inputs[1];
    const char *data = step->inputs[0]->data;
    char *to = step->outputs[0]->data;
    size_t bytes = (size_t)g->block * g->size;
    for (int64_t outer = 0; outer < g->outer; outer++) {
        for (int64_t i = 0; i < indexes->count; i++, to += bytes) {
            int64_t index = index_at(g, indexes->data, i);
            if (index >= 0) {
                memcpy(to, data + (size_t)(outer * g->dim + index) * bytes, bytes);
                continue;
            }
            for (int64_t k = 0; k < g->block; k++) {
                memcpy(to + (size_t)k * g->size, &g->missing, g->size);
            }
        }
    }
}

hz_status hzi_prepare_gather(hzi_step *step) {
    gathering *g;
    int axis;
    hz_status status = begin(step, &g, &axis);
    if (status != HZ_OK) {
        return status;
    }
    const hzi_tensor *data = step->inputs[0];
    const hzi_shape *indexes = &step->inputs[1]->shape;
    hzi_shape shape = {.rank = data->shape.rank - 1 + indexes->rank};
    if (shape.rank > HZ_RANK_MAX) {
        return hzi_step_refuse(step, "the output would have rank %d; the most is %d", shape.rank,
                               HZ_RANK_MAX);
    }
    int rank = 0;
    for (int i = 0; i < axis; i++) {
        shape.dim[rank++] = data->shape.dim[i];
    }
    for (int i = 0; i < indexes->rank; i++) {
        shape.dim[rank++] = indexes->dim[i];
    }
    for (int i = axis + 1; i < data->shape.rank; i++) {
        shape.dim[rank++] = data->shape.dim[i];
    }
    status = hzi_step_output(step, 0, data->element, &shape);
    if (status != HZ_OK) {
        return status;
    }
    hzi_step_runs(step, run_gather);
    if (hzi_shape_count(&shape) == 0) {
        step->run = hzi_run_nothing; /* the products below could be anything */
        return HZ_OK;
    }
    g->outer = g->block = 1;
    for (int i = 0; i < data->shape.rank; i++) {
        g->outer *= i < axis ? data->shape.dim[i] : 1;
        g->block *= i > axis ? data->shape.dim[i] : 1;
    }
    return HZ_OK;
}

/* ---- GatherElements ------------------------------------------------------------------------------ */

static void run_gather_elements(const hzi_step *step) {
    const gathering *g = step->param;
    const hzi_walk *walk = &g->walk;
    const void *indexes = step->inputs[1]->data;
    const char *data = step->inputs[0]->data;
    char *to = step->outputs[0]->data;
    hzi_cursor cursor;
    for (bool more = hzi_cursor_first(walk, &cursor); more; more = hzi_cursor_next(walk, &cursor)) {
        for (int64_t i = 0; i < walk->length; i++) {
            int64_t at = cursor.offset[0] + i * walk->step[0];
            int64_t index = index_at(g, indexes, at);
            int64_t from = cursor.offset[1] + i * walk->step[1] + index * g->axis_stride;
            memcpy(to + (size_t)at * g->size,
                   index >= 0 ? (const void *)(data + (size_t)from * g->size) : &g->missing,
                   g->size);
        }
    }
}

hz_status hzi_prepare_gather_elements(hzi_step *step) {
    gathering *g;
    int axis;
    hz_status status = begin(step, &g, &axis);
    if (status != HZ_OK) {
        return status;
    }
    const hzi_tensor *data = step->inputs[0];
    const hzi_shape *shape = &step->inputs[1]->shape;
    if (shape->rank != data->shape.rank) {
        return hzi_step_refuse(step, "indexes of rank %d for data of rank %d", shape->rank,
                               data->shape.rank);
    }
    for (int i = 0; i < shape->rank; i++) {
        if (i != axis && shape->dim[i] > data->shape.dim[i]) {
            return hzi_step_refuse(step, "%lld indexes along axis %d of size %lld",
                                   (long long)shape->dim[i], i, (long long)data->shape.dim[i]);
        }
    }
    int64_t strides[HZ_RANK_MAX] = {0};
    hzi_strides(&data->shape, strides);
    g->axis_stride = strides[axis];
    strides[axis] = 0;
    hzi_walk_begin(&g->walk, shape);
    hzi_walk_operand(&g->walk, shape);
    hzi_walk_strides(&g->walk, strides, 0);
    hzi_walk_close(&g->walk);
    hzi_step_runs(step, run_gather_elements);
    return hzi_step_output(step, 0, data->element, shape);
}
