/* SPDX-License-Identifier: MIT */
/* Feature rows and static evaluators. */
#include "bench/items.h"

#include <hazard/eval.h>

#include "ref/ref_features.h"
#include "ref/ref_odds.h"

#include <stdlib.h>
#include <string.h>

enum { WIDEST = 2048 };

typedef struct row_case {
    hz_position position;
    const hz_schema *schema;
    float row[WIDEST];
} row_case;

/* Folds the bits of a row. */
static uint64_t bits_of(const float *row, size_t width) {
    uint64_t sum = 0;
    for (size_t i = 0; i < width; i++) {
        uint32_t bits;
        memcpy(&bits, &row[i], sizeof bits);
        sum = sum * 31 + bits;
    }
    return sum;
}

static uint64_t row(void *state, uint64_t n) {
    row_case *c = state;
    for (uint64_t i = 0; i < n; i++) {
        hz_features_row(c->schema, &c->position, HZ_WHITE, c->row);
    }
    return bits_of(c->row, c->schema->width);
}

static uint64_t row_slowly(void *state, uint64_t n) {
    row_case *c = state;
    char dfen[HZ_DFEN_CAPACITY];
    ref_position position;
    hz_position_to_dfen(&c->position, dfen, sizeof dfen);
    if (!ref_from_dfen(&position, dfen)) {
        return 0;
    }
    for (uint64_t i = 0; i < n; i++) {
        int rolls[4] = {(int)hz_roll_set_weight(ref_odds_king(&c->position, HZ_BLACK)),
                        (int)hz_roll_set_weight(ref_odds_king(&c->position, HZ_WHITE)),
                        (int)hz_roll_set_weight(ref_odds_queen(&c->position, HZ_BLACK)),
                        (int)hz_roll_set_weight(ref_odds_queen(&c->position, HZ_WHITE))};
        ref_features_row(c->schema->id, &position, 'w', rolls, c->row);
    }
    return bits_of(c->row, c->schema->width);
}

static row_case *row_case_new(const char *dfen, const char *schema) {
    row_case *c = calloc(1, sizeof *c);
    if (c) {
        c->schema = hz_schema_find(schema);
        if (c->schema && c->schema->width <= WIDEST &&
            hz_position_from_dfen(&c->position, dfen, strlen(dfen), NULL) == HZ_OK) {
            return c;
        }
        free(c);
    }
    return NULL;
}

static uint64_t mobility(void *state, uint64_t n) {
    const hzb_case *c = state;
    int counts[HZ_PIECE_TYPES] = {0};
    for (uint64_t i = 0; i < n; i++) {
        hz_mobility(&c->position, HZ_WHITE, counts);
    }
    return (uint64_t)counts[0] + 10 * (uint64_t)counts[1] + 100 * (uint64_t)counts[4];
}

static uint64_t aggressive(void *state, uint64_t n) {
    const hzb_case *c = state;
    int32_t score = 0;
    for (uint64_t i = 0; i < n; i++) {
        score = hz_evaluate_aggressive(&c->position, HZ_WHITE);
    }
    return (uint64_t)(int64_t)score;
}

static uint64_t aggressive_slowly(void *state, uint64_t n) {
    const hzb_case *c = state;
    ref_position position;
    int score = 0;
    if (!ref_from_dfen(&position, c->dfen)) {
        return 0;
    }
    for (uint64_t i = 0; i < n; i++) {
        score = ref_score_aggressive(&position, 'w');
    }
    return (uint64_t)(int64_t)score;
}

static hzb_item row_item(const char *name, const char *dfen, const char *schema, bool slow,
                         double first, double aim) {
    return (hzb_item){.group = "features",
                      .name = name,
                      .unit = "us",
                      .unit_ns = 1000,
                      .work = 1,
                      .first = first,
                      .aim = aim,
                      .run = row,
                      .twin = slow ? row_slowly : NULL,
                      .same_number = true,
                      .state = row_case_new(dfen, schema)};
}

size_t hzb_features_items(hzb_item *items) {
    size_t n = 0;
    items[n++] = row_item("kcp-13 row, start", HZB_START, "kcp-13", true, 5, 2);
    items[n++] = row_item("kcp-13 row, kiwipete", HZB_KIWIPETE, "kcp-13", true, 5, 2);
    items[n++] = row_item("kcp-13 row, endgame", HZB_ENDGAME, "kcp-13", true, 5, 2);
    items[n++] = row_item("kcp-mobility-pawns-31 row, kiwipete", HZB_KIWIPETE,
                          "kcp-mobility-pawns-31-v1", true, 0, 0);
    items[n++] = row_item("rich-9 row, kiwipete", HZB_KIWIPETE, "rich-9-v1", false, 0, 0);
    items[n++] =
        row_item("raw-board-768 row, kiwipete", HZB_KIWIPETE, "raw-board-768-v1", false, 0, 0);
    items[n++] = (hzb_item){.group = "features",
                            .name = "mobility of one side, kiwipete",
                            .unit = "us",
                            .unit_ns = 1000,
                            .work = 1,
                            .run = mobility,
                            .state = hzb_case_new(HZB_KIWIPETE, "")};
    items[n++] = (hzb_item){.group = "eval",
                            .name = "aggressive score, kiwipete",
                            .unit = "us",
                            .unit_ns = 1000,
                            .work = 1,
                            .run = aggressive,
                            .twin = aggressive_slowly,
                            .same_number = true,
                            .state = hzb_case_new(HZB_KIWIPETE, "")};
    return n;
}
