/* SPDX-License-Identifier: MIT */
/*
 * The transposition table: one slot per key, exact values and bounds on them.
 *
 * An entry is three 64-bit words, each read and written by itself: the value, the rest ("mark") and
 * the key crossed with a mix of the two. A reader that meets words of different writers computes a
 * key that nobody asked for, so a torn entry is a miss; no lock is needed, and losing an entry
 * costs only work. A slot that was never written has a mark of 0, which no entry has.
 */
#include <hazard/search.h>

#include <stdatomic.h>
#include <stdlib.h>

typedef struct slot {
    _Atomic uint64_t lock; /* key ^ seal(value, mark) */
    _Atomic uint64_t value;
    _Atomic uint64_t mark; /* depth, bound, taint, and a bit that is always set */
} slot;

struct hz_table {
    size_t capacity; /* a power of two */
    atomic_uint_fast64_t hits, misses, stores, overwrites, collisions;
    slot slots[];
};

enum { MARK_USED = 1, MARK_TAINT = 2, MARK_BOUND_SHIFT = 2, MARK_DEPTH_SHIFT = 8 };

static uint64_t mark_of(const hz_table_entry *entry) {
    return (uint64_t)MARK_USED | (entry->loss_tainted ? (uint64_t)MARK_TAINT : 0) |
           (uint64_t)entry->bound << MARK_BOUND_SHIFT | (uint64_t)entry->depth << MARK_DEPTH_SHIFT;
}

static uint8_t depth_of(uint64_t mark) {
    return (uint8_t)(mark >> MARK_DEPTH_SHIFT);
}

static hz_bound bound_of(uint64_t mark) {
    return (hz_bound)(mark >> MARK_BOUND_SHIFT & 3);
}

/* The value is mixed, so that no difference of two values can make up for one of their marks. */
static uint64_t seal(uint64_t value, uint64_t mark) {
    return hz_random_mix(value) ^ hz_random_mix(~mark);
}

/* The words of one slot as they were read. */
typedef struct words {
    uint64_t key, value, mark;
} words;

static words read_slot(slot *s) {
    uint64_t lock = atomic_load_explicit(&s->lock, memory_order_relaxed);
    uint64_t value = atomic_load_explicit(&s->value, memory_order_relaxed);
    uint64_t mark = atomic_load_explicit(&s->mark, memory_order_relaxed);
    return (words){.key = lock ^ seal(value, mark), .value = value, .mark = mark};
}

static slot *slot_of(hz_table *table, uint64_t key) {
    return &table->slots[key & (table->capacity - 1)];
}

static void count(atomic_uint_fast64_t *counter) {
    atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

hz_status hz_table_new(size_t capacity, hz_table **table, hz_error *err) {
    *table = NULL;
    if (capacity == 0 || (capacity & (capacity - 1)) != 0) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                       "table capacity: %zu is not a positive power of two", capacity);
    }
    hz_table *made = NULL;
    if (capacity <= (SIZE_MAX - sizeof *made) / sizeof(slot)) {
        /* Slots of zero bytes are empty ones; atomic_init is not needed for lock-free integers. */
        made = calloc(1, sizeof *made + capacity * sizeof(slot));
    }
    if (!made) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a table of %zu entries",
                       capacity);
    }
    made->capacity = capacity;
    *table = made;
    return HZ_OK;
}

void hz_table_free(hz_table *table) {
    free(table);
}

size_t hz_table_capacity(const hz_table *table) {
    return table->capacity;
}

void hz_table_reset(hz_table *table) {
    atomic_store_explicit(&table->hits, 0, memory_order_relaxed);
    atomic_store_explicit(&table->misses, 0, memory_order_relaxed);
    atomic_store_explicit(&table->stores, 0, memory_order_relaxed);
    atomic_store_explicit(&table->overwrites, 0, memory_order_relaxed);
    atomic_store_explicit(&table->collisions, 0, memory_order_relaxed);
}

void hz_table_clear(hz_table *table) {
    for (size_t i = 0; i < table->capacity; i++) {
        slot *s = &table->slots[i];
        atomic_store_explicit(&s->mark, 0, memory_order_relaxed);
        atomic_store_explicit(&s->value, 0, memory_order_relaxed);
        atomic_store_explicit(&s->lock, 0, memory_order_relaxed);
    }
    hz_table_reset(table);
}

bool hz_table_probe(hz_table *table, uint64_t key, uint8_t depth, hz_table_entry *entry) {
    words found = read_slot(slot_of(table, key));
    if (found.mark == 0 || found.key != key || depth_of(found.mark) != depth) {
        count(&table->misses);
        return false;
    }
    count(&table->hits);
    *entry = (hz_table_entry){.value = (int64_t)found.value,
                              .bound = bound_of(found.mark),
                              .depth = depth,
                              .loss_tainted = (found.mark & MARK_TAINT) != 0};
    return true;
}

void hz_table_store(hz_table *table, uint64_t key, const hz_table_entry *entry) {
    slot *s = slot_of(table, key);
    words old = read_slot(s);
    count(&table->stores);
    if (old.mark != 0) {
        bool deep_enough = entry->depth >= depth_of(old.mark);
        if (old.key == key) {
            if (!deep_enough && bound_of(old.mark) == HZ_BOUND_EXACT) {
                return;
            }
            count(&table->overwrites);
        } else {
            if (!deep_enough) {
                return;
            }
            count(&table->collisions);
        }
    }
    uint64_t value = (uint64_t)entry->value, mark = mark_of(entry);
    atomic_store_explicit(&s->lock, key ^ seal(value, mark), memory_order_relaxed);
    atomic_store_explicit(&s->value, value, memory_order_relaxed);
    atomic_store_explicit(&s->mark, mark, memory_order_relaxed);
}

hz_table_counters hz_table_counters_get(const hz_table *table) {
    return (hz_table_counters){
        .hits = atomic_load_explicit(&table->hits, memory_order_relaxed),
        .misses = atomic_load_explicit(&table->misses, memory_order_relaxed),
        .stores = atomic_load_explicit(&table->stores, memory_order_relaxed),
        .overwrites = atomic_load_explicit(&table->overwrites, memory_order_relaxed),
        .collisions = atomic_load_explicit(&table->collisions, memory_order_relaxed)};
}

double hz_table_hit_rate(const hz_table_counters *counters) {
    uint64_t asked = counters->hits + counters->misses;
    return asked ? (double)counters->hits / (double)asked : 0;
}
