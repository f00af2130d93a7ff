/* SPDX-License-Identifier: MIT */
/*
 * ref/ref_chess.h - orthodox chess on the board of letters of ref_dice.h: a legal move is a
 * micro-move after which no own king is attacked, and its notation is the shortest text that fits
 * no other legal move. Slow on purpose, sharing nothing with the library.
 */
#ifndef HAZARD_REF_CHESS_H
#define HAZARD_REF_CHESS_H

#include "ref/ref_dice.h"

enum { REF_SAN_CAPACITY = 16 };

/* Legal moves of a position without dice, sorted by text. */
void ref_chess_moves(const ref_position *position, ref_moves *list);
/* The position after a legal move; only the target of that move is left. */
ref_position ref_chess_after(const ref_position *position, const char *move);
/* Strict notation of a move of the list. */
void ref_chess_san(const ref_position *position, const ref_moves *list, const char *move,
                   char san[REF_SAN_CAPACITY]);
/* Leaves of the tree of legal moves, each played. */
uint64_t ref_chess_perft(const ref_position *position, int depth);

#endif
