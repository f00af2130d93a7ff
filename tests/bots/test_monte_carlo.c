/* SPDX-License-Identifier: MIT */
/* The Monte-Carlo bot: its scores are equities, its clock is divided, a deadline never costs a
 * turn. */
#include "bots/asking.h"

#include <math.h>
#include <stdlib.h>

#include "ref/ref_random.h"

static const char DUEL[] = "4k3/8/8/3n4/3N4/8/8/4K3 w - - 0 1 PPN";

static hz_bot monte_carlo(uint32_t rollouts, uint32_t max_plies) {
    hz_monte_carlo_config config = {.rollouts = rollouts, .max_plies = max_plies};
    hz_bot bot;
    assert_int_equal(hz_bot_monte_carlo(&config, &bot, NULL), HZ_OK);
    return bot;
}

static void seeded_decision_is_the_stated_one(void **state) {
    (void)state;
    asking ask = asking_new();
    hz_bot bot = monte_carlo(4, 3);
    const hz_bot_answer *answer = asking_choose(&ask, &bot, DUEL, 7, NULL);
    char turn[HZ_TURN_CAPACITY];
    hz_turn_to_text(&answer->turn, turn);
    assert_string_equal(turn, "d4e6");
    assert_int_equal(answer->score, 160135);
    assert_int_equal(answer->tie_count, 1);
    assert_int_equal(ask.random.counter, 540);
    hz_bot_close(&bot);
    asking_free(&ask);
}

/* Every result estimated in list order on one stream, by hand. */
static void untimed_scores_are_equities_of_the_results_in_list_order(void **state) {
    (void)state;
    asking ask = asking_new();
    ref_random random = ref_random_from_seed(test_seed());
    hz_bot bot = monte_carlo(3, 2);
    int tried = 0;
    for (size_t i = 0, n = test_effort(12); i < n || !tried; i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_placed(&random, REF_SPARSE, dfen);
        ref_random_set_pool(dfen, i % 2 ? "KN" : "PB");
        uint64_t seed = ref_random_next(&random);
        const hz_bot_answer *answer = asking_choose(&ask, &bot, dfen, seed, NULL);
        check_answer(dfen, &ask.position, answer);
        hz_arena lists, plies;
        hz_arena_init(&lists, 0);
        hz_arena_init(&plies, 0);
        hz_result_list list;
        assert_int_equal(hz_results_list(&ask.position, NULL, &lists, &list, NULL), HZ_OK);
        if (list.count && list.winning < 0) {
            hz_random stream = hz_random_from_seed(seed);
            hz_equity_config config = hz_equity_config_default();
            config.rollouts = 3;
            config.max_plies = 2;
            double best = -1;
            test_text ties = {0}, actual = {0};
            size_t tie_count = 0;
            for (size_t r = 0; r < list.count; r++) {
                hz_equity equity;
                char turn[HZ_TURN_CAPACITY];
                assert_int_equal(hz_equity_estimate(&list.results[r].after, &config, &stream, NULL,
                                                    &plies, &equity, NULL),
                                 HZ_OK);
                double score = floor(
                    1000000 * (ask.position.side ? equity.black_win : equity.white_win) + 0.5);
                if (score > best) {
                    best = score;
                    test_text_clear(&ties);
                    tie_count = 0;
                }
                if (score == best) {
                    hz_turn_to_text(&list.results[r].turn, turn);
                    test_text_word(&ties, turn);
                    tie_count++;
                }
            }
            hz_random_pick(&stream, (uint32_t)tie_count);
            turns_text(&actual, answer->ties, answer->tie_count);
            test_same_text(dfen, "ties", test_text_get(&ties), test_text_get(&actual));
            test_same_number(dfen, "score", best, answer->score);
            test_same_number(dfen, "draws", stream.counter, ask.random.counter);
            test_text_free(&ties);
            test_text_free(&actual);
            tried++;
        }
        hz_arena_fini(&plies);
        hz_arena_fini(&lists);
    }
    hz_bot_close(&bot);
    asking_free(&ask);
}

static void a_past_deadline_plays_the_most_material_without_a_draw(void **state) {
    (void)state;
    asking ask = asking_new();
    hz_bot bot = monte_carlo(4, 3);
    hz_deadline past = {.at_ns = 0};
    ref_random random = ref_random_from_seed(test_seed() + 1);
    for (size_t i = 0, n = test_effort(80); i < n; i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_played(&random, REF_ROLLED, dfen);
        const hz_bot_answer *answer = asking_choose(&ask, &bot, dfen, 1, &past);
        check_answer(dfen, &ask.position, answer);
        test_same_number(dfen, "draws", 0, ask.random.counter);
        if (answer->pass || answer->turn.took_king) {
            continue;
        }
        hz_result_list list;
        assert_int_equal(hz_results_list(&ask.position, NULL, &ask.arena, &list, NULL), HZ_OK);
        size_t first = 0;
        hz_color mover = (hz_color)ask.position.side;
        for (size_t r = 1; r < list.count; r++) {
            if (hz_evaluate_material(&list.results[r].after, mover) >
                hz_evaluate_material(&list.results[first].after, mover)) {
                first = r;
            }
        }
        char expected[HZ_TURN_CAPACITY], actual[HZ_TURN_CAPACITY];
        hz_turn_to_text(&list.results[first].turn, expected);
        hz_turn_to_text(&answer->turn, actual);
        test_same_text(dfen, "turn", expected, actual);
        test_same_number(dfen, "score", hz_evaluate_material(&list.results[first].after, mover),
                         answer->score);
    }
    hz_bot_close(&bot);
    asking_free(&ask);
}

/* A clock that only moves when it is looked at. */
static uint64_t ticking(void *state) {
    uint64_t *now = state;
    return ++*now;
}

static void the_time_is_shared_by_the_sixteen_best_by_material(void **state) {
    (void)state;
    /*
     * Time passes by one per look. A candidate's slice begins with one look; each of its rollouts
     * ends with another. Done by hand with a count of looks the numbers must come out equal.
     */
    const char *dfen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 NNB";
    asking ask = asking_new();
    hz_bot bot = monte_carlo(1, 2); /* the rollouts of the budget are ignored */
    uint64_t now = 0;
    hz_deadline deadline = {.at_ns = 200, .now = ticking, .now_state = &now};
    const hz_bot_answer *answer = asking_choose(&ask, &bot, dfen, 4, &deadline);
    check_answer(dfen, &ask.position, answer);
    assert_int_equal(answer->tie_count, 1);
    assert_int_equal(now, 200);

    hz_arena plies = {0};
    hz_result_list list;
    assert_int_equal(hz_results_list(&ask.position, NULL, &ask.arena, &list, NULL), HZ_OK);
    assert_true(list.count <= 16); /* equal material: list order stands */
    hz_random stream = hz_random_from_seed(4);
    uint64_t clock = 0;
    double best = -1;
    size_t best_index = 0;
    for (size_t i = 0; i < list.count; i++) {
        uint64_t start = ++clock, end = start + (200 - start) / (list.count - i);
        uint32_t rollouts = (uint32_t)(end - start > 1 ? end - start : 1);
        hz_equity_config config = {.rollouts = rollouts, .max_plies = 2};
        hz_equity equity;
        assert_int_equal(hz_equity_estimate(&list.results[i].after, &config, &stream, NULL, &plies,
                                            &equity, NULL),
                         HZ_OK);
        clock += rollouts;
        if (equity.white_win > best) {
            best = equity.white_win;
            best_index = i;
        }
    }
    assert_int_equal(answer->score, floor(1000000 * best + 0.5));
    assert_memory_equal(&answer->turn, &list.results[best_index].turn, sizeof answer->turn);
    assert_int_equal(ask.random.counter, stream.counter);
    hz_arena_fini(&plies);
    hz_bot_close(&bot);
    asking_free(&ask);
}

static int by_size_descending(const void *a, const void *b) {
    int32_t left = *(const int32_t *)a, right = *(const int32_t *)b;
    return (left < right) - (left > right);
}

static void only_the_sixteen_best_by_material_are_estimated(void **state) {
    (void)state;
    asking ask = asking_new();
    hz_bot bot = monte_carlo(1, 1);
    ref_random random = ref_random_from_seed(test_seed() + 2);
    for (size_t tried = 0, n = test_effort(40); tried < n;) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_played(&random, REF_ROLLED, dfen);
        hz_position position = test_position(dfen);
        hz_color mover = (hz_color)position.side;
        hz_result_list list;
        hz_arena lists = {0};
        assert_int_equal(hz_results_list(&position, NULL, &lists, &list, NULL), HZ_OK);
        if (list.count > 16 && list.winning < 0) {
            int32_t *material = hz_arena_alloc(&lists, list.count * sizeof *material);
            assert_non_null(material);
            for (size_t r = 0; r < list.count; r++) {
                material[r] = hz_evaluate_material(&list.results[r].after, mover);
            }
            qsort(material, list.count, sizeof *material, by_size_descending);
            int32_t least = material[15];
            if (material[list.count - 1] < least) {
                /* Ample time: every candidate is estimated, the 16th as well. */
                uint64_t now = 0;
                hz_deadline deadline = {.at_ns = 100, .now = ticking, .now_state = &now};
                const hz_bot_answer *answer = asking_choose(&ask, &bot, dfen, tried, &deadline);
                check_answer(dfen, &ask.position, answer);
                test_true(dfen, "material", hz_evaluate_material(&answer->after, mover) >= least);
                tried++;
            }
        }
        hz_arena_fini(&lists);
    }
    hz_bot_close(&bot);
    asking_free(&ask);
}

static void a_real_budget_answers_a_legal_turn_in_time(void **state) {
    (void)state;
    asking ask = asking_new();
    hz_bot bot = monte_carlo(4, 3);
    hz_deadline deadline = hz_deadline_in_ms(30);
    const hz_bot_answer *answer = asking_choose(&ask, &bot, DUEL, 1, &deadline);
    check_answer(DUEL, &ask.position, answer);
    assert_true(answer->score < HZ_SCORE_WIN && answer->score >= 0);
    hz_bot_close(&bot);
    asking_free(&ask);
}

static void a_raised_flag_ends_the_thinking_with_a_legal_turn(void **state) {
    (void)state;
    asking ask = asking_new();
    hz_bot bot = monte_carlo(1000000, 1000); /* would take hours */
    hz_cancel cancel = {.requested = 1};
    hz_deadline untimed = hz_deadline_none(), timed = {.at_ns = HZ_NO_DEADLINE - 1};
    untimed.cancel = timed.cancel = &cancel;
    check_answer(DUEL, &ask.position, asking_choose(&ask, &bot, DUEL, 1, &untimed));
    check_answer(DUEL, &ask.position, asking_choose(&ask, &bot, DUEL, 1, &timed));
    assert_int_equal(ask.random.counter, 0);
    hz_bot_close(&bot);
    asking_free(&ask);
}

static void boards_without_a_king_are_answered(void **state) {
    (void)state;
    asking ask = asking_new();
    hz_bot bot = monte_carlo(2, 3);
    const char *dfen = "8/8/8/2n1q3/3P4/8/8/K7 w - - 0 1 P"; /* Black has none: won */
    const hz_bot_answer *answer = asking_choose(&ask, &bot, dfen, 1, NULL);
    check_answer(dfen, &ask.position, answer);
    assert_int_equal(answer->score, 1000000);
    dfen = "8/8/8/2n1q3/3P4/8/8/8 w - - 0 1 P";
    assert_int_equal(asking_choose(&ask, &bot, dfen, 1, NULL)->score, 0);
    hz_bot_close(&bot);
    asking_free(&ask);
}

static void budgets_outside_their_range_are_refused(void **state) {
    (void)state;
    hz_bot bot = {0};
    hz_error err;
    static const hz_monte_carlo_config bad[] = {{0, 3}, {1000001, 3}, {4, 1000001}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(hz_bot_monte_carlo(&bad[i], &bot, &err), HZ_INVALID_ARGUMENT);
        assert_null(bot.info);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seeded_decision_is_the_stated_one),
        cmocka_unit_test(untimed_scores_are_equities_of_the_results_in_list_order),
        cmocka_unit_test(a_past_deadline_plays_the_most_material_without_a_draw),
        cmocka_unit_test(the_time_is_shared_by_the_sixteen_best_by_material),
        cmocka_unit_test(only_the_sixteen_best_by_material_are_estimated),
        cmocka_unit_test(a_real_budget_answers_a_legal_turn_in_time),
        cmocka_unit_test(a_raised_flag_ends_the_thinking_with_a_legal_turn),
        cmocka_unit_test(boards_without_a_king_are_answered),
        cmocka_unit_test(budgets_outside_their_range_are_refused),
    };
    return cmocka_run_group_tests_name("bots monte-carlo", tests, NULL, NULL);
}
