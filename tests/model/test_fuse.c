/* SPDX-License-Identifier: MIT */
/* Fused steps give the bits of the single ones: every network is also made with all its values as
 * outputs of the graph, which keeps them apart. And the short way for rows gives the same again. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/dense_chain.h"
#include "model/program.h"
#include "support/support.h"

#include <hazard/model.h>

enum { LAYERS = 4, NAME = 24, VALUES = 40 };

/* How a layer is written. */
typedef enum form {
    GEMM,           /* with a bias */
    GEMM_TURNED,    /* likewise, transB */
    GEMM_ADD,       /* without, then Add */
    GEMM_BIAS_ADD,  /* with, then Add */
    MATMUL_ADD,     /* */
    ADD_MATMUL,     /* the sum written the other way round */
    MATMUL_ADD_ONE, /* the same number for all outputs */
    FORMS
} form;

typedef struct network {
    int layers;
    int64_t widths[LAYERS + 1];
    form forms[LAYERS];
    const char *activations[LAYERS]; /* NULL = none */
    bool copies[LAYERS];             /* Identity behind the layer */
    uint64_t seed;
} network;

typedef struct writer {
    hz_builder *builder;
    hz_random random;
    hz_arena *arena;
    bool expose;
    char names[VALUES][NAME]; /* of values, in order */
    int count;
    char current[NAME];
} writer;

static void constant(writer *w, const char *name, const int64_t *shape, uint32_t rank) {
    hz_tensor tensor = {.element = HZ_ELEMENT_FLOAT, .rank = rank};
    memcpy(tensor.shape, shape, rank * sizeof *shape);
    size_t count = hz_tensor_count(&tensor);
    float *numbers = hz_arena_alloc(w->arena, (count + 1) * sizeof *numbers);
    assert_non_null(numbers);
    for (size_t i = 0; i < count; i++) {
        /* Zeros of both signs among them. */
        uint32_t draw = hz_random_draw(&w->random, 10);
        numbers[i] = draw == 0   ? 0.0F
                     : draw == 1 ? -0.0F
                                 : ((float)hz_random_draw(&w->random, 2001) - 1000) / 1000;
    }
    tensor.data = numbers;
    hz_builder_initializer(w->builder, name, &tensor);
}

static void node(writer *w, const char *type, const char *second, const char *third, bool swap) {
    char *next = w->names[w->count];
    assert_true(w->count < VALUES);
    (void)snprintf(next, NAME, "v%d", w->count++);
    const char *inputs[3] = {swap ? second : w->current, swap ? w->current : second, third};
    size_t inputs_count = third ? 3 : second ? 2 : 1;
    hz_builder_node(w->builder, "", type, inputs, inputs_count, (const char *[]){next}, 1);
    memcpy(w->current, next, NAME);
}

static void layer(writer *w, const network *net, int i) {
    char weights[NAME], bias[NAME], more[NAME];
    int64_t in = net->widths[i], out = net->widths[i + 1];
    form f = net->forms[i];
    (void)snprintf(weights, NAME, "w%d", i);
    (void)snprintf(bias, NAME, "b%d", i);
    (void)snprintf(more, NAME, "m%d", i);
    constant(w, weights, f == GEMM_TURNED ? (int64_t[]){out, in} : (int64_t[]){in, out}, 2);
    constant(w, bias, (int64_t[]){f == MATMUL_ADD_ONE ? 1 : out}, 1);
    constant(w, more, (int64_t[]){1, out}, 2);
    bool gemm = f <= GEMM_BIAS_ADD, with_bias = f == GEMM || f == GEMM_TURNED || f == GEMM_BIAS_ADD;
    node(w, gemm ? "Gemm" : "MatMul", weights, with_bias ? bias : NULL, false);
    if (f == GEMM_TURNED) {
        hz_builder_int(w->builder, "transB", 1);
    }
    if (f == GEMM_BIAS_ADD) {
        node(w, "Add", more, NULL, false);
    } else if (!with_bias) {
        node(w, "Add", bias, NULL, f == ADD_MATMUL);
    }
    if (net->copies[i]) {
        node(w, "Identity", NULL, NULL, false);
    }
    if (net->activations[i]) {
        node(w, net->activations[i], NULL, NULL, false);
    }
}

/* The graph; `expose` makes every value an output, the last one first. */
static hz_graph *write_graph(const network *net, bool expose, hz_arena *arena, const void **bytes,
                             size_t *length) {
    writer w = {.builder = hz_builder_new("g", 8, 14, 0),
                .random = hz_random_from_seed(net->seed),
                .arena = arena,
                .expose = expose};
    hz_error err;
    hz_graph *graph = NULL;
    assert_non_null(w.builder);
    (void)snprintf(w.current, NAME, "input");
    hz_builder_input(w.builder, "input", HZ_ELEMENT_FLOAT, (int64_t[]){HZ_DYNAMIC, net->widths[0]},
                     2);
    for (int i = 0; i < net->layers; i++) {
        layer(&w, net, i);
    }
    hz_builder_output(w.builder, w.current, HZ_ELEMENT_FLOAT,
                      (int64_t[]){HZ_DYNAMIC, net->widths[net->layers]}, 2);
    for (int i = 0; expose && i + 1 < w.count; i++) {
        hz_builder_output(w.builder, w.names[i], HZ_ELEMENT_FLOAT,
                          (int64_t[]){HZ_DYNAMIC, HZ_DYNAMIC}, 2);
    }
    if (hz_builder_finish(w.builder, arena, bytes, length, &err) != HZ_OK ||
        hz_graph_read(*bytes, *length, NULL, &graph, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
    hz_builder_free(w.builder);
    return graph;
}

static void prepare(const hz_graph *graph, int64_t rows, int64_t width, hzi_program *program) {
    const hzi_shape shape = {2, {rows, width}};
    hz_error err;
    if (hzi_program_make(graph, &shape, program, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
}

static const float *run(hzi_program *program, float *rows) {
    program->inputs[0]->data = rows;
    hzi_program_run(program);
    return program->outputs[0]->data;
}

static network random_network(hz_random *random) {
    static const char *const ACTIVATIONS[] = {"Relu", "Sigmoid",  "Tanh",      "Elu",  NULL,
                                              "Relu", "Softplus", "LeakyRelu", "Clip", "Exp"};
    network net = {.layers = 1 + (int)hz_random_draw(random, LAYERS),
                   .seed = hz_random_draw(random, UINT32_MAX)};
    for (int i = 0; i <= net.layers; i++) {
        net.widths[i] = 1 + hz_random_draw(random, i == 0 ? 300 : 50);
    }
    net.widths[net.layers] = 1;
    for (int i = 0; i < net.layers; i++) {
        net.forms[i] = (form)hz_random_draw(random, FORMS);
        net.activations[i] = ACTIVATIONS[hz_random_draw(random, 10)];
        net.copies[i] = hz_random_draw(random, 6) == 0;
    }
    return net;
}

static float *random_rows(hz_random *random, size_t n) {
    float *rows = malloc(n * sizeof *rows);
    assert_non_null(rows);
    uint32_t sparse = hz_random_draw(random, 3);
    for (size_t i = 0; i < n; i++) {
        bool zero =
            sparse == 2 ? hz_random_draw(random, 15) > 0 : hz_random_draw(random, 3) < sparse;
        rows[i] = zero ? 0 : ((float)hz_random_draw(random, 2001) - 1000) / 500;
    }
    return rows;
}

/* The same bits; a NaN is a NaN. */
static void assert_same(const float *a, const float *b, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (memcmp(&a[i], &b[i], sizeof *a) != 0 && !(isnan(a[i]) && isnan(b[i]))) {
            fail_msg("row %zu: %a and %a", i, (double)a[i], (double)b[i]);
        }
    }
}

static void fused_networks_give_the_bits_of_single_steps(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    for (size_t round = 0; round < test_effort(150); round++) {
        network net = random_network(&random);
        hz_arena arena = {0};
        const void *bytes;
        size_t length;
        hz_graph *fused = write_graph(&net, false, &arena, &bytes, &length);
        hz_graph *apart = write_graph(&net, true, &arena, &bytes, &length);
        size_t rows = 1 + hz_random_draw(&random, 9), width = (size_t)net.widths[0];
        float *x = random_rows(&random, rows * width);
        hzi_program short_one, long_one;
        prepare(fused, (int64_t)rows, net.widths[0], &short_one);
        prepare(apart, (int64_t)rows, net.widths[0], &long_one);
        assert_int_equal(short_one.step_count, net.layers); /* nothing else is left */
        const float *values = run(&short_one, x), *single = run(&long_one, x);
        assert_same(values, single, rows);
        hzi_program_fini(&short_one);
        hzi_program_fini(&long_one);
        hz_graph_free(fused);
        hz_graph_free(apart);
        hz_arena_fini(&arena);
        free(x);
    }
}

static void rows_take_the_short_way_with_the_same_bits(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    for (size_t round = 0; round < test_effort(60); round++) {
        network net = random_network(&random);
        hz_arena arena = {0};
        const void *bytes;
        size_t length, rows = 1 + hz_random_draw(&random, 130), width = (size_t)net.widths[0];
        hz_graph *graph = write_graph(&net, false, &arena, &bytes, &length);
        hz_graph *apart = write_graph(&net, true, &arena, &bytes, &length);
        float *x = random_rows(&random, rows * width);
        float *values = malloc(rows * sizeof *values), *alone = malloc(rows * sizeof *alone);
        assert_true(values && alone);
        hzi_program one, all;
        hzi_dense_chain chain;
        prepare(graph, 1, net.widths[0], &one);
        prepare(apart, (int64_t)rows, net.widths[0], &all);
        hzi_dense_chain_find(graph, &one, &chain);
        assert_int_equal(chain.count, net.layers);
        hzi_dense_chain_run(&chain, x, rows, values);
        for (size_t r = 0; r < rows; r++) {
            hzi_dense_chain_run(&chain, x + r * width, 1, &alone[r]);
        }
        const float *single = run(&all, x);
        assert_same(values, alone, rows);
        assert_same(values, single, rows);
        hzi_program_fini(&one);
        hzi_program_fini(&all);
        hz_graph_free(graph);
        hz_graph_free(apart);
        hz_arena_fini(&arena);
        free(x);
        free(values);
        free(alone);
    }
}

/* A step that only changes the shape is no wall. */
static void functions_behind_a_squeeze_are_fused(void **state) {
    (void)state;
    hz_arena arena = {0};
    hz_builder *builder = hz_builder_new("g", 8, 14, 0);
    float weights[] = {1, -2};
    int64_t last = 1;
    hz_tensor w = {HZ_ELEMENT_FLOAT, 2, {2, 1}, weights};
    hz_tensor axes = {HZ_ELEMENT_INT64, 1, {1}, &last};
    hz_builder_input(builder, "x", HZ_ELEMENT_FLOAT, (int64_t[]){HZ_DYNAMIC, 2}, 2);
    hz_builder_output(builder, "y", HZ_ELEMENT_FLOAT, (int64_t[]){HZ_DYNAMIC}, 1);
    hz_builder_initializer(builder, "w", &w);
    hz_builder_initializer(builder, "axes", &axes);
    hz_builder_node(builder, "", "MatMul", (const char *[]){"x", "w"}, 2, (const char *[]){"t"}, 1);
    hz_builder_node(builder, "", "Squeeze", (const char *[]){"t", "axes"}, 2, (const char *[]){"s"},
                    1);
    hz_builder_node(builder, "", "Relu", (const char *[]){"s"}, 1, (const char *[]){"y"}, 1);
    const void *bytes;
    size_t length;
    hz_graph *graph = NULL;
    assert_int_equal(hz_builder_finish(builder, &arena, &bytes, &length, NULL), HZ_OK);
    assert_int_equal(hz_graph_read(bytes, length, NULL, &graph, NULL), HZ_OK);
    hzi_program program;
    prepare(graph, 3, 2, &program);
    assert_int_equal(program.step_count, 1);
    float x[] = {5, 1, 1, 1, 2, 0};
    const float y[] = {3, 0, 2};
    assert_memory_equal(run(&program, x), y, sizeof y);
    assert_int_equal(program.outputs[0]->shape.rank, 1);
    hzi_program_fini(&program);
    hz_graph_free(graph);
    hz_builder_free(builder);
    hz_arena_fini(&arena);
}

/* x -> MatMul -> t; y = f(t) + t or the like: t has two readers. */
static void values_with_two_readers_stay_apart(void **state) {
    (void)state;
    hz_arena arena = {0};
    hz_builder *builder = hz_builder_new("g", 8, 14, 0);
    float weights[] = {1, 0, 0, 1};
    hz_tensor w = {HZ_ELEMENT_FLOAT, 2, {2, 2}, weights};
    hz_builder_input(builder, "x", HZ_ELEMENT_FLOAT, (int64_t[]){HZ_DYNAMIC, 2}, 2);
    hz_builder_output(builder, "y", HZ_ELEMENT_FLOAT, (int64_t[]){HZ_DYNAMIC, 2}, 2);
    hz_builder_initializer(builder, "w", &w);
    hz_builder_node(builder, "", "MatMul", (const char *[]){"x", "w"}, 2, (const char *[]){"t"}, 1);
    hz_builder_node(builder, "", "Relu", (const char *[]){"t"}, 1, (const char *[]){"r"}, 1);
    hz_builder_node(builder, "", "Add", (const char *[]){"r", "t"}, 2, (const char *[]){"y"}, 1);
    const void *bytes;
    size_t length;
    hz_graph *graph = NULL;
    assert_int_equal(hz_builder_finish(builder, &arena, &bytes, &length, NULL), HZ_OK);
    assert_int_equal(hz_graph_read(bytes, length, NULL, &graph, NULL), HZ_OK);
    hzi_program program;
    prepare(graph, 1, 2, &program);
    assert_int_equal(program.step_count, 3);
    float x[] = {-1, 3};
    const float y[] = {-1, 6};
    assert_memory_equal(run(&program, x), y, sizeof y);
    hzi_program_fini(&program);
    hz_graph_free(graph);
    hz_builder_free(builder);
    hz_arena_fini(&arena);
}

/* t added to itself reads t twice in one step. */
static void a_sum_with_itself_is_no_constant_row(void **state) {
    (void)state;
    hz_arena arena = {0};
    hz_builder *builder = hz_builder_new("g", 8, 14, 0);
    float weights[] = {2};
    hz_tensor w = {HZ_ELEMENT_FLOAT, 2, {1, 1}, weights};
    hz_builder_input(builder, "x", HZ_ELEMENT_FLOAT, (int64_t[]){HZ_DYNAMIC, 1}, 2);
    hz_builder_output(builder, "y", HZ_ELEMENT_FLOAT, (int64_t[]){HZ_DYNAMIC, 1}, 2);
    hz_builder_initializer(builder, "w", &w);
    hz_builder_node(builder, "", "MatMul", (const char *[]){"x", "w"}, 2, (const char *[]){"t"}, 1);
    hz_builder_node(builder, "", "Add", (const char *[]){"t", "t"}, 2, (const char *[]){"y"}, 1);
    const void *bytes;
    size_t length;
    hz_graph *graph = NULL;
    assert_int_equal(hz_builder_finish(builder, &arena, &bytes, &length, NULL), HZ_OK);
    assert_int_equal(hz_graph_read(bytes, length, NULL, &graph, NULL), HZ_OK);
    hzi_program program;
    prepare(graph, 1, 1, &program);
    float x[] = {3};
    assert_true(*run(&program, x) == 12);
    hzi_program_fini(&program);
    hz_graph_free(graph);
    hz_builder_free(builder);
    hz_arena_fini(&arena);
}

/* A constant that is computed from the number of rows is none for other numbers of rows. */
static void graphs_that_look_at_shapes_take_the_long_way(void **state) {
    (void)state;
    hz_arena arena = {0};
    hz_builder *builder = hz_builder_new("g", 8, 14, 0);
    float weights[] = {1};
    int64_t zero = 0;
    hz_tensor w = {HZ_ELEMENT_FLOAT, 2, {1, 1}, weights};
    hz_tensor first = {HZ_ELEMENT_INT64, 0, {0}, &zero};
    hz_builder_input(builder, "x", HZ_ELEMENT_FLOAT, (int64_t[]){HZ_DYNAMIC, 1}, 2);
    hz_builder_output(builder, "y", HZ_ELEMENT_FLOAT, (int64_t[]){HZ_DYNAMIC, 1}, 2);
    hz_builder_initializer(builder, "w", &w);
    hz_builder_initializer(builder, "zero", &first);
    hz_builder_node(builder, "", "Shape", (const char *[]){"x"}, 1, (const char *[]){"shape"}, 1);
    hz_builder_node(builder, "", "Gather", (const char *[]){"shape", "zero"}, 2,
                    (const char *[]){"rows"}, 1);
    hz_builder_node(builder, "", "Cast", (const char *[]){"rows"}, 1, (const char *[]){"b"}, 1);
    hz_builder_int(builder, "to", HZ_ELEMENT_FLOAT);
    hz_builder_node(builder, "", "MatMul", (const char *[]){"x", "w"}, 2, (const char *[]){"t"}, 1);
    hz_builder_node(builder, "", "Add", (const char *[]){"t", "b"}, 2, (const char *[]){"y"}, 1);
    const void *bytes;
    size_t length;
    hz_model *model = NULL;
    assert_int_equal(hz_builder_finish(builder, &arena, &bytes, &length, NULL), HZ_OK);
    assert_int_equal(hz_model_open(bytes, length, NULL, &model, NULL), HZ_OK);
    hz_graph *graph = NULL;
    assert_int_equal(hz_graph_read(bytes, length, NULL, &graph, NULL), HZ_OK);
    hzi_program program;
    hzi_dense_chain chain;
    prepare(graph, 1, 1, &program);
    assert_int_equal(program.step_count, 1);
    hzi_dense_chain_find(graph, &program, &chain);
    assert_int_equal(chain.count, 0);
    hzi_program_fini(&program);
    hz_graph_free(graph);
    assert_int_equal(hz_model_close(model, NULL), HZ_OK);
    hz_builder_free(builder);
    hz_arena_fini(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fused_networks_give_the_bits_of_single_steps),
        cmocka_unit_test(rows_take_the_short_way_with_the_same_bits),
        cmocka_unit_test(functions_behind_a_squeeze_are_fused),
        cmocka_unit_test(values_with_two_readers_stay_apart),
        cmocka_unit_test(a_sum_with_itself_is_no_constant_row),
        cmocka_unit_test(graphs_that_look_at_shapes_take_the_long_way),
    };
    return cmocka_run_group_tests_name("model/fuse", tests, NULL, NULL);
}
