/* SPDX-License-Identifier: MIT */
/* `hazard arena`: a match of two players. What else the arena does is in arena_*.c. */
#include "cli/arena_setup.h"

static const char *const about[] = {
    "Plays a match of A against B and says what its result is worth. Every pair of games is played "
    "from the same start with the same dice and colours swapped; every answer is checked, and one "
    "that is no legal turn loses the game. A score is always given with its interval.",
    "A player is a bot, perhaps with options ('hazard bots' lists them), the http:// or https:// "
    "address of a bot server, or uci:COMMAND, a program that speaks UCI; words behind the command "
    "say how it is asked: depth=N, nodes=N, movetime=MS, timeout=MS, option.NAME=VALUE. For chess "
    "it is uci:COMMAND or 'search', perhaps with options "
    "(search:depth=6,nodes=N,movetime=MS,table=MIB,model=FILE). docs/arena.md has all of them.",
    "With --sprt the match ends as soon as the sequential test has decided between 'A is at most "
    "elo0 better' and 'A is at least elo1 better'; --pairs is then a cap. Untimed matches repeat "
    "by their seed, whatever the number of threads.",
    "A run that was stopped, by a signal or by force, goes on with --checkpoint FILE --resume; its "
    "counters are in the end those of a run that was never stopped. mpirun -n N hazard arena ... "
    "shares the pairs among ranks. 'hazard arena tournament' and 'gauntlet' play with more "
    "players, 'hazard arena stats' works on counters alone.",
    NULL};

static const hzc_option options[] = {
    {"a", 'a', "PLAYER", "the player under test"},
    {"b", 'b', "PLAYER", "the player it is compared with"},
    {"book-a", 0, "FILE", "opening book of A (Dice Chess)"},
    {"book-b", 0, "FILE", "opening book of B"},
    {"sprt", 0, "TEST", "stop when this test has decided: elo0,elo1 or elo0,elo1,alpha,beta"},
    HZC_OPTIONS_ARENA,
    {0}};

static const hzc_example examples[] = {
    {"hazard arena --a aggressive --b greedy --pairs 100", "Two bots, two hundred games."},
    {"hazard arena --a greedy-v2 --b random --sprt 0,20 --json",
     "Is the cautious bot stronger? Exits with 0 when it is."},
    {"hazard arena --a 'uci:hazard uci option.Bot=greedy' --b aggressive --pairs 5",
     "A program of Dice Chess against a bot."},
    {0}};

static int read_match(hzc_arena *a, const char *players[2], const char *books[2]) {
    const hzc_args *args = a->args;
    players[0] = hzc_args_value(args, "a");
    players[1] = hzc_args_value(args, "b");
    books[0] = hzc_args_value(args, "book-a");
    books[1] = hzc_args_value(args, "book-b");
    if (args->operand_count > 0) {
        return hzc_usage(args, "'%.60s' is no part of the arena; players are named by --a and --b",
                         args->operands[0]);
    }
    if (!players[0] || !players[1]) {
        return hzc_usage(args, "a match needs --a and --b");
    }
    a->config.players = players;
    a->config.books = books;
    const char *test = hzc_args_value(args, "sprt");
    int code = test ? hzc_arena_read_sprt(args, test, &a->sprt) : HZC_DONE;
    if (test) {
        a->config.sprt = &a->sprt;
    }
    return code;
}

static int run(const hzc_args *args) {
    hzc_arena arena;
    const char *players[2], *books[2];
    int code = hzc_arena_begin(&arena, args, HZ_SCHEME_MATCH);
    if (code == HZC_DONE) {
        code = read_match(&arena, players, books);
        code = code == HZC_DONE ? hzc_arena_read(&arena) : code;
        code = hzc_arena_play(&arena, code);
    }
    hzc_arena_fini(&arena);
    return code;
}

const hzc_command hzc_command_arena = {
    .name = "arena",
    .summary = "play a match of two players and say what its result is worth",
    .operands = "",
    .paragraphs = about,
    .options = options,
    .examples = examples,
    .exit_no = "the test did not show that A is stronger, or the match was stopped",
    .run = run,
    .shared = true,
};
