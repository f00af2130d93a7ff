/* SPDX-License-Identifier: MIT */
/* An SQLite file of runs and their games. A finished pair is one transaction. */
#ifndef HAZARD_ARENA_ARCHIVE_H
#define HAZARD_ARENA_ARCHIVE_H

#include <hazard/arena.h>

typedef struct hzi_archive hzi_archive;

/*
 * Opens or makes the file. run 0 begins a new run, whose number *run becomes; another one is
 * continued after its first `kept` pairs, what it has beyond them goes. identity: JSON of what the
 * run is. HZ_ARCHIVE, HZ_IO (no space, no access), HZ_CHECKPOINT (no such run there).
 */
hz_status hzi_archive_open(const char *path, const char *identity, uint64_t *run, uint64_t kept,
                           hzi_archive **archive, hz_error *err);
/* item: the number of the pair in the run; line: the pair as JSON. */
hz_status hzi_archive_add(hzi_archive *archive, uint64_t item, const hz_match_pair *pair,
                          const char *line, const char *const names[2], hz_error *err);
/* The report of the finished run. */
hz_status hzi_archive_report(hzi_archive *archive, const char *report, hz_error *err);
/* Accepts NULL. */
void hzi_archive_close(hzi_archive *archive);

#endif
