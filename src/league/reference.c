/* SPDX-License-Identifier: MIT */
/*
 * The reference rows of the board as graphs: material with five numbers, and the handcrafted
 * evaluation, which gives the same number as hz_evaluate_handcrafted on every chess position.
 *
 * The handcrafted one has no counted number at all: its weights are whole numbers, and these can be
 * made of ones (build.h). Every term is written once, from the view of a side; channel 0 is the side
 * to move, channel 1 the other, and the difference of the two is the score.
 *
 * Terms are numbered as they are made. No call below makes two of its own arguments, for in which
 * order these are made is the compiler's choice, and the file would be another one.
 */
#include "league/build.h"

#include "eval/handcrafted.h"

#include <string.h>

/* ---- material -------------------------------------------------------------------------------------- */

static hzi_term material(hzi_build *b) {
    static const float worth[5] = {1, 3, 3, 5, 9};
    hzi_term types[5];
    for (int type = 0; type < 5; type++) {
        hzi_term own = hzi_slice(b, HZI_BOARD, 1, 64 * type, 64 * type + 64);
        hzi_term enemy = hzi_slice(b, HZI_BOARD, 1, 384 + 64 * type, 384 + 64 * type + 64);
        own = hzi_sum(b, own, 1, 1);
        enemy = hzi_sum(b, enemy, 1, 1);
        types[type] = hzi_op2(b, "Sub", own, enemy);
    }
    hzi_term all = hzi_concat(b, 1, types, 5);
    return hzi_op2(b, "MatMul", all, hzi_weights(b, (int64_t[]){5, 1}, 2, worth));
}

/* ---- handcrafted ----------------------------------------------------------------------------------- */

typedef struct phases {
    hzi_term middle, end; /* [batch,2,1,1] */
} phases;

/* What the terms share. Boards [batch,2,8,8] by side, files [batch,2,1,8]. */
typedef struct sheet {
    hzi_build *b;
    hzi_term own[6], enemy[6];
    hzi_term own_any, empty;
    hzi_term own_files, no_own_files, enemy_files, no_enemy_files; /* pawns there */
    hzi_term ring;                                                 /* around the enemy king */
    hzi_term danger;                                               /* attacked by enemy pawns */
    hzi_term near;        /* [8,8]: 1 for neighbours and self */
    hzi_term beside;      /* [8,8]: 1 for neighbours */
    hzi_term two_away;    /* [8,8]: 1 for those behind them */
    hzi_term back;        /* [8,8]: turns ranks or files round */
    hzi_term middle, end; /* sums so far */
} sheet;

static hzi_term mul(sheet *s, hzi_term x, hzi_term y) {
    return hzi_op2(s->b, "Mul", x, y);
}

static hzi_term plus(sheet *s, hzi_term x, hzi_term y) {
    return hzi_op2(s->b, "Add", x, y);
}

static hzi_term matmul(sheet *s, hzi_term x, hzi_term y) {
    return hzi_op2(s->b, "MatMul", x, y);
}

/* How many there are, of each side. */
static hzi_term count(sheet *s, hzi_term board) {
    return hzi_sum(s->b, board, 2, 3);
}

static void add(sheet *s, hzi_term number, const int weight[HZI_PHASES]) {
    if (weight[HZI_MIDDLE]) {
        hzi_term part = hzi_times(s->b, number, weight[HZI_MIDDLE]);
        s->middle = s->middle ? plus(s, s->middle, part) : part;
    }
    if (weight[HZI_END]) {
        hzi_term part = hzi_times(s->b, number, weight[HZI_END]);
        s->end = s->end ? plus(s, s->end, part) : part;
    }
}

static void add_middle(sheet *s, hzi_term number, int weight) {
    add(s, number, (int[HZI_PHASES]){weight, 0});
}

static hzi_term square_table(sheet *s, int (*value)(int rank, int file)) {
    int values[64];
    for (int i = 0; i < 64; i++) {
        values[i] = value(i / 8, i % 8);
    }
    return hzi_table(s->b, (int[]){8, 8}, 2, values);
}

static int is_near(int a, int b) {
    return a - b <= 1 && b - a <= 1;
}

static int is_mirror(int a, int b) {
    return a + b == 7;
}

static int is_ahead(int from, int to) {
    return to > from;
}

/* A table with a value per rank, as [8,1]. */
static hzi_term rank_table(sheet *s, int (*value)(int rank)) {
    int values[8];
    for (int i = 0; i < 8; i++) {
        values[i] = value(i);
    }
    return hzi_table(s->b, (int[]){8, 1}, 2, values);
}

static int is_beside(int a, int b) {
    return a - b == 1 || b - a == 1;
}

static int is_two_away(int a, int b) {
    return a - b == 2 || b - a == 2;
}

/* What is so many ranks up and what is so many ranks down. */
static hzi_term up_and_down(sheet *s, hzi_term board, int ranks) {
    hzi_term up = hzi_look(s->b, board, ranks, 0);
    return plus(s, up, hzi_look(s->b, board, -ranks, 0));
}

/* How many squares with ones a knight attacks from every square. */
static hzi_term jumps(sheet *s, hzi_term board) {
    hzi_term wide = matmul(s, up_and_down(s, board, 1), s->two_away);
    return plus(s, wide, matmul(s, up_and_down(s, board, 2), s->beside));
}

static void prepare(sheet *s) {
    hzi_build *b = s->b;
    hzi_term planes = hzi_planes(b), all_own[6], all_enemy[6];
    for (int type = 0; type < 6; type++) {
        s->own[type] = hzi_slice(b, planes, 1, 2 * type, 2 * type + 2);
        s->enemy[type] = hzi_slice(b, planes, 1, 12 + 2 * type, 14 + 2 * type);
        all_own[type] = s->own[type];
        all_enemy[type] = s->enemy[type];
    }
    s->own_any = hzi_op(b, "Sum", all_own, 6);
    s->empty = hzi_not(b, plus(s, s->own_any, hzi_op(b, "Sum", all_enemy, 6)));
    s->own_files = hzi_largest(b, s->own[HZ_PAWN], 2, 2);
    s->enemy_files = hzi_largest(b, s->enemy[HZ_PAWN], 2, 2);
    s->no_own_files = hzi_not(b, s->own_files);
    s->no_enemy_files = hzi_not(b, s->enemy_files);
    s->near = square_table(s, is_near);
    s->back = square_table(s, is_mirror);
    s->beside = square_table(s, is_beside);
    s->two_away = square_table(s, is_two_away);
    hzi_term above = hzi_look(b, s->enemy[HZ_PAWN], 1, 0);
    s->danger = hzi_at_most(b, matmul(s, above, s->beside), 1);
    s->ring = hzi_op1(b, "MaxPool", s->enemy[HZ_KING]);
    if (b->out) {
        hz_builder_ints(b->out, "kernel_shape", (int64_t[]){3, 3}, 2);
        hz_builder_ints(b->out, "pads", (int64_t[]){1, 1, 1, 1}, 4);
    }
}

/* ---- pawns ---- */

static int passed_middle(int rank) {
    int k = rank - 1;
    return rank ? hzi_handcrafted.passed_step[HZI_MIDDLE] * k * (k - 1) : 0;
}

static int passed_end(int rank) {
    int k = rank - 1;
    return rank ? hzi_handcrafted.passed_step[HZI_END] * k * (k - 1) + hzi_handcrafted.passed_base
                : 0;
}

static int passed_k(int rank) {
    return rank ? rank - 1 : 0;
}

static int rank_number(int rank) {
    return rank;
}

static int next_rank_number(int rank) {
    return rank + 1;
}

/* Distances of a king from the square in front of every square. */
static hzi_term distances(sheet *s, hzi_term king) {
    hzi_build *b = s->b;
    static const int files[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    hzi_term file = hzi_table(b, (int[]){1, 8}, 2, files);
    hzi_term king_rank = count(s, mul(s, king, rank_table(s, rank_number)));
    hzi_term king_file = count(s, mul(s, king, file));
    hzi_term ranks =
        hzi_op1(b, "Abs", hzi_op2(b, "Sub", rank_table(s, next_rank_number), king_rank));
    return hzi_op2(b, "Max", ranks, hzi_op1(b, "Abs", hzi_op2(b, "Sub", file, king_file)));
}

static void pawns(sheet *s) {
    const hzi_handcrafted_weights *w = &hzi_handcrafted;
    hzi_build *b = s->b;
    hzi_term own = s->own[HZ_PAWN];
    hzi_term ahead = square_table(s, is_ahead);
    hzi_term alone = hzi_not(b, hzi_at_most(b, matmul(s, s->own_files, s->beside), 1));
    add(s, count(s, mul(s, own, alone)), w->isolated);
    add(s, count(s, mul(s, own, hzi_at_most(b, matmul(s, ahead, own), 1))), w->doubled);
    hzi_term stopped = hzi_at_most(b, matmul(s, matmul(s, ahead, s->enemy[HZ_PAWN]), s->near), 1);
    hzi_term passed = mul(s, own, hzi_not(b, stopped));
    add_middle(s, count(s, mul(s, passed, rank_table(s, passed_middle))), 1);
    hzi_term enemy_king = hzi_times(b, distances(s, s->enemy[HZ_KING]), w->passed_enemy_king);
    hzi_term own_king = hzi_times(b, distances(s, s->own[HZ_KING]), w->passed_own_king);
    hzi_term kings = plus(s, enemy_king, own_king);
    kings = mul(s, rank_table(s, passed_k), kings);
    hzi_term each = plus(s, rank_table(s, passed_end), kings);
    add(s, count(s, mul(s, passed, each)), (int[HZI_PHASES]){0, 1});
}

/* ---- pieces ---- */

/* Turned round by ranks, by files. */
static hzi_term upside(sheet *s, hzi_term x) {
    return matmul(s, s->back, x);
}

static hzi_term sideways(sheet *s, hzi_term x) {
    return matmul(s, x, s->back);
}

/*
 * How many squares of `goals` a slider would see from every square, along four lines: 4 copies of the
 * board, turned so that each line goes up (or up and to the right), are looked along at once. The
 * number on a square is that of the next one, if it is empty, and the next one itself.
 */
static hzi_term sights(sheet *s, hzi_term goals, hzi_term empty, int channels, bool diagonal) {
    hzi_build *b = s->b;
    hzi_term turned[2][4], seen = 0;
    for (int i = 0; i < 2; i++) {
        hzi_term x = i ? empty : goals;
        if (diagonal) {
            turned[i][0] = x;
            turned[i][1] = sideways(s, x);
            turned[i][2] = upside(s, x);
            turned[i][3] = sideways(s, turned[i][2]);
        } else {
            hzi_term t = hzi_transpose_board(b, x);
            turned[i][0] = x;
            turned[i][1] = upside(s, x);
            turned[i][2] = t;
            turned[i][3] = upside(s, t);
        }
    }
    hzi_term wanted = hzi_concat(b, 1, turned[0], 4), open = hzi_concat(b, 1, turned[1], 4);
    for (int step = 0; step < 7; step++) {
        hzi_term there = seen ? plus(s, wanted, mul(s, open, seen)) : wanted;
        seen = hzi_look(b, there, 1, diagonal);
    }
    hzi_term lines[4];
    for (int i = 0; i < 4; i++) {
        lines[i] = hzi_slice(b, seen, 1, i * channels, (i + 1) * channels);
    }
    if (diagonal) {
        lines[1] = sideways(s, lines[1]);
        lines[2] = upside(s, plus(s, lines[2], sideways(s, lines[3])));
        return hzi_op(b, "Sum", lines, 3);
    }
    lines[1] = upside(s, lines[1]);
    lines[2] = hzi_transpose_board(b, plus(s, lines[2], upside(s, lines[3])));
    return hzi_op(b, "Sum", lines, 3);
}

/* The numbers of a piece's squares count without the number that is worth nothing, which belongs to
 * the piece itself (square_values). */
static void mobility(sheet *s) {
    const hzi_handcrafted_weights *w = &hzi_handcrafted;
    hzi_build *b = s->b;
    hzi_term free = hzi_not(b, s->own_any);
    hzi_term safe = mul(s, free, hzi_not(b, s->danger));
    /* channels: pairs of sides */
    hzi_term jump = jumps(s, hzi_concat(b, 1, (hzi_term[]){safe, s->ring}, 2));
    hzi_term empties3[3] = {s->empty, s->empty, s->empty};
    hzi_term goals = hzi_concat(b, 1, (hzi_term[]){safe, free, s->ring}, 3);
    hzi_term slant = sights(s, goals, hzi_concat(b, 1, empties3, 3), 6, true);
    goals = hzi_concat(b, 1, (hzi_term[]){free, s->ring}, 2);
    hzi_term straight = sights(s, goals, hzi_concat(b, 1, empties3, 2), 4, false);
    hzi_term slant_free = hzi_slice(b, slant, 1, 2, 4), slant_ring = hzi_slice(b, slant, 1, 4, 6);
    hzi_term straight_free = hzi_slice(b, straight, 1, 0, 2);
    hzi_term straight_ring = hzi_slice(b, straight, 1, 2, 4);
    hzi_term jump_safe = hzi_slice(b, jump, 1, 0, 2), slant_safe = hzi_slice(b, slant, 1, 0, 2);
    hzi_term both_free = plus(s, slant_free, straight_free);
    hzi_term jump_ring = hzi_slice(b, jump, 1, 2, 4);
    hzi_term both_ring = plus(s, slant_ring, straight_ring);
    const hzi_term reach[4] = {jump_safe, slant_safe, straight_free, both_free};
    const hzi_term hits[4] = {jump_ring, slant_ring, straight_ring, both_ring};
    hzi_term attackers[4];
    for (int kind = 0; kind < 4; kind++) {
        hzi_term piece = s->own[HZ_KNIGHT + kind];
        add(s, count(s, mul(s, piece, reach[kind])), w->mobility[kind]);
        attackers[kind] = mul(s, piece, hzi_at_most(b, hits[kind], 1));
    }
    hzi_term n = hzi_at_most(b, count(s, hzi_op(b, "Sum", attackers, 4)), w->king_attackers_most);
    add_middle(s, mul(s, n, n), -w->king_attack);
}

static void files_and_pairs(sheet *s) {
    const hzi_handcrafted_weights *w = &hzi_handcrafted;
    hzi_build *b = s->b;
    hzi_term rooks = mul(s, s->own[HZ_ROOK], s->no_own_files);
    add(s, count(s, mul(s, rooks, s->enemy_files)), w->rook_half_open);
    add(s, count(s, mul(s, rooks, s->no_enemy_files)), w->rook_open);
    hzi_term bishops = count(s, s->own[HZ_BISHOP]);
    hzi_term more = hzi_op1(b, "Relu", hzi_op2(b, "Sub", bishops, hzi_integer(b, 1)));
    add(s, hzi_at_most(b, more, 1), w->bishop_pair);
}

static void shelter(sheet *s) {
    const hzi_handcrafted_weights *w = &hzi_handcrafted;
    hzi_build *b = s->b;
    hzi_term king = s->own[HZ_KING];
    hzi_term files = matmul(s, hzi_largest(b, king, 2, 2), s->near);
    hzi_term bare = mul(s, files, s->no_own_files);
    add_middle(s, count(s, bare), w->shelter_none);
    add_middle(s, count(s, mul(s, bare, s->no_enemy_files)), w->shelter_open - w->shelter_none);
    hzi_term shield[2];
    for (int rank = 0; rank < 2; rank++) {
        hzi_term near = matmul(s, hzi_slice(b, king, 2, rank, rank + 1), s->near);
        shield[rank] = mul(s, near, hzi_slice(b, s->own[HZ_PAWN], 2, rank + 1, rank + 2));
    }
    add_middle(s, count(s, plus(s, shield[0], shield[1])), w->shelter_pawn);
}

/* ---- squares and phase ---- */

/* Material and square of a piece, less its mobility's zero; and its part of the phase. */
static int square_value(int column, int phase) {
    static const int phase_part[6] = {0, 1, 1, 2, 4, 0};
    const hzi_handcrafted_weights *w = &hzi_handcrafted;
    int type = column / 64 % 6, square = column % 64;
    bool own = column < 384;
    if (phase == HZI_PHASES) {
        return phase_part[type];
    }
    hzi_both both = hzi_handcrafted_squares[type][own ? square : square ^ 56];
    int value = phase == HZI_MIDDLE ? hzi_both_middle(both) : hzi_both_end(both);
    if (type >= HZ_KNIGHT && type <= HZ_QUEEN) {
        value -= w->mobility[type - HZ_KNIGHT][phase] * w->mobility_zero[type - HZ_KNIGHT];
    }
    return own ? value : -value;
}

/* Columns middle, end, phase for every cell of the side to move's view: [batch,3]. */
static hzi_term squares(sheet *s) {
    int values[3 * 768];
    hzi_build *b = s->b;
    for (int i = 0; i < 3 * 768; i++) {
        values[i] = square_value(i % 768, i / 768);
    }
    hzi_term table = hzi_op1(b, "Transpose", hzi_table(b, (int[]){3, 768}, 2, values));
    return matmul(s, hzi_slice(b, HZI_BOARD, 1, 0, 768), table);
}

/* The side to move's part less the other's, as [batch,1]. */
static hzi_term difference(sheet *s, hzi_term sides) {
    hzi_term flat = hzi_op1(s->b, "Flatten", sides);
    hzi_term own = hzi_slice(s->b, flat, 1, 0, 1);
    return hzi_op2(s->b, "Sub", own, hzi_slice(s->b, flat, 1, 1, 2));
}

static hzi_term handcrafted(hzi_build *b) {
    sheet s = {.b = b};
    prepare(&s);
    pawns(&s);
    mobility(&s);
    files_and_pairs(&s);
    shelter(&s);
    hzi_term linear = squares(&s);
    hzi_term middle = difference(&s, s.middle), end = difference(&s, s.end);
    middle = plus(&s, middle, hzi_slice(b, linear, 1, 0, 1));
    end = plus(&s, end, hzi_slice(b, linear, 1, 1, 2));
    hzi_term phase = hzi_at_most(b, hzi_slice(b, linear, 1, 2, 3), HZI_PHASE_FULL);
    hzi_term full = hzi_integer(b, HZI_PHASE_FULL);
    middle = mul(&s, middle, phase);
    end = mul(&s, end, hzi_op2(b, "Sub", full, phase));
    hzi_term mixed = plus(&s, middle, end);
    /* Truncated towards zero. A quotient that is not whole is far from the next whole number, as
     * floats of this size go. */
    hzi_term size = hzi_op1(b, "Floor", hzi_op2(b, "Div", hzi_op1(b, "Abs", mixed), full));
    return mul(&s, size, hzi_op1(b, "Sign", mixed));
}

hz_status hz_league_reference(const char *name, hz_arena *arena, const void **bytes, size_t *length,
                              hz_error *err) {
    hzi_build b;
    bool is_material = strcmp(name, "material") == 0;
    if (!is_material && strcmp(name, "handcrafted") != 0) {
        return hz_fail(err, HZ_NOT_FOUND, HZ_NO_OFFSET,
                       "there is no reference '%.60s'; known are material and handcrafted", name);
    }
    hzi_build_begin(&b, name);
    if (b.out) { /* for players that show scores; the league does not read it */
        hz_builder_metadata(b.out, "unit", is_material ? "pawn" : "centipawn");
    }
    return hzi_build_end(&b, is_material ? material(&b) : handcrafted(&b), arena, bytes, length,
                         err);
}
