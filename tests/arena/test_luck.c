/* SPDX-License-Identifier: MIT */
/* Luck has expectation 0 for every judge, and taking it off a score leaves the expectation alone
 * and takes variance away. */
#include <hazard/arena.h>

#include <math.h>
#include <string.h>

#include "support/positions.h"

static const char *const positions[] = {
    HZ_START_DFEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "4k3/8/4q3/8/8/4R3/8/4K3 b - - 3 40",
    "8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8 b - - 99 50",
};
static const char *const judges[] = {"king", "greedy", "greedy-v2", "aggressive"};

static void the_luck_of_all_rolls_adds_up_to_nothing(void **state) {
    (void)state;
    for (size_t j = 0; j < sizeof judges / sizeof *judges; j++) {
        hz_luck *luck;
        hz_error err;
        assert_int_equal(hz_luck_open(judges[j], NULL, &luck, &err), HZ_OK);
        for (size_t p = 0; p < sizeof positions / sizeof *positions; p++) {
            hz_position position = test_position(positions[p]);
            double sum = 0.0, largest = 0.0;
            for (int i = 0; i < HZ_ROLLS; i++) {
                double value;
                hz_position_set_pool(&position, hz_rolls[i].pool);
                assert_int_equal(hz_luck_of_roll(luck, &position, &value, &err), HZ_OK);
                sum += hz_rolls[i].weight_216 * value;
                largest = fmax(largest, fabs(value));
            }
            test_true(positions[p], judges[j], fabs(sum) < 1e-9 && largest <= 1.0);
        }
        hz_luck_close(luck);
    }
}

static void the_king_judge_knows_the_odds(void **state) {
    (void)state;
    hz_luck *luck;
    hz_error err;
    assert_int_equal(hz_luck_open("king", NULL, &luck, &err), HZ_OK);
    hz_position position = test_position("3k4/3Q4/8/8/8/8/8/3K4 w - - 0 1");
    double odds = hz_roll_set_weight(hz_odds_king(&position, HZ_BLACK)) / 216.0, value;
    hz_position_set_pool(&position, hz_pool_from_faces(5, 1, 1));
    assert_int_equal(hz_luck_of_roll(luck, &position, &value, &err), HZ_OK);
    assert_true(fabs(value - (1.0 - odds)) < 1e-12);
    hz_position_set_pool(&position, hz_pool_from_faces(1, 1, 1));
    assert_int_equal(hz_luck_of_roll(luck, &position, &value, &err), HZ_OK);
    assert_true(fabs(value + odds) < 1e-12);
    hz_luck_close(luck);
}

static void bots_without_values_are_no_judges(void **state) {
    (void)state;
    hz_luck *luck = NULL;
    hz_error err;
    assert_int_equal(hz_luck_open("random", NULL, &luck, &err), HZ_INVALID_ARGUMENT);
    assert_null(luck);
    assert_int_equal(hz_luck_open("nobody", NULL, &luck, &err), HZ_UNKNOWN_BOT);
    hz_luck_close(NULL);
}

/* Scores of a made-up game: skill, luck that the judge sees (scaled wrongly), luck that it does
 * not. */
static void draw_pair(hz_random *random, double *score, double *luck) {
    double seen = 0.0, unseen = 0.0;
    for (int i = 0; i < 8; i++) {
        seen += hz_random_draw(random, 1001) / 1000.0 - 0.5;
        unseen += hz_random_draw(random, 1001) / 1000.0 - 0.5;
    }
    double x = 0.07 + 0.35 * seen + 0.2 * unseen;
    *score = x > 0.25 ? 1.0 : x < -0.25 ? 0.0 : 0.5;
    *luck = 0.3 * seen;
}

static void the_adjusted_mean_is_unbiased_and_varies_less(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    size_t runs = test_effort(4000), pairs = 20;
    double raw = 0.0, adjusted = 0.0, raw_square = 0.0, square = 0.0, claimed = 0.0;
    /* the truth, from many more */
    double truth = 0.0;
    size_t many = 400000;
    for (size_t i = 0; i < many; i++) {
        double score, luck;
        draw_pair(&random, &score, &luck);
        truth += score;
    }
    truth /= (double)many;
    for (size_t run = 0; run < runs; run++) {
        hz_luck_sums sums = {0};
        for (size_t i = 0; i < pairs; i++) {
            double score, luck;
            draw_pair(&random, &score, &luck);
            hz_luck_add(&sums, i, score, luck);
        }
        hz_luck_estimate e = hz_luck_evaluate(&sums);
        raw += e.raw;
        adjusted += e.adjusted;
        raw_square += (e.raw - truth) * (e.raw - truth);
        square += (e.adjusted - truth) * (e.adjusted - truth);
        claimed += e.adjusted_se * e.adjusted_se;
    }
    double n = (double)runs;
    double error = sqrt(square / n / n) + 0.4 / sqrt((double)many);
    assert_true(fabs(adjusted / n - truth) < 5.0 * error);
    assert_true(fabs(raw / n - truth) <
                5.0 * (sqrt(raw_square / n / n) + 0.4 / sqrt((double)many)));
    test_met(square < 0.75 * raw_square);
    /* the reported error is the true one */
    test_met(fabs(claimed / square - 1.0) < 0.25);
}

static void played_matches_keep_their_mean_with_less_luck(void **state) {
    (void)state;
    static const char *const players[] = {"greedy-v2", "greedy"};
    hz_match_config config = hz_match_config_default();
    hz_match_run *run = NULL;
    hz_error err;
    config.players = players;
    config.pairs = test_effort(300);
    config.luck = "king";
    config.seed = test_seed();
    assert_int_equal(hz_match_run_new(&config, &run, &err), HZ_OK);
    assert_int_equal(hz_match_run_play(run, &err), HZ_OK);
    const hz_match_tally *t = &hz_match_run_view(run)->pairings[0].tally;
    hz_luck_estimate e = hz_luck_evaluate(&t->luck);
    double score = ((double)t->counts.games[2] + 0.5 * (double)t->counts.games[1]) /
                   (2.0 * (double)config.pairs);
    assert_true(fabs(e.raw - score) < 1e-12);
    double n = (double)config.pairs;
    double luck = (t->luck.c[0] + t->luck.c[1]) / n;
    double luck_se = sqrt((t->luck.cc[0] + t->luck.cc[1]) / n / n);
    /* of a few pairs even the error is uncertain */
    test_met(fabs(luck) < 5.0 * luck_se);
    test_met(fabs(e.adjusted - e.raw) < 5.0 * e.raw_se);
    test_met(e.variance_ratio < 0.8 && e.factor[0] > 0.0 && e.factor[1] > 0.0);
    hz_match_run_free(run);
}

static void few_observations_have_no_error(void **state) {
    (void)state;
    hz_luck_sums sums = {0};
    hz_luck_estimate e = hz_luck_evaluate(&sums);
    assert_true(isnan(e.raw) && isnan(e.adjusted_se));
    hz_luck_add(&sums, 0, 1.0, 0.2);
    e = hz_luck_evaluate(&sums);
    assert_true(e.raw == 1.0 && e.adjusted == 1.0 && isnan(e.raw_se));
    hz_luck_add(&sums, 1, 1.0, 0.2);
    e = hz_luck_evaluate(&sums);
    assert_true(e.raw_se == 0.0 && e.adjusted == 1.0 && isnan(e.variance_ratio));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_luck_of_all_rolls_adds_up_to_nothing),
        cmocka_unit_test(the_king_judge_knows_the_odds),
        cmocka_unit_test(bots_without_values_are_no_judges),
        cmocka_unit_test(the_adjusted_mean_is_unbiased_and_varies_less),
        cmocka_unit_test(played_matches_keep_their_mean_with_less_luck),
        cmocka_unit_test(few_observations_have_no_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
