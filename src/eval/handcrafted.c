/* SPDX-License-Identifier: MIT */
/*
 * The handcrafted chess evaluation: material and squares, pawn structure, mobility, files, bishop
 * pair, the king's shelter and attackers; each term in two phases, mixed by the material that is
 * left. The weights stand in eval/handcrafted.h. Exactly antisymmetric under a change of colours.
 */
#include <hazard/eval.h>

#include "board/attacks.h"
#include "board/make.h"
#include "eval/handcrafted.h"

typedef struct score {
    int middle, end;
} score;

/* What one side's terms need of the board. */
typedef struct half {
    const hz_position *p;
    unsigned us;
    uint64_t own, enemy, occupied;
    uint64_t own_pawns, enemy_pawns;
    uint64_t pawn_danger; /* squares the enemy's pawns attack */
    uint64_t ring;        /* the enemy king and its neighbours */
    int own_king, enemy_king;
} half;

static void add(score *s, const int weight[HZI_PHASES], int times) {
    s->middle += weight[HZI_MIDDLE] * times;
    s->end += weight[HZI_END] * times;
}

static uint64_t file_of(int file) {
    return HZI_FILE_A << file;
}

static uint64_t files_beside(int file) {
    return (file > 0 ? file_of(file - 1) : 0) | (file < 7 ? file_of(file + 1) : 0);
}

/* Squares ahead of a rank, from a side's view. */
static uint64_t ahead(unsigned us, int square) {
    int rank = square >> 3;
    if (us == HZ_WHITE) {
        return rank == 7 ? 0 : ~(uint64_t)0 << (8 * (rank + 1));
    }
    return rank == 0 ? 0 : ~(uint64_t)0 >> (8 * (8 - rank));
}

static int distance(int a, int b) {
    int ranks = (a >> 3) - (b >> 3), files = (a & 7) - (b & 7);
    ranks = ranks < 0 ? -ranks : ranks;
    files = files < 0 ? -files : files;
    return ranks > files ? ranks : files;
}

static void pawns(const half *h, score *s) {
    const hzi_handcrafted_weights *w = &hzi_handcrafted;
    for (uint64_t set = h->own_pawns; set;) {
        int square = hzi_pop(&set), file = square & 7;
        uint64_t front = ahead(h->us, square);
        if (!(h->own_pawns & files_beside(file))) {
            add(s, w->isolated, 1);
        }
        if (h->own_pawns & file_of(file) & front) {
            add(s, w->doubled, 1);
        }
        if (!(h->enemy_pawns & (file_of(file) | files_beside(file)) & front)) {
            int rank = h->us == HZ_WHITE ? square >> 3 : 7 - (square >> 3), k = rank - 1;
            add(s, w->passed_step, k * (k - 1));
            int stop = h->us == HZ_WHITE ? square + 8 : square - 8;
            s->end += w->passed_base;
            if (stop >= 0 &&
                stop < 64) { /* a pawn on its last rank is no chess, but may be asked */
                int enemy = h->enemy_king < 64 ? distance(h->enemy_king, stop) : 0;
                int own = h->own_king < 64 ? distance(h->own_king, stop) : 0;
                s->end += k * (w->passed_enemy_king * enemy + w->passed_own_king * own);
            }
        }
    }
}

/* Mobility of one piece and whether it reaches the ring around the enemy king. */
static void reach(const half *h, score *s, int kind, uint64_t attacks, uint64_t allowed,
                  int *attackers) {
    const hzi_handcrafted_weights *w = &hzi_handcrafted;
    add(s, w->mobility[kind], hzi_popcount(attacks & allowed) - w->mobility_zero[kind]);
    *attackers += (attacks & h->ring) != 0;
}

static int pieces(const half *h, score *s) {
    const hzi_handcrafted_weights *w = &hzi_handcrafted;
    const hz_position *p = h->p;
    uint64_t all = ~h->own, safe = all & ~h->pawn_danger;
    int attackers = 0;
    for (uint64_t set = p->pieces[HZ_KNIGHT] & h->own; set;) {
        reach(h, s, 0, hzi_knight_attacks(hzi_pop(&set)), safe, &attackers);
    }
    uint64_t bishops = p->pieces[HZ_BISHOP] & h->own;
    if (hzi_several(bishops)) {
        add(s, w->bishop_pair, 1);
    }
    while (bishops) {
        reach(h, s, 1, hzi_bishop_attacks(hzi_pop(&bishops), h->occupied), safe, &attackers);
    }
    for (uint64_t set = p->pieces[HZ_ROOK] & h->own; set;) {
        int square = hzi_pop(&set);
        uint64_t file = file_of(square & 7);
        if (!(h->own_pawns & file)) {
            add(s, h->enemy_pawns & file ? w->rook_half_open : w->rook_open, 1);
        }
        reach(h, s, 2, hzi_rook_attacks(square, h->occupied), all, &attackers);
    }
    for (uint64_t set = p->pieces[HZ_QUEEN] & h->own; set;) {
        reach(h, s, 3, hzi_queen_attacks(hzi_pop(&set), h->occupied), all, &attackers);
    }
    return attackers;
}

static void shelter(const half *h, score *s) {
    const hzi_handcrafted_weights *w = &hzi_handcrafted;
    int square = h->own_king;
    if (square == 64) {
        return;
    }
    int file = square & 7, rank = h->us == HZ_WHITE ? square >> 3 : 7 - (square >> 3);
    for (int f = file > 0 ? file - 1 : 0; f <= (file < 7 ? file + 1 : 7); f++) {
        if (!(h->own_pawns & file_of(f))) {
            s->middle += h->enemy_pawns & file_of(f) ? w->shelter_none : w->shelter_open;
        }
        int shield = 8 * (h->us == HZ_WHITE ? rank + 1 : 6 - rank) + f;
        if (rank <= 1 && (h->own_pawns & hzi_bit(shield))) {
            s->middle += w->shelter_pawn;
        }
    }
}

static void squares(const half *h, score *s) {
    int flip = h->us == HZ_WHITE ? 0 : 56;
    for (unsigned type = 0; type < HZ_PIECE_TYPES; type++) {
        for (uint64_t set = h->p->pieces[type] & h->own; set;) {
            int square = hzi_pop(&set) ^ flip;
            s->middle += hzi_handcrafted_squares[HZI_MIDDLE][type][square];
            s->end += hzi_handcrafted_squares[HZI_END][type][square];
        }
    }
}

static half half_of(const hz_position *p, unsigned us) {
    uint64_t own = p->colors[us], enemy = p->colors[us ^ 1];
    uint64_t own_kings = p->pieces[HZ_KING] & own, enemy_kings = p->pieces[HZ_KING] & enemy;
    half h = {.p = p,
              .us = us,
              .own = own,
              .enemy = enemy,
              .occupied = own | enemy,
              .own_pawns = p->pieces[HZ_PAWN] & own,
              .enemy_pawns = p->pieces[HZ_PAWN] & enemy,
              .own_king = own_kings ? hzi_lsb(own_kings) : 64,
              .enemy_king = enemy_kings ? hzi_lsb(enemy_kings) : 64};
    h.pawn_danger = hzi_pawns_attack(h.enemy_pawns, (int)(us ^ 1));
    h.ring = enemy_kings ? hzi_kings_attack(enemy_kings) | enemy_kings : 0;
    return h;
}

int32_t hz_evaluate_handcrafted(const hz_position *position, hz_color color) {
    score sides[2] = {{0, 0}, {0, 0}};
    const hzi_handcrafted_weights *w = &hzi_handcrafted;
    for (unsigned us = 0; us < 2; us++) {
        half h = half_of(position, us);
        squares(&h, &sides[us]);
        pawns(&h, &sides[us]);
        int attackers = pieces(&h, &sides[us]);
        shelter(&h, &sides[us]);
        attackers = attackers < w->king_attackers_most ? attackers : w->king_attackers_most;
        sides[us ^ 1].middle += w->king_attack * attackers * attackers;
    }
    int phase = hzi_popcount(position->pieces[HZ_KNIGHT] | position->pieces[HZ_BISHOP]) +
                2 * hzi_popcount(position->pieces[HZ_ROOK]) +
                4 * hzi_popcount(position->pieces[HZ_QUEEN]);
    phase = phase < HZI_PHASE_FULL ? phase : HZI_PHASE_FULL;
    int middle = sides[color].middle - sides[color ^ 1].middle;
    int end = sides[color].end - sides[color ^ 1].end;
    return (middle * phase + end * (HZI_PHASE_FULL - phase)) / HZI_PHASE_FULL;
}
