/* SPDX-License-Identifier: MIT */
/*
 * Reading an ONNX model: the wire format is looked over first, then unpacked into memory with a
 * bound, then checked and copied into a graph that needs nothing of it any more. The parts are
 * read_nodes.c, read_values.c, read_order.c and read_tensor.c.
 */
#include "model/reading.h"
#include "model/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <hzi_onnx.pb-c.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Versions of the file format whose meaning is known. */
enum { IR_FIRST = 1, IR_LAST = 11 };

static const hz_graph_limits DEFAULTS = {
    .file_bytes = (size_t)48 << 20,
    .memory_bytes = (size_t)512 << 20,
    .nodes = 100000,
    .work = 100000000000u,
};

hz_graph_limits hzi_fill_limits(const hz_graph_limits *given) {
    hz_graph_limits limits = given ? *given : (hz_graph_limits){0};
    limits.file_bytes = limits.file_bytes ? limits.file_bytes : DEFAULTS.file_bytes;
    limits.memory_bytes = limits.memory_bytes ? limits.memory_bytes : DEFAULTS.memory_bytes;
    limits.nodes = limits.nodes ? limits.nodes : DEFAULTS.nodes;
    limits.work = limits.work ? limits.work : DEFAULTS.work;
    return limits;
}

/* ---- memory while reading --------------------------------------------------------------------- */

static void *unpack_alloc(void *state, size_t size) {
    hzi_reader *reader = state;
    void *memory = hz_arena_alloc(&reader->scratch, size);
    reader->exhausted = reader->exhausted || !memory;
    return memory;
}

static void unpack_free(void *reader, void *memory) {
    (void)reader; /* given back at once with the arena */
    (void)memory;
}

/* ---- the model around the graph ---------------------------------------------------------------- */

static hz_status read_imports(hzi_reader *reader, const Hzi__Onnx__ModelProto *model) {
    reader->imports = hzi_read_scratch(reader, model->n_opset_import, sizeof *reader->imports);
    if (!reader->imports) {
        return hzi_read_no_memory(reader);
    }
    enum { MOST = 256 };
    if (model->n_opset_import > MOST) {
        return hz_fail(reader->err, HZ_GRAPH, HZ_NO_OFFSET,
                       "the model imports %zu operator sets; the most is %d", model->n_opset_import,
                       MOST);
    }
    for (size_t i = 0; i < model->n_opset_import; i++) {
        const Hzi__Onnx__OperatorSetIdProto *source = model->opset_import[i];
        const char *domain = hzi_read_domain(source->domain);
        const char *shown = domain[0] ? domain : "ai.onnx";
        if (source->version < 1 || source->version > INT_MAX) {
            return hz_fail(reader->err, HZ_GRAPH, HZ_NO_OFFSET,
                           "the model imports opset %lld of '%.200s', which is no version",
                           (long long)source->version, shown);
        }
        for (size_t k = 0; k < reader->import_count; k++) {
            if (strcmp(reader->imports[k].domain, domain) == 0) {
                return hz_fail(reader->err, HZ_GRAPH, HZ_NO_OFFSET,
                               "the model imports the operators of '%.200s' twice", shown);
            }
        }
        reader->imports[reader->import_count++] = (hzi_import){domain, (int)source->version};
        if (!domain[0]) {
            reader->graph->facts.opset = (int)source->version;
        }
    }
    return HZ_OK;
}

static hz_status check_model(hzi_reader *reader, const Hzi__Onnx__ModelProto *model) {
    const char *why = NULL;
    if (!model->has_ir_version || model->ir_version < IR_FIRST || model->ir_version > IR_LAST) {
        return hz_fail(reader->err, HZ_GRAPH, HZ_NO_OFFSET,
                       "the model has IR version %lld; known are %d to %d",
                       (long long)model->ir_version, IR_FIRST, IR_LAST);
    }
    if (!model->graph) {
        why = "the model has no graph";
    } else if (model->n_functions > 0) {
        why = "the model defines functions, which are not supported";
    } else if (model->graph->n_sparse_initializer > 0) {
        why = "the graph has sparse tensors, which are not supported";
    }
    return why ? hz_fail(reader->err, HZ_GRAPH, HZ_NO_OFFSET, "%s", why) : HZ_OK;
}

/* What the file says about itself. */
static hz_status read_notes(hzi_reader *reader, const Hzi__Onnx__ModelProto *model) {
    hz_graph *graph = reader->graph;
    graph->notes = hzi_read_keep(reader, model->n_metadata_props, 2 * sizeof *graph->notes);
    if (!graph->notes) {
        return hzi_read_no_memory(reader);
    }
    for (size_t i = 0; i < model->n_metadata_props; i++) {
        graph->notes[2 * i] = hzi_read_text(reader, model->metadata_props[i]->key);
        graph->notes[2 * i + 1] = hzi_read_text(reader, model->metadata_props[i]->value);
        if (!graph->notes[2 * i] || !graph->notes[2 * i + 1]) {
            return hzi_read_no_memory(reader);
        }
        graph->note_count = i + 1;
    }
    return HZ_OK;
}

static hz_status read_model(hzi_reader *reader, const Hzi__Onnx__ModelProto *model) {
    hz_graph *graph = reader->graph;
    hz_status status = check_model(reader, model);
    if (status != HZ_OK) {
        return status;
    }
    reader->source = model->graph;
    graph->facts.ir_version = model->ir_version;
    graph->facts.producer = hzi_read_text(reader, model->producer_name);
    graph->facts.name = hzi_read_text(reader, model->graph->name);
    if (!graph->facts.producer || !graph->facts.name) {
        return hzi_read_no_memory(reader);
    }
    status = read_imports(reader, model);
    if (status == HZ_OK) {
        status = read_notes(reader, model);
    }
    if (status == HZ_OK) {
        status = hzi_read_nodes(reader);
    }
    if (status == HZ_OK) {
        status = hzi_read_values(reader);
    }
    return status == HZ_OK ? hzi_read_order(reader) : status;
}

hz_status hz_graph_read(const void *bytes, size_t length, const hz_graph_limits *limits,
                        hz_graph **graph, hz_error *err) {
    hz_graph_limits filled = hzi_fill_limits(limits);
    hz_status status = hzi_wire_check(bytes, length, &filled, err);
    if (status != HZ_OK) {
        return status;
    }
    hz_graph *made = calloc(1, sizeof *made);
    if (!made) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "out of memory");
    }
    made->limits = filled;
    made->facts.file_bytes = length;
    hz_arena_init(&made->arena, filled.memory_bytes);
    hzi_reader reader = {.graph = made, .err = err};
    hz_arena_init(&reader.scratch, filled.memory_bytes);
    ProtobufCAllocator allocator = {unpack_alloc, unpack_free, &reader};
    const Hzi__Onnx__ModelProto *model = hzi__onnx__model_proto__unpack(&allocator, length, bytes);
    if (model) {
        status = read_model(&reader, model);
    } else if (reader.exhausted) {
        status = hzi_read_no_memory(&reader);
    } else {
        status = hz_fail(err, HZ_GRAPH, HZ_NO_OFFSET,
                         "these bytes are no ONNX model: a field has the wrong type");
    }
    hz_arena_fini(&reader.scratch);
    made->arena.limit = filled.memory_bytes;
    if (status != HZ_OK) {
        hz_graph_free(made);
        return status;
    }
    *graph = made;
    return HZ_OK;
}

/* ---- files ------------------------------------------------------------------------------------- */

/* Opens a regular file, and nothing else: a pipe would be waited for, a device never ends. */
static hz_status open_regular(const char *path, FILE **file, hz_error *err) {
    struct stat facts;
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    bool known = descriptor >= 0 && fstat(descriptor, &facts) == 0;
    if (known && !S_ISREG(facts.st_mode)) {
        (void)close(descriptor);
        return hz_fail(err, HZ_MODEL_FILE, HZ_NO_OFFSET, "%.600s: %s", path,
                       S_ISDIR(facts.st_mode) ? "it is a folder" : "it is not a regular file");
    }
    *file = known ? fdopen(descriptor, "rb") : NULL;
    if (*file) {
        return HZ_OK;
    }
    int why = errno;
    if (descriptor >= 0) {
        (void)close(descriptor);
    }
    return hz_fail(err, HZ_MODEL_FILE, HZ_NO_OFFSET, "%.600s: %s", path, strerror(why));
}

hz_status hzi_read_file(const char *path, const hz_graph_limits *limits, void **bytes,
                        size_t *length, hz_error *err) {
    size_t most = hzi_fill_limits(limits).file_bytes, capacity = 0, size = 0;
    unsigned char *data = NULL;
    FILE *file = NULL;
    hz_status status = open_regular(path, &file, err);
    if (status != HZ_OK) {
        return status;
    }
    for (;;) {
        if (size == capacity) {
            capacity = capacity ? capacity * 2 : 1 << 16;
            unsigned char *more = realloc(data, capacity);
            if (!more) {
                status = hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "%.600s: out of memory", path);
                break;
            }
            data = more;
        }
        size_t got = fread(data + size, 1, capacity - size, file);
        size += got;
        if (size > most) {
            status = hz_fail(err, HZ_GRAPH, HZ_NO_OFFSET,
                             "the model has more than %zu bytes, the most that is read", most);
            break;
        }
        if (got == 0) {
            break;
        }
    }
    if (status == HZ_OK && ferror(file)) {
        status = hz_fail(err, HZ_MODEL_FILE, HZ_NO_OFFSET, "%.600s: %s", path, strerror(errno));
    }
    fclose(file);
    if (status != HZ_OK) {
        free(data);
        return status;
    }
    *bytes = data;
    *length = size;
    return HZ_OK;
}

hz_status hz_graph_read_file(const char *path, const hz_graph_limits *limits, hz_graph **graph,
                             hz_error *err) {
    void *bytes = NULL;
    size_t length = 0;
    hz_status status = hzi_read_file(path, limits, &bytes, &length, err);
    if (status == HZ_OK) {
        status = hz_graph_read(bytes, length, limits, graph, err);
    }
    free(bytes);
    return status;
}

void hz_graph_free(hz_graph *graph) {
    if (graph) {
        hz_arena_fini(&graph->arena);
        free(graph);
    }
}
