/* SPDX-License-Identifier: MIT */
/*
 * The charts of a page. Colours and sizes of letters are classes of the page's style, so that light,
 * dark and print need no second drawing. What a pointer shows are titles of the drawn parts.
 */
#include "arena/html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 720, HEIGHT = 260, LEFT = 56, RIGHT = 18, TOP = 14, BOTTOM = 40, TABLE_ROWS = 12 };

/* ---- scales ---- */

typedef struct scale {
    double low, high; /* of the values */
    double from, to;  /* on the drawing */
} scale;

static double place(const scale *s, double value) {
    double share = s->high > s->low ? (value - s->low) / (s->high - s->low) : 0.5;
    return s->from + share * (s->to - s->from);
}

/* A step of 1, 2 or 5 times a power of ten that gives at most about `most` ticks. */
static double tick_step(double low, double high, int most) {
    double rough = (high - low) / most;
    double power = rough > 0.0 ? pow(10.0, floor(log10(rough))) : 1.0;
    double times = rough / power;
    return (times <= 1.0 ? 1.0 : times <= 2.0 ? 2.0 : times <= 5.0 ? 5.0 : 10.0) * power;
}

static int decimals_of(double step) {
    int decimals = 0;
    while (decimals < 6 && fabs(step - round(step)) > 1e-9 * step) {
        step *= 10.0;
        decimals++;
    }
    return decimals;
}

static void number(hzi_text *out, double value) {
    hzi_html_fixed(out, value, 1);
}

static void attribute(hzi_text *out, const char *name, double value) {
    hzi_text_format(out, " %s=\"", name);
    number(out, value);
    hzi_text_puts(out, "\"");
}

static void line(hzi_text *out, const char *class, double x1, double y1, double x2, double y2) {
    hzi_text_format(out, "<line class=\"%s\"", class);
    attribute(out, "x1", x1);
    attribute(out, "y1", y1);
    attribute(out, "x2", x2);
    attribute(out, "y2", y2);
    hzi_text_puts(out, "/>");
}

/* anchor: "start", "middle", "end". The caller writes what follows the opening tag. */
static void open_label(hzi_text *out, const char *class, double x, double y, const char *anchor) {
    hzi_text_format(out, "<text class=\"%s\" text-anchor=\"%s\"", class, anchor);
    attribute(out, "x", x);
    attribute(out, "y", y);
    hzi_text_puts(out, ">");
}

static void label(hzi_text *out, const char *class, double x, double y, const char *anchor,
                  const char *text) {
    open_label(out, class, x, y, anchor);
    hzi_html_text(out, text);
    hzi_text_puts(out, "</text>\n");
}

/* ---- the frame of a chart ---- */

static void open_figure(hzi_text *out, const char *id, const char *title, const char *about) {
    hzi_text_format(out, "<figure id=\"%s\">\n<figcaption><h2>", id);
    hzi_html_text(out, title);
    hzi_text_puts(out, "</h2>");
    if (about && *about) {
        hzi_text_puts(out, "<p>");
        hzi_html_text(out, about);
        hzi_text_puts(out, "</p>");
    }
    hzi_text_puts(out, "</figcaption>\n");
}

static void open_svg(hzi_text *out, const char *id, const char *title, double width,
                     double height) {
    hzi_text_format(
        out,
        "<div class=\"wide\"><svg class=\"chart\" viewBox=\"0 0 %.0f %.0f\" role=\"img\" "
        "aria-labelledby=\"%s-t\"><title id=\"%s-t\">",
        width, height, id, id);
    hzi_html_text(out, title);
    hzi_text_puts(out, "</title>\n");
}

static void open_table(hzi_text *out) {
    hzi_text_puts(
        out, "</svg></div>\n<details><summary>The numbers</summary><div class=\"wide\"><table>");
}

static void close_figure(hzi_text *out) {
    hzi_text_puts(out, "</table></div></details>\n</figure>\n");
}

static void head_cell(hzi_text *out, const char *text) {
    hzi_text_puts(out, "<th scope=\"col\">");
    hzi_html_text(out, text);
    hzi_text_puts(out, "</th>");
}

static void value_cell(hzi_text *out, double value, int decimals, const char *unit) {
    hzi_text_puts(out, "<td>");
    hzi_html_fixed(out, value, decimals);
    hzi_html_text(out, unit);
    hzi_text_puts(out, "</td>");
}

/* ---- lines ---- */

static void draw_axes(hzi_text *out, const hzi_html_lines *c, const scale *x, const scale *y) {
    double step = tick_step(y->low, y->high, 5);
    int decimals = decimals_of(step);
    long first = lround(ceil(y->low / step)), last = lround(floor(y->high / step + 1e-9));
    for (long tick = first; tick <= last; tick++) {
        double value = (double)tick * step;
        line(out, "grid", x->from, place(y, value), x->to, place(y, value));
        open_label(out, "tick", LEFT - 8, place(y, value) + 4, "end");
        hzi_html_fixed(out, value, decimals);
        hzi_html_text(out, c->unit);
        hzi_text_puts(out, "</text>\n");
    }
    step = tick_step(x->low, x->high, 7);
    step = step < 1.0 ? 1.0 : step;
    last = lround(floor(x->high / step + 1e-9));
    for (long tick = lround(ceil(x->low / step)); tick <= last; tick++) {
        double at = (double)tick * step;
        open_label(out, "tick", place(x, at), HEIGHT - BOTTOM + 18, "middle");
        hzi_html_count(out, (uint64_t)at);
        hzi_text_puts(out, "</text>\n");
    }
    line(out, "axis", x->from, y->from, x->to, y->from);
    label(out, "name", x->to, HEIGHT - 4, "end", c->x_name);
}

static void draw_band(hzi_text *out, const hzi_html_lines *c, const scale *x, const scale *y) {
    hzi_text_puts(out, "<path class=\"band\" d=\"");
    for (size_t i = 0; i < 2 * c->count; i++) {
        const hzi_html_point *p = &c->points[i < c->count ? i : 2 * c->count - 1 - i];
        hzi_text_puts(out, i ? "L" : "M");
        number(out, place(x, p->x));
        hzi_text_puts(out, " ");
        number(out, place(y, i < c->count ? p->high : p->low));
    }
    hzi_text_puts(out, "Z\"/>\n");
}

static void draw_path(hzi_text *out, const hzi_html_lines *c, const scale *x, const scale *y) {
    hzi_text_puts(out, "<path class=\"line\" d=\"");
    for (size_t i = 0; i < c->count; i++) {
        hzi_text_puts(out, i ? "L" : "M");
        number(out, place(x, c->points[i].x));
        hzi_text_puts(out, " ");
        number(out, place(y, c->points[i].y));
    }
    hzi_text_puts(out, "\"/>\n");
}

static void draw_rules(hzi_text *out, const hzi_html_lines *c, const scale *x, const scale *y) {
    for (size_t i = 0; i < c->rule_count; i++) {
        const hzi_html_rule *rule = &c->rules[i];
        if (rule->y >= y->low && rule->y <= y->high) {
            double at = place(y, rule->y);
            line(out, rule->dashed ? "rule dashed" : "rule", x->from, at, x->to, at);
            label(out, "mark", x->from + 4, at < TOP + 20 ? at + 14 : at - 5, "start", rule->label);
        }
    }
}

/* Columns that show their numbers under the pointer. */
static void draw_titles(hzi_text *out, const hzi_html_lines *c, const scale *x) {
    enum { COLUMNS = 60 };
    size_t columns = c->count < COLUMNS ? c->count : COLUMNS;
    for (size_t i = 0; i < columns; i++) {
        const hzi_html_point *p = &c->points[(i + 1) * c->count / columns - 1];
        double width = (x->to - x->from) / (double)columns;
        hzi_text_puts(out, "<rect class=\"touch\"");
        attribute(out, "x", x->from + width * (double)i);
        attribute(out, "y", TOP);
        attribute(out, "width", width);
        attribute(out, "height", HEIGHT - BOTTOM - TOP);
        hzi_text_puts(out, "><title>");
        hzi_html_text(out, c->x_name);
        hzi_text_puts(out, ": ");
        hzi_html_count(out, (uint64_t)p->x);
        hzi_text_puts(out, "\n");
        hzi_html_text(out, c->y_name);
        hzi_text_puts(out, ": ");
        hzi_html_fixed(out, p->y, c->decimals);
        hzi_html_text(out, c->unit);
        if (c->band) {
            hzi_text_puts(out, " (");
            hzi_html_fixed(out, p->low, c->decimals);
            hzi_text_puts(out, " to ");
            hzi_html_fixed(out, p->high, c->decimals);
            hzi_text_puts(out, ")");
        }
        hzi_text_puts(out, "</title></rect>");
    }
    hzi_text_puts(out, "\n");
}

static void table_of_lines(hzi_text *out, const hzi_html_lines *c) {
    hzi_text_puts(out, "<thead><tr>");
    head_cell(out, c->x_name);
    head_cell(out, c->y_name);
    if (c->band) {
        head_cell(out, "from");
        head_cell(out, "to");
    }
    hzi_text_puts(out, "</tr></thead><tbody>");
    size_t rows = c->count < TABLE_ROWS ? c->count : TABLE_ROWS;
    for (size_t i = 0; i < rows; i++) {
        const hzi_html_point *p = &c->points[(i + 1) * c->count / rows - 1];
        hzi_text_puts(out, "<tr>");
        value_cell(out, p->x, 0, "");
        value_cell(out, p->y, c->decimals, c->unit);
        if (c->band) {
            value_cell(out, p->low, c->decimals, c->unit);
            value_cell(out, p->high, c->decimals, c->unit);
        }
        hzi_text_puts(out, "</tr>");
    }
    hzi_text_puts(out, "</tbody>");
}

void hzi_html_line_chart(hzi_text *out, const hzi_html_lines *c) {
    if (c->count < 2) {
        return;
    }
    const scale x = {c->points[0].x, c->points[c->count - 1].x, LEFT, WIDTH - RIGHT};
    const scale y = {c->low, c->high, HEIGHT - BOTTOM, TOP};
    open_figure(out, c->id, c->title, c->about);
    open_svg(out, c->id, c->title, WIDTH, HEIGHT);
    hzi_text_format(out,
                    "<clipPath id=\"%s-c\"><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>"
                    "</clipPath>\n",
                    c->id, LEFT, TOP, WIDTH - RIGHT - LEFT, HEIGHT - BOTTOM - TOP);
    draw_axes(out, c, &x, &y);
    hzi_text_format(out, "<g clip-path=\"url(#%s-c)\">\n", c->id);
    if (c->band) {
        draw_band(out, c, &x, &y);
    }
    draw_path(out, c, &x, &y);
    hzi_text_puts(out, "</g>\n");
    draw_rules(out, c, &x, &y);
    const hzi_html_point *last = &c->points[c->count - 1];
    if (last->y >= c->low && last->y <= c->high) {
        hzi_text_puts(out, "<circle class=\"dot\" r=\"3.5\"");
        attribute(out, "cx", place(&x, last->x));
        attribute(out, "cy", place(&y, last->y));
        hzi_text_puts(out, "/>\n");
    }
    draw_titles(out, c, &x);
    open_table(out);
    table_of_lines(out, c);
    close_figure(out);
}

/* ---- bars ---- */

static double largest(const hzi_html_bars *c) {
    double most = 0.0;
    for (size_t i = 0; i < c->count; i++) {
        most = c->bars[i].value > most ? c->bars[i].value : most;
    }
    return most;
}

static void share(hzi_text *out, const hzi_html_bars *c, double value) {
    if (c->total > 0.0) {
        hzi_text_puts(out, " (");
        hzi_html_fixed(out, 100.0 * value / c->total, 1);
        hzi_text_puts(out, " %)");
    }
}

static void bar_value(hzi_text *out, const hzi_html_bars *c, double value) {
    if (c->decimals == 0 && value >= 0.0) {
        hzi_html_count(out, (uint64_t)value);
    } else {
        hzi_html_fixed(out, value, c->decimals);
    }
    hzi_html_text(out, c->unit ? c->unit : "");
}

static void bar(hzi_text *out, const hzi_html_bars *c, const hzi_html_bar *one, double x, double y,
                double width, double height) {
    hzi_text_format(out, "<rect class=\"bar %s\" rx=\"2\"", one->tone);
    attribute(out, "x", x);
    attribute(out, "y", y);
    attribute(out, "width", width);
    attribute(out, "height", height);
    hzi_text_puts(out, "><title>");
    hzi_html_text(out, one->name);
    hzi_text_puts(out, ": ");
    bar_value(out, c, one->value);
    share(out, c, one->value);
    hzi_text_puts(out, "</title></rect>");
}

static void table_of_bars(hzi_text *out, const hzi_html_bars *c) {
    hzi_text_puts(out, "<thead><tr>");
    head_cell(out, c->x_name);
    head_cell(out, c->y_name);
    if (c->total > 0.0) {
        head_cell(out, "share");
    }
    hzi_text_puts(out, "</tr></thead><tbody>");
    for (size_t i = 0; i < c->count; i++) {
        hzi_text_puts(out, "<tr><th scope=\"row\">");
        hzi_html_text(out, c->bars[i].name);
        hzi_text_puts(out, "</th>");
        value_cell(out, c->bars[i].value, c->decimals, c->unit ? c->unit : "");
        if (c->total > 0.0) {
            value_cell(out, 100.0 * c->bars[i].value / c->total, 1, " %");
        }
        hzi_text_puts(out, "</tr>");
    }
    hzi_text_puts(out, "</tbody>");
}

void hzi_html_column_chart(hzi_text *out, const hzi_html_bars *c) {
    enum { TALL = 220, FLOOR = 178, ROOF = 34 };
    double most = largest(c),
           slot = (double)(WIDTH - 2 * RIGHT) / (double)(c->count ? c->count : 1);
    double width = slot * 0.62;
    open_figure(out, c->id, c->title, c->about);
    open_svg(out, c->id, c->title, WIDTH, TALL);
    for (size_t i = 0; i < c->count; i++) {
        double middle = RIGHT + slot * ((double)i + 0.5);
        double height = most > 0.0 ? (FLOOR - ROOF) * c->bars[i].value / most : 0.0;
        bar(out, c, &c->bars[i], middle - width / 2.0, FLOOR - height, width, height);
        open_label(out, "value", middle, FLOOR - height - 8, "middle");
        bar_value(out, c, c->bars[i].value);
        if (c->total > 0.0 && c->bars[i].value > 0.0) {
            hzi_text_puts(out, "<tspan class=\"tick\" dx=\"6\">");
            hzi_html_fixed(out, 100.0 * c->bars[i].value / c->total, 1);
            hzi_text_puts(out, " %</tspan>");
        }
        hzi_text_puts(out, "</text>\n");
        label(out, "tick", middle, FLOOR + 18, "middle", c->bars[i].name);
    }
    line(out, "axis", RIGHT, FLOOR, WIDTH - RIGHT, FLOOR);
    label(out, "name", WIDTH - RIGHT, TALL - 4, "end", c->x_name);
    open_table(out);
    table_of_bars(out, c);
    close_figure(out);
}

/* The powers of ten around the values. */
static scale log_scale(const hzi_html_bars *c, double from, double to) {
    double low = (double)INFINITY, high = -(double)INFINITY;
    for (size_t i = 0; i < c->count; i++) {
        double power = c->bars[i].value > 0.0 ? log10(c->bars[i].value) : (double)NAN;
        low = power < low ? power : low;
        high = power > high ? power : high;
    }
    low = isfinite(low) ? floor(low - 1e-9) : 0.0;
    high = isfinite(high) ? ceil(high + 1e-9) : 1.0;
    return (scale){low, high > low ? high : low + 1.0, from, to};
}

static void log_axis(hzi_text *out, const hzi_html_bars *c, const scale *x, double height) {
    for (int tick = (int)x->low; tick <= (int)x->high; tick++) {
        double power = tick;
        line(out, "grid", place(x, power), 0, place(x, power), height);
        open_label(out, "tick", place(x, power), height + 14, "middle");
        hzi_html_fixed(out, pow(10.0, power), tick < 0 ? -tick : 0);
        hzi_html_text(out, c->unit ? c->unit : "");
        hzi_text_puts(out, "</text>\n");
    }
}

/* A point at the end of a thin line; returns how long that is. */
static double log_point(hzi_text *out, const hzi_html_bars *c, const hzi_html_bar *one,
                        const scale *x, double from, double y) {
    double at = one->value > 0.0 ? place(x, log10(one->value)) : from;
    line(out, "span", from, y, at, y);
    hzi_text_puts(out, "<circle class=\"dot\" r=\"5\"");
    attribute(out, "cx", at);
    attribute(out, "cy", y);
    hzi_text_puts(out, "><title>");
    hzi_html_text(out, one->name);
    hzi_text_puts(out, ": ");
    bar_value(out, c, one->value);
    hzi_text_puts(out, "</title></circle>");
    return at - from + 4.0;
}

void hzi_html_bar_chart(hzi_text *out, const hzi_html_bars *c) {
    enum { ROW = 30, NAMES = 148, VALUES = 130 };
    double most = largest(c), height = (double)(ROW * c->count) + 6.0;
    open_figure(out, c->id, c->title, c->about);
    open_svg(out, c->id, c->title, WIDTH, height + (c->logarithmic ? 20.0 : 0.0));
    const scale log = log_scale(c, NAMES, WIDTH - VALUES);
    if (c->logarithmic) {
        log_axis(out, c, &log, height);
    }
    for (size_t i = 0; i < c->count; i++) {
        double y = (double)(ROW * i) + 4.0;
        double width = most > 0.0 ? (WIDTH - NAMES - VALUES) * c->bars[i].value / most : 0.0;
        width = c->bars[i].value > 0.0 && width < 2.0 ? 2.0 : width;
        label(out, "row", NAMES - 10, y + 16, "end", c->bars[i].name);
        if (c->logarithmic) {
            width = log_point(out, c, &c->bars[i], &log, NAMES, y + (ROW - 8) / 2.0);
        } else {
            bar(out, c, &c->bars[i], NAMES, y, width, ROW - 8);
        }
        open_label(out, "value", NAMES + width + 8, y + 16, "start");
        bar_value(out, c, c->bars[i].value);
        if (c->total > 0.0) {
            hzi_text_puts(out, "<tspan class=\"tick\" dx=\"6\">");
            hzi_html_fixed(out, 100.0 * c->bars[i].value / c->total, 1);
            hzi_text_puts(out, " %</tspan>");
        }
        hzi_text_puts(out, "</text>\n");
    }
    line(out, "axis", NAMES, 0, NAMES, height);
    open_table(out);
    table_of_bars(out, c);
    close_figure(out);
}

/* ---- small pictures ---- */

void hzi_html_whisker(hzi_text *out, double value, double error, double low, double high,
                      const char *title) {
    enum { WIDE = 200, TALL = 18 };
    const scale x = {low, high, 6, WIDE - 6};
    hzi_text_format(out, "<svg class=\"whisker\" viewBox=\"0 0 %d %d\" role=\"img\"><title>",
                    (int)WIDE, (int)TALL);
    hzi_html_text(out, title);
    hzi_text_puts(out, "</title>");
    if (low <= 0.0 && high >= 0.0) {
        line(out, "grid", place(&x, 0.0), 0, place(&x, 0.0), TALL);
    }
    if (isfinite(error)) {
        double from = value - error < low ? low : value - error;
        double to = value + error > high ? high : value + error;
        line(out, "span", place(&x, from), TALL / 2.0, place(&x, to), TALL / 2.0);
    }
    hzi_text_puts(out, "<circle class=\"dot\" r=\"4\"");
    attribute(out, "cx", place(&x, value));
    attribute(out, "cy", TALL / 2.0);
    hzi_text_puts(out, "/></svg>");
}

void hzi_html_shares(hzi_text *out, const hzi_html_bar *bars, size_t count, const char *title) {
    enum { WIDE = 720, TALL = 40 };
    double total = 0.0, at = 0.0;
    for (size_t i = 0; i < count; i++) {
        total += bars[i].value;
    }
    hzi_text_format(out, "<svg class=\"shares\" viewBox=\"0 0 %d %d\" role=\"img\"><title>",
                    (int)WIDE, (int)TALL);
    hzi_html_text(out, title);
    hzi_text_puts(out, "</title>");
    for (size_t i = 0; i < count && total > 0.0; i++) {
        double width = WIDE * bars[i].value / total;
        if (bars[i].value <= 0.0) {
            continue;
        }
        hzi_text_format(out, "<rect class=\"bar %s\"", bars[i].tone);
        attribute(out, "x", at + 1);
        attribute(out, "y", 0);
        attribute(out, "width", width > 2.0 ? width - 2.0 : 1.0);
        hzi_text_format(out, " height=\"%d\"><title>", (int)TALL);
        hzi_html_text(out, bars[i].name);
        hzi_text_puts(out, ": ");
        hzi_html_fixed(out, bars[i].value, 0);
        hzi_text_puts(out, "</title></rect>");
        if (width > 70.0) {
            open_label(out, "inside", at + width / 2.0, TALL / 2.0 + 5, "middle");
            hzi_html_count(out, (uint64_t)bars[i].value);
            hzi_text_puts(out, " ");
            hzi_html_text(out, bars[i].name);
            hzi_text_puts(out, "</text>");
        }
        at += width;
    }
    hzi_text_puts(out, "</svg>\n");
}
