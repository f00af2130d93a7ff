/* SPDX-License-Identifier: MIT */
/* Graphs of a known form by their texts: which there are, and dealing out their numbers. */
#include "model/architecture.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- numbers ------------------------------------------------------------------------------------ */

/* Uniform in -1..1, from 24 bits. */
static float random_number(hz_random *random) {
    return (float)hz_random_draw(random, 1u << 24) / 8388608.0f - 1.0f;
}

/* The next `count` numbers; random ones within 1 / sqrt(inputs). */
static const float *deal(hzi_layout *layout, size_t count, size_t inputs) {
    size_t at = layout->used;
    layout->used += count;
    if (!layout->builder || layout->status != HZ_OK) {
        return NULL;
    }
    if (!layout->random) {
        return layout->weights + at;
    }
    float *made = hz_arena_alloc(layout->arena, count * sizeof *made);
    if (!made) {
        layout->status = HZ_NO_MEMORY;
        return NULL;
    }
    float bound = 1.0f / sqrtf((float)inputs);
    for (size_t i = 0; i < count; i++) {
        made[i] = bound * random_number(layout->random);
    }
    return made;
}

static void initializer(hzi_layout *layout, const char *name, const float *data, uint32_t rank,
                        size_t first, size_t second) {
    union {
        const float *in;
        void *out;
    } numbers = {data}; /* a tensor may be written to, this one is not */
    hz_tensor tensor = {.element = HZ_ELEMENT_FLOAT,
                        .rank = rank,
                        .shape = {(int64_t)first, (int64_t)second},
                        .data = numbers.out};
    hz_builder_initializer(layout->builder, name, &tensor);
}

void hzi_layout_vector(hzi_layout *layout, const char *name, size_t count, size_t inputs) {
    const float *data = deal(layout, count, inputs);
    if (data) {
        initializer(layout, name, data, 1, count, 0);
    }
}

void hzi_layout_gain(hzi_layout *layout, const char *name, size_t count) {
    float ones[64];
    if (layout->random && layout->builder) {
        for (size_t i = 0; i < count; i++) {
            ones[i] = 1.0f;
        }
        layout->used += count;
        initializer(layout, name, ones, 1, count, 0);
        return;
    }
    hzi_layout_vector(layout, name, count, 1);
}

void hzi_layout_matrix(hzi_layout *layout, const char *name, size_t out, size_t in,
                       bool transposed) {
    const float *data = deal(layout, out * in, in);
    if (!data || !transposed) {
        if (data) {
            initializer(layout, name, data, 2, out, in);
        }
        return;
    }
    float *turned = hz_arena_alloc(layout->arena, out * in * sizeof *turned);
    if (!turned) {
        layout->status = HZ_NO_MEMORY;
        return;
    }
    for (size_t o = 0; o < out; o++) {
        for (size_t i = 0; i < in; i++) {
            turned[i * out + o] = data[o * in + i];
        }
    }
    initializer(layout, name, turned, 2, in, out);
}

void hzi_layout_node(hzi_layout *layout, const char *type, const char *const *inputs, size_t count,
                     const char *output) {
    if (layout->builder) {
        hz_builder_node(layout->builder, "", type, inputs, count, &output, 1);
    }
}

/* ---- architectures ------------------------------------------------------------------------------ */

static const char *behind(const char *text, const char *prefix) {
    size_t length = strlen(prefix);
    return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

static hz_status lay_out(hzi_layout *layout, const hz_architecture *architecture, hz_error *err) {
    const char *name = architecture->name, *mlp = behind(name, "mlp:"),
               *dual = behind(name, "dual:");
    if (mlp || dual) {
        return hzi_arch_dense(layout, architecture, dual != NULL, dual ? dual : mlp, err);
    }
    if (strcmp(name, "xattn8-4-v1") != 0) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                       "there is no architecture '%.60s'; known: mlp:WIDTHS, dual:WIDTHS, "
                       "xattn8-4-v1",
                       name);
    }
    hzi_arch_xattn(layout);
    return HZ_OK;
}

hz_status hz_architecture_count(const hz_architecture *architecture, size_t *count, hz_error *err) {
    hzi_layout layout = {.builder = NULL};
    hz_status status = lay_out(&layout, architecture, err);
    if (status == HZ_OK) {
        *count = layout.used;
    }
    return status;
}

static hz_status check_weights(const hz_architecture *architecture, size_t count, hz_error *err) {
    if (!architecture->weights) {
        return HZ_OK;
    }
    if (architecture->weight_count != count) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                       "%.60s has %zu numbers, %zu are given", architecture->name, count,
                       architecture->weight_count);
    }
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(architecture->weights[i])) {
            return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET, "number %zu is not finite", i);
        }
    }
    return HZ_OK;
}

static void describe(hz_builder *builder, const hz_architecture *architecture, size_t count) {
    char number[24];
    hz_builder_metadata(builder, "arch", architecture->name);
    if (architecture->encoder) {
        hz_builder_metadata(builder, "encoder", architecture->encoder);
    }
    if (architecture->label) {
        hz_builder_metadata(builder, "label", architecture->label);
    }
    (void)snprintf(number, sizeof number, "%zu", count);
    hz_builder_metadata(builder, "params", number);
    if (!architecture->weights) {
        (void)snprintf(number, sizeof number, "%" PRIu64, architecture->seed);
        hz_builder_metadata(builder, "seed", number);
    }
}

hz_status hz_architecture_build(const hz_architecture *architecture, hz_arena *arena,
                                const void **bytes, size_t *length, hz_error *err) {
    enum { IR_VERSION = 7, OPSET = 13 };
    size_t count;
    hz_status status = hz_architecture_count(architecture, &count, err);
    if (status == HZ_OK) {
        status = check_weights(architecture, count, err);
    }
    if (status != HZ_OK) {
        return status;
    }
    hz_builder *builder = hz_builder_new("evaluator", IR_VERSION, OPSET, 0);
    if (!builder) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "out of memory");
    }
    hz_arena scratch;
    hz_arena_init(&scratch, 0);
    hz_random random = hz_random_from_seed(architecture->seed);
    hzi_layout layout = {.builder = builder,
                         .weights = architecture->weights,
                         .random = architecture->weights ? NULL : &random,
                         .arena = &scratch};
    describe(builder, architecture, count);
    status = lay_out(&layout, architecture, err);
    if (status == HZ_OK && layout.status != HZ_OK) {
        status = hz_fail(err, layout.status, HZ_NO_OFFSET, "no memory for the graph");
    }
    if (status == HZ_OK) {
        status = hz_builder_finish(builder, arena, bytes, length, err);
    }
    hz_builder_free(builder);
    hz_arena_fini(&scratch);
    return status;
}
