/* SPDX-License-Identifier: MIT */
/* Check and legal en passant in orthodox chess. */
#include <hazard/chess.h>

#include "ref/ref_features.h"
#include "ref/ref_random.h"
#include "support/positions.h"

static void legal_targets(const char *dfen, const char *expected) {
    hz_position position = test_position(dfen);
    uint64_t legal = hz_chess_legal_en_passant(&position);
    test_text text = {0};
    for (; legal; legal &= legal - 1) {
        char square[3];
        hz_square_to_text(__builtin_ctzll(legal), square);
        test_text_word(&text, square);
    }
    test_same_text(dfen, "legal en-passant targets", expected, test_text_get(&text));
    test_text_free(&text);
}

static void every_piece_type_gives_check(void **state) {
    (void)state;
    static const char *const checks[] = {
        "4k3/3P4/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/3N4/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/B7/8/8/4K3 w - - 0 1",  "4k3/8/8/8/4R3/8/8/6K1 w - - 0 1",
        "4k3/8/8/8/Q7/8/8/4K3 w - - 0 1",  "4k3/4K3/8/8/8/8/8/8 w - - 0 1",
    };
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        hz_position position = test_position(checks[i]);
        test_true(checks[i], "Black is in check", hz_chess_in_check(&position, HZ_BLACK));
    }
}

static void a_blocked_line_gives_no_check(void **state) {
    (void)state;
    hz_position position = test_position("4k3/4p3/8/8/B7/8/4R3/4K3 w - - 0 1");
    assert_true(hz_chess_in_check(&position, HZ_BLACK)); /* the bishop still does */
    position = test_position("4k3/3pp3/8/8/B7/8/4R3/4K3 w - - 0 1");
    assert_false(hz_chess_in_check(&position, HZ_BLACK));
}

static void a_missing_king_is_in_no_check(void **state) {
    (void)state;
    hz_position position = test_position("8/8/8/8/Q7/8/8/4K3 w - - 0 1");
    assert_false(hz_chess_in_check(&position, HZ_BLACK));
}

static void any_of_several_kings_in_check_counts(void **state) {
    (void)state;
    hz_position position = test_position("k3k3/8/8/8/8/8/8/R5K1 w - - 0 1");
    assert_true(hz_chess_in_check(&position, HZ_BLACK));
}

static void plain_en_passant_is_legal(void **state) {
    (void)state;
    legal_targets("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", "f6");
    legal_targets("rnbqkbnr/pppp1ppp/8/8/3Pp3/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 3", "d3");
}

static void a_target_nobody_can_reach_is_not_legal(void **state) {
    (void)state;
    legal_targets("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "");
    /* Pawns on the a- and h-file are not neighbours. */
    legal_targets("4k3/8/8/p6P/8/8/8/4K3 w - a6 0 1", "");
    /* The right pawns, the wrong side to move. */
    legal_targets("4k3/8/8/3pPp2/8/8/8/4K3 b - f6 0 3", "");
}

static void two_pawns_leaving_a_rank_may_expose_the_king(void **state) {
    (void)state;
    legal_targets("4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1", "");
    legal_targets("4k3/8/8/K1NpP2r/8/8/8/8 w - d6 0 1", "d6");
    legal_targets("8/8/8/8/R2Pp2k/8/8/4K3 b - d3 0 1", "");
}

static void a_pinned_captor_may_not_but_its_twin_may(void **state) {
    (void)state;
    legal_targets("4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "");
    legal_targets("4r2k/8/8/2PpP3/8/8/8/4K3 w - d6 0 1", "d6");
}

static void the_captured_pawn_may_have_been_the_checker(void **state) {
    (void)state;
    legal_targets("4k3/8/8/3pP3/4K3/8/8/8 w - d6 0 1", "d6");
    /* In check from elsewhere the capture does not help. */
    legal_targets("4k3/8/8/3pP3/8/8/7r/4K2r w - d6 0 1", "");
}

static void agrees_with_the_reference(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed());
    size_t legal = 0, refused = 0, rounds = test_effort(20000);
    for (size_t i = 0; i < rounds; i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_placed(&random, (ref_style)(i % REF_STYLES), dfen);
        hz_position position = test_position(dfen);
        ref_position slow;
        assert_true(ref_from_dfen(&slow, dfen));
        bool targets[64];
        ref_legal_en_passant(&slow, targets);
        uint64_t expected = 0;
        for (int s = 0; s < 64; s++) {
            expected |= (uint64_t)targets[s] << s;
        }
        test_same_number(dfen, "legal targets", expected, hz_chess_legal_en_passant(&position));
        for (int color = 0; color < 2; color++) {
            test_same_number(dfen, "check", ref_king_attacked(&slow, "wb"[color]),
                             hz_chess_in_check(&position, (hz_color)color));
        }
        legal += expected != 0;
        refused += (hz_position_capturable_targets(&position) & ~expected) != 0;
    }
    if (rounds >= 2000) {
        test_met(legal > 0);
        test_met(refused > 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_piece_type_gives_check),
        cmocka_unit_test(a_blocked_line_gives_no_check),
        cmocka_unit_test(a_missing_king_is_in_no_check),
        cmocka_unit_test(any_of_several_kings_in_check_counts),
        cmocka_unit_test(plain_en_passant_is_legal),
        cmocka_unit_test(a_target_nobody_can_reach_is_not_legal),
        cmocka_unit_test(two_pawns_leaving_a_rank_may_expose_the_king),
        cmocka_unit_test(a_pinned_captor_may_not_but_its_twin_may),
        cmocka_unit_test(the_captured_pawn_may_have_been_the_checker),
        cmocka_unit_test(agrees_with_the_reference),
    };
    return cmocka_run_group_tests_name("chess check", tests, NULL, NULL);
}
