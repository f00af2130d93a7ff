/* SPDX-License-Identifier: MIT */
/*
 * `hazard analyse --game`: the turns of games, what each gave away and how lucky its roll was. Games
 * are read one at a time, so a file may hold any number of them; a bad game is reported and the next
 * one goes on.
 */
#include "cli/analyse.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_GAME_BYTES = 1 << 28 };

/* What a side has done so far. */
typedef struct side {
    size_t turns, judged; /* judged: with a loss */
    double loss, luck;
    size_t best; /* turns of rank 1 */
} side;

typedef struct games {
    hzc_analyse *a;
    hzc_progress progress;
    uint64_t turns_done;
    side sides[2];  /* of the game */
    side totals[2]; /* of all games */
    size_t count, bad, incomplete;
    int code; /* of the turn that stopped a game */
} games;

static ptrdiff_t read_file(void *context, char *buffer, size_t capacity) {
    const int *fd = context;
    ssize_t got;
    do {
        got = read(*fd, buffer, capacity);
    } while (got < 0 && errno == EINTR);
    return got;
}

/* ---- one turn ---- */

static void add(side *s, const hzi_analysis *analysis) {
    s->turns++;
    if (analysis->played >= 0 && analysis->results[analysis->played].valued) {
        s->judged++;
        s->loss += analysis->results[analysis->played].loss;
        s->best += analysis->results[analysis->played].rank == 1;
    }
    s->luck += analysis->has_rolls ? analysis->luck : 0;
}

static void turn_json(games *g, const hz_record_step *step, const hzi_analysis *analysis) {
    hzc_json *json = &g->a->json;
    hzc_json_object(json, NULL);
    hzc_json_count(json, "ply", step->ply);
    hzc_json_text(json, "side", step->position->side == HZ_WHITE ? "white" : "black");
    hzc_json_pool(json, "roll", step->position->pool, (hz_color)step->position->side);
    hzc_json_turn(json, "turn", &step->turn->turn);
    hzc_json_count(json, "count", analysis->count);
    if (analysis->played >= 0) {
        const hzi_judged *played = &analysis->results[analysis->played];
        hzc_json_judged(json, played);
        hzc_json_count(json, "own_king", played->own_216);
        hzc_json_count(json, "enemy_king", played->enemy_216);
        hzc_json_turn(json, "best", &analysis->results[0].turn);
    }
    if (analysis->has_rolls) {
        hzc_json_double(json, "luck", analysis->luck);
        hzc_json_double(json, "mean", analysis->mean);
    } else {
        hzc_json_null(json, "luck");
    }
    hzc_json_bool(json, "complete", analysis->complete);
    hzc_json_end_object(json);
}

static void turn_text(games *g, const hz_record_step *step, const hzi_analysis *analysis) {
    char roll[4], turn[HZ_TURN_CAPACITY], best[HZ_TURN_CAPACITY + 8] = "";
    char value[HZC_VALUE_CAPACITY] = "-", loss[HZC_VALUE_CAPACITY] = "-";
    char luck[HZC_VALUE_CAPACITY] = "-", rank[48] = "-";
    (void)hz_pool_to_text(step->position->pool, (hz_color)step->position->side, roll);
    (void)hz_turn_to_text(&step->turn->turn, turn);
    if (analysis->played >= 0 && analysis->results[analysis->played].valued) {
        const hzi_judged *played = &analysis->results[analysis->played];
        hzc_value_text(g->a, played->value, true, value);
        hzc_value_text(g->a, played->loss, false, loss);
        (void)snprintf(rank, sizeof rank, "%zu/%zu", played->rank, analysis->count);
        if (played->loss > 0) {
            memcpy(best, "better ", sizeof "better ");
            (void)hz_turn_to_text(&analysis->results[0].turn, best + strlen(best));
        }
    }
    if (analysis->has_rolls) {
        hzc_value_text(g->a, analysis->luck, true, luck);
    }
    hzc_out_format(g->a->out, "%4zu %s  %s  %-17s %8s  %10s %10s %10s  %s\n", step->ply + 1,
                   step->position->side == HZ_WHITE ? "w" : "b", roll, turn, rank, value, loss,
                   luck, best);
}

static bool on_turn(void *context, const hz_record_step *step) {
    games *g = context;
    hzi_analysis analysis;
    g->code = hzc_analyse_position(g->a, step->position, &step->turn->turn, NULL, &analysis);
    if (g->code != HZC_DONE) {
        return false;
    }
    add(&g->sides[step->position->side], &analysis);
    g->incomplete += !analysis.complete;
    (g->a->as_json ? turn_json : turn_text)(g, step, &analysis);
    (void)hzc_out_flush(g->a->out); /* a long game shows what is known so far */
    hzc_progress_step(&g->progress, ++g->turns_done);
    return !g->a->out->failed;
}

/* ---- one game ---- */

static void side_json(games *g, const char *key, const side *s) {
    hzc_json *json = &g->a->json;
    hzc_json_object(json, key);
    hzc_json_count(json, "turns", s->turns);
    hzc_json_count(json, "judged", s->judged);
    hzc_json_count(json, "best", s->best);
    hzc_json_double(json, "loss", s->loss);
    hzc_json_double(json, "luck", s->luck);
    hzc_json_end_object(json);
}

static void side_text(games *g, const char *name, const side *s) {
    char loss[HZC_VALUE_CAPACITY], each[HZC_VALUE_CAPACITY], luck[HZC_VALUE_CAPACITY];
    hzc_value_text(g->a, s->loss, false, loss);
    hzc_value_text(g->a, s->judged ? s->loss / (double)s->judged : 0, false, each);
    hzc_value_text(g->a, s->luck, true, luck);
    hzc_out_format(g->a->out, "%-6s %4zu turns, best in %zu; gave away %s, %s a turn; luck %s\n",
                   name, s->turns, s->best, loss, each, luck);
}

static void begin_game(games *g, const hz_record *record) {
    memset(g->sides, 0, sizeof g->sides);
    g->code = HZC_DONE;
    if (g->a->as_json) {
        g->a->json = hzc_json_to(g->a->out);
        hzc_json_object(&g->a->json, NULL);
        hzc_json_count(&g->a->json, "game", g->count);
        hzc_json_text(&g->a->json, "white", record->players[HZ_WHITE]);
        hzc_json_text(&g->a->json, "black", record->players[HZ_BLACK]);
        hzc_json_text(&g->a->json, "result", hz_game_outcome_text(record->outcome));
        hzc_json_text(&g->a->json, "judge", g->a->judgement.name);
        hzc_json_integer(&g->a->json, "depth", g->a->judgement.depth);
        hzc_json_array(&g->a->json, "turns");
    } else {
        hzc_out_format(
            g->a->out,
            "%sGame %zu: %.200s - %.200s, %s\n\n%4s %s  %-3s  %-17s %8s  %10s %10s %10s\n",
            g->count > 1 ? "\n" : "", g->count, record->players[HZ_WHITE],
            record->players[HZ_BLACK], hz_game_outcome_text(record->outcome), "turn", " ", "", "",
            "rank", "value", "loss", "luck");
    }
}

static void end_game(games *g) {
    if (g->a->as_json) {
        hzc_json_end_array(&g->a->json);
        side_json(g, "whiteTotal", &g->sides[HZ_WHITE]);
        side_json(g, "blackTotal", &g->sides[HZ_BLACK]);
        hzc_json_end_object(&g->a->json);
        hzc_out_char(g->a->out, '\n');
    } else {
        hzc_out_char(g->a->out, '\n');
        side_text(g, "White", &g->sides[HZ_WHITE]);
        side_text(g, "Black", &g->sides[HZ_BLACK]);
    }
    for (int color = 0; color < 2; color++) {
        g->totals[color].turns += g->sides[color].turns;
        g->totals[color].judged += g->sides[color].judged;
        g->totals[color].best += g->sides[color].best;
        g->totals[color].loss += g->sides[color].loss;
        g->totals[color].luck += g->sides[color].luck;
    }
}

static int report_place(const games *g, const hz_error *err) {
    int code = hzc_exit_code(err->code);
    return hzc_complain(g->a->args, code == HZC_ENVIRONMENT ? code : HZC_USAGE,
                        "%s: line %" PRIu32 ", column %" PRIu32 ": %s", hz_status_name(err->code),
                        err->line, err->column, err->message);
}

/* Plays a game through. The rules are looked at first: of a game that breaks them nothing is shown.
 */
static int analyse_game(games *g, const hz_record *record) {
    hz_error err;
    if (hz_record_replay(record, false, NULL, NULL, NULL, &err) != HZ_OK) {
        g->bad++;
        return report_place(g, &err);
    }
    g->count++;
    begin_game(g, record);
    (void)hz_record_replay(record, false, on_turn, g, NULL, &err);
    end_game(g);
    return g->code;
}

int hzc_analyse_games(hzc_analyse *a, const char *path) {
    int fd = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY);
    if (fd < 0) {
        return hzc_complain(a->args, HZC_ENVIRONMENT, "%s: %s", path, strerror(errno));
    }
    games g = {.a = a, .progress = hzc_progress_begin("analyse", "turns", 0)};
    hz_arena arena;
    hz_record_reader *reader = malloc(sizeof *reader);
    int code = HZC_DONE;
    hz_arena_init(&arena, MOST_GAME_BYTES);
    if (reader) {
        hz_record_reader_init(reader, read_file, &fd);
    } else {
        code = hzc_complain(a->args, HZC_ENVIRONMENT, "out of memory");
    }
    while (reader && !a->out->failed && g.code == HZC_DONE) {
        hz_record record;
        hz_error err;
        hz_arena_reset(&arena);
        hz_status status = hz_record_read(reader, &arena, &record, &err);
        if (status == HZ_NOT_FOUND) {
            break;
        }
        int one = status == HZ_OK ? analyse_game(&g, &record) : report_place(&g, &err);
        code = one != HZC_DONE ? one : code;
        if (status == HZ_IO) {
            break;
        }
    }
    hzc_progress_end(&g.progress);
    if (g.count > 1 && !a->as_json) {
        hzc_out_format(a->out, "\nAll %zu games\n\n", g.count);
        side_text(&g, "White", &g.totals[HZ_WHITE]);
        side_text(&g, "Black", &g.totals[HZ_BLACK]);
    }
    if (code == HZC_DONE && g.count == 0) {
        code = hzc_complain(a->args, HZC_USAGE, "%s holds no game", path);
    }
    free(reader);
    hz_arena_fini(&arena);
    if (fd != STDIN_FILENO) {
        (void)close(fd);
    }
    return code == HZC_DONE && g.incomplete > 0 ? HZC_NO : code;
}
