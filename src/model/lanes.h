/* SPDX-License-Identifier: MIT */
/*
 * Several floats at once, as thin names over what the processor has: eight in an AVX2 register, or
 * one in plain C. Code written with them (map_lanes.h) is compiled once for each and gives the same
 * bits in both, because every operation here is exactly rounded and means the same: v_fma rounds
 * once, v_max and v_min give their second operand when either is NaN or both are zero.
 *
 * A file that wants AVX2 defines HZI_LANES_AVX2 before; it must be compiled for AVX2 and FMA.
 */
#ifndef HAZARD_MODEL_LANES_H
#define HAZARD_MODEL_LANES_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef HZI_LANES_AVX2

#include <immintrin.h>

enum { LANES = 8 };
typedef __m256 lanes;
typedef __m256i lane_ints;
typedef __m256 lane_mask;

static inline lanes v_set(float x) {
    return _mm256_set1_ps(x);
}
static inline lanes v_load(const float *p) {
    return _mm256_loadu_ps(p);
}
static inline void v_store(float *p, lanes x) {
    _mm256_storeu_ps(p, x);
}
/* The first n (1..7) lanes; the others are zero. */
static inline lane_ints v_first(size_t n) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
static inline lanes v_load_part(const float *p, size_t n) {
    return _mm256_maskload_ps(p, v_first(n));
}
static inline void v_store_part(float *p, lanes x, size_t n) {
    _mm256_maskstore_ps(p, v_first(n), x);
}
static inline lanes v_add(lanes a, lanes b) {
    return _mm256_add_ps(a, b);
}
static inline lanes v_sub(lanes a, lanes b) {
    return _mm256_sub_ps(a, b);
}
static inline lanes v_mul(lanes a, lanes b) {
    return _mm256_mul_ps(a, b);
}
static inline lanes v_div(lanes a, lanes b) {
    return _mm256_div_ps(a, b);
}
static inline lanes v_fma(lanes a, lanes b, lanes c) {
    return _mm256_fmadd_ps(a, b, c);
}
static inline lanes v_max(lanes a, lanes b) {
    return _mm256_max_ps(a, b);
}
static inline lanes v_min(lanes a, lanes b) {
    return _mm256_min_ps(a, b);
}
static inline lanes v_sqrt(lanes x) {
    return _mm256_sqrt_ps(x);
}
static inline lanes v_floor(lanes x) {
    return _mm256_floor_ps(x);
}
static inline lanes v_ceil(lanes x) {
    return _mm256_ceil_ps(x);
}
static inline lanes v_round(lanes x) { /* half to even */
    return _mm256_round_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
static inline lane_mask v_less(lanes a, lanes b) {
    return _mm256_cmp_ps(a, b, _CMP_LT_OQ);
}
static inline lane_mask v_equal(lanes a, lanes b) {
    return _mm256_cmp_ps(a, b, _CMP_EQ_OQ);
}
static inline lanes v_select(lane_mask mask, lanes yes, lanes no) {
    return _mm256_blendv_ps(no, yes, mask);
}
static inline lanes v_abs(lanes x) {
    return _mm256_andnot_ps(_mm256_set1_ps(-0.0F), x);
}
static inline lanes v_negate(lanes x) {
    return _mm256_xor_ps(_mm256_set1_ps(-0.0F), x);
}
/* |x| with the sign of s; x must not have a sign of its own. */
static inline lanes v_sign_of(lanes x, lanes s) {
    return _mm256_or_ps(x, _mm256_and_ps(_mm256_set1_ps(-0.0F), s));
}
static inline lane_ints v_bits(lanes x) {
    return _mm256_castps_si256(x);
}
static inline lanes v_from_bits(lane_ints x) {
    return _mm256_castsi256_ps(x);
}
static inline lane_ints v_int(int32_t x) {
    return _mm256_set1_epi32(x);
}
static inline lane_ints v_int_add(lane_ints a, lane_ints b) {
    return _mm256_add_epi32(a, b);
}
static inline lane_ints v_int_sub(lane_ints a, lane_ints b) {
    return _mm256_sub_epi32(a, b);
}
static inline lane_ints v_int_and(lane_ints a, lane_ints b) {
    return _mm256_and_si256(a, b);
}
static inline lane_ints v_int_half(lane_ints x) { /* rounded down */
    return _mm256_srai_epi32(x, 1);
}
static inline lane_ints v_int_shift_23(lane_ints x) {
    return _mm256_slli_epi32(x, 23);
}
/* The exponent field as an int, for positive x. */
static inline lane_ints v_int_exponent(lane_ints x) {
    return _mm256_srli_epi32(x, 23);
}
static inline lanes v_int_to_float(lane_ints x) {
    return _mm256_cvtepi32_ps(x);
}

#else

enum { LANES = 1 };
typedef float lanes;
typedef uint32_t lane_ints; /* wraps */
typedef bool lane_mask;

static inline lanes v_set(float x) {
    return x;
}
static inline lanes v_load(const float *p) {
    return *p;
}
static inline void v_store(float *p, lanes x) {
    *p = x;
}
static inline lanes v_load_part(const float *p, size_t n) {
    (void)n;
    return *p;
}
static inline void v_store_part(float *p, lanes x, size_t n) {
    (void)n;
    *p = x;
}
static inline lanes v_add(lanes a, lanes b) {
    return a + b;
}
static inline lanes v_sub(lanes a, lanes b) {
    return a - b;
}
static inline lanes v_mul(lanes a, lanes b) {
    return a * b;
}
static inline lanes v_div(lanes a, lanes b) {
    return a / b;
}
/* The product of two floats is exact in double, so the sum is rounded twice only: to double, then
 * to float. That differs from one rounding only when the double lies half-way between two floats. */
static inline lanes v_fma(lanes a, lanes b, lanes c) {
#ifdef __FP_FAST_FMAF
    return __builtin_fmaf(a, b, c);
#else
    double sum = (double)a * (double)b + (double)c;
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    if ((bits & 0x1FFFFFFF) != 0x10000000 && (fabs(sum) >= (double)FLT_MIN || sum == 0)) {
        return (float)sum;
    }
    return fmaf(a, b, c);
#endif
}
static inline lanes v_max(lanes a, lanes b) {
    return a > b ? a : b;
}
static inline lanes v_min(lanes a, lanes b) {
    return a < b ? a : b;
}
static inline lanes v_sqrt(lanes x) {
    return sqrtf(x);
}
static inline lanes v_floor(lanes x) {
    return floorf(x);
}
static inline lanes v_ceil(lanes x) {
    return ceilf(x);
}
static inline lanes v_round(lanes x) { /* half to even */
    return rintf(x);
}
static inline lane_mask v_less(lanes a, lanes b) {
    return a < b;
}
static inline lane_mask v_equal(lanes a, lanes b) {
    return a == b;
}
static inline lanes v_select(lane_mask mask, lanes yes, lanes no) {
    return mask ? yes : no;
}
static inline lane_ints v_bits(lanes x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
static inline lanes v_from_bits(lane_ints x) {
    float value;
    memcpy(&value, &x, sizeof value);
    return value;
}
static inline lanes v_abs(lanes x) {
    return v_from_bits(v_bits(x) & 0x7FFFFFFF);
}
static inline lanes v_negate(lanes x) {
    return v_from_bits(v_bits(x) ^ 0x80000000);
}
/* |x| with the sign of s; x must not have a sign of its own. */
static inline lanes v_sign_of(lanes x, lanes s) {
    return v_from_bits(v_bits(x) | (v_bits(s) & 0x80000000));
}
static inline lane_ints v_int(int32_t x) {
    return (uint32_t)x;
}
static inline lane_ints v_int_add(lane_ints a, lane_ints b) {
    return a + b;
}
static inline lane_ints v_int_sub(lane_ints a, lane_ints b) {
    return a - b;
}
static inline lane_ints v_int_and(lane_ints a, lane_ints b) {
    return a & b;
}
static inline lane_ints v_int_half(lane_ints x) { /* rounded down */
    return (x >> 1) | (x & 0x80000000);
}
static inline lane_ints v_int_shift_23(lane_ints x) {
    return x << 23;
}
/* The exponent field as an int, for positive x. */
static inline lane_ints v_int_exponent(lane_ints x) {
    return x >> 23;
}
static inline lanes v_int_to_float(lane_ints x) {
    return (float)(int32_t)x;
}

#endif
#endif
