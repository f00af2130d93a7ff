/* SPDX-License-Identifier: MIT */
/*
 * A scenario catalogue while it is made: whoever reads one, from JSON or from a table, hands over
 * texts and numbers as they stand there, and everything is checked in one place.
 */
#ifndef HAZARD_BOTS_SCENARIO_H
#define HAZARD_BOTS_SCENARIO_H

#include <hazard/bots.h>

typedef struct hzi_catalogue_maker {
    hz_catalogue *catalogue;
    hz_scenario *scenarios; /* the catalogue's, room for all */
    size_t capacity;
} hzi_catalogue_maker;

/* A scenario as it is written down. Texts are copied. */
typedef struct hzi_written_scenario {
    const char *id, *category, *dfen;
    const char *goal; /* NULL = a decision, or a pass when that is expected */
    const char *why;  /* NULL = "" */
    bool expects_pass;
    size_t turn_count;
    const char *const *turns;
    bool counted; /* the numbers are stated */
    int64_t legal, king;
} hzi_written_scenario;

/* Checks id and seeds and makes room for `count` scenarios. On failure there is nothing to free. */
hz_status hzi_catalogue_begin(hzi_catalogue_maker *maker, const char *id, const int64_t *seeds,
                              size_t seed_count, size_t count, hz_error *err);
/* Checks a scenario and adds it; at most the count promised. */
hz_status hzi_catalogue_add(hzi_catalogue_maker *maker, const hzi_written_scenario *written,
                            hz_error *err);

#endif
