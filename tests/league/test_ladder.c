/* SPDX-License-Identifier: MIT */
/* Made openings and steps of the ladder: sound, balanced, repeatable, and the same on any number of
 * threads. */
#include "league/league.h"

enum { SOME = 12 };

static void make(uint64_t seed, size_t count, hz_arena *arena, hz_league_opening *openings) {
    hz_error err;
    if (hz_league_openings_make(seed, count, NULL, arena, openings, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
}

static void made_openings_are_sound_and_balanced(void **state) {
    (void)state;
    hz_league_opening openings[SOME];
    uint64_t keys[SOME];
    hz_arena arena;
    hz_arena_init(&arena, 0);
    make(test_seed(), SOME, &arena, openings);
    hz_chess_search *search = NULL;
    assert_int_equal(hz_chess_search_new(&(hz_chess_search_config){0}, &search, NULL), HZ_OK);
    for (size_t i = 0; i < SOME; i++) {
        hz_chess_game game;
        hz_chess_answer answer;
        hz_chess_limits limits = {.depth = HZ_LEAGUE_BALANCE_DEPTH};
        size_t plies = 1;
        for (const char *at = openings[i].moves; *at; at++) {
            plies += *at == ' ';
        }
        assert_true(plies == 6 || plies == 8);
        assert_int_equal(hz_league_opening_game(&openings[i], &game, NULL), HZ_OK);
        assert_int_equal(game.now.side, HZ_WHITE);
        assert_int_equal(hz_chess_position_end(&game.now), HZ_CHESS_GOES_ON);
        hz_chess_search_clear(search);
        assert_int_equal(hz_chess_search_run(search, &game, &limits, NULL, NULL, &answer, NULL),
                         HZ_OK);
        /* Another size of table may see a little more or less. */
        test_true(openings[i].moves, "balance", abs(answer.line.score) <= 2 * HZ_LEAGUE_BALANCE_CP);
        keys[i] = hz_chess_repetition_key(&game.now);
        for (size_t k = 0; k < i; k++) {
            assert_true(keys[k] != keys[i]);
        }
        hz_chess_game_fini(&game);
    }
    hz_chess_search_free(search);
    hz_arena_fini(&arena);
}

static void a_seed_makes_the_same_openings_and_fewer_are_the_first_of_more(void **state) {
    (void)state;
    hz_league_opening some[SOME], fewer[SOME / 2], others[SOME];
    hz_arena arena;
    hz_arena_init(&arena, 0);
    make(7, SOME, &arena, some);
    make(7, SOME / 2, &arena, fewer);
    make(8, SOME, &arena, others);
    int same = 0;
    for (size_t i = 0; i < SOME; i++) {
        if (i < SOME / 2) {
            assert_string_equal(some[i].moves, fewer[i].moves);
        }
        same += strcmp(some[i].moves, others[i].moves) == 0;
    }
    assert_true(same < SOME / 2);
    hz_arena_fini(&arena);
}

static void count_pair(void *state) {
    ++*(int *)state;
}

static void a_step_is_the_same_on_any_number_of_threads(void **state) {
    (void)state;
    hz_league_opening openings[SOME];
    hz_league_step steps[2], back;
    hz_arena arena;
    hz_arena_init(&arena, 0);
    make(1, SOME, &arena, openings);
    hz_league_step_config config = {
        .lower = 1, .upper = 2, .openings = openings, .count = SOME, .on_pair = count_pair};
    for (unsigned i = 0; i < 2; i++) {
        int pairs = 0;
        config.threads = 1 + 2 * i;
        config.state = &pairs;
        assert_int_equal(hz_league_step_play(&config, &steps[i], NULL), HZ_OK);
        assert_int_equal(pairs, SOME);
    }
    assert_memory_equal(&steps[0], &steps[1], sizeof steps[0]);
    const hz_league_step *s = &steps[0];
    assert_int_equal(s->games[0] + s->games[1] + s->games[2], 2 * SOME);
    assert_int_equal(s->pairs[0] + s->pairs[1] + s->pairs[2] + s->pairs[3] + s->pairs[4], SOME);
    assert_int_equal(s->games[1] + 2 * s->games[2],
                     s->pairs[1] + 2 * s->pairs[2] + 3 * s->pairs[3] + 4 * s->pairs[4]);
    assert_true(s->games[2] > 2 * s->games[0]); /* level 2 is the better one */
    /* Seen from the other side everything turns round. */
    config.lower = 2;
    config.upper = 1;
    config.on_pair = NULL;
    assert_int_equal(hz_league_step_play(&config, &back, NULL), HZ_OK);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(back.pairs[i], s->pairs[4 - i]);
    }
    hz_arena_fini(&arena);
}

static void what_cannot_be_is_refused(void **state) {
    (void)state;
    static const int levels[][2] = {{0, 1}, {1, 5}, {-1, 2}};
    hz_league_opening wrong = {"?", "wrong", "e2e4 e2e4"}, one[1];
    hz_cancel stop = {0};
    hz_league_step step;
    hz_arena arena;
    hz_error err;
    hz_arena_init(&arena, 0);
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        hz_league_step_config config = {
            .lower = levels[i][0], .upper = levels[i][1], .openings = &wrong, .count = 1};
        assert_int_equal(hz_league_step_play(&config, &step, &err), HZ_INVALID_ARGUMENT);
    }
    hz_league_step_config config = {.lower = 1, .upper = 2, .openings = &wrong, .count = 1};
    assert_int_equal(hz_league_step_play(&config, &step, &err), HZ_NOT_LEGAL);
    config.threads = HZ_THREADS_MAX + 1;
    assert_int_equal(hz_league_step_play(&config, &step, &err), HZ_INVALID_ARGUMENT);
    assert_int_equal(hz_league_openings_make(1, 0, NULL, &arena, one, &err), HZ_INVALID_ARGUMENT);
    assert_int_equal(hz_league_openings_make(1, HZ_LEAGUE_MADE_MAX + 1, NULL, &arena, one, &err),
                     HZ_INVALID_ARGUMENT);
    hz_cancel_request(&stop);
    assert_int_equal(hz_league_openings_make(1, 1, &stop, &arena, one, &err), HZ_CANCELLED);
    hz_arena_fini(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(made_openings_are_sound_and_balanced),
        cmocka_unit_test(a_seed_makes_the_same_openings_and_fewer_are_the_first_of_more),
        cmocka_unit_test(a_step_is_the_same_on_any_number_of_threads),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
