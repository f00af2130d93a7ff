/* SPDX-License-Identifier: MIT */
/* Deadlines on a clock of our own, and the cancel flag. */
#include <hazard/base.h>

#include <pthread.h>

#include "support/support.h"

typedef struct fake_clock {
    uint64_t now_ns;
    int reads;
} fake_clock;

static uint64_t read_fake(void *state) {
    fake_clock *clock = state;
    clock->reads++;
    return clock->now_ns;
}

static void deadline_expires_when_its_time_is_reached(void **state) {
    (void)state;
    fake_clock clock = {.now_ns = 999};
    hz_deadline deadline = {.at_ns = 1000, .now = read_fake, .now_state = &clock};
    assert_true(hz_deadline_is_timed(&deadline));
    assert_false(hz_deadline_expired(&deadline));
    clock.now_ns = 1000;
    assert_true(hz_deadline_expired(&deadline));
    clock.now_ns = 1001;
    assert_true(hz_deadline_expired(&deadline));
    assert_int_equal(hz_deadline_now_ns(&deadline), 1001);
    assert_int_equal(clock.reads, 4);
}

static void untimed_deadline_never_reads_a_clock(void **state) {
    (void)state;
    fake_clock clock = {.now_ns = UINT64_MAX};
    hz_deadline deadline = hz_deadline_none();
    deadline.now = read_fake;
    deadline.now_state = &clock;
    assert_false(hz_deadline_is_timed(&deadline));
    assert_false(hz_deadline_expired(&deadline));
    assert_int_equal(clock.reads, 0);
}

static void no_deadline_reads_as_untimed(void **state) {
    (void)state;
    assert_false(hz_deadline_expired(NULL));
    assert_false(hz_deadline_is_timed(NULL));
    assert_true(hz_deadline_now_ns(NULL) > 0);
}

static void cancel_flag_ends_any_deadline(void **state) {
    (void)state;
    hz_cancel cancel = {0};
    fake_clock clock = {.now_ns = 5};
    hz_deadline untimed = hz_deadline_none();
    hz_deadline timed = {.at_ns = 10, .now = read_fake, .now_state = &clock};
    untimed.cancel = timed.cancel = &cancel;
    assert_false(hz_cancel_requested(&cancel));
    assert_false(hz_deadline_expired(&untimed));
    assert_false(hz_deadline_expired(&timed));
    hz_cancel_request(&cancel);
    assert_true(hz_cancel_requested(&cancel));
    assert_true(hz_deadline_expired(&untimed));
    assert_true(hz_deadline_expired(&timed));
    hz_cancel_clear(&cancel);
    assert_false(hz_cancel_requested(&cancel));
    assert_false(hz_deadline_expired(&untimed));
    assert_false(hz_deadline_expired(&timed));
    assert_false(hz_cancel_requested(NULL));
}

static void *raise_flag(void *cancel) {
    hz_cancel_request(cancel);
    return NULL;
}

static void another_thread_can_cancel(void **state) {
    (void)state;
    hz_cancel cancel = {0};
    hz_deadline deadline = hz_deadline_in_ms(60000);
    deadline.cancel = &cancel;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, raise_flag, &cancel), 0);
    while (!hz_deadline_expired(&deadline)) {
    }
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(hz_clock_now_ns() < deadline.at_ns);
}

static void budget_of_milliseconds_counts_from_now(void **state) {
    (void)state;
    uint64_t before = hz_clock_now_ns();
    hz_deadline deadline = hz_deadline_in_ms(5000);
    uint64_t after = hz_clock_now_ns();
    assert_true(hz_deadline_is_timed(&deadline));
    assert_true(deadline.at_ns >= before + 5000000000u);
    assert_true(deadline.at_ns <= after + 5000000000u);
    assert_false(hz_deadline_expired(&deadline));
    hz_deadline at_once = hz_deadline_in_ms(0);
    assert_true(hz_deadline_expired(&at_once));
}

static void huge_budget_saturates_and_stays_timed(void **state) {
    (void)state;
    static const uint64_t budgets[] = {UINT64_MAX, UINT64_MAX / 1000000, UINT64_MAX / 1000000 + 1,
                                       UINT64_MAX / 2};
    for (size_t i = 0; i < sizeof budgets / sizeof budgets[0]; i++) {
        hz_deadline deadline = hz_deadline_in_ms(budgets[i]);
        assert_true(hz_deadline_is_timed(&deadline));
        assert_true(deadline.at_ns > UINT64_MAX / 2);
        assert_false(hz_deadline_expired(&deadline));
    }
}

static void clock_never_runs_backwards(void **state) {
    (void)state;
    uint64_t last = hz_clock_now_ns();
    for (int i = 0; i < 10000; i++) {
        uint64_t now = hz_clock_now_ns();
        assert_true(now >= last);
        last = now;
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deadline_expires_when_its_time_is_reached),
        cmocka_unit_test(untimed_deadline_never_reads_a_clock),
        cmocka_unit_test(no_deadline_reads_as_untimed),
        cmocka_unit_test(cancel_flag_ends_any_deadline),
        cmocka_unit_test(another_thread_can_cancel),
        cmocka_unit_test(budget_of_milliseconds_counts_from_now),
        cmocka_unit_test(huge_budget_saturates_and_stays_timed),
        cmocka_unit_test(clock_never_runs_backwards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
