/* SPDX-License-Identifier: MIT */
/*
 * Legal moves against known counts, against a slow generator that tries everything, and against the
 * promises of the header on boards that are no chess.
 */
#include <hazard/chess.h>

#include "ref/ref_chess.h"
#include "ref/ref_random.h"
#include "support/positions.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

static hz_position read_fen(const char *text) {
    hz_position position;
    hz_error err;
    if (hz_chess_from_fen(&position, text, strlen(text), &err) != HZ_OK) {
        fail_msg("%s: %s", text, err.message);
    }
    return position;
}

static void trees_have_the_published_sizes(void **state) {
    (void)state;
    test_table table = test_table_load("chess_perft.tsv", 3);
    assert_true(table.count >= 30);
    for (size_t i = 0; i < table.count; i++) {
        hz_position position = read_fen(table.rows[i].field[0]);
        int depth = (int)test_number(table.rows[i].field[1]);
        uint64_t leaves = test_number(table.rows[i].field[2]);
        uint64_t found = hz_chess_perft(&position, depth);
        if (found != leaves) {
            fail_msg("%s depth %d: %llu leaves, not %llu", table.rows[i].field[0], depth,
                     (unsigned long long)found, (unsigned long long)leaves);
        }
    }
    test_table_free(&table);
}

/* Every move code there is, played on the board as its flags say, king then not attacked. */
static int slow_count(const hz_position *p, hz_move *moves) {
    int count = 0;
    static const unsigned flag_sets[] = {0,
                                         HZ_MOVE_DOUBLE_STEP,
                                         HZ_MOVE_CASTLE_KING,
                                         HZ_MOVE_CASTLE_QUEEN,
                                         HZ_MOVE_CAPTURE,
                                         HZ_MOVE_EN_PASSANT,
                                         8,
                                         9,
                                         10,
                                         11,
                                         12,
                                         13,
                                         14,
                                         15};
    uint64_t own = p->colors[p->side], enemy = p->colors[p->side ^ 1], all = own | enemy;
    int up = p->side == HZ_WHITE ? 8 : -8;
    for (int from = 0; from < 64; from++) {
        if (!(own >> from & 1)) {
            continue;
        }
        hz_piece_type type = hz_position_type_at(p, from);
        for (int to = 0; to < 64; to++) {
            if (own >> to & 1) {
                continue;
            }
            for (size_t k = 0; k < sizeof flag_sets / sizeof flag_sets[0]; k++) {
                unsigned flags = flag_sets[k];
                bool takes = enemy >> to & 1;
                bool good =
                    (flags & HZ_MOVE_CAPTURE) ? takes || flags == HZ_MOVE_EN_PASSANT : !takes;
                int files = (to & 7) - (from & 7), ranks = (to >> 3) - (from >> 3);
                int far_rank = p->side == HZ_WHITE ? 7 : 0, home = p->side == HZ_WHITE ? 1 : 6;
                if (type == HZ_PAWN) {
                    bool last = to >> 3 == far_rank;
                    good = good && last == ((flags & HZ_MOVE_PROMOTION) != 0);
                    if (flags == HZ_MOVE_EN_PASSANT) {
                        good = good && (p->targets >> to & 1) && !(all >> to & 1) &&
                               (files == 1 || files == -1) && to - from == up + files &&
                               to >> 3 == (p->side == HZ_WHITE ? 5 : 2) &&
                               hz_position_type_at(p, to - up) == HZ_PAWN &&
                               (enemy >> (to - up) & 1);
                    } else if (flags & HZ_MOVE_CAPTURE) {
                        good = good && (files == 1 || files == -1) && to - from == up + files;
                    } else if (flags == HZ_MOVE_DOUBLE_STEP) {
                        good = good && to - from == 2 * up && from >> 3 == home &&
                               !(all >> (from + up) & 1);
                    } else {
                        good = good && to - from == up && (flags & ~11u) == 0 &&
                               (flags == 0 || (flags & 8));
                    }
                } else if ((flags & 14u) == 2u) {
                    bool king_side = flags == HZ_MOVE_CASTLE_KING;
                    int square = p->side == HZ_WHITE ? 4 : 60;
                    int rook = king_side ? square + 3 : square - 4, step = king_side ? 1 : -1;
                    unsigned right = (king_side ? 1u : 2u) << (p->side == HZ_WHITE ? 0 : 2);
                    good = good && type == HZ_KING && from == square && to == square + 2 * step &&
                           (p->rights & right) && (own >> rook & 1) &&
                           hz_position_type_at(p, rook) == HZ_ROOK;
                    for (int s = square + step; good && s != rook; s += step) {
                        good = !(all >> s & 1);
                    }
                    for (int s = square; good && s != square + 3 * step; s += step) {
                        good = !hz_position_attackers(p, s, (hz_color)(p->side ^ 1));
                    }
                } else {
                    good = good && (flags == 0 || flags == HZ_MOVE_CAPTURE) &&
                           (type != HZ_KING || (files * files <= 1 && ranks * ranks <= 1)) &&
                           (hz_position_attackers(p, to, (hz_color)p->side) >> from & 1);
                }
                if (good) {
                    hz_move move = hz_move_make(from, to, flags);
                    hz_position after = *p;
                    hz_position_play(&after, move);
                    if (!hz_chess_in_check(&after, (hz_color)p->side)) {
                        moves[count++] = move;
                    }
                }
            }
        }
    }
    return count;
}

static int by_number(const void *a, const void *b) {
    return (int)*(const hz_move *)a - (int)*(const hz_move *)b;
}

static void compare_with_slow(const hz_position *p) {
    hz_move fast[HZ_CHESS_MOVES_MAX], slow[4096];
    int n = hz_chess_moves(p, fast), k = slow_count(p, slow);
    char fen[HZ_DFEN_CAPACITY];
    (void)hz_position_to_dfen(p, fen, sizeof fen);
    if (n != k) {
        fail_msg("%s: %d moves, %d by trying everything", fen, n, k);
    }
    qsort(fast, (size_t)n, sizeof *fast, by_number);
    qsort(slow, (size_t)k, sizeof *slow, by_number);
    for (int i = 0; i < n; i++) {
        if (fast[i] != slow[i]) {
            fail_msg("%s: other moves than by trying everything", fen);
        }
    }
    if (hz_chess_move_count(p) != n || hz_chess_has_move(p) != (n > 0)) {
        fail_msg("%s: counting differs from listing", fen);
    }
    hz_move tactical[HZ_CHESS_MOVES_MAX];
    int tactical_count = hz_chess_tactical_moves(p, tactical), expected = 0;
    for (int i = 0; i < n; i++) {
        expected += (hz_move_flags(fast[i]) & (HZ_MOVE_CAPTURE | HZ_MOVE_PROMOTION)) != 0;
    }
    if (tactical_count != expected) {
        fail_msg("%s: %d tactical moves, expected %d", fen, tactical_count, expected);
    }
}

/* Every code there is, asked one by one, against the list. */
static void compare_codes(const hz_position *p) {
    hz_move moves[HZ_CHESS_MOVES_MAX];
    int n = hz_chess_moves(p, moves);
    char fen[HZ_DFEN_CAPACITY], text[HZ_MOVE_CAPACITY];
    (void)hz_position_to_dfen(p, fen, sizeof fen);
    qsort(moves, (size_t)n, sizeof *moves, by_number);
    for (unsigned code = 0, next = 0; code < 65536; code++) {
        bool listed = next < (unsigned)n && moves[next] == code;
        next += listed;
        if (hz_chess_is_legal(p, (hz_move)code) != listed) {
            (void)hz_move_to_text((hz_move)code, text);
            fail_msg("%s: %s with flags %u is %slisted", fen, text, code >> 12,
                     listed ? "" : "not ");
        }
    }
    for (int i = 0; i < n; i++) {
        hz_move read = 0;
        size_t length = hz_move_to_text(moves[i], text);
        assert_int_equal(hz_chess_move_from_text(p, text, length, &read, NULL), HZ_OK);
        assert_int_equal(read, moves[i]);
    }
}

static void random_games_have_the_moves_of_trying_everything(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    for (size_t game = 0; game < test_effort(60); game++) {
        hz_position p = read_fen(HZ_START_DFEN);
        for (int ply = 0; ply < 120; ply++) {
            hz_move moves[HZ_CHESS_MOVES_MAX];
            compare_with_slow(&p);
            if ((game + (size_t)ply) % 16 == 0) {
                compare_codes(&p);
            }
            int n = hz_chess_moves(&p, moves);
            if (n == 0) {
                break;
            }
            hz_chess_play(&p, moves[hz_random_draw(&random, (uint32_t)n)], &p);
            assert_true(p.key == hz_position_fresh_key(&p));
        }
    }
}

/* Trees below positions that games of Dice Chess lead to, counted on a board of letters. */
static void shallow_trees_equal_those_of_the_slow_twin(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed() + 4);
    size_t compared = 0;
    for (size_t i = 0, rounds = test_effort(150); i < rounds; i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_played(&random, REF_BEFORE_ROLL, dfen);
        hz_position p = test_position(dfen);
        hz_chess_repair(&p);
        if (hz_chess_validate(&p, NULL) != HZ_CHESS_SOUND) {
            continue; /* a king left in check */
        }
        ref_position slow;
        assert_true(ref_from_dfen(&slow, test_dfen(&p, dfen)));
        test_same_number(dfen, "leaves at depth 2", ref_chess_perft(&slow, 2),
                         hz_chess_perft(&p, 2));
        compared++;
    }
    test_met(compared > 20);
}

/* Boards of random pieces: kings missing or several, pawns anywhere, rights and targets that
 * contradict the board. */
static hz_position random_board(hz_random *random) {
    hz_position p = hz_position_empty();
    unsigned men = 1 + hz_random_draw(random, 40);
    for (unsigned i = 0; i < men; i++) {
        hz_position_put(&p, (int)hz_random_draw(random, 64), (hz_color)hz_random_draw(random, 2),
                        (hz_piece_type)hz_random_draw(random, 6));
    }
    hz_position_set_side(&p, (hz_color)hz_random_draw(random, 2));
    hz_position_set_rights(&p, hz_random_draw(random, 16));
    hz_position_set_targets(&p, (uint64_t)1 << hz_random_draw(random, 64));
    if (hz_random_draw(random, 4) == 0) { /* a home that can castle, other kings or not */
        hz_color side = (hz_color)p.side;
        int home = side == HZ_BLACK ? 56 : 0;
        for (int file = 1; file < 7; file++) {
            hz_position_put(&p, home + file, side, HZ_NO_PIECE);
        }
        hz_position_put(&p, home, side, HZ_ROOK);
        hz_position_put(&p, home + 4, side, HZ_KING);
        hz_position_put(&p, home + 7, side, HZ_ROOK);
        hz_position_set_rights(&p, HZ_RIGHTS_ALL);
    }
    if (hz_random_draw(random, 4) == 0) { /* a target that can be taken */
        int file = (int)hz_random_draw(random, 7), up = p.side == HZ_WHITE ? 8 : -8;
        int target = (p.side == HZ_WHITE ? 40 : 16) + file;
        hz_position_put(&p, target, HZ_WHITE, HZ_NO_PIECE);
        hz_position_put(&p, target - up, (hz_color)(p.side ^ 1), HZ_PAWN);
        hz_position_put(&p, target - up + 1, (hz_color)p.side, HZ_PAWN);
        hz_position_set_targets(&p, (uint64_t)1 << target);
    }
    return p;
}

static void odd_boards_are_answered(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed() + 1);
    for (size_t i = 0, rounds = test_effort(6000); i < rounds; i++) {
        hz_position p = random_board(&random);
        /* Pawns on end ranks move in no rule book; the slow twin has no opinion on them. */
        uint64_t ends = 0xFF000000000000FF & p.pieces[HZ_PAWN];
        while (ends) {
            hz_position_put(&p, __builtin_ctzll(ends), HZ_WHITE, HZ_NO_PIECE);
            ends &= ends - 1;
        }
        compare_with_slow(&p);
        if (i % 16 == 0) {
            compare_codes(&p);
        }
        (void)hz_chess_position_end(&p);
        char fen[HZ_DFEN_CAPACITY];
        assert_true(hz_chess_to_fen(&p, fen, sizeof fen) < sizeof fen);
    }
}

static void crowded_boards_stay_within_the_capacity(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed() + 2);
    int most = 0;
    for (size_t i = 0; i < test_effort(2000); i++) {
        hz_position p = hz_position_empty();
        for (int k = 0; k < 24; k++) {
            /* Queens on the edge see the most of an empty middle. */
            int square = (int)hz_random_draw(&random, 64), file = square & 7, rank = square >> 3;
            bool edge = file == 0 || file == 7 || rank == 0 || rank == 7;
            hz_position_put(&p, square, HZ_WHITE,
                            edge    ? HZ_QUEEN
                            : i % 2 ? HZ_NO_PIECE
                                    : HZ_KNIGHT);
        }
        hz_move moves[HZ_CHESS_MOVES_MAX];
        int n = hz_chess_moves(&p, moves);
        most = n > most ? n : most;
        assert_true(n <= HZ_CHESS_MOVES_MAX);
    }
    assert_true(most > 150);
}

/* Climbs from random boards by changing one square at a time: the most moves ever found are far
 * from what the array holds. */
static void climbing_finds_no_board_beyond_the_capacity(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed() + 3);
    int most = 0;
    for (size_t climb = 0, climbs = test_effort(6); climb < climbs; climb++) {
        hz_position p = hz_position_empty();
        int best = 0;
        for (int step = 0; step < 4000; step++) {
            hz_position changed = p;
            static const hz_piece_type types[] = {HZ_QUEEN, HZ_QUEEN, HZ_KNIGHT, HZ_PAWN,
                                                  HZ_NO_PIECE};
            hz_position_put(&changed, (int)hz_random_draw(&random, 64),
                            hz_random_draw(&random, 8) ? HZ_WHITE : HZ_BLACK,
                            types[hz_random_draw(&random, 5)]);
            int n = hz_chess_move_count(&changed);
            if (n >= best) {
                best = n;
                p = changed;
            }
        }
        most = best > most ? best : most;
    }
    assert_true(most > 250);
    assert_true(most <= HZ_CHESS_MOVES_MAX);
}

static void castling_is_read_both_ways(void **state) {
    (void)state;
    hz_position p = read_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    hz_move by_king, by_rook;
    assert_int_equal(hz_chess_move_from_text(&p, "e1g1", 4, &by_king, NULL), HZ_OK);
    assert_int_equal(hz_chess_move_from_text(&p, "e1h1", 4, &by_rook, NULL), HZ_OK);
    assert_int_equal(by_king, by_rook);
    assert_int_equal(hz_chess_move_from_text(&p, "e1c1", 4, &by_king, NULL), HZ_OK);
    assert_int_equal(hz_chess_move_from_text(&p, "e1a1", 4, &by_rook, NULL), HZ_OK);
    assert_int_equal(by_king, by_rook);
    hz_error err;
    assert_int_equal(hz_chess_move_from_text(&p, "e1e3", 4, &by_king, &err), HZ_NOT_LEGAL);
    assert_int_equal(hz_chess_move_from_text(&p, "e1x", 3, &by_king, &err), HZ_MOVE_TEXT);
    /* A king elsewhere, at the edge, does not castle, whatever it would take. */
    p = read_fen("8/8/8/8/k6r/8/8/5RK1 b kq - 0 1");
    assert_int_equal(hz_chess_move_from_text(&p, "a4d4", 4, &by_king, &err), HZ_NOT_LEGAL);
    p = read_fen("4k3/8/8/8/8/8/8/R2Q2KR w KQ - 0 1");
    assert_int_equal(hz_chess_move_from_text(&p, "g1c1", 4, &by_king, &err), HZ_NOT_LEGAL);
}

static void targets_stay_only_when_a_pawn_stands_ready(void **state) {
    (void)state;
    hz_position p = read_fen("4k3/8/8/8/3p4/8/2P1P2P/4K3 w - - 0 1");
    static const struct {
        const char *move;
        bool target;
    } cases[] = {{"c2c4", true}, {"e2e4", true}, {"h2h4", false}, {"c2c3", false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hz_move move;
        hz_position after;
        assert_int_equal(hz_chess_move_from_text(&p, cases[i].move, 4, &move, NULL), HZ_OK);
        hz_chess_play(&p, move, &after);
        assert_int_equal(after.targets != 0, cases[i].target);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_have_the_published_sizes),
        cmocka_unit_test(random_games_have_the_moves_of_trying_everything),
        cmocka_unit_test(shallow_trees_equal_those_of_the_slow_twin),
        cmocka_unit_test(odd_boards_are_answered),
        cmocka_unit_test(crowded_boards_stay_within_the_capacity),
        cmocka_unit_test(climbing_finds_no_board_beyond_the_capacity),
        cmocka_unit_test(castling_is_read_both_ways),
        cmocka_unit_test(targets_stay_only_when_a_pawn_stands_ready),
    };
    return cmocka_run_group_tests_name("chess/moves", tests, NULL, NULL);
}
