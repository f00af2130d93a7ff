/* SPDX-License-Identifier: MIT */
/* The built-in bots as the registry finds them. */
#ifndef HAZARD_BOTS_ROSTER_H
#define HAZARD_BOTS_ROSTER_H

#include "bots/options.h"

enum {
    HZI_ONE_TURN_BOTS = 5,
    /* What a king taken is worth to either side on an axis of centipawns; a model's axis ends at 0
     * and HZ_SCORE_UPPER. */
    HZI_CENTIPAWN_END = 10000
};

/* random, checkmate-aware, greedy, greedy-v2, aggressive: without state and options. */
extern const hz_bot hzi_one_turn_bots[HZI_ONE_TURN_BOTS];

/* A Monte-Carlo bot, made anew with its options; built in. */
extern const hz_bot_kind hzi_monte_carlo_kind;

/* Kinds that hosts register: they search, or hold a model. */
extern const hz_bot_kind hzi_expectimax_kind;
extern const hz_bot_kind hzi_model_eval_kind;
extern const hz_bot_kind hzi_model_expectimax_kind;

#endif
