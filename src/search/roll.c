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

/* Keeps the replies for the main loop while there is room. */
static void keep(hzi_seeker *seeker, const hz_result_list *list, hzi_probe *probe) {
    if (list->count == 0 || seeker->kept_count + list->count > HZI_KEPT_MOST) {
        return;
    }
    if (!seeker->kept) {
        seeker->kept = malloc(HZI_KEPT_MOST * sizeof *seeker->kept);
        if (!seeker->kept) {
            return; /* they will be listed again */
        }
    }
    hz_position *kept = seeker->kept + seeker->kept_count;
    for (size_t i = 0; i < list->count; i++) {
        kept[i] = list->results[i].after;
    }
    seeker->kept_count += list->count;
    probe->kept = kept;
    probe->kept_count = list->count;
}

void hzi_probe_roll(hzi_seeker *seeker, const hzi_node *node, int index, bool keeps,
                    hzi_probe *probe) {
    const hzi_window open = {0};
    hz_result_list list;
    hzi_outcome outcome = {.verdict = HZI_EXACT};
    *probe = (hzi_probe){.verdict = HZI_EXACT};
    if (is_decided(node, index) || (node->plies == 1 && seeker->leaf_is_material)) {
        /* Materially best is then simply best. */
        outcome = hzi_value_roll(seeker, node, index, &open, NULL);
        probe->valued = probe->is_roll = true;
    } else if (!list_replies(seeker, node, index, &list)) {
        outcome.verdict = HZI_NO_MEMORY;
    } else {
        probe->position =
            list.count == 0 ? passed(node, index) : *material_best(seeker, node, &list);
        if (node->plies == 2) {
            outcome = hzi_chance(seeker, &probe->position, !node->max, 1, &open, NULL, 0);
            probe->valued = true;
        } else if (keeps) {
            keep(seeker, &list, probe);
        }
    }
    probe->verdict = outcome.verdict;
    probe->value = outcome.value;
}

/* ---- one ply left ---- */

/* The most of a roll in material. */
static hzi_outcome best_material(hzi_seeker *seeker, const hzi_node *node, int index) {
    hzi_outcome outcome = {.verdict = HZI_EXACT};
    int32_t gain;
    uint64_t boards;
    hzi_gain_answer answer = hzi_gains_of_roll(
        &seeker->gains, &node->position, &hz_rolls[hz_rolls_by_weight[index]], &gain, &boards);
    if (answer == HZI_GAIN_FOUND) {
        int32_t before = hz_evaluate_material(&node->position, seeker->mover);
        seeker->counts.leaves += boards;
        outcome.value = node->max ? before + gain : before - gain;
        return outcome;
    }
    hz_result_list list;
    if (answer == HZI_GAIN_NO_MEMORY || !list_replies(seeker, node, index, &list)) {
        outcome.verdict = HZI_NO_MEMORY;
        return outcome;
    }
    seeker->counts.leaves += list.count ? list.count : 1;
    const hz_position *best =
        list.count == 0 ? &node->position : material_best(seeker, node, &list);
    outcome.value = hz_evaluate_material(best, seeker->mover);
    return outcome;
}

static int32_t best_score(const hzi_node *node, const int32_t *scores, size_t count) {
    int32_t best = scores[0];
    for (size_t i = 1; i < count; i++) {
        best = (node->max ? scores[i] > best : scores[i] < best) ? scores[i] : best;
    }
    return best;
}

static hzi_outcome best_leaf(hzi_seeker *seeker, const hzi_node *node, int index,
                             const hzi_probe *probe) {
    hz_result_list list = {0};
    hzi_outcome outcome = {.verdict = HZI_NO_MEMORY};
    bool kept = probe && probe->kept;
    if (!kept && !list_replies(seeker, node, index, &list)) {
        return outcome;
    }
    hzi_batch *batch = &seeker->batch;
    size_t count = kept ? probe->kept_count : list.count ? list.count : 1;
    if (!hzi_batch_reserve(batch, count)) {
        return outcome;
    }
    for (size_t i = 0; i < list.count; i++) {
        batch->positions[i] = list.results[i].after;
    }
    if (!kept && list.count == 0) {
        batch->positions[0] = passed(node, index);
    }
    outcome.verdict = hzi_judge_leaves(seeker, kept ? probe->kept : batch->positions, count);
    if (outcome.verdict == HZI_EXACT) {
        outcome.value = best_score(node, batch->scores, count);
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
    if (node->plies == 2) {
        return least_reply(seeker, node, index, window, probe);
    }
    if (probe && probe->is_roll) {
        return (hzi_outcome){.value = probe->value, .verdict = HZI_EXACT};
    }
    return seeker->leaf_is_material ? best_material(seeker, node, index)
                                    : best_leaf(seeker, node, index, probe);
}
