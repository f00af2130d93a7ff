/* SPDX-License-Identifier: MIT */
/*
 * Writing rows of games; see rows.h. A block is first laid out column by column, for equal things
 * next to each other compress best, and then packed as one piece.
 */
#include "arena/rows.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

const hzi_rows_field hzi_rows_fields[HZI_ROWS_FIELDS] = {
    [HZI_ROWS_GAME] = {"game", 'u', 4, 1},
    [HZI_ROWS_PLY] = {"ply", 'u', 4, 1},
    [HZI_ROWS_LEFT] = {"left", 'u', 4, 1},
    [HZI_ROWS_BOARD] = {"board", 'u', 1, 32},
    [HZI_ROWS_TARGETS] = {"targets", 'u', 8, 1},
    [HZI_ROWS_FULLMOVE] = {"fullmove", 'u', 4, 1},
    [HZI_ROWS_HALFMOVE] = {"halfmove", 'u', 1, 1},
    [HZI_ROWS_SIDE] = {"side", 'u', 1, 1},
    [HZI_ROWS_RIGHTS] = {"rights", 'u', 1, 1},
    [HZI_ROWS_ROLL] = {"roll", 'u', 1, 1},
    [HZI_ROWS_TURN] = {"turn", 'u', 2, 3},
    [HZI_ROWS_FLAGS] = {"flags", 'u', 1, 1},
    [HZI_ROWS_SCORE] = {"score", 'i', 4, 1},
    [HZI_ROWS_BEST] = {"best", 'i', 4, 1},
    [HZI_ROWS_OWN] = {"own_216", 'u', 1, 1},
    [HZI_ROWS_ENEMY] = {"enemy_216", 'u', 1, 1},
    [HZI_ROWS_RESULT] = {"result", 'i', 1, 1},
    [HZI_ROWS_PLAYER] = {"player", 'u', 1, 1},
    [HZI_ROWS_OPPONENT] = {"opponent", 'u', 1, 1},
};

enum { PACK_LEVEL = 6 };

uint32_t hzi_rows_sum(const void *bytes, size_t length) {
    uLong sum = crc32(0, Z_NULL, 0);
    const Bytef *at = bytes;
    while (length > 0) {
        uInt part = length < 1u << 30 ? (uInt)length : 1u << 30;
        sum = crc32(sum, at, part);
        at += part;
        length -= part;
    }
    return (uint32_t)sum;
}

static hz_status no_memory(hz_error *err) {
    return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for rows of games");
}

/* ---- head and end ---- */

static hz_status put_settings(const hzi_rows_setting *settings, size_t count, hzi_bytes *body,
                              hz_error *err) {
    if (count > HZI_ROWS_SETTINGS_MAX) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET, "%zu settings, %d are allowed",
                       count, (int)HZI_ROWS_SETTINGS_MAX);
    }
    hzi_bytes_number(body, count, 2);
    for (size_t i = 0; i < count; i++) {
        size_t key = strlen(settings[i].key), value = strlen(settings[i].value);
        if (key > HZI_ROWS_KEY_MAX || value > HZI_ROWS_VALUE_MAX) {
            return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                           "the setting %.64s takes %zu bytes, %d are allowed", settings[i].key,
                           value, (int)HZI_ROWS_VALUE_MAX);
        }
        hzi_bytes_number(body, key, 1);
        hzi_bytes_add(body, settings[i].key, key);
        hzi_bytes_number(body, value, 2);
        hzi_bytes_add(body, settings[i].value, value);
    }
    return HZ_OK;
}

hz_status hzi_rows_put_head(const hzi_rows_setting *settings, size_t count, hzi_bytes *out,
                            hz_error *err) {
    hzi_bytes body = {0};
    hzi_bytes_number(&body, HZI_ROWS_FIELDS, 2);
    for (size_t i = 0; i < HZI_ROWS_FIELDS; i++) {
        const hzi_rows_field *field = &hzi_rows_fields[i];
        size_t length = strlen(field->name);
        hzi_bytes_number(&body, length, 1);
        hzi_bytes_add(&body, field->name, length);
        hzi_bytes_number(&body, (unsigned char)field->kind, 1);
        hzi_bytes_number(&body, field->size, 1);
        hzi_bytes_number(&body, field->count, 2);
    }
    hz_status status = put_settings(settings, count, &body, err);
    if (status == HZ_OK) {
        hzi_bytes_add(out, HZI_ROWS_MAGIC, 8);
        hzi_bytes_number(out, HZI_ROWS_VERSION, 4);
        hzi_bytes_number(out, body.used, 4);
        hzi_bytes_number(out, body.failed ? 0 : hzi_rows_sum(body.at, body.used), 4);
        hzi_bytes_add(out, body.at, body.used);
        status = body.failed || out->failed ? no_memory(err) : HZ_OK;
    }
    hzi_bytes_free(&body);
    return status;
}

hz_status hzi_rows_put_end(uint64_t games, uint64_t rows, hzi_bytes *out, hz_error *err) {
    hzi_bytes end = {0};
    hzi_bytes_number(&end, HZI_ROWS_END_TAG, 4);
    hzi_bytes_number(&end, games, 8);
    hzi_bytes_number(&end, rows, 8);
    hzi_bytes_number(&end, end.failed ? 0 : hzi_rows_sum(end.at, end.used), 4);
    hzi_bytes_add(out, end.at, end.used);
    hz_status status = end.failed || out->failed ? no_memory(err) : HZ_OK;
    hzi_bytes_free(&end);
    return status;
}

/* ---- blocks ---- */

/* Two squares a byte, a1 in the low half of the first: 0 empty, 1..6 White's PNBRQK, 9..14 Black's. */
static void put_board(const hz_position *position, unsigned char board[32]) {
    memset(board, 0, 32);
    for (int color = 0; color < 2; color++) {
        for (int type = 0; type < HZ_PIECE_TYPES; type++) {
            uint64_t set = position->pieces[type] & position->colors[color];
            for (int square = 0; set; square++, set >>= 1) {
                if (set & 1) {
                    unsigned code = (unsigned)(type + 1 + 8 * color);
                    board[square / 2] |= (unsigned char)(code << (square % 2 * 4));
                }
            }
        }
    }
}

static unsigned roll_number(hz_pool pool) {
    unsigned index = 0;
    while (index < HZ_ROLLS && hz_rolls[index].pool != pool) {
        index++;
    }
    return index;
}

/* Squares, and the type of a promotion in the four bits above; 0 = no micro-move. */
static unsigned written_move(hz_move move) {
    hz_piece_type promotion = hz_move_promotion(move);
    return (unsigned)hz_move_from(move) | (unsigned)hz_move_to(move) << 6 |
           (promotion == HZ_NO_PIECE ? 0u : (unsigned)promotion) << 12;
}

static void put_cell(const hzi_row *row, int field, hzi_bytes *raw) {
    const hz_position *position = &row->position;
    uint64_t value = 0;
    switch (field) {
    case HZI_ROWS_BOARD: {
        char *board = hzi_bytes_more(raw, 32);
        if (board) {
            put_board(position, (unsigned char *)board);
        }
        return;
    }
    case HZI_ROWS_TURN:
        for (int i = 0; i < 3; i++) {
            hzi_bytes_number(raw, i < row->turn.count ? written_move(row->turn.moves[i]) : 0, 2);
        }
        return;
    case HZI_ROWS_GAME:
        value = row->game;
        break;
    case HZI_ROWS_PLY:
        value = row->ply;
        break;
    case HZI_ROWS_LEFT:
        value = row->left;
        break;
    case HZI_ROWS_TARGETS:
        value = position->targets;
        break;
    case HZI_ROWS_FULLMOVE:
        value = position->fullmove;
        break;
    case HZI_ROWS_HALFMOVE:
        value = position->halfmove;
        break;
    case HZI_ROWS_SIDE:
        value = position->side;
        break;
    case HZI_ROWS_RIGHTS:
        value = position->rights;
        break;
    case HZI_ROWS_ROLL:
        value = roll_number(position->pool);
        break;
    case HZI_ROWS_FLAGS:
        value = row->flags;
        break;
    case HZI_ROWS_SCORE:
        value = (uint32_t)row->score;
        break;
    case HZI_ROWS_BEST:
        value = (uint32_t)row->best;
        break;
    case HZI_ROWS_OWN:
        value = row->own_216;
        break;
    case HZI_ROWS_ENEMY:
        value = row->enemy_216;
        break;
    case HZI_ROWS_RESULT:
        value = (uint8_t)row->result;
        break;
    case HZI_ROWS_PLAYER:
        value = row->player;
        break;
    default:
        value = row->opponent;
        break;
    }
    hzi_bytes_number(raw, value, hzi_rows_fields[field].size);
}

hz_status hzi_rows_put_block(const hzi_row *rows, size_t count, uint64_t first_game, uint32_t games,
                             hzi_bytes *out, hz_error *err) {
    hzi_bytes raw = {0};
    if (count > HZI_ROWS_BLOCK_MAX) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                       "%zu rows are too many for a block, %d are allowed", count,
                       (int)HZI_ROWS_BLOCK_MAX);
    }
    for (int field = 0; field < HZI_ROWS_FIELDS; field++) {
        for (size_t i = 0; i < count; i++) {
            put_cell(&rows[i], field, &raw);
        }
    }
    hz_status status = raw.failed ? no_memory(err) : HZ_OK;
    uLongf packed = compressBound((uLong)raw.used);
    unsigned char *bytes = status == HZ_OK ? malloc(packed) : NULL;
    static const unsigned char nothing[1] = {0};
    if (status == HZ_OK &&
        (!bytes || compress2(bytes, &packed, raw.at ? (const Bytef *)raw.at : nothing,
                             (uLong)raw.used, PACK_LEVEL) != Z_OK)) {
        status = no_memory(err);
    }
    if (status == HZ_OK) {
        size_t begin = out->used;
        hzi_bytes_number(out, HZI_ROWS_BLOCK_TAG, 4);
        hzi_bytes_number(out, games, 4);
        hzi_bytes_number(out, first_game, 8);
        hzi_bytes_number(out, count, 4);
        hzi_bytes_number(out, raw.used, 4);
        hzi_bytes_number(out, packed, 4);
        hzi_bytes_number(out, hzi_rows_sum(bytes, packed), 4);
        hzi_bytes_number(out, out->failed ? 0 : hzi_rows_sum(out->at + begin, out->used - begin),
                         4);
        hzi_bytes_add(out, bytes, packed);
        status = out->failed ? no_memory(err) : HZ_OK;
    }
    free(bytes);
    hzi_bytes_free(&raw);
    return status;
}
