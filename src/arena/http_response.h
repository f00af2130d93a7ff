/* SPDX-License-Identifier: MIT */
/*
 * Reading an HTTP/1.1 response out of the bytes that have arrived so far, strictly: status line,
 * headers, a body by its length, in chunks, or up to the end of the stream. For the conformance
 * client, which speaks to servers byte by byte. Safe in any thread.
 */
#ifndef HAZARD_ARENA_HTTP_RESPONSE_H
#define HAZARD_ARENA_HTTP_RESPONSE_H

#include "arena/text.h"

enum { HZI_RESPONSE_HEAD_MAX = 16384, HZI_RESPONSE_BODY_MAX = 65536 };

typedef enum hzi_response_state {
    HZI_RESPONSE_MORE, /* more bytes are needed */
    HZI_RESPONSE_DONE,
    HZI_RESPONSE_BAD /* what says why */
} hzi_response_state;

typedef struct hzi_response {
    int status;
    size_t head_start, head_length; /* of the header lines in the bytes */
    size_t used;                    /* bytes of the whole response; the next one begins there */
    hzi_text body;                  /* owned: hzi_text_fini */
    const char *what;               /* static */
    bool continued;                 /* an interim response (1xx) came before */
} hzi_response;

/*
 * Reads from the beginning of `bytes`; ended: no more will come. Interim responses are skipped.
 * Call again with the longer bytes after HZI_RESPONSE_MORE; *response is made anew each time and
 * must be zeroed or finished before.
 */
hzi_response_state hzi_response_read(const char *bytes, size_t length, bool ended,
                                     hzi_response *response);
/* The value of a header that stands once, without blanks at its ends. False when it is missing,
 * stands twice or does not fit. */
bool hzi_response_header(const hzi_response *response, const char *bytes, const char *name,
                         char *value, size_t capacity);

#endif
