/* SPDX-License-Identifier: MIT */
/*
 * Names of values in a file: each defined once, each used one defined, no graph in a circle. A graph
 * within a graph sees the names around it; what it takes from there, the node that holds it needs.
 */
#include "model/onnx_file.h"

#include <stdlib.h>
#include <string.h>

enum { LEAF = -1 };

typedef struct definition {
    const char *name;
    int64_t node; /* that makes it; LEAF for inputs and constants */
} definition;

typedef struct edge {
    int64_t from, to; /* `to` needs `from` */
} edge;

typedef struct scope scope;
struct scope {
    scope *outer;
    definition *definitions; /* sorted by name */
    size_t count;
    int64_t current; /* node being looked at */
    edge *edges;
    size_t edge_count, edge_capacity;
};

static hz_status no_memory(hz_error *err) {
    return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "out of memory");
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const definition *)a)->name, ((const definition *)b)->name);
}

static void define(scope *s, const char *name, int64_t node) {
    s->definitions[s->count++] = (definition){name ? name : "", node};
}

/* Sorts and finds names that are there twice; an input and its initializer are one. */
static hz_status close_definitions(scope *s, hz_error *err) {
    qsort(s->definitions, s->count, sizeof *s->definitions, by_name);
    for (size_t i = 0; i < s->count; i++) {
        if (!*s->definitions[i].name) {
            return hz_fail(err, HZ_GRAPH, HZ_NO_OFFSET, "a value without a name");
        }
        if (i > 0 && strcmp(s->definitions[i].name, s->definitions[i - 1].name) == 0) {
            return hz_fail(err, HZ_GRAPH, HZ_NO_OFFSET, "the name '%.200s' is defined twice",
                           s->definitions[i].name);
        }
    }
    return HZ_OK;
}

static const definition *find(const scope *s, const char *name) {
    definition key = {name, LEAF};
    return s->count ? bsearch(&key, s->definitions, s->count, sizeof key, by_name) : NULL;
}

static hz_status need(scope *s, int64_t from, hz_error *err) {
    if (s->edge_count == s->edge_capacity) {
        size_t capacity = s->edge_capacity ? 2 * s->edge_capacity : 64;
        edge *more = realloc(s->edges, capacity * sizeof *more);
        if (!more) {
            return no_memory(err);
        }
        s->edges = more;
        s->edge_capacity = capacity;
    }
    s->edges[s->edge_count++] = (edge){from, s->current};
    return HZ_OK;
}

static hz_status use(scope *s, const char *name, const char *by, hz_error *err) {
    for (scope *at = s; at; at = at->outer) {
        const definition *found = find(at, name);
        if (found) {
            return found->node == LEAF ? HZ_OK : need(at, found->node, err);
        }
    }
    return hz_fail(err, HZ_GRAPH, HZ_NO_OFFSET, "%.200s: nothing defines '%.200s'", by, name);
}

/* ---- circles ---------------------------------------------------------------------------------------- */

static int by_source(const void *a, const void *b) {
    int64_t x = ((const edge *)a)->from, y = ((const edge *)b)->from;
    return x < y ? -1 : x > y;
}

/* Takes away nodes that need nothing more, until none is left or all that are left need each other;
 * returns how many were taken. first: where a node's edges begin; needs, ready: of all nodes. */
static size_t take_away(const scope *s, size_t nodes, size_t *first, size_t *needs,
                        int64_t *ready) {
    size_t known = 0;
    for (size_t i = 0; i < s->edge_count; i++) {
        first[s->edges[i].from + 1]++;
        needs[s->edges[i].to]++;
    }
    for (size_t i = 0; i < nodes; i++) {
        first[i + 1] += first[i];
        if (needs[i] == 0) {
            ready[known++] = (int64_t)i;
        }
    }
    for (size_t done = 0; done < known; done++) {
        for (size_t i = first[ready[done]]; i < first[ready[done] + 1]; i++) {
            if (--needs[s->edges[i].to] == 0) {
                ready[known++] = s->edges[i].to;
            }
        }
    }
    return known;
}

static hz_status check_acyclic(scope *s, size_t nodes, hz_error *err) {
    size_t *first = calloc(nodes + 2, sizeof *first), *needs = calloc(nodes + 1, sizeof *needs);
    int64_t *ready = calloc(nodes + 1, sizeof *ready);
    size_t known = nodes;
    bool enough = first && needs && ready;
    if (enough) {
        if (s->edge_count > 0) {
            qsort(s->edges, s->edge_count, sizeof *s->edges, by_source);
        }
        known = take_away(s, nodes, first, needs, ready);
    }
    free(first);
    free(needs);
    free(ready);
    if (!enough) {
        return no_memory(err);
    }
    return known == nodes
               ? HZ_OK
               : hz_fail(err, HZ_GRAPH, HZ_NO_OFFSET,
                         "%zu nodes of a graph need each other in a circle", nodes - known);
}

/* ---- graphs and functions --------------------------------------------------------------------------- */

static hz_status check_graph(const Hzi__Onnx__GraphProto *graph, scope *outer, hz_error *err);

static hz_status check_node(scope *s, const Hzi__Onnx__NodeProto *node, hz_error *err) {
    const char *name = node->name && *node->name ? node->name : node->op_type;
    hz_status status = HZ_OK;
    if (!node->op_type || !*node->op_type) {
        return hz_fail(err, HZ_GRAPH, HZ_NO_OFFSET, "node '%.200s' has no operator",
                       node->name ? node->name : "");
    }
    for (size_t i = 0; i < node->n_input && status == HZ_OK; i++) {
        if (*node->input[i]) {
            status = use(s, node->input[i], name, err);
        }
    }
    for (size_t a = 0; a < node->n_attribute && status == HZ_OK; a++) {
        const Hzi__Onnx__AttributeProto *attribute = node->attribute[a];
        if (attribute->g) {
            status = check_graph(attribute->g, s, err);
        }
        for (size_t i = 0; i < attribute->n_graphs && status == HZ_OK; i++) {
            status = check_graph(attribute->graphs[i], s, err);
        }
    }
    return status;
}

static hz_status check_body(scope *s, Hzi__Onnx__NodeProto *const *nodes, size_t count,
                            hz_error *err) {
    hz_status status = HZ_OK;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < nodes[i]->n_output; k++) {
            if (*nodes[i]->output[k]) {
                define(s, nodes[i]->output[k], (int64_t)i);
            }
        }
    }
    status = close_definitions(s, err);
    for (size_t i = 0; i < count && status == HZ_OK; i++) {
        s->current = (int64_t)i;
        status = check_node(s, nodes[i], err);
    }
    return status == HZ_OK ? check_acyclic(s, count, err) : status;
}

static size_t output_count(Hzi__Onnx__NodeProto *const *nodes, size_t count) {
    size_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += nodes[i]->n_output;
    }
    return sum;
}

static hz_status check_graph(const Hzi__Onnx__GraphProto *graph, scope *outer, hz_error *err) {
    scope s = {.outer = outer};
    size_t most = graph->n_input + graph->n_initializer + graph->n_sparse_initializer +
                  output_count(graph->node, graph->n_node);
    s.definitions = calloc(most + 1, sizeof *s.definitions);
    if (!s.definitions) {
        return no_memory(err);
    }
    for (size_t i = 0; i < graph->n_initializer; i++) {
        define(&s, graph->initializer[i]->name, LEAF);
    }
    for (size_t i = 0; i < graph->n_sparse_initializer; i++) {
        const Hzi__Onnx__TensorProto *values = graph->sparse_initializer[i]->values;
        define(&s, values ? values->name : NULL, LEAF);
    }
    hz_status status = close_definitions(&s, err);
    size_t constants = s.count;
    for (size_t i = 0; i < graph->n_input && status == HZ_OK; i++) {
        scope only = {.definitions = s.definitions, .count = constants};
        const char *name = graph->input[i]->name ? graph->input[i]->name : "";
        if (!find(&only, name)) {
            define(&s, name, LEAF);
        }
    }
    if (status == HZ_OK) {
        status = check_body(&s, graph->node, graph->n_node, err);
    }
    s.current = (int64_t)graph->n_node;
    for (size_t i = 0; i < graph->n_output && status == HZ_OK; i++) {
        const char *name = graph->output[i]->name;
        status = use(&s, name && *name ? name : "(no name)", "an output", err);
    }
    free(s.definitions);
    free(s.edges);
    return status;
}

static hz_status check_function(const Hzi__Onnx__FunctionProto *function, hz_error *err) {
    scope s = {.outer = NULL};
    size_t most = function->n_input + output_count(function->node, function->n_node);
    s.definitions = calloc(most + 1, sizeof *s.definitions);
    if (!s.definitions) {
        return no_memory(err);
    }
    for (size_t i = 0; i < function->n_input; i++) {
        define(&s, function->input[i], LEAF);
    }
    hz_status status = check_body(&s, function->node, function->n_node, err);
    s.current = (int64_t)function->n_node;
    for (size_t i = 0; i < function->n_output && status == HZ_OK; i++) {
        status = use(&s, function->output[i], function->name ? function->name : "a function", err);
    }
    free(s.definitions);
    free(s.edges);
    return status;
}

hz_status hz_onnx_file_check_names(const hz_onnx_file *file, hz_error *err) {
    hz_status status = check_graph(file->model->graph, NULL, err);
    for (size_t i = 0; i < file->model->n_functions && status == HZ_OK; i++) {
        status = check_function(file->model->functions[i], err);
    }
    return status;
}
