/* SPDX-License-Identifier: MIT */
/*
 * A bot that is not asked burns no processor time: its handles, and the threads of its search, sleep
 * between calls. Measured as the processor time of this process while it does nothing.
 */
#include "bots/asking.h"
#include "bots/models.h"

#include <time.h>

#define WIDE "4k3/8/8/8/8/8/PPP5/4KN2 w - - 0 1 PNK"

enum { IDLE_MS = 2000, MOST_IDLE_MS = 40, NS_PER_MS = 1000000 };

/* The leak sanitizer asks this by name. ONNX Runtime keeps a few bytes as long as the process. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libonnxruntime\n";
}

/* Processor time of all threads of this process so far. */
static int64_t processor_ms(void) {
    struct timespec t;
    assert_int_equal(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t), 0);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / NS_PER_MS;
}

static int64_t processor_ms_of_a_sleep(int64_t ms) {
    struct timespec left = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * NS_PER_MS};
    int64_t before = processor_ms();
    while (nanosleep(&left, &left) != 0) {
    }
    return processor_ms() - before;
}

/* Opens a bot with three threads, asks it twice, and looks what it costs to have it. */
static void check_idle(const char *executor) {
    char text[FOLDER_PATH + 64];
    forest trees;
    forest_make(&trees);
    asking ask = asking_new();
    assert_int_equal(hz_registry_register_kinds(ask.registry, NULL), HZ_OK);
    snprintf(text, sizeof text, "onnx-expectimax:model=%s,executor=%s,threads=3", trees.value,
             executor);
    hz_bot bot = asking_open(&ask, text);
    for (uint64_t seed = 0; seed < 2; seed++) {
        assert_false(asking_choose(&ask, &bot, WIDE, seed, NULL)->pass);
    }
    int64_t burned = processor_ms_of_a_sleep(IDLE_MS);
    if (burned > MOST_IDLE_MS) {
        fail_msg("%lld ms of processor time in %d ms without a question", (long long)burned,
                 IDLE_MS);
    }
    hz_bot_close(&bot);
    asking_free(&ask);
    forest_remove(&trees);
}

static void a_builtin_handle_sleeps_between_questions(void **state) {
    (void)state;
    check_idle("builtin");
}

static void a_handle_of_onnx_runtime_sleeps_between_questions(void **state) {
    (void)state;
    const hz_executor *executor;
    if (hz_executor_onnxruntime(&executor, NULL, NULL, NULL) != HZ_OK) {
        test_leave_out("no ONNX Runtime here");
    }
    check_idle("onnxruntime");
}

static void work_shows_in_the_measure(void **state) {
    (void)state;
    int64_t before = processor_ms();
    while (processor_ms() - before < 2 * MOST_IDLE_MS) {
    }
    assert_true(processor_ms() - before > MOST_IDLE_MS);
    assert_in_range(processor_ms_of_a_sleep(10), 0, MOST_IDLE_MS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_builtin_handle_sleeps_between_questions),
        cmocka_unit_test(a_handle_of_onnx_runtime_sleeps_between_questions),
        cmocka_unit_test(work_shows_in_the_measure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
