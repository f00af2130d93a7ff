/* SPDX-License-Identifier: MIT */
/*
 * Reading the window of a convolution or a pool. Every number is bounded before it is multiplied, so
 * that no product here can leave 64 bits.
 */
#include "model/window.h"

#include <inttypes.h>
#include <string.h>

enum { EXTENT_MAX = 1 << 24 }; /* of kernels, strides, dilations, paddings */

typedef enum padding { PAD_GIVEN, PAD_NONE, PAD_SAME_UPPER, PAD_SAME_LOWER } padding;

static hz_status read_padding(hzi_step *step, padding *mode) {
    const char *text = NULL;
    hz_status status = hzi_step_string(step, "auto_pad", "NOTSET", &text);
    if (status) {
        return status;
    }
    static const char *const names[] = {"NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"};
    for (int i = 0; i < 4; i++) {
        if (strcmp(text, names[i]) == 0) {
            *mode = (padding)i;
            return HZ_OK;
        }
    }
    return hzi_step_refuse(step, "auto_pad '%s' is unknown", text);
}

/* A list of `count` numbers in low..EXTENT_MAX, or `fallback` repeated. */
static hz_status read_extents(hzi_step *step, const char *name, int count, int64_t low,
                              int64_t fallback, int64_t *values) {
    const int64_t *given = NULL;
    size_t length = 0;
    hz_status status = hzi_step_ints(step, name, &given, &length);
    if (status) {
        return status;
    }
    for (int i = 0; i < count; i++) {
        values[i] = fallback;
    }
    if (!given) {
        return HZ_OK;
    }
    if (length != (size_t)count) {
        return hzi_step_refuse(step, "%s has %zu numbers instead of %d", name, length, count);
    }
    for (int i = 0; i < count; i++) {
        if (given[i] < low || given[i] > EXTENT_MAX) {
            return hzi_step_refuse(step, "%s %" PRId64 " is outside %" PRId64 "..%d", name,
                                   given[i], low, EXTENT_MAX);
        }
        values[i] = given[i];
    }
    return HZ_OK;
}

hz_status hzi_window_kernel_shape(hzi_step *step, const int64_t **kernel) {
    size_t length = 0;
    hz_status status = hzi_step_ints(step, "kernel_shape", kernel, &length);
    if (status) {
        return status;
    }
    if (!*kernel) {
        return hzi_step_refuse(step, "kernel_shape is missing");
    }
    if (length + 2 != (size_t)step->inputs[0]->shape.rank) {
        return hzi_step_refuse(step, "kernel_shape has %zu numbers for an input of rank %d", length,
                               step->inputs[0]->shape.rank);
    }
    return HZ_OK;
}

/* Size of one axis of the result; padding of the "same" modes is found here, too. */
static hz_status fit_axis(hzi_step *step, hzi_window *window, int axis, padding mode,
                          bool ceil_mode) {
    int64_t in = window->in[axis], stride = window->stride[axis];
    int64_t reach = (window->kernel[axis] - 1) * window->dilation[axis] + 1;
    if (mode == PAD_SAME_UPPER || mode == PAD_SAME_LOWER) {
        int64_t out = (in + stride - 1) / stride;
        int64_t total = (out - 1) * stride + reach - in;
        total = total < 0 ? 0 : total;
        int64_t less = total / 2;
        window->begin[axis] = mode == PAD_SAME_UPPER ? less : total - less;
        window->end[axis] = total - window->begin[axis];
        window->out[axis] = out;
        return HZ_OK;
    }
    int64_t room = in + window->begin[axis] + window->end[axis] - reach;
    if (room < 0) {
        return hzi_step_refuse(
            step, "a window of %" PRId64 " does not fit into %" PRId64 " with its padding", reach,
            in);
    }
    int64_t out = (ceil_mode ? (room + stride - 1) / stride : room / stride) + 1;
    if (ceil_mode && (out - 1) * stride >= in + window->begin[axis]) {
        out--;
    }
    window->out[axis] = out;
    return HZ_OK;
}

hz_status hzi_window_make(hzi_step *step, const int64_t *kernel, bool ceil_mode,
                          hzi_window *window) {
    const hzi_shape *shape = &step->inputs[0]->shape;
    int axes = shape->rank - 2;
    if (axes < 1 || axes > HZI_WINDOW_AXES) {
        return hzi_step_refuse(step, "an input of rank %d; 3, 4 and 5 are known", shape->rank);
    }
    *window = (hzi_window){.axes = axes, .images = shape->dim[0], .channels = shape->dim[1]};
    int lead = HZI_WINDOW_AXES - axes;
    for (int i = 0; i < lead; i++) {
        window->in[i] = window->out[i] = window->kernel[i] = 1;
        window->stride[i] = window->dilation[i] = 1;
    }
    padding mode = PAD_GIVEN;
    int64_t pads[2 * HZI_WINDOW_AXES];
    hz_status status = read_padding(step, &mode);
    status = status ? status : read_extents(step, "pads", 2 * axes, 0, 0, pads);
    status = status ? status : read_extents(step, "strides", axes, 1, 1, window->stride + lead);
    status = status ? status : read_extents(step, "dilations", axes, 1, 1, window->dilation + lead);
    for (int i = 0; !status && i < axes; i++) {
        int axis = lead + i;
        if (kernel[i] < 1 || kernel[i] > EXTENT_MAX) {
            return hzi_step_refuse(step, "a kernel of %" PRId64 " is outside 1..%d", kernel[i],
                                   EXTENT_MAX);
        }
        if (shape->dim[2 + i] < 1) {
            return hzi_step_refuse(step, "spatial axis %d of the input is empty", i);
        }
        window->in[axis] = shape->dim[2 + i];
        window->kernel[axis] = kernel[i];
        window->begin[axis] = mode == PAD_GIVEN ? pads[i] : 0;
        window->end[axis] = mode == PAD_GIVEN ? pads[axes + i] : 0;
        status = fit_axis(step, window, axis, mode, ceil_mode);
    }
    if (status) {
        return status;
    }
    const hzi_shape products[] = {
        {.rank = 3, .dim = {window->in[0], window->in[1], window->in[2]}},
        {.rank = 3, .dim = {window->out[0], window->out[1], window->out[2]}},
        {.rank = 3, .dim = {window->kernel[0], window->kernel[1], window->kernel[2]}},
    };
    window->in_plane = hzi_shape_count(&products[0]);
    window->out_plane = hzi_shape_count(&products[1]);
    window->taps = hzi_shape_count(&products[2]);
    if (window->in_plane < 0 || window->out_plane < 0 || window->taps < 0) {
        return hzi_step_refuse(step, "the window is too large");
    }
    return HZ_OK;
}

hzi_shape hzi_window_shape(const hzi_window *window, int64_t channels) {
    hzi_shape shape = {.rank = window->axes + 2, .dim = {window->images, channels}};
    for (int i = 0; i < window->axes; i++) {
        shape.dim[2 + i] = window->out[HZI_WINDOW_AXES - window->axes + i];
    }
    return shape;
}
