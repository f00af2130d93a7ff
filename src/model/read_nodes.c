/* SPDX-License-Identifier: MIT */
/* Nodes of a model file: operator, domain, opset, attributes; and how often operators are used. */
#include "model/operator.h"
#include "model/reading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef Hzi__Onnx__AttributeProto proto;

#define KIND(name) HZI__ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__##name

static hz_status refuse(hzi_reader *reader, const hzi_node *node, const char *attribute,
                        const char *why) {
    char text[200];
    (void)hzi_node_text(node, text, sizeof text);
    return hz_fail(reader->err, HZ_GRAPH, HZ_NO_OFFSET, "%s: attribute '%.80s' %s", text, attribute,
                   why);
}

/* ---- attributes ------------------------------------------------------------------------------- */

/* The kinds of values that are there, as a set of bits by number of kind. */
static uint32_t kinds_there(const proto *source) {
    uint32_t kinds = 0;
    kinds |= (uint32_t)(source->has_f != 0) << KIND(FLOAT);
    kinds |= (uint32_t)(source->has_i != 0) << KIND(INT);
    kinds |= (uint32_t)(source->has_s != 0) << KIND(STRING);
    kinds |= (uint32_t)(source->t != NULL) << KIND(TENSOR);
    kinds |= (uint32_t)(source->g != NULL) << KIND(GRAPH);
    kinds |= (uint32_t)(source->sparse_tensor != NULL) << KIND(SPARSE_TENSOR);
    kinds |= (uint32_t)(source->tp != NULL) << KIND(TYPE_PROTO);
    kinds |= (uint32_t)(source->n_floats > 0) << KIND(FLOATS);
    kinds |= (uint32_t)(source->n_ints > 0) << KIND(INTS);
    kinds |= (uint32_t)(source->n_strings > 0) << KIND(STRINGS);
    kinds |= (uint32_t)(source->n_tensors > 0) << KIND(TENSORS);
    kinds |= (uint32_t)(source->n_graphs > 0) << KIND(GRAPHS);
    kinds |= (uint32_t)(source->n_sparse_tensors > 0) << KIND(SPARSE_TENSORS);
    kinds |= (uint32_t)(source->n_type_protos > 0) << KIND(TYPE_PROTOS);
    return kinds;
}

/* The declared kind; files from before kinds were declared have one sort of value. */
static int kind_of(const proto *source, uint32_t there) {
    if (source->has_type && source->type != KIND(UNDEFINED)) {
        return (int)source->type;
    }
    for (int kind = 1; kind < 32; kind++) {
        if (there == (uint32_t)1 << kind) {
            return kind;
        }
    }
    return 0;
}

static const char *read_bytes(hzi_reader *reader, const ProtobufCBinaryData *source) {
    char *text = hzi_read_keep(reader, source->len + 1, 1);
    if (text && source->len > 0) {
        memcpy(text, source->data, source->len);
    }
    return text;
}

static bool has_zero(const ProtobufCBinaryData *bytes) {
    return bytes->len > 0 && memchr(bytes->data, 0, bytes->len);
}

static hz_status read_strings(hzi_reader *reader, const hzi_node *node, const proto *source,
                              hzi_attribute *attribute) {
    const char **strings = hzi_read_keep(reader, source->n_strings, sizeof *strings);
    if (!strings) {
        return hzi_read_no_memory(reader);
    }
    for (size_t i = 0; i < source->n_strings; i++) {
        if (has_zero(&source->strings[i])) {
            return refuse(reader, node, attribute->name, "has a text with a zero byte");
        }
        strings[i] = read_bytes(reader, &source->strings[i]);
        if (!strings[i]) {
            return hzi_read_no_memory(reader);
        }
    }
    attribute->kind = HZI_ATTRIBUTE_STRINGS;
    attribute->count = source->n_strings;
    attribute->strings = strings;
    return HZ_OK;
}

static hz_status read_string(hzi_reader *reader, const hzi_node *node, const proto *source,
                             hzi_attribute *attribute) {
    if (has_zero(&source->s)) {
        return refuse(reader, node, attribute->name, "is a text with a zero byte");
    }
    attribute->kind = HZI_ATTRIBUTE_STRING;
    attribute->count = source->s.len;
    attribute->text = read_bytes(reader, &source->s);
    return attribute->text ? HZ_OK : hzi_read_no_memory(reader);
}

/* count numbers of size bytes; *copy is where they stay. */
static hz_status read_list(hzi_reader *reader, const void *numbers, size_t count, size_t size,
                           void **copy) {
    *copy = hzi_read_keep(reader, count, size);
    if (!*copy) {
        return hzi_read_no_memory(reader);
    }
    if (count > 0) {
        memcpy(*copy, numbers, count * size);
    }
    return HZ_OK;
}

static hz_status read_value(hzi_reader *reader, const hzi_node *node, const proto *source, int kind,
                            hzi_attribute *attribute) {
    char what[400], text[200];
    void *list = NULL;
    hz_status status;
    switch (kind) {
    case KIND(INT):
        attribute->kind = HZI_ATTRIBUTE_INT;
        attribute->i = source->i;
        return HZ_OK;
    case KIND(FLOAT):
        attribute->kind = HZI_ATTRIBUTE_FLOAT;
        attribute->f = source->f;
        return HZ_OK;
    case KIND(STRING):
        return read_string(reader, node, source, attribute);
    case KIND(STRINGS):
        return read_strings(reader, node, source, attribute);
    case KIND(INTS):
        attribute->kind = HZI_ATTRIBUTE_INTS;
        attribute->count = source->n_ints;
        status = read_list(reader, source->ints, source->n_ints, sizeof *source->ints, &list);
        attribute->ints = list;
        return status;
    case KIND(FLOATS):
        attribute->kind = HZI_ATTRIBUTE_FLOATS;
        attribute->count = source->n_floats;
        status = read_list(reader, source->floats, source->n_floats, sizeof *source->floats, &list);
        attribute->floats = list;
        return status;
    case KIND(TENSOR):
        attribute->kind = HZI_ATTRIBUTE_TENSOR;
        if (!source->t) {
            return refuse(reader, node, attribute->name, "has no tensor");
        }
        (void)hzi_node_text(node, text, sizeof text);
        (void)snprintf(what, sizeof what, "%s: attribute '%.80s'", text, attribute->name);
        return hzi_read_tensor(reader, source->t, what, &attribute->tensor);
    case KIND(GRAPH):
    case KIND(GRAPHS):
        return refuse(reader, node, attribute->name,
                      "is a graph; none within a graph is supported");
    case KIND(SPARSE_TENSOR):
    case KIND(SPARSE_TENSORS):
        return refuse(reader, node, attribute->name, "is a sparse tensor, which is not supported");
    case KIND(TENSORS):
    case KIND(TYPE_PROTO):
    case KIND(TYPE_PROTOS):
        attribute->kind = HZI_ATTRIBUTE_OTHER;
        return HZ_OK;
    default:
        return refuse(reader, node, attribute->name, "is of an unknown kind");
    }
}

static hz_status read_attribute(hzi_reader *reader, const hzi_node *node, const proto *source,
                                hzi_attribute *attribute) {
    const char *name = source->name ? source->name : "";
    uint32_t there = kinds_there(source);
    int kind = kind_of(source, there);
    if (!*name) {
        return refuse(reader, node, name, "has no name");
    }
    if (hzi_node_attribute(node, name)) {
        return refuse(reader, node, name, "is there twice");
    }
    if (source->ref_attr_name && *source->ref_attr_name) {
        return refuse(reader, node, name, "refers to a function's, and there is no function");
    }
    if (kind < 0 || kind > 31 || (there & ~((uint32_t)1 << kind)) != 0) {
        return refuse(reader, node, name, "has values of another kind than it says");
    }
    attribute->name = hzi_read_text(reader, name);
    if (!attribute->name) {
        return hzi_read_no_memory(reader);
    }
    return read_value(reader, node, source, kind, attribute);
}

/* ---- nodes ------------------------------------------------------------------------------------ */

static hz_status find_opset(hzi_reader *reader, hzi_node *node) {
    for (size_t i = 0; i < reader->import_count; i++) {
        if (strcmp(reader->imports[i].domain, node->domain) == 0) {
            node->opset = reader->imports[i].version;
            return HZ_OK;
        }
    }
    char text[200];
    (void)hzi_node_text(node, text, sizeof text);
    return hz_fail(reader->err, HZ_GRAPH, HZ_NO_OFFSET,
                   "%s: the model does not import the operators of domain '%.80s'", text,
                   node->domain[0] ? node->domain : "ai.onnx");
}

static hz_status read_node(hzi_reader *reader, const Hzi__Onnx__NodeProto *source, hzi_node *node) {
    node->name = hzi_read_text(reader, source->name);
    node->type = hzi_read_text(reader, source->op_type);
    node->domain = hzi_read_text(reader, hzi_read_domain(source->domain));
    hzi_attribute *attributes = hzi_read_keep(reader, source->n_attribute, sizeof *attributes);
    if (!node->name || !node->type || !node->domain || !attributes) {
        return hzi_read_no_memory(reader);
    }
    if (!node->type[0]) {
        return hz_fail(reader->err, HZ_GRAPH, HZ_NO_OFFSET, "node %u '%.80s' has no operator",
                       node->index, node->name);
    }
    hz_status status = find_opset(reader, node);
    if (status == HZ_OK && source->n_attribute > HZI_ATTRIBUTES_MAX) {
        char text[200];
        (void)hzi_node_text(node, text, sizeof text);
        status = hz_fail(reader->err, HZ_GRAPH, HZ_NO_OFFSET, "%s: %zu attributes; the most is %d",
                         text, source->n_attribute, HZI_ATTRIBUTES_MAX);
    }
    node->attributes = attributes;
    for (size_t i = 0; i < source->n_attribute && status == HZ_OK; i++) {
        status = read_attribute(reader, node, source->attribute[i], &attributes[i]);
        node->attribute_count++;
    }
    return status;
}

/* ---- uses ------------------------------------------------------------------------------------- */

static int by_operator(const void *left, const void *right) {
    const hz_operator_use *a = left, *b = right;
    int order = strcmp(a->domain, b->domain);
    return order ? order : strcmp(a->name, b->name);
}

/* One entry per node, sorted, then equal ones together. */
static hz_status count_uses(hzi_reader *reader) {
    hz_graph *graph = reader->graph;
    hz_operator_use *all = hzi_read_scratch(reader, graph->node_count, sizeof *all);
    if (!all) {
        return hzi_read_no_memory(reader);
    }
    for (size_t i = 0; i < graph->node_count; i++) {
        const hzi_node *node = &graph->nodes[i];
        all[i] = (hz_operator_use){node->domain, node->type, node->opset, 1, false};
    }
    if (graph->node_count > 0) {
        qsort(all, graph->node_count, sizeof *all, by_operator);
    }
    size_t count = 0;
    for (size_t i = 0; i < graph->node_count; i++) {
        if (count > 0 && by_operator(&all[count - 1], &all[i]) == 0) {
            all[count - 1].count++;
        } else {
            all[count++] = all[i];
        }
    }
    graph->uses = hzi_read_keep(reader, count, sizeof *graph->uses);
    if (!graph->uses) {
        return hzi_read_no_memory(reader);
    }
    for (size_t i = 0; i < count; i++) {
        graph->uses[i] = all[i];
        graph->uses[i].supported =
            hzi_operator_find(all[i].domain, all[i].name, all[i].opset, NULL) != NULL;
    }
    graph->use_count = count;
    return HZ_OK;
}

static uint64_t numbers_in(const hzi_attribute *attribute) {
    switch (attribute->kind) {
    case HZI_ATTRIBUTE_TENSOR:
        return hz_tensor_count(&attribute->tensor);
    case HZI_ATTRIBUTE_FLOATS:
    case HZI_ATTRIBUTE_INTS:
        return attribute->count;
    case HZI_ATTRIBUTE_FLOAT:
    case HZI_ATTRIBUTE_INT:
        return 1;
    default:
        return 0;
    }
}

/* Numbers that nodes hold: of Constant, and of the trees and lines of ai.onnx.ml, whose whole
 * numbers are not learned. */
static uint64_t node_parameters(const hzi_node *node) {
    uint64_t count = 0;
    bool constant = !node->domain[0] && strcmp(node->type, "Constant") == 0;
    bool learned = strcmp(node->domain, "ai.onnx.ml") == 0;
    for (uint32_t i = 0; i < node->attribute_count; i++) {
        hzi_attribute_kind kind = node->attributes[i].kind;
        bool real = kind == HZI_ATTRIBUTE_TENSOR || kind == HZI_ATTRIBUTE_FLOATS;
        count += constant || (learned && real) ? numbers_in(&node->attributes[i]) : 0;
    }
    return count;
}

hz_status hzi_read_nodes(hzi_reader *reader) {
    const Hzi__Onnx__GraphProto *source = reader->source;
    hz_graph *graph = reader->graph;
    graph->nodes = hzi_read_keep(reader, source->n_node, sizeof *graph->nodes);
    if (!graph->nodes) {
        return hzi_read_no_memory(reader);
    }
    hz_status status = HZ_OK;
    for (size_t i = 0; i < source->n_node && status == HZ_OK; i++) {
        graph->nodes[i].index = (uint32_t)i;
        status = read_node(reader, source->node[i], &graph->nodes[i]);
        graph->facts.parameters += node_parameters(&graph->nodes[i]);
    }
    graph->node_count = source->n_node;
    graph->facts.nodes = source->n_node;
    return status == HZ_OK ? count_uses(reader) : status;
}
