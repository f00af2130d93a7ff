/* SPDX-License-Identifier: MIT */
/* Finding and running a chain of dense layers. Rows go through all layers in groups that stay in
 * the processor's nearest memory. */
#include "model/dense_chain.h"

#include "model/product.h"

#include <string.h>

enum { GROUP = 48 }; /* rows; a multiple of what the kernels take at once */

static const hzi_tensor *owner(const hzi_program *program, const hzi_tensor *tensor) {
    size_t value = (size_t)(tensor - program->values);
    for (size_t hop = 0; program->shares[value] != HZI_NO_VALUE && hop < program->value_count;
         hop++) {
        value = program->shares[value];
    }
    return &program->values[value];
}

/* Numbers that are computed from the shape of a batch are constants of the program for one row, but
 * not of the graph. */
static bool looks_at_shapes(const hz_graph *graph) {
    for (size_t i = 0; i < graph->node_count; i++) {
        const char *type = graph->nodes[i].type;
        if (strcmp(type, "Shape") == 0 || strcmp(type, "Size") == 0) {
            return true;
        }
    }
    return false;
}

/* Every step is a layer of one row that reads what the one before it wrote. */
static bool collect_layers(const hzi_program *program, hzi_dense_chain *chain) {
    const hzi_tensor *last = program->inputs[0];
    if (last->element != HZ_ELEMENT_FLOAT || program->step_count > HZI_CHAIN_LAYERS) {
        return false;
    }
    for (size_t i = 0; i < program->step_count; i++) {
        const hzi_step *step = &program->steps[i];
        const hzi_dense *layer = hzi_product_layer(step);
        if (!layer || owner(program, step->inputs[0]) != last ||
            (size_t)step->inputs[0]->count != layer->inputs ||
            (size_t)step->outputs[0]->count != layer->outputs) {
            return false;
        }
        chain->layers[i] = layer;
        last = step->outputs[0];
    }
    return program->step_count > 0 && owner(program, program->outputs[0]) == last &&
           program->outputs[0]->count == 1;
}

void hzi_dense_chain_find(const hz_graph *graph, hzi_program *program, hzi_dense_chain *chain) {
    *chain = (hzi_dense_chain){0};
    if (program->input_count != 1 || program->output_count != 1 || looks_at_shapes(graph) ||
        !collect_layers(program, chain)) {
        return;
    }
    size_t widest = 0, inputs = 0;
    for (size_t i = 0; i < program->step_count; i++) {
        const hzi_dense *layer = chain->layers[i];
        widest = layer->outputs > widest ? layer->outputs : widest;
        inputs = layer->inputs > inputs ? layer->inputs : inputs;
    }
    size_t bytes = widest * GROUP * sizeof(float);
    chain->between[0] = hzi_arena_aligned(&program->arena, bytes);
    chain->between[1] = hzi_arena_aligned(&program->arena, bytes);
    chain->list =
        hzi_arena_aligned(&program->arena, (inputs + HZI_DENSE_LIST_ROOM) * sizeof *chain->list);
    if (chain->between[0] && chain->between[1] && chain->list) {
        chain->count = program->step_count;
    }
}

void hzi_dense_chain_run(const hzi_dense_chain *chain, const float *rows, size_t n, float *values) {
    const hzi_kernels *kernels = hzi_kernels_in_use;
    const size_t width = chain->layers[0]->inputs;
    for (size_t done = 0; done < n; done += GROUP) {
        size_t some = n - done < GROUP ? n - done : GROUP;
        const float *x = rows + done * width;
        for (size_t i = 0; i < chain->count; i++) {
            const hzi_dense *layer = chain->layers[i];
            float *y = i + 1 == chain->count ? values + done : chain->between[i % 2];
            kernels->dense(layer, x, layer->inputs, some, y, layer->outputs, chain->list);
            x = y;
        }
    }
}
