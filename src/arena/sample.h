/* SPDX-License-Identifier: MIT */
/* Positions with dice for probes: out of games of a bot against itself, or out of a file. */
#ifndef HAZARD_ARENA_SAMPLE_H
#define HAZARD_ARENA_SAMPLE_H

#include <hazard/arena.h>

typedef struct hzi_sample {
    size_t count;
    hz_position *positions; /* owned, with three dice, or what a file says */
} hzi_sample;

enum { HZI_SAMPLE_MAX = 1000000, HZI_SAMPLE_PLIES = 4, HZI_SAMPLE_PER_GAME = 3 };

/*
 * `count` positions, 1..HZI_SAMPLE_MAX, of games of a bot against itself that begin with
 * HZI_SAMPLE_PLIES random turns: of each game up to HZI_SAMPLE_PER_GAME positions, drawn among those
 * with something to choose, which are those with several results none of which takes a king. The same
 * seed gives the same positions. HZ_CANCELLED (cancel may be NULL); what playing says. progress
 * (may be NULL) is called with the positions so far.
 */
hz_status hzi_sample_play(const char *bot, hz_registry *registry, uint64_t seed, size_t count,
                          const hz_cancel *cancel, void (*progress)(void *context, uint64_t done),
                          void *progress_context, hzi_sample *sample, hz_error *err);
/*
 * Positions of a text: DFENs, one a line (a line without dice gets those of the seed and its number;
 * blank lines and lines that begin with '#' are skipped), or game records, of which every position
 * with something to choose is taken. HZ_OPENINGS with line and column, HZ_NO_MEMORY.
 */
hz_status hzi_sample_read(const char *text, size_t length, uint64_t seed, hzi_sample *sample,
                          hz_error *err);
void hzi_sample_free(hzi_sample *sample);

#endif
