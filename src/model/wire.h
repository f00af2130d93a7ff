/* SPDX-License-Identifier: MIT */
/* A look at the bytes of an ONNX model before any memory is taken for what they say. */
#ifndef HAZARD_MODEL_WIRE_H
#define HAZARD_MODEL_WIRE_H

#include <hazard/model.h>

/* Longest name of a node, value, operator or attribute, in bytes. */
enum { HZI_NAME_MAX = 2000 };

/*
 * Checks that the bytes are not more than the limit and a well-formed ONNX model as far as the wire
 * format goes: lengths, nesting, number of nodes, and that names are UTF-8 text without control
 * characters. Takes no memory and time in proportion to the length. HZ_GRAPH with a byte offset.
 */
hz_status hzi_wire_check(const void *bytes, size_t length, const hz_graph_limits *limits,
                         hz_error *err);
/* The same, and no tensor may keep its numbers in another file: for an executor that would fetch
 * them. */
hz_status hzi_wire_check_whole(const void *bytes, size_t length, const hz_graph_limits *limits,
                               hz_error *err);

#endif
