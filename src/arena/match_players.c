/* SPDX-License-Identifier: MIT */
/*
 * The players of a run: each is opened and started once before the first game, so that what cannot
 * play is refused in time; these instances are spare until a worker takes them. Names of players are
 * made different from one another.
 */
#include "arena/match.h"

#include "bots/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static hz_status read_book(const char *path, hz_book **book, hz_error *err) {
    hzi_text text = {0};
    bool found = false;
    hz_error why;
    hz_status status = hzi_read_all(path, &text, &found, err);
    if (status == HZ_OK && !found) {
        status = hz_fail(err, HZ_IO, HZ_NO_OFFSET, "there is no opening book %s", path);
    }
    if (status == HZ_OK) {
        status = hz_book_parse(text.bytes ? text.bytes : "", text.length, book, &why);
        if (status != HZ_OK) {
            (void)hz_fail(err, status, HZ_NO_OFFSET, "%s: %s", path, why.message);
        }
    }
    hzi_text_fini(&text);
    return status;
}

hz_status hzi_match_open_player(hz_match_run *run, size_t index, hz_match_player *player,
                                hz_error *err) {
    const hz_match_config *config = run->config;
    hz_status status = config->open
                           ? config->open(config->open_context, index, player, err)
                           : hz_match_player_open(config->players ? config->players[index] : "",
                                                  config->rules.game, run->registry, player, err);
    if (status == HZ_OK && run->seats[index].book) {
        status = hz_match_player_book(player, run->seats[index].book, err);
        if (status != HZ_OK) {
            hz_match_player_close(player);
        }
    }
    return status;
}

hz_status hzi_match_not_started(hz_status status, const char *name, const hz_error *why,
                                hz_error *err) {
    if (status == HZ_CANCELLED) {
        return hz_fail(err, status, HZ_NO_OFFSET, "stopped while %.200s was being started", name);
    }
    return hz_fail(err, status == HZ_NO_MEMORY ? status : HZ_PLAYER, HZ_NO_OFFSET,
                   "%.200s cannot be started: %s", name, why->message);
}

/* Names for reports, records and archives: printable, and different from one another. */
static bool name_player(hz_match_run *run, size_t index, const char *name) {
    char shown[200];
    (void)hzi_printable(name, strlen(name), shown, sizeof shown - 16);
    for (size_t i = 0, number = 2; i < index; i++) {
        if (strcmp(run->seats[i].name, shown) == 0) {
            (void)hzi_printable(name, strlen(name), shown, sizeof shown - 16);
            size_t used = strlen(shown);
            (void)snprintf(shown + used, sizeof shown - used, " #%zu", number++);
            i = (size_t)-1;
        }
    }
    run->seats[index].name = malloc(strlen(shown) + 1);
    if (run->seats[index].name) {
        memcpy(run->seats[index].name, shown, strlen(shown) + 1);
    }
    return run->seats[index].name != NULL;
}

hz_status hzi_match_open_players(hz_match_run *run, hz_error *err) {
    const hz_match_config *config = run->config;
    hz_status status = HZ_OK;
    for (size_t i = 0; i < config->player_count && status == HZ_OK; i++) {
        const char *text = config->players ? config->players[i] : NULL;
        const char *book = config->books ? config->books[i] : NULL;
        hz_match_player *player = &run->seats[i].spare;
        hz_match_player_info *info = &run->infos[i];
        if (book) {
            status =
                config->rules.game == HZ_MATCH_DICE
                    ? read_book(book, &run->seats[i].book, err)
                    : hz_fail(err, HZ_CONFLICT, HZ_NO_OFFSET, "opening books are for Dice Chess");
        }
        if (status == HZ_OK) {
            status = hzi_match_open_player(run, i, player, err);
        }
        if (status == HZ_OK && player->start) {
            hz_error why;
            hz_error_clear(&why);
            player->cancel = config->rules.cancel;
            status = player->start(player, &why);
            if (status != HZ_OK) {
                status = hzi_match_not_started(status, text ? text : player->name, &why, err);
            }
        }
        if (status == HZ_OK && !name_player(run, i, text ? text : player->name)) {
            status = hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a run");
        }
        if (status == HZ_OK) {
            info->name = run->seats[i].name;
            info->text = text ? text : info->name;
            info->book = book;
            status = text && !config->open
                         ? hz_match_player_digest(text, config->rules.game, run->registry,
                                                  info->sha256, info->files, err)
                         : HZ_OK;
        }
    }
    return status;
}
