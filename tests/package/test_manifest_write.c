/* SPDX-License-Identifier: MIT */
/* The canonical text of a manifest, and what is not written. */
#include "package/reading.h"

#include <math.h>

static void same_or_null(const char *what, const char *a, const char *b) {
    if ((a == NULL) != (b == NULL) || (a && strcmp(a, b) != 0)) {
        fail_msg("%s: \"%s\" and \"%s\"", what, a ? a : "(none)", b ? b : "(none)");
    }
}

/* All but the manifest version. */
static void same_manifest(const hz_manifest *a, const hz_manifest *b) {
    same_or_null("modelId", a->model_id, b->model_id);
    same_or_null("modelSha256", a->model_sha256, b->model_sha256);
    same_or_null("modelRole", a->model_role, b->model_role);
    same_or_null("featureSchema", a->feature_schema, b->feature_schema);
    assert_int_equal(a->feature_count, b->feature_count);
    same_or_null("inputName", a->input_name, b->input_name);
    same_or_null("outputName", a->output_name, b->output_name);
    same_or_null("perspective", a->perspective, b->perspective);
    same_or_null("engineCompatibility", a->engine_compatibility, b->engine_compatibility);
    same_or_null("evaluationProfile", a->evaluation_profile, b->evaluation_profile);
    same_or_null("calibratedOn", a->calibrated_on, b->calibrated_on);
    assert_int_equal(a->has_calibration, b->has_calibration);
    assert_int_equal(a->has_brier_score, b->has_brier_score);
    assert_int_equal(a->has_log_loss, b->has_log_loss);
    assert_memory_equal(&a->temperature, &b->temperature, sizeof a->temperature);
    assert_memory_equal(&a->brier_score, &b->brier_score, sizeof a->brier_score);
    assert_memory_equal(&a->log_loss, &b->log_loss, sizeof a->log_loss);
    assert_int_equal(a->provenance_count, b->provenance_count);
    for (size_t i = 0; i < a->provenance_count; i++) {
        same_or_null("key", a->provenance[i].key, b->provenance[i].key);
        same_or_null("value", a->provenance[i].value, b->provenance[i].value);
    }
}

static void the_canonical_text_is_stable(void **state) {
    (void)state;
    hz_arena arena;
    char buffer[sizeof example + 10];
    size_t length = 0;
    hz_error err;
    hz_arena_init(&arena, 0);
    hz_manifest m = accepted(example, &arena);
    assert_int_equal(hz_manifest_to_text(&m, buffer, sizeof buffer, &length, &err), HZ_OK);
    assert_string_equal(buffer, example);
    assert_int_equal(length, sizeof example - 1);
    /* snprintf rules. */
    length = 0;
    assert_int_equal(hz_manifest_to_text(&m, NULL, 0, &length, &err), HZ_OK);
    assert_int_equal(length, sizeof example - 1);
    memset(buffer, '#', sizeof buffer);
    assert_int_equal(hz_manifest_to_text(&m, buffer, 20, &length, &err), HZ_OK);
    assert_int_equal(length, sizeof example - 1);
    assert_memory_equal(buffer, example, 19);
    assert_int_equal(buffer[19], '\0');
    assert_int_equal(buffer[20], '#');
    hz_arena_fini(&arena);
}

static void a_legacy_manifest_is_written_with_its_defaults(void **state) {
    (void)state;
    hz_arena arena;
    char buffer[2000];
    size_t length;
    hz_error err;
    hz_arena_init(&arena, 0);
    draft d = draft_legacy();
    draft_set(&d, "calibration", "{\"temperature\":1}");
    hz_manifest m = accepted(draft_text(&d), &arena);
    assert_int_equal(hz_manifest_to_text(&m, buffer, sizeof buffer, &length, &err), HZ_OK);
    hz_manifest again = accepted(buffer, &arena);
    assert_string_equal(again.manifest_version, "1.1.0");
    same_manifest(&m, &again);
    assert_non_null(strstr(buffer, "\"modelRole\": \"position-value\""));
    assert_non_null(strstr(buffer, "\"temperature\": 1\n"));
    hz_arena_fini(&arena);
}

static void what_is_written_reads_back_the_same(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    for (size_t round = test_effort(500); round > 0; round--) {
        hz_arena arena;
        hz_arena_init(&arena, 0);
        hz_manifest m = accepted(example, &arena);
        char texts[4][24];
        hz_provenance provenance[2] = {{texts[0], texts[1]}, {texts[2], texts[3]}};
        for (size_t i = 0; i < 4; i++) {
            size_t n = hz_random_draw(&random, 20);
            for (size_t k = 0; k < n; k++) {
                texts[i][k] = (char)(1 + hz_random_draw(&random, 127));
            }
            texts[i][n] = '\0';
        }
        double *const numbers[] = {&m.temperature, &m.brier_score, &m.log_loss};
        for (size_t i = 0; i < 3; i++) {
            uint64_t bits = hz_random_mix(random.counter + i);
            double number;
            memcpy(&number, &bits, sizeof number);
            *numbers[i] = number - number == 0.0 ? number : 0.1;
        }
        m.provenance = provenance;
        m.provenance_count = 2;
        m.model_id = "\xc3\xa4 \"\\\n\x01";
        char buffer[4000];
        size_t length;
        hz_error err;
        if (strcmp(texts[0], texts[2]) == 0) {
            refused("equal keys", HZ_MANIFEST,
                    hz_manifest_to_text(&m, buffer, sizeof buffer, &length, &err), &err, NULL,
                    "is there twice");
        } else {
            assert_int_equal(hz_manifest_to_text(&m, buffer, sizeof buffer, &length, &err), HZ_OK);
            hz_manifest again = accepted(buffer, &arena);
            same_manifest(&m, &again);
        }
        hz_arena_fini(&arena);
    }
}

static void what_would_not_read_back_is_not_written(void **state) {
    (void)state;
    hz_arena arena;
    hz_arena_init(&arena, 0);
    const hz_manifest good = accepted(example, &arena);
    hz_provenance twice[] = {{"k", "1"}, {"l", "2"}, {"k", "3"}}, hollow = {"k", NULL},
                  not_utf8 = {"k", "\xff"};
    hz_manifest m[12];
    for (size_t i = 0; i < 12; i++) {
        m[i] = good;
    }
    m[0].model_id = NULL;
    m[1].model_sha256 = "12";
    m[2].model_role = "judge";
    m[3].feature_count = 10;
    m[4].output_name = "";
    m[5].engine_compatibility = ">=1";
    m[6].evaluation_profile = "\xc3";
    m[7].temperature = (double)INFINITY;
    m[8].provenance = twice;
    m[9].provenance = &hollow;
    m[9].provenance_count = 1;
    m[10].provenance = &not_utf8;
    m[10].provenance_count = 1;
    m[11].feature_schema = "dual-view-1540-v1"; /* a schema of chess */
    m[11].feature_count = 1540;
    static const char *const required[12] = {"modelId must not be blank",
                                             "64 hexadecimal",
                                             "unknown modelRole 'judge'",
                                             "featureCount 10 does not match",
                                             "outputName must not be blank",
                                             "invalid engineCompatibility '>=1'",
                                             "field 'evaluationProfile' is not valid UTF-8",
                                             "field 'temperature' must be a number",
                                             "field 'provenance.k' is there twice",
                                             "lacks its key or its value",
                                             "field 'k' is not valid UTF-8",
                                             "unknown featureSchema 'dual-view-1540-v1'"};
    for (size_t i = 0; i < 12; i++) {
        char buffer[4000] = "untouched";
        size_t length = 77;
        hz_error err;
        hz_error_clear(&err);
        refused(required[i], HZ_MANIFEST,
                hz_manifest_to_text(&m[i], buffer, sizeof buffer, &length, &err), &err, NULL,
                required[i]);
        assert_string_equal(buffer, "untouched");
        assert_int_equal(length, 77);
    }
    hz_arena_fini(&arena);
}

static void a_text_that_would_be_too_long_is_not_written(void **state) {
    (void)state;
    hz_arena arena;
    size_t length;
    hz_error err;
    hz_arena_init(&arena, 0);
    hz_manifest m = accepted(example, &arena);
    char *endless = malloc(HZ_MANIFEST_BYTES_MAX);
    assert_non_null(endless);
    memset(endless, 'x', HZ_MANIFEST_BYTES_MAX - 1);
    endless[HZ_MANIFEST_BYTES_MAX - 1] = '\0';
    m.evaluation_profile = endless;
    refused("long", HZ_MANIFEST, hz_manifest_to_text(&m, NULL, 0, &length, &err), &err, NULL,
            "more than 1048576 bytes");
    free(endless);
    hz_arena_fini(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_canonical_text_is_stable),
        cmocka_unit_test(a_legacy_manifest_is_written_with_its_defaults),
        cmocka_unit_test(what_is_written_reads_back_the_same),
        cmocka_unit_test(what_would_not_read_back_is_not_written),
        cmocka_unit_test(a_text_that_would_be_too_long_is_not_written),
    };
    return cmocka_run_group_tests_name("package manifest_write", tests, NULL, NULL);
}
