/* SPDX-License-Identifier: MIT */
/* What ai.onnx.ml models do with the scores of a row at the end (attribute post_transform). */
#ifndef HAZARD_MODEL_POST_TRANSFORM_H
#define HAZARD_MODEL_POST_TRANSFORM_H

#include "model/operator.h"

typedef enum hzi_post_transform {
    HZI_POST_NONE,
    HZI_POST_SOFTMAX,
    HZI_POST_LOGISTIC,     /* 1 / (1 + e^-x) of each score */
    HZI_POST_SOFTMAX_ZERO, /* softmax in which scores of 0 take no part and stay near 0 */
    HZI_POST_PROBIT        /* the x that a standard normal number is below with this probability */
} hzi_post_transform;

/* Reads the attribute of the node; NONE when it lacks it. */
hz_status hzi_post_transform_read(hzi_step *step, hzi_post_transform *transform);
/* Replaces the n scores of one row. */
void hzi_post_transform_row(hzi_post_transform transform, float *scores, int64_t n);

#endif
