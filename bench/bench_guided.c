/* SPDX-License-Identifier: MIT */
/*
 * Searches that models guide: a forest at the leaves of the wide root and in place of its chance
 * nodes, a network at the leaves of depth 2, and the ordering of many results in chunks. The twin is
 * ONNX Runtime on the same question when its library is found, or what the name says.
 */
#include "bench/items.h"
#include "bench/networks.h"

#include <hazard/search.h>

#include <stdlib.h>

#define WIDE "4k3/8/8/8/8/8/PPP5/4KN2 w - - 0 1"

enum { MANY_ROWS = 1024 };

typedef struct guided {
    hzb_case *root;
    hz_evaluator model, other; /* other: by ONNX Runtime; its state is NULL without */
    hz_expectimax *search, *twin;
    /* Of the rows items. */
    hz_position *positions;
    int32_t *scores;
    size_t rows, chunk;
} guided;

static bool graph_of(bool network, hzb_graph *graph) {
    static const int64_t WIDTHS[HZB_LAYERS + 1] = {31, 64, 32, 1};
    return network ? hzb_network_graph(WIDTHS, graph) : hzb_tree_graph(graph);
}

/* A root and the forest, or the network, opened by both executors. NULL when something failed. */
static guided *guided_new(const char *dfen, const char *roll, bool network) {
    const char *schema = network ? "kcp-mobility-pawns-31-v1" : "material-7-v1";
    guided *g = calloc(1, sizeof *g);
    hzb_graph graph = {0};
    if (g && (g->root = hzb_case_new(dfen, roll)) && graph_of(network, &graph) &&
        hzb_evaluator(&graph, schema, NULL, &g->model)) {
        const hz_executor *runtime = hzb_onnxruntime();
        if (runtime) {
            (void)hzb_evaluator(&graph, schema, runtime, &g->other);
        }
    } else {
        free(g);
        g = NULL;
    }
    hzb_graph_fini(&graph);
    return g;
}

static uint64_t run_search(void *state, uint64_t n) {
    guided *g = state;
    return hzb_choose(g->search, g->root, n);
}

static uint64_t run_twin(void *state, uint64_t n) {
    guided *g = state;
    return hzb_choose(g->twin, g->root, n);
}

/* What the twin of a search is. */
typedef enum versus { ONNX_RUNTIME, NO_PRUNING, SEARCHED } versus;

typedef struct question {
    const char *name, *dfen, *roll;
    bool network; /* at the leaves; else the forest */
    int64_t limit;
    bool collapsed; /* the model also takes the place of the chance nodes */
    versus twin;
    const char *unit;
    double first, aim;
} question;

static const question questions[] = {
    {"wide root, limit 1, trees (twin: ONNX Runtime)", WIDE, "PNK", false, 1, false, ONNX_RUNTIME,
     "us", 0, 0},
    {"wide root, limit 4, trees (twin: ONNX Runtime)", WIDE, "PNK", false, 4, false, ONNX_RUNTIME,
     "us", 0, 0},
    {"wide root, limit 8, trees (twin: ONNX Runtime)", WIDE, "PNK", false, 8, false, ONNX_RUNTIME,
     "us", 1000, 150},
    {"collapsed, limit 1, trees (twin: searched)", WIDE, "PNK", false, 1, true, SEARCHED, "us", 0,
     0},
    {"collapsed, limit 4, trees (twin: searched)", WIDE, "PNK", false, 4, true, SEARCHED, "us", 0,
     0},
    {"collapsed, limit 8, trees (twin: searched)", WIDE, "PNK", false, 8, true, SEARCHED, "us", 40,
     10},
    {"collapsed, limit 8, trees (twin: ONNX Runtime)", WIDE, "PNK", false, 8, true, ONNX_RUNTIME,
     "us", 40, 10},
    {"31-64-32-1 leaves (twin: no pruning), start PNB", HZB_START, "PNB", true, 8, false,
     NO_PRUNING, "ms", 0, 0},
    {"31-64-32-1 leaves (twin: no pruning), kiwipete PNB", HZB_KIWIPETE, "PNB", true, 8, false,
     NO_PRUNING, "ms", 0, 0},
    {"31-64-32-1 leaves (twin: no pruning), endgame PRK", HZB_ENDGAME, "PRK", true, 8, false,
     NO_PRUNING, "ms", 0, 0},
    {"31-64-32-1 leaves (twin: ONNX Runtime), start PNB", HZB_START, "PNB", true, 8, false,
     ONNX_RUNTIME, "ms", 0, 0},
};

static hzb_item search_item(const question *q) {
    guided *g = guided_new(q->dfen, q->roll, q->network);
    bool made = false, has_twin = q->twin != ONNX_RUNTIME || (g && g->other.state);
    if (g) {
        hz_expectimax_config config = hz_expectimax_config_default();
        config.candidate_limit = q->limit;
        config.leaf = hz_judge_evaluator(&g->model);
        config.collapse = q->collapsed ? config.leaf : config.collapse;
        hz_expectimax_config twin = config;
        if (q->twin == ONNX_RUNTIME) {
            twin.leaf = hz_judge_evaluator(&g->other);
            twin.collapse = q->collapsed ? twin.leaf : twin.collapse;
        } else if (q->twin == SEARCHED) {
            twin.collapse = (hz_judge){0};
        } else {
            twin.no_pruning = true;
        }
        made = hz_expectimax_new(&config, &g->search, NULL) == HZ_OK &&
               (!has_twin || hz_expectimax_new(&twin, &g->twin, NULL) == HZ_OK);
    }
    return (hzb_item){.group = "guided",
                      .name = q->name,
                      .unit = q->unit,
                      .unit_ns = q->unit[0] == 'm' ? 1e6 : 1e3,
                      .work = 1,
                      .first = q->first,
                      .aim = q->aim,
                      .run = run_search,
                      .twin = has_twin ? run_twin : NULL,
                      .same_number = q->twin == NO_PRUNING, /* executors may differ by a point */
                      .state = made ? g : NULL};
}

/* ---- rows ---- */

static uint64_t score_rows(const guided *g, const hz_evaluator *judge, size_t chunk, uint64_t n) {
    uint64_t sum = 0;
    for (uint64_t i = 0; i < n; i++) {
        for (size_t done = 0; done < g->rows; done += chunk) {
            size_t rows = g->rows - done < chunk ? g->rows - done : chunk;
            if (hz_evaluator_score(judge, g->positions + done, rows, HZ_WHITE, g->scores + done) !=
                HZ_OK) {
                return 0;
            }
        }
    }
    for (size_t r = 0; r < g->rows; r++) {
        sum = sum * 31 + (uint64_t)g->scores[r];
    }
    return sum;
}

static uint64_t run_chunks(void *state, uint64_t n) {
    const guided *g = state;
    return score_rows(g, &g->model, g->chunk, n);
}

static uint64_t run_whole(void *state, uint64_t n) {
    const guided *g = state;
    return score_rows(g, &g->model, g->rows, n);
}

static uint64_t run_runtime(void *state, uint64_t n) {
    const guided *g = state;
    return score_rows(g, &g->other, g->chunk, n);
}

/* The first `rows` results of a roll with more of them, as the ranking pass hands them over. */
static bool take_rows(guided *g, size_t rows) {
    hz_result_list list;
    g->positions = calloc(rows, sizeof *g->positions);
    g->scores = calloc(rows, sizeof *g->scores);
    if (!g->positions || !g->scores ||
        hz_results_list(&g->root->position, NULL, &g->root->arena, &list, NULL) != HZ_OK ||
        list.count < rows) {
        return false;
    }
    for (size_t i = 0; i < rows; i++) {
        g->positions[i] = list.results[i].after;
    }
    g->rows = rows;
    return true;
}

static hzb_item rows_item(const char *name, size_t rows, size_t chunk, bool runtime) {
    guided *g = guided_new(HZB_KIWIPETE, "PNB", false);
    bool made = g && take_rows(g, rows);
    if (g) {
        g->chunk = chunk;
    }
    return (hzb_item){.group = "guided",
                      .name = name,
                      .unit = "us",
                      .unit_ns = 1e3,
                      .work = 1,
                      .run = run_chunks,
                      .twin = !runtime              ? run_whole
                              : g && g->other.state ? run_runtime
                                                    : NULL,
                      .same_number = !runtime,
                      .state = made ? g : NULL};
}

size_t hzb_guided_items(hzb_item *items) {
    size_t n = 0;
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        items[n++] = search_item(&questions[i]);
    }
    items[n++] = rows_item("64 rows ranked by 32 (twin: one batch)", 64, 32, false);
    items[n++] = rows_item("256 rows ranked by 32 (twin: one batch)", 256, 32, false);
    items[n++] = rows_item("1024 rows ranked by 32 (twin: one batch)", MANY_ROWS, 32, false);
    items[n++] = rows_item("1024 rows ranked by 256 (twin: one batch)", MANY_ROWS, 256, false);
    items[n++] = rows_item("64 rows ranked (twin: ONNX Runtime)", 64, 64, true);
    items[n++] = rows_item("256 rows ranked (twin: ONNX Runtime)", 256, 256, true);
    items[n++] = rows_item("1024 rows ranked by 256 (twin: ONNX Runtime)", MANY_ROWS, 256, true);
    return n;
}
