/* SPDX-License-Identifier: MIT */
/*
 * What a subcommand is. Each one is described once, by a table in its own file: name, operands,
 * paragraphs, options, examples. Reading of options (args.h), help texts (help.c) and man pages
 * (man.c) all come from that table. To add a command: write its file with an `hzc_command`, declare
 * it below and put it into the list in commands.c.
 */
#ifndef HAZARD_CLI_COMMAND_H
#define HAZARD_CLI_COMMAND_H

#include "cli/out.h"

#include <hazard.h>

/* Exit codes, the same for all commands. */
enum {
    HZC_DONE = 0,
    HZC_NO = 1,         /* the answer is "no": refused, incomplete, not found */
    HZC_USAGE = 2,      /* bad usage or input */
    HZC_ENVIRONMENT = 3 /* a missing part, memory, input or output */
};

/* An option: long name, letter or 0, name of its argument or NULL for a switch, help in one
 * sentence without full stop. A table ends with an entry without name. */
typedef struct hzc_option {
    const char *name;
    char letter;
    const char *argument;
    const char *help;
} hzc_option;

/* Options that several commands have. */
#define HZC_OPTION_JSON                                                                            \
    { "json", 0, NULL, "print the result as one line of JSON" }
#define HZC_OPTION_BOARD                                                                           \
    {                                                                                              \
        "board", 0, "STYLE",                                                                       \
            "draw boards as 'ascii', 'unicode' or 'color'; by default whatever "                   \
            "the terminal can show"                                                                \
    }
#define HZC_OPTION_HELP                                                                            \
    { "help", 'h', NULL, "show this help" }

/* A command line and what it shows. A table ends with an entry without command. */
typedef struct hzc_example {
    const char *command;
    const char *shows;
} hzc_example;

typedef struct hzc_args hzc_args;

typedef struct hzc_command {
    const char *name;                 /* one word, or two with a blank */
    const char *summary;              /* one line, lower case, no full stop */
    const char *operands;             /* "DFEN [MOVES]", "" for none */
    const char *const *paragraphs;    /* the description, NULL at the end */
    const hzc_option *options;        /* --help included */
    const hzc_example *examples;      /* may be NULL */
    const char *exit_no;              /* when it exits with 1; NULL = never */
    int (*run)(const hzc_args *args); /* returns the exit code */
    bool shared;                      /* ranks of MPI do it together (ranks.h) */
} hzc_command;

/* Command number `index` in the order of the help, NULL past the end. */
const hzc_command *hzc_command_at(size_t index);
/* The command of this name, or NULL. The words of a name may be joined by '-'. */
const hzc_command *hzc_command_find(const char *name);
/* The command whose name is these two words, or NULL. */
const hzc_command *hzc_command_find_two(const char *first, const char *second);

extern const hzc_command hzc_command_agree;
extern const hzc_command hzc_command_analyse;
extern const hzc_command hzc_command_apply;
extern const hzc_command hzc_command_arena;
extern const hzc_command hzc_command_arena_collapse;
extern const hzc_command hzc_command_arena_compare;
extern const hzc_command hzc_command_arena_conform;
extern const hzc_command hzc_command_arena_gauntlet;
extern const hzc_command hzc_command_arena_models;
extern const hzc_command hzc_command_arena_recall;
extern const hzc_command hzc_command_arena_scenarios;
extern const hzc_command hzc_command_arena_stats;
extern const hzc_command hzc_command_arena_tournament;
extern const hzc_command hzc_command_bench;
extern const hzc_command hzc_command_best;
extern const hzc_command hzc_command_bots;
extern const hzc_command hzc_command_equity;
extern const hzc_command hzc_command_features;
extern const hzc_command hzc_command_help;
extern const hzc_command hzc_command_league;
extern const hzc_command hzc_command_model;
extern const hzc_command hzc_command_odds;
extern const hzc_command hzc_command_perft;
extern const hzc_command hzc_command_play;
extern const hzc_command hzc_command_position;
extern const hzc_command hzc_command_query;
extern const hzc_command hzc_command_selfplay;
extern const hzc_command hzc_command_turns;
extern const hzc_command hzc_command_uci;
extern const hzc_command hzc_command_version;

#endif
