/* SPDX-License-Identifier: MIT */
/* The checks of a submission: one file for each refusal, in their order, all in a child. */
#include "league/league.h"

#include <math.h>

/* ---- files ------------------------------------------------------------------------------------------- */

static wire port(const char *name, int64_t first, int64_t second, hz_element element) {
    return wire_port(name, element, (int64_t[]){first, second}, 2);
}

/* GraphProto: a node, and ports; those without a name are left out. */
static wire graph_of(wire *node, wire *input, wire *output) {
    wire g = {0};
    wire_message(&g, 1, node);
    wire_text(&g, 2, "g");
    if (input) {
        wire_message(&g, 11, input);
    }
    if (output) {
        wire_message(&g, 12, output);
    }
    return g;
}

/* The sum of a row, as an operator does it without numbers. */
static wire sum_node(void) {
    wire n = wire_node("ReduceSum", "board", "score"), a = {0};
    wire_text(&a, 1, "axes");
    wire_int(&a, 8, 1);
    wire_int(&a, 20, 7);
    wire_message(&n, 5, &a);
    return n;
}

static wire plain_graph(wire node, int64_t batch) {
    wire in = port("board", batch, 1540, HZ_ELEMENT_FLOAT);
    wire out = port("score", batch, 1, HZ_ELEMENT_FLOAT);
    return graph_of(&node, &in, &out);
}

/* An evaluator's graph in whose node there are messages down to this depth below the file. */
static wire nested_graph(int depth) {
    enum { GRAPH_NODE = 1, NODE_ATTRIBUTE = 5, ATTRIBUTE_GRAPH = 6, KINDS = 3 };
    static const unsigned field[KINDS] = {ATTRIBUTE_GRAPH, GRAPH_NODE, NODE_ATTRIBUTE};
    wire inner = {0}, g = plain_graph(sum_node(), -1);
    /* At depth 1 graph, 2 node, 3 attribute, 4 graph and so on. */
    for (int at = depth; at > 2; at--) {
        wire outer = {0};
        wire_message(&outer, field[(at - 1) % KINDS], &inner);
        if ((at - 1) % KINDS == 2) {
            wire_text(&outer, 4, "If");
        }
        inner = outer;
    }
    wire_message(&g, GRAPH_NODE, &inner);
    return g;
}

static hz_league_verdict check_with(const void *bytes, size_t length,
                                    const hz_league_limits *limits) {
    hz_league_verdict verdict;
    hz_error err;
    hz_league_limits filled = limits ? *limits : (hz_league_limits){0};
    filled.executor = filled.executor ? filled.executor : "builtin";
    if (hz_league_check(bytes, length, &filled, NULL, &verdict, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
    return verdict;
}

static void expect(wire *model, int code, const char *words) {
    hz_league_verdict verdict = check_with(model->data, model->length, NULL);
    if (verdict.code != code || !strstr(verdict.message, words)) {
        fail_msg("E%02d '%s' instead of E%02d '%s'", verdict.code, verdict.message, code, words);
    }
    wire_free(model);
}

static void expect_graph(wire graph, int code, const char *words) {
    wire model = wire_model(&graph, 8, 11);
    expect(&model, code, words);
}

/* ---- tests --------------------------------------------------------------------------------------------- */

static void a_sound_file_is_accepted_and_counted(void **state) {
    (void)state;
    league_graph graph = league_material();
    hz_league_verdict v = check_with(graph.bytes, graph.length, NULL);
    assert_int_equal(v.code, HZ_LEAGUE_ACCEPTED);
    assert_string_equal(v.message, "");
    assert_string_equal(v.executor, "builtin");
    assert_true(v.batched && v.counted && !v.constant);
    assert_int_equal(v.parameters.strict, 1540);
    assert_int_equal(v.parameters.bits, 1540 * 32);
    char digest[65];
    hz_sha256_hex(graph.bytes, graph.length, digest);
    assert_string_equal(v.digest, digest);
    assert_true(v.values[0] == 0.0F && v.position_ms > 0.0);
    league_graph_free(&graph);
    expect_graph(plain_graph(sum_node(), 1), HZ_LEAGUE_ACCEPTED, "");
    expect_graph(plain_graph(sum_node(), -1), HZ_LEAGUE_ACCEPTED, "");
}

static void e01_size(void **state) {
    (void)state;
    hz_league_verdict v = check_with("", 0, NULL);
    assert_int_equal(v.code, HZ_LEAGUE_E01_SIZE);
    char *large = calloc(1, HZ_LEAGUE_FILE_MAX + 1);
    assert_non_null(large);
    v = check_with(large, HZ_LEAGUE_FILE_MAX + 1, NULL);
    assert_int_equal(v.code, HZ_LEAGUE_E01_SIZE);
    v = check_with(large, HZ_LEAGUE_FILE_MAX, NULL); /* the largest that is looked at */
    assert_int_equal(v.code, HZ_LEAGUE_E02_PARSE);
    free(large);
}

static void e02_no_model(void **state) {
    (void)state;
    hz_league_verdict v = check_with("hello", 5, NULL);
    assert_int_equal(v.code, HZ_LEAGUE_E02_PARSE);
    wire g = plain_graph(sum_node(), -1), t = {0};
    t = wire_tensor("w", HZ_ELEMENT_FLOAT, (int64_t[]){3}, 1, "12345678", 8);
    wire_message(&g, 5, &t);
    expect_graph(g, HZ_LEAGUE_E02_PARSE, "the data 2");
    expect_graph(nested_graph(200), HZ_LEAGUE_E02_PARSE, "nested");
}

static void e02_64_messages_in_each_other_are_read_and_65_are_not(void **state) {
    (void)state;
    /* The graph is the first message within the file. The built-in executor runs no graph within a
     * graph, which is found out later (E08). */
    expect_graph(nested_graph(64), HZ_LEAGUE_E08_OPERATOR, "operator If");
    expect_graph(nested_graph(65), HZ_LEAGUE_E02_PARSE, "nested more than 64 deep");
}

static void e03_versions_and_domains(void **state) {
    (void)state;
    wire g = plain_graph(sum_node(), -1), m = wire_model(&g, 99, 11);
    expect(&m, HZ_LEAGUE_E03_VERSION, "IR version 99");
    g = plain_graph(sum_node(), -1);
    m = wire_model(&g, 8, 999);
    expect(&m, HZ_LEAGUE_E03_VERSION, "opset 999");
    g = plain_graph(sum_node(), -1);
    m = wire_model(&g, 8, 0); /* imports nothing */
    expect(&m, HZ_LEAGUE_E03_VERSION, "not imported");
    wire import = {0};
    g = plain_graph(sum_node(), -1);
    m = wire_model(&g, 8, 11);
    wire_text(&import, 1, "com.example");
    wire_int(&import, 2, 1);
    wire_message(&m, 8, &import);
    expect(&m, HZ_LEAGUE_E03_VERSION, "com.example");
}

/* A graph that uses an operator of a domain in which the file defines a function. */
static wire with_function(const char *domain, const char *defined, const char *used) {
    wire function = {0}, import = {0}, body = wire_node("Neg", "a", "b");
    wire_text(&function, 1, defined);
    wire_text(&function, 4, "a");
    wire_text(&function, 5, "b");
    wire_message(&function, 7, &body);
    wire_text(&import, 1, "");
    wire_int(&import, 2, 11);
    wire_message(&function, 9, &import);
    wire_text(&function, 10, domain);
    wire n = wire_node(used, "board", "score");
    wire_text(&n, 7, domain);
    wire g = plain_graph(n, -1), m = wire_model(&g, 8, 11);
    wire_text(&import, 1, domain);
    wire_int(&import, 2, 1);
    if (*domain) {
        wire_message(&m, 8, &import);
    } else {
        wire_free(&import);
    }
    wire_message(&m, 25, &function);
    return m;
}

static void e03_functions_do_not_open_domains_of_others(void **state) {
    (void)state;
    wire m = with_function("own", "F", "F");
    expect(&m, HZ_LEAGUE_E08_OPERATOR, "functions"); /* fine; the built-in executor has none */
    m = with_function("own", "F", "G");
    expect(&m, HZ_LEAGUE_E03_VERSION, "no such function");
    m = with_function("com.microsoft", "F", "FusedMatMul");
    expect(&m, HZ_LEAGUE_E03_VERSION, "com.microsoft");
    m = with_function("com.microsoft", "F", "F");
    expect(&m, HZ_LEAGUE_E03_VERSION, "com.microsoft");
    /* It would hide what is random. */
    m = with_function("", "RandomNormalLike", "RandomNormalLike");
    expect(&m, HZ_LEAGUE_E03_VERSION, "'ai.onnx'");
}

static void e04_data_outside_and_texts(void **state) {
    (void)state;
    wire g = plain_graph(sum_node(), -1), t = {0}, entry = {0};
    wire_int(&t, 1, 3);
    wire_int(&t, 2, HZ_ELEMENT_FLOAT);
    wire_text(&t, 8, "w");
    wire_text(&entry, 1, "location");
    wire_text(&entry, 2, "/etc/passwd");
    wire_message(&t, 13, &entry);
    wire_int(&t, 14, 1);
    wire_message(&g, 5, &t);
    expect_graph(g, HZ_LEAGUE_E04_EXTERNAL, "outside");
    g = plain_graph(sum_node(), -1);
    wire_int(&t, 1, 1);
    wire_int(&t, 2, HZ_ELEMENT_STRING);
    wire_text(&t, 6, "text");
    wire_text(&t, 8, "w");
    wire_message(&g, 5, &t);
    expect_graph(g, HZ_LEAGUE_E04_EXTERNAL, "texts");
    /* Texts of an attribute, which Cast would make numbers of. */
    wire n = wire_node("LabelEncoder", "board", "score"), a = {0};
    wire_text(&a, 1, "values_strings");
    wire_text(&a, 9, "0.25");
    wire_int(&a, 20, 8);
    wire_message(&n, 5, &a);
    expect_graph(plain_graph(n, -1), HZ_LEAGUE_E04_EXTERNAL, "values_strings");
}

static void e05_inputs(void **state) {
    (void)state;
    wire n = sum_node(), out = port("score", -1, 1, HZ_ELEMENT_FLOAT);
    expect_graph(graph_of(&n, NULL, &out), HZ_LEAGUE_E05_INPUTS, "0 inputs");
    wire g = plain_graph(sum_node(), -1), more = port("more", -1, 1540, HZ_ELEMENT_FLOAT);
    wire_message(&g, 11, &more);
    expect_graph(g, HZ_LEAGUE_E05_INPUTS, "2 inputs");
    /* An input that an initializer fills is none. */
    g = plain_graph(sum_node(), -1);
    more = port("more", 1, 1, HZ_ELEMENT_FLOAT);
    wire t = wire_tensor("more", HZ_ELEMENT_FLOAT, (int64_t[]){1, 1}, 2, "1234", 4);
    wire_message(&g, 11, &more);
    wire_message(&g, 5, &t);
    expect_graph(g, HZ_LEAGUE_ACCEPTED, "");
}

static void e06_the_input(void **state) {
    (void)state;
    static const struct {
        int64_t first, second;
        hz_element element;
    } cases[] = {{-1, 1539, HZ_ELEMENT_FLOAT}, {2, 1540, HZ_ELEMENT_FLOAT},
                 {-1, -1, HZ_ELEMENT_FLOAT},   {-1, 1540, HZ_ELEMENT_DOUBLE},
                 {0, 1540, HZ_ELEMENT_FLOAT},  {1540, 1, HZ_ELEMENT_FLOAT}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        wire n = sum_node(), out = port("score", -1, 1, HZ_ELEMENT_FLOAT);
        wire in = port("board", cases[i].first, cases[i].second, cases[i].element);
        expect_graph(graph_of(&n, &in, &out), HZ_LEAGUE_E06_INPUT, "1540");
    }
}

static void e07_the_output(void **state) {
    (void)state;
    static const struct {
        int64_t first, second;
        hz_element element;
    } cases[] = {{-1, 2, HZ_ELEMENT_FLOAT},
                 {3, 1, HZ_ELEMENT_FLOAT},
                 {-1, 1, HZ_ELEMENT_DOUBLE},
                 {-1, -1, HZ_ELEMENT_FLOAT}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        wire n = sum_node(), in = port("board", -1, 1540, HZ_ELEMENT_FLOAT);
        wire out = port("score", cases[i].first, cases[i].second, cases[i].element);
        expect_graph(graph_of(&n, &in, &out), HZ_LEAGUE_E07_OUTPUT, "output");
    }
    wire g = plain_graph(sum_node(), -1), more = port("board", -1, 1540, HZ_ELEMENT_FLOAT);
    wire_message(&g, 12, &more);
    expect_graph(g, HZ_LEAGUE_E07_OUTPUT, "2 outputs");
    wire n = sum_node(), in = port("board", -1, 1540, HZ_ELEMENT_FLOAT);
    wire flat = wire_port("score", HZ_ELEMENT_FLOAT, (int64_t[]){-1}, 1);
    expect_graph(graph_of(&n, &in, &flat), HZ_LEAGUE_E07_OUTPUT, "FLOAT [batch]");
}

static void e08_operators(void **state) {
    (void)state;
    expect_graph(plain_graph(wire_node("Frobnicate", "board", "score"), -1), HZ_LEAGUE_E08_OPERATOR,
                 "Frobnicate");
    expect_graph(plain_graph(wire_node("RandomNormalLike", "board", "score"), -1),
                 HZ_LEAGUE_E08_OPERATOR, "random");
    /* With a mode of training: it drops at random, be it one value in a thousand, which a probe may
     * never see. */
    wire drop = wire_node("Dropout", "board ratio mode", "d"), g = plain_graph(sum_node(), -1);
    float ratio = 0.001F;
    wire t = wire_tensor("ratio", HZ_ELEMENT_FLOAT, NULL, 0, &ratio, 4);
    wire_message(&g, 1, &drop);
    wire_message(&g, 5, &t);
    t = wire_tensor("mode", HZ_ELEMENT_BOOL, NULL, 0, "\1", 1);
    wire_message(&g, 5, &t);
    wire model = wire_model(&g, 8, 13);
    expect(&model, HZ_LEAGUE_E08_OPERATOR, "operator Dropout of node '' is random");
    /* GroupNormalization came with opset 18. */
    expect_graph(plain_graph(wire_node("GroupNormalization", "board", "score"), -1),
                 HZ_LEAGUE_E08_OPERATOR, "opset 11");
}

static void e09_names(void **state) {
    (void)state;
    expect_graph(plain_graph(wire_node("Relu", "bored", "score"), -1), HZ_LEAGUE_E09_NAMES,
                 "bored");
    expect_graph(plain_graph(wire_node("Relu", "score", "score"), -1), HZ_LEAGUE_E09_NAMES,
                 "circle");
    wire g = plain_graph(sum_node(), -1), again = sum_node();
    wire_message(&g, 1, &again);
    expect_graph(g, HZ_LEAGUE_E09_NAMES, "twice");
}

static void e10_parameters(void **state) {
    (void)state;
    league_graph graph = league_material();
    hz_league_limits limits = {.parameters = 1539};
    hz_league_verdict v = check_with(graph.bytes, graph.length, &limits);
    assert_int_equal(v.code, HZ_LEAGUE_E10_PARAMETERS);
    assert_true(v.counted);
    limits.parameters = 1540;
    v = check_with(graph.bytes, graph.length, &limits);
    assert_int_equal(v.code, HZ_LEAGUE_ACCEPTED);
    league_graph_free(&graph);
    /* The real limit: an unused INT8 tensor of one more than ten million. */
    enum { MOST = 10000000 };
    char *bytes = calloc(1, MOST + 1);
    assert_non_null(bytes);
    for (int extra = 0; extra < 2; extra++) {
        wire g = plain_graph(sum_node(), -1);
        wire t = wire_tensor("w", HZ_ELEMENT_INT8, (int64_t[]){MOST + extra}, 1, bytes,
                             (size_t)MOST + (size_t)extra);
        wire_message(&g, 5, &t);
        expect_graph(g, extra ? HZ_LEAGUE_E10_PARAMETERS : HZ_LEAGUE_ACCEPTED, "");
    }
    free(bytes);
}

static void e11_a_graph_that_does_not_fit_together(void **state) {
    (void)state;
    wire g = plain_graph(wire_node("MatMul", "board w", "score"), -1);
    wire t = wire_tensor("w", HZ_ELEMENT_FLOAT, (int64_t[]){2, 1}, 2, "12345678", 8);
    wire_message(&g, 5, &t);
    expect_graph(g, HZ_LEAGUE_E11_SESSION, "MatMul");
    /* It says [batch,1] and gives [batch,1540]. */
    expect_graph(plain_graph(wire_node("Relu", "board", "score"), -1), HZ_LEAGUE_E11_SESSION, "");
}

static void e12_values_that_are_not_finite(void **state) {
    (void)state;
    league_graph graph = league_unary(-1.0F, "Log");
    hz_league_verdict v = check_with(graph.bytes, graph.length, NULL);
    assert_int_equal(v.code, HZ_LEAGUE_E12_PROBE);
    assert_non_null(strstr(v.message, "not finite"));
    league_graph_free(&graph);
    graph = league_unary(100.0F, "Exp");
    v = check_with(graph.bytes, graph.length, NULL);
    assert_int_equal(v.code, HZ_LEAGUE_E12_PROBE);
    league_graph_free(&graph);
}

/* Values of a row that depend on the others of its batch. */
static void e12_a_batch_that_is_not_its_rows(void **state) {
    (void)state;
    wire sum = wire_node("ReduceSum", "board", "s"), a = {0}, mean = {0}, b = {0}, g;
    wire_text(&a, 1, "axes");
    wire_int(&a, 8, 1);
    wire_int(&a, 20, 7);
    wire_message(&sum, 5, &a);
    mean = wire_node("ReduceMean", "s", "m");
    wire_text(&b, 1, "axes");
    wire_int(&b, 8, 0);
    wire_int(&b, 20, 7);
    wire_message(&mean, 5, &b);
    wire last = wire_node("Sub", "s m", "score");
    g = plain_graph(sum, -1);
    wire_message(&g, 1, &mean);
    wire_message(&g, 1, &last);
    expect_graph(g, HZ_LEAGUE_E12_PROBE, "in a batch of 16");
}

/* [1,1540] -> [1540,1540] -> squared again and again -> [1,1]: much work in a small file. */
static wire heavy(int squares) {
    wire n = wire_node("Transpose", "board", "t"), g = plain_graph(n, 1);
    n = wire_node("MatMul", "t board", "m0");
    wire_message(&g, 1, &n);
    char in[40], out[20];
    for (int i = 0; i < squares; i++) {
        (void)snprintf(in, sizeof in, "m%d m%d", i, i);
        (void)snprintf(out, sizeof out, "m%d", i + 1);
        n = wire_node("MatMul", in, out);
        wire_message(&g, 1, &n);
    }
    (void)snprintf(in, sizeof in, "m%d", squares);
    n = wire_node("ReduceMean", in, "score");
    wire_message(&g, 1, &n);
    return g;
}

static void e13_time(void **state) {
    (void)state;
    wire g = heavy(1), m = wire_model(&g, 8, 11);
    hz_league_limits limits = {.position_ms = 1};
    hz_league_verdict v = check_with(m.data, m.length, &limits);
    assert_int_equal(v.code, HZ_LEAGUE_E13_COST);
    wire_free(&m);
    /* One that is stopped from outside. */
    g = heavy(24);
    m = wire_model(&g, 8, 11);
    limits = (hz_league_limits){.position_ms = 1, .opening_ms = 300};
    uint64_t begun = hz_clock_now_ns();
    v = check_with(m.data, m.length, &limits);
    assert_int_equal(v.code, HZ_LEAGUE_E13_COST);
    assert_non_null(strstr(v.message, "no end within"));
    assert_true(hz_clock_now_ns() - begun < 20000000000u);
    wire_free(&m);
}

static void e13_memory(void **state) {
    (void)state;
    /* Each square takes 9.5 MB while it is needed; a graph may take half of the 24 MiB. */
    wire g = heavy(2), m = wire_model(&g, 8, 11);
    hz_league_limits limits = {.position_ms = 20000, .memory_bytes = (uint64_t)24 << 20};
    hz_league_verdict v = check_with(m.data, m.length, &limits);
    if (v.code != HZ_LEAGUE_E13_COST || !strstr(v.message, "memory")) {
        fail_msg("E%02d %s", v.code, v.message);
    }
    wire_free(&m);
    /* Too much for any limit, known before it is run. */
    int64_t shape[] = {100000, 1000, 1540};
    wire n = wire_node("Expand", "board s", "e"), mean = wire_node("ReduceMean", "e", "score");
    wire t = wire_tensor("s", HZ_ELEMENT_INT64, (int64_t[]){3}, 1, shape, sizeof shape);
    g = plain_graph(n, 1);
    wire_message(&g, 1, &mean);
    wire_message(&g, 5, &t);
    expect_graph(g, HZ_LEAGUE_E13_COST, "memory");
}

static void many_nodes_are_looked_up_quickly(void **state) {
    (void)state;
    enum { NODES = 90000 };
    wire g = plain_graph(sum_node(), -1);
    for (int i = 0; i < NODES; i++) {
        char name[20];
        (void)snprintf(name, sizeof name, "n%d", i);
        wire n = wire_node("Neg", "board", name);
        wire_message(&g, 1, &n);
    }
    expect_graph(g, HZ_LEAGUE_ACCEPTED, "");
}

static void e14_a_constant_is_only_warned_of(void **state) {
    (void)state;
    league_graph graph = league_unary(0.0F, "Relu");
    hz_league_verdict v = check_with(graph.bytes, graph.length, NULL);
    assert_int_equal(v.code, HZ_LEAGUE_ACCEPTED);
    assert_true(v.constant);
    league_graph_free(&graph);
}

static void the_first_refusal_is_told(void **state) {
    (void)state;
    /* Wrong input (E06), wrong output (E07), unknown operator (E08), missing name (E09). */
    wire n = wire_node("Frobnicate", "nothing", "score");
    wire in = port("board", -1, 7, HZ_ELEMENT_FLOAT), out = port("score", -1, 7, HZ_ELEMENT_FLOAT);
    expect_graph(graph_of(&n, &in, &out), HZ_LEAGUE_E06_INPUT, "");
    n = wire_node("Frobnicate", "nothing", "score");
    in = port("board", -1, 1540, HZ_ELEMENT_FLOAT);
    out = port("score", -1, 7, HZ_ELEMENT_FLOAT);
    expect_graph(graph_of(&n, &in, &out), HZ_LEAGUE_E07_OUTPUT, "");
    expect_graph(plain_graph(wire_node("Frobnicate", "nothing", "score"), -1),
                 HZ_LEAGUE_E08_OPERATOR, "");
}

static void damaged_files_are_refused_or_run_and_no_more(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    league_graph graph = league_unary(0.5F, "Relu");
    unsigned char *copy = malloc(graph.length);
    assert_non_null(copy);
    for (size_t i = 0; i < test_effort(150); i++) {
        memcpy(copy, graph.bytes, graph.length);
        size_t length = graph.length;
        if (i % 3 == 0) {
            length = hz_random_draw(&random, (uint32_t)length);
        } else { /* where the structure is: the numbers stand in the middle */
            for (int k = 0; k < 3; k++) {
                uint32_t at = hz_random_draw(&random, 200);
                copy[at < 100 ? at : length - at] ^=
                    (unsigned char)(1u << hz_random_draw(&random, 8));
            }
        }
        hz_league_verdict v = check_with(copy, length, NULL);
        assert_true(v.code >= 0 && v.code <= HZ_LEAGUE_E13_COST);
    }
    free(copy);
    league_graph_free(&graph);
}

/* ---- ONNX Runtime ------------------------------------------------------------------------------------ */

static bool has_runtime(void) {
    const hz_executor *runtime;
    return hz_executor_onnxruntime(&runtime, NULL, NULL, NULL) == HZ_OK;
}

static hz_league_verdict check_any(const void *bytes, size_t length, const char *executor) {
    hz_league_limits limits = {.executor = executor};
    hz_league_verdict verdict;
    hz_error err;
    if (hz_league_check(bytes, length, &limits, NULL, &verdict, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
    return verdict;
}

static void what_the_built_in_executor_lacks_is_run_by_the_other(void **state) {
    (void)state;
    if (!has_runtime()) {
        test_leave_out("ONNX Runtime is not there (make onnxruntime)");
    }
    league_graph graph = league_material();
    hz_league_verdict v = check_any(graph.bytes, graph.length, "onnxruntime");
    assert_int_equal(v.code, HZ_LEAGUE_ACCEPTED);
    assert_string_equal(v.executor, "onnxruntime");
    v = check_any(graph.bytes, graph.length, NULL);
    assert_string_equal(v.executor, "builtin");
    league_graph_free(&graph);

    /* A graph within a graph: If, with a condition that the rows decide. */
    wire sum = wire_node("ReduceSum", "board", "s"), axes = {0}, branch, cast, conditional, all, g;
    wire_text(&axes, 1, "axes");
    wire_int(&axes, 8, 1);
    wire_int(&axes, 20, 7);
    wire_message(&sum, 5, &axes);
    all = wire_node("ReduceSum", "board", "t");
    wire keep = {0};
    wire_text(&keep, 1, "keepdims");
    wire_int(&keep, 3, 0);
    wire_int(&keep, 20, 2);
    wire_message(&all, 5, &keep);
    cast = wire_node("Cast", "t", "c");
    wire to = {0};
    wire_text(&to, 1, "to");
    wire_int(&to, 3, HZ_ELEMENT_BOOL);
    wire_int(&to, 20, 2);
    wire_message(&cast, 5, &to);
    conditional = wire_node("If", "c", "score");
    for (int i = 0; i < 2; i++) {
        wire inner = wire_node(i ? "Neg" : "Identity", "s", "z"), attribute = {0};
        wire z = port("z", -1, 1, HZ_ELEMENT_FLOAT);
        branch = (wire){0};
        wire_message(&branch, 1, &inner);
        wire_text(&branch, 2, "b");
        wire_message(&branch, 12, &z);
        wire_text(&attribute, 1, i ? "then_branch" : "else_branch");
        wire_message(&attribute, 6, &branch);
        wire_int(&attribute, 20, 5);
        wire_message(&conditional, 5, &attribute);
    }
    g = plain_graph(sum, -1);
    wire_message(&g, 1, &all);
    wire_message(&g, 1, &cast);
    wire_message(&g, 1, &conditional);
    wire m = wire_model(&g, 8, 11);
    v = check_any(m.data, m.length, NULL);
    if (v.code != HZ_LEAGUE_ACCEPTED) {
        fail_msg("E%02d %s", v.code, v.message);
    }
    assert_string_equal(v.executor, "onnxruntime");
    assert_true(v.values[0] == -68.0F);
    assert_int_equal(v.parameters.strict, 0);
    wire_free(&m);

#ifndef SANITIZED /* ONNX Runtime says so by an exception */
    /* What nobody runs is an operator that nobody runs. */
    g = plain_graph(wire_node("Frobnicate", "board", "score"), -1);
    m = wire_model(&g, 8, 11);
    v = check_any(m.data, m.length, NULL);
    wire_free(&m);
    if (v.code != HZ_LEAGUE_E08_OPERATOR || !strstr(v.message, "Frobnicate")) {
        fail_msg("E%02d %s", v.code, v.message);
    }
#endif
}

int main(int argc, char **argv) {
    test_serve_child(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sound_file_is_accepted_and_counted),
        cmocka_unit_test(e01_size),
        cmocka_unit_test(e02_no_model),
        cmocka_unit_test(e02_64_messages_in_each_other_are_read_and_65_are_not),
        cmocka_unit_test(e03_versions_and_domains),
        cmocka_unit_test(e03_functions_do_not_open_domains_of_others),
        cmocka_unit_test(e04_data_outside_and_texts),
        cmocka_unit_test(e05_inputs),
        cmocka_unit_test(e06_the_input),
        cmocka_unit_test(e07_the_output),
        cmocka_unit_test(e08_operators),
        cmocka_unit_test(e09_names),
        cmocka_unit_test(e10_parameters),
        cmocka_unit_test(e11_a_graph_that_does_not_fit_together),
        cmocka_unit_test(e12_values_that_are_not_finite),
        cmocka_unit_test(e12_a_batch_that_is_not_its_rows),
        cmocka_unit_test(e13_time),
        cmocka_unit_test(e13_memory),
        cmocka_unit_test(many_nodes_are_looked_up_quickly),
        cmocka_unit_test(e14_a_constant_is_only_warned_of),
        cmocka_unit_test(the_first_refusal_is_told),
        cmocka_unit_test(damaged_files_are_refused_or_run_and_no_more),
        cmocka_unit_test(what_the_built_in_executor_lacks_is_run_by_the_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
