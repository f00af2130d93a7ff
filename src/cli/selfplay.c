/* SPDX-License-Identifier: MIT */
/* `hazard selfplay`: games of bots among themselves, as food for training. */
#include "arena/selfplay.h"
#include "cli/arena_common.h"
#include "cli/json.h"
#include "cli/player.h"
#include "cli/progress.h"
#include "cli/ranks.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_OPENINGS_BYTES = 1 << 28, DEFAULT_SEED = 42, DEFAULT_GAMES = 100 };

static const char *const about[] = {
    "Plays games of Dice Chess of a bot against itself, or of several bots against each other: "
    "give "
    "--bot several times, and every pairing with both colours takes its turn. Each turn is written "
    "with its roll, what was played, what the bot thought of it, and the odds of both kings before "
    "the roll: with how many of the 216 rolls the enemy would take the mover's king (own), and the "
    "mover the enemy's (enemy).",
    "Games should differ. --random-plies N begins each with N random turns, --openings starts from "
    "the positions of a file, --temperature T draws among the bot's results in place of the best: "
    "one that is worth D less comes up exp(-D/T) times as often, in the units of the bot's scores "
    "(centipawns; for models ten-thousandths of a win). A king that can be taken is taken. Bots "
    "that search draw among the candidates with an exact value; their option nopruning=1 gives "
    "all of them one.",
    "The output is game records, or with --format rows one compact binary row for each turn; both "
    "are described in docs/formats.md. Game number g has the dice of the seed plus g and depends "
    "on "
    "the settings only: the same command gives the same bytes, with any number of threads. "
    "A run that was stopped, even by force, goes on with --resume: whole games are kept, and the "
    "file in the end is the one an uninterrupted run would have made. It also makes a finished "
    "file "
    "longer.",
    "mpirun -n N hazard selfplay ... shares the games among ranks; rank 0 writes.",
    "--show FILE looks through such a file, checks all of it and says what is in it.",
    NULL};

static const hzc_option options[] = {
    {"bot", 'b', "BOT",
     "who plays, perhaps with options (default greedy); several times for a pool: "
     "monte-carlo:rollouts=200, onnx-eval:model=DIR, uci:COMMAND, http://ADDRESS"},
    {"games", 'n', "N", "games in all, 1 to 4294967295 (default 100)"},
    {"out", 'o', "FILE", "where the games go; by default the standard output"},
    {"format", 'f', "FORMAT", "record (the default) or rows"},
    {"resume", 'r', NULL, "go on with the file of --out"},
    {"seed", 's', "N", "the seed of all dice and choices (default 42)"},
    {"random-plies", 0, "N", "random turns at the beginning of each game (default 0)"},
    {"temperature", 't', "T", "draw among the results by their values (default 0: the best)"},
    {"temperature-plies", 0, "N", "draw in the first N plies of a game only (default all)"},
    {"openings", 0, "FILE",
     "start positions, a DFEN or FEN a line, or the ends of game records, in turn"},
    {"max-plies", 0, "N", "a game that lasts so long is drawn, 1 to 60000 (default 1000)"},
    {"threads", 'j', "N", "games at a time, 1 to 256 (default 1)"},
    HZC_OPTION_LOST_AFTER,
    {"show", 0, "FILE", "check a file of games or rows and say what is in it"},
    HZC_OPTION_JSON,
    HZC_OPTION_HELP,
    {0}};

static const hzc_example examples[] = {
    {"hazard selfplay --games 2 --bot greedy --random-plies 4", "Two games, on the screen."},
    {"hazard selfplay -n 2000 -b aggressive -t 50 -f rows -o games.hzr -j 4",
     "Rows for training; the same command with --resume goes on after a stop."},
    {"hazard selfplay --show games.hzr", "What is in the file."},
    {0}};

/* ---- what is asked for ---- */

typedef struct selfplay {
    const hzc_args *args;
    hzi_selfplay_config config;
    const char *players[HZI_SELFPLAY_PLAYERS_MAX];
    hz_openings openings;
    char openings_digest[65];
    hzc_progress progress;
    hzc_ranks ranks;
    bool lost; /* a rank, on the way */
} selfplay;

static int read_players(selfplay *s) {
    for (size_t i = 0; i < s->args->given_count; i++) {
        const hzc_given *given = &s->args->given[i];
        if (strcmp(given->option->name, "bot") != 0) {
            continue;
        }
        if (s->config.player_count == HZI_SELFPLAY_PLAYERS_MAX) {
            return hzc_usage(s->args, "--bot: at most %d bots", (int)HZI_SELFPLAY_PLAYERS_MAX);
        }
        s->players[s->config.player_count++] = given->value;
    }
    if (s->config.player_count == 0) {
        s->players[s->config.player_count++] = "greedy";
    }
    s->config.players = s->players;
    return HZC_DONE;
}

static int read_openings(selfplay *s) {
    const char *path = hzc_args_value(s->args, "openings");
    char *text = NULL;
    size_t length = 0;
    hz_error err;
    if (!path) {
        return HZC_DONE;
    }
    int code = hzc_read_file(s->args, path, MOST_OPENINGS_BYTES, &text, &length);
    if (code != HZC_DONE) {
        return code;
    }
    if (hz_openings_parse(text, length, HZ_MATCH_DICE, &s->openings, &err) != HZ_OK) {
        code = hzc_complain(s->args, hzc_exit_code(err.code), "%s: %s: %s", path,
                            hz_status_name(err.code), err.message);
    } else {
        hz_sha256_hex(text, length, s->openings_digest);
        s->config.openings = &s->openings;
        s->config.openings_name = s->openings_digest;
    }
    free(text);
    return code;
}

static int read_numbers(selfplay *s) {
    const hzc_args *args = s->args;
    hzi_selfplay_config *config = &s->config;
    uint64_t threads = 1, lost_after = 30;
    config->seed = DEFAULT_SEED;
    config->games = DEFAULT_GAMES;
    config->max_plies = 1000;
    config->how.temperature_plies = UINT64_MAX;
    if (!hzc_args_count(args, "games", 1, UINT32_MAX, &config->games) ||
        !hzc_args_count(args, "seed", 0, UINT64_MAX, &config->seed) ||
        !hzc_args_count(args, "random-plies", 0, HZI_SELFPLAY_PLIES_MAX,
                        &config->how.random_plies) ||
        !hzc_args_count(args, "temperature-plies", 0, HZI_SELFPLAY_PLIES_MAX,
                        &config->how.temperature_plies) ||
        !hzc_args_count(args, "max-plies", 1, HZI_SELFPLAY_PLIES_MAX, &config->max_plies) ||
        !hzc_args_count(args, "threads", 1, HZ_THREADS_MAX, &threads) ||
        !hzc_args_count(args, "lost-after", 1, 86400, &lost_after)) {
        return HZC_USAGE;
    }
    config->threads = (unsigned)threads;
    s->ranks.ranks.lost_after_ns = lost_after * UINT64_C(1000000000);
    const char *text = hzc_args_value(args, "temperature");
    if (text) {
        char *end = NULL;
        double value = *text >= '0' && *text <= '9' ? strtod(text, &end) : -1.0;
        if (!(value >= 0.0) || !isfinite(value) || !end || *end) {
            return hzc_usage(args, "--temperature: '%.40s' is not a number from 0 on", text);
        }
        config->how.temperature = value;
    } else if (hzc_args_has(args, "temperature-plies")) {
        return hzc_usage(args, "--temperature-plies goes with --temperature");
    }
    return HZC_DONE;
}

static int read_output(selfplay *s) {
    const hzc_args *args = s->args;
    const char *format = hzc_args_value(args, "format");
    s->config.path = hzc_args_value(args, "out");
    if (s->config.path && strcmp(s->config.path, "-") == 0) {
        s->config.path = NULL;
    }
    s->config.resume = hzc_args_has(args, "resume");
    if (format && strcmp(format, "rows") == 0) {
        s->config.format = HZI_SELFPLAY_ROWS;
    } else if (format && strcmp(format, "record") != 0) {
        return hzc_usage(args, "--format: '%.40s' is not record or rows", format);
    }
    if (!s->config.path) {
        if (s->config.resume) {
            return hzc_usage(args, "--resume needs the file of --out");
        }
        if (hzc_args_has(args, "json")) {
            return hzc_usage(args, "--json needs --out, for the games are on the standard output");
        }
        if (s->config.format == HZI_SELFPLAY_ROWS && isatty(STDOUT_FILENO) == 1) {
            return hzc_usage(args, "rows are not for a terminal; give a file with --out");
        }
        s->config.sink = hzc_report_to_out;
        s->config.sink_context = args->out;
    }
    return HZC_DONE;
}

/* ---- running ---- */

static void step(void *context, const hzi_selfplay_counts *counts) {
    selfplay *s = context;
    s->progress.total = s->config.games - counts->resumed;
    hzc_progress_step(&s->progress, counts->games - counts->resumed);
}

static void put_counts_json(hzc_json *json, const hzi_selfplay_counts *counts) {
    const struct {
        const char *key;
        uint64_t value;
    } items[] = {{"games", counts->games},      {"resumed", counts->resumed},
                 {"plies", counts->plies},      {"forced_passes", counts->forced_passes},
                 {"white", counts->white},      {"black", counts->black},
                 {"draws", counts->draws},      {"fifty", counts->fifty},
                 {"length", counts->length},    {"random_turns", counts->openings},
                 {"drawn_turns", counts->drawn}};
    for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
        hzc_json_count(json, items[i].key, items[i].value);
    }
}

static void report(selfplay *s, const hzi_selfplay_counts *counts, double seconds) {
    hzc_out *out = s->args->out;
    uint64_t played = counts->games - counts->resumed;
    if (hzc_args_has(s->args, "json")) {
        hzc_json json = hzc_json_to(out);
        hzc_json_object(&json, NULL);
        hzc_json_text(&json, "kind", "selfplay");
        hzc_json_text(&json, "out", s->config.path);
        hzc_json_text(&json, "format", s->config.format == HZI_SELFPLAY_ROWS ? "rows" : "record");
        hzc_json_seed(&json, "seed", s->config.seed);
        put_counts_json(&json, counts);
        hzc_json_double(&json, "seconds", seconds);
        hzc_json_end_object(&json);
        hzc_out_char(out, '\n');
        return;
    }
    hzc_out_format(out, "%.300s: %" PRIu64 " games", s->config.path, counts->games);
    if (counts->resumed) {
        hzc_out_format(out, ", %" PRIu64 " of them were there", counts->resumed);
    }
    hzc_out_char(out, '\n');
    if (played) {
        hzc_out_format(out,
                       "%" PRIu64 " games in %.1f s (%.0f/s): %" PRIu64 " won by White, %" PRIu64
                       " by Black, %" PRIu64 " drawn; %.1f turns each\n",
                       played, seconds, (double)played / (seconds > 0.001 ? seconds : 0.001),
                       counts->white, counts->black, counts->draws,
                       (double)counts->plies / (double)played);
    }
}

/* ---- looking through a file ---- */

static ptrdiff_t from_file(void *context, char *buffer, size_t capacity) {
    FILE *file = context;
    size_t got = fread(buffer, 1, capacity, file);
    return got == 0 && ferror(file) ? -1 : (ptrdiff_t)got;
}

typedef struct content {
    const char *format;
    uint64_t games, rows, white, black, draws, passes, scored, openings, drawn;
    bool complete;
} content;

static void count_row(content *c, const hzi_row *row) {
    bool white = row->position.side == HZ_WHITE;
    c->rows++;
    c->passes += row->turn.count == 0;
    c->scored += (row->flags & HZI_ROW_SCORED) != 0;
    c->openings += (row->flags & HZI_ROW_OPENING) != 0;
    c->drawn += (row->flags & HZI_ROW_DRAWN) != 0;
    if (row->left == 0) {
        c->white += row->result != 0 && (row->result > 0) == white;
        c->black += row->result != 0 && (row->result > 0) != white;
        c->draws += row->result == 0;
    }
}

static void put_setting(hzc_out *out, const hzi_rows_setting *setting) {
    hzc_out_text(out, setting->key);
    hzc_out_text(out, " ");
    hzc_out_text(out, setting->value);
    hzc_out_char(out, '\n');
}

static int show_rows(const hzc_args *args, const char *path, FILE *file, content *c,
                     hzc_json *json) {
    hzi_rows_reader *reader;
    hz_error err;
    size_t count;
    if (hzi_rows_open(from_file, file, &reader, &err) != HZ_OK) {
        return hzc_complain(args, hzc_exit_code(err.code), "%s: %s", path, err.message);
    }
    const hzi_rows_setting *settings = hzi_rows_settings(reader, &count);
    if (json) {
        hzc_json_object(json, "settings");
    }
    for (size_t i = 0; i < count; i++) {
        if (json) {
            hzc_json_text(json, settings[i].key, settings[i].value);
        } else {
            put_setting(args->out, &settings[i]);
        }
    }
    if (json) {
        hzc_json_end_object(json);
    }
    int code = HZC_DONE;
    for (;;) {
        hzi_rows_block block;
        hz_status status = hzi_rows_next(reader, &block, &err);
        if (status == HZ_NOT_FOUND || status == HZ_INCOMPLETE) {
            c->complete = status == HZ_NOT_FOUND;
            break;
        }
        if (status != HZ_OK) {
            code = hzc_complain(args, hzc_exit_code(status), "%s: byte %zu: %s", path, err.offset,
                                err.message);
            break;
        }
        c->games += block.games;
        for (size_t i = 0; i < block.count; i++) {
            count_row(c, &block.rows[i]);
        }
    }
    hzi_rows_close(reader);
    return code;
}

static int show_records(const hzc_args *args, const char *path, FILE *file, content *c) {
    hz_record_reader *reader = malloc(sizeof *reader);
    hz_arena arena = {0};
    int code = reader ? HZC_DONE : hzc_complain(args, HZC_ENVIRONMENT, "out of memory");
    if (reader) {
        hz_record_reader_init(reader, from_file, file);
    }
    while (code == HZC_DONE) {
        hz_record record;
        hz_error err;
        hz_arena_reset(&arena);
        hz_status status = hz_record_read(reader, &arena, &record, &err);
        if (status == HZ_NOT_FOUND) {
            c->complete = true;
            break;
        }
        if (status == HZ_OK) {
            status = hz_record_replay(&record, record.has_seed, NULL, NULL, NULL, &err);
        }
        if (status != HZ_OK) {
            code = hzc_complain(args, hzc_exit_code(status), "%s:%" PRIu32 ":%" PRIu32 ": %s", path,
                                err.line, err.column, err.message);
            break;
        }
        c->games++;
        c->rows += record.turn_count;
        c->white += record.outcome == HZ_OUTCOME_WHITE;
        c->black += record.outcome == HZ_OUTCOME_BLACK;
        c->draws += record.outcome == HZ_OUTCOME_DRAW;
        for (size_t i = 0; i < record.turn_count; i++) {
            const hz_record_turn *turn = &record.turns[i];
            c->passes += turn->turn.count == 0;
            c->scored += turn->has_score;
            c->openings += turn->comment && strstr(turn->comment, " random");
            c->drawn += turn->comment && strstr(turn->comment, " drawn");
        }
    }
    hz_arena_fini(&arena);
    free(reader);
    return code;
}

static void put_content(hzc_out *out, hzc_json *json, const content *c) {
    const struct {
        const char *key, *text;
        uint64_t value;
    } items[] = {{"games", "games", c->games},
                 {"plies", "turns", c->rows},
                 {"white", "won by White", c->white},
                 {"black", "won by Black", c->black},
                 {"draws", "drawn", c->draws},
                 {"forced_passes", "forced passes", c->passes},
                 {"scored_turns", "turns with a score", c->scored},
                 {"random_turns", "random turns", c->openings},
                 {"drawn_turns", "turns drawn by temperature", c->drawn}};
    for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
        if (json) {
            hzc_json_count(json, items[i].key, items[i].value);
        } else {
            hzc_out_format(out, "%10" PRIu64 "  %s\n", items[i].value, items[i].text);
        }
    }
}

static int show(const hzc_args *args, const char *path) {
    content c = {.format = "record"};
    bool as_json = hzc_args_has(args, "json");
    hzc_json json = hzc_json_to(args->out);
    FILE *file = fopen(path, "rb");
    if (!file) {
        return hzc_complain(args, HZC_ENVIRONMENT, "%s: %s", path, strerror(errno));
    }
    int first = getc(file);
    rewind(file);
    if (first == (unsigned char)HZI_ROWS_MAGIC[0]) {
        c.format = "rows";
    }
    if (as_json) {
        hzc_json_object(&json, NULL);
        hzc_json_text(&json, "file", path);
        hzc_json_text(&json, "format", c.format);
    } else {
        hzc_out_text(args->out, path);
        hzc_out_format(args->out, ": %s\n", c.format);
    }
    int code = c.format[1] == 'o' ? show_rows(args, path, file, &c, as_json ? &json : NULL)
                                  : show_records(args, path, file, &c);
    (void)fclose(file);
    put_content(args->out, as_json ? &json : NULL, &c);
    if (as_json) {
        hzc_json_bool(&json, "complete", c.complete);
        hzc_json_end_object(&json);
        hzc_out_char(args->out, '\n');
    } else if (!c.complete && code == HZC_DONE) {
        hzc_out_text(args->out, "the file ends early; --resume would go on with it\n");
    }
    return code == HZC_DONE && !c.complete ? HZC_NO : code;
}

/* Everything that is read before a file is touched. */
static int read_all(selfplay *s) {
    static int (*const steps[])(selfplay *) = {read_players, read_numbers, read_output,
                                               read_openings};
    int code = HZC_DONE;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && code == HZC_DONE; i++) {
        code = steps[i](s);
    }
    if (code == HZC_DONE) {
        s->config.registry = hzc_registry_new(s->args);
        code = s->config.registry ? HZC_DONE : HZC_ENVIRONMENT;
    }
    return code;
}

static int failed(const selfplay *s, hz_status status, const hz_error *err) {
    return hzc_complain(s->args,
                        status == HZ_CONFLICT || status == HZ_CHECKPOINT ? HZC_USAGE
                                                                         : hzc_exit_code(status),
                        "%s: %s", hz_status_name(status), err->message);
}

static int play(selfplay *s, hzi_selfplay *games, bool leads) {
    hzi_selfplay_counts counts;
    hz_error err;
    uint64_t begun = hz_clock_now_ns();
    hz_status status = hzi_selfplay_play(games, &counts, &err);
    hzc_progress_end(&s->progress);
    s->lost = counts.ranks_lost > 0;
    if (!leads) {
        return status == HZ_OK || status == HZ_CANCELLED ? HZC_DONE : hzc_exit_code(status);
    }
    if (status == HZ_OK && s->config.path) {
        report(s, &counts, (double)(hz_clock_now_ns() - begun) / 1e9);
    } else if (status == HZ_CANCELLED) {
        return hzc_complain(s->args, HZC_NO, "stopped after %" PRIu64 " of %" PRIu64 " games%s",
                            counts.games, s->config.games,
                            s->config.path ? "; --resume goes on" : "");
    } else if (status != HZ_OK && !s->args->out->failed) {
        return failed(s, status, &err);
    }
    return HZC_DONE;
}

/* All ranks read and open, then they agree whether to begin. */
static int run_ranks(selfplay *s) {
    hzi_selfplay *games = NULL;
    hz_error err;
    int code = hzc_ranks_open(&s->ranks, s->args);
    bool leads = s->ranks.ranks.rank == 0;
    if (code != HZC_DONE) {
        return code;
    }
    code = read_all(s);
    if (s->ranks.ranks.size > 1) {
        s->config.ranks = &s->ranks.ranks;
    }
    if (code == HZC_DONE) {
        s->progress = hzc_progress_begin("selfplay", "games", s->config.games);
        s->config.progress = step;
        s->config.progress_context = s;
        s->config.cancel = hzc_stop_on_signals(&s->ranks);
        hz_status status = hzi_selfplay_open(&s->config, &games, &err);
        code = status == HZ_OK ? HZC_DONE : failed(s, status, &err);
    }
    code = hzc_ranks_agree(&s->ranks, s->args, code);
    if (code == HZC_DONE) {
        code = play(s, games, leads);
    }
    hzi_selfplay_close(games);
    hzc_ranks_close(&s->ranks, s->lost);
    return code;
}

static int run(const hzc_args *args) {
    const char *shown = hzc_args_value(args, "show");
    if (!hzc_args_no_operands(args)) {
        return HZC_USAGE;
    }
    if (shown) {
        return show(args, shown);
    }
    selfplay *s = calloc(1, sizeof *s);
    if (!s) {
        return hzc_complain(args, HZC_ENVIRONMENT, "out of memory");
    }
    s->args = args;
    int code = run_ranks(s);
    hz_registry_free(s->config.registry);
    hz_openings_free(&s->openings);
    free(s);
    return code;
}

const hzc_command hzc_command_selfplay = {
    .name = "selfplay",
    .summary = "play games of bots among themselves, for training",
    .operands = "",
    .paragraphs = about,
    .options = options,
    .examples = examples,
    .exit_no = "the run was stopped before its end; --show: the file ends early",
    .run = run,
    .shared = true,
};
