/* SPDX-License-Identifier: MIT */
/* Operators of the family "product". */
#include "model/operator.h"

const hzi_operator hzi_operators_product[] = {{.name = NULL}};
