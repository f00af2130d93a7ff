/* SPDX-License-Identifier: MIT */
/*
 * Networks of dense layers, served by the built-in executor. The twin is ONNX Runtime on the same
 * rows in the same run, when its library is found.
 */
#include "bench/items.h"

#include <hazard/model.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LAYERS = 3, CALLS = 256 }; /* calls in one repetition, so that a twin is measured fairly */

typedef struct network {
    hz_model *builtin, *other;
    float *rows, *values;
    size_t width, batch; /* rows of one call */
} network;

/* -1 ... 1 */
static float number(hz_random *random) {
    return (float)hz_random_draw(random, 2000001) / 1000000.0F - 1;
}

/* Gemm and Relu, twice, then Gemm and Sigmoid: [batch,widths[0]] -> [batch,1]. */
static hz_status write_network(const int64_t *widths, hz_arena *arena, const void **bytes,
                               size_t *length) {
    static const char *const NAMES[LAYERS][5] = {{"input", "w0", "b0", "s0", "a0"},
                                                 {"a0", "w1", "b1", "s1", "a1"},
                                                 {"a1", "w2", "b2", "s2", "output"}};
    hz_random random = hz_random_from_seed(31);
    hz_builder *builder = hz_builder_new("network", 7, 13, 0);
    hz_builder_input(builder, "input", HZ_ELEMENT_FLOAT, (int64_t[]){HZ_DYNAMIC, widths[0]}, 2);
    hz_builder_output(builder, "output", HZ_ELEMENT_FLOAT, (int64_t[]){HZ_DYNAMIC, 1}, 2);
    for (int i = 0; i < LAYERS; i++) {
        const char *const *name = NAMES[i];
        hz_tensor w = {HZ_ELEMENT_FLOAT, 2, {widths[i], widths[i + 1]}, NULL};
        hz_tensor b = {HZ_ELEMENT_FLOAT, 1, {widths[i + 1]}, NULL};
        size_t count = hz_tensor_count(&w);
        float *numbers = hz_arena_alloc(arena, (count + (size_t)widths[i + 1]) * sizeof *numbers);
        if (!numbers) {
            hz_builder_free(builder);
            return HZ_NO_MEMORY;
        }
        /* Sums of about the size of one. */
        float scale = sqrtf(3.0F / (float)(i == 0 && widths[0] > 1000 ? 64 : widths[i]));
        for (size_t k = 0; k < count + (size_t)widths[i + 1]; k++) {
            numbers[k] = number(&random) * scale;
        }
        w.data = numbers;
        b.data = numbers + count;
        hz_builder_initializer(builder, name[1], &w);
        hz_builder_initializer(builder, name[2], &b);
        hz_builder_node(builder, "", "Gemm", name, 3, &name[3], 1);
        hz_builder_node(builder, "", i + 1 < LAYERS ? "Relu" : "Sigmoid", &name[3], 1, &name[4], 1);
    }
    hz_status status = hz_builder_finish(builder, arena, bytes, length, NULL);
    hz_builder_free(builder);
    return status;
}

/* ones: how many inputs of a row are 1 and the others 0; 0 = all are any number. */
static void fill_rows(network *n, size_t ones) {
    hz_random random = hz_random_from_seed(64);
    for (size_t r = 0; r < n->batch; r++) {
        float *row = n->rows + r * n->width;
        for (size_t k = 0; k < n->width; k++) {
            row[k] = ones ? 0 : number(&random);
        }
        for (size_t set = 0; set < ones;) {
            size_t k = hz_random_draw(&random, (uint32_t)n->width);
            set += row[k] == 0;
            row[k] = 1;
        }
    }
}

static network *network_new(const int64_t *widths, size_t batch, size_t ones) {
    network *n = calloc(1, sizeof *n);
    hz_arena arena = {0};
    const void *bytes;
    size_t length;
    const hz_executor *runtime;
    if (!n) {
        return NULL;
    }
    n->width = (size_t)widths[0];
    n->batch = batch;
    n->rows = calloc(batch * n->width, sizeof *n->rows);
    n->values = calloc(batch, sizeof *n->values);
    if (!n->rows || !n->values || write_network(widths, &arena, &bytes, &length) != HZ_OK ||
        hz_model_open(bytes, length, NULL, &n->builtin, NULL) != HZ_OK) {
        free(n->rows);
        free(n->values);
        free(n);
        n = NULL;
    } else {
        fill_rows(n, ones);
        if (hz_executor_onnxruntime(&runtime, NULL, NULL, NULL) == HZ_OK) {
            const hz_model_options options = {.executor = runtime};
            (void)hz_model_open(bytes, length, &options, &n->other, NULL);
        }
    }
    hz_arena_fini(&arena);
    return n;
}

/* The values added up, to three places: executors agree that far. */
static uint64_t run_on(network *n, hz_model *model, uint64_t repetitions) {
    size_t calls = n->batch == 1 ? CALLS : 1;
    double sum = 0;
    for (uint64_t i = 0; i < repetitions * calls; i++) {
        if (hz_model_rows(model, n->rows, n->batch, n->width, n->values, NULL) != HZ_OK) {
            return 0;
        }
    }
    for (size_t r = 0; r < n->batch; r++) {
        sum += (double)n->values[r];
    }
    return (uint64_t)llround(sum * 1000);
}

static uint64_t builtin(void *state, uint64_t n) {
    network *net = state;
    return run_on(net, net->builtin, n);
}

static uint64_t runtime(void *state, uint64_t n) {
    network *net = state;
    return run_on(net, net->other, n);
}

static hzb_item item(const char *name, const int64_t *widths, size_t batch, size_t ones,
                     double first, double aim) {
    network *n = network_new(widths, batch, ones);
    return (hzb_item){.group = "model",
                      .name = name,
                      .unit = "us",
                      .unit_ns = 1000,
                      .work = batch == 1 ? CALLS : (double)batch,
                      .first = first,
                      .aim = aim,
                      .run = builtin,
                      .twin = n && n->other ? runtime : NULL,
                      .same_number = true,
                      .state = n};
}

size_t hzb_model_items(hzb_item *items) {
    static const int64_t SMALL[] = {31, 64, 32, 1}, WIDE[] = {1540, 32, 32, 1};
    size_t n = 0;
    items[n++] = item("31-64-32-1 (twin: ONNX Runtime), one row", SMALL, 1, 0, 0.3, 0.15);
    items[n++] = item("31-64-32-1 (twin: ONNX Runtime), a row in 256", SMALL, 256, 0, 0.15, 0.08);
    items[n++] = item("1540-32-32-1 from 64 ones, one row", WIDE, 1, 64, 0.5, 0.1);
    items[n++] = item("1540-32-32-1 from 64 ones, a row in 256", WIDE, 256, 64, 0, 0);
    return n;
}
