/* SPDX-License-Identifier: MIT */
/*
 * Attack sets. Leapers and geometry come from tables that a small program computes in the build
 * folder (tables_gen.c). Sliders have two variants with equal results: on a processor with fast bit
 * gathering the occupied squares of a ray set index a table of 16-bit packed attack sets; elsewhere
 * the subtraction trick o ^ (o - 2r) on file, diagonal and anti-diagonal plus a rank table.
 */
#ifndef HAZARD_BOARD_ATTACKS_H
#define HAZARD_BOARD_ATTACKS_H

#include <hazard/board.h>

#include "board/bits.h"

/* A slider from one square: relevant = squares whose occupancy matters, reach = attack set on an
 * empty board, offset = start of its packed table. */
typedef struct hzi_slider {
    uint64_t relevant;
    uint64_t reach;
    uint32_t offset;
} hzi_slider;

/* Lines through a square, without the square. */
typedef struct hzi_lines {
    uint64_t file;
    uint64_t diagonal;
    uint64_t anti;
} hzi_lines;

extern const uint64_t hzi_knight_table[64];
extern const uint64_t hzi_king_table[64];
extern const uint64_t hzi_pawn_table[2][64]; /* squares a pawn of this colour attacks from here */
extern const hzi_lines hzi_lines_table[64];
extern const uint8_t hzi_rank_table[8][64]; /* [file][inner occupancy bits 1..6] */
extern const hzi_slider hzi_bishop_slider[64];
extern const hzi_slider hzi_rook_slider[64];
extern const uint16_t hzi_slider_packed[];
extern const uint64_t hzi_between_table[64][64]; /* squares strictly between, 0 off a line */
extern const uint64_t hzi_line_table[64][64]; /* the whole line through two squares, both included;
                                                 0 off a line */

static inline uint64_t hzi_line_attacks(uint64_t line, uint64_t occupied, uint64_t bit) {
    uint64_t forward = occupied & line;
    uint64_t reverse = __builtin_bswap64(forward);
    forward -= bit;
    reverse -= __builtin_bswap64(bit);
    return (forward ^ __builtin_bswap64(reverse)) & line;
}

static inline uint64_t hzi_bishop_attacks_portable(int square, uint64_t occupied) {
    uint64_t bit = hzi_bit(square);
    const hzi_lines *lines = &hzi_lines_table[square];
    return hzi_line_attacks(lines->diagonal, occupied, bit) |
           hzi_line_attacks(lines->anti, occupied, bit);
}

static inline uint64_t hzi_rook_attacks_portable(int square, uint64_t occupied) {
    int shift = square & 56;
    uint64_t rank = hzi_rank_table[square & 7][(occupied >> (shift + 1)) & 63];
    return hzi_line_attacks(hzi_lines_table[square].file, occupied, hzi_bit(square)) | rank
                                                                                           << shift;
}

static inline uint64_t hzi_bishop_attacks(int square, uint64_t occupied) {
#if HZI_HAS_FAST_BITS
    if (__builtin_expect(hzi_fast_bits, 1)) {
        const hzi_slider *s = &hzi_bishop_slider[square];
        return hzi_pdep(hzi_slider_packed[s->offset + hzi_pext(occupied, s->relevant)], s->reach);
    }
#endif
    return hzi_bishop_attacks_portable(square, occupied);
}

static inline uint64_t hzi_rook_attacks(int square, uint64_t occupied) {
#if HZI_HAS_FAST_BITS
    if (__builtin_expect(hzi_fast_bits, 1)) {
        const hzi_slider *s = &hzi_rook_slider[square];
        return hzi_pdep(hzi_slider_packed[s->offset + hzi_pext(occupied, s->relevant)], s->reach);
    }
#endif
    return hzi_rook_attacks_portable(square, occupied);
}

static inline uint64_t hzi_queen_attacks(int square, uint64_t occupied) {
    return hzi_bishop_attacks(square, occupied) | hzi_rook_attacks(square, occupied);
}

static inline uint64_t hzi_knight_attacks(int square) {
    return hzi_knight_table[square];
}

static inline uint64_t hzi_king_attacks(int square) {
    return hzi_king_table[square];
}

/* Squares attacked by all pawns of a set. color 0 = White. */
static inline uint64_t hzi_pawns_attack(uint64_t pawns, int color) {
    uint64_t west = pawns & ~HZI_FILE_A, east = pawns & ~HZI_FILE_H;
    return color == 0 ? west << 7 | east << 9 : west >> 9 | east >> 7;
}

/* Squares attacked by all knights of a set. */
static inline uint64_t hzi_knights_attack(uint64_t knights) {
    uint64_t l1 = (knights >> 1) & ~HZI_FILE_H, r1 = (knights << 1) & ~HZI_FILE_A;
    uint64_t l2 = (knights >> 2) & ~(HZI_FILE_H | HZI_FILE_H >> 1);
    uint64_t r2 = (knights << 2) & ~(HZI_FILE_A | HZI_FILE_A << 1);
    uint64_t near = l1 | r1, far = l2 | r2;
    return near << 16 | near >> 16 | far << 8 | far >> 8;
}

/* Squares attacked by all kings of a set. */
static inline uint64_t hzi_kings_attack(uint64_t kings) {
    uint64_t beside = ((kings >> 1) & ~HZI_FILE_H) | ((kings << 1) & ~HZI_FILE_A);
    uint64_t row = kings | beside;
    return beside | row << 8 | row >> 8;
}

static inline uint64_t hzi_between(int a, int b) {
    return hzi_between_table[a][b];
}

/* Targets `us` could capture onto if a pawn stood right: on the rank of the enemy's double steps,
 * empty, with an enemy pawn behind. */
static inline uint64_t hzi_live_targets(const hz_position *p, unsigned us) {
    uint64_t enemy_pawns = p->pieces[HZ_PAWN] & p->colors[us ^ 1];
    uint64_t owned = us ? (enemy_pawns & HZI_RANK(4)) >> 8 : (enemy_pawns & HZI_RANK(5)) << 8;
    return p->targets & owned & ~(p->colors[0] | p->colors[1]);
}

#endif
