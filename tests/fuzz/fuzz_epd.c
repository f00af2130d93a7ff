/* SPDX-License-Identifier: MIT */
/* EPD: any bytes as a line. What was read is written and read again, in any amount of memory. */
#include "fuzz/fuzz.h"

#include <hazard/chess.h>

#include <stdlib.h>
#include <string.h>

static char *write_line(const hz_epd *epd, size_t *length) {
    *length = hz_epd_write(epd, NULL, 0);
    char *text = malloc(*length + 1);
    FUZZ_CHECK(text != NULL);
    FUZZ_CHECK(hz_epd_write(epd, text, *length + 1) == *length && strlen(text) == *length);
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hz_arena arena;
    hz_error err;
    hz_epd epd, again;
    hz_arena_init(&arena, 0);
    hz_status status = hz_epd_read((const char *)data, size, &arena, &epd, &err);
    if (status == HZ_OK) {
        size_t length, length_again;
        char *text = write_line(&epd, &length);
        FUZZ_CHECK(hz_epd_read(text, length, &arena, &again, &err) == HZ_OK);
        char *text_again = write_line(&again, &length_again);
        FUZZ_CHECK(length == length_again && memcmp(text, text_again, length) == 0);
        FUZZ_CHECK(again.count == epd.count);
        FUZZ_CHECK(again.position.halfmove == epd.position.halfmove);
        FUZZ_CHECK(again.position.fullmove == epd.position.fullmove);
        for (size_t i = 0; i < epd.count; i++) {
            const hz_epd_operation *a = &epd.operations[i], *b = &again.operations[i];
            FUZZ_CHECK(hz_epd_find(&epd, a->code) == a && strcmp(a->code, b->code) == 0);
            FUZZ_CHECK(a->count == b->count);
            for (size_t k = 0; k < a->count; k++) {
                FUZZ_CHECK(strcmp(a->operands[k], b->operands[k]) == 0);
            }
        }
        free(text);
        free(text_again);
    } else {
        fuzz_check_error(&err, status, size);
    }
    hz_arena_fini(&arena);
    hz_arena_init(&arena, 1 + size * 4 % 30000);
    hz_status little = hz_epd_read((const char *)data, size, &arena, &epd, &err);
    FUZZ_CHECK(little == status || little == HZ_NO_MEMORY);
    hz_arena_fini(&arena);
    return 0;
}
