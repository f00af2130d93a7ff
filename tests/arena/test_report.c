/* SPDX-License-Identifier: MIT */
/* Reports: members and their types, a locale with a decimal comma, percentiles, odd names. */
#include <hazard/arena.h>

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arena/latency.h"
#include "arena/locales.h"
#include "arena/text.h"
#include "support/support.h"

static hz_match_run *play(const hz_match_config *config) {
    hz_match_run *run = NULL;
    hz_error err;
    if (hz_match_run_new(config, &run, &err) != HZ_OK || hz_match_run_play(run, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
    return run;
}

static json_t *report_of(const hz_match_run *run) {
    hzi_text text = {0};
    json_error_t why;
    assert_int_equal(hz_match_report_json(hz_match_run_view(run), hzi_text_sink, &text, NULL),
                     HZ_OK);
    assert_int_equal(text.bytes[text.length - 1], '\n');
    assert_null(memchr(text.bytes, '\n', text.length - 1));
    json_t *report = json_loadb(text.bytes, text.length, JSON_REJECT_DUPLICATES, &why);
    if (!report) {
        fail_msg("%s: %.300s", why.text, text.bytes);
    }
    hzi_text_fini(&text);
    return report;
}

static const char *const players[] = {"greedy", "monte-carlo:rollouts=2,plies=2"};

static void a_match_has_the_members_it_must_have(void **state) {
    (void)state;
    static const hz_sprt test = {0.0, 20.0, 0.05, 0.05};
    static const char *const members[] = {"schema",
                                          "kind",
                                          "created",
                                          "program",
                                          "machine",
                                          "a",
                                          "b",
                                          "start",
                                          "seed",
                                          "pairs_cap",
                                          "control",
                                          "games",
                                          "score_percent",
                                          "wins",
                                          "losses",
                                          "draws",
                                          "ends",
                                          "flags",
                                          "illegal",
                                          "pairs",
                                          "sprt",
                                          "resolution",
                                          "elo",
                                          "latency_ms",
                                          "plies",
                                          "nodes_per_turn",
                                          "wall_ms",
                                          "carelessness"};
    hz_match_config config = hz_match_config_default();
    config.players = players;
    config.pairs = 6;
    config.sprt = &test;
    config.rules.carelessness = true;
    hz_match_run *run = play(&config);
    json_t *r = report_of(run);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        test_true(members[i], "member", json_object_get(r, members[i]) != NULL);
    }
    const char *a, *b, *options, *verdict;
    json_int_t n0, n1, n2, n3, n4, total, games, count, white, black, wins;
    double score, llr;
    assert_int_equal(
        json_unpack(r,
                    "{s:{s:s},s:{s:s,s:s,s:n},s:{s:I,s:I,s:I,s:I,s:I,s:I},s:I,s:F,s:{s:F,s:s},"
                    "s:{s:I},s:{s:I,s:I,s:I},s:n}",
                    "a", "name", &a, "b", "name", &b, "options", &options, "model_sha256", "pairs",
                    "n0", &n0, "n1", &n1, "n2", &n2, "n3", &n3, "n4", &n4, "total", &total, "games",
                    &games, "score_percent", &score, "sprt", "llr", &llr, "verdict", &verdict,
                    "latency_ms", "count", &count, "wins", "white", &white, "black", &black,
                    "total", &wins, "control"),
        0);
    assert_string_equal(a, "greedy");
    assert_string_equal(b, "monte-carlo");
    assert_string_equal(options, "rollouts=2,plies=2");
    assert_true(n0 + n1 + n2 + n3 + n4 == total && games == 2 * total && white + black == wins);
    const hz_match_tally *t = &hz_match_run_view(run)->pairings[0].tally;
    assert_int_equal(count, t->sides[0].answers);
    assert_true(fabs(llr - hz_match_run_view(run)->pairings[0].sprt.llr) == 0.0);
    json_decref(r);
    hz_match_run_free(run);
}

static void a_timed_match_says_so(void **state) {
    (void)state;
    hz_match_config config = hz_match_config_default();
    size_t count;
    config.players = players;
    config.pairs = 1;
    assert_int_equal(hz_match_controls_parse("5+0.1", &config.rules.control, 1, &count, NULL),
                     HZ_OK);
    hz_match_run *run = play(&config);
    json_t *r = report_of(run), *control = json_object_get(r, "control");
    assert_string_equal(json_string_value(json_object_get(r, "kind")), "timed_match");
    assert_string_equal(json_string_value(json_object_get(control, "label")), "5+0.1");
    assert_int_equal(json_integer_value(json_object_get(control, "base_ms")), 5000);
    assert_int_equal(json_integer_value(json_object_get(control, "inc_ms")), 100);
    json_decref(r);
    hz_match_run_free(run);
}

/* ---- numbers ---- */

static void check_numbers(void) {
    hzi_text text = {0};
    hz_random random = hz_random_from_seed(test_seed());
    hzi_json_array(&text, NULL);
    hzi_json_double(&text, NULL, 0.1);
    hzi_json_double(&text, NULL, -1.5e300);
    hzi_json_double(&text, NULL, (double)NAN);
    hzi_json_double(&text, NULL, (double)INFINITY);
    hzi_json_double(&text, NULL, 3.0);
    hzi_json_rounded(&text, NULL, 1.0 / 3.0, 3);
    hzi_json_end_array(&text);
    assert_string_equal(text.bytes, "[0.1,-1.5e+300,null,null,3,0.333]");
    for (size_t i = 0; i < test_effort(2000); i++) {
        uint64_t bits = (uint64_t)hz_random_draw(&random, UINT32_MAX) << 32 |
                        hz_random_draw(&random, UINT32_MAX);
        double value;
        memcpy(&value, &bits, sizeof value);
        hzi_text_clear(&text);
        hzi_json_array(&text, NULL);
        hzi_json_double(&text, NULL, value);
        hzi_json_end_array(&text);
        json_error_t why;
        json_t *array = json_loadb(text.bytes, text.length, 0, &why),
               *one = json_array_get(array, 0);
        assert_int_equal(json_array_size(array), 1);
        assert_true(isfinite(value) ? json_number_value(one) == value : json_is_null(one));
        json_decref(array);
    }
    hzi_text_fini(&text);
}

static void numbers_read_back_whatever_the_locale(void **state) {
    (void)state;
    check_numbers();
    test_comma();
    check_numbers();
    test_point();
}

static void any_text_becomes_valid_json(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    for (size_t i = 0; i < test_effort(2000); i++) {
        char value[20];
        size_t length = hz_random_draw(&random, sizeof value);
        hzi_text text = {0};
        json_error_t why;
        for (size_t k = 0; k < length; k++) {
            value[k] = (char)(1 + hz_random_draw(&random, 255));
        }
        value[length] = '\0';
        hzi_json_object(&text, NULL);
        hzi_json_text(&text, value, value);
        hzi_json_end_object(&text);
        json_t *object = json_loadb(text.bytes, text.length, 0, &why);
        assert_non_null(object);
        json_decref(object);
        hzi_text_fini(&text);
    }
}

/* ---- percentiles ---- */

static int ascending(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static double nearest_rank(const uint32_t *sorted, size_t n, double p) {
    return sorted[(size_t)ceil(p / 100.0 * (double)n) - 1] / 1000.0;
}

static void percentiles_are_by_nearest_rank(void **state) {
    (void)state;
    enum { MOST = 3000 };
    static uint32_t values[MOST];
    hz_random random = hz_random_from_seed(test_seed());
    for (size_t round = 0; round < test_effort(60); round++) {
        hz_latency *latency = hzi_latency_new();
        assert_non_null(latency);
        size_t n = 1 + hz_random_draw(&random, round % 2 ? MOST - 1 : 120);
        for (size_t i = 0; i < n; i++) {
            values[i] = hz_random_draw(&random, round % 3 ? 200 : 400000);
            assert_true(hzi_latency_add(latency, values[i]));
        }
        qsort(values, n, sizeof *values, ascending);
        hz_latency_summary s = hzi_latency_summary(latency);
        assert_int_equal(s.count, n);
        assert_true(s.p50 == nearest_rank(values, n, 50));
        assert_true(s.p95 == nearest_rank(values, n, 95));
        assert_true(s.p99 == nearest_rank(values, n, 99));
        assert_true(s.max == values[n - 1] / 1000.0);
        hzi_latency_free(latency);
    }
    hz_latency_summary none = hzi_latency_summary(NULL);
    assert_true(none.count == 0 && isnan(none.p50) && isnan(none.max));
}

/* ---- text ---- */

static void the_text_gives_no_score_without_its_interval(void **state) {
    (void)state;
    hz_match_config config = hz_match_config_default();
    hzi_text text = {0};
    config.players = players;
    config.pairs = 5;
    hz_match_run *run = play(&config);
    assert_int_equal(hz_match_report_text(hz_match_run_view(run), hzi_text_sink, &text, NULL),
                     HZ_OK);
    assert_non_null(strstr(text.bytes, "A greedy\nB monte-carlo:rollouts=2,plies=2\n"));
    assert_non_null(strstr(text.bytes, "% +- "));
    hzi_text_fini(&text);
    hz_match_run_free(run);
}

static bool no_room(void *context, const char *text, size_t length) {
    (void)context, (void)text, (void)length;
    return false;
}

static void a_sink_that_stops_is_an_io_error(void **state) {
    (void)state;
    hz_match_config config = hz_match_config_default();
    hz_error err;
    config.players = players;
    config.pairs = 1;
    hz_match_run *run = play(&config);
    const hz_match_view *view = hz_match_run_view(run);
    assert_int_equal(hz_match_report_json(view, no_room, NULL, &err), HZ_IO);
    assert_int_equal(hz_match_report_text(view, no_room, NULL, &err), HZ_IO);
    hz_match_run_free(run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_match_has_the_members_it_must_have),
        cmocka_unit_test(a_timed_match_says_so),
        cmocka_unit_test(numbers_read_back_whatever_the_locale),
        cmocka_unit_test(any_text_becomes_valid_json),
        cmocka_unit_test(percentiles_are_by_nearest_rank),
        cmocka_unit_test(the_text_gives_no_score_without_its_interval),
        cmocka_unit_test(a_sink_that_stops_is_an_io_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
