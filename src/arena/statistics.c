/* SPDX-License-Identifier: MIT */
/*
 * What counters are worth: the sequential test, how large a difference a run could have seen, Elo
 * with its error, games needed.
 *
 * Scores are kept as differences from one half, weighted so that what stands for A and what stands
 * for B meet in one subtraction: swapping the players then changes signs and no digit.
 */
#include <hazard/arena.h>

#include <math.h>

static const double QUANTILE = 1.959964; /* of the normal distribution, for 95 % */
static const double LN10 = 2.302585092994045684;

/* ---- Elo and score ---- */

/* 1 / (1 + 10^(-elo / 400)) - 1/2: an odd function, also in its last digit. */
static double centred_score(double elo) {
    return 0.5 * tanh(elo * LN10 / 800.0);
}

double hz_elo_score(double elo) {
    return 0.5 + centred_score(elo);
}

double hz_elo_from_score(double score) {
    if (score <= 0.0 || score >= 1.0) {
        return isnan(score) ? (double)NAN : score <= 0.0 ? -(double)INFINITY : (double)INFINITY;
    }
    return 400.0 * log10(score / (1.0 - score));
}

/* ---- families of counters: pairs (0, 1/4, 1/2, 3/4, 1) and games (0, 1/2, 1) ---- */

typedef struct family {
    double n;           /* observations, with what was added to each counter */
    double mean;        /* less one half */
    double mean_square; /* of the differences from one half */
} family;

/* added: to each counter. */
static family family_of(const uint64_t *counts, size_t values, double added) {
    family f = {0};
    double sum = 0.0, squares = 0.0, step = 1.0 / (double)(values - 1);
    size_t middle = values / 2;
    for (size_t i = 0; i < middle; i++) {
        double low = (double)counts[i] + added, high = (double)counts[values - 1 - i] + added;
        double distance = 0.5 - (double)i * step;
        sum += distance * (high - low);
        squares += distance * distance * (high + low);
        f.n += high + low;
    }
    f.n += (double)counts[middle] + added;
    f.mean = sum / f.n;
    f.mean_square = squares / f.n;
    return f;
}

static uint64_t total(const uint64_t *counts, size_t values) {
    uint64_t sum = 0;
    for (size_t i = 0; i < values; i++) {
        sum += counts[i];
    }
    return sum;
}

/* Sample deviation; NAN below two observations. */
static double deviation(const uint64_t *counts, size_t values) {
    family f = family_of(counts, values, 0.0);
    if (f.n < 2.0) {
        return (double)NAN;
    }
    double variance = (f.mean_square - f.mean * f.mean) * f.n / (f.n - 1.0);
    return variance > 0.0 ? sqrt(variance) : 0.0;
}

/* ---- the sequential test ---- */

hz_status hz_sprt_check(const hz_sprt *test, hz_error *err) {
    if (!isfinite(test->elo0) || !isfinite(test->elo1)) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET, "%s: must be a finite number of Elo",
                       isfinite(test->elo0) ? "elo1" : "elo0");
    }
    if (!(test->elo0 < test->elo1)) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                       "elo0, elo1: the first (%g) must be below the second (%g)", test->elo0,
                       test->elo1);
    }
    if (!(test->alpha > 0.0 && test->alpha < 1.0)) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET, "alpha: %g is not between 0 and 1",
                       test->alpha);
    }
    if (!(test->beta > 0.0 && test->beta < 1.0)) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET, "beta: %g is not between 0 and 1",
                       test->beta);
    }
    return HZ_OK;
}

static double log_ratio(const uint64_t *counts, size_t values, double s0, double s1) {
    uint64_t n = total(counts, values);
    if (n == 0) {
        return 0.0;
    }
    family f = family_of(counts, values, 0.5);
    double variance = f.mean_square - f.mean * f.mean;
    return (double)n * (s1 - s0) * (2.0 * f.mean - (s0 + s1)) / (2.0 * variance);
}

hz_sprt_state hz_sprt_evaluate(const hz_sprt *test, const hz_match_counts *counts) {
    double s0 = centred_score(test->elo0), s1 = centred_score(test->elo1);
    hz_sprt_state state = {.lower = log(test->beta / (1.0 - test->alpha)),
                           .upper = log((1.0 - test->beta) / test->alpha),
                           .verdict = HZ_SPRT_CONTINUE};
    state.llr = log_ratio(counts->pairs, 5, s0, s1) + log_ratio(counts->singles, 3, s0, s1);
    if (state.llr >= state.upper) {
        state.verdict = HZ_SPRT_H1;
    } else if (state.llr <= state.lower) {
        state.verdict = HZ_SPRT_H0;
    }
    return state;
}

/* ---- what the run could have seen ---- */

static double needed(double sd, double difference) {
    double root = QUANTILE * sd / difference;
    return sd > 0.0 ? ceil(root * root) : (double)NAN;
}

hz_resolution hz_match_resolution(const hz_match_counts *counts) {
    static const double differences[3] = {0.02, 0.03, 0.01};
    hz_resolution r = {.pair_sd = deviation(counts->pairs, 5),
                       .game_sd = deviation(counts->games, 3)};
    double pairs = (double)total(counts->pairs, 5), games = (double)total(counts->games, 3);
    r.half_width_pair_percent = 100.0 * QUANTILE * r.pair_sd / sqrt(pairs);
    r.half_width_game_percent = 100.0 * QUANTILE * r.game_sd / sqrt(games);
    r.gain = r.pair_sd > 0.0 ? r.game_sd / (r.pair_sd * sqrt(2.0)) : (double)NAN;
    for (int i = 0; i < 3; i++) {
        r.games_paired[i] = 2.0 * needed(r.pair_sd, differences[i]);
        r.games_unpaired[i] = needed(r.game_sd, differences[i]);
    }
    return r;
}

/* ---- Elo ---- */

static double normal_distribution(double x) {
    return 0.5 * erfc(-x / sqrt(2.0));
}

/* Standard error of the score of all games: pairs are one observation each, games that belong to no
 * pair another. */
static double standard_error(const hz_match_counts *counts) {
    double pairs = (double)total(counts->pairs, 5), singles = (double)total(counts->singles, 3);
    double variance = 0.0; /* of the number of points */
    if (pairs + singles <= 0.0) {
        return (double)NAN;
    }
    if (pairs > 0.0) {
        double sd = deviation(counts->pairs, 5);
        variance += 4.0 * pairs * sd * sd;
    }
    if (singles > 0.0) {
        double sd = deviation(counts->singles, 3);
        variance += singles * sd * sd;
    }
    return sqrt(variance) / (2.0 * pairs + singles);
}

hz_elo_estimate hz_match_elo(const hz_match_counts *counts) {
    hz_elo_estimate e = {(double)NAN, (double)NAN, (double)NAN, (double)NAN, (double)NAN};
    uint64_t games = total(counts->games, 3);
    if (games == 0) {
        return e;
    }
    double above = 0.5 * ((double)counts->games[2] - (double)counts->games[0]) / (double)games;
    double score = 0.5 + above, se = standard_error(counts);
    e.value = hz_elo_from_score(score);
    if (score > 0.0 && score < 1.0) {
        e.error = 400.0 / (LN10 * score * (1.0 - score)) * QUANTILE * se;
    }
    if (se > 0.0) {
        e.los = normal_distribution(above / se);
    } else if (se == 0.0) {
        e.los = above > 0.0 ? 1.0 : above < 0.0 ? 0.0 : 0.5;
    }
    double sd = deviation(counts->pairs, 5);
    if (sd > 0.0) {
        family f = family_of(counts->pairs, 5, 0.0);
        e.normalized = f.mean / (sd * sqrt(2.0)) * 800.0 / LN10;
        e.normalized_error = QUANTILE / sqrt(2.0 * f.n) * 800.0 / LN10;
    }
    return e;
}
