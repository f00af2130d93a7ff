/* SPDX-License-Identifier: MIT */
/*
 * The one interface through which positions are judged, and the built-in static evaluators behind
 * it. They have no state: each is one function applied to every row.
 */
#include "eval/static.h"

typedef hz_status (*score_batch_function)(void *state, const hz_position *positions, size_t n,
                                          hz_color color, int32_t *scores);

static hz_status score_material(void *state, const hz_position *positions, size_t n, hz_color color,
                                int32_t *scores) {
    (void)state;
    for (size_t i = 0; i < n; i++) {
        scores[i] = hz_evaluate_material(&positions[i], color);
    }
    return HZ_OK;
}

static hz_status score_standard(void *state, const hz_position *positions, size_t n, hz_color color,
                                int32_t *scores) {
    (void)state;
    for (size_t i = 0; i < n; i++) {
        scores[i] = hz_evaluate_standard(&positions[i], color);
    }
    return HZ_OK;
}

static hz_status score_aggressive(void *state, const hz_position *positions, size_t n,
                                  hz_color color, int32_t *scores) {
    (void)state;
    for (size_t i = 0; i < n; i++) {
        scores[i] = hz_evaluate_aggressive(&positions[i], color);
    }
    return HZ_OK;
}

static hz_status score_handcrafted(void *state, const hz_position *positions, size_t n,
                                   hz_color color, int32_t *scores) {
    (void)state;
    for (size_t i = 0; i < n; i++) {
        scores[i] = hz_evaluate_handcrafted(&positions[i], color);
    }
    return HZ_OK;
}

static const struct {
    const char *name;
    const char *alias; /* NULL = none */
    score_batch_function score_batch;
} built_in[] = {
    {"material", NULL, score_material},
    {"standard", "safety", score_standard},
    {"aggressive", NULL, score_aggressive},
    {"handcrafted", NULL, score_handcrafted},
};

enum { BUILT_IN = sizeof built_in / sizeof *built_in };

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Without regard to case, letters of ASCII only and whatever the locale. */
static bool same_name(const char *a, const char *b) {
    while (*a && lower(*a) == lower(*b)) {
        a++;
        b++;
    }
    return lower(*a) == lower(*b);
}

hz_status hz_evaluator_static(const char *name, hz_evaluator *evaluator, hz_error *err) {
    for (size_t i = 0; name && i < BUILT_IN; i++) {
        if (same_name(name, built_in[i].name) ||
            (built_in[i].alias && same_name(name, built_in[i].alias))) {
            *evaluator =
                (hz_evaluator){.name = built_in[i].name, .score_batch = built_in[i].score_batch};
            return HZ_OK;
        }
    }
    return hz_fail(err, HZ_UNKNOWN_EVALUATOR, HZ_NO_OFFSET,
                   "no evaluator is called '%.60s'; known: material, standard (also safety), "
                   "aggressive, handcrafted",
                   name ? name : "");
}

const char *hz_evaluator_static_name(size_t index) {
    return index < BUILT_IN ? built_in[index].name : NULL;
}

bool hzi_evaluator_is_material(const hz_evaluator *evaluator) {
    return evaluator->score_batch == score_material;
}

hz_status hz_evaluator_score(const hz_evaluator *evaluator, const hz_position *positions, size_t n,
                             hz_color color, int32_t *scores) {
    return evaluator->score_batch(evaluator->state, positions, n, color, scores);
}

void hz_evaluator_close(hz_evaluator *evaluator) {
    if (!evaluator) {
        return;
    }
    if (evaluator->close) {
        evaluator->close(evaluator->state);
    }
    *evaluator = (hz_evaluator){0};
}
