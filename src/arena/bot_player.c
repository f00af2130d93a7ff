/* SPDX-License-Identifier: MIT */
/* Bots of the registry as players of a match, and the opening book around any player. */
#include "arena/player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static hz_status no_memory(hz_error *err) {
    return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a player");
}

static void note_fault(hz_match_reply *reply, hz_match_fault fault, const char *text) {
    reply->fault = fault;
    (void)snprintf(reply->note, sizeof reply->note, "%.119s", text);
}

/* ---- bots ---- */

typedef struct bot_player {
    hz_registry *registry; /* owned, or NULL */
    hz_bot bot;
    char name[]; /* as it was given */
} bot_player;

static hz_status ask_bot(hz_match_player *player, const hz_match_question *question,
                         hz_match_reply *reply, hz_error *err) {
    const bot_player *p = player->state;
    hz_bot_request request = {.position = question->position,
                              .random = question->random,
                              .deadline = p->bot.info->timed ? &question->deadline : NULL,
                              .arena = question->arena};
    hz_bot_answer answer;
    hz_error why;
    hz_status status = hz_bot_choose(&p->bot, &request, &answer, &why);
    if (status == HZ_NO_MEMORY) {
        return hz_fail(err, status, HZ_NO_OFFSET, "%s: %s", player->name, why.message);
    }
    if (status != HZ_OK) {
        note_fault(reply, HZ_FAULT_FAILED, why.message);
        return HZ_OK;
    }
    reply->pass = answer.pass;
    reply->turn = answer.turn;
    reply->has_score = !answer.pass;
    reply->score = answer.score;
    if (answer.search) {
        reply->nodes = answer.search->nodes;
    }
    return HZ_OK;
}

static void close_bot(hz_match_player *player) {
    bot_player *p = player->state;
    hz_bot_close(&p->bot);
    hz_registry_free(p->registry);
    free(p);
}

hz_status hzi_player_bot(const char *text, hz_registry *registry, hz_match_player *player,
                         hz_error *err) {
    size_t length = strlen(text) + 1;
    bot_player *p = calloc(1, sizeof *p + length);
    hz_status status = HZ_OK;
    if (!p) {
        return no_memory(err);
    }
    memcpy(p->name, text, length);
    if (!registry) {
        registry = p->registry = hz_registry_new();
        status = registry ? hz_registry_register_kinds(registry, err) : no_memory(err);
    }
    if (status == HZ_OK) {
        status = hz_registry_open(registry, text, &p->bot, err);
    }
    if (status != HZ_OK) {
        hz_registry_free(p->registry);
        free(p);
        return status;
    }
    *player = (hz_match_player){.name = p->name,
                                .state = p,
                                .searching = p->bot.info->timed,
                                .ask = ask_bot,
                                .close = close_bot};
    return HZ_OK;
}

/* ---- opening books ---- */

typedef struct book_player {
    const hz_book *book;
    hz_match_player inner;
} book_player;

static hz_status ask_book(hz_match_player *player, const hz_match_question *question,
                          hz_match_reply *reply, hz_error *err) {
    book_player *p = player->state;
    char key[HZ_DFEN_CAPACITY];
    hz_turn turn;
    if (hz_position_book_key(question->position, key, sizeof key) > 0) {
        const char *moves = hz_book_find(p->book, key);
        if (moves &&
            hz_turn_from_text(question->position, moves, strlen(moves), &turn, NULL, NULL) ==
                HZ_OK &&
            turn.count > 0) {
            reply->turn = turn;
            return HZ_OK;
        }
    }
    return p->inner.ask(&p->inner, question, reply, err);
}

static hz_status start_book(hz_match_player *player, hz_error *err) {
    book_player *p = player->state;
    p->inner.cancel = player->cancel;
    return p->inner.start ? p->inner.start(&p->inner, err) : HZ_OK;
}

static void close_book(hz_match_player *player) {
    book_player *p = player->state;
    if (p->inner.close) {
        p->inner.close(&p->inner);
    }
    free(p);
}

hz_status hz_match_player_book(hz_match_player *player, const hz_book *book, hz_error *err) {
    book_player *p = calloc(1, sizeof *p);
    if (!p) {
        return no_memory(err);
    }
    p->book = book;
    p->inner = *player;
    player->state = p;
    player->ask = ask_book;
    player->start = start_book;
    player->close = close_book;
    return HZ_OK;
}
