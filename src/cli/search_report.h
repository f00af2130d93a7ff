/* SPDX-License-Identifier: MIT */
/* What a search has seen, as text and JSON; shared by `hazard best` and the query of that name. */
#ifndef HAZARD_CLI_SEARCH_REPORT_H
#define HAZARD_CLI_SEARCH_REPORT_H

#include "cli/json.h"

/* Nothing when the bot did not search; else a member "search" of an open object: the record of the
 * search with the names it was published under, and its candidates in pre-rank order. `position` is
 * the one that was asked about, with dice; the arena is for its list of results. effort: also how
 * much was computed, which may change from version to version while all else stays. */
void hzc_json_search(hzc_json *json, const hz_position *position,
                     const hz_expectimax_answer *search, bool effort, hz_arena *arena);
/* The same for people. */
void hzc_text_search(hzc_out *out, const hz_position *position, const hz_expectimax_answer *search,
                     hz_arena *arena);

#endif
