/* SPDX-License-Identifier: MIT */
/* Bytes that grow; see bytes.h. */
#include "arena/bytes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *hzi_bytes_more(hzi_bytes *bytes, size_t length) {
    if (bytes->failed) {
        return NULL;
    }
    if (length > bytes->held - bytes->used) {
        size_t held = bytes->held ? bytes->held : 4096;
        while (held - bytes->used < length && held <= SIZE_MAX / 2) {
            held *= 2;
        }
        char *grown = held - bytes->used >= length ? realloc(bytes->at, held) : NULL;
        if (!grown) {
            bytes->failed = true;
            return NULL;
        }
        bytes->at = grown;
        bytes->held = held;
    }
    char *room = bytes->at + bytes->used;
    bytes->used += length;
    return room;
}

void hzi_bytes_add(hzi_bytes *bytes, const void *from, size_t length) {
    char *to = length ? hzi_bytes_more(bytes, length) : NULL;
    if (to) {
        memcpy(to, from, length);
    }
}

void hzi_bytes_text(hzi_bytes *bytes, const char *text) {
    hzi_bytes_add(bytes, text, strlen(text));
}

void hzi_bytes_format(hzi_bytes *bytes, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    /* One byte more for the NUL, which is then taken back. */
    char *to = length > 0 ? hzi_bytes_more(bytes, (size_t)length + 1) : NULL;
    if (to) {
        (void)vsnprintf(to, (size_t)length + 1, format, again);
        bytes->used--;
    }
    va_end(again);
}

void hzi_bytes_number(hzi_bytes *bytes, uint64_t value, size_t size) {
    char *to = hzi_bytes_more(bytes, size);
    for (size_t i = 0; to && i < size; i++) {
        to[i] = (char)(unsigned char)(value >> (8 * i));
    }
}

uint64_t hzi_number_at(const void *at, size_t size) {
    const unsigned char *from = at;
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++) {
        value |= (uint64_t)from[i] << (8 * i);
    }
    return value;
}

void hzi_bytes_clear(hzi_bytes *bytes) {
    bytes->used = 0;
    bytes->failed = false;
}

void hzi_bytes_free(hzi_bytes *bytes) {
    free(bytes->at);
    *bytes = (hzi_bytes){0};
}
