/* SPDX-License-Identifier: MIT */
/* Where the values of a program lie: one block, planned once. */
#ifndef HAZARD_MODEL_MEMORY_PLAN_H
#define HAZARD_MODEL_MEMORY_PLAN_H

#include "model/program.h"

/*
 * Gives every value that a step computes its place, and every step its work memory. Values whose
 * times of use do not overlap may lie at the same place; outputs of the graph keep theirs to the
 * end. Sets data, scratch, mirrors, workspace_bytes. False when the program's arena is exhausted.
 */
bool hzi_plan_memory(hzi_program *program);

#endif
