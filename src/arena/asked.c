/* SPDX-License-Identifier: MIT */
/* Players asked about single positions; see asked.h. */
#include "arena/asked.h"

#include "bots/analysis.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- somebody from outside as a bot ---- */

typedef struct outsider {
    hz_match_player player;
    hz_bot_info info;
    uint64_t questions;
    char id[80];
} outsider;

static hz_status choose(void *state, const hz_bot_request *request, hz_bot_answer *answer,
                        hz_error *err) {
    outsider *o = state;
    hz_match_reply reply = {0};
    answer->pass = true;
    if (!hz_moves_any(request->position)) {
        return HZ_OK; /* nobody is asked when there is nothing to play */
    }
    const hz_match_question question = {
        .game = HZ_MATCH_DICE,
        .position = request->position,
        .start = request->position,
        .game_number = ++o->questions,
        .color = (hz_color)request->position->side,
        .deadline = {.at_ns = HZ_NO_DEADLINE, .cancel = o->player.cancel},
        .random = request->random,
        .arena = request->arena};
    hz_status status = o->player.ask(&o->player, &question, &reply, err);
    if (status == HZ_OK && reply.fault != HZ_FAULT_NONE && o->player.start) {
        status = o->player.start(&o->player, err); /* ready for the next one */
    }
    if (status == HZ_OK && reply.fault == HZ_FAULT_NONE && !reply.pass) {
        answer->pass = false;
        answer->turn = reply.turn;
        answer->score = reply.has_score ? reply.score : 0;
    }
    return status;
}

static void close(void *state) {
    outsider *o = state;
    hz_match_player_close(&o->player);
    free(o);
}

static bool is_outside(const char *text) {
    return strncasecmp(text, "uci:", 4) == 0 || strncasecmp(text, "http://", 7) == 0 ||
           strncasecmp(text, "https://", 8) == 0;
}

hz_status hzi_asked_open(const char *text, hz_registry *registry, const hz_cancel *cancel,
                         hz_bot *bot, hz_error *err) {
    if (!is_outside(text)) {
        return hz_registry_open(registry, text, bot, err);
    }
    outsider *o = calloc(1, sizeof *o);
    if (!o) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a player");
    }
    hz_status status = hz_match_player_open(text, HZ_MATCH_DICE, registry, &o->player, err);
    o->player.cancel = cancel;
    if (status == HZ_OK && o->player.start) {
        status = o->player.start(&o->player, err);
    }
    if (status != HZ_OK) {
        close(o);
        return status;
    }
    (void)snprintf(o->id, sizeof o->id, "%s", text);
    o->info = (hz_bot_info){
        .id = o->id, .display_name = o->id, .about = "a player from outside", .level = 1};
    *bot = (hz_bot){.info = &o->info, .state = o, .choose = choose, .close = close};
    return HZ_OK;
}

/* ---- values ---- */

bool hzi_candidate_value(const hz_bot_judgement *judgement, const hz_expectimax_answer *search,
                         const hz_candidate *candidate, double *value) {
    if (candidate->fate != HZ_CANDIDATE_COMPLETE && candidate->fate != HZ_CANDIDATE_FROM_TABLE &&
        candidate->fate != HZ_CANDIDATE_COLLAPSED) {
        return false;
    }
    *value = candidate->final_value;
    if (*value == (double)candidate->sum / (double)search->denominator) {
        *value = hzi_expectation(judgement, candidate->sum, judgement->depth);
    }
    return true;
}

double hzi_answer_value(const hz_bot_judgement *judgement, const hz_bot_answer *answer) {
    const hz_expectimax_answer *search = answer->search;
    const hz_candidate *best = NULL;
    double value = answer->score, part;
    if (!search || !judgement || answer->pass || answer->turn.took_king) {
        return value;
    }
    for (size_t i = 0; i < search->candidate_count; i++) {
        const hz_candidate *candidate = &search->candidates[i];
        if ((!best || candidate->final_value > best->final_value) &&
            hzi_candidate_value(judgement, search, candidate, &part)) {
            best = candidate;
            value = part;
        }
    }
    return value;
}

char *hzi_text_with_option(const char *text, const char *name, const char *value) {
    char *made = malloc(strlen(text) + strlen(name) + 2 * strlen(value) + sizeof ":=");
    if (made) {
        char *to = made + sprintf(made, "%s%c%s=", text, strchr(text, ':') ? ',' : ':', name);
        for (; *value; value++) {
            if (*value == ',' || *value == '\\') {
                *to++ = '\\';
            }
            *to++ = *value;
        }
        *to = '\0';
    }
    return made;
}
