/* SPDX-License-Identifier: MIT */
/*
 * Normalizing: by fixed statistics (BatchNormalization), by the statistics of the numbers
 * themselves (Layer-, Instance-, GroupNormalization, MeanVarianceNormalization), by neighbouring
 * channels (LRN). Means and variances are summed in double, one after the other, in two passes, so
 * that neither size nor order of a batch can show.
 */
#include "model/operator.h"

#include <inttypes.h>
#include <math.h>

static const hz_element only_float[] = {HZ_ELEMENT_FLOAT, HZ_ELEMENT_UNDEFINED};

/* Refuses unless every input that is there is of floats. */
static hz_status floats_only(hzi_step *step) {
    hz_status status = HZ_OK;
    for (uint32_t i = 0; !status && i < step->input_count; i++) {
        status = step->inputs[i] ? hzi_step_element_in(step, i, only_float) : HZ_OK;
    }
    return status;
}

/* Refuses unless input `index` is a list of `count` numbers. */
static hz_status list_of(hzi_step *step, uint32_t index, int64_t count, const char *what) {
    const hzi_shape *shape = &step->inputs[index]->shape;
    if (shape->rank != 1 || shape->dim[0] != count) {
        char text[96];
        hzi_shape_text(shape, text, sizeof text);
        return hzi_step_refuse(step, "%s has shape %s instead of [%" PRId64 "]", what, text, count);
    }
    return HZ_OK;
}

/* ---- by fixed statistics ------------------------------------------------------------------------ */

typedef struct batch_normalization {
    int64_t images, channels, plane;
    float epsilon;
    const float *factors; /* scale / sqrt(variance + epsilon), when known */
} batch_normalization;

static void fill_factors(const hzi_step *step, const batch_normalization *norm, float *factors) {
    const float *scale = step->inputs[1]->data, *variance = step->inputs[4]->data;
    for (int64_t c = 0; c < norm->channels; c++) {
        factors[c] = scale[c] / sqrtf(variance[c] + norm->epsilon);
    }
}

static void run_batch_normalization(const hzi_step *step) {
    const batch_normalization *norm = step->param;
    const float *x = step->inputs[0]->data, *bias = step->inputs[2]->data;
    const float *mean = step->inputs[3]->data, *factors = norm->factors;
    float *y = step->outputs[0]->data;
    if (!factors) {
        fill_factors(step, norm, step->scratch);
        factors = step->scratch;
    }
    if (norm->plane == 1) {
        for (int64_t n = 0; n < norm->images; n++, x += norm->channels, y += norm->channels) {
            for (int64_t c = 0; c < norm->channels; c++) {
                y[c] = (x[c] - mean[c]) * factors[c] + bias[c];
            }
        }
        return;
    }
    for (int64_t n = 0; n < norm->images; n++) {
        for (int64_t c = 0; c < norm->channels; c++, x += norm->plane, y += norm->plane) {
            for (int64_t i = 0; i < norm->plane; i++) {
                y[i] = (x[i] - mean[c]) * factors[c] + bias[c];
            }
        }
    }
}

/* Statistics of the batch would make rows depend on each other: only fixed ones are served. */
static hz_status refuse_training(hzi_step *step) {
    int64_t training = 0, spatial = 1;
    hz_status status = hzi_step_int(step, "training_mode", 0, &training);
    status = status ? status : hzi_step_int(step, "spatial", 1, &spatial);
    if (status) {
        return status;
    }
    if (training != 0) {
        return hzi_step_refuse(step,
                               "training_mode %" PRId64 " would make rows depend on each "
                               "other; only 0 is served",
                               training);
    }
    if (spatial != 1) {
        return hzi_step_refuse(step, "spatial %" PRId64 " is not served, only 1", spatial);
    }
    for (uint32_t i = 1; i < step->output_count; i++) {
        if (step->outputs[i]) {
            return hzi_step_refuse(step, "output %" PRIu32 " exists in training only", i);
        }
    }
    return HZ_OK;
}

static hz_status prepare_batch_normalization(hzi_step *step) {
    static const char *const names[] = {"", "scale", "B", "mean", "var"};
    const hzi_shape *shape = &step->inputs[0]->shape;
    batch_normalization *norm = hzi_step_alloc(step, sizeof *norm);
    if (!norm) {
        return hzi_step_no_memory(step);
    }
    float momentum;
    hz_status status = floats_only(step);
    status = status ? status : refuse_training(step);
    status = status ? status : hzi_step_float(step, "epsilon", 1e-5F, &norm->epsilon);
    status = status ? status : hzi_step_float(step, "momentum", 0.9F, &momentum);
    if (status) {
        return status;
    }
    if (shape->rank < 1) {
        return hzi_step_refuse(step, "the input has no dimension");
    }
    norm->images = shape->dim[0];
    norm->channels = shape->rank > 1 ? shape->dim[1] : 1;
    norm->plane = 1;
    for (int i = 2; i < shape->rank; i++) {
        norm->plane *= shape->dim[i];
    }
    for (uint32_t i = 1; !status && i < 5; i++) {
        status = list_of(step, i, norm->channels, names[i]);
    }
    status = status ? status : hzi_step_output(step, 0, HZ_ELEMENT_FLOAT, shape);
    if (status) {
        return status;
    }
    size_t size = (size_t)norm->channels * sizeof(float);
    if (step->inputs[1]->known && step->inputs[4]->known) {
        float *factors = hzi_step_alloc(step, size);
        if (!factors) {
            return hzi_step_no_memory(step);
        }
        fill_factors(step, norm, factors);
        norm->factors = factors;
    } else {
        step->scratch_bytes = size;
    }
    step->multiply_adds = (uint64_t)step->inputs[0]->count;
    step->param = norm;
    step->run = run_batch_normalization;
    return HZ_OK;
}

/* ---- by their own statistics -------------------------------------------------------------------- */

typedef struct moments {
    double mean, variance;
} moments;

static moments moments_of(const float *x, int64_t count) {
    moments found = {0, 0};
    for (int64_t i = 0; i < count; i++) {
        found.mean += (double)x[i];
    }
    found.mean /= (double)count;
    for (int64_t i = 0; i < count; i++) {
        double away = (double)x[i] - found.mean;
        found.variance += away * away;
    }
    found.variance /= (double)count;
    return found;
}

typedef struct layer_normalization {
    int64_t rows, width;
    float epsilon;
    bool one_scale, one_bias; /* a single number for all of a row */
} layer_normalization;

static void run_layer_normalization(const hzi_step *step) {
    const layer_normalization *norm = step->param;
    const float *x = step->inputs[0]->data, *scale = step->inputs[1]->data;
    const float *bias = step->input_count > 2 && step->inputs[2] ? step->inputs[2]->data : NULL;
    float *out[3] = {NULL, NULL, NULL};
    for (uint32_t i = 0; i < step->output_count; i++) {
        out[i] = step->outputs[i] ? step->outputs[i]->data : NULL;
    }
    for (int64_t row = 0; row < norm->rows; row++, x += norm->width) {
        moments found = moments_of(x, norm->width);
        double factor = 1.0 / sqrt(found.variance + (double)norm->epsilon);
        if (out[0]) {
            float mean = (float)found.mean, narrow = (float)factor;
            float *y = out[0] + row * norm->width;
            for (int64_t i = 0; i < norm->width; i++) {
                float value = (x[i] - mean) * narrow * scale[norm->one_scale ? 0 : i];
                y[i] = bias ? value + bias[norm->one_bias ? 0 : i] : value;
            }
        }
        if (out[1]) {
            out[1][row] = (float)found.mean;
        }
        if (out[2]) {
            out[2][row] = (float)factor;
        }
    }
}

/* Scale and bias are single numbers or have exactly the normalized dimensions. */
static hz_status fit_to_row(hzi_step *step, uint32_t index, const char *what, int axis,
                            bool *single) {
    const hzi_shape *given = &step->inputs[index]->shape, *x = &step->inputs[0]->shape;
    *single = step->inputs[index]->count == 1;
    if (*single && given->rank <= x->rank) {
        return HZ_OK;
    }
    hzi_shape row = {.rank = x->rank - axis};
    for (int i = 0; i < row.rank; i++) {
        row.dim[i] = x->dim[axis + i];
    }
    hzi_shape rest = {0}; /* `given` without leading ones that only add rank */
    int skip = 0;
    while (given->rank - skip > row.rank && given->dim[skip] == 1) {
        skip++;
    }
    rest.rank = given->rank - skip;
    for (int i = 0; i < rest.rank; i++) {
        rest.dim[i] = given->dim[skip + i];
    }
    if (!hzi_shape_equal(&rest, &row)) {
        char text[96], wanted[96];
        hzi_shape_text(given, text, sizeof text);
        hzi_shape_text(&row, wanted, sizeof wanted);
        return hzi_step_refuse(step, "%s has shape %s instead of %s", what, text, wanted);
    }
    return HZ_OK;
}

static hz_status prepare_layer_normalization(hzi_step *step) {
    layer_normalization *norm = hzi_step_alloc(step, sizeof *norm);
    if (!norm) {
        return hzi_step_no_memory(step);
    }
    const hzi_shape *shape = &step->inputs[0]->shape;
    int64_t axis_given = -1, stash = 1;
    hz_status status = floats_only(step);
    status = status ? status : hzi_step_int(step, "axis", -1, &axis_given);
    status = status ? status : hzi_step_float(step, "epsilon", 1e-5F, &norm->epsilon);
    status = status ? status : hzi_step_int(step, "stash_type", 1, &stash);
    if (status) {
        return status;
    }
    int axis = hzi_axis(axis_given, shape->rank);
    if (axis < 0) {
        return hzi_step_refuse(step, "axis %" PRId64 " is outside rank %d", axis_given,
                               shape->rank);
    }
    if (stash != HZ_ELEMENT_FLOAT) {
        return hzi_step_refuse(step, "stash_type %" PRId64 " is not FLOAT", stash);
    }
    status = fit_to_row(step, 1, "Scale", axis, &norm->one_scale);
    if (!status && step->input_count > 2 && step->inputs[2]) {
        status = fit_to_row(step, 2, "B", axis, &norm->one_bias);
    }
    hzi_shape outer = *shape;
    norm->rows = norm->width = 1;
    for (int i = 0; i < shape->rank; i++) {
        *(i < axis ? &norm->rows : &norm->width) *= shape->dim[i];
        outer.dim[i] = i < axis ? shape->dim[i] : 1;
    }
    for (uint32_t i = 0; !status && i < step->output_count; i++) {
        status = hzi_step_output(step, i, HZ_ELEMENT_FLOAT, i == 0 ? shape : &outer);
    }
    step->multiply_adds = 3 * (uint64_t)step->inputs[0]->count;
    step->param = norm;
    step->run = run_layer_normalization;
    return status;
}

/* Instance- and GroupNormalization: runs of channels of one image. */
typedef struct group_normalization {
    int64_t images, channels, plane, group; /* channels per group */
    float epsilon;
    bool by_group; /* one scale and bias per group, not per channel */
} group_normalization;

static void run_group_normalization(const hzi_step *step) {
    const group_normalization *norm = step->param;
    const float *x = step->inputs[0]->data, *scale = step->inputs[1]->data;
    const float *bias = step->inputs[2]->data;
    float *y = step->outputs[0]->data;
    for (int64_t n = 0; n < norm->images; n++) {
        for (int64_t first = 0; first < norm->channels; first += norm->group) {
            moments found = moments_of(x, norm->group * norm->plane);
            float mean = (float)found.mean;
            float factor = (float)(1.0 / sqrt(found.variance + (double)norm->epsilon));
            for (int64_t c = first; c < first + norm->group; c++) {
                int64_t at = norm->by_group ? first / norm->group : c;
                for (int64_t i = 0; i < norm->plane; i++) {
                    *y++ = (*x++ - mean) * factor * scale[at] + bias[at];
                }
            }
        }
    }
}

static hz_status prepare_groups(hzi_step *step, int64_t groups, bool by_group) {
    group_normalization *norm = hzi_step_alloc(step, sizeof *norm);
    if (!norm) {
        return hzi_step_no_memory(step);
    }
    const hzi_shape *shape = &step->inputs[0]->shape;
    hz_status status = floats_only(step);
    status = status ? status : hzi_step_float(step, "epsilon", 1e-5F, &norm->epsilon);
    if (status) {
        return status;
    }
    if (shape->rank < 3) {
        return hzi_step_refuse(step, "an input of rank %d; 3 is the least", shape->rank);
    }
    norm->images = shape->dim[0];
    norm->channels = shape->dim[1];
    norm->plane = 1;
    for (int i = 2; i < shape->rank; i++) {
        norm->plane *= shape->dim[i];
    }
    groups = groups ? groups : norm->channels;
    if (groups < 1 || norm->channels % groups) {
        return hzi_step_refuse(step, "%" PRId64 " groups do not divide %" PRId64 " channels",
                               groups, norm->channels);
    }
    norm->group = norm->channels / groups;
    norm->by_group = by_group;
    int64_t wanted = by_group ? groups : norm->channels;
    status = list_of(step, 1, wanted, "scale");
    status = status ? status : list_of(step, 2, wanted, "bias");
    status = status ? status : hzi_step_output(step, 0, HZ_ELEMENT_FLOAT, shape);
    step->multiply_adds = 3 * (uint64_t)step->inputs[0]->count;
    step->param = norm;
    step->run = run_group_normalization;
    return status;
}

static hz_status prepare_instance_normalization(hzi_step *step) {
    return prepare_groups(step, 0, false);
}

static hz_status prepare_group_normalization(hzi_step *step) {
    int64_t groups = 0, stash = 1;
    hz_status status = hzi_step_int(step, "num_groups", 0, &groups);
    status = status ? status : hzi_step_int(step, "stash_type", 1, &stash);
    if (status) {
        return status;
    }
    if (groups < 1) {
        return hzi_step_refuse(step, "num_groups %" PRId64 " is less than 1", groups);
    }
    if (stash != HZ_ELEMENT_FLOAT) {
        return hzi_step_refuse(step, "stash_type %" PRId64 " is not FLOAT", stash);
    }
    return prepare_groups(step, groups, step->node->opset < 21);
}

/* MeanVarianceNormalization over any axes. */
typedef struct mean_variance {
    int rank;
    int64_t dim[HZ_RANK_MAX];
    int64_t stride[HZ_RANK_MAX]; /* of the statistics; 0 along normalized axes */
    int64_t groups, share;       /* number of statistics, numbers behind each */
} mean_variance;

/* Steps an index of x forward; returns the place of its statistics. */
static int64_t next_group(const mean_variance *norm, int64_t *index, int64_t at) {
    for (int axis = norm->rank - 1; axis >= 0; axis--) {
        at += norm->stride[axis];
        if (++index[axis] < norm->dim[axis]) {
            break;
        }
        at -= norm->stride[axis] * norm->dim[axis];
        index[axis] = 0;
    }
    return at;
}

static void run_mean_variance(const hzi_step *step) {
    const mean_variance *norm = step->param;
    const float *x = step->inputs[0]->data;
    float *y = step->outputs[0]->data;
    moments *found = step->scratch;
    int64_t count = step->inputs[0]->count, index[HZ_RANK_MAX] = {0}, at = 0;
    for (int64_t i = 0; i < norm->groups; i++) {
        found[i] = (moments){0, 0};
    }
    for (int64_t i = 0; i < count; i++, at = next_group(norm, index, at)) {
        found[at].mean += (double)x[i] / (double)norm->share;
    }
    for (int64_t i = 0; i < count; i++, at = next_group(norm, index, at)) {
        double away = (double)x[i] - found[at].mean;
        found[at].variance += away * away / (double)norm->share;
    }
    for (int64_t i = 0; i < count; i++, at = next_group(norm, index, at)) {
        y[i] = (float)(((double)x[i] - found[at].mean) / (sqrt(found[at].variance) + 1e-9));
    }
}

static hz_status prepare_mean_variance(hzi_step *step) {
    static const int64_t usual[] = {0, 2, 3};
    mean_variance *norm = hzi_step_alloc(step, sizeof *norm);
    if (!norm) {
        return hzi_step_no_memory(step);
    }
    const hzi_shape *shape = &step->inputs[0]->shape;
    const int64_t *axes = NULL;
    size_t count = 0;
    hz_status status = floats_only(step);
    status = status ? status : hzi_step_ints(step, "axes", &axes, &count);
    if (status) {
        return status;
    }
    if (!axes) {
        axes = usual;
        count = 3;
    }
    bool over[HZ_RANK_MAX] = {false};
    for (size_t i = 0; i < count; i++) {
        int axis = hzi_axis(axes[i], shape->rank);
        if (axis < 0 || over[axis]) {
            return hzi_step_refuse(step, "axis %" PRId64 " is outside rank %d or double", axes[i],
                                   shape->rank);
        }
        over[axis] = true;
    }
    norm->rank = shape->rank;
    norm->groups = norm->share = 1;
    for (int axis = shape->rank - 1; axis >= 0; axis--) {
        norm->dim[axis] = shape->dim[axis];
        norm->stride[axis] = over[axis] ? 0 : norm->groups;
        *(over[axis] ? &norm->share : &norm->groups) *= shape->dim[axis];
    }
    step->scratch_bytes = (size_t)norm->groups * sizeof(moments);
    step->multiply_adds = 3 * (uint64_t)step->inputs[0]->count;
    step->param = norm;
    step->run = run_mean_variance;
    return hzi_step_output(step, 0, HZ_ELEMENT_FLOAT, shape);
}

/* ---- by neighbouring channels ------------------------------------------------------------------- */

typedef struct response {
    int64_t images, channels, plane, before, after;
    double alpha, beta, bias; /* alpha already divided by the size */
} response;

static void run_response(const hzi_step *step) {
    const response *norm = step->param;
    const float *x = step->inputs[0]->data;
    float *y = step->outputs[0]->data;
    for (int64_t n = 0; n < norm->images; n++) {
        const float *image = x + n * norm->channels * norm->plane;
        for (int64_t c = 0; c < norm->channels; c++) {
            int64_t first = c < norm->before ? 0 : c - norm->before;
            int64_t last =
                norm->channels - 1 - c < norm->after ? norm->channels - 1 : c + norm->after;
            for (int64_t i = 0; i < norm->plane; i++) {
                double sum = 0;
                for (int64_t k = first; k <= last; k++) {
                    double value = (double)image[k * norm->plane + i];
                    sum += value * value;
                }
                double by = pow(norm->bias + norm->alpha * sum, norm->beta);
                *y++ = (float)((double)image[c * norm->plane + i] / by);
            }
        }
    }
}

static hz_status prepare_response(hzi_step *step) {
    response *norm = hzi_step_alloc(step, sizeof *norm);
    if (!norm) {
        return hzi_step_no_memory(step);
    }
    const hzi_shape *shape = &step->inputs[0]->shape;
    float alpha = 0, beta = 0, bias = 0;
    int64_t size = 0;
    hz_status status = floats_only(step);
    status = status ? status : hzi_step_float(step, "alpha", 1e-4F, &alpha);
    status = status ? status : hzi_step_float(step, "beta", 0.75F, &beta);
    status = status ? status : hzi_step_float(step, "bias", 1.0F, &bias);
    status = status ? status : hzi_step_int(step, "size", 0, &size);
    if (status) {
        return status;
    }
    if (shape->rank < 2) {
        return hzi_step_refuse(step, "an input of rank %d has no channels", shape->rank);
    }
    if (size < 1) {
        return hzi_step_refuse(step, "size %" PRId64 " is missing or less than 1", size);
    }
    norm->images = shape->dim[0];
    norm->channels = shape->dim[1];
    norm->plane = 1;
    for (int i = 2; i < shape->rank; i++) {
        norm->plane *= shape->dim[i];
    }
    norm->before = (size - 1) / 2;
    norm->after = size / 2;
    norm->alpha = (double)alpha / (double)size;
    norm->beta = (double)beta;
    norm->bias = (double)bias;
    step->multiply_adds = (uint64_t)step->inputs[0]->count *
                          (uint64_t)(size < norm->channels ? size : norm->channels);
    step->param = norm;
    step->run = run_response;
    return hzi_step_output(step, 0, HZ_ELEMENT_FLOAT, shape);
}

#define NORMALIZATION(operator_name, first_opset, last_opset, in_min, in_max, out_max, names,      \
                      prepare_it)                                                                  \
    {                                                                                              \
        .name = (operator_name), .domain = "", .first = (first_opset), .last = (last_opset),       \
        .inputs_min = (in_min), .inputs_max = (in_max), .outputs_min = 1,                          \
        .outputs_max = (out_max), .attributes = (names), .prepare = (prepare_it)                   \
    }

const hzi_operator hzi_operators_normalize[] = {
    NORMALIZATION("BatchNormalization", 7, 8, 5, 5, 5, "epsilon momentum spatial",
                  prepare_batch_normalization),
    NORMALIZATION("BatchNormalization", 9, 13, 5, 5, 5, "epsilon momentum",
                  prepare_batch_normalization),
    NORMALIZATION("BatchNormalization", 14, 21, 5, 5, 3, "epsilon momentum training_mode",
                  prepare_batch_normalization),
    NORMALIZATION("GroupNormalization", 18, 20, 3, 3, 1, "epsilon num_groups",
                  prepare_group_normalization),
    NORMALIZATION("GroupNormalization", 21, 21, 3, 3, 1, "epsilon num_groups stash_type",
                  prepare_group_normalization),
    NORMALIZATION("InstanceNormalization", 6, 21, 3, 3, 1, "epsilon",
                  prepare_instance_normalization),
    NORMALIZATION("LRN", 1, 21, 1, 1, 1, "alpha beta bias size", prepare_response),
    NORMALIZATION("LayerNormalization", 17, 21, 2, 3, 3, "axis epsilon stash_type",
                  prepare_layer_normalization),
    NORMALIZATION("MeanVarianceNormalization", 9, 21, 1, 1, 1, "axes", prepare_mean_variance),
    {.name = NULL},
};
