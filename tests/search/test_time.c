/* SPDX-License-Identifier: MIT */
/* Time for a turn: stated cases, and what must hold for every clock. */
#include <hazard/search.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/support.h"

static hz_time_policy policy_of(const char *name) {
    hz_time_policy policy;
    hz_error err;
    if (hz_time_policy_find(name, &policy, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
    return policy;
}

static void stated_allotments_are_met(void **state) {
    (void)state;
    test_table table = test_table_load("search_time.tsv", 10);
    for (size_t i = 0; i < table.count; i++) {
        const char *const *f = table.rows[i].field;
        hz_clock clock = {.remaining_ms = (int64_t)test_number(f[2]),
                          .increment_ms = (int64_t)test_number(f[3]),
                          .move_number = strtoll(f[4], NULL, 10),
                          .has_moves_to_go = strcmp(f[5], "-") != 0};
        clock.moves_to_go = clock.has_moves_to_go ? strtod(f[5], NULL) : 0;
        hz_time_allotment a = hz_time_allot(policy_of(f[1]), &clock);
        static const char *const what[] = {"target", "hard cap", "budget"};
        const int64_t actual[] = {a.target_ms, a.hard_cap_ms, hz_time_budget_ms(&a, 150)};
        for (size_t k = 0; k < 3; k++) {
            if (strcmp(f[6 + k], "?") != 0) {
                test_same_number(f[0], what[k], test_number(f[6 + k]), actual[k]);
            }
        }
        if (strcmp(f[9], "?") != 0) {
            test_true(f[0], "moves to go", fabs(a.moves_to_go - strtod(f[9], NULL)) <= 1e-6);
        }
    }
    test_table_free(&table);
}

static void policies_are_found_by_name_without_regard_to_case(void **state) {
    (void)state;
    hz_time_policy policy = HZ_TIME_LEGACY;
    hz_error err;
    assert_string_equal(hz_time_policy_name(0), "empirical-v1");
    assert_string_equal(hz_time_policy_name(1), "legacy-linear-v1");
    assert_null(hz_time_policy_name(2));
    assert_int_equal(policy_of("EMPIRICAL-V1"), HZ_TIME_EMPIRICAL);
    assert_int_equal(policy_of("Legacy-Linear-v1"), HZ_TIME_LEGACY);
    static const char *const wrong[] = {"", "empirical", "empirical-v1 ", "legacy-linear-v2"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(hz_time_policy_find(wrong[i], &policy, &err), HZ_NOT_FOUND);
        assert_non_null(strstr(err.message, "empirical-v1, legacy-linear-v1"));
        assert_int_equal(policy, HZ_TIME_LEGACY);
    }
}

static void estimates_are_straight_lines_between_knots(void **state) {
    (void)state;
    static const double knots[][2] = {{1, 7.517},  {3, 6.017},  {5, 5.471},
                                      {8, 5.176},  {10, 5.136}, {15, 5.431},
                                      {20, 6.185}, {30, 8.830}, {40, 12.050}};
    for (size_t i = 1; i < sizeof knots / sizeof *knots; i++) {
        for (double x = knots[i - 1][0]; x <= knots[i][0]; x++) {
            double share = (x - knots[i - 1][0]) / (knots[i][0] - knots[i - 1][0]);
            double y = knots[i - 1][1] * (1 - share) + knots[i][1] * share;
            assert_true(fabs(hz_time_moves_to_go(HZ_TIME_EMPIRICAL, (int64_t)x) - y) < 1e-12);
        }
    }
    static const int64_t early[] = {INT64_MIN, -7, 0, 1}, late[] = {40, 41, 5949, INT64_MAX};
    for (size_t i = 0; i < 4; i++) {
        assert_true(hz_time_moves_to_go(HZ_TIME_EMPIRICAL, early[i]) == 7.517);
        assert_true(hz_time_moves_to_go(HZ_TIME_EMPIRICAL, late[i]) == 12.050);
        assert_true(hz_time_moves_to_go(HZ_TIME_LEGACY, early[i]) == 29);
        assert_true(hz_time_moves_to_go(HZ_TIME_LEGACY, late[i]) == 12);
    }
    for (int64_t move = 1; move <= 60; move++) {
        assert_true(hz_time_moves_to_go(HZ_TIME_LEGACY, move) ==
                    (double)(30 - move > 12 ? 30 - move : 12));
    }
}

static int64_t random_ms(hz_random *random) {
    static const uint32_t ranges[] = {100, 3000, 20000, 600000, 100000000};
    return hz_random_draw(random, ranges[hz_random_draw(random, 5)]);
}

static void every_allotment_keeps_its_bounds(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    for (size_t n = test_effort(100000); n > 0; n--) {
        hz_clock clock = {.remaining_ms = random_ms(&random),
                          .increment_ms = hz_random_draw(&random, 3) ? random_ms(&random) : 0,
                          .move_number = hz_random_draw(&random, 60),
                          .has_moves_to_go = hz_random_draw(&random, 3) == 0,
                          .moves_to_go = hz_random_draw(&random, 1000) / 8.0};
        hz_time_policy policy = (hz_time_policy)hz_random_draw(&random, 2);
        hz_time_allotment a = hz_time_allot(policy, &clock);
        assert_true(a.target_ms >= 20 && a.target_ms <= a.hard_cap_ms);
        assert_true(a.spendable_ms >= 0 && a.reserve_ms >= 300);
        assert_true(a.moves_to_go >= 1);
        if (clock.remaining_ms >= 1000) {
            assert_true(a.target_ms < clock.remaining_ms);
        }
        int64_t budget = hz_time_budget_ms(&a, HZ_TIME_OVERHEAD_LOCAL_MS);
        assert_true(budget >= 20 && budget <= a.target_ms);
        assert_true(hz_time_budget_ms(&a, HZ_TIME_OVERHEAD_WORKER_MS) <= budget);
        assert_int_equal(hz_time_budget_ms(&a, 0), a.target_ms);
        hz_clock more = clock;
        more.remaining_ms += hz_random_draw(&random, 1000);
        assert_true(hz_time_allot(policy, &more).target_ms >= a.target_ms);
        more = clock;
        more.increment_ms += hz_random_draw(&random, 1000);
        assert_true(hz_time_allot(policy, &more).target_ms >= a.target_ms);
    }
}

static void target_grows_with_every_millisecond(void **state) {
    (void)state;
    for (int policy = 0; policy < 2; policy++) {
        int64_t before = 0;
        for (int64_t ms = 0; ms <= 30000; ms++) {
            hz_clock clock = {.remaining_ms = ms, .move_number = 12};
            int64_t target = hz_time_allot((hz_time_policy)policy, &clock).target_ms;
            assert_true(target >= before);
            before = target;
        }
    }
}

static void numbers_beyond_all_clocks_stay_numbers(void **state) {
    (void)state;
    static const int64_t odd[] = {INT64_MIN, -1, 0, 1, INT64_MAX - 1, INT64_MAX};
    static const double to_go[] = {-INFINITY, -1e300, -100, 0, 1e-300, 0.5, 1e300, INFINITY, NAN};
    for (size_t i = 0; i < 6; i++) {
        for (size_t k = 0; k < 6; k++) {
            for (size_t m = 0; m < 9; m++) {
                hz_clock clock = {.remaining_ms = odd[i],
                                  .increment_ms = odd[k],
                                  .move_number = odd[(i + k) % 6],
                                  .has_moves_to_go = true,
                                  .moves_to_go = to_go[m]};
                hz_time_allotment a = hz_time_allot(HZ_TIME_EMPIRICAL, &clock);
                assert_true(a.target_ms >= 20 && a.target_ms <= a.hard_cap_ms);
                assert_true(a.moves_to_go >= 1 && isfinite(a.moves_to_go));
                if (!isfinite(to_go[m]) || to_go[m] < 1) {
                    assert_true(a.moves_to_go == 1);
                }
                for (size_t o = 0; o < 6; o++) {
                    assert_true(hz_time_budget_ms(&a, odd[o]) >= 20);
                }
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stated_allotments_are_met),
        cmocka_unit_test(policies_are_found_by_name_without_regard_to_case),
        cmocka_unit_test(estimates_are_straight_lines_between_knots),
        cmocka_unit_test(every_allotment_keeps_its_bounds),
        cmocka_unit_test(target_grows_with_every_millisecond),
        cmocka_unit_test(numbers_beyond_all_clocks_stay_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
