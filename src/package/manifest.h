/* SPDX-License-Identifier: MIT */
/* What parsing, validating and writing of manifests share. */
#ifndef HAZARD_PACKAGE_MANIFEST_H
#define HAZARD_PACKAGE_MANIFEST_H

#include <hazard/package.h>

#define HZI_MANIFEST_1_0 "1.0.0"
#define HZI_MANIFEST_1_1 "1.1.0"
#define HZI_DEFAULT_INPUT "input"
#define HZI_DEFAULT_OUTPUT "output"
#define HZI_PERSPECTIVE "side-to-move"

/* The values of a manifest that do not depend on the host: everything up to the perspective. */
hz_status hzi_manifest_check_values(const hz_manifest *manifest, const char *path, hz_error *err);

/* A schema that packages may name: those of Dice Chess. NULL = none. */
const hz_schema *hzi_package_schema_find(const char *id);

/*
 * Marks, of entries with equal keys, all but the first: repeated[i] becomes true. HZ_NO_MEMORY when
 * the arena has no room for sorting.
 */
hz_status hzi_provenance_repeated(const hz_provenance *entries, size_t count, hz_arena *arena,
                                  bool *repeated);

#endif
