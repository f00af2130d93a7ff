/* SPDX-License-Identifier: MIT */
/* The position as a value: pieces on squares, fields, and a key that always says the same. */
#include <string.h>

#include "ref/ref_random.h"
#include "support/positions.h"

static void empty_board_is_white_to_move_without_anything(void **state) {
    (void)state;
    hz_position position = hz_position_empty();
    char buffer[HZ_DFEN_CAPACITY];
    assert_string_equal(test_dfen(&position, buffer), "8/8/8/8/8/8/8/8 w - - 0 1");
    hz_position read = test_position("8/8/8/8/8/8/8/8 w - - 0 1");
    assert_true(position.key == read.key);
    assert_true(position.key == hz_position_fresh_key(&position));
}

static void position_is_small_enough_to_copy(void **state) {
    (void)state;
    assert_true(sizeof(hz_position) <= 128);
}

static void letters_and_types_stand_where_the_text_puts_them(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed());
    for (size_t i = 0; i < test_effort(3000); i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_position(&random, dfen);
        hz_position position = test_position(dfen);
        ref_position slow;
        assert_true(ref_from_dfen(&slow, dfen));
        for (int square = 0; square < 64; square++) {
            char letter = slow.board[square];
            test_same_number(dfen, "letter", (unsigned char)letter,
                             (unsigned char)hz_position_letter_at(&position, square));
            static const char letters[] = "PpNnBbRrQqKk";
            const char *found = strchr(letters, letter);
            size_t type = found ? (size_t)(found - letters) / 2 : HZ_NO_PIECE;
            test_same_number(dfen, "type", type, (unsigned)hz_position_type_at(&position, square));
        }
    }
}

/* Makes a position again by putting its pieces in a random order and setting its fields. */
static hz_position rebuilt(ref_random *random, const hz_position *from) {
    hz_position position = hz_position_empty();
    int square[64];
    for (int i = 0; i < 64; i++) {
        int j = (int)ref_random_below(random, (unsigned)i + 1);
        square[i] = square[j];
        square[j] = i;
    }
    for (int i = 0; i < 64; i++) {
        hz_piece_type type = hz_position_type_at(from, square[i]);
        hz_color color = (from->colors[HZ_BLACK] >> square[i] & 1) ? HZ_BLACK : HZ_WHITE;
        if (ref_random_chance(random, 30)) { /* something else first */
            hz_position_put(&position, square[i], (hz_color)ref_random_below(random, 2),
                            (hz_piece_type)ref_random_below(random, 7));
        }
        hz_position_put(&position, square[i], color, type);
        assert_true(position.key == hz_position_fresh_key(&position));
    }
    for (unsigned todo = 15; todo;) { /* the four fields in any order, some twice */
        unsigned which = ref_random_below(random, 4);
        todo &= ~(1u << which);
        if (which == 0) {
            hz_position_set_side(&position, (hz_color)from->side);
        } else if (which == 1) {
            hz_position_set_pool(&position, from->pool);
        } else if (which == 2) {
            hz_position_set_rights(&position, from->rights);
        } else {
            hz_position_set_targets(&position, from->targets);
        }
        assert_true(position.key == hz_position_fresh_key(&position));
    }
    return position;
}

static void position_put_together_in_any_order_is_the_same(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed());
    for (size_t i = 0; i < test_effort(3000); i++) {
        char dfen[REF_DFEN_CAPACITY], buffer[HZ_DFEN_CAPACITY];
        ref_random_position(&random, dfen);
        hz_position position = test_position(dfen);
        hz_position again = rebuilt(&random, &position);
        test_true(dfen, "same key", again.key == position.key);
        test_true(dfen, "same board", hz_position_same_board(&again, &position));
        again.halfmove = position.halfmove;
        again.fullmove = position.fullmove;
        test_same_text(dfen, "text", dfen, test_dfen(&again, buffer));
        test_true(dfen, "same fields", test_same_position(&again, &position));
    }
}

static void pieces_are_replaced_and_taken_away(void **state) {
    (void)state;
    hz_position position = hz_position_empty();
    hz_position_put(&position, 28, HZ_WHITE, HZ_QUEEN);
    assert_int_equal(hz_position_letter_at(&position, 28), 'Q');
    hz_position_put(&position, 28, HZ_BLACK, HZ_KNIGHT);
    assert_int_equal(hz_position_letter_at(&position, 28), 'n');
    assert_true(position.colors[HZ_WHITE] == 0);
    assert_true(position.pieces[HZ_QUEEN] == 0);
    hz_position_put(&position, 28, HZ_WHITE, HZ_NO_PIECE);
    assert_int_equal(hz_position_letter_at(&position, 28), '.');
    assert_int_equal(hz_position_type_at(&position, 28), HZ_NO_PIECE);
    assert_true(position.key == hz_position_empty().key);
}

static void key_ignores_clocks_and_nothing_else(void **state) {
    (void)state;
    const char *base = "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 5 9 PNB";
    uint64_t key = test_position(base).key;
    assert_true(test_position("r3k2r/8/8/3pP3/8/8/8/R3K2R w QKqk d6 0 1 bnp").key == key);
    assert_true(test_position("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 127 2147483647 NPB").key ==
                key);
    static const char *const others[] = {
        "r3k2r/8/8/3pP3/8/8/8/R3K2R b KQkq d6 5 9 PNB",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQk d6 5 9 PNB",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQq d6 5 9 PNB",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w Kkq d6 5 9 PNB",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w Qkq d6 5 9 PNB",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 5 9 PNB",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq c6d6 5 9 PNB",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 5 9 PN",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 5 9 PNN",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 5 9",
        "r3k2r/8/8/3pN3/8/8/8/R3K2R w KQkq d6 5 9 PNB",
        "r3k2r/8/8/3pp3/8/8/8/R3K2R w KQkq d6 5 9 PNB",
        "r3k2r/8/8/3p1P2/8/8/8/R3K2R w KQkq d6 5 9 PNB",
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        test_true(others[i], "another key", test_position(others[i]).key != key);
    }
}

static void keys_of_many_positions_differ(void **state) {
    (void)state;
    /* every change of one piece, target, right or die of a position gives a key of its own */
    enum { MOST = 2000 };
    static uint64_t keys[MOST];
    size_t count = 0;
    hz_position start = test_position("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1");
    for (int square = 0; square < 64; square++) {
        for (int piece = 0; piece < 12; piece++) {
            hz_position position = start;
            hz_position_put(&position, square, (hz_color)(piece / 6), (hz_piece_type)(piece % 6));
            if (position.key != start.key) {
                keys[count++] = position.key;
            }
        }
        hz_position position = start;
        hz_position_set_targets(&position, start.targets ^ (uint64_t)1 << square);
        keys[count++] = position.key;
    }
    for (unsigned rights = 0; rights < 15; rights++) {
        hz_position position = start;
        hz_position_set_rights(&position, rights);
        keys[count++] = position.key;
    }
    for (int a = 0; a <= 6; a++) {
        for (int b = a; b <= 6; b++) {
            for (int c = b; c <= 6; c++) {
                hz_position position = start;
                hz_position_set_pool(&position, hz_pool_from_faces(a, b, c));
                keys[count++] = position.key; /* the empty pool among them: the start itself */
            }
        }
    }
    assert_int_equal(count, 64 * 12 - 8 + 64 + 15 + 84);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            assert_true(keys[i] != keys[j]);
        }
    }
}

static void same_board_looks_at_neither_pool_nor_clocks(void **state) {
    (void)state;
    hz_position a = test_position("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 5 9 PNB");
    static const struct {
        const char *text;
        bool same;
    } cases[] = {
        {"r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1", true},
        {"r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 5 9 QQQ", true},
        {"r3k2r/8/8/3pP3/8/8/8/R3K2R b KQkq d6 5 9 PNB", false},
        {"r3k2r/8/8/3pP3/8/8/8/R3K2R w KQk d6 5 9 PNB", false},
        {"r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 5 9 PNB", false},
        {"r3k2r/8/8/3pP3/8/8/8/R3K1R1 w KQkq d6 5 9 PNB", false},
        {"r3k2r/8/8/3Pp3/8/8/8/R3K2R w KQkq d6 5 9 PNB", false},
        {"r3k2r/8/8/3pN3/8/8/8/R3K2R w KQkq d6 5 9 PNB", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hz_position b = test_position(cases[i].text);
        test_same_number(cases[i].text, "same board", cases[i].same,
                         hz_position_same_board(&a, &b));
        test_same_number(cases[i].text, "same board the other way", cases[i].same,
                         hz_position_same_board(&b, &a));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_board_is_white_to_move_without_anything),
        cmocka_unit_test(position_is_small_enough_to_copy),
        cmocka_unit_test(letters_and_types_stand_where_the_text_puts_them),
        cmocka_unit_test(position_put_together_in_any_order_is_the_same),
        cmocka_unit_test(pieces_are_replaced_and_taken_away),
        cmocka_unit_test(key_ignores_clocks_and_nothing_else),
        cmocka_unit_test(keys_of_many_positions_differ),
        cmocka_unit_test(same_board_looks_at_neither_pool_nor_clocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
