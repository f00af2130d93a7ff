/* SPDX-License-Identifier: MIT */
/* Moves and squares as text, their order, and what a move says about itself. */
#include <stdio.h>
#include <string.h>

#include "support/positions.h"

/* All moves between different squares with flags a generator can give. */
static const unsigned FLAGS[] = {
    HZ_MOVE_QUIET,
    HZ_MOVE_DOUBLE_STEP,
    HZ_MOVE_CASTLE_KING,
    HZ_MOVE_CASTLE_QUEEN,
    HZ_MOVE_CAPTURE,
    HZ_MOVE_EN_PASSANT,
    HZ_MOVE_PROMOTION | 0,
    HZ_MOVE_PROMOTION | 1,
    HZ_MOVE_PROMOTION | 2,
    HZ_MOVE_PROMOTION | 3,
    HZ_MOVE_PROMOTION | HZ_MOVE_CAPTURE | 0,
    HZ_MOVE_PROMOTION | HZ_MOVE_CAPTURE | 1,
    HZ_MOVE_PROMOTION | HZ_MOVE_CAPTURE | 2,
    HZ_MOVE_PROMOTION | HZ_MOVE_CAPTURE | 3,
};
enum { FLAG_KINDS = sizeof FLAGS / sizeof FLAGS[0] };

static void text_reads_back_to_squares_and_promotion(void **state) {
    (void)state;
    for (int from = 0; from < 64; from++) {
        for (int to = 0; to < 64; to++) {
            for (int f = 0; f < FLAG_KINDS; f++) {
                hz_move move = hz_move_make(from, to, FLAGS[f]);
                assert_int_equal(hz_move_from(move), from);
                assert_int_equal(hz_move_to(move), to);
                assert_int_equal(hz_move_flags(move), FLAGS[f]);
                if (from == to) {
                    continue;
                }
                char text[HZ_MOVE_CAPACITY], expected[HZ_MOVE_CAPACITY];
                bool promotes = (FLAGS[f] & HZ_MOVE_PROMOTION) != 0;
                snprintf(expected, sizeof expected, "%c%c%c%c%s", 'a' + from % 8, '1' + from / 8,
                         'a' + to % 8, '1' + to / 8,
                         promotes ? (const char *[]){"n", "b", "r", "q"}[FLAGS[f] & 3] : "");
                assert_int_equal(hz_move_to_text(move, text), strlen(expected));
                assert_string_equal(text, expected);
                int from_back, to_back;
                hz_piece_type promotion;
                assert_int_equal(
                    hz_move_parse(text, strlen(text), &from_back, &to_back, &promotion, NULL),
                    HZ_OK);
                assert_int_equal(from_back, from);
                assert_int_equal(to_back, to);
                assert_int_equal(promotion, hz_move_promotion(move));
                assert_int_equal(promotion == HZ_NO_PIECE, !promotes);
            }
        }
    }
}

static void castling_is_told_by_its_flags(void **state) {
    (void)state;
    for (int f = 0; f < FLAG_KINDS; f++) {
        hz_move move = hz_move_make(4, 6, FLAGS[f]);
        assert_int_equal(hz_move_is_castling(move),
                         FLAGS[f] == HZ_MOVE_CASTLE_KING || FLAGS[f] == HZ_MOVE_CASTLE_QUEEN);
    }
}

static int sign(int x) {
    return (x > 0) - (x < 0);
}

static void numbers_order_moves_as_their_texts(void **state) {
    (void)state;
    uint64_t x = test_seed();
    hz_move last = hz_move_make(0, 1, 0);
    for (size_t i = 0; i < test_effort(2000000); i++) {
        x = hz_random_mix(x);
        int from = (int)(x & 63), to = (int)(x >> 6 & 63);
        unsigned flags = FLAGS[(x >> 12 & 0xFFFF) % FLAG_KINDS];
        if (x >> 28 & 1) { /* a neighbour of the move before: same from, same to, or both */
            from = hz_move_from(last);
            to = x >> 29 & 1 ? hz_move_to(last) : to;
        }
        if (from == to) {
            continue;
        }
        hz_move move = hz_move_make(from, to, flags);
        unsigned order = hz_move_text_order(move), last_order = hz_move_text_order(last);
        assert_true(order >= 1 && order <= 32767);
        char a[HZ_MOVE_CAPACITY], b[HZ_MOVE_CAPACITY];
        int by_text = sign(strcmp(test_move(last, a), test_move(move, b)));
        int by_number = (last_order > order) - (last_order < order);
        test_same_number(a, b, (unsigned)(by_text + 1), (unsigned)(by_number + 1));
        last = move;
    }
}

static void wrong_move_text_is_refused_with_its_byte(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t length, offset;
    } cases[] = {{"", 0, 0},      {"e", 1, 1},       {"e2", 2, 2},      {"e2e", 3, 3},
                 {"i2e4", 4, 0},  {"e9e4", 4, 1},    {"e0e4", 4, 1},    {"e2z4", 4, 2},
                 {"e2e9", 4, 3},  {"E2e4", 4, 0},    {"e2e4x", 5, 4},   {"e7e8k", 5, 4},
                 {"e7e8p", 5, 4}, {"e7e8Q", 5, 4},   {"e7e8qq", 6, 5},  {"e2e4 ", 5, 4},
                 {" e2e4", 5, 0}, {"e2-e4", 5, 2},   {"e2e4\0", 5, 4},  {"e2\0e4", 5, 2},
                 {"-", 1, 0},     {"e2e4,e4", 7, 4}, {"\xffze4", 4, 0}, {"O-O", 3, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int from = -5, to = -6;
        hz_piece_type promotion = HZ_KING;
        hz_error err;
        hz_error_clear(&err);
        hz_status status =
            hz_move_parse(cases[i].text, cases[i].length, &from, &to, &promotion, &err);
        test_same_text(cases[i].text, "status", "MOVE_TEXT", hz_status_name(status));
        test_same_number(cases[i].text, "offset", cases[i].offset, err.offset);
    }
}

static void squares_read_back_from_their_text(void **state) {
    (void)state;
    for (int square = 0; square < 64; square++) {
        char text[3];
        hz_square_to_text(square, text);
        char expected[3] = {(char)('a' + square % 8), (char)('1' + square / 8), '\0'};
        assert_string_equal(text, expected);
        assert_int_equal(hz_square_from_text(text, 2), square);
    }
}

static void bytes_that_are_no_square_are_told(void **state) {
    (void)state;
    int good = 0;
    for (int a = 0; a < 256; a++) {
        for (int b = 0; b < 256; b++) {
            char text[2] = {(char)a, (char)b};
            int square = hz_square_from_text(text, 2);
            bool is_square = a >= 'a' && a <= 'h' && b >= '1' && b <= '8';
            assert_int_equal(square != HZ_NO_SQUARE, is_square);
            good += is_square;
        }
    }
    assert_int_equal(good, 64);
    assert_int_equal(hz_square_from_text("", 0), HZ_NO_SQUARE);
    assert_int_equal(hz_square_from_text("e", 1), HZ_NO_SQUARE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_reads_back_to_squares_and_promotion),
        cmocka_unit_test(castling_is_told_by_its_flags),
        cmocka_unit_test(numbers_order_moves_as_their_texts),
        cmocka_unit_test(wrong_move_text_is_refused_with_its_byte),
        cmocka_unit_test(squares_read_back_from_their_text),
        cmocka_unit_test(bytes_that_are_no_square_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
