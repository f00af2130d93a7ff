/* SPDX-License-Identifier: MIT */
/*
 * The collapse probe: one learned value of the position before the enemy's roll against the average
 * over the 56 distinct rolls, weighted 1, 3 and 6. How much quicker, how often the same decision, and
 * how well the one number meets the average.
 */
#include "arena/probe.h"

#include "arena/report.h"

#include <inttypes.h>
#include <math.h>

typedef struct gathering {
    hzi_collapse *collapse;
    hzi_series ms[2], speed;
} gathering;

static hz_status take(void *context, const hzi_probe_item *item, hz_error *err) {
    gathering *g = context;
    hzi_collapse *c = g->collapse;
    const hzi_probe_answer *exact = &item->answers[0], *learned = &item->answers[1];
    c->positions++;
    c->same += item->same;
    c->searched += learned->candidates;
    c->collapsed += learned->collapsed;
    hzi_moments_join(&c->values, &item->values);
    if (exact->searched && learned->searched && !exact->turn.took_king && !exact->pass) {
        hzi_moments_add(&c->decisions, exact->value, learned->value);
        hzi_series_add(&g->speed, (double)exact->ns / (double)(learned->ns ? learned->ns : 1));
    }
    for (int i = 0; i < 2; i++) {
        hzi_series_add(&g->ms[i], (double)item->answers[i].ns / 1e6);
    }
    return g->ms[0].failed || g->ms[1].failed || g->speed.failed
               ? hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a probe")
               : HZ_OK;
}

hz_status hzi_collapse_run(const hzi_probe_config *config, hzi_collapse *collapse, hz_error *err) {
    gathering g = {.collapse = collapse};
    *collapse = (hzi_collapse){0};
    hz_status status = hzi_probe_run(config, take, &g, err);
    for (int i = 0; i < 2; i++) {
        collapse->ms[i] = hzi_series_spread(&g.ms[i]);
        hzi_series_free(&g.ms[i]);
    }
    collapse->speed = hzi_series_spread(&g.speed).p50;
    hzi_series_free(&g.speed);
    return status;
}

static void print_moments(hzi_text *text, const char *label, const hzi_moments *m) {
    double n = (double)m->count;
    if (m->count == 0) {
        hzi_text_format(text, "%-28s-\n", label);
        return;
    }
    hzi_text_format(
        text,
        "%-28s%" PRIu64
        ": learned less exact %+.2f, size %.2f, rms %.2f, most %.0f, correlation %.4f\n",
        label, m->count, -m->difference / n, m->absolute / n, sqrt(m->square / n), m->largest,
        hzi_moments_correlation(m));
}

static void print(const hzi_probe_report *report, const hzi_collapse *c, hzi_text *text) {
    hzi_text_format(text, "exact:   %.400s\n", report->config->players[0]);
    hzi_text_format(text, "learned: %.400s\n", report->config->players[1]);
    hzi_text_format(text, "positions of %.300s\n\n", report->source);
    hzi_text_format(text, "%-28s%" PRIu64 "\n", "positions", c->positions);
    hzi_text_format(text, "%-28s%" PRIu64 " (%.1f %%)\n", "the same turn", c->same,
                    100.0 * (double)c->same / (double)(c->positions ? c->positions : 1));
    hzi_text_format(text, "%-28s%" PRIu64 " of %" PRIu64 "\n", "candidates answered so",
                    c->collapsed, c->searched);
    print_moments(text, "values of candidates", &c->values);
    print_moments(text, "values of decisions", &c->decisions);
    hzi_print_spread(text, "time exact", &c->ms[0], " ms");
    hzi_print_spread(text, "time learned", &c->ms[1], " ms");
    if (isfinite(c->speed)) {
        hzi_text_format(text, "%-28s%.1f times\n", "quicker by (median)", c->speed);
    }
}

hz_status hzi_collapse_report(const hzi_probe_report *report, const hzi_collapse *c,
                              hz_report_sink sink, void *context, hz_error *err) {
    hzi_text text = {0};
    if (!report->json) {
        print(report, c, &text);
        return hzi_report_emit(&text, sink, context, err);
    }
    hz_status status = hzi_probe_put_head(&text, "collapse", report, err);
    hzi_json_count(&text, "positions", c->positions);
    hzi_json_count(&text, "same", c->same);
    hzi_json_double(&text, "same_percent",
                    c->positions ? 100.0 * (double)c->same / (double)c->positions : (double)NAN);
    hzi_json_count(&text, "candidates", c->searched);
    hzi_json_count(&text, "collapsed", c->collapsed);
    hzi_put_moments(&text, "values", &c->values);
    hzi_put_moments(&text, "decisions", &c->decisions);
    hzi_put_spread(&text, "ms_exact", &c->ms[0]);
    hzi_put_spread(&text, "ms_learned", &c->ms[1]);
    hzi_json_double(&text, "speed", c->speed);
    hzi_json_end_object(&text);
    hzi_text_puts(&text, "\n");
    if (status != HZ_OK) {
        hzi_text_fini(&text);
        return status;
    }
    return hzi_report_emit(&text, sink, context, err);
}
