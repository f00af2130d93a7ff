/* SPDX-License-Identifier: MIT */
/* Windows, minimum, median; see measure.h. */
#include "bench/measure.h"

#include <hazard/base.h>

#include <stdlib.h>

enum { WINDOWS = 41, FEWEST = 5, TWIN_WINDOWS = 3, MOST_BUDGETS = 8 };

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

/* How many repetitions take at least `wanted` ns, found by doubling; warms up on the way. *one: the
 * time of a repetition then. */
static uint64_t repetitions(uint64_t (*run)(void *, uint64_t), void *state, double wanted,
                            uint64_t *number, double *one) {
    uint64_t n = 1;
    double time = window(run, state, n, number);
    while (time < wanted && n < (uint64_t)1 << 30) {
        n *= 2;
        time = window(run, state, n, number);
    }
    *one = time / (double)n;
    return n;
}

static double figure_of(const hzb_item *item, double ns_per_repetition) {
    double ns_per_work = ns_per_repetition / item->work;
    return item->rate ? item->unit_ns / ns_per_work : ns_per_work / item->unit_ns;
}

/* Windows of an item: fewer when a single repetition takes long, so that the whole stays within some
 * budgets. */
static int windows_of(double one_ns, double budget_ns) {
    double fit = MOST_BUDGETS * budget_ns / one_ns;
    return fit >= WINDOWS ? WINDOWS : fit <= FEWEST ? FEWEST : (int)fit;
}

void hzb_measure(const hzb_item *item, double budget_ms, hzb_figure *figure) {
    double times[WINDOWS] = {0}, budget_ns = budget_ms * 1e6, one;
    *figure = (hzb_figure){.agrees = true};
    uint64_t n = repetitions(item->run, item->state, budget_ns / WINDOWS, &figure->number, &one);
    int windows =
        item->windows > 0 && item->windows < WINDOWS ? item->windows : windows_of(one, budget_ns);
    for (int i = 0; i < windows; i++) {
        times[i] = window(item->run, item->state, n, &figure->number) / (double)n;
    }
    qsort(times, (size_t)windows, sizeof *times, by_value);
    figure->min = figure_of(item, times[0]);
    figure->median = figure_of(item, times[windows / 2]);
    if (!item->twin) {
        return;
    }
    /* Most twins are thousands of times slower: the best of a few windows is enough. */
    uint64_t number = 0;
    n = repetitions(item->twin, item->state, budget_ns / WINDOWS, &number, &one);
    for (int i = 0; i < TWIN_WINDOWS; i++) {
        double t = window(item->twin, item->state, n, &number) / (double)n;
        one = t < one ? t : one;
    }
    figure->twin = figure_of(item, one);
    figure->ratio = times[0] > 0 ? one / times[0] : 0;
    figure->agrees = !item->same_number || number == figure->number;
}
