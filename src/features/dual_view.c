/* SPDX-License-Identifier: MIT */
/*
 * The dual view of a chess position: 770 cells as the side to move sees the
 * board, then 770 as the other side sees it, so that one shared layer can read both. Each half is
 * the raw board of that side followed by its two castling rights as the position states them.
 * En passant and the clocks are not encoded.
 *
 *   0..767    stm_own_p_0 ... stm_opp_k_63      770..1537   nstm_own_p_0 ... nstm_opp_k_63
 *   768, 769  stm_castle_k, stm_castle_q        1538, 1539  nstm_castle_k, nstm_castle_q
 */
#include "features/blocks.h"
#include "features/sparse.h"

#include <stdio.h>

size_t hzi_dual_view_ones(const hz_position *position, uint16_t *ones) {
    size_t count = 0;
    for (unsigned half = 0; half < 2; half++) {
        unsigned view = position->side ^ half, base = half * HZI_DUAL_VIEW_HALF;
        size_t first = count;
        count += hzi_raw_board_ones(position, (hz_color)view, ones + count);
        for (size_t i = first; i < count; i++) {
            ones[i] = (uint16_t)(ones[i] + base);
        }
        unsigned rights = view == HZ_BLACK ? position->rights >> 2 : position->rights & 3u;
        for (unsigned wing = 0; wing < 2; wing++) {
            if (rights & 1u << wing) {
                ones[count++] = (uint16_t)(base + HZI_RAW_BOARD_WIDTH + wing);
            }
        }
    }
    return count;
}

static size_t name(size_t column, char *buffer, size_t capacity) {
    const char *prefix = column < HZI_DUAL_VIEW_HALF ? "stm_" : "nstm_";
    size_t cell = column % HZI_DUAL_VIEW_HALF;
    if (cell < HZI_RAW_BOARD_WIDTH) {
        return hzi_raw_board_name(prefix, cell, buffer, capacity);
    }
    int length =
        snprintf(buffer, capacity, "%scastle_%c", prefix, cell == HZI_RAW_BOARD_WIDTH ? 'k' : 'q');
    return (size_t)length;
}

static void write_columns(hzi_row *row, float *out) {
    uint16_t ones[HZI_DUAL_VIEW_ONES];
    size_t count = hzi_dual_view_ones(row->position, ones);
    hzi_row_from_ones(ones, count, out, HZI_DUAL_VIEW_WIDTH);
}

const hzi_block hzi_block_dual_view = {
    .width = HZI_DUAL_VIEW_WIDTH, .name = name, .write = write_columns};
