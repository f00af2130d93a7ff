/* SPDX-License-Identifier: MIT */
/*
 * Reductions against their definitions in long double on random shapes and axes; whole numbers that
 * wrap; nothing at all; one row alone and in a batch; ArgMax and ArgMin.
 */
#include "model/number.h"
#include "model/one_step.h"

#define LIST(...) (const int64_t[]){__VA_ARGS__}, sizeof((const int64_t[]){__VA_ARGS__}) / 8

static const char *const NAMES[] = {"ReduceSum",    "ReduceMean",      "ReduceMax", "ReduceMin",
                                    "ReduceProd",   "ReduceSumSquare", "ReduceL1",  "ReduceL2",
                                    "ReduceLogSum", "ReduceLogSumExp"};
enum { REDUCTIONS = sizeof NAMES / sizeof *NAMES };

static bool has_axes_input(const char *name, int opset) {
    return opset >= (strcmp(name, "ReduceSum") == 0 ? 13 : 18);
}

/* A reduction over the axes of a list, given as its opset wants it. */
static void reduce_begin(one_step *one, const char *name, int opset, const int64_t *axes,
                         size_t count, int keep_axes, hz_element element, hzi_shape shape,
                         const void *data) {
    one_begin(one, name, opset);
    if (keep_axes != 1) {
        one_int(one, "keepdims", keep_axes);
    }
    one_input(one, element, shape, data, false);
    if (has_axes_input(name, opset)) {
        one_list(one, axes, count);
    } else if (count) {
        one_ints(one, "axes", axes, count);
    }
}

/* By the definition, over numbers in a list. */
static long double defined(size_t which, const long double *numbers, int64_t n) {
    long double sum = 0, squares = 0, sizes = 0, product = 1, powers = 0;
    long double most = -(long double)INFINITY, least = (long double)INFINITY;
    for (int64_t i = 0; i < n; i++) {
        sum += numbers[i];
        squares += numbers[i] * numbers[i];
        sizes += fabsl(numbers[i]);
        product *= numbers[i];
        powers += expl(numbers[i]);
        most = numbers[i] > most ? numbers[i] : most;
        least = numbers[i] < least ? numbers[i] : least;
    }
    const long double results[] = {
        sum,   sum / (long double)n, most,      least,       product, squares,
        sizes, sqrtl(squares),       logl(sum), logl(powers)};
    return results[which];
}

/* Puts number `at` of `data` into the list of the result it belongs to. */
typedef struct groups {
    hzi_shape results; /* with all axes, reduced ones of size 1 */
    long double *numbers;
    int64_t *counts, most;
} groups;

static groups grouped(const hzi_shape *shape, const bool *gone, hz_element element,
                      const void *data) {
    groups g = {.results = *shape, .most = hzi_shape_count(shape) + 1};
    for (int i = 0; i < shape->rank; i++) {
        g.results.dim[i] = gone[i] ? 1 : shape->dim[i];
    }
    size_t results = (size_t)hzi_shape_count(&g.results) + 1;
    g.numbers = calloc(results * (size_t)g.most, sizeof *g.numbers);
    g.counts = calloc(results, sizeof *g.counts);
    assert_true(g.numbers && g.counts);
    for (int64_t at = 0; at < hzi_shape_count(shape); at++) {
        int64_t index[HZ_RANK_MAX];
        one_indexes(shape, at, index);
        for (int i = 0; i < shape->rank; i++) {
            index[i] = gone[i] ? 0 : index[i];
        }
        int64_t to = one_place(&g.results, index);
        double number;
        hzi_load_reals(element, data, at, 1, 1, &number);
        g.numbers[to * g.most + g.counts[to]++] = (long double)number;
    }
    return g;
}

static void reductions_follow_their_definitions(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    static const hz_element ELEMENTS[] = {HZ_ELEMENT_FLOAT, HZ_ELEMENT_DOUBLE, HZ_ELEMENT_FLOAT16,
                                          HZ_ELEMENT_BFLOAT16};
    static const long double EXACT[] = {1e-6L, 1e-13L, 1e-3L, 8e-3L};
    for (size_t round = test_effort(1000); round > 0; round--) {
        hzi_shape shape = one_random_shape(&random, 0, 5), expected = {0};
        if (hz_random_draw(&random, 50) == 0) {
            shape = SHAPE(one_draw(&random, 1, 3), one_draw(&random, 250, 600));
        }
        size_t which = hz_random_draw(&random, REDUCTIONS), type = hz_random_draw(&random, 4);
        bool gone[HZ_RANK_MAX] = {false};
        int64_t axes[HZ_RANK_MAX];
        size_t count = 0;
        for (int i = 0; i < shape.rank; i++) {
            if (hz_random_draw(&random, 2)) {
                gone[i] = true;
                axes[count++] = hz_random_draw(&random, 2) ? i : i - shape.rank;
            }
        }
        int keep_axes = (int)hz_random_draw(&random, 2);
        for (int i = 0; i < shape.rank; i++) {
            gone[i] = gone[i] || count == 0;
            if (!gone[i] || keep_axes) {
                expected.dim[expected.rank++] = gone[i] ? 1 : shape.dim[i];
            }
        }
        int64_t total = hzi_shape_count(&shape);
        char *data = malloc((size_t)total * 8 + 1);
        assert_non_null(data);
        for (int64_t at = 0; at < total; at++) {
            double number = (double)one_draw(&random, 1, 1000) / 250 - (which == 8 ? 0 : 2);
            hzi_store_reals(ELEMENTS[type], data, at, 1, &number);
        }
        one_step one;
        int opset = (const int[]){7, 11, 13, 18, 20}[hz_random_draw(&random, 5)];
        reduce_begin(&one, NAMES[which], opset, axes, count, keep_axes, ELEMENTS[type], shape,
                     data);
        const void *result = one_result(&one);
        one_same_shape(&one, 0, expected);
        groups g = grouped(&shape, gone, ELEMENTS[type], data);
        for (int64_t at = 0; at < one.output[0].count; at++) {
            double got;
            hzi_load_reals(ELEMENTS[type], result, at, 1, 1, &got);
            long double should = defined(which, g.numbers + at * g.most, g.counts[at]);
            long double size = defined(6, g.numbers + at * g.most, g.counts[at]);
            bool same = isnan(should) ? isnan(got) : (long double)got == should;
            if (!same && !(fabsl((long double)got - should) <=
                           EXACT[type] * (fabsl(should) + size * 0.1L))) {
                fail_msg("%s: %.17g instead of %.17Lg", NAMES[which], got, should);
            }
        }
        free(g.numbers);
        free(g.counts);
        free(data);
        one_end(&one);
    }
}

static void a_row_gives_the_same_bits_alone_and_in_a_batch(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    enum { ROWS = 5, WIDTH = 1003 };
    static float rows[ROWS][WIDTH];
    for (size_t which = 0; which < REDUCTIONS; which++) {
        for (int i = 0; i < ROWS; i++) {
            for (int k = 0; k < WIDTH; k++) {
                rows[i][k] = (float)one_draw(&random, 1, 1000000) / 333333.0F;
            }
        }
        one_step batch, alone;
        reduce_begin(&batch, NAMES[which], 13, LIST(1), 0, HZ_ELEMENT_FLOAT, SHAPE(ROWS, WIDTH),
                     rows);
        const float *results = one_result(&batch);
        for (int i = 0; i < ROWS; i++) {
            reduce_begin(&alone, NAMES[which], 13, LIST(1), 0, HZ_ELEMENT_FLOAT, SHAPE(1, WIDTH),
                         rows[i]);
            assert_memory_equal(one_result(&alone), &results[i], sizeof *results);
            one_end(&alone);
        }
        one_end(&batch);
    }
}

static void nothing_at_all_has_the_neutral_value(void **state) {
    (void)state;
    const float expected[] = {0, NAN, -INFINITY, INFINITY, 1, 0, 0, 0, -INFINITY, -INFINITY};
    one_step one;
    for (size_t which = 0; which < REDUCTIONS; which++) {
        reduce_begin(&one, NAMES[which], 20, LIST(1), 0, HZ_ELEMENT_FLOAT, SHAPE(2, 0), NULL);
        const float *result = one_result(&one);
        one_same_shape(&one, 0, SHAPE(2));
        for (int i = 0; i < 2; i++) {
            assert_true(isnan(expected[which]) ? isnan(result[i]) : result[i] == expected[which]);
        }
        one_end(&one);
        reduce_begin(&one, NAMES[which], 20, LIST(0), 0, HZ_ELEMENT_FLOAT, SHAPE(2, 0), NULL);
        (void)one_result(&one);
        one_same_shape(&one, 0, SHAPE(0));
        one_end(&one);
    }
    reduce_begin(&one, "ReduceMax", 20, LIST(0), 0, HZ_ELEMENT_INT8, SHAPE(0), NULL);
    assert_int_equal(*(const int8_t *)one_result(&one), INT8_MIN);
    one_end(&one);
    reduce_begin(&one, "ReduceMin", 20, LIST(0), 0, HZ_ELEMENT_UINT64, SHAPE(0), NULL);
    assert_true(*(const uint64_t *)one_result(&one) == UINT64_MAX);
    one_end(&one);
    reduce_begin(&one, "ReduceMean", 20, LIST(0), 0, HZ_ELEMENT_INT32, SHAPE(0), NULL);
    one_refused(&one, "the mean of no whole numbers has no value");
}

static void nan_and_infinity_are_passed_on(void **state) {
    (void)state;
    static const float NUMBERS[] = {1, NAN, 3, INFINITY};
    one_step one;
    for (size_t which = 0; which < REDUCTIONS; which++) {
        reduce_begin(&one, NAMES[which], 13, LIST(0), 0, HZ_ELEMENT_FLOAT, SHAPE(4), NUMBERS);
        assert_true(isnan(*(const float *)one_result(&one)));
        one_end(&one);
    }
    static const float HUGE_ONES[] = {1000, 1000};
    reduce_begin(&one, "ReduceLogSumExp", 13, LIST(0), 0, HZ_ELEMENT_FLOAT, SHAPE(2), HUGE_ONES);
    assert_true(fabsf(*(const float *)one_result(&one) - 1000.6931F) < 1e-3F);
    one_end(&one);
    static const float INFINITE[] = {INFINITY, 1};
    reduce_begin(&one, "ReduceLogSumExp", 13, LIST(0), 0, HZ_ELEMENT_FLOAT, SHAPE(2), INFINITE);
    assert_true(*(const float *)one_result(&one) == INFINITY);
    one_end(&one);
}

static void whole_numbers_wrap_and_keep_their_order(void **state) {
    (void)state;
    static const int32_t SMALL[] = {INT32_MAX, 2, -7};
    static const int64_t WIDE[] = {INT64_MIN, 5, -2};
    static const uint64_t UNSIGNED[] = {UINT64_MAX, 3, 4};
    static const struct {
        const char *name;
        hz_element element;
        int64_t expected;
    } CASES[] = {
        {"ReduceSum", HZ_ELEMENT_INT32, INT32_MAX - 5},
        {"ReduceSumSquare", HZ_ELEMENT_INT32, 54},
        {"ReduceL1", HZ_ELEMENT_INT32, INT32_MIN + 8},
        {"ReduceMean", HZ_ELEMENT_INT32, (INT32_MAX - 5) / 3},
        {"ReduceProd", HZ_ELEMENT_INT32, 14},
        {"ReduceMax", HZ_ELEMENT_INT32, INT32_MAX},
        {"ReduceMin", HZ_ELEMENT_INT32, -7},
        {"ReduceSum", HZ_ELEMENT_INT64, INT64_MIN + 3},
        {"ReduceL1", HZ_ELEMENT_INT64, INT64_MIN + 7},
        {"ReduceMean", HZ_ELEMENT_INT64, (INT64_MIN + 3) / 3},
        {"ReduceMax", HZ_ELEMENT_INT64, 5},
        {"ReduceMin", HZ_ELEMENT_INT64, INT64_MIN},
        {"ReduceSum", HZ_ELEMENT_UINT64, 6},
        {"ReduceMean", HZ_ELEMENT_UINT64, 2},
        {"ReduceMax", HZ_ELEMENT_UINT64, -1},
        {"ReduceMin", HZ_ELEMENT_UINT64, 3},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        const void *data = CASES[i].element == HZ_ELEMENT_INT32   ? (const void *)SMALL
                           : CASES[i].element == HZ_ELEMENT_INT64 ? (const void *)WIDE
                                                                  : UNSIGNED;
        one_step one;
        reduce_begin(&one, CASES[i].name, 13, LIST(0), 0, CASES[i].element, SHAPE(3), data);
        int64_t got;
        hzi_load_wholes(CASES[i].element, one_result(&one), 0, 1, 1, &got);
        if (got != CASES[i].expected) {
            fail_msg("case %zu %s: %lld", i, CASES[i].name, (long long)got);
        }
        one_end(&one);
    }
    one_step one;
    reduce_begin(&one, "ReduceMax", 20, LIST(0), 0, HZ_ELEMENT_BOOL, SHAPE(3), "\0\1\0");
    assert_int_equal(*(const uint8_t *)one_result(&one), 1);
    one_end(&one);
    reduce_begin(&one, "ReduceMin", 20, LIST(0), 0, HZ_ELEMENT_BOOL, SHAPE(3), "\1\1\1");
    assert_int_equal(*(const uint8_t *)one_result(&one), 1);
    one_end(&one);
}

static void no_axes_mean_all_or_none(void **state) {
    (void)state;
    static const float NUMBERS[] = {1, -2, 3, -4};
    one_step one;
    for (size_t which = 0; which < REDUCTIONS; which++) {
        for (int listed = 0; listed < 2; listed++) {
            for (int nothing = 0; nothing < 2; nothing++) {
                one_begin(&one, NAMES[which], 18);
                one_int(&one, "noop_with_empty_axes", nothing);
                one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2, 2), NUMBERS, false);
                if (listed) {
                    one_list(&one, NULL, 0);
                }
                const void *result = one_result(&one);
                one_same_shape(&one, 0, nothing ? SHAPE(2, 2) : SHAPE(1, 1));
                for (size_t i = 0; nothing && i < 4; i++) {
                    long double number = (long double)NUMBERS[i],
                                got = (long double)((const float *)result)[i];
                    long double wanted = defined(which, &number, 1);
                    if (!(fabsl(got - wanted) < 1e-6L) && !(isnan(got) && isnan(wanted))) {
                        fail_msg("%s of %Lg alone: %Lg", NAMES[which], number, got);
                    }
                }
                one_end(&one);
            }
        }
    }
}

static void reductions_refuse_wrong_axes_and_types(void **state) {
    (void)state;
    one_step one;
    for (size_t which = 0; which < REDUCTIONS; which++) {
        for (int opset = 7; opset <= 21; opset++) {
            reduce_begin(&one, NAMES[which], opset, LIST(2), 1, HZ_ELEMENT_FLOAT, SHAPE(2, 2),
                         NULL);
            one_refused(&one, "axis 2 is outside rank 2");
            reduce_begin(&one, NAMES[which], opset, LIST(INT64_MIN), 1, HZ_ELEMENT_FLOAT,
                         SHAPE(2, 2), NULL);
            one_refused(&one, "axis -9223372036854775808 is outside rank 2");
            reduce_begin(&one, NAMES[which], opset, LIST(1, -1), 1, HZ_ELEMENT_FLOAT, SHAPE(2, 2),
                         NULL);
            one_refused(&one, "axis -1 is listed twice");
        }
        one_begin(&one, NAMES[which], 18);
        one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2), NULL, false);
        one_input(&one, HZ_ELEMENT_INT64, SHAPE(1), NULL, false);
        one_refused(&one, "the axes 'in' must be known before the graph runs");
        one_begin(&one, NAMES[which], 18);
        one_ints(&one, "axes", LIST(0));
        one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2), NULL, false);
        assert_int_equal(one_prepare(&one, 1), HZ_GRAPH); /* an input since opset 18 */
        one_end(&one);
    }
    reduce_begin(&one, "ReduceL2", 13, LIST(0), 1, HZ_ELEMENT_INT32, SHAPE(2), NULL);
    one_refused(&one, "input 0 'in' is INT32; served are FLOAT, DOUBLE, FLOAT16, BFLOAT16");
    reduce_begin(&one, "ReduceSum", 13, LIST(0), 1, HZ_ELEMENT_BOOL, SHAPE(2), NULL);
    assert_int_equal(one_prepare(&one, 1), HZ_GRAPH);
    one_end(&one);
}

/* ---- ArgMax, ArgMin ---- */

static void arguments_are_the_first_or_last_extremes(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    static const hz_element ELEMENTS[] = {HZ_ELEMENT_FLOAT, HZ_ELEMENT_INT8, HZ_ELEMENT_UINT64,
                                          HZ_ELEMENT_FLOAT16};
    for (size_t round = test_effort(400); round > 0; round--) {
        hzi_shape shape = one_random_shape(&random, 1, 4), expected = {0};
        int axis = (int)one_draw(&random, 0, shape.rank - 1);
        shape.dim[axis] += shape.dim[axis] == 0;
        bool least = hz_random_draw(&random, 2), last = hz_random_draw(&random, 2);
        bool keep_axes = hz_random_draw(&random, 2);
        hz_element element = ELEMENTS[hz_random_draw(&random, 4)];
        int64_t total = hzi_shape_count(&shape);
        double numbers[1024];
        char data[1024 * 8];
        assert_true(total <= 1024);
        for (int64_t at = 0; at < total; at++) { /* few different ones, so that some are equal */
            numbers[at] = (double)one_draw(&random, element == HZ_ELEMENT_UINT64 ? 0 : -2, 3);
            hzi_store_reals(element, data, at, 1, &numbers[at]);
        }
        one_step one;
        one_begin(&one, least ? "ArgMin" : "ArgMax", last ? 12 : 11);
        one_int(&one, "axis", hz_random_draw(&random, 2) ? axis : axis - shape.rank);
        one_int(&one, "keepdims", keep_axes);
        if (last) {
            one_int(&one, "select_last_index", 1);
        }
        one_input(&one, element, shape, data, false);
        const int64_t *result = one_result(&one);
        hzi_shape results = shape;
        results.dim[axis] = 1;
        for (int i = 0; i < shape.rank; i++) {
            if (i != axis || keep_axes) {
                expected.dim[expected.rank++] = i == axis ? 1 : shape.dim[i];
            }
        }
        one_same_shape(&one, 0, expected);
        assert_int_equal(one.output[0].element, HZ_ELEMENT_INT64);
        for (int64_t at = 0; at < one.output[0].count; at++) {
            int64_t index[HZ_RANK_MAX], best = 0;
            one_indexes(&results, at, index);
            double top = 0;
            for (index[axis] = 0; index[axis] < shape.dim[axis]; index[axis]++) {
                double number = numbers[one_place(&shape, index)] * (least ? -1 : 1);
                if (index[axis] == 0 || number > top || (last && number == top)) {
                    top = number;
                    best = index[axis];
                }
            }
            assert_int_equal(result[at], best);
        }
        one_end(&one);
    }
}

static void arguments_keep_the_order_of_wide_numbers(void **state) {
    (void)state;
    static const uint64_t NUMBERS[] = {5, UINT64_MAX, 0, UINT64_C(1) << 63};
    one_step one;
    one_begin(&one, "ArgMax", 13);
    one_input(&one, HZ_ELEMENT_UINT64, SHAPE(4), NUMBERS, false);
    assert_int_equal(*(const int64_t *)one_result(&one), 1);
    one_end(&one);
    one_begin(&one, "ArgMin", 13);
    one_input(&one, HZ_ELEMENT_UINT64, SHAPE(4), NUMBERS, false);
    assert_int_equal(*(const int64_t *)one_result(&one), 2);
    one_end(&one);
    one_begin(&one, "ArgMax", 13);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2, 0), NULL, false);
    one_int(&one, "axis", 1);
    one_refused(&one, "axis 1 is empty, nothing in it is the greatest or least");
    one_begin(&one, "ArgMax", 13);
    one_input(&one, HZ_ELEMENT_FLOAT, SCALAR, NULL, false);
    one_refused(&one, "attribute 'axis' 0 is outside rank 0");
    one_begin(&one, "ArgMax", 13);
    one_input(&one, HZ_ELEMENT_BOOL, SHAPE(2), NULL, false);
    one_refused(&one, "input 0 'in' is BOOL, which is not served");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reductions_follow_their_definitions),
        cmocka_unit_test(a_row_gives_the_same_bits_alone_and_in_a_batch),
        cmocka_unit_test(nothing_at_all_has_the_neutral_value),
        cmocka_unit_test(nan_and_infinity_are_passed_on),
        cmocka_unit_test(whole_numbers_wrap_and_keep_their_order),
        cmocka_unit_test(no_axes_mean_all_or_none),
        cmocka_unit_test(reductions_refuse_wrong_axes_and_types),
        cmocka_unit_test(arguments_are_the_first_or_last_extremes),
        cmocka_unit_test(arguments_keep_the_order_of_wide_numbers),
    };
    return cmocka_run_group_tests_name("model/reduce", tests, NULL, NULL);
}
