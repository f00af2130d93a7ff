/* SPDX-License-Identifier: MIT */
/*
 * The loop of a game of chess: checkmate, stalemate, dead material, the third occurrence of a position
 * and fifty moves without progress end it at once; nobody has to claim.
 */
#include "arena/referee.h"

static bool ended(hz_referee *referee, const hz_chess_game *game) {
    switch (hz_chess_game_end(game)) {
    case HZ_CHESS_CHECKMATE:
        hzi_referee_loss(referee, (hz_color)game->now.side, HZ_END_CHECKMATE);
        return true;
    case HZ_CHESS_STALEMATE:
        hzi_referee_draw(referee, HZ_END_STALEMATE);
        return true;
    case HZ_CHESS_DEAD_MATERIAL:
        hzi_referee_draw(referee, HZ_END_DEAD_MATERIAL);
        return true;
    case HZ_CHESS_SEVENTY_FIVE:
    case HZ_CHESS_FIFTY:
        hzi_referee_draw(referee, HZ_END_FIFTY);
        return true;
    case HZ_CHESS_FIVEFOLD:
    case HZ_CHESS_THREEFOLD:
        hzi_referee_draw(referee, HZ_END_THREEFOLD);
        return true;
    default:
        break;
    }
    if (game->count >= referee->rules->max_plies) {
        hzi_referee_draw(referee, HZ_END_LENGTH);
        return true;
    }
    return false;
}

static hz_status take_move(hz_referee *referee, hz_chess_game *game, bool *over, hz_error *err) {
    hz_color mover = (hz_color)game->now.side;
    hz_match_turn turn = {0};
    hz_match_reply reply;
    hz_match_question question = {.position = &game->now,
                                  .start = &game->start,
                                  .moves = game->moves,
                                  .move_count = game->count,
                                  .ply = game->count,
                                  .color = mover};
    hz_status status = hzi_referee_ask(referee, &question, &reply, &turn, over, err);
    if (status != HZ_OK || *over) {
        return status;
    }
    if (reply.pass || !hz_chess_is_legal(&game->now, reply.move)) {
        *over = true;
        hzi_referee_illegal(referee, mover);
        return HZ_OK;
    }
    turn.move = reply.move;
    status = hz_chess_game_play(game, reply.move, err);
    if (status == HZ_OK && referee->rules->verify) {
        status = hzi_referee_verify(&game->now, reply.move, err);
    }
    if (status == HZ_OK) {
        status = hzi_referee_add_turn(referee, &turn, err);
    }
    *over = status == HZ_OK && hzi_referee_resigns(referee, mover, &reply);
    return status;
}

hz_status hzi_referee_chess(hz_referee *referee, hz_error *err) {
    hz_match_game_result *result = referee->result;
    hz_error why;
    bool over = false;
    if (hz_chess_validate(referee->setup->start, &why) != HZ_CHESS_SOUND) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET, "the start is no chess position: %s",
                       why.message);
    }
    if (referee->has_game) {
        hz_chess_game_fini(&referee->game);
        referee->has_game = false;
    }
    hz_position start = *referee->setup->start;
    hz_position_set_pool(&start, 0);
    hz_status status = hz_chess_game_init(&referee->game, &start, err);
    referee->has_game = status == HZ_OK;
    if (status == HZ_OK && referee->rules->verify) {
        status = hzi_referee_verify(&referee->game.now, 0, err);
    }
    while (status == HZ_OK && !over) {
        result->mover = (hz_color)referee->game.now.side;
        if (ended(referee, &referee->game)) {
            break;
        }
        status = hzi_referee_cancelled(referee, err);
        if (status == HZ_OK) {
            status = take_move(referee, &referee->game, &over, err);
        }
    }
    if (referee->has_game) {
        result->plies = referee->game.count;
        result->last = referee->game.now;
    }
    return status;
}
