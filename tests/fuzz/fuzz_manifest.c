/* SPDX-License-Identifier: MIT */
/* Manifests: any bytes. What is JSON is JSON for jansson too; what parses and validates is written,
 * and what was written parses to the same manifest and is written the same again. */
#include "fuzz/fuzz.h"

#include <hazard/package.h>

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define PATH "manifest.json"

static bool same_text(const char *a, const char *b) {
    return (!a && !b) || (a && b && strcmp(a, b) == 0);
}

static bool same_number(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

static void check_same(const hz_manifest *a, const hz_manifest *b) {
    FUZZ_CHECK(same_text(a->model_id, b->model_id));
    FUZZ_CHECK(same_text(a->model_sha256, b->model_sha256));
    FUZZ_CHECK(same_text(a->model_role, b->model_role));
    FUZZ_CHECK(same_text(a->feature_schema, b->feature_schema));
    FUZZ_CHECK(a->feature_count == b->feature_count);
    FUZZ_CHECK(same_text(a->input_name, b->input_name));
    FUZZ_CHECK(same_text(a->output_name, b->output_name));
    FUZZ_CHECK(same_text(a->perspective, b->perspective));
    FUZZ_CHECK(same_text(a->engine_compatibility, b->engine_compatibility));
    FUZZ_CHECK(same_text(a->evaluation_profile, b->evaluation_profile));
    FUZZ_CHECK(a->has_calibration == b->has_calibration);
    FUZZ_CHECK(a->has_brier_score == b->has_brier_score && a->has_log_loss == b->has_log_loss);
    FUZZ_CHECK(same_number(a->temperature, b->temperature));
    FUZZ_CHECK(same_number(a->brier_score, b->brier_score));
    FUZZ_CHECK(same_number(a->log_loss, b->log_loss));
    FUZZ_CHECK(same_text(a->calibrated_on, b->calibrated_on));
    FUZZ_CHECK(a->provenance_count == b->provenance_count);
    for (size_t i = 0; i < a->provenance_count; i++) {
        FUZZ_CHECK(same_text(a->provenance[i].key, b->provenance[i].key));
        FUZZ_CHECK(same_text(a->provenance[i].value, b->provenance[i].value));
    }
}

/* The text of a manifest; free() it. NULL when it would not fit a manifest file. */
static char *written(const hz_manifest *manifest, size_t *length) {
    hz_error err;
    hz_status status = hz_manifest_to_text(manifest, NULL, 0, length, &err);
    if (status != HZ_OK) {
        FUZZ_CHECK(status == HZ_MANIFEST && strstr(err.message, "bytes"));
        return NULL;
    }
    char *text = malloc(*length + 1);
    size_t again;
    FUZZ_CHECK(text && hz_manifest_to_text(manifest, text, *length + 1, &again, &err) == HZ_OK);
    FUZZ_CHECK(again == *length && strlen(text) == *length);
    return text;
}

static void check_round_trip(const hz_manifest *manifest, hz_arena *arena) {
    size_t length, second_length;
    char *text = written(manifest, &length);
    if (!text) {
        return;
    }
    hz_manifest again;
    hz_error err;
    FUZZ_CHECK(hz_manifest_parse(text, length, PATH, arena, &again, &err) == HZ_OK);
    FUZZ_CHECK(hz_manifest_validate(&again, NULL, PATH, &err) == HZ_OK);
    check_same(manifest, &again);
    char *second = written(&again, &second_length);
    FUZZ_CHECK(second && strcmp(text, second) == 0);
    free(second);
    free(text);
}

/* Only the depth at which nesting ends is another, and jansson takes a NUL for the end. */
static void check_json(const uint8_t *data, size_t size, bool refused, const hz_error *err) {
    if (size == 0 || size > HZ_MANIFEST_BYTES_MAX || memchr(data, '\0', size) ||
        (refused && strstr(err->message, "nesting deeper"))) {
        return;
    }
    json_t *json = json_loadb((const char *)data, size, JSON_DECODE_ANY, NULL);
    FUZZ_CHECK(refused == !json);
    json_decref(json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hz_arena arena;
    hz_manifest manifest;
    hz_error err;
    hz_arena_init(&arena, 256 << 20);
    hz_error_clear(&err);
    hz_status status = hz_manifest_parse((const char *)data, size, PATH, &arena, &manifest, &err);
    bool not_json = status != HZ_OK && strstr(err.message, PATH ": not valid JSON") == err.message;
    check_json(data, size, not_json, &err);
    if (status == HZ_OK) {
        status = hz_manifest_validate(&manifest, NULL, PATH, &err);
    }
    if (status == HZ_OK) {
        check_round_trip(&manifest, &arena);
    } else {
        FUZZ_CHECK(status == HZ_MANIFEST || status == HZ_ENGINE_VERSION);
        FUZZ_CHECK(strncmp(err.message, PATH ": ", strlen(PATH ": ")) == 0);
        FUZZ_CHECK((err.line > 0) == (err.offset != HZ_NO_OFFSET));
        fuzz_check_error(&err, status, size);
    }
    hz_arena_fini(&arena);
    return 0;
}
