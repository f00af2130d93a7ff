/* SPDX-License-Identifier: MIT */
/*
 * Walks over arrays with strides, and what operators that move numbers share when they prepare.
 * Strides are never computed past an operand's own element count, which the program has checked,
 * so nothing here can overflow.
 */
#include "model/stride.h"

#include <string.h>

/* ---- walks ------------------------------------------------------------------------------------ */

void hzi_strides(const hzi_shape *shape, int64_t strides[HZ_RANK_MAX]) {
    int64_t stride = 1;
    for (int i = shape->rank - 1; i >= 0; i--) {
        strides[i] = shape->dim[i] == 1 ? 0 : stride;
        stride *= shape->dim[i] > 0 ? shape->dim[i] : 1;
    }
}

void hzi_walk_begin(hzi_walk *walk, const hzi_shape *shape) {
    memset(walk, 0, sizeof *walk);
    walk->rank = shape->rank;
    for (int i = 0; i < shape->rank; i++) {
        walk->dim[i] = shape->dim[i];
    }
}

void hzi_walk_strides(hzi_walk *walk, const int64_t *strides, int64_t base) {
    int operand = walk->operands++;
    for (int i = 0; i < walk->rank; i++) {
        walk->stride[operand][i] = strides[i];
    }
    walk->base[operand] = base;
}

void hzi_walk_operand(hzi_walk *walk, const hzi_shape *operand) {
    int64_t own[HZ_RANK_MAX] = {0}, strides[HZI_WALK_RANK] = {0};
    hzi_strides(operand, own);
    for (int i = 1; i <= operand->rank; i++) { /* from the last dimension */
        strides[walk->rank - i] = own[operand->rank - i];
    }
    hzi_walk_strides(walk, strides, 0);
}

/* Puts dimension `from` at place `to` of the dimensions that stay. */
static void keep_dimension(hzi_walk *walk, int to, int from) {
    walk->dim[to] = walk->dim[from];
    for (int k = 0; k < walk->operands; k++) {
        walk->stride[k][to] = walk->stride[k][from];
    }
}

/* Tells whether stepping over all of `inner` is one step of `outer`, for every operand. */
static bool mergeable(const hzi_walk *walk, int outer, int inner) {
    for (int k = 0; k < walk->operands; k++) {
        if (walk->stride[k][outer] != walk->stride[k][inner] * walk->dim[inner]) {
            return false;
        }
    }
    return true;
}

void hzi_walk_close(hzi_walk *walk) {
    int kept = 0;
    for (int i = 0; i < walk->rank; i++) {
        walk->empty |= walk->dim[i] == 0;
    }
    for (int i = 0; i < walk->rank && !walk->empty; i++) {
        if (walk->dim[i] == 1) {
            continue;
        }
        if (kept > 0 && mergeable(walk, kept - 1, i)) {
            int64_t together = walk->dim[kept - 1] * walk->dim[i];
            keep_dimension(walk, kept - 1, i);
            walk->dim[kept - 1] = together;
        } else {
            keep_dimension(walk, kept++, i);
        }
    }
    if (kept == 0) { /* one element, or none */
        walk->dim[0] = 1;
        for (int k = 0; k < walk->operands; k++) {
            walk->stride[k][0] = 1;
        }
        kept = 1;
    }
    walk->rank = kept;
    walk->length = walk->dim[kept - 1];
    for (int k = 0; k < walk->operands; k++) {
        walk->step[k] = walk->stride[k][kept - 1];
    }
}

bool hzi_cursor_first(const hzi_walk *walk, hzi_cursor *cursor) {
    memset(cursor->at, 0, sizeof cursor->at);
    memcpy(cursor->offset, walk->base, sizeof cursor->offset);
    return !walk->empty;
}

bool hzi_cursor_next(const hzi_walk *walk, hzi_cursor *cursor) {
    for (int i = walk->rank - 2; i >= 0; i--) {
        if (++cursor->at[i] < walk->dim[i]) {
            for (int k = 0; k < walk->operands; k++) {
                cursor->offset[k] += walk->stride[k][i];
            }
            return true;
        }
        for (int k = 0; k < walk->operands; k++) {
            cursor->offset[k] -= walk->stride[k][i] * (walk->dim[i] - 1);
        }
        cursor->at[i] = 0;
    }
    return false;
}

#define COPY_RUN(type)                                                                             \
    do {                                                                                           \
        type *write = (type *)to + cursor.offset[0];                                               \
        const type *read = (const type *)from + cursor.offset[1];                                  \
        for (int64_t i = 0; i < walk->length; i++) {                                               \
            write[i * walk->step[0]] = read[i * walk->step[1]];                                    \
        }                                                                                          \
    } while (0)

void hzi_walk_copy(const hzi_walk *walk, size_t size, void *to, const void *from) {
    bool solid = walk->step[0] == 1 && walk->step[1] == 1;
    hzi_cursor cursor;
    for (bool more = hzi_cursor_first(walk, &cursor); more; more = hzi_cursor_next(walk, &cursor)) {
        if (solid) {
            int64_t bytes = (int64_t)size;
            memcpy((char *)to + cursor.offset[0] * bytes,
                   (const char *)from + cursor.offset[1] * bytes, (size_t)(walk->length * bytes));
        } else if (size == 1) {
            COPY_RUN(uint8_t);
        } else if (size == 2) {
            COPY_RUN(uint16_t);
        } else if (size == 4) {
            COPY_RUN(uint32_t);
        } else {
            COPY_RUN(uint64_t);
        }
    }
}

/* ---- steps that copy -------------------------------------------------------------------------- */

void hzi_run_nothing(const hzi_step *step) {
    (void)step;
}

void hzi_run_copy(const hzi_step *step) {
    const hzi_tensor *input = step->inputs[0];
    if (input->count > 0 && step->outputs[0]->data != input->data) {
        memcpy(step->outputs[0]->data, input->data,
               (size_t)input->count * hz_element_size(input->element));
    }
}

static void run_moves(const hzi_step *step) {
    hzi_walk_copy(step->param, hz_element_size(step->inputs[0]->element), step->outputs[0]->data,
                  step->inputs[0]->data);
}

void hzi_step_runs(hzi_step *step, void (*run)(const hzi_step *step)) {
    step->run = step->outputs[0] ? run : hzi_run_nothing;
}

hz_status hzi_step_moves(hzi_step *step, const hzi_walk *walk) {
    const hzi_tensor *output = step->outputs[0];
    if (!output || walk->empty) {
        step->run = hzi_run_nothing;
        return HZ_OK;
    }
    if (walk->rank == 1 && walk->step[0] == 1 && walk->step[1] == 1 && walk->base[0] == 0 &&
        walk->base[1] == 0 && output->count == step->inputs[0]->count) {
        step->run = hzi_run_copy;
        return HZ_OK;
    }
    step->param = hzi_step_alloc(step, sizeof *walk);
    if (!step->param) {
        return hzi_step_no_memory(step);
    }
    memcpy(step->param, walk, sizeof *walk);
    step->run = run_moves;
    return HZ_OK;
}

/* ---- inputs and axes --------------------------------------------------------------------------- */

bool hzi_step_has(const hzi_step *step, uint32_t index) {
    return index < step->input_count && step->inputs[index];
}

hz_status hzi_step_there(hzi_step *step, uint32_t index, const hzi_tensor **input) {
    *input = hzi_step_has(step, index) ? step->inputs[index] : NULL;
    return *input ? HZ_OK : hzi_step_refuse(step, "input %u is missing", index);
}

hz_status hzi_step_movable(hzi_step *step, uint32_t index, const hzi_tensor **input) {
    hz_status status = hzi_step_there(step, index, input);
    if (status != HZ_OK) {
        return status;
    }
    hz_element element = (*input)->element;
    if (hz_element_size(element) == 0 || element == HZ_ELEMENT_COMPLEX64 ||
        element == HZ_ELEMENT_COMPLEX128) {
        return hzi_step_refuse(step, "input %u '%.80s' is %s, which is not served", index,
                               (*input)->name, hz_element_name(element));
    }
    return HZ_OK;
}

hz_status hzi_step_known_list(hzi_step *step, uint32_t index, const char *what,
                              const int64_t **values, size_t *count) {
    hz_status status = hzi_step_known_ints(step, index, what, values, count);
    if (status != HZ_OK) {
        return status;
    }
    const hzi_tensor *input = step->inputs[index];
    if (input->element != HZ_ELEMENT_INT64 || input->shape.rank != 1) {
        return hzi_step_refuse(step, "%s '%.80s' must be a list of INT64, it is %s of rank %d",
                               what, input->name, hz_element_name(input->element),
                               input->shape.rank);
    }
    return HZ_OK;
}

hz_status hzi_step_mark_axes(hzi_step *step, const int64_t *axes, size_t count, int rank,
                             bool marked[HZ_RANK_MAX]) {
    memset(marked, 0, HZ_RANK_MAX * sizeof *marked);
    for (size_t i = 0; i < count; i++) {
        int axis = hzi_axis(axes[i], rank);
        if (axis < 0) {
            return hzi_step_refuse(step, "axis %lld is outside rank %d", (long long)axes[i], rank);
        }
        if (marked[axis]) {
            return hzi_step_refuse(step, "axis %lld is listed twice", (long long)axes[i]);
        }
        marked[axis] = true;
    }
    return HZ_OK;
}

hz_status hzi_step_axis(hzi_step *step, int64_t fallback, int rank, int *axis) {
    int64_t given;
    hz_status status = hzi_step_int(step, "axis", fallback, &given);
    if (status != HZ_OK) {
        return status;
    }
    *axis = hzi_axis(given, rank);
    if (*axis < 0) {
        return hzi_step_refuse(step, "attribute 'axis' %lld is outside rank %d", (long long)given,
                               rank);
    }
    return HZ_OK;
}

bool hzi_multiply(int64_t a, int64_t b, int64_t *product) {
    if (a < 0 || b < 0 || (b > 0 && a > INT64_MAX / b)) {
        return false;
    }
    *product = a * b;
    return true;
}

bool hzi_add(int64_t a, int64_t b, int64_t *sum) {
    if ((b > 0 && a > INT64_MAX - b) || (b < 0 && a < INT64_MIN - b)) {
        return false;
    }
    *sum = a + b;
    return true;
}
