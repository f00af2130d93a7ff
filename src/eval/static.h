/* SPDX-License-Identifier: MIT */
/* Recognising built-in evaluators, for callers that know a quicker way to the same numbers. */
#ifndef HAZARD_EVAL_STATIC_H
#define HAZARD_EVAL_STATIC_H

#include <hazard/eval.h>

/* Whether every score of this evaluator is hz_evaluate_material. */
bool hzi_evaluator_is_material(const hz_evaluator *evaluator);

#endif
