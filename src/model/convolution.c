/* SPDX-License-Identifier: MIT */
/*
 * Convolution as a dense layer: what the windows of some output positions see is laid out as rows
 * [position][channel, depth, row, column], the filters are the layer's weights. Padding takes part
 * as zeros. So the order of a sum is that of every dense layer, and planes that are mostly zeros
 * cost little.
 */
#include "model/kernels.h"
#include "model/window.h"

#include <inttypes.h>
#include <string.h>

enum { POSITIONS = 32, ALIGNMENT = 64 };

typedef struct convolution {
    hzi_window window;
    int64_t groups, group_in, group_out; /* channels of one group */
    int64_t depth;                       /* products per output: group_in * taps */
    size_t group_weights, group_bias;    /* packed floats of one group */
    float *weights, *bias;               /* packed for all groups, when known */
    bool finite;
    /* offsets into the scratch */
    size_t rows, sums, list, packed;
} convolution;

static size_t aligned(size_t size) {
    return (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
}

static bool pack(const hzi_step *step, const convolution *conv, float *weights, float *bias) {
    const float *filters = step->inputs[1]->data;
    const float *given = step->input_count > 2 && step->inputs[2] ? step->inputs[2]->data : NULL;
    size_t depth = (size_t)conv->depth, outputs = (size_t)conv->group_out;
    bool finite = true;
    for (size_t group = 0; group < (size_t)conv->groups; group++) {
        finite &= hzi_dense_pack(filters + group * outputs * depth, depth, outputs, 1, depth,
                                 weights + group * conv->group_weights);
        float *to = bias + group * conv->group_bias;
        memset(to, 0, conv->group_bias * sizeof *to);
        if (given) {
            memcpy(to, given + group * outputs, outputs * sizeof *to);
        }
    }
    return finite;
}

/* Where in a plane each tap of `count` positions from `first` on looks, -1 = padding. */
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

static void fill_rows(const convolution *conv, const float *planes, const int32_t *places,
                      int64_t count, float *rows) {
    for (int64_t position = 0; position < count; position++, places += conv->window.taps) {
        const float *plane = planes;
        for (int64_t channel = 0; channel < conv->group_in; channel++) {
            for (int64_t i = 0; i < conv->window.taps; i++) {
                *rows++ = places[i] < 0 ? 0.0F : plane[places[i]];
            }
            plane += conv->window.in_plane;
        }
    }
}

static void run_convolution(const hzi_step *step) {
    const convolution *conv = step->param;
    const hzi_window *window = &conv->window;
    const float *x = step->inputs[0]->data;
    float *y = step->outputs[0]->data;
    char *scratch = step->scratch;
    int32_t *places = step->scratch;
    float *rows = (float *)(void *)(scratch + conv->rows);
    float *sums = (float *)(void *)(scratch + conv->sums);
    float *weights = conv->weights, *bias = conv->bias;
    hzi_dense layer = {
        .inputs = (size_t)conv->depth, .outputs = (size_t)conv->group_out, .finite = conv->finite};
    if (!weights) {
        weights = (float *)(void *)(scratch + conv->packed);
        bias = weights + (size_t)conv->groups * conv->group_weights;
        layer.finite = pack(step, conv, weights, bias);
    }
    int64_t positions = window->images ? window->out_plane : 0;
    for (int64_t first = 0; first < positions; first += POSITIONS) {
        int64_t left = positions - first, count = left < POSITIONS ? left : POSITIONS;
        look_up(window, first, count, places);
        for (int64_t block = 0; block < window->images * conv->groups; block++) {
            size_t group = (size_t)(block % conv->groups);
            layer.weights = weights + group * conv->group_weights;
            layer.bias = bias + group * conv->group_bias;
            fill_rows(conv, x + block * conv->group_in * window->in_plane, places, count, rows);
            hzi_kernels_in_use->dense(&layer, rows, layer.inputs, (size_t)count, sums,
                                      layer.outputs, (uint32_t *)(void *)(scratch + conv->list));
            float *to = y + block * conv->group_out * window->out_plane + first;
            for (int64_t channel = 0; channel < conv->group_out; channel++) {
                for (int64_t i = 0; i < count; i++) {
                    to[channel * window->out_plane + i] = sums[i * conv->group_out + channel];
                }
            }
        }
    }
}

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
    conv->packed = conv->list + aligned((depth + HZI_DENSE_LIST_ROOM) * sizeof(uint32_t));
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

static hz_status prepare_convolution(hzi_step *step) {
    const hzi_tensor *x = step->inputs[0], *weights = step->inputs[1];
    for (uint32_t i = 0; i < step->input_count; i++) {
        hz_status status = step->inputs[i] ? hzi_step_element_in(step, i, only_float) : HZ_OK;
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
    conv->depth = conv->group_in * conv->window.taps; /* the weights of one output channel */
    step->multiply_adds = (uint64_t)hzi_shape_count(&shape) * (uint64_t)conv->depth;
    step->param = conv;
    step->run = run_convolution;
    return lay_out(step, conv);
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
