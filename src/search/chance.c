/* SPDX-License-Identifier: MIT */
/*
 * Chance nodes: the exact weighted sum over the 56 rolls, or a proof that it lies outside the
 * window.
 *
 * Star1 adds to what is summed the most (or least) that the rolls to come can still bring. Star2
 * makes that rest small first: one reply of each roll is valued, and since who rolls may choose, the
 * roll is worth no more (MIN) or no less (MAX) than that. Tests are strict and all numbers integers,
 * so a node that only equals its bound is never cut.
 */
#include "search/ahead.h"

/* MAX nodes keep their entries apart from MIN nodes of the same position. */
#define MAX_SALT 0x9E3779B97F4A7C15u

typedef struct chance {
    hzi_seeker *seeker;
    const hzi_node *node;
    hzi_window window;
    hzi_ahead *ahead; /* NULL = none */
    size_t candidate;
    bool probed;
    hzi_probe probes[HZ_ROLLS];
    int64_t rest[HZ_ROLLS + 1]; /* sums of the probes from a roll on */
    int64_t acc;                /* sum of the rolls that are done */
    int left;                   /* weight of the rolls that are not */
} chance;

/* ---- table ---- */

static uint64_t table_key(const hzi_node *node) {
    return node->position.key ^ (node->max ? MAX_SALT : 0);
}

/* Whether an entry answers the node. */
static bool answers(const chance *c, const hz_table_entry *entry) {
    if (entry->bound == HZ_BOUND_EXACT) {
        return true;
    }
    if (c->seeker->config->exact_only) {
        return false;
    }
    return entry->bound == HZ_BOUND_UPPER ? c->window.has_alpha && entry->value < c->window.alpha
                                          : c->window.has_beta && entry->value > c->window.beta;
}

static bool from_table(const chance *c, hzi_outcome *outcome) {
    hz_table_entry entry;
    if (!c->seeker->table ||
        !hz_table_probe(c->seeker->table, table_key(c->node), (uint8_t)c->node->plies, &entry) ||
        !answers(c, &entry)) {
        return false;
    }
    *outcome = (hzi_outcome){.value = entry.value,
                             .verdict = entry.bound == HZ_BOUND_EXACT   ? HZI_EXACT
                                        : entry.bound == HZ_BOUND_UPPER ? HZI_UPPER
                                                                        : HZI_LOWER,
                             .tainted = entry.loss_tainted,
                             .from_table = true};
    return true;
}

static void to_table(const chance *c, const hzi_outcome *outcome) {
    if (!c->seeker->table || !hzi_has_value(outcome) ||
        (outcome->verdict != HZI_EXACT && c->seeker->config->exact_only)) {
        return;
    }
    hz_table_entry entry = {.value = outcome->value,
                            .bound = outcome->verdict == HZI_EXACT   ? HZ_BOUND_EXACT
                                     : outcome->verdict == HZI_UPPER ? HZ_BOUND_UPPER
                                                                     : HZ_BOUND_LOWER,
                            .depth = (uint8_t)c->node->plies,
                            .loss_tainted = outcome->tainted};
    hz_table_store(c->seeker->table, table_key(c->node), &entry);
}

/* ---- Star2 ---- */

static int weight_of(int index) {
    return hz_rolls[hz_rolls_by_weight[index]].weight_216;
}

/* Values the positions that stand for the rolls, equal ones once, in one batch. */
static hzi_verdict judge_probes(chance *c) {
    hzi_batch *batch = &c->seeker->batch;
    uint8_t row[HZ_ROLLS];
    if (!hzi_batch_reserve(batch, HZ_ROLLS)) {
        return HZI_NO_MEMORY;
    }
    batch->count = 0;
    for (int i = 0; i < HZ_ROLLS; i++) {
        const hzi_probe *probe = &c->probes[i];
        size_t known = 0;
        if (probe->decided) {
            continue;
        }
        while (known < batch->count &&
               !(batch->positions[known].key == probe->position.key &&
                 hz_position_same_board(&batch->positions[known], &probe->position))) {
            known++;
        }
        if (known == batch->count) {
            batch->positions[batch->count++] = probe->position;
        }
        row[i] = (uint8_t)known;
    }
    hzi_verdict verdict = batch->count > 0 ? hzi_judge_leaves(c->seeker) : HZI_EXACT;
    for (int i = 0; i < HZ_ROLLS && verdict == HZI_EXACT; i++) {
        if (!c->probes[i].decided) {
            c->probes[i].value = batch->scores[row[i]];
        }
    }
    return verdict;
}

/* Probes every roll and sums up. HZI_EXACT when the sums stand. */
static hzi_verdict probe_all(chance *c) {
    for (int i = 0; i < HZ_ROLLS; i++) {
        if (hzi_seeker_expired(c->seeker)) {
            return HZI_STOPPED;
        }
        if (c->ahead) {
            hzi_ahead_probe(c->ahead, c->seeker, c->node, c->candidate, i, &c->probes[i]);
        } else {
            hzi_probe_roll(c->seeker, c->node, i, &c->probes[i]);
        }
        if (c->probes[i].verdict != HZI_EXACT) {
            return c->probes[i].verdict;
        }
    }
    if (c->node->plies == 1) {
        hzi_verdict verdict = judge_probes(c);
        if (verdict != HZI_EXACT) {
            return verdict;
        }
    }
    c->rest[HZ_ROLLS] = 0;
    for (int i = HZ_ROLLS; i-- > 0;) {
        c->rest[i] = c->rest[i + 1] + weight_of(i) * c->probes[i].value;
    }
    c->probed = true;
    return HZI_EXACT;
}

/* ---- Star1 ---- */

static int64_t scale(const chance *c) {
    return c->node->plies == 2 ? HZ_ROLLS_ORDERED : 1;
}

/* The most the rolls from `index` on can bring; `left` is their weight. */
static int64_t upper_rest(const chance *c, int index, int left) {
    return c->probed && !c->node->max ? c->rest[index] : left * HZ_SCORE_TREE_WIN * scale(c);
}

static int64_t lower_rest(const chance *c, int index, int left) {
    return c->probed && c->node->max ? c->rest[index] : left * (int64_t)HZ_SCORE_LOSS * scale(c);
}

static bool below(const chance *c, int64_t bound) {
    return c->window.has_alpha && bound < c->window.alpha;
}

static bool above(const chance *c, int64_t bound) {
    return c->window.has_beta && bound > c->window.beta;
}

/* Quotients rounded down and up; C rounds towards zero. */
static int64_t floor_of(int64_t value, int64_t divisor) {
    int64_t quotient = value / divisor;
    return quotient * divisor > value ? quotient - 1 : quotient;
}

static int64_t ceiling_of(int64_t value, int64_t divisor) {
    return -floor_of(-value, divisor);
}

static int64_t clamp(const chance *c, int64_t value) {
    int64_t low = (int64_t)HZ_SCORE_LOSS * scale(c), high = HZ_SCORE_TREE_WIN * scale(c);
    return value < low ? low : value > high ? high : value;
}

/* The window in which roll `index` is to be valued. */
static hzi_window roll_window(const chance *c, int index) {
    int weight = weight_of(index), left = c->left - weight;
    hzi_window w = {.has_alpha = c->window.has_alpha, .has_beta = c->window.has_beta};
    if (w.has_alpha) {
        int64_t needed = c->window.alpha - c->acc - upper_rest(c, index + 1, left);
        w.alpha = clamp(c, ceiling_of(needed, weight));
    }
    if (w.has_beta) {
        int64_t allowed = c->window.beta - c->acc - lower_rest(c, index + 1, left);
        w.beta = clamp(c, floor_of(allowed, weight));
    }
    return w;
}

static hzi_outcome value_in(chance *c, int index, const hzi_window *window) {
    bool open = !window->has_alpha && !window->has_beta;
    if (c->ahead && (open || c->node->plies == 1)) {
        return hzi_ahead_value(c->ahead, c->seeker, c->node, c->candidate, index);
    }
    return hzi_value_roll(c->seeker, c->node, index, window, c->probed ? &c->probes[index] : NULL);
}

/* Values one roll and adds it. False when that ends the node: *end says how. */
static bool add_roll(chance *c, int index, hzi_outcome *end) {
    const hzi_window open = {0};
    int weight = weight_of(index), left = c->left - weight;
    hzi_window window = roll_window(c, index);
    hzi_outcome child = value_in(c, index, &window);
    end->value = c->acc + weight * child.value;
    if (child.verdict == HZI_UPPER && below(c, end->value + upper_rest(c, index + 1, left))) {
        end->value += upper_rest(c, index + 1, left);
        end->verdict = HZI_UPPER;
        return false;
    }
    if (child.verdict == HZI_LOWER && above(c, end->value + lower_rest(c, index + 1, left))) {
        end->value += lower_rest(c, index + 1, left);
        end->verdict = HZI_LOWER;
        return false;
    }
    if (child.verdict == HZI_UPPER || child.verdict == HZI_LOWER) {
        child = value_in(c, index, &open);
    }
    if (child.verdict != HZI_EXACT) {
        end->verdict = child.verdict;
        return false;
    }
    c->acc += weight * child.value;
    c->left = left;
    return true;
}

static hzi_outcome all_rolls(chance *c) {
    hzi_outcome end = {.tainted = !c->node->max && c->node->decided != 0};
    if (c->probed && (c->node->max ? above(c, c->rest[0]) : below(c, c->rest[0]))) {
        end.value = c->rest[0];
        end.verdict = c->node->max ? HZI_LOWER : HZI_UPPER;
        end.probed = true;
        return end;
    }
    hzi_ahead_begin(c->ahead, c->candidate);
    bool going = true;
    for (int i = 0; i < HZ_ROLLS && going; i++) {
        int64_t upper = c->acc + upper_rest(c, i, c->left);
        int64_t lower = c->acc + lower_rest(c, i, c->left);
        end.rolls = i;
        going = false;
        if (below(c, upper)) {
            end.value = upper;
            end.verdict = HZI_UPPER;
        } else if (above(c, lower)) {
            end.value = lower;
            end.verdict = HZI_LOWER;
        } else if (hzi_seeker_expired(c->seeker)) {
            end.verdict = HZI_STOPPED;
        } else {
            going = add_roll(c, i, &end);
        }
    }
    hzi_ahead_end(c->ahead);
    if (going) {
        end.value = c->acc;
        end.verdict = HZI_EXACT;
        end.rolls = HZ_ROLLS;
    }
    return end;
}

hzi_outcome hzi_chance(hzi_seeker *seeker, const hz_position *position, bool max, int plies,
                       const hzi_window *window, hzi_ahead *ahead, size_t candidate) {
    hzi_node node = {.position = *position, .max = max, .plies = plies};
    chance c = {.seeker = seeker,
                .node = &node,
                .window = *window,
                .ahead = ahead,
                .candidate = candidate,
                .left = HZ_ROLLS_ORDERED};
    hzi_outcome outcome = {.verdict = HZI_EXACT};
    if (from_table(&c, &outcome)) {
        return outcome;
    }
    seeker->counts.nodes++;
    hzi_node_open(&node);
    if (max ? window->has_beta : window->has_alpha) {
        outcome.verdict = probe_all(&c);
        if (outcome.verdict != HZI_EXACT) {
            return outcome;
        }
    }
    outcome = all_rolls(&c);
    to_table(&c, &outcome);
    return outcome;
}
