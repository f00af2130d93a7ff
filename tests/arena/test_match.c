/* SPDX-License-Identifier: MIT */
/* Runs of many games: the same outcome however they are shared and interrupted, bad players lose
 * their own games and no others, files hold what was played. */
#include <pthread.h>

#include "arena/players.h"

#include <jansson.h>
#include <math.h>

#include "arena/counters.h"
#include "arena/files.h"
#include "arena/text.h"
#include "support/positions.h"

static const char *const greedy_random[] = {"greedy", "random"};

static hz_match_config config_of(const char *const *players, uint64_t pairs) {
    hz_match_config config = hz_match_config_default();
    config.players = players;
    config.pairs = pairs;
    return config;
}

/* Runs a config to its end; the caller frees. */
static hz_match_run *run_config(const hz_match_config *config) {
    hz_match_run *run = NULL;
    hz_error err;
    hz_error_clear(&err);
    if (hz_match_run_new(config, &run, &err) != HZ_OK || hz_match_run_play(run, &err) != HZ_OK) {
        fail_msg("%s: %s", hz_status_name(err.code), err.message);
    }
    return run;
}

/* The report without what differs from run to run; the caller frees. */
static char *lasting_report(const hz_match_run *run) {
    static const char *const passing[] = {"created", "machine",     "latency_ms",
                                          "wall_ms", "ms_per_turn", "pairs_resumed"};
    hzi_text text = {0};
    json_error_t why;
    assert_int_equal(hz_match_report_json(hz_match_run_view(run), hzi_text_sink, &text, NULL),
                     HZ_OK);
    json_t *report = json_loadb(text.bytes, text.length, 0, &why);
    assert_non_null(report);
    json_t *pairings = json_object_get(report, "pairings");
    for (size_t i = 0; i < sizeof passing / sizeof *passing; i++) {
        (void)json_object_del(report, passing[i]);
        for (size_t k = 0; k < json_array_size(pairings); k++) {
            (void)json_object_del(json_array_get(pairings, k), passing[i]);
        }
    }
    char *dump = json_dumps(report, JSON_SORT_KEYS);
    json_decref(report);
    hzi_text_fini(&text);
    return dump;
}

static void same_outcome(const hz_match_config *config, const char *expected) {
    hz_match_run *run = run_config(config);
    char *report = lasting_report(run);
    assert_string_equal(report, expected);
    free(report);
    hz_match_run_free(run);
}

/* ---- one outcome ---- */

static void any_number_of_workers_gives_the_same_report(void **state) {
    (void)state;
    static const char *const players[] = {"aggressive", "greedy", "random"};
    static const hz_sprt test = {-20.0, 20.0, 0.05, 0.05};
    for (int scheme = HZ_SCHEME_MATCH; scheme <= HZ_SCHEME_GAUNTLET; scheme++) {
        hz_match_config config = config_of(players, test_effort(60));
        config.scheme = (hz_match_scheme)scheme;
        config.player_count = scheme == HZ_SCHEME_MATCH ? 2 : 3;
        config.sprt = scheme == HZ_SCHEME_MATCH ? &test : NULL;
        config.luck = "king";
        config.rules.carelessness = true;
        config.rules.verify = true;
        hz_match_run *run = run_config(&config);
        char *report = lasting_report(run);
        for (unsigned threads = 2; threads <= 8; threads *= 2) {
            config.threads = threads;
            same_outcome(&config, report);
        }
        free(report);
        hz_match_run_free(run);
    }
}

static void a_test_stops_at_the_same_pair_with_any_number_of_workers(void **state) {
    (void)state;
    static const hz_sprt test = {0.0, 20.0, 0.05, 0.05};
    hz_match_config config = config_of(greedy_random, 5000);
    config.sprt = &test;
    hz_match_run *run = run_config(&config);
    const hz_match_view *view = hz_match_run_view(run);
    assert_true(view->decided && view->pairs_done < 200);
    assert_int_equal(view->pairings[0].sprt.verdict, HZ_SPRT_H1);
    /* the pair before, the test had not decided */
    hz_match_counts before = view->pairings[0].tally.counts;
    before.pairs[view->pairings[0].tally.path[view->pairs_done - 1]]--;
    assert_int_equal(hz_sprt_evaluate(&test, &before).verdict, HZ_SPRT_CONTINUE);
    char *report = lasting_report(run);
    config.threads = 7;
    same_outcome(&config, report);
    free(report);
    hz_match_run_free(run);
}

static void a_player_against_itself_splits_every_pair_move_for_move(void **state) {
    (void)state;
    static const char *const pairs[][2] = {
        {"random", "random"},
        {"aggressive", "aggressive"},
        {"monte-carlo:rollouts=3,plies=4", "monte-carlo:rollouts=3,plies=4"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        test_folder folder;
        test_folder_make(&folder);
        hz_match_config config = config_of(pairs[i], i == 2 ? 2 : test_effort(40));
        config.games_log = test_file(&folder, "log");
        config.threads = 3;
        hz_match_run *run = run_config(&config);
        const hz_match_tally *t = &hz_match_run_view(run)->pairings[0].tally;
        assert_int_equal(t->counts.pairs[2], config.pairs);
        assert_int_equal(test_total(t->counts.pairs, 5), config.pairs);
        char *log = test_read(config.games_log, NULL);
        char *line = log;
        for (uint64_t pair = 0; pair < config.pairs; pair++) {
            json_error_t why;
            json_t *games[2];
            for (int game = 0; game < 2; game++) {
                games[game] = json_loads(line, JSON_DISABLE_EOF_CHECK, &why);
                assert_non_null(games[game]);
                assert_int_equal(json_integer_value(json_object_get(games[game], "pair")), pair);
                assert_int_equal(json_integer_value(json_object_get(games[game], "game")), game);
                line = strchr(line, '\n') + 1;
            }
            json_t *a = json_object_get(games[0], "turns"), *b = json_object_get(games[1], "turns");
            assert_int_equal(json_array_size(a), json_array_size(b));
            for (size_t turn = 0; turn < json_array_size(a); turn++) {
                for (size_t part = 0; part < 3; part++) {
                    assert_true(json_equal(json_array_get(json_array_get(a, turn), part),
                                           json_array_get(json_array_get(b, turn), part)));
                }
            }
            json_decref(games[0]);
            json_decref(games[1]);
        }
        assert_int_equal(*line, '\0');
        free(log);
        hz_match_run_free(run);
        test_folder_remove(&folder);
    }
}

static void swapping_the_players_mirrors_the_counters(void **state) {
    (void)state;
    static const char *const other_way[] = {"random", "greedy"};
    hz_match_config config = config_of(greedy_random, test_effort(60));
    hz_match_config swapped = config_of(other_way, config.pairs);
    hz_match_run *run = run_config(&config), *mirror = run_config(&swapped);
    const hz_match_tally *t = &hz_match_run_view(run)->pairings[0].tally;
    const hz_match_tally *m = &hz_match_run_view(mirror)->pairings[0].tally;
    hz_match_counts expected = test_swapped(&t->counts);
    assert_memory_equal(&m->counts, &expected, sizeof expected);
    for (int color = 0; color < 2; color++) {
        for (int points = 0; points < 3; points++) {
            assert_int_equal(t->by_color[color][points], m->by_color[1 - color][2 - points]);
        }
    }
    assert_int_equal(t->plies, m->plies);
    assert_int_equal(t->sides[0].answers, m->sides[1].answers);
    hz_match_run_free(run);
    hz_match_run_free(mirror);
}

/* ---- players that misbehave ---- */

typedef struct cast {
    test_player makers[8];
    size_t made;
    test_player pattern; /* of B */
    pthread_mutex_t lock;
} cast;

static hz_status open_cast(void *context, size_t player, hz_match_player *instance, hz_error *err) {
    cast *c = context;
    (void)err;
    (void)pthread_mutex_lock(&c->lock);
    assert_true(c->made < 8);
    test_player *maker = &c->makers[c->made++];
    (void)pthread_mutex_unlock(&c->lock);
    *maker = player == 1 ? c->pattern : (test_player){.manner = TEST_RANDOM};
    *instance = test_player_make(maker, player == 1 ? "bad" : "good");
    return HZ_OK;
}

static void play_cast(cast *c, const test_player *pattern, uint64_t pairs, hz_match_tally *tally) {
    hz_match_config config = config_of(NULL, pairs);
    *c = (cast){.pattern = *pattern};
    assert_int_equal(pthread_mutex_init(&c->lock, NULL), 0);
    config.open = open_cast;
    config.open_context = c;
    hz_match_run *run = run_config(&config);
    *tally = hz_match_run_view(run)->pairings[0].tally;
    tally->path = NULL;
    tally->latency = NULL;
    hz_match_run_free(run);
    (void)pthread_mutex_destroy(&c->lock);
}

static void a_cheating_player_loses_its_games_and_is_counted(void **state) {
    (void)state;
    cast c;
    hz_match_tally t;
    play_cast(&c, &(test_player){.manner = TEST_CHEATS}, 10, &t);
    assert_int_equal(t.counts.games[2], 20);
    assert_int_equal(t.ends[HZ_END_ILLEGAL], 20);
    assert_true(t.illegal[0] == 0 && t.illegal[1] == 20);
    assert_true(t.faults[0] + t.faults[1] + t.flags[0] + t.flags[1] == 0);
}

static void a_lost_player_loses_its_game_and_is_started_again(void **state) {
    (void)state;
    cast c;
    hz_match_tally t;
    test_player pattern = {.manner = TEST_FAULTS, .fault = HZ_FAULT_LOST, .from = 2};
    play_cast(&c, &pattern, 10, &t);
    uint64_t lost = t.ends[HZ_END_LOST];
    assert_true(lost > 0 && lost == t.faults[1]);
    assert_int_equal(t.counts.games[2], lost + t.ends[HZ_END_KING] - t.counts.games[0]);
    const test_player *bad = &c.makers[1];
    assert_int_equal(bad->starts, lost + (bad->asked_in_game > 2 ? 0 : 1));
    assert_int_equal(bad->closes, 1);
}

static void a_player_that_does_not_start_again_loses_what_is_left(void **state) {
    (void)state;
    cast c;
    hz_match_tally t;
    test_player pattern = {
        .manner = TEST_FAULTS, .fault = HZ_FAULT_GARBLED, .fails_to_start = true};
    play_cast(&c, &pattern, 5, &t);
    assert_int_equal(t.counts.games[2], 10);
    assert_int_equal(t.ends[HZ_END_GARBLED], 1);
    assert_int_equal(t.ends[HZ_END_LOST], 9);
    assert_int_equal(c.makers[1].asked, 1);
}

static void http_answers_are_counted_by_their_status(void **state) {
    (void)state;
    cast c;
    hz_match_tally t;
    test_player pattern = {
        .manner = TEST_FAULTS, .fault = HZ_FAULT_HTTP_STATUS, .http_status = 502};
    play_cast(&c, &pattern, 3, &t);
    assert_int_equal(t.http_count, 1);
    assert_true(t.http[0].status == 502 && t.http[0].count == 6);
    assert_int_equal(t.faults[1], 6);
}

/* ---- interruptions ---- */

typedef struct watch {
    hz_cancel *cancel;
    uint64_t at;
} watch;

static void stop_at(void *context, const hz_match_view *view) {
    watch *w = context;
    if (view->pairs_done >= w->at) {
        hz_cancel_request(w->cancel);
    }
}

static void a_stopped_run_goes_on_to_the_same_end(void **state) {
    (void)state;
    static const char *const players[] = {"aggressive", "greedy", "random"};
    hz_random random = hz_random_from_seed(test_seed());
    for (int scheme = HZ_SCHEME_MATCH; scheme <= HZ_SCHEME_GAUNTLET; scheme++) {
        hz_match_config config = config_of(players, test_effort(30) + 3);
        config.scheme = (hz_match_scheme)scheme;
        config.player_count = scheme == HZ_SCHEME_MATCH ? 2 : 3;
        config.luck = "king";
        config.rules.carelessness = true;
        test_folder folder, whole;
        test_folder_make(&folder);
        test_folder_make(&whole);
        config.games_log = test_file(&whole, "log");
        config.games_record = test_file(&whole, "record");
        hz_match_run *run = run_config(&config);
        char *expected = lasting_report(run);
        hz_match_run_free(run);
        char *record = test_read(config.games_record, NULL);

        config.games_log = test_file(&folder, "log");
        config.games_record = test_file(&folder, "record");
        config.checkpoint = test_file(&folder, "checkpoint");
        config.archive = test_file(&folder, "archive");
        config.resume = true;
        config.progress = stop_at;
        uint64_t done = 0;
        size_t rounds = 0;
        for (bool over = false; !over; rounds++) {
            hz_cancel cancel = {0};
            watch w = {&cancel, done + 1 + hz_random_draw(&random, 12)};
            config.rules.cancel = &cancel;
            config.progress_context = &w;
            config.threads = 1 + hz_random_draw(&random, 3);
            run = run_config(&config);
            const hz_match_view *view = hz_match_run_view(run);
            assert_int_equal(view->pairs_resumed, done);
            assert_true(view->pairs_done > done);
            done = view->pairs_done;
            over = !view->cancelled;
            assert_true(over == (done == view->pairs_cap) || done == view->pairs_cap);
            if (over) {
                char *report = lasting_report(run);
                assert_string_equal(report, expected);
                free(report);
            }
            hz_match_run_free(run);
            /* a kill may come after the files were written and before the checkpoint was */
            FILE *file = fopen(config.games_record, "ab");
            assert_non_null(file);
            (void)fputs("[HazardRecord \"1\"]\nhalf a ga", file);
            (void)fclose(file);
        }
        test_met(rounds > 1);
        config.rules.cancel = NULL;
        config.progress = NULL;
        same_outcome(&config, expected); /* a finished run says it again */
        char *same = test_read(config.games_record, NULL);
        assert_string_equal(same, record);
        free(same);
        free(record);
        free(expected);
        test_folder_remove(&folder);
        test_folder_remove(&whole);
    }
}

static void the_checkpoint_of_another_run_is_refused_by_the_field(void **state) {
    (void)state;
    test_folder folder;
    test_folder_make(&folder);
    hz_match_config config = config_of(greedy_random, 3);
    config.checkpoint = test_file(&folder, "checkpoint");
    hz_match_run_free(run_config(&config));
    config.resume = true;
    config.pairs = 4; /* more of the same is no other run */
    hz_match_run_free(run_config(&config));

    static const char *const others[] = {"greedy", "greedy-v2"};
    static const char *const first[] = {"greedy-v2", "random"};
    static const hz_sprt test = {0.0, 20.0, 0.05, 0.05};
    hz_position start = test_position("4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
    hz_openings openings = {1, &start};
    struct {
        const char *word;
        hz_match_config config;
    } cases[14];
    size_t count = sizeof cases / sizeof *cases;
    for (size_t i = 0; i < count; i++) {
        cases[i].config = config;
    }
    cases[0].word = "player_2", cases[0].config.players = others;
    cases[1].word = "seed", cases[1].config.seed = 43;
    cases[2].word = "control", cases[2].config.rules.control.base_ms = 1000;
    cases[3].word = "test", cases[3].config.sprt = &test;
    cases[4].word = "starts", cases[4].config.openings = &openings;
    cases[5].word = "dice", cases[5].config.fresh_dice = true;
    cases[6].word = "luck", cases[6].config.luck = "king";
    cases[7].word = "max_plies", cases[7].config.rules.max_plies = 999;
    cases[8].word = "kind", cases[8].config.scheme = HZ_SCHEME_GAUNTLET;
    cases[9].word = "carelessness", cases[9].config.rules.carelessness = true;
    cases[10].word = "player_1", cases[10].config.players = first;
    cases[11].word = "overhead_ms", cases[11].config.rules.overhead_ms++;
    cases[12].word = "time_policy", cases[12].config.rules.policy = HZ_TIME_LEGACY;
    cases[13].word = "resign", cases[13].config.rules.resign_score = 500;
    cases[13].config.rules.resign_turns = 3;
    for (size_t i = 0; i < count; i++) {
        hz_match_run *run = NULL;
        hz_error err;
        assert_int_equal(hz_match_run_new(&cases[i].config, &run, &err), HZ_CHECKPOINT);
        assert_null(run);
        test_true(cases[i].word, err.message, strstr(err.message, cases[i].word) != NULL);
    }
    config.resume = false;
    hz_match_run *run = NULL;
    hz_error err;
    assert_int_equal(hz_match_run_new(&config, &run, &err), HZ_CHECKPOINT);
    assert_non_null(strstr(err.message, "already"));
    test_folder_remove(&folder);
}

static void a_damaged_checkpoint_is_refused_whatever_is_wrong(void **state) {
    (void)state;
    test_folder folder;
    test_folder_make(&folder);
    hz_match_config config = config_of(greedy_random, 4);
    config.checkpoint = test_file(&folder, "checkpoint");
    hz_match_run_free(run_config(&config));
    config.resume = true;
    size_t length;
    char *good = test_read(config.checkpoint, &length);
    hz_random random = hz_random_from_seed(test_seed());
    size_t refused = 0, cases = test_effort(120);
    for (size_t i = 0; i < cases; i++) {
        char *bad = malloc(length + 1);
        assert_non_null(bad);
        memcpy(bad, good, length + 1);
        size_t end = length, at = hz_random_draw(&random, (uint32_t)length);
        if (i % 2) {
            end = at;
        } else {
            bad[at] = (char)(bad[at] ^ (1 << hz_random_draw(&random, 7)));
        }
        test_write(config.checkpoint, bad, end);
        hz_match_run *run = NULL;
        hz_error err;
        hz_status status = hz_match_run_new(&config, &run, &err);
        /* Of the first line, the time used so far may be another number. */
        assert_true(status == HZ_OK || status == HZ_CHECKPOINT);
        refused += status == HZ_CHECKPOINT;
        if (i % 2 || at > (size_t)(strchr(good, '\n') - good)) {
            assert_int_equal(status, HZ_CHECKPOINT);
        }
        hz_match_run_free(run);
        free(bad);
    }
    assert_true(refused * 2 >= cases);
    free(good);
    test_folder_remove(&folder);
}

/* ---- files ---- */

static void records_follow_the_rules_and_their_seeds(void **state) {
    (void)state;
    test_folder folder;
    test_folder_make(&folder);
    hz_match_config config = config_of(greedy_random, 10);
    config.games_record = test_file(&folder, "record");
    config.fresh_dice = true;
    hz_match_run_free(run_config(&config));
    size_t length, games = 0;
    char *text = test_read(config.games_record, &length);
    hz_record_reader *reader = malloc(sizeof *reader);
    hz_arena arena = {0};
    hz_record record;
    hz_error err;
    assert_non_null(reader);
    hz_record_reader_init_text(reader, text, length);
    uint64_t seeds[20];
    for (; hz_record_read(reader, &arena, &record, &err) == HZ_OK; games++) {
        assert_int_equal(hz_record_replay(&record, true, NULL, NULL, NULL, &err), HZ_OK);
        assert_string_equal(record.players[games % 2], "greedy");
        assert_string_equal(record.players[1 - games % 2], "random");
        seeds[games % 20] = record.seed;
        hz_arena_reset(&arena);
    }
    assert_int_equal(games, 20);
    for (size_t i = 0; i < 20; i++) {
        for (size_t k = 0; k < i; k++) {
            assert_true(seeds[i] != seeds[k]); /* fresh dice */
        }
    }
    hz_arena_fini(&arena);
    free(reader);
    free(text);
    test_folder_remove(&folder);
}

static void chess_games_are_stored_as_pgn_that_reads_back(void **state) {
    (void)state;
    static const char *const players[] = {"search:depth=2", "search:depth=1"};
    static const char *const starts[] = {
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
        "rnbqkb1r/pp1ppppp/5n2/2p5/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 1 3"};
    hz_position positions[2] = {test_position(starts[0]), test_position(starts[1])};
    hz_openings openings = {2, positions};
    test_folder folder;
    test_folder_make(&folder);
    hz_match_config config = config_of(players, 2);
    config.rules.game = HZ_MATCH_CHESS;
    config.rules.verify = true;
    config.rules.max_plies = 60;
    config.openings = &openings;
    config.games_record = test_file(&folder, "pgn");
    hz_match_run *run = run_config(&config);
    const hz_match_tally *t = &hz_match_run_view(run)->pairings[0].tally;
    size_t length, games = 0;
    char *text = test_read(config.games_record, &length);
    hz_pgn_reader *reader = hz_pgn_reader_text(text, length, false, true);
    hz_arena arena = {0};
    hz_pgn_game game;
    hz_error err;
    uint64_t plies = 0, points[3] = {0};
    for (; hz_pgn_read(reader, &arena, &game, &err) == HZ_OK; games++) {
        const char *white = hz_pgn_tag_find(&game, "White");
        assert_string_equal(white, players[games % 2]);
        assert_true(hz_position_same_board(&game.start, &positions[games / 2]));
        plies += game.plies;
        points[game.result == HZ_PGN_DRAW                          ? 1
               : (game.result == HZ_PGN_WHITE) == (games % 2 == 0) ? 2
                                                                   : 0]++;
        hz_arena_reset(&arena);
    }
    assert_int_equal(games, 4);
    assert_int_equal(plies, t->plies);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(points[i], t->counts.games[i]);
    }
    hz_pgn_reader_free(reader);
    hz_arena_fini(&arena);
    free(text);
    hz_match_run_free(run);
    test_folder_remove(&folder);
}

static void files_that_are_there_are_not_overwritten(void **state) {
    (void)state;
    test_folder folder;
    test_folder_make(&folder);
    hz_match_config config = config_of(greedy_random, 1);
    config.games_log = test_file(&folder, "log");
    test_write(config.games_log, "mine\n", 5);
    hz_match_run *run = NULL;
    hz_error err;
    assert_int_equal(hz_match_run_new(&config, &run, &err), HZ_IO);
    assert_non_null(strstr(err.message, "already"));
    char *text = test_read(config.games_log, NULL);
    assert_string_equal(text, "mine\n");
    free(text);
    test_folder_remove(&folder);
}

static void a_full_disk_ends_the_run_and_loses_nothing(void **state) {
    (void)state;
    if (access("/dev/full", W_OK) != 0) {
        test_leave_out("this system has no /dev/full");
    }
    test_folder folder;
    test_folder_make(&folder);
    hz_match_config config = config_of(greedy_random, 10);
    config.checkpoint = test_file(&folder, "checkpoint");
    config.games_log = "/dev/full";
    hz_match_run *run = NULL;
    hz_error err;
    assert_int_equal(hz_match_run_new(&config, &run, &err), HZ_OK);
    assert_int_equal(hz_match_run_play(run, &err), HZ_IO);
    assert_non_null(strstr(err.message, "/dev/full"));
    assert_int_equal(hz_match_run_view(run)->pairs_done, 0);
    hz_match_run_free(run);
    config.games_log = test_file(&folder, "log");
    config.resume = true;
    hz_match_run_free(run_config(&config));
    test_folder_remove(&folder);
}

/* ---- what is refused before the first game ---- */

static void bad_runs_are_refused_with_a_reason(void **state) {
    (void)state;
    static const char *const unknown[] = {"greedy", "gredy"};
    static const char *const option[] = {"greedy", "monte-carlo:rollout=3"};
    static const char *const no_model[] = {"onnx-eval:model=/nonexistent", "greedy"};
    static const char *const no_chess[] = {"search:depth=0", "search"};
    static const char *const dice_in_chess[] = {"greedy", "search"};
    static const hz_sprt upside_down = {20.0, 0.0, 0.05, 0.05};
    hz_match_config base = config_of(greedy_random, 3);
    struct {
        hz_status status;
        const char *word;
        hz_match_config config;
    } cases[] = {{HZ_UNKNOWN_BOT, "aggressive", base},
                 {HZ_BAD_OPTION, "rollout", base},
                 {HZ_MODEL_FILE, "", base},
                 {HZ_BAD_OPTION, "depth", base},
                 {HZ_UNKNOWN_BOT, "search", base},
                 {HZ_INVALID_ARGUMENT, "elo", base},
                 {HZ_CONFLICT, "match", base},
                 {HZ_CONFLICT, "Dice", base},
                 {HZ_INVALID_ARGUMENT, "pair", base},
                 {HZ_INVALID_ARGUMENT, "resume", base},
                 {HZ_UNKNOWN_BOT, "luc", base},
                 {HZ_INVALID_ARGUMENT, "luck", base}};
    cases[0].config.players = unknown;
    cases[1].config.players = option;
    cases[2].config.players = no_model;
    cases[3].config.players = no_chess, cases[3].config.rules.game = HZ_MATCH_CHESS;
    cases[4].config.players = dice_in_chess, cases[4].config.rules.game = HZ_MATCH_CHESS;
    cases[5].config.sprt = &upside_down;
    cases[6].config.sprt = &upside_down, cases[6].config.scheme = HZ_SCHEME_ROUND_ROBIN;
    cases[7].config.luck = "king", cases[7].config.rules.game = HZ_MATCH_CHESS;
    cases[8].config.pairs = 0;
    cases[9].config.resume = true;
    cases[10].config.luck = "luc";
    cases[11].config.luck = "random";
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hz_match_run *run = NULL;
        hz_error err;
        hz_error_clear(&err);
        assert_int_equal(hz_match_run_new(&cases[i].config, &run, &err), cases[i].status);
        assert_null(run);
        test_true(cases[i].word, err.message, strstr(err.message, cases[i].word) != NULL);
    }
}

static void schemes_pair_the_right_players(void **state) {
    (void)state;
    static const char *const players[] = {"random", "greedy", "aggressive", "greedy"};
    hz_match_config config = config_of(players, 1);
    config.player_count = 4;
    config.scheme = HZ_SCHEME_ROUND_ROBIN;
    hz_match_run *run = run_config(&config);
    const hz_match_view *view = hz_match_run_view(run);
    assert_int_equal(view->pairing_count, 6);
    assert_int_equal(view->pairs_done, 6);
    assert_string_equal(view->players[1].name, "greedy");
    assert_string_equal(view->players[3].name, "greedy #2");
    bool met[4][4] = {{false}};
    for (size_t i = 0; i < 6; i++) {
        const hz_match_pairing *p = &view->pairings[i];
        assert_true(p->a < p->b && !met[p->a][p->b]);
        met[p->a][p->b] = true;
        assert_int_equal(test_total(p->tally.counts.pairs, 5), 1);
    }
    hz_match_run_free(run);
    config.scheme = HZ_SCHEME_GAUNTLET;
    run = run_config(&config);
    view = hz_match_run_view(run);
    assert_int_equal(view->pairing_count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_true(view->pairings[i].a == 0 && view->pairings[i].b == i + 1);
    }
    hz_match_run_free(run);
}

static void single_games_are_counted_as_such(void **state) {
    (void)state;
    hz_match_config config = config_of(greedy_random, 20);
    config.fresh_dice = true;
    hz_match_run *run = run_config(&config);
    const hz_match_counts *c = &hz_match_run_view(run)->pairings[0].tally.counts;
    assert_int_equal(test_total(c->pairs, 5), 0);
    assert_int_equal(test_total(c->singles, 3), 40);
    assert_memory_equal(c->singles, c->games, sizeof c->games);
    hz_match_run_free(run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_workers_gives_the_same_report),
        cmocka_unit_test(a_test_stops_at_the_same_pair_with_any_number_of_workers),
        cmocka_unit_test(a_player_against_itself_splits_every_pair_move_for_move),
        cmocka_unit_test(swapping_the_players_mirrors_the_counters),
        cmocka_unit_test(a_cheating_player_loses_its_games_and_is_counted),
        cmocka_unit_test(a_lost_player_loses_its_game_and_is_started_again),
        cmocka_unit_test(a_player_that_does_not_start_again_loses_what_is_left),
        cmocka_unit_test(http_answers_are_counted_by_their_status),
        cmocka_unit_test(a_stopped_run_goes_on_to_the_same_end),
        cmocka_unit_test(the_checkpoint_of_another_run_is_refused_by_the_field),
        cmocka_unit_test(a_damaged_checkpoint_is_refused_whatever_is_wrong),
        cmocka_unit_test(records_follow_the_rules_and_their_seeds),
        cmocka_unit_test(chess_games_are_stored_as_pgn_that_reads_back),
        cmocka_unit_test(files_that_are_there_are_not_overwritten),
        cmocka_unit_test(a_full_disk_ends_the_run_and_loses_nothing),
        cmocka_unit_test(bad_runs_are_refused_with_a_reason),
        cmocka_unit_test(schemes_pair_the_right_players),
        cmocka_unit_test(single_games_are_counted_as_such),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
