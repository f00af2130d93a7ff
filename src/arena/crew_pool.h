/* SPDX-License-Identifier: MIT */
/* The threads of one rank: items go in by number, results come out as they are ready. */
#ifndef HAZARD_ARENA_CREW_POOL_H
#define HAZARD_ARENA_CREW_POOL_H

#include "arena/crew.h"

typedef struct hzi_pool hzi_pool;

typedef struct hzi_pool_result {
    uint64_t item;
    char *bytes; /* malloc'ed, or NULL */
    size_t length;
} hzi_pool_result;

/* drop: raised by the pool's owner when results are no longer needed. HZ_NO_MEMORY. */
hz_status hzi_pool_new(unsigned threads, const hzi_crew_work *work, const hz_cancel *drop,
                       hzi_pool **pool, hz_error *err);
/* Waits for the threads; items not begun are forgotten. Raise `drop` before to be quick. */
void hzi_pool_free(hzi_pool *pool);
/* HZ_NO_MEMORY. */
hz_status hzi_pool_put(hzi_pool *pool, uint64_t item, hz_error *err);
/* Takes a result when there is one; else waits for at most `wait_us` until it is worth it: half of
 * what was put in is done, or all of it. The first failure of a worker is
 * the pool's; it is returned from then on, when all results before it were taken. */
hz_status hzi_pool_take(hzi_pool *pool, unsigned wait_us, hzi_pool_result *result, bool *got,
                        hz_error *err);

#endif
