/* SPDX-License-Identifier: MIT */
/* The frame around every bot's judgement; see choice.h. */
#include "bots/choice.h"

static hz_status no_memory(hz_error *err) {
    return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for choosing among the results");
}

hz_status hzi_choice_list(const hz_bot_request *request, hz_result_list *list,
                          hz_bot_answer *answer, bool *answered, hz_error *err) {
    /* A legal turn is owed under any deadline, so the listing itself is never cut short. */
    hz_status status = hz_results_list(request->position, NULL, request->arena, list, err);
    if (status != HZ_OK) {
        return status;
    }
    answer->results = list->count;
    answer->pass = list->count == 0;
    *answered = answer->pass;
    return HZ_OK;
}

hz_status hzi_choice_open(const hz_bot_request *request, hz_result_list *list,
                          hz_bot_answer *answer, bool *answered, hz_error *err) {
    hz_status status = hzi_choice_list(request, list, answer, answered, err);
    if (status != HZ_OK || list->winning < 0) {
        return status;
    }
    *answered = true;
    return hzi_choice_take(request, &list->results[list->winning], HZ_SCORE_WIN, answer, err);
}

int32_t *hzi_choice_values(const hz_bot_request *request, const hz_result_list *list,
                           hz_error *err) {
    int32_t *values = hz_arena_alloc(request->arena, list->count * sizeof *values);
    if (!values) {
        no_memory(err);
    }
    return values;
}

hz_status hzi_choice_pick(const hz_bot_request *request, const hz_result_list *list,
                          const int32_t *values, hz_bot_answer *answer, hz_error *err) {
    int32_t best = values[0];
    size_t tie_count = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (values[i] > best) {
            best = values[i];
            tie_count = 0;
        }
        tie_count += values[i] == best;
    }
    hz_turn *ties = hz_arena_alloc(request->arena, tie_count * sizeof *ties);
    if (!ties) {
        return no_memory(err);
    }
    size_t picked = hz_random_pick(request->random, (uint32_t)tie_count);
    for (size_t i = 0, tie = 0; tie < tie_count; i++) {
        if (values[i] == best) {
            if (tie == picked) {
                answer->turn = list->results[i].turn;
                answer->after = list->results[i].after;
            }
            ties[tie++] = list->results[i].turn;
        }
    }
    answer->score = best;
    answer->ties = ties;
    answer->tie_count = tie_count;
    return HZ_OK;
}

hz_status hzi_choice_take(const hz_bot_request *request, const hz_result *result, int32_t score,
                          hz_bot_answer *answer, hz_error *err) {
    hz_turn *tie = hz_arena_alloc(request->arena, sizeof *tie);
    if (!tie) {
        return no_memory(err);
    }
    *tie = result->turn;
    answer->turn = result->turn;
    answer->after = result->after;
    answer->score = score;
    answer->ties = tie;
    answer->tie_count = 1;
    return HZ_OK;
}
