/* SPDX-License-Identifier: MIT */
/*
 * `hazard league ladder`: what the levels are apart, measured: each against the next one over openings
 * that are made for it, every opening with both colours.
 */
#include "cli/league.h"

#include "cli/progress.h"

#include <hazard/arena.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { GAMES = 200, GAMES_MOST = 2 * HZ_LEAGUE_MADE_MAX };

/* What came of a level against the one below. */
typedef struct rung {
    hz_league_step step;
    int lower;
    double percent, half_width;
    bool apart;
} rung;

typedef struct climb {
    const hzc_args *args;
    bool as_json;
    bool apart; /* every step so far */
    uint64_t games, seed;
    unsigned threads;
    hz_league_opening *openings;
    hzc_progress progress;
    uint64_t done;
    rung rungs[HZ_LEAGUE_LEVELS];
    size_t count;
} climb;

static void on_pair(void *state) {
    climb *c = state;
    c->done += 2;
    hzc_progress_step(&c->progress, c->done);
}

static void print_rung(hzc_out *out, const rung *r) {
    const hz_league_step *s = &r->step;
    hzc_out_format(
        out,
        "level %d against level %d: %.1f %% +- %.1f (+%" PRIu64 " =%" PRIu64 " -%" PRIu64 ", pairs",
        r->lower + 1, r->lower, r->percent, r->half_width, s->games[2], s->games[1], s->games[0]);
    for (int i = 0; i < 5; i++) {
        hzc_out_format(out, " %" PRIu64, s->pairs[i]);
    }
    hzc_out_text(out, ")\n");
    (void)hzc_out_flush(out);
}

static void json_rung(hzc_json *json, const rung *r) {
    const hz_league_step *s = &r->step;
    hzc_json_object(json, NULL);
    hzc_json_integer(json, "lower", r->lower);
    hzc_json_integer(json, "upper", r->lower + 1);
    hzc_json_count(json, "wins", s->games[2]);
    hzc_json_count(json, "draws", s->games[1]);
    hzc_json_count(json, "losses", s->games[0]);
    hzc_json_array(json, "pairs");
    for (int i = 0; i < 5; i++) {
        hzc_json_count(json, NULL, s->pairs[i]);
    }
    hzc_json_end_array(json);
    hzc_json_double(json, "percent", r->percent);
    hzc_json_double(json, "half_width_percent", r->half_width);
    hzc_json_bool(json, "apart", r->apart);
    hzc_json_end_object(json);
}

/* When all is played: a run that fails leaves no half of an object behind. */
static void print_json(const climb *c) {
    hzc_json json = hzc_json_to(c->args->out);
    hzc_json_object(&json, NULL);
    hzc_json_seed(&json, "seed", c->seed);
    hzc_json_count(&json, "games", c->games);
    hzc_json_array(&json, "steps");
    for (size_t i = 0; i < c->count; i++) {
        json_rung(&json, &c->rungs[i]);
    }
    hzc_json_end_array(&json);
    hzc_json_end_object(&json);
    hzc_out_char(c->args->out, '\n');
}

static int climb_step(climb *c, int lower) {
    rung *r = &c->rungs[c->count];
    hz_error err;
    hz_league_step_config config = {.lower = lower,
                                    .upper = lower + 1,
                                    .openings = c->openings,
                                    .count = c->games / 2,
                                    .threads = c->threads,
                                    .on_pair = on_pair,
                                    .state = c};
    c->done = 0;
    c->progress = hzc_progress_begin("league", "games", c->games);
    hz_status status = hz_league_step_play(&config, &r->step, &err);
    hzc_progress_end(&c->progress);
    if (status != HZ_OK) {
        return hzc_report(c->args, &err, NULL, 0);
    }
    const hz_league_step *s = &r->step;
    hz_match_counts counts = {{0}, {0}, {0}};
    for (int i = 0; i < 5; i++) {
        counts.pairs[i] = s->pairs[i];
    }
    for (int i = 0; i < 3; i++) {
        counts.games[i] = s->games[i];
    }
    r->lower = lower;
    r->percent = (double)(2 * s->games[2] + s->games[1]) * 50.0 / (double)c->games;
    r->half_width = hz_match_resolution(&counts).half_width_pair_percent;
    r->apart = r->percent - r->half_width > 50.0;
    c->apart = c->apart && r->apart;
    c->count++;
    if (!c->as_json) {
        print_rung(c->args->out, r);
    }
    return HZC_DONE;
}

static int climb_all(climb *c, int first, int last) {
    int code = HZC_DONE;
    for (int lower = first; lower <= last && code == HZC_DONE; lower++) {
        code = climb_step(c, lower);
    }
    if (c->as_json && code == HZC_DONE) {
        print_json(c);
    }
    return code == HZC_DONE && !c->apart ? HZC_NO : code;
}

int hzc_league_ladder(const hzc_args *args) {
    climb c = {.args = args,
               .as_json = hzc_args_has(args, "json"),
               .apart = true,
               .games = GAMES,
               .seed = 1};
    uint64_t level = 0, threads = 1;
    hz_arena arena;
    hz_error err;
    if (args->operand_count > 1) {
        return hzc_usage(args, "what is '%s' for?", args->operands[1]);
    }
    if (!hzc_args_count(args, "games", 4, GAMES_MOST, &c.games) ||
        !hzc_args_count(args, "level", 1, HZ_LEAGUE_LEVELS - 1, &level) ||
        !hzc_args_count(args, "threads", 1, HZ_THREADS_MAX, &threads) ||
        (hzc_args_has(args, "seed") && !hzc_args_seed(args, &c.seed))) {
        return HZC_USAGE;
    }
    if (c.games % 2) {
        return hzc_usage(args, "ladder: --games is an even number; openings are played twice");
    }
    c.threads = (unsigned)threads;
    hz_arena_init(&arena, 0);
    c.openings = calloc(c.games / 2, sizeof *c.openings);
    int code = HZC_DONE;
    if (!c.openings) {
        code = hzc_complain(args, HZC_ENVIRONMENT, "out of memory");
    } else if (hz_league_openings_make(c.seed, c.games / 2, NULL, &arena, c.openings, &err) !=
               HZ_OK) {
        code = hzc_report(args, &err, NULL, 0);
    } else {
        code = climb_all(&c, level ? (int)level : 1, level ? (int)level : HZ_LEAGUE_LEVELS - 1);
    }
    free(c.openings);
    hz_arena_fini(&arena);
    return code;
}
