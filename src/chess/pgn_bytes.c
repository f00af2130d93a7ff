/* SPDX-License-Identifier: MIT */
/*
 * The bytes of a PGN text with their places, from memory or from a source of any size and with any
 * appetite. A few bytes can be looked at ahead, also when the source gives them one by one.
 */
#include "chess/pgn.h"

#include <string.h>

/* Asks the source for bytes behind bytes->stop, which lies in the buffer with room behind it. */
static bool more(hzi_bytes *b) {
    if (!b->source || b->ended || b->failed) {
        b->ended = b->ended || !b->source;
        return false;
    }
    size_t used = (size_t)(b->stop - b->buffer), room = HZI_PGN_BUFFER - used;
    ptrdiff_t got = b->source(b->context, b->buffer + used, room);
    if (got < 0 || (size_t)got > room) {
        b->failed = true;
    } else if (got == 0) {
        b->ended = true;
    } else {
        b->stop += got;
    }
    return got > 0 && !b->failed;
}

int hzi_bytes_refill(hzi_bytes *b) {
    if (b->source) {
        b->next = b->stop = b->buffer;
    }
    if (more(b)) {
        return (unsigned char)*b->next;
    }
    return b->failed ? HZI_PGN_FAILED : HZI_PGN_END;
}

size_t hzi_bytes_ahead(hzi_bytes *b, size_t n) {
    size_t have = (size_t)(b->stop - b->next);
    if (have >= n || !b->source) {
        return have;
    }
    if (b->next != b->buffer) {
        memmove(b->buffer, b->next, have);
        b->next = b->buffer;
        b->stop = b->buffer + have;
    }
    while ((size_t)(b->stop - b->next) < n && more(b)) {
    }
    return (size_t)(b->stop - b->next);
}

static bool ahead_is(hzi_bytes *b, const char *text) {
    size_t n = strlen(text);
    return hzi_bytes_ahead(b, n) >= n && memcmp(b->next, text, n) == 0;
}

bool hzi_event_ahead(hzi_bytes *b) {
    return ahead_is(b, "[Event ");
}

bool hzi_first_number_ahead(hzi_bytes *b) {
    /* "1..." is Black's move behind a comment. */
    return b->blank && b->blank_before && ahead_is(b, "1.") && !ahead_is(b, "1..");
}

void hzi_skip_line(hzi_bytes *b) {
    int c;
    while ((c = hzi_peek(b)) >= 0 && c != '\n') {
        hzi_take(b);
    }
}

int hzi_skip_space(hzi_bytes *b) {
    int c;
    while ((c = hzi_peek(b)) >= 0) {
        if (c == '%' && b->at.column == 1) {
            hzi_skip_line(b);
        } else if (hzi_is_space(c)) {
            hzi_take(b);
        } else if (c == 0xEF && b->at.offset == 0 && ahead_is(b, "\xEF\xBB\xBF")) {
            b->next += 3; /* a byte order mark has no place in the line */
            b->at.offset = 3;
        } else {
            break;
        }
    }
    return c;
}
