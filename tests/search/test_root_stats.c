/* SPDX-License-Identifier: MIT */
/* The record of a search: its predicates, and a broken record for every rule. */
#include <hazard/search.h>

#include <string.h>

#include "support/support.h"

/* Three of four completed, one cut by its probe. */
static hz_root_stats usual(void) {
    return (hz_root_stats){.legal_results = 11,
                           .has_legal_sequences = true,
                           .legal_sequences = 20,
                           .candidates_selected = 4,
                           .candidates_completed = 3,
                           .cutoffs = 1,
                           .rolls_saved = 56,
                           .probe_cutoffs = 1};
}

/* One from the table, one cut by it, one completed, one cut late. */
static hz_root_stats with_table(void) {
    hz_root_stats s = usual();
    s.candidates_completed = 1;
    s.rolls_saved = 7;
    s.probe_cutoffs = 0;
    s.tt_probes = 4;
    s.tt_hits = s.tt_cutoffs = 1;
    return s;
}

static hz_root_stats collapsed(void) {
    hz_root_stats s = {.legal_results = 11, .candidates_selected = 4, .candidates_collapsed = 4};
    return s;
}

/* The clock ran out while the third candidate was searched. */
static hz_root_stats cut_short(void) {
    hz_root_stats s = usual();
    s.candidates_completed = 2;
    s.cutoffs = s.rolls_saved = s.probe_cutoffs = 0;
    s.candidates_abandoned = 1;
    return s;
}

static void good(const hz_root_stats *s, bool has_table, bool collapse, bool timed) {
    const char *broken = hz_root_stats_check(s, has_table, collapse, timed);
    if (broken) {
        fail_msg("broken: %s", broken);
    }
}

static void bad(const hz_root_stats *s, bool has_table, bool collapse, bool timed,
                const char *name) {
    const char *broken = hz_root_stats_check(s, has_table, collapse, timed);
    assert_non_null(broken);
    assert_string_equal(broken, name);
}

static void sound_records_break_no_rule(void **state) {
    (void)state;
    hz_root_stats pass = {.has_legal_sequences = true}, uncounted_pass = {0};
    hz_root_stats win = {.legal_results = 5, .has_legal_sequences = true, .legal_sequences = 9};
    hz_root_stats s = usual();
    for (int timed = 0; timed < 2; timed++) {
        for (int table = 0; table < 2; table++) {
            good(&pass, table, false, timed);
            good(&pass, table, true, timed);
            good(&uncounted_pass, table, false, timed);
            good(&win, table, false, timed);
            good(&win, table, true, timed);
            good(&s, table, false, timed);
        }
    }
    s = with_table();
    good(&s, true, false, false);
    s = collapsed();
    good(&s, true, true, false);
    s = cut_short();
    good(&s, false, false, true);
    s = usual(); /* stopped between candidates: nothing was abandoned */
    s.candidates_completed = 2;
    good(&s, false, false, true);
    s = collapsed();
    s.candidates_collapsed = 0;
    s.collapse_rejected = true;
    good(&s, false, true, false);
    s = usual();
    s.candidates_completed = 1;
    s.leaf_rejected = true;
    s.rescore_rejected = s.pre_rank_rejected = true;
    good(&s, false, false, false);
}

static void predicates_say_how_a_search_ended(void **state) {
    (void)state;
    hz_root_stats s = usual();
    assert_int_equal(hz_root_stats_resolved(&s), 4);
    assert_false(hz_root_stats_deadline_truncated(&s));
    assert_false(hz_root_stats_fell_back(&s));
    s = with_table();
    assert_int_equal(hz_root_stats_resolved(&s), 4);
    assert_false(hz_root_stats_deadline_truncated(&s));
    s = collapsed();
    assert_int_equal(hz_root_stats_resolved(&s), 4);
    assert_false(hz_root_stats_fell_back(&s));
    s = cut_short();
    assert_int_equal(hz_root_stats_resolved(&s), 2);
    assert_true(hz_root_stats_deadline_truncated(&s));
    assert_false(hz_root_stats_fell_back(&s));
    s.candidates_completed = 0;
    assert_true(hz_root_stats_fell_back(&s));
    s.tt_hits = 1;
    assert_false(hz_root_stats_fell_back(&s));
    s = collapsed();
    s.candidates_collapsed = 0;
    s.candidates_abandoned = 1;
    assert_true(hz_root_stats_fell_back(&s));
    assert_true(hz_root_stats_deadline_truncated(&s));
    s.candidates_abandoned = 0;
    s.collapse_rejected = true;
    assert_true(hz_root_stats_fell_back(&s));
    assert_false(hz_root_stats_deadline_truncated(&s));
    s = (hz_root_stats){0};
    assert_int_equal(hz_root_stats_resolved(&s), 0);
    assert_false(hz_root_stats_deadline_truncated(&s));
    assert_false(hz_root_stats_fell_back(&s));
}

static void refused_leaves_are_no_matter_of_time(void **state) {
    (void)state;
    hz_root_stats s = usual();
    s.candidates_completed = s.cutoffs = s.rolls_saved = s.probe_cutoffs = 0;
    s.leaf_rejected = true;
    assert_false(hz_root_stats_deadline_truncated(&s));
    assert_true(hz_root_stats_fell_back(&s));
    s.candidates_completed = 1;
    assert_false(hz_root_stats_fell_back(&s));
}

static void broken_lists_are_named(void **state) {
    (void)state;
    hz_root_stats s = usual();
    s.has_legal_sequences = false;
    bad(&s, false, false, false, "legal sequences are 0 when they were not counted");
    s = usual();
    s.legal_sequences = 10;
    bad(&s, false, false, false, "legal results <= legal sequences");
    s = (hz_root_stats){.has_legal_sequences = true, .legal_sequences = 1};
    bad(&s, false, false, false, "a pass has no legal sequences");
    s = usual();
    s.legal_results = 3;
    bad(&s, false, false, false, "candidates selected <= legal results");
    s = usual();
    s.candidates_selected = 0;
    bad(&s, false, false, false, "nothing selected, nothing done");
    s = (hz_root_stats){.candidates_abandoned = 1};
    bad(&s, false, false, true, "nothing selected, nothing done");
}

static void broken_counters_of_pruning_are_named(void **state) {
    (void)state;
    hz_root_stats s = cut_short();
    s.candidates_abandoned = 2;
    bad(&s, false, false, true, "abandoned <= 1");
    s = usual();
    s.candidates_completed = 4;
    bad(&s, false, false, false, "resolved + abandoned <= selected");
    s = usual();
    s.candidates_abandoned = 1;
    bad(&s, false, false, true, "resolved + abandoned <= selected");
    s = usual();
    s.probe_cutoffs = 2;
    bad(&s, false, false, false, "probe cutoffs <= cutoffs");
    s = usual();
    s.rolls_saved = 0;
    bad(&s, false, false, false, "cutoffs <= rolls saved <= 56 * cutoffs");
    s.rolls_saved = 57;
    bad(&s, false, false, false, "cutoffs <= rolls saved <= 56 * cutoffs");
    s = usual();
    s.candidates_completed = 0;
    s.cutoffs = 4;
    s.rolls_saved = 100;
    bad(&s, false, false, false, "the first candidate is never pruned");
}

static void broken_counters_of_the_table_are_named(void **state) {
    (void)state;
    hz_root_stats s = with_table();
    bad(&s, false, false, false, "no table, no table fields");
    s.tt_probes = 1;
    bad(&s, true, false, false, "table hits + table cutoffs <= table probes");
    s.tt_probes = 5;
    bad(&s, true, false, false, "table probes <= selected");
}

static void broken_collapse_is_named(void **state) {
    (void)state;
    hz_root_stats s = collapsed();
    bad(&s, false, false, false, "no collapse, no collapse fields");
    s.candidates_collapsed = 3;
    bad(&s, false, true, true, "collapsed is 0 or selected");
    s = collapsed();
    s.collapse_rejected = true;
    bad(&s, false, true, false, "rejected: nothing collapsed, nothing abandoned");
    s.candidates_collapsed = 0;
    s.candidates_abandoned = 1;
    bad(&s, false, true, true, "rejected: nothing collapsed, nothing abandoned");
    s = usual();
    bad(&s, false, true, false, "collapse opens no chance node and no table");
    s = collapsed();
    s.tt_probes = 1;
    bad(&s, true, true, false, "collapse opens no chance node and no table");
}

static void untimed_search_leaves_nothing_open(void **state) {
    (void)state;
    hz_root_stats s = usual();
    s.candidates_completed = 2;
    bad(&s, false, false, false, "untimed: resolved = selected");
    good(&s, false, false, true);
    s.leaf_rejected = true;
    good(&s, false, false, false);
    s.candidates_abandoned = 1;
    bad(&s, false, false, false, "untimed: nothing abandoned");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sound_records_break_no_rule),
        cmocka_unit_test(predicates_say_how_a_search_ended),
        cmocka_unit_test(refused_leaves_are_no_matter_of_time),
        cmocka_unit_test(broken_lists_are_named),
        cmocka_unit_test(broken_counters_of_pruning_are_named),
        cmocka_unit_test(broken_counters_of_the_table_are_named),
        cmocka_unit_test(broken_collapse_is_named),
        cmocka_unit_test(untimed_search_leaves_nothing_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
