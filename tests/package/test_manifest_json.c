/* SPDX-License-Identifier: MIT */
/* The JSON of manifests: strict, with places of errors, the first of equal keys, whole numbers. */
#include "package/reading.h"

#include <jansson.h>

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_place_of_bad_json_is_told),
        cmocka_unit_test(json_is_strict),
        cmocka_unit_test(nesting_ends_at_64),
        cmocka_unit_test(whole_numbers_are_whole_however_written),
        cmocka_unit_test(jansson_agrees_about_random_texts),
    };
    return cmocka_run_group_tests_name("package manifest_json", tests, NULL, NULL);
}
