/* SPDX-License-Identifier: MIT */
/*
 * Single positions whose count can be worked out by hand: what en passant adds to the danger map
 * and not to landing, castling as the only way, promotions, and boards no game reaches.
 */
#include "odds/boards.h"

#include <stdio.h>

static unsigned landed(const char *dfen, const char *defender, const char *square) {
    hz_position p = test_position(dfen);
    return hz_roll_set_weight(
        hz_odds_squares(&p, other(color_from(defender)), square_set(at(square))));
}

static hz_roll_set danger_rolls(const char *dfen, const char *defender, const char *square) {
    hz_position p = test_position(dfen);
    hz_danger_map map;
    hz_odds_danger(&p, color_from(defender), &map);
    return map.rolls[at(square)];
}

static unsigned danger(const char *dfen, const char *defender, const char *square) {
    return hz_roll_set_weight(danger_rolls(dfen, defender, square));
}

static hz_roll_set roll(int a, int b, int c) {
    hz_pool pool = hz_pool_from_faces(a, b, c);
    for (int i = 0; i < HZ_ROLLS; i++) {
        if (hz_rolls[i].pool == pool) {
            return (hz_roll_set)1 << i;
        }
    }
    return 0;
}

/* ---- en passant ---- */

static void en_passant_is_danger_without_landing(void **state) {
    (void)state;
    const char *dfen = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
    assert_int_equal(danger(dfen, "b", "d5"), 91);
    assert_int_equal(landed(dfen, "b", "d5"), 0);
    assert_int_equal(danger("4k3/8/8/8/3Pp3/8/8/4K3 w - d3 0 1", "w", "d4"), 91);
}

static void entering_the_square_of_a_pawn_taken_en_passant_captures_nothing(void **state) {
    (void)state;
    /* exd6 empties d5, which the pawn from d4 could then enter. */
    assert_int_equal(landed("4k3/8/8/3pP3/3P4/8/8/4K3 w - d6 0 1", "b", "d5"), 0);
}

static void a_piece_on_the_target_must_leave_first(void **state) {
    (void)state;
    /* Knight and pawn; or the knight alone with three dice. */
    const char *dfen = "4k3/8/3N4/3pP3/8/8/8/4K3 w - d6 0 1";
    assert_int_equal(danger(dfen, "b", "d5"), 31);
    assert_true(danger_rolls(dfen, "b", "d5") & roll(1, 2, 6));
    assert_int_equal(landed(dfen, "b", "d5"), 1);
}

static void an_enemy_piece_on_the_target_is_taken_and_left(void **state) {
    (void)state;
    /* Rh6xd6, the rook moves on, the pawn takes. */
    const char *dfen = "4k3/8/3n3R/3pP3/8/8/8/4K3 w - d6 0 1";
    assert_true(danger_rolls(dfen, "b", "d5") & roll(1, 4, 4));
}

static void another_en_passant_capture_can_make_room(void **state) {
    (void)state;
    /* The knight on the target can only go to f5, once the pawn there has taken g6 en passant. */
    const char *dfen = "2R1R3/1R3R2/3N1r2/1RPp1Pp1/2R1R3/8/8/4K2k w - d6g6 0 1";
    assert_int_equal(danger(dfen, "b", "d5"), 46);
    assert_true(danger_rolls(dfen, "b", "d5") & roll(1, 1, 2));
    assert_int_equal(landed(dfen, "b", "d5"), 43);
}

static void a_pawn_comes_beside_the_one_that_passed(void **state) {
    (void)state;
    /* The pawn on b4 takes on c5 first. */
    const char *dfen = "4k3/8/8/2np4/1P6/8/8/4K3 w - d6 0 1";
    assert_int_equal(danger(dfen, "b", "d5"), 16);
    assert_int_equal(landed(dfen, "b", "d5"), 0);
}

static void a_side_can_not_use_its_own_target(void **state) {
    (void)state;
    /* A target on the third rank is of a White double step: White can not use it. */
    const char *dfen = "4k3/8/8/8/3p4/8/2P5/7K w - d3 0 1";
    assert_int_equal(danger(dfen, "b", "d4"), landed(dfen, "b", "d4"));
    assert_int_equal(danger(dfen, "b", "d4"), 16); /* c2-c3, c3xd4 */
}

static void a_target_without_its_pawn_is_no_danger(void **state) {
    (void)state;
    assert_int_equal(danger("4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1", "b", "e8"), 0);
    assert_int_equal(danger("4k3/8/8/3nP3/8/8/8/4K3 w - d6 0 1", "b", "d5"), 0);
}

static void en_passant_opens_two_squares_of_a_rank(void **state) {
    (void)state;
    /* Both pawns leave the fifth rank between rook and king. */
    const char *dfen = "8/8/8/k2pP2R/8/8/8/4K3 w - d6 0 1";
    assert_true(danger_rolls(dfen, "b", "a5") & roll(1, 4, 6));
    assert_false(danger_rolls("8/8/8/k2pP2R/8/8/8/4K3 w - - 0 1", "b", "a5") & roll(1, 4, 6));
}

/* ---- castling ---- */

static void castling_brings_the_king_beside(void **state) {
    (void)state;
    assert_int_equal(danger("r3k2r/1K6/8/8/p7/8/8/8 w kq - 0 1", "w", "b7"), 20);
    assert_int_equal(danger("r3k2r/1K6/8/8/p7/8/8/8 w - - 0 1", "w", "b7"), 17);
}

static void castling_passes_the_king_that_hems_in_the_rook(void **state) {
    (void)state;
    /* Two rook dice and a king die: after O-O the rook sees c1 from f1. */
    assert_int_equal(danger("8/8/8/8/8/8/3PPP2/2q1K2R w K - 0 1", "b", "c1"), 26);
    assert_int_equal(danger("8/8/8/8/8/8/3PPP2/2q1K2R w - - 0 1", "b", "c1"), 23);
}

static void rights_without_king_or_rook_in_place_are_no_castling(void **state) {
    (void)state;
    static const char *const boards[] = {
        "8/8/8/8/8/8/3PPP2/2q1K1R1", "8/8/8/8/8/8/3PPP2/2q2K1R", "8/8/8/8/8/8/3PPP2/2q1K2N",
        "8/8/8/8/8/8/3PPP2/2q1K1BR", "8/8/8/8/8/8/3PPP2/2q1Q2R",
    };
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++) {
        char with[64], without[64];
        snprintf(with, sizeof with, "%s w KQkq - 0 1", boards[i]);
        snprintf(without, sizeof without, "%s w - - 0 1", boards[i]);
        test_same_number(with, "c1", danger_rolls(without, "b", "c1"),
                         danger_rolls(with, "b", "c1"));
    }
}

/* ---- promotion ---- */

static void every_promotion_counts(void **state) {
    (void)state;
    /* Pawn and rook or queen: e8 sees a8 along the rank. */
    assert_int_equal(danger("k7/4P3/8/8/8/8/8/4K3 w - - 0 1", "b", "a8"), 60);
    /* A bishop on e8 sees c6, a knight d6. */
    const char *dfen = "8/4P3/2k5/8/8/8/8/4K3 w - - 0 1";
    assert_true(danger_rolls(dfen, "b", "c6") & roll(1, 3, 6));
    assert_false(danger_rolls(dfen, "b", "c6") & roll(1, 2, 6));
    dfen = "8/4P3/3k4/8/8/8/8/4K3 w - - 0 1";
    assert_true(danger_rolls(dfen, "b", "d6") & roll(1, 2, 6));
}

static void a_pawn_that_takes_a_king_stays_a_pawn(void **state) {
    (void)state;
    /* exd8 takes the king; no new queen looks at d1. */
    const char *dfen = "3k4/4P3/8/8/8/8/8/3q2K1 w - - 0 1";
    const char *without = "8/4P3/8/8/8/8/8/3q2K1 w - - 0 1";
    assert_int_equal(danger(dfen, "b", "d1"), danger(without, "b", "d1"));
}

/* ---- making way ---- */

static void making_way_into_the_way_does_not_help(void **state) {
    (void)state;
    /* The rook blocks the double step to e4, from where a pawn would take the queen; all it can do
     * is to block it on the other square. */
    assert_int_equal(
        danger_rolls("4k3/8/8/3qP3/3PRP2/8/4P3/7K w - - 0 1", "b", "d5") & roll(1, 1, 4), 0);
    assert_int_equal(
        danger_rolls("4k3/8/8/3qP3/8/3PRP2/4P3/7K w - - 0 1", "b", "d5") & roll(1, 1, 4), 0);
    /* The bishop hems in the pawn on d2, but can only step between the rook and the queen. */
    assert_int_equal(
        danger_rolls("7k/8/8/8/2P1P3/3B4/q2P3R/1N3K2 w - - 0 1", "b", "a2") & roll(1, 3, 4), 0);
    /* With c4 free it can make way. */
    assert_int_not_equal(
        danger_rolls("7k/8/8/8/4P3/3B4/q2P3R/1N3K2 w - - 0 1", "b", "a2") & roll(1, 3, 4), 0);
}

/* ---- boards no game reaches ---- */

static void misplaced_pawns_are_in_danger_and_harmless(void **state) {
    (void)state;
    /* A White pawn on the last rank captures nothing and is captured. */
    const char *dfen = "k2P4/2n5/4r3/8/8/8/8/K2p4 w - - 0 1";
    hz_position p = test_position(dfen);
    ref_odds_map twin;
    for (int color = 0; color < 2; color++) {
        ref_odds_everything(&p, (hz_color)color, &twin);
        hz_danger_map map;
        hz_odds_danger(&p, other((hz_color)color), &map);
        assert_memory_equal(map.rolls, twin.captured, sizeof map.rolls);
    }
    assert_int_equal(landed(dfen, "b", "e6"), 0);
    assert_true(landed(dfen, "w", "d8") > 0);
}

static void sixty_four_pieces_are_answered(void **state) {
    (void)state;
    static const char *const boards[] = {
        "QQQQQQQQ/qqqqqqqq/QQQQQQQQ/qqqqqqqq/QQQQQQQQ/qqqqqqqq/QQQQQQQQ/qqqqqqqq w K a6c6e3 0 1",
        "PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP/pppppppp/pppppppp/pppppppp/pppppppp w KQkq a3b3c3 0 1",
        "KKKKKKKK/kkkkkkkk/RRRRRRRR/bbbbbbbb/QNQNQNQN/pPpPpPpP/PpPpPpPp/kkkkkkkk b KQkq - 0 1",
        "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQk w - - 0 1",
        "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ w - - 0 1",
    };
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++) {
        hz_position p = test_position(boards[i]);
        for (int color = 0; color < 2; color++) {
            ref_odds_map twin;
            ref_odds_everything(&p, (hz_color)color, &twin);
            hz_danger_map map;
            hz_odds_danger(&p, other((hz_color)color), &map);
            for (int s = 0; s < 64; s++) {
                test_same_number(boards[i], "full board", twin.captured[s], map.rolls[s]);
            }
        }
    }
}

static void an_empty_board_has_no_danger(void **state) {
    (void)state;
    hz_position p = hz_position_empty();
    hz_position_set_rights(&p, HZ_RIGHTS_ALL);
    hz_position_set_targets(&p, UINT64_MAX);
    for (int color = 0; color < 2; color++) {
        hz_danger_map map;
        memset(&map, 255, sizeof map);
        hz_odds_danger(&p, (hz_color)color, &map);
        for (int s = 0; s < 64; s++) {
            assert_int_equal(map.rolls[s], 0);
        }
        assert_int_equal(hz_odds_squares(&p, (hz_color)color, UINT64_MAX), 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(en_passant_is_danger_without_landing),
        cmocka_unit_test(entering_the_square_of_a_pawn_taken_en_passant_captures_nothing),
        cmocka_unit_test(a_piece_on_the_target_must_leave_first),
        cmocka_unit_test(an_enemy_piece_on_the_target_is_taken_and_left),
        cmocka_unit_test(another_en_passant_capture_can_make_room),
        cmocka_unit_test(a_pawn_comes_beside_the_one_that_passed),
        cmocka_unit_test(a_side_can_not_use_its_own_target),
        cmocka_unit_test(a_target_without_its_pawn_is_no_danger),
        cmocka_unit_test(en_passant_opens_two_squares_of_a_rank),
        cmocka_unit_test(castling_brings_the_king_beside),
        cmocka_unit_test(castling_passes_the_king_that_hems_in_the_rook),
        cmocka_unit_test(rights_without_king_or_rook_in_place_are_no_castling),
        cmocka_unit_test(every_promotion_counts),
        cmocka_unit_test(a_pawn_that_takes_a_king_stays_a_pawn),
        cmocka_unit_test(making_way_into_the_way_does_not_help),
        cmocka_unit_test(misplaced_pawns_are_in_danger_and_harmless),
        cmocka_unit_test(sixty_four_pieces_are_answered),
        cmocka_unit_test(an_empty_board_has_no_danger),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
