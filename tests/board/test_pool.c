/* SPDX-License-Identifier: MIT */
/* The dice pool: a multiset whatever the order, and its text. */
#include <string.h>

#include "support/positions.h"

static void order_of_dice_makes_no_difference(void **state) {
    (void)state;
    for (int a = 1; a <= 6; a++) {
        for (int b = 1; b <= 6; b++) {
            for (int c = 1; c <= 6; c++) {
                hz_pool pool = hz_pool_from_faces(a, b, c);
                assert_int_equal(pool, hz_pool_from_faces(c, a, b));
                assert_int_equal(pool, hz_pool_from_faces(b, a, c));
                assert_int_equal(hz_pool_size(pool), 3);
                for (int face = 1; face <= 6; face++) {
                    assert_int_equal(hz_pool_count(pool, (hz_piece_type)(face - 1)),
                                     (a == face) + (b == face) + (c == face));
                }
            }
        }
    }
}

static void face_outside_one_to_six_is_no_die(void **state) {
    (void)state;
    static const int outside[] = {0, 7, -1, 1000, -2147483647 - 1, 2147483647};
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
        assert_int_equal(hz_pool_from_faces(outside[i], 0, 0), 0);
        assert_int_equal(hz_pool_from_faces(3, outside[i], 3), 2 * hz_pool_of(HZ_BISHOP));
    }
    assert_int_equal(hz_pool_size(0), 0);
    assert_int_equal(hz_pool_size(hz_pool_of(HZ_KING)), 1);
}

static void text_is_sorted_and_cased_by_side(void **state) {
    (void)state;
    char buffer[4];
    assert_int_equal(hz_pool_to_text(hz_pool_from_faces(6, 1, 5), HZ_WHITE, buffer), 3);
    assert_string_equal(buffer, "PQK");
    assert_int_equal(hz_pool_to_text(hz_pool_from_faces(4, 2, 3), HZ_BLACK, buffer), 3);
    assert_string_equal(buffer, "nbr");
    assert_int_equal(hz_pool_to_text(0, HZ_WHITE, buffer), 0);
    assert_string_equal(buffer, "");
}

static void every_pool_reads_back_from_its_text(void **state) {
    (void)state;
    for (int a = 0; a <= 6; a++) {
        for (int b = 0; b <= 6; b++) {
            for (int c = 0; c <= 6; c++) {
                hz_pool pool = hz_pool_from_faces(a, b, c), back = 0x7FFF;
                char buffer[4];
                for (int side = 0; side < 2; side++) {
                    size_t length = hz_pool_to_text(pool, (hz_color)side, buffer);
                    assert_int_equal(length, hz_pool_size(pool));
                    if (length > 0) {
                        assert_int_equal(hz_pool_from_text(buffer, length, &back, NULL), HZ_OK);
                        assert_int_equal(back, pool);
                    }
                }
            }
        }
    }
}

static void letters_and_digits_are_read(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int a, b, c;
    } cases[] = {{"PNB", 1, 2, 3}, {"kqr", 6, 5, 4}, {"KpN", 1, 2, 6}, {"123", 1, 2, 3},
                 {"6p5", 1, 5, 6}, {"q", 5, 0, 0},   {"44", 4, 4, 0},  {"-", 0, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hz_pool pool = 0x7FFF;
        hz_error err;
        hz_error_clear(&err);
        test_same_text(
            cases[i].text, "status", "OK",
            hz_status_name(hz_pool_from_text(cases[i].text, strlen(cases[i].text), &pool, &err)));
        test_same_number(cases[i].text, "pool",
                         hz_pool_from_faces(cases[i].a, cases[i].b, cases[i].c), pool);
    }
}

static void wrong_roll_text_is_refused_with_its_byte(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t length, offset;
    } cases[] = {{"", 0, 0},     {"X", 1, 0},    {"P7", 2, 1},       {"PN0", 3, 2},
                 {"PNBR", 4, 3}, {"P B", 3, 1},  {"PN-", 3, 2},      {" PNB", 4, 0},
                 {"PN,B", 4, 2}, {"P\0B", 3, 1}, {"\xff\xfe", 2, 0}, {"1234567", 7, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hz_pool pool = 17;
        hz_error err;
        hz_error_clear(&err);
        hz_status status = hz_pool_from_text(cases[i].text, cases[i].length, &pool, &err);
        test_same_text(cases[i].text, "status", "ROLL_TEXT", hz_status_name(status));
        test_same_number(cases[i].text, "offset", cases[i].offset, err.offset);
        test_same_number(cases[i].text, "pool unchanged", 17, pool);
        assert_int_equal(hz_pool_from_text(cases[i].text, cases[i].length, &pool, NULL),
                         HZ_ROLL_TEXT);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_of_dice_makes_no_difference),
        cmocka_unit_test(face_outside_one_to_six_is_no_die),
        cmocka_unit_test(text_is_sorted_and_cased_by_side),
        cmocka_unit_test(every_pool_reads_back_from_its_text),
        cmocka_unit_test(letters_and_digits_are_read),
        cmocka_unit_test(wrong_roll_text_is_refused_with_its_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
