/* SPDX-License-Identifier: MIT */
/*
 * Probes: two players asked about the same positions with the same random streams, without a game.
 * What differs is then theirs. Three questions are asked in this way:
 *
 *   recall    does a search with few candidates find what the same search finds with all of them?
 *   models    how often do two models choose alike, and how far apart are their values?
 *   collapse  what does one learned value before the roll cost against the average over the 56 rolls?
 *
 * Positions are shared by threads and ranks; the report is the same for any number of them, times
 * apart. Times are honest with one thread only.
 */
#ifndef HAZARD_ARENA_PROBE_H
#define HAZARD_ARENA_PROBE_H

#include "arena/text.h"

#include <hazard/arena.h>

/* ---- asking ---- */

typedef struct hzi_probe_answer {
    bool pass, legal;
    hz_turn turn;
    int32_t score;
    double value; /* on the player's own axis, see asked.h */
    bool searched;
    int64_t sum; /* of the best candidate, when it searched; comparable between limits */
    uint64_t candidates, collapsed; /* of a search */
    uint64_t ns;                    /* the quickest of the repetitions */
} hzi_probe_answer;

/* Pairs of numbers, and how they differ. */
typedef struct hzi_moments {
    uint64_t count;
    double x, y, xx, yy, xy;   /* sums */
    double difference, square; /* of x - y */
    double absolute, largest;
} hzi_moments;
void hzi_moments_add(hzi_moments *moments, double x, double y);
void hzi_moments_join(hzi_moments *moments, const hzi_moments *other);
/* NAN without two different values on both sides. */
double hzi_moments_correlation(const hzi_moments *moments);

typedef struct hzi_probe_item {
    uint64_t index;   /* of the position */
    uint64_t results; /* to choose from */
    hzi_probe_answer answers[2];
    bool same;          /* the same turn, or both pass */
    hzi_moments values; /* of candidates that both have an exact value of */
} hzi_probe_item;

typedef struct hzi_probe_config {
    const char *players[2];
    hz_registry *registry;
    size_t count;
    const hz_position *positions; /* with dice */
    uint64_t seed;                /* position i is asked with the stream of seed + i */
    unsigned repeats;             /* times each is asked, for better times; at least 1 */
    unsigned threads;
    hz_ranks *ranks;         /* NULL = none */
    unsigned *ranks_lost;    /* becomes their number; may be NULL */
    const hz_cancel *cancel; /* may be NULL */
    const char *kind;        /* of the probe, for its checkpoint */
    const char *checkpoint;  /* NULL = none; see crew_saved.h */
    bool resume;
    void (*progress)(void *context, uint64_t done); /* may be NULL */
    void *progress_context;
} hzi_probe_config;

/* An item as one line of JSON, and back; false when the line is none. */
void hzi_probe_item_put(const hzi_probe_item *item, hzi_text *json);
bool hzi_probe_item_read(const char *line, size_t length, hzi_probe_item *item);

/* Called for each position, in order; on ranks beyond 0 for none. */
typedef hz_status (*hzi_probe_visit)(void *context, const hzi_probe_item *item, hz_error *err);
/* HZ_CANCELLED; what opening or asking the players says, with the position; HZ_CHECKPOINT and HZ_IO of
 * the checkpoint. */
hz_status hzi_probe_run(const hzi_probe_config *config, hzi_probe_visit visit, void *context,
                        hz_error *err);

/* ---- what comes out ---- */

/* Numbers that are gathered, and how they are spread (nearest rank). */
typedef struct hzi_series {
    double *at; /* owned */
    size_t count, capacity;
    bool failed;
} hzi_series;
void hzi_series_add(hzi_series *series, double value);
void hzi_series_free(hzi_series *series);
typedef struct hzi_spread {
    uint64_t count;
    double mean, p10, p50, p90, p99, max; /* NAN without numbers */
} hzi_spread;
/* Sorts the series. */
hzi_spread hzi_series_spread(hzi_series *series);

typedef struct hzi_recall {
    uint64_t limit;
    uint64_t positions, exposed; /* all, and those with more results than the limit */
    /* Of the exposed ones: */
    uint64_t same, equal_score, worse, better;
    hzi_spread loss;    /* of the worse ones, in the units of the bot's scores */
    hzi_spread results; /* of all positions */
    hzi_spread ms[2];   /* limited, unlimited; of the exposed ones */
} hzi_recall;
/* players: the same bot with the limit and without. */
hz_status hzi_recall_run(const hzi_probe_config *config, uint64_t limit, hzi_recall *recall,
                         hz_error *err);

typedef struct hzi_models {
    uint64_t positions, same, passes, illegal[2];
    hzi_moments values; /* of the decisions of A and B, passes and wins apart */
    hzi_spread ms[2];
} hzi_models;
hz_status hzi_models_run(const hzi_probe_config *config, hzi_models *models, hz_error *err);

typedef struct hzi_collapse {
    uint64_t positions, same;
    uint64_t searched, collapsed; /* candidates of the second player, and those it answered so */
    hzi_moments values;           /* of candidates: averaged over the rolls, and learned */
    hzi_moments decisions;        /* of what was chosen, likewise */
    hzi_spread ms[2];
    double speed; /* median of the exact time over the learned one, position by position */
} hzi_collapse;
/* players: the exact bot, and the same with a collapse model. */
hz_status hzi_collapse_run(const hzi_probe_config *config, hzi_collapse *collapse, hz_error *err);

/* ---- reports ---- */

/* A line of JSON, or a text for people. `source` says where the positions are from. */
typedef struct hzi_probe_report {
    const hzi_probe_config *config;
    const char *source;
    bool json;
} hzi_probe_report;
hz_status hzi_recall_report(const hzi_probe_report *report, const hzi_recall *recall,
                            hz_report_sink sink, void *context, hz_error *err);
hz_status hzi_models_report(const hzi_probe_report *report, const hzi_models *models,
                            hz_report_sink sink, void *context, hz_error *err);
hz_status hzi_collapse_report(const hzi_probe_report *report, const hzi_collapse *collapse,
                              hz_report_sink sink, void *context, hz_error *err);

/* ---- inner: pieces of those reports ---- */

/* Opens the object and writes kind, program, machine, players and positions. HZ_IO of digests. */
hz_status hzi_probe_put_head(hzi_text *json, const char *kind, const hzi_probe_report *report,
                             hz_error *err);
/* Digests of a player's text for the head of a report. */
hz_status hzi_put_player(hzi_text *json, const char *key, const char *text, hz_registry *registry,
                         hz_error *err);
void hzi_put_spread(hzi_text *json, const char *key, const hzi_spread *spread);
void hzi_put_moments(hzi_text *json, const char *key, const hzi_moments *moments);
/* "p10 1.2, half 3.4, p90 5.6, most 7.8" with a unit. */
void hzi_print_spread(hzi_text *text, const char *label, const hzi_spread *spread,
                      const char *unit);
/* The time, as reports say it. */
enum { HZI_DATE_CAPACITY = 32 };
const char *hzi_date_now(char buffer[HZI_DATE_CAPACITY]);

#endif
