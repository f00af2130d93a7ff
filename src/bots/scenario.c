/* SPDX-License-Identifier: MIT */
/*
 * Scenarios: rolls with known good answers, and the checks that make a catalogue worth trusting. A
 * wrong expectation would count as a regression of whoever plays better, so nothing is taken on
 * faith: positions, turns, passes and numbers are compared with the rules while the catalogue is
 * made.
 */
#include "bots/scenario.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const categories[] = {"tactical", "defensive", "endgame", "forced-pass"};
static const char *const goals[] = {"decision", "king", "gain", "guard", "pass"};
enum { CATEGORIES = sizeof categories / sizeof *categories, GOALS = sizeof goals / sizeof *goals };

const char *hz_scenario_category_text(hz_scenario_category category) {
    return categories[category];
}

const char *hz_scenario_goal_text(hz_scenario_goal goal) {
    return goals[goal];
}

bool hz_scenario_expects(const hz_scenario *scenario, bool pass, const hz_turn *turn) {
    if (pass || scenario->expects_pass) {
        return pass && scenario->expects_pass;
    }
    uint64_t text = hz_turn_text_order(turn);
    for (size_t i = 0; i < scenario->turn_count; i++) {
        if (hz_turn_text_order(&scenario->turns[i]) == text) {
            return true;
        }
    }
    return false;
}

void hz_catalogue_free(hz_catalogue *catalogue) {
    if (catalogue) {
        hz_arena_fini(&catalogue->memory);
        free(catalogue);
    }
}

/* ---- making ---- */

static hz_status no_memory(hz_error *err) {
    return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for the scenario catalogue");
}

static const char *keep(hz_arena *arena, const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = hz_arena_alloc(arena, size);
    return copy ? memcpy(copy, text, size) : NULL;
}

static hz_status check_seeds(const int64_t *seeds, size_t count, hz_error *err) {
    if (count == 0 || count > HZ_CATALOGUE_SEEDS_MAX) {
        return hz_fail(err, HZ_SCENARIO, HZ_NO_OFFSET, "seeds: there are %zu, which is not 1 to %d",
                       count, (int)HZ_CATALOGUE_SEEDS_MAX);
    }
    for (size_t i = 0; i < count; i++) {
        if (seeds[i] < 0) {
            return hz_fail(err, HZ_SCENARIO, HZ_NO_OFFSET, "seeds[%zu]: %" PRId64 " is negative", i,
                           seeds[i]);
        }
        for (size_t k = 0; k < i; k++) {
            if (seeds[k] == seeds[i]) {
                return hz_fail(err, HZ_SCENARIO, HZ_NO_OFFSET,
                               "seeds[%zu]: %" PRId64 " stands there twice", i, seeds[i]);
            }
        }
    }
    return HZ_OK;
}

hz_status hzi_catalogue_begin(hzi_catalogue_maker *maker, const char *id, const int64_t *seeds,
                              size_t seed_count, size_t count, hz_error *err) {
    hz_status status = check_seeds(seeds, seed_count, err);
    if (status != HZ_OK) {
        return status;
    }
    if (!*id) {
        return hz_fail(err, HZ_SCENARIO, HZ_NO_OFFSET, "id: it is empty");
    }
    if (count == 0 || count > HZ_CATALOGUE_MAX) {
        return hz_fail(err, HZ_SCENARIO, HZ_NO_OFFSET,
                       "scenarios: there are %zu, which is not 1 to %d", count,
                       (int)HZ_CATALOGUE_MAX);
    }
    hz_catalogue *made = calloc(1, sizeof *made);
    if (!made) {
        return no_memory(err);
    }
    hz_arena_init(&made->memory, 0);
    uint64_t *kept = hz_arena_alloc(&made->memory, seed_count * sizeof *kept);
    maker->scenarios = hz_arena_alloc(&made->memory, count * sizeof *maker->scenarios);
    made->id = keep(&made->memory, id);
    if (!kept || !maker->scenarios || !made->id) {
        hz_catalogue_free(made);
        return no_memory(err);
    }
    for (size_t i = 0; i < seed_count; i++) {
        kept[i] = (uint64_t)seeds[i];
    }
    made->seeds = kept;
    made->seed_count = seed_count;
    made->scenarios = maker->scenarios;
    maker->catalogue = made;
    maker->capacity = count;
    return HZ_OK;
}

/* ---- one scenario ---- */

/* Where a scenario's errors are. */
typedef struct place {
    char text[120];
    hz_error *err;
} place;

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static hz_status
wrong(const place *at, const char *member, const char *format, ...) {
    char text[600];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return hz_fail(at->err, HZ_SCENARIO, HZ_NO_OFFSET, "%s: %s: %s", at->text, member, text);
}

/* Index of a name in a list; `count` when it is not there. */
static size_t index_of(const char *const *names, size_t count, const char *name) {
    size_t i = 0;
    while (i < count && strcmp(names[i], name) != 0) {
        i++;
    }
    return i;
}

static hz_status check_names(const place *at, const hz_catalogue *catalogue,
                             const hzi_written_scenario *written, hz_scenario *scenario) {
    if (!*written->id) {
        return wrong(at, "id", "it is empty");
    }
    for (size_t i = 0; i < catalogue->count; i++) {
        if (strcmp(catalogue->scenarios[i].id, written->id) == 0) {
            return wrong(at, "id", "scenarios[%zu] has it already", i);
        }
    }
    size_t category = index_of(categories, CATEGORIES, written->category);
    if (category == CATEGORIES) {
        return wrong(at, "category",
                     "\"%.50s\" is not one of tactical, defensive, endgame, forced-pass",
                     written->category);
    }
    size_t goal = written->expects_pass ? HZ_GOAL_PASS : HZ_GOAL_DECISION;
    if (written->goal) {
        goal = index_of(goals, GOALS, written->goal);
        if (goal == GOALS) {
            return wrong(at, "goal", "\"%.50s\" is not one of decision, king, gain, guard, pass",
                         written->goal);
        }
        if ((goal == HZ_GOAL_PASS) != written->expects_pass) {
            return wrong(at, "goal", "\"%s\" does not fit what is expected", written->goal);
        }
    }
    scenario->category = (hz_scenario_category)category;
    scenario->goal = (hz_scenario_goal)goal;
    return HZ_OK;
}

static hz_status check_position(const place *at, const char *dfen, hz_position *position) {
    hz_error inner;
    char canonical[HZ_DFEN_CAPACITY];
    if (hz_position_from_dfen(position, dfen, strlen(dfen), &inner) != HZ_OK) {
        return wrong(at, "dfen", "byte %zu: %.300s (%s)", inner.offset, inner.message,
                     hz_status_name(inner.code));
    }
    (void)hz_position_to_dfen(position, canonical, sizeof canonical);
    if (strcmp(canonical, dfen) != 0) {
        return wrong(at, "dfen", "it is not canonical; that would be \"%s\"", canonical);
    }
    return position->pool ? HZ_OK : wrong(at, "dfen", "it has no dice");
}

/* Turns of the roll, counted until there are more than a scenario states. */
typedef struct counting {
    int64_t legal, king, most;
} counting;

static bool count_turn(void *context, const hz_turn *turn, const hz_position *after) {
    counting *c = context;
    (void)after;
    c->legal++;
    c->king += turn->took_king != 0;
    return c->legal <= c->most;
}

static hz_status check_counts(const place *at, const hzi_written_scenario *written,
                              const hz_position *position) {
    if (!written->counted) {
        return HZ_OK;
    }
    if (written->legal < 0 || written->legal > HZ_SCENARIO_LEGAL_MAX) {
        return wrong(at, "legal", "%" PRId64 " is not a number from 0 to %d", written->legal,
                     (int)HZ_SCENARIO_LEGAL_MAX);
    }
    counting c = {.most = written->legal};
    if (hz_turns_visit(position, NULL, NULL, count_turn, &c) != HZ_OK) {
        return wrong(at, "legal", "there are more than %" PRId64 " legal turns", written->legal);
    }
    if (c.legal != written->legal) {
        return wrong(at, "legal", "%" PRId64 " stated, there are %" PRId64, written->legal,
                     c.legal);
    }
    if (c.king != written->king) {
        return wrong(at, "king", "%" PRId64 " stated, there are %" PRId64, written->king, c.king);
    }
    return HZ_OK;
}

static hz_status check_turn(const place *at, size_t index, const hzi_written_scenario *written,
                            const hz_position *position, hz_turn *turns) {
    char member[40];
    hz_error inner;
    const char *text = written->turns[index];
    (void)snprintf(member, sizeof member, "expect[%zu]", index);
    if (hz_turn_from_text(position, text, strlen(text), &turns[index], NULL, &inner) != HZ_OK) {
        return wrong(at, member, "\"%.50s\": %.300s (%s)", text, inner.message,
                     hz_status_name(inner.code));
    }
    if (turns[index].count == 0) {
        return wrong(at, member, "a pass is not a turn");
    }
    for (size_t i = 0; i < index; i++) {
        if (hz_turn_text_order(&turns[i]) == hz_turn_text_order(&turns[index])) {
            return wrong(at, member, "%.50s stands there twice", text);
        }
    }
    return HZ_OK;
}

/* turns: room for those written. */
static hz_status check_expected(const place *at, const hzi_written_scenario *written,
                                const hz_position *position, hz_turn *turns) {
    if (written->expects_pass) {
        return hz_dice_max(position) == 0
                   ? HZ_OK
                   : wrong(at, "expect", "a pass, but there are legal turns");
    }
    if (written->turn_count == 0) {
        return wrong(at, "expect", "the list is empty");
    }
    for (size_t i = 0; i < written->turn_count; i++) {
        hz_status status = check_turn(at, i, written, position, turns);
        if (status != HZ_OK) {
            return status;
        }
    }
    return HZ_OK;
}

hz_status hzi_catalogue_add(hzi_catalogue_maker *maker, const hzi_written_scenario *written,
                            hz_error *err) {
    hz_catalogue *catalogue = maker->catalogue;
    place at = {.err = err};
    hz_scenario scenario = {.expects_pass = written->expects_pass,
                            .turn_count = written->expects_pass ? 0 : written->turn_count};
    (void)snprintf(at.text, sizeof at.text, "scenarios[%zu] (%.80s)", catalogue->count,
                   written->id);
    hz_turn *turns = hz_arena_alloc(&catalogue->memory, scenario.turn_count * sizeof *turns);
    scenario.turns = turns;
    scenario.id = keep(&catalogue->memory, written->id);
    scenario.why = keep(&catalogue->memory, written->why ? written->why : "");
    if (!turns || !scenario.id || !scenario.why || catalogue->count == maker->capacity) {
        return no_memory(err);
    }
    hz_status status = check_names(&at, catalogue, written, &scenario);
    if (status == HZ_OK) {
        status = check_position(&at, written->dfen, &scenario.position);
    }
    if (status == HZ_OK) {
        status = check_expected(&at, written, &scenario.position, turns);
    }
    if (status == HZ_OK) {
        status = check_counts(&at, written, &scenario.position);
    }
    if (status == HZ_OK) {
        maker->scenarios[catalogue->count++] = scenario;
    }
    return status;
}
