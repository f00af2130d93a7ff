/* SPDX-License-Identifier: MIT */
/* Operators of the family "pool". */
#include "model/operator.h"

const hzi_operator hzi_operators_pool[] = {{.name = NULL}};
