/* SPDX-License-Identifier: MIT */
/* What the files that read a graph share: the unpacked model on one side, the graph that grows out
 * of it on the other. Only src/model/read_*.c include this. */
#ifndef HAZARD_MODEL_READING_H
#define HAZARD_MODEL_READING_H

#include "model/graph.h"

#include <hzi_onnx.pb-c.h>

/* An operator set that the model imports. */
typedef struct hzi_import {
    const char *domain; /* "" is ONNX's own */
    int version;
} hzi_import;

typedef struct hzi_reader {
    const Hzi__Onnx__GraphProto *source;
    hz_arena scratch; /* the unpacked model and tables that are needed while reading only */
    hz_graph *graph;  /* its arena takes what stays */
    size_t import_count;
    hzi_import *imports; /* in scratch */
    hz_error *err;
} hzi_reader;

/* HZ_GRAPH: the limits do not allow what the model wants. */
hz_status hzi_read_no_memory(const hzi_reader *reader);
/* Zeroed memory that stays with the graph, or is gone with the reader; NULL when there is none. */
void *hzi_read_keep(hzi_reader *reader, size_t count, size_t size);
void *hzi_read_scratch(hzi_reader *reader, size_t count, size_t size);
/* A copy that stays; NULL reads as "". */
const char *hzi_read_text(hzi_reader *reader, const char *text);
/* "ai.onnx" and NULL become "". */
const char *hzi_read_domain(const char *domain);

/* Numbers of a tensor, checked against its shape. `what` begins the messages ("initializer 'w'"). */
hz_status hzi_read_tensor(hzi_reader *reader, const Hzi__Onnx__TensorProto *source,
                          const char *what, hz_tensor *tensor);
/* All nodes in the order of the file, without their inputs and outputs; operators' uses, too. */
hz_status hzi_read_nodes(hzi_reader *reader);
/* Values: names of inputs, initializers and results, each defined once; the nodes' inputs and
 * outputs; ports. */
hz_status hzi_read_values(hzi_reader *reader);
/* Brings the nodes into an order in which they can run. */
hz_status hzi_read_order(hzi_reader *reader);

#endif
