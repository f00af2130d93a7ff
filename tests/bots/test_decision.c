/* SPDX-License-Identifier: MIT */
/* Double and draw decisions: stated answers, the thresholds, whom a question is about. */
#include "bots/asking.h"

#include <math.h>

#include "ref/ref_features.h"
#include "ref/ref_random.h"

static const char *const question_names[] = {[HZ_OFFER_DOUBLE] = "offer_double",
                                             [HZ_TAKE_DOUBLE] = "take_double",
                                             [HZ_OFFER_DRAW] = "offer_draw",
                                             [HZ_ACCEPT_DRAW] = "accept_draw"};

static bool decide(asking *ask, const hz_bot *bot, hz_decision question, const char *dfen,
                   hz_color responder, uint64_t seed) {
    hz_position position = test_position(dfen);
    bool yes = false;
    ask->random = hz_random_from_seed(seed);
    if (hz_bot_decide(bot, question, &position, responder, &ask->random, &yes, &ask->err) !=
        HZ_OK) {
        fail_msg("%s at %s: %s", bot->info->id, dfen, ask->err.message);
    }
    return yes;
}

static void stated_decisions_are_made(void **state) {
    (void)state;
    test_table table = test_table_load("bots_decisions.tsv", 5);
    asking ask = asking_new();
    for (size_t i = 0; i < table.count; i++) {
        const char *const *f = table.rows[i].field;
        hz_bot bot = asking_open(&ask, f[0]);
        int question = 0;
        while (question < 4 && strcmp(question_names[question], f[2]) != 0) {
            question++;
        }
        assert_true(question < 4);
        bool yes = decide(&ask, &bot, (hz_decision)question, f[1],
                          f[3][0] == 'w' ? HZ_WHITE : HZ_BLACK, 1);
        test_same_text(f[1], f[2], f[4], yes ? "yes" : "no");
        hz_bot_close(&bot);
    }
    asking_free(&ask);
    test_table_free(&table);
}

/* ---- random ---- */

static void random_answers_by_one_draw_of_a_hundred(void **state) {
    (void)state;
    static const uint32_t percent[] = {15, 50, 5, 20};
    asking ask = asking_new();
    hz_bot bot = asking_open(&ask, "random");
    int said[4][2] = {{0}};
    for (uint64_t seed = 0; seed < 500; seed++) {
        for (int q = 0; q < 4; q++) {
            hz_random stream = hz_random_from_seed(seed);
            bool expected = hz_random_draw(&stream, 100) < percent[q];
            /* The position does not matter. */
            const char *dfen = seed % 2 ? "k7/8/8/8/8/8/8/K6Q w - - 0 1" : HZ_START_DFEN;
            bool yes = decide(&ask, &bot, (hz_decision)q, dfen, HZ_WHITE, seed);
            test_same_number(question_names[q], "answer", expected, yes);
            test_same_number(question_names[q], "draws", 1, ask.random.counter);
            said[q][yes]++;
        }
    }
    for (int q = 0; q < 4; q++) {
        assert_true(said[q][0] > 0 && said[q][1] > 0);
    }
    asking_free(&ask);
}

/* ---- thresholds against a policy written down a second time ---- */

static bool slow_policy(const char *id, hz_decision question, const ref_position *p,
                        char responder) {
    double mover_win = 1 / (1 + exp(-ref_score_standard(p, p->side) / 400.0));
    double responder_win = 1 / (1 + exp(-ref_score_standard(p, responder) / 400.0));
    int score = ref_score_standard(p, p->side);
    bool cautious = strcmp(id, "greedy-v2") == 0, aggressive = strcmp(id, "aggressive") == 0;
    if (question == HZ_OFFER_DOUBLE) {
        return cautious ? mover_win > 0.70 : aggressive ? mover_win > 0.55 : false;
    }
    if (question == HZ_TAKE_DOUBLE) {
        return responder_win > (cautious ? 0.35 : aggressive ? 0.22 : 0.25);
    }
    if (question == HZ_OFFER_DRAW) {
        return cautious && p->fullmove > 30 && score < 50 && score > -50;
    }
    return cautious && score < -100;
}

static void static_policies_agree_with_the_table(void **state) {
    (void)state;
    static const char *const bots[] = {"checkmate-aware", "greedy", "greedy-v2", "aggressive"};
    asking ask = asking_new();
    ref_random random = ref_random_from_seed(test_seed());
    int said[2] = {0};
    for (size_t i = 0, n = test_effort(600); i < n; i++) {
        char dfen[REF_DFEN_CAPACITY];
        if (i % 2) {
            ref_random_placed(&random, i % 4 == 1 ? REF_SPARSE : REF_MIDDLE, dfen);
        } else {
            ref_random_played(&random, REF_BEFORE_ROLL, dfen);
        }
        ref_position position;
        assert_true(ref_from_dfen(&position, dfen));
        for (size_t b = 0; b < sizeof bots / sizeof *bots; b++) {
            hz_bot bot = asking_open(&ask, bots[b]);
            for (int q = 0; q < 4; q++) {
                for (int responder = 0; responder < 2; responder++) {
                    bool expected =
                        slow_policy(bots[b], (hz_decision)q, &position, "wb"[responder]);
                    bool yes = decide(&ask, &bot, (hz_decision)q, dfen, (hz_color)responder, 1);
                    test_true(dfen, bots[b], yes == expected);
                    test_same_number(dfen, "draws", 0, ask.random.counter);
                    said[yes]++;
                }
            }
            hz_bot_close(&bot);
        }
    }
    test_met(said[0] > 0 && said[1] > 0);
    asking_free(&ask);
}

/* ---- Monte-Carlo ---- */

static void monte_carlo_doubles_on_simulated_equity(void **state) {
    (void)state;
    /* A queen against bare kings, and the same with colours swapped and the other side to move. */
    static const char *const boards[] = {"k7/8/8/8/8/8/8/K6Q w - - 0 1",
                                         "k7/8/8/8/8/8/8/K6Q b - - 0 1",
                                         "4k3/2N5/8/8/8/8/2n5/4K3 w - - 0 1"};
    asking ask = asking_new();
    hz_monte_carlo_config config = {.rollouts = 30, .max_plies = 12};
    hz_bot bot;
    assert_int_equal(hz_bot_monte_carlo(&config, &bot, NULL), HZ_OK);
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++) {
        for (uint64_t seed = 0; seed < 4; seed++) {
            hz_position position = test_position(boards[i]);
            hz_equity_config budget = hz_equity_config_default();
            budget.rollouts = config.rollouts;
            budget.max_plies = config.max_plies;
            hz_random stream = hz_random_from_seed(seed);
            hz_equity equity;
            hz_arena_reset(&ask.arena);
            assert_int_equal(
                hz_equity_estimate(&position, &budget, &stream, NULL, &ask.arena, &equity, NULL),
                HZ_OK);
            double mass[2] = {equity.white_win, equity.black_win};
            test_true(boards[i], "offer",
                      decide(&ask, &bot, HZ_OFFER_DOUBLE, boards[i], HZ_WHITE, seed) ==
                          (mass[position.side] > 0.65));
            test_same_number(boards[i], "draws", stream.counter, ask.random.counter);
            for (int responder = 0; responder < 2; responder++) {
                test_true(boards[i], "take",
                          decide(&ask, &bot, HZ_TAKE_DOUBLE, boards[i], (hz_color)responder,
                                 seed) == (mass[responder] > 0.30));
            }
        }
    }
    hz_bot_close(&bot);
    asking_free(&ask);
}

static void draws_look_at_dead_material_without_drawing_numbers(void **state) {
    (void)state;
    asking ask = asking_new();
    hz_bot bot = asking_open(&ask, "monte-carlo");
    ref_random random = ref_random_from_seed(test_seed() + 2);
    for (size_t i = 0, n = test_effort(400); i < n; i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_position position;
        ref_random_placed(&random, i % 3 ? REF_SPARSE : REF_KINGLESS, dfen);
        assert_true(ref_from_dfen(&position, dfen));
        bool dead = ref_dead_draw(&position);
        int score = ref_score_standard(&position, position.side);
        test_true(dfen, "offer", decide(&ask, &bot, HZ_OFFER_DRAW, dfen, HZ_WHITE, 1) == dead);
        test_true(dfen, "accept",
                  decide(&ask, &bot, HZ_ACCEPT_DRAW, dfen, HZ_BLACK, 1) == (dead || score < -200));
        test_same_number(dfen, "draws", 0, ask.random.counter);
    }
    hz_bot_close(&bot);
    asking_free(&ask);
}

/* ---- the default policy and bad questions ---- */

static void a_bot_without_a_policy_gets_the_default_one(void **state) {
    (void)state;
    asking ask = asking_new();
    counting c = {.yes = true};
    hz_bot bot = counting_bot(&c, "own", 3);
    assert_true(decide(&ask, &bot, HZ_OFFER_DOUBLE, HZ_START_DFEN, HZ_WHITE, 1));
    bot.decide = NULL;
    assert_false(decide(&ask, &bot, HZ_OFFER_DOUBLE, HZ_START_DFEN, HZ_WHITE, 1));
    assert_true(decide(&ask, &bot, HZ_TAKE_DOUBLE, HZ_START_DFEN, HZ_BLACK, 1));
    assert_false(decide(&ask, &bot, HZ_OFFER_DRAW, HZ_START_DFEN, HZ_WHITE, 1));
    assert_false(decide(&ask, &bot, HZ_ACCEPT_DRAW, HZ_START_DFEN, HZ_WHITE, 1));
    assert_int_equal(c.decided, 1);
    asking_free(&ask);
}

static void a_question_that_does_not_exist_is_refused(void **state) {
    (void)state;
    asking ask = asking_new();
    hz_bot bot = asking_open(&ask, "greedy-v2");
    hz_position position = test_position(HZ_START_DFEN);
    bool yes;
    assert_int_equal(
        hz_bot_decide(&bot, (hz_decision)4, &position, HZ_WHITE, &ask.random, &yes, &ask.err),
        HZ_INVALID_ARGUMENT);
    assert_int_equal(hz_bot_decide(&bot, HZ_OFFER_DRAW, &position, HZ_WHITE, NULL, &yes, &ask.err),
                     HZ_INVALID_ARGUMENT);
    asking_free(&ask);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stated_decisions_are_made),
        cmocka_unit_test(random_answers_by_one_draw_of_a_hundred),
        cmocka_unit_test(static_policies_agree_with_the_table),
        cmocka_unit_test(monte_carlo_doubles_on_simulated_equity),
        cmocka_unit_test(draws_look_at_dead_material_without_drawing_numbers),
        cmocka_unit_test(a_bot_without_a_policy_gets_the_default_one),
        cmocka_unit_test(a_question_that_does_not_exist_is_refused),
    };
    return cmocka_run_group_tests_name("bots decisions", tests, NULL, NULL);
}
