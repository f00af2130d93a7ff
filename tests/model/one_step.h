/* SPDX-License-Identifier: MIT */
/*
 * One operator by itself: a node put together by hand, its inputs, preparation, one run. Every array
 * lies in memory of exactly its size, so that a step over the edge is seen.
 */
#ifndef HAZARD_TEST_MODEL_ONE_STEP_H
#define HAZARD_TEST_MODEL_ONE_STEP_H

#include "model/operator.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ONE_MOST = 12 };

typedef struct one_step {
    hz_arena arena;
    hz_error err;
    hzi_node node;
    hzi_attribute attributes[ONE_MOST];
    hzi_tensor input[ONE_MOST], output[ONE_MOST];
    hzi_tensor *inputs[ONE_MOST], *outputs[ONE_MOST];
    uint32_t input_values[ONE_MOST], output_values[ONE_MOST];
    void *input_data[ONE_MOST], *output_data[ONE_MOST];
    void *scratch;
    hzi_step step;
} one_step;

/* A shape from its dimensions; SCALAR has none. */
#define SHAPE(...)                                                                                 \
    one_shape((const int64_t[]){__VA_ARGS__}, sizeof((const int64_t[]){__VA_ARGS__}) / 8)
#define SCALAR ((hzi_shape){0})

static inline hzi_shape one_shape(const int64_t *dim, size_t rank) {
    hzi_shape shape = {.rank = (int)rank};
    for (size_t i = 0; i < rank; i++) {
        shape.dim[i] = dim[i];
    }
    return shape;
}

static inline void one_begin(one_step *one, const char *operation, int opset) {
    memset(one, 0, sizeof *one);
    hz_arena_init(&one->arena, 64 << 20);
    one->node =
        (hzi_node){.name = "x", .type = operation, .domain = "", .opset = opset, .index = 7};
    one->node.attributes = one->attributes;
    one->node.inputs = one->input_values;
    one->node.outputs = one->output_values;
    one->step = (hzi_step){.node = &one->node,
                           .inputs = one->inputs,
                           .outputs = one->outputs,
                           .arena = &one->arena,
                           .err = &one->err};
}

static inline void one_end(one_step *one) {
    for (int i = 0; i < ONE_MOST; i++) {
        free(one->input_data[i]);
        free(one->output_data[i]);
    }
    free(one->scratch);
    hz_arena_fini(&one->arena);
}

static inline hzi_attribute *one_attribute(one_step *one, const char *name,
                                           hzi_attribute_kind kind) {
    assert_true(one->node.attribute_count < ONE_MOST);
    hzi_attribute *attribute = &one->attributes[one->node.attribute_count++];
    *attribute = (hzi_attribute){.name = name, .kind = kind};
    return attribute;
}

static inline void one_int(one_step *one, const char *name, int64_t value) {
    one_attribute(one, name, HZI_ATTRIBUTE_INT)->i = value;
}

static inline void one_float(one_step *one, const char *name, float value) {
    one_attribute(one, name, HZI_ATTRIBUTE_FLOAT)->f = value;
}

/* The list must live as long as the step. */
static inline void one_ints(one_step *one, const char *name, const int64_t *values, size_t count) {
    hzi_attribute *attribute = one_attribute(one, name, HZI_ATTRIBUTE_INTS);
    attribute->ints = values;
    attribute->count = count;
}

static inline void one_string(one_step *one, const char *name, const char *text) {
    hzi_attribute *attribute = one_attribute(one, name, HZI_ATTRIBUTE_STRING);
    attribute->text = text;
    attribute->count = strlen(text);
}

/* The next input; data is copied. Known: constant before the graph runs. */
static inline void one_input(one_step *one, hz_element element, hzi_shape shape, const void *data,
                             bool known) {
    uint32_t index = one->step.input_count++;
    assert_true(index < ONE_MOST);
    hzi_tensor *tensor = &one->input[index];
    *tensor = (hzi_tensor){.element = element,
                           .shape = shape,
                           .count = hzi_shape_count(&shape),
                           .known = known,
                           .name = "in"};
    assert_true(tensor->count >= 0);
    size_t size = (size_t)tensor->count * hz_element_size(element);
    one->input_data[index] = malloc(size ? size : 1);
    assert_non_null(one->input_data[index]);
    if (size && data) {
        memcpy(one->input_data[index], data, size);
    }
    tensor->data = known ? one->input_data[index] : NULL;
    one->inputs[index] = tensor;
    one->node.input_count = one->step.input_count;
}

/* The next input is left out. */
static inline void one_hole(one_step *one) {
    one->input_values[one->step.input_count] = HZI_NO_VALUE;
    one->node.input_count = ++one->step.input_count;
}

/* A known list of INT64. */
static inline void one_list(one_step *one, const int64_t *values, size_t count) {
    one_input(one, HZ_ELEMENT_INT64, SHAPE((int64_t)count), values, true);
}

/* Wants `outputs` outputs and prepares. */
static inline hz_status one_prepare(one_step *one, uint32_t outputs) {
    assert_true(outputs <= ONE_MOST);
    for (uint32_t i = 0; i < outputs; i++) {
        one->output[i].name = "out";
        one->outputs[i] = &one->output[i];
    }
    one->step.output_count = one->node.output_count = outputs;
    hz_status status = hzi_step_serve(&one->step);
    return status == HZ_OK ? one->step.op->prepare(&one->step) : status;
}

/* Runs what was prepared. */
static inline void one_run(one_step *one) {
    for (uint32_t i = 0; i < one->step.input_count; i++) {
        one->input[i].data = one->inputs[i] ? one->input_data[i] : NULL;
    }
    for (uint32_t i = 0; i < one->step.output_count; i++) {
        hzi_tensor *tensor = &one->output[i];
        if (tensor->known) {
            continue;
        }
        size_t size = (size_t)tensor->count * hz_element_size(tensor->element);
        one->output_data[i] = malloc(size ? size : 1);
        assert_non_null(one->output_data[i]);
        memset(one->output_data[i], 0xAB, size);
        tensor->data = one->output_data[i];
    }
    one->scratch = aligned_alloc(64, (one->step.scratch_bytes + 64) / 64 * 64);
    assert_non_null(one->scratch);
    one->step.scratch = one->scratch;
    one->step.run(&one->step);
}

/* Prepares one output and runs; a refusal fails the test. */
static inline const void *one_result(one_step *one) {
    if (one_prepare(one, 1) != HZ_OK) {
        fail_msg("%s", one->err.message);
    }
    one_run(one);
    return one->output[0].data;
}

/* Prepares, and asserts that it is refused with a message that ends in `words`; ends the step. */
static inline void one_refused(one_step *one, const char *words) {
    assert_int_equal(one_prepare(one, 1), HZ_GRAPH);
    const char *message = one->err.message;
    size_t length = strlen(message), tail = strlen(words);
    if (length < tail || strcmp(message + length - tail, words) != 0) {
        fail_msg("'%s' does not end in '%s'", message, words);
    }
    one_end(one);
}

static inline void one_same_shape(const one_step *one, uint32_t output, hzi_shape expected) {
    char is[200], should[200];
    (void)hzi_shape_text(&one->output[output].shape, is, sizeof is);
    (void)hzi_shape_text(&expected, should, sizeof should);
    assert_string_equal(is, should);
    assert_int_equal(one->output[output].count, hzi_shape_count(&expected));
}

/* ---- random cases ---- */

static inline int64_t one_draw(hz_random *random, int64_t from, int64_t to) {
    return from + (int64_t)hz_random_draw(random, (uint32_t)(to - from + 1));
}

/* A shape of rank `least` to `most` with sizes 1 to 4, seldom 0. */
static inline hzi_shape one_random_shape(hz_random *random, int least, int most) {
    hzi_shape shape = {.rank = (int)one_draw(random, least, most)};
    for (int i = 0; i < shape.rank; i++) {
        shape.dim[i] = hz_random_draw(random, 30) ? one_draw(random, 1, 4) : 0;
    }
    return shape;
}

/* Element `at` of a shape as indexes, and back; the first of these outside is not checked. */
static inline void one_indexes(const hzi_shape *shape, int64_t at, int64_t index[HZ_RANK_MAX]) {
    for (int i = shape->rank - 1; i >= 0; i--) {
        index[i] = at % shape->dim[i];
        at /= shape->dim[i];
    }
}

static inline int64_t one_place(const hzi_shape *shape, const int64_t *index) {
    int64_t at = 0;
    for (int i = 0; i < shape->rank; i++) {
        at = at * shape->dim[i] + index[i];
    }
    return at;
}

/* Likewise for an operand that broadcasts to `shape`. */
static inline int64_t one_broadcast_place(const hzi_shape *operand, const hzi_shape *shape,
                                          const int64_t *index) {
    int64_t at = 0;
    for (int i = 0; i < operand->rank; i++) {
        int64_t dim = operand->dim[i];
        at = at * dim + (dim == 1 ? 0 : index[shape->rank - operand->rank + i]);
    }
    return at;
}

/* A type of each element size, and arrays of numbers that tell their elements apart. */
static const hz_element ONE_SIZES[] = {HZ_ELEMENT_UINT8, HZ_ELEMENT_INT16, HZ_ELEMENT_FLOAT,
                                       HZ_ELEMENT_DOUBLE};
static inline void *one_pattern(hz_element element, int64_t count) {
    size_t size = (size_t)count * hz_element_size(element);
    unsigned char *bytes = malloc(size ? size : 1);
    assert_non_null(bytes);
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (unsigned char)(hz_random_mix(i) | 1);
    }
    return bytes;
}

/* A random input of an operator: its type, shape and bytes. */
typedef struct one_source {
    hz_element element;
    size_t size;
    hzi_shape shape;
    char *data;
} one_source;

static inline one_source one_random_source(hz_random *random, hz_element element, hzi_shape shape) {
    one_source made = {.element = element, .size = hz_element_size(element), .shape = shape};
    size_t size = (size_t)hzi_shape_count(&shape) * made.size;
    made.data = malloc(size ? size : 1);
    assert_non_null(made.data);
    for (size_t i = 0; i < size; i++) {
        made.data[i] = (char)hz_random_draw(random, 256);
    }
    return made;
}

static inline one_source one_any_source(hz_random *random, int least, int most) {
    hzi_shape shape = one_random_shape(random, least, most);
    return one_random_source(random, ONE_SIZES[hz_random_draw(random, 4)], shape);
}

#define one_same_element(data, at, from, from_at, size)                                            \
    assert_memory_equal((const char *)(data) + (size_t)(at) * (size),                              \
                        (const char *)(from) + (size_t)(from_at) * (size), (size))

#endif
