/* SPDX-License-Identifier: MIT */
/*
 * The recall probe: what a candidate limit costs. The same search is asked with the limit and without;
 * only positions with more results than the limit can tell. A changed turn of equal value costs
 * nothing and is counted apart.
 */
#include "arena/probe.h"

#include "arena/report.h"

#include <inttypes.h>

typedef struct gathering {
    hzi_recall *recall;
    hzi_series loss, results, ms[2];
} gathering;

static hz_status take(void *context, const hzi_probe_item *item, hz_error *err) {
    gathering *g = context;
    hzi_recall *r = g->recall;
    const hzi_probe_answer *few = &item->answers[0], *all = &item->answers[1];
    r->positions++;
    hzi_series_add(&g->results, (double)item->results);
    if (item->results > r->limit && !all->turn.took_king) {
        if (!few->searched || !all->searched) {
            return hz_fail(err, HZ_BAD_OPTION, HZ_NO_OFFSET,
                           "a bot that does not search has no candidates to limit");
        }
        r->exposed++;
        r->same += item->same;
        if (!item->same) {
            r->equal_score += few->sum == all->sum;
            r->worse += few->sum < all->sum;
            r->better += few->sum > all->sum;
        }
        if (!item->same && few->sum < all->sum) {
            hzi_series_add(&g->loss, all->value - few->value);
        }
        for (int i = 0; i < 2; i++) {
            hzi_series_add(&g->ms[i], (double)item->answers[i].ns / 1e6);
        }
    }
    return g->loss.failed || g->results.failed || g->ms[0].failed || g->ms[1].failed
               ? hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a probe")
               : HZ_OK;
}

hz_status hzi_recall_run(const hzi_probe_config *config, uint64_t limit, hzi_recall *recall,
                         hz_error *err) {
    gathering g = {.recall = recall};
    *recall = (hzi_recall){.limit = limit};
    hz_status status = hzi_probe_run(config, take, &g, err);
    recall->loss = hzi_series_spread(&g.loss);
    recall->results = hzi_series_spread(&g.results);
    for (int i = 0; i < 2; i++) {
        recall->ms[i] = hzi_series_spread(&g.ms[i]);
        hzi_series_free(&g.ms[i]);
    }
    hzi_series_free(&g.loss);
    hzi_series_free(&g.results);
    return status;
}

static double percent(uint64_t part, uint64_t whole) {
    return whole ? 100.0 * (double)part / (double)whole : 0.0;
}

static void print(const hzi_probe_report *report, const hzi_recall *r, hzi_text *text) {
    hzi_text_format(text, "recall of %.300s, %" PRIu64 " candidates against all\n",
                    report->config->players[0], r->limit);
    hzi_text_format(text, "positions of %.300s\n\n", report->source);
    hzi_text_format(text, "%-28s%" PRIu64 "\n", "positions", r->positions);
    hzi_text_format(text, "%-28s%" PRIu64 "\n", "with more results", r->exposed);
    const struct {
        const char *name;
        uint64_t value;
    } rows[] = {{"  the same turn", r->same},
                {"  another of equal score", r->equal_score},
                {"  a worse one", r->worse},
                {"  a better one", r->better}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hzi_text_format(text, "%-28s%" PRIu64 " (%.1f %%)\n", rows[i].name, rows[i].value,
                        percent(rows[i].value, r->exposed));
    }
    hzi_print_spread(text, "loss of the worse ones", &r->loss, "");
    hzi_print_spread(text, "results of a position", &r->results, "");
    hzi_print_spread(text, "time with the limit", &r->ms[0], " ms");
    hzi_print_spread(text, "time without", &r->ms[1], " ms");
}

hz_status hzi_recall_report(const hzi_probe_report *report, const hzi_recall *r,
                            hz_report_sink sink, void *context, hz_error *err) {
    hzi_text text = {0};
    hz_status status = HZ_OK;
    if (!report->json) {
        print(report, r, &text);
        return hzi_report_emit(&text, sink, context, err);
    }
    status = hzi_probe_put_head(&text, "recall", report, err);
    hzi_json_count(&text, "limit", r->limit);
    hzi_json_count(&text, "positions", r->positions);
    hzi_json_count(&text, "exposed", r->exposed);
    hzi_json_count(&text, "same", r->same);
    hzi_json_count(&text, "changed", r->exposed - r->same);
    hzi_json_count(&text, "equal_score", r->equal_score);
    hzi_json_count(&text, "worse", r->worse);
    hzi_json_count(&text, "better", r->better);
    hzi_put_spread(&text, "loss", &r->loss);
    hzi_put_spread(&text, "results", &r->results);
    hzi_put_spread(&text, "ms_limited", &r->ms[0]);
    hzi_put_spread(&text, "ms_unlimited", &r->ms[1]);
    hzi_json_end_object(&text);
    hzi_text_puts(&text, "\n");
    if (status != HZ_OK) {
        hzi_text_fini(&text);
        return status;
    }
    return hzi_report_emit(&text, sink, context, err);
}
