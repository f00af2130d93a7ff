/* SPDX-License-Identifier: MIT */
/* Rows of games: any bytes as a file, as the body of a head with a right checksum, and as the cells of
 * a block. What was read is written and read again. */
#include "fuzz/fuzz.h"

#include "arena/rows.h"

#include <string.h>
#include <zlib.h>

static void put_number(hzi_text *to, uint64_t value, size_t size) {
    char bytes[8];
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (char)(unsigned char)(value >> (8 * i));
    }
    hzi_text_add(to, bytes, size);
}

/* Rows written anew are the same rows. */
static void check_block(const hzi_rows_block *block) {
    hzi_text bytes = {0};
    hz_error err;
    hzi_rows_reader *reader;
    hzi_rows_block again;
    FUZZ_CHECK(hzi_rows_put_head(NULL, 0, &bytes, &err) == HZ_OK);
    FUZZ_CHECK(hzi_rows_put_block(block->rows, block->count, 0, block->games, &bytes, &err) ==
               HZ_OK);
    FUZZ_CHECK(hzi_rows_put_end(block->games, block->count, &bytes, &err) == HZ_OK);
    fuzz_source d = {bytes.bytes, bytes.length, 3};
    FUZZ_CHECK(hzi_rows_open(fuzz_drip, &d, &reader, &err) == HZ_OK);
    FUZZ_CHECK(hzi_rows_next(reader, &again, &err) == HZ_OK);
    FUZZ_CHECK(again.count == block->count && again.games == block->games);
    for (size_t i = 0; i < block->count; i++) {
        const hzi_row *a = &block->rows[i], *b = &again.rows[i];
        FUZZ_CHECK(fuzz_same_position(&a->position, &b->position));
        FUZZ_CHECK(a->position.key == hz_position_fresh_key(&a->position));
        FUZZ_CHECK(hz_turn_text_order(&a->turn) == hz_turn_text_order(&b->turn));
        FUZZ_CHECK(a->score == b->score && a->best == b->best && a->flags == b->flags);
        FUZZ_CHECK(a->result == b->result && a->own_216 <= 216 && a->enemy_216 <= 216);
    }
    FUZZ_CHECK(hzi_rows_next(reader, &again, &err) == HZ_NOT_FOUND);
    hzi_rows_close(reader);
    hzi_text_fini(&bytes);
}

static void check_file(const char *bytes, size_t size) {
    fuzz_source d = {bytes, size, size};
    hzi_rows_reader *reader;
    hz_error err;
    hz_status status = hzi_rows_open(fuzz_drip, &d, &reader, &err);
    if (status != HZ_OK) {
        FUZZ_CHECK(status == HZ_ROWS && !reader);
        FUZZ_CHECK(err.message[0] && err.offset <= size + HZI_ROWS_HEAD);
        return;
    }
    size_t count;
    const hzi_rows_setting *settings = hzi_rows_settings(reader, &count);
    for (size_t i = 0; i < count; i++) {
        FUZZ_CHECK(strlen(settings[i].key) <= HZI_ROWS_KEY_MAX);
        FUZZ_CHECK(strlen(settings[i].value) <= HZI_ROWS_VALUE_MAX);
    }
    hzi_rows_block block;
    uint64_t games = 0;
    while ((status = hzi_rows_next(reader, &block, &err)) == HZ_OK) {
        FUZZ_CHECK(block.first_game == games && hzi_rows_offset(reader) <= size);
        games += block.games;
        check_block(&block);
    }
    FUZZ_CHECK(status == HZ_NOT_FOUND || status == HZ_INCOMPLETE || status == HZ_ROWS);
    FUZZ_CHECK(hzi_rows_next(reader, &block, &err) == status && block.count == 0);
    FUZZ_CHECK(hzi_rows_games(reader) == games);
    hzi_rows_close(reader);
}

/* The bytes are the body of a head. */
static void check_head(const char *body, size_t size) {
    hzi_text file = {0};
    hzi_text_add(&file, HZI_ROWS_MAGIC, 8);
    put_number(&file, HZI_ROWS_VERSION, 4);
    put_number(&file, size, 4);
    put_number(&file, hzi_rows_sum(body, size), 4);
    hzi_text_add(&file, body, size);
    check_file(file.bytes, file.length);
    hzi_text_fini(&file);
}

/* The bytes are the cells of a block. */
static void check_cells(const char *cells, size_t size) {
    size_t row = 0;
    for (int f = 0; f < HZI_ROWS_FIELDS; f++) {
        row += (size_t)hzi_rows_fields[f].size * hzi_rows_fields[f].count;
    }
    size_t rows = size / row;
    char packed[1 << 14];
    uLongf length = sizeof packed;
    if (rows == 0 || rows > 100 ||
        compress2((Bytef *)packed, &length, (const Bytef *)cells, (uLong)(rows * row), 1) != Z_OK) {
        return;
    }
    hzi_text file = {0};
    FUZZ_CHECK(hzi_rows_put_head(NULL, 0, &file, NULL) == HZ_OK);
    size_t begin = file.length;
    put_number(&file, HZI_ROWS_BLOCK_TAG, 4);
    put_number(&file, 1, 4);
    put_number(&file, 0, 8);
    put_number(&file, rows, 4);
    put_number(&file, rows * row, 4);
    put_number(&file, length, 4);
    put_number(&file, hzi_rows_sum(packed, length), 4);
    put_number(&file, hzi_rows_sum(file.bytes + begin, file.length - begin), 4);
    hzi_text_add(&file, packed, length);
    FUZZ_CHECK(hzi_rows_put_end(1, rows, &file, NULL) == HZ_OK);
    check_file(file.bytes, file.length);
    hzi_text_fini(&file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > 1 << 16) {
        return 0;
    }
    const char *bytes = (const char *)data;
    check_file(bytes, size);
    if (size > 0) {
        check_head(bytes, size);
        check_cells(bytes, size);
    }
    return 0;
}
