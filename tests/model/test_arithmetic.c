/* SPDX-License-Identifier: MIT */
/* Numbers with numbers and functions of a number: broadcasting against an index walk, whole number
 * rules, products against plain sums, refusals. */
#include "model/one_step.h"

#include <float.h>
#include <math.h>

#include <hazard/base.h>

/* ---- broadcasting ------------------------------------------------------------------------------- */

/* A shape that broadcasts to `wide`: dimensions in front left out, others made 1. */
static hzi_shape random_operand(hz_random *random, const hzi_shape *wide) {
    int drop = wide->rank ? (int)hz_random_draw(random, (uint32_t)wide->rank + 1) : 0;
    if (hz_random_draw(random, 2)) {
        drop = 0;
    }
    hzi_shape shape = {.rank = wide->rank - drop};
    for (int i = 0; i < shape.rank; i++) {
        shape.dim[i] = hz_random_draw(random, 3) ? wide->dim[drop + i] : 1;
    }
    return shape;
}

static float *random_floats(hz_random *random, int64_t count) {
    float *numbers = malloc(((size_t)count + 1) * sizeof *numbers);
    assert_non_null(numbers);
    for (int64_t i = 0; i < count; i++) {
        numbers[i] = ((float)hz_random_draw(random, 2001) - 1000) / 100;
    }
    return numbers;
}

static float expected(const char *operation, float x, float y) {
    switch (operation[0]) {
    case 'A':
        return x + y;
    case 'S':
        return operation[2] == 'b' ? x - y : x + y; /* Sub, Sum */
    case 'D':
        return x / y;
    case 'P':
        return (float)pow((double)x, (double)y);
    default:
        return operation[1] == 'u'   ? x * y
               : operation[1] == 'i' ? fminf(x, y)
               : operation[1] == 'a' ? fmaxf(x, y)
                                     : (x + y) / 2;
    }
}

static void check_broadcast(const char *operation, const hzi_shape *a, const hzi_shape *b,
                            const hzi_shape *wide, hz_random *random) {
    float *x = random_floats(random, hzi_shape_count(a));
    float *y = random_floats(random, hzi_shape_count(b));
    one_step one;
    one_begin(&one, operation, 13);
    one_input(&one, HZ_ELEMENT_FLOAT, *a, x, hz_random_draw(random, 2) == 0);
    one_input(&one, HZ_ELEMENT_FLOAT, *b, y, false);
    const float *got = one_result(&one);
    one_same_shape(&one, 0, *wide);
    for (int64_t i = 0; i < hzi_shape_count(wide); i++) {
        int64_t index[HZ_RANK_MAX];
        one_indexes(wide, i, index);
        float should = expected(operation, x[one_broadcast_place(a, wide, index)],
                                y[one_broadcast_place(b, wide, index)]);
        if (memcmp(&should, &got[i], sizeof should) != 0 && !(isnan(should) && isnan(got[i]))) {
            fail_msg("%s, element %lld: %a instead of %a", operation, (long long)i, (double)got[i],
                     (double)should);
        }
    }
    one_end(&one);
    free(x);
    free(y);
}

static void two_arrays_broadcast_against_each_other(void **state) {
    (void)state;
    static const char *const OPERATIONS[] = {"Add", "Sub", "Mul",  "Div", "Min",
                                             "Max", "Sum", "Mean", "Pow"};
    hz_random random = hz_random_from_seed(test_seed());
    for (size_t i = 0; i < test_effort(600); i++) {
        hzi_shape base = one_random_shape(&random, 0, 5), wide;
        hzi_shape a = random_operand(&random, &base), b = random_operand(&random, &base);
        if (hz_random_draw(&random, 3) == 0 && base.rank) {
            base.dim[base.rank - 1] = one_draw(&random, 60, 140); /* longer than a chunk */
            a = random_operand(&random, &base);
            b = base;
        }
        assert_true(hzi_shape_broadcast(&a, &b, &wide));
        check_broadcast(OPERATIONS[i % 9], &a, &b, &wide, &random);
    }
}

static void many_arrays_broadcast_together(void **state) {
    (void)state;
    const float a[] = {1, 2, 3}, b[] = {10, 20}, c[] = {100};
    const float sums[] = {111, 112, 113, 121, 122, 123};
    one_step one;
    one_begin(&one, "Sum", 13);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(3), a, false);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2, 1), b, false);
    one_input(&one, HZ_ELEMENT_FLOAT, SCALAR, c, true);
    assert_memory_equal(one_result(&one), sums, sizeof sums);
    one_same_shape(&one, 0, SHAPE(2, 3));
    one_end(&one);
    one_begin(&one, "Mean", 13);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(3), a, false);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2, 1), b, false);
    one_input(&one, HZ_ELEMENT_FLOAT, SCALAR, c, false);
    const float *means = one_result(&one);
    for (int i = 0; i < 6; i++) {
        assert_true(means[i] == sums[i] / 3);
    }
    one_end(&one);
}

static void nan_wins_over_every_other_extreme(void **state) {
    (void)state;
    static const char *const OPERATIONS[] = {"Min", "Max"};
    const float a[] = {NAN, 1, NAN, -INFINITY}, b[] = {1, NAN, NAN, INFINITY};
    for (int i = 0; i < 2; i++) {
        one_step one;
        one_begin(&one, OPERATIONS[i], 8);
        one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(4), a, false);
        one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(4), b, false);
        const float *got = one_result(&one);
        assert_true(isnan(got[0]) && isnan(got[1]) && isnan(got[2]));
        assert_true(got[3] == (i ? INFINITY : -INFINITY));
        one_end(&one);
    }
}

/* ---- whole numbers ------------------------------------------------------------------------------ */

static int32_t whole(const char *operation, int opset, int32_t x, int32_t y, int64_t fmod_rule) {
    one_step one;
    one_begin(&one, operation, opset);
    if (fmod_rule >= 0) {
        one_int(&one, "fmod", fmod_rule);
    }
    one_input(&one, HZ_ELEMENT_INT32, SCALAR, &x, false);
    one_input(&one, HZ_ELEMENT_INT32, SCALAR, &y, false);
    int32_t result = *(const int32_t *)one_result(&one);
    one_end(&one);
    return result;
}

static void whole_numbers_wrap_around_and_division_by_zero_is_zero(void **state) {
    (void)state;
    assert_int_equal(whole("Add", 7, INT32_MAX, 1, -1), INT32_MIN);
    assert_int_equal(whole("Sub", 7, INT32_MIN, 1, -1), INT32_MAX);
    assert_int_equal(whole("Mul", 7, 1 << 20, 1 << 20, -1), 0);
    assert_int_equal(whole("Mul", 7, -3, 5, -1), -15);
    assert_int_equal(whole("Div", 7, 7, -2, -1), -3);
    assert_int_equal(whole("Div", 7, 7, 0, -1), 0);
    assert_int_equal(whole("Div", 7, INT32_MIN, -1, -1), INT32_MIN);
    assert_int_equal(whole("Mod", 10, -7, 3, 0), 2);
    assert_int_equal(whole("Mod", 10, 7, -3, 0), -2);
    assert_int_equal(whole("Mod", 10, -7, 3, 1), -1);
    assert_int_equal(whole("Mod", 10, 7, -3, 1), 1);
    assert_int_equal(whole("Mod", 10, -6, 3, 0), 0);
    assert_int_equal(whole("Mod", 10, 5, 0, 0), 0);
    assert_int_equal(whole("Mod", 10, INT32_MIN, -1, 0), 0);
    assert_int_equal(whole("Pow", 12, -3, 3, -1), -27);
    assert_int_equal(whole("Pow", 12, 2, 40, -1), 0);
    assert_int_equal(whole("Pow", 12, 2, -1, -1), 0);
    assert_int_equal(whole("Pow", 12, -1, -3, -1), -1);
    assert_int_equal(whole("Pow", 12, 0, 0, -1), 1);
}

static void bytes_wrap_at_their_own_width(void **state) {
    (void)state;
    const uint8_t a[] = {200, 3, 255, 7}, b[] = {100, 5, 255, 0};
    static const struct {
        const char *operation;
        uint8_t results[4];
    } CASES[] = {{"Add", {44, 8, 254, 7}},
                 {"Sub", {100, 254, 0, 7}},
                 {"Mul", {32, 15, 1, 0}},
                 {"Div", {2, 0, 1, 0}}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        one_step one;
        one_begin(&one, CASES[i].operation, 14);
        one_input(&one, HZ_ELEMENT_UINT8, SHAPE(4), a, false);
        one_input(&one, HZ_ELEMENT_UINT8, SHAPE(4), b, false);
        assert_memory_equal(one_result(&one), CASES[i].results, 4);
        one_end(&one);
    }
}

static void powers_mix_types_from_opset_12(void **state) {
    (void)state;
    const int64_t base[] = {2, 3, -2};
    const float exponent[] = {0.5F, 2, 3};
    one_step one;
    one_begin(&one, "Pow", 12);
    one_input(&one, HZ_ELEMENT_INT64, SHAPE(3), base, false);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(3), exponent, false);
    const int64_t results[] = {1, 9, -8}; /* cut off towards zero */
    assert_memory_equal(one_result(&one), results, sizeof results);
    one_end(&one);
    one_begin(&one, "Pow", 7);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(3), exponent, false);
    one_input(&one, HZ_ELEMENT_INT64, SHAPE(3), base, false);
    one_refused(&one, "input 1 'in' is INT64; served are FLOAT, DOUBLE, FLOAT16");
}

/* ---- functions of a number ---------------------------------------------------------------------- */

static const float NUMBERS[] = {-7.5F, -2, -1, -0.25F, 0, 0.25F, 1, 2, 3.5F, 90};
enum { COUNT = sizeof NUMBERS / sizeof *NUMBERS };

/* In every real format the same function, as near as the format allows. */
static void functions_agree_in_every_format(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int opset;
    } FUNCTIONS[] = {
        {"Abs", 13},
        {"Neg", 13},
        {"Exp", 13},
        {"Erf", 13},
        {"Relu", 14},
        {"LeakyRelu", 16},
        {"Elu", 13},
        {"Selu", 13},
        {"Sigmoid", 13},
        {"HardSigmoid", 13},
        {"Tanh", 13},
        {"Softplus", 13},
        {"Softsign", 13},
        {"HardSwish", 14},
        {"Mish", 18},
        {"Floor", 13},
        {"Ceil", 13},
        {"Round", 13},
        {"Sign", 13},
        {"Clip", 6 + 1},
        {"Gelu", 20},
        {"Shrink", 13},
        {"ThresholdedRelu", 13},
        {"Sin", 13},
        {"Atan", 13},
    };
    double wide[COUNT];
    for (int i = 0; i < COUNT; i++) {
        wide[i] = (double)NUMBERS[i];
    }
    for (size_t f = 0; f < sizeof FUNCTIONS / sizeof *FUNCTIONS; f++) {
        one_step one, other;
        one_begin(&one, FUNCTIONS[f].name, FUNCTIONS[f].opset);
        one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(COUNT), NUMBERS, false);
        one_begin(&other, FUNCTIONS[f].name, FUNCTIONS[f].opset);
        one_input(&other, HZ_ELEMENT_DOUBLE, SHAPE(COUNT), wide, false);
        const float *narrow = one_result(&one);
        const double *exact = one_result(&other);
        for (int i = 0; i < COUNT; i++) {
            bool fits = fabs(exact[i]) <= (double)FLT_MAX;
            if (fits ? fabs((double)narrow[i] - exact[i]) > 4e-7 * fmax(1, fabs(exact[i]))
                     : !isinf(narrow[i])) {
                fail_msg("%s(%g): %g instead of %g", FUNCTIONS[f].name, (double)NUMBERS[i],
                         (double)narrow[i], exact[i]);
            }
        }
        one_end(&one);
        one_end(&other);
    }
}

static float gelu(const char *approximate, float x) {
    one_step one;
    one_begin(&one, "Gelu", 20);
    if (approximate) {
        one_string(&one, "approximate", approximate);
    }
    one_input(&one, HZ_ELEMENT_FLOAT, SCALAR, &x, false);
    float y = *(const float *)one_result(&one);
    one_end(&one);
    return y;
}

static void gelu_has_two_forms(void **state) {
    (void)state;
    assert_true(fabsf(gelu(NULL, 1) - 0.84134475F) < 1e-6F);
    assert_true(fabsf(gelu("none", 1) - 0.84134475F) < 1e-6F);
    assert_true(fabsf(gelu("tanh", 1) - 0.84119199F) < 1e-6F);
    const float x = 1;
    one_step one;
    one_begin(&one, "Gelu", 20);
    one_string(&one, "approximate", "quick");
    one_input(&one, HZ_ELEMENT_FLOAT, SCALAR, &x, false);
    one_refused(&one, "attribute 'approximate' is 'none' or 'tanh', it is 'quick'");
    one_begin(&one, "Gelu", 19);
    one_input(&one, HZ_ELEMENT_FLOAT, SCALAR, &x, false);
    assert_int_equal(one_prepare(&one, 1), HZ_GRAPH);
    one_end(&one);
}

static void clip_takes_bounds_that_are_known_computed_or_left_out(void **state) {
    (void)state;
    const float low = -1, high = 2;
    const float both[] = {-1, -1, -1, -0.25F, 0, 0.25F, 1, 2, 2, 2};
    for (int known = 0; known < 2; known++) {
        one_step one;
        one_begin(&one, "Clip", 13);
        one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(COUNT), NUMBERS, false);
        one_input(&one, HZ_ELEMENT_FLOAT, SCALAR, &low, known);
        one_input(&one, HZ_ELEMENT_FLOAT, SCALAR, &high, known);
        assert_memory_equal(one_result(&one), both, sizeof both);
        one_end(&one);
        one_begin(&one, "Clip", 11);
        one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(COUNT), NUMBERS, false);
        one_hole(&one);
        one_input(&one, HZ_ELEMENT_FLOAT, SCALAR, &high, known);
        const float *got = one_result(&one);
        for (int i = 0; i < COUNT; i++) {
            assert_true(got[i] == fminf(NUMBERS[i], high));
        }
        one_end(&one);
    }
    const int8_t bytes[] = {-128, -5, 0, 127}, most = 3, clipped[] = {-128, -5, 0, 3};
    one_step one;
    one_begin(&one, "Clip", 12);
    one_input(&one, HZ_ELEMENT_INT8, SHAPE(4), bytes, false);
    one_hole(&one);
    one_input(&one, HZ_ELEMENT_INT8, SCALAR, &most, false);
    assert_memory_equal(one_result(&one), clipped, 4);
    one_end(&one);
    const uint64_t huge[] = {1, UINT64_MAX, 1ULL << 63}, floor = 5,
                   raised[] = {5, UINT64_MAX, 1ULL << 63};
    one_begin(&one, "Clip", 12);
    one_input(&one, HZ_ELEMENT_UINT64, SHAPE(3), huge, false);
    one_input(&one, HZ_ELEMENT_UINT64, SCALAR, &floor, true);
    assert_memory_equal(one_result(&one), raised, sizeof raised);
    one_end(&one);
}

static void whole_numbers_have_signs(void **state) {
    (void)state;
    const int64_t numbers[] = {INT64_MIN, -3, 0, 9};
    static const struct {
        const char *name;
        int64_t results[4];
    } CASES[] = {{"Abs", {INT64_MIN, 3, 0, 9}},
                 {"Neg", {INT64_MIN, 3, 0, -9}},
                 {"Sign", {-1, -1, 0, 1}},
                 {"Relu", {0, 0, 0, 9}}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        one_step one;
        one_begin(&one, CASES[i].name, 14);
        one_input(&one, HZ_ELEMENT_INT64, SHAPE(4), numbers, false);
        assert_memory_equal(one_result(&one), CASES[i].results, sizeof numbers);
        one_end(&one);
    }
}

/* ---- products ----------------------------------------------------------------------------------- */

/* element at [..., i, j] of an operand of MatMul, whose batch part broadcasts. */
static int64_t matrix_place(const hzi_shape *shape, const hzi_shape *batch, const int64_t *index,
                            int64_t row, int64_t column) {
    hzi_shape front = *shape;
    front.rank = shape->rank > 2 ? shape->rank - 2 : 0;
    int64_t rows = shape->dim[shape->rank - 2], columns = shape->dim[shape->rank - 1];
    return (one_broadcast_place(&front, batch, index) * rows + row) * columns + column;
}

static void matmul_follows_its_definition_in_every_type(void **state) {
    (void)state;
    static const hz_element ELEMENTS[] = {HZ_ELEMENT_FLOAT, HZ_ELEMENT_DOUBLE, HZ_ELEMENT_INT32,
                                          HZ_ELEMENT_UINT64};
    hz_random random = hz_random_from_seed(test_seed());
    for (size_t round = 0; round < test_effort(300); round++) {
        hz_element element = ELEMENTS[round % 4];
        hzi_shape base = one_random_shape(&random, 0, 3), batch;
        hzi_shape a = random_operand(&random, &base), b = random_operand(&random, &base);
        assert_true(hzi_shape_broadcast(&a, &b, &batch));
        int64_t m = one_draw(&random, 1, 7), k = one_draw(&random, 0, 9),
                n = one_draw(&random, 1, 20);
        a.dim[a.rank++] = m;
        a.dim[a.rank++] = k;
        b.dim[b.rank++] = k;
        b.dim[b.rank++] = n;
        hzi_shape out = batch;
        out.dim[out.rank++] = m;
        out.dim[out.rank++] = n;
        int64_t count_a = hzi_shape_count(&a), count_b = hzi_shape_count(&b);
        /* Small whole numbers: every type sums them exactly. */
        int64_t *x = malloc(((size_t)count_a + 1) * 8), *y = malloc(((size_t)count_b + 1) * 8);
        void *x_data = malloc(((size_t)count_a + 1) * 8),
             *y_data = malloc(((size_t)count_b + 1) * 8);
        assert_true(x && y && x_data && y_data);
        for (int side = 0; side < 2; side++) {
            int64_t *numbers = side ? y : x;
            void *data = side ? y_data : x_data;
            for (int64_t i = 0; i < (side ? count_b : count_a); i++) {
                numbers[i] = one_draw(&random, 0, 9);
                if (element == HZ_ELEMENT_FLOAT) {
                    ((float *)data)[i] = (float)numbers[i];
                } else if (element == HZ_ELEMENT_DOUBLE) {
                    ((double *)data)[i] = (double)numbers[i];
                } else if (element == HZ_ELEMENT_INT32) {
                    ((int32_t *)data)[i] = (int32_t)numbers[i];
                } else {
                    ((uint64_t *)data)[i] = (uint64_t)numbers[i];
                }
            }
        }
        one_step one;
        one_begin(&one, "MatMul", 13);
        one_input(&one, element, a, x_data, hz_random_draw(&random, 4) == 0);
        one_input(&one, element, b, y_data, hz_random_draw(&random, 2) == 0);
        const void *got = one_result(&one);
        one_same_shape(&one, 0, out);
        for (int64_t i = 0; i < hzi_shape_count(&out); i++) {
            int64_t index[HZ_RANK_MAX], sum = 0;
            one_indexes(&out, i, index);
            int64_t row = index[out.rank - 2], column = index[out.rank - 1];
            for (int64_t inner = 0; inner < k; inner++) {
                sum += x[matrix_place(&a, &batch, index, row, inner)] *
                       y[matrix_place(&b, &batch, index, inner, column)];
            }
            int64_t is = element == HZ_ELEMENT_FLOAT    ? (int64_t)((const float *)got)[i]
                         : element == HZ_ELEMENT_DOUBLE ? (int64_t)((const double *)got)[i]
                         : element == HZ_ELEMENT_INT32  ? ((const int32_t *)got)[i]
                                                        : ((const int64_t *)got)[i];
            assert_int_equal(is, sum);
        }
        one_end(&one);
        free(x);
        free(y);
        free(x_data);
        free(y_data);
    }
}

static void matmul_takes_lists_as_row_and_column(void **state) {
    (void)state;
    const float list[] = {1, 2, 3}, matrix[] = {1, 0, 0, 1, 1, 1}, across[] = {4, 5},
                down[] = {4, 5};
    one_step one;
    one_begin(&one, "MatMul", 9);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(3), list, false);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(3, 2), matrix, true);
    assert_memory_equal(one_result(&one), across, sizeof across);
    one_same_shape(&one, 0, SHAPE(2));
    one_end(&one);
    const float turned[] = {1, 0, 1, 0, 1, 1};
    one_begin(&one, "MatMul", 9);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2, 3), turned, false);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(3), list, false);
    assert_memory_equal(one_result(&one), down, sizeof down);
    one_same_shape(&one, 0, SHAPE(2));
    one_end(&one);
    const float fourteen = 14;
    one_begin(&one, "MatMul", 9);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(3), list, false);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(3), list, false);
    assert_memory_equal(one_result(&one), &fourteen, sizeof fourteen);
    one_same_shape(&one, 0, SCALAR);
    one_end(&one);
}

/* C in every shape that broadcasts, known or not, with every combination of attributes. */
static void gemm_follows_its_definition(void **state) {
    (void)state;
    enum { M = 3, K = 5, N = 18 };
    static const float FACTORS[] = {1, 2, -0.5F, 0};
    const hzi_shape shapes[] = {SHAPE(M, N), SHAPE(1, N), SHAPE(M, 1), SHAPE(1, 1),
                                SHAPE(N),    SHAPE(1),    SCALAR};
    hz_random random = hz_random_from_seed(test_seed());
    for (size_t round = 0; round < test_effort(400); round++) {
        bool trans_a = hz_random_draw(&random, 2), trans_b = hz_random_draw(&random, 2);
        float alpha = FACTORS[hz_random_draw(&random, 2) ? 0 : hz_random_draw(&random, 4)];
        float beta = FACTORS[hz_random_draw(&random, 4)];
        size_t form = hz_random_draw(&random, 8); /* 7 = without C */
        float *a = random_floats(&random, (int64_t)M * K),
              *b = random_floats(&random, (int64_t)K * N);
        float *c = random_floats(&random, (int64_t)M * N);
        one_step one;
        one_begin(&one, "Gemm", form == 7 ? 11 : 9);
        one_int(&one, "transA", trans_a);
        one_int(&one, "transB", trans_b);
        one_float(&one, "alpha", alpha);
        one_float(&one, "beta", beta);
        one_input(&one, HZ_ELEMENT_FLOAT, trans_a ? SHAPE(K, M) : SHAPE(M, K), a, false);
        one_input(&one, HZ_ELEMENT_FLOAT, trans_b ? SHAPE(N, K) : SHAPE(K, N), b,
                  hz_random_draw(&random, 2) == 0);
        if (form < 7) {
            one_input(&one, HZ_ELEMENT_FLOAT, shapes[form], c, hz_random_draw(&random, 2) == 0);
        }
        const float *got = one_result(&one);
        const hzi_shape out = SHAPE(M, N);
        one_same_shape(&one, 0, out);
        for (int64_t i = 0; i < M; i++) {
            for (int64_t j = 0; j < N; j++) {
                double sum = 0;
                for (int64_t k = 0; k < K; k++) {
                    sum += (double)a[trans_a ? k * M + i : i * K + k] *
                           (double)b[trans_b ? j * K + k : k * N + j];
                }
                sum *= (double)alpha;
                if (form < 7) {
                    sum += (double)beta *
                           (double)c[one_broadcast_place(&shapes[form], &out, (int64_t[]){i, j})];
                }
                if (fabs((double)got[i * N + j] - sum) > 2e-4) {
                    fail_msg("[%d,%d]: %g instead of %g", (int)i, (int)j, (double)got[i * N + j],
                             sum);
                }
            }
        }
        one_end(&one);
        free(a);
        free(b);
        free(c);
    }
}

/* ---- refusals ----------------------------------------------------------------------------------- */

static void shapes_and_types_that_do_not_fit_are_refused(void **state) {
    (void)state;
    const float numbers[12] = {0};
    const double wide[12] = {0};
    one_step one;
    one_begin(&one, "Add", 13);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2, 3), numbers, false);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2), numbers, false);
    one_refused(&one, "node 7 'x' (Add): input 1 'in' [2] does not broadcast with [2,3]");
    one_begin(&one, "Mul", 13);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2), numbers, false);
    one_input(&one, HZ_ELEMENT_DOUBLE, SHAPE(2), wide, false);
    one_refused(&one, "input 1 'in' is DOUBLE, but input 0 'in' is FLOAT");
    one_begin(&one, "Add", 13);
    one_input(&one, HZ_ELEMENT_INT8, SHAPE(2), numbers, false);
    one_input(&one, HZ_ELEMENT_INT8, SHAPE(2), numbers, false);
    assert_int_equal(one_prepare(&one, 1), HZ_GRAPH); /* from 14 on */
    one_end(&one);
    one_begin(&one, "Mod", 13);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2), numbers, false);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2), numbers, false);
    one_refused(&one, "attribute 'fmod' must be 1 for FLOAT");
    one_begin(&one, "PRelu", 9);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2), numbers, false);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(3, 2), numbers, false);
    one_refused(&one, "input 1 'in' is larger than input 0 'in'");
    one_begin(&one, "Max", 7);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2), numbers, false);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(1), numbers, false);
    one_refused(&one, "inputs 0 and 1 must have one shape at this opset");
    one_begin(&one, "MatMul", 13);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2, 3), numbers, false);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2, 3), numbers, false);
    one_refused(&one, "input 0 'in' [2,3] and input 1 'in' [2,3] cannot be multiplied");
    one_begin(&one, "MatMul", 13);
    one_input(&one, HZ_ELEMENT_FLOAT, SCALAR, numbers, false);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2, 3), numbers, false);
    one_refused(&one, "input 0 'in' [] and input 1 'in' [2,3] cannot be multiplied");
    one_begin(&one, "Gemm", 13);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2, 3), numbers, false);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(3, 4), numbers, false);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(3), numbers, false);
    one_refused(&one, "input 2 'in' [3] does not broadcast to [2,4]");
    one_begin(&one, "Gemm", 9);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2, 3), numbers, false);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(3, 4), numbers, false);
    assert_int_equal(one_prepare(&one, 1), HZ_GRAPH); /* C may be left out from 11 on */
    one_end(&one);
    one_begin(&one, "Clip", 13);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2), numbers, false);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2), numbers, true);
    one_refused(&one, "input 1 'in' must be one number");
    one_begin(&one, "Celu", 12);
    one_float(&one, "alpha", 0);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2), numbers, false);
    one_refused(&one, "attribute 'alpha' must not be 0");
    one_begin(&one, "Elu", 13);
    one_int(&one, "alpha", 1);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2), numbers, false);
    one_refused(&one, "attribute 'alpha' must be a float, it is a whole number");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_arrays_broadcast_against_each_other),
        cmocka_unit_test(many_arrays_broadcast_together),
        cmocka_unit_test(nan_wins_over_every_other_extreme),
        cmocka_unit_test(whole_numbers_wrap_around_and_division_by_zero_is_zero),
        cmocka_unit_test(bytes_wrap_at_their_own_width),
        cmocka_unit_test(powers_mix_types_from_opset_12),
        cmocka_unit_test(functions_agree_in_every_format),
        cmocka_unit_test(gelu_has_two_forms),
        cmocka_unit_test(clip_takes_bounds_that_are_known_computed_or_left_out),
        cmocka_unit_test(whole_numbers_have_signs),
        cmocka_unit_test(matmul_follows_its_definition_in_every_type),
        cmocka_unit_test(matmul_takes_lists_as_row_and_column),
        cmocka_unit_test(gemm_follows_its_definition),
        cmocka_unit_test(shapes_and_types_that_do_not_fit_are_refused),
    };
    return cmocka_run_group_tests_name("model/arithmetic", tests, NULL, NULL);
}
