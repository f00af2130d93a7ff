/* SPDX-License-Identifier: MIT */
/* The order in which chance nodes take the 56 rolls. */
#include <hazard/search.h>

#include <stdlib.h>
#include <string.h>

#include "support/support.h"

typedef struct roll {
    int weight;
    int face[3];
} roll;

static int by_weight_then_faces(const void *left, const void *right) {
    const roll *a = left, *b = right;
    if (a->weight != b->weight) {
        return b->weight - a->weight;
    }
    return memcmp(a->face, b->face, sizeof a->face); /* small positive ints of one width */
}

/* All sorted triples with the number of ordered rolls that give them, counted one by one. */
static void slow_rolls(roll rolls[HZ_ROLLS]) {
    int count = 0;
    for (int a = 1; a <= 6; a++) {
        for (int b = a; b <= 6; b++) {
            for (int c = b; c <= 6; c++) {
                rolls[count++] = (roll){.face = {a, b, c}};
            }
        }
    }
    assert_int_equal(count, HZ_ROLLS);
    for (int i = 0; i < 216; i++) {
        int f[3] = {1 + i / 36, 1 + i / 6 % 6, 1 + i % 6};
        for (int j = 0; j < 2; j++) {
            for (int k = 0; k < 2; k++) {
                if (f[k] > f[k + 1]) {
                    int swap = f[k];
                    f[k] = f[k + 1];
                    f[k + 1] = swap;
                }
            }
        }
        for (int r = 0; r < HZ_ROLLS; r++) {
            rolls[r].weight += memcmp(rolls[r].face, f, sizeof f) == 0;
        }
    }
}

static void heavy_rolls_come_first_each_weight_in_text_order(void **state) {
    (void)state;
    roll slow[HZ_ROLLS] = {0};
    slow_rolls(slow);
    qsort(slow, HZ_ROLLS, sizeof *slow, by_weight_then_faces);
    for (size_t i = 0; i < HZ_ROLLS; i++) {
        int weight = 0;
        hz_pool pool = hz_search_roll(i, &weight);
        assert_int_equal(weight, slow[i].weight);
        assert_int_equal(pool,
                         hz_pool_from_faces(slow[i].face[0], slow[i].face[1], slow[i].face[2]));
    }
}

static void stated_places_are_met(void **state) {
    (void)state;
    test_table table = test_table_load("search_rolls.tsv", 3);
    for (size_t i = 0; i < table.count; i++) {
        const char *const *f = table.rows[i].field;
        hz_pool stated;
        int weight = 0;
        assert_int_equal(hz_pool_from_text(f[1], 3, &stated, NULL), HZ_OK);
        assert_int_equal(hz_search_roll((size_t)test_number(f[0]), &weight), stated);
        assert_int_equal(weight, test_number(f[2]));
    }
    test_table_free(&table);
}

static void weights_add_up_to_all_ordered_rolls(void **state) {
    (void)state;
    int sum = 0, of_weight[7] = {0};
    for (size_t i = 0; i < HZ_ROLLS; i++) {
        int weight = 0;
        (void)hz_search_roll(i, &weight);
        assert_in_range(weight, 1, 6);
        sum += weight;
        of_weight[weight]++;
    }
    assert_int_equal(sum, 216);
    assert_int_equal(of_weight[1], 6);
    assert_int_equal(of_weight[3], 30);
    assert_int_equal(of_weight[6], 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heavy_rolls_come_first_each_weight_in_text_order),
        cmocka_unit_test(stated_places_are_met),
        cmocka_unit_test(weights_add_up_to_all_ordered_rolls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
