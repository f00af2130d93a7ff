/* SPDX-License-Identifier: MIT */
/*
 * Bots that look at their own turn: stated choices, picks from seeded streams, and a twin that
 * lists the results with the slow oracle and scores them square by square.
 */
#include "bots/asking.h"

#include <stdio.h>
#include <stdlib.h>

#include "ref/ref_features.h"
#include "ref/ref_random.h"

static bool word_in(const char *words, const char *word) {
    size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)); at++) {
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0')) {
            return true;
        }
    }
    return false;
}

/* ---- facts ---- */

static void check_choice(asking *ask, const char *bot_text, const char *const *f) {
    const char *dfen = f[1], *relation = f[3];
    hz_bot bot = asking_open(ask, bot_text);
    const hz_bot_answer *answer = asking_choose(ask, &bot, dfen, 7, NULL);
    check_answer(dfen, &ask->position, answer);
    if (strcmp(f[2], "?") != 0) {
        test_same_number(dfen, bot_text, (uint64_t)strtoll(f[2], NULL, 10), answer->score);
    }
    test_text ties = {0};
    turns_text(&ties, answer->ties, answer->tie_count);
    if (strcmp(relation, "pass") == 0) {
        test_true(dfen, bot_text, answer->pass);
    } else if (strcmp(relation, "count") == 0) {
        test_same_number(dfen, bot_text, test_number(f[4]), answer->tie_count);
    } else if (strcmp(relation, "ties") == 0) {
        test_same_text(dfen, bot_text, f[4], test_text_get(&ties));
    } else if (strcmp(relation, "among") == 0 || strcmp(relation, "never") == 0) {
        bool wanted = relation[0] == 'a';
        test_true(dfen, "some tie", answer->tie_count > 0);
        for (size_t i = 0; i < answer->tie_count; i++) {
            char turn[HZ_TURN_CAPACITY];
            hz_turn_to_text(&answer->ties[i], turn);
            test_true(dfen, bot_text, word_in(f[4], turn) == wanted);
        }
    } else {
        fail_msg("%s: unknown relation %s", dfen, relation);
    }
    test_text_free(&ties);
    hz_bot_close(&bot);
}

static void stated_choices_are_made(void **state) {
    (void)state;
    test_table table = test_table_load("bots_choices.tsv", 5);
    asking ask = asking_new();
    for (size_t i = 0; i < table.count; i++) {
        const char *const *f = table.rows[i].field;
        char bots[256];
        snprintf(bots, sizeof bots, "%s", f[0]);
        for (char *bot = bots; bot;) {
            char *blank = strchr(bot, ' ');
            if (blank) {
                *blank = '\0';
            }
            check_choice(&ask, bot, f);
            bot = blank ? blank + 1 : NULL;
        }
    }
    asking_free(&ask);
    test_table_free(&table);
}

static void seeded_streams_pick_the_stated_turn(void **state) {
    (void)state;
    test_table table = test_table_load("bots_picks.tsv", 4);
    asking ask = asking_new();
    for (size_t i = 0; i < table.count; i++) {
        const char *const *f = table.rows[i].field;
        hz_bot bot = asking_open(&ask, f[0]);
        const hz_bot_answer *answer = asking_choose(&ask, &bot, f[1], test_number(f[2]), NULL);
        char turn[HZ_TURN_CAPACITY];
        hz_turn_to_text(&answer->turn, turn);
        test_same_text(f[1], f[0], f[3], turn);
        test_same_number(f[1], "draws", answer->tie_count > 1, ask.random.counter);
        hz_bot_close(&bot);
    }
    asking_free(&ask);
    test_table_free(&table);
}

static void random_is_the_only_one_that_may_decline_a_king(void **state) {
    (void)state;
    /* Ten results: the capture and nine quiet rook moves. */
    const char *dfen = "k7/8/8/8/8/8/8/R3K3 w - - 0 1 PPR";
    asking ask = asking_new();
    hz_bot bot = asking_open(&ask, "random");
    bool declined = false, took = false;
    for (uint64_t seed = 0; seed < 400; seed++) {
        const hz_bot_answer *answer = asking_choose(&ask, &bot, dfen, seed, NULL);
        check_answer(dfen, &ask.position, answer);
        assert_int_equal(answer->tie_count, answer->results);
        declined |= !answer->turn.took_king;
        took |= answer->turn.took_king;
        if (!answer->turn.took_king) {
            assert_int_equal(answer->score, hz_evaluate_material(&answer->after, HZ_WHITE));
        }
    }
    assert_true(declined && took);
    asking_free(&ask);
}

/* ---- the stream ---- */

static void an_answer_names_the_stream_it_can_be_repeated_with(void **state) {
    (void)state;
    const char *dfen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PNN";
    asking ask = asking_new();
    hz_bot bot = asking_open(&ask, "random");
    hz_random stream = {.seed = 5, .counter = 1000};
    hz_position position = test_position(dfen);
    hz_bot_answer first, again;
    hz_bot_request request = {.position = &position, .random = &stream, .arena = &ask.arena};
    assert_int_equal(hz_bot_choose(&bot, &request, &first, NULL), HZ_OK);
    assert_true(first.seed == 5 && first.counter == 1000 && stream.counter == 1001);
    hz_random repeat = {.seed = first.seed, .counter = first.counter};
    request.random = &repeat;
    assert_int_equal(hz_bot_choose(&bot, &request, &again, NULL), HZ_OK);
    assert_memory_equal(&first.turn, &again.turn, sizeof first.turn);
    hz_bot_close(&bot);
    asking_free(&ask);
}

static void a_pass_and_a_win_draw_nothing_but_report_the_stream(void **state) {
    (void)state;
    asking ask = asking_new();
    static const char *const bots[] = {"checkmate-aware", "greedy", "greedy-v2", "aggressive",
                                       "monte-carlo:rollouts=1"};
    for (size_t i = 0; i < sizeof bots / sizeof *bots; i++) {
        hz_bot bot = asking_open(&ask, bots[i]);
        const hz_bot_answer *answer =
            asking_choose(&ask, &bot, "k7/8/8/8/8/8/8/R6R w - - 0 1 RR", 99, NULL);
        assert_true(answer->turn.took_king && answer->score == HZ_SCORE_WIN);
        assert_int_equal(ask.random.counter, 0);
        assert_int_equal(answer->tie_count, 1);
        answer = asking_choose(&ask, &bot, "4k3/8/8/8/8/8/8/4K3 w - - 0 1 PPP", 99, NULL);
        assert_true(answer->pass && answer->seed == 99 && answer->counter == 0);
        assert_int_equal(ask.random.counter, 0);
        hz_bot_close(&bot);
    }
    asking_free(&ask);
}

/* ---- requests ---- */

static void a_question_before_the_roll_is_refused(void **state) {
    (void)state;
    asking ask = asking_new();
    hz_position position = test_position(HZ_START_DFEN);
    hz_random random = hz_random_from_seed(1);
    hz_bot bot = asking_open(&ask, "greedy");
    hz_bot_answer answer;
    hz_bot_request request = {.position = &position, .random = &random, .arena = &ask.arena};
    assert_int_equal(hz_bot_choose(&bot, &request, &answer, &ask.err), HZ_INVALID_ARGUMENT);
    assert_non_null(strstr(ask.err.message, "dice"));
    hz_position_set_pool(&position, hz_pool_from_faces(1, 2, 3));
    request.random = NULL;
    assert_int_equal(hz_bot_choose(&bot, &request, &answer, NULL), HZ_INVALID_ARGUMENT);
    request.random = &random;
    request.arena = NULL;
    assert_int_equal(hz_bot_choose(&bot, &request, &answer, NULL), HZ_INVALID_ARGUMENT);
    asking_free(&ask);
}

static void an_exhausted_arena_is_an_error_at_every_limit(void **state) {
    (void)state;
    const char *dfen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PPR";
    static const char *const bots[] = {"random", "checkmate-aware", "greedy",
                                       "monte-carlo:rollouts=1,plies=1"};
    const size_t most = (size_t)16 << 20;
    asking ask = asking_new();
    hz_position position = test_position(dfen);
    for (size_t i = 0; i < sizeof bots / sizeof *bots; i++) {
        hz_bot bot = asking_open(&ask, bots[i]);
        int refused = 0;
        size_t limit = 64;
        for (; limit < most; limit += limit / 8) {
            hz_arena tiny;
            hz_random random = hz_random_from_seed(1);
            hz_bot_answer answer;
            hz_arena_init(&tiny, limit);
            hz_bot_request request = {.position = &position, .random = &random, .arena = &tiny};
            hz_status status = hz_bot_choose(&bot, &request, &answer, &ask.err);
            bool enough = status == HZ_OK;
            if (enough) {
                check_answer(dfen, &position, &answer);
            } else {
                assert_int_equal(status, HZ_NO_MEMORY);
                assert_int_equal(ask.err.code, HZ_NO_MEMORY);
                refused++;
            }
            hz_arena_fini(&tiny);
            if (enough) {
                break;
            }
        }
        assert_true(refused > 0);
        assert_true(limit < most);
        hz_bot_close(&bot);
    }
    asking_free(&ask);
}

static void one_turn_bots_ignore_the_deadline(void **state) {
    (void)state;
    hz_deadline past = {.at_ns = 0};
    hz_cancel cancel = {.requested = 1};
    past.cancel = &cancel;
    const char *dfen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1 pnb";
    asking ask = asking_new();
    static const char *const bots[] = {"random", "checkmate-aware", "greedy", "greedy-v2",
                                       "aggressive"};
    for (size_t i = 0; i < sizeof bots / sizeof *bots; i++) {
        hz_bot bot = asking_open(&ask, bots[i]);
        hz_bot_answer untimed = *asking_choose(&ask, &bot, dfen, 3, NULL);
        const hz_bot_answer *timed = asking_choose(&ask, &bot, dfen, 3, &past);
        assert_memory_equal(&untimed.turn, &timed->turn, sizeof untimed.turn);
        assert_int_equal(untimed.tie_count, timed->tie_count);
        check_answer(dfen, &ask.position, timed);
    }
    asking_free(&ask);
}

/* ---- the slow twin ---- */

static int slow_value(const char *id, const ref_position *after, char mover) {
    return strcmp(id, "greedy") == 0       ? ref_score_material(after, mover)
           : strcmp(id, "greedy-v2") == 0  ? ref_score_standard(after, mover)
           : strcmp(id, "aggressive") == 0 ? ref_score_aggressive(after, mover)
           : strcmp(id, "random") == 0     ? 0
                                           : ref_score_king_safety(after, mover) == 0;
}

static void compare_with_twin(asking *ask, const char *dfen, uint64_t seed) {
    ref_position position;
    ref_turns turns;
    ref_results results;
    assert_true(ref_from_dfen(&position, dfen));
    if (!ref_dice_count(&position) || !ref_legal_turns(&position, 60000, &turns)) {
        return; /* no roll, or too much for the slow oracle */
    }
    ref_results_of(&position, &turns, &results);
    size_t winning = results.count;
    for (size_t i = 0; i < results.count; i++) {
        winning = results.result[i].king ? i : winning;
    }
    ref_position *after = calloc(results.count + 1, sizeof *after);
    size_t *ties = calloc(results.count + 1, sizeof *ties);
    assert_non_null(after);
    assert_non_null(ties);
    for (size_t i = 0; i < results.count; i++) {
        assert_true(ref_from_dfen(&after[i], results.result[i].after));
    }
    static const char *const bots[] = {"random", "checkmate-aware", "greedy", "greedy-v2",
                                       "aggressive"};
    test_text expected = {0}, actual = {0};
    for (size_t b = 0; b < sizeof bots / sizeof *bots; b++) {
        hz_bot bot = asking_open(ask, bots[b]);
        const hz_bot_answer *answer = asking_choose(ask, &bot, dfen, seed, NULL);
        bool is_random = strcmp(bots[b], "random") == 0;
        test_same_number(dfen, "results", results.count, answer->results);
        test_true(dfen, "pass", answer->pass == (results.count == 0));
        int best = INT32_MIN;
        size_t tie_count = 0;
        for (size_t i = 0; i < results.count; i++) {
            int value = winning == results.count || is_random
                            ? slow_value(bots[b], &after[i], position.side)
                            : i == winning;
            if (value > best) {
                best = value;
                tie_count = 0;
            }
            if (value == best) {
                ties[tie_count++] = i;
            }
        }
        test_text_clear(&expected);
        for (size_t i = 0; i < tie_count; i++) {
            test_text_word(&expected, results.result[ties[i]].turn);
        }
        turns_text(&actual, answer->ties, answer->tie_count);
        test_same_text(dfen, bots[b], test_text_get(&expected), test_text_get(&actual));
        if (results.count) {
            hz_random stream = hz_random_from_seed(seed);
            size_t picked = tie_count > 1 ? hz_random_draw(&stream, (uint32_t)tie_count) : 0;
            const ref_result *chosen = &results.result[ties[picked]];
            char turn[HZ_TURN_CAPACITY], text[HZ_DFEN_CAPACITY];
            hz_turn_to_text(&answer->turn, turn);
            test_same_text(dfen, bots[b], chosen->turn, turn);
            test_same_text(dfen, bots[b], chosen->after, test_dfen(&answer->after, text));
            test_same_number(dfen, "draws", stream.counter, ask->random.counter);
            int64_t score = chosen->king ? INT32_MAX
                            : is_random  ? ref_score_material(&after[ties[picked]], position.side)
                            : strcmp(bots[b], "checkmate-aware") == 0 ? 0
                                                                      : best;
            test_same_number(dfen, bots[b], score, answer->score);
        }
        hz_bot_close(&bot);
    }
    test_text_free(&expected);
    test_text_free(&actual);
    free(after);
    free(ties);
    ref_results_free(&results);
    ref_turns_free(&turns);
}

static void played_positions_agree_with_the_slow_twin(void **state) {
    (void)state;
    asking ask = asking_new();
    ref_random random = ref_random_from_seed(test_seed());
    for (size_t i = 0, n = test_effort(60); i < n; i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_played(&random, i % 4 ? REF_ROLLED : REF_ANY_MOMENT, dfen);
        compare_with_twin(&ask, dfen, ref_random_next(&random));
    }
    asking_free(&ask);
}

static void made_up_positions_agree_with_the_slow_twin(void **state) {
    (void)state;
    asking ask = asking_new();
    ref_random random = ref_random_from_seed(test_seed() + 1);
    for (size_t i = 0, n = test_effort(100); i < n; i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_placed(&random, (ref_style)(i % REF_STYLES), dfen);
        compare_with_twin(&ask, dfen, ref_random_next(&random));
    }
    asking_free(&ask);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stated_choices_are_made),
        cmocka_unit_test(seeded_streams_pick_the_stated_turn),
        cmocka_unit_test(random_is_the_only_one_that_may_decline_a_king),
        cmocka_unit_test(an_answer_names_the_stream_it_can_be_repeated_with),
        cmocka_unit_test(a_pass_and_a_win_draw_nothing_but_report_the_stream),
        cmocka_unit_test(a_question_before_the_roll_is_refused),
        cmocka_unit_test(an_exhausted_arena_is_an_error_at_every_limit),
        cmocka_unit_test(one_turn_bots_ignore_the_deadline),
        cmocka_unit_test(played_positions_agree_with_the_slow_twin),
        cmocka_unit_test(made_up_positions_agree_with_the_slow_twin),
    };
    return cmocka_run_group_tests_name("bots one turn", tests, NULL, NULL);
}
