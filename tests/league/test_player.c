/* SPDX-License-Identifier: MIT */
/*
 * The players: known values and moves, a plain twin that looks at everything, switches that must not
 * matter, and the ladder of the baselines.
 */
#include "league/league.h"

#include <math.h>

/* ---- facts ------------------------------------------------------------------------------------------ */

static void check_choice(const hz_position *p, int depth, const char *move, float score,
                         const char *fen) {
    hz_league_player *player =
        league_player((hz_league_player_config){.depth = depth, .cached = depth == 1});
    hz_league_choice choice;
    hz_chess_game game;
    char text[HZ_MOVE_CAPACITY];
    assert_int_equal(hz_chess_game_init(&game, p, NULL), HZ_OK);
    if (strcmp(move, "-") == 0) {
        hz_error err;
        assert_int_equal(hz_league_player_choose(player, &game, NULL, &choice, &err),
                         HZ_INVALID_ARGUMENT);
    } else {
        assert_int_equal(hz_league_player_choose(player, &game, NULL, &choice, NULL), HZ_OK);
        (void)hz_move_to_text(choice.move, text);
        test_same_text(fen, "move", move, text);
        test_true(fen, "score", choice.score == score);
    }
    hz_chess_game_fini(&game);
    hz_league_player_free(player);
}

static void values_and_moves_are_those_of_the_rules(void **state) {
    (void)state;
    test_table table = test_table_load("league_baseline.tsv", 8);
    hz_league_player *player = league_player(hz_league_baseline(1));
    assert_true(table.count >= 41);
    for (size_t i = 0; i < table.count; i++) {
        const char *const *f = table.rows[i].field;
        hz_position p = league_fen(f[0]);
        float value = NAN;
        test_true(f[0], "static value",
                  hz_evaluate_handcrafted(&p, (hz_color)p.side) == atoi(f[1]));
        test_same_number(f[0], "legal moves", test_number(f[2]), hz_chess_move_count(&p));
        assert_int_equal(hz_league_player_quiescence(player, &p, &value, NULL), HZ_OK);
        test_true(f[0], "quiescence", value == strtof(f[3], NULL));
        check_choice(&p, 1, f[4], strtof(f[5], NULL), f[0]);
        check_choice(&p, 2, f[6], strtof(f[7], NULL), f[0]);
    }
    hz_league_player_free(player);
    test_table_free(&table);
}

/* ---- the plain twin ----------------------------------------------------------------------------------- */

/* Everything without windows: what standing pat or the best capture gives. Stops, with *budget below
 * zero, in positions where that is too much. */
static float plain_quiescence(hz_league_judge judge, const hz_position *p, int ply, int *budget) {
    hz_move moves[HZ_CHESS_MOVES_MAX];
    int n = hz_chess_moves(p, moves);
    float best = 0.0F;
    if (n == 0) {
        return hz_chess_in_check(p, (hz_color)p->side) ? (float)(ply - 100000) : 0.0F;
    }
    if (p->halfmove >= 100 || hz_chess_dead_material(p) || --*budget < 0) {
        return 0.0F;
    }
    assert_int_equal(judge.judge(judge.state, p, 1, &best, NULL), HZ_OK);
    for (int i = 0; i < n; i++) {
        if (hz_move_flags(moves[i]) & (HZ_MOVE_CAPTURE | HZ_MOVE_PROMOTION)) {
            hz_position child;
            hz_chess_play(p, moves[i], &child);
            float value = -plain_quiescence(judge, &child, ply + 1, budget);
            best = value > best ? value : best;
        }
    }
    return best;
}

static int64_t code_of(hz_move move) {
    hz_piece_type promotion = hz_move_promotion(move);
    return hz_move_from(move) + 64 * hz_move_to(move) +
           4096 * (promotion == HZ_NO_PIECE ? 0 : (int)promotion);
}

/* Whether a comes before b at the root, by the words of the rule. */
static bool before(const hz_position *p, hz_move a, hz_move b) {
    static const int worth[] = {1, 3, 3, 5, 9, 100, 0};
    hz_move moves[2] = {a, b};
    int keys[2];
    for (int i = 0; i < 2; i++) {
        unsigned flags = hz_move_flags(moves[i]);
        hz_piece_type promotion = hz_move_promotion(moves[i]);
        int victim =
            flags == HZ_MOVE_EN_PASSANT ? 1 : worth[hz_position_type_at(p, hz_move_to(moves[i]))];
        int bonus = promotion == HZ_NO_PIECE ? 0 : promotion == HZ_QUEEN ? 9 : 3;
        keys[i] =
            flags & (HZ_MOVE_CAPTURE | HZ_MOVE_PROMOTION)
                ? 128 * (victim + bonus) - worth[hz_position_type_at(p, hz_move_from(moves[i]))]
                : -1000;
    }
    return keys[0] != keys[1] ? keys[0] > keys[1] : code_of(a) < code_of(b);
}

/* The move of depth 1 with full windows; false when it is too much. */
static bool plain_choice(hz_league_judge judge, const hz_position *p, hz_move *best_move,
                         float *best) {
    hz_move moves[HZ_CHESS_MOVES_MAX];
    int n = hz_chess_moves(p, moves), budget = 20000;
    *best = -INFINITY;
    for (int i = 1; i < n; i++) {
        for (int k = i; k > 0 && before(p, moves[k], moves[k - 1]); k--) {
            hz_move other = moves[k];
            moves[k] = moves[k - 1];
            moves[k - 1] = other;
        }
    }
    for (int i = 0; i < n; i++) {
        hz_position child;
        hz_chess_play(p, moves[i], &child);
        float value = -plain_quiescence(judge, &child, 1, &budget);
        if (value > *best) {
            *best = value;
            *best_move = moves[i];
        }
    }
    return budget >= 0;
}

static hz_league_judge some_judge(unsigned i) {
    return i % 3 == 0   ? (hz_league_judge){.judge = league_noise}
           : i % 3 == 1 ? hz_league_judge_material()
                        : (hz_league_judge){0};
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

static void windows_do_not_matter(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    size_t compared = 0, wanted = test_effort(300);
    for (unsigned i = 0; compared < wanted && i < 20 * wanted; i++) {
        hz_position p = league_random_position(&random, hz_random_draw(&random, 120));
        hz_league_judge judge = some_judge(i), plain = judge;
        hz_move move = 0;
        float score = 0.0F, value = NAN;
        char fen[HZ_DFEN_CAPACITY];
        if (!plain.judge) {
            plain.judge = handcrafted;
        }
        (void)hz_position_to_dfen(&p, fen, sizeof fen);
        if (hz_chess_move_count(&p) == 0 || !plain_choice(plain, &p, &move, &score)) {
            continue;
        }
        compared++;
        hz_league_player *player = league_player(
            (hz_league_player_config){.judge = judge, .depth = 1, .cached = compared % 2 == 0});
        int budget = 100000;
        assert_int_equal(hz_league_player_quiescence(player, &p, &value, NULL), HZ_OK);
        test_true(fen, "quiescence", value == plain_quiescence(plain, &p, 0, &budget));
        hz_chess_game game;
        hz_league_choice choice;
        assert_int_equal(hz_chess_game_init(&game, &p, NULL), HZ_OK);
        assert_int_equal(hz_league_player_choose(player, &game, NULL, &choice, NULL), HZ_OK);
        test_true(fen, "move", choice.move == move);
        test_true(fen, "score", choice.score == score);
        hz_chess_game_fini(&game);
        hz_league_player_free(player);
    }
    test_met(compared == wanted);
}

static void caches_and_batches_do_not_matter(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed() + 1);
    for (unsigned round = 0; round < test_effort(12); round++) {
        hz_league_judge judge = some_judge(round);
        hz_league_player *players[3];
        for (int k = 0; k < 3; k++) {
            players[k] = league_player((hz_league_player_config){
                .judge = judge, .depth = 1, .cached = k > 0, .batched = k > 1});
        }
        hz_chess_game game;
        hz_position start = league_random_position(&random, 8);
        assert_int_equal(hz_chess_game_init(&game, &start, NULL), HZ_OK);
        for (int ply = 0; ply < 60; ply++) {
            hz_league_choice choices[3];
            if (hz_chess_position_end(&game.now) != HZ_CHESS_GOES_ON) {
                break;
            }
            for (int k = 0; k < 3; k++) {
                assert_int_equal(
                    hz_league_player_choose(players[k], &game, NULL, &choices[k], NULL), HZ_OK);
                assert_int_equal(choices[k].move, choices[0].move);
                assert_true(choices[k].score == choices[0].score);
            }
            /* Not always the best, so that the games differ. */
            hz_move moves[HZ_CHESS_MOVES_MAX];
            int n = hz_chess_moves(&game.now, moves);
            bool own = hz_random_draw(&random, 3) > 0;
            hz_move move = own ? choices[0].move : moves[hz_random_draw(&random, (uint32_t)n)];
            assert_int_equal(hz_chess_game_play(&game, move, NULL), HZ_OK);
        }
        hz_chess_game_fini(&game);
        for (int k = 0; k < 3; k++) {
            hz_league_player_free(players[k]);
        }
    }
}

/* A judge that knows which positions it was asked for by a player that asks for no more than it needs;
 * all others have a value that loses the game. */
typedef struct picky {
    uint64_t keys[1 << 14];
    size_t count;
    bool learning;
} picky;

static hz_status pick(void *state, const hz_position *positions, size_t n, float *values,
                      hz_error *err) {
    picky *known = state;
    hz_status status = league_noise(NULL, positions, n, values, err);
    for (size_t i = 0; i < n; i++) {
        bool found = false;
        for (size_t k = 0; k < known->count && !found; k++) {
            found = known->keys[k] == positions[i].key;
        }
        if (!found && known->learning) {
            if (known->count == sizeof known->keys / sizeof known->keys[0]) {
                return HZ_MODEL_RUN;
            }
            known->keys[known->count++] = positions[i].key;
        } else if (!found) {
            values[i] = NAN;
        }
    }
    return status;
}

static void values_that_are_not_needed_may_be_anything(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed() + 2);
    picky *known = calloc(1, sizeof *known);
    assert_non_null(known);
    size_t compared = 0;
    for (size_t round = test_effort(40); round > 0; round--) {
        hz_position start = league_random_position(&random, 40 + hz_random_draw(&random, 60));
        hz_league_choice choices[2];
        hz_status status[2] = {HZ_OK, HZ_OK};
        hz_chess_game game;
        known->count = 0;
        assert_int_equal(hz_chess_game_init(&game, &start, NULL), HZ_OK);
        for (int batched = 0; batched < 2 && status[0] == HZ_OK; batched++) {
            known->learning = !batched;
            hz_league_player *player = league_player((hz_league_player_config){
                .judge = {pick, known}, .depth = 1, .cached = batched, .batched = batched});
            status[batched] = hz_league_player_choose(player, &game, NULL, &choices[batched], NULL);
            hz_league_player_free(player);
        }
        if (status[0] == HZ_OK) {
            assert_int_equal(status[1], HZ_OK);
            assert_int_equal(choices[0].move, choices[1].move);
            compared++;
        }
        hz_chess_game_fini(&game);
    }
    test_met(compared > 0);
    free(known);
}

/* The third occurrence counts 0 at the root: a winning side avoids it, a losing side seeks it. */
static void a_third_occurrence_is_worth_nothing_at_the_root(void **state) {
    (void)state;
    hz_league_player *player = league_player(hz_league_baseline(1));
    hz_chess_game game;
    hz_position start = league_fen("6k1/5ppp/8/8/8/q7/8/6K1 w - - 0 1"), child;
    hz_league_choice first, third;
    static const char *const moves[] = {"g1f1", "a3b3", "f1g1", "b3a3",
                                        "g1f1", "a3b3", "f1g1", "b3a3"};
    assert_int_equal(hz_chess_game_init(&game, &start, NULL), HZ_OK);
    assert_int_equal(hz_league_player_choose(player, &game, NULL, &first, NULL), HZ_OK);
    assert_true(first.score < -500.0F);
    for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++) {
        hz_move move;
        assert_int_equal(
            hz_chess_move_from_text(&game.now, moves[i], strlen(moves[i]), &move, NULL), HZ_OK);
        assert_int_equal(hz_chess_game_play(&game, move, NULL), HZ_OK);
    }
    assert_int_equal(hz_league_player_choose(player, &game, NULL, &third, NULL), HZ_OK);
    hz_chess_play(&game.now, third.move, &child);
    assert_true(third.score == 0.0F);
    char text[HZ_MOVE_CAPACITY];
    (void)hz_move_to_text(third.move, text);
    assert_string_equal(text, "g1f1");
    hz_chess_game_fini(&game);
    hz_league_player_free(player);
}

static hz_status infinite(void *state, const hz_position *p, size_t n, float *values,
                          hz_error *err) {
    (void)p;
    (void)err;
    for (size_t i = 0; i < n; i++) {
        values[i] = *(const float *)state;
    }
    return HZ_OK;
}

static void values_are_cut_and_what_is_not_finite_is_refused(void **state) {
    (void)state;
    hz_position p = league_fen("7k/8/8/8/8/8/8/K4R2 w - - 0 1");
    static const struct {
        float value, cut;
        bool refused;
    } cases[] = {{1e30F, 90000.0F, false}, {-1e30F, -90000.0F, false}, {90001.0F, 90000.0F, false},
                 {-0.0F, 0.0F, false},     {NAN, 0.0F, true},          {INFINITY, 0.0F, true},
                 {-INFINITY, 0.0F, true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        float value = cases[i].value, got = NAN;
        hz_league_judge judge = {infinite, &value};
        hz_league_player *player =
            league_player((hz_league_player_config){.judge = judge, .depth = 1, .cached = true});
        hz_status status = hz_league_player_quiescence(player, &p, &got, NULL);
        assert_int_equal(status, cases[i].refused ? HZ_MODEL_RUN : HZ_OK);
        assert_true(cases[i].refused || got == cases[i].cut);
        hz_league_player_free(player);
    }
}

static void depths_outside_their_range_are_refused(void **state) {
    (void)state;
    hz_league_player *player = NULL;
    hz_error err;
    for (int depth = -1; depth <= 18; depth++) {
        hz_league_player_config config = {.depth = depth};
        hz_status status = hz_league_player_new(&config, &player, &err);
        assert_int_equal(status, depth >= 1 && depth <= 16 ? HZ_OK : HZ_INVALID_ARGUMENT);
        if (status == HZ_OK) {
            hz_league_player_free(player);
        }
    }
}

/* ---- the ladder -------------------------------------------------------------------------------------- */

/* Points of 100 of the lower level over the openings, both colours. */
static int ladder(int lower, int upper) {
    hz_league_player *a = league_player(hz_league_baseline(lower));
    hz_league_player *b = league_player(hz_league_baseline(upper));
    int points2 = 0;
    for (int i = 0; i < HZ_LEAGUE_GAMES; i++) {
        hz_chess_game game;
        hz_league_result result;
        assert_int_equal(hz_league_opening_game(&hz_league_openings[i / 2], &game, NULL), HZ_OK);
        assert_int_equal(
            hz_league_play(a, b, i % 2 ? HZ_BLACK : HZ_WHITE, 0, NULL, &game, &result, NULL),
            HZ_OK);
        points2 += result.points2;
        hz_chess_game_fini(&game);
    }
    hz_league_player_free(a);
    hz_league_player_free(b);
    return points2;
}

static void the_ladder_is_the_published_one(void **state) {
    (void)state;
    static const struct {
        int lower, upper, percent;
        bool quick;
    } steps[] = {{1, 2, 14, true},  {1, 4, 3, true},  {1, 3, 6, false},
                 {2, 3, 16, false}, {2, 4, 4, false}, {3, 4, 18, false}};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        if (steps[i].quick || test_effort(1) >= 5) {
            int percent = ladder(steps[i].lower, steps[i].upper);
            printf("# level %d against %d: %d %%\n", steps[i].lower, steps[i].upper, percent);
            assert_true(abs(percent - steps[i].percent) <= 6);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_and_moves_are_those_of_the_rules),
        cmocka_unit_test(windows_do_not_matter),
        cmocka_unit_test(caches_and_batches_do_not_matter),
        cmocka_unit_test(values_that_are_not_needed_may_be_anything),
        cmocka_unit_test(a_third_occurrence_is_worth_nothing_at_the_root),
        cmocka_unit_test(values_are_cut_and_what_is_not_finite_is_refused),
        cmocka_unit_test(depths_outside_their_range_are_refused),
        cmocka_unit_test(the_ladder_is_the_published_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
