/* SPDX-License-Identifier: MIT */
/*
 * A chess position as seven planes of 8 x 8 and thirteen flags. The view never
 * turns with the side to move: row 0 is rank 8, column 0 the a-file, as a FEN is read.
 *
 *   0..447    channel-major: color_a8, color_b8, ... color_h1, then the planes bishop, king,
 *             knight, pawn, queen, rook (alphabetical, not the order of the die faces)
 *   448       white_to_move
 *   449..452  white_castle_k, white_castle_q, black_castle_k, black_castle_q: rights as stated
 *   453..460  en_passant_a ... en_passant_h: one-hot, or all 0
 *
 * color is 1 for a White piece, 0 for a Black one, 0.5 for an empty square; the other planes are
 * 1 where a piece of that type, of either side, stands. The en-passant file is set only when a
 * legal en-passant capture exists, since FEN sources disagree about when to write the square. (Of
 * several such files, which no chess game has, the one nearest to the a-file.)
 */
#include "features/blocks.h"

#include "board/bits.h"
#include "board/make.h"

#include <stdio.h>
#include <string.h>

enum { CHANNELS = 7, BOARD_CELLS = CHANNELS * 64, META_CELLS = 13 };

static const hz_piece_type channel_type[CHANNELS] = {
    HZ_NO_PIECE, HZ_BISHOP, HZ_KING, HZ_KNIGHT, HZ_PAWN, HZ_QUEEN, HZ_ROOK,
};
static const char *const channel_name[CHANNELS] = {
    "color", "bishop", "king", "knight", "pawn", "queen", "rook",
};
static const char *const meta_name[META_CELLS] = {
    "white_to_move", "white_castle_k", "white_castle_q", "black_castle_k", "black_castle_q",
    "en_passant_a",  "en_passant_b",   "en_passant_c",   "en_passant_d",   "en_passant_e",
    "en_passant_f",  "en_passant_g",   "en_passant_h",
};

static size_t name(size_t column, char *buffer, size_t capacity) {
    int length;
    if (column < BOARD_CELLS) {
        char square[3];
        hz_square_to_text((int)(column % 64) ^ 56, square);
        length = snprintf(buffer, capacity, "%s_%s", channel_name[column / 64], square);
    } else {
        length = snprintf(buffer, capacity, "%s", meta_name[column - BOARD_CELLS]);
    }
    return (size_t)length;
}

/* Reading order starts with rank 8, so a cell is the square with its rank mirrored. */
static void fill(float *plane, uint64_t squares, float value) {
    while (squares) {
        plane[hzi_pop(&squares) ^ 56] = value;
    }
}

static void write_columns(hzi_row *row, float *out) {
    const hz_position *p = row->position;
    memset(out, 0, (BOARD_CELLS + META_CELLS) * sizeof *out);
    fill(out, ~hzi_occupied(p), 0.5f);
    fill(out, p->colors[HZ_WHITE], 1.0f);
    for (size_t channel = 1; channel < CHANNELS; channel++) {
        fill(out + 64 * channel, p->pieces[channel_type[channel]], 1.0f);
    }
    float *meta = out + BOARD_CELLS;
    meta[0] = p->side == HZ_WHITE ? 1.0f : 0.0f;
    for (unsigned right = 0; right < 4; right++) {
        meta[1 + right] = p->rights & 1u << right ? 1.0f : 0.0f;
    }
    uint64_t targets = p->targets ? hz_chess_legal_en_passant(p) : 0;
    if (targets) {
        meta[5 + (hzi_lsb(targets) & 7)] = 1.0f;
    }
}

const hzi_block hzi_block_planes = {
    .width = BOARD_CELLS + META_CELLS, .name = name, .write = write_columns};
