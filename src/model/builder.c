/* SPDX-License-Identifier: MIT */
/*
 * Writing graphs: messages of the ONNX schema are put together in an arena and packed at the end.
 * Nothing in the bytes depends on time or place. Names are checked as a whole when finished.
 */
#include <hazard/model.h>

#include <hzi_onnx.pb-c.h>
#include <stdlib.h>
#include <string.h>

typedef Hzi__Onnx__AttributeProto attribute;
typedef Hzi__Onnx__TensorProto tensor_message;

struct hz_builder {
    hz_arena arena; /* every message and text */
    hz_status status;
    hz_error err;
    Hzi__Onnx__ModelProto model;
    Hzi__Onnx__GraphProto graph;
    Hzi__Onnx__NodeProto *node; /* the latest */
};

#define KIND(name) HZI__ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__##name

/* ---- memory ------------------------------------------------------------------------------------- */

static bool failed(const hz_builder *builder) {
    return !builder || builder->status != HZ_OK;
}

static void fail(hz_builder *builder, hz_status status, const char *format, const char *name) {
    if (builder->status == HZ_OK) {
        builder->status = status;
        (void)hz_fail(&builder->err, status, HZ_NO_OFFSET, "%s '%.200s'", format, name);
    }
}

/* Never NULL without failing the builder. */
static void *take(hz_builder *builder, size_t count, size_t size) {
    void *memory = NULL;
    if (builder->status == HZ_OK && (size == 0 || count <= SIZE_MAX / 2 / size)) {
        memory = hz_arena_alloc(&builder->arena, count * size);
    }
    if (!memory) {
        fail(builder, HZ_NO_MEMORY, "no memory for the graph", "");
        return NULL;
    }
    memset(memory, 0, count * size);
    return memory;
}

static void *copy(hz_builder *builder, const void *data, size_t count, size_t size) {
    void *made = take(builder, count, size);
    if (made && count > 0) {
        memcpy(made, data, count * size);
    }
    return made;
}

static char *copy_text(hz_builder *builder, const char *text) {
    return copy(builder, text, strlen(text) + 1, 1);
}

/* Appends a pointer to a list of *count; the list doubles at powers of two. */
static bool append(hz_builder *builder, void ***list, size_t *count, void *item) {
    if (item && (*count & (*count - 1)) == 0) { /* 0, 1, 2, 4, ... */
        void **grown = take(builder, *count ? *count * 2 : 1, sizeof *grown);
        if (grown && *count > 0) {
            memcpy(grown, *list, *count * sizeof *grown);
        }
        *list = grown ? grown : *list;
    }
    if (failed(builder) || !item) {
        return false;
    }
    (*list)[(*count)++] = item;
    return true;
}

/* ---- the model ---------------------------------------------------------------------------------- */

static void import(hz_builder *builder, const char *domain, int version) {
    Hzi__Onnx__OperatorSetIdProto *made = take(builder, 1, sizeof *made);
    if (made) {
        hzi__onnx__operator_set_id_proto__init(made);
        made->domain = copy_text(builder, domain);
        made->has_version = 1;
        made->version = version;
        void **list = (void **)builder->model.opset_import;
        (void)append(builder, &list, &builder->model.n_opset_import, made);
        builder->model.opset_import = (Hzi__Onnx__OperatorSetIdProto **)list;
    }
}

hz_builder *hz_builder_new(const char *graph_name, int64_t ir_version, int opset, int ml_opset) {
    static const char PRODUCER[] = "hazard";
    hz_builder *builder = calloc(1, sizeof *builder);
    if (!builder) {
        return NULL;
    }
    hzi__onnx__model_proto__init(&builder->model);
    hzi__onnx__graph_proto__init(&builder->graph);
    builder->model.has_ir_version = 1;
    builder->model.ir_version = ir_version;
    builder->model.producer_name = copy_text(builder, PRODUCER);
    builder->model.graph = &builder->graph;
    builder->graph.name = copy_text(builder, graph_name);
    if (opset > 0) {
        import(builder, "", opset);
    }
    if (ml_opset > 0) {
        import(builder, "ai.onnx.ml", ml_opset);
    }
    return builder;
}

void hz_builder_free(hz_builder *builder) {
    if (builder) {
        hz_arena_fini(&builder->arena);
        free(builder);
    }
}

void hz_builder_metadata(hz_builder *builder, const char *key, const char *value) {
    if (failed(builder)) {
        return;
    }
    Hzi__Onnx__StringStringEntryProto *made = take(builder, 1, sizeof *made);
    if (made) {
        hzi__onnx__string_string_entry_proto__init(made);
        made->key = copy_text(builder, key);
        made->value = copy_text(builder, value);
        void **list = (void **)builder->model.metadata_props;
        (void)append(builder, &list, &builder->model.n_metadata_props, made);
        builder->model.metadata_props = (Hzi__Onnx__StringStringEntryProto **)list;
    }
}

/* ---- ports -------------------------------------------------------------------------------------- */

static Hzi__Onnx__TensorShapeProto__Dimension *make_dimension(hz_builder *builder, int64_t size) {
    Hzi__Onnx__TensorShapeProto__Dimension *made = take(builder, 1, sizeof *made);
    if (!made) {
        return NULL;
    }
    hzi__onnx__tensor_shape_proto__dimension__init(made);
    if (size == HZ_DYNAMIC) {
        made->value_case = HZI__ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_PARAM;
        made->dim_param = copy_text(builder, "batch");
    } else {
        made->value_case = HZI__ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE;
        made->dim_value = size;
    }
    return made;
}

static Hzi__Onnx__ValueInfoProto *make_port(hz_builder *builder, const char *name,
                                            hz_element element, const int64_t *shape, size_t rank) {
    Hzi__Onnx__ValueInfoProto *made = take(builder, 1, sizeof *made);
    Hzi__Onnx__TypeProto *type = take(builder, 1, sizeof *type);
    Hzi__Onnx__TypeProto__Tensor *tensor = take(builder, 1, sizeof *tensor);
    Hzi__Onnx__TensorShapeProto *dims = take(builder, 1, sizeof *dims);
    if (!made || !type || !tensor || !dims) {
        return NULL;
    }
    hzi__onnx__value_info_proto__init(made);
    hzi__onnx__type_proto__init(type);
    hzi__onnx__type_proto__tensor__init(tensor);
    hzi__onnx__tensor_shape_proto__init(dims);
    void **list = NULL;
    for (size_t i = 0; i < rank; i++) {
        (void)append(builder, &list, &dims->n_dim, make_dimension(builder, shape[i]));
    }
    dims->dim = (Hzi__Onnx__TensorShapeProto__Dimension **)list;
    tensor->has_elem_type = 1;
    tensor->elem_type = (int32_t)element;
    tensor->shape = dims;
    type->value_case = HZI__ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE;
    type->tensor_type = tensor;
    made->name = copy_text(builder, name);
    made->type = type;
    return made;
}

void hz_builder_input(hz_builder *builder, const char *name, hz_element element,
                      const int64_t *shape, size_t rank) {
    if (!failed(builder)) {
        void **list = (void **)builder->graph.input;
        (void)append(builder, &list, &builder->graph.n_input,
                     make_port(builder, name, element, shape, rank));
        builder->graph.input = (Hzi__Onnx__ValueInfoProto **)list;
    }
}

void hz_builder_output(hz_builder *builder, const char *name, hz_element element,
                       const int64_t *shape, size_t rank) {
    if (!failed(builder)) {
        void **list = (void **)builder->graph.output;
        (void)append(builder, &list, &builder->graph.n_output,
                     make_port(builder, name, element, shape, rank));
        builder->graph.output = (Hzi__Onnx__ValueInfoProto **)list;
    }
}

/* ---- tensors ------------------------------------------------------------------------------------ */

static tensor_message *make_tensor(hz_builder *builder, const char *name, const hz_tensor *tensor) {
    tensor_message *made = take(builder, 1, sizeof *made);
    size_t size = hz_element_size(tensor->element);
    if (!made) {
        return NULL;
    }
    if (size == 0 || tensor->rank > HZ_RANK_MAX) {
        fail(builder, HZ_GRAPH, "a tensor cannot be written:", name);
        return NULL;
    }
    size_t count = 1;
    for (uint32_t i = 0; i < tensor->rank; i++) {
        int64_t dim = tensor->shape[i];
        if (dim < 0 || (dim > 0 && count > SIZE_MAX / 16 / (size_t)dim)) {
            fail(builder, HZ_GRAPH, "the shape of a tensor cannot be written:", name);
            return NULL;
        }
        count *= (size_t)dim;
    }
    hzi__onnx__tensor_proto__init(made);
    made->n_dims = tensor->rank;
    made->dims = copy(builder, tensor->shape, tensor->rank, sizeof *tensor->shape);
    made->has_data_type = 1;
    made->data_type = (int32_t)tensor->element;
    made->has_raw_data = 1;
    made->raw_data.len = count * size;
    made->raw_data.data = copy(builder, tensor->data, count, size);
    if (*name) {
        made->name = copy_text(builder, name);
    }
    return made;
}

void hz_builder_initializer(hz_builder *builder, const char *name, const hz_tensor *tensor) {
    if (!failed(builder)) {
        void **list = (void **)builder->graph.initializer;
        (void)append(builder, &list, &builder->graph.n_initializer,
                     make_tensor(builder, name, tensor));
        builder->graph.initializer = (tensor_message **)list;
    }
}

/* ---- nodes -------------------------------------------------------------------------------------- */

static char **copy_names(hz_builder *builder, const char *const *names, size_t count) {
    char **made = take(builder, count, sizeof *made);
    for (size_t i = 0; made && i < count; i++) {
        made[i] = copy_text(builder, names[i]);
    }
    return made;
}

void hz_builder_node(hz_builder *builder, const char *domain, const char *operation,
                     const char *const *inputs, size_t input_count, const char *const *outputs,
                     size_t output_count) {
    if (failed(builder)) {
        return;
    }
    Hzi__Onnx__NodeProto *made = take(builder, 1, sizeof *made);
    if (!made) {
        return;
    }
    hzi__onnx__node_proto__init(made);
    made->op_type = copy_text(builder, operation);
    if (domain && *domain) {
        made->domain = copy_text(builder, domain);
    }
    made->n_input = input_count;
    made->input = copy_names(builder, inputs, input_count);
    made->n_output = output_count;
    made->output = copy_names(builder, outputs, output_count);
    void **list = (void **)builder->graph.node;
    if (append(builder, &list, &builder->graph.n_node, made)) {
        builder->node = made;
    }
    builder->graph.node = (Hzi__Onnx__NodeProto **)list;
}

/* A new attribute of the latest node; NULL when there is no node or the builder has failed. */
static attribute *add_attribute(hz_builder *builder, const char *name,
                                Hzi__Onnx__AttributeProto__AttributeType kind) {
    if (failed(builder)) {
        return NULL;
    }
    if (!builder->node) {
        fail(builder, HZ_GRAPH, "there is no node yet for attribute", name);
        return NULL;
    }
    attribute *made = take(builder, 1, sizeof *made);
    if (!made) {
        return NULL;
    }
    hzi__onnx__attribute_proto__init(made);
    made->name = copy_text(builder, name);
    made->has_type = 1;
    made->type = kind;
    void **list = (void **)builder->node->attribute;
    bool added = append(builder, &list, &builder->node->n_attribute, made);
    builder->node->attribute = (attribute **)list;
    return added ? made : NULL;
}

void hz_builder_int(hz_builder *builder, const char *name, int64_t value) {
    attribute *made = add_attribute(builder, name, KIND(INT));
    if (made) {
        made->has_i = 1;
        made->i = value;
    }
}

void hz_builder_ints(hz_builder *builder, const char *name, const int64_t *values, size_t n) {
    attribute *made = add_attribute(builder, name, KIND(INTS));
    if (made) {
        made->n_ints = n;
        made->ints = copy(builder, values, n, sizeof *values);
    }
}

void hz_builder_float(hz_builder *builder, const char *name, float value) {
    attribute *made = add_attribute(builder, name, KIND(FLOAT));
    if (made) {
        made->has_f = 1;
        made->f = value;
    }
}

void hz_builder_floats(hz_builder *builder, const char *name, const float *values, size_t n) {
    attribute *made = add_attribute(builder, name, KIND(FLOATS));
    if (made) {
        made->n_floats = n;
        made->floats = copy(builder, values, n, sizeof *values);
    }
}

static ProtobufCBinaryData text_bytes(hz_builder *builder, const char *text) {
    return (ProtobufCBinaryData){strlen(text), copy(builder, text, strlen(text) + 1, 1)};
}

void hz_builder_string(hz_builder *builder, const char *name, const char *value) {
    attribute *made = add_attribute(builder, name, KIND(STRING));
    if (made) {
        made->has_s = 1;
        made->s = text_bytes(builder, value);
    }
}

void hz_builder_strings(hz_builder *builder, const char *name, const char *const *values,
                        size_t n) {
    attribute *made = add_attribute(builder, name, KIND(STRINGS));
    if (made) {
        made->strings = take(builder, n, sizeof *made->strings);
        for (size_t i = 0; made->strings && i < n; i++) {
            made->strings[i] = text_bytes(builder, values[i]);
        }
        made->n_strings = made->strings ? n : 0;
    }
}

void hz_builder_tensor(hz_builder *builder, const char *name, const hz_tensor *tensor) {
    attribute *made = add_attribute(builder, name, KIND(TENSOR));
    if (made) {
        made->t = make_tensor(builder, "", tensor);
    }
}

/* ---- finishing ---------------------------------------------------------------------------------- */

typedef struct definition {
    const char *name;
    int by; /* 0 = input, 1 = initializer, 2 = node */
} definition;

static int by_name(const void *left, const void *right) {
    const definition *a = left, *b = right;
    int order = strcmp(a->name, b->name);
    return order ? order : a->by - b->by;
}

static int by_name_only(const void *left, const void *right) {
    return strcmp(((const definition *)left)->name, ((const definition *)right)->name);
}

static void collect(const hz_builder *builder, definition *definitions, size_t *count) {
    const Hzi__Onnx__GraphProto *graph = &builder->graph;
    for (size_t i = 0; i < graph->n_input; i++) {
        definitions[(*count)++] = (definition){graph->input[i]->name, 0};
    }
    for (size_t i = 0; i < graph->n_initializer; i++) {
        const char *name = graph->initializer[i]->name;
        definitions[(*count)++] = (definition){name ? name : "", 1};
    }
    for (size_t i = 0; i < graph->n_node; i++) {
        for (size_t k = 0; k < graph->node[i]->n_output; k++) {
            if (*graph->node[i]->output[k]) {
                definitions[(*count)++] = (definition){graph->node[i]->output[k], 2};
            }
        }
    }
    qsort(definitions, *count, sizeof *definitions, by_name);
}

static void need(hz_builder *builder, const definition *definitions, size_t count,
                 const char *name) {
    definition wanted = {name, 0};
    if (!bsearch(&wanted, definitions, count, sizeof wanted, by_name_only)) {
        fail(builder, HZ_GRAPH, "nothing defines", name);
    }
}

static void check_names(hz_builder *builder) {
    const Hzi__Onnx__GraphProto *graph = &builder->graph;
    size_t most = graph->n_input + graph->n_initializer + 1, count = 0;
    for (size_t i = 0; i < graph->n_node; i++) {
        most += graph->node[i]->n_output;
    }
    definition *definitions = take(builder, most, sizeof *definitions);
    if (!definitions) {
        return;
    }
    collect(builder, definitions, &count);
    for (size_t i = 0; i < count; i++) {
        const definition *at = &definitions[i];
        if (!*at->name) {
            fail(builder, HZ_GRAPH, "an input or an initializer has no name", "");
        }
        /* An initializer may give an input its number. */
        if (i > 0 && by_name_only(at - 1, at) == 0 && (at[-1].by != 0 || at->by != 1)) {
            fail(builder, HZ_GRAPH, "defined twice:", at->name);
        }
    }
    for (size_t i = 0; i < graph->n_node; i++) {
        for (size_t k = 0; k < graph->node[i]->n_input; k++) {
            if (*graph->node[i]->input[k]) {
                need(builder, definitions, count, graph->node[i]->input[k]);
            }
        }
    }
    for (size_t i = 0; i < graph->n_output; i++) {
        need(builder, definitions, count, graph->output[i]->name);
    }
}

hz_status hz_builder_finish(hz_builder *builder, hz_arena *arena, const void **bytes,
                            size_t *length, hz_error *err) {
    if (!builder) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "out of memory");
    }
    if (!failed(builder)) {
        check_names(builder);
    }
    if (failed(builder)) {
        return hz_fail(err, builder->status, HZ_NO_OFFSET, "%s", builder->err.message);
    }
    size_t size = hzi__onnx__model_proto__get_packed_size(&builder->model);
    uint8_t *packed = hz_arena_alloc(arena, size);
    if (!packed) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for the bytes of the graph");
    }
    *length = hzi__onnx__model_proto__pack(&builder->model, packed);
    *bytes = packed;
    return HZ_OK;
}
