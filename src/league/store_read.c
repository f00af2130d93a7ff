/* SPDX-License-Identifier: MIT */
/* What the store answers: entries, the board, games that are replayed before they are shown. */
#include "league/play.h"
#include "league/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *keep(hz_league_store *store, const unsigned char *text) {
    size_t length = text ? strlen((const char *)text) : 0;
    char *copy = hz_arena_alloc(&store->texts, length + 1);
    if (copy) {
        memcpy(copy, text ? (const char *)text : "", length);
        copy[length] = '\0';
    }
    return copy ? copy : "";
}

hz_status hz_league_store_bytes(hz_league_store *store, int64_t id, void **bytes, size_t *length,
                                hz_error *err) {
    sqlite3_stmt *statement =
        hzi_store_prepare(store, err,
                          "SELECT f.bytes FROM submissions s JOIN files f ON f.digest = s.digest "
                          "WHERE s.id = ?1",
                          "i", id);
    if (!statement) {
        return HZ_IO;
    }
    hz_status status = hzi_store_step(store, err, statement);
    if (status == HZ_OK) {
        size_t size = (size_t)sqlite3_column_bytes(statement, 0);
        const void *blob = sqlite3_column_blob(statement, 0);
        void *copy = malloc(size + 1);
        if (!copy) {
            status = hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "out of memory");
        } else {
            if (size > 0) {
                memcpy(copy, blob, size);
            }
            *bytes = copy;
            *length = size;
        }
    }
    (void)sqlite3_finalize(statement);
    return status;
}

/* ---- entries --------------------------------------------------------------------------------------- */

static hz_status read_scores(hz_league_store *store, hz_league_entry *entry, hz_error *err) {
    /* Levels that are being played count as far as they are. */
    sqlite3_stmt *statement = hzi_store_prepare(
        store, err,
        "SELECT second, level, count(*), sum(points2 = 2), sum(points2 = 1), sum(points2 = 0) "
        "FROM games WHERE submission = ?1 GROUP BY second, level",
        "i", entry->id);
    if (!statement) {
        return HZ_IO;
    }
    hz_status status;
    while ((status = hzi_store_step(store, err, statement)) == HZ_OK) {
        int level = sqlite3_column_int(statement, 1);
        hz_league_score score = {sqlite3_column_int(statement, 2), sqlite3_column_int(statement, 3),
                                 sqlite3_column_int(statement, 4),
                                 sqlite3_column_int(statement, 5)};
        if (sqlite3_column_int(statement, 0)) {
            entry->second = score;
        } else if (level >= 1 && level <= HZ_LEAGUE_LEVELS) {
            entry->levels[level - 1] = score;
        }
    }
    (void)sqlite3_finalize(statement);
    return status == HZ_NOT_FOUND ? HZ_OK : status;
}

static hz_status read_entry(hz_league_store *store, int64_t id, hz_league_entry *entry,
                            hz_error *err) {
    *entry = (hz_league_entry){
        .id = id, .author = "", .strategy = "", .status = "", .message = "", .executor = ""};
    sqlite3_stmt *statement =
        hzi_store_prepare(store, err,
                          "SELECT author, strategy, time, digest, size, reference, status, code, "
                          "message, executor, parameters, common, bits, level, fitted, finished "
                          "FROM submissions WHERE id = ?1",
                          "i", id);
    if (!statement) {
        return HZ_IO;
    }
    hz_status status = hzi_store_step(store, err, statement);
    if (status == HZ_OK) {
        *entry = (hz_league_entry){.id = id,
                                   .author = keep(store, sqlite3_column_text(statement, 0)),
                                   .strategy = keep(store, sqlite3_column_text(statement, 1)),
                                   .time = sqlite3_column_int64(statement, 2),
                                   .bytes = (uint64_t)sqlite3_column_int64(statement, 4),
                                   .reference = sqlite3_column_int(statement, 5) != 0,
                                   .status = keep(store, sqlite3_column_text(statement, 6)),
                                   .code = sqlite3_column_int(statement, 7),
                                   .message = keep(store, sqlite3_column_text(statement, 8)),
                                   .executor = keep(store, sqlite3_column_text(statement, 9)),
                                   .parameters = {(uint64_t)sqlite3_column_int64(statement, 10),
                                                  (uint64_t)sqlite3_column_int64(statement, 11),
                                                  (uint64_t)sqlite3_column_int64(statement, 12)},
                                   .level = sqlite3_column_int(statement, 13),
                                   .fitted = sqlite3_column_int(statement, 14) != 0,
                                   .finished = sqlite3_column_int64(statement, 15)};
        (void)snprintf(entry->digest, sizeof entry->digest, "%.64s",
                       (const char *)sqlite3_column_text(statement, 3));
    }
    (void)sqlite3_finalize(statement);
    if (status == HZ_NOT_FOUND) {
        return hz_fail(err, HZ_NOT_FOUND, HZ_NO_OFFSET, "there is no entry %lld", (long long)id);
    }
    return status == HZ_OK ? read_scores(store, entry, err) : status;
}

hz_status hz_league_store_entry(hz_league_store *store, int64_t id, hz_league_entry *entry,
                                hz_error *err) {
    hz_arena_reset(&store->texts);
    return read_entry(store, id, entry, err);
}

static size_t counted(int n) {
    return n < 0 ? 0 : (size_t)n;
}

size_t hz_league_entry_status(const hz_league_entry *entry, char *buffer, size_t capacity) {
    if (strcmp(entry->status, "rejected") == 0) {
        return counted(snprintf(buffer, capacity, "rejected (E%02d)", entry->code));
    }
    if (strcmp(entry->status, "failed") == 0) {
        return counted(snprintf(buffer, capacity, "failed (internal)"));
    }
    if (strcmp(entry->status, "playing") == 0) {
        int level = 1;
        const hz_league_score *score = &entry->levels[0];
        while (score->played == HZ_LEAGUE_GAMES && level < HZ_LEAGUE_LEVELS &&
               hz_league_points2(score) >= HZ_LEAGUE_PASS_POINTS2) {
            score = &entry->levels[level++];
        }
        bool second = entry->second.played > 0 || score->played == HZ_LEAGUE_GAMES;
        int played = second ? entry->second.played : score->played;
        int game = played < HZ_LEAGUE_GAMES ? played + 1 : HZ_LEAGUE_GAMES;
        return counted(
            second ? snprintf(buffer, capacity, "playing (second set, game %d)", game)
                   : snprintf(buffer, capacity, "playing (level %d, game %d)", level, game));
    }
    return counted(snprintf(buffer, capacity, "%s%s", entry->status,
                            entry->fitted ? ", fitted to the openings" : ""));
}

size_t hz_league_entry_score(const hz_league_entry *entry, char *buffer, size_t capacity) {
    const hz_league_score *score = &entry->levels[entry->level > 0 ? entry->level - 1 : 0];
    int points2 = hz_league_points2(score);
    if (score->played < HZ_LEAGUE_GAMES) {
        return counted(snprintf(buffer, capacity, "-"));
    }
    return counted(snprintf(buffer, capacity, "Lv %d, %d%s/%d (%d%%)", entry->level, points2 / 2,
                            points2 % 2 ? ".5" : "", HZ_LEAGUE_GAMES, points2));
}

hz_status hz_league_store_next_done(hz_league_store *store, int64_t after, int64_t *id,
                                    hz_error *err) {
    sqlite3_stmt *statement =
        hzi_store_prepare(store, err,
                          "SELECT id FROM submissions WHERE id > ?1 AND status = 'done' "
                          "ORDER BY id LIMIT 1",
                          "i", after);
    return hzi_store_number(store, err, statement, id);
}

/* ---- the board -------------------------------------------------------------------------------------- */

#define POINTS                                                                                     \
    "coalesce((SELECT 2 * wins + draws FROM runs WHERE submission = s.id AND second = 0 AND "      \
    "runs.level = max(s.level, 1)), -1)"
#define ORDER "done DESC, level DESC, parameters, bits, points DESC, time, id"

static const char BOARD[] =
    "WITH played AS (SELECT id, author, reference, level, parameters, bits, time, " POINTS
    " AS points, status = 'done' AS done FROM submissions s WHERE accepted IS NOT NULL AND "
    "status IN ('done', 'playing')), "
    "best AS (SELECT *, row_number() OVER (PARTITION BY reference, CASE WHEN reference THEN id "
    "ELSE author END ORDER BY " ORDER ") AS place FROM played) "
    "SELECT id, reference, (SELECT count(*) FROM submissions a WHERE a.author = best.author AND "
    "a.reference = best.reference AND a.accepted IS NOT NULL), "
    "(SELECT max(n.id) FROM submissions n WHERE n.author = best.author AND n.reference = "
    "best.reference) FROM best WHERE place = 1 ORDER BY reference, " ORDER;

typedef struct place {
    int64_t id, attempts, newest;
    bool reference;
} place;

static hz_status list_places(hz_league_store *store, place **places, size_t *count, hz_error *err) {
    size_t capacity = 0;
    sqlite3_stmt *statement = hzi_store_prepare(store, err, BOARD, "");
    if (!statement) {
        return HZ_IO;
    }
    hz_status status;
    *count = 0;
    while ((status = hzi_store_step(store, err, statement)) == HZ_OK) {
        if (*count == capacity) {
            capacity = capacity ? 2 * capacity : 64;
            place *more = realloc(*places, capacity * sizeof *more);
            if (!more) {
                status = hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "out of memory");
                break;
            }
            *places = more;
        }
        (*places)[(*count)++] =
            (place){sqlite3_column_int64(statement, 0), sqlite3_column_int64(statement, 2),
                    sqlite3_column_int64(statement, 3), sqlite3_column_int(statement, 1) != 0};
    }
    (void)sqlite3_finalize(statement);
    return status == HZ_NOT_FOUND ? HZ_OK : status;
}

hz_status hz_league_store_board(hz_league_store *store,
                                bool (*row)(void *state, const hz_league_row *row), void *state,
                                hz_error *err) {
    place *places = NULL;
    size_t count = 0;
    /* One transaction, so that a row does not change between its parts. */
    hz_status status = hzi_store_run(store, "BEGIN", err);
    if (status != HZ_OK) {
        return status;
    }
    status = list_places(store, &places, &count, err);
    int rank = 0;
    for (size_t i = 0; i < count && status == HZ_OK; i++) {
        hz_league_entry best, newest;
        char text[80];
        hz_arena_reset(&store->texts);
        status = read_entry(store, places[i].id, &best, err);
        if (status == HZ_OK) {
            status = read_entry(store, places[i].reference ? places[i].id : places[i].newest,
                                &newest, err);
        }
        if (status == HZ_OK) {
            (void)hz_league_entry_status(&newest, text, sizeof text);
            hz_league_row one = {.rank = places[i].reference ? 0 : ++rank,
                                 .best = &best,
                                 .newest_status = text,
                                 .attempts = places[i].attempts};
            if (!row(state, &one)) {
                break;
            }
        }
    }
    free(places);
    return hzi_store_end(store, status, err);
}

/* ---- games ------------------------------------------------------------------------------------------ */

static bool find_reason(const char *text, hz_league_reason *reason) {
    for (int i = HZ_LEAGUE_CHECKMATE; i <= HZ_LEAGUE_CRASH; i++) {
        if (strcmp(hz_league_reason_text((hz_league_reason)i), text) == 0) {
            *reason = (hz_league_reason)i;
            return true;
        }
    }
    return false;
}

/* Whether the moves lead to the end that the record tells. */
static bool is_true(const hz_league_record *record) {
    const hz_league_result *result = &record->result;
    hz_league_reason reason;
    bool over = hzi_league_ended(record->game, &reason);
    if (result->reason >= HZ_LEAGUE_NOT_FINITE) {
        return !over && result->points2 == 0 && record->game->now.side == (uint8_t)result->color;
    }
    bool won = record->game->now.side != (uint8_t)result->color;
    int points2 = reason != HZ_LEAGUE_CHECKMATE ? 1 : won ? 2 : 0;
    return over && reason == result->reason && points2 == result->points2;
}

static hz_status replay_moves(const char *moves, hz_chess_game *game, hz_error *err) {
    hz_status status = HZ_OK;
    for (const char *at = moves; *at && status == HZ_OK;) {
        size_t length = strcspn(at, " ");
        hz_move move;
        status = hz_chess_move_from_text(&game->now, at, length, &move, err);
        if (status == HZ_OK) {
            status = hz_chess_game_play(game, move, err);
        }
        at += length;
        at += *at == ' ';
    }
    return status;
}

static hz_status give_game(sqlite3_stmt *s,
                           bool (*give)(void *state, const hz_league_record *record), void *state,
                           bool *more, hz_error *err) {
    const char *texts[5];
    for (int i = 0; i < 5; i++) {
        texts[i] = (const char *)sqlite3_column_text(s, i);
        texts[i] = texts[i] ? texts[i] : "";
    }
    hz_league_opening opening = {texts[0], texts[1], texts[2]};
    hz_chess_game game;
    hz_league_record record = {.level = sqlite3_column_int(s, 6),
                               .second = sqlite3_column_int(s, 5) != 0,
                               .number = sqlite3_column_int(s, 7),
                               .opening = &opening,
                               .game = &game};
    record.result = (hz_league_result){.opening = (record.number + 1) / 2,
                                       .color = (hz_color)(sqlite3_column_int(s, 8) & 1),
                                       .points2 = sqlite3_column_int(s, 9),
                                       .evaluator_ns = (uint64_t)sqlite3_column_int64(s, 10),
                                       .judgements = (uint64_t)sqlite3_column_int64(s, 11)};
    const char *moves = (const char *)sqlite3_column_text(s, 12);
    hz_error why;
    hz_error_clear(&why);
    hz_status status = hz_league_opening_game(&opening, &game, &why);
    if (status == HZ_OK) {
        status = replay_moves(moves ? moves : "", &game, &why);
        record.result.plies = game.count;
        if (status == HZ_OK &&
            (!find_reason(texts[3], &record.result.reason) || !is_true(&record))) {
            status =
                hz_fail(&why, HZ_RECORD_REPLAY, HZ_NO_OFFSET, "it ends otherwise than it says");
        }
        if (status == HZ_OK) {
            *more = give(state, &record);
        }
        hz_chess_game_fini(&game);
    }
    return status == HZ_OK
               ? HZ_OK
               : hz_fail(err, status == HZ_NO_MEMORY ? status : HZ_RECORD_REPLAY, HZ_NO_OFFSET,
                         "game %d of level %d: %.600s", record.number, record.level, why.message);
}

hz_status hz_league_store_games(hz_league_store *store, int64_t id,
                                bool (*game)(void *state, const hz_league_record *record),
                                void *state, hz_error *err) {
    hz_league_entry entry;
    hz_arena_reset(&store->texts);
    hz_status status = read_entry(store, id, &entry, err);
    if (status != HZ_OK) {
        return status;
    }
    sqlite3_stmt *statement = hzi_store_prepare(
        store, err,
        "SELECT eco, opening, opening_moves, reason, '', second, level, number, color, points2, "
        "evaluator_ns, judgements, moves FROM games WHERE submission = ?1 "
        "ORDER BY second, level, number",
        "i", id);
    if (!statement) {
        return HZ_IO;
    }
    bool more = true;
    while (more && (status = hzi_store_step(store, err, statement)) == HZ_OK) {
        status = give_game(statement, game, state, &more, err);
        if (status != HZ_OK) {
            break;
        }
    }
    (void)sqlite3_finalize(statement);
    return status == HZ_NOT_FOUND ? HZ_OK : status;
}
