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

hz_registry *hzc_registry_new(const hzc_args *args) {
    hz_registry *registry = hz_registry_new();
    if (!registry || hz_registry_register_kinds(registry, NULL) != HZ_OK) {
        hz_registry_free(registry);
        (void)hzc_complain(args, HZC_ENVIRONMENT, "out of memory");
        return NULL;
    }
    return registry;
}

char *hzc_bot_with_option(const char *bot, const char *name, const char *value) {
    if (!bot || !*bot) {
        bot = "onnx-expectimax";
    }
    char *text = malloc(strlen(bot) + strlen(name) + 2 * strlen(value) + sizeof ":=");
    if (text) {
        char *to = text + sprintf(text, "%s%c%s=", bot, strchr(bot, ':') ? ',' : ':', name);
        for (; *value; value++) {
            if (*value == ',' || *value == '\\') {
                *to++ = '\\';
            }
            *to++ = *value;
        }
        *to = '\0';
    }
    return text;
}

bool hzc_allowance_read(const hzc_args *args, hzc_allowance *allowance) {
    static const char *const of_clock[] = {"inc", "move-number", "moves-to-go", "time-policy"};
    uint64_t remaining = 0, increment = 0, number = 0, togo = 0;
    *allowance = (hzc_allowance){.has_clock = hzc_args_has(args, "time")};
    if (!hzc_args_count(args, "time", 0, HZC_MOST_MS, &remaining) ||
        !hzc_args_count(args, "inc", 0, HZC_MOST_MS, &increment) ||
        !hzc_args_count(args, "move-number", 1, INT32_MAX, &number) ||
        !hzc_args_count(args, "moves-to-go", 1, INT32_MAX, &togo) ||
        !hzc_args_count(args, "budget-ms", 1, HZC_MOST_MS, &allowance->budget_ms)) {
        return false;
    }
    for (size_t i = 0; !allowance->has_clock && i < sizeof of_clock / sizeof *of_clock; i++) {
        if (hzc_args_has(args, of_clock[i])) {
            (void)hzc_usage(args, "--%s is about a clock; give one by --time", of_clock[i]);
            return false;
        }
    }
    const char *policy = hzc_args_value(args, "time-policy");
    hz_error err;
    if (policy && hz_time_policy_find(policy, &allowance->policy, &err) != HZ_OK) {
        (void)hzc_usage(args, "--time-policy: %s", err.message);
        return false;
    }
    allowance->clock = (hz_clock){.remaining_ms = (int64_t)remaining,
                                  .increment_ms = (int64_t)increment,
                                  .move_number = (int64_t)number,
                                  .has_moves_to_go = togo > 0,
                                  .moves_to_go = (double)togo};
    return true;
}

uint64_t hzc_allowance_ms(const hzc_allowance *allowance, const hz_position *position) {
    if (!allowance->has_clock) {
        return allowance->budget_ms;
    }
    hz_clock clock = allowance->clock;
    if (clock.move_number == 0) {
        clock.move_number = position->fullmove;
    }
    hz_time_allotment allotment = hz_time_allot(allowance->policy, &clock);
    return (uint64_t)hz_time_budget_ms(&allotment, HZ_TIME_OVERHEAD_LOCAL_MS);
}

int hzc_player_open_or(hzc_player *player, const hzc_args *args, const char *otherwise) {
    hz_error err;
    *player = (hzc_player){0};
    const char *text = hzc_args_value(args, "bot");
    const char *book = hzc_args_value(args, "book");
    const char *model = hzc_args_value(args, "model");
    char *made = NULL;
    player->registry = hzc_registry_new(args);
    if (!player->registry) {
        return HZC_ENVIRONMENT;
    }
    if (!text && !model) {
        text = otherwise;
    }
    if (model) {
        text = made = hzc_bot_with_option(text, "model", model);
        if (!made) {
            return hzc_complain(args, HZC_ENVIRONMENT, "out of memory");
        }
    }
    int code = HZC_DONE;
    if (hz_registry_open(player->registry, text, &player->bot, &err) != HZ_OK) {
        code = hzc_report(args, &err, text, text ? strlen(text) : 0);
    }
    free(made);
    return code == HZC_DONE && book ? open_book(player, args, book) : code;
}

int hzc_player_open(hzc_player *player, const hzc_args *args) {
    return hzc_player_open_or(player, args, NULL);
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
    uint64_t budget_ms = hzc_allowance_ms(&player->allowance, position);
    hz_deadline deadline = budget_ms ? hz_deadline_in_ms(budget_ms) : hz_deadline_none();
    hz_bot_request request = {
        .position = position, .random = random, .deadline = &deadline, .arena = &player->arena};
    return hz_bot_choose(&player->bot, &request, answer, err);
}

int hzc_player_ask(hzc_player *player, const hzc_args *args, const hz_position *position,
                   hz_random *random, hz_bot_answer *answer) {
    hz_error err;
    return hzc_player_choose(player, position, random, answer, &err) == HZ_OK
               ? HZC_DONE
               : hzc_report(args, &err, NULL, 0);
}
