/* SPDX-License-Identifier: MIT */
/* Manifests: what parses, what validates, in which order what is refused, and the canonical text. */
#include "package/folder.h"

#include <jansson.h>

#define PATH "some/manifest.json"

static hz_status read_length(const char *text, size_t length, const char *engine, hz_arena *arena,
                             hz_manifest *manifest, hz_error *err) {
    hz_error_clear(err);
    hz_status status = hz_manifest_parse(text, length, PATH, arena, manifest, err);
    return status == HZ_OK ? hz_manifest_validate(manifest, engine, PATH, err) : status;
}

static hz_status read_text(const char *text, hz_arena *arena, hz_manifest *manifest,
                           hz_error *err) {
    return read_length(text, strlen(text), NULL, arena, manifest, err);
}

/* The manifest must be good. */
static hz_manifest accepted(const char *text, hz_arena *arena) {
    hz_manifest manifest = {0};
    hz_error err;
    if (read_text(text, arena, &manifest, &err) != HZ_OK) {
        fail_msg("refused: %s\n%s", err.message, text);
    }
    return manifest;
}

static void must_refuse(const char *text, const char *required) {
    hz_arena arena;
    hz_manifest manifest;
    hz_error err;
    hz_arena_init(&arena, 0);
    refused(text, HZ_MANIFEST, read_text(text, &arena, &manifest, &err), &err, PATH, required);
    hz_arena_fini(&arena);
}

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

/* ---- facts ---- */

static void known_manifests_are_judged_as_they_should(void **state) {
    (void)state;
    test_table table = test_table_load("package_manifests.tsv", 5);
    for (size_t i = 0; i < table.count; i++) {
        const char *const *field = table.rows[i].field;
        hz_arena arena;
        hz_manifest manifest;
        hz_error err;
        hz_arena_init(&arena, 0);
        hz_status status =
            read_length(field[4], strlen(field[4]), field[1], &arena, &manifest, &err);
        if (strcmp(field[2], "-") != 0) {
            hz_status expected =
                strstr(field[2], "does not include") ? HZ_ENGINE_VERSION : HZ_MANIFEST;
            refused(field[0], expected, status, &err, PATH, field[2]);
        } else if (status != HZ_OK) {
            fail_msg("%s is refused: %s", field[0], err.message);
        } else {
            test_text text = {0};
            for (size_t k = 0; k < manifest.provenance_count; k++) {
                char pair[100];
                snprintf(pair, sizeof pair, "%s=%s", manifest.provenance[k].key,
                         manifest.provenance[k].value);
                test_text_word(&text, pair);
            }
            test_same_text(field[0], "provenance", field[3],
                           text.length ? test_text_get(&text) : "-");
            test_text_free(&text);
        }
        hz_arena_fini(&arena);
    }
    test_table_free(&table);
}

static const char example[] = "{\n"
                              "  \"manifestVersion\": \"1.1.0\",\n"
                              "  \"modelId\": \"collapse-9\",\n"
                              "  \"modelSha256\": \"" DRAFT_DIGEST "\",\n"
                              "  \"modelRole\": \"chance-collapse\",\n"
                              "  \"featureSchema\": \"rich-9-v1\",\n"
                              "  \"featureCount\": 9,\n"
                              "  \"inputName\": \"rows\",\n"
                              "  \"outputName\": \"expectation\",\n"
                              "  \"perspective\": \"side-to-move\",\n"
                              "  \"engineCompatibility\": \">=0.12.0 <1.0.0\",\n"
                              "  \"evaluationProfile\": \"quick\",\n"
                              "  \"calibration\": {\n"
                              "    \"temperature\": 1.25,\n"
                              "    \"brierScore\": 0.187,\n"
                              "    \"logLoss\": 0.5,\n"
                              "    \"calibratedOn\": \"holdout-2\"\n"
                              "  },\n"
                              "  \"provenance\": {\n"
                              "    \"epochs\": \"40\",\n"
                              "    \"shuffled\": \"true\",\n"
                              "    \"dataset\": \"selfplay \\\"17\\\"\"\n"
                              "  }\n"
                              "}\n";

static void every_field_arrives(void **state) {
    (void)state;
    hz_arena arena;
    hz_arena_init(&arena, 0);
    hz_manifest m = accepted(example, &arena);
    assert_string_equal(m.manifest_version, "1.1.0");
    assert_string_equal(m.model_id, "collapse-9");
    assert_string_equal(m.model_sha256, DRAFT_DIGEST);
    assert_string_equal(m.model_role, "chance-collapse");
    assert_string_equal(m.feature_schema, "rich-9-v1");
    assert_int_equal(m.feature_count, 9);
    assert_string_equal(m.input_name, "rows");
    assert_string_equal(m.output_name, "expectation");
    assert_string_equal(m.perspective, "side-to-move");
    assert_string_equal(m.engine_compatibility, ">=0.12.0 <1.0.0");
    assert_string_equal(m.evaluation_profile, "quick");
    assert_true(m.has_calibration && m.has_brier_score && m.has_log_loss);
    assert_true(m.temperature == 1.25 && m.brier_score == 0.187 && m.log_loss == 0.5);
    assert_string_equal(m.calibrated_on, "holdout-2");
    assert_int_equal(m.provenance_count, 3);
    assert_string_equal(m.provenance[2].key, "dataset");
    assert_string_equal(m.provenance[2].value, "selfplay \"17\"");
    hz_arena_fini(&arena);
}

static void what_is_absent_has_its_default(void **state) {
    (void)state;
    hz_arena arena;
    hz_arena_init(&arena, 0);
    draft d = draft_legacy();
    hz_manifest m = accepted(draft_text(&d), &arena);
    assert_string_equal(m.manifest_version, "1.0.0");
    assert_string_equal(m.model_role, "position-value");
    assert_string_equal(m.perspective, "side-to-move");
    assert_string_equal(m.input_name, "input");
    assert_string_equal(m.output_name, "output");
    assert_null(m.evaluation_profile);
    assert_false(m.has_calibration);
    assert_true(m.temperature == 1.0);
    assert_false(m.has_brier_score || m.has_log_loss);
    assert_null(m.calibrated_on);
    assert_int_equal(m.provenance_count, 0);
    draft_set(&d, "calibration", "{}");
    draft_set(&d, "provenance", "{}");
    m = accepted(draft_text(&d), &arena);
    assert_true(m.has_calibration);
    assert_true(m.temperature == 1.0);
    assert_int_equal(m.provenance_count, 0);
    hz_arena_fini(&arena);
}

static void null_is_absent_everywhere(void **state) {
    (void)state;
    hz_arena arena;
    hz_arena_init(&arena, 0);
    draft d = draft_legacy();
    static const char *const optional[] = {"modelRole",        "perspective", "inputName",
                                           "outputName",       "calibration", "provenance",
                                           "evaluationProfile"};
    for (size_t i = 0; i < sizeof optional / sizeof *optional; i++) {
        draft_set(&d, optional[i], "null");
    }
    hz_manifest m = accepted(draft_text(&d), &arena);
    assert_string_equal(m.model_role, "position-value");
    assert_string_equal(m.input_name, "input");
    draft_set(&d, "calibration",
              "{\"temperature\":null,\"brierScore\":null,\"logLoss\":null,\"calibratedOn\":null}");
    draft_set(&d, "provenance", "{\"a\":null,\"b\":1}");
    m = accepted(draft_text(&d), &arena);
    assert_true(m.has_calibration && m.temperature == 1.0 && !m.has_brier_score);
    assert_int_equal(m.provenance_count, 1);
    assert_string_equal(m.provenance[0].key, "b");
    static const char *const needed[] = {"manifestVersion", "modelId",      "modelSha256",
                                         "featureSchema",   "featureCount", "engineCompatibility"};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        char text[60];
        d = draft_legacy();
        draft_set(&d, needed[i], "null");
        snprintf(text, sizeof text, "missing required field '%s'", needed[i]);
        must_refuse(draft_text(&d), text);
    }
    hz_arena_fini(&arena);
}

static void the_first_of_equal_keys_counts(void **state) {
    (void)state;
    hz_arena arena;
    hz_arena_init(&arena, 0);
    char text[DRAFT_TEXT + 400];
    draft d = draft_good();
    draft_set(&d, "provenance", "{\"a\":1,\"b\":2,\"\\u0061\":[3],\"a\":\"4\",\"c\":null,\"c\":5}");
    draft_set(&d, "calibration", "{\"temperature\":2,\"temperature\":\"hot\",\"temperature\":3}");
    const char *good = draft_text(&d);
    snprintf(text, sizeof text, "%.*s,\"modelId\":7,\"featureCount\":99,\"model\\u0052ole\":true}",
             (int)strlen(good) - 1, good);
    hz_manifest m = accepted(text, &arena);
    assert_string_equal(m.model_id, "unit");
    assert_int_equal(m.feature_count, 13);
    assert_true(m.temperature == 2.0);
    assert_int_equal(m.provenance_count, 2);
    assert_string_equal(m.provenance[0].value, "1");
    assert_string_equal(m.provenance[1].value, "2");
    hz_arena_fini(&arena);
    /* Even when the first is null. */
    snprintf(text, sizeof text, "{\"modelId\":null,%s", good + 1);
    must_refuse(text, "missing required field 'modelId'");
}

static void unknown_fields_are_ignored_and_case_counts(void **state) {
    (void)state;
    hz_arena arena;
    hz_arena_init(&arena, 0);
    draft d = draft_good();
    draft_set(&d, "ruleset", "{\"x\":[1,{\"y\":null}]}");
    draft_set(&d, "ModelId", "5");
    draft_set(&d, "", "[]");
    draft_set(&d, "calibration", "{\"other\":[[]],\"Temperature\":\"x\"}");
    (void)accepted(draft_text(&d), &arena);
    hz_arena_fini(&arena);
    draft_set(&d, "modelid", "\"unit\"");
    draft_set(&d, "modelId", NULL);
    must_refuse(draft_text(&d), "missing required field 'modelId'");
}

/* ---- order ---- */

/* Everything is wrong at first. Each step expects the next refusal and mends what it is about; so
 * each refusal is shown to win over all that come later. */
static void refusals_come_in_order(void **state) {
    (void)state;
    static const struct {
        const char *required, *also;
        const char *key, *json; /* what is mended, perhaps only to the next mistake */
    } steps[] = {
        {"missing required field 'manifestVersion'", "", "manifestVersion", "11"},
        {"field 'manifestVersion' must be a string", "", "manifestVersion", "\"1.2.0\""},
        {"unsupported manifestVersion '1.2.0'", "1.0.0, 1.1.0", "manifestVersion", "\"1.1.0\""},
        {"missing required field 'modelId'", "", "modelId", "[]"},
        {"field 'modelId' must be a string", "", "modelId", "\" \\t\""},
        {"missing required field 'modelSha256'", "", "modelSha256", "false"},
        {"field 'modelSha256' must be a string", "", "modelSha256", "\"12ab\""},
        {"manifestVersion 1.1.0 requires field 'modelRole'", "", "modelRole", "0"},
        {"field 'modelRole' must be a string", "", "modelRole", "\"value\""},
        {"missing required field 'featureSchema'", "", "featureSchema", "{}"},
        {"field 'featureSchema' must be a string", "", "featureSchema", "\"Kcp-13\""},
        {"missing required field 'featureCount'", "", "featureCount", "\"13\""},
        {"field 'featureCount' must be a whole number", "", "featureCount", "12"},
        {"field 'inputName' must be a string", "", "inputName", "\" \""},
        {"field 'outputName' must be a string", "", "outputName", "\"\""},
        {"manifestVersion 1.1.0 requires field 'perspective'", "", "perspective", "1"},
        {"field 'perspective' must be a string", "", "perspective", "\"white\""},
        {"missing required field 'engineCompatibility'", "", "engineCompatibility", "[1]"},
        {"field 'engineCompatibility' must be a string", "", "engineCompatibility", "\"\\n\""},
        {"field 'evaluationProfile' must be a string", "", "evaluationProfile", "null"},
        {"field 'calibration' must be an object", "", "calibration",
         "{\"calibratedOn\":1,\"logLoss\":\"\",\"brierScore\":{},\"temperature\":\"1\"}"},
        {"field 'temperature' must be a number", "", "calibration",
         "{\"calibratedOn\":1,\"logLoss\":\"\",\"brierScore\":{}}"},
        {"field 'brierScore' must be a number", "", "calibration",
         "{\"calibratedOn\":1,\"logLoss\":\"\"}"},
        {"field 'logLoss' must be a number", "", "calibration", "{\"calibratedOn\":1}"},
        {"field 'calibratedOn' must be a string", "", "calibration", "{}"},
        {"field 'provenance' must be an object", "", "provenance", "{\"a\":1,\"b\":[],\"c\":{}}"},
        {"field 'provenance.b' must be a string, number or boolean", "", "provenance",
         "{\"c\":{\"d\":1}}"},
        {"field 'provenance.c' must be a string, number or boolean", "", "provenance", "{}"},
        {"modelId must not be blank", "", "modelId", "\"m\""},
        {"64 hexadecimal", "'12ab'", "modelSha256", "\"" DRAFT_DIGEST "\""},
        {"unknown modelRole 'value'", "chance-collapse, move-prerank, position-value", "modelRole",
         "\"move-prerank\""},
        {"unknown featureSchema 'Kcp-13'",
         "kcp-13, kcp-mobility-27-v1, kcp-mobility-pawns-31-v1, material-7-v1, raw-board-768-v1, "
         "rich-9-v1, rich-pdi-11-v1",
         "featureSchema", "\"kcp-13\""},
        {"featureCount 12 does not match featureSchema 'kcp-13' (13 columns)", "", "featureCount",
         "13"},
        {"inputName must not be blank", "", "inputName", "\"in\""},
        {"outputName must not be blank", "", "outputName", "\"out\""},
        {"unsupported perspective 'white'", "", "perspective", "\"side-to-move\""},
        {"engineCompatibility must not be blank", "", "engineCompatibility", "\">=0.13.0 <1\""},
        {"invalid engineCompatibility '>=0.13.0 <1'", "", "engineCompatibility",
         "\">=0.13.0 <1.0.0\""},
    };
    draft d = {.count = 0};
    static const char *const wrong_types[] = {"inputName", "outputName", "evaluationProfile",
                                              "calibration", "provenance"};
    for (size_t i = 0; i < sizeof wrong_types / sizeof *wrong_types; i++) {
        draft_set(&d, wrong_types[i], "true");
    }
    must_refuse("", "not valid JSON");
    must_refuse("[{\"manifestVersion\":1}]", "manifest must be a JSON object");
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        must_refuse(draft_text(&d), steps[i].required);
        must_refuse(draft_text(&d), steps[i].also);
        draft_set(&d, steps[i].key, steps[i].json);
    }
    hz_arena arena;
    hz_manifest manifest;
    hz_error err;
    hz_arena_init(&arena, 0);
    refused("range", HZ_ENGINE_VERSION, read_text(draft_text(&d), &arena, &manifest, &err), &err,
            PATH, "engineCompatibility '>=0.13.0 <1.0.0' does not include engine version '0.12.0'");
    refused("host", HZ_MANIFEST,
            read_length(draft_text(&d), strlen(d.text), "0.13", &arena, &manifest, &err), &err,
            PATH, "invalid engine version '0.13'");
    assert_int_equal(read_length(d.text, strlen(d.text), "0.13.0", &arena, &manifest, &err), HZ_OK);
    hz_arena_fini(&arena);
}

static void a_legacy_manifest_has_no_newer_field(void **state) {
    (void)state;
    static const char *const newer[] = {"modelRole", "inputName", "outputName", "perspective"};
    for (size_t i = 0; i < sizeof newer / sizeof *newer; i++) {
        char text[80];
        draft d = draft_legacy();
        /* Of whatever type. */
        draft_set(&d, newer[i], i % 2 ? "7" : "\"side-to-move\"");
        snprintf(text, sizeof text, "manifestVersion 1.0.0 does not define field '%s'", newer[i]);
        must_refuse(draft_text(&d), text);
    }
}

/* ---- JSON ---- */

static void the_place_of_bad_json_is_told(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t offset;
        uint32_t line, column;
    } cases[] = {
        {"", 0, 1, 1},
        {"{oops", 1, 1, 2},
        {"{\n \"a\" 1}", 7, 2, 6},
        {"{\"\xc3\xa4\": x}", 7, 1, 7},
        {"{} {}", 3, 1, 4},
        {"{\"a\": 1,}", 8, 1, 9},
        {"{\"a\": [1,]}", 9, 1, 10},
        {"\xef\xbb\xbf{}", 0, 1, 1},
        {"{\"a\": 01}", 7, 1, 8},
        {"{\"a\": 9223372036854775808}", 6, 1, 7},
        {"{\"a\": \"\n\"}", 7, 1, 8},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hz_arena arena;
        hz_manifest manifest;
        hz_error err;
        char place[60];
        hz_arena_init(&arena, 0);
        snprintf(place, sizeof place,
                 "not valid JSON: line %u, column %u: ", (unsigned)cases[i].line,
                 (unsigned)cases[i].column);
        refused(cases[i].text, HZ_MANIFEST, read_text(cases[i].text, &arena, &manifest, &err), &err,
                PATH, place);
        assert_int_equal(err.offset, cases[i].offset);
        assert_int_equal(err.line, cases[i].line);
        assert_int_equal(err.column, cases[i].column);
        assert_int_equal(
            hz_manifest_parse(cases[i].text, strlen(cases[i].text), NULL, &arena, &manifest, NULL),
            HZ_MANIFEST);
        hz_arena_fini(&arena);
    }
}

static void json_is_strict(void **state) {
    (void)state;
    /* Values of a field that nobody asks for. */
    static const char *const bad[] = {"",
                                      "nul",
                                      "True",
                                      "NaN",
                                      "Infinity",
                                      "-",
                                      "+1",
                                      ".5",
                                      "1.",
                                      "1.e1",
                                      "1e",
                                      "1e+",
                                      "00",
                                      "-01",
                                      "0x1",
                                      "1e999",
                                      "-1e999",
                                      "'a'",
                                      "\"",
                                      "\"\\",
                                      "\"\\\"",
                                      "\"\\x41\"",
                                      "\"\\u12\"",
                                      "\"\\u12g4\"",
                                      "\"\t\"",
                                      "\"\x7f",
                                      "\"\x80\"",
                                      "\"\xc0\xaf\"",
                                      "\"\xed\xa0\x80\"",
                                      "\"\xf4\x90\x80\x80\"",
                                      "\"\xe2\x82\"",
                                      "\"\xff\"",
                                      "\"\\ud800\"",
                                      "\"\\udc00\"",
                                      "\"\\ud800\\u0041\"",
                                      "\"\\ud800x\"",
                                      "\"\\u0000\"",
                                      "[",
                                      "[1 2]",
                                      "[,1]",
                                      "{\"a\"}",
                                      "{\"a\":}",
                                      "{1:2}",
                                      "{\"a\":1 \"b\":2}",
                                      "{,}",
                                      "// c\n1",
                                      "/**/1",
                                      "1 /",
                                      "9223372036854775808",
                                      "-9223372036854775809",
                                      "123456789012345678901234567890"};
    static const char *const good[] = {"0",
                                       "-0",
                                       "1e5",
                                       "1E-5",
                                       "0.25e+2",
                                       "1e-999",
                                       "-9223372036854775808",
                                       "9223372036854775807",
                                       "9223372036854775808.0",
                                       "1e300",
                                       "\"\"",
                                       "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e4\\ud83d\\ude00\"",
                                       "\"\x7f\xc3\xa4\xf0\x9f\x98\x80\"",
                                       "[]",
                                       "{}",
                                       "[ 1 , [ ] ]",
                                       " true\t",
                                       "\r\nfalse "};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        draft d = draft_good();
        draft_set(&d, "other", bad[i]);
        must_refuse(draft_text(&d), "not valid JSON: line ");
    }
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        hz_arena arena;
        hz_arena_init(&arena, 0);
        draft d = draft_good();
        draft_set(&d, "other", good[i]);
        (void)accepted(draft_text(&d), &arena);
        hz_arena_fini(&arena);
    }
    /* A NUL is a byte like any other that does not belong there. */
    hz_arena arena;
    hz_manifest manifest;
    hz_error err;
    hz_arena_init(&arena, 0);
    refused("NUL", HZ_MANIFEST, read_length("{}\0", 3, NULL, &arena, &manifest, &err), &err, PATH,
            "not valid JSON");
    refused("NUL", HZ_MANIFEST, read_length("{\"a\0\":1}", 8, NULL, &arena, &manifest, &err), &err,
            PATH, "not valid JSON");
    hz_arena_fini(&arena);
}

static void nesting_ends_at_64(void **state) {
    (void)state;
    for (int objects = 0; objects < 2; objects++) {
        for (size_t depth = 63; depth <= 64; depth++) {
            char value[64 * 6 + 2] = "";
            for (size_t i = 0; i < depth; i++) {
                strcat(value, objects ? "{\"a\":" : "[");
            }
            strcat(value, objects ? "1" : "");
            for (size_t i = 0; i < depth; i++) {
                strcat(value, objects ? "}" : "]");
            }
            draft d = draft_good();
            draft_set(&d, "other", value);
            if (depth + 1 > 64) {
                must_refuse(draft_text(&d), "nesting deeper than 64");
            } else {
                hz_arena arena;
                hz_arena_init(&arena, 0);
                (void)accepted(draft_text(&d), &arena);
                hz_arena_fini(&arena);
            }
        }
    }
    enum { DEEP = 1 << 19 };
    char *deep = malloc(DEEP);
    hz_arena arena;
    hz_manifest manifest;
    hz_error err;
    assert_non_null(deep);
    memset(deep, '[', DEEP);
    hz_arena_init(&arena, 1 << 16);
    refused("deep", HZ_MANIFEST, read_length(deep, DEEP, NULL, &arena, &manifest, &err), &err, PATH,
            "nesting deeper than 64");
    hz_arena_fini(&arena);
    free(deep);
}

static void whole_numbers_are_whole_however_written(void **state) {
    (void)state;
    static const char *const same[] = {"13", "13.0", "13.000", "1.3e1", "130e-1", "0.13E+2"};
    static const char *const none[] = {
        "12.5", "1e-1",   "2147483648", "-2147483649", "1e300",
        "true", "\"13\"", "[13]",       "{}",          "9223372036854775807"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        hz_arena arena;
        hz_arena_init(&arena, 0);
        draft d = draft_good();
        draft_set(&d, "featureCount", same[i]);
        assert_int_equal(accepted(draft_text(&d), &arena).feature_count, 13);
        hz_arena_fini(&arena);
    }
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        draft d = draft_good();
        draft_set(&d, "featureCount", none[i]);
        must_refuse(draft_text(&d), "field 'featureCount' must be a whole number");
    }
    draft d = draft_good();
    draft_set(&d, "featureCount", "-13");
    must_refuse(draft_text(&d), "featureCount -13 does not match");
    draft_set(&d, "featureCount", "2147483647");
    must_refuse(draft_text(&d), "featureCount 2147483647 does not match");
}

/* The reader of a library that everybody uses says the same about random texts. */
static void jansson_agrees_about_random_texts(void **state) {
    (void)state;
    static const char *const pieces[] = {"{",
                                         "}",
                                         "[",
                                         "]",
                                         ",",
                                         ":",
                                         "\"",
                                         "\"a\"",
                                         "\"b\":",
                                         "1",
                                         "-",
                                         "0",
                                         ".",
                                         "e",
                                         "E+",
                                         "true",
                                         "null",
                                         " ",
                                         "\n",
                                         "\\",
                                         "\\u00",
                                         "41",
                                         "\\ud83d\\ude00",
                                         "\xc3\xa4",
                                         "\x80",
                                         "9223372036854775807",
                                         "false",
                                         "\"\\n\""};
    enum { PIECES = sizeof pieces / sizeof *pieces };
    hz_random random = hz_random_from_seed(test_seed());
    size_t good = 0;
    for (size_t round = test_effort(20000); round > 0; round--) {
        char text[sizeof example + 64];
        size_t length = 0;
        if (hz_random_draw(&random, 2)) { /* an example with some places changed */
            memcpy(text, example, sizeof example);
            length = sizeof example - 1;
            for (uint32_t edits = hz_random_draw(&random, 3); edits > 0; edits--) {
                const char *piece = pieces[hz_random_draw(&random, PIECES)];
                size_t at = hz_random_draw(&random, (uint32_t)length), size = strlen(piece);
                size_t cut = hz_random_draw(&random, 3) % (length - at);
                memmove(text + at + size, text + at + cut, length - at - cut);
                memcpy(text + at, piece, size);
                length = length + size - cut;
            }
        } else { /* pieces one after the other */
            for (uint32_t n = 1 + hz_random_draw(&random, 8); n > 0; n--) {
                const char *piece = pieces[hz_random_draw(&random, PIECES)];
                memcpy(text + length, piece, strlen(piece));
                length += strlen(piece);
            }
        }
        text[length] = '\0';
        hz_arena arena;
        hz_manifest manifest;
        hz_error err;
        hz_arena_init(&arena, 0);
        hz_status status = read_length(text, length, NULL, &arena, &manifest, &err);
        bool ours = status == HZ_OK || !strstr(err.message, ": not valid JSON: ");
        json_t *json = json_loadb(text, length, JSON_DECODE_ANY, NULL);
        if (ours != (json != NULL)) {
            fail_msg("%s\nhere: %s; jansson: %s", text, ours ? "JSON" : err.message,
                     json ? "JSON" : "not JSON");
        }
        good += ours;
        json_decref(json);
        hz_arena_fini(&arena);
    }
    test_met(good > 0);
}

/* ---- sizes ---- */

static void a_manifest_ends_at_one_mebibyte(void **state) {
    (void)state;
    char *text = malloc(HZ_MANIFEST_BYTES_MAX + 1);
    hz_arena arena;
    hz_manifest manifest;
    hz_error err;
    assert_non_null(text);
    memset(text, ' ', HZ_MANIFEST_BYTES_MAX + 1);
    memcpy(text, example, sizeof example - 1);
    hz_arena_init(&arena, 0);
    assert_int_equal(read_length(text, HZ_MANIFEST_BYTES_MAX, NULL, &arena, &manifest, &err),
                     HZ_OK);
    refused("long", HZ_MANIFEST,
            read_length(text, HZ_MANIFEST_BYTES_MAX + 1, NULL, &arena, &manifest, &err), &err, PATH,
            "not valid JSON: more than 1048576 bytes");
    hz_arena_fini(&arena);
    free(text);
}

/* As many entries as a manifest can hold, half of them repeated: quick, and in bounded memory. */
static void a_full_provenance_is_read_in_bounded_memory(void **state) {
    (void)state;
    enum { ENTRIES = 60000 };
    char *text = malloc(HZ_MANIFEST_BYTES_MAX);
    assert_non_null(text);
    draft d = draft_good();
    size_t length = (size_t)snprintf(text, HZ_MANIFEST_BYTES_MAX, "%s", draft_text(&d)) - 1;
    length += (size_t)sprintf(text + length, ",\"provenance\":{");
    for (int i = 0; i < ENTRIES; i++) {
        length +=
            (size_t)sprintf(text + length, "%s\"k%d\":%d", i ? "," : "", i % (ENTRIES / 2), i);
    }
    length += (size_t)sprintf(text + length, "}}");
    assert_in_range(length, 0, HZ_MANIFEST_BYTES_MAX - 1);
    hz_arena arena;
    hz_manifest manifest;
    hz_error err;
    hz_arena_init(&arena, 32 << 20);
    assert_int_equal(read_length(text, length, NULL, &arena, &manifest, &err), HZ_OK);
    assert_int_equal(manifest.provenance_count, ENTRIES / 2);
    assert_string_equal(manifest.provenance[ENTRIES / 2 - 1].key, "k29999");
    assert_string_equal(manifest.provenance[ENTRIES / 2 - 1].value, "29999");
    hz_arena_fini(&arena);
    free(text);
}

static void without_memory_nothing_is_read(void **state) {
    (void)state;
    hz_status status = HZ_NO_MEMORY;
    bool failed = false;
    for (size_t limit = 1; status == HZ_NO_MEMORY; limit += 64) {
        hz_arena arena;
        hz_manifest manifest = {.model_id = "untouched"};
        hz_error err;
        hz_arena_init(&arena, limit);
        status = read_text(example, &arena, &manifest, &err);
        if (status != HZ_OK) {
            refused("small", HZ_NO_MEMORY, status, &err, PATH, "no memory");
            assert_string_equal(manifest.model_id, "untouched");
            failed = true;
        }
        hz_arena_fini(&arena);
    }
    assert_int_equal(status, HZ_OK);
    assert_true(failed);
}

static void long_values_leave_the_required_words(void **state) {
    (void)state;
    enum { LONG = 3000 };
    static const struct {
        const char *key, *before, *required;
    } cases[] = {{"manifestVersion", "", "unsupported manifestVersion 'xxx"},
                 {"manifestVersion", "", "'; supported: 1.0.0, 1.1.0"},
                 {"modelSha256", "", "64 hexadecimal"},
                 {"modelRole", "", "'; known: chance-collapse, move-prerank, position-value"},
                 {"featureSchema", "", "raw-board-768-v1, rich-9-v1, rich-pdi-11-v1"},
                 {"perspective", "", "unsupported perspective 'xxx"},
                 {"engineCompatibility", "", "invalid engineCompatibility 'xxx"}};
    char value[LONG], path[LONG];
    memset(path, 'p', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    memset(value, 'x', sizeof value - 1);
    value[0] = value[sizeof value - 2] = '"';
    value[sizeof value - 1] = '\0';
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hz_arena arena;
        hz_manifest manifest;
        hz_error err;
        hz_arena_init(&arena, 0);
        draft d = draft_good();
        draft_set(&d, cases[i].key, value);
        must_refuse(draft_text(&d), cases[i].required);
        hz_status status = hz_manifest_parse(d.text, strlen(d.text), path, &arena, &manifest, &err);
        if (status == HZ_OK) {
            status = hz_manifest_validate(&manifest, NULL, path, &err);
        }
        refused(cases[i].key, HZ_MANIFEST, status, &err, NULL, cases[i].required);
        hz_arena_fini(&arena);
    }
    /* A range of a thousand good comparators, none of which includes the host. */
    draft d = draft_good();
    for (size_t i = 1; i + 8 < sizeof value; i += 8) {
        memcpy(value + i, " >9.0.0 ", 8);
        value[i + 8] = '"';
        value[i + 9] = '\0';
    }
    draft_set(&d, "engineCompatibility", value);
    hz_arena arena;
    hz_manifest manifest;
    hz_error err;
    hz_arena_init(&arena, 0);
    refused("range", HZ_ENGINE_VERSION, read_text(draft_text(&d), &arena, &manifest, &err), &err,
            PATH, "...' does not include engine version '0.12.0'");
    hz_arena_fini(&arena);
}

static void a_message_is_one_line_of_whole_characters(void **state) {
    (void)state;
    char value[400] = "\"\\n\\u0007";
    for (size_t i = 0; i < 100; i++) {
        strcat(value, "\xe2\x82\xac");
    }
    strcat(value, "\"");
    hz_arena arena;
    hz_manifest manifest;
    hz_error err;
    hz_arena_init(&arena, 0);
    draft d = draft_good();
    draft_set(&d, "modelRole", value);
    refused("euro", HZ_MANIFEST, read_text(draft_text(&d), &arena, &manifest, &err), &err, PATH,
            "unknown modelRole '?\?\xe2\x82\xac");
    assert_non_null(strstr(err.message, "\xe2\x82\xac...'; known: "));
    hz_arena_fini(&arena);
}

/* ---- writing ---- */

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

static void wrong_arguments_are_refused(void **state) {
    (void)state;
    hz_arena arena = {0};
    hz_manifest m = {0};
    size_t length;
    assert_int_equal(hz_manifest_parse(NULL, 1, PATH, &arena, &m, NULL), HZ_INVALID_ARGUMENT);
    assert_int_equal(hz_manifest_parse("{}", 2, PATH, NULL, &m, NULL), HZ_INVALID_ARGUMENT);
    assert_int_equal(hz_manifest_parse("{}", 2, PATH, &arena, NULL, NULL), HZ_INVALID_ARGUMENT);
    assert_int_equal(hz_manifest_parse(NULL, 0, PATH, &arena, &m, NULL), HZ_MANIFEST);
    assert_int_equal(hz_manifest_validate(NULL, NULL, PATH, NULL), HZ_INVALID_ARGUMENT);
    assert_int_equal(hz_manifest_validate(&m, NULL, PATH, NULL), HZ_MANIFEST);
    assert_int_equal(hz_manifest_to_text(NULL, NULL, 0, &length, NULL), HZ_INVALID_ARGUMENT);
    assert_int_equal(hz_manifest_to_text(&m, NULL, 0, NULL, NULL), HZ_INVALID_ARGUMENT);
    hz_arena_fini(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_manifests_are_judged_as_they_should),
        cmocka_unit_test(every_field_arrives),
        cmocka_unit_test(what_is_absent_has_its_default),
        cmocka_unit_test(null_is_absent_everywhere),
        cmocka_unit_test(the_first_of_equal_keys_counts),
        cmocka_unit_test(unknown_fields_are_ignored_and_case_counts),
        cmocka_unit_test(refusals_come_in_order),
        cmocka_unit_test(a_legacy_manifest_has_no_newer_field),
        cmocka_unit_test(the_place_of_bad_json_is_told),
        cmocka_unit_test(json_is_strict),
        cmocka_unit_test(nesting_ends_at_64),
        cmocka_unit_test(whole_numbers_are_whole_however_written),
        cmocka_unit_test(jansson_agrees_about_random_texts),
        cmocka_unit_test(a_manifest_ends_at_one_mebibyte),
        cmocka_unit_test(a_full_provenance_is_read_in_bounded_memory),
        cmocka_unit_test(without_memory_nothing_is_read),
        cmocka_unit_test(long_values_leave_the_required_words),
        cmocka_unit_test(a_message_is_one_line_of_whole_characters),
        cmocka_unit_test(the_canonical_text_is_stable),
        cmocka_unit_test(a_legacy_manifest_is_written_with_its_defaults),
        cmocka_unit_test(what_is_written_reads_back_the_same),
        cmocka_unit_test(what_would_not_read_back_is_not_written),
        cmocka_unit_test(a_text_that_would_be_too_long_is_not_written),
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests_name("package manifest", tests, NULL, NULL);
}
