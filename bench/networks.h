/* SPDX-License-Identifier: MIT */
/*
 * Models for the benchmarks: networks of dense layers with random weights and the small forest of
 * the tests, written as ONNX bytes and opened by either executor. What is opened is kept as long as
 * the benchmarks.
 */
#ifndef HAZARD_BENCH_NETWORKS_H
#define HAZARD_BENCH_NETWORKS_H

#include <hazard/eval.h>

/* Layers of every network. */
enum { HZB_LAYERS = 3 };

/* Bytes of a model; they live in the arena. */
typedef struct hzb_graph {
    hz_arena arena;
    const void *bytes;
    size_t length;
} hzb_graph;

/* Gemm and Relu, twice, then Gemm and Sigmoid: [batch,widths[0]] -> [batch,1]; widths has one more
 * entry than there are layers. The same widths give the same bytes. */
bool hzb_network_graph(const int64_t *widths, hzb_graph *graph);
/* Five trees over material-7-v1 (tests/model/fixture_tree.h). */
bool hzb_tree_graph(hzb_graph *graph);
void hzb_graph_fini(hzb_graph *graph);

/* ONNX Runtime, NULL when it is not there. */
const hz_executor *hzb_onnxruntime(void);
/* A model without a package, as a judge of positions. executor NULL = the built-in one. The bytes
 * pass through a file, which is gone afterwards. */
bool hzb_evaluator(const hzb_graph *graph, const char *schema, const hz_executor *executor,
                   hz_evaluator *evaluator);

#endif
