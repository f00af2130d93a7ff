/* SPDX-License-Identifier: MIT */
/*
 * Micro-moves one at a time: which there are, what they cost, what playing one changes, and the end
 * of a turn and of the game; against the slow oracle on positions from play and made-up ones.
 */
#include <string.h>

#include "ref/ref_random.h"
#include "support/turns.h"

/* The oracle's pseudo-legal micro-moves of a colour for a set of types. */
static void slow_pseudo_of(const ref_position *from, hz_color color, unsigned types,
                           ref_moves *list) {
    ref_position position = *from;
    position.side = color == HZ_WHITE ? 'w' : 'b';
    memset(position.dice, 0, sizeof position.dice);
    ref_moves all;
    ref_pseudo(&position, &all);
    list->count = 0;
    for (int i = 0; i < all.count; i++) {
        if (types >> ref_move_face(&position, all.move[i].text, NULL) & 1) {
            list->move[list->count++] = all.move[i];
        }
    }
}

static void lists_of_micro_moves_match_the_oracle(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed());
    for (size_t i = 0; i < test_effort(8000); i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_position(&random, dfen);
        hz_position position = test_position(dfen);
        ref_position slow = test_slow(dfen);
        hz_move_list list;
        ref_moves expected;
        hz_moves_pseudo(&position, &list);
        ref_pseudo(&slow, &expected);
        test_same_moves(dfen, "pseudo-legal", &expected, &list);
        hz_moves_playable(&position, &list);
        ref_playable(&slow, &expected);
        test_same_moves(dfen, "playable", &expected, &list);
        for (int color = 0; color < 2; color++) {
            unsigned types = ref_random_below(&random, 64);
            hz_moves_pseudo_of(&position, (hz_color)color, types, &list);
            slow_pseudo_of(&slow, (hz_color)color, types, &expected);
            test_same_moves(dfen, "of some types", &expected, &list);
        }
    }
}

static void every_piece_on_the_fullest_boards_fits_the_list(void **state) {
    (void)state;
    /* queens and knights everywhere they do not block each other: far more moves than in any game
     */
    static const char *const boards[] = {
        "QQQQQQQQ/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/QQQQQQQQ w - - 0 1",
        "Q1Q1Q1Q1/1Q1Q1Q1Q/Q1Q1Q1Q1/1Q1Q1Q1Q/Q1Q1Q1Q1/1Q1Q1Q1Q/Q1Q1Q1Q1/1Q1Q1Q1Q w - - 0 1",
        "Q7/2Q5/4Q3/6Q1/1Q6/3Q4/5Q2/7Q w - - 0 1",
        "qqqqqqqq/8/qqqqqqqq/8/qqqqqqqq/8/qqqqqqqq/8 b - - 0 1",
        "nnnnnnnn/PPPPPPPP/8/PPPPPPPP/pppppppp/8/pppppppp/NNNNNNNN w - - 0 1",
        "nnnnnnnn/PPPPPPPP/8/PPPPPPPP/pppppppp/8/pppppppp/NNNNNNNN b - - 0 1",
        "Q1Q1Q1Q1/8/1Q1Q1Q1Q/8/Q1Q1Q1Q1/8/1Q1Q1Q1Q/8 w - - 0 1",
    };
    for (size_t i = 0; i < sizeof boards / sizeof boards[0]; i++) {
        hz_position position = test_position(boards[i]);
        ref_position slow = test_slow(boards[i]);
        hz_move_list list;
        ref_moves expected;
        hz_moves_pseudo(&position, &list);
        ref_pseudo(&slow, &expected);
        assert_true(list.count <= HZ_MOVES_CAPACITY);
        test_same_moves(boards[i], "pseudo-legal", &expected, &list);
    }
}

/* ---- one micro-move from its text ---- */

static void every_generated_move_is_found_by_its_text(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed());
    for (size_t i = 0; i < test_effort(500); i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_position(&random, dfen);
        hz_position position = test_position(dfen);
        hz_move_list list;
        hz_moves_pseudo_of(&position, (hz_color)position.side, 63, &list);
        for (int m = 0; m < list.count; m++) {
            char text[HZ_MOVE_CAPACITY];
            size_t length = hz_move_to_text(list.moves[m], text);
            hz_move found = 0;
            test_same_text(
                dfen, text, "OK",
                hz_status_name(hz_move_from_text(&position, text, length, &found, NULL)));
            test_same_number(dfen, text, list.moves[m], found);
        }
    }
}

static void text_that_is_not_exactly_a_micro_move_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *dfen, *text;
    } cases[] = {
        {"k7/4P3/8/8/8/8/8/4K3 w - - 0 1 PPN", "e7e8"},  /* a promotion needs its letter */
        {"k7/4P3/8/8/8/8/8/4K3 w - - 0 1 PPN", "e7e8Q"}, /* in lower case */
        {"k7/4P3/8/8/8/8/8/4K3 w - - 0 1 PPN", "e7e8k"}, /* to no king */
        {"k7/4P3/8/8/8/8/8/4K3 w - - 0 1 PPN", "e7e8p"}, /* nor pawn */
        {"4k3/3P4/8/2K5/8/8/8/8 w - - 0 1 P", "d7e8q"},  /* taking a king does not promote */
        {"4k3/8/8/8/4P3/8/8/4K3 w - - 0 1 P", "e4e5q"},  /* nor does another rank */
        {"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 P", "e2e5"},
        {"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 P", "e2d3"},
        {"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 P", "e3e4"}, /* nobody there */
        {"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 P", "e8e7"}, /* not to move */
        {"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 P", "e2e4 "},
        {"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 P", ""},
        {"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 P", "pawn to e4"},
        {"4k3/8/8/8/8/8/8/4K2R w - - 0 1 KR", "e1g1"},  /* no right */
        {"4k3/8/8/8/8/8/8/4K1NR w K - 0 1 KR", "e1g1"}, /* not empty */
        {"4k3/8/8/8/8/8/8/4K2R w K - 0 1 KR", "O-O"},
        {"4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1 P", "e5d6"}, /* a target without its pawn */
        {"4k3/8/3n4/3pP3/8/8/8/4K3 w - c6d6 0 1 P", "e5c6"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hz_position position = test_position(cases[i].dfen);
        hz_move move = 4711;
        hz_error err;
        hz_error_clear(&err);
        hz_status status =
            hz_move_from_text(&position, cases[i].text, strlen(cases[i].text), &move, &err);
        test_same_text(cases[i].dfen, cases[i].text, "NOT_PSEUDO_LEGAL", hz_status_name(status));
        test_true(cases[i].dfen, cases[i].text, err.message[0] != '\0');
        test_same_number(cases[i].dfen, "move untouched", 4711, move);
    }
}

static void random_move_texts_are_judged_as_the_oracle_does(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed());
    size_t good = 0;
    for (size_t i = 0; i < test_effort(3000); i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_position(&random, dfen);
        hz_position position = test_position(dfen);
        ref_position slow = test_slow(dfen);
        ref_moves all;
        slow_pseudo_of(&slow, slow.side == 'w' ? HZ_WHITE : HZ_BLACK, 63, &all);
        for (int t = 0; t < 20; t++) {
            char text[6] = {(char)('a' + ref_random_below(&random, 8)),
                            (char)('1' + ref_random_below(&random, 8)),
                            (char)('a' + ref_random_below(&random, 8)),
                            (char)('1' + ref_random_below(&random, 8)),
                            "\0\0\0qrbnQk"[ref_random_below(&random, 9)],
                            '\0'};
            if (all.count > 0 && t % 2) { /* half of them near the truth */
                memcpy(text, all.move[ref_random_below(&random, (unsigned)all.count)].text, 4);
            }
            bool known = false;
            for (int m = 0; m < all.count; m++) {
                known = known || strcmp(all.move[m].text, text) == 0;
            }
            hz_move move;
            hz_status status = hz_move_from_text(&position, text, strlen(text), &move, NULL);
            test_same_text(dfen, text, known ? "OK" : "NOT_PSEUDO_LEGAL", hz_status_name(status));
            good += known;
        }
    }
    test_met(good > 0);
}

/* ---- playing one ---- */

/* Plays one micro-move on both sides and compares everything. */
static void check_apply(const char *dfen, const hz_position *position, const ref_position *slow,
                        hz_move move) {
    char text[HZ_MOVE_CAPACITY], expected[REF_DFEN_CAPACITY], actual[HZ_DFEN_CAPACITY];
    test_move(move, text);
    ref_position slow_after = *slow;
    bool slow_king = ref_takes_king(slow, text);
    const char *verdict = ref_apply(&slow_after, text);
    hz_position after = *position;
    bool king = !slow_king;
    hz_error err;
    hz_error_clear(&err);
    hz_status status = hz_move_apply(&after, move, &king, &err);
    test_same_text(dfen, text, verdict, hz_status_name(status));
    ref_to_dfen(&slow_after, expected);
    test_same_text(dfen, text, expected, test_dfen(&after, actual));
    test_true(dfen, text, after.key == hz_position_fresh_key(&after));
    if (status == HZ_OK) {
        test_same_number(dfen, "takes a king", slow_king, king);
    } else {
        test_same_number(dfen, "code", (unsigned)status, (unsigned)err.code);
        test_true(dfen, "unchanged", test_same_position(&after, position));
    }
    hz_position again = *position;
    test_same_number(dfen, "without answers", (unsigned)status,
                     (unsigned)hz_move_apply(&again, move, NULL, NULL));

    /* the same on the board alone: side and pool stay, the captured type is told */
    hz_position played = *position;
    hz_piece_type captured = hz_position_play(&played, move);
    char taken = slow->board[hz_move_to(move)];
    bool en_passant = hz_move_flags(move) == HZ_MOVE_EN_PASSANT;
    hz_piece_type expected_type =
        en_passant ? HZ_PAWN : hz_position_type_at(position, hz_move_to(move));
    test_same_number(dfen, "captured type", expected_type, captured);
    test_true(dfen, "capture flag",
              (taken != '.' || en_passant) == ((hz_move_flags(move) & HZ_MOVE_CAPTURE) != 0));
    test_true(dfen, "pool stays", played.pool == position->pool && played.side == position->side);
    test_true(dfen, "key", played.key == hz_position_fresh_key(&played));
    hz_position_set_pool(&played, after.pool);
    if (status == HZ_OK) {
        test_same_text(dfen, "board alone", expected, test_dfen(&played, actual));
    }
}

static void applying_a_micro_move_matches_the_oracle(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed());
    for (size_t i = 0; i < test_effort(2000); i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_position(&random, dfen);
        hz_position position = test_position(dfen);
        ref_position slow = test_slow(dfen);
        hz_move_list list;
        hz_moves_pseudo_of(&position, (hz_color)position.side, 63, &list);
        for (int m = 0; m < list.count; m++) {
            check_apply(dfen, &position, &slow, list.moves[m]);
        }
    }
}

static void cost_is_one_die_of_the_type_and_two_for_castling(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed());
    size_t castlings = 0;
    for (size_t i = 0; i < test_effort(3000); i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_placed(&random, (ref_style)ref_random_below(&random, REF_STYLES), dfen);
        hz_position position = test_position(dfen);
        ref_position slow = test_slow(dfen);
        hz_move_list list;
        hz_moves_pseudo_of(&position, (hz_color)position.side, 63, &list);
        for (int m = 0; m < list.count; m++) {
            char text[HZ_MOVE_CAPACITY];
            bool castling;
            int face = ref_move_face(&slow, test_move(list.moves[m], text), &castling);
            hz_pool cost = hz_pool_of((hz_piece_type)face);
            cost = (hz_pool)(cost + (castling ? hz_pool_of(HZ_ROOK) : 0));
            test_same_number(dfen, text, cost, hz_move_cost(&position, list.moves[m]));
            test_same_number(dfen, text, castling, hz_move_is_castling(list.moves[m]));
            castlings += castling;
        }
    }
    test_met(castlings > 0);
}

static void missing_die_is_told_and_nothing_changes(void **state) {
    (void)state;
    static const struct {
        const char *dfen, *move;
        hz_status status;
    } cases[] = {
        {"4k3/8/8/8/8/8/4P3/4K2R w K - 0 1 N", "e2e4", HZ_NO_DIE},
        {"4k3/8/8/8/8/8/4P3/4K2R w K - 0 1 K", "e1g1", HZ_NO_DIE},  /* castling: no rook die */
        {"4k3/8/8/8/8/8/4P3/4K2R w K - 0 1 RR", "e1g1", HZ_NO_DIE}, /* castling: no king die */
        {"4k3/8/8/8/8/8/4P3/4K2R w K - 0 1 RK", "e1g1", HZ_OK},
        {"4k3/8/8/8/8/8/4P3/4K2R w K - 0 1", "e1g1", HZ_OK}, /* analysis: no dice at all */
        {"4k3/8/8/8/8/8/4P3/4K2R w K - 0 1", "e2e4", HZ_OK},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hz_position position = test_position(cases[i].dfen);
        hz_move move;
        assert_int_equal(hz_move_from_text(&position, cases[i].move, 4, &move, NULL), HZ_OK);
        const hz_position before = position;
        hz_status status = hz_move_apply(&position, move, NULL, NULL);
        test_same_text(cases[i].dfen, cases[i].move, hz_status_name(cases[i].status),
                       hz_status_name(status));
        test_same_number(cases[i].dfen, "changed", status == HZ_OK,
                         !test_same_position(&position, &before));
    }
}

/* ---- whole games: keys kept up to date, text the same on both sides ---- */

static void keys_stay_true_through_games(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed());
    size_t micro_moves = 0;
    for (size_t game = 0; game < test_effort(400); game++) {
        char dfen[REF_DFEN_CAPACITY], expected[REF_DFEN_CAPACITY], actual[HZ_DFEN_CAPACITY];
        ref_random_position(&random, dfen);
        hz_position position = test_position(dfen);
        ref_position slow = test_slow(dfen);
        for (int turn = 0; turn < 30; turn++) {
            hz_move_list list;
            for (hz_moves_playable(&position, &list); list.count > 0;
                 hz_moves_playable(&position, &list)) {
                hz_move move = list.moves[ref_random_below(&random, (unsigned)list.count)];
                char text[HZ_MOVE_CAPACITY];
                ref_play(&slow, test_move(move, text));
                assert_int_equal(hz_move_apply(&position, move, NULL, NULL), HZ_OK);
                test_true(dfen, text, position.key == hz_position_fresh_key(&position));
                micro_moves++;
            }
            ref_to_dfen(&slow, expected);
            test_same_text(dfen, "end of a turn", expected, test_dfen(&position, actual));
            hz_hand_over(&position);
            ref_hand_over(&slow);
            test_true(dfen, "after hand-over", position.key == hz_position_fresh_key(&position));
            ref_to_dfen(&slow, expected);
            test_same_text(dfen, "after hand-over", expected, test_dfen(&position, actual));
            test_true(dfen, "key of the text", test_position(actual).key == position.key);
            hz_random dice = hz_random_from_seed(ref_random_next(&random));
            hz_position_set_pool(&position, hz_roll_draw(&dice));
            slow = test_slow(test_dfen(&position, actual));
        }
    }
    assert_true(micro_moves > 0);
}

static void handing_over_ends_the_turn(void **state) {
    (void)state;
    static const struct {
        const char *before, *after;
    } cases[] = {
        /* own old targets of the next mover lapse, dice are discarded, the clock stays */
        {"4k3/8/8/8/8/8/8/4K3 w - a3b6h6 7 9 PNB", "4k3/8/8/8/8/8/8/4K3 b - a3 7 9"},
        {"4k3/8/8/8/8/8/8/4K3 b - a3b6h6 7 9 pnb", "4k3/8/8/8/8/8/8/4K3 w - b6h6 7 10"},
        /* targets on other ranks have no owner and stay */
        {"4k3/8/8/8/8/8/8/4K3 w - a1b4c6h8 0 1", "4k3/8/8/8/8/8/8/4K3 b - a1b4h8 0 1"},
        {"4k3/8/8/8/8/8/8/4K3 b - a1c3b4h8 0 1", "4k3/8/8/8/8/8/8/4K3 w - a1b4h8 0 2"},
        /* the move number stays at its maximum */
        {"8/8/8/8/8/8/8/8 b - - 127 2147483647", "8/8/8/8/8/8/8/8 w - - 127 2147483647"},
        {"8/8/8/8/8/8/8/8 w KQkq - 0 2147483647", "8/8/8/8/8/8/8/8 b KQkq - 0 2147483647"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hz_position position = test_position(cases[i].before);
        char text[HZ_DFEN_CAPACITY];
        hz_hand_over(&position);
        test_same_text(cases[i].before, "handed over", cases[i].after, test_dfen(&position, text));
        test_true(cases[i].before, "key", position.key == hz_position_fresh_key(&position));
    }
}

static void game_is_over_when_a_side_has_no_king(void **state) {
    (void)state;
    static const struct {
        const char *dfen;
        bool over, has_winner;
        hz_color winner;
    } cases[] = {
        {HZ_START_DFEN, false, false, HZ_WHITE},
        {"8/8/8/8/8/8/8/K7 w - - 0 1", true, true, HZ_WHITE},
        {"8/8/8/8/8/8/8/K7 b - - 0 1", true, true, HZ_WHITE},
        {"k7/8/8/8/8/8/8/QQQ5 w - - 0 1", true, true, HZ_BLACK},
        {"8/8/8/8/8/8/8/8 w - - 0 1", true, false, HZ_WHITE},
        {"q7/8/8/8/8/8/8/Q7 w - - 0 1", true, false, HZ_WHITE},
        {"kk6/8/8/8/8/8/8/KK6 w - - 0 1", false, false, HZ_WHITE},
        {"kk6/8/8/8/8/8/8/8 w - - 0 1", true, true, HZ_BLACK},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hz_position position = test_position(cases[i].dfen);
        bool has_winner = !cases[i].has_winner;
        hz_color winner = HZ_WHITE;
        test_same_number(cases[i].dfen, "over", cases[i].over,
                         hz_game_over(&position, &has_winner, &winner));
        if (cases[i].over) {
            test_same_number(cases[i].dfen, "has a winner", cases[i].has_winner, has_winner);
        }
        if (cases[i].has_winner) {
            test_same_number(cases[i].dfen, "winner", cases[i].winner, winner);
        }
        test_same_number(cases[i].dfen, "without answers", cases[i].over,
                         hz_game_over(&position, NULL, NULL));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_of_micro_moves_match_the_oracle),
        cmocka_unit_test(every_piece_on_the_fullest_boards_fits_the_list),
        cmocka_unit_test(every_generated_move_is_found_by_its_text),
        cmocka_unit_test(text_that_is_not_exactly_a_micro_move_is_refused),
        cmocka_unit_test(random_move_texts_are_judged_as_the_oracle_does),
        cmocka_unit_test(applying_a_micro_move_matches_the_oracle),
        cmocka_unit_test(cost_is_one_die_of_the_type_and_two_for_castling),
        cmocka_unit_test(missing_die_is_told_and_nothing_changes),
        cmocka_unit_test(keys_stay_true_through_games),
        cmocka_unit_test(handing_over_ends_the_turn),
        cmocka_unit_test(game_is_over_when_a_side_has_no_king),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
