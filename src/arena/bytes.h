/* SPDX-License-Identifier: MIT */
/*
 * Bytes that grow at their end: what a worker makes of its games before it is written in order, and
 * the text of reports. After memory ran out everything is dropped and `failed` stays set, so that
 * writing code needs no checks.
 */
#ifndef HAZARD_ARENA_BYTES_H
#define HAZARD_ARENA_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct hzi_bytes {
    char *at; /* owned */
    size_t used, held;
    bool failed;
} hzi_bytes;

/* Room for `length` more bytes at the end, which the caller fills; NULL without memory. */
char *hzi_bytes_more(hzi_bytes *bytes, size_t length);
void hzi_bytes_add(hzi_bytes *bytes, const void *from, size_t length);
void hzi_bytes_text(hzi_bytes *bytes, const char *text);
/* As printf, of any length. */
void hzi_bytes_format(hzi_bytes *bytes, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
/* Whole numbers, least significant byte first. */
void hzi_bytes_number(hzi_bytes *bytes, uint64_t value, size_t size);
uint64_t hzi_number_at(const void *at, size_t size);
/* Forgets what is held but keeps the memory; lowers `failed`. */
void hzi_bytes_clear(hzi_bytes *bytes);
void hzi_bytes_free(hzi_bytes *bytes);

#endif
