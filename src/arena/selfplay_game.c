/* SPDX-License-Identifier: MIT */
/*
 * Games of self-play: the referee plays one, then it is walked through again and written down, with
 * the odds of both kings before each roll.
 */
#include "arena/selfplay.h"

#include <hazard/odds.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static hz_status no_memory(hz_error *err) {
    return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for self-play");
}

/* Room for `count` rows in all. */
static bool grow_rows(hzi_selfplay_worker *worker, size_t count) {
    if (count > worker->row_capacity) {
        size_t capacity = 2 * count;
        hzi_row *grown = realloc(worker->rows, capacity * sizeof *grown);
        if (!grown) {
            return false;
        }
        worker->rows = grown;
        worker->row_capacity = capacity;
    }
    return true;
}

/* ---- one game ---- */

static hz_position start_of(const hzi_selfplay_config *config, uint64_t game) {
    if (config->openings) {
        return config->openings->positions[game % config->openings->count];
    }
    hz_record usual;
    hz_record_init(&usual);
    return usual.start;
}

static hz_status play(hzi_selfplay_worker *worker, uint64_t game, const hz_position *start,
                      const size_t sides[2], hz_match_game_result *result, hz_error *err) {
    const hzi_selfplay_config *config = worker->config;
    hz_match_rules rules = hz_match_rules_default();
    hz_error why = {0};
    rules.max_plies = config->max_plies;
    rules.cancel = worker->drop;
    const hz_match_game_setup setup = {
        .start = start,
        .players = {&worker->players[sides[HZ_WHITE]], &worker->players[sides[HZ_BLACK]]},
        .dice_seed = config->seed + game,
        .stream_seed = config->seed + game,
        .game_number = game};
    hzi_notes_clear(&worker->notes);
    hz_status status = hz_referee_play(worker->referee, &rules, &setup, result, &why);
    if (status == HZ_CANCELLED) {
        return hz_fail(err, status, HZ_NO_OFFSET, "self-play was stopped");
    }
    if (status != HZ_OK) {
        return hz_fail(err, status, HZ_NO_OFFSET, "game %" PRIu64 ": %.900s", game + 1,
                       why.message);
    }
    if (result->fault != HZ_FAULT_NONE) {
        char end[HZ_MATCH_END_CAPACITY];
        return hz_fail(err, HZ_PLAYER, HZ_NO_OFFSET,
                       "game %" PRIu64 ": %.200s has no valid answer (%s)%s%s", game + 1,
                       config->players[sides[result->mover]],
                       hz_match_end_text(result->end, result->http_status, end),
                       result->note[0] ? ": " : "", result->note);
    }
    return HZ_OK;
}

/* Walks through the game once more: a row for each turn. */
static void fill_rows(hzi_selfplay_worker *worker, uint64_t game, const hz_position *start,
                      const size_t sides[2], const hz_match_game_result *result, hzi_row *rows) {
    hz_position position = *start;
    hz_position_set_pool(&position, 0);
    for (size_t i = 0; i < result->turn_count; i++) {
        const hz_match_turn *turn = &result->turns[i];
        hz_color mover = (hz_color)position.side, enemy = (hz_color)(1 - mover);
        hzi_note note = hzi_note_at(&worker->notes, i);
        hzi_row *row = &rows[i];
        *row = (hzi_row){.game = (uint32_t)game,
                         .ply = (uint32_t)i,
                         .left = (uint32_t)(result->turn_count - 1 - i),
                         .turn = turn->turn,
                         .flags = note.flags,
                         .score = note.score,
                         .best = note.best,
                         .player = (uint8_t)sides[mover],
                         .opponent = (uint8_t)sides[enemy]};
        row->own_216 = (uint8_t)hz_roll_set_weight(hz_odds_king(&position, mover));
        row->enemy_216 = (uint8_t)hz_roll_set_weight(hz_odds_king(&position, enemy));
        row->result = (int8_t)(result->outcome == HZ_OUTCOME_DRAW                             ? 0
                               : (result->outcome == HZ_OUTCOME_WHITE) == (mover == HZ_WHITE) ? 1
                                                                                              : -1);
        hz_position_set_pool(&position, turn->roll);
        row->position = position;
        for (int k = 0; k < turn->turn.count; k++) {
            (void)hz_position_play(&position, turn->turn.moves[k]);
        }
        hz_hand_over(&position);
    }
}

static void count_game(const hz_match_game_result *result, const hzi_row *rows,
                       hzi_selfplay_counts *counts) {
    counts->games++;
    counts->rows += result->turn_count;
    counts->plies += result->turn_count;
    counts->forced_passes += result->forced_passes;
    counts->white += result->outcome == HZ_OUTCOME_WHITE;
    counts->black += result->outcome == HZ_OUTCOME_BLACK;
    counts->draws += result->outcome == HZ_OUTCOME_DRAW;
    counts->fifty += result->end == HZ_END_FIFTY;
    counts->length += result->end == HZ_END_LENGTH;
    for (size_t i = 0; i < result->turn_count; i++) {
        counts->openings += (rows[i].flags & HZI_ROW_OPENING) != 0;
        counts->drawn += (rows[i].flags & HZI_ROW_DRAWN) != 0;
    }
}

/* ---- as a game record ---- */

/* "own 12 enemy 30", and how the turn came about. */
static void comment_of(const hzi_row *row, char *text, size_t capacity) {
    int used = snprintf(text, capacity, "own %u enemy %u", (unsigned)row->own_216,
                        (unsigned)row->enemy_216);
    if (row->flags & HZI_ROW_OPENING) {
        (void)snprintf(text + used, capacity - (size_t)used, " random");
    } else if (row->flags & HZI_ROW_DRAWN) {
        (void)snprintf(text + used, capacity - (size_t)used, " drawn best %" PRId32, row->best);
    }
}

static bool append(void *context, const char *text, size_t length) {
    hzi_text *out = context;
    hzi_text_add(out, text, length);
    return !out->failed;
}

static hz_status put_record(hzi_selfplay_worker *worker, uint64_t game, const hz_position *start,
                            const size_t sides[2], const hz_match_game_result *result,
                            hzi_text *out, hz_error *err) {
    enum { COMMENT = 64 };
    const hzi_selfplay_config *config = worker->config;
    if (result->turn_count > worker->turn_capacity) {
        size_t capacity = 2 * result->turn_count;
        hz_record_turn *grown = realloc(worker->turns, capacity * sizeof *grown);
        if (!grown) {
            return no_memory(err);
        }
        worker->turns = grown;
        worker->turn_capacity = capacity;
    }
    hzi_text_clear(&worker->comments);
    char comment[COMMENT] = "";
    for (size_t i = 0; i < result->turn_count; i++) {
        comment_of(&worker->rows[i], comment, sizeof comment);
        hzi_text_add(&worker->comments, comment, sizeof comment);
    }
    if (worker->comments.failed) {
        return no_memory(err);
    }
    for (size_t i = 0; i < result->turn_count; i++) {
        const hzi_row *row = &worker->rows[i];
        worker->turns[i] = (hz_record_turn){.turn = row->turn,
                                            .roll = row->position.pool,
                                            .has_score = (row->flags & HZI_ROW_SCORED) != 0,
                                            .score = row->score,
                                            .comment = worker->comments.bytes + i * sizeof comment};
    }
    char round[24];
    (void)snprintf(round, sizeof round, "%" PRIu64, game + 1);
    hz_record_header headers[] = {
        {"Event", "hazard selfplay"}, {"Round", round}, {"Settings", worker->settings->record}};
    hz_record record;
    hz_record_init(&record);
    record.players[HZ_WHITE] = config->players[sides[HZ_WHITE]];
    record.players[HZ_BLACK] = config->players[sides[HZ_BLACK]];
    record.start = *start;
    hz_position_set_pool(&record.start, 0);
    record.has_seed = true;
    record.seed = config->seed + game;
    record.outcome = result->outcome;
    record.reason = result->end == HZ_END_KING    ? HZ_REASON_KING
                    : result->end == HZ_END_FIFTY ? HZ_REASON_FIFTY
                                                  : HZ_REASON_LENGTH;
    record.header_count = sizeof headers / sizeof *headers;
    record.headers = headers;
    record.turn_count = result->turn_count;
    record.turns = worker->turns;
    return hz_record_write(&record, append, out, err);
}

hz_status hzi_selfplay_games(hzi_selfplay_worker *worker, uint64_t first, uint32_t count,
                             hzi_text *out, hzi_selfplay_counts *counts, hz_error *err) {
    const hzi_selfplay_config *config = worker->config;
    hz_status status = HZ_OK;
    size_t used = 0;
    for (uint64_t game = first; game < first + count && status == HZ_OK; game++) {
        hz_match_game_result result;
        hz_position start = start_of(config, game);
        size_t sides[2];
        hzi_selfplay_sides(config, game, sides);
        status = play(worker, game, &start, sides, &result, err);
        if (status != HZ_OK) {
            break;
        }
        if (!grow_rows(worker, used + result.turn_count)) {
            return no_memory(err);
        }
        fill_rows(worker, game, &start, sides, &result, worker->rows + used);
        count_game(&result, worker->rows + used, counts);
        if (config->format == HZI_SELFPLAY_RECORD) {
            status = put_record(worker, game, &start, sides, &result, out, err);
        } else {
            used += result.turn_count;
        }
    }
    if (status == HZ_OK && config->format == HZI_SELFPLAY_ROWS) {
        status = hzi_rows_put_block(worker->rows, used, first, count, out, err);
    }
    if (status == HZ_OK && out->failed) {
        status = no_memory(err);
    }
    return status;
}
