/* SPDX-License-Identifier: MIT */
/* What chess search promises around the value: limits, lines, draws, mates, failures, threads. */
#include "search/chess_games.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

static hz_chess_answer search_fen(hz_chess_search *search, const char *fen,
                                  const hz_chess_limits *limits) {
    hz_chess_game game = game_from(fen);
    hz_chess_search_clear(search);
    hz_chess_answer answer = search_run(search, &game, limits);
    line_is_legal(&game, &answer.line);
    hz_chess_game_fini(&game);
    return answer;
}

static hz_chess_search *plain(void) {
    return search_new(&(hz_chess_search_config){.table_bytes = 1 << 20});
}

/* ---- the end of the game ------------------------------------------------------------------------- */

static void mates_are_found_at_their_distance(void **state) {
    (void)state;
    test_table table = test_table_load("search_mates.tsv", 2);
    int found[6] = {0};
    hz_chess_search *search = plain();
    for (size_t i = 0; i < table.count; i++) {
        int moves = (int)test_number(table.rows[i].field[1]);
        assert_in_range(moves, 1, 5);
        hz_chess_limits limits = {.mate = moves, .nodes = 3000000};
        hz_chess_answer answer = search_fen(search, table.rows[i].field[0], &limits);
        if (hz_chess_mate_in(answer.line.score) != moves) {
            fail_msg("%s: mate in %d is scored %d", table.rows[i].field[0], moves,
                     (int)answer.line.score);
        }
        found[moves]++;
    }
    for (int moves = 1; moves <= 5; moves++) {
        assert_true(found[moves] >= 8);
    }
    hz_chess_search_free(search);
    test_table_free(&table);
}

static void every_evaluator_mates_on_either_side(void **state) {
    (void)state;
    for (size_t i = 0; hz_evaluator_static_name(i); i++) {
        hz_evaluator evaluator;
        assert_int_equal(hz_evaluator_static(hz_evaluator_static_name(i), &evaluator, NULL), HZ_OK);
        hz_chess_search *search =
            search_new(&(hz_chess_search_config){.evaluators = &evaluator, .batched = true});
        for (int depth = 1; depth <= 4; depth++) {
            hz_chess_limits limits = {.depth = depth};
            hz_chess_answer answer =
                search_fen(search, "6k1/5ppp/8/8/8/q7/5PPP/6K1 b - - 0 1", &limits);
            assert_int_equal(answer.line.score, HZ_CHESS_MATE - 1);
            answer = search_fen(search, "6k1/5ppp/Q7/8/8/8/5PPP/6K1 w - - 0 1", &limits);
            assert_int_equal(answer.line.score, HZ_CHESS_MATE - 1);
        }
        hz_chess_search_free(search);
    }
}

static void a_finished_game_has_no_move(void **state) {
    (void)state;
    hz_chess_search *search = plain();
    static const char *const fens[] = {
        "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"};
    for (size_t i = 0; i < 2; i++) {
        hz_chess_answer answer = search_fen(search, fens[i], &(hz_chess_limits){.depth = 3});
        assert_false(answer.has_move);
        assert_int_equal(answer.line.length, 0);
        assert_int_equal(answer.nodes, 0);
    }
    hz_chess_search_free(search);
}

/* The value of one root move at any depth, through the choice of root moves. */
static int32_t value_of(hz_chess_search *search, const hz_chess_game *game, const char *text,
                        int depth) {
    hz_move move;
    assert_int_equal(hz_chess_move_from_text(&game->now, text, strlen(text), &move, NULL), HZ_OK);
    hz_chess_limits limits = {.depth = depth, .moves = &move, .move_count = 1};
    hz_chess_search_clear(search);
    hz_chess_answer answer = search_run(search, game, &limits);
    assert_int_equal(answer.move, move);
    return answer.line.score;
}

static void draws_by_the_rules_are_worth_nothing(void **state) {
    (void)state;
    static const struct {
        const char *fen, *before, *move;
    } cases[] = {
        {"8/8/4k3/8/8/4K3/4R3/8 w - - 99 80", "", "e2d2"}, /* fifty moves */
        {"7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", "", "g1g6"},    /* stalemate */
        {"8/8/4k3/8/8/3pK3/8/4B3 w - - 0 1", "", "e3d3"},  /* dead material */
        /* the third time, a queen ahead */
        {"4k3/8/8/8/8/8/8/QN2K3 w - - 0 1", "b1c3 e8e7 c3b1 e7e8 b1c3 e8e7 c3b1", "e7e8"},
    };
    hz_chess_search *search = plain();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hz_chess_game game = game_from(cases[i].fen);
        game_play(&game, cases[i].before);
        for (int depth = 1; depth <= 8; depth++) {
            int32_t value = value_of(search, &game, cases[i].move, depth);
            if (value != 0) {
                fail_msg("%s %s: %d", cases[i].fen, cases[i].move, (int)value);
            }
        }
        hz_chess_game_fini(&game);
    }
    hz_chess_search_free(search);
}

/* A second occurrence that lies before the root is no draw yet. */
static void twice_before_the_root_is_no_draw(void **state) {
    (void)state;
    hz_chess_search *search = plain();
    hz_chess_game game = game_from("4k3/8/8/8/8/8/8/QN2K3 w - - 0 1");
    game_play(&game, "b1c3 e8e7 c3b1");
    assert_true(value_of(search, &game, "e7e8", 1) < -500);
    hz_chess_game_fini(&game);
    hz_chess_search_free(search);
}

static void mate_on_the_last_move_of_fifty_is_mate(void **state) {
    (void)state;
    hz_chess_search *search = plain();
    hz_chess_game game = game_from("7k/8/6K1/8/8/8/8/R7 w - - 99 120");
    for (int depth = 1; depth <= 5; depth++) {
        assert_int_equal(value_of(search, &game, "a1a8", depth), HZ_CHESS_MATE - 1);
        assert_int_equal(value_of(search, &game, "a1a7", depth), 0);
    }
    hz_chess_game_fini(&game);
    hz_chess_search_free(search);
}

/* White is about to be mated, but can check for ever. */
static void a_perpetual_check_is_seen(void **state) {
    (void)state;
    hz_chess_search *search = plain();
    for (int depth = 7; depth <= 11; depth++) {
        hz_chess_answer answer = search_fen(search, "6k1/6p1/8/7Q/8/8/qr6/7K w - - 0 1",
                                            &(hz_chess_limits){.depth = depth});
        assert_int_equal(answer.line.score, 0);
    }
    hz_chess_search_free(search);
}

static void promotions_choose_their_piece(void **state) {
    (void)state;
    hz_chess_search *search = plain();
    /* A queen would be mated; the knight gives check and takes the queen. */
    hz_chess_answer answer =
        search_fen(search, "8/5P1k/6q1/8/8/8/6PP/7K w - - 0 1", &(hz_chess_limits){.depth = 6});
    assert_int_equal(hz_move_promotion(answer.move), HZ_KNIGHT);
    hz_chess_game game = game_from("8/P6k/8/8/8/8/7K/8 w - - 0 1");
    assert_true(value_of(search, &game, "a7a8q", 4) > value_of(search, &game, "a7a8r", 4));
    assert_true(value_of(search, &game, "a7a8r", 4) > value_of(search, &game, "a7a8n", 4));
    hz_chess_game_fini(&game);
    hz_chess_search_free(search);
}

/* ---- limits -------------------------------------------------------------------------------------- */

static void the_number_of_nodes_is_exact_with_one_thread(void **state) {
    (void)state;
    hz_chess_search *search = plain();
    static const uint64_t limits[] = {1, 2, 3, 19, 20, 21, 22, 100, 511, 512, 513, 5000, 100000};
    static const char *const fens[] = {
        HZ_START_DFEN, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"};
    for (size_t f = 0; f < 2; f++) {
        for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
            hz_chess_answer answer =
                search_fen(search, fens[f], &(hz_chess_limits){.nodes = limits[i]});
            assert_int_equal(answer.nodes, limits[i]);
            assert_true(answer.has_move);
            assert_true(answer.line.length >= 1);
        }
    }
    hz_chess_search_free(search);
}

static void the_same_question_has_the_same_answer(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    hz_chess_search *one = plain(), *two = plain();
    for (size_t i = 0, rounds = test_effort(10); i < rounds; i++) {
        hz_chess_game game = game_random(&random, 40);
        hz_chess_limits limits = {.nodes = 20000, .lines = 1 + (unsigned)i % 3};
        hz_chess_search_clear(one);
        hz_chess_search_clear(two);
        hz_chess_answer a = search_run(one, &game, &limits), b = search_run(two, &game, &limits);
        assert_int_equal(a.move, b.move);
        assert_int_equal(a.line.score, b.line.score);
        assert_int_equal(a.line.length, b.line.length);
        assert_memory_equal(a.line.moves, b.line.moves, a.line.length * sizeof a.line.moves[0]);
        /* What was searched before may matter, but in the same way. */
        a = search_run(one, &game, &limits);
        b = search_run(two, &game, &limits);
        assert_int_equal(a.move, b.move);
        assert_int_equal(a.line.score, b.line.score);
        hz_chess_game_fini(&game);
    }
    hz_chess_search_free(one);
    hz_chess_search_free(two);
}

static void a_raised_flag_ends_the_search_before_it_begins(void **state) {
    (void)state;
    hz_chess_search *search = plain();
    hz_cancel cancel = {0};
    hz_cancel_request(&cancel);
    hz_chess_answer answer =
        search_fen(search, HZ_START_DFEN, &(hz_chess_limits){.cancel = &cancel});
    assert_true(answer.has_move);
    assert_true(answer.nodes <= 1);
    assert_int_equal(answer.line.bound, HZ_BOUND_LOWER);
    hz_chess_search_free(search);
}

static void illegal_root_moves_are_no_moves(void **state) {
    (void)state;
    hz_chess_search *search = plain();
    hz_move move = hz_move_make(12, 36, 0);
    hz_chess_limits limits = {.depth = 3, .moves = &move, .move_count = 1};
    assert_false(search_fen(search, HZ_START_DFEN, &limits).has_move);
    hz_chess_search_free(search);
}

/* Judges like the handcrafted evaluation, slowly, and counts. */
typedef struct slow_judge {
    long sleep_ns;
    long fail_at; /* call that fails, 0 = none */
    _Atomic long calls;
    size_t largest;
} slow_judge;

static hz_status judge_slowly(void *state, const hz_position *positions, size_t n, hz_color color,
                              int32_t *scores) {
    slow_judge *judge = state;
    long call = atomic_fetch_add(&judge->calls, 1) + 1;
    judge->largest = n > judge->largest ? n : judge->largest;
    if (judge->sleep_ns) {
        (void)nanosleep(&(struct timespec){.tv_nsec = judge->sleep_ns}, NULL);
    }
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(positions[i].side, positions[0].side);
        scores[i] = hz_evaluate_handcrafted(&positions[i], color);
    }
    return call == judge->fail_at ? HZ_MODEL_RUN : HZ_OK;
}

/* Times on a busy machine are never exact; the best of some tries counts. */
static void deadlines_are_kept_whatever_a_judgement_costs(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        slow_judge judge = {.sleep_ns = k < 2 ? 0 : 300000};
        hz_evaluator evaluator = {.name = "slow", .state = &judge, .score_batch = judge_slowly};
        hz_chess_search *search =
            search_new(&(hz_chess_search_config){.evaluators = &evaluator, .batched = k % 2 == 1});
        int64_t over_ms = 1000;
        for (int attempt = 0; attempt < 8 && over_ms > 50; attempt++) {
            hz_chess_answer answer =
                search_fen(search, HZ_START_DFEN, &(hz_chess_limits){.maximum_ns = 30000000});
            assert_true(answer.has_move);
            assert_true(answer.elapsed_ns >= 30000000);
            over_ms = (int64_t)(answer.elapsed_ns / 1000000) - 30;
        }
        assert_true(over_ms <= 50);
        assert_true(judge.largest <= 64);
        hz_chess_search_free(search);
    }
}

/* Takes a millisecond for every position, at least. */
static hz_status judge_ever_so_slowly(void *state, const hz_position *positions, size_t n,
                                      hz_color color, int32_t *scores) {
    slow_judge *judge = state;
    (void)nanosleep(&(struct timespec){.tv_nsec = (long)n * 1000000}, NULL);
    judge->calls += n > 1;
    if (judge->calls > 1) { /* the first one was measured */
        judge->largest = n > judge->largest ? n : judge->largest;
    }
    for (size_t i = 0; i < n; i++) {
        scores[i] = hz_evaluate_handcrafted(&positions[i], color);
    }
    return HZ_OK;
}

/* A batch is not interrupted, so a search could end no sooner than a long one. */
static void a_slow_evaluator_gets_small_batches(void **state) {
    (void)state;
    slow_judge judge = {0};
    hz_evaluator evaluator = {.name = "slow", .state = &judge, .score_batch = judge_ever_so_slowly};
    hz_chess_search *search =
        search_new(&(hz_chess_search_config){.evaluators = &evaluator, .batched = true});
    (void)search_fen(search, HZ_START_DFEN, &(hz_chess_limits){.nodes = 80});
    test_met(judge.calls > 10);
    assert_in_range(judge.largest, 2, 3);
    hz_chess_search_free(search);
}

static void the_optimum_ends_a_search_between_depths(void **state) {
    (void)state;
    hz_chess_search *search = plain();
    hz_chess_limits limits = {.optimum_ns = 20000000, .maximum_ns = 60000000000};
    hz_chess_answer answer = search_fen(search, HZ_START_DFEN, &limits);
    assert_int_equal(answer.line.bound, HZ_BOUND_EXACT);
    assert_true(answer.elapsed_ns < 30000000000);
    /* One legal move needs no time. */
    answer = search_fen(search, "8/8/8/8/8/5k2/r7/7K w - - 0 1", &limits);
    assert_int_equal(answer.line.depth, 1);
    hz_chess_search_free(search);
}

static void *raise_later(void *flag) {
    (void)nanosleep(&(struct timespec){.tv_nsec = 60000000}, NULL);
    hz_cancel_request(flag);
    return NULL;
}

static void the_times_of_a_pondering_search_count_from_the_hit_on(void **state) {
    (void)state;
    hz_chess_search *search = plain();
    hz_cancel hit = {0};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, raise_later, &hit), 0);
    hz_chess_limits limits = {.optimum_ns = 1000000, .maximum_ns = 20000000, .hit = &hit};
    hz_chess_answer answer = search_fen(search, HZ_START_DFEN, &limits);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(hz_cancel_requested(&hit));
    assert_true(answer.elapsed_ns >= 60000000);
    /* A hit that came before the search began. */
    answer = search_fen(search, HZ_START_DFEN, &limits);
    assert_true(answer.elapsed_ns < 30000000000);
    hz_chess_search_free(search);
}

/* ---- lines --------------------------------------------------------------------------------------- */

typedef struct heard {
    const hz_chess_game *game;
    unsigned lines;
    int depth;
    unsigned number;
    uint64_t nodes;
    hz_move last; /* first move of the first line as said last */
    size_t mates;
} heard;

static void listen(void *context, const hz_chess_info *info) {
    heard *h = context;
    const hz_chess_line *line = info->line;
    assert_true(line->length >= 1);
    line_is_legal(h->game, line);
    assert_true(info->nodes >= h->nodes);
    assert_true(line->selective_depth >= line->depth);
    assert_in_range(info->table_permille, 0, 1000);
    h->nodes = info->nodes;
    if (info->number == 1) {
        assert_true(line->depth >= h->depth);
        h->depth = line->depth;
        h->last = line->moves[0];
    } else if (line->bound == HZ_BOUND_EXACT) {
        assert_int_equal(info->number, h->number + 1);
    }
    h->number = info->number;
    /* A line that mates ends with the mate, in as many moves as its score says. */
    if (line->bound == HZ_BOUND_EXACT && hz_chess_mate_in(line->score) != 0) {
        size_t plies = (size_t)(HZ_CHESS_MATE - abs(line->score));
        hz_position p = h->game->now;
        for (size_t i = 0; i < line->length; i++) {
            hz_chess_play(&p, line->moves[i], &p);
        }
        if (line->length != plies || hz_chess_position_end(&p) != HZ_CHESS_CHECKMATE) {
            fail_msg("%s: a line of %zu plies for a score of %d", game_fen(h->game), line->length,
                     (int)line->score);
        }
        h->mates++;
    }
}

static void every_line_that_is_said_can_be_played(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed() + 1);
    hz_chess_search *search = plain();
    size_t mates = 0;
    for (size_t i = 0, rounds = test_effort(60); i < rounds; i++) {
        hz_chess_game game = i % 2 ? game_random_ending(&random) : game_random(&random, 60);
        heard h = {.game = &game, .lines = 1 + (unsigned)i % 4};
        hz_chess_limits limits = {.nodes = 15000 + hz_random_draw(&random, 3000), .lines = h.lines};
        hz_chess_answer answer;
        assert_int_equal(hz_chess_search_run(search, &game, &limits, listen, &h, &answer, NULL),
                         HZ_OK);
        line_is_legal(&game, &answer.line);
        assert_int_equal(answer.move, answer.line.moves[0]);
        assert_int_equal(answer.move, h.last);
        mates += h.mates;
        hz_chess_game_fini(&game);
    }
    test_met(mates > 0);
    hz_chess_search_free(search);
}

/* ---- what goes wrong, and odd questions ------------------------------------------------------------ */

static void a_failing_evaluator_ends_the_search_with_its_status(void **state) {
    (void)state;
    for (int batched = 0; batched < 2; batched++) {
        for (long at = 1; at < 400; at = 3 * at + 1) {
            slow_judge judge = {.fail_at = at};
            hz_evaluator evaluator = {
                .name = "moody", .state = &judge, .score_batch = judge_slowly};
            hz_chess_search *search =
                search_new(&(hz_chess_search_config){.evaluators = &evaluator, .batched = batched});
            hz_chess_game game = game_from(HZ_START_DFEN);
            hz_chess_answer answer;
            hz_error err;
            assert_int_equal(hz_chess_search_run(search, &game, &(hz_chess_limits){.depth = 6},
                                                 NULL, NULL, &answer, &err),
                             HZ_MODEL_RUN);
            assert_non_null(strstr(err.message, "moody"));
            /* It works again when its evaluator does. */
            answer = search_run(search, &game, &(hz_chess_limits){.depth = 3});
            assert_int_equal(answer.line.depth, 3);
            hz_chess_game_fini(&game);
            hz_chess_search_free(search);
        }
    }
}

static void boards_that_are_no_chess_are_searched_without_harm(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed() + 2);
    hz_chess_search *search = plain();
    for (size_t i = 0, rounds = test_effort(60); i < rounds; i++) {
        hz_position p = hz_position_empty();
        for (unsigned k = 1 + hz_random_draw(&random, 60); k > 0; k--) {
            hz_position_put(&p, (int)hz_random_draw(&random, 64),
                            (hz_color)hz_random_draw(&random, 2),
                            (hz_piece_type)hz_random_draw(&random, 6));
        }
        hz_position_set_side(&p, (hz_color)hz_random_draw(&random, 2));
        hz_position_set_rights(&p, hz_random_draw(&random, 16));
        p.halfmove = (uint8_t)hz_random_draw(&random, 256);
        hz_chess_game game;
        assert_int_equal(hz_chess_game_init(&game, &p, NULL), HZ_OK);
        (void)search_run(search, &game, &(hz_chess_limits){.nodes = 2000, .lines = 2});
        hz_chess_game_fini(&game);
    }
    hz_chess_search_free(search);
}

static void too_many_threads_are_refused(void **state) {
    (void)state;
    hz_chess_search *search = NULL;
    hz_error err;
    assert_int_equal(hz_chess_search_new(&(hz_chess_search_config){.threads = 257}, &search, &err),
                     HZ_INVALID_ARGUMENT);
    assert_null(search);
    assert_non_null(strstr(err.message, "threads"));
    hz_chess_search_free(NULL);
}

typedef struct small_run {
    hz_chess_search *search;
    hz_chess_answer answer;
} small_run;

static void *run_small(void *context) {
    small_run *run = context;
    hz_chess_game game = game_from("8/p7/1p1k1p2/1Pp2Pp1/K1P3P1/8/8/8 w - - 0 1");
    run->answer = search_run(run->search, &game, &(hz_chess_limits){.depth = 127, .nodes = 300000});
    hz_chess_game_fini(&game);
    return NULL;
}

/* Deep lines of a search in a thread whose stack is small. */
static void a_search_fits_a_small_stack(void **state) {
    (void)state;
    small_run run = {.search = plain()};
    pthread_attr_t attributes;
    pthread_t thread;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, 256 * 1024), 0);
    assert_int_equal(pthread_create(&thread, &attributes, run_small, &run), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(pthread_attr_destroy(&attributes), 0);
    assert_true(run.answer.line.selective_depth > 20);
    hz_chess_search_free(run.search);
}

/* ---- threads ------------------------------------------------------------------------------------- */

static void several_threads_share_the_work(void **state) {
    (void)state;
    hz_chess_search *search =
        search_new(&(hz_chess_search_config){.table_bytes = 1 << 20, .threads = 4});
    hz_chess_game game = game_from(HZ_START_DFEN);
    heard h = {.game = &game};
    hz_chess_answer answer;
    assert_int_equal(hz_chess_search_run(search, &game, &(hz_chess_limits){.depth = 7}, listen, &h,
                                         &answer, NULL),
                     HZ_OK);
    assert_int_equal(answer.line.depth, 7);
    assert_int_equal(answer.move, h.last);
    /* A limit on the nodes is one on all of them, give or take what was begun. */
    answer = search_run(search, &game, &(hz_chess_limits){.nodes = 50000});
    assert_in_range(answer.nodes, 50000, 60000);
    hz_chess_answer mate =
        search_fen(search, "6k1/5ppp/Q7/8/8/8/5PPP/6K1 w - - 0 1", &(hz_chess_limits){.depth = 6});
    assert_int_equal(mate.line.score, HZ_CHESS_MATE - 1);
    hz_chess_game_fini(&game);
    hz_chess_search_free(search);
}

static void a_failing_evaluator_of_a_helper_is_noticed(void **state) {
    (void)state;
    slow_judge good = {0}, bad = {.fail_at = 50};
    hz_evaluator evaluators[2] = {
        {.name = "good", .state = &good, .score_batch = judge_slowly},
        {.name = "bad", .state = &bad, .score_batch = judge_slowly},
    };
    hz_chess_search *search =
        search_new(&(hz_chess_search_config){.threads = 2, .evaluators = evaluators});
    hz_chess_game game = game_from(HZ_START_DFEN);
    hz_chess_answer answer;
    hz_error err;
    assert_int_equal(hz_chess_search_run(search, &game,
                                         &(hz_chess_limits){.maximum_ns = 5000000000}, NULL, NULL,
                                         &answer, &err),
                     HZ_MODEL_RUN);
    assert_non_null(strstr(err.message, "bad"));
    hz_chess_game_fini(&game);
    hz_chess_search_free(search);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mates_are_found_at_their_distance),
        cmocka_unit_test(every_evaluator_mates_on_either_side),
        cmocka_unit_test(a_finished_game_has_no_move),
        cmocka_unit_test(draws_by_the_rules_are_worth_nothing),
        cmocka_unit_test(twice_before_the_root_is_no_draw),
        cmocka_unit_test(mate_on_the_last_move_of_fifty_is_mate),
        cmocka_unit_test(a_perpetual_check_is_seen),
        cmocka_unit_test(promotions_choose_their_piece),
        cmocka_unit_test(the_number_of_nodes_is_exact_with_one_thread),
        cmocka_unit_test(the_same_question_has_the_same_answer),
        cmocka_unit_test(a_raised_flag_ends_the_search_before_it_begins),
        cmocka_unit_test(illegal_root_moves_are_no_moves),
        cmocka_unit_test(deadlines_are_kept_whatever_a_judgement_costs),
        cmocka_unit_test(a_slow_evaluator_gets_small_batches),
        cmocka_unit_test(the_optimum_ends_a_search_between_depths),
        cmocka_unit_test(the_times_of_a_pondering_search_count_from_the_hit_on),
        cmocka_unit_test(every_line_that_is_said_can_be_played),
        cmocka_unit_test(a_failing_evaluator_ends_the_search_with_its_status),
        cmocka_unit_test(boards_that_are_no_chess_are_searched_without_harm),
        cmocka_unit_test(too_many_threads_are_refused),
        cmocka_unit_test(a_search_fits_a_small_stack),
        cmocka_unit_test(several_threads_share_the_work),
        cmocka_unit_test(a_failing_evaluator_of_a_helper_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
