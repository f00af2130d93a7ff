/* SPDX-License-Identifier: MIT */
/*
 * The candidates, one after the other: each one's chance node gets the window that the best value
 * so far leaves, and what comes back is ranked or only counted.
 */
#include "search/ahead.h"

static hzi_window window_of(const hzi_root *root, const hz_candidate *candidate) {
    hzi_window window = {0};
    if (!root->search->config.no_pruning) {
        window.alpha =
            hz_expectimax_alpha(root->ranked, root->best_sum, root->best, root->weight,
                                candidate->rescore, root->denominator, &window.has_alpha);
    }
    return window;
}

static void count_pruned(hzi_root *root, const hzi_outcome *outcome) {
    hz_root_stats *stats = &root->stats;
    if (outcome->from_table) {
        stats->tt_cutoffs++;
        return;
    }
    stats->cutoffs++;
    stats->rolls_saved += (uint64_t)(HZ_ROLLS - outcome->rolls);
    stats->probe_cutoffs += outcome->probed;
}

/* False when the search ends with this candidate. */
static bool take(hzi_root *root, hz_candidate *candidate, const hzi_outcome *outcome) {
    switch (outcome->verdict) {
    case HZI_EXACT:
        if (outcome->from_table) {
            root->stats.tt_hits++;
        } else {
            root->stats.candidates_completed++;
        }
        hzi_rank(root, candidate,
                 outcome->from_table ? HZ_CANDIDATE_FROM_TABLE : HZ_CANDIDATE_COMPLETE,
                 outcome->value, outcome->tainted);
        return true;
    case HZI_UPPER:
    case HZI_LOWER:
        count_pruned(root, outcome);
        candidate->fate = HZ_CANDIDATE_PRUNED;
        candidate->sum = outcome->value;
        candidate->loss_tainted = outcome->tainted;
        candidate->final_value = (double)outcome->value / (double)root->denominator;
        return true;
    case HZI_STOPPED:
        root->stats.candidates_abandoned = 1;
        break;
    case HZI_REJECTED:
        root->stats.leaf_rejected = true;
        break;
    case HZI_NO_MEMORY:
        root->no_memory = true;
        break;
    }
    candidate->fate = HZ_CANDIDATE_ABANDONED;
    return false;
}

static void search_all(hzi_root *root, hzi_ahead *ahead) {
    hzi_seeker *seeker = &root->search->seekers[0];
    int plies = root->search->config.search_depth - 1;
    bool going = true;
    for (size_t i = 0; i < root->count && going; i++) {
        hz_candidate *candidate = &root->candidates[i];
        if (root->search->config.table) {
            root->stats.tt_probes++;
        }
        hzi_window window = window_of(root, candidate);
        hzi_outcome outcome = hzi_chance(seeker, &root->after[i], false, plies, &window, ahead, i);
        going = take(root, candidate, &outcome) && !hz_deadline_expired(root->deadline);
    }
}

/*
 * Whether other threads may help. Inner nodes that share a table would find in it what happens to be
 * there; and a clock of the caller's own is read in the caller's thread, at the yield points in
 * their order, which with two plies lie inside the rolls.
 */
static bool may_share(const hzi_root *root) {
    const hz_expectimax_config *config = &root->search->config;
    if (root->search->threads == 1) {
        return false;
    }
    bool foreign_clock = hz_deadline_is_timed(root->deadline) && root->deadline->now;
    return config->search_depth == 2 || (!config->table && !foreign_clock);
}

bool hzi_search_candidates(hzi_root *root) {
    hz_expectimax *search = root->search;
    for (unsigned i = 0; i < search->threads; i++) {
        search->seekers[i].mover = root->mover;
        search->seekers[i].deadline = root->deadline;
        search->seekers[i].table = search->config.table;
        search->seekers[i].stop = NULL;
        search->seekers[i].counts = (hzi_counts){0};
    }
    if (!may_share(root)) {
        search_all(root, NULL);
    } else if (!hzi_ahead_run(root, search_all)) {
        return false;
    }
    root->counts = search->seekers[0].counts;
    return !root->no_memory;
}
