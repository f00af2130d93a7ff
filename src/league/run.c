/* SPDX-License-Identifier: MIT */
/*
 * A run through the levels: fifty games each, shared by the threads of a pool, every thread with a
 * child and a baseline of its own. Games have their place by number, so it does not matter who plays
 * which and when.
 */
#include "league/check.h"
#include "league/remote.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct worker {
    hzi_remote remote;
    hz_league_player *evaluator; /* when it plays here */
    hz_league_player *baseline;  /* of the level */
} worker;

typedef struct run {
    const hz_league_run_config *config;
    hz_league_limits limits;
    unsigned threads;
    worker *workers;
    hz_thread_pool *pool;
    /* Of the level that is played: */
    int level;
    bool second;
    const hz_league_opening *openings;
    int points2[HZ_LEAGUE_GAMES];
    /* Shared by the threads: */
    pthread_mutex_t lock;
    hz_status status; /* of the first failure */
    hz_error why;
    hz_cancel stop; /* raised by a failure or by the caller's flag */
} run;

int hz_league_points2(const hz_league_score *score) {
    return 2 * score->wins + score->draws;
}

static void note_failure(run *r, hz_status status, const hz_error *err) {
    (void)pthread_mutex_lock(&r->lock);
    if (r->status == HZ_OK) {
        r->status = status;
        r->why = *err;
    }
    (void)pthread_mutex_unlock(&r->lock);
    hz_cancel_request(&r->stop);
}

static hz_status play_one(run *r, worker *w, int number, hz_chess_game *game,
                          hz_league_record *record, hz_error *err) {
    hz_color color = number % 2 ? HZ_WHITE : HZ_BLACK;
    uint64_t budget_ns = r->limits.game_ms * 1000000u;
    /* The caller's flag ends a game; the run's own only keeps the next from beginning. */
    const hz_cancel *cancel = r->config->cancel;
    hz_status status = r->config->bytes
                           ? hzi_league_play(hzi_remote_choose, &w->remote, w->baseline, color,
                                             budget_ns, cancel, game, &record->result, err)
                           : hz_league_play(w->evaluator, w->baseline, color, budget_ns, cancel,
                                            game, &record->result, err);
    record->result.opening = (number + 1) / 2;
    return status;
}

static void play_item(void *context, size_t index, unsigned number_of_worker) {
    run *r = context;
    worker *w = &r->workers[number_of_worker];
    hz_chess_game game;
    hz_error err;
    hz_error_clear(&err);
    if (hz_cancel_requested(&r->stop)) {
        return;
    }
    const hz_league_opening *opening = &r->openings[index / 2];
    hz_league_record record = {.level = r->level,
                               .second = r->second,
                               .number = (int)index + 1,
                               .opening = opening,
                               .game = &game};
    hz_status status = hz_league_opening_game(opening, &game, &err);
    if (status == HZ_OK) {
        status = play_one(r, w, record.number, &game, &record, &err);
        if (status == HZ_OK) {
            r->points2[index] = record.result.points2;
            if (r->config->on_game) {
                (void)pthread_mutex_lock(&r->lock);
                status = r->config->on_game(r->config->state, &record, &err);
                (void)pthread_mutex_unlock(&r->lock);
            }
        }
        hz_chess_game_fini(&game);
    }
    if (status != HZ_OK) {
        note_failure(r, status, &err);
    }
}

/* New baselines for a level; evaluators stay. */
static hz_status prepare(run *r, int level, hz_error *err) {
    hz_league_player_config baseline = hz_league_baseline(level);
    for (unsigned i = 0; i < r->threads; i++) {
        worker *w = &r->workers[i];
        hz_league_player_free(w->baseline);
        w->baseline = NULL;
        hz_status status = hz_league_player_new(&baseline, &w->baseline, err);
        if (status == HZ_OK && !r->config->bytes && !w->evaluator) {
            hz_league_player_config config = {
                .judge = r->config->judge, .depth = 1, .evade = r->config->evade, .cached = true};
            status = hz_league_player_new(&config, &w->evaluator, err);
        }
        if (status != HZ_OK) {
            return status;
        }
    }
    return HZ_OK;
}

static hz_status play_level(run *r, int level, const hz_league_opening *openings, bool second,
                            hz_league_score *score, hz_error *err) {
    hz_status status = prepare(r, level, err);
    if (status != HZ_OK) {
        return status;
    }
    r->level = level;
    r->second = second;
    r->openings = openings;
    hz_thread_pool_run(r->pool, HZ_LEAGUE_GAMES, play_item, r);
    if (r->status != HZ_OK) {
        if (err) {
            *err = r->why;
        }
        return r->status;
    }
    *score = (hz_league_score){.played = HZ_LEAGUE_GAMES};
    for (int i = 0; i < HZ_LEAGUE_GAMES; i++) {
        score->wins += r->points2[i] == 2;
        score->draws += r->points2[i] == 1;
        score->losses += r->points2[i] == 0;
    }
    return HZ_OK;
}

static hz_status play_all(run *r, hz_league_run_result *result, hz_error *err) {
    enum { FITTED_POINTS2 = 24 };
    int first = r->config->level ? r->config->level : 1;
    int last = r->config->level ? r->config->level : HZ_LEAGUE_LEVELS;
    hz_status status = HZ_OK;
    for (int level = first; level <= last && status == HZ_OK; level++) {
        hz_league_score *score = &result->levels[level - 1];
        status = play_level(r, level, hz_league_openings, false, score, err);
        if (status == HZ_OK && hz_league_points2(score) >= HZ_LEAGUE_PASS_POINTS2) {
            result->level = level;
        } else {
            break;
        }
    }
    if (status == HZ_OK && result->level > 0 && r->config->second) {
        status = play_level(r, result->level, r->config->second, true, &result->second, err);
        int apart = hz_league_points2(&result->levels[result->level - 1]) -
                    hz_league_points2(&result->second);
        result->fitted = apart > FITTED_POINTS2 || apart < -FITTED_POINTS2;
    }
    return status;
}

hz_status hz_league_run(const hz_league_run_config *config, hz_league_run_result *result,
                        hz_error *err) {
    run r = {.config = config,
             .limits = hzi_league_limits(&config->limits),
             .threads = config->threads ? config->threads : 1};
    *result = (hz_league_run_result){0};
    if (config->level < 0 || config->level > HZ_LEAGUE_LEVELS || r.threads > HZ_THREADS_MAX) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                       "level: %d is not from 1 to %d, or threads: %u is not from 1 to %d",
                       config->level, HZ_LEAGUE_LEVELS, r.threads, HZ_THREADS_MAX);
    }
    if (pthread_mutex_init(&r.lock, NULL) != 0) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "out of memory");
    }
    r.workers = calloc(r.threads, sizeof *r.workers);
    if (!r.workers) {
        (void)pthread_mutex_destroy(&r.lock);
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "out of memory");
    }
    hz_status status = hz_thread_pool_new(r.threads, &r.pool, err);
    for (unsigned i = 0; status == HZ_OK && i < r.threads; i++) {
        r.workers[i].remote = (hzi_remote){.bytes = config->bytes,
                                           .length = config->length,
                                           .limits = r.limits,
                                           .evade = config->evade};
    }
    if (status == HZ_OK) {
        status = play_all(&r, result, err);
    }
    for (unsigned i = 0; i < r.threads; i++) {
        hzi_remote_fini(&r.workers[i].remote);
        hz_league_player_free(r.workers[i].evaluator);
        hz_league_player_free(r.workers[i].baseline);
    }
    hz_thread_pool_free(r.pool);
    free(r.workers);
    (void)pthread_mutex_destroy(&r.lock);
    return status;
}

hz_status hz_league_replay(const void *bytes, size_t length, const hz_league_limits *limits,
                           const hz_league_record *record, bool *same, hz_error *err) {
    hzi_remote remote = {.bytes = bytes, .length = length, .limits = hzi_league_limits(limits)};
    hz_league_player_config config = hz_league_baseline(record->level);
    hz_league_player *baseline = NULL;
    hz_league_result result = {0};
    hz_chess_game game;
    hz_status status = hz_league_opening_game(record->opening, &game, err);
    if (status != HZ_OK) {
        return status;
    }
    status = hz_league_player_new(&config, &baseline, err);
    if (status == HZ_OK) {
        status = hzi_league_play(hzi_remote_choose, &remote, baseline, record->result.color,
                                 remote.limits.game_ms * 1000000u, NULL, &game, &result, err);
    }
    *same = status == HZ_OK && result.reason == record->result.reason &&
            result.points2 == record->result.points2 && game.count == record->game->count &&
            (game.count == 0 ||
             memcmp(game.moves, record->game->moves, game.count * sizeof game.moves[0]) == 0) &&
            result.reason != HZ_LEAGUE_TIMEOUT;
    hzi_remote_fini(&remote);
    hz_league_player_free(baseline);
    hz_chess_game_fini(&game);
    return status;
}
