/* SPDX-License-Identifier: MIT */
/* What fusion asks the unary operators: which function of a float a step applies. */
#ifndef HAZARD_MODEL_UNARY_H
#define HAZARD_MODEL_UNARY_H

#include "model/kernels.h"
#include "model/operator.h"

/* True when the step is nothing but a kernel's map over floats; says which. */
bool hzi_unary_map(const hzi_step *step, hzi_map *map, float *a, float *b);

#endif
