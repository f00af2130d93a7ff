/* SPDX-License-Identifier: MIT */
/* Published counts, and the counts on which typical mistakes show. */
#include "odds/boards.h"

static hz_roll_set odds(const char *dfen, const char *defender, const char *target, bool twin) {
    hz_position p = test_position(dfen);
    hz_color color = color_from(defender);
    if (target[0] == 'K') {
        return twin ? ref_odds_king(&p, color) : hz_odds_king(&p, color);
    }
    return twin ? ref_odds_queen(&p, color) : hz_odds_queen(&p, color);
}

static void published_counts_hold(void **state) {
    (void)state;
    test_table table = test_table_load("odds_counts.tsv", 4);
    for (size_t i = 0; i < table.count; i++) {
        const char *const *f = table.rows[i].field;
        test_same_number(f[0], f[2], test_number(f[3]),
                         hz_roll_set_weight(odds(f[0], f[1], f[2], false)));
    }
    test_table_free(&table);
}

/* The twin must be right before it may judge. */
static void the_twin_knows_the_published_counts(void **state) {
    (void)state;
    test_table table = test_table_load("odds_counts.tsv", 4);
    for (size_t i = 0; i < table.count; i++) {
        const char *const *f = table.rows[i].field;
        test_same_number(f[0], f[2], test_number(f[3]),
                         hz_roll_set_weight(odds(f[0], f[1], f[2], true)));
    }
    test_table_free(&table);
}

static void typical_mistakes_are_not_made(void **state) {
    (void)state;
    test_table table = test_table_load("odds_traps.tsv", 6);
    for (size_t i = 0; i < table.count; i++) {
        const char *const *f = table.rows[i].field;
        assert_int_not_equal(test_number(f[4]), test_number(f[5]));
        test_same_number(f[1], f[0], test_number(f[4]),
                         hz_roll_set_weight(odds(f[1], f[2], f[3], false)));
        test_same_number(f[1], f[0], test_number(f[4]),
                         hz_roll_set_weight(odds(f[1], f[2], f[3], true)));
    }
    test_table_free(&table);
}

static void four_counts_of_a_position_hold(void **state) {
    (void)state;
    test_table table = test_table_load("odds_positions.tsv", 5);
    for (size_t i = 0; i < table.count; i++) {
        const char *const *f = table.rows[i].field;
        hz_position p = test_position(f[0]);
        for (int color = 0; color < 2; color++) {
            hz_roll_set king, queen;
            hz_odds_king_queen(&p, (hz_color)color, &king, &queen);
            test_same_number(f[0], color ? "Black's king" : "White's king",
                             test_number(f[1 + 2 * color]), hz_roll_set_weight(king));
            test_same_number(f[0], color ? "Black's queens" : "White's queens",
                             test_number(f[2 + 2 * color]), hz_roll_set_weight(queen));
        }
    }
    test_table_free(&table);
}

/* Castling is possible for Black here, but helps nobody. */
static void useless_rights_change_nothing(void **state) {
    (void)state;
    static const char *const pair[2] = {
        "RNB1K2R/PPPPP2P/8/1Q6/5RN1/2n1B3/p1pppp1p/r1bkqbnQ b kq - 0 1",
        "RNB1K2R/PPPPP2P/8/1Q6/5RN1/2n1B3/p1pppp1p/r1bkqbnQ b - - 0 1"};
    for (int i = 0; i < 4; i++) {
        const char *defender = i & 1 ? "b" : "w", *target = i & 2 ? "K" : "Q";
        test_same_number(pair[0], target, odds(pair[1], defender, target, false),
                         odds(pair[0], defender, target, false));
    }
}

static void a_roll_that_holds_a_capturing_die_succeeds(void **state) {
    (void)state;
    /* One attacking type, two, four; kings attack each other. */
    static const struct {
        const char *dfen;
        unsigned rolls;
    } facts[] = {
        {"k7/8/8/8/8/8/8/R6K w - - 0 1", 91},
        {"k7/8/1N6/8/8/8/8/R6K w - - 0 1", 152},
        {"k6Q/1P6/1N6/8/8/8/8/R6K w - - 0 1", 208},
        {"k7/1K6/1N6/8/8/8/8/8 w - - 0 1", 152},
    };
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        test_same_number(facts[i].dfen, "rolls", facts[i].rolls,
                         hz_roll_set_weight(odds(facts[i].dfen, "b", "K", false)));
    }
}

static void a_king_on_the_way_does_not_stop_the_line(void **state) {
    (void)state;
    const char *dfen = "8/3Q2p1/5K2/6Q1/8/8/8/8 w - - 0 1";
    test_same_number(dfen, "queens through the king", 16,
                     hz_roll_set_weight(odds(dfen, "w", "Q", false)));
}

static void the_maximum_rule_is_not_asked(void **state) {
    (void)state;
    /* Only 75 rolls have a legal turn that takes the queen. */
    const char *dfen = "4k3/8/8/8/p7/q7/1P6/4K3 w - - 0 1";
    test_same_number(dfen, "queen", 91, hz_roll_set_weight(odds(dfen, "b", "Q", false)));
}

static void nothing_to_capture_is_no_roll(void **state) {
    (void)state;
    hz_position p = test_position("8/8/8/3Q4/8/8/8/8 w - - 0 1");
    hz_roll_set king = 1, queen = 1;
    hz_odds_king_queen(&p, HZ_BLACK, &king, &queen);
    assert_int_equal(king, 0);
    assert_int_equal(queen, 0);
    assert_int_equal(hz_odds_king(&p, HZ_WHITE), 0);
    assert_int_equal(hz_odds_queen(&p, HZ_WHITE), 0); /* nobody is there to take it */
    p = test_position(HZ_START_DFEN);
    assert_int_equal(hz_odds_king(&p, HZ_WHITE), 0);
    assert_int_equal(hz_odds_queen(&p, HZ_BLACK), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_counts_hold),
        cmocka_unit_test(the_twin_knows_the_published_counts),
        cmocka_unit_test(typical_mistakes_are_not_made),
        cmocka_unit_test(four_counts_of_a_position_hold),
        cmocka_unit_test(useless_rights_change_nothing),
        cmocka_unit_test(a_roll_that_holds_a_capturing_die_succeeds),
        cmocka_unit_test(a_king_on_the_way_does_not_stop_the_line),
        cmocka_unit_test(the_maximum_rule_is_not_asked),
        cmocka_unit_test(nothing_to_capture_is_no_roll),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
