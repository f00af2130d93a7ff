/* SPDX-License-Identifier: MIT */
/*
 * Building graphs of a known form: the numbers are dealt out in the order in which a file of them
 * holds them, each part by the call that writes its nodes.
 */
#ifndef HAZARD_MODEL_ARCHITECTURE_H
#define HAZARD_MODEL_ARCHITECTURE_H

#include <hazard/model.h>

typedef struct hzi_layout {
    hz_builder *builder; /* NULL: the numbers are only counted */
    const float *weights;
    hz_random *random; /* instead of weights */
    hz_arena *arena;   /* for parts that must be turned around */
    size_t used;
    hz_status status;
} hzi_layout;

enum { HZI_ARCH_NAME = 48 };

/* The next numbers as an initializer. */
void hzi_layout_vector(hzi_layout *layout, const char *name, size_t count, size_t inputs);
/* The same number everywhere by default: the gain of a norm. */
void hzi_layout_gain(hzi_layout *layout, const char *name, size_t count);
/* A matrix [out][in]; transposed: written as [in][out], as MatMul wants it. */
void hzi_layout_matrix(hzi_layout *layout, const char *name, size_t out, size_t in,
                       bool transposed);
/* A node with one output; nothing when only counting. */
void hzi_layout_node(hzi_layout *layout, const char *type, const char *const *inputs, size_t count,
                     const char *output);

/* arch_dense.c: "mlp:..." and "dual:..."; the text behind the colon. */
hz_status hzi_arch_dense(hzi_layout *layout, const hz_architecture *architecture, bool dual,
                         const char *widths, hz_error *err);
/* arch_xattn.c */
void hzi_arch_xattn(hzi_layout *layout);

#endif
