/* SPDX-License-Identifier: MIT */
/* A game under way; see game.h. */
#include "cli/game.h"

#include <stdlib.h>

enum { DRAW_AT_HALFMOVE = 100 };

void hzc_game_init(hzc_game *game, const hz_position *start, uint64_t seed) {
    *game = (hzc_game){.start = *start, .seed = seed};
    hz_position_set_pool(&game->start, 0);
    game->root = game->start;
    game->board = game->start;
}

void hzc_game_fini(hzc_game *game) {
    free(game->turns);
    game->turns = NULL;
}

bool hzc_game_over(const hzc_game *game) {
    return game->outcome != HZ_OUTCOME_OPEN;
}

void hzc_game_end(hzc_game *game, hz_game_outcome outcome, hz_game_reason reason) {
    game->outcome = outcome;
    game->reason = reason;
}

bool hzc_game_roll(hzc_game *game) {
    if (!hzc_game_over(game) && game->board.halfmove >= DRAW_AT_HALFMOVE) {
        hzc_game_end(game, HZ_OUTCOME_DRAW, HZ_REASON_FIFTY);
    } else if (!hzc_game_over(game) && game->ply >= HZ_RECORD_TURNS_MAX) {
        hzc_game_end(game, HZ_OUTCOME_DRAW, HZ_REASON_LENGTH);
    }
    if (hzc_game_over(game)) {
        return false;
    }
    hz_position_set_pool(&game->board, hz_roll_at(game->seed, game->ply));
    game->root = game->board;
    game->played = (hz_turn){0};
    return true;
}

void hzc_game_next(const hzc_game *game, hz_move_list *list) {
    if (hz_turn_continuations(&game->root, &game->played, list, NULL) != HZ_OK) {
        list->count = 0;
    }
}

static void play(hzc_game *game, hz_move move) {
    bool took_king = false;
    (void)hz_move_apply(&game->board, move, &took_king, NULL);
    game->played.moves[game->played.count++] = move;
    game->played.took_king = took_king;
}

hz_status hzc_game_play(hzc_game *game, const char *text, size_t length, hz_error *err) {
    hz_move_list list;
    hz_move move = 0;
    int from, to;
    hz_piece_type promotion;
    if (hz_move_parse(text, length, &from, &to, &promotion, NULL) != HZ_OK) {
        return hz_fail(err, HZ_MOVE_TEXT, 0, "that is no micro-move");
    }
    hzc_game_next(game, &list);
    hz_status status = hz_move_from_text(&game->board, text, length, &move, err);
    for (int i = 0; i < list.count && status == HZ_OK; i++) {
        if (list.moves[i] == move) {
            play(game, move);
            return HZ_OK;
        }
    }
    return hz_fail(err, HZ_NOT_LEGAL, 0,
                   status == HZ_OK
                       ? "the dice do not allow it, or it would spend fewer of them than "
                         "possible"
                       : "no piece can move like that");
}

bool hzc_game_undo(hzc_game *game) {
    hz_turn kept = game->played;
    if (kept.count == 0) {
        return false;
    }
    kept.count--;
    kept.took_king = 0;
    hzc_game_play_turn(game, &kept);
    return true;
}

void hzc_game_play_turn(hzc_game *game, const hz_turn *turn) {
    hz_turn wanted = *turn;
    game->board = game->root;
    game->played = (hz_turn){0};
    for (int i = 0; i < wanted.count; i++) {
        play(game, wanted.moves[i]);
    }
}

hz_status hzc_game_end_turn(hzc_game *game, const int32_t *score) {
    if (game->ply == game->held) {
        size_t held = game->held ? 2 * game->held : 64;
        hz_record_turn *grown = realloc(game->turns, held * sizeof *grown);
        if (!grown) {
            return HZ_NO_MEMORY;
        }
        game->turns = grown;
        game->held = held;
    }
    game->turns[game->ply++] = (hz_record_turn){.turn = game->played,
                                                .roll = game->root.pool,
                                                .has_score = score != NULL,
                                                .score = score ? *score : 0};
    if (game->played.took_king) {
        hzc_game_end(game, game->board.side == HZ_WHITE ? HZ_OUTCOME_WHITE : HZ_OUTCOME_BLACK,
                     HZ_REASON_KING);
    } else {
        hz_hand_over(&game->board);
    }
    game->root = game->board;
    game->played = (hz_turn){0};
    return HZ_OK;
}

hz_record hzc_game_record(const hzc_game *game, const char *white, const char *black) {
    hz_record record;
    hz_record_init(&record);
    record.players[HZ_WHITE] = white;
    record.players[HZ_BLACK] = black;
    record.start = game->start;
    record.has_seed = true;
    record.seed = game->seed;
    record.outcome = game->outcome;
    record.reason = game->reason;
    record.turn_count = (size_t)game->ply;
    record.turns = game->turns;
    return record;
}
