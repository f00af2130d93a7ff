/* SPDX-License-Identifier: MIT */
/*
 * Convolution as a dense layer: what the window of an output position sees is laid out as a row
 * [depth, row, column][channel], and the filters are the layer's weights. The planes of an image
 * are turned into pixels first, so that a row is put together from runs of channels; padding is a
 * pixel of zeros. So the order of a sum is that of every dense layer, and planes that are mostly
 * zeros cost little.
 */
#include "model/kernels.h"
#include "model/window.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { POSITIONS = 32, ALIGNMENT = 64, KEPT_PLACES = 1 << 16 };

typedef struct convolution {
    hzi_window window;
    int64_t groups, group_in, group_out; /* channels of one group */
    int64_t depth;                       /* products per output: taps * group_in */
    size_t group_weights, group_bias;    /* packed floats of one group */
    float *weights, *bias;               /* packed for all groups, when known */
    bool finite;
    const int32_t *places; /* of all positions, when these are few */
    /* offsets into the scratch, in bytes; places of some positions come first */
    size_t rows, sums, list, pixels, packed;
} convolution;

static size_t aligned(size_t size) {
    return (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
}

/* ---- packing ----------------------------------------------------------------------------------- */

/* As hzi_dense_pack, from [output][channel][tap]; returns whether all are finite. */
static bool pack_filters(const convolution *conv, const float *filters, float *packed) {
    bool finite = true;
    for (int64_t first = 0; first < conv->group_out; first += HZI_PANEL) {
        int64_t left = conv->group_out - first, width = left < HZI_PANEL ? left : HZI_PANEL;
        for (int64_t tap = 0; tap < conv->window.taps; tap++) {
            for (int64_t channel = 0; channel < conv->group_in; channel++, packed += HZI_PANEL) {
                const float *from =
                    filters + first * conv->depth + channel * conv->window.taps + tap;
                memset(packed, 0, HZI_PANEL * sizeof *packed);
                for (int64_t j = 0; j < width; j++) {
                    packed[j] = from[j * conv->depth];
                    finite = finite && isfinite(packed[j]);
                }
            }
        }
    }
    return finite;
}

static bool pack(const hzi_step *step, const convolution *conv, float *weights, float *bias) {
    const float *filters = step->inputs[1]->data;
    const float *given = step->input_count > 2 && step->inputs[2] ? step->inputs[2]->data : NULL;
    size_t depth = (size_t)conv->depth, outputs = (size_t)conv->group_out;
    bool finite = true;
    for (size_t group = 0; group < (size_t)conv->groups; group++) {
        finite &= pack_filters(conv, filters + group * outputs * depth,
                               weights + group * conv->group_weights);
        float *to = bias + group * conv->group_bias;
        memset(to, 0, conv->group_bias * sizeof *to);
        if (given) {
            memcpy(to, given + group * outputs, outputs * sizeof *to);
        }
    }
    return finite;
}

/* ---- running ----------------------------------------------------------------------------------- */

/* The pixel that each tap of `count` positions from `first` on looks at, -1 = padding. */
static void look_up(const hzi_window *window, int64_t first, int64_t count, int32_t *places) {
    for (int64_t position = first; position < first + count; position++) {
        int64_t start[HZI_WINDOW_AXES], at = position;
        for (int axis = HZI_WINDOW_AXES - 1; axis >= 0; axis--) {
            start[axis] = at % window->out[axis] * window->stride[axis] - window->begin[axis];
            at /= window->out[axis];
        }
        for (int64_t i = 0; i < window->kernel[0]; i++) {
            int64_t z = start[0] + i * window->dilation[0];
            for (int64_t j = 0; j < window->kernel[1]; j++) {
                int64_t y = start[1] + j * window->dilation[1];
                for (int64_t k = 0; k < window->kernel[2]; k++) {
                    int64_t x = start[2] + k * window->dilation[2];
                    bool inside = z >= 0 && z < window->in[0] && y >= 0 && y < window->in[1] &&
                                  x >= 0 && x < window->in[2];
                    *places++ =
                        inside ? (int32_t)((z * window->in[1] + y) * window->in[2] + x) : -1;
                }
            }
        }
    }
}

/* From [channel][pixel] to [pixel][channel], with a pixel of zeros in front. */
static void make_pixels(const convolution *conv, const float *planes, float *pixels) {
    size_t channels = (size_t)conv->group_in, count = (size_t)conv->window.in_plane;
    memset(pixels, 0, channels * sizeof *pixels);
    pixels += channels;
    for (size_t channel = 0; channel < channels; channel++, planes += count) {
        for (size_t i = 0; i < count; i++) {
            pixels[i * channels + channel] = planes[i];
        }
    }
}

static void fill_rows(const convolution *conv, const float *restrict pixels, const int32_t *places,
                      int64_t count, float *restrict rows) {
    size_t channels = (size_t)conv->group_in;
    for (int64_t i = 0; i < count * conv->window.taps; i++, rows += channels) {
        const float *pixel = pixels + (size_t)(places[i] + 1) * channels;
        for (size_t channel = 0; channel < channels; channel++) {
            rows[channel] = pixel[channel];
        }
    }
}

/* The results of some positions go to the planes of their channels. */
static void spread(const convolution *conv, const float *sums, int64_t count, float *y) {
    for (int64_t channel = 0; channel < conv->group_out; channel++) {
        for (int64_t i = 0; i < count; i++) {
            y[channel * conv->window.out_plane + i] = sums[i * conv->group_out + channel];
        }
    }
}

/* One group of channels of one image. */
static void run_planes(const hzi_step *step, const hzi_dense *layer, const float *x, float *y) {
    const convolution *conv = step->param;
    char *scratch = step->scratch;
    float *rows = (float *)(void *)(scratch + conv->rows);
    float *sums = (float *)(void *)(scratch + conv->sums);
    uint32_t *list = (uint32_t *)(void *)(scratch + conv->list);
    float *pixels = (float *)(void *)(scratch + conv->pixels);
    make_pixels(conv, x, pixels);
    for (int64_t first = 0; first < conv->window.out_plane; first += POSITIONS) {
        int64_t left = conv->window.out_plane - first;
        int64_t count = left < POSITIONS ? left : POSITIONS;
        const int32_t *places = conv->places ? conv->places + first * conv->window.taps : NULL;
        if (!places) {
            look_up(&conv->window, first, count, step->scratch);
            places = step->scratch;
        }
        fill_rows(conv, pixels, places, count, rows);
        hzi_kernels_in_use->dense(layer, rows, layer->inputs, (size_t)count, sums, layer->outputs,
                                  list);
        spread(conv, sums, count, y + first);
    }
}

static void run_convolution(const hzi_step *step) {
    const convolution *conv = step->param;
    const float *x = step->inputs[0]->data;
    float *y = step->outputs[0]->data, *weights = conv->weights, *bias = conv->bias;
    hzi_dense layer = {
        .inputs = (size_t)conv->depth, .outputs = (size_t)conv->group_out, .finite = conv->finite};
    if (!weights) {
        weights = (float *)(void *)((char *)step->scratch + conv->packed);
        bias = weights + (size_t)conv->groups * conv->group_weights;
        layer.finite = pack(step, conv, weights, bias);
    }
    for (int64_t block = 0; block < conv->window.images * conv->groups; block++) {
        size_t group = (size_t)(block % conv->groups);
        layer.weights = weights + group * conv->group_weights;
        layer.bias = bias + group * conv->group_bias;
        run_planes(step, &layer, x + block * conv->group_in * conv->window.in_plane,
                   y + block * conv->group_out * conv->window.out_plane);
    }
}

/* ---- preparing --------------------------------------------------------------------------------- */

static const hz_element only_float[] = {HZ_ELEMENT_FLOAT, HZ_ELEMENT_UNDEFINED};

/* kernel_shape may be left out; when it is there it must be that of the weights. */
static hz_status check_kernel_shape(hzi_step *step, const int64_t *kernel, int axes) {
    const int64_t *given = NULL;
    size_t count = 0;
    hz_status status = hzi_step_ints(step, "kernel_shape", &given, &count);
    if (status || !given) {
        return status;
    }
    if (count != (size_t)axes || memcmp(given, kernel, count * sizeof *given) != 0) {
        return hzi_step_refuse(step, "kernel_shape is not that of the weights");
    }
    return HZ_OK;
}

static hz_status check_channels(hzi_step *step, convolution *conv) {
    const hzi_tensor *weights = step->inputs[1];
    int64_t channels = conv->window.channels, filters = weights->shape.dim[0];
    if (conv->groups < 1 || channels < 1 || filters < 1 || channels % conv->groups ||
        filters % conv->groups) {
        return hzi_step_refuse(step,
                               "%" PRId64 " groups do not divide %" PRId64 " input and %" PRId64
                               " output channels",
                               conv->groups, channels, filters);
    }
    conv->group_in = channels / conv->groups;
    conv->group_out = filters / conv->groups;
    if (weights->shape.dim[1] != conv->group_in) {
        return hzi_step_refuse(step, "weights for %" PRId64 " channels, each group has %" PRId64,
                               weights->shape.dim[1], conv->group_in);
    }
    if (step->input_count > 2 && step->inputs[2] &&
        (step->inputs[2]->shape.rank != 1 || step->inputs[2]->shape.dim[0] != filters)) {
        return hzi_step_refuse(step, "the bias must have %" PRId64 " numbers", filters);
    }
    return HZ_OK;
}

/* Work memory, and packed weights when they are known already. The output's size has been checked;
 * weights, planes and taps are inputs, so none of these products is large. */
static hz_status lay_out(hzi_step *step, convolution *conv) {
    size_t depth = (size_t)conv->depth, outputs = (size_t)conv->group_out;
    conv->group_weights = hzi_dense_weights(depth, outputs);
    conv->group_bias = hzi_dense_padded(outputs);
    size_t groups = (size_t)conv->groups;
    size_t packed = groups * (conv->group_weights + conv->group_bias) * sizeof(float);
    conv->rows = aligned(POSITIONS * (size_t)conv->window.taps * sizeof(int32_t));
    conv->sums = conv->rows + aligned(POSITIONS * depth * sizeof(float));
    conv->list = conv->sums + aligned(POSITIONS * outputs * sizeof(float));
    conv->pixels = conv->list + aligned((depth + HZI_DENSE_LIST_ROOM) * sizeof(uint32_t));
    size_t pixels = ((size_t)conv->window.in_plane + 1) * (size_t)conv->group_in;
    conv->packed = conv->pixels + aligned(pixels * sizeof(float));
    step->scratch_bytes = conv->packed;
    bool bias_known = step->input_count < 3 || !step->inputs[2] || step->inputs[2]->known;
    if (!step->inputs[1]->known || !bias_known) {
        step->scratch_bytes += packed;
        return HZ_OK;
    }
    char *memory = hzi_step_alloc(step, packed + ALIGNMENT);
    if (!memory) {
        return hzi_step_no_memory(step);
    }
    memory += (ALIGNMENT - (uintptr_t)memory % ALIGNMENT) % ALIGNMENT;
    conv->weights = (float *)(void *)memory;
    conv->bias = conv->weights + groups * conv->group_weights;
    conv->finite = pack(step, conv, conv->weights, conv->bias);
    return HZ_OK;
}

/* The places of small planes are looked up once and for all. */
static hz_status keep_places(hzi_step *step, convolution *conv) {
    if (conv->window.out_plane > KEPT_PLACES / conv->window.taps) {
        return HZ_OK;
    }
    size_t count = (size_t)conv->window.out_plane * (size_t)conv->window.taps;
    int32_t *places = hzi_step_alloc(step, count * sizeof *places);
    if (!places) {
        return hzi_step_no_memory(step);
    }
    look_up(&conv->window, 0, conv->window.out_plane, places);
    conv->places = places;
    return HZ_OK;
}

static hz_status prepare_convolution(hzi_step *step) {
    const hzi_tensor *x = step->inputs[0], *weights = step->inputs[1];
    for (uint32_t i = 0; i < step->input_count; i++) {
        bool there = i < 2 || step->inputs[i];
        hz_status status = there ? hzi_step_element_in(step, i, only_float) : HZ_OK;
        if (status) {
            return status;
        }
    }
    if (weights->shape.rank != x->shape.rank || x->shape.rank < 3) {
        return hzi_step_refuse(step, "weights of rank %d for an input of rank %d",
                               weights->shape.rank, x->shape.rank);
    }
    convolution *conv = hzi_step_alloc(step, sizeof *conv);
    if (!conv) {
        return hzi_step_no_memory(step);
    }
    const int64_t *kernel = weights->shape.dim + 2;
    hz_status status = check_kernel_shape(step, kernel, x->shape.rank - 2);
    status = status ? status : hzi_window_make(step, kernel, false, &conv->window);
    status = status ? status : hzi_step_int(step, "group", 1, &conv->groups);
    status = status ? status : check_channels(step, conv);
    if (status) {
        return status;
    }
    hzi_shape shape = hzi_window_shape(&conv->window, weights->shape.dim[0]);
    status = hzi_step_output(step, 0, HZ_ELEMENT_FLOAT, &shape);
    if (status) {
        return status;
    }
    if (conv->window.in_plane > INT32_MAX) {
        return hzi_step_refuse(step, "planes of %" PRId64 " numbers are too large",
                               conv->window.in_plane);
    }
    conv->depth = conv->window.taps * conv->group_in; /* the weights of one output channel */
    step->multiply_adds = (uint64_t)hzi_shape_count(&shape) * (uint64_t)conv->depth;
    step->param = conv;
    step->run = run_convolution;
    status = keep_places(step, conv);
    return status ? status : lay_out(step, conv);
}

const hzi_operator hzi_operators_convolution[] = {
    {.name = "Conv",
     .domain = "",
     .first = 1,
     .last = 21,
     .inputs_min = 2,
     .inputs_max = 3,
     .outputs_min = 1,
     .outputs_max = 1,
     .attributes = "auto_pad dilations group kernel_shape pads strides",
     .prepare = prepare_convolution},
    {.name = NULL},
};
