/* SPDX-License-Identifier: MIT */
/* Two players on a catalogue of scenarios, and the report of it; see scenarios.h. */
#include "arena/scenarios.h"

#include "arena/asked.h"
#include "arena/crew_saved.h"
#include "arena/probe.h"
#include "arena/report.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a run between threads and ranks, and in checkpoints ---- */

static void put_kept(hzi_text *json, const char *key, const hz_agreement_answer *a) {
    hzi_json_array(json, key);
    for (int i = 0; i < a->turn.count; i++) {
        hzi_json_count(json, NULL, a->turn.moves[i]);
    }
    hzi_json_bool(json, NULL, a->turn.took_king);
    hzi_json_bool(json, NULL, a->pass);
    hzi_json_bool(json, NULL, a->legal);
    hzi_json_bool(json, NULL, a->matched);
    hzi_json_integer(json, NULL, a->score);
    hzi_json_end_array(json);
}

static void put_kept_run(hzi_text *json, uint64_t item, const hz_agreement_run *run) {
    hzi_json_object(json, NULL);
    hzi_json_count(json, "run", item);
    put_kept(json, "a", &run->candidate);
    put_kept(json, "b", &run->reference);
    hzi_json_text(json, "class", hz_agreement_class_text(run->verdict));
    hzi_json_bool(json, "same", run->same);
    hzi_json_bool(json, "same_score", run->same_score);
    hzi_json_end_object(json);
}

static bool read_kept(const json_t *value, hz_agreement_answer *a) {
    size_t size = json_array_size(value), moves = size < 5 ? 0 : size - 5;
    *a = (hz_agreement_answer){0};
    if (size < 5 || moves > 3) {
        return false;
    }
    for (size_t i = 0; i < moves; i++) {
        json_int_t move = json_integer_value(json_array_get(value, i));
        if (move < 1 || move > UINT16_MAX) {
            return false;
        }
        a->turn.moves[a->turn.count++] = (hz_move)move;
    }
    bool *const flags[] = {&a->pass, &a->legal, &a->matched};
    bool good = json_is_boolean(json_array_get(value, moves));
    a->turn.took_king = json_is_true(json_array_get(value, moves));
    for (size_t i = 0; i < 3; i++) {
        const json_t *flag = json_array_get(value, moves + 1 + i);
        good = good && json_is_boolean(flag);
        *flags[i] = json_is_true(flag);
    }
    const json_t *score = json_array_get(value, size - 1);
    a->score = (int32_t)json_integer_value(score);
    return good && json_is_integer(score) && a->score == json_integer_value(score);
}

static bool read_class(const char *text, hz_agreement_class *verdict) {
    for (int i = HZ_CANDIDATE_IMPROVED; text && i <= HZ_BOTH_MISSED; i++) {
        if (strcmp(text, hz_agreement_class_text((hz_agreement_class)i)) == 0) {
            *verdict = (hz_agreement_class)i;
            return true;
        }
    }
    return false;
}

static bool read_kept_run(const char *line, size_t length, uint64_t item, hz_agreement_run *run) {
    json_error_t why;
    json_t *value = json_loadb(line, length, JSON_REJECT_DUPLICATES, &why);
    const json_t *same = json_object_get(value, "same");
    const json_t *same_score = json_object_get(value, "same_score");
    bool good = json_is_integer(json_object_get(value, "run")) &&
                (uint64_t)json_integer_value(json_object_get(value, "run")) == item &&
                read_kept(json_object_get(value, "a"), &run->candidate) &&
                read_kept(json_object_get(value, "b"), &run->reference) &&
                read_class(json_string_value(json_object_get(value, "class")), &run->verdict) &&
                json_is_boolean(same) && json_is_boolean(same_score);
    run->same = json_is_true(same);
    run->same_score = json_is_true(same_score);
    json_decref(value);
    return good;
}

/* ---- the work ---- */

typedef struct gathering {
    const hzi_scenarios_config *config;
    const uint64_t *seeds;
    hzi_scenarios *scenarios;
} gathering;

static void close_bots(void *context, void *state) {
    hz_bot *bots = state;
    (void)context;
    hz_bot_close(&bots[0]);
    hz_bot_close(&bots[1]);
    free(bots);
}

static hz_status open_bots(void *context, const hz_cancel *drop, void **state, hz_error *err) {
    const gathering *g = context;
    hz_bot *bots = calloc(2, sizeof *bots);
    if (!bots) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for scenarios");
    }
    hz_status status = hzi_asked_open(g->config->a, g->config->registry, drop, &bots[0], err);
    if (status == HZ_OK) {
        status = hzi_asked_open(g->config->b, g->config->registry, drop, &bots[1], err);
    }
    if (status != HZ_OK) {
        close_bots(context, bots);
        return status;
    }
    *state = bots;
    return HZ_OK;
}

static bool take_run(void *context, const hz_agreement_run *run) {
    *(hz_agreement_run *)context = *run;
    return true;
}

/* Scenario and seed of a run. */
static void locate(const gathering *g, uint64_t item, hz_agreement_run *run) {
    size_t seeds = g->scenarios->seed_count;
    run->index = (size_t)(item / seeds);
    run->scenario = &g->config->catalogue->scenarios[run->index];
    run->seed = g->seeds[item % seeds];
}

static hz_status ask(void *context, void *state, uint64_t item, hzi_text *result, hz_error *err) {
    const gathering *g = context;
    const hz_bot *bots = state;
    hz_agreement_run run = {0};
    hz_agreement sum;
    locate(g, item, &run);
    const hz_catalogue one = {.id = g->config->catalogue->id,
                              .seed_count = 1,
                              .seeds = &run.seed,
                              .count = 1,
                              .scenarios = run.scenario};
    hz_status status =
        hz_agreement_compare(&one, NULL, 0, &bots[0], &bots[1], take_run, &run, &sum, err);
    if (status == HZ_OK) {
        put_kept_run(result, item, &run);
    }
    return status;
}

static hz_status take(void *context, uint64_t item, const char *line, size_t length, bool *stop,
                      hz_error *err) {
    gathering *g = context;
    hz_agreement_run *run = &g->scenarios->runs[item];
    (void)stop;
    locate(g, item, run);
    if (!read_kept_run(line, length, item, run)) {
        return hz_fail(err, HZ_CHECKPOINT, HZ_NO_OFFSET,
                       "what is kept of run %" PRIu64 " cannot be read", item + 1);
    }
    g->scenarios->count = (size_t)item + 1;
    hz_agreement_add(&g->scenarios->sum, run);
    if (g->config->progress) {
        g->config->progress(g->config->progress_context, item + 1);
    }
    return HZ_OK;
}

/* A digest of the questions. */
static uint64_t identify(const gathering *g, uint64_t items) {
    uint64_t identity = hz_random_mix(items);
    for (size_t i = 0; i < g->config->catalogue->count; i++) {
        const hz_scenario *scenario = &g->config->catalogue->scenarios[i];
        identity = hz_random_mix(identity ^ scenario->position.key);
        for (const char *c = scenario->id; *c; c++) {
            identity = hz_random_mix(identity ^ (unsigned char)*c);
        }
        for (size_t k = 0; k < scenario->turn_count; k++) {
            identity = hz_random_mix(identity ^ hz_turn_text_order(&scenario->turns[k]));
        }
    }
    for (size_t i = 0; i < g->scenarios->seed_count; i++) {
        identity = hz_random_mix(identity ^ g->seeds[i]);
    }
    return identity;
}

uint64_t hzi_scenarios_count(const hzi_scenarios_config *config) {
    return (uint64_t)config->catalogue->count *
           (config->seeds ? config->seed_count : config->catalogue->seed_count);
}

hz_status hzi_scenarios_run(const hzi_scenarios_config *config, hzi_scenarios *scenarios,
                            hz_error *err) {
    const hz_catalogue *catalogue = config->catalogue;
    gathering g = {config, config->seeds ? config->seeds : catalogue->seeds, scenarios};
    char setting[40];
    *scenarios =
        (hzi_scenarios){.seed_count = config->seeds ? config->seed_count : catalogue->seed_count};
    scenarios->runs = calloc(catalogue->count * scenarios->seed_count, sizeof *scenarios->runs);
    if (!scenarios->runs) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for scenarios");
    }
    hzi_crew_plan plan = {.end = hzi_scenarios_count(config),
                          .threads = config->threads ? config->threads : 1,
                          .ranks = config->ranks,
                          .cancel = config->cancel};
    plan.identity = identify(&g, plan.end);
    (void)snprintf(setting, sizeof setting, "questions %016" PRIx64, plan.identity);
    const hzi_saving saving = {.path = config->checkpoint,
                               .resume = config->resume,
                               .kind = "scenarios",
                               .players = {config->a, config->b},
                               .registry = config->registry,
                               .setting = setting};
    const hzi_crew_work crew = {
        .context = &g, .open = open_bots, .work = ask, .close = close_bots, .fold = take};
    hzi_crew_outcome outcome = {0};
    hz_status status = hzi_crew_run_saved(&plan, &crew, &saving, NULL, &outcome, err);
    if (config->ranks_lost) {
        *config->ranks_lost = outcome.ranks_lost;
    }
    if (status == HZ_OK && outcome.cancelled) {
        status = hz_fail(err, HZ_CANCELLED, HZ_NO_OFFSET, "the comparison was stopped");
    }
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
    hzi_report_put_head(json, "scenarios", hzi_date_now(date),
                        config->threads ? config->threads : 1,
                        config->ranks ? (unsigned)config->ranks->size : 1,
                        config->ranks_lost ? *config->ranks_lost : 0);
    hz_status status = hzi_put_player(json, "a", config->a, config->registry, err);
    if (status == HZ_OK) {
        status = hzi_put_player(json, "b", config->b, config->registry, err);
    }
    hzi_json_text(json, "start", config->catalogue->id);
    hzi_json_null(json, "seed"); /* there are several */
    hzi_json_null(json, "pairs_cap");
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
