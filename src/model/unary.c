/* SPDX-License-Identifier: MIT */
/* Operators of the family "unary". */
#include "model/operator.h"

const hzi_operator hzi_operators_unary[] = {{.name = NULL}};
