/* SPDX-License-Identifier: MIT */
/*
 * King capture probability and its companions: with which share of the 216 rolls could a side take
 * the other's king, or a queen, on this board? The odds room counts the rolls; here they become
 * four columns. Attack is what the own side could do, danger what the enemy could do, each with
 * three fresh dice and whoever is to move.
 */
#include "features/blocks.h"

static const char *const names[] = {
    "king_capture_attack",
    "king_capture_danger",
    "queen_capture_attack",
    "queen_capture_danger",
};

/* Integer / 216 rounded to binary32 is the same whether it is divided in binary32 or in binary64.
 */
static float probability(hz_roll_set rolls) {
    return (float)hz_roll_set_weight(rolls) / 216.0f;
}

static void write_columns(hzi_row *row, float *out) {
    hz_roll_set king_attack, queen_attack, king_danger, queen_danger;
    hz_odds_king_queen(row->position, row->enemy, &king_attack, &queen_attack);
    hz_odds_king_queen(row->position, row->own, &king_danger, &queen_danger);
    out[0] = probability(king_attack);
    out[1] = probability(king_danger);
    out[2] = probability(queen_attack);
    out[3] = probability(queen_danger);
}

const hzi_block hzi_block_capture = HZI_BLOCK(names, write_columns);
