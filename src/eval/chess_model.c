/* SPDX-License-Identifier: MIT */
/*
 * A graph as a judge of chess positions. Which encoder feeds it is seen from its inputs: one input
 * of 1540 columns is the dual view, planes and flags are the other. With the encoder goes what the
 * graph answers: planes a chance, which becomes centipawns by the logistic curve, the dual view a
 * free score, taken as pawns where neither the file nor the caller says otherwise. What the file says about encoder, label and architecture must agree.
 */
#include <hazard/eval.h>

#include "eval/xattn.h"
#include "model/graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DUAL = 1540, PLANES = 7 * 64, FLAGS = 13, CHUNK = 64 };

typedef struct chess_model {
    hz_model *model;
    const hz_schema *schema;
    bool planes;  /* board and meta; the answer is White's chance to win */
    double unit;  /* centipawns of one unit of a free score */
    size_t chunk; /* rows asked at once: CHUNK, or 1 when the graph takes one row only */
    hz_arena arena;
    bool by_hand; /* the numbers below are those of the graph */
    float numbers[HZI_XATTN_NUMBERS];
    float rows[CHUNK * DUAL]; /* planes: boards, and flags behind CHUNK boards */
    float values[CHUNK];
} chess_model;

/* Centipawns from White's chance p: the inverse of 1 / (1 + exp(-cp / 400)). */
static int32_t from_chance(float p) {
    double clamped = p < 1e-6F ? 1e-6 : p > 1.0F - 1e-6F ? 1.0 - 1e-6 : (double)p;
    return (int32_t)lround(400.0 * log(clamped / (1.0 - clamped)));
}

static int32_t from_units(float value, double unit) {
    double cp = unit * (double)value;
    return cp > 90000.0 ? 90000 : cp < -90000.0 ? -90000 : (int32_t)lround(cp);
}

/* Planes and flags through the graph. */
static hz_status run_graph(chess_model *m, size_t n) {
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

static hz_status run_planes(chess_model *m, size_t n) {
    if (m->by_hand) {
        hzi_xattn_run(m->numbers, m->rows, m->rows + (size_t)CHUNK * PLANES, n, m->values);
        return HZ_OK;
    }
    return run_graph(m, n);
}

static void encode_planes(chess_model *m, const hz_position *positions, size_t n) {
    float row[PLANES + FLAGS];
    for (size_t i = 0; i < n; i++) {
        hz_features_row(m->schema, &positions[i], HZ_WHITE, row);
        memcpy(m->rows + i * PLANES, row, PLANES * sizeof row[0]);
        memcpy(m->rows + (size_t)CHUNK * PLANES + i * FLAGS, row + PLANES, FLAGS * sizeof row[0]);
    }
}

static hz_status score_chunk(chess_model *m, const hz_position *positions, size_t n, hz_color color,
                             int32_t *scores) {
    hz_status status;
    if (m->planes) {
        encode_planes(m, positions, n);
        status = run_planes(m, n);
    } else {
        hz_features_batch(m->schema, positions, n, color, m->rows);
        status = hz_model_rows(m->model, m->rows, n, DUAL, m->values, NULL);
    }
    for (size_t i = 0; status == HZ_OK && i < n; i++) {
        if (!isfinite(m->values[i])) {
            return HZ_MODEL_RUN;
        }
        int32_t score = m->planes ? from_chance(m->values[i]) : from_units(m->values[i], m->unit);
        /* Planes speak for White, the dual view for the side to move. */
        hz_color speaks = m->planes ? HZ_WHITE : (hz_color)positions[i].side;
        scores[i] = speaks == color ? score : -score;
    }
    return status;
}

static hz_status score(void *state, const hz_position *positions, size_t n, hz_color color,
                       int32_t *scores) {
    hz_status status = HZ_OK;
    chess_model *m = state;
    for (size_t at = 0; status == HZ_OK && at < n; at += m->chunk) {
        size_t count = n - at < m->chunk ? n - at : m->chunk;
        status = score_chunk(m, positions + at, count, color, scores + at);
    }
    return status;
}

static void close_model(void *state) {
    chess_model *m = state;
    (void)hz_model_close(m->model, NULL);
    hz_arena_fini(&m->arena);
    free(m);
}

/* ---- opening ------------------------------------------------------------------------------------ */

/* Whether a port is [batch or 1, sizes...] of floats; a batch of 1 sets *single. */
static bool fits(const hz_port *port, const int64_t *sizes, uint32_t count, bool *single) {
    if (!port || !port->is_tensor || port->element != HZ_ELEMENT_FLOAT || !port->has_shape ||
        port->rank != count + 1 || (port->shape[0] != HZ_DYNAMIC && port->shape[0] != 1)) {
        return false;
    }
    *single = *single || port->shape[0] == 1;
    for (uint32_t i = 0; i < count; i++) {
        if (port->shape[i + 1] != sizes[i]) {
            return false;
        }
    }
    return true;
}

/* Which encoder fits the inputs; false when none does. */
static bool find_encoder(chess_model *m) {
    static const int64_t dual[] = {DUAL}, board[] = {7, 8, 8}, flags[] = {FLAGS};
    const hz_port *first = hz_model_input(m->model, 0), *second = hz_model_input(m->model, 1);
    size_t inputs = hz_model_input_count(m->model);
    bool single = false;
    if (inputs == 1 && fits(first, dual, 1, &single)) {
        m->schema = hz_schema_find("dual-view-1540-v1");
    } else if (inputs == 2 &&
               ((fits(first, board, 3, &single) && fits(second, flags, 1, &single)) ||
                (fits(first, flags, 1, &single) && fits(second, board, 3, &single)))) {
        m->planes = true;
        m->schema = hz_schema_find("chess7x8x8-meta13-v1");
    }
    m->chunk = single ? 1 : CHUNK;
    return m->schema != NULL && hz_model_output_count(m->model) == 1;
}

/* Numbers that were learnt: floats in tensors with a shape, but not the constant that tells the
 * transformer's tokens their places. */
static uint64_t learnt_numbers(const hz_graph *graph) {
    uint64_t sum = 0;
    for (size_t i = 0; i < graph->value_count; i++) {
        const hz_tensor *t = &graph->values[i].tensor;
        bool places = t->rank == 3 && t->shape[0] == 1 && t->shape[1] == 65 && t->shape[2] == 8;
        if (graph->values[i].constant && t->element == HZ_ELEMENT_FLOAT && t->rank > 0 && !places) {
            sum += hz_tensor_count(t);
        }
    }
    return sum;
}

static hz_status must_be(const char *path, const hz_graph *graph, const char *key,
                         const char *wanted, hz_error *err) {
    const char *said = hz_graph_metadata(graph, key);
    if (said && wanted && strcmp(said, wanted) != 0) {
        return hz_fail(err, HZ_GRAPH_CONTRACT, HZ_NO_OFFSET,
                       "%.200s: its %s is '%.60s', its inputs are those of '%s'", path, key, said,
                       wanted);
    }
    return HZ_OK;
}

/* Whether the routine for the transformer answers as the graph does: on made-up rows, all there is to
 * compare. Leaves m->by_hand as it finds. */
static void try_by_hand(chess_model *m, const hz_graph *graph) {
    enum { ROWS = 4 };
    float values[ROWS], *metas = m->rows + (size_t)CHUNK * PLANES;
    hz_random random = hz_random_from_seed(1);
    if (m->chunk < ROWS || !hzi_xattn_load(graph, m->numbers)) {
        return;
    }
    for (size_t i = 0; i < (size_t)ROWS * PLANES; i++) {
        m->rows[i] = (float)hz_random_draw(&random, 2);
    }
    for (size_t i = 0; i < (size_t)ROWS * FLAGS; i++) {
        metas[i] = (float)hz_random_draw(&random, 2);
    }
    if (run_graph(m, ROWS) != HZ_OK) {
        return;
    }
    hzi_xattn_run(m->numbers, m->rows, metas, ROWS, values);
    for (int i = 0; i < ROWS; i++) {
        if (!(fabsf(values[i] - m->values[i]) <= 1e-5f)) {
            return;
        }
    }
    m->by_hand = true;
}

static hz_status read_unit(chess_model *m, const char *path, const hz_graph *graph, hz_error *err) {
    const char *said = hz_graph_metadata(graph, "unit");
    if (!said || m->planes || strcmp(said, "pawn") == 0) {
        return HZ_OK;
    }
    m->unit = 1.0;
    return strcmp(said, "centipawn") == 0
               ? HZ_OK
               : hz_fail(err, HZ_GRAPH_CONTRACT, HZ_NO_OFFSET,
                         "%.200s: its unit is '%.60s'; known: 'pawn', 'centipawn'", path, said);
}

/* What the file says about itself, where it says anything. */
static hz_status check_notes(chess_model *m, const char *path, const hz_model_options *options,
                             hz_error *err) {
    enum { NUMBERS = 3969 };
    hz_graph *graph;
    hz_status status = hz_graph_read_file(path, options ? &options->limits : NULL, &graph, NULL);
    if (status != HZ_OK) {
        return HZ_OK; /* another executor may open what our reader does not know */
    }
    status = must_be(path, graph, "encoder", m->schema->id, err);
    if (status == HZ_OK) {
        status = must_be(path, graph, "label", m->planes ? "white_win" : NULL, err);
    }
    if (status == HZ_OK) {
        status = read_unit(m, path, graph, err);
    }
    const char *arch = hz_graph_metadata(graph, "arch");
    uint64_t numbers = learnt_numbers(graph);
    if (status == HZ_OK && arch && strcmp(arch, "xattn8-4-v1") == 0 && numbers != NUMBERS) {
        status = hz_fail(err, HZ_GRAPH_CONTRACT, HZ_NO_OFFSET,
                         "%.200s: xattn8-4-v1 has %d numbers, this graph has %llu", path, NUMBERS,
                         (unsigned long long)numbers);
    }
    if (status == HZ_OK && m->planes && arch && strcmp(arch, "xattn8-4-v1") == 0 &&
        !(options && options->executor)) {
        try_by_hand(m, graph);
    }
    hz_graph_free(graph);
    return status;
}

hz_status hz_evaluator_chess_model(const char *path, const hz_model_options *options,
                                   hz_evaluator *evaluator, hz_error *err) {
    chess_model *m = calloc(1, sizeof *m);
    if (!m) {
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a model");
    }
    hz_arena_init(&m->arena, 0);
    m->unit = 100.0;
    hz_status status = hz_model_open_file(path, options, &m->model, err);
    if (status != HZ_OK) {
        free(m);
        return status;
    }
    if (find_encoder(m)) {
        status = check_notes(m, path, options, err);
    } else {
        status = hz_fail(err, HZ_GRAPH_CONTRACT, HZ_NO_OFFSET,
                         "%.200s: no chess encoder fits its ports; known: one input [batch,1540], "
                         "or [batch,7,8,8] and [batch,13], FLOAT, with one output",
                         path);
    }
    if (status != HZ_OK) {
        close_model(m);
        return status;
    }
    *evaluator = (hz_evaluator){
        .name = "chess model", .state = m, .score_batch = score, .close = close_model};
    return HZ_OK;
}

hz_status hz_evaluator_chess_unit(hz_evaluator *evaluator, double centipawns, hz_error *err) {
    if (evaluator->score_batch != score) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET, "the evaluator is no chess model");
    }
    if (!(centipawns > 0.0 && centipawns <= 1e5)) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                       "a unit is worth more than 0 and at most 100000 centipawns");
    }
    ((chess_model *)evaluator->state)->unit = centipawns;
    return HZ_OK;
}
