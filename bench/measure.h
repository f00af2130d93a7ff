/* SPDX-License-Identifier: MIT */
/*
 * The measuring kit of `hazard bench`: many short windows, minimum and median of them, and the slow
 * twin of each routine in the same run. Absolute times drift with the machine's mood; the ratio to
 * the twin and the minimum hold still.
 */
#ifndef HAZARD_BENCH_MEASURE_H
#define HAZARD_BENCH_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One thing that is measured. run(state, n) does the work n times and returns a number made of its
 * results, so that nothing is optimised away and a wrong answer shows: it must be the same number
 * for every n >= 1 (the result of one repetition). twin does the same slowly; NULL without twin. */
typedef struct hzb_item {
    const char *group; /* "odds", "dice", ... */
    const char *name;  /* what, where */
    const char *unit;  /* "us", "ns", "games/s" */
    double unit_ns;    /* nanoseconds per unit: 1000 for "us"; for rates 1e9 */
    double work;       /* units of work in one repetition (nodes, rows, games) */
    bool rate;         /* the figure is work per time instead of time per work */
    double first, aim; /* budget of the design, in unit; 0 = none */
    int windows;       /* how often it is measured when one time is long already; 0 = as usual */
    uint64_t (*run)(void *state, uint64_t n);
    uint64_t (*twin)(void *state, uint64_t n);
    bool same_number; /* run and twin return comparable numbers */
    void *state;
} hzb_item;

typedef struct hzb_figure {
    double min, median; /* in unit; for rates the best and the median rate */
    double twin;        /* best of the twin in unit, 0 without */
    double ratio;       /* how many times faster than the twin, 0 without */
    uint64_t number;    /* what run returned */
    bool agrees;        /* run and twin returned the same, or there is nothing to compare */
} hzb_figure;

/* budget_ms: about how long to measure this item, twin apart. */
void hzb_measure(const hzb_item *item, double budget_ms, hzb_figure *figure);

/* All items, in order of report. Made once by the first call (single thread); owned by the kit.
 * NULL when they cannot be made; *why is then the reason as a sentence, otherwise NULL. */
const hzb_item *hzb_items(size_t *count, const char **why);

/* Nodes, turns, results, odds and features over fixed positions, folded into one number: a change
 * of behaviour changes it. nodes: micro-moves visited. */
uint64_t hzb_signature(uint64_t *nodes);

#endif
