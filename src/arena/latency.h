/* SPDX-License-Identifier: MIT */
/*
 * Times of answers, counted: exactly by the microsecond up to 65 ms, one by one beyond, so that
 * percentiles by nearest rank are exact and quick answers take no memory however many they are.
 */
#ifndef HAZARD_ARENA_LATENCY_H
#define HAZARD_ARENA_LATENCY_H

#include <hazard/arena.h>

/* NULL without memory. */
hz_latency *hzi_latency_new(void);
void hzi_latency_free(hz_latency *latency);
bool hzi_latency_add(hz_latency *latency, uint32_t us);
hz_latency_summary hzi_latency_summary(const hz_latency *latency); /* accepts NULL */

#endif
