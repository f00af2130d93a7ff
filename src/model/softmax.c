/* SPDX-License-Identifier: MIT */
/*
 * Softmax, LogSoftmax and Hardmax: lines of numbers, each for itself. Before opset 13 a line is
 * everything from the axis on, since then it is the axis alone. A line's greatest number is taken
 * off first, and its sum is taken in order, in double.
 */
#include "model/kernels.h"
#include "model/number.h"
#include "model/stride.h"

#include <math.h>
#include <string.h>

typedef enum soft_kind { SOFT, LOG_SOFT, HARD } soft_kind;

typedef struct softness {
    soft_kind kind;
    int64_t outer, length, inner; /* element i of a line is inner * i behind its first */
} softness;

/* Index of the first greatest number; NaN is never greater. */
static int64_t greatest(const double *line, int64_t n) {
    int64_t best = 0;
    for (int64_t i = 1; i < n; i++) {
        best = line[i] > line[best] ? i : best;
    }
    return best;
}

/* A float line, in place. */
static void soft_floats(const softness *s, float *line) {
    float top = -INFINITY;
    double sum = 0;
    for (int64_t i = 0; i < s->length; i++) {
        top = line[i] > top ? line[i] : top;
    }
    for (int64_t i = 0; i < s->length; i++) {
        line[i] -= top;
    }
    hzi_kernels_in_use->map(HZI_MAP_EXP, line, line, (size_t)s->length, 0, 0);
    for (int64_t i = 0; i < s->length; i++) {
        sum += (double)line[i];
    }
    float by = (float)sum;
    for (int64_t i = 0; i < s->length; i++) {
        line[i] /= by;
    }
}

/* Any line as double, in place. */
static void soft_doubles(const softness *s, double *line) {
    int64_t best = greatest(line, s->length);
    if (s->kind == HARD) {
        memset(line, 0, (size_t)s->length * sizeof *line);
        line[best] = 1;
        return;
    }
    double top = line[best], sum = 0;
    for (int64_t i = 0; i < s->length; i++) {
        line[i] -= top;
        sum += hzi_exp(line[i]);
    }
    double log_sum = hzi_log(sum);
    for (int64_t i = 0; i < s->length; i++) {
        line[i] = s->kind == SOFT ? hzi_exp(line[i]) / sum : line[i] - log_sum;
    }
}

static void run_soft(const hzi_step *step) {
    const softness *s = step->param;
    const hzi_tensor *input = step->inputs[0], *output = step->outputs[0];
    bool fast = s->kind == SOFT && input->element == HZ_ELEMENT_FLOAT;
    for (int64_t k = 0; k < s->outer * s->inner; k++) {
        int64_t first = k / s->inner * s->length * s->inner + k % s->inner;
        if (fast) {
            const float *from = (const float *)input->data + first;
            float *to = (float *)output->data + first, *line = step->scratch;
            line = s->inner == 1 ? to : line;
            for (int64_t i = 0; i < s->length; i++) {
                line[i] = from[i * s->inner];
            }
            soft_floats(s, line);
            for (int64_t i = 0; i < s->length && line != to; i++) {
                to[i * s->inner] = line[i];
            }
            continue;
        }
        double *line = step->scratch;
        hzi_load_reals(input->element, input->data, first, s->inner, s->length, line);
        soft_doubles(s, line);
        for (int64_t i = 0; i < s->length; i++) {
            hzi_store_reals(output->element, output->data, first + i * s->inner, 1, &line[i]);
        }
    }
}

static hz_status prepare_soft(hzi_step *step) {
    static const hz_element REAL[] = {HZ_ELEMENT_FLOAT, HZ_ELEMENT_DOUBLE, HZ_ELEMENT_FLOAT16,
                                      HZ_ELEMENT_BFLOAT16, HZ_ELEMENT_UNDEFINED};
    bool flat = step->node->opset < 13;
    int axis;
    hz_status status = hzi_step_element_in(step, 0, REAL);
    if (status != HZ_OK) {
        return status;
    }
    const hzi_tensor *input = step->inputs[0];
    status = hzi_step_axis(step, flat ? 1 : -1, input->shape.rank, &axis);
    status = status == HZ_OK ? hzi_step_output(step, 0, input->element, &input->shape) : status;
    if (status != HZ_OK) {
        return status;
    }
    hzi_step_runs(step, run_soft);
    if (input->count == 0) {
        step->run = hzi_run_nothing;
        return HZ_OK;
    }
    softness *s = hzi_step_alloc(step, sizeof *s);
    if (!s) {
        return hzi_step_no_memory(step);
    }
    s->kind = step->op->name[0] == 'S' ? SOFT : step->op->name[0] == 'L' ? LOG_SOFT : HARD;
    s->outer = s->length = s->inner = 1;
    for (int i = 0; i < input->shape.rank; i++) {
        int64_t dim = input->shape.dim[i];
        s->outer *= i < axis ? dim : 1;
        s->length *= i == axis || (flat && i > axis) ? dim : 1;
        s->inner *= !flat && i > axis ? dim : 1;
    }
    step->param = s;
    step->scratch_bytes = (size_t)s->length * sizeof(double);
    return HZ_OK;
}

const hzi_operator hzi_operators_softmax[] = {
    /* name, domain, opsets, inputs, outputs, attributes */
    {"Softmax", "", 7, 21, 1, 1, 1, 1, "axis", prepare_soft},
    {"LogSoftmax", "", 7, 21, 1, 1, 1, 1, "axis", prepare_soft},
    {"Hardmax", "", 7, 21, 1, 1, 1, 1, "axis", prepare_soft},
    {.name = NULL},
};
