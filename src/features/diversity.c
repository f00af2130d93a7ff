/* SPDX-License-Identifier: MIT */
/*
 * Piece diversity: how many of the types P N B R Q a side has at least once, which is how many die
 * faces besides the king's can ever be of use to it. As a column: a fifth of that, 0 to 1.
 */
#include "features/blocks.h"

int hz_diversity(const hz_position *position, hz_color color) {
    int types = 0;
    for (int type = HZ_PAWN; type < HZ_KING; type++) {
        types += (position->pieces[type] & position->colors[color]) != 0;
    }
    return types;
}

static void write_columns(hzi_row *row, float *out) {
    out[0] = (float)hz_diversity(row->position, row->own) / 5.0f;
    out[1] = (float)hz_diversity(row->position, row->enemy) / 5.0f;
}

/* The same two columns; the rich schema spells the second one out, the wider ones do not. Both
 * spellings are part of their contracts. */
static const char *const rich_names[] = {"own_pdi", "opponent_pdi"};
static const char *const names[] = {"own_pdi", "opp_pdi"};

const hzi_block hzi_block_pdi_rich = HZI_BLOCK(rich_names, write_columns);
const hzi_block hzi_block_pdi = HZI_BLOCK(names, write_columns);
