/* SPDX-License-Identifier: MIT */
/* Reading lines with a limit; see lines.h. */
#include "cli/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIRST_SIZE = 4096 };

void hzc_lines_init(hzc_lines *lines, int fd, size_t limit) {
    *lines = (hzc_lines){.fd = fd, .limit = limit};
}

void hzc_lines_fini(hzc_lines *lines) {
    free(lines->buffer);
    lines->buffer = NULL;
}

/* Makes room behind the unread bytes and reads once. False when that failed. */
static bool read_more(hzc_lines *lines) {
    if (lines->begin > 0) {
        memmove(lines->buffer, lines->buffer + lines->begin, lines->end - lines->begin);
        lines->end -= lines->begin;
        lines->begin = 0;
    }
    if (lines->end == lines->held) {
        size_t size = lines->held ? lines->held * 2 : FIRST_SIZE;
        char *grown = realloc(lines->buffer, size);
        if (!grown) {
            return false;
        }
        lines->buffer = grown;
        lines->held = size;
    }
    while (true) {
        ssize_t got = read(lines->fd, lines->buffer + lines->end, lines->held - lines->end);
        if (got >= 0) {
            lines->at_end = got == 0;
            lines->end += (size_t)got;
            return true;
        }
        if (errno != EINTR) {
            return false;
        }
    }
}

hzc_line hzc_lines_next(hzc_lines *lines, const char **text, size_t *length) {
    size_t looked = 0; /* unread bytes known to hold no line end */
    while (true) {
        size_t unread = lines->end - lines->begin;
        char *end = unread > looked
                        ? memchr(lines->buffer + lines->begin + looked, '\n', unread - looked)
                        : NULL;
        size_t line = end ? (size_t)(end - (lines->buffer + lines->begin)) : unread;
        if (lines->skipping) {
            lines->begin += end ? line + 1 : line;
            lines->skipping = !end && !lines->at_end;
            looked = 0;
            if (!end && lines->at_end) {
                return HZC_LINE_END;
            }
        } else if (line > lines->limit) {
            lines->begin += end ? line + 1 : line;
            lines->skipping = !end;
            return HZC_LINE_TOO_LONG;
        } else if (end || (lines->at_end && unread > 0)) {
            *text = lines->buffer + lines->begin;
            *length = line;
            lines->begin += end ? line + 1 : line;
            return HZC_LINE;
        } else if (lines->at_end) {
            return HZC_LINE_END;
        } else {
            looked = unread;
        }
        if (!end && !lines->at_end && !read_more(lines)) {
            return HZC_LINE_FAILED;
        }
    }
}

int hzc_each_line(const hzc_args *args, size_t limit, hzc_line_work work, void *context) {
    hzc_lines lines;
    const char *text;
    size_t length, number = 0;
    hzc_line kind;
    int code = HZC_DONE;
    hzc_lines_init(&lines, STDIN_FILENO, limit);
    while (code == HZC_DONE && !args->out->failed &&
           (kind = hzc_lines_next(&lines, &text, &length)) != HZC_LINE_END) {
        number++;
        if (kind == HZC_LINE_FAILED) {
            code = hzc_complain(args, HZC_ENVIRONMENT, "reading failed: %s", strerror(errno));
        } else if (kind == HZC_LINE_TOO_LONG) {
            code = hzc_complain(args, HZC_USAGE, "line %zu has more than %zu bytes", number, limit);
        } else {
            length -= length > 0 && text[length - 1] == '\r';
            code = work(context, text, length, number);
        }
    }
    hzc_lines_fini(&lines);
    return code;
}
