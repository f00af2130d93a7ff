/* SPDX-License-Identifier: MIT */
/*
 * Reading game records (docs/formats.md, section 2): the game, read line by line with a cursor that
 * knows the place of every byte it looks at. Turns are played while they are read, because the text
 * of a micro-move means something only on its board. Lines come from record_lines.c.
 */
#include "dice/record.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- the cursor ---- */

/* A game being read: the line, how far it was read, and what is known so far. */
typedef struct cursor {
    hz_record_reader *reader;
    hz_arena *arena;
    hz_error *err;
    const char *text; /* the line */
    size_t length;
    size_t at;
    hz_record record;
    hz_position position; /* after the turns read so far */
    bool took_king;
} cursor;

static hz_record_place place_at(const cursor *c, size_t at) {
    return (hz_record_place){.offset = c->reader->offset + at,
                             .line = c->reader->line,
                             .column = hzi_record_characters(c->text, at) + 1};
}

static void note(const cursor *c, hz_status code, size_t at, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;

static void note(const cursor *c, hz_status code, size_t at, const char *format, ...) {
    char message[sizeof c->err->message];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(message, sizeof message, format, args);
    va_end(args);
    hz_record_place place = place_at(c, at);
    (void)hzi_record_fail(c->err, code, &place, "%s", message);
}

/* An error at byte `at` of the line. Its value is the code itself, so that whoever reads on, and
 * the analyzer, see that a failed reader gave nothing. */
#define FAIL(c, code, at, ...) (note(c, code, at, __VA_ARGS__), (code))

static hz_status no_memory(const cursor *c) {
    return FAIL(c, HZ_NO_MEMORY, 0, "no memory for a game of this size");
}

/* Looks at the line just taken: its length and its bytes. */
static hz_status open_line(cursor *c) {
    c->text = c->reader->buffer + c->reader->begin;
    c->length = c->reader->line_length;
    c->at = 0;
    if (c->reader->too_long) {
        return FAIL(c, HZ_RECORD_SYNTAX, c->length, "a line has at most %d bytes",
                    (int)HZ_RECORD_LINE_MAX);
    }
    size_t good = hzi_record_text_good(c->text, c->length, false);
    if (good < c->length) {
        unsigned byte = (unsigned char)c->text[good];
        return FAIL(c, HZ_RECORD_SYNTAX, good,
                    byte < 0x80 ? "the control character 0x%02X" : "byte 0x%02X is no UTF-8 here",
                    byte);
    }
    return HZ_OK;
}

static hz_status source_failed(hz_error *err) {
    return hz_fail(err, HZ_IO, HZ_NO_OFFSET, "the source of the game record failed");
}

/* The next line of a game; `part` is what would be cut short when there is none. */
static hz_status next_line(cursor *c, const char *part) {
    switch (hzi_record_take_line(c->reader)) {
    case HZI_RECORD_FAILURE:
        return source_failed(c->err);
    case HZI_RECORD_END:
        return hzi_record_fail(c->err, HZ_RECORD_SYNTAX, &c->reader->after,
                               "the text ends within the %s of a game", part);
    case HZI_RECORD_LINE:
        break;
    }
    return open_line(c);
}

static size_t left(const cursor *c) {
    return c->length - c->at;
}

/* Steps over a word if it stands here. */
static bool take(cursor *c, const char *word) {
    size_t length = strlen(word);
    if (length > left(c) || memcmp(c->text + c->at, word, length) != 0) {
        return false;
    }
    c->at += length;
    return true;
}

/* Bytes of a decimal number up to `most` without sign and leading zeros, 0 when there is none. */
static size_t number_length(const char *text, size_t length, uint64_t most, uint64_t *number) {
    uint64_t value = 0;
    size_t i = 0;
    for (; i < length && text[i] >= '0' && text[i] <= '9'; i++) {
        unsigned digit = (unsigned)(text[i] - '0');
        if ((i > 0 && value == 0) || value > (most - digit) / 10) {
            return 0;
        }
        value = value * 10 + digit;
    }
    *number = value;
    return i;
}

/* ---- text with escapes ---- */

static char escaped(char letter) {
    switch (letter) {
    case 'n':
        return '\n';
    case 't':
        return '\t';
    case '\\':
    case '"':
        return letter;
    default:
        return '\0';
    }
}

/* Reads text up to a closing quote (quoted) or to the end of the line into the arena. */
static hz_status read_text(cursor *c, bool quoted, const char **text, size_t *length) {
    char *out = hz_arena_alloc(c->arena, left(c) + 1);
    size_t n = 0;
    if (!out) {
        return no_memory(c);
    }
    for (; c->at < c->length && !(quoted && c->text[c->at] == '"'); c->at++) {
        char byte = c->text[c->at];
        if (byte == '\\') {
            byte = c->at + 1 < c->length ? escaped(c->text[c->at + 1]) : '\0';
            if (!byte) {
                return FAIL(c, HZ_RECORD_SYNTAX, c->at,
                            "a backslash stands before one of \\ \" n t only");
            }
            c->at++;
        }
        out[n++] = byte;
    }
    if (quoted && !take(c, "\"")) {
        return FAIL(c, HZ_RECORD_SYNTAX, c->at, "the closing quote is missing");
    }
    out[n] = '\0';
    *text = out;
    *length = n;
    return HZ_OK;
}

/* Where byte n of a text that was read from `start` on stands in the line. */
static size_t raw_at(const cursor *c, size_t start, size_t n) {
    size_t at = start;
    for (; n > 0 && at < c->length; n--) {
        at += c->text[at] == '\\' ? 2 : 1;
    }
    return at;
}

/* ---- headers ---- */

typedef struct header {
    const char *name, *value; /* in the arena */
    size_t length;            /* of the value */
    size_t value_at;          /* in the line, behind the quote */
    hzi_record_key key;
} header;

static hz_status read_header(cursor *c, header *h) {
    if (!take(c, "[")) {
        return FAIL(c, HZ_RECORD_SYNTAX, 0,
                    "a header or the blank line after the headers is needed");
    }
    size_t n = hzi_record_name_length(c->text + c->at, left(c));
    char *name = hz_arena_alloc(c->arena, n + 1);
    if (!name) {
        return no_memory(c);
    }
    memcpy(name, c->text + c->at, n);
    name[n] = '\0';
    *h = (header){.name = name, .key = hzi_record_key_find(name, n)};
    c->at += n;
    if (n == 0 || !take(c, " ")) {
        return FAIL(c, HZ_RECORD_SYNTAX, c->at,
                    n == 0 ? "a header name begins with one of A to Z"
                           : "a header name of at most %d letters, digits and _ ends with a blank",
                    (int)HZ_RECORD_NAME_MAX);
    }
    if (!take(c, "\"")) {
        return FAIL(c, HZ_RECORD_SYNTAX, c->at, "the value of %s begins with a quote", name);
    }
    h->value_at = c->at;
    hz_status status = read_text(c, true, &h->value, &h->length);
    if (status == HZ_OK && !take(c, "]")) {
        status = FAIL(c, HZ_RECORD_SYNTAX, c->at, "']' is needed after the value of %s", name);
    }
    if (status == HZ_OK && left(c) > 0) {
        status = FAIL(c, HZ_RECORD_SYNTAX, c->at, "nothing may follow the header %s", name);
    }
    return status;
}

static hz_status read_start(cursor *c, const header *h) {
    hz_error inner;
    if (hz_position_from_dfen(&c->record.start, h->value, h->length, &inner) != HZ_OK) {
        return FAIL(c, HZ_RECORD_HEADER, raw_at(c, h->value_at, inner.offset), "Start: %s",
                    inner.message);
    }
    if (c->record.start.pool) {
        return FAIL(c, HZ_RECORD_HEADER, h->value_at, "Start: the position has dice");
    }
    return HZ_OK;
}

/* Takes a header with a meaning of its own into the record. */
static hz_status use_header(cursor *c, const header *h) {
    hz_record *record = &c->record;
    uint64_t seed = 0;
    switch (h->key) {
    case HZI_RECORD_KEY_FORMAT:
    case HZI_RECORD_KEYS:
        break;
    case HZI_RECORD_KEY_WHITE:
        record->players[HZ_WHITE] = h->value;
        break;
    case HZI_RECORD_KEY_BLACK:
        record->players[HZ_BLACK] = h->value;
        break;
    case HZI_RECORD_KEY_START:
        return read_start(c, h);
    case HZI_RECORD_KEY_SEED:
        if (h->length == 0 || number_length(h->value, h->length, UINT64_MAX, &seed) != h->length) {
            return FAIL(c, HZ_RECORD_HEADER, h->value_at,
                        "Seed is a number from 0 to 18446744073709551615");
        }
        record->has_seed = true;
        record->seed = seed;
        break;
    case HZI_RECORD_KEY_RESULT:
        if (!hzi_record_outcome_find(h->value, h->length, &record->outcome)) {
            return FAIL(c, HZ_RECORD_HEADER, h->value_at,
                        "Result is one of 1-0, 0-1, 1/2-1/2 and *");
        }
        break;
    case HZI_RECORD_KEY_REASON:
        if (!hzi_record_reason_find(h->value, h->length, &record->reason)) {
            return FAIL(c, HZ_RECORD_HEADER, h->value_at,
                        "Reason is one of unterminated, king, time, resignation, illegal, lost, "
                        "fifty, length, agreement");
        }
        break;
    }
    return HZ_OK;
}

/* Keeps a header without a meaning of its own. */
static hz_status keep_header(cursor *c, const header *h) {
    hz_record *record = &c->record;
    if (record->header_count == HZ_RECORD_HEADERS_MAX) {
        return FAIL(c, HZ_RECORD_HEADER, 0, "a game has at most %d further headers",
                    (int)HZ_RECORD_HEADERS_MAX);
    }
    for (size_t i = 0; i < record->header_count; i++) {
        if (strcmp(record->headers[i].name, h->name) == 0) {
            return FAIL(c, HZ_RECORD_HEADER, 1, "the header %s stands twice", h->name);
        }
    }
    record->headers[record->header_count++] = (hz_record_header){h->name, h->value};
    return HZ_OK;
}

static hz_status read_format(cursor *c) {
    header h;
    size_t n = strlen(HZI_RECORD_FORMAT);
    bool begins = c->length > n && c->text[0] == '[' &&
                  hzi_record_name_length(c->text + 1, c->length - 1) == n;
    if (!begins || memcmp(c->text + 1, HZI_RECORD_FORMAT, n) != 0) {
        return FAIL(c, HZ_RECORD_SYNTAX, 0, "a game begins with [%s \"%s\"]", HZI_RECORD_FORMAT,
                    HZI_RECORD_VERSION);
    }
    hz_status status = read_header(c, &h);
    if (status == HZ_OK && strcmp(h.value, HZI_RECORD_VERSION) != 0) {
        status =
            FAIL(c, HZ_RECORD_HEADER, h.value_at, "version %.20s of the format is not known, %s is",
                 h.value, HZI_RECORD_VERSION);
    }
    return status;
}

static hz_status read_headers(cursor *c) {
    bool seen[HZI_RECORD_KEYS] = {[HZI_RECORD_KEY_FORMAT] = true};
    hz_status status = read_format(c);
    hz_record_place reason_place = {0};
    c->record.headers = hz_arena_alloc(c->arena, HZ_RECORD_HEADERS_MAX * sizeof *c->record.headers);
    if (status == HZ_OK && !c->record.headers) {
        status = no_memory(c);
    }
    while (status == HZ_OK) {
        header h;
        status = next_line(c, "headers");
        if (status != HZ_OK || c->length == 0) {
            break;
        }
        status = read_header(c, &h);
        if (status == HZ_OK && h.key == HZI_RECORD_KEYS) {
            status = keep_header(c, &h);
        } else if (status == HZ_OK) {
            status = seen[h.key]
                         ? FAIL(c, HZ_RECORD_HEADER, 1, "the header %s stands twice", h.name)
                         : use_header(c, &h);
            seen[h.key] = true;
            reason_place = h.key == HZI_RECORD_KEY_REASON ? place_at(c, h.value_at) : reason_place;
        }
    }
    static const hzi_record_key needed[] = {HZI_RECORD_KEY_WHITE, HZI_RECORD_KEY_BLACK,
                                            HZI_RECORD_KEY_RESULT, HZI_RECORD_KEY_REASON};
    for (size_t i = 0; status == HZ_OK && i < sizeof needed / sizeof *needed; i++) {
        if (!seen[needed[i]]) {
            status = FAIL(c, HZ_RECORD_HEADER, 0, "the header %s is missing",
                          hzi_record_key_names[needed[i]]);
        }
    }
    if (status == HZ_OK && !hzi_record_reason_fits(c->record.reason, c->record.outcome)) {
        status = hzi_record_fail(
            c->err, HZ_RECORD_HEADER, &reason_place, "a game does not end %s with reason %s",
            hz_game_outcome_text(c->record.outcome), hz_game_reason_text(c->record.reason));
    }
    return status;
}

/* ---- turns ---- */

/* "12." or "12...": says whose turn it is and must be the next one. */
static hz_status read_turn_number(cursor *c) {
    const hz_position *p = &c->position;
    uint64_t number = 0;
    size_t digits = number_length(c->text, c->length, INT32_MAX, &number);
    if (digits == 0) {
        return FAIL(c, HZ_RECORD_SYNTAX, 0,
                    "a turn that begins with its number, or the result, is needed");
    }
    c->at = digits;
    size_t dots = 0;
    while (take(c, ".")) {
        dots++;
    }
    if (dots != 1 && dots != 3) {
        return FAIL(c, HZ_RECORD_SYNTAX, digits,
                    "after the number of a turn stand . for White, ... for Black");
    }
    bool black = p->side == HZ_BLACK;
    if (number != p->fullmove || (dots == 3) != black) {
        return FAIL(c, HZ_RECORD_SYNTAX, 0, "the next turn is %u%s", (unsigned)p->fullmove,
                    black ? "..." : ".");
    }
    return HZ_OK;
}

/* A blank and a word that ends before the next blank. */
static hz_status read_word(cursor *c, const char *what, const char **word, size_t *length) {
    if (!take(c, " ") || left(c) == 0 || c->text[c->at] == ' ') {
        return FAIL(c, HZ_RECORD_SYNTAX, c->at, "%s is needed here, after one blank", what);
    }
    *word = c->text + c->at;
    const char *blank = memchr(*word, ' ', left(c));
    *length = blank ? (size_t)(blank - *word) : left(c);
    c->at += *length;
    return HZ_OK;
}

static hz_status read_roll(cursor *c, hz_pool *roll) {
    const char *word;
    size_t length;
    hz_error inner;
    hz_status status = read_word(c, "the roll", &word, &length);
    if (status != HZ_OK) {
        return status;
    }
    if (hz_pool_from_text(word, length, roll, &inner) != HZ_OK) {
        return FAIL(c, HZ_RECORD_SYNTAX, c->at - length + inner.offset, "%s", inner.message);
    }
    if (hz_pool_size(*roll) != 3) {
        return FAIL(c, HZ_RECORD_SYNTAX, c->at - length, "a roll has three dice");
    }
    return HZ_OK;
}

/* Whether the word is micro-moves with commas between them, or "-". */
static hz_status check_moves(const cursor *c, const char *word, size_t length) {
    if (length == 1 && word[0] == '-') {
        return HZ_OK;
    }
    for (size_t start = 0; start <= length;) {
        const char *comma = start < length ? memchr(word + start, ',', length - start) : NULL;
        size_t end = comma ? (size_t)(comma - word) : length;
        int from, to;
        hz_piece_type promotion;
        hz_error inner;
        if (hz_move_parse(word + start, end - start, &from, &to, &promotion, &inner) != HZ_OK) {
            return FAIL(c, HZ_RECORD_SYNTAX, c->at - length + start + inner.offset, "%s",
                        inner.message);
        }
        start = end + 1;
    }
    return HZ_OK;
}

/* The micro-moves, played on the board with the roll. */
static hz_status read_moves(cursor *c, hz_record_turn *turn) {
    const char *word;
    size_t length;
    hz_error inner;
    hz_status status = read_word(c, "the turn", &word, &length);
    if (status == HZ_OK) {
        status = check_moves(c, word, length);
    }
    if (status != HZ_OK) {
        return status;
    }
    hz_position *p = &c->position;
    turn->place = place_at(c, c->at - length);
    hz_position_set_pool(p, turn->roll);
    if (hz_turn_parse(p, word, length, &turn->turn, p, &inner) != HZ_OK) {
        return FAIL(c, HZ_RECORD_REPLAY, c->at - length + inner.offset, "%s", inner.message);
    }
    c->took_king = turn->turn.took_king;
    if (!c->took_king) {
        hz_hand_over(p);
    }
    return HZ_OK;
}

/* Seconds with up to three decimals, "59.5", and the closing brace. */
static hz_status read_clock(cursor *c, hz_record_turn *turn) {
    uint64_t seconds = 0;
    size_t start = c->at,
           digits = number_length(c->text + start, left(c), UINT32_MAX / 1000, &seconds);
    uint64_t ms = seconds * 1000;
    bool good = digits > 0;
    c->at += digits;
    if (good && take(c, ".")) {
        good = left(c) > 0 && c->text[c->at] >= '0' && c->text[c->at] <= '9';
        for (uint64_t unit = 100; unit > 0 && left(c) > 0; unit /= 10) {
            char digit = c->text[c->at];
            if (digit < '0' || digit > '9') {
                break;
            }
            ms += unit * (unsigned)(digit - '0');
            c->at++;
        }
    }
    if (!good || ms > UINT32_MAX || !take(c, "}")) {
        return FAIL(c, HZ_RECORD_SYNTAX, start,
                    "a clock is seconds with at most three decimals up to 4294967.295, then }");
    }
    turn->has_clock = true;
    turn->clock_ms = (uint32_t)ms;
    return HZ_OK;
}

/* A whole number and the closing brace. */
static hz_status read_score(cursor *c, hz_record_turn *turn) {
    size_t start = c->at;
    bool minus = take(c, "-");
    uint64_t size = 0;
    size_t digits =
        number_length(c->text + c->at, left(c), minus ? 2147483648u : 2147483647u, &size);
    c->at += digits;
    if (digits == 0 || (minus && size == 0) || !take(c, "}")) {
        return FAIL(c, HZ_RECORD_SYNTAX, start,
                    "a score is a whole number from -2147483648 to 2147483647, then }");
    }
    turn->has_score = true;
    turn->score = (int32_t)(minus ? -(int64_t)size : (int64_t)size);
    return HZ_OK;
}

static hz_status read_comment(cursor *c, hz_record_turn *turn) {
    size_t length;
    if (left(c) == 0) {
        return FAIL(c, HZ_RECORD_SYNTAX, c->at, "the comment is empty");
    }
    return read_text(c, false, &turn->comment, &length);
}

static hz_status read_turn(cursor *c, hz_record_turn *turn) {
    *turn = (hz_record_turn){0};
    if (c->took_king) {
        return FAIL(c, HZ_RECORD_REPLAY, 0, "a king was taken, the game is over");
    }
    hz_status status = read_turn_number(c);
    if (status == HZ_OK) {
        status = read_roll(c, &turn->roll);
    }
    if (status == HZ_OK) {
        status = read_moves(c, turn);
    }
    if (status == HZ_OK && take(c, " {clock ")) {
        status = read_clock(c, turn);
    }
    if (status == HZ_OK && take(c, " {score ")) {
        status = read_score(c, turn);
    }
    if (status == HZ_OK && take(c, " ; ")) {
        status = read_comment(c, turn);
    }
    if (status == HZ_OK && left(c) > 0) {
        status =
            FAIL(c, HZ_RECORD_SYNTAX, c->at,
                 "after a turn stand {clock S}, {score N} and ; comment, one blank before each");
    }
    return status;
}

/* Room for one more turn. */
static hz_status grow_turns(cursor *c, size_t *capacity) {
    hz_record *record = &c->record;
    if (record->turn_count < *capacity) {
        return HZ_OK;
    }
    if (record->turn_count == HZ_RECORD_TURNS_MAX) {
        return FAIL(c, HZ_RECORD_SYNTAX, 0, "a game has at most %d turns",
                    (int)HZ_RECORD_TURNS_MAX);
    }
    size_t grown = *capacity ? *capacity * 2 : 64;
    grown = grown < HZ_RECORD_TURNS_MAX ? grown : HZ_RECORD_TURNS_MAX;
    hz_record_turn *turns =
        hz_arena_grow(c->arena, record->turns, *capacity * sizeof *turns, grown * sizeof *turns);
    if (!turns) {
        return no_memory(c);
    }
    record->turns = turns;
    *capacity = grown;
    return HZ_OK;
}

/* Turns and the result line. */
static hz_status read_turns(cursor *c) {
    size_t capacity = 0;
    bool blank_before = true;
    c->position = c->record.start;
    for (;;) {
        hz_game_outcome outcome;
        hz_status status = next_line(c, "turns");
        if (status == HZ_OK && c->length == 0 && blank_before) {
            continue;
        }
        blank_before = false;
        if (status == HZ_OK && hzi_record_outcome_find(c->text, c->length, &outcome)) {
            c->record.end = place_at(c, 0);
            return outcome == c->record.outcome
                       ? HZ_OK
                       : FAIL(c, HZ_RECORD_SYNTAX, 0, "the result here is %s, in the header %s",
                              hz_game_outcome_text(outcome),
                              hz_game_outcome_text(c->record.outcome));
        }
        if (status == HZ_OK) {
            status = grow_turns(c, &capacity);
        }
        if (status == HZ_OK) {
            status = read_turn(c, &c->record.turns[c->record.turn_count]);
        }
        if (status != HZ_OK) {
            return status;
        }
        c->record.turn_count++;
    }
}

/* ---- games ---- */

static bool begins_game(const hz_record_reader *r) {
    static const char opening[] = "[" HZI_RECORD_FORMAT " ";
    size_t length = sizeof opening - 1;
    return r->line_length >= length && memcmp(r->buffer + r->begin, opening, length) == 0;
}

/* Takes lines up to the first one of a game, or, after an error, up to one that says so. */
static hz_status find_game(hz_record_reader *r, hz_error *err) {
    for (;;) {
        switch (hzi_record_take_line(r)) {
        case HZI_RECORD_FAILURE:
            return source_failed(err);
        case HZI_RECORD_END:
            return hz_fail(err, HZ_NOT_FOUND, HZ_NO_OFFSET, "no game is left");
        case HZI_RECORD_LINE:
            break;
        }
        if (r->lost ? begins_game(r) : r->line_length > 0) {
            r->lost = false;
            return HZ_OK;
        }
    }
}

hz_status hz_record_read(hz_record_reader *reader, hz_arena *arena, hz_record *record,
                         hz_error *err) {
    hz_status status = find_game(reader, err);
    if (status != HZ_OK) {
        return status;
    }
    size_t first = reader->offset;
    cursor c = {.reader = reader, .arena = arena, .err = err};
    hz_record_init(&c.record);
    status = open_line(&c);
    if (status == HZ_OK) {
        status = read_headers(&c);
    }
    if (status == HZ_OK) {
        status = read_turns(&c);
    }
    if (status != HZ_OK) {
        reader->lost = true;
        reader->again = reader->offset != first && begins_game(reader);
        return status;
    }
    *record = c.record;
    return HZ_OK;
}
