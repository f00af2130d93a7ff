/* SPDX-License-Identifier: MIT */
/*
 * The kernels for AVX2 and FMA; this file alone is compiled for them.
 *
 * A block is R rows times V registers of outputs, all their sums held in registers while k rises.
 * One row alone is bound by the latency of its sums, so it takes as many outputs at once as there
 * are registers, and skips inputs that are zero: their indices are listed first, without a branch
 * per input. A batch takes six rows at once, which reads each weight once for six sums.
 */
#include "model/kernels.h"

#if defined(__AVX2__) && defined(__FMA__) && !defined(HAZARD_PORTABLE_ONLY)

#define HZI_LANES_AVX2
#include "model/map_lanes.h"

/* Which bits of a byte are set, in rising order, one per byte. */
#define SET(m, bit)                                                                                \
    (((m) >> (bit)&1) ? (uint64_t)(bit) << (8 * __builtin_popcount((m) & ((1U << (bit)) - 1))) : 0)
#define SETS(m)                                                                                    \
    (SET(m, 0) | SET(m, 1) | SET(m, 2) | SET(m, 3) | SET(m, 4) | SET(m, 5) | SET(m, 6) | SET(m, 7))
#define SETS_4(m) SETS((m) + 0U), SETS((m) + 1U), SETS((m) + 2U), SETS((m) + 3U)
#define SETS_16(m) SETS_4(m), SETS_4((m) + 4U), SETS_4((m) + 8U), SETS_4((m) + 12U)
#define SETS_64(m) SETS_16(m), SETS_16((m) + 16U), SETS_16((m) + 32U), SETS_16((m) + 48U)
static const uint64_t SET_BITS[256] = {SETS_64(0U), SETS_64(64U), SETS_64(128U), SETS_64(192U)};

/* Indices of the inputs that are not zero; writes up to 8 entries past the last one. */
static size_t collect(const float *x, size_t n, uint32_t *list) {
    size_t count = 0;
    __m256i base = _mm256_setzero_si256();
    for (size_t k = 0; k < n; k += LANES) {
        lanes values = k + LANES <= n ? v_load(x + k) : v_load_part(x + k, n - k);
        unsigned mask = (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(values, v_set(0), _CMP_NEQ_UQ));
        __m128i set = _mm_loadl_epi64((const __m128i *)(const void *)&SET_BITS[mask]);
        __m256i indices = _mm256_add_epi32(base, _mm256_cvtepu8_epi32(set));
        _mm256_storeu_si256((__m256i *)(void *)(list + count), indices);
        count += (size_t)__builtin_popcount(mask);
        base = _mm256_add_epi32(base, v_int(LANES));
    }
    return count;
}

#define INLINE static inline __attribute__((always_inline))

/* What follows the sums of one register that begins at output `first`, for one row. */
INLINE void finish(const hzi_dense *layer, lanes sum, size_t first, float *y) {
    sum = v_add(sum, v_set(0));
    if (layer->after) {
        sum = v_add(sum, v_load(layer->after + first));
    }
    if (layer->map == HZI_MAP_RELU) {
        sum = v_max(v_set(0), sum);
    }
    if (first + LANES <= layer->outputs) {
        v_store(y + first, sum);
    } else {
        v_store_part(y + first, sum, layer->outputs - first);
    }
}

/* The sums of a block by name, so that each is a register: row, register of outputs. */
#define SUMS(DO)                                                                                   \
    DO(0, 0)                                                                                       \
    DO(0, 1) DO(1, 0) DO(1, 1) DO(2, 0) DO(2, 1) DO(3, 0) DO(3, 1) DO(4, 0) DO(4, 1) DO(5, 0)      \
        DO(5, 1) DO(0, 2) DO(0, 3) DO(0, 4) DO(0, 5) DO(0, 6) DO(0, 7)
#define BEGIN(r, v)                                                                                \
    lanes sum_##r##v = v_set(0);                                                                   \
    if ((r) < R && (v) < V) {                                                                      \
        sum_##r##v = v_load(bias + (r)*layer->bias_step + (v)*LANES);                              \
    }
#define ADD(r, v)                                                                                  \
    if ((r) < R && (v) < V) {                                                                      \
        sum_##r##v = v_fma(_mm256_broadcast_ss(x + (r)*x_step + k),                                \
                           v_load(w + (v) / 2 * gap + (v) % 2 * LANES), sum_##r##v);               \
    }
#define END(r, v)                                                                                  \
    if ((r) < R && (v) < V) {                                                                      \
        finish(layer, sum_##r##v, first + (v)*LANES, y + (r)*y_step);                              \
    }

/* R rows, V registers of outputs from `first` on (a multiple of HZI_PANEL; V odd only at the end).
 * list (R = 1): the inputs to use, `count` of them; NULL = all. */
INLINE void block(const size_t R, const size_t V, const hzi_dense *layer, size_t first,
                  const float *x, size_t x_step, const float *bias, float *y, size_t y_step,
                  const uint32_t *list, size_t count) {
    const size_t gap = layer->inputs * HZI_PANEL;
    const float *weights = layer->weights + first * layer->inputs;
    bias += first;
    SUMS(BEGIN)
    for (size_t i = 0; i < count; i++) {
        const size_t k = list ? list[i] : i;
        const float *w = weights + k * HZI_PANEL;
        SUMS(ADD)
    }
    SUMS(END)
}

/* All inputs, two registers or (at the end) one. */
#define ROWS(R)                                                                                    \
    static void rows_##R(const hzi_dense *layer, const float *x, size_t x_step, const float *bias, \
                         float *y, size_t y_step) {                                                \
        size_t first = 0;                                                                          \
        for (; first + LANES < layer->outputs; first += HZI_PANEL) {                               \
            block(R, 2, layer, first, x, x_step, bias, y, y_step, NULL, layer->inputs);            \
        }                                                                                          \
        if (first < layer->outputs) {                                                              \
            block(R, 1, layer, first, x, x_step, bias, y, y_step, NULL, layer->inputs);            \
        }                                                                                          \
    }
ROWS(2)
ROWS(3)
ROWS(4)
ROWS(5)
ROWS(6)

INLINE void one_row_of(const hzi_dense *layer, const float *x, const float *bias, float *y,
                       const uint32_t *list, size_t count) {
    size_t first = 0, outputs = layer->outputs;
    for (; outputs - first > 7 * LANES; first += 8 * LANES) {
        block(1, 8, layer, first, x, 0, bias, y, 0, list, count);
        if (outputs - first <= 8 * LANES) {
            return;
        }
    }
    if (outputs - first > 3 * LANES) {
        block(1, 4, layer, first, x, 0, bias, y, 0, list, count);
        first += 4 * LANES;
    }
    for (; first + LANES < outputs; first += HZI_PANEL) {
        block(1, 2, layer, first, x, 0, bias, y, 0, list, count);
    }
    if (first < outputs) {
        block(1, 1, layer, first, x, 0, bias, y, 0, list, count);
    }
}

static void one_row_all(const hzi_dense *layer, const float *x, const float *bias, float *y) {
    one_row_of(layer, x, bias, y, NULL, layer->inputs);
}

static void one_row_listed(const hzi_dense *layer, const float *x, const float *bias, float *y,
                           const uint32_t *list, size_t count) {
    one_row_of(layer, x, bias, y, list, count);
}

/* A row of which many inputs may be zero. */
static void one_row(const hzi_dense *layer, const float *x, const float *bias, float *y,
                    uint32_t *list) {
    if (list && layer->inputs >= LANES) {
        size_t count = collect(x, layer->inputs, list);
        if (count < layer->inputs - layer->inputs / 8) {
            one_row_listed(layer, x, bias, y, list, count);
            return;
        }
    }
    one_row_all(layer, x, bias, y);
}

/* Up to six rows with all their inputs. */
static void some_rows(const hzi_dense *layer, const float *x, size_t x_step, size_t rows,
                      const float *bias, float *y, size_t y_step) {
    switch (rows) {
    case 1:
        one_row_all(layer, x, bias, y);
        break;
    case 2:
        rows_2(layer, x, x_step, bias, y, y_step);
        break;
    case 3:
        rows_3(layer, x, x_step, bias, y, y_step);
        break;
    case 4:
        rows_4(layer, x, x_step, bias, y, y_step);
        break;
    case 5:
        rows_5(layer, x, x_step, bias, y, y_step);
        break;
    default:
        rows_6(layer, x, x_step, bias, y, y_step);
        break;
    }
}

enum { BLOCK_ROWS = 6 };

/* From here on a layer counts as wide: its zeros are looked for in batches, too. */
enum { WIDE = 128 };

/* Layers of many inputs: rows with few of them by list, blocks of the others together. */
static void wide_rows(const hzi_dense *layer, const float *x, size_t x_step, size_t rows, float *y,
                      size_t y_step, uint32_t *list) {
    size_t r = 0;
    while (r < rows) {
        const float *bias = layer->bias + r * layer->bias_step;
        size_t count = collect(x + r * x_step, layer->inputs, list);
        if (count < layer->inputs / 4) {
            one_row_listed(layer, x + r * x_step, bias, y + r * y_step, list, count);
            r++;
        } else {
            size_t n = rows - r < BLOCK_ROWS ? rows - r : BLOCK_ROWS;
            some_rows(layer, x + r * x_step, x_step, n, bias, y + r * y_step, y_step);
            r += n;
        }
    }
}

static void dense(const hzi_dense *layer, const float *x, size_t x_step, size_t rows, float *y,
                  size_t y_step, uint32_t *list) {
    uint32_t own[HZI_DENSE_LIST + HZI_DENSE_LIST_ROOM];
    if (!layer->finite) {
        list = NULL;
    } else if (layer->inputs <= HZI_DENSE_LIST) {
        list = own;
    }
    if (rows == 1) {
        /* Many outputs hide the latency of their sums; then looking for zeros pays only late. */
        bool look = layer->outputs <= 4 * LANES || layer->inputs >= WIDE;
        one_row(layer, x, layer->bias, y, look ? list : NULL);
    } else if (list && layer->inputs >= WIDE) {
        wide_rows(layer, x, x_step, rows, y, y_step, list);
    } else {
        for (size_t r = 0; r < rows; r += BLOCK_ROWS) {
            size_t n = rows - r < BLOCK_ROWS ? rows - r : BLOCK_ROWS;
            some_rows(layer, x + r * x_step, x_step, n, layer->bias + r * layer->bias_step,
                      y + r * y_step, y_step);
        }
    }
    if (layer->map == HZI_MAP_NONE || layer->map == HZI_MAP_RELU) {
        return;
    }
    if (y_step == layer->outputs) {
        map_lanes(layer->map, y, y, rows * layer->outputs, layer->a, layer->b);
        return;
    }
    for (size_t r = 0; r < rows; r++) {
        map_lanes(layer->map, y + r * y_step, y + r * y_step, layer->outputs, layer->a, layer->b);
    }
}

static void map(hzi_map map, const float *x, float *y, size_t n, float a, float b) {
    map_lanes(map, x, y, n, a, b);
}

static const hzi_kernels AVX2 = {"avx2", dense, map};
const hzi_kernels *const hzi_kernels_avx2 = &AVX2;

#else
const hzi_kernels *const hzi_kernels_avx2 = NULL;
#endif
