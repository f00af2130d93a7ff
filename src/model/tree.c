/* SPDX-License-Identifier: MIT */
/*
 * TreeEnsembleRegressor: reading the parallel arrays of the node and checking that they are trees.
 * Each tree has one root, every other node exactly one parent, every branch two children, and from
 * the root all nodes are reached; then no walk can run in circles. Trees are summed in the order in
 * which they first appear. Running them is src/model/forest.c.
 */
#include "model/forest.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A node or vote by its ids, and where it stands in the arrays. */
typedef struct key {
    int64_t tree, node;
    uint32_t index;
} key;

typedef struct arrays {
    size_t count, votes;
    const int64_t *trees, *nodes, *features, *yes, *no, *missing;
    const char *const *modes;
    const float *values;
    const int64_t *vote_trees, *vote_nodes, *vote_targets;
    const float *vote_weights;
    key *order; /* the nodes by their ids */
} arrays;

/* ---- reading the arrays ------------------------------------------------------------------------ */

static hz_status same_length(hzi_step *step, const char *name, size_t count, const char *as,
                             size_t wanted) {
    if (count != wanted) {
        return hzi_step_refuse(step, "%s has %zu entries, %s has %zu", name, count, as, wanted);
    }
    return HZ_OK;
}

/* *count is 0 before: any length; else it must be that one. */
static hz_status read_ints(hzi_step *step, const char *name, const char *as, size_t *count,
                           const int64_t **values) {
    size_t length = 0;
    hz_status status = hzi_step_ints(step, name, values, &length);
    if (status) {
        return status;
    }
    if (!*values || length == 0) {
        return hzi_step_refuse(step, "%s is missing or empty", name);
    }
    if (*count == 0) {
        *count = length;
    }
    return same_length(step, name, length, as, *count);
}

/* Floats from the attribute or, since opset 3, from a tensor of floats in NAME_as_tensor. */
static hz_status read_floats(hzi_step *step, const char *name, const float **values,
                             size_t *count) {
    char other[64] = "";
    strncat(other, name, sizeof other - sizeof "_as_tensor");
    strncat(other, "_as_tensor", sizeof other - strlen(other) - 1);
    const hz_tensor *tensor = NULL;
    hz_status status = hzi_step_floats(step, name, values, count);
    status = status ? status : hzi_step_tensor(step, other, &tensor);
    if (status || !tensor) {
        return status;
    }
    if (*values) {
        return hzi_step_refuse(step, "both %s and %s are given", name, other);
    }
    if (tensor->element != HZ_ELEMENT_FLOAT) {
        return hzi_step_refuse(step, "%s is of %s, only FLOAT is served", other,
                               hz_element_name(tensor->element));
    }
    *values = tensor->data;
    *count = hz_tensor_count(tensor);
    return HZ_OK;
}

static hz_status read_nodes(hzi_step *step, arrays *a) {
    static const char *const FIRST = "nodes_treeids";
    size_t modes = 0, values = 0, rates = 0, missing = 0;
    const float *unused = NULL;
    hz_status status = read_ints(step, FIRST, FIRST, &a->count, &a->trees);
    status = status ? status : read_ints(step, "nodes_nodeids", FIRST, &a->count, &a->nodes);
    status = status ? status : read_ints(step, "nodes_featureids", FIRST, &a->count, &a->features);
    status = status ? status : read_ints(step, "nodes_truenodeids", FIRST, &a->count, &a->yes);
    status = status ? status : read_ints(step, "nodes_falsenodeids", FIRST, &a->count, &a->no);
    status = status ? status : hzi_step_strings(step, "nodes_modes", &a->modes, &modes);
    status = status ? status : same_length(step, "nodes_modes", modes, FIRST, a->count);
    status = status ? status : read_floats(step, "nodes_values", &a->values, &values);
    status = status ? status : same_length(step, "nodes_values", values, FIRST, a->count);
    status = status ? status : read_floats(step, "nodes_hitrates", &unused, &rates);
    if (!status && rates > 0) {
        status = same_length(step, "nodes_hitrates", rates, FIRST, a->count);
    }
    status = status ? status
                    : hzi_step_ints(step, "nodes_missing_value_tracks_true", &a->missing, &missing);
    if (!status && missing > 0) {
        status = same_length(step, "nodes_missing_value_tracks_true", missing, FIRST, a->count);
    }
    if (missing == 0) {
        a->missing = NULL;
    }
    return status;
}

static hz_status read_votes(hzi_step *step, arrays *a) {
    static const char *const FIRST = "target_treeids";
    size_t weights = 0;
    hz_status status = read_ints(step, FIRST, FIRST, &a->votes, &a->vote_trees);
    status = status ? status : read_ints(step, "target_nodeids", FIRST, &a->votes, &a->vote_nodes);
    status = status ? status : read_ints(step, "target_ids", FIRST, &a->votes, &a->vote_targets);
    status = status ? status : read_floats(step, "target_weights", &a->vote_weights, &weights);
    status = status ? status : same_length(step, "target_weights", weights, FIRST, a->votes);
    if (!status && (a->count > UINT32_MAX / 2 || a->votes > UINT32_MAX / 2)) {
        return hzi_step_refuse(step, "%zu nodes and %zu weights are too many", a->count, a->votes);
    }
    return status;
}

static hz_status read_settings(hzi_step *step, hzi_forest *forest) {
    static const char *const NAMES[] = {"SUM", "AVERAGE", "MIN", "MAX"};
    const char *aggregate = NULL;
    size_t base = 0;
    hz_status status = hzi_step_int(step, "n_targets", 0, &forest->targets);
    status = status ? status : hzi_step_string(step, "aggregate_function", "SUM", &aggregate);
    status = status ? status : read_floats(step, "base_values", &forest->base, &base);
    status = status ? status : hzi_post_transform_read(step, &forest->transform);
    if (status) {
        return status;
    }
    if (forest->targets < 1 || forest->targets > UINT32_MAX / 2) {
        return hzi_step_refuse(step, "n_targets %" PRId64 " is missing or out of range",
                               forest->targets);
    }
    if (base == 0) {
        forest->base = NULL;
    } else if (base != (size_t)forest->targets) {
        return hzi_step_refuse(step, "base_values has %zu entries for %" PRId64 " targets", base,
                               forest->targets);
    }
    for (int i = 0; i < 4; i++) {
        if (strcmp(aggregate, NAMES[i]) == 0) {
            forest->aggregate = (hzi_aggregate)i;
            return HZ_OK;
        }
    }
    return hzi_step_refuse(step, "aggregate_function '%.80s' is unknown", aggregate);
}

/* ---- from arrays to trees ---------------------------------------------------------------------- */

static int compare_keys(const void *left, const void *right) {
    const key *a = left, *b = right;
    if (a->tree != b->tree) {
        return a->tree < b->tree ? -1 : 1;
    }
    if (a->node != b->node) {
        return a->node < b->node ? -1 : 1;
    }
    return a->index < b->index ? -1 : a->index > b->index;
}

/* Where the node with these ids stands, UINT32_MAX when there is none. */
static uint32_t find_node(const arrays *a, int64_t tree, int64_t node) {
    size_t low = 0, high = a->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const key *at = &a->order[middle];
        if (at->tree < tree || (at->tree == tree && at->node < node)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool found = low < a->count && a->order[low].tree == tree && a->order[low].node == node;
    return found ? a->order[low].index : UINT32_MAX;
}

static hz_status sort_nodes(hzi_step *step, arrays *a) {
    a->order = hzi_step_alloc(step, a->count * sizeof *a->order);
    if (!a->order) {
        return hzi_step_no_memory(step);
    }
    for (size_t i = 0; i < a->count; i++) {
        a->order[i] = (key){a->trees[i], a->nodes[i], (uint32_t)i};
    }
    qsort(a->order, a->count, sizeof *a->order, compare_keys);
    for (size_t i = 1; i < a->count; i++) {
        if (a->order[i].tree == a->order[i - 1].tree && a->order[i].node == a->order[i - 1].node) {
            return hzi_step_refuse(step, "tree %" PRId64 " has two nodes %" PRId64,
                                   a->order[i].tree, a->order[i].node);
        }
    }
    return HZ_OK;
}

static hz_status read_mode(hzi_step *step, const arrays *a, size_t at, uint8_t *test) {
    static const char *const NAMES[HZI_TEST_COUNT] = {
        "LEAF", "BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ"};
    for (int i = 0; i < HZI_TEST_COUNT; i++) {
        if (strcmp(a->modes[at], NAMES[i]) == 0) {
            *test = (uint8_t)i;
            return HZ_OK;
        }
    }
    return hzi_step_refuse(step, "node %" PRId64 " of tree %" PRId64 " has unknown mode '%.80s'",
                           a->nodes[at], a->trees[at], a->modes[at]);
}

/* Finds a child of node `at` and marks that it has a parent. */
static hz_status adopt(hzi_step *step, const arrays *a, size_t at, int64_t id, bool *has_parent,
                       uint32_t *child) {
    *child = find_node(a, a->trees[at], id);
    if (*child == UINT32_MAX) {
        return hzi_step_refuse(step,
                               "node %" PRId64 " of tree %" PRId64 " leads to node %" PRId64
                               ", which is not there",
                               a->nodes[at], a->trees[at], id);
    }
    if (has_parent[*child]) {
        return hzi_step_refuse(step, "node %" PRId64 " of tree %" PRId64 " has two parents", id,
                               a->trees[at]);
    }
    has_parent[*child] = true;
    return HZ_OK;
}

static hz_status make_nodes(hzi_step *step, const arrays *a, hzi_forest *forest, bool *has_parent) {
    for (size_t i = 0; i < a->count; i++) {
        hzi_tree_node *node = &forest->nodes[i];
        hz_status status = read_mode(step, a, i, &node->test);
        if (status || node->test == HZI_TEST_LEAF) {
            if (status) {
                return status;
            }
            continue;
        }
        if (a->features[i] < 0 || a->features[i] >= forest->width) {
            return hzi_step_refuse(step,
                                   "node %" PRId64 " of tree %" PRId64 " tests column %" PRId64
                                   " of a row of %" PRId64,
                                   a->nodes[i], a->trees[i], a->features[i], forest->width);
        }
        node->threshold = a->values[i];
        node->feature = (uint32_t)a->features[i];
        node->missing_yes = a->missing && a->missing[i] != 0;
        status = adopt(step, a, i, a->yes[i], has_parent, &node->yes);
        status = status ? status : adopt(step, a, i, a->no[i], has_parent, &node->no);
        if (status) {
            return status;
        }
    }
    return HZ_OK;
}

/* A tree in the sorted nodes: its first appearance decides its place. */
typedef struct group {
    uint32_t appears, root;
    size_t count; /* nodes */
} group;

static int compare_groups(const void *left, const void *right) {
    const group *a = left, *b = right;
    return a->appears < b->appears ? -1 : a->appears > b->appears;
}

/* Groups the sorted nodes into trees; each must have exactly one node without a parent. */
static hz_status find_roots(hzi_step *step, const arrays *a, const bool *has_parent, group *groups,
                            size_t *count) {
    for (size_t from = 0, to; from < a->count; from = to) {
        group *tree = &groups[(*count)++];
        *tree = (group){UINT32_MAX, UINT32_MAX, 0};
        for (to = from; to < a->count && a->order[to].tree == a->order[from].tree; to++) {
            uint32_t index = a->order[to].index;
            tree->appears = index < tree->appears ? index : tree->appears;
            tree->count++;
            if (has_parent[index]) {
                continue;
            }
            if (tree->root != UINT32_MAX) {
                return hzi_step_refuse(
                    step, "tree %" PRId64 " has two roots, nodes %" PRId64 " and %" PRId64,
                    a->order[from].tree, a->nodes[tree->root], a->nodes[index]);
            }
            tree->root = index;
        }
        if (tree->root == UINT32_MAX) {
            return hzi_step_refuse(step, "tree %" PRId64 " has no root: its nodes run in circles",
                                   a->order[from].tree);
        }
    }
    return HZ_OK;
}

/* Nodes reached from a root. Each has one parent, so none is met twice. */
static size_t count_reached(const hzi_forest *forest, uint32_t root, uint32_t *stack) {
    size_t height = 0, reached = 0;
    stack[height++] = root;
    while (height > 0) {
        const hzi_tree_node *node = &forest->nodes[stack[--height]];
        reached++;
        if (node->test != HZI_TEST_LEAF) {
            stack[height++] = node->yes;
            stack[height++] = node->no;
        }
    }
    return reached;
}

static hz_status make_trees(hzi_step *step, arrays *a, hzi_forest *forest) {
    bool *has_parent = hzi_step_alloc(step, a->count * sizeof *has_parent);
    uint32_t *stack = hzi_step_alloc(step, (a->count + 1) * sizeof *stack);
    group *groups = hzi_step_alloc(step, a->count * sizeof *groups);
    forest->node_count = a->count;
    forest->nodes = hzi_step_alloc(step, a->count * sizeof *forest->nodes);
    if (!has_parent || !stack || !groups || !forest->nodes) {
        return hzi_step_no_memory(step);
    }
    hz_status status = sort_nodes(step, a);
    status = status ? status : make_nodes(step, a, forest, has_parent);
    status = status ? status : find_roots(step, a, has_parent, groups, &forest->trees);
    if (status) {
        return status;
    }
    for (size_t i = 0; i < forest->trees; i++) {
        if (count_reached(forest, groups[i].root, stack) != groups[i].count) {
            return hzi_step_refuse(step, "tree %" PRId64 " has nodes that run in circles",
                                   a->trees[groups[i].root]);
        }
    }
    qsort(groups, forest->trees, sizeof *groups, compare_groups);
    forest->roots = hzi_step_alloc(step, forest->trees * sizeof *forest->roots);
    if (!forest->roots) {
        return hzi_step_no_memory(step);
    }
    for (size_t i = 0; i < forest->trees; i++) {
        forest->roots[i] = groups[i].root;
    }
    return HZ_OK;
}

/* ---- votes -------------------------------------------------------------------------------------- */

/* Puts the votes of each leaf side by side, in their given order. */
static hz_status make_votes(hzi_step *step, const arrays *a, hzi_forest *forest) {
    uint32_t *leaf_of = hzi_step_alloc(step, a->votes * sizeof *leaf_of);
    forest->votes = hzi_step_alloc(step, a->votes * sizeof *forest->votes);
    if (!leaf_of || !forest->votes) {
        return hzi_step_no_memory(step);
    }
    for (size_t i = 0; i < a->votes; i++) {
        leaf_of[i] = find_node(a, a->vote_trees[i], a->vote_nodes[i]);
        if (leaf_of[i] == UINT32_MAX || forest->nodes[leaf_of[i]].test != HZI_TEST_LEAF) {
            return hzi_step_refuse(
                step, "weight %zu is for node %" PRId64 " of tree %" PRId64 ", which is no leaf", i,
                a->vote_nodes[i], a->vote_trees[i]);
        }
        if (a->vote_targets[i] < 0 || a->vote_targets[i] >= forest->targets) {
            return hzi_step_refuse(step, "weight %zu is for target %" PRId64 " of %" PRId64, i,
                                   a->vote_targets[i], forest->targets);
        }
        forest->nodes[leaf_of[i]].no++;
    }
    uint32_t next = 0;
    for (size_t i = 0; i < forest->node_count; i++) {
        hzi_tree_node *node = &forest->nodes[i];
        if (node->test == HZI_TEST_LEAF) {
            node->yes = next;
            next += node->no;
            node->no = 0;
        }
    }
    for (size_t i = 0; i < a->votes; i++) {
        hzi_tree_node *leaf = &forest->nodes[leaf_of[i]];
        forest->votes[leaf->yes + leaf->no++] =
            (hzi_vote){(uint32_t)a->vote_targets[i], a->vote_weights[i]};
    }
    return HZ_OK;
}

/* ---- the operator -------------------------------------------------------------------------------- */

static void run_trees(const hzi_step *step) {
    const hzi_forest *forest = step->param;
    const hzi_tensor *x = step->inputs[0];
    hzi_forest_run(forest, x->data, x->shape.rank == 1 ? 1 : x->shape.dim[0],
                   step->outputs[0]->data, step->scratch);
}

static hz_status prepare_trees(hzi_step *step) {
    static const hz_element only_float[] = {HZ_ELEMENT_FLOAT, HZ_ELEMENT_UNDEFINED};
    const hzi_shape *shape = &step->inputs[0]->shape;
    hz_status status = hzi_step_element_in(step, 0, only_float);
    if (status) {
        return status;
    }
    if (shape->rank != 1 && shape->rank != 2) {
        return hzi_step_refuse(step, "an input of rank %d; 1 and 2 are known", shape->rank);
    }
    hzi_forest *forest = hzi_step_alloc(step, sizeof *forest);
    if (!forest) {
        return hzi_step_no_memory(step);
    }
    forest->width = shape->dim[shape->rank - 1];
    int64_t rows = shape->rank == 1 ? 1 : shape->dim[0];
    arrays a = {0};
    status = read_settings(step, forest);
    status = status ? status : read_nodes(step, &a);
    status = status ? status : read_votes(step, &a);
    status = status ? status : make_trees(step, &a, forest);
    status = status ? status : make_votes(step, &a, forest);
    status = status ? status : hzi_forest_compile(step, forest);
    if (status) {
        return status;
    }
    step->scratch_bytes = hzi_forest_scratch(forest);
    step->param = forest;
    step->run = run_trees;
    const hzi_shape result = {.rank = 2, .dim = {rows, forest->targets}};
    return hzi_step_output(step, 0, HZ_ELEMENT_FLOAT, &result);
}

#define NODE_ATTRIBUTES                                                                            \
    "aggregate_function base_values n_targets nodes_falsenodeids nodes_featureids nodes_hitrates " \
    "nodes_missing_value_tracks_true nodes_modes nodes_nodeids nodes_treeids nodes_truenodeids "   \
    "nodes_values post_transform target_ids target_nodeids target_treeids target_weights"

const hzi_operator hzi_operators_tree[] = {
    {.name = "TreeEnsembleRegressor",
     .domain = "ai.onnx.ml",
     .first = 1,
     .last = 2,
     .inputs_min = 1,
     .inputs_max = 1,
     .outputs_min = 1,
     .outputs_max = 1,
     .attributes = NODE_ATTRIBUTES,
     .prepare = prepare_trees},
    {.name = "TreeEnsembleRegressor",
     .domain = "ai.onnx.ml",
     .first = 3,
     .last = 4,
     .inputs_min = 1,
     .inputs_max = 1,
     .outputs_min = 1,
     .outputs_max = 1,
     .attributes = NODE_ATTRIBUTES " base_values_as_tensor nodes_hitrates_as_tensor "
                                   "nodes_values_as_tensor target_weights_as_tensor",
     .prepare = prepare_trees},
    {.name = NULL},
};
