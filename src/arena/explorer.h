/* SPDX-License-Identifier: MIT */
/*
 * A player that explores: it begins a game with random turns, then draws among its own candidates by
 * their values instead of always playing the best, and notes what it thought of each turn. Self-play
 * and the positions of probes come from it.
 *
 *   opening       the first plies of a game: any result with equal chance, but no king is taken as long
 *                 as there is something else to play
 *   temperature   a result of value v is drawn with a chance in proportion to exp((v - best) / T), T in
 *                 the units of the bot's scores; a king that can be taken is taken. Bots that go by one
 *                 look (their judgement's depth is 1) draw among all results, bots that search among
 *                 the candidates they have an exact value for: what was pruned has none.
 *
 * Values of searching bots are expectations in which a lost king counts as the end of the axis of their
 * scores (bots/analysis.h), not as the huge number by which a search orders.
 */
#ifndef HAZARD_ARENA_EXPLORER_H
#define HAZARD_ARENA_EXPLORER_H

#include <hazard/arena.h>

/* What a player thought of a turn. */
typedef struct hzi_note {
    uint8_t flags;       /* HZI_ROW_... */
    int32_t score, best; /* when HZI_ROW_SCORED is set: of the turn, and of the best one */
} hzi_note;

/* Notes of a game by ply; grows. Zero-initialise. */
typedef struct hzi_notes {
    hzi_note *at; /* owned */
    size_t count, capacity;
} hzi_notes;

typedef struct hzi_exploration {
    uint64_t random_plies;      /* of the opening */
    double temperature;         /* 0 = play the best */
    uint64_t temperature_plies; /* plies it is for, from the start of the game */
} hzi_exploration;

/*
 * Makes an explorer of what a text names (see hz_match_player_open; Dice Chess). notes: where it puts
 * them; of both sides of a game the same. how and notes are borrowed and must outlive the player.
 * HZ_BAD_OPTION: a temperature for a player that has no values to show; else what opening says.
 */
hz_status hzi_explorer_open(const char *text, hz_registry *registry, const hzi_exploration *how,
                            hzi_notes *notes, hz_match_player *player, hz_error *err);
/* The note of a ply; all zeros when there is none. */
hzi_note hzi_note_at(const hzi_notes *notes, size_t ply);
void hzi_notes_clear(hzi_notes *notes);
void hzi_notes_free(hzi_notes *notes);

#endif
