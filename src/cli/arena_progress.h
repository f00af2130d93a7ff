/* SPDX-License-Identifier: MIT */
/* Progress of a run of games on the standard error: pairs, rate, score so far, the test, time left;
 * a line that is rewritten on a terminal, a line every ten seconds elsewhere. */
#ifndef HAZARD_CLI_ARENA_PROGRESS_H
#define HAZARD_CLI_ARENA_PROGRESS_H

#include <hazard.h>

typedef struct hzc_arena_progress {
    const char *command;
    uint64_t begun_ns, said_ns;
    uint64_t before; /* pairs that were there when it began */
    bool terminal, said, begun;
} hzc_arena_progress;

hzc_arena_progress hzc_arena_progress_begin(const char *command);
/* For hz_match_config.progress; context is the structure. */
void hzc_arena_progress_step(void *progress, const hz_match_view *view);
void hzc_arena_progress_end(hzc_arena_progress *progress);

#endif
