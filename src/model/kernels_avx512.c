/* SPDX-License-Identifier: MIT */
/* The kernels for AVX-512F; this file alone is compiled for them. */
#include "model/kernels.h"

#if defined(__AVX512F__) && !defined(HAZARD_PORTABLE_ONLY)

#define HZI_LANES_AVX512
#include "model/dense_lanes.h"

static void dense(const hzi_dense *layer, const float *x, size_t x_step, size_t rows, float *y,
                  size_t y_step, uint32_t *list) {
    dense_lanes(layer, x, x_step, rows, y, y_step, list);
}

static void map(hzi_map map, const float *x, float *y, size_t n, float a, float b) {
    map_lanes(map, x, y, n, a, b);
}

static const hzi_kernels AVX512 = {"avx512", dense, map};
const hzi_kernels *const hzi_kernels_avx512 = &AVX512;

#else
const hzi_kernels *const hzi_kernels_avx512 = NULL;
#endif
