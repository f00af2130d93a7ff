/* SPDX-License-Identifier: MIT */
/*
 * The store: the way of a submission, who has to wait, the order of the board, files that are not
 * ours, and a program that is killed while it writes.
 */
#define _DEFAULT_SOURCE /* usleep */

#include "league/league.h"

#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- a store in a folder of its own ---------------------------------------------------------------- */

typedef struct place {
    char folder[60], path[100];
    hz_league_store *store;
} place;

static void open_store(place *p) {
    hz_error err;
    if (hz_league_store_open(p->path, &p->store, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
}

static place *new_place(void) {
    place *p = calloc(1, sizeof *p);
    assert_non_null(p);
    test_copy(p->folder, sizeof p->folder, "/tmp/hazard-league-XXXXXX");
    assert_non_null(mkdtemp(p->folder));
    (void)snprintf(p->path, sizeof p->path, "%s/league.db", p->folder);
    return p;
}

static place *fresh(void) {
    place *p = new_place();
    open_store(p);
    return p;
}

static void drop(place *p) {
    static const char *const ends[] = {"", "-wal", "-shm", "-journal"};
    char path[140];
    hz_league_store_close(p->store);
    for (int i = 0; i < 4; i++) {
        (void)snprintf(path, sizeof path, "%s%s", p->path, ends[i]);
        (void)unlink(path);
    }
    assert_int_equal(rmdir(p->folder), 0);
    free(p);
}

typedef struct answer {
    hz_league_answer what;
    int64_t id, wait_s;
} answer;

static answer submit(place *p, const char *author, const char *bytes, int64_t now) {
    answer a;
    hz_error err;
    if (hz_league_store_submit(p->store, author, "an idea", bytes, strlen(bytes), now, false,
                               &a.what, &a.id, &a.wait_s, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
    return a;
}

static void good(hz_status status, const hz_error *err) {
    if (status != HZ_OK) {
        fail_msg("%s", err->message);
    }
}

static void decide(place *p, int64_t id, int64_t now, int code, uint64_t parameters) {
    hz_league_verdict verdict = {.code = code, .counted = true, .executor = "builtin"};
    hz_error err;
    verdict.parameters = (hz_parameters){parameters, parameters, 32 * parameters};
    test_copy(verdict.message, sizeof verdict.message, code ? "a reason" : "");
    good(hz_league_store_begin_check(p->store, id, now, &err), &err);
    good(hz_league_store_verdict(p->store, id, now, &verdict, &err), &err);
}

/* Games of a level as they would be played: `wins` wins in one move, then draws, then losses. */
static void play_level(place *p, int64_t id, int64_t now, int level, bool second, int wins,
                       int draws) {
    static const hz_league_opening won = {"A00", "mate",
                                          "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6"}; /* Qxf7# */
    static const hz_league_opening lost = {"A00", "mated", "f2f3 e7e5 g2g4 a7a6"};
    hz_error err;
    for (int number = 1; number <= HZ_LEAGUE_GAMES; number++) {
        bool win = number <= wins, draw = !win && number <= wins + draws;
        hz_color color = number % 2 ? HZ_WHITE : HZ_BLACK;
        hz_chess_game game;
        const hz_league_opening *opening = draw ? &hz_league_openings[0] : win ? &won : &lost;
        static const char *const mate[] = {"h5f7"}, *const mated[] = {"a2a3", "d8h4"};
        static const char *const again[] = {"b1a3", "f6g8", "a3b1", "g8f6",
                                            "b1a3", "f6g8", "a3b1", "g8f6"};
        const char *const *moves = draw ? again : win ? mate : mated;
        int count = draw ? 8 : win ? 1 : 2;
        /* Who mates is White in the first and Black in the second; the evaluator has its colour. */
        bool white_wins = win;
        if (!draw && white_wins != (color == HZ_WHITE) && win) {
            opening = &lost;
            moves = mated;
            count = 2;
        } else if (!draw && !win && color == HZ_BLACK) {
            opening = &won;
            moves = mate;
            count = 1;
        }
        good(hz_league_opening_game(opening, &game, &err), &err);
        for (int i = 0; i < count; i++) {
            hz_move move;
            good(hz_chess_move_from_text(&game.now, moves[i], 4, &move, &err), &err);
            good(hz_chess_game_play(&game, move, &err), &err);
        }
        hz_league_record record = {
            .level = level,
            .second = second,
            .number = number,
            .opening = opening,
            .game = &game,
            .result = {.opening = (number + 1) / 2,
                       .color = color,
                       .points2 = win    ? 2
                                  : draw ? 1
                                         : 0,
                       .reason = draw ? HZ_LEAGUE_THREEFOLD : HZ_LEAGUE_CHECKMATE,
                       .plies = game.count}};
        good(hz_league_store_add_game(p->store, id, now, &record, &err), &err);
        hz_chess_game_fini(&game);
    }
}

static hz_league_score score_of(int wins, int draws) {
    return (hz_league_score){HZ_LEAGUE_GAMES, wins, draws, HZ_LEAGUE_GAMES - wins - draws};
}

/* A whole entry: levels 1 to `level` passed with `wins` wins, then one lost. */
static int64_t entry(place *p, const char *author, const char *bytes, int64_t now,
                     uint64_t parameters, int level, int wins, int draws) {
    answer a = submit(p, author, bytes, now);
    hz_league_run_result result = {.level = level};
    hz_error err;
    assert_int_equal(a.what, HZ_LEAGUE_QUEUED);
    decide(p, a.id, now, 0, parameters);
    for (int i = 1; i <= level; i++) {
        play_level(p, a.id, now, i, false, wins, draws);
        result.levels[i - 1] = score_of(wins, draws);
    }
    if (level < HZ_LEAGUE_LEVELS) {
        int last = level ? 0 : wins;
        play_level(p, a.id, now, level + 1, false, last, level ? 0 : draws);
        result.levels[level] = score_of(last, level ? 0 : draws);
    }
    good(hz_league_store_finish(p->store, a.id, now, &result, &err), &err);
    return a.id;
}

/* ---- the way of a submission ---------------------------------------------------------------------- */

static void an_entry_goes_its_way(void **state) {
    (void)state;
    place *p = fresh();
    hz_league_entry e;
    hz_error err;
    char text[80];
    answer a = submit(p, "Ada", "bytes", 1000);
    assert_int_equal(a.what, HZ_LEAGUE_QUEUED);
    good(hz_league_store_entry(p->store, a.id, &e, &err), &err);
    assert_string_equal(e.status, "queued");
    assert_string_equal(e.author, "Ada");
    assert_string_equal(e.strategy, "an idea");
    assert_int_equal(e.time, 1000);
    assert_int_equal(e.bytes, 5);
    void *bytes;
    size_t length;
    good(hz_league_store_bytes(p->store, a.id, &bytes, &length, &err), &err);
    assert_int_equal(length, 5);
    assert_memory_equal(bytes, "bytes", 5);
    free(bytes);
    decide(p, a.id, 1001, 0, 77);
    good(hz_league_store_entry(p->store, a.id, &e, &err), &err);
    (void)hz_league_entry_status(&e, text, sizeof text);
    assert_string_equal(text, "playing (level 1, game 1)");
    assert_int_equal(e.parameters.strict, 77);
    play_level(p, a.id, 1002, 1, false, 35, 1);
    good(hz_league_store_entry(p->store, a.id, &e, &err), &err);
    (void)hz_league_entry_status(&e, text, sizeof text);
    assert_string_equal(text, "playing (level 2, game 1)");
    play_level(p, a.id, 1002, 2, false, 3, 4);
    play_level(p, a.id, 1002, 1, true, 10, 0);
    hz_league_run_result result = {.level = 1,
                                   .levels = {score_of(35, 1), score_of(3, 4)},
                                   .second = score_of(10, 0),
                                   .fitted = true};
    good(hz_league_store_finish(p->store, a.id, 1003, &result, &err), &err);
    good(hz_league_store_entry(p->store, a.id, &e, &err), &err);
    (void)hz_league_entry_status(&e, text, sizeof text);
    assert_string_equal(text, "done, fitted to the openings");
    (void)hz_league_entry_score(&e, text, sizeof text);
    assert_string_equal(text, "Lv 1, 35.5/50 (71%)");
    assert_memory_equal(&e.levels[1], &result.levels[1], sizeof e.levels[1]);
    assert_memory_equal(&e.second, &result.second, sizeof e.second);
    assert_int_equal(e.finished, 1003);
    /* A file that was here is not played again, whoever brings it. */
    answer b = submit(p, "Bob", "bytes", 1004);
    assert_int_equal(b.what, HZ_LEAGUE_KNOWN);
    assert_int_equal(b.id, a.id);
    drop(p);
}

static void steps_out_of_order_are_refused(void **state) {
    (void)state;
    place *p = fresh();
    hz_error err;
    hz_league_verdict verdict = {.code = 0};
    hz_league_run_result result = {.level = 1, .levels = {score_of(50, 0)}};
    answer a = submit(p, "Ada", "bytes", 1000);
    assert_int_equal(hz_league_store_verdict(p->store, a.id, 1000, &verdict, &err), HZ_CONFLICT);
    assert_int_equal(hz_league_store_finish(p->store, a.id, 1000, &result, &err),
                     HZ_INVALID_ARGUMENT);
    decide(p, a.id, 1000, 0, 1);
    assert_int_equal(hz_league_store_begin_check(p->store, a.id, 1000, &err), HZ_CONFLICT);
    /* A score that the games do not have. */
    play_level(p, a.id, 1000, 1, false, 49, 1);
    assert_int_equal(hz_league_store_finish(p->store, a.id, 1000, &result, &err),
                     HZ_INVALID_ARGUMENT);
    result.levels[0] = score_of(49, 1);
    good(hz_league_store_finish(p->store, a.id, 1000, &result, &err), &err);
    assert_int_equal(hz_league_store_fail(p->store, a.id, 1000, "x", &err), HZ_CONFLICT);
    hz_league_entry e;
    assert_int_equal(hz_league_store_entry(p->store, 99, &e, &err), HZ_NOT_FOUND);
    drop(p);
}

static void texts_are_checked(void **state) {
    (void)state;
    place *p = fresh();
    static const struct {
        const char *author, *strategy;
        bool good;
    } cases[] = {
        {"", "x", false},
        {"   ", "x", false},
        {"Ada", "", true},
        {"A\xc3\xa4 \xe2\x99\x9e", "1", true},
        {"A\nda", "x", false},
        {"Ada", "a\tb", false},
        {"A\xff", "x", false},
        {"A\xc0\x80", "x", false},
        {"A\xed\xa0\x80", "x", false},
        {"A\xe2\x80\xae", "x", false}, /* turns the line round */
        {"A\xc2\x85", "x", false},
        /* Names that look like another, or like none: blanks at an end, what cannot be seen. */
        {" Ada", "x", false},
        {"Ada ", "x", false},
        {"\xc2\xa0", "x", false},
        {"\xe3\x80\x80", "x", false},
        {"A\xe2\x80\x8b", "x", false},
        {"A\xe2\x80\x8e"
         "da",
         "x", false},
        {"\xef\xbb\xbf"
         "Ada",
         "x", false},
        {"A\xc2\xad"
         "da",
         "x", false},
        {"A\xf3\xa0\x81\x81", "x", false},
        {"A\xee\x80\x80", "x", false},
        {"A\xef\xbf\xbe", "x", false},
        {"A\xf4\x90\x80\x80", "x", false},
        {"A\xe2\x80", "x", false},
        {"Ada Lovelace", "two words", true},
        {"\xe2\x99\x9e\xe2\x80\x8d\xe2\x99\x98", " blanks here ", true},
        {"Ada", "A\xe2\x80\x8b", false},
        {"1234567890123456789012345678901234567890", "2", true},
        {"12345678901234567890123456789012345678901", "x", false},
        {"B", "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
         true},
        {"C",
         "12345678901234567890123456789012345678901234567890123456789012345678901234567890"
         "1",
         false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        answer a;
        hz_error err;
        hz_status status = hz_league_store_submit(p->store, cases[i].author, cases[i].strategy,
                                                  cases[i].strategy, strlen(cases[i].strategy),
                                                  1000, false, &a.what, &a.id, &a.wait_s, &err);
        test_true(cases[i].author, "texts",
                  status == (cases[i].good ? HZ_OK : HZ_INVALID_ARGUMENT));
    }
    drop(p);
}

/* ---- waiting --------------------------------------------------------------------------------------- */

static void an_author_waits_ten_minutes_after_an_entry_that_plays(void **state) {
    (void)state;
    place *p = fresh();
    answer a = submit(p, "Ada", "one", 10000);
    decide(p, a.id, 10002, 0, 5);
    a = submit(p, "Ada", "two", 10599);
    assert_int_equal(a.what, HZ_LEAGUE_WAIT);
    assert_int_equal(a.wait_s, 1);
    a = submit(p, "Bob", "three", 10599); /* others do not wait */
    assert_int_equal(a.what, HZ_LEAGUE_QUEUED);
    a = submit(p, "Ada", "one", 10599); /* what is known needs no wait */
    assert_int_equal(a.what, HZ_LEAGUE_KNOWN);
    a = submit(p, "Ada", "two", 10600);
    assert_int_equal(a.what, HZ_LEAGUE_QUEUED);
    drop(p);
}

static void refused_files_do_not_start_the_timer_but_six_a_minute_do(void **state) {
    (void)state;
    place *p = fresh();
    char bytes[20];
    answer a;
    for (int i = 0; i < 6; i++) {
        (void)snprintf(bytes, sizeof bytes, "file %d", i);
        a = submit(p, "Ada", bytes, 10000 + i);
        assert_int_equal(a.what, HZ_LEAGUE_QUEUED);
        decide(p, a.id, 10000 + i, HZ_LEAGUE_E06_INPUT, 5);
    }
    a = submit(p, "Ada", "seventh", 10010);
    assert_int_equal(a.what, HZ_LEAGUE_WAIT);
    assert_int_equal(a.wait_s, 50);
    a = submit(p, "Bob", "eighth", 10010);
    assert_int_equal(a.what, HZ_LEAGUE_QUEUED);
    a = submit(p, "Ada", "seventh", 10059);
    assert_int_equal(a.what, HZ_LEAGUE_WAIT);
    a = submit(p, "Ada", "seventh", 10060);
    assert_int_equal(a.what, HZ_LEAGUE_QUEUED);
    drop(p);
}

static void an_undecided_file_keeps_its_author_waiting(void **state) {
    (void)state;
    place *p = fresh();
    answer a = submit(p, "Ada", "one", 10000);
    int64_t id = a.id;
    a = submit(p, "Ada", "two", 10001);
    assert_int_equal(a.what, HZ_LEAGUE_WAIT);
    decide(p, id, 10001, HZ_LEAGUE_E02_PARSE, 0);
    a = submit(p, "Ada", "two", 10001);
    assert_int_equal(a.what, HZ_LEAGUE_QUEUED);
    drop(p);
}

/* A clock that ran a year ahead and was set right: nobody waits a year for it. */
static void a_clock_that_was_wrong_does_not_lock_anybody_out(void **state) {
    (void)state;
    enum { YEAR = 31536000 };
    place *p = fresh();
    hz_error err;
    answer a = submit(p, "Ada", "one", 10000 + YEAR);
    decide(p, a.id, 10000 + YEAR, 0, 5);
    int64_t playing = a.id;
    a = submit(p, "Bob", "two", 10000 + YEAR);
    a = submit(p, "Bob", "three", 10000);
    assert_int_equal(a.what, HZ_LEAGUE_QUEUED);
    a = submit(p, "Ada", "four", 10000);
    assert_int_equal(a.what, HZ_LEAGUE_QUEUED);
    /* Who plays with a sign of life from next year is taken for dead. */
    good(hz_league_store_begin_check(p->store, playing, 10000, &err), &err);
    drop(p);
    /* Set back a little, the pause is kept: the whole of it from now. */
    p = fresh();
    a = submit(p, "Ada", "one", 10300);
    decide(p, a.id, 10300, 0, 5);
    assert_int_equal(hz_league_store_begin_check(p->store, a.id, 10000, &err), HZ_CONFLICT);
    a = submit(p, "Ada", "two", 10000);
    assert_int_equal(a.what, HZ_LEAGUE_WAIT);
    assert_int_equal(a.wait_s, 600);
    drop(p);
}

static void references_do_not_wait(void **state) {
    (void)state;
    place *p = fresh();
    for (int i = 0; i < 10; i++) {
        char bytes[20];
        answer a;
        hz_error err;
        (void)snprintf(bytes, sizeof bytes, "file %d", i);
        good(hz_league_store_submit(p->store, "us", "reference", bytes, strlen(bytes), 1000, true,
                                    &a.what, &a.id, &a.wait_s, &err),
             &err);
        assert_int_equal(a.what, HZ_LEAGUE_QUEUED);
    }
    drop(p);
}

/* ---- the queue -------------------------------------------------------------------------------------- */

static void what_a_killed_program_left_is_taken_up_again(void **state) {
    (void)state;
    place *p = fresh();
    hz_error err;
    hz_league_entry e;
    int64_t id;
    answer first = submit(p, "Ada", "one", 1000), second = submit(p, "Bob", "two", 1000);
    decide(p, first.id, 1000, 0, 5);
    play_level(p, first.id, 1200, 1, false, 1, 0);
    good(hz_league_store_next(p->store, 1300, &id, &err), &err);
    assert_int_equal(id, second.id);
    assert_int_equal(hz_league_store_next(p->store, 1799, &id, &err), HZ_NOT_FOUND);
    good(hz_league_store_next(p->store, 1800, &id, &err), &err); /* ten minutes of silence */
    assert_int_equal(id, first.id);
    good(hz_league_store_entry(p->store, id, &e, &err), &err);
    assert_string_equal(e.status, "checking");
    assert_int_equal(e.levels[0].played, 0);
    /* A failure of our own does not count against the author and may come again. */
    good(hz_league_store_fail(p->store, id, 1801, "no memory", &err), &err);
    answer again = submit(p, "Ada", "one", 1802);
    assert_int_equal(again.what, HZ_LEAGUE_QUEUED);
    assert_true(again.id != first.id);
    drop(p);
}

/* Whoever brings the same bytes again need not wait for somebody to clear up. */
static void what_a_killed_program_left_is_taken_by_its_number_too(void **state) {
    (void)state;
    place *p = fresh();
    hz_error err;
    hz_league_entry e;
    answer first = submit(p, "Ada", "one", 1000), again = submit(p, "Ada", "one", 1001);
    assert_int_equal(again.what, HZ_LEAGUE_KNOWN);
    good(hz_league_store_begin_check(p->store, again.id, 1001, &err), &err); /* it waited */
    assert_int_equal(hz_league_store_begin_check(p->store, first.id, 1600, &err), HZ_CONFLICT);
    good(hz_league_store_begin_check(p->store, first.id, 1601, &err), &err);
    hz_league_verdict verdict = {.counted = true, .executor = "builtin"};
    good(hz_league_store_verdict(p->store, first.id, 1601, &verdict, &err), &err);
    play_level(p, first.id, 1700, 1, false, 1, 0);
    assert_int_equal(hz_league_store_begin_check(p->store, first.id, 2299, &err), HZ_CONFLICT);
    good(hz_league_store_begin_check(p->store, first.id, 2300, &err), &err);
    good(hz_league_store_entry(p->store, first.id, &e, &err), &err);
    assert_string_equal(e.status, "checking");
    assert_int_equal(e.levels[0].played, 0); /* from the beginning */
    /* The one who was thought dead finds out that he is. */
    hz_league_run_result result = {.level = 0};
    assert_int_equal(hz_league_store_finish(p->store, first.id, 2301, &result, &err), HZ_CONFLICT);
    drop(p);
}

static void done_entries_are_gone_through_one_by_one(void **state) {
    (void)state;
    place *p = fresh();
    hz_error err;
    int64_t id = 0, first = entry(p, "Ada", "one", 1000, 5, 0, 1, 0);
    answer refused = submit(p, "Bob", "two", 1000);
    decide(p, refused.id, 1000, HZ_LEAGUE_E06_INPUT, 0);
    int64_t last = entry(p, "Bea", "three", 1000, 5, 1, 40, 0);
    good(hz_league_store_next_done(p->store, 0, &id, &err), &err);
    assert_int_equal(id, first);
    good(hz_league_store_next_done(p->store, id, &id, &err), &err);
    assert_int_equal(id, last);
    assert_int_equal(hz_league_store_next_done(p->store, id, &id, &err), HZ_NOT_FOUND);
    drop(p);
}

/* ---- the board -------------------------------------------------------------------------------------- */

static bool add_row(void *state, const hz_league_row *row) {
    char line[200], score[60];
    (void)hz_league_entry_score(row->best, score, sizeof score);
    (void)snprintf(line, sizeof line, "%d %s %llu %s|%s|%lld\n", row->rank, row->best->author,
                   (unsigned long long)row->best->parameters.strict, score, row->newest_status,
                   (long long)row->attempts);
    test_text_add(state, line);
    return true;
}

static void the_board_ranks_by_level_then_parameters(void **state) {
    (void)state;
    place *p = fresh();
    hz_error err;
    test_text text = {0};
    good(hz_league_store_board(p->store, add_row, &text, &err), &err);
    assert_string_equal(test_text_get(&text), ""); /* it starts empty */
    (void)entry(p, "Ada", "a1", 1000, 500, 1, 40, 0);
    (void)entry(p, "Ada", "a2", 2000, 900, 2, 36, 0); /* her best: a higher level */
    (void)entry(p, "Bob", "b1", 1000, 300, 1, 35, 0);
    (void)entry(p, "Cid", "c1", 1001, 300, 1, 36, 0); /* as many parameters, more points */
    (void)entry(p, "Dot", "d1", 1002, 300, 1, 36, 0); /* later */
    (void)entry(p, "Eve", "e1", 1003, 5, 0, 34, 1);   /* no level, few parameters */
    answer refused = submit(p, "Bob", "b2", 3000);
    decide(p, refused.id, 3000, HZ_LEAGUE_E06_INPUT, 0);
    answer nobody = submit(p, "Fay", "f1", 3000);
    decide(p, nobody.id, 3000, HZ_LEAGUE_E02_PARSE, 0);
    answer playing = submit(p, "Gil", "g1", 3000);
    decide(p, playing.id, 3000, 0, 1);
    answer reference;
    good(hz_league_store_submit(p->store, "us", "material", "ref", 3, 3000, true, &reference.what,
                                &reference.id, &reference.wait_s, &err),
         &err);
    decide(p, reference.id, 3000, 0, 5);
    play_level(p, reference.id, 3000, 1, false, 2, 4);
    hz_league_run_result result = {.levels = {score_of(2, 4)}};
    good(hz_league_store_finish(p->store, reference.id, 3000, &result, &err), &err);
    good(hz_league_store_board(p->store, add_row, &text, &err), &err);
    assert_string_equal(test_text_get(&text), "1 Ada 900 Lv 2, 36/50 (72%)|done|2\n"
                                              "2 Cid 300 Lv 1, 36/50 (72%)|done|1\n"
                                              "3 Dot 300 Lv 1, 36/50 (72%)|done|1\n"
                                              "4 Bob 300 Lv 1, 35/50 (70%)|rejected (E06)|1\n"
                                              "5 Eve 5 Lv 0, 34.5/50 (69%)|done|1\n"
                                              "6 Gil 1 -|playing (level 1, game 1)|1\n"
                                              "0 us 5 Lv 0, 4/50 (8%)|done|1\n");
    test_text_free(&text);
    drop(p);
}

/* ---- games ------------------------------------------------------------------------------------------- */

static bool count_games(void *state, const hz_league_record *record) {
    int *count = state;
    ++*count;
    assert_int_equal(record->number, (*count - 1) % 50 + 1);
    return true;
}

static void games_are_replayed_before_they_are_shown(void **state) {
    (void)state;
    place *p = fresh();
    hz_error err;
    int count = 0;
    int64_t id = entry(p, "Ada", "a1", 1000, 500, 1, 40, 0);
    good(hz_league_store_games(p->store, id, count_games, &count, &err), &err);
    assert_int_equal(count, 2 * HZ_LEAGUE_GAMES);
    assert_int_equal(hz_league_store_games(p->store, 77, count_games, &count, &err), HZ_NOT_FOUND);
    /* Somebody changes a game behind our back. */
    static const char *const changes[] = {
        "UPDATE games SET moves = moves || ' a7a6' WHERE number = 3 AND level = 1",
        "UPDATE games SET points2 = 1 WHERE number = 3 AND level = 1",
        "UPDATE games SET reason = 'stalemate' WHERE number = 3 AND level = 1",
        "UPDATE games SET reason = 'boredom' WHERE number = 3 AND level = 1",
        "UPDATE games SET moves = '' WHERE number = 3 AND level = 1",
        "UPDATE games SET color = 1 - color WHERE number = 3 AND level = 1"};
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        sqlite3 *db;
        assert_int_equal(sqlite3_open(p->path, &db), SQLITE_OK);
        assert_int_equal(
            sqlite3_exec(db, "CREATE TEMP TABLE old AS SELECT * FROM games", NULL, NULL, NULL),
            SQLITE_OK);
        assert_int_equal(sqlite3_exec(db, changes[i], NULL, NULL, NULL), SQLITE_OK);
        count = 0;
        hz_status status = hz_league_store_games(p->store, id, count_games, &count, &err);
        test_true(changes[i], "is found", status == HZ_RECORD_REPLAY && count == 2);
        assert_int_equal(sqlite3_exec(db, "DELETE FROM games; INSERT INTO games SELECT * FROM old",
                                      NULL, NULL, NULL),
                         SQLITE_OK);
        (void)sqlite3_close(db);
    }
    drop(p);
}

/* ---- files ------------------------------------------------------------------------------------------- */

static void run_sql(const char *path, const char *sql) {
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void foreign_and_damaged_files_are_refused_and_left_alone(void **state) {
    (void)state;
    hz_error err;
    place *p = new_place();
    run_sql(p->path, "CREATE TABLE mine(x); INSERT INTO mine VALUES(1)");
    assert_int_equal(hz_league_store_open(p->path, &p->store, &err), HZ_IO);
    assert_non_null(strstr(err.message, "something else"));
    run_sql(p->path, "INSERT INTO mine SELECT x + 1 FROM mine");
    drop(p);

    p = new_place();
    FILE *file = fopen(p->path, "wb");
    assert_non_null(file);
    for (int i = 0; i < 1000; i++) {
        (void)fputs("this is a letter to my aunt\n", file);
    }
    (void)fclose(file);
    assert_int_equal(hz_league_store_open(p->path, &p->store, &err), HZ_IO);
    drop(p);

    p = fresh(); /* a newer one */
    hz_league_store_close(p->store);
    p->store = NULL;
    run_sql(p->path, "PRAGMA user_version = 99");
    assert_int_equal(hz_league_store_open(p->path, &p->store, &err), HZ_IO);
    assert_non_null(strstr(err.message, "version 99"));
    drop(p);

    p = fresh(); /* a page of nonsense */
    (void)entry(p, "Ada", "a1", 1000, 500, 0, 1, 0);
    hz_league_store_close(p->store);
    p->store = NULL;
    run_sql(p->path, "PRAGMA wal_checkpoint(TRUNCATE)");
    file = fopen(p->path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 4096, SEEK_SET), 0);
    for (int i = 0; i < 4096 * 3; i++) {
        (void)fputc(i * 7 & 255, file);
    }
    (void)fclose(file);
    assert_int_equal(hz_league_store_open(p->path, &p->store, &err), HZ_IO);
    drop(p);

    p = new_place();
    assert_int_equal(hz_league_store_open("/nonexistent/folder/league.db", &p->store, &err), HZ_IO);
    assert_null(p->store);
    drop(p);
}

static void an_older_file_is_brought_up_to_date(void **state) {
    (void)state;
    place *p = fresh();
    (void)entry(p, "Ada", "a1", 1000, 500, 1, 40, 0);
    hz_league_store_close(p->store);
    p->store = NULL;
    /* What the second step added is taken away again. */
    run_sql(p->path, "DROP INDEX submissions_digest; DROP INDEX submissions_author;"
                     "ALTER TABLE submissions DROP COLUMN executor_version;"
                     "PRAGMA user_version = 1");
    open_store(p);
    hz_league_entry e;
    hz_error err;
    good(hz_league_store_entry(p->store, 1, &e, &err), &err);
    assert_string_equal(e.author, "Ada");
    assert_int_equal(e.level, 1);
    (void)entry(p, "Bob", "b1", 1000, 500, 1, 40, 0);
    drop(p);
}

/* ---- kills -------------------------------------------------------------------------------------------- */

/* Submits and plays without end; the process is killed in the midst of it. */
static void write_forever(place *p, uint64_t seed) {
    hz_random random = hz_random_from_seed(seed);
    for (int64_t i = 0;; i++) {
        char author[40], bytes[40];
        (void)snprintf(author, sizeof author, "author %llu", (unsigned long long)seed);
        (void)snprintf(bytes, sizeof bytes, "%llu %lld", (unsigned long long)seed, (long long)i);
        int64_t now = 1000 + 1000 * i;
        if (hz_random_draw(&random, 3) == 0) {
            answer a = submit(p, author, bytes, now);
            decide(p, a.id, now, HZ_LEAGUE_E06_INPUT, 1);
        } else {
            (void)entry(p, author, bytes, now, 1 + hz_random_draw(&random, 100), 0, 3, 9);
        }
    }
}

static int64_t ask_number(const char *path, const char *sql) {
    sqlite3 *db;
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    int64_t number = sqlite3_column_int64(statement, 0);
    (void)sqlite3_finalize(statement);
    (void)sqlite3_close(db);
    return number;
}

static void a_kill_at_any_moment_leaves_a_sound_store(void **state) {
    (void)state;
    place *p = fresh();
    hz_random random = hz_random_from_seed(test_seed());
    int64_t before = 0;
    hz_league_store_close(p->store);
    p->store = NULL;
    for (uint64_t round = 0; round < test_effort(40); round++) {
        (void)fflush(stdout);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            open_store(p);
            write_forever(p, round);
            _exit(0);
        }
        usleep(2000 + hz_random_draw(&random, 60000));
        assert_int_equal(kill(child, SIGKILL), 0);
        assert_int_equal(waitpid(child, NULL, 0), child);
        open_store(p); /* checks every page */
        test_text text = {0};
        hz_error err;
        good(hz_league_store_board(p->store, add_row, &text, &err), &err);
        test_text_free(&text);
        hz_league_store_close(p->store);
        p->store = NULL;
        /* Nothing that was there is gone; what is done is whole, what is refused has no games. */
        int64_t now = ask_number(p->path, "SELECT count(*) FROM submissions WHERE status IN "
                                          "('done', 'rejected')");
        assert_true(now >= before);
        before = now;
        assert_int_equal(
            ask_number(p->path, "SELECT count(*) FROM submissions s WHERE status = 'done' AND "
                                "((SELECT count(*) FROM games WHERE submission = s.id) <> 50 OR "
                                "(SELECT played || wins || draws FROM runs WHERE submission = "
                                "s.id) <> '5039')"),
            0);
        assert_int_equal(ask_number(p->path,
                                    "SELECT count(*) FROM submissions s WHERE status <> 'done' AND "
                                    "EXISTS (SELECT 1 FROM runs WHERE submission = s.id)"),
                         0);
        assert_int_equal(ask_number(p->path, "SELECT count(*) FROM submissions s WHERE status = "
                                             "'rejected' AND EXISTS (SELECT 1 FROM games WHERE "
                                             "submission = s.id)"),
                         0);
        assert_int_equal(ask_number(p->path, "SELECT count(*) FROM submissions s WHERE NOT EXISTS "
                                             "(SELECT 1 FROM files f WHERE f.digest = s.digest)"),
                         0);
    }
    test_met(before > 10);
    drop(p);
}

static void two_programs_share_a_store(void **state) {
    (void)state;
    place *p = fresh();
    pid_t children[2];
    (void)fflush(stdout);
    hz_league_store_close(p->store);
    p->store = NULL;
    for (int k = 0; k < 2; k++) {
        children[k] = fork();
        assert_true(children[k] >= 0);
        if (children[k] == 0) {
            open_store(p);
            for (int i = 0; i < 5; i++) {
                char author[20], bytes[20];
                (void)snprintf(author, sizeof author, "author %d", k);
                (void)snprintf(bytes, sizeof bytes, "%d %d", k, i);
                (void)entry(p, author, bytes, 1000 + 1000 * i, 5, 0, 1, 1);
            }
            hz_league_store_close(p->store);
            _exit(0);
        }
    }
    for (int k = 0; k < 2; k++) {
        int end;
        assert_int_equal(waitpid(children[k], &end, 0), children[k]);
        assert_true(WIFEXITED(end) && WEXITSTATUS(end) == 0);
    }
    assert_int_equal(ask_number(p->path, "SELECT count(*) FROM games"), 500);
    drop(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_entry_goes_its_way),
        cmocka_unit_test(steps_out_of_order_are_refused),
        cmocka_unit_test(texts_are_checked),
        cmocka_unit_test(an_author_waits_ten_minutes_after_an_entry_that_plays),
        cmocka_unit_test(refused_files_do_not_start_the_timer_but_six_a_minute_do),
        cmocka_unit_test(an_undecided_file_keeps_its_author_waiting),
        cmocka_unit_test(a_clock_that_was_wrong_does_not_lock_anybody_out),
        cmocka_unit_test(references_do_not_wait),
        cmocka_unit_test(what_a_killed_program_left_is_taken_up_again),
        cmocka_unit_test(what_a_killed_program_left_is_taken_by_its_number_too),
        cmocka_unit_test(done_entries_are_gone_through_one_by_one),
        cmocka_unit_test(the_board_ranks_by_level_then_parameters),
        cmocka_unit_test(games_are_replayed_before_they_are_shown),
        cmocka_unit_test(foreign_and_damaged_files_are_refused_and_left_alone),
        cmocka_unit_test(an_older_file_is_brought_up_to_date),
        cmocka_unit_test(a_kill_at_any_moment_leaves_a_sound_store),
        cmocka_unit_test(two_programs_share_a_store),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
