/* SPDX-License-Identifier: MIT */
/* Micro-moves given as text, played one after the other; chess moves in the order of their texts. */
#ifndef HAZARD_CLI_MOVES_H
#define HAZARD_CLI_MOVES_H

#include <hazard.h>

/*
 * Plays micro-moves separated by commas ("-" or nothing for none), as hz_move_apply does: each must
 * be pseudo-legal and, when the position had dice, paid by those left. The maximum rule is not
 * looked at and their number is not limited. On failure *position is unchanged and the offset of
 * the error is that of the micro-move in the text.
 */
hz_status hzc_moves_apply(hz_position *position, const char *text, size_t length, bool *took_king,
                          hz_error *err);

/* Legal moves of chess, ordered by their texts; their number. */
int hzc_moves_chess(const hz_position *position, hz_move moves[HZ_CHESS_MOVES_MAX]);

#endif
