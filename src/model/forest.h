/* SPDX-License-Identifier: MIT */
/*
 * A forest of decision trees, ready to score rows. src/model/tree.c reads it from a node and checks
 * it; here it is only run.
 *
 * There are three ways to run one forest, with the same bits:
 *
 * - general: from the root of each tree to a leaf, whatever the tests and votes are;
 * - walk: the same over compact nodes, when every leaf has one vote for the one target and every test
 *   can be written as x <= threshold;
 * - masks: as walk, when no tree has more than 32 leaves. A tree's leaves are bits, numbered from
 *   "yes" to "no"; a test that fails strikes out the leaves of its "yes" side, and the lowest bit
 *   that is left is the leaf. All tests are made, but in any order, without a jump and for eight rows
 *   at once, which for small trees is much faster than walking.
 *
 * Rows with a NaN in a column that is tested go the general way.
 */
#ifndef HAZARD_MODEL_FOREST_H
#define HAZARD_MODEL_FOREST_H

#include "model/post_transform.h"

typedef enum hzi_test {
    HZI_TEST_LEAF,
    HZI_TEST_LEQ,
    HZI_TEST_LT,
    HZI_TEST_GTE,
    HZI_TEST_GT,
    HZI_TEST_EQ,
    HZI_TEST_NEQ,
    HZI_TEST_COUNT
} hzi_test;

typedef enum hzi_aggregate {
    HZI_AGGREGATE_SUM,
    HZI_AGGREGATE_AVERAGE,
    HZI_AGGREGATE_MIN,
    HZI_AGGREGATE_MAX
} hzi_aggregate;

typedef struct hzi_tree_node {
    uint8_t test;     /* hzi_test */
    bool missing_yes; /* NaN passes the test */
    float threshold;
    uint32_t feature;
    uint32_t yes, no; /* nodes; of a leaf: its first vote, how many it has */
} hzi_tree_node;

typedef struct hzi_vote {
    uint32_t target;
    float weight;
} hzi_vote;

/* Compact nodes of `walk`. */
typedef struct hzi_walk_node {
    float value;       /* threshold; of a leaf its weight */
    uint32_t feature;  /* HZI_WALK_LEAF for a leaf */
    uint32_t child[2]; /* [0] when x <= value, else [1] */
} hzi_walk_node;
#define HZI_WALK_LEAF UINT32_MAX

/* A test of `masks`. */
typedef struct hzi_mask_test {
    float threshold;
    uint32_t keep; /* leaves that stay when the test fails */
    uint32_t slot; /* of the column, among those that are tested */
} hzi_mask_test;

typedef struct hzi_mask_tree {
    uint32_t tests;        /* how many */
    uint32_t first_weight; /* of its leaves, by bit */
} hzi_mask_tree;

typedef struct hzi_forest {
    /* Filled by the reader: */
    int64_t width;   /* columns of a row */
    int64_t targets; /* numbers per result */
    size_t trees, node_count;
    uint32_t *roots; /* in the order in which trees are summed */
    hzi_tree_node *nodes;
    hzi_vote *votes;
    hzi_aggregate aggregate;
    const float *base; /* one per target; NULL = none */
    hzi_post_transform transform;
    /* Filled by hzi_forest_compile: */
    enum { HZI_FOREST_GENERAL, HZI_FOREST_WALK, HZI_FOREST_MASKS } way;
    size_t column_count; /* that are tested */
    uint32_t *columns;
    uint32_t *walk_roots;
    hzi_walk_node *walk;
    hzi_mask_tree *mask_trees;
    hzi_mask_test *mask_tests; /* of all trees, one after another */
    float *mask_weights;
} hzi_forest;

/* Chooses the fastest way and lays the forest out for it. HZ_NO_MEMORY. */
hz_status hzi_forest_compile(hzi_step *step, hzi_forest *forest);
/* Work memory for hzi_forest_run, 64-byte aligned. */
size_t hzi_forest_scratch(const hzi_forest *forest);
/* Rows of `width` floats in, `targets` floats each out. */
void hzi_forest_run(const hzi_forest *forest, const float *rows, int64_t count, float *results,
                    void *scratch);

#endif
