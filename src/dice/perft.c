/* SPDX-License-Identifier: MIT */
/* Micro-move perft, as the published numbers count it: no maximum rule, castling under the king
 * die, and the same dice put back for the other side after every micro-move (rules 5). */
#include <hazard/dice.h>

#include "dice/generate.h"

static uint64_t perft(const hz_position *p, unsigned types, int depth) {
    hz_move moves[HZ_MOVES_CAPACITY];
    int count = hzi_generate(p, p->side, types, true, moves);
    if (depth <= 1) {
        return (uint64_t)count;
    }
    uint64_t nodes = 0;
    for (int i = 0; i < count; i++) {
        hz_position child = *p;
        hzi_make(&child, moves[i], hzi_type_on(p, hz_move_from(moves[i])), p->side);
        hzi_hand_over(&child);
        nodes += perft(&child, types, depth - 1);
    }
    return nodes;
}

uint64_t hz_dice_perft(const hz_position *position, int depth) {
    if (depth <= 0) {
        return 1;
    }
    hz_position root = *position;
    hz_position_set_pool(&root, 0); /* what is put back is kept in `types` */
    return perft(&root, position->pool ? hzi_pool_types(position->pool) : (unsigned)HZI_ALL_TYPES,
                 depth);
}
