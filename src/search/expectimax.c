/* SPDX-License-Identifier: MIT */
/*
 * Expectimax over dice: the steps of one call. The mover's results are ordered and the first few
 * become candidates; each is worth what is left after every roll of the opponent, summed exactly;
 * the best ones are ranked and one of them is picked. Every step has its file: prerank.c,
 * collapse.c, candidates.c, chance.c, roll.c.
 */
#include "search/expectimax.h"

static hz_status no_memory(hz_error *err) {
    return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for searching a turn");
}

/* ---- ranking ---- */

void hzi_rank(hzi_root *root, hz_candidate *candidate, hz_candidate_fate fate, int64_t sum,
              bool tainted) {
    candidate->fate = fate;
    candidate->sum = sum;
    candidate->loss_tainted = tainted;
    candidate->final_value =
        root->rescored && !tainted
            ? hz_expectimax_blend(sum, root->denominator, root->weight, candidate->rescore)
            : (double)sum / (double)root->denominator;
    if (!root->ranked || candidate->final_value > root->best) {
        root->best = candidate->final_value;
    }
    if (!root->ranked || sum > root->best_sum) {
        root->best_sum = sum;
    }
    root->ranked = true;
}

static bool is_ranked(const hz_candidate *candidate) {
    return candidate->fate == HZ_CANDIDATE_COMPLETE || candidate->fate == HZ_CANDIDATE_FROM_TABLE ||
           candidate->fate == HZ_CANDIDATE_COLLAPSED;
}

/* Whether a candidate is one of the best: by sums, with a rescorer by final values. */
static bool is_best(const hzi_root *root, const hz_candidate *candidate) {
    return is_ranked(candidate) && (root->rescored ? candidate->final_value == root->best
                                                   : candidate->sum == root->best_sum);
}

/* Truncated toward zero and saturated. */
static int32_t score_of_sum(const hzi_root *root) {
    int64_t score = root->best_sum / root->denominator;
    return score > INT32_MAX ? INT32_MAX : score < INT32_MIN ? INT32_MIN : (int32_t)score;
}

static int32_t score_of_value(double value) {
    return value >= (double)INT32_MAX   ? INT32_MAX
           : value <= (double)INT32_MIN ? INT32_MIN
                                        : (int32_t)value;
}

/* ---- answers ---- */

static void play(const hzi_root *root, size_t result, hz_expectimax_answer *answer) {
    answer->turn = root->list.results[result].turn;
    answer->after = root->list.results[result].after;
}

/* Answers one result, drawing nothing. False without memory. */
static bool answer_single(const hzi_root *root, size_t result, int32_t score,
                          hz_expectimax_answer *answer) {
    hz_turn *tie = hz_arena_alloc(root->arena, sizeof *tie);
    if (!tie) {
        return false;
    }
    *tie = root->list.results[result].turn;
    play(root, result, answer);
    answer->score = score;
    answer->ties = tie;
    answer->tie_count = 1;
    return true;
}

/* Answers a pick among the best, in list order. False without memory. */
static bool answer_best(const hzi_root *root, hz_random *random, hz_expectimax_answer *answer) {
    size_t *tied = hz_arena_alloc(root->arena, root->count * sizeof *tied);
    hz_turn *ties = hz_arena_alloc(root->arena, root->count * sizeof *ties);
    size_t count = 0;
    if (!tied || !ties) {
        return false;
    }
    for (size_t i = 0; i < root->count; i++) {
        if (is_best(root, &root->candidates[i])) {
            size_t result = root->candidates[i].result, at = count++;
            for (; at > 0 && tied[at - 1] > result; at--) {
                tied[at] = tied[at - 1];
            }
            tied[at] = result;
        }
    }
    for (size_t i = 0; i < count; i++) {
        ties[i] = root->list.results[tied[i]].turn;
    }
    play(root, tied[hz_random_pick(random, (uint32_t)count)], answer);
    answer->score = root->rescored ? score_of_value(root->best) : score_of_sum(root);
    answer->ties = ties;
    answer->tie_count = count;
    return true;
}

/* ---- the steps ---- */

static void rescore(hzi_root *root, const hz_deadline *deadline) {
    hz_expectimax *search = root->search;
    if (!search->rescores || hz_deadline_expired(deadline)) {
        return;
    }
    int32_t *scores = hz_arena_alloc(root->arena, root->count * sizeof *scores);
    if (!scores) {
        root->no_memory = true;
        return;
    }
    if (!hzi_judge_all(&search->config.rescore, root->after, root->count, root->mover, scores)) {
        root->stats.rescore_rejected = true;
        return;
    }
    for (size_t i = 0; i < root->count; i++) {
        root->candidates[i].rescore = scores[i];
    }
    root->rescored = true;
    root->weight = search->config.rescore_weight;
}

/* Everything between the list of results and the pick. False without memory. */
static bool value_candidates(hzi_root *root) {
    if (!hzi_prerank(root)) {
        return false;
    }
    rescore(root, root->deadline);
    if (root->no_memory) {
        return false;
    }
    if (hz_deadline_expired(root->deadline)) {
        root->stats.candidates_abandoned = 1;
        return true;
    }
    return root->search->config.collapse.score_batch ? hzi_collapse(root)
                                                     : hzi_search_candidates(root);
}

static void emit(const hzi_root *root, hz_expectimax_answer *answer) {
    const hz_expectimax_config *config = &root->search->config;
    answer->stats = root->stats;
    if (config->sink) {
        config->sink(config->sink_context, &root->stats);
    }
}

hz_status hz_expectimax_choose(hz_expectimax *search, const hz_position *position,
                               hz_random *random, const hz_deadline *deadline, hz_arena *arena,
                               hz_expectimax_answer *answer, hz_error *err) {
    hzi_root root = {.search = search,
                     .position = position,
                     .deadline = deadline,
                     .arena = arena,
                     .mover = (hz_color)position->side,
                     .denominator = search->config.search_depth == 3
                                        ? HZ_ROLLS_ORDERED * HZ_ROLLS_ORDERED
                                        : HZ_ROLLS_ORDERED};
    *answer = (hz_expectimax_answer){.after = *position, .denominator = root.denominator};
    /* A legal turn is owed under any deadline, so the listing itself is never cut short. */
    hz_status status = hz_results_list(position, NULL, arena, &root.list, err);
    if (status != HZ_OK) {
        return status;
    }
    answer->results = root.list.count;
    root.stats.legal_results = root.list.count;
    root.stats.has_legal_sequences = true;
    root.stats.legal_sequences = root.list.sequences;
    if (root.list.count == 0) {
        answer->pass = true;
        hz_hand_over(&answer->after);
        emit(&root, answer);
        return HZ_OK;
    }
    if (root.list.winning >= 0) {
        if (!answer_single(&root, (size_t)root.list.winning, HZ_SCORE_WIN, answer)) {
            return no_memory(err);
        }
        emit(&root, answer);
        return HZ_OK;
    }
    if (!value_candidates(&root)) {
        return no_memory(err);
    }
    answer->candidates = root.candidates;
    answer->candidate_count = root.count;
    answer->leaves = root.counts.leaves;
    answer->leaf_batches = root.counts.leaf_batches;
    answer->nodes = root.counts.nodes;
    emit(&root, answer);
    bool answered = root.ranked ? answer_best(&root, random, answer)
                                : answer_single(&root, root.candidates[0].result,
                                                root.candidates[0].pre_rank, answer);
    return answered ? HZ_OK : no_memory(err);
}
