/* SPDX-License-Identifier: MIT */
/* Operators of the family "logic". */
#include "model/operator.h"

const hzi_operator hzi_operators_logic[] = {{.name = NULL}};
