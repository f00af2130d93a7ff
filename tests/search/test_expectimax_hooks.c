/* SPDX-License-Identifier: MIT */
/*
 * The judges around the tree: ranking, rescoring and chance collapse. What is asked of whom and
 * when, and what happens when a judge breaks its contract.
 */
#include "search/searching.h"

/* ---- pre-rank ---- */

static void chunks_give_the_order_of_one_batch(void **state) {
    (void)state;
    watcher leaf = {.score = by_material}, whole = {.score = by_hash, .number = 3};
    hz_expectimax_config c = config_of(watching(&leaf), 6, 2);
    c.pre_rank = watching(&whole);
    c.chunk_size = INT64_MAX;
    asked one;
    ask_with(WIDE, &c, 1, NULL, &one);
    size_t rows = one.answer.results;
    assert_int_equal(whole.calls, 1);
    assert_int_equal(whole.rows, rows);
    const int64_t chunks[] = {1, 7, 32, (int64_t)rows - 1, (int64_t)rows, (int64_t)rows + 1};
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) {
        watcher ranking = {.score = by_hash, .number = 3};
        c.pre_rank = watching(&ranking);
        c.chunk_size = chunks[i];
        asked a;
        ask_with(WIDE, &c, 1, NULL, &a);
        same_answer(WIDE, &one, &a);
        size_t chunk = (size_t)chunks[i];
        assert_int_equal(ranking.calls, (rows + chunk - 1) / chunk);
        assert_int_equal(ranking.rows, rows);
        for (size_t k = 0; k + 1 < ranking.calls; k++) {
            assert_int_equal(ranking.sizes[k], chunk);
        }
        asked_fini(&a);
    }
    asked_fini(&one);
}

static void a_broken_pre_rank_is_discarded_whole(void **state) {
    (void)state;
    const failure kinds[] = {FAILS, COMES_SHORT, COMES_LONG};
    watcher leaf = {.score = by_aggression};
    hz_expectimax_config c = config_of(watching(&leaf), 5, 2);
    asked material;
    ask_with(WIDE, &c, 1, NULL, &material);
    for (size_t at = 0; at < 4; at++) {
        watcher ranking = {
            .score = by_hash, .number = 500, .failure = kinds[at % 3], .fails_at = at};
        c.pre_rank = watching(&ranking);
        c.chunk_size = 32;
        asked a;
        ask_with(WIDE, &c, 1, NULL, &a);
        assert_true(a.record.pre_rank_rejected);
        assert_int_equal(ranking.calls, at + 1);
        same_decision(WIDE, &material, &a);
        for (size_t i = 0; i < a.answer.candidate_count; i++) {
            assert_int_equal(a.answer.candidates[i].result, material.answer.candidates[i].result);
        }
        asked_fini(&a);
    }
    asked_fini(&material);
}

static void the_leaf_judge_orders_in_one_batch(void **state) {
    (void)state;
    watcher leaf = {.score = by_hash, .number = 900}, ranking = leaf, own = leaf;
    hz_expectimax_config c = config_of(watching(&leaf), 3, 2);
    c.pre_rank_with_leaf = true;
    c.chunk_size = 1;
    asked with_leaf, with_own;
    ask_with(WIDE, &c, 1, NULL, &with_leaf);
    assert_int_equal(leaf.sizes[0], with_leaf.answer.results);
    assert_int_equal(leaf.calls, with_leaf.answer.leaf_batches + 1);
    c = config_of(watching(&own), 3, 2);
    c.pre_rank = watching(&ranking);
    ask_with(WIDE, &c, 1, NULL, &with_own);
    same_answer(WIDE, &with_own, &with_leaf);
    asked_fini(&with_leaf);
    asked_fini(&with_own);
    /* Broken, it is discarded like any other; the leaves are asked all the same. */
    watcher broken = {.score = by_material, .failure = COMES_SHORT};
    c = config_of(watching(&broken), 3, 2);
    c.pre_rank_with_leaf = true;
    asked a;
    ask_with(WIDE, &c, 1, NULL, &a);
    assert_true(a.record.pre_rank_rejected && !a.record.leaf_rejected);
    assert_int_equal(a.record.candidates_selected, 3);
    asked_fini(&a);
}

static void the_order_is_by_score_then_by_list(void **state) {
    (void)state;
    watcher leaf = {.score = by_material}, ranking = {.score = by_hash, .number = 2};
    hz_expectimax_config c = config_of(watching(&leaf), 50, 2);
    c.pre_rank = watching(&ranking);
    asked a;
    ask_with(WIDE, &c, 1, NULL, &a);
    for (size_t i = 1; i < a.answer.candidate_count; i++) {
        const hz_candidate *before = &a.answer.candidates[i - 1], *c2 = before + 1;
        assert_true(before->pre_rank > c2->pre_rank ||
                    (before->pre_rank == c2->pre_rank && before->result < c2->result));
    }
    asked_fini(&a);
}

static void the_clock_is_not_read_while_ordering(void **state) {
    (void)state;
    watcher leaf = {.score = by_material}, ranking = {.score = by_king_square, .number = 5};
    hz_expectimax_config c = config_of(watching(&leaf), 1, 2);
    c.pre_rank = watching(&ranking);
    c.chunk_size = 1;
    counting_clock clock;
    hz_deadline past = counting_deadline(&clock, 0);
    asked a;
    char text[HZ_TURN_CAPACITY];
    ask_with(KING_AND_BISHOP, &c, 7, &past, &a);
    assert_string_equal(turn_of(&a, text), "e1f1");
    assert_int_equal(a.answer.score, 1);
    assert_int_equal(clock.reads, 1);
    assert_int_equal(ranking.calls, 4);
    assert_int_equal(leaf.calls, 0);
    assert_int_equal(a.record.candidates_abandoned, 1);
    assert_int_equal(a.random.counter, 0);
    asked_fini(&a);
}

/* ---- rescoring ---- */

static void the_rescorer_is_asked_once_about_the_kept_ones(void **state) {
    (void)state;
    watcher leaf = {.score = by_material}, rescorer = {.score = by_hash, .number = 5000};
    hz_expectimax_config c = config_of(watching(&leaf), 5, 2);
    c.rescore = watching(&rescorer);
    c.rescore_weight = 0.5;
    asked a;
    ask_with(WIDE, &c, 1, NULL, &a);
    assert_int_equal(rescorer.calls, 1);
    assert_int_equal(rescorer.sizes[0], 5);
    for (size_t i = 0; i < a.answer.candidate_count; i++) {
        const hz_candidate *k = &a.answer.candidates[i];
        if (k->fate == HZ_CANDIDATE_COMPLETE) {
            double value = k->loss_tainted
                               ? (double)k->sum / 216
                               : (1 - 0.5) * ((double)k->sum / 216) + 0.5 * (double)k->rescore;
            assert_true(k->final_value == value);
        }
    }
    asked_fini(&a);
}

static void a_broken_rescorer_is_ignored(void **state) {
    (void)state;
    const failure kinds[] = {FAILS, COMES_SHORT, COMES_LONG};
    watcher leaf = {.score = by_aggression};
    hz_expectimax_config c = config_of(watching(&leaf), 5, 2);
    asked plain;
    ask_with(GRAB, &c, 1, NULL, &plain);
    for (size_t i = 0; i < 3; i++) {
        watcher rescorer = {.score = by_hash, .number = 5000, .failure = kinds[i]};
        c.rescore = watching(&rescorer);
        c.rescore_weight = 0.5;
        asked a;
        ask_with(GRAB, &c, 1, NULL, &a);
        assert_true(a.record.rescore_rejected);
        a.answer.stats.rescore_rejected = false;
        same_answer(GRAB, &plain, &a);
        asked_fini(&a);
    }
    asked_fini(&plain);
}

static void a_rescorer_without_weight_is_never_asked(void **state) {
    (void)state;
    watcher leaf = {.score = by_material}, rescorer = {.number = INT32_MAX};
    hz_expectimax_config c = config_of(watching(&leaf), 8, 2);
    asked plain, a;
    ask_with(KING_AND_BISHOP, &c, 1, NULL, &plain);
    c.rescore = watching(&rescorer);
    ask_with(KING_AND_BISHOP, &c, 1, NULL, &a);
    assert_int_equal(rescorer.calls, 0);
    same_answer(KING_AND_BISHOP, &plain, &a);
    asked_fini(&plain);
    asked_fini(&a);
}

static void a_late_rescorer_is_not_started(void **state) {
    (void)state;
    watcher leaf = {.score = by_material}, rescorer = {.number = 1};
    hz_expectimax_config c = config_of(watching(&leaf), 8, 2);
    c.rescore = watching(&rescorer);
    c.rescore_weight = 0.5;
    counting_clock clock;
    hz_deadline past = counting_deadline(&clock, 0);
    asked a;
    ask_with(KING_AND_BISHOP, &c, 1, &past, &a);
    assert_int_equal(rescorer.calls, 0);
    assert_int_equal(a.record.candidates_abandoned, 1);
    asked_fini(&a);
    /* Late only after the batch: it was asked, and nothing is searched. */
    hz_deadline later = counting_deadline(&clock, 1);
    ask_with(KING_AND_BISHOP, &c, 1, &later, &a);
    assert_int_equal(rescorer.calls, 1);
    assert_int_equal(a.record.candidates_abandoned, 1);
    assert_int_equal(leaf.calls, 0);
    asked_fini(&a);
}

static void a_candidate_that_can_lose_keeps_its_own_value(void **state) {
    (void)state;
    /* Every result of this roll can lose the king to the rook or the queen. */
    const char *dfen = "k3r2q/8/8/8/8/2B5/8/4K3 w - - 0 1 B";
    watcher leaf = {.score = by_material}, rescorer = {.number = 2000000000};
    hz_expectimax_config c = config_of(watching(&leaf), 8, 2);
    asked plain, a;
    ask_with(dfen, &c, 1, NULL, &plain);
    c.rescore = watching(&rescorer);
    c.rescore_weight = 0.75;
    ask_with(dfen, &c, 1, NULL, &a);
    assert_int_equal(a.answer.score, plain.answer.score);
    assert_true(a.answer.candidates[0].loss_tainted);
    asked_fini(&plain);
    asked_fini(&a);
}

/* ---- chance collapse ---- */

static void collapse_is_one_batch_and_no_leaf(void **state) {
    (void)state;
    watcher leaf = {.score = by_material}, collapse = {.score = by_hash, .number = 700};
    hz_table *table = NULL;
    assert_int_equal(hz_table_new(64, &table, NULL), HZ_OK);
    hz_expectimax_config c = config_of(watching(&leaf), 6, 2);
    c.collapse = watching(&collapse);
    c.loss_guard = true; /* without a rescorer it is skipped */
    asked plain, a;
    ask_with(WIDE, &c, 1, NULL, &plain);
    assert_int_equal(collapse.calls, 1);
    assert_int_equal(collapse.sizes[0], 6);
    assert_int_equal(plain.record.candidates_collapsed, 6);
    /* Depth, table and exact_only are inert, and the clock is read once. */
    c.search_depth = 3;
    c.table = table;
    c.exact_only = true;
    counting_clock clock;
    hz_deadline deadline = counting_deadline(&clock, SIZE_MAX);
    ask_with(WIDE, &c, 1, &deadline, &a);
    same_decision(WIDE, &plain, &a);
    assert_memory_equal(&plain.record, &a.record, sizeof a.record);
    assert_int_equal(clock.reads, 1);
    assert_int_equal(leaf.calls, 0);
    hz_table_counters counters = hz_table_counters_get(table);
    assert_true(counters.hits == 0 && counters.misses == 0 && counters.stores == 0);
    asked_fini(&plain);
    asked_fini(&a);
    hz_table_free(table);
}

static void a_broken_collapse_ranks_nothing(void **state) {
    (void)state;
    const failure kinds[] = {FAILS, COMES_SHORT, COMES_LONG};
    for (size_t i = 0; i < 3; i++) {
        watcher leaf = {.score = by_material};
        watcher collapse = {.number = 5, .failure = kinds[i]};
        hz_expectimax_config c = config_of(watching(&leaf), 6, 2);
        c.collapse = watching(&collapse);
        asked a;
        ask_with(GRAB, &c, 1, NULL, &a);
        assert_true(a.record.collapse_rejected);
        assert_int_equal(a.record.candidates_collapsed, 0);
        assert_int_equal(a.record.candidates_abandoned, 0);
        assert_true(hz_root_stats_fell_back(&a.record));
        assert_false(hz_root_stats_deadline_truncated(&a.record));
        assert_int_equal(a.answer.score, a.answer.candidates[0].pre_rank);
        assert_int_equal(a.random.counter, 0);
        assert_int_equal(leaf.calls, 0);
        asked_fini(&a);
    }
}

static void a_late_collapse_is_not_started(void **state) {
    (void)state;
    watcher leaf = {0}, collapse = {.number = 5};
    hz_expectimax_config c = config_of(watching(&leaf), 6, 2);
    c.collapse = watching(&collapse);
    hz_deadline past = {.at_ns = 0};
    asked a;
    ask_with(GRAB, &c, 1, &past, &a);
    assert_int_equal(collapse.calls, 0);
    assert_int_equal(a.record.candidates_abandoned, 1);
    assert_false(a.record.collapse_rejected);
    asked_fini(&a);
}

#define EXPOSED "4r2k/8/8/8/8/8/P6P/4K3 w - - 0 1 PPP"

static void the_guard_keeps_the_judges_value_where_a_king_can_be_lost(void **state) {
    (void)state;
    watcher leaf = {0}, collapse = {.number = 500}, rescorer = {.number = 9000};
    hz_expectimax_config c = config_of(watching(&leaf), 8, 2);
    c.collapse = watching(&collapse);
    c.rescore = watching(&rescorer);
    c.rescore_weight = 1;
    asked a;
    ask_with(EXPOSED, &c, 1, NULL, &a);
    assert_int_equal(a.answer.score, 9000);
    asked_fini(&a);
    c.loss_guard = true;
    ask_with(EXPOSED, &c, 1, NULL, &a);
    assert_int_equal(a.answer.score, 500);
    assert_true(a.answer.candidates[0].loss_tainted);
    asked_fini(&a);
    ask_with("4k3/8/8/8/8/8/P6P/4K3 w - - 0 1 PPP", &c, 1, NULL, &a);
    assert_int_equal(a.answer.score, 9000);
    asked_fini(&a);
    /* A rescorer that broke its contract is none, so there is no guard either. */
    watcher broken = {.number = 9000, .failure = FAILS};
    c.rescore = watching(&broken);
    counting_clock clock;
    hz_deadline deadline = counting_deadline(&clock, SIZE_MAX);
    ask_with(EXPOSED, &c, 1, &deadline, &a);
    assert_int_equal(a.answer.score, 500);
    assert_false(a.answer.candidates[0].loss_tainted);
    assert_int_equal(clock.reads, 2);
    asked_fini(&a);
}

static void a_guard_that_runs_out_of_time_ranks_nothing(void **state) {
    (void)state;
    watcher leaf = {0}, collapse = {.number = 500}, rescorer = {.number = 9000};
    hz_expectimax_config c = config_of(watching(&leaf), 8, 2);
    c.collapse = watching(&collapse);
    c.rescore = watching(&rescorer);
    c.rescore_weight = 1;
    c.loss_guard = true;
    counting_clock clock;
    hz_deadline deadline = counting_deadline(&clock, SIZE_MAX);
    asked a;
    ask_with(EXPOSED, &c, 1, &deadline, &a);
    size_t kept = a.answer.candidate_count, reads = clock.reads;
    assert_true(kept > 1);
    assert_int_equal(reads, 2 + kept);
    asked_fini(&a);
    for (size_t at = 2; at < reads; at++) {
        deadline = counting_deadline(&clock, at);
        ask_with(EXPOSED, &c, 1, &deadline, &a);
        assert_int_equal(clock.reads, at + 1);
        assert_int_equal(a.record.candidates_collapsed, 0);
        assert_int_equal(a.record.candidates_abandoned, 1);
        assert_false(a.record.collapse_rejected);
        assert_true(hz_root_stats_fell_back(&a.record));
        assert_int_equal(a.answer.score, a.answer.candidates[0].pre_rank);
        asked_fini(&a);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chunks_give_the_order_of_one_batch),
        cmocka_unit_test(a_broken_pre_rank_is_discarded_whole),
        cmocka_unit_test(the_leaf_judge_orders_in_one_batch),
        cmocka_unit_test(the_order_is_by_score_then_by_list),
        cmocka_unit_test(the_clock_is_not_read_while_ordering),
        cmocka_unit_test(the_rescorer_is_asked_once_about_the_kept_ones),
        cmocka_unit_test(a_broken_rescorer_is_ignored),
        cmocka_unit_test(a_rescorer_without_weight_is_never_asked),
        cmocka_unit_test(a_late_rescorer_is_not_started),
        cmocka_unit_test(a_candidate_that_can_lose_keeps_its_own_value),
        cmocka_unit_test(collapse_is_one_batch_and_no_leaf),
        cmocka_unit_test(a_broken_collapse_ranks_nothing),
        cmocka_unit_test(a_late_collapse_is_not_started),
        cmocka_unit_test(the_guard_keeps_the_judges_value_where_a_king_can_be_lost),
        cmocka_unit_test(a_guard_that_runs_out_of_time_ranks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
