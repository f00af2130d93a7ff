/* SPDX-License-Identifier: MIT */
/*
 * Random forests as the parallel arrays of ai.onnx.ml, a plain way to score them, and the graph of
 * one node that holds one: x [batch,width] -> TreeEnsembleRegressor -> y [batch,targets].
 */
#ifndef HAZARD_TEST_MODEL_ENSEMBLE_H
#define HAZARD_TEST_MODEL_ENSEMBLE_H

#include <hazard/model.h>

#include "support/support.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ENSEMBLE_MOST = 4096, ENSEMBLE_TARGETS = 3 };

typedef struct ensemble {
    int64_t width, targets;
    size_t nodes, votes;
    int64_t tree[ENSEMBLE_MOST], id[ENSEMBLE_MOST], feature[ENSEMBLE_MOST], yes[ENSEMBLE_MOST];
    int64_t no[ENSEMBLE_MOST], missing[ENSEMBLE_MOST];
    const char *mode[ENSEMBLE_MOST];
    float value[ENSEMBLE_MOST];
    int64_t vote_tree[ENSEMBLE_MOST], vote_node[ENSEMBLE_MOST], vote_target[ENSEMBLE_MOST];
    float weight[ENSEMBLE_MOST];
    const char *aggregate, *transform; /* NULL = the attribute is left out */
    bool based;
    float base[ENSEMBLE_TARGETS];
} ensemble;

/* What a random forest may hold. */
typedef struct ensemble_style {
    size_t trees, leaves; /* most leaves per tree */
    int modes;            /* 1 = LEQ only, 4 = all orders, 6 = equality as well */
    int64_t targets;
    bool tame_ids;   /* of nodes: below their number, as ONNX Runtime wants it */
    bool odd_votes;  /* leaves with no vote or several */
    bool odd_values; /* thresholds such as infinity and NaN */
} ensemble_style;

static const char *const ENSEMBLE_MODES[] = {"BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE",
                                             "BRANCH_GT",  "BRANCH_EQ", "BRANCH_NEQ"};

/* Thresholds and row values come from one small set, so that equality is met. */
static inline float ensemble_number(hz_random *random, bool odd) {
    static const float odds[] = {INFINITY, -INFINITY, 0.0F, -0.0F, FLT_MAX, -FLT_MAX, 1e-42F, NAN};
    if (odd && hz_random_draw(random, 4) == 0) {
        return odds[hz_random_draw(random, 8)];
    }
    return (float)(int)hz_random_draw(random, 41) / 4 - 5;
}

static inline void ensemble_vote(ensemble *e, hz_random *random, int64_t tree, int64_t id) {
    size_t at = e->votes++;
    assert_true(at < ENSEMBLE_MOST);
    e->vote_tree[at] = tree;
    e->vote_node[at] = id;
    e->vote_target[at] = hz_random_draw(random, (uint32_t)e->targets);
    e->weight[at] = (float)(int)hz_random_draw(random, 20001) / 20000 - 0.5F;
}

/* Adds a subtree with this many leaves; returns the id of its root. */
static inline int64_t ensemble_grow(ensemble *e, hz_random *random, const ensemble_style *style,
                                    int64_t tree, size_t leaves) {
    size_t at = e->nodes++;
    assert_true(at < ENSEMBLE_MOST);
    e->tree[at] = tree;
    e->id[at] = style->tame_ids ? (int64_t)at : 5000 - (int64_t)at; /* else they fall */
    if (leaves == 1) {
        e->mode[at] = "LEAF";
        size_t votes = style->odd_votes ? hz_random_draw(random, 4) : 1;
        for (size_t i = 0; i < votes; i++) {
            ensemble_vote(e, random, tree, e->id[at]);
        }
        return e->id[at];
    }
    e->mode[at] = ENSEMBLE_MODES[hz_random_draw(random, (uint32_t)style->modes)];
    e->feature[at] = hz_random_draw(random, (uint32_t)e->width);
    e->value[at] = ensemble_number(random, style->odd_values);
    e->missing[at] = hz_random_draw(random, 2);
    size_t left = 1 + hz_random_draw(random, (uint32_t)leaves - 1);
    e->yes[at] = ensemble_grow(e, random, style, tree, left);
    e->no[at] = ensemble_grow(e, random, style, tree, leaves - left);
    return e->id[at];
}

static inline void ensemble_make(ensemble *e, hz_random *random, const ensemble_style *style) {
    memset(e, 0, sizeof *e);
    e->width = 1 + hz_random_draw(random, 12);
    e->targets = style->targets;
    for (size_t i = 0; i < style->trees; i++) {
        /* ids of trees fall: the order is that of appearance */
        size_t leaves = 1 + hz_random_draw(random, (uint32_t)style->leaves);
        (void)ensemble_grow(e, random, style, 100 - (int64_t)i, leaves);
    }
    if (e->votes == 0) {
        e->votes = 1;
        e->vote_tree[0] = 100;
        size_t leaf = 0;
        while (strcmp(e->mode[leaf], "LEAF") != 0) {
            leaf++;
        }
        e->vote_tree[0] = e->tree[leaf];
        e->vote_node[0] = e->id[leaf];
        e->weight[0] = 0.25F;
    }
}

static inline void ensemble_write(const ensemble *e, int opset, hz_arena *arena, const void **bytes,
                                  size_t *length) {
    static const char *const x = "x", *const y = "y";
    const int64_t in[] = {HZ_DYNAMIC, e->width}, out[] = {HZ_DYNAMIC, e->targets};
    hz_builder *b = hz_builder_new("forest", 8, 13, opset);
    hz_builder_input(b, x, HZ_ELEMENT_FLOAT, in, 2);
    hz_builder_output(b, y, HZ_ELEMENT_FLOAT, out, 2);
    hz_builder_node(b, "ai.onnx.ml", "TreeEnsembleRegressor", &x, 1, &y, 1);
    hz_builder_int(b, "n_targets", e->targets);
    hz_builder_ints(b, "nodes_treeids", e->tree, e->nodes);
    hz_builder_ints(b, "nodes_nodeids", e->id, e->nodes);
    hz_builder_ints(b, "nodes_featureids", e->feature, e->nodes);
    hz_builder_ints(b, "nodes_truenodeids", e->yes, e->nodes);
    hz_builder_ints(b, "nodes_falsenodeids", e->no, e->nodes);
    hz_builder_ints(b, "nodes_missing_value_tracks_true", e->missing, e->nodes);
    hz_builder_strings(b, "nodes_modes", e->mode, e->nodes);
    hz_builder_floats(b, "nodes_values", e->value, e->nodes);
    hz_builder_ints(b, "target_treeids", e->vote_tree, e->votes);
    hz_builder_ints(b, "target_nodeids", e->vote_node, e->votes);
    hz_builder_ints(b, "target_ids", e->vote_target, e->votes);
    hz_builder_floats(b, "target_weights", e->weight, e->votes);
    if (e->aggregate) {
        hz_builder_string(b, "aggregate_function", e->aggregate);
    }
    if (e->transform) {
        hz_builder_string(b, "post_transform", e->transform);
    }
    if (e->based) {
        hz_builder_floats(b, "base_values", e->base, (size_t)e->targets);
    }
    hz_error err;
    if (hz_builder_finish(b, arena, bytes, length, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
    hz_builder_free(b);
}

/* ---- the plain way --------------------------------------------------------------------------- */

static inline size_t ensemble_find(const ensemble *e, int64_t tree, int64_t id) {
    size_t at = 0;
    while (e->tree[at] != tree || e->id[at] != id) {
        at++;
    }
    return at;
}

static inline bool ensemble_passes(const ensemble *e, size_t at, float x) {
    float t = e->value[at];
    const char *mode = e->mode[at] + strlen("BRANCH_");
    if (isnan(x) && e->missing[at]) {
        return true;
    }
    return strcmp(mode, "LEQ") == 0   ? x <= t
           : strcmp(mode, "LT") == 0  ? x < t
           : strcmp(mode, "GTE") == 0 ? x >= t
           : strcmp(mode, "GT") == 0  ? x > t
           : strcmp(mode, "EQ") == 0  ? x == t
                                      : x != t;
}

/* Scores before the transform: floats, tree by tree from their first node on, which is the root. */
static inline void ensemble_score(const ensemble *e, const float *row, float *scores) {
    const char *how = e->aggregate ? e->aggregate : "SUM";
    bool voted[ENSEMBLE_TARGETS] = {false};
    int64_t trees = 0;
    memset(scores, 0, (size_t)e->targets * sizeof *scores);
    for (size_t root = 0; root < e->nodes; root++) {
        if (root > 0 && e->tree[root] == e->tree[root - 1]) {
            continue;
        }
        size_t at = root;
        trees++;
        while (strcmp(e->mode[at], "LEAF") != 0) {
            bool pass = ensemble_passes(e, at, row[e->feature[at]]);
            at = ensemble_find(e, e->tree[at], pass ? e->yes[at] : e->no[at]);
        }
        for (size_t i = 0; i < e->votes; i++) {
            if (e->vote_tree[i] != e->tree[at] || e->vote_node[i] != e->id[at]) {
                continue;
            }
            float *score = &scores[e->vote_target[i]];
            bool first = !voted[e->vote_target[i]];
            voted[e->vote_target[i]] = true;
            if (strcmp(how, "MIN") == 0) {
                *score = first || e->weight[i] < *score ? e->weight[i] : *score;
            } else if (strcmp(how, "MAX") == 0) {
                *score = first || e->weight[i] > *score ? e->weight[i] : *score;
            } else {
                *score += e->weight[i];
            }
        }
    }
    for (int64_t i = 0; i < e->targets; i++) {
        scores[i] = strcmp(how, "AVERAGE") == 0 ? scores[i] / (float)trees : scores[i];
        scores[i] = e->based ? scores[i] + e->base[i] : scores[i];
    }
}

#endif
