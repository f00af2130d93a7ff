/* SPDX-License-Identifier: MIT */
/* A game whose evaluator is anything that chooses moves: a player here or one in a child process. */
#ifndef HAZARD_LEAGUE_PLAY_H
#define HAZARD_LEAGUE_PLAY_H

#include <hazard/league.h>

/* As hz_league_player_choose; `first`: a new game begins. A failure with HZ_MODEL_RUN forfeits for
 * choice->reason, one with HZ_CANCELLED for the time. */
typedef hz_status (*hzi_league_chooser)(void *state, const hz_chess_game *game, bool first,
                                        const hz_deadline *deadline, hz_league_choice *choice,
                                        hz_error *err);

/* The end of a game by the rules of the league; false while it goes on. */
bool hzi_league_ended(const hz_chess_game *game, hz_league_reason *reason);

/* As hz_league_play. */
hz_status hzi_league_play(hzi_league_chooser choose, void *evaluator, hz_league_player *baseline,
                          hz_color color, uint64_t budget_ns, const hz_cancel *cancel,
                          hz_chess_game *game, hz_league_result *result, hz_error *err);

#endif
