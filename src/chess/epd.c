/* SPDX-License-Identifier: MIT */
/*
 * EPD: the four position fields of a FEN, then operations "code operand ... ;". Two operations have
 * a meaning here: hmvc and fmvn are the clocks. Nothing in an operand is escaped, so control
 * characters are refused: what is read can be written again as it was.
 */
#include <hazard/chess.h>

#include "chess/text.h"

#include <string.h>

typedef struct scan {
    const char *text;
    size_t length, at;
    hz_arena *arena;
    hz_error *err;
} scan;

static void skip_blanks(scan *s) {
    while (s->at < s->length && (s->text[s->at] == ' ' || s->text[s->at] == '\t')) {
        s->at++;
    }
}

static hz_status bad(const scan *s, size_t at, const char *text) {
    (void)hz_fail(s->err, HZ_EPD_SYNTAX, at, "%s", text);
    return HZ_EPD_SYNTAX;
}

static hz_status no_memory(const scan *s, size_t at) {
    (void)hz_fail(s->err, HZ_NO_MEMORY, at, "no memory for an operation");
    return HZ_NO_MEMORY;
}

static bool code_byte(char c, bool first) {
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return letter || (!first && ((c >= '0' && c <= '9') || c == '_'));
}

enum { OPERANDS_MAX = 256, OPERATIONS_MAX = 256, CODE_MAX = 14 };

static hz_status read_operand(scan *s, const char **operand, bool *quoted) {
    size_t start = s->at, from = start;
    *quoted = s->text[start] == '"';
    from += *quoted;
    for (s->at = from; s->at < s->length; s->at++) {
        unsigned char c = (unsigned char)s->text[s->at];
        if (c == '"' || (!*quoted && (c == ' ' || c == '\t' || c == ';'))) {
            break;
        }
        if (c < ' ' || c == 127) {
            return bad(s, s->at, "an operand holds a control character");
        }
    }
    if (*quoted && s->at == s->length) {
        return bad(s, start, "a quoted operand is not closed");
    }
    *operand = hzi_text_keep(s->arena, s->text + from, s->at - from, false);
    s->at += *quoted;
    return *operand ? HZ_OK : no_memory(s, start);
}

static hz_status read_operation(scan *s, hz_epd_operation *operation) {
    size_t start = s->at;
    while (s->at < s->length && code_byte(s->text[s->at], s->at == start)) {
        s->at++;
    }
    if (s->at == start || s->at - start > CODE_MAX) {
        return bad(s, start, "an operation begins with a code of 1 to 14 letters and digits");
    }
    const char *operands[OPERANDS_MAX];
    bool quoted[OPERANDS_MAX];
    size_t count = 0, code_end = s->at;
    for (;;) {
        size_t before = s->at;
        skip_blanks(s);
        if (s->at == s->length) {
            return bad(s, s->at, "an operation does not end with ';'");
        }
        if (s->text[s->at] == ';') {
            s->at++;
            break;
        }
        if (before == s->at) {
            return bad(s, s->at, "operands are separated by blanks");
        }
        if (count == OPERANDS_MAX) {
            return bad(s, s->at, "an operation has more than 256 operands");
        }
        hz_status status = read_operand(s, &operands[count], &quoted[count]);
        if (status != HZ_OK) {
            return status;
        }
        count++;
    }
    const char *code = hzi_text_keep(s->arena, s->text + start, code_end - start, false);
    const char **kept = hz_arena_alloc(s->arena, count * sizeof *kept);
    bool *marks = hz_arena_alloc(s->arena, count * sizeof *marks);
    if (!code || !kept || !marks) {
        return no_memory(s, start);
    }
    if (count > 0) {
        memcpy(kept, operands, count * sizeof *kept);
        memcpy(marks, quoted, count * sizeof *marks);
    }
    *operation = (hz_epd_operation){code, count, kept, marks};
    return HZ_OK;
}

/* A clock given by an operation with one whole number. */
static bool clock_of(const hz_epd *epd, const char *code, unsigned long most,
                     unsigned long *value) {
    const hz_epd_operation *operation = hz_epd_find(epd, code);
    if (!operation || operation->count != 1 || !operation->operands[0][0]) {
        return false;
    }
    *value = 0;
    for (const char *at = operation->operands[0]; *at; at++) {
        if (*at < '0' || *at > '9') {
            return false;
        }
        *value = *value > most ? *value : 10 * *value + (unsigned long)(*at - '0');
    }
    *value = *value > most ? most : *value;
    return true;
}

hz_status hz_epd_read(const char *text, size_t length, hz_arena *arena, hz_epd *epd,
                      hz_error *err) {
    scan s = {text, length, 0, arena, err};
    while (s.length > 0 && hzi_is_space(text[s.length - 1])) {
        s.length--;
    }
    skip_blanks(&s);
    size_t start = s.at;
    for (int fields = 0; fields < 4 && s.at < s.length; fields++) {
        while (s.at < s.length && text[s.at] != ' ' && (fields < 3 || text[s.at] != '\t')) {
            s.at++;
        }
        s.at += fields < 3 && s.at < s.length;
    }
    hz_epd read = {.count = 0};
    hz_status status = hz_chess_from_fen(&read.position, text + start, s.at - start, err);
    if (status != HZ_OK) {
        if (err && err->offset != HZ_NO_OFFSET) {
            err->offset += start;
        }
        return status;
    }
    hz_epd_operation operations[OPERATIONS_MAX];
    for (skip_blanks(&s); s.at < s.length; skip_blanks(&s)) {
        if (read.count == OPERATIONS_MAX) {
            return bad(&s, s.at, "a line has more than 256 operations");
        }
        size_t at = s.at;
        status = read_operation(&s, &operations[read.count]);
        if (status != HZ_OK) {
            return status;
        }
        for (size_t i = 0; i < read.count; i++) {
            if (strcmp(operations[i].code, operations[read.count].code) == 0) {
                return hz_fail(err, HZ_EPD_SYNTAX, at, "the operation %s stands twice",
                               operations[i].code);
            }
        }
        read.count++;
    }
    hz_epd_operation *kept = hz_arena_alloc(arena, read.count * sizeof *kept);
    if (!kept) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for the operations");
    }
    if (read.count > 0) {
        memcpy(kept, operations, read.count * sizeof *kept);
    }
    read.operations = kept;
    unsigned long value;
    if (clock_of(&read, "hmvc", UINT8_MAX, &value)) {
        read.position.halfmove = (uint8_t)value;
    }
    if (clock_of(&read, "fmvn", INT32_MAX, &value) && value > 0) {
        read.position.fullmove = (uint32_t)value;
    }
    *epd = read;
    return HZ_OK;
}

const hz_epd_operation *hz_epd_find(const hz_epd *epd, const char *code) {
    for (size_t i = 0; i < epd->count; i++) {
        if (strcmp(epd->operations[i].code, code) == 0) {
            return &epd->operations[i];
        }
    }
    return NULL;
}

/* ---- writing ------------------------------------------------------------------------------------ */

typedef struct target {
    char *buffer;
    size_t capacity, length;
} target;

static void put(target *t, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++, t->length++) {
        if (t->length + 1 < t->capacity) {
            t->buffer[t->length] = text[i];
        }
    }
}

/* An operand that cannot stand without quotation marks gets them; what cannot stand inside them is
 * replaced. */
static void put_operand(target *t, const char *text, bool quoted) {
    bool marks = quoted || !text[0];
    for (const char *at = text; *at && !marks; at++) {
        marks = *at == ';' || *at == '"' || *at == 127 || (unsigned char)*at <= ' ';
    }
    put(t, " \"", marks ? 2 : 1);
    for (const char *at = text; *at; at++) {
        bool control = *at == 127 || (unsigned char)*at < ' ';
        put(t, control ? " " : *at == '"' ? "'" : at, 1);
    }
    put(t, "\"", marks);
}

size_t hz_epd_write(const hz_epd *epd, char *buffer, size_t capacity) {
    target t = {buffer, capacity, 0};
    hz_position plain = epd->position;
    plain.halfmove = 0;
    plain.fullmove = 1;
    char fen[HZ_DFEN_CAPACITY];
    put(&t, fen, hz_chess_to_fen(&plain, fen, sizeof fen) - strlen(" 0 1"));
    for (size_t i = 0; i < epd->count; i++) {
        const hz_epd_operation *operation = &epd->operations[i];
        put(&t, " ", 1);
        put(&t, operation->code, strlen(operation->code));
        for (size_t k = 0; k < operation->count; k++) {
            put_operand(&t, operation->operands[k], operation->quoted[k]);
        }
        put(&t, ";", 1);
    }
    if (capacity > 0) {
        buffer[t.length < capacity ? t.length : capacity - 1] = '\0';
    }
    return t.length;
}
