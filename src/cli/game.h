/* SPDX-License-Identifier: MIT */
/*
 * A game while it is played: dice from a seed, the turn under way with what was played of it, and
 * the record so far. Who plays and how they are asked is the caller's business.
 */
#ifndef HAZARD_CLI_GAME_H
#define HAZARD_CLI_GAME_H

#include <hazard.h>

typedef struct hzc_game {
    hz_position start; /* without dice */
    hz_position root;  /* the position with the roll */
    hz_position board; /* after what was played of the turn, unspent dice kept */
    hz_turn played;
    uint64_t seed;
    uint64_t ply;            /* turns played, passes included */
    hz_game_outcome outcome; /* HZ_OUTCOME_OPEN while it goes on */
    hz_game_reason reason;
    hz_record_turn *turns; /* owned; ply of them */
    size_t held;
} hzc_game;

/* A game from a position; its dice are ignored. */
void hzc_game_init(hzc_game *game, const hz_position *start, uint64_t seed);
void hzc_game_fini(hzc_game *game);

bool hzc_game_over(const hzc_game *game);
/* Rolls the dice of the next turn; at a half-move clock of 100 the game is drawn instead, and
 * after HZ_RECORD_TURNS_MAX turns too. False when the game is over. */
bool hzc_game_roll(hzc_game *game);
/* Legal next micro-moves; none when the turn is complete or must be passed. */
void hzc_game_next(const hzc_game *game, hz_move_list *list);
/* Plays one micro-move of a legal turn. HZ_MOVE_TEXT: the text is none; HZ_NOT_LEGAL: it cannot be
 * played now. */
hz_status hzc_game_play(hzc_game *game, const char *text, size_t length, hz_error *err);
/* Takes back the latest micro-move of the turn; false when there is none. */
bool hzc_game_undo(hzc_game *game);
/* Plays a whole legal turn in place of what was played. */
void hzc_game_play_turn(hzc_game *game, const hz_turn *turn);
/* Ends a complete turn: writes it down and hands over, or ends the game when a king was taken.
 * score: the mover's view, NULL = none. HZ_NO_MEMORY. */
hz_status hzc_game_end_turn(hzc_game *game, const int32_t *score);
/* Ends the game for another reason. */
void hzc_game_end(hzc_game *game, hz_game_outcome outcome, hz_game_reason reason);
/* The record of the game so far; valid as long as the game and the names. */
hz_record hzc_game_record(const hzc_game *game, const char *white, const char *black);

#endif
