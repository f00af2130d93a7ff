/* SPDX-License-Identifier: MIT */
/* The 56 rolls, their weights and orders, and rolls from streams. */
#include <string.h>

#include "support/turns.h"

static void rolls_are_the_multisets_in_lexicographic_order(void **state) {
    (void)state;
    int index = 0;
    for (int a = 1; a <= 6; a++) {
        for (int b = a; b <= 6; b++) {
            for (int c = b; c <= 6; c++, index++) {
                assert_int_equal(hz_rolls[index].face[0], a);
                assert_int_equal(hz_rolls[index].face[1], b);
                assert_int_equal(hz_rolls[index].face[2], c);
                assert_int_equal(hz_rolls[index].pool, hz_pool_from_faces(a, b, c));
            }
        }
    }
    assert_int_equal(index, HZ_ROLLS);
}

static void weights_count_the_ordered_rolls(void **state) {
    (void)state;
    int weight[HZ_ROLLS] = {0}, sum = 0, of_weight[7] = {0};
    for (int a = 1; a <= 6; a++) {
        for (int b = 1; b <= 6; b++) {
            for (int c = 1; c <= 6; c++) {
                for (int i = 0; i < HZ_ROLLS; i++) {
                    weight[i] += hz_rolls[i].pool == hz_pool_from_faces(a, b, c);
                }
            }
        }
    }
    for (int i = 0; i < HZ_ROLLS; i++) {
        assert_int_equal(hz_rolls[i].weight_216, weight[i]);
        sum += weight[i];
        of_weight[weight[i]]++;
    }
    assert_int_equal(sum, HZ_ROLLS_ORDERED);
    assert_int_equal(of_weight[1], 6);
    assert_int_equal(of_weight[3], 30);
    assert_int_equal(of_weight[6], 20);
}

static void search_order_is_by_falling_weight_then_lexicographic(void **state) {
    (void)state;
    bool seen[HZ_ROLLS] = {false};
    for (int i = 0; i < HZ_ROLLS; i++) {
        int roll = hz_rolls_by_weight[i];
        assert_true(roll < HZ_ROLLS);
        assert_false(seen[roll]);
        seen[roll] = true;
        if (i > 0) {
            int before = hz_rolls_by_weight[i - 1];
            int step = hz_rolls[before].weight_216 - hz_rolls[roll].weight_216;
            assert_true(step > 0 || (step == 0 && before < roll));
        }
    }
    /* published places */
    static const struct {
        int index;
        uint8_t face[3];
    } places[] = {{0, {1, 2, 3}},  {19, {4, 5, 6}}, {20, {1, 1, 2}},
                  {49, {5, 6, 6}}, {50, {1, 1, 1}}, {55, {6, 6, 6}}};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        assert_memory_equal(hz_rolls[hz_rolls_by_weight[places[i].index]].face, places[i].face, 3);
    }
}

static void roll_of_a_turn_is_its_three_dice(void **state) {
    (void)state;
    uint64_t seed = test_seed();
    for (uint64_t ply = 0; ply < 500; ply++) {
        assert_int_equal(hz_roll_at(seed, ply), hz_pool_from_faces(hz_random_die(seed, ply, 0),
                                                                   hz_random_die(seed, ply, 1),
                                                                   hz_random_die(seed, ply, 2)));
    }
    assert_int_equal(hz_roll_at(42, 0), hz_pool_from_faces(3, 6, 3));
    assert_int_equal(hz_roll_at(UINT64_MAX, 5), hz_pool_from_faces(1, 4, 3));
}

static void drawn_roll_takes_three_draws_of_six(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed()), twin = random;
    for (int i = 0; i < 500; i++) {
        hz_pool pool = hz_roll_draw(&random);
        int face[3];
        for (int k = 0; k < 3; k++) {
            face[k] = 1 + (int)hz_random_draw(&twin, 6);
        }
        assert_int_equal(pool, hz_pool_from_faces(face[0], face[1], face[2]));
        assert_int_equal(random.counter, twin.counter);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rolls_are_the_multisets_in_lexicographic_order),
        cmocka_unit_test(weights_count_the_ordered_rolls),
        cmocka_unit_test(search_order_is_by_falling_weight_then_lexicographic),
        cmocka_unit_test(roll_of_a_turn_is_its_three_dice),
        cmocka_unit_test(drawn_roll_takes_three_draws_of_six),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
