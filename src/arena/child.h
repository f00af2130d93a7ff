/* SPDX-License-Identifier: MIT */
/*
 * A program run as a child process that is spoken to in lines: started without a shell, its
 * standard input and output at one end of sockets of ours, its standard error thrown away. It leads
 * a process group of its own, so that what it starts ends with it.
 *
 * Nothing here touches the signal handling of the process: a child that is gone gives an error, not
 * SIGPIPE. One child belongs to one thread at a time. Descriptors are not inherited by anybody.
 */
#ifndef HAZARD_ARENA_CHILD_H
#define HAZARD_ARENA_CHILD_H

#include <hazard/base.h>

#include <sys/types.h>

/* The words of a command line. Blanks and tabs separate; inside '...' every byte stands for itself,
 * inside "..." and outside of quotes a backslash does so for the next one. */
typedef struct hzi_words {
    size_t count;
    char **word;  /* count of them, then NULL */
    char *memory; /* what they point into */
} hzi_words;
/* HZ_INVALID_ARGUMENT with the offset: a quote or backslash without its end, a control character.
 * HZ_NO_MEMORY. An empty text gives no words. Free with hzi_words_fini. */
hz_status hzi_words_split(const char *text, hzi_words *words, hz_error *err);
void hzi_words_fini(hzi_words *words);

enum { HZI_CHILD_LINE_MAX = 1 << 16 };

/* Zero-initialise; a zeroed child is one that does not run. */
typedef struct hzi_child {
    pid_t pid;   /* 0 = none */
    int in, out; /* our ends: its standard input and output */
    bool ended;  /* its output has ended */
    size_t begin, end;
    uint64_t received; /* bytes, since it was set to 0 by the caller */
    char *buffer;      /* HZI_CHILD_LINE_MAX bytes */
} hzi_child;

typedef enum hzi_child_result {
    HZI_CHILD_OK,
    HZI_CHILD_ENDED,     /* it has closed its end */
    HZI_CHILD_TIMED_OUT, /* the deadline passed */
    HZI_CHILD_CANCELLED, /* the flag was raised */
    HZI_CHILD_TOO_LONG   /* a line of more than HZI_CHILD_LINE_MAX bytes */
} hzi_child_result;

/* When to give up, by hz_clock_now_ns, and a flag looked at ten times a second (may be NULL). */
typedef struct hzi_patience {
    uint64_t until_ns; /* HZ_NO_DEADLINE = never */
    const hz_cancel *cancel;
} hzi_patience;

/* argv[0] is looked up in PATH. HZ_PLAYER: it cannot be started. HZ_NO_MEMORY. */
hz_status hzi_child_start(hzi_child *child, char *const *argv, hz_error *err);
bool hzi_child_runs(const hzi_child *child);
/* Sends bytes; a child that does not read them holds us up until patience ends. */
hzi_child_result hzi_child_send(hzi_child *child, const char *bytes, size_t length,
                                const hzi_patience *patience);
/* The next line without its end (LF or CR LF), NUL-terminated; valid until the next call. Bytes
 * after the last line feed are no line. */
hzi_child_result hzi_child_line(hzi_child *child, char **line, size_t *length,
                                const hzi_patience *patience);
/* Closes its input, waits up to grace_ms for it to end, then ends it and its group. */
void hzi_child_stop(hzi_child *child, unsigned grace_ms);

#endif
