/* SPDX-License-Identifier: MIT */
/*
 * league/league.h - what the tests of the league share: random positions of chess games, evaluators
 * that are easy to foretell, graphs. Test programs that start children serve as the child, too: their
 * main begins with test_serve_child.
 */
#ifndef HAZARD_TEST_LEAGUE_H
#define HAZARD_TEST_LEAGUE_H

#include <hazard/league.h>

#include "model/graphs.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

/* Sanitizers keep terabytes of addresses, threads of their own, and cannot follow an exception within
 * a library that is loaded later. */
#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#endif

/* Runs the child's side and ends, when that is what the program was started for. */
static inline void test_serve_child(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "league") == 0 && strcmp(argv[2], "runner") == 0) {
        exit(hz_league_runner(0));
    }
}

static inline hz_position league_fen(const char *text) {
    hz_position position;
    hz_error err;
    if (hz_chess_from_fen(&position, text, strlen(text), &err) != HZ_OK) {
        fail_msg("%s: %s", text, err.message);
    }
    return position;
}

/* A position that `plies` random moves from the start lead to; fewer when the game ends. */
static inline hz_position league_random_position(hz_random *random, unsigned plies) {
    hz_position p = league_fen(HZ_START_DFEN);
    for (unsigned i = 0; i < plies; i++) {
        hz_move moves[HZ_CHESS_MOVES_MAX];
        hz_position next;
        int n = hz_chess_moves(&p, moves);
        if (n == 0) {
            break;
        }
        hz_chess_play(&p, moves[hz_random_draw(random, (uint32_t)n)], &next);
        if (hz_chess_position_end(&next) != HZ_CHESS_GOES_ON) {
            break;
        }
        p = next;
    }
    return p;
}

static inline hz_league_player *league_player(hz_league_player_config config) {
    hz_league_player *player = NULL;
    hz_error err;
    if (hz_league_player_new(&config, &player, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
    return player;
}

/* Noise that depends on nothing but what an evaluator sees of a position. */
static inline hz_status league_noise(void *state, const hz_position *positions, size_t n,
                                     float *values, hz_error *err) {
    (void)state;
    (void)err;
    for (size_t i = 0; i < n; i++) {
        uint64_t sum = positions[i].side;
        for (int t = 0; t < HZ_PIECE_TYPES; t++) {
            sum = hz_random_mix(sum + positions[i].pieces[t]);
        }
        sum = hz_random_mix(sum + positions[i].colors[0] + positions[i].rights);
        values[i] = (float)(sum % 20001) / 100.0F - 100.0F;
    }
    return HZ_OK;
}

/* ---- graphs ---------------------------------------------------------------------------------------- */

/* Bytes in an arena. */
typedef struct league_graph {
    hz_arena arena;
    const void *bytes;
    size_t length;
} league_graph;

static inline void league_graph_free(league_graph *g) {
    hz_arena_fini(&g->arena);
}

static inline league_graph league_finish(hz_builder *builder) {
    league_graph g = {.bytes = NULL};
    hz_error err;
    hz_arena_init(&g.arena, 0);
    if (hz_builder_finish(builder, &g.arena, &g.bytes, &g.length, &err) != HZ_OK) {
        fail_msg("%s", err.message);
    }
    hz_builder_free(builder);
    return g;
}

/* A builder with the ports of an evaluator, "board" and "score". */
static inline hz_builder *league_builder(void) {
    hz_builder *builder = hz_builder_new("g", 8, 13, 0);
    assert_non_null(builder);
    hz_builder_input(builder, "board", HZ_ELEMENT_FLOAT, (int64_t[]){HZ_DYNAMIC, 1540}, 2);
    hz_builder_output(builder, "score", HZ_ELEMENT_FLOAT, (int64_t[]){HZ_DYNAMIC, 1}, 2);
    return builder;
}

static const float LEAGUE_WORTH[6] = {1, 3, 3, 5, 9, 0};

/* Material as a vector of 1540 numbers. */
static inline league_graph league_material(void) {
    static float column[1540];
    for (int i = 0; i < 768; i++) {
        column[i] = i < 384 ? LEAGUE_WORTH[i / 64] : -LEAGUE_WORTH[(i - 384) / 64];
    }
    hz_builder *builder = league_builder();
    hz_tensor w = {HZ_ELEMENT_FLOAT, 2, {1540, 1}, column};
    hz_builder_initializer(builder, "w", &w);
    hz_builder_node(builder, "", "MatMul", (const char *[]){"board", "w"}, 2,
                    (const char *[]){"score"}, 1);
    return league_finish(builder);
}

/* The sum of the board times `factor` through one operator of the name: "Log" of a negative number
 * is not finite. */
static inline league_graph league_unary(float factor, const char *operation) {
    static float column[1540];
    for (int i = 0; i < 1540; i++) {
        column[i] = factor;
    }
    hz_builder *builder = league_builder();
    hz_tensor w = {HZ_ELEMENT_FLOAT, 2, {1540, 1}, column};
    hz_builder_initializer(builder, "w", &w);
    hz_builder_node(builder, "", "MatMul", (const char *[]){"board", "w"}, 2,
                    (const char *[]){"sum"}, 1);
    hz_builder_node(builder, "", operation, (const char *[]){"sum"}, 1, (const char *[]){"score"},
                    1);
    return league_finish(builder);
}

#endif
