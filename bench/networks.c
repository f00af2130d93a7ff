/* SPDX-License-Identifier: MIT */
/* Models for the benchmarks; see networks.h. */
#include "bench/networks.h"

#include "tests/model/fixture_tree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* -1 ... 1 */
static float number(hz_random *random) {
    return (float)hz_random_draw(random, 2000001) / 1000000.0F - 1;
}

bool hzb_network_graph(const int64_t *widths, hzb_graph *graph) {
    static const char *const NAMES[HZB_LAYERS][5] = {{"input", "w0", "b0", "s0", "a0"},
                                                     {"a0", "w1", "b1", "s1", "a1"},
                                                     {"a1", "w2", "b2", "s2", "output"}};
    hz_random random = hz_random_from_seed(31);
    hz_builder *builder = hz_builder_new("network", 7, 13, 0);
    *graph = (hzb_graph){0};
    hz_builder_input(builder, "input", HZ_ELEMENT_FLOAT, (int64_t[]){HZ_DYNAMIC, widths[0]}, 2);
    hz_builder_output(builder, "output", HZ_ELEMENT_FLOAT, (int64_t[]){HZ_DYNAMIC, 1}, 2);
    for (int i = 0; i < HZB_LAYERS; i++) {
        const char *const *name = NAMES[i];
        hz_tensor w = {HZ_ELEMENT_FLOAT, 2, {widths[i], widths[i + 1]}, NULL};
        hz_tensor b = {HZ_ELEMENT_FLOAT, 1, {widths[i + 1]}, NULL};
        size_t count = hz_tensor_count(&w) + (size_t)widths[i + 1];
        float *numbers = hz_arena_alloc(&graph->arena, count * sizeof *numbers);
        if (!numbers) {
            hz_builder_free(builder);
            return false;
        }
        /* Sums of about the size of one. */
        float scale = sqrtf(3.0F / (float)(i == 0 && widths[0] > 1000 ? 64 : widths[i]));
        for (size_t k = 0; k < count; k++) {
            numbers[k] = number(&random) * scale;
        }
        w.data = numbers;
        b.data = numbers + hz_tensor_count(&w);
        hz_builder_initializer(builder, name[1], &w);
        hz_builder_initializer(builder, name[2], &b);
        hz_builder_node(builder, "", "Gemm", name, 3, &name[3], 1);
        hz_builder_node(builder, "", i + 1 < HZB_LAYERS ? "Relu" : "Sigmoid", &name[3], 1, &name[4],
                        1);
    }
    hz_status status =
        hz_builder_finish(builder, &graph->arena, &graph->bytes, &graph->length, NULL);
    hz_builder_free(builder);
    return status == HZ_OK;
}

bool hzb_tree_graph(hzb_graph *graph) {
    *graph = (hzb_graph){0};
    return fixture_tree_bytes(NULL, NULL, &graph->arena, &graph->bytes, &graph->length, NULL) ==
           HZ_OK;
}

void hzb_graph_fini(hzb_graph *graph) {
    hz_arena_fini(&graph->arena);
}

const hz_executor *hzb_onnxruntime(void) {
    const hz_executor *executor = NULL;
    return hz_executor_onnxruntime(&executor, NULL, NULL, NULL) == HZ_OK ? executor : NULL;
}

/* The bytes under a name of their own; "" when that failed. */
static void write_temporary(const hzb_graph *graph, char *path, size_t capacity) {
    const char *folder = getenv("TMPDIR");
    (void)snprintf(path, capacity, "%s/hazard-bench-XXXXXX", folder ? folder : "/tmp");
    int fd = mkstemp(path);
    if (fd < 0) {
        path[0] = '\0';
        return;
    }
    ssize_t wrote = write(fd, graph->bytes, graph->length);
    if (close(fd) != 0 || wrote < 0 || (size_t)wrote != graph->length) {
        (void)unlink(path);
        path[0] = '\0';
    }
}

bool hzb_evaluator(const hzb_graph *graph, const char *schema, const hz_executor *executor,
                   hz_evaluator *evaluator) {
    char path[512];
    hz_scorer *scorer = NULL;
    const hz_scorer_options options = {.executor = executor};
    write_temporary(graph, path, sizeof path);
    if (!path[0]) {
        return false;
    }
    hz_status status =
        hz_scorer_open(&(hz_model_source){.path = path, .schema = hz_schema_find(schema)}, &options,
                       &scorer, NULL);
    (void)unlink(path);
    if (status != HZ_OK) {
        return false;
    }
    if (hz_evaluator_scorer(scorer, true, evaluator, NULL) != HZ_OK) {
        (void)hz_scorer_close(scorer, NULL);
        return false;
    }
    return true;
}
