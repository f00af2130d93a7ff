/* SPDX-License-Identifier: MIT */
/*
 * PGN written in export format: the seven tags everybody expects, the others as they came, moves in
 * strict SAN, lines of at most 80 bytes. A game is looked through before its first byte is written,
 * so that nothing half is. White space in comments is not kept: lines break there.
 */
#include "chess/pgn.h"

#include <stdio.h>
#include <string.h>

enum { COLUMNS = 80, BUFFER = 4096 };

typedef struct writer {
    hz_pgn_sink sink;
    void *context;
    bool failed;
    size_t column;      /* bytes in the present line */
    size_t word_length; /* of the word that is not in the line yet, for it may still grow */
    bool word_is_long;  /* the word did not fit and is being written as it comes */
    size_t used;
    char word[COLUMNS];
    char buffer[BUFFER];
} writer;

/* ---- bytes and words ----------------------------------------------------------------------------- */

static void flush(writer *w) {
    w->failed = w->failed || (w->used > 0 && !w->sink(w->context, w->buffer, w->used));
    w->used = 0;
}

static void raw(writer *w, const char *text, size_t length) {
    while (length > 0) {
        size_t n = BUFFER - w->used;
        n = n < length ? n : length;
        memcpy(w->buffer + w->used, text, n);
        w->used += n;
        w->column += n;
        text += n;
        length -= n;
        if (w->used == BUFFER) {
            flush(w);
        }
    }
}

static void new_line(writer *w) {
    raw(w, "\n", 1);
    w->column = 0;
}

/* Brings the word into the line, or into a new one. */
static void place_word(writer *w, bool fits) {
    if (w->column > 0 && (!fits || w->column + 1 + w->word_length > COLUMNS)) {
        new_line(w);
    } else if (w->column > 0) {
        raw(w, " ", 1);
    }
    /* A line that begins with '%' is none to a reader, one with '[' looks like a tag. */
    if (w->column == 0 && w->word_length > 0 && (w->word[0] == '%' || w->word[0] == '[')) {
        raw(w, " ", 1);
    }
    raw(w, w->word, w->word_length);
    w->word_length = 0;
}

/* Adds to the present word. */
static void add(writer *w, const char *text, size_t length) {
    if (!w->word_is_long && w->word_length + length <= COLUMNS) {
        memcpy(w->word + w->word_length, text, length);
        w->word_length += length;
        return;
    }
    if (!w->word_is_long) {
        if (w->word_length == 0) { /* so that its first byte is looked at */
            w->word[w->word_length++] = *text++;
            length--;
        }
        place_word(w, false);
        w->word_is_long = true;
    }
    raw(w, text, length);
}

static void end_word(writer *w) {
    if (!w->word_is_long && w->word_length > 0) {
        place_word(w, true);
    }
    w->word_is_long = false;
}

static void word(writer *w, const char *text) {
    add(w, text, strlen(text));
    end_word(w);
}

/* ---- comments and tags --------------------------------------------------------------------------- */

static bool separates(char c) {
    return (unsigned char)c <= ' ' || c == 127;
}

/* The next word of a text, *length 0 at its end. */
static const char *next_word(const char *text, size_t *length) {
    while (*text && separates(*text)) {
        text++;
    }
    *length = 0;
    while (!separates(text[*length])) {
        ++*length;
    }
    return text;
}

/* A comment; whether there was anything in it. */
static bool comment(writer *w, const char *text) {
    size_t n = 0;
    const char *at = text ? next_word(text, &n) : NULL;
    if (!at || n == 0) {
        return false;
    }
    /* What cannot stand in braces can behind a semicolon, where its line must not break. */
    bool braces = strchr(text, '}') == NULL;
    add(w, braces ? "{" : ";", 1);
    if (!braces) {
        end_word(w);
    }
    while (n > 0) {
        const char *this = at;
        size_t length = n;
        at = next_word(at + n, &n);
        if (braces) {
            add(w, this, length);
            add(w, "}", n == 0);
            end_word(w);
        } else {
            raw(w, " ", 1);
            raw(w, this, length);
        }
    }
    if (!braces) {
        new_line(w);
    }
    return true;
}

static void tag(writer *w, const char *name, const char *value) {
    raw(w, "[", 1);
    raw(w, name, strlen(name));
    raw(w, " \"", 2);
    for (const char *at = value; *at; at++) {
        if (*at == '"' || *at == '\\') {
            raw(w, "\\", 1);
        }
        raw(w, separates(*at) ? " " : at, 1);
    }
    raw(w, "\"]", 2);
    new_line(w);
}

const char *hz_pgn_result_text(hz_pgn_result result) {
    static const char *const texts[] = {"*", "1-0", "0-1", "1/2-1/2"};
    return texts[(unsigned)result < 4 ? (unsigned)result : 0];
}

static const char *const roster[] = {"Event", "Site", "Date", "Round", "White", "Black", "Result"};
enum { ROSTER = sizeof roster / sizeof roster[0] };

/* Tags that are written in their own place. */
static bool has_its_place(const char *name) {
    bool has = strcmp(name, "FEN") == 0 || strcmp(name, "SetUp") == 0;
    for (int i = 0; i < ROSTER; i++) {
        has = has || strcmp(name, roster[i]) == 0;
    }
    return has;
}

static void tags(writer *w, const hz_pgn_game *game) {
    for (int i = 0; i < ROSTER; i++) {
        const char *value = hz_pgn_tag_find(game, roster[i]);
        if (i == ROSTER - 1) {
            value = hz_pgn_result_text(game->result);
        }
        tag(w, roster[i], value ? value : i == 2 ? "????.??.??" : "?");
    }
    char fen[HZ_DFEN_CAPACITY];
    (void)hz_chess_to_fen(&game->start, fen, sizeof fen);
    if (strcmp(fen, HZ_START_DFEN) != 0) {
        tag(w, "SetUp", "1");
        tag(w, "FEN", fen);
    }
    for (size_t i = 0; i < game->tag_count; i++) {
        if (!has_its_place(game->tags[i].name)) {
            tag(w, game->tags[i].name, game->tags[i].value);
        }
    }
    new_line(w);
}

/* ---- moves ---------------------------------------------------------------------------------------- */

/* Moves of a line and, behind each, its variations. */
static void moves(writer *w, const hz_pgn_move *move, hz_position position) {
    bool numbered = true; /* Black's move needs its number: at the start, behind a comment */
    for (; move; move = move->next) {
        char text[HZ_SAN_CAPACITY + 16];
        numbered = comment(w, move->comment_before) || numbered;
        if (position.side == HZ_WHITE || numbered) {
            int n = snprintf(text, sizeof text, "%u%s", (unsigned)position.fullmove,
                             position.side == HZ_WHITE ? "." : "...");
            add(w, text, (size_t)n);
            end_word(w);
        }
        (void)hz_san_from_move(&position, move->move, text);
        word(w, text);
        for (unsigned i = 0; i < move->nag_count && i < sizeof move->nags; i++) {
            (void)snprintf(text, sizeof text, "$%u", (unsigned)move->nags[i]);
            word(w, text);
        }
        numbered = comment(w, move->comment);
        for (const hz_pgn_move *v = move->variation; v; v = v->next_variation) {
            word(w, "(");
            moves(w, v, position);
            word(w, ")");
            numbered = true;
        }
        hz_chess_play(&position, move->move, &position);
    }
}

/* Whether every move of a line and its variations is legal; depth guards the recursion. */
static bool legal(const hz_pgn_move *move, hz_position position, int depth) {
    for (; move; move = move->next) {
        if (depth > HZ_PGN_DEPTH_MAX || !hz_chess_is_legal(&position, move->move)) {
            return false;
        }
        for (const hz_pgn_move *v = move->variation; v; v = v->next_variation) {
            if (!legal(v, position, depth + 1)) {
                return false;
            }
        }
        hz_chess_play(&position, move->move, &position);
    }
    return true;
}

static hz_status check(const hz_pgn_game *game, hz_error *err) {
    hz_error why;
    if (!hzi_pgn_may_start(&game->start, &why)) {
        return hz_fail(err, HZ_NOT_LEGAL, HZ_NO_OFFSET, "no game begins like this: %.500s",
                       why.message);
    }
    if (!legal(game->moves, game->start, 0)) {
        return hz_fail(err, HZ_NOT_LEGAL, HZ_NO_OFFSET, "the game holds a move that is not legal");
    }
    for (size_t i = 0; i < game->tag_count; i++) {
        const char *name = game->tags[i].name;
        size_t n = 0;
        while (hzi_pgn_name_byte((unsigned char)name[n])) {
            n++;
        }
        if (n == 0 || n > 255 || name[n]) {
            return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET, "'%s' is no name of a tag",
                           hzi_quote(name, strlen(name)).text);
        }
    }
    return HZ_OK;
}

hz_status hz_pgn_write(const hz_pgn_game *game, hz_pgn_sink sink, void *context, hz_error *err) {
    hz_status status = check(game, err);
    if (status != HZ_OK) {
        return status;
    }
    writer w;
    memset(&w, 0, offsetof(writer, word));
    w.sink = sink;
    w.context = context;
    tags(&w, game);
    (void)comment(&w, game->comment);
    moves(&w, game->moves, game->start);
    word(&w, hz_pgn_result_text(game->result));
    raw(&w, "\n\n", 2);
    flush(&w);
    return w.failed ? hz_fail(err, HZ_IO, HZ_NO_OFFSET, "writing the game failed") : HZ_OK;
}
