/* SPDX-License-Identifier: MIT */
/* Micro-move, roll and turn text on a position: the first line is the position, the second the
 * text.
 */
#include "fuzz/fuzz.h"

#include <string.h>

enum { MOST_LINES = 100000 };

/* Says nothing about a board. */
static void check_plain_readers(const char *text, size_t length) {
    hz_error err;
    int from = -1, to = -1;
    hz_piece_type promotion = HZ_PAWN;
    hz_pool pool = 0;
    hz_status status = hz_move_parse(text, length, &from, &to, &promotion, &err);
    if (status == HZ_OK) {
        FUZZ_CHECK(from >= 0 && from < HZ_SQUARES && to >= 0 && to < HZ_SQUARES);
        FUZZ_CHECK((promotion == HZ_NO_PIECE) == (length == 4));
    } else {
        FUZZ_CHECK(status == HZ_MOVE_TEXT);
        fuzz_check_error(&err, status, length);
    }
    status = hz_pool_from_text(text, length, &pool, &err);
    if (status == HZ_OK) {
        char letters[4];
        hz_pool again = 0;
        size_t n = hz_pool_to_text(pool, HZ_BLACK, letters);
        FUZZ_CHECK(hz_pool_size(pool) == n);
        FUZZ_CHECK(n == 0 || hz_pool_from_text(letters, n, &again, &err) == HZ_OK);
        FUZZ_CHECK(again == pool);
    } else {
        FUZZ_CHECK(status == HZ_ROLL_TEXT);
        fuzz_check_error(&err, status, length);
    }
    int square = hz_square_from_text(text, length);
    FUZZ_CHECK(square == HZ_NO_SQUARE || (square >= 0 && square < HZ_SQUARES && length == 2));
}

static void check_move(const hz_position *p, const char *text, size_t length) {
    hz_error err;
    hz_move move = 0;
    hz_status status = hz_move_from_text(p, text, length, &move, &err);
    if (status != HZ_OK) {
        FUZZ_CHECK(status == HZ_NOT_PSEUDO_LEGAL);
        fuzz_check_error(&err, status, length);
        return;
    }
    char written[HZ_MOVE_CAPACITY];
    FUZZ_CHECK(hz_move_to_text(move, written) == length && memcmp(written, text, length) == 0);
    hz_position after = *p;
    bool took_king = false;
    status = hz_move_apply(&after, move, &took_king, &err);
    if (status != HZ_OK) {
        FUZZ_CHECK(status == HZ_NO_DIE && fuzz_same_position(&after, p));
        return;
    }
    FUZZ_CHECK(after.key == hz_position_fresh_key(&after));
    unsigned cost = hz_pool_size(hz_move_cost(p, move));
    FUZZ_CHECK(!p->pool || hz_pool_size(after.pool) + cost == hz_pool_size(p->pool));
    uint64_t kings = p->pieces[HZ_KING] & p->colors[p->side ^ 1];
    FUZZ_CHECK(took_king == (kings != (after.pieces[HZ_KING] & after.colors[p->side ^ 1])));
}

/* What may follow what was played, against the list of all turns. */
static void check_following(const hz_position *p, const hz_turn *played) {
    hz_move_list next;
    hz_pool dice = 0;
    hz_error err;
    hz_status status = hz_turn_continuations(p, played, &next, &err);
    FUZZ_CHECK(hz_turn_playable_dice(p, played, &dice, &err) == status);
    if (status != HZ_OK) {
        FUZZ_CHECK(status == HZ_NO_SUCH_TURN && dice == 0);
        return;
    }
    FUZZ_CHECK((next.count == 0) == (dice == 0));
    for (unsigned type = 0; type < HZ_PIECE_TYPES; type++) {
        FUZZ_CHECK(hz_pool_count(dice, (hz_piece_type)type) <=
                   hz_pool_count(p->pool, (hz_piece_type)type));
    }
    for (int i = 0; i < next.count && played->count < 3; i++) {
        hz_turn longer = *played;
        hz_move_list further;
        longer.moves[longer.count++] = next.moves[i];
        FUZZ_CHECK(hz_turn_continuations(p, &longer, &further, &err) == HZ_OK);
    }
}

static void check_turn(const hz_position *p, const char *text, size_t length) {
    hz_error err;
    hz_turn turn, strict;
    hz_position after, strict_after;
    hz_status status = hz_turn_parse(p, text, length, &turn, &after, &err);
    if (status != HZ_OK) {
        fuzz_check_error(&err, status, length);
        FUZZ_CHECK(hz_turn_from_text(p, text, length, &strict, NULL, &err) == HZ_NOT_LEGAL);
        return;
    }
    char written[HZ_TURN_CAPACITY];
    FUZZ_CHECK(hz_turn_to_text(&turn, written) == length && memcmp(written, text, length) == 0);
    if (!fuzz_is_small(p, MOST_LINES)) {
        return;
    }
    status = hz_turn_from_text(p, text, length, &strict, &strict_after, &err);
    FUZZ_CHECK((status == HZ_OK) == hz_turn_is_legal(p, &turn));
    if (status == HZ_OK) {
        FUZZ_CHECK(memcmp(&turn, &strict, sizeof turn) == 0);
        FUZZ_CHECK(fuzz_same_position(&after, &strict_after));
    } else {
        FUZZ_CHECK(status == HZ_NOT_LEGAL);
        fuzz_check_error(&err, status, length);
    }
    check_following(p, &turn);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint8_t *rest;
    size_t rest_size, length = fuzz_first_line(data, size, &rest, &rest_size);
    hz_position p;
    check_plain_readers((const char *)rest, rest_size);
    if (fuzz_position(data, length, &p)) {
        check_move(&p, (const char *)rest, rest_size);
        check_turn(&p, (const char *)rest, rest_size);
    }
    return 0;
}
