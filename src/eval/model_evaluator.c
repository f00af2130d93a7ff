/* SPDX-License-Identifier: MIT */
/* A scorer behind the evaluator interface: the scorer itself is the state, nothing is allocated. */
#include <hazard/eval.h>

static hz_status score_batch(void *state, const hz_position *positions, size_t n, hz_color color,
                             int32_t *scores) {
    return hz_scorer_scores(state, positions, n, color, scores, NULL);
}

static void close_scorer(void *state) {
    (void)hz_scorer_close(state, NULL);
}

hz_status hz_evaluator_scorer(hz_scorer *scorer, bool owns, hz_evaluator *evaluator,
                              hz_error *err) {
    if (!scorer || !evaluator) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                       "an evaluator of a model takes the model's scorer");
    }
    *evaluator = (hz_evaluator){.name = "model",
                                .state = scorer,
                                .score_batch = score_batch,
                                .close = owns ? close_scorer : NULL};
    return HZ_OK;
}
