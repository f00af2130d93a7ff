/* SPDX-License-Identifier: MIT */
/*
 * The transposition table of chess search, shared by its threads without locks: an entry is two
 * words, the second holds everything known, the first the key XOR the second, so that an entry torn
 * between two writers matches no key.
 */
#ifndef HAZARD_SEARCH_CHESS_TABLE_H
#define HAZARD_SEARCH_CHESS_TABLE_H

#include <hazard/search.h>

#include <stdatomic.h>

typedef struct hzi_chess_entry {
    hz_move move;  /* 0 = none */
    int32_t score; /* mate scores from the node, not from the root */
    int depth;
    hz_bound bound;
} hzi_chess_entry;

typedef struct hzi_chess_slot {
    _Atomic uint64_t check; /* key ^ data */
    _Atomic uint64_t data;
} hzi_chess_slot;

typedef struct hzi_chess_table {
    hzi_chess_slot *slots; /* in pairs: the first keeps the deeper, the second the latest */
    size_t mask;           /* of pairs */
    unsigned generation;
    bool used;    /* a search has begun since it was cleared */
    void *memory; /* holds the slots */
} hzi_chess_table;

/* False without memory. */
bool hzi_chess_table_init(hzi_chess_table *table, size_t bytes);
void hzi_chess_table_fini(hzi_chess_table *table);
void hzi_chess_table_clear(hzi_chess_table *table);
/* A new search: older entries give way first. */
void hzi_chess_table_age(hzi_chess_table *table);
bool hzi_chess_table_probe(const hzi_chess_table *table, uint64_t key, int ply,
                           hzi_chess_entry *entry);
void hzi_chess_table_store(hzi_chess_table *table, uint64_t key, int ply,
                           const hzi_chess_entry *entry);
/* Asks for the memory that a probe of this key will read. */
static inline void hzi_chess_table_prefetch(const hzi_chess_table *table, uint64_t key) {
#if defined(__GNUC__)
    __builtin_prefetch(&table->slots[2 * (key & table->mask)]);
#else
    (void)table;
    (void)key;
#endif
}
/* Entries of this generation in a thousand. */
unsigned hzi_chess_table_permille(const hzi_chess_table *table);

#endif
