/* SPDX-License-Identifier: MIT */
/*
 * Which rolls capture the piece on one square, by looking back from the square.
 *
 * Most lines are one piece on its way: those are bit tests against the sets of the attacker. In the
 * remaining lines of two or three micro-moves the first one helps another piece, or a piece that
 * waits for help, and there are few ways in which it can: it empties a square that a later move
 * passes or enters, or it puts its piece where that piece will be needed. So instead of all first
 * micro-moves only these are looked at, each for the few rolls it could solve:
 *
 *   - pieces that leave: those between the target and a slider, or a square that a slider can
 *     enter; those on a square, or on the way to one, from which another piece would attack the
 *     target; those that hem in the piece that must leave;
 *   - pieces that arrive: sliders that hem in the piece behind which they go; any piece that takes
 *     the only enemy piece between the target and a slider, to step aside next; pawns that will
 *     promote or capture en passant with their second step;
 *   - promotions, castling, en-passant captures, and sliders that cross a target square before a
 *     pawn captures onto it.
 *
 * Where geometry alone settles the case, nothing is played. Elsewhere the first micro-move is, and
 * the analytic last two (odds/last_two.h) follow; those lists may be generous. No line may be
 * missed: the brute-force twin in the tests watches over that.
 */
#include "odds/target.h"

#include "odds/last_two.h"
#include "odds/rolls.h"

/* Types a pawn promotes to. */
enum { PROMOTED = 1 << HZ_KNIGHT | 1 << HZ_BISHOP | 1 << HZ_ROOK | 1 << HZ_QUEEN };

typedef struct search {
    const hzi_attacker *a;
    int square;
    uint64_t diagonal, straight; /* squares that see the target, first blockers included */
    hz_roll_set unsolved;
} search;

/* ---- playing first micro-moves ---- */

static unsigned own_type(const search *s, int square) {
    return s->a->type_on[square];
}

static void solve(search *s, hz_roll_set rolls) {
    s->unsolved &= ~rolls;
}

static void try_board(search *s, const hzi_attack_board *after, unsigned paid, hz_roll_set wanted) {
    solve(s, hzi_last_two(after, s->square, paid, wanted & s->unsolved));
}

/* Plays the steps of a piece to the squares of a set until the wanted rolls are solved. A pawn that
 * steps to the last rank stays a pawn: enough for lines that do not need it any more. */
static void try_steps(search *s, unsigned type, int from, uint64_t to, hz_roll_set wanted) {
    while (to && (s->unsolved & wanted)) {
        hzi_attack_board after = s->a->board;
        hzi_step(&after, type, from, hzi_pop(&to), type);
        try_board(s, &after, type, wanted);
    }
}

/* A piece makes way, which is known to solve the wanted rolls unless it steps to one of the squares
 * that are `in_the_way`: there it may or may not. */
static void make_way(search *s, unsigned type, int from, uint64_t in_the_way, hz_roll_set wanted) {
    uint64_t to = hzi_piece_steps(&s->a->board, type, from);
    if (to & ~in_the_way) {
        solve(s, wanted);
    } else {
        try_steps(s, type, from, to, wanted);
    }
}

/* ---- lines between the target and a slider ---- */

/* One own piece between: it leaves the line at once, or with two steps, or when a piece that hems
 * it in makes way. Only pawns and kings can stay on the line; other pieces that could attack the
 * target themselves. */
static void one_own_between(search *s, int x, unsigned slider, int y) {
    const hzi_attack_board *b = &s->a->board;
    unsigned type = own_type(s, y);
    hz_roll_set at_once = hzi_rolls_two[type][HZI_TYPE(slider)];
    if (!(s->unsolved & at_once)) {
        return;
    }
    uint64_t line = hzi_line_table[s->square][x];
    uint64_t steps = hzi_piece_steps(b, type, y);
    if (steps & ~line) {
        solve(s, at_once);
        return;
    }
    if (type != HZ_PAWN || (hzi_pawns_attack(steps, HZ_WHITE) & b->enemy)) {
        try_steps(s, type, y, steps, hzi_rolls_three[type][type][HZI_TYPE(slider)]);
    }
    uint64_t around =
        type == HZ_PAWN ? hzi_bit(y) << 8 : hzi_piece_attacks(type, y, s->a->occupied);
    for (around &= b->own & ~line; around;) {
        int z = hzi_pop(&around);
        unsigned first = own_type(s, z);
        hz_roll_set wanted = hzi_rolls_three[first][type][HZI_TYPE(slider)];
        if (s->unsolved & wanted) {
            make_way(s, first, z, line, wanted);
        }
    }
}

/* One enemy piece between: whoever takes it can step back next, pawns apart. (The slider itself may
 * be the one; then it captures with fewer dice, and the roll is solved anyway.) */
static void one_enemy_between(search *s, unsigned slider, int z) {
    const hzi_attacker *a = s->a;
    for (unsigned type = HZ_KNIGHT; type <= HZ_KING; type++) {
        if (a->reach[type][0] >> z & 1) {
            solve(s, hzi_rolls_three[type][type][HZI_TYPE(slider)]);
        }
    }
    uint64_t pawns = hzi_pawn_sources(z) & a->board.type[HZ_PAWN] & ~a->promoting;
    while (pawns) {
        try_steps(s, HZ_PAWN, hzi_pop(&pawns), hzi_bit(z),
                  hzi_rolls_three[HZ_PAWN][HZ_PAWN][HZI_TYPE(slider)]);
    }
}

/* Two pieces between, at least one of them own: both own ones leave; or the own one takes the other
 * and leaves. */
static void two_between(search *s, unsigned slider, uint64_t between) {
    const hzi_attack_board *b = &s->a->board;
    uint64_t own = between & b->own, enemy = between ^ own;
    int y = hzi_lsb(own);
    unsigned type = own_type(s, y);
    uint64_t steps = hzi_piece_steps(b, type, y);
    if (enemy) {
        try_steps(s, type, y, steps & enemy, hzi_rolls_three[type][type][HZI_TYPE(slider)]);
        return;
    }
    int y2 = hzi_lsb(own & (own - 1));
    unsigned type2 = own_type(s, y2);
    hz_roll_set wanted = hzi_rolls_three[type][type2][HZI_TYPE(slider)];
    if (!(s->unsolved & wanted)) {
        return;
    }
    uint64_t line = hzi_line_table[y][y2];
    uint64_t steps2 = hzi_piece_steps(b, type2, y2) & ~line;
    steps &= ~line;
    if (steps && steps2 && hzi_several(steps | steps2)) {
        /* One of them can go where the other neither goes nor passes. */
        solve(s, wanted);
    }
}

static void look_along_lines(search *s, uint64_t sliders) {
    const hzi_attack_board *b = &s->a->board;
    while (sliders) {
        int x = hzi_pop(&sliders);
        uint64_t between = hzi_between(s->square, x) & s->a->occupied;
        uint64_t rest = between & (between - 1);
        unsigned slider = own_type(s, x);
        if (rest & (rest - 1)) {
            continue; /* three pieces never leave in two micro-moves */
        }
        if (rest) {
            if (between & b->own) {
                two_between(s, slider, between);
            }
        } else if (between & b->own) {
            one_own_between(s, x, slider, hzi_lsb(between));
        } else {
            one_enemy_between(s, slider, hzi_lsb(between));
        }
    }
}

/* ---- lines between the target and a square that a slider can enter ---- */

/*
 * An own piece y stands between the target and the squares `behind` it, some of which a slider can
 * enter now. When y can leave the line at all, the slider goes first and y gets out of its way.
 * Otherwise y, a pawn, may step along the line to behind where the slider goes, or the slider
 * itself hems it in.
 */
static void enter_behind(search *s, unsigned type, uint64_t behind, unsigned blocker, int y) {
    const hzi_attacker *a = s->a;
    hz_roll_set wanted = hzi_rolls_three[blocker][type][HZI_TYPE(type)];
    behind &= a->reach[type][0];
    if (!behind || !(s->unsolved & wanted)) {
        return;
    }
    uint64_t steps = hzi_piece_steps(&a->board, blocker, y);
    if (steps & ~hzi_line_table[s->square][y]) {
        solve(s, wanted);
        return;
    }
    if (blocker == HZ_PAWN) {
        try_steps(s, blocker, y, steps & HZI_RANK(4), wanted);
    }
    uint64_t around =
        blocker == HZ_PAWN ? hzi_bit(y) << 8 : hzi_piece_attacks(blocker, y, a->occupied);
    for (int i = 0; i < a->sliders; i++) {
        const hzi_attack_slider *x = &a->slider[i];
        if (x->type == type && (around >> x->square & 1)) {
            try_steps(s, type, x->square, behind & x->attacks, wanted);
        }
    }
}

static void look_behind_blockers(search *s) {
    const hzi_attacker *a = s->a;
    uint64_t free = ~a->board.own;
    for (uint64_t set = s->diagonal & a->board.own; set;) {
        int y = hzi_pop(&set);
        unsigned type = own_type(s, y);
        uint64_t behind =
            hzi_bishop_attacks(s->square, a->occupied ^ hzi_bit(y)) & ~s->diagonal & free;
        enter_behind(s, HZ_BISHOP, behind, type, y);
        enter_behind(s, HZ_QUEEN, behind, type, y);
    }
    for (uint64_t set = s->straight & a->board.own; set;) {
        int y = hzi_pop(&set);
        unsigned type = own_type(s, y);
        uint64_t behind =
            hzi_rook_attacks(s->square, a->occupied ^ hzi_bit(y)) & ~s->straight & free;
        enter_behind(s, HZ_ROOK, behind, type, y);
        enter_behind(s, HZ_QUEEN, behind, type, y);
    }
}

/* ---- own pieces on, or on the way to, squares that attack the target ---- */

/* Own pieces on squares from which another piece, that can go there, would attack. Where they go
 * does not matter to leapers; pawns need two squares of their file for a double step. */
static void make_way_for(search *s, unsigned next, uint64_t leaving, uint64_t in_the_way) {
    while (leaving) {
        int from = hzi_pop(&leaving);
        unsigned type = own_type(s, from);
        hz_roll_set wanted = hzi_rolls_three[type][next][HZI_TYPE(next)];
        if (s->unsolved & wanted) {
            make_way(s, type, from, in_the_way, wanted);
        }
    }
}

/*
 * A slider on x would attack the target from `landing` squares, where its blocker y stands or
 * beyond. y makes way by leaving their line, best to a square that does not see the target; or,
 * along the line, to beyond a landing square.
 */
static void make_way_on_line(search *s, int x, int y, uint64_t landing, uint64_t sees) {
    unsigned type = own_type(s, y), slider = own_type(s, x);
    hz_roll_set wanted = hzi_rolls_three[type][slider][HZI_TYPE(slider)];
    if (!(s->unsolved & wanted)) {
        return;
    }
    uint64_t line = hzi_line_table[x][y];
    uint64_t to = hzi_piece_steps(&s->a->board, type, y), beyond = 0;
    if (to & ~line & ~sees) {
        solve(s, wanted);
        return;
    }
    for (uint64_t set = to & line; set;) {
        int square = hzi_pop(&set);
        beyond |= hzi_between(x, square) & landing ? hzi_bit(square) : 0;
    }
    try_steps(s, type, y, (to & ~line) | beyond, wanted);
}

static void make_way_for_sliders(search *s) {
    const hzi_attacker *a = s->a;
    const uint64_t sees[3] = {s->diagonal, s->straight, s->diagonal | s->straight};
    for (int t = 0, i = 0; t < 3; i = a->blocks_end[t++]) {
        if (!(a->blocks_any[t] & sees[t])) {
            continue;
        }
        for (; i < a->blocks_end[t]; i++) {
            uint64_t landing = a->block[i].entered & sees[t];
            if (landing) {
                make_way_on_line(s, a->block[i].slider, a->block[i].blocker, landing, sees[t]);
            }
        }
    }
}

static void look_for_occupied_squares(search *s) {
    const hzi_attacker *a = s->a;
    uint64_t own = a->board.own, pawns = a->board.type[HZ_PAWN];
    make_way_for(s, HZ_KNIGHT, own & a->reach[HZ_KNIGHT][0] & hzi_knight_attacks(s->square), 0);
    make_way_for(s, HZ_KING, own & a->reach[HZ_KING][0] & hzi_king_attacks(s->square), 0);
    uint64_t sources = hzi_pawn_sources(s->square), second = (pawns & HZI_RANK(2)) << 8;
    uint64_t before_pawn = (pawns << 8 | (second & ~a->occupied) << 8) & sources;
    before_pawn |= second & (sources & ~a->occupied) >> 8;
    make_way_for(s, HZ_PAWN, own & before_pawn, sources | sources >> 8);
    for (uint64_t set = a->before_promotion; set;) {
        int from = hzi_pop(&set);
        unsigned type = own_type(s, from);
        hz_roll_set wanted = hzi_rolls_three[type][HZ_PAWN][PROMOTED];
        if (s->unsolved & wanted) {
            try_steps(s, type, from, hzi_piece_steps(&a->board, type, from), wanted);
        }
    }
    make_way_for_sliders(s);
}

/* ---- castling, promotion, en passant ---- */

/* After castling the rook stands where the king started towards, so no other piece gains a line;
 * only the rook and the king can gain a target. */
static void castle(search *s) {
    for (int i = 0; i < s->a->castlings; i++) {
        const hzi_attack_castling *c = &s->a->castling[i];
        unsigned mask = (unsigned)(c->rook_attacks >> s->square & 1) << HZ_ROOK |
                        (unsigned)(c->king_attacks >> s->square & 1) << HZ_KING;
        solve(s, hzi_rolls_three[HZ_ROOK][HZ_KING][mask]);
    }
}

/* Pawns that promote now; taking a king does not. */
static void promote(search *s) {
    const hzi_attack_board *b = &s->a->board;
    for (uint64_t set = s->a->promoting; set;) {
        int from = hzi_pop(&set);
        for (uint64_t squares = hzi_pawn_steps(b, hzi_bit(from)) & ~b->enemy_kings; squares;) {
            int to = hzi_pop(&squares);
            for (unsigned type = HZ_KNIGHT; type <= HZ_QUEEN; type++) {
                hz_roll_set wanted = hzi_rolls_two[HZ_PAWN][HZI_TYPE(type)];
                if (s->unsolved & wanted) {
                    hzi_attack_board after = *b;
                    hzi_step(&after, HZ_PAWN, from, to, type);
                    try_board(s, &after, HZ_PAWN, wanted);
                }
            }
        }
    }
}

/* Pawns that come to the seventh rank, or beside a pawn they can then take en passant. */
static void advance(search *s) {
    const hzi_attack_board *b = &s->a->board;
    uint64_t open = hzi_open_targets(b);
    uint64_t beside = (open & ~HZI_FILE_A) >> 9 | (open & ~HZI_FILE_H) >> 7;
    uint64_t pawns = b->type[HZ_PAWN] & (HZI_RANK(6) | (open ? HZI_RANK(4) : 0));
    while (pawns) {
        int from = hzi_pop(&pawns);
        uint64_t steps = hzi_pawn_steps(b, hzi_bit(from));
        try_steps(s, HZ_PAWN, from, steps & HZI_RANK(7),
                  hzi_rolls_three[HZ_PAWN][HZ_PAWN][PROMOTED]);
        try_steps(s, HZ_PAWN, from, steps & beside, hzi_rolls_two[HZ_PAWN][HZI_TYPE(HZ_PAWN)]);
    }
}

/* En-passant captures; before one, a slider may cross the square on which it ends. */
static void en_passant(search *s) {
    const hzi_attacker *a = s->a;
    const hzi_attack_board *b = &a->board;
    for (uint64_t targets = a->open_targets; targets;) {
        int to = hzi_pop(&targets);
        if (to - 8 == s->square) {
            continue; /* it takes the piece itself, not by landing on it */
        }
        for (uint64_t pawns = b->type[HZ_PAWN] & hzi_pawn_sources(to); pawns;) {
            hzi_attack_board after = *b;
            hzi_step_en_passant(&after, hzi_pop(&pawns), to);
            try_board(s, &after, HZ_PAWN, hzi_rolls_with(HZ_PAWN));
        }
        for (int i = 0; i < a->sliders; i++) {
            const hzi_attack_slider *x = &a->slider[i];
            if (x->attacks & hzi_bit(to)) {
                uint64_t short_of =
                    hzi_piece_attacks(x->type, x->square, a->occupied | hzi_bit(to));
                try_steps(s, x->type, x->square, x->attacks & ~short_of & ~b->own,
                          hzi_rolls_two[x->type][HZI_TYPE(HZ_PAWN)]);
            }
        }
    }
}

/* Pieces on an en-passant target make room for a pawn, and may be needed where they go. */
static void leave_targets(search *s) {
    for (uint64_t set = s->a->on_target; set;) {
        int from = hzi_pop(&set);
        unsigned type = own_type(s, from);
        try_steps(s, type, from, hzi_piece_steps(&s->a->board, type, from),
                  hzi_rolls_two[type][HZI_TYPE(HZ_PAWN)]);
    }
}

/* ---- the search ---- */

/* Types with a set bit for this square in reach[.][n]. */
static unsigned reached(const hzi_attacker *a, unsigned n, int square) {
    unsigned mask = 0;
    for (unsigned type = 0; type < HZ_PIECE_TYPES; type++) {
        mask |= (unsigned)(a->reach[type][n] >> square & 1) << type;
    }
    return mask;
}

hz_roll_set hzi_target_unsolved(const hzi_attacker *a, int square, hz_roll_set unsolved) {
    for (unsigned n = 0; n < 3; n++) {
        if (a->reach_any[n] >> square & 1) {
            unsolved &= ~hzi_rolls_same[n][reached(a, n, square)];
        }
    }
    if (!unsolved) {
        return 0;
    }
    search s = {.a = a, .square = square, .unsolved = unsolved};
    const hzi_attack_board *b = &a->board;
    uint64_t queens = b->type[HZ_QUEEN];
    s.diagonal = hzi_bishop_attacks(square, a->occupied);
    s.straight = hzi_rook_attacks(square, a->occupied);
    if (a->castlings) {
        castle(&s);
    }
    look_along_lines(&s,
                     (b->type[HZ_BISHOP] | queens) & hzi_bishop_slider[square].reach & ~s.diagonal);
    look_along_lines(&s, (b->type[HZ_ROOK] | queens) & hzi_rook_slider[square].reach & ~s.straight);
    if (a->promoting) {
        promote(&s);
    }
    look_for_occupied_squares(&s);
    if ((s.diagonal | s.straight) & b->own) {
        look_behind_blockers(&s);
    }
    if (b->type[HZ_PAWN] & (HZI_RANK(6) | HZI_RANK(4))) {
        advance(&s);
    }
    if (a->open_targets) {
        en_passant(&s);
    }
    if (a->on_target) {
        leave_targets(&s);
    }
    return s.unsolved;
}
