/* SPDX-License-Identifier: MIT */
/* One game: who wins when, what a player is told, what an answer that is none costs, clocks. */
#include "arena/players.h"

#include "support/positions.h"

#include <math.h>

typedef struct table {
    hz_referee *referee;
    hz_match_rules rules;
    hz_position start;
    test_player makers[2]; /* by colour */
    hz_match_player players[2];
    hz_match_game_setup setup;
    hz_match_game_result result;
    uint64_t clock_ns;
} table;

static void lay(table *t, const char *dfen, test_manner white, test_manner black) {
    memset(t, 0, sizeof *t);
    t->referee = hz_referee_new();
    assert_non_null(t->referee);
    t->rules = hz_match_rules_default();
    t->rules.verify = true;
    t->rules.now = test_clock;
    t->rules.now_state = &t->clock_ns;
    t->start = test_position(dfen);
    t->makers[0].manner = white;
    t->makers[1].manner = black;
    for (int i = 0; i < 2; i++) {
        t->makers[i].clock_ns = &t->clock_ns;
        t->players[i] = test_player_make(&t->makers[i], i == 0 ? "white" : "black");
        t->setup.players[i] = &t->players[i];
    }
    t->setup.start = &t->start;
    t->setup.dice_seed = t->setup.stream_seed = 42;
}

static void clear(table *t) {
    hz_referee_free(t->referee);
}

static void play(table *t) {
    hz_error err;
    hz_error_clear(&err);
    if (hz_referee_play(t->referee, &t->rules, &t->setup, &t->result, &err) != HZ_OK) {
        fail_msg("%s: %s", hz_status_name(err.code), err.message);
    }
}

static void expect(const table *t, hz_game_outcome outcome, hz_match_end end) {
    char got[HZ_MATCH_END_CAPACITY], wanted[HZ_MATCH_END_CAPACITY];
    assert_string_equal(hz_match_end_text(t->result.end, t->result.http_status, got),
                        hz_match_end_text(end, t->result.http_status, wanted));
    assert_int_equal(t->result.outcome, outcome);
}

/* A seed whose first roll is this one. */
static uint64_t seed_of(const char *roll) {
    hz_pool pool;
    assert_int_equal(hz_pool_from_text(roll, strlen(roll), &pool, NULL), HZ_OK);
    for (uint64_t seed = 0;; seed++) {
        if (hz_roll_at(seed, 0) == pool) {
            return seed;
        }
    }
}

/* ---- dice ---- */

static void honest_players_play_to_the_king(void **state) {
    (void)state;
    table t;
    size_t kings = 0;
    for (uint64_t seed = 0; seed < test_effort(30); seed++) {
        lay(&t, HZ_START_DFEN, TEST_RANDOM, TEST_RANDOM);
        t.setup.dice_seed = t.setup.stream_seed = seed;
        play(&t);
        kings += t.result.end == HZ_END_KING;
        assert_int_equal(t.result.plies, t.result.turn_count);
        assert_int_equal(t.result.sides[0].answers, t.makers[0].asked);
        assert_int_equal(t.result.sides[1].answers, t.makers[1].asked);
        assert_int_equal(t.makers[0].asked + t.makers[1].asked + t.result.forced_passes,
                         t.result.plies);
        for (size_t i = 0; i < t.result.turn_count; i++) {
            assert_int_equal(t.result.turns[i].roll, hz_roll_at(seed, i));
        }
        bool has_winner;
        hz_color winner;
        if (t.result.end == HZ_END_KING) {
            assert_true(hz_game_over(&t.result.last, &has_winner, &winner) && has_winner);
            assert_int_equal(t.result.outcome,
                             winner == HZ_WHITE ? HZ_OUTCOME_WHITE : HZ_OUTCOME_BLACK);
        }
        clear(&t);
    }
    test_met(kings > 0);
}

static void a_clock_of_100_comes_before_a_king_that_could_be_taken(void **state) {
    (void)state;
    table t;
    lay(&t, "3k4/3Q4/8/8/8/8/8/3K4 w - - 100 80", TEST_HONEST, TEST_HONEST);
    t.setup.dice_seed = seed_of("QQQ");
    play(&t);
    expect(&t, HZ_OUTCOME_DRAW, HZ_END_FIFTY);
    assert_int_equal(t.makers[0].asked, 0);
    clear(&t);
    lay(&t, "3k4/3Q4/8/8/8/8/8/3K4 w - - 99 80", TEST_HONEST, TEST_HONEST);
    t.setup.dice_seed = seed_of("QQQ");
    play(&t);
    expect(&t, HZ_OUTCOME_WHITE, HZ_END_KING);
    assert_int_equal(t.result.plies, 1);
    clear(&t);
    /* the turn that passes 100 is played to its end, the next one is not begun */
    lay(&t, "3k4/8/8/8/8/8/8/N2K4 w - - 98 80", TEST_HONEST, TEST_HONEST);
    t.setup.dice_seed = seed_of("NNN");
    play(&t);
    expect(&t, HZ_OUTCOME_DRAW, HZ_END_FIFTY);
    assert_int_equal(t.result.last.halfmove, 101);
    assert_int_equal(t.result.plies, 1);
    clear(&t);
}

static void a_forced_pass_asks_nobody_and_costs_no_time(void **state) {
    (void)state;
    table t;
    lay(&t, "3k4/8/8/8/8/8/8/3K4 w - - 0 1", TEST_HONEST, TEST_HONEST);
    t.setup.dice_seed = seed_of("NNB");
    t.rules.max_plies = 1;
    t.rules.control = (hz_match_control){.base_ms = 1000, .increment_ms = 500};
    play(&t);
    expect(&t, HZ_OUTCOME_DRAW, HZ_END_LENGTH);
    assert_int_equal(t.makers[0].asked + t.makers[1].asked, 0);
    assert_int_equal(t.result.forced_passes, 1);
    assert_int_equal(t.result.turns[0].turn.count, 0);
    assert_int_equal(t.result.turns[0].clock_ms, 1000); /* nor is there an increment for it */
    clear(&t);
}

static void answers_that_are_no_legal_turn_lose_at_once(void **state) {
    (void)state;
    static const test_manner bad[] = {TEST_PASSES, TEST_CHEATS, TEST_GARBAGE};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        for (int color = 0; color < 2; color++) {
            table t;
            lay(&t, HZ_START_DFEN, color == 0 ? bad[i] : TEST_HONEST,
                color == 1 ? bad[i] : TEST_HONEST);
            t.makers[color].from = 1;
            t.setup.dice_seed = 1;
            play(&t);
            expect(&t, color == 0 ? HZ_OUTCOME_BLACK : HZ_OUTCOME_WHITE, HZ_END_ILLEGAL);
            assert_int_equal(t.result.mover, color);
            assert_int_equal(t.makers[color].asked, 2);
            assert_true(t.result.has_lost_answer);
            clear(&t);
        }
    }
}

static void a_turn_that_spends_too_few_dice_is_illegal(void **state) {
    (void)state;
    table t;
    lay(&t, HZ_START_DFEN, TEST_SHORT, TEST_HONEST);
    t.setup.dice_seed = seed_of("PNN");
    play(&t);
    expect(&t, HZ_OUTCOME_BLACK, HZ_END_ILLEGAL);
    assert_int_equal(t.result.turn_count, 0);
    clear(&t);
}

static void the_quick_look_at_answers_agrees_with_the_list(void **state) {
    (void)state;
    static const char *const starts[] = {
        HZ_START_DFEN,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "4k2r/8/8/3pP3/8/8/8/4R1K1 w k d6 0 1",
    };
    size_t illegal = 0, turns = 0;
    uint64_t seed = test_seed();
    for (size_t i = 0; i < test_effort(400); i++) {
        table t;
        lay(&t, starts[i % 4], TEST_MUTATES, TEST_MUTATES);
        t.setup.dice_seed = t.setup.stream_seed = seed + i;
        t.rules.max_plies = 8;
        play(&t); /* HZ_VERIFY would fail it */
        illegal += t.result.end == HZ_END_ILLEGAL;
        turns += t.result.turn_count;
        clear(&t);
    }
    test_met(illegal > 0 && turns > illegal);
}

static void every_fault_loses_under_its_own_name(void **state) {
    (void)state;
    for (int fault = HZ_FAULT_ILLEGAL; fault < HZ_MATCH_FAULTS; fault++) {
        table t;
        char text[HZ_MATCH_END_CAPACITY];
        lay(&t, HZ_START_DFEN, TEST_FAULTS, TEST_HONEST);
        t.makers[0].fault = (hz_match_fault)fault;
        t.makers[0].http_status = 503;
        play(&t);
        assert_int_equal(t.result.outcome, HZ_OUTCOME_BLACK);
        assert_int_equal(t.result.fault, fault);
        assert_string_equal(t.result.note, "on purpose");
        const char *wanted =
            fault == HZ_FAULT_HTTP_STATUS ? "http_503" : hz_match_fault_text((hz_match_fault)fault);
        assert_string_equal(hz_match_end_text(t.result.end, t.result.http_status, text), wanted);
        clear(&t);
    }
}

static void names_of_ends_are_read_back(void **state) {
    (void)state;
    char text[HZ_MATCH_END_CAPACITY];
    for (int end = 0; end < HZ_MATCH_ENDS; end++) {
        hz_match_end read;
        int status = end == HZ_END_HTTP_STATUS ? 418 : 0, http = -1;
        assert_true(
            hz_match_end_find(hz_match_end_text((hz_match_end)end, status, text), &read, &http));
        assert_int_equal(read, end);
        assert_int_equal(http, status);
    }
    hz_match_end read;
    int http;
    assert_false(hz_match_end_find("boredom", &read, &http));
    assert_false(hz_match_end_find("http_", &read, &http));
    assert_false(hz_match_end_find("http", &read, &http));
}

static void the_greatest_length_ends_a_game_and_is_named(void **state) {
    (void)state;
    table t;
    lay(&t, HZ_START_DFEN, TEST_HONEST, TEST_HONEST);
    t.rules.max_plies = 2;
    t.setup.dice_seed = 3;
    play(&t);
    expect(&t, HZ_OUTCOME_DRAW, HZ_END_LENGTH);
    assert_int_equal(t.result.plies, 2);
    clear(&t);
}

static void streams_are_those_of_pair_and_colour(void **state) {
    (void)state;
    table t;
    lay(&t, HZ_START_DFEN, TEST_HONEST, TEST_HONEST);
    t.rules.max_plies = 6;
    t.setup.stream_seed = 977;
    play(&t);
    assert_true(t.makers[0].asked > 0 && t.makers[1].asked > 0);
    assert_true(t.makers[0].last.random->seed == hz_random_mix(977 ^ UINT64_C(0xA5A5A5A5A5A5A5A5)));
    assert_true(t.makers[1].last.random->seed == hz_random_mix(977 ^ UINT64_C(0x5A5A5A5A5A5A5A5A)));
    clear(&t);
}

static void a_player_resigns_only_by_both_rules(void **state) {
    (void)state;
    static const struct {
        int32_t score;
        uint32_t turns;
        bool resigns;
    } cases[] = {{300, 3, true}, {300, 0, false}, {0, 3, false}, {301, 3, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        table t;
        lay(&t, HZ_START_DFEN, TEST_HONEST, TEST_HONEST);
        t.makers[1].score = -300;
        t.rules.resign_score = cases[i].score;
        t.rules.resign_turns = cases[i].turns;
        t.rules.max_plies = 40;
        t.setup.dice_seed = 5;
        play(&t);
        assert_int_equal(t.result.end == HZ_END_RESIGNATION, cases[i].resigns);
        if (cases[i].resigns) {
            assert_int_equal(t.result.outcome, HZ_OUTCOME_WHITE);
            assert_int_equal(t.makers[1].asked, 3);
        }
        clear(&t);
    }
}

/* ---- clocks ---- */

static void a_clock_of_exactly_zero_is_alive(void **state) {
    (void)state;
    table t;
    lay(&t, HZ_START_DFEN, TEST_HONEST, TEST_HONEST);
    t.rules.control = (hz_match_control){.base_ms = 1000, .increment_ms = 0};
    t.rules.max_plies = 1;
    t.makers[0].think_ns = 1000 * UINT64_C(1000000);
    t.setup.dice_seed = 1;
    play(&t);
    expect(&t, HZ_OUTCOME_DRAW, HZ_END_LENGTH);
    assert_int_equal(t.result.turns[0].clock_ms, 0);
    clear(&t);
    lay(&t, HZ_START_DFEN, TEST_HONEST, TEST_HONEST);
    t.rules.control = (hz_match_control){.base_ms = 1000, .increment_ms = 2000};
    t.makers[0].think_ns = 1001 * UINT64_C(1000000);
    t.setup.dice_seed = 1;
    play(&t);
    expect(&t, HZ_OUTCOME_BLACK, HZ_END_TIME);
    assert_int_equal(t.result.plies, 0);
    clear(&t);
}

static void time_comes_before_a_bad_answer_and_the_king(void **state) {
    (void)state;
    table t;
    lay(&t, "3k4/3Q4/8/8/8/8/8/3K4 w - - 0 80", TEST_HONEST, TEST_HONEST);
    t.setup.dice_seed = seed_of("QQQ");
    t.rules.control = (hz_match_control){.base_ms = 10, .increment_ms = 0};
    t.makers[0].think_ns = UINT64_C(20000000);
    play(&t);
    expect(&t, HZ_OUTCOME_BLACK, HZ_END_TIME);
    clear(&t);
    lay(&t, HZ_START_DFEN, TEST_FAULTS, TEST_HONEST);
    t.makers[0].fault = HZ_FAULT_LOST;
    t.rules.control = (hz_match_control){.base_ms = 10, .increment_ms = 0};
    t.makers[0].think_ns = UINT64_C(20000000);
    play(&t);
    expect(&t, HZ_OUTCOME_BLACK, HZ_END_TIME);
    assert_int_equal(t.result.fault, HZ_FAULT_LOST); /* so that it is started again */
    clear(&t);
}

static void clocks_are_charged_to_the_microsecond(void **state) {
    (void)state;
    table t;
    lay(&t, HZ_START_DFEN, TEST_HONEST, TEST_HONEST);
    t.rules.control = (hz_match_control){.base_ms = 1000, .increment_ms = 10};
    t.rules.max_plies = 20;
    t.makers[0].think_ns = 1600000; /* 1.6 ms: 1, then 2 by what was owed, ... */
    t.makers[1].think_ns = 0;
    t.setup.dice_seed = 5;
    play(&t);
    uint64_t answers = 0;
    for (size_t i = 0; i < t.result.turn_count; i += 2) {
        answers += t.result.turns[i].turn.count > 0;
        uint64_t rest = 1000 + 10 * answers - answers * 1600 / 1000;
        assert_int_equal(t.result.turns[i].clock_ms, rest);
    }
    test_met(answers > 3);
    clear(&t);
}

static void a_searching_player_gets_a_deadline_from_the_time_policy(void **state) {
    (void)state;
    table t;
    lay(&t, HZ_START_DFEN, TEST_HONEST, TEST_HONEST);
    t.rules.control = (hz_match_control){.base_ms = 60000, .increment_ms = 1000};
    t.rules.max_plies = 1;
    t.setup.dice_seed = 1;
    t.clock_ns = 12345;
    play(&t);
    hz_clock clock = {.remaining_ms = 60000, .increment_ms = 1000, .move_number = 1};
    hz_time_allotment a = hz_time_allot(HZ_TIME_EMPIRICAL, &clock);
    const hz_match_question *q = &t.makers[0].last;
    assert_true(q->timed && q->rest_ms[0] == 60000 && q->rest_ms[1] == 60000);
    assert_int_equal(q->increment_ms, 1000);
    assert_int_equal(q->deadline.at_ns,
                     12345 + (uint64_t)hz_time_budget_ms(&a, 50) * UINT64_C(1000000));
    clear(&t);
}

static void time_controls_are_read_and_bad_ones_refused(void **state) {
    (void)state;
    hz_match_control c[4];
    size_t count;
    hz_error err;
    assert_int_equal(hz_match_controls_parse("60+0.5,m:3+2,m:1.5,0.25+0", c, 4, &count, &err),
                     HZ_OK);
    assert_int_equal(count, 4);
    assert_true(c[0].base_ms == 60000 && c[0].increment_ms == 500);
    assert_true(c[1].base_ms == 180000 && c[1].increment_ms == 120000);
    assert_true(c[2].base_ms == 90000 && c[2].increment_ms == 0);
    assert_true(c[3].base_ms == 250 && c[3].increment_ms == 0);
    assert_string_equal(c[1].label, "m:3+2");
    static const char *const bad[] = {
        "",      "0+1",   "+1", "60+",   "60+-1", "x",    "60,",           ",60",
        "60+1,", "1e3+1", "m:", "60 +1", "1.+.",  "-5+1", "99999999999+1", "60+1+1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        test_true(bad[i], "status",
                  hz_match_controls_parse(bad[i], c, 4, &count, &err) == HZ_INVALID_ARGUMENT);
        assert_true(err.offset <= strlen(bad[i]));
    }
    assert_int_equal(hz_match_controls_parse("1,1,1,1,1", c, 4, &count, &err), HZ_INVALID_ARGUMENT);
}

/* ---- looking twice ---- */

static void a_wrong_key_is_found_at_once(void **state) {
    (void)state;
    table t;
    hz_error err;
    lay(&t, HZ_START_DFEN, TEST_HONEST, TEST_HONEST);
    t.start.key ^= 4;
    assert_int_equal(hz_referee_play(t.referee, &t.rules, &t.setup, &t.result, &err), HZ_VERIFY);
    assert_non_null(strstr(err.message, "key"));
    assert_non_null(strstr(err.message, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w"));
    t.rules.verify = false;
    t.rules.max_plies = 1;
    assert_int_equal(hz_referee_play(t.referee, &t.rules, &t.setup, &t.result, &err), HZ_OK);
    clear(&t);
}

static void a_raised_flag_ends_the_game_without_a_result(void **state) {
    (void)state;
    table t;
    hz_error err;
    hz_cancel cancel = {0};
    lay(&t, HZ_START_DFEN, TEST_HONEST, TEST_HONEST);
    t.rules.cancel = &cancel;
    hz_cancel_request(&cancel);
    assert_int_equal(hz_referee_play(t.referee, &t.rules, &t.setup, &t.result, &err), HZ_CANCELLED);
    clear(&t);
}

/* ---- carelessness ---- */

static void hanging_pieces_are_counted_and_their_punishment_too(void **state) {
    (void)state;
    /* White's only turns leave its queen where the rook takes it. */
    table t;
    lay(&t, "q6k/8/8/8/8/8/8/Q6K w - - 0 1", TEST_HONEST, TEST_HONEST);
    t.rules.carelessness = true;
    t.rules.max_plies = 60;
    t.setup.dice_seed = seed_of("KPP");
    play(&t);
    const hz_carelessness *white = &t.result.sides[0].careless;
    assert_true(white->turns > 0);
    assert_true(white->hang_turns > 0 && white->queen_hang_turns > 0);
    assert_true(white->hanging_material >= 900);
    assert_true(white->punished_captures <= white->hang_turns);
    assert_int_equal(white->punished_material, 900 * white->punished_captures);
    clear(&t);
}

/* ---- chess ---- */

static void chess_ends_by_its_own_rules(void **state) {
    (void)state;
    static const struct {
        const char *fen;
        hz_game_outcome outcome;
        hz_match_end end;
    } cases[] = {
        {"R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1", HZ_OUTCOME_WHITE, HZ_END_CHECKMATE},
        {"k7/2Q5/8/8/8/8/8/K7 b - - 0 1", HZ_OUTCOME_DRAW, HZ_END_STALEMATE},
        {"k7/8/8/8/8/8/8/KB6 b - - 0 1", HZ_OUTCOME_DRAW, HZ_END_DEAD_MATERIAL},
        {"k7/8/8/8/8/8/R7/K7 b - - 100 90", HZ_OUTCOME_DRAW, HZ_END_FIFTY},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        table t;
        lay(&t, cases[i].fen, TEST_HONEST, TEST_HONEST);
        t.rules.game = HZ_MATCH_CHESS;
        play(&t);
        expect(&t, cases[i].outcome, cases[i].end);
        assert_int_equal(t.result.plies, 0);
        clear(&t);
    }
}

/* Moves two knights out and back for ever. */
static hz_status shuffle(hz_match_player *player, const hz_match_question *q, hz_match_reply *reply,
                         hz_error *err) {
    static const char *const moves[] = {"g1f3", "g8f6", "f3g1", "f6g8"};
    (void)player;
    return hz_chess_move_from_text(q->position, moves[q->ply % 4], 4, &reply->move, err);
}

static void the_third_occurrence_is_a_draw(void **state) {
    (void)state;
    table t;
    lay(&t, HZ_START_DFEN, TEST_HONEST, TEST_HONEST);
    t.rules.game = HZ_MATCH_CHESS;
    t.players[0].ask = t.players[1].ask = shuffle;
    play(&t);
    expect(&t, HZ_OUTCOME_DRAW, HZ_END_THREEFOLD);
    assert_int_equal(t.result.plies, 8);
    clear(&t);
}

static void chess_answers_are_checked_as_strictly(void **state) {
    (void)state;
    static const test_manner bad[] = {TEST_PASSES, TEST_CHEATS, TEST_GARBAGE};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        table t;
        lay(&t, HZ_START_DFEN, TEST_HONEST, bad[i]);
        t.rules.game = HZ_MATCH_CHESS;
        play(&t);
        expect(&t, HZ_OUTCOME_WHITE, HZ_END_ILLEGAL);
        clear(&t);
    }
    table t;
    hz_error err;
    lay(&t, "8/8/8/8/8/8/8/K7 w - - 0 1", TEST_HONEST, TEST_HONEST);
    t.rules.game = HZ_MATCH_CHESS;
    assert_int_equal(hz_referee_play(t.referee, &t.rules, &t.setup, &t.result, &err),
                     HZ_INVALID_ARGUMENT);
    clear(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(honest_players_play_to_the_king),
        cmocka_unit_test(a_clock_of_100_comes_before_a_king_that_could_be_taken),
        cmocka_unit_test(a_forced_pass_asks_nobody_and_costs_no_time),
        cmocka_unit_test(answers_that_are_no_legal_turn_lose_at_once),
        cmocka_unit_test(a_turn_that_spends_too_few_dice_is_illegal),
        cmocka_unit_test(the_quick_look_at_answers_agrees_with_the_list),
        cmocka_unit_test(every_fault_loses_under_its_own_name),
        cmocka_unit_test(names_of_ends_are_read_back),
        cmocka_unit_test(the_greatest_length_ends_a_game_and_is_named),
        cmocka_unit_test(streams_are_those_of_pair_and_colour),
        cmocka_unit_test(a_player_resigns_only_by_both_rules),
        cmocka_unit_test(a_clock_of_exactly_zero_is_alive),
        cmocka_unit_test(time_comes_before_a_bad_answer_and_the_king),
        cmocka_unit_test(clocks_are_charged_to_the_microsecond),
        cmocka_unit_test(a_searching_player_gets_a_deadline_from_the_time_policy),
        cmocka_unit_test(time_controls_are_read_and_bad_ones_refused),
        cmocka_unit_test(a_wrong_key_is_found_at_once),
        cmocka_unit_test(a_raised_flag_ends_the_game_without_a_result),
        cmocka_unit_test(hanging_pieces_are_counted_and_their_punishment_too),
        cmocka_unit_test(chess_ends_by_its_own_rules),
        cmocka_unit_test(the_third_occurrence_is_a_draw),
        cmocka_unit_test(chess_answers_are_checked_as_strictly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
