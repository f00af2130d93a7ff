/* SPDX-License-Identifier: MIT */
/*
 * support/turns.h - helpers for tests of rooms that lean on dice: lists of moves and turns as text
 * that can be compared with what the slow oracle says.
 */
#ifndef HAZARD_TEST_TURNS_H
#define HAZARD_TEST_TURNS_H

#include <hazard/dice.h>

#include "ref/ref_dice.h"
#include "support/positions.h"

/* A turn's text. */
const char *test_turn(const hz_turn *turn, char buffer[HZ_TURN_CAPACITY]);
/* Micro-moves played one after the other from a position: "e2e4,e7e5", "" = none. Fails the test
 * when one cannot be played. */
hz_turn test_played(const hz_position *position, const char *moves);

/* The oracle's position of a DFEN; fails the test when it is not well-formed. */
ref_position test_slow(const char *dfen);
/* The oracle's moves as one text, blanks between them. */
void test_slow_moves_text(test_text *text, const ref_moves *list);

/* Same moves in the same order, by text. */
void test_same_moves(const char *dfen, const char *what, const ref_moves *expected,
                     const hz_move_list *actual);
/* Same turns in the same order, with the same king marks. */
void test_same_turns(const char *dfen, const char *what, const ref_turns *expected,
                     const hz_turn *actual, size_t count);

#endif
