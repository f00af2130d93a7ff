/* SPDX-License-Identifier: MIT */
/* A private set of openings: any bytes. What is read leads to 25 different positions with White to
 * move, and is read again the same when it is written. */
#include "fuzz/fuzz.h"

#include <hazard/league.h>

#include <stdio.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static char text[HZ_LEAGUE_OPENINGS * 700];
    hz_league_opening read[HZ_LEAGUE_OPENINGS], again[HZ_LEAGUE_OPENINGS];
    hz_arena arena;
    hz_error err;
    hz_arena_init(&arena, 0);
    hz_status status = hz_league_openings_read((const char *)data, size, &arena, read, &err);
    if (status != HZ_OK) {
        FUZZ_CHECK(err.line > 0 || size == 0);
        fuzz_check_error(&err, status, size);
        hz_arena_fini(&arena);
        return 0;
    }
    size_t length = 0;
    for (int i = 0; i < HZ_LEAGUE_OPENINGS; i++) {
        hz_chess_game game;
        FUZZ_CHECK(hz_league_opening_game(&read[i], &game, NULL) == HZ_OK);
        FUZZ_CHECK(game.now.side == HZ_WHITE && game.count == 0);
        hz_chess_game_fini(&game);
        int n = snprintf(text + length, sizeof text - length, "%s\t%s\t%s\n", read[i].eco,
                         read[i].name, read[i].moves);
        FUZZ_CHECK(n > 0 && (size_t)n < sizeof text - length);
        length += (size_t)n;
    }
    FUZZ_CHECK(hz_league_openings_read(text, length, &arena, again, NULL) == HZ_OK);
    for (int i = 0; i < HZ_LEAGUE_OPENINGS; i++) {
        FUZZ_CHECK(strcmp(read[i].moves, again[i].moves) == 0);
        FUZZ_CHECK(strcmp(read[i].name, again[i].name) == 0);
    }
    hz_arena_fini(&arena);
    return 0;
}
