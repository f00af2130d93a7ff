/* SPDX-License-Identifier: MIT */
/*
 * The small operators of ai.onnx.ml: Scaler, Binarizer, LinearRegressor. Rows of numbers of any
 * usual type in, floats out; what is not FLOAT already is taken as double and rounded once at the
 * end.
 */
#include "model/number.h"
#include "model/post_transform.h"

#include <inttypes.h>

static const hz_element numbers[] = {HZ_ELEMENT_FLOAT, HZ_ELEMENT_DOUBLE, HZ_ELEMENT_INT64,
                                     HZ_ELEMENT_INT32, HZ_ELEMENT_UNDEFINED};

/* Element `at` of a tensor of one of these types. */
static double number_at(const hzi_tensor *tensor, int64_t at) {
    double number = 0;
    if (hzi_element_is_real(tensor->element)) {
        hzi_load_reals(tensor->element, tensor->data, at, 1, 1, &number);
    } else {
        int64_t whole = 0;
        hzi_load_wholes(tensor->element, tensor->data, at, 1, 1, &whole);
        number = (double)whole;
    }
    return number;
}

/* Rows and numbers per row of input 0: [F] is one row. */
static hz_status read_rows(hzi_step *step, int64_t *rows, int64_t *width) {
    const hzi_shape *shape = &step->inputs[0]->shape;
    hz_status status = hzi_step_element_in(step, 0, numbers);
    if (status) {
        return status;
    }
    if (shape->rank != 1 && shape->rank != 2) {
        return hzi_step_refuse(step, "an input of rank %d; 1 and 2 are known", shape->rank);
    }
    *rows = shape->rank == 1 ? 1 : shape->dim[0];
    *width = shape->dim[shape->rank - 1];
    return HZ_OK;
}

/* ---- Scaler -------------------------------------------------------------------------------------- */

typedef struct scaler {
    int64_t width;
    const float *offset, *scale; /* one per column */
} scaler;

static void run_scaler(const hzi_step *step) {
    const scaler *s = step->param;
    const hzi_tensor *x = step->inputs[0];
    float *y = step->outputs[0]->data;
    int64_t count = x->count;
    for (int64_t from = 0; from < count; from += s->width) {
        for (int64_t i = 0; i < s->width; i++) {
            if (x->element == HZ_ELEMENT_FLOAT) {
                const float *numbers_in = x->data;
                y[from + i] = (numbers_in[from + i] - s->offset[i]) * s->scale[i];
            } else {
                y[from + i] =
                    (float)((number_at(x, from + i) - (double)s->offset[i]) * (double)s->scale[i]);
            }
        }
    }
}

/* One number per column from a list of one or `width` numbers. */
static hz_status read_columns(hzi_step *step, const char *name, int64_t width, float fallback,
                              const float **columns) {
    const float *given = NULL;
    size_t count = 0;
    hz_status status = hzi_step_floats(step, name, &given, &count);
    if (status) {
        return status;
    }
    if (given && count != 1 && count != (size_t)width) {
        return hzi_step_refuse(step, "%s has %zu numbers for rows of %" PRId64, name, count, width);
    }
    float *list = hzi_step_alloc(step, (size_t)width * sizeof *list);
    if (!list) {
        return hzi_step_no_memory(step);
    }
    for (int64_t i = 0; i < width; i++) {
        list[i] = !given ? fallback : given[count == 1 ? 0 : i];
    }
    *columns = list;
    return HZ_OK;
}

static hz_status prepare_scaler(hzi_step *step) {
    scaler *s = hzi_step_alloc(step, sizeof *s);
    if (!s) {
        return hzi_step_no_memory(step);
    }
    int64_t rows = 0;
    hz_status status = read_rows(step, &rows, &s->width);
    status = status ? status : read_columns(step, "offset", s->width, 0.0F, &s->offset);
    status = status ? status : read_columns(step, "scale", s->width, 1.0F, &s->scale);
    step->multiply_adds = (uint64_t)step->inputs[0]->count;
    step->param = s;
    step->run = run_scaler;
    return status ? status : hzi_step_output(step, 0, HZ_ELEMENT_FLOAT, &step->inputs[0]->shape);
}

/* ---- Binarizer ----------------------------------------------------------------------------------- */

static void run_binarizer(const hzi_step *step) {
    const float *threshold = step->param, *x = step->inputs[0]->data;
    float *y = step->outputs[0]->data;
    for (int64_t i = 0; i < step->inputs[0]->count; i++) {
        y[i] = x[i] > *threshold ? 1.0F : 0.0F;
    }
}

static hz_status prepare_binarizer(hzi_step *step) {
    static const hz_element only_float[] = {HZ_ELEMENT_FLOAT, HZ_ELEMENT_UNDEFINED};
    float *threshold = hzi_step_alloc(step, sizeof *threshold);
    if (!threshold) {
        return hzi_step_no_memory(step);
    }
    hz_status status = hzi_step_element_in(step, 0, only_float);
    status = status ? status : hzi_step_float(step, "threshold", 0.0F, threshold);
    step->param = threshold;
    step->run = run_binarizer;
    return status ? status : hzi_step_output(step, 0, HZ_ELEMENT_FLOAT, &step->inputs[0]->shape);
}

/* ---- LinearRegressor ----------------------------------------------------------------------------- */

typedef struct regressor {
    int64_t rows, width, targets;
    const float *coefficients; /* [target][column] */
    const float *intercepts;   /* NULL = none */
    hzi_post_transform transform;
} regressor;

/* Products of floats are exact in double; their sum runs in column order and is rounded once. */
static void run_regressor(const hzi_step *step) {
    const regressor *r = step->param;
    const hzi_tensor *x = step->inputs[0];
    const float *floats = x->element == HZ_ELEMENT_FLOAT ? x->data : NULL;
    float *y = step->outputs[0]->data;
    for (int64_t row = 0; row < r->rows; row++, y += r->targets) {
        for (int64_t target = 0; target < r->targets; target++) {
            const float *factors = r->coefficients + target * r->width;
            double sum = r->intercepts ? (double)r->intercepts[target] : 0.0;
            for (int64_t i = 0; i < r->width; i++) {
                int64_t at = row * r->width + i;
                sum += (floats ? (double)floats[at] : number_at(x, at)) * (double)factors[i];
            }
            y[target] = (float)sum;
        }
        hzi_post_transform_row(r->transform, y, r->targets);
    }
}

static hz_status prepare_regressor(hzi_step *step) {
    regressor *r = hzi_step_alloc(step, sizeof *r);
    if (!r) {
        return hzi_step_no_memory(step);
    }
    size_t count = 0, intercepts = 0;
    hz_status status = read_rows(step, &r->rows, &r->width);
    status = status ? status : hzi_step_int(step, "targets", 1, &r->targets);
    status = status ? status : hzi_step_floats(step, "coefficients", &r->coefficients, &count);
    status = status ? status : hzi_step_floats(step, "intercepts", &r->intercepts, &intercepts);
    status = status ? status : hzi_post_transform_read(step, &r->transform);
    if (status) {
        return status;
    }
    if (r->targets < 1 || !r->coefficients || (uint64_t)r->targets > count ||
        count / (uint64_t)r->targets != (uint64_t)r->width || count % (uint64_t)r->targets) {
        return hzi_step_refuse(step,
                               "%zu coefficients for %" PRId64 " targets and rows of %" PRId64,
                               count, r->targets, r->width);
    }
    if (r->intercepts && intercepts != (size_t)r->targets) {
        return hzi_step_refuse(step, "%zu intercepts for %" PRId64 " targets", intercepts,
                               r->targets);
    }
    hzi_shape shape = {.rank = 2, .dim = {r->rows, r->targets}};
    step->multiply_adds = (uint64_t)step->inputs[0]->count * (uint64_t)r->targets;
    step->param = r;
    step->run = run_regressor;
    return hzi_step_output(step, 0, HZ_ELEMENT_FLOAT, &shape);
}

#define LINEAR(operator_name, names, prepare_it)                                                   \
    {                                                                                              \
        .name = (operator_name), .domain = "ai.onnx.ml", .first = 1, .last = 5, .inputs_min = 1,   \
        .inputs_max = 1, .outputs_min = 1, .outputs_max = 1, .attributes = (names),                \
        .prepare = (prepare_it)                                                                    \
    }

const hzi_operator hzi_operators_linear[] = {
    LINEAR("Binarizer", "threshold", prepare_binarizer),
    LINEAR("LinearRegressor", "coefficients intercepts post_transform targets", prepare_regressor),
    LINEAR("Scaler", "offset scale", prepare_scaler),
    {.name = NULL},
};
