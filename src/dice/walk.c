/* SPDX-License-Identifier: MIT */
/* The walk over legal turns; see walk.h. */
#include "dice/walk.h"

#include "dice/generate.h"
#include "dice/maximum.h"

/* How many turns pass between two looks at the clock. */
enum { DEADLINE_MASK = 4095 };

static bool emit(hzi_walker *w, const hz_position *after, bool took_king) {
    w->turns++;
    w->king_turns += took_king;
    if (w->visit) {
        w->turn.took_king = took_king;
        if (!w->visit(w->context, &w->turn, after)) {
            w->status = HZ_INCOMPLETE;
            return false;
        }
    }
    if ((w->turns & DEADLINE_MASK) == 0 && hz_deadline_expired(w->deadline)) {
        w->status = HZ_CANCELLED;
        return false;
    }
    return true;
}

/* The last die, when turns are only counted: nothing has to be played. */
static void count_last(hzi_walker *w, const hz_position *p, const hz_move *moves, int count,
                       int used) {
    uint64_t kings = p->pieces[HZ_KING] & p->colors[p->side ^ 1u];
    uint64_t winning = 0;
    if (kings) {
        for (int i = 0; i < count; i++) {
            winning += (kings >> hz_move_to(moves[i])) & 1;
        }
    }
    w->nodes += (uint64_t)count;
    w->king_turns += winning;
    w->turns += used + 1 == w->need ? (uint64_t)count : winning;
}

static bool walk(hzi_walker *w, const hz_position *p, int used) {
    hz_move moves[HZ_MOVES_CAPACITY];
    unsigned us = p->side;
    int depth = w->turn.count;
    int count =
        hzi_generate(p, us, hzi_pool_types(p->pool), hzi_pool_pays_castling(p->pool), moves);
    if (count == 0) {
        /* A complete line: nothing left to play. At the root it is a pass, which is no turn. */
        return depth == 0 || depth < w->prefix.count || used < w->need || emit(w, p, false);
    }
    if (!w->visit && hz_pool_size(p->pool) == 1 && depth >= w->prefix.count) {
        count_last(w, p, moves, count, used);
        return true;
    }
    int from_seen = -1;
    hz_piece_type type = HZ_NO_PIECE;
    for (int i = 0; i < count; i++) {
        if (depth < w->prefix.count && moves[i] != w->prefix.moves[depth]) {
            continue;
        }
        if (hz_move_from(moves[i]) != from_seen) {
            from_seen = hz_move_from(moves[i]);
            type = hzi_type_on(p, from_seen);
        }
        hz_position child = *p;
        bool took_king = hzi_play_paid(&child, moves[i], type, us);
        int spent = used + 1 + hz_move_is_castling(moves[i]);
        w->nodes++;
        w->turn.moves[depth] = moves[i];
        w->turn.count = (uint8_t)(depth + 1);
        bool go_on = true;
        if (took_king || child.pool == 0) {
            if ((took_king || spent == w->need) && depth + 1 >= w->prefix.count) {
                go_on = emit(w, &child, took_king);
            }
        } else {
            go_on = walk(w, &child, spent);
        }
        w->turn.count = (uint8_t)depth;
        w->turn.moves[depth] = 0;
        if (!go_on) {
            return false;
        }
        if (depth == 0 && hz_deadline_expired(w->deadline)) {
            w->status = HZ_CANCELLED;
            return false;
        }
    }
    return true;
}

void hzi_walk(hzi_walker *walker, const hz_position *position) {
    walker->nodes = walker->turns = walker->king_turns = 0;
    walker->status = HZ_OK;
    walker->turn = (hz_turn){0};
    walker->need = hzi_max_dice(position);
    walk(walker, position, 0);
}
