/* SPDX-License-Identifier: MIT */
/* UCI programs as players, most of them shell scripts that do one thing: what they are told, what is
 * made of their answers, and what becomes of those that crash, stall, cheat or flood. */
#include <hazard/arena.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/support.h"

/* A script that speaks UCI and does `go` when it is asked; every line it reads goes to file $1. */
#define ENGINE(options, go)                                                                        \
    "sh -c 'while read -r l; do echo \"$l\" >>\"$1\"; case $l in uci) " options                    \
    "echo uciok;; isready) echo readyok;; go*) " go ";; quit) exit;; esac; done' engine "
#define NONE ": ;"
#define DICE "echo \"option name UCI_Variant type combo default chess var chess var dicechess\";"

typedef struct table {
    hz_position start, now;
    hz_move moves[4];
    hz_cancel cancel;
    char transcript[64];
} table;

static table *new_table(const char *dfen) {
    table *t = calloc(1, sizeof *t);
    assert_non_null(t);
    assert_int_equal(hz_position_from_dfen(&t->start, dfen, strlen(dfen), NULL), HZ_OK);
    t->now = t->start;
    test_copy(t->transcript, sizeof t->transcript, "/tmp/hazard-uci-XXXXXX");
    int file = mkstemp(t->transcript);
    assert_true(file >= 0);
    (void)close(file);
    return t;
}

static void free_table(table *t) {
    (void)unlink(t->transcript);
    free(t);
}

static hz_match_question question_at(table *t, hz_match_game game, uint64_t number) {
    hz_match_question question = {.game = game,
                                  .position = &t->now,
                                  .start = &t->start,
                                  .moves = t->moves,
                                  .color = (hz_color)t->now.side,
                                  .game_number = number,
                                  .deadline = hz_deadline_none()};
    question.deadline.cancel = &t->cancel;
    return question;
}

static void open_player(const table *t, const char *engine, const char *options, hz_match_game game,
                        hz_match_player *player) {
    char command[1500];
    hz_error err;
    (void)snprintf(command, sizeof command, "%s%s %s", engine, t->transcript, options);
    hz_status status = hz_match_player_uci(command, game, player, &err);
    test_same_text(command, "error", "", status == HZ_OK ? "" : err.message);
    assert_string_equal(player->name, command);
    assert_true(player->self_managing);
}

static void expect_transcript(const table *t, const char *expected) {
    char text[2000] = "";
    FILE *file = fopen(t->transcript, "r");
    assert_non_null(file);
    size_t n = fread(text, 1, sizeof text - 1, file);
    text[n] = '\0';
    fclose(file);
    test_same_text("engine", "was told", expected, text);
}

static hz_match_reply ask(hz_match_player *player, const hz_match_question *question) {
    hz_match_reply reply;
    hz_error err;
    hz_error_clear(&err);
    hz_status status = player->ask(player, question, &reply, &err);
    test_same_text(player->name, "error", "", err.message);
    assert_int_equal(status, HZ_OK);
    return reply;
}

/* One question to a fresh player, untimed, with a short time-out. */
static hz_match_reply ask_once(table *t, const char *engine, hz_match_game game) {
    hz_match_player player;
    open_player(t, engine, "depth=1 timeout=400", game, &player);
    hz_match_question question = question_at(t, game, 0);
    hz_match_reply reply = ask(&player, &question);
    hz_match_player_close(&player);
    return reply;
}

#define START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
#define ROLLED "6k1/8/8/8/8/8/4P3/K5N1 w - - 3 21 PN"

/* ---- what is said ---- */

static void chess_program_is_told_all_it_needs(void **state) {
    (void)state;
    table *t = new_table(START);
    hz_match_player player;
    hz_error err;
    open_player(t, ENGINE(NONE, "echo \"bestmove e7e5 ponder g1f3\""),
                "option.Hash=16 'option.Move Overhead=30' depth=6 nodes=100", HZ_MATCH_CHESS,
                &player);
    assert_int_equal(player.start(&player, &err), HZ_OK);
    assert_int_equal(player.start(&player, &err), HZ_OK);
    assert_int_equal(hz_chess_move_from_text(&t->start, "e2e4", 4, &t->moves[0], &err), HZ_OK);
    hz_chess_play(&t->start, t->moves[0], &t->now);
    hz_match_question question = question_at(t, HZ_MATCH_CHESS, 7);
    question.move_count = 1;
    question.timed = true;
    question.rest_ms[HZ_WHITE] = 61500;
    question.rest_ms[HZ_BLACK] = 58020;
    question.increment_ms = 2000;
    hz_match_reply reply = ask(&player, &question);
    char text[HZ_MOVE_CAPACITY];
    assert_int_equal(reply.fault, HZ_FAULT_NONE);
    (void)hz_move_to_text(reply.move, text);
    assert_string_equal(text, "e7e5");
    assert_true(hz_chess_is_legal(&t->now, reply.move));
    hz_match_player_close(&player);
    expect_transcript(t, "uci\nsetoption name Hash value 16\n"
                         "setoption name Move Overhead value 30\nisready\nucinewgame\nisready\n"
                         "position fen " START " moves e2e4\n"
                         "go wtime 61500 btime 58020 winc 2000 binc 2000 depth 6 nodes 100\n"
                         "stop\nquit\n");
    free_table(t);
}

static void a_new_game_is_announced_and_an_old_one_is_not(void **state) {
    (void)state;
    table *t = new_table(ROLLED);
    hz_match_player player;
    open_player(t, ENGINE(DICE, "echo bestmove e2e4,g1f3"), "option.Bot=greedy", HZ_MATCH_DICE,
                &player);
    for (uint64_t i = 0; i < 3; i++) {
        hz_match_question question = question_at(t, HZ_MATCH_DICE, i / 2);
        hz_match_reply reply = ask(&player, &question);
        char text[HZ_TURN_CAPACITY];
        assert_int_equal(reply.fault, HZ_FAULT_NONE);
        (void)hz_turn_to_text(&reply.turn, text);
        assert_string_equal(text, "e2e4,g1f3");
        /* Only the beginning of a game costs nothing. */
        assert_int_equal(reply.free_us > 0, i != 1);
    }
    hz_match_player_close(&player);
    expect_transcript(t, "uci\nsetoption name UCI_Variant value dicechess\n"
                         "setoption name Bot value greedy\nisready\nucinewgame\nisready\n"
                         "position fen " ROLLED "\ngo\nposition fen " ROLLED "\ngo\n"
                         "ucinewgame\nisready\nposition fen " ROLLED "\ngo\nstop\nquit\n");
    free_table(t);
}

static void scores_and_nodes_are_read_from_info_lines(void **state) {
    (void)state;
    static const struct {
        const char *engine;
        bool has_score;
        int32_t score;
        uint64_t nodes;
    } cases[] = {
        {ENGINE(NONE, "echo bestmove e2e4"), false, 0, 0},
        {ENGINE(NONE, "echo info depth 1 score cp 13 nodes 20; echo info depth 2 score cp -7 nodes "
                      "300 pv e2e4; echo bestmove e2e4"),
         true, -7, 300},
        {ENGINE(NONE,
                "echo info score cp 5; echo info score cp 900 lowerbound; echo bestmove e2e4"),
         true, 5, 0},
        {ENGINE(NONE, "echo info multipv 1 score cp 5; echo info multipv 2 score cp 1; "
                      "echo bestmove e2e4"),
         true, 5, 0},
        {ENGINE(NONE, "echo info score mate 2; echo bestmove e2e4"), true, HZ_CHESS_MATE - 3, 0},
        {ENGINE(NONE, "echo info score mate -2; echo bestmove e2e4"), true, 4 - HZ_CHESS_MATE, 0},
        {ENGINE(NONE, "echo info score mate 0; echo bestmove e2e4"), true, -HZ_CHESS_MATE, 0},
        {ENGINE(NONE, "echo info score cp 99999999999; echo bestmove e2e4"), true,
         HZ_CHESS_SCORE_MAX, 0},
        {ENGINE(NONE, "echo info score cp x; echo info score; echo info nodes; echo info string "
                      "score cp 4; echo; echo \"   \"; echo bestmove e2e4"),
         false, 0, 0},
        {ENGINE(NONE, "echo info nodes 99999999999999999999 score cp 1; echo bestmove e2e4"), true,
         1, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        table *t = new_table(START);
        hz_match_reply reply = ask_once(t, cases[i].engine, HZ_MATCH_CHESS);
        assert_int_equal(reply.fault, HZ_FAULT_NONE);
        assert_int_equal(reply.has_score, cases[i].has_score);
        assert_int_equal(reply.score, cases[i].score);
        test_same_number(cases[i].engine, "nodes", cases[i].nodes, reply.nodes);
        free_table(t);
    }
}

/* ---- bad answers ---- */

static void bad_answers_are_faults_kept_apart(void **state) {
    (void)state;
    static const struct {
        const char *engine;
        hz_match_game game;
        hz_match_fault fault;
    } cases[] = {
        {ENGINE(NONE, "echo bestmove e2e5"), HZ_MATCH_CHESS, HZ_FAULT_ILLEGAL},
        {ENGINE(NONE, "echo bestmove 0000"), HZ_MATCH_CHESS, HZ_FAULT_ILLEGAL},
        {ENGINE(NONE, "echo \"bestmove (none)\""), HZ_MATCH_CHESS, HZ_FAULT_ILLEGAL},
        {ENGINE(NONE, "echo bestmove hello"), HZ_MATCH_CHESS, HZ_FAULT_GARBLED},
        {ENGINE(NONE, "echo bestmove"), HZ_MATCH_CHESS, HZ_FAULT_GARBLED},
        {ENGINE(NONE, "echo bestmove e2e4q"), HZ_MATCH_CHESS, HZ_FAULT_ILLEGAL},
        {ENGINE(NONE, "echo bestmovee2e4; echo best move e2e4"), HZ_MATCH_CHESS,
         HZ_FAULT_TIMED_OUT},
        {ENGINE(NONE, "exit 3"), HZ_MATCH_CHESS, HZ_FAULT_LOST},
        {ENGINE(NONE, "kill -9 $$"), HZ_MATCH_CHESS, HZ_FAULT_LOST},
        {ENGINE(NONE, "exec >/dev/null; sleep 100"), HZ_MATCH_CHESS, HZ_FAULT_LOST},
        {ENGINE(NONE, ":"), HZ_MATCH_CHESS, HZ_FAULT_TIMED_OUT},
        {ENGINE(NONE, "cat /dev/zero"), HZ_MATCH_CHESS, HZ_FAULT_OVERSIZED},
        {ENGINE(DICE, "echo bestmove -"), HZ_MATCH_DICE, HZ_FAULT_ILLEGAL},
        {ENGINE(DICE, "echo bestmove e2e4"), HZ_MATCH_DICE, HZ_FAULT_ILLEGAL},
        {ENGINE(DICE, "echo bestmove e2e4,g1f3,a1a2"), HZ_MATCH_DICE, HZ_FAULT_ILLEGAL},
        {ENGINE(DICE, "echo bestmove ???"), HZ_MATCH_DICE, HZ_FAULT_GARBLED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        table *t = new_table(cases[i].game == HZ_MATCH_CHESS ? START : ROLLED);
        hz_match_reply reply = ask_once(t, cases[i].engine, cases[i].game);
        test_same_number(cases[i].engine, "fault", cases[i].fault, reply.fault);
        assert_true(reply.note[0] != '\0');
        free_table(t);
    }
}

static void endless_lines_end_with_the_time_or_the_amount(void **state) {
    (void)state;
    table *t = new_table(START);
    hz_match_reply reply = ask_once(t, ENGINE(NONE, "yes info"), HZ_MATCH_CHESS);
    assert_true(reply.fault == HZ_FAULT_TIMED_OUT || reply.fault == HZ_FAULT_OVERSIZED);
    free_table(t);
}

static void clock_is_the_time_out_of_a_timed_game(void **state) {
    (void)state;
    table *t = new_table(START);
    hz_match_player player;
    open_player(t, ENGINE(NONE, ":"), "", HZ_MATCH_CHESS, &player);
    hz_match_question question = question_at(t, HZ_MATCH_CHESS, 0);
    question.timed = true;
    question.rest_ms[HZ_WHITE] = 80;
    question.rest_ms[HZ_BLACK] = 100000;
    uint64_t start = hz_clock_now_ns();
    hz_match_reply reply = ask(&player, &question);
    uint64_t us = (hz_clock_now_ns() - start) / 1000;
    assert_int_equal(reply.fault, HZ_FAULT_TIMED_OUT);
    assert_true(us - reply.free_us >= 80000);
    hz_match_player_close(&player);
    free_table(t);
}

static void a_crashed_program_is_started_again(void **state) {
    (void)state;
    table *t = new_table(START);
    hz_match_player player;
    hz_error err;
    open_player(t, ENGINE(NONE, "exit"), "depth=1", HZ_MATCH_CHESS, &player);
    for (uint64_t i = 0; i < 3; i++) {
        hz_match_question question = question_at(t, HZ_MATCH_CHESS, i);
        hz_match_reply reply = ask(&player, &question);
        assert_int_equal(reply.fault, HZ_FAULT_LOST);
        if (i == 1) {
            assert_int_equal(player.start(&player, &err), HZ_OK);
        }
    }
    hz_match_player_close(&player);
    expect_transcript(t, "uci\nisready\nucinewgame\nisready\nposition fen " START "\ngo depth 1\n"
                         "uci\nisready\nucinewgame\nisready\nposition fen " START "\ngo depth 1\n"
                         "uci\nisready\nucinewgame\nisready\nposition fen " START "\ngo depth 1\n");
    free_table(t);
}

static void a_program_that_does_not_come_back_loses_and_nothing_more(void **state) {
    (void)state;
    table *t = new_table(START);
    hz_match_player player;
    hz_error err;
    /* The second start finds the mark of the first and ends at once. */
    open_player(
        t,
        "sh -c 'if [ -s \"$1\" ]; then exit; fi; while read -r l; do echo $l >>\"$1\"; case "
        "$l in uci) echo uciok;; isready) echo readyok;; go*) exit;; esac; done' x ",
        "depth=1", HZ_MATCH_CHESS, &player);
    assert_int_equal(player.start(&player, &err), HZ_OK);
    for (uint64_t i = 0; i < 2; i++) {
        hz_match_question question = question_at(t, HZ_MATCH_CHESS, i);
        hz_match_reply reply = ask(&player, &question);
        assert_int_equal(reply.fault, HZ_FAULT_LOST);
    }
    assert_int_equal(player.start(&player, &err), HZ_PLAYER);
    hz_match_player_close(&player);
    free_table(t);
}

static void raised_flag_ends_the_wait(void **state) {
    (void)state;
    table *t = new_table(START);
    hz_match_player player;
    hz_match_reply reply;
    hz_error err;
    open_player(t, ENGINE(NONE, ":"), "depth=1", HZ_MATCH_CHESS, &player);
    assert_int_equal(player.start(&player, &err), HZ_OK);
    hz_match_question question = question_at(t, HZ_MATCH_CHESS, 0);
    hz_cancel_request(&t->cancel);
    assert_int_equal(player.ask(&player, &question, &reply, &err), HZ_CANCELLED);
    hz_match_player_close(&player);
    free_table(t);
}

/* ---- bad commands ---- */

static void unusable_commands_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *command;
        hz_status status;
    } cases[] = {{"", HZ_BAD_OPTION},
                 {"  ", HZ_BAD_OPTION},
                 {"''", HZ_BAD_OPTION},
                 {"engine depth=0", HZ_BAD_OPTION},
                 {"engine depth=x", HZ_BAD_OPTION},
                 {"engine nodes=", HZ_BAD_OPTION},
                 {"engine movetime=99999999999", HZ_BAD_OPTION},
                 {"engine option.=3", HZ_BAD_OPTION},
                 {"engine option.Hash", HZ_BAD_OPTION},
                 {"engine 'x", HZ_INVALID_ARGUMENT},
                 {"engine\nquit", HZ_INVALID_ARGUMENT}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hz_match_player player = {.name = "untouched"};
        hz_error err;
        test_same_number(
            cases[i].command, "status", (uint64_t)-cases[i].status,
            (uint64_t)-hz_match_player_uci(cases[i].command, HZ_MATCH_CHESS, &player, &err));
        assert_true(err.message[0] != '\0');
        assert_string_equal(player.name, "untouched");
    }
}

static void programs_that_cannot_play_do_not_start(void **state) {
    (void)state;
    static const struct {
        const char *command;
        hz_match_game game;
    } cases[] = {{"/no/such/engine", HZ_MATCH_CHESS},
                 {"true", HZ_MATCH_CHESS},
                 {"cat /dev/zero", HZ_MATCH_CHESS},
                 {"yes", HZ_MATCH_CHESS},
                 {"sh -c 'read l; echo uciok; read l; exit'", HZ_MATCH_CHESS},
                 {"sh -c 'read l; echo uciok; read l'", HZ_MATCH_DICE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hz_match_player player;
        hz_error err;
        assert_int_equal(hz_match_player_uci(cases[i].command, cases[i].game, &player, &err),
                         HZ_OK);
        assert_int_equal(player.start(&player, &err), HZ_PLAYER);
        test_true(err.message, "names the command", strstr(err.message, player.name) != NULL);
        hz_match_player_close(&player);
    }
}

static void chess_without_clock_and_limit_is_refused(void **state) {
    (void)state;
    table *t = new_table(START);
    hz_match_player player;
    hz_match_reply reply;
    hz_error err;
    open_player(t, ENGINE(NONE, "echo bestmove e2e4"), "", HZ_MATCH_CHESS, &player);
    hz_match_question question = question_at(t, HZ_MATCH_CHESS, 0);
    assert_int_equal(player.ask(&player, &question, &reply, &err), HZ_BAD_OPTION);
    assert_non_null(strstr(err.message, "movetime="));
    hz_match_player_close(&player);
    free_table(t);
}

/* ---- a real program ---- */

static void stockfish_plays_a_legal_game_against_itself(void **state) {
    (void)state;
    static const char *const places[] = {"/usr/games/stockfish", "/usr/bin/stockfish"};
    const char *engine = access(places[0], X_OK) == 0   ? places[0]
                         : access(places[1], X_OK) == 0 ? places[1]
                                                        : NULL;
    if (!engine) {
        test_leave_out("stockfish is not installed");
    }
    char command[100];
    hz_match_player player;
    hz_chess_game game;
    hz_error err;
    table *t = new_table(START);
    (void)snprintf(command, sizeof command, "%s nodes=300 option.Hash=4", engine);
    assert_int_equal(hz_match_player_uci(command, HZ_MATCH_CHESS, &player, &err), HZ_OK);
    assert_int_equal(hz_chess_game_init(&game, &t->start, &err), HZ_OK);
    for (int ply = 0; ply < 30 && hz_chess_game_end(&game) == HZ_CHESS_GOES_ON; ply++) {
        hz_match_question question = question_at(t, HZ_MATCH_CHESS, 0);
        question.position = &game.now;
        question.moves = game.moves;
        question.move_count = game.count;
        question.color = (hz_color)game.now.side;
        hz_match_reply reply = ask(&player, &question);
        assert_int_equal(reply.fault, HZ_FAULT_NONE);
        assert_true(reply.has_score && reply.nodes > 0);
        assert_int_equal(hz_chess_game_play(&game, reply.move, &err), HZ_OK);
    }
    hz_chess_game_fini(&game);
    hz_match_player_close(&player);
    free_table(t);
}

static void no_program_is_left_behind(void **state) {
    (void)state;
    errno = 0;
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chess_program_is_told_all_it_needs),
        cmocka_unit_test(a_new_game_is_announced_and_an_old_one_is_not),
        cmocka_unit_test(scores_and_nodes_are_read_from_info_lines),
        cmocka_unit_test(bad_answers_are_faults_kept_apart),
        cmocka_unit_test(endless_lines_end_with_the_time_or_the_amount),
        cmocka_unit_test(clock_is_the_time_out_of_a_timed_game),
        cmocka_unit_test(a_crashed_program_is_started_again),
        cmocka_unit_test(a_program_that_does_not_come_back_loses_and_nothing_more),
        cmocka_unit_test(raised_flag_ends_the_wait),
        cmocka_unit_test(unusable_commands_are_refused),
        cmocka_unit_test(programs_that_cannot_play_do_not_start),
        cmocka_unit_test(chess_without_clock_and_limit_is_refused),
        cmocka_unit_test(stockfish_plays_a_legal_game_against_itself),
        cmocka_unit_test(no_program_is_left_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
