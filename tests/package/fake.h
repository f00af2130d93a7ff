/* SPDX-License-Identifier: MIT */
/*
 * package/fake.h - an executor that runs no graph: its ports and its failures are set by the test,
 * the value of a row is a function, and every handle is counted. A handle that is closed twice or
 * never is seen by the counts and by the sanitizers.
 */
#ifndef HAZARD_TEST_PACKAGE_FAKE_H
#define HAZARD_TEST_PACKAGE_FAKE_H

#include <hazard/package.h>

#include "support/support.h"

#include <stdlib.h>
#include <string.h>

enum { FAKE_PORTS = 4 };

typedef struct fake {
    /* what it does */
    hz_port inputs[FAKE_PORTS], outputs[FAKE_PORTS];
    size_t input_count, output_count;
    hz_status open_status, close_status;
    size_t failing_run; /* number of the run that fails, from 1; 0 = none */
    float (*value)(const float *row, size_t width);
    /* what it saw */
    size_t opens, closes, runs, rows, largest_run;
    char digest[65]; /* of the bytes it was opened with */
    hz_executor executor;
} fake;

static inline hz_port fake_port(const char *name, int64_t columns) {
    return (hz_port){.name = name,
                     .is_tensor = true,
                     .element = HZ_ELEMENT_FLOAT,
                     .has_shape = true,
                     .rank = 2,
                     .shape = {HZ_DYNAMIC, columns}};
}

static inline hz_status fake_open(void *context, const void *bytes, size_t length,
                                  const hz_graph_limits *limits, void **state, hz_error *err) {
    fake *f = context;
    (void)limits;
    hz_sha256_hex(bytes, length, f->digest);
    if (f->open_status != HZ_OK) {
        return hz_fail(err, f->open_status, HZ_NO_OFFSET, "node 'n' is not to its liking");
    }
    fake **handle = malloc(sizeof *handle);
    assert_non_null(handle);
    *handle = f;
    *state = handle;
    f->opens++;
    return HZ_OK;
}

static inline size_t fake_input_count(void *state) {
    return (*(fake **)state)->input_count;
}

static inline size_t fake_output_count(void *state) {
    return (*(fake **)state)->output_count;
}

static inline const hz_port *fake_input(void *state, size_t index) {
    fake *f = *(fake **)state;
    return index < f->input_count ? &f->inputs[index] : NULL;
}

static inline const hz_port *fake_output(void *state, size_t index) {
    fake *f = *(fake **)state;
    return index < f->output_count ? &f->outputs[index] : NULL;
}

static inline hz_status fake_run(void *state, const hz_tensor *inputs, hz_tensor *outputs,
                                 hz_arena *arena, hz_error *err) {
    (void)state;
    (void)inputs;
    (void)outputs;
    (void)arena;
    return hz_fail(err, HZ_MODEL_RUN, HZ_NO_OFFSET, "it runs rows only");
}

static inline hz_status fake_run_rows(void *state, const float *rows, size_t n, size_t width,
                                      float *values, hz_error *err) {
    fake *f = *(fake **)state;
    f->runs++;
    f->rows += n;
    f->largest_run = n > f->largest_run ? n : f->largest_run;
    if (f->runs == f->failing_run) {
        return hz_fail(err, HZ_MODEL_RUN, HZ_NO_OFFSET, "the run failed");
    }
    for (size_t i = 0; i < n; i++) {
        values[i] = f->value(rows + i * width, width);
    }
    return HZ_OK;
}

static inline hz_status fake_close(void *state, hz_error *err) {
    fake *f = *(fake **)state;
    free(state);
    f->closes++;
    return f->close_status == HZ_OK
               ? HZ_OK
               : hz_fail(err, f->close_status, HZ_NO_OFFSET, "the handle would not close");
}

static inline float fake_half(const float *row, size_t width) {
    (void)row;
    (void)width;
    return 0.5F;
}

/* A conforming graph of this width. The executor inside points at the fake: it must stay where it
 * is. */
static inline void fake_make(fake *f, size_t width) {
    *f = (fake){.input_count = 1, .output_count = 1, .value = fake_half};
    f->inputs[0] = fake_port("input", (int64_t)width);
    f->outputs[0] = fake_port("output", 1);
    f->executor = (hz_executor){.name = "fake",
                                .context = f,
                                .open = fake_open,
                                .input_count = fake_input_count,
                                .output_count = fake_output_count,
                                .input = fake_input,
                                .output = fake_output,
                                .run = fake_run,
                                .run_rows = fake_run_rows,
                                .close = fake_close};
}

#endif
