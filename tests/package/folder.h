/* SPDX-License-Identifier: MIT */
/*
 * package/folder.h - a folder of files for one test, and manifests whose fields are set one by one.
 */
#ifndef HAZARD_TEST_PACKAGE_FOLDER_H
#define HAZARD_TEST_PACKAGE_FOLDER_H

#include <hazard/package.h>

#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- a folder ---- */

enum { FOLDER_ENTRIES = 16, FOLDER_PATH = 512 };

/* Everything in it is removed with it. */
typedef struct folder {
    char path[FOLDER_PATH / 2];
    char entries[FOLDER_ENTRIES][FOLDER_PATH];
    size_t count;
} folder;

static inline void folder_make(folder *f) {
    const char *parent = getenv("TMPDIR");
    *f = (folder){0};
    snprintf(f->path, sizeof f->path, "%s/hazard-package-XXXXXX", parent ? parent : ".");
    assert_non_null(mkdtemp(f->path));
}

/* The path of an entry, which is removed with the folder. Valid as long as the folder. */
static inline const char *folder_entry(folder *f, const char *name) {
    char path[FOLDER_PATH];
    snprintf(path, sizeof path, "%s/%s", f->path, name);
    for (size_t i = 0; i < f->count; i++) {
        if (strcmp(f->entries[i], path) == 0) {
            return f->entries[i];
        }
    }
    assert_in_range(f->count, 0, FOLDER_ENTRIES - 1);
    return strcpy(f->entries[f->count++], path);
}

static inline const char *folder_write(folder *f, const char *name, const void *bytes,
                                       size_t length) {
    const char *path = folder_entry(f, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
    return path;
}

static inline const char *folder_write_text(folder *f, const char *name, const char *text) {
    return folder_write(f, name, text, strlen(text));
}

static inline void folder_remove(folder *f) {
    while (f->count > 0) {
        (void)remove(f->entries[--f->count]);
    }
    assert_int_equal(rmdir(f->path), 0);
}

/* ---- a manifest in the making ---- */

enum { DRAFT_MEMBERS = 24, DRAFT_TEXT = 8192 };

/* Members in order; values are JSON. */
typedef struct draft {
    struct {
        const char *key, *json;
    } members[DRAFT_MEMBERS];
    size_t count;
    char text[DRAFT_TEXT];
} draft;

/* json NULL takes the member out. The texts must outlive the draft. */
static inline void draft_set(draft *d, const char *key, const char *json) {
    size_t at = 0;
    while (at < d->count && strcmp(d->members[at].key, key) != 0) {
        at++;
    }
    assert_in_range(at, 0, DRAFT_MEMBERS - 1);
    d->count += at == d->count;
    d->members[at].key = key;
    d->members[at].json = json;
}

static inline const char *draft_text(draft *d) {
    size_t used = 0;
    const char *comma = "";
    d->text[used++] = '{';
    for (size_t i = 0; i < d->count; i++) {
        if (d->members[i].json) {
            used += (size_t)snprintf(d->text + used, sizeof d->text - used, "%s\"%s\": %s", comma,
                                     d->members[i].key, d->members[i].json);
            assert_in_range(used, 0, sizeof d->text - 2);
            comma = ", ";
        }
    }
    d->text[used++] = '}';
    d->text[used] = '\0';
    return d->text;
}

#define DRAFT_DIGEST "0123456789abcdef0123456789ABCDEF0123456789abcdef0123456789ABCDEF"

/* A good manifest of version 1.1.0 for kcp-13. */
static inline draft draft_good(void) {
    draft d = {.count = 0};
    draft_set(&d, "manifestVersion", "\"1.1.0\"");
    draft_set(&d, "modelId", "\"unit\"");
    draft_set(&d, "modelSha256", "\"" DRAFT_DIGEST "\"");
    draft_set(&d, "modelRole", "\"position-value\"");
    draft_set(&d, "featureSchema", "\"kcp-13\"");
    draft_set(&d, "featureCount", "13");
    draft_set(&d, "perspective", "\"side-to-move\"");
    draft_set(&d, "engineCompatibility", "\">=0.12.0 <1.0.0\"");
    return d;
}

/* The same as version 1.0.0 writes it. */
static inline draft draft_legacy(void) {
    draft d = draft_good();
    draft_set(&d, "manifestVersion", "\"1.0.0\"");
    draft_set(&d, "modelRole", NULL);
    draft_set(&d, "perspective", NULL);
    return d;
}

/* The digest of bytes as a JSON text. */
static inline void json_digest(const void *bytes, size_t length, char json[67]) {
    char hex[65];
    hz_sha256_hex(bytes, length, hex);
    snprintf(json, 67, "\"%s\"", hex);
}

/* ---- refusals ---- */

/* A refusal of this status whose message begins with "PATH: " (path not NULL) and contains a text. */
static inline void refused(const char *what, hz_status expected, hz_status status,
                           const hz_error *err, const char *path, const char *text) {
    if (status != expected || err->code != expected) {
        fail_msg("%s: status %s (error %s: %s) instead of %s", what, hz_status_name(status),
                 hz_status_name(err->code), err->message, hz_status_name(expected));
    }
    if (path) {
        size_t length = strlen(path);
        if (strncmp(err->message, path, length) != 0 ||
            strncmp(err->message + length, ": ", 2) != 0) {
            fail_msg("%s: \"%s\" does not begin with \"%s: \"", what, err->message, path);
        }
    }
    if (!strstr(err->message, text)) {
        fail_msg("%s: \"%s\" does not contain \"%s\"", what, err->message, text);
    }
}

#endif
