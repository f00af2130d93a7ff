/* SPDX-License-Identifier: MIT */
/*
 * Lists of start positions: a position a line (DFEN, FEN, EPD), or games whose last position is one
 * (PGN, game records). Everything is checked before the first game; a bad line is named.
 */
#include <hazard/arena.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct list {
    hz_position *positions;
    size_t count, capacity;
} list;

static hz_status add(list *l, const hz_position *position, hz_error *err) {
    if (l->count == HZ_OPENINGS_MAX) {
        return hz_fail(err, HZ_OPENINGS, HZ_NO_OFFSET, "more than %d start positions",
                       (int)HZ_OPENINGS_MAX);
    }
    if (l->count == l->capacity) {
        size_t capacity = l->capacity ? 2 * l->capacity : 64;
        hz_position *grown = realloc(l->positions, capacity * sizeof *grown);
        if (!grown) {
            return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for start positions");
        }
        l->positions = grown;
        l->capacity = capacity;
    }
    l->positions[l->count] = *position;
    hz_position_set_pool(&l->positions[l->count++], 0);
    return HZ_OK;
}

/* An error of a reader as one of the list, with its place. */
static hz_status refuse(hz_error *err, const hz_error *why, size_t offset, uint32_t line,
                        uint32_t column) {
    if (why->code == HZ_NO_MEMORY || why->code == HZ_IO) {
        return hz_fail(err, why->code, HZ_NO_OFFSET, "%s", why->message);
    }
    (void)hz_fail(err, HZ_OPENINGS, offset, "line %u, column %u: %s", line, column, why->message);
    if (err) {
        err->line = line;
        err->column = column;
    }
    return HZ_OPENINGS;
}

/* ---- a position a line ---- */

static hz_status read_chess(const char *text, size_t length, hz_arena *arena, hz_position *position,
                            hz_error *err) {
    hz_status status;
    if (memchr(text, ';', length)) {
        hz_epd epd;
        status = hz_epd_read(text, length, arena, &epd, err);
        if (status == HZ_OK) {
            *position = epd.position;
        }
    } else {
        status = hz_chess_from_fen(position, text, length, err);
    }
    if (status == HZ_OK && hz_chess_validate(position, err) != HZ_CHESS_SOUND) {
        status = HZ_OPENINGS;
        if (err) {
            err->code = status;
            err->offset = 0;
        }
    }
    return status;
}

static hz_status read_dice(const char *text, size_t length, hz_position *position, hz_error *err) {
    hz_status status = hz_position_from_dfen(position, text, length, err);
    if (status == HZ_OK && hz_game_over(position, NULL, NULL)) {
        status = hz_fail(err, HZ_OPENINGS, 0, "a side has no king");
    }
    return status;
}

static hz_status read_lines(const char *text, size_t length, hz_match_game game, list *l,
                            hz_error *err) {
    hz_arena arena = {0};
    hz_status status = HZ_OK;
    uint32_t line = 0;
    for (size_t at = 0; at < length && status == HZ_OK;) {
        const char *end = memchr(text + at, '\n', length - at);
        size_t whole = end ? (size_t)(end - text) - at + 1 : length - at;
        size_t first = at, last = at + whole;
        line++;
        while (last > first && strchr(" \t\r\n", text[last - 1]) && text[last - 1]) {
            last--;
        }
        while (first < last && (text[first] == ' ' || text[first] == '\t')) {
            first++;
        }
        if (first < last && text[first] != '#') {
            hz_error why;
            hz_position position;
            hz_arena_reset(&arena);
            hz_error_clear(&why);
            status = game == HZ_MATCH_CHESS
                         ? read_chess(text + first, last - first, &arena, &position, &why)
                         : read_dice(text + first, last - first, &position, &why);
            if (status == HZ_OK) {
                status = add(l, &position, err);
            } else {
                size_t inside = why.offset == HZ_NO_OFFSET ? 0 : why.offset;
                status =
                    refuse(err, &why, first + inside, line, (uint32_t)(first + inside - at) + 1);
            }
        }
        at += whole;
    }
    hz_arena_fini(&arena);
    return status;
}

/* ---- games ---- */

static hz_status read_records(const char *text, size_t length, list *l, hz_error *err) {
    hz_record_reader *reader = malloc(sizeof *reader);
    hz_arena arena = {0};
    hz_status status = HZ_OK;
    if (!reader) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for game records");
    }
    hz_record_reader_init_text(reader, text, length);
    while (status == HZ_OK) {
        hz_record record;
        hz_error why;
        hz_position last;
        hz_arena_reset(&arena);
        status = hz_record_read(reader, &arena, &record, &why);
        if (status == HZ_NOT_FOUND) {
            status = HZ_OK;
            break;
        }
        if (status == HZ_OK) {
            status = hz_record_replay(&record, false, NULL, NULL, &last, &why);
        }
        if (status == HZ_OK && hz_game_over(&last, NULL, NULL)) {
            status = hz_fail(&why, HZ_OPENINGS, record.end.offset, "the game is over at its end");
            why.line = record.end.line;
            why.column = record.end.column;
        }
        status = status == HZ_OK ? add(l, &last, err)
                                 : refuse(err, &why, why.offset, why.line, why.column);
    }
    hz_arena_fini(&arena);
    free(reader);
    return status;
}

static hz_status read_pgn(const char *text, size_t length, list *l, hz_error *err) {
    hz_pgn_reader *reader = hz_pgn_reader_text(text, length, false, false);
    hz_arena arena = {0};
    hz_status status = HZ_OK;
    if (!reader) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for games");
    }
    while (status == HZ_OK) {
        hz_pgn_game game;
        hz_error why;
        hz_arena_reset(&arena);
        status = hz_pgn_read(reader, &arena, &game, &why);
        if (status == HZ_NOT_FOUND) {
            status = HZ_OK;
            break;
        }
        if (status == HZ_OK) {
            hz_position position = game.start;
            for (const hz_pgn_move *move = game.moves; move; move = move->next) {
                hz_chess_play(&position, move->move, &position);
            }
            if (hz_chess_validate(&position, &why) != HZ_CHESS_SOUND) {
                status = refuse(err, &why, game.offset, game.line, 1);
            } else {
                status = add(l, &position, err);
            }
        } else {
            status = refuse(err, &why, why.offset, why.line, why.column);
        }
    }
    hz_arena_fini(&arena);
    hz_pgn_reader_free(reader);
    return status;
}

/* ---- the list ---- */

hz_status hz_openings_parse(const char *text, size_t length, hz_match_game game,
                            hz_openings *openings, hz_error *err) {
    list l = {0};
    size_t first = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    size_t at = first;
    while (at < length && strchr(" \t\r\n", text[at]) && text[at]) {
        at++;
    }
    hz_status status;
    if (at < length && text[at] == '[') {
        status = game == HZ_MATCH_CHESS ? read_pgn(text, length, &l, err)
                                        : read_records(text, length, &l, err);
    } else {
        status = read_lines(text + first, length - first, game, &l, err);
    }
    if (status == HZ_OK && l.count == 0) {
        status = hz_fail(err, HZ_OPENINGS, HZ_NO_OFFSET, "there is no start position in it");
    }
    if (status != HZ_OK) {
        free(l.positions);
        return status;
    }
    *openings = (hz_openings){l.count, l.positions};
    return HZ_OK;
}

void hz_openings_free(hz_openings *openings) {
    if (openings) {
        free(openings->positions);
        *openings = (hz_openings){0};
    }
}
