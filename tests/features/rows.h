/* SPDX-License-Identifier: MIT */
/*
 * features/rows.h - what the tests of features and eval share: numbers and squares as text, rows
 * compared bit for bit, random positions in both forms (ours and the reference's).
 */
#ifndef HAZARD_TEST_FEATURES_ROWS_H
#define HAZARD_TEST_FEATURES_ROWS_H

#include <hazard/features.h>

#include "ref/ref_features.h"
#include "ref/ref_random.h"
#include "support/positions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDEST_ROW = 1540 };

/* Everything that is asked for both colours walks over these. */
static const hz_color both_colors[2] = {HZ_WHITE, HZ_BLACK};

static inline hz_color color_from_text(const char *text) {
    return text[0] == 'b' ? HZ_BLACK : HZ_WHITE;
}

static inline char color_letter(hz_color color) {
    return color == HZ_BLACK ? 'b' : 'w';
}

static inline uint32_t float_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Numbers separated by blanks, "-" = none. Returns how many; more than `most` fail the test. */
static inline size_t floats_from_text(const char *text, float *out, size_t most) {
    size_t count = 0;
    for (const char *at = text[0] == '-' && !text[1] ? "" : text; *at;) {
        char *end = NULL;
        float value = strtof(at, &end);
        if (end == at || count == most) {
            fail_msg("\"%s\" is no list of at most %zu numbers", text, most);
        }
        out[count++] = value;
        at = end + strspn(end, " ");
    }
    return count;
}

static inline int32_t signed_from_text(const char *text) {
    char *end = NULL;
    long value = strtol(text, &end, 10);
    if (end == text || *end) {
        fail_msg("\"%s\" is no number", text);
    }
    return (int32_t)value;
}

/* Squares separated by blanks in ascending order, "-" = none. */
static inline const char *squares_to_text(uint64_t squares, char text[3 * 64 + 2]) {
    text[0] = squares ? '\0' : '-';
    text[1] = '\0';
    for (char *at = text; squares; squares &= squares - 1) {
        if (at != text) {
            *at++ = ' ';
        }
        hz_square_to_text(__builtin_ctzll(squares), at);
        at += 2;
    }
    return text;
}

static inline uint64_t squares_from_flags(const bool flags[64]) {
    uint64_t squares = 0;
    for (int s = 0; s < 64; s++) {
        squares |= (uint64_t)flags[s] << s;
    }
    return squares;
}

static inline void same_score(const char *where, const char *what, int64_t expected,
                              int64_t actual) {
    if (expected != actual) {
        fail_msg("%s: %s is %lld instead of %lld", where, what, (long long)actual,
                 (long long)expected);
    }
}

/* Bit for bit: +0 and -0 differ. */
static inline void same_rows(const char *where, const hz_schema *schema, const float *expected,
                             const float *actual, size_t width) {
    for (size_t i = 0; i < width; i++) {
        if (float_bits(expected[i]) != float_bits(actual[i])) {
            char name[32];
            hz_schema_column_name(schema, i, name, sizeof name);
            fail_msg("%s: %s column %zu (%s) is %.9g (%08x) instead of %.9g (%08x)", where,
                     schema->id, i, name, (double)actual[i], float_bits(actual[i]),
                     (double)expected[i], float_bits(expected[i]));
        }
    }
}

static inline ref_position ref_position_of(const char *dfen) {
    ref_position position;
    if (!ref_from_dfen(&position, dfen)) {
        fail_msg("the reference refuses \"%s\"", dfen);
    }
    return position;
}

#endif
