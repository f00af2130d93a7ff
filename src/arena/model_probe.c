/* SPDX-License-Identifier: MIT */
/* Model against model: how often two players choose alike on the same positions, and how far apart the
 * values of their choices are. */
#include "arena/probe.h"

#include "arena/report.h"

#include <inttypes.h>
#include <math.h>

typedef struct gathering {
    hzi_models *models;
    hzi_series ms[2];
} gathering;

static hz_status take(void *context, const hzi_probe_item *item, hz_error *err) {
    gathering *g = context;
    hzi_models *m = g->models;
    const hzi_probe_answer *a = &item->answers[0], *b = &item->answers[1];
    m->positions++;
    m->same += item->same;
    m->passes += item->results == 0;
    for (int i = 0; i < 2; i++) {
        m->illegal[i] += !item->answers[i].legal;
        hzi_series_add(&g->ms[i], (double)item->answers[i].ns / 1e6);
    }
    if (a->legal && b->legal && !a->pass && !a->turn.took_king && !b->turn.took_king) {
        hzi_moments_add(&m->values, a->value, b->value);
    }
    return g->ms[0].failed || g->ms[1].failed
               ? hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a probe")
               : HZ_OK;
}

hz_status hzi_models_run(const hzi_probe_config *config, hzi_models *models, hz_error *err) {
    gathering g = {.models = models};
    *models = (hzi_models){0};
    hz_status status = hzi_probe_run(config, take, &g, err);
    for (int i = 0; i < 2; i++) {
        models->ms[i] = hzi_series_spread(&g.ms[i]);
        hzi_series_free(&g.ms[i]);
    }
    return status;
}

static void print(const hzi_probe_report *report, const hzi_models *m, hzi_text *text) {
    double n = (double)m->values.count;
    hzi_text_format(text, "A: %.300s\n", report->config->players[0]);
    hzi_text_format(text, "B: %.300s\n", report->config->players[1]);
    hzi_text_format(text, "positions of %.300s\n\n", report->source);
    hzi_text_format(text, "%-28s%" PRIu64 "\n", "positions", m->positions);
    hzi_text_format(text, "%-28s%" PRIu64 " (%.1f %%)\n", "the same turn", m->same,
                    100.0 * (double)m->same / (double)(m->positions ? m->positions : 1));
    if (m->illegal[0] || m->illegal[1]) {
        hzi_text_format(text, "%-28sA %" PRIu64 ", B %" PRIu64 "\n", "illegal answers",
                        m->illegal[0], m->illegal[1]);
    }
    if (m->values.count > 0) {
        hzi_text_format(text, "%-28sA %.1f, B %.1f\n", "mean value of the choice", m->values.x / n,
                        m->values.y / n);
        hzi_text_format(text, "%-28smean %+.2f, size %.2f, rms %.2f, most %.0f\n", "A less B",
                        m->values.difference / n, m->values.absolute / n,
                        sqrt(m->values.square / n), m->values.largest);
        hzi_text_format(text, "%-28s%.4f\n", "correlation", hzi_moments_correlation(&m->values));
    }
    hzi_print_spread(text, "time of A", &m->ms[0], " ms");
    hzi_print_spread(text, "time of B", &m->ms[1], " ms");
}

hz_status hzi_models_report(const hzi_probe_report *report, const hzi_models *m,
                            hz_report_sink sink, void *context, hz_error *err) {
    hzi_text text = {0};
    if (!report->json) {
        print(report, m, &text);
        return hzi_report_emit(&text, sink, context, err);
    }
    hz_status status = hzi_probe_put_head(&text, "models", report, err);
    hzi_json_count(&text, "positions", m->positions);
    hzi_json_count(&text, "same", m->same);
    hzi_json_double(&text, "same_percent",
                    m->positions ? 100.0 * (double)m->same / (double)m->positions : (double)NAN);
    hzi_json_count(&text, "passes", m->passes);
    hzi_json_object(&text, "illegal");
    hzi_json_count(&text, "a", m->illegal[0]);
    hzi_json_count(&text, "b", m->illegal[1]);
    hzi_json_end_object(&text);
    hzi_put_moments(&text, "values", &m->values);
    hzi_put_spread(&text, "ms_a", &m->ms[0]);
    hzi_put_spread(&text, "ms_b", &m->ms[1]);
    hzi_json_end_object(&text);
    hzi_text_puts(&text, "\n");
    if (status != HZ_OK) {
        hzi_text_fini(&text);
        return status;
    }
    return hzi_report_emit(&text, sink, context, err);
}
