/* SPDX-License-Identifier: MIT */
/* Operators of the family "reduce". */
#include "model/operator.h"

const hzi_operator hzi_operators_reduce[] = {{.name = NULL}};
