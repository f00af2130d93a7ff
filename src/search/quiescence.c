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

static int32_t cut(int32_t score) {
    return score > HZ_CHESS_SCORE_MAX    ? HZ_CHESS_SCORE_MAX
           : score < -HZ_CHESS_SCORE_MAX ? -HZ_CHESS_SCORE_MAX
                                         : score;
}

int32_t hzi_chess_static(hzi_chess_worker *w, const hz_position *p) {
    hzi_cached_score *slot = cached(w, p->key);
    if (slot->key == p->key) {
        return slot->score;
    }
    int32_t score = 0;
    hz_status status = hz_evaluator_score(w->evaluator, p, 1, (hz_color)p->side, &score);
    if (status != HZ_OK) {
        w->status = status;
        atomic_store_explicit(&w->search->stop, true, memory_order_relaxed);
        return 0;
    }
    slot->key = p->key;
    slot->score = cut(score);
    return slot->score;
}

void hzi_chess_prefetch(hzi_chess_worker *w, const hz_position *p, const hz_move *moves,
                        int count) {
    size_t n = 0;
    for (int i = 0; i < count; i++) {
        hz_position *child = &w->batch[n];
        hz_chess_play(p, moves[i], child);
        n += cached(w, child->key)->key != child->key;
    }
    if (n < 2) {
        return;
    }
    hz_status status =
        hz_evaluator_score(w->evaluator, w->batch, n, (hz_color)(p->side ^ 1), w->batch_scores);
    if (status != HZ_OK) {
        w->status = status;
        atomic_store_explicit(&w->search->stop, true, memory_order_relaxed);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        hzi_cached_score *slot = cached(w, w->batch[i].key);
        slot->key = w->batch[i].key;
        slot->score = cut(w->batch_scores[i]);
    }
}

int32_t hzi_quiescence(hzi_chess_worker *w, const hz_position *p, int32_t alpha, int32_t beta,
                       int ply) {
    w->pv_length[ply] = 0;
    if (hzi_chess_search_over(w)) {
        return 0;
    }
    atomic_fetch_add_explicit(&w->nodes, 1, memory_order_relaxed);
    w->selective = ply > w->selective ? ply : w->selective;
    bool in_check = hz_chess_in_check(p, (hz_color)p->side);
    if (hzi_chess_drawn(w, p, ply, in_check)) {
        return 0;
    }
    if (ply >= HZI_CHESS_STACK - 1) {
        return hzi_chess_static(w, p);
    }
    unsigned switches = w->search->config.switches;
    int32_t best = -HZI_CHESS_INFINITE, stand = -HZI_CHESS_INFINITE;
    hzi_chess_list list;
    if (in_check) {
        list.count = hz_chess_moves(p, list.moves);
        if (list.count == 0) {
            return -HZ_CHESS_MATE + ply;
        }
        hzi_order_moves(w, p, &list, 0, 0, ply);
    } else {
        best = stand = hzi_chess_static(w, p);
        if (best >= beta) {
            return best;
        }
        alpha = best > alpha ? best : alpha;
        list.count = hz_chess_tactical_moves(p, list.moves);
        hzi_order_tactical(p, &list);
    }
    if (w->search->config.batched && list.count > 1) {
        hzi_chess_prefetch(w, p, list.moves, list.count);
    }
    static const int32_t worth[HZ_PIECE_TYPES + 1] = {100, 320, 330, 500, 900, 0, 0};
    int32_t order;
    for (hz_move move; (move = hzi_next_move(&list, &order)) != 0;) {
        if (!in_check) {
            if (order < 0 && !(switches & HZ_CHESS_NO_EXCHANGE)) {
                break; /* what is left loses material */
            }
            if (!(switches & HZ_CHESS_NO_FUTILITY)) {
                /* Even the piece for nothing would not reach alpha. */
                hz_piece_type promotion = hz_move_promotion(move);
                int32_t gain = hz_move_flags(move) == HZ_MOVE_EN_PASSANT
                                   ? worth[HZ_PAWN]
                                   : worth[hz_position_type_at(p, hz_move_to(move))];
                gain += promotion == HZ_NO_PIECE ? 0 : worth[promotion] - worth[HZ_PAWN];
                if (stand + gain + 200 <= alpha) {
                    best = stand + gain + 200 > best ? stand + gain + 200 : best;
                    continue;
                }
            }
        }
        hz_position child = *p;
        hzi_chess_make(&child, move, (unsigned)hzi_type_on(p, hz_move_from(move)));
        w->keys[w->root_key + (size_t)ply + 1] = hz_chess_repetition_key(&child);
        int32_t score = -hzi_quiescence(w, &child, -beta, -alpha, ply + 1);
        if (score > best) {
            best = score;
            if (score > alpha) {
                alpha = score;
                if (score >= beta) {
                    break;
                }
                w->pv[ply][0] = move;
                int length = w->pv_length[ply + 1];
                length = length < HZ_CHESS_PLY_MAX - 1 ? length : HZ_CHESS_PLY_MAX - 1;
                for (int i = 0; i < length; i++) {
                    w->pv[ply][i + 1] = w->pv[ply + 1][i];
                }
                w->pv_length[ply] = length + 1;
            }
        }
    }
    return best;
}
