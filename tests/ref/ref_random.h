/* SPDX-License-Identifier: MIT */
/*
 * ref/ref_random.h - random positions for comparisons, as DFEN text that any room can parse. Every
 * maker takes its numbers from one stream, so that a seed repeats a whole test run:
 *
 *     ref_random random = ref_random_from_seed(test_seed());
 *     char dfen[REF_DFEN_CAPACITY];
 *     ref_random_position(&random, dfen);
 */
#ifndef HAZARD_REF_RANDOM_H
#define HAZARD_REF_RANDOM_H

#include "ref/ref_dice.h"

typedef struct ref_random {
    uint64_t state;
    ref_position game; /* the game ref_random_played walks through */
    int turns_left;    /* of that game, 0 = start another one */
} ref_random;

ref_random ref_random_from_seed(uint64_t seed);
uint64_t ref_random_next(ref_random *random);
/* 0..n-1; n >= 1. */
unsigned ref_random_below(ref_random *random, unsigned n);
/* True in `percent` of all cases. */
bool ref_random_chance(ref_random *random, unsigned percent);

/* Which moment of a turn. */
typedef enum ref_moment {
    REF_BEFORE_ROLL, /* no dice */
    REF_ROLLED,      /* three dice, nothing played */
    REF_MID_TURN,    /* one or two micro-moves played, dice may be left or not */
    REF_ANY_MOMENT   /* one of the three, dice most often */
} ref_moment;

/*
 * A position of a random legal game (started from the initial position, kiwipete, endgames,
 * promotion races, positions with several en-passant targets; a new game begins when one ends).
 * Each call goes on by about one turn, so that consecutive positions belong to one game. Both kings
 * stand, except that a mid-turn position may be the end of the game.
 */
void ref_random_played(ref_random *random, ref_moment moment, char dfen[REF_DFEN_CAPACITY]);

/* Made-up placements; both colours to move, any dice (also none), any clocks. */
typedef enum ref_style {
    REF_SPARSE,     /* 2 kings and 1 to 8 pieces anywhere, pawns on any rank */
    REF_MIDDLE,     /* 2 kings and 9 to 24 pieces */
    REF_DENSE,      /* 2 kings and 30 to 61 pieces */
    REF_FULL,       /* all 64 squares occupied */
    REF_KINGLESS,   /* a king or both are missing */
    REF_MANY_KINGS, /* up to five kings a side */
    REF_CASTLING,   /* kings and rooks at home, rights, few blockers */
    REF_EN_PASSANT, /* pawns that meet on ranks 4 and 5 with their targets, some occupied */
    REF_PROMOTION,  /* pawns near the last rank with things to take there, kings among them */
    REF_NONSENSE,   /* rights and targets that contradict the board, targets on any rank */
    REF_STYLES
} ref_style;

void ref_random_placed(ref_random *random, ref_style style, char dfen[REF_DFEN_CAPACITY]);

/* Half played, half placed in any style. */
void ref_random_position(ref_random *random, char dfen[REF_DFEN_CAPACITY]);

/* Gives a DFEN another pool: letters of REF_FACES in any case, "" = none. */
void ref_random_set_pool(char dfen[REF_DFEN_CAPACITY], const char *pool);

#endif
