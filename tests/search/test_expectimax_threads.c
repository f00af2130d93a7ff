/* SPDX-License-Identifier: MIT */
/*
 * Expectimax over several threads: the answer, every counter and every reading of the clock are
 * those of one thread. Judges are functions of the positions they get, also in failing, so that it
 * does not matter who asks.
 */
#include "search/searching.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

/* ---- judges that any thread may ask ---- */

typedef struct shared_judge {
    score_function score;
    int32_t number;
    uint64_t fails_below; /* a batch whose first position's mixed key is below this fails */
} shared_judge;

static hz_status score_shared(void *state, const hz_position *positions, size_t n, hz_color color,
                              int32_t *scores, size_t *done, hz_error *err) {
    const shared_judge *judge = state;
    if (hz_random_mix(positions[0].key) < judge->fails_below) {
        *done = 0;
        return hz_fail(err, HZ_MODEL_RUN, HZ_NO_OFFSET, "made to fail");
    }
    for (size_t i = 0; i < n; i++) {
        scores[i] = judge->score(&positions[i], color, judge->number);
    }
    *done = n;
    return HZ_OK;
}

static hz_judge seam_of(shared_judge *judge) {
    return (hz_judge){.state = judge, .score_batch = score_shared};
}

/* ---- comparisons ---- */

static void compare_threads(const char *dfen, hz_expectimax_config *c, uint64_t seed,
                            bool counts_clock) {
    asked alone, together;
    counting_clock clock;
    hz_deadline deadline = counting_deadline(&clock, SIZE_MAX);
    c->threads = 1;
    if (c->table) {
        hz_table_clear(c->table);
    }
    ask_with(dfen, c, seed, counts_clock ? &deadline : NULL, &alone);
    size_t reads = clock.reads;
    for (unsigned threads = 2; threads <= 4; threads++) {
        c->threads = threads;
        clock.reads = 0;
        hz_table_counters before = {0}, after = {0};
        if (c->table) {
            before = hz_table_counters_get(c->table);
            hz_table_clear(c->table);
        }
        ask_with(dfen, c, seed, counts_clock ? &deadline : NULL, &together);
        same_answer(dfen, &alone, &together);
        test_same_number(dfen, "readings", reads, clock.reads);
        if (c->table) {
            after = hz_table_counters_get(c->table);
            test_true(dfen, "the same use of the table",
                      before.hits == after.hits && before.misses == after.misses &&
                          before.stores == after.stores && before.overwrites == after.overwrites);
        }
        asked_fini(&together);
    }
    asked_fini(&alone);
}

static void threads_change_nothing_at_depth_two(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed());
    hz_table *table = NULL;
    assert_int_equal(hz_table_new(64, &table, NULL), HZ_OK);
    for (size_t n = test_effort(40); n > 0; n--) {
        char dfen[REF_DFEN_CAPACITY];
        quick_position(&random, dfen);
        shared_judge leaf = {.score = ref_random_chance(&random, 50) ? by_aggression : by_hash,
                             .number = 1500};
        shared_judge rescorer = {.score = by_hash, .number = 3000};
        hz_expectimax_config c =
            config_of(seam_of(&leaf), 1 + (int64_t)ref_random_below(&random, 8), 2);
        c.no_pruning = ref_random_chance(&random, 15);
        c.table = ref_random_chance(&random, 30) ? table : NULL;
        c.exact_only = ref_random_chance(&random, 50);
        if (ref_random_chance(&random, 30)) {
            c.rescore = seam_of(&rescorer);
            c.rescore_weight = ref_random_chance(&random, 30) ? 1.0 : 0.5;
        }
        if (ref_random_chance(&random, 30)) {
            leaf.fails_below = UINT64_MAX / 200;
        }
        compare_threads(dfen, &c, n, ref_random_chance(&random, 50));
    }
    hz_table_free(table);
}

/* The library's own material evaluator is answered from bitboards, and its probes are whole rolls. */
static void threads_change_nothing_with_material(void **state) {
    (void)state;
    hz_evaluator material;
    assert_int_equal(hz_evaluator_static("material", &material, NULL), HZ_OK);
    ref_random random = ref_random_from_seed(test_seed());
    for (size_t n = test_effort(40); n > 0; n--) {
        char dfen[REF_DFEN_CAPACITY];
        quick_position(&random, dfen);
        hz_expectimax_config c =
            config_of(hz_judge_evaluator(&material), 1 + (int64_t)ref_random_below(&random, 8), 2);
        c.no_pruning = ref_random_chance(&random, 15);
        compare_threads(dfen, &c, n, ref_random_chance(&random, 50));
    }
    hz_expectimax_config c = config_of(hz_judge_evaluator(&material), 3, 3);
    compare_threads("7k/8/8/b7/8/8/5P2/4K3 w - - 0 1 NBK", &c, 1, false);
}

static void threads_change_nothing_at_depth_three(void **state) {
    (void)state;
    static const char *const positions[] = {
        "7k/8/8/b7/8/8/5P2/4K3 w - - 0 1 NBK", "8/8/4k3/8/2p5/8/1P6/4K3 b - - 0 1 pk",
        "8/1P5k/8/8/8/8/6p1/K7 w - - 0 1 PK", "6k1/5p2/8/8/2N5/8/5P2/6K1 b - - 3 9 kp"};
    hz_table *table = NULL;
    assert_int_equal(hz_table_new(1 << 12, &table, NULL), HZ_OK);
    for (size_t p = 0; p < sizeof positions / sizeof *positions; p++) {
        shared_judge leaf = {.score = by_hash, .number = 2000};
        hz_expectimax_config c = config_of(seam_of(&leaf), 3, 3);
        compare_threads(positions[p], &c, p, false);
        compare_threads(positions[p], &c, p, true);
        c.table = table;
        compare_threads(positions[p], &c, p, false);
        c.table = NULL;
        leaf.fails_below = UINT64_MAX / 20000;
        compare_threads(positions[p], &c, p, false);
    }
    hz_table_free(table);
}

static void many_candidates_are_shared_in_part(void **state) {
    (void)state;
    /* More candidates than threads keep tasks for, and no king to take. */
    const char *dfen = "8/pp6/8/8/8/8/5QQQ/K4QQQ w - - 0 1 QQ";
    shared_judge leaf = {.score = by_material};
    hz_expectimax_config c = config_of(seam_of(&leaf), 560, 2);
    asked alone, together;
    ask_with(dfen, &c, 1, NULL, &alone);
    c.threads = 3;
    ask_with(dfen, &c, 1, NULL, &together);
    same_answer(dfen, &alone, &together);
    assert_int_equal(alone.answer.candidate_count, 560);
    asked_fini(&alone);
    asked_fini(&together);
}

static void a_deadline_at_any_reading_is_answered_as_by_one_thread(void **state) {
    (void)state;
    shared_judge leaf = {.score = by_aggression};
    hz_expectimax_config c = config_of(seam_of(&leaf), 4, 2);
    size_t step = 400 / test_effort(40) + 1;
    for (size_t at = 0; at < 400; at += step) {
        counting_clock clock;
        hz_deadline deadline = counting_deadline(&clock, at);
        asked alone, together;
        c.threads = 1;
        ask_with(GRAB, &c, 1, &deadline, &alone);
        size_t reads = clock.reads;
        c.threads = 3;
        deadline = counting_deadline(&clock, at);
        ask_with(GRAB, &c, 1, &deadline, &together);
        same_answer(GRAB, &alone, &together);
        test_same_number(GRAB, "readings", reads, clock.reads);
        asked_fini(&alone);
        asked_fini(&together);
    }
}

/* ---- a judge a thread ---- */

enum { WORKERS = 3 };

typedef struct worker_judge {
    shared_judge judge;
    atomic_int inside;
    atomic_bool doubled;
    size_t calls;
} worker_judge;

static hz_status score_alone(void *state, const hz_position *positions, size_t n, hz_color color,
                             int32_t *scores, size_t *done, hz_error *err) {
    worker_judge *own = state;
    if (atomic_fetch_add(&own->inside, 1) != 0) {
        atomic_store(&own->doubled, true);
    }
    own->calls++; /* a race here is what the thread sanitizer would find */
    hz_status status = score_shared(&own->judge, positions, n, color, scores, done, err);
    atomic_fetch_sub(&own->inside, 1);
    return status;
}

static hz_judge judge_of_worker(void *context, unsigned worker) {
    worker_judge *all = context;
    return (hz_judge){.state = &all[worker], .score_batch = score_alone};
}

static hz_judge no_judge(void *context, unsigned worker) {
    (void)context;
    (void)worker;
    return (hz_judge){0};
}

static void each_thread_asks_its_own_judge(void **state) {
    (void)state;
    worker_judge judges[WORKERS];
    memset(judges, 0, sizeof judges);
    for (size_t i = 0; i < WORKERS; i++) {
        judges[i].judge.score = by_aggression;
    }
    shared_judge leaf = {.score = by_aggression};
    hz_expectimax_config c = config_of(seam_of(&leaf), 6, 2);
    asked alone, together;
    ask_with(OPENING, &c, 1, NULL, &alone);
    c.threads = WORKERS;
    c.leaf_of_thread = judge_of_worker;
    c.leaf_context = judges;
    ask_with(OPENING, &c, 1, NULL, &together);
    same_answer(OPENING, &alone, &together);
    size_t calls = 0;
    for (size_t i = 0; i < WORKERS; i++) {
        assert_false(atomic_load(&judges[i].doubled));
        calls += judges[i].calls;
    }
    assert_true(calls >= together.answer.leaf_batches);
    assert_true(judges[0].calls > 0);
    asked_fini(&alone);
    asked_fini(&together);
    hz_expectimax *search = NULL;
    c.leaf_of_thread = no_judge;
    assert_int_equal(hz_expectimax_new(&c, &search, NULL), HZ_INVALID_ARGUMENT);
    assert_null(search);
}

/* ---- stopping from outside ---- */

static void *raise_soon(void *context) {
    const struct timespec little = {.tv_nsec = 30000000};
    (void)nanosleep(&little, NULL);
    hz_cancel_request(context);
    return NULL;
}

static void a_flag_raised_by_another_thread_ends_the_search(void **state) {
    (void)state;
    /* Depth 3 of a middle game would take minutes. */
    for (unsigned threads = 1; threads <= 3; threads += 2) {
        shared_judge leaf = {.score = by_material};
        hz_expectimax_config c = config_of(seam_of(&leaf), 8, 3);
        c.threads = threads;
        hz_cancel cancel = {0};
        hz_deadline deadline = hz_deadline_none();
        deadline.cancel = &cancel;
        pthread_t raiser;
        assert_int_equal(pthread_create(&raiser, NULL, raise_soon, &cancel), 0);
        asked a;
        ask_with(OPENING, &c, 1, &deadline, &a);
        assert_int_equal(pthread_join(raiser, NULL), 0);
        assert_int_equal(a.record.candidates_abandoned, 1);
        assert_true(hz_root_stats_fell_back(&a.record));
        asked_fini(&a);
    }
}

static void a_real_deadline_ends_the_search(void **state) {
    (void)state;
    shared_judge leaf = {.score = by_material};
    hz_expectimax_config c = config_of(seam_of(&leaf), 8, 3);
    c.threads = 3;
    hz_deadline deadline = hz_deadline_in_ms(30);
    asked a;
    ask_with(OPENING, &c, 1, &deadline, &a);
    assert_int_equal(a.record.candidates_abandoned, 1);
    asked_fini(&a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_change_nothing_at_depth_two),
        cmocka_unit_test(threads_change_nothing_with_material),
        cmocka_unit_test(threads_change_nothing_at_depth_three),
        cmocka_unit_test(many_candidates_are_shared_in_part),
        cmocka_unit_test(a_deadline_at_any_reading_is_answered_as_by_one_thread),
        cmocka_unit_test(each_thread_asks_its_own_judge),
        cmocka_unit_test(a_flag_raised_by_another_thread_ends_the_search),
        cmocka_unit_test(a_real_deadline_ends_the_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
