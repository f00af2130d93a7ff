/* SPDX-License-Identifier: MIT */
/*
 * Pages without scripts: text with its marks escaped, numbers with a point whatever the locale, and the
 * few charts a report needs, drawn as SVG. Every chart has a title for those who cannot see it and its
 * numbers as a table beneath it.
 */
#ifndef HAZARD_ARENA_HTML_H
#define HAZARD_ARENA_HTML_H

#include "arena/text.h"

/* Text inside an element or a quoted attribute; bytes that are no UTF-8 become U+FFFD. */
void hzi_html_text(hzi_text *out, const char *text);
/* A number with so many decimals, "-" when it is not finite. */
void hzi_html_fixed(hzi_text *out, double value, int decimals);
/* One decimal, none for whole numbers. */
void hzi_html_short(hzi_text *out, double value);
/* A whole number with narrow spaces between thousands. */
void hzi_html_count(hzi_text *out, uint64_t value);
/* The address of a file as seen from the page; page NULL = from the folder both are named from. */
void hzi_html_address(hzi_text *out, const char *page, const char *file);

/* ---- charts ---- */

typedef struct hzi_html_point {
    double x, y;
    double low, high; /* of the band */
} hzi_html_point;

/* A horizontal line across a chart. */
typedef struct hzi_html_rule {
    double y;
    const char *label;
    bool dashed;
} hzi_html_rule;

/* A line over time. Texts are plain. */
typedef struct hzi_html_lines {
    const char *id; /* a word, unique on the page */
    const char *title, *about;
    const char *x_name, *y_name;
    const char *unit; /* behind values, "" = none */
    int decimals;
    size_t count; /* of points, ascending in x; charts with fewer than two are left out */
    const hzi_html_point *points;
    bool band;
    size_t rule_count;
    const hzi_html_rule *rules;
    double low, high; /* of the y axis; what lies outside is cut */
} hzi_html_lines;
void hzi_html_line_chart(hzi_text *out, const hzi_html_lines *chart);

typedef struct hzi_html_bar {
    const char *name;
    double value;
    const char *tone; /* a class of the page's colours: "win", "draw", "loss", "plain", "bad" */
} hzi_html_bar;
typedef struct hzi_html_bars {
    const char *id, *title, *about, *x_name, *y_name;
    size_t count;
    const hzi_html_bar *bars;
    double total; /* for shares; 0 = none are shown */
    int decimals;
    const char *unit;
    bool logarithmic; /* lying bars only: points on a logarithmic axis, for values of many sizes */
} hzi_html_bars;
/* Standing bars, few and with short names; and lying ones. */
void hzi_html_column_chart(hzi_text *out, const hzi_html_bars *chart);
void hzi_html_bar_chart(hzi_text *out, const hzi_html_bars *chart);

/* A value with its interval on a common scale, as a picture for one row of a table. */
void hzi_html_whisker(hzi_text *out, double value, double error, double low, double high,
                      const char *title);
/* Shares of a whole in one lying bar. */
void hzi_html_shares(hzi_text *out, const hzi_html_bar *bars, size_t count, const char *title);

#endif
