/* SPDX-License-Identifier: MIT */
/*
 * Quiescence: captures and promotions until the position is quiet, so that an evaluation is never
 * taken in the middle of an exchange; in check all moves. And the evaluator as the search asks it:
 * remembered per thread, a batch at a time where that pays.
 */
#include "search/chess_worker.h"

#include "chess/moves.h"

static hzi_cached_score *cached(hzi_chess_worker *w, uint64_t key) {
    return &w->cache[key & (HZI_CHESS_CACHE - 1)];
}

static void remember(hzi_chess_worker *w, uint64_t key, int32_t score) {
    *cached(w, key) = (hzi_cached_score){key, score > HZ_CHESS_SCORE_MAX    ? HZ_CHESS_SCORE_MAX
                                              : score < -HZ_CHESS_SCORE_MAX ? -HZ_CHESS_SCORE_MAX
                                                                            : score};
}

/* A batch is not interrupted, so a slow evaluator gets smaller ones: about so long each. */
static void fit_batches(hzi_chess_worker *w, size_t n, uint64_t ns) {
    enum { LONG_NS = 3000000, SHORT_NS = 1000000, LEAST = 2 };
    if (ns > LONG_NS) {
        size_t fitting = (size_t)(n * LONG_NS / ns);
        w->batch_most = fitting < LEAST ? LEAST : fitting;
    } else if (ns < SHORT_NS && n == w->batch_most && 2 * n <= HZI_CHESS_BATCH) {
        w->batch_most = 2 * n;
    }
}

/* False when the evaluator failed: the search is over then. */
static bool ask(hzi_chess_worker *w, const hz_position *positions, size_t n, int32_t *scores) {
    uint64_t start = n > 1 ? hz_clock_now_ns() : 0;
    hz_status status =
        hz_evaluator_score(w->evaluator, positions, n, (hz_color)positions[0].side, scores);
    if (n > 1) {
        fit_batches(w, n, hz_clock_now_ns() - start);
    }
    if (status != HZ_OK) {
        w->status = status;
        hzi_chess_stop(w->search);
    }
    return status == HZ_OK;
}

int32_t hzi_chess_static(hzi_chess_worker *w, const hz_position *p) {
    hzi_cached_score *slot = cached(w, p->key);
    if (slot->key != p->key) {
        int32_t score;
        if (!ask(w, p, 1, &score)) {
            return 0;
        }
        remember(w, p->key, score);
    }
    return slot->score;
}

void hzi_chess_prefetch(hzi_chess_worker *w, const hz_position *p, const hz_move *moves,
                        int count) {
    int32_t scores[HZI_CHESS_BATCH];
    size_t n = 0;
    for (int i = 0; i < count; i++) {
        hz_chess_play(p, moves[i], &w->batch[n]);
        n += cached(w, w->batch[n].key)->key != w->batch[n].key;
        bool last = i + 1 == count;
        if (n >= w->batch_most || (last && n > 1)) {
            if (hzi_chess_search_over(w) || !ask(w, w->batch, n, scores)) {
                return;
            }
            for (size_t k = 0; k < n; k++) {
                remember(w, w->batch[k].key, scores[k]);
            }
            n = 0;
        }
    }
}

/* What a capture or promotion brings when nothing is lost for it. */
static int32_t brings(const hz_position *p, hz_move move) {
    static const int32_t worth[HZ_PIECE_TYPES + 1] = {100, 320, 330, 500, 900, 0, 0};
    hz_piece_type promotion = hz_move_promotion(move);
    int32_t gain = hz_move_flags(move) == HZ_MOVE_EN_PASSANT
                       ? worth[HZ_PAWN]
                       : worth[hzi_type_on(p, hz_move_to(move))];
    return gain + (promotion == HZ_NO_PIECE ? 0 : worth[promotion] - worth[HZ_PAWN]);
}

static int32_t search_tactical(hzi_chess_worker *w, const hz_position *p, int32_t alpha,
                               int32_t beta, int ply, bool in_check, int32_t stand) {
    enum { MARGIN = 200 };
    unsigned switches = w->search->config.switches;
    hzi_chess_list *list = &w->lists[ply];
    int32_t best = stand, order;
    for (hz_move move; (move = hzi_next_move(list, &order)) != 0;) {
        if (!in_check && order < 0 && !(switches & HZ_CHESS_NO_EXCHANGE)) {
            break; /* what is left loses material */
        }
        if (!in_check && !(switches & HZ_CHESS_NO_FUTILITY)) {
            /* Even the piece for nothing would not reach alpha. */
            int32_t most = stand + brings(p, move) + MARGIN;
            if (most <= alpha) {
                best = most > best ? most : best;
                continue;
            }
        }
        hz_position child = *p;
        hzi_chess_make(&child, move, (unsigned)hzi_type_on(p, hz_move_from(move)));
        w->keys[w->root_key + (size_t)ply + 1] = hz_chess_repetition_key(&child);
        int32_t score = -hzi_quiescence(w, &child, -beta, -alpha, ply + 1);
        if (hzi_chess_stopped(w->search)) {
            return 0;
        }
        if (score > best) {
            best = score;
            if (score > alpha) {
                alpha = score;
                hzi_note_pv(w, move, ply);
                if (score >= beta) {
                    break;
                }
            }
        }
    }
    return best;
}

int32_t hzi_quiescence(hzi_chess_worker *w, const hz_position *p, int32_t alpha, int32_t beta,
                       int ply) {
    w->pv_length[ply] = 0;
    if (hzi_chess_search_over(w)) {
        return 0;
    }
    hzi_chess_count_node(w, ply);
    bool in_check = hz_chess_in_check(p, (hz_color)p->side);
    if (hzi_chess_drawn(w, p, ply, in_check)) {
        return 0;
    }
    if (ply >= HZI_CHESS_STACK - 1) {
        return hzi_chess_static(w, p);
    }
    hzi_chess_list *list = &w->lists[ply];
    int32_t stand = -HZI_CHESS_INFINITE;
    if (in_check) {
        list->count = hz_chess_moves(p, list->moves);
        if (list->count == 0) {
            return -HZ_CHESS_MATE + ply;
        }
        hzi_order_moves(w, p, list, 0, 0, ply);
    } else {
        stand = hzi_chess_static(w, p);
        list->count = stand >= beta ? 0 : hz_chess_tactical_moves(p, list->moves);
        if (list->count == 0) {
            return hz_chess_has_move(p) ? stand : 0;
        }
        alpha = stand > alpha ? stand : alpha;
        hzi_order_tactical(p, list);
    }
    if (w->search->config.batched && list->count > 1) {
        hzi_chess_prefetch(w, p, list->moves, list->count);
    }
    return search_tactical(w, p, alpha, beta, ply, in_check, stand);
}
