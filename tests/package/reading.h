/* SPDX-License-Identifier: MIT */
/*
 * package/reading.h - manifests as the tests of parsing, of JSON and of writing read them, and one
 * complete example.
 */
#ifndef HAZARD_TEST_PACKAGE_READING_H
#define HAZARD_TEST_PACKAGE_READING_H

#include "package/folder.h"

/* What messages begin with. */
#define PATH "some/manifest.json"

static inline hz_status read_length(const char *text, size_t length, const char *engine,
                                    hz_arena *arena, hz_manifest *manifest, hz_error *err) {
    hz_error_clear(err);
    hz_status status = hz_manifest_parse(text, length, PATH, arena, manifest, err);
    return status == HZ_OK ? hz_manifest_validate(manifest, engine, PATH, err) : status;
}

static inline hz_status read_text(const char *text, hz_arena *arena, hz_manifest *manifest,
                                  hz_error *err) {
    return read_length(text, strlen(text), NULL, arena, manifest, err);
}

/* The manifest must be good. */
static inline hz_manifest accepted(const char *text, hz_arena *arena) {
    hz_manifest manifest = {0};
    hz_error err;
    if (read_text(text, arena, &manifest, &err) != HZ_OK) {
        fail_msg("refused: %s\n%s", err.message, text);
    }
    return manifest;
}

static inline void must_refuse(const char *text, const char *required) {
    hz_arena arena;
    hz_manifest manifest;
    hz_error err;
    hz_arena_init(&arena, 0);
    refused(text, HZ_MANIFEST, read_text(text, &arena, &manifest, &err), &err, PATH, required);
    hz_arena_fini(&arena);
}

/* A manifest that says everything, as hz_manifest_to_text writes it. */
static const char example[] = "{\n"
                              "  \"manifestVersion\": \"1.1.0\",\n"
                              "  \"modelId\": \"collapse-9\",\n"
                              "  \"modelSha256\": \"" DRAFT_DIGEST "\",\n"
                              "  \"modelRole\": \"chance-collapse\",\n"
                              "  \"featureSchema\": \"rich-9-v1\",\n"
                              "  \"featureCount\": 9,\n"
                              "  \"inputName\": \"rows\",\n"
                              "  \"outputName\": \"expectation\",\n"
                              "  \"perspective\": \"side-to-move\",\n"
                              "  \"engineCompatibility\": \">=0.12.0 <1.0.0\",\n"
                              "  \"evaluationProfile\": \"quick\",\n"
                              "  \"calibration\": {\n"
                              "    \"temperature\": 1.25,\n"
                              "    \"brierScore\": 0.187,\n"
                              "    \"logLoss\": 0.5,\n"
                              "    \"calibratedOn\": \"holdout-2\"\n"
                              "  },\n"
                              "  \"provenance\": {\n"
                              "    \"epochs\": \"40\",\n"
                              "    \"shuffled\": \"true\",\n"
                              "    \"dataset\": \"selfplay \\\"17\\\"\"\n"
                              "  }\n"
                              "}\n";

#endif
