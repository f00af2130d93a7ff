/* SPDX-License-Identifier: MIT */
/* Whether the built-in executor serves a node at all: operator, opset, numbers of inputs and
 * outputs, attributes. What depends on shapes is for the operators' own prepare. */
#include "model/operator.h"

#include <string.h>

/* Whether `name` is one of the words of `list`, which are separated by blanks. */
static bool is_listed(const char *list, const char *name) {
    size_t length = strlen(name);
    while (*list) {
        size_t word = strcspn(list, " ");
        if (word == length && memcmp(list, name, length) == 0) {
            return true;
        }
        list += word + (list[word] == ' ');
    }
    return false;
}

/* "2", "1 to 3", "at least 1": how many inputs or outputs an operator takes. */
static hz_status refuse_count(hzi_step *step, const char *what, uint32_t there, int least,
                              int most) {
    if (most < 0) {
        return hzi_step_refuse(step, "it has %u %s; at least %d are needed", there, what, least);
    }
    if (least == most) {
        return hzi_step_refuse(step, "it has %u %s instead of %d", there, what, least);
    }
    return hzi_step_refuse(step, "it has %u %s instead of %d to %d", there, what, least, most);
}

static hz_status check_ports(hzi_step *step) {
    const hzi_operator *op = step->op;
    const hzi_node *node = step->node;
    if (node->input_count < (uint32_t)op->inputs_min ||
        (op->inputs_max >= 0 && node->input_count > (uint32_t)op->inputs_max)) {
        return refuse_count(step, "inputs", node->input_count, op->inputs_min, op->inputs_max);
    }
    if (node->output_count < (uint32_t)op->outputs_min ||
        (op->outputs_max >= 0 && node->output_count > (uint32_t)op->outputs_max)) {
        return refuse_count(step, "outputs", node->output_count, op->outputs_min, op->outputs_max);
    }
    for (uint32_t i = 0; i < node->input_count; i++) {
        bool needed = op->inputs_max < 0 || i < (uint32_t)op->inputs_min;
        if (node->inputs[i] == HZI_NO_VALUE && needed) {
            return hzi_step_refuse(step, "input %u is left out", i);
        }
    }
    return HZ_OK;
}

hz_status hzi_step_serve(hzi_step *step) {
    const hzi_node *node = step->node;
    bool known;
    step->op = hzi_operator_find(node->domain, node->type, node->opset, &known);
    if (!step->op) {
        const char *domain = node->domain[0] ? node->domain : "ai.onnx";
        return known ? hzi_step_refuse(step, "operator %.60s of %.60s opset %d is not supported",
                                       node->type, domain, node->opset)
                     : hzi_step_refuse(step, "operator %.60s of %.60s (opset %d) is not known",
                                       node->type, domain, node->opset);
    }
    for (uint32_t i = 0; i < node->attribute_count; i++) {
        if (!is_listed(step->op->attributes, node->attributes[i].name)) {
            return hzi_step_refuse(step, "attribute '%.80s' is not known at opset %d",
                                   node->attributes[i].name, node->opset);
        }
    }
    return check_ports(step);
}

hz_status hzi_graph_serve(const hz_graph *graph, hz_error *err) {
    hz_status status = HZ_OK;
    for (size_t i = 0; i < graph->node_count && status == HZ_OK; i++) {
        hzi_step step = {.node = &graph->nodes[i], .err = err};
        status = hzi_step_serve(&step);
    }
    return status;
}
