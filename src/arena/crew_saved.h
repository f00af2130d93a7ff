/* SPDX-License-Identifier: MIT */
/*
 * A crew's work that survives a stop: results are lines of JSON, kept in a checkpoint in their order.
 * Going on, those that are there are folded first, as if they had just been done, and the crew begins
 * behind them.
 */
#ifndef HAZARD_ARENA_CREW_SAVED_H
#define HAZARD_ARENA_CREW_SAVED_H

#include "arena/checkpoint.h"
#include "arena/crew.h"

/* Where and as what a run is kept. */
typedef struct hzi_saving {
    const char *path; /* NULL = nowhere */
    bool resume;      /* go on with the file if it is there */
    const char *kind; /* of the run, a part of its identity */
    const char *players[2];
    hz_registry *registry;
    uint64_t seed;
    const char *setting; /* whatever else the results depend on */
} hzi_saving;

/*
 * hzi_crew_run for work that does not stop early. plan->first is set by what is there; *resumed (may be
 * NULL) becomes the number of results that were. HZ_CHECKPOINT: the file is there without resume, is
 * damaged, holds more results than the plan has, or is of another run, whose first different field the
 * message names. HZ_IO.
 */
hz_status hzi_crew_run_saved(hzi_crew_plan *plan, const hzi_crew_work *work,
                             const hzi_saving *saving, uint64_t *resumed, hzi_crew_outcome *outcome,
                             hz_error *err);

#endif
