/* SPDX-License-Identifier: MIT */
/*
 * A model: a graph opened by an executor, whichever. What a caller hands in is checked against the
 * ports here, so that executors are only asked for what the graph declares.
 */
#include "model/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct hz_model {
    const hz_executor *executor;
    void *state;
    hz_arena results; /* of rows, when the executor has no way of its own for them */
    size_t rows_fit, width_fits; /* rows of this number and width were found to fit; 0 = none */
};

hz_status hz_executor_find(const char *name, const hz_executor **executor, hz_error *err) {
    if (!name || strcmp(name, "auto") == 0 || strcmp(name, "builtin") == 0) {
        *executor = hz_executor_builtin();
        return HZ_OK;
    }
    if (strcmp(name, "onnxruntime") == 0) {
        return hz_executor_onnxruntime(executor, NULL, NULL, err);
    }
    return hz_fail(err, HZ_NO_EXECUTOR, HZ_NO_OFFSET,
                   "there is no executor '%.60s'; known are auto, builtin, onnxruntime", name);
}

/* ---- open and close ------------------------------------------------------------------------------ */

/* The words that a refused graph is known by, in front of the reason. */
static void introduce(hz_error *err) {
    static const char WORDS[] = "cannot read the ONNX graph";
    char reason[sizeof err->message];
    if (!err || strncmp(err->message, WORDS, sizeof WORDS - 1) == 0) {
        return;
    }
    memcpy(reason, err->message, sizeof reason);
    reason[sizeof reason - 1] = '\0';
    (void)hz_fail(err, err->code, err->offset, "%s: %.960s", WORDS, reason);
}

hz_status hz_model_open(const void *bytes, size_t length, const hz_model_options *options,
                        hz_model **model, hz_error *err) {
    const hz_executor *executor =
        options && options->executor ? options->executor : hz_executor_builtin();
    hz_model *made = calloc(1, sizeof *made);
    if (!made) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "out of memory");
    }
    made->executor = executor;
    hz_status status = executor->open(executor->context, bytes, length,
                                      options ? &options->limits : NULL, &made->state, err);
    if (status != HZ_OK) {
        free(made);
        if (status == HZ_GRAPH) {
            introduce(err);
        }
        return status;
    }
    *model = made;
    return HZ_OK;
}

hz_status hz_model_open_file(const char *path, const hz_model_options *options, hz_model **model,
                             hz_error *err) {
    void *bytes = NULL;
    size_t length = 0;
    hz_status status = hzi_read_file(path, options ? &options->limits : NULL, &bytes, &length, err);
    if (status == HZ_OK) {
        status = hz_model_open(bytes, length, options, model, err);
    } else if (status == HZ_GRAPH) {
        introduce(err);
    }
    free(bytes);
    return status;
}

hz_status hz_model_close(hz_model *model, hz_error *err) {
    if (!model) {
        return HZ_OK;
    }
    hz_status status = model->executor->close(model->state, err);
    hz_arena_fini(&model->results);
    free(model);
    return status;
}

const hz_executor *hz_model_executor(const hz_model *model) {
    return model->executor;
}

size_t hz_model_input_count(const hz_model *model) {
    return model->executor->input_count(model->state);
}

size_t hz_model_output_count(const hz_model *model) {
    return model->executor->output_count(model->state);
}

const hz_port *hz_model_input(const hz_model *model, size_t index) {
    return model->executor->input(model->state, index);
}

const hz_port *hz_model_output(const hz_model *model, size_t index) {
    return model->executor->output(model->state, index);
}

/* ---- whole batches ------------------------------------------------------------------------------- */

static void shape_text(const hz_tensor *tensor, char *text, size_t capacity) {
    hz_port port = {.has_shape = true, .rank = tensor->rank};
    for (uint32_t i = 0; i < tensor->rank && i < HZ_RANK_MAX; i++) {
        port.shape[i] = tensor->shape[i];
    }
    (void)hz_port_shape_text(&port, text, capacity);
}

/* Whether a batch has the type and shape that the graph declares. */
static hz_status check_input(const hz_port *port, const hz_tensor *tensor, hz_error *err) {
    if (!port->is_tensor) {
        return hz_fail(err, HZ_MODEL_RUN, HZ_NO_OFFSET, "input '%.200s' is no tensor", port->name);
    }
    if (tensor->element != port->element) {
        return hz_fail(err, HZ_MODEL_RUN, HZ_NO_OFFSET, "input '%.200s' takes %s, got %s",
                       port->name, hz_element_name(port->element),
                       hz_element_name(tensor->element));
    }
    bool fits = tensor->rank <= HZ_RANK_MAX && (!port->has_shape || tensor->rank == port->rank);
    hz_tensor shape = {.rank = tensor->rank < HZ_RANK_MAX ? tensor->rank : HZ_RANK_MAX};
    uint64_t count = 1;
    for (uint32_t i = 0; i < shape.rank; i++) {
        int64_t dim = tensor->shape[i];
        bool same = !port->has_shape || i >= port->rank || port->shape[i] == HZ_DYNAMIC ||
                    port->shape[i] == dim;
        fits = fits && same && dim >= 0;
        fits = fits && (dim == 0 || count <= (uint64_t)(SIZE_MAX / 32) / (uint64_t)dim);
        count *= fits && dim > 0 ? (uint64_t)dim : 1;
    }
    if (!fits) {
        char wanted[200], got[200];
        (void)hz_port_shape_text(port, wanted, sizeof wanted);
        shape_text(tensor, got, sizeof got);
        return hz_fail(err, HZ_MODEL_RUN, HZ_NO_OFFSET, "input '%.200s' takes shape %s, got %s",
                       port->name, wanted, got);
    }
    return HZ_OK;
}

hz_status hz_model_run(hz_model *model, const hz_tensor *inputs, size_t input_count,
                       hz_tensor *outputs, size_t output_count, hz_arena *arena, hz_error *err) {
    size_t takes = hz_model_input_count(model), gives = hz_model_output_count(model);
    if (input_count != takes || output_count != gives) {
        return hz_fail(err, HZ_MODEL_RUN, HZ_NO_OFFSET,
                       "the graph has %zu inputs and %zu outputs, the call %zu and %zu", takes,
                       gives, input_count, output_count);
    }
    hz_status status = HZ_OK;
    for (size_t i = 0; i < input_count && status == HZ_OK; i++) {
        status = check_input(hz_model_input(model, i), &inputs[i], err);
    }
    return status == HZ_OK ? model->executor->run(model->state, inputs, outputs, arena, err)
                           : status;
}

/* ---- rows ---------------------------------------------------------------------------------------- */

static hz_status check_rows(const hz_model *model, size_t n, size_t width, hz_error *err) {
    size_t inputs = hz_model_input_count(model);
    if (inputs != 1) {
        return hz_fail(err, HZ_MODEL_RUN, HZ_NO_OFFSET, "rows go into one input; the graph has %zu",
                       inputs);
    }
    if (n > SIZE_MAX / 16 / (width ? width : 1)) {
        return hz_fail(err, HZ_MODEL_RUN, HZ_NO_OFFSET, "too many rows");
    }
    hz_tensor rows = {
        .element = HZ_ELEMENT_FLOAT, .rank = 2, .shape = {(int64_t)n, (int64_t)width}};
    return check_input(hz_model_input(model, 0), &rows, err);
}

/* Rows for an executor that only runs whole batches. */
static hz_status run_batch(hz_model *model, const float *rows, size_t n, size_t width,
                           float *values, hz_error *err) {
    union { /* inputs are not written */
        const float *read;
        void *data;
    } input = {rows};
    hz_tensor batch = {.element = HZ_ELEMENT_FLOAT,
                       .rank = 2,
                       .shape = {(int64_t)n, (int64_t)width},
                       .data = input.data};
    size_t count = hz_model_output_count(model);
    hz_arena_reset(&model->results);
    hz_tensor *outputs = hz_arena_alloc(&model->results, (count + 1) * sizeof *outputs);
    if (!outputs) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "out of memory");
    }
    memset(outputs, 0, (count + 1) * sizeof *outputs);
    hz_status status = model->executor->run(model->state, &batch, outputs, &model->results, err);
    if (status != HZ_OK) {
        return status;
    }
    const hz_tensor *result = &outputs[0];
    bool list = result->rank == 1 || (result->rank == 2 && result->shape[1] == 1);
    if (count == 0 || result->element != HZ_ELEMENT_FLOAT || !list ||
        result->shape[0] != (int64_t)n) {
        char got[200];
        shape_text(result, got, sizeof got);
        return hz_fail(err, HZ_MODEL_RUN, HZ_NO_OFFSET,
                       "the result came back as %s %s instead of FLOAT [%zu,1]",
                       hz_element_name(result->element), got, n);
    }
    memcpy(values, result->data, n * sizeof *values);
    return HZ_OK;
}

hz_status hz_model_rows(hz_model *model, const float *rows, size_t n, size_t width, float *values,
                        hz_error *err) {
    if (n == 0) {
        return HZ_OK;
    }
    if (n != model->rows_fit || width != model->width_fits) {
        hz_status status = check_rows(model, n, width, err);
        if (status != HZ_OK) {
            return status;
        }
        model->rows_fit = n;
        model->width_fits = width;
    }
    return model->executor->run_rows
               ? model->executor->run_rows(model->state, rows, n, width, values, err)
               : run_batch(model, rows, n, width, values, err);
}
