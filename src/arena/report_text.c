/* SPDX-License-Identifier: MIT */
/* Reports for people: a score never stands without its interval. */
#include "arena/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 12, CROSS_MAX = 12 };

static void put_name(hzi_text *out, const char *what) {
    hzi_text_format(out, "%-*s ", WIDTH, what);
}

/* "12.34", "-" for what does not exist. */
static const char *number(double value, int decimals, char buffer[32]) {
    if (isfinite(value)) {
        (void)snprintf(buffer, 32, "%.*f", decimals, value);
    } else {
        (void)snprintf(buffer, 32, "-");
    }
    return buffer;
}

static uint64_t sum(const uint64_t *counts, size_t n) {
    uint64_t total = 0;
    for (size_t i = 0; i < n; i++) {
        total += counts[i];
    }
    return total;
}

static void put_score(hzi_text *out, const hz_match_tally *t) {
    char score[32], width[32];
    hz_resolution r = hz_match_resolution(&t->counts);
    bool paired = sum(t->counts.pairs, 5) > 0;
    put_name(out, "score of A");
    hzi_text_format(
        out, "%s %% +- %s: %" PRIu64 " won, %" PRIu64 " drawn, %" PRIu64 " lost\n",
        number(100.0 * hzi_report_score(&t->counts), 2, score),
        number(paired ? r.half_width_pair_percent : r.half_width_game_percent, 2, width),
        t->counts.games[2], t->counts.games[1], t->counts.games[0]);
    double spread = paired ? r.pair_sd : r.game_sd;
    if (spread <= 0.0) {
        put_name(out, "");
        hzi_text_format(out, "all %s ended alike, so there is nothing to tell an interval from\n",
                        paired ? "pairs" : "games");
    }
    put_name(out, "by colour");
    hzi_text_format(out,
                    "White +%" PRIu64 " =%" PRIu64 " -%" PRIu64 ", Black +%" PRIu64 " =%" PRIu64
                    " -%" PRIu64 "\n",
                    t->by_color[0][2], t->by_color[0][1], t->by_color[0][0], t->by_color[1][2],
                    t->by_color[1][1], t->by_color[1][0]);
    if (paired) {
        const uint64_t *n = t->counts.pairs;
        put_name(out, "pairs");
        hzi_text_format(out,
                        "0: %" PRIu64 ", 1/4: %" PRIu64 ", 1/2: %" PRIu64 ", 3/4: %" PRIu64
                        ", 1: %" PRIu64 "\n",
                        n[0], n[1], n[2], n[3], n[4]);
    }
}

static void put_elo(hzi_text *out, const hz_match_counts *counts) {
    char value[32], error[32], los[32];
    hz_elo_estimate e = hz_match_elo(counts);
    put_name(out, "Elo");
    hzi_text_format(out, "%s +- %s, likelihood of superiority %s %%\n", number(e.value, 1, value),
                    number(e.error, 1, error), number(100.0 * e.los, 1, los));
    if (isfinite(e.normalized)) {
        put_name(out, "");
        hzi_text_format(out, "normalised %s +- %s\n", number(e.normalized, 1, value),
                        number(e.normalized_error, 1, error));
    }
}

static void put_sprt(hzi_text *out, const hz_sprt *test, const hz_sprt_state *state) {
    put_name(out, "test");
    hzi_text_format(out, "%g..%g Elo: LLR %.3f in %.3f..%.3f, %s\n", test->elo0, test->elo1,
                    state->llr, state->lower, state->upper,
                    state->verdict == HZ_SPRT_H0   ? "H0 accepted"
                    : state->verdict == HZ_SPRT_H1 ? "H1 accepted"
                                                   : "undecided");
}

static void put_resolution(hzi_text *out, const hz_match_counts *counts) {
    char two[32], one[32], gain[32];
    hz_resolution r = hz_match_resolution(counts);
    bool paired = sum(counts->pairs, 5) > 0;
    put_name(out, "resolution");
    hzi_text_format(out, "+-2 %% takes %s games, +-1 %% %s",
                    number(paired ? r.games_paired[0] : r.games_unpaired[0], 0, two),
                    number(paired ? r.games_paired[2] : r.games_unpaired[2], 0, one));
    if (isfinite(r.gain)) {
        hzi_text_format(out, "; gain of pairing %s", number(r.gain, 3, gain));
    }
    hzi_text_add(out, "\n", 1);
}

static void put_luck(hzi_text *out, const char *judge, const hz_match_tally *t) {
    char score[32], width[32], ratio[32];
    hz_luck_estimate e = hz_luck_evaluate(&t->luck);
    put_name(out, "less luck");
    hzi_text_format(out, "%s %% +- %s by %.100s: variance %s of the raw one\n",
                    number(100.0 * e.adjusted, 2, score),
                    number(100.0 * 1.959964 * e.adjusted_se, 2, width), judge,
                    number(e.variance_ratio, 3, ratio));
}

static void put_ends(hzi_text *out, const hz_match_tally *t) {
    char name[HZ_MATCH_END_CAPACITY];
    const char *between = "";
    put_name(out, "ends");
    for (int end = 0; end < HZ_MATCH_ENDS; end++) {
        for (size_t i = 0; end == HZ_END_HTTP_STATUS && i < t->http_count; i++) {
            hzi_text_format(out, "%s%s %" PRIu64, between,
                            hz_match_end_text(HZ_END_HTTP_STATUS, t->http[i].status, name),
                            t->http[i].count);
            between = ", ";
        }
        if (end != HZ_END_HTTP_STATUS && t->ends[end] > 0) {
            hzi_text_format(out, "%s%s %" PRIu64, between,
                            hz_match_end_text((hz_match_end)end, 0, name), t->ends[end]);
            between = ", ";
        }
    }
    hzi_text_add(out, "\n", 1);
    if (t->ends[HZ_END_LENGTH] > 0) {
        put_name(out, "");
        hzi_text_puts(out, "games cut at their greatest length: look for a defect\n");
    }
    uint64_t faults = sum(t->flags, 2) + sum(t->illegal, 2) + sum(t->faults, 2);
    if (faults > 0) {
        put_name(out, "faults");
        hzi_text_format(out,
                        "A: %" PRIu64 " on time, %" PRIu64 " illegal, %" PRIu64
                        " other; B: %" PRIu64 ", %" PRIu64 ", %" PRIu64 "\n",
                        t->flags[0], t->illegal[0], t->faults[0], t->flags[1], t->illegal[1],
                        t->faults[1]);
    }
}

static void put_careless(hzi_text *out, const char *who, const hz_carelessness *c) {
    double turns = c->turns ? (double)c->turns : (double)NAN;
    char hang[32], queen[32], material[32];
    put_name(out, who);
    hzi_text_format(out,
                    "of %" PRIu64 " turns %s %% leave a piece hanging, %s %% a queen; %s "
                    "centipawns a turn; %" PRIu64 " taken at once\n",
                    c->turns, number(100.0 * (double)c->hang_turns / turns, 1, hang),
                    number(100.0 * (double)c->queen_hang_turns / turns, 1, queen),
                    number((double)c->hanging_material / turns, 1, material), c->punished_captures);
}

static void put_work(hzi_text *out, const hz_match_view *view, const hz_match_tally *t) {
    char mean[32], p50[32], p95[32], p99[32], most[32];
    uint64_t games = sum(t->counts.games, 3);
    hz_latency_summary l = hz_match_tally_latency(t);
    put_name(out, "plies");
    hzi_text_format(out, "mean %s, %" PRIu64 " to %" PRIu64 ", forced passes %" PRIu64 "\n",
                    number((double)t->plies / (double)games, 1, mean), t->least_plies,
                    t->most_plies, t->forced_passes);
    put_name(out, "answers of A");
    hzi_text_format(out, "%" PRIu64 ", ms: half within %s, 95 %% %s, 99 %% %s, longest %s\n",
                    l.count, number(l.p50, 3, p50), number(l.p95, 3, p95), number(l.p99, 3, p99),
                    number(l.max, 3, most));
    if (view->config->rules.carelessness) {
        put_careless(out, "care of A", &t->sides[0].careless);
        put_careless(out, "care of B", &t->sides[1].careless);
    }
}

static void put_run(hzi_text *out, const hz_match_view *view) {
    const hz_match_config *config = view->config;
    double seconds = (double)view->wall_ms / 1000.0;
    char rate[32];
    put_name(out, "run");
    hzi_text_format(out, "%" PRIu64 " pair%s%s, seed %" PRIu64 ", %s dice", view->pairs_done,
                    view->pairs_done == 1 ? "" : "s", view->cancelled ? " (stopped)" : "",
                    config->seed, config->fresh_dice ? "fresh" : "shared");
    if (config->rules.control.base_ms > 0) {
        hzi_text_format(out, ", clock %s", config->rules.control.label);
    }
    if (config->openings) {
        hzi_text_format(out, ", %zu starts", config->openings->count);
    }
    hzi_text_format(out, "; %u %s", view->workers, view->workers == 1 ? "worker" : "workers");
    if (view->ranks > 1) {
        hzi_text_format(out, " on each of %u ranks", view->ranks);
    }
    hzi_text_format(out, ", %.1f s, %s games a second\n", seconds,
                    number(2.0 * (double)view->pairs_done / seconds, 1, rate));
    if (view->ranks_lost > 0) {
        put_name(out, "");
        hzi_text_format(out, "%u ranks were lost; their pairs were played by others\n",
                        view->ranks_lost);
    }
}

/* ---- tables ---- */

static void put_ratings(hzi_text *out, const hz_match_view *view, const hz_rating *ratings,
                        bool smoothed) {
    hzi_text_format(out, "%4s  %-32s %8s %7s %9s %7s %6s\n", "", "player", "Elo", "+-", "points",
                    "games", "LOS %");
    for (size_t rank = 1; rank <= view->player_count; rank++) {
        for (size_t i = 0; i < view->player_count; i++) {
            char elo[32], error[32], los[32];
            if (ratings[i].rank != rank) {
                continue;
            }
            hzi_text_format(out, "%4zu  %-32.32s %8s %7s %9.1f %7" PRIu64 " %6s\n", rank,
                            view->players[i].name, number(ratings[i].elo, 1, elo),
                            number(ratings[i].error, 1, error), ratings[i].score, ratings[i].games,
                            number(100.0 * ratings[i].los, 1, los));
        }
    }
    hzi_text_puts(out, "LOS: likelihood of being stronger than the next one in the table.\n");
    if (smoothed) {
        hzi_text_puts(out, "Somebody lost or won every game: one drawn game was added to each "
                           "result.\n");
    }
}

static const hz_match_pairing *find(const hz_match_view *view, size_t a, size_t b) {
    for (size_t i = 0; i < view->pairing_count; i++) {
        const hz_match_pairing *p = &view->pairings[i];
        if ((p->a == a && p->b == b) || (p->a == b && p->b == a)) {
            return p;
        }
    }
    return NULL;
}

/* Points of the player of the row against that of the column, in percent. */
static void put_cross(hzi_text *out, const hz_match_view *view, const hz_rating *ratings) {
    size_t n = view->player_count;
    size_t order[CROSS_MAX];
    if (n > CROSS_MAX) {
        return;
    }
    for (size_t i = 0; i < n; i++) {
        order[ratings[i].rank - 1] = i;
    }
    hzi_text_format(out, "\n%-38s", "percent of points");
    for (size_t column = 0; column < n; column++) {
        hzi_text_format(out, " %6zu", column + 1);
    }
    hzi_text_add(out, "\n", 1);
    for (size_t row = 0; row < n; row++) {
        hzi_text_format(out, "%4zu  %-32.32s", row + 1, view->players[order[row]].name);
        for (size_t column = 0; column < n; column++) {
            char text[32] = "-";
            const hz_match_pairing *p = find(view, order[row], order[column]);
            if (p && row != column) {
                double score = hzi_report_score(&p->tally.counts);
                (void)number(100.0 * (p->a == order[row] ? score : 1.0 - score), 1, text);
            }
            hzi_text_format(out, " %6s", row == column ? "" : text);
        }
        hzi_text_add(out, "\n", 1);
    }
}

static void put_table(hzi_text *out, const hz_match_view *view) {
    bool smoothed = false;
    hz_rating *ratings = hzi_report_ratings(view, &smoothed);
    hzi_text_format(out, "%s of %zu players\n",
                    view->config->scheme == HZ_SCHEME_GAUNTLET ? "gauntlet" : "round robin",
                    view->player_count);
    put_run(out, view);
    hzi_text_add(out, "\n", 1);
    if (ratings) {
        put_ratings(out, view, ratings, smoothed);
        put_cross(out, view, ratings);
    } else {
        hzi_text_puts(out, "no ratings\n");
    }
    free(ratings);
    for (size_t i = 0; i < view->pairing_count; i++) {
        const hz_match_pairing *p = &view->pairings[i];
        hzi_text_format(out, "\nA %.200s\nB %.200s\n", view->players[p->a].name,
                        view->players[p->b].name);
        put_score(out, &p->tally);
        put_ends(out, &p->tally);
    }
}

hz_status hz_match_report_text(const hz_match_view *view, hz_report_sink sink, void *context,
                               hz_error *err) {
    hzi_text out = {0};
    if (view->config->scheme != HZ_SCHEME_MATCH) {
        put_table(&out, view);
        return hzi_report_emit(&out, sink, context, err);
    }
    const hz_match_pairing *p = &view->pairings[0];
    hzi_text_format(&out, "A %.200s\nB %.200s\n", view->players[0].name, view->players[1].name);
    put_run(&out, view);
    put_score(&out, &p->tally);
    if (view->config->luck) {
        put_luck(&out, view->config->luck, &p->tally);
    }
    put_elo(&out, &p->tally.counts);
    if (view->config->sprt) {
        put_sprt(&out, view->config->sprt, &p->sprt);
    }
    put_resolution(&out, &p->tally.counts);
    put_ends(&out, &p->tally);
    put_work(&out, view, &p->tally);
    return hzi_report_emit(&out, sink, context, err);
}
