/* SPDX-License-Identifier: MIT */
/*
 * How far the baselines are apart: two of them over as many openings as one likes, each opening with
 * both colours. Openings are made here: random legal moves, of which only what a search finds
 * balanced is kept. Nothing depends on the number of threads or on the machine.
 */
#include <hazard/league.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- openings --------------------------------------------------------------------------------------- */

enum {
    PLIES_MOST = 8,
    TEXT_MOST = PLIES_MOST * HZ_MOVE_CAPACITY,
    QUICK_DEPTH = 2, /* a first look, which most do not survive */
    QUICK_CP = 4 * HZ_LEAGUE_BALANCE_CP,
    TABLE_BYTES = 1 << 20
};

/* Random moves, 6 or 8 of them; false when the game ends among them. */
static bool play_at_random(hz_random *random, hz_chess_game *game) {
    unsigned plies = PLIES_MOST - 2 * hz_random_draw(random, 2);
    for (unsigned i = 0; i < plies; i++) {
        hz_move moves[HZ_CHESS_MOVES_MAX];
        int n = hz_chess_moves(&game->now, moves);
        if (n == 0 ||
            hz_chess_game_play(game, moves[hz_random_draw(random, (uint32_t)n)], NULL) != HZ_OK) {
            return false;
        }
    }
    return hz_chess_position_end(&game->now) == HZ_CHESS_GOES_ON &&
           !hz_chess_in_check(&game->now, (hz_color)game->now.side);
}

static hz_status is_within(hz_chess_search *search, const hz_chess_game *game, int depth,
                           int most_cp, bool *within, hz_error *err) {
    hz_chess_answer answer;
    hz_chess_limits limits = {.depth = depth};
    hz_chess_search_clear(search);
    hz_status status = hz_chess_search_run(search, game, &limits, NULL, NULL, &answer, err);
    *within = status == HZ_OK && abs(answer.line.score) <= most_cp;
    return status;
}

/* The opening with this number among all that are tried; *good: whether it may be used. */
static hz_status try_one(hz_chess_search *search, uint64_t seed, uint64_t number,
                         hz_chess_game *game, bool *good, hz_error *err) {
    hz_random random = hz_random_from_seed(hz_random_mix(seed) + number);
    hz_position start;
    hz_status status = hz_chess_from_fen(&start, HZ_START_DFEN, strlen(HZ_START_DFEN), err);
    if (status == HZ_OK) {
        status = hz_chess_game_init(game, &start, err);
    }
    if (status != HZ_OK) {
        return status;
    }
    *good = play_at_random(&random, game);
    if (*good) {
        status = is_within(search, game, QUICK_DEPTH, QUICK_CP, good, err);
    }
    if (status == HZ_OK && *good) {
        status = is_within(search, game, HZ_LEAGUE_BALANCE_DEPTH, HZ_LEAGUE_BALANCE_CP, good, err);
    }
    return status;
}

static const char *keep(hz_arena *arena, const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = hz_arena_alloc(arena, size);
    return copy ? memcpy(copy, text, size) : NULL;
}

static hz_status describe(const hz_chess_game *game, size_t number, hz_arena *arena,
                          hz_league_opening *opening, hz_error *err) {
    char moves[TEXT_MOST] = "", name[40], *at = moves;
    for (size_t i = 0; i < game->count; i++) {
        if (i > 0) {
            *at++ = ' ';
        }
        at += hz_move_to_text(game->moves[i], at);
    }
    (void)snprintf(name, sizeof name, "made, number %zu", number);
    *opening = (hz_league_opening){"?", keep(arena, name), keep(arena, moves)};
    return opening->name && opening->moves
               ? HZ_OK
               : hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "out of memory");
}

static bool is_new(const uint64_t *keys, size_t count, uint64_t key) {
    for (size_t i = 0; i < count; i++) {
        if (keys[i] == key) {
            return false;
        }
    }
    return true;
}

hz_status hz_league_openings_make(uint64_t seed, size_t count, const hz_cancel *cancel,
                                  hz_arena *arena, hz_league_opening *openings, hz_error *err) {
    hz_chess_search *search = NULL;
    hz_chess_search_config config = {.table_bytes = TABLE_BYTES};
    if (count < 1 || count > HZ_LEAGUE_MADE_MAX) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET, "openings: %zu is not from 1 to %d",
                       count, HZ_LEAGUE_MADE_MAX);
    }
    uint64_t *keys = calloc(count, sizeof *keys);
    if (!keys) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "out of memory");
    }
    hz_status status = hz_chess_search_new(&config, &search, err);
    size_t made = 0;
    for (uint64_t number = 0; status == HZ_OK && made < count; number++) {
        hz_chess_game game = {0};
        bool good = false;
        if (hz_cancel_requested(cancel)) {
            status = hz_fail(err, HZ_CANCELLED, HZ_NO_OFFSET, "cancelled");
            break;
        }
        status = try_one(search, seed, number, &game, &good, err);
        uint64_t key = good ? hz_chess_repetition_key(&game.now) : 0;
        if (status == HZ_OK && good && is_new(keys, made, key)) {
            keys[made] = key;
            status = describe(&game, made + 1, arena, &openings[made], err);
            made++;
        }
        hz_chess_game_fini(&game);
    }
    hz_chess_search_free(search);
    free(keys);
    return status;
}

/* ---- a step ------------------------------------------------------------------------------------------ */

typedef struct climber {
    hz_league_player *lower, *upper;
} climber;

typedef struct step {
    const hz_league_step_config *config;
    climber *climbers; /* one per thread */
    /* Shared by the threads: */
    pthread_mutex_t lock;
    hz_league_step *result;
    hz_status status; /* of the first failure */
    hz_error why;
    hz_cancel stop;
} step;

/* Both games of an opening; half points of the upper level. */
static hz_status play_pair(const step *s, const climber *c, const hz_league_opening *opening,
                           int points2[2], hz_error *err) {
    hz_status status = HZ_OK;
    for (int i = 0; i < 2 && status == HZ_OK; i++) {
        hz_chess_game game;
        hz_league_result result;
        status = hz_league_opening_game(opening, &game, err);
        if (status == HZ_OK) {
            status = hz_league_play(c->upper, c->lower, i ? HZ_BLACK : HZ_WHITE, 0,
                                    s->config->cancel, &game, &result, err);
            points2[i] = result.points2;
            hz_chess_game_fini(&game);
        }
    }
    return status;
}

static void play_item(void *context, size_t index, unsigned worker) {
    step *s = context;
    int points2[2] = {0, 0};
    hz_error err;
    hz_error_clear(&err);
    if (hz_cancel_requested(&s->stop)) {
        return;
    }
    hz_status status =
        play_pair(s, &s->climbers[worker], &s->config->openings[index], points2, &err);
    (void)pthread_mutex_lock(&s->lock);
    if (status == HZ_OK) {
        s->result->games[points2[0]]++;
        s->result->games[points2[1]]++;
        s->result->pairs[points2[0] + points2[1]]++;
        if (s->config->on_pair) {
            s->config->on_pair(s->config->state);
        }
    } else if (s->status == HZ_OK) {
        s->status = status;
        s->why = err;
        hz_cancel_request(&s->stop);
    }
    (void)pthread_mutex_unlock(&s->lock);
}

static hz_status new_climbers(step *s, unsigned threads, hz_error *err) {
    hz_league_player_config lower = hz_league_baseline(s->config->lower);
    hz_league_player_config upper = hz_league_baseline(s->config->upper);
    hz_status status = HZ_OK;
    s->climbers = calloc(threads, sizeof *s->climbers);
    if (!s->climbers) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "out of memory");
    }
    for (unsigned i = 0; i < threads && status == HZ_OK; i++) {
        status = hz_league_player_new(&lower, &s->climbers[i].lower, err);
        if (status == HZ_OK) {
            status = hz_league_player_new(&upper, &s->climbers[i].upper, err);
        }
    }
    return status;
}

hz_status hz_league_step_play(const hz_league_step_config *config, hz_league_step *result,
                              hz_error *err) {
    unsigned threads = config->threads ? config->threads : 1;
    step s = {.config = config, .result = result};
    *result = (hz_league_step){{0}, {0}};
    if (config->lower < 1 || config->lower > HZ_LEAGUE_LEVELS || config->upper < 1 ||
        config->upper > HZ_LEAGUE_LEVELS) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                       "level: %d and %d are not from 1 to %d", config->lower, config->upper,
                       HZ_LEAGUE_LEVELS);
    }
    hz_thread_pool *pool = NULL;
    hz_status status = hz_thread_pool_new(threads, &pool, err);
    if (status != HZ_OK) {
        return status;
    }
    if (pthread_mutex_init(&s.lock, NULL) != 0) {
        hz_thread_pool_free(pool);
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "out of memory");
    }
    status = new_climbers(&s, threads, err);
    if (status == HZ_OK) {
        hz_thread_pool_run(pool, config->count, play_item, &s);
        status = s.status;
        if (status != HZ_OK && err) {
            *err = s.why;
        }
    }
    for (unsigned i = 0; s.climbers && i < threads; i++) {
        hz_league_player_free(s.climbers[i].lower);
        hz_league_player_free(s.climbers[i].upper);
    }
    free(s.climbers);
    (void)pthread_mutex_destroy(&s.lock);
    hz_thread_pool_free(pool);
    return status;
}
