/* SPDX-License-Identifier: MIT */
/* Finished games as lines of JSON, as game records and as PGN; see pair.h. */
#include "arena/pair.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- the log ---- */

static void put_turn(hzi_text *log, const hz_match_turn *turn, hz_match_game game, hz_color mover) {
    char roll[4], moves[HZ_TURN_CAPACITY];
    hzi_json_array(log, NULL);
    if (game == HZ_MATCH_CHESS) {
        (void)hz_move_to_text(turn->move, moves);
        hzi_json_null(log, NULL);
    } else {
        (void)hz_turn_to_text(&turn->turn, moves);
        (void)hz_pool_to_text(turn->roll, mover, roll);
        hzi_json_text(log, NULL, roll);
    }
    hzi_json_text(log, NULL, moves);
    if (turn->has_score) {
        hzi_json_integer(log, NULL, turn->score);
    } else {
        hzi_json_null(log, NULL);
    }
    hzi_json_double(log, NULL, turn->us / 1000.0);
    hzi_json_end_array(log);
}

void hzi_game_log(const hzi_game_about *about, hzi_text *log) {
    const hz_match_game_result *result = about->result;
    char dfen[HZ_DFEN_CAPACITY], end[HZ_MATCH_END_CAPACITY];
    hz_position start = *about->start;
    hz_color mover = (hz_color)start.side;
    hz_position_set_pool(&start, 0);
    (void)(about->rules->game == HZ_MATCH_CHESS ? hz_chess_to_fen(&start, dfen, sizeof dfen)
                                                : hz_position_to_dfen(&start, dfen, sizeof dfen));
    log->comma = false;
    hzi_json_object(log, NULL);
    hzi_json_count(log, "pairing", about->pairing);
    hzi_json_count(log, "pair", about->pair);
    hzi_json_integer(log, "game", about->game);
    hzi_json_text(log, "white", about->names[HZ_WHITE]);
    hzi_json_text(log, "black", about->names[HZ_BLACK]);
    hzi_json_text(log, "a", about->a_color == HZ_WHITE ? "white" : "black");
    hzi_json_text(log, "start", dfen);
    if (about->rules->game == HZ_MATCH_DICE) {
        hzi_json_seed(log, "seed", about->dice_seed);
    }
    hzi_json_array(log, "turns");
    for (size_t i = 0; i < result->turn_count; i++, mover = (hz_color)(1 - mover)) {
        put_turn(log, &result->turns[i], about->rules->game, mover);
    }
    hzi_json_end_array(log);
    hzi_json_text(log, "result", hz_game_outcome_text(result->outcome));
    hzi_json_text(log, "end", hz_match_end_text(result->end, result->http_status, end));
    if (result->note[0]) {
        hzi_json_text(log, "note", result->note);
    }
    hzi_json_end_object(log);
    hzi_text_add(log, "\n", 1);
}

/* ---- game records ---- */

static hz_game_reason reason_of(hz_match_end end) {
    switch (end) {
    case HZ_END_KING:
        return HZ_REASON_KING;
    case HZ_END_TIME:
        return HZ_REASON_TIME;
    case HZ_END_RESIGNATION:
        return HZ_REASON_RESIGNATION;
    case HZ_END_ILLEGAL:
    case HZ_END_REFUSED:
        return HZ_REASON_ILLEGAL;
    case HZ_END_FIFTY:
        return HZ_REASON_FIFTY;
    case HZ_END_LENGTH:
        return HZ_REASON_LENGTH;
    default:
        return HZ_REASON_LOST;
    }
}

static void round_text(const hzi_game_about *about, char buffer[64]) {
    (void)snprintf(buffer, 64, "%zu.%" PRIu64 ".%d", about->pairing + 1, about->pair + 1,
                   about->game + 1);
}

static hz_status dice_record(const hzi_game_about *about, hzi_text *text, hz_error *err) {
    const hz_match_game_result *result = about->result;
    hz_record_turn *turns = calloc(result->turn_count + 1, sizeof *turns);
    char round[64], end[HZ_MATCH_END_CAPACITY];
    if (!turns) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a game record");
    }
    for (size_t i = 0; i < result->turn_count; i++) {
        const hz_match_turn *turn = &result->turns[i];
        turns[i] = (hz_record_turn){.turn = turn->turn,
                                    .roll = turn->roll,
                                    .has_clock = about->rules->control.base_ms > 0,
                                    .clock_ms = turn->clock_ms,
                                    .has_score = turn->has_score,
                                    .score = turn->score};
    }
    round_text(about, round);
    hz_record_header headers[4] = {{"Event", "hazard arena"}, {"Round", round}};
    size_t count = 2;
    if (about->rules->control.base_ms > 0) {
        headers[count++] = (hz_record_header){"TimeControl", about->rules->control.label};
    }
    headers[count++] =
        (hz_record_header){"End", hz_match_end_text(result->end, result->http_status, end)};
    hz_record record;
    hz_record_init(&record);
    record.players[HZ_WHITE] = about->names[HZ_WHITE];
    record.players[HZ_BLACK] = about->names[HZ_BLACK];
    record.start = *about->start;
    hz_position_set_pool(&record.start, 0);
    record.has_seed = true;
    record.seed = about->dice_seed;
    record.outcome = result->outcome;
    record.reason = reason_of(result->end);
    record.header_count = count;
    record.headers = headers;
    record.turn_count = result->turn_count;
    record.turns = turns;
    hz_status status = hz_record_write(&record, hzi_text_sink, text, err);
    free(turns);
    return status;
}

/* ---- PGN ---- */

static hz_status chess_record(const hzi_game_about *about, hzi_text *text, hz_error *err) {
    const hz_match_game_result *result = about->result;
    hz_pgn_move *moves = calloc(result->turn_count + 1, sizeof *moves);
    char round[64], end[HZ_MATCH_END_CAPACITY];
    if (!moves) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a game record");
    }
    for (size_t i = 0; i < result->turn_count; i++) {
        moves[i].move = result->turns[i].move;
        moves[i].next = i + 1 < result->turn_count ? &moves[i + 1] : NULL;
    }
    round_text(about, round);
    const hz_pgn_tag tags[] = {
        {"Event", "hazard arena"},
        {"Round", round},
        {"White", about->names[HZ_WHITE]},
        {"Black", about->names[HZ_BLACK]},
        {"Termination", hz_match_end_text(result->end, result->http_status, end)},
        {"TimeControl", about->rules->control.label}};
    hz_pgn_game game = {.tag_count = 5 + (about->rules->control.base_ms > 0),
                        .tags = tags,
                        .start = *about->start,
                        .moves = result->turn_count ? moves : NULL,
                        .plies = result->turn_count,
                        .result = result->outcome == HZ_OUTCOME_WHITE   ? HZ_PGN_WHITE
                                  : result->outcome == HZ_OUTCOME_BLACK ? HZ_PGN_BLACK
                                                                        : HZ_PGN_DRAW};
    hz_position_set_pool(&game.start, 0);
    hz_status status = hz_pgn_write(&game, hzi_text_sink, text, err);
    free(moves);
    return status;
}

hz_status hzi_game_record(const hzi_game_about *about, hzi_text *record, hz_error *err) {
    hz_status status = about->rules->game == HZ_MATCH_CHESS ? chess_record(about, record, err)
                                                            : dice_record(about, record, err);
    if (status == HZ_IO && record->failed) {
        status = hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a game record");
    }
    return status;
}
