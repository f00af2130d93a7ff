/* SPDX-License-Identifier: MIT */
/* Orthodox chess, slowly; the header is the manual. */
#include "ref/ref_chess.h"

#include "ref/ref_features.h"

#include <stdio.h>
#include <string.h>

static int square_of(const char *text) {
    return 8 * (text[1] - '1') + (text[0] - 'a');
}

static char upper(char c) {
    return (char)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
}

static bool is_castling(const ref_position *position, const char *move) {
    int files = move[2] - move[0];
    return upper(position->board[square_of(move)]) == 'K' && (files == 2 || files == -2);
}

ref_position ref_chess_after(const ref_position *position, const char *move) {
    ref_position after = *position;
    memset(after.target, 0, sizeof after.target);
    bool en_passant = upper(position->board[square_of(move)]) == 'P' && move[0] != move[2] &&
                      position->board[square_of(move + 2)] == '.';
    after.target[square_of(move + 2)] = en_passant;
    ref_play(&after, move);
    ref_hand_over(&after);
    return after;
}

static bool is_legal(const ref_position *position, const char *move) {
    ref_position after = ref_chess_after(position, move);
    if (ref_king_attacked(&after, position->side)) {
        return false;
    }
    if (is_castling(position, move)) {
        /* Neither where the king stands nor where it passes. */
        if (ref_king_attacked(position, position->side)) {
            return false;
        }
        ref_position passing = *position;
        int from = square_of(move), step = move[2] > move[0] ? 1 : -1;
        passing.board[from + step] = passing.board[from];
        passing.board[from] = '.';
        return !ref_king_attacked(&passing, position->side);
    }
    return true;
}

void ref_chess_moves(const ref_position *position, ref_moves *list) {
    ref_position bare = *position;
    memset(bare.dice, 0, sizeof bare.dice);
    ref_pseudo(&bare, list);
    int kept = 0;
    for (int i = 0; i < list->count; i++) {
        if (is_legal(&bare, list->move[i].text)) {
            list->move[kept++] = list->move[i];
        }
    }
    list->count = kept;
}

static char piece_of(const ref_position *position, const char *move) {
    return upper(position->board[square_of(move)]);
}

/* Moves of the list that a piece, an origin as far as it is given, and a target name. */
static int fitting(const ref_position *position, const ref_moves *list, const char *move, bool file,
                   bool rank) {
    int count = 0;
    for (int i = 0; i < list->count; i++) {
        const char *other = list->move[i].text;
        count += piece_of(position, other) == piece_of(position, move) &&
                 strncmp(other + 2, move + 2, 2) == 0 && strcmp(other + 4, move + 4) == 0 &&
                 !is_castling(position, other) && (!file || other[0] == move[0]) &&
                 (!rank || other[1] == move[1]);
    }
    return count;
}

void ref_chess_san(const ref_position *position, const ref_moves *list, const char *move,
                   char san[REF_SAN_CAPACITY]) {
    char piece = piece_of(position, move), origin[3] = "", text[REF_SAN_CAPACITY] = "";
    bool takes = position->board[square_of(move + 2)] != '.';
    if (is_castling(position, move)) {
        strcpy(text, move[2] > move[0] ? "O-O" : "O-O-O");
    } else {
        if (piece == 'P') {
            takes = move[0] != move[2]; /* en passant takes, too */
            snprintf(origin, sizeof origin, "%.*s", takes ? 1 : 0, move);
        } else if (fitting(position, list, move, false, false) > 1) {
            if (fitting(position, list, move, true, false) == 1) {
                snprintf(origin, sizeof origin, "%.1s", move);
            } else if (fitting(position, list, move, false, true) == 1) {
                snprintf(origin, sizeof origin, "%.1s", move + 1);
            } else {
                snprintf(origin, sizeof origin, "%.2s", move);
            }
        }
        char letter[2] = {piece, '\0'}, becomes[2] = {upper(move[4]), '\0'};
        snprintf(text, sizeof text, "%s%s%s%.2s%s%s", piece == 'P' ? "" : letter, origin,
                 takes ? "x" : "", move + 2, move[4] ? "=" : "", becomes);
    }
    ref_position after = ref_chess_after(position, move);
    const char *mark = "";
    if (ref_king_attacked(&after, after.side)) {
        ref_moves replies;
        ref_chess_moves(&after, &replies);
        mark = replies.count ? "+" : "#";
    }
    snprintf(san, REF_SAN_CAPACITY, "%.10s%s", text, mark);
}

uint64_t ref_chess_perft(const ref_position *position, int depth) {
    ref_moves list;
    uint64_t leaves = 0;
    if (depth == 0) {
        return 1;
    }
    ref_chess_moves(position, &list);
    for (int i = 0; i < list.count; i++) {
        ref_position after = ref_chess_after(position, list.move[i].text);
        leaves += ref_chess_perft(&after, depth - 1);
    }
    return leaves;
}
