/* SPDX-License-Identifier: MIT */
/* The handcrafted evaluation as a person would compute it with pencil and paper; see the header. */
#include "ref/ref_handcrafted.h"

#include <ctype.h>
#include <stdlib.h>

typedef struct pair {
    int middle, end;
} pair;

/* A square as the side sees it: rank 0 is its own back rank. */
static char at(const ref_position *p, char side, int rank, int file) {
    if (rank < 0 || rank > 7 || file < 0 || file > 7) {
        return '#';
    }
    return p->board[8 * (side == 'w' ? rank : 7 - rank) + file];
}

static bool owned(char piece, char side) {
    return isalpha((unsigned char)piece) && (isupper((unsigned char)piece) != 0) == (side == 'w');
}

static bool is(char piece, char side, char type) {
    return owned(piece, side) && toupper((unsigned char)piece) == type;
}

static char other(char side) {
    return side == 'w' ? 'b' : 'w';
}

static int smaller(int a, int b) {
    return a < b ? a : b;
}

static int larger(int a, int b) {
    return a > b ? a : b;
}

static pair both(int value) {
    return (pair){value, value};
}

static pair square_term(char type, int rank, int file) {
    static const int pawn_middle[] = {0, 0, 2, 8, 15, 30, 50, 0};
    static const int pawn_end[] = {0, 5, 10, 20, 35, 60, 90, 0};
    static const int knight[] = {-50, -35, -20, -5, 5, 15, 20};
    static const int bishop[] = {-20, -10, -5, 0, 5, 10, 12};
    static const int queen[] = {-15, -8, -4, 0, 3, 5, 6};
    static const int king_end[] = {-50, -30, -15, 0, 10, 22, 32};
    static const int king_first[] = {20, 30, 10, 0}, king_second[] = {15, 15, 0, -5};
    int side_file = smaller(file, 7 - file), centre = side_file + smaller(rank, 7 - rank);
    pair score = {0, 0};
    switch (type) {
    case 'P':
        score.middle = pawn_middle[rank];
        score.end = pawn_end[rank];
        if (side_file == 3) {
            score.middle += rank == 1                             ? -20
                            : rank == 3                           ? 15
                            : rank == 4                           ? 12
                            : rank == 2 || rank == 5 || rank == 6 ? 5
                                                                  : 0;
        } else if (side_file == 2) {
            score.middle += rank == 2 ? -5 : rank == 3 ? 2 : 0;
        }
        break;
    case 'N':
        score = both(knight[centre]);
        break;
    case 'B':
        score = both(bishop[centre]);
        break;
    case 'R':
        score.middle = rank == 6   ? 10
                       : rank == 0 ? (side_file == 3 ? 5 : 0)
                                   : (side_file == 0 ? -5 : 0);
        score.end = rank == 6 ? 15 : 0;
        break;
    case 'Q':
        score = both(queen[centre]);
        break;
    default:
        score.middle = rank == 0   ? king_first[side_file]
                       : rank == 1 ? king_second[side_file]
                       : rank == 2 ? -15 - 3 * side_file
                                   : -30 - 4 * side_file;
        score.end = king_end[centre];
    }
    return score;
}

static bool pawn_ahead(const ref_position *p, char side, char whose, int rank, int file) {
    for (int r = rank + 1; r < 8; r++) {
        if (is(at(p, side, r, file), whose, 'P')) {
            return true;
        }
    }
    return false;
}

static bool pawn_on_file(const ref_position *p, char whose, int file) {
    for (int r = 0; r < 8; r++) {
        if (is(at(p, 'w', r, file), whose, 'P')) {
            return true;
        }
    }
    return false;
}

/* Steps of a king between two squares; 0 when there is no such king. */
static int steps_to(const ref_position *p, char side, char whose, int rank, int file) {
    for (int r = 0; r < 8; r++) {
        for (int f = 0; f < 8; f++) {
            if (is(at(p, side, r, f), whose, 'K')) {
                return larger(abs(r - rank), abs(f - file));
            }
        }
    }
    return 0;
}

static pair pawn_term(const ref_position *p, char side, int rank, int file) {
    pair score = {0, 0};
    char enemy = other(side);
    if (!pawn_on_file(p, side, file - 1) && !pawn_on_file(p, side, file + 1)) {
        score.middle -= 10;
        score.end -= 15;
    }
    if (pawn_ahead(p, side, side, rank, file)) {
        score.middle -= 10;
        score.end -= 20;
    }
    if (!pawn_ahead(p, side, enemy, rank, file) && !pawn_ahead(p, side, enemy, rank, file - 1) &&
        !pawn_ahead(p, side, enemy, rank, file + 1)) {
        int k = rank - 1;
        score.middle += 5 * k * (k - 1);
        score.end += 8 * k * (k - 1) + 10;
        if (rank < 7) {
            score.end += k * (4 * steps_to(p, side, enemy, rank + 1, file) -
                              2 * steps_to(p, side, side, rank + 1, file));
        }
    }
    return score;
}

static bool pawn_attacks(const ref_position *p, char side, char whose, int rank, int file) {
    /* The other side's pawns stand above what they attack. */
    int from = whose == side ? rank - 1 : rank + 1;
    return is(at(p, side, from, file - 1), whose, 'P') ||
           is(at(p, side, from, file + 1), whose, 'P');
}

/* Squares a piece attacks, marked on a board as the side sees it. */
static void mark(const ref_position *p, char side, char type, int rank, int file, bool seen[8][8]) {
    static const int steps[16][2] = {{1, 0},  {-1, 0},  {0, 1},   {0, -1}, {1, 1},  {1, -1},
                                     {-1, 1}, {-1, -1}, {1, 2},   {2, 1},  {-1, 2}, {-2, 1},
                                     {1, -2}, {2, -1},  {-1, -2}, {-2, -1}};
    int first = type == 'N'   ? 8
                : type == 'B' ? 4
                              : 0,
        last = type == 'N'   ? 16
               : type == 'R' ? 4
                             : 8;
    for (int i = first; i < last; i++) {
        int r = rank + steps[i][0], f = file + steps[i][1];
        while (at(p, side, r, f) != '#') {
            seen[r][f] = true;
            if (type == 'N' || at(p, side, r, f) != '.') {
                break;
            }
            r += steps[i][0];
            f += steps[i][1];
        }
    }
}

static bool near_king(const ref_position *p, char side, char whose, int rank, int file) {
    for (int r = rank - 1; r <= rank + 1; r++) {
        for (int f = file - 1; f <= file + 1; f++) {
            if (is(at(p, side, r, f), whose, 'K')) {
                return true;
            }
        }
    }
    return false;
}

static pair piece_term(const ref_position *p, char side, char type, int rank, int file,
                       int *attackers) {
    bool seen[8][8] = {{false}}, attacks = false;
    char enemy = other(side);
    int reach = 0;
    mark(p, side, type, rank, file, seen);
    for (int r = 0; r < 8; r++) {
        for (int f = 0; f < 8; f++) {
            if (!seen[r][f]) {
                continue;
            }
            attacks = attacks || near_king(p, side, enemy, r, f);
            bool shunned = (type == 'N' || type == 'B') && pawn_attacks(p, side, enemy, r, f);
            reach += !owned(at(p, side, r, f), side) && !shunned;
        }
    }
    *attackers += attacks;
    switch (type) {
    case 'N':
        return both(4 * (reach - 4));
    case 'B':
        return both(5 * (reach - 5));
    case 'R': {
        pair score = {3 * (reach - 6), 6 * (reach - 6)};
        if (!pawn_on_file(p, side, file)) {
            bool enemy_pawn = pawn_on_file(p, enemy, file);
            score.middle += enemy_pawn ? 10 : 20;
            score.end += enemy_pawn ? 12 : 20;
        }
        return score;
    }
    default:
        return (pair){reach - 12, 2 * (reach - 12)};
    }
}

static int shelter(const ref_position *p, char side, int rank, int file) {
    int score = 0;
    for (int f = larger(file - 1, 0); f <= smaller(file + 1, 7); f++) {
        if (!pawn_on_file(p, side, f)) {
            score -= pawn_on_file(p, other(side), f) ? 10 : 20;
        }
        if (rank <= 1 && is(at(p, side, rank + 1, f), side, 'P')) {
            score += 12;
        }
    }
    return score;
}

static pair half(const ref_position *p, char side, int *attackers) {
    static const char types[] = "PNBRQ";
    static const int worth[] = {100, 320, 330, 500, 900};
    pair score = {0, 0};
    int bishops = 0;
    for (int rank = 0; rank < 8; rank++) {
        for (int file = 0; file < 8; file++) {
            char piece = at(p, side, rank, file);
            if (!owned(piece, side)) {
                continue;
            }
            char type = (char)toupper((unsigned char)piece);
            pair more = square_term(type, rank, file), extra = {0, 0};
            for (int i = 0; types[i]; i++) {
                score.middle += types[i] == type ? worth[i] : 0;
                score.end += types[i] == type ? worth[i] : 0;
            }
            if (type == 'P') {
                extra = pawn_term(p, side, rank, file);
            } else if (type == 'K') {
                extra.middle = shelter(p, side, rank, file);
            } else {
                extra = piece_term(p, side, type, rank, file, attackers);
            }
            bishops += type == 'B';
            score.middle += more.middle + extra.middle;
            score.end += more.end + extra.end;
        }
    }
    if (bishops >= 2) {
        score.middle += 30;
        score.end += 45;
    }
    return score;
}

int ref_handcrafted(const ref_position *position, char side) {
    int own_attackers = 0, enemy_attackers = 0, phase = 0;
    pair own = half(position, side, &own_attackers);
    pair enemy = half(position, other(side), &enemy_attackers);
    own_attackers = smaller(own_attackers, 6);
    enemy_attackers = smaller(enemy_attackers, 6);
    int middle = own.middle - enemy.middle + 5 * own_attackers * own_attackers -
                 5 * enemy_attackers * enemy_attackers;
    for (int i = 0; i < 64; i++) {
        char type = (char)toupper((unsigned char)position->board[i]);
        phase += type == 'N' || type == 'B' ? 1 : type == 'R' ? 2 : type == 'Q' ? 4 : 0;
    }
    phase = smaller(phase, 24);
    return (middle * phase + (own.end - enemy.end) * (24 - phase)) / 24;
}
