/* SPDX-License-Identifier: MIT */
/*
 * What the tests of expectimax share: a judge that records how it is asked and can be made to fail,
 * a clock that counts its readings and runs out at a chosen one, and one call from text to answer.
 */
#ifndef HAZARD_TEST_SEARCHING_H
#define HAZARD_TEST_SEARCHING_H

#include <hazard/search.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ref/ref_random.h"
#include "support/positions.h"

#define KING_AND_BISHOP "7k/8/8/b7/8/8/5P2/4K3 w - - 0 1 NBK"
#define GRAB "1r4k1/p4ppp/8/8/8/8/5PPP/R5K1 w - - 0 1 NNR"
#define WIDE "4k3/8/8/8/8/8/PPP5/4KN2 w - - 0 1 PNK"
#define WIN_AT_ONCE "k7/8/8/8/8/8/8/R3K3 w - - 0 1 PPR"
#define NO_TURN "4k3/8/8/8/8/8/8/4K3 w - - 0 1 PPP"
#define OPENING "r1bqk2r/pppp1ppp/2n2n2/4p3/2B1P3/2P2N2/PPPP1PPP/RNBQK2R w KQkq - 0 1 PNB"

/* ---- a judge that watches ---- */

typedef int32_t (*score_function)(const hz_position *position, hz_color color, int32_t number);

typedef enum failure { NO_FAILURE, FAILS, COMES_SHORT, COMES_LONG } failure;

enum { WATCHED_BATCHES = 4096 };

typedef struct watcher {
    score_function score; /* NULL = number */
    int32_t number;
    failure failure;
    size_t fails_at; /* number of the call that fails */
    bool check;      /* look at what the batches hold */
    hz_color mover;
    /* what was seen */
    size_t calls;
    size_t rows;
    uint64_t order; /* of all rows, folded */
    size_t sizes[WATCHED_BATCHES];
    bool empty, doubled, wrong_color, wrong_side, diced;
} watcher;

static void look_at_batch(watcher *w, const hz_position *positions, size_t n, hz_color color) {
    w->empty |= n == 0;
    w->wrong_color |= color != w->mover;
    for (size_t i = 0; i < n; i++) {
        w->wrong_side |= positions[i].side != w->mover;
        w->diced |= positions[i].pool != 0;
        for (size_t k = 0; k < i && n <= 300; k++) {
            w->doubled |= positions[i].key == positions[k].key &&
                          hz_position_same_board(&positions[i], &positions[k]);
        }
    }
}

static hz_status watch(void *state, const hz_position *positions, size_t n, hz_color color,
                       int32_t *scores, size_t *done, hz_error *err) {
    watcher *w = state;
    size_t call = w->calls++;
    if (call < WATCHED_BATCHES) {
        w->sizes[call] = n;
    }
    w->rows += n;
    for (size_t i = 0; i < n; i++) {
        w->order = hz_random_mix(w->order ^ positions[i].key);
    }
    if (w->check) {
        look_at_batch(w, positions, n, color);
    }
    for (size_t i = 0; i < n; i++) {
        scores[i] = w->score ? w->score(&positions[i], color, w->number) : w->number;
    }
    *done = n;
    if (w->failure != NO_FAILURE && call == w->fails_at) {
        /* What a broken batch wrote must not be used. */
        for (size_t i = 0; i < n; i++) {
            scores[i] = INT32_MAX - (int32_t)(i % 1000);
        }
        if (w->failure == FAILS) {
            return hz_fail(err, HZ_MODEL_RUN, HZ_NO_OFFSET, "made to fail");
        }
        *done = w->failure == COMES_SHORT ? n - 1 : n + 1;
    }
    return HZ_OK;
}

static inline hz_judge watching(watcher *w) {
    return (hz_judge){.state = w, .score_batch = watch};
}

static inline int32_t by_material(const hz_position *position, hz_color color, int32_t number) {
    return hz_evaluate_material(position, color) * (number ? number : 1);
}

static inline int32_t by_aggression(const hz_position *position, hz_color color, int32_t number) {
    (void)number;
    return hz_evaluate_aggressive(position, color);
}

/* -number..number, from the board alone. */
static inline int32_t by_hash(const hz_position *position, hz_color color, int32_t number) {
    hz_position bare = *position;
    hz_position_set_pool(&bare, 0);
    uint64_t hash = hz_random_mix(bare.key + (uint64_t)color);
    return (int32_t)(hash % (uint64_t)(2 * number + 1)) - number;
}

/* 1 when a king stands on the square. */
static inline int32_t by_king_square(const hz_position *position, hz_color color, int32_t number) {
    (void)color;
    return (int32_t)(position->pieces[HZ_KING] >> number & 1);
}

/* ---- a clock that counts ---- */

typedef struct counting_clock {
    size_t reads;
    size_t expires_at; /* number of the reading (from 0) that is late, and all after it */
} counting_clock;

static inline uint64_t read_counting_clock(void *state) {
    counting_clock *clock = state;
    return clock->reads++ >= clock->expires_at ? 1000 : 0;
}

static inline hz_deadline counting_deadline(counting_clock *clock, size_t expires_at) {
    *clock = (counting_clock){.expires_at = expires_at};
    return (hz_deadline){.at_ns = 1000, .now = read_counting_clock, .now_state = clock};
}

/* ---- one call ---- */

typedef struct asked {
    hz_expectimax_answer answer;
    hz_random random; /* afterwards */
    hz_arena arena;
    size_t records;       /* given to the sink */
    hz_root_stats record; /* the last one */
} asked;

static inline void take_record(void *context, const hz_root_stats *stats) {
    asked *a = context;
    a->records++;
    a->record = *stats;
}

/* Searches and gives the answer back in *a; free it with asked_fini. */
static inline void ask_with(const char *dfen, const hz_expectimax_config *config, uint64_t seed,
                            const hz_deadline *deadline, asked *a) {
    hz_position position = test_position(dfen);
    hz_expectimax_config own = *config;
    hz_expectimax *search = NULL;
    hz_error err;
    *a = (asked){.random = hz_random_from_seed(seed)};
    own.sink = take_record;
    own.sink_context = a;
    if (hz_expectimax_new(&own, &search, &err) != HZ_OK ||
        hz_expectimax_choose(search, &position, &a->random, deadline, &a->arena, &a->answer,
                             &err) != HZ_OK) {
        fail_msg("%s: %s", dfen, err.message);
    }
    hz_expectimax_free(search);
    test_same_number(dfen, "records", 1, a->records);
    assert_memory_equal(&a->record, &a->answer.stats, sizeof a->record);
    const char *broken = hz_root_stats_check(
        &a->record, config->table != NULL, config->collapse.score_batch != NULL, deadline != NULL);
    if (broken) {
        fail_msg("%s: broken rule: %s", dfen, broken);
    }
}

static inline void asked_fini(asked *a) {
    hz_arena_fini(&a->arena);
}

static inline hz_expectimax_config config_of(hz_judge leaf, int64_t limit, int depth) {
    hz_expectimax_config config = hz_expectimax_config_default();
    config.leaf = leaf;
    config.candidate_limit = limit;
    config.search_depth = depth;
    return config;
}

static inline const char *turn_of(const asked *a, char text[HZ_TURN_CAPACITY]) {
    hz_turn_to_text(&a->answer.turn, text);
    return text;
}

/* The same decision: turn, score, ties, position, what is left of the stream. */
static inline void same_decision(const char *where, const asked *expected, const asked *actual) {
    const hz_expectimax_answer *a = &expected->answer, *b = &actual->answer;
    test_same_number(where, "pass", a->pass, b->pass);
    test_same_number(where, "score", (uint64_t)a->score, (uint64_t)b->score);
    test_same_number(where, "ties", a->tie_count, b->tie_count);
    if (a->tie_count > 0) {
        assert_memory_equal(a->ties, b->ties, a->tie_count * sizeof *a->ties);
    }
    assert_memory_equal(&a->turn, &b->turn, sizeof a->turn);
    test_true(where, "the same position", test_same_position(&a->after, &b->after));
    test_same_number(where, "draws", expected->random.counter, actual->random.counter);
}

/* The same in every number there is. */
static inline void same_answer(const char *where, const asked *expected, const asked *actual) {
    const hz_expectimax_answer *a = &expected->answer, *b = &actual->answer;
    same_decision(where, expected, actual);
    test_same_number(where, "leaves", a->leaves, b->leaves);
    test_same_number(where, "batches", a->leaf_batches, b->leaf_batches);
    test_same_number(where, "nodes", a->nodes, b->nodes);
    test_same_number(where, "candidates", a->candidate_count, b->candidate_count);
    assert_memory_equal(&a->stats, &b->stats, sizeof a->stats);
    for (size_t i = 0; i < a->candidate_count; i++) {
        const hz_candidate *c = &a->candidates[i], *d = &b->candidates[i];
        test_true(where, "the same candidate",
                  c->result == d->result && c->fate == d->fate && c->sum == d->sum &&
                      c->final_value == d->final_value && c->loss_tainted == d->loss_tainted &&
                      c->pre_rank == d->pre_rank && c->rescore == d->rescore);
    }
}

/* Readings of the clock in a search that was not cut short: the test before searching, one before
 * each roll probed and summed, one after each candidate. */
static inline size_t expected_reads(const hz_root_stats *s, bool probes) {
    size_t rolls =
        HZ_ROLLS * (size_t)(s->candidates_completed + s->cutoffs) - (size_t)s->rolls_saved;
    size_t probed = probes && s->candidates_selected ? (size_t)s->candidates_selected - 1 : 0;
    return 1 + HZ_ROLLS * probed + rolls + (size_t)s->candidates_selected;
}

/* Candidates of random positions that are quick to search. */
static inline void quick_position(ref_random *random, char dfen[REF_DFEN_CAPACITY]) {
    static const ref_style styles[] = {REF_SPARSE,     REF_KINGLESS,  REF_MANY_KINGS, REF_CASTLING,
                                       REF_EN_PASSANT, REF_PROMOTION, REF_NONSENSE};
    if (ref_random_chance(random, 50)) {
        ref_random_played(random, REF_ROLLED, dfen);
    } else {
        ref_random_placed(random, styles[ref_random_below(random, sizeof styles / sizeof *styles)],
                          dfen);
    }
}

#endif
