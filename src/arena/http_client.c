/* SPDX-License-Identifier: MIT */
/*
 * HTTP by libcurl.
 *
 * With its option NOSIGNAL libcurl leaves signals alone, but the TLS library below it writes to its
 * socket in a way that raises SIGPIPE when the peer is gone. The signal is held back in the calling
 * thread around every call and taken away when it came from there.
 */
#define _GNU_SOURCE /* sigtimedwait */
#include "arena/http_client.h"

#include <curl/curl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- SIGPIPE ------------------------------------------------------------------------------------ */

typedef struct quiet {
    sigset_t before;
    bool pending; /* one was waiting already, somebody else's */
} quiet;

static void pipe_set(sigset_t *set) {
    (void)sigemptyset(set);
    (void)sigaddset(set, SIGPIPE);
}

static quiet hush(void) {
    quiet q = {.pending = false};
    sigset_t waiting, pipes;
    pipe_set(&pipes);
    if (sigpending(&waiting) == 0) {
        q.pending = sigismember(&waiting, SIGPIPE) == 1;
    }
    (void)pthread_sigmask(SIG_BLOCK, &pipes, &q.before);
    return q;
}

static void unhush(const quiet *q) {
    const struct timespec now = {0};
    sigset_t pipes;
    pipe_set(&pipes);
    if (!q->pending) {
        while (sigtimedwait(&pipes, NULL, &now) > 0) {
        }
    }
    (void)pthread_sigmask(SIG_SETMASK, &q->before, NULL);
}

/* ---- addresses ---------------------------------------------------------------------------------- */

static char *copy_of(const char *text) {
    size_t length = strlen(text) + 1;
    char *copy = malloc(length);
    return copy ? memcpy(copy, text, length) : NULL;
}

/* A part of an address, NULL when it has none. Free with curl_free. */
static char *part(CURLU *handle, CURLUPart which, unsigned flags) {
    char *text = NULL;
    return curl_url_get(handle, which, &text, flags) == CURLUE_OK ? text : NULL;
}

static bool has_part(CURLU *handle, CURLUPart which) {
    char *text = part(handle, which, 0);
    curl_free(text);
    return text != NULL;
}

static hz_status take_parts(CURLU *handle, hzi_http_url *url, hz_error *err) {
    char *scheme = part(handle, CURLUPART_SCHEME, 0), *path = part(handle, CURLUPART_PATH, 0);
    bool plain = scheme && strcmp(scheme, "http") == 0;
    url->tls = scheme && strcmp(scheme, "https") == 0;
    bool known = plain || url->tls;
    if (path && strcmp(path, "/") == 0) {
        (void)curl_url_set(handle, CURLUPART_PATH, "/api/webhook", 0);
    }
    curl_free(scheme);
    curl_free(path);
    if (!known) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, 0, "the address is neither http nor https");
    }
    if (has_part(handle, CURLUPART_USER) || has_part(handle, CURLUPART_PASSWORD) ||
        has_part(handle, CURLUPART_FRAGMENT)) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, 0,
                       "an address with a user, a password or a fragment");
    }
    char *text = part(handle, CURLUPART_URL, 0), *host = part(handle, CURLUPART_HOST, 0);
    char *port = part(handle, CURLUPART_PORT, CURLU_DEFAULT_PORT);
    char *query = part(handle, CURLUPART_QUERY, 0);
    path = part(handle, CURLUPART_PATH, 0);
    if (text && host && port && path) {
        size_t room = strlen(path) + (query ? strlen(query) + 1 : 0) + 1;
        url->text = copy_of(text);
        url->host = copy_of(host);
        url->path = malloc(room);
        url->port = (unsigned)strtoul(port, NULL, 10);
        if (url->path) {
            (void)snprintf(url->path, room, "%s%s%s", path, query ? "?" : "", query ? query : "");
        }
    }
    curl_free(text);
    curl_free(host);
    curl_free(port);
    curl_free(path);
    curl_free(query);
    if (!url->text || !url->host || !url->path) {
        hzi_http_url_fini(url);
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for an address");
    }
    return HZ_OK;
}

hz_status hzi_http_url_read(const char *text, hzi_http_url *url, hz_error *err) {
    *url = (hzi_http_url){0};
    for (const char *c = text; *c; c++) {
        if (*c <= ' ' || *c == 127) {
            return hz_fail(err, HZ_INVALID_ARGUMENT, (size_t)(c - text),
                           "an address holds no blanks or control characters");
        }
    }
    CURLU *handle = curl_url();
    if (!handle) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for an address");
    }
    CURLUcode code = curl_url_set(handle, CURLUPART_URL, text, CURLU_NON_SUPPORT_SCHEME);
    hz_status status = code == CURLUE_OK
                           ? take_parts(handle, url, err)
                           : hz_fail(err, HZ_INVALID_ARGUMENT, 0, "this is no address: %s",
                                     curl_url_strerror(code));
    curl_url_cleanup(handle);
    return status;
}

void hzi_http_url_fini(hzi_http_url *url) {
    free(url->text);
    free(url->host);
    free(url->path);
    *url = (hzi_http_url){0};
}

/* ---- posting ------------------------------------------------------------------------------------ */

struct hzi_http {
    CURL *curl;
    char text[CURL_ERROR_SIZE];
    hzi_http_answer *answer; /* of the running request */
    const hz_cancel *cancel;
    size_t head; /* bytes of headers so far, of interim answers too */
    bool headed; /* the last line of the headers was seen */
    bool oversized;
};

static size_t take_body(char *bytes, size_t size, size_t count, void *context) {
    hzi_http *http = context;
    hzi_http_answer *answer = http->answer;
    size_t length = size * count, room = HZI_HTTP_BODY_MAX - answer->length;
    size_t taken = length < room ? length : room;
    memcpy(answer->body + answer->length, bytes, taken);
    answer->length += taken;
    http->oversized = taken < length;
    return taken;
}

/* Headers are not looked at, but an endless stream of them is refused. */
static size_t count_head(char *bytes, size_t size, size_t count, void *context) {
    hzi_http *http = context;
    /* Interim answers have heads too, and trailers come behind the body. */
    bool begins = size * count > 5 && memcmp(bytes, "HTTP/", 5) == 0;
    bool ends = size * count > 0 && (bytes[0] == '\r' || bytes[0] == '\n');
    http->headed = !begins && (ends || http->headed);
    http->head += size * count;
    http->oversized = http->head > HZI_HTTP_HEAD_MAX;
    return http->oversized ? 0 : size * count;
}

static int look_at_flag(void *context, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d) {
    const hzi_http *http = context;
    (void)a, (void)b, (void)c, (void)d;
    return hz_cancel_requested(http->cancel);
}

/* Options of every handle; false without memory. */
static bool set_up(CURL *curl, const hzi_http_url *url) {
    return curl_easy_setopt(curl, CURLOPT_URL, url->text) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_PROXY, "") == CURLE_OK &&
           (!url->ca_file || curl_easy_setopt(curl, CURLOPT_CAINFO, url->ca_file) == CURLE_OK) &&
           curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, (long)HZI_HTTP_CONNECT_MS) == CURLE_OK;
}

hzi_http *hzi_http_new(const hzi_http_url *url) {
    hzi_http *http = calloc(1, sizeof *http);
    if (!http) {
        return NULL;
    }
    http->curl = curl_easy_init();
    CURL *curl = http->curl;
    bool good =
        curl && set_up(curl, url) &&
        curl_easy_setopt(curl, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1) == CURLE_OK &&
        curl_easy_setopt(curl, CURLOPT_POST, 1L) == CURLE_OK &&
        curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L) == CURLE_OK &&
        curl_easy_setopt(curl, CURLOPT_TCP_NODELAY, 1L) == CURLE_OK &&
        curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, http->text) == CURLE_OK &&
        curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_body) == CURLE_OK &&
        curl_easy_setopt(curl, CURLOPT_WRITEDATA, http) == CURLE_OK &&
        curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, count_head) == CURLE_OK &&
        curl_easy_setopt(curl, CURLOPT_HEADERDATA, http) == CURLE_OK &&
        curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, look_at_flag) == CURLE_OK &&
        curl_easy_setopt(curl, CURLOPT_XFERINFODATA, http) == CURLE_OK &&
        curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L) == CURLE_OK;
    if (!good) {
        hzi_http_free(http);
        return NULL;
    }
    return http;
}

void hzi_http_free(hzi_http *http) {
    if (http) {
        quiet q = hush();
        curl_easy_cleanup(http->curl);
        unhush(&q);
        free(http);
    }
}

static hzi_http_outcome outcome_of(hzi_http *http, CURLcode code, uint64_t taken_ms) {
    curl_off_t connected = 0;
    int status = http->answer->status;
    if (code == CURLE_OK && !http->headed) {
        return HZI_HTTP_BROKEN; /* the library takes a head that is cut off for one without a body */
    }
    /* A status other than 200 says all there is to say, however its body ends. */
    if (status > 200 && code != CURLE_ABORTED_BY_CALLBACK && code != CURLE_OPERATION_TIMEDOUT) {
        return HZI_HTTP_ANSWERED;
    }
    switch (code) {
    case CURLE_OK:
        return HZI_HTTP_ANSWERED;
    case CURLE_WRITE_ERROR:
        return http->oversized ? HZI_HTTP_OVERSIZED : HZI_HTTP_BROKEN;
    case CURLE_OUT_OF_MEMORY: /* what the library says of a header of more than 100 KiB */
        return status ? HZI_HTTP_OVERSIZED : HZI_HTTP_BROKEN;
    case CURLE_RECV_ERROR:
        /* The library has no code of its own for it, only a text. */
        return strstr(http->text, "chunked-encoding") ? HZI_HTTP_GARBLED : HZI_HTTP_BROKEN;
    case CURLE_OPERATION_TIMEDOUT:
        (void)curl_easy_getinfo(http->curl, CURLINFO_CONNECT_TIME_T, &connected);
        return connected == 0 && taken_ms + 50 >= HZI_HTTP_CONNECT_MS ? HZI_HTTP_UNREACHABLE
                                                                      : HZI_HTTP_TIMED_OUT;
    case CURLE_COULDNT_CONNECT:
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CERTPROBLEM:
        return HZI_HTTP_UNREACHABLE;
    case CURLE_ABORTED_BY_CALLBACK:
        return HZI_HTTP_CANCELLED;
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_BAD_CONTENT_ENCODING:
        return HZI_HTTP_GARBLED;
    default:
        return HZI_HTTP_BROKEN;
    }
}

/* A connection that was kept may have been closed by the peer before it saw the request. The library
 * opens another one by itself, but counts and gives up after a few of these in its life. */
static bool was_stale(const hzi_http *http, CURLcode code) {
    long connects = 1;
    bool broke = code == CURLE_SEND_ERROR || code == CURLE_RECV_ERROR || code == CURLE_GOT_NOTHING;
    return broke && http->head == 0 &&
           curl_easy_getinfo(http->curl, CURLINFO_NUM_CONNECTS, &connects) == CURLE_OK &&
           connects == 0;
}

static CURLcode perform(hzi_http *http, int64_t timeout_ms) {
    uint64_t start = hz_clock_now_ns();
    quiet q = hush();
    CURLcode code = curl_easy_perform(http->curl);
    int64_t rest = timeout_ms - (int64_t)((hz_clock_now_ns() - start) / 1000000);
    if (was_stale(http, code) && rest > 0) {
        http->text[0] = '\0';
        (void)curl_easy_setopt(http->curl, CURLOPT_FRESH_CONNECT, 1L);
        (void)curl_easy_setopt(http->curl, CURLOPT_TIMEOUT_MS, (long)rest);
        code = curl_easy_perform(http->curl);
        (void)curl_easy_setopt(http->curl, CURLOPT_FRESH_CONNECT, 0L);
    }
    unhush(&q);
    return code;
}

void hzi_http_send(hzi_http *http, const hzi_http_post *post, hzi_http_answer *answer) {
    /* No waiting for "100 Continue", which curl asks for before large bodies. */
    struct curl_slist *headers = curl_slist_append(NULL, "Expect:");
    CURL *curl = http->curl;
    bool good = headers != NULL;
    answer->outcome = HZI_HTTP_BROKEN;
    answer->status = 0;
    answer->length = 0;
    answer->note[0] = '\0';
    http->answer = answer;
    http->cancel = post->cancel;
    http->oversized = false;
    http->head = 0;
    http->headed = false;
    http->text[0] = '\0';
    for (size_t i = 0; good && post->headers[i]; i++) {
        struct curl_slist *longer = curl_slist_append(headers, post->headers[i]);
        good = longer != NULL;
        headers = longer ? longer : headers;
    }
    good =
        good && curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers) == CURLE_OK &&
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, post->body) == CURLE_OK &&
        curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)post->length) == CURLE_OK &&
        curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, (long)post->timeout_ms) == CURLE_OK;
    if (good) {
        long status = 0;
        uint64_t start = hz_clock_now_ns();
        CURLcode code = perform(http, post->timeout_ms);
        (void)curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
        answer->status = (int)status;
        answer->outcome = outcome_of(http, code, (hz_clock_now_ns() - start) / 1000000);
        if (code != CURLE_OK) {
            (void)snprintf(answer->note, sizeof answer->note, "%.110s",
                           http->text[0] ? http->text : curl_easy_strerror(code));
        } else if (answer->outcome != HZI_HTTP_ANSWERED) {
            (void)snprintf(answer->note, sizeof answer->note, "the answer is cut off");
        }
    } else {
        (void)snprintf(answer->note, sizeof answer->note, "no memory for a request");
    }
    (void)curl_easy_setopt(curl, CURLOPT_HTTPHEADER, NULL);
    (void)curl_easy_setopt(curl, CURLOPT_POSTFIELDS, NULL);
    curl_slist_free_all(headers);
    answer->body[answer->length] = '\0';
    http->answer = NULL;
}

/* ---- raw bytes ---------------------------------------------------------------------------------- */

struct hzi_wire {
    CURL *curl;
    curl_socket_t socket;
    char text[CURL_ERROR_SIZE];
};

hz_status hzi_wire_open(const hzi_http_url *url, hzi_wire **wire, hz_error *err) {
    hzi_wire *w = calloc(1, sizeof *w);
    *wire = NULL;
    if (w) {
        w->curl = curl_easy_init();
    }
    if (!w || !w->curl || !set_up(w->curl, url) ||
        curl_easy_setopt(w->curl, CURLOPT_CONNECT_ONLY, 1L) != CURLE_OK ||
        curl_easy_setopt(w->curl, CURLOPT_SSL_ENABLE_ALPN, 0L) != CURLE_OK ||
        curl_easy_setopt(w->curl, CURLOPT_TCP_NODELAY, 1L) != CURLE_OK ||
        curl_easy_setopt(w->curl, CURLOPT_ERRORBUFFER, w->text) != CURLE_OK) {
        hzi_wire_close(w);
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a connection");
    }
    quiet q = hush();
    CURLcode code = curl_easy_perform(w->curl);
    unhush(&q);
    if (code == CURLE_OK) {
        code = curl_easy_getinfo(w->curl, CURLINFO_ACTIVESOCKET, &w->socket);
    }
    if (code != CURLE_OK) {
        hz_status status = hz_fail(err, HZ_IO, HZ_NO_OFFSET, "cannot connect to %.200s: %s",
                                   url->text, w->text[0] ? w->text : curl_easy_strerror(code));
        hzi_wire_close(w);
        return status;
    }
    *wire = w;
    return HZ_OK;
}

void hzi_wire_close(hzi_wire *wire) {
    if (wire) {
        quiet q = hush();
        curl_easy_cleanup(wire->curl);
        unhush(&q);
        free(wire);
    }
}

/* Until the socket is ready; false when the time is over. */
static bool wait_for(const hzi_wire *wire, short events, uint64_t until_ns) {
    uint64_t now = hz_clock_now_ns();
    if (now >= until_ns) {
        return false;
    }
    uint64_t rest_ms = (until_ns - now + 999999) / 1000000;
    struct pollfd item = {.fd = wire->socket, .events = events};
    (void)poll(&item, 1, (int)(rest_ms < 1000000 ? rest_ms : 1000000));
    return true;
}

bool hzi_wire_send(hzi_wire *wire, const void *bytes, size_t length, uint64_t until_ns) {
    const char *at = bytes;
    while (length > 0) {
        size_t sent = 0;
        quiet q = hush();
        CURLcode code = curl_easy_send(wire->curl, at, length, &sent);
        unhush(&q);
        if (code == CURLE_AGAIN) {
            if (!wait_for(wire, POLLOUT, until_ns)) {
                return false;
            }
        } else if (code != CURLE_OK) {
            return false;
        }
        at += sent;
        length -= sent;
    }
    return true;
}

ptrdiff_t hzi_wire_receive(hzi_wire *wire, void *bytes, size_t capacity, uint64_t until_ns) {
    for (;;) {
        size_t got = 0;
        quiet q = hush();
        CURLcode code = curl_easy_recv(wire->curl, bytes, capacity, &got);
        unhush(&q);
        if (code == CURLE_OK) {
            return (ptrdiff_t)got;
        }
        if (code != CURLE_AGAIN) {
            return 0;
        }
        if (!wait_for(wire, POLLIN, until_ns)) {
            return -1;
        }
    }
}
