/* SPDX-License-Identifier: MIT */
/* Threads that share a task: every item once, in any number of threads, runs and pools. */
#include <hazard/base.h>

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "support/support.h"

enum { ITEMS = 1000, MOST_THREADS = 8 };

typedef struct tally {
    unsigned char done[ITEMS]; /* plain bytes: what a task writes must reach the caller */
    unsigned worker[ITEMS];
    atomic_bool busy[HZ_THREADS_MAX];
    atomic_bool overlapped;
    size_t order[ITEMS]; /* for one thread only */
    size_t count;
} tally;

static hz_thread_pool *pool_of(unsigned threads) {
    hz_thread_pool *pool;
    hz_error err;
    assert_int_equal(hz_thread_pool_new(threads, &pool, &err), HZ_OK);
    assert_int_equal(hz_thread_pool_threads(pool), threads);
    return pool;
}

static void note(void *context, size_t index, unsigned worker) {
    tally *t = context;
    if (atomic_exchange(&t->busy[worker], true)) {
        atomic_store(&t->overlapped, true);
    }
    t->done[index]++;
    t->worker[index] = worker;
    atomic_store(&t->busy[worker], false);
}

static void note_order(void *context, size_t index, unsigned worker) {
    tally *t = context;
    assert_int_equal(worker, 0);
    t->order[t->count++] = index;
}

static void every_item_is_done_once(void **state) {
    (void)state;
    static const size_t counts[] = {0, 1, 2, 3, 7, 64, ITEMS};
    for (unsigned threads = 1; threads <= MOST_THREADS; threads++) {
        hz_thread_pool *pool = pool_of(threads);
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            tally t = {0};
            hz_thread_pool_run(pool, counts[c], note, &t);
            assert_false(atomic_load(&t.overlapped));
            for (size_t i = 0; i < ITEMS; i++) {
                assert_int_equal(t.done[i], i < counts[c]);
                assert_true(t.worker[i] < threads);
            }
        }
        hz_thread_pool_free(pool);
    }
}

static void one_thread_goes_in_order(void **state) {
    (void)state;
    hz_thread_pool *pool = pool_of(1);
    hz_thread_pool *const pools[] = {pool, NULL};
    for (size_t p = 0; p < 2; p++) {
        tally t = {0};
        hz_thread_pool_run(pools[p], ITEMS, note_order, &t);
        assert_int_equal(t.count, ITEMS);
        for (size_t i = 0; i < ITEMS; i++) {
            assert_int_equal(t.order[i], i);
        }
    }
    assert_int_equal(hz_thread_pool_threads(NULL), 1);
    hz_thread_pool_free(pool);
}

/* Waits until so many are inside, which needs so many workers. */
typedef struct meeting {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    unsigned inside, wanted;
    atomic_uint seen[HZ_THREADS_MAX];
} meeting;

static void meet(void *context, size_t index, unsigned worker) {
    meeting *m = context;
    (void)index;
    atomic_fetch_add(&m->seen[worker], 1);
    (void)pthread_mutex_lock(&m->mutex);
    m->inside++;
    (void)pthread_cond_broadcast(&m->changed);
    while (m->inside < m->wanted) {
        (void)pthread_cond_wait(&m->changed, &m->mutex);
    }
    (void)pthread_mutex_unlock(&m->mutex);
}

static void all_workers_work_at_the_same_time(void **state) {
    (void)state;
    hz_thread_pool *pool = pool_of(4);
    for (int round = 0; round < 20; round++) {
        meeting m = {
            .mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER, .wanted = 4};
        hz_thread_pool_run(pool, 4, meet, &m);
        assert_int_equal(m.inside, 4);
        for (unsigned worker = 0; worker < 4; worker++) {
            assert_int_equal(atomic_load(&m.seen[worker]), 1);
        }
    }
    hz_thread_pool_free(pool);
}

static void add(void *context, size_t index, unsigned worker) {
    (void)worker;
    atomic_fetch_add((atomic_size_t *)context, index + 1);
}

static void many_short_runs_lose_nothing(void **state) {
    (void)state;
    hz_thread_pool *pool = pool_of(3);
    atomic_size_t sum;
    atomic_init(&sum, 0);
    size_t runs = test_effort(2000), expected = 0;
    for (size_t run = 0; run < runs; run++) {
        size_t count = run % 6;
        hz_thread_pool_run(pool, count, add, &sum);
        expected += count * (count + 1) / 2;
        assert_int_equal(atomic_load(&sum), expected);
    }
    hz_thread_pool_free(pool);
}

static void run_inner_pool(void *context, size_t index, unsigned worker) {
    hz_thread_pool **pools = context;
    atomic_size_t sum;
    atomic_init(&sum, 0);
    (void)index;
    hz_thread_pool_run(pools[worker], 10, add, &sum);
    assert_int_equal(atomic_load(&sum), 55);
}

static void pools_are_independent_of_each_other(void **state) {
    (void)state;
    hz_thread_pool *inner[] = {pool_of(2), pool_of(3), pool_of(1)};
    hz_thread_pool *outer = pool_of(3);
    hz_thread_pool_run(outer, 60, run_inner_pool, inner);
    hz_thread_pool_free(outer);
    for (size_t i = 0; i < 3; i++) {
        hz_thread_pool_free(inner[i]);
    }
}

static void pool_that_never_ran_can_be_freed(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= MOST_THREADS; threads++) {
        hz_thread_pool_free(pool_of(threads));
    }
    hz_thread_pool_free(NULL);
}

static void wrong_numbers_of_threads_are_refused(void **state) {
    (void)state;
    static const unsigned wrong[] = {0, HZ_THREADS_MAX + 1, 1000000000, UINT32_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char something;
        hz_thread_pool *pool = (hz_thread_pool *)(void *)&something;
        hz_error err;
        assert_int_equal(hz_thread_pool_new(wrong[i], &pool, &err), HZ_INVALID_ARGUMENT);
        assert_null(pool);
        assert_non_null(strstr(err.message, "threads"));
        assert_int_equal(hz_thread_pool_new(wrong[i], &pool, NULL), HZ_INVALID_ARGUMENT);
    }
}

static void look_at_signals(void *context, size_t index, unsigned worker) {
    sigset_t now;
    (void)index;
    if (pthread_sigmask(SIG_SETMASK, NULL, &now) == 0 && worker > 0 &&
        sigismember(&now, SIGINT) == 1 && sigismember(&now, SIGTERM) == 1) {
        atomic_fetch_add((atomic_size_t *)context, 1);
    }
    /* Long enough for the others to come, too. */
    (void)nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
}

static void workers_take_no_signals_and_the_caller_keeps_his(void **state) {
    (void)state;
    sigset_t before, after;
    assert_int_equal(pthread_sigmask(SIG_SETMASK, NULL, &before), 0);
    hz_thread_pool *pool = pool_of(2);
    assert_int_equal(pthread_sigmask(SIG_SETMASK, NULL, &after), 0);
    assert_int_equal(sigismember(&after, SIGINT), sigismember(&before, SIGINT));
    atomic_size_t blocked;
    atomic_init(&blocked, 0);
    for (int i = 0; i < 200 && atomic_load(&blocked) == 0; i++) {
        hz_thread_pool_run(pool, 4, look_at_signals, &blocked);
    }
    assert_true(atomic_load(&blocked) > 0);
    hz_thread_pool_free(pool);
}

static uint64_t processor_ns(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void idle_pool_burns_no_processor_time(void **state) {
    (void)state;
    hz_thread_pool *pool = pool_of(4);
    tally t = {0};
    hz_thread_pool_run(pool, ITEMS, note, &t);
    uint64_t before = processor_ns();
    (void)nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    /* Three busy workers would burn 100 ms on any machine. */
    assert_true(processor_ns() - before < 50000000);
    hz_thread_pool_free(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_is_done_once),
        cmocka_unit_test(one_thread_goes_in_order),
        cmocka_unit_test(all_workers_work_at_the_same_time),
        cmocka_unit_test(many_short_runs_lose_nothing),
        cmocka_unit_test(pools_are_independent_of_each_other),
        cmocka_unit_test(pool_that_never_ran_can_be_freed),
        cmocka_unit_test(wrong_numbers_of_threads_are_refused),
        cmocka_unit_test(workers_take_no_signals_and_the_caller_keeps_his),
        cmocka_unit_test(idle_pool_burns_no_processor_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
