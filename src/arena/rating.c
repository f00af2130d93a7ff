/* SPDX-License-Identifier: MIT */
/*
 * Ratings of a table: the numbers under which its results are the most likely, when a player scores
 * 1 / (1 + 10^(-difference / 400)) on average. Newton's method on the log-likelihood, which has one
 * maximum; the mean is held at 0 by adding it to what must vanish.
 *
 * The error bars do not believe that games are independent: two games of a pair share their dice.
 * With H the curvature of the log-likelihood and V the variance of its slope, taken from the
 * variance of pairs, the covariance of the ratings is H^-1 V H^-1.
 */
#include <hazard/arena.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double QUANTILE = 1.959964;
static const double SCALE = 2.302585092994045684 / 400.0;

typedef struct edge {
    size_t a, b;
    double games, points; /* of a */
    double variance;      /* of points */
} edge;

typedef struct table {
    size_t players, edges;
    edge *edge;
    double *rating;
    double *matrix; /* players x players, then its inverse */
    double *inverse;
    double *slope;
    size_t *group; /* scratch of the search for reachable players */
} table;

static bool table_take(table *t, size_t players, size_t edges) {
    size_t square = players * players;
    *t = (table){.players = players, .edges = edges};
    t->edge = calloc(edges ? edges : 1, sizeof *t->edge);
    t->rating = calloc(players, sizeof *t->rating);
    t->matrix = calloc(square, sizeof *t->matrix);
    t->inverse = calloc(square, sizeof *t->inverse);
    t->slope = calloc(players, sizeof *t->slope);
    t->group = calloc(players, sizeof *t->group);
    return t->edge && t->rating && t->matrix && t->inverse && t->slope && t->group;
}

static void table_give(table *t) {
    free(t->edge);
    free(t->rating);
    free(t->matrix);
    free(t->inverse);
    free(t->slope);
    free(t->group);
}

static double variance_of(const uint64_t *counts, size_t values, double *n) {
    double sum = 0.0, squares = 0.0;
    *n = 0.0;
    for (size_t i = 0; i < values; i++) {
        double value = (double)i / (double)(values - 1), count = (double)counts[i];
        *n += count;
        sum += count * value;
        squares += count * value * value;
    }
    if (*n < 2.0) {
        return (double)NAN;
    }
    double variance = (squares - sum * sum / *n) / (*n - 1.0);
    return variance > 0.0 ? variance : 0.0;
}

static edge edge_of(const hz_rating_result *result) {
    const hz_match_counts *c = result->counts;
    edge e = {.a = result->a, .b = result->b};
    e.games = (double)c->games[0] + (double)c->games[1] + (double)c->games[2];
    e.points = (double)c->games[2] + 0.5 * (double)c->games[1];
    double pairs, singles;
    double of_pairs = variance_of(c->pairs, 5, &pairs);
    double of_singles = variance_of(c->singles, 3, &singles);
    double counted = 2.0 * pairs + singles;
    e.variance =
        (pairs > 0.0 ? 4.0 * pairs * of_pairs : 0.0) + (singles > 0.0 ? singles * of_singles : 0.0);
    if (isnan(e.variance) || counted < e.games) {
        e.variance = (double)NAN; /* too little is known: games as if independent */
    }
    return e;
}

/* Whether `to` can be reached from `from` along results in which somebody took points. */
static bool reaches_all(table *t, size_t from, bool upwards) {
    size_t count = 1;
    memset(t->group, 0, t->players * sizeof *t->group);
    t->group[from] = 1;
    for (bool grew = true; grew;) {
        grew = false;
        for (size_t i = 0; i < t->edges; i++) {
            const edge *e = &t->edge[i];
            bool a_took = e->points > 0.0, b_took = e->points < e->games;
            /* upwards: from who lost points to who took them */
            bool to_a = upwards ? a_took : b_took, to_b = upwards ? b_took : a_took;
            if (t->group[e->a] && !t->group[e->b] && to_b) {
                t->group[e->b] = 1;
                count++;
                grew = true;
            }
            if (t->group[e->b] && !t->group[e->a] && to_a) {
                t->group[e->a] = 1;
                count++;
                grew = true;
            }
        }
    }
    size_t played = 0;
    for (size_t p = 0; p < t->players; p++) {
        for (size_t i = 0; i < t->edges; i++) {
            if (t->edge[i].games > 0.0 && (t->edge[i].a == p || t->edge[i].b == p)) {
                played++;
                break;
            }
        }
    }
    return count >= played;
}

/* inverse of the symmetric positive matrix, by Gauss and Jordan with pivots. */
static bool invert(const double *matrix, double *inverse, double *work, size_t n) {
    memcpy(work, matrix, n * n * sizeof *work);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++) {
            inverse[i * n + k] = i == k ? 1.0 : 0.0;
        }
    }
    for (size_t column = 0; column < n; column++) {
        size_t pivot = column;
        for (size_t row = column + 1; row < n; row++) {
            if (fabs(work[row * n + column]) > fabs(work[pivot * n + column])) {
                pivot = row;
            }
        }
        if (!(fabs(work[pivot * n + column]) > 1e-300)) {
            return false;
        }
        for (size_t k = 0; k < n && pivot != column; k++) {
            double swap = work[column * n + k];
            work[column * n + k] = work[pivot * n + k];
            work[pivot * n + k] = swap;
            swap = inverse[column * n + k];
            inverse[column * n + k] = inverse[pivot * n + k];
            inverse[pivot * n + k] = swap;
        }
        double scale = 1.0 / work[column * n + column];
        for (size_t k = 0; k < n; k++) {
            work[column * n + k] *= scale;
            inverse[column * n + k] *= scale;
        }
        for (size_t row = 0; row < n; row++) {
            double factor = row == column ? 0.0 : work[row * n + column];
            for (size_t k = 0; k < n && factor != 0.0; k++) {
                work[row * n + k] -= factor * work[column * n + k];
                inverse[row * n + k] -= factor * inverse[column * n + k];
            }
        }
    }
    return true;
}

/* Curvature and slope at the present ratings. Players without games, and the free mean, get a one on
 * the diagonal or everywhere: the matrix is then regular, and neither moves. */
static void derive(table *t) {
    size_t n = t->players;
    double most = 0.0;
    memset(t->matrix, 0, n * n * sizeof *t->matrix);
    memset(t->slope, 0, n * sizeof *t->slope);
    for (size_t i = 0; i < t->edges; i++) {
        const edge *e = &t->edge[i];
        double share = hz_elo_score(t->rating[e->a] - t->rating[e->b]);
        double slope = SCALE * (e->points - e->games * share);
        double bend = SCALE * SCALE * e->games * share * (1.0 - share);
        t->slope[e->a] += slope;
        t->slope[e->b] -= slope;
        t->matrix[e->a * n + e->a] += bend;
        t->matrix[e->b * n + e->b] += bend;
        t->matrix[e->a * n + e->b] -= bend;
        t->matrix[e->b * n + e->a] -= bend;
        most = bend > most ? bend : most;
    }
    most = most > 0.0 ? most : 1.0;
    for (size_t i = 0; i < n; i++) {
        if (t->matrix[i * n + i] <= 0.0) {
            t->matrix[i * n + i] = most;
        }
        for (size_t k = 0; k < n; k++) {
            t->matrix[i * n + k] += most / (double)n;
        }
    }
}

static bool solve(table *t, double *work) {
    size_t n = t->players;
    for (int round = 0; round < 200; round++) {
        double largest = 0.0;
        derive(t);
        if (!invert(t->matrix, t->inverse, work, n)) {
            return false;
        }
        for (size_t i = 0; i < n; i++) {
            double step = 0.0;
            for (size_t k = 0; k < n; k++) {
                step += t->inverse[i * n + k] * t->slope[k];
            }
            /* A long way to go from level ratings: no step goes further than the curve is true. */
            step = step > 300.0 ? 300.0 : step < -300.0 ? -300.0 : step;
            t->rating[i] += step;
            largest = fabs(step) > largest ? fabs(step) : largest;
        }
        if (largest < 1e-9) {
            break;
        }
    }
    derive(t);
    return invert(t->matrix, t->inverse, work, n);
}

/* Covariance of two linear forms of the ratings, given by what they weigh players with. */
static double covariance(const table *t, size_t p, size_t q, bool difference) {
    size_t n = t->players;
    double sum = 0.0;
    for (size_t i = 0; i < t->edges; i++) {
        const edge *e = &t->edge[i];
        double share = hz_elo_score(t->rating[e->a] - t->rating[e->b]);
        double variance = isnan(e->variance) ? e->games * share * (1.0 - share) : e->variance;
        double of_p = t->inverse[p * n + e->a] - t->inverse[p * n + e->b];
        double of_q = t->inverse[q * n + e->a] - t->inverse[q * n + e->b];
        double weight = difference ? of_p - of_q : of_p;
        sum += SCALE * SCALE * variance * weight * weight;
    }
    return sum;
}

static void rank(hz_rating *ratings, const table *t) {
    for (size_t i = 0; i < t->players; i++) {
        ratings[i].rank = 1;
        for (size_t k = 0; k < t->players; k++) {
            ratings[i].rank +=
                ratings[k].elo > ratings[i].elo || (k < i && ratings[k].elo >= ratings[i].elo);
        }
    }
    for (size_t i = 0; i < t->players; i++) {
        ratings[i].los = (double)NAN;
        for (size_t k = 0; k < t->players; k++) {
            if (ratings[k].rank == ratings[i].rank + 1) {
                double sd = sqrt(covariance(t, i, k, true));
                double distance = ratings[i].elo - ratings[k].elo;
                ratings[i].los = sd > 0.0 ? 0.5 * erfc(-distance / sd / sqrt(2.0)) : (double)NAN;
            }
        }
    }
}

hz_status hz_ratings(size_t players, const hz_rating_result *results, size_t count,
                     hz_rating *ratings, bool *smoothed, hz_error *err) {
    table t;
    double *work = NULL;
    hz_status status = HZ_OK;
    for (size_t i = 0; i < count; i++) {
        if (results[i].a >= players || results[i].b >= players || results[i].a == results[i].b) {
            return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                           "result %zu: not two of %zu players", i, players);
        }
    }
    if (players == 0 || players > 10000) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET, "%zu players", players);
    }
    if (!table_take(&t, players, count) || !(work = malloc(players * players * sizeof *work))) {
        status = hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for %zu ratings", players);
        goto done;
    }
    size_t somebody = 0;
    for (size_t i = 0; i < count; i++) {
        t.edge[i] = edge_of(&results[i]);
        somebody = t.edge[i].games > 0.0 ? t.edge[i].a : somebody;
    }
    bool smooth = !reaches_all(&t, somebody, true) || !reaches_all(&t, somebody, false);
    if (smoothed) {
        *smoothed = smooth;
    }
    for (size_t i = 0; i < players; i++) {
        ratings[i] = (hz_rating){.error = (double)NAN, .los = (double)NAN};
    }
    for (size_t i = 0; i < count; i++) {
        edge *e = &t.edge[i];
        ratings[e->a].games += (uint64_t)e->games;
        ratings[e->b].games += (uint64_t)e->games;
        ratings[e->a].score += e->points;
        ratings[e->b].score += e->games - e->points;
        if (smooth && e->games > 0.0) {
            e->games += 1.0;
            e->points += 0.5;
            e->variance = (double)NAN;
        }
    }
    if (!solve(&t, work)) {
        status = hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET, "these results have no ratings");
        goto done;
    }
    double mean = 0.0, rated = 0.0;
    for (size_t i = 0; i < players; i++) {
        mean += ratings[i].games ? t.rating[i] : 0.0;
        rated += ratings[i].games ? 1.0 : 0.0;
    }
    for (size_t i = 0; i < players && rated > 0.0; i++) {
        ratings[i].elo = ratings[i].games ? t.rating[i] - mean / rated : 0.0;
        if (ratings[i].games) {
            ratings[i].error = QUANTILE * sqrt(covariance(&t, i, i, false));
        }
    }
    rank(ratings, &t);
done:
    free(work);
    table_give(&t);
    return status;
}
