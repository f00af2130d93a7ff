/* SPDX-License-Identifier: MIT */
/* The 56 distinct rolls in the order in which chance nodes take them: heavy ones first, so that a
 * bound moves as fast as it can. Sums are exact, so the order shows in the counters only. */
#include <hazard/search.h>

hz_pool hz_search_roll(size_t index, int *weight_216) {
    const hz_roll *roll = &hz_rolls[hz_rolls_by_weight[index]];
    *weight_216 = roll->weight_216;
    return roll->pool;
}
