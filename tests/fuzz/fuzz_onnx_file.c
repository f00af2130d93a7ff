/* SPDX-License-Identifier: MIT */
/* An ONNX file as it was written: any bytes. Numbers are counted, names are checked, and what the
 * strict reader of graphs takes has sound names and no more numbers than were counted. */
#include "fuzz/fuzz.h"

#include <hazard/model.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const hz_graph_limits limits = {.memory_bytes = (size_t)64 << 20, .nodes = 5000};
    hz_onnx_file *file = NULL;
    hz_graph *graph = NULL;
    hz_error err;
    hz_status status = hz_onnx_file_read(data, size, &limits, &file, &err);
    if (status != HZ_OK) {
        FUZZ_CHECK(!file && status == HZ_GRAPH);
        fuzz_check_error(&err, status, size);
        return 0;
    }
    hz_parameters counted = {0, 0, 0};
    hz_onnx_node node;
    const char *domain;
    int64_t version;
    bool is_counted = hz_onnx_file_parameters(file, &counted, NULL) == HZ_OK;
    bool has_sound_names = hz_onnx_file_check_names(file, NULL) == HZ_OK;
    (void)hz_onnx_file_check_data(file, NULL);
    for (size_t i = 0; hz_onnx_file_node(file, i, &node); i++) {
        FUZZ_CHECK(node.domain && node.type && node.name);
    }
    for (size_t i = 0; hz_onnx_file_import(file, i, &domain, &version); i++) {
        FUZZ_CHECK(domain != NULL);
    }
    for (size_t i = 0; i < hz_onnx_file_inputs(file); i++) {
        FUZZ_CHECK(hz_onnx_file_input(file, i)->name);
    }
    FUZZ_CHECK(hz_onnx_file_output(file, hz_onnx_file_outputs(file)) == NULL);
    FUZZ_CHECK(!is_counted || counted.common <= counted.strict);
    if (hz_graph_read(data, size, &limits, &graph, NULL) == HZ_OK) {
        hz_graph_facts facts;
        hz_graph_facts_get(graph, &facts);
        FUZZ_CHECK(has_sound_names && !hz_onnx_file_is_nested(file) && is_counted);
        FUZZ_CHECK(facts.parameters <= counted.strict);
        FUZZ_CHECK(hz_graph_input_count(graph) == hz_onnx_file_inputs(file));
        hz_graph_free(graph);
    }
    hz_onnx_file_free(file);
    return 0;
}
