/* SPDX-License-Identifier: MIT */
/* The transposition table of chess search: packing, aging, replacement. */
#include "search/chess_table.h"

#include <stdlib.h>

/* data: move 16 | score 18 (offset) | depth 8 | bound 2 | generation 8 | used 1 */
enum { SCORE_OFFSET = 1 << 17 };

static uint64_t pack(const hzi_chess_entry *e, int32_t score, unsigned generation) {
    return (uint64_t)e->move | (uint64_t)(uint32_t)(score + SCORE_OFFSET) << 16 |
           (uint64_t)(unsigned)e->depth << 34 | (uint64_t)e->bound << 42 |
           (uint64_t)(generation & 255u) << 44 | (uint64_t)1 << 52;
}

static unsigned generation_of(uint64_t data) {
    return (unsigned)(data >> 44) & 255u;
}

static int depth_of(uint64_t data) {
    return (int)(data >> 34) & 255;
}

/* The memory comes zeroed, which is empty: the system gives pages when they are first written, so that
 * a table of many gigabytes costs no time before a search, and a short search little memory. */
bool hzi_chess_table_init(hzi_chess_table *table, size_t bytes) {
    enum { LINE = 64 };
    size_t pairs = 1;
    while (2 * pairs * 2 * sizeof(hzi_chess_slot) <= bytes) {
        pairs *= 2;
    }
    *table = (hzi_chess_table){.mask = pairs - 1};
    table->memory = calloc(1, 2 * pairs * sizeof(hzi_chess_slot) + LINE);
    if (!table->memory) {
        return false;
    }
    char *first = table->memory;
    table->slots = (hzi_chess_slot *)(void *)(first + (LINE - (uintptr_t)first % LINE) % LINE);
    return true;
}

void hzi_chess_table_fini(hzi_chess_table *table) {
    free(table->memory);
    *table = (hzi_chess_table){.slots = NULL};
}

void hzi_chess_table_clear(hzi_chess_table *table) {
    if (!table->used) {
        return; /* nothing was written yet */
    }
    for (size_t i = 0; i < 2 * (table->mask + 1); i++) {
        atomic_store_explicit(&table->slots[i].check, 0, memory_order_relaxed);
        atomic_store_explicit(&table->slots[i].data, 0, memory_order_relaxed);
    }
    table->generation = 0;
    table->used = false;
}

void hzi_chess_table_age(hzi_chess_table *table) {
    table->used = true;
    table->generation = (table->generation + 1) & 255u;
}

/* Mate scores are kept as distances from the node. */
static int32_t from_root(int32_t score, int ply) {
    return score > HZ_CHESS_SCORE_MAX    ? score + ply
           : score < -HZ_CHESS_SCORE_MAX ? score - ply
                                         : score;
}

static int32_t to_root(int32_t score, int ply) {
    return score > HZ_CHESS_SCORE_MAX    ? score - ply
           : score < -HZ_CHESS_SCORE_MAX ? score + ply
                                         : score;
}

bool hzi_chess_table_probe(const hzi_chess_table *table, uint64_t key, int ply,
                           hzi_chess_entry *entry) {
    const hzi_chess_slot *pair = &table->slots[2 * (key & table->mask)];
    for (int i = 0; i < 2; i++) {
        uint64_t data = atomic_load_explicit(&pair[i].data, memory_order_relaxed);
        uint64_t check = atomic_load_explicit(&pair[i].check, memory_order_relaxed);
        if (data && (check ^ data) == key) {
            entry->move = (hz_move)(data & 0xFFFF);
            entry->score = to_root((int32_t)((data >> 16) & 0x3FFFF) - SCORE_OFFSET, ply);
            entry->depth = depth_of(data);
            entry->bound = (hz_bound)((data >> 42) & 3);
            return true;
        }
    }
    return false;
}

void hzi_chess_table_store(hzi_chess_table *table, uint64_t key, int ply,
                           const hzi_chess_entry *entry) {
    hzi_chess_slot *pair = &table->slots[2 * (key & table->mask)];
    uint64_t first = atomic_load_explicit(&pair[0].data, memory_order_relaxed);
    uint64_t check = atomic_load_explicit(&pair[0].check, memory_order_relaxed);
    hzi_chess_entry kept = *entry;
    bool same = first && (check ^ first) == key;
    if (same && kept.move == 0) {
        kept.move = (hz_move)(first & 0xFFFF);
    }
    uint64_t data = pack(&kept, from_root(kept.score, ply), table->generation);
    bool deep = !first || generation_of(first) != (table->generation & 255u) ||
                entry->depth >= depth_of(first) ||
                (same && entry->bound == HZ_BOUND_EXACT && entry->depth + 2 >= depth_of(first));
    hzi_chess_slot *slot = &pair[deep ? 0 : 1];
    if (deep && first && !same) {
        /* What was deeper until now moves to the second place. */
        atomic_store_explicit(&pair[1].check, check, memory_order_relaxed);
        atomic_store_explicit(&pair[1].data, first, memory_order_relaxed);
    }
    atomic_store_explicit(&slot->check, key ^ data, memory_order_relaxed);
    atomic_store_explicit(&slot->data, data, memory_order_relaxed);
}

unsigned hzi_chess_table_permille(const hzi_chess_table *table) {
    unsigned used = 0, seen = 0;
    for (size_t i = 0; i < 2 * (table->mask + 1) && seen < 1000; i++, seen++) {
        uint64_t data = atomic_load_explicit(&table->slots[i].data, memory_order_relaxed);
        used += data && generation_of(data) == (table->generation & 255u);
    }
    return seen ? used * 1000 / seen : 0;
}
