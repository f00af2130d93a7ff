/* SPDX-License-Identifier: MIT */
/* The analytic end of a line: what one or two more micro-moves can capture on a given board. */
#ifndef HAZARD_ODDS_LAST_TWO_H
#define HAZARD_ODDS_LAST_TWO_H

#include "odds/attack_board.h"

/*
 * Rolls, out of `wanted`, that hold a die `paid` (already spent to reach this board) and one or two
 * further dice with which the attacker captures the enemy piece on `square`. No castling: it would
 * cost the last two dice.
 */
hz_roll_set hzi_last_two(const hzi_attack_board *b, int square, unsigned paid, hz_roll_set wanted);

#endif
