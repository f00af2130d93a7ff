/* SPDX-License-Identifier: MIT */
/*
 * How much of a clock a turn may take. A policy guesses how many turns are still to come; what may
 * be spent is divided by that, between a floor and a share of the clock. Times are whole
 * milliseconds, fractions are cut; intermediate numbers are binary64.
 */
#include <hazard/search.h>

#include <math.h>
#include <string.h>
#include <strings.h>

static const double RESERVE_FRACTION = 0.05, CAP_FRACTION = 0.20;
enum {
    RESERVE_FLOOR_MS = 300, /* never planned with */
    LEAST_MS = 20,          /* every turn gets this, whatever the clock says */
    PANIC_BELOW_MS = 2000,  /* with this little to spend ... */
    PANIC_MS = 200          /* ... a turn gets this at most */
};

static const char *const names[] = {"empirical-v1", "legacy-linear-v1"};
enum { POLICIES = sizeof names / sizeof *names };

const char *hz_time_policy_name(size_t index) {
    return index < POLICIES ? names[index] : NULL;
}

hz_status hz_time_policy_find(const char *name, hz_time_policy *policy, hz_error *err) {
    for (size_t i = 0; i < POLICIES; i++) {
        if (strcasecmp(name, names[i]) == 0) {
            *policy = (hz_time_policy)i;
            return HZ_OK;
        }
    }
    return hz_fail(err, HZ_NOT_FOUND, HZ_NO_OFFSET,
                   "there is no time policy \"%.100s\"; known are %s, %s", name, names[0],
                   names[1]);
}

/* Mean number of turns to go by move number, fitted on finished games; straight lines between. */
static double empirical(double move) {
    static const double knots[][2] = {{1, 7.517},  {3, 6.017},  {5, 5.471},
                                      {8, 5.176},  {10, 5.136}, {15, 5.431},
                                      {20, 6.185}, {30, 8.830}, {40, 12.050}};
    enum { KNOTS = sizeof knots / sizeof *knots };
    for (size_t i = 1; i < KNOTS; i++) {
        if (move < knots[i][0]) {
            double t = (move - knots[i - 1][0]) / (knots[i][0] - knots[i - 1][0]);
            return knots[i - 1][1] + t * (knots[i][1] - knots[i - 1][1]);
        }
    }
    return knots[KNOTS - 1][1];
}

double hz_time_moves_to_go(hz_time_policy policy, int64_t move_number) {
    int64_t move = move_number < 1 ? 1 : move_number;
    if (policy == HZ_TIME_LEGACY) {
        return move < 18 ? (double)(30 - move) : 12;
    }
    return empirical((double)move);
}

/* Cuts the fraction; what no int64 holds becomes the largest one. x >= 0. */
static int64_t whole(double x) {
    return x < 9223372036854775808.0 ? (int64_t)x : INT64_MAX;
}

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b) {
    return a > b ? a : b;
}

hz_time_allotment hz_time_allot(hz_time_policy policy, const hz_clock *clock) {
    int64_t remaining = most(clock->remaining_ms, 0), increment = most(clock->increment_ms, 0);
    double to_go = clock->has_moves_to_go ? clock->moves_to_go
                                          : hz_time_moves_to_go(policy, clock->move_number);
    if (!isfinite(to_go) || to_go < 1) {
        to_go = 1;
    }
    hz_time_allotment a = {.moves_to_go = to_go};
    a.reserve_ms = most(RESERVE_FLOOR_MS, whole(RESERVE_FRACTION * (double)remaining));
    a.spendable_ms = most(0, remaining - a.reserve_ms);
    a.raw_ms = whole((double)increment + (double)a.spendable_ms / to_go);
    a.hard_cap_ms = most(LEAST_MS, whole(CAP_FRACTION * (double)remaining));
    a.target_ms = least(most(a.raw_ms, LEAST_MS), a.hard_cap_ms);
    if (a.spendable_ms <= PANIC_BELOW_MS) {
        a.target_ms = most(LEAST_MS, least(a.target_ms, PANIC_MS));
    }
    return a;
}

int64_t hz_time_budget_ms(const hz_time_allotment *allotment, int64_t overhead_ms) {
    int64_t target = least(allotment->target_ms, allotment->hard_cap_ms);
    return most(LEAST_MS, target - most(overhead_ms, 0));
}
