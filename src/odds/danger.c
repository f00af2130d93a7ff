/* SPDX-License-Identifier: MIT */
/*
 * The danger map: for each piece of a side the rolls that capture it. The attacker is prepared once
 * for all of them. A pawn that has just made a double step can also be taken en passant, without
 * anybody landing on its square; those rolls are found apart, as few pawns ever need it.
 */
#include "odds/rolls.h"
#include "odds/target.h"

/* A capture en passant in the making: the square it ends on, and those a pawn starts it from. Rolls
 * whose first die takes the victim by landing on it are solved anyway, so it is taken to stay. */
typedef struct passing {
    uint64_t target, sources;
} passing;

static bool possible(const hzi_attack_board *b, const passing *e) {
    return !(hzi_attack_board_occupied(b) & e->target) && (b->type[HZ_PAWN] & e->sources);
}

/* Mask of the types that make it possible with one micro-move: a pawn comes beside the victim, or
 * an own piece leaves the target. */
static unsigned prepared_by(const hzi_attack_board *b, const passing *e) {
    if (!(hzi_attack_board_occupied(b) & e->target)) {
        return hzi_pawn_steps(b, b->type[HZ_PAWN]) & e->sources ? HZI_TYPE(HZ_PAWN) : 0;
    }
    if ((b->own & e->target) && (b->type[HZ_PAWN] & e->sources)) {
        int square = hzi_lsb(e->target);
        unsigned type = hzi_own_type_on(b, square);
        return hzi_piece_steps(b, type, square) ? HZI_TYPE(type) : 0;
    }
    return 0;
}

/* Rolls gained by a first micro-move that led to this board. */
static hz_roll_set gained(const hzi_attack_board *b, const passing *e, unsigned paid) {
    if (possible(b, e)) {
        return hzi_rolls_two[paid][HZI_TYPE(HZ_PAWN)];
    }
    return hzi_rolls_three[paid][HZ_PAWN][prepared_by(b, e)];
}

/* Rolls that take the pawn on `square` en passant. All first micro-moves are played but castling,
 * which neither moves a pawn nor reaches the sixth rank. */
static hz_roll_set taken_en_passant(const hzi_attacker *a, int square) {
    const hzi_attack_board *b = &a->board;
    passing e = {.target = hzi_bit(square + 8), .sources = hzi_pawn_sources(square + 8)};
    if (possible(b, &e)) {
        return hzi_rolls_with(HZ_PAWN);
    }
    hz_roll_set rolls = 0;
    for (uint64_t set = b->own; set;) {
        int from = hzi_pop(&set);
        unsigned type = a->type_on[from];
        for (uint64_t to = hzi_piece_steps(b, type, from); to;) {
            hzi_attack_board after = *b;
            hzi_step(&after, type, from, hzi_pop(&to), type);
            rolls |= gained(&after, &e, type);
        }
    }
    for (uint64_t targets = a->open_targets & ~e.target; targets;) {
        int to = hzi_pop(&targets);
        for (uint64_t pawns = b->type[HZ_PAWN] & hzi_pawn_sources(to); pawns;) {
            hzi_attack_board after = *b;
            hzi_step_en_passant(&after, hzi_pop(&pawns), to);
            rolls |= gained(&after, &e, HZ_PAWN);
        }
    }
    return rolls;
}

void hz_odds_danger(const hz_position *position, hz_color defender, hz_danger_map *map) {
    hz_color color = (hz_color)(defender ^ 1);
    *map = (hz_danger_map){{0}};
    hzi_attacker a;
    hzi_attacker_init(&a, position, color);
    uint64_t passed = hzi_owned_targets(&a.board) >> 8;
    for (uint64_t set = a.board.enemy; set;) {
        int square = hzi_pop(&set);
        hz_roll_set unsolved = hzi_target_unsolved(&a, square, HZ_ROLL_SET_ALL);
        if (passed & hzi_bit(square)) {
            unsolved &= ~taken_en_passant(&a, square);
        }
        map->rolls[hzi_turn_square(square, color)] = HZ_ROLL_SET_ALL & ~unsolved;
    }
}
