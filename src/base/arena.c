/* SPDX-License-Identifier: MIT */
/*
 * Arena memory: a chain of blocks, each at least twice the one before, served front to back.
 * Resetting keeps the blocks, so that a search which repeats the same work stops asking the system.
 */
#include <hazard/base.h>

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 16, FIRST_BLOCK = 16 * 1024, LARGEST_STEP = 4 * 1024 * 1024 };

struct hz_arena_block {
    hz_arena_block *next;
    size_t size; /* bytes of data */
    size_t used;
    size_t latest; /* offset of the latest piece */
    alignas(ALIGNMENT) unsigned char data[];
};

static size_t round_up(size_t size) {
    return (size + (ALIGNMENT - 1)) & ~(size_t)(ALIGNMENT - 1);
}

void hz_arena_init(hz_arena *arena, size_t limit) {
    *arena = (hz_arena){.limit = limit};
}

/* A block with room for `size`, put behind the current one. */
static hz_arena_block *add_block(hz_arena *arena, size_t size) {
    size_t want = arena->current ? arena->current->size * 2 : FIRST_BLOCK;
    if (want > LARGEST_STEP) {
        want = LARGEST_STEP;
    }
    if (want < size) {
        want = size;
    }
    if (arena->limit) {
        size_t left = arena->limit > arena->held ? arena->limit - arena->held : 0;
        if (left < sizeof(hz_arena_block) || left - sizeof(hz_arena_block) < size) {
            return NULL;
        }
        if (want > left - sizeof(hz_arena_block)) {
            want = left - sizeof(hz_arena_block);
        }
    }
    if (want > SIZE_MAX - sizeof(hz_arena_block)) {
        return NULL;
    }
    hz_arena_block *block = malloc(sizeof *block + want);
    if (!block) {
        return NULL;
    }
    block->size = want;
    block->used = 0;
    block->latest = 0;
    if (arena->current) {
        block->next = arena->current->next;
        arena->current->next = block;
    } else {
        block->next = arena->first;
        arena->first = block;
    }
    arena->held += sizeof *block + want;
    return block;
}

void *hz_arena_alloc(hz_arena *arena, size_t size) {
    if (size > SIZE_MAX - ALIGNMENT) {
        return NULL;
    }
    size = round_up(size ? size : 1);
    hz_arena_block *block = arena->current ? arena->current : arena->first;
    while (block && block->size - block->used < size) {
        block = block->next; /* blocks kept by a reset may be too small for this piece */
        if (block) {
            arena->current = block;
        }
    }
    if (!block) {
        block = add_block(arena, size);
        if (!block) {
            return NULL;
        }
    }
    arena->current = block;
    block->latest = block->used;
    block->used += size;
    return block->data + block->latest;
}

void *hz_arena_grow(hz_arena *arena, void *old, size_t old_size, size_t new_size) {
    hz_arena_block *block = arena->current;
    if (old && block && (unsigned char *)old == block->data + block->latest &&
        block->used > block->latest && new_size <= block->size - block->latest) {
        block->used = block->latest + round_up(new_size ? new_size : 1);
        if (block->used > block->size) {
            block->used = block->size;
        }
        return old;
    }
    void *moved = hz_arena_alloc(arena, new_size);
    if (moved && old && old_size) {
        memcpy(moved, old, old_size < new_size ? old_size : new_size);
    }
    return moved;
}

void hz_arena_reset(hz_arena *arena) {
    for (hz_arena_block *block = arena->first; block; block = block->next) {
        block->used = 0;
        block->latest = 0;
    }
    arena->current = arena->first;
}

void hz_arena_fini(hz_arena *arena) {
    if (!arena) {
        return;
    }
    hz_arena_block *block = arena->first;
    while (block) {
        hz_arena_block *next = block->next;
        free(block);
        block = next;
    }
    *arena = (hz_arena){.limit = arena->limit};
}
