/* SPDX-License-Identifier: MIT */
/* Two players on a catalogue of scenarios, and the report of it; see scenarios.h. */
#include "arena/scenarios.h"

#include "arena/asked.h"
#include "arena/probe.h"
#include "arena/report.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct gathering {
    hzi_scenarios *scenarios;
    const hz_cancel *cancel;
} gathering;

static bool take(void *context, const hz_agreement_run *run) {
    gathering *g = context;
    g->scenarios->runs[g->scenarios->count++] = *run;
    return !hz_cancel_requested(g->cancel);
}

hz_status hzi_scenarios_run(const hzi_scenarios_config *config, hzi_scenarios *scenarios,
                            hz_error *err) {
    const hz_catalogue *catalogue = config->catalogue;
    hz_bot bots[2] = {{0}, {0}};
    gathering g = {scenarios, config->cancel};
    *scenarios =
        (hzi_scenarios){.seed_count = config->seeds ? config->seed_count : catalogue->seed_count};
    scenarios->runs = calloc(catalogue->count * scenarios->seed_count, sizeof *scenarios->runs);
    if (!scenarios->runs) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for scenarios");
    }
    hz_status status = hzi_asked_open(config->a, config->registry, &bots[0], err);
    if (status == HZ_OK) {
        status = hzi_asked_open(config->b, config->registry, &bots[1], err);
    }
    if (status == HZ_OK) {
        status = hz_agreement_compare(catalogue, config->seeds, config->seed_count, &bots[0],
                                      &bots[1], take, &g, &scenarios->sum, err);
    }
    if (status == HZ_INCOMPLETE) {
        status = hz_fail(err, HZ_CANCELLED, HZ_NO_OFFSET, "the comparison was stopped");
    }
    hz_bot_close(&bots[0]);
    hz_bot_close(&bots[1]);
    if (status != HZ_OK) {
        hzi_scenarios_free(scenarios);
    }
    return status;
}

void hzi_scenarios_free(hzi_scenarios *scenarios) {
    free(scenarios->runs);
    *scenarios = (hzi_scenarios){0};
}

bool hzi_scenarios_good(const hzi_scenarios *scenarios) {
    const hz_agreement *sum = &scenarios->sum;
    return sum->regressed == 0 && sum->illegal_candidate == 0 && sum->illegal_reference == 0;
}

/* ---- JSON ---- */

static void put_answer(hzi_text *json, const char *key, const hz_agreement_answer *answer) {
    char turn[HZ_TURN_CAPACITY];
    hzi_json_object(json, key);
    if (answer->pass) {
        hzi_json_text(json, "turn", "pass");
        hzi_json_null(json, "score");
    } else {
        (void)hz_turn_to_text(&answer->turn, turn);
        hzi_json_text(json, "turn", turn);
        hzi_json_integer(json, "score", answer->score);
    }
    hzi_json_bool(json, "legal", answer->legal);
    hzi_json_bool(json, "match", answer->matched);
    hzi_json_end_object(json);
}

void hzi_put_runs(hzi_text *json, const char *key, const hzi_scenarios *scenarios) {
    hzi_json_array(json, key);
    for (size_t i = 0; i < scenarios->count; i++) {
        const hz_agreement_run *run = &scenarios->runs[i];
        hzi_json_object(json, NULL);
        hzi_json_text(json, "id", run->scenario->id);
        hzi_json_text(json, "cat", hz_scenario_category_text(run->scenario->category));
        hzi_json_text(json, "goal", hz_scenario_goal_text(run->scenario->goal));
        hzi_json_seed(json, "seed", run->seed);
        put_answer(json, "a", &run->candidate);
        put_answer(json, "b", &run->reference);
        hzi_json_text(json, "class", hz_agreement_class_text(run->verdict));
        hzi_json_bool(json, "sameDecision", run->same);
        hzi_json_bool(json, "sameScore", run->same_score);
        hzi_json_end_object(json);
    }
    hzi_json_end_array(json);
}

static void put_both(hzi_text *json, const char *key, uint64_t a, uint64_t b) {
    hzi_json_object(json, key);
    hzi_json_count(json, "a", a);
    hzi_json_count(json, "b", b);
    hzi_json_end_object(json);
}

void hzi_put_agreement(hzi_text *json, const hz_agreement *sum) {
    hzi_json_count(json, "runs", sum->runs);
    put_both(json, "matches", sum->matched_candidate, sum->matched_reference);
    hzi_json_count(json, "candidate_improved", sum->improved);
    hzi_json_count(json, "candidate_regressed", sum->regressed);
    hzi_json_count(json, "both_matched", sum->both_matched);
    hzi_json_count(json, "both_missed", sum->both_missed);
    hzi_json_count(json, "same", sum->same);
    hzi_json_count(json, "different", sum->different);
    hzi_json_count(json, "same_score", sum->same_score);
    put_both(json, "illegal", sum->illegal_candidate, sum->illegal_reference);
}

static hz_status put_json(const hzi_scenarios_config *config, const hzi_scenarios *scenarios,
                          hzi_text *json, hz_error *err) {
    const uint64_t *seeds = config->seeds ? config->seeds : config->catalogue->seeds;
    char date[HZI_DATE_CAPACITY];
    hzi_json_object(json, NULL);
    hzi_report_put_head(json, "scenarios", hzi_date_now(date), 1, 1, 0);
    hz_status status = hzi_put_player(json, "a", config->a, config->registry, err);
    if (status == HZ_OK) {
        status = hzi_put_player(json, "b", config->b, config->registry, err);
    }
    hzi_json_text(json, "catalogue", config->catalogue->id);
    hzi_json_count(json, "scenarios", config->catalogue->count);
    hzi_json_array(json, "seeds");
    for (size_t i = 0; i < scenarios->seed_count; i++) {
        hzi_json_seed(json, NULL, seeds[i]);
    }
    hzi_json_end_array(json);
    hzi_put_runs(json, "results", scenarios);
    hzi_json_object(json, "summary");
    hzi_put_agreement(json, &scenarios->sum);
    hzi_json_end_object(json);
    hzi_json_end_object(json);
    hzi_text_puts(json, "\n");
    return status;
}

/* ---- text ---- */

static bool same_pair(const hz_agreement_run *x, const hz_agreement_run *y) {
    return hz_turn_text_order(&x->candidate.turn) == hz_turn_text_order(&y->candidate.turn) &&
           hz_turn_text_order(&x->reference.turn) == hz_turn_text_order(&y->reference.turn) &&
           x->candidate.score == y->candidate.score && x->reference.score == y->reference.score;
}

static void print_answer(hzi_text *text, const char *name, const hz_agreement_answer *answer) {
    char turn[HZ_TURN_CAPACITY];
    (void)hz_turn_to_text(&answer->turn, turn);
    hzi_text_format(text, "%s %s%s", name, answer->pass ? "pass" : turn,
                    !answer->legal    ? " (illegal)"
                    : answer->matched ? " (expected)"
                                      : "");
    if (!answer->pass) {
        hzi_text_format(text, " %" PRId32, answer->score);
    }
}

/* Each pair of differing answers once, with the number of seeds that have it. */
static void print_differences(hzi_text *text, const hz_agreement_run *runs, size_t count,
                              bool scores) {
    for (size_t i = 0; i < count; i++) {
        bool differs = scores ? !runs[i].same_score : !runs[i].same, told = false;
        size_t times = 0;
        for (size_t k = 0; k < count; k++) {
            bool like = same_pair(&runs[i], &runs[k]);
            told |= like && k < i;
            times += like;
        }
        if (differs && !told) {
            hzi_text_puts(text, "    ");
            print_answer(text, "A", &runs[i].candidate);
            print_answer(text, ", B", &runs[i].reference);
            if (times == 1) {
                hzi_text_format(text, ": seed %" PRIu64 "\n", runs[i].seed);
            } else {
                hzi_text_format(text, ": %zu seeds\n", times);
            }
        }
    }
}

void hzi_print_runs(hzi_text *text, const hzi_scenarios *scenarios, bool scores) {
    size_t seeds = scenarios->seed_count;
    hzi_text_format(text, "%-24s %-11s %-8s %9s %9s %9s\n", "scenario", "category", "goal",
                    "A meets", "B meets", "same turn");
    for (size_t i = 0; i + seeds <= scenarios->count; i += seeds) {
        const hz_agreement_run *runs = &scenarios->runs[i];
        size_t a = 0, b = 0, same = 0, worse = 0;
        for (size_t k = 0; k < seeds; k++) {
            a += runs[k].candidate.matched;
            b += runs[k].reference.matched;
            same += runs[k].same;
            worse += runs[k].verdict == HZ_CANDIDATE_REGRESSED;
        }
        hzi_text_format(text, "%-24.40s %-11s %-8s %9zu %9zu %9zu%s\n", runs->scenario->id,
                        hz_scenario_category_text(runs->scenario->category),
                        hz_scenario_goal_text(runs->scenario->goal), a, b, same,
                        worse ? "  worse" : "");
        print_differences(text, runs, seeds, scores);
    }
}

static void print_sum(hzi_text *text, const hz_agreement *sum) {
    hzi_text_format(text,
                    "\n%" PRIu64 " runs: A meets %" PRIu64 ", B meets %" PRIu64
                    "; improved %" PRIu64 ", regressed %" PRIu64 ", both %" PRIu64
                    ", neither %" PRIu64 "\n",
                    sum->runs, sum->matched_candidate, sum->matched_reference, sum->improved,
                    sum->regressed, sum->both_matched, sum->both_missed);
    hzi_text_format(text, "same turn %" PRIu64 ", another one %" PRIu64 "\n", sum->same,
                    sum->different);
    if (sum->illegal_candidate || sum->illegal_reference) {
        hzi_text_format(text, "illegal answers: A %" PRIu64 ", B %" PRIu64 "\n",
                        sum->illegal_candidate, sum->illegal_reference);
    }
}

hz_status hzi_scenarios_report(const hzi_scenarios_config *config, const hzi_scenarios *scenarios,
                               bool json, hz_report_sink sink, void *context, hz_error *err) {
    hzi_text text = {0};
    if (json) {
        hz_status status = put_json(config, scenarios, &text, err);
        if (status != HZ_OK) {
            hzi_text_fini(&text);
            return status;
        }
    } else {
        hzi_text_format(&text, "%.200s: %zu scenarios, %zu seeds\n", config->catalogue->id,
                        config->catalogue->count, scenarios->seed_count);
        hzi_text_format(&text, "A: %.400s\n", config->a);
        hzi_text_format(&text, "B: %.400s\n\n", config->b);
        hzi_print_runs(&text, scenarios, false);
        print_sum(&text, &scenarios->sum);
    }
    return hzi_report_emit(&text, sink, context, err);
}
