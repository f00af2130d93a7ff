/* SPDX-License-Identifier: MIT */
/* What the verbs of `hazard league` share. */
#ifndef HAZARD_CLI_LEAGUE_H
#define HAZARD_CLI_LEAGUE_H

#include "cli/json.h"
#include "cli/verbs.h"

/* A submission as it lies on disk. */
typedef struct hzc_league_file {
    void *bytes; /* owned: free */
    size_t length;
} hzc_league_file;

/* Reads a file (one more byte than is allowed at most: the check refuses it). HZC_DONE or an exit
 * code after a complaint. */
int hzc_league_read(const hzc_args *args, const char *path, hzc_league_file *file);
/* The operand behind the verb as an entry's number. */
bool hzc_league_id(const hzc_args *args, int64_t *id);
/* --position-ms, --memory-mb, --game-s, --executor. */
bool hzc_league_limits(const hzc_args *args, hz_league_limits *limits);
/* Openings of --second in `arena` and `openings`, else the built-in second set; NULL after a
 * complaint. */
const hz_league_opening *hzc_league_second(const hzc_args *args, hz_arena *arena,
                                           hz_league_opening openings[HZ_LEAGUE_OPENINGS]);

/* The store of --db, which must be there; NULL after a complaint with its exit code in *code. */
hz_league_store *hzc_league_store(const hzc_args *args, int *code);

/* Members of an open object. */
void hzc_league_json_verdict(hzc_json *json, const hz_league_verdict *verdict);
void hzc_league_json_scores(hzc_json *json, int level, const hz_league_score *levels,
                            const hz_league_score *second, bool fitted);
/* "36.5/50 (+30 =13 -7)". */
void hzc_league_score_text(const hz_league_score *score, char *buffer, size_t capacity);

/* The verbs; each returns an exit code. */
int hzc_league_check(const hzc_args *args);
int hzc_league_run(const hzc_args *args);
int hzc_league_reference(const hzc_args *args);
int hzc_league_submit(const hzc_args *args);
int hzc_league_work(const hzc_args *args);
int hzc_league_board(const hzc_args *args);
int hzc_league_show(const hzc_args *args);
int hzc_league_games(const hzc_args *args);
int hzc_league_verify(const hzc_args *args);
int hzc_league_baseline(const hzc_args *args);
int hzc_league_ladder(const hzc_args *args);
int hzc_league_openings(const hzc_args *args);

#endif
