/* SPDX-License-Identifier: MIT */
/*
 * Chess search without its unsound parts against plain negamax: the value, the move among equal
 * ones, the values of several lines; and that table, windows and batches change nothing.
 */
#include "search/chess_games.h"

#include <stdlib.h>
#include <unistd.h>

enum { EXACT = HZ_CHESS_UNSOUND };

static hz_evaluator handcrafted(void) {
    hz_evaluator evaluator;
    assert_int_equal(hz_evaluator_static("handcrafted", &evaluator, NULL), HZ_OK);
    return evaluator;
}

/* A judge that knows little, so that many moves are equal. */
static hz_evaluator material(void) {
    hz_evaluator evaluator;
    assert_int_equal(hz_evaluator_static("material", &evaluator, NULL), HZ_OK);
    return evaluator;
}

static hz_chess_game some_game(hz_random *random, size_t number) {
    return number % 2 ? game_random_ending(random)
                      : game_random(random, 4 + hz_random_draw(random, 80));
}

static void compare(hz_chess_search *search, const hz_chess_game *game, int depth,
                    const ref_negamax_answer *slow, unsigned lines, const char *what) {
    hz_chess_limits limits = {.depth = depth, .lines = lines};
    hz_chess_search_clear(search);
    hz_chess_answer answer = search_run(search, game, &limits);
    char move[HZ_MOVE_CAPACITY], best[HZ_MOVE_CAPACITY];
    (void)hz_move_to_text(answer.move, move);
    (void)hz_move_to_text(slow->moves[0].move, best);
    if (answer.line.score != slow->moves[0].value || answer.move != slow->moves[0].move ||
        answer.line.bound != HZ_BOUND_EXACT) {
        fail_msg("%s depth %d %s: %s %d, negamax has %s %d", game_fen(game), depth, what, move,
                 (int)answer.line.score, best, (int)slow->moves[0].value);
    }
    line_is_legal(game, &answer.line);
}

static void values_and_moves_are_those_of_plain_negamax(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    hz_evaluator judges[] = {handcrafted(), material()};
    static const unsigned switches[] = {EXACT | HZ_CHESS_NO_TABLE | HZ_CHESS_NO_ASPIRATION,
                                        EXACT | HZ_CHESS_NO_TABLE, EXACT};
    static const char *const names[] = {"bare", "with windows", "with the table"};
    hz_chess_search *searches[2][3];
    for (int j = 0; j < 2; j++) {
        for (int k = 0; k < 3; k++) {
            searches[j][k] = search_new(&(hz_chess_search_config){.table_bytes = 1 << 20,
                                                                  .evaluators = &judges[j],
                                                                  .batched = k == 1,
                                                                  .switches = switches[k]});
        }
    }
    static ref_negamax_answer slow;
    for (size_t i = 0, rounds = test_effort(60); i < rounds; i++) {
        hz_chess_game game = some_game(&random, i);
        for (int depth = 1; depth <= (i % 2 == 0 ? 1 : i % 4 == 1 ? 3 : 2); depth++) {
            for (int j = 0; j < 2; j++) {
                ref_negamax(&game, depth, &judges[j], true, &slow);
                for (int k = 0; k < 3; k++) {
                    compare(searches[j][k], &game, depth, &slow, 1, names[k]);
                }
            }
        }
        hz_chess_game_fini(&game);
    }
    for (int i = 0; i < 6; i++) {
        hz_chess_search_free(searches[i / 3][i % 3]);
    }
}

static void plainest_pruning_of_the_twin_changes_nothing(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed() + 1);
    hz_evaluator judge = handcrafted();
    static ref_negamax_answer pruned, full;
    for (size_t i = 0, rounds = test_effort(20); i < rounds; i++) {
        hz_chess_game game = game_random_ending(&random);
        ref_negamax(&game, 2, &judge, true, &pruned);
        ref_negamax(&game, 2, &judge, false, &full);
        assert_true(pruned.nodes <= full.nodes);
        for (int k = 0; k < full.count; k++) {
            assert_int_equal(pruned.moves[k].move, full.moves[k].move);
            assert_int_equal(pruned.moves[k].value, full.moves[k].value);
        }
        hz_chess_game_fini(&game);
    }
}

/* The windows of aspiration open from depth 5 on. */
static void windows_and_table_keep_the_value_at_greater_depths(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed() + 2);
    hz_chess_search *bare = search_new(
        &(hz_chess_search_config){.switches = EXACT | HZ_CHESS_NO_TABLE | HZ_CHESS_NO_ASPIRATION});
    hz_chess_search *windows =
        search_new(&(hz_chess_search_config){.switches = EXACT | HZ_CHESS_NO_TABLE});
    for (size_t i = 0, rounds = test_effort(12); i < rounds; i++) {
        hz_chess_game game = game_random_ending(&random);
        hz_chess_limits limits = {.depth = 6};
        hz_chess_answer a = search_run(bare, &game, &limits);
        hz_chess_answer b = search_run(windows, &game, &limits);
        if (a.line.score != b.line.score || a.move != b.move) {
            fail_msg("%s: %d, with windows %d", game_fen(&game), (int)a.line.score,
                     (int)b.line.score);
        }
        hz_chess_game_fini(&game);
    }
    hz_chess_search_free(bare);
    hz_chess_search_free(windows);
}

typedef struct seen {
    unsigned count;
    hz_chess_line lines[8];
} seen;

static void keep(void *context, const hz_chess_info *info) {
    seen *s = context;
    assert_true(info->number >= 1 && info->number <= 8);
    s->lines[info->number - 1] = *info->line;
    s->count = info->number;
}

static void several_lines_are_the_best_root_moves_in_order(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed() + 3);
    hz_evaluator judge = handcrafted();
    hz_chess_search *search =
        search_new(&(hz_chess_search_config){.evaluators = &judge, .switches = EXACT});
    static ref_negamax_answer slow;
    for (size_t i = 0, rounds = test_effort(25); i < rounds; i++) {
        hz_chess_game game = some_game(&random, i);
        ref_negamax(&game, 2, &judge, true, &slow);
        seen s = {0};
        hz_chess_limits limits = {.depth = 2, .lines = 5};
        hz_chess_answer answer;
        hz_chess_search_clear(search);
        assert_int_equal(hz_chess_search_run(search, &game, &limits, keep, &s, &answer, NULL),
                         HZ_OK);
        assert_int_equal(s.count, slow.count < 5 ? slow.count : 5);
        for (unsigned k = 0; k < s.count; k++) {
            if (s.lines[k].score != slow.moves[k].value ||
                s.lines[k].moves[0] != slow.moves[k].move) {
                fail_msg("%s: line %u has %d, negamax %d", game_fen(&game), k + 1,
                         (int)s.lines[k].score, (int)slow.moves[k].value);
            }
            line_is_legal(&game, &s.lines[k]);
        }
        assert_int_equal(answer.move, s.lines[0].moves[0]);
        hz_chess_game_fini(&game);
    }
    hz_chess_search_free(search);
}

static void chosen_root_moves_are_the_only_ones(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed() + 4);
    hz_evaluator judge = handcrafted();
    hz_chess_search *search = search_new(
        &(hz_chess_search_config){.evaluators = &judge, .switches = EXACT | HZ_CHESS_NO_TABLE});
    static ref_negamax_answer slow;
    for (size_t i = 0, rounds = test_effort(25); i < rounds; i++) {
        hz_chess_game game = some_game(&random, i);
        ref_negamax(&game, 2, &judge, true, &slow);
        /* The worse half, in any order. */
        hz_move moves[HZ_CHESS_MOVES_MAX];
        size_t count = 0;
        for (int k = slow.count - 1; k >= slow.count / 2; k--) {
            moves[count++] = slow.moves[k].move;
        }
        hz_chess_limits limits = {.depth = 2, .moves = moves, .move_count = count};
        hz_chess_answer answer = search_run(search, &game, &limits);
        assert_int_equal(answer.move, slow.moves[slow.count / 2].move);
        assert_int_equal(answer.line.score, slow.moves[slow.count / 2].value);
        hz_chess_game_fini(&game);
    }
    hz_chess_search_free(search);
}

/* The same game judged one by one and in batches: same values, same nodes. Full search. */
static void batches_change_nothing(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed() + 5);
    hz_evaluator judge = handcrafted();
    hz_chess_search_config config = {.table_bytes = 1 << 20, .evaluators = &judge};
    hz_chess_search *single = search_new(&config);
    config.batched = true;
    hz_chess_search *batched = search_new(&config);
    for (size_t i = 0, rounds = test_effort(200); i < rounds; i++) {
        hz_chess_game game = some_game(&random, i);
        hz_chess_limits limits = {.depth = 4};
        hz_chess_search_clear(single);
        hz_chess_search_clear(batched);
        hz_chess_answer a = search_run(single, &game, &limits);
        hz_chess_answer b = search_run(batched, &game, &limits);
        if (a.move != b.move || a.line.score != b.line.score || a.nodes != b.nodes) {
            fail_msg("%s: %d in %llu nodes, batched %d in %llu", game_fen(&game), (int)a.line.score,
                     (unsigned long long)a.nodes, (int)b.line.score, (unsigned long long)b.nodes);
        }
        hz_chess_game_fini(&game);
    }
    hz_chess_search_free(single);
    hz_chess_search_free(batched);
}

/* A model of this architecture as an evaluator. */
static hz_evaluator model_of(const hz_architecture *architecture) {
    char path[] = "/tmp/hazard-test-XXXXXX";
    const void *bytes;
    size_t length;
    hz_arena arena;
    hz_evaluator evaluator;
    hz_error err;
    hz_arena_init(&arena, 0);
    assert_int_equal(hz_architecture_build(architecture, &arena, &bytes, &length, NULL), HZ_OK);
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, length), (ssize_t)length);
    assert_int_equal(close(fd), 0);
    if (hz_evaluator_chess_model(path, NULL, &evaluator, &err) != HZ_OK) {
        fail_msg("%s: %s", architecture->name, err.message);
    }
    assert_int_equal(unlink(path), 0);
    hz_arena_fini(&arena);
    return evaluator;
}

static void batches_of_models_change_nothing(void **state) {
    (void)state;
    static const hz_architecture architectures[] = {
        {.name = "xattn8-4-v1", .encoder = "chess7x8x8-meta13-v1", .label = "white_win", .seed = 1},
        {.name = "dual:8,4", .encoder = "dual-view-1540-v1", .raw = true, .seed = 2},
        {.name = "mlp:8", .columns = 1540, .encoder = "dual-view-1540-v1", .raw = true, .seed = 3}};
    hz_random random = hz_random_from_seed(test_seed() + 6);
    for (size_t m = 0; m < 3; m++) {
        hz_evaluator judge = model_of(&architectures[m]);
        hz_chess_search_config config = {.table_bytes = 1 << 20, .evaluators = &judge};
        hz_chess_search *single = search_new(&config);
        config.batched = true;
        hz_chess_search *batched = search_new(&config);
        for (size_t i = 0, rounds = test_effort(70); i < rounds; i++) {
            hz_chess_game game = some_game(&random, i);
            hz_chess_limits limits = {.depth = 3, .nodes = 2000};
            hz_chess_search_clear(single);
            hz_chess_search_clear(batched);
            hz_chess_answer a = search_run(single, &game, &limits);
            hz_chess_answer b = search_run(batched, &game, &limits);
            if (a.move != b.move || a.line.score != b.line.score || a.nodes != b.nodes) {
                fail_msg("%s, %s: %d, batched %d", architectures[m].name, game_fen(&game),
                         (int)a.line.score, (int)b.line.score);
            }
            hz_chess_game_fini(&game);
        }
        hz_chess_search_free(single);
        hz_chess_search_free(batched);
        hz_evaluator_close(&judge);
    }
}

/* Order, windows and the table alone: a small part of the leaves of the plain tree, quiescence
 * included. */
static void the_search_visits_a_small_part_of_the_tree(void **state) {
    (void)state;
    hz_evaluator judge = handcrafted();
    hz_chess_search *search = search_new(&(hz_chess_search_config){
        .evaluators = &judge, .switches = EXACT & ~(unsigned)HZ_CHESS_NO_EXCHANGE});
    hz_chess_game game = game_from(HZ_START_DFEN);
    static ref_negamax_answer slow;
    ref_negamax(&game, 3, &judge, true, &slow);
    hz_chess_limits limits = {.depth = 3};
    hz_chess_answer answer = search_run(search, &game, &limits);
    assert_int_equal(answer.line.score, slow.moves[0].value);
    if (answer.nodes * 100 >= hz_chess_perft(&game.now, 3) * 15) {
        fail_msg("%llu nodes", (unsigned long long)answer.nodes);
    }
    hz_chess_game_fini(&game);
    hz_chess_search_free(search);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_and_moves_are_those_of_plain_negamax),
        cmocka_unit_test(plainest_pruning_of_the_twin_changes_nothing),
        cmocka_unit_test(windows_and_table_keep_the_value_at_greater_depths),
        cmocka_unit_test(several_lines_are_the_best_root_moves_in_order),
        cmocka_unit_test(chosen_root_moves_are_the_only_ones),
        cmocka_unit_test(batches_change_nothing),
        cmocka_unit_test(batches_of_models_change_nothing),
        cmocka_unit_test(the_search_visits_a_small_part_of_the_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
