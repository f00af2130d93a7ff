/* SPDX-License-Identifier: MIT */
/*
 * What the two expectimax bots share: their settings as options and as a configuration of the
 * search, and the search's answer as a bot's answer.
 */
#ifndef HAZARD_BOTS_SEARCHER_H
#define HAZARD_BOTS_SEARCHER_H

#include <hazard/bots.h>

/* The options both have, at the beginning of their tables. */
enum {
    HZI_OPTION_LIMIT,
    HZI_OPTION_DEPTH,
    HZI_OPTION_TABLE,
    HZI_OPTION_EXACT_ONLY,
    HZI_OPTION_NO_PRUNING,
    HZI_OPTION_THREADS,
    HZI_SEARCH_OPTIONS
};
enum { HZI_MOST_CANDIDATES = 1000000, HZI_MOST_TABLE_BITS = 24, HZI_MOST_THREADS = 64 };
#define HZI_SEARCH_OPTION_TABLE                                                                    \
    {"limit",                                                                                      \
     HZ_OPTION_COUNT,                                                                              \
     1,                                                                                            \
     HZI_MOST_CANDIDATES,                                                                          \
     "8",                                                                                          \
     NULL,                                                                                         \
     "results looked into, the best ones by the pre-ranking",                                      \
     64},                                                                                          \
        {"depth",                                                                                  \
         HZ_OPTION_COUNT,                                                                          \
         2,                                                                                        \
         3,                                                                                        \
         "2",                                                                                      \
         NULL,                                                                                     \
         "2: the own turn and the enemy's reply to every roll; 3: one more turn",                  \
         0},                                                                                       \
        {"table",                                                                                  \
         HZ_OPTION_COUNT,                                                                          \
         0,                                                                                        \
         HZI_MOST_TABLE_BITS,                                                                      \
         "0",                                                                                      \
         NULL,                                                                                     \
         "a transposition table of 2^N entries; 0 = none",                                         \
         16},                                                                                      \
        {"exactonly",                                                                              \
         HZ_OPTION_SWITCH,                                                                         \
         0,                                                                                        \
         1,                                                                                        \
         "0",                                                                                      \
         NULL,                                                                                     \
         "the table keeps and uses exact values only",                                             \
         0},                                                                                       \
        {"nopruning",                                                                              \
         HZ_OPTION_SWITCH,                                                                         \
         0,                                                                                        \
         1,                                                                                        \
         "0",                                                                                      \
         NULL,                                                                                     \
         "look into every candidate to the end; the answer is the same",                           \
         0},                                                                                       \
    {                                                                                              \
        "threads", HZ_OPTION_COUNT, 1, HZI_MOST_THREADS, "1", NULL,                                \
            "threads that share the candidates; the answer is the same", 1                         \
    }

hz_bot_search hzi_search_from_values(const hz_option_value *values);

/* Fills what comes from the settings; the judges are the caller's to set. A table is made when one
 * is wanted: *table is the caller's to free. HZ_INVALID_ARGUMENT, HZ_NO_MEMORY. */
hz_status hzi_search_config(const hz_bot_search *settings, hz_expectimax_config *config,
                            hz_table **table, hz_error *err);
/* Asks the search and answers what it says. */
hz_status hzi_search_choose(hz_expectimax *search, const hz_bot_request *request,
                            hz_bot_answer *answer, hz_error *err);

#endif
