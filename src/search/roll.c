/* SPDX-License-Identifier: MIT */
/*
 * One roll of a chance node: what the side that rolled makes of it.
 *
 * Whether a roll takes a king is asked once for all rolls of a node (room odds), so that decided
 * rolls are never listed. With one ply left the distinct results are judged in one batch; with two,
 * each result opens a chance node of the other side, materially best first, in a window that
 * tightens.
 */
#include "search/expectimax.h"

#include <stdlib.h>

void hzi_node_open(hzi_node *node) {
    node->decided = hz_odds_king(&node->position, (hz_color)(node->position.side ^ 1));
}

static bool is_decided(const hzi_node *node, int index) {
    return (node->decided >> hz_rolls_by_weight[index] & 1) != 0;
}

int64_t hzi_decided_value(const hzi_node *node) {
    int64_t unit = node->plies == 2 ? HZ_ROLLS_ORDERED : 1;
    return (node->max ? HZ_SCORE_TREE_WIN : HZ_SCORE_LOSS) * unit;
}

static hz_position rolled(const hzi_node *node, int index) {
    hz_position position = node->position;
    hz_position_set_pool(&position, hz_rolls[hz_rolls_by_weight[index]].pool);
    return position;
}

/* The results of a roll; they stay until the next roll of a node with as many plies. */
static bool list_replies(hzi_seeker *seeker, const hzi_node *node, int index,
                         hz_result_list *list) {
    hz_arena *arena = &seeker->lists[node->plies - 1];
    hz_position position = rolled(node, index);
    hz_arena_reset(arena);
    return hz_results_list(&position, NULL, arena, list, NULL) == HZ_OK;
}

/* The position after a turn in which nothing could be played. */
static hz_position passed(const hzi_node *node, int index) {
    hz_position position = rolled(node, index);
    hz_hand_over(&position);
    return position;
}

/* ---- probes ---- */

/* The reply that is materially best for who rolled, the first such in list order. */
static const hz_position *material_best(const hzi_seeker *seeker, const hzi_node *node,
                                        const hz_result_list *list) {
    const hz_position *best = &list->results[0].after;
    int32_t most = hz_evaluate_material(best, seeker->mover);
    for (size_t i = 1; i < list->count; i++) {
        int32_t material = hz_evaluate_material(&list->results[i].after, seeker->mover);
        if (node->max ? material > most : material < most) {
            most = material;
            best = &list->results[i].after;
        }
    }
    return best;
}

void hzi_probe_roll(hzi_seeker *seeker, const hzi_node *node, int index, hzi_probe *probe) {
    hz_result_list list;
    probe->verdict = HZI_EXACT;
    probe->decided = is_decided(node, index);
    probe->value = 0;
    if (probe->decided) {
        probe->value = hzi_decided_value(node);
        return;
    }
    if (!list_replies(seeker, node, index, &list)) {
        probe->verdict = HZI_NO_MEMORY;
        return;
    }
    probe->position = list.count == 0 ? passed(node, index) : *material_best(seeker, node, &list);
    if (node->plies == 2) {
        const hzi_window open = {0};
        hzi_outcome outcome = hzi_chance(seeker, &probe->position, !node->max, 1, &open, NULL, 0);
        probe->verdict = outcome.verdict;
        probe->value = outcome.value;
    }
}

/* ---- one ply left ---- */

static hzi_outcome best_leaf(hzi_seeker *seeker, const hzi_node *node, int index) {
    hz_result_list list;
    hzi_outcome outcome = {.verdict = HZI_NO_MEMORY};
    if (!list_replies(seeker, node, index, &list) ||
        !hzi_batch_reserve(&seeker->batch, list.count + 1)) {
        return outcome;
    }
    hzi_batch *batch = &seeker->batch;
    batch->count = list.count;
    for (size_t i = 0; i < list.count; i++) {
        batch->positions[i] = list.results[i].after;
    }
    if (list.count == 0) {
        batch->positions[0] = passed(node, index);
        batch->count = 1;
    }
    outcome.verdict = hzi_judge_leaves(seeker);
    if (outcome.verdict == HZI_EXACT) {
        int32_t best = batch->scores[0];
        for (size_t i = 1; i < batch->count; i++) {
            int32_t score = batch->scores[i];
            best = (node->max ? score > best : score < best) ? score : best;
        }
        outcome.value = best;
    }
    return outcome;
}

/* ---- two plies left: the opponent chooses, the mover rolls again ---- */

static int by_number(const void *a, const void *b) {
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

/* Indices of the results, materially worst for the mover first, equal ones in list order. The low
 * half of each number is the index. NULL without memory. */
static int64_t *material_order(hzi_seeker *seeker, const hz_result_list *list) {
    int64_t *order = hz_arena_alloc(&seeker->lists[1], list->count * sizeof *order);
    if (order) {
        for (size_t i = 0; i < list->count; i++) {
            int64_t material = hz_evaluate_material(&list->results[i].after, seeker->mover);
            order[i] = material * ((int64_t)1 << 32) + (int64_t)i;
        }
        qsort(order, list->count, sizeof *order, by_number);
    }
    return order;
}

/* The least over the results. What lower bounds there are count as candidates for the least; the
 * value is exact only when an exact one attains it. */
static hzi_outcome least_node(hzi_seeker *seeker, const hz_result_list *list, const int64_t *order,
                              hzi_window window, const hzi_probe *probe) {
    hzi_outcome best = {.verdict = HZI_LOWER};
    bool any = false;
    for (size_t i = 0; i < list->count; i++) {
        const hz_position *after = &list->results[order[i] & UINT32_MAX].after;
        hzi_outcome child = {.verdict = HZI_EXACT};
        if (i == 0 && probe) {
            child.value = probe->value; /* the probe was this very result */
        } else {
            child = hzi_chance(seeker, after, true, 1, &window, NULL, 0);
        }
        if (child.verdict > HZI_LOWER) {
            return child;
        }
        if (child.verdict == HZI_UPPER) {
            return (hzi_outcome){.value = child.value, .verdict = HZI_UPPER};
        }
        if (!any || child.value < best.value ||
            (child.value == best.value && child.verdict == HZI_EXACT)) {
            best.value = child.value;
            best.verdict = child.verdict;
            any = true;
        }
        if (child.verdict == HZI_EXACT) {
            if (window.has_alpha && child.value < window.alpha) {
                return (hzi_outcome){.value = child.value, .verdict = HZI_UPPER};
            }
            if (!seeker->config->no_pruning && (!window.has_beta || child.value < window.beta)) {
                window.has_beta = true;
                window.beta = child.value;
            }
        }
    }
    return best;
}

static hzi_outcome least_reply(hzi_seeker *seeker, const hzi_node *node, int index,
                               const hzi_window *window, const hzi_probe *probe) {
    hz_result_list list;
    if (!list_replies(seeker, node, index, &list)) {
        return (hzi_outcome){.verdict = HZI_NO_MEMORY};
    }
    if (list.count == 0) {
        hz_position after = passed(node, index);
        hzi_outcome child = {.verdict = HZI_EXACT};
        if (probe) {
            child.value = probe->value;
        } else {
            child = hzi_chance(seeker, &after, true, 1, window, NULL, 0);
        }
        child.tainted = false;
        return child;
    }
    int64_t *order = material_order(seeker, &list);
    return order ? least_node(seeker, &list, order, *window, probe)
                 : (hzi_outcome){.verdict = HZI_NO_MEMORY};
}

hzi_outcome hzi_value_roll(hzi_seeker *seeker, const hzi_node *node, int index,
                           const hzi_window *window, const hzi_probe *probe) {
    if (is_decided(node, index)) {
        return (hzi_outcome){.value = hzi_decided_value(node), .verdict = HZI_EXACT};
    }
    return node->plies == 1 ? best_leaf(seeker, node, index)
                            : least_reply(seeker, node, index, window, probe);
}
