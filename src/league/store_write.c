/* SPDX-License-Identifier: MIT */
/* What changes the store: submissions with their rate limit, verdicts, games, results. */
#include "league/store.h"

#include <stdlib.h>
#include <string.h>

enum { AUTHOR_MAX = 40, STRATEGY_MAX = 80, MINUTE_S = 60 };

/* ---- texts --------------------------------------------------------------------------------------- */

typedef struct range {
    uint32_t first, last;
} range;

static bool within(uint32_t value, const range *ranges, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (value >= ranges[i].first && value <= ranges[i].last) {
            return true;
        }
    }
    return false;
}

/* Controls, line ends, what turns the line round, what cannot be seen, what means nothing to others.
 * The joiners U+200C and U+200D stay: words and faces are made with them. */
static bool is_hidden(uint32_t value) {
    static const range HIDDEN[] = {{0, 0x1f},        {0x7f, 0x9f},       {0xad, 0xad},
                                   {0x61c, 0x61c},   {0x180e, 0x180e},   {0x200b, 0x200b},
                                   {0x200e, 0x200f}, {0x2028, 0x202e},   {0x2060, 0x206f},
                                   {0xd800, 0xf8ff}, {0xfdd0, 0xfdef},   {0xfeff, 0xfeff},
                                   {0xfff0, 0xfffb}, {0xe0000, 0xe0fff}, {0xf0000, UINT32_MAX}};
    return (value & 0xfffe) == 0xfffe || within(value, HIDDEN, sizeof HIDDEN / sizeof HIDDEN[0]);
}

/* Shown as nothing or as a gap. */
static bool is_blank(uint32_t value) {
    static const range BLANK[] = {{0x20, 0x20},     {0xa0, 0xa0},     {0x115f, 0x1160},
                                  {0x1680, 0x1680}, {0x2000, 0x200d}, {0x202f, 0x202f},
                                  {0x205f, 0x205f}, {0x2800, 0x2800}, {0x3000, 0x3000},
                                  {0x3164, 0x3164}, {0xffa0, 0xffa0}};
    return within(value, BLANK, sizeof BLANK / sizeof BLANK[0]);
}

/* The character at *at, which moves behind it; UINT32_MAX for what is no UTF-8. */
static uint32_t next_character(const unsigned char **at) {
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    uint32_t value = *(*at)++, more = value < 0x80 ? 0 : value < 0xe0 ? 1 : value < 0xf0 ? 2 : 3;
    if ((value >= 0x80 && value < 0xc2) || value > 0xf4) {
        return UINT32_MAX;
    }
    value &= more == 0 ? 0x7f : 0x3fu >> more;
    for (uint32_t i = 0; i < more; i++) {
        if ((**at & 0xc0) != 0x80) {
            return UINT32_MAX;
        }
        value = value << 6 | (*(*at)++ & 0x3fu);
    }
    return value < least[more] ? UINT32_MAX : value;
}

/* Number of characters of valid, printable UTF-8; SIZE_MAX for anything else. open_ends: whether
 * there is a blank at an end. */
static size_t characters(const char *text, bool *open_ends) {
    size_t n = 0;
    bool blank = true;
    *open_ends = false;
    for (const unsigned char *at = (const unsigned char *)text; *at; n++) {
        uint32_t value = next_character(&at);
        if (is_hidden(value)) {
            return SIZE_MAX;
        }
        blank = is_blank(value);
        *open_ends = *open_ends || (n == 0 && blank);
    }
    *open_ends = *open_ends || blank;
    return n;
}

static hz_status check_texts(const char *author, const char *strategy, hz_error *err) {
    bool open_ends, any;
    size_t a = characters(author, &open_ends), s = characters(strategy, &any);
    if (a < 1 || a > AUTHOR_MAX) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                       "author: 1 to %d printable characters", AUTHOR_MAX);
    }
    if (open_ends) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                       "author: a name begins and ends with something that can be seen");
    }
    if (s > STRATEGY_MAX) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                       "strategy: at most %d printable characters", STRATEGY_MAX);
    }
    return HZ_OK;
}

/* ---- submitting ------------------------------------------------------------------------------------ */

static hz_status find_known(hz_league_store *store, const char *digest, int64_t *id,
                            hz_error *err) {
    sqlite3_stmt *statement =
        hzi_store_prepare(store, err,
                          "SELECT id FROM submissions WHERE digest = ?1 AND status <> 'failed' "
                          "ORDER BY id LIMIT 1",
                          "t", digest);
    return hzi_store_number(store, err, statement, id);
}

/* Seconds that an author has to wait, by a statement that gives times of which the oldest (first
 * row) lets go after `pause`; 0 rows = none. The statement leaves out times that are further ahead
 * than a pause: they are from a clock that was wrong, and would make an author wait until then. */
static hz_status wait_after(hz_league_store *store, sqlite3_stmt *statement, int64_t now,
                            int64_t pause, int64_t *wait_s, hz_error *err) {
    if (!statement) {
        return HZ_IO;
    }
    hz_status status = hzi_store_step(store, err, statement);
    if (status == HZ_OK && sqlite3_column_type(statement, 0) != SQLITE_NULL) {
        int64_t left = sqlite3_column_int64(statement, 0) + pause - now;
        left = left > pause ? pause : left; /* a clock that was set back a little */
        *wait_s = left > *wait_s ? left : *wait_s;
    }
    (void)sqlite3_finalize(statement);
    return status == HZ_NOT_FOUND ? HZ_OK : status;
}

static hz_status rate(hz_league_store *store, const char *author, int64_t now, int64_t *wait_s,
                      hz_error *err) {
    *wait_s = 0;
    hz_status status = wait_after(
        store,
        hzi_store_prepare(store, err,
                          "SELECT max(time) FROM submissions WHERE author = ?1 AND reference = 0 "
                          "AND accepted IS NOT NULL AND time <= ?2",
                          "ti", author, now + HZ_LEAGUE_PAUSE_S),
        now, HZ_LEAGUE_PAUSE_S, wait_s, err);
    if (status == HZ_OK) { /* one that is not decided yet might be accepted */
        status =
            wait_after(store,
                       hzi_store_prepare(store, err,
                                         "SELECT max(time) FROM submissions WHERE author = ?1 AND "
                                         "reference = 0 AND status IN ('queued', 'checking') AND "
                                         "time <= ?2",
                                         "ti", author, now + MINUTE_S),
                       now, MINUTE_S, wait_s, err);
    }
    if (status == HZ_OK) { /* the sixth latest must be a minute ago */
        status =
            wait_after(store,
                       hzi_store_prepare(store, err,
                                         "SELECT time FROM submissions WHERE author = ?1 AND "
                                         "reference = 0 AND time <= ?3 ORDER BY time DESC, "
                                         "id DESC LIMIT 1 OFFSET ?2",
                                         "tii", author, (int64_t)HZ_LEAGUE_CHECKS_PER_MINUTE - 1,
                                         now + MINUTE_S),
                       now, MINUTE_S, wait_s, err);
    }
    return status;
}

static hz_status keep_bytes(hz_league_store *store, const char *digest, const void *bytes,
                            size_t length, hz_error *err) {
    sqlite3_stmt *statement = hzi_store_prepare(
        store, err, "INSERT OR IGNORE INTO files(digest, bytes) VALUES(?1, ?2)", "t", digest);
    if (!statement) {
        return HZ_IO;
    }
    (void)sqlite3_bind_blob64(statement, 2, length ? bytes : "", length, SQLITE_STATIC);
    return hzi_store_finish(store, err, statement);
}

static hz_status take_submission(hz_league_store *store, const char *author, const char *strategy,
                                 const void *bytes, size_t length, int64_t now, bool reference,
                                 hz_league_answer *answer, int64_t *id, int64_t *wait_s,
                                 hz_error *err) {
    char digest[65];
    hz_sha256_hex(bytes, length, digest);
    hz_status status = find_known(store, digest, id, err);
    if (status != HZ_NOT_FOUND) {
        *answer = HZ_LEAGUE_KNOWN;
        return status;
    }
    status = reference ? HZ_OK : rate(store, author, now, wait_s, err);
    if (status != HZ_OK || *wait_s > 0) {
        *answer = HZ_LEAGUE_WAIT;
        return status;
    }
    /* A file beyond the limit is refused for its size; it need not be kept. */
    status = keep_bytes(store, digest, bytes, length <= HZ_LEAGUE_FILE_MAX ? length : 0, err);
    if (status == HZ_OK) {
        status = hzi_store_do(store, err,
                              "INSERT INTO submissions(author, strategy, time, digest, size, "
                              "reference, status, alive) VALUES(?1, ?2, ?3, ?4, ?5, ?6, 'queued', "
                              "?3)",
                              "ttitii", author, strategy, now, digest, (int64_t)length,
                              (int64_t)reference);
    }
    *answer = HZ_LEAGUE_QUEUED;
    *id = sqlite3_last_insert_rowid(store->db);
    return status;
}

hz_status hz_league_store_submit(hz_league_store *store, const char *author, const char *strategy,
                                 const void *bytes, size_t length, int64_t now, bool reference,
                                 hz_league_answer *answer, int64_t *id, int64_t *wait_s,
                                 hz_error *err) {
    *id = *wait_s = 0;
    hz_status status = check_texts(author, strategy, err);
    if (status == HZ_OK) {
        status = hzi_store_begin(store, err);
    }
    if (status != HZ_OK) {
        return status;
    }
    status = take_submission(store, author, strategy, bytes, length, now, reference, answer, id,
                             wait_s, err);
    return hzi_store_end(store, status, err);
}

/* ---- on its way ------------------------------------------------------------------------------------ */

/* Changes one entry that must have the status `from`. */
static hz_status changed(hz_league_store *store, hz_status status, int64_t id, hz_error *err) {
    if (status == HZ_OK && sqlite3_changes(store->db) != 1) {
        return hz_fail(err, HZ_CONFLICT, HZ_NO_OFFSET,
                       "entry %lld is not there or has gone another way", (long long)id);
    }
    return status;
}

/* Entries that wait, and those whose program was ended: a sign of life that is old, or from so far
 * ahead that the clock must have been set back. ?1 is the time. */
#define FREE                                                                                       \
    "(status = 'queued' OR (status IN ('checking', 'playing') AND "                                \
    "(alive <= ?1 - 600 OR alive > ?1 + 600)))"

/* From the beginning: what was played of it so far is dropped. */
static hz_status take_entry(hz_league_store *store, int64_t id, int64_t now, hz_error *err) {
    hz_status status =
        changed(store,
                hzi_store_do(store, err,
                             "UPDATE submissions SET status = 'checking', alive = ?1, "
                             "accepted = NULL WHERE id = ?2 AND " FREE,
                             "ii", now, id),
                id, err);
    return status == HZ_OK
               ? hzi_store_do(store, err, "DELETE FROM games WHERE submission = ?1", "i", id)
               : status;
}

hz_status hz_league_store_begin_check(hz_league_store *store, int64_t id, int64_t now,
                                      hz_error *err) {
    hz_status status = hzi_store_begin(store, err);
    return status == HZ_OK ? hzi_store_end(store, take_entry(store, id, now, err), err) : status;
}

static hz_status take_next(hz_league_store *store, int64_t now, int64_t *id, hz_error *err) {
    sqlite3_stmt *statement = hzi_store_prepare(
        store, err, "SELECT id FROM submissions WHERE " FREE " ORDER BY id LIMIT 1", "i", now);
    hz_status status = hzi_store_number(store, err, statement, id);
    return status == HZ_OK ? take_entry(store, *id, now, err) : status;
}

hz_status hz_league_store_next(hz_league_store *store, int64_t now, int64_t *id, hz_error *err) {
    hz_status status = hzi_store_begin(store, err);
    return status == HZ_OK ? hzi_store_end(store, take_next(store, now, id, err), err) : status;
}

hz_status hz_league_store_verdict(hz_league_store *store, int64_t id, int64_t now,
                                  const hz_league_verdict *verdict, hz_error *err) {
    bool accepted = verdict->code == HZ_LEAGUE_ACCEPTED;
    int code = accepted && verdict->constant ? HZ_LEAGUE_E14_CONSTANT : verdict->code;
    const hz_parameters *p = &verdict->parameters;
    int64_t bits = p->bits > INT64_MAX ? INT64_MAX : (int64_t)p->bits;
    int64_t strict = p->strict > INT64_MAX ? INT64_MAX : (int64_t)p->strict;
    int64_t common = p->common > INT64_MAX ? INT64_MAX : (int64_t)p->common;
    return changed(
        store,
        hzi_store_do(store, err,
                     "UPDATE submissions SET status = ?3, code = ?4, message = ?5, executor = ?6, "
                     "executor_version = ?7, parameters = ?8, common = ?9, bits = ?10, "
                     "accepted = CASE WHEN ?11 THEN ?2 END, alive = ?2, "
                     "finished = CASE WHEN ?11 THEN 0 ELSE ?2 END "
                     "WHERE id = ?1 AND status = 'checking'",
                     "iititttiiii", id, now, accepted ? "playing" : "rejected", (int64_t)code,
                     verdict->message, verdict->executor, verdict->executor_version, strict, common,
                     bits, (int64_t)accepted),
        id, err);
}

static hz_status insert_game(hz_league_store *store, int64_t id, const hz_league_record *record,
                             hz_error *err) {
    const hz_chess_game *game = record->game;
    char *moves = malloc(game->count * HZ_MOVE_CAPACITY + 1), *at = moves;
    if (!moves) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "out of memory");
    }
    for (size_t i = 0; i < game->count; i++) {
        if (i > 0) {
            *at++ = ' ';
        }
        at += hz_move_to_text(game->moves[i], at);
    }
    *at = '\0';
    hz_status status = hzi_store_do(
        store, err,
        "INSERT INTO games(submission, second, level, number, eco, opening, opening_moves, color, "
        "points2, reason, plies, evaluator_ns, judgements, moves) "
        "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
        "iiiitttiitiiit", id, (int64_t)record->second, (int64_t)record->level,
        (int64_t)record->number, record->opening->eco, record->opening->name,
        record->opening->moves, (int64_t)record->result.color, (int64_t)record->result.points2,
        hz_league_reason_text(record->result.reason), (int64_t)record->result.plies,
        (int64_t)record->result.evaluator_ns, (int64_t)record->result.judgements, moves);
    free(moves);
    return status;
}

hz_status hz_league_store_add_game(hz_league_store *store, int64_t id, int64_t now,
                                   const hz_league_record *record, hz_error *err) {
    hz_status status = hzi_store_begin(store, err);
    if (status != HZ_OK) {
        return status;
    }
    status = changed(store,
                     hzi_store_do(store, err,
                                  "UPDATE submissions SET alive = ?2 WHERE id = ?1 AND "
                                  "status = 'playing'",
                                  "ii", id, now),
                     id, err);
    if (status == HZ_OK) {
        status = insert_game(store, id, record, err);
    }
    return hzi_store_end(store, status, err);
}

/* A score must be what the games of the level say. */
static hz_status insert_run(hz_league_store *store, int64_t id, int level, bool second,
                            const hz_league_score *score, hz_error *err) {
    if (score->played == 0) {
        return HZ_OK;
    }
    hz_status status =
        hzi_store_do(store, err,
                     "INSERT INTO runs(submission, second, level, played, wins, draws, losses) "
                     "SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE "
                     "(SELECT count(*) || ' ' || sum(points2 = 2) || ' ' || sum(points2 = 1) "
                     "FROM games WHERE submission = ?1 AND second = ?2 AND level = ?3) = "
                     "?4 || ' ' || ?5 || ' ' || ?6",
                     "iiiiiii", id, (int64_t)second, (int64_t)level, (int64_t)score->played,
                     (int64_t)score->wins, (int64_t)score->draws, (int64_t)score->losses);
    if (status == HZ_OK && sqlite3_changes(store->db) != 1) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                       "level %d: the score is not that of the games stored", level);
    }
    return status;
}

static hz_status finish(hz_league_store *store, int64_t id, int64_t now,
                        const hz_league_run_result *result, hz_error *err) {
    hz_status status = HZ_OK;
    for (int level = 1; level <= HZ_LEAGUE_LEVELS && status == HZ_OK; level++) {
        status = insert_run(store, id, level, false, &result->levels[level - 1], err);
    }
    if (status == HZ_OK) {
        status = insert_run(store, id, result->level, true, &result->second, err);
    }
    if (status == HZ_OK) {
        status =
            changed(store,
                    hzi_store_do(store, err,
                                 "UPDATE submissions SET status = 'done', level = ?3, "
                                 "fitted = ?4, finished = ?2, alive = ?2 WHERE id = ?1 AND "
                                 "status = 'playing'",
                                 "iiii", id, now, (int64_t)result->level, (int64_t)result->fitted),
                    id, err);
    }
    return status;
}

hz_status hz_league_store_finish(hz_league_store *store, int64_t id, int64_t now,
                                 const hz_league_run_result *result, hz_error *err) {
    hz_status status = hzi_store_begin(store, err);
    return status == HZ_OK ? hzi_store_end(store, finish(store, id, now, result, err), err)
                           : status;
}

hz_status hz_league_store_fail(hz_league_store *store, int64_t id, int64_t now, const char *reason,
                               hz_error *err) {
    return changed(store,
                   hzi_store_do(store, err,
                                "UPDATE submissions SET status = 'failed', message = ?3, "
                                "finished = ?2, alive = ?2, accepted = NULL WHERE id = ?1 AND "
                                "status IN ('queued', 'checking', 'playing')",
                                "iit", id, now, reason),
                   id, err);
}
