/* SPDX-License-Identifier: MIT */
/*
 * A graph prepared for concrete input shapes: constants folded, steps fused, memory planned once.
 * Running it allocates nothing.
 */
#ifndef HAZARD_MODEL_PROGRAM_H
#define HAZARD_MODEL_PROGRAM_H

#include "model/operator.h"

/* A value that lies where a graph input lies; moved along with it before each run. */
typedef struct hzi_mirror {
    hzi_tensor *tensor;
    const hzi_tensor *input;
} hzi_mirror;

typedef struct hzi_program {
    hz_arena arena; /* steps, tensors, folded constants, the planned memory */
    size_t step_count;
    hzi_step *steps;
    size_t value_count;
    hzi_tensor *values; /* one per value of the graph */
    uint32_t *shares;   /* per value: the value whose memory it shares (a step that only renames or
                           reshapes was removed), HZI_NO_VALUE = its own. Set by hzi_fuse */
    size_t input_count, output_count;
    hzi_tensor **inputs;  /* their data is set before each run */
    hzi_tensor **outputs; /* where the results lie after a run */
    size_t mirror_count;
    hzi_mirror *mirrors;
    size_t workspace_bytes; /* intermediate values and work memory of steps */
    uint64_t constant_bytes;
    uint64_t multiply_adds;
} hzi_program;

/* Prepares a graph for one shape per input, within what its limits leave beside it. HZ_GRAPH with
 * the node in the message; then nothing is to be released. The graph must outlive the program. */
hz_status hzi_program_make(const hz_graph *graph, const hzi_shape *input_shapes,
                           hzi_program *program, hz_error *err);
void hzi_program_fini(hzi_program *program);
void hzi_program_run(hzi_program *program);

/*
 * Fusion, called after every step is prepared and before memory is planned: merges a product with
 * the constant addition and the activation behind it, and removes steps that copy. Steps that are
 * constant or that nobody reads are gone by then. `uses[v]` counts the readings of value v by inputs
 * of steps and by graph outputs (v = tensor - program->values). A step that goes away gets run =
 * NULL; a fused one writes into the output of the last step it replaces (it puts that tensor into its
 * own `outputs`). A copy that goes away sets shares[output] = input, for any input that is not
 * known (a graph input, too); the tensors keep their own shapes. A fused step gives the same bits as
 * the steps it replaces.
 */
hz_status hzi_fuse(hzi_program *program, uint32_t *uses, hz_error *err);

#endif
