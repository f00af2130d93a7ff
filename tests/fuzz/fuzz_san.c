/* SPDX-License-Identifier: MIT */
/* SAN: a position, a line feed, then any bytes as a move. What is read is legal, and its strict
 * notation means the same move; what is refused has words for a terminal. */
#include "fuzz/fuzz.h"

#include <hazard/chess.h>

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint8_t *rest;
    size_t rest_size, length = fuzz_first_line(data, size, &rest, &rest_size);
    hz_position p;
    if (hz_chess_from_fen(&p, (const char *)data, length, NULL) != HZ_OK) {
        if (!fuzz_position(data, length, &p)) {
            return 0;
        }
        hz_position_set_pool(&p, 0);
    }
    hz_move move = 0, again = 0;
    hz_error err;
    hz_status status = hz_san_to_move(&p, (const char *)rest, rest_size, &move, &err);
    if (status == HZ_OK) {
        char san[HZ_SAN_CAPACITY];
        FUZZ_CHECK(hz_chess_is_legal(&p, move));
        size_t n = hz_san_from_move(&p, move, san);
        FUZZ_CHECK(hz_san_to_move(&p, san, n, &again, NULL) == HZ_OK && again == move);
        return 0;
    }
    FUZZ_CHECK(status == HZ_MOVE_TEXT || status == HZ_NOT_LEGAL);
    FUZZ_CHECK(move == 0);
    fuzz_check_error(&err, status, rest_size);
    for (const char *at = err.message; *at; at++) {
        FUZZ_CHECK(*at >= 32 && *at < 127);
    }
    return 0;
}
