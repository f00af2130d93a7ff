/* SPDX-License-Identifier: MIT */
/*
 * The Monte-Carlo bot: a result is worth the mover's win mass after it, estimated
 * by rollouts. Without a clock every result gets the same number of rollouts; with one, the 16 best
 * by material share the time that is left.
 *
 * A bot has no memory of its own but its budget: rollouts take an arena for the length of a
 * question, with the limit of the asker's, so that one instance could even be asked in parallel.
 */
#include "bots/roster.h"

#include "bots/choice.h"

#include <math.h>
#include <stdlib.h>

static const double SCORE_SCALE = 1000000;
enum { TIMED_CANDIDATES = 16, BUDGET_MAX = 1000000 };

static const hz_monte_carlo_config default_budget = {.rollouts = 120, .max_plies = 40};

static const hz_bot_info info = {"monte-carlo",
                                 "Monte-Carlo",
                                 "plays out each result with random turns and exact capture odds",
                                 6,
                                 true,
                                 true};

/* Win mass as a score, rounded half up. */
static int32_t scaled(double mass) {
    return (int32_t)floor(SCORE_SCALE * mass + 0.5);
}

/* The win mass of `color` in a position before the roll. */
static hz_status win_mass(const hz_position *position, hz_color color, uint32_t rollouts,
                          uint32_t max_plies, hz_random *random, const hz_deadline *deadline,
                          hz_arena *arena, double *mass, hz_error *err) {
    hz_equity_config config = {.rollouts = rollouts, .max_plies = max_plies};
    hz_equity equity;
    hz_status status = hz_equity_estimate(position, &config, random, deadline, arena, &equity, err);
    if (status == HZ_OK) {
        *mass = color == HZ_WHITE ? equity.white_win : equity.black_win;
    }
    return status;
}

/* ---- material order ---- */

typedef struct candidate {
    const hz_result *result;
    int32_t material;
} candidate;

/* The first TIMED_CANDIDATES of a stable order by material, most first: one insertion pass. */
static size_t pre_rank(const hz_result_list *list, hz_color mover,
                       candidate kept[TIMED_CANDIDATES]) {
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        candidate next = {&list->results[i], hz_evaluate_material(&list->results[i].after, mover)};
        size_t place = count;
        while (place > 0 && kept[place - 1].material < next.material) {
            place--;
        }
        if (place == TIMED_CANDIDATES) {
            continue;
        }
        count += count < TIMED_CANDIDATES;
        for (size_t j = count - 1; j > place; j--) {
            kept[j] = kept[j - 1];
        }
        kept[place] = next;
    }
    return count;
}

/* ---- untimed ---- */

static hz_status choose_untimed(const hz_monte_carlo_config *budget, const hz_bot_request *request,
                                const hz_result_list *list, hz_arena *arena, hz_bot_answer *answer,
                                hz_error *err) {
    hz_color mover = (hz_color)request->position->side;
    const hz_deadline *deadline = request->deadline; /* at most a cancel flag */
    int32_t *values = hzi_choice_values(request, list, err);
    if (!values) {
        return HZ_NO_MEMORY;
    }
    hz_result_list estimated = *list;
    for (estimated.count = 0; estimated.count < list->count; estimated.count++) {
        double mass;
        if (hz_deadline_expired(deadline)) {
            break;
        }
        hz_status status =
            win_mass(&list->results[estimated.count].after, mover, budget->rollouts,
                     budget->max_plies, request->random, deadline, arena, &mass, err);
        if (status != HZ_OK) {
            return status;
        }
        values[estimated.count] = scaled(mass);
    }
    if (estimated.count == 0) { /* cancelled before the first */
        candidate kept[TIMED_CANDIDATES] = {{0}};
        pre_rank(list, mover, kept);
        return hzi_choice_take(request, kept[0].result, kept[0].material, answer, err);
    }
    return hzi_choice_pick(request, &estimated, values, answer, err);
}

/* ---- timed ---- */

static hz_status choose_timed(const hz_monte_carlo_config *budget, const hz_bot_request *request,
                              const hz_result_list *list, hz_arena *arena, hz_bot_answer *answer,
                              hz_error *err) {
    hz_color mover = (hz_color)request->position->side;
    const hz_deadline *deadline = request->deadline;
    candidate kept[TIMED_CANDIDATES] = {{0}};
    size_t count = pre_rank(list, mover, kept);
    const hz_result *best = kept[0].result;
    int32_t score = kept[0].material;
    double best_mass = -1;
    for (size_t i = 0; i < count && !hz_cancel_requested(deadline->cancel); i++) {
        uint64_t now = hz_deadline_now_ns(deadline);
        if (now >= deadline->at_ns) {
            break;
        }
        hz_deadline slice = *deadline;
        slice.at_ns = now + (deadline->at_ns - now) / (count - i);
        double mass;
        hz_status status = win_mass(&kept[i].result->after, mover, UINT32_MAX, budget->max_plies,
                                    request->random, &slice, arena, &mass, err);
        if (status != HZ_OK) {
            return status;
        }
        if (mass > best_mass) {
            best_mass = mass;
            best = kept[i].result;
            score = scaled(mass);
        }
    }
    return hzi_choice_take(request, best, score, answer, err);
}

/* ---- the bot ---- */

static hz_status choose(void *state, const hz_bot_request *request, hz_bot_answer *answer,
                        hz_error *err) {
    const hz_monte_carlo_config *budget = state;
    hz_result_list list;
    bool answered;
    hz_status status = hzi_choice_open(request, &list, answer, &answered, err);
    if (status != HZ_OK || answered) {
        return status;
    }
    hz_arena arena;
    hz_arena_init(&arena, request->arena->limit);
    status = hz_deadline_is_timed(request->deadline)
                 ? choose_timed(budget, request, &list, &arena, answer, err)
                 : choose_untimed(budget, request, &list, &arena, answer, err);
    hz_arena_fini(&arena);
    return status;
}

/* The win mass of `color` with the bot's budget, on the stream handed in. */
static hz_status equity_of(const hz_monte_carlo_config *budget, const hz_position *position,
                           hz_color color, hz_random *random, double *mass, hz_error *err) {
    hz_arena arena;
    hz_arena_init(&arena, 0);
    hz_status status = win_mass(position, color, budget->rollouts, budget->max_plies, random, NULL,
                                &arena, mass, err);
    hz_arena_fini(&arena);
    return status;
}

static hz_status decide(void *state, hz_decision question, const hz_position *position,
                        hz_color responder, hz_random *random, bool *yes, hz_error *err) {
    const hz_monte_carlo_config *budget = state;
    hz_color mover = (hz_color)position->side;
    double mass = 0;
    hz_status status = HZ_OK;
    switch (question) {
    case HZ_OFFER_DOUBLE:
        status = equity_of(budget, position, mover, random, &mass, err);
        *yes = mass > 0.65;
        break;
    case HZ_TAKE_DOUBLE:
        status = equity_of(budget, position, responder, random, &mass, err);
        *yes = mass > 0.30;
        break;
    case HZ_OFFER_DRAW:
        *yes = hz_dead_draw(position);
        break;
    case HZ_ACCEPT_DRAW:
        *yes = hz_dead_draw(position) || hz_evaluate_standard(position, mover) < -200;
        break;
    }
    return status;
}

hz_status hz_bot_monte_carlo(const hz_monte_carlo_config *config, hz_bot *bot, hz_error *err) {
    if (!config) {
        config = &default_budget;
    }
    if (config->rollouts < 1 || config->rollouts > BUDGET_MAX || config->max_plies > BUDGET_MAX) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                       "a Monte-Carlo budget is 1 to %d rollouts of at most %d plies", BUDGET_MAX,
                       BUDGET_MAX);
    }
    hz_monte_carlo_config *state = malloc(sizeof *state);
    if (!state) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a Monte-Carlo bot");
    }
    *state = *config;
    *bot =
        (hz_bot){.info = &info, .state = state, .choose = choose, .decide = decide, .close = free};
    return HZ_OK;
}

static const hz_bot_option options[] = {
    {"rollouts", HZ_OPTION_COUNT, 1, BUDGET_MAX, "120", NULL,
     "rollouts of each result; a question with a time limit ignores it", 10000},
    {"plies", HZ_OPTION_COUNT, 0, BUDGET_MAX, "40", NULL, "turns of a rollout", 1000},
};

static hz_status open(void *context, const hz_option_value *values, hz_bot *bot, hz_error *err) {
    (void)context;
    hz_monte_carlo_config config = {.rollouts = (uint32_t)values[0].count,
                                    .max_plies = (uint32_t)values[1].count};
    return hz_bot_monte_carlo(&config, bot, err);
}

const hz_bot_kind hzi_monte_carlo_kind = {.info = &info,
                                          .option_count = sizeof options / sizeof *options,
                                          .options = options,
                                          .open = open};
