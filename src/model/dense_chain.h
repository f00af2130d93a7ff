/* SPDX-License-Identifier: MIT */
/*
 * The short way through a network that is nothing but dense layers, one after another: any number of
 * rows, no step and no tensor in between. Gives the same bits as the program it was made from.
 */
#ifndef HAZARD_MODEL_DENSE_CHAIN_H
#define HAZARD_MODEL_DENSE_CHAIN_H

#include "model/kernels.h"
#include "model/program.h"

enum { HZI_CHAIN_LAYERS = 16 };

typedef struct hzi_dense_chain {
    size_t count; /* 0 = there is no chain */
    const hzi_dense *layers[HZI_CHAIN_LAYERS];
    float *between[2]; /* what layers hand on, for a group of rows */
    uint32_t *list;
} hzi_dense_chain;

/*
 * Looks whether the program (of `graph`, for one row) is such a chain with one value at its end, and
 * makes it ready; count = 0 when it is none or its memory does not fit into the program's limit. The
 * chain lives as long as the program, and is used by one thread at a time. It serves any number of
 * rows that the graph takes at all.
 */
void hzi_dense_chain_find(const hz_graph *graph, hzi_program *program, hzi_dense_chain *chain);
/* n rows of the first layer's inputs; n values. */
void hzi_dense_chain_run(const hzi_dense_chain *chain, const float *rows, size_t n, float *values);

#endif
