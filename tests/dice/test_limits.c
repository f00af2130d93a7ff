/* SPDX-License-Identifier: MIT */
/*
 * Long lists: streams that stop when told, limits, deadlines, and positions with more than a
 * million legal turns in bounded memory.
 */
#include <string.h>

#include "support/turns.h"

#define KIWIPETE "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

/* Queens on an open board without kings: no turn is short, and there are very many of them. */
static const char MANY_QUEENS[] = "8/3Q4/Q7/4Q3/1Q6/5Q2/8/8 w - - 0 1 QQQ";

typedef struct stopper {
    size_t seen, stop_after;
} stopper;

static bool count_and_stop(void *context, const hz_turn *turn, const hz_position *after) {
    stopper *s = context;
    (void)turn, (void)after;
    return ++s->seen != s->stop_after;
}

static void stream_stops_when_told(void **state) {
    (void)state;
    hz_position position = test_position(HZ_START_DFEN " PNQ");
    uint64_t turns = hz_turns_perft(&position, NULL);
    for (size_t stop_after = 1; stop_after <= turns; stop_after += 1 + stop_after / 3) {
        stopper s = {.stop_after = stop_after};
        assert_int_equal(hz_turns_visit(&position, NULL, NULL, count_and_stop, &s), HZ_INCOMPLETE);
        assert_int_equal(s.seen, stop_after);
    }
    stopper s = {.stop_after = 0};
    assert_int_equal(hz_turns_visit(&position, NULL, NULL, count_and_stop, &s), HZ_OK);
    assert_int_equal(s.seen, turns);
}

static void list_beyond_its_limit_is_called_incomplete(void **state) {
    (void)state;
    hz_position position = test_position(HZ_START_DFEN " PPB");
    hz_arena arena;
    hz_arena_init(&arena, 0);
    hz_turn_list all, some;
    assert_int_equal(hz_turns_list(&position, 0, &arena, &all, NULL), HZ_OK);
    assert_int_equal(all.count, 1148);
    static const struct {
        size_t limit;
        hz_status status;
    } cases[] = {{1, HZ_INCOMPLETE}, {7, HZ_INCOMPLETE}, {1147, HZ_INCOMPLETE},
                 {1148, HZ_OK},      {1149, HZ_OK},      {SIZE_MAX, HZ_OK}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hz_error err;
        hz_error_clear(&err);
        hz_status status = hz_turns_list(&position, cases[i].limit, &arena, &some, &err);
        assert_int_equal(status, cases[i].status);
        assert_int_equal(err.code, status);
        size_t expected = cases[i].limit < all.count ? cases[i].limit : all.count;
        assert_int_equal(some.count, expected);
        assert_memory_equal(some.turns, all.turns, expected * sizeof *all.turns);
    }
    hz_arena_fini(&arena);
}

static void list_of_a_pass_is_empty_at_any_limit(void **state) {
    (void)state;
    hz_position position = test_position(HZ_START_DFEN " BRQ");
    hz_arena arena = {0};
    hz_turn_list list = {.count = 5};
    assert_int_equal(hz_turns_list(&position, 1, &arena, &list, NULL), HZ_OK);
    assert_int_equal(list.count, 0);
    hz_arena_fini(&arena);
}

static void list_without_memory_is_refused(void **state) {
    (void)state;
    hz_position position = test_position(KIWIPETE " PNQ");
    hz_arena arena;
    hz_arena_init(&arena, 30000);
    hz_turn_list list;
    hz_error err;
    hz_error_clear(&err);
    assert_int_equal(hz_turns_list(&position, 0, &arena, &list, &err), HZ_NO_MEMORY);
    assert_int_equal(err.code, HZ_NO_MEMORY);
    assert_true(arena.held <= 30000);
    hz_arena_fini(&arena);
}

/* ---- deadlines ---- */

/* A clock that goes one step further with every look. */
static uint64_t step_clock(void *state) {
    return ++*(uint64_t *)state;
}

static void passed_deadline_cancels_a_stream(void **state) {
    (void)state;
    hz_position position = test_position(KIWIPETE " PNQ");
    uint64_t now = 0, looks = 0;
    /* how often a whole walk looks at the clock */
    hz_deadline deadline = {.at_ns = HZ_NO_DEADLINE - 1, .now = step_clock, .now_state = &looks};
    stopper s = {0};
    assert_int_equal(hz_turns_visit(&position, NULL, &deadline, count_and_stop, &s), HZ_OK);
    size_t all = s.seen;
    hz_move_list first;
    hz_moves_first(&position, &first);
    assert_true(looks >= (uint64_t)first.count);
    for (uint64_t at = 1; at <= looks; at += 5) {
        now = 0;
        deadline = (hz_deadline){.at_ns = at, .now = step_clock, .now_state = &now};
        s = (stopper){0};
        assert_int_equal(hz_turns_visit(&position, NULL, &deadline, count_and_stop, &s),
                         HZ_CANCELLED);
        assert_int_equal(now, at);
        assert_true(s.seen <= all);
    }
}

static void clock_is_looked_at_at_least_every_4096_turns(void **state) {
    (void)state;
    hz_position position = test_position(MANY_QUEENS);
    uint64_t looks = 0;
    hz_deadline deadline = {.at_ns = HZ_NO_DEADLINE - 1, .now = step_clock, .now_state = &looks};
    stopper s = {0};
    assert_int_equal(hz_turns_visit(&position, NULL, &deadline, count_and_stop, &s), HZ_OK);
    assert_true(looks >= s.seen / 4096);
}

static void raised_flag_cancels_everything(void **state) {
    (void)state;
    hz_position position = test_position(KIWIPETE " PNQ");
    hz_cancel cancel = {0};
    hz_cancel_request(&cancel);
    hz_deadline deadline = hz_deadline_none();
    deadline.cancel = &cancel;
    stopper s = {0};
    assert_int_equal(hz_turns_visit(&position, NULL, &deadline, count_and_stop, &s), HZ_CANCELLED);
    hz_arena arena;
    hz_arena_init(&arena, 0);
    hz_result_list list;
    hz_error err;
    hz_error_clear(&err);
    assert_int_equal(hz_results_list(&position, &deadline, &arena, &list, &err), HZ_CANCELLED);
    assert_int_equal(err.code, HZ_CANCELLED);
    assert_int_equal(list.count, 0);
    assert_true(list.winning == -1);
    /* lowered again, the same objects give the whole answer */
    hz_cancel_clear(&cancel);
    hz_arena_reset(&arena);
    assert_int_equal(hz_results_list(&position, &deadline, &arena, &list, &err), HZ_OK);
    assert_true(list.count > 0);
    hz_arena_fini(&arena);
}

/* ---- more than a million turns ---- */

static void million_turns_are_counted_and_streamed(void **state) {
    (void)state;
    hz_position position = test_position(MANY_QUEENS);
    ref_position slow = test_slow(MANY_QUEENS);
    ref_turns turns;
    assert_true(ref_legal_turns(&slow, 3000000, &turns));
    assert_true(turns.count > 1000000);
    assert_int_equal(hz_turns_perft(&position, NULL), turns.count);
    stopper s = {0};
    assert_int_equal(hz_turns_visit(&position, NULL, NULL, count_and_stop, &s), HZ_OK);
    assert_int_equal(s.seen, turns.count);
    ref_turns_free(&turns);
}

static void million_turns_are_counted_in_little_memory(void **state) {
    (void)state;
    hz_position position = test_position(MANY_QUEENS);
    hz_turn_counts little;
    assert_int_equal(hz_turns_count(&position, 8 << 20, &little, NULL), HZ_OK);
    assert_int_equal(little.turns, hz_turns_perft(&position, NULL));
    hz_arena arena;
    hz_arena_init(&arena, (size_t)256 << 20);
    hz_result_list list;
    assert_int_equal(hz_results_list(&position, NULL, &arena, &list, NULL), HZ_OK);
    assert_int_equal(little.results, list.count);
    assert_int_equal(little.turns, list.sequences);
    hz_arena_fini(&arena);
    /* listed within a limit, the first ones only */
    hz_arena_init(&arena, 1 << 20);
    hz_turn_list turns;
    assert_int_equal(hz_turns_list(&position, 1000, &arena, &turns, NULL), HZ_INCOMPLETE);
    assert_int_equal(turns.count, 1000);
    assert_int_equal(hz_turns_list(&position, 0, &arena, &turns, NULL), HZ_NO_MEMORY);
    hz_arena_fini(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stream_stops_when_told),
        cmocka_unit_test(list_beyond_its_limit_is_called_incomplete),
        cmocka_unit_test(list_of_a_pass_is_empty_at_any_limit),
        cmocka_unit_test(list_without_memory_is_refused),
        cmocka_unit_test(passed_deadline_cancels_a_stream),
        cmocka_unit_test(clock_is_looked_at_at_least_every_4096_turns),
        cmocka_unit_test(raised_flag_cancels_everything),
        cmocka_unit_test(million_turns_are_counted_and_streamed),
        cmocka_unit_test(million_turns_are_counted_in_little_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
