/* SPDX-License-Identifier: MIT */
/*
 * Alpha-beta for chess: principal variation search with the shared table, null move, late-move
 * reductions, futility and check extensions, each of which can be switched off. What is left then is
 * exact: the value of plain negamax with quiescence.
 *
 * Values are fail-soft: one at or outside the window is a bound. A line (pv) is made of moves that
 * were searched one after the other, and the table never answers inside a window that is open, so
 * that every line can be played.
 */
#include "search/chess_worker.h"

#include "chess/moves.h"

static bool switched_off(const hzi_chess_worker *w, unsigned part) {
    return (w->search->config.switches & part) != 0;
}

bool hzi_chess_drawn(const hzi_chess_worker *w, const hz_position *p, int ply, bool in_check) {
    if (ply == 0) {
        return false;
    }
    if (p->halfmove >= 100 && (!in_check || hz_chess_has_move(p))) {
        return true;
    }
    if (hz_chess_dead_material(p)) {
        return true;
    }
    /* Once since the root is enough, for what was repeated once can be repeated again; positions of
     * the game before it count as they stand in the rules. */
    const uint64_t *now = &w->keys[w->root_key + (size_t)ply];
    size_t back = p->halfmove, have = w->root_key + (size_t)ply;
    int before_root = 0;
    for (size_t i = 4; i <= back && i <= have; i += 2) {
        if (now[-(ptrdiff_t)i] == *now) {
            if (i <= (size_t)ply || ++before_root == 2) {
                return true;
            }
        }
    }
    return false;
}

void hzi_note_pv(hzi_chess_worker *w, hz_move move, int ply) {
    int length = w->pv_length[ply + 1];
    length = length < HZ_CHESS_PLY_MAX - 1 ? length : HZ_CHESS_PLY_MAX - 1;
    w->pv[ply][0] = move;
    for (int i = 0; i < length; i++) {
        w->pv[ply][i + 1] = w->pv[ply + 1][i];
    }
    w->pv_length[ply] = length + 1;
}

/* What a node and the loop over its moves work with. */
typedef struct node {
    hzi_chess_worker *w;
    const hz_position *p;
    int32_t alpha, beta;
    int32_t eval; /* static, -HZI_CHESS_INFINITE when it is not known */
    int depth, ply;
    hz_move before; /* the move that led here, 0 = root or null move */
    bool in_check, pv, improving;
} node;

static bool has_pieces(const hz_position *p) {
    return (p->colors[p->side] & ~p->pieces[HZ_PAWN] & ~p->pieces[HZ_KING]) != 0;
}

static int32_t search_null_move(const node *n) {
    hzi_chess_worker *w = n->w;
    hz_position passed;
    hz_chess_pass(n->p, &passed);
    passed.halfmove = 0; /* nothing from before a pass is repeated after it */
    int more = (n->eval - n->beta) / 200;
    int rest = n->depth - 4 - n->depth / 4 - (more < 3 ? more : 3);
    w->keys[w->root_key + (size_t)n->ply + 1] = hz_chess_repetition_key(&passed);
    return -hzi_alpha_beta(w, &passed, -n->beta, -n->beta + 1, rest, n->ply + 1, 0, false);
}

/* Whether the node is answered without looking at its moves. */
static bool answered_early(const node *n, bool may_null, int32_t *answer) {
    hzi_chess_worker *w = n->w;
    if (n->in_check || n->pv || n->beta > HZ_CHESS_SCORE_MAX || n->beta < -HZ_CHESS_SCORE_MAX) {
        return false;
    }
    if (!switched_off(w, HZ_CHESS_NO_FUTILITY)) {
        if (n->depth <= 7 && n->eval - 80 * (n->depth - n->improving) >= n->beta) {
            *answer = n->eval;
            return true;
        }
        if (n->depth <= 2 && n->eval + 300 * n->depth <= n->alpha) {
            int32_t score = hzi_quiescence(w, n->p, n->alpha, n->alpha + 1, n->ply);
            w->pv_length[n->ply] = 0;
            if (score <= n->alpha) {
                *answer = score;
                return true;
            }
        }
    }
    if (!switched_off(w, HZ_CHESS_NO_NULL_MOVE) && may_null && n->depth >= 3 &&
        n->eval >= n->beta && has_pieces(n->p)) {
        int32_t score = search_null_move(n);
        if (score >= n->beta) {
            *answer = score > HZ_CHESS_SCORE_MAX ? n->beta : score;
            return true;
        }
    }
    return false;
}

/* Plies a late quiet move is searched less. */
static int reduction(const node *n, hz_move move, int number, int32_t order) {
    const hzi_chess_worker *w = n->w;
    if (switched_off(w, HZ_CHESS_NO_REDUCTIONS) || n->depth < 3 || number < 2 || n->in_check ||
        hzi_is_tactical(move) || order >= HZI_ORDER_KILLER_LEAST) {
        return 0;
    }
    int less = w->search->reductions[n->depth < 63 ? n->depth : 63][number < 63 ? number : 63];
    less -= n->pv;
    less += !n->improving;
    less -= order / 6000; /* history */
    return less < 0 ? 0 : less > n->depth - 2 ? n->depth - 2 : less;
}

/* Whether a late move is not worth looking at. Where only a mate would do, every move is. */
static bool hopeless(const node *n, hz_move move, int number, int32_t order, int32_t best) {
    if (switched_off(n->w, HZ_CHESS_NO_FUTILITY) || n->in_check || n->pv ||
        best < -HZ_CHESS_SCORE_MAX || n->alpha > HZ_CHESS_SCORE_MAX) {
        return false;
    }
    if (hzi_is_tactical(move)) {
        return n->depth <= 4 && order < 0 && hz_chess_exchange(n->p, move) < -120 * n->depth;
    }
    return (n->depth <= 4 && number > (5 + 3 * n->depth * n->depth) / (2 - n->improving)) ||
           (n->depth <= 6 && n->eval + 120 + 90 * n->depth <= n->alpha) ||
           (n->depth <= 6 && order < HZI_ORDER_KILLER_LEAST &&
            hz_chess_exchange(n->p, move) < -60 * n->depth);
}

/* Number 0 is searched with the open window, later moves with a closed one first. */
static int32_t search_child(const node *n, hz_move move, int number, int32_t order) {
    hzi_chess_worker *w = n->w;
    hz_position child = *n->p;
    hzi_chess_make(&child, move, (unsigned)hzi_type_on(n->p, hz_move_from(move)));
    hzi_chess_table_prefetch(&w->search->table, child.key);
    w->keys[w->root_key + (size_t)n->ply + 1] = hz_chess_repetition_key(&child);
    int depth = n->depth - 1, ply = n->ply + 1;
    if (number == 0) {
        return -hzi_alpha_beta(w, &child, -n->beta, -n->alpha, depth, ply, move, true);
    }
    int less = reduction(n, move, number, order);
    if (less > 0 && hz_chess_in_check(&child, (hz_color)child.side)) {
        less = 0;
    }
    int32_t score =
        -hzi_alpha_beta(w, &child, -n->alpha - 1, -n->alpha, depth - less, ply, move, true);
    if (less > 0 && score > n->alpha) {
        score = -hzi_alpha_beta(w, &child, -n->alpha - 1, -n->alpha, depth, ply, move, true);
    }
    if (score > n->alpha && score < n->beta) {
        score = -hzi_alpha_beta(w, &child, -n->beta, -n->alpha, depth, ply, move, true);
    }
    return score;
}

static int32_t search_moves(node *n, hzi_chess_list *list, hz_move *best_move) {
    hzi_chess_worker *w = n->w;
    int32_t best = -HZI_CHESS_INFINITE, order;
    hz_move tried[64];
    int tried_count = 0, number = 0;
    for (hz_move move; (move = hzi_next_move(list, &order)) != 0; number++) {
        if (number > 0 && hopeless(n, move, number, order, best)) {
            continue;
        }
        int32_t score = search_child(n, move, number, order);
        if (hzi_chess_stopped(w->search)) {
            return 0;
        }
        if (score > best) {
            best = score;
            if (score > n->alpha) {
                *best_move = move;
                n->alpha = score;
                hzi_note_pv(w, move, n->ply);
                if (score >= n->beta) {
                    if (!hzi_is_tactical(move)) {
                        hzi_reward_quiet(w, n->p, move, n->before, tried, tried_count, n->depth,
                                         n->ply);
                    }
                    break;
                }
            }
        }
        if (!hzi_is_tactical(move) && tried_count < 64) {
            tried[tried_count++] = move;
        }
    }
    return best;
}

/* Whether the table's entry answers a node with a closed window. */
static bool answered_by_table(const node *n, const hzi_chess_entry *entry) {
    bool deep = switched_off(n->w, HZ_CHESS_EQUAL_DEPTH) ? entry->depth == n->depth
                                                         : entry->depth >= n->depth;
    return deep && n->p->halfmove < 90 && /* the fifty-move rule is not in the key */
           (entry->bound == HZ_BOUND_EXACT ||
            (entry->bound == HZ_BOUND_LOWER && entry->score >= n->beta) ||
            (entry->bound == HZ_BOUND_UPPER && entry->score <= n->alpha));
}

/* The static score where something asks for it. */
static void judge(node *n) {
    hzi_chess_worker *w = n->w;
    const unsigned askers = HZ_CHESS_NO_FUTILITY | HZ_CHESS_NO_NULL_MOVE | HZ_CHESS_NO_REDUCTIONS;
    bool asked = (w->search->config.switches & askers) != askers;
    n->eval = n->in_check || !asked ? -HZI_CHESS_INFINITE : hzi_chess_static(w, n->p);
    w->scores[n->ply] = n->eval;
    n->improving = !n->in_check && n->ply >= 2 && n->eval > w->scores[n->ply - 2];
}

int32_t hzi_alpha_beta(hzi_chess_worker *w, const hz_position *p, int32_t alpha, int32_t beta,
                       int depth, int ply, hz_move before, bool may_null) {
    bool in_check = hz_chess_in_check(p, (hz_color)p->side);
    if (in_check && !switched_off(w, HZ_CHESS_NO_EXTENSIONS)) {
        depth = depth < 0 ? 1 : depth + 1;
    }
    if (depth <= 0 || ply >= HZ_CHESS_PLY_MAX - 1) {
        return hzi_quiescence(w, p, alpha, beta, ply);
    }
    w->pv_length[ply] = 0;
    if (hzi_chess_search_over(w)) {
        return 0;
    }
    hzi_chess_count_node(w, ply);
    if (hzi_chess_drawn(w, p, ply, in_check)) {
        return 0;
    }
    bool pv = beta - alpha > 1; /* the window as given is open: here a line is wanted */
    /* No line from here is better than a mate on the next ply or worse than one now. */
    alpha = alpha > -HZ_CHESS_MATE + ply ? alpha : -HZ_CHESS_MATE + ply;
    beta = beta < HZ_CHESS_MATE - ply - 1 ? beta : HZ_CHESS_MATE - ply - 1;
    if (alpha >= beta) {
        return alpha;
    }
    node n = {.w = w,
              .p = p,
              .alpha = alpha,
              .beta = beta,
              .depth = depth,
              .ply = ply,
              .before = before,
              .in_check = in_check,
              .pv = pv};
    bool use_table = !switched_off(w, HZ_CHESS_NO_TABLE);
    hzi_chess_entry entry = {.depth = -1};
    if (use_table && hzi_chess_table_probe(&w->search->table, p->key, ply, &entry) && !n.pv &&
        answered_by_table(&n, &entry)) {
        return entry.score;
    }
    judge(&n);
    int32_t early;
    if (answered_early(&n, may_null, &early)) {
        return early;
    }
    if (!entry.move && depth >= 5 && !switched_off(w, HZ_CHESS_NO_REDUCTIONS)) {
        n.depth--; /* without a first move this node is likely to be searched again */
    }
    hzi_chess_list *list = &w->lists[ply];
    list->count = hz_chess_moves(p, list->moves);
    if (list->count == 0) {
        return in_check ? -HZ_CHESS_MATE + ply : 0;
    }
    hzi_order_moves(w, p, list, entry.move, before, ply);
    if (n.depth == 1 && w->search->config.batched) {
        hzi_chess_prefetch(w, p, list->moves, list->count);
    }
    hz_move best_move = 0;
    int32_t best = search_moves(&n, list, &best_move);
    if (hzi_chess_stopped(w->search)) {
        return 0;
    }
    if (use_table) {
        hzi_chess_entry kept = {.move = best_move,
                                .score = best,
                                .depth = n.depth,
                                .bound = best >= beta    ? HZ_BOUND_LOWER
                                         : best <= alpha ? HZ_BOUND_UPPER
                                                         : HZ_BOUND_EXACT};
        hzi_chess_table_store(&w->search->table, p->key, ply, &kept);
    }
    return best;
}

/* Brings root move `from` to place `to`; the others keep their order. */
static void bring_forward(hzi_chess_worker *w, size_t from, size_t to) {
    hz_move move = w->root_moves[from];
    for (size_t k = from; k > to; k--) {
        w->root_moves[k] = w->root_moves[k - 1];
    }
    w->root_moves[to] = move;
}

int32_t hzi_search_root(hzi_chess_worker *w, const hz_position *p, int32_t alpha, int32_t beta,
                        int depth, size_t first) {
    node n = {.w = w,
              .p = p,
              .alpha = alpha,
              .beta = beta,
              .depth = depth,
              .in_check = hz_chess_in_check(p, (hz_color)p->side),
              .pv = true};
    int32_t best = -HZI_CHESS_INFINITE;
    w->pv_length[0] = 0;
    judge(&n);
    hzi_chess_count_node(w, 0);
    for (size_t i = first; i < w->root_count; i++) {
        hz_move move = w->root_moves[i];
        /* A move of lower text wins a tie, so for it the window opens one point further down. */
        bool wins_ties =
            best > alpha && hz_move_text_order(move) < hz_move_text_order(w->root_moves[first]);
        n.alpha = (best > alpha ? best : alpha) - wins_ties;
        int32_t score = search_child(&n, move, (int)(i - first), 0);
        if (hzi_chess_stopped(w->search)) {
            return best;
        }
        if (score <= n.alpha && i > first) {
            best = best > score ? best : score;
            continue;
        }
        best = best > score ? best : score;
        hzi_note_pv(w, move, 0);
        bring_forward(w, i, first);
        if (score >= beta) {
            break;
        }
    }
    return best;
}
