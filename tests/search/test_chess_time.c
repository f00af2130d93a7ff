/* SPDX-License-Identifier: MIT */
/* Clocks, chances and distances of mates. */
#include "search/chess_games.h"

static void a_move_never_takes_what_is_not_there(void **state) {
    (void)state;
    static const int64_t values[] = {
        INT64_MIN,       -5,       0, 1, 2, 10, 50, 1000, 60000, 7200000, 86400000, 1000000000,
        INT64_MAX / 100, INT64_MAX};
    enum { N = sizeof values / sizeof values[0] };
    for (int l = 0; l < N; l++) {
        for (int i = 0; i < N; i++) {
            for (int o = 0; o < N; o++) {
                for (int64_t m = -1; m < 80; m += m < 3 ? 1 : 19) {
                    uint64_t optimum, maximum;
                    hz_chess_time(values[l], values[i], m, values[o], &optimum, &maximum);
                    assert_true(optimum >= 1000000 && optimum <= maximum);
                    if (maximum > 1000000) {
                        uint64_t left = (uint64_t)values[l];
                        assert_true(maximum / 1000000 <= left);
                        assert_true(m == 1 || maximum / 1000000 <= left / 3);
                        int64_t over = values[o] < 0 ? 0 : values[o];
                        assert_true((int64_t)(maximum / 1000000) <= values[l] - over);
                    }
                }
            }
        }
    }
}

static void more_time_gives_more_time(void **state) {
    (void)state;
    uint64_t before = 0;
    for (int64_t left = 100; left < 4000000; left *= 2) {
        uint64_t optimum, maximum;
        hz_chess_time(left, 0, 0, 10, &optimum, &maximum);
        assert_true(optimum > before);
        before = optimum;
    }
    uint64_t without, with, most;
    hz_chess_time(60000, 0, 0, 10, &without, &most);
    hz_chess_time(60000, 1000, 0, 10, &with, &most);
    assert_true(with > without);
    hz_chess_time(60000, 0, 5, 10, &with, &most);
    assert_true(with > without);
}

/* A whole game at the optimum: 60 moves of 60 s + 0, 200 moves of 2 s + 20 ms. */
static void games_end_before_their_time(void **state) {
    (void)state;
    static const int64_t games[][4] = {{60000, 0, 0, 120}, {2000, 20, 0, 300}, {60000, 0, 40, 160}};
    for (int g = 0; g < 3; g++) {
        int64_t left_ms = games[g][0];
        for (int64_t move = 0; move < games[g][3]; move++) {
            uint64_t optimum, maximum;
            int64_t control = games[g][2], to_go = control ? control - move % control : 0;
            hz_chess_time(left_ms, games[g][1], to_go, 10, &optimum, &maximum);
            /* Every fourth move takes the most. */
            left_ms -= (int64_t)((move % 4 ? optimum : maximum) / 1000000);
            assert_true(left_ms >= 0);
            left_ms += games[g][1];
            if (to_go == 1) {
                left_ms += games[g][0];
            }
        }
    }
}

static void mates_are_counted_in_moves(void **state) {
    (void)state;
    static const int32_t cases[][2] = {{HZ_CHESS_MATE - 1, 1},
                                       {HZ_CHESS_MATE - 3, 2},
                                       {HZ_CHESS_MATE - 9, 5},
                                       {-HZ_CHESS_MATE + 2, -1},
                                       {-HZ_CHESS_MATE + 4, -2},
                                       {HZ_CHESS_SCORE_MAX, 0},
                                       {-HZ_CHESS_SCORE_MAX, 0},
                                       {0, 0},
                                       {300, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(hz_chess_mate_in(cases[i][0]), cases[i][1]);
    }
}

static void chances_add_up_and_grow_with_the_score(void **state) {
    (void)state;
    int before[3] = {0, 0, 1000};
    for (int32_t score = -HZ_CHESS_MATE; score <= HZ_CHESS_MATE;
         score += score >= -1000 && score < 1000 ? 1 : 100) {
        int wdl[3], mirrored[3];
        hz_chess_wdl(score, wdl);
        hz_chess_wdl(-score, mirrored);
        assert_int_equal(wdl[0] + wdl[1] + wdl[2], 1000);
        assert_true(wdl[0] >= before[0] && wdl[1] >= 0 && wdl[2] <= before[2] && wdl[2] >= 0);
        assert_int_equal(wdl[0], mirrored[2]);
        memcpy(before, wdl, sizeof before);
    }
    assert_int_equal(before[0], 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_move_never_takes_what_is_not_there),
        cmocka_unit_test(more_time_gives_more_time),
        cmocka_unit_test(games_end_before_their_time),
        cmocka_unit_test(mates_are_counted_in_moves),
        cmocka_unit_test(chances_add_up_and_grow_with_the_score),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
