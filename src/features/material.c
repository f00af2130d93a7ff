/* SPDX-License-Identifier: MIT */
/*
 * Material on the point scale: the seven columns every narrow schema begins with. Kings have no
 * points. Not to be confused with the centipawns of the static evaluators (eval room), which price
 * minor pieces and kings in their own way.
 */
#include "features/blocks.h"

#include "board/bits.h"

static const char *const names[] = {
    "p_diff",         /* own minus enemy pawns */
    "n_diff",         /* knights */
    "b_diff",         /* bishops */
    "r_diff",         /* rooks */
    "q_diff",         /* queens */
    "material_diff",  /* own minus enemy points */
    "total_material", /* own plus enemy points: the one column that is no difference */
};

static const int points[HZ_KING] = {1, 3, 3, 5, 9};

static void write_columns(hzi_row *row, float *out) {
    uint64_t own = row->position->colors[row->own], enemy = row->position->colors[row->enemy];
    int difference = 0, total = 0;
    for (int type = HZ_PAWN; type < HZ_KING; type++) {
        uint64_t pieces = row->position->pieces[type];
        int ours = hzi_popcount(pieces & own), theirs = hzi_popcount(pieces & enemy);
        out[type] = (float)(ours - theirs);
        difference += points[type] * (ours - theirs);
        total += points[type] * (ours + theirs);
    }
    out[5] = (float)difference;
    out[6] = (float)total;
}

const hzi_block hzi_block_material = HZI_BLOCK(names, write_columns);
