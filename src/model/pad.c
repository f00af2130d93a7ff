/* SPDX-License-Identifier: MIT */
/*
 * Pad: every axis longer (or, by a negative number, shorter) at both ends, filled with a constant,
 * the edge, a reflection or the other end. Shortening comes first, then what is left is extended;
 * a reflection longer than the axis goes back and forth.
 */
#include "model/movement.h"

#include "model/stride.h"

#include <string.h>

typedef enum pad_mode { PAD_CONSTANT, PAD_REFLECT, PAD_EDGE, PAD_WRAP } pad_mode;

typedef struct padding {
    pad_mode mode;
    int rank;
    size_t size;         /* of an element */
    uint64_t constant;   /* an element's bits, unless it is an input */
    bool from_input;     /* the constant is input 2 */
    int64_t source_base; /* first element of what is left of the input */
    bool moves;          /* the constant fills up an output of the input's shape */
    /* per axis */
    int64_t kept[HZ_RANK_MAX];   /* what is left of the input */
    int64_t before[HZ_RANK_MAX]; /* new elements in front of it */
    int64_t dim[HZ_RANK_MAX];    /* of the output */
    int64_t source_stride[HZ_RANK_MAX], stride[HZ_RANK_MAX];
} padding;

/* Where element `at` of an axis comes from; -1 = from the constant. */
static int64_t source_of(pad_mode mode, int64_t at, int64_t kept) {
    if (at >= 0 && at < kept) {
        return at;
    }
    if (mode == PAD_CONSTANT) {
        return -1;
    }
    if (mode == PAD_EDGE || kept == 1) {
        return at < 0 ? 0 : kept - 1;
    }
    int64_t period = mode == PAD_WRAP ? kept : 2 * (kept - 1);
    at %= period;
    at += at < 0 ? period : 0;
    return at < kept ? at : period - at;
}

/* element NULL: zeroes. */
static void fill(char *to, int64_t count, const void *element, size_t size) {
    if (!element) {
        memset(to, 0, (size_t)count * size);
        return;
    }
    for (int64_t i = 0; i < count; i++) {
        memcpy(to + (size_t)i * size, element, size);
    }
}

static bool is_zero(const void *element, size_t size) {
    static const char zeroes[2 * sizeof(double)]; /* the widest */
    return size <= sizeof zeroes && memcmp(element, zeroes, size) == 0;
}

/* Axes of which nothing is cut off and nothing added are one with the axis before them. */
static void merge_axes(padding *p, const int64_t *skip) {
    while (p->rank > 1) {
        int last = p->rank - 1;
        if (p->before[last] || skip[last] || p->kept[last] != p->dim[last] ||
            p->source_stride[last - 1] != p->kept[last]) {
            return;
        }
        p->rank--;
        p->source_stride[last - 1] = p->stride[last - 1] = 1;
        p->kept[last - 1] *= p->kept[last];
        p->dim[last - 1] *= p->dim[last];
        p->before[last - 1] *= p->kept[last];
    }
}

/* The last axis filled with a constant: new, old, new. */
static void pad_row(const padding *p, const char *from, char *to, const void *constant) {
    int last = p->rank - 1;
    size_t size = p->size, kept = (size_t)p->kept[last] * size;
    fill(to, p->before[last], constant, size);
    to += (size_t)p->before[last] * size;
    memcpy(to, from, kept);
    fill(to + kept, p->dim[last] - p->before[last] - p->kept[last], constant, size);
}

/* Everything from `axis` on. */
static void pad_axis(const padding *p, int axis, const char *from, char *to, const void *constant) {
    if (axis == p->rank) {
        memcpy(to, from, p->size);
        return;
    }
    if (axis == p->rank - 1 && p->mode == PAD_CONSTANT) {
        pad_row(p, from, to, constant);
        return;
    }
    for (int64_t i = 0; i < p->dim[axis]; i++) {
        if (i == p->before[axis] && axis == p->rank - 1 && p->kept[axis] > 0) {
            memcpy(to + (size_t)i * p->size, from, (size_t)p->kept[axis] * p->size);
            i += p->kept[axis] - 1;
            continue;
        }
        int64_t source = source_of(p->mode, i - p->before[axis], p->kept[axis]);
        char *part = to + (size_t)(i * p->stride[axis]) * p->size;
        if (source < 0) {
            fill(part, p->stride[axis], constant, p->size);
        } else {
            pad_axis(p, axis + 1, from + (size_t)(source * p->source_stride[axis]) * p->size, part,
                     constant);
        }
    }
}

/* What is new, from `axis` on; the rest is there. */
static void fill_edges(const padding *p, int axis, char *to, const void *constant) {
    int64_t before = p->before[axis], kept = p->kept[axis], after = p->dim[axis] - before - kept;
    size_t block = (size_t)p->stride[axis] * p->size;
    fill(to, before * p->stride[axis], constant, p->size);
    to += (size_t)before * block;
    if (axis < p->rank - 1) {
        for (int64_t i = 0; i < kept; i++) {
            fill_edges(p, axis + 1, to + (size_t)i * block, constant);
        }
    }
    fill(to + (size_t)kept * block, after * p->stride[axis], constant, p->size);
}

/* An output of the input's shape is the input moved along memory, edges apart. */
static void move_all(const padding *p, const char *from, char *to, const void *constant) {
    int64_t count = p->dim[0] * p->stride[0], offset = p->source_base;
    for (int i = 0; i < p->rank; i++) {
        offset -= p->before[i] * p->stride[i];
    }
    int64_t first = offset < 0 ? -offset : 0, end = offset > 0 ? count - offset : count;
    if (first < end) {
        memcpy(to + (size_t)first * p->size, from + (size_t)(first + offset) * p->size,
               (size_t)(end - first) * p->size);
    }
    fill_edges(p, 0, to, constant);
}

static void run_pad(const hzi_step *step) {
    const padding *p = step->param;
    const void *constant = p->from_input ? step->inputs[2]->data : &p->constant;
    const char *from = step->inputs[0]->data;
    char *to = step->outputs[0]->data;
    constant = is_zero(constant, p->size) ? NULL : constant;
    if (p->moves) {
        move_all(p, from, to, constant);
    } else {
        pad_axis(p, 0, from + (size_t)p->source_base * p->size, to, constant);
    }
}

static hz_status pad_mode_of(hzi_step *step, pad_mode *mode) {
    static const char *const NAMES[] = {[PAD_CONSTANT] = "constant",
                                        [PAD_REFLECT] = "reflect",
                                        [PAD_EDGE] = "edge",
                                        [PAD_WRAP] = "wrap"};
    const char *name;
    hz_status status = hzi_step_string(step, "mode", "constant", &name);
    if (status != HZ_OK) {
        return status;
    }
    int known = step->node->opset < 19 ? PAD_EDGE : PAD_WRAP;
    for (int i = 0; i <= known; i++) {
        if (strcmp(NAMES[i], name) == 0) {
            *mode = (pad_mode)i;
            return HZ_OK;
        }
    }
    return hzi_step_refuse(step, "attribute 'mode' is '%.40s'", name);
}

/* The constant: an attribute before opset 11, an input from then on; 0 when there is none. */
static hz_status pad_constant(hzi_step *step, const hzi_tensor *input, padding *p) {
    if (step->node->opset < 11) {
        float value;
        hz_status status = hzi_step_float(step, "value", 0, &value);
        if (input->element == HZ_ELEMENT_FLOAT) {
            memcpy(&p->constant, &value, sizeof value);
        } else if (input->element == HZ_ELEMENT_DOUBLE) {
            double wide = (double)value;
            memcpy(&p->constant, &wide, sizeof wide);
        } else if (status == HZ_OK && value != 0) {
            return hzi_step_refuse(step, "attribute 'value' is not 0 for a %s input",
                                   hz_element_name(input->element));
        }
        return status;
    }
    if (!hzi_step_has(step, 2)) {
        return HZ_OK;
    }
    const hzi_tensor *constant = step->inputs[2];
    if (constant->element != input->element || constant->count != 1) {
        return hzi_step_refuse(step, "the constant '%.80s' must be one number of type %s",
                               constant->name, hz_element_name(input->element));
    }
    p->from_input = true;
    return HZ_OK;
}

/* Elements before and after each axis (zeros at first), from lists for all axes or for those of
 * input 3. */
static hz_status pad_lists(hzi_step *step, int rank, int64_t before[HZ_RANK_MAX],
                           int64_t after[HZ_RANK_MAX]) {
    const int64_t *pads, *axes = NULL;
    size_t count, axis_count = 0;
    bool marked[HZ_RANK_MAX];
    hz_status status = step->node->opset < 11
                           ? hzi_step_ints(step, "pads", &pads, &count)
                           : hzi_step_known_ints(step, 1, "the pads", &pads, &count);
    bool listed = hzi_step_has(step, 3);
    if (status == HZ_OK && listed) {
        status = hzi_step_known_ints(step, 3, "the axes", &axes, &axis_count);
    }
    status = status == HZ_OK ? hzi_step_mark_axes(step, axes, axis_count, rank, marked) : status;
    if (status != HZ_OK) {
        return status;
    }
    size_t want = listed ? axis_count : (size_t)rank;
    if (count != 2 * want) {
        return hzi_step_refuse(step, "%zu pads for %zu axes", count, want);
    }
    for (size_t i = 0; i < want; i++) {
        int axis = listed ? hzi_axis(axes[i], rank) : (int)i;
        before[axis] = pads[i];
        after[axis] = pads[i + want];
    }
    return HZ_OK;
}

/* One axis: what is left, what is new, how long it is then. *skip: elements cut off in front. */
static hz_status pad_one(hzi_step *step, padding *p, int axis, int64_t dim, int64_t before,
                         int64_t after, int64_t *skip) {
    int64_t kept = dim, size;
    *skip = before < 0 ? before : 0;
    bool fits = hzi_add(kept, *skip, &kept) && hzi_add(kept, after < 0 ? after : 0, &kept) &&
                hzi_add(kept, before > 0 ? before : 0, &size) &&
                hzi_add(size, after > 0 ? after : 0, &size);
    if (!fits || kept < 0) {
        return hzi_step_refuse(step, "axis %d of size %lld cannot be padded by %lld and %lld", axis,
                               (long long)dim, (long long)before, (long long)after);
    }
    if (kept == 0 && size > 0 && p->mode != PAD_CONSTANT) {
        return hzi_step_refuse(step, "axis %d is empty; only a constant can pad it", axis);
    }
    *skip = -*skip;
    p->kept[axis] = kept;
    p->before[axis] = before > 0 ? before : 0;
    p->dim[axis] = size;
    return HZ_OK;
}

hz_status hzi_prepare_pad(hzi_step *step) {
    const hzi_tensor *input;
    int64_t before[HZ_RANK_MAX] = {0}, after[HZ_RANK_MAX] = {0}, skip[HZ_RANK_MAX] = {0};
    padding *p = hzi_step_alloc(step, sizeof *p);
    if (!p) {
        return hzi_step_no_memory(step);
    }
    hz_status status = hzi_step_movable(step, 0, &input);
    status = status == HZ_OK ? pad_mode_of(step, &p->mode) : status;
    status = status == HZ_OK ? pad_constant(step, input, p) : status;
    status = status == HZ_OK ? pad_lists(step, input->shape.rank, before, after) : status;
    p->rank = status == HZ_OK ? input->shape.rank : 0;
    hzi_shape shape = {.rank = p->rank};
    for (int i = 0; i < p->rank && status == HZ_OK; i++) {
        status = pad_one(step, p, i, input->shape.dim[i], before[i], after[i], &skip[i]);
        shape.dim[i] = p->dim[i];
    }
    status = status == HZ_OK ? hzi_step_output(step, 0, input->element, &shape) : status;
    if (status != HZ_OK) {
        return status;
    }
    step->param = p;
    p->size = hz_element_size(input->element);
    hzi_step_runs(step, run_pad);
    if (hzi_shape_count(&shape) == 0) {
        step->run = hzi_run_nothing; /* the products below could be anything */
        return HZ_OK;
    }
    hzi_strides(&input->shape, p->source_stride);
    int64_t stride = 1;
    bool something = true;
    for (int i = p->rank - 1; i >= 0; i--) {
        p->stride[i] = stride;
        stride *= shape.dim[i];
        p->source_base += skip[i] * p->source_stride[i];
        something = something && p->kept[i] > 0;
    }
    p->source_base = something ? p->source_base : 0;
    if (p->mode == PAD_CONSTANT && p->rank > 0) {
        p->moves = something;
        for (int i = 0; i < p->rank; i++) {
            p->moves = p->moves && p->dim[i] == input->shape.dim[i];
        }
        merge_axes(p, skip);
    }
    return HZ_OK;
}
