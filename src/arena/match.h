/* SPDX-License-Identifier: MIT */
/*
 * The parts of a run (match.c): its players (match_players.c), what workers share and do
 * (match_worker.c), and where finished pairs go (match_store.c). None of them calls match.c.
 */
#ifndef HAZARD_ARENA_MATCH_H
#define HAZARD_ARENA_MATCH_H

#include "arena/archive.h"
#include "arena/checkpoint.h"
#include "arena/crew.h"
#include "arena/gallery.h"
#include "arena/output.h"
#include "arena/pair.h"

#include <pthread.h>

/* Where finished pairs go. */
typedef struct hzi_store {
    hzi_checkpoint *checkpoint; /* NULL = none; so are the others */
    hzi_archive *archive;
    hzi_output log, record; /* fd -1 = none */
    hzi_text line;          /* the pair as JSON */
} hzi_store;

/* What a player of the run has besides what views show. */
typedef struct hzi_seat {
    char *name;
    hz_book *book;         /* NULL = none */
    hz_match_player spare; /* opened to see that it can be; the first worker takes it */
} hzi_seat;

struct hz_match_run {
    const hz_match_config *config;
    hz_registry *registry; /* owned; NULL with that of the config */
    hz_match_player_info *infos;
    hzi_seat *seats;
    hz_match_pairing *pairings;
    hz_match_view view;
    hzi_store store;
    hzi_gallery gallery;
    char luck_files[65]; /* digest of what the judge of luck was read from */
    uint64_t identity;   /* a digest of what all ranks must agree on */
    uint64_t next;       /* first item to play */
    uint64_t begun_ns, earlier_ms;
    bool played;
    pthread_mutex_t lock; /* of the spare players */
    bool has_lock;
};

/* Pair number `number` of pairing `pairing` is item number * pairings + pairing. */
static inline uint64_t hzi_match_item(const hz_match_run *run, size_t pairing, uint64_t number) {
    return number * run->view.pairing_count + pairing;
}

/* All of them, before the first game: checked, started, named, with the digests of their files. */
hz_status hzi_match_open_players(hz_match_run *run, hz_error *err);
/* The failure of a player's start as one of the run: HZ_CANCELLED, HZ_NO_MEMORY, HZ_PLAYER. */
hz_status hzi_match_not_started(hz_status status, const char *name, const hz_error *why,
                                hz_error *err);
/* Opens a player and its book. */
hz_status hzi_match_open_player(hz_match_run *run, size_t index, hz_match_player *player,
                                hz_error *err);
/* open, work and close of the crew; context is the run. */
hz_status hzi_match_worker_open(void *context, const hz_cancel *drop, void **state, hz_error *err);
hz_status hzi_match_worker_play(void *context, void *state, uint64_t item, hzi_text *result,
                                hz_error *err);
void hzi_match_worker_close(void *context, void *state);

/*
 * Opens what the config names. Pairs of a checkpoint go to `take`, in order. identity as in
 * checkpoint.h.
 */
hz_status hzi_store_open(hz_match_run *run, const hzi_field *identity, size_t fields,
                         hz_status (*take)(hz_match_run *run, uint64_t item,
                                           const hz_match_pair *pair, hz_error *err),
                         hz_error *err);
/* shown: the number of the first game to show that came with this pair. */
hz_status hzi_store_add(hz_match_run *run, uint64_t item, const hz_match_pair *pair, size_t shown,
                        hz_error *err);
/* The end of the run, whatever came of it: what is behind is written. */
hz_status hzi_match_store_finish(hz_match_run *run, hz_error *err);
void hzi_store_close(hzi_store *store);

#endif
