/* SPDX-License-Identifier: MIT */
/*
 * When to double, take, offer and accept a draw. Offers and draws are judged for
 * the side to move; a take is judged for the named responder, because while a double is pending the
 * side to move is the one that offered. All thresholds are strict. The Monte-Carlo bot has its own
 * policy in monte_carlo.c, on simulated equity instead of the static estimate.
 */
#include "bots/decision.h"

#include <stdlib.h>

/* Win estimate above which the default policy takes a double. */
static const double DEFAULT_TAKE = 0.25;

bool hz_decide_default(hz_decision question, const hz_position *position, hz_color responder) {
    return question == HZ_TAKE_DOUBLE && hz_win_estimate(position, responder) > DEFAULT_TAKE;
}

hz_status hzi_decide_random(void *state, hz_decision question, const hz_position *position,
                            hz_color responder, hz_random *random, bool *yes, hz_error *err) {
    static const uint32_t percent[] = {
        [HZ_OFFER_DOUBLE] = 15, [HZ_TAKE_DOUBLE] = 50, [HZ_OFFER_DRAW] = 5, [HZ_ACCEPT_DRAW] = 20};
    (void)state, (void)position, (void)responder, (void)err;
    *yes = hz_random_draw(random, 100) < percent[question];
    return HZ_OK;
}

hz_status hzi_decide_cautious(void *state, hz_decision question, const hz_position *position,
                              hz_color responder, hz_random *random, bool *yes, hz_error *err) {
    (void)state, (void)random, (void)err;
    hz_color mover = (hz_color)position->side;
    switch (question) {
    case HZ_OFFER_DOUBLE:
        *yes = hz_win_estimate(position, mover) > 0.70;
        break;
    case HZ_TAKE_DOUBLE:
        *yes = hz_win_estimate(position, responder) > 0.35;
        break;
    case HZ_OFFER_DRAW:
        *yes = position->fullmove > 30 && abs(hz_evaluate_standard(position, mover)) < 50;
        break;
    case HZ_ACCEPT_DRAW:
        *yes = hz_evaluate_standard(position, mover) < -100;
        break;
    }
    return HZ_OK;
}

hz_status hzi_decide_aggressive(void *state, hz_decision question, const hz_position *position,
                                hz_color responder, hz_random *random, bool *yes, hz_error *err) {
    (void)state, (void)random, (void)err;
    switch (question) {
    case HZ_OFFER_DOUBLE:
        *yes = hz_win_estimate(position, (hz_color)position->side) > 0.55;
        break;
    case HZ_TAKE_DOUBLE:
        *yes = hz_win_estimate(position, responder) > 0.22;
        break;
    case HZ_OFFER_DRAW:
    case HZ_ACCEPT_DRAW:
        *yes = false;
        break;
    }
    return HZ_OK;
}
