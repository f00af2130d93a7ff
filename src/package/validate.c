/* SPDX-License-Identifier: MIT */
/*
 * What the values of a manifest must be: a known role, a known schema of the stated width, a digest
 * that can be one, an engine range that includes the host. First failure wins. Also the exact list
 * of schemas that packages may name.
 */
#include "package/manifest.h"

#include "package/refusal.h"
#include "package/version.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const hz_schema *hzi_package_schema_find(const char *id) {
    const hz_schema *schema = hz_schema_find(id);
    return schema && strcmp(schema->game, "dicechess") == 0 ? schema : NULL;
}

/* ---- lists of known ids ---- */

static const char *role_at(size_t index) {
    return index < HZ_ROLES ? hz_role_id((hz_role)index) : NULL;
}

static const char *schema_at(size_t index) {
    const hz_schema *schema = hz_schema_at(index);
    return schema ? schema->id : NULL;
}

static bool any(const char *id) {
    return id != NULL;
}

static bool of_packages(const char *id) {
    return hzi_package_schema_find(id) != NULL;
}

/* The ids that `at` hands out and `listed` accepts, in ascending order, as "a, b, c". */
static void list_ids(const char *(*at)(size_t), bool (*listed)(const char *), char *text,
                     size_t capacity) {
    const char *latest = "";
    size_t used = 0;
    text[0] = '\0';
    for (;;) {
        const char *next = NULL;
        for (size_t i = 0; at(i); i++) {
            const char *id = at(i);
            if (listed(id) && strcmp(id, latest) > 0 && (!next || strcmp(id, next) < 0)) {
                next = id;
            }
        }
        if (!next) {
            return;
        }
        int added = snprintf(text + used, capacity - used, "%s%s", used ? ", " : "", next);
        if (added < 0 || (size_t)added >= capacity - used) {
            return;
        }
        used += (size_t)added;
        latest = next;
    }
}

/* ---- values ---- */

static bool is_digest(const char *text) {
    return strlen(text) == 64 && strspn(text, "0123456789abcdefABCDEF") == 64;
}

static hz_status check_schema(const hz_manifest *m, const char *path, hz_error *err) {
    const hz_schema *schema = hzi_package_schema_find(m->feature_schema);
    if (!schema) {
        char known[300];
        list_ids(schema_at, of_packages, known, sizeof known);
        return hzi_refuse(err, HZ_MANIFEST, path, "unknown featureSchema '%s'; known: %s",
                          hzi_show(m->feature_schema).text, known);
    }
    if (m->feature_count != (int64_t)schema->width) {
        return hzi_refuse(err, HZ_MANIFEST, path,
                          "featureCount %" PRId64
                          " does not match featureSchema '%s' (%zu columns)",
                          m->feature_count, schema->id, schema->width);
    }
    return HZ_OK;
}

static hz_status check_names(const hz_manifest *m, const char *path, hz_error *err) {
    const char *field = hzi_is_blank(m->input_name)    ? "inputName"
                        : hzi_is_blank(m->output_name) ? "outputName"
                                                       : NULL;
    return field ? hzi_refuse(err, HZ_MANIFEST, path, "%s must not be blank", field) : HZ_OK;
}

hz_status hzi_manifest_check_values(const hz_manifest *m, const char *path, hz_error *err) {
    hz_role role;
    hz_status status;
    if (hzi_is_blank(m->model_id)) {
        return hzi_refuse(err, HZ_MANIFEST, path, "modelId must not be blank");
    }
    if (!m->model_sha256 || !is_digest(m->model_sha256)) {
        return hzi_refuse(err, HZ_MANIFEST, path,
                          "modelSha256 must be 64 hexadecimal digits, not '%s'",
                          hzi_show(m->model_sha256).text);
    }
    if (!hz_role_find(m->model_role, &role)) {
        char known[100];
        list_ids(role_at, any, known, sizeof known);
        return hzi_refuse(err, HZ_MANIFEST, path, "unknown modelRole '%s'; known: %s",
                          hzi_show(m->model_role).text, known);
    }
    if ((status = check_schema(m, path, err)) != HZ_OK ||
        (status = check_names(m, path, err)) != HZ_OK) {
        return status;
    }
    if (!m->perspective || strcmp(m->perspective, HZI_PERSPECTIVE) != 0) {
        return hzi_refuse(err, HZ_MANIFEST, path,
                          "unsupported perspective '%s'; supported: " HZI_PERSPECTIVE,
                          hzi_show(m->perspective).text);
    }
    return HZ_OK;
}

hz_status hz_manifest_validate(const hz_manifest *manifest, const char *engine_version,
                               const char *path, hz_error *err) {
    if (!manifest) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET, "there is no manifest to validate");
    }
    hz_status status = hzi_manifest_check_values(manifest, path, err);
    return status == HZ_OK
               ? hzi_engine_check(manifest->engine_compatibility,
                                  engine_version ? engine_version : HZ_CONTRACT_VERSION, path, err)
               : status;
}
