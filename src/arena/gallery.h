/* SPDX-License-Identifier: MIT */
/*
 * The games a report page shows: the first ones of every pairing (all of them, where there are up to 50
 * pairings), and the first game of each further reason for an end. Which games these are follows from the pairs in their order alone, so that it is
 * the same for any number of workers; and they are few, so that the page stays small.
 */
#ifndef HAZARD_ARENA_GALLERY_H
#define HAZARD_ARENA_GALLERY_H

#include "arena/text.h"

#include <hazard/arena.h>

typedef struct hzi_gallery {
    char **lines; /* owned: games as lines of a log, without line feed */
    size_t count, capacity;
    uint32_t seen; /* ends that are among them */
} hzi_gallery;

/* Whether a game of the pair with this number may be shown: its worker then writes its line. */
bool hzi_gallery_wants(const hz_match_config *config, size_t pairings, uint64_t number,
                       hz_match_end end);
/* Keeps what is to be shown of a pair that was played; the pair's log holds the lines of both games, or
 * with `sparse` only of those that are wanted. HZ_NO_MEMORY. */
hz_status hzi_gallery_take(hzi_gallery *gallery, const hz_match_config *config, size_t pairings,
                           const hz_match_pair *pair, bool sparse, hz_error *err);
/* Keeps the games of a finished pair as it stands in a checkpoint. HZ_CHECKPOINT, HZ_NO_MEMORY. */
hz_status hzi_gallery_restore(hzi_gallery *gallery, const char *line, size_t length,
                              const hz_match_pair *pair, hz_error *err);
/* Makes the lines from number `first` on a member of a finished pair's JSON object. */
void hzi_gallery_put(const hzi_gallery *gallery, size_t first, hzi_text *json);
void hzi_gallery_free(hzi_gallery *gallery);

#endif
