/* SPDX-License-Identifier: MIT */
/* Counters of matches from the texts of data files. */
#ifndef HAZARD_TEST_ARENA_COUNTERS_H
#define HAZARD_TEST_ARENA_COUNTERS_H

#include <hazard/arena.h>

#include <stdlib.h>
#include <string.h>

#include "support/support.h"

/* "1,2,3" into n counters; "-" leaves them at 0. */
static inline void test_counters(const char *text, uint64_t *counts, size_t n) {
    for (size_t i = 0; i < n && strcmp(text, "-") != 0; i++) {
        char *end = NULL;
        counts[i] = strtoull(text, &end, 10);
        assert_int_equal(*end, i + 1 < n ? ',' : '\0');
        text = end + 1;
    }
}

static inline uint64_t test_total(const uint64_t *counts, size_t n) {
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += counts[i];
    }
    return sum;
}

/* The same match seen from B. */
static inline hz_match_counts test_swapped(const hz_match_counts *counts) {
    hz_match_counts other = *counts;
    for (int i = 0; i < 5; i++) {
        other.pairs[i] = counts->pairs[4 - i];
    }
    for (int i = 0; i < 3; i++) {
        other.singles[i] = counts->singles[2 - i];
        other.games[i] = counts->games[2 - i];
    }
    return other;
}

#endif
