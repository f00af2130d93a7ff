/* SPDX-License-Identifier: MIT */
/*
 * The raw board: twelve planes of 64 cells, one per side and type, and nothing else. Seen from the
 * side asked about: square 0 is its own a-file corner, so its pawns always walk up. The dual view
 * is made of the same planes.
 */
#include "features/blocks.h"
#include "features/sparse.h"

#include "board/bits.h"

#include <stdio.h>
#include <string.h>

size_t hzi_raw_board_ones(const hz_position *position, hz_color color, uint16_t *ones) {
    uint16_t *out = ones;
    for (unsigned side = 0; side < 2; side++) {
        uint64_t pieces = position->colors[(unsigned)color ^ side];
        for (unsigned type = 0; type < HZ_PIECE_TYPES; type++) {
            uint64_t plane = position->pieces[type] & pieces;
            plane = color == HZ_BLACK ? hzi_flip_ranks(plane) : plane;
            unsigned base = 64 * (HZ_PIECE_TYPES * side + type);
            while (plane) {
                *out++ = (uint16_t)(base + (unsigned)hzi_pop(&plane));
            }
        }
    }
    return (size_t)(out - ones);
}

void hzi_row_from_ones(const uint16_t *ones, size_t count, float *row, size_t width) {
    memset(row, 0, width * sizeof *row);
    for (size_t i = 0; i < count; i++) {
        row[ones[i]] = 1.0f;
    }
}

size_t hzi_raw_board_name(const char *prefix, size_t column, char *buffer, size_t capacity) {
    size_t plane = column / 64, square = column % 64;
    int length =
        snprintf(buffer, capacity, "%s%s_%c_%zu", prefix, plane < HZ_PIECE_TYPES ? "own" : "opp",
                 "pnbrqk"[plane % HZ_PIECE_TYPES], square);
    return (size_t)length;
}

static size_t name(size_t column, char *buffer, size_t capacity) {
    return hzi_raw_board_name("", column, buffer, capacity);
}

static void write_columns(hzi_row *row, float *out) {
    uint16_t ones[HZI_RAW_BOARD_ONES];
    size_t count = hzi_raw_board_ones(row->position, row->own, ones);
    hzi_row_from_ones(ones, count, out, HZI_RAW_BOARD_WIDTH);
}

const hzi_block hzi_block_raw_board = {
    .width = HZI_RAW_BOARD_WIDTH, .name = name, .write = write_columns};
