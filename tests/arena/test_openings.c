/* SPDX-License-Identifier: MIT */
/* Lists of start positions in all their forms, and what is wrong with one. */
#include <hazard/arena.h>

#include <string.h>

#include "support/positions.h"

static void lists_of_positions_are_read_in_both_games(void **state) {
    (void)state;
    static const char dice[] = "# two\n\n  " HZ_START_DFEN "\r\n"
                               "8/8/4k3/8/8/4K3/8/8 b - a3c3 5 9 PNB";
    static const char chess[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n"
                                "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - "
                                "id \"a\"; hmvc 2;\n";
    hz_openings o;
    hz_error err;
    assert_int_equal(hz_openings_parse(dice, strlen(dice), HZ_MATCH_DICE, &o, &err), HZ_OK);
    assert_int_equal(o.count, 2);
    hz_position start = test_position(HZ_START_DFEN);
    assert_true(test_same_position(&o.positions[0], &start));
    assert_int_equal(o.positions[1].pool, 0);
    assert_int_equal(o.positions[1].halfmove, 5);
    hz_openings_free(&o);
    assert_int_equal(hz_openings_parse(chess, strlen(chess), HZ_MATCH_CHESS, &o, &err), HZ_OK);
    assert_int_equal(o.count, 2);
    assert_int_equal(o.positions[1].halfmove, 2);
    hz_openings_free(&o);
}

static void games_give_the_positions_after_their_last_moves(void **state) {
    (void)state;
    static const char pgn[] = "[Event \"x\"]\n[Result \"*\"]\n\n1. e4 e5 2. Nf3 *\n\n"
                              "[Event \"y\"]\n[Result \"*\"]\n\n1. d4 *\n";
    static const char record[] =
        "[HazardRecord \"1\"]\n[White \"a\"]\n[Black \"b\"]\n[Result \"*\"]\n"
        "[Reason \"unterminated\"]\n\n1. PPN e2e4,e4e5,g1f3\n*\n";
    hz_openings o;
    hz_error err;
    char dfen[HZ_DFEN_CAPACITY];
    assert_int_equal(hz_openings_parse(pgn, strlen(pgn), HZ_MATCH_CHESS, &o, &err), HZ_OK);
    assert_int_equal(o.count, 2);
    (void)hz_chess_to_fen(&o.positions[0], dfen, sizeof dfen);
    assert_string_equal(dfen, "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
    hz_openings_free(&o);
    if (hz_openings_parse(record, strlen(record), HZ_MATCH_DICE, &o, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
    assert_int_equal(o.count, 1);
    assert_string_equal(test_dfen(&o.positions[0], dfen),
                        "rnbqkbnr/pppppppp/8/4P3/8/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 1");
    hz_openings_free(&o);
}

static void bad_lists_are_refused_at_their_place(void **state) {
    (void)state;
    static const struct {
        hz_match_game game;
        const char *text;
        uint32_t line, column;
        const char *word;
    } cases[] = {
        {HZ_MATCH_DICE, "", 0, 0, "no start"},
        {HZ_MATCH_DICE, "# nothing\n\n", 0, 0, "no start"},
        {HZ_MATCH_DICE, HZ_START_DFEN "\nrubbish\n", 2, 8, "field"},
        {HZ_MATCH_DICE, "\n 8/8/8/8/8/8/8/K7 w - - 0 1", 2, 2, "king"},
        {HZ_MATCH_DICE, HZ_START_DFEN " XYZ", 1, 58, ""},
        {HZ_MATCH_CHESS, "8/8/8/8/8/8/8/K7 w - - 0 1", 1, 1, "king"},
        {HZ_MATCH_CHESS, "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", 1, 1, ""},
        {HZ_MATCH_CHESS, "[Event \"x\"]\n\n1. e4 e4 *\n", 3, 7, ""},
        {HZ_MATCH_DICE, "[HazardRecord \"2\"]\n", 1, 16, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hz_openings o = {77, NULL};
        hz_error err;
        hz_error_clear(&err);
        hz_status status =
            hz_openings_parse(cases[i].text, strlen(cases[i].text), cases[i].game, &o, &err);
        test_same_text(cases[i].text, "status", "OPENINGS", hz_status_name(status));
        test_same_number(err.message, "line", cases[i].line, err.line);
        test_true(err.message, cases[i].text, strstr(err.message, cases[i].word) != NULL);
        if (cases[i].line) {
            test_same_number(err.message, "column", cases[i].column, err.column);
            assert_true(err.offset <= strlen(cases[i].text));
        }
        assert_int_equal(o.count, 77);
    }
}

static void any_bytes_are_read_or_refused(void **state) {
    (void)state;
    static const char seed_text[] =
        "[Event \"x\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K3 w - - 0 1\"]\n\n1. Ra8+ {c} (1. Rb1) "
        "*\n" HZ_START_DFEN "\n# x\n4k3/8/8/8/8/8/8/R3K3 w - - bm Ra8;\n";
    hz_random random = hz_random_from_seed(test_seed());
    for (size_t i = 0; i < test_effort(4000); i++) {
        char text[sizeof seed_text];
        size_t first = hz_random_draw(&random, sizeof seed_text - 1);
        size_t length = 1 + hz_random_draw(&random, (uint32_t)(sizeof seed_text - 1 - first));
        memcpy(text, seed_text + first, length);
        for (uint32_t k = hz_random_draw(&random, 4); k > 0; k--) {
            text[hz_random_draw(&random, (uint32_t)length)] = (char)hz_random_draw(&random, 256);
        }
        hz_openings o = {0};
        hz_error err;
        hz_match_game game = i % 2 ? HZ_MATCH_CHESS : HZ_MATCH_DICE;
        hz_status status = hz_openings_parse(text, length, game, &o, &err);
        assert_true(status == HZ_OK ? o.count > 0 : status == HZ_OPENINGS && o.count == 0);
        hz_openings_free(&o);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_of_positions_are_read_in_both_games),
        cmocka_unit_test(games_give_the_positions_after_their_last_moves),
        cmocka_unit_test(bad_lists_are_refused_at_their_place),
        cmocka_unit_test(any_bytes_are_read_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
