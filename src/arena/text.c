/* SPDX-License-Identifier: MIT */
/* Growing text and JSON; see text.h. */
#include "arena/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void hzi_text_fini(hzi_text *text) {
    free(text->bytes);
    *text = (hzi_text){0};
}

void hzi_text_clear(hzi_text *text) {
    text->length = 0;
    text->failed = text->comma = false;
}

void hzi_text_add(hzi_text *text, const char *bytes, size_t length) {
    if (text->failed) {
        return;
    }
    if (length >= SIZE_MAX / 4 - text->length) {
        text->failed = true;
        return;
    }
    if (text->length + length + 1 > text->capacity) {
        size_t capacity = text->capacity ? text->capacity : 256;
        while (capacity < text->length + length + 1) {
            capacity *= 2;
        }
        char *grown = realloc(text->bytes, capacity);
        if (!grown) {
            text->failed = true;
            return;
        }
        text->bytes = grown;
        text->capacity = capacity;
    }
    if (length) {
        memcpy(text->bytes + text->length, bytes, length);
    }
    text->length += length;
    text->bytes[text->length] = '\0';
}

void hzi_text_puts(hzi_text *text, const char *piece) {
    hzi_text_add(text, piece, strlen(piece));
}

void hzi_text_format(hzi_text *text, const char *format, ...) {
    char piece[512];
    va_list list;
    va_start(list, format);
    int length = vsnprintf(piece, sizeof piece, format, list);
    va_end(list);
    if (length > 0) {
        hzi_text_add(text, piece,
                     (size_t)length < sizeof piece ? (size_t)length : sizeof piece - 1);
    }
}

bool hzi_text_sink(void *text, const char *bytes, size_t length) {
    hzi_text_add(text, bytes, length);
    return !((hzi_text *)text)->failed;
}

/* ---- JSON ---- */

/* Length of the valid UTF-8 character at `at`, 0 when it is none. */
static size_t character(const unsigned char *at, size_t left) {
    static const unsigned least[5] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = at[0] < 0x80   ? 1
                    : at[0] < 0xC2 ? 0
                    : at[0] < 0xE0 ? 2
                    : at[0] < 0xF0 ? 3
                    : at[0] < 0xF5 ? 4
                                   : 0;
    if (length <= 1 || length > left) {
        return length > left ? 0 : length;
    }
    unsigned code = at[0] & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((at[i] & 0xC0) != 0x80) {
            return 0;
        }
        code = code << 6 | (at[i] & 0x3F);
    }
    bool good = code >= least[length] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
    return good ? length : 0;
}

static void quoted(hzi_text *json, const char *value) {
    const unsigned char *at = (const unsigned char *)value;
    size_t left = strlen(value);
    hzi_text_add(json, "\"", 1);
    while (left > 0) {
        size_t length = character(at, left);
        if (length == 0) {
            hzi_text_puts(json, "\xEF\xBF\xBD");
            length = 1;
        } else if (*at == '"' || *at == '\\') {
            hzi_text_format(json, "\\%c", *at);
        } else if (*at < 0x20 || *at == 0x7F) {
            hzi_text_format(json, "\\u%04x", *at);
        } else {
            hzi_text_add(json, (const char *)at, length);
        }
        at += length;
        left -= length;
    }
    hzi_text_add(json, "\"", 1);
}

static void begin(hzi_text *json, const char *key) {
    if (json->comma) {
        hzi_text_add(json, ",", 1);
    }
    json->comma = true;
    if (key) {
        quoted(json, key);
        hzi_text_add(json, ":", 1);
    }
}

void hzi_json_object(hzi_text *json, const char *key) {
    begin(json, key);
    hzi_text_add(json, "{", 1);
    json->comma = false;
}

void hzi_json_end_object(hzi_text *json) {
    hzi_text_add(json, "}", 1);
    json->comma = true;
}

void hzi_json_array(hzi_text *json, const char *key) {
    begin(json, key);
    hzi_text_add(json, "[", 1);
    json->comma = false;
}

void hzi_json_end_array(hzi_text *json) {
    hzi_text_add(json, "]", 1);
    json->comma = true;
}

void hzi_json_text(hzi_text *json, const char *key, const char *value) {
    if (!value) {
        hzi_json_null(json, key);
        return;
    }
    begin(json, key);
    quoted(json, value);
}

void hzi_json_integer(hzi_text *json, const char *key, int64_t value) {
    begin(json, key);
    hzi_text_format(json, "%" PRId64, value);
}

void hzi_json_count(hzi_text *json, const char *key, uint64_t value) {
    begin(json, key);
    hzi_text_format(json, "%" PRIu64, value);
}

void hzi_json_seed(hzi_text *json, const char *key, uint64_t value) {
    begin(json, key);
    hzi_text_format(json, value <= INT64_MAX ? "%" PRIu64 : "\"%" PRIu64 "\"", value);
}

void hzi_json_bool(hzi_text *json, const char *key, bool value) {
    begin(json, key);
    hzi_text_puts(json, value ? "true" : "false");
}

void hzi_json_null(hzi_text *json, const char *key) {
    begin(json, key);
    hzi_text_puts(json, "null");
}

/* printf and strtod use the decimal character of the locale, both of them, so the round trip holds;
 * what is written has a point. */
static void put_number(hzi_text *json, const char *key, char *text) {
    static const char plain[] = "+-0123456789e";
    size_t whole = strspn(text, plain), mark = strcspn(text + whole, plain);
    begin(json, key);
    hzi_text_add(json, text, whole);
    if (mark > 0) {
        hzi_text_add(json, ".", 1);
        hzi_text_puts(json, text + whole + mark);
    }
}

void hzi_json_rounded(hzi_text *json, const char *key, double value, int digits) {
    char text[64];
    if (!isfinite(value)) {
        hzi_json_null(json, key);
        return;
    }
    (void)snprintf(text, sizeof text, "%.*g", digits, value);
    put_number(json, key, text);
}

void hzi_json_double(hzi_text *json, const char *key, double value) {
    char text[64];
    if (!isfinite(value)) {
        hzi_json_null(json, key);
        return;
    }
    for (int precision = 15; precision <= 17; precision++) {
        (void)snprintf(text, sizeof text, "%.*g", precision, value);
        if (strtod(text, NULL) == value) {
            break;
        }
    }
    put_number(json, key, text);
}
