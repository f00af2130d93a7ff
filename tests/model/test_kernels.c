/* SPDX-License-Identifier: MIT */
/* Dense layers: all kernels, rows alone and in batches, with and without skipping zeros, all give
 * the same bits; and those are near what double arithmetic gives. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/kernels.h"
#include "support/support.h"

#include <hazard/base.h>

enum { VERSIONS = 4 };

/* The kernels that run here, portable first. */
static const hzi_kernels *versions[VERSIONS];

/* A layer with its arrays, and the weights as they were before packing. */
typedef struct layer {
    hzi_dense dense;
    float *raw; /* [inputs][outputs] */
    float *weights, *bias, *after;
} layer;

static float *floats(size_t n) {
    float *memory = aligned_alloc(64, (n * sizeof *memory + 127) / 64 * 64);
    assert_non_null(memory);
    return memory;
}

static float number(hz_random *random) {
    return ((float)hz_random_draw(random, 2000001) - 1000000) / 1000000;
}

static layer layer_new(hz_random *random, size_t inputs, size_t outputs, bool after, hzi_map map) {
    size_t padded = hzi_dense_padded(outputs);
    layer l = {.dense = {.inputs = inputs, .outputs = outputs, .map = map, .a = 0.1F, .b = 1}};
    l.raw = floats(inputs * outputs);
    l.weights = floats(hzi_dense_weights(inputs, outputs));
    l.bias = floats(padded);
    l.after = floats(padded);
    for (size_t i = 0; i < inputs * outputs; i++) {
        l.raw[i] = number(random);
    }
    for (size_t i = 0; i < padded; i++) {
        l.bias[i] = i < outputs ? number(random) : 0;
        l.after[i] = i < outputs ? number(random) : 0;
    }
    l.dense.finite = hzi_dense_pack(l.raw, inputs, outputs, outputs, 1, l.weights);
    l.dense.weights = l.weights;
    l.dense.bias = l.bias;
    l.dense.after = after ? l.after : NULL;
    return l;
}

static void layer_free(layer *l) {
    free(l->raw);
    free(l->weights);
    free(l->bias);
    free(l->after);
}

/* Rows of which some inputs, or nearly all, are zero (of either sign). */
static void fill_rows(hz_random *random, float *x, size_t n) {
    uint32_t zeros = hz_random_draw(random, 4); /* of 3 */
    for (size_t i = 0; i < n; i++) {
        bool zero = zeros == 3 ? hz_random_draw(random, 20) > 0 : hz_random_draw(random, 3) < zeros;
        x[i] = zero ? (hz_random_draw(random, 2) ? 0.0F : -0.0F) : number(random);
    }
}

static void assert_same(const float *a, const float *b, size_t n, const layer *l, size_t rows) {
    for (size_t i = 0; i < n; i++) {
        bool both_nan = isnan(a[i]) && isnan(b[i]);
        if (!both_nan && memcmp(&a[i], &b[i], sizeof *a) != 0) {
            fail_msg("%zu -> %zu, %zu rows, number %zu: %a and %a", l->dense.inputs,
                     l->dense.outputs, rows, i, (double)a[i], (double)b[i]);
        }
    }
}

/* Portable, in one batch, against: row by row; the fast kernels in a batch and row by row; nothing
 * skipped; work memory given or not. */
static void compare_ways(hz_random *random, layer *l, size_t rows) {
    size_t in = l->dense.inputs, out = l->dense.outputs;
    float *x = floats(rows * in), *first = floats(rows * out), *y = floats(rows * (out + 5));
    uint32_t *list = malloc((in + HZI_DENSE_LIST_ROOM) * sizeof *list);
    assert_non_null(list);
    for (size_t r = 0; r < rows; r++) {
        fill_rows(random, x + r * in, in);
    }
    hzi_kernels_portable.dense(&l->dense, x, in, rows, first, out, list);
    bool finite = l->dense.finite;
    for (size_t k = 0; k < VERSIONS && versions[k]; k++) {
        for (int way = 0; way < 4; way++) {
            l->dense.finite = finite && way % 2 == 0;
            uint32_t *work = way < 2 ? list : NULL;
            memset(y, 0x5A, rows * (out + 5) * sizeof *y);
            versions[k]->dense(&l->dense, x, in, rows, y, out, work);
            assert_same(first, y, rows * out, l, rows);
            memset(y, 0x5A, rows * (out + 5) * sizeof *y);
            versions[k]->dense(&l->dense, x, in, rows, y, out + 5, work);
            for (size_t r = 0; r < rows; r++) {
                assert_same(first + r * out, y + r * (out + 5), out, l, rows);
                for (size_t i = 0; i < 5; i++) { /* nothing beyond the row */
                    assert_memory_equal(y + r * (out + 5) + out + i, "ZZZZ", 4);
                }
            }
            for (size_t r = 0; r < rows; r++) {
                versions[k]->dense(&l->dense, x + r * in, in, 1, y, out, work);
                assert_same(first + r * out, y, out, l, 1);
            }
        }
        l->dense.finite = finite;
    }
    free(x);
    free(first);
    free(y);
    free(list);
}

static void rows_give_the_same_bits_in_every_way(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    static const hzi_map MAPS[] = {HZI_MAP_NONE, HZI_MAP_RELU, HZI_MAP_SIGMOID, HZI_MAP_LEAKY};
    for (size_t i = 0; i < test_effort(400); i++) {
        size_t inputs = hz_random_draw(&random, 71), outputs = 1 + hz_random_draw(&random, 70);
        if (hz_random_draw(&random, 5) == 0) {
            inputs = 100 + hz_random_draw(&random, 400);
        }
        layer l = layer_new(&random, inputs, outputs, hz_random_draw(&random, 2) == 0,
                            MAPS[hz_random_draw(&random, 4)]);
        compare_ways(&random, &l, 1 + hz_random_draw(&random, 20));
        layer_free(&l);
    }
}

static void every_width_from_1_to_70_is_served(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    for (size_t width = 1; width <= 70; width++) {
        layer l = layer_new(&random, width, 71 - width, false, HZI_MAP_RELU);
        for (size_t rows = 1; rows <= 7; rows++) {
            compare_ways(&random, &l, rows);
        }
        layer_free(&l);
    }
}

static void weights_that_are_not_finite_meet_every_input(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    for (size_t i = 0; i < test_effort(50); i++) {
        size_t inputs = 1 + hz_random_draw(&random, 300), outputs = 1 + hz_random_draw(&random, 40);
        layer l = layer_new(&random, inputs, outputs, false, HZI_MAP_NONE);
        size_t k = hz_random_draw(&random, (uint32_t)inputs);
        size_t j = hz_random_draw(&random, (uint32_t)outputs);
        l.raw[k * outputs + j] = hz_random_draw(&random, 2) ? INFINITY : NAN;
        l.dense.finite = hzi_dense_pack(l.raw, inputs, outputs, outputs, 1, l.weights);
        assert_false(l.dense.finite);
        compare_ways(&random, &l, 3);
        /* A zero times infinity is no number. */
        float *x = floats(inputs), *y = floats(outputs);
        uint32_t list[300 + HZI_DENSE_LIST_ROOM];
        memset(x, 0, inputs * sizeof *x);
        hzi_kernels_in_use->dense(&l.dense, x, inputs, 1, y, outputs, list);
        for (size_t o = 0; o < outputs; o++) {
            assert_int_equal(isnan(y[o]) != 0, o == j);
        }
        free(x);
        free(y);
        layer_free(&l);
    }
}

static void sums_are_near_those_in_double(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    for (size_t i = 0; i < test_effort(200); i++) {
        size_t inputs = 1 + hz_random_draw(&random, 300), outputs = 1 + hz_random_draw(&random, 70);
        layer l = layer_new(&random, inputs, outputs, i % 2 == 0, HZI_MAP_NONE);
        float *x = floats(inputs), *y = floats(outputs);
        fill_rows(&random, x, inputs);
        hzi_kernels_in_use->dense(&l.dense, x, inputs, 1, y, outputs, NULL);
        for (size_t j = 0; j < outputs; j++) {
            double sum = (double)l.bias[j] + (i % 2 == 0 ? (double)l.after[j] : 0), size = 2;
            for (size_t k = 0; k < inputs; k++) {
                double product = (double)x[k] * (double)l.raw[k * outputs + j];
                sum += product;
                size += fabs(product);
            }
            if (fabs((double)y[j] - sum) > size * 0x1p-24 * 8) {
                fail_msg("%zu -> %zu: %g instead of %g", inputs, outputs, (double)y[j], sum);
            }
        }
        free(x);
        free(y);
        layer_free(&l);
    }
}

/* The order of the sum is part of the contract: bias first, inputs rising, one rounding each. */
static void sums_begin_with_the_bias_and_rise(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    for (size_t i = 0; i < test_effort(100); i++) {
        size_t inputs = 1 + hz_random_draw(&random, 60), outputs = 1 + hz_random_draw(&random, 40);
        layer l = layer_new(&random, inputs, outputs, false, HZI_MAP_NONE);
        float *x = floats(inputs), *y = floats(outputs);
        fill_rows(&random, x, inputs);
        hzi_kernels_in_use->dense(&l.dense, x, inputs, 1, y, outputs, NULL);
        for (size_t j = 0; j < outputs; j++) {
            float sum = l.bias[j];
            for (size_t k = 0; k < inputs; k++) {
                sum = fmaf(x[k], l.raw[k * outputs + j], sum);
            }
            sum += 0.0F;
            assert_memory_equal(&sum, &y[j], sizeof sum);
        }
        free(x);
        free(y);
        layer_free(&l);
    }
}

static void zero_results_are_positive(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(1);
    layer l = layer_new(&random, 20, 3, false, HZI_MAP_NONE);
    float x[20] = {0}, y[3];
    for (size_t j = 0; j < 3; j++) {
        l.bias[j] = -0.0F;
    }
    for (size_t k = 0; k < VERSIONS && versions[k]; k++) {
        versions[k]->dense(&l.dense, x, 20, 1, y, 3, NULL);
        for (size_t j = 0; j < 3; j++) {
            assert_true(y[j] == 0 && !signbit(y[j]));
        }
    }
    layer_free(&l);
}

static void rows_may_have_a_bias_each(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    enum { IN = 9, OUT = 21, ROWS = 11 };
    layer l = layer_new(&random, IN, OUT, false, HZI_MAP_NONE);
    size_t padded = hzi_dense_padded(OUT);
    float *bias = floats(ROWS * padded), x[ROWS * IN], y[ROWS * OUT], one[OUT];
    fill_rows(&random, x, ROWS * IN);
    for (size_t i = 0; i < ROWS * padded; i++) {
        bias[i] = number(&random);
    }
    l.dense.bias = bias;
    l.dense.bias_step = padded;
    hzi_kernels_in_use->dense(&l.dense, x, IN, ROWS, y, OUT, NULL);
    for (size_t r = 0; r < ROWS; r++) {
        l.dense.bias = bias + r * padded;
        hzi_kernels_in_use->dense(&l.dense, x + r * IN, IN, 1, one, OUT, NULL);
        assert_same(one, y + r * OUT, OUT, &l, ROWS);
    }
    free(bias);
    layer_free(&l);
}

static void packing_takes_weights_from_where_they_lie(void **state) {
    (void)state;
    hz_random random = hz_random_from_seed(test_seed());
    enum { IN = 7, OUT = 19 };
    float plain[IN * OUT], turned[IN * OUT];
    for (size_t k = 0; k < IN; k++) {
        for (size_t j = 0; j < OUT; j++) {
            plain[k * OUT + j] = turned[j * IN + k] = number(&random);
        }
    }
    float *a = floats(hzi_dense_weights(IN, OUT)), *b = floats(hzi_dense_weights(IN, OUT));
    assert_true(hzi_dense_pack(plain, IN, OUT, OUT, 1, a));
    assert_true(hzi_dense_pack(turned, IN, OUT, 1, IN, b));
    assert_memory_equal(a, b, hzi_dense_weights(IN, OUT) * sizeof *a);
    free(a);
    free(b);
}

int main(void) {
    for (size_t k = 0; k < VERSIONS; k++) {
        versions[k] = hzi_kernels_at(k);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_give_the_same_bits_in_every_way),
        cmocka_unit_test(every_width_from_1_to_70_is_served),
        cmocka_unit_test(weights_that_are_not_finite_meet_every_input),
        cmocka_unit_test(sums_are_near_those_in_double),
        cmocka_unit_test(sums_begin_with_the_bias_and_rise),
        cmocka_unit_test(zero_results_are_positive),
        cmocka_unit_test(rows_may_have_a_bias_each),
        cmocka_unit_test(packing_takes_weights_from_where_they_lie),
    };
    return cmocka_run_group_tests_name("model/kernels", tests, NULL, NULL);
}
