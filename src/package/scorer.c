/* SPDX-License-Identifier: MIT */
/*
 * Scorers: a model that is open, the extractor that fills its rows, and the mapping from its output
 * to a score. Rows are made and run in pieces of bounded memory; a model gives a row the same bits
 * alone and in a batch, so nobody can see the cuts.
 *
 * Opening from a package reads the file once. The digest is taken of those bytes and the graph is
 * opened from those bytes, so there is no moment at which the file could be exchanged.
 */
#include "package/manifest.h"

#include "package/file.h"
#include "package/refusal.h"

#include <stdlib.h>
#include <string.h>

/* A piece: so many floats of rows, but no more rows than that. */
enum { PIECE_FLOATS = 1 << 16, PIECE_ROWS = 1024 };
/* What graph limits say when they say nothing (model.h). */
enum { FILE_BYTES = 48 << 20 };
enum { ALIGNMENT = 64 };

struct hz_scorer {
    hz_model *model;
    const hz_schema *schema;
    size_t piece;  /* most rows in one call of the model */
    float *rows;   /* room for a piece */
    float *values; /* as many outputs */
    char *path;    /* for messages */
    uint64_t non_finite, row_count, batch_count;
};

/* ---- the gate ---- */

hz_status hz_model_source_role(const hz_model_source *source, hz_role wanted, bool leaf,
                               hz_error *err) {
    if (!source || (size_t)wanted >= HZ_ROLES) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                       "comparing roles takes a source and a role");
    }
    if (!source->package || hz_package_role(source->package) == wanted) {
        return HZ_OK;
    }
    const char *path = hz_package_manifest_path(source->package);
    const char *declared = hz_role_id(hz_package_role(source->package));
    return leaf ? hzi_refuse(err, HZ_MODEL_ROLE, path,
                             "modelRole '%s' cannot serve as the leaf evaluator", declared)
                : hzi_refuse(err, HZ_MODEL_ROLE, path, "modelRole '%s' cannot serve as '%s'",
                             declared, hz_role_id(wanted));
}

/* ---- opening ---- */

static char lower(char c) {
    return c >= 'A' && c <= 'F' ? (char)(c - 'A' + 'a') : c;
}

static bool same_digest(const char *written, const char *computed) {
    while (*written && lower(*written) == *computed) {
        written++;
        computed++;
    }
    return lower(*written) == *computed;
}

/* Reads a model file. What it is called when that fails depends on whether it must be digested. */
static hz_status read_model(const char *path, const hz_package *package,
                            const hz_graph_limits *limits, char **bytes, size_t *length,
                            hz_error *err) {
    char why[HZI_WHY];
    size_t most = limits->file_bytes ? limits->file_bytes : FILE_BYTES;
    hz_status status = hzi_file_load(path, most, bytes, length, why);
    if (status == HZ_OK) {
        return HZ_OK;
    }
    if (status == HZ_NO_MEMORY) {
        return hzi_refuse(err, status, path, "%s", why);
    }
    if (package) {
        return hzi_refuse(err, HZ_MODEL_FILE, path, "cannot digest (%s)", why);
    }
    return status == HZ_INCOMPLETE
               ? hzi_refuse(err, HZ_GRAPH, path, "cannot read the ONNX graph: %s", why)
               : hzi_refuse(err, HZ_MODEL_FILE, path, "model file not readable (%s)", why);
}

static hz_status check_digest(const hz_package *package, const char *bytes, size_t length,
                              hz_error *err) {
    const char *written = hz_package_manifest(package)->model_sha256;
    char computed[65];
    hz_sha256_hex(bytes, length, computed);
    if (!same_digest(written, computed)) {
        return hzi_refuse(err, HZ_MODEL_DIGEST, hz_package_model_path(package),
                          "model SHA-256 mismatch: the manifest says %s, the file has %s", written,
                          computed);
    }
    return HZ_OK;
}

/* Ports of a model side by side, as the check wants them. */
static hz_status copy_ports(hz_model *model, const hz_port *(*port)(const hz_model *, size_t),
                            size_t count, hz_arena *arena, hz_port **ports) {
    *ports =
        count <= SIZE_MAX / sizeof **ports ? hz_arena_alloc(arena, count * sizeof **ports) : NULL;
    for (size_t i = 0; *ports && i < count; i++) {
        (*ports)[i] = *port(model, i);
    }
    return *ports ? HZ_OK : HZ_NO_MEMORY;
}

static hz_status check_contract(const hz_package *package, hz_model *model, hz_error *err) {
    const hz_manifest *m = hz_package_manifest(package);
    const char *path = hz_package_model_path(package);
    size_t input_count = hz_model_input_count(model), output_count = hz_model_output_count(model);
    hz_port *inputs = NULL, *outputs = NULL;
    hz_arena arena;
    hz_arena_init(&arena, 0);
    hz_status status = copy_ports(model, hz_model_input, input_count, &arena, &inputs);
    if (status == HZ_OK) {
        status = copy_ports(model, hz_model_output, output_count, &arena, &outputs);
    }
    status = status == HZ_OK
                 ? hz_contract_check(inputs, input_count, outputs, output_count, m->input_name,
                                     m->output_name, hz_package_schema(package)->width, path, err)
                 : hzi_refuse(err, status, path, "no memory for checking the graph");
    hz_arena_fini(&arena);
    return status;
}

/* Opens the graph and, of a package, checks it. A model that is refused is closed again. */
static hz_status open_model(const hz_package *package, const char *path, const char *bytes,
                            size_t length, const hz_scorer_options *options, hz_model **model,
                            hz_error *err) {
    hz_model_options open = {.executor = options->executor, .limits = options->limits};
    hz_model *opened = NULL;
    hz_status status = hz_model_open(bytes, length, &open, &opened, err);
    if (status != HZ_OK) {
        hzi_put_path_in_front(err, path);
        return status;
    }
    status = package ? check_contract(package, opened, err) : HZ_OK;
    if (status != HZ_OK) {
        hz_error closing;
        hz_error_clear(&closing);
        if (hz_model_close(opened, &closing) != HZ_OK) {
            hzi_attach_closing(err, &closing);
        }
        return status;
    }
    *model = opened;
    return HZ_OK;
}

/* Everything but the model. */
static void release(hz_scorer *scorer) {
    free(scorer->rows);
    free(scorer->values);
    free(scorer->path);
    free(scorer);
}

static float *floats(size_t count) {
    size_t bytes = count * sizeof(float);
    return aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
}

/* All memory a scorer will ever take, so that nothing can fail once its model is open. */
static hz_scorer *new_scorer(const hz_schema *schema, const char *path) {
    hz_scorer *s = calloc(1, sizeof *s);
    if (!s) {
        return NULL;
    }
    size_t rows = PIECE_FLOATS / schema->width, size = strlen(path) + 1;
    s->schema = schema;
    s->piece = rows < 1 ? 1 : rows < PIECE_ROWS ? rows : PIECE_ROWS;
    s->rows = floats(s->piece * schema->width);
    s->values = floats(s->piece);
    s->path = malloc(size);
    if (!s->rows || !s->values || !s->path) {
        release(s);
        return NULL;
    }
    memcpy(s->path, path, size);
    return s;
}

hz_status hz_scorer_open(const hz_model_source *source, const hz_scorer_options *options,
                         hz_scorer **scorer, hz_error *err) {
    static const hz_scorer_options defaults = {0};
    if (!source || (!source->package && !source->path) || !scorer) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                       "opening a model takes a package or a path");
    }
    options = options ? options : &defaults;
    const hz_package *package = source->package;
    const char *path = package ? hz_package_model_path(package) : source->path;
    const hz_schema *schema = package          ? hz_package_schema(package)
                              : source->schema ? source->schema
                                               : hz_schema_find("material-7-v1");
    char *bytes = NULL;
    size_t length = 0;
    hz_status status = read_model(path, package, &options->limits, &bytes, &length, err);
    if (status != HZ_OK) {
        return status;
    }
    hz_scorer *opened = NULL;
    status = package ? check_digest(package, bytes, length, err) : HZ_OK;
    if (status == HZ_OK) {
        opened = new_scorer(schema, path);
        status = opened ? open_model(package, path, bytes, length, options, &opened->model, err)
                        : hzi_refuse(err, HZ_NO_MEMORY, path, "no memory for running the model");
    }
    free(bytes);
    if (status != HZ_OK) {
        if (opened) {
            release(opened);
        }
        return status;
    }
    *scorer = opened;
    return HZ_OK;
}

hz_status hz_scorer_close(hz_scorer *scorer, hz_error *err) {
    if (!scorer) {
        return HZ_OK;
    }
    hz_status status = hz_model_close(scorer->model, err);
    if (status != HZ_OK) {
        hzi_put_path_in_front(err, scorer->path);
    }
    release(scorer);
    return status;
}

/* ---- running ---- */

int32_t hz_score_from_probability(float p) {
    /* Not "p < 0": a NaN must end up here as well. */
    if (!(p > 0.0F)) {
        return 0;
    }
    return p < 1.0F ? (int32_t)(p * 10000.0F) : 10000;
}

static bool is_finite(float value) {
    return value - value == 0.0F;
}

/* At most one piece. */
static hz_status run_piece(hz_scorer *s, const hz_position *positions, size_t n, hz_color color,
                           float *values, hz_error *err) {
    hz_features_batch(s->schema, positions, n, color, s->rows);
    s->batch_count++;
    hz_status status = hz_model_rows(s->model, s->rows, n, s->schema->width, values, err);
    if (status != HZ_OK) {
        hzi_put_path_in_front(err, s->path);
        return status;
    }
    s->row_count += n;
    for (size_t i = 0; i < n; i++) {
        s->non_finite += !is_finite(values[i]);
    }
    return HZ_OK;
}

hz_status hz_scorer_probabilities(hz_scorer *scorer, const hz_position *positions, size_t n,
                                  hz_color color, float *values, hz_error *err) {
    for (size_t done = 0, piece; done < n; done += piece) {
        piece = n - done < scorer->piece ? n - done : scorer->piece;
        hz_status status = run_piece(scorer, positions + done, piece, color, values + done, err);
        if (status != HZ_OK) {
            return status;
        }
    }
    return HZ_OK;
}

hz_status hz_scorer_scores(hz_scorer *scorer, const hz_position *positions, size_t n,
                           hz_color color, int32_t *scores, hz_error *err) {
    for (size_t done = 0, piece; done < n; done += piece) {
        piece = n - done < scorer->piece ? n - done : scorer->piece;
        hz_status status = run_piece(scorer, positions + done, piece, color, scorer->values, err);
        if (status != HZ_OK) {
            return status;
        }
        for (size_t i = 0; i < piece; i++) {
            scores[done + i] = hz_score_from_probability(scorer->values[i]);
        }
    }
    return HZ_OK;
}

/* ---- what a scorer knows about itself ---- */

uint64_t hz_scorer_non_finite_rows(const hz_scorer *scorer) {
    return scorer->non_finite;
}

uint64_t hz_scorer_rows(const hz_scorer *scorer) {
    return scorer->row_count;
}

uint64_t hz_scorer_batches(const hz_scorer *scorer) {
    return scorer->batch_count;
}

const hz_schema *hz_scorer_schema(const hz_scorer *scorer) {
    return scorer->schema;
}

hz_model *hz_scorer_model(hz_scorer *scorer) {
    return scorer->model;
}
