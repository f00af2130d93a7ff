/* SPDX-License-Identifier: MIT */
/*
 * The five bots that look at their own turn only. They share one shape: a value per
 * result, the largest wins, ties are picked from the stream. What differs is the value:
 *   random           0 for every result, king captures among them
 *   checkmate-aware  1 when the own king is safe afterwards, else 0
 *   greedy, greedy-v2, aggressive: a static evaluation in centipawns
 * None of them looks at the deadline.
 */
#include "bots/roster.h"

#include "bots/choice.h"
#include "bots/decision.h"

/* A static function of a position for a side, in centipawns. */
typedef int32_t (*static_value)(const hz_position *position, hz_color color);

static hz_status choose_best(const hz_bot_request *request, static_value value,
                             hz_bot_answer *answer, hz_error *err) {
    hz_result_list list;
    bool answered;
    hz_status status = hzi_choice_open(request, &list, answer, &answered, err);
    if (status != HZ_OK || answered) {
        return status;
    }
    int32_t *values = hzi_choice_values(request, &list, err);
    if (!values) {
        return HZ_NO_MEMORY;
    }
    hz_color mover = (hz_color)request->position->side;
    for (size_t i = 0; i < list.count; i++) {
        values[i] = value(&list.results[i].after, mover);
    }
    return hzi_choice_pick(request, &list, values, answer, err);
}

static hz_status choose_greedy(void *state, const hz_bot_request *request, hz_bot_answer *answer,
                               hz_error *err) {
    (void)state;
    return choose_best(request, hz_evaluate_material, answer, err);
}

static hz_status choose_cautious(void *state, const hz_bot_request *request, hz_bot_answer *answer,
                                 hz_error *err) {
    (void)state;
    return choose_best(request, hz_evaluate_standard, answer, err);
}

static hz_status choose_aggressive(void *state, const hz_bot_request *request,
                                   hz_bot_answer *answer, hz_error *err) {
    (void)state;
    return choose_best(request, hz_evaluate_aggressive, answer, err);
}

static int32_t king_is_safe(const hz_position *position, hz_color color) {
    return hz_evaluate_king_safety(position, color) == 0;
}

static hz_status choose_checkmate_aware(void *state, const hz_bot_request *request,
                                        hz_bot_answer *answer, hz_error *err) {
    (void)state;
    hz_status status = choose_best(request, king_is_safe, answer, err);
    if (status == HZ_OK && !answer->turn.took_king) {
        answer->score = 0; /* safe or not is no score */
    }
    return status;
}

static hz_status choose_random(void *state, const hz_bot_request *request, hz_bot_answer *answer,
                               hz_error *err) {
    (void)state;
    hz_result_list list;
    bool answered;
    hz_status status = hzi_choice_list(request, &list, answer, &answered, err);
    if (status != HZ_OK || answered) {
        return status;
    }
    int32_t *values = hzi_choice_values(request, &list, err);
    if (!values) {
        return HZ_NO_MEMORY;
    }
    for (size_t i = 0; i < list.count; i++) {
        values[i] = 0;
    }
    status = hzi_choice_pick(request, &list, values, answer, err);
    if (status == HZ_OK) {
        hz_color mover = (hz_color)request->position->side;
        answer->score =
            answer->turn.took_king ? HZ_SCORE_WIN : hz_evaluate_material(&answer->after, mover);
    }
    return status;
}

static const hz_bot_info infos[HZI_ONE_TURN_BOTS] = {
    {"random", "Random", "plays any result with equal chance", 1, false, false},
    {"checkmate-aware", "Checkmate Aware",
     "takes the king when it can, keeps its own out of attack, else plays at random", 2, false,
     false},
    {"greedy", "Greedy", "wins as much material as one turn can", 3, false, false},
    {"greedy-v2", "Cautious Greedy", "wins material, but not at the price of an attacked king", 4,
     false, false},
    {"aggressive", "Aggressive", "cautious, and presses towards the enemy king", 5, false, false},
};

/* ---- what the three static bots go by, for lists of values ---- */

static hz_status score_all(static_value value, const hz_position *positions, size_t n,
                           hz_color color, int32_t *scores, size_t *done) {
    for (size_t i = 0; i < n; i++) {
        scores[i] = value(&positions[i], color);
    }
    *done = n;
    return HZ_OK;
}

static hz_status score_material(void *state, const hz_position *positions, size_t n, hz_color color,
                                int32_t *scores, size_t *done, hz_error *err) {
    (void)state, (void)err;
    return score_all(hz_evaluate_material, positions, n, color, scores, done);
}

static hz_status score_standard(void *state, const hz_position *positions, size_t n, hz_color color,
                                int32_t *scores, size_t *done, hz_error *err) {
    (void)state, (void)err;
    return score_all(hz_evaluate_standard, positions, n, color, scores, done);
}

static hz_status score_aggressive(void *state, const hz_position *positions, size_t n,
                                  hz_color color, int32_t *scores, size_t *done, hz_error *err) {
    (void)state, (void)err;
    return score_all(hz_evaluate_aggressive, positions, n, color, scores, done);
}

static bool judge_static(hz_bot_judgement *judgement, const char *name,
                         hz_status (*score)(void *, const hz_position *, size_t, hz_color,
                                            int32_t *, size_t *, hz_error *)) {
    *judgement = (hz_bot_judgement){.judge = {NULL, score},
                                    .depth = 1,
                                    .win = HZI_CENTIPAWN_END,
                                    .loss = -HZI_CENTIPAWN_END,
                                    .name = name};
    return true;
}

static bool judge_greedy(void *state, hz_bot_judgement *judgement) {
    (void)state;
    return judge_static(judgement, "material", score_material);
}

static bool judge_cautious(void *state, hz_bot_judgement *judgement) {
    (void)state;
    return judge_static(judgement, "standard", score_standard);
}

static bool judge_aggressive(void *state, hz_bot_judgement *judgement) {
    (void)state;
    return judge_static(judgement, "aggressive", score_aggressive);
}

const hz_bot hzi_one_turn_bots[HZI_ONE_TURN_BOTS] = {
    {.info = &infos[0], .choose = choose_random, .decide = hzi_decide_random},
    {.info = &infos[1], .choose = choose_checkmate_aware},
    {.info = &infos[2], .choose = choose_greedy, .judge = judge_greedy},
    {.info = &infos[3],
     .choose = choose_cautious,
     .decide = hzi_decide_cautious,
     .judge = judge_cautious},
    {.info = &infos[4],
     .choose = choose_aggressive,
     .decide = hzi_decide_aggressive,
     .judge = judge_aggressive},
};
