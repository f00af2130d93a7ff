/* SPDX-License-Identifier: MIT */
/*
 * The order of nodes. A file should list them so that each comes after what it reads; one that does
 * not is sorted, as long as that is possible: of the nodes that can run, the first in the file comes
 * next. What is left over when none can run contains a cycle.
 */
#include "model/reading.h"

#include <string.h>

typedef struct sorting {
    hz_graph *graph;
    uint32_t *maker;   /* by value: the node that computes it, HZI_NO_VALUE = none */
    uint32_t *waiting; /* by node: readings of values that are not computed yet */
    uint32_t *first;   /* by value: where its readers begin in readers; one more at the end */
    uint32_t *readers; /* nodes, once per reading */
    uint32_t *heap;    /* nodes that can run, the least on top */
    size_t ready;
} sorting;

static void push(sorting *sorter, uint32_t node) {
    size_t at = sorter->ready++;
    while (at > 0 && sorter->heap[(at - 1) / 2] > node) {
        sorter->heap[at] = sorter->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    sorter->heap[at] = node;
}

static uint32_t pop(sorting *sorter) {
    uint32_t top = sorter->heap[0], last = sorter->heap[--sorter->ready];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= sorter->ready) {
            break;
        }
        if (child + 1 < sorter->ready && sorter->heap[child + 1] < sorter->heap[child]) {
            child++;
        }
        if (sorter->heap[child] >= last) {
            break;
        }
        sorter->heap[at] = sorter->heap[child];
        at = child;
    }
    sorter->heap[at] = last;
    return top;
}

static bool make_tables(hzi_reader *reader, sorting *sorter) {
    hz_graph *graph = sorter->graph;
    size_t values = graph->value_count, nodes = graph->node_count, readings = 0;
    for (size_t i = 0; i < nodes; i++) {
        readings += graph->nodes[i].input_count;
    }
    sorter->maker = hzi_read_scratch(reader, values, sizeof *sorter->maker);
    sorter->waiting = hzi_read_scratch(reader, nodes, sizeof *sorter->waiting);
    sorter->first = hzi_read_scratch(reader, values + 2, sizeof *sorter->first);
    sorter->readers = hzi_read_scratch(reader, readings, sizeof *sorter->readers);
    sorter->heap = hzi_read_scratch(reader, nodes, sizeof *sorter->heap);
    if (!sorter->maker || !sorter->waiting || !sorter->first || !sorter->readers || !sorter->heap ||
        readings >= UINT32_MAX) {
        return false;
    }
    for (size_t i = 0; i < values; i++) {
        sorter->maker[i] = HZI_NO_VALUE;
    }
    for (uint32_t i = 0; i < nodes; i++) {
        for (uint32_t k = 0; k < graph->nodes[i].output_count; k++) {
            if (graph->nodes[i].outputs[k] != HZI_NO_VALUE) {
                sorter->maker[graph->nodes[i].outputs[k]] = i;
            }
        }
    }
    return true;
}

/* Who reads what, and how much each node waits for. */
static void link_readers(sorting *sorter) {
    const hz_graph *graph = sorter->graph;
    uint32_t *next = sorter->first + 1; /* shifted by one: after filling, first[] is right */
    for (uint32_t i = 0; i < graph->node_count; i++) {
        for (uint32_t k = 0; k < graph->nodes[i].input_count; k++) {
            uint32_t value = graph->nodes[i].inputs[k];
            if (value != HZI_NO_VALUE && sorter->maker[value] != HZI_NO_VALUE) {
                next[value + 1]++;
                sorter->waiting[i]++;
            }
        }
    }
    for (size_t i = 0; i < graph->value_count; i++) {
        next[i + 1] += next[i];
    }
    for (uint32_t i = 0; i < graph->node_count; i++) {
        for (uint32_t k = 0; k < graph->nodes[i].input_count; k++) {
            uint32_t value = graph->nodes[i].inputs[k];
            if (value != HZI_NO_VALUE && sorter->maker[value] != HZI_NO_VALUE) {
                sorter->readers[next[value]++] = i;
            }
        }
    }
}

/* Follows what is waited for until a node comes up again. */
static hz_status name_cycle(hzi_reader *reader, const sorting *sorter) {
    const hz_graph *graph = sorter->graph;
    uint32_t at = 0;
    while (sorter->waiting[at] == 0) {
        at++;
    }
    for (size_t hop = 0; hop < graph->node_count; hop++) { /* then it is on the cycle */
        const hzi_node *node = &graph->nodes[at];
        for (uint32_t k = 0; k < node->input_count; k++) {
            uint32_t maker =
                node->inputs[k] == HZI_NO_VALUE ? HZI_NO_VALUE : sorter->maker[node->inputs[k]];
            if (maker != HZI_NO_VALUE && sorter->waiting[maker] > 0) {
                at = maker;
                break;
            }
        }
    }
    char text[200];
    (void)hzi_node_text(&graph->nodes[at], text, sizeof text);
    return hz_fail(reader->err, HZ_GRAPH, HZ_NO_OFFSET,
                   "the graph has a cycle: %s depends on its own result", text);
}

hz_status hzi_read_order(hzi_reader *reader) {
    hz_graph *graph = reader->graph;
    sorting sorter = {.graph = graph};
    hzi_node *sorted = hzi_read_scratch(reader, graph->node_count, sizeof *sorted);
    if (!sorted || !make_tables(reader, &sorter)) {
        return hzi_read_no_memory(reader);
    }
    link_readers(&sorter);
    for (uint32_t i = 0; i < graph->node_count; i++) {
        if (sorter.waiting[i] == 0) {
            push(&sorter, i);
        }
    }
    size_t count = 0;
    while (sorter.ready > 0) {
        const hzi_node *node = &graph->nodes[pop(&sorter)];
        sorted[count++] = *node;
        for (uint32_t k = 0; k < node->output_count; k++) {
            uint32_t value = node->outputs[k];
            if (value == HZI_NO_VALUE) {
                continue;
            }
            for (uint32_t r = sorter.first[value]; r < sorter.first[value + 1]; r++) {
                if (--sorter.waiting[sorter.readers[r]] == 0) {
                    push(&sorter, sorter.readers[r]);
                }
            }
        }
    }
    if (count < graph->node_count) {
        return name_cycle(reader, &sorter);
    }
    if (count > 0) {
        memcpy(graph->nodes, sorted, count * sizeof *sorted);
    }
    return HZ_OK;
}
