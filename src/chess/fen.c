/* SPDX-License-Identifier: MIT */
/*
 * FEN for chess: a DFEN without dice whose clocks may run further, and what makes a position
 * unplayable, with reasons. Reading takes any placement; asking for flaws is a second step, so that
 * an analysis of an odd position is the caller's choice.
 */
#include <hazard/chess.h>

#include "chess/moves.h"
#include "chess/text.h"

#include <stdio.h>
#include <string.h>

/* Reads a clock as a chess FEN has it: any number of digits, cut to `most`. */
static hz_status read_clock(const char *text, size_t from, size_t end, uint32_t most,
                            hz_status code, const char *what, uint32_t *clock, hz_error *err) {
    uint64_t value = 0;
    if (from == end) {
        return hz_fail(err, code, from, "the %s is empty", what);
    }
    for (size_t i = from; i < end; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return hz_fail(err, code, i, "'%s' in the %s is not a digit",
                           hzi_quote(text + i, 1).text, what);
        }
        value = value > most ? value : 10 * value + (uint64_t)(text[i] - '0');
    }
    *clock = value > most ? most : (uint32_t)value;
    return HZ_OK;
}

hz_status hz_chess_from_fen(hz_position *position, const char *text, size_t length, hz_error *err) {
    while (length > 0 && hzi_is_space(text[length - 1])) {
        length--;
    }
    size_t start[7] = {0}, end[7] = {0};
    int fields = 0;
    for (size_t i = 0; i <= length && fields < 7; i++) {
        if (i == length || text[i] == ' ') {
            end[fields++] = i;
            if (fields < 7) {
                start[fields] = i + 1;
            }
        }
    }
    if (fields == 7) {
        return hz_fail(err, HZ_FIELD_COUNT, start[6], "a FEN has at most six fields");
    }
    /* A DFEN but for its clocks, which run further here; the placement is looked at after them. */
    hz_position read;
    hz_status status = hz_position_from_dfen(&read, text, length, err);
    if (status == HZ_HALFMOVE || status == HZ_FULLMOVE) {
        uint32_t halfmove = 0, fullmove = 1;
        status = read_clock(text, start[4], end[4], UINT8_MAX, HZ_HALFMOVE, "half-move clock",
                            &halfmove, err);
        if (status == HZ_OK && fields > 5) {
            status = read_clock(text, start[5], end[5], INT32_MAX, HZ_FULLMOVE, "full-move number",
                                &fullmove, err);
        }
        if (status == HZ_OK) {
            status = hz_position_from_dfen(&read, text, end[3], err);
        }
        read.halfmove = (uint8_t)halfmove;
        read.fullmove = fullmove ? fullmove : 1;
    }
    if (status == HZ_OK) {
        *position = read;
    }
    return status;
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

static int beyond(uint64_t pieces, int first) {
    int count = hzi_popcount(pieces);
    return count > first ? count - first : 0;
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
        uint64_t own = p->colors[color];
        int all = hzi_popcount(own), pawns = hzi_popcount(p->pieces[HZ_PAWN] & own);
        /* Beyond the first two knights and rooks, the first queen, a bishop of each colour. */
        int extra = beyond(p->pieces[HZ_KNIGHT] & own, 2) + beyond(p->pieces[HZ_ROOK] & own, 2) +
                    beyond(p->pieces[HZ_QUEEN] & own, 1) +
                    beyond(p->pieces[HZ_BISHOP] & own & HZI_DARK_SQUARES, 1) +
                    beyond(p->pieces[HZ_BISHOP] & own & ~HZI_DARK_SQUARES, 1);
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
        /* Each may be possible alone: the last of several is one too many. */
        hz_square_to_text(targets ? hzi_lsb(targets) : 63 - __builtin_clzll(position->targets),
                          square);
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
