/* SPDX-License-Identifier: MIT */
/* Operators of the family "movement". */
#include "model/operator.h"

const hzi_operator hzi_operators_movement[] = {{.name = NULL}};
