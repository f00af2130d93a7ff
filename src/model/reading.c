/* SPDX-License-Identifier: MIT */
/* Memory and texts while a graph is read: all of it counts against one limit, wherever it lies. */
#include "model/reading.h"

#include <string.h>

hz_status hzi_read_no_memory(const hzi_reader *reader) {
    return hz_fail(reader->err, HZ_GRAPH, HZ_NO_OFFSET,
                   "reading the graph takes more memory than there is or is allowed (%zu bytes)",
                   reader->graph->limits.memory_bytes);
}

/* What the reader holds counts against the limit, wherever it lies. */
static void *take(hzi_reader *reader, hz_arena *arena, size_t count, size_t size) {
    size_t limit = reader->graph->limits.memory_bytes;
    size_t other = reader->graph->arena.held + reader->scratch.held - arena->held;
    if (other >= limit || (size > 0 && count > SIZE_MAX / size)) {
        return NULL;
    }
    arena->limit = limit - other;
    void *memory = hz_arena_alloc(arena, count * size);
    if (memory) {
        memset(memory, 0, count * size);
    }
    return memory;
}

void *hzi_read_keep(hzi_reader *reader, size_t count, size_t size) {
    return take(reader, &reader->graph->arena, count, size);
}

void *hzi_read_scratch(hzi_reader *reader, size_t count, size_t size) {
    return take(reader, &reader->scratch, count, size);
}

const char *hzi_read_text(hzi_reader *reader, const char *text) {
    if (!text || !*text) {
        return "";
    }
    size_t size = strlen(text) + 1;
    char *copy = hzi_read_keep(reader, size, 1);
    if (copy) {
        memcpy(copy, text, size);
    }
    return copy;
}

const char *hzi_read_domain(const char *domain) {
    return !domain || strcmp(domain, "ai.onnx") == 0 ? "" : domain;
}
