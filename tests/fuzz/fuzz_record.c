/* SPDX-License-Identifier: MIT */
/* Game records: any bytes, in memory and dripping from a source; what was read is written, read
 * again and replayed. */
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { ARENA_LIMIT = 1 << 20 };

static char *write_game(const hz_record *record, size_t *length) {
    hz_error err;
    FUZZ_CHECK(hz_record_to_text(record, NULL, 0, length, &err) == HZ_OK);
    char *text = malloc(*length + 1);
    FUZZ_CHECK(text != NULL);
    size_t again = 0;
    FUZZ_CHECK(hz_record_to_text(record, text, *length + 1, &again, &err) == HZ_OK);
    FUZZ_CHECK(again == *length && strlen(text) == *length);
    return text;
}

static bool count_steps(void *context, const hz_record_step *step) {
    size_t *steps = context;
    FUZZ_CHECK(step->ply == *steps && step->position->pool == step->turn->roll);
    FUZZ_CHECK(step->after->key == hz_position_fresh_key(step->after));
    ++*steps;
    return true;
}

static void check_game(const hz_record *record, size_t size) {
    hz_error err;
    size_t length, length_again, steps = 0;
    char *text = write_game(record, &length);
    hz_arena arena;
    hz_arena_init(&arena, 0);
    hz_record again;
    hz_record_reader *reader = malloc(sizeof *reader);
    FUZZ_CHECK(reader != NULL);
    hz_record_reader_init_text(reader, text, length);
    FUZZ_CHECK(hz_record_read(reader, &arena, &again, &err) == HZ_OK);
    char *text_again = write_game(&again, &length_again);
    FUZZ_CHECK(length == length_again && memcmp(text, text_again, length) == 0);
    FUZZ_CHECK(hz_record_read(reader, &arena, &again, &err) == HZ_NOT_FOUND);
    hz_position last;
    hz_status status = hz_record_replay(record, false, count_steps, &steps, &last, &err);
    if (status == HZ_OK) {
        FUZZ_CHECK(steps == record->turn_count);
    } else {
        FUZZ_CHECK(status == HZ_RECORD_REPLAY && err.line > 0 && err.column > 0);
        fuzz_check_error(&err, status, size);
    }
    status = hz_record_replay(record, true, NULL, NULL, NULL, &err);
    FUZZ_CHECK(record->has_seed ? status == HZ_OK || status == HZ_RECORD_REPLAY
                                : status == HZ_RECORD_HEADER);
    free(reader);
    free(text);
    free(text_again);
    hz_arena_fini(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hz_record_reader *reader = malloc(2 * sizeof *reader);
    FUZZ_CHECK(reader != NULL);
    fuzz_source d = {data, size, size};
    hz_record_reader_init_text(&reader[0], (const char *)data, size);
    hz_record_reader_init(&reader[1], fuzz_drip, &d);
    hz_arena arena;
    hz_arena_init(&arena, ARENA_LIMIT);
    size_t offset = 0; /* games and errors come in the order of the text */
    for (;;) {
        hz_error err, other;
        hz_record record;
        hz_arena_reset(&arena);
        hz_status dripped = hz_record_read(&reader[1], &arena, &record, &other);
        hz_arena_reset(&arena);
        hz_status status = hz_record_read(&reader[0], &arena, &record, &err);
        FUZZ_CHECK(status == dripped);
        if (status == HZ_NOT_FOUND) {
            break;
        }
        if (status == HZ_OK) {
            FUZZ_CHECK(record.end.offset >= offset && record.end.offset < size);
            offset = record.end.offset + 1;
            check_game(&record, size);
            continue;
        }
        FUZZ_CHECK(status == HZ_RECORD_SYNTAX || status == HZ_RECORD_HEADER ||
                   status == HZ_RECORD_REPLAY || status == HZ_NO_MEMORY);
        fuzz_check_error(&err, status, size);
        FUZZ_CHECK(err.line > 0 && err.column > 0 && err.offset >= offset);
        FUZZ_CHECK(err.offset == other.offset && err.line == other.line &&
                   err.column == other.column && strcmp(err.message, other.message) == 0);
    }
    hz_arena_fini(&arena);
    free(reader);
    return 0;
}
