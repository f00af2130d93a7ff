/* SPDX-License-Identifier: MIT */
/*
 * Expectimax on positions whose answer is known: ties, exact sums, scores, every counter, what the
 * hooks are asked, and what a search may be compared with. Every case runs for each of its seeds,
 * in one thread and in three; the slow oracle must know the same ties, sums and scores.
 */
#include <hazard/search.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ref/ref_expectimax.h"
#include "support/judges.h"
#include "support/turns.h"

/* ---- a case ---- */

enum { MOST_SEEDS = 40, MOST_WORDS = 40, MOST_TIES = 64, WORD = 120 };

typedef struct word {
    char name[WORD], value[WORD];
} word;

typedef struct words {
    size_t count;
    word word[MOST_WORDS];
} words;

static words words_of(const char *text) {
    words list = {0};
    while (*text) {
        size_t length = strcspn(text, " "), name = strcspn(text, "=");
        assert_true(list.count < MOST_WORDS && name < length && length < 2 * WORD);
        word *w = &list.word[list.count++];
        assert_true(name < WORD && length - name - 1 < WORD);
        memcpy(w->name, text, name);
        memcpy(w->value, text + name + 1, length - name - 1);
        text += length + (text[length] == ' ');
    }
    return list;
}

static const char *value_of(const words *list, const char *name) {
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->word[i].name, name) == 0) {
            return list->word[i].value;
        }
    }
    return NULL;
}

/* How to ask; judges by name, NULL = not there. */
typedef struct setup {
    const char *position;
    const char *leaf, *pre_rank, *rescore, *collapse;
    double weight;
    int64_t limit;
    int depth;
    bool exact_only, guard, record;
    size_t capacity; /* of the table, 0 = none */
    uint64_t deadline_ms;
    bool timed;
    unsigned threads;
    const hz_position *only; /* the pre-ranker wants this one first */
} setup;

static setup setup_of(const char *const *field, const words *settings) {
    setup s = {.position = field[1], .leaf = field[2], .threads = 1, .record = true};
    for (size_t i = 0; i < settings->count; i++) {
        const char *name = settings->word[i].name, *value = settings->word[i].value;
        if (strcmp(name, "limit") == 0) {
            s.limit = strtoll(value, NULL, 10);
        } else if (strcmp(name, "depth") == 0) {
            s.depth = (int)test_number(value);
        } else if (strcmp(name, "exact-only") == 0) {
            s.exact_only = true;
        } else if (strcmp(name, "pre-rank") == 0) {
            s.pre_rank = value;
        } else if (strcmp(name, "rescore") == 0) {
            s.rescore = value;
        } else if (strcmp(name, "weight") == 0) {
            s.weight = strtod(value, NULL);
        } else if (strcmp(name, "collapse") == 0) {
            s.collapse = value;
        } else if (strcmp(name, "guard") == 0) {
            s.guard = true;
        } else if (strcmp(name, "table") == 0) {
            s.capacity = (size_t)test_number(value);
        } else if (strcmp(name, "deadline") == 0) {
            s.timed = true;
            s.deadline_ms = strcmp(value, "past") == 0 ? 0 : test_number(value);
        } else {
            fail_msg("%s: setting %s", field[0], name);
        }
    }
    return s;
}

/* ---- judges that are watched ---- */

/* A clock that stands still until a judge turns it. */
typedef struct clock_hand {
    uint64_t now_ns;
} clock_hand;

static uint64_t read_hand(void *state) {
    return ((clock_hand *)state)->now_ns;
}

typedef struct watched {
    test_judge judge;
    bool late; /* the clock runs out while it works */
    clock_hand *hand;
    const hz_position *only;
    uint64_t calls, rows, repeated, largest;
    bool side_seen[2];
} watched;

static void look_at_batch(watched *w, const hz_position *positions, size_t n) {
    for (size_t i = 0; i < n; i++) {
        w->side_seen[positions[i].side] = true;
        for (size_t k = 0; k < i; k++) {
            w->repeated += hz_position_same_board(&positions[k], &positions[i]);
        }
    }
    w->calls++;
    w->rows += n;
    w->largest = n > w->largest ? n : w->largest;
}

static hz_status watched_batch(void *state, const hz_position *positions, size_t n, hz_color color,
                               int32_t *scores, size_t *done, hz_error *err) {
    watched *w = state;
    (void)err;
    look_at_batch(w, positions, n);
    for (size_t i = 0; i < n; i++) {
        scores[i] = w->only ? hz_position_same_board(w->only, &positions[i])
                            : test_judge_score(&w->judge, &positions[i], color);
    }
    if (w->late) {
        w->hand->now_ns = UINT64_MAX - 1;
    }
    *done = n;
    return HZ_OK;
}

static void watch(watched *w, const char *name, clock_hand *hand) {
    *w = (watched){.hand = hand};
    if (name && strncmp(name, "late:", 5) == 0) {
        char constant[40];
        snprintf(constant, sizeof constant, "const:%s", name + 5);
        w->late = true;
        w->judge = test_judge_of(constant);
    } else if (name) {
        w->judge = test_judge_of(name);
    }
}

/* ---- one call and what came of it ---- */

typedef struct sunk {
    int records;
    hz_root_stats stats;
} sunk;

static void sink(void *context, const hz_root_stats *stats) {
    sunk *s = context;
    s->records++;
    s->stats = *stats;
}

typedef struct outcome {
    hz_expectimax_answer answer; /* its lists are gone */
    char turn[HZ_TURN_CAPACITY];
    test_text ties; /* turns with ';' between them */
    double value;   /* final value of the ties */
    int64_t sum;    /* of the first tie */
    bool one_sum;   /* all ties have it */
    uint64_t draws;
    hz_position after[MOST_TIES]; /* of the candidates */
    watched leaf, pre_rank, rescore, collapse;
} outcome;

static void keep_ties(outcome *o, const hz_expectimax_answer *answer, const hz_position *root) {
    char text[HZ_TURN_CAPACITY];
    for (size_t i = 0; i < answer->tie_count; i++) {
        test_text_add(&o->ties, i ? ";" : "");
        test_text_add(&o->ties, test_turn(&answer->ties[i], text));
    }
    if (answer->candidate_count == 0) {
        return;
    }
    hz_arena arena;
    hz_result_list list;
    hz_arena_init(&arena, 0);
    assert_int_equal(hz_results_list(root, NULL, &arena, &list, NULL), HZ_OK);
    bool first = true;
    o->one_sum = true;
    for (size_t i = 0; i < answer->candidate_count; i++) {
        const hz_candidate *c = &answer->candidates[i];
        const hz_result *result = &list.results[c->result];
        if (i < MOST_TIES) {
            o->after[i] = result->after;
        }
        for (size_t t = 0; t < answer->tie_count; t++) {
            if (memcmp(&answer->ties[t], &result->turn, sizeof result->turn) == 0) {
                o->one_sum = o->one_sum && (first || o->sum == c->sum);
                o->sum = c->sum;
                o->value = c->final_value;
                first = false;
            }
        }
    }
    hz_arena_fini(&arena);
}

static void ask(const char *where, const setup *s, uint64_t seed, hz_table *table, outcome *o) {
    hz_expectimax_config config = hz_expectimax_config_default();
    clock_hand hand = {0};
    sunk records = {0};
    hz_expectimax *search;
    hz_error err;
    *o = (outcome){.ties = {0}};
    watch(&o->leaf, s->leaf, &hand);
    watch(&o->pre_rank, s->pre_rank, &hand);
    watch(&o->rescore, s->rescore, &hand);
    watch(&o->collapse, s->collapse, &hand);
    o->pre_rank.only = s->only;
    config.candidate_limit = s->limit;
    config.search_depth = s->depth;
    config.exact_only = s->exact_only;
    config.loss_guard = s->guard;
    config.rescore_weight = s->weight;
    config.table = table;
    config.threads = s->threads;
    config.sink = sink;
    config.sink_context = &records;
    config.leaf = s->record && s->threads == 1
                      ? (hz_judge){.state = &o->leaf, .score_batch = watched_batch}
                      : test_judge_seam(&o->leaf.judge);
    if (s->pre_rank || s->only) {
        config.pre_rank = (hz_judge){.state = &o->pre_rank, .score_batch = watched_batch};
    }
    if (s->rescore) {
        config.rescore = (hz_judge){.state = &o->rescore, .score_batch = watched_batch};
    }
    if (s->collapse) {
        config.collapse = (hz_judge){.state = &o->collapse, .score_batch = watched_batch};
    }
    if (hz_expectimax_new(&config, &search, &err) != HZ_OK) {
        fail_msg("%s: %s", where, err.message);
    }
    hz_position position = test_position(s->position);
    hz_random random = hz_random_from_seed(seed);
    hz_deadline deadline = {
        .at_ns = s->deadline_ms * 1000000, .now = read_hand, .now_state = &hand};
    hz_arena arena;
    hz_arena_init(&arena, 0);
    if (hz_expectimax_choose(search, &position, &random, s->timed ? &deadline : NULL, &arena,
                             &o->answer, &err) != HZ_OK) {
        fail_msg("%s: %s", where, err.message);
    }
    o->draws = random.counter;
    (void)test_turn(&o->answer.turn, o->turn);
    keep_ties(o, &o->answer, &position);
    assert_int_equal(records.records, 1);
    assert_memory_equal(&records.stats, &o->answer.stats, sizeof records.stats);
    const char *broken =
        hz_root_stats_check(&records.stats, table != NULL, s->collapse != NULL, s->timed);
    if (broken) {
        fail_msg("%s: statistics: %s", where, broken);
    }
    test_true(where, "the turn is legal", hz_turn_is_legal(&position, &o->answer.turn));
    hz_arena_fini(&arena);
    hz_expectimax_free(search);
}

static hz_table *table_for(const setup *s) {
    hz_table *table = NULL;
    if (s->capacity) {
        assert_int_equal(hz_table_new(s->capacity, &table, NULL), HZ_OK);
    }
    return table;
}

/* ---- comparing ---- */

static void same_answer(const char *where, const outcome *a, const outcome *b) {
    test_same_number(where, "pass", a->answer.pass, b->answer.pass);
    test_same_text(where, "turn", a->turn, b->turn);
    test_same_text(where, "ties", test_text_get(&a->ties), test_text_get(&b->ties));
    test_same_number(where, "score", (int64_t)a->answer.score, (int64_t)b->answer.score);
    test_same_number(where, "draws", a->draws, b->draws);
    test_true(where, "value", !(a->value < b->value) && !(a->value > b->value));
}

/* Each kept candidate alone, fully searched; the best of them must be the answer. */
static void compare_with_single_candidates(const char *where, const setup *s, const outcome *all) {
    double best = (double)-INFINITY;
    size_t ties = 0;
    for (size_t i = 0; i < all->answer.candidate_count; i++) {
        setup one = *s;
        outcome o;
        one.limit = 1;
        one.only = &all->after[i];
        ask(where, &one, 0, NULL, &o);
        ties = o.value > best ? 1 : ties + !(o.value < best);
        best = o.value > best ? o.value : best;
        test_text_free(&o.ties);
    }
    test_true(where, "best of single candidates", !(best < all->value) && !(best > all->value));
    test_same_number(where, "ties of single candidates", ties, all->answer.tie_count);
}

static void compare(const char *where, const char *with, const setup *s, uint64_t seed,
                    hz_table *table, const outcome *first) {
    setup other = *s;
    outcome o;
    if (strcmp(with, "single-candidates") == 0) {
        compare_with_single_candidates(where, s, first);
        return;
    }
    if (strcmp(with, "no-table") == 0) {
        other.exact_only = false;
        table = NULL;
    } else if (strcmp(with, "no-rescore") == 0) {
        other.rescore = NULL;
        other.weight = 0;
    } else if (strcmp(with, "pre-rank-material") == 0) {
        other.pre_rank = "material";
    } else if (strcmp(with, "no-record") == 0) {
        other.record = false;
    } else if (strcmp(with, "guard") == 0) {
        other.guard = true;
    } else if (strcmp(with, "second") != 0) {
        fail_msg("%s: same as %s?", where, with);
    }
    ask(where, &other, seed, table, &o);
    same_answer(where, first, &o);
    test_text_free(&o.ties);
}

/* ---- expectations ---- */

/* "N", or "N+" for at least N. */
static void number_is(const char *where, const char *what, const char *expected, int64_t actual) {
    char *end;
    int64_t number = strtoll(expected, &end, 10);
    if (strcmp(end, "+") == 0) {
        test_true(where, what, actual >= number);
    } else {
        assert_true(*end == '\0');
        test_same_number(where, what, number, actual);
    }
}

static bool check_counter(const char *where, const word *w, const outcome *o) {
    const hz_root_stats *s = &o->answer.stats;
    const struct {
        const char *name;
        uint64_t actual;
    } counters[] = {{"results", s->legal_results},
                    {"selected", s->candidates_selected},
                    {"completed", s->candidates_completed},
                    {"abandoned", s->candidates_abandoned},
                    {"cutoffs", s->cutoffs},
                    {"saved", s->rolls_saved},
                    {"probe-cutoffs", s->probe_cutoffs},
                    {"table-probes", s->tt_probes},
                    {"table-hits", s->tt_hits},
                    {"table-cutoffs", s->tt_cutoffs},
                    {"collapsed", s->candidates_collapsed},
                    {"collapse-rejected", s->collapse_rejected},
                    {"truncated", hz_root_stats_deadline_truncated(s)},
                    {"fell-back", hz_root_stats_fell_back(s)},
                    {"rescore-calls", o->rescore.calls},
                    {"collapse-calls", o->collapse.calls},
                    {"pass", o->answer.pass}};
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++) {
        if (strcmp(w->name, counters[i].name) == 0) {
            number_is(where, w->name, w->value, (int64_t)counters[i].actual);
            return true;
        }
    }
    if (strcmp(w->name, "sequences") == 0) {
        if (s->has_legal_sequences) {
            number_is(where, w->name, w->value, (int64_t)s->legal_sequences);
        }
        return true;
    }
    return false;
}

static bool check_leaves(const char *where, const word *w, const setup *s, const outcome *o) {
    bool known = true;
    int64_t actual = 0;
    if (strcmp(w->name, "leaf-calls") == 0) {
        actual = (int64_t)o->leaf.calls;
    } else if (strcmp(w->name, "repeated-leaves") == 0) {
        actual = (int64_t)o->leaf.repeated;
    } else if (strcmp(w->name, "largest-batch") == 0) {
        actual = (int64_t)o->leaf.largest;
    } else if (strcmp(w->name, "leaf-side") == 0) {
        if (s->threads == 1) {
            hz_color side = w->value[0] == 'w' ? HZ_WHITE : HZ_BLACK;
            test_true(where, "the mover has leaves", o->leaf.side_seen[side]);
            test_true(where, "the opponent has none", !o->leaf.side_seen[side ^ 1]);
        }
        return true;
    } else {
        known = false;
    }
    if (known && s->threads == 1) { /* only then they are counted */
        number_is(where, w->name, w->value, actual);
    }
    return known;
}

/* Whether a list with ';' between turns holds a turn. */
static bool is_among(const char *list, const char *turn) {
    size_t length = strlen(turn);
    for (const char *at = list; at; at = strchr(at, ';') ? strchr(at, ';') + 1 : NULL) {
        if (strncmp(at, turn, length) == 0 && (at[length] == ';' || at[length] == '\0')) {
            return true;
        }
    }
    return false;
}

static bool check_choice(const char *where, const word *w, const outcome *o) {
    if (strcmp(w->name, "ties") == 0) {
        test_same_text(where, "ties", w->value, test_text_get(&o->ties));
    } else if (strcmp(w->name, "move") == 0) {
        test_same_text(where, "turn", w->value, o->turn);
    } else if (strcmp(w->name, "not") == 0) {
        test_true(where, "another turn", !is_among(w->value, o->turn));
    } else if (strcmp(w->name, "score") == 0) {
        test_same_number(where, "score", strtoll(w->value, NULL, 10), (int64_t)o->answer.score);
    } else if (strcmp(w->name, "sum") == 0) {
        test_true(where, "all ties have one sum", o->one_sum);
        test_same_number(where, "sum", strtoll(w->value, NULL, 10), o->sum);
    } else if (strcmp(w->name, "unit") == 0) {
        test_same_number(where, "unit", test_number(w->value), o->answer.denominator);
    } else if (strcmp(w->name, "value") == 0) {
        double value = strtod(w->value, NULL);
        test_true(where, "value to the last bit", !(o->value < value) && !(o->value > value));
    } else {
        return false;
    }
    return true;
}

static void check_greedy(const char *where, const setup *s, const char *turn) {
    hz_position position = test_position(s->position);
    hz_arena arena;
    hz_result_list list;
    char text[HZ_TURN_CAPACITY];
    hz_arena_init(&arena, 0);
    assert_int_equal(hz_results_list(&position, NULL, &arena, &list, NULL), HZ_OK);
    size_t best = 0;
    for (size_t i = 1; i < list.count; i++) {
        hz_color mover = (hz_color)position.side;
        if (hz_evaluate_material(&list.results[i].after, mover) >
            hz_evaluate_material(&list.results[best].after, mover)) {
            best = i;
        }
    }
    test_same_text(where, "greedy turn", turn, test_turn(&list.results[best].turn, text));
    hz_arena_fini(&arena);
}

/* Expectations that need further calls. */
static bool check_further(const char *where, const word *w, const setup *s, uint64_t seed,
                          hz_table *table, const outcome *first) {
    outcome o;
    if (strcmp(w->name, "same") == 0) {
        compare(where, w->value, s, seed, table, first);
    } else if (strcmp(w->name, "pick") == 0) {
        char *end;
        uint64_t other = strtoull(w->value, &end, 10);
        ask(where, s, other, NULL, &o);
        test_same_text(where, w->value, end + 1, o.turn);
        test_same_number(where, "draws", 1, o.draws);
        test_text_free(&o.ties);
    } else if (strncmp(w->name, "second-", 7) == 0) {
        word counter = *w;
        test_copy(counter.name, sizeof counter.name, w->name + 7);
        ask(where, s, seed, table, &o);
        test_true(where, w->name, check_counter(where, &counter, &o));
        test_text_free(&o.ties);
    } else if (strcmp(w->name, "greedy") == 0) {
        check_greedy(where, s, w->value);
    } else {
        return false;
    }
    return true;
}

static bool check_table(const char *where, const word *w, const hz_table *table) {
    bool stores = strcmp(w->name, "table-stores") == 0;
    if (!stores && strcmp(w->name, "table-answers") != 0) {
        return false;
    }
    hz_table_counters counters = hz_table_counters_get(table);
    number_is(where, w->name, w->value, (int64_t)(stores ? counters.stores : counters.hits));
    return true;
}

static size_t seeds_of(const char *text, uint64_t seeds[MOST_SEEDS]) {
    size_t count = 0;
    while (*text) {
        char *end;
        assert_true(count < MOST_SEEDS);
        seeds[count++] = strtoull(text, &end, 10);
        text = end + (*end == ',');
    }
    return count;
}

/* Distinct turns played over the seeds. */
static void check_distinct(const char *where, const char *expected, char (*turns)[HZ_TURN_CAPACITY],
                           size_t count) {
    int64_t distinct = 0;
    for (size_t i = 0; i < count; i++) {
        bool seen = false;
        for (size_t k = 0; k < i; k++) {
            seen = seen || strcmp(turns[i], turns[k]) == 0;
        }
        distinct += !seen;
    }
    number_is(where, "distinct turns", expected, distinct);
}

static void run_case(const char *where, const char *const *f, unsigned threads) {
    words settings = words_of(f[3]), expected = words_of(f[5]);
    setup s = setup_of(f, &settings);
    uint64_t seeds[MOST_SEEDS];
    char turns[MOST_SEEDS][HZ_TURN_CAPACITY];
    size_t count = seeds_of(f[4], seeds);
    s.threads = threads;
    for (size_t i = 0; i < count; i++) {
        hz_table *table = table_for(&s);
        outcome first;
        ask(where, &s, seeds[i], table, &first);
        test_copy(turns[i], sizeof turns[i], first.turn);
        for (size_t e = 0; e < expected.count; e++) {
            const word *w = &expected.word[e];
            if (table && check_table(where, w, table)) {
                continue;
            }
            if (strcmp(w->name, "distinct") != 0 && !check_counter(where, w, &first) &&
                !check_leaves(where, w, &s, &first) && !check_choice(where, w, &first) &&
                !check_further(where, w, &s, seeds[i], table, &first)) {
                fail_msg("%s: expectation %s", where, w->name);
            }
        }
        test_text_free(&first.ties);
        hz_table_free(table);
    }
    if (value_of(&expected, "distinct")) {
        check_distinct(where, value_of(&expected, "distinct"), turns, count);
    }
}

static void run_all(unsigned threads) {
    test_table table = test_table_load("search_expectimax.tsv", 6);
    for (size_t i = 0; i < table.count; i++) {
        run_case(table.rows[i].field[0], table.rows[i].field, threads);
    }
    test_table_free(&table);
}

static void stated_answers_are_met(void **state) {
    (void)state;
    run_all(1);
}

static void stated_answers_are_met_by_three_threads(void **state) {
    (void)state;
    run_all(3);
}

/* ---- the oracle on the same cases ---- */

static void slow_oracle_knows_the_stated_answers(void **state) {
    (void)state;
    test_table table = test_table_load("search_expectimax.tsv", 6);
    size_t compared = 0;
    for (size_t i = 0; i < table.count; i++) {
        const char *const *f = table.rows[i].field;
        words settings = words_of(f[3]), expected = words_of(f[5]);
        setup s = setup_of(f, &settings);
        bool deep = s.depth == 3 && test_effort(100) < 100; /* too slow for a quick run */
        if (s.timed || deep || !value_of(&expected, "ties")) {
            continue;
        }
        test_judge leaf = test_judge_of(s.leaf), none = test_judge_of("zero");
        test_judge rescore = s.rescore ? test_judge_of(s.rescore) : none;
        test_judge collapse = s.collapse ? test_judge_of(s.collapse) : none;
        ref_expectimax_question question = {.dfen = s.position,
                                            .limit = (size_t)s.limit,
                                            .depth = s.depth,
                                            .leaf = test_judge_slow(&leaf),
                                            .rescore = test_judge_slow(&rescore),
                                            .weight = s.weight,
                                            .loss_guard = s.guard};
        if (s.collapse) {
            question.collapse = test_judge_slow(&collapse);
        }
        ref_expectimax_answer answer;
        assert_true(ref_expectimax(&question, 1000000, &answer));
        outcome o = {.one_sum = true, .sum = answer.sum, .value = answer.value};
        o.answer.score = answer.score;
        o.answer.denominator = answer.denominator;
        for (size_t t = 0; t < answer.ties; t++) {
            test_text_add(&o.ties, t ? ";" : "");
            test_text_add(&o.ties, answer.tie[t]);
        }
        for (size_t e = 0; e < expected.count; e++) {
            if (strcmp(expected.word[e].name, "move") != 0) {
                (void)check_choice(f[0], &expected.word[e], &o);
            }
        }
        compared++;
        test_text_free(&o.ties);
        ref_expectimax_free(&answer);
    }
    assert_true(compared >= 15);
    test_table_free(&table);
}

/* ---- alpha ---- */

static void stated_bounds_of_interest_are_met(void **state) {
    (void)state;
    test_table table = test_table_load("search_alpha.tsv", 7);
    for (size_t i = 0; i < table.count; i++) {
        const char *const *f = table.rows[i].field;
        double weight = strtod(f[2], NULL);
        int32_t rescore = (int32_t)strtol(f[3], NULL, 10);
        int64_t unit = (int64_t)test_number(f[4]);
        bool has_best = strcmp(f[1], "-") != 0, has_alpha = false;
        double best = strcmp(f[1], "blend") == 0
                          ? hz_expectimax_blend(266652, unit, weight, rescore)
                          : strtod(f[1], NULL);
        int64_t alpha =
            hz_expectimax_alpha(has_best, 266652, best, weight, rescore, unit, &has_alpha);
        test_true(f[0], "has alpha", has_alpha == (strcmp(f[5], "none") != 0));
        if (has_alpha && strcmp(f[5], "?") != 0) {
            test_same_number(f[0], "alpha", strtoll(f[5], NULL, 10), alpha);
        }
        if (strcmp(f[6], "?") != 0) {
            test_true(f[0], "alpha at most", alpha <= strtoll(f[6], NULL, 10));
        }
    }
    test_table_free(&table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stated_answers_are_met),
        cmocka_unit_test(stated_answers_are_met_by_three_threads),
        cmocka_unit_test(slow_oracle_knows_the_stated_answers),
        cmocka_unit_test(stated_bounds_of_interest_are_met),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
