/* SPDX-License-Identifier: MIT */
/* Messages of refusals; the header is the manual. */
#include "package/refusal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PATH_MOST = 360 };

/* Whether a byte continues a character of UTF-8. */
static bool continues(char byte) {
    return ((unsigned char)byte & 0xc0) == 0x80;
}

size_t hzi_show_into(const char *value, char *buffer, size_t capacity) {
    value = value ? value : "";
    size_t length = strlen(value), kept = length;
    if (kept > capacity - 1) {
        kept = capacity - 4;
        while (kept > 0 && continues(value[kept])) {
            kept--;
        }
    }
    for (size_t i = 0; i < kept; i++) {
        unsigned char byte = (unsigned char)value[i];
        buffer[i] = byte < 0x20 || byte == 0x7f ? '?' : value[i];
    }
    if (kept < length) {
        memcpy(buffer + kept, "...", 3);
        kept += 3;
    }
    buffer[kept] = '\0';
    return kept;
}

hzi_shown hzi_show(const char *value) {
    hzi_shown shown;
    hzi_show_into(value, shown.text, sizeof shown.text);
    return shown;
}

/* "PATH: " as it stands in front of a message. */
static void shown_path(const char *path, char front[PATH_MOST + 3]) {
    front[0] = '\0';
    if (path) {
        size_t length = strlen(path);
        const char *dots = "";
        if (length > PATH_MOST) {
            path += length - (PATH_MOST - 3);
            while (continues(*path)) {
                path++;
            }
            dots = "...";
        }
        (void)snprintf(front, PATH_MOST + 3, "%s%s: ", dots, path);
    }
}

hz_status hzi_refuse(hz_error *err, hz_status code, const char *path, const char *format, ...) {
    if (err) {
        char front[PATH_MOST + 3], text[sizeof err->message];
        va_list args;
        va_start(args, format);
        (void)vsnprintf(text, sizeof text, format, args);
        va_end(args);
        shown_path(path, front);
        hz_fail(err, code, HZ_NO_OFFSET, "%s%s", front, text);
    }
    return code;
}

void hzi_put_path_in_front(hz_error *err, const char *path) {
    if (err && path) {
        char front[PATH_MOST + 3];
        shown_path(path, front);
        size_t room = sizeof err->message - 1, ahead = strlen(front);
        size_t length = strlen(err->message);
        length = length < room - ahead ? length : room - ahead;
        memmove(err->message + ahead, err->message, length);
        memcpy(err->message, front, ahead);
        err->message[ahead + length] = '\0';
    }
}

void hzi_attach_closing(hz_error *err, const hz_error *closing) {
    if (err && closing) {
        size_t length = strlen(err->message);
        (void)snprintf(err->message + length, sizeof err->message - length, "; while closing: %s",
                       closing->message[0] ? closing->message : hz_status_text(closing->code));
    }
}
