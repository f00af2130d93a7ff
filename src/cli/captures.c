/* SPDX-License-Identifier: MIT */
/* King and queen odds of both sides; see captures.h. */
#include "cli/captures.h"

#include <stdio.h>

const hzc_target hzc_targets[HZC_TARGETS] = {
    {"white_king", "White's king", HZ_WHITE, false},
    {"white_queen", "White's queen", HZ_WHITE, true},
    {"black_king", "Black's king", HZ_BLACK, false},
    {"black_queen", "Black's queen", HZ_BLACK, true},
};

hzc_captures hzc_captures_of(const hz_position *position) {
    hzc_captures captures;
    hz_odds_king_queen(position, HZ_WHITE, &captures.rolls[0], &captures.rolls[1]);
    hz_odds_king_queen(position, HZ_BLACK, &captures.rolls[2], &captures.rolls[3]);
    return captures;
}

void hzc_json_captures(hzc_json *json, const char *key, const hzc_captures *captures) {
    hzc_json_object(json, key);
    for (int i = 0; i < HZC_TARGETS; i++) {
        hzc_json_count(json, hzc_targets[i].name, hz_roll_set_weight(captures->rolls[i]));
    }
    hzc_json_end_object(json);
}

void hzc_json_danger(hzc_json *json, const char *key, const hz_position *position) {
    hz_danger_map danger[2];
    hz_odds_danger(position, HZ_WHITE, &danger[HZ_WHITE]);
    hz_odds_danger(position, HZ_BLACK, &danger[HZ_BLACK]);
    hzc_json_object(json, key);
    for (int square = 0; square < HZ_SQUARES; square++) {
        for (int color = 0; color < 2; color++) {
            if (position->colors[color] >> square & 1) {
                char name[3];
                hz_square_to_text(square, name);
                hzc_json_count(json, name, hz_roll_set_weight(danger[color].rolls[square]));
            }
        }
    }
    hzc_json_end_object(json);
}

void hzc_json_rolls(hzc_json *json, const char *key, hz_roll_set rolls, hz_color attacker) {
    hzc_json_array(json, key);
    for (int i = 0; i < HZ_ROLLS; i++) {
        if (rolls >> i & 1) {
            hzc_json_pool(json, NULL, hz_rolls[i].pool, attacker);
        }
    }
    hzc_json_end_array(json);
}

bool hzc_target_stands(const hz_position *position, int index) {
    const hzc_target *target = &hzc_targets[index];
    return position->pieces[target->queen ? HZ_QUEEN : HZ_KING] &
           position->colors[target->defender];
}

size_t hzc_odds_text(unsigned weight, char buffer[HZC_ODDS_CAPACITY]) {
    return (size_t)snprintf(buffer, HZC_ODDS_CAPACITY, "%u/216 (%.1f %%)", weight,
                            100.0 * weight / HZ_ROLLS_ORDERED);
}
