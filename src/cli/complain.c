/* SPDX-License-Identifier: MIT */
/* What is said on the standard error, and the place of an error shown in its text; see args.h. */
#include "cli/args.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Text of the user is shown as it is, but never lets control bytes reach the terminal. */
static void print_escaped(const char *text) {
    for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
        if (*p < 32 || *p == 127) {
            (void)fprintf(stderr, "\\x%02x", (unsigned)*p);
        } else {
            (void)fputc(*p, stderr);
        }
    }
}

#if defined(__GNUC__)
__attribute__((format(printf, 2, 0)))
#endif
static void
complain(const hzc_args *args, const char *format, va_list list) {
    char text[1024];
    (void)vsnprintf(text, sizeof text, format, list);
    (void)fprintf(stderr, "hazard %s: ", args->command->name);
    print_escaped(text);
    (void)fputc('\n', stderr);
}

int hzc_usage(const hzc_args *args, const char *format, ...) {
    va_list list;
    va_start(list, format);
    complain(args, format, list);
    va_end(list);
    (void)fprintf(stderr, "Try 'hazard help %s'.\n", args->command->name);
    return HZC_USAGE;
}

int hzc_complain(const hzc_args *args, int code, const char *format, ...) {
    va_list list;
    va_start(list, format);
    complain(args, format, list);
    va_end(list);
    return code;
}

int hzc_exit_code(hz_status status) {
    switch (status) {
    case HZ_OK:
        return HZC_DONE;
    case HZ_INCOMPLETE:
    case HZ_CANCELLED:
    case HZ_NOT_LEGAL:
    case HZ_NO_SUCH_TURN:
    case HZ_VERIFY:
        return HZC_NO;
    case HZ_NO_MEMORY:
    case HZ_IO:
    case HZ_UNSUPPORTED:
    case HZ_MODEL_FILE:
    case HZ_MANIFEST_FILE:
    case HZ_NO_EXECUTOR:
    case HZ_PLAYER:
        return HZC_ENVIRONMENT;
    default:
        return HZC_USAGE;
    }
}

int hzc_report(const hzc_args *args, const hz_error *err, const char *text, size_t length) {
    (void)hzc_complain(args, 0, "%s: %s", hz_status_name(err->code), err->message);
    if (text && err->offset != HZ_NO_OFFSET) {
        char lines[1024];
        (void)hzc_caret(text, length, err->offset, lines, sizeof lines);
        (void)fprintf(stderr, "%s\n", lines);
    }
    return hzc_exit_code(err->code);
}

/* ---- the caret ---- */

enum { SHOWN_BEFORE = 80, SHOWN_AFTER = 60 };

typedef struct line {
    char *buffer;
    size_t capacity;
    size_t length; /* needed */
} line;

static void put(line *l, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++, l->length++) {
        if (l->length + 1 < l->capacity) {
            l->buffer[l->length] = text[i];
        }
    }
}

static size_t put_byte(line *l, unsigned char c) {
    char escaped[5];
    if (c >= 32 && c < 127) {
        put(l, (const char *)&c, 1);
        return 1;
    }
    (void)snprintf(escaped, sizeof escaped, "\\x%02x", (unsigned)c);
    put(l, escaped, 4);
    return 4;
}

size_t hzc_caret(const char *text, size_t length, size_t offset, char *buffer, size_t capacity) {
    line l = {buffer, capacity, 0};
    if (offset > length) {
        offset = length;
    }
    size_t first = offset > SHOWN_BEFORE ? offset - SHOWN_BEFORE : 0;
    size_t end = length - offset > SHOWN_AFTER ? offset + SHOWN_AFTER : length;
    size_t column = 2; /* of the caret */
    put(&l, "  ", 2);
    if (first > 0) {
        put(&l, "...", 3);
        column += 3;
    }
    for (size_t i = first; i < end; i++) {
        size_t width = put_byte(&l, (unsigned char)text[i]);
        column += i < offset ? width : 0;
    }
    if (end < length) {
        put(&l, "...", 3);
    }
    put(&l, "\n", 1);
    for (size_t i = 0; i < column; i++) {
        put(&l, " ", 1);
    }
    put(&l, "^", 1);
    if (capacity > 0) {
        buffer[l.length < capacity ? l.length : capacity - 1] = '\0';
    }
    return l.length;
}
