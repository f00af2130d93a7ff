/* SPDX-License-Identifier: MIT */
/* The expectimax bot: the search's answer as a bot's, its evaluator, its options, behind a book. */
#include "bots/asking.h"

#include "ref/ref_random.h"

#include <stdio.h>
#include <stdlib.h>

static const char fixture[] = "7k/8/8/b7/8/8/5P2/4K3 w - - 0 1 NBK";
static const char king_to_take[] = "4k3/8/3N4/8/B7/8/8/4K3 w - - 0 1 NBQ";
static const char no_turn[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 BRQ";

static asking asking_searchers(void) {
    asking ask = asking_new();
    assert_int_equal(hz_registry_register_kinds(ask.registry, NULL), HZ_OK);
    return ask;
}

static void answers_as_the_published_example(void **state) {
    (void)state;
    asking ask = asking_searchers();
    hz_bot bot = asking_open(&ask, "expectimax:eval=material,limit=8");
    const hz_bot_answer *answer = asking_choose(&ask, &bot, fixture, 3, NULL);
    test_text ties = {0};
    turns_text(&ties, answer->ties, answer->tie_count);
    assert_string_equal(test_text_get(&ties), "e1d1 e1e2 e1f1");
    test_text_free(&ties);
    assert_int_equal(answer->score, -207);
    const hz_expectimax_answer *search = answer->search;
    assert_int_equal(search->denominator, 216);
    assert_int_equal(search->candidates[0].sum, -44800);
    assert_int_equal(search->stats.candidates_completed, 3);
    assert_int_equal(search->stats.cutoffs, 1);
    assert_int_equal(search->stats.rolls_saved, 56);
    assert_int_equal(search->stats.probe_cutoffs, 1);
    hz_bot_close(&bot);
    asking_free(&ask);
}

static void a_pass_and_a_won_turn_are_recorded_as_such(void **state) {
    (void)state;
    asking ask = asking_searchers();
    hz_bot bot = asking_open(&ask, "expectimax");
    const hz_bot_answer *answer = asking_choose(&ask, &bot, no_turn, 1, NULL);
    check_answer(no_turn, &ask.position, answer);
    assert_true(answer->pass);
    assert_int_equal(answer->search->stats.legal_results, 0);
    answer = asking_choose(&ask, &bot, king_to_take, 1, NULL);
    check_answer(king_to_take, &ask.position, answer);
    assert_int_equal(answer->score, HZ_SCORE_WIN);
    assert_int_equal(answer->search->stats.legal_results, 42);
    assert_int_equal(answer->search->stats.candidates_selected, 0);
    assert_int_equal(ask.random.counter, 0);
    hz_bot_close(&bot);
    asking_free(&ask);
}

static void a_past_deadline_still_answers_a_legal_turn(void **state) {
    (void)state;
    asking ask = asking_searchers();
    hz_bot bot = asking_open(&ask, "expectimax:depth=3");
    hz_deadline past = {.at_ns = 0};
    ref_random random = ref_random_from_seed(test_seed());
    for (size_t i = 0; i < test_effort(50); i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_played(&random, REF_ROLLED, dfen);
        const hz_bot_answer *answer = asking_choose(&ask, &bot, dfen, i, &past);
        check_answer(dfen, &ask.position, answer);
        test_true(dfen, "no draw", ask.random.counter == 0);
        if (!answer->pass && !answer->turn.took_king) {
            test_true(dfen, "fell back", hz_root_stats_fell_back(&answer->search->stats));
        }
    }
    hz_bot_close(&bot);
    asking_free(&ask);
}

static void settings_do_not_change_the_answer(void **state) {
    (void)state;
    static const char *const ways[] = {"limit=4", "limit=4,table=14", "limit=4,threads=3",
                                       "limit=4,nopruning=1", "limit=4,table=8,exactonly=1"};
    asking ask = asking_searchers();
    ref_random random = ref_random_from_seed(test_seed());
    hz_bot bots[5];
    for (size_t w = 0; w < 5; w++) {
        char text[64];
        snprintf(text, sizeof text, "expectimax:%s", ways[w]);
        bots[w] = asking_open(&ask, text);
    }
    for (size_t i = 0; i < test_effort(10); i++) {
        char dfen[REF_DFEN_CAPACITY], expected[100] = "";
        ref_random_played(&random, REF_ROLLED, dfen);
        for (size_t w = 0; w < 5; w++) {
            char turn[HZ_TURN_CAPACITY], got[100];
            const hz_bot_answer *answer = asking_choose(&ask, &bots[w], dfen, i, NULL);
            check_answer(dfen, &ask.position, answer);
            test_true(dfen, "no broken invariant",
                      hz_root_stats_check(&answer->search->stats, w == 1 || w == 4, false, false) ==
                          NULL);
            hz_turn_to_text(&answer->turn, turn);
            snprintf(got, sizeof got, "%s %d %zu", turn, (int)answer->score, answer->tie_count);
            if (w == 0) {
                test_copy(expected, sizeof expected, got);
            }
            test_same_text(dfen, ways[w], expected, got);
        }
    }
    for (size_t w = 0; w < 5; w++) {
        hz_bot_close(&bots[w]);
    }
    asking_free(&ask);
}

/* ---- the evaluator ---- */

typedef struct leaf {
    int closed, asked;
} leaf;

static hz_status leaf_score(void *state, const hz_position *positions, size_t n, hz_color color,
                            int32_t *scores) {
    leaf *l = state;
    l->asked++;
    for (size_t i = 0; i < n; i++) {
        scores[i] = hz_evaluate_material(&positions[i], color);
    }
    return HZ_OK;
}

static void leaf_close(void *state) {
    ((leaf *)state)->closed++;
}

static void the_evaluator_belongs_to_the_bot_once_it_is_made(void **state) {
    (void)state;
    leaf l = {0};
    hz_bot bot = {0};
    hz_error err;
    hz_bot_expectimax_config config = {
        .leaf = {.name = "leaf", .state = &l, .score_batch = leaf_score, .close = leaf_close},
        .search = hz_bot_search_default()};
    config.search.candidate_limit = 0;
    assert_int_equal(hz_bot_expectimax(&config, &bot, &err), HZ_INVALID_ARGUMENT);
    assert_int_equal(l.closed, 0);
    config.search.candidate_limit = 2;
    assert_int_equal(hz_bot_expectimax(&config, &bot, &err), HZ_OK);
    asking ask = asking_new();
    (void)asking_choose(&ask, &bot, fixture, 1, NULL);
    assert_true(l.asked > 0);
    hz_bot_close(&bot);
    assert_int_equal(l.closed, 1);
    asking_free(&ask);
}

static void bad_settings_are_refused(void **state) {
    (void)state;
    hz_bot_expectimax_config good = {.search = hz_bot_search_default()}, cases[6];
    for (int i = 0; i < 6; i++) {
        cases[i] = good;
    }
    cases[0].search.candidate_limit = -1;
    cases[1].search.search_depth = 1;
    cases[2].search.search_depth = 4;
    cases[3].search.table_entries = 1000;
    cases[4].search.threads = 0;
    cases[5].search.threads = 65;
    for (int i = 0; i < 6; i++) {
        hz_bot bot = {0};
        hz_error err;
        assert_int_equal(hz_bot_expectimax(&cases[i], &bot, &err), HZ_INVALID_ARGUMENT);
        assert_true(*err.message);
        assert_null(bot.choose);
    }
    hz_bot bot;
    assert_int_equal(hz_bot_expectimax(&good, &bot, NULL), HZ_OK);
    hz_bot_close(&bot);
}

static void seen(void *context, const hz_root_stats *stats) {
    *(hz_root_stats *)context = *stats;
}

static void the_sink_gets_the_record_of_the_answer(void **state) {
    (void)state;
    hz_root_stats record = {0};
    hz_bot bot;
    hz_bot_expectimax_config config = {.search = hz_bot_search_default()};
    config.search.sink = seen;
    config.search.sink_context = &record;
    assert_int_equal(hz_bot_expectimax(&config, &bot, NULL), HZ_OK);
    asking ask = asking_new();
    const hz_bot_answer *answer = asking_choose(&ask, &bot, fixture, 1, NULL);
    assert_int_equal(record.legal_results, answer->results);
    assert_int_equal(record.candidates_completed, answer->search->stats.candidates_completed);
    assert_true(record.candidates_completed > 0);
    hz_bot_close(&bot);
    asking_free(&ask);
}

/* ---- registry, book, decisions ---- */

static void kinds_follow_the_built_in_bots_with_their_options(void **state) {
    (void)state;
    static const struct {
        const char *id;
        int level;
        const char *options;
    } expected[] = {
        {"expectimax", 7, "limit depth table exactonly nopruning threads eval"},
        {"onnx-eval", 8, "model schema executor"},
        {"onnx-expectimax", 9,
         "limit depth table exactonly nopruning threads model schema executor collapse lossguard "
         "prerank prerankwithmodel chunk rescore weight"}};
    asking ask = asking_searchers();
    assert_int_equal(hz_registry_count(ask.registry), 9);
    for (size_t i = 0; i < 3; i++) {
        hz_bot_info info;
        hz_bot_option option;
        test_text names = {0};
        assert_true(hz_registry_info(ask.registry, 6 + i, &info));
        assert_string_equal(info.id, expected[i].id);
        assert_int_equal(info.level, expected[i].level);
        assert_true(info.experimental && info.timed);
        for (size_t o = 0; hz_registry_option(ask.registry, 6 + i, o, &option); o++) {
            test_text_word(&names, option.name);
            assert_true(*option.about);
        }
        assert_string_equal(test_text_get(&names), expected[i].options);
        test_text_free(&names);
    }
    hz_bot_option none;
    assert_false(hz_registry_option(ask.registry, 0, 0, &none));
    assert_false(hz_registry_option(ask.registry, 9, 0, &none));
    asking_free(&ask);
}

static void defaults_given_as_options_are_the_defaults(void **state) {
    (void)state;
    asking ask = asking_searchers();
    char text[400] = "expectimax";
    hz_bot_option option;
    for (size_t o = 0; hz_registry_option(ask.registry, 6, o, &option); o++) {
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s=%s", o ? "," : ":",
                 option.name, option.value);
    }
    hz_bot plain = asking_open(&ask, "expectimax"), given = asking_open(&ask, text);
    hz_turn turn = asking_choose(&ask, &plain, fixture, 5, NULL)->turn;
    const hz_bot_answer *answer = asking_choose(&ask, &given, fixture, 5, NULL);
    assert_memory_equal(&turn, &answer->turn, sizeof turn);
    hz_bot_close(&plain);
    hz_bot_close(&given);
    asking_free(&ask);
}

static void a_replaced_kind_is_opened_no_more(void **state) {
    (void)state;
    asking ask = asking_searchers();
    hz_registration *old, *current;
    const hz_bot_kind *kind = hz_bot_kind_at(0);
    assert_int_equal(hz_registry_register_kind(ask.registry, kind, &old, NULL), HZ_OK);
    static counting host;
    hz_bot bot = counting_bot(&host, "expectimax", 7), opened;
    assert_int_equal(hz_registry_register(ask.registry, &bot, &current, NULL), HZ_OK);
    hz_registration_close(old); /* stale: the newer entry stays */
    opened = asking_open(&ask, "expectimax");
    assert_string_equal(opened.info->display_name, "Counting");
    hz_bot_close(&opened);
    hz_registration_close(current);
    assert_int_equal(host.closed, 1);
    assert_int_equal(hz_registry_open(ask.registry, "expectimax", &opened, NULL), HZ_UNKNOWN_BOT);
    asking_free(&ask);
}

static void a_book_precedes_the_search(void **state) {
    (void)state;
    char line[300], key[HZ_DFEN_CAPACITY];
    hz_position position = test_position(fixture);
    hz_book *book;
    hz_bot bot;
    asking ask = asking_searchers();
    hz_position_book_key(&position, key, sizeof key);
    snprintf(line, sizeof line, "%s\te1d2\n", key);
    assert_int_equal(hz_book_parse(line, strlen(line), &book, NULL), HZ_OK);
    hz_bot base = asking_open(&ask, "expectimax");
    assert_int_equal(hz_bot_with_book("booked", NULL, book, &base, &bot, NULL), HZ_OK);
    assert_int_equal(bot.info->level, 7);
    assert_true(bot.info->timed);
    const hz_bot_answer *answer = asking_choose(&ask, &bot, fixture, 1, NULL);
    assert_true(answer->from_book);
    assert_null(answer->search);
    answer = asking_choose(&ask, &bot, "7k/8/8/b7/8/8/5P2/4K3 w - - 0 1 KKK", 1, NULL);
    assert_false(answer->from_book);
    assert_non_null(answer->search);
    hz_bot_judgement judgement;
    assert_true(hz_bot_judge(&bot, &judgement));
    assert_string_equal(judgement.name, "material");
    hz_bot_close(&bot);
    hz_book_free(book);
    asking_free(&ask);
}

static void decisions_are_the_default_ones(void **state) {
    (void)state;
    asking ask = asking_searchers();
    hz_bot bot = asking_open(&ask, "expectimax");
    hz_position lost = test_position("4k3/8/8/8/8/8/qqq5/4K3 w - - 0 1");
    for (int question = HZ_OFFER_DOUBLE; question <= HZ_ACCEPT_DRAW; question++) {
        for (int color = 0; color < 2; color++) {
            bool yes = true;
            assert_int_equal(hz_bot_decide(&bot, (hz_decision)question, &lost, (hz_color)color,
                                           &ask.random, &yes, NULL),
                             HZ_OK);
            assert_int_equal(yes, hz_decide_default((hz_decision)question, &lost, (hz_color)color));
        }
    }
    hz_bot_close(&bot);
    asking_free(&ask);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_as_the_published_example),
        cmocka_unit_test(a_pass_and_a_won_turn_are_recorded_as_such),
        cmocka_unit_test(a_past_deadline_still_answers_a_legal_turn),
        cmocka_unit_test(settings_do_not_change_the_answer),
        cmocka_unit_test(the_evaluator_belongs_to_the_bot_once_it_is_made),
        cmocka_unit_test(bad_settings_are_refused),
        cmocka_unit_test(the_sink_gets_the_record_of_the_answer),
        cmocka_unit_test(kinds_follow_the_built_in_bots_with_their_options),
        cmocka_unit_test(defaults_given_as_options_are_the_defaults),
        cmocka_unit_test(a_replaced_kind_is_opened_no_more),
        cmocka_unit_test(a_book_precedes_the_search),
        cmocka_unit_test(decisions_are_the_default_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
