/* SPDX-License-Identifier: MIT */
/* The unpacked file that onnx_file.c reads and onnx_names.c and parameters.c look through. */
#ifndef HAZARD_MODEL_ONNX_FILE_H
#define HAZARD_MODEL_ONNX_FILE_H

#include <hazard/model.h>

#include <hzi_onnx.pb-c.h>

struct hz_onnx_file {
    hz_arena arena; /* all of it */
    const Hzi__Onnx__ModelProto *model;
    size_t import_count, node_count, input_count, output_count;
    struct {
        const char *domain;
        int64_t version;
    } * imports;
    hz_onnx_node *nodes;
    hz_port *inputs, *outputs;
    bool is_nested;
};

/* What a walk over the file meets; each may be NULL. A failure ends the walk. `what` names a tensor
 * for messages. */
typedef struct hzi_onnx_visitor {
    void *state;
    hz_status (*tensor)(void *state, const Hzi__Onnx__TensorProto *tensor, const char *what,
                        bool main_initializer, hz_error *err);
    hz_status (*node)(void *state, const Hzi__Onnx__NodeProto *node,
                      const Hzi__Onnx__FunctionProto *function, bool nested, hz_error *err);
    hz_status (*attribute)(void *state, const Hzi__Onnx__NodeProto *node,
                           const Hzi__Onnx__AttributeProto *attribute, bool nested, hz_error *err);
} hzi_onnx_visitor;

/* Width of an element in bits; 0 for a text or an unknown type. */
unsigned hzi_onnx_bits(const Hzi__Onnx__TensorProto *tensor);
/* Product of the dimensions, 1 without any. HZ_GRAPH when one is negative or it is beyond 2^57. */
hz_status hzi_onnx_elements(const Hzi__Onnx__TensorProto *tensor, const char *what, uint64_t *count,
                            hz_error *err);
/* Everything in the order of the file: a graph's initializers, then its nodes, each followed by its
 * attributes with their tensors and graphs. */
hz_status hzi_onnx_walk(const Hzi__Onnx__ModelProto *model, const hzi_onnx_visitor *visitor,
                        hz_error *err);

#endif
