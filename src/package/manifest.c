/* SPDX-License-Identifier: MIT */
/*
 * A manifest's text becomes an hz_manifest: which fields there are, of which type, in which
 * manifest version. Fields are looked at in a fixed order and the first failure wins, so that one
 * broken manifest has one answer. What the values mean is checked in validate.c.
 */
#include "package/manifest.h"

#include "package/json_read.h"
#include "package/refusal.h"

#include <stdlib.h>
#include <string.h>

/* The document, and within it the members of calibration and provenance. */
enum { LEVELS_KEPT = 2 };

typedef struct parsing {
    const hzi_json *root;
    const char *path;
    bool legacy; /* manifest version 1.0.0 */
    hz_arena *arena;
    hz_error *err;
} parsing;

/* ---- fields ---- */

static hz_status text_of(const parsing *p, const char *field, const hzi_json *value,
                         const char **text) {
    if (value->type != HZI_JSON_STRING) {
        return hzi_refuse(p->err, HZ_MANIFEST, p->path, "field '%s' must be a string", field);
    }
    *text = value->text;
    return HZ_OK;
}

static hz_status required(const parsing *p, const char *field, const hzi_json **value) {
    *value = hzi_json_member_find(p->root, field);
    return *value ? HZ_OK
                  : hzi_refuse(p->err, HZ_MANIFEST, p->path, "missing required field '%s'", field);
}

static hz_status required_text(const parsing *p, const char *field, const char **text) {
    const hzi_json *value;
    hz_status status = required(p, field, &value);
    return status == HZ_OK ? text_of(p, field, value, text) : status;
}

/* Absent: *text stays. */
static hz_status optional_text(const parsing *p, const hzi_json *object, const char *field,
                               const char **text) {
    const hzi_json *value = hzi_json_member_find(object, field);
    return value ? text_of(p, field, value, text) : HZ_OK;
}

/* A field that came with 1.1.0: an older manifest must not have it; *text stays then. */
static hz_status newer_text(const parsing *p, const char *field, bool needed, const char **text) {
    const hzi_json *value = hzi_json_member_find(p->root, field);
    if (p->legacy && value) {
        return hzi_refuse(p->err, HZ_MANIFEST, p->path,
                          "manifestVersion " HZI_MANIFEST_1_0 " does not define field '%s'", field);
    }
    if (!p->legacy && needed && !value) {
        return hzi_refuse(p->err, HZ_MANIFEST, p->path,
                          "manifestVersion " HZI_MANIFEST_1_1 " requires field '%s'", field);
    }
    return value ? text_of(p, field, value, text) : HZ_OK;
}

/* 13, 13.0 and 1.3e1 are the same; beyond 32 bits there is no number of columns. */
static hz_status whole_number(const parsing *p, const char *field, int64_t *number) {
    const hzi_json *value;
    hz_status status = required(p, field, &value);
    if (status != HZ_OK) {
        return status;
    }
    double real = value->type == HZI_JSON_NUMBER ? value->number : 0.5;
    if (real < INT32_MIN || real > INT32_MAX || real != (double)(int32_t)real) {
        return hzi_refuse(p->err, HZ_MANIFEST, p->path, "field '%s' must be a whole number", field);
    }
    *number = (int32_t)real;
    return HZ_OK;
}

/* ---- calibration and provenance ---- */

/* Absent: nothing changes. */
static hz_status optional_number(const parsing *p, const hzi_json *object, const char *field,
                                 bool *has, double *number) {
    const hzi_json *value = hzi_json_member_find(object, field);
    if (!value) {
        return HZ_OK;
    }
    if (value->type != HZI_JSON_NUMBER) {
        return hzi_refuse(p->err, HZ_MANIFEST, p->path,
                          "field '%s' must be a number (in 'calibration')", field);
    }
    *has = true;
    *number = value->number;
    return HZ_OK;
}

static hz_status read_calibration(const parsing *p, hz_manifest *m) {
    const hzi_json *object = hzi_json_member_find(p->root, "calibration");
    bool has_temperature = false;
    hz_status status;
    if (!object) {
        return HZ_OK;
    }
    if (object->type != HZI_JSON_OBJECT) {
        return hzi_refuse(p->err, HZ_MANIFEST, p->path, "field 'calibration' must be an object");
    }
    m->has_calibration = true;
    if ((status = optional_number(p, object, "temperature", &has_temperature, &m->temperature)) !=
            HZ_OK ||
        (status = optional_number(p, object, "brierScore", &m->has_brier_score, &m->brier_score)) !=
            HZ_OK ||
        (status = optional_number(p, object, "logLoss", &m->has_log_loss, &m->log_loss)) != HZ_OK) {
        return status;
    }
    return optional_text(p, object, "calibratedOn", &m->calibrated_on);
}

/* By key, then by place. */
static int by_key(const void *left, const void *right) {
    const hz_provenance *const *a = left, *const *b = right;
    int order = strcmp((*a)->key, (*b)->key);
    return order ? order : (*a > *b) - (*a < *b);
}

hz_status hzi_provenance_repeated(const hz_provenance *entries, size_t count, hz_arena *arena,
                                  bool *repeated) {
    const hz_provenance **sorted =
        count <= SIZE_MAX / sizeof *sorted ? hz_arena_alloc(arena, count * sizeof *sorted) : NULL;
    if (!sorted) {
        return HZ_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        sorted[i] = &entries[i];
        repeated[i] = false;
    }
    if (count > 1) {
        qsort(sorted, count, sizeof *sorted, by_key);
    }
    for (size_t i = 1; i < count; i++) {
        repeated[sorted[i] - entries] = strcmp(sorted[i - 1]->key, sorted[i]->key) == 0;
    }
    return HZ_OK;
}

/* The text a scalar is recorded as; NULL for what is none. */
static const char *scalar_text(const hzi_json *value) {
    switch (value->type) {
    case HZI_JSON_STRING:
    case HZI_JSON_NUMBER:
        return value->text;
    case HZI_JSON_TRUE:
        return "true";
    case HZI_JSON_FALSE:
        return "false";
    case HZI_JSON_NULL:
    case HZI_JSON_ARRAY:
    case HZI_JSON_OBJECT:
        break;
    }
    return NULL;
}

/* Of equal keys the first counts, even when it is null: then the key is absent. */
static hz_status read_provenance(const parsing *p, hz_manifest *m) {
    const hzi_json *object = hzi_json_member_find(p->root, "provenance");
    if (!object) {
        return HZ_OK;
    }
    if (object->type != HZI_JSON_OBJECT) {
        return hzi_refuse(p->err, HZ_MANIFEST, p->path, "field 'provenance' must be an object");
    }
    hz_provenance *entries = hz_arena_alloc(p->arena, object->count * sizeof *entries);
    bool *repeated = hz_arena_alloc(p->arena, object->count * sizeof *repeated);
    if (!entries || !repeated) {
        return hzi_refuse(p->err, HZ_NO_MEMORY, p->path, "no memory for the manifest");
    }
    for (size_t i = 0; i < object->count; i++) {
        entries[i] = (hz_provenance){.key = object->members[i].key};
    }
    if (hzi_provenance_repeated(entries, object->count, p->arena, repeated) != HZ_OK) {
        return hzi_refuse(p->err, HZ_NO_MEMORY, p->path, "no memory for the manifest");
    }
    size_t kept = 0;
    for (size_t i = 0; i < object->count; i++) {
        const hzi_json_member *member = &object->members[i];
        if (repeated[i] || member->value.type == HZI_JSON_NULL) {
            continue;
        }
        const char *text = scalar_text(&member->value);
        if (!text) {
            return hzi_refuse(p->err, HZ_MANIFEST, p->path,
                              "field 'provenance.%s' must be a string, number or boolean",
                              hzi_show(member->key).text);
        }
        entries[kept++] = (hz_provenance){.key = member->key, .value = text};
    }
    m->provenance = entries;
    m->provenance_count = kept;
    return HZ_OK;
}

/* ---- the whole ---- */

static hz_status read_version(parsing *p, hz_manifest *m) {
    hz_status status = required_text(p, "manifestVersion", &m->manifest_version);
    if (status != HZ_OK) {
        return status;
    }
    p->legacy = strcmp(m->manifest_version, HZI_MANIFEST_1_0) == 0;
    if (!p->legacy && strcmp(m->manifest_version, HZI_MANIFEST_1_1) != 0) {
        return hzi_refuse(p->err, HZ_MANIFEST, p->path,
                          "unsupported manifestVersion '%s'; supported: " HZI_MANIFEST_1_0
                          ", " HZI_MANIFEST_1_1,
                          hzi_show(m->manifest_version).text);
    }
    return HZ_OK;
}

/* The order of these lines is the order of refusals. */
static hz_status read_fields(parsing *p, hz_manifest *m) {
    hz_status status;
    if ((status = read_version(p, m)) != HZ_OK ||
        (status = required_text(p, "modelId", &m->model_id)) != HZ_OK ||
        (status = required_text(p, "modelSha256", &m->model_sha256)) != HZ_OK ||
        (status = newer_text(p, "modelRole", true, &m->model_role)) != HZ_OK ||
        (status = required_text(p, "featureSchema", &m->feature_schema)) != HZ_OK ||
        (status = whole_number(p, "featureCount", &m->feature_count)) != HZ_OK ||
        (status = newer_text(p, "inputName", false, &m->input_name)) != HZ_OK ||
        (status = newer_text(p, "outputName", false, &m->output_name)) != HZ_OK ||
        (status = newer_text(p, "perspective", true, &m->perspective)) != HZ_OK ||
        (status = required_text(p, "engineCompatibility", &m->engine_compatibility)) != HZ_OK ||
        (status = optional_text(p, p->root, "evaluationProfile", &m->evaluation_profile)) !=
            HZ_OK ||
        (status = read_calibration(p, m)) != HZ_OK) {
        return status;
    }
    return read_provenance(p, m);
}

static hz_status refuse_json(const parsing *p, const hz_error *json) {
    hzi_refuse(p->err, HZ_MANIFEST, p->path, "not valid JSON: %s", json->message);
    if (p->err) {
        p->err->offset = json->offset;
        p->err->line = json->line;
        p->err->column = json->column;
    }
    return HZ_MANIFEST;
}

hz_status hz_manifest_parse(const char *text, size_t length, const char *path, hz_arena *arena,
                            hz_manifest *manifest, hz_error *err) {
    hzi_json root;
    parsing p = {.root = &root, .path = path, .arena = arena, .err = err};
    if ((!text && length) || !arena || !manifest) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                       "parsing a manifest takes a text, an arena and a place for the manifest");
    }
    if (length > HZ_MANIFEST_BYTES_MAX) {
        return hzi_refuse(err, HZ_MANIFEST, path, "not valid JSON: more than %d bytes",
                          HZ_MANIFEST_BYTES_MAX);
    }
    hz_error json;
    hz_status status = hzi_json_read(text ? text : "", length, LEVELS_KEPT, arena, &root, &json);
    if (status == HZ_JSON) {
        return refuse_json(&p, &json);
    }
    if (status != HZ_OK) {
        return hzi_refuse(err, status, path, "%s", json.message);
    }
    if (root.type != HZI_JSON_OBJECT) {
        return hzi_refuse(err, HZ_MANIFEST, path, "manifest must be a JSON object");
    }
    hz_manifest read = {.model_role = hz_role_id(HZ_ROLE_POSITION_VALUE),
                        .input_name = HZI_DEFAULT_INPUT,
                        .output_name = HZI_DEFAULT_OUTPUT,
                        .perspective = HZI_PERSPECTIVE,
                        .temperature = 1.0};
    status = read_fields(&p, &read);
    if (status == HZ_OK) {
        *manifest = read;
    }
    return status;
}
