/* SPDX-License-Identifier: MIT */
/*
 * Monte-Carlo equity: who will take the king, estimated from a position before the roll. A rollout
 * never plays a capture of the king. It carries the probability of being still
 * alive along, and at each ply credits the exact probability of a capture on this roll to the side
 * to move; the survivors go on with a random turn that takes no king. The exact part removes most
 * of the variance of counting wins.
 *
 * The draws of a rollout are three dice per attempt and one pick when there is a choice; nothing
 * else touches the stream. All sums are binary64 in the order written (no contraction).
 */
#include <hazard/search.h>

#include <math.h>

/* A rollout with less survival than this is over. */
static const double SURVIVAL_EPSILON = 1e-5;
/* Below this the rollouts are taken to agree. */
static const double VARIANCE_EPSILON = 1e-12;
/* Rolls tried per ply until one leaves a turn that takes no king. */
enum { ROLL_ATTEMPTS = 64 };

hz_equity_config hz_equity_config_default(void) {
    return (hz_equity_config){
        .rollouts = 500, .max_plies = 1000, .target_error = 0, .min_rollouts = 128};
}

/* What one rollout contributes; the three add up to 1. */
typedef struct masses {
    double credit[2]; /* by hz_color */
    double survival;
} masses;

/* Probability that the side to move takes the enemy king on a fresh roll. */
static double capture_probability(const hz_position *position) {
    hz_color enemy = (hz_color)(position->side ^ 1);
    return hz_roll_set_weight(hz_odds_king(position, enemy)) / (double)HZ_ROLLS_ORDERED;
}

/* Replaces the position by the result of a random turn that takes no king, rolling again while
 * there is none. *stuck: no such turn in ROLL_ATTEMPTS rolls. */
static hz_status advance(hz_position *position, hz_random *random, hz_arena *arena, bool *stuck,
                         hz_error *err) {
    for (int attempt = 0; attempt < ROLL_ATTEMPTS; attempt++) {
        hz_result_list list;
        hz_position_set_pool(position, hz_roll_draw(random));
        hz_arena_reset(arena);
        hz_status status = hz_results_list(position, NULL, arena, &list, err);
        if (status != HZ_OK) {
            return status;
        }
        size_t quiet = list.count - (list.winning >= 0);
        if (quiet > 0) {
            size_t index = hz_random_pick(random, (uint32_t)quiet);
            if (list.winning >= 0 && index >= (size_t)list.winning) {
                index++;
            }
            *position = list.results[index].after;
            *stuck = false;
            return HZ_OK;
        }
    }
    *stuck = true;
    return HZ_OK;
}

static hz_status roll_out(const hz_position *start, double first_probability, uint32_t max_plies,
                          hz_random *random, hz_arena *arena, masses *out, hz_error *err) {
    hz_position position = *start;
    *out = (masses){.survival = 1};
    for (uint32_t ply = 0; ply < max_plies; ply++) {
        double q = ply ? capture_probability(&position) : first_probability;
        out->credit[position.side] += out->survival * q;
        out->survival *= 1 - q;
        if (out->survival <= SURVIVAL_EPSILON) {
            break;
        }
        bool stuck;
        hz_status status = advance(&position, random, arena, &stuck, err);
        if (status != HZ_OK) {
            return status;
        }
        if (stuck) {
            break;
        }
    }
    return HZ_OK;
}

/* A board without a king is not played on: whoever still has one has won. */
static bool decided(const hz_position *position, hz_equity *equity) {
    hz_color winner;
    bool has_winner;
    if (!hz_game_over(position, &has_winner, &winner)) {
        return false;
    }
    *equity = (hz_equity){.white_win = has_winner && winner == HZ_WHITE,
                          .black_win = has_winner && winner == HZ_BLACK,
                          .undecided = !has_winner,
                          .variance_reduction = (double)INFINITY};
    return true;
}

hz_status hz_equity_estimate(const hz_position *position, const hz_equity_config *config,
                             hz_random *random, const hz_deadline *deadline, hz_arena *arena,
                             hz_equity *equity, hz_error *err) {
    if (config->rollouts == 0) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                       "rollouts: an estimate takes at least one");
    }
    if (!(config->target_error >= 0)) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                       "target error: a number of at least 0 is needed");
    }
    hz_equity estimate = {0};
    if (decided(position, &estimate)) {
        *equity = estimate;
        return HZ_OK;
    }
    double first_probability = capture_probability(position);
    double squares = 0, sample_variance = 0; /* of the mass of White */
    do {
        masses rollout;
        hz_status status =
            roll_out(position, first_probability, config->max_plies, random, arena, &rollout, err);
        if (status != HZ_OK) {
            return status;
        }
        double n = ++estimate.rollouts;
        double delta = rollout.credit[HZ_WHITE] - estimate.white_win;
        estimate.white_win += delta / n;
        squares += delta * (rollout.credit[HZ_WHITE] - estimate.white_win);
        estimate.black_win += (rollout.credit[HZ_BLACK] - estimate.black_win) / n;
        estimate.undecided += (rollout.survival - estimate.undecided) / n;
        sample_variance = estimate.rollouts > 1 ? squares / (n - 1) : 0;
        estimate.standard_error = sqrt(sample_variance / n);
        if (config->target_error > 0 && estimate.rollouts >= config->min_rollouts &&
            estimate.standard_error <= config->target_error) {
            break;
        }
    } while (estimate.rollouts < config->rollouts && !hz_deadline_expired(deadline));
    estimate.variance_reduction =
        sample_variance <= VARIANCE_EPSILON
            ? (double)INFINITY
            : estimate.white_win * (1 - estimate.white_win) / sample_variance;
    *equity = estimate;
    return HZ_OK;
}
