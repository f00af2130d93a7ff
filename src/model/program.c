/* SPDX-License-Identifier: MIT */
/*
 * Preparing a graph for concrete shapes: every node becomes a step; steps whose inputs are known are
 * run at once; steps nobody reads are dropped; what is left is fused, and its memory planned
 * (memory_plan.c). Running a program is calling its steps in order.
 */
#include "model/program.h"

#include "model/memory_plan.h"

#include <string.h>

typedef struct making {
    const hz_graph *graph;
    const void *const *known; /* numbers of inputs, or NULL */
    hzi_program *program;
    hz_arena folding; /* work memory of steps that are run at once */
    uint64_t work;    /* so far */
    hz_error *err;
} making;

static hz_status no_memory(const making *maker) {
    return hz_fail(maker->err, HZ_GRAPH, HZ_NO_OFFSET,
                   "preparing the graph takes more memory than there is or is allowed (%zu bytes)",
                   maker->graph->limits.memory_bytes);
}

static void *keep(making *maker, size_t count, size_t size) {
    if (size > 0 && count > SIZE_MAX / size) {
        return NULL;
    }
    void *memory = hz_arena_alloc(&maker->program->arena, count * size);
    if (memory) {
        memset(memory, 0, count * size);
    }
    return memory;
}

/* ---- values that are there before any step ----------------------------------------------------- */

static void set_constant(hzi_tensor *tensor, const hzi_value *value) {
    tensor->element = value->tensor.element;
    tensor->shape.rank = (int)value->tensor.rank;
    memcpy(tensor->shape.dim, value->tensor.shape, sizeof tensor->shape.dim);
    tensor->count = (int64_t)hz_tensor_count(&value->tensor);
    tensor->data = value->tensor.data;
    tensor->known = true;
}

static hz_status set_input(making *maker, size_t index, const hzi_shape *shape) {
    const hz_port *port = &maker->graph->inputs[index];
    hzi_tensor *tensor = maker->program->inputs[index];
    size_t size = hz_element_size(port->element);
    if (!port->is_tensor || size == 0) {
        return hz_fail(maker->err, HZ_GRAPH, HZ_NO_OFFSET, "input '%.200s' %s%s, which is not run",
                       port->name, port->is_tensor ? "holds " : "is no tensor",
                       port->is_tensor ? hz_element_name(port->element) : "");
    }
    int64_t count = hzi_shape_count(shape);
    if (count < 0 || (uint64_t)count > maker->graph->limits.memory_bytes / size) {
        char text[200];
        (void)hzi_shape_text(shape, text, sizeof text);
        return hz_fail(maker->err, HZ_GRAPH, HZ_NO_OFFSET,
                       "input '%.200s' %s is beyond the memory limit", port->name, text);
    }
    tensor->element = port->element;
    tensor->shape = *shape;
    tensor->count = count;
    if (maker->known && maker->known[index]) {
        tensor->data = hzi_arena_aligned(&maker->program->arena, (size_t)count * size);
        if (!tensor->data) {
            return no_memory(maker);
        }
        memcpy(tensor->data, maker->known[index], (size_t)count * size);
        tensor->known = true;
    }
    return HZ_OK;
}

static hz_status set_values(making *maker, const hzi_shape *input_shapes) {
    const hz_graph *graph = maker->graph;
    hzi_program *program = maker->program;
    program->value_count = graph->value_count;
    program->input_count = graph->input_count;
    program->output_count = graph->output_count;
    program->values = keep(maker, graph->value_count, sizeof *program->values);
    program->shares = keep(maker, graph->value_count, sizeof *program->shares);
    program->inputs = keep(maker, graph->input_count, sizeof(hzi_tensor *));
    program->outputs = keep(maker, graph->output_count, sizeof(hzi_tensor *));
    if (!program->values || !program->shares || !program->inputs || !program->outputs) {
        return no_memory(maker);
    }
    for (size_t i = 0; i < graph->value_count; i++) {
        program->values[i].name = graph->values[i].name;
        program->shares[i] = HZI_NO_VALUE;
        if (graph->values[i].constant) {
            set_constant(&program->values[i], &graph->values[i]);
        }
    }
    for (size_t i = 0; i < graph->output_count; i++) {
        program->outputs[i] = &program->values[graph->output_values[i]];
    }
    hz_status status = HZ_OK;
    for (size_t i = 0; i < graph->input_count && status == HZ_OK; i++) {
        program->inputs[i] = &program->values[graph->input_values[i]];
        status = set_input(maker, i, &input_shapes[i]);
    }
    return status;
}

/* ---- steps -------------------------------------------------------------------------------------- */

static hz_status link_step(making *maker, const hzi_node *node, hzi_step *step) {
    hzi_tensor **inputs = keep(maker, node->input_count, sizeof(hzi_tensor *));
    hzi_tensor **outputs = keep(maker, node->output_count, sizeof(hzi_tensor *));
    if (!inputs || !outputs) {
        return no_memory(maker);
    }
    *step = (hzi_step){.node = node,
                       .input_count = node->input_count,
                       .output_count = node->output_count,
                       .inputs = inputs,
                       .outputs = outputs,
                       .arena = &maker->program->arena,
                       .err = maker->err};
    for (uint32_t i = 0; i < node->input_count; i++) {
        if (node->inputs[i] != HZI_NO_VALUE) {
            inputs[i] = &maker->program->values[node->inputs[i]];
        }
    }
    for (uint32_t i = 0; i < node->output_count; i++) {
        if (node->outputs[i] != HZI_NO_VALUE) {
            outputs[i] = &maker->program->values[node->outputs[i]];
        }
    }
    return HZ_OK;
}

static uint64_t add_up(uint64_t a, uint64_t b) {
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* A bound on what running it takes, so that a graph cannot be made to run for ever. */
static hz_status count_work(making *maker, hzi_step *step) {
    uint64_t work = step->multiply_adds;
    for (uint32_t i = 0; i < step->input_count; i++) {
        work = add_up(work, step->inputs[i] ? (uint64_t)step->inputs[i]->count : 0);
    }
    for (uint32_t i = 0; i < step->output_count; i++) {
        work = add_up(work, step->outputs[i] ? (uint64_t)step->outputs[i]->count : 0);
    }
    maker->work = add_up(maker->work, work);
    if (maker->work > maker->graph->limits.work) {
        return hzi_step_refuse(step, "up to here the graph takes more than %llu operations",
                               (unsigned long long)maker->graph->limits.work);
    }
    return HZ_OK;
}

static bool all_known(hzi_tensor *const *tensors, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (tensors[i] && !tensors[i]->known) {
            return false;
        }
    }
    return true;
}

/* Runs a step whose inputs are known; its outputs become constants. */
static hz_status fold(making *maker, hzi_step *step) {
    for (uint32_t i = 0; i < step->output_count; i++) {
        hzi_tensor *output = step->outputs[i];
        if (output) {
            size_t size = (size_t)output->count * hz_element_size(output->element);
            output->data = hzi_arena_aligned(&maker->program->arena, size);
            if (!output->data) {
                return hzi_step_no_memory(step);
            }
        }
    }
    hz_arena_reset(&maker->folding);
    step->scratch = hzi_arena_aligned(&maker->folding, step->scratch_bytes);
    if (!step->scratch) {
        return hzi_step_no_memory(step);
    }
    step->run(step);
    for (uint32_t i = 0; i < step->output_count; i++) {
        if (step->outputs[i]) {
            step->outputs[i]->known = true;
        }
    }
    return HZ_OK;
}

static hz_status prepare(making *maker, hzi_step *step) {
    hz_status status = hzi_step_serve(step);
    if (status == HZ_OK) {
        status = step->op->prepare(step);
    }
    if (status != HZ_OK) {
        return status;
    }
    for (uint32_t i = 0; i < step->output_count; i++) {
        if (step->outputs[i] && step->outputs[i]->element == HZ_ELEMENT_UNDEFINED) {
            return hzi_step_refuse(step, "its output %u is not supported", i);
        }
    }
    if (all_known(step->outputs, step->output_count)) {
        step->run = NULL;
        return HZ_OK;
    }
    status = count_work(maker, step);
    if (status == HZ_OK && all_known(step->inputs, step->input_count)) {
        status = fold(maker, step);
        step->run = NULL;
    }
    return status;
}

static hz_status make_steps(making *maker) {
    hzi_program *program = maker->program;
    program->step_count = maker->graph->node_count;
    program->steps = keep(maker, program->step_count, sizeof *program->steps);
    if (!program->steps) {
        return no_memory(maker);
    }
    hz_status status = HZ_OK;
    for (size_t i = 0; i < program->step_count && status == HZ_OK; i++) {
        status = link_step(maker, &maker->graph->nodes[i], &program->steps[i]);
        if (status == HZ_OK) {
            status = prepare(maker, &program->steps[i]);
        }
    }
    return status;
}

/* ---- what is left to do -------------------------------------------------------------------------- */

static size_t value_of(const hzi_program *program, const hzi_tensor *tensor) {
    return (size_t)(tensor - program->values);
}

/* Drops steps whose results nobody reads. */
static hz_status drop_unread(making *maker) {
    hzi_program *program = maker->program;
    bool *read = keep(maker, program->value_count, sizeof *read);
    if (!read) {
        return no_memory(maker);
    }
    for (size_t i = 0; i < program->output_count; i++) {
        read[value_of(program, program->outputs[i])] = true;
    }
    for (size_t i = program->step_count; i-- > 0;) {
        hzi_step *step = &program->steps[i];
        bool wanted = false;
        for (uint32_t k = 0; k < step->output_count; k++) {
            wanted = wanted || (step->outputs[k] && read[value_of(program, step->outputs[k])]);
        }
        if (!wanted) {
            step->run = NULL;
        }
        for (uint32_t k = 0; step->run && k < step->input_count; k++) {
            if (step->inputs[k]) {
                read[value_of(program, step->inputs[k])] = true;
            }
        }
    }
    return HZ_OK;
}

/* Closes up where steps went away. */
static void close_up(hzi_program *program) {
    size_t count = 0;
    for (size_t i = 0; i < program->step_count; i++) {
        if (program->steps[i].run) {
            program->steps[count++] = program->steps[i];
        }
    }
    program->step_count = count;
}

static hz_status fuse(making *maker) {
    hzi_program *program = maker->program;
    uint32_t *uses = keep(maker, program->value_count, sizeof *uses);
    if (!uses) {
        return no_memory(maker);
    }
    for (size_t i = 0; i < program->step_count; i++) {
        for (uint32_t k = 0; k < program->steps[i].input_count; k++) {
            if (program->steps[i].inputs[k]) {
                uses[value_of(program, program->steps[i].inputs[k])]++;
            }
        }
    }
    for (size_t i = 0; i < program->output_count; i++) {
        uses[value_of(program, program->outputs[i])]++;
    }
    hz_status status = hzi_fuse(program, uses, maker->err);
    close_up(program);
    return status;
}

/* Sums up the program; steps forget what was only for their preparation. */
static hz_status finish(making *maker) {
    hzi_program *program = maker->program;
    bool *counted = keep(maker, program->value_count, sizeof *counted);
    if (!counted) {
        return no_memory(maker);
    }
    for (size_t i = 0; i < program->step_count; i++) {
        hzi_step *step = &program->steps[i];
        step->err = NULL;
        program->multiply_adds = add_up(program->multiply_adds, step->multiply_adds);
        for (uint32_t k = 0; k < step->input_count; k++) {
            const hzi_tensor *input = step->inputs[k];
            if (input && input->known && !counted[value_of(program, input)]) {
                counted[value_of(program, input)] = true;
                program->constant_bytes += (uint64_t)input->count * hz_element_size(input->element);
            }
        }
    }
    return HZ_OK;
}

static hz_status make(making *maker, const hzi_shape *input_shapes) {
    hz_status status = set_values(maker, input_shapes);
    if (status == HZ_OK) {
        status = make_steps(maker);
    }
    if (status == HZ_OK) {
        status = drop_unread(maker);
    }
    if (status == HZ_OK) {
        close_up(maker->program);
        status = fuse(maker);
    }
    if (status == HZ_OK) {
        status = finish(maker);
    }
    if (status == HZ_OK && !hzi_plan_memory(maker->program)) {
        status = no_memory(maker);
    }
    return status;
}

hz_status hzi_program_make_known(const hz_graph *graph, const hzi_shape *input_shapes,
                                 const void *const *known, hzi_program *program, hz_error *err) {
    making maker = {.graph = graph, .known = known, .program = program, .err = err};
    size_t held = graph->arena.held, limit = graph->limits.memory_bytes;
    size_t left = limit > held ? limit - held : 1; /* 0 would be no limit */
    *program = (hzi_program){0};
    hz_arena_init(&program->arena, left);
    hz_arena_init(&maker.folding, left);
    hz_status status = make(&maker, input_shapes);
    hz_arena_fini(&maker.folding);
    if (status != HZ_OK) {
        hzi_program_fini(program);
    }
    return status;
}

hz_status hzi_program_make(const hz_graph *graph, const hzi_shape *input_shapes,
                           hzi_program *program, hz_error *err) {
    return hzi_program_make_known(graph, input_shapes, NULL, program, err);
}

void hzi_program_fini(hzi_program *program) {
    if (program) {
        hz_arena_fini(&program->arena);
        *program = (hzi_program){0};
    }
}

void hzi_program_run(hzi_program *program) {
    for (size_t i = 0; i < program->mirror_count; i++) {
        program->mirrors[i].tensor->data = program->mirrors[i].input->data;
    }
    for (size_t i = 0; i < program->step_count; i++) {
        program->steps[i].run(&program->steps[i]);
    }
}
