/* SPDX-License-Identifier: MIT */
/*
 * A player asked about single positions: anybody a match knows, in the shape of a bot, and what its
 * answers are worth on one axis.
 */
#ifndef HAZARD_ARENA_ASKED_H
#define HAZARD_ARENA_ASKED_H

#include <hazard/arena.h>

/*
 * Makes a bot of what a text names: one of the registry, or a child process or bot server
 * (hz_match_player_open) that is asked without a clock. A player without a valid answer passes, which
 * is illegal wherever a turn exists. cancel, or NULL: ends waiting for somebody from outside with
 * HZ_CANCELLED. Close it with hz_bot_close.
 */
hz_status hzi_asked_open(const char *text, hz_registry *registry, const hz_cancel *cancel,
                         hz_bot *bot, hz_error *err);

/*
 * What a candidate of a search is worth between the ends of the bot's axis. A search orders what may
 * lose the king far below everything else; whoever draws, compares or learns wants the expectation.
 * False when it has no exact value. judgement: of the bot that searched.
 */
bool hzi_candidate_value(const hz_bot_judgement *judgement, const hz_expectimax_answer *search,
                         const hz_candidate *candidate, double *value);
/* The same of an answer: of its best candidate, or the score when nothing was searched. judgement may
 * be NULL. */
double hzi_answer_value(const hz_bot_judgement *judgement, const hz_bot_answer *answer);

/* A bot's text with one more option, NAME=VALUE, commas and backslashes escaped. NULL without memory; the
 * caller frees it. */
char *hzi_text_with_option(const char *text, const char *name, const char *value);

#endif
