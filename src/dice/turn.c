/* SPDX-License-Identifier: MIT */
/* Whole turns: text, streaming, lists, legality, what may follow what was played. */
#include <hazard/dice.h>

#include "dice/generate.h"
#include "dice/walk.h"

#include <string.h>

size_t hz_turn_to_text(const hz_turn *turn, char buffer[HZ_TURN_CAPACITY]) {
    size_t length = 0;
    for (int i = 0; i < turn->count; i++) {
        if (i) {
            buffer[length++] = ',';
        }
        length += hz_move_to_text(turn->moves[i], buffer + length);
    }
    if (length == 0) {
        buffer[length++] = '-';
    }
    buffer[length] = '\0';
    return length;
}

uint64_t hz_turn_text_order(const hz_turn *turn) {
    /* 15 bits and a presence bit per micro-move; a missing one sorts first, as a shorter text does.
     */
    uint64_t order = 0;
    for (int i = 0; i < 3; i++) {
        uint64_t part = i < turn->count ? hz_move_text_order(turn->moves[i]) | 0x8000u : 0;
        order = order << 16 | part;
    }
    return order;
}

hz_status hz_turns_visit(const hz_position *position, const hz_turn *played,
                         const hz_deadline *deadline, hz_turn_visit visit, void *context) {
    hzi_walker walker = {.visit = visit, .context = context, .deadline = deadline};
    if (played) {
        walker.prefix = *played;
    }
    hzi_walk(&walker, position);
    return walker.status;
}

uint64_t hz_turns_perft(const hz_position *position, uint64_t *nodes) {
    hzi_walker walker = {0};
    hzi_walk(&walker, position);
    if (nodes) {
        *nodes = walker.nodes;
    }
    return walker.turns;
}

/* ---- lists ---- */

typedef struct collector {
    hz_arena *arena;
    hz_turn_list *list;
    size_t capacity;
    size_t limit;
    bool out_of_memory;
} collector;

static bool collect(void *context, const hz_turn *turn, const hz_position *after) {
    collector *c = context;
    (void)after;
    if (c->limit && c->list->count == c->limit) {
        return false;
    }
    if (c->list->count == c->capacity) {
        size_t grown = c->capacity ? c->capacity * 2 : 256;
        hz_turn *turns = hz_arena_grow(c->arena, c->list->turns, c->capacity * sizeof *turns,
                                       grown * sizeof *turns);
        if (!turns) {
            c->out_of_memory = true;
            return false;
        }
        c->list->turns = turns;
        c->capacity = grown;
    }
    c->list->turns[c->list->count++] = *turn;
    return true;
}

hz_status hz_turns_list(const hz_position *position, size_t limit, hz_arena *arena,
                        hz_turn_list *list, hz_error *err) {
    *list = (hz_turn_list){0};
    collector c = {.arena = arena, .list = list, .limit = limit};
    hz_status status = hz_turns_visit(position, NULL, NULL, collect, &c);
    if (c.out_of_memory) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for more than %zu turns",
                       list->count);
    }
    if (status == HZ_INCOMPLETE) {
        return hz_fail(err, HZ_INCOMPLETE, HZ_NO_OFFSET, "more than %zu legal turns", limit);
    }
    return status;
}

/* ---- text in ---- */

hz_status hz_turn_parse(const hz_position *position, const char *text, size_t length, hz_turn *turn,
                        hz_position *after, hz_error *err) {
    hz_position board = *position;
    hz_turn read = {0};
    size_t start = 0;
    bool pass = length == 1 && text[0] == '-';
    while (!pass && start <= length) {
        const char *comma = start < length ? memchr(text + start, ',', length - start) : NULL;
        size_t end = comma ? (size_t)(comma - text) : length;
        hz_move move;
        bool took_king = false;
        hz_error reason;
        hz_error_clear(&reason);
        if (read.count == 3) {
            return hz_fail(err, HZ_NOT_LEGAL, start, "a turn has at most three micro-moves");
        }
        if (read.took_king) {
            return hz_fail(err, HZ_NOT_LEGAL, start, "the king is taken, the turn is over");
        }
        hz_status status = hz_move_from_text(&board, text + start, end - start, &move, &reason);
        if (status == HZ_OK && position->pool && !board.pool) {
            status = hz_fail(&reason, HZ_NO_DIE, HZ_NO_OFFSET, "all dice are spent");
        }
        if (status == HZ_OK) {
            status = hz_move_apply(&board, move, &took_king, &reason);
        }
        if (status != HZ_OK) {
            size_t place = reason.offset == HZ_NO_OFFSET ? start : start + reason.offset;
            return hz_fail(err, status, place, "%s", reason.message);
        }
        read.moves[read.count++] = move;
        read.took_king = took_king;
        start = end + 1;
    }
    *turn = read;
    if (after) {
        *after = board;
    }
    return HZ_OK;
}

static bool same_moves(const hz_turn *a, const hz_turn *b) {
    return a->count == b->count && memcmp(a->moves, b->moves, sizeof a->moves) == 0;
}

static bool is_exactly(void *context, const hz_turn *turn, const hz_position *after) {
    (void)after;
    return !same_moves(context, turn);
}

static bool stop_at_once(void *context, const hz_turn *turn, const hz_position *after) {
    (void)context, (void)turn, (void)after;
    return false;
}

bool hz_turn_is_legal(const hz_position *position, const hz_turn *turn) {
    if (turn->count == 0) {
        return hz_turns_visit(position, NULL, NULL, stop_at_once, NULL) == HZ_OK;
    }
    hz_turn wanted = *turn;
    return hz_turns_visit(position, turn, NULL, is_exactly, &wanted) == HZ_INCOMPLETE;
}

hz_status hz_turn_from_text(const hz_position *position, const char *text, size_t length,
                            hz_turn *turn, hz_position *after, hz_error *err) {
    hz_turn read = {0};
    hz_position board = *position;
    hz_error inner;
    hz_error_clear(&inner);
    hz_status status = hz_turn_parse(position, text, length, &read, &board, &inner);
    if (status != HZ_OK) {
        return hz_fail(err, HZ_NOT_LEGAL, inner.offset, "not a legal turn: %s", inner.message);
    }
    if (!hz_turn_is_legal(position, &read)) {
        return hz_fail(err, HZ_NOT_LEGAL, 0,
                       read.count ? "%.*s does not spend as many dice as possible"
                                  : "%.*s passes although a legal turn exists",
                       (int)length, text);
    }
    *turn = read;
    if (after) {
        *after = board;
    }
    return HZ_OK;
}

/* ---- what may follow ---- */

typedef struct follower {
    int depth;          /* micro-moves played */
    hz_move_list *list; /* next micro-moves, in order */
    hz_pool best;       /* per type, the most dice spent after them */
    hz_pool before;     /* pool after what was played */
    bool any;
} follower;

static bool follow(void *context, const hz_turn *turn, const hz_position *after) {
    follower *f = context;
    f->any = true;
    if (f->list && turn->count > f->depth) {
        hz_move next = turn->moves[f->depth];
        if (f->list->count == 0 || f->list->moves[f->list->count - 1] != next) {
            f->list->moves[f->list->count++] = next;
        }
    }
    for (unsigned t = 0; t < HZ_PIECE_TYPES; t++) {
        unsigned spent = hz_pool_count(f->before, (hz_piece_type)t) -
                         hz_pool_count(after->pool, (hz_piece_type)t);
        unsigned best = hz_pool_count(f->best, (hz_piece_type)t);
        if (spent > best) {
            f->best = (hz_pool)(f->best + ((spent - best) << (2 * t)));
        }
    }
    return true;
}

/* Walks the turns that begin with `played`. */
static hz_status follow_all(const hz_position *root, const hz_turn *played, follower *f,
                            hz_error *err) {
    hz_position board = *root;
    f->depth = played ? played->count : 0;
    for (int i = 0; i < f->depth; i++) {
        hz_move_list playable;
        bool found = false;
        hz_moves_playable(&board, &playable);
        for (int m = 0; m < playable.count && !found; m++) {
            found = playable.moves[m] == played->moves[i];
        }
        if (!found) {
            return hz_fail(err, HZ_NO_SUCH_TURN, HZ_NO_OFFSET, "no legal turn begins like this");
        }
        hzi_play_paid(&board, played->moves[i], hzi_type_on(&board, hz_move_from(played->moves[i])),
                      board.side);
    }
    f->before = board.pool;
    hz_turns_visit(root, played, NULL, follow, f);
    if (!f->any && f->depth > 0) {
        return hz_fail(err, HZ_NO_SUCH_TURN, HZ_NO_OFFSET, "no legal turn begins like this");
    }
    return HZ_OK;
}

hz_status hz_turn_continuations(const hz_position *root, const hz_turn *played, hz_move_list *list,
                                hz_error *err) {
    list->count = 0;
    follower f = {.list = list};
    return follow_all(root, played, &f, err);
}

hz_status hz_turn_playable_dice(const hz_position *root, const hz_turn *played, hz_pool *pool,
                                hz_error *err) {
    follower f = {0};
    hz_status status = follow_all(root, played, &f, err);
    *pool = status == HZ_OK ? f.best : 0;
    return status;
}
