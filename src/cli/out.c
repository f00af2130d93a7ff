/* SPDX-License-Identifier: MIT */
/* Buffered output with an error state that sticks; see out.h. */
#include "cli/out.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void hzc_out_init(hzc_out *out,
                  bool (*write_bytes)(void *context, const char *bytes, size_t length),
                  void *context) {
    out->write = write_bytes;
    out->context = context;
    out->failed = false;
    out->error_number = 0;
    out->fd = -1;
    out->used = 0;
}

static bool write_to_file(void *context, const char *bytes, size_t length) {
    hzc_out *out = context;
    while (length > 0) {
        ssize_t written = write(out->fd, bytes, length);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written < 0) {
            out->error_number = errno;
            return false;
        }
        bytes += written;
        length -= (size_t)written;
    }
    return true;
}

void hzc_out_to_file(hzc_out *out, int fd) {
    hzc_out_init(out, write_to_file, out);
    out->fd = fd;
}

bool hzc_out_flush(hzc_out *out) {
    if (!out->failed && out->used > 0) {
        out->failed = !out->write(out->context, out->buffer, out->used);
    }
    out->used = 0;
    return !out->failed;
}

void hzc_out_bytes(hzc_out *out, const char *bytes, size_t length) {
    if (length > sizeof out->buffer - out->used) {
        (void)hzc_out_flush(out);
    }
    if (length > sizeof out->buffer) {
        out->failed = out->failed || !out->write(out->context, bytes, length);
        return;
    }
    memcpy(out->buffer + out->used, bytes, length);
    out->used += length;
}

void hzc_out_text(hzc_out *out, const char *text) {
    hzc_out_bytes(out, text, strlen(text));
}

void hzc_out_char(hzc_out *out, char c) {
    hzc_out_bytes(out, &c, 1);
}

void hzc_out_format(hzc_out *out, const char *format, ...) {
    char text[1024];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (length > 0) {
        size_t made = (size_t)length < sizeof text ? (size_t)length : sizeof text - 1;
        hzc_out_bytes(out, text, made);
    }
}
