/* SPDX-License-Identifier: MIT */
/* What the fuzz targets share; the header is the manual. */
#include "fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fuzz_broken(const char *promise, const char *file, int line) {
    fprintf(stderr, "%s:%d: not true: %s\n", file, line, promise);
    abort();
}

void fuzz_check_error(const hz_error *err, hz_status status, size_t size) {
    FUZZ_CHECK(status != HZ_OK && err->code == status);
    FUZZ_CHECK(err->offset == HZ_NO_OFFSET || err->offset <= size);
    FUZZ_CHECK(memchr(err->message, '\0', sizeof err->message) != NULL && err->message[0]);
    FUZZ_CHECK(strcmp(hz_status_name(status), "UNKNOWN") != 0);
}

size_t fuzz_first_line(const uint8_t *data, size_t size, const uint8_t **rest, size_t *rest_size) {
    const uint8_t *end = size ? memchr(data, '\n', size) : NULL;
    size_t length = end ? (size_t)(end - data) : size;
    *rest = end ? end + 1 : data + size;
    *rest_size = end ? size - length - 1 : 0;
    return length;
}

/* Byte by byte: side and rights, three dice, clock, number of targets, those, then pieces. */
static hz_position position_of_bytes(const uint8_t *data, size_t size) {
    hz_position p = hz_position_empty();
    enum { HEAD = 6 };
    hz_position_set_side(&p, data[0] & 1 ? HZ_BLACK : HZ_WHITE);
    hz_position_set_rights(&p, (unsigned)data[0] >> 1 & HZ_RIGHTS_ALL);
    hz_position_set_pool(&p, hz_pool_from_faces(data[1] % 7, data[2] % 7, data[3] % 7));
    p.halfmove = data[4] & 127;
    size_t at = HEAD, targets = data[5] & 7;
    uint64_t set = 0;
    for (; targets > 0 && at < size; targets--, at++) {
        set |= UINT64_C(1) << (data[at] & 63);
    }
    hz_position_set_targets(&p, set);
    for (; at + 1 < size; at += 2) {
        hz_position_put(&p, data[at] & 63, data[at + 1] & 8 ? HZ_BLACK : HZ_WHITE,
                        (hz_piece_type)((data[at + 1] & 7) % HZ_PIECE_TYPES));
    }
    return p;
}

bool fuzz_position(const uint8_t *data, size_t size, hz_position *position) {
    const uint8_t *rest;
    size_t rest_size, length = fuzz_first_line(data, size, &rest, &rest_size);
    if (hz_position_from_dfen(position, (const char *)data, length, NULL) == HZ_OK) {
        return true;
    }
    if (size < 8) {
        return false;
    }
    *position = position_of_bytes(data, size);
    return true;
}

bool fuzz_is_small(const hz_position *position, uint64_t lines) {
    hz_move_list list;
    uint64_t estimate = 1;
    hz_moves_pseudo(position, &list);
    for (unsigned dice = hz_pool_size(position->pool); dice > 0; dice--) {
        estimate *= (uint64_t)list.count + 1;
    }
    return estimate <= lines;
}

bool fuzz_same_position(const hz_position *a, const hz_position *b) {
    return hz_position_same_board(a, b) && a->pool == b->pool && a->halfmove == b->halfmove &&
           a->fullmove == b->fullmove && a->key == b->key;
}

ptrdiff_t fuzz_drip(void *source, char *buffer, size_t capacity) {
    fuzz_source *s = source;
    const char *at = s->at;
    size_t n = ++s->calls * 7 % 61 + 1;
    n = n < capacity ? n : capacity;
    n = n < s->left ? n : s->left;
    if (n > 0) {
        memcpy(buffer, at, n);
    }
    s->at = at + n;
    s->left -= n;
    return (ptrdiff_t)n;
}
