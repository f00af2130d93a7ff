/* SPDX-License-Identifier: MIT */
/* The makers of players behind hz_match_player_open. */
#ifndef HAZARD_ARENA_PLAYER_H
#define HAZARD_ARENA_PLAYER_H

#include <hazard/arena.h>

/* A bot of Dice Chess; registry NULL = one of its own. */
hz_status hzi_player_bot(const char *text, hz_registry *registry, hz_match_player *player,
                         hz_error *err);
/* "search" with options: the alpha-beta of this library plays chess. */
hz_status hzi_player_search(const char *text, hz_match_player *player, hz_error *err);

/* Options of "search", in the order of hz_match_search_option. */
enum { HZI_SEARCH_PLAYER_OPTIONS = 5 };
extern const hz_bot_option hzi_search_player_options[HZI_SEARCH_PLAYER_OPTIONS];

#endif
