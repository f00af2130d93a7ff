/* SPDX-License-Identifier: MIT */
/*
 * hazard/odds.h - exact capture probabilities: with how many of the 216 rolls can a side capture
 * the enemy king, the enemy queens, or the piece on a square?
 *
 * A roll counts when some sequence of one to three micro-moves, each playable on the board left by
 * the one before and paid from the roll, ends by landing on a target.
 * The maximum rule is not applied (for kings it makes no difference) and a king taken on the way to
 * another target does not end the line. Side to move, pool and clocks are not read. Exact integers.
 *
 * Safe in any thread; nothing is allocated.
 */
#ifndef HAZARD_ODDS_H
#define HAZARD_ODDS_H

#include <hazard/dice.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A set of rolls: bit i = hz_rolls[i]; 56 bits. */
typedef uint64_t hz_roll_set;

#define HZ_ROLL_SET_ALL ((hz_roll_set)0x00FFFFFFFFFFFFFF)

/* Ordered rolls in the set, 0..216. Probability = weight / 216. */
unsigned hz_roll_set_weight(hz_roll_set rolls);

/* Rolls with which the enemy of `defender` can capture some king of `defender`; empty without one.
 */
hz_roll_set hz_odds_king(const hz_position *position, hz_color defender);
/* Rolls with which the enemy of `defender` can capture some queen of `defender`. */
hz_roll_set hz_odds_queen(const hz_position *position, hz_color defender);
/* Both in one traversal: cheaper than two calls. */
void hz_odds_king_queen(const hz_position *position, hz_color defender, hz_roll_set *king,
                        hz_roll_set *queen);
/*
 * Rolls with which `attacker` can land on some square of `targets` that holds a piece of the other
 * side (other squares of the set are ignored). En passant does not land on its victim and does not
 * count here; nor does entering a square whose pawn was taken en passant before.
 */
hz_roll_set hz_odds_squares(const hz_position *position, hz_color attacker, uint64_t targets);

/* The danger map of one side: rolls[s] = rolls that capture the piece of `defender` on square s, by
 * landing on it or, for a pawn, also en passant; 0 on other squares. One pass for all pieces. */
typedef struct hz_danger_map {
    hz_roll_set rolls[HZ_SQUARES];
} hz_danger_map;

void hz_odds_danger(const hz_position *position, hz_color defender, hz_danger_map *map);

#ifdef __cplusplus
}
#endif
#endif
