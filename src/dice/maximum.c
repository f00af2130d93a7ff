/* SPDX-License-Identifier: MIT */
/*
 * The most dice a complete line can spend. Lines are tried until one spends every die that can be
 * spent at all. Which dice cannot is told from the board alone, before any line is tried: a type
 * without a micro-move gets one only when a square beside its pieces (before its pawns) becomes
 * free, or when a pawn becomes such a piece; what stands there leaves only by a micro-move of its
 * own type. So the types that may move in this turn are those that can move now, and those that
 * wait for one of them. All others are dead dice. Of the rest it is most often plain that all can be
 * spent, because the pieces have enough squares to go to; lines are tried only when it is not.
 */
#include "dice/maximum.h"

#include "dice/generate.h"

/* Ranks from which pawns of a side promote within `steps` micro-moves, 1 to 3. */
static uint64_t near_promotion(unsigned us, unsigned steps) {
    return us ? ~(uint64_t)0 >> (8 * (7 - steps)) : ~(uint64_t)0 << (8 * (7 - steps));
}

/* Whether a type that cannot move now may get a micro-move when pieces of the types `moving` move.
 * True where a closer look would be needed: a pawn behind an enemy piece, which may be taken by
 * somebody who leaves again; a target that is not in force and may come into force. */
static bool waits_for(const hz_position *p, unsigned us, unsigned type, unsigned moving) {
    uint64_t own = p->colors[us], leaving = 0;
    for (unsigned t = 0; t < HZ_PIECE_TYPES; t++) {
        leaving |= moving & 1u << t ? p->pieces[t] & own : 0;
    }
    if (type == HZ_PAWN) {
        uint64_t pawns = own & p->pieces[HZ_PAWN];
        uint64_t before = us ? pawns >> 8 : pawns << 8;
        return (before & (leaving | p->colors[us ^ 1])) ||
               (hzi_pawns_attack(pawns, (int)us) & p->targets);
    }
    unsigned steps = moving & 1u << HZ_PAWN ? hz_pool_count(p->pool, HZ_PAWN) : 0;
    return (hzi_first_steps(p, us, 1u << type) & leaving) ||
           (steps && type != HZ_KING && p->pieces[HZ_PAWN] & own & near_promotion(us, steps));
}

/* The dice of the pool without those that are seen to be dead. What is left need not be spendable. */
static hz_pool live_dice(const hz_position *p) {
    unsigned us = p->side, types = hzi_pool_types(p->pool), moving = 0;
    for (unsigned t = 0; t < HZ_PIECE_TYPES; t++) {
        moving |= types & 1u << t && hzi_has_move(p, us, 1u << t) ? 1u << t : 0;
    }
    bool more = moving != 0 && moving != types;
    while (more) {
        more = false;
        for (unsigned t = 0; t < HZ_PIECE_TYPES; t++) {
            if ((types & ~moving) & 1u << t && waits_for(p, us, t, moving)) {
                moving |= 1u << t;
                more = true;
            }
        }
    }
    unsigned live = 0;
    for (unsigned t = 0; t < HZ_PIECE_TYPES; t++) {
        live |= moving & 1u << t ? p->pool & 3u << (2 * t) : 0;
    }
    return (hz_pool)live;
}

/*
 * Whether it is plain that one line spends all these dice. Two dice of a piece that is no pawn go
 * there and back and leave the board as it was. Otherwise each die has the squares its pieces can
 * step to now: micro-moves to different squares, by pieces of different types or by pawns that
 * push, do not hinder each other, pawns first. Where the smallest set has a square, the next two
 * and the largest three, there are different ones for all.
 */
static bool all_are_spent(const hz_position *p, hz_pool dice) {
    unsigned us = p->side, sets = 0, with_two = 0, with_three = 0;
    uint64_t own = p->colors[us], enemy_kings = p->pieces[HZ_KING] & p->colors[us ^ 1];
    for (unsigned t = 0; t < HZ_PIECE_TYPES; t++) {
        unsigned count = hz_pool_count(dice, (hz_piece_type)t);
        if (count == 0) {
            continue;
        }
        uint64_t pawns = own & p->pieces[HZ_PAWN];
        uint64_t squares = t == HZ_PAWN ? (us ? pawns >> 8 : pawns << 8) & ~hzi_occupied(p)
                                        : hzi_first_steps(p, us, 1u << t) & ~(own | enemy_kings);
        if (t != HZ_PAWN && count > 1) {
            unsigned other = hzi_pool_types(dice) & ~(1u << t);
            return squares & ~hzi_occupied(p) && (!other || hzi_has_move(p, us, other));
        }
        int width = hzi_popcount(squares);
        if (width == 0) {
            return false;
        }
        sets += count;
        with_two += width >= 2 ? count : 0;
        with_three += width >= 3 ? count : 0;
    }
    return with_two + 1 >= sets && with_three + 2 >= sets;
}

/* The most dice a line spends; the search ends when it has `enough`. */
static int most(const hz_position *p, int enough) {
    unsigned us = p->side, types = hzi_pool_types(p->pool);
    int size = (int)hz_pool_size(p->pool);
    if (size <= 1) {
        return size && hzi_has_move(p, us, types) ? 1 : 0;
    }
    hz_move moves[HZ_MOVES_CAPACITY];
    int count = hzi_generate(p, us, types, hzi_pool_pays_castling(p->pool), moves);
    int best = 0;
    for (int i = 0; i < count && best < enough; i++) {
        hz_position child = *p;
        hz_piece_type type = hzi_type_on(p, hz_move_from(moves[i]));
        bool took_king = hzi_play_paid(&child, moves[i], type, us);
        int used = size - (int)hz_pool_size(child.pool);
        used += took_king ? 0 : most(&child, enough - used);
        best = used > best ? used : best;
    }
    return best;
}

int hzi_max_dice(const hz_position *p) {
    hz_position live = *p;
    live.pool = live_dice(p); /* nobody asks this copy for its key */
    int size = (int)hz_pool_size(live.pool);
    return all_are_spent(p, live.pool) ? size : most(&live, size);
}
