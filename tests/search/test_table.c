/* SPDX-License-Identifier: MIT */
/* The transposition table: stated operations, every replacement rule against a twin written from the
 * rules, and readers beside a writer that must never see half an entry. */
#include <hazard/search.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/support.h"

static hz_table *table_of(size_t capacity) {
    hz_table *table;
    hz_error err;
    assert_int_equal(hz_table_new(capacity, &table, &err), HZ_OK);
    assert_int_equal(hz_table_capacity(table), capacity);
    return table;
}

static hz_table_entry entry_of(int64_t value, hz_bound bound, uint8_t depth, bool tainted) {
    return (hz_table_entry){
        .value = value, .bound = bound, .depth = depth, .loss_tainted = tainted};
}

/* ---- stated operations ---- */

static hz_bound bound_of(const char *name) {
    static const char *const names[] = {"exact", "lower", "upper"};
    for (size_t i = 0; i < 3; i++) {
        if (strcmp(name, names[i]) == 0) {
            return (hz_bound)i;
        }
    }
    fail_msg("\"%s\" is no bound", name);
    return HZ_BOUND_EXACT;
}

static void fact(const char *where, const char *what, const char *expected, const char *actual) {
    if (strcmp(expected, "?") != 0) {
        test_same_text(where, what, expected, actual);
    }
}

static void check_probe(hz_table *table, const char *where, const char *const *f) {
    static const char *const bounds[] = {"exact", "lower", "upper"};
    hz_table_entry found = {0};
    char number[32];
    bool hit = hz_table_probe(table, test_number(f[2]), (uint8_t)test_number(f[5]), &found);
    test_true(where, "found", hit == (strcmp(f[3], "none") != 0));
    if (hit) {
        snprintf(number, sizeof number, "%lld", (long long)found.value);
        fact(where, "value", f[3], number);
        fact(where, "bound", f[4], bounds[found.bound]);
        fact(where, "taint", f[6], found.loss_tainted ? "1" : "0");
        assert_int_equal(found.depth, test_number(f[5]));
    }
}

static void check_counters(const hz_table *table, const char *where, const char *const *f) {
    hz_table_counters c = hz_table_counters_get(table);
    const uint64_t actual[] = {c.hits, c.misses, c.stores, c.overwrites, c.collisions};
    for (size_t i = 0; i < 5; i++) {
        char number[32];
        snprintf(number, sizeof number, "%llu", (unsigned long long)actual[i]);
        fact(where, "counter", f[2 + i], number);
    }
    if (c.hits + c.misses == 0) {
        assert_true(hz_table_hit_rate(&c) == 0);
    } else {
        assert_true(hz_table_hit_rate(&c) == (double)c.hits / (double)(c.hits + c.misses));
    }
}

static void stated_operations_are_met(void **state) {
    (void)state;
    test_table rows = test_table_load("search_table.tsv", 7);
    hz_table *table = NULL;
    for (size_t i = 0; i < rows.count; i++) {
        const char *const *f = rows.rows[i].field;
        char where[100];
        snprintf(where, sizeof where, "line %d (%s)", rows.rows[i].line, f[0]);
        if (strcmp(f[1], "new") == 0) {
            hz_table_free(table);
            table = table_of((size_t)test_number(f[2]));
        } else if (strcmp(f[1], "store") == 0) {
            hz_table_entry entry = entry_of(strtoll(f[3], NULL, 10), bound_of(f[4]),
                                            (uint8_t)test_number(f[5]), f[6][0] == '1');
            hz_table_store(table, test_number(f[2]), &entry);
        } else if (strcmp(f[1], "probe") == 0) {
            check_probe(table, where, f);
        } else if (strcmp(f[1], "counters") == 0) {
            check_counters(table, where, f);
        } else if (strcmp(f[1], "clear") == 0) {
            hz_table_clear(table);
        } else if (strcmp(f[1], "reset") == 0) {
            hz_table_reset(table);
        } else {
            fail_msg("%s: %s", where, f[1]);
        }
    }
    hz_table_free(table);
    test_table_free(&rows);
}

/* ---- rules ---- */

static void capacities_that_are_no_power_of_two_are_refused(void **state) {
    (void)state;
    static const size_t wrong[] = {0, 3, 6, 1000, SIZE_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char something;
        hz_table *table = (hz_table *)(void *)&something;
        hz_error err;
        assert_int_equal(hz_table_new(wrong[i], &table, &err), HZ_INVALID_ARGUMENT);
        assert_null(table);
        assert_non_null(strstr(err.message, "power of two"));
        assert_int_equal(hz_table_new(wrong[i], &table, NULL), HZ_INVALID_ARGUMENT);
    }
    hz_table *table;
    assert_int_equal(hz_table_new(SIZE_MAX / 2 + 1, &table, NULL), HZ_NO_MEMORY);
    assert_null(table);
    for (size_t capacity = 1; capacity <= 4096; capacity *= 2) {
        hz_table_free(table_of(capacity));
    }
    hz_table_free(table_of(HZ_TABLE_DEFAULT_CAPACITY));
    hz_table_free(NULL);
}

static void fresh_table_knows_no_key_not_even_zero(void **state) {
    (void)state;
    hz_table *table = table_of(4);
    hz_table_entry entry;
    for (uint64_t key = 0; key < 8; key++) {
        for (unsigned depth = 0; depth < 256; depth++) {
            assert_false(hz_table_probe(table, key, (uint8_t)depth, &entry));
        }
    }
    hz_table_free(table);
}

/* One slot as the rules describe it. */
typedef struct twin_slot {
    bool used;
    uint64_t key;
    hz_table_entry entry;
} twin_slot;

enum { TWIN_SLOTS = 8 };

typedef struct twin {
    twin_slot slots[TWIN_SLOTS];
    hz_table_counters counters;
} twin;

static void twin_store(twin *t, uint64_t key, const hz_table_entry *entry) {
    twin_slot *s = &t->slots[key % TWIN_SLOTS];
    bool write;
    t->counters.stores++;
    if (!s->used) {
        write = true;
    } else if (s->key == key) {
        write = entry->depth >= s->entry.depth || s->entry.bound != HZ_BOUND_EXACT;
        t->counters.overwrites += write;
    } else {
        write = entry->depth >= s->entry.depth;
        t->counters.collisions += write;
    }
    if (write) {
        *s = (twin_slot){true, key, *entry};
    }
}

static bool twin_probe(twin *t, uint64_t key, uint8_t depth, hz_table_entry *entry) {
    const twin_slot *s = &t->slots[key % TWIN_SLOTS];
    bool hit = s->used && s->key == key && s->entry.depth == depth;
    t->counters.hits += hit;
    t->counters.misses += !hit;
    if (hit) {
        *entry = s->entry;
    }
    return hit;
}

static void random_operations_follow_the_rules(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    hz_table *table = table_of(TWIN_SLOTS);
    static twin t;
    t = (twin){0};
    size_t operations = test_effort(200000);
    for (size_t i = 0; i < operations; i++) {
        uint64_t key = hz_random_draw(&random, 24);
        if (hz_random_draw(&random, 4) == 0) {
            key |= (uint64_t)hz_random_draw(&random, UINT32_MAX) << 32;
        }
        uint8_t depth =
            (uint8_t)(hz_random_draw(&random, 8) ? 1 + hz_random_draw(&random, 3) : 255);
        hz_table_entry slow = {0}, fast = {0};
        if (hz_random_draw(&random, 2)) {
            static const int64_t values[] = {0, -1, INT64_MAX, INT64_MIN, -46656000000000};
            int64_t value = hz_random_draw(&random, 3)
                                ? (int64_t)hz_random_draw(&random, UINT32_MAX) - 2147483648
                                : values[hz_random_draw(&random, 5)];
            hz_table_entry entry = entry_of(value, (hz_bound)hz_random_draw(&random, 3), depth,
                                            hz_random_draw(&random, 2) == 0);
            hz_table_store(table, key, &entry);
            twin_store(&t, key, &entry);
        } else {
            bool hit = hz_table_probe(table, key, depth, &fast);
            assert_int_equal(hit, twin_probe(&t, key, depth, &slow));
            assert_int_equal(fast.value, slow.value);
            assert_int_equal(fast.bound, slow.bound);
            assert_int_equal(fast.depth, slow.depth);
            assert_int_equal(fast.loss_tainted, slow.loss_tainted);
        }
        if (hz_random_draw(&random, 5000) == 0) {
            hz_table_clear(table);
            t = (twin){0};
        } else if (hz_random_draw(&random, 5000) == 0) {
            hz_table_reset(table);
            t.counters = (hz_table_counters){0};
        }
        hz_table_counters c = hz_table_counters_get(table);
        assert_memory_equal(&c, &t.counters, sizeof c);
    }
    test_met(operations > 1000);
    hz_table_free(table);
}

/* ---- threads ---- */

/* What a key's entry is: all of it follows from key and version, so half of one and half of another
 * does not pass. */
static hz_table_entry made_up(uint64_t key, uint64_t version) {
    uint64_t value = hz_random_mix(key * 1000 + version);
    return entry_of((int64_t)value, (hz_bound)(value % 3), 1, value >> 60 & 1);
}

enum { SHARED_KEYS = 32, VERSIONS = 4, READERS = 3 };

typedef struct shared {
    hz_table *table;
    atomic_bool stop;
    atomic_size_t hits, torn;
    size_t writes;
    unsigned writers; /* 1, or several */
} shared;

static bool is_made_up(uint64_t key, const hz_table_entry *e) {
    for (uint64_t version = 0; version < VERSIONS; version++) {
        hz_table_entry m = made_up(key, version);
        if (e->value == m.value && e->bound == m.bound && e->depth == m.depth &&
            e->loss_tainted == m.loss_tainted) {
            return true;
        }
    }
    return false;
}

static void *read_on(void *context) {
    shared *s = context;
    uint64_t i = 0;
    do {
        hz_table_entry entry;
        uint64_t key = i++ % SHARED_KEYS;
        if (hz_table_probe(s->table, key, 1, &entry)) {
            atomic_fetch_add(&s->hits, 1);
            atomic_fetch_add(&s->torn, !is_made_up(key, &entry));
        }
    } while (!atomic_load(&s->stop));
    return NULL;
}

static void *write_on(void *context) {
    shared *s = context;
    hz_random random = hz_random_from_seed(s->writes);
    for (size_t i = 0; i < s->writes; i++) {
        /* Twice as many keys as slots: entries of one key and of its rival alternate. */
        uint64_t key = hz_random_draw(&random, SHARED_KEYS);
        hz_table_entry entry = made_up(key, hz_random_draw(&random, VERSIONS));
        hz_table_store(s->table, key, &entry);
    }
    return NULL;
}

static void run_threads(unsigned writers) {
    shared s = {.table = table_of(SHARED_KEYS / 2), .writes = test_effort(300000)};
    pthread_t readers[READERS], others[8];
    for (size_t i = 0; i < READERS; i++) {
        assert_int_equal(pthread_create(&readers[i], NULL, read_on, &s), 0);
    }
    for (unsigned i = 1; i < writers; i++) {
        assert_int_equal(pthread_create(&others[i], NULL, write_on, &s), 0);
    }
    (void)write_on(&s);
    for (unsigned i = 1; i < writers; i++) {
        (void)pthread_join(others[i], NULL);
    }
    atomic_store(&s.stop, true);
    for (size_t i = 0; i < READERS; i++) {
        (void)pthread_join(readers[i], NULL);
    }
    (void)read_on(&s); /* at the latest now something is found: the table is not empty */
    for (int i = 0; i < SHARED_KEYS; i++) {
        (void)read_on(&s);
    }
    assert_int_equal(atomic_load(&s.torn), 0);
    hz_table_counters c = hz_table_counters_get(s.table);
    assert_int_equal(c.stores, s.writes * writers);
    assert_int_equal(c.hits, atomic_load(&s.hits));
    hz_table_free(s.table);
}

static void readers_beside_a_writer_see_whole_entries(void **state) {
    (void)state;
    run_threads(1);
}

static void writers_beside_each_other_leave_whole_entries(void **state) {
    (void)state;
    run_threads(4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stated_operations_are_met),
        cmocka_unit_test(capacities_that_are_no_power_of_two_are_refused),
        cmocka_unit_test(fresh_table_knows_no_key_not_even_zero),
        cmocka_unit_test(random_operations_follow_the_rules),
        cmocka_unit_test(readers_beside_a_writer_see_whole_entries),
        cmocka_unit_test(writers_beside_each_other_leave_whole_entries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
