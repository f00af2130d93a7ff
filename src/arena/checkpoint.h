/* SPDX-License-Identifier: MIT */
/*
 * Checkpoints of every kind of run: who the run is (named texts), how far its other files had come
 * (named numbers), and a line of JSON for each finished item, in order. The file is written beside
 * itself and then renamed, so that it is always whole.
 *
 * It is written after each item, unless writing has taken more than a tenth of the run so far: a
 * kill then costs the items since, which are done again with the same outcome.
 */
#ifndef HAZARD_ARENA_CHECKPOINT_H
#define HAZARD_ARENA_CHECKPOINT_H

#include <hazard/base.h>

typedef struct hzi_field {
    const char *name, *value;
} hzi_field;

enum { HZI_CHECKPOINT_NUMBERS = 16 };

typedef struct hzi_checkpoint hzi_checkpoint;

/*
 * Without resume the file must not be there; with it a missing file is a new run. The first write
 * happens here. HZ_CHECKPOINT: the file is there, damaged, or of another run (the message names the
 * first field that differs); HZ_IO, HZ_NO_MEMORY. identity is copied.
 */
hz_status hzi_checkpoint_open(const char *path, const hzi_field *identity, size_t fields,
                              bool resume, hzi_checkpoint **checkpoint, hz_error *err);
/* Without writing. Accepts NULL. */
void hzi_checkpoint_free(hzi_checkpoint *checkpoint);

/* Whether the file was there and is continued. */
bool hzi_checkpoint_resumed(const hzi_checkpoint *checkpoint);
/* The items that are in it, each a JSON text without line feed. */
uint64_t hzi_checkpoint_count(const hzi_checkpoint *checkpoint);
/* Called for each, in order, until one fails. */
hz_status hzi_checkpoint_visit(const hzi_checkpoint *checkpoint,
                               hz_status (*visit)(void *context, uint64_t item, const char *line,
                                                  size_t length, hz_error *err),
                               void *context, hz_error *err);

/* A number the run keeps there; `otherwise` when there is none. Names are static texts. */
uint64_t hzi_checkpoint_number(const hzi_checkpoint *checkpoint, const char *name,
                               uint64_t otherwise);
void hzi_checkpoint_set(hzi_checkpoint *checkpoint, const char *name, uint64_t value);

/* Adds an item and writes the file, if it is time. */
hz_status hzi_checkpoint_add(hzi_checkpoint *checkpoint, const char *line, size_t length,
                             hz_error *err);
/* Writes the file when it is behind. */
hz_status hzi_checkpoint_write(hzi_checkpoint *checkpoint, hz_error *err);

#endif
