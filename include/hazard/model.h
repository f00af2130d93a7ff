/* SPDX-License-Identifier: MIT */
/*
 * hazard/model.h - ONNX graphs: reading them, running them, writing them.
 *
 * A model is a graph opened by an executor. The built-in executor reads the graph itself, refuses
 * what it cannot do exactly (with the node, operator, attribute or opset in the message), and runs
 * it without allocating. ONNX Runtime is a second executor behind the same calls, when its shared
 * library is found at run time.
 *
 * Rows and results are IEEE-754 binary32, row-major. A row gives the same bits alone and in a
 * batch, for any batch size and on any processor the built-in executor runs on.
 *
 * Thread rule: a model is used by one thread at a time; different models may run in parallel.
 * hz_graph is constant after reading and safe in any thread.
 */
#ifndef HAZARD_MODEL_H
#define HAZARD_MODEL_H

#include <hazard/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- tensors -------------------------------------------------------------------------------- */

/* Element types, with ONNX's numbers (TensorProto.DataType). */
typedef enum hz_element {
    HZ_ELEMENT_UNDEFINED = 0,
    HZ_ELEMENT_FLOAT = 1,
    HZ_ELEMENT_UINT8 = 2,
    HZ_ELEMENT_INT8 = 3,
    HZ_ELEMENT_UINT16 = 4,
    HZ_ELEMENT_INT16 = 5,
    HZ_ELEMENT_INT32 = 6,
    HZ_ELEMENT_INT64 = 7,
    HZ_ELEMENT_STRING = 8,
    HZ_ELEMENT_BOOL = 9,
    HZ_ELEMENT_FLOAT16 = 10,
    HZ_ELEMENT_DOUBLE = 11,
    HZ_ELEMENT_UINT32 = 12,
    HZ_ELEMENT_UINT64 = 13,
    HZ_ELEMENT_COMPLEX64 = 14,
    HZ_ELEMENT_COMPLEX128 = 15,
    HZ_ELEMENT_BFLOAT16 = 16
} hz_element;

/* "FLOAT", "INT64"; "UNDEFINED" for a number that is none. Static text. */
const char *hz_element_name(hz_element element);
/* Bytes of one element; 0 for strings and unknown types. */
size_t hz_element_size(hz_element element);

enum { HZ_RANK_MAX = 8 };

/* A tensor in memory: row-major, contiguous, little-endian, not owned. */
typedef struct hz_tensor {
    hz_element element;
    uint32_t rank; /* 0 = one number */
    int64_t shape[HZ_RANK_MAX];
    void *data; /* product of shape elements, aligned for the element */
} hz_tensor;

/* Number of elements; 1 for rank 0. The shape must have no negative dimension. */
size_t hz_tensor_count(const hz_tensor *tensor);

/* An input or output as a graph declares it. */
enum { HZ_DYNAMIC = -1 }; /* a dimension with a name or with nothing at all */
typedef struct hz_port {
    const char *name;           /* lives as long as the graph or model */
    bool is_tensor;             /* false: a sequence, map, optional or sparse tensor */
    hz_element element;         /* UNDEFINED when is_tensor is false */
    bool has_shape;             /* false: nothing is said about the shape */
    uint32_t rank;              /* may exceed HZ_RANK_MAX; then only the first are in shape */
    int64_t shape[HZ_RANK_MAX]; /* HZ_DYNAMIC or a size >= 0 */
} hz_port;

/* "[batch,13]"; every dynamic dimension reads "batch". "[]" for rank 0, "[?]" without a shape.
 * snprintf rules. */
size_t hz_port_shape_text(const hz_port *port, char *buffer, size_t capacity);

/* ---- graphs ---------------------------------------------------------------------------------- */

/* What reading a graph may take. A zeroed field means its default. */
typedef struct hz_graph_limits {
    size_t file_bytes;   /* default 48 MiB */
    size_t memory_bytes; /* all that reading and preparing may hold; default 512 MiB */
    uint32_t nodes;      /* default 100000 */
    uint64_t work;       /* multiplications and elements touched by one run; default 10^11 */
} hz_graph_limits;

/* An ONNX graph as read and checked, whatever will run it. */
typedef struct hz_graph hz_graph;

/*
 * Reads a graph. HZ_GRAPH names what is wrong and where: bytes that are no ONNX model, nesting or
 * sizes beyond the limits, missing or duplicate names, cycles, external data, sparse or string
 * tensors, shapes that do not fit their data, graphs within graphs, functions, a domain that is used
 * without being imported. HZ_MODEL_FILE when the file cannot be read or is no regular file. Nothing is
 * kept of `bytes`.
 *
 * Operators are not judged here, so that a graph which the built-in executor cannot run can still be
 * looked at (hz_graph_operator says which it can); opening it as a model refuses an unknown
 * operator, opset or attribute with its name.
 */
hz_status hz_graph_read(const void *bytes, size_t length, const hz_graph_limits *limits,
                        hz_graph **graph, hz_error *err);
hz_status hz_graph_read_file(const char *path, const hz_graph_limits *limits, hz_graph **graph,
                             hz_error *err);
/* Accepts NULL. */
void hz_graph_free(hz_graph *graph);

/* Inputs without those that have an initializer (they are constants); outputs. */
size_t hz_graph_input_count(const hz_graph *graph);
size_t hz_graph_output_count(const hz_graph *graph);
/* NULL past the end. */
const hz_port *hz_graph_input(const hz_graph *graph, size_t index);
const hz_port *hz_graph_output(const hz_graph *graph, size_t index);

/* How often an operator is used. */
typedef struct hz_operator_use {
    const char *domain; /* "" is ONNX's own */
    const char *name;
    int opset; /* the version that the graph imports of its domain */
    size_t count;
    bool supported; /* by the built-in executor at this opset, as far as the name goes */
} hz_operator_use;

typedef struct hz_graph_facts {
    int64_t ir_version;
    int opset;            /* of ONNX's own domain, 0 = not imported */
    const char *producer; /* "" = unknown; lives as long as the graph */
    const char *name;     /* of the graph */
    size_t nodes;
    size_t initializers;
    uint64_t parameters; /* numbers in initializers and in constants of nodes, counted once */
    uint64_t file_bytes;
} hz_graph_facts;
void hz_graph_facts_get(const hz_graph *graph, hz_graph_facts *facts);
/* What the file says about itself under a key (metadata_props), the first of several; NULL when it
 * says nothing. Lives as long as the graph. */
const char *hz_graph_metadata(const hz_graph *graph, const char *key);
/* Operators in order of domain, name; false past the end. */
bool hz_graph_operator(const hz_graph *graph, size_t index, hz_operator_use *use);

/* Cost of one row after folding and fusion, by the built-in executor. */
typedef struct hz_graph_cost {
    uint64_t multiply_adds; /* of one row */
    uint64_t constants;     /* bytes of weights kept */
    uint64_t workspace;     /* bytes of intermediate values of one row */
    size_t steps;           /* what is left to do per batch after folding and fusion */
} hz_graph_cost;
/* HZ_GRAPH when the built-in executor cannot run the graph. */
hz_status hz_graph_cost_get(const hz_graph *graph, hz_graph_cost *cost, hz_error *err);

/* An operator of the built-in executor, for tables; false past the end. In order of domain, name;
 * one entry per operator: the opsets it is served for. */
typedef struct hz_operator_info {
    const char *domain;
    const char *name;
    int opset_first, opset_last;
} hz_operator_info;
bool hz_operator_at(size_t index, hz_operator_info *info);

/* ---- files as they are ------------------------------------------------------------------------- */

/*
 * An ONNX file as it was written, before any folding, with graphs within graphs, functions and
 * sparse tensors, whether or not an executor can run it: for whoever judges files, as a contest
 * does. Constant after reading and safe in any thread.
 */
typedef struct hz_onnx_file hz_onnx_file;

/*
 * Reads a file. HZ_GRAPH for bytes that are no ONNX model, nesting or sizes beyond the limits, and
 * tensors whose data does not fit their shape (the data of external and string tensors is not
 * looked at). Nothing is kept of `bytes`. limits may be NULL.
 */
hz_status hz_onnx_file_read(const void *bytes, size_t length, const hz_graph_limits *limits,
                            hz_onnx_file **file, hz_error *err);
/* Accepts NULL. */
void hz_onnx_file_free(hz_onnx_file *file);

/* 0 when the file does not say. */
int64_t hz_onnx_file_ir_version(const hz_onnx_file *file);
/* An operator set that the model or one of its functions imports; false past the end. "" is ONNX's
 * own domain. */
bool hz_onnx_file_import(const hz_onnx_file *file, size_t index, const char **domain,
                         int64_t *version);
/* Whether the file defines functions in this domain. */
bool hz_onnx_file_defines(const hz_onnx_file *file, const char *domain);
/* Inputs without those that have an initializer, or outputs, of the main graph. */
size_t hz_onnx_file_inputs(const hz_onnx_file *file);
size_t hz_onnx_file_outputs(const hz_onnx_file *file);
/* NULL past the end; a dimension below -1 reads as it is written. */
const hz_port *hz_onnx_file_input(const hz_onnx_file *file, size_t index);
const hz_port *hz_onnx_file_output(const hz_onnx_file *file, size_t index);

typedef struct hz_onnx_node {
    const char *domain; /* "" is ONNX's own */
    const char *type;   /* operator */
    const char *name;   /* "" when it has none */
    int64_t opset;      /* imported for the domain, 0 = not imported */
    bool function;      /* the file itself defines this operator */
    bool nested;        /* stands in a graph within a graph or in a function */
    size_t inputs;      /* how many it is given, those left out between them included */
} hz_onnx_node;
/* Nodes of the main graph, with those of the graphs within them, then of functions; false past the
 * end. */
bool hz_onnx_file_node(const hz_onnx_file *file, size_t index, hz_onnx_node *node);
/* Whether there are graphs within graphs, functions or sparse tensors: what hz_graph refuses. */
bool hz_onnx_file_is_nested(const hz_onnx_file *file);

/* HZ_GRAPH names a tensor with data outside the file or with texts, wherever it stands, also a list of
 * texts that an operator makes a tensor of ("values_strings"). */
hz_status hz_onnx_file_check_data(const hz_onnx_file *file, hz_error *err);
/* HZ_GRAPH for a name that is missing or defined twice, a graph that is not acyclic, a node without
 * operator; in graphs within graphs and functions, too. */
hz_status hz_onnx_file_check_names(const hz_onnx_file *file, hz_error *err);

/*
 * How many numbers a file brings along. Strict: every element of every tensor, whatever its type:
 * initializers (of sparse ones values and indices) and attributes, in the main graph, in graphs
 * within graphs and in functions; Constant's value_float, value_int and their lists; every number of
 * a FLOATS attribute; a FLOAT attribute that differs from its operator's default. Integers in
 * attributes of operators are structure and free, and so are shapes of ports; integers handed to a
 * function of the file count, for it can make a tensor of them. What is there twice counts twice, what
 * is not used counts, too.
 */
typedef struct hz_parameters {
    uint64_t strict;
    uint64_t common; /* only initializers and Constant tensors of the main graph; rank 0 is free */
    uint64_t bits;   /* widths of the strictly counted elements together; a BOOL has 8 */
} hz_parameters;
/* HZ_GRAPH when a number does not fit 64 bits. */
hz_status hz_onnx_file_parameters(const hz_onnx_file *file, hz_parameters *parameters,
                                  hz_error *err);

/* ---- executors and models -------------------------------------------------------------------- */

/*
 * Something that opens graphs and runs them. The two built-in ones are found by name; a host may
 * bring its own (a test counts handles with one). All functions but `open` get the state that open
 * made. Calls on one state come from one thread at a time.
 */
typedef struct hz_executor {
    const char *name;
    void *context; /* handed to open */
    /* Opens a graph from its bytes, of which nothing may be kept. */
    hz_status (*open)(void *context, const void *bytes, size_t length,
                      const hz_graph_limits *limits, void **state, hz_error *err);
    size_t (*input_count)(void *state);
    size_t (*output_count)(void *state);
    const hz_port *(*input)(void *state, size_t index);
    const hz_port *(*output)(void *state, size_t index);
    /* Runs any shapes the graph takes. Inputs in the order of `input`. Output data lies in `arena`
     * and lives until it is reset. */
    hz_status (*run)(void *state, const hz_tensor *inputs, hz_tensor *outputs, hz_arena *arena,
                     hz_error *err);
    /* n rows of `width` floats into the first input, n floats out of the first output; allocates
     * nothing once a batch of this size was run before. NULL: `run` is used. */
    hz_status (*run_rows)(void *state, const float *rows, size_t n, size_t width, float *values,
                          hz_error *err);
    /* Releases the state in any case; a failure is only reported. */
    hz_status (*close)(void *state, hz_error *err);
} hz_executor;

/* The built-in executor. Static. */
const hz_executor *hz_executor_builtin(void);
/*
 * ONNX Runtime, interface version 13 or later. Looked for in this order:
 *   1. the file that the environment variable HAZARD_ONNXRUNTIME names; then nothing else is tried,
 *   2. libonnxruntime.so.1, libonnxruntime.so where the system looks for libraries,
 *   3. third_party/onnxruntime/libonnxruntime.so.1 (what `make onnxruntime` unpacks) in the folder
 *      of the running program and in the four folders above it, if the file belongs to the user or
 *      to root and not everybody may write it. The current folder is not looked into.
 * HZ_NO_EXECUTOR with the reason when there is none. *executor is static; the library stays loaded.
 * `version` (may be NULL) receives its version text, `path` (may be NULL) the library's file; both
 * live as long as the process.
 *
 * Builds of it report what they run to their makers, from a thread of their own, unless
 * ORT_DISABLE_TELEMETRY is set in the environment; set it before the first thread of the program.
 */
hz_status hz_executor_onnxruntime(const hz_executor **executor, const char **version,
                                  const char **path, hz_error *err);
/* "builtin", "onnxruntime", or "auto" and NULL (the built-in one). HZ_NO_EXECUTOR otherwise. */
hz_status hz_executor_find(const char *name, const hz_executor **executor, hz_error *err);

typedef struct hz_model_options {
    const hz_executor *executor; /* NULL = the built-in one */
    hz_graph_limits limits;
} hz_model_options;

typedef struct hz_model hz_model;

/* Opens a graph to run it; options may be NULL. Messages begin with "cannot read the ONNX graph"
 * for HZ_GRAPH; the built-in executor also refuses a graph whose ports are those of a value model
 * ([batch,width] in, [batch,1] out, floats) when it gives anything else for one row or for two. On
 * failure *model is unchanged and nothing stays open. */
hz_status hz_model_open(const void *bytes, size_t length, const hz_model_options *options,
                        hz_model **model, hz_error *err);
hz_status hz_model_open_file(const char *path, const hz_model_options *options, hz_model **model,
                             hz_error *err);
/* Closes in any case; the status tells what the executor said about it. Accepts NULL. */
hz_status hz_model_close(hz_model *model, hz_error *err);

const hz_executor *hz_model_executor(const hz_model *model);
size_t hz_model_input_count(const hz_model *model);
size_t hz_model_output_count(const hz_model *model);
/* Valid until the model is closed; NULL past the end. */
const hz_port *hz_model_input(const hz_model *model, size_t index);
const hz_port *hz_model_output(const hz_model *model, size_t index);

/* Runs a batch of any shape. HZ_MODEL_RUN names the port whose element, rank or size does not fit;
 * HZ_NO_MEMORY when the arena is exhausted. Nothing of *outputs may be used after a failure. The
 * first batch of a shape takes longer: the graph is prepared for it, and for the numbers of inputs
 * that decide about shapes; the built-in executor keeps the latest four. */
hz_status hz_model_run(hz_model *model, const hz_tensor *inputs, size_t input_count,
                       hz_tensor *outputs, size_t output_count, hz_arena *arena, hz_error *err);

/*
 * n rows of `width` floats in, n floats out; the shape of a value model: one input [batch,width],
 * one output [batch,1] (or [batch]). n = 0 runs nothing. HZ_MODEL_RUN when the width is not the
 * graph's or the result has another number of rows or values; then `values` must not be used.
 */
hz_status hz_model_rows(hz_model *model, const float *rows, size_t n, size_t width, float *values,
                        hz_error *err);

/* ---- writing graphs --------------------------------------------------------------------------- */

/*
 * Puts a graph together node by node and writes it as ONNX bytes. Errors stick: after the first
 * failure every call does nothing, and hz_builder_finish reports it. Texts and numbers are copied.
 */
typedef struct hz_builder hz_builder;

/* opset: of ONNX's own domain; ml_opset: of ai.onnx.ml, 0 = not imported. NULL without memory. */
hz_builder *hz_builder_new(const char *graph_name, int64_t ir_version, int opset, int ml_opset);
/* Accepts NULL. */
void hz_builder_free(hz_builder *builder);
/* HZ_DYNAMIC is written as the symbol "batch". */
void hz_builder_input(hz_builder *builder, const char *name, hz_element element,
                      const int64_t *shape, size_t rank);
void hz_builder_output(hz_builder *builder, const char *name, hz_element element,
                       const int64_t *shape, size_t rank);
/* Something the file says about itself; kept in the order of the calls. */
void hz_builder_metadata(hz_builder *builder, const char *key, const char *value);
/* A constant; data is row-major, as many elements as the shape says. */
void hz_builder_initializer(hz_builder *builder, const char *name, const hz_tensor *tensor);
/* Begins a node; attributes are added to the latest node. "" as an input name leaves it out. */
void hz_builder_node(hz_builder *builder, const char *domain, const char *operation,
                     const char *const *inputs, size_t input_count, const char *const *outputs,
                     size_t output_count);
void hz_builder_int(hz_builder *builder, const char *attribute, int64_t value);
void hz_builder_ints(hz_builder *builder, const char *attribute, const int64_t *values, size_t n);
void hz_builder_float(hz_builder *builder, const char *attribute, float value);
void hz_builder_floats(hz_builder *builder, const char *attribute, const float *values, size_t n);
void hz_builder_string(hz_builder *builder, const char *attribute, const char *value);
void hz_builder_strings(hz_builder *builder, const char *attribute, const char *const *values,
                        size_t n);
void hz_builder_tensor(hz_builder *builder, const char *attribute, const hz_tensor *tensor);
/* The bytes, in `arena`. The same calls give the same bytes. HZ_GRAPH for names used twice or
 * never defined; HZ_NO_MEMORY. The graph is not checked further: hz_graph_read does that. */
hz_status hz_builder_finish(hz_builder *builder, hz_arena *arena, const void **bytes,
                            size_t *length, hz_error *err);

/* ---- architectures ------------------------------------------------------------------------------ */

/*
 * Graphs of a known form, with given or random numbers, by a text:
 *
 *   "mlp:W1,W2,..."   dense layers of these widths with rectifiers, then one number; "mlp:" is linear.
 *                     "input" [batch,columns] to "output" [batch,1]; when the value is raw "board"
 *                     to "score".
 *   "dual:W,W2,..."   for 1540 columns that are two views of 770: one shared dense layer of width W
 *                     reads both views, both results side by side go on as in mlp.
 *   "xattn8-4-v1"     a cross-attention transformer over 64 squares, 3969 numbers; inputs "board"
 *                     [batch,7,8,8] and "meta" [batch,13], output "p_white" [batch,1].
 *
 * Order of the numbers: layer by layer, weights row-major [out][in], then biases. The transformer,
 * for each of its four blocks: query, key, value and output layers, gain and bias of the first and
 * of the second norm, the two layers behind; then the two layers of the head.
 */
typedef struct hz_architecture {
    const char *name;    /* the text above */
    size_t columns;      /* of a row, for mlp; others have their own */
    const char *encoder; /* id of the schema, written into the file; NULL = not said */
    const char *label;   /* what the value means, written into the file; NULL = not said */
    bool raw;            /* mlp, dual: the last sum is the value; otherwise its logistic function */
    const float *weights; /* NULL = random ones */
    size_t weight_count;
    uint64_t seed; /* of random ones: uniform within 1 / sqrt(inputs of the layer), gains 1 */
} hz_architecture;

/* How many numbers it has. HZ_INVALID_ARGUMENT says what is wrong with the text or the columns. */
hz_status hz_architecture_count(const hz_architecture *architecture, size_t *count, hz_error *err);
/*
 * The graph as ONNX bytes in `arena`, with "arch", "encoder", "label", "params" and, for random
 * numbers, "seed" as its metadata. HZ_INVALID_ARGUMENT also for numbers that are not as many as the
 * architecture has, or not finite; HZ_NO_MEMORY. The same arguments give the same bytes.
 */
hz_status hz_architecture_build(const hz_architecture *architecture, hz_arena *arena,
                                const void **bytes, size_t *length, hz_error *err);

#ifdef __cplusplus
}
#endif
#endif
