/* SPDX-License-Identifier: MIT */
/*
 * Where output goes: a small buffer in front of a write function. Commands put the standard output
 * behind it, tests and the fuzzer a piece of memory. Once a write failed everything after it is
 * dropped and `failed` stays set, so that printing code needs no checks; long loops look at it to
 * stop early.
 *
 * Numbers are always written with '.', for the program never takes over the user's LC_NUMERIC.
 */
#ifndef HAZARD_CLI_OUT_H
#define HAZARD_CLI_OUT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct hzc_out {
    /* Takes all bytes or returns false. */
    bool (*write)(void *context, const char *bytes, size_t length);
    void *context;
    bool failed;
    int error_number; /* errno of the failed write to a file, else 0 */
    int fd;           /* of hzc_out_to_file */
    size_t used;
    char buffer[16384];
} hzc_out;

void hzc_out_init(hzc_out *out, bool (*write)(void *context, const char *bytes, size_t length),
                  void *context);
/* Output to a file descriptor, which stays the caller's. `out` must not be moved afterwards. */
void hzc_out_to_file(hzc_out *out, int fd);
void hzc_out_bytes(hzc_out *out, const char *bytes, size_t length);
void hzc_out_text(hzc_out *out, const char *text);
void hzc_out_char(hzc_out *out, char c);
/* As printf; one call makes at most 1023 bytes, the rest is cut. */
void hzc_out_format(hzc_out *out, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
/* Hands everything to the write function. False when that or an earlier write failed. */
bool hzc_out_flush(hzc_out *out);

#endif
