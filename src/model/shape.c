/* SPDX-License-Identifier: MIT */
/*
 * Operators about shapes, and those that give constants: the numbers stay as they are or are known
 * before the graph runs. Reshape, Flatten, Squeeze and Unsqueeze are copies that fusion removes;
 * Shape, Size and Constant are done once prepared. A shape that a graph computes from its input's
 * numbers is refused: memory is planned before it runs.
 */
#include "model/stride.h"

#include "model/number.h"

#include <math.h>
#include <string.h>

/* ---- constants --------------------------------------------------------------------------------- */

/* Output 0 becomes these numbers, copied. */
static hz_status known_output(hzi_step *step, hz_element element, const hzi_shape *shape,
                              const void *data) {
    hz_status status = hzi_step_output(step, 0, element, shape);
    step->run = hzi_run_nothing;
    if (status != HZ_OK || !step->outputs[0]) {
        return status;
    }
    size_t size = (size_t)step->outputs[0]->count * hz_element_size(element);
    void *copy = hzi_arena_aligned(step->arena, size);
    if (!copy) {
        return hzi_step_no_memory(step);
    }
    if (size > 0) {
        memcpy(copy, data, size);
    }
    hzi_step_output_known(step, 0, copy);
    return HZ_OK;
}

static hz_status constant_tensor(hzi_step *step) {
    const hz_tensor *tensor;
    hz_status status = hzi_step_tensor(step, "value", &tensor);
    if (status != HZ_OK) {
        return status;
    }
    hzi_shape shape = {.rank = (int)tensor->rank};
    for (int i = 0; i < shape.rank; i++) {
        shape.dim[i] = tensor->shape[i];
    }
    return known_output(step, tensor->element, &shape, tensor->data);
}

static hz_status constant_ints(hzi_step *step) {
    const int64_t *values;
    size_t count;
    hz_status status = hzi_step_ints(step, "value_ints", &values, &count);
    hzi_shape shape = {.rank = 1, .dim = {(int64_t)count}};
    return status == HZ_OK ? known_output(step, HZ_ELEMENT_INT64, &shape, values) : status;
}

static hz_status constant_floats(hzi_step *step) {
    const float *values;
    size_t count;
    hz_status status = hzi_step_floats(step, "value_floats", &values, &count);
    hzi_shape shape = {.rank = 1, .dim = {(int64_t)count}};
    return status == HZ_OK ? known_output(step, HZ_ELEMENT_FLOAT, &shape, values) : status;
}

static hz_status constant_int(hzi_step *step) {
    int64_t value;
    hz_status status = hzi_step_int(step, "value_int", 0, &value);
    return status == HZ_OK ? known_output(step, HZ_ELEMENT_INT64, &(hzi_shape){0}, &value) : status;
}

static hz_status constant_float(hzi_step *step) {
    float value;
    hz_status status = hzi_step_float(step, "value_float", 0, &value);
    return status == HZ_OK ? known_output(step, HZ_ELEMENT_FLOAT, &(hzi_shape){0}, &value) : status;
}

static hz_status prepare_constant(hzi_step *step) {
    static const struct {
        const char *attribute;
        hz_status (*prepare)(hzi_step *step);
    } KINDS[] = {
        {"value", constant_tensor},        {"value_int", constant_int},
        {"value_ints", constant_ints},     {"value_float", constant_float},
        {"value_floats", constant_floats},
    };
    if (step->node->attribute_count != 1) {
        return hzi_step_refuse(step, "a constant has exactly one value, this one has %u",
                               step->node->attribute_count);
    }
    const char *name = step->node->attributes[0].name;
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++) {
        if (strcmp(KINDS[i].attribute, name) == 0) {
            return KINDS[i].prepare(step);
        }
    }
    return hzi_step_refuse(step, "attribute '%s': sparse and string constants are not served",
                           name);
}

/* What ConstantOfShape repeats: bytes of one element. */
typedef struct filling {
    size_t size;
    uint64_t bits;
} filling;

static void run_fill(const hzi_step *step) {
    const filling *fill = step->param;
    hzi_tensor *output = step->outputs[0];
    char *to = output->data;
    for (int64_t i = 0; i < output->count; i++) {
        memcpy(to + (size_t)i * fill->size, &fill->bits, fill->size);
    }
}

static hz_status prepare_constant_of_shape(hzi_step *step) {
    const int64_t *dims;
    size_t count;
    const hz_tensor *value;
    hz_status status = hzi_step_known_list(step, 0, "the shape", &dims, &count);
    status = status == HZ_OK ? hzi_step_tensor(step, "value", &value) : status;
    if (status != HZ_OK) {
        return status;
    }
    filling fill = {.size = sizeof(float)};
    hz_element element = HZ_ELEMENT_FLOAT;
    if (value) {
        element = value->element;
        fill.size = hz_element_size(element);
        if (value->rank > 1 || hz_tensor_count(value) != 1 || fill.size == 0 ||
            fill.size > sizeof fill.bits) {
            return hzi_step_refuse(step, "attribute 'value' must be one number");
        }
        memcpy(&fill.bits, value->data, fill.size);
    }
    if (count > HZ_RANK_MAX) {
        return hzi_step_refuse(step, "the shape has %zu dimensions; the most is %d", count,
                               HZ_RANK_MAX);
    }
    hzi_shape shape = {.rank = (int)count};
    for (size_t i = 0; i < count; i++) {
        if (dims[i] < 0) {
            return hzi_step_refuse(step, "dimension %zu of the shape is negative: %lld", i,
                                   (long long)dims[i]);
        }
        shape.dim[i] = dims[i];
    }
    step->param = hzi_step_alloc(step, sizeof fill);
    if (!step->param) {
        return hzi_step_no_memory(step);
    }
    memcpy(step->param, &fill, sizeof fill);
    hzi_step_runs(step, run_fill);
    return hzi_step_output(step, 0, element, &shape);
}

/* ---- Range ------------------------------------------------------------------------------------- */

/* Numbers in start, start + delta, ... before limit. */
static uint64_t whole_range(const int64_t at[3]) {
    uint64_t start = (uint64_t)at[0], limit = (uint64_t)at[1], delta = (uint64_t)at[2];
    if (at[2] > 0) {
        return at[1] > at[0] ? (limit - start - 1) / delta + 1 : 0;
    }
    return at[1] < at[0] ? (start - limit - 1) / (0 - delta) + 1 : 0;
}

/* The three inputs as elements `type` of a type, and the first number plus multiples of the last. */
typedef struct range {
    int64_t whole[3];
    double real[3];
} range;

static void run_range(const hzi_step *step) {
    const range *r = step->param;
    hzi_tensor *output = step->outputs[0];
    for (int64_t i = 0; i < output->count; i++) {
        if (hzi_element_is_real(output->element)) {
            double number = r->real[0] + (double)i * r->real[2];
            hzi_store_reals(output->element, output->data, i, 1, &number);
        } else {
            int64_t number = (int64_t)((uint64_t)r->whole[0] + (uint64_t)i * (uint64_t)r->whole[2]);
            hzi_store_wholes(output->element, output->data, i, 1, &number, false);
        }
    }
}

static hz_status prepare_range(hzi_step *step) {
    static const char *const NAMES[] = {"the start", "the limit", "the delta"};
    static const hz_element SERVED[] = {HZ_ELEMENT_FLOAT, HZ_ELEMENT_DOUBLE, HZ_ELEMENT_INT16,
                                        HZ_ELEMENT_INT32, HZ_ELEMENT_INT64,  HZ_ELEMENT_UNDEFINED};
    range *r = hzi_step_alloc(step, sizeof *r);
    if (!r) {
        return hzi_step_no_memory(step);
    }
    hz_element element = HZ_ELEMENT_UNDEFINED;
    for (uint32_t i = 0; i < 3; i++) {
        hz_status status = hzi_step_element_in(step, i, SERVED);
        if (status != HZ_OK) {
            return status;
        }
        const hzi_tensor *input = step->inputs[i];
        element = step->inputs[0]->element;
        if (input->element != element || input->shape.rank > 1 || input->count != 1) {
            return hzi_step_refuse(step, "%s '%.80s' must be one number of type %s", NAMES[i],
                                   input->name, hz_element_name(element));
        }
        if (!input->known) {
            return hzi_step_refuse(step, "%s '%.80s' must be known before the graph runs", NAMES[i],
                                   input->name);
        }
        if (hzi_element_is_real(element)) {
            hzi_load_reals(element, input->data, 0, 1, 1, &r->real[i]);
        } else {
            hzi_load_wholes(element, input->data, 0, 1, 1, &r->whole[i]);
        }
    }
    hzi_shape shape = {.rank = 1};
    if (hzi_element_is_real(element)) {
        double count = ceil((r->real[1] - r->real[0]) / r->real[2]);
        if (!(count < 0x1p62)) { /* NaN, too */
            return hzi_step_refuse(step, "a range from %g to %g by %g has no end", r->real[0],
                                   r->real[1], r->real[2]);
        }
        shape.dim[0] = count > 0 ? (int64_t)count : 0;
    } else {
        if (r->whole[2] == 0) {
            return hzi_step_refuse(step, "a range by 0 has no end");
        }
        uint64_t count = whole_range(r->whole);
        shape.dim[0] = count > INT64_MAX ? INT64_MAX : (int64_t)count;
    }
    step->param = r;
    hzi_step_runs(step, run_range);
    return hzi_step_output(step, 0, element, &shape);
}

/* ---- numbers as they are ------------------------------------------------------------------------ */

/* Output 0 is input 0 with another shape of as many elements. */
static hz_status same_numbers(hzi_step *step, const hzi_shape *shape) {
    hzi_step_runs(step, hzi_run_copy);
    return hzi_step_output(step, 0, step->inputs[0]->element, shape);
}

static hz_status prepare_identity(hzi_step *step) {
    const hzi_tensor *input;
    hz_status status = hzi_step_movable(step, 0, &input);
    return status == HZ_OK ? same_numbers(step, &input->shape) : status;
}

static void run_dropout(const hzi_step *step) {
    if (step->outputs[0]) {
        hzi_run_copy(step);
    }
    memset(step->outputs[1]->data, 1, (size_t)step->outputs[1]->count);
}

/* Inference only: numbers pass, and the mask keeps all of them. */
static hz_status prepare_dropout(hzi_step *step) {
    static const hz_element REAL[] = {HZ_ELEMENT_FLOAT, HZ_ELEMENT_DOUBLE, HZ_ELEMENT_FLOAT16,
                                      HZ_ELEMENT_BFLOAT16, HZ_ELEMENT_UNDEFINED};
    hz_status status = hzi_step_element_in(step, 0, REAL);
    if (status != HZ_OK) {
        return status;
    }
    const hzi_tensor *input = step->inputs[0];
    if (hzi_step_has(step, 2)) {
        const hzi_tensor *training = step->inputs[2];
        if (training->element != HZ_ELEMENT_BOOL || training->count != 1 || !training->known) {
            return hzi_step_refuse(step,
                                   "the training mode '%.80s' must be one BOOL that is known "
                                   "before the graph runs",
                                   training->name);
        }
        if (*(const uint8_t *)training->data) {
            return hzi_step_refuse(step, "training is not served");
        }
    }
    status = same_numbers(step, &input->shape);
    if (status != HZ_OK || step->output_count < 2 || !step->outputs[1]) {
        return status;
    }
    if (step->node->opset < 12) {
        return hzi_step_refuse(step, "before opset 12 the mask has no meaning outside training");
    }
    step->run = run_dropout;
    return hzi_step_output(step, 1, HZ_ELEMENT_BOOL, &input->shape);
}

/* ---- what a shape is ---------------------------------------------------------------------------- */

/* Where a cut at `at` of a list of `rank` lies; negative counts from the end. */
static int clamp_to_rank(int64_t at, int rank) {
    at += at < 0 ? rank : 0;
    return at < 0 ? 0 : at > rank ? rank : (int)at;
}

static hz_status prepare_shape(hzi_step *step) {
    const hzi_tensor *input;
    int64_t from, to;
    hz_status status = hzi_step_there(step, 0, &input);
    status = status == HZ_OK ? hzi_step_int(step, "start", 0, &from) : status;
    status = status == HZ_OK ? hzi_step_int(step, "end", INT64_MAX, &to) : status;
    if (status != HZ_OK) {
        return status;
    }
    int first = clamp_to_rank(from, input->shape.rank);
    int end = clamp_to_rank(to, input->shape.rank);
    hzi_shape shape = {.rank = 1, .dim = {end > first ? end - first : 0}};
    return known_output(step, HZ_ELEMENT_INT64, &shape, input->shape.dim + first);
}

static hz_status prepare_size(hzi_step *step) {
    const hzi_tensor *input;
    hz_status status = hzi_step_there(step, 0, &input);
    return status == HZ_OK ? known_output(step, HZ_ELEMENT_INT64, &(hzi_shape){0}, &input->count)
                           : status;
}

/* ---- other shapes of the same numbers ------------------------------------------------------------ */

/* The shape asked for, with its 0 (as in the input) and -1 (what is left) filled in. */
static hz_status reshape_fill(hzi_step *step, const hzi_shape *input, int64_t count,
                              const int64_t *dims, bool zero_is_zero, hzi_shape *shape) {
    int rest = -1;
    bool zero = false;
    for (int i = 0; i < shape->rank; i++) {
        shape->dim[i] = dims[i];
        if (dims[i] == -1) {
            if (rest >= 0) {
                return hzi_step_refuse(step, "dimensions %d and %d of the shape are both -1", rest,
                                       i);
            }
            rest = i;
            shape->dim[i] = 1;
        } else if (dims[i] < 0) {
            return hzi_step_refuse(step, "dimension %d of the shape is %lld", i,
                                   (long long)dims[i]);
        } else if (dims[i] == 0 && zero_is_zero) {
            zero = true;
        } else if (dims[i] == 0) {
            if (i >= input->rank) {
                return hzi_step_refuse(
                    step,
                    "dimension %d of the shape is 0 (as in the input), which has "
                    "rank %d",
                    i, input->rank);
            }
            shape->dim[i] = input->dim[i];
        }
    }
    if (rest >= 0 && zero) {
        return hzi_step_refuse(step, "a shape with -1 and, by 'allowzero', 0 can mean anything");
    }
    int64_t others = hzi_shape_count(shape); /* with 1 in place of -1 */
    bool fits = rest < 0 ? others == count : others > 0 && count % others == 0;
    if (fits && rest >= 0) {
        shape->dim[rest] = count / others;
    }
    if (!fits) {
        char from[200], to[200];
        (void)hzi_shape_text(input, from, sizeof from);
        for (int i = 0; i < shape->rank; i++) {
            shape->dim[i] = dims[i];
        }
        (void)hzi_shape_text(shape, to, sizeof to);
        return hzi_step_refuse(step, "the input's shape %s does not fit into %s", from, to);
    }
    return HZ_OK;
}

static hz_status prepare_reshape(hzi_step *step) {
    const hzi_tensor *input;
    const int64_t *dims;
    size_t count;
    int64_t allow_zero;
    hz_status status = hzi_step_movable(step, 0, &input);
    status = status == HZ_OK ? hzi_step_known_list(step, 1, "the shape", &dims, &count) : status;
    status = status == HZ_OK ? hzi_step_int(step, "allowzero", 0, &allow_zero) : status;
    if (status != HZ_OK) {
        return status;
    }
    if (count > HZ_RANK_MAX) {
        return hzi_step_refuse(step, "the shape has %zu dimensions; the most is %d", count,
                               HZ_RANK_MAX);
    }
    hzi_shape shape = {.rank = (int)count};
    status = reshape_fill(step, &input->shape, input->count, dims, allow_zero != 0, &shape);
    return status == HZ_OK ? same_numbers(step, &shape) : status;
}

static hz_status prepare_flatten(hzi_step *step) {
    const hzi_tensor *input;
    int64_t given;
    hz_status status = hzi_step_movable(step, 0, &input);
    status = status == HZ_OK ? hzi_step_int(step, "axis", 1, &given) : status;
    if (status != HZ_OK) {
        return status;
    }
    int rank = input->shape.rank;
    int axis = given == rank ? rank : hzi_axis(given, rank);
    if (axis < 0) {
        return hzi_step_refuse(step, "attribute 'axis' %lld is outside rank %d", (long long)given,
                               rank);
    }
    hzi_shape shape = {.rank = 2, .dim = {1, 1}};
    for (int i = 0; i < rank; i++) {
        if (!hzi_multiply(shape.dim[i >= axis], input->shape.dim[i], &shape.dim[i >= axis])) {
            return hzi_step_refuse(step, "the flattened shape does not fit");
        }
    }
    return same_numbers(step, &shape);
}

/* The axes of Squeeze and Unsqueeze: an attribute before opset 13, an input from then on. */
static hz_status listed_axes(hzi_step *step, const int64_t **axes, size_t *count, bool *given) {
    if (step->node->opset < 13) {
        hz_status status = hzi_step_ints(step, "axes", axes, count);
        *given = *axes != NULL;
        return status;
    }
    *axes = NULL;
    *count = 0;
    *given = hzi_step_has(step, 1);
    return *given ? hzi_step_known_ints(step, 1, "the axes", axes, count) : HZ_OK;
}

static hz_status prepare_squeeze(hzi_step *step) {
    const hzi_tensor *input;
    const int64_t *axes;
    size_t count;
    bool given, gone[HZ_RANK_MAX];
    hz_status status = hzi_step_movable(step, 0, &input);
    status = status == HZ_OK ? listed_axes(step, &axes, &count, &given) : status;
    status =
        status == HZ_OK ? hzi_step_mark_axes(step, axes, count, input->shape.rank, gone) : status;
    if (status != HZ_OK) {
        return status;
    }
    hzi_shape shape = {0};
    for (int i = 0; i < input->shape.rank; i++) {
        int64_t dim = input->shape.dim[i];
        if (given && gone[i] && dim != 1) {
            return hzi_step_refuse(step, "axis %d cannot be squeezed, its size is %lld", i,
                                   (long long)dim);
        }
        if (given ? !gone[i] : dim != 1) {
            shape.dim[shape.rank++] = dim;
        }
    }
    return same_numbers(step, &shape);
}

static hz_status prepare_unsqueeze(hzi_step *step) {
    const hzi_tensor *input;
    const int64_t *axes;
    size_t count;
    bool given, new[HZ_RANK_MAX];
    hz_status status = hzi_step_movable(step, 0, &input);
    status = status == HZ_OK ? listed_axes(step, &axes, &count, &given) : status;
    if (status != HZ_OK) {
        return status;
    }
    if (!given) {
        return hzi_step_refuse(step, "the axes are missing");
    }
    if (count > (size_t)(HZ_RANK_MAX - input->shape.rank)) {
        return hzi_step_refuse(step, "%zu more axes than rank %d; the most is rank %d", count,
                               input->shape.rank, HZ_RANK_MAX);
    }
    hzi_shape shape = {.rank = input->shape.rank + (int)count};
    status = hzi_step_mark_axes(step, axes, count, shape.rank, new);
    if (status != HZ_OK) {
        return status;
    }
    for (int i = 0, from = 0; i < shape.rank; i++) {
        shape.dim[i] = new[i] ? 1 : input->shape.dim[from++];
    }
    return same_numbers(step, &shape);
}

static hz_status prepare_expand(hzi_step *step) {
    const hzi_tensor *input;
    const int64_t *dims;
    size_t count;
    hz_status status = hzi_step_movable(step, 0, &input);
    status = status == HZ_OK ? hzi_step_known_list(step, 1, "the shape", &dims, &count) : status;
    if (status != HZ_OK) {
        return status;
    }
    if (count > HZ_RANK_MAX) {
        return hzi_step_refuse(step, "the shape has %zu dimensions; the most is %d", count,
                               HZ_RANK_MAX);
    }
    hzi_shape asked = {.rank = (int)count}, shape;
    bool fits = true;
    for (size_t i = 0; i < count; i++) {
        asked.dim[i] = dims[i];
        fits = fits && dims[i] >= 0;
    }
    if (!fits || !hzi_shape_broadcast(&input->shape, &asked, &shape)) {
        char from[200], to[200];
        (void)hzi_shape_text(&input->shape, from, sizeof from);
        (void)hzi_shape_text(&asked, to, sizeof to);
        return hzi_step_refuse(step, "the input's shape %s cannot be expanded to %s", from, to);
    }
    status = hzi_step_output(step, 0, input->element, &shape);
    if (status != HZ_OK) {
        return status;
    }
    hzi_walk walk;
    hzi_walk_begin(&walk, &shape);
    hzi_walk_operand(&walk, &shape);
    hzi_walk_operand(&walk, &input->shape);
    hzi_walk_close(&walk);
    return hzi_step_moves(step, &walk);
}

const hzi_operator hzi_operators_shape[] = {
    /* name, domain, opsets, inputs, outputs, attributes */
    {"Constant", "", 7, 10, 0, 0, 1, 1, "value", prepare_constant},
    {"Constant", "", 11, 11, 0, 0, 1, 1, "value sparse_value", prepare_constant},
    {"Constant", "", 12, 21, 0, 0, 1, 1,
     "value sparse_value value_int value_ints value_float value_floats value_string value_strings",
     prepare_constant},
    {"ConstantOfShape", "", 9, 21, 1, 1, 1, 1, "value", prepare_constant_of_shape},
    {"Range", "", 11, 21, 3, 3, 1, 1, "", prepare_range},
    {"Identity", "", 7, 21, 1, 1, 1, 1, "", prepare_identity},
    {"Dropout", "", 7, 11, 1, 1, 1, 2, "ratio", prepare_dropout},
    {"Dropout", "", 12, 21, 1, 3, 1, 2, "seed", prepare_dropout},
    {"Shape", "", 7, 14, 1, 1, 1, 1, "", prepare_shape},
    {"Shape", "", 15, 21, 1, 1, 1, 1, "start end", prepare_shape},
    {"Size", "", 7, 21, 1, 1, 1, 1, "", prepare_size},
    {"Reshape", "", 7, 13, 2, 2, 1, 1, "", prepare_reshape},
    {"Reshape", "", 14, 21, 2, 2, 1, 1, "allowzero", prepare_reshape},
    {"Flatten", "", 7, 21, 1, 1, 1, 1, "axis", prepare_flatten},
    {"Squeeze", "", 7, 12, 1, 1, 1, 1, "axes", prepare_squeeze},
    {"Squeeze", "", 13, 21, 1, 2, 1, 1, "", prepare_squeeze},
    {"Unsqueeze", "", 7, 12, 1, 1, 1, 1, "axes", prepare_unsqueeze},
    {"Unsqueeze", "", 13, 21, 2, 2, 1, 1, "", prepare_unsqueeze},
    {"Expand", "", 8, 21, 2, 2, 1, 1, "", prepare_expand},
    {.name = NULL},
};
