/* SPDX-License-Identifier: MIT */
/*
 * An ONNX file as it was written: unpacked within bounds and walked through, with everything that
 * graphs nest in each other. Nothing is prepared for running; see graph_read.c for that.
 */
#include "model/onnx_file.h"

#include "model/reading.h"
#include "model/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- walking ------------------------------------------------------------------------------------ */

typedef struct walk {
    const hzi_onnx_visitor *visitor;
    hz_error *err;
    const Hzi__Onnx__FunctionProto *function; /* whose body it is in, NULL = none */
} walk;

static const char *shown(const char *text) {
    return text ? text : "";
}

static hz_status visit_tensor(const walk *w, const Hzi__Onnx__TensorProto *tensor, const char *kind,
                              const char *name, bool main_initializer) {
    char what[400];
    if (!tensor || !w->visitor->tensor) {
        return HZ_OK;
    }
    (void)snprintf(what, sizeof what, "%.40s '%.200s'", kind, shown(name));
    return w->visitor->tensor(w->visitor->state, tensor, what, main_initializer, w->err);
}

static hz_status visit_sparse(const walk *w, const Hzi__Onnx__SparseTensorProto *sparse,
                              const char *name, bool main_initializer) {
    if (!sparse) {
        return HZ_OK;
    }
    hz_status status =
        visit_tensor(w, sparse->values, "values of sparse tensor", name, main_initializer);
    return status == HZ_OK
               ? visit_tensor(w, sparse->indices, "indices of sparse tensor", name, false)
               : status;
}

static hz_status visit_graph(const walk *w, const Hzi__Onnx__GraphProto *graph, bool nested);

static hz_status visit_attribute(const walk *w, const Hzi__Onnx__NodeProto *node,
                                 const Hzi__Onnx__AttributeProto *a, bool nested) {
    hz_status status = HZ_OK;
    if (w->visitor->attribute) {
        status = w->visitor->attribute(w->visitor->state, node, a, nested, w->err);
    }
    if (status == HZ_OK) {
        status = visit_tensor(w, a->t, "attribute", a->name, false);
    }
    for (size_t i = 0; i < a->n_tensors && status == HZ_OK; i++) {
        status = visit_tensor(w, a->tensors[i], "attribute", a->name, false);
    }
    if (status == HZ_OK) {
        status = visit_sparse(w, a->sparse_tensor, a->name, false);
    }
    for (size_t i = 0; i < a->n_sparse_tensors && status == HZ_OK; i++) {
        status = visit_sparse(w, a->sparse_tensors[i], a->name, false);
    }
    if (status == HZ_OK && a->g) {
        status = visit_graph(w, a->g, true);
    }
    for (size_t i = 0; i < a->n_graphs && status == HZ_OK; i++) {
        status = visit_graph(w, a->graphs[i], true);
    }
    return status;
}

static hz_status visit_node(const walk *w, const Hzi__Onnx__NodeProto *node, bool nested) {
    hz_status status = HZ_OK;
    if (w->visitor->node) {
        status = w->visitor->node(w->visitor->state, node, w->function, nested, w->err);
    }
    for (size_t i = 0; i < node->n_attribute && status == HZ_OK; i++) {
        status = visit_attribute(w, node, node->attribute[i], nested);
    }
    return status;
}

/* The depth of graphs within graphs is bounded by the check of the wire format. */
static hz_status visit_graph(const walk *w, const Hzi__Onnx__GraphProto *graph, bool nested) {
    hz_status status = HZ_OK;
    for (size_t i = 0; i < graph->n_initializer && status == HZ_OK; i++) {
        const Hzi__Onnx__TensorProto *tensor = graph->initializer[i];
        status = visit_tensor(w, tensor, "initializer", tensor->name, !nested);
    }
    for (size_t i = 0; i < graph->n_sparse_initializer && status == HZ_OK; i++) {
        const Hzi__Onnx__SparseTensorProto *sparse = graph->sparse_initializer[i];
        status = visit_sparse(w, sparse, sparse->values ? sparse->values->name : "", !nested);
    }
    for (size_t i = 0; i < graph->n_node && status == HZ_OK; i++) {
        status = visit_node(w, graph->node[i], nested);
    }
    return status;
}

hz_status hzi_onnx_walk(const Hzi__Onnx__ModelProto *model, const hzi_onnx_visitor *visitor,
                        hz_error *err) {
    walk w = {.visitor = visitor, .err = err};
    hz_status status = visit_graph(&w, model->graph, false);
    for (size_t f = 0; f < model->n_functions && status == HZ_OK; f++) {
        w.function = model->functions[f];
        for (size_t i = 0; i < w.function->n_node && status == HZ_OK; i++) {
            status = visit_node(&w, w.function->node[i], true);
        }
    }
    return status;
}

/* ---- tensors: the data fits the shape ------------------------------------------------------------ */

/* Width of an element in bits, 0 for a text or an unknown type. */
static unsigned bits_of(int32_t type) {
    enum { FLOAT8_FIRST = 17, FLOAT8_LAST = 20, UINT4 = 21, INT4 = 22, FLOAT4 = 23, SCALE = 24 };
    if ((type >= FLOAT8_FIRST && type <= FLOAT8_LAST) || type == SCALE) {
        return 8;
    }
    if (type == UINT4 || type == INT4 || type == FLOAT4) {
        return 4;
    }
    return type == HZ_ELEMENT_STRING ? 0 : 8 * (unsigned)hz_element_size((hz_element)type);
}

unsigned hzi_onnx_bits(const Hzi__Onnx__TensorProto *tensor) {
    return bits_of(tensor->data_type);
}

hz_status hzi_onnx_elements(const Hzi__Onnx__TensorProto *tensor, const char *what, uint64_t *count,
                            hz_error *err) {
    *count = 1;
    bool empty = false;
    for (size_t i = 0; i < tensor->n_dims; i++) {
        int64_t dim = tensor->dims[i];
        if (dim < 0) {
            return hz_fail(err, HZ_GRAPH, HZ_NO_OFFSET, "%.300s: a negative dimension", what);
        }
        if (dim == 0) {
            empty = true;
        } else if ((uint64_t)dim > UINT64_MAX / 128 / *count) {
            return hz_fail(err, HZ_GRAPH, HZ_NO_OFFSET,
                           "%.300s: the number of elements does not fit 64 bits", what);
        } else {
            *count *= (uint64_t)dim;
        }
    }
    *count = empty ? 0 : *count;
    return HZ_OK;
}

static bool is_foreign(const Hzi__Onnx__TensorProto *tensor) {
    return tensor->n_external_data > 0 ||
           (tensor->has_data_location &&
            tensor->data_location != HZI__ONNX__TENSOR_PROTO__DATA_LOCATION__DEFAULT);
}

static bool is_text(const Hzi__Onnx__TensorProto *tensor) {
    return tensor->data_type == HZ_ELEMENT_STRING || tensor->n_string_data > 0;
}

/* Numbers in the typed field of a type, in elements (4-bit ones are packed in pairs). */
static uint64_t typed_numbers(const Hzi__Onnx__TensorProto *t, unsigned bits) {
    switch (t->data_type) {
    case HZ_ELEMENT_FLOAT:
        return t->n_float_data;
    case HZ_ELEMENT_COMPLEX64:
        return t->n_float_data / 2;
    case HZ_ELEMENT_DOUBLE:
        return t->n_double_data;
    case HZ_ELEMENT_COMPLEX128:
        return t->n_double_data / 2;
    case HZ_ELEMENT_INT64:
        return t->n_int64_data;
    case HZ_ELEMENT_UINT32:
    case HZ_ELEMENT_UINT64:
        return t->n_uint64_data;
    default:
        return bits == 4 ? 2 * (uint64_t)t->n_int32_data : t->n_int32_data;
    }
}

static hz_status check_tensor(void *state, const Hzi__Onnx__TensorProto *t, const char *what,
                              bool main_initializer, hz_error *err) {
    (void)state;
    (void)main_initializer;
    uint64_t count;
    hz_status status = hzi_onnx_elements(t, what, &count, err);
    if (status != HZ_OK || is_foreign(t) || is_text(t)) {
        return status;
    }
    unsigned bits = bits_of(t->data_type);
    if (bits == 0 || t->segment) {
        return hz_fail(err, HZ_GRAPH, HZ_NO_OFFSET, "%.300s: %s", what,
                       bits ? "a tensor in segments" : "an unknown element type");
    }
    size_t numbers =
        t->n_float_data + t->n_int32_data + t->n_int64_data + t->n_double_data + t->n_uint64_data;
    uint64_t there = t->has_raw_data && t->raw_data.len > 0 ? 8 * (uint64_t)t->raw_data.len / bits
                                                            : typed_numbers(t, bits);
    bool odd = bits == 4 && there == count + 1;
    if (t->has_raw_data && t->raw_data.len > 0 && numbers > 0) {
        return hz_fail(err, HZ_GRAPH, HZ_NO_OFFSET,
                       "%.300s: its data is there twice, as bytes and as numbers", what);
    }
    if (there != count && !odd) {
        return hz_fail(err, HZ_GRAPH, HZ_NO_OFFSET,
                       "%.300s: the shape has %llu elements, the data %llu", what,
                       (unsigned long long)count, (unsigned long long)there);
    }
    return HZ_OK;
}

static hz_status refuse_foreign(void *state, const Hzi__Onnx__TensorProto *t, const char *what,
                                bool main_initializer, hz_error *err) {
    (void)state;
    (void)main_initializer;
    const char *why = is_foreign(t) ? "its data is outside the file"
                      : is_text(t)  ? "a tensor of texts"
                                    : NULL;
    return why ? hz_fail(err, HZ_GRAPH, HZ_NO_OFFSET, "%.300s: %s", what, why) : HZ_OK;
}

/* Texts that are data, of which a Cast would make numbers: "value_strings" of a Constant,
 * "keys_strings", "cats_strings", "default_string" of ai.onnx.ml and their like. Names of modes and
 * equations are structure. */
static hz_status refuse_texts(void *state, const Hzi__Onnx__NodeProto *node,
                              const Hzi__Onnx__AttributeProto *attribute, bool nested,
                              hz_error *err) {
    (void)state;
    (void)nested;
    const char *name = shown(attribute->name);
    if (strstr(name, "string") || strcmp(name, "stopwords") == 0) {
        return hz_fail(err, HZ_GRAPH, HZ_NO_OFFSET,
                       "node '%.200s' (%.100s): a tensor of texts, attribute '%.100s'",
                       shown(node->name), shown(node->op_type), name);
    }
    return HZ_OK;
}

hz_status hz_onnx_file_check_data(const hz_onnx_file *file, hz_error *err) {
    const hzi_onnx_visitor visitor = {.tensor = refuse_foreign, .attribute = refuse_texts};
    return hzi_onnx_walk(file->model, &visitor, err);
}

/* ---- imports, nodes, ports ------------------------------------------------------------------------ */

static hz_status no_memory(hz_error *err) {
    return hz_fail(err, HZ_GRAPH, HZ_NO_OFFSET,
                   "reading the file takes more memory than there is or is allowed");
}

static void *take(hz_onnx_file *file, size_t count, size_t size) {
    void *memory = count > SIZE_MAX / size ? NULL : hz_arena_alloc(&file->arena, count * size);
    if (memory) {
        memset(memory, 0, count * size);
    }
    return memory;
}

static void add_imports(hz_onnx_file *file, Hzi__Onnx__OperatorSetIdProto *const *list,
                        size_t count) {
    for (size_t i = 0; i < count; i++) {
        file->imports[file->import_count].domain = hzi_read_domain(list[i]->domain);
        file->imports[file->import_count++].version = list[i]->has_version ? list[i]->version : 0;
    }
}

static int64_t opset_of(const hz_onnx_file *file, const Hzi__Onnx__FunctionProto *function,
                        const char *domain) {
    for (size_t i = 0; function && i < function->n_opset_import; i++) {
        if (strcmp(hzi_read_domain(function->opset_import[i]->domain), domain) == 0) {
            return function->opset_import[i]->version;
        }
    }
    for (size_t i = 0; i < file->model->n_opset_import; i++) {
        if (strcmp(hzi_read_domain(file->model->opset_import[i]->domain), domain) == 0) {
            return file->model->opset_import[i]->version;
        }
    }
    return 0;
}

static bool is_function(const Hzi__Onnx__ModelProto *model, const char *domain, const char *type) {
    for (size_t i = 0; i < model->n_functions; i++) {
        const Hzi__Onnx__FunctionProto *function = model->functions[i];
        if (strcmp(hzi_read_domain(function->domain), domain) == 0 &&
            strcmp(shown(function->name), type) == 0) {
            return true;
        }
    }
    return false;
}

/* Counts first (nodes NULL), then fills. */
static hz_status add_node(void *state, const Hzi__Onnx__NodeProto *node,
                          const Hzi__Onnx__FunctionProto *function, bool nested, hz_error *err) {
    hz_onnx_file *file = state;
    (void)err;
    file->is_nested = file->is_nested || nested;
    if (file->nodes) {
        const char *domain = hzi_read_domain(node->domain);
        const char *type = shown(node->op_type);
        size_t inputs = node->n_input;
        while (inputs > 0 && !*shown(node->input[inputs - 1])) {
            inputs--;
        }
        file->nodes[file->node_count] =
            (hz_onnx_node){.domain = domain,
                           .type = type,
                           .name = shown(node->name),
                           .opset = opset_of(file, function, domain),
                           .function = is_function(file->model, domain, type),
                           .nested = nested,
                           .inputs = inputs};
    }
    file->node_count++;
    return HZ_OK;
}

static hz_status note_sparse(void *state, const Hzi__Onnx__NodeProto *node,
                             const Hzi__Onnx__AttributeProto *attribute, bool nested,
                             hz_error *err) {
    hz_onnx_file *file = state;
    (void)node;
    (void)nested;
    (void)err;
    file->is_nested = file->is_nested || attribute->g || attribute->n_graphs > 0 ||
                      attribute->sparse_tensor || attribute->n_sparse_tensors > 0;
    return HZ_OK;
}

static hz_status list_nodes(hz_onnx_file *file, hz_error *err) {
    const hzi_onnx_visitor visitor = {.state = file, .node = add_node, .attribute = note_sparse};
    file->is_nested = file->model->n_functions > 0 || file->model->graph->n_sparse_initializer > 0;
    (void)hzi_onnx_walk(file->model, &visitor, NULL);
    size_t count = file->node_count;
    file->node_count = 0;
    file->nodes = take(file, count + 1, sizeof *file->nodes);
    return file->nodes ? hzi_onnx_walk(file->model, &visitor, err) : no_memory(err);
}

static void read_port(const Hzi__Onnx__ValueInfoProto *source, hz_port *port) {
    const Hzi__Onnx__TypeProto *type = source->type;
    port->name = shown(source->name);
    if (!type || type->value_case != HZI__ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE) {
        return;
    }
    const Hzi__Onnx__TensorShapeProto *shape = type->tensor_type->shape;
    port->is_tensor = true;
    port->element = (hz_element)type->tensor_type->elem_type;
    port->has_shape = shape != NULL;
    port->rank = shape ? (uint32_t)shape->n_dim : 0;
    for (uint32_t i = 0; i < port->rank && i < HZ_RANK_MAX; i++) {
        const Hzi__Onnx__TensorShapeProto__Dimension *dim = shape->dim[i];
        bool number = dim->value_case == HZI__ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE;
        port->shape[i] = number ? dim->dim_value : HZ_DYNAMIC;
    }
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static hz_status read_ports(hz_onnx_file *file, hz_error *err) {
    const Hzi__Onnx__GraphProto *graph = file->model->graph;
    size_t constants = graph->n_initializer + graph->n_sparse_initializer, n = 0;
    const char **names = take(file, constants + 1, sizeof *names);
    file->inputs = take(file, graph->n_input + 1, sizeof *file->inputs);
    file->outputs = take(file, graph->n_output + 1, sizeof *file->outputs);
    if (!names || !file->inputs || !file->outputs) {
        return no_memory(err);
    }
    for (size_t i = 0; i < graph->n_initializer; i++) {
        names[n++] = shown(graph->initializer[i]->name);
    }
    for (size_t i = 0; i < graph->n_sparse_initializer; i++) {
        const Hzi__Onnx__TensorProto *values = graph->sparse_initializer[i]->values;
        names[n++] = values ? shown(values->name) : "";
    }
    qsort(names, n, sizeof *names, by_text);
    for (size_t i = 0; i < graph->n_input; i++) {
        const char *name = shown(graph->input[i]->name);
        if (!bsearch(&name, names, n, sizeof *names, by_text)) {
            read_port(graph->input[i], &file->inputs[file->input_count++]);
        }
    }
    for (size_t i = 0; i < graph->n_output; i++) {
        read_port(graph->output[i], &file->outputs[file->output_count++]);
    }
    return HZ_OK;
}

/* ---- reading ------------------------------------------------------------------------------------- */

static void *unpack_alloc(void *arena, size_t size) {
    return hz_arena_alloc(arena, size);
}

static void unpack_free(void *arena, void *memory) {
    (void)arena; /* given back at once with the arena */
    (void)memory;
}

/* Defaults of a function's attributes came after the schema used here; numbers could hide there. */
static bool has_attribute_defaults(const Hzi__Onnx__FunctionProto *function) {
    enum { ATTRIBUTE_PROTO = 11 };
    for (unsigned i = 0; i < function->base.n_unknown_fields; i++) {
        if (function->base.unknown_fields[i].tag == ATTRIBUTE_PROTO) {
            return true;
        }
    }
    return false;
}

static hz_status read_model(hz_onnx_file *file, hz_error *err) {
    const Hzi__Onnx__ModelProto *model = file->model;
    size_t imports = model->n_opset_import;
    if (!model->graph) {
        return hz_fail(err, HZ_GRAPH, HZ_NO_OFFSET, "the model has no graph");
    }
    for (size_t i = 0; i < model->n_functions; i++) {
        imports += model->functions[i]->n_opset_import;
        if (has_attribute_defaults(model->functions[i])) {
            return hz_fail(err, HZ_GRAPH, HZ_NO_OFFSET,
                           "function '%.200s' has defaults for attributes, which are not supported",
                           shown(model->functions[i]->name));
        }
    }
    file->imports = take(file, imports + 1, sizeof *file->imports);
    if (!file->imports) {
        return no_memory(err);
    }
    add_imports(file, model->opset_import, model->n_opset_import);
    for (size_t i = 0; i < model->n_functions; i++) {
        add_imports(file, model->functions[i]->opset_import, model->functions[i]->n_opset_import);
    }
    hz_status status = list_nodes(file, err);
    if (status == HZ_OK) {
        status = read_ports(file, err);
    }
    const hzi_onnx_visitor tensors = {.tensor = check_tensor};
    return status == HZ_OK ? hzi_onnx_walk(model, &tensors, err) : status;
}

hz_status hz_onnx_file_read(const void *bytes, size_t length, const hz_graph_limits *limits,
                            hz_onnx_file **file, hz_error *err) {
    hz_graph_limits filled = hzi_fill_limits(limits);
    hz_status status = hzi_wire_check(bytes, length, &filled, err);
    if (status != HZ_OK) {
        return status;
    }
    hz_onnx_file *made = calloc(1, sizeof *made);
    if (!made) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "out of memory");
    }
    hz_arena_init(&made->arena, filled.memory_bytes);
    ProtobufCAllocator allocator = {unpack_alloc, unpack_free, &made->arena};
    made->model = hzi__onnx__model_proto__unpack(&allocator, length, bytes);
    if (made->model) {
        status = read_model(made, err);
    } else {
        status = made->arena.held > filled.memory_bytes / 2
                     ? no_memory(err)
                     : hz_fail(err, HZ_GRAPH, HZ_NO_OFFSET,
                               "these bytes are no ONNX model: a field has the wrong type");
    }
    if (status != HZ_OK) {
        hz_onnx_file_free(made);
        return status;
    }
    *file = made;
    return HZ_OK;
}

void hz_onnx_file_free(hz_onnx_file *file) {
    if (file) {
        hz_arena_fini(&file->arena);
        free(file);
    }
}

/* ---- answers ------------------------------------------------------------------------------------- */

int64_t hz_onnx_file_ir_version(const hz_onnx_file *file) {
    return file->model->has_ir_version ? file->model->ir_version : 0;
}

bool hz_onnx_file_import(const hz_onnx_file *file, size_t index, const char **domain,
                         int64_t *version) {
    if (index >= file->import_count) {
        return false;
    }
    *domain = file->imports[index].domain;
    *version = file->imports[index].version;
    return true;
}

bool hz_onnx_file_defines(const hz_onnx_file *file, const char *domain) {
    for (size_t i = 0; i < file->model->n_functions; i++) {
        if (strcmp(hzi_read_domain(file->model->functions[i]->domain), domain) == 0) {
            return true;
        }
    }
    return false;
}

size_t hz_onnx_file_inputs(const hz_onnx_file *file) {
    return file->input_count;
}

size_t hz_onnx_file_outputs(const hz_onnx_file *file) {
    return file->output_count;
}

const hz_port *hz_onnx_file_input(const hz_onnx_file *file, size_t index) {
    return index < file->input_count ? &file->inputs[index] : NULL;
}

const hz_port *hz_onnx_file_output(const hz_onnx_file *file, size_t index) {
    return index < file->output_count ? &file->outputs[index] : NULL;
}

bool hz_onnx_file_node(const hz_onnx_file *file, size_t index, hz_onnx_node *node) {
    if (index >= file->node_count) {
        return false;
    }
    *node = file->nodes[index];
    return true;
}

bool hz_onnx_file_is_nested(const hz_onnx_file *file) {
    return file->is_nested;
}
