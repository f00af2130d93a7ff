/* SPDX-License-Identifier: MIT */
/*
 * Mobility: how many pseudo-legal micro-moves a side has with each piece type when every die is
 * available. Counted, not generated: pawns all at once by shifting, pieces by
 * the size of their attack sets. A promotion is four moves, taking a king on the last rank is one.
 */
#include "features/blocks.h"

#include "dice/generate.h"

/* Shifting maps pawns to destinations one to one in each direction, so the destinations can be
 * counted instead of the pawns. A pawn already on its last rank falls off the board. */
static int count_pawn_moves(const hz_position *p, unsigned us) {
    uint64_t pawns = p->pieces[HZ_PAWN] & p->colors[us];
    uint64_t enemy = p->colors[us ^ 1], empty = ~hzi_occupied(p);
    uint64_t takes = enemy | (p->targets ? hzi_live_targets(p, us) : 0);
    uint64_t push, double_step, west, east, last_rank;
    if (us == HZ_WHITE) {
        push = pawns << 8 & empty;
        double_step = (push & HZI_RANK(3)) << 8 & empty;
        west = (pawns & ~HZI_FILE_A) << 7 & takes;
        east = (pawns & ~HZI_FILE_H) << 9 & takes;
        last_rank = HZI_RANK(8);
    } else {
        push = pawns >> 8 & empty;
        double_step = (push & HZI_RANK(6)) >> 8 & empty;
        west = (pawns & ~HZI_FILE_A) >> 9 & takes;
        east = (pawns & ~HZI_FILE_H) >> 7 & takes;
        last_rank = HZI_RANK(1);
    }
    int count =
        hzi_popcount(push) + hzi_popcount(double_step) + hzi_popcount(west) + hzi_popcount(east);
    uint64_t promotes = last_rank & ~(enemy & p->pieces[HZ_KING]);
    if ((push | west | east) & promotes) {
        count += 3 * (hzi_popcount(push & promotes) + hzi_popcount(west & promotes) +
                      hzi_popcount(east & promotes));
    }
    return count;
}

void hz_mobility(const hz_position *position, hz_color color, int counts[HZ_PIECE_TYPES]) {
    uint64_t own = position->colors[color], free = ~own;
    uint64_t occupied = hzi_occupied(position);
    int knight = 0, bishop = 0, rook = 0, queen = 0, king = 0;
    for (uint64_t b = position->pieces[HZ_KNIGHT] & own; b;) {
        knight += hzi_popcount(hzi_knight_attacks(hzi_pop(&b)) & free);
    }
    for (uint64_t b = position->pieces[HZ_BISHOP] & own; b;) {
        bishop += hzi_popcount(hzi_bishop_attacks(hzi_pop(&b), occupied) & free);
    }
    for (uint64_t b = position->pieces[HZ_ROOK] & own; b;) {
        rook += hzi_popcount(hzi_rook_attacks(hzi_pop(&b), occupied) & free);
    }
    for (uint64_t b = position->pieces[HZ_QUEEN] & own; b;) {
        queen += hzi_popcount(hzi_queen_attacks(hzi_pop(&b), occupied) & free);
    }
    for (uint64_t b = position->pieces[HZ_KING] & own; b;) {
        king += hzi_popcount(hzi_king_attacks(hzi_pop(&b)) & free);
    }
    king += hzi_popcount(hzi_castling_destinations(position, color));
    counts[HZ_PAWN] = count_pawn_moves(position, color);
    counts[HZ_KNIGHT] = knight;
    counts[HZ_BISHOP] = bishop;
    counts[HZ_ROOK] = rook;
    counts[HZ_QUEEN] = queen;
    counts[HZ_KING] = king;
}

/* ---- columns --------------------------------------------------------------------------------- */

static const char *const diff_names[] = {
    "mobility_diff", /* all own micro-moves minus all enemy ones */
};

static void write_diff(hzi_row *row, float *out) {
    hz_mobility(row->position, row->own, row->moves[0]);
    hz_mobility(row->position, row->enemy, row->moves[1]);
    int difference = 0;
    for (int type = 0; type < HZ_PIECE_TYPES; type++) {
        difference += row->moves[0][type] - row->moves[1][type];
    }
    out[0] = (float)difference;
}

static const char *const moves_names[] = {
    "own_moves_p", "own_moves_n", "own_moves_b", "own_moves_r", "own_moves_q", "own_moves_k",
    "opp_moves_p", "opp_moves_n", "opp_moves_b", "opp_moves_r", "opp_moves_q", "opp_moves_k",
};

static void write_moves(hzi_row *row, float *out) {
    for (int type = 0; type < HZ_PIECE_TYPES; type++) {
        out[type] = (float)row->moves[0][type];
        out[HZ_PIECE_TYPES + type] = (float)row->moves[1][type];
    }
}

const hzi_block hzi_block_mobility_diff = HZI_BLOCK(diff_names, write_diff);
const hzi_block hzi_block_moves = HZI_BLOCK(moves_names, write_moves);
