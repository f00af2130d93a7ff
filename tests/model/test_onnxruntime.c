/* SPDX-License-Identifier: MIT */
/*
 * ONNX Runtime as executor, and the built-in one against it on random graphs and random rows. Where
 * no runtime is found (`make onnxruntime` fetches it) all but the first test are left out, and the
 * output says so.
 */
#include "model/ensemble.h"
#include "model/fixture_tree.h"
#include "model/graphs.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_WIDTH = 48, MOST_ROWS = 33 };

static const hz_executor *find_runtime(void) {
    const hz_executor *executor = NULL;
    hz_error err;
    if (hz_executor_onnxruntime(&executor, NULL, NULL, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
    return executor;
}

/* The leak sanitizer asks this by name. The runtime keeps a few bytes as long as the process. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libonnxruntime\n";
}

/* ---- graphs put together piece by piece ------------------------------------------------------ */

/* A builder with the name and width of the value [batch,width] that was made last. */
typedef struct net {
    hz_builder *b;
    hz_random *random;
    hz_arena arena; /* names */
    int names, opset;
    const char *at;
    int64_t width;
} net;

static const char *fresh(net *n) {
    char *name = hz_arena_alloc(&n->arena, 16);
    assert_non_null(name);
    (void)snprintf(name, 16, "v%d", n->names++);
    return name;
}

static uint32_t draw(net *n, uint32_t k) {
    return hz_random_draw(n->random, k);
}

static float uniform(net *n, float low, float high) {
    return low + (high - low) * (float)draw(n, 1 << 24) / (float)(1 << 24);
}

static const char *constant(net *n, const int64_t *shape, uint32_t rank, float low, float high) {
    hz_tensor tensor = {.element = HZ_ELEMENT_FLOAT, .rank = rank};
    for (uint32_t i = 0; i < rank; i++) {
        tensor.shape[i] = shape[i];
    }
    size_t count = hz_tensor_count(&tensor);
    float *values = hz_arena_alloc(&n->arena, count * sizeof *values);
    assert_non_null(values);
    for (size_t i = 0; i < count; i++) {
        values[i] = uniform(n, low, high);
    }
    tensor.data = values;
    const char *name = fresh(n);
    hz_builder_initializer(n->b, name, &tensor);
    return name;
}

static const char *constant_ints(net *n, const int64_t *numbers, size_t count) {
    union {
        const int64_t *read;
        void *data;
    } memory = {numbers};
    const hz_tensor tensor = {HZ_ELEMENT_INT64, 1, {(int64_t)count}, memory.data};
    const char *name = fresh(n);
    hz_builder_initializer(n->b, name, &tensor);
    return name;
}

/* A node over the given inputs (NULL ends them) with one output, which it returns. */
static const char *node(net *n, const char *type, const char *a, const char *b, const char *c) {
    const char *inputs[] = {a, b, c}, *output = fresh(n);
    size_t count = !b ? 1 : !c ? 2 : 3;
    hz_builder_node(n->b, "", type, inputs, count, &output, 1);
    return output;
}

static void begin(net *n, hz_random *random, int opset, int ml, int64_t width) {
    static const int64_t out[] = {HZ_DYNAMIC, 1};
    const int64_t in[] = {HZ_DYNAMIC, width};
    *n = (net){.b = hz_builder_new("net", 8, opset, ml),
               .random = random,
               .opset = opset,
               .at = "x",
               .width = width};
    hz_builder_input(n->b, "x", HZ_ELEMENT_FLOAT, in, 2);
    hz_builder_output(n->b, "y", HZ_ELEMENT_FLOAT, out, 2);
}

/* ---- layers ---------------------------------------------------------------------------------- */

static void dense(net *n, int64_t width) {
    float reach = 1.5F / sqrtf((float)n->width);
    const int64_t wide[] = {n->width, width}, tall[] = {width, n->width}, list[] = {width};
    switch (draw(n, 3)) {
    case 0:
        n->at = node(n, "MatMul", n->at, constant(n, wide, 2, -reach, reach), NULL);
        break;
    case 1:
        n->at = node(n, "Add", node(n, "MatMul", n->at, constant(n, wide, 2, -reach, reach), NULL),
                     constant(n, list, 1, -1, 1), NULL);
        break;
    default: {
        bool turned = draw(n, 2);
        const char *weights = constant(n, turned ? tall : wide, 2, -reach, reach);
        n->at = node(n, "Gemm", n->at, weights, constant(n, list, 1, -1, 1));
        hz_builder_int(n->b, "transB", turned);
        if (draw(n, 2)) {
            hz_builder_float(n->b, "alpha", 0.75F);
            hz_builder_float(n->b, "beta", 1.25F);
        }
    }
    }
    n->width = width;
}

static void activation(net *n) {
    static const char *const plain[] = {"Relu",     "Sigmoid", "Tanh", "LeakyRelu",   "Elu",
                                        "Softplus", "Erf",     "Abs",  "HardSigmoid", "Softsign",
                                        "Neg",      "Selu",    "Clip", "Identity"};
    uint32_t which = draw(n, n->opset >= 20 ? 15 : 14);
    if (which == 14) {
        n->at = node(n, "Gelu", n->at, NULL, NULL);
    } else if (which == 12) {
        const char *low = constant(n, NULL, 0, -1, -0.5F), *high = constant(n, NULL, 0, 0.5F, 2);
        n->at = node(n, "Clip", n->at, low, high);
    } else {
        n->at = node(n, plain[which], n->at, NULL, NULL);
        if (which == 3 || which == 4) {
            hz_builder_float(n->b, "alpha", 0.3F);
        }
    }
}

static void batch_norm(net *n) {
    const int64_t list[] = {n->width};
    const char *inputs[] = {n->at, constant(n, list, 1, 0.5F, 1.5F), constant(n, list, 1, -1, 1),
                            constant(n, list, 1, -1, 1), constant(n, list, 1, 0.2F, 2)};
    n->at = fresh(n);
    hz_builder_node(n->b, "", "BatchNormalization", inputs, 5, &n->at, 1);
}

static void layer_norm(net *n) {
    const int64_t list[] = {n->width};
    n->at = node(n, "LayerNormalization", n->at, constant(n, list, 1, 0.5F, 1.5F),
                 constant(n, list, 1, -1, 1));
    /* Rows that hardly vary would have their rounding errors blown up by 1 / sqrt(epsilon). */
    hz_builder_float(n->b, "epsilon", 0.05F);
}

/* Two branches, added or side by side; or the halves of a row, changed round. */
static void branches(net *n) {
    const char *from = n->at;
    int64_t width = n->width;
    uint32_t kind = draw(n, 3);
    if (kind == 0) { /* residual */
        dense(n, width);
        activation(n);
        n->at = node(n, "Add", n->at, from, NULL);
    } else if (kind == 1) {
        dense(n, 1 + draw(n, 12));
        const char *first = n->at;
        int64_t first_width = n->width;
        n->at = from;
        n->width = width;
        dense(n, 1 + draw(n, 12));
        activation(n);
        n->at = node(n, "Concat", first, n->at, NULL);
        hz_builder_int(n->b, "axis", draw(n, 2) ? 1 : -1);
        n->width += first_width;
    } else if (width > 1) {
        const int64_t sizes[] = {width / 2, width - width / 2};
        const char *inputs[] = {from, constant_ints(n, sizes, 2)};
        const char *outputs[] = {fresh(n), fresh(n)};
        hz_builder_node(n->b, "", "Split", inputs, 2, outputs, 2);
        hz_builder_int(n->b, "axis", 1);
        n->at = outputs[1];
        n->width = sizes[1];
        activation(n);
        n->at = node(n, "Concat", n->at, outputs[0], NULL);
        hz_builder_int(n->b, "axis", 1);
        n->width = width;
    }
}

/* Columns picked out, compared, and chosen among. */
static void logic(net *n) {
    int64_t columns[8];
    int64_t count = 1 + draw(n, 8);
    for (int64_t i = 0; i < count; i++) {
        columns[i] = draw(n, (uint32_t)n->width);
    }
    const int64_t list[] = {count};
    const char *first = node(n, "Gather", n->at, constant_ints(n, columns, (size_t)count), NULL);
    hz_builder_int(n->b, "axis", 1);
    for (int64_t i = 0; i < count; i++) {
        columns[i] = draw(n, (uint32_t)n->width);
    }
    const char *second = node(n, "Gather", n->at, constant_ints(n, columns, (size_t)count), NULL);
    hz_builder_int(n->b, "axis", 1);
    const char *test = node(n, draw(n, 2) ? "Greater" : "Less", first, second, NULL);
    const char *other = node(n, "Less", first, constant(n, list, 1, -1, 1), NULL);
    test = draw(n, 2) ? node(n, draw(n, 2) ? "And" : "Or", test, other, NULL)
                      : node(n, "Not", test, NULL, NULL);
    const char *product = node(n, "Mul", first, second, NULL);
    n->at =
        node(n, "Where", test, product, node(n, draw(n, 2) ? "Max" : "Min", first, second, NULL));
    n->width = count;
}

enum { SIDE = 5 };

/* A pool of 2x2 or 3x3 over planes; returns the side of the result. */
static int64_t pool(net *n, int64_t side) {
    bool largest = draw(n, 2), ceil_mode = draw(n, 2), padded = draw(n, 2);
    int64_t kernel = 2 + draw(n, 2), stride = 1 + draw(n, 3);
    const int64_t kernels[] = {kernel, kernel}, strides[] = {stride, stride}, pads[] = {1, 0, 1, 0};
    int64_t tall = side + (padded ? 2 : 0) - kernel, wide = side - kernel;
    if (wide < 0) {
        return 0;
    }
    int64_t rows = tall / stride + 1, columns = wide / stride + 1;
    if (ceil_mode) { /* one more when something is left */
        rows += tall % stride != 0;
        columns += wide % stride != 0;
        /* A window that begins behind the input is dropped by the runtime, but not by the shapes it
         * expects: that cannot be compared here. */
        if ((rows - 1) * stride >= side + (padded ? 1 : 0) || (columns - 1) * stride >= side) {
            return 0;
        }
    }
    n->at = node(n, largest ? "MaxPool" : "AveragePool", n->at, NULL, NULL);
    hz_builder_ints(n->b, "kernel_shape", kernels, 2);
    hz_builder_ints(n->b, "strides", strides, 2);
    hz_builder_int(n->b, "ceil_mode", ceil_mode);
    if (padded) {
        hz_builder_ints(n->b, "pads", pads, 4);
    }
    if (!largest) {
        hz_builder_int(n->b, "count_include_pad", draw(n, 2));
    }
    return rows * columns;
}

/* Rows as boards of 5x5 with a few channels: convolutions and pools. */
static void planes(net *n) {
    int64_t channels = 1 + draw(n, 3), filters = 1 + draw(n, 6), kernel = 1 + draw(n, 3);
    int64_t stride = 1 + draw(n, 2), dilation = 1 + draw(n, 2), group = draw(n, 2) ? channels : 1;
    const int64_t boards[] = {-1, channels, SIDE, SIDE}, pads[] = {1, 1, 1, 1};
    const int64_t strides[] = {stride, stride}, dilations[] = {dilation, dilation};
    filters *= group;
    const int64_t weights[] = {filters, channels / group, kernel, kernel}, list[] = {filters};
    dense(n, channels * SIDE * SIDE);
    n->at = node(n, "Reshape", n->at, constant_ints(n, boards, 4), NULL);
    int64_t seen = channels / group * kernel * kernel;
    float reach = 1 / sqrtf((float)seen);
    const char *filter = constant(n, weights, 4, -reach, reach);
    n->at = node(n, "Conv", n->at, filter, draw(n, 2) ? constant(n, list, 1, -1, 1) : NULL);
    hz_builder_ints(n->b, "strides", strides, 2);
    hz_builder_ints(n->b, "dilations", dilations, 2);
    hz_builder_int(n->b, "group", group);
    bool same = dilation == 1 && draw(n, 2), padded = !same && draw(n, 2);
    if (same) {
        hz_builder_string(n->b, "auto_pad", draw(n, 2) ? "SAME_UPPER" : "SAME_LOWER");
    } else if (padded) {
        hz_builder_ints(n->b, "pads", pads, 4);
    }
    int64_t reached = (kernel - 1) * dilation + 1;
    int64_t side =
        same ? (SIDE + stride - 1) / stride : (SIDE + (padded ? 2 : 0) - reached) / stride + 1;
    n->width = filters;
    if (draw(n, 2)) {
        batch_norm(n);
    }
    activation(n);
    int64_t places = side * side;
    if (draw(n, 4) == 0) {
        n->at = node(n, draw(n, 2) ? "GlobalAveragePool" : "GlobalMaxPool", n->at, NULL, NULL);
        places = 1;
    } else if (draw(n, 3)) {
        int64_t pooled = pool(n, side);
        places = pooled ? pooled : places;
    }
    n->at = node(n, "Flatten", n->at, NULL, NULL);
    n->width = filters * places;
}

/* The small operators of ai.onnx.ml. */
static void scaled_and_regressed(net *n) {
    float offset[MOST_WIDTH], scale[MOST_WIDTH], factors[MOST_WIDTH * 5];
    int64_t targets = 1 + draw(n, 5);
    for (int64_t i = 0; i < n->width; i++) {
        offset[i] = uniform(n, -1, 1);
        scale[i] = uniform(n, -0.5F, 0.5F);
    }
    for (int64_t i = 0; i < n->width * targets; i++) {
        factors[i] = uniform(n, -0.5F, 0.5F);
    }
    const char *output = fresh(n);
    hz_builder_node(n->b, "ai.onnx.ml", "Scaler", &n->at, 1, &output, 1);
    size_t scales = draw(n, 2) ? 1 : (size_t)n->width;
    hz_builder_floats(n->b, "offset", offset, scales);
    hz_builder_floats(n->b, "scale", scale, scales);
    n->at = output;
    if (draw(n, 4) == 0) {
        output = fresh(n);
        hz_builder_node(n->b, "ai.onnx.ml", "Binarizer", &n->at, 1, &output, 1);
        hz_builder_float(n->b, "threshold", 0.0625F);
        n->at = output;
    }
    output = fresh(n);
    hz_builder_node(n->b, "ai.onnx.ml", "LinearRegressor", &n->at, 1, &output, 1);
    hz_builder_floats(n->b, "coefficients", factors, (size_t)(n->width * targets));
    if (draw(n, 2)) {
        float intercepts[5];
        for (int64_t i = 0; i < targets; i++) {
            intercepts[i] = uniform(n, -1, 1);
        }
        hz_builder_floats(n->b, "intercepts", intercepts, (size_t)targets);
    }
    hz_builder_int(n->b, "targets", targets);
    n->at = output;
    n->width = targets;
}

/* ---- comparing ------------------------------------------------------------------------------- */

static hz_model *open_with(const hz_executor *executor, const void *bytes, size_t length) {
    const hz_model_options options = {.executor = executor};
    hz_model *model = NULL;
    hz_error err;
    if (hz_model_open(bytes, length, &options, &model, &err) != HZ_OK) {
        fail_msg("%s: %s", executor->name, err.message);
    }
    return model;
}

/* Rows through both executors; values may differ by `tolerance`. */
static void compare(const hz_executor *runtime, const void *bytes, size_t length, int64_t width,
                    hz_random *random, double tolerance) {
    static float rows[MOST_ROWS * MOST_WIDTH], ours[MOST_ROWS], theirs[MOST_ROWS];
    size_t n = 1 + hz_random_draw(random, MOST_ROWS), columns = (size_t)width;
    for (size_t i = 0; i < n * columns; i++) {
        rows[i] = ensemble_number(random, false) / 2;
    }
    hz_model *here = open_with(hz_executor_builtin(), bytes, length);
    hz_model *there = open_with(runtime, bytes, length);
    hz_error err;
    if (hz_model_rows(here, rows, n, columns, ours, &err) != HZ_OK ||
        hz_model_rows(there, rows, n, columns, theirs, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
    for (size_t i = 0; i < n; i++) {
        if (!(fabs((double)ours[i] - (double)theirs[i]) <= tolerance)) {
            fail_msg("row %zu of %zu: %.9g built-in, %.9g by ONNX Runtime", i, n, (double)ours[i],
                     (double)theirs[i]);
        }
    }
    float alone;
    size_t row = hz_random_draw(random, (uint32_t)n);
    assert_int_equal(hz_model_rows(here, rows + row * columns, 1, columns, &alone, NULL), HZ_OK);
    assert_memory_equal(&alone, &ours[row], sizeof alone);
    assert_int_equal(hz_model_close(here, NULL), HZ_OK);
    assert_int_equal(hz_model_close(there, NULL), HZ_OK);
}

/* Ends a net with one probability and compares. */
static void finish(net *n, const hz_executor *runtime, int64_t width) {
    static const char *const y = "y";
    dense(n, 1);
    hz_builder_node(n->b, "", "Sigmoid", &n->at, 1, &y, 1);
    hz_arena arena = {0};
    const void *bytes = NULL;
    size_t length = 0;
    hz_error err;
    if (hz_builder_finish(n->b, &arena, &bytes, &length, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
    compare(runtime, bytes, length, width, n->random, 1e-6);
    hz_builder_free(n->b);
    hz_arena_fini(&n->arena);
    hz_arena_fini(&arena);
}

static void random_nets(uint64_t salt, size_t rounds, void (*layer)(net *n)) {
    const hz_executor *runtime = find_runtime();
    hz_random random = hz_random_from_seed(test_seed() + salt);
    static const int opsets[] = {13, 17, 20, 21};
    for (size_t round = 0; round < test_effort(rounds); round++) {
        net n;
        int64_t width = 1 + hz_random_draw(&random, MOST_WIDTH);
        begin(&n, &random, opsets[hz_random_draw(&random, 4)], 1, width);
        layer(&n);
        finish(&n, runtime, width);
    }
}

static void some_layers(net *n) {
    uint32_t layers = draw(n, 5);
    for (uint32_t i = 0; i < layers; i++) {
        dense(n, 1 + draw(n, 64));
        activation(n);
    }
}

static void normalized_layers(net *n) {
    for (uint32_t i = 0; i <= draw(n, 3); i++) {
        dense(n, 2 + draw(n, 30));
        if (n->opset >= 17 && draw(n, 2)) {
            layer_norm(n);
        } else {
            batch_norm(n);
        }
        activation(n);
    }
}

static void branching_layers(net *n) {
    for (uint32_t i = 0; i <= draw(n, 3); i++) {
        branches(n);
    }
}

static void logic_layers(net *n) {
    for (uint32_t i = 0; i <= draw(n, 2); i++) {
        logic(n);
    }
}

static void layers_of_every_activation(void **state) {
    (void)state;
    random_nets(1, 120, some_layers);
}

static void layers_with_normalization(void **state) {
    (void)state;
    random_nets(2, 60, normalized_layers);
}

static void residual_and_split_layers(void **state) {
    (void)state;
    random_nets(3, 60, branching_layers);
}

static void gathered_and_chosen_columns(void **state) {
    (void)state;
    random_nets(4, 60, logic_layers);
}

static void convolutions_and_pools(void **state) {
    (void)state;
    random_nets(5, 80, planes);
}

static void scaled_columns_and_linear_models(void **state) {
    (void)state;
    random_nets(7, 60, scaled_and_regressed);
}

static void forests(void **state) {
    (void)state;
    const hz_executor *runtime = find_runtime();
    hz_random random = hz_random_from_seed(test_seed() + 6);
    ensemble *e = malloc(sizeof *e);
    assert_non_null(e);
    for (size_t round = 0; round < test_effort(80); round++) {
        const ensemble_style style = {.trees = 1 + hz_random_draw(&random, 20),
                                      .leaves = round % 4 ? 31 : 90,
                                      .modes = round % 3 ? 1 : 6,
                                      .targets = 1,
                                      .tame_ids = true};
        static const char *const ways[] = {NULL, "SUM", "AVERAGE", "MIN", "MAX"};
        ensemble_make(e, &random, &style);
        e->aggregate = ways[hz_random_draw(&random, 5)];
        e->based = hz_random_draw(&random, 2);
        e->base[0] = 0.375F;
        hz_arena arena = {0};
        const void *bytes = NULL;
        size_t length = 0;
        ensemble_write(e, 1 + 2 * (int)hz_random_draw(&random, 2), &arena, &bytes, &length);
        compare(runtime, bytes, length, e->width, &random, 1e-6);
        hz_arena_fini(&arena);
    }
    free(e);
}

/* ---- the executor itself --------------------------------------------------------------------- */

static void a_named_file_that_is_none_is_said(void **state) {
    (void)state;
    const char *before = getenv("HAZARD_ONNXRUNTIME");
    char *kept = before ? strdup(before) : NULL;
    const hz_executor *executor = NULL;
    hz_error err;
    assert_int_equal(setenv("HAZARD_ONNXRUNTIME", "/nowhere/libonnxruntime.so", 1), 0);
    assert_int_equal(hz_executor_onnxruntime(&executor, NULL, NULL, &err), HZ_NO_EXECUTOR);
    assert_non_null(strstr(err.message, "/nowhere/libonnxruntime.so"));
    assert_null(executor);
    assert_int_equal(setenv("HAZARD_ONNXRUNTIME", "libm.so.6", 1), 0); /* a library, but another */
    assert_int_equal(hz_executor_onnxruntime(&executor, NULL, NULL, &err), HZ_NO_EXECUTOR);
    assert_non_null(strstr(err.message, "is no ONNX Runtime"));
    if (kept) {
        (void)setenv("HAZARD_ONNXRUNTIME", kept, 1);
    } else {
        (void)unsetenv("HAZARD_ONNXRUNTIME");
    }
    free(kept);
}

static void the_runtime_says_what_it_is(void **state) {
    (void)state;
    (void)find_runtime();
    const hz_executor *executor = NULL, *found = NULL;
    const char *version = NULL, *path = NULL;
    assert_int_equal(hz_executor_onnxruntime(&executor, &version, &path, NULL), HZ_OK);
    assert_true(version[0] >= '1' && version[0] <= '9');
    assert_non_null(strstr(path, "onnxruntime"));
    assert_string_equal(executor->name, "onnxruntime");
    assert_int_equal(hz_executor_find("onnxruntime", &found, NULL), HZ_OK);
    assert_ptr_equal(found, executor);
    printf("# ONNX Runtime %s\n", version);
}

static void ports_are_those_of_the_graph(void **state) {
    (void)state;
    const hz_executor *runtime = find_runtime();
    hz_arena arena = {0};
    const void *bytes = NULL;
    size_t length = 0;
    assert_int_equal(fixture_tree_bytes(NULL, NULL, &arena, &bytes, &length, NULL), HZ_OK);
    hz_model *model = open_with(runtime, bytes, length);
    assert_int_equal(hz_model_input_count(model), 1);
    assert_int_equal(hz_model_output_count(model), 1);
    const hz_port *in = hz_model_input(model, 0), *out = hz_model_output(model, 0);
    assert_string_equal(in->name, "input");
    assert_string_equal(out->name, "variable");
    assert_true(in->is_tensor && in->has_shape && in->element == HZ_ELEMENT_FLOAT);
    assert_true(in->rank == 2 && in->shape[0] == HZ_DYNAMIC && in->shape[1] == FIXTURE_COLUMNS);
    assert_true(out->rank == 2 && out->shape[0] == HZ_DYNAMIC && out->shape[1] == 1);
    assert_null(hz_model_input(model, 1));
    assert_null(hz_model_output(model, 1));
    const float row[FIXTURE_COLUMNS] = {0, 0, 0, 0, 0, 0, 78};
    float value;
    assert_int_equal(hz_model_rows(model, row, 1, FIXTURE_COLUMNS, &value, NULL), HZ_OK);
    assert_true(fabsf(value - 0.5095969F) < 1e-6F);
    hz_error err;
    assert_int_equal(hz_model_rows(model, row, 1, FIXTURE_COLUMNS - 1, &value, &err), HZ_MODEL_RUN);
    assert_int_equal(hz_model_close(model, NULL), HZ_OK);
    hz_arena_fini(&arena);
}

/* A model with a tensor whose numbers are said to be in a file; there are two ways to say so. */
static wire external_model(bool entry, bool location) {
    wire graph = wire_graph(NULL), tensor = {0};
    wire_int(&tensor, 1, 2);
    wire_int(&tensor, 2, HZ_ELEMENT_FLOAT);
    wire_text(&tensor, 8, "w");
    if (entry) {
        wire pair = {0};
        wire_text(&pair, 1, "location");
        wire_text(&pair, 2, "w.bin");
        wire_message(&tensor, 13, &pair);
    }
    if (location) {
        wire_int(&tensor, 14, 1);
    }
    wire_message(&graph, 5, &tensor);
    return wire_model(&graph, 8, 13);
}

static void external_data_is_refused_before_the_runtime_looks_for_it(void **state) {
    (void)state;
    const hz_model_options options = {.executor = find_runtime()};
    for (int way = 1; way < 4; way++) {
        wire bytes = external_model(way & 1, way & 2);
        hz_model *model = NULL;
        hz_error err;
        assert_int_equal(hz_model_open(bytes.data, bytes.length, &options, &model, &err), HZ_GRAPH);
        assert_non_null(strstr(err.message, "external data is not supported"));
        assert_null(model);
        wire_free(&bytes);
    }
}

static void what_the_runtime_refuses_is_a_graph_error(void **state) {
    (void)state;
    const hz_executor *runtime = find_runtime();
    const hz_model_options options = {.executor = runtime};
    const hz_model_options small = {.executor = runtime, .limits = {.file_bytes = 10}};
    hz_model *model = NULL;
    hz_error err;
    assert_int_equal(hz_model_open("no model at all", 15, &options, &model, &err), HZ_GRAPH);
    assert_int_equal(strncmp(err.message, "cannot read the ONNX graph: these bytes", 39), 0);
    wire node = wire_node("Zap", "x", "y"), graph = wire_graph(&node);
    wire unknown = wire_model(&graph, 8, 13);
    assert_int_equal(hz_model_open(unknown.data, unknown.length, &options, &model, &err), HZ_GRAPH);
    assert_int_equal(strncmp(err.message, "cannot read the ONNX graph: ONNX Runtime: ", 42), 0);
    wire_free(&unknown);
    assert_int_equal(hz_model_open("no model at all", 15, &small, &model, &err), HZ_GRAPH);
    assert_non_null(strstr(err.message, "the model has 15 bytes; the most that is read is 10"));
    assert_null(model);
}

/* Two inputs of different types, two outputs, one of them without dimensions. */
static void tensors_of_several_types_go_in_and_out(void **state) {
    (void)state;
    const hz_executor *runtime = find_runtime();
    static const char *const names[] = {"a", "b", "sum", "count", "whole"};
    static const int64_t list[] = {HZ_DYNAMIC};
    hz_builder *b = hz_builder_new("pair", 8, 13, 0);
    hz_builder_input(b, "a", HZ_ELEMENT_INT64, list, 1);
    hz_builder_input(b, "b", HZ_ELEMENT_FLOAT, list, 1);
    hz_builder_output(b, "sum", HZ_ELEMENT_FLOAT, NULL, 0);
    hz_builder_output(b, "count", HZ_ELEMENT_INT64, list, 1);
    hz_builder_node(b, "", "ReduceSum", names + 1, 1, names + 2, 1);
    hz_builder_int(b, "keepdims", 0);
    hz_builder_node(b, "", "Neg", names, 1, names + 3, 1);
    hz_arena arena = {0};
    const void *bytes = NULL;
    size_t length = 0;
    assert_int_equal(hz_builder_finish(b, &arena, &bytes, &length, NULL), HZ_OK);
    hz_builder_free(b);
    hz_model *model = open_with(runtime, bytes, length);
    int64_t whole[] = {3, -4};
    float parts[] = {0.5F, 0.25F, 1};
    const hz_tensor inputs[] = {{HZ_ELEMENT_INT64, 1, {2}, whole},
                                {HZ_ELEMENT_FLOAT, 1, {3}, parts}};
    hz_tensor outputs[2];
    hz_error err;
    for (int twice = 0; twice < 2; twice++) {
        if (hz_model_run(model, inputs, 2, outputs, 2, &arena, &err) != HZ_OK) {
            fail_msg("%s", err.message);
        }
        assert_true(outputs[0].rank == 0 && *(const float *)outputs[0].data == 1.75F);
        assert_true(outputs[1].element == HZ_ELEMENT_INT64 && outputs[1].shape[0] == 2);
        assert_true(((const int64_t *)outputs[1].data)[1] == 4);
    }
    assert_int_equal(hz_model_close(model, NULL), HZ_OK);
    hz_arena_fini(&arena);
}

int main(void) {
    const struct CMUnitTest alone[] = {
        cmocka_unit_test(a_named_file_that_is_none_is_said),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_named_file_that_is_none_is_said),
        cmocka_unit_test(the_runtime_says_what_it_is),
        cmocka_unit_test(ports_are_those_of_the_graph),
        cmocka_unit_test(external_data_is_refused_before_the_runtime_looks_for_it),
        cmocka_unit_test(what_the_runtime_refuses_is_a_graph_error),
        cmocka_unit_test(tensors_of_several_types_go_in_and_out),
        cmocka_unit_test(layers_of_every_activation),
        cmocka_unit_test(layers_with_normalization),
        cmocka_unit_test(residual_and_split_layers),
        cmocka_unit_test(gathered_and_chosen_columns),
        cmocka_unit_test(convolutions_and_pools),
        cmocka_unit_test(scaled_columns_and_linear_models),
        cmocka_unit_test(forests),
    };
    const hz_executor *executor = NULL;
    hz_error err;
    if (hz_executor_onnxruntime(&executor, NULL, NULL, &err) != HZ_OK) {
        printf("# left out: %zu tests that need it, because %s\n", sizeof tests / sizeof *tests - 1,
               err.message);
        return cmocka_run_group_tests(alone, NULL, NULL);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
