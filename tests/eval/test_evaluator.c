/* SPDX-License-Identifier: MIT */
/* The evaluator interface and the built-in evaluators behind it. */
#include <hazard/eval.h>

#include "features/rows.h"

static void built_in_names_are_listed(void **state) {
    (void)state;
    static const char *const names[] = {"material", "standard", "aggressive", "handcrafted"};
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(hz_evaluator_static_name(i), names[i]);
        hz_evaluator evaluator;
        assert_int_equal(hz_evaluator_static(names[i], &evaluator, NULL), HZ_OK);
        assert_string_equal(evaluator.name, names[i]);
        hz_evaluator_close(&evaluator);
    }
    assert_null(hz_evaluator_static_name(4));
    assert_null(hz_evaluator_static_name(SIZE_MAX));
}

static void names_ignore_case_and_safety_is_standard(void **state) {
    (void)state;
    static const char *const pairs[][2] = {{"MATERIAL", "material"},
                                           {"Standard", "standard"},
                                           {"safety", "standard"},
                                           {"SAFETY", "standard"},
                                           {"aGGressivE", "aggressive"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        hz_evaluator evaluator;
        assert_int_equal(hz_evaluator_static(pairs[i][0], &evaluator, NULL), HZ_OK);
        assert_string_equal(evaluator.name, pairs[i][1]);
        hz_evaluator_close(&evaluator);
    }
}

static void an_unknown_name_is_refused_with_the_known_ones(void **state) {
    (void)state;
    static const char *const wrong[] = {"", "materia", "materials", "greedy", " standard", NULL};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        hz_evaluator evaluator = {.name = "untouched"};
        hz_error err;
        hz_error_clear(&err);
        assert_int_equal(hz_evaluator_static(wrong[i], &evaluator, &err), HZ_UNKNOWN_EVALUATOR);
        assert_int_equal(err.code, HZ_UNKNOWN_EVALUATOR);
        assert_string_equal(evaluator.name, "untouched");
        for (size_t k = 0; hz_evaluator_static_name(k); k++) {
            assert_non_null(strstr(err.message, hz_evaluator_static_name(k)));
        }
        assert_int_equal(hz_evaluator_static(wrong[i], &evaluator, NULL), HZ_UNKNOWN_EVALUATOR);
    }
    /* However long the name, the message still ends with the known ones. */
    char endless[1000];
    memset(endless, 'x', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    hz_evaluator evaluator;
    hz_error err;
    assert_int_equal(hz_evaluator_static(endless, &evaluator, &err), HZ_UNKNOWN_EVALUATOR);
    assert_non_null(strstr(err.message, "aggressive"));
}

static void a_batch_scores_every_row_by_itself(void **state) {
    (void)state;
    int32_t (*const functions[])(const hz_position *, hz_color) = {
        hz_evaluate_material, hz_evaluate_standard, hz_evaluate_aggressive};
    enum { ROWS = 100 };
    hz_position positions[ROWS];
    ref_random random = ref_random_from_seed(test_seed());
    for (size_t i = 0; i < ROWS; i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_placed(&random, (ref_style)(i % REF_STYLES), dfen);
        positions[i] = test_position(dfen);
    }
    for (size_t k = 0; k < 3; k++) {
        hz_evaluator evaluator;
        assert_int_equal(hz_evaluator_static(hz_evaluator_static_name(k), &evaluator, NULL), HZ_OK);
        for (int c = 0; c < 2; c++) {
            int32_t scores[ROWS + 1];
            scores[ROWS] = 77;
            assert_int_equal(
                hz_evaluator_score(&evaluator, positions, ROWS, both_colors[c], scores), HZ_OK);
            for (size_t i = 0; i < ROWS; i++) {
                assert_int_equal(scores[i], functions[k](&positions[i], both_colors[c]));
            }
            assert_int_equal(scores[ROWS], 77);
            assert_int_equal(hz_evaluator_score(&evaluator, positions, 0, both_colors[c], NULL),
                             HZ_OK);
        }
        hz_evaluator_close(&evaluator);
    }
}

static hz_status count_calls(void *state, const hz_position *positions, size_t n, hz_color color,
                             int32_t *scores) {
    (void)positions;
    (void)color;
    (void)scores;
    *(size_t *)state += n;
    return n > 3 ? HZ_CANCELLED : HZ_OK;
}

static void count_close(void *state) {
    *(size_t *)state += 1000;
}

static void an_evaluator_of_one_s_own_is_called_and_closed(void **state) {
    (void)state;
    size_t calls = 0;
    hz_evaluator evaluator = {
        .name = "own", .state = &calls, .score_batch = count_calls, .close = count_close};
    hz_position positions[4] = {{.fullmove = 1}};
    int32_t scores[4];
    assert_int_equal(hz_evaluator_score(&evaluator, positions, 3, HZ_WHITE, scores), HZ_OK);
    assert_int_equal(calls, 3);
    /* A failure is handed on. */
    assert_int_equal(hz_evaluator_score(&evaluator, positions, 4, HZ_WHITE, scores), HZ_CANCELLED);
    hz_evaluator_close(&evaluator);
    assert_int_equal(calls, 1007);
    /* Closed is zeroed: closing again does nothing, nor does NULL. */
    assert_null(evaluator.name);
    hz_evaluator_close(&evaluator);
    hz_evaluator_close(NULL);
    assert_int_equal(calls, 1007);
}

static void the_centipawn_scale_is_the_stated_one(void **state) {
    (void)state;
    static const int32_t scale[HZ_PIECE_TYPES] = {100, 300, 300, 500, 900, 10000};
    assert_memory_equal(hz_centipawns, scale, sizeof scale);
    assert_int_equal(HZ_SCORE_WIN, 2147483647);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(built_in_names_are_listed),
        cmocka_unit_test(names_ignore_case_and_safety_is_standard),
        cmocka_unit_test(an_unknown_name_is_refused_with_the_known_ones),
        cmocka_unit_test(a_batch_scores_every_row_by_itself),
        cmocka_unit_test(an_evaluator_of_one_s_own_is_called_and_closed),
        cmocka_unit_test(the_centipawn_scale_is_the_stated_one),
    };
    return cmocka_run_group_tests_name("eval evaluator", tests, NULL, NULL);
}
