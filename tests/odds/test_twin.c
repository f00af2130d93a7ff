/* SPDX-License-Identifier: MIT */
/* The odds room against its brute-force twin, on new random boards in every run. */
#include "odds/boards.h"

#include "board/bits.h"

#include <stdio.h>

static void check_rolls(const hz_position *p, const char *what, int square, hz_color attacker,
                        hz_roll_set expected, hz_roll_set actual) {
    if (expected != actual) {
        char dfen[HZ_DFEN_CAPACITY], note[96];
        hz_position shown = *p;
        hz_position_set_side(&shown, attacker); /* the side to move is not read */
        snprintf(note, sizeof note, "%s, square %c%d, %u instead of %u of 216", what,
                 'a' + (square & 7), 1 + (square >> 3), hz_roll_set_weight(actual),
                 hz_roll_set_weight(expected));
        test_same_number(test_dfen(&shown, dfen), note, expected, actual);
    }
}

/* Everything the room answers about one attacker. */
static void check_attacker(ref_random *random, const hz_position *p, hz_color attacker) {
    hz_color defender = other(attacker);
    ref_odds_map twin;
    ref_odds_everything(p, attacker, &twin);
    hz_danger_map danger;
    hz_odds_danger(p, defender, &danger);
    hz_roll_set kings = 0, queens = 0, some = 0;
    uint64_t set = ref_random_next(random) & ref_random_next(random);
    for (int s = 0; s < 64; s++) {
        uint64_t bit = square_set(s);
        check_rolls(p, "one square", s, attacker, twin.landed[s],
                    hz_odds_squares(p, attacker, bit));
        check_rolls(p, "danger map", s, attacker, twin.captured[s], danger.rolls[s]);
        kings |= p->pieces[HZ_KING] & p->colors[defender] & bit ? twin.landed[s] : 0;
        queens |= p->pieces[HZ_QUEEN] & p->colors[defender] & bit ? twin.landed[s] : 0;
        some |= set & bit ? twin.landed[s] : 0;
    }
    hz_roll_set king, queen;
    hz_odds_king_queen(p, defender, &king, &queen);
    check_rolls(p, "kings", 0, attacker, kings, hz_odds_king(p, defender));
    check_rolls(p, "queens", 0, attacker, queens, hz_odds_queen(p, defender));
    check_rolls(p, "kings with queens", 0, attacker, kings, king);
    check_rolls(p, "queens with kings", 0, attacker, queens, queen);
    check_rolls(p, "several squares", 0, attacker, some, hz_odds_squares(p, attacker, set));
}

static void check_both(ref_random *random, const hz_position *p) {
    check_attacker(random, p, HZ_WHITE);
    check_attacker(random, p, HZ_BLACK);
}

static void positions_of_random_games_agree(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed());
    for (size_t i = test_effort(150); i > 0; i--) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_played(&random, REF_ANY_MOMENT, dfen);
        hz_position p = test_position(dfen);
        check_both(&random, &p);
    }
}

static void placed(ref_style style, size_t count) {
    ref_random random = ref_random_from_seed(test_seed() + style + 1);
    for (size_t i = test_effort(count); i > 0; i--) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_placed(&random, style, dfen);
        hz_position p = test_position(dfen);
        check_both(&random, &p);
    }
}

static void sparse_and_middle_boards_agree(void **state) {
    (void)state;
    placed(REF_SPARSE, 200);
    placed(REF_MIDDLE, 60);
}

static void crowded_and_full_boards_agree(void **state) {
    (void)state;
    placed(REF_DENSE, 25);
    placed(REF_FULL, 25);
}

static void boards_without_or_with_many_kings_agree(void **state) {
    (void)state;
    placed(REF_KINGLESS, 80);
    placed(REF_MANY_KINGS, 60);
}

static void castling_boards_agree(void **state) {
    (void)state;
    placed(REF_CASTLING, 80);
}

static void en_passant_boards_agree(void **state) {
    (void)state;
    placed(REF_EN_PASSANT, 100);
}

static void promotion_boards_agree(void **state) {
    (void)state;
    placed(REF_PROMOTION, 40);
}

static void contradicting_rights_and_targets_agree(void **state) {
    (void)state;
    placed(REF_NONSENSE, 80);
}

static void pieces_in_each_others_way_agree(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed() ^ 0x6F646473);
    for (size_t i = test_effort(800); i > 0; i--) {
        hz_position p = crowded_board(&random);
        check_both(&random, &p);
    }
}

static void hemmed_in_pieces_agree(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed() ^ 0x68656D);
    for (size_t i = test_effort(500); i > 0; i--) {
        hz_position p = hemmed_board(&random);
        check_both(&random, &p);
    }
}

/* The definition itself, roll by roll with a set of targets, on fewer boards. */
static void each_roll_on_its_own_agrees(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed() ^ 0x726F6C6C);
    for (size_t i = test_effort(80); i > 0; i--) {
        hz_position p = i % 2 ? crowded_board(&random) : random_board(&random);
        uint64_t set = ref_random_next(&random) | ref_random_next(&random);
        for (int color = 0; color < 2; color++) {
            hz_color attacker = (hz_color)color, defender = other(attacker);
            check_rolls(&p, "squares", 0, attacker,
                        ref_odds_squares(&p, attacker, set & p.colors[defender]),
                        hz_odds_squares(&p, attacker, set));
            check_rolls(&p, "kings", 0, attacker, ref_odds_king(&p, defender),
                        hz_odds_king(&p, defender));
            check_rolls(&p, "queens", 0, attacker, ref_odds_queen(&p, defender),
                        hz_odds_queen(&p, defender));
        }
    }
}

static void the_portable_sliders_give_the_same_rolls(void **state) {
    (void)state;
    bool fast = hzi_fast_bits;
    ref_random random = ref_random_from_seed(test_seed() ^ 0x736C6F77);
    for (size_t i = test_effort(300); i > 0; i--) {
        hz_position p = crowded_board(&random);
        for (int color = 0; color < 2; color++) {
            hz_danger_map with, without;
            hzi_fast_bits_use(true);
            hz_odds_danger(&p, (hz_color)color, &with);
            hzi_fast_bits_use(false);
            hz_odds_danger(&p, (hz_color)color, &without);
            for (int s = 0; s < 64; s++) {
                check_rolls(&p, "portable", s, other((hz_color)color), with.rolls[s],
                            without.rolls[s]);
            }
        }
    }
    hzi_fast_bits_use(fast);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_of_random_games_agree),
        cmocka_unit_test(sparse_and_middle_boards_agree),
        cmocka_unit_test(crowded_and_full_boards_agree),
        cmocka_unit_test(boards_without_or_with_many_kings_agree),
        cmocka_unit_test(castling_boards_agree),
        cmocka_unit_test(en_passant_boards_agree),
        cmocka_unit_test(promotion_boards_agree),
        cmocka_unit_test(contradicting_rights_and_targets_agree),
        cmocka_unit_test(pieces_in_each_others_way_agree),
        cmocka_unit_test(hemmed_in_pieces_agree),
        cmocka_unit_test(each_roll_on_its_own_agrees),
        cmocka_unit_test(the_portable_sliders_give_the_same_rolls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
