/* SPDX-License-Identifier: MIT */
/* Bots for commands; see player.h. */
#include "cli/player.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BOOK_BYTES = 1 << 28 };

int hzc_read_file(const hzc_args *args, const char *path, size_t most, char **text,
                  size_t *length) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        return hzc_complain(args, HZC_ENVIRONMENT, "%s: %s", path, strerror(errno));
    }
    char *bytes = NULL;
    size_t held = 0, used = 0;
    const char *problem = NULL;
    while (!problem) {
        if (used == held) {
            held = held ? held * 2 : 4096;
            char *grown = realloc(bytes, held);
            if (!grown) {
                problem = "out of memory";
                break;
            }
            bytes = grown;
        }
        size_t got = fread(bytes + used, 1, held - used, file);
        used += got;
        if (used > most) {
            problem = "the file is too large";
        } else if (got == 0) {
            problem = ferror(file) ? strerror(errno) : NULL;
            break;
        }
    }
    (void)fclose(file);
    if (problem) {
        free(bytes);
        return hzc_complain(args, HZC_ENVIRONMENT, "%s: %s", path, problem);
    }
    *text = bytes;
    *length = used;
    return HZC_DONE;
}

static int open_book(hzc_player *player, const hzc_args *args, const char *path) {
    char *text = NULL;
    size_t length = 0;
    hz_error err;
    int code = hzc_read_file(args, path, MOST_BOOK_BYTES, &text, &length);
    if (code != HZC_DONE) {
        return code;
    }
    hz_status status = hz_book_parse(text, length, &player->book, &err);
    free(text);
    if (status == HZ_OK) {
        hz_bot base = player->bot;
        status = hz_bot_with_book("book", NULL, player->book, &base, &player->bot, &err);
    }
    return status == HZ_OK ? HZC_DONE : hzc_report(args, &err, NULL, 0);
}

int hzc_player_open(hzc_player *player, const hzc_args *args) {
    hz_error err;
    *player = (hzc_player){0};
    const char *text = hzc_args_value(args, "bot");
    const char *book = hzc_args_value(args, "book");
    player->registry = hz_registry_new();
    if (!player->registry) {
        return hzc_complain(args, HZC_ENVIRONMENT, "out of memory");
    }
    if (hz_registry_open(player->registry, text, &player->bot, &err) != HZ_OK) {
        return hzc_report(args, &err, text, text ? strlen(text) : 0);
    }
    return book ? open_book(player, args, book) : HZC_DONE;
}

void hzc_player_fini(hzc_player *player) {
    hz_bot_close(&player->bot);
    hz_book_free(player->book);
    hz_registry_free(player->registry);
    hz_arena_fini(&player->arena);
    *player = (hzc_player){0};
}

hz_status hzc_player_choose(hzc_player *player, const hz_position *position, hz_random *random,
                            hz_bot_answer *answer, hz_error *err) {
    hz_arena_reset(&player->arena);
    hz_bot_request request = {.position = position, .random = random, .arena = &player->arena};
    return hz_bot_choose(&player->bot, &request, answer, err);
}

int hzc_player_ask(hzc_player *player, const hzc_args *args, const hz_position *position,
                   hz_random *random, hz_bot_answer *answer) {
    hz_error err;
    return hzc_player_choose(player, position, random, answer, &err) == HZ_OK
               ? HZC_DONE
               : hzc_report(args, &err, NULL, 0);
}
