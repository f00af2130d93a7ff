/* SPDX-License-Identifier: MIT */
/*
 * Results: the legal turns grouped by the position they lead to (search spec 1.2).
 *
 * An open-addressing table leads from a board's key to an entry of the list; an equal key is
 * confirmed on the boards. Turns are met in text order, so the list stays sorted unless a later
 * turn with fewer micro-moves becomes an entry's canonical one; only then it is sorted again.
 *
 * Most sequences are reorderings of one another. So boards with one die left are remembered with
 * what was counted below them: when a second order leads to the same board and die, everything
 * below was met before, in turns of the same length and smaller text, and only the counts are
 * added. This halves the work; it is why this file walks by itself instead of through walk.h.
 */
#include <hazard/dice.h>

#include "dice/generate.h"
#include "dice/identity.h"
#include "dice/maximum.h"

#include <stdlib.h>
#include <string.h>

/* A growing array in the arena with a hash table of indices beside it. */
typedef struct table {
    size_t count;
    size_t capacity;
    uint32_t *slots;   /* index + 1, 0 = free */
    size_t slot_count; /* power of two, twice the capacity */
} table;

/* A board with one die left, and the turns below it. */
typedef struct seen_board {
    hz_position board;
    uint32_t turns;
    uint8_t depth; /* micro-moves played to reach it */
} seen_board;

typedef struct builder {
    hz_arena *arena;
    hz_result_list *list;
    table results;
    table seen;
    seen_board *seen_boards;
    const hz_deadline *deadline;
    hz_turn turn;
    int need;
    hz_status status;
    bool unsorted;
    size_t winning; /* index + 1 of the winning class */
} builder;

/* Holds nearly every roll of a middle game without growing. */
enum { FIRST_CAPACITY = 1024 };

/* Makes room for one more entry; the slots are given back empty when they were replaced. */
static bool reserve(builder *b, table *t, void **entries, size_t entry_size, bool *rehash) {
    *rehash = false;
    if (t->count < t->capacity) {
        return true;
    }
    size_t capacity = t->capacity ? t->capacity * 2 : FIRST_CAPACITY;
    void *grown = NULL;
    uint32_t *slots = NULL;
    if (capacity < UINT32_MAX / 4) {
        grown = hz_arena_grow(b->arena, *entries, t->capacity * entry_size, capacity * entry_size);
        slots = grown ? hz_arena_alloc(b->arena, capacity * 2 * sizeof *slots) : NULL;
    }
    if (!slots) {
        b->status = HZ_NO_MEMORY;
        return false;
    }
    memset(slots, 0, capacity * 2 * sizeof *slots);
    *entries = grown;
    t->capacity = capacity;
    t->slots = slots;
    t->slot_count = capacity * 2;
    *rehash = true;
    return true;
}

static size_t free_slot(const table *t, uint64_t key) {
    size_t slot = key & (t->slot_count - 1);
    while (t->slots[slot]) {
        slot = (slot + 1) & (t->slot_count - 1);
    }
    return slot;
}

/* ---- entries of the list ---- */

/* Appends an entry; its board is still to be written. NULL without memory. */
static hz_result *append(builder *b) {
    void *entries = b->list->results;
    bool rehash;
    if (!reserve(b, &b->results, &entries, sizeof(hz_result), &rehash)) {
        return NULL;
    }
    b->list->results = entries;
    for (size_t i = 0; rehash && i < b->results.count; i++) {
        if (i + 1 != b->winning) {
            uint64_t other = b->list->results[i].after.key;
            b->results.slots[free_slot(&b->results, other)] = (uint32_t)(i + 1);
        }
    }
    hz_result *result = &b->list->results[b->results.count++];
    result->turn = b->turn;
    return result;
}

/* Counts the turn and writes its board over an entry. */
static void write_board(hz_result *result, const hz_position *board) {
    result->after = *board;
    hzi_hand_over(&result->after);
}

static bool meet_win(builder *b, const hz_position *board) {
    b->list->sequences++;
    b->turn.took_king = 1;
    if (!b->winning) {
        hz_result *result = append(b);
        if (!result) {
            return false;
        }
        result->after = *board;
        b->winning = b->results.count;
    } else if (b->turn.count < b->list->results[b->winning - 1].turn.count) {
        b->list->results[b->winning - 1] = (hz_result){b->turn, *board};
        b->unsorted = true;
    }
    b->turn.took_king = 0;
    return true;
}

static bool meet_quiet(builder *b, const hz_position *board) {
    const table *t = &b->results;
    uint64_t key = hzi_result_key(board);
    b->list->sequences++;
    for (size_t slot = key & (t->slot_count - 1); t->slot_count && t->slots[slot];
         slot = (slot + 1) & (t->slot_count - 1)) {
        hz_result *known = &b->list->results[t->slots[slot] - 1];
        if (known->after.key == key && hzi_result_is(board, &known->after)) {
            if (b->turn.count < known->turn.count) {
                known->turn = b->turn;
                write_board(known, board);
                b->unsorted = true;
            }
            return true;
        }
    }
    hz_result *result = append(b);
    if (!result) {
        return false;
    }
    write_board(result, board);
    b->results.slots[free_slot(t, key)] = (uint32_t)t->count;
    return true;
}

/*
 * The last micro-move of a piece, met without playing it: the key and every difference of the
 * boards follow from the squares. Most of these are duplicates, which then cost no copy at all.
 */
typedef struct last_move {
    const hz_position *before; /* one die left */
    uint64_t key;              /* of `before` after hand-over */
    uint64_t targets;          /* of `before` after hand-over */
} last_move;

static bool meet_last(builder *b, const last_move *last, hz_move move, hz_piece_type type) {
    const hz_position *p = last->before;
    const table *t = &b->results;
    unsigned us = p->side;
    int from = hz_move_from(move), to = hz_move_to(move);
    uint64_t both = hzi_bit(from) | hzi_bit(to), taken = 0;
    hz_piece_type captured = HZ_PAWN;
    uint64_t key = last->key ^ hzi_zobrist.piece[us][type][from] ^ hzi_zobrist.piece[us][type][to];
    if (hz_move_flags(move) & HZ_MOVE_CAPTURE) {
        captured = hzi_type_on(p, to);
        taken = hzi_bit(to);
        key ^= hzi_zobrist.piece[us ^ 1][captured][to];
    }
    b->list->sequences++;
    for (size_t slot = key & (t->slot_count - 1); t->slot_count && t->slots[slot];
         slot = (slot + 1) & (t->slot_count - 1)) {
        const hz_position *known = &b->list->results[t->slots[slot] - 1].after;
        if (known->key != key) {
            continue;
        }
        uint64_t changed[HZ_PIECE_TYPES];
        for (unsigned i = 0; i < HZ_PIECE_TYPES; i++) {
            changed[i] = known->pieces[i] ^ p->pieces[i];
        }
        changed[type] ^= both;
        changed[captured] ^= taken;
        uint64_t difference = (known->colors[us] ^ p->colors[us] ^ both) |
                              (known->colors[us ^ 1] ^ p->colors[us ^ 1] ^ taken) |
                              (known->targets ^ last->targets) |
                              (uint64_t)(known->rights ^ p->rights);
        for (unsigned i = 0; i < HZ_PIECE_TYPES; i++) {
            difference |= changed[i];
        }
        if (!difference && b->list->results[t->slots[slot] - 1].turn.count <= b->turn.count) {
            return true;
        }
        if (!difference) {
            b->list->sequences--; /* a shorter order of the same: the general way replaces it */
            hz_position board = *p;
            hzi_play_paid(&board, move, type, us);
            return meet_quiet(b, &board);
        }
    }
    hz_result *result = append(b);
    if (!result) {
        return false;
    }
    result->after = *p;
    hzi_play_paid(&result->after, move, type, us);
    hzi_hand_over(&result->after);
    b->results.slots[free_slot(t, key)] = (uint32_t)t->count;
    return true;
}

/* Whether meet_last may be asked: the move changes neither rights nor targets nor takes a king. */
static bool is_plain(const hz_position *p, hz_move move, hz_piece_type type) {
    uint64_t to = hzi_bit(hz_move_to(move));
    if (type == HZ_PAWN || (p->pieces[HZ_KING] & to)) {
        return false;
    }
    if (!p->rights) {
        return true;
    }
    uint64_t corners = (hzi_bit(hz_move_from(move)) | to) & HZI_CORNERS;
    return type != HZ_KING && !(corners & p->pieces[HZ_ROOK]);
}

/* ---- boards with one die left ---- */

/* The entry of a board met before (then *again = true) or a new one; NULL without memory. */
static seen_board *see(builder *b, const hz_position *board, bool *again) {
    table *t = &b->seen;
    *again = false;
    for (size_t slot = board->key & (t->slot_count - 1); t->slot_count && t->slots[slot];
         slot = (slot + 1) & (t->slot_count - 1)) {
        seen_board *known = &b->seen_boards[t->slots[slot] - 1];
        if (known->board.key == board->key && known->board.pool == board->pool &&
            known->depth <= b->turn.count && hz_position_same_board(&known->board, board)) {
            *again = true;
            return known;
        }
    }
    void *entries = b->seen_boards;
    bool rehash;
    if (!reserve(b, t, &entries, sizeof(seen_board), &rehash)) {
        return NULL;
    }
    b->seen_boards = entries;
    for (size_t i = 0; rehash && i < t->count; i++) {
        t->slots[free_slot(t, b->seen_boards[i].board.key)] = (uint32_t)(i + 1);
    }
    seen_board *fresh = &b->seen_boards[t->count++];
    *fresh = (seen_board){.board = *board, .depth = b->turn.count};
    t->slots[free_slot(t, board->key)] = (uint32_t)t->count;
    return fresh;
}

/* ---- the walk ---- */

static bool expand(builder *b, const hz_position *p, int used);

static bool expand_once(builder *b, const hz_position *board, int used) {
    bool again;
    seen_board *entry = see(b, board, &again);
    if (!entry) {
        return false;
    }
    if (again) {
        b->list->sequences += entry->turns;
        return true;
    }
    size_t index = (size_t)(entry - b->seen_boards), before = b->list->sequences;
    if (!expand(b, board, used)) {
        return false;
    }
    /* Nothing below a board with one die left adds boards of that kind, so the index still holds.
     */
    b->seen_boards[index].turns = (uint32_t)(b->list->sequences - before);
    return true;
}

static bool expand(builder *b, const hz_position *p, int used) {
    hz_move moves[HZ_MOVES_CAPACITY];
    unsigned us = p->side;
    int depth = b->turn.count;
    int count =
        hzi_generate(p, us, hzi_pool_types(p->pool), hzi_pool_pays_castling(p->pool), moves);
    if (count == 0) {
        return depth == 0 || used < b->need || meet_quiet(b, p);
    }
    int from_seen = -1;
    hz_piece_type type = HZ_NO_PIECE;
    bool good = true;
    bool last_die = hz_pool_size(p->pool) == 1;
    last_move last = {.before = p};
    if (last_die) {
        last.key = hzi_result_key(p);
        last.targets = p->targets & ~hzi_lapsing_targets(us);
    }
    for (int i = 0; i < count && good; i++) {
        if (hz_move_from(moves[i]) != from_seen) {
            from_seen = hz_move_from(moves[i]);
            type = hzi_type_on(p, from_seen);
        }
        if (last_die && used + 1 == b->need && is_plain(p, moves[i], type)) {
            b->turn.moves[depth] = moves[i];
            b->turn.count = (uint8_t)(depth + 1);
            good = meet_last(b, &last, moves[i], type);
            b->turn.moves[depth] = 0;
            continue;
        }
        hz_position child = *p;
        bool took_king = hzi_play_paid(&child, moves[i], type, us);
        int spent = used + 1 + hz_move_is_castling(moves[i]);
        b->turn.moves[depth] = moves[i];
        b->turn.count = (uint8_t)(depth + 1);
        if (took_king) {
            good = meet_win(b, &child);
        } else if (child.pool == 0) {
            good = spent != b->need || meet_quiet(b, &child);
        } else if (depth > 0) {
            good = expand_once(b, &child, spent);
        } else {
            good = expand(b, &child, spent);
            if (good && hz_deadline_expired(b->deadline)) {
                b->status = HZ_CANCELLED;
                good = false;
            }
        }
        b->turn.moves[depth] = 0;
    }
    b->turn.count = (uint8_t)depth;
    return good;
}

static int by_text(const void *a, const void *b) {
    uint64_t left = hz_turn_text_order(&((const hz_result *)a)->turn);
    uint64_t right = hz_turn_text_order(&((const hz_result *)b)->turn);
    return (left > right) - (left < right);
}

hz_status hz_results_list(const hz_position *position, const hz_deadline *deadline, hz_arena *arena,
                          hz_result_list *list, hz_error *err) {
    *list = (hz_result_list){.winning = -1};
    builder b = {
        .arena = arena, .list = list, .deadline = deadline, .need = hzi_max_dice(position)};
    if (!expand(&b, position, 0)) {
        *list = (hz_result_list){.winning = -1};
        return b.status == HZ_NO_MEMORY
                   ? hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for the results of a roll")
                   : hz_fail(err, HZ_CANCELLED, HZ_NO_OFFSET,
                             "stopped while the results were listed");
    }
    list->count = b.results.count;
    list->winning = (ptrdiff_t)b.winning - 1;
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
