/* SPDX-License-Identifier: MIT */
/* Static scores: stated values, the slow twins, win estimate, dead draw. */
#include <hazard/eval.h>

#include "features/rows.h"

#include <math.h>

static const char kiwipete[] =
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/* ---- stated values ---- */

static void stated_scores_hold(void **state) {
    (void)state;
    test_table table = test_table_load("eval_facts.tsv", 5);
    for (size_t i = 0; i < table.count; i++) {
        const char *const *f = table.rows[i].field;
        hz_position position = test_position(f[1]);
        hz_color color = color_from_text(f[2]);
        int32_t expected = signed_from_text(f[4]), actual = 0;
        if (strcmp(f[0], "material") == 0) {
            actual = hz_evaluate_material(&position, color);
        } else if (strcmp(f[0], "standard") == 0) {
            actual = hz_evaluate_standard(&position, color);
        } else if (strcmp(f[0], "aggressive") == 0) {
            actual = hz_evaluate_aggressive(&position, color);
        } else if (strcmp(f[0], "aggressive_equals_standard") == 0) {
            actual =
                hz_evaluate_aggressive(&position, color) == hz_evaluate_standard(&position, color);
        } else if (strcmp(f[0], "aggressive_step") == 0) {
            hz_position then = test_position(f[3]);
            actual =
                hz_evaluate_aggressive(&then, color) - hz_evaluate_aggressive(&position, color);
        } else if (strcmp(f[0], "hanging_cp") == 0) {
            actual = hz_hanging_centipawns(&position, color);
        } else if (strcmp(f[0], "dead_draw") == 0) {
            actual = hz_dead_draw(&position);
        } else {
            fail_msg("unknown function %s", f[0]);
        }
        same_score(f[1], f[0], expected, actual);
    }
    test_table_free(&table);
}

static void recorded_random_positions_score_as_recorded(void **state) {
    (void)state;
    test_table table = test_table_load("features_positions.tsv", 12);
    for (size_t i = 0; i < table.count; i++) {
        const char *const *f = table.rows[i].field;
        hz_position position = test_position(f[0]);
        hz_color color = color_from_text(f[1]);
        same_score(f[0], "material", signed_from_text(f[5]),
                   hz_evaluate_material(&position, color));
        same_score(f[0], "safety", signed_from_text(f[6]),
                   hz_evaluate_king_safety(&position, color));
        same_score(f[0], "standard", signed_from_text(f[7]),
                   hz_evaluate_standard(&position, color));
        same_score(f[0], "aggressive", signed_from_text(f[8]),
                   hz_evaluate_aggressive(&position, color));
        same_score(f[0], "hanging", signed_from_text(f[10]),
                   hz_hanging_centipawns(&position, color));
    }
    test_table_free(&table);
}

static void a_missing_enemy_king_is_worth_its_price_only(void **state) {
    (void)state;
    hz_position position = test_position("8/8/8/8/8/3p4/4N3/4K3 w - - 0 1");
    assert_int_equal(hz_evaluate_material(&position, HZ_WHITE), 10000 + 300 - 100);
    assert_int_equal(hz_evaluate_aggressive(&position, HZ_WHITE), 10200);
    /* The other side still has a king to aim at: storm of d3, which attacks e2 beside it. */
    assert_int_equal(hz_evaluate_aggressive(&position, HZ_BLACK), -10200 + 15 * 4 + 25);
}

static void the_lowest_enemy_king_is_the_target(void **state) {
    (void)state;
    /* A queen beside h8 but far from a1: the distance counted is to a1. */
    hz_position position = test_position("7k/8/8/8/8/8/8/k5Q1 w - - 0 1");
    int32_t standard = hz_evaluate_standard(&position, HZ_WHITE);
    /* g1-a1: 6; ring of a1 is a2 b2 b1, the queen sees b1. */
    assert_int_equal(hz_evaluate_aggressive(&position, HZ_WHITE), standard + 40 * 2 + 25);
}

static void every_attacker_of_the_ring_counts(void **state) {
    (void)state;
    /* g7 is attacked by king, pawn, knight and rook; g8 by the rook; h7 by nobody. */
    hz_position position = test_position("7k/8/4NK1P/8/8/8/8/6R1 w - - 0 1");
    int32_t standard = hz_evaluate_standard(&position, HZ_WHITE);
    int32_t storm = 15 * (6 - 2), proximity = 15 * (8 - 3) + 25 * (8 - 7), ring = 25 * (4 + 1);
    assert_int_equal(hz_evaluate_aggressive(&position, HZ_WHITE),
                     standard + storm + proximity + ring);
}

static void files_mirrored_keep_every_score(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed() + 1);
    for (size_t i = 0, n = test_effort(3000); i < n; i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_placed(&random, (ref_style)(i % REF_STYLES), dfen);
        hz_position position = test_position(dfen), mirrored = hz_position_mirror(&position);
        hz_position flipped = hz_position_flip(&position);
        /* Several kings: the lowest square need not stay the lowest. */
        bool one_king = !((position.pieces[HZ_KING] & position.colors[0]) &
                          ((position.pieces[HZ_KING] & position.colors[0]) - 1)) &&
                        !((position.pieces[HZ_KING] & position.colors[1]) &
                          ((position.pieces[HZ_KING] & position.colors[1]) - 1));
        for (int c = 0; c < 2; c++) {
            hz_color color = both_colors[c], other = both_colors[1 - c];
            int32_t standard = hz_evaluate_standard(&position, color);
            same_score(dfen, "mirrored standard", standard, hz_evaluate_standard(&mirrored, color));
            same_score(dfen, "flipped standard", standard, hz_evaluate_standard(&flipped, other));
            if (one_king) {
                int32_t aggressive = hz_evaluate_aggressive(&position, color);
                same_score(dfen, "mirrored aggressive", aggressive,
                           hz_evaluate_aggressive(&mirrored, color));
                same_score(dfen, "flipped aggressive", aggressive,
                           hz_evaluate_aggressive(&flipped, other));
            }
        }
    }
}

static void side_dice_clocks_rights_and_targets_are_not_read(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed() + 2);
    for (size_t i = 0, n = test_effort(2000); i < n; i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_placed(&random, (ref_style)(i % REF_STYLES), dfen);
        hz_position position = test_position(dfen), other = position;
        hz_position_set_side(&other, (hz_color)(position.side ^ 1));
        hz_position_set_pool(&other, hz_pool_from_faces(1, 5, 6));
        hz_position_set_rights(&other, ref_random_below(&random, 16));
        hz_position_set_targets(&other, ref_random_next(&random));
        other.halfmove = 99;
        other.fullmove = 1234;
        for (int c = 0; c < 2; c++) {
            hz_color color = both_colors[c];
            same_score(dfen, "standard", hz_evaluate_standard(&position, color),
                       hz_evaluate_standard(&other, color));
            same_score(dfen, "aggressive", hz_evaluate_aggressive(&position, color),
                       hz_evaluate_aggressive(&other, color));
            same_score(dfen, "hanging", hz_hanging_centipawns(&position, color),
                       hz_hanging_centipawns(&other, color));
            test_true(dfen, "dead draw", hz_dead_draw(&position) == hz_dead_draw(&other));
        }
    }
}

/* ---- win estimate ---- */

static void the_win_estimate_is_the_stated_curve(void **state) {
    (void)state;
    hz_position even = test_position(HZ_START_DFEN);
    assert_true(hz_win_estimate(&even, HZ_WHITE) == 0.5);
    hz_position pawn_up = test_position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    assert_true(fabs(hz_win_estimate(&pawn_up, HZ_WHITE) - 0.562) < 0.0005);
    assert_true(hz_win_estimate(&pawn_up, HZ_WHITE) == 1.0 / (1.0 + exp(-100.0 / 400.0)));
    hz_position down = test_position("4k3/8/8/8/8/8/pp6/7K w - - 0 1");
    assert_int_equal(hz_evaluate_standard(&down, HZ_WHITE), -200);
    assert_true(fabs(hz_win_estimate(&down, HZ_WHITE) - 0.378) < 0.0005);
}

static void the_win_estimate_stays_a_probability(void **state) {
    (void)state;
    hz_position position = test_position(
        "kkkkkkkk/kkkkkkkk/kkkkkkkk/kkkkkkkk/kkkkkkkk/kkkkkkkk/kkkkkkkk/kkkkkkkQ w - - 0 1");
    assert_true(hz_win_estimate(&position, HZ_WHITE) == 0.0);
    assert_true(hz_win_estimate(&position, HZ_BLACK) == 1.0);
}

/* ---- dead draw ---- */

static void dead(const char *dfen, bool expected) {
    hz_position position = test_position(dfen);
    test_true(dfen, "dead draw or not", hz_dead_draw(&position) == expected);
}

static void dead_draws_are_recognised(void **state) {
    (void)state;
    dead("k7/8/8/8/8/8/8/K7 w - - 0 1", true);
    dead("k7/8/8/8/8/8/8/K1B5 w - - 0 1", true);  /* c1 dark, a8 light */
    dead("k7/8/8/8/8/8/8/K2B4 w - - 0 1", false); /* d1 light as a8 */
    dead("k7/8/8/8/8/8/8/K1Bb4 w - - 0 1", true); /* d1 light, a1 dark */
    dead("k7/8/8/8/8/8/8/K1bB4 w - - 0 1", false);
    dead("k1B5/8/8/8/8/8/8/K1B5 w - - 0 1", false); /* two bishops of one side */
    dead("8/8/8/3k4/4K3/8/8/8 w - - 0 1", false);   /* adjacent kings */
    dead("8/8/8/3k4/8/4K3/8/8 w - - 0 1", true);
    dead("8/8/8/8/8/8/8/8 w - - 0 1", false);
    dead("k7/8/8/8/8/8/8/8 w - - 0 1", false);
    dead("8/8/8/8/8/8/8/K7 w - - 0 1", false);
    /* h-file and a-file are not neighbours. */
    dead("8/8/k7/7K/8/8/8/8 w - - 0 1", true);
}

static void no_pawn_knight_rook_or_queen_is_dead(void **state) {
    (void)state;
    for (const char *piece = "PNRQpnrq"; *piece; piece++) {
        hz_position position = test_position("k7/8/8/8/8/8/8/K7 w - - 0 1");
        bool black = *piece >= 'a';
        const char *type = strchr(REF_FACES, black ? *piece - 'a' + 'A' : *piece);
        assert_non_null(type);
        hz_position_put(&position, 30, black ? HZ_BLACK : HZ_WHITE,
                        (hz_piece_type)(type - REF_FACES));
        assert_false(hz_dead_draw(&position));
    }
}

/* ---- against the slow twins ---- */

static void compare(const char *dfen) {
    hz_position position = test_position(dfen);
    ref_position slow = ref_position_of(dfen);
    for (int c = 0; c < 2; c++) {
        hz_color color = both_colors[c];
        char letter = color_letter(color);
        same_score(dfen, "material", ref_score_material(&slow, letter),
                   hz_evaluate_material(&position, color));
        same_score(dfen, "king safety", ref_score_king_safety(&slow, letter),
                   hz_evaluate_king_safety(&position, color));
        same_score(dfen, "standard", ref_score_standard(&slow, letter),
                   hz_evaluate_standard(&position, color));
        same_score(dfen, "aggressive", ref_score_aggressive(&slow, letter),
                   hz_evaluate_aggressive(&position, color));
        same_score(dfen, "hanging", ref_score_hanging(&slow, letter),
                   hz_hanging_centipawns(&position, color));
    }
    test_true(dfen, "dead draw", ref_dead_draw(&slow) == hz_dead_draw(&position));
}

static void made_up_boards_agree_with_the_reference(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed() + 3);
    for (size_t i = 0, n = test_effort(30000); i < n; i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_placed(&random, (ref_style)(i % REF_STYLES), dfen);
        compare(dfen);
    }
}

static void played_boards_agree_with_the_reference(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed() + 4);
    for (size_t i = 0, n = test_effort(2000); i < n; i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_played(&random, REF_ANY_MOMENT, dfen);
        compare(dfen);
    }
}

/* Boards of kings and bishops only, where the dead-draw rule decides. */
static void bare_endings_agree_with_the_reference(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed() + 5);
    size_t drawn = 0, n = test_effort(5000);
    for (size_t i = 0; i < n; i++) {
        hz_position position = hz_position_empty();
        unsigned pieces = 1 + ref_random_below(&random, 5);
        for (unsigned k = 0; k < pieces; k++) {
            bool king = k < 2 || ref_random_chance(&random, 15);
            hz_color color = k < 2 ? both_colors[k] : both_colors[ref_random_below(&random, 2)];
            hz_position_put(&position, (int)ref_random_below(&random, 64), color,
                            king ? HZ_KING : HZ_BISHOP);
        }
        char dfen[HZ_DFEN_CAPACITY];
        compare(test_dfen(&position, dfen));
        drawn += hz_dead_draw(&position);
    }
    assert_true(n < 100 || (drawn > n / 20 && drawn < n));
}

static void known_positions_agree_with_the_reference(void **state) {
    (void)state;
    compare(HZ_START_DFEN);
    compare(kiwipete);
    compare("8/8/8/8/8/8/8/8 w - - 0 1");
    compare("QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQkQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ w - - 0 1");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stated_scores_hold),
        cmocka_unit_test(recorded_random_positions_score_as_recorded),
        cmocka_unit_test(a_missing_enemy_king_is_worth_its_price_only),
        cmocka_unit_test(the_lowest_enemy_king_is_the_target),
        cmocka_unit_test(every_attacker_of_the_ring_counts),
        cmocka_unit_test(files_mirrored_keep_every_score),
        cmocka_unit_test(side_dice_clocks_rights_and_targets_are_not_read),
        cmocka_unit_test(the_win_estimate_is_the_stated_curve),
        cmocka_unit_test(the_win_estimate_stays_a_probability),
        cmocka_unit_test(dead_draws_are_recognised),
        cmocka_unit_test(no_pawn_knight_rook_or_queen_is_dead),
        cmocka_unit_test(made_up_boards_agree_with_the_reference),
        cmocka_unit_test(played_boards_agree_with_the_reference),
        cmocka_unit_test(bare_endings_agree_with_the_reference),
        cmocka_unit_test(known_positions_agree_with_the_reference),
    };
    return cmocka_run_group_tests_name("eval static", tests, NULL, NULL);
}
