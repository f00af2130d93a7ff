/* SPDX-License-Identifier: MIT */
/*
 * support/support.h - what every test program shares: the seed of random tests, how much to do,
 * data files of tab-separated lines, and assertions that say which position they failed on. Needs
 * no room of the library; helpers that need positions are in support/positions.h.
 */
#ifndef HAZARD_TEST_SUPPORT_H
#define HAZARD_TEST_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* cmocka.h wants these before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* ---- random tests ---- */

/* The seed of this run: HAZARD_TEST_SEED from the environment, else from the clock. The first call
 * prints it. Every call gives the same number. */
uint64_t test_seed(void);

/* n repetitions scaled by HAZARD_TEST_EFFORT (a number, 1 when unset; 0.2 = a fifth), at least 1.
 */
size_t test_effort(size_t n);
/* Leaves the running test out, saying why (a part that is not on this machine). It then counts as
 * passed: what cmocka's own skip() prints is a failure to readers of TAP. */
#define test_leave_out(reason)                                                                     \
    do {                                                                                           \
        print_message("# left out: %s\n", reason);                                                 \
        return;                                                                                    \
    } while (0)

/* Asserts that a run over random cases met a kind of case it is about. A run with less than full
 * effort may miss one by chance; it is let off. */
void test_met(bool met);

/* ---- data files ---- */

enum { TEST_FIELDS = 16 };

/* One line: fields separated by tabs. A field that the line lacks reads as "". */
typedef struct test_row {
    int line; /* 1-based */
    size_t count;
    const char *field[TEST_FIELDS];
} test_row;

typedef struct test_table {
    size_t count;
    test_row *rows;
    char *text; /* what the fields point into */
} test_table;

/* Reads tests/data/NAME (the folder is HAZARD_TEST_DATA). Empty lines and lines that begin with '#'
 * are skipped. Fails the test when the file is missing, has no rows, or a row has more or less
 * than `fields` fields (0 = any number from 1 to TEST_FIELDS). Free with test_table_free. */
test_table test_table_load(const char *name, size_t fields);
void test_table_free(test_table *table);
/* A whole decimal number, else the test fails. */
uint64_t test_number(const char *text);

/* ---- assertions about a position ---- */

/* Each fails the running test with file, line, the position and a formatted note. `where` is most
 * often the DFEN. */
#define test_same_text(where, what, expected, actual)                                              \
    test_same_text_at(where, what, expected, actual, __FILE__, __LINE__)
#define test_same_number(where, what, expected, actual)                                            \
    test_same_number_at(where, what, (uint64_t)(expected), (uint64_t)(actual), __FILE__, __LINE__)
#define test_true(where, what, condition)                                                          \
    test_true_at(where, what, (condition), #condition, __FILE__, __LINE__)

void test_same_text_at(const char *where, const char *what, const char *expected,
                       const char *actual, const char *file, int line);
void test_same_number_at(const char *where, const char *what, uint64_t expected, uint64_t actual,
                         const char *file, int line);
void test_true_at(const char *where, const char *what, bool condition, const char *text,
                  const char *file, int line);

/* ---- text in a buffer ---- */

/* Copies or appends a text to a buffer of `capacity` bytes; fails the test when it does not fit. */
void test_copy(char *buffer, size_t capacity, const char *text);
void test_append(char *buffer, size_t capacity, const char *text);

/* ---- text that grows ---- */

/* A text put together piece by piece, for comparing lists. Zero-initialise; test_text_free. */
typedef struct test_text {
    char *text; /* NULL while empty: read it with test_text_get */
    size_t length, capacity;
} test_text;
void test_text_add(test_text *text, const char *piece);
/* A blank first unless the text is empty: builds "a b c". */
void test_text_word(test_text *text, const char *word);
const char *test_text_get(const test_text *text);
void test_text_clear(test_text *text);
void test_text_free(test_text *text);

#endif
