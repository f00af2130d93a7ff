/* SPDX-License-Identifier: MIT */
/* The registry: names, order, options, and who closes a bot when. */
#include "bots/asking.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void has_the_six_built_in_bots_in_order(void **state) {
    (void)state;
    static const struct {
        const char *id, *name;
        bool experimental, timed;
    } roster[] = {{"random", "Random", false, false},
                  {"checkmate-aware", "Checkmate Aware", false, false},
                  {"greedy", "Greedy", false, false},
                  {"greedy-v2", "Cautious Greedy", false, false},
                  {"aggressive", "Aggressive", false, false},
                  {"monte-carlo", "Monte-Carlo", true, true}};
    hz_registry *registry = hz_registry_new();
    assert_int_equal(hz_registry_count(registry), 6);
    for (size_t i = 0; i < 6; i++) {
        hz_bot_info info;
        assert_true(hz_registry_info(registry, i, &info));
        assert_string_equal(info.id, roster[i].id);
        assert_string_equal(info.display_name, roster[i].name);
        assert_int_equal(info.level, i + 1);
        assert_int_equal(info.experimental, roster[i].experimental);
        assert_int_equal(info.timed, roster[i].timed);
        assert_true(strlen(info.about) > 0);
    }
    hz_bot_info info;
    assert_false(hz_registry_info(registry, 6, &info));
    hz_registry_free(registry);
}

static void opens_as(hz_registry *registry, const char *text, const char *id) {
    hz_bot bot;
    hz_error err;
    if (hz_registry_open(registry, text, &bot, &err) != HZ_OK) {
        fail_msg("%s: %s", text ? text : "NULL", err.message);
    }
    assert_string_equal(bot.info->id, id);
    hz_bot_close(&bot);
    assert_null(bot.info);
}

static void ids_are_found_without_regard_to_case(void **state) {
    (void)state;
    hz_registry *registry = hz_registry_new();
    opens_as(registry, "GREEDY-V2", "greedy-v2");
    opens_as(registry, "Monte-Carlo:rollouts=7", "monte-carlo");
    opens_as(registry, "checkmate-AWARE", "checkmate-aware");
    hz_registry_free(registry);
}

static void no_name_is_greedy(void **state) {
    (void)state;
    hz_registry *registry = hz_registry_new();
    opens_as(registry, NULL, "greedy");
    opens_as(registry, "", "greedy");
    hz_registry_free(registry);
}

static void an_unknown_id_is_an_error_that_lists_the_known_ones(void **state) {
    (void)state;
    static const char *const unknown[] = {"expectimax", "greed",    "greedyy",         " greedy",
                                          "greedy ",    "\xFF\x01", "greedy-v2,random"};
    hz_registry *registry = hz_registry_new();
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        hz_bot bot = {0};
        hz_error err;
        assert_int_equal(hz_registry_open(registry, unknown[i], &bot, &err), HZ_UNKNOWN_BOT);
        assert_int_equal(err.code, HZ_UNKNOWN_BOT);
        assert_non_null(strstr(
            err.message, "random, checkmate-aware, greedy, greedy-v2, aggressive, monte-carlo"));
        assert_null(bot.info);
        for (const char *c = err.message; *c; c++) {
            assert_true(*c >= ' ' && *c <= '~');
        }
    }
    hz_registry_free(registry);
}

static void a_long_list_of_known_ids_is_cut_visibly(void **state) {
    (void)state;
    hz_registry *registry = hz_registry_new();
    static counting bots[40];
    static char ids[40][40];
    for (int i = 0; i < 40; i++) {
        snprintf(ids[i], sizeof ids[i], "a-rather-long-name-%d", i);
        hz_bot bot = counting_bot(&bots[i], ids[i], 9);
        assert_int_equal(hz_registry_register(registry, &bot, NULL, NULL), HZ_OK);
    }
    char name[600];
    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = '\0';
    hz_bot bot;
    hz_error err;
    assert_int_equal(hz_registry_open(registry, name, &bot, &err), HZ_UNKNOWN_BOT);
    assert_true(strlen(err.message) < sizeof err.message - 1);
    assert_string_equal(err.message + strlen(err.message) - 5, ", ...");
    hz_registry_free(registry);
    for (int i = 0; i < 40; i++) {
        assert_int_equal(bots[i].closed, 1);
    }
}

static void bad_options_are_named_with_their_place(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
        size_t offset;
    } cases[] = {
        {"monte-carlo:rollout=3", "\"rollout\"; it has rollouts, plies", 12},
        {"monte-carlo:rollouts=0", "\"rollouts\" is a number from 1 to 1000000, not \"0\"", 21},
        {"monte-carlo:rollouts=1000001", "not \"1000001\"", 21},
        {"monte-carlo:rollouts=4294967297", "not \"4294967297\"", 21},
        {"monte-carlo:rollouts=99999999999999999999999", "rollouts", 21},
        {"monte-carlo:rollouts=-1", "not \"-1\"", 21},
        {"monte-carlo:rollouts= 3", "not \" 3\"", 21},
        {"monte-carlo:rollouts=", "not \"\"", 21},
        {"monte-carlo:rollouts", "not \"\"", 20},
        {"monte-carlo:plies=3,plies=4", "\"plies\" is given twice", 20},
        {"monte-carlo:plies=3,", "an option name is missing", 20},
        {"monte-carlo:", "an option name is missing", 12},
        {"monte-carlo:=3", "an option name is missing", 12},
        {"monte-carlo:plies=3=4", "not \"3=4\"", 18},
        {"monte-carlo:Plies=3", "\"Plies\"", 12},
        {"greedy:plies=3", "greedy has no option \"plies\"", 7},
        {":plies=3", "the default bot has no option \"plies\"", 1},
    };
    hz_registry *registry = hz_registry_new();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hz_bot bot = {0};
        hz_error err;
        assert_int_equal(hz_registry_open(registry, cases[i].text, &bot, &err), HZ_BAD_OPTION);
        if (!strstr(err.message, cases[i].message)) {
            fail_msg("%s: %s", cases[i].text, err.message);
        }
        test_same_number(cases[i].text, "offset", cases[i].offset, err.offset);
        assert_null(bot.info);
    }
    hz_registry_free(registry);
}

static void options_change_what_the_bot_does(void **state) {
    (void)state;
    const char *dfen = "4k3/8/8/3n4/3N4/8/8/4K3 w - - 0 1 PPN";
    asking ask = asking_new();
    hz_bot bot = asking_open(&ask, "monte-carlo:plies=3,rollouts=4");
    assert_int_equal(asking_choose(&ask, &bot, dfen, 7, NULL)->score, 160135);
    assert_int_equal(ask.random.counter, 540);
    hz_bot_close(&bot);
    bot = asking_open(&ask, "monte-carlo:rollouts=4,plies=0");
    assert_int_equal(asking_choose(&ask, &bot, dfen, 7, NULL)->score, 0);
    hz_bot_close(&bot);
    asking_free(&ask);
}

/* ---- registering ---- */

static void equal_levels_keep_the_order_of_registration(void **state) {
    (void)state;
    static const char *const expected[] = {"random",    "checkmate-aware", "greedy",      "b",  "a",
                                           "greedy-v2", "aggressive",      "monte-carlo", "top"};
    hz_registry *registry = hz_registry_new();
    counting top, b, a;
    memset(&top, 0, sizeof top);
    b = a = top;
    hz_bot bots[] = {counting_bot(&top, "top", 10), counting_bot(&b, "b", 3),
                     counting_bot(&a, "a", 3)};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(hz_registry_register(registry, &bots[i], NULL, NULL), HZ_OK);
    }
    assert_int_equal(hz_registry_count(registry), 9);
    for (size_t i = 0; i < 9; i++) {
        hz_bot_info info;
        assert_true(hz_registry_info(registry, i, &info));
        assert_string_equal(info.id, expected[i]);
    }
    hz_registry_free(registry);
}

static void wrong_bots_are_refused_and_stay_the_callers(void **state) {
    (void)state;
    static const struct {
        const char *id;
        int level;
    } bad[] = {{"", 3},         {"Upper", 3}, {"with blank", 3}, {"a:b", 3},
               {"\xC3\xA4", 3}, {"ok", 0},    {"ok", 11},        {"ok", -1}};
    hz_registry *registry = hz_registry_new();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        counting c = {0};
        hz_bot bot = counting_bot(&c, bad[i].id, bad[i].level);
        hz_registration *handle = NULL;
        hz_error err;
        assert_int_equal(hz_registry_register(registry, &bot, &handle, &err), HZ_INVALID_ARGUMENT);
        assert_true(strlen(err.message) > 0);
        assert_null(handle);
        assert_int_equal(c.closed, 0);
    }
    counting c = {0};
    hz_bot bot = counting_bot(&c, "ok", 3);
    bot.choose = NULL;
    assert_int_equal(hz_registry_register(registry, &bot, NULL, NULL), HZ_INVALID_ARGUMENT);
    bot = counting_bot(&c, "ok", 3);
    c.info.about = NULL;
    assert_int_equal(hz_registry_register(registry, &bot, NULL, NULL), HZ_INVALID_ARGUMENT);
    assert_int_equal(hz_registry_count(registry), 6);
    hz_registry_free(registry);
    assert_int_equal(c.closed, 0);
}

static void closing_a_registration_closes_its_bot_once(void **state) {
    (void)state;
    hz_registry *registry = hz_registry_new();
    counting c = {0};
    hz_bot bot = counting_bot(&c, "mine", 4);
    hz_registration *handle = NULL;
    assert_int_equal(hz_registry_register(registry, &bot, &handle, NULL), HZ_OK);
    opens_as(registry, "MINE", "mine");
    assert_int_equal(c.closed, 0);
    hz_registration_close(handle);
    assert_int_equal(c.closed, 1);
    assert_int_equal(hz_registry_open(registry, "mine", &bot, NULL), HZ_UNKNOWN_BOT);
    hz_registration_close(NULL);
    hz_registry_free(registry);
    assert_int_equal(c.closed, 1);
}

static void a_stale_handle_leaves_its_successor(void **state) {
    (void)state;
    hz_registry *registry = hz_registry_new();
    counting first = {0}, second = {0};
    hz_bot a = counting_bot(&first, "mine", 4), b = counting_bot(&second, "mine", 5);
    hz_registration *stale = NULL, *current = NULL;
    assert_int_equal(hz_registry_register(registry, &a, &stale, NULL), HZ_OK);
    assert_int_equal(hz_registry_register(registry, &b, &current, NULL), HZ_OK);
    assert_int_equal(hz_registry_count(registry), 7);
    assert_true(first.closed == 1 && second.closed == 0);
    hz_registration_close(stale);
    opens_as(registry, "mine", "mine");
    assert_true(first.closed == 1 && second.closed == 0);
    hz_registration_close(current);
    assert_true(first.closed == 1 && second.closed == 1);
    hz_registry_free(registry);
}

static void identity_is_per_registration_not_per_instance(void **state) {
    (void)state;
    hz_registry *registry = hz_registry_new();
    counting c = {0};
    hz_bot bot = counting_bot(&c, "mine", 4);
    hz_registration *first = NULL, *second = NULL;
    assert_int_equal(hz_registry_register(registry, &bot, &first, NULL), HZ_OK);
    assert_int_equal(hz_registry_register(registry, &bot, &second, NULL), HZ_OK);
    assert_int_equal(c.closed, 0); /* replaced by itself */
    hz_registration_close(first);
    assert_int_equal(c.closed, 0);
    opens_as(registry, "mine", "mine");
    hz_registration_close(second);
    assert_int_equal(c.closed, 1);
    assert_int_equal(hz_registry_count(registry), 6);
    hz_registry_free(registry);
    assert_int_equal(c.closed, 1);
}

static void one_instance_under_two_names_is_closed_with_the_last(void **state) {
    (void)state;
    hz_registry *registry = hz_registry_new();
    counting c = {0};
    hz_bot bot = counting_bot(&c, "one", 4);
    hz_bot_info other = c.info;
    other.id = "two";
    hz_bot twin = bot;
    twin.info = &other;
    hz_registration *first = NULL, *second = NULL;
    assert_int_equal(hz_registry_register(registry, &bot, &first, NULL), HZ_OK);
    assert_int_equal(hz_registry_register(registry, &twin, &second, NULL), HZ_OK);
    assert_int_equal(hz_registry_count(registry), 8);
    hz_registration_close(first);
    assert_int_equal(c.closed, 0);
    opens_as(registry, "two", "two");
    hz_registration_close(second);
    assert_int_equal(c.closed, 1);
    hz_registry_free(registry);
}

static void a_built_in_bot_can_be_replaced(void **state) {
    (void)state;
    asking ask = asking_new();
    counting c = {0};
    hz_bot bot = counting_bot(&c, "greedy", 9);
    hz_registration *handle = NULL;
    assert_int_equal(hz_registry_register(ask.registry, &bot, &handle, NULL), HZ_OK);
    assert_int_equal(hz_registry_count(ask.registry), 6);
    hz_bot opened = asking_open(&ask, NULL); /* the default is the id, whoever has it */
    asking_choose(&ask, &opened, "4k3/8/8/8/8/8/8/4K3 w - - 0 1 KKK", 1, NULL);
    assert_int_equal(c.asked, 1);
    hz_bot_close(&opened);
    hz_registration_close(handle);
    assert_int_equal(hz_registry_open(ask.registry, NULL, &opened, NULL), HZ_UNKNOWN_BOT);
    assert_int_equal(c.closed, 1);
    asking_free(&ask);
}

/* ---- opened bots ---- */

static void an_opened_bot_outlives_its_registration(void **state) {
    (void)state;
    asking ask = asking_new();
    counting first = {0}, second = {0};
    hz_bot a = counting_bot(&first, "mine", 4), b = counting_bot(&second, "mine", 4);
    hz_registration *handle = NULL;
    assert_int_equal(hz_registry_register(ask.registry, &a, NULL, NULL), HZ_OK);
    hz_bot game = asking_open(&ask, "mine"), other = asking_open(&ask, "mine");
    assert_int_equal(hz_registry_register(ask.registry, &b, &handle, NULL), HZ_OK);
    /* Replaced, but two games still play with it. */
    const char *dfen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1 KKK";
    assert_int_equal(asking_choose(&ask, &game, dfen, 1, NULL)->score, 4711);
    assert_string_equal(game.info->display_name, "Counting");
    assert_true(first.asked == 1 && first.closed == 0 && second.asked == 0);
    hz_bot_close(&game);
    assert_int_equal(first.closed, 0);
    bool yes;
    first.yes = true;
    assert_int_equal(
        hz_bot_decide(&other, HZ_OFFER_DRAW, &ask.position, HZ_WHITE, &ask.random, &yes, NULL),
        HZ_OK);
    assert_true(yes);
    hz_bot_close(&other);
    assert_true(first.closed == 1 && second.closed == 0);
    hz_bot_close(&other); /* zeroed: nothing to close */
    assert_int_equal(first.closed, 1);
    hz_registration_close(handle);
    asking_free(&ask);
    assert_int_equal(second.closed, 1);
}

static void handles_and_opened_bots_may_outlive_the_registry(void **state) {
    (void)state;
    hz_registry *registry = hz_registry_new();
    counting held = {0}, free_one = {0};
    hz_bot a = counting_bot(&held, "held", 4), b = counting_bot(&free_one, "free", 4);
    hz_registration *first = NULL, *second = NULL;
    hz_bot opened;
    assert_int_equal(hz_registry_register(registry, &a, &first, NULL), HZ_OK);
    assert_int_equal(hz_registry_register(registry, &b, &second, NULL), HZ_OK);
    assert_int_equal(hz_registry_open(registry, "held", &opened, NULL), HZ_OK);
    hz_registry_free(registry);
    assert_true(held.closed == 0 && free_one.closed == 1);
    hz_registration_close(first);
    assert_int_equal(held.closed, 0);
    hz_bot_close(&opened);
    assert_int_equal(held.closed, 1);
    hz_registration_close(second);
    assert_true(held.closed == 1 && free_one.closed == 1);
    hz_registry_free(NULL);
    hz_bot_close(NULL);
}

/* ---- threads ---- */

enum { THREADS = 4, ROUNDS = 300 };

typedef struct worker {
    hz_registry *registry;
    int id;
    int *closed; /* shared */
} worker;

static hz_status pass_choose(void *state, const hz_bot_request *request, hz_bot_answer *answer,
                             hz_error *err) {
    (void)state, (void)request, (void)err;
    answer->pass = true;
    return HZ_OK;
}

/* A second close of the same bot would free it twice, which a sanitizer sees. */
static void close_fought_over(void *state) {
    int **closed = state;
    __atomic_fetch_add(*closed, 1, __ATOMIC_RELAXED);
    free(state);
}

/* Registers under a name that all threads fight for, opens whatever has it, closes both. */
static void *churn(void *context) {
    worker *w = context;
    static const hz_bot_info info = {"fought-over", "Fought over", "one of several", 7,
                                     true,          false};
    for (int i = 0; i < ROUNDS; i++) {
        int **own = malloc(sizeof *own);
        if (!own) {
            return NULL;
        }
        *own = w->closed;
        hz_bot bot = {
            .info = &info, .state = own, .choose = pass_choose, .close = close_fought_over};
        hz_registration *handle = NULL;
        hz_bot opened = {0};
        hz_bot_info seen;
        if (hz_registry_register(w->registry, &bot, &handle, NULL) != HZ_OK) {
            return NULL;
        }
        hz_registry_open(w->registry, (i + w->id) % 2 ? "fought-over" : "greedy", &opened, NULL);
        hz_registry_info(w->registry, 6, &seen);
        hz_registration_close(handle);
        hz_bot_close(&opened);
    }
    return w;
}

static void threads_share_a_registry_and_each_bot_is_closed_once(void **state) {
    (void)state;
    hz_registry *registry = hz_registry_new();
    int closed = 0;
    worker workers[THREADS];
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (worker){.registry = registry, .id = i, .closed = &closed};
        assert_int_equal(pthread_create(&threads[i], NULL, churn, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        void *done = NULL;
        pthread_join(threads[i], &done);
        assert_ptr_equal(done, &workers[i]);
    }
    assert_int_equal(hz_registry_count(registry), 6);
    assert_int_equal(closed, THREADS * ROUNDS);
    hz_registry_free(registry);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_the_six_built_in_bots_in_order),
        cmocka_unit_test(ids_are_found_without_regard_to_case),
        cmocka_unit_test(no_name_is_greedy),
        cmocka_unit_test(an_unknown_id_is_an_error_that_lists_the_known_ones),
        cmocka_unit_test(a_long_list_of_known_ids_is_cut_visibly),
        cmocka_unit_test(bad_options_are_named_with_their_place),
        cmocka_unit_test(options_change_what_the_bot_does),
        cmocka_unit_test(equal_levels_keep_the_order_of_registration),
        cmocka_unit_test(wrong_bots_are_refused_and_stay_the_callers),
        cmocka_unit_test(closing_a_registration_closes_its_bot_once),
        cmocka_unit_test(a_stale_handle_leaves_its_successor),
        cmocka_unit_test(identity_is_per_registration_not_per_instance),
        cmocka_unit_test(one_instance_under_two_names_is_closed_with_the_last),
        cmocka_unit_test(a_built_in_bot_can_be_replaced),
        cmocka_unit_test(an_opened_bot_outlives_its_registration),
        cmocka_unit_test(handles_and_opened_bots_may_outlive_the_registry),
        cmocka_unit_test(threads_share_a_registry_and_each_bot_is_closed_once),
    };
    return cmocka_run_group_tests_name("bots registry", tests, NULL, NULL);
}
