/* SPDX-License-Identifier: MIT */
/*
 * Counting turns and distinct results within a memory limit. When the results do not fit, the turns
 * are walked several times and each walk looks only at the results whose key falls into its share.
 */
#include <hazard/dice.h>

#include "dice/generate.h"
#include "dice/identity.h"
#include "dice/walk.h"

#include <stdlib.h>

enum { LEAST_LIMIT = 64 * 1024, LARGEST_SHARES = 1 << 16 };

typedef struct counter {
    hz_position *boards; /* after hand-over, or with the king taken */
    uint32_t *slots;     /* index + 1 into boards, 0 = free */
    size_t capacity;     /* boards */
    size_t slot_count;   /* power of two, at least twice capacity */
    size_t count;
    uint64_t shares; /* power of two: walks needed */
    uint64_t share;  /* the one that is counted now */
    bool full;
} counter;

static bool same_result(const hz_turn *turn, const hz_position *board, const hz_position *known) {
    return turn->took_king ? hz_position_same_board(board, known)
                           : board->side != known->side && hzi_result_is(board, known);
}

static bool count_result(void *context, const hz_turn *turn, const hz_position *board) {
    counter *c = context;
    uint64_t key = turn->took_king ? board->key ^ hzi_pool_key(board->pool) : hzi_result_key(board);
    if ((key >> 40 & (c->shares - 1)) != c->share) {
        return true;
    }
    size_t slot = key & (c->slot_count - 1);
    for (; c->slots[slot]; slot = (slot + 1) & (c->slot_count - 1)) {
        const hz_position *known = &c->boards[c->slots[slot] - 1];
        if (known->key == key && same_result(turn, board, known)) {
            return true;
        }
    }
    if (c->count == c->capacity) {
        c->full = true;
        return false;
    }
    hz_position *kept = &c->boards[c->count++];
    *kept = *board;
    if (turn->took_king) {
        hz_position_set_pool(kept, 0);
    } else {
        hzi_hand_over(kept);
    }
    c->slots[slot] = (uint32_t)c->count;
    return true;
}

/* One walk over one share; false when its results did not fit. */
static bool count_share(counter *c, hzi_walker *walker, const hz_position *position) {
    for (size_t i = 0; i < c->slot_count; i++) {
        c->slots[i] = 0;
    }
    c->count = 0;
    c->full = false;
    walker->visit = count_result;
    walker->context = c;
    hzi_walk(walker, position);
    return !c->full;
}

/* Tables for `capacity` boards. */
static bool make_tables(counter *c, size_t capacity) {
    c->slot_count = 1024;
    while (c->slot_count < capacity * 2) {
        c->slot_count *= 2;
    }
    c->capacity = capacity;
    c->boards = malloc(capacity * sizeof *c->boards);
    c->slots = malloc(c->slot_count * sizeof *c->slots);
    return c->boards && c->slots;
}

hz_status hz_turns_count(const hz_position *position, size_t memory_limit, hz_turn_counts *counts,
                         hz_error *err) {
    size_t limit = memory_limit ? memory_limit : (size_t)128 << 20;
    hzi_walker walker = {0};
    counter c = {.shares = 1};
    hz_status status = HZ_OK;
    *counts = (hz_turn_counts){0};
    if (limit < LEAST_LIMIT) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "a limit of %zu bytes is below %d", limit,
                       LEAST_LIMIT);
    }
    hz_move_list first;
    hz_moves_first(position, &first);
    counts->first = (uint64_t)first.count;
    counts->max_dice = hz_dice_max(position);
    hzi_walk(&walker, position);
    counts->turns = walker.turns;
    counts->king_turns = walker.king_turns;
    /* The slot table takes at most 16 bytes a board (up to four slots of four bytes). */
    size_t capacity = limit / (sizeof(hz_position) + 16);
    capacity = counts->turns < capacity ? (size_t)counts->turns : capacity;
    if (!make_tables(&c, capacity ? capacity : 1)) {
        status = hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory to tell results apart");
        goto done;
    }
    while (c.share < c.shares) {
        if (count_share(&c, &walker, position)) {
            counts->results += c.count;
            c.share++;
        } else {
            c.shares *= 2; /* start over with smaller shares */
            c.share = 0;
            counts->results = 0;
            if (c.shares > LARGEST_SHARES) {
                status = hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "too many results to count");
                goto done;
            }
        }
    }
done:
    free(c.boards);
    free(c.slots);
    return status;
}
