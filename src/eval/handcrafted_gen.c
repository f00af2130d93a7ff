/* SPDX-License-Identifier: MIT */
/* Runs while building: prints material and square terms of the handcrafted evaluation, computed
 * from its weights, as one table per piece that holds both phases. */
#include "eval/handcrafted.h"

#include <stdio.h>

static int edge(int i) {
    return i < 7 - i ? i : 7 - i;
}

static int pawn(const hzi_handcrafted_weights *w, int phase, int rank, int file) {
    int value = w->pawn_rank[phase][rank];
    if (phase == HZI_MIDDLE && edge(file) == 3) {
        value += w->pawn_d_file[rank];
    } else if (phase == HZI_MIDDLE && edge(file) == 2) {
        value += w->pawn_c_file[rank];
    }
    return value;
}

static int rook(const hzi_handcrafted_weights *w, int phase, int rank, int file) {
    if (rank == 6) {
        return w->rook_seventh[phase];
    }
    if (phase == HZI_END) {
        return 0;
    }
    if (rank == 0) {
        return edge(file) == 3 ? w->rook_middle_back : 0;
    }
    return edge(file) == 0 ? w->rook_edge : 0;
}

static int king(const hzi_handcrafted_weights *w, int phase, int rank, int file) {
    int f = edge(file);
    if (phase == HZI_END) {
        return w->king_centre[f + edge(rank)];
    }
    switch (rank) {
    case 0:
        return w->king_rank0[f];
    case 1:
        return w->king_rank1[f];
    case 2:
        return w->king_rank2[0] + w->king_rank2[1] * f;
    default:
        return w->king_forward[0] + w->king_forward[1] * f;
    }
}

static int value(int phase, int type, int square) {
    const hzi_handcrafted_weights *w = &hzi_handcrafted;
    int rank = square >> 3, file = square & 7, centre = edge(rank) + edge(file);
    int material = type < 5 ? w->material[type] : 0;
    switch (type) {
    case 0:
        return material + pawn(w, phase, rank, file);
    case 1:
        return material + w->knight_centre[centre];
    case 2:
        return material + w->bishop_centre[centre];
    case 3:
        return material + rook(w, phase, rank, file);
    case 4:
        return material + w->queen_centre[centre];
    default:
        return king(w, phase, rank, file);
    }
}

int main(void) {
    printf("/* Made by src/eval/handcrafted_gen.c. */\n#include \"eval/handcrafted.h\"\n"
           "const int64_t hzi_handcrafted_squares[6][64] = {\n");
    for (int type = 0; type < 6; type++) {
        printf("{");
        for (int square = 0; square < 64; square++) {
            /* A multiplication, for negative numbers are not shifted. */
            printf("%dLL*HZI_END_UNIT+(%d),", value(HZI_END, type, square),
                   value(HZI_MIDDLE, type, square));
        }
        printf("},\n");
    }
    printf("};\n");
    return 0;
}
