/* SPDX-License-Identifier: MIT */
/*
 * The archive of games in SQLite. Three tables: runs with what they are and their reports, pairs as
 * the lines that checkpoints have as well, games with their text. Written through a log that is
 * flushed by the system: a killed program loses nothing that was committed.
 */
#include "arena/archive.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

struct hzi_archive {
    sqlite3 *db;
    sqlite3_stmt *pair, *game;
    sqlite3_int64 run;
    char *path;
};

static const char schema[] =
    "CREATE TABLE IF NOT EXISTS run (id INTEGER PRIMARY KEY, created TEXT NOT NULL DEFAULT "
    "CURRENT_TIMESTAMP, identity TEXT NOT NULL, report TEXT);"
    "CREATE TABLE IF NOT EXISTS pair (run INTEGER NOT NULL REFERENCES run (id), item INTEGER NOT "
    "NULL, pairing INTEGER NOT NULL, number INTEGER NOT NULL, data TEXT NOT NULL, record TEXT, "
    "PRIMARY KEY (run, item)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS game (run INTEGER NOT NULL, item INTEGER NOT NULL, game INTEGER "
    "NOT NULL, white TEXT NOT NULL, black TEXT NOT NULL, result TEXT NOT NULL, reason TEXT NOT "
    "NULL, plies INTEGER NOT NULL, PRIMARY KEY (run, item, game)) WITHOUT ROWID;"
    "PRAGMA user_version = 1;";

static hz_status fail(const hzi_archive *a, hz_error *err, const char *what) {
    int code = sqlite3_errcode(a->db) & 0xFF;
    hz_status status = HZ_ARCHIVE;
    if (code == SQLITE_FULL || code == SQLITE_IOERR || code == SQLITE_CANTOPEN ||
        code == SQLITE_READONLY || code == SQLITE_BUSY || code == SQLITE_LOCKED) {
        status = HZ_IO;
    } else if (code == SQLITE_NOMEM) {
        status = HZ_NO_MEMORY;
    }
    return hz_fail(err, status, HZ_NO_OFFSET, "%s: %s: %s", a->path, what, sqlite3_errmsg(a->db));
}

static hz_status run_sql(const hzi_archive *a, const char *sql, const char *what, hz_error *err) {
    return sqlite3_exec(a->db, sql, NULL, NULL, NULL) == SQLITE_OK ? HZ_OK : fail(a, err, what);
}

static bool prepare(const hzi_archive *a, const char *sql, sqlite3_stmt **statement) {
    return sqlite3_prepare_v2(a->db, sql, -1, statement, NULL) == SQLITE_OK;
}

/* Runs a statement of one row or none with the run's number bound first; *found: a row came. */
static hz_status step_once(const hzi_archive *a, const char *sql, const char *text,
                           sqlite3_int64 number, bool *found, hz_error *err) {
    sqlite3_stmt *statement = NULL;
    bool good =
        prepare(a, sql, &statement) && sqlite3_bind_int64(statement, 1, a->run) == SQLITE_OK;
    if (good && sqlite3_bind_parameter_count(statement) > 1) {
        good = (text ? sqlite3_bind_text(statement, 2, text, -1, SQLITE_TRANSIENT)
                     : sqlite3_bind_int64(statement, 2, number)) == SQLITE_OK;
    }
    int code = good ? sqlite3_step(statement) : SQLITE_ERROR;
    *found = code == SQLITE_ROW;
    hz_status status =
        code == SQLITE_ROW || code == SQLITE_DONE ? HZ_OK : fail(a, err, "cannot be used");
    (void)sqlite3_finalize(statement);
    return status;
}

static hz_status begin_run(hzi_archive *a, const char *identity, hz_error *err) {
    sqlite3_stmt *statement = NULL;
    bool good = prepare(a, "INSERT INTO run (identity) VALUES (?)", &statement) &&
                sqlite3_bind_text(statement, 1, identity, -1, SQLITE_TRANSIENT) == SQLITE_OK &&
                sqlite3_step(statement) == SQLITE_DONE;
    hz_status status = good ? HZ_OK : fail(a, err, "cannot be written");
    (void)sqlite3_finalize(statement);
    a->run = sqlite3_last_insert_rowid(a->db);
    return status;
}

static hz_status continue_run(hzi_archive *a, uint64_t kept, hz_error *err) {
    bool found = false;
    hz_status status = step_once(a, "SELECT 1 FROM run WHERE id = ?", NULL, 0, &found, err);
    if (status == HZ_OK && !found) {
        return hz_fail(err, HZ_CHECKPOINT, HZ_NO_OFFSET,
                       "%s does not have the run %lld of the checkpoint", a->path,
                       (long long)a->run);
    }
    if (status == HZ_OK) {
        status = step_once(a, "DELETE FROM pair WHERE run = ? AND item >= ?", NULL,
                           (sqlite3_int64)kept, &found, err);
    }
    if (status == HZ_OK) {
        status = step_once(a, "DELETE FROM game WHERE run = ? AND item >= ?", NULL,
                           (sqlite3_int64)kept, &found, err);
    }
    return status;
}

hz_status hzi_archive_open(const char *path, const char *identity, uint64_t *run, uint64_t kept,
                           hzi_archive **archive, hz_error *err) {
    hzi_archive *a = calloc(1, sizeof *a);
    size_t length = strlen(path) + 1;
    *archive = NULL;
    if (!a || !(a->path = malloc(length))) {
        free(a);
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for the archive");
    }
    memcpy(a->path, path, length);
    hz_status status = HZ_OK;
    if (sqlite3_open_v2(path, &a->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) !=
        SQLITE_OK) {
        status = fail(a, err, "cannot be opened");
    }
    if (status == HZ_OK) {
        (void)sqlite3_busy_timeout(a->db, 10000);
        status = run_sql(a, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;",
                         "cannot be used", err);
    }
    if (status == HZ_OK) {
        status = run_sql(a, schema, "cannot be used", err);
    }
    if (status == HZ_OK) {
        a->run = (sqlite3_int64)*run;
        status = *run ? continue_run(a, kept, err) : begin_run(a, identity, err);
    }
    if (status == HZ_OK &&
        (!prepare(a, "INSERT INTO pair VALUES (?, ?, ?, ?, ?, ?)", &a->pair) ||
         !prepare(a, "INSERT INTO game VALUES (?, ?, ?, ?, ?, ?, ?, ?)", &a->game))) {
        status = fail(a, err, "is no archive of games");
    }
    if (status != HZ_OK) {
        hzi_archive_close(a);
        return status;
    }
    *run = (uint64_t)a->run;
    *archive = a;
    return HZ_OK;
}

static bool bind_text(sqlite3_stmt *statement, int place, const char *text, size_t length) {
    return (text ? sqlite3_bind_text(statement, place, text, (int)length, SQLITE_TRANSIENT)
                 : sqlite3_bind_null(statement, place)) == SQLITE_OK;
}

static bool add_pair(hzi_archive *a, uint64_t item, const hz_match_pair *pair, const char *line) {
    sqlite3_stmt *s = a->pair;
    bool good = sqlite3_bind_int64(s, 1, a->run) == SQLITE_OK &&
                sqlite3_bind_int64(s, 2, (sqlite3_int64)item) == SQLITE_OK &&
                sqlite3_bind_int64(s, 3, (sqlite3_int64)pair->pairing) == SQLITE_OK &&
                sqlite3_bind_int64(s, 4, (sqlite3_int64)pair->number) == SQLITE_OK &&
                bind_text(s, 5, line, strlen(line)) &&
                bind_text(s, 6, pair->record, pair->record_length) &&
                sqlite3_step(s) == SQLITE_DONE;
    (void)sqlite3_reset(s);
    return good;
}

static bool add_game(hzi_archive *a, uint64_t item, int number, const hz_match_game_summary *game,
                     const char *const names[2]) {
    char end[HZ_MATCH_END_CAPACITY];
    const char *result = hz_game_outcome_text(game->outcome);
    const char *white = names[game->a_color == HZ_WHITE ? 0 : 1];
    const char *black = names[game->a_color == HZ_WHITE ? 1 : 0];
    sqlite3_stmt *s = a->game;
    (void)hz_match_end_text(game->end, game->http_status, end);
    bool good = sqlite3_bind_int64(s, 1, a->run) == SQLITE_OK &&
                sqlite3_bind_int64(s, 2, (sqlite3_int64)item) == SQLITE_OK &&
                sqlite3_bind_int(s, 3, number) == SQLITE_OK &&
                bind_text(s, 4, white, strlen(white)) && bind_text(s, 5, black, strlen(black)) &&
                bind_text(s, 6, result, strlen(result)) && bind_text(s, 7, end, strlen(end)) &&
                sqlite3_bind_int64(s, 8, (sqlite3_int64)game->plies) == SQLITE_OK &&
                sqlite3_step(s) == SQLITE_DONE;
    (void)sqlite3_reset(s);
    return good;
}

hz_status hzi_archive_add(hzi_archive *archive, uint64_t item, const hz_match_pair *pair,
                          const char *line, const char *const names[2], hz_error *err) {
    hz_status status = run_sql(archive, "BEGIN", "cannot be written", err);
    if (status == HZ_OK && (!add_pair(archive, item, pair, line) ||
                            !add_game(archive, item, 0, &pair->games[0], names) ||
                            !add_game(archive, item, 1, &pair->games[1], names))) {
        status = fail(archive, err, "cannot be written");
    }
    if (status == HZ_OK) {
        status = run_sql(archive, "COMMIT", "cannot be written", err);
    }
    if (status != HZ_OK) {
        (void)sqlite3_exec(archive->db, "ROLLBACK", NULL, NULL, NULL);
    }
    return status;
}

hz_status hzi_archive_report(hzi_archive *archive, const char *report, hz_error *err) {
    bool found;
    return step_once(archive, "UPDATE run SET report = ?2 WHERE id = ?1", report, 0, &found, err);
}

void hzi_archive_close(hzi_archive *archive) {
    if (archive) {
        (void)sqlite3_finalize(archive->pair);
        (void)sqlite3_finalize(archive->game);
        (void)sqlite3_close(archive->db);
        free(archive->path);
        free(archive);
    }
}
