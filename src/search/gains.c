/* SPDX-License-Identifier: MIT */
/*
 * How much material a roll can win; see gains.h.
 *
 * A line that spends three dice ends with one die on a board that the two others led to, in either
 * order. When such lines exist the maximum rule allows no others, so the answer is their maximum;
 * equal boards reached twice do not matter to it and are dropped only as far as that is cheap.
 * Castling as the last micro-move needs no thought: where it can be played, the rook and the king can
 * each take one step instead, and win as much. As the first one it brings the king further.
 */
#include "search/gains.h"

#include "dice/generate.h"

#include <string.h>

enum {
    MOST_BOARDS = 1 << 13, /* of one set: beyond, lists are better */
    SEEN_SLOTS = 1 << 12,
    NOT_ASKED = -2,
    NO_MOVE = -1
};

static int32_t larger(int32_t a, int32_t b) {
    return a > b ? a : b;
}

/* ---- sets of boards ---- */

/* The place for one more board; NULL without memory or when there are too many. */
static hzi_gain_board *append(hzi_gains *g, hzi_gain_set *set) {
    if (set->count == set->capacity) {
        uint32_t capacity = set->capacity ? set->capacity * 2 : 32;
        if (capacity > MOST_BOARDS) {
            set->too_many = true;
            return NULL;
        }
        hzi_gain_board *grown = hz_arena_grow(&g->arena, set->boards, set->capacity * sizeof *grown,
                                              capacity * sizeof *grown);
        if (!grown) {
            g->good = false;
            return NULL;
        }
        set->boards = grown;
        set->capacity = capacity;
    }
    return &set->boards[set->count];
}

/* Whether the board just written behind the set is in it; remembers it otherwise. A slot holds one
 * board only, so equal ones may be missed. */
static bool is_known(hzi_gains *g, const hzi_gain_set *set) {
    const hz_position *board = &set->boards[set->count].board;
    uint32_t *slot = &g->seen[board->key & (SEEN_SLOTS - 1)];
    if (*slot > 0) {
        const hz_position *other = &set->boards[*slot - 1].board;
        if (other->key == board->key && hz_position_same_board(other, board)) {
            return true;
        }
    }
    *slot = set->count + 1;
    return false;
}

/* Adds what one die of `type` makes of a board. */
static void add_moves(hzi_gains *g, hzi_gain_set *set, const hz_position *from, int32_t gain,
                      hz_piece_type type, bool castling_only) {
    hz_move moves[HZ_MOVES_CAPACITY];
    unsigned us = from->side;
    int count = hzi_generate(from, us, 1u << type, castling_only, moves);
    for (int i = 0; i < count; i++) {
        if (castling_only && !hz_move_is_castling(moves[i])) {
            continue;
        }
        hzi_gain_board *next = append(g, set);
        if (!next) {
            return;
        }
        next->board = *from;
        next->gain = gain;
        hz_piece_type captured = hzi_make(&next->board, moves[i], type, us);
        if (captured != HZ_NO_PIECE) {
            next->gain += hz_centipawns[captured];
        }
        if (hz_move_flags(moves[i]) & HZ_MOVE_PROMOTION) {
            next->gain += hz_centipawns[hz_move_promotion(moves[i])] - hz_centipawns[HZ_PAWN];
        }
        set->most = larger(set->most, next->gain);
        if (!is_known(g, set)) {
            set->count++;
        }
    }
}

static void add_from(hzi_gains *g, hzi_gain_set *set, const hzi_gain_set *from,
                     hz_piece_type type) {
    for (uint32_t i = 0; i < from->count && g->good && !set->too_many; i++) {
        add_moves(g, set, &from->boards[i].board, from->boards[i].gain, type, false);
    }
}

static const hzi_gain_set *single_of(hzi_gains *g, hz_piece_type type) {
    hzi_gain_set *set = &g->single[type];
    if (!set->made) {
        set->made = true;
        set->most = NO_MOVE;
        memset(g->seen, 0, SEEN_SLOTS * sizeof *g->seen);
        add_moves(g, set, &g->position, 0, type, false);
    }
    return set;
}

/* low <= high. */
static const hzi_gain_set *pair_of(hzi_gains *g, hz_piece_type low, hz_piece_type high) {
    hzi_gain_set *set = &g->pair[low][high];
    if (!set->made) {
        set->made = true;
        set->most = NO_MOVE;
        const hzi_gain_set *first = single_of(g, low), *second = single_of(g, high);
        memset(g->seen, 0, SEEN_SLOTS * sizeof *g->seen);
        add_from(g, set, first, high);
        if (low != high) {
            add_from(g, set, second, low);
        }
        if (low == HZ_ROOK && high == HZ_KING) {
            add_moves(g, set, &g->position, 0, HZ_KING, true);
        }
    }
    return set;
}

/* ---- the last die ---- */

static int32_t dearest(const hz_position *p, uint64_t captured) {
    static const hz_piece_type order[] = {HZ_QUEEN, HZ_ROOK, HZ_BISHOP, HZ_KNIGHT, HZ_PAWN};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        if (captured & p->pieces[order[i]]) {
            return hz_centipawns[order[i]];
        }
    }
    return 0;
}

static int32_t last_pawn(const hz_position *p) {
    unsigned us = p->side;
    uint64_t enemy = p->colors[us ^ 1], last = us ? HZI_RANK(1) : HZI_RANK(8);
    uint64_t pawns = p->pieces[HZ_PAWN] & p->colors[us] & ~last;
    uint64_t pushes = (us ? pawns >> 8 : pawns << 8) & ~hzi_occupied(p);
    uint64_t attacks = hzi_pawns_attack(pawns, (int)us);
    int32_t promotion = hz_centipawns[HZ_QUEEN] - hz_centipawns[HZ_PAWN], best = NO_MOVE;
    if (pushes) {
        best = pushes & last ? promotion : 0;
    }
    if (attacks & enemy & last) {
        best = larger(best, dearest(p, attacks & enemy & last) + promotion);
    }
    if (attacks & enemy & ~last) {
        best = larger(best, dearest(p, attacks & enemy & ~last));
    }
    if (p->targets && (attacks & hzi_live_targets(p, us))) {
        best = larger(best, hz_centipawns[HZ_PAWN]);
    }
    return best;
}

static int32_t last_piece(const hz_position *p, hz_piece_type type) {
    unsigned us = p->side;
    uint64_t movers = p->pieces[type] & p->colors[us], occupied = hzi_occupied(p), reach = 0;
    switch (type) {
    case HZ_KNIGHT:
        reach = hzi_knights_attack(movers);
        break;
    case HZ_KING:
        reach = hzi_kings_attack(movers);
        break;
    default:
        while (movers) {
            int square = hzi_pop(&movers);
            reach |= type == HZ_ROOK ? 0 : hzi_bishop_attacks(square, occupied);
            reach |= type == HZ_BISHOP ? 0 : hzi_rook_attacks(square, occupied);
        }
        break;
    }
    reach &= ~p->colors[us];
    return reach ? dearest(p, reach) : NO_MOVE;
}

/* The most any last die of a type can add. */
static int32_t ceiling_of(const hzi_gains *g, hz_piece_type type) {
    const hz_position *p = &g->position;
    int32_t most = dearest(p, p->colors[p->side ^ 1]);
    return type == HZ_PAWN ? most + hz_centipawns[HZ_QUEEN] - hz_centipawns[HZ_PAWN] : most;
}

/* The most that a pair of dice and then `type` win, NO_MOVE when that cannot be played. */
static int32_t best_of(hzi_gains *g, hz_piece_type a, hz_piece_type b, hz_piece_type type,
                       uint64_t *boards, bool *too_many) {
    hz_piece_type low = a < b ? a : b, high = a < b ? b : a;
    const hzi_gain_set *set = pair_of(g, low, high);
    int32_t *known = &g->best[low][high][type];
    *boards += set->count;
    *too_many |= set->too_many || g->single[low].too_many || g->single[high].too_many;
    if (*known != NOT_ASKED) {
        return *known;
    }
    int32_t best = NO_MOVE, ceiling = ceiling_of(g, type);
    for (uint32_t i = 0; i < set->count; i++) {
        const hzi_gain_board *board = &set->boards[i];
        if (board->gain + ceiling <= best) {
            continue;
        }
        int32_t last = type == HZ_PAWN ? last_pawn(&board->board) : last_piece(&board->board, type);
        if (last != NO_MOVE) {
            best = larger(best, board->gain + last);
        }
    }
    *known = best;
    return best;
}

/* ---- rolls ---- */

static void open(hzi_gains *g, const hz_position *position) {
    if (g->open && g->good && g->position.key == position->key &&
        hz_position_same_board(&g->position, position)) {
        return;
    }
    hz_arena_reset(&g->arena);
    g->position = *position;
    g->open = true;
    memset(g->single, 0, sizeof g->single);
    memset(g->pair, 0, sizeof g->pair);
    int32_t *best = &g->best[0][0][0];
    for (size_t i = 0; i < sizeof g->best / sizeof *best; i++) {
        best[i] = NOT_ASKED;
    }
    g->seen = hz_arena_alloc(&g->arena, SEEN_SLOTS * sizeof *g->seen);
    g->good = g->seen != NULL;
}

/* The most of the lines that spend all three dice. */
static int32_t best_of_three(hzi_gains *g, const hz_piece_type d[3], uint64_t *boards,
                             bool *too_many) {
    int32_t best = best_of(g, d[0], d[1], d[2], boards, too_many);
    /* Each kind of die once as the last one; faces are sorted. */
    if (d[1] != d[2]) {
        best = larger(best, best_of(g, d[0], d[2], d[1], boards, too_many));
    }
    if (d[0] != d[1]) {
        best = larger(best, best_of(g, d[1], d[2], d[0], boards, too_many));
    }
    return best;
}

/* The most when no line spends three dice: of those with two, else with one, else of a pass. */
static int32_t best_of_fewer(hzi_gains *g, const hz_piece_type d[3]) {
    int32_t best = larger(pair_of(g, d[0], d[1])->most, pair_of(g, d[0], d[2])->most);
    best = larger(best, pair_of(g, d[1], d[2])->most);
    if (best == NO_MOVE) {
        best = larger(single_of(g, d[0])->most, single_of(g, d[1])->most);
        best = larger(best, single_of(g, d[2])->most);
    }
    return larger(best, 0);
}

hzi_gain_answer hzi_gains_of_roll(hzi_gains *gains, const hz_position *position,
                                  const hz_roll *roll, int32_t *gain, uint64_t *boards) {
    hz_piece_type d[3];
    for (int i = 0; i < 3; i++) {
        d[i] = (hz_piece_type)(roll->face[i] - 1);
    }
    bool too_many = false;
    *boards = 0;
    open(gains, position);
    if (!gains->good) {
        return HZI_GAIN_NO_MEMORY;
    }
    int32_t best = best_of_three(gains, d, boards, &too_many);
    if (best == NO_MOVE && !too_many) {
        best = best_of_fewer(gains, d);
    }
    if (!gains->good) {
        return HZI_GAIN_NO_MEMORY;
    }
    *gain = best;
    return too_many ? HZI_GAIN_TOO_MANY : HZI_GAIN_FOUND;
}

void hzi_gains_fini(hzi_gains *gains) {
    hz_arena_fini(&gains->arena);
    gains->open = false;
}
