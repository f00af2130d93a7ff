/* SPDX-License-Identifier: MIT */
/*
 * How much material a roll can win, for every roll of one position, without listing turns.
 *
 * Turns of different rolls share their beginnings: what two dice lead to is the same whatever the
 * third die is. So the boards after each single die and each pair of dice are made once and kept,
 * and the last die is not played at all: the dearest piece it can take follows from attack sets.
 * This is what a search with material leaves asks, and there it replaces the lists of results.
 */
#ifndef HAZARD_SEARCH_GAINS_H
#define HAZARD_SEARCH_GAINS_H

#include <hazard/eval.h>

/* A board without dice after one or two of them, the same side still to move. */
typedef struct hzi_gain_board {
    hz_position board;
    int32_t gain; /* centipawns won so far */
} hzi_gain_board;

typedef struct hzi_gain_set {
    hzi_gain_board *boards;
    uint32_t count, capacity;
    int32_t most; /* largest gain; -1 without a board */
    bool made;
    bool too_many;
} hzi_gain_set;

/* Zero-initialise. One thread at a time. */
typedef struct hzi_gains {
    hz_position position; /* what the sets are of */
    bool open;
    bool good; /* memory sufficed so far */
    hz_arena arena;
    hzi_gain_set single[HZ_PIECE_TYPES];
    hzi_gain_set pair[HZ_PIECE_TYPES][HZ_PIECE_TYPES];            /* [low][high] */
    int32_t best[HZ_PIECE_TYPES][HZ_PIECE_TYPES][HZ_PIECE_TYPES]; /* by pair and last die */
    uint32_t *seen;                                               /* hash of a set's boards */
} hzi_gains;

typedef enum hzi_gain_answer {
    HZI_GAIN_FOUND,
    HZI_GAIN_TOO_MANY, /* boards to be kept: list the results */
    HZI_GAIN_NO_MEMORY
} hzi_gain_answer;

/*
 * The most centipawns a turn with this roll (three dice) wins for the side to move, promotions
 * included. position: without dice; sets are kept until another one is given. The roll must not be
 * able to take a king. *boards: with one die left that were looked at.
 */
hzi_gain_answer hzi_gains_of_roll(hzi_gains *gains, const hz_position *position,
                                  const hz_roll *roll, int32_t *gain, uint64_t *boards);
void hzi_gains_fini(hzi_gains *gains);

#endif
