/* SPDX-License-Identifier: MIT */
/* Micro-move perft on fresh positions against the slow oracle; the published numbers are in
 * test_facts.c. */
#include "ref/ref_random.h"
#include "support/turns.h"

static void perft_of_random_positions_matches_the_oracle(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed());
    for (size_t i = 0; i < test_effort(1200); i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_position(&random, dfen);
        hz_position position = test_position(dfen);
        ref_position slow = test_slow(dfen);
        uint64_t nodes = 1;
        for (int depth = 0; depth <= 3 && nodes < 300; depth++) {
            nodes = ref_perft(&slow, depth);
            test_same_number(dfen, "nodes", nodes, hz_dice_perft(&position, depth));
        }
    }
}

static void depth_zero_is_one_and_depth_one_the_pseudo_legal_moves(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed());
    for (size_t i = 0; i < test_effort(500); i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_position(&random, dfen);
        hz_position position = test_position(dfen);
        hz_move_list list;
        hz_moves_pseudo(&position, &list);
        test_same_number(dfen, "depth 0", 1, hz_dice_perft(&position, 0));
        test_same_number(dfen, "depth 1", (unsigned)list.count, hz_dice_perft(&position, 1));
    }
}

static void castling_is_counted_under_the_king_die_alone(void **state) {
    (void)state;
    hz_position position = test_position("4k3/8/8/8/8/8/8/4K2R w K - 0 1 K");
    assert_int_equal(hz_dice_perft(&position, 1), 6);
}

static void deepest_depth_ends_where_nothing_moves(void **state) {
    (void)state;
    /* locked pawns: no move on either side, so every depth counts nothing */
    hz_position position = test_position("8/8/8/p7/P7/8/8/8 w - - 0 1 PPP");
    assert_int_equal(hz_dice_perft(&position, 64), 0);
    position = test_position("8/8/8/8/8/8/8/8 b - - 0 1");
    assert_int_equal(hz_dice_perft(&position, 64), 0);
    assert_int_equal(hz_dice_perft(&position, 0), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(perft_of_random_positions_matches_the_oracle),
        cmocka_unit_test(depth_zero_is_one_and_depth_one_the_pseudo_legal_moves),
        cmocka_unit_test(castling_is_counted_under_the_king_die_alone),
        cmocka_unit_test(deepest_depth_ends_where_nothing_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
