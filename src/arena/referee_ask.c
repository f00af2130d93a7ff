/* SPDX-License-Identifier: MIT */
/*
 * What the loops of both games do: ask the mover under its clock, see what became of the answer, keep
 * the turns, look at a board twice. The time of an answer is measured around the call alone, so nothing
 * the referee does is charged to a player.
 */
#include "arena/referee.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- how a game ends ---- */

void hzi_referee_draw(hz_referee *referee, hz_match_end end) {
    referee->result->outcome = HZ_OUTCOME_DRAW;
    referee->result->end = end;
}

void hzi_referee_loss(hz_referee *referee, hz_color loser, hz_match_end end) {
    referee->result->outcome = loser == HZ_WHITE ? HZ_OUTCOME_BLACK : HZ_OUTCOME_WHITE;
    referee->result->end = end;
}

static hz_match_end end_of_fault(hz_match_fault fault) {
    switch (fault) {
    case HZ_FAULT_LOST:
        return HZ_END_LOST;
    case HZ_FAULT_TIMED_OUT:
        return HZ_END_TIMED_OUT;
    case HZ_FAULT_UNREACHABLE:
        return HZ_END_UNREACHABLE;
    case HZ_FAULT_HTTP_STATUS:
        return HZ_END_HTTP_STATUS;
    case HZ_FAULT_OVERSIZED:
        return HZ_END_OVERSIZED;
    case HZ_FAULT_GARBLED:
        return HZ_END_GARBLED;
    case HZ_FAULT_REFUSED:
        return HZ_END_REFUSED;
    case HZ_FAULT_DECLINED:
        return HZ_END_DECLINED;
    case HZ_FAULT_FAILED:
        return HZ_END_FAILED;
    default:
        return HZ_END_ILLEGAL;
    }
}

static void fault(hz_referee *referee, hz_color mover, const hz_match_reply *reply) {
    hz_match_game_result *result = referee->result;
    result->fault = reply->fault;
    result->has_lost_answer = true;
    result->http_status = reply->fault == HZ_FAULT_HTTP_STATUS ? reply->http_status : 0;
    (void)snprintf(result->note, sizeof result->note, "%s", reply->note);
    hzi_referee_loss(referee, mover, end_of_fault(reply->fault));
}

void hzi_referee_illegal(hz_referee *referee, hz_color mover) {
    referee->result->fault = HZ_FAULT_ILLEGAL;
    referee->result->has_lost_answer = true;
    hzi_referee_loss(referee, mover, HZ_END_ILLEGAL);
}

bool hzi_referee_resigns(hz_referee *referee, hz_color mover, const hz_match_reply *reply) {
    const hz_match_rules *rules = referee->rules;
    if (rules->resign_score <= 0 || rules->resign_turns == 0) {
        return false;
    }
    bool bad = reply->has_score && reply->score <= -rules->resign_score;
    referee->bad_scores[mover] = bad ? referee->bad_scores[mover] + 1 : 0;
    if (referee->bad_scores[mover] < rules->resign_turns) {
        return false;
    }
    hzi_referee_loss(referee, mover, HZ_END_RESIGNATION);
    return true;
}

/* ---- asking ---- */

static uint64_t now_ns(const hz_match_rules *rules) {
    return rules->now ? rules->now(rules->now_state) : hz_clock_now_ns();
}

static hz_deadline deadline_of(const hz_referee *referee, const hz_match_question *question,
                               uint64_t begun_ns) {
    const hz_match_rules *rules = referee->rules;
    hz_deadline deadline = hz_deadline_none();
    deadline.cancel = rules->cancel;
    if (question->timed) {
        hz_clock clock = {.remaining_ms = question->rest_ms[question->color],
                          .increment_ms = question->increment_ms,
                          .move_number = question->position->fullmove};
        hz_time_allotment allotment = hz_time_allot(rules->policy, &clock);
        int64_t budget_ms = hz_time_budget_ms(&allotment, rules->overhead_ms);
        deadline.at_ns = begun_ns + (uint64_t)budget_ms * 1000000;
        deadline.now = rules->now;
        deadline.now_state = rules->now_state;
    }
    return deadline;
}

/* False when the clock falls below zero. */
static bool charge(hz_referee *referee, hz_color mover, uint64_t us) {
    us += referee->owed_us[mover];
    referee->owed_us[mover] = us % 1000;
    referee->rest_ms[mover] -= (int64_t)(us / 1000);
    if (referee->rest_ms[mover] < 0) {
        return false;
    }
    referee->rest_ms[mover] += referee->rules->control.increment_ms;
    return true;
}

hz_status hzi_referee_ask(hz_referee *referee, hz_match_question *question, hz_match_reply *reply,
                          hz_match_turn *turn, bool *over, hz_error *err) {
    const hz_match_rules *rules = referee->rules;
    hz_color mover = question->color;
    hz_match_player *player = referee->setup->players[mover];
    hz_match_side *side = &referee->result->sides[mover];
    *reply = (hz_match_reply){0};
    question->game = rules->game;
    question->game_number = referee->setup->game_number;
    question->timed = rules->control.base_ms > 0;
    question->rest_ms[0] = referee->rest_ms[0];
    question->rest_ms[1] = referee->rest_ms[1];
    question->increment_ms = rules->control.increment_ms;
    question->random = &referee->streams[mover];
    question->arena = &referee->lists;
    hz_arena_reset(&referee->lists);

    uint64_t begun = now_ns(rules);
    question->deadline = deadline_of(referee, question, begun);
    hz_status status = player->ask(player, question, reply, err);
    uint64_t us = (now_ns(rules) - begun) / 1000;
    us -= reply->free_us < us ? reply->free_us : us;
    *over = true;
    if (status != HZ_OK) {
        return status;
    }
    if (hz_cancel_requested(rules->cancel)) {
        return hzi_referee_cancelled(referee, err);
    }
    turn->us = us < UINT32_MAX ? (uint32_t)us : UINT32_MAX;
    turn->has_score = reply->has_score;
    turn->score = reply->score;
    side->answers++;
    side->time_us += us;
    side->nodes += reply->nodes;
    side->node_answers += reply->nodes > 0;
    referee->result->lost_answer_us = turn->us;
    if (question->timed && !charge(referee, mover, us)) {
        referee->result->fault = reply->fault;
        referee->result->has_lost_answer = true;
        hzi_referee_loss(referee, mover, HZ_END_TIME);
        return HZ_OK;
    }
    turn->clock_ms = referee->rest_ms[mover] < (int64_t)UINT32_MAX
                         ? (uint32_t)referee->rest_ms[mover]
                         : UINT32_MAX;
    if (reply->fault != HZ_FAULT_NONE) {
        fault(referee, mover, reply);
        return HZ_OK;
    }
    *over = false;
    return HZ_OK;
}

hz_status hzi_referee_add_turn(hz_referee *referee, const hz_match_turn *turn, hz_error *err) {
    if (referee->turn_count == referee->turn_capacity) {
        size_t capacity = referee->turn_capacity ? 2 * referee->turn_capacity : 256;
        hz_match_turn *grown = realloc(referee->turns, capacity * sizeof *grown);
        if (!grown) {
            return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for the turns of a game");
        }
        referee->turns = grown;
        referee->turn_capacity = capacity;
    }
    referee->turns[referee->turn_count++] = *turn;
    return HZ_OK;
}

hz_status hzi_referee_cancelled(const hz_referee *referee, hz_error *err) {
    return hz_cancel_requested(referee->rules->cancel)
               ? hz_fail(err, HZ_CANCELLED, HZ_NO_OFFSET, "the run was cancelled")
               : HZ_OK;
}

/* ---- looking twice ---- */

hz_status hzi_referee_verify(const hz_position *position, hz_move move, hz_error *err) {
    hz_position fresh = hz_position_empty();
    for (int square = 0; square < HZ_SQUARES; square++) {
        hz_piece_type type = hz_position_type_at(position, square);
        if (type != HZ_NO_PIECE) {
            bool black = position->colors[HZ_BLACK] >> square & 1;
            hz_position_put(&fresh, square, black ? HZ_BLACK : HZ_WHITE, type);
        }
    }
    hz_position_set_side(&fresh, (hz_color)position->side);
    hz_position_set_rights(&fresh, position->rights);
    hz_position_set_targets(&fresh, position->targets);
    hz_position_set_pool(&fresh, position->pool);
    const char *wrong = NULL;
    if (memcmp(fresh.pieces, position->pieces, sizeof fresh.pieces) != 0) {
        wrong = "pieces";
    } else if (memcmp(fresh.colors, position->colors, sizeof fresh.colors) != 0) {
        wrong = "colours";
    } else if (fresh.key != position->key || hz_position_fresh_key(position) != position->key) {
        wrong = "key";
    }
    if (!wrong) {
        return HZ_OK;
    }
    char dfen[HZ_DFEN_CAPACITY], text[HZ_MOVE_CAPACITY] = "-";
    (void)hz_position_to_dfen(position, dfen, sizeof dfen);
    if (move) {
        (void)hz_move_to_text(move, text);
    }
    return hz_fail(err, HZ_VERIFY, HZ_NO_OFFSET,
                   "the %s differ from those of the position made from nothing, after %s: %s",
                   wrong, text, dfen);
}
