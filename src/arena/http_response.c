/* SPDX-License-Identifier: MIT */
/* Reading HTTP responses. Line ends are CR LF; nothing is guessed. */
#include "arena/http_response.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static hzi_response_state bad(hzi_response *response, const char *what) {
    response->what = what;
    return HZI_RESPONSE_BAD;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* The length of the line at `bytes` without its CR LF; false when its end is not there. */
static bool line_at(const char *bytes, size_t length, size_t *line) {
    const char *feed = length ? memchr(bytes, '\n', length) : NULL;
    if (!feed || feed == bytes || feed[-1] != '\r') {
        return false;
    }
    *line = (size_t)(feed - bytes) - 1;
    return true;
}

/* Finds the blank line behind the headers; the length up to it, SIZE_MAX when it is not there. */
static size_t head_end(const char *bytes, size_t length) {
    for (size_t i = 0; i + 3 < length; i++) {
        if (bytes[i] == '\r' && memcmp(bytes + i, "\r\n\r\n", 4) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

bool hzi_response_header(const hzi_response *response, const char *bytes, const char *name,
                         char *value, size_t capacity) {
    const char *at = bytes + response->head_start, *end = at + response->head_length;
    size_t wanted = strlen(name), found = 0;
    while (at < end) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        const char *stop = feed ? feed : end;
        size_t n = (size_t)(stop - at);
        n -= n > 0 && at[n - 1] == '\r';
        if (n > wanted && at[wanted] == ':' && strncasecmp(at, name, wanted) == 0) {
            const char *text = at + wanted + 1;
            size_t length = n - wanted - 1;
            while (length > 0 && (*text == ' ' || *text == '\t')) {
                text++;
                length--;
            }
            while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t')) {
                length--;
            }
            if (++found > 1 || length >= capacity) {
                return false;
            }
            memcpy(value, text, length);
            value[length] = '\0';
        }
        at = feed ? feed + 1 : end;
    }
    return found == 1;
}

/* Whether a header of this name stands anywhere. */
static bool has_header(const hzi_response *response, const char *bytes, const char *name) {
    const char *at = bytes + response->head_start, *end = at + response->head_length;
    size_t wanted = strlen(name);
    while (at < end) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        if ((size_t)(end - at) > wanted && at[wanted] == ':' &&
            strncasecmp(at, name, wanted) == 0) {
            return true;
        }
        at = feed ? feed + 1 : end;
    }
    return false;
}

static hzi_response_state take_body(const char *bytes, size_t length, size_t wanted,
                                    hzi_response *response) {
    if (wanted > HZI_RESPONSE_BODY_MAX) {
        return bad(response, "a body of more than 65536 bytes");
    }
    if (length < wanted) {
        return HZI_RESPONSE_MORE;
    }
    hzi_text_add(&response->body, bytes, wanted);
    response->used += wanted;
    return response->body.failed ? bad(response, "no memory") : HZI_RESPONSE_DONE;
}

/* A chunk size in hex digits, an extension behind it ignored. */
static bool chunk_size(const char *line, size_t length, size_t *size) {
    size_t i = 0;
    *size = 0;
    for (; i < length && line[i] != ';' && line[i] != ' '; i++) {
        char c = line[i];
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0 || i >= 8) {
            return false;
        }
        *size = *size * 16 + (size_t)digit;
    }
    return i > 0;
}

static hzi_response_state take_chunks(const char *bytes, size_t length, hzi_response *response) {
    size_t at = 0;
    for (;;) {
        size_t line, size;
        if (!line_at(bytes + at, length - at, &line)) {
            return length - at > 200 || memchr(bytes + at, '\n', length - at)
                       ? bad(response, "a chunk without its size")
                       : HZI_RESPONSE_MORE;
        }
        if (!chunk_size(bytes + at, line, &size)) {
            return bad(response, "a chunk without its size");
        }
        at += line + 2;
        if (size == 0) {
            break;
        }
        if (size > HZI_RESPONSE_BODY_MAX || response->body.length + size > HZI_RESPONSE_BODY_MAX) {
            return bad(response, "a body of more than 65536 bytes");
        }
        if (length - at < size + 2) {
            return HZI_RESPONSE_MORE;
        }
        if (memcmp(bytes + at + size, "\r\n", 2) != 0) {
            return bad(response, "a chunk is longer than its size");
        }
        hzi_text_add(&response->body, bytes + at, size);
        at += size + 2;
    }
    for (;;) { /* trailers */
        size_t line;
        if (!line_at(bytes + at, length - at, &line)) {
            return length - at > HZI_RESPONSE_HEAD_MAX || memchr(bytes + at, '\n', length - at)
                       ? bad(response, "broken trailers")
                       : HZI_RESPONSE_MORE;
        }
        at += line + 2;
        if (line == 0) {
            break;
        }
    }
    response->used += at;
    return response->body.failed ? bad(response, "no memory") : HZI_RESPONSE_DONE;
}

static hzi_response_state read_body(const char *bytes, size_t length, bool ended,
                                    hzi_response *response) {
    char value[32];
    const char *rest = bytes + response->used;
    size_t left = length - response->used;
    bool chunked = has_header(response, bytes, "Transfer-Encoding");
    bool sized = has_header(response, bytes, "Content-Length");
    if (chunked && sized) {
        return bad(response, "Content-Length together with Transfer-Encoding");
    }
    if (chunked) {
        return hzi_response_header(response, bytes, "Transfer-Encoding", value, sizeof value) &&
                       strcasecmp(value, "chunked") == 0
                   ? take_chunks(rest, left, response)
                   : bad(response, "a Transfer-Encoding other than chunked");
    }
    if (sized) {
        size_t wanted = 0;
        if (!hzi_response_header(response, bytes, "Content-Length", value, sizeof value) ||
            strspn(value, "0123456789") != strlen(value) || strlen(value) == 0 ||
            strlen(value) > 9) {
            return bad(response, "Content-Length is no number or stands there twice");
        }
        for (const char *c = value; *c; c++) {
            wanted = wanted * 10 + (size_t)(*c - '0');
        }
        return take_body(rest, left, wanted, response);
    }
    if (response->status == 204 || response->status == 304) {
        return HZI_RESPONSE_DONE;
    }
    if (left > HZI_RESPONSE_BODY_MAX) {
        return bad(response, "a body of more than 65536 bytes");
    }
    return ended ? take_body(rest, left, left, response) : HZI_RESPONSE_MORE;
}

hzi_response_state hzi_response_read(const char *bytes, size_t length, bool ended,
                                     hzi_response *response) {
    *response = (hzi_response){0};
    for (;;) {
        const char *at = bytes + response->used;
        size_t left = length - response->used, line;
        static const char begin[] = "HTTP/1.";
        size_t known = left < sizeof begin - 1 ? left : sizeof begin - 1;
        if (known > 0 && memcmp(at, begin, known) != 0) {
            return bad(response, "no HTTP/1.1 response");
        }
        size_t head = head_end(at, left < HZI_RESPONSE_HEAD_MAX ? left : HZI_RESPONSE_HEAD_MAX);
        if (head == SIZE_MAX) {
            return left >= HZI_RESPONSE_HEAD_MAX ? bad(response, "endless headers")
                   : ended                       ? bad(response, "the response is cut off")
                                                 : HZI_RESPONSE_MORE;
        }
        /* The head and the blank line behind it end with CR LF, so the first line has an end. */
        if (!line_at(at, head + 4, &line) || line < 12 || at[8] != ' ' ||
            (at[7] != '0' && at[7] != '1') || !is_digit(at[9]) || !is_digit(at[10]) ||
            !is_digit(at[11]) || (line > 12 && at[12] != ' ')) {
            return bad(response, "a broken status line");
        }
        response->status = (at[9] - '0') * 100 + (at[10] - '0') * 10 + (at[11] - '0');
        response->head_start = response->used + line + 2;
        response->head_length = head > line + 2 ? head - line - 2 : 0;
        response->used += head + 4;
        if (response->status < 100) {
            return bad(response, "a broken status line");
        }
        if (response->status >= 200) {
            break;
        }
        response->continued = true;
    }
    hzi_response_state state = read_body(bytes, length, ended, response);
    if (state == HZI_RESPONSE_MORE && ended) {
        state = bad(response, "the response is cut off");
    }
    if (state != HZI_RESPONSE_DONE) {
        hzi_text_fini(&response->body);
    }
    return state;
}
