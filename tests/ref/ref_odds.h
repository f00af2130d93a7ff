/* SPDX-License-Identifier: MIT */
/*
 * ref/ref_odds.h - capture rolls by definition: each of the 56 rolls on its own, every sequence of
 * playable micro-moves that the rules of the dice room allow, nothing remembered, nothing clever.
 * It checks src/odds, which reaches the same answers without playing the rolls.
 *
 * A target is captured by landing on it. The maximum rule is not asked, and a king taken on the way
 * to something else does not end the line.
 */
#ifndef HAZARD_REF_ODDS_H
#define HAZARD_REF_ODDS_H

#include <hazard/odds.h>

/* Rolls with which `attacker` captures, by landing on it, an enemy piece on a square of `targets`.
 * A roll is left as soon as one line succeeds. */
hz_roll_set ref_odds_squares(const hz_position *position, hz_color attacker, uint64_t targets);
/* The same for all kings, and for all queens, of `defender`. */
hz_roll_set ref_odds_king(const hz_position *position, hz_color defender);
hz_roll_set ref_odds_queen(const hz_position *position, hz_color defender);

/* What a side can do to every enemy piece at once: nothing is left early. */
typedef struct ref_odds_map {
    hz_roll_set landed[HZ_SQUARES];   /* rolls that capture the piece there by landing on it */
    hz_roll_set captured[HZ_SQUARES]; /* and, for a pawn, also en passant */
} ref_odds_map;

void ref_odds_everything(const hz_position *position, hz_color attacker, ref_odds_map *map);

#endif
