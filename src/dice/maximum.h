/* SPDX-License-Identifier: MIT */
/* The number behind the maximum rule, shared by micro-moves and turns. */
#ifndef HAZARD_DICE_MAXIMUM_H
#define HAZARD_DICE_MAXIMUM_H

#include <hazard/dice.h>

/* Largest number of dice a complete line can spend, king captures included. */
int hzi_max_dice(const hz_position *p);

#endif
