/* SPDX-License-Identifier: MIT */
/* Plain negamax with quiescence, and exchanges by recursion; see the header. */
#include "ref/ref_negamax.h"

#include "support/support.h"

#include <stdlib.h>
#include <string.h>

enum { ENDLESS = 1000000, LINE = 300 };

typedef struct search {
    const hz_chess_game *game;
    const hz_evaluator *evaluator;
    bool prune;
    uint64_t nodes;
    uint64_t line[LINE]; /* repetition keys, the root first */
} search;

static int32_t judge(const search *s, const hz_position *p) {
    int32_t score = 0;
    if (hz_evaluator_score(s->evaluator, p, 1, (hz_color)p->side, &score) != HZ_OK) {
        fail_msg("the evaluator failed");
    }
    return score > HZ_CHESS_SCORE_MAX    ? HZ_CHESS_SCORE_MAX
           : score < -HZ_CHESS_SCORE_MAX ? -HZ_CHESS_SCORE_MAX
                                         : score;
}

static bool drawn(const search *s, const hz_position *p, int ply) {
    if ((p->halfmove >= 100 && hz_chess_position_end(p) != HZ_CHESS_CHECKMATE) ||
        hz_chess_dead_material(p)) {
        return true;
    }
    int in_line = 0, in_game = 0;
    for (int i = 0; i < ply; i++) {
        in_line += s->line[i] == s->line[ply];
    }
    for (size_t i = 0; i < s->game->count; i++) {
        in_game += s->game->keys[i] == s->line[ply];
    }
    return in_line > 0 || in_game >= 2;
}

static bool tactical(hz_move move) {
    return hz_move_promotion(move) != HZ_NO_PIECE || (hz_move_flags(move) & HZ_MOVE_CAPTURE);
}

/* 1 for a pawn to 5 for a queen, 0 when nothing is taken. */
static int victim(const hz_position *p, hz_move move) {
    hz_piece_type type = hz_position_type_at(p, hz_move_to(move));
    return type == HZ_NO_PIECE ? 0 : (int)type + 1;
}

/* Largest victims first: without any order a pruned tree is hardly smaller than a full one. */
static void sort_by_victim(const hz_position *p, hz_move *moves, int count) {
    for (int i = 1; i < count; i++) {
        hz_move move = moves[i];
        int k = i;
        for (; k > 0 && victim(p, moves[k - 1]) < victim(p, move); k--) {
            moves[k] = moves[k - 1];
        }
        moves[k] = move;
    }
}

static int32_t value(search *s, const hz_position *p, int depth, int ply, int32_t alpha,
                     int32_t beta) {
    hz_move moves[HZ_CHESS_MOVES_MAX];
    bool check = hz_chess_in_check(p, (hz_color)p->side);
    s->nodes++;
    if (ply >= LINE) {
        fail_msg("a line of %d plies", ply);
    }
    s->line[ply] = hz_chess_repetition_key(p);
    if (drawn(s, p, ply)) {
        return 0;
    }
    int count = hz_chess_moves(p, moves);
    if (count == 0) {
        return check ? -HZ_CHESS_MATE + ply : 0;
    }
    if (s->prune) {
        sort_by_victim(p, moves, count);
    }
    int32_t best = -ENDLESS;
    if (depth <= 0 && !check) {
        best = judge(s, p);
    }
    for (int i = 0; i < count; i++) {
        if (depth <= 0 && !check && !tactical(moves[i])) {
            continue;
        }
        if (s->prune && best >= beta) {
            break;
        }
        hz_position after;
        hz_chess_play(p, moves[i], &after);
        int32_t low = s->prune && best > alpha ? best : alpha;
        int32_t score = -value(s, &after, depth - 1, ply + 1, -beta, -low);
        best = score > best ? score : best;
    }
    return best;
}

static int by_value(const void *a, const void *b) {
    const ref_root_move *x = a, *y = b;
    if (x->value != y->value) {
        return x->value < y->value ? 1 : -1;
    }
    char one[HZ_MOVE_CAPACITY], two[HZ_MOVE_CAPACITY];
    (void)hz_move_to_text(x->move, one);
    (void)hz_move_to_text(y->move, two);
    return strcmp(one, two);
}

void ref_negamax(const hz_chess_game *game, int depth, const hz_evaluator *evaluator, bool prune,
                 ref_negamax_answer *answer) {
    search s = {.game = game, .evaluator = evaluator, .prune = prune};
    hz_move moves[HZ_CHESS_MOVES_MAX];
    hz_position root = game->now;
    hz_position_set_pool(&root, 0);
    s.line[0] = hz_chess_repetition_key(&root);
    answer->count = hz_chess_moves(&root, moves);
    for (int i = 0; i < answer->count; i++) {
        hz_position after;
        hz_chess_play(&root, moves[i], &after);
        answer->moves[i].move = moves[i];
        answer->moves[i].value = -value(&s, &after, depth - 1, 1, -ENDLESS, ENDLESS);
    }
    qsort(answer->moves, (size_t)answer->count, sizeof answer->moves[0], by_value);
    answer->nodes = s.nodes;
}

/* ---- exchanges ---------------------------------------------------------------------------------- */

static const int worth[] = {100, 300, 300, 500, 900, 10000, 0};

/* The least valuable piece of a side that attacks a square on this board, HZ_NO_SQUARE = none; a
 * knight before a bishop, the lowest square of several. */
static int least_attacker(const hz_position *board, int square, int side) {
    uint64_t attackers = hz_position_attackers(board, square, (hz_color)side);
    int best = HZ_NO_SQUARE;
    for (int i = 0; i < 64; i++) {
        if ((attackers >> i & 1) &&
            (best == HZ_NO_SQUARE ||
             hz_position_type_at(board, i) < hz_position_type_at(board, best))) {
            best = i;
        }
    }
    return best;
}

/* What the side gains by taking on the square, or by letting it be. */
static int take(const hz_position *board, int square, int side) {
    int from = least_attacker(board, square, side);
    if (from == HZ_NO_SQUARE) {
        return 0;
    }
    hz_piece_type type = hz_position_type_at(board, from);
    int gain = worth[hz_position_type_at(board, square)];
    hz_position after = *board;
    hz_position_put(&after, from, HZ_WHITE, HZ_NO_PIECE);
    hz_position_put(&after, square, (hz_color)side, type);
    if (type == HZ_KING && least_attacker(&after, square, side ^ 1) != HZ_NO_SQUARE) {
        return 0;
    }
    gain -= take(&after, square, side ^ 1);
    return gain > 0 ? gain : 0;
}

int ref_exchange(const hz_position *position, hz_move move) {
    if (hz_move_is_castling(move)) {
        return 0;
    }
    int from = hz_move_from(move), to = hz_move_to(move), side = position->side;
    hz_piece_type type = hz_position_type_at(position, from), made = hz_move_promotion(move);
    hz_position after = *position;
    int gain = worth[hz_position_type_at(position, to)];
    if (hz_move_flags(move) == HZ_MOVE_EN_PASSANT) {
        gain = worth[HZ_PAWN];
        hz_position_put(&after, side == HZ_WHITE ? to - 8 : to + 8, HZ_WHITE, HZ_NO_PIECE);
    }
    if (made != HZ_NO_PIECE) {
        gain += worth[made] - worth[HZ_PAWN];
        type = made;
    }
    hz_position_put(&after, from, HZ_WHITE, HZ_NO_PIECE);
    hz_position_put(&after, to, (hz_color)side, type);
    return gain - take(&after, to, side ^ 1);
}
