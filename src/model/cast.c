/* SPDX-License-Identifier: MIT */
/* Operators of the family "cast". */
#include "model/operator.h"

const hzi_operator hzi_operators_cast[] = {{.name = NULL}};
