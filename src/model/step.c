/* SPDX-License-Identifier: MIT */
/*
 * What operators ask for while they prepare a step: attributes of the right kind, numbers that are
 * known already, outputs within the limits, and refusals that name the node. Concrete shapes, too.
 */
#include "model/operator.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- refusals and memory ---------------------------------------------------------------------- */

hz_status hzi_step_refuse(hzi_step *step, const char *format, ...) {
    if (!step->err) {
        return HZ_GRAPH;
    }
    char node[200], message[700];
    (void)hzi_node_text(step->node, node, sizeof node);
    va_list args;
    va_start(args, format);
    (void)vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return hz_fail(step->err, HZ_GRAPH, HZ_NO_OFFSET, "%s: %s", node, message);
}

hz_status hzi_step_no_memory(hzi_step *step) {
    char node[200];
    (void)hzi_node_text(step->node, node, sizeof node);
    return hz_fail(step->err, HZ_NO_MEMORY, HZ_NO_OFFSET,
                   "%s: preparing it takes more memory than there is or is allowed", node);
}

void *hzi_step_alloc(hzi_step *step, size_t size) {
    void *memory = hz_arena_alloc(step->arena, size);
    if (memory) {
        memset(memory, 0, size);
    }
    return memory;
}

/* ---- attributes ------------------------------------------------------------------------------- */

static const char *kind_text(hzi_attribute_kind kind) {
    static const char *const TEXTS[] = {
        [HZI_ATTRIBUTE_INT] = "a whole number",
        [HZI_ATTRIBUTE_FLOAT] = "a float",
        [HZI_ATTRIBUTE_STRING] = "a string",
        [HZI_ATTRIBUTE_TENSOR] = "a tensor",
        [HZI_ATTRIBUTE_INTS] = "a list of whole numbers",
        [HZI_ATTRIBUTE_FLOATS] = "a list of floats",
        [HZI_ATTRIBUTE_STRINGS] = "a list of strings",
        [HZI_ATTRIBUTE_OTHER] = "something else",
    };
    return TEXTS[kind];
}

/* *found = NULL when the node lacks the attribute. */
static hz_status find(hzi_step *step, const char *name, hzi_attribute_kind kind,
                      const hzi_attribute **found) {
    *found = hzi_node_attribute(step->node, name);
    if (*found && (*found)->kind != kind) {
        return hzi_step_refuse(step, "attribute '%s' must be %s, it is %s", name, kind_text(kind),
                               kind_text((*found)->kind));
    }
    return HZ_OK;
}

hz_status hzi_step_int(hzi_step *step, const char *name, int64_t fallback, int64_t *value) {
    const hzi_attribute *found;
    hz_status status = find(step, name, HZI_ATTRIBUTE_INT, &found);
    *value = status == HZ_OK && found ? found->i : fallback;
    return status;
}

hz_status hzi_step_float(hzi_step *step, const char *name, float fallback, float *value) {
    const hzi_attribute *found;
    hz_status status = find(step, name, HZI_ATTRIBUTE_FLOAT, &found);
    *value = status == HZ_OK && found ? found->f : fallback;
    return status;
}

hz_status hzi_step_string(hzi_step *step, const char *name, const char *fallback,
                          const char **value) {
    const hzi_attribute *found;
    hz_status status = find(step, name, HZI_ATTRIBUTE_STRING, &found);
    *value = status == HZ_OK && found ? found->text : fallback;
    return status;
}

hz_status hzi_step_ints(hzi_step *step, const char *name, const int64_t **values, size_t *count) {
    static const int64_t NONE[1] = {0};
    const hzi_attribute *found;
    *values = NULL;
    *count = 0;
    hz_status status = find(step, name, HZI_ATTRIBUTE_INTS, &found);
    if (status == HZ_OK && found) {
        *values = found->count ? found->ints : NONE;
        *count = found->count;
    }
    return status;
}

hz_status hzi_step_floats(hzi_step *step, const char *name, const float **values, size_t *count) {
    static const float NONE[1] = {0};
    const hzi_attribute *found;
    *values = NULL;
    *count = 0;
    hz_status status = find(step, name, HZI_ATTRIBUTE_FLOATS, &found);
    if (status == HZ_OK && found) {
        *values = found->count ? found->floats : NONE;
        *count = found->count;
    }
    return status;
}

hz_status hzi_step_strings(hzi_step *step, const char *name, const char *const **values,
                           size_t *count) {
    static const char *const NONE[1] = {""};
    const hzi_attribute *found;
    *values = NULL;
    *count = 0;
    hz_status status = find(step, name, HZI_ATTRIBUTE_STRINGS, &found);
    if (status == HZ_OK && found) {
        *values = found->count ? found->strings : NONE;
        *count = found->count;
    }
    return status;
}

hz_status hzi_step_tensor(hzi_step *step, const char *name, const hz_tensor **tensor) {
    const hzi_attribute *found;
    hz_status status = find(step, name, HZI_ATTRIBUTE_TENSOR, &found);
    *tensor = status == HZ_OK && found ? &found->tensor : NULL;
    return status;
}

/* ---- inputs ----------------------------------------------------------------------------------- */

static hzi_tensor *input_at(const hzi_step *step, uint32_t index) {
    return index < step->input_count ? step->inputs[index] : NULL;
}

hz_status hzi_step_known_ints(hzi_step *step, uint32_t index, const char *what,
                              const int64_t **values, size_t *count) {
    const hzi_tensor *input = input_at(step, index);
    if (!input) {
        return hzi_step_refuse(step, "input %u (%s) is missing", index, what);
    }
    if (input->element != HZ_ELEMENT_INT64 && input->element != HZ_ELEMENT_INT32) {
        return hzi_step_refuse(step, "%s '%.80s' must be INT64 or INT32, it is %s", what,
                               input->name, hz_element_name(input->element));
    }
    if (input->shape.rank > 1) {
        return hzi_step_refuse(step, "%s '%.80s' must be a list, it has rank %d", what, input->name,
                               input->shape.rank);
    }
    if (!input->known) {
        return hzi_step_refuse(step, "%s '%.80s' must be known before the graph runs", what,
                               input->name);
    }
    *count = (size_t)input->count;
    if (input->element == HZ_ELEMENT_INT64) {
        *values = input->data;
        return HZ_OK;
    }
    int64_t *wide = hzi_step_alloc(step, *count * sizeof *wide);
    if (!wide) {
        return hzi_step_no_memory(step);
    }
    const int32_t *narrow = input->data;
    for (size_t i = 0; i < *count; i++) {
        wide[i] = narrow[i];
    }
    *values = wide;
    return HZ_OK;
}

hz_status hzi_step_element_in(hzi_step *step, uint32_t index, const hz_element *elements) {
    const hzi_tensor *input = input_at(step, index);
    if (!input) {
        return hzi_step_refuse(step, "input %u is missing", index);
    }
    char list[160] = "";
    size_t length = 0;
    for (; *elements != HZ_ELEMENT_UNDEFINED; elements++) {
        if (*elements == input->element) {
            return HZ_OK;
        }
        if (length < sizeof list) {
            int more = snprintf(list + length, sizeof list - length, "%s%s", length ? ", " : "",
                                hz_element_name(*elements));
            length += more > 0 ? (size_t)more : 0;
        }
    }
    return hzi_step_refuse(step, "input %u '%.80s' is %s; served are %s", index, input->name,
                           hz_element_name(input->element), list);
}

/* ---- outputs ---------------------------------------------------------------------------------- */

hz_status hzi_step_output(hzi_step *step, uint32_t index, hz_element element,
                          const hzi_shape *shape) {
    hzi_tensor *output = index < step->output_count ? step->outputs[index] : NULL;
    if (!output) {
        return HZ_OK;
    }
    if (shape->rank < 0 || shape->rank > HZ_RANK_MAX) {
        return hzi_step_refuse(step, "output '%.80s' would have rank %d; the most is %d",
                               output->name, shape->rank, HZ_RANK_MAX);
    }
    size_t size = hz_element_size(element);
    if (size == 0) {
        return hzi_step_refuse(step, "output '%.80s' would hold %s, which is not served",
                               output->name, hz_element_name(element));
    }
    int64_t count = hzi_shape_count(shape);
    size_t limit = step->arena->limit ? step->arena->limit : SIZE_MAX / 2;
    if (count < 0 || (uint64_t)count > limit / size) {
        char text[200];
        (void)hzi_shape_text(shape, text, sizeof text);
        return hzi_step_refuse(step,
                               "output '%.80s' %s of %s is beyond the memory limit of %zu bytes",
                               output->name, text, hz_element_name(element), limit);
    }
    output->element = element;
    output->shape = *shape;
    for (int i = shape->rank; i < HZ_RANK_MAX; i++) {
        output->shape.dim[i] = 0;
    }
    output->count = count;
    output->known = false;
    output->data = NULL;
    return HZ_OK;
}

void hzi_step_output_known(hzi_step *step, uint32_t index, const void *data) {
    hzi_tensor *output = index < step->output_count ? step->outputs[index] : NULL;
    if (output) {
        union { /* nothing writes a known value: program.h */
            const void *read;
            void *held;
        } pointer = {data};
        output->data = pointer.held;
        output->known = true;
    }
}

/* ---- shapes ----------------------------------------------------------------------------------- */

int64_t hzi_shape_count(const hzi_shape *shape) {
    int64_t count = 1;
    bool empty = false;
    for (int i = 0; i < shape->rank; i++) {
        int64_t dim = shape->dim[i];
        if (dim < 0) {
            return -1;
        }
        if (dim == 0) {
            empty = true; /* the other dimensions must still fit together: strides use them */
            continue;
        }
        if (count > INT64_MAX / dim) {
            return -1;
        }
        count *= dim;
    }
    return empty ? 0 : count;
}

bool hzi_shape_equal(const hzi_shape *a, const hzi_shape *b) {
    if (a->rank != b->rank) {
        return false;
    }
    for (int i = 0; i < a->rank; i++) {
        if (a->dim[i] != b->dim[i]) {
            return false;
        }
    }
    return true;
}

bool hzi_shape_broadcast(const hzi_shape *a, const hzi_shape *b, hzi_shape *out) {
    hzi_shape result = {.rank = a->rank > b->rank ? a->rank : b->rank};
    for (int i = 1; i <= result.rank; i++) { /* from the last dimension */
        int64_t of_a = i <= a->rank ? a->dim[a->rank - i] : 1;
        int64_t of_b = i <= b->rank ? b->dim[b->rank - i] : 1;
        if (of_a != of_b && of_a != 1 && of_b != 1) {
            return false;
        }
        result.dim[result.rank - i] = of_a == 1 ? of_b : of_a;
    }
    *out = result;
    return true;
}

int hzi_axis(int64_t axis, int rank) {
    if (axis < -(int64_t)rank || axis >= rank) {
        return -1;
    }
    return (int)(axis < 0 ? axis + rank : axis);
}

size_t hzi_shape_text(const hzi_shape *shape, char *buffer, size_t capacity) {
    char text[HZ_RANK_MAX * 21 + 3];
    size_t length = 0;
    text[length++] = '[';
    for (int i = 0; i < shape->rank && i < HZ_RANK_MAX; i++) {
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%lld", i ? "," : "",
                                   (long long)shape->dim[i]);
    }
    text[length++] = ']';
    text[length] = '\0';
    return (size_t)snprintf(buffer, capacity, "%s", text);
}
