/* SPDX-License-Identifier: MIT */
/* What the checks of the conformance client share: requests put together piece by piece, sent over
 * raw connections, and verdicts. */
#ifndef HAZARD_ARENA_CONFORM_LAB_H
#define HAZARD_ARENA_CONFORM_LAB_H

#include "arena/bot_protocol.h"
#include "arena/conform.h"
#include "arena/http_client.h"
#include "arena/http_response.h"
#include "arena/signature.h"

/* How the signature headers are written. */
typedef enum hzi_signing {
    HZI_SIGNED,
    HZI_SIGNED_OTHER_CASE, /* names of headers */
    HZI_SIGNED_UPPER,      /* digits */
    HZI_SIGNED_SHORT,
    HZI_SIGNED_ONE_BIT,
    HZI_SIGNED_TWICE,
    HZI_STAMPED_TWICE,
    HZI_NOT_SIGNED,
    HZI_NOT_STAMPED
} hzi_signing;

/* How the length of the body is told. */
typedef enum hzi_framing {
    HZI_SIZED,
    HZI_CHUNKED,
    HZI_SIZED_AND_CHUNKED,
    HZI_SIZED_TWICE, /* with different numbers */
    HZI_SIZED_BADLY, /* by something that is no number */
    HZI_EXPECTING,   /* sized, after "Expect: 100-continue" was answered or two seconds passed */
    HZI_NO_BODY
} hzi_framing;

/* A request. NULL or 0 = the usual: POST to the address, now, with the active key. */
typedef struct hzi_sending {
    const char *method, *path, *key;
    const char *stamp; /* the text of the timestamp */
    int64_t shift_s;   /* of the timestamp */
    hzi_signing signing;
    hzi_framing framing;
    const char *signed_body; /* what is signed in place of the body */
    const char *body;
    size_t length;
} hzi_sending;

/* A connection with a request under way. */
typedef struct hzi_exchange {
    hzi_wire *wire;
    hzi_text received;
    hzi_response response; /* status 0: there is none, and why says so */
    uint64_t sent_ns, done_ns;
    char why[160];
} hzi_exchange;

typedef struct hzi_lab {
    const hzi_conform_options *options;
    hzi_http_url url;
    hz_position small, wide, stuck; /* a few turns, thousands, none */
    hzi_text small_tree, wide_tree;
    char small_dfen[HZ_DFEN_CAPACITY], wide_dfen[HZ_DFEN_CAPACITY], stuck_dfen[HZ_DFEN_CAPACITY];
    uint64_t run, games;
    char game[64];  /* id of the latest game */
    hzi_text body;  /* of the request being put together */
    hzi_text bytes; /* of the request as it is sent */
    hzi_exchange exchange;
    hzi_check check;
    hzi_conform_counts counts;
    hz_status status; /* of the run: when not HZ_OK nothing more is asked */
    hz_error *err;
} hzi_lab;

/* ---- requests ---- */

/* yourTurn in the small position with its tree, in a game of its own; 5 s on the clocks. */
hzi_bot_request hzi_lab_turn(hzi_lab *lab);
/* The same in the wide position. */
hzi_bot_request hzi_lab_wide_turn(hzi_lab *lab);
/* Writes a request into lab->body and says how to send it. */
hzi_sending hzi_lab_write(hzi_lab *lab, const hzi_bot_request *request);
/* A body of one's own, which must live until it is sent. */
hzi_sending hzi_lab_body(const char *body);

/* ---- sending ---- */

/* Sends a request over a new connection; false with exchange->why. Finish it in any case. */
bool hzi_exchange_open(hzi_lab *lab, const hzi_sending *sending, hzi_exchange *exchange);
/* Sends over the connection that is there. */
bool hzi_exchange_again(hzi_lab *lab, const hzi_sending *sending, hzi_exchange *exchange);
/* Waits for the answer. */
bool hzi_exchange_read(hzi_lab *lab, hzi_exchange *exchange);
void hzi_exchange_fini(hzi_exchange *exchange);
/* All of it, in lab->exchange. */
bool hzi_lab_ask(hzi_lab *lab, const hzi_sending *sending);
/* Connects to lab->exchange without sending anything; false with its why. */
bool hzi_lab_connect(hzi_lab *lab);
/* Bytes of a request's headers, up to the blank line, into lab->bytes. */
void hzi_lab_head(hzi_lab *lab, const hzi_sending *sending);

/* ---- verdicts ---- */

/* Begins a check. False: the run was stopped, ask nothing. */
bool hzi_lab_begin(hzi_lab *lab, int number, const char *name);
/* Ends it. */
void hzi_lab_pass(hzi_lab *lab);
void hzi_lab_fail(hzi_lab *lab, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
void hzi_lab_skip(hzi_lab *lab, const char *reason);
/* These ask, look at lab->exchange and give the verdict. */
void hzi_lab_expect_status(hzi_lab *lab, const hzi_sending *sending, int status);
void hzi_lab_expect_error(hzi_lab *lab, const hzi_sending *sending, int status, const char *code);
void hzi_lab_expect_turn(hzi_lab *lab, const hzi_sending *sending, const hz_position *position);
/* Whether an answer is a legal turn; else *why (160 bytes) says what it is. */
bool hzi_lab_is_turn(const hzi_exchange *exchange, const hz_position *position, char why[160]);
/* Whether it is the error of this status and code. */
bool hzi_lab_is_error(const hzi_exchange *exchange, int status, const char *code, char why[160]);

/* ---- the checks, by the number of their promise ---- */

void hzi_conform_signatures(hzi_lab *lab);   /* 1 to 5 */
void hzi_conform_verification(hzi_lab *lab); /* 6 */
void hzi_conform_questions(hzi_lab *lab);    /* 7 to 10, 15, 17, 18, 22 */
void hzi_conform_repeats(hzi_lab *lab);      /* 11, 12 */
void hzi_conform_transport(hzi_lab *lab);    /* 13, 14, 19, 21 */
void hzi_conform_load(hzi_lab *lab);         /* 16, 20 */

#endif
