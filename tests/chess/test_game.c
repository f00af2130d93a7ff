/* SPDX-License-Identifier: MIT */
/* Games: every way to end, how often a position occurred, taking back, memory. */
#include "chess/games.h"

/* Plays moves separated by blanks. */
static void play(hz_chess_game *game, const char *moves) {
    for (const char *at = moves; *at;) {
        size_t length = strcspn(at, " ");
        hz_move move;
        hz_error err;
        if (hz_san_to_move(&game->now, at, length, &move, &err) != HZ_OK ||
            hz_chess_game_play(game, move, &err) != HZ_OK) {
            fail_msg("%.*s in '%s': %s", (int)length, at, moves, err.message);
        }
        at += length + (at[length] == ' ');
    }
}

static hz_chess_game begin(const char *fen) {
    hz_chess_game game;
    hz_position start = read_fen(fen);
    assert_int_equal(hz_chess_game_init(&game, &start, NULL), HZ_OK);
    return game;
}

/* Facts: position, moves, how the game stands then, occurrences of the last position. */
static void games_end_as_the_rules_have_it(void **state) {
    (void)state;
    bool met[HZ_CHESS_THREEFOLD + 1] = {false};
    test_table table = test_table_load("chess_ends.tsv", 4);
    for (size_t i = 0; i < table.count; i++) {
        const char *const *field = table.rows[i].field;
        hz_chess_game game = begin(field[0]);
        play(&game, field[1]);
        hz_chess_end end = hz_chess_game_end(&game);
        test_same_text(field[0], field[1], field[2], hz_chess_end_text(end));
        test_same_number(field[0], field[1], test_number(field[3]),
                         (uint64_t)hz_chess_game_occurrences(&game));
        hz_chess_end alone = hz_chess_position_end(&game.now);
        if (end != HZ_CHESS_FIVEFOLD && end != HZ_CHESS_THREEFOLD) {
            assert_int_equal(alone, end);
        } else {
            assert_true(alone == HZ_CHESS_GOES_ON || alone == HZ_CHESS_FIFTY);
        }
        met[end] = true;
        hz_chess_game_fini(&game);
    }
    for (size_t i = 0; i < sizeof met; i++) {
        test_true(hz_chess_end_text((hz_chess_end)i), "is among the facts", met[i]);
    }
    test_table_free(&table);
}

/* Occurrences by comparing boards, with a target only where it can be taken. */
static int slow_occurrences(const hz_position *positions, size_t last) {
    int count = 0;
    for (size_t i = 0; i <= last; i++) {
        hz_position a = positions[i], b = positions[last];
        hz_position_set_targets(&a, hz_chess_legal_en_passant(&positions[i]));
        hz_position_set_targets(&b, hz_chess_legal_en_passant(&positions[last]));
        count += hz_position_same_board(&a, &b);
    }
    return count;
}

/* Shuffling games: few pieces, so that positions come back often. */
static void occurrences_are_those_of_comparing_boards(void **state) {
    (void)state;
    static const char *const starts[] = {
        "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "k7/8/8/3pP3/8/8/8/K7 w - d6 0 1",
        "kn6/8/8/8/8/8/8/KN6 w - - 3 1", "8/8/8/8/8/1k6/p7/K7 w - - 99 80"};
    hz_random random = hz_random_from_seed(test_seed());
    int most = 0;
    for (size_t i = 0, games = test_effort(200); i < games; i++) {
        enum { PLIES = 300 };
        hz_position positions[PLIES + 1];
        hz_chess_game game = begin(starts[i % 4]);
        positions[0] = game.now;
        for (int ply = 0; ply < PLIES; ply++) {
            hz_move moves[HZ_CHESS_MOVES_MAX];
            int n = hz_chess_moves(&game.now, moves);
            if (n == 0) {
                break;
            }
            /* Half of the time back to where it came from. */
            hz_move move = moves[hz_random_draw(&random, (uint32_t)n)];
            if (game.count >= 2 && hz_random_draw(&random, 2)) {
                hz_move latest = game.moves[game.count - 2];
                for (int k = 0; k < n; k++) {
                    if (hz_move_from(moves[k]) == hz_move_to(latest) &&
                        hz_move_to(moves[k]) == hz_move_from(latest)) {
                        move = moves[k];
                    }
                }
            }
            assert_int_equal(hz_chess_game_play(&game, move, NULL), HZ_OK);
            positions[game.count] = game.now;
            int expected = slow_occurrences(positions, game.count);
            assert_int_equal(hz_chess_game_occurrences(&game), expected);
            most = expected > most ? expected : most;
            hz_chess_end end = hz_chess_game_end(&game);
            assert_true(expected < 5 || (end >= HZ_CHESS_CHECKMATE && end <= HZ_CHESS_FIVEFOLD));
            assert_true(expected < 3 || end != HZ_CHESS_GOES_ON);
        }
        hz_chess_game_fini(&game);
    }
    test_met(most >= 5);
}

static void taking_back_restores_every_position(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed() + 1);
    for (size_t i = 0, games = test_effort(50); i < games; i++) {
        hz_chess_game game = begin(other_starts[i % OTHER_STARTS]);
        hz_position start = game.now;
        assert_false(hz_chess_game_undo(&game));
        for (int ply = 0; ply < 300; ply++) {
            hz_move moves[HZ_CHESS_MOVES_MAX];
            int n = hz_chess_moves(&game.now, moves);
            if (n == 0) {
                break;
            }
            hz_position before = game.now;
            hz_chess_end end = hz_chess_game_end(&game);
            hz_move move = moves[hz_random_draw(&random, (uint32_t)n)];
            assert_int_equal(hz_chess_game_play(&game, move, NULL), HZ_OK);
            assert_true(hz_chess_game_undo(&game));
            assert_true(test_same_position(&game.now, &before));
            assert_int_equal(hz_chess_game_end(&game), end);
            assert_int_equal(hz_chess_game_play(&game, move, NULL), HZ_OK);
        }
        while (hz_chess_game_undo(&game)) {
            assert_true(game.now.key == hz_position_fresh_key(&game.now));
        }
        assert_true(test_same_position(&game.now, &start));
        assert_int_equal(game.count, 0);
        hz_chess_game_fini(&game);
    }
}

static void an_illegal_move_changes_nothing(void **state) {
    (void)state;
    hz_chess_game game = begin(HZ_START_DFEN);
    play(&game, "e4 e5");
    hz_position before = game.now;
    hz_error err;
    const hz_move wrong[] = {0, hz_move_make(4, 20, 0), hz_move_make(12, 20, 0),
                             hz_move_make(6, 21, HZ_MOVE_CAPTURE), 0xFFFF};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(hz_chess_game_play(&game, wrong[i], &err), HZ_NOT_LEGAL);
        assert_printable(err.message);
        assert_true(test_same_position(&game.now, &before));
        assert_int_equal(game.count, 2);
    }
    hz_chess_game_fini(&game);
    hz_chess_game_fini(&game); /* twice does no harm */
    hz_chess_game_fini(NULL);
}

static void the_clock_stops_at_255_and_counts_on(void **state) {
    (void)state;
    hz_chess_game game = begin("4k3/8/8/8/8/8/8/R3K3 w - - 250 1");
    for (int i = 0; i < 30; i++) {
        play(&game, "Ra2 Kd8 Ra1 Ke8");
    }
    assert_int_equal(game.now.halfmove, 255);
    assert_int_equal(hz_chess_game_occurrences(&game), 31);
    assert_int_equal(hz_chess_game_end(&game), HZ_CHESS_SEVENTY_FIVE);
    hz_chess_game_fini(&game);
}

static void passing_keeps_the_board_and_the_key(void **state) {
    (void)state;
    hz_position p = read_fen("rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 255 7"), q;
    hz_chess_pass(&p, &q);
    assert_true(q.targets == 0 && q.side == HZ_WHITE && q.halfmove == 255 && q.fullmove == 8);
    assert_true(q.key == hz_position_fresh_key(&q));
    hz_chess_pass(&q, &q);
    assert_true(q.side == HZ_BLACK && q.fullmove == 8);
    assert_true(q.key == hz_position_fresh_key(&q));
}

static void keys_of_repetition_ignore_what_cannot_be_taken(void **state) {
    (void)state;
    static const struct {
        const char *with, *without;
        bool same;
    } cases[] = {
        {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", false},
        {"4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "4r2k/8/8/3pP3/8/8/8/4K3 w - - 0 1", true},
        {"8/8/8/K2pP2r/8/8/8/7k w - d6 0 1", "8/8/8/K2pP2r/8/8/8/7k w - - 9 9", true},
        {"4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1", "4k3/8/8/3p4/8/8/8/4K3 w - - 0 1", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hz_position a = read_fen(cases[i].with), b = read_fen(cases[i].without);
        assert_int_equal(hz_chess_repetition_key(&a) == hz_chess_repetition_key(&b), cases[i].same);
    }
    hz_position a = read_fen(HZ_START_DFEN), b = a;
    hz_position_set_pool(&b, hz_pool_from_faces(1, 2, 3));
    assert_true(hz_chess_repetition_key(&a) == hz_chess_repetition_key(&b));
}

static void long_games_grow(void **state) {
    (void)state;
    hz_chess_game game = begin(HZ_START_DFEN);
    for (int i = 0; i < 1000; i++) {
        play(&game, "Nf3 Nf6 Ng1 Ng8");
    }
    assert_int_equal(game.count, 4000);
    assert_int_equal(hz_chess_game_occurrences(&game), 1001);
    hz_position now = game.start;
    for (size_t i = 0; i < game.count; i++) {
        assert_true(test_same_position(&now, &game.past[i]));
        hz_chess_play(&now, game.moves[i], &now);
    }
    assert_true(test_same_position(&now, &game.now));
    hz_chess_game_fini(&game);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_end_as_the_rules_have_it),
        cmocka_unit_test(occurrences_are_those_of_comparing_boards),
        cmocka_unit_test(taking_back_restores_every_position),
        cmocka_unit_test(an_illegal_move_changes_nothing),
        cmocka_unit_test(the_clock_stops_at_255_and_counts_on),
        cmocka_unit_test(passing_keeps_the_board_and_the_key),
        cmocka_unit_test(keys_of_repetition_ignore_what_cannot_be_taken),
        cmocka_unit_test(long_games_grow),
    };
    return cmocka_run_group_tests_name("chess/game", tests, NULL, NULL);
}
