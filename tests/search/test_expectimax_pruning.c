/* SPDX-License-Identifier: MIT */
/*
 * Values, the pick among equals, the bound a candidate gets, and that neither pruning nor a table
 * changes a decision at any depth.
 */
#include "search/searching.h"

#include <math.h>

/* ---- values ---- */

static void a_constant_judge_is_worth_its_constant(void **state) {
    (void)state;
    const int32_t constants[] = {0, 1, -7, 4242, 10000, -999999999};
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++) {
        watcher leaf = {.number = constants[i]};
        hz_expectimax_config c = config_of(watching(&leaf), 3, 2);
        asked a;
        ask_with(WIDE, &c, 1, NULL, &a);
        assert_int_equal(a.answer.score, constants[i]);
        assert_int_equal(a.answer.tie_count, 3);
        for (size_t k = 0; k < a.answer.candidate_count; k++) {
            assert_true(a.answer.candidates[k].sum == (int64_t)constants[i] * 216);
        }
        asked_fini(&a);
    }
}

static void scores_are_saturated_and_truncated_toward_zero(void **state) {
    (void)state;
    const int32_t ends[] = {INT32_MIN, INT32_MAX};
    for (size_t i = 0; i < 2; i++) {
        watcher leaf = {.number = ends[i]}, collapse = leaf, rescorer = leaf;
        hz_expectimax_config c = config_of(watching(&leaf), 2, 2);
        asked a;
        ask_with(WIDE, &c, 1, NULL, &a);
        assert_int_equal(a.answer.score, ends[i]);
        asked_fini(&a);
        c.collapse = watching(&collapse);
        c.rescore = watching(&rescorer);
        c.rescore_weight = 0.3;
        ask_with(WIDE, &c, 1, NULL, &a);
        assert_int_equal(a.answer.score, ends[i]);
        asked_fini(&a);
    }
    const int32_t values[] = {-3, 3};
    for (size_t i = 0; i < 2; i++) { /* -1.5 and 1.5 */
        watcher leaf = {0}, collapse = {.number = values[i]}, rescorer = {.number = 0};
        hz_expectimax_config c = config_of(watching(&leaf), 1, 2);
        c.collapse = watching(&collapse);
        c.rescore = watching(&rescorer);
        c.rescore_weight = 0.5;
        asked a;
        ask_with(WIDE, &c, 1, NULL, &a);
        assert_int_equal(a.answer.score, values[i] / 2);
        assert_true(a.answer.candidates[0].final_value == (double)values[i] / 2);
        asked_fini(&a);
    }
}

static void equals_are_picked_in_list_order_with_one_draw(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 12; seed++) {
        watcher leaf = {0}, ranking = {.score = by_hash, .number = 100};
        hz_expectimax_config c = config_of(watching(&leaf), 5, 2);
        c.pre_rank = watching(&ranking);
        asked a;
        ask_with(WIDE, &c, seed, NULL, &a);
        assert_int_equal(a.answer.tie_count, 5);
        for (size_t i = 1; i < 5; i++) {
            assert_true(hz_turn_text_order(&a.answer.ties[i - 1]) <
                        hz_turn_text_order(&a.answer.ties[i]));
        }
        hz_random random = hz_random_from_seed(seed);
        const hz_turn *picked = &a.answer.ties[hz_random_draw(&random, 5)];
        assert_memory_equal(picked, &a.answer.turn, sizeof *picked);
        assert_int_equal(a.random.counter, 1);
        asked_fini(&a);
    }
    watcher leaf = {0};
    hz_expectimax_config c = config_of(watching(&leaf), 1, 2);
    asked a;
    ask_with(WIDE, &c, 3, NULL, &a);
    assert_int_equal(a.random.counter, 0);
    asked_fini(&a);
}

/* ---- the bound of a candidate ---- */

static bool reaches(int64_t sum, int64_t denominator, double weight, int32_t rescore, double best) {
    return (1.0 - weight) * ((double)sum / (double)denominator) + weight * (double)rescore >=
               best ||
           (double)sum / (double)denominator >= best;
}

static void alpha_is_the_smallest_sum_that_reaches_the_best(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed());
    for (size_t n = test_effort(3000); n > 0; n--) {
        int64_t d = ref_random_chance(&random, 50) ? 216 : 46656;
        int32_t rescore = (int32_t)ref_random_next(&random) >> ref_random_below(&random, 31);
        double weight = (double)(1 + ref_random_below(&random, 999)) / 1000;
        int64_t sum = (int64_t)ref_random_next(&random) % (d * 20000);
        int32_t other = (int32_t)ref_random_next(&random) >> ref_random_below(&random, 31);
        double best = ref_random_chance(&random, 30) ? (double)sum / (double)d
                                                     : hz_expectimax_blend(sum, d, weight, other);
        bool has = false;
        int64_t alpha = hz_expectimax_alpha(true, sum, best, weight, rescore, d, &has);
        assert_true(has);
        int64_t limit = d * ((int64_t)1 << 31);
        assert_true(alpha >= -limit && alpha <= limit + 1);
        assert_true(alpha > limit || reaches(alpha, d, weight, rescore, best));
        assert_true(alpha == -limit || !reaches(alpha - 1, d, weight, rescore, best));
    }
}

static void alpha_is_absent_without_a_best_and_at_full_weight(void **state) {
    (void)state;
    bool has = true;
    hz_expectimax_alpha(false, 5, 1.0, 0.5, 7, 216, &has);
    assert_false(has);
    has = true;
    hz_expectimax_alpha(true, 5, 42.0, 1.0, 7, 216, &has);
    assert_false(has);
    assert_true(hz_expectimax_alpha(true, -77, -1.0, 0.0, 7, 216, &has) == -77 && has);
    assert_true(hz_expectimax_alpha(true, 0, 1e300, 0.5, 7, 216, &has) ==
                    216 * ((int64_t)1 << 31) + 1 &&
                has);
}

/* ---- pruning and table change nothing ---- */

/* `all` was searched without pruning: what the other left out could not have been best. */
static void check_pruned(const char *where, const asked *all, const asked *some) {
    double best = -INFINITY;
    for (size_t i = 0; i < all->answer.candidate_count; i++) {
        double value = all->answer.candidates[i].final_value;
        best = value > best ? value : best;
    }
    for (size_t i = 0; i < all->answer.candidate_count; i++) {
        const hz_candidate *exact = &all->answer.candidates[i], *c = &some->answer.candidates[i];
        test_same_number(where, "result", exact->result, c->result);
        if (c->fate == HZ_CANDIDATE_PRUNED) {
            test_true(where, "an upper bound", c->sum >= exact->sum);
            test_true(where, "worse than the best", exact->final_value < best);
        } else {
            test_true(where, "the exact sum", c->sum == exact->sum);
            test_same_number(where, "taint", exact->loss_tainted, c->loss_tainted);
        }
    }
}

static void pruning_and_table_change_no_decision(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed());
    hz_table *table = NULL, *tiny = NULL;
    assert_int_equal(hz_table_new(1024, &table, NULL), HZ_OK);
    assert_int_equal(hz_table_new(4, &tiny, NULL), HZ_OK);
    size_t cut = 0, hit = 0, table_cut = 0, tainted = 0;
    for (size_t n = test_effort(40); n > 0; n--) {
        char dfen[REF_DFEN_CAPACITY];
        quick_position(&random, dfen);
        watcher rescorer = {.score = by_hash, .number = 3000};
        watcher leaf = {.score = ref_random_chance(&random, 50) ? by_aggression : by_hash,
                        .number = 2000};
        hz_expectimax_config c = config_of(watching(&leaf), 6, 2);
        if (ref_random_chance(&random, 40)) {
            c.rescore = watching(&rescorer);
            c.rescore_weight = ref_random_chance(&random, 20) ? 1.0 : 0.375;
        }
        asked all, some, second;
        c.no_pruning = true;
        ask_with(dfen, &c, n, NULL, &all);
        test_same_number(dfen, "no cutoffs", 0, all.record.cutoffs);
        c.no_pruning = false;
        ask_with(dfen, &c, n, NULL, &some);
        same_decision(dfen, &all, &some);
        check_pruned(dfen, &all, &some);
        cut += some.record.cutoffs;
        for (size_t k = 0; k < some.answer.candidate_count; k++) {
            tainted += some.answer.candidates[k].loss_tainted;
        }
        hz_table *const tables[] = {table, tiny};
        for (size_t t = 0; t < 4; t++) {
            hz_table_clear(tables[t / 2]);
            c.table = tables[t / 2];
            c.exact_only = t % 2;
            for (size_t round = 0; round < 3; round++) {
                ask_with(dfen, &c, n, NULL, &second);
                same_decision(dfen, &all, &second);
                test_same_number(dfen, "probes", second.record.candidates_selected,
                                 second.record.tt_probes);
                test_true(dfen, "exact entries only",
                          !c.exact_only || second.record.tt_cutoffs == 0);
                test_true(dfen, "no hits at first", round > 0 || second.record.tt_hits == 0);
                hit += second.record.tt_hits;
                table_cut += second.record.tt_cutoffs;
                asked_fini(&second);
            }
        }
        asked_fini(&all);
        asked_fini(&some);
    }
    test_met(cut > 0 && hit > 0 && table_cut > 0 && tainted > 0);
    hz_table_free(table);
    hz_table_free(tiny);
}

static void a_stored_bound_that_equals_the_best_cuts_nothing(void **state) {
    (void)state;
    hz_table *table = NULL;
    assert_int_equal(hz_table_new(4096, &table, NULL), HZ_OK);
    watcher leaf = {0};
    hz_expectimax_config c = config_of(watching(&leaf), 8, 2);
    asked plain, a;
    ask_with(WIDE, &c, 1, NULL, &plain);
    assert_int_equal(plain.answer.tie_count, 8);
    hz_position position = test_position(WIDE);
    hz_arena arena;
    hz_arena_init(&arena, 0);
    hz_result_list list;
    assert_int_equal(hz_results_list(&position, NULL, &arena, &list, NULL), HZ_OK);
    c.table = table;
    for (int64_t value = 0; value >= -1; value--) {
        for (int exact_only = 0; exact_only < 2; exact_only++) {
            hz_table_clear(table);
            hz_table_entry bound = {.value = value, .bound = HZ_BOUND_UPPER, .depth = 1};
            for (size_t i = 0; i < list.count; i++) {
                hz_table_store(table, list.results[i].after.key, &bound);
            }
            c.exact_only = exact_only;
            ask_with(WIDE, &c, 1, NULL, &a);
            /* Without a best there is no bound: the first candidate is searched in any case. */
            bool cuts = value < 0 && !exact_only;
            assert_int_equal(a.record.tt_cutoffs, cuts ? 7 : 0);
            assert_int_equal(a.answer.tie_count, cuts ? 1 : 8);
            assert_int_equal(a.record.tt_probes, 8);
            asked_fini(&a);
        }
    }
    asked_fini(&plain);
    hz_arena_fini(&arena);
    hz_table_free(table);
}

static void entries_of_the_other_role_or_depth_are_not_taken(void **state) {
    (void)state;
    /* Depth 3 asks about these positions as the mover; what depth 2 knows of them is the view of
     * the opponent. */
    const char *dfen = "k7/8/8/8/8/8/8/R3K3 w - - 0 1 NBK";
    hz_table *table = NULL;
    assert_int_equal(hz_table_new(1 << 14, &table, NULL), HZ_OK);
    watcher leaf = {.score = by_hash, .number = 3000};
    hz_expectimax_config c = config_of(watching(&leaf), 2, 3);
    asked plain, a;
    ask_with(dfen, &c, 1, NULL, &plain);
    hz_arena arena;
    hz_arena_init(&arena, 0);
    hz_table_entry wrong = {.value = 123456, .bound = HZ_BOUND_EXACT, .depth = 1};
    for (size_t k = 0; k < plain.answer.candidate_count; k++) {
        hz_position start = test_position(dfen);
        hz_result_list roots;
        hz_arena_reset(&arena);
        assert_int_equal(hz_results_list(&start, NULL, &arena, &roots, NULL), HZ_OK);
        hz_position after = roots.results[plain.answer.candidates[k].result].after;
        hz_table_store(table, after.key, &wrong); /* of another depth */
        for (int i = 0; i < HZ_ROLLS; i++) {
            hz_position rolled = after;
            hz_result_list list;
            hz_position_set_pool(&rolled, hz_rolls[i].pool);
            hz_arena_reset(&arena);
            assert_int_equal(hz_results_list(&rolled, NULL, &arena, &list, NULL), HZ_OK);
            for (size_t r = 0; r < list.count; r++) {
                hz_table_store(table, list.results[r].after.key, &wrong);
            }
        }
    }
    c.table = table;
    ask_with(dfen, &c, 1, NULL, &a);
    same_decision(dfen, &plain, &a);
    assert_int_equal(a.record.tt_hits, 0);
    asked_fini(&plain);
    asked_fini(&a);
    hz_arena_fini(&arena);
    hz_table_free(table);
}

static void depth_three_is_the_same_however_it_is_pruned(void **state) {
    (void)state;
    static const char *const positions[] = {
        "7k/8/8/b7/8/8/5P2/4K3 w - - 0 1 NBK",   "k7/8/8/8/8/8/8/R3K3 w - - 0 1 NBK",
        "8/8/4k3/8/2p5/8/1P6/4K3 b - - 0 1 pk",  "4k3/3p4/8/4n3/8/8/8/3BK3 w - - 0 1 KB",
        "8/1P5k/8/8/8/8/6p1/K7 w - - 0 1 PK",    "4k3/8/8/8/8/8/4r3/R3K3 w Q - 0 1 KRP",
        "6k1/5p2/8/8/2N5/8/5P2/6K1 b - - 3 9 kp"};
    hz_table *table = NULL;
    assert_int_equal(hz_table_new(1 << 14, &table, NULL), HZ_OK);
    size_t cut = 0;
    for (size_t p = 0; p < sizeof positions / sizeof *positions; p++) {
        for (int32_t number = 3; number <= 3000; number += 2997) { /* with and without ties */
            watcher leaf = {.score = by_hash, .number = number};
            hz_expectimax_config c = config_of(watching(&leaf), 3, 3);
            asked all, some;
            c.no_pruning = true;
            ask_with(positions[p], &c, 2, NULL, &all);
            c.no_pruning = false;
            ask_with(positions[p], &c, 2, NULL, &some);
            same_decision(positions[p], &all, &some);
            check_pruned(positions[p], &all, &some);
            test_true(positions[p], "less work", some.answer.leaves < all.answer.leaves);
            cut += some.record.cutoffs;
            asked_fini(&some);
            for (int mode = 0; mode < 2; mode++) {
                hz_table_clear(table);
                c.table = table;
                c.exact_only = mode;
                for (int round = 0; round < 2; round++) {
                    ask_with(positions[p], &c, 2, NULL, &some);
                    same_decision(positions[p], &all, &some);
                    asked_fini(&some);
                }
                c.table = NULL;
            }
            asked_fini(&all);
        }
    }
    assert_true(cut > 0);
    hz_table_free(table);
}

static void one_search_answers_again_and_again(void **state) {
    (void)state;
    const char *const positions[] = {OPENING, GRAB, WIN_AT_ONCE, NO_TURN, WIDE};
    watcher leaf = {.score = by_aggression};
    hz_expectimax_config c = config_of(watching(&leaf), 4, 2);
    hz_expectimax *search = NULL;
    assert_int_equal(hz_expectimax_new(&c, &search, NULL), HZ_OK);
    for (size_t n = 0; n < 10; n++) {
        const char *dfen = positions[n % 5];
        hz_position position = test_position(dfen);
        asked fresh, again = {.random = hz_random_from_seed(n)};
        ask_with(dfen, &c, n, NULL, &fresh);
        assert_int_equal(hz_expectimax_choose(search, &position, &again.random, NULL, &again.arena,
                                              &again.answer, NULL),
                         HZ_OK);
        same_answer(dfen, &fresh, &again);
        asked_fini(&fresh);
        asked_fini(&again);
    }
    hz_expectimax_free(search);
    hz_expectimax_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_constant_judge_is_worth_its_constant),
        cmocka_unit_test(scores_are_saturated_and_truncated_toward_zero),
        cmocka_unit_test(equals_are_picked_in_list_order_with_one_draw),
        cmocka_unit_test(alpha_is_the_smallest_sum_that_reaches_the_best),
        cmocka_unit_test(alpha_is_absent_without_a_best_and_at_full_weight),
        cmocka_unit_test(pruning_and_table_change_no_decision),
        cmocka_unit_test(a_stored_bound_that_equals_the_best_cuts_nothing),
        cmocka_unit_test(entries_of_the_other_role_or_depth_are_not_taken),
        cmocka_unit_test(depth_three_is_the_same_however_it_is_pruned),
        cmocka_unit_test(one_search_answers_again_and_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
