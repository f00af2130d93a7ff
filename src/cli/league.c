/* SPDX-License-Identifier: MIT */
/* `hazard league`: the table of its options, its verbs, and what these share. */
#include "cli/league.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const about[] = {
    "The evaluator league: a network judges chess positions for a player that looks one move ahead "
    "and then only at captures and promotions. It meets four baselines, fifty games each; whoever "
    "gets 35 points meets the next. Entries are ranked by the highest level cleared, then by the "
    "fewest parameters. The first operand says what to do.",
    "check MODEL makes the checks of a submission in a sandboxed child process and says what the "
    "file counts; MODEL is an ONNX graph with one input [batch,1540] and one output [batch,1].",
    "run MODEL checks and plays. MODEL may also be 'material' or 'handcrafted', which play without "
    "a child.",
    "submit MODEL puts the file into the store, checks it, plays, and keeps every game. What was "
    "submitted before is not played again. An author waits ten minutes after an entry that was "
    "played; at most six files a minute are checked.",
    "work takes the entries that wait, and those whose program was ended, one after the other. "
    "board prints the board, show ID an entry, games ID its games. verify ID plays some of its "
    "games again and compares; verify all does so for every entry, and takes others every day.",
    "reference NAME writes the graph of a row that is shown beside the board: material, or "
    "handcrafted, which is the baselines' own evaluation.",
    "baseline N is a dialogue by the Universal Chess Interface in which level N answers; openings "
    "prints what every level is played from. ladder plays each level against the next one, from "
    "openings that it makes: random moves, kept when a search finds them balanced.",
    "docs/league.md has the rules, an entry step by step, and what counts as a parameter.",
    NULL};

static const hzc_option options[] = {
    {"level", 'l', "N", "run: only this level, 1 to 4; ladder: only this one against the next"},
    {"threads", 't', "N", "run, submit, work, ladder: games at the same time (default 1)"},
    {"fen", 0, NULL, "openings: print the positions they lead to"},
    {"games", 'g', "N", "ladder: games of each step, two an opening (default 200)"},
    {"seed", 0, "N",
     "ladder: openings of this seed (default 1); verify: which games (default: those of the day)"},
    {"out", 0, "FILE", "reference: the file to write"},
    {"save", 'o', "FILE", "run: write the games to this file as PGN; '-' prints them"},
    {"pgn", 'p', NULL, "games: print them as PGN"},
    {"second", 0, "FILE",
     "run, submit, work: 25 openings for the second figure, lines of code, name, moves with tabs "
     "between them; '-' = no second figure"},
    {"author", 'a', "NAME", "submit: whose entry it is, at most 40 characters"},
    {"strategy", 's', "TEXT", "submit: the idea behind it, at most 80 characters"},
    {"db", 'd', "FILE", "the store (default league.db)"},
    {"reference", 0, NULL, "submit: a row that is shown and not ranked"},
    {"every", 'n', "N", "verify: every N-th game (default 100)"},
    {"position-ms", 0, "N", "most time for a position of the probe run (default 1000)"},
    {"memory-mb", 0, "N", "most memory of the child (default 2048)"},
    {"game-s", 0, "N", "most time of the evaluator in a game (default 300)"},
    {"executor", 'x', "NAME", "what runs the graph: builtin or onnxruntime (default: what can)"},
    {"evade", 0, NULL, "run: in check search every move; an experiment, not for the board"},
    HZC_OPTION_JSON,
    HZC_OPTION_HELP,
    {0}};

static const hzc_example examples[] = {
    {"hazard league reference material --out material.onnx", "A graph to begin with."},
    {"hazard league check material.onnx", "Whether it would be accepted, and what it counts."},
    {"hazard league run material.onnx --threads 2", "Plays until a level is not passed."},
    {"hazard league submit material.onnx --author Ada --strategy 'five numbers'",
     "An entry in the store league.db."},
    {"hazard league board", "Who leads."},
    {"hazard league show 1", "What became of entry 1."},
    {"hazard league games 1 --pgn | head -40", "The first games of entry 1."},
    {0}};

static const hzc_verb verbs[] = {{"check", hzc_league_check},
                                 {"run", hzc_league_run},
                                 {"submit", hzc_league_submit},
                                 {"work", hzc_league_work},
                                 {"board", hzc_league_board},
                                 {"show", hzc_league_show},
                                 {"games", hzc_league_games},
                                 {"verify", hzc_league_verify},
                                 {"baseline", hzc_league_baseline},
                                 {"ladder", hzc_league_ladder},
                                 {"openings", hzc_league_openings},
                                 {"reference", hzc_league_reference},
                                 {0}};

/* ---- shared ---------------------------------------------------------------------------------------- */

bool hzc_league_id(const hzc_args *args, int64_t *id) {
    const char *text;
    if (!hzc_verb_operand(args, "the number of an entry", &text)) {
        return false;
    }
    size_t length = strlen(text);
    if (length < 1 || length > 15 || strspn(text, "0123456789") != length) {
        (void)hzc_usage(args, "'%s' is no number of an entry", text);
        return false;
    }
    *id = strtoll(text, NULL, 10);
    return true;
}

int hzc_league_read(const hzc_args *args, const char *path, hzc_league_file *file) {
    size_t capacity = 1 << 16;
    *file = (hzc_league_file){0};
    FILE *stream = fopen(path, "rb");
    if (!stream) {
        return hzc_complain(args, HZC_ENVIRONMENT, "%s: %s", path, strerror(errno));
    }
    int code = HZC_DONE;
    for (;;) {
        char *more = realloc(file->bytes, capacity);
        if (!more) {
            code = hzc_complain(args, HZC_ENVIRONMENT, "out of memory");
            break;
        }
        file->bytes = more;
        file->length += fread(more + file->length, 1, capacity - file->length, stream);
        if (ferror(stream)) {
            code = hzc_complain(args, HZC_ENVIRONMENT, "%s: %s", path, strerror(errno));
            break;
        }
        if (file->length < capacity || file->length > HZ_LEAGUE_FILE_MAX) {
            break;
        }
        capacity *= 2;
    }
    (void)fclose(stream);
    if (code != HZC_DONE) {
        free(file->bytes);
    }
    return code;
}

bool hzc_league_limits(const hzc_args *args, hz_league_limits *limits) {
    uint64_t memory_mb = 2048, game_s = 300;
    *limits = (hz_league_limits){.position_ms = 1000};
    if (!hzc_args_count(args, "position-ms", 1, 3600000, &limits->position_ms) ||
        !hzc_args_count(args, "memory-mb", 64, 1048576, &memory_mb) ||
        !hzc_args_count(args, "game-s", 1, 86400, &game_s)) {
        return false;
    }
    limits->memory_bytes = memory_mb << 20;
    limits->game_ms = game_s * 1000;
    limits->executor = hzc_args_value(args, "executor");
    hz_error err;
    const hz_executor *executor;
    if (limits->executor && (strcmp(limits->executor, "auto") == 0)) {
        limits->executor = NULL;
    }
    if (limits->executor && hz_executor_find(limits->executor, &executor, &err) != HZ_OK) {
        (void)hzc_report(args, &err, NULL, 0);
        return false;
    }
    return true;
}

const hz_league_opening *hzc_league_second(const hzc_args *args, hz_arena *arena,
                                           hz_league_opening openings[HZ_LEAGUE_OPENINGS]) {
    const char *path = hzc_args_value(args, "second");
    hzc_league_file file;
    hz_error err;
    if (!path) {
        return hz_league_second_openings;
    }
    if (hzc_league_read(args, path, &file) != HZC_DONE) {
        return NULL;
    }
    hz_status status = hz_league_openings_read(file.bytes, file.length, arena, openings, &err);
    free(file.bytes);
    if (status != HZ_OK) {
        (void)hzc_report(args, &err, NULL, 0);
        return NULL;
    }
    return openings;
}

void hzc_league_json_verdict(hzc_json *json, const hz_league_verdict *verdict) {
    char code[8];
    (void)snprintf(code, sizeof code, "E%02d", verdict->code);
    hzc_json_bool(json, "accepted", verdict->code == HZ_LEAGUE_ACCEPTED);
    if (verdict->code == HZ_LEAGUE_ACCEPTED) {
        hzc_json_null(json, "code");
    } else {
        hzc_json_text(json, "code", code);
    }
    hzc_json_text(json, "message", verdict->message);
    hzc_json_text(json, "digest", verdict->digest);
    hzc_json_count(json, "bytes", verdict->bytes);
    if (verdict->counted) {
        hzc_json_count(json, "parameters", verdict->parameters.strict);
        hzc_json_count(json, "common_parameters", verdict->parameters.common);
        hzc_json_count(json, "information_bits", verdict->parameters.bits);
    }
    if (verdict->executor[0]) {
        hzc_json_text(json, "executor", verdict->executor);
        hzc_json_text(json, "executor_version", verdict->executor_version);
        hzc_json_bool(json, "batched", verdict->batched);
        hzc_json_double(json, "slowest_position_ms", verdict->position_ms);
    }
    hzc_json_array(json, "warnings");
    if (verdict->constant) {
        hzc_json_text(json, NULL, "E14");
    }
    hzc_json_end_array(json);
}

static void json_score(hzc_json *json, const char *key, int level, const hz_league_score *score) {
    hzc_json_object(json, key);
    hzc_json_integer(json, "level", level);
    hzc_json_text(json, "name", hz_league_level_name(level));
    hzc_json_integer(json, "played", score->played);
    hzc_json_integer(json, "wins", score->wins);
    hzc_json_integer(json, "draws", score->draws);
    hzc_json_integer(json, "losses", score->losses);
    hzc_json_double(json, "points", (double)hz_league_points2(score) / 2.0);
    hzc_json_bool(json, "passed",
                  score->played == HZ_LEAGUE_GAMES &&
                      hz_league_points2(score) >= HZ_LEAGUE_PASS_POINTS2);
    hzc_json_end_object(json);
}

void hzc_league_json_scores(hzc_json *json, int level, const hz_league_score *levels,
                            const hz_league_score *second, bool fitted) {
    hzc_json_integer(json, "level", level);
    hzc_json_array(json, "levels");
    for (int i = 0; i < HZ_LEAGUE_LEVELS; i++) {
        if (levels[i].played > 0) {
            json_score(json, NULL, i + 1, &levels[i]);
        }
    }
    hzc_json_end_array(json);
    if (second->played > 0) {
        json_score(json, "second", level, second);
    } else {
        hzc_json_null(json, "second");
    }
    hzc_json_bool(json, "fitted", fitted);
}

void hzc_league_score_text(const hz_league_score *score, char *buffer, size_t capacity) {
    int points2 = hz_league_points2(score);
    (void)snprintf(buffer, capacity, "%d%s/%d (+%d =%d -%d)", points2 / 2, points2 % 2 ? ".5" : "",
                   score->played, score->wins, score->draws, score->losses);
}

static int run(const hzc_args *args) {
    if (args->operand_count == 1 && strcmp(args->operands[0], "runner") == 0) {
        return hz_league_runner(0); /* the child of the sandbox: not for people, so in no table */
    }
    return hzc_verb_run(args, verbs);
}

const hzc_command hzc_command_league = {
    .name = "league",
    .summary = "enter the contest of the smallest evaluators",
    .operands = "VERB [MODEL|ID|N|NAME]",
    .paragraphs = about,
    .options = options,
    .examples = examples,
    .exit_no = "the file was refused, an entry has to wait or is not there, a game did not repeat "
               "itself, a level is not shown to be above the one below",
    .run = run,
};
