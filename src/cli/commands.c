/* SPDX-License-Identifier: MIT */
/* The list of subcommands, in the order of the help. */
#include "cli/command.h"

#include <string.h>

static const hzc_command *const commands[] = {
    &hzc_command_play,
    &hzc_command_best,
    &hzc_command_analyse,
    &hzc_command_odds,
    &hzc_command_equity,
    &hzc_command_turns,
    &hzc_command_apply,
    &hzc_command_position,
    &hzc_command_perft,
    &hzc_command_features,
    &hzc_command_bots,
    &hzc_command_model,
    &hzc_command_agree,
    &hzc_command_arena,
    &hzc_command_arena_tournament,
    &hzc_command_arena_gauntlet,
    &hzc_command_arena_stats,
    &hzc_command_arena_compare,
    &hzc_command_arena_scenarios,
    &hzc_command_arena_recall,
    &hzc_command_arena_models,
    &hzc_command_arena_collapse,
    &hzc_command_arena_conform,
    &hzc_command_selfplay,
    &hzc_command_league,
    &hzc_command_uci,
    &hzc_command_query,
    &hzc_command_bench,
    &hzc_command_version,
    &hzc_command_help,
    NULL,
};

enum { COMMANDS = sizeof commands / sizeof commands[0] - 1 };

const hzc_command *hzc_command_at(size_t index) {
    return index < COMMANDS ? commands[index] : NULL;
}

static bool is_called(const hzc_command *command, const char *name) {
    const char *real = command->name;
    while (*real && (*real == *name || (*real == ' ' && *name == '-'))) {
        real++;
        name++;
    }
    return *real == '\0' && *name == '\0';
}

const hzc_command *hzc_command_find(const char *name) {
    for (size_t i = 0; commands[i]; i++) {
        if (is_called(commands[i], name)) {
            return commands[i];
        }
    }
    return NULL;
}

const hzc_command *hzc_command_find_two(const char *first, const char *second) {
    size_t length = strlen(first);
    for (size_t i = 0; commands[i]; i++) {
        const char *name = commands[i]->name;
        if (strncmp(name, first, length) == 0 && name[length] == ' ' &&
            strcmp(name + length + 1, second) == 0) {
            return commands[i];
        }
    }
    return NULL;
}
