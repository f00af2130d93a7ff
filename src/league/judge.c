/* SPDX-License-Identifier: MIT */
/*
 * A submitted graph as a judge: positions become rows of the dual view, the graph gives a number
 * each. A graph with a symbol as its first dimension gets positions in batches, one with a 1 there
 * gets them one by one.
 */
#include <hazard/league.h>

#include "features/sparse.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 64 };

struct hz_league_model {
    hz_model *model;
    bool batched;
    float *rows; /* CHUNK rows, all zero between calls */
};

static bool is_port(const hz_port *port, int64_t width) {
    return port && port->is_tensor && port->element == HZ_ELEMENT_FLOAT && port->has_shape &&
           port->rank == 2 && (port->shape[0] == HZ_DYNAMIC || port->shape[0] == 1) &&
           port->shape[1] == width;
}

/* Ports as the executor sees them: one that infers shapes may know more than the file says. */
static hz_status check_ports(const hz_model *model, hz_error *err) {
    if (hz_model_input_count(model) != 1 || hz_model_output_count(model) != 1 ||
        !is_port(hz_model_input(model, 0), HZI_DUAL_VIEW_WIDTH) ||
        !is_port(hz_model_output(model, 0), 1)) {
        return hz_fail(err, HZ_GRAPH_CONTRACT, HZ_NO_OFFSET,
                       "an evaluator has one input [batch,%d] and one output [batch,1]",
                       HZI_DUAL_VIEW_WIDTH);
    }
    return HZ_OK;
}

static hz_status open_any(const void *bytes, size_t length, const char *executor,
                          hz_model_options *options, hz_model **model, hz_error *err) {
    if (executor) {
        hz_status status = hz_executor_find(executor, &options->executor, err);
        return status == HZ_OK ? hz_model_open(bytes, length, options, model, err) : status;
    }
    options->executor = hz_executor_builtin();
    hz_status status = hz_model_open(bytes, length, options, model, err);
    if (status == HZ_OK || hz_executor_onnxruntime(&options->executor, NULL, NULL, NULL) != HZ_OK) {
        return status;
    }
    hz_error other;
    hz_error_clear(&other);
    hz_status second = hz_model_open(bytes, length, options, model, &other);
    if (second != HZ_OK && err) {
        char first[sizeof err->message];
        memcpy(first, err->message, sizeof first);
        (void)hz_fail(err, status, HZ_NO_OFFSET, "%.300s; ONNX Runtime: %.300s", first,
                      other.message);
    }
    return second == HZ_OK ? HZ_OK : status;
}

hz_status hz_league_model_open(const void *bytes, size_t length, const char *executor,
                               size_t memory_bytes, hz_league_model **model, hz_error *err) {
    hz_model_options options = {
        .limits = {.file_bytes = HZ_LEAGUE_FILE_MAX, .memory_bytes = memory_bytes}};
    hz_league_model *made = calloc(1, sizeof *made);
    hz_error why; /* messages of both executors are wanted whether the caller asks or not */
    if (!made) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "out of memory");
    }
    hz_error_clear(&why);
    made->rows = calloc((size_t)CHUNK * HZI_DUAL_VIEW_WIDTH, sizeof *made->rows);
    hz_status status = made->rows ? open_any(bytes, length, executor, &options, &made->model, &why)
                                  : hz_fail(&why, HZ_NO_MEMORY, HZ_NO_OFFSET, "out of memory");
    if (status == HZ_OK) {
        status = check_ports(made->model, &why);
    }
    if (status != HZ_OK) {
        hz_league_model_close(made);
        if (err) {
            *err = why;
        }
        return status;
    }
    made->batched = hz_model_input(made->model, 0)->shape[0] == HZ_DYNAMIC;
    *model = made;
    return HZ_OK;
}

void hz_league_model_close(hz_league_model *model) {
    if (model) {
        (void)hz_model_close(model->model, NULL);
        free(model->rows);
        free(model);
    }
}

/* Rows are put down and taken away by their ones: 1540 zeroes are only written once. */
static hz_status judge_some(hz_league_model *m, const hz_position *positions, size_t n,
                            float *values, hz_error *err) {
    uint16_t ones[CHUNK][HZI_DUAL_VIEW_ONES];
    size_t counts[CHUNK];
    for (size_t i = 0; i < n; i++) {
        float *row = m->rows + i * HZI_DUAL_VIEW_WIDTH;
        counts[i] = hzi_dual_view_ones(&positions[i], ones[i]);
        for (size_t k = 0; k < counts[i]; k++) {
            row[ones[i][k]] = 1.0F;
        }
    }
    hz_status status = hz_model_rows(m->model, m->rows, n, HZI_DUAL_VIEW_WIDTH, values, err);
    for (size_t i = 0; i < n; i++) {
        float *row = m->rows + i * HZI_DUAL_VIEW_WIDTH;
        for (size_t k = 0; k < counts[i]; k++) {
            row[ones[i][k]] = 0.0F;
        }
    }
    return status;
}

static hz_status judge(void *state, const hz_position *positions, size_t n, float *values,
                       hz_error *err) {
    hz_league_model *m = state;
    size_t most = m->batched ? CHUNK : 1;
    hz_status status = HZ_OK;
    for (size_t i = 0; i < n && status == HZ_OK; i += most) {
        size_t some = n - i < most ? n - i : most;
        status = judge_some(m, positions + i, some, values + i, err);
    }
    return status;
}

hz_league_judge hz_league_model_judge(hz_league_model *model) {
    return (hz_league_judge){.judge = judge, .state = model};
}

const char *hz_league_model_executor(const hz_league_model *model) {
    return hz_model_executor(model->model)->name;
}

bool hz_league_model_is_batched(const hz_league_model *model) {
    return model->batched;
}

/* Nanoseconds of judging n times the initial position, the best of some tries. */
static uint64_t cost_of(hz_league_model *model, size_t n) {
    enum { TRIES = 5, MOST = 16 };
    static const uint64_t ENOUGH_NS = 20000000;
    hz_position positions[MOST];
    float values[MOST];
    uint64_t best = UINT64_MAX, begun = hz_clock_now_ns();
    for (size_t i = 0; i < n; i++) {
        (void)hz_chess_from_fen(&positions[i], HZ_START_DFEN, strlen(HZ_START_DFEN), NULL);
    }
    for (int i = 0; i < TRIES && hz_clock_now_ns() - begun < ENOUGH_NS; i++) {
        uint64_t start = hz_clock_now_ns();
        if (judge(model, positions, n, values, NULL) != HZ_OK) {
            return UINT64_MAX;
        }
        uint64_t spent = hz_clock_now_ns() - start;
        best = spent < best ? spent : best;
    }
    return best;
}

bool hz_league_model_prefers_batches(hz_league_model *model) {
    enum { BATCH = 16, GAIN = 2 };
    /* Below, what a player does besides judging weighs more; above, measuring takes too long. */
    static const uint64_t QUICK_NS = 4000, SLOW_NS = 20000000;
    if (!model->batched || strcmp(hz_league_model_executor(model), "builtin") != 0) {
        return model->batched;
    }
    uint64_t one = cost_of(model, 1);
    return one > QUICK_NS && one < SLOW_NS && cost_of(model, BATCH) < BATCH * one / GAIN;
}
