/* SPDX-License-Identifier: MIT */
/* The brute-force twin of the odds room; the header is the manual. */
#include "ref/ref_odds.h"

#include <string.h>

static uint64_t square_bit(int square) {
    return (uint64_t)1 << square;
}

/* The position as it is when `attacker` has just rolled `roll`. */
static hz_position rolled(const hz_position *position, hz_color attacker, const hz_roll *roll) {
    hz_position p = *position;
    hz_position_set_side(&p, attacker);
    hz_position_set_pool(&p, roll->pool);
    return p;
}

static bool lands_on_enemy(hz_move move) {
    unsigned flags = hz_move_flags(move);
    return (flags & HZ_MOVE_CAPTURE) != 0 && flags != HZ_MOVE_EN_PASSANT;
}

/* Whether some line of playable micro-moves captures on one of the squares. */
static bool succeeds(const hz_position *p, uint64_t targets) {
    hz_move_list list;
    hz_moves_playable(p, &list);
    for (int i = 0; i < list.count; i++) {
        if (lands_on_enemy(list.moves[i]) && targets & square_bit(hz_move_to(list.moves[i]))) {
            return true;
        }
    }
    for (int i = 0; i < list.count; i++) {
        hz_position after = *p;
        if (hz_move_apply(&after, list.moves[i], NULL, NULL) == HZ_OK &&
            succeeds(&after, targets)) {
            return true;
        }
    }
    return false;
}

hz_roll_set ref_odds_squares(const hz_position *position, hz_color attacker, uint64_t targets) {
    hz_roll_set rolls = 0;
    for (int i = 0; i < HZ_ROLLS; i++) {
        hz_position p = rolled(position, attacker, &hz_rolls[i]);
        if (succeeds(&p, targets)) {
            rolls |= (hz_roll_set)1 << i;
        }
    }
    return rolls;
}

hz_roll_set ref_odds_king(const hz_position *position, hz_color defender) {
    return ref_odds_squares(position, defender == HZ_WHITE ? HZ_BLACK : HZ_WHITE,
                            position->pieces[HZ_KING] & position->colors[defender]);
}

hz_roll_set ref_odds_queen(const hz_position *position, hz_color defender) {
    return ref_odds_squares(position, defender == HZ_WHITE ? HZ_BLACK : HZ_WHITE,
                            position->pieces[HZ_QUEEN] & position->colors[defender]);
}

/* Collects the squares of everything that some line captures. */
static void collect(const hz_position *p, uint64_t *landed, uint64_t *captured) {
    hz_move_list list;
    hz_moves_playable(p, &list);
    for (int i = 0; i < list.count; i++) {
        int to = hz_move_to(list.moves[i]);
        if (lands_on_enemy(list.moves[i])) {
            *landed |= square_bit(to);
            *captured |= square_bit(to);
        } else if (hz_move_flags(list.moves[i]) == HZ_MOVE_EN_PASSANT) {
            *captured |= square_bit(p->side == HZ_WHITE ? to - 8 : to + 8);
        }
        hz_position after = *p;
        if (hz_move_apply(&after, list.moves[i], NULL, NULL) == HZ_OK && after.pool) {
            collect(&after, landed, captured);
        }
    }
}

void ref_odds_everything(const hz_position *position, hz_color attacker, ref_odds_map *map) {
    memset(map, 0, sizeof *map);
    for (int i = 0; i < HZ_ROLLS; i++) {
        hz_position p = rolled(position, attacker, &hz_rolls[i]);
        uint64_t landed = 0, captured = 0;
        collect(&p, &landed, &captured);
        for (int square = 0; square < HZ_SQUARES; square++) {
            map->landed[square] |= (landed >> square & 1) << i;
            map->captured[square] |= (captured >> square & 1) << i;
        }
    }
}
