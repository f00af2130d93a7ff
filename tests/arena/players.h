/* SPDX-License-Identifier: MIT */
/* Players made for tests: honest ones, and every way of being none. A player counts what it was
 * asked; time is a number that players move on. */
#ifndef HAZARD_TEST_ARENA_PLAYERS_H
#define HAZARD_TEST_ARENA_PLAYERS_H

#include <hazard/arena.h>

#include <stdlib.h>
#include <string.h>

#include "support/support.h"

typedef enum test_manner {
    TEST_HONEST,  /* the first legal turn */
    TEST_RANDOM,  /* any result, from its stream */
    TEST_PASSES,  /* although there is a turn */
    TEST_CHEATS,  /* a turn of another position */
    TEST_GARBAGE, /* moves that are none */
    TEST_FAULTS,  /* `fault` */
    TEST_MUTATES, /* a legal turn, perhaps with something changed */
    TEST_SHORT    /* the first micro-move of its turn alone */
} test_manner;

typedef struct test_player {
    test_manner manner;
    uint64_t from; /* misbehaves from this answer of a game on; honest before */
    hz_match_fault fault;
    int http_status;
    uint64_t *clock_ns; /* moved on by ... */
    uint64_t think_ns;  /* ... this much with every answer */
    int32_t score;      /* when not 0 */
    uint64_t nodes;
    bool fails_to_start; /* when started again */
    /* what happened */
    uint64_t game, asked_in_game, asked, starts, closes;
    hz_match_question last;
} test_player;

static inline uint64_t test_clock(void *clock) {
    return *(uint64_t *)clock;
}

static inline void test_first_turn(const hz_match_question *q, hz_match_reply *reply) {
    if (q->game == HZ_MATCH_CHESS) {
        hz_move moves[HZ_CHESS_MOVES_MAX];
        assert_true(hz_chess_moves(q->position, moves) > 0);
        reply->move = moves[0];
        return;
    }
    hz_result_list list;
    assert_int_equal(hz_results_list(q->position, NULL, q->arena, &list, NULL), HZ_OK);
    assert_true(list.count > 0); /* nobody is asked when there is nothing to play */
    reply->turn = list.results[list.winning >= 0 ? (size_t)list.winning : 0].turn;
}

/* A turn in any order of its micro-moves, half of the time with something changed. */
static inline void test_mutate(const hz_match_question *q, hz_turn *turn) {
    hz_turn_list list;
    hz_status status = hz_turns_list(q->position, 20000, q->arena, &list, NULL);
    assert_true(status == HZ_OK || status == HZ_INCOMPLETE);
    *turn = list.turns[hz_random_pick(q->random, (uint32_t)list.count)];
    unsigned at = turn->count > 0 ? hz_random_draw(q->random, turn->count) : 0;
    hz_move one = turn->moves[at];
    switch (hz_random_draw(q->random, 12)) {
    case 0:
        turn->count--;
        turn->moves[turn->count] = 0;
        break;
    case 1:
        turn->moves[at] = turn->moves[0];
        turn->moves[0] = one;
        break;
    case 2:
        turn->moves[at] =
            hz_move_make(hz_move_from(one), hz_move_to(one), hz_random_draw(q->random, 16));
        break;
    case 3:
        turn->moves[at] =
            hz_move_make(hz_move_from(one), (int)hz_random_draw(q->random, 64), hz_move_flags(one));
        break;
    case 4:
        turn->count = turn->count < 3 ? (uint8_t)(turn->count + 1) : 3;
        turn->moves[turn->count - 1] = one;
        break;
    case 5:
        turn->took_king = !turn->took_king;
        break;
    default:
        break;
    }
}

static inline hz_status test_player_ask(hz_match_player *player, const hz_match_question *q,
                                        hz_match_reply *reply, hz_error *err) {
    test_player *p = player->state;
    (void)err;
    if (p->game != q->game_number + 1) {
        p->game = q->game_number + 1;
        p->asked_in_game = 0;
    }
    p->asked++;
    p->last = *q;
    if (p->clock_ns) {
        *p->clock_ns += p->think_ns;
    }
    reply->nodes = p->nodes;
    reply->has_score = p->score != 0;
    reply->score = p->score;
    bool honest = p->asked_in_game++ < p->from;
    test_first_turn(q, reply);
    switch (honest ? TEST_HONEST : p->manner) {
    case TEST_RANDOM: {
        hz_result_list list;
        assert_int_equal(hz_results_list(q->position, NULL, q->arena, &list, NULL), HZ_OK);
        uint32_t pick = hz_random_pick(q->random, (uint32_t)list.count);
        reply->turn = list.results[pick].turn;
        break;
    }
    case TEST_PASSES:
        reply->pass = true;
        break;
    case TEST_CHEATS:
        reply->turn.moves[0] = hz_move_make(hz_move_from(reply->turn.moves[0]), 63, 0);
        reply->move = hz_move_make(hz_move_from(reply->move), 63, 0);
        break;
    case TEST_GARBAGE:
        reply->turn = (hz_turn){.count = 200, .moves = {0xFFFF, 0x1234, 7}};
        reply->move = 0xFFFF;
        break;
    case TEST_FAULTS:
        reply->fault = p->fault;
        reply->http_status = p->http_status;
        test_copy(reply->note, sizeof reply->note, "on purpose");
        break;
    case TEST_MUTATES:
        test_mutate(q, &reply->turn);
        break;
    case TEST_SHORT:
        reply->turn = (hz_turn){.count = 1, .moves = {reply->turn.moves[0]}};
        break;
    case TEST_HONEST:
        break;
    }
    return HZ_OK;
}

static inline hz_status test_player_begin(hz_match_player *player, hz_error *err) {
    test_player *p = player->state;
    if (p->starts++ > 0 && p->fails_to_start) {
        return hz_fail(err, HZ_PLAYER, HZ_NO_OFFSET, "not today");
    }
    return HZ_OK;
}

static inline void test_player_end(hz_match_player *player) {
    test_player *p = player->state;
    p->closes++;
}

static inline hz_match_player test_player_make(test_player *p, const char *name) {
    return (hz_match_player){.name = name,
                             .state = p,
                             .searching = true,
                             .ask = test_player_ask,
                             .start = test_player_begin,
                             .close = test_player_end};
}

#endif
