/* SPDX-License-Identifier: MIT */
/* Opening books: any bytes. A book that was read is asked for every key in it, and a bot plays from
 * it on the positions that its keys name. */
#include "fuzz/fuzz.h"

#include <hazard/bots.h>

#include <stdio.h>
#include <string.h>

enum { MOST_LINES = 20000 };

/* The position of "placement side rights targets dice". */
static bool position_of_key(const char *key, size_t length, hz_position *position) {
    char dfen[HZ_DFEN_CAPACITY];
    size_t dice = length;
    while (dice > 0 && key[dice - 1] != ' ') {
        dice--;
    }
    if (dice == 0 || length + 4 >= sizeof dfen) {
        return false;
    }
    int written = snprintf(dfen, sizeof dfen, "%.*s0 1 %.*s", (int)dice, key, (int)(length - dice),
                           key + dice);
    return written > 0 && hz_position_from_dfen(position, dfen, (size_t)written, NULL) == HZ_OK;
}

static void check_answer(const hz_bot *bot, const hz_position *position) {
    hz_error err;
    hz_arena arena;
    hz_arena_init(&arena, 0);
    hz_random random = hz_random_from_seed(1);
    hz_bot_request request = {.position = position, .random = &random, .arena = &arena};
    hz_bot_answer answer;
    FUZZ_CHECK(hz_bot_choose(bot, &request, &answer, &err) == HZ_OK);
    FUZZ_CHECK(answer.pass == (answer.turn.count == 0));
    FUZZ_CHECK(hz_turn_is_legal(position, &answer.turn));
    FUZZ_CHECK(!answer.from_book || (!answer.pass && random.counter == 0));
    hz_arena_fini(&arena);
}

static void check_entry(const hz_book *book, const hz_bot *bot, const char *line, size_t length) {
    static const char blanks[] = " \t\n\v\f\r";
    char key[HZ_DFEN_CAPACITY];
    const char *tab = memchr(line, '\t', length);
    const char *end = tab;
    while (tab && line < tab && *line && strchr(blanks, *line)) {
        line++;
    }
    while (end && line < end && end[-1] && strchr(blanks, end[-1])) {
        end--;
    }
    size_t key_length = (size_t)(end - line);
    if (!tab || line == end || key_length >= sizeof key || memchr(line, '\0', key_length)) {
        return; /* blank, too long for a position, or a key that no text can name */
    }
    memcpy(key, line, key_length);
    key[key_length] = '\0';
    const char *value = hz_book_find(book, key);
    FUZZ_CHECK(value != NULL);
    hz_position position;
    if (position_of_key(key, key_length, &position) && position.pool &&
        fuzz_is_small(&position, MOST_LINES)) {
        check_answer(bot, &position);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hz_book *book = NULL;
    hz_error err;
    hz_status status = hz_book_parse((const char *)data, size, &book, &err);
    if (status != HZ_OK) {
        FUZZ_CHECK(status == HZ_BOOK_SYNTAX && !book && err.line > 0);
        fuzz_check_error(&err, status, size);
        return 0;
    }
    hz_registry *registry = hz_registry_new();
    hz_bot base, bot;
    FUZZ_CHECK(registry && hz_registry_open(registry, "greedy", &base, &err) == HZ_OK);
    FUZZ_CHECK(hz_bot_with_book("booked", NULL, book, &base, &bot, &err) == HZ_OK);
    size_t lines = 0, length;
    const uint8_t *rest;
    for (; size > 0; data = rest, lines++) {
        length = fuzz_first_line(data, size, &rest, &size);
        check_entry(book, &bot, (const char *)data, length);
    }
    FUZZ_CHECK(hz_book_count(book) <= lines);
    FUZZ_CHECK(hz_book_find(book, "no such key") == NULL || lines > 0);
    hz_bot_close(&bot);
    hz_registry_free(registry);
    hz_book_free(book);
    return 0;
}
