/* SPDX-License-Identifier: MIT */
/* Helpers for tests of rooms that lean on dice; the header is the manual. */
#include "support/turns.h"

#include <string.h>

const char *test_turn(const hz_turn *turn, char buffer[HZ_TURN_CAPACITY]) {
    hz_turn_to_text(turn, buffer);
    return buffer;
}

hz_turn test_played(const hz_position *position, const char *moves) {
    hz_turn turn = {0};
    hz_error err;
    hz_error_clear(&err);
    if (*moves && hz_turn_parse(position, moves, strlen(moves), &turn, NULL, &err) != HZ_OK) {
        fail_msg("\"%s\" cannot be played: %s", moves, err.message);
    }
    return turn;
}

ref_position test_slow(const char *dfen) {
    ref_position position;
    if (!ref_from_dfen(&position, dfen)) {
        fail_msg("\"%s\" is not well-formed", dfen);
    }
    return position;
}

void test_slow_moves_text(test_text *text, const ref_moves *list) {
    for (int i = 0; i < list->count; i++) {
        test_text_word(text, list->move[i].text);
    }
}

void test_same_moves(const char *dfen, const char *what, const ref_moves *expected,
                     const hz_move_list *actual) {
    test_text wanted = {0}, got = {0};
    test_slow_moves_text(&wanted, expected);
    test_moves_text(&got, actual->moves, actual->count);
    test_same_text(dfen, what, test_text_get(&wanted), test_text_get(&got));
    test_text_free(&wanted);
    test_text_free(&got);
}

void test_same_turns(const char *dfen, const char *what, const ref_turns *expected,
                     const hz_turn *actual, size_t count) {
    test_same_number(dfen, what, expected->count, count);
    for (size_t i = 0; i < count; i++) {
        char text[HZ_TURN_CAPACITY];
        test_same_text(dfen, what, expected->turn[i].text, test_turn(&actual[i], text));
        test_same_number(dfen, text, expected->turn[i].king, actual[i].took_king);
    }
}
