/* SPDX-License-Identifier: MIT */
/* Operators of the family "shape". */
#include "model/operator.h"

const hzi_operator hzi_operators_shape[] = {{.name = NULL}};
