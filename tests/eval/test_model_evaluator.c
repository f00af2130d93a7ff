/* SPDX-License-Identifier: MIT */
/* A model behind the evaluator interface. */
#include <hazard/eval.h>

#include "package/fake.h"
#include "package/folder.h"
#include "support/positions.h"

typedef struct scene {
    folder files;
    fake runtime;
    hz_scorer *scorer;
} scene;

/* The value is the side's share of the pawns on the board, so that colours and rows differ. */
static float pawns(const float *row, size_t width) {
    (void)width;
    return 0.5F + row[0] / 16.0F;
}

static void scene_make(scene *s) {
    folder_make(&s->files);
    fake_make(&s->runtime, 7);
    s->runtime.value = pawns;
    s->scorer = NULL;
    hz_model_source source = {.path = folder_write_text(&s->files, "model.onnx", "graph")};
    hz_scorer_options options = {.executor = &s->runtime.executor};
    assert_int_equal(hz_scorer_open(&source, &options, &s->scorer, NULL), HZ_OK);
}

static void an_evaluator_scores_as_its_scorer(void **state) {
    (void)state;
    static const char *const dfens[] = {"4k3/8/8/8/8/8/PPPP4/4K3 w - - 0 1",
                                        "4k3/p7/8/8/8/8/8/4K3 b - - 0 1",
                                        "4k3/8/8/8/8/8/8/4K3 w - - 0 1"};
    static const int32_t expected[2][3] = {{7500, 4375, 5000}, {2500, 5625, 5000}};
    scene s;
    scene_make(&s);
    hz_evaluator evaluator;
    assert_int_equal(hz_evaluator_scorer(s.scorer, true, &evaluator, NULL), HZ_OK);
    assert_string_equal(evaluator.name, "model");
    hz_position positions[3];
    for (size_t i = 0; i < 3; i++) {
        positions[i] = test_position(dfens[i]);
    }
    for (int color = 0; color < 2; color++) {
        int32_t scores[3];
        assert_int_equal(hz_evaluator_score(&evaluator, positions, 3, (hz_color)color, scores),
                         HZ_OK);
        assert_memory_equal(scores, expected[color == HZ_BLACK], sizeof scores);
    }
    assert_int_equal(hz_evaluator_score(&evaluator, positions, 0, HZ_WHITE, NULL), HZ_OK);
    assert_int_equal(s.runtime.runs, 2);
    /* A failed run is handed on. */
    int32_t score;
    s.runtime.failing_run = 3;
    assert_int_equal(hz_evaluator_score(&evaluator, positions, 1, HZ_WHITE, &score), HZ_MODEL_RUN);
    hz_evaluator_close(&evaluator);
    assert_int_equal(s.runtime.closes, 1);
    /* Closed is zeroed: closing again does nothing. */
    hz_evaluator_close(&evaluator);
    assert_int_equal(s.runtime.closes, 1);
    folder_remove(&s.files);
}

static void closing_closes_a_scorer_that_is_owned(void **state) {
    (void)state;
    for (int owns = 0; owns < 2; owns++) {
        scene s;
        scene_make(&s);
        hz_evaluator evaluator;
        assert_int_equal(hz_evaluator_scorer(s.scorer, owns, &evaluator, NULL), HZ_OK);
        s.runtime.close_status = owns ? HZ_IO : HZ_OK; /* released all the same */
        hz_evaluator_close(&evaluator);
        assert_int_equal(s.runtime.closes, owns);
        if (!owns) {
            assert_int_equal(hz_scorer_close(s.scorer, NULL), HZ_OK);
        }
        folder_remove(&s.files);
    }
}

static void without_a_scorer_there_is_no_evaluator(void **state) {
    (void)state;
    hz_evaluator evaluator = {.name = "untouched"};
    hz_error err;
    assert_int_equal(hz_evaluator_scorer(NULL, true, &evaluator, &err), HZ_INVALID_ARGUMENT);
    assert_int_equal(err.code, HZ_INVALID_ARGUMENT);
    assert_string_equal(evaluator.name, "untouched");
    scene s;
    scene_make(&s);
    assert_int_equal(hz_evaluator_scorer(s.scorer, true, NULL, NULL), HZ_INVALID_ARGUMENT);
    assert_int_equal(s.runtime.closes, 0);
    assert_int_equal(hz_scorer_close(s.scorer, NULL), HZ_OK);
    folder_remove(&s.files);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_evaluator_scores_as_its_scorer),
        cmocka_unit_test(closing_closes_a_scorer_that_is_owned),
        cmocka_unit_test(without_a_scorer_there_is_no_evaluator),
    };
    return cmocka_run_group_tests_name("eval model_evaluator", tests, NULL, NULL);
}
