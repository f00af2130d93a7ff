/* SPDX-License-Identifier: MIT */
/*
 * A graph as a judge of chess positions. Which encoder feeds it is seen from its inputs: one input
 * of 1540 columns is the dual view, planes and flags are the other; what it answers from its
 * output's range: a probability becomes centipawns by the logistic curve, a free score is taken as
 * pawns.
 */
#include <hazard/eval.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DUAL = 1540, PLANES = 7 * 64, FLAGS = 13, CHUNK = 64 };

typedef struct chess_model {
    hz_model *model;
    const hz_schema *schema;
    bool planes; /* board and meta; the answer is White's chance to win */
    hz_arena arena;
    float rows[CHUNK * DUAL];
    float values[CHUNK];
} chess_model;

/* Centipawns from White's chance p: the inverse of 1 / (1 + exp(-cp / 400)). */
static int32_t from_chance(float p) {
    double clamped = p < 1e-6F ? 1e-6 : p > 1.0F - 1e-6F ? 1.0 - 1e-6 : (double)p;
    return (int32_t)lround(400.0 * log(clamped / (1.0 - clamped)));
}

static int32_t from_pawns(float value) {
    double cp = 100.0 * (double)value;
    return cp > 90000.0 ? 90000 : cp < -90000.0 ? -90000 : (int32_t)lround(cp);
}

static hz_status run_planes(chess_model *m, size_t n) {
    hz_tensor inputs[2], output;
    for (size_t i = 0; i < 2; i++) {
        const hz_port *port = hz_model_input(m->model, i);
        bool board = port->rank == 4;
        inputs[i] = (hz_tensor){.element = HZ_ELEMENT_FLOAT, .rank = port->rank};
        inputs[i].shape[0] = (int64_t)n;
        inputs[i].shape[1] = board ? 7 : FLAGS;
        inputs[i].shape[2] = inputs[i].shape[3] = 8;
        inputs[i].data = board ? m->rows : m->rows + (size_t)CHUNK * PLANES;
    }
    hz_arena_reset(&m->arena);
    hz_status status = hz_model_run(m->model, inputs, 2, &output, 1, &m->arena, NULL);
    if (status == HZ_OK && (output.element != HZ_ELEMENT_FLOAT || hz_tensor_count(&output) != n)) {
        status = HZ_MODEL_RUN;
    }
    if (status == HZ_OK) {
        memcpy(m->values, output.data, n * sizeof m->values[0]);
    }
    return status;
}

static hz_status score_chunk(chess_model *m, const hz_position *positions, size_t n, hz_color color,
                             int32_t *scores) {
    hz_status status;
    if (m->planes) {
        float row[PLANES + FLAGS];
        for (size_t i = 0; i < n; i++) {
            hz_features_row(m->schema, &positions[i], color, row);
            memcpy(m->rows + i * PLANES, row, PLANES * sizeof row[0]);
            memcpy(m->rows + (size_t)CHUNK * PLANES + i * FLAGS, row + PLANES,
                   FLAGS * sizeof row[0]);
        }
        status = run_planes(m, n);
    } else {
        hz_features_batch(m->schema, positions, n, color, m->rows);
        status = hz_model_rows(m->model, m->rows, n, DUAL, m->values, NULL);
    }
    for (size_t i = 0; status == HZ_OK && i < n; i++) {
        if (!isfinite(m->values[i])) {
            return HZ_MODEL_RUN;
        }
        int32_t score = m->planes ? from_chance(m->values[i]) : from_pawns(m->values[i]);
        /* Planes speak for White, the dual view for the side to move. */
        hz_color speaks = m->planes ? HZ_WHITE : (hz_color)positions[i].side;
        scores[i] = speaks == color ? score : -score;
    }
    return status;
}

static hz_status score(void *state, const hz_position *positions, size_t n, hz_color color,
                       int32_t *scores) {
    hz_status status = HZ_OK;
    for (size_t at = 0; status == HZ_OK && at < n; at += CHUNK) {
        size_t count = n - at < CHUNK ? n - at : CHUNK;
        status = score_chunk(state, positions + at, count, color, scores + at);
    }
    return status;
}

static void close_model(void *state) {
    chess_model *m = state;
    (void)hz_model_close(m->model, NULL);
    hz_arena_fini(&m->arena);
    free(m);
}

/* Which encoder fits the inputs; false when none does. */
static bool find_encoder(chess_model *m) {
    size_t inputs = hz_model_input_count(m->model);
    if (hz_model_output_count(m->model) != 1) {
        return false;
    }
    const hz_port *first = hz_model_input(m->model, 0);
    if (inputs == 1 && first->is_tensor && first->has_shape && first->rank == 2 &&
        first->shape[1] == DUAL) {
        m->schema = hz_schema_find("dual-view-1540-v1");
        return m->schema != NULL;
    }
    const hz_port *second = inputs == 2 ? hz_model_input(m->model, 1) : NULL;
    if (second && first->rank != second->rank && first->rank + second->rank == 6) {
        m->planes = true;
        m->schema = hz_schema_find("chess7x8x8-meta13-v1");
        return m->schema != NULL;
    }
    return false;
}

hz_status hz_evaluator_chess_model(const char *path, const hz_model_options *options,
                                   hz_evaluator *evaluator, hz_error *err) {
    chess_model *m = calloc(1, sizeof *m);
    if (!m) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a model");
    }
    hz_arena_init(&m->arena, 0);
    hz_status status = hz_model_open_file(path, options, &m->model, err);
    if (status != HZ_OK) {
        free(m);
        return status;
    }
    if (!find_encoder(m)) {
        close_model(m);
        return hz_fail(err, HZ_GRAPH_CONTRACT, HZ_NO_OFFSET,
                       "%.200s: no chess encoder fits its inputs; known: one of [batch,1540], or "
                       "[batch,7,8,8] and [batch,13]",
                       path);
    }
    *evaluator = (hz_evaluator){
        .name = "chess model", .state = m, .score_batch = score, .close = close_model};
    return HZ_OK;
}
