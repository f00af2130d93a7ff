/* SPDX-License-Identifier: MIT */
/*
 * A run of self-play: the settings, and workers that take the next few games each and hand them over
 * in order. Whoever finishes the games that are next writes them, and those that wait behind them.
 */
#include "arena/selfplay.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
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
    add_count(&s, "temperature-plies",
              config->how.temperature > 0.0 ? config->how.temperature_plies : 0);
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

/* Games that were played and wait to be written. */
typedef struct slot {
    bool ready;
    hzi_text text;
    uint32_t games;
    hzi_selfplay_counts counts;
} slot;

typedef struct run {
    const hzi_selfplay_config *config;
    hzi_selfplay_file file;
    hzi_selfplay_worker *workers;
    pthread_mutex_t mutex;
    pthread_cond_t written; /* a slot became free, or the run stops */
    /* Under the mutex: */
    uint64_t first, units; /* game number of unit 0, units to play */
    uint64_t taken, emitted;
    size_t slot_count;
    slot *slots; /* of unit u: u modulo slot_count */
    hz_status status;
    hz_error error;
    hzi_selfplay_counts *counts;
} run;

static uint32_t unit_games(const run *r) {
    return r->config->format == HZI_SELFPLAY_ROWS ? HZI_SELFPLAY_BLOCK : 1;
}

static void stop(run *r, hz_status status, const hz_error *error) {
    if (r->status == HZ_OK) {
        r->status = status;
        r->error = *error;
    }
    (void)pthread_cond_broadcast(&r->written);
}

/* Takes the number of the next unit to play; false when there is none, or the run stops. */
static bool take_unit(run *r, uint64_t *unit) {
    (void)pthread_mutex_lock(&r->mutex);
    while (r->status == HZ_OK && r->taken < r->units && r->taken >= r->emitted + r->slot_count) {
        (void)pthread_cond_wait(&r->written, &r->mutex);
    }
    bool taken = r->status == HZ_OK && r->taken < r->units;
    if (taken) {
        *unit = r->taken++;
    }
    (void)pthread_mutex_unlock(&r->mutex);
    return taken;
}

static void add_counts(hzi_selfplay_counts *sum, const hzi_selfplay_counts *part) {
    sum->games += part->games;
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

/* Writes what is next, as far as it is there. */
static void emit(run *r) {
    for (slot *s; s = &r->slots[r->emitted % r->slot_count], s->ready && r->status == HZ_OK;) {
        hz_error why;
        hz_status status = hzi_selfplay_file_write(&r->file, &s->text, s->games, &why);
        if (status != HZ_OK) {
            stop(r, status, &why);
            break;
        }
        add_counts(r->counts, &s->counts);
        s->ready = false;
        r->emitted++;
        if (r->config->progress) {
            r->config->progress(r->config->progress_context, r->counts);
        }
    }
    (void)pthread_cond_broadcast(&r->written);
}

static void work(void *context, size_t index, unsigned number) {
    (void)number;
    run *r = context;
    hzi_selfplay_worker *worker = &r->workers[index];
    hz_error why = {0};
    uint64_t unit;
    hz_status status = worker->opened ? HZ_OK : hzi_selfplay_worker_open(worker, &why);
    while (status == HZ_OK && take_unit(r, &unit)) {
        slot *s = &r->slots[unit % r->slot_count];
        uint64_t first = r->first + unit * unit_games(r);
        uint64_t left = r->config->games - first;
        s->games = left < unit_games(r) ? (uint32_t)left : unit_games(r);
        s->counts = (hzi_selfplay_counts){0};
        hzi_text_clear(&s->text);
        s->text.failed = false;
        status = hzi_selfplay_games(worker, first, s->games, &s->text, &s->counts, &why);
        if (status == HZ_OK) {
            (void)pthread_mutex_lock(&r->mutex);
            s->ready = true;
            emit(r);
            (void)pthread_mutex_unlock(&r->mutex);
        }
    }
    if (status != HZ_OK) {
        (void)pthread_mutex_lock(&r->mutex);
        stop(r, status, &why);
        (void)pthread_mutex_unlock(&r->mutex);
    }
}

static hz_status play_all(run *r, hz_error *err) {
    unsigned threads = r->config->threads;
    hz_thread_pool *pool = NULL;
    hz_status status = HZ_OK;
    r->first = r->file.games;
    r->units = (r->config->games - r->first + unit_games(r) - 1) / unit_games(r);
    r->slot_count = 4 * (size_t)threads;
    r->slots = calloc(r->slot_count, sizeof *r->slots);
    if (!r->slots) {
        return no_memory(err);
    }
    status = hz_thread_pool_new(threads, &pool, err);
    if (status == HZ_OK) {
        hz_thread_pool_run(pool, threads, work, r);
        hz_thread_pool_free(pool);
        status = r->status;
        if (status != HZ_OK && err) {
            *err = r->error;
        }
    }
    for (size_t i = 0; i < r->slot_count; i++) {
        hzi_text_fini(&r->slots[i].text);
    }
    free(r->slots);
    return status;
}

hz_status hzi_selfplay_run(const hzi_selfplay_config *config, hzi_selfplay_counts *counts,
                           hz_error *err) {
    run r = {.config = config, .counts = counts, .file = {.fd = -1}};
    hzi_selfplay_settings settings = {0};
    *counts = (hzi_selfplay_counts){0};
    hz_status status = check(config, err);
    if (status != HZ_OK) {
        return status;
    }
    r.workers = calloc(config->threads, sizeof *r.workers);
    if (!r.workers || pthread_mutex_init(&r.mutex, NULL) != 0) {
        free(r.workers);
        return no_memory(err);
    }
    (void)pthread_cond_init(&r.written, NULL);
    for (unsigned i = 0; i < config->threads; i++) {
        r.workers[i] = (hzi_selfplay_worker){.config = config, .settings = &settings};
    }
    /* Everything that can be refused is refused before the file is touched. */
    status = hzi_selfplay_settings_make(config, &settings, err);
    if (status == HZ_OK) {
        status = hzi_selfplay_worker_open(&r.workers[0], err);
    }
    if (status == HZ_OK) {
        status = hzi_selfplay_file_open(&r.file, config, &settings, err);
    }
    if (status == HZ_OK) {
        counts->games = counts->resumed = r.file.games;
        if (!r.file.finished) {
            status = play_all(&r, err);
        }
    }
    if (status == HZ_OK) {
        status = hzi_selfplay_file_end(&r.file, err);
    }
    hz_error closing;
    hz_status closed = hzi_selfplay_file_close(&r.file, &closing);
    if (status == HZ_OK && closed != HZ_OK) {
        status = closed;
        if (err) {
            *err = closing;
        }
    }
    for (unsigned i = 0; i < config->threads; i++) {
        hzi_selfplay_worker_close(&r.workers[i]);
    }
    free(r.workers);
    hzi_selfplay_settings_free(&settings);
    (void)pthread_cond_destroy(&r.written);
    (void)pthread_mutex_destroy(&r.mutex);
    return status;
}
