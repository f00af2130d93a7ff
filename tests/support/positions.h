/* SPDX-License-Identifier: MIT */
/*
 * support/positions.h - helpers for tests of rooms that lean on board: positions from text that
 * must be good, lists as text.
 */
#ifndef HAZARD_TEST_POSITIONS_H
#define HAZARD_TEST_POSITIONS_H

#include <hazard/board.h>

#include "support/support.h"

/* The position of a DFEN; fails the test, showing the text and the error, when it is refused. */
hz_position test_position(const char *dfen);
/* Every field is the same, clocks and key included. */
bool test_same_position(const hz_position *a, const hz_position *b);
/* The canonical DFEN. */
const char *test_dfen(const hz_position *position, char buffer[HZ_DFEN_CAPACITY]);
/* A move's text. */
const char *test_move(hz_move move, char buffer[HZ_MOVE_CAPACITY]);
/* Moves as one text, blanks between them. Free the text with test_text_free. */
void test_moves_text(test_text *text, const hz_move *moves, int count);

#endif
