/* SPDX-License-Identifier: MIT */
/* The weight of a set of rolls: how many of the 216 ordered rolls it stands for. */
#include <hazard/odds.h>

#include "board/bits.h"

/* Rolls by weight: three equal dice, two equal dice, all different. Bits as in hz_rolls. */
static const hz_roll_set WEIGHT_1 = 0x90401000200001;
static const hz_roll_set WEIGHT_3 = 0x6BA9EA47D4887E;
static const hz_roll_set WEIGHT_6 = 0x041605B80B7780;

unsigned hz_roll_set_weight(hz_roll_set rolls) {
    return (unsigned)(hzi_popcount(rolls & WEIGHT_1) + 3 * hzi_popcount(rolls & WEIGHT_3) +
                      6 * hzi_popcount(rolls & WEIGHT_6));
}
