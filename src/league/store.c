/* SPDX-License-Identifier: MIT */
/*
 * The league's SQLite file: opening it, its tables, and how they came about step by step. The number
 * of steps done is in user_version, a mark of our own in application_id, so that a foreign or
 * damaged file is refused before anything is written.
 */
#include "league/store.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* "HZLG" */
#define APPLICATION_ID "1213877319"
enum { APPLICATION = 1213877319, BUSY_MS = 20000 };

/* Each step brings a file from the version before to the next. Steps are never changed. */
static const char *const STEPS[] = {
    "CREATE TABLE files(digest TEXT PRIMARY KEY, bytes BLOB NOT NULL);"
    "CREATE TABLE submissions("
    " id INTEGER PRIMARY KEY AUTOINCREMENT,"
    " author TEXT NOT NULL, strategy TEXT NOT NULL, time INTEGER NOT NULL,"
    " digest TEXT NOT NULL, size INTEGER NOT NULL, reference INTEGER NOT NULL,"
    " status TEXT NOT NULL, code INTEGER NOT NULL DEFAULT 0, message TEXT NOT NULL DEFAULT '',"
    " executor TEXT NOT NULL DEFAULT '',"
    " parameters INTEGER NOT NULL DEFAULT 0, common INTEGER NOT NULL DEFAULT 0,"
    " bits INTEGER NOT NULL DEFAULT 0,"
    " level INTEGER NOT NULL DEFAULT 0, fitted INTEGER NOT NULL DEFAULT 0,"
    " accepted INTEGER, alive INTEGER NOT NULL DEFAULT 0, finished INTEGER NOT NULL DEFAULT 0);"
    "CREATE TABLE runs("
    " submission INTEGER NOT NULL REFERENCES submissions(id), second INTEGER NOT NULL,"
    " level INTEGER NOT NULL, played INTEGER NOT NULL, wins INTEGER NOT NULL,"
    " draws INTEGER NOT NULL, losses INTEGER NOT NULL,"
    " PRIMARY KEY(submission, second, level)) WITHOUT ROWID;"
    "CREATE TABLE games("
    " submission INTEGER NOT NULL REFERENCES submissions(id), second INTEGER NOT NULL,"
    " level INTEGER NOT NULL, number INTEGER NOT NULL,"
    " eco TEXT NOT NULL, opening TEXT NOT NULL, opening_moves TEXT NOT NULL,"
    " color INTEGER NOT NULL, points2 INTEGER NOT NULL, reason TEXT NOT NULL,"
    " plies INTEGER NOT NULL, evaluator_ns INTEGER NOT NULL, judgements INTEGER NOT NULL,"
    " moves TEXT NOT NULL,"
    " PRIMARY KEY(submission, second, level, number)) WITHOUT ROWID;",

    "ALTER TABLE submissions ADD COLUMN executor_version TEXT NOT NULL DEFAULT '';"
    "CREATE INDEX submissions_digest ON submissions(digest);"
    "CREATE INDEX submissions_author ON submissions(author, time);",
};
enum { VERSION = sizeof STEPS / sizeof STEPS[0] };

/* ---- statements -------------------------------------------------------------------------------- */

hz_status hzi_store_fail(const hz_league_store *store, hz_error *err, const char *what) {
    return hz_fail(err, HZ_IO, HZ_NO_OFFSET, "%.200s: %.400s", what,
                   store->db ? sqlite3_errmsg(store->db) : "out of memory");
}

hz_status hzi_store_run(hz_league_store *store, const char *sql, hz_error *err) {
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK
               ? HZ_OK
               : hzi_store_fail(store, err, "the store");
}

sqlite3_stmt *hzi_store_prepare(hz_league_store *store, hz_error *err, const char *sql,
                                const char *format, ...) {
    sqlite3_stmt *statement = NULL;
    va_list args;
    if (sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) != SQLITE_OK) {
        (void)hzi_store_fail(store, err, "the store");
        return NULL;
    }
    va_start(args, format);
    for (int i = 0; format[i]; i++) {
        if (format[i] == 'i') {
            (void)sqlite3_bind_int64(statement, i + 1, va_arg(args, int64_t));
        } else {
            (void)sqlite3_bind_text(statement, i + 1, va_arg(args, const char *), -1,
                                    SQLITE_TRANSIENT);
        }
    }
    va_end(args);
    return statement;
}

hz_status hzi_store_step(hz_league_store *store, hz_error *err, sqlite3_stmt *statement) {
    int code = sqlite3_step(statement);
    if (code == SQLITE_ROW) {
        return HZ_OK;
    }
    return code == SQLITE_DONE ? hz_fail(err, HZ_NOT_FOUND, HZ_NO_OFFSET, "nothing is there")
                               : hzi_store_fail(store, err, "the store");
}

hz_status hzi_store_finish(hz_league_store *store, hz_error *err, sqlite3_stmt *statement) {
    if (!statement) {
        return HZ_IO;
    }
    hz_status status = HZ_OK;
    while (status == HZ_OK) {
        status = hzi_store_step(store, err, statement);
    }
    (void)sqlite3_finalize(statement);
    if (status == HZ_NOT_FOUND) {
        hz_error_clear(err);
        return HZ_OK;
    }
    return status;
}

hz_status hzi_store_number(hz_league_store *store, hz_error *err, sqlite3_stmt *statement,
                           int64_t *number) {
    if (!statement) {
        return HZ_IO;
    }
    hz_status status = hzi_store_step(store, err, statement);
    if (status == HZ_OK) {
        *number = sqlite3_column_int64(statement, 0);
    }
    (void)sqlite3_finalize(statement);
    return status;
}

hz_status hzi_store_begin(hz_league_store *store, hz_error *err) {
    return hzi_store_run(store, "BEGIN IMMEDIATE", err);
}

hz_status hzi_store_end(hz_league_store *store, hz_status status, hz_error *err) {
    if (status == HZ_OK) {
        status = hzi_store_run(store, "COMMIT", err);
    }
    if (status != HZ_OK) {
        (void)sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    }
    return status;
}

/* ---- opening ------------------------------------------------------------------------------------- */

static hz_status number_of(hz_league_store *store, const char *sql, int64_t *number,
                           hz_error *err) {
    hz_status status = hzi_store_number(store, err, hzi_store_prepare(store, err, sql, ""), number);
    return status == HZ_NOT_FOUND ? HZ_IO : status;
}

/* Reads the whole file: a page that was damaged is found now and not in the middle of a run. */
static hz_status check_soundness(hz_league_store *store, hz_error *err) {
    sqlite3_stmt *statement = hzi_store_prepare(store, err, "PRAGMA quick_check(1)", "");
    if (!statement) {
        return HZ_IO;
    }
    hz_status status = hzi_store_step(store, err, statement);
    if (status == HZ_OK) {
        const char *text = (const char *)sqlite3_column_text(statement, 0);
        if (!text || strcmp(text, "ok") != 0) {
            status =
                hz_fail(err, HZ_IO, HZ_NO_OFFSET, "the file is damaged: %.300s", text ? text : "?");
        }
    }
    (void)sqlite3_finalize(statement);
    return status == HZ_NOT_FOUND ? HZ_IO : status;
}

/* Under a write lock, so that two programs do not make the tables at once. */
static hz_status bring_up_to_date(hz_league_store *store, hz_error *err) {
    int64_t version = 0, application = 0, tables = 0;
    hz_status status = hzi_store_begin(store, err);
    if (status != HZ_OK) {
        return status;
    }
    status = number_of(store, "PRAGMA application_id", &application, err);
    if (status == HZ_OK) {
        status = number_of(store, "PRAGMA user_version", &version, err);
    }
    if (status == HZ_OK) {
        status = number_of(store, "SELECT count(*) FROM sqlite_schema", &tables, err);
    }
    bool fresh = application == 0 && version == 0 && tables == 0;
    if (status == HZ_OK && !fresh && application != APPLICATION) {
        status = hz_fail(err, HZ_IO, HZ_NO_OFFSET, "the file is a database of something else");
    } else if (status == HZ_OK && (version > VERSION || version < 0)) {
        status = hz_fail(err, HZ_IO, HZ_NO_OFFSET,
                         "the file has version %lld; this program knows 1 to %d",
                         (long long)version, VERSION);
    }
    for (int64_t step = version; status == HZ_OK && step < VERSION; step++) {
        char set[64];
        status = hzi_store_run(store, STEPS[step], err);
        (void)sqlite3_snprintf(sizeof set, set, "PRAGMA user_version = %d", (int)step + 1);
        if (status == HZ_OK) {
            status = hzi_store_run(store, set, err);
        }
    }
    if (status == HZ_OK && fresh) {
        status = hzi_store_run(store, "PRAGMA application_id = " APPLICATION_ID, err);
    }
    return hzi_store_end(store, status, err);
}

hz_status hz_league_store_open(const char *path, hz_league_store **store, hz_error *err) {
    hz_league_store *made = calloc(1, sizeof *made);
    hz_error why;
    hz_error_clear(&why);
    if (!made) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "out of memory");
    }
    hz_arena_init(&made->texts, 0);
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    hz_status status = HZ_OK;
    if (sqlite3_open_v2(path, &made->db, flags, NULL) != SQLITE_OK) {
        status = hzi_store_fail(made, &why, "opening");
    }
    if (status == HZ_OK) {
        (void)sqlite3_busy_timeout(made->db, BUSY_MS);
        (void)sqlite3_extended_result_codes(made->db, 1);
        status = check_soundness(made, &why);
    }
    if (status == HZ_OK) {
        status = bring_up_to_date(made, &why);
    }
    if (status == HZ_OK) {
        status = hzi_store_run(made,
                               "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
                               "PRAGMA foreign_keys = ON",
                               &why);
    }
    if (status != HZ_OK) {
        hz_league_store_close(made);
        return hz_fail(err, status, HZ_NO_OFFSET, "%.300s: %.600s", path, why.message);
    }
    *store = made;
    return HZ_OK;
}

void hz_league_store_close(hz_league_store *store) {
    if (store) {
        (void)sqlite3_close(store->db);
        hz_arena_fini(&store->texts);
        free(store);
    }
}
