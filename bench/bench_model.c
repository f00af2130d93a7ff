/* SPDX-License-Identifier: MIT */
/*
 * Networks of dense layers, served by the built-in executor. The twin is ONNX Runtime on the same
 * rows in the same run, when its library is found.
 */
#include "bench/items.h"
#include "bench/networks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CALLS = 256 }; /* calls in one repetition, so that a twin is measured fairly */

typedef struct network {
    hz_model *builtin, *other;
    float *rows, *values;
    size_t width, batch; /* rows of one call */
} network;

/* -1 ... 1 */
static float number(hz_random *random) {
    return (float)hz_random_draw(random, 2000001) / 1000000.0F - 1;
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
    hzb_graph graph = {0};
    if (!n) {
        return NULL;
    }
    n->width = (size_t)widths[0];
    n->batch = batch;
    n->rows = calloc(batch * n->width, sizeof *n->rows);
    n->values = calloc(batch, sizeof *n->values);
    if (!n->rows || !n->values || !hzb_network_graph(widths, &graph) ||
        hz_model_open(graph.bytes, graph.length, NULL, &n->builtin, NULL) != HZ_OK) {
        free(n->rows);
        free(n->values);
        free(n);
        n = NULL;
    } else {
        fill_rows(n, ones);
        const hz_model_options options = {.executor = hzb_onnxruntime()};
        if (options.executor) {
            (void)hz_model_open(graph.bytes, graph.length, &options, &n->other, NULL);
        }
    }
    hzb_graph_fini(&graph);
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
    items[n++] = item("1540-32-32-1, 64 ones (twin: ONNX Runtime), one row", WIDE, 1, 64, 0.5, 0.1);
    items[n++] =
        item("1540-32-32-1, 64 ones (twin: ONNX Runtime), a row in 256", WIDE, 256, 64, 0, 0);
    return n;
}
