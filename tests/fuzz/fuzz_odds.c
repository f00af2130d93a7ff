/* SPDX-License-Identifier: MIT */
/* Capture odds and the danger map on any position: within their bounds, consistent with each other
 * and with the mirror images, and on positions with few moves equal to the slow twin. */
#include "fuzz/fuzz.h"

#include <hazard/odds.h>

#include "ref/ref_odds.h"

#include <string.h>

enum { MOST_TWIN_MOVES = 10 };

static void check_set(hz_roll_set rolls) {
    unsigned weight = 0;
    for (int i = 0; i < HZ_ROLLS; i++) {
        weight += rolls >> i & 1 ? hz_rolls[i].weight_216 : 0;
    }
    FUZZ_CHECK((rolls & ~HZ_ROLL_SET_ALL) == 0);
    FUZZ_CHECK(hz_roll_set_weight(rolls) == weight && weight <= HZ_ROLLS_ORDERED);
}

/* Odds do not read what is no part of the board. */
static hz_position stripped(const hz_position *p) {
    hz_position other = *p;
    hz_position_set_pool(&other, p->pool ? 0 : hz_pool_of(HZ_QUEEN));
    hz_position_set_side(&other, p->side == HZ_WHITE ? HZ_BLACK : HZ_WHITE);
    other.halfmove = (uint8_t)(127 - p->halfmove);
    return other;
}

static void check_danger(const hz_position *p, hz_color defender, hz_roll_set king,
                         hz_roll_set queen) {
    hz_color attacker = defender == HZ_WHITE ? HZ_BLACK : HZ_WHITE;
    hz_danger_map map, other_map;
    hz_odds_danger(p, defender, &map);
    hz_position other = stripped(p);
    hz_odds_danger(&other, defender, &other_map);
    FUZZ_CHECK(memcmp(&map, &other_map, sizeof map) == 0);
    hz_roll_set of_kings = 0, of_queens = 0;
    for (int square = 0; square < HZ_SQUARES; square++) {
        uint64_t bit = UINT64_C(1) << square;
        hz_piece_type type = hz_position_type_at(p, square);
        check_set(map.rolls[square]);
        if (!(p->colors[defender] & bit)) {
            FUZZ_CHECK(map.rolls[square] == 0);
            FUZZ_CHECK(hz_odds_squares(p, attacker, bit) == 0);
            continue;
        }
        hz_roll_set landed = hz_odds_squares(p, attacker, bit);
        FUZZ_CHECK(type == HZ_PAWN ? (landed & ~map.rolls[square]) == 0
                                   : landed == map.rolls[square]);
        of_kings |= type == HZ_KING ? landed : 0;
        of_queens |= type == HZ_QUEEN ? landed : 0;
    }
    FUZZ_CHECK(of_kings == king && of_queens == queen);
    FUZZ_CHECK(hz_odds_squares(p, attacker, p->pieces[HZ_KING]) == king);
}

static void check_twin(const hz_position *p, hz_color defender, hz_roll_set king,
                       hz_roll_set queen) {
    hz_color attacker = defender == HZ_WHITE ? HZ_BLACK : HZ_WHITE;
    hz_move_list list;
    hz_moves_pseudo_of(p, attacker, 63, &list);
    if (list.count > MOST_TWIN_MOVES) {
        return;
    }
    hz_danger_map map;
    ref_odds_map twin;
    hz_odds_danger(p, defender, &map);
    ref_odds_everything(p, attacker, &twin);
    FUZZ_CHECK(memcmp(map.rolls, twin.captured, sizeof map.rolls) == 0);
    FUZZ_CHECK(ref_odds_king(p, defender) == king && ref_odds_queen(p, defender) == queen);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hz_position p;
    if (!fuzz_position(data, size, &p)) {
        return 0;
    }
    hz_position flipped = hz_position_flip(&p), mirrored = hz_position_mirror(&p);
    for (int side = 0; side < 2; side++) {
        hz_color defender = side ? HZ_BLACK : HZ_WHITE, enemy = side ? HZ_WHITE : HZ_BLACK;
        hz_roll_set king, queen;
        hz_odds_king_queen(&p, defender, &king, &queen);
        check_set(king);
        check_set(queen);
        FUZZ_CHECK(king == hz_odds_king(&p, defender) && queen == hz_odds_queen(&p, defender));
        FUZZ_CHECK(king == hz_odds_king(&flipped, enemy) &&
                   queen == hz_odds_queen(&flipped, enemy));
        FUZZ_CHECK(p.rights || (king == hz_odds_king(&mirrored, defender) &&
                                queen == hz_odds_queen(&mirrored, defender)));
        check_danger(&p, defender, king, queen);
        check_twin(&p, defender, king, queen);
    }
    return 0;
}
