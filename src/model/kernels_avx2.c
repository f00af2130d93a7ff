/* SPDX-License-Identifier: MIT */
/* The kernels for AVX2 and FMA; this file alone is compiled for them. */
#include "model/kernels.h"

#if defined(__AVX2__) && defined(__FMA__) && !defined(HAZARD_PORTABLE_ONLY)

#define HZI_LANES_AVX2
#include "model/dense_lanes.h"

static void dense(const hzi_dense *layer, const float *x, size_t x_step, size_t rows, float *y,
                  size_t y_step, uint32_t *list) {
    dense_lanes(layer, x, x_step, rows, y, y_step, list);
}

static void map(hzi_map map, const float *x, float *y, size_t n, float a, float b) {
    map_lanes(map, x, y, n, a, b);
}

static const hzi_kernels AVX2 = {"avx2", dense, map};
const hzi_kernels *const hzi_kernels_avx2 = &AVX2;

#else
const hzi_kernels *const hzi_kernels_avx2 = NULL;
#endif
