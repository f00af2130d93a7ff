/* SPDX-License-Identifier: MIT */
/*
 * Prepares a capturing side. The sets "attacked after n micro-moves of one piece" are floods over
 * all pieces of a type at once: the pieces that stand on the way are the same on the board after
 * the moves, except for squares the piece itself left, and a slider that comes back through such a
 * square had the shorter way.
 */
#include "odds/attacker.h"

#include "odds/rolls.h"

/* Squares attacked by bishops on all squares of a set: occluded fill in the four directions. */
static uint64_t bishops_attack(uint64_t from, uint64_t empty) {
    uint64_t not_a = ~HZI_FILE_A, not_h = ~HZI_FILE_H, all = 0;
    uint64_t g = from, p = empty & not_a;
    g |= p & g << 9;
    p &= p << 9;
    g |= p & g << 18;
    p &= p << 18;
    g |= p & g << 36;
    all |= g << 9 & not_a;
    g = from, p = empty & not_h;
    g |= p & g << 7;
    p &= p << 7;
    g |= p & g << 14;
    p &= p << 14;
    g |= p & g << 28;
    all |= g << 7 & not_h;
    g = from, p = empty & not_a;
    g |= p & g >> 7;
    p &= p >> 7;
    g |= p & g >> 14;
    p &= p >> 14;
    g |= p & g >> 28;
    all |= g >> 7 & not_a;
    g = from, p = empty & not_h;
    g |= p & g >> 9;
    p &= p >> 9;
    g |= p & g >> 18;
    p &= p >> 18;
    g |= p & g >> 36;
    return all | (g >> 9 & not_h);
}

/* The same for rooks. */
static uint64_t rooks_attack(uint64_t from, uint64_t empty) {
    uint64_t not_a = ~HZI_FILE_A, not_h = ~HZI_FILE_H, all = 0;
    uint64_t g = from, p = empty;
    g |= p & g << 8;
    p &= p << 8;
    g |= p & g << 16;
    p &= p << 16;
    g |= p & g << 32;
    all |= g << 8;
    g = from, p = empty;
    g |= p & g >> 8;
    p &= p >> 8;
    g |= p & g >> 16;
    p &= p >> 16;
    g |= p & g >> 32;
    all |= g >> 8;
    g = from, p = empty & not_a;
    g |= p & g << 1;
    p &= p << 1;
    g |= p & g << 2;
    p &= p << 2;
    g |= p & g << 4;
    all |= g << 1 & not_a;
    g = from, p = empty & not_h;
    g |= p & g >> 1;
    p &= p >> 1;
    g |= p & g >> 2;
    p &= p >> 2;
    g |= p & g >> 4;
    return all | (g >> 1 & not_h);
}

static uint64_t flood(unsigned type, uint64_t from, uint64_t empty) {
    switch (type) {
    case HZ_KNIGHT:
        return hzi_knights_attack(from);
    case HZ_BISHOP:
        return bishops_attack(from, empty);
    case HZ_ROOK:
        return rooks_attack(from, empty);
    case HZ_QUEEN:
        return bishops_attack(from, empty) | rooks_attack(from, empty);
    default:
        return hzi_kings_attack(from);
    }
}

/* The part of a line through two squares that lies behind the second, seen from the first. */
static uint64_t line_behind(int from, int past) {
    uint64_t side = past > from ? ~(uint64_t)1 << past : hzi_bit(past) - 1;
    return hzi_line_table[from][past] & side;
}

static void prepare_sliders(hzi_attacker *a) {
    const hzi_attack_board *b = &a->board;
    int blocks = 0;
    for (unsigned type = HZ_BISHOP; type <= HZ_QUEEN; type++) {
        uint64_t any = 0;
        for (uint64_t set = b->type[type]; set;) {
            int square = hzi_pop(&set);
            uint64_t attacks = hzi_piece_attacks(type, square, a->occupied);
            uint64_t blockers = attacks & b->own;
            uint64_t entered = hzi_piece_attacks(type, square, a->occupied ^ blockers) & ~attacks;
            a->slider[a->sliders++] = (hzi_attack_slider){attacks, (uint8_t)square, (uint8_t)type};
            a->reach[type][0] |= attacks;
            entered &= ~b->own;
            any |= entered | blockers;
            while (blockers) {
                int y = hzi_pop(&blockers);
                a->block[blocks++] = (hzi_attack_block){
                    (entered & line_behind(square, y)) | hzi_bit(y), (uint8_t)square, (uint8_t)y};
            }
        }
        a->blocks_end[type - HZ_BISHOP] = blocks;
        a->blocks_any[type - HZ_BISHOP] = any;
    }
}

static void prepare_pieces(hzi_attacker *a) {
    uint64_t empty = ~a->occupied, free = ~a->board.own;
    a->reach[HZ_KNIGHT][0] = hzi_knights_attack(a->board.type[HZ_KNIGHT]);
    a->reach[HZ_KING][0] = hzi_kings_attack(a->board.type[HZ_KING]);
    for (unsigned type = HZ_KNIGHT; type <= HZ_KING; type++) {
        uint64_t first = a->reach[type][0] & free;
        if (first) {
            a->reach[type][1] = flood(type, first, empty);
            a->reach[type][2] = flood(type, a->reach[type][1] & free, empty);
        }
    }
}

static void prepare_pawns(hzi_attacker *a) {
    const hzi_attack_board *b = &a->board;
    uint64_t pawns = b->type[HZ_PAWN], attacks = hzi_pawns_attack(pawns, HZ_WHITE);
    uint64_t targets = hzi_owned_targets(b), open = targets & ~a->occupied;
    uint64_t first = hzi_pawn_steps(b, pawns), second = hzi_pawn_steps(b, first);
    a->reach[HZ_PAWN][0] = attacks;
    a->reach[HZ_PAWN][1] = hzi_pawns_attack(first, HZ_WHITE);
    a->reach[HZ_PAWN][2] = hzi_pawns_attack(second, HZ_WHITE);
    a->promoting = pawns & HZI_RANK(7);
    a->before_promotion = a->promoting << 8 & b->own;
    a->open_targets = attacks & open;
    a->on_target = attacks & targets & b->own;
}

static void prepare_castling(hzi_attacker *a, unsigned rights) {
    static const struct {
        uint64_t rook, between;
        uint8_t rook_to, king_to;
    } wings[2] = {{0x80, 0x60, 5, 6}, {0x01, 0x0E, 3, 2}};
    uint64_t kings = a->board.type[HZ_KING], rooks = a->board.type[HZ_ROOK];
    for (unsigned w = 0; w < 2; w++) {
        if ((rights >> w & 1) && (kings & 0x10) && (rooks & wings[w].rook) &&
            !(a->occupied & wings[w].between)) {
            uint64_t after = (a->occupied ^ (0x10 | wings[w].rook)) | hzi_bit(wings[w].king_to);
            a->castling[a->castlings++] =
                (hzi_attack_castling){.rook_attacks = hzi_rook_attacks(wings[w].rook_to, after),
                                      .king_attacks = hzi_king_attacks(wings[w].king_to)};
        }
    }
}

void hzi_attacker_init(hzi_attacker *a, const hz_position *position, hz_color color) {
    hzi_attack_board_init(&a->board, position, color);
    a->occupied = hzi_attack_board_occupied(&a->board);
    for (unsigned type = 0; type < HZ_PIECE_TYPES; type++) {
        a->reach[type][0] = a->reach[type][1] = a->reach[type][2] = 0;
    }
    a->sliders = a->castlings = 0;
    for (unsigned type = 0; type < HZ_PIECE_TYPES; type++) {
        for (uint64_t set = a->board.type[type]; set;) {
            a->type_on[hzi_pop(&set)] = (uint8_t)type;
        }
    }
    prepare_sliders(a);
    prepare_pieces(a);
    prepare_pawns(a);
    for (unsigned n = 0; n < 3; n++) {
        a->reach_any[n] = 0;
        for (unsigned type = 0; type < HZ_PIECE_TYPES; type++) {
            a->reach_any[n] |= a->reach[type][n];
        }
    }
    unsigned rights = color == HZ_WHITE ? position->rights & 3u : position->rights >> 2 & 3u;
    if (rights) {
        prepare_castling(a, rights);
    }
}
