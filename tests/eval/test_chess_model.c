/* SPDX-License-Identifier: MIT */
/*
 * Graphs that judge chess: the transformer against its golden logits and its twin, the encoders by
 * the inputs, what the file says about itself, and what goes wrong.
 */
#include <hazard/eval.h>

#include "eval/xattn.h"
#include "ref/ref_random.h"
#include "ref/ref_xattn.h"
#include "support/positions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PLANES = 448, FLAGS = 13, ROW = PLANES + FLAGS };

/* ---- helpers ------------------------------------------------------------------------------------- */

/* A file with these bytes, taken away by drop_file. */
static const char *make_file(const void *bytes, size_t length) {
    static char path[64];
    (void)snprintf(path, sizeof path, "/tmp/hazard-test-XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, length), (ssize_t)length);
    assert_int_equal(close(fd), 0);
    return path;
}

/* The weights every description of the transformer is tested with. */
static void golden_weights(float weights[REF_XATTN_NUMBERS]) {
    static const struct {
        int count, base, scale;
    } parts[] = {{104, 0, 8}, {8, 0, 1},  {64, 0, 8},  {8, 0, 1}, {64, 0, 1}, {8, 0, 1},
                 {64, 0, 1},  {8, 0, 1},  {8, 1, 1},   {8, 0, 1}, {8, 1, 1},  {8, 0, 1},
                 {256, 0, 1}, {32, 0, 1}, {256, 0, 1}, {8, 0, 1}};
    int k = 0;
    for (int block = 0; block < 4; block++) {
        for (size_t part = 0; part < sizeof parts / sizeof parts[0]; part++) {
            for (int i = 0; i < parts[part].count; i++, k++) {
                weights[k] = (float)(parts[part].base +
                                     parts[part].scale * ((7919 * k + 1237) % 2003 / 2003.0 - 0.5));
            }
        }
    }
    for (; k < REF_XATTN_NUMBERS; k++) {
        weights[k] = (float)((7919 * k + 1237) % 2003 / 2003.0 - 0.5);
    }
}

static void build(const hz_architecture *architecture, hz_arena *arena, const void **bytes,
                  size_t *length) {
    hz_error err;
    if (hz_architecture_build(architecture, arena, bytes, length, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
}

static hz_model *open_model(const void *bytes, size_t length, const hz_executor *executor) {
    hz_model *model = NULL;
    hz_error err;
    hz_model_options options = {.executor = executor};
    if (hz_model_open(bytes, length, &options, &model, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
    return model;
}

/* p_white of n rows of planes and flags. */
static void run_planes(hz_model *model, const float *rows, size_t n, float *values) {
    float *board = malloc(n * PLANES * sizeof *board), *meta = malloc(n * FLAGS * sizeof *meta);
    assert_non_null(board);
    assert_non_null(meta);
    for (size_t i = 0; i < n; i++) {
        memcpy(board + i * PLANES, rows + i * ROW, PLANES * sizeof *board);
        memcpy(meta + i * FLAGS, rows + i * ROW + PLANES, FLAGS * sizeof *meta);
    }
    hz_tensor inputs[] = {
        {.element = HZ_ELEMENT_FLOAT, .rank = 4, .shape = {(int64_t)n, 7, 8, 8}, .data = board},
        {.element = HZ_ELEMENT_FLOAT, .rank = 2, .shape = {(int64_t)n, FLAGS}, .data = meta}};
    hz_tensor output;
    hz_arena arena;
    hz_error err;
    hz_arena_init(&arena, 0);
    if (hz_model_run(model, inputs, 2, &output, 1, &arena, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
    assert_int_equal(hz_tensor_count(&output), n);
    memcpy(values, output.data, n * sizeof *values);
    hz_arena_fini(&arena);
    free(board);
    free(meta);
}

static void encode(const char *dfen, float row[ROW]) {
    hz_position p = test_position(dfen);
    hz_features_row(hz_schema_find("chess7x8x8-meta13-v1"), &p, HZ_WHITE, row);
}

static double logit(float p) {
    return log((double)p / (1.0 - (double)p));
}

/* The built-in executor and, when it is there, ONNX Runtime. */
static size_t executors(const hz_executor *found[2]) {
    found[0] = hz_executor_builtin();
    return 1 + (hz_executor_onnxruntime(&found[1], NULL, NULL, NULL) == HZ_OK);
}

/* ---- the transformer ----------------------------------------------------------------------------- */

static void golden_logits_come_out(void **state) {
    (void)state;
    static float weights[REF_XATTN_NUMBERS];
    golden_weights(weights);
    assert_true(fabsf(weights[0] - 0.940589116f) < 1e-7f);
    assert_true(fabsf(weights[1] - 0.569146281f) < 1e-7f);
    assert_true(fabsf(weights[REF_XATTN_NUMBERS - 1] + 0.118072891f) < 1e-7f);
    test_table table = test_table_load("eval_xattn.tsv", 2);
    hz_arena arena;
    const void *bytes;
    size_t length;
    hz_arena_init(&arena, 0);
    build(&(hz_architecture){.name = "xattn8-4-v1",
                             .weights = weights,
                             .weight_count = REF_XATTN_NUMBERS},
          &arena, &bytes, &length);
    const hz_executor *found[2];
    for (size_t e = 0, n = executors(found); e < n; e++) {
        hz_model *model = open_model(bytes, length, found[e]);
        for (size_t i = 0; i < table.count; i++) {
            float row[ROW], p;
            encode(table.rows[i].field[0], row);
            double expected = strtod(table.rows[i].field[1], NULL);
            run_planes(model, row, 1, &p);
            double twin = ref_xattn(weights, row, row + PLANES);
            if (fabs(logit(p) - expected) > 2e-5 || fabs(twin - expected) > 1e-6) {
                fail_msg("%s: %s has %.6f, the twin %.6f, expected %.6f", table.rows[i].field[0],
                         found[e]->name, logit(p), twin, expected);
            }
        }
        assert_int_equal(hz_model_close(model, NULL), HZ_OK);
    }
    hz_arena_fini(&arena);
    test_table_free(&table);
}

static void random_weights_agree_with_the_twin_alone_and_in_batches(void **state) {
    (void)state;
    enum { MOST = 218 };
    static float rows[MOST * ROW], alone[MOST], values[MOST];
    static const size_t batches[] = {2, 65, MOST};
    ref_random random = ref_random_from_seed(test_seed());
    hz_random numbers = hz_random_from_seed(test_seed());
    float weights[REF_XATTN_NUMBERS];
    for (size_t i = 0; i < REF_XATTN_NUMBERS; i++) {
        weights[i] = (float)hz_random_draw(&numbers, 2001) / 1000.0f - 1.0f;
    }
    for (size_t i = 0; i < MOST; i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_played(&random, REF_BEFORE_ROLL, dfen);
        encode(dfen, rows + i * ROW);
    }
    hz_arena arena;
    const void *bytes;
    size_t length;
    hz_arena_init(&arena, 0);
    build(&(hz_architecture){.name = "xattn8-4-v1",
                             .weights = weights,
                             .weight_count = REF_XATTN_NUMBERS},
          &arena, &bytes, &length);
    /* The routine for it. */
    static float taken[REF_XATTN_NUMBERS], boards[MOST * PLANES], metas[MOST * FLAGS];
    hz_graph *graph;
    assert_int_equal(hz_graph_read(bytes, length, NULL, &graph, NULL), HZ_OK);
    assert_true(hzi_xattn_load(graph, taken));
    assert_memory_equal(taken, weights, sizeof taken);
    hz_graph_free(graph);
    for (size_t i = 0; i < MOST; i++) {
        memcpy(boards + i * PLANES, rows + i * ROW, PLANES * sizeof *boards);
        memcpy(metas + i * FLAGS, rows + i * ROW + PLANES, FLAGS * sizeof *metas);
    }
    hzi_xattn_run(taken, boards, metas, MOST, values);
    for (size_t i = 0; i < MOST; i++) {
        double twin =
            1.0 / (1.0 + exp(-ref_xattn(weights, boards + i * PLANES, metas + i * FLAGS)));
        assert_true(fabs((double)values[i] - twin) <= 1e-5);
    }
    const hz_executor *found[2];
    for (size_t e = 0, n = executors(found); e < n; e++) {
        hz_model *model = open_model(bytes, length, found[e]);
        for (size_t i = 0; i < MOST; i++) {
            run_planes(model, rows + i * ROW, 1, &alone[i]);
            double twin =
                1.0 / (1.0 + exp(-ref_xattn(weights, rows + i * ROW, rows + i * ROW + PLANES)));
            if (fabs((double)alone[i] - twin) > 1e-5) {
                fail_msg("row %zu: %s has %.7f, the twin %.7f", i, found[e]->name, (double)alone[i],
                         twin);
            }
        }
        for (size_t b = 0; b < 3; b++) {
            run_planes(model, rows, batches[b], values);
            for (size_t i = 0; i < batches[b]; i++) {
                if (e == 0) {
                    assert_memory_equal(&values[i], &alone[i], sizeof values[i]);
                }
                assert_true(fabsf(values[i] - alone[i]) <= 1e-5f);
            }
        }
        assert_int_equal(hz_model_close(model, NULL), HZ_OK);
    }
    hz_arena_fini(&arena);
}

/* The bias of the keys shifts all matches of a block alike. */
static void the_bias_of_the_keys_changes_nothing(void **state) {
    (void)state;
    float weights[REF_XATTN_NUMBERS], row[ROW];
    golden_weights(weights);
    encode(HZ_START_DFEN, row);
    double before = ref_xattn(weights, row, row + PLANES);
    for (int block = 0; block < 4; block++) {
        for (int i = 0; i < 8; i++) {
            weights[912 * block + 112 + 64 + i] += 3.0f;
        }
    }
    assert_true(fabs(ref_xattn(weights, row, row + PLANES) - before) < 1e-9);
}

/* ---- architectures ------------------------------------------------------------------------------- */

static void architectures_have_as_many_numbers_as_they_should(void **state) {
    (void)state;
    static const struct {
        const char *name;
        size_t columns, count;
    } cases[] = {
        {"xattn8-4-v1", 0, 3969},
        {"mlp:", 7, 8},
        {"mlp:64,32", 31, 31 * 64 + 64 + 64 * 32 + 32 + 32 + 1},
        {"dual:32,32", 0, 770 * 32 + 32 + 64 * 32 + 32 + 32 + 1},
        {"dual:1", 0, 770 + 1 + 2 + 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t count;
        hz_architecture plan = {.name = cases[i].name, .columns = cases[i].columns, .seed = i};
        assert_int_equal(hz_architecture_count(&plan, &count, NULL), HZ_OK);
        assert_int_equal(count, cases[i].count);
        hz_arena arena;
        const void *bytes, *again;
        size_t length, length_again;
        hz_graph *graph;
        hz_arena_init(&arena, 0);
        build(&plan, &arena, &bytes, &length);
        build(&plan, &arena, &again, &length_again);
        assert_int_equal(length, length_again);
        assert_memory_equal(bytes, again, length);
        assert_int_equal(hz_graph_read(bytes, length, NULL, &graph, NULL), HZ_OK);
        char text[24];
        (void)snprintf(text, sizeof text, "%zu", count);
        assert_string_equal(hz_graph_metadata(graph, "params"), text);
        assert_string_equal(hz_graph_metadata(graph, "arch"), cases[i].name);
        assert_null(hz_graph_metadata(graph, "encoder"));
        assert_null(hz_graph_metadata(graph, "nothing"));
        hz_graph_free(graph);
        plan.seed++;
        build(&plan, &arena, &again, &length_again);
        assert_true(length != length_again || memcmp(bytes, again, length) != 0);
        hz_arena_fini(&arena);
    }
}

static void wrong_architectures_are_refused(void **state) {
    (void)state;
    static const char *const names[] = {"",
                                        "mlp",
                                        "xattn",
                                        "mlp:0",
                                        "mlp:-3",
                                        "mlp:64,",
                                        "mlp:,64",
                                        "mlp:64;32",
                                        "mlp:6x",
                                        "dual:",
                                        "dual:70000",
                                        "mlp:9999999999999999999999",
                                        "mlp:1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1",
                                        "mlp:65536,65536"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t count;
        hz_error err;
        hz_architecture plan = {.name = names[i], .columns = 31};
        if (hz_architecture_count(&plan, &count, &err) != HZ_INVALID_ARGUMENT) {
            fail_msg("'%s' is taken", names[i]);
        }
        assert_true(err.message[0] != '\0');
    }
    size_t count;
    assert_int_equal(hz_architecture_count(&(hz_architecture){.name = "mlp:4"}, &count, NULL),
                     HZ_INVALID_ARGUMENT);
    hz_arena arena;
    const void *bytes;
    size_t length;
    float numbers[9] = {0};
    hz_arena_init(&arena, 0);
    hz_architecture plan = {.name = "mlp:", .columns = 7, .weights = numbers, .weight_count = 9};
    assert_int_equal(hz_architecture_build(&plan, &arena, &bytes, &length, NULL),
                     HZ_INVALID_ARGUMENT);
    plan.weight_count = 8;
    numbers[7] = INFINITY;
    assert_int_equal(hz_architecture_build(&plan, &arena, &bytes, &length, NULL),
                     HZ_INVALID_ARGUMENT);
    hz_arena_fini(&arena);
}

/* Both views pass the same layer: exchanged halves exchange what comes out of it. */
static void the_dual_layer_reads_both_views_alike(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed() + 1);
    static float weights[770 * 4 + 4 + 8 + 1], rows[3][1540];
    for (size_t i = 0; i < sizeof weights / sizeof weights[0]; i++) {
        weights[i] = (float)hz_random_draw(&random, 2001) / 1000.0f - 1.0f;
    }
    for (int i = 0; i < 770; i++) {
        rows[0][i] = rows[1][i + 770] = (float)hz_random_draw(&random, 2);
        rows[0][i + 770] = rows[1][i] = (float)hz_random_draw(&random, 2);
    }
    const float *last = weights + 770 * 4 + 4;
    float expected[2];
    for (int row = 0; row < 2; row++) {
        expected[row] = last[8];
        for (int half = 0; half < 2; half++) {
            for (int o = 0; o < 4; o++) {
                float sum = weights[770 * 4 + o];
                for (int i = 0; i < 770; i++) {
                    sum += weights[770 * o + i] * rows[row][770 * half + i];
                }
                expected[row] += last[4 * half + o] * (sum > 0 ? sum : 0);
            }
        }
    }
    hz_arena arena;
    const void *bytes;
    size_t length;
    float values[2];
    hz_arena_init(&arena, 0);
    build(&(hz_architecture){.name = "dual:4",
                             .raw = true,
                             .weights = weights,
                             .weight_count = sizeof weights / sizeof weights[0]},
          &arena, &bytes, &length);
    hz_model *model = open_model(bytes, length, NULL);
    assert_int_equal(hz_model_rows(model, rows[0], 2, 1540, values, NULL), HZ_OK);
    for (int row = 0; row < 2; row++) {
        assert_true(fabsf(values[row] - expected[row]) < 1e-3f * (1.0f + fabsf(expected[row])));
    }
    assert_int_equal(hz_model_close(model, NULL), HZ_OK);
    hz_arena_fini(&arena);
}

/* ---- evaluators ---------------------------------------------------------------------------------- */

/* Centipawns as a linear network on the dual view: own minus enemy pieces of the first half. */
static size_t material_network(hz_arena *arena, const void **bytes, float first_weight) {
    static const float worth[] = {1, 3, 3, 5, 9, 0};
    float weights[1541] = {0};
    size_t length;
    for (int i = 0; i < 384; i++) {
        weights[i] = worth[i / 64];
        weights[384 + i] = -worth[i / 64];
    }
    weights[0] = first_weight;
    build(&(hz_architecture){.name = "mlp:",
                             .columns = 1540,
                             .encoder = "dual-view-1540-v1",
                             .raw = true,
                             .weights = weights,
                             .weight_count = 1541},
          arena, bytes, &length);
    return length;
}

static void a_dual_view_graph_counts_pawns_for_the_side_to_move(void **state) {
    (void)state;
    hz_arena arena;
    const void *bytes;
    hz_arena_init(&arena, 0);
    size_t length = material_network(&arena, &bytes, 1);
    const char *path = make_file(bytes, length);
    hz_evaluator evaluator;
    assert_int_equal(hz_evaluator_chess_model(path, NULL, &evaluator, NULL), HZ_OK);
    ref_random random = ref_random_from_seed(test_seed() + 2);
    enum { N = 100 };
    hz_position positions[N];
    int32_t scores[N];
    for (int i = 0; i < N; i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_played(&random, REF_BEFORE_ROLL, dfen);
        positions[i] = test_position(dfen);
    }
    for (int color = 0; color < 2; color++) {
        assert_int_equal(hz_evaluator_score(&evaluator, positions, N, (hz_color)color, scores),
                         HZ_OK);
        for (int i = 0; i < N; i++) {
            assert_int_equal(scores[i], hz_evaluate_material(&positions[i], (hz_color)color));
        }
    }
    hz_evaluator_close(&evaluator);
    assert_int_equal(unlink(path), 0);
    hz_arena_fini(&arena);
}

static void a_planes_graph_says_whites_chance(void **state) {
    (void)state;
    static float weights[REF_XATTN_NUMBERS];
    golden_weights(weights);
    hz_arena arena;
    const void *bytes;
    size_t length;
    hz_arena_init(&arena, 0);
    build(&(hz_architecture){.name = "xattn8-4-v1",
                             .encoder = "chess7x8x8-meta13-v1",
                             .label = "white_win",
                             .weights = weights,
                             .weight_count = REF_XATTN_NUMBERS},
          &arena, &bytes, &length);
    const char *path = make_file(bytes, length);
    hz_evaluator evaluator;
    hz_error err;
    if (hz_evaluator_chess_model(path, NULL, &evaluator, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
    hz_evaluator by_graph;
    hz_model_options options = {.executor = hz_executor_builtin()};
    assert_int_equal(hz_evaluator_chess_model(path, &options, &by_graph, NULL), HZ_OK);
    hz_position positions[2] = {test_position(HZ_START_DFEN),
                                test_position("4k3/8/8/8/8/8/8/4K3 b - - 0 1")};
    int32_t white[2], black[2];
    assert_int_equal(hz_evaluator_score(&by_graph, positions, 2, HZ_WHITE, white), HZ_OK);
    assert_int_equal(white[0], -285);
    assert_int_equal(white[1], -279);
    hz_evaluator_close(&by_graph);
    assert_int_equal(hz_evaluator_score(&evaluator, positions, 2, HZ_WHITE, white), HZ_OK);
    assert_int_equal(hz_evaluator_score(&evaluator, positions, 2, HZ_BLACK, black), HZ_OK);
    /* 400 times the logit. */
    assert_int_equal(white[0], -285);
    assert_int_equal(white[1], -279);
    assert_int_equal(black[0], 285);
    assert_int_equal(black[1], 279);
    hz_evaluator_close(&evaluator);
    assert_int_equal(unlink(path), 0);
    hz_arena_fini(&arena);
}

/* A graph for one row at a time, "board" [1,1540] -> "score" [1,1]: the sum of the row. */
static void a_graph_for_single_rows_is_asked_row_by_row(void **state) {
    (void)state;
    hz_builder *builder = hz_builder_new("single", 7, 11, 0);
    int64_t row[] = {1, 1540}, value[] = {1, 1}, axes[] = {1};
    const char *inputs[] = {"board"}, *outputs[] = {"score"};
    hz_builder_input(builder, "board", HZ_ELEMENT_FLOAT, row, 2);
    hz_builder_output(builder, "score", HZ_ELEMENT_FLOAT, value, 2);
    hz_builder_node(builder, "", "ReduceSum", inputs, 1, outputs, 1);
    hz_builder_ints(builder, "axes", axes, 1);
    hz_arena arena;
    const void *bytes;
    size_t length;
    hz_arena_init(&arena, 0);
    assert_int_equal(hz_builder_finish(builder, &arena, &bytes, &length, NULL), HZ_OK);
    hz_builder_free(builder);
    const char *path = make_file(bytes, length);
    hz_evaluator evaluator;
    assert_int_equal(hz_evaluator_chess_model(path, NULL, &evaluator, NULL), HZ_OK);
    hz_position positions[3] = {test_position(HZ_START_DFEN),
                                test_position("4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
                                test_position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")};
    int32_t scores[3];
    assert_int_equal(hz_evaluator_score(&evaluator, positions, 3, HZ_WHITE, scores), HZ_OK);
    assert_int_equal(scores[0], 6800);
    assert_int_equal(scores[1], 400);
    assert_int_equal(scores[2], 600);
    hz_evaluator_close(&evaluator);
    assert_int_equal(unlink(path), 0);
    hz_arena_fini(&arena);
}

static void values_beyond_numbers_fail_the_batch(void **state) {
    (void)state;
    hz_arena arena;
    const void *bytes;
    hz_arena_init(&arena, 0);
    float huge = 3e38f;
    size_t length = material_network(&arena, &bytes, huge);
    const char *path = make_file(bytes, length);
    hz_evaluator evaluator;
    assert_int_equal(hz_evaluator_chess_model(path, NULL, &evaluator, NULL), HZ_OK);
    hz_position p = test_position("4k3/8/8/8/8/8/8/P3K3 w - - 0 1");
    int32_t score;
    /* Large, but a number: cut to the range of evaluations. */
    assert_int_equal(hz_evaluator_score(&evaluator, &p, 1, HZ_WHITE, &score), HZ_OK);
    assert_int_equal(score, 90000);
    hz_evaluator_close(&evaluator);
    assert_int_equal(unlink(path), 0);
    /* The logarithm of nothing. */
    hz_builder *builder = hz_builder_new("endless", 7, 11, 0);
    int64_t row[] = {HZ_DYNAMIC, 1540}, value[] = {HZ_DYNAMIC, 1}, axes[] = {1};
    const char *inputs[] = {"board"}, *outputs[] = {"least"}, *logs[] = {"score"};
    hz_builder_input(builder, "board", HZ_ELEMENT_FLOAT, row, 2);
    hz_builder_output(builder, "score", HZ_ELEMENT_FLOAT, value, 2);
    hz_builder_node(builder, "", "ReduceMin", inputs, 1, outputs, 1);
    hz_builder_ints(builder, "axes", axes, 1);
    hz_builder_node(builder, "", "Log", outputs, 1, logs, 1);
    assert_int_equal(hz_builder_finish(builder, &arena, &bytes, &length, NULL), HZ_OK);
    hz_builder_free(builder);
    path = make_file(bytes, length);
    assert_int_equal(hz_evaluator_chess_model(path, NULL, &evaluator, NULL), HZ_OK);
    assert_int_equal(hz_evaluator_score(&evaluator, &p, 1, HZ_WHITE, &score), HZ_MODEL_RUN);
    hz_evaluator_close(&evaluator);
    assert_int_equal(unlink(path), 0);
    hz_arena_fini(&arena);
}

/* The sum of the row, in the unit of the metadata; NULL = none. */
static size_t summing_graph(const char *unit, hz_arena *arena, const void **bytes) {
    hz_builder *builder = hz_builder_new("sum", 7, 11, 0);
    int64_t row[] = {HZ_DYNAMIC, 1540}, value[] = {HZ_DYNAMIC, 1}, axes[] = {1};
    const char *inputs[] = {"board"}, *outputs[] = {"score"};
    size_t length = 0;
    if (unit) {
        hz_builder_metadata(builder, "unit", unit);
    }
    hz_builder_input(builder, "board", HZ_ELEMENT_FLOAT, row, 2);
    hz_builder_output(builder, "score", HZ_ELEMENT_FLOAT, value, 2);
    hz_builder_node(builder, "", "ReduceSum", inputs, 1, outputs, 1);
    hz_builder_ints(builder, "axes", axes, 1);
    assert_int_equal(hz_builder_finish(builder, arena, bytes, &length, NULL), HZ_OK);
    hz_builder_free(builder);
    return length;
}

static void the_unit_of_a_score_is_the_files_or_the_callers(void **state) {
    (void)state;
    static const struct {
        const char *unit;
        int32_t centipawns;
    } cases[] = {{NULL, 100}, {"pawn", 100}, {"centipawn", 1}};
    hz_arena arena;
    hz_arena_init(&arena, 0);
    hz_position start = test_position(HZ_START_DFEN);
    int32_t ones = 0;
    for (size_t i = 0; i < 3; i++) {
        const void *bytes;
        size_t length = summing_graph(cases[i].unit, &arena, &bytes);
        const char *path = make_file(bytes, length);
        hz_evaluator evaluator;
        int32_t score;
        assert_int_equal(hz_evaluator_chess_model(path, NULL, &evaluator, NULL), HZ_OK);
        assert_int_equal(hz_evaluator_score(&evaluator, &start, 1, HZ_WHITE, &score), HZ_OK);
        ones = i ? ones : score / 100;
        assert_true(ones > 0);
        assert_int_equal(score, ones * cases[i].centipawns);
        static const double wrong[] = {0.0, -1.0, 100001.0, (double)NAN};
        for (size_t k = 0; k < 4; k++) {
            assert_int_equal(hz_evaluator_chess_unit(&evaluator, wrong[k], NULL),
                             HZ_INVALID_ARGUMENT);
        }
        assert_int_equal(hz_evaluator_chess_unit(&evaluator, 2.0, NULL), HZ_OK);
        assert_int_equal(hz_evaluator_score(&evaluator, &start, 1, HZ_BLACK, &score), HZ_OK);
        assert_int_equal(score, -2 * ones);
        hz_evaluator_close(&evaluator);
        assert_int_equal(unlink(path), 0);
    }
    hz_arena_fini(&arena);
    hz_evaluator built_in;
    assert_int_equal(hz_evaluator_static("material", &built_in, NULL), HZ_OK);
    assert_int_equal(hz_evaluator_chess_unit(&built_in, 1.0, NULL), HZ_INVALID_ARGUMENT);
}

static void refused(const void *bytes, size_t length, hz_status status, const char *what,
                    const char *and) {
    const char *path = make_file(bytes, length);
    hz_evaluator evaluator = {.name = "untouched"};
    hz_error err;
    assert_int_equal(hz_evaluator_chess_model(path, NULL, &evaluator, &err), status);
    assert_string_equal(evaluator.name, "untouched");
    if (!strstr(err.message, what) || !strstr(err.message, and)) {
        fail_msg("'%s' does not speak of '%s' and '%s'", err.message, what, and);
    }
    assert_int_equal(unlink(path), 0);
}

static void files_that_do_not_fit_are_refused_with_both_names(void **state) {
    (void)state;
    hz_arena arena;
    const void *bytes;
    size_t length;
    hz_arena_init(&arena, 0);
    refused("no model", 8, HZ_GRAPH, "cannot read the ONNX graph", "");
    build(&(hz_architecture){.name = "mlp:4", .columns = 31}, &arena, &bytes, &length);
    refused(bytes, length, HZ_GRAPH_CONTRACT, "[batch,1540]", "[batch,7,8,8]");
    build(&(hz_architecture){.name = "dual:4", .encoder = "kcp-13"}, &arena, &bytes, &length);
    refused(bytes, length, HZ_GRAPH_CONTRACT, "kcp-13", "dual-view-1540-v1");
    build(&(hz_architecture){.name = "xattn8-4-v1", .encoder = "chess7x8x8-v9"}, &arena, &bytes,
          &length);
    refused(bytes, length, HZ_GRAPH_CONTRACT, "chess7x8x8-v9", "chess7x8x8-meta13-v1");
    build(&(hz_architecture){.name = "xattn8-4-v1", .label = "black_win"}, &arena, &bytes, &length);
    refused(bytes, length, HZ_GRAPH_CONTRACT, "black_win", "white_win");
    length = summing_graph("furlong", &arena, &bytes);
    refused(bytes, length, HZ_GRAPH_CONTRACT, "furlong", "centipawn");
    /* Another graph that calls itself the transformer. */
    hz_builder *builder = hz_builder_new("impostor", 7, 13, 0);
    int64_t board[] = {HZ_DYNAMIC, 7, 8, 8}, meta[] = {HZ_DYNAMIC, 13}, value[] = {HZ_DYNAMIC, 1};
    int64_t axes[] = {1};
    const char *inputs[] = {"meta"}, *outputs[] = {"p_white"};
    hz_builder_metadata(builder, "arch", "xattn8-4-v1");
    hz_builder_input(builder, "board", HZ_ELEMENT_FLOAT, board, 4);
    hz_builder_input(builder, "meta", HZ_ELEMENT_FLOAT, meta, 2);
    hz_builder_output(builder, "p_white", HZ_ELEMENT_FLOAT, value, 2);
    hz_builder_node(builder, "", "ReduceMean", inputs, 1, outputs, 1);
    hz_builder_ints(builder, "axes", axes, 1);
    assert_int_equal(hz_builder_finish(builder, &arena, &bytes, &length, NULL), HZ_OK);
    hz_builder_free(builder);
    refused(bytes, length, HZ_GRAPH_CONTRACT, "3969", "0");
    hz_arena_fini(&arena);
    hz_evaluator evaluator;
    assert_int_equal(hz_evaluator_chess_model("/nowhere/at/all.onnx", NULL, &evaluator, NULL),
                     HZ_MODEL_FILE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_logits_come_out),
        cmocka_unit_test(random_weights_agree_with_the_twin_alone_and_in_batches),
        cmocka_unit_test(the_bias_of_the_keys_changes_nothing),
        cmocka_unit_test(architectures_have_as_many_numbers_as_they_should),
        cmocka_unit_test(wrong_architectures_are_refused),
        cmocka_unit_test(the_dual_layer_reads_both_views_alike),
        cmocka_unit_test(a_dual_view_graph_counts_pawns_for_the_side_to_move),
        cmocka_unit_test(a_planes_graph_says_whites_chance),
        cmocka_unit_test(a_graph_for_single_rows_is_asked_row_by_row),
        cmocka_unit_test(the_unit_of_a_score_is_the_files_or_the_callers),
        cmocka_unit_test(values_beyond_numbers_fail_the_batch),
        cmocka_unit_test(files_that_do_not_fit_are_refused_with_both_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
