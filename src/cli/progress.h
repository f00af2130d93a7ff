/* SPDX-License-Identifier: MIT */
/*
 * Progress of long work on the standard error: on a terminal a line that is rewritten a few times a
 * second, with rate and time left; elsewhere a line every ten seconds. Short work says nothing.
 */
#ifndef HAZARD_CLI_PROGRESS_H
#define HAZARD_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct hzc_progress {
    const char *command; /* borrowed texts */
    const char *what;    /* "rows", "turns" */
    uint64_t total;      /* 0 = not known */
    uint64_t begun_ns, said_ns;
    bool terminal, said;
} hzc_progress;

hzc_progress hzc_progress_begin(const char *command, const char *what, uint64_t total);
/* `done` pieces of work are done. Cheap enough for every piece that takes a microsecond. */
void hzc_progress_step(hzc_progress *progress, uint64_t done);
/* Clears the line of a terminal. */
void hzc_progress_end(hzc_progress *progress);

#endif
