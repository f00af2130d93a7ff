/* SPDX-License-Identifier: MIT */
/* Colour flip, file mirror, the canonical representative. */
#include <hazard/board.h>

#include "board/bits.h"

#include <string.h>

hz_position hz_position_flip(const hz_position *position) {
    hz_position flipped = *position;
    for (int type = 0; type < HZ_PIECE_TYPES; type++) {
        flipped.pieces[type] = hzi_flip_ranks(position->pieces[type]);
    }
    flipped.colors[HZ_WHITE] = hzi_flip_ranks(position->colors[HZ_BLACK]);
    flipped.colors[HZ_BLACK] = hzi_flip_ranks(position->colors[HZ_WHITE]);
    flipped.targets = hzi_flip_ranks(position->targets);
    flipped.side = position->side ^ 1;
    flipped.rights = (uint8_t)((position->rights >> 2) | ((position->rights & 3) << 2));
    flipped.key = hz_position_fresh_key(&flipped);
    return flipped;
}

hz_position hz_position_mirror(const hz_position *position) {
    hz_position mirrored = *position;
    for (int type = 0; type < HZ_PIECE_TYPES; type++) {
        mirrored.pieces[type] = hzi_mirror_files(position->pieces[type]);
    }
    mirrored.colors[HZ_WHITE] = hzi_mirror_files(position->colors[HZ_WHITE]);
    mirrored.colors[HZ_BLACK] = hzi_mirror_files(position->colors[HZ_BLACK]);
    mirrored.targets = hzi_mirror_files(position->targets);
    mirrored.rights = (uint8_t)(((position->rights & 5) << 1) | ((position->rights & 10) >> 1));
    mirrored.key = hz_position_fresh_key(&mirrored);
    return mirrored;
}

hz_position hz_position_canonical(const hz_position *position) {
    hz_position best = position->side == HZ_WHITE ? *position : hz_position_flip(position);
    if (best.rights) {
        return best;
    }
    hz_position other = hz_position_mirror(&best);
    char best_text[HZ_DFEN_CAPACITY], other_text[HZ_DFEN_CAPACITY];
    hz_position_to_dfen(&best, best_text, sizeof best_text);
    hz_position_to_dfen(&other, other_text, sizeof other_text);
    return strcmp(other_text, best_text) < 0 ? other : best;
}
