/* SPDX-License-Identifier: MIT */
/*
 * The four numbers that say how dangerous a position is, as all commands show them: with how many
 * of the 216 rolls each side loses a king, or a queen.
 */
#ifndef HAZARD_CLI_CAPTURES_H
#define HAZARD_CLI_CAPTURES_H

#include "cli/json.h"

enum { HZC_TARGETS = 4 };

/* A target: the king or the queens of a side. */
typedef struct hzc_target {
    const char *name;  /* "white_king" ... */
    const char *title; /* "White's king" ... */
    hz_color defender;
    bool queen;
} hzc_target;

extern const hzc_target hzc_targets[HZC_TARGETS];

typedef struct hzc_captures {
    hz_roll_set rolls[HZC_TARGETS];
} hzc_captures;

hzc_captures hzc_captures_of(const hz_position *position);
/* {"white_king":9,...}: rolls of 216. */
void hzc_json_captures(hzc_json *json, const char *key, const hzc_captures *captures);
/* {"a1":0,"e8":12,...}: for every piece of both sides, in square order, the rolls of 216 that take
 * it. */
void hzc_json_danger(hzc_json *json, const char *key, const hz_position *position);
/* The winning rolls in the order of hz_rolls, letters cased by the capturing side. */
void hzc_json_rolls(hzc_json *json, const char *key, hz_roll_set rolls, hz_color attacker);

/* Whether the board holds the piece of target `index` at all: a king that was taken is in no
 * danger. */
bool hzc_target_stands(const hz_position *position, int index);

/* "9/216 (4.2 %)"; room for any. Returns the length. */
enum { HZC_ODDS_CAPACITY = 32 };
size_t hzc_odds_text(unsigned weight, char buffer[HZC_ODDS_CAPACITY]);

#endif
