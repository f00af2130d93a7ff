/* SPDX-License-Identifier: MIT */
/* Scorers on an executor that the test controls: scores, batches, counting of handles. */
#include "package/fake.h"
#include "package/folder.h"

#include "ref/ref_random.h"
#include "support/positions.h"

#include <math.h>

#define MODEL_BYTES "these bytes stand for a graph"

enum { WIDTH = 7, ROWS = 2500 };

/* ---- the mapping ---- */

static void a_score_is_ten_thousand_times_the_probability_cut_off(void **state) {
    (void)state;
    static const struct {
        float p;
        int32_t score;
    } known[] = {{0.0F, 0},           {-0.0F, 0},        {1.0F, 10000},  {0.5F, 5000},
                 {0.5096F, 5096},     {0.00009999F, 0},  {0.0001F, 1},   {0.99989F, 9998},
                 {0.99989998F, 9999}, {1.5F, 10000},     {-0.1F, 0},     {-1e30F, 0},
                 {1e30F, 10000},      {INFINITY, 10000}, {-INFINITY, 0}, {NAN, 0},
                 {-NAN, 0},           {1e-45F, 0}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (hz_score_from_probability(known[i].p) != known[i].score) {
            fail_msg("%.9g gives %d instead of %d", (double)known[i].p,
                     (int)hz_score_from_probability(known[i].p), (int)known[i].score);
        }
    }
    /* The product is rounded to float before it is cut off: computed here from the exact product,
     * which double holds. */
    hz_random random = hz_random_from_seed(test_seed());
    int32_t latest = 0;
    for (size_t i = 0; i <= 10000; i++) {
        float p = (float)i / 10000.0F;
        for (int step = -2; step <= 2; step++) {
            float q = step < 0 ? nextafterf(p, 0.0F) : step > 0 ? nextafterf(p, 1.0F) : p;
            int32_t score = hz_score_from_probability(q);
            assert_int_equal(score, (int32_t)(float)((double)q * 10000.0));
        }
        assert_true(hz_score_from_probability(p) >= latest);
        latest = hz_score_from_probability(p);
    }
    for (size_t i = test_effort(100000); i > 0; i--) {
        float q = (float)hz_random_draw(&random, 1U << 30) / (float)(1U << 30);
        assert_int_equal(hz_score_from_probability(q), (int32_t)(float)((double)q * 10000.0));
    }
}

/* ---- a scorer on the fake ---- */

typedef struct scene {
    folder files;
    fake runtime;
    const char *path;
    hz_position *positions;
} scene;

static scene *scene_new(void) {
    scene *s = calloc(1, sizeof *s);
    assert_non_null(s);
    folder_make(&s->files);
    fake_make(&s->runtime, WIDTH);
    s->path = folder_write_text(&s->files, "model.onnx", MODEL_BYTES);
    s->positions = malloc(ROWS * sizeof *s->positions);
    assert_non_null(s->positions);
    ref_random random = ref_random_from_seed(test_seed());
    for (size_t i = 0; i < ROWS; i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_placed(&random, (ref_style)(i % REF_STYLES), dfen);
        s->positions[i] = test_position(dfen);
    }
    return s;
}

static void scene_free(scene *s) {
    assert_int_equal(s->runtime.opens, s->runtime.closes);
    folder_remove(&s->files);
    free(s->positions);
    free(s);
}

static hz_status open_source(scene *s, const hz_model_source *source, hz_scorer **scorer,
                             hz_error *err) {
    hz_scorer_options options = {.executor = &s->runtime.executor};
    hz_error_clear(err);
    return hz_scorer_open(source, &options, scorer, err);
}

static hz_scorer *open_bare(scene *s) {
    hz_scorer *scorer = NULL;
    hz_error err;
    hz_model_source source = {.path = s->path};
    if (open_source(s, &source, &scorer, &err) != HZ_OK) {
        fail_msg("refused: %s", err.message);
    }
    return scorer;
}

/* A package for material-7-v1 with this digest. */
static hz_package *load_package(scene *s, const char *bytes) {
    char digest[67];
    hz_package *package = NULL;
    draft d = draft_good();
    json_digest(bytes, strlen(bytes), digest);
    draft_set(&d, "modelSha256", digest);
    draft_set(&d, "featureSchema", "\"material-7-v1\"");
    draft_set(&d, "featureCount", "7");
    folder_write_text(&s->files, "manifest.json", draft_text(&d));
    assert_int_equal(hz_package_load(s->files.path, NULL, &package, NULL), HZ_OK);
    return package;
}

/* Different rows, different values, some outside of 0..1. */
static float spread(const float *row, size_t width) {
    float sum = 0.3F;
    for (size_t i = 0; i < width; i++) {
        sum += row[i] * (float)(i + 1) * 0.013F;
    }
    return sum;
}

static float not_finite_on_even_pawns(const float *row, size_t width) {
    (void)width;
    int pawns = (int)row[0];
    return pawns % 2 ? 0.25F : pawns == 0 ? NAN : pawns > 0 ? INFINITY : -INFINITY;
}

static void values_are_those_of_the_rows_and_scores_those_of_the_values(void **state) {
    (void)state;
    scene *s = scene_new();
    s->runtime.value = spread;
    hz_scorer *scorer = open_bare(s);
    assert_string_equal(hz_scorer_schema(scorer)->id, "material-7-v1");
    assert_non_null(hz_scorer_model(scorer));
    float *values = malloc(ROWS * sizeof *values);
    int32_t *scores = malloc(ROWS * sizeof *scores);
    assert_true(values && scores);
    for (int color = 0; color < 2; color++) {
        assert_int_equal(
            hz_scorer_probabilities(scorer, s->positions, ROWS, (hz_color)color, values, NULL),
            HZ_OK);
        assert_int_equal(
            hz_scorer_scores(scorer, s->positions, ROWS, (hz_color)color, scores, NULL), HZ_OK);
        for (size_t i = 0; i < ROWS; i++) {
            float row[WIDTH];
            hz_features_row(hz_schema_find("material-7-v1"), &s->positions[i], (hz_color)color,
                            row);
            float expected = spread(row, WIDTH);
            assert_memory_equal(&values[i], &expected, sizeof expected);
            assert_int_equal(scores[i], hz_score_from_probability(expected));
        }
    }
    assert_int_equal(hz_scorer_rows(scorer), 4 * ROWS);
    assert_int_equal(hz_scorer_rows(scorer), s->runtime.rows);
    assert_int_equal(hz_scorer_batches(scorer), s->runtime.runs);
    assert_int_equal(hz_scorer_non_finite_rows(scorer), 0);
    /* Pieces are bounded. */
    assert_in_range(s->runtime.largest_run, 1, 1024);
    assert_int_equal(hz_scorer_close(scorer, NULL), HZ_OK);
    free(values);
    free(scores);
    scene_free(s);
}

static void results_do_not_depend_on_how_a_batch_is_split(void **state) {
    (void)state;
    scene *s = scene_new();
    s->runtime.value = spread;
    hz_scorer *scorer = open_bare(s);
    int32_t *whole = malloc(ROWS * sizeof *whole), *split = malloc(ROWS * sizeof *split);
    assert_true(whole && split);
    assert_int_equal(hz_scorer_scores(scorer, s->positions, ROWS, HZ_BLACK, whole, NULL), HZ_OK);
    hz_random random = hz_random_from_seed(test_seed());
    for (size_t done = 0, n; done < ROWS; done += n) {
        n = 1 + hz_random_draw(&random, 400);
        n = n < ROWS - done ? n : ROWS - done;
        assert_int_equal(
            hz_scorer_scores(scorer, s->positions + done, n, HZ_BLACK, split + done, NULL), HZ_OK);
    }
    assert_memory_equal(whole, split, ROWS * sizeof *whole);
    assert_int_equal(hz_scorer_close(scorer, NULL), HZ_OK);
    free(whole);
    free(split);
    scene_free(s);
}

static void no_rows_run_nothing(void **state) {
    (void)state;
    scene *s = scene_new();
    hz_scorer *scorer = open_bare(s);
    assert_int_equal(hz_scorer_probabilities(scorer, NULL, 0, HZ_WHITE, NULL, NULL), HZ_OK);
    assert_int_equal(hz_scorer_scores(scorer, NULL, 0, HZ_WHITE, NULL, NULL), HZ_OK);
    assert_int_equal(s->runtime.runs, 0);
    assert_int_equal(hz_scorer_batches(scorer), 0);
    assert_int_equal(hz_scorer_close(scorer, NULL), HZ_OK);
    scene_free(s);
}

static void rows_that_are_not_finite_are_counted_and_scored(void **state) {
    (void)state;
    scene *s = scene_new();
    s->runtime.value = not_finite_on_even_pawns;
    hz_scorer *scorer = open_bare(s);
    int32_t *scores = malloc(ROWS * sizeof *scores);
    float *values = malloc(ROWS * sizeof *values);
    assert_true(scores && values);
    assert_int_equal(hz_scorer_scores(scorer, s->positions, ROWS, HZ_WHITE, scores, NULL), HZ_OK);
    size_t expected = 0;
    for (size_t i = 0; i < ROWS; i++) {
        float row[WIDTH];
        hz_features_row(hz_schema_find("material-7-v1"), &s->positions[i], HZ_WHITE, row);
        int pawns = (int)row[0];
        expected += pawns % 2 == 0;
        assert_int_equal(scores[i], pawns % 2 ? 2500 : pawns > 0 ? 10000 : 0);
    }
    assert_true(expected > 0 && expected < ROWS);
    assert_int_equal(hz_scorer_non_finite_rows(scorer), expected);
    /* Values are handed over as they are, and counted as well. */
    assert_int_equal(hz_scorer_probabilities(scorer, s->positions, ROWS, HZ_WHITE, values, NULL),
                     HZ_OK);
    assert_int_equal(hz_scorer_non_finite_rows(scorer), 2 * expected);
    size_t found = 0;
    for (size_t i = 0; i < ROWS; i++) {
        found += isfinite(values[i]) ? 0 : 1;
    }
    assert_int_equal(found, expected);
    assert_int_equal(hz_scorer_close(scorer, NULL), HZ_OK);
    free(scores);
    free(values);
    scene_free(s);
}

static void a_run_that_fails_is_reported_and_the_next_one_works(void **state) {
    (void)state;
    scene *s = scene_new();
    hz_scorer *scorer = open_bare(s);
    hz_error err;
    int32_t *scores = malloc(ROWS * sizeof *scores);
    float *values = malloc(ROWS * sizeof *values);
    assert_true(scores && values);
    s->runtime.failing_run = 2; /* the second piece of the batch */
    refused("scores", HZ_MODEL_RUN,
            hz_scorer_scores(scorer, s->positions, ROWS, HZ_WHITE, scores, &err), &err, s->path,
            "the run failed");
    uint64_t rows = hz_scorer_rows(scorer);
    assert_int_equal(hz_scorer_batches(scorer), 2);
    assert_true(rows > 0 && rows < ROWS);
    s->runtime.failing_run = 3;
    refused("values", HZ_MODEL_RUN,
            hz_scorer_probabilities(scorer, s->positions, 5, HZ_WHITE, values, &err), &err, s->path,
            "the run failed");
    assert_int_equal(hz_scorer_scores(scorer, s->positions, ROWS, HZ_WHITE, scores, NULL), HZ_OK);
    for (size_t i = 0; i < ROWS; i++) {
        assert_int_equal(scores[i], 5000);
    }
    assert_int_equal(hz_scorer_rows(scorer), rows + ROWS);
    assert_int_equal(hz_scorer_close(scorer, NULL), HZ_OK);
    free(scores);
    free(values);
    scene_free(s);
}

/* ---- opening ---- */

static void rows_of_a_width_that_the_graph_does_not_take_are_refused(void **state) {
    (void)state;
    scene *s = scene_new();
    hz_scorer *scorer = NULL;
    hz_error err;
    float value;
    hz_model_source source = {.path = s->path, .schema = hz_schema_find("kcp-13")};
    assert_int_equal(open_source(s, &source, &scorer, &err), HZ_OK);
    assert_string_equal(hz_scorer_schema(scorer)->id, "kcp-13");
    refused("width", HZ_MODEL_RUN,
            hz_scorer_probabilities(scorer, s->positions, 1, HZ_WHITE, &value, &err), &err, s->path,
            "13");
    assert_int_equal(s->runtime.runs, 0);
    assert_int_equal(hz_scorer_close(scorer, NULL), HZ_OK);
    scene_free(s);
}

static void a_bare_path_is_not_checked_before_it_runs(void **state) {
    (void)state;
    scene *s = scene_new();
    s->runtime.inputs[0] = fake_port("anything", WIDTH);
    s->runtime.inputs[0].shape[0] = 1;
    s->runtime.outputs[0] = fake_port("else", 1);
    hz_scorer *scorer = open_bare(s);
    hz_error err;
    int32_t scores[2];
    assert_int_equal(hz_scorer_scores(scorer, s->positions, 1, HZ_WHITE, scores, NULL), HZ_OK);
    assert_int_equal(scores[0], 5000);
    refused("two rows", HZ_MODEL_RUN,
            hz_scorer_scores(scorer, s->positions, 2, HZ_WHITE, scores, &err), &err, s->path, "");
    assert_int_equal(hz_scorer_close(scorer, NULL), HZ_OK);
    scene_free(s);
}

static void a_scorer_outlives_its_package(void **state) {
    (void)state;
    scene *s = scene_new();
    hz_scorer *scorer = NULL;
    hz_error err;
    hz_package *package = load_package(s, MODEL_BYTES);
    hz_model_source source = {.package = package};
    assert_int_equal(open_source(s, &source, &scorer, &err), HZ_OK);
    hz_package_free(package);
    int32_t scores[3];
    s->runtime.failing_run = 2;
    assert_int_equal(hz_scorer_scores(scorer, s->positions, 3, HZ_WHITE, scores, &err), HZ_OK);
    refused("run", HZ_MODEL_RUN, hz_scorer_scores(scorer, s->positions, 3, HZ_WHITE, scores, &err),
            &err, s->path, "the run failed");
    assert_int_equal(hz_scorer_close(scorer, &err), HZ_OK);
    scene_free(s);
}

static void the_digest_is_compared_without_case(void **state) {
    (void)state;
    scene *s = scene_new();
    char hex[65], json[67];
    hz_sha256_hex(MODEL_BYTES, strlen(MODEL_BYTES), hex);
    for (int form = 0; form < 3; form++) {
        for (size_t i = 0; hex[i]; i++) {
            bool letter = hex[i] >= 'a' && hex[i] <= 'f';
            json[i + 1] =
                letter && (form == 1 || (form == 2 && i % 2)) ? (char)(hex[i] - 'a' + 'A') : hex[i];
        }
        json[0] = json[65] = '"';
        json[66] = '\0';
        hz_package *package = NULL;
        hz_scorer *scorer = NULL;
        hz_error err;
        draft d = draft_good();
        draft_set(&d, "featureSchema", "\"material-7-v1\"");
        draft_set(&d, "featureCount", "7");
        draft_set(&d, "modelSha256", json);
        folder_write_text(&s->files, "manifest.json", draft_text(&d));
        assert_int_equal(hz_package_load(s->files.path, NULL, &package, NULL), HZ_OK);
        hz_model_source source = {.package = package};
        assert_int_equal(open_source(s, &source, &scorer, &err), HZ_OK);
        assert_int_equal(hz_scorer_close(scorer, NULL), HZ_OK);
        hz_package_free(package);
        /* One digit differs. */
        json[20] = json[20] == '0' ? '1' : '0';
        draft_set(&d, "modelSha256", json);
        folder_write_text(&s->files, "manifest.json", draft_text(&d));
        assert_int_equal(hz_package_load(s->files.path, NULL, &package, NULL), HZ_OK);
        source.package = package;
        scorer = NULL;
        refused("digit", HZ_MODEL_DIGEST, open_source(s, &source, &scorer, &err), &err, s->path,
                "model SHA-256 mismatch");
        assert_null(scorer);
        hz_package_free(package);
    }
    scene_free(s);
}

static void a_file_that_changed_since_loading_is_refused(void **state) {
    (void)state;
    scene *s = scene_new();
    hz_scorer *scorer = NULL;
    hz_error err;
    hz_package *package = load_package(s, MODEL_BYTES);
    hz_model_source source = {.package = package};
    folder_write_text(&s->files, "model.onnx", MODEL_BYTES ".");
    refused("longer", HZ_MODEL_DIGEST, open_source(s, &source, &scorer, &err), &err, s->path,
            "model SHA-256 mismatch");
    folder_write_text(&s->files, "model.onnx", "");
    refused("empty", HZ_MODEL_DIGEST, open_source(s, &source, &scorer, &err), &err, s->path,
            "model SHA-256 mismatch");
    assert_int_equal(remove(s->path), 0);
    refused("gone", HZ_MODEL_FILE, open_source(s, &source, &scorer, &err), &err, s->path,
            "cannot digest");
    assert_null(scorer);
    assert_int_equal(s->runtime.opens, 0);
    hz_package_free(package);
    scene_free(s);
}

/* However large the file claims to be, nothing is read of it. */
static void a_file_beyond_the_limit_is_not_read(void **state) {
    (void)state;
    scene *s = scene_new();
    hz_scorer *scorer = NULL;
    hz_error err;
    hz_package *package = load_package(s, MODEL_BYTES);
    hz_model_source of_package = {.package = package}, bare = {.path = s->path};
    hz_scorer_options options = {.executor = &s->runtime.executor,
                                 .limits.file_bytes = strlen(MODEL_BYTES)};
    assert_int_equal(hz_scorer_open(&of_package, &options, &scorer, &err), HZ_OK);
    assert_int_equal(hz_scorer_close(scorer, NULL), HZ_OK);
    scorer = NULL;
    options.limits.file_bytes--;
    hz_error_clear(&err);
    refused("package", HZ_MODEL_FILE, hz_scorer_open(&of_package, &options, &scorer, &err), &err,
            s->path, "cannot digest (29 bytes, more than 28)");
    refused("bare", HZ_GRAPH, hz_scorer_open(&bare, &options, &scorer, &err), &err, s->path,
            "cannot read the ONNX graph: 29 bytes, more than 28");
    /* By default the limit is 48 MiB; this file has a hole of a tebibyte. */
    assert_int_equal(truncate(s->path, (off_t)1 << 40), 0);
    refused("hole", HZ_MODEL_FILE, open_source(s, &of_package, &scorer, &err), &err, s->path,
            "cannot digest (1099511627776 bytes, more than 50331648)");
    assert_null(scorer);
    hz_package_free(package);
    scene_free(s);
}

/* ---- handles ---- */

/* Each way in which opening can fail once the runtime is reached, alone and with a close that fails
 * too. The scene's end checks that all handles are closed. */
static void a_refused_handle_is_closed_and_the_first_error_stays(void **state) {
    (void)state;
    static const struct {
        hz_status expected;
        const char *required;
        size_t opens;
    } ways[] = {{HZ_GRAPH, "cannot read the ONNX graph: node 'n' is not to its liking", 0},
                {HZ_NO_MEMORY, "node 'n' is not to its liking", 0},
                {HZ_GRAPH_CONTRACT, "input 'input' must be a tensor", 1},
                {HZ_GRAPH_CONTRACT, "output 'output' must be a tensor", 1},
                {HZ_GRAPH_CONTRACT, "exactly one input named 'input'; found [other]", 1},
                {HZ_GRAPH_CONTRACT, "exactly one output named 'output'; found []", 1},
                {HZ_GRAPH_CONTRACT, "input 'input' must have FLOAT dtype", 1},
                {HZ_GRAPH_CONTRACT, "must have shape [batch,7]", 1},
                {HZ_GRAPH_CONTRACT, "output 'output' must have FLOAT dtype", 1},
                {HZ_GRAPH_CONTRACT, "must have shape [batch,1]", 1}};
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
        for (int closing_fails = 0; closing_fails < 2; closing_fails++) {
            scene *s = scene_new();
            fake *r = &s->runtime;
            hz_scorer *scorer = NULL;
            hz_error err;
            hz_package *package = load_package(s, MODEL_BYTES);
            hz_model_source source = {.package = package};
            r->close_status = closing_fails ? HZ_IO : HZ_OK;
            r->open_status = way == 0 ? HZ_GRAPH : way == 1 ? HZ_NO_MEMORY : HZ_OK;
            r->inputs[0].is_tensor = way != 2;
            r->outputs[0].is_tensor = way != 3;
            r->inputs[0].name = way == 4 ? "other" : "input";
            r->output_count = way != 5;
            r->inputs[0].element = way == 6 ? HZ_ELEMENT_DOUBLE : HZ_ELEMENT_FLOAT;
            r->inputs[0].shape[1] = way == 7 ? 8 : 7;
            r->outputs[0].element = way == 8 ? HZ_ELEMENT_INT64 : HZ_ELEMENT_FLOAT;
            r->outputs[0].rank = way == 9 ? 3 : 2;
            refused(ways[way].required, ways[way].expected, open_source(s, &source, &scorer, &err),
                    &err, s->path, ways[way].required);
            assert_null(scorer);
            assert_int_equal(r->opens, ways[way].opens);
            assert_int_equal(r->closes, ways[way].opens);
            bool attached = strstr(err.message, "; while closing: the handle would not close");
            assert_int_equal(attached, closing_fails && ways[way].opens);
            /* The same without anybody who listens. */
            hz_scorer_options options = {.executor = &r->executor};
            assert_int_equal(hz_scorer_open(&source, &options, &scorer, NULL), ways[way].expected);
            hz_package_free(package);
            scene_free(s);
        }
    }
}

static void closing_releases_even_when_it_fails(void **state) {
    (void)state;
    scene *s = scene_new();
    hz_error err;
    hz_scorer *scorer = open_bare(s);
    s->runtime.close_status = HZ_IO;
    refused("close", HZ_IO, hz_scorer_close(scorer, &err), &err, s->path,
            "the handle would not close");
    assert_int_equal(s->runtime.closes, 1);
    assert_int_equal(hz_scorer_close(open_bare(s), NULL), HZ_IO);
    /* What an owner does that may be closed twice. */
    scorer = NULL;
    assert_int_equal(hz_scorer_close(scorer, &err), HZ_OK);
    assert_int_equal(s->runtime.closes, 2);
    scene_free(s);
}

static void wrong_arguments_are_refused(void **state) {
    (void)state;
    hz_scorer *scorer = NULL;
    hz_model_source nothing = {.path = NULL}, something = {.path = "x"};
    assert_int_equal(hz_scorer_open(NULL, NULL, &scorer, NULL), HZ_INVALID_ARGUMENT);
    assert_int_equal(hz_scorer_open(&nothing, NULL, &scorer, NULL), HZ_INVALID_ARGUMENT);
    assert_int_equal(hz_scorer_open(&something, NULL, NULL, NULL), HZ_INVALID_ARGUMENT);
    assert_int_equal(hz_scorer_open(&something, NULL, &scorer, NULL), HZ_MODEL_FILE);
    assert_null(scorer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_score_is_ten_thousand_times_the_probability_cut_off),
        cmocka_unit_test(values_are_those_of_the_rows_and_scores_those_of_the_values),
        cmocka_unit_test(results_do_not_depend_on_how_a_batch_is_split),
        cmocka_unit_test(no_rows_run_nothing),
        cmocka_unit_test(rows_that_are_not_finite_are_counted_and_scored),
        cmocka_unit_test(a_run_that_fails_is_reported_and_the_next_one_works),
        cmocka_unit_test(rows_of_a_width_that_the_graph_does_not_take_are_refused),
        cmocka_unit_test(a_bare_path_is_not_checked_before_it_runs),
        cmocka_unit_test(a_scorer_outlives_its_package),
        cmocka_unit_test(the_digest_is_compared_without_case),
        cmocka_unit_test(a_file_that_changed_since_loading_is_refused),
        cmocka_unit_test(a_file_beyond_the_limit_is_not_read),
        cmocka_unit_test(a_refused_handle_is_closed_and_the_first_error_stays),
        cmocka_unit_test(closing_releases_even_when_it_fails),
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests_name("package scorer", tests, NULL, NULL);
}
