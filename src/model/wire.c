/* SPDX-License-Identifier: MIT */
/*
 * The wire format of protocol buffers, walked along the ONNX schema. The unpacker takes memory for
 * every field it meets and calls itself for every message within a message; what it will meet is
 * counted and bounded here first.
 */
#include "model/wire.h"

#include <hzi_onnx.pb-c.h>
#include <string.h>

/* The file's own message is at depth 0. A level takes about 200 bytes of stack here and less than 2 KiB
 * in the unpacker, so the deepest file takes an eighth of a MiB. */
enum { NESTING_MAX = 64, VARINT_BYTES = 10, TAG_BYTES = 5 };
enum { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_LENGTH = 2, WIRE_32 = 5 };

typedef struct wire_walk {
    const uint8_t *bytes;
    const hz_graph_limits *limits;
    uint32_t nodes;
    bool whole; /* refuse numbers in other files */
    hz_error *err;
} wire_walk;

static hz_status broken(const wire_walk *walk, size_t at, const char *what) {
    return hz_fail(walk->err, HZ_GRAPH, at, "these bytes are no ONNX model: %s at byte %zu", what,
                   at);
}

/* False when it does not end within `most` bytes or before `end`. */
static bool read_varint(const wire_walk *walk, size_t *at, size_t end, int most, uint64_t *value) {
    *value = 0;
    for (int i = 0; i < most && *at < end; i++) {
        uint8_t byte = walk->bytes[(*at)++];
        *value |= (uint64_t)(byte & 0x7f) << (7 * i);
        if (byte < 0x80) {
            return true;
        }
    }
    return false;
}

/* Length of the UTF-8 character at text, 0 when there is none. */
static size_t utf8_length(const uint8_t *text, size_t left) {
    uint8_t lead = text[0];
    size_t length = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (length == 0 || length > left || lead > 0xf4) {
        return 0;
    }
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    bool overlong = (lead == 0xe0 && text[1] < 0xa0) || (lead == 0xf0 && text[1] < 0x90);
    bool surrogate = lead == 0xed && text[1] > 0x9f;
    bool beyond = lead == 0xf4 && text[1] > 0x8f;
    return overlong || surrogate || beyond ? 0 : length;
}

/* Texts meant for people may hold anything but a zero byte, which would cut them. */
static bool is_prose(const ProtobufCMessageDescriptor *message,
                     const ProtobufCFieldDescriptor *field) {
    return message == &hzi__onnx__string_string_entry_proto__descriptor ||
           strcmp(field->name, "doc_string") == 0;
}

static hz_status check_text(const wire_walk *walk, size_t at, size_t length, bool prose) {
    const uint8_t *text = walk->bytes + at;
    if (memchr(text, 0, length)) {
        return broken(walk, at, "a text with a zero byte");
    }
    if (prose) {
        return HZ_OK;
    }
    if (length > HZI_NAME_MAX) {
        return hz_fail(walk->err, HZ_GRAPH, at, "a name of %zu bytes at byte %zu; the most is %d",
                       length, at, HZI_NAME_MAX);
    }
    for (size_t i = 0; i < length;) {
        size_t character = utf8_length(text + i, length - i);
        if (character == 0) {
            return broken(walk, at + i, "a name that is not UTF-8");
        }
        if (text[i] < 0x20 || text[i] == 0x7f) {
            return hz_fail(walk->err, HZ_GRAPH, at + i,
                           "a name with a control character at byte %zu", at + i);
        }
        i += character;
    }
    return HZ_OK;
}

static hz_status check_message(wire_walk *walk, const ProtobufCMessageDescriptor *message,
                               size_t at, size_t end, int depth);

/* What a length-delimited field holds. */
static hz_status check_content(wire_walk *walk, const ProtobufCMessageDescriptor *message,
                               const ProtobufCFieldDescriptor *field, size_t at, size_t length,
                               int depth) {
    if (!field) {
        return HZ_OK; /* newer than the schema; nothing here reads it */
    }
    if (field->type == PROTOBUF_C_TYPE_MESSAGE) {
        return check_message(walk, field->descriptor, at, at + length, depth + 1);
    }
    if (field->type == PROTOBUF_C_TYPE_STRING) {
        return check_text(walk, at, length, is_prose(message, field));
    }
    if (field->type != PROTOBUF_C_TYPE_BYTES && field->label != PROTOBUF_C_LABEL_REPEATED) {
        return broken(walk, at, "a number written as a text");
    }
    return HZ_OK;
}

/* Whether a field of a tensor says that its numbers are elsewhere. Readers differ in which of the two
 * such fields they go by, and keep 32 bits of the number. */
static bool points_elsewhere(const ProtobufCMessageDescriptor *message, unsigned field,
                             unsigned kind, uint64_t value) {
    enum { EXTERNAL_DATA = 13, DATA_LOCATION = 14 };
    return message == &hzi__onnx__tensor_proto__descriptor &&
           (field == EXTERNAL_DATA ||
            (field == DATA_LOCATION && (kind != WIRE_VARINT || (uint32_t)value != 0)));
}

/* Recursive, at most NESTING_MAX deep. */
static hz_status check_message(wire_walk *walk, const ProtobufCMessageDescriptor *message,
                               size_t at, size_t end, int depth) {
    if (depth > NESTING_MAX) {
        return hz_fail(walk->err, HZ_GRAPH, at, "messages are nested more than %d deep at byte %zu",
                       NESTING_MAX, at);
    }
    if (message == &hzi__onnx__node_proto__descriptor && ++walk->nodes > walk->limits->nodes) {
        return hz_fail(walk->err, HZ_GRAPH, at, "the graph has more than %u nodes",
                       walk->limits->nodes);
    }
    while (at < end) {
        size_t start = at;
        uint64_t tag, value = 0;
        if (!read_varint(walk, &at, end, TAG_BYTES, &tag) || tag >> 3 == 0 ||
            tag >> 3 > UINT32_MAX >> 3) {
            return broken(walk, start, "a broken field number");
        }
        const ProtobufCFieldDescriptor *field =
            protobuf_c_message_descriptor_get_field(message, (unsigned)(tag >> 3));
        bool texts = field && (field->type == PROTOBUF_C_TYPE_MESSAGE ||
                               field->type == PROTOBUF_C_TYPE_STRING ||
                               field->type == PROTOBUF_C_TYPE_BYTES);
        if (texts && (tag & 7) != WIRE_LENGTH) {
            return broken(walk, start, "a text written as a number");
        }
        size_t fixed = 0;
        switch (tag & 7) {
        case WIRE_VARINT:
            if (!read_varint(walk, &at, end, VARINT_BYTES, &value)) {
                return broken(walk, start, "a number without an end");
            }
            break;
        case WIRE_64:
            fixed = 8;
            break;
        case WIRE_32:
            fixed = 4;
            break;
        case WIRE_LENGTH:
            if (!read_varint(walk, &at, end, VARINT_BYTES, &value) || value > end - at) {
                return broken(walk, start, "a length beyond the end");
            }
            hz_status status = check_content(walk, message, field, at, (size_t)value, depth);
            if (status != HZ_OK) {
                return status;
            }
            at += (size_t)value;
            break;
        default:
            return broken(walk, start, "an unknown kind of field");
        }
        if (fixed > end - at) {
            return broken(walk, start, "a number beyond the end");
        }
        if (walk->whole && points_elsewhere(message, (unsigned)(tag >> 3), tag & 7, value)) {
            return hz_fail(walk->err, HZ_GRAPH, start,
                           "a tensor at byte %zu is kept in another file; external data is not "
                           "supported",
                           start);
        }
        at += fixed;
    }
    return HZ_OK;
}

static hz_status check(wire_walk walk, size_t length) {
    if (length == 0) {
        return hz_fail(walk.err, HZ_GRAPH, 0, "these bytes are no ONNX model: there are none");
    }
    if (length > walk.limits->file_bytes) {
        return hz_fail(walk.err, HZ_GRAPH, HZ_NO_OFFSET,
                       "the model has %zu bytes; the most that is read is %zu", length,
                       walk.limits->file_bytes);
    }
    return check_message(&walk, &hzi__onnx__model_proto__descriptor, 0, length, 0);
}

hz_status hzi_wire_check(const void *bytes, size_t length, const hz_graph_limits *limits,
                         hz_error *err) {
    return check((wire_walk){.bytes = bytes, .limits = limits, .err = err}, length);
}

hz_status hzi_wire_check_whole(const void *bytes, size_t length, const hz_graph_limits *limits,
                               hz_error *err) {
    return check((wire_walk){.bytes = bytes, .limits = limits, .whole = true, .err = err}, length);
}
