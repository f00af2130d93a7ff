/* SPDX-License-Identifier: MIT */
/*
 * The most dice a line can spend, which is found without trying the dice that are seen to be dead;
 * against plain trying of everything, on boards where pieces stand in each other's way.
 */
#include "ref/ref_random.h"
#include "support/turns.h"

/* By definition: the longest of all lines. */
static unsigned by_trying(const hz_position *position) {
    hz_move_list list;
    unsigned most = 0, size = hz_pool_size(position->pool);
    if (size == 0) {
        return 0;
    }
    hz_moves_playable(position, &list);
    for (int i = 0; i < list.count && most < size; i++) {
        hz_position child = *position;
        bool took_king;
        assert_int_equal(hz_move_apply(&child, list.moves[i], &took_king, NULL), HZ_OK);
        unsigned spent = size - hz_pool_size(child.pool) + (took_king ? 0 : by_trying(&child));
        most = spent > most ? spent : most;
    }
    return most;
}

static void maximum_is_the_longest_line_that_trying_finds(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed());
    size_t less = 0;
    for (size_t i = 0; i < test_effort(6000); i++) {
        char dfen[REF_DFEN_CAPACITY];
        if (i % 3 == 0) {
            ref_random_played(&random, REF_BEFORE_ROLL, dfen);
        } else {
            ref_random_placed(&random, (ref_style)(i % REF_STYLES), dfen);
        }
        hz_position position = test_position(dfen);
        for (int roll = 0; roll < HZ_ROLLS; roll++) {
            hz_position_set_pool(&position, hz_rolls[roll].pool);
            unsigned expected = by_trying(&position);
            test_same_number(test_dfen(&position, dfen), "most dice", expected,
                             (unsigned)hz_dice_max(&position));
            less += expected > 0 && expected < 3;
        }
    }
    test_met(less > 0);
}

static void piece_that_waits_moves_when_its_square_becomes_free(void **state) {
    (void)state;
    static const struct {
        const char *dfen;
        unsigned most;
    } cases[] = {
        /* king and queen in each other's way, nobody can begin */
        {"k7/8/8/8/8/8/2PPPP2/2BQKB2 w - - 0 1 QQK", 0},
        /* the pawn lets the queen out, and she the king */
        {"k7/8/8/8/8/8/2PPPP2/2BQKB2 w - - 0 1 PQK", 3},
        {"k7/8/8/8/8/8/2PPPP2/2BQKB2 w - - 0 1 PNR", 1},
        /* the knight waits for the queen, and she for the pawn */
        {"k7/8/8/8/8/1RRP4/1RQB4/NRRBK3 w - - 0 1 PNQ", 3},
        {"k7/8/8/8/8/1RRP4/1RQB4/NRRBK3 w - - 0 1 NQQ", 0},
        /* the bishop takes what stands before the pawn, and goes on */
        {"k7/8/8/4p3/4P3/8/8/B3K3 w - - 0 1 PBB", 3},
        {"k7/8/8/4p3/4P3/8/8/B3K3 w - - 0 1 PB", 1},
        {"4k3/8/8/4p3/4P3/8/8/b3K3 w - - 0 1 PKK", 2},
        /* a target comes into force when the knight leaves it */
        {"4k3/8/4NB2/4pP2/8/8/8/4K3 w - e6 0 1 PN", 2},
        {"4k3/8/4NB2/4pP2/8/8/8/4K3 w - - 0 1 PN", 1},
        {"4k3/8/8/8/4Pp2/4nb2/8/4K3 b - e3 0 1 PN", 2},
        /* the pawn becomes the piece that is asked for */
        {"8/4P3/8/8/8/k7/8/K7 w - - 0 1 PRR", 3},
        {"8/8/8/4P3/8/k7/8/K7 w - - 0 1 PPR", 2},
        {"8/8/4P3/8/8/k7/8/K7 w - - 0 1 PPN", 3},
        {"8/8/8/k7/8/4p3/8/K7 b - - 0 1 PPQ", 3},
        {"8/8/8/k7/4p3/8/8/K7 b - - 0 1 PPQ", 2},
        {"8/8/8/8/4p3/k7/8/K7 b - - 0 1 PPP", 3},
        /* castling makes room for the knight */
        {"4k3/8/8/8/1P1P4/P3P3/2N5/P3K2R w K - 0 1 NRK", 3},
        {"4k3/8/8/8/1P1P4/P3P3/2N5/P3K3 w - - 0 1 NR", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hz_position position = test_position(cases[i].dfen);
        test_same_number(cases[i].dfen, "by trying", cases[i].most, by_trying(&position));
        test_same_number(cases[i].dfen, "most dice", cases[i].most,
                         (unsigned)hz_dice_max(&position));
    }
}

static void there_is_a_move_when_one_is_playable(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed());
    size_t none = 0;
    for (size_t i = 0; i < test_effort(20000); i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_position(&random, dfen);
        hz_position position = test_position(dfen);
        hz_move_list list;
        hz_moves_playable(&position, &list);
        none += position.pool != 0 && list.count == 0;
        test_true(dfen, "any", hz_moves_any(&position) == (position.pool && list.count > 0));
    }
    test_met(none > 0);
}

static void of_all_numbers_only_listed_moves_are_pseudo_legal(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed());
    for (size_t i = 0; i < test_effort(300); i++) {
        char dfen[REF_DFEN_CAPACITY];
        bool listed[1 << 16] = {false};
        ref_random_position(&random, dfen);
        hz_position position = test_position(dfen);
        hz_move_list list;
        hz_moves_pseudo_of(&position, (hz_color)position.side, 63, &list);
        for (int m = 0; m < list.count; m++) {
            listed[list.moves[m]] = true;
        }
        for (unsigned move = 0; move < 1 << 16; move++) {
            if (hz_move_is_pseudo_legal(&position, (hz_move)move) != listed[move]) {
                test_same_number(dfen, "move", 1 << 16, move);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maximum_is_the_longest_line_that_trying_finds),
        cmocka_unit_test(piece_that_waits_moves_when_its_square_becomes_free),
        cmocka_unit_test(there_is_a_move_when_one_is_playable),
        cmocka_unit_test(of_all_numbers_only_listed_moves_are_pseudo_legal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
