/* SPDX-License-Identifier: MIT */
/*
 * Fusion of steps: a product with a constant matrix takes over the constant row that is added to
 * it and the function of a number that follows, as long as nobody else reads what lies between; and
 * steps that only copy go away, their output lying where their input lies. Nothing is rearranged: a
 * fused layer rounds where the single steps rounded.
 */
#include "model/program.h"

#include "model/product.h"
#include "model/stride.h"
#include "model/unary.h"

#include <string.h>

typedef struct fusing {
    hzi_program *program;
    uint32_t *uses;
    hz_error *err;
} fusing;

static size_t value_of(const hzi_program *program, const hzi_tensor *tensor) {
    return (size_t)(tensor - program->values);
}

/* The only step after `index` that reads what this step computes, as input *input; NULL when there
 * are several readers or a graph output is among them. */
static hzi_step *only_reader(const fusing *f, size_t index, uint32_t *input) {
    const hzi_tensor *output = f->program->steps[index].outputs[0];
    if (f->uses[value_of(f->program, output)] != 1) {
        return NULL;
    }
    for (size_t i = index + 1; i < f->program->step_count; i++) {
        hzi_step *step = &f->program->steps[i];
        for (uint32_t k = 0; step->run && k < step->input_count; k++) {
            if (step->inputs[k] == output) {
                *input = k;
                return step;
            }
        }
    }
    return NULL;
}

/* `added` holds one number for each output of the layer, or one for all. */
static bool is_row(const hzi_dense *layer, const hzi_tensor *sum, const hzi_tensor *added) {
    if (!added->known || added->element != HZ_ELEMENT_FLOAT) {
        return false;
    }
    if (added->count == 1) {
        return true;
    }
    const hzi_shape *row = &added->shape, *all = &sum->shape;
    return all->rank > 0 && (size_t)all->dim[all->rank - 1] == layer->outputs &&
           (size_t)added->count == layer->outputs &&
           (size_t)row->dim[row->rank - 1] == layer->outputs;
}

/* The reader adds a constant row: the layer does it. *taken tells. */
static hz_status take_addition(const fusing *f, hzi_step *step, hzi_dense *layer,
                               const hzi_step *reader, uint32_t input, bool *taken) {
    *taken = false;
    if (layer->after || layer->map != HZI_MAP_NONE || *reader->node->domain ||
        strcmp(reader->node->type, "Add") != 0) {
        return HZ_OK;
    }
    const hzi_tensor *added = reader->inputs[1 - input];
    if (!is_row(layer, step->outputs[0], added) ||
        !hzi_shape_equal(&reader->outputs[0]->shape, &step->outputs[0]->shape)) {
        return HZ_OK;
    }
    size_t padded = hzi_dense_padded(layer->outputs);
    float *row = hz_arena_alloc(step->arena, padded * sizeof *row);
    if (!row) {
        return hz_fail(f->err, HZ_NO_MEMORY, HZ_NO_OFFSET,
                       "preparing the graph takes more memory than there is or is allowed");
    }
    const float *from = added->data;
    for (size_t j = 0; j < padded; j++) {
        row[j] = j >= layer->outputs ? 0 : added->count == 1 ? from[0] : from[j];
    }
    layer->after = row;
    *taken = true;
    return HZ_OK;
}

/* The reader applies a function to each number: the layer does it. */
static bool take_map(hzi_dense *layer, const hzi_step *reader) {
    return layer->map == HZI_MAP_NONE && hzi_unary_map(reader, &layer->map, &layer->a, &layer->b) &&
           layer->map != HZI_MAP_NONE;
}

static hz_status grow_layer(const fusing *f, size_t index) {
    hzi_step *step = &f->program->steps[index];
    hzi_dense *layer = step->run ? hzi_product_layer(step) : NULL;
    bool taken = layer != NULL;
    while (taken) {
        uint32_t input = 0;
        hzi_step *reader = only_reader(f, index, &input);
        if (!reader) {
            break;
        }
        hz_status status = take_addition(f, step, layer, reader, input, &taken);
        if (status != HZ_OK) {
            return status;
        }
        taken = taken || take_map(layer, reader);
        if (taken) {
            f->uses[value_of(f->program, step->outputs[0])] = 0;
            step->outputs[0] = reader->outputs[0];
            reader->run = NULL;
        }
    }
    return HZ_OK;
}

hz_status hzi_fuse(hzi_program *program, uint32_t *uses, hz_error *err) {
    const fusing f = {program, uses, err};
    for (size_t i = 0; i < program->step_count; i++) {
        hz_status status = grow_layer(&f, i);
        if (status != HZ_OK) {
            return status;
        }
    }
    for (size_t i = 0; i < program->step_count; i++) {
        hzi_step *step = &program->steps[i];
        if (step->run == hzi_run_copy && !step->inputs[0]->known) {
            program->shares[value_of(program, step->outputs[0])] =
                (uint32_t)value_of(program, step->inputs[0]);
            step->run = NULL;
        }
    }
    return HZ_OK;
}
