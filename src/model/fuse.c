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

#define NOBODY UINT32_MAX
#define SEVERAL (UINT32_MAX - 1)

typedef struct fusing {
    hzi_program *program;
    uint32_t
        *reader; /* by value that owns memory: the one step that reads it, NOBODY or SEVERAL (or
                         a graph output) */
    hz_error *err;
} fusing;

static hz_status no_memory(const fusing *f) {
    return hz_fail(f->err, HZ_NO_MEMORY, HZ_NO_OFFSET,
                   "preparing the graph takes more memory than there is or is allowed");
}

/* The value whose memory a tensor uses. Copies are removed in order, so that is one hop at most. */
static uint32_t owner(const hzi_program *program, const hzi_tensor *tensor) {
    uint32_t value = (uint32_t)(tensor - program->values);
    return program->shares[value] != HZI_NO_VALUE ? program->shares[value] : value;
}

static void remove_copies(hzi_program *program) {
    for (size_t i = 0; i < program->step_count; i++) {
        hzi_step *step = &program->steps[i];
        if (step->run == hzi_run_copy && !step->inputs[0]->known) {
            program->shares[step->outputs[0] - program->values] = owner(program, step->inputs[0]);
            step->run = NULL;
        }
    }
}

static hz_status find_readers(fusing *f) {
    hzi_program *program = f->program;
    f->reader = hz_arena_alloc(&program->arena, program->value_count * sizeof *f->reader);
    if (!f->reader) {
        return no_memory(f);
    }
    for (size_t i = 0; i < program->value_count; i++) {
        f->reader[i] = NOBODY;
    }
    for (size_t i = 0; i < program->step_count; i++) {
        const hzi_step *step = &program->steps[i];
        for (uint32_t k = 0; step->run && k < step->input_count; k++) {
            if (step->inputs[k]) {
                uint32_t *reader = &f->reader[owner(program, step->inputs[k])];
                *reader = *reader == NOBODY ? (uint32_t)i : SEVERAL;
            }
        }
    }
    for (size_t i = 0; i < program->output_count; i++) {
        f->reader[owner(program, program->outputs[i])] = SEVERAL;
    }
    return HZ_OK;
}

/* The only step that reads what this step computes, as input *input; NULL when there is none or
 * several. */
static hzi_step *only_reader(const fusing *f, const hzi_step *step, uint32_t *input) {
    uint32_t value = owner(f->program, step->outputs[0]), index = f->reader[value];
    if (index == NOBODY || index == SEVERAL) {
        return NULL;
    }
    hzi_step *reader = &f->program->steps[index];
    for (uint32_t k = 0; k < reader->input_count; k++) {
        if (reader->inputs[k] && owner(f->program, reader->inputs[k]) == value) {
            *input = k;
            return reader;
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
    /* The sum may have another shape than the product gave it, with the same rows. */
    const hzi_tensor *sum = reader->inputs[input], *added = reader->inputs[1 - input];
    if (!is_row(layer, sum, added) || !hzi_shape_equal(&reader->outputs[0]->shape, &sum->shape)) {
        return HZ_OK;
    }
    size_t padded = hzi_dense_padded(layer->outputs);
    float *row = hz_arena_alloc(step->arena, padded * sizeof *row);
    if (!row) {
        return no_memory(f);
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

static hz_status grow_layer(const fusing *f, hzi_step *step) {
    hzi_dense *layer = step->run ? hzi_product_layer(step) : NULL;
    bool taken = layer != NULL;
    while (taken) {
        uint32_t input = 0;
        hzi_step *reader = only_reader(f, step, &input);
        if (!reader) {
            break;
        }
        hz_status status = take_addition(f, step, layer, reader, input, &taken);
        if (status != HZ_OK) {
            return status;
        }
        taken = taken || take_map(layer, reader);
        if (taken) {
            step->outputs[0] = reader->outputs[0];
            reader->run = NULL;
        }
    }
    return HZ_OK;
}

hz_status hzi_fuse(hzi_program *program, hz_error *err) {
    fusing f = {.program = program, .err = err};
    remove_copies(program);
    hz_status status = find_readers(&f);
    for (size_t i = 0; i < program->step_count && status == HZ_OK; i++) {
        status = grow_layer(&f, &program->steps[i]);
    }
    return status;
}
