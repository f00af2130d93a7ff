/* SPDX-License-Identifier: MIT */
/* Turn generation: legal first micro-moves, turns with their result keys, perft. */
#include "bench/items.h"

#include "ref/ref_dice.h"

static uint64_t first_moves(void *state, uint64_t n) {
    const hzb_case *c = state;
    hz_move_list list = {0};
    for (uint64_t i = 0; i < n; i++) {
        hz_moves_first(&c->position, &list);
    }
    return (uint64_t)list.count;
}

/* The twin reads a DFEN with the roll, so the case's own text does not do. */
static bool twin_position(const hzb_case *c, ref_position *position) {
    char dfen[HZ_DFEN_CAPACITY];
    hz_position_to_dfen(&c->position, dfen, sizeof dfen);
    return ref_from_dfen(position, dfen);
}

static uint64_t first_moves_slowly(void *state, uint64_t n) {
    const hzb_case *c = state;
    ref_position position;
    uint64_t count = 0;
    for (uint64_t i = 0; i < n && twin_position(c, &position); i++) {
        ref_turns turns;
        ref_moves first;
        if (!ref_legal_turns(&position, SIZE_MAX, &turns)) {
            return 0;
        }
        ref_continuations(&turns, "", &first);
        count = (uint64_t)first.count;
        ref_turns_free(&turns);
    }
    return count;
}

static uint64_t results(void *state, uint64_t n) {
    hzb_case *c = state;
    hz_result_list list = {0};
    for (uint64_t i = 0; i < n; i++) {
        hz_arena_reset(&c->arena);
        if (hz_results_list(&c->position, NULL, &c->arena, &list, NULL) != HZ_OK) {
            return 0;
        }
    }
    return list.count;
}

static uint64_t results_slowly(void *state, uint64_t n) {
    const hzb_case *c = state;
    ref_position position;
    uint64_t count = 0;
    for (uint64_t i = 0; i < n && twin_position(c, &position); i++) {
        ref_turns turns;
        ref_results found;
        if (!ref_legal_turns(&position, SIZE_MAX, &turns)) {
            return 0;
        }
        ref_results_of(&position, &turns, &found);
        count = found.count;
        ref_results_free(&found);
        ref_turns_free(&turns);
    }
    return count;
}

static uint64_t turn_perft(void *state, uint64_t n) {
    const hzb_case *c = state;
    uint64_t turns = 0;
    for (uint64_t i = 0; i < n; i++) {
        turns = hz_turns_perft(&c->position, NULL);
    }
    return turns;
}

static uint64_t micro_perft(void *state, uint64_t n) {
    const hzb_case *c = state;
    uint64_t nodes = 0;
    for (uint64_t i = 0; i < n; i++) {
        nodes = hz_dice_perft(&c->position, 3);
    }
    return nodes;
}

static hzb_item first_item(const char *name, const char *dfen, const char *roll, double first,
                           double aim) {
    return (hzb_item){.group = "dice",
                      .name = name,
                      .unit = "us",
                      .unit_ns = 1000,
                      .work = 1,
                      .first = first,
                      .aim = aim,
                      .run = first_moves,
                      .twin = first_moves_slowly,
                      .same_number = true,
                      .state = hzb_case_new(dfen, roll)};
}

static hzb_item node_item(const char *name, const char *dfen, const char *roll, bool keys) {
    hzb_case *c = hzb_case_new(dfen, roll);
    uint64_t nodes = 0;
    if (c) {
        hz_turns_perft(&c->position, &nodes);
    }
    return (hzb_item){.group = "dice",
                      .name = name,
                      .unit = "ns/node",
                      .unit_ns = 1,
                      .work = (double)(nodes ? nodes : 1),
                      .first = keys ? 20 : 0,
                      .aim = keys ? 9 : 0,
                      .run = keys ? results : turn_perft,
                      .twin = keys ? results_slowly : NULL,
                      .same_number = true,
                      .state = c};
}

size_t hzb_dice_items(hzb_item *items) {
    size_t n = 0;
    items[n++] = first_item("first micro-moves, kiwipete PNB", HZB_KIWIPETE, "PNB", 60, 10);
    items[n++] = first_item("first micro-moves, start PPP", HZB_START, "PPP", 50, 8);
    items[n++] = node_item("turns with result keys, kiwipete PNB", HZB_KIWIPETE, "PNB", true);
    items[n++] = node_item("turns with result keys, start PPP", HZB_START, "PPP", true);
    items[n++] = node_item("turns with result keys, endgame PRK", HZB_ENDGAME, "PRK", true);
    items[n++] = node_item("turn perft, kiwipete PNB", HZB_KIWIPETE, "PNB", false);
    hzb_case *kiwipete = hzb_case_new(HZB_KIWIPETE, "");
    items[n++] = (hzb_item){.group = "dice",
                            .name = "micro-move perft 3, kiwipete",
                            .unit = "Mnodes/s",
                            .unit_ns = 1000,
                            .work = 98903,
                            .rate = true,
                            .run = micro_perft,
                            .state = kiwipete};
    return n;
}
