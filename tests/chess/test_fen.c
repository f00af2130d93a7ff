/* SPDX-License-Identifier: MIT */
/*
 * FEN for chess: what is read and refused, in the order of DFEN; the canonical text; why a position
 * is no chess position; what repair drops.
 */
#include "chess/games.h"

#include "ref/ref_random.h"

#include <stdio.h>

/* Facts: text ('_' = blank), status name, offset of the error, canonical text. */
static void texts_are_read_or_refused_at_their_place(void **state) {
    (void)state;
    test_table table = test_table_load("chess_fen.tsv", 4);
    for (size_t i = 0; i < table.count; i++) {
        const char *const *field = table.rows[i].field;
        char text[400], fen[HZ_DFEN_CAPACITY];
        test_copy(text, sizeof text, field[0]);
        for (char *at = text; *at; at++) {
            *at = (char)(*at == '_' ? ' ' : *at);
        }
        hz_position p = hz_position_empty(), empty = p;
        hz_error err;
        hz_status status = hz_chess_from_fen(&p, text, strlen(text), &err);
        test_same_text(text, "status", field[1], hz_status_name(status));
        if (status == HZ_OK) {
            assert_true(p.key == hz_position_fresh_key(&p));
            (void)hz_chess_to_fen(&p, fen, sizeof fen);
            test_same_text(text, "canonical text", field[3], fen);
        } else {
            test_same_number(text, "offset", test_number(field[2]), err.offset);
            assert_printable(err.message);
            assert_true(test_same_position(&p, &empty));
        }
    }
    test_table_free(&table);
}

static void bytes_that_are_no_text_are_refused(void **state) {
    (void)state;
    static const char nul[] = HZ_START_DFEN "\0";
    hz_position p;
    hz_error err;
    assert_int_equal(hz_chess_from_fen(&p, nul, sizeof nul, &err), HZ_FULLMOVE);
    assert_int_equal(err.offset, sizeof nul - 2);
    assert_printable(err.message);
    static const char high[] = "8/8/8/8/8/8/8/8 w - - 1\xFF 1";
    assert_int_equal(hz_chess_from_fen(&p, high, strlen(high), &err), HZ_HALFMOVE);
    assert_string_equal(err.message, "'?' in the half-move clock is not a digit");
    assert_int_equal(hz_chess_from_fen(&p, "", 0, &err), HZ_FIELD_COUNT);
    assert_int_equal(hz_chess_from_fen(&p, NULL, 0, NULL), HZ_FIELD_COUNT);
}

/* Where DFEN and FEN promise the same they say the same: status and offset of damaged texts. */
static void errors_come_in_the_order_of_dfen(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    static const char junk[] = " /-wbKQkqPNn1238e3a609x\xE9";
    size_t refused = 0, read = 0;
    for (size_t i = 0, rounds = test_effort(60000); i < rounds; i++) {
        char text[160];
        test_copy(text, sizeof text, i % 2 ? HZ_START_DFEN : other_starts[3]);
        size_t length = strlen(text);
        for (uint32_t k = 1 + hz_random_draw(&random, 3); k > 0; k--) {
            uint32_t at = hz_random_draw(&random, (uint32_t)length);
            char c = junk[hz_random_draw(&random, sizeof junk - 1)];
            if (hz_random_draw(&random, 3) == 0 && length + 1 < sizeof text) {
                memmove(text + at + 1, text + at, length - at);
                length++;
            }
            text[at] = c;
        }
        int blanks = 0;
        for (size_t k = 0; k < length; k++) {
            blanks += text[k] == ' ';
        }
        hz_position dice, chess;
        hz_error dice_error, chess_error;
        hz_status expected = hz_position_from_dfen(&dice, text, length, &dice_error);
        hz_status status = hz_chess_from_fen(&chess, text, length, &chess_error);
        if (blanks > 5 || text[length - 1] == ' ' || expected == HZ_FULLMOVE ||
            expected == HZ_HALFMOVE) {
            continue; /* dice, or clocks that chess may take */
        }
        text[length] = '\0';
        test_same_text(text, "status", hz_status_name(expected), hz_status_name(status));
        if (status == HZ_OK) {
            assert_true(test_same_position(&dice, &chess));
            read++;
        } else {
            test_same_number(text, "offset", dice_error.offset, chess_error.offset);
            refused++;
        }
    }
    test_met(refused > 0 && read > 0);
}

/* Facts: position, name of the flaw, the sentence, the position after repair. */
static void flaws_have_names_and_reasons_in_their_order(void **state) {
    (void)state;
    static const char *const names[] = {
        [HZ_CHESS_SOUND] = "SOUND",
        [HZ_CHESS_KING_MISSING] = "KING_MISSING",
        [HZ_CHESS_KINGS_SEVERAL] = "KINGS_SEVERAL",
        [HZ_CHESS_PAWN_ON_END_RANK] = "PAWN_ON_END_RANK",
        [HZ_CHESS_TOO_MANY_PIECES] = "TOO_MANY_PIECES",
        [HZ_CHESS_TOO_MANY_PAWNS] = "TOO_MANY_PAWNS",
        [HZ_CHESS_OPPONENT_IN_CHECK] = "OPPONENT_IN_CHECK",
        [HZ_CHESS_RIGHTS] = "RIGHTS",
        [HZ_CHESS_TARGET] = "TARGET",
    };
    size_t met[sizeof names / sizeof names[0]] = {0};
    test_table table = test_table_load("chess_flaws.tsv", 4);
    for (size_t i = 0; i < table.count; i++) {
        const char *const *field = table.rows[i].field;
        hz_position p = read_fen(field[0]);
        hz_error err;
        hz_chess_flaw flaw = hz_chess_validate(&p, &err);
        test_same_text(field[0], "flaw", field[1], names[flaw]);
        test_same_text(field[0], "reason", field[2], err.message);
        assert_int_equal(err.code, flaw == HZ_CHESS_SOUND ? HZ_OK : HZ_NOT_LEGAL);
        assert_int_equal(hz_chess_validate(&p, NULL), flaw);
        met[flaw]++;
        char dfen[HZ_DFEN_CAPACITY];
        hz_chess_repair(&p);
        test_same_text(field[0], "repaired", field[3], test_dfen(&p, dfen));
        assert_true(p.key == hz_position_fresh_key(&p));
        hz_chess_flaw left = hz_chess_validate(&p, NULL);
        assert_true(left != HZ_CHESS_RIGHTS && left != HZ_CHESS_TARGET);
        assert_true(flaw >= HZ_CHESS_RIGHTS ? left == HZ_CHESS_SOUND : left == flaw);
    }
    for (size_t i = 0; i < sizeof met / sizeof met[0]; i++) {
        test_true(names[i], "is among the facts", met[i] > 0);
    }
    test_table_free(&table);
}

/* With several flaws the first of the enumeration is named: adding a later one changes nothing. */
static void the_first_flaw_is_the_one_named(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed() + 1);
    for (size_t i = 0, rounds = test_effort(5000); i < rounds; i++) {
        hz_position p = read_fen(other_starts[hz_random_draw(&random, OTHER_STARTS)]);
        uint32_t wounds = 1 + hz_random_draw(&random, 127);
        hz_chess_flaw expected = HZ_CHESS_SOUND;
        /* From the last flaw to the first, so that the first is what must be said. */
        if (wounds & 1) {
            hz_position_set_targets(&p, (uint64_t)1 << 28);
            expected = HZ_CHESS_TARGET;
        }
        if (wounds & 2) {
            hz_position_put(&p, 7, HZ_WHITE, HZ_NO_PIECE);
            hz_position_set_rights(&p, HZ_RIGHT_WHITE_KING);
            expected = HZ_CHESS_RIGHTS;
        }
        if (wounds & 12) {
            hz_color side = (hz_color)(wounds & 4 ? 0 : 1);
            int room = 17 - __builtin_popcountll(p.colors[side]);
            for (int square = 8; square < 56 && room > 0; square++) {
                if (hz_position_type_at(&p, square) == HZ_NO_PIECE) {
                    hz_position_put(&p, square, side, HZ_PAWN);
                    room--;
                }
            }
            expected = HZ_CHESS_TOO_MANY_PIECES;
        }
        if (wounds & 16) {
            hz_position_put(&p, 56, HZ_WHITE, HZ_PAWN);
            expected = HZ_CHESS_PAWN_ON_END_RANK;
        }
        if (wounds & 32) {
            hz_position_put(&p, 1, HZ_BLACK, HZ_KING);
            expected = HZ_CHESS_KINGS_SEVERAL;
        }
        if (wounds & 64) {
            for (int square = 0; square < 64; square++) {
                if (hz_position_type_at(&p, square) == HZ_KING &&
                    (p.colors[HZ_WHITE] >> square & 1)) {
                    hz_position_put(&p, square, HZ_WHITE, HZ_NO_PIECE);
                }
            }
            expected = HZ_CHESS_KING_MISSING;
        }
        hz_chess_flaw flaw = hz_chess_validate(&p, NULL);
        if (flaw != expected &&
            !(flaw == HZ_CHESS_OPPONENT_IN_CHECK && expected >= HZ_CHESS_RIGHTS)) {
            char dfen[HZ_DFEN_CAPACITY];
            fail_msg("%s: flaw %d, not %d", test_dfen(&p, dfen), (int)flaw, (int)expected);
        }
    }
}

static void canonical_texts_come_back_from_any_placement(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed() + 2);
    for (size_t i = 0, rounds = test_effort(5000); i < rounds; i++) {
        char dfen[REF_DFEN_CAPACITY], fen[HZ_DFEN_CAPACITY], again[HZ_DFEN_CAPACITY], cut[64];
        ref_random_placed(&random, (ref_style)(i % REF_STYLES), dfen);
        hz_position p = test_position(dfen), read;
        p.halfmove = (uint8_t)(i % 256);
        p.fullmove = i % 3 ? (uint32_t)(1 + i) : INT32_MAX;
        size_t length = hz_chess_to_fen(&p, fen, sizeof fen);
        assert_int_equal(length, strlen(fen));
        read = read_fen(fen);
        (void)hz_chess_to_fen(&read, again, sizeof again);
        test_same_text(dfen, "again", fen, again);
        assert_int_equal(read.halfmove, p.halfmove);
        assert_int_equal(read.fullmove, p.fullmove);
        assert_true(read.pool == 0 && read.rights == p.rights && read.side == p.side);
        assert_true((read.targets & ~hz_chess_legal_en_passant(&p)) == 0);
        assert_int_equal(read.targets != 0, hz_chess_legal_en_passant(&p) != 0);
        /* snprintf rules */
        assert_int_equal(hz_chess_to_fen(&p, NULL, 0), length);
        assert_int_equal(hz_chess_to_fen(&p, cut, 20), length);
        assert_true(strlen(cut) == 19 && strncmp(cut, fen, 19) == 0);
    }
}

static void a_repaired_position_of_a_game_is_as_it_was(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed() + 3);
    for (size_t game = 0, games = test_effort(100); game < games; game++) {
        hz_position p = read_fen(HZ_START_DFEN);
        for (int ply = 0; ply < 100; ply++) {
            hz_move moves[HZ_CHESS_MOVES_MAX];
            hz_position repaired = p;
            hz_chess_repair(&repaired);
            assert_true(test_same_position(&repaired, &p));
            assert_int_equal(hz_chess_validate(&p, NULL), HZ_CHESS_SOUND);
            int n = hz_chess_moves(&p, moves);
            if (n == 0) {
                break;
            }
            hz_chess_play(&p, moves[hz_random_draw(&random, (uint32_t)n)], &p);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_read_or_refused_at_their_place),
        cmocka_unit_test(bytes_that_are_no_text_are_refused),
        cmocka_unit_test(errors_come_in_the_order_of_dfen),
        cmocka_unit_test(flaws_have_names_and_reasons_in_their_order),
        cmocka_unit_test(the_first_flaw_is_the_one_named),
        cmocka_unit_test(canonical_texts_come_back_from_any_placement),
        cmocka_unit_test(a_repaired_position_of_a_game_is_as_it_was),
    };
    return cmocka_run_group_tests_name("chess/fen", tests, NULL, NULL);
}
