/* SPDX-License-Identifier: MIT */
/* The conformance client against the reference server: one that keeps everything, and one that
 * breaks a lot. Each broken promise by itself is in tests/e2e. */
#include "arena/conform.h"

#include <stdlib.h>
#include <string.h>

#include "arena/servers.h"

static const char key[] = "three-dice-and-a-board", next_key[] = "a-fourth-die";

typedef struct seen {
    unsigned by_number[32][3];
    unsigned stop_after, count;
    test_text failures;
} seen;

static bool visit(void *context, const hzi_check *check) {
    seen *s = context;
    assert_in_range(check->number, 1, 22);
    assert_true(check->name[0] != '\0');
    assert_int_equal(check->verdict == HZI_CHECK_PASSED, check->reason[0] == '\0');
    s->by_number[check->number][check->verdict]++;
    if (check->verdict == HZI_CHECK_FAILED) {
        test_text_word(&s->failures, check->name);
        test_text_add(&s->failures, ":");
        test_text_word(&s->failures, check->reason);
    }
    return ++s->count != s->stop_after;
}

static hzi_conform_options options_for(const test_server *server, seen *s) {
    return (hzi_conform_options){.url = server->url,
                                 .key = key,
                                 .next_key = next_key,
                                 .max_concurrent = 3,
                                 .clock_margin_s = 3,
                                 .timeout_ms = 20000,
                                 .visit = visit,
                                 .context = s};
}

static void conforming_server_fails_no_check(void **state) {
    (void)state;
    test_server server;
    seen s = {0};
    hzi_conform_counts counts;
    hz_error err;
    test_server_start(&server, "--think 600 --max-concurrent 3 --break no-rules");
    hzi_conform_options options = options_for(&server, &s);
    hz_status status = hzi_conform_run(&options, &counts, &err);
    test_server_stop(&server);
    test_same_text("conforming server", "failures", "", test_text_get(&s.failures));
    assert_int_equal(status, HZ_OK);
    assert_int_equal(counts.failed, 0);
    /* No rules: null and missing trees are left out, as it says itself. */
    assert_int_equal(counts.skipped, 2);
    assert_int_equal(s.by_number[8][HZI_CHECK_SKIPPED], 2);
    for (int number = 1; number <= 22; number++) {
        test_true("number", "was checked", s.by_number[number][HZI_CHECK_PASSED] > 0);
    }
    test_text_free(&s.failures);
}

static void broken_promises_are_found(void **state) {
    (void)state;
    test_server server;
    seen s = {0};
    hzi_conform_counts counts;
    hz_error err;
    test_server_start(&server, "--break no-rules --break accept-upper --break any-nonce "
                               "--break no-cache --break any-type");
    hzi_conform_options options = options_for(&server, &s);
    options.max_concurrent = 0;
    assert_int_equal(hzi_conform_run(&options, &counts, &err), HZ_OK);
    test_server_stop(&server);
    assert_int_equal(s.by_number[3][HZI_CHECK_FAILED], 1);
    assert_int_equal(s.by_number[6][HZI_CHECK_FAILED], 4);
    assert_int_equal(s.by_number[11][HZI_CHECK_FAILED], 1);
    assert_int_equal(s.by_number[12][HZI_CHECK_FAILED], 4);
    assert_int_equal(s.by_number[18][HZI_CHECK_FAILED], 1);
    assert_int_equal(s.by_number[20][HZI_CHECK_SKIPPED], 1);
    assert_int_equal(counts.failed, 11);
    test_text_free(&s.failures);
}

static void visitor_and_flag_stop_it(void **state) {
    (void)state;
    test_server server;
    seen s = {.stop_after = 3};
    hzi_conform_counts counts;
    hz_error err;
    hz_cancel cancel = {0};
    test_server_start(&server, "--break no-rules");
    hzi_conform_options options = options_for(&server, &s);
    assert_int_equal(hzi_conform_run(&options, &counts, &err), HZ_INCOMPLETE);
    assert_int_equal(s.count, 3);
    options.cancel = &cancel;
    hz_cancel_request(&cancel);
    assert_int_equal(hzi_conform_run(&options, &counts, &err), HZ_CANCELLED);
    assert_int_equal(s.count, 3);
    test_server_stop(&server);
    test_text_free(&s.failures);
}

static void nobody_there_is_an_error_and_no_verdict(void **state) {
    (void)state;
    seen s = {0};
    hzi_conform_counts counts;
    hz_error err;
    /* Port 1 of the loopback interface is nobody's. */
    hzi_conform_options options = {.url = "http://127.0.0.1:1/",
                                   .key = key,
                                   .timeout_ms = 1000,
                                   .visit = visit,
                                   .context = &s};
    assert_int_equal(hzi_conform_run(&options, &counts, &err), HZ_IO);
    options.url = "ftp://127.0.0.1/";
    assert_int_equal(hzi_conform_run(&options, &counts, &err), HZ_INVALID_ARGUMENT);
    options.url = "http://me:secret@127.0.0.1/";
    assert_int_equal(hzi_conform_run(&options, &counts, &err), HZ_INVALID_ARGUMENT);
    assert_null(strstr(err.message, "secret"));
    assert_int_equal(s.count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conforming_server_fails_no_check),
        cmocka_unit_test(broken_promises_are_found),
        cmocka_unit_test(visitor_and_flag_stop_it),
        cmocka_unit_test(nobody_there_is_an_error_and_no_verdict),
    };
    (void)setenv("DICECHESS_WEBHOOK_SECRET", key, 1);
    (void)setenv("DICECHESS_WEBHOOK_NEXT_SECRET", next_key, 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
