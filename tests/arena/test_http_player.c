/* SPDX-License-Identifier: MIT */
/* Bots over HTTP as players, against the reference server with one fault at a time. */
#include <hazard/arena.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "arena/servers.h"
#include "support/positions.h"

#define SMALL "6k1/8/8/8/8/8/4P3/K5N1 w - - 3 21 PN"

static const char key[] = "three-dice-and-a-board";

static hz_match_question question_at(const hz_position *position, uint64_t ply) {
    return (hz_match_question){.game = HZ_MATCH_DICE,
                               .position = position,
                               .start = position,
                               .ply = ply,
                               .color = (hz_color)position->side,
                               .deadline = hz_deadline_none()};
}

static void open_player(const char *url, const char *options, hz_match_player *player) {
    char text[300];
    hz_error err;
    (void)snprintf(text, sizeof text, "%s %s", url, options);
    hz_status status = hz_match_player_http(text, player, &err);
    test_same_text(text, "error", "", status == HZ_OK ? "" : err.message);
    assert_true(player->self_managing && !player->searching);
}

static hz_match_reply ask(hz_match_player *player, const hz_match_question *question) {
    hz_match_reply reply;
    hz_error err;
    hz_error_clear(&err);
    hz_status status = player->ask(player, question, &reply, &err);
    test_same_text(player->name, "error", "", err.message);
    assert_int_equal(status, HZ_OK);
    assert_null(strstr(reply.note, key));
    assert_true((reply.note[0] != '\0') == (reply.fault != HZ_FAULT_NONE));
    return reply;
}

static void every_question_gets_a_legal_turn(void **state) {
    (void)state;
    test_server server;
    hz_match_player player;
    hz_error err;
    hz_position p = test_position(SMALL);
    test_server_start(&server, "--break no-rules");
    open_player(server.url, "", &player);
    assert_string_equal(player.name, server.url);
    assert_int_equal(player.start(&player, &err), HZ_OK);
    assert_int_equal(player.start(&player, &err), HZ_OK);
    for (uint64_t ply = 0; ply < 20; ply++) {
        hz_match_question question = question_at(&p, ply);
        question.timed = ply % 2 != 0;
        question.rest_ms[0] = question.rest_ms[1] = 20000;
        question.increment_ms = 1500;
        hz_match_reply reply = ask(&player, &question);
        assert_int_equal(reply.fault, HZ_FAULT_NONE);
        assert_true(hz_turn_is_legal(&p, &reply.turn));
        assert_int_equal(reply.turn.count, 2);
    }
    hz_match_player_close(&player);
    test_server_stop(&server);
}

static void bad_answers_are_faults_kept_apart(void **state) {
    (void)state;
    static const struct {
        const char *server;
        hz_match_fault fault;
        int status;
    } cases[] = {
        {"--fault garbled", HZ_FAULT_GARBLED, 0},
        {"--fault kinds", HZ_FAULT_GARBLED, 0},
        {"--fault deep", HZ_FAULT_GARBLED, 0},
        {"--fault no-http", HZ_FAULT_GARBLED, 0},
        {"--fault illegal", HZ_FAULT_REFUSED, 0},
        {"--fault part", HZ_FAULT_REFUSED, 0},
        {"--fault decline", HZ_FAULT_DECLINED, 0},
        {"--fault resign", HZ_FAULT_DECLINED, 0},
        {"--fault oversized", HZ_FAULT_OVERSIZED, 0},
        {"--fault oversized-chunks", HZ_FAULT_OVERSIZED, 0},
        {"--fault redirect", HZ_FAULT_HTTP_STATUS, 302},
        {"--fault status=201", HZ_FAULT_HTTP_STATUS, 201},
        {"--fault status=500", HZ_FAULT_HTTP_STATUS, 500},
        {"--fault status=400", HZ_FAULT_HTTP_STATUS, 400},
        {"--fault drop", HZ_FAULT_LOST, 0},
        {"--fault half", HZ_FAULT_LOST, 0},
        {"--fault late=60000", HZ_FAULT_TIMED_OUT, 0},
        {"--fault dribble=1000", HZ_FAULT_TIMED_OUT, 0},
        {"--fault flaky", HZ_FAULT_NONE, 0},
    };
    hz_position p = test_position(SMALL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_server server;
        hz_match_player player;
        hz_error err;
        test_server_start(&server, cases[i].server);
        open_player(server.url, "timeout=1500", &player);
        assert_int_equal(player.start(&player, &err), HZ_OK);
        hz_match_question question = question_at(&p, 0);
        hz_match_reply reply = ask(&player, &question);
        test_same_number(cases[i].server, "fault", cases[i].fault, reply.fault);
        test_same_number(cases[i].server, "status", (uint64_t)cases[i].status,
                         (uint64_t)reply.http_status);
        hz_match_player_close(&player);
        test_server_stop(&server);
    }
}

static void a_busy_server_is_asked_again_only_if_wanted(void **state) {
    (void)state;
    test_server server;
    hz_match_player player;
    hz_position p = test_position(SMALL);
    test_server_start(&server, "--fault flaky");
    open_player(server.url, "retries=0", &player);
    hz_match_question question = question_at(&p, 0);
    hz_match_reply reply = ask(&player, &question);
    assert_int_equal(reply.fault, HZ_FAULT_HTTP_STATUS);
    assert_int_equal(reply.http_status, 503);
    assert_string_equal(reply.note, "status 503: capacity_exceeded");
    hz_match_player_close(&player);
    test_server_stop(&server);
}

static void the_clock_is_the_time_out(void **state) {
    (void)state;
    test_server server;
    hz_match_player player;
    hz_position p = test_position(SMALL);
    test_server_start(&server, "--fault late=30000");
    open_player(server.url, "", &player);
    hz_match_question question = question_at(&p, 0);
    question.timed = true;
    question.rest_ms[0] = 150;
    question.rest_ms[1] = 100000;
    uint64_t start = hz_clock_now_ns();
    hz_match_reply reply = ask(&player, &question);
    uint64_t ms = (hz_clock_now_ns() - start) / 1000000;
    assert_int_equal(reply.fault, HZ_FAULT_TIMED_OUT);
    assert_in_range(ms, 149, 15000);
    /* Nothing left is a millisecond. */
    question.rest_ms[0] = 0;
    reply = ask(&player, &question);
    assert_int_equal(reply.fault, HZ_FAULT_TIMED_OUT);
    hz_match_player_close(&player);
    test_server_stop(&server);
}

static void a_tree_too_large_to_send_is_left_out(void **state) {
    (void)state;
    test_server server;
    hz_match_player player;
    hz_position p = test_position(SMALL);
    test_server_start(&server, "--break no-rules");
    open_player(server.url, "max-nodes=14 retries=0", &player);
    hz_match_question question = question_at(&p, 0);
    /* A server without rules says that it misses the tree. */
    hz_match_reply reply = ask(&player, &question);
    assert_int_equal(reply.fault, HZ_FAULT_HTTP_STATUS);
    assert_string_equal(reply.note, "status 503: missing_legal_moves");
    hz_match_player_close(&player);
    open_player(server.url, "max-nodes=15 retries=0", &player);
    reply = ask(&player, &question);
    assert_int_equal(reply.fault, HZ_FAULT_NONE);
    hz_match_player_close(&player);
    test_server_stop(&server);
}

static void another_secret_stops_before_the_first_game(void **state) {
    (void)state;
    test_server server;
    hz_match_player player;
    hz_error err;
    test_server_start(&server, "");
    (void)setenv("HAZARD_TEST_KEY", "another", 1);
    open_player(server.url, "secret-env=HAZARD_TEST_KEY", &player);
    assert_int_equal(player.start(&player, &err), HZ_PLAYER);
    assert_non_null(strstr(err.message, "401"));
    assert_null(strstr(err.message, "another,"));
    hz_match_player_close(&player);
    (void)setenv("HAZARD_TEST_KEY", key, 1);
    open_player(server.url, "secret-env=HAZARD_TEST_KEY", &player);
    (void)unsetenv("HAZARD_TEST_KEY");
    assert_int_equal(player.start(&player, &err), HZ_OK);
    hz_match_player_close(&player);
    test_server_stop(&server);
    test_server_start(&server, "--break no-verification");
    open_player(server.url, "", &player);
    assert_int_equal(player.start(&player, &err), HZ_PLAYER);
    assert_non_null(strstr(err.message, "400"));
    hz_match_player_close(&player);
    test_server_stop(&server);
}

static void a_bot_that_goes_and_comes_back_loses_only_meanwhile(void **state) {
    (void)state;
    test_server server;
    hz_match_player player;
    hz_error err;
    char options[60];
    hz_position p = test_position(SMALL);
    test_server_start(&server, "");
    int port = atoi(strrchr(server.url, ':') + 1);
    open_player(server.url, "retries=1", &player);
    assert_int_equal(player.start(&player, &err), HZ_OK);
    hz_match_question question = question_at(&p, 0);
    assert_int_equal(ask(&player, &question).fault, HZ_FAULT_NONE);
    test_server_stop(&server);
    question.game_number = 1;
    assert_int_equal(ask(&player, &question).fault, HZ_FAULT_UNREACHABLE);
    assert_int_equal(player.start(&player, &err), HZ_OK);
    (void)snprintf(options, sizeof options, "--port %d", port);
    test_server_start(&server, options);
    question.game_number = 2;
    assert_int_equal(ask(&player, &question).fault, HZ_FAULT_NONE);
    hz_match_player_close(&player);
    test_server_stop(&server);
}

static void nobody_there_stops_before_the_first_game(void **state) {
    (void)state;
    hz_match_player player;
    hz_error err;
    open_player("http://127.0.0.1:1/x", "retries=0", &player);
    assert_int_equal(player.start(&player, &err), HZ_PLAYER);
    assert_non_null(strstr(err.message, "http://127.0.0.1:1/x"));
    hz_match_player_close(&player);
}

static void a_silent_port_is_given_up(void **state) {
    (void)state;
    /* A listener that never accepts: the connection stands, nothing answers. */
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof address;
    char url[60];
    hz_match_player player;
    hz_position p = test_position(SMALL);
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(bind(listener, (const struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(listener, 4), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &size), 0);
    (void)snprintf(url, sizeof url, "http://127.0.0.1:%d/", (int)ntohs(address.sin_port));
    open_player(url, "timeout=100", &player);
    hz_match_question question = question_at(&p, 0);
    assert_int_equal(ask(&player, &question).fault, HZ_FAULT_TIMED_OUT);
    hz_cancel cancel = {0};
    hz_match_reply reply;
    hz_error err;
    hz_cancel_request(&cancel);
    question.deadline.cancel = &cancel;
    assert_int_equal(player.ask(&player, &question, &reply, &err), HZ_CANCELLED);
    /* The verification has its own ten seconds; nobody waits for them who wants to stop. */
    uint64_t before = hz_clock_now_ns();
    player.cancel = &cancel;
    assert_int_equal(player.start(&player, &err), HZ_CANCELLED);
    assert_true(hz_clock_now_ns() - before < UINT64_C(8000000000));
    hz_match_player_close(&player);
    (void)close(listener);
}

static void unusable_texts_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *text;
        hz_status status;
    } cases[] = {{"", HZ_INVALID_ARGUMENT},
                 {"http://", HZ_INVALID_ARGUMENT},
                 {"ftp://127.0.0.1/", HZ_INVALID_ARGUMENT},
                 {"http://a:b@127.0.0.1/", HZ_INVALID_ARGUMENT},
                 {"http://127.0.0.1/ timeout=0", HZ_BAD_OPTION},
                 {"http://127.0.0.1/ timeout=1s", HZ_BAD_OPTION},
                 {"http://127.0.0.1/ retries=101", HZ_BAD_OPTION},
                 {"http://127.0.0.1/ max-nodes=200001", HZ_BAD_OPTION},
                 {"http://127.0.0.1/ secret-env=", HZ_BAD_OPTION},
                 {"http://127.0.0.1/ secret=abc", HZ_BAD_OPTION},
                 {"http://127.0.0.1/ secret-env=HAZARD_NO_SUCH_KEY", HZ_PLAYER}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hz_match_player player = {.name = "untouched"};
        hz_error err;
        hz_status status = hz_match_player_http(cases[i].text, &player, &err);
        test_same_text(cases[i].text, "status", hz_status_name(cases[i].status),
                       hz_status_name(status));
        assert_true(err.message[0] != '\0');
        assert_string_equal(player.name, "untouched");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_question_gets_a_legal_turn),
        cmocka_unit_test(bad_answers_are_faults_kept_apart),
        cmocka_unit_test(a_busy_server_is_asked_again_only_if_wanted),
        cmocka_unit_test(the_clock_is_the_time_out),
        cmocka_unit_test(a_tree_too_large_to_send_is_left_out),
        cmocka_unit_test(another_secret_stops_before_the_first_game),
        cmocka_unit_test(a_bot_that_goes_and_comes_back_loses_only_meanwhile),
        cmocka_unit_test(nobody_there_stops_before_the_first_game),
        cmocka_unit_test(a_silent_port_is_given_up),
        cmocka_unit_test(unusable_texts_are_refused),
    };
    (void)setenv("DICECHESS_WEBHOOK_SECRET", key, 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
