/* SPDX-License-Identifier: MIT */
/*
 * Results: the legal turns grouped by the position they lead to.
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
    int size; /* dice of the roll */
    int need; /* dice a turn must spend */
    hz_status status;
    uint32_t *displaced; /* entries whose canonical turn was replaced; may name one twice */
    size_t displaced_count, displaced_capacity;
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

/* Gives an entry a canonical turn with fewer micro-moves. Its place in the list is mended at the
 * end. */
static bool displace(builder *b, hz_result *result) {
    if (b->displaced_count == b->displaced_capacity) {
        size_t capacity = b->displaced_capacity ? b->displaced_capacity * 2 : 16;
        uint32_t *grown =
            hz_arena_grow(b->arena, b->displaced, b->displaced_capacity * sizeof *grown,
                          capacity * sizeof *grown);
        if (!grown) {
            b->status = HZ_NO_MEMORY;
            return false;
        }
        b->displaced = grown;
        b->displaced_capacity = capacity;
    }
    b->displaced[b->displaced_count++] = (uint32_t)(result - b->list->results);
    result->turn = b->turn;
    return true;
}

/* Writes the board of a turn, handed over, into an entry. */
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
        hz_result *result = &b->list->results[b->winning - 1];
        result->after = *board;
        if (!displace(b, result)) {
            return false;
        }
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
                write_board(known, board);
                return displace(b, known);
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

/* ---- the last die ---- */

/*
 * The last micro-move of a turn is met without playing it: the key and every difference of the
 * boards follow from the squares. Most of these are duplicates, which then cost no copy at all.
 */
typedef struct last_piece {
    hz_position handed; /* the board before the micro-move, handed over as if it had been played */
    const uint64_t *numbers; /* Zobrist numbers of the piece by square */
    uint64_t key;            /* of `handed` without the piece */
    uint64_t from;           /* bit */
    hz_piece_type type;
    unsigned us;
} last_piece;

/* Whether an entry holds the board after the piece moved to `to`. */
static bool is_after(const last_piece *piece, uint64_t to, uint64_t taken, hz_piece_type captured,
                     const hz_position *after) {
    const hz_position *handed = &piece->handed;
    unsigned us = piece->us;
    uint64_t changed[HZ_PIECE_TYPES];
    for (unsigned i = 0; i < HZ_PIECE_TYPES; i++) {
        changed[i] = after->pieces[i] ^ handed->pieces[i];
    }
    changed[piece->type] ^= piece->from | to;
    changed[captured] ^= taken;
    uint64_t difference = (after->colors[us] ^ handed->colors[us] ^ (piece->from | to)) |
                          (after->colors[us ^ 1] ^ handed->colors[us ^ 1] ^ taken) |
                          (after->targets ^ handed->targets) |
                          (uint64_t)(after->rights ^ handed->rights);
    for (unsigned i = 0; i < HZ_PIECE_TYPES; i++) {
        difference |= changed[i];
    }
    return difference == 0;
}

/* A plain last micro-move: the piece keeps its type, rights and targets stay, no king is taken. */
static bool meet_plain(builder *b, const last_piece *piece, int to_square) {
    const table *t = &b->results;
    const hz_position *handed = &piece->handed;
    uint64_t to = hzi_bit(to_square), taken = 0;
    hz_piece_type captured = HZ_PAWN;
    uint64_t key = piece->key ^ piece->numbers[to_square];
    if (handed->colors[piece->us ^ 1] & to) {
        captured = hzi_type_on(handed, to_square);
        taken = to;
        key ^= hzi_zobrist.piece[piece->us ^ 1][captured][to_square];
    }
    uint8_t halfmove = handed->halfmove;
    if (taken || piece->type == HZ_PAWN) {
        halfmove = 0;
    } else if (halfmove < 127) {
        halfmove++;
    }
    b->list->sequences++;
    for (size_t slot = key & (t->slot_count - 1); t->slot_count && t->slots[slot];
         slot = (slot + 1) & (t->slot_count - 1)) {
        hz_result *known = &b->list->results[t->slots[slot] - 1];
        if (known->after.key == key && is_after(piece, to, taken, captured, &known->after)) {
            if (b->turn.count < known->turn.count) {
                known->after.halfmove = halfmove;
                return displace(b, known);
            }
            return true;
        }
    }
    hz_result *result = append(b);
    if (!result) {
        return false;
    }
    hz_position *after = &result->after;
    *after = *handed;
    after->pieces[piece->type] ^= piece->from | to;
    after->pieces[captured] ^= taken;
    after->colors[piece->us] ^= piece->from | to;
    after->colors[piece->us ^ 1] ^= taken;
    after->key = key;
    after->halfmove = halfmove;
    b->results.slots[free_slot(t, key)] = (uint32_t)t->count;
    return true;
}

/* Any last micro-move, played on a copy. */
static bool meet_played(builder *b, const hz_position *p, hz_move move, hz_piece_type type) {
    hz_position child = *p;
    if (hzi_play_paid(&child, move, type, p->side)) {
        return meet_win(b, &child);
    }
    return meet_quiet(b, &child);
}

/* Squares a piece of this type may not enter, or leave, in a plain way. */
static uint64_t not_plain(const hz_position *p, hz_piece_type type) {
    uint64_t squares = p->pieces[HZ_KING] & p->colors[p->side ^ 1u];
    if (p->rights) {
        squares |= HZI_CORNERS & p->pieces[HZ_ROOK];
        squares |= type == HZ_KING ? p->pieces[HZ_KING] : 0;
    }
    return squares;
}

static bool last_die_pawns(builder *b, const hz_position *p, last_piece *piece) {
    hz_move moves[HZ_MOVES_CAPACITY];
    int depth = b->turn.count - 1;
    int count = hzi_generate(p, piece->us, 1u << HZ_PAWN, false, moves);
    uint64_t special = not_plain(p, HZ_PAWN);
    /* A pawn that leaves its double-step square takes its own target with it. */
    special |= p->targets ? (piece->us ? HZI_RANK(5) : HZI_RANK(4)) & p->pieces[HZ_PAWN] : 0;
    bool good = true;
    for (int i = 0; i < count && good; i++) {
        unsigned flags = hz_move_flags(moves[i]);
        int from = hz_move_from(moves[i]), to = hz_move_to(moves[i]);
        b->turn.moves[depth] = moves[i];
        if ((flags == HZ_MOVE_QUIET || flags == HZ_MOVE_CAPTURE) &&
            !((hzi_bit(from) | hzi_bit(to)) & special)) {
            piece->from = hzi_bit(from);
            piece->key = piece->handed.key ^ piece->numbers[from];
            good = meet_plain(b, piece, to);
        } else {
            good = meet_played(b, p, moves[i], HZ_PAWN);
        }
    }
    return good;
}

static bool last_die_pieces(builder *b, const hz_position *p, last_piece *piece) {
    int depth = b->turn.count - 1;
    hz_piece_type type = piece->type;
    uint64_t special = not_plain(p, type), enemy = p->colors[piece->us ^ 1];
    uint64_t movers = hzi_transpose(p->pieces[type] & p->colors[piece->us]);
    bool good = true;
    while (movers && good) {
        int from = hzi_transpose_square(hzi_pop(&movers));
        uint64_t to_set = hzi_transpose(hzi_destinations(p, piece->us, type, from));
        uint64_t bad = special & hzi_bit(from) ? ~(uint64_t)0 : special;
        piece->from = hzi_bit(from);
        piece->key = piece->handed.key ^ piece->numbers[from];
        while (to_set && good) {
            int to = hzi_transpose_square(hzi_pop(&to_set));
            hz_move move = hz_move_make(
                from, to, (enemy >> to) & 1 ? HZ_MOVE_CAPTURE : (unsigned)HZ_MOVE_QUIET);
            b->turn.moves[depth] = move;
            good = bad & hzi_bit(to) ? meet_played(b, p, move, type) : meet_plain(b, piece, to);
        }
    }
    return good;
}

/* All turns that spend the last die of a roll whose dice can all be spent. */
static bool expand_last(builder *b, const hz_position *p) {
    unsigned us = p->side;
    hz_piece_type type = (hz_piece_type)(hzi_lsb(p->pool) / 2);
    last_piece piece = {
        .handed = *p, .numbers = hzi_zobrist.piece[us][type], .type = type, .us = us};
    hzi_hand_over(&piece.handed);
    b->turn.count++;
    bool good = type == HZ_PAWN ? last_die_pawns(b, p, &piece) : last_die_pieces(b, p, &piece);
    b->turn.count--;
    b->turn.moves[b->turn.count] = 0;
    return good;
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
    if (used + 1 == b->size && b->need == b->size) {
        return expand_last(b, p);
    }
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
    for (int i = 0; i < count && good; i++) {
        if (hz_move_from(moves[i]) != from_seen) {
            from_seen = hz_move_from(moves[i]);
            type = hzi_type_on(p, from_seen);
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

/* ---- order ---- */

static int by_number(const void *a, const void *b) {
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

static int by_text(const void *a, const void *b) {
    uint64_t left = hz_turn_text_order(&((const hz_result *)a)->turn);
    uint64_t right = hz_turn_text_order(&((const hz_result *)b)->turn);
    return (left > right) - (left < right);
}

/* Puts the displaced entries, few, where their new turns belong: takes them out, closes the gaps,
 * merges from the end. */
static bool mend_order(builder *b) {
    hz_result *results = b->list->results;
    size_t count = b->results.count, taken = 0, kept = 0;
    qsort(b->displaced, b->displaced_count, sizeof *b->displaced, by_number);
    hz_result *moved = hz_arena_alloc(b->arena, b->displaced_count * sizeof *moved);
    if (!moved) {
        b->status = HZ_NO_MEMORY;
        return false;
    }
    kept = b->displaced[0];
    for (size_t i = kept, d = 0; i < count; i++) {
        if (d < b->displaced_count && b->displaced[d] == i) {
            moved[taken++] = results[i];
            while (d < b->displaced_count && b->displaced[d] == i) {
                d++;
            }
        } else {
            results[kept++] = results[i];
        }
    }
    qsort(moved, taken, sizeof *moved, by_text);
    for (size_t end = count; taken > 0; end--) {
        if (kept > 0 && by_text(&results[kept - 1], &moved[taken - 1]) > 0) {
            results[end - 1] = results[--kept];
        } else {
            results[end - 1] = moved[--taken];
        }
    }
    return true;
}

hz_status hz_results_list(const hz_position *position, const hz_deadline *deadline, hz_arena *arena,
                          hz_result_list *list, hz_error *err) {
    *list = (hz_result_list){.winning = -1};
    builder b = {.arena = arena,
                 .list = list,
                 .deadline = deadline,
                 .size = (int)hz_pool_size(position->pool),
                 .need = hzi_max_dice(position)};
    if (!expand(&b, position, 0) || (b.displaced_count > 0 && !mend_order(&b))) {
        *list = (hz_result_list){.winning = -1};
        return b.status == HZ_NO_MEMORY
                   ? hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for the results of a roll")
                   : hz_fail(err, HZ_CANCELLED, HZ_NO_OFFSET,
                             "stopped while the results were listed");
    }
    list->count = b.results.count;
    list->winning = (ptrdiff_t)b.winning - 1;
    for (size_t i = 0; b.displaced_count > 0 && b.winning && i < list->count; i++) {
        if (list->results[i].turn.took_king) {
            list->winning = (ptrdiff_t)i;
        }
    }
    return HZ_OK;
}
