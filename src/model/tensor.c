/* SPDX-License-Identifier: MIT */
/* Element types and what a tensor or a port says about itself. */
#include <hazard/model.h>

#include <stdio.h>

static const struct {
    const char *name;
    size_t size;
} ELEMENTS[] = {
    [HZ_ELEMENT_UNDEFINED] = {"UNDEFINED", 0}, [HZ_ELEMENT_FLOAT] = {"FLOAT", 4},
    [HZ_ELEMENT_UINT8] = {"UINT8", 1},         [HZ_ELEMENT_INT8] = {"INT8", 1},
    [HZ_ELEMENT_UINT16] = {"UINT16", 2},       [HZ_ELEMENT_INT16] = {"INT16", 2},
    [HZ_ELEMENT_INT32] = {"INT32", 4},         [HZ_ELEMENT_INT64] = {"INT64", 8},
    [HZ_ELEMENT_STRING] = {"STRING", 0},       [HZ_ELEMENT_BOOL] = {"BOOL", 1},
    [HZ_ELEMENT_FLOAT16] = {"FLOAT16", 2},     [HZ_ELEMENT_DOUBLE] = {"DOUBLE", 8},
    [HZ_ELEMENT_UINT32] = {"UINT32", 4},       [HZ_ELEMENT_UINT64] = {"UINT64", 8},
    [HZ_ELEMENT_COMPLEX64] = {"COMPLEX64", 8}, [HZ_ELEMENT_COMPLEX128] = {"COMPLEX128", 16},
    [HZ_ELEMENT_BFLOAT16] = {"BFLOAT16", 2},
};
enum { ELEMENT_COUNT = sizeof ELEMENTS / sizeof *ELEMENTS };

const char *hz_element_name(hz_element element) {
    unsigned index = (unsigned)element;
    return ELEMENTS[index < ELEMENT_COUNT ? index : 0].name;
}

size_t hz_element_size(hz_element element) {
    unsigned index = (unsigned)element;
    return index < ELEMENT_COUNT ? ELEMENTS[index].size : 0;
}

size_t hz_tensor_count(const hz_tensor *tensor) {
    size_t count = 1;
    for (uint32_t i = 0; i < tensor->rank; i++) {
        count *= (size_t)tensor->shape[i];
    }
    return count;
}

size_t hz_port_shape_text(const hz_port *port, char *buffer, size_t capacity) {
    char text[HZ_RANK_MAX * 21 + 16];
    size_t length = 0;
    if (!port->has_shape) {
        return (size_t)snprintf(buffer, capacity, "[?]");
    }
    text[length++] = '[';
    for (uint32_t i = 0; i < port->rank && i < HZ_RANK_MAX; i++) {
        const char *comma = i ? "," : "";
        size_t room = sizeof text - length;
        length +=
            port->shape[i] == HZ_DYNAMIC
                ? (size_t)snprintf(text + length, room, "%sbatch", comma)
                : (size_t)snprintf(text + length, room, "%s%lld", comma, (long long)port->shape[i]);
    }
    return (size_t)snprintf(buffer, capacity, "%.*s%s]", (int)length, text,
                            port->rank > HZ_RANK_MAX ? ",..." : "");
}
