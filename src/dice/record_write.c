/* SPDX-License-Identifier: MIT */
/*
 * Writing game records in their canonical form (docs/formats.md, section 2). The same walk over the
 * record runs twice: first without a sink, to find what no text can say, then for the bytes; so a
 * bad record writes nothing.
 */
#include "dice/record.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct output {
    hz_record_sink sink; /* NULL in the first walk */
    void *context;
    hz_error *err;
    size_t length; /* of the line */
    char line[HZ_RECORD_LINE_MAX + 1];
} output;

/* ---- lines ---- */

/* Bytes past the limit are counted, not kept; end_line refuses such a line. */
static void put(output *o, const char *text, size_t length) {
    if (o->length < HZ_RECORD_LINE_MAX) {
        size_t room = HZ_RECORD_LINE_MAX - o->length;
        memcpy(o->line + o->length, text, length < room ? length : room);
    }
    o->length += length;
}

static void put_string(output *o, const char *text) {
    put(o, text, strlen(text));
}

static void put_format(output *o, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

static void put_format(output *o, const char *format, ...) {
    char text[64]; /* enough for the numbers written here */
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    put_string(o, text);
}

/* Text of a header (quoted) or a comment with its escapes. */
static void put_text(output *o, const char *text, bool quoted) {
    for (const char *c = text; *c; c++) {
        const char *escape = *c == '\n'            ? "\\n"
                             : *c == '\t'          ? "\\t"
                             : *c == '\\'          ? "\\\\"
                             : *c == '"' && quoted ? "\\\""
                                                   : NULL;
        put(o, escape ? escape : c, escape ? 2 : 1);
    }
}

/* `what` and its number (0 = none) name the line in an error. */
static hz_status end_line(output *o, const char *what, size_t number) {
    static const hz_record_place nowhere = {0};
    if (o->length > HZ_RECORD_LINE_MAX) {
        return number ? hzi_record_fail(o->err, HZ_RECORD_SYNTAX, &nowhere,
                                        "%s %zu takes a line of %zu bytes, %d are allowed", what,
                                        number, o->length, (int)HZ_RECORD_LINE_MAX)
                      : hzi_record_fail(o->err, HZ_RECORD_SYNTAX, &nowhere,
                                        "%s takes a line of %zu bytes, %d are allowed", what,
                                        o->length, (int)HZ_RECORD_LINE_MAX);
    }
    o->line[o->length++] = '\n';
    bool good = !o->sink || o->sink(o->context, o->line, o->length);
    o->length = 0;
    return good ? HZ_OK
                : hz_fail(o->err, HZ_IO, HZ_NO_OFFSET, "the game record could not be written");
}

/* ---- headers ---- */

static hz_status put_header(output *o, const char *name, const char *value) {
    size_t length = value ? strlen(value) : 0;
    if (!value) {
        return hz_fail(o->err, HZ_RECORD_HEADER, HZ_NO_OFFSET, "%s has no value", name);
    }
    size_t good = hzi_record_text_good(value, length, true);
    if (good < length) {
        return hz_fail(o->err, HZ_RECORD_HEADER, good, "%s: byte 0x%02X cannot be written", name,
                       (unsigned)(unsigned char)value[good]);
    }
    put_string(o, "[");
    put_string(o, name);
    put_string(o, " \"");
    put_text(o, value, true);
    put_string(o, "\"]");
    return end_line(o, name, 0);
}

/* Start is left out when the game begins like most games. */
static hz_status put_start(output *o, const hz_record *record) {
    hz_record usual;
    hz_record_init(&usual);
    const hz_position *start = &record->start;
    char dfen[HZ_DFEN_CAPACITY];
    if (start->pool) {
        return hz_fail(o->err, HZ_RECORD_HEADER, HZ_NO_OFFSET, "the start position has dice");
    }
    if (hz_position_same_board(start, &usual.start) && start->halfmove == usual.start.halfmove &&
        start->fullmove == usual.start.fullmove) {
        return HZ_OK;
    }
    hz_position_to_dfen(start, dfen, sizeof dfen);
    return put_header(o, hzi_record_key_names[HZI_RECORD_KEY_START], dfen);
}

static hz_status put_seed(output *o, const hz_record *record) {
    char seed[24];
    if (!record->has_seed) {
        return HZ_OK;
    }
    (void)snprintf(seed, sizeof seed, "%" PRIu64, record->seed);
    return put_header(o, hzi_record_key_names[HZI_RECORD_KEY_SEED], seed);
}

/* A header without a meaning of its own: its name must be one, free, and used once. */
static hz_status put_other_header(output *o, const hz_record *record, size_t index) {
    const char *name = record->headers[index].name;
    size_t length = name ? strlen(name) : 0;
    if (length == 0 || hzi_record_name_length(name, length) != length) {
        return hz_fail(o->err, HZ_RECORD_HEADER, HZ_NO_OFFSET,
                       "header %zu: \"%.40s\" is not a header name", index + 1, name ? name : "");
    }
    if (hzi_record_key_find(name, length) != HZI_RECORD_KEYS) {
        return hz_fail(o->err, HZ_RECORD_HEADER, HZ_NO_OFFSET,
                       "header %zu: %s is written from the record itself", index + 1, name);
    }
    for (size_t i = 0; i < index; i++) {
        if (strcmp(record->headers[i].name, name) == 0) {
            return hz_fail(o->err, HZ_RECORD_HEADER, HZ_NO_OFFSET, "the header %s stands twice",
                           name);
        }
    }
    return put_header(o, name, record->headers[index].value);
}

static hz_status put_headers(output *o, const hz_record *record) {
    const char *const *names = hzi_record_key_names;
    if (!hzi_record_reason_fits(record->reason, record->outcome)) {
        return hz_fail(o->err, HZ_RECORD_HEADER, HZ_NO_OFFSET,
                       "a game does not end %s with reason %s",
                       hz_game_outcome_text(record->outcome), hz_game_reason_text(record->reason));
    }
    if (record->header_count > HZ_RECORD_HEADERS_MAX) {
        return hz_fail(o->err, HZ_RECORD_HEADER, HZ_NO_OFFSET,
                       "%zu headers without a meaning of their own, %d are allowed",
                       record->header_count, (int)HZ_RECORD_HEADERS_MAX);
    }
    hz_status status = put_header(o, names[HZI_RECORD_KEY_FORMAT], HZI_RECORD_VERSION);
    if (status == HZ_OK) {
        status = put_header(o, names[HZI_RECORD_KEY_WHITE], record->players[HZ_WHITE]);
    }
    if (status == HZ_OK) {
        status = put_header(o, names[HZI_RECORD_KEY_BLACK], record->players[HZ_BLACK]);
    }
    if (status == HZ_OK) {
        status = put_start(o, record);
    }
    if (status == HZ_OK) {
        status = put_seed(o, record);
    }
    for (size_t i = 0; status == HZ_OK && i < record->header_count; i++) {
        status = put_other_header(o, record, i);
    }
    if (status == HZ_OK) {
        status = put_header(o, names[HZI_RECORD_KEY_RESULT], hz_game_outcome_text(record->outcome));
    }
    if (status == HZ_OK) {
        status = put_header(o, names[HZI_RECORD_KEY_REASON], hz_game_reason_text(record->reason));
    }
    return status;
}

/* ---- turns ---- */

static hz_status check_turn(output *o, const hz_record_turn *turn, size_t ply) {
    bool moves = turn->turn.count <= 3;
    for (int i = 0; moves && i < turn->turn.count; i++) {
        moves = turn->turn.moves[i] != 0;
    }
    if (!moves) {
        return hz_fail(o->err, HZ_RECORD_SYNTAX, HZ_NO_OFFSET,
                       "turn %zu is not made of up to three micro-moves", ply + 1);
    }
    if (!hzi_record_roll_good(turn->roll)) {
        return hz_fail(o->err, HZ_RECORD_SYNTAX, HZ_NO_OFFSET, "turn %zu: a roll has three dice",
                       ply + 1);
    }
    size_t length = turn->comment ? strlen(turn->comment) : 0;
    size_t good = length ? hzi_record_text_good(turn->comment, length, true) : 0;
    if (good < length) {
        return hz_fail(o->err, HZ_RECORD_SYNTAX, good,
                       "turn %zu: byte 0x%02X cannot be written in a comment", ply + 1,
                       (unsigned)(unsigned char)turn->comment[good]);
    }
    return HZ_OK;
}

static void put_clock(output *o, uint32_t clock_ms) {
    put_format(o, " {clock %" PRIu32, clock_ms / 1000);
    uint32_t rest = clock_ms % 1000;
    for (uint32_t unit = 100; rest > 0; rest %= unit, unit /= 10) {
        put_format(o, unit == 100 ? ".%" PRIu32 : "%" PRIu32, rest / unit);
    }
    put_string(o, "}");
}

static hz_status put_turn(output *o, const hz_record_turn *turn, size_t ply, hz_color side,
                          uint32_t number) {
    char roll[4], text[HZ_TURN_CAPACITY];
    hz_status status = check_turn(o, turn, ply);
    if (status != HZ_OK) {
        return status;
    }
    hz_pool_to_text(turn->roll, side, roll);
    hz_turn_to_text(&turn->turn, text);
    put_format(o, "%" PRIu32 "%s %s %s", number, side == HZ_WHITE ? "." : "...", roll, text);
    if (turn->has_clock) {
        put_clock(o, turn->clock_ms);
    }
    if (turn->has_score) {
        put_format(o, " {score %" PRId32 "}", turn->score);
    }
    if (turn->comment && turn->comment[0]) {
        put_string(o, " ; ");
        put_text(o, turn->comment, false);
    }
    return end_line(o, "turn", ply + 1);
}

static hz_status put_turns(output *o, const hz_record *record) {
    /* Sides and numbers follow from the start; hand-over counts as it does on the board. */
    hz_position counter = record->start;
    if (record->turn_count > HZ_RECORD_TURNS_MAX) {
        return hz_fail(o->err, HZ_RECORD_SYNTAX, HZ_NO_OFFSET, "%zu turns, %d are allowed",
                       record->turn_count, (int)HZ_RECORD_TURNS_MAX);
    }
    hz_status status = HZ_OK;
    for (size_t ply = 0; status == HZ_OK && ply < record->turn_count; ply++) {
        status = put_turn(o, &record->turns[ply], ply, (hz_color)counter.side, counter.fullmove);
        hz_hand_over(&counter);
    }
    return status;
}

/* ---- the game ---- */

static hz_status put_game(output *o, const hz_record *record) {
    hz_status status = put_headers(o, record);
    if (status == HZ_OK) {
        status = end_line(o, "", 0); /* the blank line behind the headers */
    }
    if (status == HZ_OK) {
        status = put_turns(o, record);
    }
    if (status == HZ_OK) {
        put_string(o, hz_game_outcome_text(record->outcome));
        status = end_line(o, "", 0);
    }
    return status == HZ_OK ? end_line(o, "", 0) : status;
}

hz_status hz_record_write(const hz_record *record, hz_record_sink sink, void *context,
                          hz_error *err) {
    output o;
    o.sink = NULL;
    o.context = context;
    o.err = err;
    o.length = 0;
    hz_status status = put_game(&o, record);
    if (status == HZ_OK) {
        o.sink = sink;
        status = put_game(&o, record);
    }
    return status;
}

/* A buffer with the rules of snprintf. */
typedef struct text_buffer {
    char *buffer;
    size_t capacity;
    size_t length;
} text_buffer;

static bool append(void *context, const char *text, size_t length) {
    text_buffer *b = context;
    if (b->length < b->capacity) {
        size_t room = b->capacity - b->length;
        memcpy(b->buffer + b->length, text, length < room ? length : room);
    }
    b->length += length;
    return true;
}

hz_status hz_record_to_text(const hz_record *record, char *buffer, size_t capacity, size_t *length,
                            hz_error *err) {
    text_buffer b = {buffer, capacity, 0};
    hz_status status = hz_record_write(record, append, &b, err);
    if (capacity > 0) {
        buffer[b.length < capacity ? b.length : capacity - 1] = '\0';
    }
    *length = b.length;
    return status;
}
