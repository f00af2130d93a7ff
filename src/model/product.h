/* SPDX-License-Identifier: MIT */
/* What fusion and the chain of layers ask a product: the dense layer it runs. */
#ifndef HAZARD_MODEL_PRODUCT_H
#define HAZARD_MODEL_PRODUCT_H

#include "model/kernels.h"
#include "model/operator.h"

/*
 * The layer of a step that is rows of floats times one constant matrix (plus a constant row), else
 * NULL. It belongs to the program; fusion may set `after` (padded as in kernels.h), `map`, `a` and
 * `b` when they are unset. Row r of the output is the layer of row r of input 0.
 */
hzi_dense *hzi_product_layer(const hzi_step *step);

#endif
