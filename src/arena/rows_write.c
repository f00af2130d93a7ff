/* SPDX-License-Identifier: MIT */
/*
 * Writing rows of games; see rows.h. A block is first laid out column by column, for equal things
 * next to each other compress best, and then packed as one piece.
 */
#include "arena/rows.h"
#include "board/bits.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

const hzi_rows_field hzi_rows_fields[HZI_ROWS_FIELDS] = {
    [HZI_ROWS_GAME] = {"game", 'u', 4, 1},         [HZI_ROWS_PLY] = {"ply", 'u', 4, 1},
    [HZI_ROWS_LEFT] = {"left", 'u', 4, 1},         [HZI_ROWS_BOARD] = {"board", 'u', 1, 32},
    [HZI_ROWS_TARGETS] = {"targets", 'u', 8, 1},   [HZI_ROWS_FULLMOVE] = {"fullmove", 'u', 4, 1},
    [HZI_ROWS_HALFMOVE] = {"halfmove", 'u', 1, 1}, [HZI_ROWS_SIDE] = {"side", 'u', 1, 1},
    [HZI_ROWS_RIGHTS] = {"rights", 'u', 1, 1},     [HZI_ROWS_ROLL] = {"roll", 'u', 1, 1},
    [HZI_ROWS_TURN] = {"turn", 'u', 2, 3},         [HZI_ROWS_FLAGS] = {"flags", 'u', 1, 1},
    [HZI_ROWS_SCORE] = {"score", 'i', 4, 1},       [HZI_ROWS_BEST] = {"best", 'i', 4, 1},
    [HZI_ROWS_OWN] = {"own_216", 'u', 1, 1},       [HZI_ROWS_ENEMY] = {"enemy_216", 'u', 1, 1},
    [HZI_ROWS_RESULT] = {"result", 'i', 1, 1},     [HZI_ROWS_PLAYER] = {"player", 'u', 1, 1},
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

/* Whole numbers, least significant byte first. */
static void put_number(hzi_text *to, uint64_t value, size_t size) {
    char bytes[8];
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (char)(unsigned char)(value >> (8 * i));
    }
    hzi_text_add(to, bytes, size);
}

/* ---- head and end ---- */

static hz_status put_settings(const hzi_rows_setting *settings, size_t count, hzi_text *body,
                              hz_error *err) {
    if (count > HZI_ROWS_SETTINGS_MAX) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET, "%zu settings, %d are allowed",
                       count, (int)HZI_ROWS_SETTINGS_MAX);
    }
    put_number(body, count, 2);
    for (size_t i = 0; i < count; i++) {
        size_t key = strlen(settings[i].key), value = strlen(settings[i].value);
        if (key > HZI_ROWS_KEY_MAX || value > HZI_ROWS_VALUE_MAX) {
            return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                           "the setting %.64s takes %zu bytes, %d are allowed", settings[i].key,
                           value, (int)HZI_ROWS_VALUE_MAX);
        }
        put_number(body, key, 1);
        hzi_text_add(body, settings[i].key, key);
        put_number(body, value, 2);
        hzi_text_add(body, settings[i].value, value);
    }
    return HZ_OK;
}

hz_status hzi_rows_put_head(const hzi_rows_setting *settings, size_t count, hzi_text *out,
                            hz_error *err) {
    hzi_text body = {0};
    put_number(&body, HZI_ROWS_FIELDS, 2);
    for (size_t i = 0; i < HZI_ROWS_FIELDS; i++) {
        const hzi_rows_field *field = &hzi_rows_fields[i];
        size_t length = strlen(field->name);
        put_number(&body, length, 1);
        hzi_text_add(&body, field->name, length);
        put_number(&body, (unsigned char)field->kind, 1);
        put_number(&body, field->size, 1);
        put_number(&body, field->count, 2);
    }
    hz_status status = put_settings(settings, count, &body, err);
    if (status == HZ_OK) {
        hzi_text_add(out, HZI_ROWS_MAGIC, 8);
        put_number(out, HZI_ROWS_VERSION, 4);
        put_number(out, body.length, 4);
        put_number(out, body.failed ? 0 : hzi_rows_sum(body.bytes, body.length), 4);
        hzi_text_add(out, body.bytes, body.length);
        status = body.failed || out->failed ? no_memory(err) : HZ_OK;
    }
    hzi_text_fini(&body);
    return status;
}

hz_status hzi_rows_put_end(uint64_t games, uint64_t rows, hzi_text *out, hz_error *err) {
    hzi_text end = {0};
    put_number(&end, HZI_ROWS_END_TAG, 4);
    put_number(&end, games, 8);
    put_number(&end, rows, 8);
    put_number(&end, end.failed ? 0 : hzi_rows_sum(end.bytes, end.length), 4);
    hzi_text_add(out, end.bytes, end.length);
    hz_status status = end.failed || out->failed ? no_memory(err) : HZ_OK;
    hzi_text_fini(&end);
    return status;
}

/* ---- blocks ---- */

/* Two squares a byte, a1 in the low half of the first: 0 empty, 1..6 White's PNBRQK, 9..14 Black's. */
static void put_board(const hz_position *position, hzi_text *raw) {
    char board[32] = {0};
    for (int color = 0; color < 2; color++) {
        for (int type = 0; type < HZ_PIECE_TYPES; type++) {
            uint64_t set = position->pieces[type] & position->colors[color];
            while (set) {
                int square = hzi_pop(&set);
                unsigned code = (unsigned)(type + 1 + 8 * color);
                unsigned both = (unsigned char)board[square / 2];
                board[square / 2] = (char)(both | code << (square % 2 * 4));
            }
        }
    }
    hzi_text_add(raw, board, sizeof board);
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

static void put_cell(const hzi_row *row, int field, hzi_text *raw) {
    const hz_position *position = &row->position;
    uint64_t value = 0;
    switch (field) {
    case HZI_ROWS_BOARD:
        put_board(position, raw);
        return;
    case HZI_ROWS_TURN:
        for (int i = 0; i < 3; i++) {
            put_number(raw, i < row->turn.count ? written_move(row->turn.moves[i]) : 0, 2);
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
    put_number(raw, value, hzi_rows_fields[field].size);
}

hz_status hzi_rows_put_block(const hzi_row *rows, size_t count, uint64_t first_game, uint32_t games,
                             hzi_text *out, hz_error *err) {
    hzi_text raw = {0};
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
    uLongf packed = compressBound((uLong)raw.length);
    char *bytes = status == HZ_OK ? malloc(packed) : NULL;
    static const unsigned char nothing[1] = {0};
    if (status == HZ_OK && (!bytes || compress2((Bytef *)bytes, &packed,
                                                raw.bytes ? (const Bytef *)raw.bytes : nothing,
                                                (uLong)raw.length, PACK_LEVEL) != Z_OK)) {
        status = no_memory(err);
    }
    if (status == HZ_OK) {
        size_t begin = out->length;
        put_number(out, HZI_ROWS_BLOCK_TAG, 4);
        put_number(out, games, 4);
        put_number(out, first_game, 8);
        put_number(out, count, 4);
        put_number(out, raw.length, 4);
        put_number(out, packed, 4);
        put_number(out, hzi_rows_sum(bytes, packed), 4);
        put_number(out, out->failed ? 0 : hzi_rows_sum(out->bytes + begin, out->length - begin), 4);
        hzi_text_add(out, bytes, packed);
        status = out->failed ? no_memory(err) : HZ_OK;
    }
    free(bytes);
    hzi_text_fini(&raw);
    return status;
}
