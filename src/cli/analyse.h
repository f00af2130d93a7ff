/* SPDX-License-Identifier: MIT */
/* What the two halves of `hazard analyse` share: one position, and games. */
#ifndef HAZARD_CLI_ANALYSE_H
#define HAZARD_CLI_ANALYSE_H

#include "bots/analysis.h"
#include "cli/draw.h"
#include "cli/json.h"
#include "cli/player.h"
#include "cli/progress.h"

typedef struct hzc_analyse {
    const hzc_args *args;
    hzc_out *out;
    hzc_json json;
    bool as_json;
    uint64_t shown;     /* results to show; 0 = all */
    uint64_t budget_ms; /* for each position; 0 = no limit */
    hzc_player player;
    hz_bot_judgement judgement;
    hzi_analysis_config config;
    hzi_analyst *analyst;
    hz_arena arena;
} hzc_analyse;

/* Judges a position; the lists live until the next one. Says what is wrong and returns an exit code.
 * progress: NULL = none. */
int hzc_analyse_position(hzc_analyse *a, const hz_position *position, const hz_turn *played,
                         hzc_progress *progress, hzi_analysis *analysis);
/* A value on the judge's axis, as people read it: a model's as a percentage, centipawns as pawns. */
enum { HZC_VALUE_CAPACITY = 48 };
void hzc_value_text(const hzc_analyse *a, double value, bool sign, char text[HZC_VALUE_CAPACITY]);
/* Members of an open object: value, loss, rank; null without a value. */
void hzc_json_judged(hzc_json *json, const hzi_judged *result);

/* Judges the games of a file ("-" = the standard input). An exit code. */
int hzc_analyse_games(hzc_analyse *a, const char *path);

#endif
