/* SPDX-License-Identifier: MIT */
/* What counters are worth: known values, symmetry, edges, error rates of the test by simulation. */
#include "arena/counters.h"

#include <math.h>

static const hz_sprt usual = {0.0, 20.0, 0.05, 0.05};

static void log_likelihood_ratios_are_the_known_ones(void **state) {
    (void)state;
    static const char *const verdicts[] = {"continue", "H0", "H1"};
    test_table table = test_table_load("arena_sprt.tsv", 8);
    for (size_t i = 0; i < table.count; i++) {
        const char *const *f = table.rows[i].field;
        hz_match_counts counts = {0};
        hz_sprt test = {atof(f[2]), atof(f[3]), atof(f[4]), atof(f[5])};
        test_counters(f[0], counts.pairs, 5);
        test_counters(f[1], counts.singles, 3);
        hz_sprt_state s = hz_sprt_evaluate(&test, &counts);
        test_true(f[0], "LLR", fabs(s.llr - atof(f[6])) < 1e-8);
        test_same_text(f[0], "verdict", f[7], verdicts[s.verdict]);
    }
    test_table_free(&table);
}

static void resolutions_are_the_known_ones(void **state) {
    (void)state;
    test_table table = test_table_load("arena_resolution.tsv", 11);
    for (size_t i = 0; i < table.count; i++) {
        const char *const *f = table.rows[i].field;
        hz_match_counts counts = {0};
        test_counters(f[0], counts.pairs, 5);
        test_counters(f[1], counts.games, 3);
        hz_resolution r = hz_match_resolution(&counts);
        test_true(f[0], "pair", fabs(r.pair_sd - atof(f[2])) < 1e-6);
        test_true(f[0], "game", fabs(r.game_sd - atof(f[3])) < 1e-6);
        test_true(f[0], "gain", fabs(r.gain - atof(f[4])) < 1e-6);
        test_true(f[0], "pairs %", fabs(r.half_width_pair_percent - atof(f[5])) < 1e-4);
        test_true(f[0], "games %", fabs(r.half_width_game_percent - atof(f[6])) < 1e-4);
        test_same_number(f[0], "2 %", test_number(f[7]), r.games_paired[0]);
        test_same_number(f[0], "2 %", test_number(f[8]), r.games_unpaired[0]);
        test_same_number(f[0], "3 %", test_number(f[9]), r.games_paired[1]);
        test_same_number(f[0], "3 %", test_number(f[10]), r.games_unpaired[1]);
    }
    test_table_free(&table);
}

static void bounds_and_scores_are_the_known_ones(void **state) {
    (void)state;
    hz_match_counts none = {0};
    hz_sprt strict = {0.0, 20.0, 0.01, 0.01};
    hz_sprt_state s = hz_sprt_evaluate(&usual, &none), t = hz_sprt_evaluate(&strict, &none);
    assert_true(fabs(s.upper - 2.944438979) < 1e-9 && fabs(s.lower + 2.944438979) < 1e-9);
    assert_true(fabs(t.upper - 4.595119850) < 1e-9 && fabs(t.lower + 4.595119850) < 1e-9);
    assert_true(s.llr == 0.0 && s.verdict == HZ_SPRT_CONTINUE);
    assert_true(fabs(hz_elo_score(20.0) - 0.528750563892) < 1e-12);
    assert_true(fabs(hz_elo_score(200.0) - 0.759746926648) < 1e-12);
    assert_true(fabs(hz_elo_from_score(hz_elo_score(-123.0)) + 123.0) < 1e-9);
    assert_true(isinf(hz_elo_from_score(1.0)) && isinf(hz_elo_from_score(0.0)));
}

static void random_counts(hz_random *random, hz_match_counts *counts) {
    uint32_t most = 1 + hz_random_draw(random, 200);
    *counts = (hz_match_counts){0};
    for (int i = 0; i < 5; i++) {
        counts->pairs[i] = hz_random_draw(random, most);
    }
    for (int i = 0; i < 3; i++) {
        counts->singles[i] = hz_random_draw(random, 3) ? 0 : hz_random_draw(random, most);
    }
    uint64_t *p = counts->pairs;
    counts->games[0] = 2 * p[0] + p[1] + p[2] + counts->singles[0];
    counts->games[1] = p[1] + p[3] + counts->singles[1];
    counts->games[2] = p[2] + p[3] + 2 * p[4] + counts->singles[2];
}

static void swapping_the_players_negates_to_the_last_bit(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    for (size_t i = 0; i < test_effort(2000); i++) {
        hz_match_counts counts;
        random_counts(&random, &counts);
        hz_match_counts other = test_swapped(&counts);
        double elo = 0.5 + hz_random_draw(&random, 100);
        hz_sprt test = {-elo, elo, 0.05, 0.05};
        hz_sprt_state a = hz_sprt_evaluate(&test, &counts), b = hz_sprt_evaluate(&test, &other);
        assert_true(a.llr == -b.llr);
        hz_resolution r = hz_match_resolution(&counts), q = hz_match_resolution(&other);
        assert_true(r.pair_sd == q.pair_sd || isnan(r.pair_sd));
        hz_elo_estimate e = hz_match_elo(&counts), f = hz_match_elo(&other);
        if (test_total(counts.games, 3) > 2) {
            assert_true(fabs(e.value + f.value) < 1e-9 || !isfinite(e.value));
            assert_true(fabs(e.los + f.los - 1.0) < 1e-12 || isnan(e.los));
            assert_true(e.normalized == -f.normalized || isnan(e.normalized));
        }
    }
}

static void numbers_that_do_not_exist_are_none(void **state) {
    (void)state;
    hz_match_counts counts = {0};
    hz_resolution r = hz_match_resolution(&counts);
    hz_elo_estimate e = hz_match_elo(&counts);
    assert_true(isnan(r.pair_sd) && isnan(r.game_sd) && isnan(r.gain) && isnan(r.games_paired[0]));
    assert_true(isnan(e.value) && isnan(e.error) && isnan(e.los));
    counts.pairs[2] = 1;
    counts.games[0] = counts.games[2] = 1;
    r = hz_match_resolution(&counts);
    assert_true(isnan(r.pair_sd) && isfinite(r.game_sd) && isnan(r.gain));
    counts.pairs[2] = 50;
    counts.games[0] = counts.games[2] = 50;
    r = hz_match_resolution(&counts);
    e = hz_match_elo(&counts);
    assert_true(r.pair_sd == 0.0 && isnan(r.games_paired[0]) && isnan(r.gain));
    assert_true(e.value == 0.0 && e.los == 0.5 && isnan(e.normalized));
}

static void bad_tests_are_refused_with_the_name_of_the_number(void **state) {
    (void)state;
    static const struct {
        hz_sprt test;
        const char *word;
    } bad[] = {{{20.0, 20.0, 0.05, 0.05}, "elo0"},
               {{30.0, 20.0, 0.05, 0.05}, "elo0"},
               {{0.0, (double)INFINITY, 0.05, 0.05}, "elo1"},
               {{(double)NAN, 20.0, 0.05, 0.05}, "elo0"},
               {{0.0, 20.0, 0.0, 0.05}, "alpha"},
               {{0.0, 20.0, 1.0, 0.05}, "alpha"},
               {{0.0, 20.0, 0.05, -0.1}, "beta"},
               {{0.0, 20.0, 0.05, (double)NAN}, "beta"}};
    hz_error err;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(hz_sprt_check(&bad[i].test, &err), HZ_INVALID_ARGUMENT);
        assert_non_null(strstr(err.message, bad[i].word));
    }
    assert_int_equal(hz_sprt_check(&usual, &err), HZ_OK);
}

/* ---- error rates ---- */

/* Pairs of which 63 in a hundred split; the rest is won or lost so that the score is that of elo. */
static hz_sprt_verdict simulate(const hz_sprt *test, double elo, hz_random *random, size_t cap,
                                uint64_t *pairs) {
    hz_match_counts counts = {0};
    const double split = 0.63;
    double win = hz_elo_score(elo) - 0.5 * split;
    uint32_t split_at = (uint32_t)(split * 1e9), win_at = split_at + (uint32_t)(win * 1e9);
    for (size_t i = 0; i < cap; i++) {
        uint32_t draw = hz_random_draw(random, 1000000000);
        counts.pairs[draw < split_at ? 2 : draw < win_at ? 4 : 0]++;
        hz_sprt_state s = hz_sprt_evaluate(test, &counts);
        *pairs = i + 1;
        if (s.verdict != HZ_SPRT_CONTINUE) {
            return s.verdict;
        }
    }
    return HZ_SPRT_CONTINUE;
}

static void error_rates_stay_within_their_bounds(void **state) {
    (void)state;
    static const hz_sprt tests[] = {
        {-20.0, 20.0, 0.05, 0.05}, {0.0, 40.0, 0.05, 0.05}, {0.0, 30.0, 0.10, 0.02}};
    hz_random random = hz_random_from_seed(test_seed());
    size_t runs = test_effort(1500);
    uint64_t pairs;
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        size_t false_h1 = 0, false_h0 = 0, open = 0;
        for (size_t k = 0; k < runs; k++) {
            false_h1 += simulate(&tests[i], tests[i].elo0, &random, 20000, &pairs) == HZ_SPRT_H1;
            hz_sprt_verdict v = simulate(&tests[i], tests[i].elo1, &random, 20000, &pairs);
            false_h0 += v == HZ_SPRT_H0;
            open += v == HZ_SPRT_CONTINUE;
        }
        /* five deviations beyond the bound */
        double n = (double)runs, a = tests[i].alpha, b = tests[i].beta;
        assert_true((double)false_h1 <= n * a + 5.0 * sqrt(n * a * (1.0 - a)));
        assert_true((double)false_h0 <= n * b + 5.0 * sqrt(n * b * (1.0 - b)));
        assert_int_equal(open, 0);
    }
}

static int ascending(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void decisions_cost_as_many_pairs_as_published(void **state) {
    (void)state;
    test_table table = test_table_load("arena_sprt_cost.tsv", 5);
    hz_random random = hz_random_from_seed(test_seed());
    size_t runs = test_effort(1000);
    uint64_t *pairs = calloc(runs, sizeof *pairs);
    assert_non_null(pairs);
    for (size_t i = 0; i < table.count; i++) {
        const char *const *f = table.rows[i].field;
        hz_sprt test = {atof(f[1]), atof(f[2]), 0.05, 0.05};
        for (size_t k = 0; k < runs; k++) {
            (void)simulate(&test, atof(f[0]), &random, 100000, &pairs[k]);
        }
        qsort(pairs, runs, sizeof *pairs, ascending);
        /* five deviations of a percentile of so skewed a distribution, and what was published is
         * one of a simulation as well */
        double off = 0.06 + 0.2 * sqrt(1000.0 / (double)runs);
        size_t half = runs / 2, most = runs * 9 / 10;
        double median = (double)pairs[half] / atof(f[3]);
        double ninety = (double)pairs[most] / atof(f[4]);
        test_true(f[0], f[2], fabs(median - 1.0) < off);
        test_true(f[0], f[2], fabs(ninety - 1.0) < off);
    }
    free(pairs);
    test_table_free(&table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(log_likelihood_ratios_are_the_known_ones),
        cmocka_unit_test(resolutions_are_the_known_ones),
        cmocka_unit_test(bounds_and_scores_are_the_known_ones),
        cmocka_unit_test(swapping_the_players_negates_to_the_last_bit),
        cmocka_unit_test(numbers_that_do_not_exist_are_none),
        cmocka_unit_test(bad_tests_are_refused_with_the_name_of_the_number),
        cmocka_unit_test(error_rates_stay_within_their_bounds),
        cmocka_unit_test(decisions_cost_as_many_pairs_as_published),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
