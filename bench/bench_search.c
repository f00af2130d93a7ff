/* SPDX-License-Identifier: MIT */
/*
 * Expectimax: how long a turn takes by depth, pruning, hooks, table and threads. The leaf judge is
 * static and cheap, so that what is measured is the search. Material leaves are answered without
 * listing a roll's results; aggressive ones show what any other judge pays for the lists.
 */
#include "bench/items.h"

#include <stdlib.h>

/* A search and what it is to be compared with. */
typedef struct turn_case {
    hzb_case *root;
    hz_evaluator material, aggressive;
    hz_expectimax *search, *other; /* other: the twin; NULL without */
} turn_case;

uint64_t hzb_choose(hz_expectimax *search, hzb_case *root, uint64_t n) {
    hz_expectimax_answer answer = {0};
    for (uint64_t i = 0; i < n; i++) {
        hz_random random = hz_random_from_seed(1);
        hz_arena_reset(&root->arena);
        if (hz_expectimax_choose(search, &root->position, &random, NULL, &root->arena, &answer,
                                 NULL) != HZ_OK) {
            return 0;
        }
    }
    return hz_turn_text_order(&answer.turn) * 31 + answer.tie_count +
           (uint64_t)(int64_t)answer.score;
}

static uint64_t run(void *state, uint64_t n) {
    turn_case *c = state;
    return hzb_choose(c->search, c->root, n);
}

static uint64_t twin(void *state, uint64_t n) {
    turn_case *c = state;
    return hzb_choose(c->other, c->root, n);
}

static turn_case *case_new(const char *dfen, const char *roll) {
    turn_case *c = calloc(1, sizeof *c);
    if (c && (c->root = hzb_case_new(dfen, roll)) &&
        hz_evaluator_static("material", &c->material, NULL) == HZ_OK &&
        hz_evaluator_static("aggressive", &c->aggressive, NULL) == HZ_OK) {
        return c;
    }
    free(c);
    return NULL;
}

static hz_expectimax_config base(const turn_case *c) {
    hz_expectimax_config config = hz_expectimax_config_default();
    config.leaf = hz_judge_evaluator(&c->aggressive);
    return config;
}

/* The item of a case whose searches can be made. */
static hzb_item item(turn_case *c, const char *name, const char *unit,
                     const hz_expectimax_config *a, const hz_expectimax_config *b) {
    bool good = c && hz_expectimax_new(a, &c->search, NULL) == HZ_OK &&
                (!b || hz_expectimax_new(b, &c->other, NULL) == HZ_OK);
    return (hzb_item){.group = "search",
                      .name = name,
                      .unit = unit,
                      .unit_ns = unit[0] == 'm' ? 1e6 : 1e3,
                      .work = 1,
                      .run = run,
                      .twin = b ? twin : NULL,
                      .same_number = true,
                      .state = good ? c : NULL};
}

/* Every roll of every candidate. */
static hzb_item full_item(const char *name, const char *dfen, const char *roll, bool material,
                          double first, double aim) {
    turn_case *c = case_new(dfen, roll);
    hz_expectimax_config config = c ? base(c) : hz_expectimax_config_default();
    config.no_pruning = true;
    if (c && material) {
        config.leaf = hz_judge_evaluator(&c->material);
    }
    hzb_item made = item(c, name, "ms", &config, NULL);
    made.first = first;
    made.aim = aim;
    return made;
}

static hzb_item pruned_item(const char *name, const char *dfen, const char *roll) {
    turn_case *c = case_new(dfen, roll);
    hz_expectimax_config config = c ? base(c) : hz_expectimax_config_default();
    hz_expectimax_config full = config;
    full.no_pruning = true;
    return item(c, name, "ms", &config, &full);
}

static hzb_item threads_item(const char *name, const char *dfen, const char *roll) {
    turn_case *c = case_new(dfen, roll);
    hz_expectimax_config config = c ? base(c) : hz_expectimax_config_default();
    hz_expectimax_config alone = config;
    config.threads = 2;
    return item(c, name, "ms", &config, &alone);
}

static hzb_item deep_item(const char *name, const char *dfen, const char *roll) {
    turn_case *c = case_new(dfen, roll);
    hz_expectimax_config config = c ? base(c) : hz_expectimax_config_default();
    config.search_depth = 3;
    config.candidate_limit = 4;
    return item(c, name, "ms", &config, NULL);
}

/* Collapsed, against the same root searched. */
static hzb_item collapsed_item(const char *name, const char *dfen, const char *roll,
                               int64_t limit) {
    turn_case *c = case_new(dfen, roll);
    hz_expectimax_config config = c ? base(c) : hz_expectimax_config_default();
    hz_expectimax_config exact = config;
    config.candidate_limit = exact.candidate_limit = limit;
    if (c) {
        config.collapse = hz_judge_evaluator(&c->aggressive);
    }
    hzb_item made = item(c, name, "us", &config, &exact);
    made.same_number = false;
    return made;
}

/* The ranking pass over all results in chunks, against one batch. Collapse keeps the rest small. */
static hzb_item chunk_item(const char *name, const char *dfen, const char *roll, int64_t chunk) {
    turn_case *c = case_new(dfen, roll);
    hz_expectimax_config config = c ? base(c) : hz_expectimax_config_default();
    if (c) {
        config.pre_rank = hz_judge_evaluator(&c->aggressive);
        config.collapse = hz_judge_evaluator(&c->material);
    }
    hz_expectimax_config whole = config;
    config.chunk_size = chunk;
    whole.chunk_size = INT64_MAX;
    return item(c, name, "us", &config, &whole);
}

/* A root that the table knows, against the search without one. The bench keeps the table. */
static hzb_item table_item(const char *name, const char *dfen, const char *roll) {
    turn_case *c = case_new(dfen, roll);
    hz_expectimax_config config = c ? base(c) : hz_expectimax_config_default();
    hz_expectimax_config plain = config;
    hz_table *table = NULL;
    if (hz_table_new(1 << 12, &table, NULL) != HZ_OK) {
        free(c);
        c = NULL;
    }
    config.table = table;
    return item(c, name, "ms", &config, &plain);
}

size_t hzb_search_items(hzb_item *items) {
    static const char wide[] = "4k3/8/8/8/8/8/PPP5/4KN2 w - - 0 1";
    size_t n = 0;
    items[n++] =
        full_item("depth 2, material, no pruning, start PNB", HZB_START, "PNB", true, 4, 0.8);
    items[n++] =
        full_item("depth 2, material, no pruning, kiwipete PNB", HZB_KIWIPETE, "PNB", true, 12, 3);
    items[n++] =
        full_item("depth 2, material, no pruning, endgame PRK", HZB_ENDGAME, "PRK", true, 1.5, 0.3);
    items[n++] = pruned_item("depth 2 (twin: no pruning), start PNB", HZB_START, "PNB");
    items[n++] = pruned_item("depth 2 (twin: no pruning), kiwipete PNB", HZB_KIWIPETE, "PNB");
    items[n++] = pruned_item("depth 2 (twin: no pruning), endgame PRK", HZB_ENDGAME, "PRK");
    items[n++] = full_item("depth 2, no pruning, wide root PNK", wide, "PNK", false, 0, 0);
    items[n++] = threads_item("depth 2, 2 threads (twin: one), kiwipete PNB", HZB_KIWIPETE, "PNB");
    items[n++] = table_item("depth 2, known to the table (twin: no table), kiwipete PNB",
                            HZB_KIWIPETE, "PNB");
    items[n++] = deep_item("depth 3, limit 4, K + B against K + P",
                           "7k/8/8/b7/8/8/5P2/4K3 w - - 0 1", "NBK");
    items[n++] =
        collapsed_item("collapsed, limit 1 (twin: searched), wide root PNK", wide, "PNK", 1);
    items[n++] =
        collapsed_item("collapsed, limit 4 (twin: searched), wide root PNK", wide, "PNK", 4);
    items[n++] =
        collapsed_item("collapsed, limit 8 (twin: searched), wide root PNK", wide, "PNK", 8);
    items[n++] = chunk_item("1254 rows ranked by 64 (twin: one batch)", HZB_KIWIPETE, "PNB", 64);
    items[n++] = chunk_item("1254 rows ranked by 256 (twin: one batch)", HZB_KIWIPETE, "PNB", 256);
    items[n++] =
        chunk_item("1254 rows ranked by 1024 (twin: one batch)", HZB_KIWIPETE, "PNB", 1024);
    return n;
}
