/* SPDX-License-Identifier: MIT */
/*
 * Programs: what is known is computed once, what nobody reads is not computed, memory is planned so
 * that no value is overwritten while it is needed, and running allocates nothing.
 */
#include "model/graphs.h"

#include "model/program.h"

#include <malloc.h>

static void make(const hz_graph *graph, const hzi_shape *shapes, hzi_program *program) {
    hz_error err;
    if (hzi_program_make(graph, shapes, program, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
}

static void node(hz_builder *builder, const char *type, const char *a, const char *b,
                 const char *to) {
    const char *inputs[2] = {a, b};
    hz_builder_node(builder, "", type, inputs, b ? 2 : 1, &to, 1);
}

static void floats(hz_builder *builder, const char *name, float *data, int64_t count) {
    hz_tensor tensor = {HZ_ELEMENT_FLOAT, 1, {count}, data};
    hz_builder_initializer(builder, name, &tensor);
}

static const hzi_shape ROW = {.rank = 2, .dim = {1, 3}};

static hz_builder *begin(const char *output) {
    hz_builder *builder = hz_builder_new("g", 8, 13, 0);
    hz_builder_input(builder, "x", HZ_ELEMENT_FLOAT, (int64_t[]){HZ_DYNAMIC, 3}, 2);
    hz_builder_output(builder, output, HZ_ELEMENT_FLOAT, (int64_t[]){HZ_DYNAMIC, 3}, 2);
    return builder;
}

static void steps_whose_inputs_are_known_run_once(void **state) {
    (void)state;
    float a[3] = {1, 2, 3}, b[3] = {10, 20, 30};
    hz_builder *builder = begin("y");
    floats(builder, "a", a, 3);
    floats(builder, "b", b, 3);
    node(builder, "Add", "a", "b", "sum");
    node(builder, "Neg", "sum", NULL, "less");
    node(builder, "Exp", "less", NULL, "small");
    node(builder, "Sub", "x", "less", "y");
    hz_graph *graph = graphs_finish(builder);
    hzi_program program;
    make(graph, &ROW, &program);
    assert_int_equal(program.step_count, 1);
    assert_int_equal(program.constant_bytes, 12);
    float x[3] = {1, 1, 1};
    program.inputs[0]->data = x;
    hzi_program_run(&program);
    const float *y = program.outputs[0]->data;
    assert_true(y[0] == 12 && y[1] == 23 && y[2] == 34);
    hzi_program_fini(&program);
    hz_graph_free(graph);
}

static void the_shape_of_an_input_is_known(void **state) {
    (void)state;
    hz_builder *builder = begin("y");
    node(builder, "Shape", "x", NULL, "shape");
    node(builder, "Relu", "x", NULL, "positive");
    node(builder, "Reshape", "positive", "shape", "y");
    hz_graph *graph = graphs_finish(builder);
    hzi_program program;
    make(graph, &ROW, &program);
    assert_true(program.step_count <= 2);
    float x[3] = {-1, 5, 7};
    program.inputs[0]->data = x;
    hzi_program_run(&program);
    const float *y = program.outputs[0]->data;
    assert_true(y[0] == 0 && y[1] == 5 && y[2] == 7);
    assert_int_equal(program.outputs[0]->shape.rank, 2);
    hzi_program_fini(&program);
    hz_graph_free(graph);
}

static void results_that_nobody_reads_are_not_computed(void **state) {
    (void)state;
    hz_builder *builder = begin("y");
    node(builder, "Exp", "x", NULL, "a");
    node(builder, "Log", "a", NULL, "b");
    node(builder, "Abs", "x", NULL, "y");
    node(builder, "Sqrt", "y", NULL, "c");
    hz_graph *graph = graphs_finish(builder);
    hzi_program program;
    make(graph, &ROW, &program);
    assert_int_equal(program.step_count, 1);
    hzi_program_fini(&program);
    hz_graph_free(graph);
}

static void outputs_may_be_inputs_or_constants(void **state) {
    (void)state;
    float a[3] = {4, 5, 6};
    hz_builder *builder = begin("x");
    floats(builder, "a", a, 3);
    node(builder, "Identity", "x", NULL, "same");
    node(builder, "Neg", "a", NULL, "folded");
    hz_builder_output(builder, "a", HZ_ELEMENT_FLOAT, (int64_t[]){3}, 1);
    hz_builder_output(builder, "same", HZ_ELEMENT_FLOAT, (int64_t[]){HZ_DYNAMIC, 3}, 2);
    hz_builder_output(builder, "folded", HZ_ELEMENT_FLOAT, (int64_t[]){3}, 1);
    hz_graph *graph = graphs_finish(builder);
    hzi_program program;
    make(graph, &ROW, &program);
    for (int run = 0; run < 2; run++) { /* the input may lie elsewhere each time */
        float x[3] = {1, 2, (float)run};
        program.inputs[0]->data = x;
        hzi_program_run(&program);
        assert_memory_equal(program.outputs[0]->data, x, sizeof x);
        assert_memory_equal(program.outputs[1]->data, a, sizeof a);
        assert_memory_equal(program.outputs[2]->data, x, sizeof x);
        assert_true(((float *)program.outputs[3]->data)[2] == -6);
    }
    hzi_program_fini(&program);
    hz_graph_free(graph);
}

static void a_long_chain_reuses_two_places(void **state) {
    (void)state;
    enum { NODES = 100, WIDTH = 1000 };
    hz_builder *builder = hz_builder_new("g", 8, 13, 0);
    char from[20] = "x", to[20] = "x";
    hz_builder_input(builder, "x", HZ_ELEMENT_FLOAT, (int64_t[]){WIDTH}, 1);
    for (int i = 0; i < NODES; i++) {
        (void)snprintf(to, sizeof to, "v%d", i);
        node(builder, "Neg", from, NULL, to);
        memcpy(from, to, sizeof from);
    }
    hz_builder_output(builder, to, HZ_ELEMENT_FLOAT, (int64_t[]){WIDTH}, 1);
    hz_graph *graph = graphs_finish(builder);
    hzi_program program;
    make(graph, &(hzi_shape){.rank = 1, .dim = {WIDTH}}, &program);
    assert_in_range(program.workspace_bytes, WIDTH * 4, 2 * (WIDTH * 4 + 64));
    hzi_program_fini(&program);
    hz_graph_free(graph);
}

/* ---- memory of random graphs -------------------------------------------------------------------- */

enum { VALUES = 60, COUNT = 5 };

/* Sums and differences of earlier values, computed beside the graph. */
static void one_random_graph(hz_random *random) {
    hz_builder *builder = hz_builder_new("g", 8, 13, 0);
    float wanted[VALUES][COUNT], x[COUNT];
    char name[3][20];
    hz_builder_input(builder, "v0", HZ_ELEMENT_FLOAT, (int64_t[]){COUNT}, 1);
    for (int i = 0; i < COUNT; i++) {
        x[i] = wanted[0][i] = graphs_number(random);
    }
    for (uint32_t v = 1; v < VALUES; v++) {
        uint32_t reach = v < 8 ? v : 8;
        uint32_t a = v - 1 - hz_random_draw(random, reach), b = hz_random_draw(random, v);
        uint32_t kind = hz_random_draw(random, 4);
        (void)snprintf(name[0], sizeof name[0], "v%u", a);
        (void)snprintf(name[1], sizeof name[1], "v%u", b);
        (void)snprintf(name[2], sizeof name[2], "v%u", v);
        for (int i = 0; i < COUNT; i++) {
            float p = wanted[a][i], q = wanted[b][i];
            wanted[v][i] = kind == 0 ? (p + q) * 0.5f : kind == 1 ? p - q : kind == 2 ? -p : p;
        }
        if (kind == 0) {
            hz_tensor half = {HZ_ELEMENT_FLOAT, 0, {0}, &(float){0.5f}};
            char sum[30], factor[30];
            (void)snprintf(sum, sizeof sum, "s%u", v);
            (void)snprintf(factor, sizeof factor, "h%u", v);
            hz_builder_initializer(builder, factor, &half);
            node(builder, "Add", name[0], name[1], sum);
            node(builder, "Mul", sum, factor, name[2]);
        } else if (kind == 1) {
            node(builder, "Sub", name[0], name[1], name[2]);
        } else {
            node(builder, kind == 2 ? "Neg" : "Identity", name[0], NULL, name[2]);
        }
    }
    uint32_t shown[4], count = 0;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t v = i == 0 ? VALUES - 1 : hz_random_draw(random, VALUES);
        bool seen = false;
        for (uint32_t k = 0; k < count; k++) {
            seen = seen || shown[k] == v;
        }
        if (!seen) {
            (void)snprintf(name[0], sizeof name[0], "v%u", v);
            hz_builder_output(builder, name[0], HZ_ELEMENT_FLOAT, (int64_t[]){COUNT}, 1);
            shown[count++] = v;
        }
    }
    hz_graph *graph = graphs_finish(builder);
    hzi_program program;
    make(graph, &(hzi_shape){.rank = 1, .dim = {COUNT}}, &program);
    program.inputs[0]->data = x;
    hzi_program_run(&program);
    hzi_program_run(&program);
    for (uint32_t i = 0; i < count; i++) {
        assert_memory_equal(program.outputs[i]->data, wanted[shown[i]], sizeof wanted[0]);
    }
    assert_memory_equal(x, wanted[0], sizeof x);
    hzi_program_fini(&program);
    hz_graph_free(graph);
}

static void no_value_is_overwritten_while_it_is_needed(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    for (size_t i = test_effort(300); i-- > 0;) {
        one_random_graph(&random);
    }
}

/* ---- limits -------------------------------------------------------------------------------------- */

static void preparing_stays_within_the_memory_allowed(void **state) {
    (void)state;
    hz_arena arena = {0};
    hz_random random = hz_random_from_seed(3);
    const void *bytes;
    size_t length;
    graphs_network(&arena, &random, (int64_t[]){40, 40, 40, 1}, 3, &bytes, &length);
    size_t refused = 0, opened = 0;
    for (size_t limit = 1000; limit < 2000000; limit += limit / 5) {
        hz_model_options options = {.limits = {.memory_bytes = limit}};
        hz_model *model = NULL;
        hz_error err;
        hz_status status = hz_model_open(bytes, length, &options, &model, &err);
        assert_true(status == HZ_OK || status == HZ_GRAPH);
        refused += status != HZ_OK;
        opened += status == HZ_OK;
        assert_true((status == HZ_OK) == (model != NULL));
        assert_int_equal(hz_model_close(model, NULL), HZ_OK);
    }
    assert_true(refused > 5 && opened > 5);
    hz_arena_fini(&arena);
}

/* Constants that double and double: what is computed before the first row counts against the limit. */
static void constants_that_grow_beyond_the_limit_are_a_refusal(void **state) {
    (void)state;
    float one = 1;
    hz_builder *builder = begin("y");
    floats(builder, "c0", &one, 1);
    for (int i = 0; i < 40; i++) {
        char from[8], to[8];
        (void)snprintf(from, sizeof from, "c%d", i);
        (void)snprintf(to, sizeof to, "c%d", i + 1);
        hz_builder_node(builder, "", "Concat", (const char *[]){from, from}, 2,
                        (const char *[]){to}, 1);
        hz_builder_int(builder, "axis", 0);
    }
    node(builder, "Max", "c40", "x", "y");
    hz_arena arena = {0};
    const void *bytes;
    size_t length;
    hz_error err;
    assert_int_equal(hz_builder_finish(builder, &arena, &bytes, &length, &err), HZ_OK);
    hz_builder_free(builder);
    for (size_t limit = 30000; limit < 30000000; limit *= 10) {
        hz_model_options options = {.limits = {.memory_bytes = limit}};
        hz_model *model = NULL;
        assert_int_equal(hz_model_open(bytes, length, &options, &model, &err), HZ_GRAPH);
        assert_non_null(strstr(err.message, "cannot read the ONNX graph: "));
        assert_non_null(strstr(err.message, "memory"));
        assert_null(model);
    }
    hz_arena_fini(&arena);
}

/* Bytes that the program holds from the system's allocator. */
static size_t heap_bytes(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

static void running_rows_allocates_nothing_after_the_first_batch(void **state) {
    (void)state;
    enum { WIDTH = 11, MOST = 150 };
    hz_arena arena = {0};
    hz_random random = hz_random_from_seed(4);
    const void *bytes;
    size_t length;
    graphs_network(&arena, &random, (int64_t[]){WIDTH, 20, 1}, 2, &bytes, &length);
    hz_model *model = NULL;
    hz_error err;
    assert_int_equal(hz_model_open(bytes, length, NULL, &model, &err), HZ_OK);
    static float rows[MOST * WIDTH], values[MOST];
    assert_int_equal(hz_model_rows(model, rows, MOST, WIDTH, values, &err), HZ_OK);
    size_t before = heap_bytes();
    for (size_t n = 0; n <= MOST; n++) {
        assert_int_equal(hz_model_rows(model, rows, n, WIDTH, values, &err), HZ_OK);
    }
    assert_int_equal(heap_bytes(), before);
    assert_int_equal(hz_model_close(model, NULL), HZ_OK);
    hz_arena_fini(&arena);
}

static void cost_counts_what_is_left(void **state) {
    (void)state;
    float weights[3 * 4] = {0}, bias[4] = {0};
    hz_tensor w = {HZ_ELEMENT_FLOAT, 2, {3, 4}, weights};
    hz_builder *builder = begin("y");
    hz_builder_initializer(builder, "w", &w);
    floats(builder, "b", bias, 4);
    node(builder, "Neg", "b", NULL, "negative");
    hz_builder_node(builder, "", "Gemm", (const char *[]){"x", "w", "negative"}, 3,
                    (const char *[]){"s"}, 1);
    node(builder, "Relu", "s", NULL, "y");
    hz_graph *graph = graphs_finish(builder);
    hz_graph_cost cost;
    hz_error err;
    assert_int_equal(hz_graph_cost_get(graph, &cost, &err), HZ_OK);
    assert_int_equal(cost.multiply_adds, 12);
    assert_int_equal(cost.steps, 1); /* the layer with its activation */
    assert_true(cost.workspace >= 16);
    hz_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_whose_inputs_are_known_run_once),
        cmocka_unit_test(the_shape_of_an_input_is_known),
        cmocka_unit_test(results_that_nobody_reads_are_not_computed),
        cmocka_unit_test(outputs_may_be_inputs_or_constants),
        cmocka_unit_test(a_long_chain_reuses_two_places),
        cmocka_unit_test(no_value_is_overwritten_while_it_is_needed),
        cmocka_unit_test(preparing_stays_within_the_memory_allowed),
        cmocka_unit_test(constants_that_grow_beyond_the_limit_are_a_refusal),
        cmocka_unit_test(running_rows_allocates_nothing_after_the_first_batch),
        cmocka_unit_test(cost_counts_what_is_left),
    };
    return cmocka_run_group_tests_name("model/program", tests, NULL, NULL);
}
