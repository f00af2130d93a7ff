/* SPDX-License-Identifier: MIT */
/*
 * Final values and the bound that follows from them.
 *
 * With a rescorer a final value is a rounded number, so the smallest sum that could still matter is
 * not computed backwards: it is found by bisection with the very operations that make final values.
 * Rounding is monotone, so "reaches the best" is false up to some sum and true from there on.
 */
#include <hazard/search.h>

double hz_expectimax_blend(int64_t sum, int64_t denominator, double weight, int32_t rescore) {
    double left = (1.0 - weight) * ((double)sum / (double)denominator);
    double right = weight * (double)rescore;
    return left + right;
}

typedef struct reach {
    double best, weight;
    int32_t rescore;
    int64_t denominator;
} reach;

static bool blended_reaches(const reach *r, int64_t sum) {
    return hz_expectimax_blend(sum, r->denominator, r->weight, r->rescore) >= r->best;
}

static bool raw_reaches(const reach *r, int64_t sum) {
    return (double)sum / (double)r->denominator >= r->best;
}

/* The smallest sum within -limit..limit that reaches the best, limit + 1 when none does. */
static int64_t smallest(const reach *r, bool (*reaches)(const reach *r, int64_t sum)) {
    int64_t limit = r->denominator * ((int64_t)1 << 31);
    int64_t low = -limit, high = limit + 1; /* the answer is in low..high */
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (reaches(r, middle)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

int64_t hz_expectimax_alpha(bool has_best, int64_t best_sum, double best, double weight,
                            int32_t rescore, int64_t denominator, bool *has_alpha) {
    *has_alpha = has_best && weight != 1.0;
    if (!*has_alpha) {
        return 0;
    }
    if (weight == 0.0) {
        return best_sum;
    }
    reach r = {.best = best, .weight = weight, .rescore = rescore, .denominator = denominator};
    int64_t blended = smallest(&r, blended_reaches);
    /* A tainted candidate keeps its raw value, and taint is not known before the node is done. */
    int64_t raw = smallest(&r, raw_reaches);
    return blended < raw ? blended : raw;
}
