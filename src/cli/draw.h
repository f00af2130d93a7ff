/* SPDX-License-Identifier: MIT */
/*
 * Boards as text: White at the bottom, coordinates beside them, several boards side by side, some
 * squares marked; and the danger board, which shows beside every piece how many of the 216 rolls
 * take it. Plain letters always work; chess symbols and colours are for terminals that have them.
 */
#ifndef HAZARD_CLI_DRAW_H
#define HAZARD_CLI_DRAW_H

#include "cli/args.h"

typedef enum hzc_style { HZC_ASCII, HZC_UNICODE, HZC_COLOR } hzc_style;

typedef struct hzc_board {
    const hz_position *position;
    uint64_t marks; /* squares to point out */
} hzc_board;

/* The style of --board, or what the terminal can show: colours on a terminal unless NO_COLOR is set
 * or TERM is dumb, symbols where the character set is UTF-8. False after a complaint. */
bool hzc_style_read(const hzc_args *args, hzc_style *style);

/* Up to two boards fit into 80 columns. */
void hzc_draw_boards(hzc_out *out, hzc_style style, const hzc_board *boards, size_t count);
/* The pieces of both sides, each with the number of rolls that capture it. */
void hzc_draw_danger(hzc_out *out, hzc_style style, const hz_position *position);

/* The squares a turn starts from and arrives at. */
uint64_t hzc_turn_marks(const hz_turn *turn);
/* "White" or "Black". */
const char *hzc_color_name(hz_color color);

#endif
