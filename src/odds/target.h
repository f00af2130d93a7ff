/* SPDX-License-Identifier: MIT */
/* Which rolls capture the piece on one square. */
#ifndef HAZARD_ODDS_TARGET_H
#define HAZARD_ODDS_TARGET_H

#include "odds/attacker.h"

/* The rolls out of `unsolved` with which the attacker can not capture, by landing on it, the enemy
 * piece on `square` (seen from the attacker's side). */
hz_roll_set hzi_target_unsolved(const hzi_attacker *attacker, int square, hz_roll_set unsolved);

#endif
