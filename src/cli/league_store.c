/* SPDX-License-Identifier: MIT */
/* `hazard league submit`, `work`, `board`, `show`, `games`: the store. */
#include "cli/league.h"

#include "cli/progress.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static hz_league_store *open_store(const hzc_args *args, int *code) {
    const char *path = hzc_args_value(args, "db");
    hz_league_store *store = NULL;
    hz_error err;
    if (hz_league_store_open(path ? path : "league.db", &store, &err) != HZ_OK) {
        *code = hzc_report(args, &err, NULL, 0);
    }
    return store;
}

hz_league_store *hzc_league_store(const hzc_args *args, int *code) {
    const char *path = hzc_args_value(args, "db");
    path = path ? path : "league.db";
    if (access(path, F_OK) != 0) {
        *code = hzc_complain(args, HZC_ENVIRONMENT, "%s: %s; a store begins with a submission",
                             path, strerror(errno));
        return NULL;
    }
    return open_store(args, code);
}

static int64_t now_s(void) {
    return (int64_t)time(NULL);
}

/* "2026-01-31 12:00:00Z"; 10 characters of it are the date. */
static void time_text(int64_t seconds, char buffer[32]) {
    time_t at = (time_t)seconds;
    struct tm parts;
    if (!gmtime_r(&at, &parts) || strftime(buffer, 32, "%Y-%m-%d %H:%M:%SZ", &parts) == 0) {
        (void)snprintf(buffer, 32, "?");
    }
}

/* ---- an entry ---------------------------------------------------------------------------------------- */

static void json_entry(hzc_json *json, const hz_league_entry *e) {
    char status[80], score[60], code[8];
    (void)hz_league_entry_status(e, status, sizeof status);
    (void)hz_league_entry_score(e, score, sizeof score);
    (void)snprintf(code, sizeof code, "E%02d", e->code);
    hzc_json_integer(json, "id", e->id);
    hzc_json_text(json, "author", e->author);
    hzc_json_text(json, "strategy", e->strategy);
    hzc_json_bool(json, "reference", e->reference);
    hzc_json_integer(json, "time", e->time);
    hzc_json_integer(json, "finished", e->finished);
    hzc_json_text(json, "status", status);
    if (e->code) {
        hzc_json_text(json, "code", code);
    } else {
        hzc_json_null(json, "code");
    }
    hzc_json_text(json, "message", e->message);
    hzc_json_text(json, "digest", e->digest);
    hzc_json_count(json, "bytes", e->bytes);
    hzc_json_text(json, "executor", e->executor);
    hzc_json_count(json, "parameters", e->parameters.strict);
    hzc_json_count(json, "common_parameters", e->parameters.common);
    hzc_json_count(json, "information_bits", e->parameters.bits);
    hzc_json_text(json, "score", score);
    hzc_league_json_scores(json, e->level, e->levels, &e->second, e->fitted);
}

static void print_entry(hzc_out *out, const hz_league_entry *e) {
    char status[80], score[60], when[32];
    (void)hz_league_entry_status(e, status, sizeof status);
    (void)hz_league_entry_score(e, score, sizeof score);
    time_text(e->time, when);
    hzc_out_format(out, "entry %lld%s\n  author      %s\n  strategy    %s\n  submitted   %s\n",
                   (long long)e->id, e->reference ? " (reference, not ranked)" : "", e->author,
                   e->strategy, when);
    hzc_out_format(out, "  status      %s\n", status);
    if (e->message[0]) {
        hzc_out_format(out, "  reason      %s\n", e->message);
    }
    if (e->code == HZ_LEAGUE_E14_CONSTANT) {
        hzc_out_format(out, "  warning     E14, %s\n", hz_league_code_text(e->code));
    }
    hzc_out_format(out,
                   "  file        %llu bytes, SHA-256 %s\n  parameters  %llu (common count %llu), "
                   "%llu information bits\n  executor    %s\n  score       %s\n",
                   (unsigned long long)e->bytes, e->digest,
                   (unsigned long long)e->parameters.strict,
                   (unsigned long long)e->parameters.common, (unsigned long long)e->parameters.bits,
                   e->executor, score);
    for (int i = 0; i < HZ_LEAGUE_LEVELS; i++) {
        if (e->levels[i].played > 0) {
            hzc_league_score_text(&e->levels[i], score, sizeof score);
            hzc_out_format(out, "  level %d     %s\n", i + 1, score);
        }
    }
    if (e->second.played > 0) {
        hzc_league_score_text(&e->second, score, sizeof score);
        hzc_out_format(out, "  second set  %s%s\n", score,
                       e->fitted ? "; fitted to the openings" : "");
    }
}

/* judge: the exit code tells whether the entry was played. */
static int show(const hzc_args *args, hz_league_store *store, int64_t id, bool judge) {
    hz_league_entry entry;
    hz_error err;
    if (hz_league_store_entry(store, id, &entry, &err) != HZ_OK) {
        (void)hzc_report(args, &err, NULL, 0);
        return err.code == HZ_NOT_FOUND ? HZC_NO : HZC_ENVIRONMENT;
    }
    if (hzc_args_has(args, "json")) {
        hzc_json json = hzc_json_to(args->out);
        hzc_json_object(&json, NULL);
        json_entry(&json, &entry);
        hzc_json_end_object(&json);
        hzc_out_char(args->out, '\n');
    } else {
        print_entry(args->out, &entry);
    }
    return !judge || strcmp(entry.status, "done") == 0 ? HZC_DONE : HZC_NO;
}

/* Does something with the entry that the operand names. */
static int with_entry(const hzc_args *args,
                      int (*act)(const hzc_args *args, hz_league_store *store, int64_t id)) {
    int64_t id;
    int code = HZC_DONE;
    if (!hzc_league_id(args, &id)) {
        return HZC_USAGE;
    }
    hz_league_store *store = hzc_league_store(args, &code);
    if (store) {
        code = act(args, store, id);
        hz_league_store_close(store);
    }
    return code;
}

static int show_only(const hzc_args *args, hz_league_store *store, int64_t id) {
    return show(args, store, id, false);
}

int hzc_league_show(const hzc_args *args) {
    return with_entry(args, show_only);
}

/* ---- working ----------------------------------------------------------------------------------------- */

typedef struct job {
    const hzc_args *args;
    hz_league_store *store;
    hz_league_limits limits;
    unsigned threads;
    const hz_league_opening *second; /* NULL = none */
    hz_arena arena;
    hz_league_opening openings[HZ_LEAGUE_OPENINGS];
    int64_t id;
    hzc_progress progress;
    uint64_t games;
} job;

static bool job_options(const hzc_args *args, job *j) {
    uint64_t threads = 1;
    const char *second = hzc_args_value(args, "second");
    *j = (job){.args = args};
    hz_arena_init(&j->arena, 0);
    if (!hzc_args_count(args, "threads", 1, HZ_THREADS_MAX, &threads) ||
        !hzc_league_limits(args, &j->limits)) {
        return false;
    }
    j->threads = (unsigned)threads;
    if (!second || strcmp(second, "-") != 0) {
        j->second = hzc_league_second(args, &j->arena, j->openings);
        return j->second != NULL;
    }
    return true;
}

static hz_status keep_game(void *state, const hz_league_record *record, hz_error *err) {
    job *j = state;
    hzc_progress_step(&j->progress, ++j->games);
    return hz_league_store_add_game(j->store, j->id, now_s(), record, err);
}

static hz_status play(job *j, const void *bytes, size_t length, const hz_league_verdict *verdict,
                      hz_error *err) {
    hz_league_run_config config = {.bytes = bytes,
                                   .length = length,
                                   .limits = j->limits,
                                   .threads = j->threads,
                                   .second = j->second,
                                   .on_game = keep_game,
                                   .state = j};
    hz_league_run_result result;
    config.limits.executor = verdict->executor;
    j->progress = hzc_progress_begin("league", "games", 0);
    j->games = 0;
    hz_status status = hz_league_run(&config, &result, err);
    hzc_progress_end(&j->progress);
    return status == HZ_OK ? hz_league_store_finish(j->store, j->id, now_s(), &result, err)
                           : status;
}

/* Checks and plays entry j->id, which is checking. The result is in the store. */
static hz_status process(job *j, hz_error *err) {
    void *bytes = NULL;
    size_t length = 0;
    hz_league_verdict verdict = {.code = HZ_LEAGUE_E02_PARSE};
    hz_league_entry entry;
    hz_status status = hz_league_store_entry(j->store, j->id, &entry, err);
    if (status == HZ_OK) {
        status = hz_league_store_bytes(j->store, j->id, &bytes, &length, err);
    }
    if (status == HZ_OK) {
        /* The bytes of a file beyond the limit are not kept; its size is. */
        bool too_large = entry.bytes > length;
        status = hz_league_check(bytes, too_large ? HZ_LEAGUE_FILE_MAX + (size_t)1 : length,
                                 &j->limits, NULL, &verdict, err);
    }
    if (status == HZ_OK) {
        status = hz_league_store_verdict(j->store, j->id, now_s(), &verdict, err);
    }
    if (status == HZ_OK && verdict.code == HZ_LEAGUE_ACCEPTED) {
        status = play(j, bytes, length, &verdict, err);
    }
    free(bytes);
    if (status != HZ_OK && status != HZ_CONFLICT) {
        (void)hz_league_store_fail(j->store, j->id, now_s(), err->message, NULL);
    }
    return status;
}

static int say_wait(const hzc_args *args, int64_t wait_s) {
    if (hzc_args_has(args, "json")) {
        hzc_json json = hzc_json_to(args->out);
        hzc_json_object(&json, NULL);
        hzc_json_text(&json, "status", "wait");
        hzc_json_integer(&json, "wait_s", wait_s);
        hzc_json_end_object(&json);
        hzc_out_char(args->out, '\n');
    } else {
        hzc_out_format(args->out, "too early: wait %lld seconds\n", (long long)wait_s);
    }
    return HZC_NO;
}

static int submit(const hzc_args *args, job *j, const hzc_league_file *file, const char *author,
                  const char *strategy) {
    hz_league_answer answer;
    int64_t wait_s;
    hz_error err;
    if (hz_league_store_submit(j->store, author, strategy, file->bytes, file->length, now_s(),
                               hzc_args_has(args, "reference"), &answer, &j->id, &wait_s,
                               &err) != HZ_OK) {
        return hzc_report(args, &err, NULL, 0);
    }
    if (answer == HZ_LEAGUE_WAIT) {
        return say_wait(args, wait_s);
    }
    /* A file that was here before may wait still, or its program was ended: then it is our turn. */
    hz_status status = hz_league_store_begin_check(j->store, j->id, now_s(), &err);
    if (status == HZ_OK) {
        status = process(j, &err);
    } else if (status == HZ_CONFLICT && answer == HZ_LEAGUE_KNOWN) {
        status = HZ_OK;
    }
    if (status != HZ_OK) {
        return hzc_report(args, &err, NULL, 0);
    }
    return show(args, j->store, j->id, true);
}

int hzc_league_submit(const hzc_args *args) {
    const char *path, *author = hzc_args_value(args, "author");
    const char *strategy = hzc_args_value(args, "strategy");
    hzc_league_file file;
    job j;
    if (!hzc_verb_operand(args, "an ONNX graph", &path)) {
        return HZC_USAGE;
    }
    if (!author) {
        return hzc_usage(args, "submit: --author is needed");
    }
    if (!job_options(args, &j)) {
        return HZC_USAGE;
    }
    int code = hzc_league_read(args, path, &file);
    if (code == HZC_DONE) {
        j.store = open_store(args, &code);
        if (j.store) {
            code = submit(args, &j, &file, author, strategy ? strategy : "");
            hz_league_store_close(j.store);
        }
        free(file.bytes);
    }
    hz_arena_fini(&j.arena);
    return code;
}

int hzc_league_work(const hzc_args *args) {
    job j;
    hz_error err;
    int code = HZC_DONE;
    uint64_t done = 0;
    if (args->operand_count > 1) {
        return hzc_usage(args, "what is '%s' for?", args->operands[1]);
    }
    if (!job_options(args, &j)) {
        return HZC_USAGE;
    }
    j.store = hzc_league_store(args, &code);
    while (j.store) {
        hz_status status = hz_league_store_next(j.store, now_s(), &j.id, &err);
        if (status == HZ_NOT_FOUND) {
            break;
        }
        if (status == HZ_OK) {
            status = process(&j, &err);
        }
        if (status != HZ_OK) {
            code = hzc_report(args, &err, NULL, 0);
            break;
        }
        done++;
    }
    if (j.store && code == HZC_DONE && hzc_args_has(args, "json")) {
        hzc_json json = hzc_json_to(args->out);
        hzc_json_object(&json, NULL);
        hzc_json_count(&json, "entries", done);
        hzc_json_end_object(&json);
        hzc_out_char(args->out, '\n');
    } else if (j.store && code == HZC_DONE) {
        hzc_out_format(args->out, "%llu %s\n", (unsigned long long)done,
                       done == 1 ? "entry" : "entries");
    }
    hz_league_store_close(j.store);
    hz_arena_fini(&j.arena);
    return code;
}

/* ---- the board --------------------------------------------------------------------------------------- */

enum { BOARD_COLUMNS = 8 };
typedef struct board_table {
    hzc_out *out; /* NULL: only measure */
    size_t widths[BOARD_COLUMNS];
} board_table;

/* Characters of a text in UTF-8. */
static size_t characters(const char *text) {
    size_t count = 0;
    for (; *text; text++) {
        count += ((unsigned char)*text & 0xC0U) != 0x80U;
    }
    return count;
}

static void table_row(board_table *t, const char *const cells[BOARD_COLUMNS]) {
    for (int i = 0; i < BOARD_COLUMNS; i++) {
        size_t width = characters(cells[i]);
        if (!t->out) {
            t->widths[i] = width > t->widths[i] ? width : t->widths[i];
            continue;
        }
        hzc_out_text(t->out, cells[i]);
        for (; i + 1 < BOARD_COLUMNS && width < t->widths[i] + 2; width++) {
            hzc_out_char(t->out, ' ');
        }
        if (i + 1 == BOARD_COLUMNS) {
            hzc_out_char(t->out, '\n');
        }
    }
}

static bool print_row(void *state, const hz_league_row *row) {
    board_table *t = state;
    char rank[16], score[60], parameters[32], attempts[32], entry[32];
    (void)snprintf(rank, sizeof rank, "%d", row->rank);
    (void)snprintf(parameters, sizeof parameters, "%llu",
                   (unsigned long long)row->best->parameters.strict);
    (void)snprintf(attempts, sizeof attempts, "%lld", (long long)row->attempts);
    (void)snprintf(entry, sizeof entry, "%lld", (long long)row->best->id);
    (void)hz_league_entry_score(row->best, score, sizeof score);
    const char *cells[BOARD_COLUMNS] = {row->rank ? rank : "-",
                                        row->best->author,
                                        row->best->strategy,
                                        parameters,
                                        score,
                                        row->rank ? row->newest_status : "reference, not ranked",
                                        attempts,
                                        entry};
    table_row(t, cells);
    return !t->out || !t->out->failed;
}

/* Measures the board, then prints it; a row that came in between may be wider. */
static hz_status print_board(hz_league_store *store, hzc_out *out, hz_error *err) {
    static const char *const names[BOARD_COLUMNS] = {"rank",  "author", "strategy", "parameters",
                                                     "score", "status", "attempts", "entry"};
    board_table table = {0};
    table_row(&table, names);
    hz_status status = hz_league_store_board(store, print_row, &table, err);
    if (status != HZ_OK) {
        return status;
    }
    table.out = out;
    table_row(&table, names);
    return hz_league_store_board(store, print_row, &table, err);
}

static bool json_row(void *state, const hz_league_row *row) {
    hzc_json *json = state;
    char score[60];
    (void)hz_league_entry_score(row->best, score, sizeof score);
    hzc_json_object(json, NULL);
    if (row->rank) {
        hzc_json_integer(json, "rank", row->rank);
    } else {
        hzc_json_null(json, "rank");
    }
    hzc_json_text(json, "author", row->best->author);
    hzc_json_text(json, "strategy", row->best->strategy);
    hzc_json_count(json, "parameters", row->best->parameters.strict);
    hzc_json_text(json, "score", score);
    hzc_json_text(json, "status", row->rank ? row->newest_status : "reference, not ranked");
    hzc_json_integer(json, "attempts", row->attempts);
    hzc_json_integer(json, "id", row->best->id);
    hzc_json_integer(json, "level", row->best->level);
    hzc_json_end_object(json);
    return !json->out->failed;
}

int hzc_league_board(const hzc_args *args) {
    int code = HZC_DONE;
    hz_error err;
    if (args->operand_count > 1) {
        return hzc_usage(args, "what is '%s' for?", args->operands[1]);
    }
    hz_league_store *store = hzc_league_store(args, &code);
    if (!store) {
        return code;
    }
    hz_status status;
    if (hzc_args_has(args, "json")) {
        hzc_json json = hzc_json_to(args->out);
        hzc_json_array(&json, NULL);
        status = hz_league_store_board(store, json_row, &json, &err);
        hzc_json_end_array(&json);
        hzc_out_char(args->out, '\n');
    } else {
        status = print_board(store, args->out, &err);
    }
    hz_league_store_close(store);
    return status == HZ_OK ? HZC_DONE : hzc_report(args, &err, NULL, 0);
}

/* ---- games ------------------------------------------------------------------------------------------- */

typedef struct listing {
    const hzc_args *args;
    hzc_json json;
    char author[200], date[32];
    bool as_json, as_pgn, failed;
} listing;

static bool put(void *context, const char *bytes, size_t length) {
    listing *l = context;
    hzc_out_bytes(l->args->out, bytes, length);
    return !l->args->out->failed;
}

static const char *result_word(const hz_league_record *record) {
    return record->result.points2 == 2 ? "win" : record->result.points2 == 1 ? "draw" : "loss";
}

static bool list_game(void *state, const hz_league_record *record) {
    listing *l = state;
    const char *color = record->result.color == HZ_WHITE ? "white" : "black";
    if (l->as_pgn) {
        l->failed = hz_league_write_pgn(record, l->author, l->date, put, l, NULL) != HZ_OK;
        return !l->failed;
    }
    if (!l->as_json) {
        hzc_out_format(l->args->out, "%5d  %-6s  %4d  %-5s  %-6s  %-11s  %5zu  %s\n", record->level,
                       record->second ? "second" : "first", record->number, color,
                       result_word(record), hz_league_reason_text(record->result.reason),
                       record->result.plies, record->opening->name);
        return !l->args->out->failed;
    }
    hzc_json *json = &l->json;
    hzc_json_object(json, NULL);
    hzc_json_integer(json, "level", record->level);
    hzc_json_bool(json, "second", record->second);
    hzc_json_integer(json, "number", record->number);
    hzc_json_text(json, "eco", record->opening->eco);
    hzc_json_text(json, "opening", record->opening->name);
    hzc_json_text(json, "opening_moves", record->opening->moves);
    hzc_json_text(json, "color", color);
    hzc_json_text(json, "result", result_word(record));
    hzc_json_text(json, "reason", hz_league_reason_text(record->result.reason));
    hzc_json_count(json, "plies", record->result.plies);
    hzc_json_array(json, "moves");
    for (size_t i = 0; i < record->game->count; i++) {
        hzc_json_move(json, NULL, record->game->moves[i]);
    }
    hzc_json_end_array(json);
    hzc_json_end_object(json);
    return !l->args->out->failed;
}

static int list_games(const hzc_args *args, hz_league_store *store, int64_t id) {
    bool pgn = hzc_args_has(args, "pgn");
    listing l = {.args = args, .as_json = !pgn && hzc_args_has(args, "json"), .as_pgn = pgn};
    hz_league_entry entry;
    hz_error err;
    if (hz_league_store_entry(store, id, &entry, &err) != HZ_OK) {
        (void)hzc_report(args, &err, NULL, 0);
        return err.code == HZ_NOT_FOUND ? HZC_NO : HZC_ENVIRONMENT;
    }
    (void)snprintf(l.author, sizeof l.author, "%s", entry.author);
    time_text(entry.time, l.date);
    l.date[4] = l.date[7] = '.';
    l.date[10] = '\0';
    if (l.as_json) {
        l.json = hzc_json_to(args->out);
        hzc_json_array(&l.json, NULL);
    } else if (!l.as_pgn) {
        hzc_out_format(args->out, "level  set     game  color  result  %-11s  plies  opening\n",
                       "reason");
    }
    hz_status status = hz_league_store_games(store, id, list_game, &l, &err);
    if (l.as_json) {
        hzc_json_end_array(&l.json);
        hzc_out_char(args->out, '\n');
    }
    if (args->out->failed) { /* said at the end of the program, or a reader that had enough */
        return HZC_ENVIRONMENT;
    }
    if (l.failed) {
        return hzc_complain(args, HZC_ENVIRONMENT, "a game cannot be written as PGN");
    }
    return status == HZ_OK ? HZC_DONE : hzc_report(args, &err, NULL, 0);
}

int hzc_league_games(const hzc_args *args) {
    return with_entry(args, list_games);
}
