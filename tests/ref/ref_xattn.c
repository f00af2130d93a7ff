/* SPDX-License-Identifier: MIT */
/* The transformer in loops; see the header. */
#include "ref/ref_xattn.h"

#include <math.h>
#include <string.h>

enum { D = 8, TOKENS = 65, FLAGS = 13, WIDE = 32 };

/* out = W x + b, W row-major [n][m]; returns what follows the numbers used. */
static const float *dense(const float *w, const double *x, int m, double *out, int n) {
    for (int i = 0; i < n; i++) {
        out[i] = (double)w[n * m + i];
        for (int k = 0; k < m; k++) {
            out[i] += (double)w[i * m + k] * x[k];
        }
    }
    return w + n * m + n;
}

static void norm(const float *gain, const float *bias, double x[D]) {
    double mean = 0, variance = 0;
    for (int i = 0; i < D; i++) {
        mean += x[i] / D;
    }
    for (int i = 0; i < D; i++) {
        variance += (x[i] - mean) * (x[i] - mean) / D;
    }
    for (int i = 0; i < D; i++) {
        x[i] = (double)gain[i] * (x[i] - mean) / sqrt(variance + 1e-5) + (double)bias[i];
    }
}

static void rectify(double *x, int n) {
    for (int i = 0; i < n; i++) {
        x[i] = x[i] > 0 ? x[i] : 0;
    }
}

/* One token's question to all tokens. */
static void ask(const double question[D], double keys[TOKENS][D], double values[TOKENS][D],
                double answer[D]) {
    double weight[TOKENS], most = -1e300, sum = 0;
    for (int j = 0; j < TOKENS; j++) {
        weight[j] = 0;
        for (int i = 0; i < D; i++) {
            weight[j] += question[i] * keys[j][i];
        }
        weight[j] /= sqrt((double)D);
        most = weight[j] > most ? weight[j] : most;
    }
    for (int j = 0; j < TOKENS; j++) {
        weight[j] = exp(weight[j] - most);
        sum += weight[j];
    }
    memset(answer, 0, D * sizeof answer[0]);
    for (int j = 0; j < TOKENS; j++) {
        for (int i = 0; i < D; i++) {
            answer[i] += weight[j] / sum * values[j][i];
        }
    }
}

static const float *block(const float *w, const double meta[FLAGS], double x[TOKENS][D]) {
    static double keys[TOKENS][D], values[TOKENS][D];
    double question[D], heard[D], told[D], wide[WIDE], thought[D];
    const float *query = w, *key = w + D * FLAGS + D, *value = key + D * D + D,
                *out = value + D * D + D, *norms = out + D * D + D, *first = norms + 4 * D,
                *second = first + WIDE * D + WIDE;
    for (int j = 0; j < TOKENS; j++) {
        (void)dense(key, x[j], D, keys[j], D);
        (void)dense(value, x[j], D, values[j], D);
    }
    for (int j = 0; j < TOKENS; j++) {
        (void)dense(query, meta, FLAGS, question, D);
        ask(question, keys, values, heard);
        (void)dense(out, heard, D, told, D);
        for (int i = 0; i < D; i++) {
            x[j][i] += told[i];
        }
        norm(norms, norms + D, x[j]);
        (void)dense(first, x[j], D, wide, WIDE);
        rectify(wide, WIDE);
        (void)dense(second, wide, WIDE, thought, D);
        for (int i = 0; i < D; i++) {
            x[j][i] += thought[i];
        }
        norm(norms + 2 * D, norms + 3 * D, x[j]);
    }
    return second + D * WIDE + D;
}

double ref_xattn(const float *weights, const float *board, const float *meta) {
    static double x[TOKENS][D];
    double flags[FLAGS], wide[WIDE], logit;
    memset(x, 0, sizeof x);
    for (int square = 0; square < 64; square++) {
        for (int channel = 0; channel < 7; channel++) {
            x[square + 1][channel] = (double)board[64 * channel + square];
        }
        x[square + 1][7] = (square + 1) / 64.0;
    }
    for (int i = 0; i < FLAGS; i++) {
        flags[i] = (double)meta[i];
    }
    for (int i = 0; i < 4; i++) {
        weights = block(weights, flags, x);
    }
    weights = dense(weights, x[0], D, wide, WIDE);
    rectify(wide, WIDE);
    (void)dense(weights, wide, WIDE, &logit, 1);
    return logit;
}
