/* SPDX-License-Identifier: MIT */
/* What the reports of the probes have in common. */
#include "arena/probe.h"

#include "arena/report.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

const char *hzi_date_now(char buffer[HZI_DATE_CAPACITY]) {
    time_t now = time(NULL);
    struct tm parts;
    if (!gmtime_r(&now, &parts) ||
        strftime(buffer, HZI_DATE_CAPACITY, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0) {
        buffer[0] = '\0';
    }
    return buffer;
}

hz_status hzi_put_player(hzi_text *json, const char *key, const char *text, hz_registry *registry,
                         hz_error *err) {
    hz_match_player_info info = {.name = text, .text = text};
    char files[65];
    hz_status status =
        hz_match_player_digest(text, HZ_MATCH_DICE, registry, info.sha256, files, err);
    if (status == HZ_OK) {
        hzi_report_put_player(json, key, &info);
    }
    return status;
}

hz_status hzi_probe_put_head(hzi_text *json, const char *kind, const hzi_probe_report *report,
                             hz_error *err) {
    const hzi_probe_config *config = report->config;
    char date[HZI_DATE_CAPACITY];
    unsigned ranks = config->ranks ? (unsigned)config->ranks->size : 1;
    hzi_json_object(json, NULL);
    hzi_report_put_head(json, kind, hzi_date_now(date), config->threads, ranks,
                        config->ranks_lost ? *config->ranks_lost : 0);
    hz_status status = hzi_put_player(json, "a", config->players[0], config->registry, err);
    if (status == HZ_OK) {
        status = hzi_put_player(json, "b", config->players[1], config->registry, err);
    }
    hzi_json_text(json, "start", report->source);
    hzi_json_text(json, "positions_from", report->source);
    hzi_json_seed(json, "seed", config->seed);
    hzi_json_null(json, "pairs_cap");
    hzi_json_count(json, "repeats", config->repeats ? config->repeats : 1);
    return status;
}

void hzi_put_spread(hzi_text *json, const char *key, const hzi_spread *spread) {
    hzi_json_object(json, key);
    hzi_json_count(json, "count", spread->count);
    hzi_json_double(json, "mean", spread->mean);
    hzi_json_double(json, "p10", spread->p10);
    hzi_json_double(json, "p50", spread->p50);
    hzi_json_double(json, "p90", spread->p90);
    hzi_json_double(json, "p99", spread->p99);
    hzi_json_double(json, "max", spread->max);
    hzi_json_end_object(json);
}

void hzi_put_moments(hzi_text *json, const char *key, const hzi_moments *m) {
    double n = m->count ? (double)m->count : (double)NAN;
    hzi_json_object(json, key);
    hzi_json_count(json, "count", m->count);
    hzi_json_double(json, "mean_a", m->x / n);
    hzi_json_double(json, "mean_b", m->y / n);
    hzi_json_double(json, "mean_difference", m->difference / n);
    hzi_json_double(json, "mean_absolute_difference", m->absolute / n);
    hzi_json_double(json, "root_mean_square_difference", sqrt(m->square / n));
    hzi_json_double(json, "largest_difference", m->count ? m->largest : (double)NAN);
    hzi_json_double(json, "correlation", hzi_moments_correlation(m));
    hzi_json_end_object(json);
}

static void print_number(hzi_text *text, double value) {
    double size = fabs(value);
    if (!isfinite(value)) {
        hzi_text_puts(text, "-");
    } else if (size != 0.0 && size < 0.1) {
        hzi_text_format(text, "%.4f", value);
    } else {
        hzi_text_format(text, size < 100.0 ? "%.2f" : "%.0f", value);
    }
}

void hzi_print_spread(hzi_text *text, const char *label, const hzi_spread *spread,
                      const char *unit) {
    const struct {
        const char *name;
        double value;
    } parts[] = {{"p10", spread->p10},
                 {"half", spread->p50},
                 {"p90", spread->p90},
                 {"p99", spread->p99},
                 {"most", spread->max}};
    hzi_text_format(text, "%-28s", label);
    if (spread->count == 0) {
        hzi_text_puts(text, "-\n");
        return;
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        hzi_text_format(text, "%s%s ", i ? ", " : "", parts[i].name);
        print_number(text, parts[i].value);
        hzi_text_puts(text, unit);
    }
    hzi_text_puts(text, "\n");
}
