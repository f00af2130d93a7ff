/* SPDX-License-Identifier: MIT */
/*
 * One POST at a time to one address, by libcurl: HTTP/1.1 over a connection that is kept, no
 * redirects, proxies, cookies or credentials, certificates checked, the answer bounded. Whatever
 * happens is an outcome, not a failure.
 *
 * A client belongs to one thread at a time.
 */
#ifndef HAZARD_ARENA_HTTP_CLIENT_H
#define HAZARD_ARENA_HTTP_CLIENT_H

#include <hazard/base.h>

enum { HZI_HTTP_BODY_MAX = 65536, HZI_HTTP_HEAD_MAX = 65536, HZI_HTTP_CONNECT_MS = 5000 };

/* An address, checked. */
typedef struct hzi_http_url {
    char *text; /* owned; with a path */
    char *host; /* owned */
    char *path; /* owned; with the query */
    unsigned port;
    bool tls;
    const char
        *ca_file; /* borrowed; certificates to trust in place of the system's; NULL = those */
} hzi_http_url;
/*
 * Reads an http or https address. Without a path it gets "/api/webhook". Credentials and fragments
 * are refused: HZ_INVALID_ARGUMENT. HZ_NO_MEMORY. Free with hzi_http_url_fini.
 */
hz_status hzi_http_url_read(const char *text, hzi_http_url *url, hz_error *err);
void hzi_http_url_fini(hzi_http_url *url);

typedef enum hzi_http_outcome {
    HZI_HTTP_ANSWERED,    /* status and body are there */
    HZI_HTTP_UNREACHABLE, /* no connection, or not within HZI_HTTP_CONNECT_MS */
    HZI_HTTP_BROKEN,      /* the connection broke before the answer was complete */
    HZI_HTTP_TIMED_OUT,
    HZI_HTTP_OVERSIZED, /* a body over HZI_HTTP_BODY_MAX bytes, headers over HZI_HTTP_HEAD_MAX */
    HZI_HTTP_GARBLED,   /* not HTTP */
    HZI_HTTP_CANCELLED
} hzi_http_outcome;

typedef struct hzi_http_answer {
    hzi_http_outcome outcome;
    int status; /* 0 = none was read */
    size_t length;
    char note[120]; /* what went wrong */
    char body[HZI_HTTP_BODY_MAX + 1];
} hzi_http_answer;

typedef struct hzi_http_post {
    const char *const *headers; /* "Name: value", NULL at the end */
    const void *body;
    size_t length;
    int64_t timeout_ms;      /* of everything, >= 1 */
    const hz_cancel *cancel; /* may be NULL; looked at about once a second, at once when idle */
} hzi_http_post;

typedef struct hzi_http hzi_http;
/* NULL without memory. url is borrowed. */
hzi_http *hzi_http_new(const hzi_http_url *url);
void hzi_http_free(hzi_http *http);
/* A body of a status other than 200 is cut at the bound. */
void hzi_http_send(hzi_http *http, const hzi_http_post *post, hzi_http_answer *answer);

/* ---- raw bytes to an address, for requests that no client would send ---- */

typedef struct hzi_wire hzi_wire;
/* Connects (TLS for https). HZ_IO says why not; HZ_NO_MEMORY. */
hz_status hzi_wire_open(const hzi_http_url *url, hzi_wire **wire, hz_error *err);
void hzi_wire_close(hzi_wire *wire);
/* Sends everything before the deadline (hz_clock_now_ns); false when the peer closed or is slow. */
bool hzi_wire_send(hzi_wire *wire, const void *bytes, size_t length, uint64_t until_ns);
/* Receives at least a byte: > 0, 0 at the end of the stream (or when it broke), -1 when the deadline
 * passed. */
ptrdiff_t hzi_wire_receive(hzi_wire *wire, void *bytes, size_t capacity, uint64_t until_ns);

#endif
