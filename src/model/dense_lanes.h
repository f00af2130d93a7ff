/* SPDX-License-Identifier: MIT */
/*
 * Dense layers over lanes (lanes.h). A block is R rows times V registers of outputs, all their sums
 * held in registers while k rises. One row alone is bound by the latency of its sums, so it takes as
 * many outputs at once as there are registers, and skips inputs that are zero: their indices are
 * listed first, without a branch per input. A batch takes six rows at once, which reads each weight
 * once for six sums.
 */
#ifndef HAZARD_MODEL_DENSE_LANES_H
#define HAZARD_MODEL_DENSE_LANES_H

#include "model/kernels.h"
#include "model/lanes.h"
#include "model/map_lanes.h"

#define INLINE static inline __attribute__((always_inline))
#define APART static __attribute__((noinline, unused))

enum { PER_PANEL = HZI_PANEL / LANES }; /* registers */

/* Indices of the inputs that are not zero; writes up to LANES entries past the last one. */
INLINE size_t list_inputs(const float *x, size_t n, uint32_t *list) {
    size_t count = 0, k = 0;
    for (; k + LANES <= n; k += LANES) {
        count += v_list(v_load(x + k), (uint32_t)k, list + count);
    }
    if (k < n) {
        count += v_list(v_load_part(x + k, n - k), (uint32_t)k, list + count);
    }
    return count;
}

/* The map of a layer for one register. */
APART lanes map_sum(const hzi_dense *layer, lanes sum) {
    return map_value(layer->map, sum, v_set(layer->a), v_set(layer->b));
}

/* What follows the sums of one register that begins at output `first`, for one row. mapped: every
 * map is applied here, instead of the simplest only. */
INLINE void finish(const hzi_dense *layer, lanes sum, size_t first, float *y, const bool mapped) {
    sum = v_add(sum, v_set(0));
    if (layer->after) {
        sum = v_add(sum, v_load(layer->after + first));
    }
    if (layer->map == HZI_MAP_RELU) {
        sum = v_max(v_set(0), sum);
    } else if (mapped && layer->map != HZI_MAP_NONE) {
        sum = map_sum(layer, sum);
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
    DO(0, 1)                                                                                       \
    DO(1, 0)                                                                                       \
    DO(1, 1) DO(2, 0) DO(2, 1) DO(3, 0) DO(3, 1) DO(4, 0) DO(4, 1) DO(5, 0) DO(5, 1) DO(0, 2)      \
        DO(0, 3) DO(0, 4) DO(0, 5) DO(0, 6) DO(0, 7)
#define BEGIN(r, v)                                                                                \
    lanes sum_##r##v = v_set(0);                                                                   \
    if ((r) < R && (v) < V) {                                                                      \
        sum_##r##v = v_load(bias + (r)*layer->bias_step + (v)*LANES);                              \
    }
#define ADD(r, v)                                                                                  \
    if ((r) < R && (v) < V) {                                                                      \
        sum_##r##v =                                                                               \
            v_fma(v_set(x[(r)*x_step + k]),                                                        \
                  v_load(w + (v) / PER_PANEL * gap + (v) % PER_PANEL * LANES), sum_##r##v);        \
    }
#define END(r, v)                                                                                  \
    if ((r) < R && (v) < V) {                                                                      \
        finish(layer, sum_##r##v, first + (v)*LANES, y + (r)*y_step, mapped);                      \
    }

/* R rows, V registers of outputs from `first` on (on the border of a panel).
 * list (R = 1): the inputs to use, `count` of them; NULL = all. */
INLINE void block(const size_t R, const size_t V, const hzi_dense *layer, size_t first,
                  const float *x, size_t x_step, const float *bias, float *y, size_t y_step,
                  const uint32_t *list, size_t count, const bool mapped) {
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
    APART void rows_##R(const hzi_dense *layer, const float *x, size_t x_step, const float *bias,  \
                        float *y, size_t y_step) {                                                 \
        size_t first = 0;                                                                          \
        for (; first + LANES < layer->outputs; first += 2 * LANES) {                               \
            block(R, 2, layer, first, x, x_step, bias, y, y_step, NULL, layer->inputs, false);     \
        }                                                                                          \
        if (first < layer->outputs) {                                                              \
            block(R, 1, layer, first, x, x_step, bias, y, y_step, NULL, layer->inputs, false);     \
        }                                                                                          \
    }
ROWS(2)
ROWS(3)
ROWS(4)
ROWS(5)
ROWS(6)

INLINE void one_row_of(const hzi_dense *layer, const float *x, const float *bias, float *y,
                       const uint32_t *list, size_t count, const bool mapped) {
    size_t first = 0, outputs = layer->outputs;
    for (; outputs - first > 7 * LANES; first += 8 * LANES) {
        block(1, 8, layer, first, x, 0, bias, y, 0, list, count, false);
        if (outputs - first <= 8 * LANES) {
            return;
        }
    }
    if (outputs - first > 3 * LANES) {
        block(1, 4, layer, first, x, 0, bias, y, 0, list, count, false);
        first += 4 * LANES;
    }
    for (; first + LANES < outputs; first += 2 * LANES) {
        block(1, 2, layer, first, x, 0, bias, y, 0, list, count, false);
    }
    if (first < outputs) {
        block(1, 1, layer, first, x, 0, bias, y, 0, list, count, mapped && first == 0);
    }
}

/* A layer of so many inputs is wide: its zeros are looked for in batches, too. */
enum { WIDE = 128, FEW_OUTPUTS = 32 };

/* Within a batch, whose map comes afterwards. */
APART void one_row_all(const hzi_dense *layer, const float *x, const float *bias, float *y) {
    one_row_of(layer, x, bias, y, NULL, layer->inputs, false);
}

APART void one_row_listed(const hzi_dense *layer, const float *x, const float *bias, float *y,
                          const uint32_t *list, size_t count) {
    one_row_of(layer, x, bias, y, list, count, false);
}

/* Alone. The map is done when all outputs fit into one register. Many outputs hide the latency of
 * their sums; then looking for zeros pays only when the inputs are many, too. */
APART void one_row(const hzi_dense *layer, const float *x, float *y, uint32_t *list) {
    if (list && layer->inputs >= LANES &&
        (layer->outputs <= FEW_OUTPUTS || layer->inputs >= WIDE)) {
        size_t count = list_inputs(x, layer->inputs, list);
        if (count < layer->inputs - layer->inputs / 8) {
            one_row_of(layer, x, layer->bias, y, list, count, true);
            return;
        }
    }
    one_row_of(layer, x, layer->bias, y, NULL, layer->inputs, true);
}

/* Up to six rows with all their inputs. */
APART void some_rows(const hzi_dense *layer, const float *x, size_t x_step, size_t rows,
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

/* Layers of many inputs: rows with few of them by list, blocks of the others together. */
APART void wide_rows(const hzi_dense *layer, const float *x, size_t x_step, size_t rows, float *y,
                     size_t y_step, uint32_t *list) {
    size_t r = 0;
    while (r < rows) {
        const float *bias = layer->bias + r * layer->bias_step;
        size_t count = list_inputs(x + r * x_step, layer->inputs, list);
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

static inline void dense_lanes(const hzi_dense *layer, const float *x, size_t x_step, size_t rows,
                               float *y, size_t y_step, uint32_t *list) {
    uint32_t own[HZI_DENSE_LIST + HZI_DENSE_LIST_ROOM];
    if (!layer->finite) {
        list = NULL;
    } else if (layer->inputs <= HZI_DENSE_LIST) {
        list = own;
    }
    if (rows == 1) {
        one_row(layer, x, y, list);
        if (layer->outputs <= LANES) {
            return;
        }
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

#endif
