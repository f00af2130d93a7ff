/* SPDX-License-Identifier: MIT */
/* Query lines: any bytes. Each line gives exactly one line of valid JSON with a result or an error
 * of a known name, and a line with a result gives the same one when it is asked again. */
#include "fuzz/fuzz.h"

#include "cli/query.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 20000, LARGEST_OUTPUT = 1 << 24 };

/* Output in memory. */
typedef struct sink {
    char *text;
    size_t length, capacity;
} sink;

static bool keep(void *context, const char *bytes, size_t length) {
    sink *s = context;
    FUZZ_CHECK(length <= LARGEST_OUTPUT - s->length);
    if (s->length + length > s->capacity) {
        s->capacity = 2 * (s->length + length);
        s->text = realloc(s->text, s->capacity);
        FUZZ_CHECK(s->text != NULL);
    }
    memcpy(s->text + s->length, bytes, length);
    s->length += length;
    return true;
}

typedef struct question {
    bool quick;  /* no query on this position takes long; what is no query never does */
    bool random; /* may answer differently when it is asked again */
} question;

static question look_at(const char *line, size_t length) {
    json_t *query =
        json_loadb(line, length, JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL | JSON_ALLOW_NUL, NULL);
    const char *dfen = json_string_value(json_object_get(query, "dfen"));
    const char *name = json_string_value(json_object_get(query, "query"));
    hz_position position;
    question q = {.quick = !dfen ||
                           hz_position_from_dfen(&position, dfen, strlen(dfen), NULL) != HZ_OK ||
                           fuzz_is_small(&position, MOST_LINES),
                  .random = name && (strcmp(name, "best") == 0 || strcmp(name, "equity") == 0)};
    json_decref(query);
    return q;
}

static bool known_code(const char *name) {
    static const char *const names[] = {
#define STATUS_NAME(name, value, text) #name,
        HZ_STATUS_TABLE(STATUS_NAME)
#undef STATUS_NAME
    };
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i]) == 0) {
            return strcmp(name, "OK") != 0;
        }
    }
    return false;
}

/* Whether the reply is a result. */
static bool check_reply(const sink *s, size_t line_length) {
    FUZZ_CHECK(s->length > 0 && memchr(s->text, '\n', s->length) == s->text + s->length - 1);
    /* Real numbers, for an id is given back as it came, however large it is. */
    json_t *reply =
        json_loadb(s->text, s->length,
                   JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL, NULL);
    FUZZ_CHECK(json_is_object(reply) && json_object_size(reply) == 2);
    FUZZ_CHECK(json_object_get(reply, "id") != NULL);
    const json_t *error = json_object_get(reply, "error");
    bool result = json_object_get(reply, "result") != NULL;
    FUZZ_CHECK(result != (error != NULL));
    if (error) {
        FUZZ_CHECK(known_code(json_string_value(json_object_get(error, "code"))));
        FUZZ_CHECK(json_string_length(json_object_get(error, "message")) > 0);
        const json_t *offset = json_object_get(error, "offset");
        FUZZ_CHECK(!offset || json_number_value(offset) <= (double)line_length);
    }
    json_decref(reply);
    return result;
}

static void ask(hzc_session *session, const char *line, size_t length, sink *s) {
    static hzc_out out; /* too large for the stack of a recursive caller, and used by one */
    s->length = 0;
    hzc_out_init(&out, keep, s);
    FUZZ_CHECK(hzc_query_line(session, line, length, &out) && hzc_out_flush(&out));
}

/* Bots and rollouts get little time; everything else must end by itself on a quick position. */
static hzc_session *open_session(uint64_t budget_ms) {
    hzc_query_limits limits = hzc_query_limits_default();
    limits.perft_depth = 2;
    limits.rollouts = 2;
    limits.plies = 8;
    limits.budget_ms = budget_ms;
    limits.memory = (size_t)1 << 24;
    limits.guarded = true;
    hzc_session *session = hzc_session_new(&limits);
    FUZZ_CHECK(session != NULL);
    return session;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hzc_session *untimed = open_session(0), *timed = open_session(20);
    sink first = {0}, second = {0};
    const uint8_t *rest;
    for (size_t length; size > 0; data = rest) {
        length = fuzz_first_line(data, size, &rest, &size);
        const char *line = (const char *)data;
        question q = look_at(line, length);
        if (!q.quick) {
            continue;
        }
        ask(q.random ? timed : untimed, line, length, &first);
        if (check_reply(&first, length) && !q.random) {
            ask(untimed, line, length, &second);
            FUZZ_CHECK(first.length == second.length &&
                       memcmp(first.text, second.text, first.length) == 0);
        }
    }
    free(first.text);
    free(second.text);
    hzc_session_free(untimed);
    hzc_session_free(timed);
    return 0;
}
