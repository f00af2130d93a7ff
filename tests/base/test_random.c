/* SPDX-License-Identifier: MIT */
/* Random streams: the published numbers, and that each number depends on seed and counter only. */
#include <hazard/base.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/support.h"

static void published_draws_come_in_order(void **state) {
    (void)state;
    test_table table = test_table_load("base_random.tsv", 3);
    size_t checked = 0;
    for (size_t i = 0; i < table.count; i++) {
        const test_row *row = &table.rows[i];
        if (strcmp(row->field[1], "draw") != 0) {
            continue;
        }
        hz_random random = hz_random_from_seed(strtoull(row->field[0], NULL, 10));
        const char *next = row->field[2];
        for (uint64_t k = 0; *next; k++) { /* "6:3 6:4 ..." */
            char *end;
            uint32_t bound = (uint32_t)strtoul(next, &end, 10);
            assert_int_equal(*end, ':');
            uint64_t number = strtoul(end + 1, &end, 10);
            assert_int_equal(random.counter, k);
            test_same_number(row->field[0], "draw", number, hz_random_draw(&random, bound));
            next = end + (*end == ' ');
            checked++;
        }
    }
    assert_true(checked > 20);
    test_table_free(&table);
}

static void published_dice_come_for_each_ply(void **state) {
    (void)state;
    test_table table = test_table_load("base_random.tsv", 3);
    size_t checked = 0;
    for (size_t i = 0; i < table.count; i++) {
        const test_row *row = &table.rows[i];
        if (strcmp(row->field[1], "dice") != 0) {
            continue;
        }
        uint64_t seed = strtoull(row->field[0], NULL, 10);
        uint64_t ply = 0;
        for (const char *c = row->field[2]; *c; c += 3 + (c[3] == ' '), ply++) {
            for (int k = 0; k < 3; k++) {
                test_same_number(row->field[0], "die", (unsigned)(c[k] - '0'),
                                 (unsigned)hz_random_die(seed, ply, k));
                checked++;
            }
        }
    }
    assert_int_equal(checked, 54);
    test_table_free(&table);
}

static void mixer_gives_the_published_splitmix_numbers(void **state) {
    (void)state;
    /* the first outputs of splitmix64 started at 0 and at 1234567 */
    assert_true(hz_random_mix(0) == 0xE220A8397B1DCDAF);
    assert_true(hz_random_mix(0x9E3779B97F4A7C15) == 0x6E789E6AA1B965F4);
    assert_true(hz_random_mix(1234567) == 6457827717110365317u);
}

/* Undoes the mixer step by step; two numbers with one image would not both come back. */
static uint64_t unmix(uint64_t z) {
    z ^= (z >> 31) ^ (z >> 62);
    z *= 0x319642B2D24D8EC3;
    z ^= (z >> 27) ^ (z >> 54);
    z *= 0x96DE1B173F119089;
    z ^= (z >> 30) ^ (z >> 60);
    return z - 0x9E3779B97F4A7C15;
}

static void mixer_can_be_undone(void **state) {
    (void)state;
    uint64_t x = test_seed();
    for (size_t i = 0; i < test_effort(100000); i++) {
        uint64_t mixed = hz_random_mix(x);
        assert_true(unmix(mixed) == x);
        x = mixed + i;
    }
}

/* The upper half of k * x by schoolbook multiplication of 16-bit digits. */
static uint64_t high64(uint32_t k, uint64_t x) {
    uint64_t digit[6] = {0};
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 2; j++) {
            uint64_t product = ((x >> (16 * i)) & 0xFFFF) * ((k >> (16 * j)) & 0xFFFF);
            digit[i + j] += product & 0xFFFF;
            digit[i + j + 1 < 6 ? i + j + 1 : 5] += product >> 16;
        }
    }
    for (int i = 0; i < 5; i++) {
        digit[i + 1] += digit[i] >> 16;
        digit[i] &= 0xFFFF;
    }
    return digit[4] + (digit[5] << 16);
}

static void draw_is_the_scaled_mix_of_seed_and_counter(void **state) {
    (void)state;
    uint64_t x = test_seed();
    for (size_t i = 0; i < test_effort(100000); i++) {
        uint64_t seed = x = hz_random_mix(x);
        uint64_t counter = x = hz_random_mix(x);
        uint32_t k = (uint32_t)(hz_random_mix(x) >> (32 + i % 32));
        k = k ? k : 1;
        hz_random random = {.seed = seed, .counter = counter};
        uint64_t mixed = hz_random_mix(hz_random_mix(seed) + counter * 0x9E3779B97F4A7C15);
        uint32_t drawn = hz_random_draw(&random, k);
        assert_int_equal(drawn, high64(k, mixed));
        assert_true(drawn < k);
        assert_true(random.seed == seed);
        assert_true(random.counter == counter + 1);
    }
}

static void draw_of_one_is_zero_and_counts(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    assert_int_equal(hz_random_draw(&random, 1), 0);
    assert_int_equal(random.counter, 1);
    assert_true(hz_random_draw(&random, UINT32_MAX) < UINT32_MAX);
}

static void counter_wraps_without_a_break(void **state) {
    (void)state;
    hz_random random = {.seed = 5, .counter = UINT64_MAX};
    (void)hz_random_draw(&random, 6);
    assert_int_equal(random.counter, 0);
    hz_random fresh = hz_random_from_seed(5);
    assert_int_equal(hz_random_draw(&random, 1000), hz_random_draw(&fresh, 1000));
}

static void pick_from_one_candidate_draws_nothing(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    assert_int_equal(hz_random_pick(&random, 1), 0);
    assert_int_equal(random.counter, 0);
    hz_random twin = random;
    assert_int_equal(hz_random_pick(&random, 9), hz_random_draw(&twin, 9));
    assert_int_equal(random.counter, 1);
}

static void dice_are_the_draws_of_the_game_seed(void **state) {
    (void)state;
    uint64_t seed = test_seed();
    hz_random random = hz_random_from_seed(seed);
    for (uint64_t ply = 0; ply < 1000; ply++) {
        for (int k = 0; k < 3; k++) {
            assert_int_equal(hz_random_die(seed, ply, k), 1 + (int)hz_random_draw(&random, 6));
        }
    }
}

static void faces_are_fair(void **state) {
    (void)state;
    /* a fixed seed: chi-square with 5 degrees of freedom stays under 20 in 99.9 % of streams */
    int count[7] = {0};
    for (uint64_t ply = 0; ply < 20000; ply++) {
        for (int k = 0; k < 3; k++) {
            count[hz_random_die(2024, ply, k)]++;
        }
    }
    double chi = 0;
    for (int face = 1; face <= 6; face++) {
        double off = count[face] - 10000.0;
        chi += off * off / 10000.0;
    }
    assert_int_equal(count[0], 0);
    assert_true(chi < 20.0);
}

static void system_seeds_differ(void **state) {
    (void)state;
    uint64_t a = 0, b = 0;
    assert_int_equal(hz_random_system_seed(&a), HZ_OK);
    assert_int_equal(hz_random_system_seed(&b), HZ_OK);
    assert_true(a != b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_draws_come_in_order),
        cmocka_unit_test(published_dice_come_for_each_ply),
        cmocka_unit_test(mixer_gives_the_published_splitmix_numbers),
        cmocka_unit_test(mixer_can_be_undone),
        cmocka_unit_test(draw_is_the_scaled_mix_of_seed_and_counter),
        cmocka_unit_test(draw_of_one_is_zero_and_counts),
        cmocka_unit_test(counter_wraps_without_a_break),
        cmocka_unit_test(pick_from_one_candidate_draws_nothing),
        cmocka_unit_test(dice_are_the_draws_of_the_game_seed),
        cmocka_unit_test(faces_are_fair),
        cmocka_unit_test(system_seeds_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
