/* SPDX-License-Identifier: MIT */
/* Runs: the same whoever plays which game where, levels, the second figure, graphs that are the same
 * evaluator. */
#include "league/league.h"

#include <pthread.h>

/* All games of a run in their places. */
typedef struct games {
    size_t count;
    uint64_t digest[2][HZ_LEAGUE_LEVELS][HZ_LEAGUE_GAMES]; /* of moves and result */
    int stop_after;                                        /* games, 0 = never */
    hz_cancel *cancel;
} games;

static hz_status keep(void *state, const hz_league_record *record, hz_error *err) {
    games *g = state;
    uint64_t sum = (uint64_t)record->result.points2 * 16 + (uint64_t)record->result.reason;
    for (size_t i = 0; i < record->game->count; i++) {
        sum = hz_random_mix(sum + record->game->moves[i]);
    }
    assert_true(record->opening->name[0] && record->number >= 1 && record->number <= 50);
    assert_int_equal(record->result.color, record->number % 2 ? HZ_WHITE : HZ_BLACK);
    g->digest[record->second][record->level - 1][record->number - 1] = sum | 1;
    g->count++;
    if (g->cancel && g->count == 5) {
        hz_cancel_request(g->cancel);
    }
    return g->stop_after && (int)g->count >= g->stop_after
               ? hz_fail(err, HZ_IO, HZ_NO_OFFSET, "the disk is full")
               : HZ_OK;
}

static games *run(hz_league_run_config config, hz_league_run_result *result) {
    games *g = calloc(1, sizeof *g);
    hz_error err;
    assert_non_null(g);
    config.on_game = keep;
    config.state = g;
    if (hz_league_run(&config, result, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
    return g;
}

static void the_number_of_threads_does_not_matter(void **state) {
    (void)state;
    league_graph graph = league_material();
    games *first = NULL;
    hz_league_run_result results[4];
    static const unsigned threads[] = {1, 2, 5, 1};
    for (int i = 0; i < 4; i++) {
        hz_league_run_config config = {.threads = threads[i]};
        if (i < 3) { /* in children; the last one here */
            config.bytes = graph.bytes;
            config.length = graph.length;
            config.limits.executor = "builtin";
        } else {
            config.judge = hz_league_judge_material();
        }
        games *g = run(config, &results[i]);
        assert_int_equal(g->count, HZ_LEAGUE_GAMES);
        assert_memory_equal(&results[i], &results[0], sizeof results[i]);
        if (first) {
            assert_memory_equal(g->digest, first->digest, sizeof g->digest);
            free(g);
        } else {
            first = g;
        }
    }
    free(first);
    assert_int_equal(results[0].level, 0);
    assert_int_equal(results[0].levels[1].played, 0); /* the first failure ends it */
    league_graph_free(&graph);
}

static void the_handcrafted_evaluator_scores_25_against_level_1(void **state) {
    (void)state;
    hz_league_run_result result;
    games *g = run((hz_league_run_config){.threads = 2}, &result);
    assert_int_equal(hz_league_points2(&result.levels[0]), 50);
    assert_int_equal(result.levels[0].wins, result.levels[0].losses);
    assert_int_equal(result.level, 0);
    free(g);
}

/* Whoever looks further than the baseline: a judge that searches. Not what a contestant can submit,
 * but it clears levels. */
static hz_status far_sighted(void *state, const hz_position *positions, size_t n, float *values,
                             hz_error *err) {
    hz_league_player *player = *(hz_league_player **)state;
    for (size_t i = 0; i < n; i++) {
        hz_chess_game game;
        hz_league_choice choice;
        assert_int_equal(hz_chess_game_init(&game, &positions[i], err), HZ_OK);
        if (!hz_chess_has_move(&positions[i])) {
            values[i] = 0.0F;
        } else if (hz_league_player_choose(player, &game, NULL, &choice, err) == HZ_OK) {
            values[i] = choice.score;
        }
        hz_chess_game_fini(&game);
    }
    return HZ_OK;
}

static void levels_are_climbed_until_one_is_not_passed(void **state) {
    (void)state;
    hz_league_player *player = league_player(hz_league_baseline(1));
    hz_league_run_result result;
    games *g = run((hz_league_run_config){.judge = {far_sighted, &player},
                                          .second = hz_league_second_openings},
                   &result);
    assert_true(result.level >= 1);
    for (int level = 1; level <= HZ_LEAGUE_LEVELS; level++) {
        const hz_league_score *score = &result.levels[level - 1];
        bool passed = hz_league_points2(score) >= HZ_LEAGUE_PASS_POINTS2;
        assert_int_equal(score->played, level <= result.level + 1 ? HZ_LEAGUE_GAMES : 0);
        assert_true(passed == (level <= result.level));
        assert_int_equal(score->wins + score->draws + score->losses, score->played);
    }
    assert_int_equal(result.second.played, HZ_LEAGUE_GAMES);
    assert_true(g->digest[1][result.level - 1][49] != 0);
    int apart =
        hz_league_points2(&result.levels[result.level - 1]) - hz_league_points2(&result.second);
    assert_true(result.fitted == (apart > 24 || apart < -24));
    free(g);
    hz_league_player_free(player);
}

/* Far-sighted as long as the first set is played, and blind from then on. */
typedef struct turncoat {
    hz_league_player *player;
    int games;
} turncoat;

static hz_status betray(void *state, const hz_position *positions, size_t n, float *values,
                        hz_error *err) {
    turncoat *t = state;
    return t->games < HZ_LEAGUE_GAMES ? far_sighted(&t->player, positions, n, values, err)
                                      : league_noise(NULL, positions, n, values, err);
}

static hz_status count_game(void *state, const hz_league_record *record, hz_error *err) {
    (void)record;
    (void)err;
    ((turncoat *)state)->games++;
    return HZ_OK;
}

static void an_entry_that_only_knows_the_first_openings_is_marked(void **state) {
    (void)state;
    turncoat t = {.player = league_player(hz_league_baseline(1))};
    hz_league_run_config config = {.judge = {betray, &t},
                                   .level = 1,
                                   .second = hz_league_second_openings,
                                   .on_game = count_game,
                                   .state = &t};
    hz_league_run_result result;
    assert_int_equal(hz_league_run(&config, &result, NULL), HZ_OK);
    assert_int_equal(result.level, 1);
    assert_int_equal(result.second.played, HZ_LEAGUE_GAMES);
    assert_true(hz_league_points2(&result.levels[0]) - hz_league_points2(&result.second) > 24);
    assert_true(result.fitted);
    hz_league_player_free(t.player);
}

/* The sum over planes with five numbers, and the same as a vector of 1540 numbers. */
static league_graph plane_sums(void) {
    hz_builder *b = hz_builder_new("g", 6, 11, 0);
    assert_non_null(b);
    hz_builder_input(b, "board", HZ_ELEMENT_FLOAT, (int64_t[]){HZ_DYNAMIC, 1540}, 2);
    hz_builder_output(b, "score", HZ_ELEMENT_FLOAT, (int64_t[]){HZ_DYNAMIC, 1}, 2);
    const char *parts[13];
    char names[13][12], sums[12][12], differences[5][12];
    int64_t sizes[13];
    const char *list[5];
    for (int i = 0; i < 13; i++) {
        (void)snprintf(names[i], sizeof names[i], "p%d", i);
        parts[i] = names[i];
        sizes[i] = i < 12 ? 64 : 1540 - 12 * 64;
    }
    hz_builder_node(b, "", "Split", (const char *[]){"board"}, 1, parts, 13);
    hz_builder_int(b, "axis", 1);
    hz_builder_ints(b, "split", sizes, 13);
    for (int i = 0; i < 12; i++) {
        if (i % 6 < 5) {
            (void)snprintf(sums[i], sizeof sums[i], "s%d", i);
            hz_builder_node(b, "", "ReduceSum", &parts[i], 1, (const char *[]){sums[i]}, 1);
            hz_builder_ints(b, "axes", (int64_t[]){1}, 1);
        }
    }
    for (int i = 0; i < 5; i++) {
        (void)snprintf(differences[i], sizeof differences[i], "d%d", i);
        list[i] = differences[i];
        hz_builder_node(b, "", "Sub", (const char *[]){sums[i], sums[i + 6]}, 2, &list[i], 1);
    }
    hz_builder_node(b, "", "Concat", list, 5, (const char *[]){"all"}, 1);
    hz_builder_int(b, "axis", 1);
    float worth[5];
    memcpy(worth, LEAGUE_WORTH, sizeof worth);
    hz_tensor w = {HZ_ELEMENT_FLOAT, 2, {5, 1}, worth};
    hz_builder_initializer(b, "w", &w);
    hz_builder_node(b, "", "MatMul", (const char *[]){"all", "w"}, 2, (const char *[]){"score"}, 1);
    return league_finish(b);
}

static void five_numbers_play_as_1540_do(void **state) {
    (void)state;
    league_graph graphs[2] = {league_material(), plane_sums()};
    games *played[2];
    hz_league_run_result results[2];
    for (int i = 0; i < 2; i++) {
        hz_league_verdict verdict;
        hz_league_limits limits = {.executor = "builtin"};
        assert_int_equal(
            hz_league_check(graphs[i].bytes, graphs[i].length, &limits, NULL, &verdict, NULL),
            HZ_OK);
        if (verdict.code != HZ_LEAGUE_ACCEPTED) {
            fail_msg("E%02d %s", verdict.code, verdict.message);
        }
        assert_int_equal(verdict.parameters.strict, i ? 5 : 1540);
        played[i] = run((hz_league_run_config){.bytes = graphs[i].bytes,
                                               .length = graphs[i].length,
                                               .limits = limits,
                                               .threads = 2},
                        &results[i]);
    }
    assert_memory_equal(&results[0], &results[1], sizeof results[0]);
    assert_memory_equal(played[0]->digest, played[1]->digest, sizeof played[0]->digest);
    for (int i = 0; i < 2; i++) {
        free(played[i]);
        league_graph_free(&graphs[i]);
    }
}

static void both_executors_play_the_same_games_of_whole_numbers(void **state) {
    (void)state;
    const hz_executor *runtime;
    if (hz_executor_onnxruntime(&runtime, NULL, NULL, NULL) != HZ_OK) {
        test_leave_out("ONNX Runtime is not there (make onnxruntime)");
    }
    league_graph graph = league_material();
    games *played[2];
    hz_league_run_result results[2];
    for (int i = 0; i < 2; i++) {
        played[i] =
            run((hz_league_run_config){.bytes = graph.bytes,
                                       .length = graph.length,
                                       .limits = {.executor = i ? "onnxruntime" : "builtin"},
                                       .threads = 2},
                &results[i]);
    }
    assert_memory_equal(played[0]->digest, played[1]->digest, sizeof played[0]->digest);
    free(played[0]);
    free(played[1]);
    league_graph_free(&graph);
}

static void a_failing_listener_and_a_raised_flag_end_a_run(void **state) {
    (void)state;
    games g = {.stop_after = 3};
    hz_league_run_result result;
    hz_error err;
    hz_league_run_config config = {
        .judge = hz_league_judge_material(), .threads = 2, .on_game = keep, .state = &g};
    assert_int_equal(hz_league_run(&config, &result, &err), HZ_IO);
    assert_string_equal(err.message, "the disk is full");
    assert_true(g.count < HZ_LEAGUE_GAMES);
    hz_cancel cancel = {0};
    games h = {.cancel = &cancel};
    config.state = &h;
    config.cancel = &cancel;
    assert_int_equal(hz_league_run(&config, &result, &err), HZ_CANCELLED);
    assert_true(h.count >= 5 && h.count < HZ_LEAGUE_GAMES);
}

static void wrong_levels_are_refused(void **state) {
    (void)state;
    hz_league_run_result result;
    hz_error err;
    for (int level = -1; level <= 5; level += 6) {
        hz_league_run_config config = {.level = level};
        assert_int_equal(hz_league_run(&config, &result, &err), HZ_INVALID_ARGUMENT);
    }
    hz_league_run_config config = {.threads = HZ_THREADS_MAX + 1};
    assert_int_equal(hz_league_run(&config, &result, &err), HZ_INVALID_ARGUMENT);
}

int main(int argc, char **argv) {
    test_serve_child(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_number_of_threads_does_not_matter),
        cmocka_unit_test(the_handcrafted_evaluator_scores_25_against_level_1),
        cmocka_unit_test(levels_are_climbed_until_one_is_not_passed),
        cmocka_unit_test(an_entry_that_only_knows_the_first_openings_is_marked),
        cmocka_unit_test(five_numbers_play_as_1540_do),
        cmocka_unit_test(both_executors_play_the_same_games_of_whole_numbers),
        cmocka_unit_test(a_failing_listener_and_a_raised_flag_end_a_run),
        cmocka_unit_test(wrong_levels_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
