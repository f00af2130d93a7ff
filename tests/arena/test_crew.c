/* SPDX-License-Identifier: MIT */
/* Work that is shared: results come in order whoever does them, failures and flags end it, ranks
 * that go are replaced. Ranks are threads here, their post goes through queues. */
#include <hazard/base.h>

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arena/crew.h"
#include "support/support.h"

typedef struct job {
    uint64_t expected;  /* next item to fold */
    uint64_t stop_at;   /* fold says stop after it */
    uint64_t fail_at;   /* working on it fails */
    uint64_t fold_fail; /* folding it fails */
    bool open_fails;
    uint64_t slow_item; /* waits for the flag */
    hz_cancel *cancel;  /* raised when cancel_at is folded */
    uint64_t cancel_at;
    const atomic_uint *awaited; /* fold says stop when this is `enough` */
    unsigned enough;
    atomic_bool *muted; /* raised when a hand is closed */
    atomic_uint opened, closed, worked, dropped;
} job;

static const job idle_job = {.stop_at = UINT64_MAX,
                             .fail_at = UINT64_MAX,
                             .fold_fail = UINT64_MAX,
                             .slow_item = UINT64_MAX,
                             .cancel_at = UINT64_MAX};

typedef struct hand {
    const hz_cancel *drop;
} hand;

static hz_status open_hand(void *context, const hz_cancel *drop, void **state, hz_error *err) {
    job *j = context;
    hand *h = malloc(sizeof *h);
    if (!h || j->open_fails) {
        free(h);
        return hz_fail(err, HZ_PLAYER, HZ_NO_OFFSET, "the worker has no hands");
    }
    h->drop = drop;
    atomic_fetch_add(&j->opened, 1);
    *state = h;
    return HZ_OK;
}

/* The item's bytes: itself, and as much filling as chance says. */
static hz_status work(void *context, void *state, uint64_t item, hzi_text *result, hz_error *err) {
    job *j = context;
    hand *h = state;
    hz_random random = hz_random_from_seed(item);
    if (item == j->fail_at) {
        return hz_fail(err, HZ_MODEL_RUN, HZ_NO_OFFSET, "item %llu is heavy",
                       (unsigned long long)item);
    }
    while (item == j->slow_item) {
        if (hz_cancel_requested(h->drop)) {
            atomic_fetch_add(&j->dropped, 1);
            return hz_fail(err, HZ_CANCELLED, HZ_NO_OFFSET, "dropped");
        }
        (void)sched_yield();
    }
    for (uint32_t wait = hz_random_draw(&random, 40); wait > 0; wait--) {
        (void)sched_yield();
    }
    hzi_text_format(result, "%llu:", (unsigned long long)item);
    for (uint32_t fill = hz_random_draw(&random, 300); fill > 0; fill--) {
        hzi_text_add(result, "x", 1);
    }
    atomic_fetch_add(&j->worked, 1);
    return HZ_OK;
}

static void close_hand(void *context, void *state) {
    job *j = context;
    free(state);
    atomic_fetch_add(&j->closed, 1);
    if (j->muted) {
        atomic_store(j->muted, true);
    }
}

/* Runs in the thread of rank 0, where an assertion would jump into another thread's stack: what is
 * wrong is a failure of the run instead. */
static hz_status fold(void *context, uint64_t item, const char *bytes, size_t length, bool *stop,
                      hz_error *err) {
    job *j = context;
    hz_random random = hz_random_from_seed(item);
    (void)hz_random_draw(&random, 40);
    char *end = NULL;
    bool good = item == j->expected && strtoull(bytes, &end, 10) == item && *end == ':' &&
                length == (size_t)(end - bytes) + 1 + hz_random_draw(&random, 300);
    if (!good) {
        return hz_fail(err, HZ_VERIFY, HZ_NO_OFFSET, "item %llu, not %llu, came as '%.40s'",
                       (unsigned long long)item, (unsigned long long)j->expected, bytes);
    }
    j->expected++;
    *stop = item == j->stop_at || (j->awaited && atomic_load(j->awaited) >= j->enough);
    if (item == j->cancel_at) {
        hz_cancel_request(j->cancel);
    }
    return item == j->fold_fail ? hz_fail(err, HZ_IO, HZ_NO_OFFSET, "the shelf is full") : HZ_OK;
}

static hzi_crew_work work_of(job *j) {
    return (hzi_crew_work){
        .context = j, .open = open_hand, .work = work, .close = close_hand, .fold = fold};
}

/* ---- threads ---- */

static const unsigned widths[] = {1, 2, 3, 8};
enum { WIDTHS = sizeof widths / sizeof *widths };

static void results_are_folded_in_order_by_any_number_of_threads(void **state) {
    (void)state;
    for (size_t i = 0; i < WIDTHS; i++) {
        job j = idle_job;
        hzi_crew_work w = work_of(&j);
        hzi_crew_plan plan = {.first = 5, .end = 5 + test_effort(800), .threads = widths[i]};
        hzi_crew_outcome outcome;
        hz_error err;
        j.expected = 5;
        assert_int_equal(hzi_crew_run(&plan, &w, &outcome, &err), HZ_OK);
        assert_int_equal(j.expected, plan.end);
        assert_int_equal(j.worked, plan.end - plan.first);
        assert_int_equal(j.opened, j.closed);
        assert_false(outcome.cancelled);
    }
}

static void nothing_to_do_is_done_at_once(void **state) {
    (void)state;
    for (size_t i = 0; i < WIDTHS; i++) {
        job j = idle_job;
        hzi_crew_work w = work_of(&j);
        hzi_crew_plan plan = {.first = 7, .end = 7, .threads = widths[i]};
        hzi_crew_outcome outcome;
        assert_int_equal(hzi_crew_run(&plan, &w, &outcome, NULL), HZ_OK);
        assert_int_equal(j.worked, 0);
        assert_int_equal(j.opened, j.closed);
    }
}

static void stopping_drops_what_is_still_under_way(void **state) {
    (void)state;
    for (size_t i = 0; i < WIDTHS; i++) {
        job j = idle_job;
        hzi_crew_work w = work_of(&j);
        hzi_crew_plan plan = {.end = 1000000, .threads = widths[i]};
        hzi_crew_outcome outcome;
        j.stop_at = 20;
        j.slow_item = widths[i] > 1 ? 21 : UINT64_MAX; /* never ends by itself */
        assert_int_equal(hzi_crew_run(&plan, &w, &outcome, NULL), HZ_OK);
        assert_int_equal(j.expected, 21);
        assert_true(j.worked < 500);
        assert_int_equal(j.opened, j.closed);
        assert_false(outcome.cancelled);
    }
}

static void a_raised_flag_ends_the_run(void **state) {
    (void)state;
    for (size_t i = 0; i < WIDTHS; i++) {
        hz_cancel cancel = {0};
        job j = idle_job;
        hzi_crew_work w = work_of(&j);
        hzi_crew_plan plan = {.end = 1000000, .threads = widths[i], .cancel = &cancel};
        hzi_crew_outcome outcome;
        j.cancel = &cancel;
        j.cancel_at = 10;
        assert_int_equal(hzi_crew_run(&plan, &w, &outcome, NULL), HZ_OK);
        assert_true(outcome.cancelled);
        assert_true(j.expected >= 11 && j.expected < 500);
        assert_int_equal(j.opened, j.closed);
    }
}

static void the_first_failure_is_that_of_the_run(void **state) {
    (void)state;
    for (size_t i = 0; i < WIDTHS; i++) {
        for (int kind = 0; kind < 3; kind++) {
            job j = idle_job;
            hzi_crew_work w = work_of(&j);
            hzi_crew_plan plan = {.end = 500, .threads = widths[i]};
            hzi_crew_outcome outcome;
            hz_error err;
            static const hz_status wanted[] = {HZ_MODEL_RUN, HZ_IO, HZ_PLAYER};
            static const char *const words[] = {"heavy", "shelf", "hands"};
            j.fail_at = kind == 0 ? 50 : UINT64_MAX;
            j.fold_fail = kind == 1 ? 50 : UINT64_MAX;
            j.open_fails = kind == 2;
            assert_int_equal(hzi_crew_run(&plan, &w, &outcome, &err), wanted[kind]);
            assert_int_equal(err.code, wanted[kind]);
            assert_non_null(strstr(err.message, words[kind]));
            assert_int_equal(j.opened, j.closed);
            assert_true(j.expected <= 51);
        }
    }
}

/* ---- ranks ---- */

/* Who hears nothing from another for so long counts it as lost. Short where a test waits for it, long
 * enough elsewhere for any machine. */
enum { MOST_RANKS = 4, SHORT_MS = 2000, LONG_MS = 60000 };

typedef struct letter {
    struct letter *next;
    int from;
    size_t length;
    char bytes[];
} letter;

typedef struct office {
    pthread_mutex_t lock;
    letter *first[MOST_RANKS], *last[MOST_RANKS];
    bool gone[MOST_RANKS];             /* what it sends is lost, and it hears nothing */
    uint64_t silent_after[MOST_RANKS]; /* letters */
    uint64_t sent[MOST_RANKS];
    atomic_bool muted[MOST_RANKS];  /* gone from its next letter on */
    uint64_t halted_at[MOST_RANKS]; /* letters, then the rank stands still */
    int halted_s;
} office;

static hz_status send_letter(hz_ranks *ranks, int to, const void *bytes, size_t length,
                             hz_error *err) {
    office *o = ranks->state;
    letter *l = malloc(sizeof *l + length);
    if (!l) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no paper");
    }
    *l = (letter){.from = ranks->rank, .length = length};
    memcpy(l->bytes, bytes, length);
    if (o->sent[ranks->rank] == o->halted_at[ranks->rank]) {
        (void)nanosleep(&(struct timespec){.tv_sec = o->halted_s}, NULL);
    }
    (void)pthread_mutex_lock(&o->lock);
    o->gone[ranks->rank] |= o->sent[ranks->rank]++ >= o->silent_after[ranks->rank] ||
                            atomic_load(&o->muted[ranks->rank]);
    if (o->gone[ranks->rank] || o->gone[to]) {
        free(l);
    } else {
        if (o->last[to]) {
            o->last[to]->next = l;
        } else {
            o->first[to] = l;
        }
        o->last[to] = l;
    }
    (void)pthread_mutex_unlock(&o->lock);
    return HZ_OK;
}

static hz_status receive_letter(hz_ranks *ranks, int *from, void **bytes, size_t *length, bool *got,
                                hz_error *err) {
    office *o = ranks->state;
    (void)pthread_mutex_lock(&o->lock);
    letter *l = o->first[ranks->rank];
    if (l) {
        o->first[ranks->rank] = l->next;
        o->last[ranks->rank] = l->next ? o->last[ranks->rank] : NULL;
    }
    (void)pthread_mutex_unlock(&o->lock);
    *bytes = NULL;
    *got = l != NULL;
    if (!l) {
        return HZ_OK;
    }
    *from = l->from;
    *length = l->length;
    *bytes = malloc(l->length + 1);
    if (!*bytes) {
        free(l);
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no paper");
    }
    memcpy(*bytes, l->bytes, l->length);
    free(l);
    return HZ_OK;
}

typedef struct rank_run {
    office *office;
    unsigned lost_ms; /* 0 = LONG_MS */
    hz_ranks ranks;
    hzi_crew_plan plan;
    job job;
    hz_status status;
    hz_error err;
    hzi_crew_outcome outcome;
} rank_run;

static void *run_rank(void *argument) {
    rank_run *r = argument;
    hzi_crew_work w = work_of(&r->job);
    r->plan.ranks = &r->ranks;
    r->status = hzi_crew_run(&r->plan, &w, &r->outcome, &r->err);
    return NULL;
}

/* Runs all ranks to their end; runs[0] is rank 0. */
static void run_ranks(office *o, rank_run *runs, int size, uint64_t end) {
    pthread_t threads[MOST_RANKS];
    assert_int_equal(pthread_mutex_init(&o->lock, NULL), 0);
    for (int i = 0; i < size; i++) {
        runs[i].office = o;
        runs[i].plan.end = end;
        runs[i].plan.threads = runs[i].plan.threads ? runs[i].plan.threads : 1;
        runs[i].ranks = (hz_ranks){.rank = i,
                                   .size = size,
                                   .state = o,
                                   .send = send_letter,
                                   .receive = receive_letter,
                                   .lost_after_ns = (runs[i].lost_ms ? runs[i].lost_ms : LONG_MS) *
                                                    UINT64_C(1000000)};
        if (pthread_create(&threads[i], NULL, run_rank, &runs[i]) != 0) {
            abort(); /* those that run use this stack */
        }
    }
    /* All of them first: a rank still writes to one that has ended. */
    for (int i = 0; i < size; i++) {
        if (pthread_join(threads[i], NULL) != 0) {
            abort();
        }
    }
    for (int i = 0; i < size; i++) {
        for (letter *l = o->first[i]; l;) {
            letter *next = l->next;
            free(l);
            l = next;
        }
    }
    (void)pthread_mutex_destroy(&o->lock);
}

static void set_up(office *o, rank_run *runs) {
    memset(o, 0, sizeof *o);
    for (int i = 0; i < MOST_RANKS; i++) {
        o->silent_after[i] = o->halted_at[i] = UINT64_MAX;
        memset(&runs[i], 0, sizeof runs[i]);
        runs[i].job = idle_job;
        hz_error_clear(&runs[i].err);
    }
}

static void ranks_share_the_work_and_rank_0_folds_it_in_order(void **state) {
    (void)state;
    office o;
    rank_run runs[MOST_RANKS];
    for (int size = 2; size <= MOST_RANKS; size++) {
        set_up(&o, runs);
        runs[1].plan.threads = 2;
        uint64_t end = test_effort(1500);
        run_ranks(&o, runs, size, end);
        unsigned worked = 0;
        for (int i = 0; i < size; i++) {
            assert_int_equal(runs[i].status, HZ_OK);
            worked += runs[i].job.worked;
        }
        assert_int_equal(runs[0].job.expected, end);
        assert_int_equal(runs[1].job.expected, 0);
        assert_int_equal(worked, end);
        test_met(runs[1].job.worked > 0);
        assert_int_equal(runs[0].outcome.ranks_lost, 0);
    }
}

static void the_work_of_a_lost_rank_is_done_by_others(void **state) {
    (void)state;
    office o;
    rank_run runs[MOST_RANKS];
    set_up(&o, runs);
    o.silent_after[2] = 10;
    runs[0].lost_ms = runs[2].lost_ms = SHORT_MS;
    uint64_t end = 3000;
    run_ranks(&o, runs, 3, end);
    assert_int_equal(runs[0].status, HZ_OK);
    assert_int_equal(runs[0].job.expected, end);
    /* A busy machine may have kept the other one from its post as well. */
    assert_in_range(runs[0].outcome.ranks_lost, 1, 2);
    assert_int_equal(runs[1].status, HZ_OK);
    assert_in_range(runs[1].outcome.ranks_lost, 1, 2);
    assert_int_equal(runs[2].status, HZ_IO); /* it hears of rank 0 no more */
    assert_int_equal(runs[2].outcome.ranks_lost, 1);
}

/* Too late for its work to be missed. */
static void a_rank_that_is_lost_in_the_end_is_known_to_all(void **state) {
    (void)state;
    office o;
    rank_run runs[MOST_RANKS];
    set_up(&o, runs);
    runs[0].job.awaited = &runs[2].job.worked;
    runs[0].job.enough = 1;
    runs[2].job.muted = &o.muted[2];
    runs[0].lost_ms = runs[2].lost_ms = SHORT_MS;
    run_ranks(&o, runs, 3, 3000000);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(runs[i].status, HZ_OK);
        assert_in_range(runs[i].outcome.ranks_lost, 1, 2);
    }
}

static void a_rank_that_stood_still_is_given_work_again(void **state) {
    (void)state;
    office o;
    rank_run runs[MOST_RANKS];
    set_up(&o, runs);
    o.halted_at[1] = 10;
    o.halted_s = 2 * SHORT_MS / 1000;
    runs[0].lost_ms = SHORT_MS;
    /* It is lost after its tenth result, and brings far more than it held then. */
    runs[0].job.awaited = &runs[1].job.worked;
    runs[0].job.enough = 500;
    run_ranks(&o, runs, 2, 3000000);
    assert_int_equal(runs[0].status, HZ_OK);
    assert_int_equal(runs[1].status, HZ_OK);
    assert_true(runs[1].job.worked >= 500);
    assert_true(runs[0].job.expected < 3000000);
}

static void a_failing_rank_fails_the_run_with_its_reason(void **state) {
    (void)state;
    office o;
    rank_run runs[MOST_RANKS];
    set_up(&o, runs);
    runs[1].job.open_fails = true;
    run_ranks(&o, runs, 2, 100000);
    assert_int_equal(runs[0].status, HZ_PLAYER);
    assert_non_null(strstr(runs[0].err.message, "rank 1"));
    assert_non_null(strstr(runs[0].err.message, "hands"));
    assert_int_equal(runs[1].status, HZ_OK); /* it was told to stop */
}

static void ranks_of_another_run_are_refused(void **state) {
    (void)state;
    office o;
    rank_run runs[MOST_RANKS];
    set_up(&o, runs);
    runs[1].plan.identity = 1;
    run_ranks(&o, runs, 2, 100000);
    assert_int_equal(runs[0].status, HZ_INVALID_ARGUMENT);
    assert_non_null(strstr(runs[0].err.message, "another run"));
}

static void stopping_reaches_all_ranks(void **state) {
    (void)state;
    office o;
    rank_run runs[MOST_RANKS];
    set_up(&o, runs);
    runs[0].job.stop_at = 100;
    run_ranks(&o, runs, 3, 100000000);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(runs[i].status, HZ_OK);
        assert_int_equal(runs[i].job.opened, runs[i].job.closed);
    }
    assert_int_equal(runs[0].job.expected, 101);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_folded_in_order_by_any_number_of_threads),
        cmocka_unit_test(nothing_to_do_is_done_at_once),
        cmocka_unit_test(stopping_drops_what_is_still_under_way),
        cmocka_unit_test(a_raised_flag_ends_the_run),
        cmocka_unit_test(the_first_failure_is_that_of_the_run),
        cmocka_unit_test(ranks_share_the_work_and_rank_0_folds_it_in_order),
        cmocka_unit_test(the_work_of_a_lost_rank_is_done_by_others),
        cmocka_unit_test(a_rank_that_is_lost_in_the_end_is_known_to_all),
        cmocka_unit_test(a_rank_that_stood_still_is_given_work_again),
        cmocka_unit_test(a_failing_rank_fails_the_run_with_its_reason),
        cmocka_unit_test(ranks_of_another_run_are_refused),
        cmocka_unit_test(stopping_reaches_all_ranks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
