/* SPDX-License-Identifier: MIT */
/* `hazard league check`, `run`, `reference` and `openings`: what needs no store. */
#include "cli/league.h"

#include "cli/progress.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_verdict(hzc_out *out, const hz_league_verdict *v) {
    if (v->code != HZ_LEAGUE_ACCEPTED) {
        hzc_out_format(out, "refused: E%02d, %s\n  %s\n", v->code, hz_league_code_text(v->code),
                       v->message);
        return;
    }
    hzc_out_format(out,
                   "accepted: %llu parameters (common count %llu), %llu information bits, %llu "
                   "bytes\nrun by %s %s%s, slowest position %.3f ms\n",
                   (unsigned long long)v->parameters.strict,
                   (unsigned long long)v->parameters.common, (unsigned long long)v->parameters.bits,
                   (unsigned long long)v->bytes, v->executor, v->executor_version,
                   v->batched ? ", in batches" : ", one by one", v->position_ms);
    if (v->constant) {
        hzc_out_format(out, "warning: E14, %s\n", hz_league_code_text(HZ_LEAGUE_E14_CONSTANT));
    }
}

static void say_verdict(const hzc_args *args, const hz_league_verdict *verdict) {
    if (!hzc_args_has(args, "json")) {
        print_verdict(args->out, verdict);
        return;
    }
    hzc_json json = hzc_json_to(args->out);
    hzc_json_object(&json, NULL);
    hzc_league_json_verdict(&json, verdict);
    hzc_json_end_object(&json);
    hzc_out_char(args->out, '\n');
}

int hzc_league_check(const hzc_args *args) {
    const char *path;
    hz_league_limits limits;
    hzc_league_file file;
    hz_league_verdict verdict;
    hz_error err;
    if (!hzc_verb_operand(args, "an ONNX graph", &path) || !hzc_league_limits(args, &limits)) {
        return HZC_USAGE;
    }
    int code = hzc_league_read(args, path, &file);
    if (code != HZC_DONE) {
        return code;
    }
    hz_status status = hz_league_check(file.bytes, file.length, &limits, NULL, &verdict, &err);
    free(file.bytes);
    if (status != HZ_OK) {
        return hzc_report(args, &err, NULL, 0);
    }
    say_verdict(args, &verdict);
    return verdict.code == HZ_LEAGUE_ACCEPTED ? HZC_DONE : HZC_NO;
}

int hzc_league_reference(const hzc_args *args) {
    const char *name, *path = hzc_args_value(args, "out");
    hz_arena arena;
    const void *bytes;
    size_t length;
    hz_error err;
    if (!hzc_verb_operand(args, "material or handcrafted", &name)) {
        return HZC_USAGE;
    }
    if (!path) {
        return hzc_usage(args, "reference: --out is needed");
    }
    hz_arena_init(&arena, 0);
    int code = HZC_DONE;
    if (hz_league_reference(name, &arena, &bytes, &length, &err) != HZ_OK) {
        code = hzc_report(args, &err, NULL, 0);
    } else {
        FILE *stream = fopen(path, "wb");
        bool good = stream && fwrite(bytes, 1, length, stream) == length;
        good = stream && fclose(stream) == 0 && good;
        if (good && hzc_args_has(args, "json")) {
            hzc_json json = hzc_json_to(args->out);
            hzc_json_object(&json, NULL);
            hzc_json_text(&json, "file", path);
            hzc_json_text(&json, "name", name);
            hzc_json_count(&json, "bytes", length);
            hzc_json_end_object(&json);
            hzc_out_char(args->out, '\n');
        } else if (good) {
            hzc_out_format(args->out, "%s: %zu bytes\n", path, length);
        } else {
            code = hzc_complain(args, HZC_ENVIRONMENT, "%s: %s", path, strerror(errno));
        }
    }
    hz_arena_fini(&arena);
    return code;
}

static void say_opening(const hzc_args *args, hzc_json *json, const hz_league_opening *opening,
                        const hz_position *position) {
    char fen[HZ_DFEN_CAPACITY];
    (void)hz_chess_to_fen(position, fen, sizeof fen);
    if (hzc_args_has(args, "json")) {
        hzc_json_object(json, NULL);
        hzc_json_text(json, "eco", opening->eco);
        hzc_json_text(json, "name", opening->name);
        hzc_json_text(json, "moves", opening->moves);
        hzc_json_text(json, "fen", fen);
        hzc_json_end_object(json);
    } else if (hzc_args_has(args, "fen")) {
        hzc_out_format(args->out, "%s\n", fen);
    } else {
        hzc_out_format(args->out, "%s\t%s\t%s\n", opening->eco, opening->name, opening->moves);
    }
}

int hzc_league_openings(const hzc_args *args) {
    hz_chess_game game;
    hz_error err;
    if (args->operand_count > 1) {
        return hzc_usage(args, "what is '%s' for?", args->operands[1]);
    }
    hzc_json json = hzc_json_to(args->out);
    if (hzc_args_has(args, "json")) {
        hzc_json_array(&json, NULL);
    }
    for (int i = 0; i < HZ_LEAGUE_OPENINGS; i++) {
        if (hz_league_opening_game(&hz_league_openings[i], &game, &err) != HZ_OK) {
            return hzc_report(args, &err, NULL, 0);
        }
        say_opening(args, &json, &hz_league_openings[i], &game.now);
        hz_chess_game_fini(&game);
    }
    if (hzc_args_has(args, "json")) {
        hzc_json_end_array(&json);
        hzc_out_char(args->out, '\n');
    }
    return HZC_DONE;
}

/* ---- run -------------------------------------------------------------------------------------------- */

/* PGN of each game, in its place whoever ended first. */
typedef struct text {
    char *bytes;
    size_t length, capacity;
    bool failed;
} text;

typedef struct playing {
    const char *evaluator;
    bool wants_pgn;
    text games[2][HZ_LEAGUE_LEVELS][HZ_LEAGUE_GAMES];
    hzc_progress progress;
    uint64_t done;
} playing;

static bool add(void *context, const char *bytes, size_t length) {
    text *t = context;
    if (length > t->capacity - t->length) {
        size_t capacity = 2 * (t->capacity + length) + 1024;
        char *more = realloc(t->bytes, capacity);
        if (!more) {
            return false;
        }
        t->bytes = more;
        t->capacity = capacity;
    }
    memcpy(t->bytes + t->length, bytes, length);
    t->length += length;
    return true;
}

static hz_status on_game(void *state, const hz_league_record *record, hz_error *err) {
    playing *p = state;
    hzc_progress_step(&p->progress, ++p->done);
    return p->wants_pgn ? hz_league_write_pgn(
                              record, p->evaluator, NULL, add,
                              &p->games[record->second][record->level - 1][record->number - 1], err)
                        : HZ_OK;
}

static int write_games(const hzc_args *args, const char *path, const playing *p) {
    FILE *stream = strcmp(path, "-") == 0 ? NULL : fopen(path, "wb");
    bool good = true;
    if (strcmp(path, "-") != 0 && !stream) {
        return hzc_complain(args, HZC_ENVIRONMENT, "%s: %s", path, strerror(errno));
    }
    for (const text *t = &p->games[0][0][0];
         t <= &p->games[1][HZ_LEAGUE_LEVELS - 1][HZ_LEAGUE_GAMES - 1]; t++) {
        if (t->length > 0 && stream) {
            good = good && fwrite(t->bytes, 1, t->length, stream) == t->length;
        } else if (t->length > 0) {
            hzc_out_bytes(args->out, t->bytes, t->length);
        }
    }
    good = !stream || (fclose(stream) == 0 && good);
    return good ? HZC_DONE : hzc_complain(args, HZC_ENVIRONMENT, "%s: %s", path, strerror(errno));
}

static void print_result(hzc_out *out, const hz_league_run_result *result, int only) {
    char score[60];
    for (int i = 0; i < HZ_LEAGUE_LEVELS; i++) {
        if (result->levels[i].played > 0) {
            hzc_league_score_text(&result->levels[i], score, sizeof score);
            hzc_out_format(out, "level %d, %s: %s, %s\n", i + 1, hz_league_level_name(i + 1), score,
                           hz_league_points2(&result->levels[i]) >= HZ_LEAGUE_PASS_POINTS2
                               ? "passed"
                               : "not passed");
        }
    }
    if (result->second.played > 0) {
        hzc_league_score_text(&result->second, score, sizeof score);
        hzc_out_format(out, "level %d, second set of openings: %s%s\n", result->level, score,
                       result->fitted ? "; fitted to the openings" : "");
    }
    if (!only) {
        hzc_out_format(out, "cleared: level %d\n", result->level);
    }
}

static int play(const hzc_args *args, hz_league_run_config *config,
                const hz_league_verdict *verdict, const char *name) {
    const char *pgn = hzc_args_value(args, "save");
    hz_league_run_result result;
    hz_error err;
    playing *p = calloc(1, sizeof *p);
    if (!p) {
        return hzc_complain(args, HZC_ENVIRONMENT, "out of memory");
    }
    p->evaluator = name;
    p->wants_pgn = pgn != NULL;
    p->progress = hzc_progress_begin("league", "games", 0);
    config->on_game = on_game;
    config->state = p;
    hz_status status = hz_league_run(config, &result, &err);
    hzc_progress_end(&p->progress);
    int code = status == HZ_OK ? HZC_DONE : hzc_report(args, &err, NULL, 0);
    if (status == HZ_OK && pgn) {
        int wrote = write_games(args, pgn, p);
        code = wrote == HZC_DONE ? code : wrote;
    }
    if (status == HZ_OK && hzc_args_has(args, "json")) {
        hzc_json json = hzc_json_to(args->out);
        hzc_json_object(&json, NULL);
        if (verdict) {
            hzc_league_json_verdict(&json, verdict);
        }
        hzc_league_json_scores(&json, result.level, result.levels, &result.second, result.fitted);
        hzc_json_end_object(&json);
        hzc_out_char(args->out, '\n');
    } else if (status == HZ_OK && !(pgn && strcmp(pgn, "-") == 0)) {
        print_result(args->out, &result, config->level);
    }
    for (text *t = &p->games[0][0][0]; t <= &p->games[1][HZ_LEAGUE_LEVELS - 1][HZ_LEAGUE_GAMES - 1];
         t++) {
        free(t->bytes);
    }
    free(p);
    return code;
}

static int check_and_play(const hzc_args *args, const char *path, hz_league_run_config *config) {
    hzc_league_file file;
    hz_league_verdict verdict;
    hz_error err;
    int code = hzc_league_read(args, path, &file);
    if (code != HZC_DONE) {
        return code;
    }
    if (hz_league_check(file.bytes, file.length, &config->limits, NULL, &verdict, &err) != HZ_OK) {
        code = hzc_report(args, &err, NULL, 0);
    } else if (verdict.code != HZ_LEAGUE_ACCEPTED) {
        say_verdict(args, &verdict);
        code = HZC_NO;
    } else {
        const char *slash = strrchr(path, '/');
        config->bytes = file.bytes;
        config->length = file.length;
        config->limits.executor = verdict.executor;
        if (!hzc_args_has(args, "json") && !hzc_args_has(args, "save")) {
            print_verdict(args->out, &verdict);
            (void)hzc_out_flush(args->out);
        }
        code = play(args, config, &verdict, slash ? slash + 1 : path);
        config->bytes = NULL; /* both end here */
        config->limits.executor = NULL;
    }
    free(file.bytes);
    return code;
}

int hzc_league_run(const hzc_args *args) {
    const char *path, *second = hzc_args_value(args, "second");
    uint64_t level = 0, threads = 1;
    hz_league_run_config config = {.evade = hzc_args_has(args, "evade")};
    hz_league_opening openings[HZ_LEAGUE_OPENINGS];
    hz_arena arena;
    if (!hzc_verb_operand(args, "an ONNX graph", &path) ||
        !hzc_args_count(args, "level", 1, HZ_LEAGUE_LEVELS, &level) ||
        !hzc_args_count(args, "threads", 1, HZ_THREADS_MAX, &threads) ||
        !hzc_league_limits(args, &config.limits)) {
        return HZC_USAGE;
    }
    config.level = (int)level;
    config.threads = (unsigned)threads;
    hz_arena_init(&arena, 0);
    int code = HZC_DONE;
    if (!second || strcmp(second, "-") != 0) {
        config.second = hzc_league_second(args, &arena, openings);
        code = config.second ? HZC_DONE : HZC_USAGE;
    }
    if (code == HZC_DONE && strcmp(path, "handcrafted") == 0) {
        code = play(args, &config, NULL, path);
    } else if (code == HZC_DONE && strcmp(path, "material") == 0) {
        config.judge = hz_league_judge_material();
        code = play(args, &config, NULL, path);
    } else if (code == HZC_DONE) {
        code = check_and_play(args, path, &config);
    }
    hz_arena_fini(&arena);
    return code;
}
