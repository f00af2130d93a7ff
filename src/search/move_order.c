/* SPDX-License-Identifier: MIT */
/*
 * The order in which moves are tried: the table's move, captures by victim and attacker that do not
 * lose material, killers and the reply that refuted the opponent's move before, quiet moves by
 * history, losing captures.
 */
#include "search/chess_worker.h"

#include "board/make.h"

static int32_t exchange_order(const hz_position *p, hz_move move) {
    hz_piece_type victim = hz_move_flags(move) == HZ_MOVE_EN_PASSANT ? HZ_PAWN
                           : hz_move_flags(move) & HZ_MOVE_CAPTURE
                               ? hzi_type_on(p, hz_move_to(move))
                               : HZ_NO_PIECE;
    hz_piece_type attacker = hzi_type_on(p, hz_move_from(move));
    hz_piece_type promotion = hz_move_promotion(move);
    int32_t order = victim == HZ_NO_PIECE ? 0 : 16 * ((int32_t)victim + 1) - (int32_t)attacker;
    if (promotion != HZ_NO_PIECE) {
        order += promotion == HZ_QUEEN ? 80 : -100;
    }
    bool fine = victim != HZ_NO_PIECE && victim >= attacker && promotion == HZ_NO_PIECE;
    return order + (fine || hz_chess_exchange(p, move) >= 0 ? HZI_ORDER_GOOD : HZI_ORDER_BAD);
}

void hzi_order_tactical(const hz_position *p, hzi_chess_list *list) {
    list->next = 0;
    for (int i = 0; i < list->count; i++) {
        list->keys[i] = hzi_order_key(exchange_order(p, list->moves[i]), list->moves[i]);
    }
}

void hzi_order_moves(const hzi_chess_worker *w, const hz_position *p, hzi_chess_list *list,
                     hz_move first, hz_move before, int ply) {
    list->next = 0;
    hz_move reply = before ? w->replies[p->side][hz_move_from(before)][hz_move_to(before)] : 0;
    for (int i = 0; i < list->count; i++) {
        hz_move move = list->moves[i];
        int32_t order = w->history[p->side][hz_move_from(move)][hz_move_to(move)];
        if (move == first) {
            order = 2 * HZI_ORDER_GOOD;
        } else if (hzi_is_tactical(move)) {
            order = exchange_order(p, move);
        } else if (move == w->killers[ply][0]) {
            order = HZI_ORDER_KILLER;
        } else if (move == w->killers[ply][1]) {
            order = HZI_ORDER_KILLER - 1;
        } else if (move == reply) {
            order = HZI_ORDER_KILLER_LEAST;
        }
        list->keys[i] = hzi_order_key(order, move);
    }
}

hz_move hzi_next_move(hzi_chess_list *list, int32_t *order) {
    if (list->next == list->count) {
        return 0;
    }
    int best = list->next;
    int64_t most = list->keys[best];
    for (int i = best + 1; i < list->count; i++) {
        best = list->keys[i] > most ? i : best;
        most = list->keys[i] > most ? list->keys[i] : most;
    }
    list->keys[best] = list->keys[list->next];
    list->keys[list->next++] = most;
    if (order) {
        *order = hzi_key_order(most);
    }
    return hzi_key_move(most);
}

/* Moves towards the bonus, slower the nearer to the end of the range. */
static void learn(int16_t *history, int bonus) {
    int magnitude = bonus < 0 ? -bonus : bonus;
    *history = (int16_t)(*history + bonus - *history * magnitude / 16384);
}

void hzi_reward_quiet(hzi_chess_worker *w, const hz_position *p, hz_move move, hz_move before,
                      const hz_move *tried, int tried_count, int depth, int ply) {
    if (w->killers[ply][0] != move) {
        w->killers[ply][1] = w->killers[ply][0];
        w->killers[ply][0] = move;
    }
    if (before) {
        w->replies[p->side][hz_move_from(before)][hz_move_to(before)] = move;
    }
    int bonus = 16 * depth * depth;
    bonus = bonus < 1600 ? bonus : 1600;
    learn(&w->history[p->side][hz_move_from(move)][hz_move_to(move)], bonus);
    for (int i = 0; i < tried_count; i++) {
        learn(&w->history[p->side][hz_move_from(tried[i])][hz_move_to(tried[i])], -bonus);
    }
}
