/* SPDX-License-Identifier: MIT */
/* What reading and writing PGN share. */
#ifndef HAZARD_CHESS_PGN_H
#define HAZARD_CHESS_PGN_H

#include <hazard/chess.h>

/* Columns of a line of an exported game. */
enum { HZI_PGN_COLUMNS = 80 };

#endif
