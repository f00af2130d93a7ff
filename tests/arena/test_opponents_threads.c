/* SPDX-License-Identifier: MIT */
/* Opponents from outside in several threads at once: each worker has its own, as in a match. */
#include <hazard/arena.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "arena/servers.h"
#include "support/positions.h"

#define SMALL "6k1/8/8/8/8/8/4P3/K5N1 w - - 3 21 PN"

enum { WORKERS = 4, QUESTIONS = 15 };

typedef struct worker {
    pthread_t thread;
    const char *text;
    bool http;
    int legal, faults;
} worker;

/* Assertions of cmocka belong to the main thread: a worker only counts. */
static void *play(void *context) {
    worker *w = context;
    hz_position p;
    hz_match_player player;
    if (hz_position_from_dfen(&p, SMALL, strlen(SMALL), NULL) != HZ_OK ||
        (w->http ? hz_match_player_http(w->text, &player, NULL)
                 : hz_match_player_uci(w->text, HZ_MATCH_DICE, &player, NULL)) != HZ_OK) {
        return NULL;
    }
    if (player.start(&player, NULL) == HZ_OK) {
        for (uint64_t i = 0; i < QUESTIONS; i++) {
            hz_match_question question = {.game = HZ_MATCH_DICE,
                                          .position = &p,
                                          .start = &p,
                                          .ply = i,
                                          .game_number = i / 4,
                                          .deadline = hz_deadline_none()};
            hz_match_reply reply;
            if (player.ask(&player, &question, &reply, NULL) != HZ_OK) {
                break;
            }
            w->faults += reply.fault != HZ_FAULT_NONE;
            w->legal += reply.fault == HZ_FAULT_NONE && hz_turn_is_legal(&p, &reply.turn);
        }
    }
    hz_match_player_close(&player);
    return NULL;
}

static void run_all(worker *workers) {
    for (int i = 0; i < WORKERS; i++) {
        if (pthread_create(&workers[i].thread, NULL, play, &workers[i]) != 0) {
            abort(); /* those that run use this stack */
        }
    }
    for (int i = 0; i < WORKERS; i++) {
        (void)pthread_join(workers[i].thread, NULL);
    }
    for (int i = 0; i < WORKERS; i++) {
        assert_int_equal(workers[i].legal, QUESTIONS);
        assert_int_equal(workers[i].faults, 0);
    }
}

static void bots_over_http_do_not_meet(void **state) {
    (void)state;
    test_server server;
    worker workers[WORKERS];
    test_server_start(&server, "--think 5 --max-concurrent 8");
    for (int i = 0; i < WORKERS; i++) {
        workers[i] = (worker){.text = server.url, .http = true};
    }
    run_all(workers);
    test_server_stop(&server);
}

static void programs_do_not_meet(void **state) {
    (void)state;
    static const char engine[] =
        "sh -c 'while read -r l; do case $l in uci) echo \"option name UCI_Variant type combo var "
        "dicechess\"; echo uciok;; isready) echo readyok;; go*) echo bestmove e2e4,g1f3;; quit) "
        "exit;; esac; done'";
    worker workers[WORKERS];
    for (int i = 0; i < WORKERS; i++) {
        workers[i] = (worker){.text = engine};
    }
    run_all(workers);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bots_over_http_do_not_meet),
        cmocka_unit_test(programs_do_not_meet),
    };
    (void)setenv("DICECHESS_WEBHOOK_SECRET", "three-dice-and-a-board", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
