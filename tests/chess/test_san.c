/* SPDX-License-Identifier: MIT */
/*
 * SAN: written as the definition of the shortest unambiguous text has it, read in every spelling
 * people use, refused with words.
 */
#include "chess/games.h"

#include "ref/ref_chess.h"
#include "ref/ref_random.h"

/* Facts: position, text, what it means: a move, or the name of the status that refuses it. */
static void spellings_mean_what_people_mean(void **state) {
    (void)state;
    test_table table = test_table_load("chess_san_read.tsv", 3);
    for (size_t i = 0; i < table.count; i++) {
        const char *const *field = table.rows[i].field;
        hz_position p = read_fen(field[0]);
        hz_move move = 0;
        hz_error err;
        char text[HZ_MOVE_CAPACITY];
        hz_status status = hz_san_to_move(&p, field[1], strlen(field[1]), &move, &err);
        if (status == HZ_OK) {
            (void)hz_move_to_text(move, text);
            test_same_text(field[0], field[1], field[2], text);
            assert_true(hz_chess_is_legal(&p, move));
        } else {
            test_same_text(field[0], field[1], field[2], hz_status_name(status));
            assert_int_equal(move, 0);
            assert_printable(err.message);
        }
    }
    test_table_free(&table);
}

static void written_as_the_rule_book_has_it(void **state) {
    (void)state;
    test_table table = test_table_load("chess_san_write.tsv", 3);
    for (size_t i = 0; i < table.count; i++) {
        const char *const *field = table.rows[i].field;
        hz_position p = read_fen(field[0]);
        hz_move move = 0;
        char san[HZ_SAN_CAPACITY];
        assert_int_equal(hz_chess_move_from_text(&p, field[1], strlen(field[1]), &move, NULL),
                         HZ_OK);
        assert_int_equal(hz_san_from_move(&p, move, san), strlen(field[2]));
        test_same_text(field[0], field[1], field[2], san);
    }
    test_table_free(&table);
}

/* Every legal move, written as the oracle writes it and read back. */
static void compare_all_moves(const hz_position *p) {
    char fen[HZ_DFEN_CAPACITY], expected[REF_SAN_CAPACITY], san[HZ_SAN_CAPACITY];
    (void)hz_position_to_dfen(p, fen, sizeof fen);
    ref_position slow;
    ref_moves list;
    assert_true(ref_from_dfen(&slow, fen));
    ref_chess_moves(&slow, &list);
    test_same_number(fen, "legal moves", (uint64_t)list.count, hz_chess_move_count(p));
    for (int i = 0; i < list.count; i++) {
        const char *text = list.move[i].text;
        hz_move move = 0, read = 0;
        if (hz_chess_move_from_text(p, text, strlen(text), &move, NULL) != HZ_OK) {
            fail_msg("%s: %s is not read", fen, text);
        }
        ref_chess_san(&slow, &list, text, expected);
        size_t length = hz_san_from_move(p, move, san);
        test_same_text(fen, text, expected, san);
        assert_int_equal(length, strlen(san));
        assert_int_equal(hz_san_to_move(p, san, length, &read, NULL), HZ_OK);
        assert_int_equal(read, move);
    }
}

static void positions_of_games_agree_with_the_slow_writer(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    for (size_t game = 0, games = test_effort(40); game < games; game++) {
        hz_position p = read_fen(game % 2 ? HZ_START_DFEN
                                          : other_starts[hz_random_draw(&random, OTHER_STARTS)]);
        p.halfmove = 0;
        for (int ply = 0; ply < 100; ply++) {
            hz_move moves[HZ_CHESS_MOVES_MAX];
            if (ply % 3 == (int)(game % 3)) {
                compare_all_moves(&p);
            }
            int n = hz_chess_moves(&p, moves);
            if (n == 0 || p.halfmove > 100) {
                break;
            }
            hz_chess_play(&p, moves[hz_random_draw(&random, (uint32_t)n)], &p);
        }
    }
}

/* Boards full of queens, rooks and knights of one side: every kind of ambiguity. */
static void crowds_agree_with_the_slow_writer(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed() + 1);
    for (size_t i = 0, rounds = test_effort(150); i < rounds; i++) {
        hz_position p = hz_position_empty();
        hz_position_put(&p, (int)hz_random_draw(&random, 64), HZ_BLACK, HZ_KING);
        for (int k = 0; k < 14; k++) {
            int square = (int)hz_random_draw(&random, 64);
            if (hz_position_type_at(&p, square) == HZ_NO_PIECE) {
                hz_position_put(&p, square, HZ_WHITE,
                                (hz_piece_type)(HZ_KNIGHT + hz_random_draw(&random, 4)));
            }
        }
        for (int square = 0; square < 64; square++) {
            if (hz_position_type_at(&p, square) == HZ_NO_PIECE) {
                hz_position_put(&p, square, HZ_WHITE, HZ_KING);
                break;
            }
        }
        compare_all_moves(&p);
    }
}

static void every_move_of_a_thousand_games_comes_back(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed() + 2);
    size_t games = test_effort(1000), castlings = 0, promotions = 0, en_passants = 0, mates = 0;
    for (size_t game = 0; game < games; game++) {
        hz_position p = read_fen(game % 2 ? HZ_START_DFEN
                                          : other_starts[hz_random_draw(&random, OTHER_STARTS)]);
        for (int ply = 0; ply < 120; ply++) {
            hz_move moves[HZ_CHESS_MOVES_MAX];
            int n = hz_chess_moves(&p, moves);
            for (int i = 0; i < n; i++) {
                char san[HZ_SAN_CAPACITY];
                hz_move read = 0;
                size_t length = hz_san_from_move(&p, moves[i], san);
                assert_true(length >= 2 && length < HZ_SAN_CAPACITY && strlen(san) == length);
                if (hz_san_to_move(&p, san, length, &read, NULL) != HZ_OK || read != moves[i]) {
                    char fen[HZ_DFEN_CAPACITY];
                    fail_msg("%s: %s", test_dfen(&p, fen), san);
                }
                castlings += hz_move_is_castling(read);
                promotions += hz_move_promotion(read) != HZ_NO_PIECE;
                en_passants += hz_move_flags(read) == HZ_MOVE_EN_PASSANT;
                mates += san[length - 1] == '#';
            }
            if (n == 0) {
                break;
            }
            hz_chess_play(&p, moves[hz_random_draw(&random, (uint32_t)n)], &p);
        }
    }
    test_met(castlings > 0 && promotions > 0 && en_passants > 0 && mates > 0);
}

/* Boards that are no chess: whatever is written is read as the same move or refused, never as
 * another one. */
static void odd_boards_are_never_misread(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed() + 3);
    for (size_t i = 0, rounds = test_effort(4000); i < rounds; i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_placed(&random, (ref_style)(i % REF_STYLES), dfen);
        hz_position p = test_position(dfen);
        hz_move moves[HZ_CHESS_MOVES_MAX];
        int n = hz_chess_moves(&p, moves);
        for (int k = 0; k < n; k++) {
            char san[HZ_SAN_CAPACITY];
            hz_move read = 0;
            size_t length = hz_san_from_move(&p, moves[k], san);
            hz_status status = hz_san_to_move(&p, san, length, &read, NULL);
            if (status != HZ_OK || read != moves[k]) {
                fail_msg("%s: %s", dfen, san);
            }
        }
    }
}

static void any_bytes_are_answered(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed() + 4);
    hz_position p = read_fen(other_starts[0]);
    static const char alphabet[] = "abcdefgh12345678KQRBNPkqrbnpxO0o-=+#!?./() \xC3\xBC\n";
    for (size_t i = 0, rounds = test_effort(200000); i < rounds; i++) {
        char text[24];
        uint32_t length = hz_random_draw(&random, sizeof text);
        for (uint32_t k = 0; k < length; k++) {
            text[k] = alphabet[hz_random_draw(&random, sizeof alphabet)]; /* NUL among them */
        }
        hz_error err;
        hz_move move = 0;
        hz_status status = hz_san_to_move(&p, text, length, &move, &err);
        if (status == HZ_OK) {
            assert_true(hz_chess_is_legal(&p, move));
        } else {
            assert_true(status == HZ_MOVE_TEXT || status == HZ_NOT_LEGAL);
            assert_int_equal(err.code, status);
            assert_printable(err.message);
            assert_int_equal(move, 0);
        }
    }
}

static void a_nul_byte_is_part_of_no_move(void **state) {
    (void)state;
    hz_position p = read_fen(HZ_START_DFEN);
    static const char *const texts[] = {"e4\0",  "\0e4", "e\0004", "e4\0+",
                                        "Nf3\0", "O\0O", "Nf\0003"};
    static const size_t lengths[] = {3, 3, 3, 4, 4, 3, 4};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        hz_move move;
        hz_error err;
        assert_int_equal(hz_san_to_move(&p, texts[i], lengths[i], &move, &err), HZ_MOVE_TEXT);
        assert_printable(err.message);
    }
}

static void refusals_name_their_reason(void **state) {
    (void)state;
    static const struct {
        const char *fen, *text, *message;
    } cases[] = {
        {HZ_START_DFEN, "hello", "'hello' is no move"},
        {HZ_START_DFEN, "", "'' is no move"},
        {HZ_START_DFEN, "--", "'--' is no move"},
        {HZ_START_DFEN, "Ke2", "no legal move is 'Ke2'"},
        {HZ_START_DFEN, "O-O", "no legal move is 'O-O'"},
        {"4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1", "Rd1", "no legal move is 'Rd1'"},
        {"4k3/8/8/8/8/8/8/1NN1K3 w - - 0 1", "Na3", NULL},
        {"4k3/8/8/8/8/8/3N4/1N2K2R w K - 0 1", "Nf3", NULL},
        {"4k3/8/8/8/8/8/8/R2K3R w - - 0 1", "Re1", NULL},
        {"4k3/8/8/8/8/4N3/8/N3K3 w - - 0 1", "Nc2", "'Nc2' may be a1c2 or e3c2"},
        {"8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a8", "'a8' does not say what the pawn becomes"},
        {"8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a8=K", "'a8=K' is no move"},
        {HZ_START_DFEN, "e4\xFF\n", "'e4\?\?' is no move"},
        {HZ_START_DFEN, "a-text-that-goes-on-for-much-longer-than-a-move",
         "'a-text-that-goes-on-for-...' is no move"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hz_position p = read_fen(cases[i].fen);
        hz_move move;
        hz_error err;
        hz_status status = hz_san_to_move(&p, cases[i].text, strlen(cases[i].text), &move, &err);
        if (cases[i].message) {
            assert_int_not_equal(status, HZ_OK);
            test_same_text(cases[i].fen, cases[i].text, cases[i].message, err.message);
        } else {
            assert_int_equal(status, HZ_OK);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spellings_mean_what_people_mean),
        cmocka_unit_test(written_as_the_rule_book_has_it),
        cmocka_unit_test(positions_of_games_agree_with_the_slow_writer),
        cmocka_unit_test(crowds_agree_with_the_slow_writer),
        cmocka_unit_test(every_move_of_a_thousand_games_comes_back),
        cmocka_unit_test(odd_boards_are_never_misread),
        cmocka_unit_test(any_bytes_are_answered),
        cmocka_unit_test(a_nul_byte_is_part_of_no_move),
        cmocka_unit_test(refusals_name_their_reason),
    };
    return cmocka_run_group_tests_name("chess/san", tests, NULL, NULL);
}
