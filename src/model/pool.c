/* SPDX-License-Identifier: MIT */
/*
 * Pools: the largest or the average of what each window sees, and of whole planes. For each output
 * position the places it sees are listed once and then looked up in every plane. A window that sees
 * nothing but padding has no answer and is refused; NaN in a window makes its result NaN. Sums run
 * in the order depth, row, column.
 */
#include "model/window.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct pool {
    hzi_window window;
    bool include_padding; /* average: padding counts as zeros */
    bool column_major;    /* largest: how indices count */
    float power;          /* of the Lp norm */
    /* largest: of one output over all planes, by element type */
    void (*largest)(const hzi_step *step, const int64_t *places, size_t count, int64_t to);
} pool;

/* ---- what a window sees ------------------------------------------------------------------------ */

/* Offsets in a plane that output position `at` sees, in order. */
static size_t list_places(const hzi_window *window, int64_t at, int64_t *places) {
    int64_t first[HZI_WINDOW_AXES], last[HZI_WINDOW_AXES], start[HZI_WINDOW_AXES];
    for (int axis = HZI_WINDOW_AXES - 1; axis >= 0; axis--) {
        int64_t here = at % window->out[axis];
        at /= window->out[axis];
        start[axis] = here * window->stride[axis] - window->begin[axis];
        hzi_window_taps(window, axis, here, &first[axis], &last[axis]);
    }
    size_t count = 0;
    for (int64_t i = first[0]; i < last[0]; i++) {
        int64_t z = start[0] + i * window->dilation[0];
        for (int64_t j = first[1]; j < last[1]; j++) {
            int64_t y = start[1] + j * window->dilation[1];
            for (int64_t k = first[2]; k < last[2]; k++) {
                int64_t x = start[2] + k * window->dilation[2];
                places[count++] = (z * window->in[1] + y) * window->in[2] + x;
            }
        }
    }
    return count;
}

/* Taps of output position `at` that lie in the input or its padding; with ceil_mode the last window
 * may reach further. */
static int64_t padded_taps(const hzi_window *window, int64_t at) {
    int64_t product = 1;
    for (int axis = HZI_WINDOW_AXES - 1; axis >= 0; axis--) {
        int64_t start = at % window->out[axis] * window->stride[axis] - window->begin[axis];
        int64_t room = window->in[axis] + window->end[axis] - start;
        int64_t taps = (room + window->dilation[axis] - 1) / window->dilation[axis];
        at /= window->out[axis];
        product *= taps < window->kernel[axis] ? taps : window->kernel[axis];
    }
    return product;
}

static hz_status refuse_blind_windows(hzi_step *step, const hzi_window *window) {
    for (int axis = 0; axis < HZI_WINDOW_AXES; axis++) {
        for (int64_t at = 0; at < window->out[axis]; at++) {
            int64_t first, last;
            hzi_window_taps(window, axis, at, &first, &last);
            if (first >= last) {
                return hzi_step_refuse(step, "a window lies wholly in the padding");
            }
        }
    }
    return HZ_OK;
}

/* No planes, so nothing to do at any position. */
static bool is_empty(const hzi_window *window) {
    return window->images == 0 || window->channels == 0;
}

/* ---- largest ------------------------------------------------------------------------------------ */

/* The index of an offset when columns come first: x counts fastest becomes y counts fastest. */
static int64_t column_index(const hzi_window *window, int64_t offset) {
    int64_t x = offset % window->in[2], rest = offset / window->in[2];
    int64_t y = rest % window->in[1], z = rest / window->in[1];
    if (window->axes == 3) {
        return z + window->in[0] * (y + window->in[1] * x);
    }
    return y + window->in[1] * x;
}

#define LARGEST(type)                                                                              \
    static void largest_##type(const hzi_step *step, const int64_t *places, size_t count,          \
                               int64_t to) {                                                       \
        const pool *p = step->param;                                                               \
        const hzi_window *window = &p->window;                                                     \
        const type *x = step->inputs[0]->data;                                                     \
        type *y = step->outputs[0] ? step->outputs[0]->data : NULL;                                \
        hzi_tensor *wanted = step->output_count > 1 ? step->outputs[1] : NULL;                     \
        int64_t *index = wanted ? wanted->data : NULL;                                             \
        for (int64_t plane = 0; plane < window->images * window->channels; plane++) {              \
            const type *values = x + plane * window->in_plane;                                     \
            int64_t best = places[0];                                                              \
            for (size_t i = 1; i < count; i++) {                                                   \
                type value = values[places[i]];                                                    \
                if (value > values[best] || IS_NAN(value)) {                                       \
                    best = places[i];                                                              \
                }                                                                                  \
            }                                                                                      \
            int64_t out = plane * window->out_plane + to;                                          \
            if (y) {                                                                               \
                y[out] = values[best];                                                             \
            }                                                                                      \
            if (index) {                                                                           \
                index[out] = plane * window->in_plane +                                            \
                             (p->column_major ? column_index(window, best) : best);                \
            }                                                                                      \
        }                                                                                          \
    }
#define IS_NAN(value) isnan(value)
LARGEST(float)
LARGEST(double)
#undef IS_NAN
#define IS_NAN(value) false
LARGEST(uint8_t)
LARGEST(int8_t)

static void run_largest(const hzi_step *step) {
    const pool *p = step->param;
    int64_t positions = is_empty(&p->window) ? 0 : p->window.out_plane;
    for (int64_t at = 0; at < positions; at++) {
        size_t count = list_places(&p->window, at, step->scratch);
        p->largest(step, step->scratch, count, at);
    }
}

/* ---- averages and norms ------------------------------------------------------------------------ */

static void run_average(const hzi_step *step) {
    const pool *p = step->param;
    const hzi_window *window = &p->window;
    const float *x = step->inputs[0]->data;
    float *y = step->outputs[0]->data;
    int64_t *places = step->scratch, positions = is_empty(window) ? 0 : window->out_plane;
    for (int64_t at = 0; at < positions; at++) {
        size_t count = list_places(window, at, places);
        float share = p->include_padding ? (float)padded_taps(window, at) : (float)count;
        for (int64_t plane = 0; plane < window->images * window->channels; plane++) {
            float sum = 0.0F;
            for (size_t i = 0; i < count; i++) {
                sum += x[plane * window->in_plane + places[i]];
            }
            y[plane * window->out_plane + at] = sum / share;
        }
    }
}

/* In double: the sum of powers of floats and its root, rounded once. */
static float norm(const float *values, const int64_t *places, size_t count, double power) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        double size = fabs((double)values[places[i]]);
        sum += power == 1.0 ? size : power == 2.0 ? size * size : pow(size, power);
    }
    double root = power == 1.0 ? sum : power == 2.0 ? sqrt(sum) : pow(sum, 1.0 / power);
    return (float)root;
}

static void run_norm(const hzi_step *step) {
    const pool *p = step->param;
    const hzi_window *window = &p->window;
    const float *x = step->inputs[0]->data;
    float *y = step->outputs[0]->data;
    int64_t *places = step->scratch, positions = is_empty(window) ? 0 : window->out_plane;
    for (int64_t at = 0; at < positions; at++) {
        size_t count = list_places(window, at, places);
        for (int64_t plane = 0; plane < window->images * window->channels; plane++) {
            y[plane * window->out_plane + at] =
                norm(x + plane * window->in_plane, places, count, (double)p->power);
        }
    }
}

/* ---- preparing --------------------------------------------------------------------------------- */

static const hz_element only_float[] = {HZ_ELEMENT_FLOAT, HZ_ELEMENT_UNDEFINED};
static const hz_element floats[] = {HZ_ELEMENT_FLOAT, HZ_ELEMENT_DOUBLE, HZ_ELEMENT_UNDEFINED};
static const hz_element floats_and_bytes[] = {HZ_ELEMENT_FLOAT, HZ_ELEMENT_DOUBLE, HZ_ELEMENT_UINT8,
                                              HZ_ELEMENT_INT8, HZ_ELEMENT_UNDEFINED};

/* Window, output shape and work memory; the routine is chosen by the caller. */
static hz_status prepare_window(hzi_step *step, const hz_element *elements, pool **made) {
    hz_status status = hzi_step_element_in(step, 0, elements);
    if (status) {
        return status;
    }
    pool *p = hzi_step_alloc(step, sizeof *p);
    if (!p) {
        return hzi_step_no_memory(step);
    }
    const int64_t *kernel = NULL;
    int64_t ceil_mode = 0;
    status = hzi_window_kernel_shape(step, &kernel);
    status = status ? status : hzi_step_int(step, "ceil_mode", 0, &ceil_mode);
    status = status ? status : hzi_window_make(step, kernel, ceil_mode != 0, &p->window);
    if (status) {
        return status;
    }
    hzi_shape shape = hzi_window_shape(&p->window, p->window.channels);
    status = hzi_step_output(step, 0, step->inputs[0]->element, &shape);
    if (!status && step->output_count > 1) {
        status = hzi_step_output(step, 1, HZ_ELEMENT_INT64, &shape);
    }
    status = status ? status : refuse_blind_windows(step, &p->window);
    if (status) {
        return status;
    }
    if (p->window.taps > (int64_t)1 << 32) {
        return hzi_step_refuse(step, "the window is too large");
    }
    /* No window sees more places than the input has. */
    int64_t places = p->window.taps < p->window.in_plane ? p->window.taps : p->window.in_plane;
    step->scratch_bytes = (size_t)places * sizeof(int64_t);
    step->multiply_adds = (uint64_t)hzi_shape_count(&shape) * (uint64_t)places;
    step->param = p;
    *made = p;
    return HZ_OK;
}

static hz_status prepare_largest(hzi_step *step) {
    pool *p = NULL;
    int64_t order = 0;
    hz_status status = prepare_window(step, step->node->opset < 12 ? floats : floats_and_bytes, &p);
    status = status ? status : hzi_step_int(step, "storage_order", 0, &order);
    if (status) {
        return status;
    }
    if (order != 0 && order != 1) {
        return hzi_step_refuse(step, "storage_order %" PRId64 " is neither 0 nor 1", order);
    }
    p->column_major = order == 1;
    switch (step->inputs[0]->element) {
    case HZ_ELEMENT_FLOAT:
        p->largest = largest_float;
        break;
    case HZ_ELEMENT_DOUBLE:
        p->largest = largest_double;
        break;
    case HZ_ELEMENT_UINT8:
        p->largest = largest_uint8_t;
        break;
    default:
        p->largest = largest_int8_t;
        break;
    }
    step->run = run_largest;
    return HZ_OK;
}

static hz_status prepare_average(hzi_step *step) {
    pool *p = NULL;
    int64_t include = 0;
    hz_status status = prepare_window(step, only_float, &p);
    status = status ? status : hzi_step_int(step, "count_include_pad", 0, &include);
    if (status) {
        return status;
    }
    p->include_padding = include != 0;
    step->run = run_average;
    return HZ_OK;
}

static hz_status read_power(hzi_step *step, pool *p) {
    int64_t power = 2;
    hz_status status = hzi_step_int(step, "p", 2, &power);
    if (status) {
        return status;
    }
    if (power < 1 || power > 1000) {
        return hzi_step_refuse(step, "p %" PRId64 " is outside 1..1000", power);
    }
    p->power = (float)power;
    return HZ_OK;
}

static hz_status prepare_norm(hzi_step *step) {
    pool *p = NULL;
    hz_status status = prepare_window(step, only_float, &p);
    status = status ? status : read_power(step, p);
    step->run = run_norm;
    return status;
}

/* Whole planes are windows as large as the plane. */
static hz_status prepare_global(hzi_step *step, const hz_element *elements, pool **made) {
    hz_status status = hzi_step_element_in(step, 0, elements);
    if (status) {
        return status;
    }
    pool *p = hzi_step_alloc(step, sizeof *p);
    if (!p) {
        return hzi_step_no_memory(step);
    }
    status = hzi_window_make(step, step->inputs[0]->shape.dim + 2, false, &p->window);
    if (status) {
        return status;
    }
    hzi_shape shape = hzi_window_shape(&p->window, p->window.channels);
    status = hzi_step_output(step, 0, step->inputs[0]->element, &shape);
    step->scratch_bytes = (size_t)p->window.taps * sizeof(int64_t);
    step->multiply_adds = (uint64_t)step->inputs[0]->count;
    step->param = p;
    *made = p;
    return status;
}

static hz_status prepare_global_largest(hzi_step *step) {
    pool *p = NULL;
    hz_status status = prepare_global(step, floats, &p);
    if (status) {
        return status;
    }
    p->largest = step->inputs[0]->element == HZ_ELEMENT_FLOAT ? largest_float : largest_double;
    step->run = run_largest;
    return HZ_OK;
}

static hz_status prepare_global_average(hzi_step *step) {
    pool *p = NULL;
    hz_status status = prepare_global(step, only_float, &p);
    step->run = run_average;
    return status;
}

static hz_status prepare_global_norm(hzi_step *step) {
    pool *p = NULL;
    hz_status status = prepare_global(step, only_float, &p);
    status = status ? status : read_power(step, p);
    step->run = run_norm;
    return status;
}

#define POOL(operator_name, first_opset, last_opset, outputs, names, prepare_it)                   \
    {                                                                                              \
        .name = (operator_name), .domain = "", .first = (first_opset), .last = (last_opset),       \
        .inputs_min = 1, .inputs_max = 1, .outputs_min = 1, .outputs_max = (outputs),              \
        .attributes = (names), .prepare = (prepare_it)                                             \
    }

const hzi_operator hzi_operators_pool[] = {
    POOL("AveragePool", 7, 9, 1, "auto_pad count_include_pad kernel_shape pads strides",
         prepare_average),
    POOL("AveragePool", 10, 18, 1, "auto_pad ceil_mode count_include_pad kernel_shape pads strides",
         prepare_average),
    POOL("AveragePool", 19, 21, 1,
         "auto_pad ceil_mode count_include_pad dilations kernel_shape pads strides",
         prepare_average),
    POOL("GlobalAveragePool", 1, 21, 1, "", prepare_global_average),
    POOL("GlobalLpPool", 2, 21, 1, "p", prepare_global_norm),
    POOL("GlobalMaxPool", 1, 21, 1, "", prepare_global_largest),
    POOL("LpPool", 2, 17, 1, "auto_pad kernel_shape p pads strides", prepare_norm),
    POOL("LpPool", 18, 21, 1, "auto_pad ceil_mode dilations kernel_shape p pads strides",
         prepare_norm),
    POOL("MaxPool", 1, 7, 1, "auto_pad kernel_shape pads strides", prepare_largest),
    POOL("MaxPool", 8, 9, 2, "auto_pad kernel_shape pads storage_order strides", prepare_largest),
    POOL("MaxPool", 10, 21, 2,
         "auto_pad ceil_mode dilations kernel_shape pads storage_order strides", prepare_largest),
    {.name = NULL},
};
