/* SPDX-License-Identifier: MIT */
/* An evaluator in a sandboxed child, as something that chooses moves. */
#ifndef HAZARD_LEAGUE_REMOTE_H
#define HAZARD_LEAGUE_REMOTE_H

#include "league/play.h"
#include "league/sandbox.h"

/* Zero-initialise; the child is started for the first choice and anew after it was lost. */
typedef struct hzi_remote {
    const void *bytes; /* borrowed */
    size_t length;
    hz_league_limits limits; /* filled in */
    bool evade;
    hzi_sandbox *sandbox;
} hzi_remote;

/* A hzi_league_chooser; state is a hzi_remote. */
hz_status hzi_remote_choose(void *state, const hz_chess_game *game, bool first,
                            const hz_deadline *deadline, hz_league_choice *choice, hz_error *err);
void hzi_remote_fini(hzi_remote *remote);

#endif
