/* SPDX-License-Identifier: MIT */
/*
 * Expectimax clause by clause: settings, answers that need no search, the readings of the clock and
 * what a deadline at any of them leaves, and how leaves are asked. Values are compared with the
 * slow oracle elsewhere.
 */
#include "search/searching.h"

#include <math.h>

/* Field-wise, because a structure's padding is not part of it. */
static void assert_untouched(const hz_root_stats *s) {
    assert_true(s->candidates_selected == 0 && s->candidates_completed == 0 &&
                s->candidates_abandoned == 0 && s->cutoffs == 0 && s->rolls_saved == 0 &&
                s->probe_cutoffs == 0 && s->tt_probes == 0 && s->tt_hits == 0 &&
                s->tt_cutoffs == 0 && s->candidates_collapsed == 0);
    assert_false(s->collapse_rejected || s->pre_rank_rejected || s->rescore_rejected ||
                 s->leaf_rejected);
}

/* ---- settings ---- */

static void refused(const hz_expectimax_config *config, hz_status status, const char *name) {
    hz_expectimax *search = (hz_expectimax *)1;
    hz_error err;
    hz_error_clear(&err);
    assert_int_equal(hz_expectimax_new(config, &search, &err), status);
    assert_null(search);
    if (!strstr(err.message, name)) {
        fail_msg("'%s' does not name %s", err.message, name);
    }
}

static void accepted(const hz_expectimax_config *config) {
    hz_expectimax *search = NULL;
    hz_error err;
    if (hz_expectimax_new(config, &search, &err) != HZ_OK) {
        fail_msg("refused: %s", err.message);
    }
    hz_expectimax_free(search);
}

static void settings_out_of_range_are_refused_by_name(void **state) {
    (void)state;
    watcher w = {0};
    const hz_expectimax_config good = config_of(watching(&w), 8, 2);
    hz_expectimax_config c = good;
    c.candidate_limit = 0;
    refused(&c, HZ_INVALID_ARGUMENT, "candidate_limit must be positive");
    c.candidate_limit = -1;
    refused(&c, HZ_INVALID_ARGUMENT, "candidate_limit");
    c = good;
    c.search_depth = 1;
    refused(&c, HZ_INVALID_ARGUMENT, "search_depth must be 2 or 3");
    c.search_depth = 4;
    refused(&c, HZ_INVALID_ARGUMENT, "search_depth");
    c = good;
    const double weights[] = {-0.1, 1.1, (double)NAN, -(double)INFINITY, (double)INFINITY};
    for (size_t i = 0; i < sizeof weights / sizeof *weights; i++) {
        c.rescore_weight = weights[i];
        refused(&c, HZ_INVALID_ARGUMENT, "rescore_weight");
    }
    c = good;
    c.chunk_size = 0;
    refused(&c, HZ_INVALID_ARGUMENT, "chunk_size");
    c = good;
    c.threads = 0;
    refused(&c, HZ_INVALID_ARGUMENT, "threads");
    c = good;
    c.leaf.score_batch = NULL;
    refused(&c, HZ_INVALID_ARGUMENT, "leaf");
    c = good;
    c.pre_rank = watching(&w);
    c.pre_rank_with_leaf = true;
    refused(&c, HZ_CONFLICT, "pre_rank_with_leaf");
    assert_int_equal(w.calls, 0);
}

static void inert_settings_are_no_conflict(void **state) {
    (void)state;
    watcher w = {0};
    hz_table *table = NULL;
    assert_int_equal(hz_table_new(16, &table, NULL), HZ_OK);
    hz_expectimax_config c = config_of(watching(&w), 1, 3);
    accepted(&c);
    c.collapse = watching(&w);
    c.table = table;
    c.exact_only = true;
    c.loss_guard = true;
    accepted(&c);
    c.rescore = watching(&w);
    c.rescore_weight = 0;
    accepted(&c);
    c.rescore_weight = 1;
    accepted(&c);
    c.pre_rank_with_leaf = true;
    accepted(&c);
    hz_table_free(table);
}

static void defaults_are_those_of_the_contract(void **state) {
    (void)state;
    hz_expectimax_config c = hz_expectimax_config_default();
    assert_true(c.candidate_limit == 8 && c.search_depth == 2 && !c.exact_only);
    assert_true(c.chunk_size == 256 && c.threads == 1 && !c.loss_guard && !c.no_pruning);
    assert_true(!c.rescore.score_batch && !c.collapse.score_batch && !c.pre_rank.score_batch);
}

/* ---- answers without a search ---- */

static hz_expectimax_config all_hooks(watcher *w) {
    hz_expectimax_config c = config_of(watching(w), 8, 2);
    c.pre_rank = watching(w);
    c.rescore = watching(w);
    c.rescore_weight = 0.5;
    return c;
}

static void without_a_turn_the_answer_is_pass_and_nobody_is_asked(void **state) {
    (void)state;
    watcher w = {0};
    hz_expectimax_config c = all_hooks(&w);
    asked a;
    ask_with(NO_TURN, &c, 3, NULL, &a);
    assert_true(a.answer.pass);
    assert_int_equal(a.answer.tie_count, 0);
    assert_int_equal(a.record.legal_results, 0);
    assert_int_equal(a.record.legal_sequences, 0);
    assert_untouched(&a.record);
    assert_int_equal(w.calls, 0);
    assert_int_equal(a.random.counter, 0);
    assert_int_equal(a.answer.after.side, HZ_BLACK);
    asked_fini(&a);
}

static void a_win_is_played_without_asking_anybody(void **state) {
    (void)state;
    watcher w = {0};
    hz_expectimax_config c = all_hooks(&w);
    counting_clock clock;
    hz_deadline past = counting_deadline(&clock, 0);
    asked a;
    char text[HZ_TURN_CAPACITY];
    ask_with(WIN_AT_ONCE, &c, 3, &past, &a);
    assert_string_equal(turn_of(&a, text), "a1a8");
    assert_int_equal(a.answer.score, HZ_SCORE_WIN);
    assert_true(a.answer.turn.took_king);
    assert_int_equal(a.record.legal_results, 10);
    assert_int_equal(a.record.legal_sequences, 10);
    assert_untouched(&a.record);
    assert_int_equal(w.calls, 0);
    assert_int_equal(clock.reads, 0);
    assert_int_equal(a.random.counter, 0);
    asked_fini(&a);
}

static void an_arena_that_is_too_small_is_an_error(void **state) {
    (void)state;
    watcher w = {0};
    hz_expectimax_config c = config_of(watching(&w), 8, 2);
    hz_expectimax *search = NULL;
    hz_position position = test_position(OPENING);
    hz_random random = hz_random_from_seed(0);
    hz_expectimax_answer answer;
    size_t failures = 0;
    assert_int_equal(hz_expectimax_new(&c, &search, NULL), HZ_OK);
    for (size_t limit = 1024; limit < 4 * 1024 * 1024; limit *= 2) {
        hz_arena arena;
        hz_error err;
        hz_arena_init(&arena, limit);
        hz_status status =
            hz_expectimax_choose(search, &position, &random, NULL, &arena, &answer, &err);
        assert_true(status == HZ_OK || status == HZ_NO_MEMORY);
        failures += status == HZ_NO_MEMORY;
        hz_arena_fini(&arena);
    }
    hz_expectimax_free(search);
    assert_true(failures > 0);
}

/* ---- the clock ---- */

static void the_clock_is_read_at_the_yield_points_and_nowhere_else(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed());
    size_t pruned = 0;
    for (size_t n = test_effort(60); n > 0; n--) {
        char dfen[REF_DFEN_CAPACITY];
        quick_position(&random, dfen);
        watcher leaf = {.score = by_aggression}, rescorer = {.score = by_hash, .number = 400};
        hz_expectimax_config c = config_of(watching(&leaf), 1 + ref_random_below(&random, 6), 2);
        bool rescores = ref_random_chance(&random, 40), probes = true;
        if (rescores) {
            c.rescore = watching(&rescorer);
            c.rescore_weight = ref_random_chance(&random, 30) ? 1.0 : 0.25;
            probes = c.rescore_weight < 1.0;
        }
        counting_clock clock;
        hz_deadline deadline = counting_deadline(&clock, SIZE_MAX);
        asked timed, untimed;
        ask_with(dfen, &c, n, &deadline, &timed);
        ask_with(dfen, &c, n, NULL, &untimed);
        same_answer(dfen, &untimed, &timed);
        if (timed.answer.pass || timed.answer.turn.took_king) {
            test_same_number(dfen, "readings", 0, clock.reads);
        } else {
            test_same_number(dfen, "readings", expected_reads(&timed.record, probes) + rescores,
                             clock.reads);
            pruned += timed.record.cutoffs > timed.record.probe_cutoffs;
        }
        asked_fini(&timed);
        asked_fini(&untimed);
    }
    test_met(pruned > 0);
}

/* Whatever was completed before the clock ran out is what it is without a clock, and decides. */
static void check_cut_short(const char *where, const asked *whole, const asked *cut,
                            bool *abandoned_seen, bool *stopped_after_seen) {
    const hz_expectimax_answer *a = &whole->answer, *b = &cut->answer;
    size_t completed = 0;
    int64_t best = 0;
    for (size_t i = 0; i < b->candidate_count; i++) {
        const hz_candidate *c = &b->candidates[i];
        if (c->fate == HZ_CANDIDATE_COMPLETE) {
            best = completed == 0 || c->sum > best ? c->sum : best;
            completed++;
        }
        if (c->fate == HZ_CANDIDATE_COMPLETE || c->fate == HZ_CANDIDATE_PRUNED) {
            test_true(where, "the same value",
                      c->fate == a->candidates[i].fate && c->sum == a->candidates[i].sum);
        }
    }
    test_same_number(where, "completed", completed, b->stats.candidates_completed);
    if (completed == 0) {
        test_same_number(where, "pre-rank score", (uint64_t)b->candidates[0].pre_rank,
                         (uint64_t)b->score);
        test_same_number(where, "draws", 0, cut->random.counter);
        test_true(where, "fell back", hz_root_stats_fell_back(&b->stats));
    } else {
        test_same_number(where, "score", (uint64_t)(best / b->denominator), (uint64_t)b->score);
    }
    *abandoned_seen |= b->stats.candidates_abandoned == 1;
    *stopped_after_seen |=
        b->stats.candidates_abandoned == 0 && hz_root_stats_deadline_truncated(&b->stats);
}

static void a_deadline_at_any_reading_leaves_a_sound_answer(void **state) {
    (void)state;
    const char *const positions[] = {KING_AND_BISHOP, GRAB, WIDE,
                                     "r3k2r/8/8/8/3p4/4P3/8/R3K2R w KQkq - 0 2 PNR"};
    for (size_t p = 0; p < sizeof positions / sizeof *positions; p++) {
        watcher leaf = {.score = by_aggression};
        hz_expectimax_config c = config_of(watching(&leaf), 4, 2);
        asked whole;
        bool abandoned = false, stopped_after = false;
        ask_with(positions[p], &c, 5, NULL, &whole);
        size_t reads = expected_reads(&whole.record, true), step = reads / test_effort(60) + 1;
        for (size_t at = 0; at < reads; at += at < 70 || at + 70 > reads ? 1 : step) {
            counting_clock clock;
            hz_deadline deadline = counting_deadline(&clock, at);
            asked cut;
            ask_with(positions[p], &c, 5, &deadline, &cut);
            test_same_number(positions[p], "readings", at + 1, clock.reads);
            check_cut_short(positions[p], &whole, &cut, &abandoned, &stopped_after);
            asked_fini(&cut);
        }
        assert_true(abandoned && stopped_after);
        asked_fini(&whole);
    }
}

static void a_deadline_at_any_reading_of_depth_three_is_seen_at_once(void **state) {
    (void)state;
    const char *dfen = KING_AND_BISHOP;
    watcher leaf = {.score = by_aggression};
    hz_expectimax_config c = config_of(watching(&leaf), 3, 3);
    counting_clock clock;
    hz_deadline deadline = counting_deadline(&clock, SIZE_MAX);
    asked whole;
    ask_with(dfen, &c, 5, &deadline, &whole);
    size_t reads = clock.reads, step = reads / test_effort(25) + 1;
    assert_true(reads > (size_t)HZ_ROLLS * HZ_ROLLS);
    for (size_t at = 0; at < reads; at += step) {
        asked cut;
        bool abandoned = false, stopped_after = false;
        deadline = counting_deadline(&clock, at);
        ask_with(dfen, &c, 5, &deadline, &cut);
        test_same_number(dfen, "readings", at + 1, clock.reads);
        check_cut_short(dfen, &whole, &cut, &abandoned, &stopped_after);
        asked_fini(&cut);
    }
    asked_fini(&whole);
}

static void a_raised_flag_is_an_expired_deadline(void **state) {
    (void)state;
    watcher leaf = {.score = by_material};
    hz_expectimax_config c = config_of(watching(&leaf), 4, 2);
    hz_cancel cancel = {0};
    hz_cancel_request(&cancel);
    hz_deadline deadline = hz_deadline_none();
    deadline.cancel = &cancel;
    asked a;
    ask_with(GRAB, &c, 0, &deadline, &a);
    assert_int_equal(a.record.candidates_abandoned, 1);
    assert_int_equal(leaf.calls, 0);
    assert_true(hz_root_stats_fell_back(&a.record));
    asked_fini(&a);
}

/* ---- leaves ---- */

static void batches_hold_distinct_positions_of_the_mover_without_dice(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed());
    for (size_t n = test_effort(12); n > 0; n--) {
        char dfen[REF_DFEN_CAPACITY];
        quick_position(&random, dfen);
        hz_position position = test_position(dfen);
        watcher leaf = {.score = by_material, .check = true, .mover = (hz_color)position.side};
        hz_expectimax_config c = config_of(watching(&leaf), 3, 2);
        asked a;
        ask_with(dfen, &c, 0, NULL, &a);
        test_true(dfen, "no empty batch", !leaf.empty);
        test_true(dfen, "no position twice", !leaf.doubled);
        test_true(dfen, "the mover's view", !leaf.wrong_color);
        test_true(dfen, "the mover's turn", !leaf.wrong_side);
        test_true(dfen, "no dice", !leaf.diced);
        test_same_number(dfen, "batches", a.answer.leaf_batches, leaf.calls);
        test_same_number(dfen, "leaves", a.answer.leaves, leaf.rows);
        asked_fini(&a);
    }
}

static void the_first_candidate_is_asked_roll_by_roll_in_list_order(void **state) {
    (void)state;
    const char *const positions[] = {GRAB, WIDE, OPENING};
    for (size_t p = 0; p < sizeof positions / sizeof *positions; p++) {
        watcher leaf = {.score = by_material};
        hz_expectimax_config c = config_of(watching(&leaf), 1, 2);
        asked a;
        ask_with(positions[p], &c, 0, NULL, &a);
        size_t call = 0;
        uint64_t order = 0;
        hz_arena arena;
        hz_arena_init(&arena, 0);
        for (int i = 0; i < HZ_ROLLS; i++) {
            hz_position rolled = a.answer.after;
            hz_result_list list;
            int weight;
            hz_position_set_pool(&rolled, hz_search_roll((size_t)i, &weight));
            hz_arena_reset(&arena);
            assert_int_equal(hz_results_list(&rolled, NULL, &arena, &list, NULL), HZ_OK);
            if (list.winning >= 0) {
                continue;
            }
            if (list.count == 0) {
                hz_hand_over(&rolled);
                order = hz_random_mix(order ^ rolled.key);
            }
            for (size_t k = 0; k < list.count; k++) {
                order = hz_random_mix(order ^ list.results[k].after.key);
            }
            size_t rows = list.count ? list.count : 1;
            test_same_number(positions[p], "rows", rows, leaf.sizes[call++]);
        }
        test_same_number(positions[p], "batches", call, leaf.calls);
        test_same_number(positions[p], "order", order, leaf.order);
        hz_arena_fini(&arena);
        asked_fini(&a);
    }
}

/* A leaf judge that breaks its contract at call `at` ends the loop; completed candidates count. */
static void a_broken_leaf_batch_ends_the_loop(void **state) {
    (void)state;
    const failure kinds[] = {FAILS, COMES_SHORT, COMES_LONG};
    watcher good = {.score = by_aggression};
    hz_expectimax_config c = config_of(watching(&good), 4, 2);
    asked whole;
    ask_with(KING_AND_BISHOP, &c, 9, NULL, &whole);
    bool with_best = false, without = false;
    for (size_t at = 0; at < good.calls; at++) {
        watcher leaf = {.score = by_aggression, .failure = kinds[at % 3], .fails_at = at};
        c.leaf = watching(&leaf);
        asked a;
        ask_with(KING_AND_BISHOP, &c, 9, NULL, &a);
        assert_true(a.record.leaf_rejected);
        assert_int_equal(a.record.candidates_abandoned, 0);
        assert_int_equal(leaf.calls, at + 1);
        assert_false(hz_root_stats_deadline_truncated(&a.record));
        bool abandoned = false, after = false;
        check_cut_short(KING_AND_BISHOP, &whole, &a, &abandoned, &after);
        with_best |= a.record.candidates_completed > 0;
        without |= a.record.candidates_completed == 0;
        asked_fini(&a);
    }
    assert_true(with_best && without);
    asked_fini(&whole);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_out_of_range_are_refused_by_name),
        cmocka_unit_test(inert_settings_are_no_conflict),
        cmocka_unit_test(defaults_are_those_of_the_contract),
        cmocka_unit_test(without_a_turn_the_answer_is_pass_and_nobody_is_asked),
        cmocka_unit_test(a_win_is_played_without_asking_anybody),
        cmocka_unit_test(an_arena_that_is_too_small_is_an_error),
        cmocka_unit_test(the_clock_is_read_at_the_yield_points_and_nowhere_else),
        cmocka_unit_test(a_deadline_at_any_reading_leaves_a_sound_answer),
        cmocka_unit_test(a_deadline_at_any_reading_of_depth_three_is_seen_at_once),
        cmocka_unit_test(a_raised_flag_is_an_expired_deadline),
        cmocka_unit_test(batches_hold_distinct_positions_of_the_mover_without_dice),
        cmocka_unit_test(the_first_candidate_is_asked_roll_by_roll_in_list_order),
        cmocka_unit_test(a_broken_leaf_batch_ends_the_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
