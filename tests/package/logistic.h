/* SPDX-License-Identifier: MIT */
/*
 * package/logistic.h - the conforming graph whose answers on kcp-13 are published: a product with
 * 13 weights, a bias and a sigmoid; and variants of it that must be refused.
 */
#ifndef HAZARD_TEST_PACKAGE_LOGISTIC_H
#define HAZARD_TEST_PACKAGE_LOGISTIC_H

#include <hazard/model.h>

#include "support/support.h"

/* A zeroed field means the conforming graph. */
typedef struct logistic {
    const char *input, *output; /* "input", "output" */
    int64_t batch;              /* fixed first dimension of the input; 0 = dynamic */
    size_t width;               /* 13; wider ones have weights 0 behind */
    const char *activation;     /* "Sigmoid" */
    bool extra_input;           /* a second input that has an initializer, so it is a constant */
} logistic;

enum { LOGISTIC_COLUMNS = 13, LOGISTIC_WIDEST = 31 };

static const float logistic_weights[LOGISTIC_WIDEST] = {
    0.5F, 0.3F, 0.3F, 0.2F, 0.15F, 0.1F, 0.005F, 0.02F, 0.02F, 2.0F, -2.0F, 0.5F, -0.5F};

/* The graph as bytes in the arena. */
static inline const void *logistic_bytes(const logistic *variant, hz_arena *arena, size_t *length) {
    const char *input = variant->input ? variant->input : "input";
    const char *output = variant->output ? variant->output : "output";
    size_t width = variant->width ? variant->width : LOGISTIC_COLUMNS;
    float weights[LOGISTIC_WIDEST], bias = -0.1F;
    assert_in_range(width, 1, LOGISTIC_WIDEST);
    for (size_t i = 0; i < width; i++) {
        weights[i] = logistic_weights[i];
    }
    hz_builder *b = hz_builder_new("logistic", 8, 13, 0);
    assert_non_null(b);
    hz_builder_input(
        b, input, HZ_ELEMENT_FLOAT,
        (const int64_t[]){variant->batch ? variant->batch : HZ_DYNAMIC, (int64_t)width}, 2);
    if (variant->extra_input) {
        hz_builder_input(b, "bias", HZ_ELEMENT_FLOAT, (const int64_t[]){1}, 1);
    }
    hz_builder_output(b, output, HZ_ELEMENT_FLOAT, (const int64_t[]){HZ_DYNAMIC, 1}, 2);
    hz_builder_initializer(
        b, "weights",
        &(hz_tensor){
            .element = HZ_ELEMENT_FLOAT, .rank = 2, .shape = {(int64_t)width, 1}, .data = weights});
    hz_builder_initializer(
        b, "bias",
        &(hz_tensor){.element = HZ_ELEMENT_FLOAT, .rank = 1, .shape = {1}, .data = &bias});
    hz_builder_node(b, "", "MatMul", (const char *const[]){input, "weights"}, 2,
                    (const char *const[]){"product"}, 1);
    hz_builder_node(b, "", "Add", (const char *const[]){"product", "bias"}, 2,
                    (const char *const[]){"sum"}, 1);
    hz_builder_node(b, "", variant->activation ? variant->activation : "Sigmoid",
                    (const char *const[]){"sum"}, 1, (const char *const[]){output}, 1);
    const void *bytes = NULL;
    hz_error err;
    if (hz_builder_finish(b, arena, &bytes, length, &err) != HZ_OK) {
        fail_msg("the graph cannot be written: %s", err.message);
    }
    hz_builder_free(b);
    return bytes;
}

#endif
