/* SPDX-License-Identifier: MIT */
/* Counter-based random streams: a number is a pure function of seed and counter, see base.h. */
/* _GNU_SOURCE: getrandom(2) comes with it. */
#define _GNU_SOURCE
#include <hazard/base.h>

#include <errno.h>
#include <sys/random.h>

static const uint64_t GOLDEN = 0x9E3779B97F4A7C15;

uint64_t hz_random_mix(uint64_t x) {
    uint64_t z = x + GOLDEN;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

/* Upper half of the 128-bit product k * x: uniform in 0..k-1 for a uniform x. */
static uint32_t scale(uint32_t k, uint64_t x) {
    uint64_t low = (x & 0xFFFFFFFF) * k;
    uint64_t high = (x >> 32) * k + (low >> 32);
    return (uint32_t)(high >> 32);
}

static uint32_t number_at(uint64_t seed, uint64_t counter, uint32_t k) {
    return scale(k, hz_random_mix(hz_random_mix(seed) + counter * GOLDEN));
}

hz_random hz_random_from_seed(uint64_t seed) {
    return (hz_random){.seed = seed, .counter = 0};
}

uint32_t hz_random_draw(hz_random *random, uint32_t k) {
    return number_at(random->seed, random->counter++, k);
}

uint32_t hz_random_pick(hz_random *random, uint32_t n) {
    return n > 1 ? hz_random_draw(random, n) : 0;
}

int hz_random_die(uint64_t seed, uint64_t ply, int k) {
    return 1 + (int)number_at(seed, 3 * ply + (uint64_t)k, 6);
}

hz_status hz_random_system_seed(uint64_t *seed) {
    ssize_t got;
    do {
        got = getrandom(seed, sizeof *seed, 0);
    } while (got < 0 && errno == EINTR);
    return got == (ssize_t)sizeof *seed ? HZ_OK : HZ_IO;
}
