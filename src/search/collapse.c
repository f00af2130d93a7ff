/* SPDX-License-Identifier: MIT */
/*
 * Chance collapse: one batch of a judge that has learned what a position before the opponent's roll
 * is worth takes the place of all chance nodes. It answers for all candidates or for none.
 *
 * Such a judge cannot say whether a king may be lost at once. With a rescorer at work the loss guard
 * asks the exact odds, so that a candidate that can lose its king keeps the judge's own value.
 */
#include "search/expectimax.h"

/* Marks the candidates whose king the next roll can take. False when the time ran out. */
static bool guard(hzi_root *root) {
    for (size_t i = 0; i < root->count; i++) {
        if (hz_deadline_expired(root->deadline)) {
            return false;
        }
        root->candidates[i].loss_tainted = hz_odds_king(&root->after[i], root->mover) != 0;
    }
    return true;
}

bool hzi_collapse(hzi_root *root) {
    const hz_expectimax_config *config = &root->search->config;
    int32_t *values = hz_arena_alloc(root->arena, root->count * sizeof *values);
    if (!values) {
        return false;
    }
    if (!hzi_judge_all(&config->collapse, root->after, root->count, root->mover, values)) {
        root->stats.collapse_rejected = true;
        return true;
    }
    if (config->loss_guard && root->rescored && !guard(root)) {
        root->stats.candidates_abandoned = 1;
        for (size_t i = 0; i < root->count; i++) {
            root->candidates[i].loss_tainted = false;
        }
        return true;
    }
    for (size_t i = 0; i < root->count; i++) {
        hz_candidate *candidate = &root->candidates[i];
        hzi_rank(root, candidate, HZ_CANDIDATE_COLLAPSED, values[i] * root->denominator,
                 candidate->loss_tainted);
    }
    root->stats.candidates_collapsed = root->count;
    return true;
}
