/* SPDX-License-Identifier: MIT */
/*
 * Bitboard arithmetic. Portable C, plus the three processor instructions that matter here (popcnt,
 * pext, pdep), used when the processor has them. They are asked for once at start; the answer is a
 * constant afterwards. Inline assembly instead of a build flag keeps the binary free of the
 * builder's machine: the branch is always predicted and costs less than a call.
 */
#ifndef HAZARD_BOARD_BITS_H
#define HAZARD_BOARD_BITS_H

#include <stdbool.h>
#include <stdint.h>

/* Whether the fast instructions are used. Set before main, read-only afterwards. */
extern bool hzi_fast_bits;
/* Whether this processor has them, fast. */
bool hzi_fast_bits_available(void);
/* For tests and benchmarks, before any other thread runs: turns them off or (if available) on. */
void hzi_fast_bits_use(bool on);

#if defined(__x86_64__) && !defined(HAZARD_PORTABLE_ONLY)
#define HZI_HAS_FAST_BITS 1
static inline uint64_t hzi_pext(uint64_t value, uint64_t mask) {
    uint64_t result;
    __asm__("pextq %2, %1, %0" : "=r"(result) : "r"(value), "r"(mask));
    return result;
}
static inline uint64_t hzi_pdep(uint64_t value, uint64_t mask) {
    uint64_t result;
    __asm__("pdepq %2, %1, %0" : "=r"(result) : "r"(value), "r"(mask));
    return result;
}
static inline int hzi_popcnt_instruction(uint64_t value) {
    uint64_t result;
    __asm__("popcntq %1, %0" : "=r"(result) : "r"(value) : "cc");
    return (int)result;
}
#else
#define HZI_HAS_FAST_BITS 0
#endif

/* Number of set bits. */
static inline int hzi_popcount(uint64_t b) {
#if HZI_HAS_FAST_BITS
    if (__builtin_expect(hzi_fast_bits, 1)) {
        return hzi_popcnt_instruction(b);
    }
#endif
    b -= (b >> 1) & 0x5555555555555555;
    b = (b & 0x3333333333333333) + ((b >> 2) & 0x3333333333333333);
    b = (b + (b >> 4)) & 0x0F0F0F0F0F0F0F0F;
    return (int)((b * 0x0101010101010101) >> 56);
}

/* Index of the lowest set bit; b != 0. */
static inline int hzi_lsb(uint64_t b) {
    return __builtin_ctzll(b);
}

/* Index of the lowest set bit, which is removed; *b != 0. */
static inline int hzi_pop(uint64_t *b) {
    int square = __builtin_ctzll(*b);
    *b &= *b - 1;
    return square;
}

static inline uint64_t hzi_bit(int square) {
    return (uint64_t)1 << square;
}

static inline bool hzi_several(uint64_t b) {
    return (b & (b - 1)) != 0;
}

#define HZI_FILE_A ((uint64_t)0x0101010101010101)
#define HZI_FILE_H ((uint64_t)0x8080808080808080)
#define HZI_RANK(r) ((uint64_t)0xFF << (8 * ((r)-1))) /* r = 1..8 */

/* Ranks mirrored. */
static inline uint64_t hzi_flip_ranks(uint64_t b) {
    return __builtin_bswap64(b);
}

/* Files mirrored. */
static inline uint64_t hzi_mirror_files(uint64_t b) {
    b = ((b >> 1) & 0x5555555555555555) | ((b & 0x5555555555555555) << 1);
    b = ((b >> 2) & 0x3333333333333333) | ((b & 0x3333333333333333) << 2);
    return ((b >> 4) & 0x0F0F0F0F0F0F0F0F) | ((b & 0x0F0F0F0F0F0F0F0F) << 4);
}

/* Files and ranks exchanged (mirror at the a1-h8 diagonal): bit f + 8r goes to r + 8f. Walking the
 * bits of the result from low to high visits squares in the order of their texts. */
static inline uint64_t hzi_transpose(uint64_t b) {
    uint64_t t = 0x0F0F0F0F00000000 & (b ^ (b << 28));
    b ^= t ^ (t >> 28);
    t = 0x3333000033330000 & (b ^ (b << 14));
    b ^= t ^ (t >> 14);
    t = 0x5500550055005500 & (b ^ (b << 7));
    return b ^ t ^ (t >> 7);
}

static inline int hzi_transpose_square(int square) {
    return ((square & 7) << 3) | (square >> 3);
}

#endif
