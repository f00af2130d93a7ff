/* SPDX-License-Identifier: MIT */
/* Double and draw policies of the built-in bots, each a `decide` of hz_bot. */
#ifndef HAZARD_BOTS_DECISION_H
#define HAZARD_BOTS_DECISION_H

#include <hazard/bots.h>

hz_status hzi_decide_random(void *state, hz_decision question, const hz_position *position,
                            hz_color responder, hz_random *random, bool *yes, hz_error *err);
/* greedy-v2 */
hz_status hzi_decide_cautious(void *state, hz_decision question, const hz_position *position,
                              hz_color responder, hz_random *random, bool *yes, hz_error *err);
hz_status hzi_decide_aggressive(void *state, hz_decision question, const hz_position *position,
                                hz_color responder, hz_random *random, bool *yes, hz_error *err);

#endif
