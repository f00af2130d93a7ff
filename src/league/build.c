/* SPDX-License-Identifier: MIT */
/* The toolkit for evaluators written as graphs; see build.h. */
#include "league/build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPSET = 9, IR = 4, NAME = 16, TERMS_MAX = 1024, PLANE = 64, HALF = 770 };

static const char *name_of(hzi_term term, char name[NAME]) {
    if (term == HZI_BOARD) {
        return "board";
    }
    (void)snprintf(name, NAME, "v%d", term);
    return name;
}

void hzi_build_begin(hzi_build *b, const char *name) {
    memset(b, 0, sizeof *b);
    b->out = hz_builder_new(name, IR, OPSET, 0);
    b->next = 1;
    if (b->out) {
        hz_builder_input(b->out, "board", HZ_ELEMENT_FLOAT, (int64_t[]){HZ_DYNAMIC, HALF + HALF},
                         2);
        hz_builder_output(b->out, "score", HZ_ELEMENT_FLOAT, (int64_t[]){HZ_DYNAMIC, 1}, 2);
    }
}

hz_status hzi_build_end(hzi_build *b, hzi_term score, hz_arena *arena, const void **bytes,
                        size_t *length, hz_error *err) {
    char name[NAME];
    if (!b->out) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "out of memory");
    }
    const char *input = name_of(score, name), *output = "score";
    hz_builder_node(b->out, "", "Identity", &input, 1, &output, 1);
    hz_status status = hz_builder_finish(b->out, arena, bytes, length, err);
    hz_builder_free(b->out);
    b->out = NULL;
    return status;
}

hzi_term hzi_op(hzi_build *b, const char *operation, const hzi_term *terms, size_t count) {
    char names[TERMS_MAX][NAME], result[NAME];
    const char *inputs[TERMS_MAX];
    hzi_term term = b->next++;
    if (!b->out || count > TERMS_MAX) {
        return term;
    }
    for (size_t i = 0; i < count; i++) {
        inputs[i] = name_of(terms[i], names[i]);
    }
    const char *output = name_of(term, result);
    hz_builder_node(b->out, "", operation, inputs, count, &output, 1);
    return term;
}

hzi_term hzi_op1(hzi_build *b, const char *operation, hzi_term x) {
    return hzi_op(b, operation, &x, 1);
}

hzi_term hzi_op2(hzi_build *b, const char *operation, hzi_term x, hzi_term y) {
    return hzi_op(b, operation, (hzi_term[]){x, y}, 2);
}

static void set_int(hzi_build *b, const char *name, int value) {
    if (b->out) {
        hz_builder_int(b->out, name, value);
    }
}

static void set_ints(hzi_build *b, const char *name, const int64_t *values, size_t count) {
    if (b->out) {
        hz_builder_ints(b->out, name, values, count);
    }
}

/* ---- forms ----------------------------------------------------------------------------------------- */

hzi_term hzi_slice(hzi_build *b, hzi_term x, int axis, int from, int to) {
    hzi_term term = hzi_op1(b, "Slice", x);
    set_ints(b, "axes", (int64_t[]){axis}, 1);
    set_ints(b, "starts", (int64_t[]){from}, 1);
    set_ints(b, "ends", (int64_t[]){to}, 1);
    return term;
}

hzi_term hzi_concat(hzi_build *b, int axis, const hzi_term *terms, size_t count) {
    hzi_term term = hzi_op(b, "Concat", terms, count);
    set_int(b, "axis", axis);
    return term;
}

static hzi_term reduce(hzi_build *b, const char *operation, hzi_term x, int first, int last) {
    int64_t axes[4];
    size_t count = 0;
    for (int axis = first; axis <= last && count < 4; axis++) {
        axes[count++] = axis;
    }
    hzi_term term = hzi_op1(b, operation, x);
    set_ints(b, "axes", axes, count);
    return term;
}

hzi_term hzi_sum(hzi_build *b, hzi_term x, int first, int last) {
    return reduce(b, "ReduceSum", x, first, last);
}

hzi_term hzi_largest(hzi_build *b, hzi_term x, int first, int last) {
    return reduce(b, "ReduceMax", x, first, last);
}

static hzi_term unsqueeze(hzi_build *b, hzi_term x, const int64_t *axes, size_t count) {
    hzi_term term = hzi_op1(b, "Unsqueeze", x);
    set_ints(b, "axes", axes, count);
    return term;
}

hzi_term hzi_transpose_board(hzi_build *b, hzi_term x) {
    hzi_term term = hzi_op1(b, "Transpose", x);
    set_ints(b, "perm", (int64_t[]){0, 1, 3, 2}, 4);
    return term;
}

/* One Pad does both: what leaves the board is cut off on one side, zeroes come in on the other. */
hzi_term hzi_look(hzi_build *b, hzi_term x, int ranks, int files) {
    hzi_term term = hzi_op1(b, "Pad", x);
    set_ints(b, "pads", (int64_t[]){0, 0, -ranks, -files, 0, 0, ranks, files}, 8);
    return term;
}

hzi_term hzi_planes(hzi_build *b) {
    hzi_term planes[24];
    for (int side = 0; side < 2; side++) { /* own, enemy */
        for (int type = 0; type < HZ_PIECE_TYPES; type++) {
            for (int view = 0; view < 2; view++) {
                int first = view * HALF + (6 * side + type) * PLANE;
                hzi_term plane = hzi_slice(b, HZI_BOARD, 1, first, first + PLANE);
                planes[12 * side + 2 * type + view] = unsqueeze(b, plane, (int64_t[]){2}, 1);
            }
        }
    }
    /* Square by square all planes, as DepthToSpace wants them. */
    hzi_term all = hzi_op1(b, "Flatten", hzi_concat(b, 2, planes, 24));
    set_int(b, "axis", 1);
    hzi_term board = hzi_op1(b, "DepthToSpace", unsqueeze(b, all, (int64_t[]){2, 3}, 2));
    set_int(b, "blocksize", 8);
    return board;
}

/* ---- numbers --------------------------------------------------------------------------------------- */

/* e^0: the exponent is a tensor of zeroes whose shape is the shape of the shape of a shape, [1]. */
static hzi_term one(hzi_build *b) {
    if (!b->one) {
        hzi_term shape = hzi_op1(b, "Shape", HZI_BOARD);
        for (int i = 0; i < 2; i++) {
            shape = hzi_op1(b, "Shape", shape);
        }
        b->one = hzi_op1(b, "Exp", hzi_op1(b, "ConstantOfShape", shape));
    }
    return b->one;
}

static hzi_term make_integer(hzi_build *b, int n) {
    if (n < 0) {
        return hzi_op1(b, "Neg", hzi_integer(b, -n));
    }
    if (n < 2) {
        return n ? one(b) : hzi_op2(b, "Sub", one(b), one(b));
    }
    hzi_term half = hzi_integer(b, n / 2), even = hzi_op2(b, "Add", half, half);
    return n % 2 ? hzi_op2(b, "Add", even, one(b)) : even;
}

hzi_term hzi_integer(hzi_build *b, int n) {
    if (n <= -HZI_INTEGERS || n >= HZI_INTEGERS) {
        return make_integer(b, n);
    }
    if (!b->integers[n + HZI_INTEGERS]) {
        b->integers[n + HZI_INTEGERS] = make_integer(b, n);
    }
    return b->integers[n + HZI_INTEGERS];
}

hzi_term hzi_table(hzi_build *b, const int *dims, int rank, const int *values) {
    hzi_term parts[TERMS_MAX];
    int count = dims[0], step = 1;
    for (int i = 1; i < rank; i++) {
        step *= dims[i];
    }
    for (int i = 0; i < count && i < TERMS_MAX; i++) {
        parts[i] =
            rank == 1 ? hzi_integer(b, values[i])
                      : unsqueeze(b, hzi_table(b, dims + 1, rank - 1, values + (ptrdiff_t)i * step),
                                  (int64_t[]){0}, 1);
    }
    return count == 1 ? parts[0] : hzi_concat(b, 0, parts, (size_t)count);
}

hzi_term hzi_weights(hzi_build *b, const int64_t *dims, int rank, const float *values) {
    hzi_term term = b->next++;
    char name[NAME];
    float copy[TERMS_MAX];
    hz_tensor tensor = {.element = HZ_ELEMENT_FLOAT, .rank = (uint32_t)rank, .data = copy};
    memcpy(tensor.shape, dims, (size_t)rank * sizeof *dims);
    size_t count = hz_tensor_count(&tensor);
    if (b->out && count <= TERMS_MAX) {
        memcpy(copy, values, count * sizeof *copy);
        hz_builder_initializer(b->out, name_of(term, name), &tensor);
    }
    return term;
}

hzi_term hzi_not(hzi_build *b, hzi_term x) {
    return hzi_op2(b, "Sub", one(b), x);
}

hzi_term hzi_times(hzi_build *b, hzi_term x, int n) {
    return n == 1 ? x : hzi_op2(b, "Mul", x, hzi_integer(b, n));
}

hzi_term hzi_at_most(hzi_build *b, hzi_term x, int n) {
    return hzi_op2(b, "Min", x, hzi_integer(b, n));
}
