/* SPDX-License-Identifier: MIT */
/* The protocol by which a change to a player is judged; see scenarios.h. */
#include "arena/scenarios.h"

#include "arena/probe.h"
#include "arena/report.h"

#include <inttypes.h>

hz_status hzi_comparison_equality(hzi_comparison *comparison, bool *equal, hz_error *err) {
    hzi_scenarios_config config = comparison->config;
    config.a = comparison->exact ? comparison->exact : config.b;
    config.checkpoint = comparison->equality_checkpoint;
    hz_status status = hzi_scenarios_run(&config, &comparison->equality, err);
    comparison->has_equality = status == HZ_OK;
    *equal =
        status == HZ_OK && comparison->equality.sum.same_score == comparison->equality.sum.runs;
    return status;
}

hz_status hzi_comparison_agreement(hzi_comparison *comparison, bool *legal, hz_error *err) {
    hzi_scenarios_config config = comparison->config;
    config.checkpoint = comparison->agreement_checkpoint;
    hz_status status = hzi_scenarios_run(&config, &comparison->agreement, err);
    const hz_agreement *sum = &comparison->agreement.sum;
    comparison->has_agreement = status == HZ_OK;
    *legal = status == HZ_OK && sum->illegal_candidate == 0 && sum->illegal_reference == 0;
    return status;
}

static bool equal(const hzi_comparison *c) {
    return c->has_equality && c->equality.sum.same_score == c->equality.sum.runs;
}

static bool legal(const hzi_comparison *c) {
    return c->has_agreement && c->agreement.sum.illegal_candidate == 0 &&
           c->agreement.sum.illegal_reference == 0;
}

/* What the match says, in one word. */
static const char *strength(const hzi_comparison *c) {
    if (!c->match) {
        return "not_played";
    }
    if (c->match->cancelled) {
        return "stopped";
    }
    hz_sprt_verdict verdict = c->match->pairings[0].sprt.verdict;
    return verdict == HZ_SPRT_H1   ? "stronger"
           : verdict == HZ_SPRT_H0 ? "not_stronger"
                                   : "undecided";
}

bool hzi_comparison_good(const hzi_comparison *c) {
    return equal(c) && legal(c) && c->match && !c->match->cancelled &&
           c->match->pairings[0].sprt.verdict == HZ_SPRT_H1;
}

void hzi_comparison_fini(hzi_comparison *comparison) {
    hzi_scenarios_free(&comparison->equality);
    hzi_scenarios_free(&comparison->agreement);
    comparison->has_equality = comparison->has_agreement = false;
}

/* ---- JSON ---- */

/* The report of the match becomes a member: its line of JSON without the braces around it. */
static hz_status put_match(const hzi_comparison *c, hzi_text *json, hz_error *err) {
    hzi_text inner = {0};
    if (!c->match) {
        hzi_json_null(json, "match");
        return HZ_OK;
    }
    hz_status status = hz_match_report_json(c->match, hzi_text_sink, &inner, err);
    if (status == HZ_OK && inner.failed) {
        status = hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a report");
    }
    if (status == HZ_OK && inner.length > 3) {
        hzi_json_object(json, "match");
        hzi_text_add(json, inner.bytes + 1, inner.length - 3);
        hzi_json_end_object(json);
    }
    hzi_text_fini(&inner);
    return status;
}

static void put_step(hzi_text *json, const char *key, bool there, const char *candidate,
                     const hzi_scenarios *scenarios) {
    if (!there) {
        hzi_json_null(json, key);
        return;
    }
    hzi_json_object(json, key);
    hzi_json_text(json, "candidate", candidate);
    hzi_put_agreement(json, &scenarios->sum);
    hzi_put_runs(json, "results", scenarios);
    hzi_json_end_object(json);
}

static hz_status put_json(const hzi_comparison *c, hzi_text *json, hz_error *err) {
    const hzi_scenarios_config *config = &c->config;
    char date[HZI_DATE_CAPACITY];
    unsigned workers = c->match ? c->match->workers : 1, ranks = c->match ? c->match->ranks : 1;
    hzi_json_object(json, NULL);
    hzi_report_put_head(json, "comparison", hzi_date_now(date), workers, ranks,
                        c->match ? c->match->ranks_lost : 0);
    hz_status status = hzi_put_player(json, "a", config->a, config->registry, err);
    if (status == HZ_OK) {
        status = hzi_put_player(json, "b", config->b, config->registry, err);
    }
    hzi_json_text(json, "catalogue", config->catalogue->id);
    put_step(json, "equality", c->has_equality, c->exact ? c->exact : config->b, &c->equality);
    put_step(json, "agreement", c->has_agreement, config->a, &c->agreement);
    if (status == HZ_OK) {
        status = put_match(c, json, err);
    }
    hzi_json_object(json, "verdict");
    hzi_json_bool(json, "equal", equal(c));
    hzi_json_bool(json, "legal", legal(c));
    hzi_json_count(json, "regressed", c->has_agreement ? c->agreement.sum.regressed : 0);
    hzi_json_text(json, "strength", strength(c));
    hzi_json_bool(json, "good", hzi_comparison_good(c));
    hzi_json_end_object(json);
    hzi_json_end_object(json);
    hzi_text_puts(json, "\n");
    return status;
}

/* ---- text ---- */

static double percent(uint64_t part, uint64_t whole) {
    return whole ? 100.0 * (double)part / (double)whole : 0.0;
}

static hz_status print(const hzi_comparison *c, hzi_text *text, hz_error *err) {
    const hzi_scenarios_config *config = &c->config;
    hzi_text_format(text, "A: %.400s\n", config->a);
    hzi_text_format(text, "B: %.400s\n", config->b);
    if (c->has_equality) {
        const hz_agreement *sum = &c->equality.sum;
        hzi_text_format(text, "\n1. equality: %.300s", c->exact ? c->exact : "B");
        hzi_text_format(text,
                        " repeats B in %" PRIu64 " of %" PRIu64 " runs, scores included: %s\n",
                        sum->same_score, sum->runs, equal(c) ? "good" : "NOT EQUAL");
        if (!equal(c)) {
            hzi_print_runs(text, &c->equality, true);
        }
    }
    if (c->has_agreement) {
        const hz_agreement *sum = &c->agreement.sum;
        hzi_text_format(text,
                        "\n2. agreement on %.200s: the same turn in %" PRIu64 " of %" PRIu64
                        " runs (%.1f %%)\n",
                        config->catalogue->id, sum->same, sum->runs, percent(sum->same, sum->runs));
        hzi_print_runs(text, &c->agreement, false);
        hzi_text_format(text,
                        "improved %" PRIu64 ", regressed %" PRIu64 ", both meet %" PRIu64
                        ", neither %" PRIu64 "; illegal: A %" PRIu64 ", B %" PRIu64 "\n",
                        sum->improved, sum->regressed, sum->both_matched, sum->both_missed,
                        sum->illegal_candidate, sum->illegal_reference);
    }
    hz_status status = HZ_OK;
    if (c->match) {
        hzi_text_puts(text, "\n3. strength\n");
        status = hz_match_report_text(c->match, hzi_text_sink, text, err);
    }
    hzi_text_format(text, "\nverdict: %s, %s, %s\n",
                    equal(c) ? "equal where it must be" : "not equal",
                    !c->has_agreement ? "agreement not looked at"
                    : legal(c)        ? "every answer legal"
                                      : "illegal answers",
                    !c->match                ? "no match played"
                    : c->match->cancelled    ? "the match was stopped"
                    : hzi_comparison_good(c) ? "A is stronger"
                    : strength(c)[0] == 'u'  ? "strength undecided"
                                             : "A is not shown to be stronger");
    return status;
}

hz_status hzi_comparison_report(const hzi_comparison *comparison, bool json, hz_report_sink sink,
                                void *context, hz_error *err) {
    hzi_text text = {0};
    hz_status status = json ? put_json(comparison, &text, err) : print(comparison, &text, err);
    if (status != HZ_OK) {
        hzi_text_fini(&text);
        return status;
    }
    return hzi_report_emit(&text, sink, context, err);
}
