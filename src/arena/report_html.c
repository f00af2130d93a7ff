/* SPDX-License-Identifier: MIT */
/*
 * A report as one page that needs nothing else: no script, no font, no address outside. What a match
 * says in one sentence stands on top; below it how the score came about, what the test saw, and what
 * the run could not have seen.
 */
#include "arena/html.h"
#include "arena/html_board.h"
#include "arena/report.h"
#include "arena/report_html.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 400 };

static const char style[] =
    ":root{color-scheme:light dark;--page:#fbfaf7;--card:#fff;--ink:#1d2227;--soft:#5d666f;"
    "--line:#e2dfd8;--a:#1f6fb2;--band:#1f6fb226;--win:#2a78b8;--draw:#9aa1a8;--loss:#c8702b;"
    "--bad:#b3362f;--good:#2d7a46;--on:#fff}"
    "@media(prefers-color-scheme:dark){:root{--page:#14171a;--card:#1b1f23;--ink:#e7e5e0;"
    "--soft:#9aa4ad;--line:#2d3338;--a:#6cb1ec;--band:#6cb1ec2e;--win:#5aa6e2;--draw:#7d868e;"
    "--loss:#e2925a;--bad:#ef7d75;--good:#6fc48a;--on:#10151a}}"
    "*{box-sizing:border-box}"
    "body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,'Segoe UI',"
    "Roboto,'DejaVu Sans',sans-serif}"
    "main{max-width:61rem;margin:0 auto;padding:2rem 1.25rem 4rem}"
    "h1{font-size:1.9rem;line-height:1.2;margin:0 0 .25rem;text-wrap:balance;"
    "overflow-wrap:anywhere}"
    "h1 .vs{color:var(--soft);font-weight:400}"
    "h2{font-size:1.05rem;margin:0}p{margin:.25rem 0}"
    ".soft,figcaption p,footer{color:var(--soft)}"
    ".said{font-size:1.15rem;margin:1.1rem 0 .6rem;max-width:46rem}"
    ".badge{display:inline-block;padding:.15rem .7rem;border-radius:1rem;border:1px solid;"
    "font-size:.92rem;font-weight:600}"
    ".badge.good{color:var(--good)}.badge.bad{color:var(--bad)}.badge.open{color:var(--soft)}"
    ".cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.8rem,1fr));gap:.75rem;"
    "margin:1.2rem 0}"
    ".cards div,figure,section{background:var(--card);border:1px solid var(--line);"
    "border-radius:.6rem}"
    ".cards div{padding:.7rem .9rem}"
    ".cards dt{color:var(--soft);font-size:.85rem}"
    ".cards dd{margin:0;font-size:1.45rem;font-variant-numeric:tabular-nums;line-height:1.25}"
    ".cards small{display:block;font-size:.85rem;color:var(--soft)}"
    "figure,section{margin:1rem 0;padding:1rem 1.1rem}"
    "figcaption{margin-bottom:.6rem}figcaption p,section>p{font-size:.92rem;max-width:46rem}"
    "svg{display:block;width:100%;height:auto;overflow:visible;"
    "font-family:inherit;fill:var(--ink)}"
    ".shares{border-radius:.5rem;margin:.5rem 0}"
    ".whisker{width:12.5rem;height:1.1rem;display:inline-block;vertical-align:middle}"
    ".grid{stroke:var(--line)}.axis{stroke:var(--soft)}.tick,.name,.mark{font-size:12px;"
    "fill:var(--soft);font-weight:400}.row,.value{font-size:13px;"
    "font-variant-numeric:tabular-nums}.value{font-weight:600}"
    ".line{fill:none;stroke:var(--a);stroke-width:2;stroke-linejoin:round}"
    ".band{fill:var(--band);stroke:none}.dot{fill:var(--a)}.span{stroke:var(--a);stroke-width:2}"
    ".rule{stroke:var(--soft)}.dashed{stroke-dasharray:4 4}.touch{fill:transparent}"
    ".touch:hover{fill:var(--band)}"
    ".bar.win{fill:var(--win)}.bar.draw{fill:var(--draw)}.bar.loss{fill:var(--loss)}"
    ".bar.plain{fill:var(--a)}.bar.bad{fill:var(--bad)}"
    ".inside{font-size:14px;font-weight:600;fill:var(--on)}"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.92rem}"
    "th,td{padding:.3rem .7rem;text-align:right;border-bottom:1px solid var(--line);"
    "white-space:nowrap}"
    "th:first-child,td:first-child,td.text,th.text{text-align:left}"
    "td.text{white-space:normal;overflow-wrap:anywhere}"
    "thead th{color:var(--soft);font-weight:600}tbody th{font-weight:400}"
    ".wide{overflow-x:auto}.chart{min-width:34rem}details{margin-top:.6rem}"
    "summary{cursor:pointer;color:var(--soft);font-size:.9rem}"
    "a{color:var(--a)}.cross td{min-width:4.5rem;text-align:center}"
    ".cross thead th{text-align:center}.cross .self{color:var(--soft)}.cross "
    ".up{background:var(--band)}"
    ".two{display:grid;grid-template-columns:repeat(auto-fit,minmax(22rem,1fr));gap:0 1rem}"
    "footer{font-size:.85rem;margin-top:2rem;overflow-wrap:anywhere}"
    "@media print{body{background:none}figure,section{break-inside:avoid}details{display:none}}";

static uint64_t sum(const uint64_t *counts, size_t n) {
    uint64_t total = 0;
    for (size_t i = 0; i < n; i++) {
        total += counts[i];
    }
    return total;
}

static bool is_paired(const hz_match_tally *t) {
    return sum(t->counts.pairs, 5) > 0;
}

double hzi_page_half_width(const hz_match_tally *t) {
    hz_resolution r = hz_match_resolution(&t->counts);
    return is_paired(t) ? r.half_width_pair_percent : r.half_width_game_percent;
}

/* ---- the score over time ---- */

/* Half the points of pairs so far: their sum and that of their squares. */
typedef struct running {
    double n, points, squares;
    hz_match_counts counts;
} running;

/* Of single games the two of a pair stand together; two drawn ones read like one won and one lost. */
static void add_pair(running *r, unsigned quarters, bool paired) {
    double score = 0.25 * quarters;
    r->n += 1.0;
    r->points += score;
    r->squares += score * score;
    if (paired) {
        r->counts.pairs[quarters]++;
        return;
    }
    static const uint8_t losses[] = {2, 1, 1, 0, 0}, draws[] = {0, 1, 0, 1, 0},
                         wins[] = {0, 0, 1, 1, 2};
    r->counts.singles[0] += losses[quarters];
    r->counts.singles[1] += draws[quarters];
    r->counts.singles[2] += wins[quarters];
}

static hzi_html_point score_point(const running *r) {
    double mean = r->points / r->n;
    double variance = r->n > 1.0 ? (r->squares - r->n * mean * mean) / (r->n - 1.0) : 0.0;
    double half = 1.959964 * sqrt(variance > 0.0 ? variance / r->n : 0.0);
    return (hzi_html_point){r->n, 100.0 * mean, 100.0 * (mean - half), 100.0 * (mean + half)};
}

/* Whether the point of this pair is drawn: about POINTS of them, the last one always. */
static bool is_drawn(uint64_t pair, uint64_t pairs) {
    uint64_t step = (pairs + POINTS - 1) / POINTS;
    return pair + 1 == pairs || (pair + 1) % step == 0;
}

static void score_chart(hzi_text *out, const hz_match_tally *t, const char *id) {
    hzi_html_point points[POINTS + 2];
    static const hzi_html_rule rules[] = {{50.0, "even", true}};
    running r = {0};
    size_t count = 0;
    double low = 45.0, high = 55.0;
    for (uint64_t i = 0; i < t->pairs; i++) {
        add_pair(&r, t->path[i], is_paired(t));
        if (is_drawn(i, t->pairs) && count < POINTS + 1) {
            points[count++] = score_point(&r);
        }
    }
    /* The wild beginning does not set the scale. */
    for (size_t i = count / 8; i < count; i++) {
        low = points[i].low < low ? points[i].low : low;
        high = points[i].high > high ? points[i].high : high;
    }
    const hzi_html_lines chart = {
        .id = id,
        .title = "Score of A over time",
        .about = "All pairs so far, with the 95 % interval of that moment. Looking at it again and "
                 "again makes it cross the middle more often than one look would; the test "
                 "below allows for that.",
        .x_name = "pairs",
        .y_name = "score of A",
        .unit = " %",
        .decimals = 2,
        .count = count,
        .points = points,
        .band = true,
        .rule_count = 1,
        .rules = rules,
        .low = fmax(0.0, floor(low - 1.0)),
        .high = fmin(100.0, ceil(high + 1.0))};
    hzi_html_line_chart(out, &chart);
}

static void sprt_chart(hzi_text *out, const hz_match_view *view, const hz_match_pairing *pairing) {
    const hz_match_tally *t = &pairing->tally;
    const hz_sprt_state *state = &pairing->sprt;
    hzi_html_point points[POINTS + 2] = {{0}};
    running r = {0};
    size_t count = 1; /* it begins at nothing */
    double low = state->lower, high = state->upper;
    for (uint64_t i = 0; i < t->pairs; i++) {
        add_pair(&r, t->path[i], is_paired(t));
        if (is_drawn(i, t->pairs) && count < POINTS + 2) {
            double llr = hz_sprt_evaluate(view->config->sprt, &r.counts).llr;
            llr = i + 1 == t->pairs ? state->llr : llr;
            points[count++] = (hzi_html_point){.x = (double)(i + 1), .y = llr};
            low = llr < low ? llr : low;
            high = llr > high ? llr : high;
        }
    }
    char about[200], h0[80], h1[80], number[2][32];
    hzi_text elo = {0};
    hzi_html_short(&elo, view->config->sprt->elo0);
    (void)snprintf(number[0], sizeof number[0], "%s", elo.failed ? "" : elo.bytes);
    hzi_text_clear(&elo);
    hzi_html_short(&elo, view->config->sprt->elo1);
    (void)snprintf(number[1], sizeof number[1], "%s", elo.failed ? "" : elo.bytes);
    hzi_text_fini(&elo);
    (void)snprintf(h0, sizeof h0, "H0: at most %s Elo better", number[0]);
    (void)snprintf(h1, sizeof h1, "H1: at least %s Elo better", number[1]);
    (void)snprintf(about, sizeof about,
                   "The logarithm of the likelihood ratio of two hypotheses, after each pair in "
                   "order. At a bound the test has decided.");
    const hzi_html_rule rules[] = {
        {state->upper, h1, false}, {0.0, "", true}, {state->lower, h0, false}};
    double margin = 0.08 * (high - low);
    const hzi_html_lines chart = {.id = "sprt",
                                  .title = "Path of the sequential test",
                                  .about = about,
                                  .x_name = "pairs",
                                  .y_name = "log-likelihood ratio",
                                  .unit = "",
                                  .decimals = 3,
                                  .count = count,
                                  .points = points,
                                  .rule_count = 3,
                                  .rules = rules,
                                  .low = low - margin,
                                  .high = high + margin};
    hzi_html_line_chart(out, &chart);
}

/* ---- counters ---- */

static void pair_chart(hzi_text *out, const hz_match_tally *t) {
    static const char *const names[5] = {"both lost", "\xC2\xBC", "\xC2\xBD", "\xC2\xBE",
                                         "both won"};
    static const char *const tones[5] = {"loss", "loss", "draw", "win", "win"};
    hzi_html_bar bars[5];
    for (int i = 0; i < 5; i++) {
        bars[i] = (hzi_html_bar){names[i], (double)t->counts.pairs[i], tones[i]};
    }
    const hzi_html_bars chart = {.id = "pairs",
                                 .title = "Pairs by their score",
                                 .about = "Two games from the same start with the same dice and "
                                          "colours swapped. What luck gave in "
                                          "one it often takes in the other.",
                                 .x_name = "score of the pair",
                                 .y_name = "pairs",
                                 .count = 5,
                                 .bars = bars,
                                 .total = (double)sum(t->counts.pairs, 5)};
    hzi_html_column_chart(out, &chart);
}

static bool is_fault(int end) {
    return end == HZ_END_LENGTH || (end >= HZ_END_ILLEGAL && end <= HZ_END_FAILED);
}

static void ends_chart(hzi_text *out, const hz_match_tally *t) {
    char names[HZ_MATCH_ENDS + HZ_TALLY_HTTP_MAX][HZ_MATCH_END_CAPACITY];
    hzi_html_bar bars[HZ_MATCH_ENDS + HZ_TALLY_HTTP_MAX];
    size_t count = 0;
    for (int end = 0; end < HZ_MATCH_ENDS; end++) {
        size_t kinds = end == HZ_END_HTTP_STATUS ? t->http_count : t->ends[end] > 0;
        for (size_t i = 0; i < kinds; i++) {
            bool http = end == HZ_END_HTTP_STATUS;
            (void)hz_match_end_text((hz_match_end)end, http ? t->http[i].status : 0, names[count]);
            bars[count] =
                (hzi_html_bar){names[count], (double)(http ? t->http[i].count : t->ends[end]),
                               is_fault(end) ? "bad" : "plain"};
            count++;
        }
    }
    for (size_t i = 1; i < count; i++) { /* most frequent first */
        hzi_html_bar one = bars[i];
        size_t at = i;
        for (; at > 0 && bars[at - 1].value < one.value; at--) {
            bars[at] = bars[at - 1];
        }
        bars[at] = one;
    }
    const hzi_html_bars chart = {.id = "ends",
                                 .title = "How games ended",
                                 .about = "",
                                 .x_name = "reason",
                                 .y_name = "games",
                                 .count = count,
                                 .bars = bars,
                                 .total = (double)sum(t->counts.games, 3)};
    if (count > 0) {
        hzi_html_bar_chart(out, &chart);
    }
}

static void latency_chart(hzi_text *out, const hz_match_tally *t) {
    hz_latency_summary s = hz_match_tally_latency(t);
    const hzi_html_bar bars[] = {{"half within", s.p50, "plain"},
                                 {"95 % within", s.p95, "plain"},
                                 {"99 % within", s.p99, "plain"},
                                 {"the longest", s.max, "plain"}};
    const hzi_html_bars chart = {.id = "latency",
                                 .title = "Time of A\xE2\x80\x99s answers",
                                 .about = "Of answers A was asked for; forced passes are none.",
                                 .x_name = "share",
                                 .y_name = "milliseconds",
                                 .count = 4,
                                 .bars = bars,
                                 .decimals = 3,
                                 .unit = " ms",
                                 .logarithmic = true};
    if (s.count > 0) {
        hzi_html_bar_chart(out, &chart);
    }
}

/* ---- the head of a match ---- */

static void card(hzi_text *out, const char *name) {
    hzi_text_puts(out, "<div><dt>");
    hzi_html_text(out, name);
    hzi_text_puts(out, "</dt><dd>");
}

static void plus_minus(hzi_text *out, double error, int decimals, const char *unit) {
    hzi_text_puts(out, "<small>\xC2\xB1 ");
    hzi_html_fixed(out, error, decimals);
    hzi_html_text(out, unit);
    hzi_text_puts(out, "</small>");
}

static void put_cards(hzi_text *out, const hz_match_view *view, const hz_match_pairing *pairing) {
    const hz_match_tally *t = &pairing->tally;
    hz_elo_estimate elo = hz_match_elo(&t->counts);
    hzi_text_puts(out, "<dl class=\"cards\">");
    card(out, "Score of A");
    hzi_html_fixed(out, 100.0 * hzi_report_score(&t->counts), 2);
    hzi_text_puts(out, " %");
    plus_minus(out, hzi_page_half_width(t), 2, " points, 95 %");
    hzi_text_puts(out, "</dd></div>");
    card(out, "Games");
    hzi_html_count(out, sum(t->counts.games, 3));
    hzi_text_puts(out, "<small>");
    hzi_html_count(out, t->pairs);
    hzi_text_puts(out, view->config->fresh_dice ? " with both colours, dice of their own</small>"
                                                : " pairs with shared dice</small>");
    hzi_text_puts(out, "</dd></div>");
    card(out, "Elo difference");
    hzi_html_fixed(out, elo.value, 1);
    plus_minus(out, elo.error, 1, ", 95 %");
    hzi_text_puts(out, "</dd></div>");
    card(out, "A is stronger");
    hzi_html_fixed(out, 100.0 * elo.los, 1);
    hzi_text_puts(out, " %<small>likelihood of superiority</small></dd></div>");
    if (view->config->sprt) {
        card(out, "Sequential test");
        hzi_html_fixed(out, pairing->sprt.llr, 2);
        hzi_text_puts(out, "<small>between ");
        hzi_html_fixed(out, pairing->sprt.lower, 2);
        hzi_text_puts(out, " and ");
        hzi_html_fixed(out, pairing->sprt.upper, 2);
        hzi_text_puts(out, "</small></dd></div>");
    }
    if (view->config->luck) {
        hz_luck_estimate e = hz_luck_evaluate(&t->luck);
        card(out, "Score with less luck");
        hzi_html_fixed(out, 100.0 * e.adjusted, 2);
        hzi_text_puts(out, " %");
        plus_minus(out, 100.0 * 1.959964 * e.adjusted_se, 2, " points, 95 %");
        hzi_text_puts(out, "</dd></div>");
    }
    hzi_text_puts(out, "</dl>\n");
}

static void put_badge(hzi_text *out, const hz_match_view *view, const hz_match_pairing *pairing) {
    if (view->cancelled) {
        hzi_text_puts(out, "<span class=\"badge open\">stopped before its end</span> ");
    }
    if (!view->config->sprt) {
        return;
    }
    hz_sprt_verdict verdict = pairing->sprt.verdict;
    hzi_text_format(out, "<span class=\"badge %s\">",
                    verdict == HZ_SPRT_H1   ? "good"
                    : verdict == HZ_SPRT_H0 ? "bad"
                                            : "open");
    if (verdict == HZ_SPRT_CONTINUE) {
        hzi_text_puts(out, "the test is undecided</span>\n");
        return;
    }
    hzi_text_puts(out, verdict == HZ_SPRT_H1 ? "H1 accepted: A is at least "
                                             : "H0 accepted: A is at most ");
    hzi_html_short(out,
                   verdict == HZ_SPRT_H1 ? view->config->sprt->elo1 : view->config->sprt->elo0);
    hzi_text_puts(out, " Elo better</span>\n");
}

static void put_sentence(hzi_text *out, const hz_match_tally *t) {
    uint64_t games = sum(t->counts.games, 3);
    double score = 100.0 * hzi_report_score(&t->counts), half = hzi_page_half_width(t);
    if (games == 0) {
        hzi_text_puts(out, "<p class=\"said\">No game was finished.</p>\n");
        return;
    }
    hzi_text_puts(out, "<p class=\"said\">A won ");
    hzi_html_count(out, t->counts.games[2]);
    hzi_text_puts(out, ", drew ");
    hzi_html_count(out, t->counts.games[1]);
    hzi_text_puts(out, " and lost ");
    hzi_html_count(out, t->counts.games[0]);
    hzi_text_puts(out, " of ");
    hzi_html_count(out, games);
    hzi_text_puts(out, " games: ");
    hzi_html_fixed(out, score, 1);
    hzi_text_puts(out, " %, ");
    if (!isfinite(half) || half <= 0.0) {
        hzi_text_puts(out, "too few to say how sure that is.</p>\n");
        return;
    }
    hzi_text_puts(out, "give or take ");
    hzi_html_fixed(out, half, 1);
    hzi_text_puts(out, score - half > 50.0   ? " points. That is more than chance explains.</p>\n"
                       : score + half < 50.0 ? " points. A is the weaker one.</p>\n"
                                             : " points. Chance alone could do that.</p>\n");
}

static void put_name(hzi_text *out, const hz_match_player_info *player, char letter) {
    if (letter) {
        hzi_text_format(out, "<b>%c</b>: ", letter);
    }
    hzi_html_text(out, player->text);
    if (player->book) {
        hzi_text_puts(out, " with the book ");
        hzi_html_text(out, player->book);
    }
    if (player->sha256[0]) {
        hzi_text_puts(out, ", model ");
        hzi_text_add(out, player->sha256, 12);
    }
}

/* ---- tables ---- */

static void row_of_two(hzi_text *out, const char *name, uint64_t a, uint64_t b) {
    hzi_text_puts(out, "<tr><th scope=\"row\">");
    hzi_html_text(out, name);
    hzi_text_puts(out, "</th><td>");
    hzi_html_count(out, a);
    hzi_text_puts(out, "</td><td>");
    hzi_html_count(out, b);
    hzi_text_puts(out, "</td></tr>");
}

static void row_of_means(hzi_text *out, const char *name, const hz_match_tally *t, int what) {
    hzi_text_puts(out, "<tr><th scope=\"row\">");
    hzi_html_text(out, name);
    hzi_text_puts(out, "</th>");
    for (int i = 0; i < 2; i++) {
        const hz_match_side *s = &t->sides[i];
        double part = what == 0 ? (double)s->time_us / 1000.0 : (double)s->nodes;
        double whole = what == 0 ? (double)s->answers : (double)s->node_answers;
        hzi_text_puts(out, "<td>");
        hzi_html_fixed(out, whole > 0.0 ? part / whole : (double)NAN, what == 0 ? 3 : 0);
        hzi_text_puts(out, "</td>");
    }
    hzi_text_puts(out, "</tr>");
}

static void put_players_table(hzi_text *out, const hz_match_view *view, const hz_match_tally *t) {
    const hz_carelessness *c[2] = {&t->sides[0].careless, &t->sides[1].careless};
    hzi_text_puts(out, "<section><h2>Players</h2><div class=\"wide\"><table><thead><tr><th></th>"
                       "<th scope=\"col\">A</th><th scope=\"col\">B</th></tr></thead><tbody>");
    row_of_two(out, "answers", t->sides[0].answers, t->sides[1].answers);
    row_of_means(out, "milliseconds an answer", t, 0);
    if (t->sides[0].node_answers || t->sides[1].node_answers) {
        row_of_means(out, "nodes an answer", t, 1);
    }
    row_of_two(out, "won with White", t->by_color[HZ_WHITE][2], t->by_color[HZ_BLACK][0]);
    row_of_two(out, "won with Black", t->by_color[HZ_BLACK][2], t->by_color[HZ_WHITE][0]);
    row_of_two(out, "illegal answers", t->illegal[0], t->illegal[1]);
    row_of_two(out, "other faults", t->faults[0], t->faults[1]);
    row_of_two(out, "lost on time", t->flags[0], t->flags[1]);
    if (view->config->rules.carelessness) {
        row_of_two(out, "turns that left a piece hanging", c[0]->hang_turns, c[1]->hang_turns);
        row_of_two(out, "turns that left a queen hanging", c[0]->queen_hang_turns,
                   c[1]->queen_hang_turns);
        row_of_two(out, "hanging pieces that were taken", c[0]->punished_captures,
                   c[1]->punished_captures);
    }
    hzi_text_puts(out, "</tbody></table></div></section>\n");
}

static void row_needed(hzi_text *out, const char *name, double paired, double unpaired) {
    hzi_text_puts(out, "<tr><th scope=\"row\">");
    hzi_html_text(out, name);
    hzi_text_puts(out, "</th><td>");
    hzi_html_fixed(out, paired, 0);
    hzi_text_puts(out, "</td><td>");
    hzi_html_fixed(out, unpaired, 0);
    hzi_text_puts(out, "</td></tr>");
}

static void put_resolution(hzi_text *out, const hz_match_tally *t) {
    hz_resolution r = hz_match_resolution(&t->counts);
    hzi_text_puts(out, "<section><h2>What the run could have seen</h2><p>With ");
    hzi_html_count(out, sum(t->counts.games, 3));
    hzi_text_puts(out, " games a difference of less than ");
    hzi_html_fixed(out, hzi_page_half_width(t), 1);
    hzi_text_puts(out, " points of score cannot be told from none.");
    if (is_paired(t) && isfinite(r.gain)) {
        hzi_text_puts(out, " Pairing makes the interval ");
        hzi_html_fixed(out, r.gain, 2);
        hzi_text_puts(out, " times as narrow as it would be.");
    }
    hzi_text_puts(out, "</p><div class=\"wide\"><table><thead><tr><th scope=\"col\">to see</th><th "
                       "scope=\"col\">games in pairs</th><th scope=\"col\">single "
                       "games</th></tr></thead><tbody>");
    row_needed(out, "\xC2\xB1 1 %", r.games_paired[2], r.games_unpaired[2]);
    row_needed(out, "\xC2\xB1 2 %", r.games_paired[0], r.games_unpaired[0]);
    row_needed(out, "\xC2\xB1 3 %", r.games_paired[1], r.games_unpaired[1]);
    hzi_text_puts(out, "</tbody></table></div></section>\n");
}

static void put_link(hzi_text *out, const char *page, const char *what, const char *file) {
    if (!file) {
        return;
    }
    hzi_text_puts(out, "<li><a href=\"");
    hzi_html_address(out, page, file);
    hzi_text_puts(out, "\">");
    hzi_html_text(out, file);
    hzi_text_puts(out, "</a>, ");
    hzi_html_text(out, what);
    hzi_text_puts(out, "</li>");
}

static void put_games(hzi_text *out, const hz_match_view *view, const char *page) {
    const hz_match_config *c = view->config;
    bool chess = c->rules.game == HZ_MATCH_CHESS;
    bool files = c->games_log || c->games_record || c->archive;
    if (!files && view->game_count == 0) {
        return;
    }
    hzi_text_puts(out, "<section id=\"games\"><h2>Games</h2>");
    hzi_page_games(out, view);
    if (!files) {
        hzi_text_puts(out, "</section>\n");
        return;
    }
    hzi_text_puts(out, "<ul>");
    put_link(out, page, chess ? "all games as PGN" : "all games as game records", c->games_record);
    put_link(out, page, "a line of JSON for each game", c->games_log);
    put_link(out, page, "an SQLite archive of games", c->archive);
    hzi_text_puts(out, "</ul></section>\n");
}

/* ---- the whole ---- */

static void put_title(hzi_text *out, const hz_match_view *view, bool marked) {
    if (view->config->scheme == HZ_SCHEME_MATCH) {
        hzi_html_text(out, view->players[0].name);
        hzi_text_puts(out, marked ? " <span class=\"vs\">against</span> " : " against ");
        hzi_html_text(out, view->players[1].name);
        return;
    }
    if (view->config->scheme == HZ_SCHEME_GAUNTLET) {
        hzi_html_text(out, view->players[0].name);
        hzi_text_format(out, " against %zu others", view->player_count - 1);
        return;
    }
    hzi_text_format(out, "%zu players, everybody against everybody", view->player_count);
}

static void put_begin(hzi_text *out, const hz_match_view *view) {
    const hz_match_config *c = view->config;
    hzi_text_puts(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
                       "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                       "style-src 'unsafe-inline'\">\n<title>");
    put_title(out, view, false);
    hzi_text_puts(out, "</title>\n<style>");
    hzi_text_puts(out, style);
    if (view->game_count > 0) {
        hzi_text_puts(out, hzi_html_board_style);
        hzi_text_puts(out, hzi_page_games_style);
    }
    hzi_text_puts(out, "</style></head>\n<body><main>\n<header><h1>");
    put_title(out, view, true);
    hzi_text_puts(out, "</h1><p class=\"soft\">");
    hzi_text_puts(out, c->rules.game == HZ_MATCH_CHESS ? "Chess" : "Dice Chess");
    hzi_text_puts(out, c->rules.control.base_ms > 0 ? ", " : ", untimed");
    hzi_html_text(out, c->rules.control.base_ms > 0 ? c->rules.control.label : "");
    hzi_text_puts(out, ", ");
    hzi_html_text(out, c->start_label ? c->start_label
                       : c->openings  ? "openings"
                                      : "initial position");
    hzi_text_format(out, ", seed %" PRIu64 ", ", c->seed);
    hzi_html_text(out, view->created);
    hzi_text_puts(out, "</p></header>\n");
}

static void put_end(hzi_text *out, const hz_match_view *view) {
    hz_machine machine = hz_machine_get();
    hzi_text_format(out, "<footer><p>hazard %s, %u worker%s, %u rank%s, ", hz_version(),
                    view->workers, view->workers == 1 ? "" : "s", view->ranks,
                    view->ranks == 1 ? "" : "s");
    hzi_html_fixed(out, (double)view->wall_ms / 1000.0, 1);
    hzi_text_puts(out, " s; ");
    hzi_html_text(out, machine.cpu);
    hzi_text_format(out, ", %u cores", machine.cores);
    if (view->ranks_lost) {
        hzi_text_format(out, "; %u ranks were lost on the way", view->ranks_lost);
    }
    hzi_text_puts(out, ".</p></footer>\n</main></body></html>\n");
}

static void put_match(hzi_text *out, const hz_match_view *view, const char *page) {
    const hz_match_pairing *pairing = &view->pairings[0];
    const hz_match_tally *t = &pairing->tally;
    hzi_text_puts(out, "<p>");
    put_name(out, &view->players[0], 'A');
    hzi_text_puts(out, "<br>");
    put_name(out, &view->players[1], 'B');
    hzi_text_puts(out, "</p>\n");
    put_sentence(out, t);
    put_badge(out, view, pairing);
    put_cards(out, view, pairing);
    if (t->pairs > 0) {
        const hzi_html_bar shares[] = {{"won", (double)t->counts.games[2], "win"},
                                       {"drawn", (double)t->counts.games[1], "draw"},
                                       {"lost", (double)t->counts.games[0], "loss"}};
        hzi_html_shares(out, shares, 3, "Games won, drawn and lost by A");
        score_chart(out, t, "score");
        if (view->config->sprt) {
            sprt_chart(out, view, pairing);
        }
        if (is_paired(t)) {
            pair_chart(out, t);
        }
        ends_chart(out, t);
        latency_chart(out, t);
        hzi_text_puts(out, "<div class=\"two\">");
        put_players_table(out, view, t);
        put_resolution(out, t);
        hzi_text_puts(out, "</div>\n");
    }
    put_games(out, view, page);
}

hz_status hz_match_report_html(const hz_match_view *view, const char *page, hz_report_sink sink,
                               void *context, hz_error *err) {
    hzi_text out = {0};
    hz_status status = HZ_OK;
    put_begin(&out, view);
    if (view->config->scheme == HZ_SCHEME_MATCH) {
        put_match(&out, view, page);
    } else {
        if (view->cancelled) {
            hzi_text_puts(&out, "<span class=\"badge open\">stopped before its end</span>\n");
        }
        status = hzi_page_tournament(&out, view, err);
        put_games(&out, view, page);
    }
    put_end(&out, view);
    if (status != HZ_OK) {
        hzi_text_fini(&out);
        return status;
    }
    return hzi_report_emit(&out, sink, context, err);
}
