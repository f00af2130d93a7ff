/* SPDX-License-Identifier: MIT */
/*
 * Two players on a catalogue of scenarios, and the protocol by which a change to a player is judged:
 *
 *   1. equality   with what is new switched off, nothing may change: same turns and scores everywhere
 *   2. agreement  scenario by scenario and seed by seed: how often the same turn, what otherwise, and
 *                 whether expected turns are met
 *   3. strength   a match with a sequential test
 *
 * in this order; a share of won games alone would hide where a change differs.
 */
#ifndef HAZARD_ARENA_SCENARIOS_H
#define HAZARD_ARENA_SCENARIOS_H

#include "arena/text.h"

#include <hazard/arena.h>

/* ---- scenarios ---- */

typedef struct hzi_scenarios_config {
    const char *a, *b; /* candidate and reference: anybody a match of Dice Chess knows */
    hz_registry *registry;
    const hz_catalogue *catalogue;
    const uint64_t *seeds; /* NULL = those of the catalogue */
    size_t seed_count;
    unsigned threads;        /* questions at a time; 0 = 1 */
    hz_ranks *ranks;         /* NULL = none */
    unsigned *ranks_lost;    /* becomes their number; may be NULL */
    const hz_cancel *cancel; /* may be NULL */
    const char *checkpoint;  /* NULL = none; see crew_saved.h */
    bool resume;
    void (*progress)(void *context, uint64_t done); /* of the runs; may be NULL */
    void *progress_context;
} hzi_scenarios_config;

typedef struct hzi_scenarios {
    hz_agreement sum;
    size_t seed_count, count; /* runs: seeds of a scenario stand one after the other */
    hz_agreement_run *runs;   /* owned; point into the catalogue */
} hzi_scenarios;

/* Runs there will be. */
uint64_t hzi_scenarios_count(const hzi_scenarios_config *config);
/*
 * Asks both players about every scenario with every seed. What comes out does not depend on threads and
 * ranks; on a rank beyond 0 it stays empty. HZ_CANCELLED; what opening and asking say; HZ_CHECKPOINT and
 * HZ_IO of the checkpoint.
 */
hz_status hzi_scenarios_run(const hzi_scenarios_config *config, hzi_scenarios *scenarios,
                            hz_error *err);
void hzi_scenarios_free(hzi_scenarios *scenarios);
/* Nothing got worse and every answer was legal. */
bool hzi_scenarios_good(const hzi_scenarios *scenarios);
/* JSON, one line, or a text for people. */
hz_status hzi_scenarios_report(const hzi_scenarios_config *config, const hzi_scenarios *scenarios,
                               bool json, hz_report_sink sink, void *context, hz_error *err);

/* ---- comparison ---- */

typedef struct hzi_comparison {
    hzi_scenarios_config config;
    const char *exact; /* A with what is new switched off; NULL = B, which must repeat itself */
    hzi_scenarios equality, agreement;
    bool has_equality, has_agreement;
    /* Where the first two steps are kept, NULL = nowhere; the config's own checkpoint is not used. */
    const char *equality_checkpoint, *agreement_checkpoint;
    const hz_match_view *match; /* of A against B; NULL = it was not played */
} hzi_comparison;

/* The first two steps. `equal` and `legal` say whether the next one makes sense. */
hz_status hzi_comparison_equality(hzi_comparison *comparison, bool *equal, hz_error *err);
hz_status hzi_comparison_agreement(hzi_comparison *comparison, bool *legal, hz_error *err);
/* Equal, legal, and the test of the match shows that A is stronger. */
bool hzi_comparison_good(const hzi_comparison *comparison);
hz_status hzi_comparison_report(const hzi_comparison *comparison, bool json, hz_report_sink sink,
                                void *context, hz_error *err);
void hzi_comparison_fini(hzi_comparison *comparison);

/* ---- inner: pieces of reports ---- */

/* "runs", "matches" and so on as members of an open object. */
void hzi_put_agreement(hzi_text *json, const hz_agreement *sum);
/* The runs as an array. */
void hzi_put_runs(hzi_text *json, const char *key, const hzi_scenarios *scenarios);
/* A line for each scenario, and below it what A plays otherwise. scores: equal turns with other scores
 * are told, too. */
void hzi_print_runs(hzi_text *text, const hzi_scenarios *scenarios, bool scores);

#endif
