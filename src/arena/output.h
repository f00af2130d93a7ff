/* SPDX-License-Identifier: MIT */
/* Files a run adds to as it goes: what was written is with the system, not in a buffer of ours, and
 * counted, so that a resumed run can cut what a killed one wrote after its last checkpoint. */
#ifndef HAZARD_ARENA_OUTPUT_H
#define HAZARD_ARENA_OUTPUT_H

#include "arena/text.h"

bool hzi_write_all(int fd, const char *bytes, size_t length);
/* A whole file; *found false when there is none. HZ_IO, HZ_NO_MEMORY. */
hz_status hzi_read_all(const char *path, hzi_text *text, bool *found, hz_error *err);

typedef struct hzi_output {
    const char *path; /* borrowed */
    int fd;           /* -1 = closed */
    uint64_t length;
} hzi_output;

/* resume: the file is cut to `length` bytes and must have had them; else it must be new or empty.
 * HZ_IO, HZ_CHECKPOINT. */
hz_status hzi_output_open(hzi_output *output, const char *path, bool resume, uint64_t length,
                          hz_error *err);
hz_status hzi_output_add(hzi_output *output, const char *bytes, size_t length, hz_error *err);
hz_status hzi_output_close(hzi_output *output, hz_error *err);

#endif
