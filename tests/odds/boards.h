/* SPDX-License-Identifier: MIT */
/*
 * Random boards on which pieces stand in each other's way: crowded lines and neighbourhoods of one
 * square, often with far more attackers than defenders, castling sides, pawns with their targets,
 * pawns near the last rank. Random play hardly ever reaches the rare lines of the odds room.
 */
#ifndef HAZARD_TESTS_ODDS_BOARDS_H
#define HAZARD_TESTS_ODDS_BOARDS_H

#include "ref/ref_odds.h"
#include "ref/ref_random.h"
#include "support/positions.h"

#include <string.h>

static inline uint64_t square_set(int square) {
    return (uint64_t)1 << square;
}

static inline int distance(int a, int b) {
    return a > b ? a - b : b - a;
}

/* Squares on the lines of `center`, or around it. */
static inline uint64_t crowded_squares(int center, bool lines, bool around) {
    uint64_t squares = 0;
    for (int s = 0; s < 64; s++) {
        int files = distance(s & 7, center & 7), ranks = distance(s >> 3, center >> 3);
        bool on_line = files == 0 || ranks == 0 || files == ranks;
        bool near = files <= 2 && ranks <= 3;
        squares |= (uint64_t)((lines && on_line) || (around && near)) << s;
    }
    return squares;
}

static inline unsigned count_squares(uint64_t squares) {
    unsigned count = 0;
    for (; squares; squares &= squares - 1) {
        count++;
    }
    return count;
}

static inline int nth_square(uint64_t squares, unsigned n) {
    int square = 0;
    for (; !(squares >> square & 1) || n-- > 0; square++) {
    }
    return square;
}

/* Puts a piece, one of the letters, on a square of a set that is not empty. */
static inline void put_random(ref_random *random, hz_position *p, uint64_t squares,
                              const char *letters, unsigned black_percent) {
    int square = nth_square(squares, ref_random_below(random, count_squares(squares)));
    char letter = letters[ref_random_below(random, (unsigned)strlen(letters))];
    hz_piece_type type = (hz_piece_type)(strchr("PNBRQK", letter) - "PNBRQK");
    if (type == HZ_PAWN && (square < 8 || square >= 56) && ref_random_chance(random, 90)) {
        return; /* few misplaced pawns */
    }
    hz_position_put(p, square, ref_random_chance(random, black_percent) ? HZ_BLACK : HZ_WHITE,
                    type);
}

/* Kings and rooks at home, pieces between them mostly gone. */
static inline void put_castling(ref_random *random, hz_position *p) {
    for (int color = 0; color < 2; color++) {
        int home = color ? 56 : 0, before = color ? -8 : 8;
        hz_position_put(p, home + 4, (hz_color)color, HZ_KING);
        for (int file = 0; file < 8; file++) {
            if (file == 0 || file == 7) {
                hz_position_put(p, home + file, (hz_color)color,
                                ref_random_chance(random, 75) ? HZ_ROOK : HZ_NO_PIECE);
            } else if (file != 4 && ref_random_chance(random, 75)) {
                hz_position_put(p, home + file, HZ_WHITE, HZ_NO_PIECE);
            }
            if (file >= 3 && file <= 5 && ref_random_chance(random, 50)) {
                hz_position_put(p, home + file + before, (hz_color)color, HZ_PAWN);
            }
        }
    }
    hz_position_set_rights(p, ref_random_below(random, 16));
}

/* Pawns that have just passed, pawns beside them, sometimes something on the target. */
static inline void put_passing(ref_random *random, hz_position *p) {
    uint64_t targets = 0;
    for (int file = 0; file < 8; file++) {
        for (int color = 0; color < 2; color++) {
            int square = (color ? 32 : 24) + file, target = square + (color ? 8 : -8);
            if (!ref_random_chance(random, 33)) {
                continue;
            }
            hz_position_put(p, square, (hz_color)color, HZ_PAWN);
            targets |= (uint64_t)1 << target;
            if (ref_random_chance(random, 66)) {
                hz_position_put(p, target, HZ_WHITE, HZ_NO_PIECE);
            }
            if (file > 0 && ref_random_chance(random, 50)) {
                hz_position_put(p, square - 1, (hz_color)(color ^ 1), HZ_PAWN);
            }
        }
    }
    hz_position_set_targets(p, targets);
}

static inline hz_position crowded_board(ref_random *random) {
    static const char *const letters[] = {"PNBRQK",         "PPPPNBRQKPPPPP", "BBRRQQPNK",
                                          "PPPPPPKPPPPPNQ", "NNKKPPB",        "PPPRBPPP",
                                          "PPBRQKKPPPPNR",  "RRBBP"};
    static const unsigned black_percent[] = {8, 25, 50, 50, 75, 92};
    hz_position p = hz_position_empty();
    int center = (int)ref_random_below(random, 64);
    uint64_t squares = UINT64_MAX;
    switch (ref_random_below(random, 6)) {
    case 0:
        squares = crowded_squares(center, true, true);
        break;
    case 1:
        squares = crowded_squares(center, false, true);
        break;
    case 2:
        squares = 0xFFFFFF0000FFFFFF; /* near the last ranks */
        break;
    default:
        break;
    }
    unsigned count = ref_random_chance(random, 15) ? 20 + ref_random_below(random, 20)
                                                   : 3 + ref_random_below(random, 16);
    const char *set = letters[ref_random_below(random, sizeof letters / sizeof *letters)];
    if (strstr(set, "QQ") && count > 12) {
        count = 12; /* many queens make the twin very slow */
    }
    unsigned black = black_percent[ref_random_below(random, 6)];
    for (unsigned i = 0; i < count; i++) {
        put_random(random, &p, squares, set, black);
    }
    if (ref_random_chance(random, 25)) {
        put_castling(random, &p);
    } else if (ref_random_chance(random, 10)) {
        hz_position_set_rights(&p, ref_random_below(random, 16)); /* mostly contradicting */
    }
    if (ref_random_chance(random, 45)) {
        put_passing(random, &p);
    }
    hz_position_set_side(&p, ref_random_chance(random, 50) ? HZ_WHITE : HZ_BLACK);
    return p;
}

/* One side fills most of the board and has few moves: who may leave, where to and in which order
 * decides. A few enemy pieces, often pawns that have just passed. */
static inline hz_position hemmed_board(ref_random *random) {
    static const char *const letters[] = {"PNBRQK", "PPPPRN",   "PPPPBN", "PPPNNK",
                                          "PPBBRK", "RRNNPP",   "BBNNPP", "PPPPPPQ",
                                          "PPPQNK", "PPPPPPPR", "RRRRPPN"};
    hz_position p = hz_position_empty();
    hz_color us = ref_random_chance(random, 50) ? HZ_WHITE : HZ_BLACK;
    const char *set = letters[ref_random_below(random, sizeof letters / sizeof *letters)];
    unsigned percent = 30 + ref_random_below(random, 50);
    for (int s = 0; s < 64; s++) {
        if (ref_random_chance(random, percent)) {
            put_random(random, &p, square_set(s), set, us == HZ_BLACK ? 100 : 0);
        }
    }
    for (unsigned i = 3 + ref_random_below(random, 12); i > 0; i--) {
        put_random(random, &p, UINT64_MAX, "PPPPPPPPNBRQK", us == HZ_BLACK ? 0 : 100);
    }
    if (ref_random_chance(random, 20)) {
        put_castling(random, &p);
    }
    if (ref_random_chance(random, 60)) {
        put_passing(random, &p);
    }
    return p;
}

/* A position of a random game, or one that is made up. */
static inline hz_position random_board(ref_random *random) {
    char dfen[REF_DFEN_CAPACITY];
    ref_random_position(random, dfen);
    return test_position(dfen);
}

static inline hz_color other(hz_color color) {
    return color == HZ_WHITE ? HZ_BLACK : HZ_WHITE;
}

static inline hz_color color_from(const char *text) {
    return text[0] == 'w' ? HZ_WHITE : HZ_BLACK;
}

/* The square of a text, for example "e5". */
static inline int at(const char *text) {
    return hz_square_from_text(text, strlen(text));
}

#endif
