/* SPDX-License-Identifier: MIT */
/* Helpers for tests of rooms that lean on board; the header is the manual. */
#include "support/positions.h"

#include <string.h>

hz_position test_position(const char *dfen) {
    hz_position position = hz_position_empty();
    hz_error err;
    hz_error_clear(&err);
    if (hz_position_from_dfen(&position, dfen, strlen(dfen), &err) != HZ_OK) {
        fail_msg("\"%s\" refused: %s at byte %zu: %s", dfen, hz_status_name(err.code), err.offset,
                 err.message);
    }
    return position;
}

bool test_same_position(const hz_position *a, const hz_position *b) {
    return memcmp(a->pieces, b->pieces, sizeof a->pieces) == 0 &&
           memcmp(a->colors, b->colors, sizeof a->colors) == 0 && a->targets == b->targets &&
           a->key == b->key && a->fullmove == b->fullmove && a->pool == b->pool &&
           a->halfmove == b->halfmove && a->side == b->side && a->rights == b->rights;
}

const char *test_dfen(const hz_position *position, char buffer[HZ_DFEN_CAPACITY]) {
    size_t length = hz_position_to_dfen(position, buffer, HZ_DFEN_CAPACITY);
    assert_true(length < HZ_DFEN_CAPACITY);
    return buffer;
}

const char *test_move(hz_move move, char buffer[HZ_MOVE_CAPACITY]) {
    hz_move_to_text(move, buffer);
    return buffer;
}

void test_moves_text(test_text *text, const hz_move *moves, int count) {
    for (int i = 0; i < count; i++) {
        char buffer[HZ_MOVE_CAPACITY];
        test_text_word(text, test_move(moves[i], buffer));
    }
}
