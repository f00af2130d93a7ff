/* SPDX-License-Identifier: MIT */
/*
 * A look at the raw text of a query before it is parsed: how deep it nests, and where the values
 * stand that must not go through a number type, because they are given back or read exactly as
 * written.
 */
#ifndef HAZARD_CLI_QUERY_SCAN_H
#define HAZARD_CLI_QUERY_SCAN_H

#include <hazard.h>

/* A value in the text; length 0 = there is none. */
typedef struct hzc_span {
    const char *text;
    size_t length;
} hzc_span;

typedef struct hzc_scan {
    hzc_span id;
    hzc_span seed;
} hzc_scan;

/* Refuses text that nests deeper than `depth` (HZ_JSON). The spans mean something only when the
 * text proves to be a JSON object without repeated keys. */
hz_status hzc_scan_query(const char *text, size_t length, unsigned depth, hzc_scan *scan,
                         hz_error *err);

#endif
