/* SPDX-License-Identifier: MIT */
/* Chess search and its evaluators: nodes a second, a position judged or written as the row that a
 * model reads. */
#include "bench/items.h"

#include <hazard/search.h>

#include "eval/xattn.h"
#include "ref/ref_handcrafted.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH = 8, BATCH = 32, COLUMNS_MAX = 1540 };

typedef struct state {
    hz_position position;
    hz_chess_game game;
    hz_chess_search *search;
    ref_position slow;
} state;

/* The transformer on made-up boards. */
typedef struct transformer {
    float numbers[HZI_XATTN_NUMBERS];
    float boards[BATCH * HZI_XATTN_BOARD], metas[BATCH * HZI_XATTN_META], values[BATCH];
} transformer;

/* A position as a model's row. */
typedef struct encoding {
    hz_position position;
    const hz_schema *schema;
    float row[COLUMNS_MAX];
} encoding;

static uint64_t search(void *context, uint64_t n) {
    state *s = context;
    hz_chess_limits limits = {.depth = DEPTH};
    hz_chess_answer answer = {.nodes = 0};
    for (uint64_t i = 0; i < n; i++) {
        hz_chess_search_clear(s->search);
        if (hz_chess_search_run(s->search, &s->game, &limits, NULL, NULL, &answer, NULL) != HZ_OK) {
            return 0;
        }
    }
    return answer.nodes;
}

static uint64_t judge(void *context, uint64_t n) {
    const state *s = context;
    int32_t score = 0;
    for (uint64_t i = 0; i < n; i++) {
        score = hz_evaluate_handcrafted(&s->position, HZ_WHITE);
    }
    return (uint64_t)(uint32_t)score;
}

static uint64_t judge_slowly(void *context, uint64_t n) {
    const state *s = context;
    int score = 0;
    for (uint64_t i = 0; i < n; i++) {
        score = ref_handcrafted(&s->slow, 'w');
    }
    return (uint64_t)(uint32_t)score;
}

static uint64_t exchanges(void *context, uint64_t n) {
    const state *s = context;
    uint64_t sum = 0;
    hz_move moves[HZ_CHESS_MOVES_MAX];
    int count = hz_chess_moves(&s->position, moves);
    for (uint64_t i = 0; i < n; i++) {
        sum = 0;
        for (int k = 0; k < count; k++) {
            sum += (uint64_t)(uint32_t)hz_chess_exchange(&s->position, moves[k]);
        }
    }
    return sum;
}

static uint64_t transform(void *context, uint64_t n) {
    transformer *t = context;
    for (uint64_t i = 0; i < n; i++) {
        hzi_xattn_run(t->numbers, t->boards, t->metas, BATCH, t->values);
    }
    return (uint64_t)(1e6F * t->values[BATCH - 1]);
}

static uint64_t encode(void *context, uint64_t n) {
    encoding *e = context;
    for (uint64_t i = 0; i < n; i++) {
        hz_features_row(e->schema, &e->position, HZ_WHITE, e->row);
    }
    uint64_t sum = 0;
    for (uint32_t i = 0; i < e->schema->width; i++) {
        sum += (uint64_t)(2.0F * e->row[i]) * (i + 1);
    }
    return sum;
}

static hzb_item encoding_item(const char *name, const char *schema, const char *fen) {
    encoding *e = calloc(1, sizeof *e);
    if (e) {
        e->schema = hz_schema_find(schema);
        (void)hz_chess_from_fen(&e->position, fen, strlen(fen), NULL);
    }
    return (hzb_item){.group = "chess",
                      .name = name,
                      .unit = "ns",
                      .unit_ns = 1,
                      .work = 1,
                      .first = 1000,
                      .aim = 500,
                      .run = encode,
                      .state = e};
}

static hzb_item transformer_item(void) {
    transformer *t = calloc(1, sizeof *t);
    hz_random random = hz_random_from_seed(1);
    for (size_t i = 0; t && i < HZI_XATTN_NUMBERS; i++) {
        t->numbers[i] = (float)hz_random_draw(&random, 2001) / 1000.0F - 1.0F;
    }
    for (size_t i = 0; t && i < (size_t)BATCH * HZI_XATTN_BOARD; i++) {
        t->boards[i] = (float)hz_random_draw(&random, 2);
    }
    for (size_t i = 0; t && i < (size_t)BATCH * HZI_XATTN_META; i++) {
        t->metas[i] = (float)hz_random_draw(&random, 2);
    }
    return (hzb_item){.group = "chess",
                      .name = "transformer xattn8-4-v1, a position in 32",
                      .unit = "us",
                      .unit_ns = 1000,
                      .work = BATCH,
                      .first = 25,
                      .aim = 15,
                      .run = transform,
                      .state = t};
}

static state *state_new(const char *fen) {
    state *s = calloc(1, sizeof *s);
    if (!s || hz_chess_from_fen(&s->position, fen, strlen(fen), NULL) != HZ_OK ||
        hz_chess_game_init(&s->game, &s->position, NULL) != HZ_OK ||
        hz_chess_search_new(&(hz_chess_search_config){.table_bytes = 1 << 20}, &s->search, NULL) !=
            HZ_OK ||
        !ref_from_dfen(&s->slow, fen)) {
        free(s); /* once a run at most: the program ends then */
        return NULL;
    }
    return s;
}

/* The nodes of one search are its amount of work. */
static hzb_item search_item(const char *name, const char *fen) {
    state *s = state_new(fen);
    return (hzb_item){.group = "chess",
                      .name = name,
                      .unit = "Mnodes/s",
                      .unit_ns = 1e9,
                      .work = s ? (double)search(s, 1) / 1e6 : 0,
                      .rate = true,
                      .first = 1.5,
                      .aim = 2.5,
                      .run = search,
                      .state = s};
}

static hzb_item judge_item(const char *name, const char *fen) {
    return (hzb_item){.group = "chess",
                      .name = name,
                      .unit = "ns",
                      .unit_ns = 1,
                      .work = 1,
                      .run = judge,
                      .twin = judge_slowly,
                      .same_number = true,
                      .state = state_new(fen)};
}

static hzb_item exchange_item(const char *name, const char *fen) {
    state *s = state_new(fen);
    return (hzb_item){.group = "chess",
                      .name = name,
                      .unit = "ns",
                      .unit_ns = 1,
                      .work = s ? hz_chess_move_count(&s->position) : 0,
                      .run = exchanges,
                      .state = s};
}

size_t hzb_chess_search_items(hzb_item *items) {
    size_t n = 0;
    items[n++] = search_item("search to depth 8, start", HZB_START);
    items[n++] = search_item("search to depth 8, kiwipete", HZB_KIWIPETE);
    items[n++] = search_item("search to depth 8, endgame", HZB_ENDGAME);
    items[n++] = judge_item("handcrafted evaluation, kiwipete", HZB_KIWIPETE);
    items[n++] = judge_item("handcrafted evaluation, endgame", HZB_ENDGAME);
    items[n++] = exchange_item("exchange value of a move, kiwipete", HZB_KIWIPETE);
    items[n++] =
        encoding_item("planes of a position, kiwipete", "chess7x8x8-meta13-v1", HZB_KIWIPETE);
    items[n++] =
        encoding_item("dual view of a position, kiwipete", "dual-view-1540-v1", HZB_KIWIPETE);
    items[n++] = transformer_item();
    return n;
}
