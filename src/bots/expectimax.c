/* SPDX-License-Identifier: MIT */
/*
 * The bot `expectimax`: every result of the roll is judged by what the enemy can make of each of its
 * 56 rolls, the positions at the end by a static evaluator. The search itself is in
 * src/search; this file puts evaluator, table and search together and takes them apart again.
 */
#include "bots/roster.h"

#include "bots/searcher.h"

#include <stdlib.h>

typedef struct searcher {
    hz_evaluator leaf; /* owned */
    hz_table *table;   /* owned, NULL = none */
    hz_expectimax *search;
    int depth;
} searcher;

static const hz_bot_info info = {
    "expectimax", "Expectimax", "looks at every roll of the enemy and the best reply to it", 7,
    true,         true};

static void release(searcher *s) {
    hz_expectimax_free(s->search);
    hz_table_free(s->table);
    free(s);
}

static hz_status choose(void *state, const hz_bot_request *request, hz_bot_answer *answer,
                        hz_error *err) {
    const searcher *s = state;
    return hzi_search_choose(s->search, request, answer, err);
}

static bool judge(void *state, hz_bot_judgement *judgement) {
    const searcher *s = state;
    *judgement = (hz_bot_judgement){.judge = hz_judge_evaluator(&s->leaf),
                                    .depth = s->depth,
                                    .win = HZI_CENTIPAWN_END,
                                    .loss = -HZI_CENTIPAWN_END,
                                    .name = s->leaf.name};
    return true;
}

static void close(void *state) {
    searcher *s = state;
    hz_evaluator_close(&s->leaf);
    release(s);
}

hz_status hz_bot_expectimax(const hz_bot_expectimax_config *config, hz_bot *bot, hz_error *err) {
    hz_expectimax_config search = hz_expectimax_config_default();
    searcher *s = calloc(1, sizeof *s);
    if (!s) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for an expectimax bot");
    }
    s->depth = config->search.search_depth;
    s->leaf = config->leaf;
    hz_status status = HZ_OK;
    if (!s->leaf.score_batch) {
        status = hz_evaluator_static("material", &s->leaf, err);
    }
    if (status == HZ_OK) {
        status = hzi_search_config(&config->search, &search, &s->table, err);
    }
    if (status == HZ_OK) {
        search.leaf = hz_judge_evaluator(&s->leaf);
        status = hz_expectimax_new(&search, &s->search, err);
    }
    if (status != HZ_OK) {
        release(s);
        return status;
    }
    *bot = (hz_bot){.info = &info, .state = s, .choose = choose, .close = close, .judge = judge};
    return HZ_OK;
}

/* ---- from text ---- */

enum { OPTION_EVAL = HZI_SEARCH_OPTIONS };

static const hz_bot_option options[] = {
    HZI_SEARCH_OPTION_TABLE,
    {"eval", HZ_OPTION_CHOICE, 0, 0, "material", "material|standard|aggressive",
     "the evaluator of the positions at the end", 0},
};

static hz_status open(void *context, const hz_option_value *values, hz_bot *bot, hz_error *err) {
    (void)context;
    hz_bot_expectimax_config config = {.search = hzi_search_from_values(values)};
    hz_status status = hz_evaluator_static(values[OPTION_EVAL].text, &config.leaf, err);
    return status == HZ_OK ? hz_bot_expectimax(&config, bot, err) : status;
}

const hz_bot_kind hzi_expectimax_kind = {.info = &info,
                                         .option_count = sizeof options / sizeof *options,
                                         .options = options,
                                         .open = open};
