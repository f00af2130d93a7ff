/* SPDX-License-Identifier: MIT */
/*
 * A small published forest over the seven columns of material-7-v1, as a table: five trees of 13
 * nodes. It was fitted on noise and has no playing strength; what makes it useful is that its
 * answers are known elsewhere. For the start position it says 0.5095969.
 *
 * fixture_tree_bytes writes it as the ONNX graph that was published: IR 4, opset 8, ai.onnx.ml 1,
 * TreeEnsembleRegressor from "input" to "output", Identity from there to the output "variable".
 */
#ifndef HAZARD_TEST_FIXTURE_TREE_H
#define HAZARD_TEST_FIXTURE_TREE_H

#include <hazard/model.h>

enum {
    FIXTURE_TREES = 5,
    FIXTURE_TREE_NODES = 13,
    FIXTURE_NODES = FIXTURE_TREES * FIXTURE_TREE_NODES,
    FIXTURE_LEAVES = 35,
    FIXTURE_COLUMNS = 7
};

/* x[feature] <= value leads to node `yes` of the same tree, else to `no`; a leaf has feature -1 and
 * its weight as value. missing: a NaN leads to `yes`. */
typedef struct fixture_node {
    int feature;
    float value;
    int yes, no, missing;
} fixture_node;

static const fixture_node fixture_nodes[FIXTURE_NODES] = {
    /* clang-format off */
    /* tree 0 */
    {0, 4.63133335F, 1, 2, 1},
    {0, 3.18368506F, 3, 4, 1},
    {-1, 0.540195107F, 0, 0, 0},
    {2, 2.11553693F, 5, 6, 1},
    {-1, 0.496886164F, 0, 0, 0},
    {6, -4.22355366F, 7, 8, 0},
    {1, 0.657549202F, 11, 12, 1},
    {-1, 0.545534551F, 0, 0, 0},
    {1, 2.72003818F, 9, 10, 1},
    {-1, 0.51970005F, 0, 0, 0},
    {-1, 0.494942367F, 0, 0, 0},
    {-1, 0.494892269F, 0, 0, 0},
    {-1, 0.51993674F, 0, 0, 0},
    /* tree 1 */
    {0, 4.63133335F, 1, 2, 1},
    {0, 3.18368506F, 3, 4, 1},
    {-1, 0.0263750032F, 0, 0, 0},
    {6, 4.71571064F, 5, 6, 1},
    {-1, -0.0126030473F, 0, 0, 0},
    {5, 1.339347F, 7, 8, 1},
    {-1, -0.0175276976F, 0, 0, 0},
    {5, -0.406441748F, 9, 10, 0},
    {5, 2.87004375F, 11, 12, 1},
    {-1, 0.00569965504F, 0, 0, 0},
    {-1, -0.0177031402F, 0, 0, 0},
    {-1, 0.0218980219F, 0, 0, 0},
    {-1, 0.0016554551F, 0, 0, 0},
    /* tree 2 */
    {0, 4.63133335F, 1, 2, 1},
    {0, 3.18368506F, 3, 4, 1},
    {-1, 0.0237375014F, 0, 0, 0},
    {4, -4.19117117F, 5, 6, 0},
    {-1, -0.0113427434F, 0, 0, 0},
    {5, 2.68588066F, 7, 8, 1},
    {4, -1.79638982F, 9, 10, 0},
    {-1, -0.0231512226F, 0, 0, 0},
    {-1, 0.0119400909F, 0, 0, 0},
    {6, -0.686908185F, 11, 12, 0},
    {-1, -0.000560387911F, 0, 0, 0},
    {-1, -0.00311871921F, 0, 0, 0},
    {-1, 0.0217120834F, 0, 0, 0},
    /* tree 3 */
    {2, 1.29065001F, 1, 2, 1},
    {5, -1.176736F, 3, 4, 0},
    {5, 1.85291183F, 9, 10, 1},
    {3, 1.90625358F, 5, 6, 1},
    {4, 1.00000002e-35F, 7, 8, 1},
    {-1, 0.00378873572F, 0, 0, 0},
    {-1, 0.0264766328F, 0, 0, 0},
    {-1, 0.00851209275F, 0, 0, 0},
    {-1, -0.0110110743F, 0, 0, 0},
    {-1, -0.00990990549F, 0, 0, 0},
    {5, 2.38461304F, 11, 12, 1},
    {-1, 0.0319343396F, 0, 0, 0},
    {-1, -0.000716517039F, 0, 0, 0},
    /* tree 4 */
    {0, 4.63133335F, 1, 2, 1},
    {0, 3.31637788F, 3, 4, 1},
    {-1, 0.0215171017F, 0, 0, 0},
    {4, -3.98065853F, 5, 6, 0},
    {2, 1.01226485F, 9, 10, 1},
    {-1, -0.0106977317F, 0, 0, 0},
    {4, -1.79638982F, 7, 8, 0},
    {-1, 0.0134537239F, 0, 0, 0},
    {-1, -0.000527153141F, 0, 0, 0},
    {5, -0.236223072F, 11, 12, 0},
    {-1, -0.0252782125F, 0, 0, 0},
    {-1, 0.0158849563F, 0, 0, 0},
    {-1, -0.0155803468F, 0, 0, 0},
    /* clang-format on */
};

/* The score of one row, the plain way: float sum over trees in order. */
static inline float fixture_tree_score(const float *row) {
    float sum = 0;
    for (int tree = 0; tree < FIXTURE_TREES; tree++) {
        const fixture_node *nodes = fixture_nodes + (ptrdiff_t)tree * FIXTURE_TREE_NODES,
                           *node = nodes;
        while (node->feature >= 0) {
            float x = row[node->feature];
            node = nodes + (x <= node->value || (x != x && node->missing) ? node->yes : node->no);
        }
        sum += node->value;
    }
    return sum;
}

/* The forest as ONNX bytes in `arena`; input_name NULL = "input", output_name NULL = "variable". */
static inline hz_status fixture_tree_bytes(const char *input_name, const char *output_name,
                                           hz_arena *arena, const void **bytes, size_t *length,
                                           hz_error *err) {
    static const char *const branch = "BRANCH_LEQ", *const leaf = "LEAF";
    int64_t trees[FIXTURE_NODES], ids[FIXTURE_NODES], features[FIXTURE_NODES], yes[FIXTURE_NODES];
    int64_t no[FIXTURE_NODES], missing[FIXTURE_NODES];
    float values[FIXTURE_NODES], rates[FIXTURE_NODES], weights[FIXTURE_LEAVES];
    const char *modes[FIXTURE_NODES];
    int64_t leaf_trees[FIXTURE_LEAVES], leaf_ids[FIXTURE_LEAVES], targets[FIXTURE_LEAVES];
    size_t leaves = 0;
    for (int i = 0; i < FIXTURE_NODES; i++) {
        const fixture_node *node = &fixture_nodes[i];
        trees[i] = i / FIXTURE_TREE_NODES;
        ids[i] = i % FIXTURE_TREE_NODES;
        features[i] = node->feature < 0 ? 0 : node->feature;
        modes[i] = node->feature < 0 ? leaf : branch;
        values[i] = node->feature < 0 ? 0 : node->value;
        rates[i] = 1;
        yes[i] = node->yes;
        no[i] = node->no;
        missing[i] = node->missing;
        if (node->feature < 0 && leaves < FIXTURE_LEAVES) {
            leaf_trees[leaves] = trees[i];
            leaf_ids[leaves] = ids[i];
            targets[leaves] = 0;
            weights[leaves++] = node->value;
        }
    }
    const char *input = input_name ? input_name : "input";
    const char *output = output_name ? output_name : "variable";
    const char *between = "trees";
    if (!input_name && !output_name) {
        between = "output"; /* as published: the value of this name is not the output */
    }
    const int64_t in_shape[] = {HZ_DYNAMIC, FIXTURE_COLUMNS}, out_shape[] = {HZ_DYNAMIC, 1};
    hz_builder *builder = hz_builder_new("trees", 4, 8, 1);
    hz_builder_input(builder, input, HZ_ELEMENT_FLOAT, in_shape, 2);
    hz_builder_output(builder, output, HZ_ELEMENT_FLOAT, out_shape, 2);
    hz_builder_node(builder, "ai.onnx.ml", "TreeEnsembleRegressor", &input, 1, &between, 1);
    hz_builder_int(builder, "n_targets", 1);
    hz_builder_ints(builder, "nodes_treeids", trees, FIXTURE_NODES);
    hz_builder_ints(builder, "nodes_nodeids", ids, FIXTURE_NODES);
    hz_builder_ints(builder, "nodes_featureids", features, FIXTURE_NODES);
    hz_builder_floats(builder, "nodes_values", values, FIXTURE_NODES);
    hz_builder_floats(builder, "nodes_hitrates", rates, FIXTURE_NODES);
    hz_builder_strings(builder, "nodes_modes", modes, FIXTURE_NODES);
    hz_builder_ints(builder, "nodes_truenodeids", yes, FIXTURE_NODES);
    hz_builder_ints(builder, "nodes_falsenodeids", no, FIXTURE_NODES);
    hz_builder_ints(builder, "nodes_missing_value_tracks_true", missing, FIXTURE_NODES);
    hz_builder_ints(builder, "target_treeids", leaf_trees, FIXTURE_LEAVES);
    hz_builder_ints(builder, "target_nodeids", leaf_ids, FIXTURE_LEAVES);
    hz_builder_ints(builder, "target_ids", targets, FIXTURE_LEAVES);
    hz_builder_floats(builder, "target_weights", weights, FIXTURE_LEAVES);
    hz_builder_string(builder, "post_transform", "NONE");
    hz_builder_node(builder, "", "Identity", &between, 1, &output, 1);
    hz_status status = hz_builder_finish(builder, arena, bytes, length, err);
    hz_builder_free(builder);
    return status;
}

#endif
