/* SPDX-License-Identifier: MIT */
/*
 * Running a forest: see forest.h for the three ways. Scores are sums of floats in the order of the
 * trees, starting from zero; base values and the transform come last.
 */
#include "model/forest.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 8, MASK_LEAVES = 32 };

typedef float floats __attribute__((vector_size(BLOCK * sizeof(float))));
typedef int32_t masks __attribute__((vector_size(BLOCK * sizeof(int32_t))));

/* ---- the general way --------------------------------------------------------------------------- */

static bool passes(const hzi_tree_node *node, float x) {
    if (isnan(x) && node->missing_yes) {
        return true;
    }
    switch (node->test) {
    case HZI_TEST_LEQ:
        return x <= node->threshold;
    case HZI_TEST_LT:
        return x < node->threshold;
    case HZI_TEST_GTE:
        return x >= node->threshold;
    case HZI_TEST_GT:
        return x > node->threshold;
    case HZI_TEST_EQ:
        return x == node->threshold;
    default:
        return x != node->threshold;
    }
}

static const hzi_tree_node *find_leaf(const hzi_forest *forest, uint32_t root, const float *row) {
    const hzi_tree_node *node = &forest->nodes[root];
    while (node->test != HZI_TEST_LEAF) {
        node = &forest->nodes[passes(node, row[node->feature]) ? node->yes : node->no];
    }
    return node;
}

static void take_vote(const hzi_forest *forest, const hzi_vote *vote, float *scores, bool *voted) {
    float *score = &scores[vote->target];
    bool first = !voted[vote->target];
    voted[vote->target] = true;
    switch (forest->aggregate) {
    case HZI_AGGREGATE_MIN:
        *score = first || vote->weight < *score ? vote->weight : *score;
        break;
    case HZI_AGGREGATE_MAX:
        *score = first || vote->weight > *score ? vote->weight : *score;
        break;
    default:
        *score += vote->weight;
        break;
    }
}

/* What follows the sum over trees. */
static void finish(const hzi_forest *forest, float *scores) {
    for (int64_t i = 0; i < forest->targets; i++) {
        if (forest->aggregate == HZI_AGGREGATE_AVERAGE) {
            scores[i] /= (float)forest->trees;
        }
        if (forest->base) {
            scores[i] += forest->base[i];
        }
    }
    if (forest->transform != HZI_POST_NONE) {
        hzi_post_transform_row(forest->transform, scores, forest->targets);
    }
}

static void run_general(const hzi_forest *forest, const float *row, float *scores, bool *voted) {
    memset(scores, 0, (size_t)forest->targets * sizeof *scores);
    memset(voted, 0, (size_t)forest->targets * sizeof *voted);
    for (size_t tree = 0; tree < forest->trees; tree++) {
        const hzi_tree_node *leaf = find_leaf(forest, forest->roots[tree], row);
        for (uint32_t i = 0; i < leaf->no; i++) {
            take_vote(forest, &forest->votes[leaf->yes + i], scores, voted);
        }
    }
    finish(forest, scores);
}

/* ---- one row, the fast ways --------------------------------------------------------------------- */

static bool tests_nan(const hzi_forest *forest, const float *row) {
    bool found = false;
    for (size_t i = 0; i < forest->column_count; i++) {
        found |= isnan(row[forest->columns[i]]);
    }
    return found;
}

static float walk_row(const hzi_forest *forest, const float *row) {
    float sum = 0;
    for (size_t tree = 0; tree < forest->trees; tree++) {
        const hzi_walk_node *node = &forest->walk[forest->walk_roots[tree]];
        while (node->feature != HZI_WALK_LEAF) {
            node = &forest->walk[node->child[!(row[node->feature] <= node->value)]];
        }
        sum += node->value;
    }
    return sum;
}

static float mask_row(const hzi_forest *forest, const float *row, float *slots) {
    for (size_t i = 0; i < forest->column_count; i++) {
        slots[i] = row[forest->columns[i]];
    }
    const hzi_mask_test *test = forest->mask_tests;
    float sum = 0;
    for (size_t tree = 0; tree < forest->trees; tree++) {
        const hzi_mask_test *end = test + forest->mask_trees[tree].tests;
        uint32_t left = UINT32_MAX;
        for (; test < end; test++) {
            left &= -(uint32_t)(slots[test->slot] <= test->threshold) | test->keep;
        }
        sum += forest->mask_weights[forest->mask_trees[tree].first_weight +
                                    (uint32_t)__builtin_ctz(left)];
    }
    return sum;
}

static void run_row(const hzi_forest *forest, const float *row, float *score, void *scratch) {
    if (forest->way == HZI_FOREST_GENERAL || tests_nan(forest, row)) {
        run_general(forest, row, score, scratch);
        return;
    }
    *score =
        forest->way == HZI_FOREST_MASKS ? mask_row(forest, row, scratch) : walk_row(forest, row);
    finish(forest, score);
}

/* ---- eight rows --------------------------------------------------------------------------------- */

/* Puts the tested columns of eight rows side by side; false when a NaN is among them. */
static bool gather(const hzi_forest *forest, const float *rows, floats *slots) {
    masks nan = {0};
    for (size_t i = 0; i < forest->column_count; i++) {
        const float *x = rows + forest->columns[i];
        size_t width = (size_t)forest->width;
        slots[i] = (floats){x[0],         x[width],     x[2 * width], x[3 * width],
                            x[4 * width], x[5 * width], x[6 * width], x[7 * width]};
        nan |= slots[i] != slots[i];
    }
    int32_t any = 0;
    for (int i = 0; i < BLOCK; i++) {
        any |= nan[i];
    }
    return any == 0;
}

static void mask_block(const hzi_forest *forest, const floats *slots, float *scores) {
    const hzi_mask_test *test = forest->mask_tests;
    for (int i = 0; i < BLOCK; i++) {
        scores[i] = 0;
    }
    for (size_t tree = 0; tree < forest->trees; tree++) {
        const hzi_mask_test *end = test + forest->mask_trees[tree].tests;
        masks left = ~(masks){0};
        for (; test < end; test++) {
            masks passed = slots[test->slot] <= test->threshold;
            left &= passed | (int32_t)test->keep;
        }
        const float *weights = forest->mask_weights + forest->mask_trees[tree].first_weight;
        for (int i = 0; i < BLOCK; i++) {
            scores[i] += weights[__builtin_ctz((uint32_t)left[i])];
        }
    }
}

static void run_block(const hzi_forest *forest, const float *rows, float *scores, void *scratch) {
    if (!gather(forest, rows, scratch)) {
        for (int i = 0; i < BLOCK; i++) {
            run_row(forest, rows + i * forest->width, scores + i, scratch);
        }
        return;
    }
    mask_block(forest, scratch, scores);
    if (forest->aggregate != HZI_AGGREGATE_SUM || forest->base ||
        forest->transform != HZI_POST_NONE) {
        for (int i = 0; i < BLOCK; i++) {
            finish(forest, scores + i);
        }
    }
}

size_t hzi_forest_scratch(const hzi_forest *forest) {
    size_t voted = (size_t)forest->targets * sizeof(bool);
    size_t slots = forest->way == HZI_FOREST_MASKS ? forest->column_count * sizeof(floats) : 0;
    return voted > slots ? voted : slots;
}

void hzi_forest_run(const hzi_forest *forest, const float *rows, int64_t count, float *results,
                    void *scratch) {
    int64_t row = 0;
    if (forest->way == HZI_FOREST_MASKS) {
        for (; row + BLOCK <= count; row += BLOCK) {
            run_block(forest, rows + row * forest->width, results + row, scratch);
        }
    }
    for (; row < count; row++) {
        run_row(forest, rows + row * forest->width, results + row * forest->targets, scratch);
    }
}

/* ---- laying out --------------------------------------------------------------------------------- */

/* Whether each test can be x <= threshold and each leaf votes once for the one target. */
static bool is_plain(const hzi_forest *forest) {
    if (forest->targets != 1 || forest->aggregate == HZI_AGGREGATE_MIN ||
        forest->aggregate == HZI_AGGREGATE_MAX) {
        return false;
    }
    for (size_t i = 0; i < forest->node_count; i++) {
        const hzi_tree_node *node = &forest->nodes[i];
        if (node->test == HZI_TEST_LEAF ? node->no != 1
                                        : node->test >= HZI_TEST_EQ || isnan(node->threshold)) {
            return false;
        }
    }
    return true;
}

/* A test as x <= *threshold; *yes and *no are where it leads. Rows with NaN do not come here. */
static void as_leq(const hzi_tree_node *node, float *threshold, uint32_t *yes, uint32_t *no) {
    bool turned = node->test == HZI_TEST_GTE || node->test == HZI_TEST_GT;
    *yes = turned ? node->no : node->yes;
    *no = turned ? node->yes : node->no;
    *threshold = node->threshold;
    if (node->test == HZI_TEST_LT || node->test == HZI_TEST_GTE) {
        /* x < t is x <= the float below t; nothing is below minus infinity. */
        *threshold = isinf(node->threshold) && node->threshold < 0
                         ? NAN
                         : nextafterf(node->threshold, -INFINITY);
    }
}

static hz_status compile_walk(hzi_step *step, hzi_forest *forest) {
    forest->walk = hzi_step_alloc(step, forest->node_count * sizeof *forest->walk);
    if (!forest->walk) {
        return hzi_step_no_memory(step);
    }
    for (size_t i = 0; i < forest->node_count; i++) {
        const hzi_tree_node *node = &forest->nodes[i];
        hzi_walk_node *to = &forest->walk[i];
        if (node->test == HZI_TEST_LEAF) {
            *to = (hzi_walk_node){forest->votes[node->yes].weight, HZI_WALK_LEAF, {0, 0}};
        } else {
            to->feature = node->feature;
            as_leq(node, &to->value, &to->child[0], &to->child[1]);
        }
    }
    forest->walk_roots = forest->roots;
    return HZ_OK;
}

typedef struct layout {
    hzi_forest *forest;
    const uint32_t *slot_of; /* by column */
    size_t tests, weights;   /* so far */
    uint32_t leaf;           /* next bit in this tree */
} layout;

/* Lays out the subtree at a node; returns the set of its leaves. No deeper than it has leaves. */
static uint32_t lay_subtree(layout *lay, uint32_t at) { /* NOLINT(misc-no-recursion): 32 deep */
    const hzi_tree_node *node = &lay->forest->nodes[at];
    if (node->test == HZI_TEST_LEAF) {
        lay->forest->mask_weights[lay->weights++] = lay->forest->votes[node->yes].weight;
        return UINT32_C(1) << lay->leaf++;
    }
    hzi_mask_test *test = &lay->forest->mask_tests[lay->tests++];
    uint32_t yes, no;
    as_leq(node, &test->threshold, &yes, &no);
    test->slot = lay->slot_of[node->feature];
    uint32_t struck = lay_subtree(lay, yes);
    test->keep = ~struck;
    return struck | lay_subtree(lay, no);
}

/* Leaves below a node, but no more than `most` + 1 are counted. */
static uint32_t count_leaves(const hzi_forest *forest, uint32_t at, uint32_t most) {
    uint32_t stack[MASK_LEAVES + 2], height = 0, leaves = 0;
    stack[height++] = at;
    while (height > 0 && leaves + height <= most) {
        const hzi_tree_node *node = &forest->nodes[stack[--height]];
        if (node->test == HZI_TEST_LEAF) {
            leaves++;
        } else {
            stack[height++] = node->no;
            stack[height++] = node->yes;
        }
    }
    return leaves + height;
}

static bool fits_masks(const hzi_forest *forest) {
    for (size_t tree = 0; tree < forest->trees; tree++) {
        if (count_leaves(forest, forest->roots[tree], MASK_LEAVES) > MASK_LEAVES) {
            return false;
        }
    }
    return true;
}

static hz_status compile_masks(hzi_step *step, hzi_forest *forest, const uint32_t *slot_of) {
    size_t nodes = forest->node_count; /* tests and leaves together */
    forest->mask_trees = hzi_step_alloc(step, forest->trees * sizeof *forest->mask_trees);
    forest->mask_tests = hzi_step_alloc(step, nodes * sizeof *forest->mask_tests);
    forest->mask_weights = hzi_step_alloc(step, nodes * sizeof *forest->mask_weights);
    if (!forest->mask_trees || !forest->mask_tests || !forest->mask_weights) {
        return hzi_step_no_memory(step);
    }
    layout lay = {.forest = forest, .slot_of = slot_of};
    for (size_t tree = 0; tree < forest->trees; tree++) {
        size_t before = lay.tests;
        forest->mask_trees[tree].first_weight = (uint32_t)lay.weights;
        lay.leaf = 0;
        (void)lay_subtree(&lay, forest->roots[tree]);
        forest->mask_trees[tree].tests = (uint32_t)(lay.tests - before);
    }
    return HZ_OK;
}

/* Lists the columns that are tested and numbers them. */
static hz_status list_columns(hzi_step *step, hzi_forest *forest, uint32_t **slot_of) {
    *slot_of = hzi_step_alloc(step, (size_t)forest->width * sizeof **slot_of);
    bool *tested = hzi_step_alloc(step, (size_t)forest->width * sizeof *tested);
    forest->columns = hzi_step_alloc(step, (size_t)forest->width * sizeof *forest->columns);
    if (!*slot_of || !tested || !forest->columns) {
        return hzi_step_no_memory(step);
    }
    for (size_t i = 0; i < forest->node_count; i++) {
        if (forest->nodes[i].test != HZI_TEST_LEAF) {
            tested[forest->nodes[i].feature] = true;
        }
    }
    for (int64_t i = 0; i < forest->width; i++) {
        if (tested[i]) {
            (*slot_of)[i] = (uint32_t)forest->column_count;
            forest->columns[forest->column_count++] = (uint32_t)i;
        }
    }
    return HZ_OK;
}

hz_status hzi_forest_compile(hzi_step *step, hzi_forest *forest) {
    forest->way = HZI_FOREST_GENERAL;
    if (!is_plain(forest)) {
        return HZ_OK;
    }
    uint32_t *slot_of = NULL;
    hz_status status = list_columns(step, forest, &slot_of);
    if (status) {
        return status;
    }
    if (fits_masks(forest)) {
        forest->way = HZI_FOREST_MASKS;
        return compile_masks(step, forest, slot_of);
    }
    forest->way = HZI_FOREST_WALK;
    return compile_walk(step, forest);
}
