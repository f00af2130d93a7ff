/* SPDX-License-Identifier: MIT */
/* Openings, how games end, and what an evaluator's misbehaviour costs. */
#include "league/league.h"

#include <math.h>

static void openings_lead_where_they_should(void **state) {
    (void)state;
    test_table table = test_table_load("league_openings.tsv", 4);
    assert_int_equal(table.count, HZ_LEAGUE_OPENINGS);
    for (size_t i = 0; i < table.count; i++) {
        const char *const *f = table.rows[i].field;
        const hz_league_opening *opening = &hz_league_openings[i];
        hz_chess_game game;
        char fen[HZ_DFEN_CAPACITY];
        assert_int_equal(test_number(f[0]), i + 1);
        assert_string_equal(f[1], opening->eco);
        assert_int_equal(hz_league_opening_game(opening, &game, NULL), HZ_OK);
        assert_int_equal(game.count, 0);
        (void)hz_chess_to_fen(&game.start, fen, sizeof fen);
        test_same_text(opening->name, "position", f[3], fen);
        assert_int_equal((strlen(opening->moves) + 1) / 5, test_number(f[2]));
        hz_chess_game_fini(&game);
    }
    test_table_free(&table);
}

/* A set of openings as the text that is read. */
static char *as_text(const hz_league_opening *set, int count) {
    char *text = calloc(1, 20000);
    assert_non_null(text);
    strcat(text, "# a private set\r\n\n");
    for (int i = 0; i < count; i++) {
        test_append(text, 20000, set[i % 25].eco);
        test_append(text, 20000, "\t");
        test_append(text, 20000, set[i % 25].name);
        test_append(text, 20000, "\t");
        test_append(text, 20000, set[i % 25].moves);
        test_append(text, 20000, i % 2 ? "\n" : "\r\n");
    }
    return text;
}

static void a_set_of_openings_is_read_as_it_was_written(void **state) {
    (void)state;
    static const hz_league_opening *const sets[] = {hz_league_openings, hz_league_second_openings};
    for (int s = 0; s < 2; s++) {
        hz_league_opening read[HZ_LEAGUE_OPENINGS];
        hz_arena arena = {0};
        hz_error err;
        char *text = as_text(sets[s], 25);
        hz_status status = hz_league_openings_read(text, strlen(text), &arena, read, &err);
        if (status != HZ_OK) {
            fail_msg("%s", err.message);
        }
        for (int i = 0; i < 25; i++) {
            assert_string_equal(read[i].eco, sets[s][i].eco);
            assert_string_equal(read[i].name, sets[s][i].name);
            assert_string_equal(read[i].moves, sets[s][i].moves);
        }
        free(text);
        hz_arena_fini(&arena);
    }
}

static void a_wrong_set_of_openings_is_refused_with_its_line(void **state) {
    (void)state;
    static const struct {
        int count;
        const char *extra;
        unsigned line;
    } cases[] = {{24, "", 26},
                 {26, "", 28},
                 {24, "A00\tname\te2e4", 27},              /* Black to move */
                 {24, "A00\tname\te2e4 e7e5", 27},         /* too short */
                 {24, "A00\te2e4 e7e5 g1f3 b8c6", 27},     /* two fields */
                 {24, "A00\tname\tx\te2e4 e7e5 a2a3", 27}, /* four */
                 {24, "A00\tna\x01me\te2e4 e7e5 g1f3 b8c6", 27},
                 {24, "A00\tname\te2e4 e7e5 g1f4 b8c6", 27},                      /* no move */
                 {24, "A00\tname\tf2f3 e7e5 g2g4 d8h4 a2a3 a7a6", 27},            /* mate */
                 {24, "A00\tname\te2e4  e7e5 g1f3 b8c6", 27},                     /* two blanks */
                 {24, "A00\tname\te2e4 e7e5 g1f3 b8c6 f1c4 f8c5 c2c3 g8f6", 27}}; /* twice */
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hz_league_opening read[HZ_LEAGUE_OPENINGS];
        hz_arena arena = {0};
        hz_error err;
        hz_error_clear(&err);
        char *text = as_text(hz_league_openings, cases[i].count);
        test_append(text, 20000, cases[i].extra);
        if (hz_league_openings_read(text, strlen(text), &arena, read, &err) == HZ_OK) {
            fail_msg("case %zu was read", i);
        }
        assert_int_equal(err.line, cases[i].line);
        free(text);
        hz_arena_fini(&arena);
    }
}

/* ---- ends -------------------------------------------------------------------------------------------- */

/* Plays two noise players from a position and gives the result. */
static hz_league_result play_from(const char *fen, hz_league_judge judge, hz_color color,
                                  size_t *plies) {
    hz_chess_game game;
    hz_league_result result;
    hz_error err;
    hz_position start = league_fen(fen);
    hz_league_player *evaluator =
        league_player((hz_league_player_config){.judge = judge, .depth = 1, .cached = true});
    hz_league_player *baseline = league_player(hz_league_baseline(1));
    assert_int_equal(hz_chess_game_init(&game, &start, NULL), HZ_OK);
    hz_status status = hz_league_play(evaluator, baseline, color, 0, NULL, &game, &result, &err);
    if (status != HZ_OK) {
        fail_msg("%s: %s", fen, err.message);
    }
    assert_int_equal(game.count, result.plies);
    *plies = game.count;
    hz_chess_game_fini(&game);
    hz_league_player_free(evaluator);
    hz_league_player_free(baseline);
    return result;
}

static void games_end_by_the_rules(void **state) {
    (void)state;
    static const struct {
        const char *fen;
        hz_color color;
        hz_league_reason reason;
        int points2;
        size_t plies; /* SIZE_MAX = any number */
    } cases[] = {
        {"6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", HZ_WHITE, HZ_LEAGUE_CHECKMATE, 2, 1},
        {"6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", HZ_BLACK, HZ_LEAGUE_CHECKMATE, 0, 1},
        /* mate goes before the fifty moves */
        {"6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 99 80", HZ_WHITE, HZ_LEAGUE_CHECKMATE, 2, 1},
        {"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", HZ_WHITE, HZ_LEAGUE_STALEMATE, 1, 0},
        {"7k/8/8/8/8/8/8/K6B w - - 0 1", HZ_WHITE, HZ_LEAGUE_DEAD, 1, 0},
        {"7k/8/8/8/8/8/8/K5BR w - - 100 90", HZ_WHITE, HZ_LEAGUE_FIFTY, 1, 0},
        {"7k/p7/P7/8/8/8/8/K7 w - - 99 90", HZ_WHITE, HZ_LEAGUE_FIFTY, 1, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t plies;
        hz_league_result result =
            play_from(cases[i].fen, (hz_league_judge){0}, cases[i].color, &plies);
        test_same_text(cases[i].fen, "reason", hz_league_reason_text(cases[i].reason),
                       hz_league_reason_text(result.reason));
        assert_int_equal(result.points2, cases[i].points2);
        test_true(cases[i].fen, "plies", cases[i].plies == SIZE_MAX || plies == cases[i].plies);
    }
}

static void the_third_occurrence_ends_a_game(void **state) {
    (void)state;
    /* Kings behind a wall of pawns: nothing to do but to go to and fro. */
    size_t plies;
    hz_league_result result = play_from("k7/8/p1p1p1p1/P1P1P1P1/8/8/8/K7 w - - 0 1",
                                        (hz_league_judge){0}, HZ_WHITE, &plies);
    assert_int_equal(result.reason, HZ_LEAGUE_THREEFOLD);
    assert_int_equal(result.points2, 1);
}

static hz_status failing(void *state, const hz_position *p, size_t n, float *values,
                         hz_error *err) {
    int *left = state;
    (void)p;
    for (size_t i = 0; i < n; i++) {
        values[i] = 0.0F;
    }
    return --*left > 0 ? HZ_OK
                       : hz_fail(err, HZ_MODEL_RUN, HZ_NO_OFFSET, "it says: value is not finite");
}

static hz_status not_finite(void *state, const hz_position *p, size_t n, float *values,
                            hz_error *err) {
    int *left = state;
    (void)p;
    (void)err;
    for (size_t i = 0; i < n; i++) {
        values[i] = --*left > 0 ? 0.0F : NAN;
    }
    return HZ_OK;
}

static void misbehaviour_forfeits_the_game_for_its_reason(void **state) {
    (void)state;
    size_t plies;
    int left = 4;
    hz_league_result result =
        play_from(HZ_START_DFEN, (hz_league_judge){failing, &left}, HZ_WHITE, &plies);
    assert_int_equal(result.reason, HZ_LEAGUE_CRASH); /* whatever words its message has */
    assert_int_equal(result.points2, 0);
    left = 100;
    result = play_from(HZ_START_DFEN, (hz_league_judge){not_finite, &left}, HZ_BLACK, &plies);
    assert_int_equal(result.reason, HZ_LEAGUE_NOT_FINITE);
    assert_int_equal(result.points2, 0);
    assert_true(plies > 1 && plies % 2 == 1);
}

static hz_status slow(void *state, const hz_position *p, size_t n, float *values, hz_error *err) {
    (void)state;
    (void)err;
    uint64_t until = hz_clock_now_ns() + 3000000;
    while (hz_clock_now_ns() < until) {
    }
    return league_noise(NULL, p, n, values, err);
}

static void time_is_counted_over_the_whole_game(void **state) {
    (void)state;
    hz_chess_game game;
    hz_league_result result;
    hz_league_player *evaluator =
        league_player((hz_league_player_config){.judge = {slow, NULL}, .depth = 1, .cached = true});
    hz_league_player *baseline = league_player(hz_league_baseline(1));
    assert_int_equal(hz_league_opening_game(&hz_league_openings[0], &game, NULL), HZ_OK);
    uint64_t begun = hz_clock_now_ns();
    assert_int_equal(
        hz_league_play(evaluator, baseline, HZ_WHITE, 200000000, NULL, &game, &result, NULL),
        HZ_OK);
    assert_int_equal(result.reason, HZ_LEAGUE_TIMEOUT);
    assert_int_equal(result.points2, 0);
    assert_true(result.evaluator_ns >= 200000000);
    assert_true(hz_clock_now_ns() - begun < 30000000000u);
    hz_chess_game_fini(&game);
    hz_league_player_free(evaluator);
    hz_league_player_free(baseline);
}

static hz_status cancelling(void *state, const hz_position *p, size_t n, float *values,
                            hz_error *err) {
    hz_cancel_request(state);
    return league_noise(NULL, p, n, values, err);
}

static void a_cancelled_game_is_no_result(void **state) {
    (void)state;
    hz_cancel cancel = {0};
    hz_chess_game game;
    hz_league_result result;
    hz_error err;
    hz_league_player *evaluator =
        league_player((hz_league_player_config){.judge = {cancelling, &cancel}, .depth = 1});
    hz_league_player *baseline = league_player(hz_league_baseline(1));
    assert_int_equal(hz_league_opening_game(&hz_league_openings[3], &game, NULL), HZ_OK);
    assert_int_equal(
        hz_league_play(evaluator, baseline, HZ_WHITE, 0, &cancel, &game, &result, &err),
        HZ_CANCELLED);
    hz_chess_game_fini(&game);
    hz_league_player_free(evaluator);
    hz_league_player_free(baseline);
}

/* The same evaluator on both sides: what it does with White in one game it does with Black in the
 * other, so the points of every opening are 2 of 4. */
static void the_handcrafted_evaluator_shares_the_points_with_level_1(void **state) {
    (void)state;
    hz_league_player *evaluator =
        league_player((hz_league_player_config){.depth = 1, .cached = true, .batched = true});
    hz_league_player *baseline = league_player(hz_league_baseline(1));
    for (int i = 0; i < HZ_LEAGUE_OPENINGS; i++) {
        hz_chess_game games[2];
        hz_league_result results[2];
        for (int k = 0; k < 2; k++) {
            assert_int_equal(hz_league_opening_game(&hz_league_openings[i], &games[k], NULL),
                             HZ_OK);
            assert_int_equal(hz_league_play(evaluator, baseline, (hz_color)k, 0, NULL, &games[k],
                                            &results[k], NULL),
                             HZ_OK);
        }
        assert_int_equal(results[0].points2 + results[1].points2, 2);
        assert_int_equal(games[0].count, games[1].count);
        assert_memory_equal(games[0].moves, games[1].moves, games[0].count * sizeof(hz_move));
        hz_chess_game_fini(&games[0]);
        hz_chess_game_fini(&games[1]);
    }
    hz_league_player_free(evaluator);
    hz_league_player_free(baseline);
}

/* ---- PGN --------------------------------------------------------------------------------------------- */

static bool add_text(void *context, const char *text, size_t length) {
    char piece[100];
    for (size_t at = 0; at < length; at += sizeof piece - 1) {
        size_t some = length - at < sizeof piece - 1 ? length - at : sizeof piece - 1;
        memcpy(piece, text + at, some);
        piece[some] = '\0';
        test_text_add(context, piece);
    }
    return true;
}

static void a_game_as_pgn_reads_back(void **state) {
    (void)state;
    hz_chess_game game;
    hz_league_record record = {
        .level = 1, .number = 7, .opening = &hz_league_openings[3], .game = &game};
    hz_league_player *evaluator =
        league_player((hz_league_player_config){.judge = hz_league_judge_material(), .depth = 1});
    hz_league_player *baseline = league_player(hz_league_baseline(1));
    assert_int_equal(hz_league_opening_game(record.opening, &game, NULL), HZ_OK);
    assert_int_equal(
        hz_league_play(evaluator, baseline, HZ_WHITE, 0, NULL, &game, &record.result, NULL), HZ_OK);
    test_text text = {0};
    hz_error err;
    assert_int_equal(hz_league_write_pgn(&record, "net \"x\"", "2026.01.02", add_text, &text, &err),
                     HZ_OK);
    hz_pgn_reader *reader = hz_pgn_reader_text(text.text, text.length, true, true);
    hz_arena arena = {0};
    hz_pgn_game read;
    assert_int_equal(hz_pgn_read(reader, &arena, &read, &err), HZ_OK);
    assert_int_equal(read.plies, game.count);
    assert_string_equal(hz_pgn_tag_find(&read, "White"), "net \"x\"");
    assert_string_equal(hz_pgn_tag_find(&read, "Black"), "Level 1 (Beginner)");
    assert_string_equal(hz_pgn_tag_find(&read, "Round"), "1.7");
    assert_string_equal(hz_pgn_tag_find(&read, "ECO"), "C45");
    assert_int_equal(read.result, record.result.points2 == 2   ? HZ_PGN_WHITE
                                  : record.result.points2 == 1 ? HZ_PGN_DRAW
                                                               : HZ_PGN_BLACK);
    const hz_pgn_move *at = read.moves;
    for (size_t i = 0; i < game.count; i++, at = at->next) {
        assert_int_equal(at->move, game.moves[i]);
    }
    hz_pgn_reader_free(reader);
    hz_arena_fini(&arena);
    test_text_free(&text);
    hz_chess_game_fini(&game);
    hz_league_player_free(evaluator);
    hz_league_player_free(baseline);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(openings_lead_where_they_should),
        cmocka_unit_test(a_set_of_openings_is_read_as_it_was_written),
        cmocka_unit_test(a_wrong_set_of_openings_is_refused_with_its_line),
        cmocka_unit_test(games_end_by_the_rules),
        cmocka_unit_test(the_third_occurrence_ends_a_game),
        cmocka_unit_test(misbehaviour_forfeits_the_game_for_its_reason),
        cmocka_unit_test(time_is_counted_over_the_whole_game),
        cmocka_unit_test(a_cancelled_game_is_no_result),
        cmocka_unit_test(the_handcrafted_evaluator_shares_the_points_with_level_1),
        cmocka_unit_test(a_game_as_pgn_reads_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
