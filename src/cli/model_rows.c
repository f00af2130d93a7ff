/* SPDX-License-Identifier: MIT */
/*
 * Rows of numbers for graphs of any inputs: a row is cut into the inputs in their order, each of
 * [batch, ...] taking as many numbers as its other dimensions say.
 */
#include "cli/model.h"

#include <string.h>

/* Numbers of a row that go into this input; 0 = it does not say or is no FLOAT. */
static size_t width_of(const hz_port *input) {
    enum { MOST = 1 << 24 };
    size_t width = 1;
    if (!input || !input->has_shape || !input->is_tensor || input->rank < 1 ||
        input->element != HZ_ELEMENT_FLOAT) {
        return 0;
    }
    for (uint32_t i = 1; i < input->rank; i++) {
        if (input->shape[i] < 1 || (uint64_t)input->shape[i] > MOST / width) {
            return 0;
        }
        width *= (size_t)input->shape[i];
    }
    return width;
}

size_t hzc_model_row_width(const hz_model *model) {
    size_t sum = 0;
    for (size_t i = 0; i < hz_model_input_count(model); i++) {
        size_t width = width_of(hz_model_input(model, i));
        if (width == 0) {
            return 0;
        }
        sum += width;
    }
    return sum;
}

/* Column `from` on of every row as a tensor of this input. */
static hz_status cut(const hz_port *input, const float *rows, size_t n, size_t width, size_t from,
                     hz_arena *arena, hz_tensor *tensor, hz_error *err) {
    size_t part = width_of(input);
    float *data = hz_arena_alloc(arena, n * part * sizeof *data);
    if (!data) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "out of memory");
    }
    for (size_t i = 0; i < n; i++) {
        memcpy(data + i * part, rows + i * width + from, part * sizeof *data);
    }
    *tensor = (hz_tensor){.element = HZ_ELEMENT_FLOAT, .rank = input->rank, .data = data};
    memcpy(tensor->shape, input->shape, input->rank * sizeof input->shape[0]);
    tensor->shape[0] = (int64_t)n;
    return HZ_OK;
}

static hz_status run_some(hz_model *model, const float *rows, size_t n, size_t width,
                          hz_arena *arena, float *values, hz_error *err) {
    size_t ins = hz_model_input_count(model), outs = hz_model_output_count(model), from = 0;
    hz_tensor *in = hz_arena_alloc(arena, ins * sizeof *in);
    hz_tensor *out = hz_arena_alloc(arena, outs * sizeof *out);
    if (!in || !out) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "out of memory");
    }
    for (size_t i = 0; i < ins; i++) {
        const hz_port *input = hz_model_input(model, i);
        hz_status status = cut(input, rows, n, width, from, arena, &in[i], err);
        if (status != HZ_OK) {
            return status;
        }
        from += width_of(input);
    }
    hz_status status = hz_model_run(model, in, ins, out, outs, arena, err);
    if (status == HZ_OK && (out[0].element != HZ_ELEMENT_FLOAT || hz_tensor_count(&out[0]) != n)) {
        status = hz_fail(err, HZ_MODEL_RUN, HZ_NO_OFFSET,
                         "output '%.80s' has not one FLOAT for each of %zu rows",
                         hz_model_output(model, 0)->name, n);
    }
    if (status == HZ_OK) {
        memcpy(values, out[0].data, n * sizeof *values);
    }
    return status;
}

hz_status hzc_model_rows(hz_model *model, const float *rows, size_t n, size_t width, float *values,
                         hz_error *err) {
    const hz_port *first = hz_model_input(model, 0);
    bool plain = hz_model_input_count(model) == 1 && (!first->has_shape || first->rank == 2);
    size_t wanted = hzc_model_row_width(model);
    if (plain || hz_model_output_count(model) < 1) {
        return hz_model_rows(model, rows, n, width, values, err);
    }
    if (wanted != width) {
        return hz_fail(err, HZ_MODEL_RUN, HZ_NO_OFFSET,
                       "a row has %zu numbers; the %zu inputs of the graph take %zu", width,
                       hz_model_input_count(model), wanted);
    }
    hz_arena arena;
    hz_status status = HZ_OK;
    size_t most = first->shape[0] > 0 ? (size_t)first->shape[0] : n;
    hz_arena_init(&arena, 0);
    for (size_t i = 0; i < n && status == HZ_OK; i += most) {
        size_t some = n - i < most ? n - i : most;
        hz_arena_reset(&arena);
        status = run_some(model, rows + i * width, some, width, &arena, values + i, err);
    }
    hz_arena_fini(&arena);
    return status;
}
