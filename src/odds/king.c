/* SPDX-License-Identifier: MIT */
/*
 * Capture odds of kings, queens and arbitrary squares. Landing on some square of a set is landing
 * on one of its squares, so the rolls of a set are the union over its squares; the attacker is
 * prepared once, and later squares only look at the rolls that are still unsolved.
 */
#include "odds/rolls.h"
#include "odds/target.h"

static hz_roll_set capture_any(const hzi_attacker *attacker, uint64_t squares) {
    hz_roll_set unsolved = HZ_ROLL_SET_ALL;
    while (squares && unsolved) {
        unsolved = hzi_target_unsolved(attacker, hzi_pop(&squares), unsolved);
    }
    return HZ_ROLL_SET_ALL & ~unsolved;
}

hz_roll_set hz_odds_squares(const hz_position *position, hz_color attacker, uint64_t targets) {
    targets &= position->colors[attacker ^ 1];
    if (!targets) {
        return 0;
    }
    hzi_attacker a;
    hzi_attacker_init(&a, position, attacker);
    return capture_any(&a, hzi_turn_set(targets, attacker));
}

hz_roll_set hz_odds_king(const hz_position *position, hz_color defender) {
    return hz_odds_squares(position, (hz_color)(defender ^ 1), position->pieces[HZ_KING]);
}

hz_roll_set hz_odds_queen(const hz_position *position, hz_color defender) {
    return hz_odds_squares(position, (hz_color)(defender ^ 1), position->pieces[HZ_QUEEN]);
}

void hz_odds_king_queen(const hz_position *position, hz_color defender, hz_roll_set *king,
                        hz_roll_set *queen) {
    hz_color attacker = (hz_color)(defender ^ 1);
    uint64_t kings = position->pieces[HZ_KING] & position->colors[defender];
    uint64_t queens = position->pieces[HZ_QUEEN] & position->colors[defender];
    *king = *queen = 0;
    if (kings | queens) {
        hzi_attacker a;
        hzi_attacker_init(&a, position, attacker);
        *king = capture_any(&a, hzi_turn_set(kings, attacker));
        *queen = capture_any(&a, hzi_turn_set(queens, attacker));
    }
}
