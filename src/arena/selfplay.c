/* SPDX-License-Identifier: MIT */
/*
 * A run of self-play: the settings that say which run it is, and the work of a crew whose threads and
 * ranks play games in any order and whose results are written in the order of the games.
 */
#include "arena/selfplay.h"

#include "arena/crew.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static hz_status no_memory(hz_error *err) {
    return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for self-play");
}

/* ---- settings ---- */

static hz_status check(const hzi_selfplay_config *config, hz_error *err) {
    if (config->player_count < 1 || config->player_count > HZI_SELFPLAY_PLAYERS_MAX) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET, "players: 1 to %d are allowed",
                       (int)HZI_SELFPLAY_PLAYERS_MAX);
    }
    if (!(config->how.temperature >= 0.0) || !isfinite(config->how.temperature)) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                       "temperature: a number from 0 on is needed");
    }
    if (config->games > UINT32_MAX) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET, "games: at most %" PRIu32,
                       UINT32_MAX);
    }
    if (config->max_plies < 1 || config->max_plies > HZI_SELFPLAY_PLIES_MAX) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET, "max_plies: 1 to %d are allowed",
                       (int)HZI_SELFPLAY_PLIES_MAX);
    }
    return HZ_OK;
}

/* Adds "key NUL value NUL"; the value is written by the caller in between. */
typedef struct setting_texts {
    hzi_text texts;
    size_t count;
} setting_texts;

static void add_key(setting_texts *s, const char *key) {
    hzi_text_puts(&s->texts, key);
    hzi_text_add(&s->texts, "", 1);
    s->count++;
}

static void add_text(setting_texts *s, const char *key, const char *value) {
    add_key(s, key);
    hzi_text_puts(&s->texts, value);
    hzi_text_add(&s->texts, "", 1);
}

static void add_count(setting_texts *s, const char *key, uint64_t value) {
    add_key(s, key);
    hzi_text_format(&s->texts, "%" PRIu64, value);
    hzi_text_add(&s->texts, "", 1);
}

/* The players with the digests of their models; *pool becomes a digest of it all. */
static hz_status add_players(const hzi_selfplay_config *config, setting_texts *s, char pool[65],
                             hz_error *err) {
    hz_status status = HZ_OK;
    size_t begin = s->texts.length;
    for (size_t i = 0; i < config->player_count && status == HZ_OK; i++) {
        char model[65] = "", files[65] = "", key[32];
        status = hz_match_player_digest(config->players[i], HZ_MATCH_DICE, config->registry, model,
                                        files, err);
        (void)snprintf(key, sizeof key, "player.%zu", i);
        add_text(s, key, config->players[i]);
        if (files[0]) {
            (void)snprintf(key, sizeof key, "files.%zu", i);
            add_text(s, key, files);
        }
    }
    if (status == HZ_OK && s->texts.failed) {
        status = no_memory(err);
    }
    if (status == HZ_OK) {
        hz_sha256_hex(s->texts.bytes + begin, s->texts.length - begin, pool);
    }
    return status;
}

/* The settings that are no player's, "key value, key value". */
static char *record_line(const hzi_selfplay_settings *settings) {
    hzi_text line = {0};
    for (size_t i = 0; i < settings->count; i++) {
        if (!strchr(settings->at[i].key, '.')) {
            hzi_text_format(&line, "%s%s ", line.length ? ", " : "", settings->at[i].key);
            hzi_text_puts(&line, settings->at[i].value);
        }
    }
    if (line.failed) {
        hzi_text_fini(&line);
        return NULL;
    }
    return line.bytes;
}

hz_status hzi_selfplay_settings_make(const hzi_selfplay_config *config,
                                     hzi_selfplay_settings *settings, hz_error *err) {
    setting_texts s = {0};
    char pool[65];
    *settings = (hzi_selfplay_settings){0};
    add_text(&s, "program", "hazard");
    add_text(&s, "version", hz_version());
    add_count(&s, "seed", config->seed);
    hz_status status = add_players(config, &s, pool, err);
    if (status != HZ_OK) {
        hzi_text_fini(&s.texts);
        return status;
    }
    add_count(&s, "players", config->player_count);
    add_text(&s, "pool", pool);
    add_count(&s, "random-plies", config->how.random_plies);
    add_key(&s, "temperature");
    s.texts.comma = false;
    hzi_json_double(&s.texts, NULL, config->how.temperature);
    hzi_text_add(&s.texts, "", 1);
    if (config->how.temperature > 0.0 && config->how.temperature_plies == UINT64_MAX) {
        add_text(&s, "temperature-plies", "all");
    } else {
        add_count(&s, "temperature-plies",
                  config->how.temperature > 0.0 ? config->how.temperature_plies : 0);
    }
    add_count(&s, "max-plies", config->max_plies);
    add_text(&s, "start",
             !config->openings       ? "start"
             : config->openings_name ? config->openings_name
                                     : "openings");
    settings->at = calloc(s.count, sizeof *settings->at);
    settings->texts = s.texts.bytes;
    if (!settings->at || s.texts.failed) {
        hzi_selfplay_settings_free(settings);
        return no_memory(err);
    }
    const char *at = settings->texts;
    for (size_t i = 0; i < s.count; i++) {
        settings->at[i].key = at;
        at += strlen(at) + 1;
        settings->at[i].value = at;
        at += strlen(at) + 1;
    }
    settings->count = s.count;
    settings->record = record_line(settings);
    if (!settings->record) {
        hzi_selfplay_settings_free(settings);
        return no_memory(err);
    }
    hz_sha256_hex(settings->record, strlen(settings->record), pool);
    pool[16] = '\0';
    settings->identity = strtoull(pool, NULL, 16);
    return HZ_OK;
}

void hzi_selfplay_settings_free(hzi_selfplay_settings *settings) {
    free(settings->at);
    free(settings->record);
    free(settings->texts);
    *settings = (hzi_selfplay_settings){0};
}

void hzi_selfplay_sides(const hzi_selfplay_config *config, uint64_t game, size_t players[2]) {
    uint64_t n = config->player_count, pair = game % (n * n);
    players[HZ_WHITE] = (size_t)(pair / n);
    players[HZ_BLACK] = (size_t)(pair % n);
}

/* ---- workers ---- */

hz_status hzi_selfplay_worker_open(hzi_selfplay_worker *worker, hz_error *err) {
    const hzi_selfplay_config *config = worker->config;
    worker->referee = hz_referee_new();
    worker->players = calloc(config->player_count, sizeof *worker->players);
    if (!worker->referee || !worker->players) {
        return no_memory(err);
    }
    for (size_t i = 0; i < config->player_count; i++) {
        hz_match_player *player = &worker->players[i];
        hz_status status = hzi_explorer_open(config->players[i], config->registry, &config->how,
                                             &worker->notes, player, err);
        if (status != HZ_OK) {
            return status;
        }
        worker->opened = i + 1;
        player->cancel = worker->drop;
        status = player->start ? player->start(player, err) : HZ_OK;
        if (status != HZ_OK) {
            return status;
        }
    }
    return HZ_OK;
}

void hzi_selfplay_worker_close(hzi_selfplay_worker *worker) {
    for (size_t i = 0; i < worker->opened; i++) {
        hz_match_player_close(&worker->players[i]);
    }
    free(worker->players);
    hz_referee_free(worker->referee);
    hzi_notes_free(&worker->notes);
    free(worker->rows);
    free(worker->turns);
    hzi_text_fini(&worker->comments);
    *worker = (hzi_selfplay_worker){0};
}

/* ---- the run ---- */

struct hzi_selfplay {
    const hzi_selfplay_config *config;
    hzi_selfplay_settings settings;
    hzi_selfplay_file file;
    bool writes; /* this rank has the file */
    hzi_selfplay_counts *counts;
};

/* An item of the crew is so many games. */
static uint32_t item_games(const hzi_selfplay_config *config) {
    return config->format == HZI_SELFPLAY_ROWS ? HZI_SELFPLAY_BLOCK : 1;
}

static hz_status open_worker(void *context, const hz_cancel *drop, void **state, hz_error *err) {
    const hzi_selfplay *r = context;
    hzi_selfplay_worker *worker = calloc(1, sizeof *worker);
    if (!worker) {
        return no_memory(err);
    }
    *worker = (hzi_selfplay_worker){.config = r->config, .settings = &r->settings, .drop = drop};
    hz_status status = hzi_selfplay_worker_open(worker, err);
    if (status != HZ_OK) {
        hzi_selfplay_worker_close(worker);
        free(worker);
        return status;
    }
    *state = worker;
    return HZ_OK;
}

static void close_worker(void *context, void *state) {
    (void)context;
    if (state) {
        hzi_selfplay_worker_close(state);
        free(state);
    }
}

/* A result is the counts, as this program holds them, and then what goes into the file. */
static hz_status play_item(void *context, void *state, uint64_t item, hzi_text *result,
                           hz_error *err) {
    const hzi_selfplay *r = context;
    uint64_t first = item * item_games(r->config), left = r->config->games - first;
    uint32_t games = left < item_games(r->config) ? (uint32_t)left : item_games(r->config);
    hzi_selfplay_counts counts = {0};
    size_t begin = result->length;
    hzi_text_add(result, (const char *)&counts, sizeof counts);
    hz_status status = hzi_selfplay_games(state, first, games, result, &counts, err);
    if (status == HZ_OK && result->bytes) {
        memcpy(result->bytes + begin, &counts, sizeof counts);
    }
    return status;
}

static void add_counts(hzi_selfplay_counts *sum, const hzi_selfplay_counts *part) {
    sum->games += part->games;
    sum->rows += part->rows;
    sum->plies += part->plies;
    sum->forced_passes += part->forced_passes;
    sum->white += part->white;
    sum->black += part->black;
    sum->draws += part->draws;
    sum->fifty += part->fifty;
    sum->length += part->length;
    sum->openings += part->openings;
    sum->drawn += part->drawn;
}

static hz_status write_item(void *context, uint64_t item, const char *bytes, size_t length,
                            bool *finished, hz_error *err) {
    hzi_selfplay *r = context;
    hzi_selfplay_counts counts;
    (void)item, (void)finished;
    if (!bytes || length < sizeof counts) {
        return hz_fail(err, HZ_IO, HZ_NO_OFFSET, "games were lost on their way");
    }
    memcpy(&counts, bytes, sizeof counts);
    hz_status status = hzi_selfplay_file_write(&r->file, bytes + sizeof counts,
                                               length - sizeof counts, &counts, err);
    if (status == HZ_OK) {
        add_counts(r->counts, &counts);
        if (r->config->progress) {
            r->config->progress(r->config->progress_context, r->counts);
        }
    }
    return status;
}

static hz_status play_all(hzi_selfplay *r, hz_error *err) {
    const hzi_selfplay_config *config = r->config;
    const hzi_crew_work work = {.context = r,
                                .open = open_worker,
                                .work = play_item,
                                .close = close_worker,
                                .fold = write_item};
    const hzi_crew_plan plan = {.first = r->file.games / item_games(config),
                                .end =
                                    (config->games + item_games(config) - 1) / item_games(config),
                                .threads = config->threads,
                                .ranks = config->ranks,
                                .identity = r->settings.identity,
                                .cancel = config->cancel};
    hzi_crew_outcome outcome = {0};
    hz_status status = hzi_crew_run(&plan, &work, &outcome, err);
    r->counts->ranks_lost = outcome.ranks_lost;
    return status == HZ_OK && outcome.cancelled
               ? hz_fail(err, HZ_CANCELLED, HZ_NO_OFFSET, "self-play was stopped")
               : status;
}

/* Whether every player can be made, before a file is touched. */
static hz_status try_players(hzi_selfplay *r, hz_error *err) {
    void *state = NULL;
    hz_status status = open_worker(r, r->config->cancel, &state, err);
    close_worker(r, state);
    return status;
}

hz_status hzi_selfplay_open(const hzi_selfplay_config *config, hzi_selfplay **made, hz_error *err) {
    hz_status status = check(config, err);
    *made = NULL;
    if (status != HZ_OK) {
        return status;
    }
    hzi_selfplay *s = calloc(1, sizeof *s);
    if (!s) {
        return no_memory(err);
    }
    s->config = config;
    s->file = (hzi_selfplay_file){.config = config, .fd = -1};
    s->writes = !config->ranks || config->ranks->rank == 0;
    status = hzi_selfplay_settings_make(config, &s->settings, err);
    if (status == HZ_OK) {
        status = try_players(s, err);
    }
    if (status == HZ_OK && s->writes) {
        status = hzi_selfplay_file_open(&s->file, config, &s->settings, err);
    }
    if (status != HZ_OK) {
        hzi_selfplay_close(s);
        return status;
    }
    *made = s;
    return HZ_OK;
}

hz_status hzi_selfplay_play(hzi_selfplay *s, hzi_selfplay_counts *counts, hz_error *err) {
    hz_error closing;
    hz_status status = HZ_OK;
    *counts = (hzi_selfplay_counts){.games = s->file.games, .resumed = s->file.games};
    s->counts = counts;
    if (!s->file.finished) {
        status = play_all(s, err);
    }
    if (status == HZ_OK && s->writes) {
        status = hzi_selfplay_file_end(&s->file, err);
    }
    hz_status closed = hzi_selfplay_file_close(&s->file, &closing);
    if (status == HZ_OK && closed != HZ_OK) {
        status = closed;
        if (err) {
            *err = closing;
        }
    }
    return status;
}

void hzi_selfplay_close(hzi_selfplay *s) {
    if (s) {
        (void)hzi_selfplay_file_close(&s->file, NULL);
        hzi_selfplay_settings_free(&s->settings);
        free(s);
    }
}

hz_status hzi_selfplay_run(const hzi_selfplay_config *config, hzi_selfplay_counts *counts,
                           hz_error *err) {
    hzi_selfplay *s = NULL;
    *counts = (hzi_selfplay_counts){0};
    hz_status status = hzi_selfplay_open(config, &s, err);
    if (s) {
        status = hzi_selfplay_play(s, counts, err);
        hzi_selfplay_close(s);
    }
    return status;
}
