/* SPDX-License-Identifier: MIT */
/* The game of `hazard play` without its dialogue, and micro-moves played one by one. */
#include "cli/game.h"
#include "cli/moves.h"

#include <string.h>

#include "support/positions.h"

static void expect_next(const hzc_game *game, const char *moves) {
    hz_move_list list;
    test_text text = {0};
    hzc_game_next(game, &list);
    test_moves_text(&text, list.moves, list.count);
    assert_string_equal(test_text_get(&text), moves);
    test_text_free(&text);
}

static hz_status play(hzc_game *game, const char *text) {
    return hzc_game_play(game, text, strlen(text), NULL);
}

/* A game whose roll is chosen, in place of that of its seed. */
static hzc_game with_roll(const char *dfen) {
    hz_position start = test_position(dfen);
    hzc_game game;
    hzc_game_init(&game, &start, 1);
    assert_true(hzc_game_roll(&game));
    hz_position_set_pool(&game.root, start.pool);
    game.board = game.root;
    return game;
}

static void turn_is_judged_from_the_whole_roll(void **state) {
    (void)state;
    hzc_game game = with_roll("8/8/8/2k5/8/1N6/2P5/K7 w - - 0 1 PPN");
    assert_int_equal(play(&game, "b3b4"), HZ_NOT_LEGAL);
    assert_int_equal(play(&game, "b3b9"), HZ_MOVE_TEXT);
    assert_int_equal(play(&game, "c2c4"), HZ_OK);
    expect_next(&game, "b3c5"); /* asked afresh, five knight moves would be legal */
    assert_int_equal(play(&game, "b3d4"), HZ_NOT_LEGAL);
    assert_int_equal(play(&game, "b3c5"), HZ_OK);
    expect_next(&game, "");
    assert_int_equal(hzc_game_end_turn(&game, NULL), HZ_OK);
    assert_int_equal(game.outcome, HZ_OUTCOME_WHITE);
    assert_int_equal(game.reason, HZ_REASON_KING);
    assert_false(hzc_game_roll(&game));
    hzc_game_fini(&game);
}

static void undo_goes_back_to_the_roll_and_no_further(void **state) {
    (void)state;
    char before[HZ_DFEN_CAPACITY], after[HZ_DFEN_CAPACITY];
    hzc_game game = with_roll("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PNB");
    test_dfen(&game.board, before);
    assert_int_equal(play(&game, "e2e4"), HZ_OK);
    assert_int_equal(play(&game, "f1c4"), HZ_OK);
    assert_true(hzc_game_undo(&game));
    assert_int_equal(play(&game, "f1b5"), HZ_OK);
    assert_true(hzc_game_undo(&game));
    assert_true(hzc_game_undo(&game));
    assert_string_equal(test_dfen(&game.board, after), before);
    assert_false(hzc_game_undo(&game));
    hzc_game_fini(&game);
}

static void games_of_random_turns_make_records_that_replay(void **state) {
    (void)state;
    uint64_t seed = test_seed();
    for (uint64_t i = 0; i < test_effort(30); i++) {
        hz_random random = hz_random_from_seed(seed + i);
        hz_position start = test_position(HZ_START_DFEN);
        hz_arena arena = {0};
        hzc_game game;
        hzc_game_init(&game, &start, seed + i);
        while (hzc_game_roll(&game)) {
            hz_result_list list;
            hz_arena_reset(&arena);
            assert_int_equal(hz_results_list(&game.root, NULL, &arena, &list, NULL), HZ_OK);
            if (list.count > 0) {
                uint32_t pick = hz_random_pick(&random, (uint32_t)list.count);
                hzc_game_play_turn(&game, &list.results[pick].turn);
            }
            int32_t score = 5;
            assert_int_equal(hzc_game_end_turn(&game, game.ply % 2 ? &score : NULL), HZ_OK);
        }
        hz_record record = hzc_game_record(&game, "a", "b");
        hz_error err;
        hz_position last;
        if (hz_record_replay(&record, true, NULL, NULL, &last, &err) != HZ_OK) {
            fail_msg("seed %llu: %s", (unsigned long long)(seed + i), err.message);
        }
        assert_true(hz_position_same_board(&last, &game.board));
        hz_arena_fini(&arena);
        hzc_game_fini(&game);
    }
}

static void hundred_quiet_micro_moves_are_a_draw_before_the_next_roll(void **state) {
    (void)state;
    hz_position start = test_position("4k3/8/8/8/8/8/8/4K2R w - - 100 60");
    hzc_game game;
    hzc_game_init(&game, &start, 1);
    assert_false(hzc_game_roll(&game));
    assert_int_equal(game.outcome, HZ_OUTCOME_DRAW);
    assert_int_equal(game.reason, HZ_REASON_FIFTY);
    hzc_game_fini(&game);
}

static void dice_that_run_out_do_not_make_an_analysis_board(void **state) {
    (void)state;
    static const struct {
        const char *dfen, *moves, *after; /* after NULL: an error */
        hz_status status;
        size_t offset;
    } cases[] = {
        {"4k3/8/8/8/8/8/PP6/4K3 w - - 0 1 P", "a2a3,b2b3", NULL, HZ_NO_DIE, 5},
        {"4k3/8/8/8/8/8/PP6/4K3 w - - 0 1", "a2a3,b2b3,e1e2,e2e3",
         "4k3/8/8/8/8/PP2K3/8/8 w - - 2 1", HZ_OK, 0},
        {"4k3/8/8/8/8/8/PP6/4K3 w - - 0 1 PN", "a2a3,e1e2", NULL, HZ_NO_DIE, 5},
        {"4k3/8/8/8/8/8/PP6/4K3 w - - 0 1 PN", "a2a3,,", NULL, HZ_NOT_PSEUDO_LEGAL, 5},
        {"4k3/8/8/8/8/8/PP6/4K3 w - - 0 1 PN", "-", "4k3/8/8/8/8/8/PP6/4K3 w - - 0 1 PN", HZ_OK, 0},
        {"4k3/8/8/8/8/8/PP6/4K3 w - - 0 1 PN", "", "4k3/8/8/8/8/8/PP6/4K3 w - - 0 1 PN", HZ_OK, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hz_position position = test_position(cases[i].dfen);
        char text[HZ_DFEN_CAPACITY];
        bool took_king;
        hz_error err;
        hz_error_clear(&err);
        hz_status status =
            hzc_moves_apply(&position, cases[i].moves, strlen(cases[i].moves), &took_king, &err);
        assert_int_equal(status, cases[i].status);
        test_same_text(cases[i].moves, "after", cases[i].after ? cases[i].after : cases[i].dfen,
                       test_dfen(&position, text));
        if (status != HZ_OK) {
            assert_int_equal(err.offset, cases[i].offset);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turn_is_judged_from_the_whole_roll),
        cmocka_unit_test(undo_goes_back_to_the_roll_and_no_further),
        cmocka_unit_test(games_of_random_turns_make_records_that_replay),
        cmocka_unit_test(hundred_quiet_micro_moves_are_a_draw_before_the_next_roll),
        cmocka_unit_test(dice_that_run_out_do_not_make_an_analysis_board),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
