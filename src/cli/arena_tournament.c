/* SPDX-License-Identifier: MIT */
/* `hazard arena tournament` and `hazard arena gauntlet`: more than two players, a table of ratings. */
#include "cli/arena_setup.h"

static const char *const about_tournament[] = {
    "Plays every PLAYER against every other one, --pairs pairs of games each, and prints a table "
    "of "
    "ratings with error bars and a table of who did what to whom. Ratings are those under which "
    "the "
    "results are the most likely; their mean is 0.",
    "Players are named as for 'hazard arena', whose options mean the same here.", NULL};

static const char *const about_gauntlet[] = {
    "Plays the first PLAYER against each of the others, --pairs pairs of games each, and prints a "
    "table of ratings.",
    "Players are named as for 'hazard arena', whose options mean the same here.", NULL};

static const hzc_option options[] = {HZC_OPTIONS_ARENA, {0}};

static const hzc_example examples_tournament[] = {
    {"hazard arena tournament random greedy aggressive --pairs 20", "Three bots."}, {0}};

static const hzc_example examples_gauntlet[] = {
    {"hazard arena gauntlet greedy-v2 random greedy aggressive --pairs 20",
     "One bot against three others."},
    {0}};

static int play(const hzc_args *args, hz_match_scheme scheme) {
    hzc_arena arena;
    int code = hzc_arena_begin(&arena, args, scheme);
    if (code == HZC_DONE) {
        if (args->operand_count < 2) {
            code = hzc_usage(args, "at least two players are needed");
        }
        arena.config.player_count = (size_t)args->operand_count;
        arena.config.players = (const char *const *)args->operands;
        code = code == HZC_DONE ? hzc_arena_read(&arena) : code;
        code = hzc_arena_play(&arena, code);
    }
    hzc_arena_fini(&arena);
    return code;
}

static int run_tournament(const hzc_args *args) {
    return play(args, HZ_SCHEME_ROUND_ROBIN);
}

static int run_gauntlet(const hzc_args *args) {
    return play(args, HZ_SCHEME_GAUNTLET);
}

const hzc_command hzc_command_arena_tournament = {
    .name = "arena tournament",
    .summary = "play everybody against everybody and rate them",
    .operands = "PLAYER...",
    .paragraphs = about_tournament,
    .options = options,
    .examples = examples_tournament,
    .exit_no = "the tournament was stopped",
    .run = run_tournament,
    .shared = true,
};

const hzc_command hzc_command_arena_gauntlet = {
    .name = "arena gauntlet",
    .summary = "play one player against each of the others",
    .operands = "PLAYER...",
    .paragraphs = about_gauntlet,
    .options = options,
    .examples = examples_gauntlet,
    .exit_no = "the gauntlet was stopped",
    .run = run_gauntlet,
    .shared = true,
};
