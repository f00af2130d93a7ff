/* SPDX-License-Identifier: MIT */
/*
 * Results: the legal turns grouped by the position they lead to (search spec 1.2). An
 * open-addressing table from the board's key to an entry of the list; an equal key is confirmed on
 * the boards. Turns arrive in text order, so the list stays sorted unless a later turn with fewer
 * micro-moves becomes an entry's canonical one; only then it is sorted again.
 */
#include <hazard/dice.h>

#include "dice/generate.h"
#include "dice/identity.h"
#include "dice/walk.h"

#include <stdlib.h>
#include <string.h>

typedef struct builder {
    hz_arena *arena;
    hz_result_list *list;
    size_t capacity;
    uint32_t *slots; /* index + 1 into the list, 0 = free */
    size_t slot_count;
    bool out_of_memory;
    bool unsorted;
    size_t winning; /* index + 1 of the winning class */
} builder;

static bool grow(builder *b) {
    size_t capacity = b->capacity ? b->capacity * 2 : 512;
    hz_result *results = capacity > UINT32_MAX / 4 ? NULL
                                                   : hz_arena_grow(b->arena, b->list->results,
                                                                   b->capacity * sizeof *results,
                                                                   capacity * sizeof *results);
    if (!results) {
        return false;
    }
    b->list->results = results;
    b->capacity = capacity;
    return true;
}

/* The slot table is kept outside the arena's last piece: it is rebuilt, not copied. */
static bool rehash(builder *b) {
    size_t slot_count = b->capacity * 2;
    uint32_t *slots = hz_arena_alloc(b->arena, slot_count * sizeof *slots);
    if (!slots) {
        return false;
    }
    memset(slots, 0, slot_count * sizeof *slots);
    for (size_t i = 0; i < b->list->count; i++) {
        if (i + 1 == b->winning) {
            continue;
        }
        size_t slot = b->list->results[i].after.key & (slot_count - 1);
        while (slots[slot]) {
            slot = (slot + 1) & (slot_count - 1);
        }
        slots[slot] = (uint32_t)(i + 1);
    }
    b->slots = slots;
    b->slot_count = slot_count;
    return true;
}

static bool shorter(const hz_turn *a, const hz_turn *b) {
    return a->count < b->count;
}

static hz_result *add(builder *b, const hz_turn *turn, const hz_position *board) {
    if (b->list->count == b->capacity && !(grow(b) && rehash(b))) {
        b->out_of_memory = true;
        return NULL;
    }
    hz_result *result = &b->list->results[b->list->count++];
    result->turn = *turn;
    result->after = *board;
    return result;
}

static bool take(void *context, const hz_turn *turn, const hz_position *board) {
    builder *b = context;
    if (turn->took_king) {
        if (!b->winning) {
            if (!add(b, turn, board)) {
                return false;
            }
            b->winning = b->list->count;
        } else if (shorter(turn, &b->list->results[b->winning - 1].turn)) {
            b->list->results[b->winning - 1] = (hz_result){*turn, *board};
            b->unsorted = true;
        }
        return true;
    }
    uint64_t key = hzi_result_key(board);
    size_t slot = b->slot_count ? key & (b->slot_count - 1) : 0;
    for (; b->slot_count && b->slots[slot]; slot = (slot + 1) & (b->slot_count - 1)) {
        hz_result *known = &b->list->results[b->slots[slot] - 1];
        if (known->after.key == key && hzi_result_is(board, &known->after)) {
            if (shorter(turn, &known->turn)) {
                known->turn = *turn;
                known->after = *board;
                hzi_hand_over(&known->after);
                b->unsorted = true;
            }
            return true;
        }
    }
    size_t slots_before = b->slot_count;
    hz_result *result = add(b, turn, board);
    if (!result) {
        return false;
    }
    hzi_hand_over(&result->after);
    if (b->slot_count != slots_before) {
        slot = key & (b->slot_count - 1);
        while (b->slots[slot]) {
            slot = (slot + 1) & (b->slot_count - 1);
        }
    }
    b->slots[slot] = (uint32_t)b->list->count;
    return true;
}

static int by_text(const void *a, const void *b) {
    uint64_t left = hz_turn_text_order(&((const hz_result *)a)->turn);
    uint64_t right = hz_turn_text_order(&((const hz_result *)b)->turn);
    return (left > right) - (left < right);
}

hz_status hz_results_list(const hz_position *position, const hz_deadline *deadline, hz_arena *arena,
                          hz_result_list *list, hz_error *err) {
    *list = (hz_result_list){.winning = -1};
    builder b = {.arena = arena, .list = list};
    hzi_walker walker = {.visit = take, .context = &b, .deadline = deadline};
    hzi_walk(&walker, position);
    if (b.out_of_memory || walker.status == HZ_CANCELLED) {
        *list = (hz_result_list){.winning = -1};
        return b.out_of_memory ? hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET,
                                         "no memory for the results of this roll")
                               : hz_fail(err, HZ_CANCELLED, HZ_NO_OFFSET,
                                         "stopped while the results were listed");
    }
    list->sequences = walker.turns;
    if (b.winning) {
        list->winning = (ptrdiff_t)b.winning - 1;
    }
    if (b.unsorted) {
        qsort(list->results, list->count, sizeof *list->results, by_text);
        for (size_t i = 0; b.winning && i < list->count; i++) {
            if (list->results[i].turn.took_king) {
                list->winning = (ptrdiff_t)i;
            }
        }
    }
    return HZ_OK;
}
