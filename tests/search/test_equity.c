/* SPDX-License-Identifier: MIT */
/*
 * Monte-Carlo equity: stated facts, the stopping rules, and a twin that lists turns and capture
 * odds with the slow oracle. Both draw from equal streams, so their numbers must agree to the last
 * bits.
 */
#include <hazard/search.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ref/ref_dice.h"
#include "ref/ref_random.h"
#include "support/positions.h"

static const char DUEL[] = "4k3/2N5/8/8/8/8/2n5/4K3 w - - 0 1";
static const char WON[] = "Q7/7B/8/8/3Kk2R/2NP4/8/8 w - - 0 1"; /* 216 of 216 rolls */

static hz_equity_config config_of(uint32_t rollouts, uint32_t max_plies) {
    hz_equity_config config = hz_equity_config_default();
    config.rollouts = rollouts;
    config.max_plies = max_plies;
    return config;
}

static hz_equity estimate(const char *dfen, const hz_equity_config *config, hz_random *random,
                          const hz_deadline *deadline) {
    hz_position position = test_position(dfen);
    hz_arena arena;
    hz_equity equity = {0};
    hz_error err;
    hz_arena_init(&arena, 0);
    hz_status status =
        hz_equity_estimate(&position, config, random, deadline, &arena, &equity, &err);
    hz_arena_fini(&arena);
    if (status != HZ_OK) {
        fail_msg("%s: %s", dfen, err.message);
    }
    return equity;
}

static void close_to(const char *where, const char *what, double expected, double actual,
                     double tolerance) {
    if (!(fabs(expected - actual) <= tolerance)) {
        fail_msg("%s: %s is %.17g instead of %.17g", where, what, actual, expected);
    }
}

/* ---- facts ---- */

static void fact(const char *where, const char *what, const char *expected, double actual,
                 double tolerance) {
    if (strcmp(expected, "?") != 0) {
        close_to(where, what, strtod(expected, NULL), actual, tolerance);
    }
}

static void stated_estimates_are_met(void **state) {
    (void)state;
    test_table table = test_table_load("search_equity.tsv", 12);
    hz_deadline past = {.at_ns = 0};
    for (size_t i = 0; i < table.count; i++) {
        const char *const *f = table.rows[i].field;
        hz_equity_config config =
            config_of((uint32_t)test_number(f[1]), (uint32_t)test_number(f[2]));
        hz_random random = hz_random_from_seed(test_number(f[3]));
        hz_equity equity =
            estimate(f[0], &config, &random, strcmp(f[4], "past") == 0 ? &past : NULL);
        double tolerance = strtod(f[11], NULL);
        fact(f[0], "rollouts", f[5], equity.rollouts, 0);
        fact(f[0], "draws", f[6], (double)random.counter, 0);
        fact(f[0], "White", f[7], equity.white_win, tolerance);
        fact(f[0], "Black", f[8], equity.black_win, tolerance);
        fact(f[0], "undecided", f[9], equity.undecided, tolerance);
        fact(f[0], "standard error", f[10], equity.standard_error, tolerance);
        close_to(f[0], "sum", 1, equity.white_win + equity.black_win + equity.undecided, 1e-9);
        test_true(f[0], "masses are probabilities",
                  equity.white_win >= 0 && equity.black_win >= 0 && equity.undecided >= 0);
        test_true(f[0], "standard error", equity.standard_error >= 0);
    }
    test_table_free(&table);
}

/* ---- stopping ---- */

static void same_seed_gives_the_same_estimate(void **state) {
    (void)state;
    hz_equity_config config = config_of(24, 4);
    hz_random first = hz_random_from_seed(42), second = first;
    hz_equity a = estimate(DUEL, &config, &first, NULL), b = estimate(DUEL, &config, &second, NULL);
    assert_memory_equal(&a.white_win, &b.white_win, sizeof a.white_win);
    assert_memory_equal(&a.black_win, &b.black_win, sizeof a.black_win);
    assert_int_equal(first.counter, second.counter);
}

static void the_pool_of_the_position_is_ignored(void **state) {
    (void)state;
    hz_equity_config config = config_of(8, 4);
    hz_random first = hz_random_from_seed(1), second = first;
    hz_equity a = estimate(DUEL, &config, &first, NULL);
    hz_equity b = estimate("4k3/2N5/8/8/8/8/2n5/4K3 w - - 0 1 NNK", &config, &second, NULL);
    assert_true(a.white_win == b.white_win && first.counter == second.counter);
}

static void no_plies_leave_everything_undecided(void **state) {
    (void)state;
    hz_equity_config config = config_of(10, 0);
    hz_random random = hz_random_from_seed(5);
    hz_equity equity = estimate(DUEL, &config, &random, NULL);
    assert_true(equity.undecided == 1 && equity.white_win == 0 && equity.black_win == 0);
    assert_int_equal(equity.rollouts, 10);
    assert_int_equal(random.counter, 0);
    assert_true(isinf(equity.variance_reduction));
}

static void one_ply_credits_exactly_the_capture_odds_and_still_advances(void **state) {
    (void)state;
    hz_equity_config config = config_of(3, 1);
    hz_random random = hz_random_from_seed(5);
    hz_position position = test_position(DUEL);
    double odds = hz_roll_set_weight(hz_odds_king(&position, HZ_BLACK)) / 216.0;
    hz_equity equity = estimate(DUEL, &config, &random, NULL);
    assert_true(odds > 0 && odds < 1);
    close_to(DUEL, "White", odds, equity.white_win, 1e-15);
    close_to(DUEL, "undecided", 1 - odds, equity.undecided, 1e-15);
    assert_true(equity.black_win == 0);
    assert_true(random.counter >= 9); /* three dice a rollout at least */
}

static void a_certain_capture_draws_nothing(void **state) {
    (void)state;
    hz_equity_config config = config_of(7, 40);
    hz_random random = hz_random_from_seed(3);
    hz_equity equity = estimate(WON, &config, &random, NULL);
    assert_true(equity.white_win == 1 && equity.standard_error == 0);
    assert_int_equal(random.counter, 0);
    assert_int_equal(equity.rollouts, 7);
}

static void target_error_stops_as_soon_as_it_is_reached(void **state) {
    (void)state;
    hz_equity_config config = config_of(5000, 6);
    config.target_error = 0.03;
    config.min_rollouts = 4;
    hz_random random = hz_random_from_seed(11);
    hz_equity stopped = estimate(DUEL, &config, &random, NULL);
    assert_true(stopped.rollouts >= 4 && stopped.rollouts < 5000);
    assert_true(stopped.standard_error <= 0.03);
    /* The same rollouts without the target: equal numbers; one less: not there yet. */
    config.target_error = 0;
    config.rollouts = stopped.rollouts;
    random = hz_random_from_seed(11);
    hz_equity same = estimate(DUEL, &config, &random, NULL);
    assert_true(same.white_win == stopped.white_win);
    if (stopped.rollouts > 4) {
        config.rollouts = stopped.rollouts - 1;
        random = hz_random_from_seed(11);
        assert_true(estimate(DUEL, &config, &random, NULL).standard_error > 0.03);
    }
}

static void target_error_waits_for_the_least_number_of_rollouts(void **state) {
    (void)state;
    hz_equity_config config = config_of(500, 6);
    config.target_error = 1; /* reached at once */
    hz_random random = hz_random_from_seed(11);
    assert_int_equal(estimate(DUEL, &config, &random, NULL).rollouts, 128);
    config.min_rollouts = 0;
    assert_int_equal(estimate(DUEL, &config, &random, NULL).rollouts, 1);
}

static uint64_t ticking(void *state) {
    uint64_t *now = state;
    return ++*now;
}

static void the_clock_is_read_after_each_rollout(void **state) {
    (void)state;
    uint64_t now = 0;
    hz_deadline deadline = {.at_ns = 10, .now = ticking, .now_state = &now};
    hz_equity_config config = config_of(UINT32_MAX, 3);
    hz_random random = hz_random_from_seed(2);
    assert_int_equal(estimate(DUEL, &config, &random, &deadline).rollouts, 10);
}

/* ---- decided boards, bad arguments, memory ---- */

static void a_board_without_a_king_is_decided(void **state) {
    (void)state;
    static const struct {
        const char *dfen;
        double white, black, undecided;
    } cases[] = {{"8/8/8/8/8/8/8/4K3 w - - 0 1", 1, 0, 0},
                 {"8/8/8/8/8/8/8/4K3 b - - 0 1", 1, 0, 0},
                 {"4k3/8/8/8/8/8/8/Q7 w - - 0 1", 0, 1, 0},
                 {"q7/8/8/8/8/8/8/Q7 w - - 0 1", 0, 0, 1},
                 {"8/8/8/8/8/8/8/8 b - - 0 1", 0, 0, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hz_equity_config config = hz_equity_config_default();
        hz_random random = hz_random_from_seed(1);
        hz_equity equity = estimate(cases[i].dfen, &config, &random, NULL);
        close_to(cases[i].dfen, "White", cases[i].white, equity.white_win, 0);
        close_to(cases[i].dfen, "Black", cases[i].black, equity.black_win, 0);
        close_to(cases[i].dfen, "undecided", cases[i].undecided, equity.undecided, 0);
        test_same_number(cases[i].dfen, "draws", 0, random.counter);
    }
}

static void a_walled_in_side_ends_the_rollout_after_64_rolls(void **state) {
    (void)state;
    /* White has no micro-move with any die: pawns at the edge or behind their own men. */
    hz_equity_config config = config_of(2, 10);
    hz_random random = hz_random_from_seed(9);
    hz_equity equity = estimate("KP6/PP6/8/8/8/8/8/7k w - - 0 1", &config, &random, NULL);
    assert_int_equal(random.counter, 2 * 64 * 3);
    assert_true(equity.undecided == 1 && equity.rollouts == 2);
}

static void arguments_outside_their_range_are_refused(void **state) {
    (void)state;
    hz_position position = test_position(DUEL);
    hz_random random = hz_random_from_seed(1);
    hz_arena arena;
    hz_equity equity = {.rollouts = 77};
    hz_error err;
    hz_arena_init(&arena, 0);
    hz_equity_config bad[3];
    for (int i = 0; i < 3; i++) {
        bad[i] = hz_equity_config_default();
    }
    bad[0].rollouts = 0;
    bad[1].target_error = -0.1;
    bad[2].target_error = (double)NAN;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(
            hz_equity_estimate(&position, &bad[i], &random, NULL, &arena, &equity, &err),
            HZ_INVALID_ARGUMENT);
        assert_non_null(strstr(err.message, i ? "target error" : "rollouts"));
    }
    assert_int_equal(equity.rollouts, 77);
    hz_arena_fini(&arena);
}

static void an_exhausted_arena_is_an_error(void **state) {
    (void)state;
    hz_position position = test_position(DUEL);
    hz_random random = hz_random_from_seed(1);
    hz_equity_config config = hz_equity_config_default();
    hz_arena arena;
    hz_equity equity;
    hz_error err;
    hz_arena_init(&arena, 512);
    assert_int_equal(hz_equity_estimate(&position, &config, &random, NULL, &arena, &equity, &err),
                     HZ_NO_MEMORY);
    hz_arena_fini(&arena);
}

/* ---- the slow twin ---- */

/* Probability that the side to move takes a king, roll by roll. */
static double slow_capture(const ref_position *position) {
    int weight = 0;
    for (int i = 0; i < HZ_ROLLS; i++) {
        ref_position rolled = *position;
        memset(rolled.dice, 0, sizeof rolled.dice);
        for (int k = 0; k < 3; k++) {
            rolled.dice[hz_rolls[i].face[k] - 1]++;
        }
        ref_turns turns;
        assert_true(ref_legal_turns(&rolled, 1000000, &turns));
        weight += ref_king_turns(&turns) ? hz_rolls[i].weight_216 : 0;
        ref_turns_free(&turns);
    }
    return weight / 216.0;
}

static bool slow_advance(ref_position *position, hz_random *random) {
    for (int attempt = 0; attempt < 64; attempt++) {
        memset(position->dice, 0, sizeof position->dice);
        for (int k = 0; k < 3; k++) {
            position->dice[hz_random_draw(random, 6)]++;
        }
        ref_turns turns;
        ref_results results;
        assert_true(ref_legal_turns(position, 1000000, &turns));
        ref_results_of(position, &turns, &results);
        uint32_t count = 0; /* quiet results, moved to the front */
        for (size_t i = 0; i < results.count; i++) {
            if (!results.result[i].king) {
                results.result[count++] = results.result[i];
            }
        }
        if (count) {
            uint32_t picked = count > 1 ? hz_random_draw(random, count) : 0;
            assert_true(ref_from_dfen(position, results.result[picked].after));
        }
        ref_results_free(&results);
        ref_turns_free(&turns);
        if (count) {
            return true;
        }
    }
    return false;
}

static void estimates_agree_with_the_slow_twin(void **state) {
    (void)state;
    ref_random source = ref_random_from_seed(test_seed());
    for (size_t i = 0, n = test_effort(6); i < n; i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_placed(&source, i % 3 ? REF_SPARSE : REF_EN_PASSANT, dfen);
        ref_random_set_pool(dfen, "");
        hz_position position = test_position(dfen);
        if (hz_game_over(&position, NULL, NULL)) {
            fail_msg("%s: both kings are wanted here", dfen);
        }
        const int rollouts = 3, plies = 3;
        hz_random fast = hz_random_from_seed(ref_random_next(&source)), slow = fast;
        hz_equity_config config = config_of((uint32_t)rollouts, (uint32_t)plies);
        hz_equity equity = estimate(dfen, &config, &fast, NULL);
        double white[3], sums[3] = {0};
        for (int r = 0; r < rollouts; r++) {
            ref_position at;
            assert_true(ref_from_dfen(&at, dfen));
            double credit[2] = {0}, alive = 1;
            for (int ply = 0; ply < plies; ply++) {
                double q = slow_capture(&at);
                credit[at.side == 'b'] += alive * q;
                alive *= 1 - q;
                if (alive <= 1e-5 || !slow_advance(&at, &slow)) {
                    break;
                }
            }
            white[r] = credit[0];
            sums[0] += credit[0];
            sums[1] += credit[1];
            sums[2] += alive;
        }
        double mean = sums[0] / rollouts, squares = 0;
        for (int r = 0; r < rollouts; r++) {
            squares += (white[r] - mean) * (white[r] - mean);
        }
        double variance = squares / (rollouts - 1);
        test_same_number(dfen, "draws", slow.counter, fast.counter);
        close_to(dfen, "White", mean, equity.white_win, 1e-12);
        close_to(dfen, "Black", sums[1] / rollouts, equity.black_win, 1e-12);
        close_to(dfen, "undecided", sums[2] / rollouts, equity.undecided, 1e-12);
        close_to(dfen, "standard error", sqrt(variance / rollouts), equity.standard_error, 1e-9);
        if (variance > 1e-9) {
            close_to(dfen, "variance reduction", mean * (1 - mean) / variance,
                     equity.variance_reduction, 1e-6 * equity.variance_reduction);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stated_estimates_are_met),
        cmocka_unit_test(same_seed_gives_the_same_estimate),
        cmocka_unit_test(the_pool_of_the_position_is_ignored),
        cmocka_unit_test(no_plies_leave_everything_undecided),
        cmocka_unit_test(one_ply_credits_exactly_the_capture_odds_and_still_advances),
        cmocka_unit_test(a_certain_capture_draws_nothing),
        cmocka_unit_test(target_error_stops_as_soon_as_it_is_reached),
        cmocka_unit_test(target_error_waits_for_the_least_number_of_rollouts),
        cmocka_unit_test(the_clock_is_read_after_each_rollout),
        cmocka_unit_test(a_board_without_a_king_is_decided),
        cmocka_unit_test(a_walled_in_side_ends_the_rollout_after_64_rolls),
        cmocka_unit_test(arguments_outside_their_range_are_refused),
        cmocka_unit_test(an_exhausted_arena_is_an_error),
        cmocka_unit_test(estimates_agree_with_the_slow_twin),
    };
    return cmocka_run_group_tests_name("search equity", tests, NULL, NULL);
}
