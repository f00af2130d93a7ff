/* SPDX-License-Identifier: MIT */
/* Messages of the bot protocol: signatures, requests to the byte, trees against the list of turns,
 * answers of every kind, and HTTP responses piece by piece. */
#include "arena/bot_protocol.h"
#include "arena/http_client.h"
#include "arena/http_response.h"
#include "arena/signature.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/positions.h"

#define SMALL "6k1/8/8/8/8/8/4P3/K5N1 w - - 3 21 PN"
#define SMALL_TREE                                                                                 \
    "{\"e2e3\":{\"g1e2\":{},\"g1f3\":{},\"g1h3\":{}},\"e2e4\":{\"g1e2\":{},\"g1f3\":{},\"g1h3\":{" \
    "}}"                                                                                           \
    ",\"g1f3\":{\"e2e3\":{},\"e2e4\":{}},\"g1h3\":{\"e2e3\":{},\"e2e4\":{}}}"

/* ---- signatures ---- */

static void signatures_and_proofs_are_the_known_ones(void **state) {
    (void)state;
    test_table table = test_table_load("arena_signatures.tsv", 5);
    for (size_t i = 0; i < table.count; i++) {
        const char *const *field = table.rows[i].field;
        char hex[HZI_SIGNATURE_HEX + 1];
        if (strcmp(field[0], "proof") == 0) {
            hzi_proof(field[1], field[3], strlen(field[3]), hex);
        } else {
            hzi_signature(field[1], field[2], field[3], strlen(field[3]), hex);
        }
        test_same_text(field[3], field[0], field[4], hex);
    }
    test_table_free(&table);
}

static void nonces_are_canonical_and_new(void **state) {
    (void)state;
    char a[HZI_NONCE_TEXT + 1], b[HZI_NONCE_TEXT + 1];
    for (int i = 0; i < 100; i++) {
        assert_int_equal(hzi_nonce(a, NULL), HZ_OK);
        assert_int_equal(hzi_nonce(b, NULL), HZ_OK);
        assert_int_equal(strlen(a), HZI_NONCE_TEXT);
        assert_int_equal(
            strspn(a, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"),
            HZI_NONCE_TEXT);
        /* 128 bits leave four bits of the last digit unused: they are 0. */
        assert_non_null(strchr("AQgw", a[HZI_NONCE_TEXT - 1]));
        assert_string_not_equal(a, b);
    }
}

static void keys_are_read_as_they_are(void **state) {
    (void)state;
    (void)setenv("HAZARD_TEST_KEY", "00ff", 1);
    assert_string_equal(hzi_key("HAZARD_TEST_KEY"), "00ff");
    (void)setenv("HAZARD_TEST_KEY", "", 1);
    assert_null(hzi_key("HAZARD_TEST_KEY"));
    (void)unsetenv("HAZARD_TEST_KEY");
    assert_null(hzi_key("HAZARD_TEST_KEY"));
}

/* ---- requests ---- */

static void request_is_written_like_this(void **state) {
    (void)state;
    hzi_text out = {0};
    hzi_bot_request request = {.type = "yourTurn",
                               .game_id = "g-0001",
                               .seat = "White",
                               .dfen = SMALL,
                               .active_seat = "White",
                               .version = 41,
                               .dice_pending = "true",
                               .tree = SMALL_TREE};
    hzi_bot_request_write(&request, &out);
    test_same_text("request", "bytes",
                   "{\"type\":\"yourTurn\",\"gameId\":\"g-0001\",\"seat\":\"White\",\"state\":{"
                   "\"version\":41,\"dfen\":\"" SMALL "\",\"activeSeat\":\"White\",\"dicePending\":"
                   "true,\"legalMoves\":" SMALL_TREE "}}",
                   out.bytes);
    hzi_text_clear(&out);
    request.tree = "null";
    request.clocks = "{\"white\":1,\"black\":2}";
    request.time_control = "{\"Unlimited\":{}}";
    request.may_offer_draw = "false";
    request.extra = "\"rated\":false,";
    hzi_bot_request_write(&request, &out);
    test_same_text("request", "bytes",
                   "{\"type\":\"yourTurn\",\"gameId\":\"g-0001\",\"seat\":\"White\",\"state\":{"
                   "\"rated\":false,\"version\":41,\"dfen\":\"" SMALL "\",\"activeSeat\":\"White\","
                   "\"dicePending\":true,\"clocks\":{\"white\":1,\"black\":2},\"timeControl\":"
                   "{\"Unlimited\":{}},\"mayOfferDraw\":false,\"legalMoves\":null}}",
                   out.bytes);
    hzi_text_fini(&out);
}

static void tree_of_the_small_position_is_this(void **state) {
    (void)state;
    hzi_text out = {0};
    hz_position p = test_position(SMALL);
    hzi_text_puts(&out, "before ");
    assert_true(hzi_bot_tree_write(&p, 15, 1000, &out));
    test_same_text(SMALL, "tree", "before " SMALL_TREE, out.bytes);
    /* 15 nodes with the root, and these bytes: one less of either is too few. */
    hzi_text_clear(&out);
    hzi_text_puts(&out, "x");
    assert_false(hzi_bot_tree_write(&p, 14, 1000, &out));
    test_same_text(SMALL, "after failing", "x", out.bytes);
    assert_true(hzi_bot_tree_write(&p, 15, strlen(SMALL_TREE), &out));
    hzi_text_clear(&out);
    assert_false(hzi_bot_tree_write(&p, 15, strlen(SMALL_TREE) - 1, &out));
    assert_int_equal(out.length, 0);
    p = test_position("6k1/8/8/8/8/8/4P3/K5N1 w - - 3 21 QQQ");
    assert_true(hzi_bot_tree_write(&p, 1, 2, &out));
    test_same_text("no turn", "tree", "{}", out.bytes);
    hzi_text_fini(&out);
}

/* The turns of a tree in the order of its text, as "e2e4,g1f3;". */
static void list_leaves(json_t *node, const char *path, test_text *out) {
    const char *key, *before = NULL;
    json_t *below;
    if (json_object_size(node) == 0) {
        test_text_add(out, path);
        test_text_add(out, ";");
    }
    json_object_foreach(node, key, below) {
        char longer[64];
        assert_true(!before || strcmp(before, key) < 0);
        before = key;
        (void)snprintf(longer, sizeof longer, "%s%s%s", path, *path ? "," : "", key);
        list_leaves(below, longer, out);
    }
}

static void trees_hold_exactly_the_legal_turns(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    hz_arena arena;
    hz_arena_init(&arena, 0);
    for (size_t game = 0; game < test_effort(4); game++) {
        hz_position p = test_position(HZ_START_DFEN);
        for (int ply = 0; ply < 30 && !hz_game_over(&p, NULL, NULL); ply++) {
            char dfen[HZ_DFEN_CAPACITY];
            hz_turn_list list;
            test_text expected = {0}, got = {0};
            hzi_text tree = {0};
            hz_position_set_pool(&p, hz_roll_draw(&random));
            (void)test_dfen(&p, dfen);
            hz_arena_reset(&arena);
            assert_int_equal(hz_turns_list(&p, 0, &arena, &list, NULL), HZ_OK);
            if (list.count > 0 && hzi_bot_tree_write(&p, 20000, 1000000, &tree)) {
                json_t *root = json_loads(tree.bytes, JSON_REJECT_DUPLICATES, NULL);
                test_true(dfen, "is JSON", root != NULL);
                list_leaves(root, "", &got);
                json_decref(root);
                for (size_t i = 0; i < list.count; i++) {
                    char text[HZ_TURN_CAPACITY];
                    (void)hz_turn_to_text(&list.turns[i], text);
                    test_text_add(&expected, text);
                    test_text_add(&expected, ";");
                }
                test_same_text(dfen, "turns", test_text_get(&expected), test_text_get(&got));
            }
            if (list.count > 0) {
                hz_position after;
                char text[HZ_TURN_CAPACITY];
                const hz_turn *turn = &list.turns[hz_random_pick(&random, (uint32_t)list.count)];
                size_t length = hz_turn_to_text(turn, text);
                hz_turn same;
                assert_int_equal(hz_turn_parse(&p, text, length, &same, &after, NULL), HZ_OK);
                p = after;
            }
            hz_hand_over(&p);
            test_text_free(&expected);
            test_text_free(&got);
            hzi_text_fini(&tree);
        }
    }
    hz_arena_fini(&arena);
}

/* ---- answers ---- */

static void answers_are_judged_like_this(void **state) {
    (void)state;
    static const struct {
        const char *body;
        hz_match_fault fault;
    } cases[] = {
        {"{\"moves\":[\"e2e4\",\"g1f3\"]}", HZ_FAULT_NONE},
        {" {\"offerDraw\":false,\n\"moves\" : [ \"g1f3\", \"e2e4\" ],\"x\":{\"y\":[1.5e3]}}\r\n",
         HZ_FAULT_NONE},
        {"{\"moves\":[\"e2e4\",\"g1f3\"],\"resign\":false}", HZ_FAULT_NONE},
        {"{\"moves\":[\"\\u0065\\u0032e4\",\"g1f3\"]}", HZ_FAULT_NONE},
        {"{\"moves\":[]}", HZ_FAULT_DECLINED},
        {"{\"moves\":[],\"resign\":true}", HZ_FAULT_DECLINED},
        {"{\"moves\":[\"e2e4\",\"g1f3\"],\"resign\":true}", HZ_FAULT_DECLINED},
        {"{\"moves\":[\"e2e4\"]}", HZ_FAULT_REFUSED},
        {"{\"moves\":[\"g1f3\",\"e2e5\"]}", HZ_FAULT_REFUSED},
        {"{\"moves\":[\"E2E4\",\"g1f3\"]}", HZ_FAULT_REFUSED},
        {"{\"moves\":[\"e2e4,g1f3\"]}", HZ_FAULT_REFUSED},
        {"{\"moves\":[\"-\"]}", HZ_FAULT_REFUSED},
        {"{\"moves\":[\"\"]}", HZ_FAULT_REFUSED},
        {"{\"moves\":[\"e2e4 \",\"g1f3\"]}", HZ_FAULT_REFUSED},
        {"{\"moves\":[\"e2e4q\",\"g1f3\"]}", HZ_FAULT_REFUSED},
        {"{\"moves\":[\"e2e4\",\"g1f3\",\"a1a2\"]}", HZ_FAULT_REFUSED},
        {"{\"moves\":[\"e2e4\",\"g1f3\",\"a1a2\",\"a2a3\"]}", HZ_FAULT_REFUSED},
        {"{\"moves\":[\"e2e4\",7]}", HZ_FAULT_GARBLED},
        {"{\"moves\":[[\"e2e4\"]]}", HZ_FAULT_GARBLED},
        {"{\"moves\":\"e2e4,g1f3\"}", HZ_FAULT_GARBLED},
        {"{\"moves\":null}", HZ_FAULT_GARBLED},
        {"{\"moves\":{}}", HZ_FAULT_GARBLED},
        {"{\"Moves\":[\"e2e4\",\"g1f3\"]}", HZ_FAULT_GARBLED},
        {"{}", HZ_FAULT_GARBLED},
        {"[\"e2e4\",\"g1f3\"]", HZ_FAULT_GARBLED},
        {"\"e2e4\"", HZ_FAULT_GARBLED},
        {"", HZ_FAULT_GARBLED},
        {"hello", HZ_FAULT_GARBLED},
        {"{\"moves\":[\"e2e4\",\"g1f3\"]", HZ_FAULT_GARBLED},
        {"{\"moves\":[\"e2e4\",\"g1f3\"]}}", HZ_FAULT_GARBLED},
        {"{\"moves\":[\"e2e4\",\"g1f3\"],}", HZ_FAULT_GARBLED},
        {"{'moves':['e2e4','g1f3']}", HZ_FAULT_GARBLED},
        {"{\"moves\":[\"a1a2\"],\"moves\":[\"e2e4\",\"g1f3\"]}", HZ_FAULT_GARBLED},
        {"{\"moves\":[\"e2e4\",\"g1f3\"],\"n\":NaN}", HZ_FAULT_GARBLED},
        {"{\"moves\":[\"e2e4\",\"g1f3\"],\"t\":\"\xff\"}", HZ_FAULT_GARBLED},
        {"\xef\xbb\xbf{\"moves\":[\"e2e4\",\"g1f3\"]}", HZ_FAULT_GARBLED},
        {"{\"moves\":[\"e2e4\",\"g1f3\"],\"d\":[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]}",
         HZ_FAULT_GARBLED},
        {"{\"moves\":[\"e2e4\",\"g1f3\"],\"d\":\"[[[[[[[[[[[[[[[[[[[[[[[[\\\"[[[\"}",
         HZ_FAULT_NONE},
    };
    hz_position p = test_position(SMALL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hz_turn turn = {0};
        char note[120];
        hz_match_fault fault =
            hzi_bot_reply_turn(cases[i].body, strlen(cases[i].body), &p, &turn, note);
        test_same_number(cases[i].body, "fault", cases[i].fault, fault);
        test_true(cases[i].body, "has a note when it is bad",
                  (note[0] != '\0') == (fault != HZ_FAULT_NONE));
        if (fault == HZ_FAULT_NONE) {
            assert_true(hz_turn_is_legal(&p, &turn));
        }
    }
}

static void a_promotion_is_spelled_as_in_the_tree(void **state) {
    (void)state;
    hz_position p = test_position("7k/P7/8/8/8/8/8/K7 w - - 0 1 PNB");
    hz_turn turn;
    char note[120];
    static const char good[] = "{\"moves\":[\"a7a8n\",\"a8b6\"]}",
                      upper[] = "{\"moves\":[\"a7a8N\"]}";
    assert_int_equal(hzi_bot_reply_turn(good, strlen(good), &p, &turn, note), HZ_FAULT_NONE);
    assert_int_equal(turn.count, 2);
    assert_int_equal(hzi_bot_reply_turn(upper, strlen(upper), &p, &turn, note), HZ_FAULT_REFUSED);
}

static void members_of_answers_are_read_strictly(void **state) {
    (void)state;
    static const char body[] = "{\"nonce\":\"abc\",\"n\":1,\"yes\":true,\"no\":false}";
    char text[4];
    bool value = true;
    size_t length = strlen(body);
    assert_true(hzi_bot_reply_text(body, length, "nonce", text, sizeof text));
    assert_string_equal(text, "abc");
    assert_false(hzi_bot_reply_text(body, length, "nonce", text, 3));
    assert_false(hzi_bot_reply_text(body, length, "n", text, sizeof text));
    assert_false(hzi_bot_reply_text(body, length, "yes", text, sizeof text));
    assert_false(hzi_bot_reply_text(body, length, "none", text, sizeof text));
    assert_false(hzi_bot_reply_text(body, length - 1, "nonce", text, sizeof text));
    assert_true(hzi_bot_reply_bool(body, length, "yes", &value) && value);
    assert_true(hzi_bot_reply_bool(body, length, "no", &value) && !value);
    assert_false(hzi_bot_reply_bool(body, length, "n", &value));
    assert_false(hzi_bot_reply_bool(NULL, 0, "n", &value));
}

/* ---- HTTP responses ---- */

static void responses_are_read_like_this(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        bool ended;
        hzi_response_state state;
        int status;
        const char *body;
        size_t left; /* bytes behind the response */
    } cases[] = {
        {"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", false, HZI_RESPONSE_DONE, 200, "{}", 0},
        {"HTTP/1.1 200 OK\r\ncontent-length:2\r\n\r\n{}HTTP", false, HZI_RESPONSE_DONE, 200, "{}",
         4},
        {"HTTP/1.0 404 Not Found\r\n\r\ngone", true, HZI_RESPONSE_DONE, 404, "gone", 0},
        {"HTTP/1.1 404\r\n\r\n", true, HZI_RESPONSE_DONE, 404, "", 0},
        {"HTTP/1.1 204 No Content\r\n\r\n", false, HZI_RESPONSE_DONE, 204, "", 0},
        {"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx", false,
         HZI_RESPONSE_DONE, 200, "x", 0},
        {"HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n2\r\nab\r\n1;x=y\r\nc\r\n0\r\nT: "
         "1\r\n\r\n",
         false, HZI_RESPONSE_DONE, 200, "abc", 0},
        {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n", false,
         HZI_RESPONSE_MORE, 0, NULL, 0},
        {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n", true, HZI_RESPONSE_BAD,
         0, NULL, 0},
        {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n", false,
         HZI_RESPONSE_BAD, 0, NULL, 0},
        {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", false, HZI_RESPONSE_BAD, 0,
         NULL, 0},
        {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffff\r\n", false,
         HZI_RESPONSE_BAD, 0, NULL, 0},
        {"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", false, HZI_RESPONSE_BAD, 0, NULL, 0},
        {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
         false, HZI_RESPONSE_BAD, 0, NULL, 0},
        {"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx", false,
         HZI_RESPONSE_BAD, 0, NULL, 0},
        {"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nx", false, HZI_RESPONSE_BAD, 0, NULL, 0},
        {"HTTP/1.1 200 OK\r\nContent-Length: 65537\r\n\r\nx", false, HZI_RESPONSE_BAD, 0, NULL, 0},
        {"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nx", false, HZI_RESPONSE_MORE, 0, NULL, 0},
        {"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nx", true, HZI_RESPONSE_BAD, 0, NULL, 0},
        {"HTTP/1.1 200 OK\r\n\r\nx", false, HZI_RESPONSE_MORE, 0, NULL, 0},
        {"HTTP/1.1 20 OK\r\n\r\n", false, HZI_RESPONSE_BAD, 0, NULL, 0},
        {"HTTP/1.1 2000 OK\r\n\r\n", false, HZI_RESPONSE_BAD, 0, NULL, 0},
        {"HTTP/2 200\r\n\r\n", false, HZI_RESPONSE_BAD, 0, NULL, 0},
        {"HTTP/1.1 099 X\r\n\r\n", false, HZI_RESPONSE_BAD, 0, NULL, 0},
        {"SSH-2.0", false, HZI_RESPONSE_BAD, 0, NULL, 0},
        {"HT", false, HZI_RESPONSE_MORE, 0, NULL, 0},
        {"", false, HZI_RESPONSE_MORE, 0, NULL, 0},
        {"", true, HZI_RESPONSE_BAD, 0, NULL, 0},
        {"HTTP/1.1 200 OK\n\n", true, HZI_RESPONSE_BAD, 0, NULL, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hzi_response response;
        size_t length = strlen(cases[i].bytes);
        hzi_response_state got =
            hzi_response_read(cases[i].bytes, length, cases[i].ended, &response);
        test_same_number(cases[i].bytes, "state", cases[i].state, got);
        if (got == HZI_RESPONSE_DONE) {
            test_same_number(cases[i].bytes, "status", (uint64_t)cases[i].status,
                             (uint64_t)response.status);
            test_same_text(cases[i].bytes, "body", cases[i].body,
                           response.body.bytes ? response.body.bytes : "");
            test_same_number(cases[i].bytes, "bytes left", cases[i].left, length - response.used);
        } else if (got == HZI_RESPONSE_BAD) {
            assert_non_null(response.what);
        }
        /* However little has come, it is the beginning of the same. */
        for (size_t cut = 0; cut < length && cases[i].state == HZI_RESPONSE_DONE; cut++) {
            hzi_response part;
            hzi_response_state before = hzi_response_read(cases[i].bytes, cut, false, &part);
            test_true(cases[i].bytes, "waits for more",
                      before == HZI_RESPONSE_MORE || cut + cases[i].left >= length ||
                          (before == HZI_RESPONSE_DONE && part.used == response.used));
            hzi_text_fini(&part.body);
        }
        hzi_text_fini(&response.body);
    }
}

static void endless_responses_are_given_up(void **state) {
    (void)state;
    hzi_text text = {0};
    hzi_response response;
    hzi_text_puts(&text, "HTTP/1.1 200 OK\r\n");
    while (text.length < 20000) {
        hzi_text_puts(&text, "X: y\r\n");
    }
    assert_int_equal(hzi_response_read(text.bytes, text.length, false, &response),
                     HZI_RESPONSE_BAD);
    hzi_text_clear(&text);
    hzi_text_puts(&text, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    for (int i = 0; i < 70000; i++) {
        hzi_text_puts(&text, "1\r\nx\r\n");
    }
    assert_int_equal(hzi_response_read(text.bytes, text.length, false, &response),
                     HZI_RESPONSE_BAD);
    hzi_text_fini(&text);
}

static void headers_are_found_in_any_case_and_only_once(void **state) {
    (void)state;
    static const char bytes[] =
        "HTTP/1.1 200 OK\r\nA: 1\r\nCache-control:\t no-store \r\nTwo: 1\r\n"
        "two: 2\r\nNo\r\nContent-Length: 0\r\n\r\n";
    hzi_response response;
    char value[10];
    assert_int_equal(hzi_response_read(bytes, strlen(bytes), false, &response), HZI_RESPONSE_DONE);
    assert_true(hzi_response_header(&response, bytes, "Cache-Control", value, sizeof value));
    assert_string_equal(value, "no-store");
    assert_true(hzi_response_header(&response, bytes, "a", value, sizeof value));
    assert_string_equal(value, "1");
    assert_false(hzi_response_header(&response, bytes, "Cache-Control", value, 8));
    assert_false(hzi_response_header(&response, bytes, "Two", value, sizeof value));
    assert_false(hzi_response_header(&response, bytes, "No", value, sizeof value));
    assert_false(hzi_response_header(&response, bytes, "Cache", value, sizeof value));
    hzi_text_fini(&response.body);
}

/* ---- addresses ---- */

static void addresses_are_read_like_this(void **state) {
    (void)state;
    static const struct {
        const char *text, *host, *path; /* NULL = refused */
        unsigned port;
        bool tls;
    } cases[] = {
        {"http://127.0.0.1:8080/api/webhook", "127.0.0.1", "/api/webhook", 8080, false},
        {"http://localhost", "localhost", "/api/webhook", 80, false},
        {"https://bots.example/", "bots.example", "/api/webhook", 443, true},
        {"HTTPS://bots.example:8443/my/bot?x=1&y=2", "bots.example", "/my/bot?x=1&y=2", 8443, true},
        {"http://[::1]:5/x", "[::1]", "/x", 5, false},
        {"ftp://127.0.0.1/x", NULL, NULL, 0, false},
        {"file:///etc/passwd", NULL, NULL, 0, false},
        {"127.0.0.1:80", NULL, NULL, 0, false},
        {"http://", NULL, NULL, 0, false},
        {"http://user@host/", NULL, NULL, 0, false},
        {"http://user:word@host/", NULL, NULL, 0, false},
        {"http://host/#part", NULL, NULL, 0, false},
        {"http://host:99999/", NULL, NULL, 0, false},
        {"http://host/a b", NULL, NULL, 0, false},
        {"http://host/\r\nX: y", NULL, NULL, 0, false},
        {"", NULL, NULL, 0, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hzi_http_url url;
        hz_error err;
        hz_status status = hzi_http_url_read(cases[i].text, &url, &err);
        test_true(cases[i].text, "is accepted as it must be",
                  (status == HZ_OK) == (cases[i].host != NULL));
        if (status == HZ_OK) {
            test_same_text(cases[i].text, "host", cases[i].host, url.host);
            test_same_text(cases[i].text, "path", cases[i].path, url.path);
            test_same_number(cases[i].text, "port", cases[i].port, url.port);
            assert_int_equal(url.tls, cases[i].tls);
        } else {
            assert_int_equal(status, HZ_INVALID_ARGUMENT);
        }
        hzi_http_url_fini(&url);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signatures_and_proofs_are_the_known_ones),
        cmocka_unit_test(nonces_are_canonical_and_new),
        cmocka_unit_test(keys_are_read_as_they_are),
        cmocka_unit_test(request_is_written_like_this),
        cmocka_unit_test(tree_of_the_small_position_is_this),
        cmocka_unit_test(trees_hold_exactly_the_legal_turns),
        cmocka_unit_test(answers_are_judged_like_this),
        cmocka_unit_test(a_promotion_is_spelled_as_in_the_tree),
        cmocka_unit_test(members_of_answers_are_read_strictly),
        cmocka_unit_test(responses_are_read_like_this),
        cmocka_unit_test(endless_responses_are_given_up),
        cmocka_unit_test(headers_are_found_in_any_case_and_only_once),
        cmocka_unit_test(addresses_are_read_like_this),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
