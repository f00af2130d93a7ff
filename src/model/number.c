/* SPDX-License-Identifier: MIT */
/*
 * Numbers of every element type as double or int64. Conversions that C leaves undefined (out of
 * range, NaN to a whole number) have a defined result here: see the header.
 */
#include "model/number.h"

#include <math.h>
#include <string.h>

bool hzi_element_is_real(hz_element element) {
    return element == HZ_ELEMENT_FLOAT || element == HZ_ELEMENT_DOUBLE ||
           element == HZ_ELEMENT_FLOAT16 || element == HZ_ELEMENT_BFLOAT16;
}

bool hzi_element_is_whole(hz_element element) {
    return element == HZ_ELEMENT_UINT8 || element == HZ_ELEMENT_INT8 ||
           element == HZ_ELEMENT_UINT16 || element == HZ_ELEMENT_INT16 ||
           element == HZ_ELEMENT_UINT32 || element == HZ_ELEMENT_INT32 ||
           element == HZ_ELEMENT_UINT64 || element == HZ_ELEMENT_INT64;
}

/* ---- 16-bit floats ----------------------------------------------------------------------------- */

enum { DOUBLE_FRACTION = 52, DOUBLE_BIAS = 1023, DOUBLE_SPECIAL = 0x7FF };

/* Rounds to a format of 1 sign bit, `exponent_bits` and `fraction_bits`, 16 together. */
static uint16_t narrow(double number, int exponent_bits, int fraction_bits) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    uint64_t sign = bits >> 63 << 15;
    int exponent = (int)(bits >> DOUBLE_FRACTION & DOUBLE_SPECIAL);
    uint64_t fraction = bits & ((UINT64_C(1) << DOUBLE_FRACTION) - 1);
    int special = (1 << exponent_bits) - 1;
    uint64_t infinity = (uint64_t)special << fraction_bits;
    int drop = DOUBLE_FRACTION - fraction_bits;
    if (exponent == DOUBLE_SPECIAL) {
        uint64_t quiet = UINT64_C(1) << (fraction_bits - 1) | fraction >> drop;
        return (uint16_t)(sign | infinity | (fraction ? quiet : 0));
    }
    if (exponent == 0) { /* far below the least subnormal of the narrow format */
        return (uint16_t)sign;
    }
    exponent += special / 2 - DOUBLE_BIAS;
    if (exponent >= special) {
        return (uint16_t)(sign | infinity);
    }
    if (exponent < 1) { /* subnormal: fewer bits are kept */
        drop += 1 - exponent;
        exponent = 1;
    }
    if (drop > DOUBLE_FRACTION + 2) {
        return (uint16_t)sign;
    }
    uint64_t significand = fraction | UINT64_C(1) << DOUBLE_FRACTION;
    uint64_t kept = significand >> drop;
    uint64_t rest = significand & ((UINT64_C(1) << drop) - 1);
    uint64_t half = UINT64_C(1) << (drop - 1);
    kept += rest > half || (rest == half && (kept & 1));
    /* The leading bit of `kept` counts one into the exponent, and so does a carry. */
    return (uint16_t)(sign | (((uint64_t)(exponent - 1) << fraction_bits) + kept));
}

uint16_t hzi_to_half(double number) {
    return narrow(number, 5, 10);
}

uint16_t hzi_to_bfloat(double number) {
    return narrow(number, 8, 7);
}

double hzi_from_half(uint16_t bits) {
    int exponent = bits >> 10 & 31;
    uint64_t fraction = bits & 1023U;
    uint64_t wide = (uint64_t)(bits >> 15) << 63;
    double number;
    if (exponent == 0) { /* fraction * 2^-24 */
        number = (double)fraction * 0x1p-24;
        return bits >> 15 ? -number : number;
    }
    uint64_t up = exponent == 31 ? DOUBLE_SPECIAL : (uint64_t)(exponent - 15 + DOUBLE_BIAS);
    wide |= up << DOUBLE_FRACTION | fraction << (DOUBLE_FRACTION - 10);
    memcpy(&number, &wide, sizeof number);
    return number;
}

double hzi_from_bfloat(uint16_t bits) {
    uint32_t wide = (uint32_t)bits << 16;
    float number;
    memcpy(&number, &wide, sizeof number);
    return (double)number;
}

/* ---- reading ----------------------------------------------------------------------------------- */

#define LOAD(type, convert)                                                                        \
    do {                                                                                           \
        const type *read = (const type *)data + offset;                                            \
        for (int64_t i = 0; i < n; i++) {                                                          \
            to[i] = convert(read[i * step]);                                                       \
        }                                                                                          \
    } while (0)

void hzi_load_reals(hz_element element, const void *data, int64_t offset, int64_t step, int64_t n,
                    double *to) {
    if (element == HZ_ELEMENT_FLOAT) {
        LOAD(float, (double));
    } else if (element == HZ_ELEMENT_DOUBLE) {
        LOAD(double, (double));
    } else if (element == HZ_ELEMENT_FLOAT16) {
        LOAD(uint16_t, hzi_from_half);
    } else {
        LOAD(uint16_t, hzi_from_bfloat);
    }
}

void hzi_load_wholes(hz_element element, const void *data, int64_t offset, int64_t step, int64_t n,
                     int64_t *to) {
    switch (element) {
    case HZ_ELEMENT_BOOL:
        LOAD(uint8_t, 0 !=);
        break;
    case HZ_ELEMENT_UINT8:
        LOAD(uint8_t, (int64_t));
        break;
    case HZ_ELEMENT_INT8:
        LOAD(int8_t, (int64_t));
        break;
    case HZ_ELEMENT_UINT16:
        LOAD(uint16_t, (int64_t));
        break;
    case HZ_ELEMENT_INT16:
        LOAD(int16_t, (int64_t));
        break;
    case HZ_ELEMENT_UINT32:
        LOAD(uint32_t, (int64_t));
        break;
    case HZ_ELEMENT_INT32:
        LOAD(int32_t, (int64_t));
        break;
    case HZ_ELEMENT_UINT64:
        LOAD(uint64_t, (int64_t));
        break;
    default:
        LOAD(int64_t, (int64_t));
        break;
    }
}

/* ---- writing ----------------------------------------------------------------------------------- */

#define STORE(type, convert)                                                                       \
    do {                                                                                           \
        type *write = (type *)data + offset;                                                       \
        for (int64_t i = 0; i < n; i++) {                                                          \
            write[i] = (type)convert(from[i]);                                                     \
        }                                                                                          \
    } while (0)

/* Toward zero, into low..high; both are exact as double. */
static int64_t cut(double number, double low, double high) {
    if (number >= high) {
        return (int64_t)high;
    }
    return number > low ? (int64_t)number : number <= low ? (int64_t)low : 0; /* NaN: 0 */
}

static int64_t cut_int8(double number) {
    return cut(number, INT8_MIN, INT8_MAX);
}
static int64_t cut_uint8(double number) {
    return cut(number, 0, UINT8_MAX);
}
static int64_t cut_int16(double number) {
    return cut(number, INT16_MIN, INT16_MAX);
}
static int64_t cut_uint16(double number) {
    return cut(number, 0, UINT16_MAX);
}
static int64_t cut_int32(double number) {
    return cut(number, INT32_MIN, INT32_MAX);
}
static int64_t cut_uint32(double number) {
    return cut(number, 0, UINT32_MAX);
}

static int64_t cut_int64(double number) {
    return number >= 0x1p63 ? INT64_MAX : cut(number, -0x1p63, 0x1.fffffffffffffp62);
}

static uint64_t cut_uint64(double number) {
    if (number >= 0x1p64) {
        return UINT64_MAX;
    }
    return number > 0 ? (uint64_t)number : 0; /* NaN: 0 */
}

void hzi_store_reals(hz_element element, void *data, int64_t offset, int64_t n,
                     const double *from) {
    switch (element) {
    case HZ_ELEMENT_FLOAT:
        STORE(float, (float));
        break;
    case HZ_ELEMENT_DOUBLE:
        STORE(double, (double));
        break;
    case HZ_ELEMENT_FLOAT16:
        STORE(uint16_t, hzi_to_half);
        break;
    case HZ_ELEMENT_BFLOAT16:
        STORE(uint16_t, hzi_to_bfloat);
        break;
    case HZ_ELEMENT_BOOL:
        STORE(uint8_t, (double)0 !=);
        break;
    case HZ_ELEMENT_UINT8:
        STORE(uint8_t, cut_uint8);
        break;
    case HZ_ELEMENT_INT8:
        STORE(int8_t, cut_int8);
        break;
    case HZ_ELEMENT_UINT16:
        STORE(uint16_t, cut_uint16);
        break;
    case HZ_ELEMENT_INT16:
        STORE(int16_t, cut_int16);
        break;
    case HZ_ELEMENT_UINT32:
        STORE(uint32_t, cut_uint32);
        break;
    case HZ_ELEMENT_INT32:
        STORE(int32_t, cut_int32);
        break;
    case HZ_ELEMENT_UINT64:
        STORE(uint64_t, cut_uint64);
        break;
    default:
        STORE(int64_t, cut_int64);
        break;
    }
}

/* A whole number as float, rounded once. */
static float as_float(int64_t number, bool from_unsigned) {
    return from_unsigned ? (float)(uint64_t)number : (float)number;
}

static double as_double(int64_t number, bool from_unsigned) {
    return from_unsigned ? (double)(uint64_t)number : (double)number;
}

/* Rounded to odd where double is too short, so that rounding again to 16 bits rounds once. */
static double as_odd_double(int64_t number, bool from_unsigned) {
    bool negative = !from_unsigned && number < 0;
    uint64_t size = negative ? 0 - (uint64_t)number : (uint64_t)number;
    enum { SPARE = 11 };
    if (size >> 53) {
        uint64_t low = size & ((UINT64_C(1) << SPARE) - 1);
        size = size >> SPARE << SPARE | (low ? UINT64_C(1) << SPARE : 0);
    }
    return negative ? -(double)size : (double)size;
}

void hzi_store_wholes(hz_element element, void *data, int64_t offset, int64_t n,
                      const int64_t *from, bool from_unsigned) {
#define FLOAT_OF(x) as_float(x, from_unsigned)
#define DOUBLE_OF(x) as_double(x, from_unsigned)
#define HALF_OF(x) hzi_to_half(as_odd_double(x, from_unsigned))
#define BFLOAT_OF(x) hzi_to_bfloat(as_odd_double(x, from_unsigned))
    switch (element) {
    case HZ_ELEMENT_FLOAT:
        STORE(float, FLOAT_OF);
        break;
    case HZ_ELEMENT_DOUBLE:
        STORE(double, DOUBLE_OF);
        break;
    case HZ_ELEMENT_FLOAT16:
        STORE(uint16_t, HALF_OF);
        break;
    case HZ_ELEMENT_BFLOAT16:
        STORE(uint16_t, BFLOAT_OF);
        break;
    case HZ_ELEMENT_BOOL:
        STORE(uint8_t, 0 !=);
        break;
    case HZ_ELEMENT_UINT8:
        STORE(uint8_t, (uint8_t));
        break;
    case HZ_ELEMENT_INT8:
        STORE(int8_t, (int8_t));
        break;
    case HZ_ELEMENT_UINT16:
        STORE(uint16_t, (uint16_t));
        break;
    case HZ_ELEMENT_INT16:
        STORE(int16_t, (int16_t));
        break;
    case HZ_ELEMENT_UINT32:
        STORE(uint32_t, (uint32_t));
        break;
    case HZ_ELEMENT_INT32:
        STORE(int32_t, (int32_t));
        break;
    default: /* both of 64 bits */
        STORE(int64_t, (int64_t));
        break;
    }
#undef FLOAT_OF
#undef DOUBLE_OF
#undef HALF_OF
#undef BFLOAT_OF
}

/* ---- exponential and logarithm -------------------------------------------------------------------- */

/* ln 2 in two parts; the first times any exponent of a double is exact. */
static const double LN2_HIGH = 0x1.62e42feep-1, LN2_LOW = 0x1.a39ef35793c76p-33;

double hzi_exp(double x) {
    if (!(x > -746 && x < 710)) {
        return x >= 710 ? (double)INFINITY : x <= -746 ? 0 : x; /* NaN stays */
    }
    double n = rint(x * 0x1.71547652b82fep0);
    double r = (x - n * LN2_HIGH) - n * LN2_LOW; /* |r| <= ln 2 / 2: 13 terms are enough */
    double sum = 1;
    for (int k = 13; k > 0; k--) {
        sum = 1 + sum * r / k;
    }
    return ldexp(sum, (int)n);
}

double hzi_log(double x) {
    if (!(x > 0) || isinf(x)) {
        return x == 0 ? -(double)INFINITY : x > 0 ? x : (double)NAN;
    }
    int n;
    double m = frexp(x, &n); /* to sqrt(1/2) .. sqrt(2) */
    if (m < 0x1.6a09e667f3bcdp-1) {
        m *= 2;
        n--;
    }
    /* log m = 2 artanh s = 2 s (1 + s^2 / 3 + s^4 / 5 + ...), s at most 0.172 */
    double s = (m - 1) / (m + 1), square = s * s, sum = 0;
    for (int k = 21; k > 1; k -= 2) {
        sum = (sum + 1.0 / k) * square;
    }
    return n * LN2_HIGH + (2 * s + (2 * s * sum + n * LN2_LOW));
}
