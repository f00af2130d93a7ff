/* SPDX-License-Identifier: MIT */
/*
 * A package as loaded: its manifest, parsed and valid, and where its files are. The graph is
 * neither read nor digested here; that happens when a scorer is opened.
 */
#include "package/manifest.h"

#include "package/file.h"
#include "package/refusal.h"

#include <stdlib.h>
#include <string.h>

struct hz_package {
    hz_arena arena; /* texts of the manifest, paths */
    hz_manifest manifest;
    hz_role role;
    const hz_schema *schema;
    const char *model_path;
    const char *manifest_path;
};

static const char *copy_text(hz_arena *arena, const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = hz_arena_alloc(arena, size);
    return copy ? memcpy(copy, text, size) : NULL;
}

/* Reads the manifest into the package's arena. */
static hz_status read_manifest(hz_package *p, const char *engine_version, hz_error *err) {
    char *text = NULL, why[HZI_WHY];
    size_t length = 0;
    hz_status status = hzi_file_load(p->manifest_path, HZ_MANIFEST_BYTES_MAX, &text, &length, why);
    if (status == HZ_IO) {
        return hzi_refuse(err, HZ_MANIFEST_FILE, p->manifest_path,
                          "manifest file not readable (%s)", why);
    }
    if (status == HZ_INCOMPLETE) {
        return hzi_refuse(err, HZ_MANIFEST, p->manifest_path, "not valid JSON: more than %d bytes",
                          HZ_MANIFEST_BYTES_MAX);
    }
    if (status != HZ_OK) {
        return hzi_refuse(err, status, p->manifest_path, "%s", why);
    }
    status = hz_manifest_parse(text, length, p->manifest_path, &p->arena, &p->manifest, err);
    free(text);
    return status == HZ_OK
               ? hz_manifest_validate(&p->manifest, engine_version, p->manifest_path, err)
               : status;
}

static hz_status fill(hz_package *p, const char *engine_version, hz_error *err) {
    char why[HZI_WHY];
    if (hzi_file_readable(p->model_path, why) != HZ_OK) {
        return hzi_refuse(err, HZ_MODEL_FILE, p->model_path, "model file not readable (%s)", why);
    }
    hz_status status = read_manifest(p, engine_version, err);
    if (status == HZ_OK) {
        (void)hz_role_find(p->manifest.model_role, &p->role);
        p->schema = hzi_package_schema_find(p->manifest.feature_schema);
    }
    return status;
}

hz_status hz_package_load_files(const char *model_path, const char *manifest_path,
                                const char *engine_version, hz_package **package, hz_error *err) {
    if (!model_path || !manifest_path || !package) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                       "loading a package takes the paths of a model and of a manifest");
    }
    hz_package *p = calloc(1, sizeof *p);
    if (p) {
        hz_arena_init(&p->arena, 0);
        p->model_path = copy_text(&p->arena, model_path);
        p->manifest_path = copy_text(&p->arena, manifest_path);
    }
    if (!p || !p->model_path || !p->manifest_path) {
        hz_package_free(p);
        return hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a package");
    }
    hz_status status = fill(p, engine_version, err);
    if (status != HZ_OK) {
        hz_package_free(p);
        return status;
    }
    *package = p;
    return HZ_OK;
}

/* FOLDER/NAME, with no second slash behind one that is there. NULL = no memory; free() it. */
static char *join(const char *folder, const char *name) {
    size_t length = strlen(folder), size = strlen(name) + 1;
    bool slash = length > 0 && folder[length - 1] != '/';
    char *path = malloc(length + slash + size);
    if (path) {
        memcpy(path, folder, length);
        path[length] = '/';
        memcpy(path + length + slash, name, size);
    }
    return path;
}

hz_status hz_package_load(const char *directory, const char *engine_version, hz_package **package,
                          hz_error *err) {
    if (!directory || !package) {
        return hz_fail(err, HZ_INVALID_ARGUMENT, HZ_NO_OFFSET,
                       "loading a package takes the path of its folder");
    }
    if (!*directory) {
        return hzi_refuse(err, HZ_MODEL_FILE, "model.onnx",
                          "model file not readable (the path of the folder is empty)");
    }
    char *model = join(directory, "model.onnx"), *manifest = join(directory, "manifest.json");
    hz_status status = model && manifest
                           ? hz_package_load_files(model, manifest, engine_version, package, err)
                           : hz_fail(err, HZ_NO_MEMORY, HZ_NO_OFFSET, "no memory for a package");
    free(model);
    free(manifest);
    return status;
}

void hz_package_free(hz_package *package) {
    if (package) {
        hz_arena_fini(&package->arena);
        free(package);
    }
}

const hz_manifest *hz_package_manifest(const hz_package *package) {
    return &package->manifest;
}

hz_role hz_package_role(const hz_package *package) {
    return package->role;
}

const hz_schema *hz_package_schema(const hz_package *package) {
    return package->schema;
}

const char *hz_package_model_path(const hz_package *package) {
    return package->model_path;
}

const char *hz_package_manifest_path(const hz_package *package) {
    return package->manifest_path;
}
