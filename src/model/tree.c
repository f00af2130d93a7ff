/* SPDX-License-Identifier: MIT */
/* Operators of the family "tree". */
#include "model/operator.h"

const hzi_operator hzi_operators_tree[] = {{.name = NULL}};
