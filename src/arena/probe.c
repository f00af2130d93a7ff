/* SPDX-License-Identifier: MIT */
/* Two players asked about the same positions, and the numbers that come of it; see probe.h. */
#include "arena/probe.h"

#include "arena/asked.h"
#include "arena/crew_saved.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static hz_status no_memory(hz_error *err) {
    return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a probe");
}

/* ---- a worker ---- */

typedef struct worker {
    hz_bot bots[2];
    hz_bot_judgement judgements[2];
    bool judges[2];
    hz_arena arenas[2];
} worker;

typedef struct run {
    const hzi_probe_config *config;
    hzi_probe_visit visit;
    void *context;
} run;

static void close_worker(void *context, void *state) {
    worker *w = state;
    (void)context;
    for (int i = 0; w && i < 2; i++) {
        hz_bot_close(&w->bots[i]);
        hz_arena_fini(&w->arenas[i]);
    }
    free(w);
}

static hz_status open_worker(void *context, const hz_cancel *drop, void **state, hz_error *err) {
    const run *r = context;
    worker *w = calloc(1, sizeof *w);
    if (!w) {
        return no_memory(err);
    }
    for (int i = 0; i < 2; i++) {
        hz_status status =
            hzi_asked_open(r->config->players[i], r->config->registry, drop, &w->bots[i], err);
        if (status != HZ_OK) {
            close_worker(context, w);
            return status;
        }
        w->judges[i] = hz_bot_judge(&w->bots[i], &w->judgements[i]);
    }
    *state = w;
    return HZ_OK;
}

static void note_search(const hz_expectimax_answer *search, hzi_probe_answer *answer) {
    bool has_best = false;
    answer->searched = true;
    answer->candidates = search->candidate_count;
    for (size_t i = 0; i < search->candidate_count; i++) {
        const hz_candidate *candidate = &search->candidates[i];
        bool exact = candidate->fate == HZ_CANDIDATE_COMPLETE ||
                     candidate->fate == HZ_CANDIDATE_FROM_TABLE ||
                     candidate->fate == HZ_CANDIDATE_COLLAPSED;
        answer->collapsed += candidate->fate == HZ_CANDIDATE_COLLAPSED;
        if (exact && (!has_best || candidate->sum > answer->sum)) {
            has_best = true;
            answer->sum = candidate->sum;
        }
    }
}

static hz_status ask(worker *w, int side, const run *r, uint64_t index, hzi_probe_answer *answer,
                     hz_bot_answer *given, hz_error *err) {
    const hzi_probe_config *config = r->config;
    const hz_position *position = &config->positions[index];
    *answer = (hzi_probe_answer){.ns = UINT64_MAX};
    for (unsigned i = 0; i < (config->repeats ? config->repeats : 1); i++) {
        hz_random random = hz_random_from_seed(config->seed + index);
        hz_error why = {0};
        hz_arena_reset(&w->arenas[side]);
        const hz_bot_request request = {
            .position = position, .random = &random, .arena = &w->arenas[side]};
        uint64_t begun = hz_clock_now_ns();
        hz_status status = hz_bot_choose(&w->bots[side], &request, given, &why);
        uint64_t ns = hz_clock_now_ns() - begun;
        if (status != HZ_OK) {
            char dfen[HZ_DFEN_CAPACITY];
            (void)hz_position_to_dfen(position, dfen, sizeof dfen);
            return hz_fail(err, status, HZ_NO_OFFSET, "%.200s at %s: %.500s", config->players[side],
                           dfen, why.message);
        }
        answer->ns = ns < answer->ns ? ns : answer->ns;
    }
    bool sound = given->pass || (given->turn.count >= 1 && given->turn.count <= 3);
    answer->pass = given->pass;
    if (!given->pass && sound) {
        answer->turn = given->turn;
        answer->score = given->score;
        answer->value = hzi_answer_value(w->judges[side] ? &w->judgements[side] : NULL, given);
    }
    answer->legal = sound && hz_turn_is_legal(position, &answer->turn);
    if (given->search) {
        note_search(given->search, answer);
    }
    return HZ_OK;
}

/* What both think of the same candidates. */
static void compare_candidates(const worker *w, const hz_bot_answer given[2], hzi_moments *values) {
    const hz_expectimax_answer *a = given[0].search, *b = given[1].search;
    if (!a || !b || !w->judges[0] || !w->judges[1]) {
        return;
    }
    for (size_t i = 0; i < a->candidate_count; i++) {
        for (size_t k = 0; k < b->candidate_count; k++) {
            double x, y;
            if (a->candidates[i].result == b->candidates[k].result &&
                hzi_candidate_value(&w->judgements[0], a, &a->candidates[i], &x) &&
                hzi_candidate_value(&w->judgements[1], b, &b->candidates[k], &y)) {
                hzi_moments_add(values, x, y);
            }
        }
    }
}

static hz_status work(void *context, void *state, uint64_t index, hzi_text *result, hz_error *err) {
    const run *r = context;
    worker *w = state;
    hzi_probe_item item = {.index = index};
    hz_bot_answer given[2];
    hz_result_list list;
    hz_status status =
        hz_results_list(&r->config->positions[index], NULL, &w->arenas[0], &list, err);
    if (status != HZ_OK) {
        return status;
    }
    item.results = list.count;
    for (int side = 0; side < 2; side++) {
        status = ask(w, side, r, index, &item.answers[side], &given[side], err);
        if (status != HZ_OK) {
            return status;
        }
    }
    item.same =
        item.answers[0].pass == item.answers[1].pass &&
        hz_turn_text_order(&item.answers[0].turn) == hz_turn_text_order(&item.answers[1].turn);
    compare_candidates(w, given, &item.values);
    hzi_probe_item_put(&item, result);
    return HZ_OK;
}

static hz_status fold(void *context, uint64_t index, const char *bytes, size_t length, bool *stop,
                      hz_error *err) {
    run *r = context;
    hzi_probe_item item;
    (void)stop;
    if (!hzi_probe_item_read(bytes, length, &item) || item.index != index) {
        return hz_fail(err, HZ_CHECKPOINT, HZ_NO_OFFSET,
                       "what is kept of position %" PRIu64 " cannot be read", index + 1);
    }
    hz_status status = r->visit(r->context, &item, err);
    if (r->config->progress) {
        r->config->progress(r->config->progress_context, index + 1);
    }
    return status;
}

hz_status hzi_probe_run(const hzi_probe_config *config, hzi_probe_visit visit, void *context,
                        hz_error *err) {
    run r = {config, visit, context};
    const hzi_crew_work crew = {
        .context = &r, .open = open_worker, .work = work, .close = close_worker, .fold = fold};
    uint64_t identity = hz_random_mix(config->seed ^ config->count);
    char setting[80];
    for (size_t i = 0; i < config->count; i++) {
        identity = hz_random_mix(identity ^ config->positions[i].key);
    }
    (void)snprintf(setting, sizeof setting, "positions %016" PRIx64 ", repeats %u", identity,
                   config->repeats ? config->repeats : 1);
    const hzi_saving saving = {.path = config->checkpoint,
                               .resume = config->resume,
                               .kind = config->kind ? config->kind : "probe",
                               .players = {config->players[0], config->players[1]},
                               .registry = config->registry,
                               .seed = config->seed,
                               .setting = setting};
    hzi_crew_plan plan = {.end = config->count,
                          .threads = config->threads,
                          .ranks = config->ranks,
                          .identity = identity,
                          .cancel = config->cancel};
    hzi_crew_outcome outcome = {0};
    hz_status status = hzi_crew_run_saved(&plan, &crew, &saving, NULL, &outcome, err);
    if (config->ranks_lost) {
        *config->ranks_lost = outcome.ranks_lost;
    }
    return status == HZ_OK && outcome.cancelled
               ? hz_fail(err, HZ_CANCELLED, HZ_NO_OFFSET, "the probe was stopped")
               : status;
}

/* ---- numbers ---- */

void hzi_moments_add(hzi_moments *m, double x, double y) {
    double difference = x - y, size = fabs(difference);
    m->count++;
    m->x += x;
    m->y += y;
    m->xx += x * x;
    m->yy += y * y;
    m->xy += x * y;
    m->difference += difference;
    m->square += difference * difference;
    m->absolute += size;
    m->largest = size > m->largest ? size : m->largest;
}

void hzi_moments_join(hzi_moments *m, const hzi_moments *other) {
    m->count += other->count;
    m->x += other->x;
    m->y += other->y;
    m->xx += other->xx;
    m->yy += other->yy;
    m->xy += other->xy;
    m->difference += other->difference;
    m->square += other->square;
    m->absolute += other->absolute;
    m->largest = other->largest > m->largest ? other->largest : m->largest;
}

double hzi_moments_correlation(const hzi_moments *m) {
    double n = (double)m->count;
    double x = n * m->xx - m->x * m->x, y = n * m->yy - m->y * m->y;
    return x > 0.0 && y > 0.0 ? (n * m->xy - m->x * m->y) / sqrt(x * y) : (double)NAN;
}

void hzi_series_add(hzi_series *series, double value) {
    if (series->count == series->capacity && !series->failed) {
        size_t capacity = series->capacity ? 2 * series->capacity : 256;
        double *grown = realloc(series->at, capacity * sizeof *grown);
        series->failed = !grown;
        if (grown) {
            series->at = grown;
            series->capacity = capacity;
        }
    }
    if (!series->failed) {
        series->at[series->count++] = value;
    }
}

void hzi_series_free(hzi_series *series) {
    free(series->at);
    *series = (hzi_series){0};
}

static int by_value(const void *a, const void *b) {
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static double nearest_rank(const hzi_series *series, double percent) {
    double rank = ceil(percent / 100.0 * (double)series->count) - 1.0;
    return series->at[rank > 0.0 ? (size_t)rank : 0];
}

hzi_spread hzi_series_spread(hzi_series *series) {
    const double none = (double)NAN;
    hzi_spread spread = {series->count, none, none, none, none, none, none};
    if (series->count > 0) {
        double sum = 0.0;
        qsort(series->at, series->count, sizeof *series->at, by_value);
        for (size_t i = 0; i < series->count; i++) {
            sum += series->at[i];
        }
        spread.mean = sum / (double)series->count;
        spread.p10 = nearest_rank(series, 10.0);
        spread.p50 = nearest_rank(series, 50.0);
        spread.p90 = nearest_rank(series, 90.0);
        spread.p99 = nearest_rank(series, 99.0);
        spread.max = series->at[series->count - 1];
    }
    return spread;
}
