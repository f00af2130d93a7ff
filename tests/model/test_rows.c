/* SPDX-License-Identifier: MIT */
/*
 * Models: rows give the same bits alone and in batches of any size, whichever way a batch takes;
 * what does not fit is refused with the port's name; and an executor of a host is asked for what it
 * offers.
 */
#include "model/graphs.h"

enum { MOST = 200, WIDTH_MOST = 40 };

static hz_model *open_bytes(const void *bytes, size_t length) {
    hz_model *model = NULL;
    hz_error err;
    if (hz_model_open(bytes, length, NULL, &model, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
    return model;
}

static void fill(hz_random *random, float *rows, size_t count) {
    bool zeros = hz_random_draw(random, 2) == 0; /* many features are 0 or 1 */
    for (size_t i = 0; i < count; i++) {
        rows[i] = zeros ? (float)(hz_random_draw(random, 5) == 0) : graphs_number(random);
    }
}

static void same_bits(const float *a, const float *b, size_t n, const char *how) {
    if (memcmp(a, b, n * sizeof *a) != 0) {
        for (size_t i = 0; i < n; i++) {
            if (memcmp(&a[i], &b[i], sizeof *a) != 0) {
                fail_msg("%s: row %zu of %zu: %.9g and %.9g", how, i, n, (double)a[i],
                         (double)b[i]);
            }
        }
    }
}

/* Rows one by one, in batches of random sizes, and as one batch of any shape. */
static void check_rows(hz_random *random, hz_model *model, size_t width) {
    static float rows[MOST * WIDTH_MOST], single[MOST], batched[MOST];
    hz_error err;
    fill(random, rows, MOST * width);
    for (size_t i = 0; i < MOST; i++) {
        assert_int_equal(hz_model_rows(model, rows + i * width, 1, width, &single[i], &err), HZ_OK);
    }
    for (size_t done = 0; done < MOST;) {
        size_t some = 1 + hz_random_draw(random, 100);
        some = some < MOST - done ? some : MOST - done;
        assert_int_equal(
            hz_model_rows(model, rows + done * width, some, width, batched + done, &err), HZ_OK);
        done += some;
    }
    same_bits(single, batched, MOST, "batches");
    hz_arena arena = {0};
    size_t n = 1 + hz_random_draw(random, MOST);
    hz_tensor input = {HZ_ELEMENT_FLOAT, 2, {(int64_t)n, (int64_t)width}, rows}, output;
    assert_int_equal(hz_model_run(model, &input, 1, &output, 1, &arena, &err), HZ_OK);
    assert_true(output.element == HZ_ELEMENT_FLOAT && output.rank == 2 &&
                output.shape[0] == (int64_t)n && output.shape[1] == 1);
    same_bits(single, output.data, n, "one batch");
    hz_arena_fini(&arena);
}

static void a_row_gives_the_same_bits_alone_and_in_a_batch(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    for (size_t i = test_effort(60); i-- > 0;) {
        int64_t widths[GRAPHS_LAYERS + 1];
        size_t layers = 1 + hz_random_draw(&random, GRAPHS_LAYERS);
        for (size_t k = 0; k < layers; k++) {
            widths[k] = 1 + hz_random_draw(&random, WIDTH_MOST);
        }
        widths[layers] = 1;
        hz_arena arena = {0};
        const void *bytes;
        size_t length;
        graphs_network(&arena, &random, widths, layers, &bytes, &length);
        hz_model *model = open_bytes(bytes, length);
        check_rows(&random, model, (size_t)widths[0]);
        assert_int_equal(hz_model_close(model, NULL), HZ_OK);
        hz_arena_fini(&arena);
    }
}

/* x -> Gemm -> Softmax and a mean over the row: not a chain of layers, so programs for several
 * batch sizes are at work. */
static void other_graphs_give_the_same_bits_too(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    for (size_t i = test_effort(30); i-- > 0;) {
        int64_t width = 1 + hz_random_draw(&random, WIDTH_MOST);
        int64_t hidden = 1 + hz_random_draw(&random, WIDTH_MOST);
        hz_arena arena = {0};
        hz_builder *builder = hz_builder_new("g", 8, 13, 0);
        hz_tensor w = graphs_tensor(&arena, &random, (int64_t[]){width, hidden}, 2);
        hz_tensor scale = graphs_tensor(&arena, &random, (int64_t[]){hidden}, 1);
        hz_builder_input(builder, "x", HZ_ELEMENT_FLOAT, (int64_t[]){HZ_DYNAMIC, width}, 2);
        hz_builder_output(builder, "y", HZ_ELEMENT_FLOAT, (int64_t[]){HZ_DYNAMIC, 1}, 2);
        hz_builder_initializer(builder, "w", &w);
        hz_builder_initializer(builder, "s", &scale);
        hz_builder_node(builder, "", "MatMul", (const char *[]){"x", "w"}, 2, (const char *[]){"h"},
                        1);
        hz_builder_node(builder, "", "Softmax", (const char *[]){"h"}, 1, (const char *[]){"p"}, 1);
        hz_builder_node(builder, "", "Mul", (const char *[]){"p", "s"}, 2, (const char *[]){"m"},
                        1);
        hz_builder_node(builder, "", "ReduceMean", (const char *[]){"m"}, 1, (const char *[]){"y"},
                        1);
        hz_builder_ints(builder, "axes", (int64_t[]){1}, 1);
        const void *bytes;
        size_t length;
        hz_error err;
        assert_int_equal(hz_builder_finish(builder, &arena, &bytes, &length, &err), HZ_OK);
        hz_builder_free(builder);
        hz_model *model = open_bytes(bytes, length);
        check_rows(&random, model, (size_t)width);
        assert_int_equal(hz_model_close(model, NULL), HZ_OK);
        hz_arena_fini(&arena);
    }
}

/* ---- what does not fit ---------------------------------------------------------------------------- */

/* x [first,2] -> type -> y. */
static hz_model *small_model(hz_arena *arena, const char *type, int64_t first) {
    hz_builder *builder = hz_builder_new("g", 8, 12, 0);
    hz_builder_input(builder, "x", HZ_ELEMENT_FLOAT, (int64_t[]){first, 2}, 2);
    bool sums = strcmp(type, "ReduceSum") == 0;
    hz_builder_output(builder, "y", HZ_ELEMENT_FLOAT, (int64_t[]){first, sums ? 1 : HZ_DYNAMIC}, 2);
    hz_builder_node(builder, "", type, (const char *[]){"x"}, 1, (const char *[]){"y"}, 1);
    if (sums) {
        hz_builder_ints(builder, "axes", (int64_t[]){1}, 1);
    }
    const void *bytes;
    size_t length;
    hz_error err;
    assert_int_equal(hz_builder_finish(builder, arena, &bytes, &length, &err), HZ_OK);
    hz_builder_free(builder);
    return open_bytes(bytes, length);
}

/* x [batch,2] -> operation -> y, which is said to be FLOAT [batch,1]. */
static void open_liar(const char *operation, const char *second, const int64_t *list, size_t count,
                      const char *words) {
    hz_arena arena = {0};
    hz_builder *builder = hz_builder_new("g", 8, 12, 0);
    hz_builder_input(builder, "x", HZ_ELEMENT_FLOAT, (int64_t[]){HZ_DYNAMIC, 2}, 2);
    hz_builder_output(builder, "y", HZ_ELEMENT_FLOAT, (int64_t[]){HZ_DYNAMIC, 1}, 2);
    hz_tensor shape = {HZ_ELEMENT_INT64, 1, {2}, (int64_t[]){1, 1}};
    hz_tensor column = {HZ_ELEMENT_FLOAT, 2, {2, 1}, (float[]){1, 2}};
    hz_builder_initializer(builder, "shape", &shape);
    hz_builder_initializer(builder, "column", &column);
    hz_builder_node(builder, "", "MatMul", (const char *[]){"x", "column"}, 2,
                    (const char *[]){"s"}, 1);
    hz_builder_node(builder, "", operation, (const char *[]){"s", second}, second ? 2 : 1,
                    (const char *[]){"y"}, 1);
    if (strcmp(operation, "Concat") == 0) {
        hz_builder_int(builder, "axis", list[0]);
    } else if (strcmp(operation, "Cast") == 0) {
        hz_builder_int(builder, "to", list[0]);
    } else if (list) {
        hz_builder_ints(builder, "axes", list, count);
    }
    const void *bytes;
    size_t length;
    hz_error err;
    hz_model *model = NULL;
    assert_int_equal(hz_builder_finish(builder, &arena, &bytes, &length, &err), HZ_OK);
    hz_builder_free(builder);
    assert_int_equal(hz_model_open(bytes, length, NULL, &model, &err), HZ_GRAPH);
    assert_null(model);
    assert_ptr_equal(strstr(err.message, "cannot read the ONNX graph: "), err.message);
    if (!strstr(err.message, words)) {
        fail_msg("%s: %s", operation, err.message);
    }
    hz_arena_fini(&arena);
}

static void a_value_model_that_gives_something_else_is_refused_when_it_is_opened(void **state) {
    (void)state;
    open_liar("Cast", NULL, (int64_t[]){HZ_ELEMENT_INT64}, 1, "holds INT64 instead of FLOAT");
    open_liar("Cast", NULL, (int64_t[]){HZ_ELEMENT_DOUBLE}, 1, "holds DOUBLE instead of FLOAT");
    open_liar("Concat", "s", (int64_t[]){1}, 1, "came back as [1,2] instead of [1,1]");
    open_liar("Concat", "s", (int64_t[]){0}, 1, "came back as [2,1] instead of [1,1]");
    open_liar("ReduceMean", NULL, (int64_t[]){0}, 1, "came back as [1,1] instead of [2,1]");
    /* Made for one row whatever it says. */
    open_liar("Reshape", "shape", NULL, 0, "(Reshape)");
}

static void rows_of_another_width_are_refused(void **state) {
    (void)state;
    hz_arena arena = {0};
    hz_model *model = small_model(&arena, "ReduceSum", HZ_DYNAMIC);
    float rows[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, values[4] = {0};
    hz_error err;
    assert_int_equal(hz_model_rows(model, rows, 3, 3, values, &err), HZ_MODEL_RUN);
    assert_string_equal(err.message, "input 'x' takes shape [batch,2], got [3,3]");
    assert_int_equal(hz_model_rows(model, rows, 4, 2, values, &err), HZ_OK);
    assert_true(values[0] == 3 && values[3] == 15);
    assert_int_equal(hz_model_rows(model, NULL, 0, 77, NULL, &err), HZ_OK);
    assert_int_equal(hz_model_close(model, NULL), HZ_OK);
    hz_arena_fini(&arena);
}

static void results_of_another_shape_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *type, *words;
    } CASES[] = {
        {"Relu", "output 'y' came back as [1,2] instead of [1,1]"},
        {"ReduceMax", "output 'y' came back as"}, /* over the rows, too */
    };
    float rows[8] = {0}, values[4];
    hz_error err;
    hz_arena arena = {0};
    hz_model *model = small_model(&arena, CASES[0].type, HZ_DYNAMIC);
    assert_int_equal(hz_model_rows(model, rows, 1, 2, values, &err), HZ_MODEL_RUN);
    assert_string_equal(err.message, CASES[0].words);
    assert_int_equal(hz_model_close(model, NULL), HZ_OK);
    /* One row gives [1,1]; that two rows do so as well is noticed. */
    model = small_model(&arena, CASES[1].type, HZ_DYNAMIC);
    for (size_t n = 2; n <= 4; n++) {
        assert_int_equal(hz_model_rows(model, rows, n, 2, values, &err), HZ_MODEL_RUN);
        assert_non_null(strstr(err.message, CASES[1].words));
    }
    assert_int_equal(hz_model_close(model, NULL), HZ_OK);
    hz_arena_fini(&arena);
}

static void a_fixed_batch_takes_exactly_that(void **state) {
    (void)state;
    hz_arena arena = {0};
    hz_model *model = small_model(&arena, "ReduceSum", 3);
    float rows[8] = {1, 2, 3, 4, 5, 6, 7, 8}, values[4] = {0};
    hz_error err;
    for (size_t n = 1; n <= 4; n++) {
        hz_status status = hz_model_rows(model, rows, n, 2, values, &err);
        assert_int_equal(status, n == 3 ? HZ_OK : HZ_MODEL_RUN);
    }
    assert_string_equal(err.message, "input 'x' takes shape [3,2], got [4,2]");
    assert_true(values[0] == 3 && values[1] == 7 && values[2] == 11 && values[3] == 0);
    assert_int_equal(hz_model_close(model, NULL), HZ_OK);
    hz_arena_fini(&arena);
}

static void batches_that_do_not_fit_the_ports_are_refused(void **state) {
    (void)state;
    hz_arena arena = {0};
    hz_model *model = small_model(&arena, "Relu", HZ_DYNAMIC);
    double data[8] = {0};
    hz_tensor outputs[2];
    hz_error err;
    static const struct {
        hz_tensor input;
        const char *words;
    } CASES[] = {
        {{HZ_ELEMENT_DOUBLE, 2, {1, 2}, NULL}, "input 'x' takes FLOAT, got DOUBLE"},
        {{HZ_ELEMENT_FLOAT, 1, {2}, NULL}, "input 'x' takes shape [batch,2], got [2]"},
        {{HZ_ELEMENT_FLOAT, 2, {1, 3}, NULL}, "input 'x' takes shape [batch,2], got [1,3]"},
        {{HZ_ELEMENT_FLOAT, 2, {-1, 2}, NULL}, "input 'x' takes shape"},
        {{HZ_ELEMENT_FLOAT, 2, {INT64_MAX, 2}, NULL}, "input 'x' takes shape"},
        {{HZ_ELEMENT_FLOAT, 100, {1, 2}, NULL}, "input 'x' takes shape"},
        {{HZ_ELEMENT_FLOAT, 2, {(int64_t)1 << 40, 2}, NULL}, "beyond the memory limit"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        hz_tensor input = CASES[i].input;
        input.data = data;
        assert_int_equal(hz_model_run(model, &input, 1, outputs, 1, &arena, &err), HZ_MODEL_RUN);
        if (!strstr(err.message, CASES[i].words)) {
            fail_msg("wanted '%s', got '%s'", CASES[i].words, err.message);
        }
    }
    assert_int_equal(hz_model_run(model, NULL, 0, outputs, 1, &arena, &err), HZ_MODEL_RUN);
    hz_tensor input = {HZ_ELEMENT_FLOAT, 2, {1, 2}, data};
    assert_int_equal(hz_model_run(model, &input, 1, outputs, 2, &arena, &err), HZ_MODEL_RUN);
    hz_tensor empty = {HZ_ELEMENT_FLOAT, 2, {0, 2}, NULL};
    assert_int_equal(hz_model_run(model, &empty, 1, outputs, 1, &arena, &err), HZ_OK);
    assert_int_equal(hz_tensor_count(&outputs[0]), 0);
    hz_arena small;
    hz_arena_init(&small, 16);
    assert_int_equal(hz_model_run(model, &input, 1, outputs, 1, &small, &err), HZ_NO_MEMORY);
    hz_arena_fini(&small);
    assert_int_equal(hz_model_close(model, NULL), HZ_OK);
    hz_arena_fini(&arena);
}

static void batches_of_many_shapes_are_prepared_when_they_come(void **state) {
    (void)state;
    hz_arena arena = {0};
    hz_model *model = small_model(&arena, "Relu", HZ_DYNAMIC);
    hz_random random = hz_random_from_seed(test_seed());
    static float data[2 * 20];
    hz_error err;
    for (size_t i = 0; i < 40; i++) {
        int64_t n = hz_random_draw(&random, 20);
        hz_tensor input = {HZ_ELEMENT_FLOAT, 2, {n, 2}, data}, output;
        fill(&random, data, 40);
        assert_int_equal(hz_model_run(model, &input, 1, &output, 1, &arena, &err), HZ_OK);
        assert_int_equal(output.shape[0], n);
        for (size_t k = 0; k < (size_t)n * 2; k++) {
            assert_true(((float *)output.data)[k] == (data[k] > 0 ? data[k] : 0));
        }
    }
    assert_int_equal(hz_model_close(model, NULL), HZ_OK);
    hz_arena_fini(&arena);
}

/* The shape comes as an input; it is known when the batch is. */
static void inputs_may_decide_about_shapes(void **state) {
    (void)state;
    hz_builder *builder = hz_builder_new("g", 8, 13, 0);
    hz_builder_input(builder, "x", HZ_ELEMENT_FLOAT, (int64_t[]){6}, 1);
    hz_builder_input(builder, "shape", HZ_ELEMENT_INT64, (int64_t[]){2}, 1);
    hz_builder_output(builder, "y", HZ_ELEMENT_FLOAT, (int64_t[]){HZ_DYNAMIC, HZ_DYNAMIC}, 2);
    hz_builder_node(builder, "", "Reshape", (const char *[]){"x", "shape"}, 2,
                    (const char *[]){"y"}, 1);
    hz_arena arena = {0};
    const void *bytes;
    size_t length;
    hz_error err;
    assert_int_equal(hz_builder_finish(builder, &arena, &bytes, &length, &err), HZ_OK);
    hz_builder_free(builder);
    hz_model *model = open_bytes(bytes, length);
    float x[6] = {1, 2, 3, 4, 5, 6};
    static const int64_t SHAPES[][2] = {{2, 3}, {3, 2}, {-1, 1}, {2, 3}, {6, 1}, {1, 6}, {3, 2}};
    for (size_t i = 0; i < sizeof SHAPES / sizeof *SHAPES; i++) {
        int64_t shape[2] = {SHAPES[i][0], SHAPES[i][1]};
        hz_tensor inputs[2] = {{HZ_ELEMENT_FLOAT, 1, {6}, x}, {HZ_ELEMENT_INT64, 1, {2}, shape}};
        hz_tensor output;
        assert_int_equal(hz_model_run(model, inputs, 2, &output, 1, &arena, &err), HZ_OK);
        assert_int_equal(output.shape[0], shape[0] < 0 ? 6 : shape[0]);
        assert_int_equal(output.shape[1], shape[1]);
        assert_memory_equal(output.data, x, sizeof x);
    }
    int64_t wrong[2] = {4, 2};
    hz_tensor inputs[2] = {{HZ_ELEMENT_FLOAT, 1, {6}, x}, {HZ_ELEMENT_INT64, 1, {2}, wrong}};
    hz_tensor output;
    assert_int_equal(hz_model_run(model, inputs, 2, &output, 1, &arena, &err), HZ_MODEL_RUN);
    assert_int_equal(hz_model_close(model, NULL), HZ_OK);
    hz_arena_fini(&arena);
}

/* ---- executors ------------------------------------------------------------------------------------ */

static void executors_are_found_by_name(void **state) {
    (void)state;
    const hz_executor *executor = NULL;
    hz_error err;
    assert_int_equal(hz_executor_find(NULL, &executor, &err), HZ_OK);
    assert_ptr_equal(executor, hz_executor_builtin());
    assert_int_equal(hz_executor_find("auto", &executor, &err), HZ_OK);
    assert_int_equal(hz_executor_find("builtin", &executor, &err), HZ_OK);
    assert_string_equal(executor->name, "builtin");
    assert_int_equal(hz_executor_find("abacus", &executor, &err), HZ_NO_EXECUTOR);
    assert_non_null(strstr(err.message, "no executor 'abacus'"));
}

/* An executor of a host: adds up rows, and counts what is open. */
typedef struct host_state {
    int open, closed;
    bool fail_open, fail_close;
    size_t columns; /* of the result */
} host_state;

static const hz_port HOST_INPUT = {"in", true, HZ_ELEMENT_FLOAT, true, 2, {HZ_DYNAMIC, 2}};
static const hz_port HOST_OUTPUT = {"out", true, HZ_ELEMENT_FLOAT, true, 2, {HZ_DYNAMIC, 1}};

static hz_status host_open(void *context, const void *bytes, size_t length,
                           const hz_graph_limits *limits, void **state, hz_error *err) {
    host_state *host = context;
    (void)bytes;
    (void)length;
    (void)limits;
    if (host->fail_open) {
        return hz_fail(err, HZ_GRAPH, HZ_NO_OFFSET, "the host does not like it");
    }
    host->open++;
    *state = host;
    return HZ_OK;
}

static size_t host_count(void *state) {
    (void)state;
    return 1;
}

static const hz_port *host_input(void *state, size_t index) {
    (void)state;
    return index == 0 ? &HOST_INPUT : NULL;
}

static const hz_port *host_output(void *state, size_t index) {
    (void)state;
    return index == 0 ? &HOST_OUTPUT : NULL;
}

static hz_status host_run(void *state, const hz_tensor *inputs, hz_tensor *outputs, hz_arena *arena,
                          hz_error *err) {
    const host_state *host = state;
    (void)err;
    size_t n = (size_t)inputs->shape[0];
    float *sums = hz_arena_alloc(arena, n * host->columns * sizeof *sums);
    for (size_t i = 0; i < n * host->columns; i++) {
        const float *row = (const float *)inputs->data + 2 * (i / host->columns);
        sums[i] = row[0] + row[1];
    }
    outputs[0] = (hz_tensor){HZ_ELEMENT_FLOAT, 2, {(int64_t)n, (int64_t)host->columns}, sums};
    return HZ_OK;
}

static hz_status host_close(void *state, hz_error *err) {
    host_state *host = state;
    host->closed++;
    return host->fail_close ? hz_fail(err, HZ_IO, HZ_NO_OFFSET, "closing failed") : HZ_OK;
}

static void an_executor_of_a_host_is_used_and_closed(void **state) {
    (void)state;
    host_state host = {.columns = 1};
    const hz_executor executor = {.name = "host",
                                  .context = &host,
                                  .open = host_open,
                                  .input_count = host_count,
                                  .output_count = host_count,
                                  .input = host_input,
                                  .output = host_output,
                                  .run = host_run,
                                  .close = host_close};
    hz_model_options options = {.executor = &executor};
    hz_model *model = NULL;
    hz_error err;
    host.fail_open = true;
    assert_int_equal(hz_model_open("", 0, &options, &model, &err), HZ_GRAPH);
    assert_string_equal(err.message, "cannot read the ONNX graph: the host does not like it");
    assert_null(model);
    assert_int_equal(host.open, 0);
    host.fail_open = false;
    assert_int_equal(hz_model_open("", 0, &options, &model, &err), HZ_OK);
    assert_ptr_equal(hz_model_executor(model), &executor);
    float rows[4] = {1, 2, 30, 40}, values[2];
    assert_int_equal(hz_model_rows(model, rows, 2, 2, values, &err), HZ_OK);
    assert_true(values[0] == 3 && values[1] == 70);
    assert_int_equal(hz_model_rows(model, rows, 1, 4, values, &err), HZ_MODEL_RUN);
    host.columns = 2;
    assert_int_equal(hz_model_rows(model, rows, 2, 2, values, &err), HZ_MODEL_RUN);
    assert_string_equal(err.message, "the result came back as FLOAT [2,2] instead of FLOAT [2,1]");
    host.fail_close = true;
    assert_int_equal(hz_model_close(model, &err), HZ_IO);
    assert_true(host.open == 1 && host.closed == 1);
    assert_int_equal(hz_model_close(NULL, &err), HZ_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_gives_the_same_bits_alone_and_in_a_batch),
        cmocka_unit_test(other_graphs_give_the_same_bits_too),
        cmocka_unit_test(a_value_model_that_gives_something_else_is_refused_when_it_is_opened),
        cmocka_unit_test(rows_of_another_width_are_refused),
        cmocka_unit_test(results_of_another_shape_are_refused),
        cmocka_unit_test(a_fixed_batch_takes_exactly_that),
        cmocka_unit_test(batches_that_do_not_fit_the_ports_are_refused),
        cmocka_unit_test(batches_of_many_shapes_are_prepared_when_they_come),
        cmocka_unit_test(inputs_may_decide_about_shapes),
        cmocka_unit_test(executors_are_found_by_name),
        cmocka_unit_test(an_executor_of_a_host_is_used_and_closed),
    };
    return cmocka_run_group_tests_name("model/rows", tests, NULL, NULL);
}
