/* SPDX-License-Identifier: MIT */
/* A bot as a command uses it: found by its text, perhaps behind an opening book, with the memory
 * its answers need. */
#ifndef HAZARD_CLI_PLAYER_H
#define HAZARD_CLI_PLAYER_H

#include "cli/args.h"

typedef struct hzc_player {
    hz_registry *registry;
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
#define HZC_OPTION_BOOK                                                                            \
    { "book", 0, "FILE", "play from this opening book while it knows the position" }
#define HZC_OPTION_SEED                                                                            \
    {                                                                                              \
        "seed", 's', "N",                                                                          \
            "the seed of all random choices, 0 to 18446744073709551615; the same "                 \
            "seed repeats the run, without it the system gives one"                                \
    }

/* Opens the bot of --bot and --book. Returns HZC_DONE, or another exit code after saying what is
 * wrong. Call hzc_player_fini in both cases. */
int hzc_player_open(hzc_player *player, const hzc_args *args);
void hzc_player_fini(hzc_player *player);

/* Asks for a turn; the lists of the answer live until the next question. */
hz_status hzc_player_choose(hzc_player *player, const hz_position *position, hz_random *random,
                            hz_bot_answer *answer, hz_error *err);
/* The same; on failure says why and returns the exit code. */
int hzc_player_ask(hzc_player *player, const hzc_args *args, const hz_position *position,
                   hz_random *random, hz_bot_answer *answer);

/* Reads a whole file of at most `most` bytes; the caller frees *text. Returns an exit code, having
 * said what is wrong. */
int hzc_read_file(const hzc_args *args, const char *path, size_t most, char **text, size_t *length);

#endif
