/* SPDX-License-Identifier: MIT */
/* What the parts of a page share. */
#ifndef HAZARD_ARENA_REPORT_HTML_H
#define HAZARD_ARENA_REPORT_HTML_H

#include "arena/text.h"

#include <hazard/arena.h>

/* Half of the 95 % interval of the score, in percent; of pairs when there are any. */
double hzi_page_half_width(const hz_match_tally *tally);
/* Ratings, crosstable and pairings. HZ_NO_MEMORY. */
hz_status hzi_page_tournament(hzi_text *out, const hz_match_view *view, hz_error *err);
/* The games that are shown, inside an open section; and the rules for their style. */
void hzi_page_games(hzi_text *out, const hz_match_view *view);
extern const char hzi_page_games_style[];
/* Opens a link to the first game shown of a pairing; false, and nothing is written, without one. */
bool hzi_page_open_link(hzi_text *out, const hz_match_view *view, size_t pairing);

#endif
