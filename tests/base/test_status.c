/* SPDX-License-Identifier: MIT */
/* Status codes, error values and the version: names and numbers that programs depend on. */
#include <hazard/base.h>

#include <string.h>

#include "support/support.h"

/* Written down a second time on purpose: scripts compare names, other languages compare values. */
static const struct {
    const char *name;
    int value;
} CONTRACT[] = {
    {"OK", 0},
    {"NO_MEMORY", -1},
    {"INVALID_ARGUMENT", -2},
    {"IO", -3},
    {"INCOMPLETE", -4},
    {"CANCELLED", -5},
    {"NOT_FOUND", -6},
    {"UNSUPPORTED", -7},
    {"FIELD_COUNT", -20},
    {"COLOR", -21},
    {"CASTLING", -22},
    {"EN_PASSANT", -23},
    {"HALFMOVE", -24},
    {"FULLMOVE", -25},
    {"DICE", -26},
    {"BOARD_RANKS", -27},
    {"BOARD_FILES", -28},
    {"BOARD_CHAR", -29},
    {"MOVE_TEXT", -40},
    {"NOT_PSEUDO_LEGAL", -41},
    {"NO_DIE", -42},
    {"NOT_LEGAL", -43},
    {"NO_SUCH_TURN", -44},
    {"ROLL_TEXT", -45},
    {"UNKNOWN_SCHEMA", -60},
    {"UNKNOWN_EVALUATOR", -61},
    {"UNKNOWN_BOT", -62},
    {"BAD_OPTION", -63},
    {"UNKNOWN_TARGET", -64},
    {"RECORD_SYNTAX", -80},
    {"RECORD_HEADER", -81},
    {"RECORD_REPLAY", -82},
    {"BOOK_SYNTAX", -83},
    {"JSON", -84},
    {"QUERY_FORM", -85},
    {"UNKNOWN_QUERY", -86},
    {"SCENARIO", -87},
};

/* What the header lists. */
static const struct {
    const char *name;
    int value;
} LISTED[] = {
#define ROW(name, value, text) {#name, value},
    HZ_STATUS_TABLE(ROW)
#undef ROW
};

enum { LISTED_COUNT = sizeof LISTED / sizeof LISTED[0] };

static void published_names_keep_their_values(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof CONTRACT / sizeof CONTRACT[0]; i++) {
        test_same_text(CONTRACT[i].name, "name of the value", CONTRACT[i].name,
                       hz_status_name((hz_status)CONTRACT[i].value));
    }
}

static void every_code_has_its_own_name_value_and_text(void **state) {
    (void)state;
    for (int i = 0; i < LISTED_COUNT; i++) {
        assert_string_equal(hz_status_name((hz_status)LISTED[i].value), LISTED[i].name);
        const char *text = hz_status_text((hz_status)LISTED[i].value);
        assert_true(strlen(text) > 0);
        for (int j = 0; j < i; j++) {
            assert_int_not_equal(LISTED[i].value, LISTED[j].value);
            assert_string_not_equal(LISTED[i].name, LISTED[j].name);
            assert_string_not_equal(text, hz_status_text((hz_status)LISTED[j].value));
        }
    }
}

static void ok_is_zero_and_failures_are_negative(void **state) {
    (void)state;
    assert_int_equal(HZ_OK, 0);
    for (int i = 0; i < LISTED_COUNT; i++) {
        assert_true(LISTED[i].value < 0 || strcmp(LISTED[i].name, "OK") == 0);
    }
}

static void value_outside_the_table_is_called_unknown(void **state) {
    (void)state;
    static const int outside[] = {1, -8, -19, -1000, 2147483647};
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
        assert_string_equal(hz_status_name((hz_status)outside[i]), "UNKNOWN");
        assert_non_null(hz_status_text((hz_status)outside[i]));
    }
}

static void fail_fills_the_error_and_returns_its_code(void **state) {
    (void)state;
    hz_error err;
    memset(&err, 0xA5, sizeof err);
    hz_status status = hz_fail(&err, HZ_BOARD_FILES, 17, "rank %d has %s squares", 3, "nine");
    assert_int_equal(status, HZ_BOARD_FILES);
    assert_int_equal(err.code, HZ_BOARD_FILES);
    assert_int_equal(err.offset, 17);
    assert_int_equal(err.line, 0);
    assert_int_equal(err.column, 0);
    assert_string_equal(err.message, "rank 3 has nine squares");
}

static void fail_without_an_error_still_returns_the_code(void **state) {
    (void)state;
    assert_int_equal(hz_fail(NULL, HZ_IO, HZ_NO_OFFSET, "%s", "unseen"), HZ_IO);
}

static void message_that_is_too_long_is_cut_and_terminated(void **state) {
    (void)state;
    char longer[1000];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    struct {
        hz_error err;
        char guard[16];
    } box;
    memset(&box, 0x5A, sizeof box);
    (void)hz_fail(&box.err, HZ_JSON, 0, "%s", longer);
    assert_int_equal(strlen(box.err.message), sizeof box.err.message - 1);
    for (size_t i = 0; i < sizeof box.guard; i++) {
        assert_int_equal(box.guard[i], 0x5A);
    }
}

static void clear_makes_an_error_say_nothing(void **state) {
    (void)state;
    hz_error err;
    (void)hz_fail(&err, HZ_JSON, 4, "something");
    err.line = 3;
    err.column = 9;
    hz_error_clear(&err);
    assert_int_equal(err.code, HZ_OK);
    assert_true(err.offset == HZ_NO_OFFSET);
    assert_int_equal(err.line, 0);
    assert_int_equal(err.column, 0);
    assert_string_equal(err.message, "");
    hz_error_clear(NULL);
}

static void version_is_three_numbers(void **state) {
    (void)state;
    int dots = 0, digits = 0;
    for (const char *c = hz_version(); *c; c++) {
        assert_true(*c == '.' || (*c >= '0' && *c <= '9'));
        assert_true(*c != '.' || digits > 0);
        dots += *c == '.';
        digits = *c == '.' ? 0 : digits + 1;
    }
    assert_int_equal(dots, 2);
    assert_true(digits > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_names_keep_their_values),
        cmocka_unit_test(every_code_has_its_own_name_value_and_text),
        cmocka_unit_test(ok_is_zero_and_failures_are_negative),
        cmocka_unit_test(value_outside_the_table_is_called_unknown),
        cmocka_unit_test(fail_fills_the_error_and_returns_its_code),
        cmocka_unit_test(fail_without_an_error_still_returns_the_code),
        cmocka_unit_test(message_that_is_too_long_is_cut_and_terminated),
        cmocka_unit_test(clear_makes_an_error_say_nothing),
        cmocka_unit_test(version_is_three_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
