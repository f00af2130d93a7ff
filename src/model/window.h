/* SPDX-License-Identifier: MIT */
/*
 * Windows that slide over the spatial axes of a tensor [N,C,D1...]: what convolution and pooling
 * share. Reads kernel, stride, dilation and padding of a node, checks them, and says how large the
 * result is. One to three spatial axes; fewer than three get leading axes of length 1, so that the
 * routines know one case only.
 */
#ifndef HAZARD_MODEL_WINDOW_H
#define HAZARD_MODEL_WINDOW_H

#include "model/operator.h"

enum { HZI_WINDOW_AXES = 3 };

typedef struct hzi_window {
    int axes;                 /* that the node has: 1..3 */
    int64_t images, channels; /* N, C */
    int64_t in[HZI_WINDOW_AXES], out[HZI_WINDOW_AXES];
    int64_t kernel[HZI_WINDOW_AXES], stride[HZI_WINDOW_AXES], dilation[HZI_WINDOW_AXES];
    int64_t begin[HZI_WINDOW_AXES], end[HZI_WINDOW_AXES]; /* padding */
    int64_t in_plane, out_plane, taps;                    /* products of in, out and kernel */
} hzi_window;

/*
 * Fills a window from input 0, which must have 3 to 5 dimensions, the extents of the kernel (one per
 * spatial axis) and the attributes auto_pad, pads, strides, dilations. With ceil_mode a last window
 * that only partly fits counts, unless it would begin behind input and front padding.
 */
hz_status hzi_window_make(hzi_step *step, const int64_t *kernel, bool ceil_mode,
                          hzi_window *window);
/* The attribute kernel_shape; refuses when it is missing or has not one number per spatial axis. */
hz_status hzi_window_kernel_shape(hzi_step *step, const int64_t **kernel);
/* Shape of a result with this many channels. */
hzi_shape hzi_window_shape(const hzi_window *window, int64_t channels);

/* Which taps of the window at output position `at` of an axis lie in the input: first..last-1. */
static inline void hzi_window_taps(const hzi_window *window, int axis, int64_t at, int64_t *first,
                                   int64_t *last) {
    int64_t start = at * window->stride[axis] - window->begin[axis];
    int64_t step = window->dilation[axis], room = window->in[axis] - start;
    *first = start < 0 ? (-start + step - 1) / step : 0;
    *last = room <= 0 ? 0 : (room + step - 1) / step;
    if (*last > window->kernel[axis]) {
        *last = window->kernel[axis];
    }
}

#endif
