/* SPDX-License-Identifier: MIT */
/*
 * FEN for chess: a DFEN without dice whose clock may run further, and what makes a position
 * unplayable, with reasons. Reading takes any placement; asking for flaws is a second step, so that
 * an analysis of an odd position is the caller's choice.
 */
#include <hazard/chess.h>

#include "board/attacks.h"

#include <stdio.h>
#include <string.h>

/* A number field beyond what DFEN takes, cut to what a chess position holds. Returns the text to
 * read instead, at most `capacity` bytes. */
static size_t tame_number(const char *field, size_t length, unsigned long most, char *out,
                          size_t capacity) {
    unsigned long value = 0;
    size_t digits = 0;
    while (digits < length && field[digits] >= '0' && field[digits] <= '9') {
        value = value > most ? value : value * 10 + (unsigned long)(field[digits] - '0');
        digits++;
    }
    if (digits == 0 || digits < length) {
        return 0; /* no number: let the reader say so */
    }
    return (size_t)snprintf(out, capacity, "%lu", value > most ? most : value);
}

hz_status hz_chess_from_fen(hz_position *position, const char *text, size_t length, hz_error *err) {
    /* The placement to the targets are a DFEN's; clocks are read here, for they run further. */
    size_t start[7] = {0}, end[7] = {0};
    int fields = 0;
    size_t stop = length;
    while (stop > 0 &&
           (text[stop - 1] == ' ' || text[stop - 1] == '\n' || text[stop - 1] == '\r')) {
        stop--;
    }
    for (size_t i = 0; i <= stop && fields < 7; i++) {
        if (i == stop || text[i] == ' ') {
            end[fields++] = i;
            if (fields < 7) {
                start[fields] = i + 1;
            }
        }
    }
    if (fields == 7) {
        return hz_fail(err, HZ_FIELD_COUNT, start[6], "a FEN has at most six fields");
    }
    hz_position read;
    hz_status status = hz_position_from_dfen(&read, text, fields > 4 ? end[3] : stop, err);
    if (status != HZ_OK) {
        return status;
    }
    static const hz_status codes[2] = {HZ_HALFMOVE, HZ_FULLMOVE};
    static const unsigned long most[2] = {UINT8_MAX, INT32_MAX};
    unsigned long numbers[2] = {0, 1};
    for (int i = 0; i < 2 && fields > 4 + i; i++) {
        char digits[24];
        size_t from = start[4 + i], size = end[4 + i] - from;
        if (!tame_number(text + from, size, most[i], digits, sizeof digits)) {
            return hz_fail(err, codes[i], from, "the %s is no number",
                           i ? "full-move number" : "half-move clock");
        }
        (void)sscanf(digits, "%lu", &numbers[i]);
    }
    read.halfmove = (uint8_t)numbers[0];
    read.fullmove = numbers[1] ? (uint32_t)numbers[1] : 1;
    *position = read;
    return HZ_OK;
}

size_t hz_chess_to_fen(const hz_position *position, char *buffer, size_t capacity) {
    hz_position plain = *position;
    hz_position_set_pool(&plain, 0);
    uint64_t legal = hz_chess_legal_en_passant(position);
    hz_position_set_targets(&plain, legal & (~legal + 1));
    plain.halfmove = 0;
    plain.fullmove = 1;
    char text[HZ_DFEN_CAPACITY];
    size_t length = hz_position_to_dfen(&plain, text, sizeof text);
    length -= strlen(" 0 1");
    int clocks = snprintf(text + length, sizeof text - length, " %u %u", position->halfmove,
                          (unsigned)position->fullmove);
    length += (size_t)clocks;
    if (capacity > 0) {
        size_t copied = length < capacity ? length : capacity - 1;
        memcpy(buffer, text, copied);
        buffer[copied] = '\0';
    }
    return length;
}

/* ---- flaws ----------------------------------------------------------------------------------- */

static hz_chess_flaw flaw_of_kings(const hz_position *p, hz_error *err) {
    hz_chess_flaw flaw = HZ_CHESS_SOUND;
    for (unsigned color = 0; color < 2; color++) {
        const char *side = color ? "Black" : "White";
        uint64_t kings = p->pieces[HZ_KING] & p->colors[color];
        if (!kings) {
            (void)hz_fail(err, HZ_NOT_LEGAL, HZ_NO_OFFSET, "%s has no king", side);
            return HZ_CHESS_KING_MISSING;
        }
        if (hzi_several(kings) && flaw == HZ_CHESS_SOUND) {
            (void)hz_fail(err, HZ_NOT_LEGAL, HZ_NO_OFFSET, "%s has %d kings", side,
                          hzi_popcount(kings));
            flaw = HZ_CHESS_KINGS_SEVERAL;
        }
    }
    return flaw;
}

static hz_chess_flaw flaw_of_army(const hz_position *p, hz_error *err) {
    char square[3];
    uint64_t stray = p->pieces[HZ_PAWN] & (HZI_RANK(1) | HZI_RANK(8));
    if (stray) {
        hz_square_to_text(hzi_lsb(stray), square);
        (void)hz_fail(err, HZ_NOT_LEGAL, HZ_NO_OFFSET, "a pawn stands on %s", square);
        return HZ_CHESS_PAWN_ON_END_RANK;
    }
    hz_chess_flaw flaw = HZ_CHESS_SOUND;
    for (unsigned color = 0; color < 2; color++) {
        const char *side = color ? "Black" : "White";
        int all = hzi_popcount(p->colors[color]), extra = 0;
        static const int first[HZ_PIECE_TYPES] = {8, 2, 2, 2, 1, 1};
        for (unsigned type = HZ_KNIGHT; type <= HZ_QUEEN; type++) {
            int count = hzi_popcount(p->pieces[type] & p->colors[color]);
            extra += count > first[type] ? count - first[type] : 0;
        }
        int pawns = hzi_popcount(p->pieces[HZ_PAWN] & p->colors[color]);
        if (all > 16) {
            (void)hz_fail(err, HZ_NOT_LEGAL, HZ_NO_OFFSET, "%s has %d pieces", side, all);
            return HZ_CHESS_TOO_MANY_PIECES;
        }
        if (pawns + extra > 8 && flaw == HZ_CHESS_SOUND) {
            (void)hz_fail(err, HZ_NOT_LEGAL, HZ_NO_OFFSET,
                          "%s has %d pawns and %d promoted pieces, together more than 8", side,
                          pawns, extra);
            flaw = HZ_CHESS_TOO_MANY_PAWNS;
        }
    }
    return flaw;
}

/* Rights that king and rook at home support. */
static unsigned supported_rights(const hz_position *p) {
    unsigned rights = 0;
    for (unsigned color = 0; color < 2; color++) {
        int home = color ? 60 : 4;
        uint64_t rooks = p->pieces[HZ_ROOK] & p->colors[color];
        if (p->pieces[HZ_KING] & p->colors[color] & hzi_bit(home)) {
            rights |= (rooks & hzi_bit(home + 3) ? 1u : 0u) << (2 * color);
            rights |= (rooks & hzi_bit(home - 4) ? 2u : 0u) << (2 * color);
        }
    }
    return rights;
}

/* Targets behind an enemy pawn that can just have made a double step: the squares it came over are
 * empty. */
static uint64_t possible_targets(const hz_position *p) {
    unsigned us = p->side;
    uint64_t live = hzi_live_targets(p, us), empty = ~(p->colors[0] | p->colors[1]);
    return live & (us ? empty << 8 : empty >> 8);
}

hz_chess_flaw hz_chess_validate(const hz_position *position, hz_error *err) {
    hz_error_clear(err);
    hz_chess_flaw flaw = flaw_of_kings(position, err);
    if (flaw == HZ_CHESS_SOUND) {
        flaw = flaw_of_army(position, err);
    }
    if (flaw != HZ_CHESS_SOUND) {
        return flaw;
    }
    hz_color them = (hz_color)(position->side ^ 1);
    if (hz_chess_in_check(position, them)) {
        (void)hz_fail(err, HZ_NOT_LEGAL, HZ_NO_OFFSET, "%s is to move and %s's king could be taken",
                      them ? "White" : "Black", them ? "Black" : "White");
        return HZ_CHESS_OPPONENT_IN_CHECK;
    }
    unsigned wrong = position->rights & ~supported_rights(position);
    if (wrong) {
        unsigned first = wrong & (~wrong + 1);
        (void)hz_fail(err, HZ_NOT_LEGAL, HZ_NO_OFFSET,
                      "the right '%c' has no king or rook on its home square",
                      "KQ?k???q"[first - 1]);
        return HZ_CHESS_RIGHTS;
    }
    uint64_t targets = position->targets & ~possible_targets(position);
    if (targets || hzi_several(position->targets)) {
        char square[3];
        hz_square_to_text(hzi_lsb(targets ? targets : position->targets), square);
        (void)hz_fail(err, HZ_NOT_LEGAL, HZ_NO_OFFSET, "no double step can have left the target %s",
                      square);
        return HZ_CHESS_TARGET;
    }
    return HZ_CHESS_SOUND;
}

void hz_chess_repair(hz_position *position) {
    hz_position_set_rights(position, position->rights & supported_rights(position));
    uint64_t targets = position->targets & possible_targets(position);
    hz_position_set_targets(position, targets & (~targets + 1));
}
