/* SPDX-License-Identifier: MIT */
/*
 * A strict reader of JSON for manifests. It keeps what manifests need and general readers lose: the
 * first of equal keys wins, numbers keep their text, and of what lies deeper than a manifest
 * reaches only the grammar is checked, so that memory stays within a small multiple of the text.
 *
 * Refused: anything outside the grammar of RFC 8259, bytes that are no UTF-8, more than one value,
 * U+0000 in a text, nesting deeper than HZI_JSON_DEPTH, integers beyond int64, numbers beyond the
 * range of double.
 */
#ifndef HAZARD_PACKAGE_JSON_READ_H
#define HAZARD_PACKAGE_JSON_READ_H

#include <hazard/base.h>

enum { HZI_JSON_DEPTH = 64 };

typedef enum hzi_json_type {
    HZI_JSON_NULL,
    HZI_JSON_FALSE,
    HZI_JSON_TRUE,
    HZI_JSON_NUMBER,
    HZI_JSON_STRING,
    HZI_JSON_ARRAY,
    HZI_JSON_OBJECT
} hzi_json_type;

typedef struct hzi_json_member hzi_json_member;

typedef struct hzi_json {
    hzi_json_type type;
    const char *text;         /* of a string, decoded; of a number, as written */
    double number;            /* of a number */
    size_t count;             /* of an object that was kept */
    hzi_json_member *members; /* in the order of the text, equal keys included */
} hzi_json;

struct hzi_json_member {
    const char *key; /* decoded */
    hzi_json value;
};

/*
 * Reads one value. Objects down to `kept` levels (1 = only the outermost) keep their members,
 * deeper ones and arrays only their type. Everything lies in the arena. HZ_JSON with place and
 * reason ("line 1, column 2: ..."), HZ_NO_MEMORY.
 */
hz_status hzi_json_read(const char *text, size_t length, unsigned kept, hz_arena *arena,
                        hzi_json *value, hz_error *err);

/* The first member of this name, or NULL when there is none or it is null. */
const hzi_json *hzi_json_member_find(const hzi_json *object, const char *key);

/* Bytes of the UTF-8 character at `text`, of which `left` bytes are there; 0 = none is. */
size_t hzi_utf8_length(const char *text, size_t left);

#endif
