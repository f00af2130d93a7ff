/* SPDX-License-Identifier: MIT */
/*
 * What the commands that play games share (arena, arena tournament, arena gauntlet): their options,
 * how they are read into a configuration, playing, reporting.
 */
#ifndef HAZARD_CLI_ARENA_SETUP_H
#define HAZARD_CLI_ARENA_SETUP_H

#include "arena/text.h"
#include "cli/arena_common.h"
#include "cli/arena_progress.h"
#include "cli/args.h"
#include "cli/ranks.h"

/* Options of all of them. */
#define HZC_OPTIONS_ARENA                                                                          \
    {"game", 'g', "GAME", "dice (the default) or chess"},                                          \
        {"pairs", 'n', "N",                                                                        \
         "pairs of games, each start and dice with both colours (default 1000)"},                  \
        {"seed", 's', "N", "pair I has the dice of seed N + I (default 42)"},                      \
        {"tc", 't', "LIST",                                                                        \
         "clocks, base+inc in seconds or m:base+inc in minutes; several with commas between them " \
         "are a match each; without it games are untimed"},                                        \
        {"start", 0, "FILE",                                                                       \
         "start positions, one a line (DFEN, FEN, EPD), or the ends of games (game records, "      \
         "PGN)"},                                                                                  \
        {"threads", 'j', "N", "games at a time (default 1); with clocks at most one a core"},      \
        {"fresh-dice", 0, NULL,                                                                    \
         "dice of its own for every game: for opponents that see finished games"},                 \
        {"max-plies", 0, "N", "a game this long is drawn and counted apart (default 1000)"},       \
        {"carelessness", 0, NULL, "count pieces left hanging (Dice Chess)"},                       \
        {"luck", 0, "JUDGE",                                                                       \
         "also report a score with less luck in it: 'king' (cheap), or a bot whose values judge "  \
         "rolls (Dice Chess)"},                                                                    \
        {"verify", 0, NULL, "rebuild every position from nothing and compare"},                    \
        {"resign-score", 0, "S", "resign at a score of -S or less"},                               \
        {"resign-turns", 0, "N",                                                                   \
         "resign after N own turns in a row with such a score; both are needed"},                  \
        {"overhead-ms", 0, "MS", "kept back from deadlines of local players (default 50)"},        \
        {"time-policy", 0, "NAME",                                                                 \
         "how local players divide their time: empirical-v1 (the "                                 \
         "default) or legacy-linear-v1"},                                                          \
        {"games-log", 0, "FILE", "write every game as a line of JSON"},                            \
        {"games-record", 0, "FILE", "write every game as a game record, of chess as PGN"},         \
        {"archive", 0, "DB", "add the games to this SQLite file"},                                 \
        {"checkpoint", 'c', "FILE", "keep what is finished in this file"},                         \
        {"resume", 'r', NULL, "go on with the run of --checkpoint, if it is there"},               \
        HZC_OPTION_LOST_AFTER,                                                                     \
        {"out", 'o', "FILE", "write the report there instead of the standard output"},             \
        {"html", 0, "FILE", "also write the report as a page, with charts and games"},             \
        {"html-games", 0, "N", "games shown on the page, 0 to 1000 (default 12)"},                 \
        HZC_OPTION_JSON, HZC_OPTION_HELP

enum { HZC_ARENA_CONTROLS = 16 };

typedef struct hzc_arena {
    const hzc_args *args;
    hz_match_config config;
    hz_registry *registry;
    hz_openings openings;
    hz_sprt sprt;
    size_t control_count; /* 0 = untimed */
    hz_match_control controls[HZC_ARENA_CONTROLS];
    hzc_ranks ranks;
    hzi_text reports; /* of --out, all of them */
    hzc_arena_progress progress;
} hzc_arena;

/* Joins other ranks. Call hzc_arena_fini whatever this and the next return. */
int hzc_arena_begin(hzc_arena *arena, const hzc_args *args, hz_match_scheme scheme);
/* Reads the shared options; players and what only one command has are the caller's. */
int hzc_arena_read(hzc_arena *arena);
/* Writes the page of --html, if there is one; `number` is that of the time control, from 1. */
int hzc_arena_page(const hzc_args *args, const hz_match_view *view, size_t number);
/* Plays and reports, every time control after the other. code: what reading returned; the ranks
 * agree whether all of them can begin. */
int hzc_arena_play(hzc_arena *arena, int code);
void hzc_arena_fini(hzc_arena *arena);

/* A decimal number, whatever the locale; false when the text is none. */
bool hzc_read_real(const char *text, size_t length, double *value);
/* "elo0,elo1[,alpha,beta]". */
int hzc_arena_read_sprt(const hzc_args *args, const char *text, hz_sprt *test);

#endif
