/* SPDX-License-Identifier: MIT */
/* Tables of ratings: two players as Elo says, many by simulation, edges. */
#include "arena/counters.h"

#include <math.h>

enum { PLAYERS = 6 };

/* Plays pairs with a given share of split ones in which luck decides. */
static void play(hz_match_counts *counts, double elo, size_t pairs, hz_random *random) {
    double win = hz_elo_score(elo);
    uint32_t win_at = (uint32_t)(win * 1e9);
    *counts = (hz_match_counts){0};
    for (size_t i = 0; i < pairs; i++) {
        unsigned first = hz_random_draw(random, 1000000000) < win_at;
        unsigned second = hz_random_draw(random, 1000000000) < win_at;
        counts->pairs[2 * (first + second)]++;
        counts->games[2 * first]++;
        counts->games[2 * second]++;
    }
}

static void two_players_are_as_far_apart_as_their_score_says(void **state) {
    (void)state;
    hz_match_counts counts = {.pairs = {10, 5, 40, 9, 36}, .games = {65, 14, 121}};
    hz_rating_result result = {0, 1, &counts};
    hz_rating ratings[2];
    bool smoothed = true;
    hz_error err;
    assert_int_equal(hz_ratings(2, &result, 1, ratings, &smoothed, &err), HZ_OK);
    hz_elo_estimate e = hz_match_elo(&counts);
    assert_false(smoothed);
    assert_true(fabs(ratings[0].elo - ratings[1].elo - e.value) < 1e-6);
    assert_true(fabs(ratings[0].elo + ratings[1].elo) < 1e-9);
    assert_true(fabs(2.0 * ratings[0].error - e.error) < 0.01 * e.error);
    assert_true(fabs(ratings[0].los - e.los) < 0.005);
    assert_int_equal(ratings[0].rank, 1);
    assert_int_equal(ratings[1].rank, 2);
    assert_true(isnan(ratings[1].los));
    assert_true(ratings[0].score == 128.0 && ratings[0].games == 200);
}

static void known_strengths_are_found_within_the_error_bars(void **state) {
    (void)state;
    static const double truth[PLAYERS] = {-250, -120, -30, 0, 130, 270};
    hz_random random = hz_random_from_seed(test_seed());
    size_t tables = test_effort(60), inside = 0, total = 0;
    for (size_t n = 0; n < tables; n++) {
        hz_match_counts counts[PLAYERS * PLAYERS];
        hz_rating_result results[PLAYERS * PLAYERS];
        hz_rating ratings[PLAYERS];
        size_t count = 0;
        hz_error err;
        for (size_t a = 0; a < PLAYERS; a++) {
            for (size_t b = a + 1; b < PLAYERS; b++) {
                play(&counts[count], truth[a] - truth[b], 100, &random);
                results[count] = (hz_rating_result){a, b, &counts[count]};
                count++;
            }
        }
        assert_int_equal(hz_ratings(PLAYERS, results, count, ratings, NULL, &err), HZ_OK);
        double mean = 0.0;
        for (size_t i = 0; i < PLAYERS; i++) {
            mean += ratings[i].elo;
            inside += fabs(ratings[i].elo - truth[i]) <= ratings[i].error;
            total++;
        }
        assert_true(fabs(mean) < 1e-6);
    }
    /* 95 in a hundred are; a table with five players wrong at once happens */
    assert_true((double)inside >= 0.90 * (double)total - 6.0);
    test_met(inside < total);
}

static void pairs_that_always_split_say_the_players_are_equal(void **state) {
    (void)state;
    hz_match_counts counts = {.pairs = {0, 0, 100, 0, 0}, .games = {100, 0, 100}};
    hz_rating_result result = {1, 0, &counts};
    hz_rating ratings[2];
    hz_error err;
    assert_int_equal(hz_ratings(2, &result, 1, ratings, NULL, &err), HZ_OK);
    assert_true(fabs(ratings[0].elo) < 1e-9 && ratings[0].error < 1e-9);
}

static void somebody_who_lost_everything_gets_a_finite_rating(void **state) {
    (void)state;
    hz_match_counts lost = {.pairs = {10, 0, 0, 0, 0}, .games = {20, 0, 0}};
    hz_match_counts even = {.pairs = {3, 0, 4, 0, 3}, .games = {10, 0, 10}};
    hz_rating_result results[] = {{0, 1, &lost}, {0, 2, &lost}, {1, 2, &even}};
    hz_rating ratings[4];
    bool smoothed = false;
    hz_error err;
    assert_int_equal(hz_ratings(4, results, 3, ratings, &smoothed, &err), HZ_OK);
    assert_true(smoothed);
    assert_true(ratings[0].elo < -300.0 && isfinite(ratings[0].elo) && isfinite(ratings[0].error));
    assert_true(isnan(ratings[3].error) && ratings[3].games == 0);
    assert_true(ratings[0].score == 0.0 && ratings[1].score == 30.0);
}

static void impossible_tables_are_refused(void **state) {
    (void)state;
    hz_match_counts counts = {0};
    hz_rating_result same = {1, 1, &counts}, beyond = {0, 2, &counts};
    hz_rating ratings[2];
    hz_error err;
    assert_int_equal(hz_ratings(2, &same, 1, ratings, NULL, &err), HZ_INVALID_ARGUMENT);
    assert_int_equal(hz_ratings(2, &beyond, 1, ratings, NULL, &err), HZ_INVALID_ARGUMENT);
    assert_int_equal(hz_ratings(0, NULL, 0, ratings, NULL, &err), HZ_INVALID_ARGUMENT);
    hz_rating_result none = {0, 1, &counts};
    assert_int_equal(hz_ratings(2, &none, 1, ratings, NULL, &err), HZ_OK);
    assert_true(ratings[0].games == 0 && isnan(ratings[0].error));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_players_are_as_far_apart_as_their_score_says),
        cmocka_unit_test(known_strengths_are_found_within_the_error_bars),
        cmocka_unit_test(pairs_that_always_split_say_the_players_are_equal),
        cmocka_unit_test(somebody_who_lost_everything_gets_a_finite_rating),
        cmocka_unit_test(impossible_tables_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
