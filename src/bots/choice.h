/* SPDX-License-Identifier: MIT */
/*
 * What every bot does around its own judgement: list the results, pass when there are none, play
 * the winning class at once, and pick among the best with the stream handed in.
 */
#ifndef HAZARD_BOTS_CHOICE_H
#define HAZARD_BOTS_CHOICE_H

#include <hazard/bots.h>

/* Lists the results of the request's roll into its arena and notes their number in the answer.
 * *answered becomes true when nothing is left to decide: a pass, or a king to take. */
hz_status hzi_choice_open(const hz_bot_request *request, hz_result_list *list,
                          hz_bot_answer *answer, bool *answered, hz_error *err);
/* The same without playing the winning class; a pass is still answered. */
hz_status hzi_choice_list(const hz_bot_request *request, hz_result_list *list,
                          hz_bot_answer *answer, bool *answered, hz_error *err);
/* Room for one value per result, in the request's arena. NULL: *err is filled (HZ_NO_MEMORY). */
int32_t *hzi_choice_values(const hz_bot_request *request, const hz_result_list *list,
                           hz_error *err);
/* Answers a pick among the results whose value is the largest; the score is that value. */
hz_status hzi_choice_pick(const hz_bot_request *request, const hz_result_list *list,
                          const int32_t *values, hz_bot_answer *answer, hz_error *err);
/* Answers one result, without a draw. */
hz_status hzi_choice_take(const hz_bot_request *request, const hz_result *result, int32_t score,
                          hz_bot_answer *answer, hz_error *err);

#endif
