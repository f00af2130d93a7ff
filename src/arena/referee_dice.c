/* SPDX-License-Identifier: MIT */
/*
 * The loop of a game of Dice Chess. The half-move clock is looked at before each roll, never inside a
 * turn; nobody is asked when there is nothing to play; every answer is one of the legal turns or
 * loses. Pieces left hanging are counted beside it.
 */
#include "arena/referee.h"

#include "board/bits.h"

#include <string.h>

enum { FIFTY_MOVES = 100 };

/* Pieces a side left hanging with its latest turn, until the opponent has answered. */
typedef struct hanging {
    uint64_t squares[2];
} hanging;

static uint64_t material(const hz_position *position, uint64_t squares) {
    uint64_t sum = 0;
    for (int type = HZ_PAWN; type < HZ_KING; type++) {
        sum += (uint64_t)hz_centipawns[type] *
               (uint64_t)hzi_popcount(position->pieces[type] & squares);
    }
    return sum;
}

/* position: after the last micro-move of `mover`, which did not end the game. */
static void look_for_hanging(hz_referee *referee, hanging *h, const hz_position *position,
                             hz_color mover) {
    hz_carelessness *c = &referee->result->sides[mover].careless;
    uint64_t squares = hz_hanging_pieces(position, mover);
    h->squares[mover] = squares;
    c->turns++;
    c->hang_turns += squares != 0;
    c->queen_hang_turns += (squares & position->pieces[HZ_QUEEN]) != 0;
    c->hanging_material += material(position, squares);
}

/* before: as `mover` found it, after: as it leaves it. What the other side had left hanging and does
 * not have any more was taken. */
static void look_for_punishment(hz_referee *referee, hanging *h, const hz_position *before,
                                const hz_position *after, hz_color mover) {
    hz_color careless = (hz_color)(1 - mover);
    hz_carelessness *c = &referee->result->sides[careless].careless;
    uint64_t taken = h->squares[careless] & ~after->colors[careless];
    c->punished_captures += (uint64_t)hzi_popcount(taken);
    c->punished_material += material(before, taken);
    h->squares[careless] = 0;
}

/*
 * Plays an answer on the board when it is one of the legal turns. Most turns spend all their dice,
 * and then nothing can spend more; the maximum rule is asked only for the others. A turn that takes
 * a king ends there and is always legal. *took_king says so.
 */
static bool play_legal(const hz_position *position, const hz_match_reply *reply, hz_turn *turn,
                       hz_position *after) {
    bool took_king = false;
    hz_position board = *position;
    if (reply->pass || reply->turn.count < 1 || reply->turn.count > 3) {
        return false;
    }
    *turn = (hz_turn){.count = reply->turn.count};
    for (int i = 0; i < turn->count; i++) {
        hz_move move = reply->turn.moves[i];
        turn->moves[i] = move;
        if (took_king || board.pool == 0 || !hz_move_is_pseudo_legal(&board, move) ||
            hz_move_apply(&board, move, &took_king, NULL) != HZ_OK) {
            return false;
        }
    }
    turn->took_king = took_king;
    *after = board;
    return took_king || board.pool == 0 ||
           (int)(hz_pool_size(position->pool) - hz_pool_size(board.pool)) == hz_dice_max(position);
}

/* Looks at every board of a turn again, and at whether it is one of the listed ones. */
static hz_status verify_turn(const hz_position *position, const hz_turn *turn, bool legal,
                             hz_error *err) {
    hz_position board = *position;
    hz_status status = HZ_OK;
    hz_turn plain = *turn;
    plain.took_king = 0;
    if (turn->count > 0 && hz_turn_is_legal(position, &plain) != legal) {
        char dfen[HZ_DFEN_CAPACITY], text[HZ_TURN_CAPACITY];
        (void)hz_position_to_dfen(position, dfen, sizeof dfen);
        (void)hz_turn_to_text(turn, text);
        return hz_fail(err, HZ_VERIFY, HZ_NO_OFFSET, "%s is%s in the list of legal turns of %s",
                       text, legal ? " not" : "", dfen);
    }
    for (int i = 0; i < turn->count && legal && status == HZ_OK; i++) {
        status = hz_move_apply(&board, turn->moves[i], NULL, err);
        if (status == HZ_OK) {
            status = hzi_referee_verify(&board, turn->moves[i], err);
        }
    }
    return status;
}

static hz_status add_luck(hz_referee *referee, const hz_position *position, hz_match_turn *turn,
                          hz_error *err) {
    double luck = 0.0;
    hz_status status = hz_luck_of_roll(referee->setup->luck, position, &luck, err);
    turn->luck = (float)luck;
    referee->result->luck += position->side == HZ_WHITE ? luck : -luck;
    return status;
}

/* One turn of the side to move, its dice are on the table. */
static hz_status take_turn(hz_referee *referee, hz_position *position, uint64_t ply, hanging *h,
                           bool *over, hz_error *err) {
    hz_match_game_result *result = referee->result;
    hz_color mover = (hz_color)position->side;
    hz_match_turn turn = {.roll = position->pool};
    hz_status status = HZ_OK;
    if (referee->setup->luck) {
        status = add_luck(referee, position, &turn, err);
    }
    if (status == HZ_OK && !hz_moves_any(position)) {
        result->forced_passes++;
        h->squares[1 - mover] = 0;
        turn.clock_ms = (uint32_t)referee->rest_ms[mover];
        return hzi_referee_add_turn(referee, &turn, err);
    }
    hz_match_question question = {.position = position, .ply = ply, .color = mover};
    hz_match_reply reply;
    if (status == HZ_OK) {
        status = hzi_referee_ask(referee, &question, &reply, &turn, over, err);
    }
    if (status != HZ_OK || *over) {
        return status;
    }
    hz_position before = *position;
    bool legal = play_legal(&before, &reply, &turn.turn, position);
    if (referee->rules->verify) {
        status = verify_turn(&before, &turn.turn, legal, err);
    }
    if (!legal || status != HZ_OK) {
        *over = true;
        hzi_referee_illegal(referee, mover);
        return status;
    }
    *over = turn.turn.took_king;
    status = hzi_referee_add_turn(referee, &turn, err);
    if (referee->rules->carelessness) {
        look_for_punishment(referee, h, &before, position, mover);
        if (!*over) {
            look_for_hanging(referee, h, position, mover);
        }
    }
    if (*over) {
        hzi_referee_loss(referee, (hz_color)(1 - mover), HZ_END_KING);
    } else if (status == HZ_OK) {
        *over = hzi_referee_resigns(referee, mover, &reply);
    }
    return status;
}

hz_status hzi_referee_dice(hz_referee *referee, hz_error *err) {
    hz_match_game_result *result = referee->result;
    hz_position position = *referee->setup->start;
    hanging h = {{0, 0}};
    bool over = false;
    hz_status status = HZ_OK;
    hz_position_set_pool(&position, 0);
    if (referee->rules->verify) {
        status = hzi_referee_verify(&position, 0, err);
    }
    uint64_t ply = 0;
    while (status == HZ_OK && !over) {
        result->mover = (hz_color)position.side;
        if (position.halfmove >= FIFTY_MOVES) {
            hzi_referee_draw(referee, HZ_END_FIFTY);
            break;
        }
        if (ply >= referee->rules->max_plies) {
            hzi_referee_draw(referee, HZ_END_LENGTH);
            break;
        }
        status = hzi_referee_cancelled(referee, err);
        if (status != HZ_OK) {
            break;
        }
        hz_position_set_pool(&position, hz_roll_at(referee->setup->dice_seed, ply));
        size_t turns = referee->turn_count;
        status = take_turn(referee, &position, ply, &h, &over, err);
        ply += referee->turn_count - turns;
        if (status == HZ_OK && !over) {
            hz_hand_over(&position);
            if (referee->rules->verify) {
                status = hzi_referee_verify(&position, 0, err);
            }
        }
    }
    result->plies = ply;
    result->last = position;
    return status;
}
