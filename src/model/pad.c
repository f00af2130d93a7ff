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

static void fill(char *to, int64_t count, const void *element, size_t size) {
    for (int64_t i = 0; i < count; i++) {
        memcpy(to + (size_t)i * size, element, size);
    }
}

/* Everything from `axis` on; `from` NULL (never at axis 0): only the constant. */
static void pad_axis(const padding *p, int axis, const char *from, char *to, const void *constant) {
    if (!from) {
        fill(to, p->stride[axis - 1], constant, p->size);
        return;
    }
    if (axis == p->rank) {
        memcpy(to, from, p->size);
        return;
    }
    for (int64_t i = 0; i < p->dim[axis]; i++) {
        if (i == p->before[axis] && axis == p->rank - 1 && p->kept[axis] > 0) {
            size_t bytes = (size_t)p->kept[axis] * p->size;
            memcpy(to + (size_t)i * p->size, from, bytes);
            i += p->kept[axis] - 1;
            continue;
        }
        int64_t source = source_of(p->mode, i - p->before[axis], p->kept[axis]);
        const char *part =
            source < 0 ? NULL : from + (size_t)(source * p->source_stride[axis]) * p->size;
        pad_axis(p, axis + 1, part, to + (size_t)(i * p->stride[axis]) * p->size, constant);
    }
}

static void run_pad(const hzi_step *step) {
    const padding *p = step->param;
    const void *constant = p->from_input ? step->inputs[2]->data : &p->constant;
    const char *from = step->inputs[0]->data;
    pad_axis(p, 0, from + (size_t)p->source_base * p->size, step->outputs[0]->data, constant);
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

/* Elements before and after each axis, from lists for all axes or for those of input 3. */
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
    memset(before, 0, HZ_RANK_MAX * sizeof *before);
    memset(after, 0, HZ_RANK_MAX * sizeof *after);
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
    int64_t before[HZ_RANK_MAX], after[HZ_RANK_MAX], skip[HZ_RANK_MAX];
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
    return HZ_OK;
}
