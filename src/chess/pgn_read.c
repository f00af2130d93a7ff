/* SPDX-License-Identifier: MIT */
/*
 * PGN read game by game from a source of any size: tags here, moves in pgn_moves.c, both into the
 * caller's arena. Whatever breaks a game ends only that game: the reader then looks for the next
 * line that can begin one.
 *
 * Tolerated, because files have it: Latin-1 text, byte order marks, games without tags or without a
 * result, moves in any spelling hz_san_to_move takes, NAGs as "!?", escape lines.
 */
#include "chess/pgn.h"

#include <stdlib.h>
#include <string.h>

static hz_pgn_reader *make(hz_pgn_source source, void *context, const char *text, size_t length,
                           bool keep_variations, bool keep_comments) {
    hz_pgn_reader *r = malloc(sizeof *r);
    if (r) {
        hzi_bytes *b = &r->bytes;
        b->source = source;
        b->context = context;
        b->next = source ? b->buffer : length ? text : "";
        b->stop = source ? b->buffer : b->next + length;
        b->at = (hzi_place){0, 1, 1};
        b->blank_before = b->blank = true;
        b->ended = b->failed = false;
        r->keep_variations = keep_variations;
        r->keep_comments = keep_comments;
        r->lost = HZI_FOUND;
        r->games = r->broken = 0;
        r->token_length = 0;
    }
    return r;
}

hz_pgn_reader *hz_pgn_reader_new(hz_pgn_source source, void *context, bool keep_variations,
                                 bool keep_comments) {
    return make(source, context, NULL, 0, keep_variations, keep_comments);
}

hz_pgn_reader *hz_pgn_reader_text(const char *text, size_t length, bool keep_variations,
                                  bool keep_comments) {
    return make(NULL, NULL, text, length, keep_variations, keep_comments);
}

void hz_pgn_reader_free(hz_pgn_reader *reader) {
    free(reader);
}

uint64_t hz_pgn_reader_games(const hz_pgn_reader *reader) {
    return reader->games;
}

uint64_t hz_pgn_reader_broken(const hz_pgn_reader *reader) {
    return reader->broken;
}

/* ---- errors and recovery ------------------------------------------------------------------------ */

hz_status hzi_pgn_bad(hz_pgn_reader *r, hzi_place at, hz_status code, const char *text) {
    (void)hz_fail(r->err, code, at.offset, "%s", text);
    if (r->err) {
        r->err->line = at.line;
        r->err->column = at.column;
    }
    r->lost = r->in_moves ? HZI_LOST_IN_MOVES : HZI_LOST_IN_TAGS;
    return code;
}

hz_status hzi_pgn_syntax(hz_pgn_reader *r, hzi_place at, const char *text) {
    return r->bytes.failed ? hzi_pgn_bad(r, r->bytes.at, HZ_IO, "reading the games failed")
                           : hzi_pgn_bad(r, at, HZ_PGN_SYNTAX, text);
}

/* After an error: goes to the next line that can begin a game, which is a tag behind a blank line,
 * an Event tag, or the first move number behind a blank line (not of a game whose tags were bad: it
 * may have been the wrong start). */
static void find_next_game(hz_pgn_reader *r) {
    hzi_bytes *b = &r->bytes;
    while (hzi_peek(b) >= 0) {
        if (!b->blank) {
            hzi_skip_line(b);
        }
        int c = hzi_skip_space(b);
        if ((c == '[' && b->blank && (b->blank_before || hzi_event_ahead(b))) ||
            (r->lost == HZI_LOST_IN_MOVES && hzi_first_number_ahead(b))) {
            break;
        }
        if (c >= 0) {
            hzi_take(b);
        }
    }
    r->lost = HZI_FOUND;
}

/* ---- texts -------------------------------------------------------------------------------------- */

static bool keep_byte(hz_pgn_reader *r, int c) {
    if (r->token_length == HZ_PGN_TOKEN_MAX) {
        return false;
    }
    r->token[r->token_length++] = (char)c;
    return true;
}

/* `length` bytes and a NUL. */
static void copy_text(char *to, const char *from, size_t length) {
    memcpy(to, from, length);
    to[length] = '\0';
}

hz_status hzi_pgn_join(hz_pgn_reader *r, hzi_place at, const char **text, const char *more) {
    if (!*text) {
        *text = more;
        return HZ_OK;
    }
    size_t n = strlen(*text), k = strlen(more), whole = n + 1 + k;
    if (whole > HZ_PGN_TOKEN_MAX) { /* it could be written, but not read again */
        return hzi_pgn_syntax(r, at, "the comments at one place are longer than 65536 bytes");
    }
    char *both;
    memcpy(&both, text, sizeof both); /* made here, so that it may be changed here */
    if (whole >= hzi_text_room(n)) {
        both = hz_arena_alloc(r->arena, hzi_text_room(whole));
        if (!both) {
            return hzi_pgn_bad(r, at, HZ_NO_MEMORY, "no memory for a comment");
        }
        copy_text(both, *text, n);
    }
    both[n] = ' ';
    copy_text(both + n + 1, more, k);
    *text = both;
    return HZ_OK;
}

/* A text that was longer in other characters must not grow beyond what can be read again. */
static bool too_long(const char *text) {
    return text && strlen(text) > HZ_PGN_TOKEN_MAX;
}

hz_status hzi_pgn_comment(hz_pgn_reader *r, const char **text) {
    hzi_bytes *b = &r->bytes;
    hzi_place start = b->at;
    int open = hzi_peek(b), close = open == '{' ? '}' : '\n', c;
    hzi_take(b);
    r->token_length = 0;
    while ((c = hzi_peek(b)) >= 0 && c != close) {
        if (c == '[' && open == '{' && b->blank && b->blank_before && hzi_event_ahead(b)) {
            /* The next game has begun, and is not to be swallowed. */
            return hzi_pgn_syntax(r, start, "a comment is not closed before the next game");
        }
        if (!keep_byte(r, c)) {
            return hzi_pgn_syntax(r, start, "a comment is longer than 65536 bytes");
        }
        hzi_take(b);
    }
    if (c == HZI_PGN_FAILED || (c == HZI_PGN_END && open == '{')) {
        return hzi_pgn_syntax(r, start, "a comment is not closed");
    }
    if (open == '{') {
        hzi_take(b);
    }
    if (!r->keep_comments || r->skipped) {
        return HZ_OK;
    }
    const char *kept = hzi_text_keep(r->arena, r->token, r->token_length, true);
    if (!kept) {
        return hzi_pgn_bad(r, start, HZ_NO_MEMORY, "no memory for a comment");
    }
    if (too_long(kept)) {
        return hzi_pgn_syntax(r, start, "a comment is longer than 65536 bytes");
    }
    return kept[0] ? hzi_pgn_join(r, start, text, kept) : HZ_OK;
}

/* ---- tags ---------------------------------------------------------------------------------------- */

bool hzi_pgn_name_byte(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '+' || c == '#' || c == '=' || c == ':' || c == '-';
}

/* The bytes between the quotation marks into the token; the first mark is next. */
static hz_status read_value(hz_pgn_reader *r, hzi_place start) {
    hzi_bytes *b = &r->bytes;
    int c;
    hzi_take(b);
    r->token_length = 0;
    for (bool escaped = false; (c = hzi_peek(b)) >= 0 && c != '\n' && (c != '"' || escaped);) {
        bool escapes = c == '\\' && !escaped;
        /* A backslash in front of another byte stands for itself. */
        if (!(escapes || c == '"' || c == '\\' || !escaped || keep_byte(r, '\\')) ||
            !(escapes || keep_byte(r, c))) {
            return hzi_pgn_syntax(r, start, "a tag is longer than 65536 bytes");
        }
        escaped = escapes;
        hzi_take(b);
    }
    if (c != '"') {
        return hzi_pgn_syntax(r, start, "a tag's value is not closed on its line");
    }
    hzi_take(b);
    return HZ_OK;
}

static hz_status read_tag(hz_pgn_reader *r, hz_pgn_tag *tag) {
    hzi_bytes *b = &r->bytes;
    hzi_place start = b->at;
    int c;
    hzi_take(b);
    (void)hzi_skip_space(b);
    r->token_length = 0;
    while (hzi_pgn_name_byte(c = hzi_peek(b)) && r->token_length < 255) {
        (void)keep_byte(r, c);
        hzi_take(b);
    }
    if (r->token_length == 0 || hzi_pgn_name_byte(c)) {
        return hzi_pgn_syntax(r, b->at,
                              r->token_length ? "a tag's name is longer than 255 bytes"
                                              : "a tag has no name");
    }
    tag->name = hzi_text_keep(r->arena, r->token, r->token_length, false);
    if (hzi_skip_space(b) != '"') {
        return hzi_pgn_syntax(r, b->at, "a tag's value does not begin with a quotation mark");
    }
    hz_status status = read_value(r, start);
    if (status != HZ_OK) {
        return status;
    }
    tag->value = hzi_text_keep(r->arena, r->token, r->token_length, false);
    if (hzi_skip_space(b) != ']') {
        return hzi_pgn_syntax(r, b->at, "a tag does not end with ']'");
    }
    hzi_take(b);
    if (!tag->name || !tag->value) {
        (void)hzi_pgn_bad(r, start, HZ_NO_MEMORY, "no memory for a tag");
        return HZ_NO_MEMORY;
    }
    return too_long(tag->value) ? hzi_pgn_syntax(r, start, "a tag is longer than 65536 bytes")
                                : HZ_OK;
}

/* Room for one tag more. */
static hz_pgn_tag *more_tags(hz_pgn_reader *r, hz_pgn_tag *tags, size_t count) {
    /* 16, 32, 64, ...: the capacity follows from the count. */
    if (count & (count - 1) || (count > 0 && count < 16)) {
        return tags;
    }
    size_t wanted = count ? 2 * count : 16;
    return hz_arena_grow(r->arena, tags, count * sizeof *tags, wanted * sizeof *tags);
}

/* Reads tags and the comments among them. HZ_NOT_FOUND when there is nothing but comments. */
static hz_status read_tags(hz_pgn_reader *r, hzi_place *fen_at) {
    hzi_bytes *b = &r->bytes;
    hz_pgn_game *game = &r->game;
    hz_pgn_tag *tags = NULL;
    size_t count = 0;
    hz_status status = HZ_OK;
    int c;
    while (status == HZ_OK && ((c = hzi_skip_space(b)) == '[' || c == ';' || c == '{')) {
        hzi_place at = b->at;
        if (c != '[') {
            status = hzi_pgn_comment(r, &game->comment);
            continue;
        }
        if (count == 0) {
            game->comment = NULL; /* what stands before the tags is nobody's */
            game->offset = at.offset;
            game->line = at.line;
        } else if (hzi_event_ahead(b) && hz_pgn_tag_find(game, "Event")) {
            break; /* of the next game: this one has no moves */
        }
        if (count == HZ_PGN_TAGS_MAX) {
            return hzi_pgn_syntax(r, at, "a game has more than 256 tags");
        }
        tags = more_tags(r, tags, count);
        if (!tags) {
            return hzi_pgn_bad(r, at, HZ_NO_MEMORY, "no memory for tags");
        }
        status = read_tag(r, &tags[count]);
        if (status == HZ_OK) {
            if (strcmp(tags[count].name, "FEN") == 0) {
                *fen_at = at;
            }
            game->tags = tags;
            game->tag_count = ++count;
        }
    }
    if (status == HZ_OK && count == 0 && hzi_peek(b) == HZI_PGN_END) {
        return hz_fail(r->err, HZ_NOT_FOUND, HZ_NO_OFFSET, "there are no more games");
    }
    return status;
}

const char *hz_pgn_tag_find(const hz_pgn_game *game, const char *name) {
    for (size_t i = 0; i < game->tag_count; i++) {
        if (strcmp(game->tags[i].name, name) == 0) {
            return game->tags[i].value;
        }
    }
    return NULL;
}

bool hzi_pgn_result_of(const char *text, size_t length, hz_pgn_result *result) {
    static const struct {
        const char *text;
        hz_pgn_result result;
    } known[] = {{"1-0", HZ_PGN_WHITE},
                 {"0-1", HZ_PGN_BLACK},
                 {"1/2-1/2", HZ_PGN_DRAW},
                 {"1/2", HZ_PGN_DRAW},
                 {"*", HZ_PGN_OPEN}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strlen(known[i].text) == length && memcmp(known[i].text, text, length) == 0) {
            *result = known[i].result;
            return true;
        }
    }
    return false;
}

bool hzi_pgn_may_start(const hz_position *start, hz_error *err) {
    switch (hz_chess_validate(start, err)) {
    case HZ_CHESS_SOUND:
    case HZ_CHESS_TOO_MANY_PIECES: /* composed, but it can be played */
    case HZ_CHESS_TOO_MANY_PAWNS:
        return true;
    default:
        return false;
    }
}

/* The start of the game, from its FEN tag when it has one. */
static hz_status find_start(hz_pgn_reader *r, hzi_place fen_at) {
    hz_position *start = &r->game.start;
    const char *fen = hz_pgn_tag_find(&r->game, "FEN");
    hz_error why;
    if (!fen) {
        return hz_chess_from_fen(start, HZ_START_DFEN, strlen(HZ_START_DFEN), r->err);
    }
    if (hz_chess_from_fen(start, fen, strlen(fen), &why) == HZ_OK) {
        hz_chess_repair(start);
        if (hzi_pgn_may_start(start, &why)) {
            return HZ_OK;
        }
    }
    static const char front[] = "the FEN tag: ";
    char text[sizeof why.message + sizeof front];
    memcpy(text, front, sizeof front - 1);
    memcpy(text + sizeof front - 1, why.message, sizeof why.message);
    return hzi_pgn_bad(r, fen_at, HZ_PGN_SYNTAX, text);
}

hz_status hz_pgn_read(hz_pgn_reader *reader, hz_arena *arena, hz_pgn_game *game, hz_error *err) {
    hz_pgn_game *read = &reader->game;
    *read = (hz_pgn_game){.tag_count = 0};
    reader->arena = arena;
    reader->err = err;
    reader->in_moves = false;
    reader->skipped = 0;
    if (reader->lost != HZI_FOUND) {
        find_next_game(reader);
    }
    int c = hzi_skip_space(&reader->bytes);
    hzi_place start = reader->bytes.at;
    if (c == HZI_PGN_FAILED) {
        return hzi_pgn_syntax(reader, start, "");
    }
    read->offset = start.offset;
    read->line = start.line;
    hz_status status = read_tags(reader, &start);
    if (status == HZ_OK) {
        status = find_start(reader, start);
    }
    if (status == HZ_OK) {
        const char *said = hz_pgn_tag_find(read, "Result");
        if (said) {
            (void)hzi_pgn_result_of(said, strlen(said), &read->result);
        }
        reader->in_moves = true;
        status = hzi_pgn_moves(reader);
    }
    reader->broken += status != HZ_OK && status != HZ_IO && status != HZ_NOT_FOUND;
    if (status == HZ_OK) {
        reader->games++;
        *game = *read;
    }
    return status;
}
