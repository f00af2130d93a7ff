/* SPDX-License-Identifier: MIT */
/*
 * Luck apart from skill. What a roll is worth more than the average roll has expectation 0 before
 * the dice fall, whatever happened earlier and whoever judges. So has its sum over a game, and a
 * score with a fixed multiple of that sum taken off has the expectation it had before, with less
 * variance when the multiple is near the slope of score on luck.
 *
 * The slope has to come from the same games. Taken from all of them it would lean on the very luck
 * it corrects; so even pairs are corrected by the slope of the odd ones and the other way round.
 */
#include "bots/analysis.h"

#include <hazard/arena.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct hz_luck {
    hz_registry *registry; /* owned, or NULL */
    hz_bot bot;            /* zeroed for the king judge */
    hzi_analyst *analyst;
    double axis; /* from a lost king to a won one */
    hz_arena arena;
};

hz_status hz_luck_open(const char *judge, hz_registry *registry, hz_luck **luck, hz_error *err) {
    hz_luck *l = calloc(1, sizeof *l);
    hz_status status = HZ_OK;
    *luck = NULL;
    if (!l) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a judge of luck");
    }
    if (strcasecmp(judge, "king") == 0) {
        *luck = l;
        return HZ_OK;
    }
    if (!registry) {
        registry = l->registry = hz_registry_new();
        status = registry ? hz_registry_register_kinds(registry, err)
                          : hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a registry");
    }
    if (status == HZ_OK) {
        status = hz_registry_open(registry, judge, &l->bot, err);
    }
    hzi_analysis_config config = {.rolls = true};
    if (status == HZ_OK && !hz_bot_judge(&l->bot, &config.judgement)) {
        status = hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                         "'%.60s' has no values to judge luck by; 'king' has, and greedy", judge);
    }
    if (status == HZ_OK) {
        config.limit = config.roll_limit = 8;
        l->axis = (double)config.judgement.win - (double)config.judgement.loss;
        status = hzi_analyst_new(&config, &l->analyst, err);
    }
    if (status != HZ_OK) {
        hz_luck_close(l);
        return status;
    }
    *luck = l;
    return HZ_OK;
}

void hz_luck_close(hz_luck *luck) {
    if (luck) {
        hzi_analyst_free(luck->analyst);
        hz_bot_close(&luck->bot);
        hz_registry_free(luck->registry);
        hz_arena_fini(&luck->arena);
        free(luck);
    }
}

static double king_luck(const hz_position *position) {
    hz_roll_set takes = hz_odds_king(position, (hz_color)(1 - position->side));
    for (int i = 0; i < HZ_ROLLS; i++) {
        if (hz_rolls[i].pool == position->pool) {
            double hit = takes >> i & 1 ? 1.0 : 0.0;
            return hit - (double)hz_roll_set_weight(takes) / HZ_ROLLS_ORDERED;
        }
    }
    return 0.0;
}

hz_status hz_luck_of_roll(hz_luck *luck, const hz_position *position, double *value,
                          hz_error *err) {
    hzi_analysis analysis;
    if (!luck->analyst) {
        *value = king_luck(position);
        return HZ_OK;
    }
    hz_arena_reset(&luck->arena);
    hz_status status =
        hzi_analyse(luck->analyst, position, NULL, NULL, NULL, NULL, &luck->arena, &analysis, err);
    *value = status == HZ_OK ? analysis.luck / luck->axis : 0.0;
    return status;
}

/* ---- the adjusted score ---- */

void hz_luck_add(hz_luck_sums *sums, uint64_t number, double score, double luck) {
    size_t half = number & 1;
    sums->n[half]++;
    sums->s[half] += score;
    sums->c[half] += luck;
    sums->ss[half] += score * score;
    sums->cc[half] += luck * luck;
    sums->sc[half] += score * luck;
}

hz_luck_estimate hz_luck_evaluate(const hz_luck_sums *sums) {
    hz_luck_estimate e = {(double)NAN, (double)NAN, (double)NAN,
                          (double)NAN, {0.0, 0.0},  (double)NAN};
    double n = (double)(sums->n[0] + sums->n[1]);
    if (n < 1.0) {
        return e;
    }
    double raw = sums->s[0] + sums->s[1], raw_squares = sums->ss[0] + sums->ss[1];
    double adjusted = 0.0, squares = 0.0;
    for (int half = 0; half < 2; half++) {
        int other = 1 - half;
        double m = (double)sums->n[other];
        /* The mean of luck is known to be 0; that of the score is not. */
        double slope =
            m >= 2.0 && sums->cc[other] > 0.0
                ? (sums->sc[other] - sums->s[other] / m * sums->c[other]) / sums->cc[other]
                : 0.0;
        e.factor[half] = slope;
        adjusted += sums->s[half] - slope * sums->c[half];
        squares += sums->ss[half] - 2.0 * slope * sums->sc[half] + slope * slope * sums->cc[half];
    }
    e.raw = raw / n;
    e.adjusted = adjusted / n;
    if (n >= 2.0) {
        double raw_variance = fmax(raw_squares / n - e.raw * e.raw, 0.0) / (n - 1.0);
        double variance = fmax(squares / n - e.adjusted * e.adjusted, 0.0) / (n - 1.0);
        e.raw_se = sqrt(raw_variance);
        e.adjusted_se = sqrt(variance);
        e.variance_ratio = raw_variance > 0.0 ? variance / raw_variance : (double)NAN;
    }
    return e;
}
