/* SPDX-License-Identifier: MIT */
/* Mobility, diversity, passed and hanging pieces, attackers: stated facts and the slow twins. */
#include "features/rows.h"

#include <hazard/dice.h>

/* ---- facts ---- */

static void check_fact(const char *function, const char *dfen, hz_color color, const char *argument,
                       const char *answer) {
    hz_position position = test_position(dfen);
    char text[512];
    int counts[HZ_PIECE_TYPES];
    hz_mobility(&position, color, counts);
    int square = hz_square_from_text(argument, strlen(argument));
    if (strcmp(function, "mobility") == 0) {
        snprintf(text, sizeof text, "%d %d %d %d %d %d", counts[0], counts[1], counts[2], counts[3],
                 counts[4], counts[5]);
    } else if (strcmp(function, "mobility_of") == 0) {
        const char *type = strchr(REF_FACES, argument[0]);
        assert_non_null(type);
        snprintf(text, sizeof text, "%d", counts[type - REF_FACES]);
    } else if (strcmp(function, "diversity") == 0) {
        snprintf(text, sizeof text, "%d", hz_diversity(&position, color));
    } else if (strcmp(function, "passed") == 0) {
        snprintf(text, sizeof text, "%d %d",
                 __builtin_popcountll(hz_passed_pawns(&position, color)),
                 hz_passed_advance(&position, color));
    } else if (strcmp(function, "hanging") == 0) {
        squares_to_text(hz_hanging_pieces(&position, color), text);
    } else if (strcmp(function, "attackers") == 0) {
        squares_to_text(hz_position_attackers(&position, square, color), text);
    } else if (strcmp(function, "attackers_first") == 0) {
        squares_to_text(hz_attackers_first(&position, square, color), text);
    } else if (strcmp(function, "castling_moves") == 0) {
        hz_move_list list;
        hz_moves_pseudo_of(&position, color, 63, &list);
        test_text moves = {0};
        for (int i = 0; i < list.count; i++) {
            char move[HZ_MOVE_CAPACITY];
            if (hz_move_is_castling(list.moves[i])) {
                test_text_word(&moves, test_move(list.moves[i], move));
            }
        }
        snprintf(text, sizeof text, "%s", moves.length ? test_text_get(&moves) : "-");
        test_text_free(&moves);
    } else {
        /* Facts about rows belong to test_schemas.c. */
        assert_non_null(strstr("columns linear raw_plane raw_sum", function));
        return;
    }
    test_same_text(dfen, function, answer, text);
}

static void stated_facts_hold(void **state) {
    (void)state;
    test_table table = test_table_load("features_facts.tsv", 5);
    for (size_t i = 0; i < table.count; i++) {
        const char *const *f = table.rows[i].field;
        check_fact(f[0], f[1], color_from_text(f[2]), f[3], f[4]);
    }
    test_table_free(&table);
}

static void squares_of_random_boards_are_as_recorded(void **state) {
    (void)state;
    test_table table = test_table_load("features_positions.tsv", 12);
    for (size_t i = 0; i < table.count; i++) {
        const char *const *f = table.rows[i].field;
        hz_position position = test_position(f[0]);
        hz_color color = color_from_text(f[1]);
        char text[3 * 64 + 2];
        test_same_text(f[0], "hanging", f[9],
                       squares_to_text(hz_hanging_pieces(&position, color), text));
        test_same_text(f[0], "passed", f[11],
                       squares_to_text(hz_passed_pawns(&position, color), text));
    }
    test_table_free(&table);
}

/* ---- promises worth a name ---- */

static void check_mobility(const char *dfen, hz_color color, const char *expected) {
    check_fact("mobility", dfen, color, "-", expected);
}

static void a_promotion_is_four_moves_but_taking_a_king_there_is_one(void **state) {
    (void)state;
    check_mobility("8/3P4/8/8/8/8/8/8 w - - 0 1", HZ_WHITE, "4 0 0 0 0 0");
    check_mobility("2rn4/3P4/8/8/8/8/8/8 w - - 0 1", HZ_WHITE, "4 0 0 0 0 0");
    check_mobility("2rnk3/3P4/8/8/8/8/8/8 w - - 0 1", HZ_WHITE, "5 0 0 0 0 0");
    check_mobility("8/8/8/8/8/8/1p6/K1K5 b - - 0 1", HZ_BLACK, "6 0 0 0 0 0");
}

static void misplaced_pawns_move_as_the_rules_say(void **state) {
    (void)state;
    check_mobility("PPPPPPPP/8/8/8/8/8/8/8 w - - 0 1", HZ_WHITE, "0 0 0 0 0 0");
    check_mobility("8/8/8/8/8/8/8/pppppppp w - - 0 1", HZ_BLACK, "0 0 0 0 0 0");
    /* From the own back rank: one step, captures, no double step. */
    check_mobility("8/8/8/8/8/8/p1p5/1P6 w - - 0 1", HZ_WHITE, "3 0 0 0 0 0");
    check_mobility("1p6/P1P5/8/8/8/8/8/8 w - - 0 1", HZ_BLACK, "3 0 0 0 0 0");
}

static void castling_counts_under_the_king_once_per_wing(void **state) {
    (void)state;
    check_mobility("8/8/8/8/8/8/8/R3K2R w KQ - 0 1", HZ_WHITE, "0 0 0 19 0 7");
    check_mobility("8/8/8/8/8/8/8/R3K2R w - - 0 1", HZ_WHITE, "0 0 0 19 0 5");
    check_mobility("8/8/8/8/K7/8/8/R3K2R w KQ - 0 1", HZ_WHITE, "0 0 0 14 0 12");
    /* Rights without the pieces add nothing; other rights neither. */
    check_mobility("8/8/8/8/8/8/8/4K2R b Qkq - 0 1", HZ_WHITE, "0 0 0 9 0 5");
}

static void en_passant_counts_for_its_side_whoever_moves(void **state) {
    (void)state;
    static const char *const both[] = {"8/8/8/2PpP3/8/8/8/8 w - d6 0 1",
                                       "8/8/8/2PpP3/8/8/8/8 b - d6 0 1"};
    for (int i = 0; i < 2; i++) {
        check_mobility(both[i], HZ_WHITE, "4 0 0 0 0 0");
        check_mobility(both[i], HZ_BLACK, "1 0 0 0 0 0");
    }
    /* Occupied: an ordinary capture only when hostile. Without its pawn: nothing. */
    check_mobility("8/8/3n4/2PpP3/8/8/8/8 w - d6 0 1", HZ_WHITE, "4 0 0 0 0 0");
    check_mobility("8/8/3N4/2PpP3/8/8/8/8 w - d6 0 1", HZ_WHITE, "2 8 0 0 0 0");
    check_mobility("8/8/8/2P1P3/8/8/8/8 w - d6 0 1", HZ_WHITE, "2 0 0 0 0 0");
}

static void passed_pawns_look_ahead_only_at_enemy_pawns(void **state) {
    (void)state;
    /* Beside and behind do not matter, doubled pawns are both passed, pieces never count. */
    check_fact("passed", "8/8/3q4/8/2pP4/3P4/4p3/8 w - - 0 1", HZ_WHITE, "-", "1 3");
    check_fact("passed", "8/8/3q4/8/3P4/3P4/8/8 w - - 0 1", HZ_WHITE, "-", "2 3");
    check_fact("passed", "7p/8/8/8/8/8/8/P7 w - - 0 1", HZ_WHITE, "-", "1 0");
    check_fact("passed", "P7/8/8/8/8/8/8/8 w - - 0 1", HZ_WHITE, "-", "1 7");
    check_fact("passed", "8/8/8/8/8/8/p6P/8 w - - 0 1", HZ_BLACK, "-", "1 6");
}

static void a_queen_is_one_attacker_and_pinned_pieces_attack(void **state) {
    (void)state;
    hz_position position = test_position("4k3/8/8/8/8/8/4r3/Q3R1K1 b - - 0 1");
    char text[3 * 64 + 2];
    assert_string_equal(squares_to_text(hz_position_attackers(&position, 4, HZ_WHITE), text), "a1");
    assert_string_equal(squares_to_text(hz_position_attackers(&position, 8, HZ_BLACK), text), "e2");
}

static void the_early_exit_group_stops_at_the_first_kind(void **state) {
    (void)state;
    static const char everything[] = "4r3/8/2N3B1/8/4q3/3P1K2/8/4Q3 w - - 0 1";
    hz_position position = test_position(everything);
    int e4 = hz_square_from_text("e4", 2);
    char text[3 * 64 + 2];
    const char *const peeled[] = {"d3", "g6", "e1", "f3", "-"};
    /* Removing each group uncovers the next; the knight does not reach e4. */
    for (size_t i = 0; i < sizeof peeled / sizeof *peeled; i++) {
        uint64_t group = hz_attackers_first(&position, e4, HZ_WHITE);
        test_same_text(everything, "group", peeled[i], squares_to_text(group, text));
        for (; group; group &= group - 1) {
            hz_position_put(&position, __builtin_ctzll(group), HZ_WHITE, HZ_NO_PIECE);
        }
    }
}

static void diversity_counts_types_present_not_pieces(void **state) {
    (void)state;
    check_fact("diversity", "8/3p4/3P4/8/8/8/8/QQQKK3 w - - 0 1", HZ_WHITE, "-", "2");
    check_fact("diversity", "8/8/8/8/8/8/8/K7 w - - 0 1", HZ_WHITE, "-", "0");
}

/* ---- against the slow twins ---- */

static void compare(const char *dfen) {
    hz_position position = test_position(dfen);
    ref_position slow = ref_position_of(dfen);
    bool flags[64];
    for (int i = 0; i < 2; i++) {
        hz_color color = both_colors[i];
        char letter = color_letter(color);
        int fast_counts[HZ_PIECE_TYPES], slow_counts[6], advance;
        hz_mobility(&position, color, fast_counts);
        ref_mobility(&slow, letter, slow_counts);
        for (int t = 0; t < HZ_PIECE_TYPES; t++) {
            char what[32];
            snprintf(what, sizeof what, "micro-moves of %c by %c", letter, REF_FACES[t]);
            same_score(dfen, what, slow_counts[t], fast_counts[t]);
        }
        same_score(dfen, "diversity", ref_diversity(&slow, letter), hz_diversity(&position, color));
        ref_passed_pawns(&slow, letter, flags, &advance);
        test_same_number(dfen, "passed", squares_from_flags(flags),
                         hz_passed_pawns(&position, color));
        same_score(dfen, "advance", advance, hz_passed_advance(&position, color));
        test_same_number(dfen, "king attacked", ref_king_attacked(&slow, letter),
                         hz_king_attacked(&position, color));
        ref_hanging_pieces(&slow, letter, flags);
        test_same_number(dfen, "hanging", squares_from_flags(flags),
                         hz_hanging_pieces(&position, color));
        for (int s = 0; s < 64; s++) {
            ref_attackers(&slow, s, letter, flags);
            test_same_number(dfen, "attackers", squares_from_flags(flags),
                             hz_position_attackers(&position, s, color));
            ref_attackers_first(&slow, s, letter, flags);
            test_same_number(dfen, "early-exit group", squares_from_flags(flags),
                             hz_attackers_first(&position, s, color));
        }
    }
}

static void made_up_boards_agree_with_the_reference(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed());
    for (size_t i = 0, n = test_effort(8000); i < n; i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_placed(&random, (ref_style)(i % REF_STYLES), dfen);
        compare(dfen);
    }
}

static void played_boards_agree_with_the_reference(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed() + 1);
    for (size_t i = 0, n = test_effort(1000); i < n; i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_played(&random, REF_ANY_MOMENT, dfen);
        compare(dfen);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stated_facts_hold),
        cmocka_unit_test(squares_of_random_boards_are_as_recorded),
        cmocka_unit_test(a_promotion_is_four_moves_but_taking_a_king_there_is_one),
        cmocka_unit_test(misplaced_pawns_move_as_the_rules_say),
        cmocka_unit_test(castling_counts_under_the_king_once_per_wing),
        cmocka_unit_test(en_passant_counts_for_its_side_whoever_moves),
        cmocka_unit_test(passed_pawns_look_ahead_only_at_enemy_pawns),
        cmocka_unit_test(a_queen_is_one_attacker_and_pinned_pieces_attack),
        cmocka_unit_test(the_early_exit_group_stops_at_the_first_kind),
        cmocka_unit_test(diversity_counts_types_present_not_pieces),
        cmocka_unit_test(made_up_boards_agree_with_the_reference),
        cmocka_unit_test(played_boards_agree_with_the_reference),
    };
    return cmocka_run_group_tests_name("features primitives", tests, NULL, NULL);
}
