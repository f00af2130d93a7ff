/* SPDX-License-Identifier: MIT */
/* Lines from a file descriptor, with a limit: a longer line is skipped to its end and reported. */
#ifndef HAZARD_CLI_LINES_H
#define HAZARD_CLI_LINES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct hzc_lines {
    int fd;
    size_t limit;      /* most bytes of a line, without its end */
    char *buffer;      /* owned */
    size_t held;       /* bytes of buffer */
    size_t begin, end; /* unread bytes */
    bool at_end;       /* nothing more will come */
    bool skipping;     /* in a line that was too long */
} hzc_lines;

typedef enum hzc_line {
    HZC_LINE,          /* *text, *length; without the line end, not NUL-terminated */
    HZC_LINE_TOO_LONG, /* reported as soon as it is known; the rest is skipped later */
    HZC_LINE_END,
    HZC_LINE_FAILED /* reading failed: errno; or no memory */
} hzc_line;

void hzc_lines_init(hzc_lines *lines, int fd, size_t limit);
/* The next line. The text is valid until the next call. The last line needs no line end. It waits
 * for no more than that line, so that a dialogue works through pipes. */
hzc_line hzc_lines_next(hzc_lines *lines, const char **text, size_t *length);
void hzc_lines_fini(hzc_lines *lines);

#endif
