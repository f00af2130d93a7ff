/* SPDX-License-Identifier: MIT */
/* Which maker a player's text belongs to, and the digest of the files it names. */
#include "arena/player.h"
#include "bots/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static bool begins(const char *text, const char *with) {
    return strncasecmp(text, with, strlen(with)) == 0;
}

static bool is_search(const char *text) {
    return begins(text, "search") && (text[6] == '\0' || text[6] == ':');
}

hz_status hz_match_player_open(const char *text, hz_match_game game, hz_registry *registry,
                               hz_match_player *player, hz_error *err) {
    if (begins(text, "uci:")) {
        return hz_match_player_uci(text + 4, game, player, err);
    }
    if (begins(text, "http://") || begins(text, "https://")) {
        if (game != HZ_MATCH_DICE) {
            return hz_fail(err, HZ_INVALID_ARGUMENT, 0, "the bot protocol plays Dice Chess only");
        }
        return hz_match_player_http(text, player, err);
    }
    if (game == HZ_MATCH_CHESS) {
        if (is_search(text)) {
            return hzi_player_search(text, player, err);
        }
        char shown[60];
        return hz_fail(err, HZ_UNKNOWN_BOT, 0,
                       "there is no player of chess '%s'; known are search (with options), "
                       "uci:COMMAND",
                       hzi_printable(text, strlen(text), shown, sizeof shown));
    }
    hz_status status = hzi_player_bot(text, registry, player, err);
    if (status == HZ_UNKNOWN_BOT && err) {
        size_t used = strlen(err->message);
        (void)snprintf(err->message + used, sizeof err->message - used,
                       ", uci:COMMAND, http://ADDRESS, https://ADDRESS");
    }
    return status;
}

void hz_match_player_close(hz_match_player *player) {
    if (player && player->close) {
        hz_match_player closing = *player;
        closing.close(&closing);
    }
    if (player) {
        *player = (hz_match_player){0};
    }
}

/* ---- digests ---- */

/* The options a player's text is read by; count 0 when it has none of ours. */
static size_t options_of(const char *text, hz_match_game game, hz_registry *registry,
                         hz_bot_option *options) {
    size_t count = 0, length = strcspn(text, ":");
    hz_bot_info info;
    if (game == HZ_MATCH_CHESS) {
        while (is_search(text) && hz_match_search_option(count, &options[count])) {
            count++;
        }
        return count;
    }
    for (size_t i = 0; hz_registry_info(registry, i, &info); i++) {
        if (strlen(info.id) == length && strncasecmp(info.id, text, length) == 0) {
            while (count < HZ_BOT_OPTIONS_MAX &&
                   hz_registry_option(registry, i, count, &options[count])) {
                count++;
            }
            break;
        }
    }
    return count;
}

typedef char digest_list[HZ_BOT_OPTIONS_MAX * 2 * 65 + 1];

static hz_status add_file(const char *path, char *list, hz_error *err) {
    size_t used = strlen(list);
    return hz_sha256_file(path, list + used, err);
}

/* A file, or the graph of a package and its manifest. */
static hz_status add_model(const char *path, char *graphs, char *others, hz_error *err) {
    struct stat about;
    char name[4096];
    if (stat(path, &about) != 0 || !S_ISDIR(about.st_mode)) {
        return add_file(path, graphs, err);
    }
    int length = snprintf(name, sizeof name, "%s/manifest.json", path);
    if (length < 0 || (size_t)length >= sizeof name) {
        return hz_fail(err, HZ_IO, HZ_NO_OFFSET, "the path of a model is too long");
    }
    hz_status status = add_file(name, others, err);
    if (status == HZ_OK) {
        (void)snprintf(name, sizeof name, "%s/model.onnx", path);
        status = add_file(name, graphs, err);
    }
    return status;
}

/* One digest stands for itself, several for the digest of their texts. */
static void fold(const char *list, char hex[65]) {
    if (strlen(list) > 64) {
        hz_sha256_hex(list, strlen(list), hex);
    } else {
        memcpy(hex, list, strlen(list) + 1);
    }
}

hz_status hz_match_player_digest(const char *text, hz_match_game game, hz_registry *registry,
                                 char model[65], char files[65], hz_error *err) {
    hz_bot_option options[HZ_BOT_OPTIONS_MAX];
    hz_option_value values[HZ_BOT_OPTIONS_MAX];
    char *memory = NULL;
    digest_list graphs = "", all = "";
    hz_registry *owned = NULL;
    hz_status status = HZ_OK;
    model[0] = files[0] = '\0';
    if (begins(text, "uci:") || begins(text, "http://") || begins(text, "https://")) {
        return HZ_OK;
    }
    if (!registry && game == HZ_MATCH_DICE) {
        registry = owned = hz_registry_new();
        status = owned ? hz_registry_register_kinds(owned, err)
                       : hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a registry");
    }
    size_t count = status == HZ_OK ? options_of(text, game, registry, options) : 0;
    if (count > 0) {
        hzi_bot_text parts = hzi_bot_text_split(text);
        status = hzi_options_read(&parts, options, count, false, values, &memory, err);
    }
    for (size_t i = 0; i < count && status == HZ_OK; i++) {
        if (options[i].type == HZ_OPTION_FILE && values[i].given && values[i].text) {
            status = add_model(values[i].text, graphs, all, err);
        }
    }
    if (status == HZ_OK) {
        fold(graphs, model);
        (void)snprintf(all + strlen(all), sizeof all - strlen(all), "%s", graphs);
        fold(all, files);
    }
    free(memory);
    hz_registry_free(owned);
    return status;
}
