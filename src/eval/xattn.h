/* SPDX-License-Identifier: MIT */
/*
 * The architecture "xattn8-4-v1" by hand: the same numbers as its graph to 1e-5, several times
 * faster. What a graph of that name holds is taken from it by the names of its constants.
 */
#ifndef HAZARD_EVAL_XATTN_H
#define HAZARD_EVAL_XATTN_H

#include <hazard/model.h>

enum { HZI_XATTN_NUMBERS = 3969, HZI_XATTN_BOARD = 448, HZI_XATTN_META = 13 };

/* The numbers of a graph in the order of hz_architecture; false when it lacks one of them. */
bool hzi_xattn_load(const hz_graph *graph, float numbers[HZI_XATTN_NUMBERS]);
/* White's chance for n rows: boards of 448 and flags of 13 numbers each. */
void hzi_xattn_run(const float *numbers, const float *boards, const float *metas, size_t n,
                   float *values);

#endif
