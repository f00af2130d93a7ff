/* SPDX-License-Identifier: MIT */
/*
 * Operators of the built-in executor: one table entry each, one file per family.
 *
 * A graph is prepared for concrete shapes (one batch size), so an operator never meets a symbol. Its
 * `prepare` checks types, attributes and shapes, says what its outputs are, and chooses the routine
 * that will run. Inputs whose numbers are known then (constants, and whatever was computed from
 * constants) have their data already; an operator all of whose inputs are known is run at once and
 * becomes a constant itself. The Shape operator makes its output known by its own prepare.
 *
 * A refusal is HZ_GRAPH by hzi_step_refuse, which puts the node in front of the message.
 */
#ifndef HAZARD_MODEL_OPERATOR_H
#define HAZARD_MODEL_OPERATOR_H

#include "model/graph.h"

/* A value with its concrete type and shape. */
typedef struct hzi_tensor {
    hz_element element;
    hzi_shape shape;
    int64_t count;    /* elements */
    void *data;       /* at preparation: NULL unless known; when running: never NULL, 64-byte
                         aligned unless it is a graph input */
    bool known;       /* a constant; data must not be written */
    const char *name; /* of the value, for messages */
} hzi_tensor;

enum { HZI_INPUTS_INLINE = 8 };

typedef struct hzi_step hzi_step;
typedef struct hzi_operator hzi_operator;

/* One thing to do: a node with its tensors. */
struct hzi_step {
    const hzi_node *node;
    const hzi_operator *op;
    uint32_t input_count, output_count;
    hzi_tensor **inputs;  /* NULL = left out */
    hzi_tensor **outputs; /* NULL = not wanted */
    hz_arena *arena;      /* for what prepare keeps (param); lives as long as the program */
    hz_error *err;        /* of this preparation; may be NULL */
    /* Set by prepare: */
    void (*run)(const hzi_step *step);
    void *param;            /* the operator's own, in `arena` */
    size_t scratch_bytes;   /* work memory wanted while it runs */
    uint64_t multiply_adds; /* cost, for hz_graph_cost; 0 = not counted */
    /* Set by the program before run: */
    void *scratch; /* 64-byte aligned, scratch_bytes; shared by all steps */
};

struct hzi_operator {
    const char *name;
    const char *domain;         /* "" or "ai.onnx.ml" */
    int first, last;            /* opsets (inclusive) this entry serves: one entry per meaning */
    int inputs_min, inputs_max; /* inputs_max -1 = any number */
    int outputs_min, outputs_max;
    const char *attributes; /* known names separated by blanks; "" = none. Others are refused */
    hz_status (*prepare)(hzi_step *step);
};

/* A family: its entries, ended by one without a name. */
extern const hzi_operator hzi_operators_arithmetic[]; /* binary and n-ary numbers */
extern const hzi_operator hzi_operators_unary[];      /* number to number, activations */
extern const hzi_operator hzi_operators_logic[];      /* comparison, truth, Where */
extern const hzi_operator hzi_operators_shape[];      /* Reshape and its like, Shape, Constant */
extern const hzi_operator hzi_operators_movement[];   /* Concat, Split, Slice, Gather, Transpose */
extern const hzi_operator hzi_operators_cast[];
extern const hzi_operator hzi_operators_reduce[];
extern const hzi_operator hzi_operators_softmax[];
extern const hzi_operator hzi_operators_normalize[];
extern const hzi_operator hzi_operators_product[]; /* Gemm, MatMul */
extern const hzi_operator hzi_operators_convolution[];
extern const hzi_operator hzi_operators_pool[];
extern const hzi_operator hzi_operators_tree[];
extern const hzi_operator hzi_operators_linear[]; /* ai.onnx.ml: Scaler, LinearRegressor */

/* The entry for a node, NULL when there is none; *known_name tells whether another opset has it. */
const hzi_operator *hzi_operator_find(const char *domain, const char *name, int opset,
                                      bool *known_name);

/* Finds the operator of step->node into step->op and checks what does not depend on shapes: numbers
 * of inputs and outputs, names of attributes. HZ_GRAPH tells an operator that is not known from one
 * that is not served at this opset. */
hz_status hzi_step_serve(hzi_step *step);
/* hzi_step_serve for every node of a graph. */
hz_status hzi_graph_serve(const hz_graph *graph, hz_error *err);

/* ---- for prepare ----------------------------------------------------------------------------- */

/* "node 3 'fc1' (Gemm): MESSAGE" with HZ_GRAPH; returns HZ_GRAPH. */
hz_status hzi_step_refuse(hzi_step *step, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
hz_status hzi_step_no_memory(hzi_step *step);
/* Zeroed memory in the step's arena; NULL without (then return hzi_step_no_memory). */
void *hzi_step_alloc(hzi_step *step, size_t size);

/* Attributes. Each fails for an attribute of another kind; *value becomes `fallback` when the node
 * lacks it. */
hz_status hzi_step_int(hzi_step *step, const char *name, int64_t fallback, int64_t *value);
hz_status hzi_step_float(hzi_step *step, const char *name, float fallback, float *value);
/* Lives as long as the graph; *value = fallback (may be NULL) when lacking. */
hz_status hzi_step_string(hzi_step *step, const char *name, const char *fallback,
                          const char **value);
/* *count = 0 and *values = NULL when lacking (an empty list has a non-NULL pointer). */
hz_status hzi_step_ints(hzi_step *step, const char *name, const int64_t **values, size_t *count);
hz_status hzi_step_floats(hzi_step *step, const char *name, const float **values, size_t *count);
hz_status hzi_step_strings(hzi_step *step, const char *name, const char *const **values,
                           size_t *count);
/* NULL when lacking. */
hz_status hzi_step_tensor(hzi_step *step, const char *name, const hz_tensor **tensor);

/* Input `index`, which must be there and known at preparation, as int64 numbers (from int32 or
 * int64, rank 0 or 1). Refuses otherwise. `what` names it in the message ("the shape"). */
hz_status hzi_step_known_ints(hzi_step *step, uint32_t index, const char *what,
                              const int64_t **values, size_t *count);
/* Refuses unless input `index` has one of the types in `elements` (ended by UNDEFINED). */
hz_status hzi_step_element_in(hzi_step *step, uint32_t index, const hz_element *elements);

/* Says what output `index` is; does nothing when it is not wanted. Checks the count against the
 * memory limit. */
hz_status hzi_step_output(hzi_step *step, uint32_t index, hz_element element,
                          const hzi_shape *shape);
/* Says that output `index` is known now: these numbers (in the step's arena), after
 * hzi_step_output. */
void hzi_step_output_known(hzi_step *step, uint32_t index, const void *data);

/* ---- shapes ------------------------------------------------------------------------------------ */

/* Product of the dimensions; -1 when it does not fit int64 or a dimension is negative. */
int64_t hzi_shape_count(const hzi_shape *shape);
bool hzi_shape_equal(const hzi_shape *a, const hzi_shape *b);
/* The multidirectional broadcast of two shapes; false when they do not fit. */
bool hzi_shape_broadcast(const hzi_shape *a, const hzi_shape *b, hzi_shape *out);
/* axis in -rank..rank-1 to 0..rank-1; -1 when it is outside. */
int hzi_axis(int64_t axis, int rank);
/* "[2,3]" snprintf rules. */
size_t hzi_shape_text(const hzi_shape *shape, char *buffer, size_t capacity);

#endif
