/* SPDX-License-Identifier: MIT */
/* What the tests of self-play share: small runs into memory or a file, and rows out of bytes. */
#ifndef HAZARD_TEST_ARENA_SELFPLAYING_H
#define HAZARD_TEST_ARENA_SELFPLAYING_H

#include "arena/selfplay.h"

#include "support/positions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline bool keep_bytes(void *context, const char *bytes, size_t length) {
    hzi_text *text = context;
    hzi_text_add(text, bytes, length);
    return !text->failed;
}

/* ---- a run ---- */

typedef struct playing {
    hzi_selfplay_config config;
    const char *players[4];
    hz_registry *registry;
    hzi_text out; /* without a path */
    hzi_selfplay_counts counts;
    hz_error err;
    char path[512];
} playing;

/* Games of one bot: few, in memory, as records. */
static inline void playing_begin(playing *p, const char *bot) {
    *p = (playing){0};
    p->registry = hz_registry_new();
    assert_non_null(p->registry);
    assert_int_equal(hz_registry_register_kinds(p->registry, NULL), HZ_OK);
    p->players[0] = bot;
    p->config = (hzi_selfplay_config){.player_count = 1,
                                      .players = p->players,
                                      .registry = p->registry,
                                      .how = {.temperature_plies = UINT64_MAX},
                                      .seed = 7,
                                      .games = 5,
                                      .max_plies = 1000,
                                      .threads = 1,
                                      .sink = keep_bytes,
                                      .sink_context = &p->out};
}

static inline void playing_to_file(playing *p) {
    const char *folder = getenv("TMPDIR");
    (void)snprintf(p->path, sizeof p->path, "%s/hazard-selfplay-XXXXXX", folder ? folder : ".");
    int fd = mkstemp(p->path);
    assert_true(fd >= 0);
    assert_int_equal(close(fd), 0);
    assert_int_equal(unlink(p->path), 0);
    p->config.path = p->path;
}

static inline hz_status playing_run(playing *p) {
    hzi_text_clear(&p->out);
    return hzi_selfplay_run(&p->config, &p->counts, &p->err);
}

static inline void playing_must_run(playing *p) {
    if (playing_run(p) != HZ_OK) {
        fail_msg("%s: %s", hz_status_name(p->err.code), p->err.message);
    }
}

static inline void playing_end(playing *p) {
    if (p->path[0]) {
        (void)unlink(p->path);
    }
    hzi_text_fini(&p->out);
    hz_registry_free(p->registry);
}

/* ---- files ---- */

static inline hzi_text file_bytes(const char *path) {
    hzi_text text = {0};
    char piece[4096];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    for (size_t got; (got = fread(piece, 1, sizeof piece, file)) > 0;) {
        hzi_text_add(&text, piece, got);
    }
    assert_int_equal(fclose(file), 0);
    assert_false(text.failed);
    return text;
}

static inline void file_write(const char *path, const char *bytes, size_t length) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

/* ---- rows out of bytes ---- */

typedef struct dripping {
    const char *at;
    size_t left, piece; /* bytes given at a time */
} dripping;

static inline ptrdiff_t drip(void *context, char *buffer, size_t capacity) {
    dripping *d = context;
    size_t n = d->left < capacity ? d->left : capacity;
    n = d->piece && d->piece < n ? d->piece : n;
    if (n) {
        memcpy(buffer, d->at, n);
    }
    d->at += n;
    d->left -= n;
    return (ptrdiff_t)n;
}

#endif
