/* SPDX-License-Identifier: MIT */
/*
 * Micro-moves: pseudo-legal, playable, legal first ones; applying one; the end of turn and game.
 *
 * The maximum rule in its recursive form: a first micro-move is legal when a line
 * through it takes a king or spends the most dice any line can spend. Both questions are asked with
 * early exits, and the last die is answered from bitboards without playing anything.
 */
#include <hazard/dice.h>

#include "dice/generate.h"
#include "dice/maximum.h"

#include <string.h>

void hz_moves_pseudo_of(const hz_position *position, hz_color color, unsigned types,
                        hz_move_list *list) {
    list->count = hzi_generate(position, color, types, true, list->moves);
}

void hz_moves_pseudo(const hz_position *position, hz_move_list *list) {
    unsigned types = position->pool ? hzi_pool_types(position->pool) : (unsigned)HZI_ALL_TYPES;
    hz_moves_pseudo_of(position, (hz_color)position->side, types, list);
}

void hz_moves_playable(const hz_position *position, hz_move_list *list) {
    list->count = hzi_generate(position, position->side, hzi_pool_types(position->pool),
                               hzi_pool_pays_castling(position->pool), list->moves);
}

bool hz_moves_any(const hz_position *position) {
    return hzi_has_move(position, position->side, hzi_pool_types(position->pool));
}

bool hz_move_is_pseudo_legal(const hz_position *position, hz_move move) {
    return hzi_is_pseudo_legal(position, position->side, move);
}

/* Whether some line from here spends `need` more dice or takes a king. */
static bool can_spend_or_win(const hz_position *p, int need) {
    unsigned us = p->side, types = hzi_pool_types(p->pool);
    int size = (int)hz_pool_size(p->pool);
    if (need <= 0 || hzi_takes_king(p, us, types)) {
        return true;
    }
    if (size <= 1) {
        return size == need && hzi_has_move(p, us, types);
    }
    hz_move moves[HZ_MOVES_CAPACITY];
    int count = hzi_generate(p, us, types, hzi_pool_pays_castling(p->pool), moves);
    for (int i = 0; i < count; i++) {
        hz_position child = *p;
        hz_piece_type type = hzi_type_on(p, hz_move_from(moves[i]));
        /* A king capture was ruled out above, so the line goes on. */
        hzi_play_paid(&child, moves[i], type, us);
        if (can_spend_or_win(&child, need - (size - (int)hz_pool_size(child.pool)))) {
            return true;
        }
    }
    return false;
}

void hz_moves_first(const hz_position *position, hz_move_list *list) {
    hz_moves_playable(position, list);
    if (list->count == 0) {
        return;
    }
    int need = hzi_max_dice(position), size = (int)hz_pool_size(position->pool), kept = 0;
    for (int i = 0; i < list->count; i++) {
        hz_move move = list->moves[i];
        hz_position child = *position;
        hz_piece_type type = hzi_type_on(position, hz_move_from(move));
        bool took_king = hzi_play_paid(&child, move, type, position->side);
        if (took_king || can_spend_or_win(&child, need - (size - (int)hz_pool_size(child.pool)))) {
            list->moves[kept++] = move;
        }
    }
    list->count = kept;
}

int hz_dice_max(const hz_position *position) {
    return hzi_max_dice(position);
}

hz_pool hz_move_cost(const hz_position *position, hz_move move) {
    return hzi_cost(move, hzi_type_on(position, hz_move_from(move)));
}

hz_status hz_move_from_text(const hz_position *position, const char *text, size_t length,
                            hz_move *move, hz_error *err) {
    int from, to;
    hz_piece_type promotion;
    hz_error syntax;
    if (hz_move_parse(text, length, &from, &to, &promotion, &syntax) != HZ_OK) {
        return hz_fail(err, HZ_NOT_PSEUDO_LEGAL, syntax.offset, "no micro-move: %s",
                       syntax.message);
    }
    if (!(position->colors[position->side] & hzi_bit(from))) {
        return hz_fail(err, HZ_NOT_PSEUDO_LEGAL, 0, "%.2s holds no piece of the side to move",
                       text);
    }
    hz_move_list list;
    hz_moves_pseudo_of(position, (hz_color)position->side, 1u << hzi_type_on(position, from),
                       &list);
    for (int i = 0; i < list.count; i++) {
        if (hz_move_from(list.moves[i]) == from && hz_move_to(list.moves[i]) == to &&
            hz_move_promotion(list.moves[i]) == promotion) {
            *move = list.moves[i];
            return HZ_OK;
        }
    }
    return hz_fail(err, HZ_NOT_PSEUDO_LEGAL, 0, "the %c on %.2s cannot play %.*s",
                   hz_position_letter_at(position, from), text, (int)length, text);
}

/* The first type whose die a micro-move needs and the pool lacks. */
static hz_status no_die(hz_pool cost, hz_pool pool, hz_error *err) {
    hz_piece_type type = HZ_PAWN;
    while (hz_pool_count(cost, type) <= hz_pool_count(pool, type)) {
        type++;
    }
    return hz_fail(err, HZ_NO_DIE, HZ_NO_OFFSET, "no %c die is left in the pool", "PNBRQK"[type]);
}

hz_status hz_move_apply(hz_position *position, hz_move move, bool *took_king, hz_error *err) {
    hz_piece_type type = hzi_type_on(position, hz_move_from(move));
    hz_pool pool = position->pool;
    bool king;
    if (pool) {
        if (!hz_pool_count(pool, type) ||
            (hz_move_is_castling(move) && !hz_pool_count(pool, HZ_ROOK))) {
            return no_die(hzi_cost(move, type), pool, err);
        }
        king = hzi_play_paid(position, move, type, position->side);
    } else {
        king = hzi_make(position, move, type, position->side) == HZ_KING;
    }
    if (took_king) {
        *took_king = king;
    }
    return HZ_OK;
}

void hz_hand_over(hz_position *position) {
    hzi_hand_over(position);
}

bool hz_game_over(const hz_position *position, bool *has_winner, hz_color *winner) {
    bool white = position->pieces[HZ_KING] & position->colors[HZ_WHITE];
    bool black = position->pieces[HZ_KING] & position->colors[HZ_BLACK];
    if (has_winner) {
        *has_winner = white != black;
    }
    if (winner && white != black) {
        *winner = white ? HZ_WHITE : HZ_BLACK;
    }
    return !white || !black;
}
