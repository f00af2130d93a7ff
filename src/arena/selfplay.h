/* SPDX-License-Identifier: MIT */
/*
 * Self-play: games of a bot against itself, or of a pool of bots against each other, as food for
 * training and as positions for probes. Game number g is a pure function of the settings and g, so
 * that the output is the same for any number of threads and however often the run was stopped and
 * resumed: the file itself says how far it came.
 *
 *   dice of game g        hz_roll_at(seed + g, ply)
 *   colours               pair number g mod n^2 of the n players: White is that / n, Black that mod n
 *   start                 the opening number g modulo their count
 *   streams of players    as in a match, with seed + g
 */
#ifndef HAZARD_ARENA_SELFPLAY_H
#define HAZARD_ARENA_SELFPLAY_H

#include "arena/explorer.h"
#include "arena/rows.h"

typedef enum hzi_selfplay_format {
    HZI_SELFPLAY_RECORD, /* game records */
    HZI_SELFPLAY_ROWS    /* see rows.h */
} hzi_selfplay_format;

/* What was made, the games of a resumed file among it. */
typedef struct hzi_selfplay_counts {
    uint64_t games, resumed;
    uint64_t rows;
    /* Of the games of this run: */
    uint64_t plies, forced_passes;
    uint64_t white, black, draws; /* wins, and games without a winner */
    uint64_t fifty, length;       /* of the draws */
    uint64_t openings, drawn;     /* turns played at random, turns drawn by temperature */
    unsigned ranks_lost;
} hzi_selfplay_counts;

enum {
    HZI_SELFPLAY_PLAYERS_MAX = 64,
    HZI_SELFPLAY_PLIES_MAX = 60000,
    HZI_SELFPLAY_BLOCK = 16 /* games of a block of rows */
};

typedef struct hzi_selfplay_config {
    size_t player_count; /* 1..HZI_SELFPLAY_PLAYERS_MAX */
    const char *const *players;
    hz_registry *registry;       /* with every bot they name */
    hzi_exploration how;         /* temperature >= 0 and finite */
    uint64_t seed, games;        /* games < 2^32 */
    uint64_t max_plies;          /* 1..HZI_SELFPLAY_PLIES_MAX */
    const hz_openings *openings; /* NULL = the initial position */
    const char *openings_name;   /* of their text, for the settings; NULL = "start" */
    unsigned threads;            /* 1..HZ_THREADS_MAX */
    hz_ranks *ranks;             /* NULL = none; rank 0 writes */
    hzi_selfplay_format format;
    const char *path;    /* the file to make; NULL = everything goes to `sink` */
    bool resume;         /* go on with a file that is there */
    hz_record_sink sink; /* without a path */
    void *sink_context;
    const hz_cancel *cancel; /* may be NULL */
    /* After each finished game or block, in order, from the calling thread. May be NULL. */
    void (*progress)(void *context, const hzi_selfplay_counts *counts);
    void *progress_context;
} hzi_selfplay_config;

/*
 * A run in two steps, so that ranks can agree whether all of them can begin. open checks everything,
 * makes the players once and (rank 0) finds where the file ends; play plays, once.
 *
 * What is finished is written in the order of the games, whole games only; *counts is filled in any
 * case. HZ_CANCELLED: stopped, the file can be resumed. HZ_CONFLICT: the file is there and resume is
 * off. HZ_CHECKPOINT: it holds games of another run, or is damaged; the message says where and which
 * setting. HZ_IO: writing failed; the file ends with the last whole game that fitted. HZ_PLAYER, and
 * what a bot fails with: the message says in which game. HZ_INVALID_ARGUMENT names the setting;
 * HZ_NO_MEMORY; what opening the players says.
 */
typedef struct hzi_selfplay hzi_selfplay;
hz_status hzi_selfplay_open(const hzi_selfplay_config *config, hzi_selfplay **selfplay,
                            hz_error *err);
hz_status hzi_selfplay_play(hzi_selfplay *selfplay, hzi_selfplay_counts *counts, hz_error *err);
/* Accepts NULL. */
void hzi_selfplay_close(hzi_selfplay *selfplay);
/* All of it. */
hz_status hzi_selfplay_run(const hzi_selfplay_config *config, hzi_selfplay_counts *counts,
                           hz_error *err);

/* ---- inner: what the files of self-play share ---- */

/* The settings of a run as texts; two runs with equal ones make equal games. */
typedef struct hzi_selfplay_settings {
    size_t count;
    hzi_rows_setting *at;
    char *record;      /* those that are no player's, in one line, for game records */
    char *texts;       /* what `at` points into */
    uint64_t identity; /* a digest of `record` */
} hzi_selfplay_settings;
hz_status hzi_selfplay_settings_make(const hzi_selfplay_config *config,
                                     hzi_selfplay_settings *settings, hz_error *err);
void hzi_selfplay_settings_free(hzi_selfplay_settings *settings);
/* Numbers of the players of a game, by colour. */
void hzi_selfplay_sides(const hzi_selfplay_config *config, uint64_t game, size_t players[2]);

/* What a worker needs to play. */
typedef struct hzi_selfplay_worker {
    const hzi_selfplay_config *config;
    const hzi_selfplay_settings *settings;
    const hz_cancel *drop; /* nobody needs the games any more; may be NULL */
    hz_match_player *players;
    size_t opened;
    hz_referee *referee;
    hzi_notes notes;
    hzi_row *rows;
    hz_record_turn *turns;
    size_t row_capacity, turn_capacity;
    hzi_text comments;
} hzi_selfplay_worker;
hz_status hzi_selfplay_worker_open(hzi_selfplay_worker *worker, hz_error *err);
void hzi_selfplay_worker_close(hzi_selfplay_worker *worker);
/* Plays games first .. first + count - 1 and appends their record or their block. */
hz_status hzi_selfplay_games(hzi_selfplay_worker *worker, uint64_t first, uint32_t count,
                             hzi_text *out, hzi_selfplay_counts *counts, hz_error *err);

/* Where the games go. */
typedef struct hzi_selfplay_file {
    const hzi_selfplay_config *config;
    int fd;          /* -1 = the sink */
    uint64_t length; /* bytes that are whole */
    uint64_t synced_ns;
    uint64_t games, rows; /* that stand in it */
    bool finished;        /* nothing is left to do */
} hzi_selfplay_file;
/* Makes the file, or looks through it and cuts off what is not whole. */
hz_status hzi_selfplay_file_open(hzi_selfplay_file *file, const hzi_selfplay_config *config,
                                 const hzi_selfplay_settings *settings, hz_error *err);
hz_status hzi_selfplay_file_write(hzi_selfplay_file *file, const char *bytes, size_t length,
                                  const hzi_selfplay_counts *counts, hz_error *err);
/* Writes what ends a complete file. */
hz_status hzi_selfplay_file_end(hzi_selfplay_file *file, hz_error *err);
/* Makes sure that it is stored, and closes it. HZ_IO. Accepts one that was never opened (fd -1). */
hz_status hzi_selfplay_file_close(hzi_selfplay_file *file, hz_error *err);

#endif
