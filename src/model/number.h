/* SPDX-License-Identifier: MIT */
/*
 * Numbers of every element type as double or int64, a run at a time, and the 16-bit float formats.
 * Operators that are no bottleneck are written once, over these runs, instead of once per type.
 */
#ifndef HAZARD_MODEL_NUMBER_H
#define HAZARD_MODEL_NUMBER_H

#include <hazard/model.h>

/* FLOAT, DOUBLE, FLOAT16 or BFLOAT16. */
bool hzi_element_is_real(hz_element element);
/* A signed or unsigned whole number type; not BOOL. */
bool hzi_element_is_whole(hz_element element);

/* n elements, `step` apart, the first at index `offset`. Of a real type: */
void hzi_load_reals(hz_element element, const void *data, int64_t offset, int64_t step, int64_t n,
                    double *to);
/* Of a whole type or BOOL; UINT64 keeps its bits, BOOL is 0 or 1. */
void hzi_load_wholes(hz_element element, const void *data, int64_t offset, int64_t step, int64_t n,
                     int64_t *to);

/* n elements one after the other from index `offset` on. Reals are rounded to nearest, ties to
 * even; into a whole type they are cut off toward zero, out of range becomes the nearest number
 * there is, NaN becomes 0; into BOOL everything but zero is true. */
void hzi_store_reals(hz_element element, void *data, int64_t offset, int64_t n, const double *from);
/* Into a whole type the low bits are kept. from_unsigned: the numbers are UINT64's bits. */
void hzi_store_wholes(hz_element element, void *data, int64_t offset, int64_t n,
                      const int64_t *from, bool from_unsigned);

/* IEEE binary16 and bfloat16 as their bits. Narrowing rounds once, to nearest, ties to even; NaN
 * stays NaN. */
double hzi_from_half(uint16_t bits);
double hzi_from_bfloat(uint16_t bits);
uint16_t hzi_to_half(double number);
uint16_t hzi_to_bfloat(double number);

/* e^x and the natural logarithm within 2 units in the last place. The C library's own may differ
 * from one processor to the next; these give the same bits everywhere. */
double hzi_exp(double x);
double hzi_log(double x);

#endif
