/* SPDX-License-Identifier: MIT */
/*
 * What the parts of the PGN reader share: the bytes with their places (pgn_bytes.c), tags and the
 * way from game to game (pgn_read.c), the moves (pgn_moves.c); and what the writer must know of it.
 */
#ifndef HAZARD_CHESS_PGN_H
#define HAZARD_CHESS_PGN_H

#include <hazard/chess.h>

#include "chess/text.h"

/* ---- bytes ---------------------------------------------------------------------------------------- */

/* Instead of a byte: the text is over, the source failed. */
enum { HZI_PGN_END = -1, HZI_PGN_FAILED = -2 };

typedef struct hzi_place {
    size_t offset;
    uint32_t line, column; /* from 1; columns count characters */
} hzi_place;

enum { HZI_PGN_BUFFER = 65536, HZI_PGN_AHEAD = 8 };

typedef struct hzi_bytes {
    hz_pgn_source source; /* NULL: all of the text lies between next and stop */
    void *context;
    const char *next, *stop;
    hzi_place at;      /* of the next byte */
    bool blank_before; /* the line before the present one is blank */
    bool blank;        /* the present line has held blanks only so far */
    bool ended, failed;
    char buffer[HZI_PGN_BUFFER];
} hzi_bytes;

/* Asks the source when nothing is left: the next byte, HZI_PGN_END, HZI_PGN_FAILED. */
int hzi_bytes_refill(hzi_bytes *bytes);
/* How many bytes can be looked at from bytes->next on: at least n <= HZI_PGN_AHEAD, less only at the
 * end. */
size_t hzi_bytes_ahead(hzi_bytes *bytes, size_t n);

/* The next byte without taking it, or one of the two above. */
static inline int hzi_peek(hzi_bytes *bytes) {
    return bytes->next != bytes->stop ? (unsigned char)*bytes->next : hzi_bytes_refill(bytes);
}

/* Takes the byte that was looked at. */
static inline void hzi_take(hzi_bytes *bytes) {
    unsigned char c = (unsigned char)*bytes->next++;
    bytes->at.offset++;
    if (c == '\n') {
        bytes->at.line++;
        bytes->at.column = 1;
        bytes->blank_before = bytes->blank;
        bytes->blank = true;
    } else {
        bytes->at.column += (c & 0xC0u) != 0x80u; /* bytes inside a character do not count */
        bytes->blank = bytes->blank && hzi_is_space(c);
    }
}

/* Goes to the end of the line. */
void hzi_skip_line(hzi_bytes *bytes);
/* Skips white space and escape lines ("%..." in the first column); then as hzi_peek. */
int hzi_skip_space(hzi_bytes *bytes);
/* Whether an Event tag begins here. */
bool hzi_event_ahead(hzi_bytes *bytes);
/* Whether the first move number of a game begins here, at the start of a line behind a blank one. */
bool hzi_first_number_ahead(hzi_bytes *bytes);

/* ---- the reader ----------------------------------------------------------------------------------- */

/* A line of moves under way: the main line or a variation. */
typedef struct hzi_pgn_line {
    hz_position before, now; /* around its latest move */
    hz_pgn_move *first, *last;
    hz_pgn_move *latest_variation; /* first move of the latest variation of `last` */
    const char *comment;           /* waits for the move that follows it */
    uint8_t nag_count, nags[8];    /* so do these */
} hzi_pgn_line;

struct hz_pgn_reader {
    hzi_bytes bytes;
    bool keep_variations, keep_comments;
    enum { HZI_FOUND, HZI_LOST_IN_TAGS, HZI_LOST_IN_MOVES } lost; /* where an error left it */
    uint64_t games, broken;
    /* the game being read */
    hz_arena *arena;
    hz_pgn_game game;
    hz_error *err;
    bool in_moves;
    int depth;    /* of the line being read, 0 = main line */
    int skipped;  /* open brackets of variations that are not kept */
    size_t plies; /* of all lines */
    hzi_pgn_line lines[HZ_PGN_DEPTH_MAX + 1];
    size_t token_length;
    char token[HZ_PGN_TOKEN_MAX];
};

/* Ends a game with an error; returns the code. syntax: HZ_PGN_SYNTAX, or HZ_IO when the truth is
 * that the source failed. */
hz_status hzi_pgn_bad(hz_pgn_reader *r, hzi_place at, hz_status code, const char *text);
hz_status hzi_pgn_syntax(hz_pgn_reader *r, hzi_place at, const char *text);

/* Reads a comment whose opening byte is next. *text: joined with what it was before; NULL stays NULL
 * when there is nothing to keep. */
hz_status hzi_pgn_comment(hz_pgn_reader *r, const char **text);
/* Puts a text of hzi_text_keep behind another one of it (NULL = none), a blank between them. */
hz_status hzi_pgn_join(hz_pgn_reader *r, hzi_place at, const char **text, const char *more);

/* Whether a text is a result. */
bool hzi_pgn_result_of(const char *text, size_t length, hz_pgn_result *result);
/* Whether a game may begin with this position. */
bool hzi_pgn_may_start(const hz_position *start, hz_error *err);
/* Bytes of a tag's name. */
bool hzi_pgn_name_byte(int c);

/* Reads the moves of r->game up to its result, the tags of another game, or the end. */
hz_status hzi_pgn_moves(hz_pgn_reader *r);

#endif
