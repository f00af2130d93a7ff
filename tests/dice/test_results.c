/* SPDX-License-Identifier: MIT */
/*
 * Results: the list a bot chooses from and the count of distinct boards, against the slow oracle
 * that groups texts; and that neither memory nor the way of asking changes an answer.
 */
#include <string.h>

#include "ref/ref_random.h"
#include "support/turns.h"

enum { MOST_LINES = 6000 };

static void check_results(const char *dfen, hz_arena *arena) {
    ref_position slow = test_slow(dfen);
    ref_turns turns;
    if (!ref_legal_turns(&slow, MOST_LINES, &turns)) {
        return;
    }
    ref_results expected;
    ref_results_of(&slow, &turns, &expected);
    hz_position position = test_position(dfen);
    hz_result_list list;
    hz_arena_reset(arena);
    test_same_text(dfen, "results", "OK",
                   hz_status_name(hz_results_list(&position, NULL, arena, &list, NULL)));
    test_same_number(dfen, "results", expected.count, list.count);
    test_same_number(dfen, "sequences", turns.count, list.sequences);
    ptrdiff_t winning = -1;
    for (size_t i = 0; i < list.count; i++) {
        char text[HZ_TURN_CAPACITY], after[HZ_DFEN_CAPACITY];
        const hz_result *result = &list.results[i];
        test_same_text(dfen, "canonical turn", expected.result[i].turn,
                       test_turn(&result->turn, text));
        test_same_text(dfen, text, expected.result[i].after, test_dfen(&result->after, after));
        test_same_number(dfen, text, expected.result[i].king, result->turn.took_king);
        test_true(dfen, text, result->after.key == hz_position_fresh_key(&result->after));
        if (expected.result[i].king) {
            winning = (ptrdiff_t)i;
        }
    }
    test_true(dfen, "winning class", list.winning == winning);
    ref_results_free(&expected);
    ref_turns_free(&turns);
}

static void results_match_the_oracle(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed());
    hz_arena arena;
    hz_arena_init(&arena, 0);
    for (size_t i = 0; i < test_effort(2500); i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_position(&random, dfen);
        check_results(dfen, &arena);
    }
    hz_arena_fini(&arena);
}

/* Castling makes turns of different length meet in one board: the canonical turn is the shorter. */
static void castling_results_match_the_oracle(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed());
    hz_arena arena;
    hz_arena_init(&arena, 0);
    static const char *const pools[] = {"RK", "RKK", "RRK", "PRK", "NRK", "BRK", "QRK"};
    for (size_t i = 0; i < test_effort(700); i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_placed(&random, REF_CASTLING, dfen);
        ref_random_set_pool(dfen, pools[ref_random_below(&random, 7)]);
        check_results(dfen, &arena);
    }
    hz_arena_fini(&arena);
}

/* In text order the first win takes three micro-moves, a later one two, a later one a single one,
 * and between them castling shortens quiet results: every entry must still end up in its place. */
static void entries_shortened_more_than_once_keep_the_order(void **state) {
    (void)state;
    static const char *const positions[] = {
        "7k/8/8/8/8/8/8/R3K2R w KQ - 0 1 RKK",    "r3k2r/8/8/8/8/8/8/7K b kq - 0 1 rkk",
        "7k/8/8/8/8/8/8/R3K2R w KQ - 0 1 RRK",    "k7/8/8/8/8/8/8/R3K2R w KQ - 5 1 RKK",
        "7k/7p/8/8/8/8/8/R3K2R w KQ - 126 1 RKK",
    };
    hz_arena arena;
    hz_arena_init(&arena, 0);
    for (size_t i = 0; i < sizeof positions / sizeof positions[0]; i++) {
        check_results(positions[i], &arena);
    }
    hz_arena_fini(&arena);
}

static void roll_without_a_turn_has_no_result(void **state) {
    (void)state;
    static const char *const positions[] = {HZ_START_DFEN, HZ_START_DFEN " BRQ",
                                            "8/8/8/8/8/8/8/8 w - - 0 1 PNB",
                                            "k7/8/8/8/8/8/8/8 w - - 0 1 QQQ"};
    for (size_t i = 0; i < sizeof positions / sizeof positions[0]; i++) {
        hz_position position = test_position(positions[i]);
        hz_arena arena = {0};
        hz_result_list list = {.count = 99};
        assert_int_equal(hz_results_list(&position, NULL, &arena, &list, NULL), HZ_OK);
        assert_int_equal(list.count, 0);
        assert_int_equal(list.sequences, 0);
        assert_true(list.winning == -1);
        hz_arena_fini(&arena);
    }
}

static const char *const WIDE[] = {
    HZ_START_DFEN " PPP",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 PNQ",
    "r3k2r/8/8/8/8/8/8/5K2 b kq - 0 1 rrk",
    "4k3/8/3Q4/8/8/2Q5/8/4K3 w - - 0 1 QQQ",
};

static void list_without_memory_is_refused_whole(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof WIDE / sizeof WIDE[0]; i++) {
        hz_position position = test_position(WIDE[i]);
        hz_arena arena;
        hz_result_list list;
        size_t enough = 0;
        for (size_t limit = 1024; enough == 0; limit *= 2) {
            hz_arena_init(&arena, limit);
            hz_error err;
            hz_error_clear(&err);
            hz_status status = hz_results_list(&position, NULL, &arena, &list, &err);
            test_true(WIDE[i], "limit", arena.held <= limit);
            if (status == HZ_OK) {
                enough = limit;
            } else {
                test_same_text(WIDE[i], "status", "NO_MEMORY", hz_status_name(status));
                test_same_text(WIDE[i], "code", "NO_MEMORY", hz_status_name(err.code));
                test_same_number(WIDE[i], "empty list", 0, list.count);
            }
            hz_arena_fini(&arena);
        }
        test_true(WIDE[i], "the smallest arenas are too small", enough > 1024);
    }
}

static void count_is_the_same_in_little_memory(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof WIDE / sizeof WIDE[0]; i++) {
        hz_position position = test_position(WIDE[i]);
        hz_turn_counts plenty, little;
        assert_int_equal(hz_turns_count(&position, 0, &plenty, NULL), HZ_OK);
        static const size_t limits[] = {65536, 100000, 1000000};
        for (size_t l = 0; l < sizeof limits / sizeof limits[0]; l++) {
            assert_int_equal(hz_turns_count(&position, limits[l], &little, NULL), HZ_OK);
            test_same_number(WIDE[i], "first", plenty.first, little.first);
            test_same_number(WIDE[i], "turns", plenty.turns, little.turns);
            test_same_number(WIDE[i], "king turns", plenty.king_turns, little.king_turns);
            test_same_number(WIDE[i], "results", plenty.results, little.results);
            test_same_number(WIDE[i], "most dice", (unsigned)plenty.max_dice,
                             (unsigned)little.max_dice);
        }
    }
}

static void count_below_the_least_memory_is_refused(void **state) {
    (void)state;
    hz_position position = test_position(WIDE[0]);
    hz_turn_counts counts;
    hz_error err;
    hz_error_clear(&err);
    assert_int_equal(hz_turns_count(&position, 1, &counts, &err), HZ_NO_MEMORY);
    assert_int_equal(err.code, HZ_NO_MEMORY);
    assert_int_equal(hz_turns_count(&position, 1000, &counts, NULL), HZ_NO_MEMORY);
}

static void counts_agree_with_the_list(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed());
    hz_arena arena;
    hz_arena_init(&arena, 0);
    for (size_t i = 0; i < test_effort(1500); i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_position(&random, dfen);
        hz_position position = test_position(dfen);
        hz_turn_counts counts;
        hz_result_list list;
        if (hz_turns_perft(&position, NULL) > 50000) {
            continue; /* a board full of queens: right or wrong, it would take most of the time */
        }
        hz_arena_reset(&arena);
        assert_int_equal(hz_turns_count(&position, 0, &counts, NULL), HZ_OK);
        assert_int_equal(hz_results_list(&position, NULL, &arena, &list, NULL), HZ_OK);
        test_same_number(dfen, "sequences", counts.turns, list.sequences);
        test_same_number(dfen, "winning class", counts.king_turns > 0, list.winning >= 0);
        if (counts.king_turns == 0) {
            test_same_number(dfen, "results", counts.results, list.count);
        } else { /* king turns are one entry of the list, but counted by their boards */
            test_true(dfen, "results", counts.results >= list.count);
        }
    }
    hz_arena_fini(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_match_the_oracle),
        cmocka_unit_test(castling_results_match_the_oracle),
        cmocka_unit_test(entries_shortened_more_than_once_keep_the_order),
        cmocka_unit_test(roll_without_a_turn_has_no_result),
        cmocka_unit_test(list_without_memory_is_refused_whole),
        cmocka_unit_test(count_is_the_same_in_little_memory),
        cmocka_unit_test(count_below_the_least_memory_is_refused),
        cmocka_unit_test(counts_agree_with_the_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
