/* SPDX-License-Identifier: MIT */
/*
 * Values of a model file: what each name stands for. Names are defined by inputs, initializers and
 * results of nodes, each once; an initializer may give an input its number, which makes it a
 * constant. Names are sorted rather than hashed, so that no choice of names is slow.
 */
#include "model/reading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum definer { BY_INPUT, BY_INITIALIZER, BY_NODE } definer;

typedef struct definition {
    const char *name;
    definer by;
    uint32_t order; /* in which definitions were met */
} definition;

typedef struct name_table {
    size_t count;
    definition *sorted;
    uint32_t *value; /* by order */
} name_table;

static hz_status fail(const hzi_reader *reader, const char *format, const char *what,
                      size_t index) {
    char text[60];
    (void)snprintf(text, sizeof text, "%s %zu", what, index);
    return hz_fail(reader->err, HZ_GRAPH, HZ_NO_OFFSET, "%s %s", text, format);
}

/* ---- names ------------------------------------------------------------------------------------ */

static int by_name(const void *left, const void *right) {
    const definition *a = left, *b = right;
    int order = strcmp(a->name, b->name);
    if (order == 0) {
        order = a->by < b->by ? -1 : a->by > b->by;
    }
    if (order == 0) {
        order = a->order < b->order ? -1 : 1;
    }
    return order;
}

static void define(name_table *names, const char *name, definer by) {
    names->sorted[names->count] = (definition){name, by, (uint32_t)names->count};
    names->count++;
}

static hz_status collect(hzi_reader *reader, name_table *names) {
    const Hzi__Onnx__GraphProto *source = reader->source;
    size_t most = source->n_input + source->n_initializer;
    for (size_t i = 0; i < source->n_node; i++) {
        most += source->node[i]->n_output;
    }
    if (most >= HZI_NO_VALUE) {
        return hzi_read_no_memory(reader);
    }
    names->sorted = hzi_read_scratch(reader, most, sizeof *names->sorted);
    names->value = hzi_read_scratch(reader, most, sizeof *names->value);
    if (!names->sorted || !names->value) {
        return hzi_read_no_memory(reader);
    }
    for (size_t i = 0; i < source->n_input; i++) {
        if (!source->input[i]->name || !*source->input[i]->name) {
            return fail(reader, "has no name", "input", i);
        }
        define(names, source->input[i]->name, BY_INPUT);
    }
    for (size_t i = 0; i < source->n_initializer; i++) {
        if (!source->initializer[i]->name || !*source->initializer[i]->name) {
            return fail(reader, "has no name", "initializer", i);
        }
        define(names, source->initializer[i]->name, BY_INITIALIZER);
    }
    for (size_t i = 0; i < source->n_node; i++) {
        const Hzi__Onnx__NodeProto *node = source->node[i];
        for (size_t k = 0; k < node->n_output; k++) {
            if (*node->output[k]) {
                define(names, node->output[k], BY_NODE);
            }
        }
    }
    return HZ_OK;
}

/* Numbers the values in the order of definition. */
static hz_status number(hzi_reader *reader, name_table *names) {
    hz_graph *graph = reader->graph;
    for (size_t i = 0; i < names->count; i++) {
        names->value[i] = HZI_NO_VALUE;
    }
    uint32_t *twin = hzi_read_scratch(reader, names->count, sizeof *twin); /* order + 1 */
    if (!twin) {
        return hzi_read_no_memory(reader);
    }
    if (names->count > 0) {
        qsort(names->sorted, names->count, sizeof *names->sorted, by_name);
    }
    for (size_t i = 1; i < names->count; i++) {
        const definition *a = &names->sorted[i - 1], *b = &names->sorted[i];
        if (strcmp(a->name, b->name) != 0) {
            continue;
        }
        if (a->by != BY_INPUT || b->by != BY_INITIALIZER) {
            return hz_fail(reader->err, HZ_GRAPH, HZ_NO_OFFSET,
                           "the name '%.200s' is defined twice", a->name);
        }
        twin[b->order] = a->order + 1;
    }
    uint32_t next = 0;
    for (size_t i = 0; i < names->count; i++) {
        names->value[i] = twin[i] ? names->value[twin[i] - 1] : next++;
    }
    graph->value_count = next;
    graph->values = hzi_read_keep(reader, next, sizeof *graph->values);
    if (!graph->values) {
        return hzi_read_no_memory(reader);
    }
    for (size_t i = 0; i < names->count; i++) {
        hzi_value *value = &graph->values[names->value[names->sorted[i].order]];
        if (!value->name) {
            value->name = hzi_read_text(reader, names->sorted[i].name);
        }
        if (!value->name) {
            return hzi_read_no_memory(reader);
        }
    }
    return HZ_OK;
}

/* HZI_NO_VALUE when nothing defines the name. */
static uint32_t find(const name_table *names, const char *name) {
    size_t low = 0, high = names->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(names->sorted[middle].name, name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == names->count || strcmp(names->sorted[low].name, name) != 0) {
        return HZI_NO_VALUE;
    }
    return names->value[names->sorted[low].order];
}

/* ---- initializers ----------------------------------------------------------------------------- */

static hz_status read_initializers(hzi_reader *reader, const name_table *names) {
    const Hzi__Onnx__GraphProto *source = reader->source;
    hz_graph *graph = reader->graph;
    for (size_t i = 0; i < source->n_initializer; i++) {
        const Hzi__Onnx__TensorProto *tensor = source->initializer[i];
        hzi_value *value = &graph->values[find(names, tensor->name)];
        char what[160];
        (void)snprintf(what, sizeof what, "initializer '%.120s'", tensor->name);
        hz_status status = hzi_read_tensor(reader, tensor, what, &value->tensor);
        if (status != HZ_OK) {
            return status;
        }
        value->constant = true;
        graph->facts.parameters += hz_tensor_count(&value->tensor);
    }
    graph->facts.initializers = source->n_initializer;
    return HZ_OK;
}

/* ---- nodes ------------------------------------------------------------------------------------ */

static hz_status link_node(hzi_reader *reader, const name_table *names,
                           const Hzi__Onnx__NodeProto *source, hzi_node *node) {
    uint32_t *inputs = hzi_read_keep(reader, source->n_input, sizeof *inputs);
    uint32_t *outputs = hzi_read_keep(reader, source->n_output, sizeof *outputs);
    if (!inputs || !outputs) {
        return hzi_read_no_memory(reader);
    }
    for (size_t i = 0; i < source->n_input; i++) {
        inputs[i] = HZI_NO_VALUE;
        if (!*source->input[i]) {
            continue;
        }
        inputs[i] = find(names, source->input[i]);
        if (inputs[i] == HZI_NO_VALUE) {
            char text[200];
            (void)hzi_node_text(node, text, sizeof text);
            return hz_fail(reader->err, HZ_GRAPH, HZ_NO_OFFSET,
                           "%s: nothing defines its input %zu '%.200s'", text, i, source->input[i]);
        }
    }
    for (size_t i = 0; i < source->n_output; i++) {
        outputs[i] = *source->output[i] ? find(names, source->output[i]) : HZI_NO_VALUE;
    }
    node->inputs = inputs;
    node->outputs = outputs;
    node->input_count = (uint32_t)source->n_input;
    node->output_count = (uint32_t)source->n_output;
    return HZ_OK;
}

/* ---- ports ------------------------------------------------------------------------------------ */

static hz_status read_port_shape(hzi_reader *reader, const char *kind, hz_port *port,
                                 const Hzi__Onnx__TensorShapeProto *shape) {
    port->has_shape = shape != NULL;
    port->rank = shape ? (uint32_t)shape->n_dim : 0;
    for (uint32_t i = 0; i < port->rank && i < HZ_RANK_MAX; i++) {
        const Hzi__Onnx__TensorShapeProto__Dimension *dim = shape->dim[i];
        port->shape[i] = HZ_DYNAMIC;
        if (dim->value_case == HZI__ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE) {
            port->shape[i] = dim->dim_value; /* -1 is how some writers say that it may vary */
        }
        if (port->shape[i] < HZ_DYNAMIC) {
            return hz_fail(reader->err, HZ_GRAPH, HZ_NO_OFFSET,
                           "%s '%.200s' has a negative dimension", kind, port->name);
        }
    }
    return HZ_OK;
}

static hz_status read_port(hzi_reader *reader, const char *kind,
                           const Hzi__Onnx__ValueInfoProto *source, hz_port *port) {
    const Hzi__Onnx__TypeProto *type = source->type;
    port->name = hzi_read_text(reader, source->name);
    if (!port->name) {
        return hzi_read_no_memory(reader);
    }
    if (!type || type->value_case == HZI__ONNX__TYPE_PROTO__VALUE__NOT_SET) {
        return hz_fail(reader->err, HZ_GRAPH, HZ_NO_OFFSET, "%s '%.200s' has no type", kind,
                       port->name);
    }
    if (type->value_case != HZI__ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE) {
        return HZ_OK;
    }
    port->is_tensor = true;
    port->element = (hz_element)type->tensor_type->elem_type;
    if (type->tensor_type->elem_type <= 0) {
        return hz_fail(reader->err, HZ_GRAPH, HZ_NO_OFFSET, "%s '%.200s' has no element type", kind,
                       port->name);
    }
    return read_port_shape(reader, kind, port, type->tensor_type->shape);
}

static hz_status read_inputs(hzi_reader *reader, const name_table *names) {
    const Hzi__Onnx__GraphProto *source = reader->source;
    hz_graph *graph = reader->graph;
    graph->inputs = hzi_read_keep(reader, source->n_input, sizeof *graph->inputs);
    graph->input_values = hzi_read_keep(reader, source->n_input, sizeof *graph->input_values);
    if (!graph->inputs || !graph->input_values) {
        return hzi_read_no_memory(reader);
    }
    for (size_t i = 0; i < source->n_input; i++) {
        uint32_t value = find(names, source->input[i]->name);
        if (graph->values[value].constant) {
            continue;
        }
        hz_status status =
            read_port(reader, "input", source->input[i], &graph->inputs[graph->input_count]);
        if (status != HZ_OK) {
            return status;
        }
        graph->input_values[graph->input_count++] = value;
    }
    return HZ_OK;
}

static hz_status read_outputs(hzi_reader *reader, const name_table *names) {
    const Hzi__Onnx__GraphProto *source = reader->source;
    hz_graph *graph = reader->graph;
    graph->outputs = hzi_read_keep(reader, source->n_output, sizeof *graph->outputs);
    graph->output_values = hzi_read_keep(reader, source->n_output, sizeof *graph->output_values);
    bool *seen = hzi_read_scratch(reader, graph->value_count, sizeof *seen);
    if (!graph->outputs || !graph->output_values || !seen) {
        return hzi_read_no_memory(reader);
    }
    for (size_t i = 0; i < source->n_output; i++) {
        const char *name = source->output[i]->name;
        if (!name || !*name) {
            return fail(reader, "has no name", "output", i);
        }
        uint32_t value = find(names, name);
        if (value == HZI_NO_VALUE) {
            return hz_fail(reader->err, HZ_GRAPH, HZ_NO_OFFSET, "nothing defines output '%.200s'",
                           name);
        }
        if (seen[value]) {
            return hz_fail(reader->err, HZ_GRAPH, HZ_NO_OFFSET, "there are two outputs '%.200s'",
                           name);
        }
        seen[value] = true;
        hz_status status = read_port(reader, "output", source->output[i], &graph->outputs[i]);
        if (status != HZ_OK) {
            return status;
        }
        graph->output_values[i] = value;
    }
    graph->output_count = source->n_output;
    return HZ_OK;
}

hz_status hzi_read_values(hzi_reader *reader) {
    name_table names = {0};
    hz_status status = collect(reader, &names);
    if (status == HZ_OK) {
        status = number(reader, &names);
    }
    if (status == HZ_OK) {
        status = read_initializers(reader, &names);
    }
    for (size_t i = 0; i < reader->source->n_node && status == HZ_OK; i++) {
        status = link_node(reader, &names, reader->source->node[i], &reader->graph->nodes[i]);
    }
    if (status == HZ_OK) {
        status = read_inputs(reader, &names);
    }
    return status == HZ_OK ? read_outputs(reader, &names) : status;
}
