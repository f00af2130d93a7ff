/* SPDX-License-Identifier: MIT */
/*
 * PGN written in export format: the seven tags everybody expects, the others as they came, moves in
 * strict SAN, lines of at most 80 columns. A game is looked through before its first byte is
 * written, so that nothing half is.
 */
#include <hazard/chess.h>

#include "chess/pgn.h"

#include <stdio.h>
#include <string.h>

typedef struct writer {
    hz_pgn_sink sink;
    void *context;
    size_t column; /* bytes in the present line */
    bool glue;     /* the next word stands right behind the latest */
    bool failed;
} writer;

static void raw(writer *w, const char *text, size_t length) {
    w->failed = w->failed || !w->sink(w->context, text, length);
}

static void new_line(writer *w) {
    raw(w, "\n", 1);
    w->column = 0;
}

/* A word behind a blank, or on a new line when it does not fit. glued: nothing in front of it. */
static void word(writer *w, const char *text, size_t length, bool glued) {
    if (w->column > 0 && !glued && !w->glue) {
        if (w->column + 1 + length > HZI_PGN_COLUMNS) {
            new_line(w);
        } else {
            raw(w, " ", 1);
            w->column++;
        }
    }
    raw(w, text, length);
    w->column += length;
    w->glue = false;
}

static void comment(writer *w, const char *text) {
    if (strchr(text, '}')) {
        /* Cannot stand in braces; a comment to the end of its line can. */
        word(w, ";", 1, false);
        raw(w, " ", 1);
        raw(w, text, strlen(text));
        new_line(w);
        return;
    }
    bool first = true;
    for (const char *at = text; *at;) {
        size_t n = strcspn(at, " ");
        if (n > 0) {
            if (first) {
                word(w, "{", 1, false);
            }
            word(w, at, n, first);
            first = false;
        }
        at += n;
        at += strspn(at, " ");
    }
    if (!first) {
        word(w, "}", 1, true);
    }
}

static void tag(writer *w, const char *name, const char *value) {
    raw(w, "[", 1);
    raw(w, name, strlen(name));
    raw(w, " \"", 2);
    for (const char *at = value; *at; at++) {
        if (*at == '"' || *at == '\\') {
            raw(w, "\\", 1);
        }
        raw(w, at, 1);
    }
    raw(w, "\"]\n", 3);
}

const char *hz_pgn_result_text(hz_pgn_result result) {
    static const char *const texts[] = {"*", "1-0", "0-1", "1/2-1/2"};
    return texts[result];
}

static const char *const roster[] = {"Event", "Site", "Date", "Round", "White", "Black", "Result"};
enum { ROSTER = sizeof roster / sizeof roster[0] };

static bool written_by_us(const char *name) {
    bool ours = strcmp(name, "FEN") == 0 || strcmp(name, "SetUp") == 0;
    for (int i = 0; i < ROSTER; i++) {
        ours = ours || strcmp(name, roster[i]) == 0;
    }
    return ours;
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
        if (!written_by_us(game->tags[i].name)) {
            tag(w, game->tags[i].name, game->tags[i].value);
        }
    }
    raw(w, "\n", 1);
}

/* Moves of a line and, behind each, its variations. */
static void moves(writer *w, const hz_pgn_move *move, hz_position position) {
    bool numbered = true; /* Black's move needs its number: at the start, behind a comment */
    for (; move; move = move->next) {
        char text[40];
        if (move->comment_before) {
            comment(w, move->comment_before);
            numbered = true;
        }
        if (position.side == HZ_WHITE || numbered) {
            int n = snprintf(text, sizeof text, "%u%s", (unsigned)position.fullmove,
                             position.side == HZ_WHITE ? "." : "...");
            word(w, text, (size_t)n, false);
        }
        char san[HZ_SAN_CAPACITY];
        word(w, san, hz_san_from_move(&position, move->move, san), false);
        numbered = false;
        for (unsigned i = 0; i < move->nag_count; i++) {
            int n = snprintf(text, sizeof text, "$%u", (unsigned)move->nags[i]);
            word(w, text, (size_t)n, false);
        }
        if (move->comment) {
            comment(w, move->comment);
            numbered = true;
        }
        for (const hz_pgn_move *v = move->variation; v; v = v->next_variation) {
            word(w, "(", 1, false);
            w->glue = true;
            moves(w, v, position);
            word(w, ")", 1, true);
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

hz_status hz_pgn_write(const hz_pgn_game *game, hz_pgn_sink sink, void *context, hz_error *err) {
    if (!legal(game->moves, game->start, 0)) {
        return hz_fail(err, HZ_NOT_LEGAL, HZ_NO_OFFSET, "the game holds a move that is not legal");
    }
    writer w = {.sink = sink, .context = context};
    tags(&w, game);
    if (game->comment) {
        comment(&w, game->comment);
    }
    moves(&w, game->moves, game->start);
    const char *result = hz_pgn_result_text(game->result);
    word(&w, result, strlen(result), false);
    raw(&w, "\n\n", 2);
    return w.failed ? hz_fail(err, HZ_IO, HZ_NO_OFFSET, "writing the game failed") : HZ_OK;
}
