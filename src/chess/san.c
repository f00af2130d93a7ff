/* SPDX-License-Identifier: MIT */
/*
 * Standard algebraic notation: strict when written, tolerant when read. Reading never guesses:
 * decorations are taken off, the rest names a piece, perhaps parts of its origin, a target and a
 * promotion, and exactly one legal move must fit.
 */
#include <hazard/chess.h>

#include "board/bits.h"

#include <string.h>

static const char letters[] = "PNBRQK";

size_t hz_san_from_move(const hz_position *position, hz_move move, char buffer[HZ_SAN_CAPACITY]) {
    size_t n = 0;
    int from = hz_move_from(move), to = hz_move_to(move);
    hz_piece_type type = hz_position_type_at(position, from);
    if (hz_move_is_castling(move)) {
        n = to > from ? 3 : 5;
        memcpy(buffer, "O-O-O", n);
    } else {
        bool takes = (hz_move_flags(move) & HZ_MOVE_CAPTURE) &&
                     !(hz_move_flags(move) & HZ_MOVE_PROMOTION && type != HZ_PAWN);
        if (type == HZ_PAWN) {
            if (takes) {
                buffer[n++] = (char)('a' + (from & 7));
            }
        } else {
            buffer[n++] = letters[type];
            hz_move moves[HZ_CHESS_MOVES_MAX];
            int count = hz_chess_moves(position, moves);
            bool other = false, same_file = false, same_rank = false;
            for (int i = 0; i < count; i++) {
                int start = hz_move_from(moves[i]);
                if (hz_move_to(moves[i]) == to && start != from && !hz_move_is_castling(moves[i]) &&
                    hz_position_type_at(position, start) == type) {
                    other = true;
                    same_file = same_file || (start & 7) == (from & 7);
                    same_rank = same_rank || start >> 3 == from >> 3;
                }
            }
            if (other && (!same_file || same_rank)) {
                buffer[n++] = (char)('a' + (from & 7));
            }
            if (other && same_file) {
                buffer[n++] = (char)('1' + (from >> 3));
            }
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
    hz_position after;
    hz_chess_play(position, move, &after);
    if (hz_chess_in_check(&after, (hz_color)after.side)) {
        buffer[n++] = hz_chess_has_move(&after) ? '+' : '#';
    }
    buffer[n] = '\0';
    return n;
}

/* ---- reading ----------------------------------------------------------------------------------- */

/* What a text says about a move. */
typedef struct wanted {
    unsigned types; /* bit set */
    int file, rank; /* of the origin, -1 = not said */
    int to;         /* target square */
    hz_piece_type promotion;
    int castling; /* 0 none, 1 king side, 2 queen side */
} wanted;

static bool ends_with(const char *text, size_t length, const char *tail) {
    size_t n = strlen(tail);
    return length >= n && memcmp(text + length - n, tail, n) == 0;
}

/* Takes off what says nothing about which move it is. */
static size_t bare_length(const char *text, size_t length) {
    for (bool again = true; again && length > 0;) {
        again = false;
        if (strchr("+#!?", text[length - 1])) {
            length--;
            again = true;
        } else if (ends_with(text, length, "e.p.")) {
            length -= 4;
            again = true;
        } else if (length > 4 && ends_with(text, length, "ep")) {
            length -= 2;
            again = true;
        } else if (text[length - 1] == ' ') {
            length--;
            again = true;
        }
    }
    return length;
}

static int piece_letter(char c) {
    const char *found = c ? strchr(letters, c) : NULL;
    return found ? (int)(found - letters) : -1;
}

static bool read_castling(const char *text, size_t length, wanted *w) {
    char plain[8];
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '-') {
            continue;
        }
        if (n == sizeof plain || !strchr("O0o", text[i])) {
            return false;
        }
        plain[n++] = 'O';
    }
    w->castling = n == 2 ? 1 : n == 3 ? 2 : 0;
    return w->castling != 0;
}

/* Reads the text from its end: promotion, target, then what is left in front. lower: piece letters
 * may be lower case. */
static bool read_move(const char *text, size_t length, bool lower, wanted *w) {
    *w = (wanted){.file = -1, .rank = -1, .promotion = HZ_NO_PIECE};
    if (read_castling(text, length, w)) {
        return true;
    }
    size_t end = length;
    if (end > 0 && text[end - 1] == ')' && end > 2) {
        end--; /* "e8(Q)" */
    }
    if (end > 2 && (text[end - 1] < '1' || text[end - 1] > '8')) {
        char c = text[end - 1];
        int type = piece_letter(c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c);
        if (type < HZ_KNIGHT || type > HZ_QUEEN) {
            return false;
        }
        w->promotion = (hz_piece_type)type;
        end--;
        if (end > 0 && strchr("=/(", text[end - 1])) {
            end--;
        }
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
    w->types = 1u << HZ_PAWN;
    if (at < end) {
        char c = text[at];
        int type = piece_letter(c);
        if (type < 0 && lower && c >= 'a' && c <= 'z') {
            type = piece_letter((char)(c - 'a' + 'A'));
        }
        if (type >= 0) {
            w->types = 1u << type;
            at++;
        }
    }
    bool has_piece = at > 0;
    if (at < end && text[at] >= 'a' && text[at] <= 'h') {
        w->file = text[at++] - 'a';
    }
    if (at < end && text[at] >= '1' && text[at] <= '8') {
        w->rank = text[at++] - '1';
    }
    if (at < end && strchr("x:-", text[at])) {
        at++;
    }
    if (!has_piece && w->file >= 0 && w->rank >= 0) {
        w->types = 63; /* "g1f3": whatever stands there */
    }
    return at == end;
}

static int fitting(const hz_position *position, const wanted *w, hz_move *found, hz_move *second) {
    hz_move moves[HZ_CHESS_MOVES_MAX];
    int count = hz_chess_moves(position, moves), fit = 0;
    for (int i = 0; i < count; i++) {
        int from = hz_move_from(moves[i]), to = hz_move_to(moves[i]);
        bool good;
        if (w->castling) {
            good = hz_move_is_castling(moves[i]) && (to > from) == (w->castling == 1);
        } else {
            good = to == w->to && hz_move_promotion(moves[i]) == w->promotion &&
                   (w->types >> hz_position_type_at(position, from) & 1u) &&
                   (w->file < 0 || w->file == (from & 7)) &&
                   (w->rank < 0 || w->rank == from >> 3) &&
                   (!hz_move_is_castling(moves[i]) || w->types == 63);
        }
        if (good) {
            *(fit ? second : found) = moves[i];
            fit++;
        }
    }
    return fit;
}

hz_status hz_san_to_move(const hz_position *position, const char *text, size_t length,
                         hz_move *move, hz_error *err) {
    size_t bare = bare_length(text, length);
    wanted w;
    hz_move found = 0, second = 0;
    bool readable = false;
    int fit = 0;
    for (int lower = 0; lower < 2 && fit == 0; lower++) {
        if (bare > 0 && bare < 16 && read_move(text, bare, lower, &w)) {
            readable = true;
            fit = fitting(position, &w, &found, &second);
        }
    }
    int shown = length < 20 ? (int)length : 20;
    if (!readable) {
        return hz_fail(err, HZ_MOVE_TEXT, 0, "'%.*s' is no move", shown, text);
    }
    if (fit == 0) {
        return hz_fail(err, HZ_NOT_LEGAL, 0, "no legal move is '%.*s'", shown, text);
    }
    if (fit > 1) {
        char one[HZ_MOVE_CAPACITY], two[HZ_MOVE_CAPACITY];
        (void)hz_move_to_text(found, one);
        (void)hz_move_to_text(second, two);
        return hz_fail(err, HZ_NOT_LEGAL, 0, "'%.*s' may be %s or %s", shown, text, one, two);
    }
    *move = found;
    return HZ_OK;
}
