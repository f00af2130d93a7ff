/* SPDX-License-Identifier: MIT */
/* Comparison, truth and choice on random broadcasts of every type, NaN, refusals. */
#include "model/number.h"
#include "model/one_step.h"

/* Two shapes that broadcast, and what they make together. */
static hzi_shape random_pair(hz_random *random, hzi_shape *a, hzi_shape *b) {
    hzi_shape shape = one_random_shape(random, 0, 5);
    hzi_shape *const both[] = {a, b};
    for (int k = 0; k < 2; k++) {
        int rank = k == 0 ? shape.rank : (int)one_draw(random, 0, shape.rank);
        *both[k] = (hzi_shape){.rank = rank};
        for (int i = 0; i < rank; i++) {
            both[k]->dim[i] = hz_random_draw(random, 4) ? shape.dim[shape.rank - rank + i] : 1;
        }
    }
    if (hz_random_draw(random, 2)) {
        hzi_shape kept = *a;
        *a = *b;
        *b = kept;
    }
    assert_true(hzi_shape_broadcast(a, b, &shape));
    return shape;
}

static const hz_element NUMBERS[] = {HZ_ELEMENT_FLOAT,    HZ_ELEMENT_DOUBLE, HZ_ELEMENT_FLOAT16,
                                     HZ_ELEMENT_BFLOAT16, HZ_ELEMENT_INT8,   HZ_ELEMENT_INT16,
                                     HZ_ELEMENT_INT32,    HZ_ELEMENT_INT64,  HZ_ELEMENT_UINT8,
                                     HZ_ELEMENT_UINT16,   HZ_ELEMENT_UINT32, HZ_ELEMENT_UINT64};
static const char *const RELATIONS[] = {"Equal", "Greater", "Less", "GreaterOrEqual",
                                        "LessOrEqual"};

static bool related(size_t by, double a, double b) {
    const bool results[] = {a == b, a > b, a < b, a >= b, a <= b};
    return results[by];
}

/* Fills an array with few different numbers, also as double. */
static void random_numbers(hz_random *random, hz_element element, int64_t n, void *data,
                           double *numbers) {
    bool has_sign = hzi_element_is_real(element) ||
                    (element != HZ_ELEMENT_UINT8 && element != HZ_ELEMENT_UINT16 &&
                     element != HZ_ELEMENT_UINT32 && element != HZ_ELEMENT_UINT64);
    for (int64_t i = 0; i < n; i++) {
        numbers[i] = (double)one_draw(random, has_sign ? -2 : 0, 2);
        if (hzi_element_is_real(element) && hz_random_draw(random, 8) == 0) {
            numbers[i] = (double)(hz_random_draw(random, 2) ? NAN : INFINITY);
        }
        hzi_store_reals(element, data, i, 1, &numbers[i]);
    }
}

static void comparisons_follow_broadcasting_for_every_type(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    static double x[1024], y[1024];
    static char a_data[8192], b_data[8192];
    for (size_t round = test_effort(1500); round > 0; round--) {
        hzi_shape a, b, shape = random_pair(&random, &a, &b);
        hz_element element = NUMBERS[hz_random_draw(&random, 12)];
        size_t by = hz_random_draw(&random, 5);
        random_numbers(&random, element, hzi_shape_count(&a), a_data, x);
        random_numbers(&random, element, hzi_shape_count(&b), b_data, y);
        one_step one;
        one_begin(&one, RELATIONS[by], 16);
        one_input(&one, element, a, a_data, false);
        one_input(&one, element, b, b_data, false);
        const uint8_t *result = one_result(&one);
        one_same_shape(&one, 0, shape);
        assert_int_equal(one.output[0].element, HZ_ELEMENT_BOOL);
        for (int64_t at = 0; at < one.output[0].count; at++) {
            int64_t index[HZ_RANK_MAX];
            one_indexes(&shape, at, index);
            bool expected = related(by, x[one_broadcast_place(&a, &shape, index)],
                                    y[one_broadcast_place(&b, &shape, index)]);
            assert_int_equal(result[at], expected);
        }
        one_end(&one);
    }
}

static void comparisons_are_exact_at_the_ends_of_wide_types(void **state) {
    (void)state;
    static const int64_t SIGNED_A[] = {INT64_MAX, INT64_MIN, (1LL << 53) + 1};
    static const int64_t SIGNED_B[] = {INT64_MAX - 1, INT64_MAX, 1LL << 53};
    static const uint64_t UNSIGNED_A[] = {UINT64_MAX}, UNSIGNED_B[] = {1};
    one_step one;
    one_begin(&one, "Greater", 9);
    one_input(&one, HZ_ELEMENT_INT64, SHAPE(3), SIGNED_A, false);
    one_input(&one, HZ_ELEMENT_INT64, SHAPE(3), SIGNED_B, false);
    assert_memory_equal(one_result(&one), "\1\0\1", 3);
    one_end(&one);
    one_begin(&one, "Less", 9);
    one_input(&one, HZ_ELEMENT_UINT64, SHAPE(1), UNSIGNED_A, false);
    one_input(&one, HZ_ELEMENT_UINT64, SHAPE(1), UNSIGNED_B, false);
    assert_memory_equal(one_result(&one), "\0", 1);
    one_end(&one);
}

static void truth_is_whatever_is_not_zero(void **state) {
    (void)state;
    static const struct {
        const char *name, *expected;
    } CASES[] = {{"And", "\0\0\0\1\1"},
                 {"Or", "\0\1\1\1\1"},
                 {"Xor", "\0\1\1\0\0"},
                 {"Equal", "\1\0\0\1\1"}};
    one_step one;
    for (size_t i = 0; i < 4; i++) {
        one_begin(&one, CASES[i].name, 13);
        one_input(&one, HZ_ELEMENT_BOOL, SHAPE(5), "\0\0\1\1\2", false);
        one_input(&one, HZ_ELEMENT_BOOL, SHAPE(5), "\0\1\0\1\4", false);
        assert_memory_equal(one_result(&one), CASES[i].expected, 5);
        one_end(&one);
    }
    one_begin(&one, "Not", 7);
    one_input(&one, HZ_ELEMENT_BOOL, SHAPE(3), "\0\1\7", false);
    assert_memory_equal(one_result(&one), "\1\0\0", 3);
    one_end(&one);
    one_begin(&one, "And", 7);
    one_input(&one, HZ_ELEMENT_BOOL, SHAPE(2, 1), "\0\1", false);
    one_input(&one, HZ_ELEMENT_BOOL, SHAPE(3), "\0\1\1", false);
    assert_memory_equal(one_result(&one), "\0\0\0\0\1\1", 6);
    one_same_shape(&one, 0, SHAPE(2, 3));
    one_end(&one);
}

static void where_chooses_elements_of_any_size(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    for (size_t round = test_effort(500); round > 0; round--) {
        hzi_shape x, y, condition, shape = random_pair(&random, &x, &y), whole;
        condition = shape;
        for (int i = 0; i < shape.rank; i++) {
            condition.dim[i] = hz_random_draw(&random, 3) ? shape.dim[i] : 1;
        }
        if (hz_random_draw(&random, 3) == 0) { /* the condition may be the widest of them */
            condition.rank = shape.rank + 1;
            for (int i = shape.rank; i > 0; i--) {
                condition.dim[i] = condition.dim[i - 1];
            }
            condition.dim[0] = one_draw(&random, 1, 3);
        }
        assert_true(hzi_shape_broadcast(&condition, &shape, &whole));
        hz_element element = ONE_SIZES[hz_random_draw(&random, 4)];
        size_t size = hz_element_size(element);
        char *yes = one_pattern(element, hzi_shape_count(&x));
        char *pattern = one_pattern(element, hzi_shape_count(&y) + 1);
        const char *no = pattern + size; /* other numbers than in `yes` */
        int64_t conditions = hzi_shape_count(&condition);
        uint8_t *when = calloc((size_t)conditions + 1, 1);
        assert_non_null(when);
        for (int64_t i = 0; i < conditions; i++) {
            when[i] = (uint8_t)hz_random_draw(&random, 3);
        }
        one_step one;
        one_begin(&one, "Where", 16);
        one_input(&one, HZ_ELEMENT_BOOL, condition, when, false);
        one_input(&one, element, x, yes, false);
        one_input(&one, element, y, no, false);
        const void *result = one_result(&one);
        one_same_shape(&one, 0, whole);
        for (int64_t at = 0; at < one.output[0].count; at++) {
            int64_t index[HZ_RANK_MAX];
            one_indexes(&whole, at, index);
            if (when[one_broadcast_place(&condition, &whole, index)]) {
                one_same_element(result, at, yes, one_broadcast_place(&x, &whole, index), size);
            } else {
                one_same_element(result, at, no, one_broadcast_place(&y, &whole, index), size);
            }
        }
        free(yes);
        free(pattern);
        free(when);
        one_end(&one);
    }
}

static void special_numbers_are_found(void **state) {
    (void)state;
    static const float FLOATS[] = {1, NAN, INFINITY, -INFINITY, 0, -0.0F};
    static const uint16_t HALVES[] = {0x3C00, 0x7E00, 0x7C00, 0xFC00, 0, 0x8000};
    one_step one;
    for (int half = 0; half < 2; half++) {
        hz_element element = half ? HZ_ELEMENT_FLOAT16 : HZ_ELEMENT_FLOAT;
        const void *data = half ? (const void *)HALVES : FLOATS;
        one_begin(&one, "IsNaN", 20);
        one_input(&one, element, SHAPE(6), data, false);
        assert_memory_equal(one_result(&one), "\0\1\0\0\0\0", 6);
        one_end(&one);
        for (int which = 0; which < 4; which++) {
            one_begin(&one, "IsInf", 20);
            one_int(&one, "detect_positive", which & 1);
            one_int(&one, "detect_negative", which >> 1);
            one_input(&one, element, SHAPE(6), data, false);
            const uint8_t expected[] = {0, 0, which & 1, (uint8_t)(which >> 1), 0, 0};
            assert_memory_equal(one_result(&one), expected, 6);
            one_end(&one);
        }
    }
    one_begin(&one, "IsInf", 10);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(6), FLOATS, false);
    assert_memory_equal(one_result(&one), "\0\0\1\1\0\0", 6);
    one_end(&one);
}

static void refused_pair(const char *name, int opset, hz_element a, hz_element b, hzi_shape shape,
                         const char *words) {
    one_step one;
    one_begin(&one, name, opset);
    one_input(&one, a, SHAPE(2), NULL, false);
    one_input(&one, b, shape, NULL, false);
    one_refused(&one, words);
}

static void logic_refuses_types_and_shapes_that_do_not_fit(void **state) {
    (void)state;
    refused_pair("Equal", 13, HZ_ELEMENT_FLOAT, HZ_ELEMENT_DOUBLE, SHAPE(2),
                 "inputs 'in' (FLOAT) and 'in' (DOUBLE) must be of one type");
    refused_pair("Equal", 13, HZ_ELEMENT_FLOAT, HZ_ELEMENT_FLOAT, SHAPE(3),
                 "shapes [2] and [3] do not broadcast");
    refused_pair("Equal", 7, HZ_ELEMENT_FLOAT, HZ_ELEMENT_FLOAT, SHAPE(2),
                 "Equal of FLOAT is not served at opset 7");
    refused_pair("Less", 8, HZ_ELEMENT_INT32, HZ_ELEMENT_INT32, SHAPE(2),
                 "Less of INT32 is not served at opset 8");
    refused_pair("Greater", 13, HZ_ELEMENT_BOOL, HZ_ELEMENT_BOOL, SHAPE(2),
                 "Greater of BOOL is not served at opset 13");
    refused_pair("Or", 7, HZ_ELEMENT_BOOL, HZ_ELEMENT_INT32, SHAPE(2),
                 "input 1 'in' is INT32; served are BOOL");
    refused_pair("Equal", 19, HZ_ELEMENT_STRING, HZ_ELEMENT_STRING, SHAPE(2),
                 "input 0 'in' is STRING, which is not served");
    one_step one;
    one_begin(&one, "Where", 9);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2), NULL, false);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2), NULL, false);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2), NULL, false);
    one_refused(&one, "input 0 'in' is FLOAT; served are BOOL");
    one_begin(&one, "Where", 9);
    one_input(&one, HZ_ELEMENT_BOOL, SHAPE(3), NULL, false);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2), NULL, false);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(1), NULL, false);
    one_refused(&one, "shapes [3] and [2] do not broadcast");
    one_begin(&one, "IsNaN", 9);
    one_input(&one, HZ_ELEMENT_INT32, SHAPE(3), NULL, false);
    one_refused(&one, "input 0 'in' is INT32; served are FLOAT, DOUBLE, FLOAT16, BFLOAT16");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comparisons_follow_broadcasting_for_every_type),
        cmocka_unit_test(comparisons_are_exact_at_the_ends_of_wide_types),
        cmocka_unit_test(truth_is_whatever_is_not_zero),
        cmocka_unit_test(where_chooses_elements_of_any_size),
        cmocka_unit_test(special_numbers_are_found),
        cmocka_unit_test(logic_refuses_types_and_shapes_that_do_not_fit),
    };
    return cmocka_run_group_tests_name("model/logic", tests, NULL, NULL);
}
