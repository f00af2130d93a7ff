/* SPDX-License-Identifier: MIT */
/*
 * The built-in executor. A graph is prepared for concrete shapes, one program each: those of the
 * latest batches are kept. Rows of a value model go through programs for a few batch sizes, largest
 * first, so that any number of rows is served by programs that are made once.
 */
#include "model/program.h"

#include "model/dense_chain.h"

#include <stdlib.h>
#include <string.h>

enum { ROW_SIZES = 4, RECENT = 4 };
/* Batch sizes that rows are cut into, in falling order. */
static const int64_t ROWS[ROW_SIZES] = {64, 16, 4, 1};

typedef struct prepared_program {
    bool made, refused; /* refused: too large for the limits, not to be tried again */
    bool gives_values;  /* one for each row */
    hzi_program program;
} prepared_program;

typedef struct builtin_state {
    hz_graph *graph;
    bool checked_rows; /* two rows give two values */
    int64_t width;     /* of the programs in rows */
    prepared_program rows[ROW_SIZES];
    bool looked_for_chain;
    hzi_dense_chain chain;           /* in the program for one row: the short way for any number */
    prepared_program recent[RECENT]; /* for whole batches of any shape */
    size_t next;                     /* of recent to be replaced */
} builtin_state;

static void drop(prepared_program *prepared) {
    if (prepared->made) {
        hzi_program_fini(&prepared->program);
    }
    prepared->made = prepared->refused = prepared->gives_values = false;
}

/* Bytes that programs hold now. */
static size_t held(const builtin_state *builtin) {
    size_t bytes = 0;
    for (size_t i = 0; i < ROW_SIZES; i++) {
        bytes += builtin->rows[i].made ? builtin->rows[i].program.arena.held : 0;
    }
    for (size_t i = 0; i < RECENT; i++) {
        bytes += builtin->recent[i].made ? builtin->recent[i].program.arena.held : 0;
    }
    return bytes;
}

/* Prepares one more program within what the limits leave beside the others. `known` may be NULL. */
static hz_status prepare_known(const builtin_state *builtin, const hzi_shape *shapes,
                               const void *const *known, prepared_program *prepared,
                               hz_error *err) {
    hz_graph view = *builtin->graph;
    size_t others = held(builtin);
    view.limits.memory_bytes =
        view.limits.memory_bytes > others ? view.limits.memory_bytes - others : 0;
    hz_status status = hzi_program_make_known(&view, shapes, known, &prepared->program, err);
    prepared->made = status == HZ_OK;
    prepared->refused = !prepared->made;
    return status;
}

static hz_status prepare(const builtin_state *builtin, const hzi_shape *shapes,
                         prepared_program *prepared, hz_error *err) {
    return prepare_known(builtin, shapes, NULL, prepared, err);
}

/* ---- shapes ------------------------------------------------------------------------------------- */

/* Whether a program is for these inputs: their shapes, and the numbers it takes for known. */
static bool is_for(const prepared_program *prepared, const hz_tensor *inputs) {
    if (!prepared->made) {
        return false;
    }
    for (size_t i = 0; i < prepared->program.input_count; i++) {
        const hzi_tensor *input = prepared->program.inputs[i];
        if (input->shape.rank != (int)inputs[i].rank ||
            memcmp(input->shape.dim, inputs[i].shape, inputs[i].rank * sizeof *inputs[i].shape) !=
                0) {
            return false;
        }
        size_t size = (size_t)input->count * hz_element_size(input->element);
        if (input->known && size > 0 && memcmp(input->data, inputs[i].data, size) != 0) {
            return false;
        }
    }
    return true;
}

/* Whether an input may decide about shapes ("shape", "axes", "start"): a list or a single number,
 * whole, or a single float. Such a graph can only be prepared when the numbers are there. */
static bool may_decide(hz_element element, uint32_t rank) {
    bool real = element == HZ_ELEMENT_FLOAT || element == HZ_ELEMENT_DOUBLE ||
                element == HZ_ELEMENT_FLOAT16 || element == HZ_ELEMENT_BFLOAT16;
    return rank == 0 || (rank == 1 && !real);
}

/* The shape of a port with `first` for a dynamic first dimension; false when another one is dynamic
 * or nothing is said. */
static bool shape_of(const hz_port *port, int64_t first, hzi_shape *shape) {
    if (!port->is_tensor || !port->has_shape || port->rank > HZ_RANK_MAX) {
        return false;
    }
    *shape = (hzi_shape){.rank = (int)port->rank};
    for (uint32_t i = 0; i < port->rank; i++) {
        shape->dim[i] = port->shape[i] == HZ_DYNAMIC && i == 0 ? first : port->shape[i];
        if (shape->dim[i] < 0) {
            return false;
        }
    }
    return true;
}

/* ---- what rows give ----------------------------------------------------------------------------- */

/* A failure of preparing for a batch is a failure of running it. */
static hz_status as_run(hz_status status, hz_error *err) {
    if (status == HZ_GRAPH) {
        if (err) {
            err->code = HZ_MODEL_RUN;
        }
        return HZ_MODEL_RUN;
    }
    return status;
}

/* A value model gives one float for each row. */
static hz_status check_values(const hzi_program *program, int64_t n, hz_error *err) {
    const hzi_tensor *result = program->output_count > 0 ? program->outputs[0] : NULL;
    char text[200];
    if (!result) {
        return hz_fail(err, HZ_MODEL_RUN, HZ_NO_OFFSET, "the graph has no output");
    }
    if (result->element != HZ_ELEMENT_FLOAT) {
        return hz_fail(err, HZ_MODEL_RUN, HZ_NO_OFFSET, "output '%.200s' holds %s instead of FLOAT",
                       result->name, hz_element_name(result->element));
    }
    bool list = result->shape.rank == 1 && result->shape.dim[0] == n;
    bool column = result->shape.rank == 2 && result->shape.dim[0] == n && result->shape.dim[1] == 1;
    if (!list && !column) {
        (void)hzi_shape_text(&result->shape, text, sizeof text);
        return hz_fail(err, HZ_MODEL_RUN, HZ_NO_OFFSET,
                       "output '%.200s' came back as %s instead of [%lld,1]", result->name, text,
                       (long long)n);
    }
    return HZ_OK;
}

/* That more rows give more values cannot be seen from one row. */
static hz_status check_two_rows(builtin_state *builtin, size_t width, hz_error *err) {
    hzi_shape shape = {.rank = 2, .dim = {2, (int64_t)width}};
    prepared_program two = {0};
    hz_status status = prepare(builtin, &shape, &two, err);
    if (status == HZ_OK) {
        status = check_values(&two.program, 2, err);
        drop(&two);
    }
    builtin->checked_rows = status == HZ_OK;
    return as_run(status, err);
}

/* ---- open, close, ports ------------------------------------------------------------------------- */

static hz_status builtin_close(void *state, hz_error *err) {
    builtin_state *builtin = state;
    hz_error_clear(err);
    for (size_t i = 0; i < ROW_SIZES; i++) {
        drop(&builtin->rows[i]);
    }
    for (size_t i = 0; i < RECENT; i++) {
        drop(&builtin->recent[i]);
    }
    hz_graph_free(builtin->graph);
    free(builtin);
    return HZ_OK;
}

/* Prepares what can be known at once, so that a graph that does not fit together is refused when it
 * is opened: one row of a graph with rows, or the whole of a graph with fixed shapes. */
static hz_status prepare_first(builtin_state *builtin, hz_error *err) {
    const hz_graph *graph = builtin->graph;
    hzi_shape shape;
    for (size_t i = 0; i < graph->input_count; i++) {
        if (may_decide(graph->inputs[i].element, graph->inputs[i].rank)) {
            return HZ_OK;
        }
    }
    if (graph->input_count == 1 && hz_element_size(graph->inputs[0].element) > 0 &&
        shape_of(&graph->inputs[0], 1, &shape)) {
        builtin->width = shape.rank == 2 ? shape.dim[1] : 0;
        return prepare(builtin, &shape, &builtin->rows[ROW_SIZES - 1], err);
    }
    hzi_shape *shapes = calloc(graph->input_count + 1, sizeof *shapes);
    if (!shapes) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "out of memory");
    }
    bool all_fixed = true;
    for (size_t i = 0; i < graph->input_count && all_fixed; i++) {
        all_fixed = hz_element_size(graph->inputs[i].element) > 0 &&
                    shape_of(&graph->inputs[i], HZ_DYNAMIC, &shapes[i]);
    }
    hz_status status = all_fixed ? prepare(builtin, shapes, &builtin->recent[0], err) : HZ_OK;
    free(shapes);
    return status;
}

/* Whether the ports are those of a value model: rows of floats, one float for each. */
static bool declares_values(const hz_graph *graph) {
    const hz_port *in = hz_graph_input(graph, 0), *out = hz_graph_output(graph, 0);
    return graph->input_count == 1 && out && in->element == HZ_ELEMENT_FLOAT && in->has_shape &&
           in->rank == 2 && in->shape[0] == HZ_DYNAMIC && in->shape[1] != HZ_DYNAMIC &&
           out->element == HZ_ELEMENT_FLOAT && out->has_shape && out->rank == 2 &&
           out->shape[0] == HZ_DYNAMIC && out->shape[1] == 1;
}

/* A graph that says it is a value model and makes something else of rows is refused now; found out
 * in the middle of a game it would only play worse. */
static hz_status check_declared(builtin_state *builtin, hz_error *err) {
    if (!declares_values(builtin->graph)) {
        return HZ_OK;
    }
    hz_status status = check_values(&builtin->rows[ROW_SIZES - 1].program, 1, err);
    if (status == HZ_OK) {
        status = check_two_rows(builtin, (size_t)builtin->width, err);
    }
    if (status == HZ_MODEL_RUN) {
        status = HZ_GRAPH;
        if (err) {
            err->code = HZ_GRAPH;
        }
    }
    return status;
}

static hz_status builtin_open(void *context, const void *bytes, size_t length,
                              const hz_graph_limits *limits, void **state, hz_error *err) {
    (void)context;
    builtin_state *made = calloc(1, sizeof *made);
    if (!made) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "out of memory");
    }
    hz_status status = hz_graph_read(bytes, length, limits, &made->graph, err);
    if (status == HZ_OK) {
        status = hzi_graph_serve(made->graph, err);
    }
    if (status == HZ_OK) {
        status = prepare_first(made, err);
    }
    if (status == HZ_OK) {
        status = check_declared(made, err);
    }
    if (status != HZ_OK) {
        (void)builtin_close(made, NULL);
        return status;
    }
    *state = made;
    return HZ_OK;
}

static size_t builtin_input_count(void *state) {
    return hz_graph_input_count(((builtin_state *)state)->graph);
}

static size_t builtin_output_count(void *state) {
    return hz_graph_output_count(((builtin_state *)state)->graph);
}

static const hz_port *builtin_input(void *state, size_t index) {
    return hz_graph_input(((builtin_state *)state)->graph, index);
}

static const hz_port *builtin_output(void *state, size_t index) {
    return hz_graph_output(((builtin_state *)state)->graph, index);
}

/* ---- whole batches ------------------------------------------------------------------------------ */

/* By shapes alone if that will do, so that other numbers find the program again. */
static hz_status prepare_batch(const builtin_state *builtin, const hz_tensor *inputs,
                               prepared_program *one, hz_error *err) {
    enum { MOST = 1024 }; /* numbers in an input that decides */
    size_t count = builtin->graph->input_count;
    hzi_shape *shapes = calloc(count + 1, sizeof *shapes);
    const void **known = calloc(count + 1, sizeof *known);
    hz_status status = HZ_NO_MEMORY;
    bool any = false;
    if (!shapes || !known) {
        (void)hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "out of memory");
        goto done;
    }
    for (size_t i = 0; i < count; i++) {
        shapes[i].rank = (int)inputs[i].rank;
        memcpy(shapes[i].dim, inputs[i].shape, inputs[i].rank * sizeof *inputs[i].shape);
        if (may_decide(inputs[i].element, inputs[i].rank) && inputs[i].data &&
            hz_tensor_count(&inputs[i]) <= MOST) {
            known[i] = inputs[i].data;
            any = true;
        }
    }
    status = prepare(builtin, shapes, one, any ? NULL : err);
    if (status != HZ_OK && any) {
        status = prepare_known(builtin, shapes, known, one, err);
    }
done:
    free(shapes);
    free(known);
    return status;
}

static hz_status find_program(builtin_state *builtin, const hz_tensor *inputs,
                              hzi_program **program, hz_error *err) {
    for (size_t i = 0; i < ROW_SIZES + RECENT; i++) {
        prepared_program *one = i < ROW_SIZES ? &builtin->rows[i] : &builtin->recent[i - ROW_SIZES];
        if (is_for(one, inputs)) {
            *program = &one->program;
            return HZ_OK;
        }
    }
    prepared_program *one = &builtin->recent[builtin->next];
    builtin->next = (builtin->next + 1) % RECENT;
    drop(one);
    *program = &one->program;
    return as_run(prepare_batch(builtin, inputs, one, err), err);
}

static hz_status builtin_run(void *state, const hz_tensor *inputs, hz_tensor *outputs,
                             hz_arena *arena, hz_error *err) {
    max_align_t nothing = {0}; /* an address for inputs without elements; never read */
    hzi_program *program = NULL;
    hz_status status = find_program(state, inputs, &program, err);
    if (status != HZ_OK) {
        return status;
    }
    for (size_t i = 0; i < program->input_count; i++) {
        if (!program->inputs[i]->known) {
            program->inputs[i]->data = inputs[i].data ? inputs[i].data : &nothing;
        }
    }
    hzi_program_run(program);
    for (size_t i = 0; i < program->output_count; i++) {
        const hzi_tensor *result = program->outputs[i];
        size_t size = (size_t)result->count * hz_element_size(result->element);
        outputs[i] = (hz_tensor){.element = result->element,
                                 .rank = (uint32_t)result->shape.rank,
                                 .data = hzi_arena_aligned(arena, size)};
        if (!outputs[i].data) {
            return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET,
                           "output '%.200s' does not fit into the memory given for results",
                           result->name);
        }
        memcpy(outputs[i].shape, result->shape.dim, sizeof outputs[i].shape);
        if (size > 0) {
            memcpy(outputs[i].data, result->data, size);
        }
    }
    return HZ_OK;
}

/* ---- rows --------------------------------------------------------------------------------------- */

/* The program for `n` rows, made when it is first wanted. */
static hz_status row_program(const builtin_state *builtin, prepared_program *one, int64_t n,
                             size_t width, hz_error *err) {
    hz_status status = HZ_OK;
    if (!one->made) {
        hzi_shape shape = {.rank = 2, .dim = {n, (int64_t)width}};
        status = prepare(builtin, &shape, one, err);
    }
    if (status == HZ_OK && !one->gives_values) {
        status = check_values(&one->program, n, err);
        one->gives_values = status == HZ_OK;
    }
    return as_run(status, err);
}

static void run_some(hzi_program *program, const float *rows, float *values, size_t n) {
    union { /* inputs are not written */
        const float *read;
        void *data;
    } input = {rows};
    program->inputs[0]->data = input.data;
    hzi_program_run(program);
    memcpy(values, program->outputs[0]->data, n * sizeof *values);
}

/* A graph with a fixed batch takes exactly that. */
static hz_status run_fixed(builtin_state *builtin, const float *rows, size_t n, size_t width,
                           float *values, hz_error *err) {
    prepared_program *one = &builtin->rows[ROW_SIZES - 1];
    hz_status status = row_program(builtin, one, (int64_t)n, width, err);
    if (status == HZ_OK) {
        run_some(&one->program, rows, values, n);
    }
    return status;
}

/* Looks once whether the program for one row is a chain of layers, which serves any number. */
static bool has_chain(builtin_state *builtin, size_t width) {
    if (!builtin->looked_for_chain) {
        prepared_program *one = &builtin->rows[ROW_SIZES - 1];
        builtin->looked_for_chain = true;
        if (row_program(builtin, one, 1, width, NULL) == HZ_OK) {
            hzi_dense_chain_find(builtin->graph, &one->program, &builtin->chain);
        }
    }
    return builtin->chain.count > 0;
}

static hz_status builtin_run_rows(void *state, const float *rows, size_t n, size_t width,
                                  float *values, hz_error *err) {
    builtin_state *builtin = state;
    if ((int64_t)width != builtin->width) { /* a graph that takes any width got another one */
        for (size_t i = 0; i < ROW_SIZES; i++) {
            drop(&builtin->rows[i]);
        }
        builtin->checked_rows = builtin->looked_for_chain = false;
        builtin->chain.count = 0;
        builtin->width = (int64_t)width;
    }
    if (builtin->chain.count > 0 && (n == 1 || builtin->checked_rows)) {
        hzi_dense_chain_run(&builtin->chain, rows, n, values);
        return HZ_OK;
    }
    const hz_port *input = hz_graph_input(builtin->graph, 0);
    if (input->has_shape && input->shape[0] != HZ_DYNAMIC) {
        return run_fixed(builtin, rows, n, width, values, err);
    }
    hz_status status = HZ_OK;
    if (n > 1 && !builtin->checked_rows) {
        status = check_two_rows(builtin, width, err);
    }
    if (status == HZ_OK && has_chain(builtin, width)) {
        hzi_dense_chain_run(&builtin->chain, rows, n, values);
        return HZ_OK;
    }
    size_t size = 0;
    while (n > 0 && status == HZ_OK) {
        prepared_program *one = &builtin->rows[size];
        size_t some = (size_t)ROWS[size];
        bool last = size == ROW_SIZES - 1;
        if (some > n || (one->refused && !last)) {
            size++;
            continue;
        }
        status = row_program(builtin, one, ROWS[size], width, last ? err : NULL);
        if (status == HZ_OK) {
            run_some(&one->program, rows, values, some);
            rows += some * width;
            values += some;
            n -= some;
        } else if (!last) {
            status = HZ_OK; /* smaller batches may fit */
            one->refused = true;
        }
    }
    return status;
}

/* ---- the executor ------------------------------------------------------------------------------- */

static const hz_executor BUILTIN = {
    .name = "builtin",
    .open = builtin_open,
    .input_count = builtin_input_count,
    .output_count = builtin_output_count,
    .input = builtin_input,
    .output = builtin_output,
    .run = builtin_run,
    .run_rows = builtin_run_rows,
    .close = builtin_close,
};

const hz_executor *hz_executor_builtin(void) {
    return &BUILTIN;
}

hz_status hz_graph_cost_get(const hz_graph *graph, hz_graph_cost *cost, hz_error *err) {
    hz_status status = hzi_graph_serve(graph, err);
    hzi_shape *shapes = calloc(graph->input_count + 1, sizeof *shapes);
    hzi_program program;
    if (!shapes) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "out of memory");
    }
    for (size_t i = 0; i < graph->input_count && status == HZ_OK; i++) {
        if (!shape_of(&graph->inputs[i], 1, &shapes[i])) {
            status = hz_fail(err, HZ_GRAPH, HZ_NO_OFFSET,
                             "the shape of input '%.200s' is not known well enough",
                             graph->inputs[i].name);
        }
    }
    if (status == HZ_OK) {
        status = hzi_program_make(graph, shapes, &program, err);
    }
    if (status == HZ_OK) {
        *cost = (hz_graph_cost){program.multiply_adds, program.constant_bytes,
                                program.workspace_bytes, program.step_count};
        hzi_program_fini(&program);
    }
    free(shapes);
    return status;
}
