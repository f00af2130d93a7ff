/* SPDX-License-Identifier: MIT */
/*
 * Scenario catalogues: both forms are read, every rule has a catalogue that breaks it and is refused
 * with its place, and stated scenarios are met by players that look as far as their goal asks.
 */
#include <hazard/bots.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bots/asking.h"

/* ---- reading ---- */

static const char COMPACT[] =
    "{\"schema\": 1, \"id\": \"c\", \"seeds\": [3, 0], \"note\": \"n\", \"scenarios\": [\n"
    " {\"id\": \"take\", \"cat\": \"tactical\", \"goal\": \"king\", \"why\": \"w\",\n"
    "  \"dfen\": \"k7/8/8/8/8/8/8/R3K3 w - - 0 1 PPR\", \"expect\": [\"a1a8\"],\n"
    "  \"legal\": 10, \"king\": 1},\n"
    " {\"id\": \"pass\", \"cat\": \"forced-pass\", \"goal\": \"pass\",\n"
    "  \"dfen\": \"4k3/8/8/8/8/8/8/4K3 w - - 0 1 PPP\", \"expect\": \"pass\",\n"
    "  \"legal\": 0, \"king\": 0}]}";

static const char LONG[] =
    "{\"schemaVersion\": 1, \"id\": \"c\", \"description\": \"d\",\n"
    " \"seedSet\": {\"id\": \"s\", \"values\": [3, 0]}, \"scenarios\": [\n"
    " {\"id\": \"take\", \"category\": \"tactical\", \"description\": \"w\",\n"
    "  \"dfen\": \"k7/8/8/8/8/8/8/R3K3 w - - 0 1 PPR\", \"expectedTurns\": [\"a1a8\"]},\n"
    " {\"id\": \"pass\", \"category\": \"forced-pass\", \"description\": \"\",\n"
    "  \"dfen\": \"4k3/8/8/8/8/8/8/4K3 w - - 0 1 PPP\", \"expectPass\": true}]}";

static hz_catalogue *good(const char *text) {
    hz_catalogue *catalogue;
    hz_error err;
    if (hz_catalogue_parse(text, strlen(text), &catalogue, &err) != HZ_OK) {
        fail_msg("%s\n%s", text, err.message);
    }
    return catalogue;
}

static void check_both(const char *text, hz_scenario_goal goal) {
    hz_catalogue *c = good(text);
    assert_string_equal(c->id, "c");
    assert_int_equal(c->seed_count, 2);
    assert_int_equal(c->seeds[0], 3);
    assert_int_equal(c->seeds[1], 0);
    assert_int_equal(c->count, 2);
    const hz_scenario *take = &c->scenarios[0], *pass = &c->scenarios[1];
    char buffer[HZ_DFEN_CAPACITY];
    assert_string_equal(take->id, "take");
    assert_string_equal(take->why, "w");
    assert_int_equal(take->category, HZ_SCENARIO_TACTICAL);
    assert_int_equal(take->goal, goal);
    assert_string_equal(test_dfen(&take->position, buffer), "k7/8/8/8/8/8/8/R3K3 w - - 0 1 PPR");
    assert_int_equal(take->turn_count, 1);
    assert_false(take->expects_pass);
    (void)hz_turn_to_text(&take->turns[0], buffer);
    assert_string_equal(buffer, "a1a8");
    assert_string_equal(pass->why, "");
    assert_int_equal(pass->category, HZ_SCENARIO_FORCED_PASS);
    assert_int_equal(pass->goal, HZ_GOAL_PASS);
    assert_true(pass->expects_pass);
    assert_int_equal(pass->turn_count, 0);
    hz_turn none = {0}, other;
    assert_true(hz_scenario_expects(take, false, &take->turns[0]));
    assert_false(hz_scenario_expects(take, true, &none));
    assert_int_equal(hz_turn_from_text(&take->position, "a1a7", 4, &other, NULL, NULL), HZ_OK);
    assert_false(hz_scenario_expects(take, false, &other));
    assert_true(hz_scenario_expects(pass, true, &none));
    assert_false(hz_scenario_expects(pass, false, &other));
    hz_catalogue_free(c);
}

static void compact_form_is_read(void **state) {
    (void)state;
    check_both(COMPACT, HZ_GOAL_KING);
}

static void long_form_is_read(void **state) {
    (void)state;
    check_both(LONG, HZ_GOAL_DECISION);
}

static void order_of_micro_moves_matters(void **state) {
    (void)state;
    hz_catalogue *c =
        good("{\"schema\":1,\"id\":\"c\",\"seeds\":[0],\"scenarios\":[{\"id\":\"a\",\"cat\":"
             "\"endgame\",\"goal\":\"decision\",\"dfen\":\"4k3/8/8/8/8/8/8/RK6 w - - 0 1 RK\","
             "\"expect\":[\"a1a2,b1c1\"],\"legal\":77,\"king\":0}]}");
    hz_turn turn;
    assert_int_equal(
        hz_turn_from_text(&c->scenarios[0].position, "b1c1,a1a2", 9, &turn, NULL, NULL), HZ_OK);
    assert_false(hz_scenario_expects(&c->scenarios[0], false, &turn));
    hz_catalogue_free(c);
}

/* ---- refusing ---- */

/* A text with the first `from` in it replaced by `to`. */
static void replaced(test_text *out, const char *text, const char *from, const char *to) {
    const char *at = strstr(text, from);
    char piece[2] = "";
    if (!at) {
        fail_msg("\"%s\" is not in the catalogue", from);
        return;
    }
    test_text_clear(out);
    for (const char *c = text; c < at; c++) {
        piece[0] = *c;
        test_text_add(out, piece);
    }
    test_text_add(out, to);
    test_text_add(out, at + strlen(from));
}

typedef struct wrong {
    const char *from, *to;
    hz_status status;
    const char *words[3]; /* in the message */
} wrong;

static void check_wrong(const char *text, const wrong *cases, size_t count) {
    test_text changed = {0};
    for (size_t i = 0; i < count; i++) {
        hz_catalogue *catalogue = (hz_catalogue *)&changed;
        hz_error err = {0};
        replaced(&changed, text, cases[i].from, cases[i].to);
        const char *bad = test_text_get(&changed);
        hz_status status = hz_catalogue_parse(bad, strlen(bad), &catalogue, &err);
        test_same_text(bad, "status", hz_status_name(cases[i].status), hz_status_name(status));
        assert_null(catalogue);
        assert_int_equal(err.code, status);
        for (size_t w = 0; w < 3 && cases[i].words[w]; w++) {
            if (!strstr(err.message, cases[i].words[w])) {
                fail_msg("\"%s\" is not in \"%s\"", cases[i].words[w], err.message);
            }
        }
        assert_true(status != HZ_JSON || (err.line > 0 && err.offset <= strlen(bad)));
        assert_int_equal(hz_catalogue_parse(bad, strlen(bad), &catalogue, NULL), status);
    }
    test_text_free(&changed);
}

static void every_broken_rule_of_the_compact_form_is_named(void **state) {
    (void)state;
    static const wrong cases[] = {
        {"\"schema\": 1", "\"schema\": 2", HZ_SCENARIO, {"schema", "2"}},
        {"\"schema\": 1", "\"schema\": \"1\"", HZ_SCENARIO, {"schema", "whole number"}},
        {"\"schema\": 1, ", "", HZ_SCENARIO, {"schema", "missing"}},
        {"\"id\": \"c\", ", "", HZ_SCENARIO, {"id", "missing"}},
        {"\"id\": \"c\"", "\"id\": \"\"", HZ_SCENARIO, {"id", "empty"}},
        {"\"note\"", "\"nota\"", HZ_SCENARIO, {"nota", "no such member"}},
        {"\"note\": \"n\"", "\"id\": \"c\"", HZ_JSON, {"duplicate"}},
        {"[3, 0]", "[]", HZ_SCENARIO, {"seeds"}},
        {"[3, 0]", "[3, 3]", HZ_SCENARIO, {"seeds[1]", "twice"}},
        {"[3, 0]", "[3, -1]", HZ_SCENARIO, {"seeds[1]", "negative"}},
        {"[3, 0]", "[3, 0.5]", HZ_SCENARIO, {"seeds[1]", "whole number"}},
        {"[3, 0]", "[3, 9223372036854775808]", HZ_JSON, {"big"}},
        {"[3, 0]", "3", HZ_SCENARIO, {"seeds", "list"}},
        {"\"scenarios\": [", "\"scenarios\": [7, ", HZ_SCENARIO, {"scenarios[0]", "object"}},
        {"\"id\": \"take\"", "\"id\": \"pass\"", HZ_SCENARIO, {"scenarios[1] (pass)", "id"}},
        {"\"id\": \"take\"", "\"id\": \"\"", HZ_SCENARIO, {"scenarios[0]", "id", "empty"}},
        {"\"id\": \"take\", ", "", HZ_SCENARIO, {"scenarios[0]: id", "missing"}},
        {"tactical", "strategic", HZ_SCENARIO, {"(take)", "category", "strategic"}},
        {"\"goal\": \"king\"", "\"goal\": \"win\"", HZ_SCENARIO, {"(take)", "goal", "win"}},
        {"\"goal\": \"king\"", "\"goal\": \"pass\"", HZ_SCENARIO, {"(take)", "goal"}},
        {"\"goal\": \"pass\"", "\"goal\": \"gain\"", HZ_SCENARIO, {"(pass)", "goal"}},
        {"\"why\": \"w\"", "\"why\": 1", HZ_SCENARIO, {"(take): why", "a text"}},
        {"\"why\": \"w\"", "\"weil\": \"w\"", HZ_SCENARIO, {"(take): weil", "no such"}},
        {"\"why\": \"w\"", "\"id\": \"x\"", HZ_JSON, {"duplicate"}},
        {"R3K3 w", "R3K2 w", HZ_SCENARIO, {"(take): dfen", "BOARD_FILES"}},
        {"- - 0 1 PPR", "- - 0 1 RPP", HZ_SCENARIO, {"(take): dfen", "canonical", "1 PPR"}},
        {"- - 0 1 PPR", "- - 0 1", HZ_SCENARIO, {"(take): dfen", "no dice"}},
        {"[\"a1a8\"]", "[]", HZ_SCENARIO, {"(take): expect", "empty"}},
        {"[\"a1a8\"]", "[\"a1a8\", \"a1a8\"]", HZ_SCENARIO, {"expect[1]", "twice"}},
        {"[\"a1a8\"]", "[\"a1b2\"]", HZ_SCENARIO, {"(take): expect[0]", "a1b2", "NOT_LEGAL"}},
        {"[\"a1a8\"]", "[\"-\"]", HZ_SCENARIO, {"(take): expect[0]"}},
        {"[\"a1a8\"]", "[1]", HZ_SCENARIO, {"expect[0]", "a text"}},
        {"[\"a1a8\"]", "\"pass\"", HZ_SCENARIO, {"(take)"}},
        {"[\"a1a8\"]", "\"a1a8\"", HZ_SCENARIO, {"(take): expect", "list"}},
        {"\"expect\": [\"a1a8\"],", "", HZ_SCENARIO, {"(take): expect", "missing"}},
        {"\"legal\": 10", "\"legal\": 11", HZ_SCENARIO, {"(take): legal", "11", "10"}},
        {"\"legal\": 10", "\"legal\": 9", HZ_SCENARIO, {"(take): legal", "9"}},
        {"\"legal\": 10", "\"legal\": -1", HZ_SCENARIO, {"(take): legal"}},
        {"\"legal\": 10", "\"legal\": 1000001", HZ_SCENARIO, {"(take): legal"}},
        {"\"legal\": 10,", "", HZ_SCENARIO, {"(take): legal", "missing"}},
        {"\"king\": 1", "\"king\": 0", HZ_SCENARIO, {"(take): king", "0", "1"}},
        {"w - - 0 1 PPP", "w - - 0 1 KKK", HZ_SCENARIO, {"(pass): expect", "legal turns"}},
        {"}]}", "}]} x", HZ_JSON, {NULL}},
        {"}]}", "}]", HZ_JSON, {NULL}},
        {"{\"schema\"", "[{\"schema\"", HZ_JSON, {NULL}},
        {"\"n\"", "\"\\u0000\"", HZ_JSON, {NULL}},
        {"\"n\"", "\"\xFF\"", HZ_JSON, {NULL}},
    };
    check_wrong(COMPACT, cases, sizeof cases / sizeof *cases);
}

static void every_broken_rule_of_the_long_form_is_named(void **state) {
    (void)state;
    static const wrong cases[] = {
        {"\"schemaVersion\": 1", "\"schemaVersion\": 0", HZ_SCENARIO, {"schemaVersion"}},
        {"\"description\": \"d\",", "", HZ_SCENARIO, {"description", "missing"}},
        {"\"description\": \"d\"", "\"note\": \"d\"", HZ_SCENARIO, {"description"}},
        {"\"id\": \"s\", ", "", HZ_SCENARIO, {"seedSet: id", "missing"}},
        {"\"id\": \"s\"", "\"it\": \"s\"", HZ_SCENARIO, {"seedSet"}},
        {"[3, 0]", "[0, 0]", HZ_SCENARIO, {"twice"}},
        {"[3, 0]", "[]", HZ_SCENARIO, {"seeds"}},
        {"[3, 0]", "[true]", HZ_SCENARIO, {"seedSet: values[0]"}},
        {"\"expectPass\": true", "\"expectPass\": false", HZ_SCENARIO, {"expectPass", "true"}},
        {", \"expectPass\": true", "", HZ_SCENARIO, {"(pass)", "expectedTurns", "expectPass"}},
        {"[\"a1a8\"]", "[\"a1a8\"], \"expectPass\": true", HZ_SCENARIO, {"(take)", "one of"}},
        {"[\"a1a8\"]", "[\"a8a1\"]", HZ_SCENARIO, {"(take)", "a8a1"}},
        {"[\"a1a8\"]", "[]", HZ_SCENARIO, {"(take)", "empty"}},
        {"\"category\": \"tactical\"", "\"category\": 1", HZ_SCENARIO, {"(take): category"}},
        {"\"description\": \"w\"", "\"legal\": 10", HZ_SCENARIO, {"(take)"}},
        {"- - 0 1 PPR", "- - 0 1 ppr", HZ_SCENARIO, {"(take): dfen", "canonical"}},
    };
    check_wrong(LONG, cases, sizeof cases / sizeof *cases);
}

static void texts_that_are_no_catalogue_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *text;
        hz_status status;
    } cases[] = {
        {"", HZ_JSON},       {"{", HZ_JSON}, {"nonsense", HZ_JSON},          {"[]", HZ_SCENARIO},
        {"{}", HZ_SCENARIO}, {"7", HZ_JSON}, {"{\"schema\":1}", HZ_SCENARIO}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hz_catalogue *catalogue;
        hz_error err;
        hz_status status =
            hz_catalogue_parse(cases[i].text, strlen(cases[i].text), &catalogue, &err);
        test_same_text(cases[i].text, "status", hz_status_name(cases[i].status),
                       hz_status_name(status));
        assert_true(err.message[0] != '\0');
    }
    hz_catalogue *catalogue;
    assert_int_equal(hz_catalogue_parse(NULL, 0, &catalogue, NULL), HZ_JSON);
    hz_catalogue_free(NULL);
}

static void roll_of_a_million_turns_is_not_walked_for_a_small_number(void **state) {
    (void)state;
    hz_catalogue *catalogue;
    hz_error err;
    static const char text[] =
        "{\"schema\":1,\"id\":\"c\",\"seeds\":[0],\"scenarios\":[{\"id\":\"a\",\"cat\":\"endgame\","
        "\"goal\":\"decision\",\"dfen\":\"Q6Q/3Q4/1Q5k/8/Q5Q1/8/8/K2Q2Q1 w - - 0 1 QQQ\","
        "\"expect\":[\"a4a5,a5a4,a4a5\"],\"legal\":1000000,\"king\":0}]}";
    assert_int_equal(hz_catalogue_parse(text, sizeof text - 1, &catalogue, &err), HZ_SCENARIO);
    assert_non_null(strstr(err.message, "more than 1000000"));
}

/* ---- stated scenarios ---- */

static void add_row(test_text *text, const char *const *f) {
    char line[700];
    snprintf(line, sizeof line,
             "{\"schema\":1,\"id\":\"%s\",\"seeds\":[0,7,42],\"scenarios\":[{\"id\":\"%s\","
             "\"cat\":\"%s\",\"goal\":\"%s\",\"dfen\":\"%s\",\"legal\":%s,\"king\":%s,\"expect\":",
             f[0], f[0], f[1], f[2], f[3], f[5], f[6]);
    test_text_clear(text);
    test_text_add(text, line);
    if (strcmp(f[4], "-") == 0) {
        test_text_add(text, "\"pass\"}]}");
        return;
    }
    test_text_add(text, "[\"");
    for (const char *c = f[4]; *c; c++) {
        char piece[2] = {*c, '\0'};
        test_text_add(text, *c == ' ' ? "\",\"" : piece);
    }
    test_text_add(text, "\"]}]}");
}

/* What a goal asks of a player. */
static bool is_met_by_greedy(const hz_scenario *scenario) {
    return scenario->goal == HZ_GOAL_KING || scenario->goal == HZ_GOAL_PASS ||
           scenario->goal == HZ_GOAL_GAIN;
}

static size_t meet(asking *ask, const hz_catalogue *catalogue) {
    hz_bot greedy = asking_open(ask, "greedy");
    size_t met = 0;
    for (size_t i = 0; i < catalogue->count; i++) {
        const hz_scenario *s = &catalogue->scenarios[i];
        char dfen[HZ_DFEN_CAPACITY];
        for (size_t k = 0; k < catalogue->seed_count && is_met_by_greedy(s); k++) {
            const hz_bot_answer *answer = asking_choose(ask, &greedy, test_dfen(&s->position, dfen),
                                                        catalogue->seeds[k], NULL);
            test_true(s->id, "greedy meets it",
                      hz_scenario_expects(s, answer->pass, &answer->turn));
            met++;
        }
    }
    hz_bot_close(&greedy);
    return met;
}

static void stated_scenarios_are_read_and_met(void **state) {
    (void)state;
    test_table table = test_table_load("bots_scenarios.tsv", 7);
    test_text text = {0};
    asking ask = asking_new();
    size_t met = 0;
    for (size_t i = 0; i < table.count; i++) {
        add_row(&text, table.rows[i].field);
        hz_catalogue *catalogue = good(test_text_get(&text));
        met += meet(&ask, catalogue);
        hz_catalogue_free(catalogue);
    }
    assert_true(met >= 45);
    asking_free(&ask);
    test_text_free(&text);
    test_table_free(&table);
}

/* ---- the one that comes with the library ---- */

typedef struct judged {
    const hz_scenario *scenario;
    int32_t best; /* of all turns by the goal */
    bool second;  /* walk: compare */
} judged;

/* What the goal looks for, the more the better. */
static int32_t goal_value(const hz_scenario *s, const hz_turn *turn, const hz_position *board) {
    hz_color mover = (hz_color)s->position.side;
    hz_position after = *board;
    switch (s->goal) {
    case HZ_GOAL_KING:
        return turn->took_king;
    case HZ_GOAL_GAIN:
        return hz_evaluate_material(&after, mover);
    case HZ_GOAL_GUARD:
        if (turn->took_king) {
            return 1;
        }
        hz_hand_over(&after);
        return -(int32_t)hz_roll_set_weight(hz_odds_king(&after, mover));
    default:
        return 0;
    }
}

static bool judge_turn(void *context, const hz_turn *turn, const hz_position *board) {
    judged *j = context;
    int32_t value = goal_value(j->scenario, turn, board);
    if (!j->second) {
        j->best = value > j->best ? value : j->best;
        return true;
    }
    test_true(j->scenario->id, "expected are exactly the best by the goal",
              (value == j->best) == hz_scenario_expects(j->scenario, false, turn));
    return true;
}

static void catalogue_of_the_library_is_what_its_goals_say(void **state) {
    (void)state;
    hz_catalogue *catalogue;
    hz_error err;
    if (hz_catalogue_builtin(&catalogue, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
    size_t of_category[4] = {0};
    for (size_t i = 0; i < catalogue->count; i++) {
        const hz_scenario *s = &catalogue->scenarios[i];
        of_category[s->category]++;
        assert_true(*s->why != '\0');
        judged j = {.scenario = s, .best = INT32_MIN};
        if (s->goal != HZ_GOAL_DECISION && s->goal != HZ_GOAL_PASS) {
            (void)hz_turns_visit(&s->position, NULL, NULL, judge_turn, &j);
            j.second = true;
            (void)hz_turns_visit(&s->position, NULL, NULL, judge_turn, &j);
        }
    }
    for (size_t i = 0; i < 4; i++) {
        assert_true(of_category[i] > 0);
    }
    asking ask = asking_new();
    assert_true(meet(&ask, catalogue) > 0);
    asking_free(&ask);
    hz_catalogue_free(catalogue);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compact_form_is_read),
        cmocka_unit_test(long_form_is_read),
        cmocka_unit_test(order_of_micro_moves_matters),
        cmocka_unit_test(every_broken_rule_of_the_compact_form_is_named),
        cmocka_unit_test(every_broken_rule_of_the_long_form_is_named),
        cmocka_unit_test(texts_that_are_no_catalogue_are_refused),
        cmocka_unit_test(roll_of_a_million_turns_is_not_walked_for_a_small_number),
        cmocka_unit_test(stated_scenarios_are_read_and_met),
        cmocka_unit_test(catalogue_of_the_library_is_what_its_goals_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
