/* SPDX-License-Identifier: MIT */
/*
 * Bitboard arithmetic and attack sets against walks square by square, with the fast instructions on
 * and off.
 */
#include <string.h>

#include "board/attacks.h"
#include "ref/ref_random.h"
#include "support/positions.h"

static bool on_board(int file, int rank) {
    return file >= 0 && file < 8 && rank >= 0 && rank < 8;
}

static uint64_t bit_at(int file, int rank) {
    return (uint64_t)1 << (8 * rank + file);
}

/* Squares from `square` in a direction up to and including the first occupied one. */
static uint64_t walk(int square, int file_step, int rank_step, int longest, uint64_t occupied) {
    uint64_t reached = 0;
    int file = square % 8 + file_step, rank = square / 8 + rank_step;
    for (int i = 0; i < longest && on_board(file, rank); i++) {
        reached |= bit_at(file, rank);
        if (occupied & bit_at(file, rank)) {
            break;
        }
        file += file_step;
        rank += rank_step;
    }
    return reached;
}

static uint64_t walk_straight(int square, uint64_t occupied, int longest) {
    return walk(square, 1, 0, longest, occupied) | walk(square, -1, 0, longest, occupied) |
           walk(square, 0, 1, longest, occupied) | walk(square, 0, -1, longest, occupied);
}

static uint64_t walk_diagonal(int square, uint64_t occupied, int longest) {
    return walk(square, 1, 1, longest, occupied) | walk(square, -1, 1, longest, occupied) |
           walk(square, 1, -1, longest, occupied) | walk(square, -1, -1, longest, occupied);
}

static uint64_t jump(int square) {
    uint64_t reached = 0;
    for (int file = -2; file <= 2; file++) {
        for (int rank = -2; rank <= 2; rank++) {
            if (file * file + rank * rank == 5) {
                reached |= walk(square, file, rank, 1, 0);
            }
        }
    }
    return reached;
}

static uint64_t pawn_captures(int square, int color) {
    int step = color == HZ_WHITE ? 1 : -1;
    return walk(square, 1, step, 1, 0) | walk(square, -1, step, 1, 0);
}

/* What a piece covers, by its letter. */
static uint64_t covers(char letter, int square, uint64_t occupied) {
    switch (letter) {
    case 'P':
        return pawn_captures(square, HZ_WHITE);
    case 'p':
        return pawn_captures(square, HZ_BLACK);
    case 'N':
    case 'n':
        return jump(square);
    case 'B':
    case 'b':
        return walk_diagonal(square, occupied, 7);
    case 'R':
    case 'r':
        return walk_straight(square, occupied, 7);
    case 'Q':
    case 'q':
        return walk_diagonal(square, occupied, 7) | walk_straight(square, occupied, 7);
    case 'K':
    case 'k':
        return walk_diagonal(square, occupied, 1) | walk_straight(square, occupied, 1);
    default:
        return 0;
    }
}

/* Bitboards from nearly empty to nearly full. */
static uint64_t random_board(ref_random *random) {
    uint64_t board = ref_random_next(random);
    for (unsigned i = ref_random_below(random, 4); i > 0; i--) {
        board &= ref_random_next(random);
    }
    return ref_random_chance(random, 20) ? ~board : board;
}

/* Runs a check with the fast instructions off, and on where this processor has them. */
static void with_both_variants(void (*check)(ref_random *random)) {
    bool before = hzi_fast_bits;
    ref_random random = ref_random_from_seed(test_seed());
    hzi_fast_bits_use(false);
    assert_false(hzi_fast_bits);
    check(&random);
    hzi_fast_bits_use(true);
    assert_int_equal(hzi_fast_bits, hzi_fast_bits_available());
    check(&random);
    hzi_fast_bits_use(before);
}

static void check_sliders(ref_random *random) {
    for (size_t i = 0; i < test_effort(3000); i++) {
        uint64_t occupied = random_board(random);
        for (int square = 0; square < 64; square++) {
            uint64_t straight = walk_straight(square, occupied, 7);
            uint64_t diagonal = walk_diagonal(square, occupied, 7);
            assert_true(hzi_rook_attacks(square, occupied) == straight);
            assert_true(hzi_bishop_attacks(square, occupied) == diagonal);
            assert_true(hzi_queen_attacks(square, occupied) == (straight | diagonal));
            assert_true(hzi_rook_attacks_portable(square, occupied) == straight);
            assert_true(hzi_bishop_attacks_portable(square, occupied) == diagonal);
        }
    }
}

static void sliders_stop_at_the_first_piece_in_both_variants(void **state) {
    (void)state;
    with_both_variants(check_sliders);
}

/* Every occupancy of the lines through a square, not only random ones. */
static void check_all_line_occupancies(ref_random *random) {
    (void)random;
    static const int squares[] = {0, 7, 9, 27, 36, 56, 63, 4, 32};
    for (size_t i = 0; i < sizeof squares / sizeof squares[0]; i++) {
        int square = squares[i];
        uint64_t lines[2] = {walk_straight(square, 0, 7), walk_diagonal(square, 0, 7)};
        for (int kind = 0; kind < 2; kind++) {
            uint64_t subset = 0;
            do { /* all subsets of the line squares */
                uint64_t expected =
                    kind ? walk_diagonal(square, subset, 7) : walk_straight(square, subset, 7);
                uint64_t actual =
                    kind ? hzi_bishop_attacks(square, subset) : hzi_rook_attacks(square, subset);
                assert_true(actual == expected);
                subset = (subset - lines[kind]) & lines[kind];
            } while (subset);
        }
    }
}

static void sliders_are_right_for_every_line_occupancy(void **state) {
    (void)state;
    with_both_variants(check_all_line_occupancies);
}

static void check_popcount(ref_random *random) {
    for (size_t i = 0; i < test_effort(20000); i++) {
        uint64_t board = random_board(random);
        int count = 0;
        for (int square = 0; square < 64; square++) {
            count += (board >> square & 1) != 0;
        }
        assert_int_equal(hzi_popcount(board), count);
    }
    assert_int_equal(hzi_popcount(0), 0);
    assert_int_equal(hzi_popcount(UINT64_MAX), 64);
}

static void set_bits_are_counted_in_both_variants(void **state) {
    (void)state;
    with_both_variants(check_popcount);
}

static void leapers_reach_their_squares(void **state) {
    (void)state;
    for (int square = 0; square < 64; square++) {
        assert_true(hzi_knight_attacks(square) == jump(square));
        assert_true(hzi_king_attacks(square) == covers('K', square, 0));
        assert_true(hzi_pawn_table[HZ_WHITE][square] == pawn_captures(square, HZ_WHITE));
        assert_true(hzi_pawn_table[HZ_BLACK][square] == pawn_captures(square, HZ_BLACK));
    }
}

static void sets_of_leapers_attack_what_each_attacks(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed());
    for (size_t i = 0; i < test_effort(5000); i++) {
        uint64_t set = random_board(&random), knights = 0, kings = 0, pawns[2] = {0, 0};
        for (int square = 0; square < 64; square++) {
            if (set >> square & 1) {
                knights |= jump(square);
                kings |= covers('K', square, 0);
                pawns[0] |= pawn_captures(square, HZ_WHITE);
                pawns[1] |= pawn_captures(square, HZ_BLACK);
            }
        }
        assert_true(hzi_knights_attack(set) == knights);
        assert_true(hzi_kings_attack(set) == kings);
        assert_true(hzi_pawns_attack(set, HZ_WHITE) == pawns[0]);
        assert_true(hzi_pawns_attack(set, HZ_BLACK) == pawns[1]);
    }
}

static void lines_and_gaps_between_squares_are_exact(void **state) {
    (void)state;
    for (int a = 0; a < 64; a++) {
        for (int b = 0; b < 64; b++) {
            uint64_t between = 0, line = 0;
            for (int file = -1; file <= 1 && a != b; file++) {
                for (int rank = -1; rank <= 1; rank++) {
                    uint64_t ray = file || rank ? walk(a, file, rank, 7, 0) : 0;
                    if (ray >> b & 1) {
                        between = walk(a, file, rank, 7, (uint64_t)1 << b) & ~((uint64_t)1 << b);
                        line = ray | walk(a, -file, -rank, 7, 0) | (uint64_t)1 << a;
                    }
                }
            }
            assert_true(hzi_between(a, b) == between);
            assert_true(hzi_line_table[a][b] == line);
        }
    }
}

static void boards_are_turned_square_by_square(void **state) {
    (void)state;
    ref_random random = ref_random_from_seed(test_seed());
    for (size_t i = 0; i < test_effort(5000); i++) {
        uint64_t board = random_board(&random), flipped = 0, mirrored = 0, transposed = 0;
        for (int square = 0; square < 64; square++) {
            int file = square % 8, rank = square / 8;
            if (board >> square & 1) {
                flipped |= bit_at(file, 7 - rank);
                mirrored |= bit_at(7 - file, rank);
                transposed |= bit_at(rank, file);
            }
            assert_int_equal(hzi_transpose_square(square), 8 * file + rank);
        }
        assert_true(hzi_flip_ranks(board) == flipped);
        assert_true(hzi_mirror_files(board) == mirrored);
        assert_true(hzi_transpose(board) == transposed);
    }
}

static void check_attackers(ref_random *random) {
    for (size_t i = 0; i < test_effort(4000); i++) {
        char dfen[REF_DFEN_CAPACITY];
        ref_random_position(random, dfen);
        hz_position position = test_position(dfen);
        ref_position slow;
        assert_true(ref_from_dfen(&slow, dfen));
        uint64_t occupied = 0, cover[64], attacked[2] = {0, 0};
        for (int square = 0; square < 64; square++) {
            occupied |= slow.board[square] != '.' ? (uint64_t)1 << square : 0;
        }
        for (int square = 0; square < 64; square++) {
            cover[square] = covers(slow.board[square], square, occupied);
            attacked[slow.board[square] >= 'a'] |= cover[square];
        }
        for (int color = 0; color < 2; color++) {
            for (int square = 0; square < 64; square++) {
                uint64_t expected = 0;
                for (int from = 0; from < 64; from++) {
                    if ((slow.board[from] >= 'a') == color && cover[from] >> square & 1) {
                        expected |= (uint64_t)1 << from;
                    }
                }
                test_same_number(dfen, "attackers", expected,
                                 hz_position_attackers(&position, square, (hz_color)color));
            }
            test_same_number(dfen, "attacked squares", attacked[color],
                             hz_position_attacked(&position, (hz_color)color));
        }
    }
}

static void attackers_are_the_pieces_that_cover_the_square(void **state) {
    (void)state;
    with_both_variants(check_attackers);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sliders_stop_at_the_first_piece_in_both_variants),
        cmocka_unit_test(sliders_are_right_for_every_line_occupancy),
        cmocka_unit_test(set_bits_are_counted_in_both_variants),
        cmocka_unit_test(leapers_reach_their_squares),
        cmocka_unit_test(sets_of_leapers_attack_what_each_attacks),
        cmocka_unit_test(lines_and_gaps_between_squares_are_exact),
        cmocka_unit_test(boards_are_turned_square_by_square),
        cmocka_unit_test(attackers_are_the_pieces_that_cover_the_square),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
