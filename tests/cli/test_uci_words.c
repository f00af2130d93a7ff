/* SPDX-License-Identifier: MIT */
/* Lines of the Universal Chess Interface taken apart. */
#include "cli/uci.h"

#include "support/support.h"

#include <stdlib.h>
#include <string.h>

static hzc_words words_of(const char *text) {
    return (hzc_words){text, strlen(text), 0};
}

static void words_are_what_lies_between_blanks(void **state) {
    (void)state;
    hzc_words words = words_of(" \tgo  depth\t3\r");
    hzc_word word;
    static const char *const expected[] = {"go", "depth", "3"};
    for (int i = 0; i < 3; i++) {
        assert_true(hzc_words_next(&words, &word));
        assert_true(hzc_word_is(word, expected[i]));
    }
    assert_false(hzc_words_next(&words, &word));
    assert_false(hzc_words_next(&words, &word));
    words = words_of("");
    assert_false(hzc_words_next(&words, &word));
}

static void names_ignore_case_and_words_do_not(void **state) {
    (void)state;
    hzc_word word = {"Hash", 4};
    assert_true(hzc_word_is(word, "Hash"));
    assert_false(hzc_word_is(word, "hash"));
    assert_false(hzc_word_is(word, "Has"));
    assert_true(hzc_word_is_name(word, "hASH"));
    assert_false(hzc_word_is_name(word, "Hashes"));
    assert_false(hzc_word_is_name(word, "Has"));
    assert_true(hzc_word_is_name((hzc_word){"", 0}, ""));
}

static void numbers_saturate(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool good;
        int64_t value;
    } cases[] = {{"0", true, 0},
                 {"17", true, 17},
                 {"-5", true, -5},
                 {"007", true, 7},
                 {"", false, 0},
                 {"-", false, 0},
                 {"1x", false, 0},
                 {"+1", false, 0},
                 {"1.5", false, 0},
                 {"--1", false, 0},
                 {" 1", false, 0},
                 {"9223372036854775807", true, INT64_MAX / 100},
                 {"99999999999999999999999999", true, INT64_MAX / 100},
                 {"-99999999999999999999999999", true, -(INT64_MAX / 100)}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t value = 42;
        hzc_word word = {cases[i].text, strlen(cases[i].text)};
        assert_int_equal(hzc_word_number(word, &value), cases[i].good);
        assert_true(value == (cases[i].good ? cases[i].value : 42));
    }
}

static void words_are_shown_without_what_upsets_a_terminal(void **state) {
    (void)state;
    char buffer[HZC_SHOWN_CAPACITY];
    assert_string_equal(hzc_word_shown((hzc_word){"plain", 5}, buffer), "plain");
    assert_string_equal(hzc_word_shown((hzc_word){"\x1b[31m\xff\x00z", 8}, buffer), "?[31m??z");
    char endless[1000];
    memset(endless, 'x', sizeof endless);
    const char *shown = hzc_word_shown((hzc_word){endless, sizeof endless}, buffer);
    assert_int_equal(strlen(shown), 63);
    assert_string_equal(shown + 60, "...");
}

static hzc_go go_of(const char *text, const char *strange) {
    hzc_words words = words_of(text);
    hzc_go go;
    hzc_word word = hzc_go_read(&words, &go);
    if (strlen(strange) != word.length ||
        memcmp(strange, word.text ? word.text : "", word.length) != 0) {
        fail_msg("go %s: '%.*s' is strange, not '%s'", text, (int)word.length, word.text, strange);
    }
    return go;
}

static void go_reads_every_limit(void **state) {
    (void)state;
    hzc_go go = go_of("wtime 1 btime 2 winc 3 binc 4 movestogo 5 depth 6 nodes 7 mate 8 movetime 9 "
                      "infinite ponder perft 10",
                      "");
    assert_true(go.has_clock[0] && go.has_clock[1] && go.infinite && go.ponder);
    assert_int_equal(go.time_ms[0], 1);
    assert_int_equal(go.time_ms[1], 2);
    assert_int_equal(go.increment_ms[0], 3);
    assert_int_equal(go.increment_ms[1], 4);
    assert_int_equal(go.moves_to_go, 5);
    assert_int_equal(go.depth, 6);
    assert_int_equal(go.nodes, 7);
    assert_int_equal(go.mate, 8);
    assert_int_equal(go.move_time_ms, 9);
    assert_int_equal(go.perft, 10);
    go = go_of("", "");
    assert_false(go.has_clock[0] || go.has_clock[1] || go.infinite || go.ponder);
    assert_int_equal(go.move_time_ms, -1);
    assert_int_equal(go.perft, -1);
    assert_int_equal(go.search_moves.length, 0);
    assert_int_equal(go.dice.length, 0);
}

static void go_names_the_first_word_it_does_not_understand(void **state) {
    (void)state;
    hzc_go go = go_of("depth nodes 5", "depth");
    assert_int_equal(go.depth, 0);
    assert_int_equal(go.nodes, 5);
    go = go_of("fast depth 4 slow", "fast");
    assert_int_equal(go.depth, 4);
    go = go_of("wtime -30 btime x", "btime");
    assert_true(go.has_clock[0]);
    assert_false(go.has_clock[1]);
    assert_int_equal(go.time_ms[0], 0);
    go = go_of("depth -3 nodes 0 movetime -1", "");
    assert_int_equal(go.depth, 1);
    assert_int_equal(go.nodes, 1);
    assert_int_equal(go.move_time_ms, 0);
    (void)go_of("dice", "dice");
}

static void moves_to_search_end_at_the_next_keyword(void **state) {
    (void)state;
    hzc_go go = go_of("searchmoves e2e4 d2d4 depth 3", "");
    hzc_word word;
    assert_true(hzc_words_next(&go.search_moves, &word) && hzc_word_is(word, "e2e4"));
    assert_true(hzc_words_next(&go.search_moves, &word) && hzc_word_is(word, "d2d4"));
    assert_false(hzc_words_next(&go.search_moves, &word));
    assert_int_equal(go.depth, 3);
    go = go_of("searchmoves depth 3", "");
    assert_int_equal(go.search_moves.length, 0);
    go = go_of("dice PNB movetime 20", "");
    assert_true(hzc_word_is(go.dice, "PNB"));
    assert_int_equal(go.move_time_ms, 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_what_lies_between_blanks),
        cmocka_unit_test(names_ignore_case_and_words_do_not),
        cmocka_unit_test(numbers_saturate),
        cmocka_unit_test(words_are_shown_without_what_upsets_a_terminal),
        cmocka_unit_test(go_reads_every_limit),
        cmocka_unit_test(go_names_the_first_word_it_does_not_understand),
        cmocka_unit_test(moves_to_search_end_at_the_next_keyword),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
