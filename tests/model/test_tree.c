/* SPDX-License-Identifier: MIT */
/* Forests: published answers, random ones against the plain way, what is no tree is refused. */
#include "model/ensemble.h"
#include "model/fixture_tree.h"

#include <stdio.h>

enum { ROWS = 41 };

static hz_model *open_forest(const ensemble *e, int opset) {
    hz_arena arena = {0};
    const void *bytes = NULL;
    size_t length = 0;
    hz_model *model = NULL;
    hz_error err;
    ensemble_write(e, opset, &arena, &bytes, &length);
    if (hz_model_open(bytes, length, NULL, &model, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
    hz_arena_fini(&arena);
    return model;
}

static hz_model *open_fixture(void) {
    hz_arena arena = {0};
    const void *bytes = NULL;
    size_t length = 0;
    hz_model *model = NULL;
    hz_error err;
    assert_int_equal(fixture_tree_bytes(NULL, NULL, &arena, &bytes, &length, &err), HZ_OK);
    if (hz_model_open(bytes, length, NULL, &model, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
    hz_arena_fini(&arena);
    return model;
}

static void close_model(hz_model *model) {
    assert_int_equal(hz_model_close(model, NULL), HZ_OK);
}

/* Runs `count` rows; the caller frees. */
static float *run_rows(hz_model *model, const float *rows, int64_t count, int64_t width) {
    hz_arena arena = {0};
    hz_error err;
    union {
        const float *read;
        void *data;
    } memory = {rows};
    hz_tensor x = {HZ_ELEMENT_FLOAT, 2, {count, width}, memory.data}, y;
    if (hz_model_run(model, &x, 1, &y, 1, &arena, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
    size_t size = hz_tensor_count(&y) * sizeof(float);
    float *values = malloc(size + 1);
    assert_non_null(values);
    memcpy(values, y.data, size);
    hz_arena_fini(&arena);
    return values;
}

/* ---- the published forest -------------------------------------------------------------------- */

static void published_rows_get_their_published_answers(void **state) {
    (void)state;
    test_table table = test_table_load("model_tree.tsv", 4);
    hz_model *model = open_fixture();
    for (size_t i = 0; i < table.count; i++) {
        float row[FIXTURE_COLUMNS], value;
        const char *text = table.rows[i].field[1];
        for (int k = 0; k < FIXTURE_COLUMNS; k++) {
            char *end;
            row[k] = strtof(text, &end);
            text = end;
        }
        assert_int_equal(hz_model_rows(model, row, 1, FIXTURE_COLUMNS, &value, NULL), HZ_OK);
        double expected = strtod(table.rows[i].field[2], NULL);
        assert_true(fabs((double)value - expected) <= 2e-6);
        test_same_number(table.rows[i].field[0], "score", test_number(table.rows[i].field[3]),
                         (uint64_t)(value * 10000.0F));
        assert_true(value == fixture_tree_score(row));
    }
    close_model(model);
    test_table_free(&table);
}

static void the_published_forest_is_summed_in_order(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    hz_model *model = open_fixture();
    for (size_t round = 0; round < test_effort(200); round++) {
        float rows[ROWS * FIXTURE_COLUMNS], values[ROWS];
        size_t n = hz_random_draw(&random, ROWS + 1);
        for (size_t i = 0; i < n * FIXTURE_COLUMNS; i++) {
            rows[i] = (float)(int)hz_random_draw(&random, 21) - 10;
            if (hz_random_draw(&random, 200) == 0) {
                rows[i] = NAN;
            }
        }
        assert_int_equal(hz_model_rows(model, rows, n, FIXTURE_COLUMNS, values, NULL), HZ_OK);
        for (size_t i = 0; i < n; i++) {
            assert_true(values[i] == fixture_tree_score(rows + i * FIXTURE_COLUMNS));
        }
    }
    close_model(model);
}

/* ---- random forests -------------------------------------------------------------------------- */

static void compare_with_plain_way(const ensemble *e, hz_random *random, int opset, bool odd) {
    hz_model *model = open_forest(e, opset);
    int64_t n = 1 + hz_random_draw(random, ROWS);
    float *rows = malloc((size_t)(n * e->width) * sizeof *rows);
    assert_non_null(rows);
    for (int64_t i = 0; i < n * e->width; i++) {
        rows[i] = ensemble_number(random, odd);
    }
    float *values = run_rows(model, rows, n, e->width);
    for (int64_t i = 0; i < n; i++) {
        float scores[ENSEMBLE_TARGETS];
        ensemble_score(e, rows + i * e->width, scores);
        for (int64_t t = 0; t < e->targets; t++) {
            float value = values[i * e->targets + t];
            if (value != scores[t]) {
                fail_msg("row %d, target %d: %.9g instead of %.9g", (int)i, (int)t, (double)value,
                         (double)scores[t]);
            }
        }
    }
    free(rows);
    free(values);
    close_model(model);
}

static void check_style(const ensemble_style *style, size_t rounds, bool odd_rows) {
    hz_random random = hz_random_from_seed(test_seed() + style->leaves);
    ensemble *e = malloc(sizeof *e);
    assert_non_null(e);
    for (size_t round = 0; round < test_effort(rounds); round++) {
        ensemble_make(e, &random, style);
        if (hz_random_draw(&random, 3) == 0) {
            e->aggregate = "AVERAGE";
        }
        if (hz_random_draw(&random, 3) == 0) {
            e->based = true;
            for (int i = 0; i < ENSEMBLE_TARGETS; i++) {
                e->base[i] = (float)i + 0.125F;
            }
        }
        compare_with_plain_way(e, &random, 1 + 2 * (int)hz_random_draw(&random, 2), odd_rows);
    }
    free(e);
}

static void small_trees(void **state) {
    (void)state;
    const ensemble_style style = {.trees = 9, .leaves = 32, .modes = 4, .targets = 1};
    check_style(&style, 100, false);
}

static void trees_with_more_leaves_than_a_mask(void **state) {
    (void)state;
    const ensemble_style style = {.trees = 7, .leaves = 150, .modes = 4, .targets = 1};
    check_style(&style, 60, false);
}

static void odd_thresholds_and_odd_rows(void **state) {
    (void)state;
    const ensemble_style style = {
        .trees = 9, .leaves = 31, .modes = 4, .targets = 1, .odd_values = true};
    check_style(&style, 200, true);
    const ensemble_style large = {
        .trees = 5, .leaves = 101, .modes = 4, .targets = 1, .odd_values = true};
    check_style(&large, 60, true);
}

static void every_test_and_any_number_of_votes(void **state) {
    (void)state;
    const ensemble_style style = {
        .trees = 6, .leaves = 20, .modes = 6, .targets = 3, .odd_votes = true, .odd_values = true};
    check_style(&style, 100, true);
    const ensemble_style one = {
        .trees = 6, .leaves = 21, .modes = 6, .targets = 1, .odd_votes = true};
    check_style(&one, 100, true);
}

static void least_and_largest_votes(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed() + 7);
    const ensemble_style style = {
        .trees = 8, .leaves = 12, .modes = 6, .targets = 2, .odd_votes = true};
    ensemble *e = malloc(sizeof *e);
    assert_non_null(e);
    for (size_t round = 0; round < test_effort(100); round++) {
        ensemble_make(e, &random, &style);
        e->aggregate = hz_random_draw(&random, 2) ? "MIN" : "MAX";
        compare_with_plain_way(e, &random, 3, true);
    }
    free(e);
}

/* ---- transforms ------------------------------------------------------------------------------ */

/* What a transform makes of scores; of SOFTMAX_ZERO only when no score is near 0. */
static void transform(const char *name, const float *scores, int64_t n, double *results) {
    double sum = 0;
    for (int64_t i = 0; i < n; i++) {
        sum += exp((double)scores[i]);
    }
    for (int64_t i = 0; i < n; i++) {
        double score = (double)scores[i];
        results[i] = strncmp(name, "SOFTMAX", 7) == 0 ? exp(score) / sum : 1 / (1 + exp(-score));
    }
}

static void scores_are_transformed(void **state) {
    (void)state;
    static const char *const names[] = {"SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO"};
    hz_random random = hz_random_from_seed(test_seed() + 8);
    ensemble *e = malloc(sizeof *e);
    assert_non_null(e);
    for (size_t round = 0; round < test_effort(60); round++) {
        const ensemble_style style = {.trees = 5,
                                      .leaves = 9,
                                      .modes = 1,
                                      .targets = 1 + (int64_t)hz_random_draw(&random, 3)};
        ensemble_make(e, &random, &style);
        e->based = true; /* no score is near 0 */
        for (int i = 0; i < ENSEMBLE_TARGETS; i++) {
            e->base[i] = (float)i + 4.5F;
        }
        e->transform = names[round % 3];
        hz_model *model = open_forest(e, 3);
        float row[12], scores[ENSEMBLE_TARGETS];
        double expected[ENSEMBLE_TARGETS];
        for (int i = 0; i < 12; i++) {
            row[i] = ensemble_number(&random, false);
        }
        float *values = run_rows(model, row, 1, e->width);
        ensemble_score(e, row, scores);
        transform(e->transform, scores, e->targets, expected);
        for (int64_t i = 0; i < e->targets; i++) {
            if (fabs((double)values[i] - expected[i]) > 1e-6) {
                fail_msg("%s: %.9g instead of %.9g", e->transform, (double)values[i], expected[i]);
            }
        }
        free(values);
        close_model(model);
    }
    free(e);
}

/* A forest of single leaves, one per target, that votes for these scores. */
static float *constant_forest(const float *scores, int64_t targets, const char *name) {
    ensemble *e = calloc(1, sizeof *e);
    assert_non_null(e);
    e->width = 1;
    e->targets = targets;
    e->transform = name;
    for (int64_t i = 0; i < targets; i++) {
        e->tree[i] = i;
        e->mode[i] = "LEAF";
        e->vote_tree[i] = e->vote_target[i] = i;
        e->weight[i] = scores[i];
    }
    e->nodes = e->votes = (size_t)targets;
    hz_model *model = open_forest(e, 3);
    const float row = 0;
    float *values = run_rows(model, &row, 1, 1);
    close_model(model);
    free(e);
    return values;
}

static void probit_inverts_the_normal_distribution(void **state) {
    (void)state;
    static const float scores[] = {0, 1e-30F, 1e-6F, 0.02F, 0.5F, 0.7F, 0.999F, 1};
    for (size_t i = 0; i < sizeof scores / sizeof *scores; i++) {
        float *value = constant_forest(&scores[i], 1, "PROBIT");
        if (i == 0 || scores[i] == 1) {
            assert_true(isinf(*value) && (*value > 0) == (i > 0));
        } else {
            double back = 0.5 * erfc(-(double)*value / sqrt(2.0));
            assert_true(fabs(back / (double)scores[i] - 1) < 1e-5);
        }
        free(value);
    }
}

static void scores_of_zero_take_no_part_in_softmax_zero(void **state) {
    (void)state;
    static const float scores[] = {1, 0, 2};
    float *values = constant_forest(scores, 3, "SOFTMAX_ZERO");
    double sum = exp(-1.0) + 1;
    assert_true(fabs((double)values[0] - exp(-1.0) / sum) < 1e-6);
    assert_true(values[1] == 0);
    assert_true(fabs((double)values[2] - 1 / sum) < 1e-6);
    free(values);
}

/* ---- refusals -------------------------------------------------------------------------------- */

/* Two trees: 0 tests, 1 and 2 are leaves. */
static void small_forest(ensemble *e) {
    memset(e, 0, sizeof *e);
    e->width = 4;
    e->targets = 1;
    for (size_t i = 0; i < 6; i++) {
        e->tree[i] = (int64_t)i / 3;
        e->id[i] = (int64_t)i % 3;
        e->mode[i] = i % 3 ? "LEAF" : "BRANCH_LEQ";
        if (i % 3) {
            e->vote_tree[e->votes] = e->tree[i];
            e->vote_node[e->votes] = e->id[i];
            e->weight[e->votes++] = 1;
        } else {
            e->yes[i] = 1;
            e->no[i] = 2;
        }
    }
    e->nodes = 6;
}

static void refused(const ensemble *e, const char *words) {
    hz_arena arena = {0};
    const void *bytes = NULL;
    size_t length = 0;
    hz_model *model = NULL;
    hz_error err;
    ensemble_write(e, 3, &arena, &bytes, &length);
    assert_int_equal(hz_model_open(bytes, length, NULL, &model, &err), HZ_GRAPH);
    if (!strstr(err.message, words)) {
        fail_msg("'%s' does not say '%s'", err.message, words);
    }
    hz_arena_fini(&arena);
}

static void what_is_no_forest_is_refused(void **state) {
    (void)state;
    ensemble *e = malloc(sizeof *e);
    assert_non_null(e);
    small_forest(e);
    close_model(open_forest(e, 3)); /* it is one before it is spoilt */
    e->yes[0] = 7;
    refused(e, "node 0 of tree 0 leads to node 7, which is not there");
    small_forest(e);
    e->no[0] = 1;
    refused(e, "node 1 of tree 0 has two parents");
    small_forest(e);
    e->yes[0] = 0;
    refused(e, "tree 0 has nodes that run in circles");
    small_forest(e);
    e->id[6] = 9; /* of tree 0, and nobody leads to it */
    e->mode[6] = "LEAF";
    e->nodes = 7;
    refused(e, "tree 0 has two roots, nodes 0 and 9");
    small_forest(e);
    e->mode[1] = e->mode[2] = "BRANCH_LEQ";
    e->yes[1] = 0;
    e->no[1] = 0;
    refused(e, "node 0 of tree 0 has two parents");
    small_forest(e);
    e->id[2] = 1;
    refused(e, "tree 0 has two nodes 1");
    small_forest(e);
    e->mode[3] = "BRANCH_LE";
    refused(e, "node 0 of tree 1 has unknown mode 'BRANCH_LE'");
    small_forest(e);
    e->feature[3] = 4;
    refused(e, "node 0 of tree 1 tests column 4 of a row of 4");
    small_forest(e);
    e->feature[0] = -1;
    refused(e, "node 0 of tree 0 tests column -1 of a row of 4");
    small_forest(e);
    e->vote_node[1] = 0;
    refused(e, "weight 1 is for node 0 of tree 0, which is no leaf");
    small_forest(e);
    e->vote_tree[1] = 9;
    refused(e, "weight 1 is for node 2 of tree 9, which is no leaf");
    small_forest(e);
    e->vote_target[3] = 1;
    refused(e, "weight 3 is for target 1 of 1");
    small_forest(e);
    e->targets = 0;
    refused(e, "n_targets 0 is missing or out of range");
    small_forest(e);
    e->aggregate = "MEDIAN";
    refused(e, "aggregate_function 'MEDIAN' is unknown");
    small_forest(e);
    e->transform = "EXP";
    refused(e, "post_transform 'EXP' is unknown");
    free(e);
}

static void nodes_that_run_in_circles_are_refused(void **state) {
    (void)state;
    ensemble *e = malloc(sizeof *e);
    assert_non_null(e);
    small_forest(e); /* 3 and 4 lead to each other, each has one parent */
    for (size_t i = 6; i < 10; i++) {
        e->tree[i] = 1;
        e->id[i] = (int64_t)i;
        e->mode[i] = i < 8 ? "BRANCH_LEQ" : "LEAF";
    }
    e->yes[6] = 7;
    e->no[6] = 8;
    e->yes[7] = 6;
    e->no[7] = 9;
    e->nodes = 10;
    refused(e, "tree 1 has nodes that run in circles");
    for (size_t i = 0; i < 4; i++) { /* and without the rest of the tree */
        e->tree[i + 6] = 2;
    }
    refused(e, "tree 2 has no root: its nodes run in circles");
    free(e);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_rows_get_their_published_answers),
        cmocka_unit_test(the_published_forest_is_summed_in_order),
        cmocka_unit_test(small_trees),
        cmocka_unit_test(trees_with_more_leaves_than_a_mask),
        cmocka_unit_test(odd_thresholds_and_odd_rows),
        cmocka_unit_test(every_test_and_any_number_of_votes),
        cmocka_unit_test(least_and_largest_votes),
        cmocka_unit_test(scores_are_transformed),
        cmocka_unit_test(probit_inverts_the_normal_distribution),
        cmocka_unit_test(scores_of_zero_take_no_part_in_softmax_zero),
        cmocka_unit_test(what_is_no_forest_is_refused),
        cmocka_unit_test(nodes_that_run_in_circles_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
