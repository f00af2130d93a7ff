/* SPDX-License-Identifier: MIT */
/*
 * Text that grows, and JSON written into it: commas are put by the writer, numbers have a point
 * whatever the locale, bytes that are no UTF-8 become U+FFFD. A text that could not grow stays as it
 * is and remembers it (`failed`); whoever uses it looks once, at the end.
 */
#ifndef HAZARD_ARENA_TEXT_H
#define HAZARD_ARENA_TEXT_H

#include <hazard/base.h>

typedef struct hzi_text {
    char *bytes; /* owned, terminated; NULL while empty */
    size_t length, capacity;
    bool failed;
    bool comma; /* JSON: a value was written at this level */
} hzi_text;

void hzi_text_fini(hzi_text *text);
void hzi_text_clear(hzi_text *text); /* keeps its memory */
void hzi_text_add(hzi_text *text, const char *bytes, size_t length);
void hzi_text_puts(hzi_text *text, const char *piece);
/* At most 511 bytes a call. */
void hzi_text_format(hzi_text *text, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
/* hz_record_sink, hz_pgn_sink. */
bool hzi_text_sink(void *text, const char *bytes, size_t length);

/* A key inside objects, NULL inside arrays and at the top. */
void hzi_json_object(hzi_text *json, const char *key);
void hzi_json_end_object(hzi_text *json);
void hzi_json_array(hzi_text *json, const char *key);
void hzi_json_end_array(hzi_text *json);
void hzi_json_text(hzi_text *json, const char *key, const char *value); /* NULL = null */
void hzi_json_integer(hzi_text *json, const char *key, int64_t value);
void hzi_json_count(hzi_text *json, const char *key, uint64_t value);
/* A 64-bit seed: a number when it fits int64, else its digits as text. */
void hzi_json_seed(hzi_text *json, const char *key, uint64_t value);
void hzi_json_bool(hzi_text *json, const char *key, bool value);
void hzi_json_null(hzi_text *json, const char *key);
/* The shortest text that reads back to the same value; null when it is not finite. */
void hzi_json_double(hzi_text *json, const char *key, double value);
/* The same with at most `digits` significant ones. */
void hzi_json_rounded(hzi_text *json, const char *key, double value, int digits);

#endif
