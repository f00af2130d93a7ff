/* SPDX-License-Identifier: MIT */
/* Lines from a file descriptor, with a limit: a longer line is skipped to its end and reported. */
#ifndef HAZARD_CLI_LINES_H
#define HAZARD_CLI_LINES_H

#include "cli/args.h"

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

/* What a command does with one line; `number` counts from 1. An exit code. */
typedef int (*hzc_line_work)(void *context, const char *text, size_t length, size_t number);
/*
 * For a command whose input is a list: does `work` for each line of the standard input, without the
 * carriage return that may end it, as long as it returns HZC_DONE and the output can be written. A
 * line beyond the limit, or reading that fails, is complained about. The exit code.
 */
int hzc_each_line(const hzc_args *args, size_t limit, hzc_line_work work, void *context);

#endif
