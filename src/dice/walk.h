/* SPDX-License-Identifier: MIT */
/*
 * The depth-first walk over legal turns that everything about whole turns is built on. Moves are
 * generated in text order and no legal turn is a prefix of another, so turns come out sorted.
 */
#ifndef HAZARD_DICE_WALK_H
#define HAZARD_DICE_WALK_H

#include <hazard/dice.h>

typedef struct hzi_walker {
    /* in */
    hz_turn_visit visit; /* NULL = only count */
    void *context;
    const hz_deadline *deadline; /* may be NULL */
    hz_turn prefix;              /* only turns that begin with this; count 0 = all */
    /* out */
    uint64_t nodes;      /* micro-moves visited */
    uint64_t turns;      /* legal turns met */
    uint64_t king_turns; /* those that take a king */
    hz_status status;    /* HZ_OK, HZ_INCOMPLETE (visitor stopped), HZ_CANCELLED */
    /* own */
    hz_turn turn;
    int need;
} hzi_walker;

/* Walks all legal turns of the position. */
void hzi_walk(hzi_walker *walker, const hz_position *position);

#endif
