/* SPDX-License-Identifier: MIT */
/* The reference graphs: the same numbers as the code they were made from, and few of their own. */
#include "league/league.h"

#include "league/build.h"

static league_graph reference(const char *name) {
    league_graph g = {.bytes = NULL};
    hz_error err;
    hz_arena_init(&g.arena, 0);
    if (hz_league_reference(name, &g.arena, &g.bytes, &g.length, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
    return g;
}

static hz_league_model *open_model(const league_graph *graph, const char *executor) {
    hz_league_model *model = NULL;
    hz_error err;
    if (hz_league_model_open(graph->bytes, graph->length, executor, 0, &model, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
    return model;
}

static uint64_t parameters(const league_graph *graph) {
    hz_onnx_file *file = NULL;
    hz_parameters counted;
    assert_int_equal(hz_onnx_file_read(graph->bytes, graph->length, NULL, &file, NULL), HZ_OK);
    assert_int_equal(hz_onnx_file_parameters(file, &counted, NULL), HZ_OK);
    assert_int_equal(hz_onnx_file_check_names(file, NULL), HZ_OK);
    hz_onnx_file_free(file);
    return counted.strict;
}

/* Positions as games have them, also far from any opening. */
static void random_positions(hz_random *random, hz_position *positions, size_t n) {
    for (size_t i = 0; i < n; i++) {
        positions[i] = league_random_position(random, hz_random_draw(random, 260));
    }
}

static void compare(hz_league_judge expected, hz_league_judge judge, size_t rounds, uint64_t salt) {
    enum { SOME = 37 };
    hz_random random = hz_random_from_seed(test_seed() + salt);
    hz_position positions[SOME];
    float right[SOME], got[SOME];
    for (size_t round = 0; round < rounds; round++) {
        hz_error err;
        random_positions(&random, positions, SOME);
        assert_int_equal(expected.judge(expected.state, positions, SOME, right, &err), HZ_OK);
        if (judge.judge(judge.state, positions, SOME, got, &err) != HZ_OK) {
            fail_msg("%s", err.message);
        }
        for (int i = 0; i < SOME; i++) {
            if (got[i] != right[i]) {
                char fen[HZ_DFEN_CAPACITY];
                (void)hz_position_to_dfen(&positions[i], fen, sizeof fen);
                fail_msg("%s: %g instead of %g", fen, (double)got[i], (double)right[i]);
            }
        }
    }
}

static hz_status handcrafted(void *state, const hz_position *p, size_t n, float *values,
                             hz_error *err) {
    (void)state;
    (void)err;
    for (size_t i = 0; i < n; i++) {
        values[i] = (float)hz_evaluate_handcrafted(&p[i], (hz_color)p[i].side);
    }
    return HZ_OK;
}

static void material_has_five_numbers_and_is_material(void **state) {
    (void)state;
    league_graph graph = reference("material");
    assert_int_equal(parameters(&graph), 5);
    hz_league_model *model = open_model(&graph, "builtin");
    compare(hz_league_judge_material(), hz_league_model_judge(model), test_effort(20), 1);
    hz_league_model_close(model);
    league_graph_free(&graph);
}

static void the_handcrafted_graph_is_the_handcrafted_evaluation(void **state) {
    (void)state;
    league_graph graph = reference("handcrafted");
    printf("# %zu bytes, %llu parameters\n", graph.length, (unsigned long long)parameters(&graph));
    assert_int_equal(parameters(&graph), 0);
    hz_league_model *model = open_model(&graph, "builtin");
    hz_league_judge judge = hz_league_model_judge(model);
    test_table table = test_table_load("league_baseline.tsv", 8);
    for (size_t i = 0; i < table.count; i++) {
        hz_position p = league_fen(table.rows[i].field[0]);
        float value = -1.0F;
        assert_int_equal(judge.judge(judge.state, &p, 1, &value, NULL), HZ_OK);
        test_true(table.rows[i].field[0], "value", value == strtof(table.rows[i].field[1], NULL));
    }
    test_table_free(&table);
    compare((hz_league_judge){.judge = handcrafted}, judge, test_effort(60), 2);
    hz_league_model_close(model);
    league_graph_free(&graph);
}

static void onnx_runtime_gives_the_same_numbers(void **state) {
    (void)state;
    const hz_executor *runtime;
    if (hz_executor_onnxruntime(&runtime, NULL, NULL, NULL) != HZ_OK) {
        test_leave_out("ONNX Runtime is not there (make onnxruntime)");
    }
    static const char *const names[] = {"material", "handcrafted"};
    for (int i = 0; i < 2; i++) {
        league_graph graph = reference(names[i]);
        hz_league_model *model = open_model(&graph, "onnxruntime");
        compare(i ? (hz_league_judge){.judge = handcrafted} : hz_league_judge_material(),
                hz_league_model_judge(model), test_effort(5), 3);
        hz_league_model_close(model);
        league_graph_free(&graph);
    }
}

/* Every game of the graph is the game of the evaluator itself; and so it shares the points. */
static hz_status keep(void *state, const hz_league_record *record, hz_error *err) {
    uint64_t *sums = state, sum = 1 + (uint64_t)record->result.points2;
    (void)err;
    for (size_t i = 0; i < record->game->count; i++) {
        sum = hz_random_mix(sum + record->game->moves[i]);
    }
    sums[record->number - 1] = sum;
    return HZ_OK;
}

/* The same on a few openings, here: each is played twice with the same moves. */
static void the_handcrafted_graph_shares_the_points_of_every_opening(void **state) {
    (void)state;
    league_graph graph = reference("handcrafted");
    hz_league_model *model = open_model(&graph, "builtin");
    hz_league_player *player = league_player((hz_league_player_config){
        .judge = hz_league_model_judge(model), .depth = 1, .cached = true});
    hz_league_player *baseline = league_player(hz_league_baseline(1));
    size_t openings = test_effort(3);
    for (size_t i = 0; i < openings && i < HZ_LEAGUE_OPENINGS; i++) {
        hz_chess_game games[2];
        hz_league_result results[2];
        for (int k = 0; k < 2; k++) {
            assert_int_equal(hz_league_opening_game(&hz_league_openings[i], &games[k], NULL),
                             HZ_OK);
            assert_int_equal(hz_league_play(player, baseline, k ? HZ_BLACK : HZ_WHITE, 0, NULL,
                                            &games[k], &results[k], NULL),
                             HZ_OK);
        }
        assert_int_equal(results[0].points2 + results[1].points2, 2);
        assert_int_equal(games[0].count, games[1].count);
        assert_memory_equal(games[0].moves, games[1].moves,
                            games[0].count * sizeof games[0].moves[0]);
        hz_chess_game_fini(&games[0]);
        hz_chess_game_fini(&games[1]);
    }
    hz_league_player_free(player);
    hz_league_player_free(baseline);
    hz_league_model_close(model);
    league_graph_free(&graph);
}

static void the_handcrafted_graph_scores_25_of_50_against_level_1(void **state) {
    (void)state;
    if (test_effort(100) < 100) {
        test_leave_out("fifty games of the graph take an effort of 1");
    }
    uint64_t sums[2][HZ_LEAGUE_GAMES];
    league_graph graph = reference("handcrafted");
    for (int i = 0; i < 2; i++) {
        hz_league_run_config config = {.bytes = i ? graph.bytes : NULL,
                                       .length = i ? graph.length : 0,
                                       .limits = {.executor = "builtin"},
                                       .level = 1,
                                       .threads = 2,
                                       .on_game = keep,
                                       .state = sums[i]};
        hz_league_run_result result;
        hz_error err;
        if (hz_league_run(&config, &result, &err) != HZ_OK) {
            fail_msg("%s", err.message);
        }
        assert_int_equal(hz_league_points2(&result.levels[0]), 50);
        assert_int_equal(result.levels[0].wins, result.levels[0].losses);
    }
    assert_memory_equal(sums[0], sums[1], sizeof sums[0]);
    league_graph_free(&graph);
}

static void another_name_is_refused(void **state) {
    (void)state;
    hz_arena arena = {0};
    const void *bytes;
    size_t length;
    hz_error err;
    assert_int_equal(hz_league_reference("stockfish", &arena, &bytes, &length, &err), HZ_NOT_FOUND);
    hz_arena_fini(&arena);
}

/* ---- the toolkit ---------------------------------------------------------------------------------- */

/* The value of a one-term evaluator on the initial position. */
static float value_of(hzi_build *b, hzi_term score) {
    league_graph graph = {.bytes = NULL};
    hz_error err;
    hz_arena_init(&graph.arena, 0);
    if (hzi_build_end(b, score, &graph.arena, &graph.bytes, &graph.length, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
    hz_league_model *model = open_model(&graph, "builtin");
    hz_league_judge judge = hz_league_model_judge(model);
    hz_position p = league_fen(HZ_START_DFEN);
    float value = -12345.0F;
    if (judge.judge(judge.state, &p, 1, &value, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
    assert_int_equal(parameters(&graph), 0);
    hz_league_model_close(model);
    league_graph_free(&graph);
    return value;
}

static void whole_numbers_are_made_of_nothing(void **state) {
    (void)state;
    static const int numbers[] = {0, 1, 2, 3, 7, 24, 100, 1023, 1024, 90000, -1, -37, -900};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        hzi_build b;
        hzi_build_begin(&b, "n");
        hzi_term pieces = hzi_sum(&b, HZI_BOARD, 1, 1); /* 68 in the initial position */
        hzi_term sum = hzi_op2(&b, "Add", pieces, hzi_integer(&b, numbers[i]));
        assert_true(value_of(&b, sum) == (float)(68 + numbers[i]));
    }
}

static void boards_show_squares_and_what_is_beside_them(void **state) {
    (void)state;
    /* The own king stands on e1 = rank 0, file 4; looking one up and right from d0... */
    for (int which = 0; which < 3; which++) {
        hzi_build b;
        hzi_build_begin(&b, "n");
        hzi_term planes = hzi_planes(&b);
        hzi_term pawns = hzi_slice(&b, planes, 1, 0, 1); /* rank 1 */
        int values[64] = {0};
        values[which == 1 ? 8 * 0 + 3 : which == 2 ? 8 * 0 + 7 : 8 * 1 + 3] = 5;
        hzi_term table = hzi_table(&b, (int[]){8, 8}, 2, values);
        hzi_term seen = which ? hzi_look(&b, pawns, 1, 1) : pawns;
        hzi_term sum = hzi_sum(&b, hzi_op2(&b, "Mul", seen, table), 2, 3);
        /* On h1 nothing is further to the right. */
        assert_true(value_of(&b, hzi_op1(&b, "Flatten", sum)) == (which == 2 ? 0.0F : 5.0F));
    }
}

int main(int argc, char **argv) {
    test_serve_child(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers_are_made_of_nothing),
        cmocka_unit_test(boards_show_squares_and_what_is_beside_them),
        cmocka_unit_test(material_has_five_numbers_and_is_material),
        cmocka_unit_test(the_handcrafted_graph_is_the_handcrafted_evaluation),
        cmocka_unit_test(onnx_runtime_gives_the_same_numbers),
        cmocka_unit_test(the_handcrafted_graph_shares_the_points_of_every_opening),
        cmocka_unit_test(the_handcrafted_graph_scores_25_of_50_against_level_1),
        cmocka_unit_test(another_name_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
