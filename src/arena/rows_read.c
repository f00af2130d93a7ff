/* SPDX-License-Identifier: MIT */
/*
 * Reading rows of games; see rows.h. Nothing of a file is believed: lengths have limits, everything has
 * a checksum, and each row must be a position with a roll and a turn that can be played there.
 */
#include "arena/rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Where a column of ours stands in the blocks of this file. */
typedef struct place {
    size_t before; /* bytes of a row in the columns before it */
    bool there;
} place;

struct hzi_rows_reader {
    hz_record_source source;
    void *context;
    place places[HZI_ROWS_FIELDS];
    size_t row_size;
    hzi_text body; /* of the head: what the settings point into */
    size_t setting_count;
    hzi_rows_setting *settings;
    hzi_text packed;
    char *raw; /* a block, unpacked */
    hzi_row *rows;
    size_t row_capacity;
    uint64_t offset, games, row_count;
    hz_status failed; /* HZ_OK = not yet */
    hz_error error;
};

static hz_status no_memory(hz_error *err) {
    return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for rows of games");
}

static uint64_t number_at(const void *at, size_t size) {
    const unsigned char *from = at;
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++) {
        value |= (uint64_t)from[i] << (8 * i);
    }
    return value;
}

/* Reads exactly `length` bytes unless the text ends before. */
static hz_status take(hzi_rows_reader *reader, char *to, size_t length, size_t *got,
                      hz_error *err) {
    *got = 0;
    while (*got < length) {
        ptrdiff_t n = reader->source(reader->context, to + *got, length - *got);
        if (n < 0) {
            return hz_fail(err, HZ_IO, HZ_NO_OFFSET, "the rows of games could not be read");
        }
        if (n == 0) {
            break;
        }
        *got += (size_t)n;
    }
    return HZ_OK;
}

/* The same into bytes, grown as they come, so that a false length takes no memory. */
static hz_status take_bytes(hzi_rows_reader *reader, hzi_text *bytes, size_t length, size_t *got,
                            hz_error *err) {
    char piece[8192];
    hzi_text_clear(bytes);
    *got = 0;
    while (*got < length) {
        size_t want = length - *got < sizeof piece ? length - *got : sizeof piece, part = 0;
        hz_status status = take(reader, piece, want, &part, err);
        if (status != HZ_OK) {
            return status;
        }
        hzi_text_add(bytes, piece, part);
        *got += part;
        if (part < want) {
            break;
        }
    }
    return bytes->failed ? no_memory(err) : HZ_OK;
}

/* ---- the head ---- */

/* A walk through the body of the head. */
typedef struct walk {
    const char *at;
    size_t left;
    bool good;
} walk;

static uint64_t number(walk *w, size_t size) {
    if (w->left < size) {
        w->good = false;
        return 0;
    }
    uint64_t value = number_at(w->at, size);
    w->at += size;
    w->left -= size;
    return value;
}

/* Appends a text of `length` bytes and a NUL. Not good when it is cut or has a NUL inside. */
static void take_text(walk *w, size_t length, hzi_text *to) {
    if (w->left < length || memchr(w->at, '\0', length)) {
        w->good = false;
        return;
    }
    hzi_text_add(to, w->at, length);
    hzi_text_add(to, "", 1);
    w->at += length;
    w->left -= length;
}

static hz_status bad_head(hz_error *err, const char *what) {
    return hz_fail(err, HZ_ROWS, HZI_ROWS_HEAD, "the head of the rows is damaged: %s", what);
}

static hz_status read_fields(hzi_rows_reader *reader, walk *w, hzi_text *texts, hz_error *err) {
    size_t count = number(w, 2), before = 0;
    for (size_t i = 0; i < count && w->good; i++) {
        hzi_text_clear(texts);
        take_text(w, number(w, 1), texts);
        char kind = (char)number(w, 1);
        size_t size = number(w, 1), many = number(w, 2);
        if (!w->good || texts->failed) {
            break;
        }
        const char *name = texts->bytes;
        if (size == 0 || size > 8 || (size & (size - 1)) || many == 0) {
            return bad_head(err, "a column without a size");
        }
        for (int f = 0; f < HZI_ROWS_FIELDS; f++) {
            const hzi_rows_field *field = &hzi_rows_fields[f];
            if (strcmp(field->name, name) != 0) {
                continue;
            }
            if (field->kind != kind || field->size != size || field->count != many ||
                reader->places[f].there) {
                return hz_fail(err, HZ_ROWS, HZI_ROWS_HEAD,
                               "the column %s stands there twice or has another type than %c%d x "
                               "%d",
                               field->name, field->kind, 8 * field->size, field->count);
            }
            reader->places[f] = (place){before, true};
        }
        before += size * many;
    }
    reader->row_size = before;
    for (int f = 0; f < HZI_ROWS_FIELDS && w->good; f++) {
        if (!reader->places[f].there) {
            return hz_fail(err, HZ_ROWS, HZI_ROWS_HEAD, "the column %s is missing",
                           hzi_rows_fields[f].name);
        }
    }
    return texts->failed ? no_memory(err)
           : w->good     ? HZ_OK
                         : bad_head(err, "the list of columns is cut short");
}

static hz_status read_settings(hzi_rows_reader *reader, walk *w, hz_error *err) {
    size_t count = number(w, 2);
    if (!w->good || count > HZI_ROWS_SETTINGS_MAX) {
        return bad_head(err, "too many settings");
    }
    reader->settings = calloc(count + 1, sizeof *reader->settings);
    /* Texts move while they are gathered, so first their places are noted. */
    size_t *places = calloc(2 * count + 1, sizeof *places);
    hzi_text *texts = &reader->body;
    hz_status status = HZ_OK;
    if (!reader->settings || !places) {
        free(places);
        return no_memory(err);
    }
    for (size_t i = 0; i < count && w->good && status == HZ_OK; i++) {
        for (size_t k = 0; k < 2; k++) {
            size_t length = number(w, k == 0 ? 1 : 2);
            places[2 * i + k] = texts->length;
            if (length > (k == 0 ? (size_t)HZI_ROWS_KEY_MAX : (size_t)HZI_ROWS_VALUE_MAX)) {
                w->good = false;
            }
            take_text(w, length, texts);
        }
    }
    if (status == HZ_OK && texts->failed) {
        status = no_memory(err);
    }
    if (status == HZ_OK && (!w->good || w->left != 0)) {
        status = bad_head(err, "the settings do not end where they should");
    }
    for (size_t i = 0; i < count && status == HZ_OK; i++) {
        reader->settings[i] =
            (hzi_rows_setting){texts->bytes + places[2 * i], texts->bytes + places[2 * i + 1]};
    }
    reader->setting_count = status == HZ_OK ? count : 0;
    free(places);
    return status;
}

static hz_status read_head(hzi_rows_reader *reader, hz_error *err) {
    char head[HZI_ROWS_HEAD];
    size_t got = 0;
    hz_status status = take(reader, head, sizeof head, &got, err);
    if (status != HZ_OK) {
        return status;
    }
    if (got < sizeof head || memcmp(head, HZI_ROWS_MAGIC, 8) != 0) {
        return hz_fail(err, HZ_ROWS, 0, "this is no file of rows of games");
    }
    uint64_t version = number_at(head + 8, 4), length = number_at(head + 12, 4);
    if (version != HZI_ROWS_VERSION) {
        return hz_fail(err, HZ_ROWS, 8, "rows of version %" PRIu64 ", only %d is known", version,
                       (int)HZI_ROWS_VERSION);
    }
    if (length > HZI_ROWS_HEAD_MAX) {
        return hz_fail(err, HZ_ROWS, 12, "a head of %" PRIu64 " bytes is too long", length);
    }
    status = take_bytes(reader, &reader->packed, (size_t)length, &got, err);
    if (status == HZ_OK &&
        (got < length || hzi_rows_sum(reader->packed.bytes, got) != number_at(head + 16, 4))) {
        status = bad_head(err, got < length ? "it is cut short" : "its checksum is another one");
    }
    walk w = {reader->packed.bytes, (size_t)length, true};
    hzi_text names = {0};
    if (status == HZ_OK) {
        status = read_fields(reader, &w, &names, err);
    }
    hzi_text_fini(&names);
    if (status == HZ_OK) {
        status = read_settings(reader, &w, err);
    }
    reader->offset = HZI_ROWS_HEAD + length;
    return status;
}

hz_status hzi_rows_open(hz_record_source source, void *context, hzi_rows_reader **made,
                        hz_error *err) {
    hzi_rows_reader *reader = calloc(1, sizeof *reader);
    *made = NULL;
    if (!reader) {
        return no_memory(err);
    }
    reader->source = source;
    reader->context = context;
    hz_status status = read_head(reader, err);
    if (status != HZ_OK) {
        hzi_rows_close(reader);
        return status;
    }
    *made = reader;
    return HZ_OK;
}

void hzi_rows_close(hzi_rows_reader *reader) {
    if (reader) {
        hzi_text_fini(&reader->body);
        hzi_text_fini(&reader->packed);
        free(reader->raw);
        free(reader->settings);
        free(reader->rows);
        free(reader);
    }
}

const hzi_rows_setting *hzi_rows_settings(const hzi_rows_reader *reader, size_t *count) {
    *count = reader->setting_count;
    return reader->settings;
}

uint64_t hzi_rows_offset(const hzi_rows_reader *reader) {
    return reader->offset;
}

uint64_t hzi_rows_games(const hzi_rows_reader *reader) {
    return reader->games;
}

uint64_t hzi_rows_rows(const hzi_rows_reader *reader) {
    return reader->row_count;
}

/* ---- rows ---- */

/* The cell of a row, number `index` of it. */
static uint64_t cell(const hzi_rows_reader *reader, size_t rows, size_t row, int field,
                     size_t index) {
    const hzi_rows_field *f = &hzi_rows_fields[field];
    const char *column = reader->raw + reader->places[field].before * rows;
    return number_at(column + (row * f->count + index) * f->size, f->size);
}

static bool read_board(const unsigned char *board, hz_position *position) {
    for (int square = 0; square < HZ_SQUARES; square++) {
        unsigned code = (unsigned)board[square / 2] >> (square % 2 * 4) & 15u;
        unsigned type = code & 7u;
        if (type == 7 || (type == 0 && code != 0)) {
            return false;
        }
        if (code) {
            hz_position_put(position, square, code & 8u ? HZ_BLACK : HZ_WHITE,
                            (hz_piece_type)(type - 1));
        }
    }
    return true;
}

/* Plays the micro-moves as they are written. */
static bool read_turn(const uint64_t written[3], const hz_position *position, hz_turn *turn) {
    char turn_text[HZ_TURN_CAPACITY];
    size_t length = 0;
    for (size_t i = 0; i < 3; i++) {
        unsigned promotion = (unsigned)(written[i] >> 12);
        if (written[i] == 0) {
            if (i < 2 && written[i + 1]) {
                return false;
            }
            continue;
        }
        if (promotion > HZ_QUEEN) {
            return false;
        }
        if (length) {
            turn_text[length++] = ',';
        }
        hz_square_to_text((int)(written[i] & 63), turn_text + length);
        hz_square_to_text((int)(written[i] >> 6 & 63), turn_text + length + 2);
        length += 4;
        if (promotion) {
            turn_text[length++] = "pnbrq"[promotion];
        }
    }
    if (length == 0) {
        *turn = (hz_turn){0};
        return true;
    }
    return hz_turn_parse(position, turn_text, length, turn, NULL, NULL) == HZ_OK;
}

/* What is wrong with a row; NULL = nothing. */
static const char *read_row(const hzi_rows_reader *r, size_t rows, size_t i, hzi_row *row) {
    uint64_t fullmove = cell(r, rows, i, HZI_ROWS_FULLMOVE, 0);
    uint64_t halfmove = cell(r, rows, i, HZI_ROWS_HALFMOVE, 0);
    uint64_t side = cell(r, rows, i, HZI_ROWS_SIDE, 0);
    uint64_t rights = cell(r, rows, i, HZI_ROWS_RIGHTS, 0);
    uint64_t roll = cell(r, rows, i, HZI_ROWS_ROLL, 0);
    uint64_t own = cell(r, rows, i, HZI_ROWS_OWN, 0), enemy = cell(r, rows, i, HZI_ROWS_ENEMY, 0);
    int8_t result = (int8_t)(uint8_t)cell(r, rows, i, HZI_ROWS_RESULT, 0);
    hz_position position = hz_position_empty();
    if (fullmove < 1 || fullmove > INT32_MAX || halfmove > 127) {
        return "a clock";
    }
    if (side > 1 || rights > HZ_RIGHTS_ALL || roll >= HZ_ROLLS) {
        return "the side to move, the rights or the roll";
    }
    if (own > HZ_ROLLS_ORDERED || enemy > HZ_ROLLS_ORDERED || result < -1 || result > 1) {
        return "the odds or the result";
    }
    const char *board = r->raw + r->places[HZI_ROWS_BOARD].before * rows + i * 32;
    if (!read_board((const unsigned char *)board, &position)) {
        return "the board";
    }
    hz_position_set_targets(&position, cell(r, rows, i, HZI_ROWS_TARGETS, 0));
    hz_position_set_rights(&position, (unsigned)rights);
    hz_position_set_side(&position, (hz_color)side);
    hz_position_set_pool(&position, hz_rolls[roll].pool);
    position.fullmove = (uint32_t)fullmove;
    position.halfmove = (uint8_t)halfmove;
    uint64_t written[3];
    for (size_t k = 0; k < 3; k++) {
        written[k] = cell(r, rows, i, HZI_ROWS_TURN, k);
    }
    *row = (hzi_row){.game = (uint32_t)cell(r, rows, i, HZI_ROWS_GAME, 0),
                     .ply = (uint32_t)cell(r, rows, i, HZI_ROWS_PLY, 0),
                     .left = (uint32_t)cell(r, rows, i, HZI_ROWS_LEFT, 0),
                     .position = position,
                     .flags = (uint8_t)cell(r, rows, i, HZI_ROWS_FLAGS, 0),
                     .score = (int32_t)(uint32_t)cell(r, rows, i, HZI_ROWS_SCORE, 0),
                     .best = (int32_t)(uint32_t)cell(r, rows, i, HZI_ROWS_BEST, 0),
                     .own_216 = (uint8_t)own,
                     .enemy_216 = (uint8_t)enemy,
                     .result = result,
                     .player = (uint8_t)cell(r, rows, i, HZI_ROWS_PLAYER, 0),
                     .opponent = (uint8_t)cell(r, rows, i, HZI_ROWS_OPPONENT, 0)};
    return read_turn(written, &position, &row->turn) ? NULL : "a turn that cannot be played";
}

static hz_status read_rows(hzi_rows_reader *reader, size_t count, uint64_t raw, hz_error *err) {
    char *to = realloc(reader->raw, (size_t)raw + 1);
    if (!to) {
        return no_memory(err);
    }
    reader->raw = to;
    uLongf unpacked = (uLongf)raw;
    if (uncompress((Bytef *)to, &unpacked, (const Bytef *)reader->packed.bytes,
                   (uLong)reader->packed.length) != Z_OK ||
        unpacked != raw) {
        return hz_fail(err, HZ_ROWS, (size_t)reader->offset, "a block cannot be unpacked");
    }
    if (count > reader->row_capacity) {
        hzi_row *grown = realloc(reader->rows, count * sizeof *grown);
        if (!grown) {
            return no_memory(err);
        }
        reader->rows = grown;
        reader->row_capacity = count;
    }
    for (size_t i = 0; i < count; i++) {
        const char *wrong = read_row(reader, count, i, &reader->rows[i]);
        if (wrong) {
            return hz_fail(err, HZ_ROWS, (size_t)reader->offset, "row %zu of a block: %s", i + 1,
                           wrong);
        }
    }
    return HZ_OK;
}

/* ---- blocks ---- */

static hz_status cut_short(const hzi_rows_reader *reader, hz_error *err) {
    return hz_fail(err, HZ_INCOMPLETE, (size_t)reader->offset,
                   "the rows end after %" PRIu64 " games without their end", reader->games);
}

static hz_status read_end(hzi_rows_reader *reader, const char *head, hz_error *err) {
    char beyond;
    size_t got = 0;
    if (number_at(head + 20, 4) != hzi_rows_sum(head, 20) ||
        number_at(head + 4, 8) != reader->games || number_at(head + 12, 8) != reader->row_count) {
        return hz_fail(err, HZ_ROWS, (size_t)reader->offset,
                       "the end of the rows does not fit what stands before it");
    }
    hz_status status = take(reader, &beyond, 1, &got, err);
    if (status == HZ_OK && got) {
        return hz_fail(err, HZ_ROWS, (size_t)reader->offset + HZI_ROWS_END,
                       "something follows the end of the rows");
    }
    return status == HZ_OK ? hz_fail(err, HZ_NOT_FOUND, HZ_NO_OFFSET, "the rows are at their end")
                           : status;
}

static hz_status read_block(hzi_rows_reader *reader, bool with_rows, hzi_rows_block *block,
                            hz_error *err) {
    char head[HZI_ROWS_BLOCK_HEAD];
    size_t got = 0;
    hz_status status = take(reader, head, HZI_ROWS_END, &got, err);
    if (status != HZ_OK) {
        return status;
    }
    if (got < HZI_ROWS_END) {
        return cut_short(reader, err);
    }
    if (number_at(head, 4) == HZI_ROWS_END_TAG) {
        return read_end(reader, head, err);
    }
    status = take(reader, head + HZI_ROWS_END, sizeof head - HZI_ROWS_END, &got, err);
    if (status != HZ_OK) {
        return status;
    }
    if (got < sizeof head - HZI_ROWS_END) {
        return cut_short(reader, err);
    }
    uint64_t games = number_at(head + 4, 4), first = number_at(head + 8, 8);
    uint64_t rows = number_at(head + 16, 4), raw = number_at(head + 20, 4);
    uint64_t packed = number_at(head + 24, 4);
    if (number_at(head, 4) != HZI_ROWS_BLOCK_TAG ||
        number_at(head + 32, 4) != hzi_rows_sum(head, 32) || first != reader->games ||
        rows > HZI_ROWS_BLOCK_MAX || raw > HZI_ROWS_BYTES_MAX || raw != rows * reader->row_size ||
        packed > compressBound((uLong)raw)) {
        return hz_fail(err, HZ_ROWS, (size_t)reader->offset, "the head of a block is damaged");
    }
    status = take_bytes(reader, &reader->packed, (size_t)packed, &got, err);
    if (status != HZ_OK) {
        return status;
    }
    if (got < packed) {
        return cut_short(reader, err);
    }
    if (hzi_rows_sum(reader->packed.bytes, (size_t)packed) != number_at(head + 28, 4)) {
        return hz_fail(err, HZ_ROWS, (size_t)reader->offset, "the checksum of a block is wrong");
    }
    if (with_rows) {
        status = read_rows(reader, (size_t)rows, raw, err);
    }
    if (status == HZ_OK) {
        *block =
            (hzi_rows_block){first, (uint32_t)games, (size_t)rows, with_rows ? reader->rows : NULL};
        reader->offset += sizeof head + packed;
        reader->games += games;
        reader->row_count += rows;
    }
    return status;
}

static hz_status next(hzi_rows_reader *reader, bool with_rows, hzi_rows_block *block,
                      hz_error *err) {
    *block = (hzi_rows_block){0};
    if (reader->failed == HZ_OK) {
        reader->failed = read_block(reader, with_rows, block, &reader->error);
    }
    if (reader->failed != HZ_OK && err) {
        *err = reader->error;
    }
    return reader->failed;
}

hz_status hzi_rows_next(hzi_rows_reader *reader, hzi_rows_block *block, hz_error *err) {
    return next(reader, true, block, err);
}

hz_status hzi_rows_skip(hzi_rows_reader *reader, hzi_rows_block *block, hz_error *err) {
    return next(reader, false, block, err);
}
