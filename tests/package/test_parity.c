/* SPDX-License-Identifier: MIT */
/* Packages on the built-in executor: graphs whose answers are published elsewhere, and variants of
 * them that the contract refuses. */
#include "package/folder.h"
#include "package/logistic.h"

#include "model/fixture_tree.h"
#include "ref/ref_random.h"
#include "support/positions.h"

#include <math.h>

#define START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

/* A package of these bytes, its manifest a draft that lacks only the digest. */
static hz_package *package_of(folder *f, draft *d, const void *bytes, size_t length) {
    char digest[67];
    hz_package *package = NULL;
    hz_error err;
    json_digest(bytes, length, digest);
    draft_set(d, "modelSha256", digest);
    folder_write(f, "model.onnx", bytes, length);
    folder_write_text(f, "manifest.json", draft_text(d));
    draft_set(d, "modelSha256", NULL);
    if (hz_package_load(f->path, NULL, &package, &err) != HZ_OK) {
        fail_msg("the package is refused: %s", err.message);
    }
    return package;
}

static hz_scorer *open_package(const hz_package *package) {
    hz_scorer *scorer = NULL;
    hz_error err;
    if (hz_scorer_open(&(hz_model_source){.package = package}, NULL, &scorer, &err) != HZ_OK) {
        fail_msg("the graph is refused: %s", err.message);
    }
    return scorer;
}

static void opening_is_refused(const hz_package *package, hz_status expected,
                               const char *required) {
    hz_scorer *scorer = NULL;
    hz_error err;
    hz_error_clear(&err);
    refused(required, expected,
            hz_scorer_open(&(hz_model_source){.package = package}, NULL, &scorer, &err), &err,
            hz_package_model_path(package), required);
    assert_null(scorer);
}

/* ---- the logistic graph ---- */

static void check_published(hz_scorer *scorer) {
    test_table table = test_table_load("package_kcp13.tsv", 5);
    for (size_t i = 0; i < table.count; i++) {
        const char *const *field = table.rows[i].field;
        hz_position position = test_position(field[0]);
        hz_color color = field[1][0] == 'b' ? HZ_BLACK : HZ_WHITE;
        float row[LOGISTIC_COLUMNS], value, direct;
        char *at = NULL;
        hz_features_row(hz_scorer_schema(scorer), &position, color, row);
        const char *text = field[2];
        for (size_t k = 0; k < LOGISTIC_COLUMNS; k++, text = at) {
            double published = strtod(text, &at);
            assert_ptr_not_equal(at, text);
            if (fabs((double)row[k] - published) > 1e-6) {
                fail_msg("%s: column %zu is %.9g instead of %.9g", field[0], k, (double)row[k],
                         published);
            }
        }
        double expected = strtod(field[3], NULL), tolerance = strtod(field[4], NULL);
        int32_t score;
        assert_int_equal(hz_scorer_probabilities(scorer, &position, 1, color, &value, NULL), HZ_OK);
        assert_int_equal(
            hz_model_rows(hz_scorer_model(scorer), row, 1, LOGISTIC_COLUMNS, &direct, NULL), HZ_OK);
        if (fabs((double)value - expected) > tolerance ||
            memcmp(&value, &direct, sizeof value) != 0) {
            fail_msg("%s: %.9g (%.9g by its row) instead of %.9g", field[0], (double)value,
                     (double)direct, expected);
        }
        assert_int_equal(hz_scorer_scores(scorer, &position, 1, color, &score, NULL), HZ_OK);
        assert_int_equal(score, hz_score_from_probability(value));
        assert_in_range(score + 1, (int32_t)(expected * 10000), (int32_t)(expected * 10000) + 2);
    }
    test_table_free(&table);
}

static void the_conforming_graph_gives_the_published_answers(void **state) {
    (void)state;
    folder f;
    hz_arena arena;
    size_t length;
    draft d = draft_good();
    folder_make(&f);
    hz_arena_init(&arena, 0);
    const void *bytes = logistic_bytes(&(logistic){0}, &arena, &length);
    hz_package *package = package_of(&f, &d, bytes, length);
    hz_scorer *scorer = open_package(package);
    hz_package_free(package);
    check_published(scorer);
    assert_int_equal(hz_scorer_close(scorer, NULL), HZ_OK);
    /* The legacy manifest describes it as well. */
    draft legacy = draft_legacy();
    package = package_of(&f, &legacy, bytes, length);
    scorer = open_package(package);
    hz_package_free(package);
    check_published(scorer);
    assert_int_equal(hz_scorer_close(scorer, NULL), HZ_OK);
    hz_arena_fini(&arena);
    folder_remove(&f);
}

static void other_tensor_names_need_a_manifest_that_says_them(void **state) {
    (void)state;
    folder f;
    hz_arena arena;
    size_t length;
    folder_make(&f);
    hz_arena_init(&arena, 0);
    const void *bytes = logistic_bytes(
        &(logistic){.input = "features", .output = "win_probability"}, &arena, &length);
    draft d = draft_good();
    hz_package *package = package_of(&f, &d, bytes, length);
    opening_is_refused(package, HZ_GRAPH_CONTRACT,
                       "ONNX model must expose exactly one input named 'input'; found [features]");
    hz_package_free(package);
    draft_set(&d, "inputName", "\"features\"");
    package = package_of(&f, &d, bytes, length);
    opening_is_refused(
        package, HZ_GRAPH_CONTRACT,
        "ONNX model must expose exactly one output named 'output'; found [win_probability]");
    hz_package_free(package);
    draft_set(&d, "outputName", "\"win_probability\"");
    package = package_of(&f, &d, bytes, length);
    hz_scorer *scorer = open_package(package);
    hz_package_free(package);
    check_published(scorer);
    assert_int_equal(hz_scorer_close(scorer, NULL), HZ_OK);
    hz_arena_fini(&arena);
    folder_remove(&f);
}

static void variants_are_refused_by_the_contract(void **state) {
    (void)state;
    static const struct {
        logistic variant;
        hz_status status;
        const char *required;
    } cases[] = {
        {{.batch = 1},
         HZ_GRAPH_CONTRACT,
         "input 'input' must have shape [batch,13] with a dynamic batch dimension; got [1,13]"},
        {{.output = "variable"},
         HZ_GRAPH_CONTRACT,
         "ONNX model must expose exactly one output named 'output'; found [variable]"},
        {{.width = 27},
         HZ_GRAPH_CONTRACT,
         "input 'input' must have shape [batch,13] with a dynamic batch dimension; got [batch,27]"},
        {{.activation = "Sigmold"}, HZ_GRAPH, "cannot read the ONNX graph"},
        {{.activation = "Sigmold"}, HZ_GRAPH, "Sigmold"},
    };
    folder f;
    hz_arena arena;
    folder_make(&f);
    hz_arena_init(&arena, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t length;
        draft d = draft_good();
        const void *bytes = logistic_bytes(&cases[i].variant, &arena, &length);
        hz_package *package = package_of(&f, &d, bytes, length);
        opening_is_refused(package, cases[i].status, cases[i].required);
        hz_package_free(package);
    }
    hz_arena_fini(&arena);
    folder_remove(&f);
}

static void an_input_with_an_initializer_does_not_count(void **state) {
    (void)state;
    folder f;
    hz_arena arena;
    size_t length;
    draft d = draft_good();
    folder_make(&f);
    hz_arena_init(&arena, 0);
    const void *bytes = logistic_bytes(&(logistic){.extra_input = true}, &arena, &length);
    hz_package *package = package_of(&f, &d, bytes, length);
    hz_scorer *scorer = open_package(package);
    hz_package_free(package);
    check_published(scorer);
    assert_int_equal(hz_scorer_close(scorer, NULL), HZ_OK);
    hz_arena_fini(&arena);
    folder_remove(&f);
}

static void a_bare_path_opens_what_a_package_refuses(void **state) {
    (void)state;
    folder f;
    hz_arena arena;
    size_t length;
    folder_make(&f);
    hz_arena_init(&arena, 0);
    const void *bytes =
        logistic_bytes(&(logistic){.batch = 1, .input = "x", .output = "y"}, &arena, &length);
    const char *path = folder_write(&f, "any.onnx", bytes, length);
    hz_scorer *scorer = NULL;
    hz_error err;
    hz_model_source source = {.path = path, .schema = hz_schema_find("kcp-13")};
    assert_int_equal(hz_scorer_open(&source, NULL, &scorer, &err), HZ_OK);
    check_published(scorer); /* one row at a time */
    const hz_position two[2] = {test_position(START), test_position(START)};
    float values[2];
    refused("two rows", HZ_MODEL_RUN,
            hz_scorer_probabilities(scorer, two, 2, HZ_WHITE, values, &err), &err, path, "");
    assert_int_equal(hz_scorer_close(scorer, NULL), HZ_OK);
    /* With the schema of another width the first rows tell. */
    source.schema = NULL;
    assert_int_equal(hz_scorer_open(&source, NULL, &scorer, &err), HZ_OK);
    refused("width", HZ_MODEL_RUN, hz_scorer_probabilities(scorer, two, 1, HZ_WHITE, values, &err),
            &err, path, "");
    assert_int_equal(hz_scorer_close(scorer, NULL), HZ_OK);
    hz_arena_fini(&arena);
    folder_remove(&f);
}

/* ---- the forest ---- */

static void the_published_forest_needs_its_own_output_name(void **state) {
    (void)state;
    folder f;
    hz_arena arena;
    const void *bytes;
    size_t length;
    folder_make(&f);
    hz_arena_init(&arena, 0);
    assert_int_equal(fixture_tree_bytes(NULL, NULL, &arena, &bytes, &length, NULL), HZ_OK);
    draft d = draft_good();
    draft_set(&d, "featureSchema", "\"material-7-v1\"");
    draft_set(&d, "featureCount", "7");
    hz_package *package = package_of(&f, &d, bytes, length);
    opening_is_refused(package, HZ_GRAPH_CONTRACT,
                       "ONNX model must expose exactly one output named 'output'; found "
                       "[variable]");
    hz_package_free(package);
    draft_set(&d, "outputName", "\"variable\"");
    package = package_of(&f, &d, bytes, length);
    hz_scorer *scorer = open_package(package);
    hz_package_free(package);
    const hz_position start = test_position(START);
    for (int color = 0; color < 2; color++) {
        int32_t score = 0;
        assert_int_equal(hz_scorer_scores(scorer, &start, 1, (hz_color)color, &score, NULL), HZ_OK);
        assert_int_equal(score, 5095);
    }
    assert_int_equal(hz_scorer_close(scorer, NULL), HZ_OK);
    hz_arena_fini(&arena);
    folder_remove(&f);
}

/* Whatever the split: the plain walk over the trees, position by position. */
static void batches_of_random_positions_score_as_single_rows(void **state) {
    (void)state;
    enum { ROWS = 1500 };
    folder f;
    hz_arena arena;
    const void *bytes;
    size_t length;
    hz_scorer *scorer = NULL;
    folder_make(&f);
    hz_arena_init(&arena, 0);
    assert_int_equal(fixture_tree_bytes(NULL, NULL, &arena, &bytes, &length, NULL), HZ_OK);
    const char *path = folder_write(&f, "forest.onnx", bytes, length);
    assert_int_equal(hz_scorer_open(&(hz_model_source){.path = path}, NULL, &scorer, NULL), HZ_OK);
    hz_position *positions = malloc(ROWS * sizeof *positions);
    int32_t *scores = malloc(ROWS * sizeof *scores);
    assert_true(positions && scores);
    ref_random random = ref_random_from_seed(test_seed());
    for (size_t i = 0; i < ROWS; i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_placed(&random, (ref_style)(i % REF_STYLES), dfen);
        positions[i] = test_position(dfen);
    }
    assert_int_equal(hz_scorer_scores(scorer, positions, ROWS, HZ_WHITE, scores, NULL), HZ_OK);
    for (size_t i = 0; i < ROWS; i++) {
        float row[FIXTURE_COLUMNS];
        int32_t single;
        hz_features_row(hz_scorer_schema(scorer), &positions[i], HZ_WHITE, row);
        assert_int_equal(hz_scorer_scores(scorer, &positions[i], 1, HZ_WHITE, &single, NULL),
                         HZ_OK);
        assert_int_equal(scores[i], single);
        assert_int_equal(scores[i], hz_score_from_probability(fixture_tree_score(row)));
    }
    assert_int_equal(hz_scorer_non_finite_rows(scorer), 0);
    assert_int_equal(hz_scorer_close(scorer, NULL), HZ_OK);
    free(positions);
    free(scores);
    hz_arena_fini(&arena);
    folder_remove(&f);
}

static void bytes_that_are_no_graph_are_refused_after_their_digest_agreed(void **state) {
    (void)state;
    static const char *const bytes[] = {"", "no graph at all", "\x08"};
    folder f;
    folder_make(&f);
    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
        draft d = draft_good();
        hz_package *package = package_of(&f, &d, bytes[i], strlen(bytes[i]));
        opening_is_refused(package, HZ_GRAPH, "cannot read the ONNX graph");
        hz_package_free(package);
    }
    folder_remove(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_conforming_graph_gives_the_published_answers),
        cmocka_unit_test(other_tensor_names_need_a_manifest_that_says_them),
        cmocka_unit_test(variants_are_refused_by_the_contract),
        cmocka_unit_test(an_input_with_an_initializer_does_not_count),
        cmocka_unit_test(a_bare_path_opens_what_a_package_refuses),
        cmocka_unit_test(the_published_forest_needs_its_own_output_name),
        cmocka_unit_test(batches_of_random_positions_score_as_single_rows),
        cmocka_unit_test(bytes_that_are_no_graph_are_refused_after_their_digest_agreed),
    };
    return cmocka_run_group_tests_name("package parity", tests, NULL, NULL);
}
