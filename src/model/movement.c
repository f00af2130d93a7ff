/* SPDX-License-Identifier: MIT */
/*
 * Operators that put numbers somewhere else and leave them as they are, for any element type: what
 * can be said with strides (Transpose, Tile, DepthToSpace...) is one walk, Concat and Split copy
 * blocks. Slice, Pad and the Gathers have files of their own.
 */
#include "model/movement.h"

#include "model/stride.h"

#include <string.h>

/* ---- Concat and Split --------------------------------------------------------------------------- */

/* Elements of one block: everything from `axis` on. */
static size_t block_bytes(const hzi_tensor *tensor, int axis) {
    size_t bytes = hz_element_size(tensor->element);
    for (int i = axis; i < tensor->shape.rank; i++) {
        bytes *= (size_t)tensor->shape.dim[i];
    }
    return bytes;
}

/* What is put together or taken apart. */
typedef struct parting {
    int axis;
    int64_t sizes[]; /* of Split's parts along the axis */
} parting;

static void run_concat(const hzi_step *step) {
    int axis = ((const parting *)step->param)->axis;
    const hzi_tensor *output = step->outputs[0];
    if (output->count == 0) {
        return;
    }
    size_t whole = block_bytes(output, axis);
    size_t blocks = (size_t)output->count * hz_element_size(output->element) / whole;
    char *to = output->data;
    for (uint32_t k = 0; k < step->input_count; k++) {
        const char *from = step->inputs[k]->data;
        size_t bytes = block_bytes(step->inputs[k], axis);
        for (size_t block = 0; block < blocks && bytes > 0; block++) {
            memcpy(to + block * whole, from + block * bytes, bytes);
        }
        to += bytes;
    }
}

static hz_status prepare_concat(hzi_step *step) {
    const hzi_tensor *first;
    int axis;
    if (!hzi_node_attribute(step->node, "axis")) {
        return hzi_step_refuse(step, "attribute 'axis' is missing");
    }
    hz_status status = hzi_step_movable(step, 0, &first);
    status = status == HZ_OK ? hzi_step_axis(step, 0, first->shape.rank, &axis) : status;
    if (status != HZ_OK) {
        return status;
    }
    hzi_shape shape = first->shape;
    for (uint32_t k = 1; k < step->input_count; k++) {
        const hzi_tensor *next;
        status = hzi_step_movable(step, k, &next);
        if (status != HZ_OK) {
            return status;
        }
        hzi_shape like = next->shape;
        if (like.rank == shape.rank) {
            like.dim[axis] = shape.dim[axis];
        }
        if (next->element != first->element || !hzi_shape_equal(&like, &shape) ||
            !hzi_add(shape.dim[axis], next->shape.dim[axis], &shape.dim[axis])) {
            char of_first[200], of_next[200];
            (void)hzi_shape_text(&first->shape, of_first, sizeof of_first);
            (void)hzi_shape_text(&next->shape, of_next, sizeof of_next);
            return hzi_step_refuse(step,
                                   "input %u '%.80s' %s %s does not continue input 0 %s %s along "
                                   "axis %d",
                                   k, next->name, hz_element_name(next->element), of_next,
                                   hz_element_name(first->element), of_first, axis);
        }
    }
    parting *p = hzi_step_alloc(step, sizeof *p);
    if (!p) {
        return hzi_step_no_memory(step);
    }
    p->axis = axis;
    step->param = p;
    hzi_step_runs(step, step->input_count == 1 ? hzi_run_copy : run_concat);
    return hzi_step_output(step, 0, first->element, &shape);
}

static void run_split(const hzi_step *step) {
    const parting *p = step->param;
    int axis = p->axis;
    const hzi_tensor *input = step->inputs[0];
    if (input->count == 0) {
        return;
    }
    size_t whole = block_bytes(input, axis);
    size_t blocks = (size_t)input->count * hz_element_size(input->element) / whole;
    size_t line = block_bytes(input, axis + 1);
    const char *from = input->data;
    for (uint32_t k = 0; k < step->output_count; k++) {
        size_t bytes = (size_t)p->sizes[k] * line;
        for (size_t block = 0; block < blocks && bytes > 0 && step->outputs[k]; block++) {
            memcpy((char *)step->outputs[k]->data + block * bytes, from + block * whole, bytes);
        }
        from += bytes;
    }
}

/* The sizes of the parts when the node does not list them. */
static hz_status equal_parts(hzi_step *step, int64_t dim, int axis, int64_t *sizes) {
    int64_t parts = step->output_count, number = parts;
    if (step->node->opset >= 18) {
        hz_status status = hzi_step_int(step, "num_outputs", 0, &number);
        if (status != HZ_OK) {
            return status;
        }
        if (number != parts) {
            return hzi_step_refuse(step, "attribute 'num_outputs' is %lld for %lld outputs",
                                   (long long)number, (long long)parts);
        }
    } else if (dim % parts != 0) {
        return hzi_step_refuse(step, "axis %d of size %lld cannot be split into %lld equal parts",
                               axis, (long long)dim, (long long)parts);
    }
    int64_t size = dim / parts + (dim % parts != 0);
    for (int64_t i = 0; i < parts; i++) {
        sizes[i] = size;
    }
    if (size > 0 && (parts - 1) > dim / size) {
        return hzi_step_refuse(step, "axis %d of size %lld is too short for %lld parts", axis,
                               (long long)dim, (long long)parts);
    }
    sizes[parts - 1] = dim - size * (parts - 1);
    return HZ_OK;
}

static hz_status listed_parts(hzi_step *step, const int64_t *list, size_t count, int64_t dim,
                              int axis, int64_t *sizes) {
    int64_t sum = 0;
    bool fits = count == step->output_count;
    for (size_t i = 0; i < count && fits; i++) {
        sizes[i] = list[i];
        fits = list[i] >= 0 && hzi_add(sum, list[i], &sum);
    }
    if (!fits || sum != dim) {
        return hzi_step_refuse(step,
                               "the %zu listed parts do not split axis %d of size %lld into %u "
                               "outputs",
                               count, axis, (long long)dim, step->output_count);
    }
    return HZ_OK;
}

static hz_status prepare_split(hzi_step *step) {
    const hzi_tensor *input;
    const int64_t *list = NULL;
    size_t count = 0;
    int axis;
    hz_status status = hzi_step_movable(step, 0, &input);
    status = status == HZ_OK ? hzi_step_axis(step, 0, input->shape.rank, &axis) : status;
    bool listed = step->node->opset < 13 ? hzi_node_attribute(step->node, "split") != NULL
                                         : hzi_step_has(step, 1);
    if (status == HZ_OK && listed) {
        status = step->node->opset < 13 ? hzi_step_ints(step, "split", &list, &count)
                                        : hzi_step_known_ints(step, 1, "the split", &list, &count);
    }
    if (status != HZ_OK) {
        return status;
    }
    if (step->node->opset >= 18 &&
        listed == (hzi_node_attribute(step->node, "num_outputs") != NULL)) {
        return hzi_step_refuse(step, "either the split or 'num_outputs' says how to split");
    }
    parting *p = hzi_step_alloc(step, sizeof *p + step->output_count * sizeof *p->sizes);
    if (!p) {
        return hzi_step_no_memory(step);
    }
    int64_t dim = input->shape.dim[axis];
    status = listed ? listed_parts(step, list, count, dim, axis, p->sizes)
                    : equal_parts(step, dim, axis, p->sizes);
    p->axis = axis;
    step->param = p;
    step->run = run_split;
    hzi_shape shape = input->shape;
    for (uint32_t k = 0; k < step->output_count && status == HZ_OK; k++) {
        shape.dim[axis] = p->sizes[k];
        status = hzi_step_output(step, k, input->element, &shape);
    }
    return status;
}

/* ---- permutations -------------------------------------------------------------------------------- */

/* The step reads the input as `view` (of as many elements, row-major) with its dimensions in
 * another order, and writes them as `shape`. */
static hz_status permute(hzi_step *step, const hzi_shape *view, const int *order,
                         const hzi_shape *shape) {
    hz_status status = hzi_step_output(step, 0, step->inputs[0]->element, shape);
    if (status != HZ_OK) {
        return status;
    }
    int64_t strides[HZ_RANK_MAX] = {0}, turned[HZ_RANK_MAX] = {0};
    hzi_shape lying = {.rank = view->rank};
    hzi_strides(view, strides);
    for (int i = 0; i < view->rank; i++) {
        lying.dim[i] = view->dim[order[i]];
        turned[i] = strides[order[i]];
    }
    hzi_walk walk;
    hzi_walk_begin(&walk, &lying);
    hzi_walk_operand(&walk, &lying);
    hzi_walk_strides(&walk, turned, 0);
    hzi_walk_close(&walk);
    return hzi_step_moves(step, &walk);
}

static hz_status prepare_transpose(hzi_step *step) {
    const hzi_tensor *input;
    const int64_t *perm;
    size_t count;
    hz_status status = hzi_step_movable(step, 0, &input);
    status = status == HZ_OK ? hzi_step_ints(step, "perm", &perm, &count) : status;
    if (status != HZ_OK) {
        return status;
    }
    int rank = input->shape.rank, order[HZ_RANK_MAX];
    bool seen[HZ_RANK_MAX] = {false}, fits = !perm || count == (size_t)rank;
    hzi_shape shape = {.rank = rank};
    for (int i = 0; i < rank && fits; i++) {
        int64_t from = perm ? perm[i] : rank - 1 - i;
        fits = from >= 0 && from < rank && !seen[from];
        if (fits) {
            seen[from] = true;
            order[i] = (int)from;
            shape.dim[i] = input->shape.dim[from];
        }
    }
    if (!fits) {
        return hzi_step_refuse(step, "attribute 'perm' is no order of %d axes", rank);
    }
    return permute(step, &input->shape, order, &shape);
}

/* What DepthToSpace and SpaceToDepth begin with: an image and a block size. */
static hz_status blocks(hzi_step *step, const hzi_tensor **input, int64_t *block) {
    hz_status status = hzi_step_movable(step, 0, input);
    status = status == HZ_OK ? hzi_step_int(step, "blocksize", 0, block) : status;
    if (status != HZ_OK) {
        return status;
    }
    if ((*input)->shape.rank != 4) {
        return hzi_step_refuse(step, "the input has rank %d, it must be 4", (*input)->shape.rank);
    }
    if (*block < 1 || *block > INT32_MAX) {
        return hzi_step_refuse(step, "attribute 'blocksize' is %lld", (long long)*block);
    }
    return HZ_OK;
}

static hz_status prepare_depth_to_space(hzi_step *step) {
    static const int DEPTH_FIRST[] = {0, 3, 4, 1, 5, 2}, COLUMN_FIRST[] = {0, 1, 4, 2, 5, 3};
    const hzi_tensor *input;
    int64_t b;
    const char *mode;
    hz_status status = blocks(step, &input, &b);
    status = status == HZ_OK ? hzi_step_string(step, "mode", "DCR", &mode) : status;
    if (status != HZ_OK) {
        return status;
    }
    const int64_t *dim = input->shape.dim;
    bool columns = strcmp(mode, "CRD") == 0;
    if (!columns && strcmp(mode, "DCR") != 0) {
        return hzi_step_refuse(step, "attribute 'mode' is '%.40s'", mode);
    }
    hzi_shape shape = {.rank = 4, .dim = {dim[0], dim[1] / (b * b)}};
    if (dim[1] % (b * b) != 0 || !hzi_multiply(dim[2], b, &shape.dim[2]) ||
        !hzi_multiply(dim[3], b, &shape.dim[3])) {
        return hzi_step_refuse(step, "%lld channels do not make blocks of %lld by %lld",
                               (long long)dim[1], (long long)b, (long long)b);
    }
    hzi_shape deep = {.rank = 6, .dim = {dim[0], b, b, shape.dim[1], dim[2], dim[3]}};
    hzi_shape wide = {.rank = 6, .dim = {dim[0], shape.dim[1], b, b, dim[2], dim[3]}};
    return permute(step, columns ? &wide : &deep, columns ? COLUMN_FIRST : DEPTH_FIRST, &shape);
}

static hz_status prepare_space_to_depth(hzi_step *step) {
    static const int ORDER[] = {0, 3, 5, 1, 2, 4};
    const hzi_tensor *input;
    int64_t b;
    hz_status status = blocks(step, &input, &b);
    if (status != HZ_OK) {
        return status;
    }
    const int64_t *dim = input->shape.dim;
    hzi_shape shape = {.rank = 4, .dim = {dim[0], 0, dim[2] / b, dim[3] / b}};
    if (dim[2] % b != 0 || dim[3] % b != 0 || !hzi_multiply(dim[1], b * b, &shape.dim[1])) {
        return hzi_step_refuse(step, "an image of %lld by %lld does not make blocks of %lld",
                               (long long)dim[2], (long long)dim[3], (long long)b);
    }
    hzi_shape view = {.rank = 6, .dim = {dim[0], dim[1], dim[2] / b, b, dim[3] / b, b}};
    return permute(step, &view, ORDER, &shape);
}

/* ---- Tile ---------------------------------------------------------------------------------------- */

static hz_status prepare_tile(hzi_step *step) {
    const hzi_tensor *input;
    const int64_t *repeats;
    size_t count;
    hz_status status = hzi_step_movable(step, 0, &input);
    status =
        status == HZ_OK ? hzi_step_known_list(step, 1, "the repeats", &repeats, &count) : status;
    if (status != HZ_OK) {
        return status;
    }
    hzi_shape shape = input->shape;
    bool fits = count == (size_t)shape.rank;
    for (int i = 0; i < shape.rank && fits; i++) {
        fits = hzi_multiply(shape.dim[i], repeats[i], &shape.dim[i]);
    }
    if (!fits) {
        return hzi_step_refuse(step, "%zu repeats do not fit rank %d, or one is out of range",
                               count, shape.rank);
    }
    status = hzi_step_output(step, 0, input->element, &shape);
    if (status != HZ_OK) {
        return status;
    }
    /* Every dimension becomes two: again from the start, and along the input. */
    hzi_walk walk = {.rank = 2 * shape.rank};
    int64_t to[HZI_WALK_RANK] = {0}, from[HZI_WALK_RANK] = {0};
    if (hzi_shape_count(&shape) > 0) {
        int64_t own[HZ_RANK_MAX] = {0}, whole[HZ_RANK_MAX] = {0};
        hzi_strides(&input->shape, own);
        hzi_strides(&shape, whole);
        for (int i = 0; i < shape.rank; i++) {
            to[2 * i] = whole[i] * input->shape.dim[i];
            to[2 * i + 1] = whole[i];
            from[2 * i + 1] = own[i];
        }
    }
    for (int i = 0; i < shape.rank; i++) {
        walk.dim[2 * i] = repeats[i];
        walk.dim[2 * i + 1] = input->shape.dim[i];
    }
    hzi_walk_strides(&walk, to, 0);
    hzi_walk_strides(&walk, from, 0);
    hzi_walk_close(&walk);
    return hzi_step_moves(step, &walk);
}

const hzi_operator hzi_operators_movement[] = {
    /* name, domain, opsets, inputs, outputs, attributes */
    {"Concat", "", 7, 21, 1, -1, 1, 1, "axis", prepare_concat},
    {"Split", "", 7, 12, 1, 1, 1, -1, "axis split", prepare_split},
    {"Split", "", 13, 17, 1, 2, 1, -1, "axis", prepare_split},
    {"Split", "", 18, 21, 1, 2, 1, -1, "axis num_outputs", prepare_split},
    {"Slice", "", 7, 9, 1, 1, 1, 1, "axes starts ends", hzi_prepare_slice},
    {"Slice", "", 10, 21, 3, 5, 1, 1, "", hzi_prepare_slice},
    {"Pad", "", 7, 10, 1, 1, 1, 1, "mode pads value", hzi_prepare_pad},
    {"Pad", "", 11, 17, 2, 3, 1, 1, "mode", hzi_prepare_pad},
    {"Pad", "", 18, 21, 2, 4, 1, 1, "mode", hzi_prepare_pad},
    {"Gather", "", 7, 21, 2, 2, 1, 1, "axis", hzi_prepare_gather},
    {"GatherElements", "", 11, 21, 2, 2, 1, 1, "axis", hzi_prepare_gather_elements},
    {"Transpose", "", 7, 21, 1, 1, 1, 1, "perm", prepare_transpose},
    {"Tile", "", 7, 21, 2, 2, 1, 1, "", prepare_tile},
    {"DepthToSpace", "", 7, 10, 1, 1, 1, 1, "blocksize", prepare_depth_to_space},
    {"DepthToSpace", "", 11, 21, 1, 1, 1, 1, "blocksize mode", prepare_depth_to_space},
    {"SpaceToDepth", "", 7, 21, 1, 1, 1, 1, "blocksize", prepare_space_to_depth},
    {.name = NULL},
};
