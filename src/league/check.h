/* SPDX-License-Identifier: MIT */
/* The checks of a submission as they are made inside the child. */
#ifndef HAZARD_LEAGUE_CHECK_H
#define HAZARD_LEAGUE_CHECK_H

#include <hazard/league.h>

/* Called before each stage with its number (2..12), so that whoever watches knows where it hangs. */
typedef void (*hzi_league_stage)(void *state, int stage);

/*
 * Makes all checks but the size. limits: filled in. What hangs, crashes or takes too much memory
 * does so here; see sandbox.h for what stops it.
 */
void hzi_league_examine(const void *bytes, size_t length, const hz_league_limits *limits,
                        hzi_league_stage stage, void *state, hz_league_verdict *verdict);
/* Limits with the defaults in place of zeroes. NULL gives the defaults. */
hz_league_limits hzi_league_limits(const hz_league_limits *given);

#endif
