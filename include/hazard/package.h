/* SPDX-License-Identifier: MIT */
/*
 * hazard/package.h - model packages: a graph with a manifest that says what it answers, on which
 * columns, for which engine, and with which digest. Everything doubtful is refused, with a reason,
 * before a position reaches the model.
 *
 * A package is opened in stages, the first failure wins: the files are read, the manifest is
 * parsed, then validated, the wanted role is compared, the digest is computed, the graph is opened
 * from the very bytes that were digested, and its inputs and outputs are compared with the
 * manifest. Messages about the manifest begin with its path and ": ", messages about the model file
 * with the model's path and ": ".
 *
 * Thread rule: a package is constant after loading and safe in any thread; a scorer is used by one
 * thread at a time.
 */
#ifndef HAZARD_PACKAGE_H
#define HAZARD_PACKAGE_H

#include <hazard/features.h>
#include <hazard/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The engine line whose extractors this library reproduces; what hosts pass as the engine version
 * unless they know better. */
#define HZ_CONTRACT_VERSION "0.12.0"

typedef enum hz_role {
    HZ_ROLE_POSITION_VALUE,
    HZ_ROLE_CHANCE_COLLAPSE,
    HZ_ROLE_MOVE_PRERANK
} hz_role;
enum { HZ_ROLES = 3 };
/* "position-value", "chance-collapse", "move-prerank". Static. */
const char *hz_role_id(hz_role role);
/* Case-sensitive. */
bool hz_role_find(const char *id, hz_role *role);

/* Whether a constraint (comparators separated by white space) includes a version. HZ_ENGINE_VERSION
 * when it does not, HZ_MANIFEST for a malformed constraint or version. */
hz_status hz_engine_compatible(const char *constraint, const char *version, hz_error *err);

/* ---- manifests -------------------------------------------------------------------------------- */

typedef struct hz_provenance {
    const char *key;
    const char *value; /* numbers and booleans as their text */
} hz_provenance;

/* A manifest with defaults filled in. Texts live in the arena it was parsed into. */
typedef struct hz_manifest {
    const char *manifest_version;
    const char *model_id;
    const char *model_sha256; /* as written, any case */
    const char *model_role;   /* an id, perhaps unknown before validation */
    const char *feature_schema;
    int64_t feature_count;
    const char *input_name;
    const char *output_name;
    const char *perspective;
    const char *engine_compatibility;
    const char *evaluation_profile; /* NULL = absent */
    bool has_calibration;
    double temperature; /* 1.0 when absent; recorded, never applied */
    bool has_brier_score, has_log_loss;
    double brier_score, log_loss;
    const char *calibrated_on; /* NULL = absent */
    size_t provenance_count;
    const hz_provenance *provenance; /* in the order of the file */
} hz_manifest;

enum { HZ_MANIFEST_BYTES_MAX = 1 << 20 };

/* Parses a manifest (strict JSON, types, fields by version). The bytes may be anything. HZ_MANIFEST;
 * err->offset, line and column for JSON that is not well formed. `path` (may be NULL) is put in
 * front of messages. */
hz_status hz_manifest_parse(const char *text, size_t length, const char *path, hz_arena *arena,
                            hz_manifest *manifest, hz_error *err);
/* Checks the values: id, digest format, role, schema, width, names, perspective, engine version. */
hz_status hz_manifest_validate(const hz_manifest *manifest, const char *engine_version,
                               const char *path, hz_error *err);
/* The canonical text of a manifest (version 1.1.0), two-space indent, ended by a newline; snprintf
 * rules with *length the length needed. HZ_MANIFEST when it would not validate. */
hz_status hz_manifest_to_text(const hz_manifest *manifest, char *buffer, size_t capacity,
                              size_t *length, hz_error *err);

/* SHA-256 of bytes as 64 lower-case hexadecimal digits. */
void hz_sha256_hex(const void *bytes, size_t length, char hex[65]);
/* Of a file, read in pieces. HZ_IO. */
hz_status hz_sha256_file(const char *path, char hex[65], hz_error *err);

/* ---- packages ---------------------------------------------------------------------------------- */

typedef struct hz_package hz_package;

/* Loads DIR/model.onnx and DIR/manifest.json: rows 1 to 24 of the order of refusals (no graph is
 * opened, nothing is digested). A path that is no folder is an unreadable model. engine_version
 * NULL = HZ_CONTRACT_VERSION. */
hz_status hz_package_load(const char *directory, const char *engine_version, hz_package **package,
                          hz_error *err);
hz_status hz_package_load_files(const char *model_path, const char *manifest_path,
                                const char *engine_version, hz_package **package, hz_error *err);
/* Accepts NULL. */
void hz_package_free(hz_package *package);
const hz_manifest *hz_package_manifest(const hz_package *package);
hz_role hz_package_role(const hz_package *package);
const hz_schema *hz_package_schema(const hz_package *package);
const char *hz_package_model_path(const hz_package *package);
const char *hz_package_manifest_path(const hz_package *package);

/* ---- scorers ----------------------------------------------------------------------------------- */

/*
 * An inference handle with its feature extractor: positions in, probabilities or scores out.
 */
typedef struct hz_scorer hz_scorer;

typedef struct hz_scorer_options {
    const hz_executor *executor; /* NULL = built-in */
    hz_graph_limits limits;
} hz_scorer_options;

/* Where a model comes from: a loaded package, or a bare path with a schema. A bare path has no
 * role, no digest and no graph check. */
typedef struct hz_model_source {
    const hz_package *package; /* NULL: bare path; must outlive the opening, not the scorer */
    const char *path;
    const hz_schema *schema; /* of a bare path; NULL = material-7-v1 */
} hz_model_source;

/* Compares the role of a package with the wanted one (HZ_MODEL_ROLE, row 25); a bare path fits any.
 * leaf: uses the words of the expectimax leaf seam. */
hz_status hz_model_source_role(const hz_model_source *source, hz_role wanted, bool leaf,
                               hz_error *err);
/*
 * Opens a handle: rows 26 to 34 for a package. If anything fails after the handle was opened it is
 * closed again and the original error is reported. options may be NULL.
 */
hz_status hz_scorer_open(const hz_model_source *source, const hz_scorer_options *options,
                         hz_scorer **scorer, hz_error *err);
/* Releases in any case; the status is the executor's. Accepts NULL. */
hz_status hz_scorer_close(hz_scorer *scorer, hz_error *err);

/* Win probabilities as the model gives them, unclamped. n = 0 runs nothing. HZ_MODEL_RUN: nothing
 * of `values` may be used. Batches are split inside as memory wants; results do not depend on it. */
hz_status hz_scorer_probabilities(hz_scorer *scorer, const hz_position *positions, size_t n,
                                  hz_color color, float *values, hz_error *err);
/* Scores 0..10000 = trunc(float32(clamp(p) * 10000)); NaN counts as 0. */
hz_status hz_scorer_scores(hz_scorer *scorer, const hz_position *positions, size_t n,
                           hz_color color, int32_t *scores, hz_error *err);
/* One output as a score. */
int32_t hz_score_from_probability(float p);
/* Rows whose output was not finite since the handle was opened. */
uint64_t hz_scorer_non_finite_rows(const hz_scorer *scorer);
/* Rows and executor calls so far. */
uint64_t hz_scorer_rows(const hz_scorer *scorer);
uint64_t hz_scorer_batches(const hz_scorer *scorer);
const hz_schema *hz_scorer_schema(const hz_scorer *scorer);
hz_model *hz_scorer_model(hz_scorer *scorer);

/* The check of rows 28 to 34 on ports, whatever opened them. */
hz_status hz_contract_check(const hz_port *inputs, size_t input_count, const hz_port *outputs,
                            size_t output_count, const char *input_name, const char *output_name,
                            size_t width, const char *model_path, hz_error *err);

#ifdef __cplusplus
}
#endif
#endif
