/* SPDX-License-Identifier: MIT */
/*
 * Writing JSON: one compact document, piece by piece, so that a million turns need no memory. The
 * writer puts the commas; the caller gives a key inside objects and NULL inside arrays and at the
 * top. Text that is not valid UTF-8 is written with U+FFFD in place of the wrong bytes, so that the
 * output is always valid JSON.
 */
#ifndef HAZARD_CLI_JSON_H
#define HAZARD_CLI_JSON_H

#include "cli/out.h"

#include <hazard.h>

typedef struct hzc_json {
    hzc_out *out;
    unsigned depth;     /* open objects and arrays, at most 63 */
    uint64_t has_items; /* bit per depth: something was written there */
} hzc_json;

hzc_json hzc_json_to(hzc_out *out);

void hzc_json_object(hzc_json *json, const char *key);
void hzc_json_end_object(hzc_json *json);
void hzc_json_array(hzc_json *json, const char *key);
void hzc_json_end_array(hzc_json *json);

void hzc_json_text(hzc_json *json, const char *key, const char *text);
void hzc_json_bytes(hzc_json *json, const char *key, const char *bytes, size_t length);
void hzc_json_integer(hzc_json *json, const char *key, int64_t value);
/* A count; above INT64_MAX as text (see hzc_json_seed). */
void hzc_json_count(hzc_json *json, const char *key, uint64_t value);
/* A 64-bit seed: a number when it fits int64, else the decimal digits as text. */
void hzc_json_seed(hzc_json *json, const char *key, uint64_t value);
void hzc_json_bool(hzc_json *json, const char *key, bool value);
void hzc_json_null(hzc_json *json, const char *key);
/* Shortest text that reads back to the same value; null for NaN and infinities. */
void hzc_json_double(hzc_json *json, const char *key, double value);
void hzc_json_float(hzc_json *json, const char *key, float value);
/* Text that is JSON already. */
void hzc_json_raw(hzc_json *json, const char *key, const char *bytes, size_t length);

/* A micro-move as text, a turn as an array of them, a position as its DFEN or chess FEN, a pool as
 * letters. */
void hzc_json_move(hzc_json *json, const char *key, hz_move move);
void hzc_json_turn(hzc_json *json, const char *key, const hz_turn *turn);
void hzc_json_dfen(hzc_json *json, const char *key, const hz_position *position);
void hzc_json_fen(hzc_json *json, const char *key, const hz_position *position);
void hzc_json_pool(hzc_json *json, const char *key, hz_pool pool, hz_color side);

/* Members of an open object: dfen, flip, mirror, canonical, key4, book_key (null without dice), key
 * (the hash as 16 hex digits). */
void hzc_json_forms(hzc_json *json, const hz_position *position);
/* Members of an open object: first, max_dice, turns, king_turns, results. */
void hzc_json_counts(hzc_json *json, const hz_turn_counts *counts);
/* Members of an open object: over, winner ("white", "black" or null). */
void hzc_json_status(hzc_json *json, const hz_position *position);

/* The number texts alone; room for any of them. Finite values only. Integral values below 2^53 are
 * written as integers. Returns the length. */
enum { HZC_NUMBER_CAPACITY = 40 };
size_t hzc_double_text(double value, char buffer[HZC_NUMBER_CAPACITY]);
size_t hzc_float_text(float value, char buffer[HZC_NUMBER_CAPACITY]);

#endif
