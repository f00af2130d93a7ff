/* SPDX-License-Identifier: MIT */
/*
 * What the tests of bots share: asking a bot named by text a question about a position named by
 * text, and a bot that counts what is done with it.
 */
#ifndef HAZARD_TEST_BOTS_ASKING_H
#define HAZARD_TEST_BOTS_ASKING_H

#include <hazard/bots.h>

#include <string.h>

#include "support/positions.h"

/* One question with everything it needs; the answer's lists live until it is asked again. */
typedef struct asking {
    hz_registry *registry;
    hz_arena arena;
    hz_position position;
    hz_random random;
    hz_bot_answer answer;
    hz_error err;
} asking;

static inline asking asking_new(void) {
    asking ask = {.registry = hz_registry_new()};
    assert_non_null(ask.registry);
    return ask;
}

static inline void asking_free(asking *ask) {
    hz_registry_free(ask->registry);
    hz_arena_fini(&ask->arena);
}

static inline hz_bot asking_open(asking *ask, const char *bot_text) {
    hz_bot bot = {0};
    if (hz_registry_open(ask->registry, bot_text, &bot, &ask->err) != HZ_OK) {
        fail_msg("\"%s\": %s", bot_text ? bot_text : "NULL", ask->err.message);
    }
    return bot;
}

/* Asks on a fresh stream; fails the test when the bot does. */
static inline const hz_bot_answer *asking_choose(asking *ask, const hz_bot *bot, const char *dfen,
                                                 uint64_t seed, const hz_deadline *deadline) {
    ask->position = test_position(dfen);
    ask->random = hz_random_from_seed(seed);
    hz_arena_reset(&ask->arena);
    const hz_bot_request request = {.position = &ask->position,
                                    .random = &ask->random,
                                    .deadline = deadline,
                                    .arena = &ask->arena};
    if (hz_bot_choose(bot, &request, &ask->answer, &ask->err) != HZ_OK) {
        fail_msg("%s at %s: %s", bot->info->id, dfen, ask->err.message);
    }
    return &ask->answer;
}

/* Whether an answer is what bots.h promises: a pass exactly when there is no legal turn, else
 * a legal turn with the position it leads to, which is one of the ties. */
static inline void check_answer(const char *dfen, const hz_position *position,
                                const hz_bot_answer *answer) {
    hz_turn none = {0};
    test_true(dfen, "a pass only without a legal turn",
              answer->pass == hz_turn_is_legal(position, &none));
    if (answer->pass) {
        test_true(dfen, "an empty answer", !answer->turn.count && !answer->tie_count);
        return;
    }
    char text[HZ_TURN_CAPACITY], expected[HZ_DFEN_CAPACITY], actual[HZ_DFEN_CAPACITY];
    size_t length = hz_turn_to_text(&answer->turn, text);
    hz_turn turn;
    hz_position after;
    test_true(dfen, text, hz_turn_from_text(position, text, length, &turn, &after, NULL) == HZ_OK);
    test_true(dfen, text, turn.took_king == answer->turn.took_king);
    if (!turn.took_king) {
        hz_hand_over(&after);
    }
    test_same_text(dfen, text, test_dfen(&after, expected), test_dfen(&answer->after, actual));
    bool among = false;
    for (size_t i = 0; i < answer->tie_count; i++) {
        among |= memcmp(&answer->ties[i], &answer->turn, sizeof turn) == 0;
    }
    test_true(dfen, "the turn is one of the ties", among);
    test_true(dfen, "the score of a win", turn.took_king == (answer->score == HZ_SCORE_WIN));
}

/* Turns as one text, blanks between them. */
static inline void turns_text(test_text *text, const hz_turn *turns, size_t count) {
    test_text_clear(text);
    for (size_t i = 0; i < count; i++) {
        char turn[HZ_TURN_CAPACITY];
        hz_turn_to_text(&turns[i], turn);
        test_text_word(text, turn);
    }
}

/* ---- a bot that counts ---- */

typedef struct counting {
    hz_bot_info info;
    int asked, decided, closed;
    uint64_t saw_deadline; /* at_ns of the last request, HZ_NO_DEADLINE without one */
    uint64_t saw_counter;  /* of the stream */
    bool yes;              /* answer to every decision */
} counting;

static inline hz_status counting_choose(void *state, const hz_bot_request *request,
                                        hz_bot_answer *answer, hz_error *err) {
    counting *c = state;
    (void)err;
    assert_int_equal(c->closed, 0);
    c->asked++;
    c->saw_deadline = request->deadline ? request->deadline->at_ns : HZ_NO_DEADLINE;
    c->saw_counter = request->random->counter;
    answer->score = 4711;
    return HZ_OK;
}

static inline hz_status counting_decide(void *state, hz_decision question,
                                        const hz_position *position, hz_color responder,
                                        hz_random *random, bool *yes, hz_error *err) {
    counting *c = state;
    (void)question, (void)position, (void)responder, (void)random, (void)err;
    assert_int_equal(c->closed, 0);
    c->decided++;
    *yes = c->yes;
    return HZ_OK;
}

static inline void counting_close(void *state) {
    counting *c = state;
    c->closed++;
}

/* `c` must outlive the bot. */
static inline hz_bot counting_bot(counting *c, const char *id, int level) {
    c->info = (hz_bot_info){.id = id,
                            .display_name = "Counting",
                            .about = "counts what is done with it",
                            .level = level};
    return (hz_bot){.info = &c->info,
                    .state = c,
                    .choose = counting_choose,
                    .decide = counting_decide,
                    .close = counting_close};
}

#endif
