/* SPDX-License-Identifier: MIT */
/*
 * A child process that runs what a stranger sent: own program image, limits on memory, processor
 * time and files, no network, no file access, almost no system calls. The parent talks to it in
 * frames over a socket and believes nothing it says.
 *
 * A frame is its length in four bytes (little-endian, of what follows), a byte that says what it is,
 * and its content.
 */
#ifndef HAZARD_LEAGUE_SANDBOX_H
#define HAZARD_LEAGUE_SANDBOX_H

#include <hazard/league.h>

/* Kinds of frames. Parent to child: */
enum {
    HZI_SET_LIMITS = 'L', /* hzi_set_limits; must come first, answered by READY or UNSAFE */
    HZI_CHECK = 'C',      /* the file; answered by STAGEs and a VERDICT */
    HZI_OPEN = 'O',       /* hzi_open_model, then the file; answered by OPENED or REFUSED */
    HZI_CHOOSE = 'M',     /* hzi_position_to_choose, then moves; answered by CHOICE */
    /* Child to parent: */
    HZI_READY = 'r',
    HZI_UNSAFE = 'u', /* a text: this system offers no sandbox, nothing was run */
    HZI_STAGE = 's',  /* one byte: the check that begins */
    HZI_VERDICT = 'v',
    HZI_OPENED = 'o',
    HZI_REFUSED = 'f', /* a text */
    HZI_CHOICE = 'c'   /* hzi_chosen */
};

typedef struct hzi_set_limits {
    uint64_t memory_bytes, position_ms, parameters, processor_s;
    uint8_t runtime;   /* ONNX Runtime may be loaded */
    char executor[16]; /* "" = what fits */
} hzi_set_limits;

typedef struct hzi_open_model {
    uint8_t evade;
} hzi_open_model;

typedef struct hzi_position_to_choose {
    uint64_t budget_ns; /* 0 = none */
    char start[HZ_DFEN_CAPACITY];
    uint16_t count; /* of the moves that follow */
    uint8_t first;  /* a new game begins */
} hzi_position_to_choose;

typedef struct hzi_chosen {
    uint64_t nodes, judgements;
    int32_t failed; /* 0, or 1 + hz_league_reason */
    float score;
    uint16_t move;
} hzi_chosen;

typedef struct hzi_sandbox hzi_sandbox;

typedef enum hzi_reply {
    HZI_REPLY,          /* a whole frame */
    HZI_REPLY_LATE,     /* nothing until the time given */
    HZI_REPLY_GONE,     /* the child ended or closed its side */
    HZI_REPLY_NONSENSE, /* a frame that cannot be */
    HZI_REPLY_CANCELLED
} hzi_reply;

/* Starts a child and has it close itself in. processor_s: processor time of the child.
 * HZ_UNSUPPORTED, HZ_IO. */
hz_status hzi_sandbox_open(const hz_league_limits *limits, uint64_t processor_s,
                           hzi_sandbox **sandbox, hz_error *err);
/* Kills the child and waits for its end. Accepts NULL. */
void hzi_sandbox_close(hzi_sandbox *sandbox);
/* Sends a frame of two parts; false when the child does not take it (in 10 s). */
bool hzi_sandbox_send(hzi_sandbox *sandbox, int kind, const void *head, size_t head_length,
                      const void *body, size_t body_length);
/* The next frame, waiting until the monotonic time at_ns at most. *content is valid until the next
 * call. */
hzi_reply hzi_sandbox_receive(hzi_sandbox *sandbox, uint64_t at_ns, const hz_cancel *cancel,
                              int *kind, const unsigned char **content, size_t *length);
/* After HZI_REPLY_GONE: how it ended, "killed by signal 11 (Segmentation fault)". snprintf rules. */
size_t hzi_sandbox_end_text(hzi_sandbox *sandbox, char *buffer, size_t capacity);

/* A text from the child for messages: printable ASCII, the rest replaced, at most capacity - 1. */
void hzi_sandbox_text(const unsigned char *content, size_t length, char *buffer, size_t capacity);

/* ---- inside (runner.c uses it; lockdown.c) ---- */

/* Closes every descriptor above this one. May be called between fork and exec. */
void hzi_close_others(int last_kept);

/* Leaves the network and whoever watches, where it may: before anything is loaded. */
void hzi_lockdown_begin(void);
/* Closes every descriptor but 0, sets the limits and gives every right away, for all threads. false
 * with a reason: then nothing may be run. */
bool hzi_lockdown(const hzi_set_limits *limits, char *why, size_t capacity);

#endif
