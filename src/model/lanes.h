/* SPDX-License-Identifier: MIT */
/*
 * Several floats at once, as thin names over what the processor has: sixteen in an AVX-512 register,
 * eight in an AVX2 register, or one in plain C. Code written with them (map_lanes.h, dense_lanes.h)
 * is compiled once for each and gives the same bits everywhere, because every operation here is
 * exactly rounded and means the same: v_fma rounds once, v_max and v_min give their second operand
 * when either is NaN or both are zero.
 *
 * A file that wants a register defines HZI_LANES_AVX512 or HZI_LANES_AVX2 before, and must be
 * compiled for AVX-512F, or for AVX2 and FMA.
 */
#ifndef HAZARD_MODEL_LANES_H
#define HAZARD_MODEL_LANES_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(HZI_LANES_AVX512)

#include <immintrin.h>

enum { LANES = 16 };
typedef __m512 lanes;
typedef __m512i lane_ints;
typedef __mmask16 lane_mask;

static inline lanes v_set(float x) {
    return _mm512_set1_ps(x);
}
static inline lanes v_load(const float *p) {
    return _mm512_loadu_ps(p);
}
static inline void v_store(float *p, lanes x) {
    _mm512_storeu_ps(p, x);
}
/* The first n (1..15) lanes; the others are zero. */
static inline lane_mask v_first(size_t n) {
    return (lane_mask)((1U << n) - 1);
}
static inline lanes v_load_part(const float *p, size_t n) {
    return _mm512_maskz_loadu_ps(v_first(n), p);
}
static inline void v_store_part(float *p, lanes x, size_t n) {
    _mm512_mask_storeu_ps(p, v_first(n), x);
}
static inline lanes v_add(lanes a, lanes b) {
    return _mm512_add_ps(a, b);
}
static inline lanes v_sub(lanes a, lanes b) {
    return _mm512_sub_ps(a, b);
}
static inline lanes v_mul(lanes a, lanes b) {
    return _mm512_mul_ps(a, b);
}
static inline lanes v_div(lanes a, lanes b) {
    return _mm512_div_ps(a, b);
}
static inline lanes v_fma(lanes a, lanes b, lanes c) {
    return _mm512_fmadd_ps(a, b, c);
}
static inline lanes v_max(lanes a, lanes b) {
    return _mm512_max_ps(a, b);
}
static inline lanes v_min(lanes a, lanes b) {
    return _mm512_min_ps(a, b);
}
static inline lanes v_sqrt(lanes x) {
    return _mm512_sqrt_ps(x);
}
static inline lanes v_floor(lanes x) {
    return _mm512_roundscale_ps(x, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
}
static inline lanes v_ceil(lanes x) {
    return _mm512_roundscale_ps(x, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
}
static inline lanes v_round(lanes x) { /* half to even */
    return _mm512_roundscale_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
static inline lane_mask v_less(lanes a, lanes b) {
    return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ);
}
static inline lane_mask v_equal(lanes a, lanes b) {
    return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ);
}
static inline lanes v_select(lane_mask mask, lanes yes, lanes no) {
    return _mm512_mask_blend_ps(mask, no, yes);
}
static inline lane_ints v_bits(lanes x) {
    return _mm512_castps_si512(x);
}
static inline lanes v_from_bits(lane_ints x) {
    return _mm512_castsi512_ps(x);
}
static inline lane_ints v_int(int32_t x) {
    return _mm512_set1_epi32(x);
}
static inline lanes v_abs(lanes x) {
    return v_from_bits(_mm512_and_si512(v_bits(x), v_int(0x7FFFFFFF)));
}
static inline lanes v_negate(lanes x) {
    return v_from_bits(_mm512_xor_si512(v_bits(x), v_int(INT32_MIN)));
}
/* |x| with the sign of s; x must not have a sign of its own. */
static inline lanes v_sign_of(lanes x, lanes s) {
    return v_from_bits(_mm512_or_si512(v_bits(x), _mm512_and_si512(v_bits(s), v_int(INT32_MIN))));
}
static inline lane_ints v_int_add(lane_ints a, lane_ints b) {
    return _mm512_add_epi32(a, b);
}
static inline lane_ints v_int_sub(lane_ints a, lane_ints b) {
    return _mm512_sub_epi32(a, b);
}
static inline lane_ints v_int_and(lane_ints a, lane_ints b) {
    return _mm512_and_si512(a, b);
}
static inline lane_ints v_int_half(lane_ints x) { /* rounded down */
    return _mm512_srai_epi32(x, 1);
}
static inline lane_ints v_int_shift_23(lane_ints x) {
    return _mm512_slli_epi32(x, 23);
}
/* The exponent field as an int, for positive x. */
static inline lane_ints v_int_exponent(lane_ints x) {
    return _mm512_srli_epi32(x, 23);
}
static inline lanes v_int_to_float(lane_ints x) {
    return _mm512_cvtepi32_ps(x);
}
/* Lists `from` plus the number of each lane that is not zero, in rising order; returns how many.
 * Writes LANES entries. */
static inline size_t v_list(lanes x, uint32_t from, uint32_t *list) {
    const lane_ints numbers =
        _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    lane_mask set = _mm512_cmp_ps_mask(x, v_set(0), _CMP_NEQ_UQ);
    lane_ints found = _mm512_maskz_compress_epi32(set, v_int_add(numbers, v_int((int32_t)from)));
    _mm512_storeu_si512(list, found);
    return (size_t)__builtin_popcount(set);
}

#elif defined(HZI_LANES_AVX2)

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

/* Which bits of a byte are set, in rising order, one per byte. */
#define SET(m, bit)                                                                                \
    (((m) >> (bit)&1) ? (uint64_t)(bit) << (8 * __builtin_popcount((m) & ((1U << (bit)) - 1))) : 0)
#define SETS(m)                                                                                    \
    (SET(m, 0) | SET(m, 1) | SET(m, 2) | SET(m, 3) | SET(m, 4) | SET(m, 5) | SET(m, 6) | SET(m, 7))
#define SETS_4(m) SETS((m) + 0U), SETS((m) + 1U), SETS((m) + 2U), SETS((m) + 3U)
#define SETS_16(m) SETS_4(m), SETS_4((m) + 4U), SETS_4((m) + 8U), SETS_4((m) + 12U)
#define SETS_64(m) SETS_16(m), SETS_16((m) + 16U), SETS_16((m) + 32U), SETS_16((m) + 48U)
static const uint64_t SET_BITS[256] = {SETS_64(0U), SETS_64(64U), SETS_64(128U), SETS_64(192U)};

/* Lists `from` plus the number of each lane that is not zero, in rising order; returns how many.
 * Writes LANES entries. */
static inline size_t v_list(lanes x, uint32_t from, uint32_t *list) {
    unsigned mask = (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(x, v_set(0), _CMP_NEQ_UQ));
    __m128i set = _mm_loadl_epi64((const __m128i *)(const void *)&SET_BITS[mask]);
    lane_ints found = v_int_add(v_int((int32_t)from), _mm256_cvtepu8_epi32(set));
    _mm256_storeu_si256((__m256i *)(void *)list, found);
    return (size_t)__builtin_popcount(mask);
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
/* Lists `from` when x is not zero; returns how many it listed. Writes LANES entries. */
static inline size_t v_list(lanes x, uint32_t from, uint32_t *list) {
    *list = from;
    return x != 0;
}

#endif
#endif
