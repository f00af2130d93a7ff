/* SPDX-License-Identifier: MIT */
/* Operators of the family "arithmetic". */
#include "model/operator.h"

const hzi_operator hzi_operators_arithmetic[] = {{.name = NULL}};
