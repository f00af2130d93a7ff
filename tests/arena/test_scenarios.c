/* SPDX-License-Identifier: MIT */
/* Scenarios and the comparison of two players in three steps. */
#include "arena/scenarios.h"

#include "arena/asked.h"
#include "support/positions.h"

#include <stdlib.h>
#include <string.h>

static const char CATALOGUE[] =
    "{\"schema\":1,\"id\":\"c\",\"seeds\":[1,2],\"scenarios\":["
    "{\"id\":\"take\",\"cat\":\"tactical\",\"goal\":\"gain\",\"dfen\":\"4k3/8/8/4q3/3P4/8/8/4K3 w "
    "- - 0 1 P\",\"expect\":[\"d4e5\"],\"legal\":2,\"king\":0},"
    "{\"id\":\"leave\",\"cat\":\"tactical\",\"goal\":\"decision\",\"dfen\":\"4k3/8/8/4q3/3P4/8/8/"
    "4K3 w - - 0 2 P\",\"expect\":[\"d4d5\"],\"legal\":2,\"king\":0},"
    "{\"id\":\"pass\",\"cat\":\"forced-pass\",\"goal\":\"pass\",\"dfen\":\"4k3/8/8/8/8/8/8/4K3 b - "
    "- 0 1 ppp\",\"expect\":\"pass\",\"legal\":0,\"king\":0}]}";

/* ---- bots that are told what to play ---- */

typedef struct puppet {
    hz_bot_info info;
    size_t pick; /* number of the legal turn it plays */
    bool cheats;
    int32_t score;
} puppet;

static hz_status puppet_choose(void *state, const hz_bot_request *request, hz_bot_answer *answer,
                               hz_error *err) {
    const puppet *p = state;
    hz_turn_list list;
    hz_status status = hz_turns_list(request->position, 0, request->arena, &list, err);
    answer->pass = list.count == 0 || p->cheats;
    if (!answer->pass) {
        answer->turn = list.turns[p->pick % list.count];
        answer->score = p->score;
    }
    return status;
}

typedef struct stage {
    hz_registry *registry;
    hz_catalogue *catalogue;
    puppet puppets[3];
    hz_registration *handles[3];
    hzi_scenarios_config config;
} stage;

/* "first" plays d4d5, "last" d4e5, "third" what the test says. */
static void begin(stage *s) {
    static const char *const ids[] = {"first", "last", "third"};
    hz_error err;
    *s = (stage){.registry = hz_registry_new()};
    assert_non_null(s->registry);
    if (hz_catalogue_parse(CATALOGUE, sizeof CATALOGUE - 1, &s->catalogue, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
    for (size_t i = 0; i < 3; i++) {
        puppet *p = &s->puppets[i];
        p->info = (hz_bot_info){
            .id = ids[i], .display_name = ids[i], .about = "told what to play", .level = 1};
        p->pick = i == 1;
        const hz_bot bot = {.info = &p->info, .state = p, .choose = puppet_choose};
        assert_int_equal(hz_registry_register(s->registry, &bot, &s->handles[i], &err), HZ_OK);
    }
    s->config = (hzi_scenarios_config){
        .a = "first", .b = "last", .registry = s->registry, .catalogue = s->catalogue};
}

static void end(stage *s) {
    for (size_t i = 0; i < 3; i++) {
        hz_registration_close(s->handles[i]);
    }
    hz_catalogue_free(s->catalogue);
    hz_registry_free(s->registry);
}

static hzi_scenarios compared(stage *s) {
    hzi_scenarios scenarios;
    hz_error err;
    if (hzi_scenarios_run(&s->config, &scenarios, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
    return scenarios;
}

/* ---- scenarios ---- */

static void runs_are_classed_and_counted(void **state) {
    (void)state;
    stage s;
    begin(&s);
    hzi_scenarios scenarios = compared(&s);
    assert_int_equal(scenarios.count, 6);
    assert_int_equal(scenarios.seed_count, 2);
    assert_int_equal(scenarios.runs[0].verdict, HZ_CANDIDATE_REGRESSED);
    assert_int_equal(scenarios.runs[2].verdict, HZ_CANDIDATE_IMPROVED);
    assert_int_equal(scenarios.runs[4].verdict, HZ_BOTH_MATCHED);
    assert_int_equal(scenarios.sum.regressed, 2);
    assert_int_equal(scenarios.sum.same, 2);
    assert_false(hzi_scenarios_good(&scenarios));
    hzi_scenarios_free(&scenarios);
    s.config.b = "first";
    scenarios = compared(&s);
    assert_true(hzi_scenarios_good(&scenarios));
    assert_int_equal(scenarios.sum.same, 6);
    hzi_scenarios_free(&scenarios);
    end(&s);
}

static void given_seeds_replace_those_of_the_catalogue(void **state) {
    (void)state;
    static const uint64_t seeds[] = {7, 8, UINT64_MAX};
    stage s;
    begin(&s);
    s.config.seeds = seeds;
    s.config.seed_count = 3;
    hzi_scenarios scenarios = compared(&s);
    assert_int_equal(scenarios.count, 9);
    assert_true(scenarios.runs[2].seed == UINT64_MAX);
    hzi_scenarios_free(&scenarios);
    end(&s);
}

static void illegal_pass_is_counted_and_not_good(void **state) {
    (void)state;
    stage s;
    begin(&s);
    s.puppets[2].cheats = true;
    s.config.a = "third";
    s.config.b = "third";
    hzi_scenarios scenarios = compared(&s);
    assert_int_equal(scenarios.sum.illegal_candidate, 4); /* a pass where there is none is fine */
    assert_int_equal(scenarios.sum.regressed, 0);
    assert_false(hzi_scenarios_good(&scenarios));
    hzi_scenarios_free(&scenarios);
    end(&s);
}

static void raised_flag_stops_the_comparison(void **state) {
    (void)state;
    stage s;
    hz_cancel cancel = {0};
    hzi_scenarios scenarios;
    hz_error err;
    begin(&s);
    hz_cancel_request(&cancel);
    s.config.cancel = &cancel;
    assert_int_equal(hzi_scenarios_run(&s.config, &scenarios, &err), HZ_CANCELLED);
    assert_null(scenarios.runs);
    s.config.a = "nobody";
    assert_int_equal(hzi_scenarios_run(&s.config, &scenarios, &err), HZ_UNKNOWN_BOT);
    end(&s);
}

static bool keep(void *context, const char *bytes, size_t length) {
    hzi_text_add(context, bytes, length);
    return true;
}

static void report_names_what_differs(void **state) {
    (void)state;
    stage s;
    hzi_text out = {0};
    hz_error err;
    begin(&s);
    s.puppets[0].score = 5;
    hzi_scenarios scenarios = compared(&s);
    assert_int_equal(hzi_scenarios_report(&s.config, &scenarios, true, keep, &out, &err), HZ_OK);
    assert_non_null(strstr(out.bytes, "\"kind\":\"scenarios\""));
    assert_non_null(strstr(out.bytes, "{\"id\":\"take\",\"cat\":\"tactical\",\"goal\":\"gain\","
                                      "\"seed\":1,\"a\":{\"turn\":\"d4d5\",\"score\":5,\"legal\":"
                                      "true,\"match\":false},\"b\":{\"turn\":\"d4e5\",\"score\":0,"
                                      "\"legal\":true,\"match\":true},\"class\":\"candidate_"
                                      "regressed\",\"sameDecision\":false"));
    assert_non_null(strstr(out.bytes, "{\"turn\":\"pass\",\"score\":null,\"legal\":true"));
    hzi_text_clear(&out);
    assert_int_equal(hzi_scenarios_report(&s.config, &scenarios, false, keep, &out, &err), HZ_OK);
    assert_non_null(strstr(out.bytes, "    A d4d5 5, B d4e5 (expected) 0: 2 seeds\n"));
    hzi_text_fini(&out);
    hzi_scenarios_free(&scenarios);
    end(&s);
}

/* ---- comparison ---- */

static void equality_asks_for_turns_and_scores(void **state) {
    (void)state;
    stage s;
    hz_error err;
    bool good;
    begin(&s);
    hzi_comparison c = {.config = s.config};
    /* Without a name for it, B must repeat itself. */
    assert_int_equal(hzi_comparison_equality(&c, &good, &err), HZ_OK);
    assert_true(good);
    hzi_comparison_fini(&c);
    c.exact = "third";
    s.puppets[2].pick = 1;
    assert_int_equal(hzi_comparison_equality(&c, &good, &err), HZ_OK);
    assert_true(good);
    hzi_comparison_fini(&c);
    s.puppets[2].score = 1; /* the same turns with another score are not equal */
    assert_int_equal(hzi_comparison_equality(&c, &good, &err), HZ_OK);
    assert_false(good);
    assert_int_equal(c.equality.sum.same, 6);
    assert_int_equal(c.equality.sum.same_score, 2);
    hzi_comparison_fini(&c);
    end(&s);
}

static void comparison_is_good_only_with_all_three_steps(void **state) {
    (void)state;
    stage s;
    hz_error err;
    hzi_text out = {0};
    bool good;
    begin(&s);
    hzi_comparison c = {.config = s.config};
    assert_int_equal(hzi_comparison_equality(&c, &good, &err), HZ_OK);
    assert_int_equal(hzi_comparison_agreement(&c, &good, &err), HZ_OK);
    assert_true(good); /* a regression is told, it does not end the comparison */
    assert_false(hzi_comparison_good(&c));
    hz_match_config match = hz_match_config_default();
    const hz_sprt test = {0.0, 20.0, 0.05, 0.05};
    hz_match_pairing pairing = {.sprt = {.verdict = HZ_SPRT_H1}};
    const hz_match_player_info players[2] = {{.name = "first", .text = "first"},
                                             {.name = "last", .text = "last"}};
    match.sprt = &test;
    hz_match_view view = {.config = &match,
                          .player_count = 2,
                          .players = players,
                          .pairing_count = 1,
                          .pairings = &pairing,
                          .workers = 1,
                          .ranks = 1};
    c.match = &view;
    assert_true(hzi_comparison_good(&c));
    assert_int_equal(hzi_comparison_report(&c, true, keep, &out, &err), HZ_OK);
    assert_non_null(strstr(out.bytes, "\"match\":{\"schema\":1,"));
    assert_non_null(strstr(out.bytes, "\"verdict\":{\"equal\":true,\"legal\":true,\"regressed\":2,"
                                      "\"strength\":\"stronger\",\"good\":true}}\n"));
    hzi_text_clear(&out);
    assert_int_equal(hzi_comparison_report(&c, false, keep, &out, &err), HZ_OK);
    assert_non_null(strstr(out.bytes, "A is stronger"));
    pairing.sprt.verdict = HZ_SPRT_CONTINUE;
    assert_false(hzi_comparison_good(&c));
    pairing.sprt.verdict = HZ_SPRT_H1;
    view.cancelled = true;
    assert_false(hzi_comparison_good(&c));
    hzi_text_fini(&out);
    hzi_comparison_fini(&c);
    end(&s);
}

static void illegal_answer_ends_the_comparison(void **state) {
    (void)state;
    stage s;
    hz_error err;
    bool good;
    begin(&s);
    s.puppets[2].cheats = true;
    s.config.a = "third";
    hzi_comparison c = {.config = s.config};
    assert_int_equal(hzi_comparison_agreement(&c, &good, &err), HZ_OK);
    assert_false(good);
    hzi_comparison_fini(&c);
    end(&s);
}

/* ---- texts ---- */

static void option_is_added_with_its_marks_escaped(void **state) {
    (void)state;
    const struct {
        const char *text, *value, *expected;
    } cases[] = {
        {"a", "x", "a:o=x"}, {"a:b=1", "x,y", "a:b=1,o=x\\,y"}, {"a", "c:\\d", "a:o=c:\\\\d"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *made = hzi_text_with_option(cases[i].text, "o", cases[i].value);
        assert_string_equal(made, cases[i].expected);
        free(made);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_are_classed_and_counted),
        cmocka_unit_test(given_seeds_replace_those_of_the_catalogue),
        cmocka_unit_test(illegal_pass_is_counted_and_not_good),
        cmocka_unit_test(raised_flag_stops_the_comparison),
        cmocka_unit_test(report_names_what_differs),
        cmocka_unit_test(equality_asks_for_turns_and_scores),
        cmocka_unit_test(comparison_is_good_only_with_all_three_steps),
        cmocka_unit_test(illegal_answer_ends_the_comparison),
        cmocka_unit_test(option_is_added_with_its_marks_escaped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
