/* SPDX-License-Identifier: MIT */
/* The line protocol without input and output: envelope, hostile lines, limits. The results of the
 * queries are tested end to end (tests/e2e). */
#include "cli/query.h"

#include <jansson.h>
#include <string.h>

#include "cli/sink.h"

static const char *answer_bytes(hzc_session *session, const char *line, size_t length,
                                test_text *kept) {
    hzc_out out;
    test_sink_init(&out, kept);
    assert_true(hzc_query_line(session, line, length, &out));
    assert_true(hzc_out_flush(&out));
    const char *text = test_text_get(kept);
    assert_int_equal(text[strlen(text) - 1], '\n');
    assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
    return text;
}

/* Asks and compares the code of the error, "" for a result. */
static void expect_code(hzc_session *session, const char *line, size_t length, const char *code) {
    test_text kept = {0};
    const char *text = answer_bytes(session, line, length, &kept);
    json_t *reply = json_loads(text, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, NULL);
    test_true(text, "is a JSON object", json_is_object(reply));
    const char *got = json_string_value(json_object_get(json_object_get(reply, "error"), "code"));
    test_same_text(line, "code", code, got ? got : "");
    assert_true((got != NULL) != (json_object_get(reply, "result") != NULL));
    json_decref(reply);
    test_text_free(&kept);
}

static void expect_reply(hzc_session *session, const char *line, const char *reply) {
    test_text kept = {0};
    const char *text = answer_bytes(session, line, strlen(line), &kept);
    test_same_text(line, "reply", reply, text);
    test_text_free(&kept);
}

#define KINGS "\"dfen\":\"4k3/8/8/8/8/8/8/4K3 w - - 0 1\""

static int open_session(void **state) {
    *state = hzc_session_new(NULL);
    return *state ? 0 : -1;
}

static int close_session(void **state) {
    hzc_session_free(*state);
    return 0;
}

static void id_comes_back_as_it_was_written(void **state) {
    static const char *const ids[] = {"1",
                                      "-0.0",
                                      "1e2",
                                      "0.1",
                                      "18446744073709551616",
                                      "123456789012345678901234567890",
                                      "\"a\\u0062 \\ud83c\\udfb2\"",
                                      "\"\\u0000\"",
                                      "null",
                                      "true",
                                      "[1, {\"id\":[2]},\t\"]}\" ]",
                                      "{\"query\":1,\"id\":\"x\"}",
                                      "\"\xE2\x99\x94\""};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        char line[256], reply[256];
        (void)snprintf(line, sizeof line, "{\"query\":\"status\", \"id\" : %s ," KINGS "}", ids[i]);
        (void)snprintf(reply, sizeof reply,
                       "{\"id\":%s,\"result\":{\"over\":false,\"winner\":null}}\n", ids[i]);
        expect_reply(*state, line, reply);
        (void)snprintf(line, sizeof line, "{" KINGS ",\"query\":\"status\",\"\\u0069d\":%s}",
                       ids[i]);
        expect_reply(*state, line, reply);
    }
}

static void lines_that_are_no_query_are_answered(void **state) {
    static const struct {
        const char *line, *code;
    } lines[] = {
        {"", "JSON"},
        {" ", "JSON"},
        {"x", "JSON"},
        {"{", "JSON"},
        {"}", "JSON"},
        {"{\"id\":1", "JSON"},
        {"{\"id\":1}x", "JSON"},
        {"{\"id\":1}{\"id\":2}", "JSON"},
        {"{'id':1}", "JSON"},
        {"{\"id\":01}", "JSON"},
        {"{\"id\":1e999}", "JSON"},
        {"{\"id\":\"\\ud800\"}", "JSON"},
        {"{\"id\":NaN}", "JSON"},
        {"{\"id\":1,\"id\":2}", "JSON"},
        {"{\"id\":1,\"\\u0069d\":2}", "JSON"},
        {"{\"query\":\"status\",\"query\":\"status\"," KINGS "}", "JSON"},
        {"{\"id\":{\"a\":1,\"a\":1},\"query\":\"status\"," KINGS "}", "JSON"},
        {"{\"id\":\"\xFF\"}", "JSON"},
        {"{\"\xC0\x80\":1}", "JSON"},
        {"{\"a\\u0000\":1}", "JSON"},
        {"\"", "JSON"},
        {"\"\\", "JSON"},
        {"[]", "QUERY_FORM"},
        {"1", "QUERY_FORM"},
        {"null", "QUERY_FORM"},
        {"\"status\"", "QUERY_FORM"},
        {"{}", "QUERY_FORM"},
        {"{\"query\":1," KINGS "}", "QUERY_FORM"},
        {"{\"query\":null," KINGS "}", "QUERY_FORM"},
        {"{\"query\":\"status\\u0000\"," KINGS "}", "QUERY_FORM"},
        {"{\"query\":\"status\"}", "QUERY_FORM"},
        {"{\"query\":\"status\",\"dfen\":7}", "QUERY_FORM"},
        {"{\"query\":\"status\",\"dfen\":null}", "QUERY_FORM"},
        {"{\"query\":\"status\"," KINGS ",\"x\":1}", "QUERY_FORM"},
        {"{\"query\":\"status\"," KINGS ",\"depth\":1}", "QUERY_FORM"},
        {"{\"query\":\"status\"," KINGS ",\"Id\":1}", "QUERY_FORM"},
        {"{\"query\":\"status\"," KINGS ",\"\":1}", "QUERY_FORM"},
        {"{\"query\":\"Status\"," KINGS "}", "UNKNOWN_QUERY"},
        {"{\"query\":\"\"," KINGS "}", "UNKNOWN_QUERY"},
        {"{\"query\":\"status\",\"dfen\":\"\"}", "FIELD_COUNT"},
        {"{\"query\":\"status\",\"dfen\":\"8/8/8/8/8/8/8/\\u00008 w - - 0 1\"}", "BOARD_CHAR"},
        {" \t{\"query\":\"status\", " KINGS " }\r", ""},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        expect_code(*state, lines[i].line, strlen(lines[i].line), lines[i].code);
    }
}

static void nul_bytes_are_only_bad_json(void **state) {
    static const char after[] = "{\"query\":\"status\"," KINGS "}\0";
    static const char inside[] = "{\"query\":\"sta\0tus\"," KINGS "}";
    static const char only[4] = {0};
    expect_code(*state, after, sizeof after - 1, "JSON");
    expect_code(*state, inside, sizeof inside - 1, "JSON");
    expect_code(*state, only, sizeof only, "JSON");
}

static void nesting_beyond_the_limit_is_refused_before_it_is_parsed(void **state) {
    static char line[HZC_QUERY_LINE_MAX];
    for (int depth = HZC_QUERY_DEPTH_MAX - 1; depth <= HZC_QUERY_DEPTH_MAX; depth++) {
        size_t n = (size_t)snprintf(line, sizeof line, "{\"query\":\"status\"," KINGS ",\"id\":");
        for (int i = 0; i < depth; i++) {
            line[n++] = '[';
        }
        for (int i = 0; i < depth; i++) {
            line[n++] = ']';
        }
        line[n++] = '}';
        line[n] = '\0';
        expect_code(*state, line, n, depth < HZC_QUERY_DEPTH_MAX ? "" : "JSON");
    }
    memset(line, '[', sizeof line);
    expect_code(*state, line, sizeof line, "JSON");
    memset(line, '{', sizeof line);
    expect_code(*state, line, sizeof line, "JSON");
}

static void brackets_inside_texts_do_not_nest(void **state) {
    char line[600] = "{\"query\":\"status\"," KINGS ",\"id\":\"";
    char *end = line + strlen(line);
    for (int i = 0; i < 100; i++) {
        *end++ = i % 2 ? '[' : '{';
    }
    memcpy(end, "\\\"[[\\\\\"}", 9);
    expect_code(*state, line, strlen(line), "");
}

static void line_of_the_largest_length_is_read(void **state) {
    static char line[HZC_QUERY_LINE_MAX + 2];
    memset(line, ' ', sizeof line);
    static const char query[] = "{\"query\":\"status\"," KINGS "}";
    memcpy(line, query, sizeof query - 1);
    expect_code(*state, line, HZC_QUERY_LINE_MAX, "");
    expect_code(*state, line, HZC_QUERY_LINE_MAX + 1, "JSON");
}

static void fields_of_wrong_type_or_range_are_named(void **state) {
    static const struct {
        const char *query, *field, *value;
    } fields[] = {
        {"perft", "depth", "-1"},
        {"perft", "depth", "65"},
        {"perft", "depth", "1.5"},
        {"perft", "depth", "1e300"},
        {"perft", "depth", "9223372036854775808"},
        {"perft", "depth", "\"1\""},
        {"perft", "depth", "null"},
        {"perft", "depth", "true"},
        {"perft", "depth", "[1]"},
        {"turns", "limit", "0"},
        {"turns", "limit", "-5"},
        {"turns", "limit", "9007199254740993e3"},
        {"next", "played", "1"},
        {"next", "played", "null"},
        {"next", "played", "{}"},
        {"next", "played", "[1]"},
        {"next", "played", "[[\"e2e4\"]]"},
        {"playable", "played", "false"},
        {"apply", "moves", "3"},
        {"apply_turn", "turn", "[null]"},
        {"rolls", "target", "4"},
        {"rolls", "target", "\"white_king\\u0000\""},
        {"features", "schema", "[]"},
        {"evaluate", "evaluator", "null"},
        {"best", "bot", "1"},
        {"best", "seed", "-1"},
        {"best", "seed", "1.5"},
        {"best", "seed", "1e3"},
        {"best", "seed", "18446744073709551616"},
        {"best", "seed", "\"18446744073709551616\""},
        {"best", "seed", "\"99999999999999999999999999\""},
        {"best", "seed", "\" 1\""},
        {"best", "seed", "\"+1\""},
        {"best", "seed", "\"\""},
        {"best", "seed", "null"},
        {"best", "options", "[]"},
        {"best", "options", "\"rollouts=1\""},
        {"equity", "rollouts", "0"},
        {"equity", "rollouts", "4294967296"},
        {"equity", "max_plies", "-1"},
        {"equity", "max_plies", "0.5"},
        {"equity", "seed", "\"0x1\""},
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        char line[256];
        test_text kept = {0};
        int length = snprintf(line, sizeof line, "{\"query\":\"%s\",\"%s\":%s," KINGS "}",
                              fields[i].query, fields[i].field, fields[i].value);
        expect_code(*state, line, (size_t)length, "QUERY_FORM");
        const char *reply = answer_bytes(*state, line, (size_t)length, &kept);
        test_true(line, "names the field", strstr(reply, fields[i].field) != NULL);
        test_text_free(&kept);
    }
}

static void seeds_of_64_bits_are_exact(void **state) {
    static const char *const seeds[][2] = {
        {"0", "0"},
        {"9007199254740993", "9007199254740993"},
        {"9223372036854775807", "9223372036854775807"},
        {"18446744073709551615", "\"18446744073709551615\""},
        {"\"18446744073709551615\"", "\"18446744073709551615\""},
        {"\"007\"", "7"},
    };
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        char line[200], seed[64];
        test_text kept = {0};
        int length =
            snprintf(line, sizeof line,
                     "{\"query\":\"best\",\"seed\": %s ,\"dfen\":\"4k3/8/8/8/8/8/8/4K3 w - "
                     "- 0 1 K\"}",
                     seeds[i][0]);
        (void)snprintf(seed, sizeof seed, "\"seed\":%s,", seeds[i][1]);
        const char *reply = answer_bytes(*state, line, (size_t)length, &kept);
        test_true(reply, seed, strstr(reply, seed) != NULL);
        test_text_free(&kept);
    }
}

static void options_cannot_smuggle_other_options_in(void **state) {
    static const char *const options[] = {"{\"rollouts\":\"5,plies=1\"}",
                                          "{\"rollouts=5,plies\":\"1\"}",
                                          "{\"rollouts\":\"\"}",
                                          "{\"\":\"1\"}",
                                          "{\"rollouts\":\"5:6\"}",
                                          "{\"rollouts\":1.5}",
                                          "{\"rollouts\":-1}",
                                          "{\"rollouts\":true}",
                                          "{\"nonsense\":1}"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        char line[256];
        int length = snprintf(line, sizeof line,
                              "{\"query\":\"best\",\"bot\":\"monte-carlo\",\"options\":%s,\"dfen\":"
                              "\"4k3/8/8/8/8/8/8/4K3 w - - 0 1 K\"}",
                              options[i]);
        expect_code(*state, line, (size_t)length, "BAD_OPTION");
    }
}

static void limits_of_a_session_are_kept(void **state) {
    (void)state;
    hzc_query_limits limits = hzc_query_limits_default();
    limits.perft_depth = 1;
    limits.rollouts = 3;
    limits.plies = 2;
    limits.memory = 4096;
    hzc_session *session = hzc_session_new(&limits);
    assert_non_null(session);
    static const char *const lines[][2] = {
        {"{\"query\":\"perft\",\"depth\":1," KINGS "}", ""},
        {"{\"query\":\"perft\",\"depth\":2," KINGS "}", "QUERY_FORM"},
        {"{\"query\":\"equity\",\"rollouts\":4," KINGS "}", "QUERY_FORM"},
        {"{\"query\":\"equity\",\"rollouts\":3,\"max_plies\":3," KINGS "}", "QUERY_FORM"},
        {"{\"query\":\"best\",\"dfen\":\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 "
         "PPP\"}",
         "NO_MEMORY"},
        {"{\"query\":\"status\"," KINGS "}", ""},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        expect_code(session, lines[i][0], strlen(lines[i][0]), lines[i][1]);
    }
    hzc_session_free(session);
}

static void random_damage_to_a_query_is_always_answered(void **state) {
    static const char *const queries[] = {
        "{\"id\":[1],\"query\":\"next\",\"dfen\":\"4k3/8/8/8/8/8/8/4K2R w K - 0 1 RK\",\"played\":["
        "\"e1g1\"]}",
        "{\"id\":\"\\u00e4\",\"query\":\"features\",\"dfen\":\"4k3/8/8/8/8/8/8/4K2R w K - 0 1\","
        "\"schema\":\"kcp-13\",\"color\":\"b\"}",
        "{\"query\":\"best\",\"dfen\":\"4k3/8/8/8/8/8/8/4K2R w K - 0 1 RK\",\"seed\":7,\"options\":"
        "{}}",
        "{\"query\":\"apply\",\"dfen\":\"4k3/8/8/8/8/8/8/4K2R w K - 0 "
        "1\",\"moves\":\"e1e2,h1h8\"}"};
    hz_random random = hz_random_from_seed(test_seed());
    for (size_t n = 0; n < test_effort(20000); n++) {
        char line[256];
        test_text kept = {0};
        const char *query = queries[n % 4];
        size_t length = strlen(query);
        memcpy(line, query, length);
        for (uint32_t hits = 1 + hz_random_draw(&random, 3); hits > 0; hits--) {
            size_t place = hz_random_draw(&random, (uint32_t)length);
            switch (hz_random_draw(&random, 4)) {
            case 0:
                line[place] = (char)hz_random_draw(&random, 256);
                break;
            case 1:
                line[place] = "{}[]\",:\\0-.e"[hz_random_draw(&random, 12)];
                break;
            case 2:
                length = place + 1;
                break;
            default:
                memmove(line + place, line + place + 1, length - place - 1);
                length -= length > 1;
                break;
            }
        }
        for (size_t i = 0; i < length; i++) {
            line[i] = (char)(line[i] == '\n' ? ' ' : line[i]);
        }
        const char *text = answer_bytes(*state, line, length, &kept);
        json_t *reply = json_loads(
            text, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL | JSON_ALLOW_NUL, NULL);
        test_true(text, "is a JSON object of two members", json_object_size(reply) == 2);
        json_decref(reply);
        test_text_free(&kept);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_session, close_session)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(id_comes_back_as_it_was_written),
        TEST(lines_that_are_no_query_are_answered),
        TEST(nul_bytes_are_only_bad_json),
        TEST(nesting_beyond_the_limit_is_refused_before_it_is_parsed),
        TEST(brackets_inside_texts_do_not_nest),
        TEST(line_of_the_largest_length_is_read),
        TEST(fields_of_wrong_type_or_range_are_named),
        TEST(seeds_of_64_bits_are_exact),
        TEST(options_cannot_smuggle_other_options_in),
        TEST(limits_of_a_session_are_kept),
        TEST(random_damage_to_a_query_is_always_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
