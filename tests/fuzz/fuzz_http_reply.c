/* SPDX-License-Identifier: MIT */
/*
 * What comes back from a bot: an HTTP response in pieces, and the body of an answer. A response that
 * was read from some bytes is the same when more bytes follow, and not read from fewer; a turn that
 * was taken from an answer is legal and was spelled like that.
 */
#include "fuzz/fuzz.h"

#include "arena/bot_protocol.h"
#include "arena/http_response.h"

#include <stdlib.h>
#include <string.h>

static void check_answer(const char *body, size_t length) {
    static const char *const positions[] = {"6k1/8/8/8/8/8/4P3/K5N1 w - - 3 21 PN",
                                            "7k/P7/8/8/8/8/8/K6R b - - 0 1 kkk",
                                            "7k/P7/8/8/8/8/8/K6R w - - 0 1 PRN"};
    char text[8] = "";
    bool value = false;
    for (size_t i = 0; i < sizeof positions / sizeof *positions; i++) {
        hz_position p;
        hz_turn turn = {0};
        char note[120] = "untouched", written[HZ_TURN_CAPACITY];
        FUZZ_CHECK(hz_position_from_dfen(&p, positions[i], strlen(positions[i]), NULL) == HZ_OK);
        hz_match_fault fault = hzi_bot_reply_turn(body, length, &p, &turn, note);
        FUZZ_CHECK(memchr(note, '\0', sizeof note) != NULL);
        FUZZ_CHECK((note[0] == '\0') == (fault == HZ_FAULT_NONE));
        for (const char *c = note; *c; c++) {
            FUZZ_CHECK(*c >= ' ' && *c < 127);
        }
        if (fault == HZ_FAULT_NONE) {
            FUZZ_CHECK(turn.count > 0 && hz_turn_is_legal(&p, &turn));
            FUZZ_CHECK(hz_turn_to_text(&turn, written) <= length);
        } else {
            FUZZ_CHECK(fault == HZ_FAULT_GARBLED || fault == HZ_FAULT_REFUSED ||
                       fault == HZ_FAULT_DECLINED);
        }
    }
    if (hzi_bot_reply_text(body, length, "nonce", text, sizeof text)) {
        FUZZ_CHECK(strlen(text) < sizeof text);
    }
    (void)hzi_bot_reply_bool(body, length, "acceptDraw", &value);
}

/* Reads a part of the bytes from a block of exactly that size. */
static hzi_response_state read_part(const uint8_t *data, size_t size, bool ended,
                                    hzi_response *response) {
    char *copy = malloc(size ? size : 1);
    FUZZ_CHECK(copy != NULL);
    if (size) {
        memcpy(copy, data, size);
    }
    hzi_response_state state = hzi_response_read(copy, size, ended, response);
    free(copy);
    return state;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hzi_response whole, other;
    char value[64];
    check_answer((const char *)data, size);
    hzi_response_state state = read_part(data, size, false, &whole);
    if (state == HZI_RESPONSE_DONE) {
        FUZZ_CHECK(whole.used <= size && whole.status >= 200 && whole.status <= 999);
        FUZZ_CHECK(whole.head_start + whole.head_length <= whole.used);
        FUZZ_CHECK(whole.body.length <= HZI_RESPONSE_BODY_MAX);
        (void)hzi_response_header(&whole, (const char *)data, "Content-Type", value, sizeof value);
        check_answer(whole.body.bytes, whole.body.length);
        /* What follows does not matter, and what it needs it needs. */
        FUZZ_CHECK(read_part(data, whole.used, true, &other) == HZI_RESPONSE_DONE);
        FUZZ_CHECK(other.used == whole.used && other.body.length == whole.body.length);
        hzi_text_fini(&other.body);
        if (whole.used > 0) {
            hzi_response_state before = read_part(data, whole.used - 1, false, &other);
            FUZZ_CHECK(before == HZI_RESPONSE_MORE);
            hzi_text_fini(&other.body);
        }
    } else {
        FUZZ_CHECK(whole.body.bytes == NULL);
        FUZZ_CHECK((state == HZI_RESPONSE_BAD) == (whole.what != NULL));
    }
    hzi_text_fini(&whole.body);
    /* At the end of the stream nothing can be missing any more. */
    FUZZ_CHECK(read_part(data, size, true, &other) != HZI_RESPONSE_MORE);
    hzi_text_fini(&other.body);
    return 0;
}
