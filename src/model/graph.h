/* SPDX-License-Identifier: MIT */
/*
 * A graph as read: nodes in an order in which they can run, values by index, constants with their
 * data. Independent of batch size; what depends on concrete shapes is src/model/program.h.
 */
#ifndef HAZARD_MODEL_GRAPH_H
#define HAZARD_MODEL_GRAPH_H

#include <hazard/model.h>

/* A concrete shape. Products never overflow: hzi_shape_count is checked where shapes are made. */
typedef struct hzi_shape {
    int rank;
    int64_t dim[HZ_RANK_MAX];
} hzi_shape;

typedef enum hzi_attribute_kind {
    HZI_ATTRIBUTE_INT,
    HZI_ATTRIBUTE_FLOAT,
    HZI_ATTRIBUTE_STRING,
    HZI_ATTRIBUTE_TENSOR,
    HZI_ATTRIBUTE_INTS,
    HZI_ATTRIBUTE_FLOATS,
    HZI_ATTRIBUTE_STRINGS,
    HZI_ATTRIBUTE_OTHER /* graphs, sparse tensors...: no operator takes them */
} hzi_attribute_kind;

typedef struct hzi_attribute {
    const char *name;
    hzi_attribute_kind kind;
    size_t count; /* of a list; length of a string */
    int64_t i;
    float f;
    const char *text; /* NUL-terminated */
    const int64_t *ints;
    const float *floats;
    const char *const *strings;
    hz_tensor tensor;
} hzi_attribute;

#define HZI_NO_VALUE UINT32_MAX
/* Attributes of one node; they are searched one by one. */
enum { HZI_ATTRIBUTES_MAX = 64 };

typedef struct hzi_node {
    const char *name;   /* "" when it has none */
    const char *type;   /* operator */
    const char *domain; /* "" is ONNX's own (also written "ai.onnx") */
    int opset;          /* that the graph imports of the domain */
    uint32_t index;     /* of the node in the file, for messages */
    uint32_t input_count, output_count;
    const uint32_t *inputs;  /* values; HZI_NO_VALUE = left out */
    const uint32_t *outputs; /* values; HZI_NO_VALUE = not wanted */
    uint32_t attribute_count;
    const hzi_attribute *attributes;
} hzi_node;

typedef struct hzi_value {
    const char *name;
    bool constant;    /* an initializer; its numbers are in `tensor` */
    hz_tensor tensor; /* when constant */
} hzi_value;

struct hz_graph {
    hz_arena arena; /* everything below lies in it */
    hz_graph_facts facts;
    hz_graph_limits limits; /* with the defaults filled in */
    size_t value_count;
    hzi_value *values;
    size_t node_count;
    hzi_node *nodes; /* in topological order */
    size_t input_count, output_count;
    hz_port *inputs, *outputs;
    uint32_t *input_values, *output_values; /* parallel to the ports */
    size_t use_count;
    hz_operator_use *uses;
    size_t note_count;
    const char **notes; /* key, value, key, value, ... */
};

/* Limits with the defaults filled in; NULL = all of them. */
hz_graph_limits hzi_fill_limits(const hz_graph_limits *given);
/* The bytes of a file of at most limits->file_bytes, to be given to free. HZ_MODEL_FILE when it
 * cannot be read or is no regular file, HZ_GRAPH when it is too large. */
hz_status hzi_read_file(const char *path, const hz_graph_limits *limits, void **bytes,
                        size_t *length, hz_error *err);
/* size bytes aligned to 64, zeroed; NULL when the arena gives no more. size 0 gives a pointer. */
void *hzi_arena_aligned(hz_arena *arena, size_t size);
/* The attribute of this name, NULL when the node lacks it. */
const hzi_attribute *hzi_node_attribute(const hzi_node *node, const char *name);
/* "node 3 'fc1' (Gemm)": how messages name a node. snprintf rules. */
size_t hzi_node_text(const hzi_node *node, char *buffer, size_t capacity);

#endif
