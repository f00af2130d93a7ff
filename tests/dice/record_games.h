/* SPDX-License-Identifier: MIT */
/* What the tests of game records share: small games as text, and a fixture that reads and writes.
 */
#ifndef HAZARD_TEST_RECORD_GAMES_H
#define HAZARD_TEST_RECORD_GAMES_H

#include <hazard/dice.h>

#include "support/positions.h"

#include <stdlib.h>
#include <string.h>

/* A small game that is canonical as it stands. */
#define HEADERS                                                                                    \
    "[HazardRecord \"1\"]\n"                                                                       \
    "[White \"greedy\"]\n"                                                                         \
    "[Black \"Zo\xC3\xAB \\\"the book\\\" B\\\\B\"]\n"                                             \
    "[Start \"4k3/8/8/8/8/8/8/4R1K1 w - - 0 1\"]\n"                                                \
    "[Event \"two\\nlines\"]\n"                                                                    \
    "[Result \"1-0\"]\n"                                                                           \
    "[Reason \"king\"]\n"                                                                          \
    "\n"
#define TURNS                                                                                      \
    "1. NNK g1g2 {clock 59.5} {score -30} ; a \"quiet\" move \xE2\x99\x94 \\\\ ; {score 1}\n"      \
    "1... nnb -\n"                                                                                 \
    "2. NNR e1e8 {score 2147483647}\n"
#define GAME HEADERS TURNS "1-0\n\n"

/* A game from a start position, without clocks and comments. */
#define PLAIN(start, result, reason, turns)                                                        \
    "[HazardRecord \"1\"]\n[White \"w\"]\n[Black \"b\"]\n[Start \"" start "\"]\n"                  \
    "[Result \"" result "\"]\n[Reason \"" reason "\"]\n\n" turns result "\n"

/* Pieces of a game from the initial position; FIVE is 81 bytes in six lines. */
#define FORMAT "[HazardRecord \"1\"]\n"   /* 19 bytes */
#define W "[White \"w\"]\n"               /* 12 */
#define B "[Black \"b\"]\n"               /* 12 */
#define RES "[Result \"*\"]\n"            /* 13 */
#define REA "[Reason \"unterminated\"]\n" /* 24 */
#define FIVE FORMAT W B RES REA "\n"      /* 81 bytes, 6 lines */

typedef struct fixture {
    hz_arena arena;
    hz_record_reader reader;
    hz_record record;
    hz_error error;
} fixture;

static inline int set_up(void **state) {
    fixture *f = calloc(1, sizeof *f);
    if (!f) {
        return -1;
    }
    hz_arena_init(&f->arena, 0);
    *state = f;
    return 0;
}

static inline int tear_down(void **state) {
    fixture *f = *state;
    hz_arena_fini(&f->arena);
    free(f);
    return 0;
}

/* Reads the first game of a text. The text is copied so that a read past its end is noticed. */
static inline hz_status read_one(fixture *f, const char *text, size_t length) {
    char *copy = malloc(length ? length : 1);
    assert_non_null(copy);
    memcpy(copy, text, length);
    hz_arena_reset(&f->arena);
    hz_error_clear(&f->error);
    hz_record_reader_init_text(&f->reader, copy, length);
    hz_status status = hz_record_read(&f->reader, &f->arena, &f->record, &f->error);
    /* Nothing of the record may point into the text. */
    memset(copy, '#', length);
    free(copy);
    return status;
}

static inline void read_good(fixture *f, const char *text) {
    if (read_one(f, text, strlen(text)) != HZ_OK) {
        fail_msg("%u:%u: %s\n%s", f->error.line, f->error.column, f->error.message, text);
    }
}

/* The canonical text; free it. */
static inline char *written(const hz_record *record) {
    size_t length = 0, again = 0;
    hz_error error;
    hz_error_clear(&error);
    if (hz_record_to_text(record, NULL, 0, &length, &error) != HZ_OK) {
        fail_msg("not written: %s", error.message);
    }
    char *text = malloc(length + 1);
    assert_non_null(text);
    assert_int_equal(hz_record_to_text(record, text, length + 1, &again, NULL), HZ_OK);
    assert_int_equal(again, length);
    assert_int_equal(strlen(text), length);
    return text;
}

static inline void assert_written(const hz_record *record, const char *expected) {
    char *text = written(record);
    test_same_text("record", "canonical text", expected, text);
    free(text);
}

static inline void assert_same_record(const hz_record *a, const hz_record *b) {
    char dfen_a[HZ_DFEN_CAPACITY], dfen_b[HZ_DFEN_CAPACITY];
    for (int i = 0; i < 2; i++) {
        assert_string_equal(a->players[i], b->players[i]);
    }
    assert_string_equal(test_dfen(&a->start, dfen_a), test_dfen(&b->start, dfen_b));
    assert_int_equal(a->has_seed, b->has_seed);
    assert_true(a->seed == b->seed);
    assert_int_equal(a->outcome, b->outcome);
    assert_int_equal(a->reason, b->reason);
    assert_int_equal(a->header_count, b->header_count);
    for (size_t i = 0; i < a->header_count; i++) {
        assert_string_equal(a->headers[i].name, b->headers[i].name);
        assert_string_equal(a->headers[i].value, b->headers[i].value);
    }
    assert_int_equal(a->turn_count, b->turn_count);
    for (size_t i = 0; i < a->turn_count; i++) {
        const hz_record_turn *s = &a->turns[i], *t = &b->turns[i];
        assert_memory_equal(&s->turn, &t->turn, sizeof s->turn);
        assert_int_equal(s->roll, t->roll);
        assert_int_equal(s->has_clock, t->has_clock);
        assert_int_equal(s->clock_ms, t->clock_ms);
        assert_int_equal(s->has_score, t->has_score);
        assert_int_equal(s->score, t->score);
        assert_string_equal(s->comment ? s->comment : "", t->comment ? t->comment : "");
    }
}

/* A source that gives its text in small pieces. */
typedef struct dripping {
    const char *text;
    size_t left;
    size_t most;      /* bytes a call */
    size_t fail_with; /* fails when so many bytes are left */
} dripping;

static inline ptrdiff_t drip(void *context, char *buffer, size_t capacity) {
    dripping *d = context;
    if (d->left <= d->fail_with) {
        return -1;
    }
    size_t n = d->left < d->most ? d->left : d->most;
    n = n < capacity ? n : capacity;
    memcpy(buffer, d->text, n);
    d->text += n;
    d->left -= n;
    return (ptrdiff_t)n;
}

/* For sources that end without failing. */
static inline ptrdiff_t drip_to_end(void *context, char *buffer, size_t capacity) {
    dripping *d = context;
    return d->left == 0 ? 0 : drip(context, buffer, capacity);
}

#define RECORD_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
