/* SPDX-License-Identifier: MIT */
/* Windows, minimum, median; see measure.h. */
#include "bench/measure.h"

#include <hazard/base.h>

#include <stdlib.h>

enum { WINDOWS = 41 };

static int by_value(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Nanoseconds of n repetitions. */
static double window(uint64_t (*run)(void *, uint64_t), void *state, uint64_t n, uint64_t *number) {
    uint64_t start = hz_clock_now_ns();
    *number = run(state, n);
    return (double)(hz_clock_now_ns() - start);
}

/* How many repetitions take at least `wanted` ns, found by doubling; warms up on the way. */
static uint64_t repetitions(const hzb_item *item, double wanted, uint64_t *number) {
    uint64_t n = 1;
    while (window(item->run, item->state, n, number) < wanted && n < (uint64_t)1 << 30) {
        n *= 2;
    }
    return n;
}

static double figure_of(const hzb_item *item, double ns_per_repetition) {
    double ns_per_work = ns_per_repetition / item->work;
    return item->rate ? item->unit_ns / ns_per_work : ns_per_work / item->unit_ns;
}

void hzb_measure(const hzb_item *item, double budget_ms, hzb_figure *figure) {
    double times[WINDOWS];
    *figure = (hzb_figure){.agrees = true};
    int windows = item->windows > 0 && item->windows < WINDOWS ? item->windows : WINDOWS;
    uint64_t n = repetitions(item, budget_ms * 1e6 / windows, &figure->number);
    for (int i = 0; i < windows; i++) {
        times[i] = window(item->run, item->state, n, &figure->number) / (double)n;
    }
    qsort(times, (size_t)windows, sizeof *times, by_value);
    figure->min = figure_of(item, times[0]);
    figure->median = figure_of(item, times[windows / 2]);
    if (!item->twin) {
        return;
    }
    /* The twin is thousands of times slower: the best of three single repetitions is enough. */
    double best = 0;
    uint64_t number = 0;
    for (int i = 0; i < 3; i++) {
        double t = window(item->twin, item->state, 1, &number);
        best = i == 0 || t < best ? t : best;
    }
    figure->twin = figure_of(item, best);
    figure->ratio = times[0] > 0 ? best / times[0] : 0;
    figure->agrees = !item->same_number || number == figure->number;
}
