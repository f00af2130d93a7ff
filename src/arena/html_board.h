/* SPDX-License-Identifier: MIT */
/* Boards, pieces and dice as SVG. The shapes are drawn once on a page; every board only refers to them,
 * so that one takes about half a kilobyte. */
#ifndef HAZARD_ARENA_HTML_BOARD_H
#define HAZARD_ARENA_HTML_BOARD_H

#include "arena/text.h"

#include <hazard/board.h>

/* What a board shows besides its pieces. */
typedef struct hzi_html_marks {
    size_t move_count;
    hz_move moves[3]; /* the turn that led here */
    int taken;        /* the square on which a king was taken; -1 = none */
} hzi_html_marks;

/* Rules for the style of the page, and the shapes; once each. */
extern const char hzi_html_board_style[];
void hzi_html_board_shapes(hzi_text *out);
/* White stands below. title: for those who cannot see it. */
void hzi_html_board(hzi_text *out, const hz_position *position, const hzi_html_marks *marks,
                    const char *title);
/* The dice of a roll in the colour of who rolled them. */
void hzi_html_dice(hzi_text *out, hz_pool roll, hz_color color);

#endif
