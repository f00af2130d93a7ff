/* SPDX-License-Identifier: MIT */
/* Nesting and the places of values in the raw text of a query; see query_scan.h. */
#include "cli/query_scan.h"

#include <jansson.h>
#include <string.h>

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Index after the string that begins at text[i], or the length. */
static size_t skip_string(const char *text, size_t length, size_t i) {
    for (i++; i < length && text[i] != '"'; i++) {
        i += text[i] == '\\';
    }
    return i < length ? i + 1 : length;
}

/* Whether a quoted key means `name`; it may be written with escapes. */
static bool key_is(hzc_span key, const char *name) {
    if (!memchr(key.text, '\\', key.length)) {
        return key.length == strlen(name) + 2 && memcmp(key.text + 1, name, strlen(name)) == 0;
    }
    json_t *decoded = json_loadb(key.text, key.length, JSON_DECODE_ANY, NULL);
    bool same = json_is_string(decoded) && strcmp(json_string_value(decoded), name) == 0;
    json_decref(decoded);
    return same;
}

static void end_value(hzc_scan *scan, hzc_span key, const char *begin, const char *end) {
    while (begin < end && is_blank(*begin)) {
        begin++;
    }
    while (end > begin && is_blank(end[-1])) {
        end--;
    }
    hzc_span *place = key.length == 0       ? NULL
                      : key_is(key, "id")   ? &scan->id
                      : key_is(key, "seed") ? &scan->seed
                                            : NULL;
    if (place) {
        *place = (hzc_span){begin, (size_t)(end - begin)};
    }
}

hz_status hzc_scan_query(const char *text, size_t length, unsigned depth, hzc_scan *scan,
                         hz_error *err) {
    unsigned open = 0;
    hzc_span last_string = {text, 0}, key = {text, 0};
    const char *value = NULL; /* begin of the value of `key` */
    *scan = (hzc_scan){0};
    for (size_t i = 0; i < length;) {
        char c = text[i];
        if (c == '"') {
            size_t end = skip_string(text, length, i);
            if (open == 1 && !value) {
                last_string = (hzc_span){text + i, end - i};
            }
            i = end;
            continue;
        }
        if (open == 1 && c == ':' && !value) {
            key = last_string;
            value = text + i + 1;
        } else if (open == 1 && (c == ',' || c == '}') && value) {
            end_value(scan, key, value, text + i);
            value = NULL;
        }
        if (c == '{' || c == '[') {
            if (open++ == depth) {
                return hz_fail(err, HZ_JSON, i, "nested deeper than %u levels", depth);
            }
        } else if ((c == '}' || c == ']') && open > 0) {
            open--;
        }
        i++;
    }
    return HZ_OK;
}
