/* SPDX-License-Identifier: MIT */
/*
 * The evaluator league: judging by graphs, and a whole run through the four levels with two threads
 * and their children, as an entry of 1540-32-32-1 would play it.
 */
#include "bench/items.h"

#include <hazard/league.h>

#include <stdlib.h>
#include <string.h>

enum { IN = 1540, WIDTH = 32, BATCH = 16 };

typedef struct judged {
    hz_arena arena;
    const void *bytes;
    size_t length;
    hz_league_model *model;
    hz_position positions[BATCH];
    int batch; /* positions in a call */
} judged;

/* Material in two units, a little repeatable noise in the others: an evaluator that plays as one
 * would expect of a network of this size, without having been trained. */
static hz_status build_network(judged *j) {
    static const float worth[6] = {1, 3, 3, 5, 9, 0};
    static float w0[IN * WIDTH], w1[WIDTH * WIDTH], w2[WIDTH], zero[WIDTH];
    hz_random random = hz_random_from_seed(1);
    for (int i = 0; i < IN * WIDTH; i++) {
        int row = i / WIDTH, unit = i % WIDTH;
        float noise = (float)hz_random_draw(&random, 2001) / 100000.0F - 0.01F;
        float value = row < 384 ? worth[row / 64] : row < 768 ? -worth[(row - 384) / 64] : 0.0F;
        w0[i] = unit == 0 ? value : unit == 1 ? -value : noise;
    }
    for (int i = 0; i < WIDTH * WIDTH; i++) {
        bool pass = i / WIDTH == i % WIDTH && i / WIDTH < 2;
        w1[i] = pass ? 1.0F : (float)hz_random_draw(&random, 2001) / 100000.0F - 0.01F;
    }
    for (int i = 0; i < WIDTH; i++) {
        w2[i] = i == 0 ? 1.0F : i == 1 ? -1.0F : 0.01F;
    }
    hz_builder *b = hz_builder_new("bench", 8, 13, 0);
    if (!b) {
        return HZ_NO_MEMORY;
    }
    const hz_tensor tensors[4] = {{HZ_ELEMENT_FLOAT, 2, {IN, WIDTH}, w0},
                                  {HZ_ELEMENT_FLOAT, 2, {WIDTH, WIDTH}, w1},
                                  {HZ_ELEMENT_FLOAT, 2, {WIDTH, 1}, w2},
                                  {HZ_ELEMENT_FLOAT, 1, {WIDTH}, zero}};
    const hz_tensor last = {HZ_ELEMENT_FLOAT, 1, {1}, zero};
    static const char *const names[4] = {"w0", "w1", "w2", "zero"};
    hz_builder_input(b, "board", HZ_ELEMENT_FLOAT, (int64_t[]){HZ_DYNAMIC, IN}, 2);
    hz_builder_output(b, "score", HZ_ELEMENT_FLOAT, (int64_t[]){HZ_DYNAMIC, 1}, 2);
    for (int i = 0; i < 4; i++) {
        hz_builder_initializer(b, names[i], &tensors[i]);
    }
    hz_builder_initializer(b, "last", &last);
    hz_builder_node(b, "", "Gemm", (const char *[]){"board", "w0", "zero"}, 3,
                    (const char *[]){"a"}, 1);
    hz_builder_node(b, "", "Relu", (const char *[]){"a"}, 1, (const char *[]){"b"}, 1);
    hz_builder_node(b, "", "Gemm", (const char *[]){"b", "w1", "zero"}, 3, (const char *[]){"c"},
                    1);
    hz_builder_node(b, "", "Relu", (const char *[]){"c"}, 1, (const char *[]){"d"}, 1);
    hz_builder_node(b, "", "Gemm", (const char *[]){"d", "w2", "last"}, 3,
                    (const char *[]){"score"}, 1);
    hz_status status = hz_builder_finish(b, &j->arena, &j->bytes, &j->length, NULL);
    hz_builder_free(b);
    return status;
}

/* The kit keeps it. NULL without memory. */
static judged *new_judged(const char *reference, int batch) {
    judged *j = calloc(1, sizeof *j);
    if (!j) {
        return NULL;
    }
    hz_arena_init(&j->arena, 0);
    j->batch = batch;
    hz_status status = reference
                           ? hz_league_reference(reference, &j->arena, &j->bytes, &j->length, NULL)
                           : build_network(j);
    if (status == HZ_OK) {
        status = hz_league_model_open(j->bytes, j->length, "builtin", 0, &j->model, NULL);
    }
    for (int i = 0; i < BATCH && status == HZ_OK; i++) {
        const char *fen = i % 2 ? HZB_KIWIPETE : HZB_START;
        status = hz_chess_from_fen(&j->positions[i], fen, strlen(fen), NULL);
    }
    return status == HZ_OK ? j : NULL;
}

static uint64_t judge(void *state, uint64_t n) {
    judged *j = state;
    hz_league_judge judge = hz_league_model_judge(j->model);
    float values[BATCH] = {0};
    uint64_t number = 0;
    for (uint64_t i = 0; i < n; i++) {
        if (judge.judge(judge.state, j->positions, (size_t)j->batch, values, NULL) != HZ_OK) {
            return 0;
        }
    }
    memcpy(&number, values, sizeof values[0]);
    return number;
}

/* Every level, passed or not, so that the work is always the same. */
static uint64_t run_levels(void *state, uint64_t n) {
    judged *j = state;
    uint64_t points2 = 0;
    for (uint64_t i = 0; i < n; i++) {
        points2 = 0;
        for (int level = 1; level <= HZ_LEAGUE_LEVELS; level++) {
            hz_league_run_config config = {.bytes = j->bytes,
                                           .length = j->length,
                                           .limits = {.executor = "builtin"},
                                           .level = level,
                                           .threads = 2};
            hz_league_run_result result;
            if (hz_league_run(&config, &result, NULL) != HZ_OK) {
                return 0;
            }
            points2 += (uint64_t)hz_league_points2(&result.levels[level - 1]);
        }
    }
    return points2;
}

size_t hzb_league_items(hzb_item *items) {
    size_t n = 0;
    static const struct {
        const char *name, *reference;
        int batch;
    } judges[] = {{"judge, 1540-32-32-1, one position", NULL, 1},
                  {"judge, 1540-32-32-1, in a batch of 16", NULL, BATCH},
                  {"judge, material graph, in a batch of 16", "material", BATCH},
                  {"judge, handcrafted graph, in a batch of 16", "handcrafted", BATCH}};
    for (size_t i = 0; i < sizeof judges / sizeof judges[0]; i++) {
        items[n++] = (hzb_item){.group = "league",
                                .name = judges[i].name,
                                .unit = "us",
                                .unit_ns = 1000,
                                .work = judges[i].batch,
                                .run = judge,
                                .state = new_judged(judges[i].reference, judges[i].batch)};
    }
    items[n++] = (hzb_item){.group = "league",
                            .name = "four levels, 1540-32-32-1, two threads",
                            .unit = "s",
                            .unit_ns = 1e9,
                            .work = 1,
                            .first = 60,
                            .aim = 20,
                            .windows = 1,
                            .run = run_levels,
                            .state = new_judged(NULL, 1)};
    return n;
}
