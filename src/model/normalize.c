/* SPDX-License-Identifier: MIT */
/* Operators of the family "normalize". */
#include "model/operator.h"

const hzi_operator hzi_operators_normalize[] = {{.name = NULL}};
