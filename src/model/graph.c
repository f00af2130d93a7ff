/* SPDX-License-Identifier: MIT */
/* What a graph that was read tells about itself. Reading is in graph_read.c. */
#include "model/graph.h"

#include <stdio.h>
#include <string.h>

enum { ALIGNMENT = 64 };

void *hzi_arena_aligned(hz_arena *arena, size_t size) {
    if (size > SIZE_MAX - ALIGNMENT) {
        return NULL;
    }
    unsigned char *memory = hz_arena_alloc(arena, size + ALIGNMENT);
    if (!memory) {
        return NULL;
    }
    memory += (ALIGNMENT - (uintptr_t)memory % ALIGNMENT) % ALIGNMENT;
    memset(memory, 0, size);
    return memory;
}

size_t hz_graph_input_count(const hz_graph *graph) {
    return graph->input_count;
}

size_t hz_graph_output_count(const hz_graph *graph) {
    return graph->output_count;
}

const hz_port *hz_graph_input(const hz_graph *graph, size_t index) {
    return index < graph->input_count ? &graph->inputs[index] : NULL;
}

const hz_port *hz_graph_output(const hz_graph *graph, size_t index) {
    return index < graph->output_count ? &graph->outputs[index] : NULL;
}

const char *hz_graph_metadata(const hz_graph *graph, const char *key) {
    for (size_t i = 0; i < graph->note_count; i++) {
        if (strcmp(graph->notes[2 * i], key) == 0) {
            return graph->notes[2 * i + 1];
        }
    }
    return NULL;
}

void hz_graph_facts_get(const hz_graph *graph, hz_graph_facts *facts) {
    *facts = graph->facts;
}

bool hz_graph_operator(const hz_graph *graph, size_t index, hz_operator_use *use) {
    if (index >= graph->use_count) {
        return false;
    }
    *use = graph->uses[index];
    return true;
}

const hzi_attribute *hzi_node_attribute(const hzi_node *node, const char *name) {
    for (uint32_t i = 0; i < node->attribute_count; i++) {
        if (strcmp(node->attributes[i].name, name) == 0) {
            return &node->attributes[i];
        }
    }
    return NULL;
}

size_t hzi_node_text(const hzi_node *node, char *buffer, size_t capacity) {
    int length = node->name[0]
                     ? snprintf(buffer, capacity, "node %u '%.80s' (%.60s)", node->index,
                                node->name, node->type)
                     : snprintf(buffer, capacity, "node %u (%.60s)", node->index, node->type);
    return length > 0 ? (size_t)length : 0;
}
