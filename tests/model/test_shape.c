/* SPDX-License-Identifier: MIT */
/* Operators about shapes, and constants: results, edges, refusals. */
#include "model/one_step.h"

#define LIST(...) (const int64_t[]){__VA_ARGS__}, sizeof((const int64_t[]){__VA_ARGS__}) / 8

/* ---- constants ---- */

static void constant_takes_every_kind_of_number(void **state) {
    (void)state;
    one_step one;
    one_begin(&one, "Constant", 13);
    one_int(&one, "value_int", -5);
    assert_int_equal(*(const int64_t *)one_result(&one), -5);
    one_same_shape(&one, 0, SCALAR);
    assert_true(one.output[0].known);
    one_end(&one);

    one_begin(&one, "Constant", 13);
    one_float(&one, "value_float", 2.5F);
    assert_true(*(const float *)one_result(&one) == 2.5F);
    one_end(&one);

    one_begin(&one, "Constant", 13);
    one_ints(&one, "value_ints", LIST(3, -4, 5));
    assert_memory_equal(one_result(&one), ((const int64_t[]){3, -4, 5}), 24);
    one_same_shape(&one, 0, SHAPE(3));
    one_end(&one);

    one_begin(&one, "Constant", 13);
    static const float FLOATS[] = {1, 2};
    hzi_attribute *floats = one_attribute(&one, "value_floats", HZI_ATTRIBUTE_FLOATS);
    floats->floats = FLOATS;
    floats->count = 2;
    assert_memory_equal(one_result(&one), FLOATS, sizeof FLOATS);
    one_end(&one);

    one_begin(&one, "Constant", 7);
    double numbers[] = {1, 2, 3, 4, 5, 6};
    one_attribute(&one, "value", HZI_ATTRIBUTE_TENSOR)->tensor =
        (hz_tensor){.element = HZ_ELEMENT_DOUBLE, .rank = 2, .shape = {2, 3}, .data = numbers};
    assert_memory_equal(one_result(&one), numbers, sizeof numbers);
    one_same_shape(&one, 0, SHAPE(2, 3));
    assert_int_equal(one.output[0].element, HZ_ELEMENT_DOUBLE);
    one_end(&one);

    one_begin(&one, "Constant", 13);
    one_attribute(&one, "value", HZI_ATTRIBUTE_TENSOR)->tensor =
        (hz_tensor){.element = HZ_ELEMENT_INT64, .rank = 1, .shape = {0}};
    assert_non_null(one_result(&one));
    one_same_shape(&one, 0, SHAPE(0));
    one_end(&one);
}

static void constant_refuses_strings_sparse_and_two_values(void **state) {
    (void)state;
    one_step one;
    one_begin(&one, "Constant", 13);
    one_string(&one, "value_string", "a");
    one_refused(&one, "node 7 'x' (Constant): attribute 'value_string': sparse and string "
                      "constants are not served");
    one_begin(&one, "Constant", 11);
    (void)one_attribute(&one, "sparse_value", HZI_ATTRIBUTE_OTHER);
    one_refused(&one, "attribute 'sparse_value': sparse and string constants are not served");
    one_begin(&one, "Constant", 13);
    one_refused(&one, "a constant has exactly one value, this one has 0");
    one_begin(&one, "Constant", 13);
    one_int(&one, "value_int", 1);
    one_float(&one, "value_float", 1);
    one_refused(&one, "a constant has exactly one value, this one has 2");
    one_begin(&one, "Constant", 13);
    one_float(&one, "value_int", 1);
    one_refused(&one, "attribute 'value_int' must be a whole number, it is a float");
}

static void constant_of_shape_repeats_one_number_of_any_type(void **state) {
    (void)state;
    one_step one;
    one_begin(&one, "ConstantOfShape", 9);
    one_list(&one, LIST(2, 3));
    static const float ZEROS[6];
    assert_memory_equal(one_result(&one), ZEROS, sizeof ZEROS);
    one_same_shape(&one, 0, SHAPE(2, 3));
    one_end(&one);
    for (size_t i = 0; i < 4; i++) {
        void *number = one_pattern(ONE_SIZES[i], 1);
        size_t size = hz_element_size(ONE_SIZES[i]);
        one_begin(&one, "ConstantOfShape", 21);
        one_attribute(&one, "value", HZI_ATTRIBUTE_TENSOR)->tensor =
            (hz_tensor){.element = ONE_SIZES[i], .rank = 1, .shape = {1}, .data = number};
        one_list(&one, LIST(5));
        const char *result = one_result(&one);
        for (int at = 0; at < 5; at++) {
            one_same_element(result, at, number, 0, size);
        }
        free(number);
        one_end(&one);
    }
    one_begin(&one, "ConstantOfShape", 9);
    one_list(&one, NULL, 0); /* an empty list: one number */
    assert_true(*(const float *)one_result(&one) == 0);
    one_same_shape(&one, 0, SCALAR);
    one_end(&one);
    one_begin(&one, "ConstantOfShape", 9);
    one_list(&one, LIST(4, 0));
    (void)one_result(&one);
    one_same_shape(&one, 0, SHAPE(4, 0));
    one_end(&one);
}

static void constant_of_shape_refuses_negative_huge_and_unknown(void **state) {
    (void)state;
    one_step one;
    one_begin(&one, "ConstantOfShape", 9);
    one_list(&one, LIST(2, -1));
    one_refused(&one, "dimension 1 of the shape is negative: -1");
    one_begin(&one, "ConstantOfShape", 9);
    one_list(&one, LIST(INT64_MAX, INT64_MAX));
    one_refused(&one, "is beyond the memory limit of 67108864 bytes");
    one_begin(&one, "ConstantOfShape", 9);
    one_list(&one, LIST(1 << 24, 2));
    one_refused(&one, "[16777216,2] of FLOAT is beyond the memory limit of 67108864 bytes");
    one_begin(&one, "ConstantOfShape", 9);
    one_list(&one, LIST(1, 1, 1, 1, 1, 1, 1, 1, 1));
    one_refused(&one, "the shape has 9 dimensions; the most is 8");
    one_begin(&one, "ConstantOfShape", 9);
    one_input(&one, HZ_ELEMENT_INT64, SHAPE(2), NULL, false);
    one_refused(&one, "the shape 'in' must be known before the graph runs");
    one_begin(&one, "ConstantOfShape", 8);
    one_list(&one, LIST(2));
    assert_int_equal(one_prepare(&one, 1), HZ_GRAPH);
    one_end(&one);
}

static void range_counts_up_down_and_to_the_ends_of_its_type(void **state) {
    (void)state;
    static const struct {
        int64_t start, limit, delta, count;
    } CASES[] = {
        {0, 5, 1, 5},
        {0, 5, 2, 3},
        {0, 6, 2, 3},
        {5, 0, -1, 5},
        {5, 0, 1, 0},
        {0, 5, -1, 0},
        {3, 3, 1, 0},
        {-3, 4, 3, 3},
        {INT64_MIN, INT64_MAX, INT64_MAX, 3},
        {INT64_MAX, INT64_MIN, INT64_MIN, 2},
        {INT64_MAX - 1, INT64_MAX, 5, 1},
    };
    one_step one;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        one_begin(&one, "Range", 11);
        one_input(&one, HZ_ELEMENT_INT64, SCALAR, &CASES[i].start, true);
        one_input(&one, HZ_ELEMENT_INT64, SCALAR, &CASES[i].limit, true);
        one_input(&one, HZ_ELEMENT_INT64, SCALAR, &CASES[i].delta, true);
        const int64_t *result = one_result(&one);
        one_same_shape(&one, 0, SHAPE(CASES[i].count));
        for (int64_t k = 0; k < CASES[i].count; k++) {
            uint64_t expected = (uint64_t)CASES[i].start + (uint64_t)k * (uint64_t)CASES[i].delta;
            assert_int_equal(result[k], (int64_t)expected);
        }
        one_end(&one);
    }
    static const float FLOATS[] = {1, 2, 0.25F};
    one_begin(&one, "Range", 11);
    for (int i = 0; i < 3; i++) {
        one_input(&one, HZ_ELEMENT_FLOAT, SCALAR, &FLOATS[i], true);
    }
    static const float QUARTERS[] = {1, 1.25F, 1.5F, 1.75F};
    assert_memory_equal(one_result(&one), QUARTERS, sizeof QUARTERS);
    one_same_shape(&one, 0, SHAPE(4));
    one_end(&one);
}

static void range_refuses_what_never_ends(void **state) {
    (void)state;
    one_step one;
    static const int64_t WHOLE[] = {0, 5, 0, INT64_MIN, INT64_MAX, 1};
    one_begin(&one, "Range", 11);
    for (int i = 0; i < 3; i++) {
        one_input(&one, HZ_ELEMENT_INT64, SCALAR, &WHOLE[i], true);
    }
    one_refused(&one, "a range by 0 has no end");
    one_begin(&one, "Range", 11);
    for (int i = 3; i < 6; i++) {
        one_input(&one, HZ_ELEMENT_INT64, SCALAR, &WHOLE[i], true);
    }
    one_refused(&one, "is beyond the memory limit of 67108864 bytes");
    static const float NUMBERS[][3] = {{0, 5, 0}, {0, INFINITY, 1}, {NAN, 5, 1}, {0, 5, NAN}};
    for (size_t k = 0; k < 4; k++) {
        one_begin(&one, "Range", 11);
        for (int i = 0; i < 3; i++) {
            one_input(&one, HZ_ELEMENT_FLOAT, SCALAR, &NUMBERS[k][i], true);
        }
        one_refused(&one, "has no end");
    }
}

/* ---- the same numbers ---- */

static void identity_and_dropout_pass_every_number(void **state) {
    (void)state;
    static const float NUMBERS[] = {1, -2, NAN};
    one_step one;
    one_begin(&one, "Identity", 7);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(3), NUMBERS, false);
    assert_memory_equal(one_result(&one), NUMBERS, sizeof NUMBERS);
    one_end(&one);
    one_begin(&one, "Dropout", 13);
    one_int(&one, "seed", 3);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(3), NUMBERS, false);
    static const float RATIO = 0.9F;
    one_input(&one, HZ_ELEMENT_FLOAT, SCALAR, &RATIO, true);
    one_input(&one, HZ_ELEMENT_BOOL, SCALAR, "\0", true);
    assert_int_equal(one_prepare(&one, 2), HZ_OK);
    one_run(&one);
    assert_memory_equal(one.output[0].data, NUMBERS, sizeof NUMBERS);
    assert_memory_equal(one.output[1].data, "\1\1\1", 3);
    assert_int_equal(one.output[1].element, HZ_ELEMENT_BOOL);
    one_end(&one);
}

static void dropout_refuses_training(void **state) {
    (void)state;
    one_step one;
    one_begin(&one, "Dropout", 13);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(3), NULL, false);
    one_hole(&one);
    one_input(&one, HZ_ELEMENT_BOOL, SCALAR, "\1", true);
    one_refused(&one, "training is not served");
    one_begin(&one, "Dropout", 13);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(3), NULL, false);
    one_hole(&one);
    one_input(&one, HZ_ELEMENT_BOOL, SCALAR, "\0", false);
    one_refused(&one,
                "the training mode 'in' must be one BOOL that is known before the graph runs");
    one_begin(&one, "Dropout", 7);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(3), NULL, false);
    assert_int_equal(one_prepare(&one, 2), HZ_GRAPH);
    one_end(&one);
}

static void copies_refuse_strings_and_complex_numbers(void **state) {
    (void)state;
    one_step one;
    one_begin(&one, "Identity", 13);
    one_input(&one, HZ_ELEMENT_STRING, SHAPE(3), NULL, false);
    one_refused(&one, "input 0 'in' is STRING, which is not served");
    one_begin(&one, "Identity", 13);
    one_input(&one, HZ_ELEMENT_COMPLEX64, SHAPE(3), NULL, false);
    one_refused(&one, "input 0 'in' is COMPLEX64, which is not served");
    one_begin(&one, "Identity", 13);
    one_hole(&one);
    assert_int_equal(one_prepare(&one, 1), HZ_GRAPH);
    one_end(&one);
}

/* ---- what a shape is ---- */

static void shape_and_size_are_known_before_the_graph_runs(void **state) {
    (void)state;
    static const struct {
        int64_t start, end;
        int first, count;
    } CASES[] = {
        {0, INT64_MAX, 0, 4},
        {1, INT64_MAX, 1, 3},
        {-1, INT64_MAX, 3, 1},
        {0, -1, 0, 3},
        {INT64_MIN, INT64_MAX, 0, 4},
        {INT64_MAX, INT64_MAX, 0, 0},
        {2, 1, 0, 0},
        {1, 2, 1, 1},
        {-3, -1, 1, 2},
        {0, INT64_MIN, 0, 0},
        {INT64_MIN, INT64_MIN, 0, 0},
    };
    static const int64_t DIMS[] = {2, 0, 5, 7};
    one_step one;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        one_begin(&one, "Shape", 15);
        one_int(&one, "start", CASES[i].start);
        one_int(&one, "end", CASES[i].end);
        one_input(&one, HZ_ELEMENT_FLOAT, one_shape(DIMS, 4), NULL, false);
        assert_int_equal(one_prepare(&one, 1), HZ_OK);
        assert_true(one.output[0].known);
        one_same_shape(&one, 0, SHAPE(CASES[i].count));
        assert_memory_equal(one.output[0].data, DIMS + CASES[i].first, 8 * (size_t)CASES[i].count);
        one_end(&one);
    }
    one_begin(&one, "Shape", 13);
    one_int(&one, "start", 1);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2), NULL, false);
    assert_int_equal(one_prepare(&one, 1), HZ_GRAPH); /* only since opset 15 */
    one_end(&one);
    one_begin(&one, "Shape", 7);
    one_input(&one, HZ_ELEMENT_FLOAT, SCALAR, NULL, false);
    assert_int_equal(one_prepare(&one, 1), HZ_OK);
    one_same_shape(&one, 0, SHAPE(0));
    one_end(&one);
    one_begin(&one, "Size", 13);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2, 3, 5), NULL, false);
    assert_int_equal(one_prepare(&one, 1), HZ_OK);
    assert_true(one.output[0].known);
    assert_int_equal(*(const int64_t *)one.output[0].data, 30);
    one_end(&one);
}

/* ---- other shapes of the same numbers ---- */

static void reshaped(hzi_shape from, const int64_t *list, size_t count, int allow_zero,
                     hzi_shape expected) {
    one_step one;
    one_begin(&one, "Reshape", 14);
    one_int(&one, "allowzero", allow_zero);
    void *data = one_pattern(HZ_ELEMENT_INT16, hzi_shape_count(&from));
    one_input(&one, HZ_ELEMENT_INT16, from, data, false);
    one_list(&one, list, count);
    const void *result = one_result(&one);
    one_same_shape(&one, 0, expected);
    assert_memory_equal(result, data, 2 * (size_t)one.output[0].count);
    free(data);
    one_end(&one);
}

static void reshape_fills_in_copied_and_remaining_sizes(void **state) {
    (void)state;
    reshaped(SHAPE(2, 3, 4), LIST(4, 6), 0, SHAPE(4, 6));
    reshaped(SHAPE(2, 3, 4), LIST(-1), 0, SHAPE(24));
    reshaped(SHAPE(2, 3, 4), LIST(0, -1), 0, SHAPE(2, 12));
    reshaped(SHAPE(2, 3, 4), LIST(4, 0, -1), 0, SHAPE(4, 3, 2));
    reshaped(SHAPE(2, 0, 4), LIST(0, 0, 0), 0, SHAPE(2, 0, 4));
    reshaped(SHAPE(2, 0, 4), LIST(8, 0), 0, SHAPE(8, 0));
    reshaped(SHAPE(2, 0, 4), LIST(8, -1), 0, SHAPE(8, 0));
    reshaped(SHAPE(2, 0, 4), LIST(0, 7), 1, SHAPE(0, 7));
    reshaped(SHAPE(1), NULL, 0, 0, SCALAR);
    reshaped(SCALAR, LIST(1, -1, 1), 0, SHAPE(1, 1, 1));
}

static void reshape_refused(const int64_t *list, size_t count, int allow_zero, const char *words) {
    one_step one;
    one_begin(&one, "Reshape", 21);
    one_int(&one, "allowzero", allow_zero);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2, 3, 4), NULL, false);
    one_list(&one, list, count);
    one_refused(&one, words);
}

static void reshape_refuses_what_does_not_fit(void **state) {
    (void)state;
    reshape_refused(LIST(-1, -1), 0, "dimensions 0 and 1 of the shape are both -1");
    reshape_refused(LIST(24, -2), 0, "dimension 1 of the shape is -2");
    reshape_refused(LIST(2, 3, 4, 0), 0,
                    "dimension 3 of the shape is 0 (as in the input), which has rank 3");
    reshape_refused(LIST(5, -1), 0, "the input's shape [2,3,4] does not fit into [5,-1]");
    reshape_refused(LIST(5, 5), 0, "the input's shape [2,3,4] does not fit into [5,5]");
    reshape_refused(LIST(0, -1), 1, "a shape with -1 and, by 'allowzero', 0 can mean anything");
    reshape_refused(LIST(0, 12), 1, "the input's shape [2,3,4] does not fit into [0,12]");
    reshape_refused(LIST(INT64_MAX, INT64_MAX, -1), 0,
                    "does not fit into [9223372036854775807,9223372036854775807,-1]");
    reshape_refused(LIST(1LL << 32, 1LL << 32), 0, "does not fit into [4294967296,4294967296]");
    reshape_refused(LIST(INT64_MIN), 0, "dimension 0 of the shape is -9223372036854775808");
    reshape_refused(LIST(1, 1, 1, 1, 1, 1, 1, 1, 24), 0,
                    "the shape has 9 dimensions; the most is 8");
    one_step one;
    one_begin(&one, "Reshape", 13);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(4), NULL, false);
    one_input(&one, HZ_ELEMENT_INT64, SHAPE(1), NULL, false);
    one_refused(&one, "the shape 'in' must be known before the graph runs");
    static const int64_t FOUR = 4;
    one_begin(&one, "Reshape", 13);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(4), NULL, false);
    one_input(&one, HZ_ELEMENT_INT64, SCALAR, &FOUR, true);
    one_refused(&one, "the shape 'in' must be a list of INT64, it is INT64 of rank 0");
}

static void flatten_makes_two_dimensions_at_any_axis(void **state) {
    (void)state;
    one_step one;
    for (int64_t axis = -3; axis <= 3; axis++) {
        one_begin(&one, "Flatten", 11);
        one_int(&one, "axis", axis);
        one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2, 3, 4), NULL, false);
        (void)one_result(&one);
        static const int64_t BEFORE[] = {1, 2, 6, 24};
        int64_t before = BEFORE[axis < 0 ? axis + 3 : axis];
        one_same_shape(&one, 0, SHAPE(before, 24 / before));
        one_end(&one);
    }
    one_begin(&one, "Flatten", 9);
    one_int(&one, "axis", 0);
    one_input(&one, HZ_ELEMENT_FLOAT, SCALAR, NULL, false);
    (void)one_result(&one);
    one_same_shape(&one, 0, SHAPE(1, 1));
    one_end(&one);
    one_begin(&one, "Flatten", 13);
    one_int(&one, "axis", 4);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2, 3, 4), NULL, false);
    one_refused(&one, "attribute 'axis' 4 is outside rank 3");
    one_begin(&one, "Flatten", 13);
    one_int(&one, "axis", INT64_MIN);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2, 3, 4), NULL, false);
    one_refused(&one, "attribute 'axis' -9223372036854775808 is outside rank 3");
}

/* Axes as an attribute before opset 13, as an input from then on. */
static void axes_begin(one_step *one, const char *operation, int opset, hzi_shape shape,
                       const int64_t *axes, size_t count) {
    one_begin(one, operation, opset);
    one_input(one, HZ_ELEMENT_FLOAT, shape, NULL, false);
    if (opset < 13) {
        one_ints(one, "axes", axes, count);
    } else {
        one_list(one, axes, count);
    }
}

static void squeeze_takes_the_listed_axes_or_all_of_size_one(void **state) {
    (void)state;
    one_step one;
    for (int opset = 7; opset <= 21; opset++) {
        axes_begin(&one, "Squeeze", opset, SHAPE(1, 3, 1, 5), LIST(0));
        (void)one_result(&one);
        one_same_shape(&one, 0, SHAPE(3, 1, 5));
        one_end(&one);
        axes_begin(&one, "Squeeze", opset, SHAPE(1, 3, 1, 5), LIST(-2, 0));
        (void)one_result(&one);
        one_same_shape(&one, 0, SHAPE(3, 5));
        one_end(&one);
        one_begin(&one, "Squeeze", opset);
        one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(1, 3, 1, 5), NULL, false);
        (void)one_result(&one);
        one_same_shape(&one, 0, SHAPE(3, 5));
        one_end(&one);
        axes_begin(&one, "Squeeze", opset, SHAPE(1, 3), LIST(1));
        one_refused(&one, "axis 1 cannot be squeezed, its size is 3");
        axes_begin(&one, "Squeeze", opset, SHAPE(1, 3), LIST(2));
        one_refused(&one, "axis 2 is outside rank 2");
        axes_begin(&one, "Squeeze", opset, SHAPE(1, 3), LIST(INT64_MIN));
        one_refused(&one, "axis -9223372036854775808 is outside rank 2");
        axes_begin(&one, "Squeeze", opset, SHAPE(1, 3), LIST(0, -2));
        one_refused(&one, "axis -2 is listed twice");
    }
    one_begin(&one, "Squeeze", 13);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(1, 3), NULL, false);
    one_input(&one, HZ_ELEMENT_INT64, SHAPE(1), NULL, false);
    one_refused(&one, "the axes 'in' must be known before the graph runs");
}

static void unsqueeze_puts_axes_where_they_are_in_the_result(void **state) {
    (void)state;
    one_step one;
    for (int opset = 7; opset <= 21; opset++) {
        axes_begin(&one, "Unsqueeze", opset, SHAPE(3, 5), LIST(4, 0, 1));
        (void)one_result(&one);
        one_same_shape(&one, 0, SHAPE(1, 1, 3, 5, 1));
        one_end(&one);
        axes_begin(&one, "Unsqueeze", opset, SCALAR, LIST(-1));
        (void)one_result(&one);
        one_same_shape(&one, 0, SHAPE(1));
        one_end(&one);
        axes_begin(&one, "Unsqueeze", opset, SHAPE(3, 5), LIST(3));
        one_refused(&one, "axis 3 is outside rank 3");
        axes_begin(&one, "Unsqueeze", opset, SHAPE(3, 5), LIST(0, 0));
        one_refused(&one, "axis 0 is listed twice");
        axes_begin(&one, "Unsqueeze", opset, SHAPE(1, 1, 1, 1, 1, 1, 1), LIST(0, 1));
        one_refused(&one, "2 more axes than rank 7; the most is rank 8");
    }
    one_begin(&one, "Unsqueeze", 11);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(3), NULL, false);
    one_refused(&one, "the axes are missing");
}

static void expand_repeats_as_broadcasting_says(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    for (size_t round = test_effort(300); round > 0; round--) {
        hzi_shape from = one_random_shape(&random, 0, 4), asked = {0}, to = {0};
        asked.rank = (int)one_draw(&random, 0, 5);
        to.rank = from.rank > asked.rank ? from.rank : asked.rank;
        for (int i = 0; i < to.rank; i++) {
            int in_from = i - (to.rank - from.rank), in_asked = i - (to.rank - asked.rank);
            int64_t have = in_from >= 0 ? from.dim[in_from] : 1;
            int64_t want = have == 1 ? one_draw(&random, 0, 3) : have;
            if (in_asked >= 0) {
                asked.dim[in_asked] = hz_random_draw(&random, 3) ? want : 1;
                want = asked.dim[in_asked];
            } else {
                want = 1;
            }
            to.dim[i] = have == 1 ? want : have;
        }
        hz_element element = ONE_SIZES[hz_random_draw(&random, 4)];
        size_t size = hz_element_size(element);
        void *data = one_pattern(element, hzi_shape_count(&from));
        one_step one;
        one_begin(&one, "Expand", 13);
        one_input(&one, element, from, data, false);
        one_list(&one, asked.dim, (size_t)asked.rank);
        const void *result = one_result(&one);
        one_same_shape(&one, 0, to);
        for (int64_t at = 0; at < one.output[0].count; at++) {
            int64_t index[HZ_RANK_MAX];
            one_indexes(&to, at, index);
            one_same_element(result, at, data, one_broadcast_place(&from, &to, index), size);
        }
        free(data);
        one_end(&one);
    }
}

static void expand_refuses_what_does_not_broadcast(void **state) {
    (void)state;
    one_step one;
    one_begin(&one, "Expand", 8);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2, 3), NULL, false);
    one_list(&one, LIST(4, 3));
    one_refused(&one, "the input's shape [2,3] cannot be expanded to [4,3]");
    one_begin(&one, "Expand", 8);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2, 3), NULL, false);
    one_list(&one, LIST(-1, 3));
    one_refused(&one, "the input's shape [2,3] cannot be expanded to [-1,3]");
    one_begin(&one, "Expand", 8);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2, 3), NULL, false);
    one_list(&one, LIST(1LL << 40, 1, 1));
    one_refused(&one, "is beyond the memory limit of 67108864 bytes");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constant_takes_every_kind_of_number),
        cmocka_unit_test(constant_refuses_strings_sparse_and_two_values),
        cmocka_unit_test(constant_of_shape_repeats_one_number_of_any_type),
        cmocka_unit_test(constant_of_shape_refuses_negative_huge_and_unknown),
        cmocka_unit_test(range_counts_up_down_and_to_the_ends_of_its_type),
        cmocka_unit_test(range_refuses_what_never_ends),
        cmocka_unit_test(identity_and_dropout_pass_every_number),
        cmocka_unit_test(dropout_refuses_training),
        cmocka_unit_test(copies_refuse_strings_and_complex_numbers),
        cmocka_unit_test(shape_and_size_are_known_before_the_graph_runs),
        cmocka_unit_test(reshape_fills_in_copied_and_remaining_sizes),
        cmocka_unit_test(reshape_refuses_what_does_not_fit),
        cmocka_unit_test(flatten_makes_two_dimensions_at_any_axis),
        cmocka_unit_test(squeeze_takes_the_listed_axes_or_all_of_size_one),
        cmocka_unit_test(unsqueeze_puts_axes_where_they_are_in_the_result),
        cmocka_unit_test(expand_repeats_as_broadcasting_says),
        cmocka_unit_test(expand_refuses_what_does_not_broadcast),
    };
    return cmocka_run_group_tests_name("model/shape", tests, NULL, NULL);
}
