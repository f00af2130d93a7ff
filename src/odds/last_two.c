/* SPDX-License-Identifier: MIT */
/*
 * The last two micro-moves without playing them. With one die left, the types that attack the
 * target capture it. With two, the first of them can only make the second possible in four ways:
 * the moved piece itself attacks from its new square, a pawn promotes and its new piece attacks, a
 * piece leaves the line of a slider behind it, or a pawn captures en passant, which empties two
 * squares and is therefore simply played. Each is a question to bitboards seen from the target.
 */
#include "odds/last_two.h"

#include "odds/rolls.h"

typedef struct view {
    const hzi_attack_board *b;
    int square;                     /* the target */
    uint64_t occupied;              /* all pieces */
    uint64_t diagonal, straight;    /* squares seen from the target, first blockers included */
    const hz_roll_set (*three)[64]; /* rolls by the two dice that follow the paid one */
    hz_roll_set left;               /* rolls still looked for */
} view;

static void solve(view *v, unsigned second, unsigned third_mask) {
    v->left &= ~v->three[second][third_mask];
}

static bool open(const view *v, unsigned second, unsigned third_mask) {
    return (v->left & v->three[second][third_mask]) != 0;
}

/* A slider of the type steps onto a free square that sees the target. */
static bool slider_arrives(const view *v, unsigned type, uint64_t landing) {
    for (uint64_t sliders = v->b->type[type]; sliders;) {
        int from = hzi_pop(&sliders);
        uint64_t reach = 0;
        reach |= type != HZ_ROOK ? hzi_bishop_slider[from].reach : 0;
        reach |= type != HZ_BISHOP ? hzi_rook_slider[from].reach : 0;
        if ((reach & landing) && (hzi_piece_attacks(type, from, v->occupied) & landing)) {
            return true;
        }
    }
    return false;
}

static void moved_piece(view *v) {
    const hzi_attack_board *b = v->b;
    uint64_t free = ~b->own;
    if (hzi_pawn_steps(b, b->type[HZ_PAWN]) & hzi_pawn_sources(v->square)) {
        solve(v, HZ_PAWN, 1u << HZ_PAWN);
    }
    if (hzi_knights_attack(b->type[HZ_KNIGHT]) & free & hzi_knight_attacks(v->square)) {
        solve(v, HZ_KNIGHT, 1u << HZ_KNIGHT);
    }
    if (hzi_kings_attack(b->type[HZ_KING]) & free & hzi_king_attacks(v->square)) {
        solve(v, HZ_KING, 1u << HZ_KING);
    }
    const uint64_t landing[3] = {v->diagonal & free, v->straight & free,
                                 (v->diagonal | v->straight) & free};
    for (unsigned type = HZ_BISHOP; type <= HZ_QUEEN; type++) {
        if (open(v, type, 1u << type) && slider_arrives(v, type, landing[type - HZ_BISHOP])) {
            solve(v, type, 1u << type);
        }
    }
}

/* The square the pawn leaves no longer blocks: the attack may run back through it. */
static void promoted_piece(view *v) {
    const hzi_attack_board *b = v->b;
    uint64_t pawns = b->type[HZ_PAWN] & HZI_RANK(7);
    while (pawns) {
        int from = hzi_pop(&pawns);
        uint64_t to = hzi_pawn_steps(b, hzi_bit(from)) & ~b->enemy_kings;
        uint64_t occupied = v->occupied ^ hzi_bit(from);
        uint64_t diagonal = hzi_bishop_attacks(v->square, occupied);
        uint64_t straight = hzi_rook_attacks(v->square, occupied);
        unsigned mask = 0;
        mask |= to & hzi_knight_attacks(v->square) ? 1u << HZ_KNIGHT : 0;
        mask |= to & diagonal ? 1u << HZ_BISHOP | 1u << HZ_QUEEN : 0;
        mask |= to & straight ? 1u << HZ_ROOK | 1u << HZ_QUEEN : 0;
        solve(v, HZ_PAWN, mask);
    }
}

/* A slider looks at the target through one own piece, which steps off the line between them. */
static void opened_line(view *v, uint64_t sliders) {
    const hzi_attack_board *b = v->b;
    while (sliders) {
        int x = hzi_pop(&sliders);
        uint64_t blockers = hzi_between(v->square, x) & v->occupied;
        if (hzi_several(blockers) || !(blockers & b->own)) {
            continue;
        }
        int y = hzi_lsb(blockers);
        unsigned blocker = hzi_own_type_on(b, y), slider = hzi_own_type_on(b, x);
        if (open(v, blocker, 1u << slider) &&
            (hzi_piece_steps(b, blocker, y) & ~hzi_line_table[v->square][x])) {
            solve(v, blocker, 1u << slider);
        }
    }
}

static void en_passant(view *v) {
    const hzi_attack_board *b = v->b;
    for (uint64_t targets = hzi_open_targets(b); targets;) {
        int to = hzi_pop(&targets);
        if (to - 8 == v->square) {
            continue; /* it takes the piece itself, not by landing on it */
        }
        for (uint64_t pawns = b->type[HZ_PAWN] & hzi_pawn_sources(to); pawns;) {
            hzi_attack_board after = *b;
            hzi_step_en_passant(&after, hzi_pop(&pawns), to);
            uint64_t occupied = hzi_attack_board_occupied(&after);
            solve(v, HZ_PAWN,
                  hzi_hits(&after, v->square, hzi_bishop_attacks(v->square, occupied),
                           hzi_rook_attacks(v->square, occupied)));
        }
    }
}

hz_roll_set hzi_last_two(const hzi_attack_board *b, int square, unsigned paid, hz_roll_set wanted) {
    view v = {.b = b, .square = square, .occupied = hzi_attack_board_occupied(b)};
    v.diagonal = hzi_bishop_attacks(square, v.occupied);
    v.straight = hzi_rook_attacks(square, v.occupied);
    v.left = wanted & ~hzi_rolls_two[paid][hzi_hits(b, square, v.diagonal, v.straight)];
    if (!v.left) {
        return wanted;
    }
    v.three = hzi_rolls_three[paid];
    moved_piece(&v);
    if (v.left && (b->type[HZ_PAWN] & HZI_RANK(7))) {
        promoted_piece(&v);
    }
    uint64_t queens = b->type[HZ_QUEEN];
    uint64_t aligned =
        (b->type[HZ_BISHOP] | queens) & hzi_bishop_slider[square].reach & ~v.diagonal;
    aligned |= (b->type[HZ_ROOK] | queens) & hzi_rook_slider[square].reach & ~v.straight;
    if (v.left && aligned) {
        opened_line(&v, aligned);
    }
    if (v.left && b->targets) {
        en_passant(&v);
    }
    return wanted & ~v.left;
}
