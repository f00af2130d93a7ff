/* SPDX-License-Identifier: MIT */
/*
 * Gather and GatherElements against their definitions; indexes outside, known before the graph runs
 * or computed while it does.
 */
#include "model/one_step.h"

#define LIST(...) (const int64_t[]){__VA_ARGS__}, sizeof((const int64_t[]){__VA_ARGS__}) / 8

static void gather_picks_along_an_axis(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    for (size_t round = test_effort(400); round > 0; round--) {
        one_source from = one_any_source(&random, 1, 4);
        int axis = (int)one_draw(&random, 0, from.shape.rank - 1);
        int64_t dim = from.shape.dim[axis], picks[64];
        hzi_shape shape = one_random_shape(&random, 0, 3), result_shape = {0};
        int64_t count = hzi_shape_count(&shape);
        if (dim == 0 && count > 0) {
            free(from.data);
            continue;
        }
        int32_t narrow[64];
        for (int64_t i = 0; i < count; i++) {
            picks[i] = one_draw(&random, -dim, dim - 1);
            narrow[i] = (int32_t)picks[i];
        }
        bool wide = hz_random_draw(&random, 2);
        one_step one;
        one_begin(&one, "Gather", 13);
        one_int(&one, "axis", hz_random_draw(&random, 2) ? axis : axis - from.shape.rank);
        one_input(&one, from.element, from.shape, from.data, false);
        one_input(&one, wide ? HZ_ELEMENT_INT64 : HZ_ELEMENT_INT32, shape,
                  wide ? (const void *)picks : narrow, hz_random_draw(&random, 2));
        const void *result = one_result(&one);
        for (int i = 0; i < from.shape.rank; i++) {
            if (i != axis) {
                result_shape.dim[result_shape.rank++] = from.shape.dim[i];
                continue;
            }
            for (int k = 0; k < shape.rank; k++) {
                result_shape.dim[result_shape.rank++] = shape.dim[k];
            }
        }
        one_same_shape(&one, 0, result_shape);
        for (int64_t at = 0; at < one.output[0].count; at++) {
            int64_t index[HZ_RANK_MAX], place[HZ_RANK_MAX];
            one_indexes(&result_shape, at, index);
            int64_t pick = picks[one_place(&shape, index + axis)];
            for (int i = 0; i < from.shape.rank; i++) {
                place[i] = i < axis   ? index[i]
                           : i > axis ? index[i - 1 + shape.rank]
                                      : (pick + dim) % dim;
            }
            one_same_element(result, at, from.data, one_place(&from.shape, place), from.size);
        }
        free(from.data);
        one_end(&one);
    }
}

static void gather_elements_picks_for_every_element(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    for (size_t round = test_effort(400); round > 0; round--) {
        one_source from = one_any_source(&random, 1, 4);
        int axis = (int)one_draw(&random, 0, from.shape.rank - 1);
        int64_t dim = from.shape.dim[axis], picks[256];
        hzi_shape shape = from.shape;
        for (int i = 0; i < shape.rank; i++) {
            shape.dim[i] = i == axis ? one_draw(&random, 0, 4) : one_draw(&random, 0, shape.dim[i]);
        }
        int64_t count = hzi_shape_count(&shape);
        if (dim > 0 || count == 0) {
            for (int64_t i = 0; i < count; i++) {
                picks[i] = one_draw(&random, -dim, dim - 1);
            }
            one_step one;
            one_begin(&one, "GatherElements", 13);
            one_int(&one, "axis", axis);
            one_input(&one, from.element, from.shape, from.data, false);
            one_input(&one, HZ_ELEMENT_INT64, shape, picks, hz_random_draw(&random, 2));
            const void *result = one_result(&one);
            one_same_shape(&one, 0, shape);
            for (int64_t at = 0; at < count; at++) {
                int64_t index[HZ_RANK_MAX];
                one_indexes(&shape, at, index);
                index[axis] = (picks[at] + dim) % dim;
                one_same_element(result, at, from.data, one_place(&from.shape, index), from.size);
            }
            one_end(&one);
        }
        free(from.data);
    }
}

static void known_indexes_outside_are_refused(void **state) {
    (void)state;
    static const char *const NAMES[] = {"Gather", "GatherElements"};
    one_step one;
    for (size_t i = 0; i < 2; i++) {
        one_begin(&one, NAMES[i], 13);
        one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(3), NULL, false);
        one_list(&one, LIST(0, 3));
        one_refused(&one, "index 3 is outside axis 0 of size 3");
        one_begin(&one, NAMES[i], 13);
        one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(3), NULL, false);
        one_list(&one, LIST(-4));
        one_refused(&one, "index -4 is outside axis 0 of size 3");
        one_begin(&one, NAMES[i], 13);
        one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(3), NULL, false);
        one_list(&one, LIST(INT64_MIN));
        one_refused(&one, "index -9223372036854775808 is outside axis 0 of size 3");
        one_begin(&one, NAMES[i], 13);
        one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(3), NULL, false);
        one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(1), NULL, false);
        one_refused(&one, "input 1 'in' is FLOAT; served are INT32, INT64");
    }
    one_begin(&one, "GatherElements", 13);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(3, 2), NULL, false);
    one_input(&one, HZ_ELEMENT_INT64, SHAPE(3, 3), NULL, false);
    one_refused(&one, "3 indexes along axis 1 of size 2");
    one_begin(&one, "Gather", 13);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(1, 1, 1, 1, 1), NULL, false);
    one_input(&one, HZ_ELEMENT_INT64, SHAPE(1, 1, 1, 1, 1), NULL, false);
    one_refused(&one, "the output would have rank 9; the most is 8");
}

/* An index computed while running cannot be refused: it picks NaN, or 0 where there is no NaN. */
static void computed_indexes_outside_pick_no_number(void **state) {
    (void)state;
    static const char *const NAMES[] = {"Gather", "GatherElements"};
    static const int64_t PICKS[] = {INT64_MIN, -4, 3, INT64_MAX, 1, -3};
    static const float FLOATS[] = {5, 6, 7};
    static const double DOUBLES[] = {5, 6, 7};
    static const int32_t WHOLE[] = {5, 6, 7};
    for (size_t i = 0; i < 2; i++) {
        one_step one;
        one_begin(&one, NAMES[i], 13);
        one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(3), FLOATS, false);
        one_input(&one, HZ_ELEMENT_INT64, SHAPE(6), PICKS, false);
        const float *floats = one_result(&one);
        assert_true(isnan(floats[0]) && isnan(floats[1]) && isnan(floats[2]) && isnan(floats[3]));
        assert_true(floats[4] == 6 && floats[5] == 5);
        one_end(&one);
        one_begin(&one, NAMES[i], 13);
        one_input(&one, HZ_ELEMENT_DOUBLE, SHAPE(3), DOUBLES, false);
        one_input(&one, HZ_ELEMENT_INT64, SHAPE(6), PICKS, false);
        const double *doubles = one_result(&one);
        assert_true(isnan(doubles[0]) && isnan(doubles[3]) && doubles[4] == 6);
        one_end(&one);
        one_begin(&one, NAMES[i], 13);
        one_input(&one, HZ_ELEMENT_INT32, SHAPE(3), WHOLE, false);
        one_input(&one, HZ_ELEMENT_INT64, SHAPE(6), PICKS, false);
        assert_memory_equal(one_result(&one), ((const int32_t[]){0, 0, 0, 0, 6, 5}), 24);
        one_end(&one);
        one_begin(&one, NAMES[i], 13);
        one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(0), NULL, false);
        one_input(&one, HZ_ELEMENT_INT64, SHAPE(6), PICKS, false);
        floats = one_result(&one);
        assert_true(isnan(floats[0]) && isnan(floats[5]));
        one_end(&one);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gather_picks_along_an_axis),
        cmocka_unit_test(gather_elements_picks_for_every_element),
        cmocka_unit_test(known_indexes_outside_are_refused),
        cmocka_unit_test(computed_indexes_outside_pick_no_number),
    };
    return cmocka_run_group_tests_name("model/gather", tests, NULL, NULL);
}
