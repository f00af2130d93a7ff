/* SPDX-License-Identifier: MIT */
/*
 * First fit over time: steps are walked in order; what they compute goes into the lowest gap that is
 * wide enough among the values still needed. Values that share memory count as one.
 */
#include "model/memory_plan.h"

#include <string.h>

enum { ALIGNMENT = 64, SEARCHED = 1024 };
#define NEVER SIZE_MAX

typedef struct block {
    size_t offset, size;
    size_t last; /* step that needs it last */
} block;

typedef struct planning {
    hzi_program *program;
    size_t *last;   /* by value that owns memory: the step that needs it last, or NEVER */
    size_t *offset; /* likewise: its place, NEVER = none */
    bool *given;    /* by value: comes from outside, or is known */
    block *live;    /* by offset */
    size_t live_count;
    size_t size; /* of everything */
} planning;

static size_t value_of(const hzi_program *program, const hzi_tensor *tensor) {
    return (size_t)(tensor - program->values);
}

/* The value whose memory a value uses. */
static size_t owner(const hzi_program *program, size_t value) {
    for (size_t hop = 0; program->shares[value] != HZI_NO_VALUE && hop < program->value_count;
         hop++) {
        value = program->shares[value];
    }
    return value;
}

static void need(planning *plan, const hzi_tensor *tensor, size_t step) {
    if (tensor) {
        size_t value = owner(plan->program, value_of(plan->program, tensor));
        if (plan->last[value] == NEVER || plan->last[value] < step) {
            plan->last[value] = step;
        }
    }
}

static bool make_tables(planning *plan) {
    hzi_program *program = plan->program;
    size_t values = program->value_count;
    plan->last = hz_arena_alloc(&program->arena, values * sizeof *plan->last);
    plan->offset = hz_arena_alloc(&program->arena, values * sizeof *plan->offset);
    plan->given = hz_arena_alloc(&program->arena, values * sizeof *plan->given);
    plan->live = hz_arena_alloc(&program->arena, (values + 1) * sizeof *plan->live);
    if (!plan->last || !plan->offset || !plan->given || !plan->live) {
        return false;
    }
    for (size_t i = 0; i < values; i++) {
        plan->last[i] = plan->offset[i] = NEVER;
        plan->given[i] = program->values[i].known;
    }
    for (size_t i = 0; i < program->input_count; i++) {
        plan->given[value_of(program, program->inputs[i])] = true;
    }
    for (size_t i = 0; i < program->step_count; i++) {
        const hzi_step *step = &program->steps[i];
        for (uint32_t k = 0; k < step->input_count; k++) {
            need(plan, step->inputs[k], i);
        }
        for (uint32_t k = 0; k < step->output_count; k++) {
            need(plan, step->outputs[k], i);
        }
    }
    for (size_t i = 0; i < program->output_count; i++) {
        need(plan, program->outputs[i], program->step_count);
    }
    return true;
}

/* Forgets blocks that no step from `step` on needs. With very many it is done now and then. */
static void expire(planning *plan, size_t step) {
    if (plan->live_count > SEARCHED && step % SEARCHED != 0) {
        return;
    }
    size_t count = 0;
    for (size_t i = 0; i < plan->live_count; i++) {
        if (plan->live[i].last >= step) {
            plan->live[count++] = plan->live[i];
        }
    }
    plan->live_count = count;
}

/* False when the sizes do not add up. */
static bool place(planning *plan, size_t value) {
    const hzi_tensor *tensor = &plan->program->values[value];
    size_t size = (size_t)tensor->count * hz_element_size(tensor->element);
    if (size > SIZE_MAX / 4 || plan->size > SIZE_MAX / 4) {
        return false;
    }
    size = (size + (size ? 0 : 1) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    size_t at = 0, index = 0;
    if (plan->live_count > SEARCHED) {
        at = plan->size;
        index = plan->live_count;
    }
    for (; index < plan->live_count && plan->live[index].offset < at + size; index++) {
        at = plan->live[index].offset + plan->live[index].size;
    }
    memmove(plan->live + index + 1, plan->live + index,
            (plan->live_count - index) * sizeof *plan->live);
    plan->live[index] = (block){at, size, plan->last[value]};
    plan->live_count++;
    plan->offset[value] = at;
    if (at + size > plan->size) {
        plan->size = at + size;
    }
    return true;
}

static bool place_all(planning *plan) {
    const hzi_program *program = plan->program;
    for (size_t i = 0; i < program->step_count; i++) {
        const hzi_step *step = &program->steps[i];
        expire(plan, i);
        for (uint32_t k = 0; k < step->output_count; k++) {
            if (!step->outputs[k]) {
                continue;
            }
            size_t value = owner(program, value_of(program, step->outputs[k]));
            if (!plan->given[value] && plan->offset[value] == NEVER && !place(plan, value)) {
                return false;
            }
        }
    }
    return true;
}

/* Values get their addresses; those that lie in a graph input are noted. */
static bool set_addresses(planning *plan, unsigned char *memory) {
    hzi_program *program = plan->program;
    size_t mirrors = 0;
    for (size_t i = 0; i < program->value_count; i++) {
        size_t from = owner(program, i);
        mirrors += from != i && plan->given[from] && !program->values[from].known;
    }
    program->mirrors = hz_arena_alloc(&program->arena, mirrors * sizeof *program->mirrors);
    if (!program->mirrors) {
        return false;
    }
    for (size_t i = 0; i < program->value_count; i++) {
        hzi_tensor *tensor = &program->values[i];
        const hzi_tensor *from = &program->values[owner(program, i)];
        if (from->known) {
            tensor->data = from->data;
        } else if (!plan->given[value_of(program, from)]) {
            size_t offset = plan->offset[value_of(program, from)];
            tensor->data = offset == NEVER ? NULL : memory + offset;
        } else if (from != tensor) {
            program->mirrors[program->mirror_count++] = (hzi_mirror){tensor, from};
        }
    }
    return true;
}

bool hzi_plan_memory(hzi_program *program) {
    planning plan = {.program = program};
    if (!make_tables(&plan) || !place_all(&plan)) {
        return false;
    }
    size_t scratch = 0;
    for (size_t i = 0; i < program->step_count; i++) {
        size_t wanted = program->steps[i].scratch_bytes;
        scratch = wanted > scratch ? wanted : scratch;
    }
    unsigned char *memory = hzi_arena_aligned(&program->arena, plan.size);
    void *work = hzi_arena_aligned(&program->arena, scratch);
    if (!memory || !work || !set_addresses(&plan, memory)) {
        return false;
    }
    for (size_t i = 0; i < program->step_count; i++) {
        program->steps[i].scratch = work;
    }
    program->workspace_bytes = plan.size + scratch;
    return true;
}
