/* SPDX-License-Identifier: MIT */
/* `hazard arena stats`: what counters are worth, without playing anything. */
#include "cli/arena_setup.h"
#include "cli/json.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const about[] = {
    "Works out from counters alone what a report of 'hazard arena' says: score and interval, Elo "
    "with its error and the likelihood of superiority, the sequential test, how large a difference "
    "such a run could have seen, games needed for one, two and three percent.",
    "Counters of shards of one measurement (with different seeds) simply add: each option may be "
    "given several times. --pairs counts pairs by the points of A: 0, 1/4, 1/2, 3/4 and 1. "
    "--games counts all games as lost, drawn, won by A; without it the games of the pairs are "
    "known "
    "only as far as their points tell. --singles counts games that belong to no pair.",
    NULL};

static const hzc_option options[] = {
    {"pairs", 'p', "N0,N1,N2,N3,N4", "pairs by the points of A"},
    {"games", 'g', "L,D,W", "all games: lost, drawn, won by A"},
    {"singles", 0, "L,D,W", "games that belong to no pair"},
    {"sprt", 0, "TEST", "the test: elo0,elo1 or elo0,elo1,alpha,beta (default 0,20,0.05,0.05)"},
    HZC_OPTION_JSON,
    HZC_OPTION_HELP,
    {0}};

static const hzc_example examples[] = {
    {"hazard arena stats --pairs 18,0,63,0,19 --games 99,0,101", "A hundred pairs."},
    {"hazard arena stats --singles 12,3,17 --sprt 0,10 --json", "Games without pairs."},
    {0}};

/* ---- counters ---- */

/* Adds "1,2,3" to counts; false when it is not `n` numbers. */
static bool add_counts(const char *text, uint64_t *counts, size_t n) {
    for (size_t i = 0; i < n; i++) {
        char *end = NULL;
        errno = 0;
        uint64_t value = *text >= '0' && *text <= '9' ? strtoull(text, &end, 10) : 0;
        if (!end || errno || value > UINT64_C(1) << 52 || *end != (i + 1 < n ? ',' : '\0')) {
            return false;
        }
        counts[i] += value;
        text = end + 1;
    }
    return true;
}

static int read_counts(const hzc_args *args, hz_match_counts *counts) {
    bool has_games = hzc_args_has(args, "games");
    const struct {
        const char *name;
        uint64_t *counts;
        size_t n;
    } kinds[] = {
        {"pairs", counts->pairs, 5}, {"games", counts->games, 3}, {"singles", counts->singles, 3}};
    for (size_t i = 0; i < args->given_count; i++) {
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            if (strcmp(args->given[i].option->name, kinds[k].name) == 0 &&
                !add_counts(args->given[i].value, kinds[k].counts, kinds[k].n)) {
                return hzc_usage(args, "--%s: '%.60s' is not %zu numbers with commas between them",
                                 kinds[k].name, args->given[i].value, kinds[k].n);
            }
        }
    }
    uint64_t pairs = 0, singles = 0, games = 0, points = 0, known = 0;
    for (size_t i = 0; i < 5; i++) {
        pairs += counts->pairs[i];
        points += counts->pairs[i] * i;
    }
    for (size_t i = 0; i < 3; i++) {
        singles += counts->singles[i];
        games += counts->games[i];
        points += counts->singles[i] * i;
        known += counts->games[i] * i;
    }
    if (!has_games) {
        /* As many decided games as the points allow: a quarter is a draw, a half two decisions. */
        for (size_t i = 0; i < 3; i++) {
            counts->games[i] = counts->singles[i];
        }
        counts->games[0] += 2 * counts->pairs[0] + counts->pairs[1] + counts->pairs[2];
        counts->games[1] += counts->pairs[1] + counts->pairs[3];
        counts->games[2] += counts->pairs[2] + counts->pairs[3] + 2 * counts->pairs[4];
    } else if (games != 2 * pairs + singles) {
        return hzc_usage(args, "--games: %" PRIu64 " games; pairs and single games make %" PRIu64,
                         games, 2 * pairs + singles);
    } else if (known != points) {
        (void)hzc_complain(args, HZC_DONE,
                           "warning: A has %g points in --games and %g in pairs and single games",
                           0.5 * (double)known, 0.5 * (double)points);
    }
    if (pairs + singles == 0) {
        return hzc_usage(args, "no counters: give --pairs or --singles");
    }
    return HZC_DONE;
}

/* ---- printing ---- */

typedef struct stats {
    hz_match_counts counts;
    hz_sprt test;
    hz_sprt_state state;
    hz_resolution resolution;
    hz_elo_estimate elo;
    double games, score;
    bool games_known;
} stats;

static void put_json(hzc_out *out, const stats *s) {
    hzc_json json = hzc_json_to(out);
    static const char *const needed[] = {"games_2_percent", "games_3_percent", "games_1_percent"};
    static const char *const verdicts[] = {"continue", "H0", "H1"};
    hzc_json_object(&json, NULL);
    hzc_json_integer(&json, "schema", 1);
    hzc_json_text(&json, "kind", "stats");
    hzc_json_double(&json, "games", s->games);
    hzc_json_double(&json, "score_percent", 100.0 * s->score);
    hzc_json_object(&json, "sprt");
    hzc_json_double(&json, "elo0", s->test.elo0);
    hzc_json_double(&json, "elo1", s->test.elo1);
    hzc_json_double(&json, "alpha", s->test.alpha);
    hzc_json_double(&json, "beta", s->test.beta);
    hzc_json_double(&json, "llr", s->state.llr);
    hzc_json_double(&json, "lower", s->state.lower);
    hzc_json_double(&json, "upper", s->state.upper);
    hzc_json_text(&json, "verdict", verdicts[s->state.verdict]);
    hzc_json_end_object(&json);
    hzc_json_object(&json, "resolution");
    hzc_json_double(&json, "pair_sd", s->resolution.pair_sd);
    hzc_json_double(&json, "game_sd", s->resolution.game_sd);
    hzc_json_double(&json, "half_width_percent", s->resolution.half_width_pair_percent);
    hzc_json_double(&json, "half_width_game_percent", s->resolution.half_width_game_percent);
    hzc_json_double(&json, "gain", s->resolution.gain);
    for (int i = 0; i < 3; i++) {
        hzc_json_object(&json, needed[i]);
        hzc_json_double(&json, "paired", s->resolution.games_paired[i]);
        hzc_json_double(&json, "unpaired", s->resolution.games_unpaired[i]);
        hzc_json_end_object(&json);
    }
    hzc_json_end_object(&json);
    hzc_json_object(&json, "elo");
    hzc_json_double(&json, "value", s->elo.value);
    hzc_json_double(&json, "error", s->elo.error);
    hzc_json_double(&json, "los", s->elo.los);
    hzc_json_double(&json, "normalized", s->elo.normalized);
    hzc_json_double(&json, "normalized_error", s->elo.normalized_error);
    hzc_json_end_object(&json);
    hzc_json_bool(&json, "games_known", s->games_known);
    hzc_json_end_object(&json);
    hzc_out_char(out, '\n');
}

static void put_number(hzc_out *out, const char *name, double value, int decimals,
                       const char *unit) {
    if (isfinite(value)) {
        hzc_out_format(out, "%-34s %.*f%s\n", name, decimals, value, unit);
    } else {
        hzc_out_format(out, "%-34s -\n", name);
    }
}

static void put_text(hzc_out *out, const stats *s) {
    static const char *const verdicts[] = {"undecided", "H0 accepted", "H1 accepted"};
    const hz_resolution *r = &s->resolution;
    put_number(out, "games", s->games, 0, "");
    put_number(out, "score of A", 100.0 * s->score, 2, " %");
    put_number(out, "  95 % interval of pairs, +-", r->half_width_pair_percent, 4, " %");
    put_number(out, "  95 % interval of games, +-", r->half_width_game_percent, 4, " %");
    put_number(out, "Elo", s->elo.value, 1, "");
    put_number(out, "  +-", s->elo.error, 1, "");
    put_number(out, "  likelihood of superiority", 100.0 * s->elo.los, 2, " %");
    put_number(out, "  normalised", s->elo.normalized, 1, "");
    put_number(out, "  normalised +-", s->elo.normalized_error, 1, "");
    hzc_out_format(out, "%-34s LLR %.9f in %.6f..%.6f, %s\n", "test", s->state.llr, s->state.lower,
                   s->state.upper, verdicts[s->state.verdict]);
    hzc_out_format(out, "%-34s %g..%g Elo, alpha %g, beta %g\n", "  of", s->test.elo0, s->test.elo1,
                   s->test.alpha, s->test.beta);
    put_number(out, "deviation of a pair", r->pair_sd, 6, "");
    put_number(out, "deviation of a game", r->game_sd, 6, "");
    put_number(out, "gain of pairing", r->gain, 6, "");
    put_number(out, "games for +-1 %: paired", r->games_paired[2], 0, "");
    put_number(out, "games for +-2 %: paired", r->games_paired[0], 0, "");
    put_number(out, "games for +-3 %: paired", r->games_paired[1], 0, "");
    put_number(out, "games for +-1 %: single", r->games_unpaired[2], 0, "");
    put_number(out, "games for +-2 %: single", r->games_unpaired[0], 0, "");
    put_number(out, "games for +-3 %: single", r->games_unpaired[1], 0, "");
    if (!s->games_known) {
        hzc_out_text(out, "what is said of games takes split pairs for a win and a loss\n");
    }
}

static int run(const hzc_args *args) {
    stats s = {.test = {0.0, 20.0, 0.05, 0.05}};
    const char *test = hzc_args_value(args, "sprt");
    if (!hzc_args_no_operands(args)) {
        return HZC_USAGE;
    }
    int code = test ? hzc_arena_read_sprt(args, test, &s.test) : HZC_DONE;
    code = code == HZC_DONE ? read_counts(args, &s.counts) : code;
    if (code != HZC_DONE) {
        return code;
    }
    const uint64_t *games = s.counts.games;
    s.games_known = hzc_args_has(args, "games") || !hzc_args_has(args, "pairs");
    s.games = (double)games[0] + (double)games[1] + (double)games[2];
    s.score = ((double)games[2] + 0.5 * (double)games[1]) / s.games;
    s.state = hz_sprt_evaluate(&s.test, &s.counts);
    s.resolution = hz_match_resolution(&s.counts);
    s.elo = hz_match_elo(&s.counts);
    (hzc_args_has(args, "json") ? put_json : put_text)(args->out, &s);
    return HZC_DONE;
}

const hzc_command hzc_command_arena_stats = {
    .name = "arena stats",
    .summary = "say what the counters of a match are worth",
    .operands = "",
    .paragraphs = about,
    .options = options,
    .examples = examples,
    .run = run,
};
