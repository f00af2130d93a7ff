/* SPDX-License-Identifier: MIT */
/*
 * hazard/search.h - looking ahead. So far: Monte-Carlo equity of a position before the roll.
 */
#ifndef HAZARD_SEARCH_H
#define HAZARD_SEARCH_H

#include <hazard/eval.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hz_equity_config {
    uint32_t rollouts;     /* most rollouts; UINT32_MAX = until the deadline */
    uint32_t max_plies;    /* plies of one rollout */
    double target_error;   /* > 0: stop when the standard error is at most this */
    uint32_t min_rollouts; /* rollouts before target_error is looked at */
} hz_equity_config;

/* 500 rollouts, 1000 plies, no target error, 128. */
hz_equity_config hz_equity_config_default(void);

typedef struct hz_equity {
    double white_win, black_win, undecided; /* sum 1 */
    double standard_error;                  /* of white_win */
    double variance_reduction;              /* against counting wins; INFINITY when the sample
                                               variance is at most 1e-12 */
    uint32_t rollouts;                      /* played */
} hz_equity;

/*
 * Estimates who takes the king, by rollouts that never end in a capture but carry its probability
 * along. `position` is looked at before the roll (its pool is ignored). Draws come from `random`
 * alone, in order, so the same stream gives the same estimate. Looks at the deadline (may be NULL)
 * after each rollout: at least one is played. The arena is used for lists and reset between plies:
 * give one of its own.
 *
 * A position without a king on a side is decided: 1 for the side that has one, or undecided 1 when
 * both are missing, with rollouts 0, standard error 0 and no draw. max_plies 0 gives undecided 1.
 *
 * HZ_INVALID_ARGUMENT for rollouts 0, a negative or NaN target error. HZ_NO_MEMORY when the arena
 * is exhausted. On failure *equity is unchanged.
 */
hz_status hz_equity_estimate(const hz_position *position, const hz_equity_config *config,
                             hz_random *random, const hz_deadline *deadline, hz_arena *arena,
                             hz_equity *equity, hz_error *err);

#ifdef __cplusplus
}
#endif
#endif
