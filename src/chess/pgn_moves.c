/* SPDX-License-Identifier: MIT */
/*
 * The moves of a PGN game: words, comments, NAGs and variations become a tree in the arena, every
 * move checked against the position it is played in. Variations that are not kept are walked over
 * by their brackets.
 */
#include "chess/pgn.h"

#include <string.h>

static hz_status no_memory(hz_pgn_reader *r) {
    return hzi_pgn_bad(r, r->bytes.at, HZ_NO_MEMORY, "no memory for the moves");
}

/* ---- comments and NAGs --------------------------------------------------------------------------- */

/* Where a comment at this place belongs: to the game before its first move, to the latest move, or
 * behind a variation to the move that comes. */
static const char **comment_place(hz_pgn_reader *r) {
    hzi_pgn_line *at = &r->lines[r->depth];
    return !at->last && r->depth == 0          ? &r->game.comment
           : at->last && !at->latest_variation ? &at->last->comment
                                               : &at->comment;
}

/* A line is over: a comment that still waits for a move belongs to the latest one. */
static hz_status end_line(hz_pgn_reader *r, hzi_pgn_line *ended) {
    if (!ended->comment) {
        return HZ_OK;
    }
    const char **where = ended->last ? &ended->last->comment : comment_place(r);
    const char *waiting = ended->comment;
    ended->comment = NULL;
    return hzi_pgn_join(r, r->bytes.at, where, waiting);
}

static hz_status add_nag(hz_pgn_reader *r, unsigned nag) {
    hzi_pgn_line *at = &r->lines[r->depth];
    if (r->skipped) {
        return HZ_OK;
    }
    /* In front of the first move of a line it waits, as comments do. */
    uint8_t *count = at->last ? &at->last->nag_count : &at->nag_count;
    uint8_t *nags = at->last ? at->last->nags : at->nags;
    if (*count < sizeof at->nags) {
        nags[(*count)++] = (uint8_t)nag;
    }
    return HZ_OK;
}

static hz_status read_nag(hz_pgn_reader *r) {
    hzi_bytes *b = &r->bytes;
    hzi_place start = b->at;
    unsigned nag = 0, digits = 0;
    int c;
    hzi_take(b);
    for (; (c = hzi_peek(b)) >= '0' && c <= '9'; digits++) {
        nag = nag > 255 ? nag : 10 * nag + (unsigned)(c - '0');
        hzi_take(b);
    }
    if (digits == 0 || nag > 255) {
        return hzi_pgn_syntax(r, start, "a NAG is '$' and a number from 0 to 255");
    }
    return add_nag(r, nag);
}

/* ---- variations ----------------------------------------------------------------------------------- */

static hz_status open_variation(hz_pgn_reader *r, hzi_place at) {
    hzi_pgn_line *outer = &r->lines[r->depth];
    if (r->depth + r->skipped == HZ_PGN_DEPTH_MAX) {
        return hzi_pgn_syntax(r, at, "variations are nested more than 64 deep");
    }
    if (r->skipped || !r->keep_variations) {
        r->skipped++;
        return HZ_OK;
    }
    if (!outer->last) {
        return hzi_pgn_syntax(r, at, "a variation stands before the first move");
    }
    r->lines[++r->depth] = (hzi_pgn_line){.before = outer->before, .now = outer->before};
    return HZ_OK;
}

static hz_status close_variation(hz_pgn_reader *r, hzi_place at) {
    if (r->skipped) {
        r->skipped--;
        return HZ_OK;
    }
    if (r->depth == 0) {
        return hzi_pgn_syntax(r, at, "a variation is closed that was not opened");
    }
    hzi_pgn_line *inner = &r->lines[r->depth--], *outer = &r->lines[r->depth];
    hz_status status = end_line(r, inner);
    if (status != HZ_OK || !inner->first) { /* "()" */
        return status;
    }
    if (outer->latest_variation) {
        outer->latest_variation->next_variation = inner->first;
    } else {
        outer->last->variation = inner->first;
    }
    outer->latest_variation = inner->first;
    return HZ_OK;
}

/* ---- moves ---------------------------------------------------------------------------------------- */

static hz_status add_move(hz_pgn_reader *r, hzi_place at, const char *text, size_t length) {
    hzi_pgn_line *l = &r->lines[r->depth];
    if (r->skipped) {
        return HZ_OK;
    }
    hz_move played;
    hz_error why;
    hz_status status = hz_san_to_move(&l->now, text, length, &played, &why);
    if (status != HZ_OK) {
        return hzi_pgn_bad(r, at, status == HZ_MOVE_TEXT ? HZ_PGN_SYNTAX : status, why.message);
    }
    if (r->plies == HZ_PGN_PLIES_MAX) {
        return hzi_pgn_syntax(r, at, "a game has more than 20000 moves");
    }
    hz_pgn_move *move = hz_arena_alloc(r->arena, sizeof *move);
    if (!move) {
        return no_memory(r);
    }
    *move = (hz_pgn_move){.move = played, .comment_before = l->comment, .nag_count = l->nag_count};
    memcpy(move->nags, l->nags, sizeof move->nags);
    if (l->last) {
        l->last->next = move;
    } else {
        l->first = move;
    }
    l->last = move;
    l->latest_variation = NULL;
    l->comment = NULL;
    l->nag_count = 0;
    l->before = l->now;
    hz_chess_play(&l->now, played, &l->now);
    r->plies++;
    r->game.plies += r->depth == 0;
    return HZ_OK;
}

/* Suffixes and evaluations that stand for NAGs; 0 when the text is none. */
static unsigned nag_of(const char *text, size_t length) {
    static const struct {
        char text[4];
        uint8_t nag;
    } known[] = {{"!", 1},    {"?", 2},    {"!!", 3},   {"??", 4},  {"!?", 5},
                 {"?!", 6},   {"=", 10},   {"+=", 14},  {"=+", 15}, {"+/=", 14},
                 {"=/+", 15}, {"+/-", 16}, {"-/+", 17}, {"+-", 18}, {"-+", 19}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strlen(known[i].text) == length && memcmp(known[i].text, text, length) == 0) {
            return known[i].nag;
        }
    }
    return 0;
}

/* Bytes that end a word: white space, NUL and what is a token by itself. */
static bool ends_word(int c) {
    static const bool table[256] = {
        [0] = true,    [' '] = true, ['\t'] = true, ['\n'] = true, ['\v'] = true, ['\f'] = true,
        ['\r'] = true, ['('] = true, [')'] = true,  ['{'] = true,  ['}'] = true,  ['['] = true,
        [']'] = true,  [';'] = true, ['$'] = true,  ['*'] = true};
    return c < 0 || table[c];
}

/* Bytes of a move number with its dots in front of a word. */
static size_t number_length(const char *text, size_t length) {
    size_t n = 0;
    while (n < length && text[n] >= '0' && text[n] <= '9') {
        n++;
    }
    if (n < length ? text[n] != '.' : text[0] == '0') {
        return 0; /* "0-0" and "00" are castling */
    }
    while (n < length && text[n] == '.') {
        n++;
    }
    return n;
}

/* A word: result, move number, move with a glyph behind it, or a glyph alone. */
static hz_status read_word(hz_pgn_reader *r, bool *is_result, hz_pgn_result *result) {
    enum { WORD_MAX = 64 };
    hzi_bytes *b = &r->bytes;
    hzi_place start = b->at;
    char word[WORD_MAX];
    size_t length = 0;
    int c;
    while (!ends_word(c = hzi_peek(b))) {
        if (length == WORD_MAX) {
            return hzi_pgn_syntax(r, start, "a word of more than 64 bytes is no move");
        }
        word[length++] = (char)c;
        hzi_take(b);
    }
    if (length == 0) {
        return hzi_pgn_syntax(r, start,
                              c == 0     ? "a NUL byte stands among the moves"
                              : c == '[' ? "a tag stands among the moves"
                                         : "a bracket is closed that was not opened");
    }
    if (hzi_pgn_result_of(word, length, result)) {
        *is_result = true;
        return HZ_OK;
    }
    size_t number = number_length(word, length);
    const char *text = word + number;
    length -= number;
    bool comes_after = r->lines[r->depth].last != NULL;
    if (length == 0 || (comes_after && ((length == 4 && memcmp(text, "e.p.", 4) == 0) ||
                                        (length == 2 && memcmp(text, "ep", 2) == 0)))) {
        return HZ_OK;
    }
    unsigned nag = nag_of(text, length);
    if (nag) {
        return add_nag(r, nag);
    }
    size_t end = length;
    while (end > 0 && (text[end - 1] == '!' || text[end - 1] == '?')) {
        end--;
    }
    hz_status status = end > 0 ? add_move(r, start, text, end) : HZ_OK;
    nag = nag_of(text + end, length - end);
    return status == HZ_OK && nag ? add_nag(r, nag) : status;
}

/* The result was read; comments on its line belong to the game. */
static hz_status finish(hz_pgn_reader *r, hz_pgn_result result) {
    hzi_bytes *b = &r->bytes;
    r->game.result = result;
    for (int c; (c = hzi_peek(b)) == ' ' || c == '\t' || c == '{' || c == ';';) {
        if (c == '{' || c == ';') {
            hz_status status = hzi_pgn_comment(r, comment_place(r));
            if (status != HZ_OK) {
                return status;
            }
        } else {
            hzi_take(b);
        }
    }
    return end_line(r, &r->lines[0]);
}

/* Whether the game is over without a result: another one begins here. */
static bool another_begins(hz_pgn_reader *r, int c) {
    const hzi_pgn_line *main_line = &r->lines[0];
    if (c < 0 || (c == '[' && r->bytes.blank)) {
        return true;
    }
    return c == '1' && r->depth == 0 && !r->skipped && main_line->first &&
           main_line->now.fullmove > r->game.start.fullmove && hzi_first_number_ahead(&r->bytes);
}

hz_status hzi_pgn_moves(hz_pgn_reader *r) {
    hzi_bytes *b = &r->bytes;
    r->depth = r->skipped = 0;
    r->plies = 0;
    r->lines[0] = (hzi_pgn_line){.before = r->game.start, .now = r->game.start};
    hz_status status = HZ_OK;
    bool finished = false;
    while (status == HZ_OK && !finished) {
        int c = hzi_skip_space(b);
        hzi_place at = b->at;
        hz_pgn_result result = HZ_PGN_OPEN;
        bool is_result = false;
        if (another_begins(r, c)) {
            if (r->depth || r->skipped || c == HZI_PGN_FAILED) {
                return hzi_pgn_syntax(r, at, "a variation is not closed");
            }
            status = end_line(r, &r->lines[0]);
            break;
        }
        switch (c) {
        case '{':
        case ';':
            status = hzi_pgn_comment(r, comment_place(r));
            break;
        case '(':
            hzi_take(b);
            status = open_variation(r, at);
            break;
        case ')':
            hzi_take(b);
            status = close_variation(r, at);
            break;
        case '$':
            status = read_nag(r);
            break;
        case '*':
            hzi_take(b);
            is_result = true;
            break;
        default:
            status = read_word(r, &is_result, &result);
        }
        if (is_result && !r->depth && !r->skipped) { /* inside a variation it says nothing */
            status = finish(r, result);
            finished = true;
        }
    }
    r->game.moves = r->lines[0].first;
    return status;
}
