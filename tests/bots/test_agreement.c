/* SPDX-License-Identifier: MIT */
/* Agreement of two bots: counted run by run against bots that are told what to play; and the first
 * step of every comparison, that what is switched off changes nothing. */
#include <hazard/bots.h>

#include <string.h>

#include "bots/asking.h"

/* ---- bots that are told what to play ---- */

/* Plays the legal turn number `pick` of a roll, passes illegally, or plays nonsense. */
typedef struct puppet {
    hz_bot_info info;
    size_t pick;
    bool passes, cheats, fails;
    int32_t score;
    int asked;
    uint64_t seed; /* of the last stream */
} puppet;

static hz_status puppet_choose(void *state, const hz_bot_request *request, hz_bot_answer *answer,
                               hz_error *err) {
    puppet *p = state;
    hz_turn_list list;
    p->asked++;
    p->seed = request->random->seed;
    test_same_number("stream", "counter", 0, request->random->counter);
    if (p->fails) {
        return hz_fail(err, HZ_MODEL_RUN, HZ_NO_OFFSET, "the puppet broke");
    }
    assert_null(request->deadline);
    assert_int_equal(hz_turns_list(request->position, 0, request->arena, &list, err), HZ_OK);
    answer->pass = list.count == 0 || p->passes;
    if (!answer->pass) {
        answer->turn = list.turns[p->pick % list.count];
        answer->score = p->score;
        if (p->cheats) {
            answer->turn.count = 77;
        }
    }
    return HZ_OK;
}

static hz_bot puppet_bot(puppet *p, const char *id) {
    p->info = (hz_bot_info){.id = id, .display_name = id, .about = "told what to play", .level = 1};
    return (hz_bot){.info = &p->info, .state = p, .choose = puppet_choose};
}

/* Legal: d4d5, d4e5. */
static const char CATALOGUE[] =
    "{\"schema\":1,\"id\":\"c\",\"seeds\":[1,2],\"scenarios\":["
    "{\"id\":\"last\",\"cat\":\"tactical\",\"goal\":\"gain\",\"dfen\":\"4k3/8/8/4q3/3P4/8/8/4K3 w "
    "- "
    "- 0 1 P\",\"expect\":[\"d4e5\"],\"legal\":2,\"king\":0},"
    "{\"id\":\"first\",\"cat\":\"tactical\",\"goal\":\"decision\",\"dfen\":\"4k3/8/8/4q3/3P4/8/8/"
    "4K3 w - - 0 2 P\",\"expect\":[\"d4d5\"],\"legal\":2,\"king\":0},"
    "{\"id\":\"pass\",\"cat\":\"forced-pass\",\"goal\":\"pass\",\"dfen\":\"4k3/8/8/8/8/8/8/4K3 b - "
    "- "
    "0 1 ppp\",\"expect\":\"pass\",\"legal\":0,\"king\":0}]}";

static hz_catalogue *catalogue(void) {
    hz_catalogue *c;
    hz_error err;
    if (hz_catalogue_parse(CATALOGUE, sizeof CATALOGUE - 1, &c, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
    return c;
}

typedef struct seen {
    size_t runs;
    hz_agreement_run run[16];
    size_t stop_after;
} seen;

static bool see(void *context, const hz_agreement_run *run) {
    seen *s = context;
    assert_true(s->runs < 16);
    s->run[s->runs++] = *run;
    return s->runs != s->stop_after;
}

static hz_agreement compare(puppet *a, puppet *b, seen *s) {
    hz_catalogue *c = catalogue();
    hz_bot x = puppet_bot(a, "a"), y = puppet_bot(b, "b");
    hz_agreement sum;
    hz_error err;
    *s = (seen){0};
    if (hz_agreement_compare(c, NULL, 0, &x, &y, see, s, &sum, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
    for (size_t i = 0; i < s->runs; i++) {
        s->run[i].scenario = NULL; /* gone with the catalogue */
    }
    hz_catalogue_free(c);
    assert_int_equal(sum.runs, 6);
    assert_int_equal(s->runs, 6);
    assert_int_equal(sum.same + sum.different, sum.runs);
    assert_int_equal(sum.improved + sum.regressed + sum.both_matched + sum.both_missed, sum.runs);
    return sum;
}

static void equal_turns_are_the_same_decision(void **state) {
    (void)state;
    puppet a = {.pick = 0, .score = 5}, b = {.pick = 0, .score = 5};
    seen s;
    hz_agreement sum = compare(&a, &b, &s);
    assert_int_equal(sum.same, 6);
    assert_int_equal(sum.same_score, 6);
    assert_int_equal(sum.both_matched, 4); /* "first" and "pass" */
    assert_int_equal(sum.both_missed, 2);
    assert_int_equal(sum.matched_candidate, 4);
    assert_int_equal(sum.matched_reference, 4);
    assert_int_equal(sum.illegal_candidate + sum.illegal_reference, 0);
    assert_int_equal(a.asked, 6);
    assert_int_equal(b.asked, 6);
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(s.run[i].index, i / 2);
        assert_int_equal(s.run[i].seed, 1 + i % 2);
        assert_true(s.run[i].same && s.run[i].same_score);
        assert_int_equal(s.run[i].candidate.pass, i >= 4);
        assert_true(s.run[i].candidate.legal && s.run[i].reference.legal);
    }
}

static void other_turns_are_counted_by_what_was_expected(void **state) {
    (void)state;
    puppet a = {.pick = 1}, b = {.pick = 0};
    seen s;
    hz_agreement sum = compare(&a, &b, &s);
    assert_int_equal(sum.same, 2);
    assert_int_equal(sum.different, 4);
    assert_int_equal(sum.improved, 2);
    assert_int_equal(sum.regressed, 2);
    assert_int_equal(sum.both_matched, 2);
    assert_int_equal(s.run[0].verdict, HZ_CANDIDATE_IMPROVED);
    assert_int_equal(s.run[2].verdict, HZ_CANDIDATE_REGRESSED);
    assert_int_equal(s.run[4].verdict, HZ_BOTH_MATCHED);
    char text[HZ_TURN_CAPACITY];
    (void)hz_turn_to_text(&s.run[0].candidate.turn, text);
    assert_string_equal(text, "d4e5");
    (void)hz_turn_to_text(&s.run[0].reference.turn, text);
    assert_string_equal(text, "d4d5");
    /* The other way round. */
    sum = compare(&b, &a, &s);
    assert_int_equal(sum.improved, 2);
    assert_int_equal(sum.regressed, 2);
    assert_int_equal(s.run[0].verdict, HZ_CANDIDATE_REGRESSED);
}

static void other_scores_are_the_same_decision_but_not_equal(void **state) {
    (void)state;
    puppet a = {.score = 1}, b = {.score = 2};
    seen s;
    hz_agreement sum = compare(&a, &b, &s);
    assert_int_equal(sum.same, 6);
    assert_int_equal(sum.same_score, 2); /* passes have none */
    assert_int_equal(s.run[0].candidate.score, 1);
    assert_int_equal(s.run[0].reference.score, 2);
}

static void illegal_answers_match_nothing(void **state) {
    (void)state;
    puppet a = {.passes = true}, b = {.pick = 0}, cheat = {.cheats = true};
    seen s;
    hz_agreement sum = compare(&a, &b, &s);
    assert_int_equal(sum.illegal_candidate, 4);
    assert_int_equal(sum.illegal_reference, 0);
    assert_int_equal(sum.matched_candidate, 2);
    assert_int_equal(sum.same, 2);
    sum = compare(&b, &cheat, &s);
    assert_int_equal(sum.illegal_reference, 4);
    assert_int_equal(sum.matched_reference, 2);
    assert_false(s.run[0].reference.legal);
}

static void own_seeds_take_the_place_of_the_catalogues(void **state) {
    (void)state;
    static const uint64_t seeds[] = {UINT64_MAX};
    hz_catalogue *c = catalogue();
    puppet a = {0}, b = {0};
    hz_bot x = puppet_bot(&a, "a"), y = puppet_bot(&b, "b");
    hz_agreement sum;
    assert_int_equal(hz_agreement_compare(c, seeds, 1, &x, &y, NULL, NULL, &sum, NULL), HZ_OK);
    assert_int_equal(sum.runs, 3);
    assert_true(a.seed == UINT64_MAX && b.seed == UINT64_MAX);
    hz_catalogue_free(c);
}

static void visitor_stops_and_failing_bots_are_named(void **state) {
    (void)state;
    hz_catalogue *c = catalogue();
    puppet a = {0}, b = {0};
    hz_bot x = puppet_bot(&a, "a"), y = puppet_bot(&b, "b");
    seen s = {.stop_after = 3};
    hz_agreement sum;
    hz_error err;
    assert_int_equal(hz_agreement_compare(c, NULL, 0, &x, &y, see, &s, &sum, &err), HZ_INCOMPLETE);
    assert_int_equal(sum.runs, 3);
    b.fails = true;
    assert_int_equal(hz_agreement_compare(c, NULL, 0, &x, &y, NULL, NULL, &sum, &err),
                     HZ_MODEL_RUN);
    assert_non_null(strstr(err.message, "reference"));
    assert_non_null(strstr(err.message, "last"));
    assert_non_null(strstr(err.message, "the puppet broke"));
    hz_catalogue_free(c);
}

static void classes_have_names(void **state) {
    (void)state;
    assert_string_equal(hz_agreement_class_text(HZ_CANDIDATE_IMPROVED), "candidate_improved");
    assert_string_equal(hz_agreement_class_text(HZ_CANDIDATE_REGRESSED), "candidate_regressed");
    assert_string_equal(hz_agreement_class_text(HZ_BOTH_MATCHED), "both_matched");
    assert_string_equal(hz_agreement_class_text(HZ_BOTH_MISSED), "both_missed");
}

/* ---- real bots ---- */

static void built_in_bots_repeat_themselves(void **state) {
    (void)state;
    asking ask = asking_new();
    hz_catalogue *c;
    hz_error err;
    assert_int_equal(hz_catalogue_builtin(&c, &err), HZ_OK);
    hz_bot_info info;
    for (size_t i = 0; hz_registry_info(ask.registry, i, &info); i++) {
        const char *text =
            strcmp(info.id, "monte-carlo") ? info.id : "monte-carlo:rollouts=3,plies=5";
        hz_bot a = asking_open(&ask, text), b = asking_open(&ask, text);
        hz_agreement sum;
        assert_int_equal(hz_agreement_compare(c, NULL, 0, &a, &b, NULL, NULL, &sum, &err), HZ_OK);
        test_same_number(info.id, "same turn and score", sum.runs, sum.same_score);
        test_same_number(info.id, "illegal", 0, sum.illegal_candidate + sum.illegal_reference);
        hz_bot_close(&a);
        hz_bot_close(&b);
    }
    hz_catalogue_free(c);
    asking_free(&ask);
}

/* A search as a bot, with its hooks as the test sets them. */
typedef struct searcher {
    hz_bot_info info;
    hz_expectimax *search;
} searcher;

static hz_status searcher_choose(void *state, const hz_bot_request *request, hz_bot_answer *answer,
                                 hz_error *err) {
    searcher *s = state;
    hz_expectimax_answer found;
    hz_status status = hz_expectimax_choose(s->search, request->position, request->random,
                                            request->deadline, request->arena, &found, err);
    if (status == HZ_OK) {
        answer->pass = found.pass;
        answer->turn = found.turn;
        answer->score = found.score;
    }
    return status;
}

static hz_bot searcher_bot(searcher *s, const hz_expectimax_config *config) {
    s->info = (hz_bot_info){.id = "s", .display_name = "s", .about = "searches", .level = 7};
    assert_int_equal(hz_expectimax_new(config, &s->search, NULL), HZ_OK);
    return (hz_bot){.info = &s->info, .state = s, .choose = searcher_choose};
}

static hz_agreement compare_searches(const hz_expectimax_config *a, const hz_expectimax_config *b) {
    searcher x, y;
    hz_catalogue *c;
    hz_agreement sum;
    hz_error err;
    hz_bot candidate = searcher_bot(&x, a), reference = searcher_bot(&y, b);
    assert_int_equal(hz_catalogue_builtin(&c, &err), HZ_OK);
    if (hz_agreement_compare(c, NULL, 0, &candidate, &reference, NULL, NULL, &sum, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
    hz_catalogue_free(c);
    hz_expectimax_free(x.search);
    hz_expectimax_free(y.search);
    return sum;
}

static hz_evaluator material, aggressive;

static hz_expectimax_config plain(void) {
    hz_expectimax_config config = hz_expectimax_config_default();
    assert_int_equal(hz_evaluator_static("material", &material, NULL), HZ_OK);
    assert_int_equal(hz_evaluator_static("aggressive", &aggressive, NULL), HZ_OK);
    config.leaf = hz_judge_evaluator(&material);
    return config;
}

static void hooks_that_are_switched_off_change_nothing(void **state) {
    (void)state;
    hz_expectimax_config exact = plain();
    hz_table *table;
    assert_int_equal(hz_table_new(256, &table, NULL), HZ_OK);
    hz_expectimax_config ways[6];
    for (size_t i = 0; i < 6; i++) {
        ways[i] = exact;
    }
    ways[0].rescore = hz_judge_evaluator(&aggressive); /* weight 0 */
    ways[1].loss_guard = true;                         /* without collapse */
    ways[2].pre_rank_with_leaf = true;                 /* the leaf is material anyway */
    ways[3].table = table;
    ways[4].threads = 3;
    ways[5].no_pruning = true;
    for (size_t i = 0; i < 6; i++) {
        hz_agreement sum = compare_searches(&ways[i], &exact);
        assert_int_equal(sum.same_score, sum.runs);
        assert_int_equal(sum.regressed + sum.improved, 0);
    }
    hz_table_free(table);
}

static void collapse_by_material_disagrees_where_the_pawn_is_poisoned(void **state) {
    (void)state;
    hz_expectimax_config exact = plain(), collapsed = exact;
    collapsed.collapse = hz_judge_evaluator(&material);
    hz_agreement sum = compare_searches(&collapsed, &exact);
    assert_true(sum.different > 0);
    assert_true(sum.regressed > 0);
    assert_int_equal(sum.improved, 0);
    /* The exact search plays an expected turn everywhere. */
    assert_int_equal(sum.matched_reference, sum.runs);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_turns_are_the_same_decision),
        cmocka_unit_test(other_turns_are_counted_by_what_was_expected),
        cmocka_unit_test(other_scores_are_the_same_decision_but_not_equal),
        cmocka_unit_test(illegal_answers_match_nothing),
        cmocka_unit_test(own_seeds_take_the_place_of_the_catalogues),
        cmocka_unit_test(visitor_stops_and_failing_bots_are_named),
        cmocka_unit_test(classes_have_names),
        cmocka_unit_test(built_in_bots_repeat_themselves),
        cmocka_unit_test(hooks_that_are_switched_off_change_nothing),
        cmocka_unit_test(collapse_by_material_disagrees_where_the_pawn_is_poisoned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
