/* SPDX-License-Identifier: MIT */
/* Static exchanges against looking at every way to go on, and by hand. */
#include "search/chess_games.h"

#include <stdlib.h>

static void check_moves(const hz_position *p, size_t *losing, size_t *winning) {
    hz_move moves[HZ_CHESS_MOVES_MAX];
    int count = hz_chess_moves(p, moves);
    for (int i = 0; i < count; i++) {
        int32_t fast = hz_chess_exchange(p, moves[i]);
        int slow = ref_exchange(p, moves[i]);
        *losing += slow < 0;
        *winning += slow > 0;
        if (fast != slow) {
            char fen[HZ_DFEN_CAPACITY], text[HZ_MOVE_CAPACITY];
            (void)hz_chess_to_fen(p, fen, sizeof fen);
            (void)hz_move_to_text(moves[i], text);
            fail_msg("%s: %s gains %d, by hand %d", fen, text, (int)fast, slow);
        }
    }
}

static void exchanges_are_those_of_looking_at_every_way(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    size_t losing = 0, winning = 0;
    for (size_t i = 0, rounds = test_effort(400); i < rounds; i++) {
        hz_chess_game game = i % 3 ? game_random(&random, 10 + hz_random_draw(&random, 90))
                                   : game_random_ending(&random);
        check_moves(&game.now, &losing, &winning);
        hz_chess_game_fini(&game);
    }
    test_met(losing > 0 && winning > 0);
}

/* Boards crowded with pieces, more than one king among them. */
static void crowded_boards_are_no_exception(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed() + 1);
    size_t losing = 0, winning = 0;
    for (size_t i = 0, rounds = test_effort(100); i < rounds; i++) {
        hz_position p = hz_position_empty();
        for (int k = 0; k < 44; k++) {
            hz_position_put(&p, (int)hz_random_draw(&random, 64),
                            (hz_color)hz_random_draw(&random, 2),
                            (hz_piece_type)hz_random_draw(&random, 5 + (i % 4 == 0)));
        }
        check_moves(&p, &losing, &winning);
    }
    test_met(losing > 0 && winning > 0);
}

static void exchanges_by_hand(void **state) {
    (void)state;
    static const struct {
        const char *fen, *move;
        int gain;
    } cases[] = {
        {"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 100},      /* for nothing */
        {"4k3/8/4p3/3p4/8/8/3R4/4K3 w - - 0 1", "d2d5", -400},   /* defended */
        {"3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100},    /* the second rook helps */
        {"3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", -400}, /* so does the enemy's */
        {"4k3/8/8/3r4/8/8/8/3QK3 w - - 0 1", "d1d5", 500},       /* queen takes rook */
        {"4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5", 0},        /* taking in passing is not seen */
        {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100},      /* en passant */
        {"4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0},      /* and back */
        {"4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 800},        /* promotion */
        {"1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", -100},     /* at once taken */
        {"1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", 1300},     /* by taking */
        {"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", 0},         /* castling */
        {"4k3/8/2n5/3p4/8/4K3/8/8 w - - 0 1", "e3e4", -10000},   /* legality is not asked */
        {"8/8/3k4/3p4/4K3/8/8/8 w - - 0 1", "e4d5", -9900},      /* a king for a pawn */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hz_position p;
        assert_int_equal(hz_chess_from_fen(&p, cases[i].fen, strlen(cases[i].fen), NULL), HZ_OK);
        int from = hz_square_from_text(cases[i].move, 2);
        int to = hz_square_from_text(cases[i].move + 2, 2);
        hz_move move = 0;
        if (hz_chess_move_from_text(&p, cases[i].move, strlen(cases[i].move), &move, NULL) !=
            HZ_OK) {
            move = hz_move_make(
                from, to,
                hz_position_type_at(&p, to) == HZ_NO_PIECE ? 0 : (unsigned)HZ_MOVE_CAPTURE);
        }
        int32_t gain = hz_chess_exchange(&p, move);
        if (gain != cases[i].gain) {
            fail_msg("%s %s: %d, not %d", cases[i].fen, cases[i].move, (int)gain, cases[i].gain);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exchanges_are_those_of_looking_at_every_way),
        cmocka_unit_test(crowded_boards_are_no_exception),
        cmocka_unit_test(exchanges_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
