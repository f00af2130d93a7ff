/* SPDX-License-Identifier: MIT */
/*
 * The quick answers for material leaves against the list of results: every roll that takes no king,
 * on positions of every kind; and searches that use them against searches that do not.
 */
#include "search/searching.h"

#include "search/gains.h"

static void every_roll_wins_what_its_best_result_has_won(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed());
    hzi_gains gains = {0};
    hz_arena arena;
    size_t fewer = 0, passes = 0, castled = 0;
    hz_arena_init(&arena, 0);
    for (size_t n = test_effort(200); n > 0; n--) {
        char dfen[REF_DFEN_CAPACITY];
        quick_position(&random, dfen);
        hz_position position = test_position(dfen);
        hz_position_set_pool(&position, 0);
        hz_color us = (hz_color)position.side;
        hz_roll_set decided = hz_odds_king(&position, (hz_color)(us ^ 1));
        int32_t before = hz_evaluate_material(&position, us);
        for (int roll = 0; roll < HZ_ROLLS; roll++) {
            hz_position rolled = position;
            hz_result_list list;
            hz_position_set_pool(&rolled, hz_rolls[roll].pool);
            hz_arena_reset(&arena);
            assert_int_equal(hz_results_list(&rolled, NULL, &arena, &list, NULL), HZ_OK);
            test_same_number(dfen, "takes a king", list.winning >= 0, decided >> roll & 1);
            if (list.winning >= 0) {
                continue;
            }
            int32_t most = list.count ? INT32_MIN : before, gain = -7;
            for (size_t i = 0; i < list.count; i++) {
                int32_t after = hz_evaluate_material(&list.results[i].after, us);
                most = after > most ? after : most;
                castled += hz_move_is_castling(list.results[i].turn.moves[1]);
            }
            uint64_t boards;
            assert_int_equal(hzi_gains_of_roll(&gains, &position, &hz_rolls[roll], &gain, &boards),
                             HZI_GAIN_FOUND);
            test_same_number(dfen, "material", (uint64_t)most, (uint64_t)(before + gain));
            int need = hz_dice_max(&rolled);
            fewer += need == 1 || need == 2;
            passes += need == 0;
        }
    }
    test_met(fewer > 0 && passes > 0 && castled > 0);
    hzi_gains_fini(&gains);
    hz_arena_fini(&arena);
}

static void a_king_that_castled_takes_what_it_could_not_reach_otherwise(void **state) {
    (void)state;
    hz_position position = test_position("4k3/8/8/8/8/8/1q6/R3K3 w Q - 0 1");
    hzi_gains gains = {0};
    int32_t gain = 0;
    uint64_t boards;
    const hz_roll *rkk = NULL;
    for (int i = 0; i < HZ_ROLLS; i++) {
        rkk = hz_rolls[i].face[0] == 4 && hz_rolls[i].face[1] == 6 ? &hz_rolls[i] : rkk;
    }
    assert_non_null(rkk);
    assert_int_equal(hzi_gains_of_roll(&gains, &position, rkk, &gain, &boards), HZI_GAIN_FOUND);
    assert_int_equal(gain, 900);
    hz_position_set_rights(&position, 0);
    assert_int_equal(hzi_gains_of_roll(&gains, &position, rkk, &gain, &boards), HZI_GAIN_FOUND);
    assert_int_equal(gain, 0);
    hzi_gains_fini(&gains);
}

static void too_many_boards_are_not_kept(void **state) {
    (void)state;
    hz_position position = test_position("QQQQQQQ1/8/8/2Q2Q2/8/2Q2Q2/8/QQQQQQQ1 w - - 0 1");
    hzi_gains gains = {0};
    int32_t gain;
    uint64_t boards;
    const hz_roll queens = hz_rolls[52];
    assert_int_equal(queens.face[0] + queens.face[1] + queens.face[2], 15);
    assert_int_equal(hzi_gains_of_roll(&gains, &position, &queens, &gain, &boards),
                     HZI_GAIN_TOO_MANY);
    assert_int_equal(hzi_gains_of_roll(&gains, &position, &hz_rolls[0], &gain, &boards),
                     HZI_GAIN_FOUND);
    assert_int_equal(gain, 0);
    hzi_gains_fini(&gains);
}

/* The built-in evaluator is answered from bitboards, a judge of the same numbers is asked. */
static void material_is_searched_quickly_with_the_same_decisions(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed());
    hz_evaluator material;
    assert_int_equal(hz_evaluator_static("material", &material, NULL), HZ_OK);
    size_t cut = 0;
    for (size_t n = test_effort(30); n > 0; n--) {
        char dfen[REF_DFEN_CAPACITY];
        quick_position(&random, dfen);
        watcher leaf = {.score = by_material}, rescorer = {.score = by_hash, .number = 900};
        hz_expectimax_config slow = config_of(watching(&leaf), 6, 2);
        slow.no_pruning = ref_random_chance(&random, 20);
        if (ref_random_chance(&random, 30)) {
            slow.rescore = watching(&rescorer);
            slow.rescore_weight = 0.5;
        }
        hz_expectimax_config quick = slow;
        quick.leaf = hz_judge_evaluator(&material);
        quick.threads = 1 + ref_random_below(&random, 2);
        counting_clock clock;
        hz_deadline deadline = counting_deadline(&clock, SIZE_MAX);
        asked expected, actual;
        ask_with(dfen, &slow, n, &deadline, &expected);
        size_t reads = clock.reads;
        clock.reads = 0;
        ask_with(dfen, &quick, n, &deadline, &actual);
        same_decision(dfen, &expected, &actual);
        assert_memory_equal(&expected.record, &actual.record, sizeof actual.record);
        test_same_number(dfen, "readings", reads, clock.reads);
        cut += actual.record.cutoffs;
        asked_fini(&expected);
        asked_fini(&actual);
    }
    test_met(cut > 0);
}

static void material_is_searched_quickly_at_depth_three(void **state) {
    (void)state;
    static const char *const positions[] = {
        "7k/8/8/b7/8/8/5P2/4K3 w - - 0 1 NBK", "8/1P5k/8/8/8/8/6p1/K7 w - - 0 1 PK",
        "4k3/8/8/8/8/8/4r3/R3K3 w Q - 0 1 KRP", "6k1/5p2/8/8/2N5/8/5P2/6K1 b - - 3 9 kp"};
    hz_evaluator material;
    assert_int_equal(hz_evaluator_static("material", &material, NULL), HZ_OK);
    for (size_t p = 0; p < sizeof positions / sizeof *positions; p++) {
        watcher leaf = {.score = by_material};
        hz_expectimax_config slow = config_of(watching(&leaf), 3, 3), quick = slow;
        quick.leaf = hz_judge_evaluator(&material);
        asked expected, actual;
        ask_with(positions[p], &slow, 1, NULL, &expected);
        ask_with(positions[p], &quick, 1, NULL, &actual);
        same_decision(positions[p], &expected, &actual);
        assert_memory_equal(&expected.record, &actual.record, sizeof actual.record);
        asked_fini(&expected);
        asked_fini(&actual);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_roll_wins_what_its_best_result_has_won),
        cmocka_unit_test(a_king_that_castled_takes_what_it_could_not_reach_otherwise),
        cmocka_unit_test(too_many_boards_are_not_kept),
        cmocka_unit_test(material_is_searched_quickly_with_the_same_decisions),
        cmocka_unit_test(material_is_searched_quickly_at_depth_three),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
