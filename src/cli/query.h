/* SPDX-License-Identifier: MIT */
/*
 * The line protocol of `hazard query` (docs/query.md): one JSON object in, one line of JSON out. No
 * input or output is opened here, so that tests and the fuzzer can call it.
 */
#ifndef HAZARD_CLI_QUERY_H
#define HAZARD_CLI_QUERY_H

#include "cli/out.h"

#include <hazard.h>

enum {
    HZC_QUERY_LINE_MAX = 1 << 20, /* bytes of a line */
    HZC_QUERY_DEPTH_MAX = 64      /* nested objects and arrays */
};

/* What a session may spend; the defaults are those of the documentation. A fuzzer wants less. */
typedef struct hzc_query_limits {
    int perft_depth;    /* largest depth of `perft` */
    uint32_t rollouts;  /* most rollouts of `equity` */
    uint32_t plies;     /* most plies of a rollout */
    uint64_t budget_ms; /* time for `turns`, `tree`, `best`, `equity`; 0 = no limit */
    size_t memory;      /* bytes for the lists of one query */
    bool guarded;       /* queries are of strangers: see hz_registry_guard */
} hzc_query_limits;

hzc_query_limits hzc_query_limits_default(void);

/* Memory and bots kept between lines. One thread at a time. */
typedef struct hzc_session hzc_session;

/* limits: NULL = the defaults. NULL without memory. */
hzc_session *hzc_session_new(const hzc_query_limits *limits);
void hzc_session_free(hzc_session *session);

/* Answers one line (without its end; the bytes may be anything) with exactly one line, which may
 * stay in the buffer of `out`. False when the output failed. */
bool hzc_query_line(hzc_session *session, const char *bytes, size_t length, hzc_out *out);
/* The answer to a line that was too long to keep. */
bool hzc_query_long_line(hzc_session *session, hzc_out *out);

#endif
