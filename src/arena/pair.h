/* SPDX-License-Identifier: MIT */
/*
 * A finished pair as bytes between threads and ranks, as a line of JSON in checkpoints and archives;
 * and its games as a log and as records.
 */
#ifndef HAZARD_ARENA_PAIR_H
#define HAZARD_ARENA_PAIR_H

#include "arena/text.h"

#include <hazard/arena.h>

/* Bytes for the same program, on this machine or another of its kind. */
void hzi_pair_pack(const hz_match_pair *pair, hzi_text *bytes);
/* The lists of the pair point into the bytes. False when they are no pair. */
bool hzi_pair_unpack(const char *bytes, size_t length, hz_match_pair *pair);

/* All but log and record, as one line. */
void hzi_pair_to_json(const hz_match_pair *pair, hzi_text *json);
/* latencies: what the pair's list will lie in. HZ_CHECKPOINT. */
hz_status hzi_pair_from_json(const char *line, size_t length, hzi_text *latencies,
                             hz_match_pair *pair, hz_error *err);

/* What a game was, for the texts below. */
typedef struct hzi_game_about {
    size_t pairing;
    uint64_t pair;
    int game;             /* 0, 1 */
    const char *names[2]; /* by colour */
    hz_color a_color;
    const hz_position *start;
    uint64_t dice_seed;
    const hz_match_rules *rules;
    const hz_match_game_result *result;
} hzi_game_about;

/* A line of JSON with its end. */
void hzi_game_log(const hzi_game_about *about, hzi_text *log);
/* A game record or PGN. HZ_NO_MEMORY and what writing one says. */
hz_status hzi_game_record(const hzi_game_about *about, hzi_text *record, hz_error *err);

#endif
