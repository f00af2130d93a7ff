/* SPDX-License-Identifier: MIT */
/* Percentiles of the times of answers; see latency.h. */
#include "arena/latency.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { QUICK = 65536 };

struct hz_latency {
    uint64_t count;
    size_t slow_count, slow_capacity;
    uint32_t *slow; /* QUICK microseconds and more, in order of arrival */
    uint32_t quick[QUICK];
};

hz_latency *hzi_latency_new(void) {
    return calloc(1, sizeof(hz_latency));
}

void hzi_latency_free(hz_latency *latency) {
    if (latency) {
        free(latency->slow);
        free(latency);
    }
}

bool hzi_latency_add(hz_latency *latency, uint32_t us) {
    if (us >= QUICK) {
        if (latency->slow_count == latency->slow_capacity) {
            size_t capacity = latency->slow_capacity ? 2 * latency->slow_capacity : 64;
            uint32_t *grown = realloc(latency->slow, capacity * sizeof *grown);
            if (!grown) {
                return false;
            }
            latency->slow = grown;
            latency->slow_capacity = capacity;
        }
        latency->slow[latency->slow_count++] = us;
    } else {
        latency->quick[us]++;
    }
    latency->count++;
    return true;
}

static int ascending(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

hz_latency_summary hzi_latency_summary(const hz_latency *latency) {
    hz_latency_summary s = {0, (double)NAN, (double)NAN, (double)NAN, (double)NAN};
    static const uint64_t percents[4] = {50, 95, 99, 100};
    double *const places[4] = {&s.p50, &s.p95, &s.p99, &s.max};
    if (!latency || latency->count == 0) {
        return s;
    }
    uint32_t *slow = NULL;
    if (latency->slow_count > 0) {
        slow = malloc(latency->slow_count * sizeof *slow);
        if (!slow) {
            return s;
        }
        memcpy(slow, latency->slow, latency->slow_count * sizeof *slow);
        qsort(slow, latency->slow_count, sizeof *slow, ascending);
    }
    s.count = latency->count;
    uint64_t below = 0;
    size_t next = 0;
    for (uint32_t us = 0; us < QUICK && next < 4; us++) {
        below += latency->quick[us];
        while (next < 4 && (percents[next] * s.count + 99) / 100 <= below) {
            *places[next++] = us / 1000.0;
        }
    }
    for (; next < 4; next++) {
        uint64_t rank = (percents[next] * s.count + 99) / 100;
        *places[next] = slow[rank - 1 - below] / 1000.0;
    }
    free(slow);
    return s;
}
