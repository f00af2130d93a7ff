/* SPDX-License-Identifier: MIT */
/*
 * ref/ref_handcrafted.h - the handcrafted chess evaluation on the board of letters of ref_dice.h,
 * its numbers typed a second time, square by square. Slow on purpose, sharing nothing with the
 * library.
 */
#ifndef HAZARD_REF_HANDCRAFTED_H
#define HAZARD_REF_HANDCRAFTED_H

#include "ref/ref_dice.h"

/* Centipawns for 'w' or 'b', own minus enemy. A side has one king or none. */
int ref_handcrafted(const ref_position *position, char side);

#endif
