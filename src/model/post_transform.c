/* SPDX-License-Identifier: MIT */
/* The five transforms that ai.onnx.ml knows. */
#include "model/post_transform.h"

#include "model/kernels.h"

#include <math.h>
#include <string.h>

hz_status hzi_post_transform_read(hzi_step *step, hzi_post_transform *transform) {
    static const char *const NAMES[] = {"NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"};
    const char *text = NULL;
    hz_status status = hzi_step_string(step, "post_transform", "NONE", &text);
    if (status) {
        return status;
    }
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        if (strcmp(text, NAMES[i]) == 0) {
            *transform = (hzi_post_transform)i;
            return HZ_OK;
        }
    }
    return hzi_step_refuse(step, "post_transform '%.80s' is unknown", text);
}

static void exponentials(const float *from, float *to, int64_t n) {
    hzi_kernels_in_use->map(HZI_MAP_EXP, from, to, (size_t)n, 0, 0);
}

/* keep_zero: scores within 1e-7 of 0 are scaled like the others but add nothing to the sum. */
static void softmax(float *scores, int64_t n, bool keep_zero) {
    static const float NEAR = 1e-7F;
    float most = scores[0];
    for (int64_t i = 1; i < n; i++) {
        most = scores[i] > most ? scores[i] : most;
    }
    float least = -most, scale, sum = 0;
    exponentials(&least, &scale, 1);
    for (int64_t i = 0; i < n; i++) {
        if (keep_zero && scores[i] <= NEAR && scores[i] >= -NEAR) {
            scores[i] *= scale;
            continue;
        }
        scores[i] -= most;
        exponentials(&scores[i], &scores[i], 1);
        sum += scores[i];
    }
    for (int64_t i = 0; sum != 0 && i < n; i++) {
        scores[i] /= sum;
    }
}

/* The inverse of the normal distribution: Abramowitz and Stegun 26.2.23 to begin with, then
 * Halley's method on the distribution itself, which doubles and more the right digits each time. */
static double probit(double p) {
    if (!(p > 0 && p < 1)) {
        return p == 0 ? -HUGE_VAL : p == 1 ? HUGE_VAL : (double)NAN;
    }
    double tail = p < 0.5 ? p : 1 - p, t = sqrt(-2 * log(tail));
    double x = t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                       (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
    x = -x; /* the quantile of `tail`, which is at most 0.5 */
    for (int i = 0; i < 3; i++) {
        double error = 0.5 * erfc(-x / sqrt(2.0)) - tail;
        double step = error * sqrt(2 * acos(-1.0)) * exp(x * x / 2);
        x -= step / (1 + x * step / 2);
    }
    return p < 0.5 ? x : -x;
}

void hzi_post_transform_row(hzi_post_transform transform, float *scores, int64_t n) {
    switch (transform) {
    case HZI_POST_SOFTMAX:
    case HZI_POST_SOFTMAX_ZERO:
        softmax(scores, n, transform == HZI_POST_SOFTMAX_ZERO);
        break;
    case HZI_POST_LOGISTIC:
        hzi_kernels_in_use->map(HZI_MAP_SIGMOID, scores, scores, (size_t)n, 0, 0);
        break;
    case HZI_POST_PROBIT:
        for (int64_t i = 0; i < n; i++) {
            scores[i] = (float)probit((double)scores[i]);
        }
        break;
    case HZI_POST_NONE:
        break;
    }
}
