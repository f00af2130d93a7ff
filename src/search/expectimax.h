/* SPDX-License-Identifier: MIT */
/*
 * What the files of expectimax share: the state of a search, the means of one thread, and what a
 * chance node answers.
 *
 * Vocabulary: a candidate is a result of the mover's roll that is searched. A chance node is a
 * position before a roll; the side to move there wants the least for the mover (MIN, the opponent)
 * or the most (MAX, the mover again). `plies` is the number of rolls from the node down to the
 * leaves, 1 or 2; a node's value is the exact sum over 216 rolls a ply, in unit 1/216^plies. The
 * value of one roll of it is in unit 1/216^(plies - 1).
 */
#ifndef HAZARD_SEARCH_EXPECTIMAX_H
#define HAZARD_SEARCH_EXPECTIMAX_H

#include <hazard/search.h>

/* ---- what a node answers ----------------------------------------------------------------------- */

typedef enum hzi_verdict {
    HZI_EXACT,
    HZI_UPPER,    /* the value is at most this */
    HZI_LOWER,    /* at least this */
    HZI_STOPPED,  /* the clock or a cancel flag; no value */
    HZI_REJECTED, /* the leaf judge broke its contract; no value */
    HZI_NO_MEMORY /* no value */
} hzi_verdict;

typedef struct hzi_outcome {
    int64_t value;
    hzi_verdict verdict;
    bool tainted;    /* the opponent's next roll can lose the mover's king */
    bool from_table; /* answered by the table */
    bool probed;     /* cut by the sum of its probes */
    int rolls;       /* rolls that were done */
} hzi_outcome;

static inline bool hzi_has_value(const hzi_outcome *outcome) {
    return outcome->verdict <= HZI_LOWER;
}

/* What is of interest, both ends included. An open side is a flag, never a number. */
typedef struct hzi_window {
    bool has_alpha, has_beta;
    int64_t alpha, beta;
} hzi_window;

/* ---- the means of one thread ------------------------------------------------------------------- */

typedef struct hzi_counts {
    uint64_t leaves, leaf_batches, nodes;
} hzi_counts;

/* Positions to be judged in one call. */
typedef struct hzi_batch {
    hz_position *positions;
    int32_t *scores;
    size_t count, capacity;
} hzi_batch;

typedef struct hzi_seeker {
    const hz_expectimax_config *config;
    hz_judge leaf;
    hz_color mover;
    const hz_deadline *deadline;
    const hz_cancel *stop; /* raised when the answer is known; NULL in the calling thread */
    hz_table *table;       /* NULL = none */
    hz_arena lists[2];     /* results of one roll, by plies - 1 */
    hzi_batch batch;
    hzi_counts counts;
} hzi_seeker;

void hzi_seeker_fini(hzi_seeker *seeker);
/* The yield point: cancelled, or out of time. */
bool hzi_seeker_expired(const hzi_seeker *seeker);

/* ---- leaves (leaves.c) ------------------------------------------------------------------------- */

/* Makes room for `count` positions. False without memory. */
bool hzi_batch_reserve(hzi_batch *batch, size_t count);
/* Calls a judge once. False when it reports an error or another number of rows. */
bool hzi_judge_all(const hz_judge *judge, const hz_position *positions, size_t count,
                   hz_color color, int32_t *scores);
/* Judges the batch as leaves: HZI_EXACT, or HZI_REJECTED. */
hzi_verdict hzi_judge_leaves(hzi_seeker *seeker);

/* ---- one roll of a chance node (roll.c) ---------------------------------------------------------- */

typedef struct hzi_node {
    hz_position position; /* without dice */
    bool max;             /* the mover is to roll */
    int plies;            /* 1 or 2 */
    uint64_t decided;     /* rolls (bits of hz_rolls) with which a king is taken */
} hzi_node;

/* Finds what the node's position decides. */
void hzi_node_open(hzi_node *node);
/* What a roll that takes a king counts, in unit 1/216^(plies - 1). */
int64_t hzi_decided_value(const hzi_node *node);

/* The reply that is materially best for who rolls. */
typedef struct hzi_probe {
    hzi_verdict verdict; /* HZI_EXACT unless nothing came of it */
    bool decided;        /* a king is taken: no position */
    hz_position position;
    int64_t value; /* plies 2, or decided: exact value of the roll's probe */
} hzi_probe;

/* index: of the roll in search order. */
void hzi_probe_roll(hzi_seeker *seeker, const hzi_node *node, int index, hzi_probe *probe);
/* probe: what hzi_probe_roll said of this roll, NULL when it was not asked. */
hzi_outcome hzi_value_roll(hzi_seeker *seeker, const hzi_node *node, int index,
                           const hzi_window *window, const hzi_probe *probe);

/* ---- chance nodes (chance.c) --------------------------------------------------------------------- */

struct hzi_ahead;

/* Values a node. ahead: where rolls may have been valued in advance, as those of `candidate`; NULL
 * inside the tree. */
hzi_outcome hzi_chance(hzi_seeker *seeker, const hz_position *position, bool max, int plies,
                       const hzi_window *window, struct hzi_ahead *ahead, size_t candidate);

/* ---- the root ------------------------------------------------------------------------------------ */

struct hz_expectimax {
    hz_expectimax_config config;
    bool rescores; /* a rescorer of weight > 0 */
    hz_thread_pool *pool;
    unsigned threads;
    hzi_seeker *seekers; /* one a thread */
    hz_arena ahead;
};

/* One call of hz_expectimax_choose. */
typedef struct hzi_root {
    hz_expectimax *search;
    const hz_position *position;
    const hz_deadline *deadline;
    hz_arena *arena;
    hz_color mover;
    hz_result_list list;
    hz_candidate *candidates; /* kept ones, in pre-rank order */
    size_t count;
    hz_position *after; /* their after-turn positions */
    bool rescored;      /* the rescorer ran and counts */
    double weight;      /* of it, 0 when it does not count */
    hz_root_stats stats;
    hzi_counts counts;
    int64_t denominator;
    bool no_memory;
    bool ranked; /* some candidate has a final value; the best ones are: */
    int64_t best_sum;
    double best;
} hzi_root;

/* Orders the list and keeps candidates (prerank.c). False without memory. */
bool hzi_prerank(hzi_root *root);
/* Values all candidates by one batch (collapse.c). False without memory. */
bool hzi_collapse(hzi_root *root);
/* Searches the candidates (candidates.c). False without memory. */
bool hzi_search_candidates(hzi_root *root);
/* Gives a candidate its final value and ranks it (expectimax.c). */
void hzi_rank(hzi_root *root, hz_candidate *candidate, hz_candidate_fate fate, int64_t sum,
              bool tainted);

#endif
