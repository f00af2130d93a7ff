/* SPDX-License-Identifier: MIT */
/* Softmax, LogSoftmax, Hardmax against their definitions, at any axis and opset; edges. */
#include "model/number.h"
#include "model/one_step.h"

static const char *const NAMES[] = {"Softmax", "LogSoftmax", "Hardmax"};

static void lines_follow_the_definition(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    static const hz_element ELEMENTS[] = {HZ_ELEMENT_FLOAT, HZ_ELEMENT_DOUBLE, HZ_ELEMENT_FLOAT16,
                                          HZ_ELEMENT_BFLOAT16};
    static const double EXACT[] = {1e-6, 1e-13, 1e-3, 8e-3};
    static double numbers[2048];
    static char data[2048 * 8];
    for (size_t round = test_effort(1000); round > 0; round--) {
        hzi_shape shape = one_random_shape(&random, 1, 5);
        if (hz_random_draw(&random, 20) == 0) {
            shape = SHAPE(2, one_draw(&random, 1, 100), one_draw(&random, 1, 9));
        }
        size_t which = hz_random_draw(&random, 3), type = hz_random_draw(&random, 4);
        int opset = (const int[]){7, 11, 13, 21}[hz_random_draw(&random, 4)];
        bool flat = opset < 13, plain = hz_random_draw(&random, 4) == 0;
        int axis = flat ? 1 : shape.rank - 1;
        plain = plain && axis < shape.rank;
        axis = plain ? axis : (int)one_draw(&random, 0, shape.rank - 1);
        int64_t total = hzi_shape_count(&shape);
        for (int64_t at = 0; at < total; at++) {
            numbers[at] = (double)one_draw(&random, -40, 40) / 8;
            hzi_store_reals(ELEMENTS[type], data, at, 1, &numbers[at]);
        }
        one_step one;
        one_begin(&one, NAMES[which], opset);
        if (!plain) {
            one_int(&one, "axis", hz_random_draw(&random, 2) ? axis : axis - shape.rank);
        }
        one_input(&one, ELEMENTS[type], shape, data, false);
        const void *result = one_result(&one);
        one_same_shape(&one, 0, shape);
        for (int64_t at = 0; at < total; at++) {
            /* The line of this element: all that differ from it only on the axis (or behind it). */
            int64_t own[HZ_RANK_MAX], other[HZ_RANK_MAX], first = -1;
            double sum = 0, top = -(double)INFINITY, got;
            one_indexes(&shape, at, own);
            for (int64_t with = 0; with < total; with++) {
                bool same = true;
                one_indexes(&shape, with, other);
                for (int i = 0; i < shape.rank; i++) {
                    bool free_axis = i == axis || (flat && i > axis);
                    same = same && (free_axis || own[i] == other[i]);
                }
                if (same) {
                    sum += exp(numbers[with]);
                    first = numbers[with] > top ? with : first;
                    top = numbers[with] > top ? numbers[with] : top;
                }
            }
            const double expected[] = {exp(numbers[at]) / sum, numbers[at] - log(sum), first == at};
            hzi_load_reals(ELEMENTS[type], result, at, 1, 1, &got);
            if (!(fabs(got - expected[which]) <= EXACT[type] * (1 + fabs(expected[which])))) {
                fail_msg("%s: %.17g instead of %.17g", NAMES[which], got, expected[which]);
            }
        }
        one_end(&one);
    }
}

static void a_row_gives_the_same_bits_alone_and_in_a_batch(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    enum { ROWS = 7, WIDTH = 37 };
    float rows[ROWS][WIDTH];
    for (int i = 0; i < ROWS; i++) {
        for (int k = 0; k < WIDTH; k++) {
            rows[i][k] = (float)one_draw(&random, -1000, 1000) / 77.0F;
        }
    }
    for (size_t which = 0; which < 3; which++) {
        one_step batch, alone;
        one_begin(&batch, NAMES[which], 13);
        one_input(&batch, HZ_ELEMENT_FLOAT, SHAPE(ROWS, WIDTH), rows, false);
        const float *results = one_result(&batch);
        for (int i = 0; i < ROWS; i++) {
            one_begin(&alone, NAMES[which], 13);
            one_input(&alone, HZ_ELEMENT_FLOAT, SHAPE(1, WIDTH), rows[i], false);
            assert_memory_equal(one_result(&alone), results + (ptrdiff_t)i * WIDTH, sizeof rows[i]);
            one_end(&alone);
        }
        one_end(&batch);
    }
}

static void great_numbers_do_not_overflow(void **state) {
    (void)state;
    static const float NUMBERS[] = {1e38F, 1e38F, -1e38F};
    static const float SOFT[] = {0.5F, 0.5F, 0}, HARD[] = {1, 0, 0};
    one_step one;
    one_begin(&one, "Softmax", 13);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(3), NUMBERS, false);
    assert_memory_equal(one_result(&one), SOFT, sizeof SOFT);
    one_end(&one);
    one_begin(&one, "Hardmax", 13);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(3), NUMBERS, false);
    assert_memory_equal(one_result(&one), HARD, sizeof HARD);
    one_end(&one);
    static const float BROKEN[] = {1, NAN, 2};
    one_begin(&one, "Softmax", 13);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(3), BROKEN, false);
    const float *result = one_result(&one);
    assert_true(isnan(result[0]) && isnan(result[1]) && isnan(result[2]));
    one_end(&one);
    one_begin(&one, "Softmax", 13);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2, 0), NULL, false);
    (void)one_result(&one);
    one_end(&one);
}

static void softmax_refuses_axes_and_types_that_do_not_fit(void **state) {
    (void)state;
    one_step one;
    for (size_t which = 0; which < 3; which++) {
        one_begin(&one, NAMES[which], 13);
        one_int(&one, "axis", 2);
        one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2, 2), NULL, false);
        one_refused(&one, "attribute 'axis' 2 is outside rank 2");
        one_begin(&one, NAMES[which], 7); /* the axis is 1 when it is not given */
        one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2), NULL, false);
        one_refused(&one, "attribute 'axis' 1 is outside rank 1");
        one_begin(&one, NAMES[which], 13);
        one_input(&one, HZ_ELEMENT_FLOAT, SCALAR, NULL, false);
        one_refused(&one, "attribute 'axis' -1 is outside rank 0");
        one_begin(&one, NAMES[which], 13);
        one_input(&one, HZ_ELEMENT_INT32, SHAPE(2), NULL, false);
        one_refused(&one, "input 0 'in' is INT32; served are FLOAT, DOUBLE, FLOAT16, BFLOAT16");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_follow_the_definition),
        cmocka_unit_test(a_row_gives_the_same_bits_alone_and_in_a_batch),
        cmocka_unit_test(great_numbers_do_not_overflow),
        cmocka_unit_test(softmax_refuses_axes_and_types_that_do_not_fit),
    };
    return cmocka_run_group_tests_name("model/softmax", tests, NULL, NULL);
}
