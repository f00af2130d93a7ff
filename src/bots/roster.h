/* SPDX-License-Identifier: MIT */
/* The built-in bots as the registry finds them. */
#ifndef HAZARD_BOTS_ROSTER_H
#define HAZARD_BOTS_ROSTER_H

#include <hazard/bots.h>

#include "bots/options.h"

enum { HZI_ONE_TURN_BOTS = 5 };

/* random, checkmate-aware, greedy, greedy-v2, aggressive: without state and options. */
extern const hz_bot hzi_one_turn_bots[HZI_ONE_TURN_BOTS];

extern const hz_bot_info hzi_monte_carlo_info;
/* A Monte-Carlo bot with the options of a bot text. */
hz_status hzi_monte_carlo_open(const hzi_bot_text *text, hz_bot *bot, hz_error *err);

#endif
