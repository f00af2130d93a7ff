/* SPDX-License-Identifier: MIT */
/*
 * The aggressive score: standard plus three rewards for closing in on the enemy king. Storm: own
 * pawns that have advanced. Proximity: own pieces near the king, by king
 * distance. Ring: how often own pieces attack the squares around the king.
 *
 * The ring counts every attacker of every ring square. Summed over squares that is the same as
 * summing, over own pieces, how many ring squares each attacks; most pieces attack none, which for
 * sliders is seen from their rays on the empty board.
 */
#include <hazard/eval.h>

#include "board/attacks.h"
#include "board/make.h"

enum { STORM = 15, RING = 25 };

/* King distance: the larger of the rank and the file difference. */
static int distance(int a, int b) {
    int ranks = (a >> 3) - (b >> 3), files = (a & 7) - (b & 7);
    ranks = ranks < 0 ? -ranks : ranks;
    files = files < 0 ? -files : files;
    return ranks > files ? ranks : files;
}

static int32_t proximity(uint64_t pieces, int king, int32_t weight) {
    int32_t sum = 0;
    while (pieces) {
        sum += weight * (8 - distance(hzi_pop(&pieces), king));
    }
    return sum;
}

/* Ranks each pawn has left its start rank behind, summed; -1 for a pawn on the back rank. */
static int32_t pawn_ranks(uint64_t pawns, hz_color us) {
    int32_t sum = 0;
    while (pawns) {
        int rank = hzi_pop(&pawns) >> 3;
        sum += us == HZ_WHITE ? rank - 1 : 6 - rank;
    }
    return sum;
}

/* Pairs of an own piece and a square of the ring that it attacks. */
static int32_t ring_attacks(const hz_position *p, hz_color us, uint64_t ring) {
    uint64_t own = p->colors[us], occupied = hzi_occupied(p);
    /* A pawn pair on one square counts twice: seen from the ring, one direction at a time. */
    uint64_t pawns = own & p->pieces[HZ_PAWN];
    uint64_t west = pawns & ~HZI_FILE_A, east = pawns & ~HZI_FILE_H;
    int pairs = us == HZ_WHITE ? hzi_popcount(west << 7 & ring) + hzi_popcount(east << 9 & ring)
                               : hzi_popcount(west >> 9 & ring) + hzi_popcount(east >> 7 & ring);
    for (uint64_t b = own & p->pieces[HZ_KNIGHT]; b;) {
        pairs += hzi_popcount(hzi_knight_attacks(hzi_pop(&b)) & ring);
    }
    for (uint64_t b = own & p->pieces[HZ_KING]; b;) {
        pairs += hzi_popcount(hzi_king_attacks(hzi_pop(&b)) & ring);
    }
    for (uint64_t b = own & (p->pieces[HZ_BISHOP] | p->pieces[HZ_QUEEN]); b;) {
        int square = hzi_pop(&b);
        if (hzi_bishop_slider[square].reach & ring) {
            pairs += hzi_popcount(hzi_bishop_attacks(square, occupied) & ring);
        }
    }
    for (uint64_t b = own & (p->pieces[HZ_ROOK] | p->pieces[HZ_QUEEN]); b;) {
        int square = hzi_pop(&b);
        if (hzi_rook_slider[square].reach & ring) {
            pairs += hzi_popcount(hzi_rook_attacks(square, occupied) & ring);
        }
    }
    return pairs;
}

int32_t hz_evaluate_aggressive(const hz_position *position, hz_color color) {
    int32_t score = hz_evaluate_standard(position, color);
    uint64_t kings = position->pieces[HZ_KING] & position->colors[color ^ 1];
    if (!kings) {
        return score;
    }
    int king = hzi_lsb(kings);
    uint64_t own = position->colors[color];
    score += STORM * pawn_ranks(position->pieces[HZ_PAWN] & own, color);
    score += proximity((position->pieces[HZ_KNIGHT] | position->pieces[HZ_BISHOP]) & own, king, 15);
    score += proximity(position->pieces[HZ_ROOK] & own, king, 25);
    score += proximity(position->pieces[HZ_QUEEN] & own, king, 40);
    return score + RING * ring_attacks(position, color, hzi_king_attacks(king));
}
