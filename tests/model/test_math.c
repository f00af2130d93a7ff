/* SPDX-License-Identifier: MIT */
/* The functions of a float: near the C library's double results over dense sweeps, the same bits
 * from all kernels, and what they do at the ends of the range. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/kernels.h"
#include "support/support.h"

#include <hazard/base.h>

enum { CHUNK = 1024, VERSIONS = 4 };

/* The kernels that run here, portable first. */
static const hzi_kernels *versions[VERSIONS];

static uint32_t bits_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static bool same(float a, float b) {
    return bits_of(a) == bits_of(b) || (isnan(a) && isnan(b));
}

static float apply(const hzi_kernels *k, hzi_map map, float x, float a, float b) {
    float y;
    k->map(map, &x, &y, 1, a, b);
    return y;
}

/* Distance in units of the last place of a float near `exact`. */
static double ulps(float got, double exact) {
    if (isnan(exact) || isinf((float)exact)) {
        return (isnan(exact) && isnan(got)) || got == (float)exact ? 0 : 1e9;
    }
    double size = fabs(exact) < 0x1p-126 ? 0x1p-126 : fabs(exact);
    int exponent;
    (void)frexp(size, &exponent);
    return fabs((double)got - exact) / ldexp(1, exponent - 24);
}

static double sigmoid(double x) {
    return x < 0 ? exp(x) / (1 + exp(x)) : 1 / (1 + exp(-x));
}

static double softplus(double x) {
    return fmax(x, 0) + log1p(exp(-fabs(x)));
}

static double elu(double x) {
    return x > 0 ? x : expm1(x);
}

static double gelu(double x) {
    return 0.5 * x * (1 + erf(x * 0.70710678118654752440));
}

static double gelu_tanh(double x) {
    return 0.5 * x * (1 + tanh(0.79788456080286535588 * (x + 0.044715 * x * x * x)));
}

static double mish(double x) {
    return x * tanh(softplus(x));
}

typedef struct function {
    const char *name;
    hzi_map map;
    double (*exact)(double);
    double ulps;     /* the most that is allowed, or */
    double absolute; /* for negative x, whose exact value is the rest of a cancellation */
} function;

static const function FUNCTIONS[] = {
    {"exp", HZI_MAP_EXP, exp, 1.5, 0},
    {"log", HZI_MAP_LOG, log, 1.5, 0},
    {"erf", HZI_MAP_ERF, erf, 2, 0},
    {"tanh", HZI_MAP_TANH, tanh, 2.5, 0},
    {"sigmoid", HZI_MAP_SIGMOID, sigmoid, 2.5, 0},
    {"softplus", HZI_MAP_SOFTPLUS, softplus, 2.5, 0},
    {"elu", HZI_MAP_ELU, elu, 2, 0},
    /* Half of x times a number that is nearly -1: what is left for large negative x is rough. */
    {"gelu", HZI_MAP_GELU, gelu, 4, 4e-7},
    {"gelu tanh", HZI_MAP_GELU_TANH, gelu_tanh, 4, 6e-7},
    {"mish", HZI_MAP_MISH, mish, 5, 1e-36},
};

/* Calls check for x over all floats in steps of `stride` bits. */
static void sweep(const function *f, uint32_t stride) {
    float x[CHUNK], y[VERSIONS][CHUNK];
    double worst = 0;
    uint64_t bits = 0;
    while (bits <= UINT32_MAX) {
        size_t n = 0;
        for (; n < CHUNK && bits <= UINT32_MAX; bits += stride) {
            x[n++] = float_of((uint32_t)bits);
        }
        for (size_t k = 0; k < VERSIONS && versions[k]; k++) {
            versions[k]->map(f->map, x, y[k], n, 1, 0);
        }
        for (size_t i = 0; i < n; i++) {
            for (size_t k = 1; k < VERSIONS && versions[k]; k++) {
                if (!same(y[0][i], y[k][i])) {
                    fail_msg("%s(%a): portable %a, %s %a", f->name, (double)x[i], (double)y[0][i],
                             versions[k]->name, (double)y[k][i]);
                }
            }
            double exact = f->exact((double)x[i]);
            double off = ulps(y[0][i], exact);
            if (x[i] < 0 && fabs((double)y[0][i] - exact) <= f->absolute) {
                off = 0;
            }
            if (off > f->ulps) {
                fail_msg("%s(%a) = %a, exactly %a: %g units off", f->name, (double)x[i],
                         (double)y[0][i], exact, off);
            }
            worst = off > worst ? off : worst;
        }
    }
    printf("# %s: at most %.2f units in the last place\n", f->name, worst);
}

static void functions_are_near_the_true_values_and_equal_in_all_kernels(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof FUNCTIONS / sizeof *FUNCTIONS; i++) {
        /* An odd stride meets every pattern of low bits. */
        sweep(&FUNCTIONS[i], (uint32_t)(30011 / test_effort(1)) | 1);
    }
}

/* Every map gives the same bits in all kernels, whatever its parameters. */
static void maps_give_the_same_bits_in_all_kernels(void **state) {
    (void)state;
    if (!versions[1]) {
        skip();
    }
    static const float PARAMETERS[][2] = {
        {0.01F, 0.5F}, {1.67326324F, 1.05070102F}, {-1, 1}, {0.2F, 0.5F}, {2.5F, -3}};
    hz_random random = hz_random_from_seed(test_seed());
    for (int map = 0; map < HZI_MAP_COUNT; map++) {
        for (size_t p = 0; p < sizeof PARAMETERS / sizeof *PARAMETERS; p++) {
            for (size_t round = 0; round < test_effort(20); round++) {
                float x[CHUNK], y[VERSIONS][CHUNK];
                size_t n = 1 + hz_random_draw(&random, CHUNK);
                for (size_t i = 0; i < n; i++) {
                    x[i] = round % 2 ? float_of(hz_random_draw(&random, UINT32_MAX))
                                     : ((float)hz_random_draw(&random, 20001) - 10000) / 1000;
                }
                for (size_t k = 0; k < VERSIONS && versions[k]; k++) {
                    versions[k]->map((hzi_map)map, x, y[k], n, PARAMETERS[p][0], PARAMETERS[p][1]);
                }
                for (size_t i = 0; i < n; i++) {
                    for (size_t k = 1; k < VERSIONS && versions[k]; k++) {
                        if (!same(y[0][i], y[k][i])) {
                            fail_msg("map %d of %a: portable %a, %s %a", map, (double)x[i],
                                     (double)y[0][i], versions[k]->name, (double)y[k][i]);
                        }
                    }
                }
            }
        }
    }
}

static void maps_write_no_further_than_asked_and_may_work_in_place(void **state) {
    (void)state;
    for (size_t k = 0; k < VERSIONS && versions[k]; k++) {
        for (int map = 0; map < HZI_MAP_COUNT; map++) {
            for (size_t n = 0; n < 40; n++) {
                float x[64], y[64];
                for (size_t i = 0; i < 64; i++) {
                    x[i] = y[i] = (float)i / 16 - 1;
                }
                versions[k]->map((hzi_map)map, x, y, n, 0.5F, 1);
                for (size_t i = n; i < 64; i++) {
                    assert_true(same(x[i], y[i]));
                }
                versions[k]->map((hzi_map)map, x, x, n, 0.5F, 1);
                for (size_t i = 0; i < 64; i++) {
                    assert_true(same(x[i], y[i]));
                }
            }
        }
    }
}

typedef struct special {
    hzi_map map;
    float x, y;
} special;

static void ends_of_the_range_are_exact(void **state) {
    (void)state;
    static const special SPECIALS[] = {
        {HZI_MAP_EXP, -INFINITY, 0},
        {HZI_MAP_EXP, INFINITY, INFINITY},
        {HZI_MAP_EXP, 0, 1},
        {HZI_MAP_EXP, -0.0F, 1},
        {HZI_MAP_EXP, 89, INFINITY},
        {HZI_MAP_EXP, -110, 0},
        {HZI_MAP_LOG, 0, -INFINITY},
        {HZI_MAP_LOG, -0.0F, -INFINITY},
        {HZI_MAP_LOG, -1, NAN},
        {HZI_MAP_LOG, -INFINITY, NAN},
        {HZI_MAP_LOG, INFINITY, INFINITY},
        {HZI_MAP_LOG, 1, 0},
        {HZI_MAP_ERF, INFINITY, 1},
        {HZI_MAP_ERF, -INFINITY, -1},
        {HZI_MAP_ERF, -0.0F, -0.0F},
        {HZI_MAP_TANH, INFINITY, 1},
        {HZI_MAP_TANH, -INFINITY, -1},
        {HZI_MAP_TANH, -0.0F, -0.0F},
        {HZI_MAP_TANH, 0x1p-149F, 0x1p-149F},
        {HZI_MAP_SIGMOID, INFINITY, 1},
        {HZI_MAP_SIGMOID, -INFINITY, 0},
        {HZI_MAP_SIGMOID, 0, 0.5F},
        {HZI_MAP_SOFTPLUS, INFINITY, INFINITY},
        {HZI_MAP_SOFTPLUS, -INFINITY, 0},
        {HZI_MAP_RELU, -INFINITY, 0},
        {HZI_MAP_RELU, -0x1p-149F, 0},
        {HZI_MAP_ABS, -0.0F, 0},
        {HZI_MAP_NEGATE, 0, -0.0F},
        {HZI_MAP_ROUND, 2.5F, 2},
        {HZI_MAP_ROUND, -0.5F, -0.0F},
        {HZI_MAP_SIGN, -0.0F, 0},
        {HZI_MAP_SIGN, -INFINITY, -1},
        {HZI_MAP_SQRT, -1, NAN},
        {HZI_MAP_RECIPROCAL, -0.0F, -INFINITY},
    };
    for (size_t k = 0; k < VERSIONS && versions[k]; k++) {
        for (size_t i = 0; i < sizeof SPECIALS / sizeof *SPECIALS; i++) {
            float y = apply(versions[k], SPECIALS[i].map, SPECIALS[i].x, 1, 1);
            if (!same(y, SPECIALS[i].y)) {
                fail_msg("map %d of %a: %a instead of %a", (int)SPECIALS[i].map,
                         (double)SPECIALS[i].x, (double)y, (double)SPECIALS[i].y);
            }
        }
    }
}

static void nan_stays_nan(void **state) {
    (void)state;
    for (size_t k = 0; k < VERSIONS && versions[k]; k++) {
        for (int map = 0; map < HZI_MAP_COUNT; map++) {
            /* "x where x is greater, else 0" is 0 for what is not greater. */
            if (map != HZI_MAP_CUT && map != HZI_MAP_SHRINK) {
                assert_true(isnan(apply(versions[k], (hzi_map)map, NAN, 1, 1)));
            }
        }
    }
}

int main(void) {
    for (size_t k = 0; k < VERSIONS; k++) {
        versions[k] = hzi_kernels_at(k);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_are_near_the_true_values_and_equal_in_all_kernels),
        cmocka_unit_test(maps_give_the_same_bits_in_all_kernels),
        cmocka_unit_test(maps_write_no_further_than_asked_and_may_work_in_place),
        cmocka_unit_test(ends_of_the_range_are_exact),
        cmocka_unit_test(nan_stays_nan),
    };
    return cmocka_run_group_tests_name("model/math", tests, NULL, NULL);
}
