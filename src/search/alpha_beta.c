/* SPDX-License-Identifier: MIT */
/*
 * Alpha-beta for chess: principal variation search with the shared table, null move, late-move
 * reductions, futility and check extensions, each of which can be switched off. What is left then is
 * exact: the value of plain negamax with quiescence.
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

static void note_pv(hzi_chess_worker *w, hz_move move, int ply) {
    int length = w->pv_length[ply + 1];
    length = length < HZ_CHESS_PLY_MAX - 1 ? length : HZ_CHESS_PLY_MAX - 1;
    w->pv[ply][0] = move;
    for (int i = 0; i < length; i++) {
        w->pv[ply][i + 1] = w->pv[ply + 1][i];
    }
    w->pv_length[ply] = length + 1;
}

static bool has_pieces(const hz_position *p) {
    return (p->colors[p->side] & ~p->pieces[HZ_PAWN] & ~p->pieces[HZ_KING]) != 0;
}

/* Whether the node is answered without looking at its moves. */
static bool answered_early(hzi_chess_worker *w, const hz_position *p, int32_t alpha, int32_t beta,
                           int depth, int ply, int32_t eval, hz_move before, bool may_null,
                           int32_t *answer) {
    bool decided = beta > HZ_CHESS_SCORE_MAX || beta < -HZ_CHESS_SCORE_MAX;
    if (!switched_off(w, HZ_CHESS_NO_FUTILITY) && !decided) {
        if (depth <= 6 && eval - 85 * depth >= beta) {
            *answer = eval;
            return true;
        }
        if (depth <= 2 && eval + 300 * depth <= alpha) {
            int32_t score = hzi_quiescence(w, p, alpha, alpha + 1, ply);
            if (score <= alpha) {
                *answer = score;
                return true;
            }
        }
    }
    if (!switched_off(w, HZ_CHESS_NO_NULL_MOVE) && may_null && !decided && depth >= 3 && before &&
        eval >= beta && has_pieces(p)) {
        hz_position passed;
        hz_chess_pass(p, &passed);
        int more = (eval - beta) / 200;
        int rest = depth - 4 - depth / 4 - (more < 3 ? more : 3);
        w->keys[w->root_key + (size_t)ply + 1] = hz_chess_repetition_key(&passed);
        int32_t score = -hzi_alpha_beta(w, &passed, -beta, -beta + 1, rest, ply + 1, 0, false);
        if (score >= beta) {
            *answer = score > HZ_CHESS_SCORE_MAX ? beta : score;
            return true;
        }
    }
    return false;
}

/* What the loop over the moves of a node works with. */
typedef struct node {
    hzi_chess_worker *w;
    const hz_position *p;
    int32_t alpha, beta, eval;
    int depth, ply;
    bool in_check, pv;
} node;

/* Plies a late quiet move is searched less. */
static int reduction(const node *n, hz_move move, int number, int32_t order) {
    const hzi_chess_worker *w = n->w;
    if (switched_off(w, HZ_CHESS_NO_REDUCTIONS) || n->depth < 3 || number < 2 || n->in_check ||
        hzi_is_tactical(move) || order >= HZI_ORDER_GOOD / 2 - 2) {
        return 0;
    }
    int less = w->search->reductions[n->depth < 63 ? n->depth : 63][number < 63 ? number : 63];
    less -= n->pv;
    less -= order / 6000; /* history */
    return less < 0 ? 0 : less > n->depth - 2 ? n->depth - 2 : less;
}

/* Whether a late move is not worth looking at. */
static bool hopeless(const node *n, hz_move move, int number, int32_t order, int32_t best) {
    if (switched_off(n->w, HZ_CHESS_NO_FUTILITY) || n->in_check || n->pv ||
        best < -HZ_CHESS_SCORE_MAX) {
        return false;
    }
    if (hzi_is_tactical(move)) {
        return n->depth <= 3 && order < 0 && hz_chess_exchange(n->p, move) < -120 * n->depth;
    }
    return (n->depth <= 4 && number > 5 + 3 * n->depth * n->depth) ||
           (n->depth <= 5 && n->eval + 120 + 90 * n->depth <= n->alpha);
}

static int32_t search_child(const node *n, hz_move move, int number, int32_t order) {
    hzi_chess_worker *w = n->w;
    hz_position child = *n->p;
    hzi_chess_make(&child, move, (unsigned)hzi_type_on(n->p, hz_move_from(move)));
    w->keys[w->root_key + (size_t)n->ply + 1] = hz_chess_repetition_key(&child);
    int depth = n->depth - 1;
    if (number == 0) {
        return -hzi_alpha_beta(w, &child, -n->beta, -n->alpha, depth, n->ply + 1, move, true);
    }
    int less = reduction(n, move, number, order);
    if (less > 0 && hz_chess_in_check(&child, (hz_color)child.side)) {
        less = 0;
    }
    int32_t score =
        -hzi_alpha_beta(w, &child, -n->alpha - 1, -n->alpha, depth - less, n->ply + 1, move, true);
    if (less > 0 && score > n->alpha) {
        score = -hzi_alpha_beta(w, &child, -n->alpha - 1, -n->alpha, depth, n->ply + 1, move, true);
    }
    if (score > n->alpha && score < n->beta) {
        score = -hzi_alpha_beta(w, &child, -n->beta, -n->alpha, depth, n->ply + 1, move, true);
    }
    return score;
}

static int32_t search_moves(node *n, hzi_chess_list *list, hz_move before, hz_move *best_move) {
    hzi_chess_worker *w = n->w;
    int32_t best = -HZI_CHESS_INFINITE, order;
    hz_move tried[64];
    int tried_count = 0, number = 0;
    for (hz_move move; (move = hzi_next_move(list, &order)) != 0; number++) {
        if (number > 0 && hopeless(n, move, number, order, best)) {
            continue;
        }
        int32_t score = search_child(n, move, number, order);
        if (atomic_load_explicit(&w->search->stop, memory_order_relaxed)) {
            return 0;
        }
        if (score > best) {
            best = score;
            if (score > n->alpha) {
                *best_move = move;
                n->alpha = score;
                note_pv(w, move, n->ply);
                if (score >= n->beta) {
                    if (!hzi_is_tactical(move)) {
                        hzi_reward_quiet(w, n->p, move, before, tried, tried_count, n->depth,
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
    atomic_fetch_add_explicit(&w->nodes, 1, memory_order_relaxed);
    w->selective = ply > w->selective ? ply : w->selective;
    if (hzi_chess_drawn(w, p, ply, in_check)) {
        return 0;
    }
    /* No line from here is better than a mate on the next ply or worse than one now. */
    alpha = alpha > -HZ_CHESS_MATE + ply ? alpha : -HZ_CHESS_MATE + ply;
    beta = beta < HZ_CHESS_MATE - ply - 1 ? beta : HZ_CHESS_MATE - ply - 1;
    if (alpha >= beta) {
        return alpha;
    }
    bool pv = beta - alpha > 1, use_table = !switched_off(w, HZ_CHESS_NO_TABLE);
    hzi_chess_entry entry = {.depth = -1};
    if (use_table && hzi_chess_table_probe(&w->search->table, p->key, ply, &entry) && !pv) {
        bool deep =
            switched_off(w, HZ_CHESS_EQUAL_DEPTH) ? entry.depth == depth : entry.depth >= depth;
        if (deep && p->halfmove < 90 &&
            (entry.bound == HZ_BOUND_EXACT ||
             (entry.bound == HZ_BOUND_LOWER && entry.score >= beta) ||
             (entry.bound == HZ_BOUND_UPPER && entry.score <= alpha))) {
            return entry.score;
        }
    }
    int32_t eval = in_check ? -HZI_CHESS_INFINITE : hzi_chess_static(w, p);
    int32_t early;
    if (!in_check && !pv &&
        answered_early(w, p, alpha, beta, depth, ply, eval, before, may_null, &early)) {
        return early;
    }
    if (!entry.move && depth >= 5 && !switched_off(w, HZ_CHESS_NO_REDUCTIONS)) {
        depth--; /* without a first move this node is likely to be searched again */
    }
    hzi_chess_list list;
    list.count = hz_chess_moves(p, list.moves);
    if (list.count == 0) {
        return in_check ? -HZ_CHESS_MATE + ply : 0;
    }
    hzi_order_moves(w, p, &list, entry.move, before, ply);
    if (depth == 1 && w->search->config.batched) {
        hzi_chess_prefetch(w, p, list.moves, list.count);
    }
    node n = {w, p, alpha, beta, eval, depth, ply, in_check, pv};
    hz_move best_move = 0;
    int32_t best = search_moves(&n, &list, before, &best_move);
    if (atomic_load_explicit(&w->search->stop, memory_order_relaxed)) {
        return 0;
    }
    if (use_table) {
        hzi_chess_entry kept = {.move = best_move,
                                .score = best,
                                .depth = depth,
                                .bound = best >= beta    ? HZ_BOUND_LOWER
                                         : best <= alpha ? HZ_BOUND_UPPER
                                                         : HZ_BOUND_EXACT};
        hzi_chess_table_store(&w->search->table, p->key, ply, &kept);
    }
    return best;
}

int32_t hzi_search_root(hzi_chess_worker *w, const hz_position *p, int32_t alpha, int32_t beta,
                        int depth, size_t first) {
    bool in_check = hz_chess_in_check(p, (hz_color)p->side);
    node n = {w, p, alpha, beta, 0, depth, 0, in_check, true};
    int32_t best = -HZI_CHESS_INFINITE;
    w->pv_length[0] = 0;
    atomic_fetch_add_explicit(&w->nodes, 1, memory_order_relaxed);
    for (size_t i = first; i < w->root_count; i++) {
        hz_move move = w->root_moves[i];
        int32_t score = search_child(&n, move, (int)(i - first), 0);
        if (atomic_load_explicit(&w->search->stop, memory_order_relaxed)) {
            return best;
        }
        if (score > best) {
            best = score;
            if (score > n.alpha || i == first) {
                note_pv(w, move, 0);
                /* To the front; the others keep their order. */
                for (size_t k = i; k > first; k--) {
                    w->root_moves[k] = w->root_moves[k - 1];
                }
                w->root_moves[first] = move;
            }
            if (score > n.alpha) {
                n.alpha = score;
                if (score >= beta) {
                    break;
                }
            }
        }
    }
    return best;
}
