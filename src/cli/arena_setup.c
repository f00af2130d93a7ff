/* SPDX-License-Identifier: MIT */
/* Options, playing and reporting of runs of games; see arena_setup.h. */
#include "cli/arena_setup.h"

#include "arena/text.h"
#include "cli/arena_common.h"
#include "arena/text.h"
#include "cli/player.h"
#include "cli/whole_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_START_BYTES = 1 << 28 };

/* ---- numbers ---- */

bool hzc_read_real(const char *text, size_t length, double *value) {
    double number = 0.0, scale = 1.0;
    bool minus = length > 0 && *text == '-', point = false;
    size_t digits = 0;
    for (size_t i = minus || (length > 0 && *text == '+'); i < length; i++) {
        if (text[i] == '.' && !point) {
            point = true;
        } else if (text[i] >= '0' && text[i] <= '9') {
            number = 10.0 * number + (text[i] - '0');
            scale *= point ? 10.0 : 1.0;
            digits++;
        } else {
            return false;
        }
    }
    *value = (minus ? -number : number) / scale;
    return digits > 0 && digits <= 30;
}

int hzc_arena_read_sprt(const hzc_args *args, const char *text, hz_sprt *test) {
    double values[4] = {0.0, 20.0, 0.05, 0.05};
    size_t count = 0;
    hz_error err;
    for (const char *at = text; count < 4; at++) {
        size_t length = strcspn(at, ",");
        if (!hzc_read_real(at, length, &values[count])) {
            break;
        }
        count++;
        at += length;
        if (*at == '\0') {
            *test = (hz_sprt){values[0], values[1], values[2], values[3]};
            if (count != 2 && count != 4) {
                break;
            }
            return hz_sprt_check(test, &err) == HZ_OK ? HZC_DONE
                                                      : hzc_usage(args, "--sprt: %s", err.message);
        }
    }
    return hzc_usage(args, "--sprt: '%.60s' is not elo0,elo1 or elo0,elo1,alpha,beta", text);
}

/* ---- options ---- */

static int read_start(hzc_arena *a) {
    const char *path = hzc_args_value(a->args, "start");
    char *text = NULL;
    size_t length = 0;
    hz_error err;
    if (!path) {
        return HZC_DONE;
    }
    int code = hzc_read_file(a->args, path, MOST_START_BYTES, &text, &length);
    if (code != HZC_DONE) {
        return code;
    }
    if (hz_openings_parse(text ? text : "", length, a->config.rules.game, &a->openings, &err) !=
        HZ_OK) {
        code = hzc_complain(a->args, hzc_exit_code(err.code), "%s: %s: %s", path,
                            hz_status_name(err.code), err.message);
    } else {
        a->config.openings = &a->openings;
        a->config.start_label = path;
    }
    free(text);
    return code;
}

static int read_game(hzc_arena *a) {
    const char *game = hzc_args_value(a->args, "game");
    if (game && strcmp(game, "chess") == 0) {
        a->config.rules.game = HZ_MATCH_CHESS;
    } else if (game && strcmp(game, "dice") != 0) {
        return hzc_usage(a->args, "--game: '%.40s' is not dice or chess", game);
    }
    return HZC_DONE;
}

static int read_numbers(hzc_arena *a) {
    const hzc_args *args = a->args;
    hz_match_config *c = &a->config;
    uint64_t threads = 1, score = 0, turns = 0, overhead = (uint64_t)c->rules.overhead_ms;
    uint64_t lost_after = 30;
    if (!hzc_args_count(args, "pairs", 1, UINT64_C(1) << 40, &c->pairs) ||
        !hzc_args_count(args, "seed", 0, UINT64_MAX, &c->seed) ||
        !hzc_args_count(args, "threads", 1, HZ_THREADS_MAX, &threads) ||
        !hzc_args_count(args, "max-plies", 1, HZ_RECORD_TURNS_MAX, &c->rules.max_plies) ||
        !hzc_args_count(args, "resign-score", 1, INT32_MAX, &score) ||
        !hzc_args_count(args, "resign-turns", 1, 1000, &turns) ||
        !hzc_args_count(args, "overhead-ms", 0, 60000, &overhead) ||
        !hzc_args_count(args, "lost-after", 1, 86400, &lost_after)) {
        return HZC_USAGE;
    }
    if ((score > 0) != (turns > 0)) {
        return hzc_usage(args, "resigning needs --resign-score and --resign-turns");
    }
    c->threads = (unsigned)threads;
    a->ranks.ranks.lost_after_ns = lost_after * UINT64_C(1000000000);
    c->rules.resign_score = (int32_t)score;
    c->rules.resign_turns = (uint32_t)turns;
    c->rules.overhead_ms = (int64_t)overhead;
    return HZC_DONE;
}

static int read_clock(hzc_arena *a) {
    const char *text = hzc_args_value(a->args, "tc");
    const char *policy = hzc_args_value(a->args, "time-policy");
    hz_error err;
    if (text && hz_match_controls_parse(text, a->controls, HZC_ARENA_CONTROLS, &a->control_count,
                                        &err) != HZ_OK) {
        (void)hzc_usage(a->args, "--tc: %s", err.message);
        return HZC_USAGE;
    }
    if (policy && hz_time_policy_find(policy, &a->config.rules.policy, &err) != HZ_OK) {
        return hzc_usage(a->args, "--time-policy: %s", err.message);
    }
    return HZC_DONE;
}

/* A report over the games it is about, or over the positions they began with, would be a loss. */
static int check_apart(const hzc_args *args) {
    static const char *const names[] = {"start",     "book-a",       "book-b",  "catalogue",
                                        "games-log", "games-record", "archive", "checkpoint",
                                        "out",       "html"};
    enum { READ = 4, COUNT = sizeof names / sizeof *names };
    for (size_t i = READ; i < COUNT; i++) {
        const char *path = hzc_args_value(args, names[i]);
        for (size_t k = 0; k < i && path; k++) {
            const char *other = hzc_args_value(args, names[k]);
            if (other && hzc_whole_file_same(path, other)) {
                return hzc_usage(args, "--%s and --%s are the same file", names[k], names[i]);
            }
        }
    }
    return HZC_DONE;
}

static int read_files(hzc_arena *a) {
    const hzc_args *args = a->args;
    hz_match_config *c = &a->config;
    const char *out = hzc_args_value(args, "out");
    c->games_log = hzc_args_value(args, "games-log");
    c->games_record = hzc_args_value(args, "games-record");
    c->archive = hzc_args_value(args, "archive");
    c->checkpoint = hzc_args_value(args, "checkpoint");
    c->resume = hzc_args_has(args, "resume");
    if (c->resume && !c->checkpoint) {
        return hzc_usage(args, "--resume goes with --checkpoint");
    }
    int code = check_apart(args);
    if (code != HZC_DONE) {
        return code;
    }
    const char *page = hzc_args_value(args, "html");
    uint64_t shown = 12;
    if (!hzc_args_count(args, "html-games", 0, 1000, &shown)) {
        return HZC_USAGE;
    }
    if (!page && hzc_args_has(args, "html-games")) {
        return hzc_usage(args, "--html-games goes with --html");
    }
    c->page_games = page ? (size_t)shown : 0;
    const char *reports[] = {out, page};
    for (size_t i = 0; i < 2 && code == HZC_DONE && a->ranks.ranks.rank == 0; i++) {
        code = reports[i] ? hzc_whole_file_check(args, reports[i]) : HZC_DONE;
    }
    return code;
}

int hzc_arena_begin(hzc_arena *arena, const hzc_args *args, hz_match_scheme scheme) {
    *arena = (hzc_arena){.args = args, .config = hz_match_config_default()};
    arena->config.scheme = scheme;
    return hzc_ranks_open(&arena->ranks, args);
}

int hzc_arena_read(hzc_arena *arena) {
    hz_match_config *c = &arena->config;
    static int (*const steps[])(hzc_arena *) = {read_game, read_numbers, read_clock, read_start,
                                                read_files};
    int code = HZC_DONE;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && code == HZC_DONE; i++) {
        code = steps[i](arena);
    }
    c->fresh_dice = hzc_args_has(arena->args, "fresh-dice");
    c->rules.carelessness = hzc_args_has(arena->args, "carelessness");
    c->rules.verify = hzc_args_has(arena->args, "verify");
    c->luck = hzc_args_value(arena->args, "luck");
    if (arena->ranks.ranks.size > 1) {
        c->ranks = &arena->ranks.ranks;
    }
    if (code == HZC_DONE) {
        arena->registry = hzc_registry_new(arena->args);
        c->registry = arena->registry;
        code = arena->registry ? HZC_DONE : HZC_ENVIRONMENT;
    }
    return code;
}

/* ---- reporting ---- */

static int report(hzc_arena *a, const hz_match_view *view, bool first) {
    bool json = hzc_args_has(a->args, "json");
    const char *path = hzc_args_value(a->args, "out");
    hz_error err;
    hz_report_sink sink = path ? hzi_text_sink : hzc_report_to_out;
    void *context = path ? (void *)&a->reports : (void *)a->args->out;
    if (!json && !first) {
        (void)sink(context, "\n", 1);
    }
    hz_status status =
        (json ? hz_match_report_json : hz_match_report_text)(view, sink, context, &err);
    if (status != HZ_OK && !a->args->out->failed) {
        return hzc_report(a->args, &err, NULL, 0);
    }
    /* Whoever called us sees that the standard output is gone. */
    return path ? hzc_whole_file_write(a->args, path, a->reports.bytes, a->reports.length)
                : HZC_DONE;
}

static int verdict(const hz_match_view *view) {
    if (view->cancelled) {
        return HZC_NO;
    }
    if (view->config->sprt) {
        return view->pairings[0].sprt.verdict == HZ_SPRT_H1 ? HZC_DONE : HZC_NO;
    }
    return HZC_DONE;
}

/* ---- playing ---- */

/* The files of a further time control: FILE.2 and so on. */
static const char *numbered(const char *path, size_t number, char **owned) {
    if (!path || number == 1) {
        return path;
    }
    *owned = malloc(strlen(path) + 24);
    if (*owned) {
        (void)sprintf(*owned, "%s.%zu", path, number);
    }
    return *owned;
}

int hzc_arena_page(const hzc_args *args, const hz_match_view *view, size_t number) {
    const char *path = hzc_args_value(args, "html");
    char *owned = NULL;
    hzi_text page = {0};
    hz_error err;
    if (!path) {
        return HZC_DONE;
    }
    path = numbered(path, number, &owned);
    int code = HZC_DONE;
    if (!path) {
        code = hzc_complain(args, HZC_ENVIRONMENT, "--html: out of memory");
    } else if (hz_match_report_html(view, path, hzi_text_sink, &page, &err) != HZ_OK) {
        code = hzc_report(args, &err, NULL, 0);
    } else {
        code = hzc_whole_file_write(args, path, page.bytes, page.length);
    }
    hzi_text_fini(&page);
    free(owned);
    return code;
}

static int play_once(hzc_arena *a, int code, size_t number, bool *lost, bool *stop) {
    hz_match_config config = a->config;
    char *owned[3] = {NULL, NULL, NULL};
    hz_match_run *run = NULL;
    hz_error err;
    hz_error_clear(&err);
    config.games_log = numbered(config.games_log, number, &owned[0]);
    config.games_record = numbered(config.games_record, number, &owned[1]);
    config.checkpoint = numbered(config.checkpoint, number, &owned[2]);
    int own = code;
    if (code == HZC_DONE && hz_match_run_new(&config, &run, &err) != HZ_OK) {
        own = hzc_exit_code(err.code);
        if (a->ranks.ranks.rank == 0) {
            (void)hzc_report(a->args, &err, NULL, 0);
        }
    }
    code = own;
    if (number == 1) {
        code = hzc_ranks_agree(&a->ranks, a->args, own);
    } else {
        /* A rank may have died after its part of the last match; it is then lost in this one. */
        (void)hzc_ranks_gather(&a->ranks, (double)a->ranks.ranks.lost_after_ns / 1e9, &code);
    }
    if (a->ranks.ranks.rank > 0 && own != HZC_DONE && err.code != HZ_OK) {
        (void)hzc_complain(a->args, own, "rank %d: %s: %s", a->ranks.ranks.rank,
                           hz_status_name(err.code), err.message);
    }
    if (code == HZC_DONE) {
        hz_status status = hz_match_run_play(run, &err);
        const hz_match_view *view = hz_match_run_view(run);
        hzc_arena_progress_end(&a->progress);
        *lost = *lost || view->ranks_lost > 0;
        *stop = view->cancelled;
        if (a->ranks.ranks.rank > 0) {
            code = status == HZ_OK ? HZC_DONE : hzc_exit_code(status);
        } else if (status != HZ_OK) {
            code = hzc_report(a->args, &err, NULL, 0);
            if (view->pairs_done > 0 || config.checkpoint) {
                (void)hzc_complain(a->args, code, "%llu pairs were finished before%s",
                                   (unsigned long long)view->pairs_done,
                                   config.checkpoint ? "; --resume goes on from there" : "");
            }
        } else {
            code = report(a, view, number == 1);
            code = code == HZC_DONE ? hzc_arena_page(a->args, view, number) : code;
            code = code == HZC_DONE ? verdict(view) : code;
        }
    }
    hz_match_run_free(run);
    free(owned[0]);
    free(owned[1]);
    free(owned[2]);
    return code;
}

int hzc_arena_play(hzc_arena *arena, int code) {
    size_t rounds = arena->control_count ? arena->control_count : 1;
    if (code == HZC_DONE && arena->config.rules.game == HZ_MATCH_CHESS && !arena->config.openings &&
        arena->config.pairs > 1 && !arena->control_count) {
        (void)hzc_complain(arena->args, HZC_DONE,
                           "warning: every pair begins alike, and players that always answer the "
                           "same play it again; give openings with --start");
    }
    bool lost = false, stop = false;
    int worst = code;
    arena->config.rules.cancel = hzc_stop_on_signals(&arena->ranks);
    if (arena->ranks.ranks.rank == 0) {
        arena->config.progress = hzc_arena_progress_step;
        arena->config.progress_context = &arena->progress;
    }
    for (size_t i = 0; i < rounds && !stop; i++) {
        if (lost) {
            /* Only rank 0 is sure to know who is left: it plays the rest alone. */
            if (arena->ranks.ranks.rank > 0) {
                break;
            }
            hzc_ranks_part(&arena->ranks);
            arena->config.ranks = NULL;
        }
        if (arena->control_count) {
            arena->config.rules.control = arena->controls[i];
        }
        arena->progress = hzc_arena_progress_begin(arena->args->command->name);
        int one = play_once(arena, code, i + 1, &lost, &stop);
        worst = one > worst ? one : worst;
        if (one > HZC_NO) {
            break;
        }
    }
    hzc_ranks_close(&arena->ranks, lost);
    return arena->ranks.ranks.rank > 0 && worst == HZC_NO ? HZC_DONE : worst;
}

void hzc_arena_fini(hzc_arena *arena) {
    hzc_ranks_close(&arena->ranks, false);
    hz_registry_free(arena->registry);
    hz_openings_free(&arena->openings);
    hzi_text_fini(&arena->reports);
}
