/* SPDX-License-Identifier: MIT */
/*
 * Reading graphs: what is refused, with its reason, quickly and within the memory allowed; and what
 * a graph tells about itself. Models are written byte by byte where no tool would write them.
 */
#include "model/graphs.h"

#include <sys/stat.h>
#include <unistd.h>

/* Field numbers of the ONNX schema. */
enum { MODEL_IR = 1, MODEL_PRODUCER = 2, MODEL_GRAPH = 7, MODEL_IMPORT = 8, MODEL_FUNCTION = 25 };
enum {
    GRAPH_NODE = 1,
    GRAPH_INITIALIZER = 5,
    GRAPH_INPUT = 11,
    GRAPH_OUTPUT = 12,
    GRAPH_SPARSE = 15
};
enum { NODE_NAME = 3, NODE_ATTRIBUTE = 5, NODE_DOMAIN = 7 };
enum {
    ATTRIBUTE_NAME = 1,
    ATTRIBUTE_I = 3,
    ATTRIBUTE_S = 4,
    ATTRIBUTE_T = 5,
    ATTRIBUTE_G = 6,
    ATTRIBUTE_FLOATS = 7,
    ATTRIBUTE_TYPE = 20,
    ATTRIBUTE_REF = 21,
    ATTRIBUTE_SPARSE = 22
};
enum {
    TENSOR_DIMS = 1,
    TENSOR_TYPE = 2,
    TENSOR_SEGMENT = 3,
    TENSOR_FLOATS = 4,
    TENSOR_INT32S = 5,
    TENSOR_STRINGS = 6,
    TENSOR_INT64S = 7,
    TENSOR_NAME = 8,
    TENSOR_RAW = 9,
    TENSOR_DOUBLES = 10,
    TENSOR_UINT64S = 11,
    TENSOR_EXTERNAL = 13,
    TENSOR_LOCATION = 14
};

/* ---- helpers ------------------------------------------------------------------------------------ */

/* Reads, must be refused with these words; the model is freed. */
static void expect_refused(wire *model, const hz_graph_limits *limits, const char *words) {
    hz_graph *graph = NULL;
    hz_error err;
    hz_status status = hz_graph_read(model->data, model->length, limits, &graph, &err);
    if (status != HZ_GRAPH || !strstr(err.message, words)) {
        fail_msg("wanted '%s', got %s: %s", words, hz_status_name(status),
                 status == HZ_OK ? "" : err.message);
    }
    assert_null(graph);
    assert_int_equal(err.code, HZ_GRAPH);
    assert_int_equal(hz_graph_read(model->data, model->length, limits, &graph, NULL), HZ_GRAPH);
    wire_free(model);
}

static hz_graph *expect_read(wire *model) {
    hz_graph *graph = NULL;
    hz_error err;
    if (hz_graph_read(model->data, model->length, NULL, &graph, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
    wire_free(model);
    return graph;
}

static void expect_not_opened(wire *model, const char *words) {
    hz_model *opened = NULL;
    hz_error err;
    wire copy = {0};
    wire_add(&copy, model->data, model->length);
    hz_graph_free(expect_read(&copy)); /* it can be looked at */
    hz_status status = hz_model_open(model->data, model->length, NULL, &opened, &err);
    if (status != HZ_GRAPH || !strstr(err.message, words) ||
        strncmp(err.message, "cannot read the ONNX graph: ", 28) != 0) {
        fail_msg("wanted '%s', got %s: %s", words, hz_status_name(status),
                 status == HZ_OK ? "" : err.message);
    }
    assert_null(opened);
    wire_free(model);
}

/* x [n,2] -> Relu -> y with something more in the graph. */
static wire model_with(unsigned field, wire more) {
    wire graph = wire_graph(NULL);
    wire_message(&graph, field, &more);
    return wire_model(&graph, 8, 13);
}

static wire model_of_node(wire node) {
    wire graph = wire_graph(&node);
    return wire_model(&graph, 8, 13);
}

/* Relu with an attribute. */
static wire model_of_attribute(wire attribute) {
    wire node = wire_node("Relu", "x", "y");
    wire_message(&node, NODE_ATTRIBUTE, &attribute);
    return model_of_node(node);
}

static wire attribute_of(const char *name, int64_t type) {
    wire w = {0};
    wire_text(&w, ATTRIBUTE_NAME, name);
    if (type > 0) {
        wire_int(&w, ATTRIBUTE_TYPE, type);
    }
    return w;
}

/* A float tensor "w" of one dimension, without data. */
static wire tensor_head(hz_element element, int64_t count) {
    wire w = {0};
    wire_int(&w, TENSOR_DIMS, count);
    wire_int(&w, TENSOR_TYPE, (int64_t)element);
    wire_text(&w, TENSOR_NAME, "w");
    return w;
}

static uint64_t milliseconds(void) {
    return hz_clock_now_ns() / 1000000;
}

/* ---- bytes --------------------------------------------------------------------------------------- */

static void bytes_that_are_no_model_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        size_t length;
        const char *words;
    } CASES[] = {
        {"", 0, "there are none"},
        {"hello", 5, "these bytes are no ONNX model"},
        {"\x00\x01", 2, "a broken field number at byte 0"},
        {"\x08", 1, "a number without an end at byte 0"},
        {"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12, "a number without an end"},
        {"\x3a\x05\x01", 3, "a length beyond the end at byte 0"},
        {"\x0b", 1, "an unknown kind of field at byte 0"},
        {"\x09\x01", 2, "a number beyond the end at byte 0"},
        {"\x38\x01", 2, "a text written as a number"},
        {"\x0a\x01\x01", 3, "a number written as a text"},
        {"\x12\x02\xc3\x28", 4, "a name that is not UTF-8 at byte 2"},
        {"\x12\x03\xed\xa0\x80", 5, "a name that is not UTF-8"},
        {"\x12\x02\x41\x00", 4, "a text with a zero byte"},
        {"\x12\x02\x41\x0a", 4, "a control character at byte 3"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        wire model = {0};
        wire_add(&model, CASES[i].bytes, CASES[i].length);
        expect_refused(&model, NULL, CASES[i].words);
    }
}

static void a_model_cut_short_is_refused_or_whole(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(1);
    hz_arena arena = {0};
    const void *bytes;
    size_t length;
    graphs_network(&arena, &random, (int64_t[]){7, 5, 1}, 2, &bytes, &length);
    for (size_t cut = 0; cut < length; cut++) {
        hz_graph *graph = NULL;
        uint8_t *copy = malloc(cut + 1);
        memcpy(copy, bytes, cut);
        hz_status status = hz_graph_read(copy, cut, NULL, &graph, NULL);
        assert_true(status == HZ_OK || status == HZ_GRAPH);
        assert_true((status == HZ_OK) == (graph != NULL));
        hz_graph_free(graph);
        free(copy);
    }
    hz_arena_fini(&arena);
}

static void names_that_are_too_long_are_refused(void **state) {
    (void)state;
    char name[2100];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    wire node = wire_node("Relu", "x", "y");
    wire_text(&node, NODE_NAME, name);
    wire model = model_of_node(node);
    expect_refused(&model, NULL, "a name of 2099 bytes");
}

static void messages_nested_a_thousand_deep_are_refused(void **state) {
    (void)state;
    wire inner = {0};
    wire_text(&inner, 2, "innermost");
    for (int level = 0; level < 1000; level++) { /* graph > node > attribute > graph ... */
        static const unsigned FIELDS[] = {GRAPH_NODE, ATTRIBUTE_G, NODE_ATTRIBUTE};
        wire outer = {0};
        wire_message(&outer, FIELDS[level % 3], &inner);
        inner = outer;
    }
    wire model = {0};
    wire_message(&model, MODEL_GRAPH, &inner);
    expect_refused(&model, NULL, "nested more than");
}

static void files_beyond_the_limit_are_refused(void **state) {
    (void)state;
    wire graph = wire_graph(NULL), model = wire_model(&graph, 8, 13);
    hz_graph_limits limits = {.file_bytes = model.length - 1};
    expect_refused(&model, &limits, "the most that is read");
}

static void more_nodes_than_allowed_are_refused(void **state) {
    (void)state;
    wire more = wire_node("Relu", "x", "z"), model = model_with(GRAPH_NODE, more);
    hz_graph_limits limits = {.nodes = 1};
    expect_refused(&model, &limits, "more than 1 nodes");
}

/* ---- size ---------------------------------------------------------------------------------------- */

static void fifty_megabytes_are_refused_quickly_within_a_small_limit(void **state) {
    (void)state;
    static const size_t BYTES = 50u << 20;
    hz_graph_limits limits = {.file_bytes = 64 << 20, .memory_bytes = 16 << 20};
    float *numbers = calloc(BYTES, 1);
    assert_non_null(numbers);
    wire tensor =
        wire_tensor("w", HZ_ELEMENT_FLOAT, (int64_t[]){(int64_t)(BYTES / 4)}, 1, numbers, BYTES);
    wire model = model_with(GRAPH_INITIALIZER, tensor);
    uint64_t before = milliseconds();
    hz_graph *graph = NULL; /* more than is read at all unless a limit says so */
    assert_int_equal(hz_graph_read(model.data, model.length, NULL, &graph, NULL), HZ_GRAPH);
    expect_refused(&model, &limits, "more memory than there is or is allowed");
    memset(numbers, 0x0a, BYTES); /* a tag and a length again and again */
    wire junk = {0};
    wire_add(&junk, numbers, BYTES);
    expect_refused(&junk, &limits, "no ONNX model");
    /* Two bytes each for empty nodes: hundreds of bytes each once unpacked. */
    wire nodes = {0};
    memset(numbers, 0, BYTES);
    for (size_t i = 0; i < 8u << 20; i++) {
        ((uint8_t *)numbers)[2 * i] = 0x0a;
    }
    wire_bytes(&nodes, MODEL_GRAPH, numbers, 16u << 20);
    expect_refused(&nodes, &limits, "more than 100000 nodes");
    /* The same for initializers, which are not counted but take memory. */
    wire tensors = {0};
    for (size_t i = 0; i < 8u << 20; i++) {
        ((uint8_t *)numbers)[2 * i] = 0x2a;
    }
    wire_bytes(&tensors, MODEL_GRAPH, numbers, 16u << 20);
    expect_refused(&tensors, &limits, "more memory than there is or is allowed");
    free(numbers);
    assert_in_range(milliseconds() - before, 0, 60000); /* not minutes, whatever the sanitizer */
}

static void shapes_beyond_memory_are_refused(void **state) {
    (void)state;
    static const int64_t HUGE_SHAPES[][2] = {
        {(int64_t)1 << 40, (int64_t)1 << 40},
        {INT64_MAX, INT64_MAX},
        {INT64_MAX, 1},
        {(int64_t)1 << 32, ((int64_t)1 << 32) + 1},
    };
    for (size_t i = 0; i < sizeof HUGE_SHAPES / sizeof *HUGE_SHAPES; i++) {
        wire tensor = wire_tensor("w", HZ_ELEMENT_FLOAT, HUGE_SHAPES[i], 2, "\0\0\0\0", 4);
        wire model = model_with(GRAPH_INITIALIZER, tensor);
        expect_refused(&model, NULL, "beyond the memory limit");
        wire node = wire_node("Relu", "x", "y"), graph = {0};
        wire x = wire_port("x", HZ_ELEMENT_FLOAT, HUGE_SHAPES[i], 2);
        wire y = wire_port("y", HZ_ELEMENT_FLOAT, HUGE_SHAPES[i], 2);
        wire_message(&graph, GRAPH_NODE, &node);
        wire_message(&graph, GRAPH_INPUT, &x);
        wire_message(&graph, GRAPH_OUTPUT, &y);
        wire opened = wire_model(&graph, 8, 13);
        expect_not_opened(&opened, "beyond the memory limit");
    }
    /* Room for a promise of numbers is not taken before they are there. */
    wire tensor = wire_tensor("w", HZ_ELEMENT_FLOAT, (int64_t[]){100, 1000000}, 2, "\0\0\0\0", 4);
    wire model = model_with(GRAPH_INITIALIZER, tensor);
    expect_refused(&model, NULL, "the shape wants 100000000 numbers");
}

/* ---- the model ------------------------------------------------------------------------------------ */

static void models_of_unknown_form_are_refused(void **state) {
    (void)state;
    wire graph = wire_graph(NULL), model = wire_model(&graph, 99, 13);
    expect_refused(&model, NULL, "IR version 99");
    graph = wire_graph(NULL);
    model = wire_model(&graph, 0, 13);
    expect_refused(&model, NULL, "IR version 0");
    wire empty = {0};
    wire_int(&empty, MODEL_IR, 8);
    expect_refused(&empty, NULL, "the model has no graph");
    graph = wire_graph(NULL);
    model = wire_model(&graph, 8, 13);
    wire function = {0};
    wire_text(&function, 1, "f");
    wire_message(&model, MODEL_FUNCTION, &function);
    expect_refused(&model, NULL, "functions");
    wire sparse = {0};
    wire_int(&sparse, 3, 1);
    model = model_with(GRAPH_SPARSE, sparse);
    expect_refused(&model, NULL, "sparse tensors");
}

static void imports_are_checked(void **state) {
    (void)state;
    wire graph = wire_graph(NULL), model = wire_model(&graph, 8, 0);
    expect_refused(&model, NULL,
                   "node 0 (Relu): the model does not import the operators of domain "
                   "'ai.onnx'");
    graph = wire_graph(NULL);
    model = wire_model(&graph, 8, 13);
    wire again = {0};
    wire_text(&again, 1, "ai.onnx");
    wire_int(&again, 2, 12);
    wire_message(&model, MODEL_IMPORT, &again);
    expect_refused(&model, NULL, "imports the operators of 'ai.onnx' twice");
    graph = wire_graph(NULL);
    model = wire_model(&graph, 8, 13);
    wire none = {0};
    wire_text(&none, 1, "other");
    wire_message(&model, MODEL_IMPORT, &none);
    expect_refused(&model, NULL, "opset 0 of 'other'");
    wire node = wire_node("Relu", "x", "y");
    wire_text(&node, NODE_DOMAIN, "com.example");
    model = model_of_node(node);
    expect_refused(&model, NULL, "domain 'com.example'");
    node = wire_node("Relu", "x", "y"); /* an unused import of a strange domain does no harm */
    wire_text(&node, NODE_DOMAIN, "ai.onnx");
    model = model_of_node(node);
    wire strange = {0};
    wire_text(&strange, 1, "com.example");
    wire_int(&strange, 2, 1);
    wire_message(&model, MODEL_IMPORT, &strange);
    hz_graph_free(expect_read(&model));
}

/* ---- names and order ------------------------------------------------------------------------------ */

static void missing_names_are_refused(void **state) {
    (void)state;
    wire model = model_with(GRAPH_INPUT, wire_port("", HZ_ELEMENT_FLOAT, NULL, 0));
    expect_refused(&model, NULL, "input 1 has no name");
    model = model_with(GRAPH_OUTPUT, wire_port("", HZ_ELEMENT_FLOAT, NULL, 0));
    expect_refused(&model, NULL, "output 1 has no name");
    model =
        model_with(GRAPH_INITIALIZER, wire_tensor("", HZ_ELEMENT_FLOAT, NULL, 0, "\0\0\0\0", 4));
    expect_refused(&model, NULL, "initializer 0 has no name");
    model = model_of_node(wire_node("", "x", "y"));
    expect_refused(&model, NULL, "node 0 '' has no operator");
    model = model_of_attribute(attribute_of("", 2));
    expect_refused(&model, NULL, "attribute '' has no name");
}

static void names_defined_twice_are_refused(void **state) {
    (void)state;
    wire model = model_with(GRAPH_NODE, wire_node("Relu", "x", "y"));
    expect_refused(&model, NULL, "the name 'y' is defined twice");
    model = model_with(GRAPH_NODE, wire_node("Relu", "y", "x"));
    expect_refused(&model, NULL, "the name 'x' is defined twice");
    model = model_with(GRAPH_NODE, wire_node("Split", "x", "z z"));
    expect_refused(&model, NULL, "the name 'z' is defined twice");
    model = model_with(GRAPH_INPUT, wire_port("x", HZ_ELEMENT_FLOAT, NULL, 0));
    expect_refused(&model, NULL, "the name 'x' is defined twice");
    model =
        model_with(GRAPH_INITIALIZER, wire_tensor("y", HZ_ELEMENT_FLOAT, NULL, 0, "\0\0\0\0", 4));
    expect_refused(&model, NULL, "the name 'y' is defined twice");
    model = model_with(GRAPH_OUTPUT, wire_port("y", HZ_ELEMENT_FLOAT, NULL, 0));
    expect_refused(&model, NULL, "there are two outputs 'y'");
}

static void undefined_names_are_refused(void **state) {
    (void)state;
    wire node = wire_node("Add", "x missing", "y");
    wire_text(&node, NODE_NAME, "sum");
    wire model = model_of_node(node);
    expect_refused(&model, NULL, "node 0 'sum' (Add): nothing defines its input 1 'missing'");
    model = model_with(GRAPH_OUTPUT, wire_port("gone", HZ_ELEMENT_FLOAT, NULL, 0));
    expect_refused(&model, NULL, "nothing defines output 'gone'");
}

static void cycles_are_refused(void **state) {
    (void)state;
    wire model = model_of_node(wire_node("Add", "x y", "y"));
    expect_refused(&model, NULL, "the graph has a cycle: node 0 (Add)");
    /* y waits for the cycle a -> b -> c -> a, but is not on it. */
    wire y = wire_node("Relu", "a", "y"), graph = wire_graph(&y);
    wire a = wire_node("Add", "x c", "a"), b = wire_node("Neg", "a", "b");
    wire c = wire_node("Abs", "b", "c");
    wire_message(&graph, GRAPH_NODE, &a);
    wire_message(&graph, GRAPH_NODE, &b);
    wire_message(&graph, GRAPH_NODE, &c);
    model = wire_model(&graph, 8, 13);
    hz_error err;
    hz_graph *read = NULL;
    assert_int_equal(hz_graph_read(model.data, model.length, NULL, &read, &err), HZ_GRAPH);
    assert_non_null(strstr(err.message, "the graph has a cycle"));
    assert_null(strstr(err.message, "node 0"));
    wire_free(&model);
}

static void nodes_in_any_order_are_sorted(void **state) {
    (void)state;
    enum { NODES = 200 };
    hz_random random = hz_random_from_seed(test_seed());
    size_t order[NODES];
    for (size_t i = 0; i < NODES; i++) {
        size_t k = hz_random_draw(&random, (uint32_t)i + 1);
        order[i] = order[k];
        order[k] = i;
    }
    wire graph = {0};
    for (size_t i = 0; i < NODES; i++) { /* v0 -> Neg -> v1 -> Neg ... */
        char from[20], to[20];
        (void)snprintf(from, sizeof from, "v%zu", order[i]);
        (void)snprintf(to, sizeof to, "v%zu", order[i] + 1);
        wire node = wire_node("Neg", from, to);
        wire_message(&graph, GRAPH_NODE, &node);
    }
    wire in = wire_port("v0", HZ_ELEMENT_FLOAT, (int64_t[]){1}, 1);
    wire out = wire_port("v200", HZ_ELEMENT_FLOAT, (int64_t[]){1}, 1);
    wire_message(&graph, GRAPH_INPUT, &in);
    wire_message(&graph, GRAPH_OUTPUT, &out);
    wire bytes = wire_model(&graph, 8, 13);
    hz_model *model = NULL;
    hz_error err;
    assert_int_equal(hz_model_open(bytes.data, bytes.length, NULL, &model, &err), HZ_OK);
    float number = 3.5f;
    hz_tensor input = {HZ_ELEMENT_FLOAT, 1, {1}, &number}, output;
    hz_arena arena = {0};
    assert_int_equal(hz_model_run(model, &input, 1, &output, 1, &arena, &err), HZ_OK);
    assert_true(*(float *)output.data == 3.5f);
    hz_arena_fini(&arena);
    assert_int_equal(hz_model_close(model, NULL), HZ_OK);
    wire_free(&bytes);
}

/* ---- tensors --------------------------------------------------------------------------------------- */

static void tensors_that_are_elsewhere_are_refused(void **state) {
    (void)state;
    wire tensor = tensor_head(HZ_ELEMENT_FLOAT, 1), entry = {0};
    wire_text(&entry, 1, "location");
    wire_text(&entry, 2, "weights.bin");
    wire_message(&tensor, TENSOR_EXTERNAL, &entry);
    wire model = model_with(GRAPH_INITIALIZER, tensor);
    expect_refused(&model, NULL, "initializer 'w': external data is not supported");
    tensor = tensor_head(HZ_ELEMENT_FLOAT, 0);
    wire_int(&tensor, TENSOR_LOCATION, 1);
    model = model_with(GRAPH_INITIALIZER, tensor);
    expect_refused(&model, NULL, "external data");
    tensor = tensor_head(HZ_ELEMENT_FLOAT, 0);
    wire segment = {0};
    wire_int(&segment, 1, 0);
    wire_message(&tensor, TENSOR_SEGMENT, &segment);
    model = model_with(GRAPH_INITIALIZER, tensor);
    expect_refused(&model, NULL, "segments");
}

static void tensors_of_other_elements_are_refused(void **state) {
    (void)state;
    wire tensor = tensor_head(HZ_ELEMENT_STRING, 1);
    wire_text(&tensor, TENSOR_STRINGS, "text");
    wire model = model_with(GRAPH_INITIALIZER, tensor);
    expect_refused(&model, NULL, "initializer 'w': a tensor of strings is not supported");
    static const int OTHERS[] = {0, HZ_ELEMENT_COMPLEX64, HZ_ELEMENT_COMPLEX128, 17, 1000, -1};
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++) {
        model = model_with(GRAPH_INITIALIZER, tensor_head((hz_element)OTHERS[i], 0));
        expect_refused(&model, NULL, "is not supported");
    }
}

static void tensors_whose_shape_does_not_fit_their_data_are_refused(void **state) {
    (void)state;
    static const char ZEROS[64] = {0};
    static const struct {
        int64_t dims[9];
        size_t rank, bytes;
        const char *words;
    } CASES[] = {
        {{2, 3}, 2, 20, "the shape wants 24 bytes of data, there are 20"},
        {{2, 3}, 2, 28, "the shape wants 24 bytes of data, there are 28"},
        {{2, 3}, 2, 0, "the shape wants 6 numbers"},
        {{0, 3}, 2, 4, "the shape wants 0 bytes of data, there are 4"},
        {{-1}, 1, 4, "a negative dimension"},
        {{1, 1, 1, 1, 1, 1, 1, 1, 1}, 9, 4, "rank 9; the most is 8"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        wire model =
            model_with(GRAPH_INITIALIZER, wire_tensor("w", HZ_ELEMENT_FLOAT, CASES[i].dims,
                                                      CASES[i].rank, ZEROS, CASES[i].bytes));
        expect_refused(&model, NULL, CASES[i].words);
    }
    wire tensor = tensor_head(HZ_ELEMENT_FLOAT, 3);
    wire_bytes(&tensor, TENSOR_FLOATS, ZEROS, 8);
    wire model = model_with(GRAPH_INITIALIZER, tensor);
    expect_refused(&model, NULL, "the shape wants 3 numbers");
    tensor = tensor_head(HZ_ELEMENT_FLOAT, 2);
    wire_bytes(&tensor, TENSOR_FLOATS, ZEROS, 12);
    model = model_with(GRAPH_INITIALIZER, tensor);
    expect_refused(&model, NULL, "the shape wants 2 numbers, there are 3");
    tensor = tensor_head(HZ_ELEMENT_FLOAT, 2);
    wire_bytes(&tensor, TENSOR_DOUBLES, ZEROS, 16);
    model = model_with(GRAPH_INITIALIZER, tensor);
    expect_refused(&model, NULL, "its numbers are not of its element type");
    tensor = tensor_head(HZ_ELEMENT_FLOAT, 2);
    wire_bytes(&tensor, TENSOR_FLOATS, ZEROS, 8);
    wire_bytes(&tensor, TENSOR_RAW, ZEROS, 8);
    model = model_with(GRAPH_INITIALIZER, tensor);
    expect_refused(&model, NULL, "its numbers are there twice");
}

static void numbers_outside_their_type_are_refused(void **state) {
    (void)state;
    static const struct {
        hz_element element;
        unsigned field;
        int64_t number;
    } CASES[] = {
        {HZ_ELEMENT_BOOL, TENSOR_INT32S, 2},
        {HZ_ELEMENT_UINT8, TENSOR_INT32S, 256},
        {HZ_ELEMENT_UINT8, TENSOR_INT32S, -1},
        {HZ_ELEMENT_INT8, TENSOR_INT32S, 128},
        {HZ_ELEMENT_INT16, TENSOR_INT32S, -32769},
        {HZ_ELEMENT_UINT16, TENSOR_INT32S, 65536},
        {HZ_ELEMENT_FLOAT16, TENSOR_INT32S, 65536},
        {HZ_ELEMENT_BFLOAT16, TENSOR_INT32S, -1},
        {HZ_ELEMENT_UINT32, TENSOR_UINT64S, (int64_t)1 << 32},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        wire tensor = tensor_head(CASES[i].element, 1);
        wire_int(&tensor, CASES[i].field, CASES[i].number);
        wire model = model_with(GRAPH_INITIALIZER, tensor);
        expect_refused(&model, NULL, "number 0 does not fit");
    }
    wire model = model_with(GRAPH_INITIALIZER,
                            wire_tensor("w", HZ_ELEMENT_BOOL, (int64_t[]){2}, 1, "\1\2", 2));
    expect_refused(&model, NULL, "number 1 does not fit BOOL");
}

/* Numbers in typed fields mean the same as raw ones: both are handed through Identity. */
static void typed_fields_and_raw_data_give_the_same_numbers(void **state) {
    (void)state;
    static const int64_t TWO[] = {2};
    static const struct {
        hz_element element;
        unsigned field;
        int64_t numbers[2]; /* written as varints */
        const char *raw;
        size_t bytes;
    } CASES[] = {
        {HZ_ELEMENT_INT32, TENSOR_INT32S, {-2, 7}, "\xfe\xff\xff\xff\x07\0\0\0", 8},
        {HZ_ELEMENT_INT64,
         TENSOR_INT64S,
         {-2, 7},
         "\xfe\xff\xff\xff\xff\xff\xff\xff\x07\0\0\0\0\0\0\0",
         16},
        {HZ_ELEMENT_UINT32, TENSOR_UINT64S, {4294967295, 7}, "\xff\xff\xff\xff\x07\0\0\0", 8},
        {HZ_ELEMENT_UINT64,
         TENSOR_UINT64S,
         {-1, 7},
         "\xff\xff\xff\xff\xff\xff\xff\xff\x07\0\0\0\0\0\0\0",
         16},
        {HZ_ELEMENT_INT16, TENSOR_INT32S, {-2, 7}, "\xfe\xff\x07\0", 4},
        {HZ_ELEMENT_UINT16, TENSOR_INT32S, {65534, 7}, "\xfe\xff\x07\0", 4},
        {HZ_ELEMENT_INT8, TENSOR_INT32S, {-2, 7}, "\xfe\x07", 2},
        {HZ_ELEMENT_UINT8, TENSOR_INT32S, {254, 7}, "\xfe\x07", 2},
        {HZ_ELEMENT_BOOL, TENSOR_INT32S, {0, 1}, "\0\x01", 2},
        {HZ_ELEMENT_FLOAT16, TENSOR_INT32S, {0x3c00, 0xc000}, "\0\x3c\0\xc0", 4},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        wire typed = tensor_head(CASES[i].element, 2), packed = {0};
        wire_varint(&packed, (uint64_t)CASES[i].numbers[0]);
        wire_varint(&packed, (uint64_t)CASES[i].numbers[1]);
        wire_message(&typed, CASES[i].field, &packed);
        wire raw = wire_tensor("r", CASES[i].element, TWO, 1, CASES[i].raw, CASES[i].bytes);
        wire graph = {0}, out1 = wire_port("w", CASES[i].element, TWO, 1);
        wire out2 = wire_port("r", CASES[i].element, TWO, 1);
        wire_message(&graph, GRAPH_INITIALIZER, &typed);
        wire_message(&graph, GRAPH_INITIALIZER, &raw);
        wire_message(&graph, GRAPH_OUTPUT, &out1);
        wire_message(&graph, GRAPH_OUTPUT, &out2);
        wire bytes = wire_model(&graph, 8, 13);
        hz_model *model = NULL;
        hz_error err;
        hz_tensor outputs[2];
        hz_arena arena = {0};
        if (hz_model_open(bytes.data, bytes.length, NULL, &model, &err) != HZ_OK ||
            hz_model_run(model, NULL, 0, outputs, 2, &arena, &err) != HZ_OK) {
            fail_msg("%s: %s", hz_element_name(CASES[i].element), err.message);
        }
        assert_memory_equal(outputs[0].data, CASES[i].raw, CASES[i].bytes);
        assert_memory_equal(outputs[1].data, CASES[i].raw, CASES[i].bytes);
        hz_arena_fini(&arena);
        assert_int_equal(hz_model_close(model, NULL), HZ_OK);
        wire_free(&bytes);
    }
}

/* ---- attributes ------------------------------------------------------------------------------------ */

static void attributes_of_no_use_are_refused(void **state) {
    (void)state;
    wire attribute = attribute_of("body", 5), inner = {0};
    wire_text(&inner, 2, "inner");
    wire_message(&attribute, ATTRIBUTE_G, &inner);
    wire model = model_of_attribute(attribute);
    expect_refused(&model, NULL, "node 0 (Relu): attribute 'body' is a graph");
    attribute = attribute_of("a", 11);
    wire sparse = {0};
    wire_int(&sparse, 3, 1);
    wire_message(&attribute, ATTRIBUTE_SPARSE, &sparse);
    model = model_of_attribute(attribute);
    expect_refused(&model, NULL, "attribute 'a' is a sparse tensor");
    attribute = attribute_of("a", 2);
    wire_text(&attribute, ATTRIBUTE_REF, "outer");
    model = model_of_attribute(attribute);
    expect_refused(&model, NULL, "refers to a function's");
    attribute = attribute_of("a", 2);
    wire_text(&attribute, ATTRIBUTE_S, "text");
    model = model_of_attribute(attribute);
    expect_refused(&model, NULL, "has values of another kind than it says");
    model = model_of_attribute(attribute_of("a", 0));
    expect_refused(&model, NULL, "attribute 'a' is of an unknown kind");
    model = model_of_attribute(attribute_of("a", 4));
    expect_refused(&model, NULL, "attribute 'a' has no tensor");
    attribute = attribute_of("a", 3);
    wire_bytes(&attribute, ATTRIBUTE_S, "a\0b", 3);
    model = model_of_attribute(attribute);
    expect_refused(&model, NULL, "a text with a zero byte");
    wire node = wire_node("Relu", "x", "y");
    for (int i = 0; i < 2; i++) {
        attribute = attribute_of("a", 2);
        wire_int(&attribute, ATTRIBUTE_I, i);
        wire_message(&node, NODE_ATTRIBUTE, &attribute);
    }
    model = model_of_node(node);
    expect_refused(&model, NULL, "attribute 'a' is there twice");
    attribute = attribute_of("value", 4);
    wire tensor = wire_tensor("", HZ_ELEMENT_FLOAT, (int64_t[]){2}, 1, "\0\0\0\0", 4);
    wire_message(&attribute, ATTRIBUTE_T, &tensor);
    model = model_of_attribute(attribute);
    expect_refused(&model, NULL, "node 0 (Relu): attribute 'value': the shape wants 8 bytes");
}

static void attributes_without_a_kind_are_read_by_their_value(void **state) {
    (void)state;
    wire attribute = attribute_of("alpha", 0), node = wire_node("LeakyRelu", "x", "y");
    wire_varint(&attribute, 2 << 3 | 5); /* f */
    wire_add(&attribute, "\0\0\0\x3f", 4);
    wire_message(&node, NODE_ATTRIBUTE, &attribute);
    wire bytes = model_of_node(node);
    hz_model *model = NULL;
    hz_error err;
    assert_int_equal(hz_model_open(bytes.data, bytes.length, NULL, &model, &err), HZ_OK);
    float row[2] = {-3.0f, 4.0f};
    hz_tensor input = {HZ_ELEMENT_FLOAT, 2, {1, 2}, row}, output;
    hz_arena arena = {0};
    assert_int_equal(hz_model_run(model, &input, 1, &output, 1, &arena, &err), HZ_OK);
    assert_true(((float *)output.data)[0] == -1.5f && ((float *)output.data)[1] == 4.0f);
    hz_arena_fini(&arena);
    assert_int_equal(hz_model_close(model, NULL), HZ_OK);
    wire_free(&bytes);
}

/* ---- operators: read, but not opened --------------------------------------------------------------- */

static void unknown_operators_are_named_when_a_graph_is_opened(void **state) {
    (void)state;
    wire node = wire_node("Frobnicate", "x", "y");
    wire_text(&node, NODE_NAME, "odd");
    wire model = model_of_node(node);
    expect_not_opened(&model,
                      "node 0 'odd' (Frobnicate): operator Frobnicate of ai.onnx (opset 13) "
                      "is not known");
    wire graph = wire_graph(NULL);
    model = wire_model(&graph, 8, 9999);
    expect_not_opened(&model, "operator Relu of ai.onnx opset 9999 is not supported");
    wire attribute = attribute_of("sauce", 2);
    model = model_of_attribute(attribute);
    expect_not_opened(&model, "node 0 (Relu): attribute 'sauce' is not known at opset 13");
    model = model_of_node(wire_node("Relu", "x x", "y"));
    expect_not_opened(&model, "it has 2 inputs instead of 1");
    model = model_of_node(wire_node("Relu", "x", "y z"));
    expect_not_opened(&model, "it has 2 outputs instead of 1");
    node = wire_node("Add", "x", "y");
    wire_text(&node, 1, ""); /* an input that is left out */
    model = model_of_node(node);
    expect_not_opened(&model, "input 1 is left out");
    attribute = attribute_of("alpha", 2);
    node = wire_node("LeakyRelu", "x", "y");
    wire_int(&attribute, ATTRIBUTE_I, 1);
    wire_message(&node, NODE_ATTRIBUTE, &attribute);
    model = model_of_node(node);
    expect_not_opened(&model, "attribute 'alpha' must be a float, it is a whole number");
}

static void graphs_with_more_work_than_allowed_are_not_opened(void **state) {
    (void)state;
    wire graph = wire_graph(NULL), bytes = wire_model(&graph, 8, 13);
    hz_model_options options = {.limits = {.work = 3}};
    hz_model *model = NULL;
    hz_error err;
    assert_int_equal(hz_model_open(bytes.data, bytes.length, &options, &model, &err), HZ_GRAPH);
    assert_non_null(strstr(err.message, "takes more than 3 operations"));
    options.limits.work = 4;
    assert_int_equal(hz_model_open(bytes.data, bytes.length, &options, &model, &err), HZ_OK);
    assert_int_equal(hz_model_close(model, NULL), HZ_OK);
    wire_free(&bytes);
}

/* ---- ports and facts -------------------------------------------------------------------------------- */

static void ports_say_what_the_file_says(void **state) {
    (void)state;
    static const int64_t NINE[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    static const struct {
        int64_t dims[9];
        size_t rank;
        const char *text;
    } CASES[] = {
        {{-1, 13}, 2, "[batch,13]"},
        {{-2, 1}, 2, "[batch,1]"},
        {{4, 1}, 2, "[4,1]"},
        {{0}, 0, "[]"},
        {{-1, -1, 1}, 3, "[batch,batch,1]"},
        {{0}, 1, "[0]"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        wire model = model_with(GRAPH_INPUT,
                                wire_port("z", HZ_ELEMENT_DOUBLE, CASES[i].dims, CASES[i].rank));
        hz_graph *graph = expect_read(&model);
        const hz_port *port = hz_graph_input(graph, 1);
        char text[100], cut[5];
        assert_int_equal(hz_port_shape_text(port, text, sizeof text), strlen(CASES[i].text));
        assert_string_equal(text, CASES[i].text);
        assert_int_equal(hz_port_shape_text(port, cut, sizeof cut), strlen(CASES[i].text));
        assert_string_equal(port->name, "z");
        assert_int_equal(port->element, HZ_ELEMENT_DOUBLE);
        assert_true(port->is_tensor && port->has_shape && port->rank == CASES[i].rank);
        assert_null(hz_graph_input(graph, 2));
        hz_graph_free(graph);
    }
    wire model = model_with(GRAPH_INPUT, wire_port("z", HZ_ELEMENT_FLOAT, NINE, 9));
    hz_graph *graph = expect_read(&model);
    char text[100];
    (void)hz_port_shape_text(hz_graph_input(graph, 1), text, sizeof text);
    assert_string_equal(text, "[1,2,3,4,5,6,7,8,...]");
    hz_graph_free(graph);
}

static void ports_that_are_no_tensors_are_told_apart(void **state) {
    (void)state;
    static const unsigned KINDS[] = {4, 5, 8, 9}; /* sequence, map, sparse tensor, optional */
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++) {
        wire port = {0}, type = {0}, kind = {0};
        wire_message(&type, KINDS[i], &kind);
        wire_text(&port, 1, "s");
        wire_message(&port, 2, &type);
        wire bytes = model_with(GRAPH_INPUT, port);
        hz_model *model = NULL;
        hz_error err;
        assert_int_equal(hz_model_open(bytes.data, bytes.length, NULL, &model, &err), HZ_OK);
        assert_false(hz_model_input(model, 1)->is_tensor);
        hz_tensor inputs[2] = {{HZ_ELEMENT_FLOAT, 2, {0, 2}, NULL}, {0}}, output;
        hz_arena arena = {0};
        assert_int_equal(hz_model_run(model, inputs, 2, &output, 1, &arena, &err), HZ_MODEL_RUN);
        assert_string_equal(err.message, "input 's' is no tensor");
        assert_int_equal(hz_model_close(model, NULL), HZ_OK);
        wire_free(&bytes);
    }
    wire port = {0};
    wire_text(&port, 1, "s");
    wire model = model_with(GRAPH_INPUT, port);
    expect_refused(&model, NULL, "input 's' has no type");
    model = model_with(GRAPH_OUTPUT, wire_port("x", (hz_element)0, NULL, 0));
    expect_refused(&model, NULL, "output 'x' has no element type");
}

static void dimensions_written_as_minus_one_are_dynamic(void **state) {
    (void)state;
    for (int64_t size = -1; size >= -2; size--) {
        wire port = {0}, type = {0}, tensor = {0}, shape = {0}, dim = {0};
        wire_int(&dim, 1, size);
        wire_message(&shape, 1, &dim);
        wire_int(&tensor, 1, HZ_ELEMENT_FLOAT);
        wire_message(&tensor, 2, &shape);
        wire_message(&type, 1, &tensor);
        wire_text(&port, 1, "z");
        wire_message(&port, 2, &type);
        wire model = model_with(GRAPH_INPUT, port);
        if (size == -1) {
            hz_graph *graph = expect_read(&model);
            assert_int_equal(hz_graph_input(graph, 1)->shape[0], HZ_DYNAMIC);
            hz_graph_free(graph);
        } else {
            expect_refused(&model, NULL, "input 'z' has a negative dimension");
        }
    }
}

static void inputs_with_an_initializer_are_constants(void **state) {
    (void)state;
    static const float TWO[2] = {10.0f, 20.0f};
    wire node = wire_node("Add", "x w", "y"), graph = wire_graph(&node);
    wire port = wire_port("w", HZ_ELEMENT_FLOAT, (int64_t[]){2}, 1);
    wire tensor = wire_tensor("w", HZ_ELEMENT_FLOAT, (int64_t[]){2}, 1, TWO, sizeof TWO);
    wire_message(&graph, GRAPH_INPUT, &port);
    wire_message(&graph, GRAPH_INITIALIZER, &tensor);
    wire bytes = wire_model(&graph, 8, 13);
    hz_model *model = NULL;
    hz_error err;
    assert_int_equal(hz_model_open(bytes.data, bytes.length, NULL, &model, &err), HZ_OK);
    assert_int_equal(hz_model_input_count(model), 1);
    float row[2] = {1.0f, 2.0f};
    hz_tensor input = {HZ_ELEMENT_FLOAT, 2, {1, 2}, row}, output;
    hz_arena arena = {0};
    assert_int_equal(hz_model_run(model, &input, 1, &output, 1, &arena, &err), HZ_OK);
    assert_true(((float *)output.data)[0] == 11.0f && ((float *)output.data)[1] == 22.0f);
    hz_arena_fini(&arena);
    assert_int_equal(hz_model_close(model, NULL), HZ_OK);
    wire_free(&bytes);
}

static void a_graph_tells_its_facts_and_operators(void **state) {
    (void)state;
    static const float NUMBERS[6] = {0};
    wire node = wire_node("Relu", "x", "a"), graph = wire_graph(&node);
    wire more[] = {wire_node("Add", "a w", "b"), wire_node("Relu", "b", "c"),
                   wire_node("Zap", "c", "y"), wire_node("Constant", "", "k")};
    wire attribute = attribute_of("value_floats", 6);
    wire_bytes(&attribute, ATTRIBUTE_FLOATS, NUMBERS, 12);
    wire_message(&more[3], NODE_ATTRIBUTE, &attribute);
    for (size_t i = 0; i < 4; i++) {
        wire_message(&graph, GRAPH_NODE, &more[i]);
    }
    wire tensor = wire_tensor("w", HZ_ELEMENT_FLOAT, (int64_t[]){3, 2}, 2, NUMBERS, 24);
    wire_message(&graph, GRAPH_INITIALIZER, &tensor);
    wire model = wire_model(&graph, 7, 13);
    wire_text(&model, MODEL_PRODUCER, "a maker");
    size_t length = model.length;
    hz_graph *read = expect_read(&model);
    hz_graph_facts facts;
    hz_graph_facts_get(read, &facts);
    assert_int_equal(facts.ir_version, 7);
    assert_int_equal(facts.opset, 13);
    assert_string_equal(facts.producer, "a maker");
    assert_string_equal(facts.name, "g");
    assert_int_equal(facts.nodes, 5);
    assert_int_equal(facts.initializers, 1);
    assert_int_equal(facts.parameters, 9);
    assert_int_equal(facts.file_bytes, length);
    static const hz_operator_use USES[] = {
        {"", "Add", 13, 1, true},
        {"", "Constant", 13, 1, true},
        {"", "Relu", 13, 2, true},
        {"", "Zap", 13, 1, false},
    };
    hz_operator_use use;
    for (size_t i = 0; i < 4; i++) {
        assert_true(hz_graph_operator(read, i, &use));
        assert_string_equal(use.name, USES[i].name);
        assert_string_equal(use.domain, USES[i].domain);
        assert_int_equal(use.opset, USES[i].opset);
        assert_int_equal(use.count, USES[i].count);
        assert_int_equal(use.supported, USES[i].supported);
    }
    assert_false(hz_graph_operator(read, 4, &use));
    hz_graph_cost cost;
    hz_error err;
    assert_int_equal(hz_graph_cost_get(read, &cost, &err), HZ_GRAPH);
    assert_non_null(strstr(err.message, "Zap"));
    hz_graph_free(read);
}

static void files_that_cannot_be_read_are_told_apart(void **state) {
    (void)state;
    hz_graph *graph = NULL;
    hz_model *model = NULL;
    hz_error err;
    assert_int_equal(hz_graph_read_file("/nowhere/model.onnx", NULL, &graph, &err), HZ_MODEL_FILE);
    assert_int_equal(hz_model_open_file("/nowhere/model.onnx", NULL, &model, &err), HZ_MODEL_FILE);
    assert_non_null(strstr(err.message, "/nowhere/model.onnx: "));
    assert_int_equal(hz_graph_read_file("/", NULL, &graph, &err), HZ_MODEL_FILE);
    hz_graph_limits limits = {.file_bytes = 1 << 20};
    char path[200];
    const char *folder = getenv("TMPDIR");
    (void)snprintf(path, sizeof path, "%.150s/hazard-XXXXXX", folder ? folder : "/tmp");
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(ftruncate(file, (1 << 20) + 1), 0);
    assert_int_equal(close(file), 0);
    assert_int_equal(hz_graph_read_file(path, &limits, &graph, &err), HZ_GRAPH);
    assert_non_null(strstr(err.message, "1048576 bytes, the most"));
    assert_int_equal(unlink(path), 0);
    /* Devices would not end, and a pipe without a writer would be waited for. */
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(hz_graph_read_file(path, &limits, &graph, &err), HZ_MODEL_FILE);
    assert_non_null(strstr(err.message, "not a regular file"));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(hz_graph_read_file("/dev/zero", &limits, &graph, &err), HZ_MODEL_FILE);
    assert_null(graph);
    assert_null(model);
}

static void operators_are_listed_in_order_and_found(void **state) {
    (void)state;
    hz_operator_info last = {"", "", 0, 0}, info;
    size_t count = 0;
    for (; hz_operator_at(count, &info); count++) {
        int order = strcmp(last.domain, info.domain);
        assert_true(order < 0 || (order == 0 && strcmp(last.name, info.name) < 0));
        assert_in_range(info.opset_first, 1, info.opset_last);
        assert_in_range(info.opset_last, 1, 21);
        last = info;
    }
    assert_true(count >= 60);
    assert_false(hz_operator_at(count + 1000, &info));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_that_are_no_model_are_refused),
        cmocka_unit_test(a_model_cut_short_is_refused_or_whole),
        cmocka_unit_test(names_that_are_too_long_are_refused),
        cmocka_unit_test(messages_nested_a_thousand_deep_are_refused),
        cmocka_unit_test(files_beyond_the_limit_are_refused),
        cmocka_unit_test(more_nodes_than_allowed_are_refused),
        cmocka_unit_test(fifty_megabytes_are_refused_quickly_within_a_small_limit),
        cmocka_unit_test(shapes_beyond_memory_are_refused),
        cmocka_unit_test(models_of_unknown_form_are_refused),
        cmocka_unit_test(imports_are_checked),
        cmocka_unit_test(missing_names_are_refused),
        cmocka_unit_test(names_defined_twice_are_refused),
        cmocka_unit_test(undefined_names_are_refused),
        cmocka_unit_test(cycles_are_refused),
        cmocka_unit_test(nodes_in_any_order_are_sorted),
        cmocka_unit_test(tensors_that_are_elsewhere_are_refused),
        cmocka_unit_test(tensors_of_other_elements_are_refused),
        cmocka_unit_test(tensors_whose_shape_does_not_fit_their_data_are_refused),
        cmocka_unit_test(numbers_outside_their_type_are_refused),
        cmocka_unit_test(typed_fields_and_raw_data_give_the_same_numbers),
        cmocka_unit_test(attributes_of_no_use_are_refused),
        cmocka_unit_test(attributes_without_a_kind_are_read_by_their_value),
        cmocka_unit_test(unknown_operators_are_named_when_a_graph_is_opened),
        cmocka_unit_test(graphs_with_more_work_than_allowed_are_not_opened),
        cmocka_unit_test(ports_say_what_the_file_says),
        cmocka_unit_test(ports_that_are_no_tensors_are_told_apart),
        cmocka_unit_test(dimensions_written_as_minus_one_are_dynamic),
        cmocka_unit_test(inputs_with_an_initializer_are_constants),
        cmocka_unit_test(a_graph_tells_its_facts_and_operators),
        cmocka_unit_test(files_that_cannot_be_read_are_told_apart),
        cmocka_unit_test(operators_are_listed_in_order_and_found),
    };
    return cmocka_run_group_tests_name("model/graph", tests, NULL, NULL);
}
