/* SPDX-License-Identifier: MIT */
/*
 * What one worker does: its own instances of the players, its own referee, a pair at a time. A player
 * whose connection broke loses the game it was in and is started again before the next one.
 */
#include "arena/match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t SECOND_GAME =
    0x5EC0DD1CE5EC0DD1; /* sets its dice apart when they are fresh */

typedef struct instance {
    hz_match_player player;
    bool open, started, broken;
} instance;

typedef struct worker {
    const hz_match_config *config;
    hz_match_rules rules;
    hz_referee *referee;
    hz_luck *luck;
    instance *players; /* by number; B of a player against itself stands in a second row */
    hzi_text latencies, log, record;
} worker;

/* ---- players ---- */

static hz_status take_spare(hz_match_run *run, size_t index, hz_match_player *player) {
    (void)pthread_mutex_lock(&run->lock);
    *player = run->seats[index].spare;
    run->seats[index].spare = (hz_match_player){0};
    (void)pthread_mutex_unlock(&run->lock);
    return player->ask ? HZ_OK : HZ_NOT_FOUND;
}

/* Opens and starts a player the first time it is needed. */
static hz_status ready(hz_match_run *run, worker *w, size_t index, hz_error *err) {
    instance *i = &w->players[index];
    hz_status status = HZ_OK;
    if (!i->open) {
        if (take_spare(run, index, &i->player) == HZ_OK) {
            i->started = true;
        } else {
            status = hzi_match_open_player(run, index, &i->player, err);
        }
        i->open = status == HZ_OK;
        i->player.cancel = w->rules.cancel;
    }
    if (status == HZ_OK && !i->started) {
        hz_error why;
        hz_error_clear(&why);
        status = i->player.start ? i->player.start(&i->player, &why) : HZ_OK;
        if (status != HZ_OK) {
            return hzi_match_not_started(status, run->infos[index].name, &why, err);
        }
        i->started = true;
    }
    return status;
}

/* False when a broken player does not start again. */
static bool mend(instance *i, char note[120]) {
    hz_error why;
    hz_error_clear(&why);
    if (i->broken && i->player.start && i->player.start(&i->player, &why) != HZ_OK) {
        (void)snprintf(note, 120, "cannot be started again: %.90s", why.message);
        return false;
    }
    i->broken = false;
    return true;
}

static bool breaks(hz_match_fault fault) {
    return fault != HZ_FAULT_NONE && fault != HZ_FAULT_ILLEGAL && fault != HZ_FAULT_REFUSED &&
           fault != HZ_FAULT_DECLINED;
}

/* ---- games ---- */

typedef struct seats {
    instance *players[2]; /* by colour */
    const char *names[2];
} seats;

/* A game that a player could not come to. */
static bool absent(const seats *s, const hz_position *start, hz_match_game_result *result) {
    for (int color = 0; color < 2; color++) {
        char note[120];
        if (!mend(s->players[color], note)) {
            *result = (hz_match_game_result){.outcome = color == HZ_WHITE ? HZ_OUTCOME_BLACK
                                                                          : HZ_OUTCOME_WHITE,
                                             .end = HZ_END_LOST,
                                             .fault = HZ_FAULT_LOST,
                                             .mover = (hz_color)color,
                                             .last = *start};
            memcpy(result->note, note, sizeof note);
            return true;
        }
    }
    return false;
}

static void summarise(const hz_match_game_result *result, hz_color a_color,
                      hz_match_game_summary *game) {
    *game = (hz_match_game_summary){.a_color = a_color,
                                    .outcome = result->outcome,
                                    .end = result->end,
                                    .http_status = result->http_status,
                                    .plies = result->plies,
                                    .forced_passes = result->forced_passes,
                                    .sides = {result->sides[a_color], result->sides[1 - a_color]},
                                    .luck = a_color == HZ_WHITE ? result->luck : -result->luck};
}

/* The times of A's answers; a forced pass is none. */
static void add_latencies(worker *w, const hz_match_game_result *result, hz_color a_color,
                          hz_color first) {
    hz_color mover = first;
    for (size_t i = 0; i < result->turn_count; i++, mover = (hz_color)(1 - mover)) {
        const hz_match_turn *turn = &result->turns[i];
        if (mover == a_color && (turn->turn.count > 0 || turn->move)) {
            hzi_text_add(&w->latencies, (const char *)&turn->us, sizeof turn->us);
        }
    }
    if (result->has_lost_answer && result->mover == a_color) {
        hzi_text_add(&w->latencies, (const char *)&result->lost_answer_us,
                     sizeof result->lost_answer_us);
    }
}

static hz_status play_game(hz_match_run *run, worker *w, hz_match_pair *pair, int number,
                           hz_error *err) {
    const hz_match_config *config = w->config;
    const hz_match_pairing *pairing = &run->pairings[pair->pairing];
    hz_color a_color = number == 0 ? HZ_WHITE : HZ_BLACK;
    hz_position start;
    if (config->openings) {
        start = config->openings->positions[pair->number % config->openings->count];
    } else {
        (void)hz_position_from_dfen(&start, HZ_START_DFEN, strlen(HZ_START_DFEN), NULL);
    }
    seats s;
    s.players[a_color] = &w->players[pairing->a];
    s.players[1 - a_color] = &w->players[pairing->b];
    s.names[a_color] = run->infos[pairing->a].name;
    s.names[1 - a_color] = run->infos[pairing->b].name;
    hz_match_game_setup setup = {
        .start = &start,
        .players = {&s.players[0]->player, &s.players[1]->player},
        .dice_seed = config->fresh_dice && number == 1 ? hz_random_mix(pair->seed ^ SECOND_GAME)
                                                       : pair->seed,
        .stream_seed = pair->seed,
        .game_number = 2 * hzi_match_item(run, pair->pairing, pair->number) + (uint64_t)number,
        .luck = w->luck};
    hz_match_game_result result;
    hz_status status = HZ_OK;
    if (absent(&s, &start, &result)) {
        if (hz_cancel_requested(w->rules.cancel)) {
            return hz_fail(err, HZ_CANCELLED, HZ_NO_OFFSET, "cancelled");
        }
    } else {
        status = hz_referee_play(w->referee, &w->rules, &setup, &result, err);
        s.players[result.mover]->broken |= status == HZ_OK && breaks(result.fault);
    }
    if (status != HZ_OK) {
        return status;
    }
    summarise(&result, a_color, &pair->games[number]);
    add_latencies(w, &result, a_color, (hz_color)start.side);
    hzi_game_about about = {.pairing = pair->pairing,
                            .pair = pair->number,
                            .game = number,
                            .names = {s.names[0], s.names[1]},
                            .a_color = a_color,
                            .start = &start,
                            .dice_seed = setup.dice_seed,
                            .rules = &w->rules,
                            .result = &result};
    if (config->games_log ||
        hzi_gallery_wants(config, run->view.pairing_count, pair->number, result.end)) {
        hzi_game_log(&about, &w->log);
    }
    if (config->games_record || config->archive) {
        status = hzi_game_record(&about, &w->record, err);
    }
    return status;
}

hz_status hzi_match_worker_play(void *context, void *state, uint64_t item, hzi_text *result,
                                hz_error *err) {
    hz_match_run *run = context;
    worker *w = state;
    size_t pairings = run->view.pairing_count;
    hz_match_pair pair = {0};
    pair.pairing = (size_t)(item % pairings);
    pair.number = item / pairings;
    pair.seed = w->config->seed + pair.number;
    hzi_text_clear(&w->latencies);
    hzi_text_clear(&w->log);
    hzi_text_clear(&w->record);
    hz_status status = ready(run, w, run->pairings[pair.pairing].a, err);
    if (status == HZ_OK) {
        status = ready(run, w, run->pairings[pair.pairing].b, err);
    }
    for (int number = 0; number < 2 && status == HZ_OK; number++) {
        status = play_game(run, w, &pair, number, err);
    }
    if (status == HZ_OK && (w->latencies.failed || w->log.failed || w->record.failed)) {
        status = hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a finished pair");
    }
    if (status == HZ_OK) {
        pair.latency_count = w->latencies.length / sizeof *pair.latency_us;
        pair.latency_us = (const uint32_t *)(const void *)w->latencies.bytes;
        pair.log = w->log.bytes;
        pair.log_length = w->log.length;
        pair.record = w->record.bytes;
        pair.record_length = w->record.length;
        hzi_pair_pack(&pair, result);
    }
    return status;
}

/* ---- a worker's life ---- */

hz_status hzi_match_worker_open(void *context, const hz_cancel *drop, void **state, hz_error *err) {
    hz_match_run *run = context;
    worker *w = calloc(1, sizeof *w);
    hz_status status = HZ_OK;
    if (w) {
        w->config = run->config;
        w->rules = run->config->rules;
        w->rules.cancel = drop;
        w->referee = hz_referee_new();
        w->players = calloc(run->view.player_count, sizeof *w->players);
    }
    if (!w || !w->referee || !w->players) {
        status = hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a worker");
    }
    if (status == HZ_OK && run->config->luck) {
        status = hz_luck_open(run->config->luck, run->registry, &w->luck, err);
    }
    if (status != HZ_OK) {
        if (w) {
            hz_referee_free(w->referee);
            free(w->players);
            free(w);
        }
        return status;
    }
    *state = w;
    return HZ_OK;
}

void hzi_match_worker_close(void *context, void *state) {
    hz_match_run *run = context;
    worker *w = state;
    for (size_t i = 0; i < run->view.player_count; i++) {
        if (w->players[i].open) {
            hz_match_player_close(&w->players[i].player);
        }
    }
    hz_luck_close(w->luck);
    hz_referee_free(w->referee);
    hzi_text_fini(&w->latencies);
    hzi_text_fini(&w->log);
    hzi_text_fini(&w->record);
    free(w->players);
    free(w);
}
