/* SPDX-License-Identifier: MIT */
/* The JSON writer: number texts, escapes, commas. */
#include "cli/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/sink.h"
#include "support/positions.h"

static void capture_odds_have_the_shortest_binary32_text(void **state) {
    (void)state;
    for (int rolls = 0; rolls <= 216; rolls++) {
        char text[HZC_NUMBER_CAPACITY], shorter[400];
        float value = (float)(rolls / 216.0);
        size_t length = hzc_float_text(value, text);
        assert_int_equal(length, strlen(text));
        assert_true(strtof(text, NULL) == value);
        /* Readers go through binary64 first and must end at the same value. */
        assert_true((float)strtod(text, NULL) == value);
        /* One digit less does not read back. */
        size_t digits = length > 2 ? strlen(strpbrk(text, "123456789")) : 0;
        if (rolls % 216 != 0 && digits > 1) {
            (void)snprintf(shorter, sizeof shorter, "%.*g", (int)digits - 1, (double)value);
            test_true(text, "one digit less", strtof(shorter, NULL) != value);
        }
    }
}

static void known_cells_are_written_as_the_specification_writes_them(void **state) {
    (void)state;
    static const struct {
        float value;
        const char *text;
    } cells[] = {{0.2f, "0.2"},
                 {0.6f, "0.6"},
                 {1.0f, "1"},
                 {-2000.0f, "-2000"},
                 {0.0f, "0"},
                 {(float)(1 / 216.0), "0.0046296297"},
                 {78.0f, "78"},
                 {(float)(152 / 216.0), "0.7037037"},
                 {16777216.f, "16777216"},
                 {-0.0f, "0"},
                 {-10.0f, "-10"},
                 {100.0f, "100"},
                 {(float)(91 / 216.0), "0.4212963"}};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        char text[HZC_NUMBER_CAPACITY];
        (void)hzc_float_text(cells[i].value, text);
        assert_string_equal(text, cells[i].text);
    }
}

static void doubles_read_back_exactly(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    for (size_t i = 0; i < test_effort(20000); i++) {
        char text[HZC_NUMBER_CAPACITY];
        double value = ldexp((double)hz_random_draw(&random, UINT32_MAX) - 2147483648.0,
                             (int)hz_random_draw(&random, 200) - 100);
        (void)hzc_double_text(value, text);
        test_true(text, "reads back", strtod(text, NULL) == value);
    }
}

static void text_is_always_valid_json(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        const char *written;
    } texts[] = {
        {"plain", "\"plain\""},
        {"a\"b\\c", "\"a\\\"b\\\\c\""},
        {"\n\t\x01\x7f", "\"\\u000a\\u0009\\u0001\\u007f\""},
        {"\xC3\xA4\xE2\x99\x94\xF0\x9F\x8E\xB2", "\"\xC3\xA4\xE2\x99\x94\xF0\x9F\x8E\xB2\""},
        {"\xFFx\xC3", "\"\xEF\xBF\xBDx\xEF\xBF\xBD\""},
        {"\xC0\xAF", "\"\xEF\xBF\xBD\xEF\xBF\xBD\""},                 /* overlong */
        {"\xED\xA0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""}, /* surrogate */
        {"\xE2\x99", "\"\xEF\xBF\xBD\xEF\xBF\xBD\""},                 /* cut */
        {"\xF4\x90\x80\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""}};
    test_text kept = {0};
    hzc_out out;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        test_sink_init(&out, &kept);
        hzc_json json = hzc_json_to(&out);
        hzc_json_text(&json, NULL, texts[i].bytes);
        assert_true(hzc_out_flush(&out));
        assert_string_equal(test_text_get(&kept), texts[i].written);
    }
    test_text_free(&kept);
}

static void commas_stand_between_values_only(void **state) {
    (void)state;
    test_text kept = {0};
    hzc_out out;
    test_sink_init(&out, &kept);
    hzc_json json = hzc_json_to(&out);
    hzc_json_object(&json, NULL);
    hzc_json_array(&json, "empty");
    hzc_json_end_array(&json);
    hzc_json_array(&json, "list");
    hzc_json_integer(&json, NULL, -1);
    hzc_json_object(&json, NULL);
    hzc_json_end_object(&json);
    hzc_json_null(&json, NULL);
    hzc_json_end_array(&json);
    hzc_json_bool(&json, "yes", true);
    hzc_json_double(&json, "infinite", HUGE_VAL);
    hzc_json_end_object(&json);
    assert_true(hzc_out_flush(&out));
    assert_string_equal(test_text_get(&kept),
                        "{\"empty\":[],\"list\":[-1,{},null],\"yes\":true,\"infinite\":null}");
    test_text_free(&kept);
}

static void seeds_beyond_int64_are_text(void **state) {
    (void)state;
    test_text kept = {0};
    hzc_out out;
    test_sink_init(&out, &kept);
    hzc_json json = hzc_json_to(&out);
    hzc_json_array(&json, NULL);
    hzc_json_seed(&json, NULL, INT64_MAX);
    hzc_json_seed(&json, NULL, UINT64_MAX);
    hzc_json_end_array(&json);
    assert_true(hzc_out_flush(&out));
    assert_string_equal(test_text_get(&kept), "[9223372036854775807,\"18446744073709551615\"]");
    test_text_free(&kept);
}

static bool refuse(void *context, const char *bytes, size_t length) {
    (void)bytes, (void)length;
    (*(int *)context)++;
    return false;
}

static void output_that_failed_is_not_tried_again(void **state) {
    (void)state;
    int calls = 0;
    hzc_out out;
    hzc_out_init(&out, refuse, &calls);
    for (int i = 0; i < 100000; i++) {
        hzc_out_text(&out, "some text");
    }
    assert_false(hzc_out_flush(&out));
    assert_true(out.failed);
    assert_int_equal(calls, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(capture_odds_have_the_shortest_binary32_text),
        cmocka_unit_test(known_cells_are_written_as_the_specification_writes_them),
        cmocka_unit_test(doubles_read_back_exactly),
        cmocka_unit_test(text_is_always_valid_json),
        cmocka_unit_test(commas_stand_between_values_only),
        cmocka_unit_test(seeds_beyond_int64_are_text),
        cmocka_unit_test(output_that_failed_is_not_tried_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
