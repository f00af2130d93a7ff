/* SPDX-License-Identifier: MIT */
/*
 * The inner loops that matter, in versions that give the same bits (a NaN is a NaN, whatever its
 * payload): portable C, AVX2 with FMA, AVX-512. Which one runs is decided once, before main.
 *
 * A dense layer has one summation order: y starts as the bias, then adds x[k] * w[k] for k rising,
 * each with one rounding (fused multiply-add). A row therefore gives the same bits alone and in a
 * batch of any size. Adding 0 * w changes nothing but the sign of a zero when w is finite, and every
 * sum ends by adding +0, which makes the sign of a zero result positive: so a layer whose weights are
 * all finite may skip the inputs that are zero, and still gives the same bits.
 */
#ifndef HAZARD_MODEL_KERNELS_H
#define HAZARD_MODEL_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Number to number. Parameters a and b where the comment names them. */
typedef enum hzi_map {
    HZI_MAP_NONE,   /* x */
    HZI_MAP_RELU,   /* 0 for x < 0, else x (NaN stays NaN) */
    HZI_MAP_LEAKY,  /* a x for x < 0, else x */
    HZI_MAP_ELU,    /* a (e^x - 1) for x <= 0, else x */
    HZI_MAP_SELU,   /* b times ELU */
    HZI_MAP_CELU,   /* max(0, x) + min(0, a (e^(x/a) - 1)) */
    HZI_MAP_CUT,    /* x for x > a, else 0 */
    HZI_MAP_SHRINK, /* x + b for x < -a, x - b for x > a, else 0 */
    HZI_MAP_CLIP,   /* min(max(x, a), b), NaN stays NaN */
    HZI_MAP_SIGMOID,
    HZI_MAP_HARD_SIGMOID, /* a x + b clipped to 0..1 */
    HZI_MAP_HARD_SWISH,   /* x times (x / 6 + 0.5 clipped to 0..1) */
    HZI_MAP_TANH,
    HZI_MAP_SOFTPLUS, /* log(1 + e^x) */
    HZI_MAP_SOFTSIGN,
    HZI_MAP_GELU,      /* x/2 (1 + erf(x / sqrt 2)) */
    HZI_MAP_GELU_TANH, /* x/2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) */
    HZI_MAP_MISH,      /* x tanh(softplus x) */
    HZI_MAP_EXP,
    HZI_MAP_LOG,
    HZI_MAP_ERF,
    HZI_MAP_SQRT,
    HZI_MAP_ABS,
    HZI_MAP_NEGATE,
    HZI_MAP_RECIPROCAL,
    HZI_MAP_FLOOR,
    HZI_MAP_CEIL,
    HZI_MAP_ROUND, /* half to even */
    HZI_MAP_SIGN,
    HZI_MAP_COUNT
} hzi_map;

enum {
    HZI_PANEL = 16,          /* outputs side by side in packed weights */
    HZI_DENSE_LIST = 256,    /* inputs up to which a layer needs no list from its caller */
    HZI_DENSE_LIST_ROOM = 16 /* entries that a list is longer than the inputs */
};

/*
 * y = map(bias + x W [+ after]), as said above. Weights are packed: panels of HZI_PANEL outputs (the
 * last one filled up with zeros), each with its rows k = 0..inputs-1 one after another.
 */
typedef struct hzi_dense {
    size_t inputs, outputs;
    const float *weights; /* hzi_dense_weights floats; best aligned to 64 bytes */
    const float *bias;    /* one per output, padded to whole panels; row r uses bias + r * step */
    size_t bias_step;     /* 0 = the same for all rows */
    const float *after;   /* added after the sum, padded; NULL = nothing */
    bool finite;          /* all weights are finite: zeros may be skipped */
    hzi_map map;
    float a, b;
} hzi_dense;

/* Floats of packed weights; outputs padded to whole panels. */
size_t hzi_dense_weights(size_t inputs, size_t outputs);
size_t hzi_dense_padded(size_t outputs);
/* Packs weights: w of input k for output j is from[k * input_step + j * output_step]. Returns
 * whether all are finite. */
bool hzi_dense_pack(const float *from, size_t inputs, size_t outputs, size_t input_step,
                    size_t output_step, float *packed);

typedef struct hzi_kernels {
    const char *name;
    /* `rows` rows; row r begins at x + r * x_step, its result at y + r * y_step. list: work memory
     * of inputs + HZI_DENSE_LIST_ROOM numbers, may be NULL (layers wider than HZI_DENSE_LIST do not
     * skip zeros then). x and y must not overlap. */
    void (*dense)(const hzi_dense *layer, const float *x, size_t x_step, size_t rows, float *y,
                  size_t y_step, uint32_t *list);
    /* y[i] = map(x[i]); y may be x. */
    void (*map)(hzi_map map, const float *x, float *y, size_t n, float a, float b);
} hzi_kernels;

/* The tables of the versions; NULL when this build lacks one. */
extern const hzi_kernels hzi_kernels_portable;
extern const hzi_kernels *const hzi_kernels_avx2;
extern const hzi_kernels *const hzi_kernels_avx512;

/* The versions that this build and this processor have: portable, then rising; NULL past the end.
 * Asks the processor each time, which may take microseconds. */
const hzi_kernels *hzi_kernels_at(size_t index);
/* The chosen ones. Set before main, read-only afterwards. */
extern const hzi_kernels *hzi_kernels_in_use;
/* For tests and benchmarks, before any other thread runs: the fastest, or portable. */
void hzi_kernels_use_fast(bool on);

#endif
