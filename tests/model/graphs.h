/* SPDX-License-Identifier: MIT */
/*
 * model/graphs.h - graphs for the tests of the model room: a writer of the wire format that can also
 * write what no tool would, models of one node, and random networks by the library's own builder.
 */
#ifndef HAZARD_TEST_MODEL_GRAPHS_H
#define HAZARD_TEST_MODEL_GRAPHS_H

#include <hazard/model.h>

#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- bytes that grow --------------------------------------------------------------------------- */

/* Zero-initialise; wire_free. Field numbers are those of the ONNX schema. */
typedef struct wire {
    uint8_t *data;
    size_t length, capacity;
} wire;

static inline void wire_free(wire *w) {
    free(w->data);
    *w = (wire){0};
}

static inline void wire_add(wire *w, const void *data, size_t length) {
    if (w->capacity - w->length < length) {
        w->capacity = (w->capacity + length) * 2;
        w->data = realloc(w->data, w->capacity);
        assert_non_null(w->data);
    }
    if (length > 0) {
        memcpy(w->data + w->length, data, length);
    }
    w->length += length;
}

static inline void wire_varint(wire *w, uint64_t value) {
    do {
        uint8_t byte = (uint8_t)(value & 0x7f) | (value > 0x7f ? 0x80 : 0);
        wire_add(w, &byte, 1);
        value >>= 7;
    } while (value > 0);
}

static inline void wire_int(wire *w, unsigned field, int64_t value) {
    wire_varint(w, (uint64_t)field << 3);
    wire_varint(w, (uint64_t)value);
}

static inline void wire_bytes(wire *w, unsigned field, const void *data, size_t length) {
    wire_varint(w, (uint64_t)field << 3 | 2);
    wire_varint(w, length);
    wire_add(w, data, length);
}

static inline void wire_text(wire *w, unsigned field, const char *text) {
    wire_bytes(w, field, text, strlen(text));
}

/* Appends `inner` as a message and empties it. */
static inline void wire_message(wire *w, unsigned field, wire *inner) {
    wire_bytes(w, field, inner->data, inner->length);
    wire_free(inner);
}

/* ---- parts of a model --------------------------------------------------------------------------- */

/* NodeProto: names are words separated by blanks. */
static inline wire wire_node(const char *type, const char *inputs, const char *outputs) {
    wire w = {0};
    for (unsigned field = 1; field <= 2; field++) {
        const char *at = field == 1 ? inputs : outputs;
        while (*at) {
            size_t length = strcspn(at, " ");
            wire_bytes(&w, field, at, length);
            at += length + (at[length] == ' ');
        }
    }
    wire_text(&w, 4, type);
    return w;
}

/* ValueInfoProto of a tensor; -2 is a dimension without anything, -1 the symbol "n". */
static inline wire wire_port(const char *name, hz_element element, const int64_t *dims, size_t n) {
    wire w = {0}, type = {0}, tensor = {0}, shape = {0};
    for (size_t i = 0; i < n; i++) {
        wire dim = {0};
        if (dims[i] >= 0) {
            wire_int(&dim, 1, dims[i]);
        } else if (dims[i] == -1) {
            wire_text(&dim, 2, "n");
        }
        wire_message(&shape, 1, &dim);
    }
    wire_int(&tensor, 1, (int64_t)element);
    wire_message(&tensor, 2, &shape);
    wire_message(&type, 1, &tensor);
    wire_text(&w, 1, name);
    wire_message(&w, 2, &type);
    return w;
}

/* TensorProto with raw data. */
static inline wire wire_tensor(const char *name, hz_element element, const int64_t *dims, size_t n,
                               const void *data, size_t bytes) {
    wire w = {0};
    for (size_t i = 0; i < n; i++) {
        wire_int(&w, 1, dims[i]);
    }
    wire_int(&w, 2, (int64_t)element);
    wire_text(&w, 8, name);
    wire_bytes(&w, 9, data, bytes);
    return w;
}

/* ModelProto around a graph, which is emptied. opset 0 = nothing is imported. */
static inline wire wire_model(wire *graph, int64_t ir, int64_t opset) {
    wire w = {0};
    wire_int(&w, 1, ir);
    if (opset > 0) {
        wire import = {0};
        wire_text(&import, 1, "");
        wire_int(&import, 2, opset);
        wire_message(&w, 8, &import);
    }
    wire_message(&w, 7, graph);
    return w;
}

/* GraphProto: x [n,2] -> a node -> y [n,2]. A NULL node is Relu. */
static inline wire wire_graph(wire *node) {
    static const int64_t DIMS[] = {-1, 2};
    wire w = {0}, relu = {0}, x = wire_port("x", HZ_ELEMENT_FLOAT, DIMS, 2);
    wire y = wire_port("y", HZ_ELEMENT_FLOAT, DIMS, 2);
    if (!node) {
        relu = wire_node("Relu", "x", "y");
        node = &relu;
    }
    wire_message(&w, 1, node);
    wire_text(&w, 2, "g");
    wire_message(&w, 11, &x);
    wire_message(&w, 12, &y);
    return w;
}

/* ---- random networks ---------------------------------------------------------------------------- */

/* -1 ... 1. */
static inline float graphs_number(hz_random *random) {
    return (float)hz_random_draw(random, 2000001) / 1000000.0f - 1.0f;
}

static inline hz_tensor graphs_tensor(hz_arena *arena, hz_random *random, const int64_t *shape,
                                      uint32_t rank) {
    hz_tensor tensor = {.element = HZ_ELEMENT_FLOAT, .rank = rank};
    memcpy(tensor.shape, shape, rank * sizeof *shape);
    size_t count = hz_tensor_count(&tensor);
    float *numbers = hz_arena_alloc(arena, count * sizeof *numbers);
    assert_non_null(numbers);
    for (size_t i = 0; i < count; i++) {
        numbers[i] = graphs_number(random);
    }
    tensor.data = numbers;
    return tensor;
}

enum { GRAPHS_LAYERS = 6 };

/*
 * Bytes of a network input [batch,widths[0]] -> ... -> output [batch,1] in `arena`. Each layer is
 * Gemm, Gemm with transB, or MatMul and Add, as `random` has it, then an activation; widths[layers]
 * must be 1; the last activation is Sigmoid.
 */
static inline void graphs_network(hz_arena *arena, hz_random *random, const int64_t *widths,
                                  size_t layers, const void **bytes, size_t *length) {
    static const char *const ACTIVATIONS[] = {"Relu", "Tanh", "Sigmoid", "Elu", "LeakyRelu"};
    hz_builder *builder = hz_builder_new("network", 8, 13, 0);
    assert_non_null(builder);
    assert_true(layers <= GRAPHS_LAYERS && widths[layers] == 1);
    hz_builder_input(builder, "input", HZ_ELEMENT_FLOAT, (int64_t[]){HZ_DYNAMIC, widths[0]}, 2);
    hz_builder_output(builder, "output", HZ_ELEMENT_FLOAT, (int64_t[]){HZ_DYNAMIC, 1}, 2);
    char from[20] = "input", weight[20], bias[20], sum[20], next[20];
    for (size_t i = 0; i < layers; i++) {
        int64_t in = widths[i], out = widths[i + 1];
        uint32_t form = hz_random_draw(random, 3);
        (void)snprintf(weight, sizeof weight, "w%zu", i);
        (void)snprintf(bias, sizeof bias, "b%zu", i);
        (void)snprintf(sum, sizeof sum, "s%zu", i);
        (void)snprintf(next, sizeof next, "a%zu", i);
        hz_tensor w = graphs_tensor(arena, random,
                                    form == 1 ? (int64_t[]){out, in} : (int64_t[]){in, out}, 2);
        hz_tensor b = graphs_tensor(arena, random, (int64_t[]){out}, 1);
        hz_builder_initializer(builder, weight, &w);
        hz_builder_initializer(builder, bias, &b);
        if (form == 2) {
            hz_builder_node(builder, "", "MatMul", (const char *[]){from, weight}, 2,
                            (const char *[]){next}, 1);
            hz_builder_node(builder, "", "Add", (const char *[]){next, bias}, 2,
                            (const char *[]){sum}, 1);
            (void)snprintf(next, sizeof next, "r%zu", i);
        } else {
            hz_builder_node(builder, "", "Gemm", (const char *[]){from, weight, bias}, 3,
                            (const char *[]){sum}, 1);
            if (form == 1) {
                hz_builder_int(builder, "transB", 1);
            }
        }
        bool last = i + 1 == layers;
        hz_builder_node(builder, "", last ? "Sigmoid" : ACTIVATIONS[hz_random_draw(random, 5)],
                        (const char *[]){sum}, 1, (const char *[]){last ? "output" : next}, 1);
        memcpy(from, next, sizeof from);
    }
    hz_error err;
    hz_status status = hz_builder_finish(builder, arena, bytes, length, &err);
    hz_builder_free(builder);
    if (status != HZ_OK) {
        fail_msg("%s", err.message);
    }
}

/* What a builder has made, read back; the builder is freed. */
static inline hz_graph *graphs_finish(hz_builder *builder) {
    hz_arena arena = {0};
    const void *bytes = NULL;
    size_t length = 0;
    hz_graph *graph = NULL;
    hz_error err;
    if (hz_builder_finish(builder, &arena, &bytes, &length, &err) != HZ_OK ||
        hz_graph_read(bytes, length, NULL, &graph, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
    hz_builder_free(builder);
    hz_arena_fini(&arena);
    return graph;
}

#endif
