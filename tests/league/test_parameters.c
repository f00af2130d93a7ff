/* SPDX-License-Identifier: MIT */
/* What counts as a parameter, and names in files with graphs within graphs and functions. */
#include "league/league.h"

typedef struct counts {
    uint64_t strict, common, bits;
} counts;

/* AttributeProtos. */
static wire attribute(const char *name) {
    wire w = {0};
    wire_text(&w, 1, name);
    return w;
}

static void add_float(wire *node, const char *name, float value) {
    wire a = attribute(name);
    wire_varint(&a, 2 << 3 | 5);
    wire_add(&a, &value, 4);
    wire_int(&a, 20, 1);
    wire_message(node, 5, &a);
}

static void add_int(wire *node, const char *name, int64_t value) {
    wire a = attribute(name);
    wire_int(&a, 3, value);
    wire_int(&a, 20, 2);
    wire_message(node, 5, &a);
}

static void add_list(wire *node, const char *name, bool floats, size_t count) {
    static const float zeroes[16];
    wire a = attribute(name);
    if (floats) {
        wire_bytes(&a, 7, zeroes, count * 4);
    }
    for (size_t i = 0; !floats && i < count; i++) {
        wire_int(&a, 8, 1);
    }
    wire_int(&a, 20, floats ? 6 : 7);
    wire_message(node, 5, &a);
}

static void add_tensor(wire *node, const char *name, wire tensor) {
    wire a = attribute(name);
    wire_message(&a, 5, &tensor);
    wire_int(&a, 20, 4);
    wire_message(node, 5, &a);
}

static void add_graph(wire *node, const char *name, wire graph) {
    wire a = attribute(name);
    wire_message(&a, 6, &graph);
    wire_int(&a, 20, 5);
    wire_message(node, 5, &a);
}

static const float NUMBERS[64];

static wire floats(const char *name, const int64_t *dims, size_t rank, size_t count) {
    return wire_tensor(name, HZ_ELEMENT_FLOAT, dims, rank, NUMBERS, count * 4);
}

/* GraphProto of an evaluator that says nothing about its nodes yet. */
static wire graph_with(wire *node) {
    wire g = {0};
    static const int64_t in[] = {-1, 1540}, out[] = {-1, 1};
    wire x = wire_port("board", HZ_ELEMENT_FLOAT, in, 2);
    wire y = wire_port("score", HZ_ELEMENT_FLOAT, out, 2);
    wire_text(&g, 2, "g");
    wire_message(&g, 11, &x);
    wire_message(&g, 12, &y);
    if (node) {
        wire_message(&g, 1, node);
    }
    return g;
}

static hz_onnx_file *read_file(const wire *w) {
    hz_onnx_file *file = NULL;
    hz_error err;
    if (hz_onnx_file_read(w->data, w->length, NULL, &file, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
    return file;
}

static void expect(wire *graph, counts wanted) {
    wire model = wire_model(graph, 8, 13);
    hz_onnx_file *file = read_file(&model);
    hz_parameters got;
    assert_int_equal(hz_onnx_file_parameters(file, &got, NULL), HZ_OK);
    assert_int_equal(got.strict, wanted.strict);
    assert_int_equal(got.common, wanted.common);
    assert_int_equal(got.bits, wanted.bits);
    hz_onnx_file_free(file);
    wire_free(&model);
}

/* One initializer of a type. */
static void expect_initializer(hz_element element, const int64_t *dims, size_t rank, size_t bytes,
                               counts wanted) {
    wire g = graph_with(NULL);
    wire t = wire_tensor("w", element, dims, rank, NUMBERS, bytes);
    wire_message(&g, 5, &t);
    expect(&g, wanted);
}

static void every_element_of_a_tensor_counts_once(void **state) {
    (void)state;
    static const int64_t none[] = {0}, zero[] = {3, 0, 2}, six[] = {2, 3};
    expect_initializer(HZ_ELEMENT_FLOAT, none, 0, 4, (counts){1, 0, 32});
    expect_initializer(HZ_ELEMENT_FLOAT, zero, 3, 0, (counts){0, 0, 0});
    expect_initializer(HZ_ELEMENT_FLOAT, six, 2, 24, (counts){6, 6, 192});
    expect_initializer(HZ_ELEMENT_INT8, six, 2, 6, (counts){6, 6, 48});
    expect_initializer(HZ_ELEMENT_INT64, six, 2, 48, (counts){6, 6, 384});
    expect_initializer(HZ_ELEMENT_BOOL, six, 2, 6, (counts){6, 6, 48});
    expect_initializer(HZ_ELEMENT_FLOAT16, six, 2, 12, (counts){6, 6, 96});
    expect_initializer((hz_element)22, six, 2, 3, (counts){6, 6, 24}); /* INT4, packed */
    expect_initializer((hz_element)17, six, 2, 6, (counts){6, 6, 48}); /* FLOAT8 */
    expect_initializer(HZ_ELEMENT_DOUBLE, six, 2, 48, (counts){6, 6, 384});
}

static void what_is_there_twice_or_unused_counts(void **state) {
    (void)state;
    static const int64_t four[] = {4};
    wire g = graph_with(NULL);
    for (int i = 0; i < 3; i++) {
        wire t = floats(i == 0 ? "a" : i == 1 ? "b" : "c", four, 1, 4);
        wire_message(&g, 5, &t);
    }
    expect(&g, (counts){12, 12, 384});
}

static void numbers_in_attributes_count_and_structure_does_not(void **state) {
    (void)state;
    static const int64_t none[] = {0}, one[] = {1}, five[] = {5};
    static const struct {
        const char *type, *name;
        float value;
        unsigned counts;
    } scalars[] = {{"LeakyRelu", "alpha", 0.3F, 1},
                   {"LeakyRelu", "alpha", 0.01F, 0},
                   {"Gemm", "alpha", 1.0F, 0},
                   {"Gemm", "beta", 0.5F, 1},
                   {"Elu", "alpha", 1.0F, 0},
                   {"Elu", "alpha", 2.0F, 1},
                   {"Clip", "max", 6.0F, 1},
                   {"Shrink", "lambd", 0.5F, 0},
                   {"Selu", "gamma", 1.0507F, 1},
                   {"LRN", "alpha", 0.0001F, 0},
                   {"Unheard", "epsilon", 1e-5F, 1},
                   {"BatchNormalization", "epsilon", 1e-5F, 0},
                   {"Constant", "value_float", 0.0F, 1}};
    for (size_t i = 0; i < sizeof scalars / sizeof scalars[0]; i++) {
        wire n = wire_node(scalars[i].type, "board", "score");
        add_float(&n, scalars[i].name, scalars[i].value);
        wire g = graph_with(&n);
        expect(&g, (counts){scalars[i].counts, 0, 32 * scalars[i].counts});
    }
    wire n = wire_node("Conv", "board", "score");
    add_list(&n, "kernel_shape", false, 2);
    add_int(&n, "group", 7);
    wire g = graph_with(&n);
    expect(&g, (counts){0, 0, 0});

    n = wire_node("LinearRegressor", "board", "score");
    add_list(&n, "coefficients", true, 9);
    add_int(&n, "targets", 1);
    g = graph_with(&n);
    expect(&g, (counts){9, 0, 288});

    n = wire_node("ConstantOfShape", "board", "score");
    add_tensor(&n, "value", floats("v", one, 1, 1));
    g = graph_with(&n);
    expect(&g, (counts){1, 0, 32});

    n = wire_node("Constant", "", "score");
    add_tensor(&n, "value", floats("v", five, 1, 5));
    g = graph_with(&n);
    expect(&g, (counts){5, 5, 160});

    n = wire_node("Constant", "", "score");
    add_tensor(&n, "value", floats("v", none, 0, 1));
    g = graph_with(&n);
    expect(&g, (counts){1, 0, 32});

    n = wire_node("Constant", "", "score");
    add_list(&n, "value_floats", true, 3);
    g = graph_with(&n);
    expect(&g, (counts){3, 0, 96});

    n = wire_node("Constant", "", "score");
    add_list(&n, "value_ints", false, 4);
    g = graph_with(&n);
    expect(&g, (counts){4, 0, 256});

    n = wire_node("Constant", "", "score");
    add_int(&n, "value_int", 4);
    g = graph_with(&n);
    expect(&g, (counts){1, 0, 64});
}

static wire sparse_tensor(const char *name) {
    static const int64_t three[] = {3}, ten[] = {10};
    static const int64_t indices[3] = {0, 1, 2};
    wire w = {0}, values = floats(name, three, 1, 3);
    wire index = wire_tensor("", HZ_ELEMENT_INT64, three, 1, indices, 24);
    wire_message(&w, 1, &values);
    wire_message(&w, 2, &index);
    wire_int(&w, 3, ten[0]);
    return w;
}

static void sparse_tensors_count_values_and_indices(void **state) {
    (void)state;
    wire g = graph_with(NULL), sparse = sparse_tensor("w");
    wire_message(&g, 15, &sparse);
    expect(&g, (counts){6, 3, 3 * 32 + 3 * 64});
}

/* An If whose branches have a tensor each. */
static wire conditional(void) {
    wire n = wire_node("If", "board", "score");
    for (int i = 0; i < 2; i++) {
        static const int64_t two[] = {2};
        wire branch = {0}, t = floats("t", two, 1, 2), y = wire_port("z", HZ_ELEMENT_FLOAT, two, 1);
        wire inner = wire_node("Mul", "t board", "z");
        wire_message(&branch, 1, &inner);
        wire_message(&branch, 5, &t);
        wire_message(&branch, 12, &y);
        add_graph(&n, i ? "then_branch" : "else_branch", branch);
    }
    return n;
}

static void graphs_within_graphs_and_functions_count(void **state) {
    (void)state;
    wire n = conditional(), g = graph_with(&n);
    expect(&g, (counts){4, 0, 128});

    /* A function of 3 numbers, used twice; its reference to an attribute of the caller is free. */
    wire model, function = {0}, body = wire_node("Constant", "", "c"), import = {0};
    add_list(&body, "value_floats", true, 3);
    wire scale = wire_node("LeakyRelu", "a", "b"), reference = attribute("alpha");
    wire_text(&reference, 21, "slope");
    wire_int(&reference, 20, 1);
    wire_message(&scale, 5, &reference);
    wire_text(&function, 1, "F");
    wire_text(&function, 4, "a");
    wire_text(&function, 5, "b");
    wire_text(&function, 6, "slope");
    wire_message(&function, 7, &body);
    wire_message(&function, 7, &scale);
    wire_text(&import, 1, "");
    wire_int(&import, 2, 13);
    wire_message(&function, 9, &import);
    wire_text(&function, 10, "own");
    wire call = wire_node("F", "board", "h"), again = wire_node("F", "h", "score");
    wire_text(&call, 7, "own");
    wire_text(&again, 7, "own");
    add_float(&call, "slope", 0.5F);
    g = graph_with(&call);
    wire_message(&g, 1, &again);
    model = wire_model(&g, 8, 13);
    wire_message(&model, 25, &function);
    hz_onnx_file *file = read_file(&model);
    hz_parameters got;
    assert_int_equal(hz_onnx_file_parameters(file, &got, NULL), HZ_OK);
    assert_int_equal(got.strict, 4); /* the three, and 0.5 */
    assert_true(hz_onnx_file_is_nested(file));
    assert_true(hz_onnx_file_defines(file, "own"));
    hz_onnx_node node;
    assert_true(hz_onnx_file_node(file, 0, &node) && node.function && !node.nested);
    assert_true(hz_onnx_file_node(file, 3, &node) && !node.function && node.nested);
    assert_int_equal(hz_onnx_file_check_names(file, NULL), HZ_OK);
    hz_onnx_file_free(file);
    wire_free(&model);
}

/* A function "own:NAME" with one node, whose attribute is that of the caller called "given". */
static wire function_of(const char *name, wire *node, const char *inner, int kind) {
    wire function = {0}, import = {0}, reference = attribute(inner);
    wire_text(&reference, 21, "given");
    wire_int(&reference, 20, kind);
    wire_message(node, 5, &reference);
    wire_text(&function, 1, name);
    wire_text(&function, 4, "a");
    wire_text(&function, 5, "b");
    wire_text(&function, 6, "given");
    wire_message(&function, 7, node);
    wire_text(&import, 1, "");
    wire_int(&import, 2, 13);
    wire_message(&function, 9, &import);
    wire_text(&function, 10, "own");
    return function;
}

/* The count of a graph with one call of a function. */
static void expect_call(wire call, wire function, counts wanted) {
    wire_text(&call, 7, "own");
    wire graph = graph_with(&call), model = wire_model(&graph, 8, 13);
    wire_message(&model, 25, &function);
    hz_onnx_file *file = read_file(&model);
    hz_parameters got;
    assert_int_equal(hz_onnx_file_parameters(file, &got, NULL), HZ_OK);
    assert_int_equal(got.strict, wanted.strict);
    assert_int_equal(got.bits, wanted.bits);
    hz_onnx_file_free(file);
    wire_free(&model);
}

static void numbers_handed_to_a_function_count(void **state) {
    (void)state;
    /* Whole numbers become a Constant in it. */
    wire body = wire_node("Constant", "", "b"), call = wire_node("F", "board", "score");
    add_list(&call, "given", false, 9);
    expect_call(call, function_of("F", &body, "value_ints", 7), (counts){9, 0, 576});
    body = wire_node("Constant", "", "b");
    call = wire_node("F", "board", "score");
    add_int(&call, "given", 3);
    expect_call(call, function_of("F", &body, "value_int", 2), (counts){1, 0, 64});
    /* A function may be called like an operator; what that one takes without a number is not its. */
    body = wire_node("LeakyRelu", "a", "b");
    call = wire_node("Elu", "board", "score");
    add_float(&call, "alpha", 1.0F);
    expect_call(call, function_of("Elu", &body, "alpha", 1), (counts){1, 0, 32});
}

static void an_attribute_without_its_number_is_zero_and_counts(void **state) {
    (void)state;
    static const struct {
        const char *type, *name;
        int kind;
        counts wanted;
    } cases[] = {{"LeakyRelu", "alpha", 1, {1, 0, 32}},
                 {"Constant", "value_float", 1, {1, 0, 32}},
                 {"Constant", "value_int", 2, {1, 0, 64}},
                 {"Shrink", "bias", 1, {0, 0, 0}}, /* 0 is what it takes anyway */
                 {"Concat", "axis", 2, {0, 0, 0}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        wire n = wire_node(cases[i].type, "board", "score"), a = attribute(cases[i].name);
        wire_int(&a, 20, cases[i].kind);
        wire_message(&n, 5, &a);
        wire g = graph_with(&n);
        expect(&g, cases[i].wanted);
    }
}

static void a_reference_does_not_hide_what_stands_beside_it(void **state) {
    (void)state;
    wire n = wire_node("Constant", "", "score"), a = attribute("value_floats");
    wire_bytes(&a, 7, NUMBERS, 5 * sizeof NUMBERS[0]);
    wire_text(&a, 21, "nobody");
    wire_int(&a, 20, 6);
    wire_message(&n, 5, &a);
    wire g = graph_with(&n);
    expect(&g, (counts){5, 0, 160});
}

static hz_status read_initializer(const int64_t *dims, size_t rank, size_t bytes, hz_error *err) {
    wire g = graph_with(NULL), t = wire_tensor("w", HZ_ELEMENT_FLOAT, dims, rank, NUMBERS, bytes);
    wire_message(&g, 5, &t);
    wire model = wire_model(&g, 8, 13);
    hz_onnx_file *file = NULL;
    hz_status status = hz_onnx_file_read(model.data, model.length, NULL, &file, err);
    hz_onnx_file_free(file);
    wire_free(&model);
    return status;
}

static void dimensions_that_lie_are_refused(void **state) {
    (void)state;
    hz_error err;
    assert_int_equal(read_initializer((int64_t[]){3}, 1, 12, &err), HZ_OK);
    assert_int_equal(read_initializer((int64_t[]){3}, 1, 8, &err), HZ_GRAPH);
    assert_int_equal(read_initializer((int64_t[]){3}, 1, 16, &err), HZ_GRAPH);
    assert_int_equal(read_initializer((int64_t[]){-1, -3}, 2, 12, &err), HZ_GRAPH);
    assert_int_equal(read_initializer((int64_t[]){INT64_MAX, 4}, 2, 12, &err), HZ_GRAPH);
    /* 2^32 * 2^32 wraps to 0 */
    assert_int_equal(read_initializer((int64_t[]){(int64_t)1 << 32, (int64_t)1 << 32}, 2, 0, &err),
                     HZ_GRAPH);
}

/* ---- names ------------------------------------------------------------------------------------------- */

static hz_status names_of(wire *graph) {
    wire model = wire_model(graph, 8, 13);
    hz_onnx_file *file = read_file(&model);
    hz_error err;
    hz_status status = hz_onnx_file_check_names(file, &err);
    hz_onnx_file_free(file);
    wire_free(&model);
    return status;
}

/* A graph of these nodes: "in>out" words, several separated by '|'. */
static wire chain(const char *text) {
    wire g = graph_with(NULL);
    char copy[200];
    test_copy(copy, sizeof copy, text);
    for (char *at = strtok(copy, "|"); at; at = strtok(NULL, "|")) {
        char *out = strchr(at, '>');
        *out++ = '\0';
        wire n = wire_node("Relu", at, out);
        wire_message(&g, 1, &n);
    }
    return g;
}

static void names_are_defined_once_and_graphs_have_no_circles(void **state) {
    (void)state;
    static const struct {
        const char *nodes;
        bool good;
    } cases[] = {{"board>score", true},
                 {"a>score|board>a", true}, /* any order */
                 {"nothing>score", false},
                 {"board>a", false}, /* no output */
                 {"board>score|board>score", false},
                 {"board>board|board>score", false},
                 {"a>score|b>a|a>b", false},
                 {"a>a|board>score", false},
                 {"board a>b|b>c|c>d|d>a|c>score", false},
                 {"board>a|a board>b|b a>score", true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        wire g = chain(cases[i].nodes);
        test_true(cases[i].nodes, "names", (names_of(&g) == HZ_OK) == cases[i].good);
    }
}

static void inner_graphs_see_the_names_around_them(void **state) {
    (void)state;
    wire n = conditional(), g = graph_with(&n);
    assert_int_equal(names_of(&g), HZ_OK);

    /* What an inner graph takes from around it, its node needs: here in a circle. */
    static const int64_t two[] = {2};
    wire inner = wire_node("Relu", "late", "z"), branch = {0};
    wire y = wire_port("z", HZ_ELEMENT_FLOAT, two, 1);
    wire_message(&branch, 1, &inner);
    wire_message(&branch, 12, &y);
    n = wire_node("If", "board", "score");
    add_graph(&n, "then_branch", branch);
    g = graph_with(&n);
    wire late = wire_node("Relu", "score", "late");
    wire_message(&g, 1, &late);
    assert_int_equal(names_of(&g), HZ_GRAPH);

    /* What an inner graph defines is not seen outside. */
    n = conditional();
    g = graph_with(&n);
    late = wire_node("Relu", "z", "more");
    wire_message(&g, 1, &late);
    assert_int_equal(names_of(&g), HZ_GRAPH);
}

static void damaged_files_never_crash(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    wire n = conditional(), g = graph_with(&n), sparse = sparse_tensor("w");
    wire_message(&g, 15, &sparse);
    wire model = wire_model(&g, 8, 13);
    for (size_t i = 0; i < test_effort(20000); i++) {
        unsigned char copy[1000];
        size_t length = model.length;
        assert_true(length < sizeof copy);
        memcpy(copy, model.data, length);
        if (i < length) {
            length = i; /* every truncation */
        } else {
            for (uint32_t k = 1 + hz_random_draw(&random, 4); k > 0; k--) {
                copy[hz_random_draw(&random, (uint32_t)length)] =
                    (unsigned char)hz_random_draw(&random, 256);
            }
        }
        hz_onnx_file *file = NULL;
        if (hz_onnx_file_read(copy, length, NULL, &file, NULL) == HZ_OK) {
            hz_parameters parameters;
            (void)hz_onnx_file_parameters(file, &parameters, NULL);
            (void)hz_onnx_file_check_data(file, NULL);
            (void)hz_onnx_file_check_names(file, NULL);
            hz_onnx_file_free(file);
        }
    }
    wire_free(&model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_element_of_a_tensor_counts_once),
        cmocka_unit_test(what_is_there_twice_or_unused_counts),
        cmocka_unit_test(numbers_in_attributes_count_and_structure_does_not),
        cmocka_unit_test(sparse_tensors_count_values_and_indices),
        cmocka_unit_test(graphs_within_graphs_and_functions_count),
        cmocka_unit_test(numbers_handed_to_a_function_count),
        cmocka_unit_test(an_attribute_without_its_number_is_zero_and_counts),
        cmocka_unit_test(a_reference_does_not_hide_what_stands_beside_it),
        cmocka_unit_test(dimensions_that_lie_are_refused),
        cmocka_unit_test(names_are_defined_once_and_graphs_have_no_circles),
        cmocka_unit_test(inner_graphs_see_the_names_around_them),
        cmocka_unit_test(damaged_files_never_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
