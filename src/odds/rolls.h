/* SPDX-License-Identifier: MIT */
/*
 * Sets of rolls as 56-bit numbers, and the tables that answer "which rolls hold these dice?". Dice
 * are piece types 0..5, a mask has one bit per type. Computed while building (rolls_gen.c).
 */
#ifndef HAZARD_ODDS_ROLLS_H
#define HAZARD_ODDS_ROLLS_H

#include <hazard/odds.h>

/* [n - 1][mask]: rolls with n equal dice of at least one type of the mask. */
extern const hz_roll_set hzi_rolls_same[3][64];
/* [a][mask]: rolls with a die a and another die of the mask ({a, a} needs two of them). */
extern const hz_roll_set hzi_rolls_two[6][64];
/* [a][b][mask]: rolls {a, b, c} for the types c of the mask. */
extern const hz_roll_set hzi_rolls_three[6][6][64];

/* The mask of one type. */
#define HZI_TYPE(type) (1u << (type))

/* Rolls with a die of this type. */
static inline hz_roll_set hzi_rolls_with(unsigned type) {
    return hzi_rolls_same[0][HZI_TYPE(type)];
}

#endif
