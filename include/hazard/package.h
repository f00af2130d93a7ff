/* SPDX-License-Identifier: MIT */
/*
 * hazard/package.h - model packages: a graph with a manifest that says what it answers, on which
 * columns, for which engine, and with which digest. Everything doubtful is refused, with a reason,
 * before a position reaches the model.
 *
 * A package is opened in stages, the first failure wins. In order, with the status of a refusal:
 *
 *   the model file is there           HZ_MODEL_FILE      } hz_package_load
 *   the manifest file is there        HZ_MANIFEST_FILE   }
 *   the manifest parses               HZ_MANIFEST        } } hz_manifest_parse
 *   its values are valid              HZ_MANIFEST        } } hz_manifest_validate
 *   it includes the engine version    HZ_ENGINE_VERSION  } }
 *   its role is the wanted one        HZ_MODEL_ROLE      hz_model_source_role
 *   the model file can be digested    HZ_MODEL_FILE      } hz_scorer_open
 *   the digest is the manifest's      HZ_MODEL_DIGEST    }
 *   the graph can be read             HZ_GRAPH           }
 *   its ports are as they must be     HZ_GRAPH_CONTRACT  } } hz_contract_check
 *
 * Any of them may also fail with HZ_NO_MEMORY. Messages about the manifest begin with its path and
 * ": ", messages about the model file with the model's path and ": "; long paths and values are
 * shortened. What a function fills in is unchanged when it fails.
 *
 * Only regular files are read, whole, and once: what is said about a file is said about the bytes
 * that were read, whatever happens to the file meanwhile. A model of more bytes than
 * hz_graph_limits.file_bytes is not read at all, and cannot be digested.
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
/* "position-value", "chance-collapse", "move-prerank"; "unknown" for any other number. Static. */
const char *hz_role_id(hz_role role);
/* Case-sensitive. */
bool hz_role_find(const char *id, hz_role *role);

/* Whether a constraint includes a version. A constraint is one or more comparators separated by
 * white space, all of which must hold; a comparator is >=, <=, >, <, = or nothing (meaning =)
 * directly followed by a version; a version is three numbers 0..2147483647 with points between them
 * and nothing else. HZ_ENGINE_VERSION when it does not, HZ_MANIFEST for a malformed version or
 * constraint, looked at in this order. */
hz_status hz_engine_compatible(const char *constraint, const char *version, hz_error *err);

/* ---- manifests ------------------------------------------------------------------------------ */

typedef struct hz_provenance {
    const char *key;
    const char *value; /* numbers and booleans as their text */
} hz_provenance;

/* A manifest with defaults filled in. Texts are UTF-8 and live in the arena it was parsed into. */
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

/*
 * Parses a manifest: types, and fields by manifest version (1.0.0 or 1.1.0). The bytes may be
 * anything. HZ_MANIFEST; for JSON that is not well formed err has offset, line and column
 * (characters). `path` (may be NULL) is put in front of messages.
 *
 * JSON is strict: one value, UTF-8, at most HZ_MANIFEST_BYTES_MAX bytes, nested 64 deep at most, no
 * integer beyond 64 bits, no number beyond double, no U+0000. Of equal keys the first counts; null
 * counts as absent; unknown fields are ignored.
 */
hz_status hz_manifest_parse(const char *text, size_t length, const char *path, hz_arena *arena,
                            hz_manifest *manifest, hz_error *err);
/* Checks the values: id, digest format, role, schema, width, names, perspective, engine version
 * (NULL = HZ_CONTRACT_VERSION). Schemas are those of Dice Chess (hz_schema.game "dicechess").
 * HZ_MANIFEST, HZ_ENGINE_VERSION. `path` (may be NULL) is put in front of messages. */
hz_status hz_manifest_validate(const hz_manifest *manifest, const char *engine_version,
                               const char *path, hz_error *err);
/* The canonical text of a manifest, ended by a newline: version 1.1.0 whatever the manifest's own,
 * two-space indent, defaults written out. Parsing it gives the same manifest again. snprintf rules
 * with *length the length needed. HZ_MANIFEST when it would not parse or not validate, for whatever
 * engine version. */
hz_status hz_manifest_to_text(const hz_manifest *manifest, char *buffer, size_t capacity,
                              size_t *length, hz_error *err);

/* SHA-256 of bytes as 64 lower-case hexadecimal digits. */
void hz_sha256_hex(const void *bytes, size_t length, char hex[65]);
/* Of a regular file of any size, read in pieces. HZ_IO: "cannot digest". */
hz_status hz_sha256_file(const char *path, char hex[65], hz_error *err);

/* ---- packages ------------------------------------------------------------------------------- */

typedef struct hz_package hz_package;

/* Loads DIR/model.onnx and DIR/manifest.json; other files are ignored. No graph is opened, nothing
 * is digested. A path that is no folder is an unreadable model. engine_version NULL =
 * HZ_CONTRACT_VERSION. The second form takes the two files under any names. */
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

/* ---- scorers -------------------------------------------------------------------------------- */

/*
 * An inference handle with its feature extractor: positions in, probabilities or scores out.
 */
typedef struct hz_scorer hz_scorer;

typedef struct hz_scorer_options {
    const hz_executor *executor; /* NULL = built-in; must outlive the scorer */
    hz_graph_limits limits;
} hz_scorer_options;

/* Where a model comes from: a loaded package, or a bare path with a schema. A bare path has no
 * role, no digest and no graph check. */
typedef struct hz_model_source {
    const hz_package *package; /* NULL: bare path; must outlive the opening, not the scorer */
    const char *path;
    const hz_schema *schema; /* of a bare path; NULL = material-7-v1 */
} hz_model_source;

/* Compares the role of a package with the wanted one (HZ_MODEL_ROLE); a bare path fits any. leaf:
 * says it in the words of the expectimax leaf seam. Whoever wires a package to a seam calls this
 * before hz_scorer_open. */
hz_status hz_model_source_role(const hz_model_source *source, hz_role wanted, bool leaf,
                               hz_error *err);
/*
 * Opens a handle. Of a package the digest is compared first, then the graph is opened from the
 * bytes that were digested, then its ports are checked; a bare path is opened as the executor takes
 * it, and what does not fit shows when the first rows are run. A model that was opened and is then
 * refused is closed again; the original error is reported, with "; while closing: " and what the
 * executor said should closing fail too. options may be NULL.
 */
hz_status hz_scorer_open(const hz_model_source *source, const hz_scorer_options *options,
                         hz_scorer **scorer, hz_error *err);
/* Closes and releases in any case; the status is the executor's. The pointer is gone afterwards: an
 * owner that may be closed twice sets it to NULL, and closing NULL does nothing. */
hz_status hz_scorer_close(hz_scorer *scorer, hz_error *err);

/* Win probabilities of `color` as the model gives them, unclamped. n = 0 runs nothing.
 * HZ_MODEL_RUN: nothing of `values` may be used; the scorer may be asked again. Batches are split
 * inside so that memory stays bounded; results do not depend on it. Allocates nothing. */
hz_status hz_scorer_probabilities(hz_scorer *scorer, const hz_position *positions, size_t n,
                                  hz_color color, float *values, hz_error *err);
/* Likewise scores 0..10000: hz_score_from_probability of each value. */
hz_status hz_scorer_scores(hz_scorer *scorer, const hz_position *positions, size_t n,
                           hz_color color, int32_t *scores, hz_error *err);
/* One output as a score: clamped to 0..1, times 10000 in float, truncated. NaN is 0. */
int32_t hz_score_from_probability(float p);
/* Rows whose output was not finite since the handle was opened. */
uint64_t hz_scorer_non_finite_rows(const hz_scorer *scorer);
/* Rows that were run, and calls of the executor (failed ones too), since the handle was opened. */
uint64_t hz_scorer_rows(const hz_scorer *scorer);
uint64_t hz_scorer_batches(const hz_scorer *scorer);
const hz_schema *hz_scorer_schema(const hz_scorer *scorer);
hz_model *hz_scorer_model(hz_scorer *scorer);

/* The check of a graph's ports, whatever opened it: exactly one input [batch,width] of this name
 * and one output [batch,1] of that name, both float tensors with a dynamic batch dimension.
 * HZ_GRAPH_CONTRACT. `model_path` (may be NULL) is put in front of messages. */
hz_status hz_contract_check(const hz_port *inputs, size_t input_count, const hz_port *outputs,
                            size_t output_count, const char *input_name, const char *output_name,
                            size_t width, const char *model_path, hz_error *err);

#ifdef __cplusplus
}
#endif
#endif
