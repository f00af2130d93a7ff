/* SPDX-License-Identifier: MIT */
/*
 * Random windows for convolution and pools, and where they look, straight from the definition: a
 * tap of an output position reads the input at position * stride - padding + tap * dilation.
 */
#ifndef HAZARD_TEST_MODEL_WINDOWS_H
#define HAZARD_TEST_MODEL_WINDOWS_H

#include "model/one_step.h"

typedef struct window_case {
    int axes;
    int64_t images, channels;
    int64_t in[3], out[3], kernel[3], stride[3], dilation[3];
    int64_t pads[6];      /* as the attribute: fronts, then backs */
    const char *auto_pad; /* NULL = the pads are given */
    bool ceil_mode;
} window_case;

/* Output positions of one axis, by trying them. */
static inline int64_t window_out(const window_case *w, int axis) {
    int64_t reach = (w->kernel[axis] - 1) * w->dilation[axis] + 1, out = 0;
    int64_t front = w->pads[axis], room = w->in[axis] + front + w->pads[w->axes + axis];
    while (out * w->stride[axis] + reach <= room) {
        out++;
    }
    if (w->ceil_mode && (out - 1) * w->stride[axis] + reach < room &&
        out * w->stride[axis] < w->in[axis] + front) {
        out++; /* one more, that reaches over the edge */
    }
    return out;
}

/* Fills the pads that a "same" mode stands for. */
static inline void window_same(window_case *w) {
    for (int i = 0; i < w->axes; i++) {
        int64_t out = (w->in[i] + w->stride[i] - 1) / w->stride[i];
        int64_t total =
            (out - 1) * w->stride[i] + (w->kernel[i] - 1) * w->dilation[i] + 1 - w->in[i];
        total = total > 0 ? total : 0;
        int64_t more = (total + 1) / 2, less = total / 2;
        bool upper = strcmp(w->auto_pad, "SAME_UPPER") == 0;
        w->pads[i] = upper ? less : more;
        w->pads[w->axes + i] = upper ? more : less;
    }
}

/* A window with at least one position per axis. padding_below_kernel: as pools need it. */
static inline window_case window_random(hz_random *random, bool dilated,
                                        bool padding_below_kernel) {
    static const char *const modes[] = {"SAME_UPPER", "SAME_LOWER", "VALID", "NOTSET"};
    for (;;) {
        window_case w = {.axes = (int)one_draw(random, 1, 3),
                         .images = one_draw(random, 1, 3),
                         .channels = one_draw(random, 1, 4)};
        bool fits = true;
        for (int i = 0; i < w.axes; i++) {
            w.in[i] = one_draw(random, 1, 9);
            w.kernel[i] = one_draw(random, 1, 4);
            w.stride[i] = one_draw(random, 1, 3);
            w.dilation[i] = dilated ? one_draw(random, 1, 3) : 1;
            int64_t most = padding_below_kernel ? w.kernel[i] - 1 : 3;
            w.pads[i] = one_draw(random, 0, most);
            w.pads[w.axes + i] = one_draw(random, 0, most);
        }
        if (hz_random_draw(random, 3) == 0) {
            w.auto_pad = modes[hz_random_draw(random, 4)];
            if (strcmp(w.auto_pad, "VALID") == 0) {
                memset(w.pads, 0, sizeof w.pads);
            } else if (strcmp(w.auto_pad, "NOTSET") != 0) {
                window_same(&w);
            }
        }
        for (int i = 0; i < w.axes; i++) {
            w.out[i] = window_out(&w, i);
            fits = fits && w.out[i] > 0;
        }
        if (fits) {
            return w;
        }
    }
}

/* Sets the attributes of a step; the case must live as long. */
static inline void window_attributes(one_step *one, const window_case *w, bool dilations) {
    bool same = w->auto_pad && strncmp(w->auto_pad, "SAME", 4) == 0;
    if (w->auto_pad) {
        one_string(one, "auto_pad", w->auto_pad);
    }
    if (!same && !(w->auto_pad && strcmp(w->auto_pad, "VALID") == 0)) {
        one_ints(one, "pads", w->pads, 2 * (size_t)w->axes);
    }
    one_ints(one, "strides", w->stride, (size_t)w->axes);
    if (dilations) {
        one_ints(one, "dilations", w->dilation, (size_t)w->axes);
    }
}

/* [images, channels, sizes...] */
static inline hzi_shape window_shape(const window_case *w, int64_t channels, const int64_t *sizes) {
    hzi_shape shape = {.rank = w->axes + 2, .dim = {w->images, channels}};
    for (int i = 0; i < w->axes; i++) {
        shape.dim[2 + i] = sizes[i];
    }
    return shape;
}

/* Number of taps; the indices of tap `tap` go to `index`. */
static inline int64_t window_tap(const window_case *w, int64_t tap, int64_t *index) {
    int64_t count = 1;
    for (int i = w->axes - 1; i >= 0; i--) {
        index[i] = tap % w->kernel[i];
        tap /= w->kernel[i];
        count *= w->kernel[i];
    }
    return count;
}

/* Where a tap looks from output index `to` (spatial): true when inside, indices in `place`.
 * *padded: inside of input or padding. */
static inline bool window_look(const window_case *w, const int64_t *to, const int64_t *tap,
                               int64_t *place, bool *padded) {
    bool inside = true;
    *padded = true;
    for (int i = 0; i < w->axes; i++) {
        place[i] = to[i] * w->stride[i] - w->pads[i] + tap[i] * w->dilation[i];
        inside = inside && place[i] >= 0 && place[i] < w->in[i];
        *padded = *padded && place[i] < w->in[i] + w->pads[w->axes + i];
    }
    return inside;
}

static inline float *random_floats(hz_random *random, int64_t count, float low, float high) {
    float *values = malloc((size_t)count * sizeof *values + 1);
    assert_non_null(values);
    for (int64_t i = 0; i < count; i++) {
        float share = (float)hz_random_draw(random, 1 << 24) / (float)(1 << 24);
        values[i] = low + share * (high - low);
    }
    return values;
}

#define assert_near(actual, expected, tolerance, what)                                             \
    do {                                                                                           \
        double is_ = (double)(actual), should_ = (double)(expected);                               \
        if (!(fabs(is_ - should_) <= (tolerance) * (1 + fabs(should_)))) {                         \
            fail_msg("%s: %.9g instead of %.9g", (what), is_, should_);                            \
        }                                                                                          \
    } while (0)

#endif
