/* SPDX-License-Identifier: MIT */
/* What must hold of capture odds whatever the board is: symmetries, what is not read, how the
 * answers of the room fit together. Cheap enough for many boards. */
#include "odds/boards.h"

static const char *text_of(const hz_position *p) {
    static char dfen[HZ_DFEN_CAPACITY];
    return test_dfen(p, dfen);
}

/* Runs a check on random boards, crowded and not. */
static void on_boards(uint64_t salt, size_t count,
                      void (*check)(ref_random *, const hz_position *)) {
    ref_random random = ref_random_from_seed(test_seed() ^ salt);
    for (size_t i = test_effort(count); i > 0; i--) {
        hz_position p = i % 8 == 0 ? random_board(&random) : crowded_board(&random);
        check(&random, &p);
    }
}

static void check_same(const hz_position *p, const hz_position *q, hz_color q_of_white,
                       int square_xor, const char *what) {
    for (int color = 0; color < 2; color++) {
        hz_color mine = (hz_color)color, theirs = (hz_color)(color ^ (int)q_of_white);
        hz_danger_map a, b;
        hz_odds_danger(p, mine, &a);
        hz_odds_danger(q, theirs, &b);
        test_same_number(text_of(p), what, hz_odds_king(p, mine), hz_odds_king(q, theirs));
        test_same_number(text_of(p), what, hz_odds_queen(p, mine), hz_odds_queen(q, theirs));
        for (int s = 0; s < 64; s++) {
            test_same_number(text_of(p), what, a.rolls[s], b.rolls[s ^ square_xor]);
        }
    }
}

static void check_flip(ref_random *random, const hz_position *p) {
    (void)random;
    hz_position q = hz_position_flip(p);
    check_same(p, &q, HZ_BLACK, 56, "colours exchanged");
}

static void exchanging_the_colours_exchanges_the_rolls(void **state) {
    (void)state;
    on_boards(1, 2000, check_flip);
}

static void check_mirror(ref_random *random, const hz_position *p) {
    (void)random;
    hz_position q = *p;
    hz_position_set_rights(&q, 0);
    hz_position mirrored = hz_position_mirror(&q);
    check_same(&q, &mirrored, HZ_WHITE, 7, "files mirrored");
}

static void mirroring_the_files_changes_nothing_without_rights(void **state) {
    (void)state;
    on_boards(2, 2000, check_mirror);
}

static void check_not_read(ref_random *random, const hz_position *p) {
    hz_position q = *p;
    hz_position_set_side(&q, other((hz_color)p->side));
    hz_position_set_pool(&q, hz_rolls[ref_random_below(random, HZ_ROLLS)].pool);
    q.halfmove = (uint8_t)ref_random_below(random, 128);
    q.fullmove = 1 + ref_random_below(random, 1000);
    check_same(p, &q, HZ_WHITE, 0, "side, pool and clocks");
}

static void side_pool_and_clocks_are_not_read(void **state) {
    (void)state;
    on_boards(3, 1000, check_not_read);
}

static void check_union(ref_random *random, const hz_position *p) {
    for (int color = 0; color < 2; color++) {
        hz_color attacker = (hz_color)color;
        uint64_t a = ref_random_next(random), b = ref_random_next(random);
        test_same_number(text_of(p), "union",
                         hz_odds_squares(p, attacker, a) | hz_odds_squares(p, attacker, b),
                         hz_odds_squares(p, attacker, a | b));
        test_same_number(text_of(p), "no enemy there", 0,
                         hz_odds_squares(p, attacker, ~p->colors[other(attacker)]));
        hz_roll_set rolls = hz_odds_squares(p, attacker, UINT64_MAX);
        test_same_number(text_of(p), "56 bits", 0, rolls & ~HZ_ROLL_SET_ALL);
    }
}

static void a_set_of_squares_is_the_union_of_its_enemy_squares(void **state) {
    (void)state;
    on_boards(4, 1500, check_union);
}

static void check_map(ref_random *random, const hz_position *p) {
    (void)random;
    for (int color = 0; color < 2; color++) {
        hz_color defender = (hz_color)color;
        uint64_t mine = p->colors[defender], pawns = p->pieces[HZ_PAWN];
        hz_danger_map map;
        hz_odds_danger(p, defender, &map);
        hz_roll_set kings = 0, queens = 0;
        for (int s = 0; s < 64; s++) {
            uint64_t bit = square_set(s);
            hz_roll_set landed = hz_odds_squares(p, other(defender), bit);
            if (pawns & bit) {
                test_same_number(text_of(p), "landing is one way", landed, landed & map.rolls[s]);
            } else {
                test_same_number(text_of(p), "landing is the way", landed, map.rolls[s]);
            }
            kings |= mine & p->pieces[HZ_KING] & bit ? map.rolls[s] : 0;
            queens |= mine & p->pieces[HZ_QUEEN] & bit ? map.rolls[s] : 0;
            test_true(text_of(p), "only pieces are in danger", (mine & bit) || !map.rolls[s]);
        }
        test_same_number(text_of(p), "kings", kings, hz_odds_king(p, defender));
        test_same_number(text_of(p), "queens", queens, hz_odds_queen(p, defender));
    }
}

static void the_danger_map_holds_the_odds_of_kings_and_queens(void **state) {
    (void)state;
    on_boards(5, 1000, check_map);
}

/* Whether every roll of one map is in the other. */
static void check_more(const hz_position *less, const hz_position *more, const char *what) {
    for (int color = 0; color < 2; color++) {
        hz_danger_map a, b;
        hz_odds_danger(less, (hz_color)color, &a);
        hz_odds_danger(more, (hz_color)color, &b);
        for (int s = 0; s < 64; s++) {
            test_same_number(text_of(more), what, 0, a.rolls[s] & ~b.rolls[s]);
        }
    }
}

static void check_rights(ref_random *random, const hz_position *p) {
    hz_position less = *p, more = *p;
    unsigned rights = ref_random_below(random, 16);
    hz_position_set_rights(&less, rights & ref_random_below(random, 16));
    hz_position_set_rights(&more, rights);
    check_more(&less, &more, "more castling rights");
}

static void castling_rights_never_lose_a_roll(void **state) {
    (void)state;
    on_boards(6, 1000, check_rights);
}

static void check_targets(ref_random *random, const hz_position *p) {
    hz_position less = *p;
    hz_position_set_targets(&less, p->targets & ref_random_next(random));
    check_more(&less, p, "more en-passant targets");
}

static void en_passant_targets_never_lose_a_roll(void **state) {
    (void)state;
    on_boards(7, 1500, check_targets);
}

/* A die that captures at once makes every roll with it succeed. */
static void check_one_die(ref_random *random, const hz_position *p) {
    (void)random;
    for (int color = 0; color < 2; color++) {
        hz_color attacker = (hz_color)color;
        hz_move_list list;
        for (unsigned type = 0; type < HZ_PIECE_TYPES; type++) {
            hz_moves_pseudo_of(p, attacker, 1u << type, &list);
            for (int i = 0; i < list.count; i++) {
                unsigned flags = hz_move_flags(list.moves[i]);
                if (!(flags & HZ_MOVE_CAPTURE) || flags == HZ_MOVE_EN_PASSANT) {
                    continue;
                }
                hz_roll_set rolls =
                    hz_odds_squares(p, attacker, square_set(hz_move_to(list.moves[i])));
                for (int r = 0; r < HZ_ROLLS; r++) {
                    if (hz_pool_count(hz_rolls[r].pool, (hz_piece_type)type)) {
                        test_true(text_of(p), "one die is enough", rolls >> r & 1);
                    }
                }
            }
        }
    }
}

static void one_capturing_die_is_enough(void **state) {
    (void)state;
    on_boards(8, 300, check_one_die);
}

static bool until_a_king_falls(void *context, const hz_turn *turn, const hz_position *after) {
    (void)context;
    (void)after;
    return !turn->took_king;
}

/* A turn that takes a king exists exactly for the rolls of the king odds. */
static void check_turns(ref_random *random, const hz_position *p) {
    for (int color = 0; color < 2; color++) {
        hz_roll_set rolls = hz_odds_king(p, other((hz_color)color));
        for (unsigned r = ref_random_below(random, 4); r < HZ_ROLLS; r += 4) {
            hz_position q = *p;
            hz_position_set_side(&q, (hz_color)color);
            hz_position_set_pool(&q, hz_rolls[r].pool);
            hz_status found = hz_turns_visit(&q, NULL, NULL, until_a_king_falls, NULL);
            test_same_number(text_of(&q), "a turn takes a king", found == HZ_INCOMPLETE,
                             rolls >> r & 1);
        }
    }
}

static void king_odds_are_the_rolls_with_a_winning_turn(void **state) {
    (void)state;
    on_boards(9, 40, check_turns);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exchanging_the_colours_exchanges_the_rolls),
        cmocka_unit_test(mirroring_the_files_changes_nothing_without_rights),
        cmocka_unit_test(side_pool_and_clocks_are_not_read),
        cmocka_unit_test(a_set_of_squares_is_the_union_of_its_enemy_squares),
        cmocka_unit_test(the_danger_map_holds_the_odds_of_kings_and_queens),
        cmocka_unit_test(castling_rights_never_lose_a_roll),
        cmocka_unit_test(en_passant_targets_never_lose_a_roll),
        cmocka_unit_test(one_capturing_die_is_enough),
        cmocka_unit_test(king_odds_are_the_rolls_with_a_winning_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
