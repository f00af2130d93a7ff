/* SPDX-License-Identifier: MIT */
/* Playing a list of micro-moves; see moves.h. */
#include "cli/moves.h"

#include <stdlib.h>
#include <string.h>

hz_status hzc_moves_apply(hz_position *position, const char *text, size_t length, bool *took_king,
                          hz_error *err) {
    hz_position board = *position;
    bool took = false;
    *took_king = false;
    if (length == 0 || (length == 1 && text[0] == '-')) {
        return HZ_OK;
    }
    for (size_t start = 0; start <= length;) {
        const char *comma = memchr(text + start, ',', length - start);
        size_t end = comma ? (size_t)(comma - text) : length;
        hz_move move;
        hz_error inner;
        hz_error_clear(&inner);
        hz_status status = hz_move_from_text(&board, text + start, end - start, &move, &inner);
        /* Dice that ran out must not turn the board into one for analysis. */
        if (status == HZ_OK && position->pool && !board.pool) {
            status = hz_fail(&inner, HZ_NO_DIE, HZ_NO_OFFSET, "all dice are spent");
        }
        if (status == HZ_OK) {
            status = hz_move_apply(&board, move, &took, &inner);
        }
        if (status != HZ_OK) {
            return hz_fail(err, status, start, "%s", inner.message);
        }
        *took_king = *took_king || took;
        start = end + 1;
    }
    *position = board;
    return HZ_OK;
}

static int by_text(const void *a, const void *b) {
    unsigned left = hz_move_text_order(*(const hz_move *)a);
    unsigned right = hz_move_text_order(*(const hz_move *)b);
    return (left > right) - (left < right);
}

int hzc_moves_chess(const hz_position *position, hz_move moves[HZ_CHESS_MOVES_MAX]) {
    int count = hz_chess_moves(position, moves);
    qsort(moves, (size_t)count, sizeof *moves, by_text);
    return count;
}
