/* SPDX-License-Identifier: MIT */
/*
 * Functions of a number over lanes (lanes.h), for float: exp, log, erf, tanh and the activations
 * made of them, within two units in the last place of the true value. Exponentials and logarithms
 * are reduced to a small interval around 0 and use their Taylor series there, long enough for float.
 */
#ifndef HAZARD_MODEL_MAP_LANES_H
#define HAZARD_MODEL_MAP_LANES_H

#include "model/kernels.h"
#include "model/lanes.h"

/* ln 2 in two floats whose sum is right to 48 bits. */
#define LN2_HIGH 0x1.62e43p-1F
#define LN2_LOW -0x1.05c61p-29F
/* Adding and subtracting it rounds to a whole number, which then lies in the lowest bits. */
#define ROUNDER 12582912.0F /* 1.5 * 2^23 */

/* x = n ln 2 + r, |r| <= ln 2 / 2 and a little. */
static inline lanes reduce(lanes x, lane_ints *n) {
    lanes shifted = v_fma(x, v_set(1.44269504F), v_set(ROUNDER));
    *n = v_int_sub(v_bits(shifted), v_bits(v_set(ROUNDER)));
    lanes whole = v_sub(shifted, v_set(ROUNDER));
    lanes r = v_fma(whole, v_set(-LN2_HIGH), x);
    return v_fma(whole, v_set(-LN2_LOW), r);
}

/* e^r - 1 for the r of reduce: r + r^2/2! + ... + r^7/7!, in pairs, which do not wait for each other. */
static inline lanes series_expm1(lanes r) {
    lanes square = v_mul(r, r);
    lanes low = v_fma(r, v_set(1.0F / 6), v_set(0.5F));
    lanes middle = v_fma(r, v_set(1.0F / 120), v_set(1.0F / 24));
    lanes high = v_fma(r, v_set(1.0F / 5040), v_set(1.0F / 720));
    lanes sum = v_fma(v_fma(high, square, middle), square, low);
    return v_fma(square, sum, r);
}

/* 2^n for -126 <= n <= 127. */
static inline lanes power_of_two(lane_ints n) {
    return v_from_bits(v_int_shift_23(v_int_add(n, v_int(127))));
}

static inline lanes m_exp(lanes x) {
    lane_ints n;
    x = v_min(v_set(89.0F), x);   /* infinite from here on, */
    x = v_max(v_set(-104.0F), x); /* zero before */
    lanes e = v_add(series_expm1(reduce(x, &n)), v_set(1.0F));
    /* In two steps: 2^n itself may be beyond the range, and a tiny result is rounded once only. */
    lane_ints half = v_int_half(n);
    return v_mul(v_mul(e, power_of_two(half)), power_of_two(v_int_sub(n, half)));
}

/* e^x - 1 for x <= 40. */
static inline lanes m_expm1(lanes x) {
    lane_ints n;
    x = v_max(v_set(-40.0F), x);
    lanes part = series_expm1(reduce(x, &n));
    lanes scale = power_of_two(n);
    return v_fma(scale, part, v_sub(scale, v_set(1.0F)));
}

/* n ln 2 + log(1 + f) for f in about -0.3..0.42: with s = f / (2 + f), log(1 + f) = 2 s + 2 s^3 / 3
 * + 2 s^5 / 5 ..., written so that f itself is added last. */
static inline lanes log_of(lanes f, lanes n) {
    lanes s = v_div(f, v_add(f, v_set(2.0F)));
    lanes u = v_mul(s, s);
    lanes half_square = v_mul(v_mul(v_set(0.5F), f), f);
    lanes tail = v_set(2.0F / 11);
    tail = v_fma(tail, u, v_set(2.0F / 9));
    tail = v_fma(tail, u, v_set(2.0F / 7));
    tail = v_fma(tail, u, v_set(2.0F / 5));
    tail = v_fma(tail, u, v_set(2.0F / 3));
    tail = v_mul(tail, u);
    /* 2 s = f - s f, and s f = f^2 / 2 - s f^2 / 2. */
    lanes small = v_fma(s, v_add(half_square, tail), v_mul(n, v_set(LN2_LOW)));
    lanes sum = v_sub(f, v_sub(half_square, small));
    return v_fma(n, v_set(LN2_HIGH), sum);
}

static inline lanes m_log(lanes x) {
    lane_mask tiny = v_less(x, v_set(FLT_MIN));
    lanes normal = v_select(tiny, v_mul(x, v_set(0x1p25F)), x);
    /* The exponent is taken so that the fraction lies between sqrt(1/2) and sqrt(2). */
    lane_ints bits = v_int_add(v_bits(normal), v_int(0x3F800000 - 0x3F3504F3));
    lane_ints exponent = v_int_sub(v_int_exponent(bits), v_int(127));
    lane_ints fraction = v_int_add(v_int_and(bits, v_int(0x007FFFFF)), v_int(0x3F3504F3));
    lanes n = v_int_to_float(exponent);
    n = v_select(tiny, v_sub(n, v_set(25.0F)), n);
    lanes y = log_of(v_sub(v_from_bits(fraction), v_set(1.0F)), n);
    y = v_select(v_less(x, v_set(INFINITY)), y, x); /* infinity and NaN stay */
    y = v_select(v_equal(x, v_set(0)), v_set(-INFINITY), y);
    return v_select(v_less(x, v_set(0)), v_set(NAN), y);
}

/* log(1 + z) for z in 0..1. */
static inline lanes log1p_unit(lanes z) {
    lane_mask small = v_less(z, v_set(0.41421356F));
    lanes halved = v_mul(v_set(0.5F), v_sub(z, v_set(1.0F))); /* (1 + z) / 2 - 1 */
    return log_of(v_select(small, z, halved), v_select(small, v_set(0), v_set(1.0F)));
}

static inline lanes m_softplus(lanes x) {
    lanes z = m_exp(v_negate(v_abs(x)));
    return v_add(v_max(v_set(0), x), log1p_unit(z));
}

static inline lanes m_sigmoid(lanes x) {
    lanes z = m_exp(v_negate(v_abs(x)));
    return v_div(v_select(v_less(x, v_set(0)), z, v_set(1.0F)), v_add(z, v_set(1.0F)));
}

static inline lanes m_tanh(lanes x) {
    lanes size = v_min(v_set(10.0F), v_abs(x)); /* 1 from there on */
    lanes e = m_expm1(v_add(size, size));
    lanes t = v_div(e, v_add(e, v_set(2.0F)));
    return v_sign_of(v_abs(t), x);
}

/* Below 0.921875 x + x times a polynomial in x^2 for erf(x) / x - 1; above 1 - e^p with a polynomial
 * for log(1 - erf). Both interpolate at Chebyshev nodes of their interval, to 0.05 units in the last
 * place of a float. */
static inline lanes m_erf(lanes x) {
    lanes size = v_min(v_set(4.0F), v_abs(x)); /* 1 from there on */
    lanes u = v_mul(size, size);
    lanes near = v_set(8.387590788e-05F);
    near = v_fma(near, u, v_set(-8.147202316e-04F));
    near = v_fma(near, u, v_set(5.201466847e-03F));
    near = v_fma(near, u, v_set(-2.685959265e-02F));
    near = v_fma(near, u, v_set(1.128369942e-01F));
    near = v_fma(near, u, v_set(-3.761263490e-01F));
    near = v_fma(near, u, v_set(1.283791661e-01F));
    near = v_fma(near, size, size);
    lanes far = v_set(1.643570954e-06F);
    far = v_fma(far, size, v_set(-4.617827653e-05F));
    far = v_fma(far, size, v_set(5.977498367e-04F));
    far = v_fma(far, size, v_set(-4.763623234e-03F));
    far = v_fma(far, size, v_set(2.643121220e-02F));
    far = v_fma(far, size, v_set(-1.100949422e-01F));
    far = v_fma(far, size, v_set(-6.318138838e-01F));
    far = v_fma(far, size, v_set(-1.130238056e+00F));
    far = v_fma(far, size, v_set(3.205816320e-04F));
    far = v_sub(v_set(1.0F), m_exp(far));
    return v_sign_of(v_abs(v_select(v_less(size, v_set(0.921875F)), near, far)), x);
}

static inline lanes unit(lanes x) { /* clipped to 0..1 */
    return v_min(v_set(1.0F), v_max(v_set(0), x));
}

static inline lanes m_elu(lanes x, lanes a) {
    return v_select(v_less(v_set(0), x), x, v_mul(a, m_expm1(v_min(v_set(0), x))));
}

static inline lanes m_gelu_tanh(lanes x) {
    lanes cube = v_mul(v_mul(x, x), x);
    lanes inner = v_mul(v_set(0.797884561F), v_fma(v_set(0.044715F), cube, x));
    return v_mul(v_mul(v_set(0.5F), x), v_add(v_set(1.0F), m_tanh(inner)));
}

static inline lanes m_gelu(lanes x) {
    lanes inner = m_erf(v_mul(x, v_set(0.707106781F)));
    return v_mul(v_mul(v_set(0.5F), x), v_add(v_set(1.0F), inner));
}

static inline lanes m_celu(lanes x, lanes a) {
    lanes below = v_mul(a, m_expm1(v_min(v_set(40.0F), v_div(x, a))));
    return v_add(v_max(v_set(0), x), v_min(v_set(0), below));
}

static inline lanes m_sign(lanes x) {
    lanes below = v_select(v_less(x, v_set(0)), v_set(-1.0F), v_add(x, v_set(0)));
    return v_select(v_less(v_set(0), x), v_set(1.0F), below);
}

/* One map of a register; where the map is a constant, only that function is left of it. */
static inline lanes map_value(hzi_map map, lanes x, lanes a, lanes b) {
    const lanes zero = v_set(0), one = v_set(1.0F);
    switch (map) {
    case HZI_MAP_NONE:
    case HZI_MAP_COUNT:
        return x;
    case HZI_MAP_RELU:
        return v_max(zero, x);
    case HZI_MAP_LEAKY:
        return v_select(v_less(x, zero), v_mul(a, x), x);
    case HZI_MAP_ELU:
        return m_elu(x, a);
    case HZI_MAP_SELU:
        return v_mul(b, m_elu(x, a));
    case HZI_MAP_CELU:
        return m_celu(x, a);
    case HZI_MAP_CUT:
        return v_select(v_less(a, x), x, zero);
    case HZI_MAP_SHRINK:
        return v_select(v_less(x, v_negate(a)), v_add(x, b),
                        v_select(v_less(a, x), v_sub(x, b), zero));
    case HZI_MAP_CLIP:
        return v_min(b, v_max(a, x));
    case HZI_MAP_SIGMOID:
        return m_sigmoid(x);
    case HZI_MAP_HARD_SIGMOID:
        return unit(v_add(v_mul(a, x), b));
    case HZI_MAP_HARD_SWISH:
        return v_mul(x, unit(v_fma(x, v_set(1.0F / 6), v_set(0.5F))));
    case HZI_MAP_TANH:
        return m_tanh(x);
    case HZI_MAP_SOFTPLUS:
        return m_softplus(x);
    case HZI_MAP_SOFTSIGN:
        return v_div(x, v_add(one, v_abs(x)));
    case HZI_MAP_GELU:
        return m_gelu(x);
    case HZI_MAP_GELU_TANH:
        return m_gelu_tanh(x);
    case HZI_MAP_MISH:
        return v_mul(x, m_tanh(m_softplus(x)));
    case HZI_MAP_EXP:
        return m_exp(x);
    case HZI_MAP_LOG:
        return m_log(x);
    case HZI_MAP_ERF:
        return m_erf(x);
    case HZI_MAP_SQRT:
        return v_sqrt(x);
    case HZI_MAP_ABS:
        return v_abs(x);
    case HZI_MAP_NEGATE:
        return v_negate(x);
    case HZI_MAP_RECIPROCAL:
        return v_div(one, x);
    case HZI_MAP_FLOOR:
        return v_floor(x);
    case HZI_MAP_CEIL:
        return v_ceil(x);
    case HZI_MAP_ROUND:
        return v_round(x);
    case HZI_MAP_SIGN:
        return m_sign(x);
    }
    return x;
}

/* One loop per function, the tail in a part of the lanes. */
#define LOOP(which)                                                                                \
    case which:                                                                                    \
        for (; i + LANES <= n; i += LANES) {                                                       \
            v_store(to + i, map_value(which, v_load(from + i), a, b));                             \
        }                                                                                          \
        if (i < n) {                                                                               \
            v_store_part(to + i, map_value(which, v_load_part(from + i, n - i), a, b), n - i);     \
        }                                                                                          \
        break;

static inline void map_lanes(hzi_map map, const float *from, float *to, size_t n, float a_value,
                             float b_value) {
    const lanes a = v_set(a_value), b = v_set(b_value);
    size_t i = 0;
    switch (map) {
    case HZI_MAP_NONE:
    case HZI_MAP_COUNT:
        if (to != from) {
            memcpy(to, from, n * sizeof *to);
        }
        break;
        LOOP(HZI_MAP_RELU)
        LOOP(HZI_MAP_LEAKY)
        LOOP(HZI_MAP_ELU)
        LOOP(HZI_MAP_SELU)
        LOOP(HZI_MAP_CELU)
        LOOP(HZI_MAP_CUT)
        LOOP(HZI_MAP_SHRINK)
        LOOP(HZI_MAP_CLIP)
        LOOP(HZI_MAP_SIGMOID)
        LOOP(HZI_MAP_HARD_SIGMOID)
        LOOP(HZI_MAP_HARD_SWISH)
        LOOP(HZI_MAP_TANH)
        LOOP(HZI_MAP_SOFTPLUS)
        LOOP(HZI_MAP_SOFTSIGN)
        LOOP(HZI_MAP_GELU)
        LOOP(HZI_MAP_GELU_TANH)
        LOOP(HZI_MAP_MISH)
        LOOP(HZI_MAP_EXP)
        LOOP(HZI_MAP_LOG)
        LOOP(HZI_MAP_ERF)
        LOOP(HZI_MAP_SQRT)
        LOOP(HZI_MAP_ABS)
        LOOP(HZI_MAP_NEGATE)
        LOOP(HZI_MAP_RECIPROCAL)
        LOOP(HZI_MAP_FLOOR)
        LOOP(HZI_MAP_CEIL)
        LOOP(HZI_MAP_ROUND)
        LOOP(HZI_MAP_SIGN)
    }
}

#undef LOOP

#endif
