/* SPDX-License-Identifier: MIT */
/* The part of a page that is about many players: ratings, the table of everybody against everybody, and
 * the pairings one by one. */
#include "arena/html.h"
#include "arena/report.h"
#include "arena/report_html.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { PAIRINGS_SHOWN = 200 };

static uint64_t sum(const uint64_t *counts, size_t n) {
    uint64_t total = 0;
    for (size_t i = 0; i < n; i++) {
        total += counts[i];
    }
    return total;
}

static void put_ratings(hzi_text *out, const hz_match_view *view, const hz_rating *ratings,
                        bool smoothed) {
    double low = 0.0, high = 0.0;
    for (size_t i = 0; i < view->player_count; i++) {
        double error = isfinite(ratings[i].error) ? ratings[i].error : 0.0;
        low = fmin(low, ratings[i].elo - error);
        high = fmax(high, ratings[i].elo + error);
    }
    double margin = 0.04 * (high - low) + 1.0;
    hzi_text_puts(out, "<section><h2>Ratings</h2><p>Elo of greatest likelihood, mean 0, with 95 % "
                       "intervals.");
    hzi_text_puts(
        out, smoothed ? " Somebody won or lost everything, so each result is taken with one more "
                        "drawn game.</p>"
                      : "</p>");
    hzi_text_puts(out, "<div class=\"wide\"><table><thead><tr><th scope=\"col\">#</th><th "
                       "class=\"text\" scope=\"col\">player</th><th scope=\"col\">Elo</th><th "
                       "scope=\"col\">\xC2\xB1</th><th class=\"text\" scope=\"col\">");
    hzi_html_fixed(out, low, 0);
    hzi_text_puts(out, " to ");
    hzi_html_fixed(out, high, 0);
    hzi_text_puts(
        out,
        "</th><th scope=\"col\">games</th><th scope=\"col\">points</th><th scope=\"col\">above the "
        "next</th></tr></thead><tbody>");
    for (size_t rank = 1; rank <= view->player_count; rank++) {
        for (size_t i = 0; i < view->player_count; i++) {
            const hz_rating *r = &ratings[i];
            if (r->rank != rank) {
                continue;
            }
            hzi_text_format(out, "<tr><td>%zu</td><td class=\"text\">", rank);
            hzi_html_text(out, view->players[i].text);
            hzi_text_puts(out, "</td><td>");
            hzi_html_fixed(out, r->elo, 1);
            hzi_text_puts(out, "</td><td>");
            hzi_html_fixed(out, r->error, 1);
            hzi_text_puts(out, "</td><td>");
            hzi_html_whisker(out, r->elo, r->error, low - margin, high + margin, "rating");
            hzi_text_puts(out, "</td><td>");
            hzi_html_count(out, r->games);
            hzi_text_puts(out, "</td><td>");
            hzi_html_fixed(out, r->score, 1);
            hzi_text_puts(out, "</td><td>");
            hzi_html_fixed(out, 100.0 * r->los, 1);
            hzi_text_puts(out, isfinite(r->los) ? " %</td></tr>" : "</td></tr>");
        }
    }
    hzi_text_puts(out, "</tbody></table></div></section>\n");
}

/* The pairing of two players, and whether it stands the other way round. */
static const hz_match_pairing *find_pairing(const hz_match_view *view, size_t a, size_t b,
                                            bool *swapped) {
    for (size_t i = 0; i < view->pairing_count; i++) {
        const hz_match_pairing *p = &view->pairings[i];
        if ((p->a == a && p->b == b) || (p->a == b && p->b == a)) {
            *swapped = p->a == b;
            return p;
        }
    }
    return NULL;
}

/* The player of a rank. */
static size_t by_rank(const hz_match_view *view, const hz_rating *ratings, size_t rank) {
    size_t i = 0;
    while (i + 1 < view->player_count && ratings[i].rank != rank) {
        i++;
    }
    return i;
}

static void put_cross(hzi_text *out, const hz_match_view *view, const hz_rating *ratings) {
    hzi_text_puts(
        out,
        "<section><h2>Everybody against everybody</h2><p>Score in percent of the "
        "player of the row; numbers lead to the first game shown.</p><div class=\"wide\"><table "
        "class=\"cross\"><thead><tr><th></th>");
    for (size_t i = 0; i < view->player_count; i++) {
        hzi_text_format(out, "<th scope=\"col\">%zu</th>", i + 1);
    }
    hzi_text_puts(out, "</tr></thead><tbody>");
    for (size_t row = 1; row <= view->player_count; row++) {
        size_t i = by_rank(view, ratings, row);
        hzi_text_format(out, "<tr><th scope=\"row\">%zu ", row);
        hzi_html_text(out, view->players[i].text);
        hzi_text_puts(out, "</th>");
        for (size_t column = 1; column <= view->player_count; column++) {
            size_t k = by_rank(view, ratings, column);
            bool swapped = false;
            const hz_match_pairing *p = i == k ? NULL : find_pairing(view, i, k, &swapped);
            double score = p ? hzi_report_score(&p->tally.counts) : (double)NAN;
            score = swapped ? 1.0 - score : score;
            hzi_text_puts(out, i == k        ? "<td class=\"self\">\xC3\x97"
                               : score > 0.5 ? "<td class=\"up\">"
                                             : "<td>");
            if (p) {
                bool linked = hzi_page_open_link(out, view, (size_t)(p - view->pairings));
                hzi_html_fixed(out, 100.0 * score, 1);
                hzi_text_puts(out, linked ? "</a>" : "");
            }
            hzi_text_puts(out, "</td>");
        }
        hzi_text_puts(out, "</tr>");
    }
    hzi_text_puts(out, "</tbody></table></div></section>\n");
}

static void put_pairings(hzi_text *out, const hz_match_view *view) {
    hzi_text_puts(out, "<section><h2>Pairings</h2><div class=\"wide\"><table><thead><tr><th "
                       "class=\"text\" scope=\"col\">A</th><th class=\"text\" "
                       "scope=\"col\">B</th><th scope=\"col\">games</th><th scope=\"col\">score of "
                       "A</th><th scope=\"col\">\xC2\xB1</th><th scope=\"col\">won</th><th "
                       "scope=\"col\">drawn</th><th scope=\"col\">lost</th><th "
                       "scope=\"col\">illegal A / B</th></tr></thead><tbody>");
    for (size_t i = 0; i < view->pairing_count && i < PAIRINGS_SHOWN; i++) {
        const hz_match_pairing *p = &view->pairings[i];
        const hz_match_tally *t = &p->tally;
        hzi_text_puts(out, "<tr><td class=\"text\">");
        hzi_html_text(out, view->players[p->a].text);
        hzi_text_puts(out, "</td><td class=\"text\">");
        hzi_html_text(out, view->players[p->b].text);
        hzi_text_puts(out, "</td><td>");
        hzi_html_count(out, sum(t->counts.games, 3));
        hzi_text_puts(out, "</td><td>");
        hzi_html_fixed(out, 100.0 * hzi_report_score(&t->counts), 2);
        hzi_text_puts(out, " %</td><td>");
        hzi_html_fixed(out, hzi_page_half_width(t), 2);
        for (int points = 2; points >= 0; points--) {
            hzi_text_puts(out, "</td><td>");
            hzi_html_count(out, t->counts.games[points]);
        }
        hzi_text_format(out, "</td><td>%" PRIu64 " / %" PRIu64 "</td></tr>", t->illegal[0],
                        t->illegal[1]);
    }
    hzi_text_puts(out, "</tbody></table></div>");
    if (view->pairing_count > PAIRINGS_SHOWN) {
        hzi_text_format(out, "<p>%zu more are in the JSON report.</p>",
                        view->pairing_count - PAIRINGS_SHOWN);
    }
    hzi_text_puts(out, "</section>\n");
}

hz_status hzi_page_tournament(hzi_text *out, const hz_match_view *view, hz_error *err) {
    bool smoothed = false;
    hz_rating *ratings = hzi_report_ratings(view, &smoothed);
    if (!ratings) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for ratings");
    }
    put_ratings(out, view, ratings, smoothed);
    if (view->config->scheme == HZ_SCHEME_ROUND_ROBIN) {
        put_cross(out, view, ratings);
    }
    free(ratings);
    put_pairings(out, view);
    return HZ_OK;
}
