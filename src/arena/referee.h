/* SPDX-License-Identifier: MIT */
/*
 * What the two games share while one is played: asking the mover under its clock, what became of the
 * answer, the list of turns, resigning. referee_dice.c and referee_chess.c are the game loops.
 */
#ifndef HAZARD_ARENA_REFEREE_H
#define HAZARD_ARENA_REFEREE_H

#include <hazard/arena.h>

struct hz_referee {
    hz_arena lists; /* of the answer under way */
    hz_match_turn *turns;
    size_t turn_capacity;
    hz_chess_game game; /* chess */
    bool has_game;
    /* Of the running game: */
    const hz_match_rules *rules;
    const hz_match_game_setup *setup;
    hz_match_game_result *result;
    size_t turn_count;
    int64_t rest_ms[2];
    uint64_t owed_us[2]; /* less than a millisecond each, charged with the next answer */
    hz_random streams[2];
    uint32_t bad_scores[2]; /* turns in a row, for resigning */
};

/* The game ends: without a winner, or lost by the mover, or won by it. */
void hzi_referee_draw(hz_referee *referee, hz_match_end end);
void hzi_referee_loss(hz_referee *referee, hz_color loser, hz_match_end end);

/*
 * Asks the mover. question: what the game knows; clocks, deadline, stream and memory are filled in
 * here. *over: the game ended meanwhile (time, no valid answer). The time used stands in *turn.
 */
hz_status hzi_referee_ask(hz_referee *referee, hz_match_question *question, hz_match_reply *reply,
                          hz_match_turn *turn, bool *over, hz_error *err);
/* An answer that the rules refuse. */
void hzi_referee_illegal(hz_referee *referee, hz_color mover);
/* After a valid answer: whether the mover gives up. */
bool hzi_referee_resigns(hz_referee *referee, hz_color mover, const hz_match_reply *reply);
hz_status hzi_referee_add_turn(hz_referee *referee, const hz_match_turn *turn, hz_error *err);
/* HZ_CANCELLED when the run was cancelled. */
hz_status hzi_referee_cancelled(const hz_referee *referee, hz_error *err);
/* Compares a position with one made from nothing; `move` was played last. HZ_VERIFY. */
hz_status hzi_referee_verify(const hz_position *position, hz_move move, hz_error *err);

hz_status hzi_referee_dice(hz_referee *referee, hz_error *err);
hz_status hzi_referee_chess(hz_referee *referee, hz_error *err);

#endif
