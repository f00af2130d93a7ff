/* SPDX-License-Identifier: MIT */
/*
 * Recursive descent over the bytes, one function per production. Every function returns false after
 * it noted what is wrong and where; the place is turned into line and column only then. A value
 * that nobody will ask for is read with a NULL destination: checked, not kept.
 */
#include "package/json_read.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    const char *text;
    size_t length, at;
    unsigned kept; /* levels of objects whose members are kept */
    hz_arena *arena;
    const char *wrong; /* what is wrong at `at`; NULL with a failure = no memory */
} reader;

static bool wrong(reader *r, const char *what) {
    r->wrong = what;
    return false;
}

/* The byte at the place, 0 at the end; a NUL inside the text is refused wherever it stands. */
static char here(const reader *r) {
    return r->at < r->length ? r->text[r->at] : '\0';
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static void skip_blanks(reader *r) {
    while (here(r) == ' ' || here(r) == '\t' || here(r) == '\n' || here(r) == '\r') {
        r->at++;
    }
}

size_t hzi_utf8_length(const char *text, size_t left) {
    static const struct {
        unsigned char mask, lead, length;
        uint32_t least;
    } forms[] = {{0x80, 0x00, 1, 0},
                 {0xe0, 0xc0, 2, 0x80},
                 {0xf0, 0xe0, 3, 0x800},
                 {0xf8, 0xf0, 4, 0x10000}};
    unsigned char first = left ? (unsigned char)text[0] : 0xff;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        size_t length = forms[i].length;
        if ((first & forms[i].mask) != forms[i].lead || length > left) {
            continue;
        }
        uint32_t code = first & (unsigned char)~forms[i].mask;
        for (size_t k = 1; k < length; k++) {
            if (((unsigned char)text[k] & 0xc0) != 0x80) {
                return 0;
            }
            code = code << 6 | ((unsigned char)text[k] & 0x3f);
        }
        bool surrogate = code >= 0xd800 && code <= 0xdfff;
        return code >= forms[i].least && code <= 0x10ffff && !surrogate ? length : 0;
    }
    return 0;
}

/* ---- strings ---- */

/* Four hexadecimal digits. */
static bool read_hex(reader *r, uint32_t *code) {
    *code = 0;
    for (int i = 0; i < 4; i++, r->at++) {
        char c = here(r);
        uint32_t digit = is_digit(c)            ? (uint32_t)(c - '0')
                         : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a' + 10)
                         : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A' + 10)
                                                : 16;
        if (digit == 16) {
            return wrong(r, "\\u takes four hexadecimal digits");
        }
        *code = *code << 4 | digit;
    }
    return true;
}

static size_t put_utf8(char *out, uint32_t code) {
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = length; i-- > 1; code >>= 6) {
        out[i] = (char)(0x80 | (code & 0x3f));
    }
    out[0] = (char)(leads[length] | code);
    return length;
}

/* The place is behind "\u". */
static bool read_unicode_escape(reader *r, char *out, size_t *written) {
    uint32_t code, low;
    if (!read_hex(r, &code)) {
        return false;
    }
    if (code >= 0xdc00 && code <= 0xdfff) {
        return wrong(r, "a low surrogate without a high one in front");
    }
    if (code >= 0xd800 && code <= 0xdbff) {
        if (r->length - r->at < 2 || memcmp(r->text + r->at, "\\u", 2) != 0) {
            return wrong(r, "a high surrogate without a low one behind it");
        }
        r->at += 2;
        if (!read_hex(r, &low)) {
            return false;
        }
        if (low < 0xdc00 || low > 0xdfff) {
            return wrong(r, "a high surrogate without a low one behind it");
        }
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    if (code == 0) {
        return wrong(r, "U+0000 cannot be part of a text");
    }
    *written = put_utf8(out, code);
    return true;
}

static bool read_escape(reader *r, char *out, size_t *written) {
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    r->at++;
    char c = here(r);
    if (c == 'u') {
        r->at++;
        return read_unicode_escape(r, out, written);
    }
    const char *letter = c ? strchr(letters, c) : NULL;
    if (!letter) {
        return wrong(r, "an unknown escape");
    }
    r->at++;
    *out = meant[letter - letters];
    *written = 1;
    return true;
}

/* Bytes to the closing quote, or to the end. */
static size_t raw_length(const reader *r) {
    size_t i = r->at;
    while (i < r->length && r->text[i] != '"') {
        i += r->text[i] == '\\' ? 2 : 1;
    }
    return (i < r->length ? i : r->length) - r->at;
}

/* text NULL: checked only. */
static bool read_string(reader *r, const char **text) {
    if (here(r) != '"') {
        return wrong(r, "expected a text in quotes");
    }
    r->at++;
    char scratch[4], *out = NULL;
    size_t length = 0;
    /* A decoded text is never longer than it is written. */
    if (text && !(out = hz_arena_alloc(r->arena, raw_length(r) + 1))) {
        return wrong(r, NULL);
    }
    for (;;) {
        size_t written = 0;
        char c = here(r), *to = out ? out + length : scratch;
        if (r->at >= r->length) {
            return wrong(r, "a text without its closing quote");
        }
        if (c == '"') {
            break;
        }
        if (c == '\\') {
            if (!read_escape(r, to, &written)) {
                return false;
            }
        } else if ((unsigned char)c < 0x20) {
            return wrong(r, "a control character in a text");
        } else {
            written = hzi_utf8_length(r->text + r->at, r->length - r->at);
            if (written == 0) {
                return wrong(r, "bytes that are no UTF-8");
            }
            memcpy(to, r->text + r->at, written);
            r->at += written;
        }
        length += written;
    }
    r->at++;
    if (text) {
        out[length] = '\0';
        *text = out;
    }
    return true;
}

/* ---- numbers ---- */

static bool skip_digits(reader *r, const char *what) {
    if (!is_digit(here(r))) {
        return wrong(r, what);
    }
    while (is_digit(here(r))) {
        r->at++;
    }
    return true;
}

/* Whether "-" and digits are within int64. */
static bool fits_int64(const char *text, size_t length) {
    bool negative = text[0] == '-';
    uint64_t most = (uint64_t)INT64_MAX + negative, value = 0;
    for (size_t i = negative; i < length; i++) {
        uint64_t digit = (uint64_t)(text[i] - '0');
        if (value > (most - digit) / 10) {
            return false;
        }
        value = value * 10 + digit;
    }
    return true;
}

static bool read_number(reader *r, hzi_json *value) {
    size_t begin = r->at;
    bool whole = true;
    r->at += here(r) == '-';
    if (here(r) == '0') {
        r->at++;
    } else if (!skip_digits(r, "expected a digit")) {
        return false;
    }
    if (is_digit(here(r))) {
        return wrong(r, "a number that begins with 0");
    }
    if (here(r) == '.') {
        whole = false;
        r->at++;
        if (!skip_digits(r, "expected a digit behind the point")) {
            return false;
        }
    }
    if (here(r) == 'e' || here(r) == 'E') {
        whole = false;
        r->at++;
        r->at += here(r) == '+' || here(r) == '-';
        if (!skip_digits(r, "expected a digit of the exponent")) {
            return false;
        }
    }
    size_t length = r->at - begin;
    if (whole && !fits_int64(r->text + begin, length)) {
        r->at = begin;
        return wrong(r, "an integer beyond 64 bits");
    }
    char *copy = hz_arena_alloc(r->arena, length + 1);
    if (!copy) {
        return wrong(r, NULL);
    }
    memcpy(copy, r->text + begin, length);
    copy[length] = '\0';
    double number = strtod(copy, NULL);
    if (number - number != 0.0) {
        r->at = begin;
        return wrong(r, "a number that is too large");
    }
    if (value) {
        *value = (hzi_json){.type = HZI_JSON_NUMBER, .text = copy, .number = number};
    }
    return true;
}

/* ---- values ---- */

static bool read_value(reader *r, unsigned depth, hzi_json *value);

static bool read_word(reader *r, const char *word, hzi_json_type type, hzi_json *value) {
    size_t length = strlen(word);
    if (r->length - r->at < length || memcmp(r->text + r->at, word, length) != 0) {
        return wrong(r, "expected a value");
    }
    r->at += length;
    if (value) {
        *value = (hzi_json){.type = type};
    }
    return true;
}

/* What follows an element: true with *more, or the closing bracket; blanks are skipped. */
static bool read_separator(reader *r, char closing, const char *expected, bool *more) {
    skip_blanks(r);
    *more = here(r) == ',';
    if (!*more && here(r) != closing) {
        return wrong(r, expected);
    }
    r->at++;
    skip_blanks(r);
    return true;
}

static bool read_array(reader *r, unsigned depth, hzi_json *value) {
    bool more = true;
    if (value) {
        *value = (hzi_json){.type = HZI_JSON_ARRAY};
    }
    r->at++;
    skip_blanks(r);
    if (here(r) == ']') {
        r->at++;
        return true;
    }
    while (more) {
        if (!read_value(r, depth + 1, NULL) ||
            !read_separator(r, ']', "expected ',' or ']'", &more)) {
            return false;
        }
    }
    return true;
}

/* Room for one more member, NULL without memory. */
static hzi_json_member *next_member(reader *r, hzi_json *object, size_t *capacity) {
    if (object->count == *capacity) {
        size_t larger = *capacity ? *capacity * 2 : 16;
        hzi_json_member *members = hz_arena_grow(
            r->arena, object->members, *capacity * sizeof *members, larger * sizeof *members);
        if (!members) {
            return NULL;
        }
        object->members = members;
        *capacity = larger;
    }
    return &object->members[object->count++];
}

static bool read_object(reader *r, unsigned depth, hzi_json *value) {
    hzi_json object = {.type = HZI_JSON_OBJECT};
    bool keep = value && depth <= r->kept, more = true;
    size_t capacity = 0;
    r->at++;
    skip_blanks(r);
    if (here(r) == '}') {
        r->at++;
        more = false;
    }
    while (more) {
        hzi_json_member member, *place = NULL;
        if (!read_string(r, keep ? &member.key : NULL)) {
            return false;
        }
        skip_blanks(r);
        if (here(r) != ':') {
            return wrong(r, "expected ':' behind a key");
        }
        r->at++;
        skip_blanks(r);
        if (!read_value(r, depth + 1, keep ? &member.value : NULL)) {
            return false;
        }
        if (keep) {
            if (!(place = next_member(r, &object, &capacity))) {
                return wrong(r, NULL);
            }
            *place = member;
        }
        if (!read_separator(r, '}', "expected ',' or '}'", &more)) {
            return false;
        }
        if (more && here(r) != '"') {
            return wrong(r, "expected a key in quotes");
        }
    }
    if (value) {
        *value = object;
    }
    return true;
}

/* depth: 1 for the outermost value. */
static bool read_value(reader *r, unsigned depth, hzi_json *value) {
    char c = here(r);
    if ((c == '{' || c == '[') && depth > HZI_JSON_DEPTH) {
        return wrong(r, "nesting deeper than 64");
    }
    switch (c) {
    case '{':
        return read_object(r, depth, value);
    case '[':
        return read_array(r, depth, value);
    case '"': {
        const char *text = NULL;
        if (!read_string(r, value ? &text : NULL)) {
            return false;
        }
        if (value) {
            *value = (hzi_json){.type = HZI_JSON_STRING, .text = text};
        }
        return true;
    }
    case 't':
        return read_word(r, "true", HZI_JSON_TRUE, value);
    case 'f':
        return read_word(r, "false", HZI_JSON_FALSE, value);
    case 'n':
        return read_word(r, "null", HZI_JSON_NULL, value);
    default:
        return c == '-' || is_digit(c) ? read_number(r, value) : wrong(r, "expected a value");
    }
}

/* ---- the whole text ---- */

static hz_status report(const reader *r, hz_error *err) {
    if (!r->wrong) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for reading JSON");
    }
    uint32_t line = 1, column = 1;
    for (size_t i = 0; i < r->at; i++) {
        if (r->text[i] == '\n') {
            line++;
            column = 1;
        } else if (((unsigned char)r->text[i] & 0xc0) != 0x80) {
            column++;
        }
    }
    hz_fail(err, HZ_JSON, r->at, "line %u, column %u: %s", (unsigned)line, (unsigned)column,
            r->wrong);
    if (err) {
        err->line = line;
        err->column = column;
    }
    return HZ_JSON;
}

hz_status hzi_json_read(const char *text, size_t length, unsigned kept, hz_arena *arena,
                        hzi_json *value, hz_error *err) {
    reader r = {.text = text, .length = length, .kept = kept, .arena = arena};
    /* The point of a number is a point, whatever the locale of the host says. */
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (plain == (locale_t)0) {
        return report(&r, err);
    }
    locale_t before = uselocale(plain);
    skip_blanks(&r);
    bool good = read_value(&r, 1, value);
    if (good) {
        skip_blanks(&r);
        good = r.at == r.length || wrong(&r, "something behind the end of the value");
    }
    uselocale(before);
    freelocale(plain);
    return good ? HZ_OK : report(&r, err);
}

const hzi_json *hzi_json_member_find(const hzi_json *object, const char *key) {
    for (size_t i = 0; i < object->count; i++) {
        if (strcmp(object->members[i].key, key) == 0) {
            const hzi_json *value = &object->members[i].value;
            return value->type == HZI_JSON_NULL ? NULL : value;
        }
    }
    return NULL;
}
