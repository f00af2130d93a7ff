/* SPDX-License-Identifier: MIT */
/*
 * Conformance of a bot server: a black-box client that asks everything the bot protocol promises,
 * also with requests that no decent client would send, and says what is kept and what is not.
 */
#ifndef HAZARD_ARENA_CONFORM_H
#define HAZARD_ARENA_CONFORM_H

#include <hazard/arena.h>

typedef enum hzi_verdict { HZI_CHECK_PASSED, HZI_CHECK_FAILED, HZI_CHECK_SKIPPED } hzi_verdict;
/* "pass", "fail", "skip". Static. */
const char *hzi_verdict_text(hzi_verdict verdict);

typedef struct hzi_check {
    int number;       /* of the promise, as in docs/bot-protocol.md; several checks share one */
    const char *name; /* static */
    hzi_verdict verdict;
    char reason[240]; /* "" when passed */
} hzi_check;

typedef struct hzi_conform_options {
    const char *url;
    const char *key;
    const char *ca_file;     /* certificates to trust for https; NULL = the system's */
    const char *next_key;    /* NULL = not known: what needs it is skipped */
    unsigned max_concurrent; /* of the server; 0 = not known */
    unsigned clock_margin_s; /* how far two clocks may differ, 0..100 */
    int64_t timeout_ms;      /* of one answer */
    const hz_cancel *cancel; /* may be NULL; looked at between checks */
    bool
        list; /* ask nothing: every check is visited as skipped, without a reason; no url, no key */
    /* After each check; false stops. */
    bool (*visit)(void *context, const hzi_check *check);
    void *context;
} hzi_conform_options;

typedef struct hzi_conform_counts {
    unsigned passed, failed, skipped;
} hzi_conform_counts;

/*
 * Runs all checks. A failed check is no failure. HZ_INVALID_ARGUMENT: the address; HZ_IO: nobody
 * answers there at all; HZ_CANCELLED; HZ_INCOMPLETE: the visitor stopped; HZ_NO_MEMORY.
 */
hz_status hzi_conform_run(const hzi_conform_options *options, hzi_conform_counts *counts,
                          hz_error *err);

#endif
