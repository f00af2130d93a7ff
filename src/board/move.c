/* SPDX-License-Identifier: MIT */
/* Squares and micro-moves as text, and the number that orders moves like their texts. */
#include <hazard/board.h>

#include <string.h>

void hz_square_to_text(int square, char buffer[3]) {
    buffer[0] = (char)('a' + (square & 7));
    buffer[1] = (char)('1' + (square >> 3));
    buffer[2] = '\0';
}

int hz_square_from_text(const char *text, size_t length) {
    if (length != 2 || text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8') {
        return HZ_NO_SQUARE;
    }
    return 8 * (text[1] - '1') + (text[0] - 'a');
}

size_t hz_move_to_text(hz_move move, char buffer[HZ_MOVE_CAPACITY]) {
    hz_square_to_text(hz_move_from(move), buffer);
    hz_square_to_text(hz_move_to(move), buffer + 2);
    hz_piece_type promotion = hz_move_promotion(move);
    if (promotion == HZ_NO_PIECE) {
        return 4;
    }
    buffer[4] = "pnbrqk"[promotion];
    buffer[5] = '\0';
    return 5;
}

unsigned hz_move_text_order(hz_move move) {
    /* File before rank, as in the text; promotion letters b < n < q < r, none first. */
    static const unsigned char letter_order[HZ_NO_PIECE + 1] = {
        [HZ_BISHOP] = 1, [HZ_KNIGHT] = 2, [HZ_QUEEN] = 3, [HZ_ROOK] = 4, [HZ_NO_PIECE] = 0};
    unsigned from = (unsigned)hz_move_from(move), to = (unsigned)hz_move_to(move);
    unsigned squares = (from & 7) << 9 | (from >> 3) << 6 | (to & 7) << 3 | to >> 3;
    return squares << 3 | letter_order[hz_move_promotion(move)];
}

hz_status hz_move_parse(const char *text, size_t length, int *from, int *to,
                        hz_piece_type *promotion, hz_error *err) {
    for (size_t i = 0; i < 4; i++) {
        if (i == length) {
            return hz_fail(err, HZ_MOVE_TEXT, i,
                           "a micro-move has four or five characters, not %zu", length);
        }
        char low = i % 2 ? '1' : 'a', high = i % 2 ? '8' : 'h';
        if (text[i] < low || text[i] > high) {
            return hz_fail(err, HZ_MOVE_TEXT, i, "a %s from %c to %c is needed here",
                           i % 2 ? "rank" : "file", low, high);
        }
    }
    hz_piece_type type = HZ_NO_PIECE;
    if (length > 4) {
        static const char letters[] = "nbrq";
        const char *found = text[4] ? strchr(letters, text[4]) : NULL;
        if (!found) {
            return hz_fail(err, HZ_MOVE_TEXT, 4, "a promotion is one of q, r, b, n");
        }
        type = (hz_piece_type)(HZ_KNIGHT + (found - letters));
    }
    if (length > 5) {
        return hz_fail(err, HZ_MOVE_TEXT, 5, "a micro-move has four or five characters, not %zu",
                       length);
    }
    *from = hz_square_from_text(text, 2);
    *to = hz_square_from_text(text + 2, 2);
    *promotion = type;
    return HZ_OK;
}
