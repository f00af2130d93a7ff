/* SPDX-License-Identifier: MIT */
/* What the three probes share: the options that say which positions, reading them, asking. */
#ifndef HAZARD_CLI_ARENA_PROBES_H
#define HAZARD_CLI_ARENA_PROBES_H

#include "arena/probe.h"
#include "arena/sample.h"
#include "cli/arena_common.h"
#include "cli/progress.h"
#include "cli/ranks.h"

#define HZC_OPTIONS_PROBE                                                                          \
    {"positions", 'p', "FILE",                                                                     \
     "ask about the positions of this file: DFENs, one a line, or game records"},                  \
        {"count", 'n', "N", "ask about so many positions of games (default 300)"},                 \
        {"games-of", 0, "BOT", "games of this bot against itself (default greedy)"},               \
        {"seed", 's', "N", "the seed of games, dice and choices (default 42)"},                    \
        {"repeats", 0, "N", "ask N times and keep the quickest time (default 1)"},                 \
        {"threads", 'j', "N", "positions at a time (default 1); times are honest with one"},       \
        HZC_OPTIONS_KEPT, HZC_OPTION_JSON, HZC_OPTION_HELP

typedef struct hzc_probe {
    const hzc_args *args;
    hzi_probe_config config;
    hzi_probe_report report;
    hzi_sample sample;
    char *owned[2]; /* texts of the players, where they were put together */
    char source[300];
    hzc_progress progress;
    hzc_ranks ranks;
    unsigned ranks_lost;
    bool leads; /* rank 0, which reports */
} hzc_probe;

/* Joins other ranks, reads the options above and makes the positions. The players are set by the caller,
 * before or after. An exit code; call fini in any case. */
int hzc_probe_open(hzc_probe *probe, const hzc_args *args);
/* Whether all ranks can begin: the exit code of what came before, of the worst of them. */
int hzc_probe_agree(hzc_probe *probe, int code);
/* After a run: the exit code, having said what went wrong. */
int hzc_probe_done(hzc_probe *probe, hz_status status, const hz_error *err);
void hzc_probe_fini(hzc_probe *probe);
/* Player number `side` becomes a bot's text with one more option. An exit code. */
int hzc_probe_player(hzc_probe *probe, int side, const char *bot, const char *option,
                     const char *value);

#endif
