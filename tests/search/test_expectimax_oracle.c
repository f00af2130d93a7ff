/* SPDX-License-Identifier: MIT */
/*
 * Expectimax against the slow oracle on random positions: the same candidates, exact sums, values,
 * ties and scores, however the search prunes, remembers, batches and shares its work. Candidates
 * that were cut must be worse than the best, and their bounds true.
 */
#include <hazard/search.h>

#include <stdio.h>
#include <string.h>

#include "ref/ref_expectimax.h"
#include "ref/ref_random.h"
#include "support/judges.h"
#include "support/turns.h"

/* ---- questions ---- */

enum { SEED = 5 };

typedef struct question {
    char dfen[REF_DFEN_CAPACITY];
    test_judge leaf, pre_rank, rescore, collapse;
    const char *leaf_name;
    bool has_pre_rank, collapses;
    ref_expectimax_question slow;
} question;

static const char *one_of(ref_random *random, const char *const *list, unsigned count) {
    return list[ref_random_below(random, count)];
}

/* Pieces and dice of which a roll has few lines. */
static void small_position(ref_random *random, char dfen[REF_DFEN_CAPACITY]) {
    ref_position position;
    memset(&position, 0, sizeof position);
    memset(position.board, '.', sizeof position.board);
    position.side = ref_random_chance(random, 50) ? 'w' : 'b';
    position.fullmove = 1;
    char pieces[5] = "Kk";
    for (unsigned i = 0, n = ref_random_below(random, 3); i < n; i++) {
        pieces[2 + i] = "PNBRpnbrPp"[ref_random_below(random, 10)];
        pieces[3 + i] = '\0';
    }
    for (const char *piece = pieces; *piece;) {
        unsigned square = ref_random_below(random, 64);
        if (position.board[square] == '.') {
            position.board[square] = *piece++;
        }
    }
    ref_to_dfen(&position, dfen);
}

static void random_pool(ref_random *random, char dfen[REF_DFEN_CAPACITY], unsigned most) {
    char pool[4] = "";
    unsigned dice = ref_random_chance(random, 80) ? most : 1 + ref_random_below(random, most);
    for (unsigned i = 0; i < dice; i++) {
        pool[i] = REF_FACES[ref_random_below(random, 6)];
        pool[i + 1] = '\0';
    }
    ref_random_set_pool(dfen, pool);
}

static const char *const leaves[] = {"material",    "aggressive", "hash:10000:1", "hash:1:100",
                                     "hash:3:3000", "hash:20:1",  "zero",         "const:-77"};
/* Within the range that depth 3 asks for. */
static const char *const tame_leaves[] = {"material",    "hash:10000:1", "hash:1:100",
                                          "hash:3:3000", "zero",         "const:10000"};
static const char *const others[] = {"material", "hash:5:100", "hash:10000:1", "hash:1:2147483647",
                                     "zero"};

static void random_question(ref_random *random, int depth, question *q) {
    *q = (question){.dfen = ""};
    if (depth == 3) {
        small_position(random, q->dfen);
        random_pool(random, q->dfen, 2);
    } else {
        static const ref_style styles[] = {REF_SPARSE,     REF_SPARSE,     REF_SPARSE,
                                           REF_CASTLING,   REF_EN_PASSANT, REF_PROMOTION,
                                           REF_MANY_KINGS, REF_KINGLESS,   REF_NONSENSE};
        if (ref_random_chance(random, 15)) {
            ref_random_played(random, REF_BEFORE_ROLL, q->dfen);
        } else {
            ref_random_placed(random, styles[ref_random_below(random, 9)], q->dfen);
        }
        random_pool(random, q->dfen, 3);
    }
    q->leaf_name = depth == 3 ? one_of(random, tame_leaves, 6) : one_of(random, leaves, 8);
    q->leaf = test_judge_of(q->leaf_name);
    q->pre_rank = test_judge_of(one_of(random, others, 5));
    q->has_pre_rank = ref_random_chance(random, 40);
    q->rescore = test_judge_of(one_of(random, others, 5));
    q->collapse = test_judge_of(one_of(random, others, 5));
    static const double weights[] = {0, 0, 0.3, 0.3, 0.9999999, 1};
    q->slow = (ref_expectimax_question){.dfen = q->dfen,
                                        .limit = depth == 3 ? 1 + ref_random_below(random, 4)
                                                            : 1 + ref_random_below(random, 20),
                                        .depth = depth,
                                        .leaf = test_judge_slow(&q->leaf),
                                        .rescore = test_judge_slow(&q->rescore),
                                        .weight = weights[ref_random_below(random, 6)]};
    if (q->has_pre_rank) {
        q->slow.pre_rank = test_judge_slow(&q->pre_rank);
    }
}

/* ---- asking the library ---- */

typedef struct way {
    const char *name;
    bool no_pruning, exact_only;
    unsigned threads;
    int64_t chunk;
    hz_table *table;
} way;

/* A judge that scores a batch in pieces, the last piece first: no row may depend on the others. */
static hz_status score_in_pieces(void *state, const hz_position *positions, size_t n,
                                 hz_color color, int32_t *scores, size_t *done, hz_error *err) {
    (void)err;
    for (size_t i = n; i-- > 0;) {
        scores[i] = test_judge_score(state, &positions[i], color);
    }
    *done = n;
    return HZ_OK;
}

static hz_expectimax_config config_of(question *q, const way *w) {
    hz_expectimax_config c = hz_expectimax_config_default();
    c.candidate_limit = (int64_t)q->slow.limit;
    c.search_depth = q->slow.depth;
    c.exact_only = w->exact_only;
    c.no_pruning = w->no_pruning;
    c.threads = w->threads ? w->threads : 1;
    c.chunk_size = w->chunk ? w->chunk : 256;
    c.table = w->table;
    c.leaf = test_judge_seam(&q->leaf);
    if (w->chunk) {
        c.leaf.score_batch = score_in_pieces;
    }
    if (q->has_pre_rank) {
        c.pre_rank = test_judge_seam(&q->pre_rank);
    }
    if (q->slow.weight > 0) {
        c.rescore = test_judge_seam(&q->rescore);
        c.rescore_weight = q->slow.weight;
    }
    if (q->collapses) {
        c.collapse = test_judge_seam(&q->collapse);
        c.loss_guard = q->slow.loss_guard;
    }
    return c;
}

typedef struct reply {
    hz_arena arena;
    hz_position position;
    hz_result_list list;
    hz_expectimax_answer answer;
    uint64_t draws;
} reply;

static void ask(const char *where, question *q, const way *w, const hz_deadline *deadline,
                reply *r) {
    hz_expectimax_config config = config_of(q, w);
    hz_expectimax *search;
    hz_error err;
    hz_arena_init(&r->arena, 0);
    r->position = test_position(q->dfen);
    hz_random random = hz_random_from_seed(SEED);
    if (hz_expectimax_new(&config, &search, &err) != HZ_OK ||
        hz_expectimax_choose(search, &r->position, &random, deadline, &r->arena, &r->answer,
                             &err) != HZ_OK) {
        fail_msg("%s: %s", where, err.message);
    }
    r->draws = random.counter;
    assert_int_equal(hz_results_list(&r->position, NULL, &r->arena, &r->list, NULL), HZ_OK);
    const char *broken = hz_root_stats_check(&r->answer.stats, w->table != NULL,
                                             config.collapse.score_batch != NULL, deadline != NULL);
    if (broken) {
        fail_msg("%s: statistics: %s", where, broken);
    }
    hz_expectimax_free(search);
}

/* ---- comparing ---- */

static bool same_double(double a, double b) {
    return !(a < b) && !(a > b);
}

static void same_ties(const char *where, const ref_expectimax_answer *slow,
                      const hz_expectimax_answer *fast) {
    test_text expected = {0}, actual = {0};
    char text[HZ_TURN_CAPACITY];
    for (size_t i = 0; i < slow->ties; i++) {
        test_text_word(&expected, slow->tie[i]);
    }
    for (size_t i = 0; i < fast->tie_count; i++) {
        test_text_word(&actual, test_turn(&fast->ties[i], text));
    }
    test_same_text(where, "ties", test_text_get(&expected), test_text_get(&actual));
    test_text_free(&expected);
    test_text_free(&actual);
    hz_random random = hz_random_from_seed(SEED);
    uint32_t pick = slow->ties ? hz_random_pick(&random, (uint32_t)slow->ties) : 0;
    if (slow->ties) {
        test_same_text(where, "turn", slow->tie[pick], test_turn(&fast->turn, text));
    }
}

/* Whether a candidate has its whole value. */
static bool is_ranked(const hz_candidate *c) {
    return c->fate == HZ_CANDIDATE_COMPLETE || c->fate == HZ_CANDIDATE_FROM_TABLE ||
           c->fate == HZ_CANDIDATE_COLLAPSED;
}

static void same_candidate(const char *where, const ref_expectimax_question *q,
                           const ref_candidate *slow, const hz_candidate *fast, double best) {
    test_same_number(where, "result of a candidate", slow->index, fast->result);
    test_same_number(where, "pre-rank", (int64_t)slow->pre_rank, (int64_t)fast->pre_rank);
    if (is_ranked(fast)) {
        test_same_number(where, "sum", slow->sum, fast->sum);
        test_same_number(where, "loss taint", slow->tainted, fast->loss_tainted);
        test_true(where, "final value", same_double(slow->value, fast->final_value));
        if (q->weight > 0) {
            test_same_number(where, "rescore", (int64_t)slow->rescore, (int64_t)fast->rescore);
        }
    } else if (fast->fate == HZ_CANDIDATE_PRUNED) {
        test_true(where, "what was cut is worse than the best", slow->value < best);
        test_true(where, "the bound is true", fast->sum >= slow->sum);
    }
}

static void same_answer(const char *where, const question *q, const ref_expectimax_answer *slow,
                        const reply *r) {
    const hz_expectimax_answer *fast = &r->answer;
    test_same_number(where, "pass", slow->pass, fast->pass);
    test_same_number(where, "results", slow->results, fast->results);
    test_same_number(where, "results counted", slow->results, fast->stats.legal_results);
    if (fast->stats.has_legal_sequences) {
        test_same_number(where, "sequences", slow->sequences, fast->stats.legal_sequences);
    }
    if (slow->pass) {
        return;
    }
    same_ties(where, slow, fast);
    test_same_number(where, "score", (int64_t)slow->score, (int64_t)fast->score);
    test_same_number(where, "selected", slow->selected, fast->stats.candidates_selected);
    test_same_number(where, "candidates", slow->selected, fast->candidate_count);
    if (slow->selected > 0) {
        test_same_number(where, "unit", slow->denominator, fast->denominator);
    }
    for (size_t i = 0; i < slow->selected; i++) {
        const hz_candidate *c = &fast->candidates[i];
        same_candidate(where, &q->slow, &slow->candidates[i], c, slow->value);
        test_true(where, "nothing waits", is_ranked(c) || c->fate == HZ_CANDIDATE_PRUNED);
    }
    test_same_number(where, "draws", slow->ties > 1, r->draws);
}

/* ---- ways of searching ---- */

typedef struct tally {
    size_t compared, skipped, wins, passes, tainted, cut, probed, table_hits, table_cutoffs,
        several_ties;
} tally;

static void note(tally *t, const ref_expectimax_answer *slow, const hz_root_stats *stats) {
    t->cut += stats->cutoffs > stats->probe_cutoffs;
    t->probed += stats->probe_cutoffs > 0;
    t->table_hits += stats->tt_hits > 0;
    t->table_cutoffs += stats->tt_cutoffs > 0;
    t->several_ties += slow->ties > 1;
}

static void compare_way(question *q, const way *w, const ref_expectimax_answer *slow, tally *t,
                        hz_root_stats *stats) {
    char where[REF_DFEN_CAPACITY + 100];
    snprintf(where, sizeof where, "%s, %s, limit %zu, weight %g: %s", q->dfen, q->leaf_name,
             q->slow.limit, q->slow.weight, w->name);
    reply r = {0};
    ask(where, q, w, NULL, &r);
    same_answer(where, q, slow, &r);
    if (w->no_pruning && !w->table) {
        test_same_number(where, "all are complete", slow->selected,
                         r.answer.stats.candidates_completed);
    }
    if (w->exact_only) {
        test_same_number(where, "no bound from the table", 0, r.answer.stats.tt_cutoffs);
    }
    note(t, slow, &r.answer.stats);
    *stats = r.answer.stats;
    hz_arena_fini(&r.arena);
}

static hz_table *table_of(size_t capacity) {
    hz_table *table;
    assert_int_equal(hz_table_new(capacity, &table, NULL), HZ_OK);
    return table;
}

static void compare_ways(question *q, const ref_expectimax_answer *slow, unsigned round, tally *t) {
    hz_root_stats one, other;
    hz_table *small = table_of(round % 2 ? 4 : 1), *large = table_of(1 << 12);
    hz_table *exact = table_of(1 << 10);
    const way plain = {.name = "plain"};
    compare_way(q, &plain, slow, t, &one);
    const way threads = {.name = "threads", .threads = 2 + round % 3};
    compare_way(q, &threads, slow, t, &other);
    assert_memory_equal(&one, &other, sizeof one);
    const way ways[] = {
        {.name = "no pruning", .no_pruning = true},
        {.name = "no pruning, threads", .no_pruning = true, .threads = 4},
        {.name = "small chunks", .chunk = 1 + round % 7},
        {.name = "small table", .table = small},
        {.name = "large table", .table = large},
        {.name = "large table again", .table = large},
        {.name = "large table, threads", .table = large, .threads = 1 + round % 4},
        {.name = "exact entries of a table with bounds", .table = large, .exact_only = true},
        {.name = "exact entries only", .table = exact, .exact_only = true},
        {.name = "exact entries only again", .table = exact, .exact_only = true},
        {.name = "exact entries, no pruning", .table = exact, .no_pruning = true},
        {.name = "small table, threads", .table = small, .threads = 3},
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        compare_way(q, &ways[i], slow, t, &other);
    }
    hz_table_free(small);
    hz_table_free(large);
    hz_table_free(exact);
}

static void run(int depth, size_t count, size_t most_lines, tally *t) {
    ref_random random = ref_random_from_seed(test_seed());
    for (unsigned round = 0; t->compared < count; round++) {
        question q;
        ref_expectimax_answer slow;
        random_question(&random, depth, &q);
        if (!ref_expectimax(&q.slow, most_lines, &slow)) {
            t->skipped++;
            continue;
        }
        bool decided = slow.selected == 0; /* a pass or a win: soon compared often enough */
        if (decided && t->wins + t->passes > t->compared / 8) {
            ref_expectimax_free(&slow);
            continue;
        }
        compare_ways(&q, &slow, round, t);
        t->compared++;
        t->wins += decided && !slow.pass;
        t->passes += slow.pass;
        for (size_t i = 0; i < slow.selected; i++) {
            t->tainted += slow.candidates[i].tainted;
        }
        ref_expectimax_free(&slow);
    }
    printf(
        "# depth %d: %zu positions, %zu had too many lines, %zu wins; searches with cuts %zu, by "
        "probes %zu, by the table %zu, answers of the table %zu, several ties %zu\n",
        depth, t->compared, t->skipped, t->wins, t->cut, t->probed, t->table_cutoffs, t->table_hits,
        t->several_ties);
}

static void depth_two_is_the_oracle_whatever_the_way(void **state) {
    (void)state;
    tally t = {0};
    run(2, test_effort(200), 1500, &t);
    test_met(t.tainted > 0 && t.cut > 0 && t.probed > 0 && t.wins > 0);
    test_met(t.table_hits > 0 && t.table_cutoffs > 0 && t.several_ties > 0);
}

static void depth_three_is_the_oracle_whatever_the_way(void **state) {
    (void)state;
    tally t = {0};
    run(3, test_effort(30), 300, &t);
    test_met(t.table_hits > 0);
}

/* One table for many questions, as a player keeps it through a game: both sides ask, at both depths,
 * with other candidates kept each time, about a few placements that come again and again. */
static void table_that_lives_on_changes_no_answer(void **state) {
    (void)state;
    static const char *const names[] = {"zero", "hash:1:100", "hash:3:3000"};
    static const char *const few[] = {
        "4k3/8/8/3r4/8/8/4P3/R3K3 w Q - 0 1", "4k3/8/2n5/8/8/8/4P3/R3K3 b Q - 0 1",
        "3r4/k7/8/8/8/8/8/4K3 w - - 0 1", "8/k7/8/8/3n4/8/8/4K3 w - - 0 1"};
    /* Two kings in their corners, who can leave and come back: what is the opponent's move in one
     * question is the mover's own one in another. */
    static const char *const tiny[] = {"7k/7p/7P/8/8/p7/P7/K7 w - - 0 1",
                                       "7k/7p/7P/8/8/p7/P7/K7 b - - 0 1"};
    static const char *const pools[] = {"K", "K", "KK", "PK", "NK", "KR"};
    ref_random random = ref_random_from_seed(test_seed() + 1);
    hz_table *tables[3][2];
    tally t = {0};
    for (size_t i = 0; i < 3; i++) {
        tables[i][0] = table_of(1 << 14);
        tables[i][1] = table_of(8);
    }
    for (size_t n = test_effort(200); n > 0;) {
        question q;
        ref_expectimax_answer slow;
        unsigned leaf = ref_random_below(&random, 3);
        bool deep = ref_random_chance(&random, 20);
        random_question(&random, deep ? 3 : 2, &q);
        q.leaf_name = names[leaf]; /* a table belongs to one evaluator */
        q.leaf = test_judge_of(names[leaf]);
        bool on_tiny = deep || ref_random_chance(&random, 30);
        test_copy(q.dfen, sizeof q.dfen,
                  on_tiny ? one_of(&random, tiny, 2) : one_of(&random, few, 4));
        ref_random_set_pool(q.dfen, one_of(&random, pools, 6));
        q.slow.limit = 1 + ref_random_below(&random, 5);
        q.slow.weight = ref_random_chance(&random, 80) ? 0 : q.slow.weight;
        /* Another order each time. */
        q.has_pre_rank = true;
        q.pre_rank = test_judge_of("hash:1:1");
        q.pre_rank.number[0] = 1 + (int32_t)ref_random_below(&random, 1000);
        q.slow.pre_rank = test_judge_slow(&q.pre_rank);
        if (!ref_expectimax(&q.slow, 4000, &slow)) {
            continue;
        }
        for (size_t i = 0; i < 2 && slow.selected > 0; i++) {
            hz_root_stats stats;
            const way w = {.name = "a table that lives on",
                           .table = tables[leaf][i],
                           .exact_only = ref_random_chance(&random, 20),
                           .threads = 1 + ref_random_below(&random, 2)};
            compare_way(&q, &w, &slow, &t, &stats);
        }
        n -= slow.selected > 0;
        ref_expectimax_free(&slow);
    }
    test_met(t.table_hits > 0 && t.table_cutoffs > 0 && t.several_ties > 0);
    for (size_t i = 0; i < 6; i++) {
        hz_table_free(tables[i / 2][i % 2]);
    }
}

/* d1 and d2 lose on the same rolls; first they are cut below e2, then they are all there is. The
 * bounds in the table are then exactly the value to beat, which must not cut a tie. */
static void bound_equal_to_the_best_keeps_the_tie(void **state) {
    (void)state;
    hz_table *table = table_of(1 << 10);
    question q = {.dfen = "3r4/k7/8/8/8/8/8/4K3 w - - 0 1 K", .leaf_name = "zero"};
    q.leaf = test_judge_of("zero");
    q.has_pre_rank = true;
    q.slow = (ref_expectimax_question){.dfen = q.dfen,
                                       .limit = 8,
                                       .depth = 2,
                                       .leaf = test_judge_slow(&q.leaf),
                                       .pre_rank = test_judge_slow(&q.pre_rank)};
    static const char *const orders[] = {"kingmap:e2=3,d1=2,d2=1", "kingmap:d1=2,d2=1"};
    for (size_t i = 0; i < 2; i++) {
        const way w = {.name = orders[i], .table = table};
        ref_expectimax_answer slow;
        hz_root_stats stats;
        tally t = {0};
        q.pre_rank = test_judge_of(orders[i]);
        q.slow.limit = i ? 2 : 8;
        assert_true(ref_expectimax(&q.slow, 10000, &slow));
        compare_way(&q, &w, &slow, &t, &stats);
        if (i == 0) {
            assert_true(stats.probe_cutoffs >= 2);
        } else {
            assert_int_equal(slow.ties, 2);
            assert_int_equal(stats.candidates_completed, 2);
        }
        ref_expectimax_free(&slow);
    }
    hz_table_free(table);
}

static void collapse_is_the_oracle(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed() + 2);
    tally t = {0};
    for (size_t n = test_effort(150); n > 0;) {
        question q;
        ref_expectimax_answer slow;
        hz_root_stats stats;
        random_question(&random, ref_random_chance(&random, 50) ? 2 : 3, &q);
        q.collapses = true;
        q.slow.collapse = test_judge_slow(&q.collapse);
        q.slow.loss_guard = ref_random_chance(&random, 50);
        if (!ref_expectimax(&q.slow, 2000, &slow)) {
            continue;
        }
        const way ways[] = {{.name = "collapse"}, {.name = "collapse, threads", .threads = 3}};
        for (size_t i = 0; i < 2; i++) {
            compare_way(&q, &ways[i], &slow, &t, &stats);
            assert_int_equal(stats.candidates_collapsed, slow.selected);
        }
        for (size_t i = 0; i < slow.selected; i++) {
            t.tainted += slow.candidates[i].tainted;
        }
        ref_expectimax_free(&slow);
        n--;
    }
    test_met(t.tainted > 0 && t.several_ties > 0);
}

/* ---- a clock that stops the search anywhere ---- */

typedef struct ticking {
    uint64_t reads;
} ticking;

static uint64_t tick(void *state) {
    return ((ticking *)state)->reads++;
}

/* The best of what was ranked, or the pre-ranker's first. */
static void check_stopped(const char *where, const question *q, const ref_expectimax_answer *slow,
                          const reply *r) {
    const hz_expectimax_answer *fast = &r->answer;
    double best = 0;
    bool any = false;
    for (size_t i = 0; i < fast->candidate_count; i++) {
        const hz_candidate *c = &fast->candidates[i];
        if (is_ranked(c) && (!any || c->final_value > best)) {
            best = c->final_value;
            any = true;
        }
    }
    size_t ties = 0;
    for (size_t i = 0; i < fast->candidate_count; i++) {
        const hz_candidate *c = &fast->candidates[i];
        same_candidate(where, &q->slow, &slow->candidates[i], c, any ? best : slow->value);
        ties += is_ranked(c) && !(c->final_value < best);
    }
    test_true(where, "the turn is legal", hz_turn_is_legal(&r->position, &fast->turn));
    if (any) {
        test_same_number(where, "ties", ties, fast->tie_count);
    } else {
        char text[HZ_TURN_CAPACITY];
        test_true(where, "fell back", hz_root_stats_fell_back(&fast->stats));
        test_same_text(where, "turn", slow->candidates[0].turn, test_turn(&fast->turn, text));
        test_same_number(where, "score", (int64_t)slow->candidates[0].pre_rank,
                         (int64_t)fast->score);
        test_same_number(where, "draws", 0, r->draws);
    }
}

static void clock_may_stop_a_search_anywhere(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed() + 3);
    size_t fell_back = 0, truncated = 0, whole = 0;
    for (size_t n = test_effort(60); n > 0;) {
        question q;
        ref_expectimax_answer slow;
        random_question(&random, 2, &q);
        if (!ref_expectimax(&q.slow, 400, &slow)) {
            continue;
        }
        n--;
        for (int i = 0; i < 8 && slow.selected > 0; i++) {
            ticking clock = {0};
            static const unsigned spans[] = {4, 60, 150, 1500};
            hz_deadline deadline = {
                .at_ns = ref_random_below(&random, spans[i % 4]), .now = tick, .now_state = &clock};
            char where[REF_DFEN_CAPACITY + 60];
            snprintf(where, sizeof where, "%s, stopped after %llu looks", q.dfen,
                     (unsigned long long)deadline.at_ns);
            const way w = {.name = "stopped", .table = i % 2 ? table_of(64) : NULL};
            reply r = {0};
            ask(where, &q, &w, &deadline, &r);
            check_stopped(where, &q, &slow, &r);
            fell_back += hz_root_stats_fell_back(&r.answer.stats);
            truncated += hz_root_stats_deadline_truncated(&r.answer.stats);
            whole += !hz_root_stats_deadline_truncated(&r.answer.stats);
            /* What an unfinished search left in the table is as good as anything else. */
            if (w.table) {
                hz_root_stats stats;
                tally t = {0};
                compare_way(&q, &w, &slow, &t, &stats);
            }
            hz_table_free(w.table);
            hz_arena_fini(&r.arena);
        }
        ref_expectimax_free(&slow);
    }
    test_met(fell_back > 0 && truncated > fell_back && whole > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depth_two_is_the_oracle_whatever_the_way),
        cmocka_unit_test(depth_three_is_the_oracle_whatever_the_way),
        cmocka_unit_test(table_that_lives_on_changes_no_answer),
        cmocka_unit_test(bound_equal_to_the_best_keeps_the_tie),
        cmocka_unit_test(collapse_is_the_oracle),
        cmocka_unit_test(clock_may_stop_a_search_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
