/* SPDX-License-Identifier: MIT */
/* The kernels in plain C, for processors without AVX2 and as the measure of the fast ones. */
#include "model/map_lanes.h"

/* Indices of the inputs that are not zero. */
static size_t collect(const float *x, size_t n, uint32_t *list) {
    size_t count = 0;
    for (size_t k = 0; k < n; k++) {
        list[count] = (uint32_t)k;
        count += x[k] != 0;
    }
    return count;
}

static void finish(const hzi_dense *layer, const float *sums, size_t first, size_t width,
                   float *y) {
    for (size_t j = 0; j < width; j++) {
        float sum = sums[j] + 0.0F;
        if (layer->after) {
            sum += layer->after[first + j];
        }
        y[first + j] = sum;
    }
}

static void one_row(const hzi_dense *layer, const float *x, const float *bias, float *y,
                    uint32_t *list) {
    size_t count = layer->inputs;
    if (list) {
        count = collect(x, layer->inputs, list);
    }
    const float *panel = layer->weights;
    for (size_t first = 0; first < layer->outputs; first += HZI_PANEL) {
        size_t rest = layer->outputs - first;
        size_t width = rest < HZI_PANEL ? rest : HZI_PANEL;
        float sums[HZI_PANEL];
        memcpy(sums, bias + first, sizeof sums);
        for (size_t i = 0; i < count; i++) {
            size_t k = list ? list[i] : i;
            const float *w = panel + k * HZI_PANEL;
            for (size_t j = 0; j < width; j++) {
                sums[j] = v_fma(x[k], w[j], sums[j]);
            }
        }
        finish(layer, sums, first, width, y);
        panel += layer->inputs * HZI_PANEL;
    }
}

static void map(hzi_map map, const float *x, float *y, size_t n, float a, float b) {
    map_lanes(map, x, y, n, a, b);
}

static void dense(const hzi_dense *layer, const float *x, size_t x_step, size_t rows, float *y,
                  size_t y_step, uint32_t *list) {
    uint32_t own[HZI_DENSE_LIST + HZI_DENSE_LIST_ROOM];
    if (!layer->finite) {
        list = NULL;
    } else if (layer->inputs <= HZI_DENSE_LIST) {
        list = own;
    }
    for (size_t r = 0; r < rows; r++) {
        float *to = y + r * y_step;
        one_row(layer, x + r * x_step, layer->bias + r * layer->bias_step, to, list);
        if (layer->map != HZI_MAP_NONE) {
            map_lanes(layer->map, to, to, layer->outputs, layer->a, layer->b);
        }
    }
}

const hzi_kernels hzi_kernels_portable = {"portable", dense, map};
