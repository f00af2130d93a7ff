/* SPDX-License-Identifier: MIT */
/* `hazard model inspect`, `runtimes` and `operators`: what a graph is made of, what can run it. */
#include "cli/model.h"

#include <inttypes.h>
#include <string.h>

/* ---- inspect ---- */

static void port_json(hzc_json *json, const hz_port *port) {
    char shape[128];
    (void)hz_port_shape_text(port, shape, sizeof shape);
    hzc_json_object(json, NULL);
    hzc_json_text(json, "name", port->name);
    hzc_json_text(json, "element", port->is_tensor ? hz_element_name(port->element) : "");
    hzc_json_text(json, "shape", shape);
    hzc_json_end_object(json);
}

static void port_text(hzc_out *out, const char *kind, const hz_port *port) {
    char shape[128];
    (void)hz_port_shape_text(port, shape, sizeof shape);
    hzc_out_format(out, "%-11s %s %s%s\n", kind, port->name,
                   port->is_tensor ? hz_element_name(port->element) : "no tensor ", shape);
}

static void inspect_json(hzc_out *out, const char *path, const hz_graph *graph,
                         const char sha256[65]) {
    hzc_json json = hzc_json_to(out);
    hz_graph_facts facts;
    hz_operator_use use;
    hz_graph_cost cost;
    hz_error err;
    hz_graph_facts_get(graph, &facts);
    hzc_json_object(&json, NULL);
    hzc_json_text(&json, "path", path);
    hzc_json_text(&json, "sha256", sha256);
    hzc_json_count(&json, "bytes", facts.file_bytes);
    hzc_json_integer(&json, "irVersion", facts.ir_version);
    hzc_json_integer(&json, "opset", facts.opset);
    hzc_json_text(&json, "producer", facts.producer);
    hzc_json_text(&json, "graph", facts.name);
    hzc_json_count(&json, "nodes", facts.nodes);
    hzc_json_count(&json, "initializers", facts.initializers);
    hzc_json_count(&json, "parameters", facts.parameters);
    hzc_json_array(&json, "inputs");
    for (size_t i = 0; i < hz_graph_input_count(graph); i++) {
        port_json(&json, hz_graph_input(graph, i));
    }
    hzc_json_end_array(&json);
    hzc_json_array(&json, "outputs");
    for (size_t i = 0; i < hz_graph_output_count(graph); i++) {
        port_json(&json, hz_graph_output(graph, i));
    }
    hzc_json_end_array(&json);
    hzc_json_array(&json, "operators");
    for (size_t i = 0; hz_graph_operator(graph, i, &use); i++) {
        hzc_json_object(&json, NULL);
        hzc_json_text(&json, "domain", use.domain);
        hzc_json_text(&json, "name", use.name);
        hzc_json_integer(&json, "opset", use.opset);
        hzc_json_count(&json, "count", use.count);
        hzc_json_bool(&json, "supported", use.supported);
        hzc_json_end_object(&json);
    }
    hzc_json_end_array(&json);
    bool runs = hz_graph_cost_get(graph, &cost, &err) == HZ_OK;
    hzc_json_bool(&json, "builtin", runs);
    if (runs) {
        hzc_json_object(&json, "cost");
        hzc_json_count(&json, "multiplyAdds", cost.multiply_adds);
        hzc_json_count(&json, "constants", cost.constants);
        hzc_json_count(&json, "workspace", cost.workspace);
        hzc_json_count(&json, "steps", cost.steps);
        hzc_json_end_object(&json);
    } else {
        hzc_json_text(&json, "reason", err.message);
    }
    hzc_json_end_object(&json);
    hzc_out_char(out, '\n');
}

static void inspect_text(hzc_out *out, const char *path, const hz_graph *graph,
                         const char sha256[65]) {
    hz_graph_facts facts;
    hz_operator_use use;
    hz_graph_cost cost;
    hz_error err;
    hz_graph_facts_get(graph, &facts);
    hzc_out_format(out,
                   "file        %s, %" PRIu64 " bytes\nsha256      %s\ngraph       %s%s%s\n"
                   "versions    IR %" PRId64
                   ", opset %d\nnodes       %zu, %zu initializers, %" PRIu64 " parameters\n",
                   path, facts.file_bytes, sha256, *facts.name ? facts.name : "without a name",
                   *facts.producer ? ", made by " : "", facts.producer, facts.ir_version,
                   facts.opset, facts.nodes, facts.initializers, facts.parameters);
    for (size_t i = 0; i < hz_graph_input_count(graph); i++) {
        port_text(out, "input", hz_graph_input(graph, i));
    }
    for (size_t i = 0; i < hz_graph_output_count(graph); i++) {
        port_text(out, "output", hz_graph_output(graph, i));
    }
    for (size_t i = 0; hz_graph_operator(graph, i, &use); i++) {
        hzc_out_format(out, "%-11s %zu x %s%s%s, opset %d%s\n", i == 0 ? "operators" : "",
                       use.count, use.domain, *use.domain ? "." : "", use.name, use.opset,
                       use.supported ? "" : ", not run by the built-in executor");
    }
    if (hz_graph_cost_get(graph, &cost, &err) == HZ_OK) {
        hzc_out_format(out,
                       "a row       %" PRIu64 " multiply-adds in %zu step%s, %" PRIu64
                       " bytes of work memory beside %" PRIu64 " of constants\n",
                       cost.multiply_adds, cost.steps, cost.steps == 1 ? "" : "s", cost.workspace,
                       cost.constants);
    } else {
        hzc_out_format(out, "built-in    cannot run it: %s\n", err.message);
    }
}

int hzc_model_inspect(const hzc_args *args) {
    const char *path;
    hzc_model_place place;
    hz_graph *graph;
    hz_error err;
    char sha256[65];
    if (!hzc_verb_operand(args, "a graph or a package's folder", &path) ||
        !hzc_model_place_of(args, path, &place)) {
        return HZC_USAGE;
    }
    if (hz_graph_read_file(place.graph, NULL, &graph, &err) != HZ_OK) {
        return hzc_report(args, &err, NULL, 0);
    }
    int code = HZC_DONE;
    if (hz_sha256_file(place.graph, sha256, &err) != HZ_OK) {
        code = hzc_report(args, &err, NULL, 0);
    } else {
        (hzc_args_has(args, "json") ? inspect_json : inspect_text)(args->out, place.graph, graph,
                                                                   sha256);
    }
    hz_graph_free(graph);
    return code;
}

/* ---- runtimes ---- */

static bool no_more_operands(const hzc_args *args) {
    if (args->operand_count > 1) {
        (void)hzc_usage(args, "what is '%s' for?", args->operands[1]);
        return false;
    }
    return true;
}

int hzc_model_runtimes(const hzc_args *args) {
    const hz_executor *executor;
    const char *version = "", *path = "";
    hz_error err;
    if (!no_more_operands(args)) {
        return HZC_USAGE;
    }
    bool there = hz_executor_onnxruntime(&executor, &version, &path, &err) == HZ_OK;
    if (!hzc_args_has(args, "json")) {
        hzc_out_format(args->out, "builtin      %s, part of this program\n", hz_version());
        if (there) {
            hzc_out_format(args->out, "onnxruntime  %s, %s\n", version, path);
        } else {
            hzc_out_format(args->out, "onnxruntime  not there: %s\n", err.message);
        }
        return HZC_DONE;
    }
    hzc_json json = hzc_json_to(args->out);
    hzc_json_array(&json, NULL);
    hzc_json_object(&json, NULL);
    hzc_json_text(&json, "name", "builtin");
    hzc_json_bool(&json, "available", true);
    hzc_json_text(&json, "version", hz_version());
    hzc_json_end_object(&json);
    hzc_json_object(&json, NULL);
    hzc_json_text(&json, "name", "onnxruntime");
    hzc_json_bool(&json, "available", there);
    if (there) {
        hzc_json_text(&json, "version", version);
        hzc_json_text(&json, "path", path);
    } else {
        hzc_json_text(&json, "reason", err.message);
    }
    hzc_json_end_object(&json);
    hzc_json_end_array(&json);
    hzc_out_char(args->out, '\n');
    return HZC_DONE;
}

/* ---- operators ---- */

int hzc_model_operators(const hzc_args *args) {
    hz_operator_info info;
    bool as_json = hzc_args_has(args, "json");
    hzc_json json = hzc_json_to(args->out);
    if (!no_more_operands(args)) {
        return HZC_USAGE;
    }
    if (as_json) {
        hzc_json_array(&json, NULL);
    }
    for (size_t i = 0; hz_operator_at(i, &info); i++) {
        if (as_json) {
            hzc_json_object(&json, NULL);
            hzc_json_text(&json, "domain", info.domain);
            hzc_json_text(&json, "name", info.name);
            hzc_json_integer(&json, "first", info.opset_first);
            hzc_json_integer(&json, "last", info.opset_last);
            hzc_json_end_object(&json);
        } else {
            hzc_out_format(args->out, "%s%s%-24s opset %d to %d\n", info.domain,
                           *info.domain ? "." : "", info.name, info.opset_first, info.opset_last);
        }
    }
    if (as_json) {
        hzc_json_end_array(&json);
        hzc_out_char(args->out, '\n');
    }
    return HZC_DONE;
}
