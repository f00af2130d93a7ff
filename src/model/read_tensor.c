/* SPDX-License-Identifier: MIT */
/*
 * Tensors of a model file: raw little-endian bytes, or numbers in a typed field, into one aligned
 * array. The shape decides how many there must be.
 */
#include "model/reading.h"

#include <string.h>

typedef Hzi__Onnx__TensorProto proto;

static hz_status refuse(hzi_reader *reader, const char *what, const char *why) {
    return hz_fail(reader->err, HZ_GRAPH, HZ_NO_OFFSET, "%.300s: %s", what, why);
}

static hz_status check_kind(hzi_reader *reader, const proto *source, const char *what) {
    if (source->n_external_data > 0 ||
        (source->has_data_location &&
         source->data_location != HZI__ONNX__TENSOR_PROTO__DATA_LOCATION__DEFAULT)) {
        return refuse(reader, what, "external data is not supported");
    }
    if (source->segment) {
        return refuse(reader, what, "a tensor in segments is not supported");
    }
    if (source->data_type == HZ_ELEMENT_STRING || source->n_string_data > 0) {
        return refuse(reader, what, "a tensor of strings is not supported");
    }
    hz_element element = (hz_element)source->data_type;
    if (hz_element_size(element) == 0 || element == HZ_ELEMENT_COMPLEX64 ||
        element == HZ_ELEMENT_COMPLEX128) {
        return hz_fail(reader->err, HZ_GRAPH, HZ_NO_OFFSET,
                       "%.300s: element type %d (%s) is not supported", what, source->data_type,
                       hz_element_name(element));
    }
    return HZ_OK;
}

static hz_status read_shape(hzi_reader *reader, const proto *source, const char *what,
                            hz_tensor *tensor, size_t *count) {
    if (source->n_dims > HZ_RANK_MAX) {
        return hz_fail(reader->err, HZ_GRAPH, HZ_NO_OFFSET, "%.300s: rank %zu; the most is %d",
                       what, source->n_dims, HZ_RANK_MAX);
    }
    tensor->rank = (uint32_t)source->n_dims;
    uint64_t product = 1;
    bool empty = false;
    uint64_t most = reader->graph->limits.memory_bytes / hz_element_size(tensor->element);
    for (size_t i = 0; i < source->n_dims; i++) {
        int64_t dim = source->dims[i];
        if (dim < 0) {
            return refuse(reader, what, "a negative dimension");
        }
        tensor->shape[i] = dim;
        if (dim == 0) {
            empty = true;
        } else if ((uint64_t)dim > most / product) {
            return refuse(reader, what, "its shape is beyond the memory limit");
        } else {
            product *= (uint64_t)dim;
        }
    }
    *count = empty ? 0 : (size_t)product;
    return HZ_OK;
}

/* Numbers of all typed fields together, to find those that do not belong. */
static size_t typed_count(const proto *source) {
    return source->n_float_data + source->n_int32_data + source->n_int64_data +
           source->n_double_data + source->n_uint64_data;
}

/* The typed field that holds numbers of an element type: how many, and where. */
static size_t typed_field(const proto *source, hz_element element, const void **field) {
    switch (element) {
    case HZ_ELEMENT_FLOAT:
        *field = source->float_data;
        return source->n_float_data;
    case HZ_ELEMENT_DOUBLE:
        *field = source->double_data;
        return source->n_double_data;
    case HZ_ELEMENT_INT64:
        *field = source->int64_data;
        return source->n_int64_data;
    case HZ_ELEMENT_UINT64:
    case HZ_ELEMENT_UINT32:
        *field = source->uint64_data;
        return source->n_uint64_data;
    default: /* everything narrower stands in 32-bit numbers */
        *field = source->int32_data;
        return source->n_int32_data;
    }
}

/* A number of int32_data into its narrow type; false when it does not fit. */
static bool narrow(hz_element element, int32_t number, unsigned char *to) {
    int32_t least = 0, most;
    switch (element) {
    case HZ_ELEMENT_BOOL:
        most = 1;
        break;
    case HZ_ELEMENT_UINT8:
        most = UINT8_MAX;
        break;
    case HZ_ELEMENT_INT8:
        least = INT8_MIN;
        most = INT8_MAX;
        break;
    case HZ_ELEMENT_INT16:
        least = INT16_MIN;
        most = INT16_MAX;
        break;
    default: /* UINT16 and the bits of FLOAT16 and BFLOAT16 */
        most = UINT16_MAX;
        break;
    }
    if (number < least || number > most) {
        return false;
    }
    uint32_t bits = (uint32_t)number;
    to[0] = (unsigned char)(bits & 0xff);
    if (hz_element_size(element) == 2) {
        to[1] = (unsigned char)(bits >> 8 & 0xff);
    }
    return true;
}

static hz_status read_typed(hzi_reader *reader, const proto *source, const char *what,
                            hz_tensor *tensor, size_t count) {
    const void *field = NULL;
    size_t there = typed_field(source, tensor->element, &field);
    if (there != typed_count(source)) {
        return refuse(reader, what, "its numbers are not of its element type");
    }
    if (there != count) {
        return hz_fail(reader->err, HZ_GRAPH, HZ_NO_OFFSET,
                       "%.300s: the shape wants %zu numbers, there are %zu", what, count, there);
    }
    if (count == 0) {
        return HZ_OK;
    }
    size_t size = hz_element_size(tensor->element);
    unsigned char *to = tensor->data;
    if (size == 8 || tensor->element == HZ_ELEMENT_FLOAT || tensor->element == HZ_ELEMENT_INT32) {
        memcpy(to, field, count * size);
        return HZ_OK;
    }
    for (size_t i = 0; i < count; i++, to += size) {
        bool fits;
        if (tensor->element == HZ_ELEMENT_UINT32) {
            uint64_t wide = ((const uint64_t *)field)[i];
            uint32_t number = (uint32_t)wide;
            fits = wide <= UINT32_MAX;
            memcpy(to, &number, sizeof number);
        } else {
            fits = narrow(tensor->element, ((const int32_t *)field)[i], to);
        }
        if (!fits) {
            return hz_fail(reader->err, HZ_GRAPH, HZ_NO_OFFSET,
                           "%.300s: number %zu does not fit %s", what, i,
                           hz_element_name(tensor->element));
        }
    }
    return HZ_OK;
}

static hz_status read_raw(hzi_reader *reader, const proto *source, const char *what,
                          hz_tensor *tensor, size_t count) {
    size_t size = hz_element_size(tensor->element) * count;
    if (typed_count(source) > 0) {
        return refuse(reader, what, "its numbers are there twice");
    }
    if (source->raw_data.len != size) {
        return hz_fail(reader->err, HZ_GRAPH, HZ_NO_OFFSET,
                       "%.300s: the shape wants %zu bytes of data, there are %zu", what, size,
                       source->raw_data.len);
    }
    if (size > 0) {
        memcpy(tensor->data, source->raw_data.data, size);
    }
    if (tensor->element == HZ_ELEMENT_BOOL) {
        unsigned char *truth = tensor->data;
        for (size_t i = 0; i < size; i++) {
            if (truth[i] > 1) {
                return hz_fail(reader->err, HZ_GRAPH, HZ_NO_OFFSET,
                               "%.300s: number %zu does not fit BOOL", what, i);
            }
        }
    }
    return HZ_OK;
}

hz_status hzi_read_tensor(hzi_reader *reader, const Hzi__Onnx__TensorProto *source,
                          const char *what, hz_tensor *tensor) {
    size_t count = 0;
    hz_status status = check_kind(reader, source, what);
    if (status != HZ_OK) {
        return status;
    }
    *tensor = (hz_tensor){.element = (hz_element)source->data_type};
    status = read_shape(reader, source, what, tensor, &count);
    if (status != HZ_OK) {
        return status;
    }
    /* The data is there in full or the tensor is refused: no memory for promises. */
    size_t bytes = source->has_raw_data ? source->raw_data.len : typed_count(source);
    if (bytes < count) {
        return hz_fail(reader->err, HZ_GRAPH, HZ_NO_OFFSET,
                       "%.300s: the shape wants %zu numbers, the data has not that many", what,
                       count);
    }
    (void)hzi_read_keep(reader, 0, 1); /* brings the arena's limit up to date */
    tensor->data =
        hzi_arena_aligned(&reader->graph->arena, count * hz_element_size(tensor->element));
    if (!tensor->data) {
        return hzi_read_no_memory(reader);
    }
    return source->has_raw_data ? read_raw(reader, source, what, tensor, count)
                                : read_typed(reader, source, what, tensor, count);
}
