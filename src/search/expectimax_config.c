/* SPDX-License-Identifier: MIT */
/* Settings of expectimax: their defaults, and what is refused before a search exists. */
#include "search/expectimax.h"

#include <stdlib.h>

hz_expectimax_config hz_expectimax_config_default(void) {
    return (hz_expectimax_config){.candidate_limit = HZ_EXPECTIMAX_LIMIT,
                                  .search_depth = HZ_EXPECTIMAX_DEPTH,
                                  .chunk_size = HZ_PRERANK_CHUNK,
                                  .threads = 1};
}

static hz_status check(const hz_expectimax_config *c, hz_error *err) {
    if (c->candidate_limit <= 0) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                       "candidate_limit must be positive, not %lld", (long long)c->candidate_limit);
    }
    if (c->search_depth != 2 && c->search_depth != 3) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                       "search_depth must be 2 or 3, not %d", c->search_depth);
    }
    /* Written so that NaN fails. */
    if (!(c->rescore_weight >= 0.0 && c->rescore_weight <= 1.0)) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                       "rescore_weight must be 0 to 1, not %g", c->rescore_weight);
    }
    if (c->chunk_size <= 0) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                       "chunk_size must be positive, not %lld", (long long)c->chunk_size);
    }
    if (c->pre_rank_with_leaf && c->pre_rank.score_batch) {
        return hz_fail(err, HZ_CONFLICT, HZ_NO_OFFSET,
                       "pre_rank_with_leaf and pre_rank: the two pre-rank configurations are "
                       "alternatives");
    }
    if (c->threads < 1 || c->threads > HZ_THREADS_MAX) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET, "threads must be 1 to %d, not %u",
                       HZ_THREADS_MAX, c->threads);
    }
    if (!c->leaf.score_batch) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET, "leaf: a leaf judge is required");
    }
    return HZ_OK;
}

/* The leaf judge of every thread. */
static hz_status give_judges(hz_expectimax *search, hz_error *err) {
    const hz_expectimax_config *c = &search->config;
    for (unsigned i = 0; i < search->threads; i++) {
        hzi_seeker *seeker = &search->seekers[i];
        seeker->config = c;
        seeker->leaf = c->leaf;
        if (search->threads > 1 && c->leaf_of_thread) {
            seeker->leaf = c->leaf_of_thread(c->leaf_context, i);
        }
        if (!seeker->leaf.score_batch) {
            return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                           "leaf_of_thread: no leaf judge for worker %u", i);
        }
    }
    return HZ_OK;
}

hz_status hz_expectimax_new(const hz_expectimax_config *config, hz_expectimax **search,
                            hz_error *err) {
    *search = NULL;
    hz_status status = check(config, err);
    if (status != HZ_OK) {
        return status;
    }
    hz_expectimax *made = calloc(1, sizeof *made);
    hzi_seeker *seekers = calloc(config->threads, sizeof *seekers);
    if (!made || !seekers) {
        free(made);
        free(seekers);
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a search");
    }
    made->config = *config;
    made->rescores = config->rescore.score_batch && config->rescore_weight > 0.0;
    made->seekers = seekers;
    made->threads = config->threads;
    status = give_judges(made, err);
    if (status == HZ_OK && made->threads > 1) {
        status = hz_thread_pool_new(made->threads, &made->pool, err);
    }
    if (status != HZ_OK) {
        hz_expectimax_free(made);
        return status;
    }
    *search = made;
    return HZ_OK;
}

void hz_expectimax_free(hz_expectimax *search) {
    if (!search) {
        return;
    }
    hz_thread_pool_free(search->pool);
    for (unsigned i = 0; i < search->threads; i++) {
        hzi_seeker_fini(&search->seekers[i]);
    }
    free(search->seekers);
    hz_arena_fini(&search->ahead);
    free(search);
}
