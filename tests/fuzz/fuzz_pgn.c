/* SPDX-License-Identifier: MIT */
/* PGN: any bytes, in memory and dripping from a source, with and without variations and comments;
 * what was read is written and read again as the same game. */
#include "fuzz/fuzz.h"

#include <hazard/chess.h>

#include <stdlib.h>
#include <string.h>

enum { ARENA_LIMIT = 1 << 20 };

typedef struct memory {
    char *text;
    size_t length, capacity;
} memory;

static bool into_memory(void *context, const char *text, size_t length) {
    memory *m = context;
    if (m->length + length > m->capacity) {
        m->capacity = 2 * (m->length + length);
        m->text = realloc(m->text, m->capacity);
        FUZZ_CHECK(m->text != NULL);
    }
    memcpy(m->text + m->length, text, length);
    m->length += length;
    return true;
}

static bool same_text(const char *a, const char *b) {
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static void check_line(const hz_pgn_move *a, const hz_pgn_move *b) {
    for (; a && b; a = a->next, b = b->next) {
        FUZZ_CHECK(a->move == b->move && a->nag_count == b->nag_count);
        FUZZ_CHECK(memcmp(a->nags, b->nags, a->nag_count) == 0);
        FUZZ_CHECK(same_text(a->comment, b->comment));
        FUZZ_CHECK(same_text(a->comment_before, b->comment_before));
        const hz_pgn_move *v = a->variation, *u = b->variation;
        for (; v && u; v = v->next_variation, u = u->next_variation) {
            check_line(v, u);
        }
        FUZZ_CHECK(!v && !u);
    }
    FUZZ_CHECK(!a && !b);
}

static void check_game(const hz_pgn_game *game) {
    hz_error err;
    memory text = {NULL, 0, 0}, text_again = {NULL, 0, 0};
    FUZZ_CHECK(hz_pgn_write(game, into_memory, &text, &err) == HZ_OK);
    hz_arena arena;
    hz_arena_init(&arena, 0);
    hz_pgn_game again;
    hz_pgn_reader *reader = hz_pgn_reader_text(text.text, text.length, true, true);
    FUZZ_CHECK(reader != NULL);
    hz_status status = hz_pgn_read(reader, &arena, &again, &err);
    /* The seven tags may have been too many. */
    if (status != HZ_PGN_SYNTAX || !strstr(err.message, "more than 256 tags")) {
        FUZZ_CHECK(status == HZ_OK);
        FUZZ_CHECK(again.result == game->result && again.plies == game->plies);
        FUZZ_CHECK(same_text(game->comment, again.comment));
        check_line(game->moves, again.moves);
        FUZZ_CHECK(hz_pgn_write(&again, into_memory, &text_again, &err) == HZ_OK);
        FUZZ_CHECK(text.length == text_again.length &&
                   memcmp(text.text, text_again.text, text.length) == 0);
        FUZZ_CHECK(hz_pgn_read(reader, &arena, &again, &err) == HZ_NOT_FOUND);
    }
    hz_pgn_reader_free(reader);
    hz_arena_fini(&arena);
    free(text.text);
    free(text_again.text);
}

static void check_all(const uint8_t *data, size_t size, bool variations, bool comments) {
    fuzz_source d = {data, size, size};
    hz_pgn_reader *reader = hz_pgn_reader_text((const char *)data, size, variations, comments);
    hz_pgn_reader *dripped = hz_pgn_reader_new(fuzz_drip, &d, variations, comments);
    FUZZ_CHECK(reader && dripped);
    hz_arena arena;
    hz_arena_init(&arena, ARENA_LIMIT);
    size_t offset = 0; /* games come in the order of the text */
    uint64_t good = 0, broken = 0;
    for (;;) {
        hz_error err, other;
        hz_pgn_game game;
        hz_arena_reset(&arena);
        hz_status second = hz_pgn_read(dripped, &arena, &game, &other);
        hz_arena_reset(&arena);
        hz_status status = hz_pgn_read(reader, &arena, &game, &err);
        FUZZ_CHECK(status == second);
        if (status == HZ_NOT_FOUND) {
            break;
        }
        FUZZ_CHECK(good + broken <= size);
        if (status == HZ_OK) {
            FUZZ_CHECK(game.offset >= offset && game.offset < size && game.line > 0);
            offset = game.offset + 1;
            good++;
            check_game(&game);
            continue;
        }
        broken++;
        FUZZ_CHECK(status == HZ_PGN_SYNTAX || status == HZ_NOT_LEGAL || status == HZ_NO_MEMORY);
        fuzz_check_error(&err, status, size);
        FUZZ_CHECK(err.line > 0 && err.column > 0);
        FUZZ_CHECK(err.offset == other.offset && err.line == other.line &&
                   err.column == other.column && strcmp(err.message, other.message) == 0);
    }
    FUZZ_CHECK(hz_pgn_reader_games(reader) == good && hz_pgn_reader_broken(reader) == broken);
    hz_arena_fini(&arena);
    hz_pgn_reader_free(reader);
    hz_pgn_reader_free(dripped);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    check_all(data, size, true, true);
    check_all(data, size, false, false);
    return 0;
}
