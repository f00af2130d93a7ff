/* SPDX-License-Identifier: MIT */
/*
 * Which results become candidates: all are scored without looking ahead, the best ones are kept.
 *
 * A ranking judge of its own is asked in chunks, which bounds the memory of one call and not the
 * time; the pass is paid before the clock is looked at. A judge that breaks its contract is
 * discarded whole and material orders.
 */
#include "search/expectimax.h"

#include <stdlib.h>

static bool score_chunks(const hzi_root *root, const hz_position *after, int32_t *scores) {
    const hz_expectimax_config *config = &root->search->config;
    size_t count = root->list.count;
    size_t chunk = (uint64_t)config->chunk_size < count ? (size_t)config->chunk_size : count;
    for (size_t done = 0; done < count; done += chunk) {
        size_t rows = count - done < chunk ? count - done : chunk;
        if (!hzi_judge_all(&config->pre_rank, after + done, rows, root->mover, scores + done)) {
            return false;
        }
    }
    return true;
}

static void score_material(const hzi_root *root, const hz_position *after, int32_t *scores) {
    for (size_t i = 0; i < root->list.count; i++) {
        scores[i] = hz_evaluate_material(&after[i], root->mover);
    }
}

static void score_results(hzi_root *root, const hz_position *after, int32_t *scores) {
    const hz_expectimax_config *config = &root->search->config;
    bool scored = false;
    if (config->pre_rank_with_leaf) {
        scored = hzi_judge_all(&root->search->seekers[0].leaf, after, root->list.count, root->mover,
                               scores);
        root->stats.pre_rank_rejected = !scored;
    } else if (config->pre_rank.score_batch) {
        scored = score_chunks(root, after, scores);
        root->stats.pre_rank_rejected = !scored;
    }
    if (!scored) {
        score_material(root, after, scores);
    }
}

/* ---- order ---- */

typedef struct ranked {
    int32_t score;
    uint32_t index;
} ranked;

static int best_first(const void *a, const void *b) {
    const ranked *left = a, *right = b;
    if (left->score != right->score) {
        return left->score > right->score ? -1 : 1;
    }
    return (left->index > right->index) - (left->index < right->index);
}

bool hzi_prerank(hzi_root *root) {
    size_t results = root->list.count;
    int64_t limit = root->search->config.candidate_limit;
    size_t count = (uint64_t)limit < results ? (size_t)limit : results;
    hz_arena *arena = root->arena;
    hz_position *after = hz_arena_alloc(arena, results * sizeof *after);
    int32_t *scores = hz_arena_alloc(arena, results * sizeof *scores);
    ranked *order = hz_arena_alloc(arena, results * sizeof *order);
    root->candidates = hz_arena_alloc(arena, count * sizeof *root->candidates);
    root->after = hz_arena_alloc(arena, count * sizeof *root->after);
    if (!after || !scores || !order || !root->candidates || !root->after) {
        return false;
    }
    for (size_t i = 0; i < results; i++) {
        after[i] = root->list.results[i].after;
    }
    score_results(root, after, scores);
    for (size_t i = 0; i < results; i++) {
        order[i] = (ranked){.score = scores[i], .index = (uint32_t)i};
    }
    qsort(order, results, sizeof *order, best_first);
    for (size_t i = 0; i < count; i++) {
        root->candidates[i] = (hz_candidate){.result = order[i].index, .pre_rank = order[i].score};
        root->after[i] = after[order[i].index];
    }
    root->count = count;
    root->stats.candidates_selected = count;
    return true;
}
