/* SPDX-License-Identifier: MIT */
/* ONNX graphs: any bytes, within small limits. What is refused has its reason; what is read tells
 * its facts; what is opened runs, and gives the same numbers when it runs again. */
#include "fuzz/fuzz.h"

#include <hazard/model.h>

#include <stdlib.h>
#include <string.h>

enum { MEMORY = 16 << 20, INPUT_BYTES = 1 << 18, INPUTS = 8, OUTPUTS = 16, ROWS = 5 };

static const hz_graph_limits LIMITS = {
    .file_bytes = 1 << 20, .memory_bytes = MEMORY, .nodes = 500, .work = 1000000};

static void check_port(const hz_port *port) {
    char text[64];
    FUZZ_CHECK(port && port->name && *port->name);
    size_t length = hz_port_shape_text(port, text, sizeof text);
    FUZZ_CHECK(length >= 2 && text[0] == '[');
    FUZZ_CHECK(hz_port_shape_text(port, NULL, 0) == length);
    for (uint32_t i = 0; port->has_shape && i < port->rank && i < HZ_RANK_MAX; i++) {
        FUZZ_CHECK(port->shape[i] >= HZ_DYNAMIC);
    }
}

/* Whether every operator is served, by its name. */
static bool look_at(const hz_graph *graph, size_t size) {
    hz_graph_facts facts;
    hz_operator_use use, last = {0};
    size_t nodes = 0;
    bool served = true;
    hz_graph_facts_get(graph, &facts);
    FUZZ_CHECK(facts.file_bytes == size && facts.producer && facts.name);
    for (size_t i = 0; hz_graph_operator(graph, i, &use); i++) {
        int order = i > 0 ? strcmp(last.domain, use.domain) : -1;
        FUZZ_CHECK(order < 0 || (order == 0 && strcmp(last.name, use.name) < 0));
        nodes += use.count;
        served = served && use.supported;
        last = use;
    }
    FUZZ_CHECK(nodes == facts.nodes && nodes <= LIMITS.nodes);
    for (size_t i = 0; i < hz_graph_input_count(graph); i++) {
        check_port(hz_graph_input(graph, i));
    }
    for (size_t i = 0; i < hz_graph_output_count(graph); i++) {
        check_port(hz_graph_output(graph, i));
    }
    return served;
}

/* Numbers that do not depend on anything, small enough for indices and shapes now and then. */
static void fill(unsigned char *bytes, size_t size, hz_element element) {
    memset(bytes, 0, size);
    for (size_t i = 0; element == HZ_ELEMENT_FLOAT && i < size / sizeof(float); i++) {
        float number = (float)(i % 7) / 4.0f - 0.5f;
        memcpy(bytes + i * sizeof number, &number, sizeof number);
    }
    for (size_t i = 0; element == HZ_ELEMENT_INT64 && i < size / sizeof(int64_t); i++) {
        int64_t number = (int64_t)(i % 3);
        memcpy(bytes + i * sizeof number, &number, sizeof number);
    }
}

/* One batch with 1 for every dynamic dimension; false when it would be too large. */
static bool make_input(const hz_port *port, hz_arena *arena, hz_tensor *input) {
    size_t count = hz_element_size(port->element);
    *input = (hz_tensor){.element = port->element, .rank = port->rank};
    if (!port->is_tensor || port->rank > HZ_RANK_MAX || count == 0) {
        return false;
    }
    for (uint32_t i = 0; i < port->rank; i++) {
        input->shape[i] = port->shape[i] == HZ_DYNAMIC ? 1 : port->shape[i];
        if (input->shape[i] > INPUT_BYTES || (count *= (size_t)input->shape[i]) > INPUT_BYTES) {
            return false;
        }
    }
    input->data = hz_arena_alloc(arena, count);
    FUZZ_CHECK(input->data);
    fill(input->data, count, port->element);
    return true;
}

static void run_batch(hz_model *model) {
    hz_tensor inputs[INPUTS], outputs[2][OUTPUTS];
    hz_arena arena = {0};
    hz_error err;
    size_t takes = hz_model_input_count(model), gives = hz_model_output_count(model);
    bool good = takes <= INPUTS && gives <= OUTPUTS;
    for (size_t i = 0; i < takes && good; i++) {
        good = make_input(hz_model_input(model, i), &arena, &inputs[i]);
    }
    for (int run = 0; run < 2 && good; run++) {
        hz_status status = hz_model_run(model, inputs, takes, outputs[run], gives, &arena, &err);
        FUZZ_CHECK(status == HZ_OK || status == HZ_MODEL_RUN);
        if (status != HZ_OK) {
            fuzz_check_error(&err, status, 0);
            good = false;
        }
    }
    for (size_t i = 0; i < gives && good; i++) {
        const hz_tensor *a = &outputs[0][i], *b = &outputs[1][i];
        size_t size = hz_tensor_count(a) * hz_element_size(a->element);
        FUZZ_CHECK(a->element == b->element && a->rank == b->rank && a->rank <= HZ_RANK_MAX);
        FUZZ_CHECK(size <= MEMORY && memcmp(a->data, b->data, size) == 0);
    }
    hz_arena_fini(&arena);
}

static void run_rows(hz_model *model) {
    const hz_port *port = hz_model_input(model, 0);
    if (!port || !port->is_tensor || port->rank != 2 || port->shape[1] < 1 ||
        port->shape[1] > INPUT_BYTES / (int64_t)sizeof(float) / ROWS) {
        return;
    }
    size_t width = (size_t)port->shape[1];
    float *rows = malloc(ROWS * width * sizeof *rows), values[2][ROWS];
    FUZZ_CHECK(rows);
    fill((unsigned char *)rows, ROWS * width * sizeof *rows, HZ_ELEMENT_FLOAT);
    hz_error err;
    hz_status status = HZ_OK;
    for (int run = 0; run < 2 && status == HZ_OK; run++) {
        status = hz_model_rows(model, rows, ROWS, width, values[run], &err);
        FUZZ_CHECK(status == HZ_OK || status == HZ_MODEL_RUN);
    }
    if (status == HZ_OK) {
        FUZZ_CHECK(memcmp(values[0], values[1], sizeof values[0]) == 0);
    } else {
        fuzz_check_error(&err, status, 0);
    }
    free(rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hz_graph *graph = NULL;
    hz_model *model = NULL;
    hz_graph_cost cost;
    hz_error err;
    hz_status status = hz_graph_read(data, size, &LIMITS, &graph, &err);
    if (status != HZ_OK) {
        FUZZ_CHECK(status == HZ_GRAPH && !graph);
        fuzz_check_error(&err, status, size);
        return 0;
    }
    bool served = look_at(graph, size);
    status = hz_graph_cost_get(graph, &cost, &err);
    FUZZ_CHECK(status == HZ_OK || status == HZ_GRAPH || status == HZ_NO_MEMORY);
    FUZZ_CHECK(served || status != HZ_OK);
    FUZZ_CHECK(status != HZ_OK || (cost.constants <= MEMORY && cost.workspace <= MEMORY));
    hz_graph_free(graph);
    hz_model_options options = {.limits = LIMITS};
    status = hz_model_open(data, size, &options, &model, &err);
    if (status != HZ_OK) {
        FUZZ_CHECK((status == HZ_GRAPH || status == HZ_NO_MEMORY) && !model);
        fuzz_check_error(&err, status, size);
        return 0;
    }
    run_batch(model);
    run_rows(model);
    FUZZ_CHECK(hz_model_close(model, &err) == HZ_OK);
    return 0;
}
