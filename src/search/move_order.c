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
        list->order[i] = exchange_order(p, list->moves[i]);
    }
}

void hzi_order_moves(const hzi_chess_worker *w, const hz_position *p, hzi_chess_list *list,
                     hz_move first, hz_move before, int ply) {
    list->next = 0;
    hz_move reply = before ? w->replies[p->side][hz_move_from(before)][hz_move_to(before)] : 0;
    for (int i = 0; i < list->count; i++) {
        hz_move move = list->moves[i];
        if (move == first) {
            list->order[i] = 2 * HZI_ORDER_GOOD;
        } else if (hzi_is_tactical(move)) {
            list->order[i] = exchange_order(p, move);
        } else if (move == w->killers[ply][0]) {
            list->order[i] = HZI_ORDER_GOOD / 2;
        } else if (move == w->killers[ply][1]) {
            list->order[i] = HZI_ORDER_GOOD / 2 - 1;
        } else if (move == reply) {
            list->order[i] = HZI_ORDER_GOOD / 2 - 2;
        } else {
            list->order[i] = w->history[p->side][hz_move_from(move)][hz_move_to(move)];
        }
    }
}

hz_move hzi_next_move(hzi_chess_list *list, int32_t *order) {
    if (list->next == list->count) {
        return 0;
    }
    int best = list->next;
    for (int i = best + 1; i < list->count; i++) {
        /* Equal orders: by move code, so that the search does not depend on the generator. */
        if (list->order[i] > list->order[best] ||
            (list->order[i] == list->order[best] && list->moves[i] < list->moves[best])) {
            best = i;
        }
    }
    hz_move move = list->moves[best];
    int32_t value = list->order[best];
    list->moves[best] = list->moves[list->next];
    list->order[best] = list->order[list->next];
    list->moves[list->next] = move;
    list->order[list->next] = value;
    list->next++;
    if (order) {
        *order = value;
    }
    return move;
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
