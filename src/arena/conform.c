/* SPDX-License-Identifier: MIT */
/* The conformance client: its requests, connections and verdicts. What is checked is in
 * conform_checks.c and conform_transport.c. */
#include "arena/conform_lab.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define SMALL "6k1/8/8/8/8/8/4P3/K5N1 w - - 3 21 PN"
#define WIDE "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3 PNB"
#define STUCK "6k1/8/8/8/8/8/4P3/K5N1 w - - 3 21 QQQ"

enum { EXPECT_MS = 2000, PIECE = 16384 };

const char *hzi_verdict_text(hzi_verdict verdict) {
    return verdict == HZI_CHECK_PASSED ? "pass" : verdict == HZI_CHECK_FAILED ? "fail" : "skip";
}

/* ---- requests ----------------------------------------------------------------------------------- */

static hzi_bot_request turn_in(hzi_lab *lab, const char *dfen, const char *tree) {
    (void)snprintf(lab->game, sizeof lab->game, "conform-%016" PRIx64 "-%" PRIu64, lab->run,
                   ++lab->games);
    return (hzi_bot_request){.type = "yourTurn",
                             .game_id = lab->game,
                             .seat = "White",
                             .dfen = dfen,
                             .active_seat = "White",
                             .version = 41,
                             .dice_pending = "true",
                             .clocks = "{\"white\":5000,\"black\":5000}",
                             .time_control =
                                 "{\"Fischer\":{\"initialSeconds\":180,\"incrementSeconds\":2}}",
                             .may_offer_draw = "true",
                             .tree = tree};
}

hzi_bot_request hzi_lab_turn(hzi_lab *lab) {
    return turn_in(lab, lab->small_dfen, lab->small_tree.bytes);
}

hzi_bot_request hzi_lab_wide_turn(hzi_lab *lab) {
    return turn_in(lab, lab->wide_dfen, lab->wide_tree.bytes);
}

hzi_sending hzi_lab_write(hzi_lab *lab, const hzi_bot_request *request) {
    hzi_text_clear(&lab->body);
    hzi_bot_request_write(request, &lab->body);
    return (hzi_sending){.body = lab->body.bytes ? lab->body.bytes : "",
                         .length = lab->body.length};
}

hzi_sending hzi_lab_body(const char *body) {
    return (hzi_sending){.body = body, .length = strlen(body)};
}

/* ---- bytes of a request ------------------------------------------------------------------------- */

static void add_header(hzi_lab *lab, const char *name, const char *value) {
    hzi_text_puts(&lab->bytes, name);
    hzi_text_puts(&lab->bytes, ": ");
    hzi_text_puts(&lab->bytes, value);
    hzi_text_puts(&lab->bytes, "\r\n");
}

static void add_signature(hzi_lab *lab, const hzi_sending *sending) {
    char made[HZI_STAMP], hex[HZI_SIGNATURE_HEX + 1];
    const char *key = sending->key ? sending->key : lab->options->key;
    const char *stamp = sending->stamp ? sending->stamp : made;
    const char *body = sending->signed_body ? sending->signed_body : sending->body;
    size_t length = sending->signed_body ? strlen(sending->signed_body) : sending->length;
    hzi_signing form = sending->signing;
    bool other = form == HZI_SIGNED_OTHER_CASE;
    hzi_stamp(sending->shift_s, made);
    hzi_signature(key, stamp, body ? body : "", length, hex);
    if (form == HZI_SIGNED_UPPER) {
        for (char *c = hex; *c; c++) {
            *c = (char)toupper((unsigned char)*c);
        }
    } else if (form == HZI_SIGNED_SHORT) {
        hex[HZI_SIGNATURE_HEX - 1] = '\0';
    } else if (form == HZI_SIGNED_ONE_BIT) {
        static const char digits[] = "0123456789abcdef", flipped[] = "1032547698badcfe";
        hex[31] = flipped[strchr(digits, hex[31]) - digits];
    }
    if (form != HZI_NOT_STAMPED) {
        add_header(lab, other ? "x-dIcEcHeSs-tImEsTaMp" : "X-DiceChess-Timestamp", stamp);
    }
    if (form == HZI_STAMPED_TWICE) {
        add_header(lab, "X-DiceChess-Timestamp", stamp);
    }
    if (form != HZI_NOT_SIGNED) {
        add_header(lab, other ? "x-dIcEcHeSs-sIgNaTuRe" : "X-DiceChess-Signature", hex);
    }
    if (form == HZI_SIGNED_TWICE) {
        add_header(lab, "X-DiceChess-Signature", hex);
    }
}

void hzi_lab_head(hzi_lab *lab, const hzi_sending *sending) {
    bool v6 = strchr(lab->url.host, ':') && lab->url.host[0] != '[';
    hzi_framing framing = sending->framing;
    char number[32];
    hzi_text_clear(&lab->bytes);
    hzi_text_puts(&lab->bytes, sending->method ? sending->method : "POST");
    hzi_text_puts(&lab->bytes, " ");
    hzi_text_puts(&lab->bytes, sending->path ? sending->path : lab->url.path);
    hzi_text_puts(&lab->bytes, " HTTP/1.1\r\nHost: ");
    hzi_text_puts(&lab->bytes, v6 ? "[" : "");
    hzi_text_puts(&lab->bytes, lab->url.host);
    hzi_text_format(&lab->bytes, "%s:%u\r\n", v6 ? "]" : "", lab->url.port);
    add_header(lab, "Content-Type", "application/json");
    if (framing != HZI_NO_BODY && framing != HZI_CHUNKED) {
        (void)snprintf(number, sizeof number, "%zu%s", sending->length,
                       framing == HZI_SIZED_BADLY ? "x" : "");
        add_header(lab, "Content-Length", number);
    }
    if (framing == HZI_SIZED_TWICE) {
        (void)snprintf(number, sizeof number, "%zu", sending->length + 1);
        add_header(lab, "Content-Length", number);
    }
    if (framing == HZI_CHUNKED || framing == HZI_SIZED_AND_CHUNKED) {
        add_header(lab, "Transfer-Encoding", "chunked");
    }
    if (framing == HZI_EXPECTING) {
        add_header(lab, "Expect", "100-continue");
    }
    add_signature(lab, sending);
    hzi_text_puts(&lab->bytes, "\r\n");
}

/* The body in chunks of different sizes, one of them with an extension. */
static void add_chunks(hzi_lab *lab, const hzi_sending *sending) {
    size_t size = 7;
    for (size_t at = 0; at < sending->length; at += size, size = size * 3 % 1000 + 1) {
        size = sending->length - at < size ? sending->length - at : size;
        hzi_text_format(&lab->bytes, "%zx%s\r\n", size, at == 7 ? ";part=2" : "");
        hzi_text_add(&lab->bytes, sending->body + at, size);
        hzi_text_puts(&lab->bytes, "\r\n");
        if (at + size >= sending->length) {
            break;
        }
    }
    hzi_text_puts(&lab->bytes, "0\r\n\r\n");
}

/* ---- exchanges ---------------------------------------------------------------------------------- */

static uint64_t time_limit(const hzi_lab *lab) {
    return hz_clock_now_ns() + (uint64_t)lab->options->timeout_ms * 1000000;
}

static bool connect_to(hzi_lab *lab, hzi_exchange *exchange) {
    hz_error err;
    if (hzi_wire_open(&lab->url, &exchange->wire, &err) != HZ_OK) {
        (void)snprintf(exchange->why, sizeof exchange->why, "%.150s", err.message);
        return false;
    }
    return true;
}

static bool out_of_memory(hzi_lab *lab) {
    if (lab->status == HZ_OK && (lab->body.failed || lab->bytes.failed)) {
        lab->status = hz_fail(lab->err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a request");
    }
    return lab->status == HZ_NO_MEMORY;
}

/* Waits for an interim response, or long enough. */
static void await_continue(hzi_exchange *exchange) {
    char bytes[512];
    uint64_t until = hz_clock_now_ns() + (uint64_t)EXPECT_MS * 1000000;
    ptrdiff_t got = hzi_wire_receive(exchange->wire, bytes, sizeof bytes, until);
    if (got > 0) {
        hzi_text_add(&exchange->received, bytes, (size_t)got);
    }
}

bool hzi_exchange_again(hzi_lab *lab, const hzi_sending *sending, hzi_exchange *exchange) {
    hzi_text_fini(&exchange->response.body);
    exchange->response = (hzi_response){0};
    hzi_text_clear(&exchange->received);
    exchange->why[0] = '\0';
    hzi_lab_head(lab, sending);
    if (sending->framing == HZI_EXPECTING) {
        (void)hzi_wire_send(exchange->wire, lab->bytes.bytes, lab->bytes.length, time_limit(lab));
        await_continue(exchange);
        hzi_text_clear(&lab->bytes);
    }
    if (sending->framing == HZI_CHUNKED || sending->framing == HZI_SIZED_AND_CHUNKED) {
        add_chunks(lab, sending);
    } else if (sending->framing != HZI_NO_BODY) {
        hzi_text_add(&lab->bytes, sending->body, sending->length);
    }
    if (out_of_memory(lab)) {
        return false;
    }
    exchange->sent_ns = hz_clock_now_ns();
    /* A server may refuse, answer and close before it has taken everything; what it said still
     * counts, so a failure to send is none yet. */
    (void)hzi_wire_send(exchange->wire, lab->bytes.bytes, lab->bytes.length, time_limit(lab));
    return true;
}

bool hzi_exchange_open(hzi_lab *lab, const hzi_sending *sending, hzi_exchange *exchange) {
    *exchange = (hzi_exchange){0};
    return connect_to(lab, exchange) && hzi_exchange_again(lab, sending, exchange);
}

bool hzi_exchange_read(hzi_lab *lab, hzi_exchange *exchange) {
    uint64_t until = time_limit(lab);
    bool ended = false;
    for (;;) {
        const char *bytes = exchange->received.bytes ? exchange->received.bytes : "";
        hzi_response_state state =
            hzi_response_read(bytes, exchange->received.length, ended, &exchange->response);
        if (state == HZI_RESPONSE_DONE) {
            exchange->done_ns = hz_clock_now_ns();
            return true;
        }
        if (state == HZI_RESPONSE_BAD || ended) {
            (void)snprintf(exchange->why, sizeof exchange->why, "%s",
                           exchange->received.length == 0
                               ? "the connection was closed without an answer"
                               : exchange->response.what);
            exchange->response.status = 0;
            return false;
        }
        char piece[PIECE];
        ptrdiff_t got = hzi_wire_receive(exchange->wire, piece, sizeof piece, until);
        if (got < 0) {
            (void)snprintf(exchange->why, sizeof exchange->why, "no answer within %" PRId64 " ms",
                           lab->options->timeout_ms);
            exchange->response.status = 0;
            return false;
        }
        ended = got == 0;
        hzi_text_add(&exchange->received, piece, (size_t)got);
        if (exchange->received.failed) {
            lab->status = hz_fail(lab->err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for an answer");
            return false;
        }
    }
}

void hzi_exchange_fini(hzi_exchange *exchange) {
    hzi_wire_close(exchange->wire);
    hzi_text_fini(&exchange->received);
    hzi_text_fini(&exchange->response.body);
    *exchange = (hzi_exchange){0};
}

bool hzi_lab_connect(hzi_lab *lab) {
    hzi_exchange_fini(&lab->exchange);
    return connect_to(lab, &lab->exchange);
}

bool hzi_lab_ask(hzi_lab *lab, const hzi_sending *sending) {
    hzi_exchange_fini(&lab->exchange);
    return hzi_exchange_open(lab, sending, &lab->exchange) &&
           hzi_exchange_read(lab, &lab->exchange);
}

/* ---- verdicts ----------------------------------------------------------------------------------- */

static void give(hzi_lab *lab, hzi_verdict verdict) {
    if (lab->status != HZ_OK) {
        return;
    }
    lab->check.verdict = verdict;
    for (char *c = lab->check.reason; *c; c++) {
        *c = *c >= ' ' && *c < 127 ? *c : '?';
    }
    lab->counts.passed += verdict == HZI_CHECK_PASSED;
    lab->counts.failed += verdict == HZI_CHECK_FAILED;
    lab->counts.skipped += verdict == HZI_CHECK_SKIPPED;
    if (lab->options->visit && !lab->options->visit(lab->options->context, &lab->check)) {
        lab->status = hz_fail(lab->err, HZ_INCOMPLETE, HZ_NO_OFFSET, "stopped");
    }
}

bool hzi_lab_begin(hzi_lab *lab, int number, const char *name) {
    if (lab->status == HZ_OK && hz_cancel_requested(lab->options->cancel)) {
        lab->status = hz_fail(lab->err, HZ_CANCELLED, HZ_NO_OFFSET, "cancelled");
    }
    lab->check = (hzi_check){.number = number, .name = name};
    if (lab->options->list) {
        give(lab, HZI_CHECK_SKIPPED);
        return false;
    }
    return lab->status == HZ_OK;
}

void hzi_lab_pass(hzi_lab *lab) {
    give(lab, HZI_CHECK_PASSED);
}

void hzi_lab_fail(hzi_lab *lab, const char *format, ...) {
    va_list args;
    va_start(args, format);
    (void)vsnprintf(lab->check.reason, sizeof lab->check.reason, format, args);
    va_end(args);
    give(lab, HZI_CHECK_FAILED);
}

void hzi_lab_skip(hzi_lab *lab, const char *reason) {
    (void)snprintf(lab->check.reason, sizeof lab->check.reason, "%s", reason);
    give(lab, HZI_CHECK_SKIPPED);
}

/* The status and code an answer has, as text. */
static void describe(const hzi_exchange *exchange, char text[100]) {
    char code[60] = "";
    if (exchange->response.status != 200) {
        (void)hzi_bot_reply_text(exchange->response.body.bytes, exchange->response.body.length,
                                 "error", code, sizeof code);
    }
    (void)snprintf(text, 100, "status %d%s%s", exchange->response.status, *code ? " " : "", code);
}

bool hzi_lab_is_error(const hzi_exchange *exchange, int status, const char *code, char why[160]) {
    char got[100], text[60];
    if (exchange->response.status == 0) {
        (void)snprintf(why, 160, "%s", exchange->why);
        return false;
    }
    describe(exchange, got);
    if (exchange->response.status != status) {
        (void)snprintf(why, 160, "%s instead of %d%s%s", got, status, code ? " " : "",
                       code ? code : "");
        return false;
    }
    if (code && (!hzi_bot_reply_text(exchange->response.body.bytes, exchange->response.body.length,
                                     "error", text, sizeof text) ||
                 strcmp(text, code) != 0)) {
        (void)snprintf(why, 160, "%s, but its body is not {\"error\":\"%s\"}", got, code);
        return false;
    }
    return true;
}

bool hzi_lab_is_turn(const hzi_exchange *exchange, const hz_position *position, char why[160]) {
    char note[120];
    hz_turn turn;
    if (!hzi_lab_is_error(exchange, 200, NULL, why)) {
        return false;
    }
    if (hzi_bot_reply_turn(exchange->response.body.bytes, exchange->response.body.length, position,
                           &turn, note) != HZ_FAULT_NONE) {
        (void)snprintf(why, 160, "no legal turn: %s", note);
        return false;
    }
    return true;
}

void hzi_lab_expect_error(hzi_lab *lab, const hzi_sending *sending, int status, const char *code) {
    char why[160];
    (void)hzi_lab_ask(lab, sending);
    if (hzi_lab_is_error(&lab->exchange, status, code, why)) {
        hzi_lab_pass(lab);
    } else {
        hzi_lab_fail(lab, "%s", why);
    }
}

void hzi_lab_expect_status(hzi_lab *lab, const hzi_sending *sending, int status) {
    hzi_lab_expect_error(lab, sending, status, NULL);
}

void hzi_lab_expect_turn(hzi_lab *lab, const hzi_sending *sending, const hz_position *position) {
    char why[160];
    (void)hzi_lab_ask(lab, sending);
    if (hzi_lab_is_turn(&lab->exchange, position, why)) {
        hzi_lab_pass(lab);
    } else {
        hzi_lab_fail(lab, "%s", why);
    }
}

/* ---- the run ------------------------------------------------------------------------------------ */

static bool set_up_position(const char *dfen, hz_position *position, char text[HZ_DFEN_CAPACITY],
                            hzi_text *tree) {
    bool good = hz_position_from_dfen(position, dfen, strlen(dfen), NULL) == HZ_OK;
    (void)hz_position_to_dfen(position, text, HZ_DFEN_CAPACITY);
    return good && (!tree || hzi_bot_tree_write(position, HZI_TREE_NODES, HZI_TREE_BYTES, tree));
}

static hz_status set_up(hzi_lab *lab) {
    hz_status status = hzi_http_url_read(lab->options->url, &lab->url, lab->err);
    if (status != HZ_OK) {
        return status;
    }
    lab->url.ca_file = lab->options->ca_file;
    if (hz_random_system_seed(&lab->run) != HZ_OK) {
        return hz_fail(lab->err, HZ_IO, HZ_NO_OFFSET, "the system gives no random numbers");
    }
    if (!set_up_position(SMALL, &lab->small, lab->small_dfen, &lab->small_tree) ||
        !set_up_position(WIDE, &lab->wide, lab->wide_dfen, &lab->wide_tree) ||
        !set_up_position(STUCK, &lab->stuck, lab->stuck_dfen, NULL)) {
        return hz_fail(lab->err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a tree");
    }
    if (!hzi_lab_connect(lab)) {
        return hz_fail(lab->err, HZ_IO, HZ_NO_OFFSET, "%s", lab->exchange.why);
    }
    return HZ_OK;
}

hz_status hzi_conform_run(const hzi_conform_options *options, hzi_conform_counts *counts,
                          hz_error *err) {
    hzi_lab lab = {.options = options, .err = err};
    lab.status = options->list ? HZ_OK : set_up(&lab);
    if (lab.status == HZ_OK) {
        hzi_conform_signatures(&lab);
        hzi_conform_verification(&lab);
        hzi_conform_questions(&lab);
        hzi_conform_repeats(&lab);
        hzi_conform_transport(&lab);
        hzi_conform_load(&lab);
    }
    *counts = lab.counts;
    hzi_exchange_fini(&lab.exchange);
    hzi_http_url_fini(&lab.url);
    hzi_text_fini(&lab.small_tree);
    hzi_text_fini(&lab.wide_tree);
    hzi_text_fini(&lab.body);
    hzi_text_fini(&lab.bytes);
    return lab.status;
}
