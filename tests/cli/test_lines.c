/* SPDX-License-Identifier: MIT */
/* Lines with a limit, and the place of an error shown in its text. */
#include "cli/args.h"
#include "cli/lines.h"

#include <string.h>
#include <unistd.h>

#include "support/support.h"

/* Everything that is read from `input` through a pipe, lines in brackets, "!" for a long one. */
static void read_all(const char *input, size_t length, size_t limit, test_text *seen) {
    int ends[2];
    hzc_lines lines;
    const char *text;
    size_t line;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], input, length), length);
    assert_int_equal(close(ends[1]), 0);
    hzc_lines_init(&lines, ends[0], limit);
    for (hzc_line kind; (kind = hzc_lines_next(&lines, &text, &line)) != HZC_LINE_END;) {
        char copy[64] = "";
        if (kind == HZC_LINE) {
            assert_true(line <= limit && line < sizeof copy);
            memcpy(copy, text, line);
            test_text_add(seen, "[");
            test_text_add(seen, copy);
            test_text_add(seen, "]");
        } else {
            assert_int_equal(kind, HZC_LINE_TOO_LONG);
            test_text_add(seen, "!");
        }
    }
    assert_int_equal(hzc_lines_next(&lines, &text, &line), HZC_LINE_END);
    hzc_lines_fini(&lines);
    assert_int_equal(close(ends[0]), 0);
}

static void lines_are_split_and_long_ones_reported_once(void **state) {
    (void)state;
    static const struct {
        const char *input;
        const char *seen;
    } inputs[] = {{"", ""},
                  {"\n", "[]"},
                  {"a\nb", "[a][b]"},
                  {"a\n\nb\n", "[a][][b]"},
                  {"1234\n12345\n1234\n", "[1234]![1234]"},
                  {"123456789", "!"},
                  {"123456789\nx", "![x]"},
                  {"x\n123456789\n", "[x]!"}};
    test_text seen = {0};
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        test_text_clear(&seen);
        read_all(inputs[i].input, strlen(inputs[i].input), 4, &seen);
        test_same_text(inputs[i].input, "lines", inputs[i].seen, test_text_get(&seen));
    }
    test_text_free(&seen);
}

static void line_is_given_before_the_next_one_is_there(void **state) {
    (void)state;
    int ends[2];
    hzc_lines lines;
    const char *text;
    size_t length;
    assert_int_equal(pipe(ends), 0);
    hzc_lines_init(&lines, ends[0], 100);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(write(ends[1], "question\n", 9), 9);
        assert_int_equal(hzc_lines_next(&lines, &text, &length), HZC_LINE);
        assert_int_equal(length, 8);
    }
    hzc_lines_fini(&lines);
    (void)close(ends[0]);
    (void)close(ends[1]);
}

static void line_far_beyond_the_limit_is_skipped_in_bounded_memory(void **state) {
    (void)state;
    static char chunk[32768];
    int ends[2];
    hzc_lines lines;
    const char *text;
    size_t length;
    memset(chunk, 'x', sizeof chunk);
    assert_int_equal(pipe(ends), 0);
    hzc_lines_init(&lines, ends[0], 1000);
    assert_int_equal(write(ends[1], chunk, sizeof chunk), sizeof chunk);
    assert_int_equal(hzc_lines_next(&lines, &text, &length), HZC_LINE_TOO_LONG);
    assert_int_equal(write(ends[1], chunk, sizeof chunk - 5), sizeof chunk - 5);
    assert_int_equal(write(ends[1], "\nyes\n", 5), 5);
    assert_int_equal(hzc_lines_next(&lines, &text, &length), HZC_LINE);
    assert_int_equal(length, 3);
    assert_memory_equal(text, "yes", 3);
    assert_true(lines.held < 10000);
    hzc_lines_fini(&lines);
    (void)close(ends[0]);
    (void)close(ends[1]);
}

static void caret_stands_below_the_wrong_byte(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t length, offset;
        const char *lines;
    } cases[] = {
        {"abc", 3, 0, "  abc\n  ^"},
        {"abc", 3, 2, "  abc\n    ^"},
        {"abc", 3, 3, "  abc\n     ^"},
        {"abc", 3, 99, "  abc\n     ^"},
        {"", 0, 0, "  \n  ^"},
        {"a\x1b\0\xC3z", 5, 4, "  a\\x1b\\x00\\xc3z\n               ^"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char lines[640];
        size_t length =
            hzc_caret(cases[i].text, cases[i].length, cases[i].offset, lines, sizeof lines);
        assert_string_equal(lines, cases[i].lines);
        assert_int_equal(length, strlen(lines));
    }
}

static void caret_shows_a_window_of_long_text(void **state) {
    (void)state;
    char text[5000], lines[1024];
    memset(text, 'x', sizeof text);
    text[2500] = '!';
    size_t length = hzc_caret(text, sizeof text, 2500, lines, sizeof lines);
    assert_true(length < 300);
    const char *caret = strchr(lines, '^'), *end = strchr(lines, '\n');
    assert_non_null(caret);
    assert_non_null(end);
    assert_int_equal(lines[caret - end - 1], '!');
    assert_int_equal(strncmp(lines, "  ...", 5), 0);
    /* What does not fit is cut, and the length needed is still told. */
    char small[8];
    assert_int_equal(hzc_caret(text, sizeof text, 2500, small, sizeof small), length);
    assert_string_equal(small, "  ...xx");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_split_and_long_ones_reported_once),
        cmocka_unit_test(line_is_given_before_the_next_one_is_there),
        cmocka_unit_test(line_far_beyond_the_limit_is_skipped_in_bounded_memory),
        cmocka_unit_test(caret_stands_below_the_wrong_byte),
        cmocka_unit_test(caret_shows_a_window_of_long_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
