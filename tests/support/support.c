/* SPDX-License-Identifier: MIT */
/* What every test program shares; the header is the manual. */
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- random tests ---- */

uint64_t test_seed(void) {
    static bool known;
    static uint64_t seed;
    if (!known) {
        const char *given = getenv("HAZARD_TEST_SEED");
        if (given && *given) {
            seed = strtoull(given, NULL, 0);
        } else {
            struct timespec now;
            clock_gettime(CLOCK_REALTIME, &now);
            seed = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
        }
        known = true;
        printf("# HAZARD_TEST_SEED=%llu repeats this run\n", (unsigned long long)seed);
        fflush(stdout);
    }
    return seed;
}

static double effort(void) {
    const char *given = getenv("HAZARD_TEST_EFFORT");
    return given && *given ? strtod(given, NULL) : 1.0;
}

size_t test_effort(size_t n) {
    double scaled = (double)n * effort();
    return scaled < 1.0 ? 1 : (size_t)scaled;
}

void test_met(bool met) {
    if (effort() >= 1.0) {
        assert_true(met);
    }
}

/* ---- data files ---- */

static char *read_all(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        fail_msg("cannot open %s", path);
        return NULL;
    }
    size_t length = 0, capacity = 1 << 16;
    char *text = malloc(capacity);
    while (text) {
        size_t got = fread(text + length, 1, capacity - 1 - length, file);
        length += got;
        if (got == 0) {
            break;
        }
        if (length == capacity - 1) {
            char *bigger = realloc(text, capacity *= 2);
            if (!bigger) {
                free(text);
            }
            text = bigger;
        }
    }
    fclose(file);
    if (!text) {
        fail_msg("no memory for %s", path);
        return NULL;
    }
    text[length] = '\0';
    return text;
}

test_table test_table_load(const char *name, size_t fields) {
    const char *folder = getenv("HAZARD_TEST_DATA");
    if (!folder) {
        fail_msg("HAZARD_TEST_DATA does not name the folder tests/data");
    }
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    test_table table = {.text = read_all(path)};
    size_t capacity = 0;
    int line = 0;
    for (char *next = table.text, *start = next; next && *start; start = next) {
        line++;
        char *end = strchr(start, '\n');
        next = end ? end + 1 : start + strlen(start);
        if (end) {
            *end = '\0';
        }
        if (*start == '\0' || *start == '#') {
            continue;
        }
        if (table.count == capacity) {
            capacity = capacity ? 2 * capacity : 64;
            test_row *bigger = realloc(table.rows, capacity * sizeof *bigger);
            assert_non_null(bigger);
            table.rows = bigger;
        }
        test_row *row = &table.rows[table.count++];
        *row = (test_row){.line = line};
        for (size_t i = 0; i < TEST_FIELDS; i++) {
            row->field[i] = "";
        }
        for (char *field = start; field;) {
            if (row->count == TEST_FIELDS) {
                fail_msg("%s:%d: more than %d fields", name, line, (int)TEST_FIELDS);
            }
            row->field[row->count++] = field;
            field = strchr(field, '\t');
            if (field) {
                *field++ = '\0';
            }
        }
        if (fields && row->count != fields) {
            fail_msg("%s:%d: %zu fields instead of %zu", name, line, row->count, fields);
        }
    }
    if (table.count == 0) {
        fail_msg("%s has no rows", path);
    }
    return table;
}

void test_table_free(test_table *table) {
    free(table->rows);
    free(table->text);
    *table = (test_table){0};
}

uint64_t test_number(const char *text) {
    char *end = NULL;
    uint64_t number = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end) {
        fail_msg("\"%s\" is not a number", text);
    }
    return number;
}

/* ---- assertions about a position ---- */

void test_same_text_at(const char *where, const char *what, const char *expected,
                       const char *actual, const char *file, int line) {
    if (strcmp(expected, actual) != 0) {
        /* Lists may be long: show where they part. */
        size_t same = 0;
        while (expected[same] && expected[same] == actual[same]) {
            same++;
        }
        size_t from = same > 60 ? same - 60 : 0;
        print_error("%s: %s\n    expected: %s%.200s\n    actual:   %s%.200s\n", where, what,
                    from ? "..." : "", expected + from, from ? "..." : "", actual + from);
        _fail(file, line);
    }
}

void test_same_number_at(const char *where, const char *what, uint64_t expected, uint64_t actual,
                         const char *file, int line) {
    if (expected != actual) {
        print_error("%s: %s\n    expected: %llu\n    actual:   %llu\n", where, what,
                    (unsigned long long)expected, (unsigned long long)actual);
        _fail(file, line);
    }
}

void test_true_at(const char *where, const char *what, bool condition, const char *text,
                  const char *file, int line) {
    if (!condition) {
        print_error("%s: %s\n    not true: %s\n", where, what, text);
        _fail(file, line);
    }
}

/* ---- text in a buffer ---- */

void test_copy(char *buffer, size_t capacity, const char *text) {
    if (strlen(text) >= capacity) {
        fail_msg("\"%s\" does not fit %zu bytes", text, capacity);
        return;
    }
    memcpy(buffer, text, strlen(text) + 1);
}

void test_append(char *buffer, size_t capacity, const char *text) {
    size_t length = strlen(buffer);
    test_copy(buffer + length, capacity - length, text);
}

/* ---- text that grows ---- */

void test_text_add(test_text *text, const char *piece) {
    size_t more = strlen(piece);
    if (text->length + more + 1 > text->capacity) {
        size_t capacity = 2 * (text->length + more + 1);
        char *bigger = realloc(text->text, capacity);
        assert_non_null(bigger);
        text->text = bigger;
        text->capacity = capacity;
    }
    memcpy(text->text + text->length, piece, more + 1);
    text->length += more;
}

void test_text_word(test_text *text, const char *word) {
    if (text->length) {
        test_text_add(text, " ");
    }
    test_text_add(text, word);
}

const char *test_text_get(const test_text *text) {
    return text->length ? text->text : "";
}

void test_text_clear(test_text *text) {
    text->length = 0;
}

void test_text_free(test_text *text) {
    free(text->text);
    *text = (test_text){0};
}
