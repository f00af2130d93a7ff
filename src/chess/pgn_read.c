/* SPDX-License-Identifier: MIT */
/*
 * PGN read game by game from a source of any size. Bytes are looked at one after the other with
 * their place; a game is a list of tags and a tree of moves in the caller's arena. Whatever breaks
 * a game ends only that game: the reader then looks for the next line that can begin one.
 *
 * Tolerated, because files have it: Latin-1 text, games without tags or without a result, moves in
 * any spelling hz_san_to_move takes, NAGs as "!?", comments to the end of a line, escape lines.
 */
#include <hazard/chess.h>

#include "chess/pgn.h"

#include <stdlib.h>
#include <string.h>

enum { BUFFER = 65536, END = -1, FAILED = -2 };

typedef struct place {
    size_t offset;
    uint32_t line, column;
} place;

struct hz_pgn_reader {
    hz_pgn_source source;
    void *context;
    bool keep_variations, keep_comments;
    bool failed; /* the source did */
    bool lost;   /* an error left the reader inside a game */
    uint64_t games, broken;
    const char *text; /* without a source: what is left in memory */
    size_t text_length;
    size_t begin, end; /* bytes in the buffer */
    place at;          /* of the next byte */
    bool blank_before; /* the line before the present one is blank */
    bool blank;        /* the present line has held blanks only so far */
    char token[HZ_PGN_TOKEN_MAX + 1];
    size_t token_length;
    char buffer[BUFFER];
};

static hz_pgn_reader *make(hz_pgn_source source, void *context, const char *text, size_t length,
                           bool keep_variations, bool keep_comments) {
    hz_pgn_reader *r = malloc(sizeof *r);
    if (r) {
        memset(r, 0, offsetof(hz_pgn_reader, token));
        r->token_length = 0;
        r->source = source;
        r->context = context;
        r->text = text;
        r->text_length = length;
        r->keep_variations = keep_variations;
        r->keep_comments = keep_comments;
        r->at = (place){0, 1, 1};
        r->blank_before = r->blank = true;
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

/* ---- bytes -------------------------------------------------------------------------------------- */

/* The next byte without taking it; END, FAILED. */
static int peek(hz_pgn_reader *r) {
    if (r->begin == r->end) {
        ptrdiff_t got;
        if (r->source) {
            got = r->failed ? -1 : r->source(r->context, r->buffer, BUFFER);
        } else {
            got = (ptrdiff_t)(r->text_length < BUFFER ? r->text_length : BUFFER);
            if (got) {
                memcpy(r->buffer, r->text, (size_t)got);
            }
            r->text += got;
            r->text_length -= (size_t)got;
        }
        if (got <= 0 || got > BUFFER) {
            r->failed = r->failed || got != 0;
            return r->failed ? FAILED : END;
        }
        r->begin = 0;
        r->end = (size_t)got;
    }
    return (unsigned char)r->buffer[r->begin];
}

static void take(hz_pgn_reader *r) {
    unsigned char c = (unsigned char)r->buffer[r->begin++];
    r->at.offset++;
    if (c == '\n') {
        r->at.line++;
        r->at.column = 1;
        r->blank_before = r->blank;
        r->blank = true;
    } else {
        r->at.column += (c & 0xC0u) != 0x80u; /* bytes inside a character do not count */
        r->blank = r->blank && (c == ' ' || c == '\t' || c == '\r');
    }
}

static bool is_blank(int c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f' || c == 0xFEFF;
}

static void skip_line(hz_pgn_reader *r) {
    int c;
    while ((c = peek(r)) >= 0 && c != '\n') {
        take(r);
    }
}

/* Skips white space and escape lines ("%..." in the first column). */
static int skip_blanks(hz_pgn_reader *r) {
    int c;
    while ((c = peek(r)) >= 0) {
        if (c == '%' && r->at.column == 1) {
            skip_line(r);
        } else if (is_blank(c) || (r->at.offset < 3 && (c == 0xEF || c == 0xBB || c == 0xBF))) {
            take(r); /* a byte order mark counts as white space */
        } else {
            break;
        }
    }
    return c;
}

static bool keep_byte(hz_pgn_reader *r, int c) {
    if (r->token_length == HZ_PGN_TOKEN_MAX) {
        return false;
    }
    r->token[r->token_length++] = (char)c;
    r->token[r->token_length] = '\0';
    return true;
}

/* ---- errors and recovery ------------------------------------------------------------------------ */

static hz_status bad(hz_pgn_reader *r, place at, hz_error *err, hz_status code, const char *text) {
    (void)hz_fail(err, code, at.offset, "%s", text);
    if (err) {
        err->line = at.line;
        err->column = at.column;
    }
    r->lost = true;
    return code;
}

static hz_status syntax(hz_pgn_reader *r, place at, hz_error *err, const char *text) {
    return r->failed ? bad(r, at, err, HZ_IO, "reading the games failed")
                     : bad(r, at, err, HZ_PGN_SYNTAX, text);
}

/* After an error: goes to the next line that can begin a game, a tag behind a blank line or an
 * Event tag. */
static void find_next_game(hz_pgn_reader *r) {
    int c;
    while ((c = peek(r)) >= 0) {
        if (r->at.column != 1) {
            skip_line(r);
            if (peek(r) >= 0) {
                take(r);
            }
            continue;
        }
        if (c == '[' && r->blank_before) {
            break;
        }
        if (c == '[') {
            /* Without a blank line only "[Event " begins a game; the tag is read where it stands. */
            static const char event[] = "[Event ";
            size_t have = r->end - r->begin;
            if (have >= sizeof event - 1 &&
                memcmp(r->buffer + r->begin, event, sizeof event - 1) == 0) {
                break;
            }
        }
        if (c == '\n') {
            take(r);
        } else {
            skip_line(r);
        }
    }
    r->lost = false;
}

/* ---- texts -------------------------------------------------------------------------------------- */

/* Length of the UTF-8 character at text, 0 when it is none. */
static size_t utf8_length(const unsigned char *text, size_t left) {
    size_t n = text[0] < 0x80                       ? 1
               : text[0] >= 0xC2 && text[0] <= 0xDF ? 2
               : text[0] >= 0xE0 && text[0] <= 0xEF ? 3
               : text[0] >= 0xF0 && text[0] <= 0xF4 ? 4
                                                    : 0;
    if (n == 0 || n > left) {
        return 0;
    }
    for (size_t i = 1; i < n; i++) {
        if ((text[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    if ((text[0] == 0xE0 && text[1] < 0xA0) || (text[0] == 0xED && text[1] > 0x9F) ||
        (text[0] == 0xF0 && text[1] < 0x90) || (text[0] == 0xF4 && text[1] > 0x8F)) {
        return 0;
    }
    return n;
}

/* The token as UTF-8 in the arena: as it is, or read as Latin-1 when it is no UTF-8. Control
 * characters become blanks. */
static const char *keep_text(hz_pgn_reader *r, hz_arena *arena) {
    const unsigned char *text = (const unsigned char *)r->token;
    size_t length = r->token_length;
    bool utf8 = true;
    for (size_t i = 0, n; utf8 && i < length; i += n) {
        n = utf8_length(text + i, length - i);
        utf8 = n > 0;
    }
    char *kept = hz_arena_alloc(arena, (utf8 ? length : 2 * length) + 1);
    if (!kept) {
        return NULL;
    }
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = text[i];
        if (c < 32 || c == 127) {
            kept[n++] = ' ';
        } else if (utf8 || c < 128) {
            kept[n++] = (char)c;
        } else {
            kept[n++] = (char)(0xC0 | c >> 6);
            kept[n++] = (char)(0x80 | (c & 0x3F));
        }
    }
    kept[n] = '\0';
    return kept;
}

/* Reads a comment up to its end into the token. The opening byte was seen, not taken. */
static hz_status read_comment(hz_pgn_reader *r, hz_error *err) {
    place start = r->at;
    int open = peek(r), c;
    take(r);
    r->token_length = 0;
    r->token[0] = '\0';
    while ((c = peek(r)) >= 0 && c != (open == '{' ? '}' : '\n')) {
        if (!keep_byte(r, c == '\n' || c == '\r' ? ' ' : c)) {
            return syntax(r, start, err, "a comment is longer than 65536 bytes");
        }
        take(r);
    }
    if (c < 0 && open == '{') {
        return syntax(r, start, err, "a comment is not closed");
    }
    if (c >= 0 && open == '{') {
        take(r);
    }
    while (r->token_length > 0 && r->token[r->token_length - 1] == ' ') {
        r->token[--r->token_length] = '\0';
    }
    return HZ_OK;
}

/* ---- tags ---------------------------------------------------------------------------------------- */

static bool tag_name_byte(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static hz_status read_tag(hz_pgn_reader *r, hz_arena *arena, hz_pgn_tag *tag, hz_error *err) {
    place start = r->at;
    int c;
    take(r);
    (void)skip_blanks(r);
    r->token_length = 0;
    r->token[0] = '\0';
    while (tag_name_byte(c = peek(r)) && r->token_length < 255) {
        (void)keep_byte(r, c);
        take(r);
    }
    if (r->token_length == 0) {
        return syntax(r, r->at, err, "a tag has no name");
    }
    tag->name = keep_text(r, arena);
    c = skip_blanks(r);
    if (c != '"') {
        return syntax(r, r->at, err, "a tag's value does not begin with a quotation mark");
    }
    take(r);
    r->token_length = 0;
    r->token[0] = '\0';
    while ((c = peek(r)) >= 0 && c != '"' && c != '\n') {
        if (c == '\\') {
            take(r);
            c = peek(r);
            if (c < 0 || c == '\n') {
                break;
            }
            if (c != '"' && c != '\\' && !keep_byte(r, '\\')) {
                return syntax(r, start, err, "a tag is longer than 65536 bytes");
            }
        }
        if (!keep_byte(r, c)) {
            return syntax(r, start, err, "a tag is longer than 65536 bytes");
        }
        take(r);
    }
    if (c != '"') {
        return syntax(r, start, err, "a tag's value is not closed on its line");
    }
    take(r);
    tag->value = keep_text(r, arena);
    c = skip_blanks(r);
    if (c != ']') {
        return syntax(r, r->at, err, "a tag does not end with ']'");
    }
    take(r);
    return tag->name && tag->value ? HZ_OK
                                   : bad(r, start, err, HZ_NO_MEMORY, "no memory for a tag");
}

static hz_status read_tags(hz_pgn_reader *r, hz_arena *arena, hz_pgn_game *game, hz_error *err) {
    hz_pgn_tag *tags = NULL;
    size_t capacity = 0;
    int c;
    while ((c = skip_blanks(r)) == '[' || c == ';' || (c == '{' && game->tag_count == 0)) {
        if (c != '[') {
            hz_status status = read_comment(r, err); /* before the tags: nobody's */
            if (status != HZ_OK) {
                return status;
            }
            continue;
        }
        if (game->tag_count == HZ_PGN_TAGS_MAX) {
            return syntax(r, r->at, err, "a game has more than 256 tags");
        }
        if (game->tag_count == capacity) {
            size_t more = capacity ? 2 * capacity : 16;
            tags = hz_arena_grow(arena, tags, capacity * sizeof *tags, more * sizeof *tags);
            if (!tags) {
                return bad(r, r->at, err, HZ_NO_MEMORY, "no memory for tags");
            }
            capacity = more;
            game->tags = tags;
        }
        hz_status status = read_tag(r, arena, &tags[game->tag_count], err);
        if (status != HZ_OK) {
            return status;
        }
        game->tag_count++;
    }
    return HZ_OK;
}

const char *hz_pgn_tag_find(const hz_pgn_game *game, const char *name) {
    for (size_t i = 0; i < game->tag_count; i++) {
        if (strcmp(game->tags[i].name, name) == 0) {
            return game->tags[i].value;
        }
    }
    return NULL;
}

/* The start of the game, from its FEN tag when it has one. */
static hz_status find_start(hz_pgn_reader *r, place at, hz_pgn_game *game, hz_error *err) {
    const char *fen = hz_pgn_tag_find(game, "FEN");
    if (!fen) {
        fen = HZ_START_DFEN;
    }
    hz_error why;
    if (hz_chess_from_fen(&game->start, fen, strlen(fen), &why) == HZ_OK) {
        hz_chess_repair(&game->start);
        hz_chess_flaw flaw = hz_chess_validate(&game->start, &why);
        if (flaw == HZ_CHESS_SOUND || flaw == HZ_CHESS_TOO_MANY_PIECES ||
            flaw == HZ_CHESS_TOO_MANY_PAWNS) {
            return HZ_OK;
        }
    }
    (void)bad(r, at, err, HZ_PGN_SYNTAX, "");
    if (err) {
        place kept = {err->offset, err->line, err->column};
        (void)hz_fail(err, HZ_PGN_SYNTAX, kept.offset, "the FEN tag: %.200s", why.message);
        err->line = kept.line;
        err->column = kept.column;
    }
    return HZ_PGN_SYNTAX;
}

/* ---- moves ---------------------------------------------------------------------------------------- */

/* A line of moves under way: the main line or a variation. */
typedef struct line {
    hz_position before, now; /* around its latest move */
    hz_pgn_move *first, *last;
    hz_pgn_move *latest_variation; /* first move of the latest variation of `last` */
    const char *comment;           /* waits for the move that follows it */
} line;

typedef struct movetext {
    hz_pgn_reader *r;
    hz_arena *arena;
    hz_pgn_game *game;
    hz_error *err;
    int depth;     /* of the line being read, 0 = main line */
    int skipped;   /* open brackets of variations that are not kept */
    size_t plies;  /* of all lines */
    bool finished; /* a result was read */
    line lines[HZ_PGN_DEPTH_MAX + 1];
} movetext;

static hz_status no_memory(movetext *m) {
    return bad(m->r, m->r->at, m->err, HZ_NO_MEMORY, "no memory for the moves");
}

/* Joins two comments at one place. */
static const char *join(hz_arena *arena, const char *a, const char *b) {
    if (!a || !b) {
        return a ? a : b;
    }
    size_t n = strlen(a), k = strlen(b);
    char *both = hz_arena_alloc(arena, n + k + 2);
    if (both) {
        memcpy(both, a, n);
        both[n] = ' ';
        memcpy(both + n + 1, b, k + 1);
    }
    return both;
}

static hz_status add_comment(movetext *m) {
    hz_status status = read_comment(m->r, m->err);
    if (status != HZ_OK || !m->r->keep_comments || m->skipped || m->r->token_length == 0) {
        return status;
    }
    line *at = &m->lines[m->depth];
    const char *text = keep_text(m->r, m->arena);
    const char **where = !at->last && m->depth == 0          ? &m->game->comment
                         : at->last && !at->latest_variation ? &at->last->comment
                                                             : &at->comment;
    *where = text ? join(m->arena, *where, text) : NULL;
    return *where ? HZ_OK : no_memory(m);
}

static hz_status add_nag(movetext *m, place at, int nag) {
    hz_pgn_move *move = m->lines[m->depth].last;
    if (m->skipped) {
        return HZ_OK;
    }
    if (!move) {
        return m->depth == 0 && nag >= 0 ? HZ_OK /* seen in the wild: belongs to nothing */
                                         : syntax(m->r, at, m->err, "a NAG stands before a move");
    }
    if (nag < 0 || nag > 255) {
        return syntax(m->r, at, m->err, "a NAG is a number from 0 to 255");
    }
    if (move->nag_count < sizeof move->nags) {
        move->nags[move->nag_count++] = (uint8_t)nag;
    }
    return HZ_OK;
}

static hz_status open_variation(movetext *m, place at) {
    line *outer = &m->lines[m->depth];
    if (m->skipped || !m->r->keep_variations) {
        if (m->skipped == HZ_PGN_DEPTH_MAX) {
            return syntax(m->r, at, m->err, "variations are nested more than 64 deep");
        }
        m->skipped++;
        return HZ_OK;
    }
    if (!outer->last) {
        return syntax(m->r, at, m->err, "a variation stands before the first move");
    }
    if (m->depth == HZ_PGN_DEPTH_MAX) {
        return syntax(m->r, at, m->err, "variations are nested more than 64 deep");
    }
    m->lines[++m->depth] = (line){.before = outer->before, .now = outer->before};
    return HZ_OK;
}

static hz_status close_variation(movetext *m, place at) {
    if (m->skipped) {
        m->skipped--;
        return HZ_OK;
    }
    if (m->depth == 0) {
        return syntax(m->r, at, m->err, "a variation is closed that was not opened");
    }
    line *inner = &m->lines[m->depth--], *outer = &m->lines[m->depth];
    if (!inner->first) {
        return HZ_OK; /* "()" */
    }
    if (outer->latest_variation) {
        outer->latest_variation->next_variation = inner->first;
    } else {
        outer->last->variation = inner->first;
    }
    outer->latest_variation = inner->first;
    return HZ_OK;
}

static hz_status add_move(movetext *m, place at, const char *text, size_t length) {
    line *l = &m->lines[m->depth];
    if (m->skipped) {
        return HZ_OK;
    }
    hz_move played;
    hz_error why;
    hz_status status = hz_san_to_move(&l->now, text, length, &played, &why);
    if (status != HZ_OK) {
        return bad(m->r, at, m->err, status == HZ_MOVE_TEXT ? HZ_PGN_SYNTAX : status, why.message);
    }
    if (++m->plies > HZ_PGN_PLIES_MAX) {
        return syntax(m->r, at, m->err, "a game has more than 20000 moves");
    }
    hz_pgn_move *move = hz_arena_alloc(m->arena, sizeof *move);
    if (!move) {
        return no_memory(m);
    }
    *move = (hz_pgn_move){.move = played, .comment_before = l->comment};
    if (l->last) {
        l->last->next = move;
    } else {
        l->first = move;
    }
    l->last = move;
    l->latest_variation = NULL;
    l->comment = NULL;
    l->before = l->now;
    hz_chess_play(&l->now, played, &l->now);
    m->game->plies += m->depth == 0;
    return HZ_OK;
}

static bool result_of(const char *text, size_t length, hz_pgn_result *result) {
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

/* "!", "?!" and so on as NAGs 1 to 6; 0 when it is none of them. */
static int glyph(const char *text, size_t length) {
    static const char *const glyphs[] = {"!", "?", "!!", "??", "!?", "?!"};
    for (int i = 0; i < 6; i++) {
        if (strlen(glyphs[i]) == length && memcmp(glyphs[i], text, length) == 0) {
            return i + 1;
        }
    }
    return 0;
}

/* A word: result, move number, move with a glyph behind it, or a glyph alone. */
static hz_status read_word(movetext *m) {
    hz_pgn_reader *r = m->r;
    place start = r->at;
    int c;
    r->token_length = 0;
    r->token[0] = '\0';
    while ((c = peek(r)) >= 0 && !is_blank(c) && !strchr("(){}[];$", c)) {
        if (r->token_length == 64) {
            return syntax(r, start, m->err, "a word of more than 64 bytes is no move");
        }
        (void)keep_byte(r, c);
        take(r);
    }
    const char *text = r->token;
    size_t length = r->token_length;
    hz_pgn_result result;
    if (length == 0 && c == 0) {
        return syntax(r, start, m->err, "a NUL byte stands among the moves");
    }
    if (length == 0) { /* a stray '}' or ']' */
        return syntax(r, start, m->err, "a closing bracket without its opening one");
    }
    if (result_of(text, length, &result)) {
        if (m->skipped || m->depth) {
            return HZ_OK; /* some write a result into a variation */
        }
        m->game->result = result;
        m->finished = true;
        return HZ_OK;
    }
    size_t digits = 0;
    while (digits < length && text[digits] >= '0' && text[digits] <= '9') {
        digits++;
    }
    if (digits > 0 && (digits == length || text[digits] == '.')) {
        while (digits < length && text[digits] == '.') {
            digits++;
        }
        text += digits;
        length -= digits;
    } else {
        while (length > 0 && text[0] == '.') {
            text++;
            length--;
        }
    }
    size_t end = length;
    while (end > 0 && (text[end - 1] == '!' || text[end - 1] == '?')) {
        end--;
    }
    hz_status status = end > 0 ? add_move(m, start, text, end) : HZ_OK;
    if (status == HZ_OK && end < length) {
        int nag = glyph(text + end, length - end);
        status = nag ? add_nag(m, start, nag) : HZ_OK;
    }
    return status;
}

static hz_status read_nag(movetext *m) {
    hz_pgn_reader *r = m->r;
    place start = r->at;
    int nag = -1, c;
    take(r);
    while ((c = peek(r)) >= '0' && c <= '9') {
        nag = nag < 0 ? c - '0' : nag < 1000 ? 10 * nag + c - '0' : nag;
        take(r);
    }
    if (nag < 0 || nag > 255) {
        return syntax(r, start, m->err, "a NAG is '$' and a number from 0 to 255");
    }
    return add_nag(m, start, nag);
}

static hz_status read_moves(movetext *m) {
    hz_pgn_reader *r = m->r;
    for (;;) {
        int c = skip_blanks(r);
        place at = r->at;
        hz_status status = HZ_OK;
        if (m->finished) {
            return HZ_OK;
        }
        if (c < 0 || (c == '[' && r->at.column == 1)) {
            if (m->depth || m->skipped) {
                return syntax(r, at, m->err, "a variation is not closed");
            }
            return r->failed ? syntax(r, at, m->err, "") : HZ_OK; /* the result is missing */
        }
        switch (c) {
        case '{':
        case ';':
            status = add_comment(m);
            break;
        case '(':
            take(r);
            status = open_variation(m, at);
            break;
        case ')':
            take(r);
            status = close_variation(m, at);
            break;
        case '$':
            status = read_nag(m);
            break;
        default:
            status = read_word(m);
        }
        if (status != HZ_OK) {
            return status;
        }
    }
}

hz_status hz_pgn_read(hz_pgn_reader *reader, hz_arena *arena, hz_pgn_game *game, hz_error *err) {
    if (reader->lost) {
        find_next_game(reader);
    }
    int c = skip_blanks(reader);
    if (c == END) {
        return hz_fail(err, HZ_NOT_FOUND, HZ_NO_OFFSET, "there are no more games");
    }
    if (c == FAILED) {
        return hz_fail(err, HZ_IO, reader->at.offset, "reading the games failed");
    }
    place start = reader->at;
    hz_pgn_game read = {.offset = start.offset, .line = start.line};
    movetext *m = malloc(sizeof *m);
    hz_status status;
    if (!m) {
        status = bad(reader, start, err, HZ_NO_MEMORY, "no memory for a game");
    } else {
        status = read_tags(reader, arena, &read, err);
    }
    if (status == HZ_OK) {
        status = find_start(reader, start, &read, err);
    }
    if (status == HZ_OK) {
        m->r = reader;
        m->arena = arena;
        m->game = &read;
        m->err = err;
        m->depth = m->skipped = 0;
        m->plies = 0;
        m->finished = false;
        m->lines[0] = (line){.before = read.start, .now = read.start};
        const char *said = hz_pgn_tag_find(&read, "Result");
        if (said) {
            (void)result_of(said, strlen(said), &read.result);
        }
        status = read_moves(m);
        read.moves = m->lines[0].first;
    }
    free(m);
    if (status == HZ_OK) {
        reader->games++;
        *game = read;
    } else {
        reader->broken += status != HZ_IO;
    }
    return status;
}
