/* SPDX-License-Identifier: MIT */
/*
 * The handcrafted chess evaluation: material and squares, pawn structure, mobility, files, bishop
 * pair, the king's shelter and attackers; each term in two phases, mixed by the material that is
 * left. The weights stand in eval/handcrafted.h. Exactly antisymmetric under a change of colours.
 *
 * Each side is judged as if it were White: a Black side's pawns are mirrored first, so that pawn
 * terms are sets of squares with one direction. Both phases travel in one number (hzi_both).
 */
#include <hazard/eval.h>

#include "board/attacks.h"
#include "board/make.h"
#include "eval/handcrafted.h"

/* What one side's terms need of the board. */
typedef struct half {
    const hz_position *p;
    unsigned us;
    uint64_t own, enemy, occupied;
    /* Mirrored so that the own side plays up the board. */
    uint64_t own_pawns, enemy_pawns;
    int own_king, enemy_king;        /* 64 = none */
    uint64_t own_files, enemy_files; /* with a pawn of the side: bit 0 = the a-file */
    /* As they stand: */
    uint64_t pawn_danger; /* squares the enemy's pawns attack */
    uint64_t ring;        /* the enemy king and its neighbours */
} half;

static uint64_t files_of(uint64_t set) {
    set |= set >> 32;
    set |= set >> 16;
    return (set | set >> 8) & 0xFF;
}

static uint64_t whole_files(uint64_t files) {
    return files * HZI_FILE_A;
}

/* Squares below the set on its files, the set itself left out. */
static uint64_t below(uint64_t set) {
    set >>= 8;
    set |= set >> 8;
    set |= set >> 16;
    return set | set >> 32;
}

static uint64_t with_sides(uint64_t set) {
    return set | (set & ~HZI_FILE_A) >> 1 | (set & ~HZI_FILE_H) << 1;
}

static int distance(int a, int b) {
    int ranks = (a >> 3) - (b >> 3), files = (a & 7) - (b & 7);
    ranks = ranks < 0 ? -ranks : ranks;
    files = files < 0 ? -files : files;
    return ranks > files ? ranks : files;
}

static hzi_both passed_pawn(const half *h, int square) {
    const hzi_handcrafted_weights *w = &hzi_handcrafted;
    int k = (square >> 3) - 1, stop = square + 8, end = w->passed_base;
    if (stop < 64) { /* a pawn on its last rank is no chess, but may be asked */
        int enemy = h->enemy_king < 64 ? distance(h->enemy_king, stop) : 0;
        int own = h->own_king < 64 ? distance(h->own_king, stop) : 0;
        end += k * (w->passed_enemy_king * enemy + w->passed_own_king * own);
    }
    return hzi_both_of(w->passed_step) * ((hzi_both)k * (k - 1)) + end * HZI_END_UNIT;
}

static hzi_both pawns(const half *h) {
    const hzi_handcrafted_weights *w = &hzi_handcrafted;
    uint64_t own = h->own_pawns, beside = h->own_files << 1 | h->own_files >> 1;
    hzi_both score = hzi_both_of(w->isolated) * hzi_popcount(own & ~whole_files(beside & 0xFF)) +
                     hzi_both_of(w->doubled) * hzi_popcount(own & below(own));
    for (uint64_t set = own & ~with_sides(below(h->enemy_pawns)); set;) {
        score += passed_pawn(h, hzi_pop(&set));
    }
    return score;
}

/* Mobility of one piece and whether it reaches the ring around the enemy king. */
static hzi_both reach(const half *h, int kind, uint64_t attacks, uint64_t allowed, int *attackers) {
    const hzi_handcrafted_weights *w = &hzi_handcrafted;
    *attackers += (attacks & h->ring) != 0;
    return hzi_both_of(w->mobility[kind]) *
           (hzi_popcount(attacks & allowed) - w->mobility_zero[kind]);
}

static hzi_both pieces(const half *h, int *attackers) {
    const hzi_handcrafted_weights *w = &hzi_handcrafted;
    const hz_position *p = h->p;
    uint64_t all = ~h->own, safe = all & ~h->pawn_danger;
    hzi_both score = 0;
    for (uint64_t set = p->pieces[HZ_KNIGHT] & h->own; set;) {
        score += reach(h, 0, hzi_knight_attacks(hzi_pop(&set)), safe, attackers);
    }
    uint64_t bishops = p->pieces[HZ_BISHOP] & h->own;
    score += hzi_several(bishops) ? hzi_both_of(w->bishop_pair) : 0;
    while (bishops) {
        score += reach(h, 1, hzi_bishop_attacks(hzi_pop(&bishops), h->occupied), safe, attackers);
    }
    for (uint64_t set = p->pieces[HZ_ROOK] & h->own; set;) {
        int square = hzi_pop(&set), file = square & 7;
        if (!(h->own_files >> file & 1)) {
            score += hzi_both_of(h->enemy_files >> file & 1 ? w->rook_half_open : w->rook_open);
        }
        score += reach(h, 2, hzi_rook_attacks(square, h->occupied), all, attackers);
    }
    for (uint64_t set = p->pieces[HZ_QUEEN] & h->own; set;) {
        score += reach(h, 3, hzi_queen_attacks(hzi_pop(&set), h->occupied), all, attackers);
    }
    return score;
}

/* Middlegame only. */
static int shelter(const half *h) {
    const hzi_handcrafted_weights *w = &hzi_handcrafted;
    int square = h->own_king;
    if (square == 64) {
        return 0;
    }
    uint64_t beside = hzi_king_attacks(square), king = hzi_bit(square);
    uint64_t near = (beside | king) >> (square & 56) & 0xFF; /* its file and those beside it */
    int score = w->shelter_none * hzi_popcount(near & ~h->own_files & h->enemy_files) +
                w->shelter_open * hzi_popcount(near & ~h->own_files & ~h->enemy_files);
    if (square < 16) {
        uint64_t front = near << 8 << (square & 56);
        score += w->shelter_pawn * hzi_popcount(h->own_pawns & front);
    }
    return score;
}

static hzi_both squares(const half *h) {
    int flip = h->us == HZ_WHITE ? 0 : 56;
    hzi_both score = 0;
    for (unsigned type = 0; type < HZ_PIECE_TYPES; type++) {
        const hzi_both *table = hzi_handcrafted_squares[type];
        for (uint64_t set = h->p->pieces[type] & h->own; set;) {
            score += table[hzi_pop(&set) ^ flip];
        }
    }
    return score;
}

static half half_of(const hz_position *p, unsigned us) {
    uint64_t own = p->colors[us], enemy = p->colors[us ^ 1];
    uint64_t own_kings = p->pieces[HZ_KING] & own, enemy_kings = p->pieces[HZ_KING] & enemy;
    int flip = us == HZ_WHITE ? 0 : 56;
    half h = {.p = p,
              .us = us,
              .own = own,
              .enemy = enemy,
              .occupied = own | enemy,
              .own_pawns = p->pieces[HZ_PAWN] & own,
              .enemy_pawns = p->pieces[HZ_PAWN] & enemy,
              .own_king = own_kings ? hzi_lsb(own_kings) ^ flip : 64,
              .enemy_king = enemy_kings ? hzi_lsb(enemy_kings) ^ flip : 64};
    h.pawn_danger = hzi_pawns_attack(h.enemy_pawns, (int)(us ^ 1));
    h.ring = enemy_kings ? hzi_kings_attack(enemy_kings) | enemy_kings : 0;
    h.own_files = files_of(h.own_pawns);
    h.enemy_files = files_of(h.enemy_pawns);
    if (flip) {
        h.own_pawns = hzi_flip_ranks(h.own_pawns);
        h.enemy_pawns = hzi_flip_ranks(h.enemy_pawns);
    }
    return h;
}

/* What is good for one side and bad for the other. */
static hzi_both judge(const hz_position *p, unsigned us) {
    const hzi_handcrafted_weights *w = &hzi_handcrafted;
    half h = half_of(p, us);
    int attackers = 0;
    hzi_both score = squares(&h) + pawns(&h) + pieces(&h, &attackers) + shelter(&h);
    attackers = attackers < w->king_attackers_most ? attackers : w->king_attackers_most;
    return score - w->king_attack * ((hzi_both)attackers * attackers);
}

int32_t hz_evaluate_handcrafted(const hz_position *position, hz_color color) {
    hzi_both score = judge(position, color) - judge(position, color ^ 1U);
    int phase = hzi_popcount(position->pieces[HZ_KNIGHT] | position->pieces[HZ_BISHOP]) +
                2 * hzi_popcount(position->pieces[HZ_ROOK]) +
                4 * hzi_popcount(position->pieces[HZ_QUEEN]);
    phase = phase < HZI_PHASE_FULL ? phase : HZI_PHASE_FULL;
    return (hzi_both_middle(score) * phase + hzi_both_end(score) * (HZI_PHASE_FULL - phase)) /
           HZI_PHASE_FULL;
}
