/* SPDX-License-Identifier: MIT */
/* Child processes: splitting command lines, lines to and from a program, and that nothing of it is
 * left when it is stopped. */
#define _GNU_SOURCE /* kill with strict C */
#include "arena/child.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/support.h"

/* ---- words ---- */

static void command_lines_are_split_like_this(void **state) {
    (void)state;
    static const struct {
        const char *text, *joined; /* words with '|' behind each */
    } cases[] = {
        {"", ""},
        {" \t ", ""},
        {"engine", "engine|"},
        {"  a  b\tc ", "a|b|c|"},
        {"'a b' \"c d\"", "a b|c d|"},
        {"a'b c'd\"e f\"g", "ab cde fg|"},
        {"a\\ b \\'c\\\\", "a b|'c\\|"},
        {"'\\' \"\\\"\\\\\"", "\\|\"\\|"},
        {"'' \"\"", "||"},
        {"option.Move\\ Overhead=5", "option.Move Overhead=5|"},
        {"\"$HOME\" * ; |", "$HOME|*|;|||"},
        {"\xc3\xa9 x", "\xc3\xa9|x|"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hzi_words words;
        hz_error err;
        test_text joined = {0};
        assert_int_equal(hzi_words_split(cases[i].text, &words, &err), HZ_OK);
        for (size_t k = 0; k < words.count; k++) {
            test_text_add(&joined, words.word[k]);
            test_text_add(&joined, "|");
        }
        assert_null(words.word[words.count]);
        test_same_text(cases[i].text, "words", cases[i].joined, test_text_get(&joined));
        test_text_free(&joined);
        hzi_words_fini(&words);
    }
}

static void broken_command_lines_are_refused_with_their_place(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t offset;
    } cases[] = {{"a 'b", 2}, {"a \"b\\\"", 2}, {"ab\\", 2},
                 {"a\nb", 1}, {"a \x7f", 2},    {"'a\rb'", 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hzi_words words;
        hz_error err;
        assert_int_equal(hzi_words_split(cases[i].text, &words, &err), HZ_INVALID_ARGUMENT);
        test_same_number(cases[i].text, "offset", cases[i].offset, err.offset);
        assert_null(words.word);
    }
}

/* ---- programs ---- */

static hzi_patience in_ms(uint64_t ms) {
    return (hzi_patience){hz_clock_now_ns() + ms * 1000000, NULL};
}

static const hzi_patience long_enough = {HZ_NO_DEADLINE, NULL};

static void start_shell(hzi_child *child, const char *script) {
    char text[1000];
    char shell[] = "sh", option[] = "-c";
    test_copy(text, sizeof text, script);
    char *argv[] = {shell, option, text, NULL};
    hz_error err;
    assert_int_equal(hzi_child_start(child, argv, &err), HZ_OK);
    assert_true(hzi_child_runs(child));
}

static void expect_line(hzi_child *child, const char *expected) {
    char *line = NULL;
    size_t length = 0;
    assert_int_equal(hzi_child_line(child, &line, &length, &long_enough), HZI_CHILD_OK);
    test_same_text("child", "line", expected, line);
    assert_int_equal(length, strlen(expected));
}

static void expect_end(hzi_child *child, hzi_child_result expected, const hzi_patience *patience) {
    char *line = NULL;
    size_t length = 0;
    assert_int_equal(hzi_child_line(child, &line, &length, patience), expected);
}

/* Under valgrind a program that is not there is noticed by its end only, and programs inherit
 * descriptors of valgrind's. */
static bool under_valgrind(void) {
    const char *preloaded = getenv("LD_PRELOAD");
    return preloaded && strstr(preloaded, "vgpreload");
}

/* Open descriptors of this process. */
static int descriptors(void) {
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    assert_non_null(folder);
    while (readdir(folder)) {
        count++;
    }
    closedir(folder);
    return count;
}

static void lines_come_whole_whatever_pieces_they_come_in(void **state) {
    (void)state;
    hzi_child child;
    start_shell(&child, "printf 'one\\ntw'; sleep 0.05; printf 'o\\r\\n\\r\\n\\nx\\ry\\nlast'");
    expect_line(&child, "one");
    expect_line(&child, "two");
    expect_line(&child, "");
    expect_line(&child, "");
    expect_line(&child, "x\ry");
    expect_end(&child, HZI_CHILD_ENDED, &long_enough);
    expect_end(&child, HZI_CHILD_ENDED, &long_enough);
    hzi_child_stop(&child, 1000);
    assert_false(hzi_child_runs(&child));
    hzi_child_stop(&child, 1000);
}

static void what_is_sent_arrives(void **state) {
    (void)state;
    hzi_child child;
    start_shell(&child, "while read line; do echo \"<$line>\"; done");
    assert_int_equal(hzi_child_send(&child, "a b\nc\n", 6, &long_enough), HZI_CHILD_OK);
    expect_line(&child, "<a b>");
    expect_line(&child, "<c>");
    uint64_t start = hz_clock_now_ns();
    hzi_child_stop(&child, 20000);
    /* The end of its input ended it. */
    assert_true(hz_clock_now_ns() - start < 15000000000U);
}

static void patience_ends(void **state) {
    (void)state;
    hzi_child child;
    hz_cancel cancel = {0};
    start_shell(&child, "sleep 100");
    hzi_patience patience = in_ms(30);
    uint64_t start = hz_clock_now_ns();
    expect_end(&child, HZI_CHILD_TIMED_OUT, &patience);
    assert_true(hz_clock_now_ns() - start >= 30000000U);
    patience = (hzi_patience){HZ_NO_DEADLINE, &cancel};
    hz_cancel_request(&cancel);
    expect_end(&child, HZI_CHILD_CANCELLED, &patience);
    /* It never reads, so that the pipe fills up. */
    static char much[1 << 20];
    memset(much, 'x', sizeof much);
    patience = in_ms(50);
    assert_int_equal(hzi_child_send(&child, much, sizeof much, &patience), HZI_CHILD_TIMED_OUT);
    hzi_child_stop(&child, 10);
}

static void floods_are_bounded(void **state) {
    (void)state;
    hzi_child child;
    start_shell(&child, "cat /dev/zero");
    expect_end(&child, HZI_CHILD_TOO_LONG, &long_enough);
    hzi_child_stop(&child, 10);
    /* Lines without end: what ends is our patience. */
    start_shell(&child, "yes");
    hzi_patience patience = in_ms(50);
    char *line = NULL;
    size_t length = 0;
    for (int i = 0; i < 1000; i++) {
        hzi_child_result result = hzi_child_line(&child, &line, &length, &patience);
        assert_true(result == HZI_CHILD_OK || result == HZI_CHILD_TIMED_OUT);
    }
    assert_true(child.received > 1000);
    hzi_child_stop(&child, 10);
}

static void sending_to_a_program_that_is_gone_is_no_signal(void **state) {
    (void)state;
    hzi_child child;
    start_shell(&child, "exec 0<&-; echo gone");
    expect_line(&child, "gone");
    expect_end(&child, HZI_CHILD_ENDED, &long_enough);
    hzi_child_result result = HZI_CHILD_OK;
    for (int i = 0; i < 10 && result == HZI_CHILD_OK; i++) {
        result = hzi_child_send(&child, "x\n", 2, &long_enough);
    }
    assert_int_equal(result, HZI_CHILD_ENDED);
    hzi_child_stop(&child, 1000);
}

static void missing_program_is_an_error_with_its_name(void **state) {
    (void)state;
    if (under_valgrind()) {
        test_leave_out("valgrind's posix_spawn does not tell that a program is missing");
    }
    hzi_child child;
    hz_error err;
    char name[] = "/no/such/engine";
    char *argv[] = {name, NULL};
    int before = descriptors();
    assert_int_equal(hzi_child_start(&child, argv, &err), HZ_PLAYER);
    assert_non_null(strstr(err.message, name));
    assert_false(hzi_child_runs(&child));
    assert_int_equal(descriptors(), before);
    hzi_child_stop(&child, 0);
    hzi_child zeroed = {0};
    expect_end(&zeroed, HZI_CHILD_ENDED, &long_enough);
    assert_int_equal(hzi_child_send(&zeroed, "x", 1, &long_enough), HZI_CHILD_ENDED);
    hzi_child_stop(&zeroed, 0);
}

static void nothing_is_left_of_a_stopped_program(void **state) {
    (void)state;
    int before = descriptors();
    for (int i = 0; i < 5; i++) {
        hzi_child child;
        char *line = NULL;
        size_t length = 0;
        start_shell(&child, "trap '' TERM HUP; sleep 1000 & echo $!; wait");
        assert_int_equal(hzi_child_line(&child, &line, &length, &long_enough), HZI_CHILD_OK);
        pid_t grandchild = (pid_t)strtol(line, NULL, 10), leader = child.pid;
        assert_true(grandchild > 1);
        hzi_child_stop(&child, 10);
        errno = 0;
        assert_int_equal(kill(leader, 0), -1);
        assert_int_equal(errno, ESRCH);
        /* Somebody else has to bury the grandchild; it is a matter of moments. */
        for (int k = 0; k < 500 && kill(grandchild, 0) == 0; k++) {
            char path[64], text[200] = "";
            (void)snprintf(path, sizeof path, "/proc/%ld/stat", (long)grandchild);
            FILE *file = fopen(path, "r");
            if (!file || !fgets(text, sizeof text, file) || strstr(text, ") Z")) {
                grandchild = -1;
            }
            if (file) {
                fclose(file);
            }
            if (grandchild < 0) {
                break;
            }
            (void)usleep(10000);
            assert_int_not_equal(k, 499);
        }
    }
    assert_int_equal(descriptors(), before);
    errno = 0;
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static void program_has_plain_signals_and_no_foreign_descriptors(void **state) {
    (void)state;
    if (under_valgrind()) {
        test_leave_out("valgrind keeps descriptors and signals of its own open in a child");
    }
    hzi_child first, child;
    void (*before)(int) = signal(SIGPIPE, SIG_IGN);
    start_shell(&first, "sleep 100");
    /* The second child must not keep the streams of the first one open. */
    start_shell(&child, "ls /proc/self/fd | wc -l; grep SigIgn /proc/self/status");
    char *line = NULL;
    size_t length = 0;
    assert_int_equal(hzi_child_line(&child, &line, &length, &long_enough), HZI_CHILD_OK);
    assert_true(strtol(line, NULL, 10) <= 4); /* three, and ls's own */
    assert_int_equal(hzi_child_line(&child, &line, &length, &long_enough), HZI_CHILD_OK);
    uint64_t ignored = strtoull(strchr(line, ':') + 1, NULL, 16);
    assert_int_equal(ignored & (UINT64_C(1) << (SIGPIPE - 1)), 0);
    hzi_child_stop(&child, 1000);
    hzi_child_stop(&first, 0);
    (void)signal(SIGPIPE, before);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(command_lines_are_split_like_this),
        cmocka_unit_test(broken_command_lines_are_refused_with_their_place),
        cmocka_unit_test(lines_come_whole_whatever_pieces_they_come_in),
        cmocka_unit_test(what_is_sent_arrives),
        cmocka_unit_test(patience_ends),
        cmocka_unit_test(floods_are_bounded),
        cmocka_unit_test(sending_to_a_program_that_is_gone_is_no_signal),
        cmocka_unit_test(missing_program_is_an_error_with_its_name),
        cmocka_unit_test(nothing_is_left_of_a_stopped_program),
        cmocka_unit_test(program_has_plain_signals_and_no_foreign_descriptors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
