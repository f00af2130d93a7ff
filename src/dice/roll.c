/* SPDX-License-Identifier: MIT */
/* The 56 distinct rolls of three dice with their weights, and rolls from a random stream. */
#include <hazard/dice.h>

#define POOL(a, b, c)                                                                              \
    (hz_pool)((1u << (2 * ((a)-1))) + (1u << (2 * ((b)-1))) + (1u << (2 * ((c)-1))))
#define WEIGHT(a, b, c) ((a) == (b) && (b) == (c) ? 1 : (a) == (b) || (b) == (c) ? 3 : 6)
#define ROLL(a, b, c)                                                                              \
    { {(a), (b), (c)}, WEIGHT(a, b, c), POOL(a, b, c) }

const hz_roll hz_rolls[HZ_ROLLS] = {
    ROLL(1, 1, 1), ROLL(1, 1, 2), ROLL(1, 1, 3), ROLL(1, 1, 4), ROLL(1, 1, 5), ROLL(1, 1, 6),
    ROLL(1, 2, 2), ROLL(1, 2, 3), ROLL(1, 2, 4), ROLL(1, 2, 5), ROLL(1, 2, 6), ROLL(1, 3, 3),
    ROLL(1, 3, 4), ROLL(1, 3, 5), ROLL(1, 3, 6), ROLL(1, 4, 4), ROLL(1, 4, 5), ROLL(1, 4, 6),
    ROLL(1, 5, 5), ROLL(1, 5, 6), ROLL(1, 6, 6), ROLL(2, 2, 2), ROLL(2, 2, 3), ROLL(2, 2, 4),
    ROLL(2, 2, 5), ROLL(2, 2, 6), ROLL(2, 3, 3), ROLL(2, 3, 4), ROLL(2, 3, 5), ROLL(2, 3, 6),
    ROLL(2, 4, 4), ROLL(2, 4, 5), ROLL(2, 4, 6), ROLL(2, 5, 5), ROLL(2, 5, 6), ROLL(2, 6, 6),
    ROLL(3, 3, 3), ROLL(3, 3, 4), ROLL(3, 3, 5), ROLL(3, 3, 6), ROLL(3, 4, 4), ROLL(3, 4, 5),
    ROLL(3, 4, 6), ROLL(3, 5, 5), ROLL(3, 5, 6), ROLL(3, 6, 6), ROLL(4, 4, 4), ROLL(4, 4, 5),
    ROLL(4, 4, 6), ROLL(4, 5, 5), ROLL(4, 5, 6), ROLL(4, 6, 6), ROLL(5, 5, 5), ROLL(5, 5, 6),
    ROLL(5, 6, 6), ROLL(6, 6, 6),
};

const uint8_t hz_rolls_by_weight[HZ_ROLLS] = {
    /* weight 6 */ 7,
    8,
    9,
    10,
    12,
    13,
    14,
    16,
    17,
    19,
    27,
    28,
    29,
    31,
    32,
    34,
    41,
    42,
    44,
    50,
    /* weight 3 */ 1,
    2,
    3,
    4,
    5,
    6,
    11,
    15,
    18,
    20,
    22,
    23,
    24,
    25,
    26,
    30,
    33,
    35,
    37,
    38,
    39,
    40,
    43,
    45,
    47,
    48,
    49,
    51,
    53,
    54,
    /* weight 1 */ 0,
    21,
    36,
    46,
    52,
    55};

hz_pool hz_roll_at(uint64_t seed, uint64_t ply) {
    return hz_pool_from_faces(hz_random_die(seed, ply, 0), hz_random_die(seed, ply, 1),
                              hz_random_die(seed, ply, 2));
}

hz_pool hz_roll_draw(hz_random *random) {
    int a = 1 + (int)hz_random_draw(random, 6);
    int b = 1 + (int)hz_random_draw(random, 6);
    int c = 1 + (int)hz_random_draw(random, 6);
    return hz_pool_from_faces(a, b, c);
}
