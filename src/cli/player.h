/* SPDX-License-Identifier: MIT */
/* A bot as a command uses it: found by its text, perhaps behind an opening book, with the memory
 * its answers need. */
#ifndef HAZARD_CLI_PLAYER_H
#define HAZARD_CLI_PLAYER_H

#include "cli/args.h"

enum { HZC_MOST_MS = 1000000000 };

/* How long a bot may think about a turn. */
typedef struct hzc_allowance {
    bool has_clock;
    hz_clock clock; /* move_number 0 = that of the position */
    hz_time_policy policy;
    uint64_t budget_ms; /* without a clock; 0 = no limit */
} hzc_allowance;

typedef struct hzc_player {
    hz_registry *registry;
    hzc_allowance allowance;
    hz_book *book; /* NULL without one */
    hz_bot bot;
    hz_arena arena; /* of the latest answer */
} hzc_player;

/* Options of every command that asks a bot. */
#define HZC_OPTION_BOT                                                                             \
    {                                                                                              \
        "bot", 'b', "BOT",                                                                         \
            "the bot to ask, perhaps with options: greedy (the default), "                         \
            "monte-carlo:rollouts=200; 'hazard bots' lists them"                                   \
    }
#define HZC_OPTION_MODEL                                                                           \
    {                                                                                              \
        "model", 'm', "DIR",                                                                       \
            "the model of the bot: short for its option model=DIR; without --bot that of "         \
            "onnx-expectimax"                                                                      \
    }
#define HZC_OPTION_BOOK                                                                            \
    { "book", 0, "FILE", "play from this opening book while it knows the position" }
#define HZC_OPTION_SEED                                                                            \
    {                                                                                              \
        "seed", 's', "N",                                                                          \
            "the seed of all random choices, 0 to 18446744073709551615; the same "                 \
            "seed repeats the run, without it the system gives one"                                \
    }

#define HZC_OPTION_BUDGET                                                                          \
    {                                                                                              \
        "budget-ms", 0, "MS",                                                                      \
            "milliseconds a timed bot may think about a turn; without a limit it finishes, and "   \
            "its answer repeats by the seed"                                                       \
    }
/* Options of commands that let a bot think by the clock. */
#define HZC_OPTIONS_TIME                                                                           \
    {"time", 't', "MS",                                                                            \
     "milliseconds left on the bot's clock; it decides how long a timed bot thinks, whatever "     \
     "--budget-ms says"},                                                                          \
        {"inc", 'i', "MS", "with --time: milliseconds added for each turn (default 0)"},           \
        {"move-number", 0, "N", "with --time: the move number (default that of the position)"},    \
        {"moves-to-go", 0, "N",                                                                    \
         "with --time: turns left to share the time (default: the policy guesses)"},               \
        {"time-policy", 0, "NAME", "with --time: empirical-v1 (the default) or legacy-linear-v1"}, \
        HZC_OPTION_BUDGET

/* A registry with every bot there is; NULL after a complaint. */
hz_registry *hzc_registry_new(const hzc_args *args);
/* Reads the options of HZC_OPTIONS_TIME, or those of them that the command has. False after saying what is wrong. */
bool hzc_allowance_read(const hzc_args *args, hzc_allowance *allowance);
/* Milliseconds for a turn in this position; 0 = no limit. */
uint64_t hzc_allowance_ms(const hzc_allowance *allowance, const hz_position *position);
/* A bot's text with one more option, commas and backslashes escaped; NULL without memory. The caller
 * frees it. bot: NULL = onnx-expectimax. */
char *hzc_bot_with_option(const char *bot, const char *name, const char *value);

/* Opens the bot of --bot, --model and --book. Returns HZC_DONE, or another exit code after saying what is
 * wrong. Call hzc_player_fini in both cases. */
int hzc_player_open(hzc_player *player, const hzc_args *args);
/* The same with another bot for when neither --bot nor --model is given. */
int hzc_player_open_or(hzc_player *player, const hzc_args *args, const char *otherwise);
void hzc_player_fini(hzc_player *player);

/* Asks for a turn within the player's allowance; the lists of the answer live until the next
 * question. */
hz_status hzc_player_choose(hzc_player *player, const hz_position *position, hz_random *random,
                            hz_bot_answer *answer, hz_error *err);
/* The same; on failure says why and returns the exit code. */
int hzc_player_ask(hzc_player *player, const hzc_args *args, const hz_position *position,
                   hz_random *random, hz_bot_answer *answer);

/* Reads a whole file of at most `most` bytes; the caller frees *text. Returns an exit code, having
 * said what is wrong. */
int hzc_read_file(const hzc_args *args, const char *path, size_t most, char **text, size_t *length);

#endif
