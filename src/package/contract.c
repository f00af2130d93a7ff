/* SPDX-License-Identifier: MIT */
/*
 * The serving contract of a graph: exactly one input [batch,WIDTH] and one output [batch,1], both
 * float32 tensors, under the names the manifest gives them. A graph that differs would be run by
 * any executor without complaint, so the check compares declarations, not results.
 */
#include <hazard/package.h>

#include "package/refusal.h"

#include <stdio.h>
#include <string.h>

enum { SHAPE_TEXT = 200, NAMES_TEXT = 320 };

/* Inputs or outputs of a graph, and what is wanted of them. */
typedef struct side {
    const char *kind; /* "input", "output" */
    const hz_port *ports;
    size_t count;
    const char *name;
    size_t width;
    const char *path;
} side;

/* ---- names in ascending order ---- */

/* Whether port a stands before port b: by name, then by place. */
static bool stands_before(const side *s, size_t a, size_t b) {
    int order = strcmp(s->ports[a].name, s->ports[b].name);
    return order ? order < 0 : a < b;
}

/* The port after `latest` (SIZE_MAX = the first), or SIZE_MAX. */
static size_t next_by_name(const side *s, size_t latest) {
    size_t next = SIZE_MAX;
    for (size_t i = 0; i < s->count; i++) {
        if ((latest == SIZE_MAX || stands_before(s, latest, i)) &&
            (next == SIZE_MAX || stands_before(s, i, next))) {
            next = i;
        }
    }
    return next;
}

/* "a, b, c", ending with "..." when not all names fit. Takes no memory: a graph may have as many
 * outputs as it likes, and every walk over them shows one. */
static void list_names(const side *s, char text[NAMES_TEXT]) {
    const char *comma = "";
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = next_by_name(s, SIZE_MAX); i != SIZE_MAX; i = next_by_name(s, i)) {
        char item[HZI_SHOWN + 2];
        int length = snprintf(item, sizeof item, "%s%s", comma, hzi_show(s->ports[i].name).text);
        if (used + (size_t)length + sizeof ", ..." > NAMES_TEXT) {
            (void)snprintf(text + used, NAMES_TEXT - used, "%s...", comma);
            return;
        }
        comma = ", ";
        memcpy(text + used, item, (size_t)length + 1);
        used += (size_t)length;
    }
}

/* ---- the checks ---- */

static hz_status check_tensors(const side *s, hz_error *err) {
    for (size_t i = 0; i < s->count; i++) {
        if (!s->ports[i].is_tensor) {
            return hzi_refuse(err, HZ_GRAPH_CONTRACT, s->path, "%s '%s' must be a tensor", s->kind,
                              hzi_show(s->ports[i].name).text);
        }
    }
    return HZ_OK;
}

static hz_status check_name(const side *s, hz_error *err) {
    if (s->count != 1 || strcmp(s->ports[0].name, s->name) != 0) {
        char names[NAMES_TEXT];
        list_names(s, names);
        return hzi_refuse(err, HZ_GRAPH_CONTRACT, s->path,
                          "ONNX model must expose exactly one %s named '%s'; found [%s]", s->kind,
                          hzi_show(s->name).text, names);
    }
    return HZ_OK;
}

static hz_status check_element(const side *s, hz_error *err) {
    if (s->ports[0].element != HZ_ELEMENT_FLOAT) {
        return hzi_refuse(err, HZ_GRAPH_CONTRACT, s->path, "%s '%s' must have FLOAT dtype; got %s",
                          s->kind, hzi_show(s->name).text, hz_element_name(s->ports[0].element));
    }
    return HZ_OK;
}

static hz_status check_shape(const side *s, hz_error *err) {
    const hz_port *port = &s->ports[0];
    if (!port->has_shape || port->rank != 2 || port->shape[0] != HZ_DYNAMIC || port->shape[1] < 0 ||
        (uint64_t)port->shape[1] != s->width) {
        char shape[SHAPE_TEXT];
        (void)hz_port_shape_text(port, shape, sizeof shape);
        return hzi_refuse(
            err, HZ_GRAPH_CONTRACT, s->path,
            "%s '%s' must have shape [batch,%zu] with a dynamic batch dimension; got %s", s->kind,
            hzi_show(s->name).text, s->width, shape);
    }
    return HZ_OK;
}

/* The order of these lines is the order of refusals. */
hz_status hz_contract_check(const hz_port *inputs, size_t input_count, const hz_port *outputs,
                            size_t output_count, const char *input_name, const char *output_name,
                            size_t width, const char *model_path, hz_error *err) {
    hz_status status;
    if (!input_name || !output_name || (!inputs && input_count) || (!outputs && output_count)) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                       "the check of a graph takes its ports and the names they must have");
    }
    side input = {"input", inputs, input_count, input_name, width, model_path};
    side output = {"output", outputs, output_count, output_name, 1, model_path};
    if ((status = check_tensors(&input, err)) != HZ_OK ||
        (status = check_tensors(&output, err)) != HZ_OK ||
        (status = check_name(&input, err)) != HZ_OK ||
        (status = check_name(&output, err)) != HZ_OK ||
        (status = check_element(&input, err)) != HZ_OK ||
        (status = check_shape(&input, err)) != HZ_OK ||
        (status = check_element(&output, err)) != HZ_OK) {
        return status;
    }
    return check_shape(&output, err);
}
