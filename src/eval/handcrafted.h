/* SPDX-License-Identifier: MIT */
/*
 * Every weight of the handcrafted chess evaluation, in centipawns. Pairs are {middlegame, endgame}.
 * Ranks, files and squares are seen from the side judged: rank 0 is its back rank. "centre" of a
 * square is min(file, 7 - file) + min(rank, 7 - rank): 0 in a corner, 6 in the middle.
 *
 * The numbers are a contract: the baselines of the evaluator league play with them.
 */
#ifndef HAZARD_EVAL_HANDCRAFTED_H
#define HAZARD_EVAL_HANDCRAFTED_H

#include <stdint.h>

enum { HZI_MIDDLE, HZI_END, HZI_PHASES };
/* Most phase: all knights and bishops 1, rooks 2, queens 4 on the board. */
enum { HZI_PHASE_FULL = 24 };

typedef struct hzi_handcrafted_weights {
    int material[5]; /* P N B R Q, both phases */
    /* squares */
    int pawn_rank[HZI_PHASES][8];
    int pawn_d_file[8];   /* middlegame, on files d and e, by rank */
    int pawn_c_file[8];   /* middlegame, on files c and f, by rank */
    int knight_centre[7]; /* both phases */
    int bishop_centre[7];
    int queen_centre[7];
    int rook_seventh[HZI_PHASES]; /* on rank 6 */
    int rook_middle_back;         /* middlegame, on d1 or e1 */
    int rook_edge;                /* middlegame, on the a or h file elsewhere */
    int king_rank0[4];            /* middlegame, by min(file, 7 - file) */
    int king_rank1[4];
    int king_rank2[2];   /* {base, per file towards the middle} */
    int king_forward[2]; /* ranks 3 and up, the same */
    int king_centre[7];  /* endgame */
    /* pawns */
    int isolated[HZI_PHASES];
    int doubled[HZI_PHASES];     /* an own pawn further ahead on its file */
    int passed_step[HZI_PHASES]; /* times k (k - 1), k = rank - 1 */
    int passed_base;             /* endgame */
    int passed_enemy_king;       /* endgame, times k and the distance to the square in front */
    int passed_own_king;
    /* pieces: weight and the number of squares that is worth nothing */
    int mobility[4][HZI_PHASES]; /* N B R Q */
    int mobility_zero[4];
    int rook_half_open[HZI_PHASES];
    int rook_open[HZI_PHASES];
    int bishop_pair[HZI_PHASES];
    /* the king, middlegame: each file beside it and its own */
    int shelter_none; /* no own pawn on the file */
    int shelter_open; /* no pawn at all */
    int shelter_pawn; /* own pawn right in front while the king is on rank 0 or 1 */
    int king_attack;  /* times the square of the number of attackers */
    int king_attackers_most;
} hzi_handcrafted_weights;

/* clang-format off */
static const hzi_handcrafted_weights hzi_handcrafted = {
    .material = {100, 320, 330, 500, 900},
    .pawn_rank = {{0, 0, 2, 8, 15, 30, 50, 0}, {0, 5, 10, 20, 35, 60, 90, 0}},
    .pawn_d_file = {0, -20, 5, 15, 12, 5, 5, 0},
    .pawn_c_file = {0, 0, -5, 2, 0, 0, 0, 0},
    .knight_centre = {-50, -35, -20, -5, 5, 15, 20},
    .bishop_centre = {-20, -10, -5, 0, 5, 10, 12},
    .queen_centre = {-15, -8, -4, 0, 3, 5, 6},
    .rook_seventh = {10, 15},
    .rook_middle_back = 5,
    .rook_edge = -5,
    .king_rank0 = {20, 30, 10, 0},
    .king_rank1 = {15, 15, 0, -5},
    .king_rank2 = {-15, -3},
    .king_forward = {-30, -4},
    .king_centre = {-50, -30, -15, 0, 10, 22, 32},
    .isolated = {-10, -15},
    .doubled = {-10, -20},
    .passed_step = {5, 8},
    .passed_base = 10,
    .passed_enemy_king = 4,
    .passed_own_king = -2,
    .mobility = {{4, 4}, {5, 5}, {3, 6}, {1, 2}},
    .mobility_zero = {4, 5, 6, 12},
    .rook_half_open = {10, 12},
    .rook_open = {20, 20},
    .bishop_pair = {30, 45},
    .shelter_none = -10,
    .shelter_open = -20,
    .shelter_pawn = 12,
    .king_attack = -5,
    .king_attackers_most = 6,
};
/* clang-format on */

/*
 * Both phases of a score in one number: the endgame counted in units of 2^32, the middlegame added
 * to it, so that sums of scores are sums of numbers. Either part stays far from 2^31.
 */
typedef int64_t hzi_both;
#define HZI_END_UNIT ((hzi_both)1 << 32)
static inline hzi_both hzi_both_of(const int pair[HZI_PHASES]) {
    return pair[HZI_END] * HZI_END_UNIT + pair[HZI_MIDDLE];
}
static inline int hzi_both_middle(hzi_both score) {
    return (int)(int32_t)(uint32_t)(uint64_t)score;
}
static inline int hzi_both_end(hzi_both score) {
    return (int)((score - hzi_both_middle(score)) / HZI_END_UNIT);
}

/* Material and square together, for White; made from the weights while building. */
extern const hzi_both hzi_handcrafted_squares[6][64];

#endif
