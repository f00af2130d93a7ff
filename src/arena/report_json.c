/* SPDX-License-Identifier: MIT */
/* Reports as one line of JSON. Members are only ever added; docs/formats.md has the list. */
#include "arena/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SCHEMA = 1 };

#if defined(__clang__)
static const char compiler[] = "clang " __clang_version__;
#elif defined(__GNUC__)
static const char compiler[] = "gcc " __VERSION__;
#else
static const char compiler[] = "unknown";
#endif
#ifdef NDEBUG
static const char checks[] = "";
#else
static const char checks[] = ", assertions";
#endif

double hzi_report_score(const hz_match_counts *counts) {
    double games = (double)counts->games[0] + (double)counts->games[1] + (double)counts->games[2];
    return ((double)counts->games[2] + 0.5 * (double)counts->games[1]) / games;
}

hz_rating *hzi_report_ratings(const hz_match_view *view, bool *smoothed) {
    hz_rating *ratings = calloc(view->player_count, sizeof *ratings);
    hz_rating_result *results = calloc(view->pairing_count, sizeof *results);
    for (size_t i = 0; i < view->pairing_count && results; i++) {
        const hz_match_pairing *pairing = &view->pairings[i];
        results[i] = (hz_rating_result){pairing->a, pairing->b, &pairing->tally.counts};
    }
    if (!ratings || !results ||
        hz_ratings(view->player_count, results, view->pairing_count, ratings, smoothed, NULL) !=
            HZ_OK) {
        free(ratings);
        ratings = NULL;
    }
    free(results);
    return ratings;
}

hz_status hzi_report_emit(hzi_text *text, hz_report_sink sink, void *context, hz_error *err) {
    hz_status status = HZ_OK;
    if (text->failed) {
        status = hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for the report");
    } else if (!sink(context, text->bytes, text->length)) {
        status = hz_fail(err, HZ_IO, HZ_NO_OFFSET, "the report cannot be written");
    }
    hzi_text_fini(text);
    return status;
}

const char *hzi_report_verdict(hz_sprt_verdict verdict) {
    return verdict == HZ_SPRT_H0 ? "H0" : verdict == HZ_SPRT_H1 ? "H1" : "continue";
}

/* ---- the head ---- */

static void put_identity(hzi_text *json, const hz_match_player_info *player) {
    const char *colon = strchr(player->text, ':');
    bool plain = strncmp(player->text, "uci:", 4) != 0 && strncmp(player->text, "http", 4) != 0;
    char name[200];
    size_t length = plain && colon ? (size_t)(colon - player->text) : strlen(player->text);
    length = length < sizeof name ? length : sizeof name - 1;
    memcpy(name, player->text, length);
    name[length] = '\0';
    hzi_json_text(json, "name", name);
    hzi_json_text(json, "options", plain && colon ? colon + 1 : "");
    hzi_json_text(json, "model_sha256", player->sha256[0] ? player->sha256 : NULL);
    hzi_json_text(json, "book", player->book);
}

void hzi_report_put_player(hzi_text *json, const char *key, const hz_match_player_info *player) {
    hzi_json_object(json, key);
    put_identity(json, player);
    hzi_json_end_object(json);
}

static void put_control(hzi_text *json, const hz_match_control *control) {
    if (control->base_ms == 0) {
        hzi_json_null(json, "control");
        return;
    }
    hzi_json_object(json, "control");
    hzi_json_text(json, "label", control->label);
    hzi_json_integer(json, "base_ms", control->base_ms);
    hzi_json_integer(json, "inc_ms", control->increment_ms);
    hzi_json_end_object(json);
}

void hzi_report_put_head(hzi_text *json, const char *kind, const char *created, unsigned workers,
                         unsigned ranks, unsigned ranks_lost) {
    hz_machine machine = hz_machine_get();
    char build[160];
    size_t used = 0;
    for (const char *part = compiler; *part && used + 1 < sizeof build - sizeof checks; part++) {
        build[used++] = *part;
    }
    memcpy(build + used, checks, sizeof checks);
    hzi_json_integer(json, "schema", SCHEMA);
    hzi_json_text(json, "kind", kind);
    hzi_json_text(json, "created", created);
    hzi_json_object(json, "program");
    hzi_json_text(json, "version", hz_version());
    hzi_json_text(json, "build", build);
    hzi_json_end_object(json);
    hzi_json_object(json, "machine");
    hzi_json_text(json, "cpu", machine.cpu);
    hzi_json_count(json, "cores", machine.cores);
    hzi_json_count(json, "workers", workers);
    hzi_json_count(json, "ranks", ranks);
    hzi_json_count(json, "ranks_lost", ranks_lost);
    hzi_json_end_object(json);
}

static void put_head(hzi_text *json, const hz_match_view *view, const char *kind) {
    const hz_match_config *config = view->config;
    hzi_report_put_head(json, kind, view->created, view->workers, view->ranks, view->ranks_lost);
    hzi_json_text(json, "game", config->rules.game == HZ_MATCH_CHESS ? "chess" : "dice");
    hzi_json_text(json, "start",
                  config->start_label ? config->start_label
                  : config->openings  ? "openings"
                                      : "start");
    hzi_json_count(json, "starts", config->openings ? config->openings->count : 1);
    hzi_json_seed(json, "seed", config->seed);
    hzi_json_text(json, "dice", config->fresh_dice ? "fresh" : "shared");
    hzi_json_count(json, "pairs_cap", config->pairs);
    hzi_json_count(json, "max_plies", config->rules.max_plies);
    put_control(json, &config->rules.control);
    hzi_json_bool(json, "cancelled", view->cancelled);
    hzi_json_count(json, "pairs_resumed", view->pairs_resumed);
    hzi_json_count(json, "wall_ms", view->wall_ms);
}

/* ---- the counters of a pairing ---- */

static uint64_t sum(const uint64_t *counts, size_t n) {
    uint64_t total = 0;
    for (size_t i = 0; i < n; i++) {
        total += counts[i];
    }
    return total;
}

static void put_by_color(hzi_text *json, const char *key, const hz_match_tally *t, int points) {
    hzi_json_object(json, key);
    hzi_json_count(json, "white", t->by_color[HZ_WHITE][points]);
    hzi_json_count(json, "black", t->by_color[HZ_BLACK][points]);
    hzi_json_count(json, "total", t->counts.games[points]);
    hzi_json_end_object(json);
}

static void put_both(hzi_text *json, const char *key, const uint64_t values[2]) {
    hzi_json_object(json, key);
    hzi_json_count(json, "a", values[0]);
    hzi_json_count(json, "b", values[1]);
    hzi_json_end_object(json);
}

static void put_ends(hzi_text *json, const hz_match_tally *t) {
    char name[HZ_MATCH_END_CAPACITY];
    hzi_json_object(json, "ends");
    for (int end = 0; end < HZ_MATCH_ENDS; end++) {
        if (end == HZ_END_HTTP_STATUS) {
            for (size_t i = 0; i < t->http_count; i++) {
                hzi_json_count(json, hz_match_end_text((hz_match_end)end, t->http[i].status, name),
                               t->http[i].count);
            }
        } else if (t->ends[end] > 0 || end == HZ_END_LENGTH) {
            /* Games cut at their greatest length always have their line: they signal a defect. */
            hzi_json_count(json, hz_match_end_text((hz_match_end)end, 0, name), t->ends[end]);
        }
    }
    hzi_json_end_object(json);
}

static void put_pairs(hzi_text *json, const hz_match_counts *counts) {
    static const char *const names[5] = {"n0", "n1", "n2", "n3", "n4"};
    static const char *const points[3] = {"losses", "draws", "wins"};
    hzi_json_object(json, "pairs");
    for (int i = 0; i < 5; i++) {
        hzi_json_count(json, names[i], counts->pairs[i]);
    }
    hzi_json_count(json, "total", sum(counts->pairs, 5));
    hzi_json_end_object(json);
    hzi_json_object(json, "singles");
    for (int i = 0; i < 3; i++) {
        hzi_json_count(json, points[i], counts->singles[i]);
    }
    hzi_json_end_object(json);
}

static void put_sprt(hzi_text *json, const hz_sprt *test, const hz_sprt_state *state) {
    if (!test) {
        hzi_json_null(json, "sprt");
        return;
    }
    hzi_json_object(json, "sprt");
    hzi_json_double(json, "elo0", test->elo0);
    hzi_json_double(json, "elo1", test->elo1);
    hzi_json_double(json, "alpha", test->alpha);
    hzi_json_double(json, "beta", test->beta);
    hzi_json_double(json, "llr", state->llr);
    hzi_json_double(json, "lower", state->lower);
    hzi_json_double(json, "upper", state->upper);
    hzi_json_text(json, "verdict", hzi_report_verdict(state->verdict));
    hzi_json_end_object(json);
}

static void put_needed(hzi_text *json, const char *key, double paired, double unpaired) {
    hzi_json_object(json, key);
    hzi_json_double(json, "paired", paired);
    hzi_json_double(json, "unpaired", unpaired);
    hzi_json_end_object(json);
}

static void put_resolution(hzi_text *json, const hz_match_counts *counts) {
    hz_resolution r = hz_match_resolution(counts);
    bool paired = sum(counts->pairs, 5) > 0;
    hzi_json_object(json, "resolution");
    hzi_json_double(json, "pair_sd", r.pair_sd);
    hzi_json_double(json, "game_sd", r.game_sd);
    hzi_json_double(json, "half_width_percent",
                    paired ? r.half_width_pair_percent : r.half_width_game_percent);
    hzi_json_double(json, "half_width_game_percent", r.half_width_game_percent);
    hzi_json_double(json, "gain", r.gain);
    put_needed(json, "games_1_percent", r.games_paired[2], r.games_unpaired[2]);
    put_needed(json, "games_2_percent", r.games_paired[0], r.games_unpaired[0]);
    put_needed(json, "games_3_percent", r.games_paired[1], r.games_unpaired[1]);
    hzi_json_end_object(json);
}

static void put_elo(hzi_text *json, const hz_match_counts *counts) {
    hz_elo_estimate e = hz_match_elo(counts);
    hzi_json_object(json, "elo");
    hzi_json_double(json, "value", e.value);
    hzi_json_double(json, "error", e.error);
    hzi_json_double(json, "los", e.los);
    hzi_json_double(json, "normalized", e.normalized);
    hzi_json_double(json, "normalized_error", e.normalized_error);
    hzi_json_end_object(json);
}

static void put_luck(hzi_text *json, const hz_match_view *view, const hz_match_tally *t) {
    if (!view->config->luck) {
        hzi_json_null(json, "luck");
        return;
    }
    hz_luck_estimate e = hz_luck_evaluate(&t->luck);
    hzi_json_object(json, "luck");
    hzi_json_text(json, "judge", view->config->luck);
    hzi_json_double(json, "score_percent", 100.0 * e.raw);
    hzi_json_double(json, "half_width_percent", 100.0 * 1.959964 * e.raw_se);
    hzi_json_double(json, "adjusted_score_percent", 100.0 * e.adjusted);
    hzi_json_double(json, "adjusted_half_width_percent", 100.0 * 1.959964 * e.adjusted_se);
    hzi_json_double(json, "variance_ratio", e.variance_ratio);
    hzi_json_array(json, "factors");
    hzi_json_double(json, NULL, e.factor[0]);
    hzi_json_double(json, NULL, e.factor[1]);
    hzi_json_end_array(json);
    hzi_json_end_object(json);
}

static void put_latency(hzi_text *json, const hz_match_tally *t) {
    hz_latency_summary s = hz_match_tally_latency(t);
    hzi_json_object(json, "latency_ms");
    hzi_json_count(json, "count", s.count);
    hzi_json_double(json, "p50", s.p50);
    hzi_json_double(json, "p95", s.p95);
    hzi_json_double(json, "p99", s.p99);
    hzi_json_double(json, "max", s.max);
    hzi_json_end_object(json);
}

static double ratio(uint64_t part, uint64_t whole) {
    return whole ? (double)part / (double)whole : (double)NAN;
}

static void put_work(hzi_text *json, const hz_match_tally *t) {
    uint64_t games = sum(t->counts.games, 3);
    hzi_json_object(json, "plies");
    hzi_json_double(json, "mean", ratio(t->plies, games));
    hzi_json_count(json, "min", t->least_plies);
    hzi_json_count(json, "max", t->most_plies);
    hzi_json_end_object(json);
    hzi_json_count(json, "forced_passes", t->forced_passes);
    hzi_json_object(json, "answers");
    hzi_json_count(json, "a", t->sides[0].answers);
    hzi_json_count(json, "b", t->sides[1].answers);
    hzi_json_end_object(json);
    hzi_json_object(json, "nodes_per_turn");
    hzi_json_double(json, "a", ratio(t->sides[0].nodes, t->sides[0].node_answers));
    hzi_json_double(json, "b", ratio(t->sides[1].nodes, t->sides[1].node_answers));
    hzi_json_end_object(json);
    hzi_json_object(json, "ms_per_turn");
    hzi_json_double(json, "a", ratio(t->sides[0].time_us, t->sides[0].answers) / 1000.0);
    hzi_json_double(json, "b", ratio(t->sides[1].time_us, t->sides[1].answers) / 1000.0);
    hzi_json_end_object(json);
}

static void put_careless(hzi_text *json, const char *key, const hz_carelessness *c) {
    hzi_json_object(json, key);
    hzi_json_count(json, "turns", c->turns);
    hzi_json_count(json, "hangTurns", c->hang_turns);
    hzi_json_count(json, "queenHangTurns", c->queen_hang_turns);
    hzi_json_count(json, "hangingMaterial", c->hanging_material);
    hzi_json_count(json, "punishedCaptures", c->punished_captures);
    hzi_json_count(json, "punishedMaterial", c->punished_material);
    hzi_json_end_object(json);
}

static void put_pairing(hzi_text *json, const hz_match_view *view,
                        const hz_match_pairing *pairing) {
    const hz_match_tally *t = &pairing->tally;
    hzi_json_count(json, "games", sum(t->counts.games, 3));
    hzi_json_double(json, "score_percent", 100.0 * hzi_report_score(&t->counts));
    put_by_color(json, "wins", t, 2);
    put_by_color(json, "losses", t, 0);
    put_by_color(json, "draws", t, 1);
    put_ends(json, t);
    put_both(json, "flags", t->flags);
    put_both(json, "illegal", t->illegal);
    put_both(json, "faults", t->faults);
    put_pairs(json, &t->counts);
    put_sprt(json, view->config->sprt, &pairing->sprt);
    put_resolution(json, &t->counts);
    put_elo(json, &t->counts);
    put_luck(json, view, t);
    put_latency(json, t);
    put_work(json, t);
    if (view->config->rules.carelessness) {
        hzi_json_object(json, "carelessness");
        put_careless(json, "a", &t->sides[0].careless);
        put_careless(json, "b", &t->sides[1].careless);
        hzi_json_end_object(json);
    } else {
        hzi_json_null(json, "carelessness");
    }
}

/* ---- the whole ---- */

static void put_table(hzi_text *json, const hz_match_view *view) {
    bool smoothed = false;
    hz_rating *ratings = hzi_report_ratings(view, &smoothed);
    hzi_json_array(json, "players");
    for (size_t i = 0; i < view->player_count; i++) {
        hzi_json_object(json, NULL);
        put_identity(json, &view->players[i]);
        if (ratings) {
            hzi_json_count(json, "rank", ratings[i].rank);
            hzi_json_double(json, "elo", ratings[i].elo);
            hzi_json_double(json, "error", ratings[i].error);
            hzi_json_double(json, "los", ratings[i].los);
            hzi_json_count(json, "games", ratings[i].games);
            hzi_json_double(json, "points", ratings[i].score);
        }
        hzi_json_end_object(json);
    }
    hzi_json_end_array(json);
    hzi_json_bool(json, "smoothed", smoothed);
    free(ratings);
    hzi_json_array(json, "pairings");
    for (size_t i = 0; i < view->pairing_count; i++) {
        hzi_json_object(json, NULL);
        hzi_json_count(json, "a", view->pairings[i].a);
        hzi_json_count(json, "b", view->pairings[i].b);
        put_pairing(json, view, &view->pairings[i]);
        hzi_json_end_object(json);
    }
    hzi_json_end_array(json);
}

hz_status hz_match_report_json(const hz_match_view *view, hz_report_sink sink, void *context,
                               hz_error *err) {
    hzi_text json = {0};
    hz_match_scheme scheme = view->config->scheme;
    hzi_json_object(&json, NULL);
    if (scheme == HZ_SCHEME_MATCH) {
        bool timed = view->config->rules.control.base_ms > 0;
        put_head(&json, view, timed ? "timed_match" : "match");
        hzi_report_put_player(&json, "a", &view->players[0]);
        hzi_report_put_player(&json, "b", &view->players[1]);
        put_pairing(&json, view, &view->pairings[0]);
    } else {
        put_head(&json, view, scheme == HZ_SCHEME_GAUNTLET ? "gauntlet" : "round_robin");
        put_table(&json, view);
    }
    hzi_json_end_object(&json);
    hzi_text_add(&json, "\n", 1);
    return hzi_report_emit(&json, sink, context, err);
}
