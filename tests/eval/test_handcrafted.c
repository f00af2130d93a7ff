/* SPDX-License-Identifier: MIT */
/* The handcrafted evaluation against known scores, against its slow twin, and turned around. */
#include <hazard/eval.h>

#include "ref/ref_handcrafted.h"
#include "ref/ref_random.h"
#include "support/positions.h"

#include <stdlib.h>
#include <string.h>

static void known_positions_have_their_scores(void **state) {
    (void)state;
    test_table table = test_table_load("eval_handcrafted.tsv", 2);
    assert_true(table.count >= 41);
    for (size_t i = 0; i < table.count; i++) {
        hz_position p = test_position(table.rows[i].field[0]);
        int32_t score = hz_evaluate_handcrafted(&p, (hz_color)p.side);
        int32_t expected = (int32_t)strtol(table.rows[i].field[1], NULL, 10);
        if (score != expected) {
            fail_msg("%s: %d, expected %d", table.rows[i].field[0], (int)score, (int)expected);
        }
    }
    test_table_free(&table);
}

/* Both fast and portable bit arithmetic, on positions of games and on any placement with at most
 * one king a side. */
static void random_positions_have_the_score_of_the_slow_twin(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed());
    size_t kingless = 0;
    for (size_t i = 0, rounds = test_effort(6000); i < rounds; i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_position slow;
        if (i % 3 == 0) {
            ref_random_played(&random, REF_BEFORE_ROLL, dfen);
        } else {
            ref_random_placed(&random, (ref_style)(i % REF_STYLES), dfen);
        }
        assert_true(ref_from_dfen(&slow, dfen));
        hz_position p = test_position(dfen);
        uint64_t kings = p.pieces[HZ_KING];
        if (__builtin_popcountll(kings & p.colors[0]) > 1 ||
            __builtin_popcountll(kings & p.colors[1]) > 1) {
            continue;
        }
        kingless += kings == 0;
        for (int color = 0; color < 2; color++) {
            int32_t score = hz_evaluate_handcrafted(&p, (hz_color)color);
            int expected = ref_handcrafted(&slow, color ? 'b' : 'w');
            if (score != expected) {
                fail_msg("%s for %s: %d, expected %d", dfen, color ? "Black" : "White", (int)score,
                         expected);
            }
        }
    }
    test_met(kingless > 0);
}

static void changing_colours_changes_the_sign(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed() + 1);
    for (size_t i = 0, rounds = test_effort(10000); i < rounds; i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_played(&random, REF_BEFORE_ROLL, dfen);
        hz_position p = test_position(dfen);
        hz_position flipped = hz_position_flip(&p);
        int32_t white = hz_evaluate_handcrafted(&p, HZ_WHITE);
        if (hz_evaluate_handcrafted(&p, HZ_BLACK) != -white) {
            fail_msg("%s: White's and Black's scores do not cancel", dfen);
        }
        if (hz_evaluate_handcrafted(&flipped, HZ_BLACK) != white) {
            fail_msg("%s: another score with the colours changed", dfen);
        }
    }
}

static void only_the_placement_counts(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed() + 2);
    for (size_t i = 0, rounds = test_effort(500); i < rounds; i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_played(&random, REF_ROLLED, dfen);
        hz_position p = test_position(dfen), other = p;
        hz_position_set_side(&other, (hz_color)(p.side ^ 1));
        hz_position_set_rights(&other, 0);
        hz_position_set_targets(&other, 0);
        hz_position_set_pool(&other, 0);
        other.halfmove = 99;
        test_true(dfen, "the same score",
                  hz_evaluate_handcrafted(&p, HZ_WHITE) ==
                      hz_evaluate_handcrafted(&other, HZ_WHITE));
    }
}

/* Sixty-four queens are far from where the two phases of a score would run into each other. */
static void boards_full_of_queens_are_judged(void **state) {
    (void)state;
    char dfen[] =
        "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ w - - 0 1";
    ref_position slow;
    assert_true(ref_from_dfen(&slow, dfen));
    hz_position p = test_position(dfen);
    assert_int_equal(hz_evaluate_handcrafted(&p, HZ_WHITE), ref_handcrafted(&slow, 'w'));
    assert_int_equal(hz_evaluate_handcrafted(&p, HZ_BLACK), ref_handcrafted(&slow, 'b'));
    assert_true(hz_evaluate_handcrafted(&p, HZ_WHITE) > 50000);
}

static void it_is_an_evaluator_by_name(void **state) {
    (void)state;
    hz_evaluator evaluator;
    assert_int_equal(hz_evaluator_static("Handcrafted", &evaluator, NULL), HZ_OK);
    hz_position positions[3];
    int32_t scores[3];
    positions[0] = test_position("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    positions[1] = test_position("6k1/5ppp/8/8/8/8/5PPP/3R2K1 b - - 0 1");
    positions[2] = test_position(HZ_START_DFEN);
    assert_int_equal(hz_evaluator_score(&evaluator, positions, 3, HZ_BLACK, scores), HZ_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(scores[i], hz_evaluate_handcrafted(&positions[i], HZ_BLACK));
    }
    assert_true(scores[0] < -400);
    assert_int_equal(scores[0], scores[1]);
    assert_int_equal(scores[2], 0);
    hz_evaluator_close(&evaluator);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_positions_have_their_scores),
        cmocka_unit_test(random_positions_have_the_score_of_the_slow_twin),
        cmocka_unit_test(changing_colours_changes_the_sign),
        cmocka_unit_test(only_the_placement_counts),
        cmocka_unit_test(boards_full_of_queens_are_judged),
        cmocka_unit_test(it_is_an_evaluator_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
