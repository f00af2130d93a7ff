/* SPDX-License-Identifier: MIT */
/* Sets of rolls: weights, and the tables of dice combinations against the list of rolls. */
#include "odds/rolls.h"

#include "support/support.h"

#include <hazard/dice.h>

/* Whether a roll holds all dice of a multiset given by counts. */
static bool holds(const hz_roll *roll, const int count[6]) {
    int have[6] = {0};
    for (int i = 0; i < 3; i++) {
        have[roll->face[i] - 1]++;
    }
    for (int t = 0; t < 6; t++) {
        if (have[t] < count[t]) {
            return false;
        }
    }
    return true;
}

/* Rolls that hold these dice, -1 = no die. */
static hz_roll_set holding(int a, int b, int c) {
    const int dice[3] = {a, b, c};
    int count[6] = {0};
    for (int i = 0; i < 3; i++) {
        if (dice[i] >= 0) {
            count[dice[i]]++;
        }
    }
    hz_roll_set rolls = 0;
    for (int i = 0; i < HZ_ROLLS; i++) {
        rolls |= (hz_roll_set)holds(&hz_rolls[i], count) << i;
    }
    return rolls;
}

static void all_rolls_weigh_216(void **state) {
    (void)state;
    assert_int_equal(hz_roll_set_weight(HZ_ROLL_SET_ALL), HZ_ROLLS_ORDERED);
    assert_int_equal(hz_roll_set_weight(0), 0);
}

static void each_roll_weighs_its_ordered_rolls(void **state) {
    (void)state;
    for (int i = 0; i < HZ_ROLLS; i++) {
        assert_int_equal(hz_roll_set_weight((hz_roll_set)1 << i), hz_rolls[i].weight_216);
    }
}

static void bits_beyond_the_last_roll_weigh_nothing(void **state) {
    (void)state;
    assert_int_equal(hz_roll_set_weight(~HZ_ROLL_SET_ALL), 0);
}

static void rolls_with_one_of_k_types_have_the_known_weights(void **state) {
    (void)state;
    static const unsigned weight[7] = {0, 91, 152, 189, 208, 215, 216};
    for (unsigned mask = 0; mask < 64; mask++) {
        assert_int_equal(hz_roll_set_weight(hzi_rolls_same[0][mask]),
                         weight[__builtin_popcount(mask)]);
    }
}

static void tables_of_equal_dice_match_the_rolls(void **state) {
    (void)state;
    for (int mask = 0; mask < 64; mask++) {
        hz_roll_set expected[3] = {0};
        for (int t = 0; t < 6; t++) {
            if (mask >> t & 1) {
                expected[0] |= holding(t, -1, -1);
                expected[1] |= holding(t, t, -1);
                expected[2] |= holding(t, t, t);
            }
        }
        for (int n = 0; n < 3; n++) {
            assert_int_equal(hzi_rolls_same[n][mask], expected[n]);
        }
    }
}

static void tables_of_two_and_three_dice_match_the_rolls(void **state) {
    (void)state;
    for (int a = 0; a < 6; a++) {
        for (int mask = 0; mask < 64; mask++) {
            hz_roll_set two = 0;
            for (int b = 0; b < 6; b++) {
                hz_roll_set three = 0;
                two |= mask >> b & 1 ? holding(a, b, -1) : 0;
                for (int c = 0; c < 6; c++) {
                    three |= mask >> c & 1 ? holding(a, b, c) : 0;
                }
                assert_int_equal(hzi_rolls_three[a][b][mask], three);
            }
            assert_int_equal(hzi_rolls_two[a][mask], two);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_rolls_weigh_216),
        cmocka_unit_test(each_roll_weighs_its_ordered_rolls),
        cmocka_unit_test(bits_beyond_the_last_roll_weigh_nothing),
        cmocka_unit_test(rolls_with_one_of_k_types_have_the_known_weights),
        cmocka_unit_test(tables_of_equal_dice_match_the_rolls),
        cmocka_unit_test(tables_of_two_and_three_dice_match_the_rolls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
