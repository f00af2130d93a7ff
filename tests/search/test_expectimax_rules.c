/* SPDX-License-Identifier: MIT */
/*
 * Expectimax clause by clause: what is asked of whom and when, what happens when a judge breaks its
 * contract or the clock runs out at any reading, and that pruning, tables and chunks change no
 * decision. Values are compared with the slow oracle elsewhere.
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
        size_t reads = expected_reads(&whole.record, true);
        for (size_t at = 0; at < reads; at++) {
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

static size_t replies_of(const hz_position *after, int index, hz_arena *arena, bool *win) {
    hz_position rolled = *after;
    hz_result_list list;
    int weight;
    hz_position_set_pool(&rolled, hz_search_roll((size_t)index, &weight));
    hz_arena_reset(arena);
    assert_int_equal(hz_results_list(&rolled, NULL, arena, &list, NULL), HZ_OK);
    *win = list.winning >= 0;
    return list.count;
}

static void the_first_candidate_is_asked_roll_by_roll_without_probes(void **state) {
    (void)state;
    const char *const positions[] = {GRAB, WIDE, OPENING};
    for (size_t p = 0; p < sizeof positions / sizeof *positions; p++) {
        watcher leaf = {.score = by_material};
        hz_expectimax_config c = config_of(watching(&leaf), 1, 2);
        asked a;
        ask_with(positions[p], &c, 0, NULL, &a);
        size_t call = 0;
        hz_arena arena;
        hz_arena_init(&arena, 0);
        for (int i = 0; i < HZ_ROLLS; i++) {
            bool win;
            size_t count = replies_of(&a.answer.after, i, &arena, &win);
            if (!win) {
                test_same_number(positions[p], "rows", count ? count : 1, leaf.sizes[call++]);
            }
        }
        test_same_number(positions[p], "batches", call, leaf.calls);
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
        cmocka_unit_test(the_first_candidate_is_asked_roll_by_roll_without_probes),
        cmocka_unit_test(a_broken_leaf_batch_ends_the_loop),
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
        cmocka_unit_test(a_constant_judge_is_worth_its_constant),
        cmocka_unit_test(scores_are_saturated_and_truncated_toward_zero),
        cmocka_unit_test(equals_are_picked_in_list_order_with_one_draw),
        cmocka_unit_test(alpha_is_the_smallest_sum_that_reaches_the_best),
        cmocka_unit_test(alpha_is_absent_without_a_best_and_at_full_weight),
        cmocka_unit_test(pruning_and_table_change_no_decision),
        cmocka_unit_test(depth_three_is_the_same_however_it_is_pruned),
        cmocka_unit_test(one_search_answers_again_and_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
