/* SPDX-License-Identifier: MIT */
/* What both forms of a report need. */
#ifndef HAZARD_ARENA_REPORT_H
#define HAZARD_ARENA_REPORT_H

#include "arena/text.h"

#include <hazard/arena.h>

/* Share of points of A, 0..1; NAN without games. */
double hzi_report_score(const hz_match_counts *counts);
/* Ratings of all players; the caller frees. NULL without memory or ratings. */
hz_rating *hzi_report_ratings(const hz_match_view *view, bool *smoothed);
/* Hands a finished text on. HZ_NO_MEMORY, HZ_IO. */
hz_status hzi_report_emit(hzi_text *text, hz_report_sink sink, void *context, hz_error *err);
/* "H0", "H1", "continue". */
const char *hzi_report_verdict(hz_sprt_verdict verdict);

/* JSON: the members every report begins with, and a player as its member. */
void hzi_report_put_head(hzi_text *json, const char *kind, const char *created, unsigned workers,
                         unsigned ranks, unsigned ranks_lost);
void hzi_report_put_player(hzi_text *json, const char *key, const hz_match_player_info *player);

#endif
