/* SPDX-License-Identifier: MIT */
/* What the files of the store share: the database and short ways to its statements. */
#ifndef HAZARD_LEAGUE_STORE_H
#define HAZARD_LEAGUE_STORE_H

#include <hazard/league.h>

#include <sqlite3.h>

struct hz_league_store {
    sqlite3 *db;
    hz_arena texts; /* of the latest answer */
};

/* HZ_IO with what SQLite says. */
hz_status hzi_store_fail(const hz_league_store *store, hz_error *err, const char *what);
/* Runs statements without results. */
hz_status hzi_store_run(hz_league_store *store, const char *sql, hz_error *err);
/*
 * Prepares a statement and binds its parameters by a format: 'i' an int64_t, 't' a text (NULL =
 * null). NULL after a failure. Finalize with sqlite3_finalize.
 */
sqlite3_stmt *hzi_store_prepare(hz_league_store *store, hz_error *err, const char *sql,
                                const char *format, ...);
/* Prepares, binds, runs to its end. */
#define hzi_store_do(store, err, ...)                                                              \
    hzi_store_finish(store, err, hzi_store_prepare(store, err, __VA_ARGS__))
hz_status hzi_store_finish(hz_league_store *store, hz_error *err, sqlite3_stmt *statement);
/* The next row: HZ_OK, HZ_NOT_FOUND at the end, HZ_IO. */
hz_status hzi_store_step(hz_league_store *store, hz_error *err, sqlite3_stmt *statement);
/* The number in the first row of a statement, which is finalized and may be NULL: HZ_OK,
 * HZ_NOT_FOUND without a row, HZ_IO. */
hz_status hzi_store_number(hz_league_store *store, hz_error *err, sqlite3_stmt *statement,
                           int64_t *number);

hz_status hzi_store_begin(hz_league_store *store, hz_error *err);
/* Commits when status is HZ_OK, else rolls back; returns the status of the whole. */
hz_status hzi_store_end(hz_league_store *store, hz_status status, hz_error *err);

#endif
