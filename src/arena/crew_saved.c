/* SPDX-License-Identifier: MIT */
/* A crew with a checkpoint; see crew_saved.h. */
#include "arena/crew_saved.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct saved {
    const hzi_crew_work *work;
    hzi_checkpoint *checkpoint;
} saved;

static hz_status fold(void *context, uint64_t item, const char *bytes, size_t length, bool *stop,
                      hz_error *err) {
    saved *s = context;
    hz_status status = s->work->fold(s->work->context, item, bytes, length, stop, err);
    return status == HZ_OK ? hzi_checkpoint_add(s->checkpoint, bytes, length, err) : status;
}

static hz_status fold_again(void *context, uint64_t item, const char *line, size_t length,
                            hz_error *err) {
    saved *s = context;
    bool stop = false;
    return s->work->fold(s->work->context, item, line, length, &stop, err);
}

static hz_status open_worker(void *context, const hz_cancel *drop, void **state, hz_error *err) {
    const saved *s = context;
    return s->work->open(s->work->context, drop, state, err);
}

static hz_status work(void *context, void *state, uint64_t item, hzi_text *result, hz_error *err) {
    const saved *s = context;
    return s->work->work(s->work->context, state, item, result, err);
}

static void close_worker(void *context, void *state) {
    const saved *s = context;
    s->work->close(s->work->context, state);
}

static hz_status open_checkpoint(saved *s, const hzi_saving *saving, uint64_t items,
                                 hz_error *err) {
    char seed[24], count[24], digests[2][65], graphs[65];
    for (int i = 0; i < 2; i++) {
        hz_status status = hz_match_player_digest(saving->players[i], HZ_MATCH_DICE,
                                                  saving->registry, graphs, digests[i], err);
        if (status != HZ_OK) {
            return status;
        }
    }
    (void)snprintf(seed, sizeof seed, "%" PRIu64, saving->seed);
    (void)snprintf(count, sizeof count, "%" PRIu64, items);
    const hzi_field fields[] = {{"version", hz_version()},
                                {"kind", saving->kind},
                                {"player_1", saving->players[0]},
                                {"player_1_files", digests[0]},
                                {"player_2", saving->players[1]},
                                {"player_2_files", digests[1]},
                                {"seed", seed},
                                {"setting", saving->setting},
                                {"count", count}};
    return hzi_checkpoint_open(saving->path, fields, sizeof fields / sizeof *fields, saving->resume,
                               &s->checkpoint, err);
}

hz_status hzi_crew_run_saved(hzi_crew_plan *plan, const hzi_crew_work *inner,
                             const hzi_saving *saving, uint64_t *resumed, hzi_crew_outcome *outcome,
                             hz_error *err) {
    saved s = {.work = inner};
    if (resumed) {
        *resumed = 0;
    }
    if (!saving->path || (plan->ranks && plan->ranks->rank > 0)) {
        return hzi_crew_run(plan, inner, outcome, err);
    }
    hz_status status = open_checkpoint(&s, saving, plan->end, err);
    if (status == HZ_OK) {
        plan->first = hzi_checkpoint_count(s.checkpoint);
        status = plan->first > plan->end
                     ? hz_fail(err, HZ_CHECKPOINT, HZ_NO_OFFSET,
                               "%s holds more results than there are questions", saving->path)
                     : hzi_checkpoint_visit(s.checkpoint, fold_again, &s, err);
    }
    if (status == HZ_OK) {
        const hzi_crew_work outer = {.context = &s,
                                     .open = open_worker,
                                     .work = work,
                                     .close = close_worker,
                                     .fold = fold,
                                     .idle = inner->idle};
        if (resumed) {
            *resumed = plan->first;
        }
        status = hzi_crew_run(plan, &outer, outcome, err);
        hz_status written = hzi_checkpoint_write(s.checkpoint, status == HZ_OK ? err : NULL);
        status = status == HZ_OK ? written : status;
    }
    hzi_checkpoint_free(s.checkpoint);
    return status;
}
