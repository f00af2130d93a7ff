/* SPDX-License-Identifier: MIT */
/*
 * Values of results and rolls; see analysis.h. The chance nodes are those of the search, with open
 * windows: every value is exact. The search's sums count a lost king as a number far below every
 * sum of leaves, so that both parts can be told apart again, and the lost rolls are then counted as
 * the end of the axis.
 */
#include "bots/analysis.h"

#include "search/expectimax.h"

#include <stdlib.h>
#include <string.h>

struct hzi_analyst {
    hzi_analysis_config config;
    hz_expectimax_config search;
    hzi_seeker seeker;
    hz_arena lists; /* results of one of the 56 rolls */
};

/* One question. */
typedef struct work {
    hzi_analyst *analyst;
    hz_color mover;
    const hz_deadline *deadline;
    hzi_analysis_progress progress;
    void *progress_context;
    size_t done, total;
    bool stopped;
    hz_error *err;
} work;

static hz_status no_memory(hz_error *err) {
    return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for the analysis of a position");
}

hz_status hzi_analyst_new(const hzi_analysis_config *config, hzi_analyst **analyst, hz_error *err) {
    int depth = config->judgement.depth;
    if (!config->judgement.judge.score_batch || depth < 1 || depth > 3) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                       "an analysis needs a judge and a depth of 1 to 3");
    }
    hzi_analyst *made = calloc(1, sizeof *made);
    if (!made) {
        return no_memory(err);
    }
    made->config = *config;
    made->search = hz_expectimax_config_default();
    made->search.leaf = config->judgement.judge;
    made->search.search_depth = depth > 1 ? depth : 2;
    made->seeker = (hzi_seeker){.config = &made->search, .leaf = config->judgement.judge};
    *analyst = made;
    return HZ_OK;
}

void hzi_analyst_free(hzi_analyst *analyst) {
    if (analyst) {
        hzi_seeker_fini(&analyst->seeker);
        hz_arena_fini(&analyst->lists);
        free(analyst);
    }
}

static bool expired(work *w) {
    w->stopped |= hz_deadline_expired(w->deadline);
    return w->stopped;
}

static void step(work *w, size_t pieces) {
    w->done += pieces;
    if (w->progress && !w->progress(w->progress_context, w->done, w->total)) {
        w->stopped = true;
    }
}

/* ---- judging ---- */

static hz_status first_look(work *w, const hz_position *positions, size_t n, int32_t *scores) {
    const hz_judge *judge = &w->analyst->config.judgement.judge;
    size_t done = 0;
    hz_status status =
        judge->score_batch(judge->state, positions, n, w->mover, scores, &done, w->err);
    if (status == HZ_OK && done != n) {
        status = hz_fail(w->err, HZ_MODEL_RUN, HZ_NO_OFFSET,
                         "the judge answered %zu rows instead of %zu", done, n);
    }
    return status;
}

double hzi_expectation(const hz_bot_judgement *judgement, int64_t sum, int depth) {
    int64_t unit = depth == 3 ? 216 : 1, lost = 0;
    int64_t loss = (int64_t)HZ_SCORE_LOSS * unit; /* of one lost roll of 216 */
    /* The other rolls sum to less than half a lost one. */
    if (sum < loss / 2) {
        lost = (2 * -sum - loss) / (2 * -loss);
        sum -= lost * loss;
    }
    return ((double)sum / (double)unit + (double)lost * judgement->loss) / HZ_ROLLS_ORDERED;
}

/* The value of a position in which the enemy is to roll. False: stopped, *status says why. */
static bool look_into(work *w, const hz_position *after, double *value, hz_status *status) {
    hzi_analyst *a = w->analyst;
    int depth = a->config.judgement.depth;
    const hzi_window open = {0};
    a->seeker.mover = w->mover;
    a->seeker.deadline = w->deadline;
    hzi_outcome outcome = hzi_chance(&a->seeker, after, false, depth - 1, &open, NULL, 0);
    switch (outcome.verdict) {
    case HZI_EXACT:
        *value = hzi_expectation(&a->config.judgement, outcome.value, depth);
        return true;
    case HZI_REJECTED:
        *status = hz_fail(w->err, HZ_MODEL_RUN, HZ_NO_OFFSET, "the judge of positions failed");
        return false;
    case HZI_NO_MEMORY:
        *status = no_memory(w->err);
        return false;
    default:
        w->stopped = true;
        return false;
    }
}

static bool depth_one(const work *w) {
    return w->analyst->config.judgement.depth == 1;
}

/* A position reached by a pass: the enemy rolls next. */
static hz_status value_pass(work *w, const hz_position *position, bool *has_value, double *value) {
    hz_position after = *position;
    hz_status status = HZ_OK;
    hz_hand_over(&after);
    if (depth_one(w)) {
        int32_t score;
        status = first_look(w, &after, 1, &score);
        *value = score;
        *has_value = status == HZ_OK;
    } else {
        *has_value = look_into(w, &after, value, &status);
    }
    return status;
}

/* ---- the results of one roll ---- */

static int by_first_look(const void *a, const void *b) {
    const hzi_judged *x = a, *y = b;
    if (x->first_look != y->first_look) {
        return x->first_look > y->first_look ? -1 : 1;
    }
    uint64_t left = hz_turn_text_order(&x->turn), right = hz_turn_text_order(&y->turn);
    return (left > right) - (left < right);
}

static int by_value(const void *a, const void *b) {
    const hzi_judged *x = a, *y = b;
    if (x->valued != y->valued) {
        return x->valued ? -1 : 1;
    }
    if (x->valued && x->value != y->value) {
        return x->value > y->value ? -1 : 1;
    }
    return by_first_look(a, b);
}

/* Lists the results with the judge's first look, best first. *results NULL for a pass. */
static hz_status list_results(work *w, const hz_position *position, hz_arena *arena,
                              hzi_judged **results, size_t *count) {
    hz_result_list list;
    *results = NULL;
    hz_status status = hz_results_list(position, NULL, arena, &list, w->err);
    *count = status == HZ_OK ? list.count : 0;
    if (*count == 0) {
        return status;
    }
    hzi_judged *judged = hz_arena_alloc(arena, list.count * sizeof *judged);
    hz_position *positions = hz_arena_alloc(arena, list.count * sizeof *positions);
    int32_t *scores = hz_arena_alloc(arena, list.count * sizeof *scores);
    if (!judged || !positions || !scores) {
        return no_memory(w->err);
    }
    size_t quiet = 0;
    for (size_t i = 0; i < list.count; i++) {
        if ((ptrdiff_t)i != list.winning) {
            positions[quiet++] = list.results[i].after;
        }
    }
    if (quiet > 0) {
        status = first_look(w, positions, quiet, scores);
    }
    for (size_t i = 0, row = 0; i < list.count && status == HZ_OK; i++) {
        bool wins = (ptrdiff_t)i == list.winning;
        judged[i] =
            (hzi_judged){.turn = list.results[i].turn,
                         .after = list.results[i].after,
                         .first_look = wins ? w->analyst->config.judgement.win : scores[row]};
        row += !wins;
    }
    if (status == HZ_OK) {
        qsort(judged, list.count, sizeof *judged, by_first_look);
        *results = judged;
    }
    return status;
}

/* Values one result. False: stopped. */
static bool value_result(work *w, hzi_judged *result, hz_status *status) {
    if (result->turn.took_king || depth_one(w)) {
        result->value = result->first_look;
        result->valued = true;
    } else if (!expired(w)) {
        result->valued = look_into(w, &result->after, &result->value, status);
    }
    return result->valued;
}

/* ---- rolls ---- */

static hz_status value_roll(work *w, const hz_position *position, bool *has_value, double *value) {
    hzi_analyst *a = w->analyst;
    hzi_judged *results;
    size_t count;
    *has_value = false;
    hz_arena_reset(&a->lists);
    hz_status status = list_results(w, position, &a->lists, &results, &count);
    if (status != HZ_OK) {
        return status;
    }
    if (!results) {
        return value_pass(w, position, has_value, value);
    }
    uint32_t limit = a->config.roll_limit;
    if (results[0].turn.took_king) {
        limit = 1; /* nothing is worth more */
    }
    for (size_t i = 0; i < count && (limit == 0 || i < limit); i++) {
        if (!value_result(w, &results[i], &status)) {
            *has_value = false;
            return status;
        }
        if (!*has_value || results[i].value > *value) {
            *value = results[i].value;
        }
        *has_value = true;
    }
    return HZ_OK;
}

static hz_status value_rolls(work *w, const hz_position *position, hzi_analysis *analysis) {
    double sum = 0;
    analysis->has_rolls = true;
    for (int i = 0; i < HZ_ROLLS; i++) {
        hz_position rolled = *position;
        bool has_value = false;
        hz_position_set_pool(&rolled, hz_rolls[i].pool);
        if (!expired(w)) {
            hz_status status = value_roll(w, &rolled, &has_value, &analysis->rolls[i]);
            if (status != HZ_OK) {
                return status;
            }
        }
        if (!has_value) {
            analysis->has_rolls = false;
            return HZ_OK;
        }
        sum += hz_rolls[i].weight_216 * analysis->rolls[i];
        step(w, 1);
    }
    analysis->mean = sum / HZ_ROLLS_ORDERED;
    if (analysis->roll >= 0) {
        analysis->luck = analysis->rolls[analysis->roll] - analysis->mean;
    }
    return HZ_OK;
}

/* ---- the whole ---- */

static int roll_index(hz_pool pool) {
    for (int i = 0; i < HZ_ROLLS; i++) {
        if (hz_rolls[i].pool == pool) {
            return i;
        }
    }
    return -1;
}

/* Index of the result a turn leads to. */
static ptrdiff_t find_played(const hz_position *position, const hz_turn *played,
                             const hzi_analysis *analysis) {
    char text[HZ_TURN_CAPACITY];
    hz_position after;
    hz_turn turn;
    size_t length = hz_turn_to_text(played, text);
    if (hz_turn_from_text(position, text, length, &turn, &after, NULL) != HZ_OK) {
        return -1;
    }
    if (!turn.took_king) {
        hz_hand_over(&after);
    }
    for (size_t i = 0; i < analysis->count; i++) {
        const hzi_judged *result = &analysis->results[i];
        if (turn.took_king
                ? result->turn.took_king
                : !result->turn.took_king && hz_position_same_board(&after, &result->after)) {
            return (ptrdiff_t)i;
        }
    }
    return -1;
}

static void finish_results(work *w, hzi_analysis *analysis, const hz_turn *played) {
    const hzi_judged *results = analysis->results;
    hz_turn canonical = played ? results[analysis->played].turn : (hz_turn){0};
    qsort(analysis->results, analysis->count, sizeof *results, by_value);
    for (size_t i = 0; i < analysis->count; i++) {
        hzi_judged *result = &analysis->results[i];
        analysis->valued += result->valued;
        if (result->valued) {
            bool tied = i > 0 && result->value == results[i - 1].value;
            result->loss = results[0].value - result->value;
            result->rank = tied ? results[i - 1].rank : i + 1;
        }
        hz_color mover = w->mover;
        result->own_216 = hz_roll_set_weight(hz_odds_king(&result->after, mover));
        result->enemy_216 = hz_roll_set_weight(hz_odds_king(&result->after, (hz_color)!mover));
        if (played && memcmp(&result->turn, &canonical, sizeof canonical) == 0) {
            analysis->played = (ptrdiff_t)i;
        }
    }
    analysis->has_value = analysis->valued > 0;
    analysis->value = analysis->has_value ? results[0].value : 0;
}

static hz_status value_results(work *w, const hz_position *position, const hz_turn *played,
                               hz_arena *arena, hzi_analysis *analysis) {
    hz_status status = list_results(w, position, arena, &analysis->results, &analysis->count);
    if (status != HZ_OK) {
        return status;
    }
    if (!analysis->results) {
        if (played && played->count > 0) {
            return hz_fail(w->err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                           "the played turn is not legal");
        }
        status = value_pass(w, position, &analysis->has_value, &analysis->value);
        step(w, 1);
        return status;
    }
    if (played) {
        analysis->played = find_played(position, played, analysis);
        if (analysis->played < 0) {
            return hz_fail(w->err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                           "the played turn is not legal");
        }
        (void)value_result(w, &analysis->results[analysis->played], &status);
    }
    uint32_t limit = w->analyst->config.limit;
    size_t last = limit == 0 || limit > analysis->count ? analysis->count : limit;
    w->total += last;
    for (size_t i = 0; i < last && status == HZ_OK; i++) {
        if (!analysis->results[i].valued && !value_result(w, &analysis->results[i], &status)) {
            break;
        }
        step(w, 1);
    }
    if (status == HZ_OK) {
        finish_results(w, analysis, played);
    }
    return status;
}

hz_status hzi_analyse(hzi_analyst *analyst, const hz_position *position, const hz_turn *played,
                      const hz_deadline *deadline, hzi_analysis_progress progress,
                      void *progress_context, hz_arena *arena, hzi_analysis *analysis,
                      hz_error *err) {
    work w = {.analyst = analyst,
              .mover = (hz_color)position->side,
              .deadline = deadline,
              .progress = progress,
              .progress_context = progress_context,
              .total = analyst->config.rolls ? HZ_ROLLS : 0,
              .err = err};
    *analysis = (hzi_analysis){.played = -1, .roll = roll_index(position->pool)};
    if (position->pool == 0) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                       "an analysis needs a roll; this position has no dice");
    }
    hz_status status = value_results(&w, position, played, arena, analysis);
    if (status == HZ_OK && analyst->config.rolls) {
        status = value_rolls(&w, position, analysis);
    }
    analysis->complete = !w.stopped;
    return status;
}
