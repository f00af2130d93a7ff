/* SPDX-License-Identifier: MIT */
/* Arena memory: pieces stay apart and keep their bytes, limits hold, nothing wraps around. */
#include <hazard/base.h>

#include <string.h>

#include "support/support.h"

/* Under the address sanitizer a request that no machine can serve must return as well, not abort.
 */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "allocator_may_return_null=1";
}

/* Fills a piece with bytes that depend on its number, or checks them. */
static void paint(unsigned char *piece, size_t size, size_t number) {
    for (size_t i = 0; i < size; i++) {
        piece[i] = (unsigned char)(number * 31 + i);
    }
}

static bool is_painted(const unsigned char *piece, size_t size, size_t number) {
    for (size_t i = 0; i < size; i++) {
        if (piece[i] != (unsigned char)(number * 31 + i)) {
            return false;
        }
    }
    return true;
}

static void pieces_are_aligned_and_keep_their_bytes(void **state) {
    (void)state;
    enum { PIECES = 2000 };
    static unsigned char *piece[PIECES];
    static size_t size[PIECES];
    hz_random random = hz_random_from_seed(test_seed());
    hz_arena arena;
    hz_arena_init(&arena, 0);
    for (size_t round = 0; round < 3; round++) {
        for (size_t i = 0; i < PIECES; i++) {
            uint32_t kind = hz_random_draw(&random, 100);
            size[i] = hz_random_draw(&random, kind == 0 ? 100000 : kind < 20 ? 3000 : 100);
            piece[i] = hz_arena_alloc(&arena, size[i]);
            assert_non_null(piece[i]);
            assert_int_equal((uintptr_t)piece[i] % 16, 0);
            paint(piece[i], size[i], i);
        }
        for (size_t i = 0; i < PIECES; i++) {
            assert_true(is_painted(piece[i], size[i], i));
        }
        hz_arena_reset(&arena);
    }
    hz_arena_fini(&arena);
}

static void pieces_of_size_zero_are_valid_and_distinct(void **state) {
    (void)state;
    hz_arena arena = {0};
    void *a = hz_arena_alloc(&arena, 0);
    void *b = hz_arena_alloc(&arena, 0);
    assert_non_null(a);
    assert_non_null(b);
    assert_ptr_not_equal(a, b);
    hz_arena_fini(&arena);
}

static void arena_of_zero_bytes_is_valid(void **state) {
    (void)state;
    hz_arena arena;
    memset(&arena, 0, sizeof arena);
    hz_arena_reset(&arena);
    unsigned char *piece = hz_arena_alloc(&arena, 1000);
    assert_non_null(piece);
    paint(piece, 1000, 1);
    hz_arena_fini(&arena);
    hz_arena_fini(&arena);
    hz_arena_fini(NULL);
}

static void arena_may_be_used_again_after_fini(void **state) {
    (void)state;
    hz_arena arena;
    hz_arena_init(&arena, 0);
    for (int i = 0; i < 3; i++) {
        unsigned char *piece = hz_arena_alloc(&arena, 50000);
        assert_non_null(piece);
        paint(piece, 50000, 7);
        assert_true(arena.held >= 50000);
        hz_arena_fini(&arena);
        assert_int_equal(arena.held, 0);
    }
}

static void limit_is_never_passed_and_old_pieces_stay(void **state) {
    (void)state;
    static const size_t limits[] = {1, 100, 1000, 20000, 100000, 3000000};
    for (size_t l = 0; l < sizeof limits / sizeof limits[0]; l++) {
        hz_arena arena;
        hz_arena_init(&arena, limits[l]);
        enum { MOST = 20000 };
        static unsigned char *piece[MOST];
        size_t count = 0;
        while (count < MOST && (piece[count] = hz_arena_alloc(&arena, 200)) != NULL) {
            paint(piece[count], 200, count);
            count++;
            assert_true(arena.held <= limits[l]);
        }
        assert_true(count < MOST);
        assert_true(arena.held <= limits[l]);
        assert_null(hz_arena_alloc(&arena, limits[l]));
        for (size_t i = 0; i < count; i++) {
            assert_true(is_painted(piece[i], 200, i));
        }
        /* most of what was allowed is also given */
        assert_true(limits[l] < 20000 || 208 * count > limits[l] / 2);
        hz_arena_fini(&arena);
    }
}

static void reset_keeps_the_blocks_for_reuse(void **state) {
    (void)state;
    hz_arena arena;
    hz_arena_init(&arena, 0);
    size_t held = 0;
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < 300; i++) {
            unsigned char *piece = hz_arena_alloc(&arena, 700);
            assert_non_null(piece);
            memset(piece, round, 700);
        }
        if (round > 0) {
            assert_int_equal(arena.held, held);
        }
        held = arena.held;
        hz_arena_reset(&arena);
        assert_int_equal(arena.held, held);
    }
    hz_arena_fini(&arena);
}

static void reset_under_a_limit_gives_the_same_pieces_again(void **state) {
    (void)state;
    hz_arena arena;
    hz_arena_init(&arena, 100000);
    size_t first = 0;
    for (int round = 0; round < 5; round++) {
        size_t count = 0;
        while (hz_arena_alloc(&arena, 1000)) {
            count++;
        }
        assert_true(count > 0);
        if (round > 0) {
            assert_int_equal(count, first);
        }
        first = count;
        hz_arena_reset(&arena);
    }
    hz_arena_fini(&arena);
}

static void latest_piece_grows_in_place(void **state) {
    (void)state;
    hz_arena arena;
    hz_arena_init(&arena, 0);
    unsigned char *piece = hz_arena_alloc(&arena, 100);
    paint(piece, 100, 3);
    assert_ptr_equal(hz_arena_grow(&arena, piece, 100, 1000), piece);
    assert_true(is_painted(piece, 100, 3));
    paint(piece, 1000, 4);
    unsigned char *next = hz_arena_alloc(&arena, 64);
    memset(next, 0xFF, 64);
    assert_true(is_painted(piece, 1000, 4));
    hz_arena_fini(&arena);
}

static void earlier_piece_grows_by_copying(void **state) {
    (void)state;
    hz_arena arena;
    hz_arena_init(&arena, 0);
    unsigned char *piece = hz_arena_alloc(&arena, 100);
    unsigned char *later = hz_arena_alloc(&arena, 100);
    paint(piece, 100, 5);
    paint(later, 100, 6);
    unsigned char *moved = hz_arena_grow(&arena, piece, 100, 5000);
    assert_non_null(moved);
    assert_ptr_not_equal(moved, piece);
    assert_true(is_painted(moved, 100, 5));
    memset(moved + 100, 0xEE, 4900);
    assert_true(is_painted(later, 100, 6));
    assert_true(is_painted(piece, 100, 5));
    hz_arena_fini(&arena);
}

static void piece_grows_past_its_block_many_times(void **state) {
    (void)state;
    hz_arena arena;
    hz_arena_init(&arena, 0);
    unsigned char *piece = hz_arena_grow(&arena, NULL, 0, 10);
    assert_non_null(piece);
    paint(piece, 10, 8);
    size_t size = 10;
    while (size < 20000000) {
        piece = hz_arena_grow(&arena, piece, size, 3 * size);
        assert_non_null(piece);
        assert_true(is_painted(piece, size, 8));
        size *= 3;
        paint(piece, size, 8);
    }
    hz_arena_fini(&arena);
}

static void failed_growth_leaves_the_old_piece(void **state) {
    (void)state;
    hz_arena arena;
    hz_arena_init(&arena, 30000);
    unsigned char *piece = hz_arena_alloc(&arena, 1000);
    assert_non_null(piece);
    paint(piece, 1000, 9);
    assert_null(hz_arena_grow(&arena, piece, 1000, 40000));
    assert_null(hz_arena_grow(&arena, piece, 1000, SIZE_MAX));
    assert_true(is_painted(piece, 1000, 9));
    unsigned char *other = hz_arena_alloc(&arena, 1000);
    assert_non_null(other);
    memset(other, 0, 1000);
    assert_true(is_painted(piece, 1000, 9));
    hz_arena_fini(&arena);
}

static void sizes_near_the_end_of_the_numbers_are_refused(void **state) {
    (void)state;
    hz_arena arena;
    hz_arena_init(&arena, 0);
    unsigned char *piece = hz_arena_alloc(&arena, 100);
    paint(piece, 100, 2);
    /* around the steps of the alignment and of a block's own head */
    static const size_t less[] = {0, 1, 15, 16, 17, 31, 32, 33, 48, 64, 100, 200};
    for (size_t i = 0; i < sizeof less / sizeof less[0]; i++) {
        assert_null(hz_arena_alloc(&arena, SIZE_MAX - less[i]));
        assert_null(hz_arena_grow(&arena, piece, 100, SIZE_MAX - less[i]));
    }
    assert_true(is_painted(piece, 100, 2));
    hz_arena_fini(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_aligned_and_keep_their_bytes),
        cmocka_unit_test(pieces_of_size_zero_are_valid_and_distinct),
        cmocka_unit_test(arena_of_zero_bytes_is_valid),
        cmocka_unit_test(arena_may_be_used_again_after_fini),
        cmocka_unit_test(limit_is_never_passed_and_old_pieces_stay),
        cmocka_unit_test(reset_keeps_the_blocks_for_reuse),
        cmocka_unit_test(reset_under_a_limit_gives_the_same_pieces_again),
        cmocka_unit_test(latest_piece_grows_in_place),
        cmocka_unit_test(earlier_piece_grows_by_copying),
        cmocka_unit_test(piece_grows_past_its_block_many_times),
        cmocka_unit_test(failed_growth_leaves_the_old_piece),
        cmocka_unit_test(sizes_near_the_end_of_the_numbers_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
