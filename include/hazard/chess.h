/* SPDX-License-Identifier: MIT */
/*
 * hazard/chess.h - orthodox chess on the shared position. So far: what the chess encoders need to
 * know about legality.
 *
 * All functions are safe in any thread.
 */
#ifndef HAZARD_CHESS_H
#define HAZARD_CHESS_H

#include <hazard/board.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether a king of `color` stands on an attacked square; false without a king. */
bool hz_chess_in_check(const hz_position *position, hz_color color);

/* Targets on which the side to move has at least one legal en-passant capture: a pawn in place, and
 * its own king not attacked after both pawns have left their squares. */
uint64_t hz_chess_legal_en_passant(const hz_position *position);

#ifdef __cplusplus
}
#endif
#endif
