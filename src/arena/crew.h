/* SPDX-License-Identifier: MIT */
/*
 * Many items of work, done by threads and perhaps by other ranks, in any order, and taken back in the
 * order of their numbers: whatever depends on the order of results (a sequential test, a report, a
 * file) then does not depend on who was quick.
 *
 * An item's result is bytes, so that it can travel. Only the calling thread of rank 0 sees results.
 * When nobody needs them any more, a flag tells those who still work to drop what they have.
 */
#ifndef HAZARD_ARENA_CREW_H
#define HAZARD_ARENA_CREW_H

#include "arena/text.h"

#include <hazard/arena.h>

typedef struct hzi_crew_work {
    void *context;
    /* What a worker needs, made by itself; called once before its first item. */
    hz_status (*open)(void *context, const hz_cancel *drop, void **state, hz_error *err);
    /* Does an item: *result is empty before. HZ_CANCELLED when `drop` was raised. */
    hz_status (*work)(void *context, void *state, uint64_t item, hzi_text *result, hz_error *err);
    void (*close)(void *context, void *state);
    /* Takes a result, in order. *stop: nothing more is needed. */
    hz_status (*fold)(void *context, uint64_t item, const char *bytes, size_t length, bool *stop,
                      hz_error *err);
    /* Now and then from the calling thread, with several workers; may be NULL. */
    void (*idle)(void *context);
} hzi_crew_work;

typedef struct hzi_crew_plan {
    uint64_t first, end; /* items */
    unsigned threads;    /* of this rank, 1..HZ_THREADS_MAX */
    hz_ranks *ranks;     /* NULL = none */
    uint64_t identity;   /* all ranks must be given the same */
    const hz_cancel *cancel;
} hzi_crew_plan;

typedef struct hzi_crew_outcome {
    bool cancelled;
    unsigned ranks_lost; /* the same on all ranks that are not: at least 1 where rank 0 is gone */
    unsigned ranks_workers; /* threads of all other ranks */
} hzi_crew_outcome;

/*
 * Rank 0 (or no ranks): returns when all items are folded, fold said stop, or the run was cancelled;
 * otherwise the first failure. Other ranks: works until rank 0 has enough; folds nothing.
 */
hz_status hzi_crew_run(const hzi_crew_plan *plan, const hzi_crew_work *work,
                       hzi_crew_outcome *outcome, hz_error *err);

#endif
