/* SPDX-License-Identifier: MIT */
/*
 * Casts between all types: 16-bit floats against the definition of rounding, what C leaves
 * undefined, whole numbers that keep their low bits; and the exponential and logarithm that give
 * the same bits on every processor.
 */
#include "model/number.h"
#include "model/one_step.h"

static const hz_element ALL[] = {HZ_ELEMENT_FLOAT,    HZ_ELEMENT_DOUBLE, HZ_ELEMENT_FLOAT16,
                                 HZ_ELEMENT_BFLOAT16, HZ_ELEMENT_INT8,   HZ_ELEMENT_INT16,
                                 HZ_ELEMENT_INT32,    HZ_ELEMENT_INT64,  HZ_ELEMENT_UINT8,
                                 HZ_ELEMENT_UINT16,   HZ_ELEMENT_UINT32, HZ_ELEMENT_UINT64,
                                 HZ_ELEMENT_BOOL};
enum { TYPES = sizeof ALL / sizeof *ALL };

static const void *cast(one_step *one, hz_element from, hz_element to, int64_t n,
                        const void *data) {
    one_begin(one, "Cast", 13);
    one_int(one, "to", to);
    one_input(one, from, SHAPE(n), data, false);
    const void *result = one_result(one);
    assert_int_equal(one->output[0].element, to);
    one_same_shape(one, 0, SHAPE(n));
    return result;
}

static void small_numbers_survive_every_pair_of_types(void **state) {
    (void)state;
    enum { COUNT = 600 }; /* more than one stretch of the loop */
    static char from[COUNT * 8], expected[COUNT * 8];
    for (size_t a = 0; a < TYPES; a++) {
        for (size_t b = 0; b < TYPES; b++) {
            bool truth = ALL[a] == HZ_ELEMENT_BOOL || ALL[b] == HZ_ELEMENT_BOOL;
            for (int i = 0; i < COUNT; i++) {
                double number = truth ? i % 2 : i % 100;
                hzi_store_reals(ALL[a], from, i, 1, &number);
                hzi_store_reals(ALL[b], expected, i, 1, &number);
            }
            one_step one;
            assert_memory_equal(cast(&one, ALL[a], ALL[b], COUNT, from), expected,
                                COUNT * hz_element_size(ALL[b]));
            one_end(&one);
        }
    }
}

/* The value of a 16-bit float, by its definition. */
static double value_of(uint16_t bits, int exponent_bits, int fraction_bits) {
    int special = (1 << exponent_bits) - 1, bias = special / 2;
    int exponent = bits >> fraction_bits & special, fraction = bits & ((1 << fraction_bits) - 1);
    double size = exponent == special ? (double)(fraction ? NAN : INFINITY)
                  : exponent == 0
                      ? ldexp(fraction, 1 - bias - fraction_bits)
                      : ldexp(fraction + (1 << fraction_bits), exponent - bias - fraction_bits);
    return bits >> 15 ? -size : size;
}

static void every_16_bit_float_is_read_and_written_exactly(void **state) {
    (void)state;
    for (int brain = 0; brain < 2; brain++) {
        for (unsigned bits = 0; bits < 65536; bits++) {
            double number = value_of((uint16_t)bits, brain ? 8 : 5, brain ? 7 : 10);
            double read = brain ? hzi_from_bfloat((uint16_t)bits) : hzi_from_half((uint16_t)bits);
            if (isnan(number)) {
                assert_true(isnan(read));
                uint16_t back = brain ? hzi_to_bfloat(read) : hzi_to_half(read);
                assert_true(isnan(value_of(back, brain ? 8 : 5, brain ? 7 : 10)));
                continue;
            }
            assert_memory_equal(&read, &number, sizeof read);
            assert_int_equal(brain ? hzi_to_bfloat(read) : hzi_to_half(read), bits);
        }
    }
}

/* Between two neighbours the nearer one is taken, in the middle the even one. */
static void narrowing_rounds_to_nearest_ties_to_even(void **state) {
    (void)state;
    for (int brain = 0; brain < 2; brain++) {
        unsigned infinity = brain ? 0x7F80 : 0x7C00;
        for (unsigned bits = 0; bits < infinity; bits++) {
            double low = value_of((uint16_t)bits, brain ? 8 : 5, brain ? 7 : 10);
            double high =
                bits + 1 == infinity
                    ? low + (low - value_of((uint16_t)(bits - 1), brain ? 8 : 5, brain ? 7 : 10))
                    : value_of((uint16_t)(bits + 1), brain ? 8 : 5, brain ? 7 : 10);
            double middle = low + (high - low) / 2;
            const double numbers[] = {nextafter(middle, low), middle, nextafter(middle, high)};
            const unsigned expected[] = {bits, bits + (bits & 1), bits + 1};
            for (int i = 0; i < 3; i++) {
                for (int sign = 0; sign < 2; sign++) {
                    double number = sign ? -numbers[i] : numbers[i];
                    uint16_t got = brain ? hzi_to_bfloat(number) : hzi_to_half(number);
                    assert_int_equal(got, expected[i] | (unsigned)sign << 15);
                }
            }
        }
    }
    assert_int_equal(hzi_to_half(1e300), 0x7C00);
    assert_int_equal(hzi_to_half(-1e-300), 0x8000);
    assert_int_equal(hzi_to_half(0x1p-1074), 0);
    assert_int_equal(hzi_to_bfloat(0x1p-1074), 0);
}

static void floats_out_of_range_become_the_nearest_whole_number(void **state) {
    (void)state;
    static const double NUMBERS[] = {
        1e300, -1e300, (double)INFINITY, -(double)INFINITY, (double)NAN, 2.9, -2.9};
    static const struct {
        hz_element element;
        int64_t most, least, minus;
    } TYPES_OF[] = {
        {HZ_ELEMENT_INT8, INT8_MAX, INT8_MIN, -2},    {HZ_ELEMENT_INT16, INT16_MAX, INT16_MIN, -2},
        {HZ_ELEMENT_INT32, INT32_MAX, INT32_MIN, -2}, {HZ_ELEMENT_INT64, INT64_MAX, INT64_MIN, -2},
        {HZ_ELEMENT_UINT8, UINT8_MAX, 0, 0},          {HZ_ELEMENT_UINT16, UINT16_MAX, 0, 0},
        {HZ_ELEMENT_UINT32, UINT32_MAX, 0, 0},        {HZ_ELEMENT_UINT64, -1, 0, 0},
    };
    one_step one;
    for (size_t i = 0; i < 8; i++) {
        const int64_t most = TYPES_OF[i].most, least = TYPES_OF[i].least;
        const int64_t expected[] = {most, least, most, least, 0, 2, TYPES_OF[i].minus};
        int64_t got[7];
        hzi_load_wholes(TYPES_OF[i].element,
                        cast(&one, HZ_ELEMENT_DOUBLE, TYPES_OF[i].element, 7, NUMBERS), 0, 1, 7,
                        got);
        assert_memory_equal(got, expected, sizeof got);
        one_end(&one);
    }
    /* Right at the edges of what fits. */
    static const double EDGES[] = {0x1p63, 0x1.fffffffffffffp62, -0x1p63, 0x1p64,
                                   0x1.fffffffffffffp63};
    static const int64_t SIGNED[] = {INT64_MAX, INT64_MAX - 1023, INT64_MIN, INT64_MAX, INT64_MAX};
    assert_memory_equal(cast(&one, HZ_ELEMENT_DOUBLE, HZ_ELEMENT_INT64, 5, EDGES), SIGNED,
                        sizeof SIGNED);
    one_end(&one);
    static const uint64_t UNSIGNED[] = {UINT64_C(1) << 63, INT64_MAX - 1023, 0, UINT64_MAX,
                                        UINT64_MAX - 2047};
    assert_memory_equal(cast(&one, HZ_ELEMENT_DOUBLE, HZ_ELEMENT_UINT64, 5, EDGES), UNSIGNED,
                        sizeof UNSIGNED);
    one_end(&one);
}

static void whole_numbers_keep_their_low_bits(void **state) {
    (void)state;
    static const int64_t NUMBERS[] = {-1, 256, 0x123456789, INT64_MIN, 128};
    one_step one;
    assert_memory_equal(cast(&one, HZ_ELEMENT_INT64, HZ_ELEMENT_UINT8, 5, NUMBERS),
                        ((const uint8_t[]){255, 0, 0x89, 0, 128}), 5);
    one_end(&one);
    assert_memory_equal(cast(&one, HZ_ELEMENT_INT64, HZ_ELEMENT_INT8, 5, NUMBERS),
                        ((const int8_t[]){-1, 0, -119, 0, -128}), 5);
    one_end(&one);
    assert_memory_equal(cast(&one, HZ_ELEMENT_INT64, HZ_ELEMENT_INT32, 5, NUMBERS),
                        ((const int32_t[]){-1, 256, 0x23456789, 0, 128}), 20);
    one_end(&one);
    assert_memory_equal(cast(&one, HZ_ELEMENT_INT64, HZ_ELEMENT_BOOL, 5, NUMBERS), "\1\1\1\1\1", 5);
    one_end(&one);
    static const uint64_t WIDE[] = {UINT64_MAX, UINT64_C(1) << 63};
    assert_memory_equal(cast(&one, HZ_ELEMENT_UINT64, HZ_ELEMENT_FLOAT, 2, WIDE),
                        ((const float[]){0x1p64F, 0x1p63F}), 8);
    one_end(&one);
}

/* Rounding to double first would make a tie of these. */
static void wide_numbers_are_rounded_once(void **state) {
    (void)state;
    static const int64_t NUMBERS[] = {INT64_C(0x4040000000000001), -INT64_C(0x4040000000000001),
                                      INT64_C(0x4040000000000000), INT64_MAX, INT64_MIN};
    one_step one;
    assert_memory_equal(cast(&one, HZ_ELEMENT_INT64, HZ_ELEMENT_BFLOAT16, 5, NUMBERS),
                        ((const uint16_t[]){0x5E81, 0xDE81, 0x5E80, 0x5F00, 0xDF00}), 10);
    one_end(&one);
    static const double MIDDLE[] = {1 + 0x1p-11 + 0x1p-40}; /* to float first: a tie */
    assert_memory_equal(cast(&one, HZ_ELEMENT_DOUBLE, HZ_ELEMENT_FLOAT16, 1, MIDDLE),
                        ((const uint16_t[]){0x3C01}), 2);
    one_end(&one);
}

static void truth_becomes_one_and_nan_is_true(void **state) {
    (void)state;
    static const float NUMBERS[] = {0, -0.0F, NAN, 1e-40F, -3};
    one_step one;
    assert_memory_equal(cast(&one, HZ_ELEMENT_FLOAT, HZ_ELEMENT_BOOL, 5, NUMBERS), "\0\0\1\1\1", 5);
    one_end(&one);
    assert_memory_equal(cast(&one, HZ_ELEMENT_BOOL, HZ_ELEMENT_FLOAT, 3, "\0\1\5"),
                        ((const float[]){0, 1, 1}), 12);
    one_end(&one);
}

static void cast_like_takes_the_type_of_its_second_input(void **state) {
    (void)state;
    one_step one;
    static const float NUMBERS[] = {1.5F, -2.5F};
    one_begin(&one, "CastLike", 15);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2), NUMBERS, false);
    one_input(&one, HZ_ELEMENT_INT32, SHAPE(0), NULL, false);
    assert_memory_equal(one_result(&one), ((const int32_t[]){1, -2}), 8);
    one_end(&one);
    one_begin(&one, "Cast", 19);
    one_int(&one, "to", HZ_ELEMENT_FLOAT);
    one_int(&one, "saturate", 0);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2), NUMBERS, false);
    assert_memory_equal(one_result(&one), NUMBERS, sizeof NUMBERS);
    one_end(&one);
}

static void cast_refused(int opset, int64_t to, hz_element from, const char *words) {
    one_step one;
    one_begin(&one, "Cast", opset);
    one_int(&one, "to", to);
    one_input(&one, from, SHAPE(2), NULL, false);
    one_refused(&one, words);
}

static void casts_refuse_types_that_are_not_served(void **state) {
    (void)state;
    cast_refused(13, HZ_ELEMENT_STRING, HZ_ELEMENT_FLOAT,
                 "a cast to type 8 (STRING) is not served");
    cast_refused(13, HZ_ELEMENT_FLOAT, HZ_ELEMENT_STRING,
                 "input 0 'in' is STRING, which is not served");
    cast_refused(13, HZ_ELEMENT_COMPLEX64, HZ_ELEMENT_FLOAT,
                 "a cast to type 14 (COMPLEX64) is not served");
    cast_refused(13, 17, HZ_ELEMENT_FLOAT, "a cast to type 17 (UNDEFINED) is not served");
    cast_refused(13, 0, HZ_ELEMENT_FLOAT, "a cast to type 0 (UNDEFINED) is not served");
    cast_refused(13, INT64_MIN, HZ_ELEMENT_FLOAT,
                 "a cast to type -9223372036854775808 (UNDEFINED) is not served");
    cast_refused(13, (1LL << 32) + 1, HZ_ELEMENT_FLOAT,
                 "a cast to type 4294967297 (UNDEFINED) is not served");
    cast_refused(9, HZ_ELEMENT_BFLOAT16, HZ_ELEMENT_FLOAT,
                 "a cast to type 16 (BFLOAT16) is not served");
    one_step one;
    one_begin(&one, "Cast", 13);
    one_input(&one, HZ_ELEMENT_FLOAT, SHAPE(2), NULL, false);
    one_refused(&one, "attribute 'to' is missing");
}

/* ---- exponential and logarithm ---- */

/* How many units in the last place of the true value a result is away. */
static long double away(double got, long double exact) {
    double near = (double)exact;
    long double unit =
        (long double)nextafter(fabs(near), (double)INFINITY) - (long double)fabs(near);
    return fabsl((long double)got - exact) / unit;
}

static void exponential_and_logarithm_are_near_the_true_value(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    for (size_t round = test_effort(20000); round > 0; round--) {
        double scale = ldexp(1, (int)one_draw(&random, -30, 9));
        double x = ((double)hz_random_draw(&random, UINT32_MAX) / 0x1p31 - 1) * scale;
        assert_true(away(hzi_exp(x), expl((long double)x)) <= 2);
        double y = ldexp(1 + (double)hz_random_draw(&random, UINT32_MAX) / 0x1p32,
                         (int)one_draw(&random, -1060, 1020));
        assert_true(away(hzi_log(y), logl((long double)y)) <= 2);
        double z = 1 + x / 1024;
        assert_true(away(hzi_log(z), logl((long double)z)) <= 2);
    }
    assert_true(hzi_exp(0) == 1 && hzi_log(1) == 0);
    assert_true(hzi_exp(-(double)INFINITY) == 0 && hzi_exp(-800) == 0);
    assert_true(isinf(hzi_exp(800)) && isinf(hzi_exp((double)INFINITY)));
    assert_true(isnan(hzi_exp((double)NAN)) && isnan(hzi_log((double)NAN)) && isnan(hzi_log(-1)));
    assert_true(hzi_log(0) == -(double)INFINITY && isinf(hzi_log((double)INFINITY)));
    assert_true(hzi_exp(-745.1) == 0x1p-1074);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_numbers_survive_every_pair_of_types),
        cmocka_unit_test(every_16_bit_float_is_read_and_written_exactly),
        cmocka_unit_test(narrowing_rounds_to_nearest_ties_to_even),
        cmocka_unit_test(floats_out_of_range_become_the_nearest_whole_number),
        cmocka_unit_test(whole_numbers_keep_their_low_bits),
        cmocka_unit_test(wide_numbers_are_rounded_once),
        cmocka_unit_test(truth_becomes_one_and_nan_is_true),
        cmocka_unit_test(cast_like_takes_the_type_of_its_second_input),
        cmocka_unit_test(casts_refuse_types_that_are_not_served),
        cmocka_unit_test(exponential_and_logarithm_are_near_the_true_value),
    };
    return cmocka_run_group_tests_name("model/cast", tests, NULL, NULL);
}
