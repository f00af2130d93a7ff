/* SPDX-License-Identifier: MIT */
/*
 * Calls of a judge, a batch at a time. A batch that reports an error or comes back with another
 * number of rows has no values at all: what it wrote is not looked at.
 */
#include "search/expectimax.h"

#include <stdlib.h>

static hz_status score_evaluator(void *state, const hz_position *positions, size_t n,
                                 hz_color color, int32_t *scores, size_t *done, hz_error *err) {
    const hz_evaluator *evaluator = state;
    hz_status status = hz_evaluator_score(evaluator, positions, n, color, scores);
    *done = status == HZ_OK ? n : 0;
    return status == HZ_OK
               ? HZ_OK
               : hz_fail(err, status, HZ_NO_OFFSET, "the evaluator '%.60s' failed: %s",
                         evaluator->name ? evaluator->name : "", hz_status_text(status));
}

hz_judge hz_judge_evaluator(const hz_evaluator *evaluator) {
    union {
        const hz_evaluator *borrowed;
        void *state;
    } u = {.borrowed = evaluator}; /* a judge's state is not const; this one is only read */
    return (hz_judge){.state = u.state, .score_batch = score_evaluator};
}

bool hzi_batch_reserve(hzi_batch *batch, size_t count) {
    if (count <= batch->capacity) {
        return true;
    }
    size_t capacity = batch->capacity ? batch->capacity : 256;
    while (capacity < count) {
        if (capacity > SIZE_MAX / 4 / sizeof(hz_position)) {
            return false;
        }
        capacity *= 2;
    }
    hz_position *positions = realloc(batch->positions, capacity * sizeof *positions);
    if (!positions) {
        return false;
    }
    batch->positions = positions;
    int32_t *scores = realloc(batch->scores, capacity * sizeof *scores);
    if (!scores) {
        return false;
    }
    batch->scores = scores;
    batch->capacity = capacity;
    return true;
}

bool hzi_judge_all(const hz_judge *judge, const hz_position *positions, size_t count,
                   hz_color color, int32_t *scores) {
    size_t done = 0;
    hz_status status =
        judge->score_batch(judge->state, positions, count, color, scores, &done, NULL);
    return status == HZ_OK && done == count;
}

hzi_verdict hzi_judge_leaves(hzi_seeker *seeker) {
    hzi_batch *batch = &seeker->batch;
    seeker->counts.leaf_batches++;
    seeker->counts.leaves += batch->count;
    return hzi_judge_all(&seeker->leaf, batch->positions, batch->count, seeker->mover,
                         batch->scores)
               ? HZI_EXACT
               : HZI_REJECTED;
}

void hzi_seeker_fini(hzi_seeker *seeker) {
    hz_arena_fini(&seeker->lists[0]);
    hz_arena_fini(&seeker->lists[1]);
    free(seeker->batch.positions);
    free(seeker->batch.scores);
}

bool hzi_seeker_expired(const hzi_seeker *seeker) {
    return hz_cancel_requested(seeker->stop) || hz_deadline_expired(seeker->deadline);
}
