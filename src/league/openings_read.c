/* SPDX-License-Identifier: MIT */
/* A set of openings from a text: an organiser's private one. */
#include <hazard/league.h>

#include <string.h>

enum { PLIES_LEAST = 4, PLIES_MOST = 20, FIELD_MAX = 200 };

static hz_status wrong(hz_error *err, uint32_t line, const char *what) {
    hz_status status = hz_fail(err, HZ_RECORD_SYNTAX, HZ_NO_OFFSET, "line %u: %s", line, what);
    if (err) {
        err->line = line;
    }
    return status;
}

static const char *keep(hz_arena *arena, const char *text, size_t length) {
    char *copy = hz_arena_alloc(arena, length + 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

/* A line's three fields; false when there are not three or one is empty or has a control character.
 */
static bool cut(const char *line, size_t length, const char *fields[3], size_t lengths[3]) {
    size_t at = 0;
    for (int i = 0; i < 3; i++) {
        size_t begin = at;
        while (at < length && line[at] != '\t') {
            if ((unsigned char)line[at] < 32 || line[at] == 127) {
                return false;
            }
            at++;
        }
        fields[i] = line + begin;
        lengths[i] = at - begin;
        if (lengths[i] == 0 || lengths[i] > FIELD_MAX || (i < 2) != (at < length)) {
            return false;
        }
        at++;
    }
    return true;
}

static hz_status check(const hz_league_opening *opening, uint32_t line, uint64_t *key,
                       hz_error *err) {
    hz_chess_game game;
    hz_status status = hz_league_opening_game(opening, &game, err);
    if (status != HZ_OK) {
        char why[200];
        if (err && status != HZ_NO_MEMORY) {
            memcpy(why, err->message, sizeof why - 1);
            why[sizeof why - 1] = '\0';
            status = hz_fail(err, status, HZ_NO_OFFSET, "line %u: %s", line, why);
            err->line = line;
        }
        return status;
    }
    size_t plies = 1;
    for (const char *at = opening->moves; *at; at++) {
        plies += *at == ' ';
    }
    *key = hz_chess_repetition_key(&game.now);
    if (game.now.side != HZ_WHITE || plies < PLIES_LEAST || plies > PLIES_MOST) {
        status = wrong(err, line, "an opening has 4 to 20 plies and leaves White to move");
    } else if (hz_chess_position_end(&game.now) != HZ_CHESS_GOES_ON) {
        status = wrong(err, line, "the game is over after this opening");
    }
    hz_chess_game_fini(&game);
    return status;
}

hz_status hz_league_openings_read(const char *text, size_t length, hz_arena *arena,
                                  hz_league_opening openings[HZ_LEAGUE_OPENINGS], hz_error *err) {
    uint64_t keys[HZ_LEAGUE_OPENINGS];
    uint32_t line = 0;
    int count = 0;
    for (size_t at = 0; at < length;) {
        const char *end = memchr(text + at, '\n', length - at);
        size_t size = end ? (size_t)(end - (text + at)) : length - at;
        const char *begin = text + at, *fields[3];
        size_t lengths[3];
        line++;
        at += size + 1;
        size -= size > 0 && begin[size - 1] == '\r';
        if (size == 0 || begin[0] == '#') {
            continue;
        }
        if (count == HZ_LEAGUE_OPENINGS) {
            return wrong(err, line, "more than 25 openings");
        }
        if (!cut(begin, size, fields, lengths)) {
            return wrong(err, line, "an opening is code, name and moves with tabs between them");
        }
        hz_league_opening *o = &openings[count];
        o->eco = keep(arena, fields[0], lengths[0]);
        o->name = keep(arena, fields[1], lengths[1]);
        o->moves = keep(arena, fields[2], lengths[2]);
        if (!o->eco || !o->name || !o->moves) {
            return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "out of memory");
        }
        hz_status status = check(o, line, &keys[count], err);
        if (status != HZ_OK) {
            return status;
        }
        for (int i = 0; i < count; i++) {
            if (keys[i] == keys[count]) {
                return wrong(err, line, "an opening that is there before");
            }
        }
        count++;
    }
    return count == HZ_LEAGUE_OPENINGS ? HZ_OK : wrong(err, line, "there must be 25 openings");
}
