/* SPDX-License-Identifier: MIT */
/*
 * Standard algebraic notation: strict when written, tolerant when read. Reading never guesses:
 * decorations are taken off, the rest names a piece, perhaps parts of its origin, a target and a
 * promotion, and exactly one legal move must fit. Both directions look backwards from the target
 * for pieces that reach it and never list all moves.
 */
#include "chess/moves.h"
#include "chess/text.h"

#include <string.h>

static const char letters[] = "PNBRQK";

/* Own pieces of a type whose way of moving may lead to the square; castling apart. Whether they may
 * go there is for hzi_chess_find to say. */
static uint64_t origins(const hz_position *p, unsigned type, int to) {
    uint64_t occupied = p->colors[0] | p->colors[1];
    uint64_t own = p->pieces[type] & p->colors[p->side], from = 0;
    switch (type) {
    case HZ_PAWN:
        from =
            p->side ? hzi_bit(to) << 8 | hzi_bit(to) << 16 : hzi_bit(to) >> 8 | hzi_bit(to) >> 16;
        from |= hzi_pawn_table[p->side ^ 1][to];
        break;
    case HZ_KNIGHT:
        from = hzi_knight_attacks(to);
        break;
    case HZ_BISHOP:
        from = hzi_bishop_attacks(to, occupied);
        break;
    case HZ_ROOK:
        from = hzi_rook_attacks(to, occupied);
        break;
    case HZ_QUEEN:
        from = hzi_queen_attacks(to, occupied);
        break;
    default:
        from = hzi_king_attacks(to);
        break;
    }
    return from & own;
}

/* ---- writing ----------------------------------------------------------------------------------- */

/* Writes as much of the origin as tells the piece from others of its type: file, rank or both. */
static size_t write_origin(const hz_position *p, unsigned type, int from, int to, char *buffer) {
    size_t n = 0;
    bool other = false, same_file = false, same_rank = false;
    uint64_t rivals = origins(p, type, to) & ~hzi_bit(from);
    while (rivals) {
        int rival = hzi_pop(&rivals);
        if (hzi_chess_find(p, rival, to, HZ_NO_PIECE)) {
            other = true;
            same_file = same_file || (rival & 7) == (from & 7);
            same_rank = same_rank || rival >> 3 == from >> 3;
        }
    }
    if (other && (!same_file || same_rank)) {
        buffer[n++] = (char)('a' + (from & 7));
    }
    if (other && same_file) {
        buffer[n++] = (char)('1' + (from >> 3));
    }
    return n;
}

size_t hz_san_from_move(const hz_position *position, hz_move move, char buffer[HZ_SAN_CAPACITY]) {
    size_t n = 0;
    int from = hz_move_from(move), to = hz_move_to(move);
    unsigned type = hzi_type_on(position, from);
    bool takes = (hz_move_flags(move) & HZ_MOVE_CAPTURE) != 0;
    if (hz_move_is_castling(move)) {
        n = to > from ? 3 : 5;
        memcpy(buffer, "O-O-O", n);
    } else {
        if (type != HZ_PAWN) {
            buffer[n++] = letters[type];
            n += write_origin(position, type, from, to, buffer + n);
        } else if (takes) {
            buffer[n++] = (char)('a' + (from & 7));
        }
        if (takes) {
            buffer[n++] = 'x';
        }
        hz_square_to_text(to, buffer + n);
        n += 2;
        hz_piece_type promotion = hz_move_promotion(move);
        if (promotion != HZ_NO_PIECE) {
            buffer[n++] = '=';
            buffer[n++] = letters[promotion];
        }
    }
    hz_position after = *position;
    hzi_chess_make(&after, move, type);
    if (hz_chess_in_check(&after, (hz_color)after.side)) {
        buffer[n++] = hz_chess_has_move(&after) ? '+' : '#';
    }
    buffer[n] = '\0';
    return n;
}

/* ---- reading ----------------------------------------------------------------------------------- */

/* What a text says about a move. */
typedef struct wanted {
    int type;       /* -1 = whatever stands on the origin */
    int file, rank; /* of the origin, -1 = not said */
    int to;         /* target square */
    hz_piece_type promotion;
    int castling; /* 0 none, 1 king side, 2 queen side */
} wanted;

static bool one_of(const char *set, char c) {
    return c && strchr(set, c);
}

static bool ends_with(const char *text, size_t length, const char *tail) {
    size_t n = strlen(tail);
    return length > n && memcmp(text + length - n, tail, n) == 0;
}

/* Takes off what says nothing about which move it is. */
static size_t bare_length(const char *text, size_t length) {
    for (;;) {
        if (length > 0 && one_of("+#!? ", text[length - 1])) {
            length--;
        } else if (ends_with(text, length, "e.p.")) {
            length -= 4;
        } else if (ends_with(text, length, "ep")) {
            length -= 2;
        } else {
            return length;
        }
    }
}

/* lower: lower-case letters count, too. */
static int piece_letter(char c, bool lower) {
    const char *found =
        c ? strchr(letters, lower && c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c) : NULL;
    return found ? (int)(found - letters) : -1;
}

/* "O-O", "OO", "O-O-O", "OOO", also with zeros or small letters. */
static int castling_side(const char *text, size_t length) {
    int rooks = 0;
    for (size_t i = 0; i < length; i++) {
        if (one_of("O0o", text[i])) {
            rooks++;
        } else if (text[i] != '-' || i + 1 == length || i == 0 || text[i - 1] == '-') {
            return 0;
        }
    }
    return rooks == 2 ? 1 : rooks == 3 ? 2 : 0;
}

/* Reads the text from its end: promotion, target, then what is left in front. lower: piece letters
 * in front may be lower case. */
static bool read_move(const char *text, size_t length, bool lower, wanted *w) {
    *w = (wanted){.file = -1, .rank = -1, .promotion = HZ_NO_PIECE};
    w->castling = castling_side(text, length);
    if (w->castling) {
        return true;
    }
    size_t end = length;
    bool bracket = end > 4 && text[end - 1] == ')'; /* "e8(Q)" */
    end -= bracket;
    if (end > 2 && (text[end - 1] < '1' || text[end - 1] > '8')) {
        int type = piece_letter(text[end - 1], true);
        if (type < HZ_KNIGHT || type > HZ_QUEEN) {
            return false;
        }
        w->promotion = (hz_piece_type)type;
        end--;
        if (bracket && text[end - 1] != '(') {
            return false;
        }
        end -= bracket || one_of("=/", text[end - 1]);
    } else if (bracket) {
        return false;
    }
    if (end < 2) {
        return false;
    }
    w->to = hz_square_from_text(text + end - 2, 2);
    if (w->to == HZ_NO_SQUARE) {
        return false;
    }
    end -= 2;
    size_t at = 0;
    int type = end > 0 ? piece_letter(text[0], lower) : -1;
    if (type >= 0) {
        w->type = type;
        at++;
    }
    if (at < end && text[at] >= 'a' && text[at] <= 'h') {
        w->file = text[at++] - 'a';
    }
    if (at < end && text[at] >= '1' && text[at] <= '8') {
        w->rank = text[at++] - '1';
    }
    if (at < end && one_of("x:-", text[at])) {
        at++;
    }
    if (type < 0) {
        w->type = w->file >= 0 && w->rank >= 0 ? -1 : HZ_PAWN; /* "g1f3": whatever stands there */
    }
    return at == end;
}

/* How many legal moves fit, and two of them. */
static int fitting(const hz_position *p, const wanted *w, hz_piece_type promotion,
                   hz_move found[2]) {
    int fit = 0;
    uint64_t from = 0;
    int to = w->to;
    if (w->castling) {
        int home = p->side ? 60 : 4;
        from = p->pieces[HZ_KING] & p->colors[p->side] & hzi_bit(home);
        to = w->castling == 1 ? home + 2 : home - 2;
    } else if (w->file >= 0 && w->rank >= 0) {
        /* The whole origin: also castling written as a king's move. */
        from = hzi_bit(8 * w->rank + w->file) & p->colors[p->side];
        from &= w->type >= 0 ? p->pieces[w->type] : ~(uint64_t)0;
    } else {
        from = origins(p, (unsigned)w->type, to);
        from &= w->file >= 0 ? HZI_FILE_A << w->file : ~(uint64_t)0;
        from &= w->rank >= 0 ? HZI_RANK(1) << (8 * w->rank) : ~(uint64_t)0;
    }
    while (from) {
        hz_move move = hzi_chess_find(p, hzi_pop(&from), to, promotion);
        if (move) {
            found[fit ? 1 : 0] = move;
            fit++;
        }
    }
    return fit;
}

hz_status hz_san_to_move(const hz_position *position, const char *text, size_t length,
                         hz_move *move, hz_error *err) {
    size_t bare = bare_length(text, length);
    wanted w = {.castling = 0}, first = w;
    hz_move found[2] = {0, 0};
    bool readable = false;
    int fit = 0;
    /* Longer than any move is no move: "Qa1-xb2=Q" with room to spare. */
    for (int lower = 0; bare > 1 && bare < 16 && lower < 2 && fit == 0; lower++) {
        if (read_move(text, bare, lower, &w)) {
            first = readable ? first : w;
            readable = true;
            fit = fitting(position, &w, w.promotion, found);
        }
    }
    if (fit == 1) {
        *move = found[0];
        return HZ_OK;
    }
    const hzi_quoted shown = hzi_quote(text, length);
    if (!readable) {
        return hz_fail(err, HZ_MOVE_TEXT, 0, "'%s' is no move", shown.text);
    }
    if (fit > 1) {
        char one[HZ_MOVE_CAPACITY], two[HZ_MOVE_CAPACITY];
        (void)hz_move_to_text(found[0], one);
        (void)hz_move_to_text(found[1], two);
        return hz_fail(err, HZ_NOT_LEGAL, 0, "'%s' may be %s or %s", shown.text, one, two);
    }
    if (first.promotion == HZ_NO_PIECE && fitting(position, &first, HZ_QUEEN, found) > 0) {
        return hz_fail(err, HZ_NOT_LEGAL, 0, "'%s' does not say what the pawn becomes", shown.text);
    }
    return hz_fail(err, HZ_NOT_LEGAL, 0, "no legal move is '%s'", shown.text);
}
