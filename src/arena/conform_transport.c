/* SPDX-License-Identifier: MIT */
/* Checks of the conformance client: HTTP as such, hostile bodies, little time, many at once. */
#include "arena/conform_lab.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char invalid[] = "invalid_request";

enum {
    BIG = 2 << 20,
    STEP = 16384,
    FIRST_WAIT_MS = 1500, /* before the body of a request that is too large is begun */
    LAST_WAIT_MS = 3000,  /* before its last piece */
    SHORT_CLOCK_MS = 400,
    DEEP = 10000,
    MOST_AT_ONCE = 256
};

static uint64_t in_ms(int64_t ms) {
    return hz_clock_now_ns() + (uint64_t)ms * 1000000;
}

/* ---- 14: a body that is too large --------------------------------------------------------------- */

/* Takes what arrives until then; true when that is a whole response, or the end. */
static bool look(hzi_exchange *exchange, uint64_t until_ns, bool *ended) {
    for (;;) {
        char piece[4096];
        ptrdiff_t got = hzi_wire_receive(exchange->wire, piece, sizeof piece, until_ns);
        if (got < 0) {
            return false;
        }
        hzi_text_add(&exchange->received, piece, (size_t)got);
        *ended = got == 0;
        if (exchange->received.length == 0) {
            return *ended;
        }
        hzi_text_fini(&exchange->response.body);
        hzi_response_state state = hzi_response_read(
            exchange->received.bytes, exchange->received.length, *ended, &exchange->response);
        if (state == HZI_RESPONSE_BAD) {
            exchange->response.status = 0;
        }
        if (state != HZI_RESPONSE_MORE || *ended) {
            return true;
        }
    }
}

/* Sends a large body piece by piece, and listens between the pieces. False: the server wanted all of
 * it before it said anything. */
static bool upload(hzi_exchange *exchange, bool chunked, bool *ended) {
    char blanks[STEP];
    hzi_text piece = {0};
    memset(blanks, ' ', sizeof blanks);
    if (chunked) {
        hzi_text_format(&piece, "%x\r\n", (unsigned)STEP);
    }
    hzi_text_add(&piece, blanks, sizeof blanks);
    hzi_text_puts(&piece, chunked ? "\r\n" : "");
    /* In chunks nobody can know yet how much will come. */
    bool answered = look(exchange, in_ms(chunked ? 0 : FIRST_WAIT_MS), ended);
    bool taken = !piece.failed;
    for (size_t sent = 0; taken && !answered && sent + STEP < BIG; sent += STEP) {
        taken = hzi_wire_send(exchange->wire, piece.bytes, piece.length, in_ms(2000));
        answered = look(exchange, hz_clock_now_ns(), ended);
    }
    if (!answered) {
        answered = look(exchange, in_ms(LAST_WAIT_MS), ended);
    }
    hzi_text_fini(&piece);
    return answered;
}

static void too_large(hzi_lab *lab, const char *name, bool chunked) {
    char why[160];
    bool ended = false;
    if (!hzi_lab_begin(lab, 14, name)) {
        return;
    }
    hzi_sending sending = {
        .framing = chunked ? HZI_CHUNKED : HZI_SIZED, .signed_body = "", .body = "", .length = BIG};
    hzi_exchange *exchange = &lab->exchange;
    if (!hzi_lab_connect(lab)) {
        hzi_lab_fail(lab, "%s", exchange->why);
        return;
    }
    hzi_lab_head(lab, &sending);
    (void)hzi_wire_send(exchange->wire, lab->bytes.bytes, lab->bytes.length, in_ms(2000));
    bool answered = upload(exchange, chunked, &ended);
    (void)snprintf(exchange->why, sizeof exchange->why, "%s",
                   ended ? "the connection was closed without an answer" : "no HTTP response");
    if (!answered) {
        hzi_lab_fail(lab, "it says nothing before it has nearly all of 2 MiB");
    } else if (hzi_lab_is_error(exchange, 413, invalid, why)) {
        hzi_lab_pass(lab);
    } else {
        hzi_lab_fail(lab, "%s", why);
    }
}

/* ---- 13, 19 ------------------------------------------------------------------------------------- */

static void hostile_body(hzi_lab *lab, const char *name, const char *body, size_t length) {
    char why[160], after[160];
    if (!hzi_lab_begin(lab, 19, name)) {
        return;
    }
    hzi_sending sending = {.body = body, .length = length};
    (void)hzi_lab_ask(lab, &sending);
    bool good = hzi_lab_is_error(&lab->exchange, 400, invalid, why);
    hzi_bot_request request = hzi_lab_turn(lab);
    hzi_sending usual = hzi_lab_write(lab, &request);
    (void)hzi_lab_ask(lab, &usual);
    if (!hzi_lab_is_turn(&lab->exchange, &lab->small, after)) {
        hzi_lab_fail(lab, "afterwards a good question gets: %s", after);
    } else if (!good) {
        hzi_lab_fail(lab, "%s", why);
    } else {
        hzi_lab_pass(lab);
    }
}

static void hostile_bodies(hzi_lab *lab) {
    static const char open[] = "{\"type\":\"yourTurn\",\"deep\":";
    hzi_text deep = {0};
    hzi_bot_request request = hzi_lab_turn(lab);
    hzi_text whole = {0};
    hzi_bot_request_write(&request, &whole);
    hostile_body(lab, "truncated JSON is refused", whole.bytes ? whole.bytes : "",
                 whole.length / 2);
    hostile_body(lab, "an empty body is refused", "", 0);
    hostile_body(lab, "an array is refused", "[{\"type\":\"yourTurn\"}]", 21);
    hostile_body(lab, "bytes that are no UTF-8 are refused", "{\"type\":\"\xff\xfe\"}", 13);
    hzi_text_puts(&deep, open);
    for (int i = 0; i < 2 * DEEP; i++) {
        hzi_text_puts(&deep, i < DEEP ? "[" : "]");
    }
    hzi_text_puts(&deep, "}");
    hostile_body(lab, "10000 brackets are refused", deep.bytes ? deep.bytes : "", deep.length);
    hzi_text_fini(&deep);
    hzi_text_fini(&whole);
}

/* ---- 21: HTTP ----------------------------------------------------------------------------------- */

static void framed(hzi_lab *lab, const char *name, hzi_framing framing, bool good) {
    if (hzi_lab_begin(lab, 21, name)) {
        hzi_bot_request request = hzi_lab_turn(lab);
        hzi_sending sending = hzi_lab_write(lab, &request);
        sending.framing = framing;
        if (good) {
            hzi_lab_expect_turn(lab, &sending, &lab->small);
        } else {
            hzi_lab_expect_status(lab, &sending, 400);
        }
    }
}

static void headers_of_answers(hzi_lab *lab) {
    char value[100], why[160];
    hzi_bot_request request = hzi_lab_turn(lab);
    hzi_sending sending = hzi_lab_write(lab, &request);
    (void)hzi_lab_ask(lab, &sending);
    const hzi_response *response = &lab->exchange.response;
    const char *bytes = lab->exchange.received.bytes;
    if (!hzi_lab_is_turn(&lab->exchange, &lab->small, why)) {
        hzi_lab_fail(lab, "%s", why);
    } else if (!hzi_response_header(response, bytes, "Content-Type", value, sizeof value) ||
               strncasecmp(value, "application/json", 16) != 0) {
        hzi_lab_fail(lab, "Content-Type is not application/json");
    } else if (!hzi_response_header(response, bytes, "Cache-Control", value, sizeof value) ||
               !strstr(value, "no-store")) {
        hzi_lab_fail(lab, "Cache-Control is not no-store");
    } else if (!hzi_response_header(response, bytes, "Content-Length", value, sizeof value)) {
        hzi_lab_fail(lab, "Content-Length is missing");
    } else {
        hzi_lab_pass(lab);
    }
}

static void kept_alive(hzi_lab *lab) {
    char why[160];
    hzi_bot_request request = hzi_lab_turn(lab);
    hzi_sending sending = hzi_lab_write(lab, &request);
    (void)hzi_lab_ask(lab, &sending);
    bool good = hzi_lab_is_turn(&lab->exchange, &lab->small, why);
    if (good) {
        request = hzi_lab_turn(lab);
        sending = hzi_lab_write(lab, &request);
        (void)(hzi_exchange_again(lab, &sending, &lab->exchange) &&
               hzi_exchange_read(lab, &lab->exchange));
        good = hzi_lab_is_turn(&lab->exchange, &lab->small, why);
    }
    if (good) {
        hzi_lab_pass(lab);
    } else {
        hzi_lab_fail(lab, "%s", why);
    }
}

void hzi_conform_transport(hzi_lab *lab) {
    if (hzi_lab_begin(lab, 13, "GET is refused")) {
        hzi_sending sending = {.method = "GET", .framing = HZI_NO_BODY, .body = ""};
        hzi_lab_expect_error(lab, &sending, 405, invalid);
    }
    too_large(lab, "a body of 2 MiB is refused before all of it is sent", false);
    too_large(lab, "one in chunks as well", true);
    hostile_bodies(lab);
    framed(lab, "a body in chunks is understood", HZI_CHUNKED, true);
    framed(lab, "a client that waits for \"100 Continue\" is served", HZI_EXPECTING, true);
    framed(lab, "Content-Length with Transfer-Encoding is refused", HZI_SIZED_AND_CHUNKED, false);
    framed(lab, "two different Content-Lengths are refused", HZI_SIZED_TWICE, false);
    framed(lab, "a Content-Length that is no number is refused", HZI_SIZED_BADLY, false);
    if (hzi_lab_begin(lab, 21, "answers have the headers they need")) {
        headers_of_answers(lab);
    }
    if (hzi_lab_begin(lab, 21, "a connection serves a second request")) {
        kept_alive(lab);
    }
    if (hzi_lab_begin(lab, 21, "another path is not found")) {
        hzi_bot_request request = hzi_lab_turn(lab);
        hzi_sending sending = hzi_lab_write(lab, &request);
        sending.path = "/no/such/path";
        hzi_lab_expect_error(lab, &sending, 404, "not_found");
    }
}

/* ---- 16, 20 ------------------------------------------------------------------------------------- */

static void little_time(hzi_lab *lab) {
    char why[160];
    hzi_bot_request request = hzi_lab_wide_turn(lab);
    request.clocks = "{\"white\":400,\"black\":400}";
    request.time_control = "{\"SuddenDeath\":{\"initialSeconds\":180}}";
    hzi_sending sending = hzi_lab_write(lab, &request);
    (void)hzi_lab_ask(lab, &sending);
    uint64_t took = (lab->exchange.done_ns - lab->exchange.sent_ns) / 1000000;
    if (!hzi_lab_is_turn(&lab->exchange, &lab->wide, why)) {
        hzi_lab_fail(lab, "%s", why);
    } else if (took >= SHORT_CLOCK_MS) {
        hzi_lab_fail(lab, "it took %" PRIu64 " ms of %d", took, (int)SHORT_CLOCK_MS);
    } else {
        hzi_lab_pass(lab);
    }
}

typedef struct crowd {
    unsigned turns, refusals;
    uint64_t fastest_ms; /* of the turns */
    char why[160];       /* of the first answer of another kind */
} crowd;

static void count_answer(hzi_lab *lab, const hzi_exchange *exchange, crowd *c) {
    char why[160];
    uint64_t took = (exchange->done_ns - exchange->sent_ns) / 1000000;
    if (hzi_lab_is_turn(exchange, &lab->wide, why)) {
        c->fastest_ms = c->turns++ == 0 || took < c->fastest_ms ? took : c->fastest_ms;
    } else if (hzi_lab_is_error(exchange, 503, "capacity_exceeded", why)) {
        c->refusals++;
    } else if (!c->why[0]) {
        (void)hzi_lab_is_turn(exchange, &lab->wide, c->why);
    }
}

static void crowd_in(hzi_lab *lab) {
    unsigned count = lab->options->max_concurrent + 1;
    hzi_exchange *all = calloc(count, sizeof *all);
    crowd c = {0};
    if (!all) {
        lab->status = hz_fail(lab->err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for connections");
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        hzi_bot_request request = hzi_lab_wide_turn(lab);
        request.clocks = "null";
        request.time_control = "{\"Unlimited\":{}}";
        hzi_sending sending = hzi_lab_write(lab, &request);
        (void)hzi_exchange_open(lab, &sending, &all[i]);
    }
    for (unsigned i = 0; i < count; i++) {
        if (all[i].wire) {
            (void)hzi_exchange_read(lab, &all[i]);
        }
        count_answer(lab, &all[i], &c);
        hzi_exchange_fini(&all[i]);
    }
    free(all);
    if (c.why[0]) {
        hzi_lab_fail(lab, "%s", c.why);
    } else if (c.refusals == 1) {
        hzi_lab_pass(lab);
    } else if (c.refusals == 0 && c.fastest_ms < 200) {
        hzi_lab_skip(lab, "it answers too fast to be overloaded");
    } else {
        hzi_lab_fail(lab, "%u of %u questions at once were refused, not one", c.refusals, count);
    }
}

void hzi_conform_load(hzi_lab *lab) {
    if (hzi_lab_begin(lab, 16, "with 400 ms on the clock it answers in time")) {
        little_time(lab);
    }
    if (hzi_lab_begin(lab, 20, "one question too many at once is refused")) {
        if (lab->options->max_concurrent == 0 || lab->options->max_concurrent >= MOST_AT_ONCE) {
            hzi_lab_skip(lab, "its limit is not known (--max-concurrent)");
        } else {
            crowd_in(lab);
        }
    }
}
