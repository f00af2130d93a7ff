/* SPDX-License-Identifier: MIT */
/* Values, losses and luck, compared with the plain recursion they are defined by. */
#include "bots/analysis.h"

#include "bots/asking.h"
#include "ref/ref_random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char sparse[] = "7k/8/8/b7/8/8/5P2/4K3 w - - 0 1 NBK";

/* ---- the plain recursion, by material ---- */

static double slow_after(const hz_position *after, hz_color mover, int depth);

/* The value of a rolled position for `mover`, whoever is to move. */
static double slow_roll(const hz_position *rolled, hz_color mover, int depth) {
    bool own = rolled->side == (uint8_t)mover;
    hz_arena arena = {0};
    hz_result_list list;
    double best = 0;
    assert_int_equal(hz_results_list(rolled, NULL, &arena, &list, NULL), HZ_OK);
    if (list.winning >= 0) {
        best = own ? 10000 : -10000;
    } else if (list.count == 0) {
        hz_position passed = *rolled;
        hz_hand_over(&passed);
        best = slow_after(&passed, mover, depth - 1);
    }
    for (size_t i = 0; i < list.count && list.winning < 0; i++) {
        double value = slow_after(&list.results[i].after, mover, depth - 1);
        best = i == 0 || (own ? value > best : value < best) ? value : best;
    }
    hz_arena_fini(&arena);
    return best;
}

/* `depth` turns beyond this position. */
static double slow_after(const hz_position *after, hz_color mover, int depth) {
    if (depth == 0) {
        return hz_evaluate_material(after, mover);
    }
    double sum = 0;
    for (int i = 0; i < HZ_ROLLS; i++) {
        hz_position rolled = *after;
        hz_position_set_pool(&rolled, hz_rolls[i].pool);
        sum += hz_rolls[i].weight_216 * slow_roll(&rolled, mover, depth);
    }
    return sum / 216;
}

/* ---- asking ---- */

typedef struct asked {
    asking ask;
    hz_bot bot;
    hzi_analyst *analyst;
    hz_arena arena;
    hzi_analysis analysis;
    hz_position position;
    hz_error err;
} asked;

static void open_analyst(asked *a, const char *bot, uint32_t limit, uint32_t roll_limit,
                         bool rolls) {
    hzi_analysis_config config = {.limit = limit, .roll_limit = roll_limit, .rolls = rolls};
    *a = (asked){.ask = asking_new()};
    assert_int_equal(hz_registry_register_kinds(a->ask.registry, NULL), HZ_OK);
    a->bot = asking_open(&a->ask, bot);
    assert_true(hz_bot_judge(&a->bot, &config.judgement));
    assert_int_equal(hzi_analyst_new(&config, &a->analyst, NULL), HZ_OK);
}

static void close_analyst(asked *a) {
    hzi_analyst_free(a->analyst);
    hz_bot_close(&a->bot);
    asking_free(&a->ask);
    hz_arena_fini(&a->arena);
}

static hz_status analyse(asked *a, const char *dfen, const hz_turn *played,
                         const hz_deadline *deadline) {
    a->position = test_position(dfen);
    hz_arena_reset(&a->arena);
    return hzi_analyse(a->analyst, &a->position, played, deadline, NULL, NULL, &a->arena,
                       &a->analysis, &a->err);
}

static void must_analyse(asked *a, const char *dfen, const hz_turn *played) {
    if (analyse(a, dfen, played, NULL) != HZ_OK) {
        fail_msg("%s: %s", dfen, a->err.message);
    }
}

static void same_value(const char *dfen, const char *what, double expected, double actual) {
    if (fabs(expected - actual) > 1e-6) {
        fail_msg("%s: %s: expected %.9g, got %.9g", dfen, what, expected, actual);
    }
}

/* Order, ranks and losses follow from the values. */
static void check_list(const char *dfen, const hzi_analysis *analysis) {
    for (size_t i = 0; i < analysis->valued; i++) {
        const hzi_judged *r = &analysis->results[i];
        size_t above = 0;
        for (size_t k = 0; k < analysis->valued; k++) {
            above += analysis->results[k].value > r->value;
        }
        test_true(dfen, "valued first", r->valued);
        test_same_number(dfen, "rank", above + 1, r->rank);
        same_value(dfen, "loss", analysis->results[0].value - r->value, r->loss);
        test_true(dfen, "order", i == 0 || r[-1].value >= r->value);
    }
    for (size_t i = analysis->valued; i < analysis->count; i++) {
        test_true(dfen, "the rest has no value", !analysis->results[i].valued);
    }
}

static void compare(asked *a, const char *dfen, int depth) {
    must_analyse(a, dfen, NULL);
    const hzi_analysis *analysis = &a->analysis;
    hz_color mover = (hz_color)a->position.side;
    test_true(dfen, "complete", analysis->complete);
    test_same_number(dfen, "all valued", analysis->count, analysis->valued);
    for (size_t i = 0; i < analysis->count; i++) {
        const hzi_judged *r = &analysis->results[i];
        double expected = r->turn.took_king ? 10000 : slow_after(&r->after, mover, depth - 1);
        same_value(dfen, "value of a result", expected, r->value);
        test_same_number(dfen, "own king", hz_roll_set_weight(hz_odds_king(&r->after, mover)),
                         r->own_216);
    }
    check_list(dfen, analysis);
    same_value(dfen, "value", slow_roll(&a->position, mover, depth), analysis->value);
    if (analysis->has_rolls) {
        double sum = 0;
        for (int i = 0; i < HZ_ROLLS; i++) {
            hz_position rolled = a->position;
            hz_position_set_pool(&rolled, hz_rolls[i].pool);
            same_value(dfen, "value of a roll", slow_roll(&rolled, mover, depth),
                       analysis->rolls[i]);
            sum += hz_rolls[i].weight_216 * analysis->rolls[i];
        }
        same_value(dfen, "mean", sum / 216, analysis->mean);
        if (analysis->roll >= 0) {
            same_value(dfen, "luck", analysis->value - analysis->mean, analysis->luck);
        }
    }
}

static void at_depth_one_values_are_the_evaluators(void **state) {
    (void)state;
    asked a;
    open_analyst(&a, "greedy", 0, 0, true);
    ref_random random = ref_random_from_seed(test_seed());
    for (size_t i = 0; i < test_effort(12); i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_played(&random, REF_ROLLED, dfen);
        compare(&a, dfen, 1);
    }
    close_analyst(&a);
}

static void at_depth_two_values_are_those_of_the_plain_recursion(void **state) {
    (void)state;
    asked a;
    open_analyst(&a, "expectimax", 0, 0, false);
    static const char *const positions[] = {
        sparse, "4k3/8/8/8/8/8/8/4K2r w - - 0 1 KKK", "4k3/8/8/8/3q4/8/8/K7 w - - 0 1 PPK",
        "7k/6pp/8/8/8/2b5/PP6/K7 b - - 0 1 PBK", "4k3/8/3N4/8/B7/8/8/4K3 w - - 0 1 NBQ"};
    size_t most = sizeof positions / sizeof *positions, wanted = test_effort(most);
    for (size_t i = 0; i < most && i < wanted; i++) {
        compare(&a, positions[i], 2);
    }
    close_analyst(&a);
    open_analyst(&a, "expectimax", 0, 0, true);
    compare(&a, "7k/8/8/8/8/8/8/K7 w - - 0 1 KKP", 2);
    close_analyst(&a);
}

static void at_depth_three_values_are_those_of_the_plain_recursion(void **state) {
    (void)state;
    asked a;
    open_analyst(&a, "expectimax:depth=3", 0, 0, false);
    compare(&a, "k7/8/8/8/8/8/8/K7 w - - 0 1 KPP", 3);
    close_analyst(&a);
}

static void a_lost_king_counts_as_the_end_of_the_axis(void **state) {
    (void)state;
    asked a;
    open_analyst(&a, "expectimax", 0, 0, false);
    /* The rook gives check along the rank: it stays within reach wherever the king goes. */
    must_analyse(&a, "4k3/8/8/8/8/8/8/4K2r w - - 0 1 KPP", NULL);
    for (size_t i = 0; i < a.analysis.count; i++) {
        const hzi_judged *r = &a.analysis.results[i];
        assert_true(r->value >= -10000 && r->value <= 0);
        if (r->own_216 > 0) {
            double most = -10000.0 * r->own_216 / 216;
            assert_true(r->value < most + 1);
        }
    }
    assert_true(a.analysis.results[a.analysis.count - 1].own_216 > 0);
    close_analyst(&a);
}

static void every_way_to_play_a_result_is_that_result(void **state) {
    (void)state;
    asked a;
    open_analyst(&a, "aggressive", 0, 0, false);
    ref_random random = ref_random_from_seed(test_seed());
    for (size_t i = 0; i < test_effort(20); i++) {
        char dfen[REF_DFEN_CAPACITY];
        hz_arena arena = {0};
        hz_turn_list turns;
        ref_random_played(&random, REF_ROLLED, dfen);
        hz_position position = test_position(dfen);
        assert_int_equal(hz_turns_list(&position, 0, &arena, &turns, NULL), HZ_OK);
        if (turns.count > 0) {
            const hz_turn *played = &turns.turns[ref_random_below(&random, (unsigned)turns.count)];
            hz_position after;
            char text[HZ_TURN_CAPACITY];
            hz_turn turn;
            size_t length = hz_turn_to_text(played, text);
            must_analyse(&a, dfen, played);
            assert_int_equal(hz_turn_parse(&position, text, length, &turn, &after, NULL), HZ_OK);
            const hzi_judged *r = &a.analysis.results[a.analysis.played];
            if (played->took_king) {
                test_true(dfen, text, r->turn.took_king && r->loss == 0);
            } else {
                hz_hand_over(&after);
                test_true(dfen, text, hz_position_same_board(&after, &r->after));
                double best = a.analysis.results[0].value;
                int32_t own = hz_evaluate_aggressive(&after, (hz_color)position.side);
                same_value(dfen, text, best - own, r->loss);
            }
        }
        hz_arena_fini(&arena);
    }
    close_analyst(&a);
}

static void the_played_result_is_valued_even_beyond_the_limit(void **state) {
    (void)state;
    static const char dfen[] = "4k3/8/8/8/8/8/PPP5/4KN2 w - - 0 1 PNK";
    asked a;
    open_analyst(&a, "expectimax", 0, 0, false);
    must_analyse(&a, dfen, NULL);
    hz_turn last = a.analysis.results[a.analysis.count - 1].turn;
    double value = a.analysis.results[a.analysis.count - 1].value;
    close_analyst(&a);
    open_analyst(&a, "expectimax", 2, 0, false);
    must_analyse(&a, dfen, &last);
    assert_int_equal(a.analysis.valued, 3);
    same_value(dfen, "played", value, a.analysis.results[a.analysis.played].value);
    check_list(dfen, &a.analysis);
    close_analyst(&a);
}

static void a_pass_has_a_value_and_luck(void **state) {
    (void)state;
    static const char dfen[] = "k7/8/8/8/8/8/8/K7 w - - 0 1 QQQ";
    asked a;
    open_analyst(&a, "expectimax", 0, 0, true);
    hz_turn pass = {0};
    must_analyse(&a, dfen, &pass);
    assert_int_equal(a.analysis.count, 0);
    assert_true(a.analysis.has_value && a.analysis.has_rolls);
    assert_int_equal(a.analysis.played, -1);
    hz_position passed = a.position;
    hz_hand_over(&passed);
    same_value(dfen, "pass", slow_after(&passed, HZ_WHITE, 1), a.analysis.value);
    same_value(dfen, "luck", a.analysis.value - a.analysis.mean, a.analysis.luck);
    close_analyst(&a);
}

static void without_three_dice_there_is_no_luck(void **state) {
    (void)state;
    asked a;
    open_analyst(&a, "greedy", 0, 0, true);
    must_analyse(&a, "4k3/8/8/8/8/8/8/4K3 w - - 0 1 KK", NULL);
    assert_int_equal(a.analysis.roll, -1);
    assert_true(a.analysis.has_rolls);
    assert_true(a.analysis.luck == 0);
    close_analyst(&a);
}

static void a_past_deadline_leaves_the_list_without_values(void **state) {
    (void)state;
    asked a;
    hz_deadline past = {.at_ns = 0};
    open_analyst(&a, "expectimax", 0, 0, true);
    assert_int_equal(analyse(&a, sparse, NULL, &past), HZ_OK);
    assert_false(a.analysis.complete);
    assert_false(a.analysis.has_value);
    assert_false(a.analysis.has_rolls);
    assert_int_equal(a.analysis.count, 4);
    assert_int_equal(a.analysis.valued, 0);
    /* The next question is not touched by it. */
    must_analyse(&a, sparse, NULL);
    assert_true(a.analysis.complete);
    close_analyst(&a);
}

typedef struct watching {
    size_t calls, last, total, stop_at;
} watching;

static bool watch(void *context, size_t done, size_t total) {
    watching *w = context;
    w->calls++;
    assert_true(done > w->last && done <= total);
    w->last = done;
    w->total = total;
    return w->calls != w->stop_at;
}

static void progress_counts_results_and_rolls_and_can_stop(void **state) {
    (void)state;
    asked a;
    watching w = {0};
    open_analyst(&a, "expectimax", 0, 2, true);
    a.position = test_position(sparse);
    assert_int_equal(
        hzi_analyse(a.analyst, &a.position, NULL, NULL, watch, &w, &a.arena, &a.analysis, &a.err),
        HZ_OK);
    assert_int_equal(w.last, 4 + 56);
    assert_int_equal(w.total, 4 + 56);
    w = (watching){.stop_at = 10};
    assert_int_equal(
        hzi_analyse(a.analyst, &a.position, NULL, NULL, watch, &w, &a.arena, &a.analysis, &a.err),
        HZ_OK);
    assert_int_equal(w.calls, 10);
    assert_false(a.analysis.complete);
    close_analyst(&a);
}

static void what_cannot_be_judged_is_refused(void **state) {
    (void)state;
    asked a;
    hz_turn illegal = {.count = 1, .moves = {hz_move_make(0, 1, 0)}}, pass = {0};
    open_analyst(&a, "expectimax", 0, 0, false);
    assert_int_equal(analyse(&a, "4k3/8/8/8/8/8/8/4K3 w - - 0 1", NULL, NULL), HZ_INVALID_ARGUMENT);
    assert_int_equal(analyse(&a, sparse, &illegal, NULL), HZ_INVALID_ARGUMENT);
    assert_int_equal(analyse(&a, sparse, &pass, NULL), HZ_INVALID_ARGUMENT);
    assert_int_equal(analyse(&a, "k7/8/8/8/8/8/8/K7 w - - 0 1 QQQ", &illegal, NULL),
                     HZ_INVALID_ARGUMENT);
    close_analyst(&a);
    hzi_analysis_config none = {0};
    hzi_analyst *analyst = NULL;
    assert_int_equal(hzi_analyst_new(&none, &analyst, NULL), HZ_INVALID_ARGUMENT);
    assert_null(analyst);
}

static hz_status failing_judge(void *state, const hz_position *positions, size_t n, hz_color color,
                               int32_t *scores, size_t *done, hz_error *err) {
    int *left = state;
    for (size_t i = 0; i < n; i++) {
        scores[i] = hz_evaluate_material(&positions[i], color);
    }
    *done = *left > 0 ? n : 0;
    return --*left >= 0 ? HZ_OK : hz_fail(err, HZ_MODEL_RUN, HZ_NO_OFFSET, "the judge is tired");
}

static void a_failing_judge_is_an_error(void **state) {
    (void)state;
    for (int good = 0; good < 3; good++) {
        int left = good;
        hzi_analysis_config config = {
            .judgement = {.judge = {&left, failing_judge}, .depth = 2, .win = 1, .name = "tired"}};
        hzi_analyst *analyst;
        hzi_analysis analysis;
        hz_error err;
        hz_arena arena = {0};
        hz_position position = test_position(sparse);
        assert_int_equal(hzi_analyst_new(&config, &analyst, NULL), HZ_OK);
        assert_int_equal(
            hzi_analyse(analyst, &position, NULL, NULL, NULL, NULL, &arena, &analysis, &err),
            HZ_MODEL_RUN);
        assert_true(*err.message);
        hzi_analyst_free(analyst);
        hz_arena_fini(&arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_depth_one_values_are_the_evaluators),
        cmocka_unit_test(at_depth_two_values_are_those_of_the_plain_recursion),
        cmocka_unit_test(at_depth_three_values_are_those_of_the_plain_recursion),
        cmocka_unit_test(a_lost_king_counts_as_the_end_of_the_axis),
        cmocka_unit_test(every_way_to_play_a_result_is_that_result),
        cmocka_unit_test(the_played_result_is_valued_even_beyond_the_limit),
        cmocka_unit_test(a_pass_has_a_value_and_luck),
        cmocka_unit_test(without_three_dice_there_is_no_luck),
        cmocka_unit_test(a_past_deadline_leaves_the_list_without_values),
        cmocka_unit_test(progress_counts_results_and_rolls_and_can_stop),
        cmocka_unit_test(what_cannot_be_judged_is_refused),
        cmocka_unit_test(a_failing_judge_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
